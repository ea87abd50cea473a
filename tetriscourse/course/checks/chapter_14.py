"""Judges of chapter 14: learning a policy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from statistics import median
from typing import Any

import numpy as np

from tetriscourse.course.differences import Function, first_difference, named, within
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, expected, is_missing, nothing_yet, too_short
from tetriscourse.errors import InputError
from tetriscourse.game.rules import Rules
from tetriscourse.players import Player
from tetriscourse.random_numbers import Draws, Floats, derived_seed

Lesson = tuple[Floats, Floats]  # the features of each move of a state, and what each is worth
Step = tuple[Floats, int, float]  # the features of each move, the move made, the reward


def whole(draws: Draws, *shape: int) -> Floats:
    """Whole numbers from -3 to 3."""
    return np.asarray(draws.below(7, shape) - 3, np.float64)


def lesson_text(lessons: Sequence[Lesson]) -> list[str]:
    """Lessons as lines of text."""
    return [f"phi = {phi.tolist()}, Q = {Q.tolist()}" for phi, Q in lessons]


@exercise("14.1", "What a wrong choice costs", answers="cost", points=1)
def wrong_choices(cost: Function, *, seed: int) -> Outcome:
    """Right when the mean is that of sums taken number by number."""

    def show(theta: Floats, lessons: Sequence[Lesson]) -> list[str]:
        return [*named(theta=theta), *lesson_text(lessons)]

    return first_difference(cost, mean_cost, schools(seed), show=show, same=within(1e-9, 1e-9))


def schools(seed: int) -> Iterator[tuple[Floats, list[Lesson]]]:
    """Weights and lessons: one, then several, then some in which no move is possible; ties are among them."""
    draws = Draws(seed, 1401)
    for number in range(20):
        features, lessons = 1 + number % 3, list[Lesson]()
        for state in range(1 + number // 4):
            moves = 0 if state % 3 == 2 else 1 + int(draws.below(4))
            lessons.append((whole(draws, moves, features), whole(draws, moves)))
        yield whole(draws, features), lessons


def mean_cost(theta: Floats, lessons: Sequence[Lesson]) -> float:
    """What choices cost, state by state and number by number."""
    costs = []
    for phi, Q in lessons:
        scores = [sum(x * w for x, w in zip(row, theta.tolist(), strict=True)) for row in phi.tolist()]
        if scores:
            costs.append(max(Q.tolist()) - Q.tolist()[scores.index(max(scores))])
    return float(sum(costs) / len(costs))


@exercise("14.2", "A policy with dice, and its slope", answers="chances slope", points=2)
def dice(chances: Function, slope: Function, *, seed: int) -> Outcome:
    """Right when chances are those of the definition, and slopes those found by trying."""
    cases = list(decisions(seed))
    of_theta = [(theta, phi) for theta, phi, _ in cases]
    large = [(300 * theta + 1000, phi) for theta, phi, _ in cases]
    outcome = first_difference(chances, defined, [*of_theta, *large], show="theta phi", same=within(1e-9, 1e-9))
    if not isinstance(outcome, Right):
        return outcome
    return first_difference(slope, tried, cases, show="theta phi a", same=within(1e-5, 1e-6))


def decisions(seed: int) -> Iterator[tuple[Floats, Floats, int]]:
    """Weights, the features of the moves of a state, and one of these moves; small states first."""
    draws = Draws(seed, 1402)
    for number in range(20):
        moves, features = 1 + number // 4, 1 + number % 4
        yield whole(draws, features) / 4, whole(draws, moves, features), int(draws.below(moves))


def defined(theta: Floats, phi: Floats) -> Floats:
    """Each probability by its definition: one over the sum of the exponentials of differences."""
    scores = [float(np.dot(row, theta)) for row in phi]
    return np.array([1 / sum(math.exp(min(other - one, 700.0)) for other in scores) for one in scores])


def tried(theta: Floats, phi: Floats, a: int) -> Floats:
    """The slope of log pi(a), a little more and a little less of each weight."""
    h = 1e-5
    up, down = ([math.log(defined(theta + sign * h * one, phi)[a]) for one in np.eye(len(theta))] for sign in (1, -1))
    return np.asarray((np.array(up) - np.array(down)) / (2 * h))


@exercise("14.3", "REINFORCE", answers="reinforce", points=2)
def from_games(reinforce: Function, *, seed: int) -> Outcome:
    """Right when the estimate is that of sums taken step by step."""

    def show(theta: Floats, games: Sequence[Sequence[Step]], b: float) -> list[str]:
        steps = [f"game {k}: phi = {phi.tolist()}, a = {a}, r = {r}" for k, game in enumerate(games, 1)
                 for phi, a, r in game]  # fmt: skip
        return [*named(theta=theta, b=b), *steps]

    return first_difference(reinforce, summed, recorded(seed), show=show, same=within(1e-6, 1e-6))


def recorded(seed: int) -> Iterator[tuple[Floats, list[list[Step]], float]]:
    """Weights, games, a baseline: a game of one step, then longer ones, then several; first without a baseline."""
    draws = Draws(seed, 1403)
    for number in range(20):
        features, games = 1 + number % 3, list[list[Step]]()
        for _ in range(1 + number // 7):
            steps = list[Step]()
            for _ in range(1 + int(draws.below(1 + number // 3))):
                moves = 2 + int(draws.below(3))
                steps.append((whole(draws, moves, features), int(draws.below(moves)), float(draws.below(4))))
            games.append(steps)
        yield whole(draws, features) / 4, games, 0.0 if number < 6 else float(whole(draws)) / 2


def summed(theta: Floats, games: Sequence[Sequence[Step]], b: float) -> Floats:
    """The estimate, one reward at a time: it counts for every move up to its own."""
    total = np.zeros(len(theta))
    for game in games:
        for t, (phi, a, _) in enumerate(game):
            psi = tried(theta, phi, a)
            total += sum(psi * r for _, _, r in game[t:]) - psi * b
    return np.asarray(total / len(games))


@exercise("14.4", "Downhill for whom?", answers="natural", points=2)
def natural_slopes(natural: Function, *, seed: int) -> Outcome:
    """Right when it is the shortest solution of F w = g, with F and g summed move by move."""

    def show(theta: Floats, lessons: Sequence[Lesson]) -> list[str]:
        return [*named(theta=theta), *lesson_text(lessons)]

    return first_difference(natural, solved, bandits(seed), show=show, same=within(1e-5, 1e-5))


def bandits(seed: int) -> Iterator[tuple[Floats, list[Lesson]]]:
    """Weights and lessons; in the later ones a feature that is the same for all moves."""
    draws = Draws(seed, 1404)
    for number in range(16):
        features, lessons = 1 + number % 3, list[Lesson]()
        for _ in range(2 + number // 4):
            moves = features + 2
            phi = whole(draws, moves, features) + np.eye(moves, features) / 2  # no two features are alike
            if number > 9:
                phi = np.hstack([phi, np.full((moves, 1), 2.0)])
            lessons.append((phi, whole(draws, moves)))
        yield whole(draws, features + (number > 9)) / 8, lessons


def solved(theta: Floats, lessons: Sequence[Lesson]) -> Floats:
    """The w by way of the pseudo-inverse of F, with all sums written out."""
    d = len(theta)
    F, g = np.zeros((d, d)), np.zeros(d)
    for phi, Q in lessons:
        p = defined(theta, phi)
        mean = sum(p[a] * phi[a] for a in range(len(p)))
        for a in range(len(p)):
            psi = phi[a] - mean
            F += p[a] * np.outer(psi, psi) / len(lessons)
            g += p[a] * psi * Q[a] / len(lessons)
    return np.asarray(np.linalg.pinv(F, rcond=1e-10, hermitian=True) @ g)


prose("14.5", "What may be subtracted", points=3, kind="proof")

KNOBS = ("states", "rollouts", "horizon", "iterations")
BUDGETS, PLANS = (5_000, 50_000), 20  # seeds at each budget
SHARES = (0.765, 0.85)
"""Rungs, as shares of the best possible value. One round with two rollouts of three moves has 0.887, four rounds of
short ones 0.80, rollouts of 30 moves 0.71, each with a standard error of 0.01 to 0.02 (check_bars.py 14.6)."""


@exercise("14.6", "A budget to be divided", answers="plan", points=2, kind="design")
def divided(plan: Function, *, seed: int) -> Outcome:
    """A ladder: the exact value of the policies that the plan gives, on average over hidden seeds."""
    from tetriscourse.mdp.exact.solution import solve

    found = []
    for budget in BUDGETS:
        knobs = plan(budget)
        if is_missing(knobs):
            return nothing_yet("plan")
        if not isinstance(knobs, dict) or sorted(knobs) != sorted(KNOBS):
            return expected(f"a dictionary with the keys {', '.join(KNOBS)}", knobs)
        seeds = [derived_seed(seed, 1406, budget, number) for number in range(PLANS)]
        try:
            found.append([carried_out(knobs, budget, one) for one in seeds])
        except InputError as error:
            return Wrong(f"With this plan nothing can be learned: {error}.", [f"budget: {budget:,}, plan: {knobs}"])
    best = solve("4x4", progress=False).start
    means = [float(np.mean(values)) for values in found]
    share = float(np.mean(means)) / best
    measured = (
        f"With {BUDGETS[0]:,} moves {means[0]:.2f} lines, with {BUDGETS[1]:,} moves {means[1]:.2f} (means of {PLANS} "
        f"seeds), together {share:.1%} of the best possible {best:.2f}"
    )
    reached = [share >= rung for rung in SHARES]
    said = [f"{rung:.1%} of the best" for rung in SHARES]
    return climbed(measured, said[: sum(reached)], said[sum(reached) :])


def carried_out(knobs: dict[str, Any], budget: int, seed: int) -> float:
    """The exact value on 4x4 of the policy that a plan gives."""
    from tetriscourse.mdp.exact.player_values import exact_value
    from tetriscourse.mdp.policies.classification import DPI
    from tetriscourse.mdp.policies.metered import BudgetSpent, MeteredSource

    learner = DPI(MeteredSource("4x4", "dt", budget), seed=seed, judge_games=0, **knobs)
    with suppress(BudgetSpent):
        learner.learn(progress=False)
    return float(exact_value(learner.player(), "4x4", progress=False).start)


LEARNED, RUNS = 100_000, 3
TEN = Rules(height=10, max_pieces=10_000)
LINES = (300, 900, 1600)
"""Rungs: the library's learners in their own settings reach the first or none; for searches see table `budget`."""


@exercise("14.7", "A policy from a hundred thousand moves", answers="learn report", points=3, kind="open")
def within_a_budget(learn: Function, report: Any, *, seed: int) -> Outcome:
    """A ladder: lines on 10x10 of the median player of three runs, each with so many moves."""
    from tetriscourse.mdp.policies.metered import MeteredSource
    from tetriscourse.simulator import simulate

    means = []
    for run in range(RUNS):
        player = learn(MeteredSource("10x10", "dt", LEARNED), derived_seed(seed, 1407, run))
        if is_missing(player):
            return nothing_yet("learn")
        if not isinstance(player, Player):
            return expected("a Player, such as `learner.player()`", player)
        means.append(simulate(player, TEN, 100, derived_seed(seed, 1408), progress=False).mean)
    if short := too_short("report", report, "what have you tried?"):
        return short
    measured = f"{median(means):,.0f} lines in the median of {RUNS} runs ({', '.join(f'{one:,.0f}' for one in means)})"
    reached = [median(means) >= rung for rung in LINES]
    said = [f"{rung:,} lines" for rung in LINES]
    return climbed(measured, said[: sum(reached)], said[sum(reached) :])
