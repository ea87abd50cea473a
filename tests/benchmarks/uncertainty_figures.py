"""How many games? Uncertainty handling, races and fixed numbers in chapter 09, with as many games in all.

    python tests/benchmarks/uncertainty_figures.py hill      a minute; scores are noisy, the top is known
    python tests/benchmarks/uncertainty_figures.py tetris    ten minutes; Tetris, in the game of Boumaza's races

--save stores the table. Everybody gets 10,500 games, about what races with the Tetris bound play in 25 iterations.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from contest_figures import interval

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.optimizers.evaluation import run_race
from tetriscourse.optimizers.uncertainty import Uncertainty
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.simulator import play
from tetriscourse.simulator.run import Pool

N, BUDGET, SEEDS, LARGEST = 8, 10_500, range(1, 21), 1_000

# --- ways to choose the number of games -----------------------------------------------------------------


class Fixed:
    """So many games for everybody."""

    def __init__(self, games: int):
        self.games = games

    def __call__(self, optimizer: Any, x: Floats, noise: Noise) -> tuple[Floats, int]:
        return noise.scores(x, 0, self.games).mean(axis=1), len(x) * self.games


class Raced:
    """A race with the Tetris bound, as Boumaza's."""

    def __init__(self) -> None:
        self.racing = tc.Racing("tetris")

    def __call__(self, optimizer: Any, x: Floats, noise: Noise) -> tuple[Floats, int]:
        race = self.racing.next_race(len(x), optimizer.parents(len(x)))
        if isinstance(noise, OfTetris):
            with Pool(None, 1) as pool:
                run_race(pool, noise.objective, x, noise.seed, race)
        else:
            table = noise.scores(x, 0, race.limit)
            while race.wanted:
                race.add(race.wanted, table[race.wanted, race.rounds])
        self.racing.settle(race)
        return race.scores(), race.evaluations


class Handled:
    """Uncertainty handling."""

    def __init__(self, widen: bool = False, **changes: Any):
        self.handling, self.widen = Uncertainty(**changes), widen

    def __call__(self, optimizer: Any, x: Floats, noise: Noise) -> tuple[Floats, int]:
        before = self.handling.evaluations

        def score(some: Floats, first: int, games: int) -> Floats:
            return noise.scores(some, first, games).mean(axis=1)

        found = self.handling.evaluate(x, score)
        self.factor = self.handling.widening(optimizer.dimension) if self.widen else 1.0
        return found, self.handling.evaluations - before


# --- what is noisy --------------------------------------------------------------------------------------


class Noise:
    """Where the scores of an iteration come from."""

    def __init__(self, seed: int):
        self.seed = seed

    def scores(self, x: Floats, first: int, games: int) -> Floats:
        """A row for each candidate: its scores in so many games from the first one on."""
        raise NotImplementedError


class OfHill(Noise):
    """Exponential scores, as in Tetris, whose mean is 1,000 / (1 + |x|^2): highest at the origin."""

    def scores(self, x: Floats, first: int, games: int) -> Floats:
        luck = -np.log([Draws(self.seed, first + k).uniform(len(x)) for k in range(games)]).T
        return np.asarray(luck * 1000 / (1 + np.sum(x**2, axis=1))[:, None])


class OfTetris(Noise):
    """Lines in the hardest game, on common pieces."""

    objective = tc.Objective("dn", "hardest", 100)

    def scores(self, x: Floats, first: int, games: int) -> Floats:
        played = play(self.objective.work(x, self.seed, first, games))
        return self.objective.scores(played).reshape(len(x), games)


WAYS: dict[str, Callable[[], Any]] = {
    "1 game each": lambda: Fixed(1), "10 games each": lambda: Fixed(10), "28 games each": lambda: Fixed(28),
    "100 games each": lambda: Fixed(100), "races, Tetris bound": Raced, "uncertainty handling": Handled,
    "uncertainty handling, theta 0.5": lambda: Handled(theta=0.5),
    "uncertainty handling, all play again": lambda: Handled(again=10),
    "uncertainty handling, with the step size": lambda: Handled(widen=True),
}  # fmt: skip


def steps(optimizer: Any, way: Any, noise: Callable[[int], Noise], budget: int = BUDGET) -> Iterator[float]:
    """Run until the games are used up; the games of a candidate in each iteration, on average."""
    used = 0
    while used < budget and not optimizer.stop():
        x = optimizer.ask()
        found, games = way(optimizer, x, noise(derived_seed(optimizer.seed, optimizer.iteration, 5)))
        optimizer.tell(x, found)
        optimizer.sigma *= getattr(way, "factor", 1.0)
        used += games
        yield games / len(x)


# --- the tables -----------------------------------------------------------------------------------------

HILL = ResultTable(
    "python tests/benchmarks/uncertainty_figures.py hill",
    {
        "how many games": "{way}", "iterations, median": "{iterations:.0f}", "games each, last ten": "{late:.0f}",
        "missing to the top, median": "{median:.1%}", "quartiles": "{low:.1%} to {high:.1%}", "most": "{most:.1%}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; {BUDGET:,} games; missing of 1,000",
)  # fmt: skip
TETRIS = ResultTable(
    "python tests/benchmarks/uncertainty_figures.py tetris",
    {
        "how many games": "{way}", "iterations, median": "{iterations:.0f}", "games each, last ten": "{late:.0f}",
        "lines a game in the median run": "{median:.0f}", "range": "{low:.0f} to {high:.0f}",
        "geometric mean, 95 %": "{mean:.0f}, {mean_low:.0f} to {mean_high:.0f}",
    },
    seed=f"{SEEDS[0]} to {SEEDS[-1]}; {BUDGET:,} games; judged by {LARGEST:,} games of seed 2026",
)  # fmt: skip


def hill() -> None:
    """A row for each way: how far below the top the mean of the cloud is in the end, in truth."""
    for name, way in WAYS.items():
        ends, counts, late = [], [], []
        for seed in SEEDS:
            optimizer = tc.CMAES(N, seed=seed, start=(1,) * N, step_size="norm", iterations=10**6, tolerance=0)
            games = list(steps(optimizer, way(), OfHill))
            square = float(np.sum(optimizer.m**2))
            ends.append(square / (1 + square))
            counts.append(len(games))
            late.append(np.mean(games[-10:]))
        low, median, high = np.quantile(ends, (0.25, 0.5, 0.75))
        HILL.add({
            "way": name, "iterations": float(np.median(counts)), "late": round(float(np.mean(late)), 1),
            "median": round(float(median), 5), "low": round(float(low), 5), "high": round(float(high), 5),
            "most": round(max(ends), 5),
        })  # fmt: skip


def tetris(ways: list[str]) -> None:
    """A row for each way: the player in the end, in games that nobody has learned from."""
    for name in ways:
        ends, counts, late = [], [], []
        for seed in SEEDS:
            optimizer = tc.CMAES(N, "boumaza-racing", seed=seed, iterations=10**6)
            games = list(steps(optimizer, WAYS[name](), OfTetris))
            player = tc.Player("dn", optimizer.favourite.tolist())
            ends.append(tc.simulate(player, tc.RULES["hardest"], LARGEST, 2026, progress=False, threads=1).mean)
            counts.append(len(games))
            late.append(np.mean(games[-10:]))
        row = {"way": name, "iterations": float(np.median(counts)), "late": round(float(np.mean(late)), 1)}
        TETRIS.add(row | interval(ends))


if __name__ == "__main__":
    if "hill" in sys.argv:
        hill()
        if "--save" in sys.argv:
            HILL.save("uncertainty-hill")
    if "tetris" in sys.argv:
        tetris(list(WAYS)[1:])
        if "--save" in sys.argv:
            TETRIS.save("uncertainty-tetris")
