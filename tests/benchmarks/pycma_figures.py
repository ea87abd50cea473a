"""This library's CMA-ES against pycma (`pip install cma`, part of the extra `test`): figures of chapter 09.

    python tests/benchmarks/pycma_figures.py hills     a minute: evaluations until a hill is climbed
    python tests/benchmarks/pycma_figures.py tetris    a minute: 3,000 games of Tetris, on the board of the contest

--save stores the table. Starting point, first step size, population and budget are the same, and so are the seeds,
though the two programs draw other numbers from them. pycma's default is *active*: the worst candidates count, too, with
negative weights.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import cma
import numpy as np
from contest_figures import BOARD, GAMES, JUDGED, N, ellipsoid, interval, turned

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.simulator import play

POPULATION, SEEDS, NEAR, MOST, TOTAL = 10, range(1, 21), 1e-9, 20_000, 3_000

Values = Callable[[Floats], Floats]


def sphere(x: Floats) -> float:
    """The same slope in all directions."""
    return -float(np.sum(x**2))


class Ours:
    """This library's."""

    def __init__(self, start: float, sigma: float, seed: int, **changes: Any):
        self.optimizer = tc.CMAES(
            N, start=(start,) * N, sigma=sigma, seed=seed, population=POPULATION, iterations=MOST, tolerance=0,
            **changes
        )  # fmt: skip

    def step(self, values: Values) -> float:
        """An iteration; the best score in it."""
        x = self.optimizer.ask()
        f = values(x)
        self.optimizer.tell(x, f)
        return float(f.max())

    @property
    def mean(self) -> Floats:
        return self.optimizer.m


class Pycma:
    """pycma, which minimises."""

    def __init__(self, start: float, sigma: float, seed: int, active: bool):
        options = {
            "seed": seed, "popsize": POPULATION, "CMA_active": active, "verbose": -9, "tolfun": 0, "tolx": 0,
            "tolfunhist": 0,
        }  # fmt: skip
        self.optimizer = cma.CMAEvolutionStrategy([start] * N, sigma, options)

    def step(self, values: Values) -> float:
        """An iteration; the best score in it."""
        x = self.optimizer.ask()
        f = values(np.array(x))
        self.optimizer.tell(x, (-f).tolist())
        return float(f.max())

    @property
    def mean(self) -> Floats:
        return np.array(self.optimizer.mean)


PROGRAMS: dict[str, Callable[..., Any]] = {
    "ours": Ours, "ours, step_size='norm'": lambda *of: Ours(*of, step_size="norm"),
    "pycma, not active": lambda *of: Pycma(*of, active=False), "pycma": lambda *of: Pycma(*of, active=True),
}  # fmt: skip
HILLS = ResultTable(
    "python tests/benchmarks/pycma_figures.py hills",
    {
        "hill": "{hill}", "program": "{program}", "evaluations, median": "{median:,.0f}",
        "range": "{low:,.0f} to {high:,.0f}",
        "geometric mean, 95 %": "{mean:,.0f}, {mean_low:,.0f} to {mean_high:,.0f}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; from (1, ..., 1) on, sigma 10, until less than {NEAR:.0e} is missing",
)  # fmt: skip


def needed(one: Any, hill: Callable[[Floats], float]) -> float:
    """Evaluations until a candidate is as good as at the top."""
    for used in range(POPULATION, MOST + 1, POPULATION):
        if one.step(lambda x: np.array([hill(row) for row in x])) > -NEAR:
            return used
    raise RuntimeError(f"not found within {MOST:,} evaluations")


def hills() -> None:
    """A row for each program on each hill."""
    for hill in (sphere, ellipsoid, turned):
        for name, make in PROGRAMS.items():
            found = interval([needed(make(1.0, 10.0, seed), hill) for seed in SEEDS])
            HILLS.add({"hill": hill.__name__, "program": name, **found})


TETRIS = ResultTable(
    "python tests/benchmarks/pycma_figures.py tetris",
    {
        "program": "{program}", "lines a game in the median run": "{median:.0f}", "range": "{low:.0f} to {high:.0f}",
        "geometric mean, 95 %": "{mean:.0f}, {mean_low:.0f} to {mean_high:.0f}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; {TOTAL:,} games to learn; judged by {JUDGED:,} games of seed 2026",
)  # fmt: skip


def learned(one: Any, seed: int) -> float:
    """Lines a game of the mean in the end, in games that nobody has learned from; the games are those of `train`."""
    for iteration in range(TOTAL // (POPULATION * GAMES.games)):
        games = derived_seed(seed, iteration, 1)
        one.step(lambda x, games=games: GAMES.scores(play(GAMES.work(x, games))).reshape(len(x), -1).mean(axis=1))
    return tc.simulate(tc.Player("dn", one.mean.tolist()), BOARD, JUDGED, 2026, progress=False, threads=1).mean


def tetris() -> None:
    """A row for each program, without vectors of length 1, as pycma has no such thing; and one with them."""
    lines = {**PROGRAMS, "ours, step_size='norm', length 1": lambda *of: Ours(*of, step_size="norm", normalise=True)}
    for name, make in lines.items():
        TETRIS.add({"program": name, **interval([learned(make(0.0, 0.5, seed), seed) for seed in SEEDS])})


if __name__ == "__main__":
    if "hills" in sys.argv:
        hills()
        if "--save" in sys.argv:
            HILLS.save("pycma-hills")
    if "tetris" in sys.argv:
        tetris()
        if "--save" in sys.argv:
            TETRIS.save("pycma-tetris")
