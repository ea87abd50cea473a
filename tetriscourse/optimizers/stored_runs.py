"""The checkpoint of a run: what identifies it, and everything that changes, as plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tetriscourse.checkpoints import Checkpoint, Description
from tetriscourse.history import History
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import Racing
from tetriscourse.optimizers.validation import ValidationSettings
from tetriscourse.settings import described, plain


class StoredRun(Checkpoint):
    """The file of a run."""

    def __init__(
        self, path: str | Path | None, resume: bool,
        optimizer: Optimizer, objective: Any, racing: Racing | None, curve: Any,
        validation: ValidationSettings | None = None,
    ):  # fmt: skip
        super().__init__(path, resume)
        self.optimizer, self.racing = optimizer, racing
        about = {"function": plain(objective)}
        if isinstance(objective, Objective):
            about = described(objective) | {"features": [one.name for one in objective.features.features]}
        settings = described(optimizer.settings)
        for name in ("iterations", "evaluations"):  # a run may be made longer
            settings.pop(name, None)
        points = described(curve)
        # Files of earlier versions do not have these.
        if curve.every == 1:
            del points["every"]
        if settings.get("covariance") == "diagonal":
            del settings["covariance"]
        self.description: Description = {  # equal ones: the runs go the same way
            "optimizer": optimizer.name, "dimension": optimizer.dimension, "seed": optimizer.seed,
            "settings": settings, "objective": about,
            "racing": None if racing is None else described(racing.settings), "curve": points,
            "validation": None if validation is None else described(validation),
        }  # fmt: skip

    def store(self, log: History) -> None:
        """Write the run as it is now."""
        arrays = {f"optimizer/{name}": value for name, value in self.optimizer.state().items()} | log.arrays("log/")
        races = {} if self.racing is None else self.racing.state()
        self.write(self.description, arrays | {f"racing/{name}": value for name, value in races.items()})

    def restore(self) -> History:
        """Bring optimizer and races back to the state in the file, if there is one; the log of the run."""
        arrays = self.read(self.description)

        def named(part: str) -> dict[str, Any]:
            return {key.removeprefix(part): value for key, value in arrays.items() if key.startswith(part)}

        if arrays:
            self.optimizer.restore(named("optimizer/"))
            if self.racing is not None:
                self.racing.restore(named("racing/"))
        return History.of(arrays, "log/")
