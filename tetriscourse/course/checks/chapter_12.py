"""Judges of chapter 12: deep Q-learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import Bools
from tetriscourse.course.differences import Function, first_difference, first_fault, named, same_value, within
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import (
    Outcome,
    Right,
    Wrong,
    climbed,
    clipped,
    expected,
    is_missing,
    nothing_yet,
    too_short,
)
from tetriscourse.errors import InputError
from tetriscourse.features import as_feature_set
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.random_numbers import Draws, Floats, derived_seed

Repairs = tuple[bool, ...]


def tenths(draws: Draws, *shape: int) -> Floats:
    """Numbers from -2 to 2 that are easy to read."""
    return (draws.below(41, shape) - 20) / 10


@exercise("12.1", "Forwards", answers="forward larger", points=2)
def forwards(forward: Function, larger: Any, *, seed: int) -> Outcome:
    """Right when outputs are those of sums taken number by number, and `larger` gives the larger of two inputs."""

    def show(x: Floats, theta: Floats, sizes: tuple[int, ...]) -> list[str]:
        return named(sizes=sizes, theta=theta, x=x)

    outcome = first_difference(forward, summed_outputs, in_a_row(seed), show=show)
    return gives_the_larger(larger, seed) if isinstance(outcome, Right) else outcome


def in_a_row(seed: int) -> Iterator[tuple[Floats, Floats, tuple[int, ...]]]:
    """Inputs, and the parameters of networks in a row: one layer, then two, then three; small ones first."""
    draws = Draws(seed, 1201)
    for sizes in ((1, 1), (2, 1), (1, 2, 1), (1, 2, 2), (2, 3, 2), (2, 3, 3, 1), (3, 4, 2, 2), (4, 6, 5, 3)):
        for rows in (1, 3):
            theta = np.concatenate([tenths(draws, (n + 1) * m) for n, m in pairwise(sizes)])
            yield tenths(draws, rows, sizes[0]), theta, sizes


def summed_outputs(x: Floats, theta: Floats, sizes: tuple[int, ...]) -> Floats:
    """The outputs by definition, one input and one unit at a time."""
    outputs = []
    for row in x.tolist():
        values, place = row, 0
        for n, m in pairwise(sizes):
            offsets = theta[place + n * m : place + n * m + m].tolist()
            sums = [sum(values[i] * theta[place + i * m + j] for i in range(n)) + offsets[j] for j in range(m)]
            place += n * m + m
            values = sums if place == len(theta) else [max(0.0, one) for one in sums]
        outputs.append(values)
    return np.array(outputs, np.float64).round(9)  # readable: tenths give few decimals


SIZES = (2, 3, 1)
HALVES = ["`forward` is right"], ["`larger` gives the larger of two inputs"]


def gives_the_larger(larger: Any, seed: int) -> Outcome:
    """Right when a network with these parameters has the larger of its two inputs as output; else half of it is."""
    try:
        network = Network.from_theta(SIZES, np.asarray(larger, np.float64).ravel())
    except (InputError, TypeError, ValueError) as error:
        return climbed(f"`larger` is no network: {error}", *HALVES)
    pairs = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (2, 1), (-2, -1), (3, -3), (-40, 70), (500, -20), (-9, -300)]
    for pair in [*np.array(pairs, np.float64), *tenths(Draws(seed, 1207), 40, 2)]:
        output = float(network(pair[None])[0, 0])
        if abs(output - pair.max()) > 1e-6 * (1 + abs(pair).max()):
            said = f"With `larger`, the output for {clipped(pair)} is {clipped(round(output, 9))}"
            return climbed(f"{said}; it should be {clipped(pair.max())}", *HALVES)
    return Right()


OFTEN = 60  # how often each experience of a memory is drawn on average


@exercise("12.2", "A memory with a fixed number of places", answers="Memory", points=2)
def ring(Memory: Function, *, seed: int) -> Outcome:
    """Right when samples hold all of the last experiences, nothing else, and each equally often."""
    if not callable(Memory):
        return expected("a class", Memory)
    return first_fault(
        remembered(Memory, places, added, seed)
        for places in (1, 2, 3, 5)
        for added in (1, places, places + 1, 2 * places, 2 * places + 1, 3 * places + 2)
    )


def remembered(Memory: Function, places: int, added: int, seed: int) -> Outcome:
    """Right when a memory with this many places holds the last of the experiences 0, 1, 2, ..."""
    memory, kept = Memory(places), list(range(max(0, added - places), added))
    where = [f"places: {places}; added, in this order: {', '.join(map(str, range(added)))}"]
    for number in range(added):
        memory.add(number)
    size = OFTEN * len(kept)
    sample = memory.sample(size, Draws(seed, 1202 + 10 * added + places))
    if is_missing(sample):
        return nothing_yet("sample")
    drawn = [int(one) for one in sample]
    if len(drawn) != size:
        return Wrong(f"A sample of {size} was asked for, and {len(drawn)} came.", where)
    if set(drawn) != set(kept):
        return Wrong(f"Samples hold {sorted(set(drawn))}; they should hold the last ones, {kept}.", where)
    counts = np.bincount(drawn, minlength=added)[kept[0] :]
    if abs(counts - OFTEN).max() > 6 * np.sqrt(OFTEN):
        times = dict(zip(kept, counts.tolist(), strict=True))
        return Wrong(f"In {size} draws, this is how often each experience came: {times}.", where)
    if len(kept) > 2 and drawn[: len(kept) * 3] == kept * 3:
        return Wrong("The experiences come in order, one after another. Where is the chance?", where)
    return Right()


@exercise("12.3", "The targets of a minibatch", answers="targets", points=2)
def bellman_targets(targets: Function, *, seed: int) -> Outcome:
    """Right when every target is that of a plain loop."""
    return first_difference(targets, looped_targets, minibatches(seed), show="r q allowed final gamma")


def minibatches(seed: int) -> Iterator[tuple[Floats, Floats, Bools, Bools, float]]:
    """Minibatches, small ones first: all allowed, then not all, then lost games."""
    draws = Draws(seed, 1203)
    for number in range(24):
        n, actions = 1 + number // 6, 2 + number // 8
        r, q = draws.below(5, n).astype(np.float64), tenths(draws, n, actions)
        allowed = draws.uniform((n, actions)) < (1.0 if number < 2 else 0.6)
        allowed[np.arange(n), draws.below(actions, n)] = True  # at least one
        final = (draws.uniform(n) < 0.4) if number > 5 else np.full(n, number in (2, 3))
        allowed[final] = False
        yield r, q, allowed, final, (0.9, 0.5, 1.0)[number % 3]


def looped_targets(r: Floats, q: Floats, allowed: Bools, final: Bools, gamma: float) -> Floats:
    """The targets, one experience and one action at a time."""
    found = []
    for j in range(len(r)):
        best = max((float(q[j, k]) for k in range(len(q[j])) if allowed[j, k]), default=0.0)
        found.append(float(r[j]) if final[j] else float(r[j]) + gamma * best)
    return np.array(found)


FUNCTIONS: dict[str, tuple[int, Callable[[Floats], float], Callable[[Floats], list[float]]]] = {
    "3 theta[0]": (1, lambda t: 3 * t[0], lambda t: [3.0]),
    "theta[0]**2": (1, lambda t: t[0] ** 2, lambda t: [2 * t[0]]),
    "theta[0] * theta[1]": (2, lambda t: t[0] * t[1], lambda t: [t[1], t[0]]),
    "theta[0]**2 + theta[1]": (2, lambda t: t[0] ** 2 + t[1], lambda t: [2 * t[0], 1.0]),
    "theta[0]**2 * theta[1]**3": (
        2, lambda t: t[0] ** 2 * t[1] ** 3, lambda t: [2 * t[0] * t[1] ** 3, 3 * t[0] ** 2 * t[1] ** 2],
    ),
    "theta[0] * theta[1] * theta[2]": (
        3, lambda t: t[0] * t[1] * t[2], lambda t: [t[1] * t[2], t[0] * t[2], t[0] * t[1]],
    ),
}  # fmt: skip
"""By formula: the number of parameters, the function, and its slopes by calculus."""


@exercise("12.4", "Do not believe a gradient", answers="numerical_gradient", points=2)
def by_trying(numerical_gradient: Function, *, seed: int) -> Outcome:
    """Right when the slopes are those of calculus, to seven digits, and theta is left alone."""
    draws = Draws(seed, 1204)
    cases = [(f, tenths(draws, FUNCTIONS[f][0]) + 0.05) for f in FUNCTIONS for _ in range(4)]

    def ask(numerical_gradient: Function, f: str, theta: Floats) -> Any:
        return numerical_gradient(lambda t: float(FUNCTIONS[f][1](t)), theta)

    def slopes(f: str, theta: Floats) -> Floats:
        return np.array(FUNCTIONS[f][2](theta))

    def show(f: str, theta: Floats) -> list[str]:
        return [f"f = {f}", *named(theta=theta)]

    outcome = first_difference(numerical_gradient, slopes, cases, ask=ask, same=within(1e-7, 1e-7), show=show)
    if not isinstance(outcome, Right):
        return outcome
    f, theta = cases[-1]
    before = theta.copy()
    ask(numerical_gradient, f, theta)
    # Adding h, subtracting 2h and adding h again leaves theta as it was but for the last digit.
    said = "The slopes are right, but `theta` is no longer what it was."
    same = same_value(theta, before, 1e-12, 1e-12)
    return Right() if same else Wrong(said, named(before=before, after=theta))


@exercise("12.5", "Backwards", answers="gradients", points=3)
def backwards(gradients: Function, *, seed: int) -> Outcome:
    """Right when all four slopes are those of the library's network, which tests compare with differences."""
    for case in hidden_layers(seed):
        got = gradients(*(array.copy() for array in case))
        if is_missing(got):
            return nothing_yet("gradients")
        shown = named(**dict(zip(("x", "y", "W", "b", "V", "c"), case, strict=True)))
        if not isinstance(got, tuple | list) or len(got) != 4:
            return Wrong(f"Expected four arrays, dW, db, dV, dc, but got {clipped(got)}.", shown)
        for name, mine, true in reversed(list(zip(("dW", "db", "dV", "dc"), got, true_gradients(*case), strict=True))):
            if np.shape(mine) != true.shape:
                return Wrong(f"`{name}` has the shape {np.shape(mine)}; it should have {true.shape}.", shown)
            if not np.allclose(np.asarray(mine, np.float64), true, rtol=1e-8, atol=1e-8):
                return Wrong(f"`{name}` is {clipped(mine)}; it should be {clipped(true.round(9))}.", shown)
    return Right()


def hidden_layers(seed: int) -> Iterator[tuple[Floats, Floats, Floats, Floats, Floats, Floats]]:
    """Inputs, outputs and the weights of a network (x, y, W, b, V, c), small ones first."""
    draws = Draws(seed, 1205)
    for n, k, m in ((1, 1, 1), (1, 1, 2), (2, 1, 2), (2, 2, 2), (3, 2, 4), (4, 3, 5), (6, 4, 8)):
        for _ in range(2):
            x, y, W, V = (tenths(draws, *shape) for shape in ((n, k), (n, 1), (k, m), (m, 1)))
            yield x, y, W, tenths(draws, m) + 0.05, V, tenths(draws, 1)  # no sum is 0: there would be no slope


def true_gradients(x: Floats, y: Floats, W: Floats, b: Floats, V: Floats, c: Floats) -> list[Floats]:
    """The slopes of the library's network, which tests/test_network.py compares with differences."""
    parts = [W, b, V, c]
    network = Network.from_theta((*W.shape, 1), np.concatenate([part.ravel() for part in parts]))
    slopes = network.backward(2 * (network.forward(x) - y) / len(x))
    ends = np.cumsum([part.size for part in parts])[:-1]
    return [slope.reshape(part.shape) for slope, part in zip(np.split(slopes, ends), parts, strict=True)]


BOARD = Rules(height=10, max_pieces=1500)
GAMES, ENOUGH = 100, 40.0


@exercise("12.6", "A network that never learned", answers="network found_how", points=3, kind="open")
def never_learned(network: Any, found_how: Any, *, seed: int) -> Outcome:
    """Right when the network clears enough lines, and `found_how` explains it."""
    from tetriscourse.mdp.deep_q.move_values import NetworkPlayer
    from tetriscourse.simulator import simulate

    if short := too_short("found_how", found_how, "how did you find the network?"):
        return short
    if not isinstance(network, Network):
        return expected("a network, such as `Network((10, 5, 1))`", network)
    if (network.sizes[0], network.sizes[-1]) != (BOARD.width, 1):
        return Wrong(f"It should have 10 inputs and 1 output, and its layers are {network.sizes}.")
    if not network.is_finite:
        return Wrong("Some of its weights are not numbers.")
    player = NetworkPlayer(as_feature_set(["column_heights"]), network, "yours")
    mean = simulate(player, BOARD, GAMES, seed, progress=False).mean
    said = f"In {GAMES} games on 10x10, of at most {BOARD.max_pieces:,} pieces, it clears {mean:.1f} lines on average"
    return Right(f"{said}.") if mean >= ENOUGH else Wrong(f"{said}; {ENOUGH:.0f} are asked for.")


prose("12.7", "When values run away", points=3, kind="proof")


REPAIRS = tuple(product((False, True), repeat=4))
RUNS, WORLDS = 48, 200
SEED_LUCK, RUN_LUCK = 1.0, 0.25  # standard deviations of the logarithm of the lines
RUNGS = (0.33, 0.7, 0.88)  # shares of the experiments in which the best learner is found


class Runs:
    """A made-up experiment: a learner with four repairs, each on or off, of which `number` decides what they are worth.

    `runs(repairs, seed)` is one run: its lines a game. A seed is good or bad luck for all learners that have it, and
    each run has its own. Equal runs are equal.
    """

    def __init__(self, number: int):
        self.number, self.left = number, RUNS
        draws = Draws(number, 1208)
        self.order = draws.order(4).tolist()
        self.rivals = bool(draws.below(2))  # whether two of the repairs get in each other's way, or need each other

    def worth(self, repairs: Repairs) -> float:
        """What they do to the logarithm of the lines, on average."""
        helps, harms, one, other = (repairs[i] for i in self.order)
        alone, both = (0.4, 0.0) if self.rivals else (-0.2, 0.5)
        return float(0.5 * helps - 0.4 * harms + (both if one and other else alone * (one or other)))

    def best(self) -> Repairs:
        """The repairs that are best; of two that are as good, the one that comes first in `REPAIRS`."""
        return max(REPAIRS, key=self.worth)

    def __call__(self, repairs: Repairs, seed: int) -> float:
        """The lines of one run."""
        chosen = as_repairs(repairs)
        if self.left == 0:
            raise InputError(f"runs is {RUNS + 1}; only {RUNS} are allowed")
        self.left -= 1
        kind = 1 + REPAIRS.index(chosen)
        lucks = (Draws(self.number, 12080 + 17 * int(seed) + one).normal() for one in (0, kind))
        luck = sum(size * luck for size, luck in zip((SEED_LUCK, RUN_LUCK), lucks, strict=True))
        return float(np.exp(5 + self.worth(chosen) + luck).round(1))


def as_repairs(repairs: Any) -> Repairs:
    """Four booleans, or an error."""
    if not isinstance(repairs, tuple | list) or len(repairs) != 4:
        raise InputError(f"repairs is {clipped(repairs)}; it must be four times True or False")
    return tuple(map(bool, repairs))


@exercise("12.8", "Four repairs, 48 runs", answers="best_repairs", points=3, kind="design")
def chosen_repairs(best_repairs: Function, *, seed: int) -> Outcome:
    """A point for each rung that is reached by the share of experiments in which the best learner was found."""
    if is_missing(best_repairs(Runs(seed))):
        return nothing_yet("best_repairs")
    found, used = experiments(best_repairs, seed)
    measured = f"In {found} of {WORLDS} experiments the best learner was found, with {used:.0f} runs in each"
    said = [f"{least:.0%} of them" for least in RUNGS]
    reached = sum(found >= least * WORLDS for least in RUNGS)
    return climbed(measured, said[:reached], said[reached:])


def experiments(best_repairs: Function, seed: int) -> tuple[int, float]:
    """In how many experiments an answer finds the best learner, or one as good, and with how many runs on average."""
    found, used = 0, 0
    for number in range(WORLDS):
        runs = Runs(derived_seed(seed, 1208, number))
        found += runs.worth(as_repairs(best_repairs(runs))) > runs.worth(runs.best()) - 1e-9
        used += RUNS - runs.left
    return found, used / WORLDS
