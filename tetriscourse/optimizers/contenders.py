"""Contenders of a feature search: the present features with at most one change, and a CMA-ES that learns to use them.

A change is written `+holes` if a feature is added, `-holes` if it is dropped, and `` if nothing changes: the control.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from tetriscourse.optimizers.cma_es import CMAES, to_length_1
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats

ADDED, DROPPED, CONTROL = "+", "-", ""
NOTHING = ("constant",)
"""What a player without features sees: to it, all moves are equal."""


@dataclass
class Contender:
    """A change, and the weights that are learned for it."""

    change: str
    features: tuple[str, ...]  # after the change
    objective: Objective
    optimizer: CMAES
    score: float = nan  # mean lines after its last training

    @property
    def vector(self) -> Floats:
        """What it has learned, weights of features divided by their spreads: the mean of its last favourites.

        CMA-ES sees a few games of each candidate, so each favourite is partly luck; a quarter of all is much less so.
        """
        learned = self.optimizer.history
        if not len(learned):
            return self.optimizer.favourite
        return np.asarray(to_length_1(learned["favourite"][-(len(learned) // 4 + 1) :]).mean(axis=0))


def changes(features: Sequence[str], words: Iterable[str], most: int) -> list[str]:
    """The control, each word that can be added to some features, each feature that can be dropped."""
    room = len(features) < most
    added = [ADDED + word for word in words if room and word not in features]
    return [CONTROL, *added, *(DROPPED + one for one in features)]


def after(features: Sequence[str], change: str) -> tuple[str, ...]:
    """The features after a change."""
    if change.startswith(ADDED):
        return (*features, change[1:])
    return tuple(one for one in features if one != change[1:])


def carried(features: Sequence[str], vector: Iterable[float], wanted: Sequence[str]) -> tuple[float, ...]:
    """A vector for other features to begin with: what is known, brought to length 1, and 0 for a new one."""
    known = dict(zip(features, vector, strict=bool(features)))
    return tuple(to_length_1(np.array([known.get(one, 0.0) for one in wanted or NOTHING])).tolist())


def of_kind(kind: str, contenders: Iterable[Contender]) -> list[Contender]:
    """Those that add a feature, or those that drop one; the best come first, once they have a score."""
    return sorted((one for one in contenders if one.change[:1] == kind), key=lambda one: -one.score)


def better_halves(contenders: Sequence[Contender]) -> list[Contender]:
    """The control, the better half of the additions and the better half of the drops."""
    kinds = [of_kind(kind, contenders) for kind in (CONTROL, ADDED, DROPPED)]
    return [one for group in kinds for one in group[: (len(group) + 1) // 2]]
