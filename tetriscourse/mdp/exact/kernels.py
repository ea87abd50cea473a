"""The exact solver's inner loops, on boards as whole numbers (simulator/bitboards.py).

Read `improve` first: it is Bellman's equation for every board, once. The moves of a board are a stretch of a long
list of 32-bit entries: for each piece that may come, one entry a move, the last of them marked. An entry holds the
number of the board that the move leads to and the rows that it clears. A move that loses leads to a board that is
worth nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.simulator.bitboards import FINE, NO_ROOM, can_enter, land, mirrored, rank
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.layout import SHAPE_WIDTH, Number
from tetriscourse.simulator.piece_generator import draw, stream_key

WIDTH, LOSING, FIRST, SHAPE_OF, POINTS, PIECES, ORDER, MAX_PIECES = (
    int(one)
    for one in (
        Number.WIDTH, Number.LOSING, Number.FIRST, Number.SHAPES, Number.POINTS, Number.PIECES, Number.ORDER,
        Number.MAX_PIECES,
    )
)  # fmt: skip
LAST, ROWS, BOARD = 31, 28, (1 << 28) - 1
"""An entry: bit 31 marks the last one of a piece, bits 28 to 30 are the rows, the others the board."""
MOST_BOARDS, MOST_MOVES = BOARD, 512
"""Limits of one list: boards, and moves of one board (on width 16, all pieces together have fewer)."""


@inlined
def canonical(board: Any, folded: Any, numbers: Any, masks: Any) -> Any:
    """The smaller of a board and its mirror image, if these are worth the same."""
    return min(board, mirrored(board, numbers, masks)) if folded else board


# --- which boards there are -----------------------------------------------------------------------


@fast
def reach(queue: Any, head: Any, tail: Any, seen: Any, pieces: Any, folded: Any, numbers: Any, masks: Any) -> Any:
    """Follow all moves from the boards in queue[head:tail] and add what was not seen: (head, tail) when room ends."""
    width = numbers[WIDTH]
    while head < tail and tail + MOST_MOVES <= len(queue):
        board = queue[head]
        head += 1
        for piece in pieces:
            if not can_enter(board, piece, numbers, masks):
                continue
            for turn in range(numbers[FIRST + piece], numbers[FIRST + piece + 1]):
                for column in range(width - SHAPE_WIDTH[numbers[SHAPE_OF + turn]] + 1):
                    after, _, fate = land(board, turn, column, numbers, masks)
                    if fate == FINE:
                        after = canonical(after, folded, numbers, masks)
                        if (seen[after >> 6] >> (after & 63)) & 1 == 0:
                            seen[after >> 6] |= np.int64(1) << (after & 63)
                            queue[tail] = after
                            tail += 1
    return head, tail


@fast
def tabulate(
    boards: Any, first: Any, last: Any, entries: Any, pieces: Any, words: Any, counts: Any, places: Any, folded: Any,
    numbers: Any, masks: Any,
) -> Any:  # fmt: skip
    """Write the moves of boards[first:last]; how many entries that took."""
    at, width, lost = 0, numbers[WIDTH], len(boards)
    for b in range(first, last):
        board = boards[b]
        for piece in pieces:
            begin = at
            if can_enter(board, piece, numbers, masks):
                for turn in range(numbers[FIRST + piece], numbers[FIRST + piece + 1]):
                    for column in range(width - SHAPE_WIDTH[numbers[SHAPE_OF + turn]] + 1):
                        after, rows, fate = land(board, turn, column, numbers, masks)
                        if fate == NO_ROOM or (fate != FINE and numbers[LOSING] == 0):
                            continue
                        target = lost
                        if fate == FINE:
                            target = places[rank(canonical(after, folded, numbers, masks), words, counts)]
                        at = add_once(entries, begin, at, np.uint32(target | (rows << ROWS)))
            if at == begin:  # the game is over
                entries[at] = np.uint32(lost)
                at += 1
            entries[at - 1] |= np.uint32(1 << LAST)
    return at


@inlined
def add_once(entries: Any, begin: Any, at: Any, entry: Any) -> Any:
    """Add an entry unless it is among those from `begin` on; where the next one goes."""
    for i in range(begin, at):
        if entries[i] == entry:
            return at
    entries[at] = entry
    return at + 1


@inlined
def find_lists(entries: Any, at: Any, starts: Any) -> Any:
    """Where each list of a board begins, the first at `at`; where the next board's begins."""
    for i in range(len(starts)):
        starts[i] = at
        while entries[at] >> np.uint32(LAST) == 0:
            at += 1
        at += 1
    return at


# --- Bellman's equation ---------------------------------------------------------------------------


@inlined
def worth(entry: Any, memory: Any, values: Any, points: Any, gamma: Any) -> Any:
    """What a move is worth: points for its rows, and the value of the board after it."""
    target = np.int64(entry & np.uint32(BOARD))
    return points[np.int64(entry >> np.uint32(ROWS)) & 7] + gamma * values[target, memory]


@fast
def improve(
    first: Any, last: Any, entries: Any, starts: Any, values: Any, fresh: Any, policy: Any, edges: Any, lists: Any,
    following: Any, probabilities: Any, points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """V(s) = mean over pieces of max over moves of (points + gamma V(s')): write it to `fresh`; the largest change.

    The best moves go to `policy`. What is known beforehand of the next pieces is a memory; edges, lists, following,
    probabilities: its outcomes, as in memory.Memory.
    """
    at, largest = 0, 0.0
    for b in range(first, last):
        at = find_lists(entries, at, starts)
        for m in range(len(edges) - 1):
            value = 0.0
            for k in range(edges[m], edges[m + 1]):
                i, best = starts[lists[k]], -np.inf
                while True:
                    one = worth(entries[i], following[k], values, points, gamma)
                    if one > best:
                        best, chosen = one, entries[i]
                    if entries[i] >> np.uint32(LAST):
                        break
                    i += 1
                value += probabilities[k] * best
                policy[b, k] = chosen
            largest = max(largest, abs(value - values[b, m]))
            fresh[b, m] = value
    return largest


@fast
def evaluate(
    first: Any, last: Any, values: Any, fresh: Any, policy: Any, edges: Any, following: Any, probabilities: Any,
    points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """The same for the moves in `policy`, which is faster; the largest change."""
    largest = 0.0
    for b in range(first, last):
        for m in range(len(edges) - 1):
            value = 0.0
            for k in range(edges[m], edges[m + 1]):
                value += probabilities[k] * worth(policy[b, k], following[k], values, points, gamma)
            largest = max(largest, abs(value - values[b, m]))
            fresh[b, m] = value
    return largest


@fast
def average(
    first: Any, last: Any, entries: Any, starts: Any, values: Any, fresh: Any, edges: Any, lists: Any, following: Any,
    probabilities: Any, points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """V(s) = mean over pieces and over the moves listed, the value of a player; the largest change."""
    at, largest = 0, 0.0
    for b in range(first, last):
        at = find_lists(entries, at, starts)
        for m in range(len(edges) - 1):
            value = 0.0
            for k in range(edges[m], edges[m + 1]):
                i, total, count = starts[lists[k]], 0.0, 0
                while True:
                    total += worth(entries[i], following[k], values, points, gamma)
                    count += 1
                    if entries[i] >> np.uint32(LAST):
                        break
                    i += 1
                value += probabilities[k] * total / count
            largest = max(largest, abs(value - values[b, m]))
            fresh[b, m] = value
    return largest


@fast
def survive(
    first: Any, last: Any, entries: Any, starts: Any, alive: Any, edges: Any, lists: Any, following: Any, by_chance: Any
) -> Any:
    """Strike out boards from which the game can leave those that are still in; how many were struck.

    It can if for some piece every move leads out; if chance decides between moves, already if one does.
    """
    at, struck = 0, 0
    for b in range(first, last):
        at = find_lists(entries, at, starts)
        for m in range(len(edges) - 1):
            if not alive[b, m]:
                continue
            for k in range(edges[m], edges[m + 1]):
                if alive[b, m] and not stays(entries, starts[lists[k]], alive, following[k], by_chance):
                    alive[b, m] = 0
                    struck += 1
    return struck


@inlined
def stays(entries: Any, i: Any, alive: Any, memory: Any, by_chance: Any) -> Any:
    """Whether a move of a list, or with chance every one, leads to a board that is still in."""
    while True:
        inside = alive[np.int64(entries[i] & np.uint32(BOARD)), memory] != 0
        if inside != by_chance or entries[i] >> np.uint32(LAST):
            return inside
        i += 1


# --- playing --------------------------------------------------------------------------------------


@fast
def best_move(
    board: Any, piece: Any, memory: Any, numbers: Any, masks: Any, words: Any, counts: Any, places: Any, folded: Any,
    values: Any, points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """The move that is worth most, the first of equal ones: (board after it, rows, whether it loses); rows -1: none."""
    best, found, cleared, loses = -np.inf, board, -1, False
    if can_enter(board, piece, numbers, masks):
        for turn in range(numbers[FIRST + piece], numbers[FIRST + piece + 1]):
            for column in range(numbers[WIDTH] - SHAPE_WIDTH[numbers[SHAPE_OF + turn]] + 1):
                after, rows, fate = land(board, turn, column, numbers, masks)
                if fate == NO_ROOM or (fate != FINE and numbers[LOSING] == 0):
                    continue
                value = points[rows]
                if fate == FINE:
                    value += gamma * values[place_of(after, words, counts, places, folded, numbers, masks), memory]
                if value > best:
                    best, found, cleared, loses = value, after, rows, fate != FINE
    return found, cleared, loses


@inlined
def outcome_of(memory: Any, piece: Any, following: Any, edges: Any, piece_of: Any, seen_of: Any) -> Any:
    """Which outcome of a memory it is that this piece is placed and, if it is seen, that one follows."""
    k = edges[memory]
    while piece_of[k] != piece or (seen_of[k] >= 0 and seen_of[k] != following):
        k += 1
    return k


@inlined
def first_memory(piece: Any, start: Any, edges: Any, piece_of: Any, seen_of: Any) -> Any:
    """What is known at the beginning of a game that begins with this piece."""
    m = 0
    while start[m] == 0.0 or (seen_of[edges[m]] >= 0 and piece_of[edges[m]] != piece):
        m += 1
    return m


class ExactTable(NamedTuple):
    """The exact values of a small game, and what a thread needs to play by them."""

    numbers: Any
    masks: Any
    words: Any
    counts: Any
    places: Any
    folded: Any
    values: Any
    start: Any
    edges: Any
    piece_of: Any
    seen_of: Any
    following: Any
    points: Any
    gamma: Any


@plays(ExactTable)
@fast
def play_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game by exact values, as simulator/driver.py describes it."""
    numbers, edges, piece_of, seen_of = table.numbers, table.edges, table.piece_of, table.seen_of
    key = stream_key(seed, game, np.int64(PIECE_STREAM))
    numbers[ORDER + numbers[PIECES]] = -1
    piece = draw(np.int64(0), key, numbers)
    m = first_memory(piece, table.start, edges, piece_of, seen_of)
    board, lines, total, pieces, lost = np.int64(0), 0, 0, np.int64(0), False
    while not lost and (pieces != numbers[MAX_PIECES] or pieces == 0):
        next_piece = draw(pieces + 1, key, numbers)
        k = outcome_of(m, piece, next_piece, edges, piece_of, seen_of)
        m = table.following[k]
        board, rows, lost = best_move(
            board, piece, m, numbers, table.masks, table.words, table.counts, table.places, table.folded,
            table.values, table.points, table.gamma,
        )  # fmt: skip
        if rows < 0:
            lost = True
            break
        pieces += 1
        lines += rows
        total += numbers[POINTS + rows]
        if not lost:
            heights[pile(board, numbers)] += 1
        piece = next_piece
        if pieces & 4095 == 0 and signal[0].stop:
            break
    signal[0].moves += pieces
    return lines, pieces, total, lost


@inlined
def pile(board: Any, numbers: Any) -> Any:
    """The height of the pile."""
    height = 0
    while board:
        board >>= numbers[WIDTH]
        height += 1
    return height


# --- counting -------------------------------------------------------------------------------------


@fast
def look_at(boards: Any, cells: Any, pieces: Any, numbers: Any, masks: Any) -> Any:
    """Write each board's number of cells plus 1, or 0 if no piece has a move; how many are their own mirror images."""
    alone = 0
    for b in range(len(boards)):
        board = boards[b]
        alone += mirrored(board, numbers, masks) == board
        cells[b] = 0
        for piece in pieces:
            if cells[b] == 0 and has_move(board, piece, numbers, masks):
                cells[b] = popcount(board) + 1
    return alone


@inlined
def has_move(board: Any, piece: Any, numbers: Any, masks: Any) -> Any:
    """Whether a piece can be placed."""
    if not can_enter(board, piece, numbers, masks):
        return False
    for turn in range(numbers[FIRST + piece], numbers[FIRST + piece + 1]):
        for column in range(numbers[WIDTH] - SHAPE_WIDTH[numbers[SHAPE_OF + turn]] + 1):
            _, _, fate = land(board, turn, column, numbers, masks)
            if fate == FINE or (fate != NO_ROOM and numbers[LOSING]):
                return True
    return False


@fast
def place_of(board: Any, words: Any, counts: Any, places: Any, folded: Any, numbers: Any, masks: Any) -> Any:
    """The place of a board among those in order, -1 if it is not in the set."""
    board = canonical(board, folded, numbers, masks)
    if (words[board >> 6] >> (board & 63)) & 1 == 0:
        return np.int64(-1)
    return np.int64(places[rank(board, words, counts)])
