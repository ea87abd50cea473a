"""Contenders of a feature search: the present features with at most one change, and weights that learn to go with it.

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
    """A change, and what has been learned for it."""

    change: str
    objective: Objective  # with the features after the change
    vector: Floats  # weights of these, divided by their spreads
    score: float = nan  # mean lines after its last training


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


def carried(features: Sequence[str], vector: Floats, wanted: Sequence[str]) -> Floats:
    """A vector for other features to begin with: what is known, brought to length 1, and 0 for a new one."""
    known = dict(zip(features or NOTHING, vector.tolist(), strict=True))
    return to_length_1(np.array([known.get(one, 0.0) for one in wanted or NOTHING]))


def late_mean(optimizer: CMAES) -> Floats:
    """The mean of the last quarter of an optimizer's favourites, each of which is partly luck."""
    favourites = optimizer.history["favourite"]
    return np.asarray(to_length_1(favourites[-(len(favourites) // 4 + 1) :]).mean(axis=0))


def of_kind(kind: str, contenders: Iterable[Contender]) -> list[Contender]:
    """Those that add a feature, or those that drop one; the best come first, once they have a score."""
    return sorted((one for one in contenders if one.change[:1] == kind), key=lambda one: -one.score)


def better_halves(contenders: Sequence[Contender]) -> list[Contender]:
    """The control, the better half of the additions and the better half of the drops."""
    kinds = [of_kind(kind, contenders) for kind in (CONTROL, ADDED, DROPPED)]
    return [one for group in kinds for one in group[: (len(group) + 1) // 2]]
