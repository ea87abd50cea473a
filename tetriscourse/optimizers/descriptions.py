"""Descriptions that identify a run of an optimizer, as plain data for its checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetriscourse.checkpoints import Description
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.racing import RacingSettings
from tetriscourse.settings import described


def description(optimizer: Optimizer, objective: Any, racing: RacingSettings | None, curve: Any) -> Description:
    """Plain data that two runs share if and only if they go the same way."""
    settings = described(optimizer.settings)
    settings.pop("iterations")  # a run may be made longer
    return {
        "optimizer": optimizer.name, "dimension": optimizer.dimension, "seed": optimizer.seed, "settings": settings,
        "objective": described_objective(objective), "racing": None if racing is None else described(racing),
        "curve": described(curve),
    }  # fmt: skip


def described_objective(objective: Any) -> Description:
    """An objective as plain data; your own function by its name."""
    if not isinstance(objective, Objective):
        return described(Function(objective))
    return described(objective) | {"features": [one.name for one in objective.features.features]}


@dataclass(frozen=True)
class Function:
    """A plain function as an objective."""

    function: Any
