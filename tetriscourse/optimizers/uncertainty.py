"""Uncertainty handling: let some candidates play again, see how their ranks change, and choose the number of games.

Start at `Uncertainty.evaluate`: UH-CMA-ES of Hansen, Niederberger, Guzzella and Koumoutsakos 2009. It asks less than a
race (is the *ranking* good enough?), and supposes no law of the scores:

    handling = Uncertainty()
    while not optimizer.stop() and handling.evaluations < 10_000:
        x = optimizer.ask()
        optimizer.tell(x, handling.evaluate(x, score))
        optimizer.sigma *= handling.widening(optimizer.dimension)

`score(x, first, games)` gives the mean score of each candidate in games first, first + 1, ... The last line may be left
out: where no more games are allowed, it makes candidates differ more instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.settings import Settings, chosen_settings, setting

Score = Callable[[Floats, int, int], Floats]


@dataclass(frozen=True)
class UncertaintySettings(Settings):
    """Settings of uncertainty handling; theta, alpha, c_s and the candidates who play again are the authors'."""

    again: int = setting(0, "candidates who play again; 0 is 2 + lambda / 10", at_least=0)
    theta: float = setting(0.2, "how large a change of rank is still fine, as a share", above=0, at_most=1)
    c_s: float = setting(1.0, "what the last measurement counts; below 1 those before count, too", above=0, at_most=1)
    alpha: float = setting(1.5, "factor of the games, up or down", above=1)
    fewest: int = setting(1, "fewest games of a candidate, and the first", at_least=1)
    most: int = setting(100, "most games of a candidate", at_least="fewest")


class Uncertainty:
    """How many games the candidates of an iteration play, by how much noise their last ranking had."""

    def __init__(self, settings: UncertaintySettings | None = None, **changes: Any):
        self.settings: UncertaintySettings = chosen_settings(settings, UncertaintySettings(), changes)
        self.limit = float(self.settings.fewest)  # games of a candidate, with fractions
        self.s = 0.0  # the measurement: above 0, ranks have changed too much
        self.evaluations = 0
        self.exhausted = False  # more games were wanted than are allowed

    @property
    def games(self) -> int:
        """Games that each candidate plays now."""
        return int(self.limit)

    def evaluate(self, x: Floats, score: Score) -> Floats:
        """The scores of candidates; a few play as many other games, and tell how many all shall play from now on."""
        games, again = self.games, np.arange(self.settings.again or 2 + len(x) // 10)
        if not 0 < len(again) <= len(x):
            raise InputError(f"again is {len(again)}; it must be at most {len(x)}, the candidates")
        before = score(x, 0, games)
        after = before.copy()
        after[again] = score(x[again], games, games)
        self.evaluations += games * (len(x) + len(again))
        self.adapt(measured(before, after, again, self.settings.theta))
        return (before + after) / 2

    def adapt(self, s: float) -> None:
        """More games if ranks have changed too much, else fewer."""
        one = self.settings
        self.s += one.c_s * (s - self.s)
        self.exhausted = self.s > 0 and self.limit >= one.most
        self.limit = min(self.limit * one.alpha, one.most) if self.s > 0 else max(self.limit / one.alpha, one.fewest)

    def widening(self, n: int) -> float:
        """The factor of the step size in n dimensions: above 1 if noise asks for more games than are allowed."""
        return 1 + 2 / (n + 10) if self.exhausted else 1.0

    def state(self) -> dict[str, float]:
        """Everything that changes from iteration to iteration."""
        return {"limit": self.limit, "s": self.s, "evaluations": self.evaluations}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.limit, self.s, self.evaluations = float(state["limit"]), float(state["s"]), int(state["evaluations"])

    def __repr__(self) -> str:
        return f"Uncertainty({self.games} games each, s = {self.s:.3g}, {self.evaluations:,} evaluations)"


def measured(before: Floats, after: Floats, again: Ints, theta: float) -> float:
    """The uncertainty s: how much farther ranks have changed than is fine, on average over those who played again.

    Ranks are those among all scores, before and after. A change counts the scores that lie between a candidate's two.
    """
    rank = np.argsort(np.argsort(np.concatenate([before, after]), kind="stable")) + 1
    old, new = rank[: len(before)][again], rank[len(before) :][again]
    between = np.abs(new - old) - 1
    fine = [allowed(R, 2 * len(before) - 1, theta) for R in np.concatenate([new - (new > old), old - (old > new)])]
    return float(np.mean(2 * between) - 2 * np.mean(fine))


def allowed(R: int, others: int, theta: float) -> float:
    """A change of rank that is fine: half of theta of all changes from rank R that could come about are smaller."""
    return float(np.percentile(np.abs(np.arange(1, others + 1) - R), 50 * theta))
