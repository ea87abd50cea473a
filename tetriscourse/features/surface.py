"""Features of our own, which the champions use: does every piece find a place on the surface, and how high is it?

A step is the difference h_j+1 - h_j of two neighbouring columns.
"""

from __future__ import annotations

import numpy as np

from tetriscourse.features.feature import Value, catalogued
from tetriscourse.features.published import count, holes, max_height
from tetriscourse.game.moves import Move


def has_run(move: Move, *runs: tuple[int, ...]) -> int:
    """1 if the steps h_j+1 - h_j contain one of these runs, else 0."""
    steps = np.diff(move.after.heights).tolist()
    return int(any(tuple(steps[j : j + len(run)]) == run for run in runs for j in range(len(steps))))


# A home is a place where a piece lies flat, so that it makes no hole. An I, upright, has one everywhere.


@catalogued("∃O", better=+1)
def home_o(move: Move) -> Value:
    """1 if an O has a home, a step of 0; else 0."""
    return has_run(move, (0,))


@catalogued("∃T", better=+1)
def home_t(move: Move) -> Value:
    """1 if a T has a home, a step of 1 or -1, or two steps of 0; else 0."""
    return has_run(move, (1,), (-1,), (0, 0))


@catalogued("∃Z", better=+1)
def home_z(move: Move) -> Value:
    """1 if a Z has a home, a step of 1, or of -1 and then 0; else 0."""
    return has_run(move, (1,), (-1, 0))


@catalogued("∃S", better=+1)
def home_s(move: Move) -> Value:
    """1 if an S has a home, a step of -1, or of 0 and then 1; else 0."""
    return has_run(move, (-1,), (0, 1))


@catalogued("∃J", better=+1)
def home_j(move: Move) -> Value:
    """1 if a J has a home, a step of 0 or 2; else 0."""
    return has_run(move, (0,), (2,))


@catalogued("∃L", better=+1)
def home_l(move: Move) -> Value:
    """1 if an L has a home, a step of 0 or -2; else 0."""
    return has_run(move, (0,), (-2,))


def steps_of(move: Move, size: int) -> int:
    """How many neighbouring columns differ by `size`."""
    return count(abs(np.diff(move.after.heights)) == size)


@catalogued("n_0", better=+1)
def steps_of_0(move: Move) -> Value:
    """Number of steps of 0, between neighbouring columns of the same height."""
    return steps_of(move, 0)


@catalogued("n_1", better=+1)
def steps_of_1(move: Move) -> Value:
    """Number of steps of 1, up or down, from a column to the next."""
    return steps_of(move, 1)


@catalogued("n_2", better=-1)
def steps_of_2(move: Move) -> Value:
    """Number of steps of 2, up or down, from a column to the next."""
    return steps_of(move, 2)


@catalogued("H²", better=-1)
def squared_height(move: Move) -> Value:
    """The square of the height of the highest column."""
    return max_height.number(move) ** 2


@catalogued("E", better=-1)
def low_edges(move: Move) -> Value:
    """Outer columns, leftmost and rightmost, that are at least 2 below their neighbour."""
    heights = move.after.heights
    return int(heights[1] - heights[0] >= 2) + int(heights[-2] - heights[-1] >= 2)


@catalogued("L·H", better=-1)
def holes_by_height(move: Move) -> Value:
    """Holes times the height of the highest column."""
    return holes.number(move) * max_height.number(move)
