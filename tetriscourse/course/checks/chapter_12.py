"""Judges of chapter 12: deep Q-learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import Bools
from tetriscourse.course.differences import Function, first_difference, first_fault, named, same_value, within
from tetriscourse.course.exercises import exercise
from tetriscourse.course.outcomes import Outcome, Right, Wrong, clipped, expected, is_missing, nothing_yet, too_short
from tetriscourse.features import as_feature_set
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.random_numbers import Draws, Floats

Pair = tuple[Floats, Floats]


def tenths(draws: Draws, *shape: int) -> Floats:
    """Numbers from -2 to 2 that are easy to read."""
    return (draws.below(41, shape) - 20) / 10


@exercise("12.1", "Forwards", answers="forward", points=1)
def forwards(forward: Function, *, seed: int) -> Outcome:
    """Right when the outputs are those of sums taken number by number."""

    def show(x: Floats, layers: Sequence[Pair]) -> list[str]:
        lines = [f"layer {k}: W = {clipped(W, 200)}, b = {clipped(b)}" for k, (W, b) in enumerate(layers, start=1)]
        return [*named(x=x), *lines]

    return first_difference(forward, summed_outputs, layered(seed), show=show)


def layered(seed: int) -> Iterator[tuple[Floats, list[Pair]]]:
    """Inputs and networks: one layer, then two, then three; small ones first."""
    draws = Draws(seed, 1201)
    for sizes in ((1, 1), (2, 1), (1, 2, 1), (1, 2, 2), (2, 3, 2), (2, 3, 3, 1), (3, 4, 2, 2), (4, 6, 5, 3)):
        for rows in (1, 3):
            layers = [(tenths(draws, n, m), tenths(draws, m)) for n, m in pairwise(sizes)]
            yield tenths(draws, rows, sizes[0]), layers


def summed_outputs(x: Floats, layers: Sequence[Pair]) -> Floats:
    """The outputs by definition, one input and one unit at a time."""
    outputs = []
    for row in x.tolist():
        values = row
        for number, (W, b) in enumerate(layers, start=1):
            sums = [sum(v * w for v, w in zip(values, column, strict=True)) for column in W.T.tolist()]
            values = [one + offset for one, offset in zip(sums, b.tolist(), strict=True)]
            if number < len(layers):
                values = [max(0.0, one) for one in values]
        outputs.append(values)
    return np.array(outputs).round(9)  # readable: tenths give few decimals


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
