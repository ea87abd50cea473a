"""The best move when the next piece is known: the best sum of a move's value and of the best answer's."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.moves import NO_ROW, Columns, landing_row, move_code, moves_of, verdict
from tetriscourse.simulator.search import (
    AFTER_THEN,
    NOW,
    THEN,
    WORST,
    landing_value,
    make,
    search,
    value_of_board,
)


@inlined
def search_pairs(
    states: Any, piece: Any, following: Any, player: Any, unit: Any, beside: Any, answers: Any, own: Any
) -> Any:
    """(value, move) of the best move on the present board; -1: there is none.

    A move counts `unit` times its value and what `beside` finds on the board after it; `answers` gives the value of the
    best move there. Both get `own` from here.
    """
    best, chosen, answered, rules = np.int64(WORST), np.int64(-1), False, player.rules
    board, after = Columns(states, np.int64(NOW), np.int64(THEN)), Columns(states, np.int64(THEN), np.int64(AFTER_THEN))
    begin, end = moves_of(board, piece, rules)
    for i in range(begin, end):
        turn, column = rules.move_turn[i], rules.move_column[i]
        row = landing_row(board, turn, column, rules)
        if row == NO_ROW:
            continue
        full, loses = verdict(board, turn, column, row, rules)
        if loses and rules.losing == 0:
            continue
        make(board, turn, column, row, full, player)
        board_after, answer = value_of_board(states, after.at, player), np.int64(WORST)
        value = unit * (board_after + landing_value(turn, row, full, player)) + beside(after, full, rules, own)
        if not loses:
            answer = answers(after, following, board_after, player, own)
        has_answer = answer != WORST
        if has_answer:
            value += answer
        if has_answer > answered or (has_answer == answered and value > best):
            best, chosen, answered = value, move_code(i, piece, rules), has_answer
    return best, chosen


@inlined
def nothing(after: Any, full: Any, rules: Any, own: Any) -> Any:
    """No value beside the features of the catalogue."""
    return np.int64(0)


@inlined
def best_answer(after: Any, following: Any, value: Any, player: Any, own: Any) -> Any:
    """The value of the best move on the board after a move, which has a `value` itself."""
    return search(after, following, value, player, np.int64(0))[0]


@fast
def search_two(states: Any, piece: Any, following: Any, player: Any) -> Any:
    """`search` knowing the next piece."""
    return search_pairs(states, piece, following, player, np.int64(1), nothing, best_answer, np.int64(0))
