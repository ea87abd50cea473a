"""The numbers that the lanes read and write, and their places in memory: an array of 32-bit numbers, `states`.

It holds three boards, the present one and room for two more (a Field for each column, Scalars for the whole board),
and behind them the Tables, which do not change during a game.
"""

from __future__ import annotations

from enum import IntEnum

LANES = 8  # moves that are valued together; more columns take a second round


class Field(IntEnum):
    """Numbers stored for each column of a board."""

    CELLS = 0  # its full cells as bits, bit 0 at the bottom; the walls are full
    HEIGHT = 1
    LOOSE = 2  # -1 if the column has a hole, else 0: then every further cell lies above a hole
    HOLES = 3
    WELLS_ONE_PASS = 4  # its share of the one-pass wells
    STEP_TALLY = 5  # the height difference between this column and the next, as a tally; 0 at a wall
    HEIGHT_WEIGHT = 6  # the weight of this column's height
    STEP_WEIGHT = 7  # the weight of the difference between this column and the next
    STEP = 8  # -1 if there is such a difference, 0 at a wall
    TOP = 9  # the bit right above the column's highest cell
    OPEN_WELL = 10  # twice its share of the one-pass wells above its highest cell
    OPEN_DEPTH = 11  # the depth of the topmost well cell above its highest cell, 0 without one
    BELOW_TOP = 12  # all bits below the column's height
    VALUE = 13  # the change of value by the move with its left edge here, for each of up to four orientations
    ON_BOARD = 17  # -1 if the column is on the board, 0 if it is a wall


STRIDE, ORIGIN = 48, 16
"""Field f of column j is number STRIDE f + ORIGIN + j of the state: room for walls and for whole vectors.

Column 0 is at a multiple of 64 bytes, the unit in which a processor reads memory (`driver.aligned`).
"""


def place(field: Field) -> int:
    """Where a field of column 0 is in the state."""
    return STRIDE * field + ORIGIN


class Scalar(IntEnum):
    """Numbers stored for the board as a whole, behind the fields."""

    WIDTH = STRIDE * (Field.ON_BOARD + 1)
    HEIGHT = WIDTH + 1
    HOLE_ROWS = WIDTH + 2  # rows with a hole, as bits
    PILE = WIDTH + 3  # height of the highest column
    STEP_TALLIES = WIDTH + 4  # the tallies of all height differences added up
    STEP_COUNT = WIDTH + 5  # how many different ones there are among -2 to 2
    LACK_1 = WIDTH + 6  # rows that lack exactly one cell, as bits; the next three: two, three, four


LINE = 16
STATE_SIZE = -(-(Scalar.LACK_1 + 4) // LINE) * LINE
NOT_VALUED = -(1 << 31)  # the value in the lanes of a move that is not allowed, or clears rows
NOW, THEN, AFTER_THEN, TABLES = 0, STATE_SIZE, 2 * STATE_SIZE, 3 * STATE_SIZE
"""Where the present board, the one after a move, the one after two, and the tables begin in `states`."""


class Table(IntEnum):
    """Constants of a game for the lanes: rows of sixteen numbers, one for each column."""

    MOVE = 0  # for each of four orientations: 16 * orientation + column
    HIGHEST_SAFE = 4  # the highest row where a move that clears nothing may land, by the piece's size; -1: nowhere
    HIGHEST_CLEAR = 20  # the highest row where a move may clear rows, likewise
    WEIGHT = 36  # twice the weight of each term, once for each lane: eight numbers a term
