"""Judges of chapter 08: the cross-entropy method."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

import numpy as np

from tetriscourse.course import outcomes
from tetriscourse.course.differences import Function, first_difference, is_number, named, within
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.laboratories import rare_event
from tetriscourse.course.outcomes import Outcome, Right, Wrong, clipped, expected, is_missing, nothing_yet, too_short
from tetriscourse.errors import counted
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.cross_entropy import CrossEntropy
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.training import train
from tetriscourse.random_numbers import Draws, Floats, derived_seed


@exercise("08.1", "The elite", answers="elite_of", points=1)
def elite(elite_of: Function, *, seed: int) -> Outcome:
    """Right when exactly the best rows are returned, in any order."""
    return first_difference(elite_of, best_rows, populations(seed), same=same_rows, show="candidates scores rho")


def populations(seed: int) -> Iterator[tuple[Floats, Floats, float]]:
    """Candidates, their scores, all different, and a share; small ones first."""
    yield np.array([[1.0], [2.0]]), np.array([5.0, 7.0]), 0.5
    yield np.array([[1.0], [2.0], [3.0]]), np.array([4.0, 9.0, 6.0]), 0.1
    yield np.array([[1.0], [2.0], [3.0]]), np.array([-4.0, -9.0, -6.0]), 0.67
    for k in range(20):
        draws = Draws(seed, 810 + k)
        size, rho = 3 + 2 * k, 0.05 + 0.85 * float(draws.uniform())
        rho = rho if abs(rho * size - round(rho * size)) > 0.01 else rho + 0.02 / size  # so that rounding cannot decide
        yield draws.normal((size, 1 + k % 4)).round(1), draws.order(size).astype(np.float64), round(rho, 4)


def best_rows(candidates: Floats, scores: Floats, rho: float) -> Floats:
    """The best row, then the best of those that are left, and so on."""
    left = list(range(len(scores)))
    chosen: list[int] = []
    while not chosen or (len(chosen) + 1) / len(scores) <= rho:
        chosen.append(left.pop(max(range(len(left)), key=lambda k: scores[left[k]])))
    return candidates[chosen]


def same_rows(got: Any, expected: Floats) -> bool:
    """Whether the rows are the same, in any order."""
    mine = np.asarray(got, np.float64)
    return mine.shape == expected.shape and sorted(mine.tolist()) == sorted(expected.tolist())


@exercise("08.2", "The fit", answers="fit", points=2)
def fitted(fit: Function, *, seed: int) -> Outcome:
    """Right when means and variances are those of the columns, plus the noise."""
    return first_difference(fit, moments, elites(seed), same=within(1e-7, 1e-7), show="elite noise")


def elites(seed: int) -> Iterator[tuple[Floats, float]]:
    """Elites and noises, small ones first."""
    yield np.array([[2.0]]), 0.0
    yield np.array([[1.0], [3.0]]), 0.0
    yield np.array([[1.0], [5.0]]), 3.0
    yield np.array([[0.0, 1.0], [4.0, 3.0]]), 0.5
    for k in range(12):
        draws = Draws(seed, 820 + k)
        yield (5 * draws.normal((2 + k, 1 + k % 5))).round(1) + k, round(4 * float(draws.uniform()), 2)


def moments(elite: Floats, noise: float) -> tuple[list[float], list[float]]:
    """Mean, and mean square minus squared mean, column by column."""
    columns = [[float(x) for x in column] for column in elite.T]
    mean = [sum(column) / len(column) for column in columns]
    square = [sum(x * x for x in column) / len(column) for column in columns]
    return mean, [round(s - m * m + noise, 9) for s, m in zip(square, mean, strict=True)]


PUSH, KEPT, FIRST = 1.755, 0.1691, 100.0


@exercise("08.3", "Reach", answers="reach", points=2)
def reached(reach: Function, *, seed: int) -> Outcome:
    """Right when the distance is that of the two rules."""

    def show(noise: Table, rounds: int) -> list[str]:
        said = ", ".join(f"Z_{t} = {noise(t):g}" for t in range(1, min(rounds, 6) + 1))
        return [f"{counted(rounds, 'round')}; {said}{', ...' * (rounds > 6)}"]

    return first_difference(reach, travelled, schedules(seed), same=within(1e-6, 0), show=show)


class Table:
    """A noise schedule given as a list of numbers, and 0 after them."""

    def __init__(self, *values: float):
        self.values = values

    def __call__(self, t: int) -> float:
        if t < 1:
            raise ValueError(f"there is no round {t}: t counts from 1")
        return self.values[t - 1] if t <= len(self.values) else 0.0


def schedules(seed: int) -> Iterator[tuple[Table, int]]:
    """Noises and numbers of rounds, few rounds first."""
    yield from ((Table(), 1), (Table(9.0), 1), (Table(), 2), (Table(9.0), 2), (Table(0.0, 25.0), 3))
    for k in range(12):
        yield Table(*(10 * Draws(seed, 830 + k).uniform(3 + 2 * k)).round(1).tolist()), 3 + 2 * k


def travelled(noise: Table, rounds: int) -> float:
    """The sum of all steps: each noise adds its share to every later variance."""
    variances = [KEPT**t * FIRST + sum(KEPT ** (t - k) * noise(k) for k in range(1, t + 1)) for t in range(rounds)]
    return float(PUSH * np.sqrt(variances).sum())


@exercise("08.4", "Frozen", answers="frozen_from", points=2)
def frozen(frozen_from: Function, *, seed: int) -> Outcome:
    """Right when it is the iteration after the last that was not frozen."""

    def show(means: Floats, sigmas: Floats) -> list[str]:
        if means.size <= 12:
            return named(means=means, sigmas=sigmas)
        ratios = sigmas.max(axis=1) / np.linalg.norm(means, axis=1)
        return ["largest sigma by length of the mean, one by one: " + " ".join(f"{r:.4f}" for r in ratios)]

    return first_difference(frozen_from, last_thaw, histories(seed), show=show)


def histories(seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Means and sigmas of made-up runs, short ones first."""
    for few in ([0.5], [2.0], [2.0, 0.5], [0.5, 2.0], [0.5, 2.0, 0.5], [0.5, 0.4, 0.3]):
        yield np.full((len(few), 1), -100.0), np.array(few)[:, None]
    yield np.array([[3.0, 4.0], [30.0, -40.0], [300.0, 400.0]]), np.full((3, 2), 0.2)
    yield np.array([[60.0, 80.0], [60.0, 80.0]]), np.array([[0.1, 1.5], [0.1, 0.9]])
    for k in range(14):
        draws = Draws(seed, 840 + k)
        rounds, weights = 4 + 2 * k, 2 + k % 4
        means = 40 * draws.normal((rounds, weights)) + 60
        falling = 2.0 ** -np.linspace(0, 1 + k % 3, rounds)[:, None]
        sigmas = 2.2 * falling * (0.3 + draws.uniform((rounds, weights)))
        near = np.abs(sigmas.max(axis=1) * 100 / np.linalg.norm(means, axis=1) - 1) < 1e-3
        sigmas[near] *= 0.9  # so that rounding cannot decide
        yield means.round(2), sigmas.round(3)


def last_thaw(means: Floats, sigmas: Floats) -> int:
    """One after the last iteration that is not frozen."""
    since = 1
    for t, (mean, sigma) in enumerate(zip(means, sigmas, strict=True), start=1):
        if 100 * sigma.max() >= np.sqrt((mean**2).sum()):
            since = t + 1
    return since if since <= len(means) else 0


ROUNDS, CLOSE = 40, 0.2
NEAREST, FARTHEST, SUMMITS = 40.0, 300.0, 6
LINES, TETRIS_RUNS = 67.0, 16
"""Lines a game over 100 runs: no noise 60.6 (standard deviation of a run 8.4, so 2.1 for sixteen), the constant 4 74.0,
five schedules that reach the summits 73.0 to 75.1, three short bursts that reach them as well 56.9 to 61.7:
`python tests/benchmarks/check_bars.py 08.5`."""
GAME = Objective("bertsekas", RULES["6x12"], games=1, pieces="own")


@exercise("08.5", "A noise of your own", answers="my_noise my_reasons", points=3, kind="open")
def own_noise(my_noise: Any, my_reasons: Any, *, seed: int) -> Outcome:
    """Right when every summit is reached, Tetris is clearly played better than without noise, and reasons are given."""
    if not callable(my_noise):
        return expected("a function of t", my_noise)
    values = [my_noise(t) for t in range(1, ROUNDS + 1)]
    if all(is_missing(value) for value in values):
        return nothing_yet("my_noise")
    for t, value in enumerate(values, start=1):
        if not (is_number(value) and isfinite(value) and value >= 0):
            return Wrong(f"`my_noise({t})` is {clipped(value)}; it should be a number that is at least 0.")
    noise = Table(*map(float, values))  # asked only once, so that it cannot answer differently later
    if isinstance(outcome := hills_outcome(noise, seed), Wrong):
        return outcome
    if short := too_short("my_reasons", my_reasons, "what is your idea?"):
        return Wrong(f"The summits are reached. {short.text}")
    lines = float(np.mean([tetris_lines(noise, derived_seed(seed, 85, k)) for k in range(TETRIS_RUNS)]))
    said = f"On Tetris, {TETRIS_RUNS} runs end with {lines:.1f} lines a game on average"
    if lines < LINES:
        return Wrong(f"All summits are reached. {said}; {LINES:g} are asked for.", [described(noise)])
    return Right(f"{outcome.text} {said}.")


def hills_outcome(noise: Table, seed: int) -> Right | Wrong:
    """Right when the mean ends close to every summit; the nearest come first."""
    draws, worst = Draws(seed, 850), 0.0
    apart = (FARTHEST - NEAREST) / (SUMMITS - 1)
    for k in range(SUMMITS):
        far, angle = NEAREST + apart * k, 2 * np.pi * float(draws.uniform())
        summit = far * np.array([np.cos(angle), np.sin(angle)])
        mean, sigma = climbed(noise, summit, derived_seed(seed, 86, k))
        missed = float(np.linalg.norm(mean - summit))
        if missed > CLOSE:
            why = "it is frozen there" if sigma < missed / 100 else "it is still moving"
            said = f"For a summit {far:.0f} steps away, the mean ends {missed:.2g} steps from it, where {CLOSE} are"
            return Wrong(f"{said} allowed; σ is {sigma:.2g} by then: {why}.", [described(noise)])
        worst = max(worst, missed)
    return Right(f"All {SUMMITS} summits were missed by at most {worst:.2g} steps.")


def climbed(noise: Table, summit: Floats, seed: int) -> tuple[Floats, float]:
    """Mean and largest sigma after all rounds on a hill."""
    mean, variance = np.zeros(2), np.full(2, FIRST)
    for t in range(1, ROUNDS + 1):
        points = mean + np.sqrt(variance) * Draws(seed, t).normal((100, 2))
        best = points[np.argsort(((points - summit) ** 2).sum(axis=1), kind="stable")[:10]]
        mean, variance = best.mean(axis=0), best.var(axis=0) + noise(t)
    return mean, float(np.sqrt(variance.max()))


def tetris_lines(noise: Table, seed: int) -> float:
    """Lines a game of a run's means in its last ten rounds."""
    search = CrossEntropy(GAME.dimension, iterations=ROUNDS, noise=noise, seed=seed)
    return float(train(search, GAME, progress=False).log["curve"][-10:].mean())


def described(noise: Table) -> str:
    """A schedule in a few of its values."""
    return "my_noise: " + ", ".join(f"{noise(t):.3g} at t = {t}" for t in (1, 10, 20, 30, 40))


prose("08.6", "The least surprise", points=3, kind="proof")


FACTOR = 1.35
"""How far an estimate may be off: levels and a mixture err by at most 1.2, 95 % of them by 1.12; counting fails, and
so do levels without a mixture on two sides: `python tests/benchmarks/check_bars.py 08.7`."""
RARE = {
    "1 in 10,000": (1e-4, 1), "1 in 10 million": (1e-7, 1), "1 in a million, with the danger on two sides": (1e-6, 2),
}  # fmt: skip


@exercise("08.7", "Hardly ever", answers="rare", points=3, kind="design")
def hardly_ever(rare: Function, *, seed: int) -> Outcome:
    """A rung for each kind of rare event whose probability is found in every world, as long as those before are."""
    if not callable(rare):
        return expected("a function", rare)
    reached: list[str] = []
    for name, (probability, sides) in RARE.items():
        for k, dimension in enumerate((2, 4, 7, 10)):
            score, limit = rare_event(probability, dimension, sides, derived_seed(seed, 87, len(reached), k))
            found = rare(score, limit, dimension)
            if found is None and not reached:
                return nothing_yet("rare")
            if not is_number(found):
                return expected("a number", found)
            if not probability / FACTOR <= found <= probability * FACTOR:
                said = f"In a world of {dimension} dimensions, you say {found:.3g}, and {probability:.0e} is true"
                return outcomes.climbed(said, reached, [name])
        reached.append(name)
    return outcomes.climbed("Right in twelve worlds", reached, [])
