"""Rollouts, compiled: after each move of a piece, games of a base player on the same pieces."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.looking_ahead import play_on, seat
from tetriscourse.simulator.moves import (
    CELLS,
    NO_ROW,
    Columns,
    landing_row,
    move_code,
    moves_of,
    settle,
    turn_and_column,
)
from tetriscourse.simulator.piece_generator import draw, stream_key
from tetriscourse.simulator.search import PILE, look

NO_SCORE = -1


class RolloutTable(NamedTuple):
    """A player that decides by rollouts, and the room in which one thread plays its games."""

    base: Any  # an AheadTable of the player of the rollouts; its rules limit their moves
    rules: Any  # the records.RULES_RECORD of the game itself
    sees_next: Any  # 1 if the next piece is known
    seed: Any  # of the rollouts
    by_points: Any  # 1 if points are counted, 0 if lines are
    scores: Any  # room for the score of each game after each move, by 16 * orientation + column; NO_SCORE: no such move
    start: Any  # the board on which games start, as in `states`
    states: Any
    heights: Any  # piles and moves of the rollouts, which nobody asks for
    count: Any
    trace: Any  # gets (piece, orientation, column) of each move while it has room


@fast
def roll_out(table: Any, piece: Any, first: Any, signal: Any) -> Any:
    """Fill `scores` for a piece on the present board; the move with the highest sum, -1 if there is none.

    first: the piece with which every rollout begins; -1: that of its game.
    """
    base, states, rules, scores = table.base, table.states, table.rules[0], table.scores
    board, chosen, best, games = Columns(states, np.int64(NOW), np.int64(THEN)), np.int64(-1), -1, scores.shape[1]
    scores[:] = NO_SCORE
    begin, end = moves_of(board, piece, rules)
    for i in range(begin, end):
        turn, column, code, total = rules.move_turn[i], rules.move_column[i], move_code(i, piece, rules), 0
        row = landing_row(board, turn, column, rules)
        if row == NO_ROW:
            continue
        _, full, loses = settle(board, turn, column, row, rules)
        if loses and rules.losing == 0:
            continue
        rows = popcount(full)
        for game in range(games):
            lines, points = np.int64(0), np.int64(0)
            if not loses:
                for j in range(rules.width):
                    base.states[CELLS + j] = states[THEN + CELLS + j]
                lines, _, points, _ = play_on(base, table.seed, game, first, table.heights, signal, table.count)
            scores[code, game] = points + rules.points[rows] if table.by_points else lines + rows
            total += scores[code, game]
        if total > best:
            chosen, best = code, total
    return chosen


@fast
def roll_out_once(table: Any, piece: Any, first: Any, signal: Any) -> Any:
    """`roll_out` on a board that has just been put there."""
    seat(table.base, np.int64(0))
    look(table.states, np.int64(NOW), table.base.present[0])
    return roll_out(table, piece, first, signal)


@plays(RolloutTable)
@fast
def play_rollout_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game in which every move is decided by rollouts."""
    states, rules, key = table.states, table.rules[0], stream_key(seed, game, np.int64(PIECE_STREAM))
    for i in range(STATE_SIZE):
        states[i] = table.start[i]
    seat(table.base, np.int64(0))
    player, now = table.base.present[0], np.int64(NOW)
    board = Columns(states, now, now)
    lines, points, lost, pieces, following = 0, 0, False, np.int64(0), np.int64(-1)
    rules.bag_start = -1
    look(states, now, player)
    while (pieces != rules.max_pieces or pieces == 0) and not signal[0].stop:
        piece = draw(pieces, key, rules)
        if table.sees_next:
            following = draw(pieces + 1, key, rules)
        move = roll_out(table, piece, following, signal)
        if move < 0:
            lost = True
            break
        turn, column = turn_and_column(move, piece, rules)
        if pieces < len(table.trace):
            table.trace[pieces, 0], table.trace[pieces, 1] = piece, turn - rules.first[piece]
            table.trace[pieces, 2] = column
        _, full, lost = settle(board, turn, column, landing_row(board, turn, column, rules), rules)
        rows = popcount(full)
        pieces += 1
        lines += rows
        points += rules.points[rows]
        signal[0].moves += 1
        if lost:
            break
        look(states, now, player)
        heights[states[PILE]] += 1
    return lines, pieces, points, lost
