"""The shapes of all pieces as tables that compiled code reads, by the number of a shape."""

from __future__ import annotations

import numpy as np

from tetriscourse.game.pieces import DOMINO, PIECES, Orientation, Piece, all_orientations

SHAPES: tuple[Orientation, ...] = tuple(all_orientations())  # every shape that a piece can have, numbered
PROGRAMS: tuple[Piece, ...] = (*PIECES.values(), DOMINO)
"""The pieces for which a program is compiled; the classic bag's pieces have the same shapes."""
COLUMNS = 16  # lanes of a board: its largest width
FAR_UP = 99  # the lowest row of a column that a shape does not have


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
    return [one.cells for one in PROGRAMS[program_of(piece)].orientations].index(orientation.cells)


SHAPE_HEIGHT = np.array([shape.height for shape in SHAPES])
_COLUMNS = np.array([[*shape.columns, *[(FAR_UP, 0)] * (4 - shape.width)] for shape in SHAPES])
SHAPE_BOTTOM, SHAPE_COUNT = (np.ascontiguousarray(_COLUMNS[:, :, which]) for which in (0, 1))
SHAPE_ROWS = np.array([row_bits(shape) for shape in SHAPES])
SHAPE_CELLS = np.array([[bits.bit_count() for bits in row_bits(shape)] for shape in SHAPES])
SHAPE_ROWS_OF = np.array([[sum(1 << r for r in range(4) if row[r] == n) for n in range(5)] for row in SHAPE_CELLS])
"""The rows of each shape that have n cells, as bits."""
PATTERNS = np.array([pattern(shape) for shape in SHAPES], np.int32).ravel()
NO_PIECE = np.zeros(COLUMNS, np.int32)
