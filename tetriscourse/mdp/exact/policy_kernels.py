"""What a player of the simulator does on every board that it can come to, boards being whole numbers.

Moves are written as in kernels, but with the board itself instead of its number, and in 64 bits: `LAST`, `LOST`
and the rows lie above the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.simulator.bitboards import FINE, land, rank
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.kernels import (
    CELLS,
    FIRST,
    HEIGHTS,
    KNOWN,
    NOW,
    RANDOM_TIES,
    SHAPE_OF,
    THEN,
    VALUES,
    WIDTH,
    WORST,
    can_enter,
    look,
    search,
    search_two,
    set_weights,
    value_moves,
    value_of_board,
)
from tetriscourse.simulator.layout import COLUMNS, SHAPE_WIDTH

LAST, LOST, ROWS, BOARD = 61, 60, 56, (1 << 56) - 1
ENTRY_LAST, ENTRY_ROWS = 31, 28
"""Where kernels has them."""
MOST_MOVES = 64 * 8


@inlined
def put_board(states: Any, board: Any, numbers: Any) -> None:
    """Make this the simulator's present board."""
    width = numbers[WIDTH]
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
    moves: Any, at: Any, board: Any, turn: Any, column: Any, queue: Any, tail: Any, seen: Any, numbers: Any, masks: Any
) -> Any:
    """Write one move, and queue the board after it if that is new: (where the next goes, the queue's new end)."""
    after, rows, fate = land(board, turn, column, numbers, masks)
    if fate != FINE:
        moves[at] = (np.int64(1) << LOST) | (np.int64(rows) << ROWS)
        return at + 1, tail
    moves[at] = after | (np.int64(rows) << ROWS)
    if (seen[after >> 6] >> (after & 63)) & 1 == 0:
        seen[after >> 6] |= np.int64(1) << (after & 63)
        queue[tail] = after
        tail += 1
    return at + 1, tail


@fast
def follow(
    queue: Any, head: Any, tail: Any, seen: Any, moves: Any, ends: Any, pieces: Any, seen_pieces: Any, states: Any,
    numbers: Any, masks: Any,
) -> Any:  # fmt: skip
    """Write the player's moves on the boards from queue[head] on, and queue new boards: (head, tail) when room ends.

    For each (piece, next piece seen): one move, or all between which chance decides. ends[i]: where those of the i-th
    of these boards end.
    """
    now, then, at, begin = np.int64(NOW), np.int64(THEN), 0, head
    set_weights(states, numbers)
    while (
        head < tail and tail + MOST_MOVES <= len(queue) and at + MOST_MOVES <= len(moves) and head - begin < len(ends)
    ):
        board = queue[head]
        put_board(states, board, numbers)
        value = value_of_board(states, now, numbers)
        look(states, now, numbers)
        for c in range(len(pieces)):
            piece, first = pieces[c], at
            if numbers[RANDOM_TIES]:
                at, tail = add_equal(moves, at, board, piece, value, queue, tail, seen, states, numbers, masks)
            else:
                if numbers[KNOWN] == 2:
                    _, turn, column = search_two(states, piece, seen_pieces[c], numbers)
                else:
                    _, turn, column = search(states, now, then, piece, value, numbers, np.int64(0))
                if turn >= 0:
                    place = numbers[FIRST + piece] + turn
                    at, tail = add_move(moves, at, board, place, column, queue, tail, seen, numbers, masks)
            if at == first:  # the game is over
                moves[at] = np.int64(1) << LOST
                at += 1
            moves[at - 1] |= np.int64(1) << LAST
        ends[head - begin] = at
        head += 1
    return head, tail


@fast
def add_equal(
    moves: Any, at: Any, board: Any, piece: Any, value: Any, queue: Any, tail: Any, seen: Any, states: Any,
    numbers: Any, masks: Any,
) -> Any:  # fmt: skip
    """Write all moves of the highest value: (where the next goes, the queue's new end)."""
    now, then = np.int64(NOW), np.int64(THEN)
    if not can_enter(states, now, piece, numbers):
        return at, tail
    value_moves(states, now, then, piece, value, numbers)
    first, last, best = numbers[FIRST + piece], numbers[FIRST + piece + 1], np.int64(WORST)
    for pass_ in range(2):  # find the best value, then everything that has it
        for k in range(first, last):
            for column in range(numbers[WIDTH] - SHAPE_WIDTH[numbers[SHAPE_OF + k]] + 1):
                one = numbers[VALUES + (k - first) * COLUMNS + column]
                if pass_ == 0:
                    best = max(best, one)
                elif one == best and best != WORST:
                    at, tail = add_move(moves, at, board, k, column, queue, tail, seen, numbers, masks)
    return at, tail


@fast
def number_moves(
    moves: Any, ends: Any, count: Any, entries: Any, words: Any, counts: Any, places: Any, lost: Any
) -> Any:
    """Write the moves of so many boards as kernels reads them, the last board first; how many entries."""
    at = 0
    for b in range(count - 1, -1, -1):
        begin = ends[b - 1] if b else 0
        for i in range(begin, ends[b]):
            move = moves[i]
            target = lost
            if (move >> LOST) & 1 == 0:
                target = np.int64(places[rank(move & BOARD, words, counts)])
            entries[at] = np.uint32(
                target | (((move >> ROWS) & 7) << ENTRY_ROWS) | (((move >> LAST) & 1) << ENTRY_LAST)
            )
            at += 1
    return at
