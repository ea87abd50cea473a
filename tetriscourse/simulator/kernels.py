"""Whole games at full speed: draw a piece, search for the best move, make it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.game.random import PIECE_STREAM, TIE_STREAM
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import Columns, landing_row, settle, turn_and_column
from tetriscourse.simulator.piece_generator import bits32, draw, stream_key
from tetriscourse.simulator.search import (
    PILE,
    landing_value,
    look,
    search,
    search_two,
    set_weights,
    value_of_board,
)

# --- games ----------------------------------------------------------------------------------------


@inlined
def play_game(
    states: Any, player: Any, seed: Any, game: Any, heights: Any, shared: Any, trace: Any
) -> Any:
    """Play from the present board in `states`: (lines, pieces, points, whether it was lost).

    `heights` counts how high the pile is after each move. `shared` is read and written while it plays:
    [0] not 0 asks it to stop, [1] counts moves. `trace` gets (piece, orientation, column) of each move
    as far as it has room.
    """
    piece_key, tie_key = stream_key(seed, game, np.int64(PIECE_STREAM)), stream_key(seed, game, np.int64(TIE_STREAM))
    lines, points, lost = 0, 0, False
    pieces, counted = np.int64(0), np.int64(0)
    rules, now, after = player.rules, Columns(states, np.int64(NOW), np.int64(THEN)), np.int64(NOW)
    rules.bag_start = -1
    board = value_of_board(states, now.at, player)
    look(states, now.at, player)
    while pieces != rules.max_pieces or pieces == 0:
        piece = draw(pieces, piece_key, rules)
        if player.known == 2:
            following = draw(pieces + 1, piece_key, rules)
            value, move = search_two(states, piece, following, player)
        else:
            bits = np.int64(0)
            if player.random_ties:
                bits = bits32(tie_key, pieces)
            value, move = search(now, piece, board, player, bits)
        if move < 0:
            lost = True
            break
        turn, column = turn_and_column(move, piece, rules)
        if pieces < len(trace):
            trace[pieces, 0], trace[pieces, 1], trace[pieces, 2] = piece, turn - rules.first[piece], column
        row = landing_row(now, turn, column, rules)
        _, full, lost = settle(Columns(states, now.at, after), turn, column, row, rules)
        rows = popcount(full)
        pieces += 1
        lines += rows
        points += rules.points[rows]
        if lost:
            break
        look(states, now.at, player)
        # The value of the landing is not part of the board's. (search_two has no use for it.)
        board = value - landing_value(turn, row, full, player)
        heights[states[PILE]] += 1
        if pieces & 4095 == 0:
            shared[1] += pieces - counted
            counted = pieces
            if shared[0]:
                break
    shared[1] += pieces - counted
    return lines, pieces, points, lost


@fast
def play_games(
    start: Any, stop: Any, rows: Any, games: Any, template: Any, states: Any, players: Any, scratch: Any, seed: Any,
    results: Any, heights: Any, shared: Any, trace: Any,
) -> None:  # fmt: skip
    """Play the games start to stop - 1 of a list from the board in `template`; a row of results for each.

    Game t of the list is number games[t] of the seed, played by row rows[t] of `players`.
    """
    row, player = -1, scratch[0]
    for t in range(start, stop):
        if rows[t] != row:
            row = rows[t]
            scratch[0] = players[row]
        for i in range(STATE_SIZE):
            states[i] = template[i]
        set_weights(states, player)
        lines, pieces, points, lost = play_game(states, player, seed, games[t], heights, shared, trace)
        results[t, 0], results[t, 1], results[t, 2], results[t, 3] = lines, pieces, points, lost
        results[t, 4] = 1
        if shared[0]:
            break
