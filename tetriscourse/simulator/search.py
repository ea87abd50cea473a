"""The best move on a board: every move valued, in lanes where possible.

A search has all moves of a piece valued in lanes (drops.py); only those that clear rows are made and valued in full.

Values are whole numbers: twice the weighted sum, so that halves of a landing height stay whole.
Code that depends on the features of the player is in three programs (programs.py), called by address.
Constants are passed as np.int64(...), because numba would compile a function again for each literal number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.simulator import layout
from tetriscourse.simulator.columns import lowest_bit, popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.features import TERMS
from tetriscourse.simulator.features.landing import landing_terms, value_of_landing
from tetriscourse.simulator.layout import LANES, NOT_VALUED, STATE_SIZE, STRIDE, Field, Scalar, Table
from tetriscourse.simulator.moves import (
    HEIGHTS,
    NO_ROW,
    Columns,
    can_enter,
    landing_row,
    move_code,
    moves_of,
    settle,
    turn_and_column,
)
from tetriscourse.simulator.programs import board_value, drop_all, prepare
from tetriscourse.simulator.shapes import COLUMNS

WORST = -(1 << 62)
NOW, THEN, AFTER_THEN, TABLES = layout.NOW, layout.THEN, layout.AFTER_THEN, layout.TABLES
LANE_VALUES, HEIGHT_WEIGHT, STEP_WEIGHT = map(layout.place, (Field.VALUE, Field.HEIGHT_WEIGHT, Field.STEP_WEIGHT))
PILE, TERM_WEIGHTS, TERM_COUNT = int(Scalar.PILE), TABLES + COLUMNS * Table.WEIGHT, len(TERMS)


@inlined
def landing_value(turn: Any, row: Any, full: Any, player: Any) -> Any:
    """The value of how a piece landed and the rows that it cleared, apart from the board."""
    terms = landing_terms(player.rules.shapes[turn], row, full, popcount(full), player.rules)
    return value_of_landing(terms, player.weights.terms)


@inlined
def value_of_board(states: Any, at: Any, player: Any) -> Any:
    """The value of all features of a board."""
    weights, width = player.weights, player.rules.width
    value = board_value(states, at, weights.terms, 0, player.value_program)
    if player.uses_heights:
        for j in range(width):
            value += weights.heights[j] * states[at + HEIGHTS + j]
    if player.uses_steps:
        for j in range(width - 1):
            value += weights.steps[j] * abs(states[at + HEIGHTS + j + 1] - states[at + HEIGHTS + j])
    return value


@inlined
def value_in_full(board: Any, turn: Any, column: Any, player: Any) -> Any:
    """The value of one move, made and valued in full; WORST if it may not be taken."""
    row = landing_row(board, turn, column, player.rules)
    if row == NO_ROW:
        return WORST
    _, full, loses = settle(board, turn, column, row, player.rules)
    if loses and player.rules.losing == 0:
        return WORST
    return landing_value(turn, row, full, player) + value_of_board(board.states, board.target, player)


@fast
def set_weights(states: Any, player: Any) -> None:
    """Copy the weights to where the lanes read them: to the columns of three boards and to the tables."""
    if player.use_lanes == 0:  # they may be too large, and are not read
        return
    weights = player.weights
    for j in range(COLUMNS):
        for at in range(0, TABLES, STATE_SIZE):
            states[at + HEIGHT_WEIGHT + j] = weights.heights[j]
            states[at + STEP_WEIGHT + j] = weights.steps[j]
    for i in range(LANES * TERM_COUNT):
        states[TERM_WEIGHTS + i] = weights.terms[i // LANES]


@inlined
def look(states: Any, at: Any, player: Any) -> None:
    """Compute everything that the lanes need to know of a board, from its cells."""
    prepare(states, at, player.prepare_program)


@inlined
def drop_everywhere(board: Any, piece: Any, player: Any) -> Any:
    """Value all moves of a piece in lanes: (best change, its move, moves that clear rows) as in drop_piece."""
    outcome, rules = player.outcome, player.rules
    drop_all(board.states, board.at, TABLES, rules.program[piece], rules.width, outcome, player.drop_program)
    return outcome[0], outcome[1], outcome[2]


@inlined
def can_use_lanes(board: Any, player: Any) -> Any:
    """Whether the values fit into lanes, and pieces fall past the whole pile, as lanes assume."""
    rules = player.rules
    return player.use_lanes != 0 and (rules.spawn == 0 or board.states[board.at + PILE] <= rules.height - 3)


@fast
def value_moves(board: Any, piece: Any, value: Any, player: Any) -> None:
    """Write the value of each move of a piece to player.values[16 * orientation + column]; WORST: not allowed.

    `value` is that of the board.
    """
    rules = player.rules
    lanes, clears = can_use_lanes(board, player), -1
    if lanes:
        _, _, clears = drop_everywhere(board, piece, player)
    for i in range(rules.first_move[piece], rules.first_move[piece + 1]):
        turn, column = rules.move_turn[i], rules.move_column[i]
        slot = rules.slot[turn]
        change = board.states[board.at + LANE_VALUES + STRIDE * slot + column]
        if not lanes or (clears >> (slot * COLUMNS + column)) & 1:
            player.values[move_code(i, piece, rules)] = value_in_full(board, turn, column, player)
        else:
            player.values[move_code(i, piece, rules)] = value + change if change != NOT_VALUED else WORST


@fast
def search(board: Any, piece: Any, value: Any, player: Any, bits: Any) -> Any:
    """(value, move) of the best move on a board, as 16 * orientation + column; -1: there is none.

    `value` is that of the board. `bits` breaks ties if chance decides them.
    """
    if not can_enter(board, piece, player.rules):
        return np.int64(WORST), np.int64(-1)
    if player.in_order == 0 or not can_use_lanes(board, player):
        return search_listed(board, piece, value, player, bits)
    change, order, clears = drop_everywhere(board, piece, player)
    best = value + change if change != NOT_VALUED else np.int64(WORST)
    while clears:
        move = lowest_bit(clears)
        clears &= clears - 1
        turn, column = turn_and_column(move, piece, player.rules)
        one = value_in_full(board, turn, column, player)
        if one > best or (one == best and move < order):
            best, order = one, move
    return best, order if best != WORST else np.int64(-1)


@fast
def search_listed(board: Any, piece: Any, value: Any, player: Any, bits: Any) -> Any:
    """`search` by a list of all values, for pieces in another order and for ties that chance decides."""
    value_moves(board, piece, value, player)
    rules = player.rules
    first, last, best, count = rules.first_move[piece], rules.first_move[piece + 1], np.int64(WORST), 0
    for i in range(first, last):
        one = player.values[move_code(i, piece, rules)]
        if one > best:
            best, count = one, 0
        count += one == best
    if best != WORST:
        rank = (bits * count) >> 32 if player.random_ties else 0
        for i in range(first, last):
            if player.values[move_code(i, piece, rules)] == best:
                if rank == 0:
                    return best, move_code(i, piece, rules)
                rank -= 1
    return best, np.int64(-1)


@fast
def search_two(states: Any, piece: Any, following: Any, player: Any) -> Any:
    """`search` knowing the next piece: the best sum of a move's value and the best answer's."""
    best, chosen, answered, rules = np.int64(WORST), np.int64(-1), False, player.rules
    now, then, last = np.int64(NOW), np.int64(THEN), np.int64(AFTER_THEN)
    board, after = Columns(states, now, then), Columns(states, then, last)
    begin, end = moves_of(board, piece, rules)
    for i in range(begin, end):
        turn, column = rules.move_turn[i], rules.move_column[i]
        row = landing_row(board, turn, column, rules)
        if row == NO_ROW:
            continue
        _, full, loses = settle(board, turn, column, row, rules)
        if loses and rules.losing == 0:
            continue
        board_after = value_of_board(states, then, player)
        value, answer = board_after + landing_value(turn, row, full, player), np.int64(WORST)
        if not loses:
            look(states, then, player)
            answer, _ = search(after, following, board_after, player, np.int64(0))
        has_answer = answer != WORST
        if has_answer:
            value += answer
        if has_answer > answered or (has_answer == answered and value > best):
            best, chosen, answered = value, move_code(i, piece, rules), has_answer
    return best, chosen


@fast
def value_present_moves(states: Any, piece: Any, player: Any) -> Any:
    """value_moves on the present board; whether the piece can enter at all."""
    board = Columns(states, np.int64(NOW), np.int64(THEN))
    set_weights(states, player)
    value = value_of_board(states, board.at, player)
    look(states, board.at, player)
    value_moves(board, piece, value, player)
    return can_enter(board, piece, player.rules)
