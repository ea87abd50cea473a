"""Games of players that look ahead, compiled: looking_ahead.py at the speed of search.py.

A board after a first move is prepared once and then searched for each piece that may come. Values are whole numbers:
weights below 2^21 (doubled), features below 2^13, at most 2^7 weights and frequencies below 2^18 stay below 2^62.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.features import as_feature_set
from tetriscourse.game.random import PIECE_STREAM, TIE_STREAM
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import HIGHEST_PRICE, LookAhead, frequencies
from tetriscourse.simulator.background import give_programs
from tetriscourse.simulator.best import Choice
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.encode import chosen_features, encode_weights, start_states
from tetriscourse.simulator.games import aligned
from tetriscourse.simulator.kernels import NO_TRACE
from tetriscourse.simulator.layout import AFTER_THEN, NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import Columns, landing_row, move_code, moves_of, turn_and_column, verdict
from tetriscourse.simulator.pairs import search_two
from tetriscourse.simulator.piece_generator import bits32, draw, stream_key
from tetriscourse.simulator.playable import Ints, LinearPlayers, fixed_points, units
from tetriscourse.simulator.records import INT, MOST_PIECES
from tetriscourse.simulator.search import (
    PILE,
    WORST,
    can_use_lanes,
    landing,
    landing_value,
    look,
    make,
    search,
    set_weights,
    value_moves,
    value_of_board,
)
from tetriscourse.simulator.shapes import COLUMNS

ALL_MOVES = 4 * COLUMNS

AHEAD_RECORD = np.dtype([
    ("looks", INT),  # 1 if the player looks ahead, 0 if it takes the best move
    ("known", INT),  # 1 if it is shown the next piece
    ("width", INT),  # how many first moves are looked at further
    ("priced", INT),  # 1 if a missing answer has a price
    ("price", INT),  # twice that price, without the constant that answers leave out
    ("frequencies", INT, MOST_PIECES),  # of the next piece; all 1 if it is known
    ("values", INT, ALL_MOVES),  # room for the values of first moves, WORST for those that are not looked at further
    ("prospects", INT, ALL_MOVES),  # their values with the answers, and how often there is none: LookAhead.prospect
    ("losses", INT, ALL_MOVES),
])  # fmt: skip


class AheadTable(NamedTuple):
    """Players under one set of rules, how each looks ahead, and the room in which one thread plays their games."""

    players: Any  # a records.PLAYER_RECORD for each
    aheads: Any  # an AHEAD_RECORD for each
    start: Any  # the board on which games start, as in `states`
    states: Any
    present: Any  # the records of the player who plays
    ahead: Any
    trace: Any  # gets (piece, orientation, column) of each move while it has room


def ahead_table(players: Any, aheads: Any, rules: Rules, choice: Choice) -> AheadTable:
    """A table of these players, with the programs for a choice of features."""
    start, present = start_states(rules), np.empty(1, players.dtype)
    give_programs(players, choice)
    give_programs(present, choice)
    return AheadTable(players, aheads, start, aligned(start), present, np.empty(1, AHEAD_RECORD), NO_TRACE)


def look_ahead_table(players: LookAhead | LinearPlayers, rules: Rules) -> AheadTable:
    """The table of players that look ahead."""
    if isinstance(players, LookAhead):
        players.check_width(rules.width)
        players = LinearPlayers.of(players.features, np.array([players.weights]), players.search)
    names, integers = tuple(map(str, players.features)), fixed_points(players.weights)
    records, aheads = encode_weights(names, rules, integers), encode_search(players, integers, rules)
    return ahead_table(records, aheads, rules, chosen_features(names, rules))


def encode_search(players: LinearPlayers, integers: Ints, rules: Rules) -> Any:
    """How each of the players looks ahead, as an AHEAD_RECORD."""
    search, records = players.search, np.zeros(len(integers), AHEAD_RECORD)
    assert search is not None, "these players do not look ahead"
    records["looks"], records["known"] = 1, search.sees_next
    records["width"] = min(search.width or ALL_MOVES, ALL_MOVES)
    often = [1] * len(rules.pieces) if search.sees_next else frequencies(rules)
    records["frequencies"][:, : len(often)] = often
    if search.lost is not None:
        with np.errstate(over="ignore"):
            prices = np.rint(np.clip(search.lost / units(players.weights), -HIGHEST_PRICE, HIGHEST_PRICE))
        labels = as_feature_set(players.features).labels(rules.width)
        constants = integers[:, [label == "constant" for label in labels]].sum(axis=1)
        records["priced"], records["price"] = 1, 2 * (prices.astype(np.int64) - constants)
    return records


# --- a move ---------------------------------------------------------------------------------------


@fast
def keep_best(first: Any, last: Any, piece: Any, player: Any, ahead: Any) -> None:
    """Copy the values of moves first to last - 1, and strike out all but the best, as many as the width allows."""
    rules, values, kept = player.rules, player.values, ahead.values
    everything = last - first <= ahead.width
    for i in range(first, last):
        code = move_code(i, piece, rules)
        kept[code] = values[code] if everything else WORST
    for _ in range(0 if everything else ahead.width):
        best, found = np.int64(WORST), np.int64(-1)
        for i in range(first, last):
            code = move_code(i, piece, rules)
            if values[code] > best and kept[code] == WORST:
                best, found = values[code], code
        if found < 0:
            break
        kept[found] = best


@fast
def look_ahead(states: Any, piece: Any, following: Any, value: Any, player: Any, ahead: Any) -> Any:
    """The best first move on the present board, and its own value: (value, move); move -1: there is none.

    `value` is that of the board. `following`: the next piece, if it is known.
    """
    board = Columns(states, np.int64(NOW), np.int64(THEN))
    after, rules = Columns(states, np.int64(THEN), np.int64(AFTER_THEN)), player.rules
    (begin, end), lanes = moves_of(board, piece, rules), can_use_lanes(board, player)
    value_moves(board, piece, value, player)
    keep_best(begin, end, piece, player, ahead)
    first, last = (following, following + 1) if ahead.known else (np.int64(0), rules.pieces)
    chosen, best, fewest = np.int64(-1), np.int64(WORST), np.int64(-WORST)
    for i in range(begin, end):
        code = move_code(i, piece, rules)
        own = ahead.values[code]
        if own == WORST:
            continue
        turn, column = turn_and_column(code, piece, rules)
        row, full, loses = landing(board, code, turn, column, lanes, player)
        board_after = own - landing_value(turn, row, full, player)
        if not loses:
            make(board, turn, column, row, full, player)
        prospect, lost = np.int64(0), np.int64(0)
        for p in range(first, last):
            often, answer = ahead.frequencies[p], np.int64(WORST)
            if often == 0:
                continue
            if not loses:
                answer, _ = search(after, p, board_after, player, np.int64(0))
            if answer != WORST:
                prospect += often * (own + answer)
            elif ahead.priced:
                prospect += often * (own + ahead.price)
            else:
                prospect += often * own
                lost += often
        ahead.prospects[code], ahead.losses[code] = prospect, lost
        if lost < fewest or (lost == fewest and prospect > best):
            chosen, best, fewest = code, prospect, lost
    return ahead.values[chosen] if chosen >= 0 else np.int64(WORST), chosen


@inlined
def best_move(states: Any, piece: Any, following: Any, bits: Any, value: Any, player: Any, ahead: Any) -> Any:
    """The move that a player takes, and its own value: (value, move); `value` is that of the board."""
    if ahead.looks:
        return look_ahead(states, piece, following, value, player, ahead)
    if player.known == 2:
        return search_two(states, piece, following, player)
    return search(Columns(states, np.int64(NOW), np.int64(THEN)), piece, value, player, bits)


# --- a game ---------------------------------------------------------------------------------------


@fast
def play_on(table: Any, seed: Any, game: Any, first: Any, heights: Any, signal: Any, count: Any) -> Any:
    """Play on from the present board: (lines, pieces, points, whether it was lost).

    first: the first piece; -1: that of the game. `signal` says when to stop, `count` gets the moves.
    """
    states, player, ahead, trace = table.states, table.present[0], table.ahead[0], table.trace
    piece_key, tie_key = stream_key(seed, game, np.int64(PIECE_STREAM)), stream_key(seed, game, np.int64(TIE_STREAM))
    lines, points, lost = 0, 0, False
    pieces, counted, bits, following = np.int64(0), np.int64(0), np.int64(0), np.int64(-1)
    rules, now = player.rules, Columns(states, np.int64(NOW), np.int64(THEN))
    two = (player.known == 2 and ahead.looks == 0) or ahead.known
    rules.bag_start = -1
    board = value_of_board(states, now.at, player)
    look(states, now.at, player)
    while pieces != rules.max_pieces or pieces == 0:
        piece = draw(pieces, piece_key, rules)
        if pieces == 0 and first >= 0:
            piece = first
        if two:
            following = draw(pieces + 1, piece_key, rules)
        if player.random_ties:
            bits = bits32(tie_key, pieces)
        value, move = best_move(states, piece, following, bits, board, player, ahead)
        if move < 0:
            lost = True
            break
        turn, column = turn_and_column(move, piece, rules)
        if pieces < len(trace):
            trace[pieces, 0], trace[pieces, 1], trace[pieces, 2] = piece, turn - rules.first[piece], column
        row = landing_row(now, turn, column, rules)
        full, lost = verdict(now, turn, column, row, rules)
        rows = popcount(full)
        pieces += 1
        lines += rows
        points += rules.points[rows]
        if lost:
            break
        make(Columns(states, now.at, now.at), turn, column, row, full, player)
        board = value - landing_value(turn, row, full, player)  # search_two gives another value, and needs none
        heights[states[PILE]] += 1
        if pieces & 255 == 0:
            count[0].moves += pieces - counted
            counted = pieces
            if signal[0].stop:
                break
    count[0].moves += pieces - counted
    return lines, pieces, points, lost


@inlined
def seat(table: Any, row: Any) -> None:
    """Let the player in a row of the table play from now on; -1: the one who plays already."""
    if row >= 0:
        table.present[0], table.ahead[0] = table.players[row], table.aheads[row]
    set_weights(table.states, table.present[0])


@plays(AheadTable)
@fast
def play_ahead_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game of the player in a row of the table."""
    for i in range(STATE_SIZE):
        table.states[i] = table.start[i]
    seat(table, row)
    return play_on(table, seed, game, np.int64(-1), heights, signal, signal)


@fast
def choose_once(table: Any, piece: Any, following: Any, bits: Any) -> Any:
    """The move of the table's first player on the present board; -1: there is none."""
    states = table.states
    seat(table, np.int64(0))
    player = table.present[0]
    value = value_of_board(states, np.int64(NOW), player)
    look(states, np.int64(NOW), player)
    _, move = best_move(states, piece, following, bits, value, player, table.ahead[0])
    return move
