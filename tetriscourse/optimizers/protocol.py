"""The protocol of every optimizer: ask for candidates, tell their scores, stop when it says so.

    while not optimizer.stop():
        candidates = optimizer.ask()
        optimizer.tell(candidates, [score(candidate) for candidate in candidates])
    optimizer.best

Scores are maximised. `settings` are fixed before a run, `state()` changes during it. There is nothing else, so a run
can be stored after any `tell` and resumed from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.history import History
from tetriscourse.random_numbers import Draws, Floats
from tetriscourse.settings import chosen_settings, explained

MAX_SEED = 2**63 - 1
MAX_DIMENSION = 1000


@dataclass(frozen=True, eq=False)
class Best:
    """The candidate with the highest score so far; if scores are noisy, the luckiest (see `favourite`)."""

    weights: Floats
    score: float
    iteration: int  # the iteration in which it was told, counted from 1


class Optimizer(ABC):
    """An iterative search for the vector of highest score."""

    name: ClassVar[str]  # its name on the command line
    Settings: ClassVar[Any]  # the class of its settings
    NAMED: ClassVar[Mapping[str, Any]]  # settings of the papers, by name
    positive: ClassVar[bool] = False  # its vectors have no negative numbers: the objective must supply the signs

    def __init_subclass__(cls) -> None:
        """Let help() explain every setting."""
        named = f"Settings of the papers, by name: {', '.join(cls.NAMED)}." if cls.NAMED else ""
        cls.__doc__ = "\n".join([cls.__doc__ or "", "", "    Settings:", *explained(cls.Settings), "", f"    {named}"])

    def __init__(self, dimension: int, settings: Any = None, seed: int = 0, **changes: Any):
        self.dimension = whole_number("dimension", dimension, 1, MAX_DIMENSION)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.settings = chosen_settings(settings, self.Settings(), changes, self.NAMED)
        self.iteration = 0
        self.best: Best | None = None
        self.history = History()

    @property
    @abstractmethod
    def variables(self) -> tuple[str, ...]:
        """The attributes that change in each iteration, all arrays or floats."""

    @abstractmethod
    def ask(self) -> Floats:
        """The candidates of this iteration, one per row; the same until they are told."""

    def tell(self, candidates: Sequence[Sequence[float]] | Floats, scores: Sequence[float] | Floats) -> None:
        """Learn from the scores of the candidates."""
        x, f = self._checked(candidates, scores)
        self.update(x, f)
        self.iteration += 1
        top = int(np.argmax(f))
        if self.best is None or f[top] > self.best.score:
            self.best = Best(x[top].copy(), float(f[top]), self.iteration)
        self.history.add(best=float(f[top]), mean=float(f.mean()), spread=float(f.std()), evaluated=float(len(f)))
        self.history.add(favourite=self.favourite.copy(), **self.recorded())

    @abstractmethod
    def update(self, x: Floats, f: Floats) -> None:
        """The step of the paper: from the candidates x and their scores f to the next distribution or population."""

    def stop(self) -> str:
        """Why it is time to stop; empty as long as it is not."""
        return f"all {self.settings.iterations} iterations are done" if self.iteration >= self.tells else ""

    @property
    def tells(self) -> int:
        """The number of tells in a whole run."""
        return int(self.settings.iterations)

    @property
    @abstractmethod
    def favourite(self) -> Floats:
        """The vector it would give now: the mean of a distribution, the best of a population."""

    def parents(self, candidates: int) -> int:
        """How many of the candidates it will use, to be found by a race; 0: the scores of all count."""
        return 0

    def recorded(self) -> dict[str, float | Floats]:
        """Further entries for the history after an iteration."""
        return {}

    def state(self) -> dict[str, Any]:
        """Everything that changes during a run, as arrays."""
        found = {name: np.array(getattr(self, name)) for name in (*self.variables, "iteration")}
        best = {} if self.best is None else {f"best/{name}": np.array(one) for name, one in vars(self.best).items()}
        return found | best | self.history.arrays("history/")

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a state."""
        for name in (*self.variables, "iteration"):
            value = np.array(state[name])
            setattr(self, name, value if value.ndim else value.item())
        self.best = None
        if "best/weights" in state:
            self.best = Best(np.array(state["best/weights"]), float(state["best/score"]), int(state["best/iteration"]))
        self.history = History.of(state, "history/")

    def draws(self) -> Draws:
        """The random numbers of this iteration."""
        return Draws(self.seed, self.iteration)

    def _checked(self, candidates: Any, scores: Any) -> tuple[Floats, Floats]:
        """Candidates and scores as arrays that fit each other."""
        try:
            x, f = np.array(candidates, np.float64), np.array(scores, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"scores is {shown(scores)}; candidates and scores must be numbers") from None
        if x.ndim != 2 or x.shape[1:] != (self.dimension,) or not len(x):
            raise InputError(f"candidates has shape {x.shape}; it must have rows of {self.dimension} numbers")
        if f.shape != (len(x),):
            raise InputError(f"scores has shape {f.shape}; it must have one number for each of {len(x)} candidates")
        if not (np.isfinite(x).all() and np.isfinite(f).all()):
            raise InputError("candidates and scores must be finite numbers; at least one of these is not")
        return x, f

    def __repr__(self) -> str:
        best = f", best {self.best.score:,.6g}" if self.best else ""
        values = [(one, getattr(self.settings, one.name)) for one in fields(self.settings)]
        chosen = "".join(f", {one.name}={value}" for one, value in values if value != one.default)
        return f"{type(self).__name__}({self.dimension}{chosen}, seed={self.seed}; iteration {self.iteration}{best})"
