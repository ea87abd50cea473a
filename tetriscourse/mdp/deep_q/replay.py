"""Problems for deep Q-learning, and the replay memory: the last M experiences (s, a, r, s'), drawn in minibatches.

A state is shown to the network as one or several rows of inputs, and each row gives one or several outputs. All outputs
of all rows, in order, are the values Q(s, a) of the actions a = 0, 1, ...: if a state is one row, the network has an
output for each action; if it has a row for each action, the network has a single output. Of s the memory keeps only the
row that holds the action taken. If a state knows what its actions are paid, the outputs are what is to come after that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, shown
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.random_numbers import Draws, Floats, Ints

Mask = npt.NDArray[np.bool_]
MAX_BYTES = 4 * 10**9  # the largest replay memory allowed


@dataclass(frozen=True, eq=False)
class State:
    """A state as the learner sees it, or many, one a row."""

    rows: Floats  # inputs of the network
    allowed: Mask  # which actions may be taken; none: the game is over
    rewards: Floats = field(default_factory=lambda: np.zeros(1))  # known ones of the actions; 0: none are

    def paid(self, a: int) -> float:
        """What an action is known to be paid."""
        return float(np.broadcast_to(self.rewards, self.allowed.shape)[a])


class Problem(Protocol):
    """A game as deep Q-learning needs it."""

    name: str  # also that of its settings in DEEP_Q
    rules: Rules
    rows: int  # the most rows that a state can have
    inputs: int
    outputs: int
    standardised: bool  # whether inputs are scaled to mean 0 and standard deviation 1 in random play

    def start(self, seed: int, episode: int) -> State:
        """Begin a game."""

    def act(self, a: int) -> tuple[State, int, bool, bool]:
        """Take an action: the new state, rows cleared, whether a piece came to rest, whether the game is lost."""

    def player(self, network: Network, name: str) -> Any:
        """The player that follows a network."""

    def judge(self, network: Network, games: int, max_pieces: int, seed: int) -> float:
        """How well a network plays without random actions; inf: it never loses."""

    def description(self) -> dict[str, Any]:
        """Everything that identifies it."""

    def state(self) -> dict[str, Any]:
        """The current game, as arrays."""

    def restore(self, arrays: dict[str, Any]) -> State:
        """Go back to a state of the game."""


def checked_problem(problem: Any) -> Problem:
    """The problem if it is one."""
    needed = ("name", "rules", "rows", "inputs", "outputs", "standardised", "start", "act")
    if isinstance(problem, type) or not all(hasattr(problem, name) for name in needed):
        raise InputError(
            f"problem is {shown(problem)}; it must be a DominoGrid, a MoveValues, or another Problem, "
            "such as DominoGrid(6, 6)"
        )
    chosen: Problem = problem
    return chosen


@dataclass(frozen=True, eq=False)
class Experiences:
    """A minibatch, one experience a row."""

    x: Floats  # the inputs that hold s and a
    output: Ints  # which output for these inputs is Q(s, a)
    r: Floats  # what s did not know of the reward
    following: Floats  # the rows of s'
    allowed: Mask  # the actions of s'
    rewards: Floats  # what s' knows of their rewards
    final: Mask  # whether s' ends the game


FIELDS = tuple(one.name for one in fields(Experiences))


class ReplayMemory:
    """A ring of M places: a new experience replaces the oldest one."""

    def __init__(self, places: int, rows: int, inputs: int, outputs: int):
        check_size(places, rows, inputs, outputs)
        self.outputs = outputs
        self.count = 0  # experiences so far, including those overwritten
        self.x = np.zeros((places, inputs), np.float32)  # cells and features are small: nothing is rounded
        self.output = np.zeros(places, np.int64)
        self.r = np.zeros(places)
        self.following = np.zeros((places, rows, inputs), np.float32)
        self.allowed = np.zeros((places, rows * outputs), np.bool_)
        self.rewards = np.zeros((places, rows * outputs), np.float32)
        self.final = np.zeros(places, np.bool_)

    def __len__(self) -> int:
        return min(self.count, len(self.r))

    @property
    def is_full(self) -> bool:
        """Whether no place is left."""
        return len(self) == len(self.r)

    def add(self, s: State, a: int, r: float, following: State, final: bool) -> None:
        """Remember that action a in s gave r and led to the following state."""
        place = self.count % len(self.r)
        row, self.output[place] = divmod(a, self.outputs)
        self.x[place], self.r[place], self.final[place] = s.rows[row], r, final
        self.following[place, : len(following.rows)] = following.rows
        self.allowed[place] = False
        self.allowed[place, : len(following.allowed)] = following.allowed
        self.rewards[place, : len(following.allowed)] = following.rewards
        self.count += 1

    def sample(self, size: int, draws: Draws) -> Experiences:
        """A minibatch of experiences drawn at random, with replacement."""
        j = draws.below(len(self), size)
        return Experiences(
            self.x[j].astype(np.float64), self.output[j], self.r[j],
            self.following[j].astype(np.float64), self.allowed[j], self.rewards[j].astype(np.float64), self.final[j],
        )  # fmt: skip

    def state(self) -> dict[str, Any]:
        """All experiences, as arrays."""
        return {f"memory_{name}": getattr(self, name) for name in FIELDS} | {"memory_count": np.array(self.count)}

    def restore(self, arrays: dict[str, Any]) -> None:
        for name in FIELDS:
            getattr(self, name)[:] = arrays[f"memory_{name}"]
        self.count = int(arrays["memory_count"])

    def __repr__(self) -> str:
        return f"ReplayMemory({len(self)} of {len(self.r)} places taken)"


def check_size(places: int, rows: int, inputs: int, outputs: int) -> None:
    """An error if the arrays of a memory would be too large, before they are made."""
    each = 4 * inputs * (1 + rows) + 5 * rows * outputs + 17  # x, following; allowed, rewards; output, r and final
    if places * each > MAX_BYTES:
        raise InputError(
            f"memory is {places}; it would take {places * each / 1e9:,.1f} GB, and {MAX_BYTES / 1e9:g} GB are allowed: "
            f"at most {MAX_BYTES // each} experiences"
        )
