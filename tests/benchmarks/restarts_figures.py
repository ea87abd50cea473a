"""Restarts of chapter 09: hills with many summits, and Tetris, with as many evaluations for all.

    python tests/benchmarks/restarts_figures.py hills     ten minutes
    python tests/benchmarks/restarts_figures.py tetris    a quarter of an hour; the board and the judges of the contest

--save stores the table. A run on a hill begins anywhere in a box of ± 5; all searches begin their first run alike.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from contest_figures import BOARD, JUDGED, interval, lines
from scipy.stats import binomtest

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.optimizers.restarts import Restarts
from tetriscourse.random_numbers import Draws, Floats

N, BOX, EVALUATIONS, SEEDS, NEAR = 8, 5.0, 60_000, range(1, 21), 1e-6
PEAKS = 40

Hill = Callable[[Floats, int], Floats]


def rastrigin(x: Floats, seed: int) -> Floats:
    """A bowl with a bump in every unit cube: from far off its slope shows where the top is."""
    return np.asarray(-np.sum(x**2 + 10 * (1 - np.cos(2 * np.pi * x)), axis=1))


@cache
def landscape(seed: int) -> tuple[Floats, Floats, Floats]:
    """Places, heights and widths of forty peaks."""
    draws = Draws(9, 700 + seed)
    places = BOX * 0.8 * (2 * draws.uniform((PEAKS, N)) - 1)
    heights = np.concatenate([[1.0], 0.5 + 0.45 * draws.uniform(PEAKS - 1)])
    widths = 2.0 + 2.0 * draws.uniform(PEAKS)
    return places, heights, widths


def peaks(x: Floats, seed: int) -> Floats:
    """Forty peaks anywhere, other ones for each seed: a peak says nothing about where the highest one is."""
    places, heights, widths = landscape(seed)
    distances = np.sum((x[:, None] - places) ** 2, axis=2)
    return np.asarray(np.max(np.log(heights) - distances / widths**2, axis=1))


HILLS: dict[str, Hill] = {"rastrigin": rastrigin, "forty peaks": peaks}


def searched(**changes: Any) -> Callable[[int], Restarts]:
    """A search in the box, with some settings changed."""
    return lambda seed: Restarts(N, seed=seed, box=BOX, sigma=2.0, evaluations=EVALUATIONS, **changes)


def once(population: int) -> Callable[[int], tc.CMAES]:
    """CMA-ES without restarts: the first run has all evaluations."""
    return lambda seed: searched(population=population)(seed).run


SEARCHES: dict[str, Callable[[int], Restarts | tc.CMAES]] = {
    "once, 10 candidates": once(10), "once, 100 candidates": once(100), "once, 400 candidates": once(400),
    "again and again, 10": searched(kind="same"),
    "again and again, 100": searched(kind="same", population=100), "IPOP": searched(kind="ipop"),
    "BIPOP": searched(kind="bipop"),
}  # fmt: skip
ON_HILLS = ResultTable(
    "python tests/benchmarks/restarts_figures.py hills",
    {
        "hill": "{hill}", "search": "{search}", "found the top": "{found} of {seeds}",
        "95 %": "{low:.0%} to {high:.0%}", "runs begun, median": "{runs:.0f}",
        "evaluations until found, median of those": "{needed}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; {EVALUATIONS:,} evaluations at most",
)  # fmt: skip


def climbed(search: Restarts | tc.CMAES, hill: Hill, seed: int) -> int:
    """Evaluations until a candidate is as good as at the top; 0 if none ever was."""
    used = 0
    while used < EVALUATIONS and not search.stop():
        x = search.ask()
        f = hill(x, seed)
        search.tell(x, f)
        used += len(x)
        if f.max() > -NEAR:
            return used
    return 0


def hills() -> None:
    """A row for each search on each hill."""
    for title, hill in HILLS.items():
        for name, make in SEARCHES.items():
            needed, runs = [], []
            for seed in SEEDS:
                search = make(seed)
                needed.append(climbed(search, hill, seed))
                runs.append(search.number + 1 if isinstance(search, Restarts) else 1)
            found = sum(one > 0 for one in needed)
            chance = binomtest(found, len(needed)).proportion_ci(method="wilson")
            ON_HILLS.add({
                "search": name, "hill": title, "found": found, "seeds": len(needed), "low": round(chance.low, 4),
                "high": round(chance.high, 4), "runs": float(np.median(runs)),
                "needed": f"{np.median([one for one in needed if one]):,.0f}" if found else "none",
            })  # fmt: skip


GAMES, TOTAL = tc.Objective("dn", BOARD, games=10), 30_000
SHORT = 0.03
"""On Tetris a run is over when the longest axis of its cloud is shorter; vectors have length 1."""


def playing(**changes: Any) -> Callable[[int], Restarts]:
    """A search for Tetris: vectors of length 1, ten games for each candidate."""
    settings: dict[str, Any] = {"normalise": True, "step_size": "norm", "tolerance": SHORT, "start": "random"}
    return lambda seed: Restarts(N, seed=seed, evaluations=TOTAL // GAMES.games, **settings | changes)


def one_run(population: int, **changes: Any) -> Callable[[int], tc.CMAES]:
    """CMA-ES without restarts, from where the first run of the others begins."""
    iterations = TOTAL // (GAMES.games * population)

    def make(seed: int) -> tc.CMAES:
        first = playing(population=population)(seed).run
        return tc.CMAES(N, first.settings, first.seed, **{"tolerance": 1e-12, "iterations": iterations} | changes)

    return make


ON_TETRIS: dict[str, Callable[[int], Restarts | tc.CMAES]] = {
    "once, 10 candidates": one_run(10), "once, 10 candidates, and stop": one_run(10, tolerance=SHORT),
    "once, 100 candidates": one_run(100), "again and again, 10": playing(kind="same"),
    "IPOP": playing(kind="ipop"), "BIPOP": playing(kind="bipop"),
}  # fmt: skip
TETRIS = ResultTable(
    "python tests/benchmarks/restarts_figures.py tetris",
    {
        "search": "{search}", "runs begun, median": "{runs:.0f}", "games, median": "{games:,.0f}",
        "lines a game in the median run": "{median:.0f}",
        "range": "{low:.0f} to {high:.0f}", "geometric mean, 95 %": "{mean:.0f}, {mean_low:.0f} to {mean_high:.0f}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; {TOTAL:,} games to learn; judged by {JUDGED:,} games of seed 2026",
)  # fmt: skip


def tetris() -> None:
    """A row for each search."""
    for name, make in ON_TETRIS.items():
        runs = [tc.train(make(seed), GAMES, curve=0, progress=False, threads=1) for seed in SEEDS]
        begun = float(np.median([getattr(run.optimizer, "number", 0) + 1 for run in runs]))
        games = float(np.median([run.games for run in runs]))
        TETRIS.add({"search": name, "runs": begun, "games": games, **interval([lines(run) for run in runs])})


if __name__ == "__main__":
    if "hills" in sys.argv:
        hills()
        if "--save" in sys.argv:
            ON_HILLS.save("restarts-hills")
    if "tetris" in sys.argv:
        tetris()
        if "--save" in sys.argv:
            TETRIS.save("restarts-tetris")
