"""What a feature search is told, and what comes of its rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.features import Feature, known_features
from tetriscourse.grammar import WORDS
from tetriscourse.settings import Settings, setting
from tetriscourse.statistics import Comparison


@dataclass(frozen=True)
class FeatureSearchSettings(Settings):
    """Settings of a feature search."""

    rounds: int = setting(30, "when to stop at the latest", at_least=1)
    most: int = setting(24, "features at most", at_least=1)
    iterations: int = setting(6, "of CMA-ES in each rung", at_least=1)
    population: int = setting(8, "candidates an iteration", at_least=2)
    games: int = setting(8, "games of each candidate in the first rung; twice as many in each further one", at_least=1)
    sigma: float = setting(0.2, "step size at first, of weights of length 1", above=0)
    ranking: int = setting(50, "games that rank the contenders after the first rung; then twice as many", at_least=1)
    final: int = setting(4000, "games in which the last addition and the last drop meet the control", at_least=2)
    margin: float = setting(0.05, "the share of lines that a drop must surely not cost", at_least=0, below=1)


Rival = tuple[str, float, float, float]
"""The name of a feature, the lines of its contender as a share of the control's, and the interval of 95 %."""


@dataclass(frozen=True)
class SearchRound:
    """What came of a round: the change that was made, and those that met the control in the final."""

    change: str  # +NAME or -NAME; empty if none was accepted
    features: tuple[str, ...]  # after it
    lines: float  # their mean in the games of the final
    control: float  # the mean of the control
    addition: Rival | None
    drop: Rival | None
    contenders: int
    games: int  # all games of the round
    moves: int

    @classmethod
    def of(cls, facts: dict[str, Any]) -> SearchRound:
        """A round as it comes back from JSON."""
        lists = {name: tuple(value) for name, value in facts.items() if isinstance(value, list)}
        return cls(**facts | lists)


def rival(kind: str, compared: dict[str, Comparison]) -> Rival | None:
    """The change of a kind that met the control, and how it did."""
    return next(((one[1:], of.ratio, of.low, of.high) for one, of in compared.items() if one[:1] == kind), None)


def checked_words(argument: str, given: Any) -> tuple[str, ...]:
    """The names of features that have one value each, none of them twice."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{argument} is {shown(given)}; it must be a list of features")
    found, known = list[str](), WORDS | known_features()
    for k, one in enumerate(given):
        name = one_of(f"{argument}[{k}]", one.name if isinstance(one, Feature) else one, known)
        if known[name].per_column is not None or name in found:
            problem = "is there twice" if name in found else "has a value for each column"
            raise InputError(f"{argument}[{k}] is {name!r}, which {problem}; each must be one number, named once")
        found.append(name)
    return tuple(found)
