"""Restarts: when a run of CMA-ES is over, begin another, with more candidates or with fewer.

Read `Restarts.update` first, then `_next_run`: IPOP doubles the population with each run (Auger and Hansen 2005), BIPOP
runs large and small populations by turns, as many evaluations for each (Hansen 2009). 'same' is their control.
Everything lasts until the evaluations are used up; the runs themselves are ordinary ones of cma_es.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, ClassVar

import numpy as np

from tetriscourse.optimizers.cma_es import CMAES, CMASettings, Constants
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.settings import setting

KINDS = {
    "ipop": "each run has twice the candidates of the one before",
    "bipop": "large runs, which double, and small ones of random size and step, by turns",
    "same": "all runs have as many candidates",
}
ENDS = ("", "shrunk", "diverged", "flat", "alike", "stagnant", "out of its share")
"""Why a run is over, as its number in the history says; 0 while it goes on."""
RUN_LABEL, PLACE_LABEL = 2, 3  # separate the seeds of the runs, and what is drawn when a run begins
ENDLESS = 10**9


@dataclass(frozen=True)
class RestartSettings(CMASettings):
    """Settings of all runs together; those of CMAES are settings of the first."""

    iterations: int = setting(ENDLESS, "when to stop in any case", at_least=1)
    kind: str = setting("ipop", "how one run follows another: " + ", ".join(KINDS), one_of=KINDS)
    evaluations: int = setting(10_000, "when to stop: candidates of all runs together", at_least=1)
    box: float = setting(0.0, "every run begins anywhere within ± box; 0: at `start`", at_least=0)
    alike: float = setting(1e-12, "a run is over when its scores have long been closer to each other", at_least=0)
    patience: int = setting(0, "iterations in which a run must rise; 0 is 120 + 30 n / lambda", at_least=0)


class Restarts(Optimizer):
    """CMA-ES again and again, until all evaluations are used up."""

    name = "restarts"
    Settings = RestartSettings
    NAMED: ClassVar[Mapping[str, Any]] = {kind: RestartSettings(kind=kind) for kind in KINDS}
    variables = (
        "number", "population", "large", "doublings", "limit", "spent", "bests", "means", "champion", "champion_score",
    )  # fmt: skip

    def __init__(self, dimension: int, settings: Any = None, seed: int = 0, **changes: Any):
        super().__init__(dimension, settings, seed, **changes)
        self.number, self.doublings, self.large = 0, 0, 1.0  # of this run: its place, and whether it is a large one
        self.population = Constants.of(self.dimension, self.settings.population).lambda_
        self.limit = inf  # evaluations that this run may use
        self.spent = np.zeros(2)  # evaluations of all small and of all large runs
        self.bests, self.means = np.empty(0), np.empty(0)  # of the candidates' scores in this run, by iteration
        self.champion, self.champion_score = np.zeros(self.dimension), -inf  # of the runs that are over
        self.run = self._begun(self.settings.sigma)

    def _begun(self, sigma: float) -> CMAES:
        """A run with this population and step size."""
        s, seed = self.settings, derived_seed(self.seed, RUN_LABEL, self.number)
        place = Draws(derived_seed(seed, PLACE_LABEL), 0).uniform(self.dimension)
        start = tuple((s.box * (2 * place - 1)).tolist()) if s.box else s.start
        return CMAES(
            self.dimension, seed=seed, population=self.population, sigma=sigma, iterations=ENDLESS, start=start,
            normalise=s.normalise, step_size=s.step_size, tolerance=s.tolerance, divergence=s.divergence,
        )  # fmt: skip

    def ask(self) -> Floats:
        """The candidates of the run that goes on."""
        return self.run.ask()

    def update(self, x: Floats, f: Floats) -> None:
        """An iteration of the run that goes on; if it is over now, the next one begins."""
        self.run.update(x, f)
        self.run.iteration += 1
        self.spent[int(self.large)] += len(x)
        self.bests, self.means = np.append(self.bests, f.max()), np.append(self.means, f.mean())
        end = self._end(f)
        self.history.add(run=float(self.number), population=float(len(x)), ended=float(ENDS.index(end)))
        if end:
            if self.means[-1] > self.champion_score:
                self.champion, self.champion_score = self.run.m, float(self.means[-1])
            self._next_run()

    def _end(self, f: Floats) -> str:
        """Why the run is over after these scores, one of ENDS."""
        if reason := self.run.stop():
            return next(end for end in ENDS[1:4] if end in reason)
        n, count, iterations = self.dimension, len(f), len(self.bests)
        long = 10 + ceil(30 * n / count)
        if iterations >= long and max(np.ptp(self.bests[-long:]), np.ptp(f)) < self.settings.alike:
            return "alike"
        window = max(self.settings.patience or 120 + ceil(30 * n / count), iterations // 5)
        if iterations >= window and not (rises(self.bests[-window:]) or rises(self.means[-window:])):
            return "stagnant"
        return "out of its share" if iterations * count >= self.limit else ""

    def _next_run(self) -> None:
        """How many candidates the next run has, how far it steps at first, and how long it may last."""
        s, first = self.settings, Constants.of(self.dimension, self.settings.population).lambda_
        used = len(self.bests) * self.population
        allowed = used / 2 if self.large else self.limit  # half of the last large run, for small ones
        self.number, self.bests, self.means = self.number + 1, np.empty(0), np.empty(0)
        self.large, self.limit, sigma = 1.0, inf, s.sigma
        if s.kind == "bipop" and self.doublings and self.spent[0] < self.spent[1]:
            size, step = Draws(derived_seed(self.seed, RUN_LABEL, self.number), 0).uniform(2)
            self.large, self.limit = 0.0, allowed
            self.population = int(first * (2.0**self.doublings / 2) ** float(size**2))
            sigma *= 10 ** (-2 * float(step))
        elif s.kind != "same":
            self.doublings += 1
            self.population = first * 2**self.doublings
        self.run = self._begun(sigma)

    def stop(self) -> str:
        """Why it is time to stop: all evaluations are used up, or all iterations done."""
        if self.spent.sum() >= self.settings.evaluations:
            return f"all {self.settings.evaluations:,} evaluations are used up"
        return super().stop()

    @property
    def tells(self) -> int:
        """At most so many iterations; larger populations take fewer."""
        first = Constants.of(self.dimension, self.settings.population).lambda_
        return int(min(self.settings.iterations, ceil(self.settings.evaluations / first)))

    @property
    def favourite(self) -> Floats:
        """The mean of the best run, as the mean score of its last candidates tells."""
        return self.run.m if len(self.means) and self.means[-1] >= self.champion_score else self.champion

    def parents(self, candidates: int) -> int:
        return self.run.parents(candidates)

    def recorded(self) -> dict[str, float | Floats]:
        """What a run of CMA-ES records; after its last iteration, of the one that begins."""
        return self.run.recorded()

    @property
    def runs(self) -> list[tuple[int, int, str]]:
        """Of each run: candidates an iteration, evaluations, and why it is over, if it is."""
        number, sizes, ends = (self.history[name] for name in ("run", "population", "ended"))
        found = []
        for k in range(int(number[-1]) + 1 if len(number) else 0):
            its = np.flatnonzero(number == k)
            found.append((int(sizes[its[0]]), int(sizes[its].sum()), ENDS[int(ends[its[-1]])]))
        return found

    def state(self) -> dict[str, Any]:
        inner = {f"run/{name}": np.array(getattr(self.run, name)) for name in (*self.run.variables, "iteration")}
        return super().state() | inner

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.run = self._begun(self.settings.sigma)
        for name in (*self.run.variables, "iteration"):
            value = np.array(state[f"run/{name}"])
            setattr(self.run, name, value if value.ndim else value.item())

    def _checked(self, candidates: Any, scores: Any) -> tuple[Floats, Floats]:
        self.run._checked(candidates, scores)
        return super()._checked(candidates, scores)


def rises(scores: Floats) -> bool:
    """Whether the last third of some scores is higher than the first, by their medians."""
    third = max(1, 3 * len(scores) // 10)
    return bool(np.median(scores[-third:]) > np.median(scores[:third]))
