"""The boards of a small game, their moves and whole games of the optimal player, boards being whole numbers.

The moves of a board are a section of a long list of 32-bit entries: for each piece that may come, one entry a move,
the last of them marked. An entry holds the number of the board that the move leads to and the rows that it clears. A
move that loses leads to a board that is worth nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.simulator.bitboards import add, has, mirrored, rank
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.moves import FINE, NO_ROOM, drop, moves_of
from tetriscourse.simulator.piece_generator import draw, stream_key

LAST, ROWS, BOARD = 31, 28, (1 << 28) - 1  # an entry: bit 31 marks the last of a piece; bits 28 to 30: rows; the board
MOST_MOVES = 512  # of one board: on width 16, all pieces together have fewer


class Numbering(NamedTuple):
    """Which boards there are, and the place of each in order."""

    words: Any  # the set of boards as bits
    counts: Any  # how many are set before each word
    places: Any  # from the rank of a board in the set to its place
    folded: Any  # whether only one of two mirror images is in the set


@inlined
def canonical(board: Any, folded: Any, rules: Any) -> Any:
    """The smaller of a board and its mirror image, if these are worth the same."""
    return min(board, mirrored(board, rules)) if folded else board


@fast
def place_of(board: Any, numbering: Any, rules: Any) -> Any:
    """The place of a board among those in order, -1 if it is not in the set."""
    board = canonical(board, numbering.folded, rules)
    if not has(board, numbering.words):
        return np.int64(-1)
    return np.int64(numbering.places[rank(board, numbering.words, numbering.counts)])


@inlined
def may_take(fate: Any, rules: Any) -> Any:
    """Whether a move that ends like this may be taken."""
    return fate == FINE or (fate != NO_ROOM and rules.losing != 0)


@fast
def reach(queue: Any, head: Any, tail: Any, seen: Any, pieces: Any, folded: Any, rules: Any) -> Any:
    """Follow all moves from the boards in queue[head:tail] and add new boards: (head, tail) when room ends."""
    while head < tail and tail + MOST_MOVES <= len(queue):
        board = queue[head]
        head += 1
        for piece in pieces:
            first, last = moves_of(board, piece, rules)
            for i in range(first, last):
                after, _, fate = drop(board, rules.move_turn[i], rules.move_column[i], rules)
                if fate == FINE:
                    after = canonical(after, folded, rules)
                    if not has(after, seen):
                        add(after, seen)
                        queue[tail] = after
                        tail += 1
    return head, tail


@fast
def look_at(boards: Any, cells: Any, pieces: Any, rules: Any) -> Any:
    """Write each board's number of cells plus 1, or 0 if no piece has a move; how many are their own mirror images."""
    alone = 0
    for b in range(len(boards)):
        board = boards[b]
        alone += mirrored(board, rules) == board
        cells[b] = 0
        for piece in pieces:
            if cells[b] == 0 and has_move(board, piece, rules):
                cells[b] = popcount(board) + 1
    return alone


@inlined
def has_move(board: Any, piece: Any, rules: Any) -> Any:
    """Whether a piece can be placed."""
    first, last = moves_of(board, piece, rules)
    for i in range(first, last):
        _, _, fate = drop(board, rules.move_turn[i], rules.move_column[i], rules)
        if may_take(fate, rules):
            return True
    return False


@fast
def tabulate(boards: Any, first: Any, last: Any, entries: Any, pieces: Any, numbering: Any, rules: Any) -> Any:
    """Write the moves of boards[first:last]; how many entries that took."""
    at, lost = 0, len(boards)
    for b in range(first, last):
        board = boards[b]
        for piece in pieces:
            begin = at
            first_move, last_move = moves_of(board, piece, rules)
            for i in range(first_move, last_move):
                after, rows, fate = drop(board, rules.move_turn[i], rules.move_column[i], rules)
                if may_take(fate, rules):
                    target = lost
                    if fate == FINE:
                        after = canonical(after, numbering.folded, rules)
                        target = numbering.places[rank(after, numbering.words, numbering.counts)]
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


@fast
def best_move(
    board: Any, piece: Any, memory: Any, rules: Any, numbering: Any, values: Any, points: Any, gamma: Any
) -> Any:
    """The move that is worth most, the first of equal ones: (board after it, rows, whether it loses); rows -1: none."""
    best, found, cleared, loses = -np.inf, board, -1, False
    first, last = moves_of(board, piece, rules)
    for i in range(first, last):
        after, rows, fate = drop(board, rules.move_turn[i], rules.move_column[i], rules)
        if may_take(fate, rules):
            value = points[rows]
            if fate == FINE:
                value += gamma * values[place_of(after, numbering, rules), memory]
            if value > best:
                best, found, cleared, loses = value, after, rows, fate != FINE
    return found, cleared, loses


@inlined
def outcome_of(memory: Any, piece: Any, following: Any, edges: Any, piece_of: Any, seen_of: Any) -> Any:
    """Which outcome of a memory places this piece and, if the next one is seen, has that one follow."""
    k = edges[memory]
    while piece_of[k] != piece or (seen_of[k] >= 0 and seen_of[k] != following):
        k += 1
    return k


@inlined
def first_memory(piece: Any, start: Any, edges: Any, piece_of: Any, seen_of: Any) -> Any:
    """The memory at the beginning of a game that begins with this piece."""
    m = 0
    while start[m] == 0.0 or (seen_of[edges[m]] >= 0 and piece_of[edges[m]] != piece):
        m += 1
    return m


class ExactTable(NamedTuple):
    """The exact values of a small game, and what a thread needs to play by them."""

    rules: Any
    numbering: Any
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
    rules, edges, piece_of, seen_of = table.rules, table.edges, table.piece_of, table.seen_of
    key = stream_key(seed, game, np.int64(PIECE_STREAM))
    rules.bag_start = -1
    piece = draw(np.int64(0), key, rules)
    m = first_memory(piece, table.start, edges, piece_of, seen_of)
    board, lines, total, pieces, lost = np.int64(0), 0, 0, np.int64(0), False
    while not lost and (pieces != rules.max_pieces or pieces == 0):
        next_piece = draw(pieces + 1, key, rules)
        k = outcome_of(m, piece, next_piece, edges, piece_of, seen_of)
        m = table.following[k]
        board, rows, lost = best_move(board, piece, m, rules, table.numbering, table.values, table.points, table.gamma)
        if rows < 0:
            lost = True
            break
        pieces += 1
        lines += rows
        total += rules.points[rows]
        if not lost:
            heights[pile(board, rules)] += 1
        piece = next_piece
        if pieces & 4095 == 0 and signal[0].stop:
            break
    signal[0].moves += pieces
    return lines, pieces, total, lost


@inlined
def pile(board: Any, rules: Any) -> Any:
    """The height of the pile."""
    height = 0
    while board:
        board >>= rules.width
        height += 1
    return height
