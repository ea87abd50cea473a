"""States as whole numbers: the cells as bits, those bits rounded, or the steps between columns as digits."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS, Engine
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules

STATES = ("grid", "rounded", "differences")
EXACT_CELLS = 63  # as many bits as numpy's largest signed whole number has


def longest_side(rules: Rules) -> int:
    """The length of the longest piece: 4, or 2 for the domino."""
    return max(max(shape.width, shape.height) for piece in rules.pieces for shape in piece.orientations)


def most_orientations(rules: Rules) -> int:
    """The largest number of orientations of any piece."""
    return max(len(piece.orientations) for piece in rules.pieces)


def differences(board: Board, cap: int) -> int:
    """The steps between neighbouring columns, clipped to -cap .. cap, as the digits of a number in base 2 cap + 1.

    The first step, from column 0 to column 1, is the lowest digit (Bdolah and Livnat 2000, in Muller and Ponton 2019).
    """
    steps = np.clip(np.diff(board.heights), -cap, cap) + cap
    return sum(int(step) * (2 * cap + 1) ** j for j, step in enumerate(steps))


def column_by_column(board: Board, rows: int) -> list[int]:
    """The cells of so many rows, 1 if full: from the left column to the right one, each from the floor up."""
    cells = np.zeros((rows, board.width), np.int8)
    cells[: len(board.full)] = board.full[:rows]
    return cells.T.ravel().tolist()


def rounded(board: Board, rows: int) -> int:
    """The sum that stands for a grid in the program of Muller and Ponton: exact up to 63 cells, rounded beyond.

    The sum of cell * 2^k, where k numbers the cells column by column; from the 64th cell on it is a float of 64 bits.
    """
    # The report only says that the grid is coded as a whole number. Its program adds to a sum, cell by cell, an int8 of
    # numpy times a whole number of Python, and the numpy of its day, numpy 1, chose the type of the product by the size
    # of 2^k. Up to k = 62 that is int64, and the sum is exact. 2^63 is too large for int64, though not for uint64, and
    # the type that holds int8 and uint64 is float64. So at k = 63 the sum becomes a float, even if cell 63 is empty:
    # it is rounded to 53 bits (to the nearest, halves to even), and so again after each cell that follows. (From 2^64
    # on Python multiplies, and its float is the same.) To round only once, at the end, gives other numbers. numpy 2
    # raises an error at k = 7, as 128 is no int8.
    cells = column_by_column(board, rows)
    exact = sum(cell << k for k, cell in enumerate(cells[:EXACT_CELLS]))
    if len(cells) <= EXACT_CELLS:
        return exact
    total = float(exact)
    for k, cell in enumerate(cells[EXACT_CELLS:], EXACT_CELLS):
        total += cell * 2.0**k
    return int(total)


def command_state(engine: Engine, state: str = "grid") -> int:
    """The state before a command.

    grid: the bits of the grid with the falling piece drawn in, including the two invisible rows. It does not tell the
    piece from the pile.
    rounded: the same cells, as `rounded` adds them up.
    differences: D + B (piece + P (orientation + O (column + W row))), where D are the differences of the pile,
    B = (2 cap + 1)^(W - 1) is the number of their values, P the number of pieces, O the largest number of orientations,
    W the number of columns; column and row are those of the falling piece's bottom left corner.
    """
    rules = engine.rules
    rows = rules.height + INVISIBLE_ROWS
    if state == "grid":
        return engine.view().bits & (1 << rows * rules.width) - 1
    if state == "rounded":
        return rounded(engine.view(), rows)
    row, column = engine.position
    place = engine.orientation + most_orientations(rules) * (column + rules.width * row)
    falling = rules.pieces.index(engine.piece) + len(rules.pieces) * place
    return differences(engine.board, longest_side(rules)) + _piles(rules) * falling


def placement_state(board: Board, piece: Piece, rules: Rules, state: str = "grid") -> int:
    """The state before a placement.

    grid: bits + 2^(W H) piece, with the bits of the pile, the size W x H of the board and the number of the piece in
    the bag; cells above the board, when a game is lost, are left out.
    rounded: R + 2^(1 + W (H + 2)) piece, with R the sum that `rounded` makes of the pile and the two invisible rows.
    differences: D + B piece, with D and B as in `command_state`.
    """
    number = rules.number_of(piece)
    if state == "differences":
        return differences(board, longest_side(rules)) + _piles(rules) * number
    if state == "rounded":
        rows = rules.height + INVISIBLE_ROWS
        return rounded(board, rows) + (number << 1 + rows * rules.width)
    cells = rules.width * rules.height
    return board.bits & (1 << cells) - 1 | number << cells


def _piles(rules: Rules) -> int:
    """The number of values that the differences can have together."""
    return int((2 * longest_side(rules) + 1) ** (rules.width - 1))


def state_bits(rules: Rules, actions: str, state: str) -> int:
    """Bits in the largest number of a state."""
    pieces = len(rules.pieces)
    if state != "differences":
        invisible = INVISIBLE_ROWS if actions == "commands" or state == "rounded" else 0
        cells = rules.width * (rules.height + invisible) + (state == "rounded")  # a rounded sum can be 2^cells
        return cells + (0 if actions == "commands" else (pieces - 1).bit_length())
    places = most_orientations(rules) * rules.width * (rules.height + INVISIBLE_ROWS) if actions == "commands" else 1
    return (_piles(rules) * pieces * places - 1).bit_length()


def true_state(engine: Engine) -> Hashable:
    """The pile, the falling piece and its place; with a single piece, nothing else matters for what follows."""
    return engine.board.bits, engine.piece.name, engine.orientation, engine.position
