"""Small decision processes to try answers on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tetriscourse.course.checks.cases import picked
from tetriscourse.random_numbers import Draws

World = dict[str, dict[str, list[tuple[float, float, str]]]]
LAST = "end"  # the terminal state of every world
SHARES: dict[int, list[tuple[int, ...]]] = {1: [(10,)], 2: [(5, 5), (8, 2), (3, 7)], 3: [(6, 3, 1), (2, 5, 3)]}
"""Probabilities in tenths, by the number of possible outcomes."""


def worlds(seed: int, stream: int, count: int) -> Iterator[World]:
    """Small worlds first: a single step, then one to four states with one to three actions each."""
    yield {"A": {"go": [(1.0, 2, LAST)]}, LAST: {}}
    yield {"A": {"go": [(0.5, 2, LAST), (0.5, 0, "A")]}, LAST: {}}
    yield {"A": {"go": [(1.0, 1, LAST)], "stay": [(1.0, -1, "A")]}, LAST: {}}
    yield {"A": {"go": [(1.0, 0, "B")]}, "B": {"go": [(1.0, 3, LAST)], "back": [(1.0, 1, "A")]}, LAST: {}}
    for number in range(count):
        yield drawn_world(Draws(seed, stream + number), 1 + min(3, number // 4))


def drawn_world(draws: Draws, size: int) -> World:
    """A world with this many states beside the terminal one."""
    names = [*"ABCD"[:size], LAST]
    world: World = {name: {} for name in names}
    for name in names[:-1]:
        for action in ("go", "stay", "turn")[: 1 + int(draws.below(3))]:
            world[name][action] = drawn_outcomes(draws, names)
    return world


def drawn_outcomes(draws: Draws, names: Sequence[str]) -> list[tuple[float, float, str]]:
    """The outcomes of an action: one to three different states, with probabilities in tenths."""
    order = np.argsort(draws.uniform(len(names)))[: 1 + int(draws.below(3))]
    chosen = picked(draws, SHARES[len(order)])
    rewards = draws.below(9, len(order)) - 3
    return [(tenths / 10, int(reward), names[k]) for tenths, reward, k in zip(chosen, rewards, order, strict=True)]


def lines_of(world: World) -> list[str]:
    """A world as a student writes one: a line for each action."""
    return [f"world[{s!r}][{a!r}] = {outcomes}" for s in world for a, outcomes in world[s].items()]


def some_gamma(draws: Draws) -> float:
    """A discount from 0 to 0.95."""
    return round(float(draws.below(20)) / 20, 2)
