"""The replay memory: the last M experiences (s, a, r, s'), from which minibatches are drawn.

How a state is shown to a network: as one row of inputs or several, each of which gives one output or several. All
outputs of all rows, in order, are the values Q(s, a) of the actions a = 0, 1, ...: for a state as one row, the network
has an output for each action; for a state as one row an action, it has a single output. Of s the memory keeps only the
row that holds the action taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError
from tetriscourse.random_numbers import Draws, Floats, Ints

Mask = npt.NDArray[np.bool_]
MAX_BYTES = 4 * 10**9
"""How large a replay memory may be."""


@dataclass(frozen=True, eq=False)
class State:
    """What a learner sees."""

    rows: Floats
    """Inputs of the network."""
    allowed: Mask
    """For each action whether it may be taken; none: the game is over."""


@dataclass(frozen=True, eq=False)
class Experiences:
    """A minibatch, one experience a row."""

    x: Floats
    """The inputs that hold s and a."""
    output: Ints
    """Which output for these inputs is Q(s, a)."""
    r: Floats
    following: Floats
    """The rows of s'."""
    allowed: Mask
    """The actions of s'."""
    final: Mask
    """Whether s' ends the game."""


class ReplayMemory:
    """A ring of M places: a new experience takes the place of the oldest one."""

    def __init__(self, places: int, rows: int, inputs: int, outputs: int):
        check_size(places, rows, inputs, outputs)
        self.outputs = outputs
        self.count = 0
        """Experiences so far, those that were overwritten too."""
        self.x = np.zeros((places, inputs), np.float32)  # cells and features are small: nothing is rounded
        self.output = np.zeros(places, np.int64)
        self.r = np.zeros(places)
        self.following = np.zeros((places, rows, inputs), np.float32)
        self.allowed = np.zeros((places, rows * outputs), np.bool_)
        self.final = np.zeros(places, np.bool_)

    def __len__(self) -> int:
        """How many experiences it holds."""
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
        self.count += 1

    def sample(self, size: int, draws: Draws) -> Experiences:
        """So many experiences at random, each drawn from all that are held."""
        j = draws.below(len(self), size)
        return Experiences(
            self.x[j].astype(np.float64), self.output[j], self.r[j],
            self.following[j].astype(np.float64), self.allowed[j], self.final[j],
        )  # fmt: skip

    def state(self) -> dict[str, Any]:
        """Everything in it, as arrays."""
        return {f"memory_{name}": getattr(self, name) for name in FIELDS} | {"memory_count": np.array(self.count)}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Go back to a state."""
        for name in FIELDS:
            getattr(self, name)[:] = arrays[f"memory_{name}"]
        self.count = int(arrays["memory_count"])

    def __repr__(self) -> str:
        return f"ReplayMemory({len(self)} of {len(self.r)} places taken)"


def check_size(places: int, rows: int, inputs: int, outputs: int) -> None:
    """An error if the arrays of a memory would be too large, before there are any."""
    each = 4 * inputs * (1 + rows) + rows * outputs + 17  # x and following; allowed; output, r and final
    if places * each > MAX_BYTES:
        raise InputError(
            f"memory is {places}; it would take {places * each / 1e9:,.1f} GB, and {MAX_BYTES / 1e9:g} GB are allowed: "
            f"at most {MAX_BYTES // each} experiences"
        )


FIELDS = ("x", "output", "r", "following", "allowed", "final")
