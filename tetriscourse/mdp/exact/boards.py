"""The boards of a small game, numbered, with their moves as lists: what the exact solver sweeps over."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, gcd
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, shown
from tetriscourse.game.rules import Entry, GameOver, Rules
from tetriscourse.mdp.exact import kernels
from tetriscourse.mdp.exact.kernels import Numbering
from tetriscourse.mdp.finite.piece_chain import piece_chain
from tetriscourse.random_numbers import Ints
from tetriscourse.simulator.bitboards import count_before, fits
from tetriscourse.simulator.encode import encode_rules
from tetriscourse.simulator.run import default_threads

Entries = npt.NDArray[np.uint32]
BLOCK = 1 << 15  # boards whose moves are made at once
SHARES = {GameOver.OVERFLOW: 0.26, GameOver.TOP_ROW: 0.26, GameOver.OVERFLOW_AFTER_CLEARING: 0.58}
"""The share of `conceivable` boards that can be reached, on all boards solved so far with seven pieces: 0.23 to
0.30, and 0.51 to 0.59."""


def conceivable(rules: Rules) -> int:
    """How many boards have no full row, no empty row below a full cell, and a number of cells that pieces can leave."""
    width, top = rules.width, rules.height - (rules.game_over is GameOver.TOP_ROW)
    cycle = gcd(rules.pieces[0].size, width)
    ways = [1] + [0] * (cycle - 1)  # piles of this many rows whose number of cells has this remainder
    total = 1
    for _ in range(top):
        ways = [
            sum(comb(width, cells) * ways[(remainder - cells) % cycle] for cells in range(1, width))
            for remainder in range(cycle)
        ]
        total += ways[0]
    return total


def estimated_boards(rules: Rules) -> int:
    """About how many boards can be reached."""
    return int(conceivable(rules) * SHARES[rules.game_over])


def is_symmetric(rules: Rules) -> bool:
    """Whether a board and its mirror image are worth the same."""
    memory = piece_chain(rules)
    if rules.entry is not Entry.ABOVE or len(memory) > 1:
        return False
    shapes = [frozenset(shape.cells for shape in piece.orientations) for piece in rules.pieces]
    mirrored = [
        frozenset(
            tuple(sorted((row, shape.width - 1 - column) for row, column in shape.cells))
            for shape in piece.orientations
        )
        for piece in rules.pieces
    ]
    weights = rules.probabilities or (1.0,) * len(shapes)
    chance = dict(zip(shapes, weights, strict=True))
    return all(chance.get(image) == weight for image, weight in zip(mirrored, weights, strict=True))


def moves_of_a_board(rules: Rules) -> int:
    """How many moves all pieces have together."""
    pieces = [rules.pieces[number] for number in piece_chain(rules).pieces]
    return sum(rules.width - shape.width + 1 for piece in pieces for shape in piece.orientations)


def magnitude(number: float) -> str:
    """A number that may be astronomical."""
    if number >= 1e12:
        return f"{number:.0e}".replace("e+", " x 10^")
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def check_size(rules: Rules, gigabytes: float) -> None:
    """An error if the boards are too many, before any work."""
    boards, memory = estimated_boards(rules), piece_chain(rules)
    kept, lists = boards // 2 if is_symmetric(rules) else boards, 4 * (len(memory.pieces) + moves_of_a_board(rules) / 4)
    each = 20 + lists + 8 * len(memory) + 4 * len(memory.following)
    needed = int(kept * each + 2 ** (rules.width * rules.height) * 1.5 / 8) / 1e9
    if needed > gigabytes or not fits(rules) or boards > 1 << 28:
        raise InputError(
            f"rules is {shown(str(rules))}; there are about {magnitude(boards)} boards, which need about "
            f"{magnitude(needed)} GB, and {gigabytes:g} GB are allowed "
            "(with seven pieces, 5x5 and 4x7 are small enough)"
        )


class Block(NamedTuple):
    """The moves of the boards first to last - 1."""

    first: int
    last: int
    entries: Entries  # as kernels describes


@dataclass(eq=False)
class Boards:
    """The boards of a game as whole numbers: a set of all that can be reached, and in order those with a move.

    Pieces are assumed to come in any order: when they come by turns, fewer boards occur.
    """

    rules: Rules
    numbering: Numbering  # all boards, and their places in `boards`; without a move: the place behind the last
    boards: Ints  # the boards with a move, the fullest first, as their values are settled first
    total: int  # how many boards can be reached, mirror images counted too
    blocks: list[Block] = field(default_factory=list)  # their moves

    def __len__(self) -> int:
        return len(self.boards)

    @cached_property
    def encoded_rules(self) -> Any:
        """The rules for the kernels."""
        return encode_rules(self.rules)

    def place(self, bits: int) -> int:
        """The place of a board, mirrored if need be; -1 if it cannot be reached."""
        if bits >> (self.rules.width * self.rules.height):
            return -1
        return int(kernels.place_of(bits, self.numbering, self.encoded_rules))


def ordered(rules: Rules, folded: bool, found: Ints, words: Ints) -> Boards:
    """Boards that were found, in order."""
    found = np.sort(found)
    counts, cells = np.zeros(len(words), np.int32), np.zeros(len(found), np.int8)
    count_before(words, counts)
    alone = int(kernels.look_at(found, cells, piece_chain(rules).pieces, encode_rules(rules)))
    order = np.argsort(-cells, kind="stable")[: int((cells > 0).sum())]
    places = np.full(len(found), len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    total = 2 * len(found) - alone if folded else len(found)
    return Boards(rules, Numbering(words, counts, places, folded), found[order], total)


def empty_set(rules: Rules) -> Ints:
    """A set of boards, as bits, that holds the empty board only."""
    words = np.zeros(max(1, 2 ** (rules.width * rules.height) // 64), np.int64)
    words[0] = 1
    return words


def explored(rules: Rules, folded: bool, watch: Callable[[str], None]) -> tuple[Ints, Ints]:
    """All boards that can be reached from the empty one, as a set and in the order in which they were found."""
    encoded = encode_rules(rules)
    pieces, words, queue = piece_chain(rules).pieces, empty_set(rules), np.zeros(1 << 12, np.int64)
    head, tail = 0, 1
    while head < tail:
        if tail + kernels.MOST_MOVES > len(queue):
            queue = np.concatenate([queue, np.zeros_like(queue)])
        # A limited queue, so that Ctrl-C is noticed in between.
        room = min(len(queue), tail + (1 << 19))
        head, tail = kernels.reach(queue[:room], head, tail, words, pieces, folded, encoded)
        watch(f"{tail:,} boards found")
    return words, queue[:tail]


def reachable(rules: Rules, watch: Callable[[str], None]) -> Boards:
    """All boards that can be reached from the empty one, numbered."""
    folded = is_symmetric(rules)
    words, queue = explored(rules, folded, watch)
    return ordered(rules, folded, queue, words)


def add_moves(boards: Boards, watch: Callable[[str], None]) -> None:
    """List all moves of all boards, in threads."""
    pieces = piece_chain(boards.rules).pieces
    room = BLOCK * max(moves_of_a_board(boards.rules), len(pieces))

    def block(first: int) -> Block:
        entries, last = np.empty(room, np.uint32), min(first + BLOCK, len(boards))
        used = kernels.tabulate(boards.boards, first, last, entries, pieces, boards.numbering, boards.encoded_rules)
        return Block(first, last, entries[:used].copy())

    with ThreadPoolExecutor(default_threads()) as pool:
        for made in pool.map(block, range(0, len(boards), BLOCK)):
            boards.blocks.append(made)
            watch(f"moves of {made.last:,} boards listed")
