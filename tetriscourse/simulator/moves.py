"""The rules of a drop, as in game/moves.py but compiled: where a piece lands, which rows it fills, whether it loses.

They are the same for three kinds of boards, each of which only says how to look at cells and how to change them:

    Columns         the simulator's: a number for each column, in lanes, which values moves fastest
    array of rows   the learner's: a number for each row, bit j for column j, on boards of any size
    whole number    the exact solver's: bit `row * width + column`, for boards that are looked up (bitboards.py)

`rules` is a record (records.RULES), `turn` numbers the orientations of all pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from tetriscourse.simulator.columns import full_rows as full_rows_in_lanes
from tetriscourse.simulator.columns import popcount, put_piece
from tetriscourse.simulator.compiling import OPTIONS, inlined
from tetriscourse.simulator.layout import COLUMNS, ORIGIN, STRIDE, Field
from tetriscourse.simulator.shapes import (
    PATTERNS,
    SHAPE_BOTTOM,
    SHAPE_COUNT,
    SHAPE_HEIGHT,
    SHAPE_ROWS,
    SHAPE_WIDTH,
)

CELLS, HEIGHTS = (STRIDE * field + ORIGIN for field in (Field.CELLS, Field.HEIGHT))
FINE, LOSES, NO_ROOM = 0, 1, 2
"""How a drop can end."""
NO_ROW, FAR_UP = -1, 99


class Columns(NamedTuple):
    """The board that begins at `at` in `states`; what a move makes of it goes to `target`."""

    states: Any
    at: Any
    target: Any


# --- the rules ------------------------------------------------------------------------------------


@inlined
def entry_row(turn: Any, rules: Any) -> Any:
    """The bottom row from which a piece falls: above the board, or with its top one row above the board."""
    return rules.height - (SHAPE_HEIGHT[rules.shapes[turn]] - 1 if rules.spawn else 0)


@inlined
def can_enter(board: Any, piece: Any, rules: Any) -> Any:
    """Whether a piece can fall one row where it appears."""
    if rules.spawn == 0:
        return True
    turn = rules.spawns[piece]
    column = (rules.width - SHAPE_WIDTH[rules.shapes[turn]]) // 2
    return fits(board, turn, column, entry_row(turn, rules), rules)


@inlined
def landing_row(board: Any, turn: Any, column: Any, rules: Any) -> Any:
    """The bottom row where a piece comes to rest, NO_ROW if it has no room where it enters."""
    row, on_the_pile = entry_row(turn, rules), pile_row(board, turn, column, rules)
    if on_the_pile <= row:  # nothing is in the way
        return on_the_pile
    if not fits(board, turn, column, row, rules):
        return np.int64(NO_ROW)
    while fits(board, turn, column, row - 1, rules):
        row -= 1
    return row


@inlined
def verdict(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """The rows that a piece fills when it comes to rest, as bits, and whether it loses."""
    top, full = row + SHAPE_HEIGHT[rules.shapes[turn]], np.int64(0)
    if top > rules.clear_top:  # decided before clearing: nothing is cleared
        return full, True
    full = full_rows(board, turn, column, row, rules)
    return full, top - popcount(full) > rules.height


@inlined
def settle(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """Leave a piece where it came to rest: (board without full rows, rows that were full as bits, whether it loses)."""
    full, loses = verdict(board, turn, column, row, rules)
    return put(board, turn, column, row, full, rules), full, loses


@inlined
def drop(board: Any, turn: Any, column: Any, rules: Any) -> Any:
    """Let a piece fall in a column: (board after it, rows cleared, FINE, LOSES or NO_ROOM)."""
    row = landing_row(board, turn, column, rules)
    if row == NO_ROW:
        return board, np.int64(0), NO_ROOM
    after, full, loses = settle(board, turn, column, row, rules)
    return after, popcount(full), LOSES if loses else FINE


@inlined
def moves_of(board: Any, piece: Any, rules: Any) -> Any:
    """Where the moves of a piece begin and end in rules.moves; there are none if it cannot enter."""
    first = rules.first_move[piece]
    return first, rules.first_move[piece + 1] if can_enter(board, piece, rules) else first


@inlined
def turn_and_column(move: Any, piece: Any, rules: Any) -> Any:
    """What a number of rules.moves stands for."""
    return rules.first[piece] + move // COLUMNS, move % COLUMNS


# --- what each kind of board knows ----------------------------------------------------------------


def for_each_board(function: Callable[..., Any], columns: Any, rows: Any, whole: Any) -> None:
    """Compile calls of a function as calls of one of three, by the type of the board, which comes first."""

    @overload(function, jit_options=OPTIONS, strict=False)
    def choose(board: Any, *arguments: Any) -> Any:
        if isinstance(board, types.Integer):
            return whole
        return rows if isinstance(board, types.Array) else columns


def fits(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """Whether the cells of a piece are empty at a place, inside the walls and above the floor."""


def fits_columns(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    if row < 0:
        return False
    shape = rules.shapes[turn]
    for i in range(SHAPE_WIDTH[shape]):  # the walls are full
        filled = ((1 << SHAPE_COUNT[shape, i]) - 1) << (row + SHAPE_BOTTOM[shape, i])
        if board.states[board.at + CELLS + column + i] & filled:
            return False
    return True


def fits_rows(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    shape, taken = rules.shapes[turn], 0
    if row < 0 or column < 0 or column + SHAPE_WIDTH[shape] > rules.width:
        return False
    for r in range(SHAPE_HEIGHT[shape]):
        taken |= board[row + r] & (SHAPE_ROWS[shape, r] << column)
    return taken == 0


def fits_whole(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    return row >= 0 and (rules.masks[turn] << (row * rules.width + column)) & board == 0


def pile_row(board: Any, turn: Any, column: Any, rules: Any) -> Any:
    """The row where a piece from far above comes to rest on the pile; FAR_UP where heights are not known."""


def pile_row_columns(board: Any, turn: Any, column: Any, rules: Any) -> Any:
    row, shape = 0, rules.shapes[turn]
    for i in range(4):  # columns beyond the shape are far above any pile: no branch depends on its width
        row = max(row, board.states[board.at + HEIGHTS + column + i] - SHAPE_BOTTOM[shape, i])
    return row


def pile_row_unknown(board: Any, turn: Any, column: Any, rules: Any) -> Any:
    return FAR_UP


def full_rows(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """The rows that are full when a piece is added at a place, as bits."""


def full_rows_columns(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    return full_rows_in_lanes(board.states, board.at, PATTERNS, pattern_at(turn, column, rules), row)


def full_rows_rows(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    shape, line, full = rules.shapes[turn], (1 << rules.width) - 1, np.int64(0)
    for r in range(row, row + SHAPE_HEIGHT[shape]):
        if board[r] | (SHAPE_ROWS[shape, r - row] << column) == line:
            full |= 1 << r
    return full


def full_rows_whole(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    width, full = rules.width, np.int64(0)
    cells, line = board | (rules.masks[turn] << (row * width + column)), (1 << width) - 1
    for r in range(row, row + SHAPE_HEIGHT[rules.shapes[turn]]):
        if (cells >> (r * width)) & line == line:
            full |= 1 << r
    return full


def put(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    """The board with a piece added, and without the full rows."""


def put_columns(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    put_piece(board.states, board.at, PATTERNS, pattern_at(turn, column, rules), row, full, board.target)
    return board


def put_rows(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    shape, cleared = rules.shapes[turn], 0
    for r in range(SHAPE_HEIGHT[shape]):
        board[row + r] |= SHAPE_ROWS[shape, r] << column
    if full:
        for r in range(row, len(board)):
            if (full >> r) & 1:
                cleared += 1
            else:
                board[r - cleared] = board[r]
        for r in range(len(board) - cleared, len(board)):
            board[r] = 0
    return board


def put_whole(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    width, cells = rules.width, board | (rules.masks[turn] << (row * rules.width + column))
    r = row + SHAPE_HEIGHT[rules.shapes[turn]] - 1
    while full and r >= row:  # from the top down
        if (full >> r) & 1:
            place = r * width
            cells = (cells & ((1 << place) - 1)) | ((cells >> (place + width)) << place)
        r -= 1
    return cells


@inlined
def pattern_at(turn: Any, column: Any, rules: Any) -> Any:
    """Where in PATTERNS the sixteen columns of a piece begin that stands in this column."""
    return (2 * rules.shapes[turn] + 1) * COLUMNS - column


for_each_board(fits, fits_columns, fits_rows, fits_whole)
for_each_board(pile_row, pile_row_columns, pile_row_unknown, pile_row_unknown)
for_each_board(full_rows, full_rows_columns, full_rows_rows, full_rows_whole)
for_each_board(put, put_columns, put_rows, put_whole)
