"""The moves of a player of the simulator on every board that it can come to, boards being whole numbers.

Moves are written as in kernels.py, but with the board itself instead of its number, and in 64 bits: `LAST`, `LOST`
and the rows lie above the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.mdp.exact import kernels
from tetriscourse.mdp.exact.kernels import MOST_MOVES
from tetriscourse.simulator.bitboards import add, has, rank
from tetriscourse.simulator.columns import lowest_bit
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.layout import NOW, THEN
from tetriscourse.simulator.moves import CELLS, FINE, HEIGHTS, Columns, can_enter, drop, turn_and_column
from tetriscourse.simulator.pairs import search_two
from tetriscourse.simulator.search import (
    WORST,
    best_moves,
    look,
    passing,
    search,
    set_weights,
    value_of_board,
)

LAST, LOST, ROWS, BOARD = 61, 60, 56, (1 << 56) - 1
ENTRY_LAST, ENTRY_ROWS = kernels.LAST, kernels.ROWS


@inlined
def put_board(states: Any, board: Any, width: Any) -> None:
    """Make this the simulator's present board."""
    for column in range(width):
        bits, row, rest = 0, 0, board >> column
        while rest:
            bits |= (rest & 1) << row
            rest >>= width
            row += 1
        height = 0
        while bits >> height:
            height += 1
        states[CELLS + column], states[HEIGHTS + column] = bits, height


@inlined
def add_move(
    moves: Any, at: Any, board: Any, piece: Any, code: Any, queue: Any, tail: Any, seen: Any, rules: Any
) -> Any:
    """Write one move, and queue the board after it if that is new: (where the next goes, the queue's new end)."""
    turn, column = turn_and_column(code, piece, rules)
    after, rows, fate = drop(board, turn, column, rules)
    if fate != FINE:
        moves[at] = (np.int64(1) << LOST) | (np.int64(rows) << ROWS)
        return at + 1, tail
    moves[at] = after | (np.int64(rows) << ROWS)
    if not has(after, seen):
        add(after, seen)
        queue[tail] = after
        tail += 1
    return at + 1, tail


@fast
def follow(
    queue: Any, head: Any, tail: Any, seen: Any, moves: Any, ends: Any, pieces: Any, seen_pieces: Any, states: Any,
    player: Any,
) -> Any:  # fmt: skip
    """Write the player's moves on the boards from queue[head] on, and queue new boards: (head, tail) when room ends.

    For each (piece, next piece seen): one move, or all between which chance decides. ends[i]: where those of the i-th
    of these boards end.
    """
    now, at, begin, rules = Columns(states, np.int64(NOW), np.int64(THEN)), 0, head, player.rules
    set_weights(states, player)
    while (
        head < tail and tail + MOST_MOVES <= len(queue) and at + MOST_MOVES <= len(moves) and head - begin < len(ends)
    ):
        board = queue[head]
        put_board(states, board, rules.width)
        value = value_of_board(states, now.at, player)
        look(states, now.at, player)
        for c in range(len(pieces)):
            piece, first = pieces[c], at
            if player.random_ties:
                at, tail = add_equal(moves, at, board, now, piece, value, queue, tail, seen, player)
            else:
                if player.known == 2:
                    _, move = search_two(states, piece, seen_pieces[c], player)
                else:
                    _, move = search(now, piece, value, player, np.int64(0))
                if move >= 0:
                    at, tail = add_move(moves, at, board, piece, move, queue, tail, seen, rules)
            if at == first:  # the game is over
                moves[at] = np.int64(1) << LOST
                at += 1
            moves[at - 1] |= np.int64(1) << LAST
        ends[head - begin] = at
        head += 1
    return head, tail


@fast
def add_equal(
    moves: Any, at: Any, board: Any, now: Any, piece: Any, value: Any, queue: Any, tail: Any, seen: Any, player: Any
) -> Any:
    """Write all moves of the highest value: (where the next goes, the queue's new end)."""
    best, ties = np.int64(WORST), np.int64(0)
    if can_enter(board, piece, player.rules):
        best, ties = best_moves(now, piece, value, player)
    if player.word_count > 1 and best != WORST:
        ties = passing(now, piece, ties, player)
    while best != WORST and ties:
        at, tail = add_move(moves, at, board, piece, lowest_bit(ties), queue, tail, seen, player.rules)
        ties &= ties - 1
    return at, tail


@fast
def number_moves(moves: Any, ends: Any, count: Any, entries: Any, numbering: Any, lost: Any) -> Any:
    """Write the moves of `count` boards as entries of kernels.py, the last board first; how many entries."""
    at = 0
    for b in range(count - 1, -1, -1):
        begin = ends[b - 1] if b else 0
        for i in range(begin, ends[b]):
            move = moves[i]
            target = lost
            if (move >> LOST) & 1 == 0:
                target = np.int64(numbering.places[rank(move & BOARD, numbering.words, numbering.counts)])
            entries[at] = np.uint32(
                target | (((move >> ROWS) & 7) << ENTRY_ROWS) | (((move >> LAST) & 1) << ENTRY_LAST)
            )
            at += 1
    return at
