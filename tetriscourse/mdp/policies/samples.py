"""Samples of play: what a policy saw and gained, as arrays, from which all methods of this package learn.

A state is a board and a piece. Row k of `Samples` is one state: `phi` are the features of its board, as the move that
led there has them; its moves are rows offsets[k] to offsets[k + 1] - 1 of `all_phi` (features of the board after each)
and `all_rewards`; `chosen` is the move that was made, `rewards` what it gained. Row k + 1 is the state that followed,
unless `ends` says that the game was lost or cut off.

`TetrisSource` (tetris_source.py) plays Tetris in compiled code. `FiniteSource` (finite_source.py) plays a small game with
any features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tetriscourse.random_numbers import Floats, Ints

GOES_ON, LOST, CUT = 0, 1, 2  # how the row of a state ends: with a move, without one, or because enough was played
Stopping = Callable[[], bool]


def never() -> bool:
    """Do not stop."""
    return False


@dataclass(frozen=True, eq=False)
class Policy:
    """A linear policy: moves are compared by `reward` times the rows they clear plus the weighted features.

    With probability epsilon any move is made; with `softmax` each with probability proportional to exp(its score).
    """

    weights: Floats
    reward: float = 0.0
    epsilon: float = 0.0
    softmax: bool = False

    @property
    def is_greedy(self) -> bool:
        """Whether it always makes the best move."""
        return not self.softmax and self.epsilon == 0


@dataclass(frozen=True, eq=False)
class Samples:
    """States in the order in which they were met; the docstring above explains the arrays."""

    phi: Any  # arrays of a row for each state: numpy's, or sparse ones of scipy
    rewards: Floats
    ends: Ints
    cells: Ints  # the board: a number for each column
    pieces: Ints
    offsets: Ints = field(default_factory=lambda: np.zeros(1, np.int64))  # empty if only chosen moves were looked at
    chosen: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # -1 where there was no move
    all_phi: Any = None
    all_rewards: Floats = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.rewards)

    @property
    def games(self) -> int:
        """Games that were lost or cut off."""
        return int((self.ends != GOES_ON).sum())

    @property
    def moves(self) -> int:
        """Moves made."""
        return len(self) - self.games

    @property
    def owner(self) -> Ints:
        """The state that each move belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def best(self, scores: Floats) -> Ints:
        """The first of the highest scores among the moves of each state; -1 where there is no move."""
        return best_rows(scores, self.offsets)


def best_rows(scores: Floats, offsets: Ints) -> Ints:
    """The first row with the highest score in each stretch from offsets[k] to offsets[k + 1]; -1 where it is empty."""
    lengths = np.diff(offsets)
    found = np.full(len(lengths), -1)
    some = np.flatnonzero(lengths)
    if len(some):
        highest = np.repeat(np.maximum.reduceat(scores, offsets[some]), lengths[some])
        rows = np.flatnonzero(scores == highest)
        found[some] = rows[np.searchsorted(rows, offsets[some])]
    return found


def discounted_sums(x: Floats, ends: Ints, factor: float) -> Floats:
    """x_k + factor x_k+1 + factor² x_k+2 + ..., to the end of each game."""
    from tetriscourse.mdp.policies.sample_kernels import discount

    sums = np.empty(len(x))
    discount(np.ascontiguousarray(x), ends == GOES_ON, float(factor), sums)
    return sums


class Source(Protocol):
    """Where samples come from: a game, seen by some features."""

    name: str
    dimension: int  # features of a move

    def sample(
        self, policy: Policy, seed: int, games: int, moves: int, all_moves: bool = True, stopping: Stopping = never
    ) -> Samples:
        """Games 0, 1, ... of a seed by a policy: this many, or until so many moves have been made."""

    def judge(self, policy: Policy, games: int, most: int, seed: int) -> float:
        """The mean lines of greedy games of at most so many moves."""

    def player(self, policy: Policy, name: str) -> Any:
        """The greedy player."""

    def start(self) -> Floats:
        """The weights that policy iteration starts with."""

    def description(self) -> dict[str, Any]:
        """Everything that identifies it."""


def joined(parts: Iterable[Samples]) -> Samples:
    """Samples one after the other."""
    listed = list(parts)
    rows = np.cumsum([0] + [len(one.all_rewards) for one in listed])
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in listed])
        for name in ("phi", "rewards", "ends", "cells", "pieces", "all_phi", "all_rewards")
    }
    offsets = [one.offsets[:-1] + at for one, at in zip(listed, rows, strict=False)]
    chosen = [np.where(one.chosen >= 0, one.chosen + at, -1) for one, at in zip(listed, rows, strict=False)]
    return Samples(**columns, offsets=np.concatenate([*offsets, rows[-1:]]), chosen=np.concatenate(chosen))
