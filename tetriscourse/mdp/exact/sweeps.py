"""Bellman's equation applied to all boards of a small game, sweep after sweep, until every value is close enough.

Boards come from the fullest to the emptiest: a move that clears nothing leads to a fuller board, whose new value is
known by then. Sweeps that look for better moves alternate with faster ones that only follow the moves found (modified
policy iteration, Puterman and Shin 1978). Blocks of boards are swept in threads, always in the same groups: the result
does not depend on how many threads there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from math import gcd
from typing import Any, ClassVar

import numpy as np
from tqdm.auto import tqdm

from tetriscourse.errors import InputError
from tetriscourse.game.rules import POINTS
from tetriscourse.mdp.exact.boards import Block, Boards
from tetriscourse.mdp.exact.sweep_kernels import average, evaluate, improve, survive
from tetriscourse.mdp.finite.piece_chain import piece_chain
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.simulator.bitboards import ROOM
from tetriscourse.simulator.run import default_threads, is_shown

Watch = Callable[[str], None]
GROUP = 8  # blocks that are swept at once
PATIENCE, FINER = 60, 0.03  # between searches for better moves: most fast sweeps, how much smaller changes must become
STEADY, FURTHEST = 0.02, 0.9
"""Changes whose rate of shrinking varies less than STEADY, compared with its distance to 1, tell where they lead;
beyond the rate FURTHEST, small errors in it lead far astray."""


@contextmanager
def watching(progress: bool | None) -> Iterator[Watch]:
    """A function that shows how far the work is."""
    with tqdm(bar_format="{desc} {elapsed}", delay=0.5, miniters=0, disable=not is_shown(progress), leave=False) as bar:

        def watch(text: str) -> None:
            bar.set_description_str(text, refresh=False)
            bar.update(0)

        yield watch


class Sweeper(ABC):
    """Values of boards, on their way to what Bellman's equation says."""

    def __init__(self, boards: Boards, gamma: float, watch: Watch):
        self.boards, self.gamma, self.watch, self.chain = boards, gamma, watch, piece_chain(boards.rules)
        self.values: Floats = np.zeros((len(boards) + 1, len(self.chain)))
        self.fresh = np.zeros_like(self.values)  # room for new values
        self.points = np.array([*POINTS[boards.rules.scoring], 0, 0, 0], np.float64)
        self.pool = ThreadPoolExecutor(default_threads())
        self.sweeps = 0
        self.may_jump = True  # as long as no jump has failed

    by_chance: ClassVar[bool]  # whether chance decides between the moves of a list, or who plays
    lists: ClassVar[str]  # where the chain says which list of a board's moves an outcome is about

    @abstractmethod
    def apply(self, block: Block, fresh: Floats) -> float:
        """Write the new values of a block's boards; the largest change."""

    def follow(self, block: Block, fresh: Floats) -> float:
        """Like `apply`, but faster if that is possible without looking for better moves."""
        return self.apply(block, fresh)

    def solve(self, tolerance: float) -> tuple[Any, ...]:
        """Sweep until every value is closer than the tolerance; the fields of BoardValues."""
        with self.pool:
            self.check_ending()
            while True:
                change = self.sweep(self.apply)
                if self.bound(change) < tolerance:
                    residual = self.sweep(self.apply, keep=True)
                    if self.bound(residual) < tolerance:
                        break
                self.settle(FINER * change)
        boards, bound = self.boards, self.bound(residual)
        boards.blocks.clear()
        return boards.rules, self.gamma, boards, self.values, self.sweeps, residual, bound

    @property
    def starts(self) -> Ints:
        """Room for where the lists of a board begin."""
        return np.zeros(int(self.chance[1].max()) + 1, np.int64)

    @cached_property
    def chance(self) -> tuple[Any, ...]:
        """The next pieces for the kernels: outcomes of each memory, their lists, what follows, and probabilities."""
        return self.chain.edges, getattr(self.chain, self.lists), self.chain.following, self.chain.probabilities

    @property
    def start(self) -> float:
        """The present value of a game."""
        return float(self.values[self.boards.place(0)] @ self.chain.start)

    def sweep(self, apply: Callable[[Block, Floats], float], keep: bool = False) -> float:
        """Apply the equation to all boards, group by group; with `keep`, change nothing; the largest change."""
        fresh, largest = self.fresh, 0.0
        for i in range(0, len(self.boards.blocks), GROUP):
            group = self.boards.blocks[i : i + GROUP]
            largest = max(largest, *self.pool.map(lambda block: apply(block, fresh), group))
            if not keep:
                part = slice(group[0].first, group[-1].last)
                self.values[part] = fresh[part]
        self.sweeps += 1
        self.watch(f"sweep {self.sweeps}, largest change {largest:.1g}, V {self.start:.6f}")
        return largest

    def settle(self, target: float) -> None:
        """Fast sweeps until changes are below a target; when they shrink steadily, jump to where they lead.

        Changes shrink like powers of the largest eigenvalue, so that after a while all that are still to come are a
        geometric series, and adding it up saves most sweeps. A jump that goes wrong does no harm: sweeps lead to
        the same values from anywhere, and `solve` trusts only the residual of the values that it ends with.
        """
        change, rate, jumped_at = np.inf, 0.0, np.inf
        for _ in range(PATIENCE // self.cycle + 1):
            before, last_change, last_rate = self.values.copy(), change, rate
            for _ in range(self.cycle):
                change = self.sweep(self.follow)
                if change < target:
                    return
            self.may_jump &= change < jumped_at
            rate, jumped_at = change / last_change, np.inf
            if self.may_jump and last_rate and rate < FURTHEST and abs(rate - last_rate) < STEADY * (1 - rate):
                # A geometric series: all further changes add up to rate / (1 - rate) times the last.
                self.values += (self.values - before) * (rate / (1 - rate))
                change, rate, jumped_at = np.inf, 0.0, change

    @property
    def cycle(self) -> int:
        """Pieces after which a board can have as many cells as before: in this rhythm changes shrink."""
        rules = self.boards.rules
        return rules.width // gcd(rules.pieces[0].size, rules.width)

    def bound(self, residual: float) -> float:
        """How far values can be from the exact ones, if Bellman's equation is met to within the residual.

        With gamma < 1 errors shrink by gamma with each move: residual / (1 - gamma).

        Without discount an error is at most the residual times N, the moves that a game still has on average, under
        the best play or under the play that looks best. N follows from the values themselves: N pieces bring
        size * N cells, and these are taken away by rows or left at the end:

            size * N <= width * rows + left,    rows <= M / each_row,    M = the largest exact value.

        M is at most the largest value here plus the error, residual * N; solved for M, this gives `largest`.
        """
        if self.gamma < 1:
            return residual / (1 - self.gamma)
        rules = self.boards.rules
        size, width, left = rules.pieces[0].size, rules.width, rules.width * (rules.height + ROOM)
        each_row = min(float(self.points[rows]) / rows for rows in range(1, 5))
        shrinking = residual * width / (size * each_row)
        if shrinking >= 1:
            return float("inf")
        largest = (float(self.values.max()) + residual * left / size) / (1 - shrinking)
        return residual * (width * largest / each_row + left) / size

    def check_ending(self) -> None:
        """An error if games can go on for ever without discount: then they have no mean."""
        if self.gamma < 1:
            return
        edges, lists, following, _ = self.chance
        alive = np.ones(self.values.shape, np.int8)
        alive[-1] = 0
        blocks, chance = self.boards.blocks, self.by_chance
        while sum(survive(*block, self.starts, alive, edges, lists, following, chance) for block in blocks):
            pass
        if alive.any():
            raise InputError(
                f"gamma is 1; from {int(alive.any(axis=1).sum()):,} of {len(self.boards):,} boards a player can go on "
                "for ever, so that games have no mean: give a gamma below 1, such as 0.9"
            )


class BestPlay(Sweeper):
    """The values under the best possible play."""

    by_chance, lists = False, "placed"  # one list of moves for each piece

    def __init__(self, boards: Boards, gamma: float, watch: Watch):
        super().__init__(boards, gamma, watch)
        self.policy = np.zeros((len(boards), len(self.chain.following)), np.uint32)  # best moves known, by outcome

    def apply(self, block: Block, fresh: Floats) -> float:
        """V(s) = mean over pieces of max over moves of (points + gamma V(s'))."""
        room = self.starts, self.values, fresh, self.policy
        return float(improve(*block, *room, *self.chance, self.points, self.gamma))

    def follow(self, block: Block, fresh: Floats) -> float:
        """Like `apply`, with the best moves known."""
        edges, _, following, probabilities = self.chance
        room = block.first, block.last, self.values, fresh, self.policy
        return float(evaluate(*room, edges, following, probabilities, self.points, self.gamma))


class PlayersOwn(Sweeper):
    """The values under the moves of one player."""

    by_chance, lists = True, "chosen"  # one list of moves for each piece, or pair of pieces that is seen

    def apply(self, block: Block, fresh: Floats) -> float:
        """V(s) = mean over pieces, and over moves between which chance decides, of (points + gamma V(s'))."""
        return float(average(*block, self.starts, self.values, fresh, *self.chance, self.points, self.gamma))
