"""The best move on a board: every move valued, in lanes where possible.

A search has all moves of a piece valued in lanes (drops.py); only those that clear rows are valued in full, one by one.

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
from tetriscourse.simulator.layout import NOT_VALUED, STATE_SIZE, Field, Moves, Scalar, Table
from tetriscourse.simulator.moves import (
    NO_ROW,
    Columns,
    can_enter,
    landing_row,
    move_code,
    pattern_at,
    turn_and_column,
    verdict,
)
from tetriscourse.simulator.programs import drop_all, make_move, value_after
from tetriscourse.simulator.shapes import COLUMNS, NO_PIECE, PATTERNS

WORST = -(1 << 62)
NOW, THEN, AFTER_THEN, TABLES = layout.NOW, layout.THEN, layout.AFTER_THEN, layout.TABLES
HEIGHT_WEIGHT, STEP_WEIGHT = map(layout.place, (Field.HEIGHT_WEIGHT, Field.STEP_WEIGHT))
MOVE_CHANGE, MOVE_LANDING = int(Moves.CHANGE), int(Moves.LANDING)
PILE, TERM_WEIGHTS, TERM_COUNT = int(Scalar.PILE), TABLES + COLUMNS * Table.WEIGHT, len(TERMS)
ALL_COLUMNS = (1 << COLUMNS) - 1


@inlined
def landing_value(turn: Any, row: Any, full: Any, player: Any) -> Any:
    """The value of how a piece landed and the rows that it cleared, apart from the board."""
    terms = landing_terms(player.rules.shapes[turn], row, full, popcount(full), player.rules)
    return value_of_landing(terms, player.weights.terms)


@inlined
def value_of_board(states: Any, at: Any, player: Any) -> Any:
    """The value of all features of a board."""
    return value_after(states, at, NO_PIECE, 0, 0, 0, player.weights.terms, 0, player.value_program)


@inlined
def landing(board: Any, move: Any, turn: Any, column: Any, lanes: Any, player: Any) -> Any:
    """(row, full rows as bits, whether it loses) where a piece comes to rest; NO_ROW: it has no room where it enters.

    lanes: whether all moves of this piece have just been valued in lanes on this board, which then know.
    """
    rules = player.rules
    if lanes:
        if player.in_order == 0:
            move = COLUMNS * rules.slot[turn] + column
        landed = np.int64(board.states[np.uint64(board.at + MOVE_LANDING + move)])
        row, full = landed & 31, landed >> 5
        top = row + rules.turn_height[turn]
        if top > rules.clear_top:
            return row, np.int64(0), True
        return row, full << row, top - popcount(full) > rules.height
    row = landing_row(board, turn, column, rules)
    if row == NO_ROW:
        return row, np.int64(0), True
    full, loses = verdict(board, turn, column, row, rules)
    return row, full, loses


@inlined
def value_in_full(board: Any, turn: Any, column: Any, landed: Any, player: Any) -> Any:
    """The value of one move that lands like this, computed in full; WORST if it may not be taken."""
    (row, full, loses), rules = landed, player.rules
    if row == NO_ROW or (loses and rules.losing == 0):
        return WORST
    pattern, weights = pattern_at(turn, column, rules), player.weights.terms
    value = value_after(board.states, board.at, PATTERNS, pattern, row, full, weights, 0, player.value_program)
    return landing_value(turn, row, full, player) + value


@inlined
def make(board: Any, turn: Any, column: Any, row: Any, full: Any, player: Any) -> None:
    """Make a move, and compute everything that the lanes need to know of the new board."""
    pattern = pattern_at(turn, column, player.rules)
    make_move(board.states, board.at, board.target, PATTERNS, pattern, row, full, player.make_program)


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
    for i in range(TERM_COUNT):
        states[TERM_WEIGHTS + i] = weights.terms[i]


@inlined
def look(states: Any, at: Any, player: Any) -> None:
    """Compute everything that the lanes need to know of a board, from its cells."""
    make_move(states, at, at, NO_PIECE, 0, 0, 0, player.make_program)


@inlined
def drop_everywhere(board: Any, piece: Any, player: Any) -> Any:
    """Value all moves of a piece in lanes: (best change, the moves that have it, those to be valued in full).

    Moves are bits as in best.BestMove, but for the orientations of the piece in their own order.
    """
    rules = player.rules
    change, ties, in_full = drop_all(board.states, board.at, TABLES, rules.program[piece], player.drop_program)
    if player.in_order == 0:
        ties, in_full = in_own_order(ties, piece, rules), in_own_order(in_full, piece, rules)
    return change, ties, in_full


@inlined
def in_own_order(moves: Any, piece: Any, rules: Any) -> Any:
    """Moves as bits, from the orientations of the program to those of the piece."""
    first, ordered = rules.first[piece], np.int64(0)
    for turn in range(first, rules.first[piece + 1]):
        ordered |= ((moves >> (COLUMNS * rules.slot[turn])) & ALL_COLUMNS) << (COLUMNS * (turn - first))
    return ordered


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
    lanes, in_full = can_use_lanes(board, player), np.int64(-1)
    if lanes:
        _, _, in_full = drop_everywhere(board, piece, player)
    for i in range(rules.first_move[piece], rules.first_move[piece + 1]):
        code = move_code(i, piece, rules)
        player.values[code] = value_of_move(board, piece, code, value, lanes, in_full, player)


@inlined
def value_of_move(board: Any, piece: Any, move: Any, value: Any, lanes: Any, in_full: Any, player: Any) -> Any:
    """The value of a move once lanes have valued all but those `in_full`; WORST if it may not be taken."""
    turn, column = turn_and_column(move, piece, player.rules)
    if (in_full >> move) & 1:
        return value_in_full(board, turn, column, landing(board, move, turn, column, lanes, player), player)
    change = board.states[board.at + MOVE_CHANGE + COLUMNS * player.rules.slot[turn] + column]
    return value + change if change != NOT_VALUED else np.int64(WORST)


@inlined
def best_moves(board: Any, piece: Any, value: Any, player: Any) -> Any:
    """The best value of a move on a board, WORST without any, and the moves that have it, as bits."""
    lanes = can_use_lanes(board, player)
    if lanes:
        change, ties, in_full = drop_everywhere(board, piece, player)
        best = value + change
        if change == NOT_VALUED:
            best, ties = np.int64(WORST), np.int64(0)
    else:
        best, ties, in_full = np.int64(WORST), np.int64(0), all_moves(piece, player.rules)
    while in_full:
        move = lowest_bit(in_full)
        in_full &= in_full - 1
        turn, column = turn_and_column(move, piece, player.rules)
        landed = landing(board, move, turn, column, lanes, player)
        one = value_in_full(board, turn, column, landed, player)
        if one > best:
            best, ties = one, np.int64(0)
        if one == best:
            ties |= np.int64(1) << move
    return best, ties


@inlined
def all_moves(piece: Any, rules: Any) -> Any:
    """All moves of a piece, as bits."""
    moves = np.int64(0)
    for i in range(rules.first_move[piece], rules.first_move[piece + 1]):
        moves |= np.int64(1) << move_code(i, piece, rules)
    return moves


@fast
def passing(board: Any, piece: Any, ties: Any, player: Any) -> Any:
    """Those of the moves that the first word of a filter leaves which pass all others too, as bits."""
    word = 1
    while word < player.word_count and ties & (ties - 1):
        use_word(board.states, player, word)
        lanes, in_full = can_use_lanes(board, player), np.int64(-1)
        if lanes:
            _, _, in_full = drop_everywhere(board, piece, player)
        value, best, kept = np.int64(0), np.int64(WORST), np.int64(0)
        if ties & in_full:  # otherwise all have the value of the board in common
            value = value_of_board(board.states, board.at, player)
        while ties:
            move = lowest_bit(ties)
            ties &= ties - 1
            one = value_of_move(board, piece, move, value, lanes, in_full, player)
            if one > best:
                best, kept = one, np.int64(0)
            if one == best:
                kept |= np.int64(1) << move
        ties = kept
        word += 1
    if word > 1:
        use_word(board.states, player, np.int64(0))
    return ties


@inlined
def use_word(states: Any, player: Any, word: Any) -> None:
    """Compare moves by these weights of a filter."""
    player.drop_program = player.word_programs[word]
    for k in range(player.word_terms_count):
        i = player.word_terms[k]
        player.weights.terms[i] = player.words[word, i]
        if player.use_lanes:
            states[TERM_WEIGHTS + i] = player.words[word, i]


@inlined
def search_here(board: Any, piece: Any, value: Any, player: Any, bits: Any) -> Any:
    """(value, move) of the best move on a board, as 16 * orientation + column; -1: there is none.

    `value` is that of the board. Of equal moves the first is taken, or, if chance decides, the one that `bits` choose.
    """
    if not can_enter(board, piece, player.rules):
        return np.int64(WORST), np.int64(-1)
    best, ties = best_moves(board, piece, value, player)
    if best == WORST:
        return best, np.int64(-1)
    if player.word_count > 1:
        ties = passing(board, piece, ties, player)
    if player.random_ties:
        for _ in range((bits * popcount(ties)) >> 32):
            ties &= ties - 1
    return best, lowest_bit(ties)


search = fast(search_here.py_func)


@fast
def value_present_moves(states: Any, piece: Any, player: Any) -> Any:
    """value_moves on the present board; whether the piece can enter at all."""
    board = Columns(states, np.int64(NOW), np.int64(THEN))
    set_weights(states, player)
    value = value_of_board(states, board.at, player)
    look(states, board.at, player)
    value_moves(board, piece, value, player)
    return can_enter(board, piece, player.rules)
