"""Judges of chapter 09: CMA-ES and racing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import exp, hypot, log, sqrt
from typing import Any

import numpy as np

from tetriscourse.course.differences import Function, first_difference, named, same_value
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.noisy_hill import TOP, noisy_hill
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, expected, nothing_yet, too_short
from tetriscourse.errors import readable
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.objectives import Objective, mean_vector
from tetriscourse.optimizers.run_options import checked_racing
from tetriscourse.optimizers.training import Curve, Run
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.simulator import simulate
from tetriscourse.simulator.run import Pool


@exercise("09.1", "Length one", answers="to_length_1", points=1)
def length_one(to_length_1: Function, *, seed: int) -> Outcome:
    """Right when every row has its direction, and length 1 if it has one."""

    def scaled(rows: Floats) -> Floats:
        return np.array([[value / (hypot(*row) or 1.0) for value in row] for row in rows.tolist()])

    return first_difference(to_length_1, scaled, some_rows(seed), show="candidates")


def some_rows(seed: int) -> Iterator[tuple[Floats]]:
    """Arrays of candidates, small ones first, some with a row of zeros."""
    small = ([[2]], [[3, -4]], [[3, 4], [0, 2]], [[0, 0], [0, 5]])
    yield from ((np.array(rows, np.float64),) for rows in small)
    draws = Draws(seed, 901)
    for k in range(12):
        rows = np.round(8 * draws.normal((1 + k // 2, 2 + k // 3)), 1)
        rows[: k % 3 == 2] = 0
        yield (rows,)


@exercise("09.2", "The rank-one update", answers="rank_one", points=2)
def rank_one_update(rank_one: Function, *, seed: int) -> Outcome:
    """Right when the matrix is the blend, and the old one is left alone."""
    found = first_difference(rank_one, blended, some_updates(seed), show="C y c")
    if not isinstance(found, Right):
        return found
    C = np.array([[1.0, 0.5], [0.5, 2.0]])
    before = C.copy()
    rank_one(C, np.array([3.0, 1.0]), 0.2)
    said = "The result is right, but `C` itself was changed on the way. Return a new array."
    return Right() if np.array_equal(C, before) else Wrong(said, named(before=before, after=C))


def some_updates(seed: int) -> Iterator[tuple[Floats, Floats, float]]:
    """Covariance matrices, steps and learning rates, small ones first."""
    yield np.eye(1), np.array([2.0]), 0.5
    yield np.eye(2), np.array([1.0, -2.0]), 0.5
    yield np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([3.0, 1.0]), 0.2
    draws = Draws(seed, 902)
    for n in (2, 2, 3, 3, 4, 6):
        root = np.round(draws.normal((n, n)), 1)
        yield root @ root.T, np.round(2 * draws.normal(n), 1), round(0.05 + 0.9 * float(draws.uniform()), 2)


def blended(C: Floats, y: Floats, c: float) -> Floats:
    """The update, entry by entry."""
    n = len(y)
    return np.array([[(1 - c) * C[i, j] + c * y[i] * y[j] for j in range(n)] for i in range(n)])


@exercise("09.3", "How far to step", answers="next_step", points=2)
def step_size(next_step: Function, *, seed: int) -> Outcome:
    """Right when path and step size are those of the two formulas."""
    return first_difference(next_step, followed, some_steps(seed), show="sigma p y c d")


def some_steps(seed: int) -> Iterator[tuple[float, Floats, Floats, float, float]]:
    """A step size, a path, a step of the mean and two constants; simple ones first."""
    yield 1.0, np.zeros(1), np.zeros(1), 0.5, 1.0
    yield 1.0, np.zeros(2), np.array([3.0, 4.0]), 0.5, 1.0
    yield 0.5, np.array([1.0, 1.0]), np.array([-1.0, -1.0]), 0.3, 2.0
    draws = Draws(seed, 903)
    for n in (2, 3, 5, 8, 8):
        p, y = (np.round(draws.normal(n), 2) for _ in "py")
        sigma, c, d = np.round(0.1 + 0.8 * draws.uniform(3), 2).tolist()
        yield sigma, p, y, c, 1 + d


def followed(sigma: float, p: Floats, y: Floats, c: float, d: float) -> tuple[float, list[float]]:
    """Both formulas, number by number."""
    n, gain = len(p), sqrt(c * (2 - c))
    path = [(1 - c) * old + gain * new for old, new in zip(p.tolist(), y.tolist(), strict=True)]
    chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))
    return sigma * exp(c / d * (hypot(*path) / chi - 1)), path


@exercise("09.4", "Hoeffding's half-width", answers="games_needed", points=2)
def half_width(games_needed: Function, *, seed: int) -> Outcome:
    """Right when it is the least number of games after which two intervals no longer touch."""
    draws = Draws(seed, 904)
    cases = [(10.0, 1.0, 2, 0.5), (2.5, 1.0, 2, 0.5), (1.0, 1.0, 2, 0.5), (1.0, 1.0, 10, 0.05)]
    cases.append((500.0, 1850.0, 10, 0.05))
    for gap, wide, count, unsure in zip(*draws.uniform((4, 12)).tolist(), strict=True):
        R = round(10 + 990 * wide)
        cases.append((round(R * (0.05 + 0.9 * gap), 1), float(R), 2 + int(20 * count), round(0.01 + 0.6 * unsure, 2)))
    return first_difference(games_needed, first_apart, cases, show="gap R candidates delta")


def first_apart(gap: float, R: float, candidates: int, delta: float) -> int:
    """Bisection: the intervals are apart from some number of games on, as ln(a r) / r falls."""

    def apart(r: int) -> bool:
        return gap > 2 * R * sqrt(log(2 * candidates * r / delta) / (2 * r))

    high = 1
    while not apart(high):
        high *= 2
    low = high // 2  # not apart, or 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if apart(middle) else (middle, high)
    return high


Width = Callable[[float, int], float]
WIDTHS: dict[str, Width] = {
    "5": lambda mean, r: 5.0,
    "20 / sqrt(r)": lambda mean, r: 20 / sqrt(r),
    "2 mean / sqrt(r)": lambda mean, r: 2 * mean / sqrt(r),
}
"""Bounds by their formulas: the half-width of an interval after r games."""


@exercise("09.5", "A race", answers="race", points=3)
def fair_race(race: Function, *, seed: int) -> Outcome:
    """Right when the same candidates get places after the same number of games."""

    def ask(race: Function, games: Floats, mu: int, bound: str) -> Any:
        return race(games, mu, WIDTHS[bound])

    def show(games: Floats, mu: int, bound: str) -> list[str]:
        rows = games.astype(np.int64).tolist()
        return [f"mu = {mu}, half-width {bound}", *(f"games[{i}] = {row}" for i, row in enumerate(rows))]

    return first_difference(race, raced, some_races(seed), ask=ask, same=same_race, show=show)


def some_races(seed: int) -> Iterator[tuple[Floats, int, str]]:
    """Tables of scores, places and bounds: two candidates first, then more; no two means are ever equal."""
    three = np.array([[30.0, 32.0, 31.0], [22.0, 23.0, 18.0], [8.0, 90.0, 90.0]])
    yield np.array([[10.0], [90.0]]), 1, "5"
    yield np.array([[50.0, 50.0], [49.0, 20.0]]), 1, "5"
    yield from ((three, 1, "5"), (three, 2, "5"))
    draws = Draws(seed, 905)
    for k in range(40):
        count, rounds = 3 + k // 8, 2 + k // 4
        truth = np.sort(10 + 90 * draws.uniform(count))[draws.order(count)]
        games = np.round(-truth[:, None] * np.log(draws.uniform((count, rounds)))) + 1
        bound = ("20 / sqrt(r)", "2 mean / sqrt(r)", "5")[k % 3]
        if fair_table(games, WIDTHS[bound]):
            yield games, 1 + k % (count - 1), bound


def fair_table(games: Floats, width: Width) -> bool:
    """Whether neither equal means nor rounding can decide anything."""
    for r in range(1, games.shape[1] + 1):
        means = games[:, :r].mean(axis=1)
        half = np.array([width(mean, r) for mean in means.tolist()])
        for values in (means, np.concatenate([means - half, means + half])):
            if np.diff(np.sort(values)).min() < 1e-6:
                return False
    return True


def raced(games: Floats, mu: int, bound: str) -> tuple[list[int], int]:
    """A race, candidate by candidate."""
    (count, rounds), width = games.shape, WIDTHS[bound]
    state, played, means = ["racing"] * count, 0, [0.0] * count
    for r in range(1, rounds + 1):
        now = [i for i in range(count) if state[i] == "racing"]
        places, losers = mu - state.count("in"), count - mu - state.count("out")
        if not places or not losers:
            break
        played += len(now)
        for i in now:
            means[i] = sum(games[i, :r].tolist()) / r
        low, high = ({i: means[i] + sign * width(means[i], r) for i in now} for sign in (-1, 1))
        for i in now:
            if sum(low[i] > high[j] for j in now if j != i) >= losers:
                state[i] = "in"
            elif sum(low[j] > high[i] for j in now if j != i) >= places:
                state[i] = "out"
    left = sorted((i for i in range(count) if state[i] == "racing"), key=lambda i: -means[i])
    chosen = [i for i in range(count) if state[i] == "in"]
    return sorted(chosen + left[: mu - len(chosen)]), played


def same_race(got: Any, expected: tuple[list[int], int]) -> bool:
    """Whether candidates and number of games are the same."""
    who, played = got
    return same_value([int(i) for i in who], expected[0]) and same_value(played, expected[1])


BOARD = replace(RULES["harder"], height=10)
BUDGET, RUNS, JUDGED = 3000, 4, 2000


@exercise("09.6", "Three thousand games", answers="plan report", points=3, kind="open")
def well_spent(plan: Any, report: Any, *, seed: int) -> Outcome:
    """Right when a plan learns a player that beats Dellacherie's within its budget, and there is a report."""
    if short := too_short("report", report, "what did you try, and what did you find?"):
        return short
    if not isinstance(plan, dict) or "games" not in plan:
        return expected("a dictionary with games, iterations and so on", plan)
    vectors: list[list[float]] = []
    for run in range(RUNS):
        found = learned(plan, derived_seed(seed, 906, run))
        if isinstance(found, Wrong):
            return found
        vectors.append(found.tolist())
    if not np.linalg.norm(vectors, axis=1).all():
        return Wrong("One of the runs has learned a vector of zeros, which has no direction.", named(plan=plan))
    mine, rival = Player("dn", mean_vector(vectors).tolist(), "yours"), PLAYERS["dellacherie"]
    ours, theirs = (simulate(one, BOARD, JUDGED, derived_seed(seed, 907), progress=False).mean for one in (mine, rival))
    said = f"Learned in {RUNS} runs: {readable(ours)} lines a game; Dellacherie's player: {readable(theirs)}."
    return Right(said) if ours > theirs else Wrong(said, named(plan=plan))


def learned(plan: dict[str, Any], seed: int) -> Floats | Wrong:
    """The weights that a run of a plan learns, unless it breaks the rules of the exercise."""
    settings = dict(plan)
    games, racing = settings.pop("games"), settings.pop("racing", None)
    if settings.get("start", "zero") not in ("zero", "random"):
        return Wrong("Start from 'zero' or 'random': the search should find the weights, not you.")
    objective, optimizer = Objective("dn", BOARD, games), CMAES(8, "boumaza", seed, **settings)
    races = checked_racing(racing, optimizer, objective)
    first = optimizer.constants.lambda_ * (games if races is None else races.settings.r_min)
    if first > BUDGET:
        return Wrong(f"A single iteration of this plan takes {first:,} games; there are {BUDGET:,} in all.")
    run = Run(optimizer, objective, races, Curve(0))
    with Pool() as pool:
        run.prepare()
        while not run.reason():
            run.step(pool)
            if run.result.games > BUDGET:
                said = f"After {optimizer.iteration} of {optimizer.settings.iterations} iterations this plan has played"
                return Wrong(f"{said} {run.result.games:,} games; there are {BUDGET:,}.", named(plan=plan))
    return run.result.favourite


prose("09.7", "What luck does to the step size", points=3, kind="proof")


DIMENSION, ASKED, HILLS = 6, 3000, 24
RUNGS = (720, 800, 890)
"""Few candidates with one game each, and whoever believes the best score, stay below the first (694 at most); sixty
candidates and more pass the last, ten games each the second: `python tests/benchmarks/check_bars.py 09.8`."""


@exercise("09.8", "The top in the fog", answers="search", points=3, kind="design")
def top_found(search: Function, *, seed: int) -> Outcome:
    """A rung for each height that the answers reach on average, in truth, on hills that nobody has seen."""
    if not callable(search):
        return expected("a function", search)
    heights = heights_found(search, seed)
    if heights is None:
        return nothing_yet("search")
    mean = float(np.mean(heights))
    said = f"True means at your answers: {mean:.0f} of {TOP:.0f} on average, {min(heights):.0f} at least"
    reached = [f"{one} on average" for one in RUNGS if mean >= one]
    return climbed(said, reached, [f"{one} on average" for one in RUNGS if mean < one])


def heights_found(search: Function, seed: int) -> list[float] | None:
    """On each hill the true mean at the answer; None if there is no answer."""
    heights = []
    for k in range(HILLS):
        score, height = noisy_hill(derived_seed(seed, 98, k), DIMENSION, ASKED)
        found = search(score, DIMENSION, ASKED)
        if found is None:
            return None
        heights.append(height(found))
    return heights
