"""Where things are: the numbers that the simulator keeps of a board, and their places in memory."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from tetriscourse.game.pieces import DOMINO, PIECES, Orientation, Piece, all_orientations

SHAPES: tuple[Orientation, ...] = tuple(all_orientations())
"""Every shape that a piece can have, numbered for the simulator."""

PROGRAMS: tuple[Piece, ...] = (*PIECES.values(), DOMINO)
"""The pieces for which a program is compiled; the classic bag's pieces have the same shapes."""


COLUMNS = 16
"""Lanes of a board: its largest width."""


def per_column(shape: Orientation, which: int, filling: int) -> list[int]:
    """Lowest rows (0) or cell counts (1) of a shape's columns, filled up to four."""
    return [column[which] for column in shape.columns] + [filling] * (4 - shape.width)


def pattern(shape: Orientation) -> list[int]:
    """A shape's columns as bits, with room on both sides to place it in any column by where reading begins."""
    columns = [((1 << count) - 1) << bottom for bottom, count in shape.columns]
    return [0] * COLUMNS + columns + [0] * (COLUMNS - shape.width)


# For the kernels, by shape: width, height, and for each column its lowest row and how many cells it has; for each
# row how many cells; and the columns as bits.
SHAPE_WIDTH = np.array([shape.width for shape in SHAPES])
SHAPE_HEIGHT = np.array([shape.height for shape in SHAPES])
FAR_UP = 99
SHAPE_BOTTOM = np.array([per_column(shape, 0, FAR_UP) for shape in SHAPES])
SHAPE_COUNT = np.array([per_column(shape, 1, 0) for shape in SHAPES])
SHAPE_CELLS = np.array([[sum(r == row for r, _ in shape.cells) for row in range(4)] for shape in SHAPES])
PATTERNS = np.array([pattern(shape) for shape in SHAPES], np.int32).ravel()


class Term(IntEnum):
    """The features, numbered for the simulator: the position of each weight in its tuple."""

    landing_height = 0
    eroded_cells = 1
    lines = 2
    drop_depth = 3
    row_transitions = 4
    column_transitions = 5
    holes = 6
    wells = 7
    wells_one_pass = 8
    hole_depth = 9
    hole_depth_sum = 10
    rows_with_holes = 11
    max_height = 12
    diversity = 13
    i_wells = 14
    column_heights = 15
    height_differences = 16
    tall = 17
    """No feature: has a weight if cells can be as high as bit 31."""


class Field(IntEnum):
    """What is stored for each column of the present board."""

    CELLS = 0
    """Its full cells as bits, bit 0 at the bottom; the walls are full."""
    HEIGHT = 1
    LOOSE = 2
    """-1 if the column has a hole, else 0: then every further cell lies above a hole."""
    HOLES = 3
    WELLS_ONE_PASS = 4
    """Its share of the one-pass wells."""
    STEP_TALLY = 5
    """The height difference between this column and the next, as a tally; 0 at a wall."""
    HEIGHT_WEIGHT = 6
    """The weight of this column's height."""
    STEP_WEIGHT = 7
    """The weight of the difference between this column and the next."""
    STEP = 8
    """-1 if there is such a difference, 0 at a wall."""
    TOP = 9
    """The bit right above the column's highest cell."""
    OPEN_WELL = 10
    """Twice its share of the one-pass wells above its highest cell."""
    OPEN_DEPTH = 11
    """The depth of the topmost well cell above its highest cell, 0 without one."""
    BELOW_TOP = 12
    """All bits below the column's height."""
    VALUE = 13
    """The change of value by the move with its left edge here; a field for each of up to four orientations."""
    ON_BOARD = 17
    """-1 if the column is on the board, 0 if it is a wall."""


STRIDE, ORIGIN = 48, 16
"""Field f of column j is number STRIDE f + ORIGIN + j of the state: room for walls and for whole vectors.

Column 0 is at a multiple of 64 bytes, the unit in which a processor reads memory (`driver.aligned`).
"""


class Scalar(IntEnum):
    """What is stored for the board as a whole, behind the fields."""

    WIDTH = STRIDE * (Field.ON_BOARD + 1)
    HEIGHT = WIDTH + 1
    HOLE_ROWS = WIDTH + 2
    """Rows with a hole, as bits."""
    PILE = WIDTH + 3
    """Height of the highest column."""
    STEP_TALLIES = WIDTH + 4
    """The tallies of all height differences added up."""
    STEP_COUNT = WIDTH + 5
    """How many different ones there are among -2 to 2."""
    LACK_1 = WIDTH + 6
    """Rows that lack exactly one cell, as bits; the next three: two, three, four."""


LINE = 16
STATE_SIZE = -(-(Scalar.LACK_1 + 4) // LINE) * LINE
NOT_VALUED = -(1 << 31)


class Table(IntEnum):
    """What never changes during a game, for the lanes: rows of sixteen numbers, one for each column."""

    WEIGHT = 0
    """Twice the weight of each term, once for each lane: eight numbers a term."""
    MOVE = 9
    """For each of four orientations: 16 * orientation + column."""
    HIGHEST_SAFE = 13
    """The highest row on which a move that clears nothing may land, by width and height of the piece; -1: nowhere."""
    HIGHEST_CLEAR = 29
    """The highest row on which a move may clear rows, likewise."""
    TOTAL = 45


class Number(IntEnum):
    """The rules and the weights of columns as one array of numbers: where each begins."""

    WIDTH = 0
    HEIGHT = 1
    SAFE_TOP = 2
    """A move that clears nothing may be taken if the piece's top is not above this row."""
    CLEAR_TOP = 3
    """Rows are cleared, and the move is not lost before that, if the piece's top is not above this row."""
    SPAWN = 4
    """1 if pieces enter in the middle, just above the board."""
    LOSING = 5
    """1 if losing moves may be taken."""
    DRAW = 6
    """0 if each piece is drawn by itself, 1 if from a bag; -n if the first n of EDGES come by turns."""
    PIECES = 7
    """How many different pieces there are."""
    MAX_PIECES = 8
    KNOWN = 9
    """Pieces that the player sees: 1 or 2."""
    RANDOM_TIES = 10
    """1 if chance decides between equal moves, 0 if the first wins."""
    USE_LANES = 11
    """1 if changes of value fit into 32 bits."""
    POINTS = 12
    """Points for 0 to 4 rows."""
    HEIGHT_WEIGHTS = 17
    """The weight of each column's height."""
    STEP_WEIGHTS = 33
    """The weight of each difference between neighbouring heights."""
    FIRST = 49
    """Piece p has the orientations FIRST + p to FIRST + p + 1 - 1 of SHAPES."""
    SHAPES = 58
    """The shape of each orientation of each piece."""
    SPAWNS = 90
    """The shape in which each piece enters."""
    EDGES = 98
    """Thresholds for drawing each piece; or the pieces that come by turns."""
    ORDER = 106
    """The order of the pieces in the present bag, and behind them its number."""
    PROGRAM = 115
    """The program for each piece."""
    SLOT = 123
    """Which orientation of its program each orientation is."""
    IN_ORDER = 155
    """1 if these are the same for all, and the first of equal moves wins."""
    VALUES = 156
    """Room for the values of all moves of a piece."""
    WEIGHTS = 220
    """Twice the weight of each term."""
    OUTCOME = 240
    """Room for what the lanes find."""
    PREPARE_PROGRAM = 243
    VALUE_PROGRAM = 244
    DROP_PROGRAM = 245
    """The addresses of programs."""
    TOTAL = 246
