"""Whole games at full speed: draw a piece, search for the best move, make it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM, TIE_STREAM
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import Columns, turn_and_column
from tetriscourse.simulator.pairs import search_two
from tetriscourse.simulator.piece_generator import bits32, draw, stream_key
from tetriscourse.simulator.search import (
    PILE,
    can_use_lanes,
    landing,
    landing_value,
    look,
    make,
    search_here,
    set_weights,
    value_of_board,
)


@inlined
def choose(now: Any, piece: Any, following: Any, value: Any, bits: Any, player: Any, own: Any) -> Any:
    """(value, move) of the best move on the present board, which has a `value` itself; -1: there is none."""
    if player.known == 2:
        return search_two(now.states, piece, following, player)
    return search_here(now, piece, value, player, bits)


@inlined
def play_game(
    states: Any, player: Any, seed: Any, game: Any, heights: Any, signal: Any, trace: Any, chooses: Any, own: Any
) -> Any:
    """Play from the present board in `states`: (lines, pieces, points, whether it was lost).

    `chooses` is `choose`, or another function that gets `own` from here. `heights` and `signal` as in driver.py.
    `trace` gets (piece, orientation, column) of each move while it has room.
    """
    piece_key, tie_key = stream_key(seed, game, np.int64(PIECE_STREAM)), stream_key(seed, game, np.int64(TIE_STREAM))
    lines, points, lost = 0, 0, False
    pieces, counted = np.int64(0), np.int64(0)
    rules, now = player.rules, Columns(states, np.int64(NOW), np.int64(THEN))
    rules.bag_start = -1
    board = value_of_board(states, now.at, player)
    look(states, now.at, player)
    following = draw(np.int64(0), piece_key, rules)
    while pieces != rules.max_pieces or pieces == 0:
        piece, following = following, draw(pieces + 1, piece_key, rules)
        bits = np.int64(0)
        if player.random_ties:
            bits = bits32(tie_key, pieces)
        value, move = chooses(now, piece, following, board, bits, player, own)
        if move < 0:
            lost = True
            break
        turn, column = turn_and_column(move, piece, rules)
        if pieces < len(trace):
            trace[pieces, 0], trace[pieces, 1], trace[pieces, 2] = piece, turn - rules.first[piece], column
        lanes = player.known == 1 and can_use_lanes(now, player)
        row, full, lost = landing(now, move, turn, column, lanes, player)
        rows = popcount(full)
        pieces += 1
        lines += rows
        points += rules.points[rows]
        if lost:
            break
        make(Columns(states, now.at, now.at), turn, column, row, full, player)
        # The value of the landing is not part of the board's. (search_two has no use for it.)
        board = value - landing_value(turn, row, full, player)
        heights[states[PILE]] += 1
        if pieces & 4095 == 0:
            signal[0].moves += pieces - counted
            counted = pieces
            if signal[0].stop:
                break
    signal[0].moves += pieces - counted
    return lines, pieces, points, lost


class LinearTable(NamedTuple):
    """Linear players and filters under one set of rules, and the room in which one thread plays their games."""

    players: Any  # a records.PLAYER_RECORD for each
    start: Any  # the board on which games start, as in `states`
    states: Any
    present: Any  # the record of the player who plays
    trace: Any  # as in `play_game`


NO_TRACE = np.zeros((0, 3), np.int64)


@plays(LinearTable)
@fast
def play_linear_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game of the player in a row of the table."""
    if row >= 0:
        table.present[0] = table.players[row]
    player = table.present[0]
    for i in range(STATE_SIZE):
        table.states[i] = table.start[i]
    set_weights(table.states, player)
    return play_game(table.states, player, seed, game, heights, signal, table.trace, choose, None)
