"""The exact value of a player on a small board: Bellman's equation for its own moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, shown
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.games import Chooser
from tetriscourse.looking_ahead import sees_next
from tetriscourse.mdp.exact import policy_kernels as kernels
from tetriscourse.mdp.exact.boards import BLOCK, Block, Boards, empty_set, explored
from tetriscourse.mdp.exact.kernels import MOST_MOVES, Numbering
from tetriscourse.mdp.exact.policy_kernels import LAST, LOST, ROWS
from tetriscourse.mdp.exact.solution import GIGABYTES, check_arguments
from tetriscourse.mdp.exact.sweeps import PlayersOwn, Watch, watching
from tetriscourse.mdp.exact.values import BoardValues
from tetriscourse.mdp.finite.piece_chain import piece_chain
from tetriscourse.players import Filter, Player, as_player
from tetriscourse.random_numbers import Ints
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.bitboards import count_before
from tetriscourse.simulator.choosing import compiled_player
from tetriscourse.simulator.playable import has_own, is_fast


class PlayerValues(BoardValues):
    """The value of each board that a player can come to, if it goes on playing."""


def exact_value(
    player: Chooser | str,
    rules: Rules | str,
    gamma: float = 1.0,
    tolerance: float = 1e-6,
    gigabytes: float = GIGABYTES,
    progress: bool | None = None,
    everywhere: bool = False,
) -> PlayerValues:
    """The exact mean of what a player earns, from every board that it can come to.

    everywhere: from every board to which anybody can come, so that moves which are not its own can be valued too.
    Players and filters of the catalogue's features are fast, and players that look ahead over them. Any other player
    is asked in plain Python: for `candidates(board, piece, next_piece, rules)`, the moves between which chance decides,
    if it has that method, else for `choose(board, piece, next_piece, rules)`, which then must not depend on chance.
    """
    chooser, rules = as_player(player), as_rules(rules)
    if sees_next(chooser, rules):
        rules = replace(rules, pieces_known=2)
    check_arguments(rules, gamma, tolerance, gigabytes)
    with announced("players"), watching(progress) as watch:
        return PlayerValues(*PlayersOwn(boards_of(chooser, rules, watch, everywhere), gamma, watch).solve(tolerance))


Chunk = tuple[Ints, Ints]  # the moves on some boards, board by board, and where those of each board end


def boards_of(player: Chooser, rules: Rules, watch: Watch, everywhere: bool = False) -> Boards:
    """All boards that a player, or that anybody can come to, the last found first, with the player's moves."""
    words, first = explored(rules, False, watch) if everywhere else (empty_set(rules), np.zeros(1, np.int64))
    chunks, queue = [], first
    fast = isinstance(player, Player | Filter) and is_fast(player, rules) and not has_own(player)
    follow = follow_fast if fast else follow_plainly
    for chunk, queue in follow(compiled_player(player, rules), rules, words, first):
        chunks.append(chunk)
        watch(f"{len(queue):,} boards found")
    return numbered(rules, words, queue, chunks)


def numbered(rules: Rules, words: Ints, queue: Ints, chunks: list[Chunk]) -> Boards:
    """The boards with their moves as entries: the last one found comes first, as it is among the fullest."""
    total = len(queue)
    counts: npt.NDArray[np.int32] = np.zeros(len(words), np.int32)
    count_before(words, counts)
    places = (total - 1 - np.argsort(queue)).astype(np.int32)
    boards = Boards(rules, Numbering(words, counts, places, False), queue[::-1].copy(), total)
    first = 0
    for moves, ends in reversed(chunks):
        entries = np.empty(len(moves), np.uint32)
        kernels.number_moves(moves, ends, len(ends), entries, boards.numbering, total)
        boards.blocks.append(Block(first, first + len(ends), entries))
        first += len(ends)
    return boards


def follow_fast(player: Any, rules: Rules, words: Ints, first: Ints) -> Iterator[tuple[Chunk, Ints]]:
    """The moves of a player that the simulator knows, on these boards and on those that follow, found so far."""
    from tetriscourse.simulator.encode import encode

    encoded, choices = encode(player, rules), piece_chain(rules).choices
    pieces = np.array([piece for piece, _ in choices])
    seen = np.array([-1 if following is None else following for _, following in choices])
    queue, head, tail = np.concatenate([first, np.zeros(1 << 12, np.int64)]), 0, len(first)
    while head < tail:
        if tail + MOST_MOVES > len(queue):
            queue = np.concatenate([queue, np.zeros_like(queue)])
        moves, ends = np.empty(BLOCK * (len(choices) + 4) + MOST_MOVES, np.int64), np.zeros(BLOCK, np.int64)
        begin = head
        head, tail = kernels.follow(
            queue, head, tail, words, moves, ends, pieces, seen, encoded.states, encoded.players[0]
        )
        made = head - begin
        if made:
            yield (moves[: ends[made - 1]].copy(), ends[:made]), queue[:tail]


def follow_plainly(player: Chooser, rules: Rules, words: Ints, first: Ints) -> Iterator[tuple[Chunk, Ints]]:
    """The moves of any player, asked in plain Python, on these boards and on those that follow, found so far."""
    queue, choices = first.tolist(), piece_chain(rules).choices
    for bits in queue:  # grows while it is followed
        board, made = Board.from_bits(bits, rules.width, rules.height), []
        for piece, following in choices:
            next_piece = None if following is None else rules.pieces[following]
            listed = moves_of(player, board, rules.pieces[piece], next_piece, rules)
            ends = [1 << LOST if move.loses else move.after.bits for move in listed]
            made += [move.rows << ROWS | end for move, end in zip(listed, ends, strict=True)] or [1 << LOST]
            made[-1] |= 1 << LAST
            for after in (move.after.bits for move in listed if not move.loses):
                if not int(words[after >> 6]) >> (after & 63) & 1:
                    words[after >> 6] |= np.uint64(1 << (after & 63)).view(np.int64)
                    queue.append(after)
        yield (np.array(made, np.int64), np.array([len(made)])), np.array(queue)


def moves_of(player: Any, board: Board, piece: Piece, next_piece: Piece | None, rules: Rules) -> list[Move]:
    """The move that a player takes, or those between which chance decides for it; none: there is none."""
    if hasattr(player, "candidates"):
        listed: list[Move] = player.candidates(board, piece, next_piece, rules)
        return listed
    move = player.choose(board, piece, next_piece, rules)
    if move is None:
        return []
    if not isinstance(move, Move) or move.piece != piece or move.before != board:
        raise InputError(f"player chose {shown(move)} for {piece}; it must be one of moves(board, piece), or None")
    return [move]
