"""The checkpoint of a run: what identifies it, and everything that changes, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetriscourse.checkpoints import Checkpoint, Description
from tetriscourse.history import History
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import Racing
from tetriscourse.settings import described


class StoredRun(Checkpoint):
    """The file of a run."""

    def __init__(
        self, path: str | Path | None, resume: bool,
        optimizer: Optimizer, objective: Any, racing: Racing | None, curve: Any,
    ):  # fmt: skip
        super().__init__(path, resume)
        self.optimizer, self.racing = optimizer, racing
        settings = described(optimizer.settings)
        settings.pop("iterations")  # a run may be made longer
        self.description: Description = {
            "optimizer": optimizer.name, "dimension": optimizer.dimension, "seed": optimizer.seed,
            "settings": settings, "objective": described_objective(objective),
            "racing": None if racing is None else described(racing.settings), "curve": described(curve),
        }  # fmt: skip
        """Two runs with equal descriptions go the same way."""

    def store(self, log: History) -> None:
        """Write the run as it is now."""
        parts = {
            "optimizer": self.optimizer.state(),
            "log": {name: log[name] for name in log.names},
            "racing": {} if self.racing is None else self.racing.state(),
        }
        arrays = {f"{part}/{name}": value for part, values in parts.items() for name, value in values.items()}
        self.write(self.description, arrays)

    def restore(self) -> History:
        """Bring optimizer and races back to the state in the file, if there is one; the log of the run."""
        arrays = self.read(self.description)

        def named(part: str) -> dict[str, Any]:
            return {key.removeprefix(part): value for key, value in arrays.items() if key.startswith(part)}

        if arrays:
            self.optimizer.restore(named("optimizer/"))
            if self.racing is not None:
                self.racing.restore(named("racing/"))
        return History(named("log/"))


def described_objective(objective: Any) -> Description:
    """An objective as plain data; your own function by its name."""
    if not isinstance(objective, Objective):
        return described(Function(objective))
    return described(objective) | {"features": [one.name for one in objective.features.features]}


@dataclass(frozen=True)
class Function:
    """A plain function as an objective."""

    function: Any
