"""The output of a network for the features of a move, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.simulator.compiling import fast

STEPS_OF_VALUE = 2.0**32  # values are rounded to 1 / this: the last bits of a sum depend on the order of its terms


@fast
def add_multiple(y: Any, to: Any, factor: Any, theta: Any, row: Any, m: Any) -> None:
    """Add a multiple of m numbers of theta, from `row` on, to those of y from `to` on (unsigned, which is faster)."""
    for j in range(m):
        y[to + j] += factor * theta[row + j]


@fast
def output_of(theta: Any, sizes: Any, found: Any, move: Any, x: Any) -> Any:
    """The output of a network for the features of a move; x is room for two layers."""
    half, start = len(x) // 2, 0
    here, there = 0, half
    for i in range(sizes[0]):
        x[here + i] = found[move, i]
    for layer in range(len(sizes) - 1):
        n, m = sizes[layer], sizes[layer + 1]
        for j in range(m):
            x[there + j] = theta[start + n * m + j]
        for i in range(n):
            if x[here + i] != 0.0:
                add_multiple(x, np.uint64(there), x[here + i], theta, np.uint64(start + i * m), np.uint64(m))
        if layer < len(sizes) - 2:
            for j in range(m):
                x[there + j] = max(x[there + j], 0.0)
        here, there, start = there, here, start + (n + 1) * m
    return x[here]


@fast
def value_of(theta: Any, sizes: Any, found: Any, move: Any, paid: Any, x: Any) -> Any:
    """What a move is worth, in steps of 2^-32: what is paid for its rows at once, and the output of the network."""
    return np.rint((paid + output_of(theta, sizes, found, move, x)) * STEPS_OF_VALUE)


@fast
def best_move(theta: Any, sizes: Any, found: Any, rows: Any, paid: Any, x: Any) -> Any:
    """The first of the moves that are worth most; `rows` that each clears, what is `paid` for so many."""
    best, highest = 0, value_of(theta, sizes, found, np.int64(0), paid[rows[0]], x)
    for move in range(1, len(rows)):
        value = value_of(theta, sizes, found, np.int64(move), paid[rows[move]], x)
        if value > highest:
            best, highest = move, value
    return best
