"""Samples of play: what a policy saw and gained, as arrays, from which all methods of this package learn.

A state is a board and a piece. Row k of `Samples` is one state: `phi` are the features of its board, as the move that
led there has them; its moves are rows offsets[k] to offsets[k + 1] - 1 of `all_phi` (features of the board after each)
and `all_rewards`; `chosen` is the move that was made, `rewards` what it gained. Row k + 1 is the state that followed,
unless `ends` says that the game was lost or cut off.

`TetrisSource` (tetris_source.py) plays Tetris in compiled code, `FiniteSource` (finite_source.py) a small game with any
features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tetriscourse.players import Player
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


@dataclass(frozen=True, eq=False)
class RolloutPlan:
    """Rollouts: games of a policy after each move, all on the same pieces, valued by a critic where they stop."""

    policy: Policy
    moves: int
    games: int
    gamma: float
    seed: int
    critic: Floats  # weights of the critic's features


@dataclass(frozen=True, eq=False)
class Valued:
    """The moves of some states, as in `Samples`, and what rollouts found to come after each."""

    offsets: Ints
    all_phi: Any
    all_rewards: Floats
    after: Floats  # the mean of what was gained from the board after the move on
    critic: Any  # the critic's features of the board of each state


def best_rows(scores: Floats, offsets: Ints) -> Ints:
    """The first row with the highest score in each range from offsets[k] to offsets[k + 1]; -1 where it is empty."""
    from tetriscourse.mdp.policies.sample_kernels import find_best

    found = np.empty(len(offsets) - 1, np.int64)
    find_best(np.ascontiguousarray(scores), offsets, found)
    return found


def choices(phi: Any, theta: Floats, offsets: Ints) -> Ints:
    """The move of highest phi^T theta in each state, -1 where there is none."""
    if not isinstance(phi, np.ndarray):
        return best_rows(phi @ theta, offsets)
    from tetriscourse.mdp.policies.sample_kernels import find_choices

    found = np.empty(len(offsets) - 1, np.int64)
    find_choices(phi, np.ascontiguousarray(theta), offsets, found)
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
    dimension: int  # values of the features of a move
    chances: Floats  # the probability of each piece
    critic_dimension: int  # of those by which a critic values a board

    def sample(
        self, policy: Policy | Player, seed: int, games: int, moves: int, all_moves: bool = True,
        stopping: Stopping = never,
    ) -> Samples:  # fmt: skip
        """Games 0, 1, ... of a seed by a policy or a player: `games` of them, or until `moves` have been made."""

    def roll_out(self, states: Samples, plan: RolloutPlan, stopping: Stopping = never) -> Valued:
        """Value every move of some states by rollouts."""

    def judge(self, policy: Policy, games: int, most: int, seed: int) -> float:
        """The mean lines of greedy games of at most `most` moves."""

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
