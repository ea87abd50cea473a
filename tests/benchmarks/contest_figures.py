"""Cross-entropy, with independent weights and with a full covariance matrix, against CMA-ES: figures of chapter 09.

    python tests/benchmarks/contest_figures.py hills     a minute: two hills on paper, as many evaluations for all
    python tests/benchmarks/contest_figures.py tetris    twenty minutes: Tetris, as many games for all

--save stores the table. All searches of a hill begin with the same cloud, of deviation 10 around (1, ..., 1).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import ResultTable

N = 8
STEEP = 10.0 ** np.linspace(0, 4, N)
MIRROR = np.eye(N) - 2 * np.outer(STEEP**0.1, STEEP**0.1) / np.sum(STEEP**0.2)
EVALUATIONS, SEEDS = (2000, 4000, 8000), range(1, 11)

Make = Callable[..., Any]


def ellipsoid(x: Any) -> float:
    """Ten thousand times as steep in one direction as in another."""
    return -float(np.sum(STEEP * x**2))


def turned(x: Any) -> float:
    """The same hill in a tilted mirror."""
    return ellipsoid(MIRROR @ x)


def entropy(population: int, rho: float, covariance: str = "diagonal") -> Make:
    """Cross-entropy, for hills."""
    return lambda seed: tc.CrossEntropy(
        N, seed=seed, population=population, rho=rho, covariance=covariance, initial_mean=1, iterations=10_000,
        tolerance=0,
    )  # fmt: skip


def evolution(population: int = 0, round_cloud: bool = False) -> Make:
    """CMA-ES, for hills."""

    def make(seed: int) -> tc.CMAES:
        found = tc.CMAES(
            N, seed=seed, population=population, sigma=10, start=(1,) * N, step_size="norm", iterations=10_000,
            tolerance=0,
        )  # fmt: skip
        if round_cloud:
            found.constants = replace(found.constants, c_1=0, c_mu=0)
        return found

    return make


ON_HILLS = {
    "independent weights, 10 of 100": entropy(100, 0.1), "full covariance, 10 of 100": entropy(100, 0.1, "full"),
    "independent weights, 50 of 200": entropy(200, 0.25), "full covariance, 50 of 200": entropy(200, 0.25, "full"),
    "full covariance, 100 of 400": entropy(400, 0.25, "full"), "full covariance, 5 of 10": entropy(10, 0.5, "full"),
    "round cloud, 5 of 10": evolution(round_cloud=True), "CMA-ES, 5 of 10": evolution(),
    "CMA-ES, 100 of 200": evolution(200),
}  # fmt: skip
HILLS = ResultTable(
    "python tests/benchmarks/contest_figures.py hills",
    {
        "search, elite": "{search}", "hill": "{hill}",
        **{f"missing after {k:,}": f"{{median_{k}:.0e}} ({{least_{k}:.0e}} to {{most_{k}:.0e}})" for k in EVALUATIONS},
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; median and range",
)  # fmt: skip


def missing(optimizer: Any, hill: Callable[..., float]) -> list[float]:
    """What is missing to the top, 0, after each number of evaluations; at the end if the search has stopped."""
    played, found = 0, []
    for evaluations in EVALUATIONS:
        while played < evaluations and not optimizer.stop():
            x = optimizer.ask()
            optimizer.tell(x, [hill(one) for one in x])
            played += len(x)
        found.append(-hill(optimizer.favourite))
    return found


def hills() -> None:
    """A row for each search on each hill."""
    for search, make in ON_HILLS.items():
        for hill in (ellipsoid, turned):
            ends = np.array([missing(make(seed), hill) for seed in SEEDS]).T
            figures = {
                f"{what}_{k}": float(f"{of(values):.3g}")
                for k, values in zip(EVALUATIONS, ends, strict=True)
                for what, of in (("median", np.median), ("least", np.min), ("most", np.max))
            }
            HILLS.add({"search": search, "hill": hill.__name__, **figures})


BOARD = replace(tc.RULES["harder"], height=10)
GAMES, JUDGED, RUNS = tc.Objective("dn", BOARD, games=10), 1000, range(1, 21)


def cross(population: int, rho: float, covariance: str = "diagonal", **changes: Any) -> Make:
    """Cross-entropy, for Tetris."""
    return lambda seed, iterations: tc.CrossEntropy(
        N, seed=seed, population=population, rho=rho, covariance=covariance, iterations=iterations, **changes
    )


def adaptation(population: int = 10) -> Make:
    """CMA-ES, for Tetris."""
    return lambda seed, iterations: tc.CMAES(N, "boumaza", seed=seed, population=population, iterations=iterations)


ON_TETRIS: dict[int, dict[str, tuple[int, Make]]] = {
    3_000: {
        "independent weights, 5 of 50": (50, cross(50, 0.1)), "independent weights, 6 of 30": (30, cross(30, 0.2)),
        "full covariance, 5 of 50": (50, cross(50, 0.1, "full")),
        "full covariance, 12 of 50": (50, cross(50, 0.25, "full")),
        "full covariance, 15 of 30": (30, cross(30, 0.5, "full")),
        "full covariance, 5 of 10": (10, cross(10, 0.5, "full")),
        "CMA-ES, 5 of 10": (10, adaptation()), "CMA-ES, 25 of 50": (50, adaptation(50)),
    },
    30_000: {
        "independent weights, 10 of 100": (100, cross(100, 0.1)),
        "independent weights, 10 of 100, noise 4": (100, cross(100, 0.1, noise=4)),
        "full covariance, 10 of 100": (100, cross(100, 0.1, "full")),
        "full covariance, 10 of 100, noise 4": (100, cross(100, 0.1, "full", noise=4)),
        "full covariance, 25 of 100": (100, cross(100, 0.25, "full")),
        "full covariance, 50 of 200": (200, cross(200, 0.25, "full")),
        "CMA-ES, 5 of 10": (10, adaptation()), "CMA-ES, 50 of 100": (100, adaptation(100)),
    },
}  # fmt: skip
TETRIS = ResultTable(
    "python tests/benchmarks/contest_figures.py tetris",
    {
        "games to learn": "{games:,}", "search, elite": "{search}", "iterations": "{iterations}",
        "lines a game in the median run": "{median:.0f}", "range": "{low:.0f} to {high:.0f}",
        "geometric mean, 95 %": "{mean:.0f}, {mean_low:.0f} to {mean_high:.0f}",
    },
    seed=f"{RUNS[0]} to {RUNS[-1]}; judged by {JUDGED:,} games of seed 2026",
)  # fmt: skip


def lines(run: tc.Training) -> float:
    """Lines a game in games that nobody has learned from."""
    return tc.simulate(run.player(), BOARD, JUDGED, seed=2026, progress=False, threads=1).mean


def interval(ends: list[float]) -> dict[str, float]:
    """Of the players of several runs: median, range, and the geometric mean of their lines with its 95 % interval."""
    from scipy.stats import t

    logs = np.log(ends)
    half = t.ppf(0.975, len(logs) - 1) * logs.std(ddof=1) / np.sqrt(len(logs))
    mean, low, high = np.exp(logs.mean() + half * np.array([0, -1, 1]))
    return {
        "median": round(float(np.median(ends)), 1), "low": round(min(ends), 1), "high": round(max(ends), 1),
        "mean": round(float(mean), 1), "mean_low": round(float(low), 1), "mean_high": round(float(high), 1),
    }  # fmt: skip


def tetris() -> None:
    """A row for each search with each number of games."""
    for games, searches in ON_TETRIS.items():
        for search, (population, make) in searches.items():
            iterations = games // (population * GAMES.games)
            runs = [tc.train(make(seed, iterations), GAMES, curve=0, progress=False, threads=1) for seed in RUNS]
            found = interval([lines(run) for run in runs])
            TETRIS.add({"games": games, "search": search, "iterations": iterations, **found})


if __name__ == "__main__":
    if "hills" in sys.argv:
        hills()
        if "--save" in sys.argv:
            HILLS.save("contest-hills")
    if "tetris" in sys.argv:
        tetris()
        if "--save" in sys.argv:
            TETRIS.save("contest-tetris")
