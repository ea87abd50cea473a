"""The numbers that the lanes read and write, and their places in memory: an array of 32-bit numbers, `states`.

It holds three boards, the present one and room for two more (a Field for each column, Scalars for the whole board),
and behind them the Tables, which do not change during a game.
"""

from __future__ import annotations

from enum import IntEnum

FEW = 8  # lanes of an orientation that has no more than eight moves; otherwise one for each of sixteen columns


class Field(IntEnum):
    """Numbers stored for each column of a board."""

    CELLS = 0  # its full cells as bits, bit 0 at the bottom; the walls are full
    HEIGHT = 1
    LOOSE = 2  # -1 if the column has a hole, else 0: then every further cell lies above a hole
    HOLES = 3
    STEP_SIZE = 4  # the absolute height difference between this column and the next; 0 at a wall
    STEP_TALLY = 5  # the height difference between this column and the next, as a tally; 0 at a wall
    HEIGHT_WEIGHT = 6  # the weight of this column's height
    STEP_WEIGHT = 7  # the weight of the difference between this column and the next
    STEP = 8  # -1 if there is such a difference, 0 at a wall
    TOP = 9  # the bit right above the column's highest cell
    OPEN_WELL = 10  # twice its share of the one-pass wells above its highest cell
    OPEN_DEPTH = 11  # the depth of the topmost well cell above its highest cell, 0 without one
    BELOW_TOP = 12  # all bits below the column's height
    ON_BOARD = 13  # -1 if the column is on the board, 0 if it is a wall
    STEP_VALUE = 14  # the weight of the difference between this column and the next, times its size
    STEP_FLOOR = 15  # -3, to which lower steps from this column to the next are raised; 3 at a wall
    I_WELL = 16  # its share of the I wells; 0 at a wall
    LEFT_PAIRS = 17  # pairs of steps up to this column, as bits; doubled, what the last of these steps may begin
    RIGHT_PAIRS = 18  # pairs of steps from this column on, as bits; doubled, what the first of these steps may end


STRIDE, ORIGIN = 48, 16
"""Field f of column j is number STRIDE f + ORIGIN + j of the state: room for walls and for whole vectors.

Column 0 is at a multiple of 64 bytes, the unit in which a processor reads memory (`games.aligned`).
"""


def place(field: Field) -> int:
    """Where a field of column 0 is in the state."""
    return STRIDE * field + ORIGIN


class Scalar(IntEnum):
    """Numbers stored for the board as a whole, behind the fields."""

    WIDTH = STRIDE * len(Field)
    HEIGHT = WIDTH + 1
    HOLE_ROWS = WIDTH + 2  # rows with a hole, as bits
    PILE = WIDTH + 3  # height of the highest column
    STEP_TALLIES = WIDTH + 4  # the tallies of all height differences added up
    STEP_COUNT = WIDTH + 5  # how many different ones there are among -2 to 2
    LACK_1 = WIDTH + 6  # rows that lack exactly one cell, as bits
    LACK_2 = WIDTH + 7
    LACK_3 = WIDTH + 8
    LACK_4 = WIDTH + 9
    HOLE_COUNT = WIDTH + 10  # holes of all columns
    SURFACE = WIDTH + 11  # steps and pairs of steps that occur, as bits
    LOW_LEFT = WIDTH + 12  # 1 if the leftmost column is at least two below its neighbour, else 0
    LOW_RIGHT = WIDTH + 13  # the same of the rightmost column


LINE = 16


class Moves(IntEnum):
    """Numbers stored for each move of the piece that was dropped last: 16 * orientation + column."""

    CHANGE = -(-(Scalar.LOW_RIGHT + 1) // LINE) * LINE  # the change of value
    LANDING = CHANGE + 4 * LINE  # the row where it comes to rest, and 32 times those of its rows that are then full


STATE_SIZE = Moves.LANDING + 4 * LINE
NOT_VALUED = -(1 << 31)  # the value in the lanes of a move that is not allowed, or clears rows
NOW, THEN, AFTER_THEN, TABLES = 0, STATE_SIZE, 2 * STATE_SIZE, 3 * STATE_SIZE
"""Where the present board, the one after a move, the one after two, and the tables begin in `states`."""


class Table(IntEnum):
    """Constants of a game for the lanes: rows of sixteen numbers, one for each column."""

    HIGHEST_SAFE = 0  # the highest row where a move that clears nothing may land, by the piece's size; -1: nowhere
    HIGHEST_CLEAR = 16  # the highest row where a move may clear rows, likewise
    WEIGHT = 32  # twice the weight of each term, one after the other
