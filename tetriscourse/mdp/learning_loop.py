"""The loop around every learner: progress, Ctrl-C, checkpoints.

A learner advances in short stretches. `state()` holds everything it has learned, and random numbers depend on
(seed, counter) alone: a run that is killed and resumed ends like one that was not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import exp
from pathlib import Path
from typing import Any, ClassVar, Self

from tqdm.auto import tqdm

from tetriscourse.checkpoints import Checkpoint, Description
from tetriscourse.history import History
from tetriscourse.interrupts import interrupts
from tetriscourse.settings import described, explained
from tetriscourse.simulator.run import is_shown


class Learner(ABC):
    """Something that learns by playing, until `done` reaches `goal`."""

    name: ClassVar[str]  # its name in messages and checkpoints
    unit: ClassVar[str] = "episode"  # the unit of `done` and `goal`
    Settings: ClassVar[Any]  # the class of its settings
    settings: Any
    longer: ClassVar[str] = "episodes"  # the setting that may be raised when a run is resumed
    seed: int
    history: History
    stopping = False  # whether it was asked to stop

    def __init_subclass__(cls) -> None:
        """Let help() explain every setting."""
        if "Settings" in vars(cls):
            cls.__doc__ = "\n".join([(cls.__doc__ or "").rstrip(), "", "    Settings:", *explained(cls.Settings)])

    @property
    @abstractmethod
    def done(self) -> int:
        """Units done so far."""

    @property
    @abstractmethod
    def goal(self) -> int:
        """Units after which it stops."""

    @abstractmethod
    def advance(self) -> None:
        """Go on for a fraction of a second at most, to a state that can be stored."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything that changes, as arrays."""

    @abstractmethod
    def restore(self, arrays: dict[str, Any]) -> None:
        """Go back to a state."""

    def about(self) -> str:
        """A few words beside the progress bar."""
        return ""

    def learn(
        self, checkpoint: str | Path | None = None, progress: bool | None = None, *, resume: bool = False
    ) -> Self:
        """Learn to the goal and return the learner; Ctrl-C returns it as it is then, with `stopping` set.

        checkpoint: a file for the run, at most a second old (or as old as it takes to write); resume: go on from it.
        """
        file = Checkpoint(checkpoint, resume)
        if arrays := file.read(self.description()):
            self.restore(arrays)
        file.write(self.description(), self.state())  # a file that cannot be written is noticed at once
        self.stopping = False
        bar = tqdm(
            total=self.goal, initial=self.done, unit=self.unit, desc=self.name, delay=0.5, miniters=0,
            disable=not is_shown(progress), leave=False,
        )  # fmt: skip
        with interrupts(self), bar:
            while self.done < self.goal and not self.stopping:
                self.advance()
                bar.total = self.goal  # lowered when there is nothing left to learn
                bar.set_postfix_str(self.about(), refresh=False)
                bar.update(self.done - bar.n)
                if file.is_due():
                    file.write(self.description(), self.state())
        file.write(self.description(), self.state())
        return self

    def stop(self) -> None:
        """Ask it to end soon."""
        self.stopping = True

    def description(self) -> Description:
        """Everything that identifies a run: equal descriptions give equal runs."""
        settings = described(self.settings)
        settings.pop(self.longer)
        return {"learner": self.name, "seed": self.seed, "settings": settings}


learn = Learner.learn


def exploration(settings: Any, k: int) -> float:
    """The share of random actions at time k: it falls from epsilon_max to epsilon_min."""
    low, high = settings.epsilon_min, settings.epsilon_max
    return float(low + (high - low) * exp(-settings.tau * k))
