"""The rules of a drop, as in game/moves.py but compiled: where a piece lands, which rows it fills, whether it loses.

They are the same for four kinds of boards, each of which only says how to look at cells and how to change them:

    Columns         the simulator's: a number for each column, in lanes, which values moves fastest
    array of rows   the learner's: a number for each row, bit j for column j, on boards of any size
    Pile            the same rows with the heights of the columns beside them, on which pieces land without falling
    whole number    the exact solver's: bit `row * width + column`, for boards that are looked up (bitboards.py)

`rules` is a record (records.RULES_RECORD), `turn` numbers the orientations of all pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from tetriscourse.simulator.columns import lowest_bit, popcount, put_piece
from tetriscourse.simulator.compiling import OPTIONS, inlined
from tetriscourse.simulator.layout import Field, Scalar, place
from tetriscourse.simulator.shapes import COLUMNS, PATTERNS, SHAPE_BOTTOM, SHAPE_COUNT, SHAPE_ROWS, SHAPE_ROWS_OF

CELLS, HEIGHTS, LACKING = place(Field.CELLS), place(Field.HEIGHT), Scalar.LACK_1 - 1
FINE, LOSES, NO_ROOM = 0, 1, 2  # how a drop can end
NO_ROW = -1


class Columns(NamedTuple):
    """The board that begins at `at` in `states`; what a move makes of it goes to `target`."""

    states: Any
    at: Any
    target: Any


class Pile(NamedTuple):
    """An array of rows, and the height of each column, with three zeros behind the last."""

    rows: Any
    heights: Any


# --- the rules ------------------------------------------------------------------------------------


@inlined
def can_enter(board: Any, piece: Any, rules: Any) -> Any:
    """Whether a piece can fall one row where it appears."""
    if rules.spawn == 0:
        return True
    turn = rules.spawns[piece]
    column = (rules.width - rules.turn_width[turn]) // 2
    return fits(board, turn, column, rules.entry_row[turn], rules)


@inlined
def landing_row(board: Any, turn: Any, column: Any, rules: Any) -> Any:
    """The bottom row where a piece comes to rest, NO_ROW if it has no room where it enters."""
    return fall(board, turn, column, rules.entry_row[turn], rules)


@inlined
def verdict(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """The rows that a piece fills when it comes to rest, as bits, and whether it loses."""
    top, full = row + rules.turn_height[turn], np.int64(0)
    if top > rules.clear_top:  # decided before clearing: nothing is cleared
        return full, True
    full = full_rows(board, turn, column, row, rules)
    return full, top - popcount(full) > rules.height


@inlined
def is_lost(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """Whether a piece loses that comes to rest there: `verdict` without the rows, which seldom matter."""
    top = row + rules.turn_height[turn]
    if top <= rules.height:
        return top > rules.clear_top
    return verdict(board, turn, column, row, rules)[1]


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
    """The numbers of the first move of a piece and of the one after its last; no moves if it cannot enter."""
    first = rules.first_move[piece]
    return first, rules.first_move[piece + 1] if can_enter(board, piece, rules) else first


@inlined
def move_code(i: Any, piece: Any, rules: Any) -> Any:
    """Move number i as the lanes write it: 16 * orientation + column."""
    return COLUMNS * (rules.move_turn[i] - rules.first[piece]) + rules.move_column[i]


@inlined
def turn_and_column(code: Any, piece: Any, rules: Any) -> Any:
    """The move that the lanes write like this."""
    return rules.first[piece] + (code >> 4), code & 15


# --- what each kind of board knows ----------------------------------------------------------------


def for_each_board(function: Callable[..., Any], columns: Any, rows: Any, whole: Any, pile: Any) -> None:
    """Compile calls of a function as calls of one of four, by the type of the board, which comes first."""

    @overload(function, jit_options=OPTIONS, strict=False)
    def choose(board: Any, *arguments: Any) -> Any:
        if isinstance(board, types.Integer):
            return whole
        if isinstance(board, types.Array):
            return rows
        return pile if board.instance_class is Pile else columns


def fits(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """Whether the cells of a piece are empty at a place, inside the walls and above the floor."""


def fits_columns(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    if row < 0:
        return False
    shape = rules.shapes[turn]
    for i in range(rules.turn_width[turn]):  # the walls are full
        filled = ((1 << SHAPE_COUNT[shape, i]) - 1) << (row + SHAPE_BOTTOM[shape, i])
        if board.states[board.at + CELLS + column + i] & filled:
            return False
    return True


def fits_rows(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    shape, taken = rules.shapes[turn], 0
    if row < 0 or column < 0 or column + rules.turn_width[turn] > rules.width:
        return False
    for r in range(rules.turn_height[turn]):
        taken |= board[row + r] & (SHAPE_ROWS[shape, r] << column)
    return taken == 0


def fits_pile(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    return fits(board.rows, turn, column, row, rules)


def fits_whole(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    return row >= 0 and (rules.masks[turn] << (row * rules.width + column)) & board == 0


def fall(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """The row where a piece that falls from `row` comes to rest, NO_ROW if it has no room there."""


@inlined
def fall_by_row(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """`fall`, looking at each row on the way."""
    if not fits(board, turn, column, row, rules):
        return np.int64(NO_ROW)
    while fits(board, turn, column, row - 1, rules):
        row -= 1
    return row


def fall_columns(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    on_the_pile, shape = 0, rules.shapes[turn]
    for i in range(4):  # columns beyond the shape are far above any pile: no branch depends on its width
        on_the_pile = max(on_the_pile, board.states[board.at + HEIGHTS + column + i] - SHAPE_BOTTOM[shape, i])
    if on_the_pile <= row:  # nothing is in the way
        return on_the_pile
    return fall_by_row(board, turn, column, row, rules)  # under an overhang


def fall_pile(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    on_the_pile, shape = 0, rules.shapes[turn]
    for i in range(4):
        on_the_pile = max(on_the_pile, board.heights[column + i] - SHAPE_BOTTOM[shape, i])
    if on_the_pile <= row:
        return on_the_pile
    return fall_by_row(board, turn, column, row, rules)


def fall_whole(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    width = rules.width
    piece = rules.masks[turn] << (row * width + column)
    if piece & board:
        return np.int64(NO_ROW)
    while row > 0 and (piece >> width) & board == 0:
        piece >>= width
        row -= 1
    return row


def full_rows(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    """The rows that are full when a piece is added at a place, as bits."""


def full_rows_columns(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    # A row is full afterwards if the piece has as many cells in it as it lacks; what rows lack is stored.
    shape, rows = rules.shapes[turn], np.int64(0)
    for count in range(1, 5):
        lacking = np.int64(np.uint32(board.states[board.at + LACKING + count]))
        rows |= (lacking >> row) & SHAPE_ROWS_OF[shape, count]
    return rows << row


def full_rows_rows(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    shape, line, full = rules.shapes[turn], (1 << rules.width) - 1, np.int64(0)
    for r in range(row, row + rules.turn_height[turn]):
        if board[r] | (SHAPE_ROWS[shape, r - row] << column) == line:
            full |= 1 << r
    return full


def full_rows_pile(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    return full_rows(board.rows, turn, column, row, rules)


def full_rows_whole(board: Any, turn: Any, column: Any, row: Any, rules: Any) -> Any:
    width, full = rules.width, np.int64(0)
    run = board | (rules.masks[turn] << (row * width + column))
    run &= run >> 1  # now a bit says that it and the next were set,
    run &= run >> 2  # that four were,
    run &= run >> (width - 4)  # that `width` were: such boards are 4 to 7 columns wide
    run &= rules.column_mask
    while run:
        full |= np.int64(1) << (lowest_bit(run) // width)
        run &= run - 1
    return full


def put(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    """The board with a piece added, and without the full rows."""


def put_columns(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    put_piece(board.states, board.at, PATTERNS, pattern_at(turn, column, rules), row, full, board.target)
    return board


def put_rows(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    shape, cleared = rules.shapes[turn], 0
    for r in range(rules.turn_height[turn]):
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


def put_pile(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    rows, heights, shape = board.rows, board.heights, rules.shapes[turn]
    put(rows, turn, column, row, full, rules)
    for i in range(rules.turn_width[turn]):
        heights[column + i] = max(heights[column + i], row + SHAPE_BOTTOM[shape, i] + SHAPE_COUNT[shape, i])
    if full:
        for j in range(rules.width):
            while heights[j] > 0 and (rows[heights[j] - 1] >> j) & 1 == 0:
                heights[j] -= 1
    return board


def put_whole(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any) -> Any:
    width, cells = rules.width, board | (rules.masks[turn] << (row * rules.width + column))
    r = row + rules.turn_height[turn] - 1
    while full and r >= row:  # from the top down
        if (full >> r) & 1:
            place = r * width
            cells = (cells & ((1 << place) - 1)) | ((cells >> (place + width)) << place)
        r -= 1
    return cells


@inlined
def pattern_at(turn: Any, column: Any, rules: Any) -> Any:
    """Where in PATTERNS the sixteen columns of a piece in this column begin."""
    return (2 * rules.shapes[turn] + 1) * COLUMNS - column


for_each_board(fits, fits_columns, fits_rows, fits_whole, fits_pile)
for_each_board(fall, fall_columns, fall_by_row.py_func, fall_whole, fall_pile)
for_each_board(full_rows, full_rows_columns, full_rows_rows, full_rows_whole, full_rows_pile)
for_each_board(put, put_columns, put_rows, put_whole, put_pile)
