"""The shapes of all pieces as tables that compiled code reads, by the number of a shape."""

from __future__ import annotations

import numpy as np

from tetriscourse.game.pieces import DOMINO, PIECES, Orientation, Piece, all_orientations

SHAPES: tuple[Orientation, ...] = tuple(all_orientations())
"""Every shape that a piece can have, numbered for the simulator."""

PROGRAMS: tuple[Piece, ...] = (*PIECES.values(), DOMINO)
"""The pieces for which a program is compiled; the classic bag's pieces have the same shapes."""

COLUMNS = 16
"""Lanes of a board: its largest width."""

FAR_UP = 99
"""The lowest row of a column that a shape does not have."""


def per_column(shape: Orientation, which: int, filling: int) -> list[int]:
    """Lowest rows (0) or cell counts (1) of a shape's columns, filled up to four."""
    return [column[which] for column in shape.columns] + [filling] * (4 - shape.width)


def pattern(shape: Orientation) -> list[int]:
    """A shape's columns as bits, with room on both sides: where reading begins decides in which column it stands."""
    columns = [((1 << count) - 1) << bottom for bottom, count in shape.columns]
    return [0] * COLUMNS + columns + [0] * (COLUMNS - shape.width)


def row_bits(shape: Orientation) -> list[int]:
    """A shape's rows as bits, bit 0 on the left."""
    return [sum(1 << c for r, c in shape.cells if r == row) for row in range(4)]


def shape_number(orientation: Orientation) -> int:
    """The simulator's number of a shape."""
    return next(i for i, shape in enumerate(SHAPES) if shape.cells == orientation.cells)


def program_of(piece: Piece) -> int:
    """The program that values a piece's moves: that of the piece with the same shapes."""
    shapes = {one.cells for one in piece.orientations}
    return next(i for i, other in enumerate(PROGRAMS) if {one.cells for one in other.orientations} == shapes)


def slot_of(orientation: Orientation, piece: Piece) -> int:
    """Which orientation of its piece's program this is."""
    shapes = [one.cells for one in PROGRAMS[program_of(piece)].orientations]
    return shapes.index(orientation.cells)


SHAPE_WIDTH = np.array([shape.width for shape in SHAPES])
SHAPE_HEIGHT = np.array([shape.height for shape in SHAPES])
SHAPE_BOTTOM = np.array([per_column(shape, 0, FAR_UP) for shape in SHAPES])
SHAPE_COUNT = np.array([per_column(shape, 1, 0) for shape in SHAPES])
SHAPE_ROWS = np.array([row_bits(shape) for shape in SHAPES])
SHAPE_CELLS = np.array([[bits.bit_count() for bits in row_bits(shape)] for shape in SHAPES])
PATTERNS = np.array([pattern(shape) for shape in SHAPES], np.int32).ravel()
