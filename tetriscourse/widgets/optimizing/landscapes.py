"""Objectives of the optimizer panels: results of games, functions of a vector, and landscapes that take no time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats


@dataclass(frozen=True)
class Landscape:
    """A function of a vector with a known top inside the unit cube, where genetic algorithms search."""

    name: str
    formula: str
    function: Callable[[Floats], float] = field(repr=False)
    highest: float = 0.0

    def __call__(self, x: Any) -> float:
        """The height at a point."""
        return float(self.function(np.asarray(x, np.float64)))

    def __str__(self) -> str:
        return f"{self.name}: {self.formula}"


def top_of(n: int) -> Floats:
    """The top of every landscape: 0.7, 0.4, 0.7, 0.4, ..."""
    return np.where(np.arange(n) % 2, 0.4, 0.7)


def _sphere(x: Floats) -> float:
    return -float(np.square(x - top_of(len(x))).sum())


def _ridge(x: Floats) -> float:
    steep = 10.0 ** np.linspace(0, 3, len(x))
    return -float((steep * np.square(x - top_of(len(x)))).sum())


def _two_hills(x: Floats) -> float:
    away, from_lower = np.linalg.norm(x - top_of(len(x))), np.linalg.norm(x - 0.2)
    return float(max(1 - 6 * away, 0.6 - from_lower))


LANDSCAPES: dict[str, Landscape] = {
    one.name: one
    for one in (
        Landscape("sphere", "-|x - top|²: as easy as it gets", _sphere),
        Landscape("ridge", "like the sphere, but the last number counts a thousand times as much as the first", _ridge),
        Landscape("two hills", "a wide hill, and a narrow one that is higher", _two_hills, 1.0),
    )
}
"""Functions for watching an optimizer without waiting for games."""

Goal = Objective | Landscape | Callable[[Floats], float]  # games, a landscape, or any function of a vector


def checked_goal(goal: Any) -> Goal:
    """The objective, if it can be called."""
    if not callable(goal):
        raise InputError(f"objective is {shown(goal)}; it must be an Objective, a function of a vector, or a name")
    return cast(Goal, goal)


def goals_of(objective: Goal | str | None, *defaults: tuple[str, Goal]) -> dict[str, Goal]:
    """The menu of objectives: the given one first, then the panel's own, then the landscapes."""
    known: dict[str, Goal] = {**dict(defaults), **LANDSCAPES}
    if objective is None:
        return known
    if isinstance(objective, str):
        first = one_of("objective", objective, known)
        return {first: known[first], **known}
    name = "yours" if isinstance(objective, Objective) else getattr(objective, "__name__", "yours")
    return {name: objective, **known}
