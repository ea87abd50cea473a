"""Bellman's equation for every board, once: the inner loops of the solver. Read `improve` first."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.mdp.exact.kernels import BOARD, LAST, ROWS
from tetriscourse.simulator.compiling import fast, inlined


@inlined
def find_lists(entries: Any, at: Any, starts: Any) -> Any:
    """Where each list of a board begins, the first at `at`; where the next board's begins."""
    for i in range(len(starts)):
        starts[i] = at
        while entries[at] >> np.uint32(LAST) == 0:
            at += 1
        at += 1
    return at


@inlined
def worth(entry: Any, memory: Any, values: Any, points: Any, gamma: Any) -> Any:
    """The worth of a move: points for its rows, and the value of the board after it."""
    target = np.int64(entry & np.uint32(BOARD))
    return points[np.int64(entry >> np.uint32(ROWS)) & 7] + gamma * values[target, memory]


@fast
def improve(
    first: Any, last: Any, entries: Any, starts: Any, values: Any, fresh: Any, policy: Any, edges: Any, lists: Any,
    following: Any, probabilities: Any, points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """V(s) = mean over pieces of max over moves of (points + gamma V(s')): write it to `fresh`; the largest change.

    The best moves go to `policy`. A memory is the knowledge of the next pieces; edges, lists, following, probabilities:
    its outcomes, as in piece_chain.Memory.
    """
    at, largest = 0, 0.0
    for b in range(first, last):
        at = find_lists(entries, at, starts)
        for m in range(len(edges) - 1):
            value = 0.0
            for k in range(edges[m], edges[m + 1]):
                i, best = starts[lists[k]], -np.inf
                while True:
                    one = worth(entries[i], following[k], values, points, gamma)
                    if one > best:
                        best, chosen = one, entries[i]
                    if entries[i] >> np.uint32(LAST):
                        break
                    i += 1
                value += probabilities[k] * best
                policy[b, k] = chosen
            largest = max(largest, abs(value - values[b, m]))
            fresh[b, m] = value
    return largest


@fast
def evaluate(
    first: Any, last: Any, values: Any, fresh: Any, policy: Any, edges: Any, following: Any, probabilities: Any,
    points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """Like `improve`, but for the moves in `policy`, which is faster; the largest change."""
    largest = 0.0
    for b in range(first, last):
        for m in range(len(edges) - 1):
            value = 0.0
            for k in range(edges[m], edges[m + 1]):
                value += probabilities[k] * worth(policy[b, k], following[k], values, points, gamma)
            largest = max(largest, abs(value - values[b, m]))
            fresh[b, m] = value
    return largest


@fast
def average(
    first: Any, last: Any, entries: Any, starts: Any, values: Any, fresh: Any, edges: Any, lists: Any, following: Any,
    probabilities: Any, points: Any, gamma: Any,
) -> Any:  # fmt: skip
    """V(s) = mean over pieces and over the moves listed, the value of a player; the largest change."""
    at, largest = 0, 0.0
    for b in range(first, last):
        at = find_lists(entries, at, starts)
        for m in range(len(edges) - 1):
            value = 0.0
            for k in range(edges[m], edges[m + 1]):
                i, total, count = starts[lists[k]], 0.0, 0
                while True:
                    total += worth(entries[i], following[k], values, points, gamma)
                    count += 1
                    if entries[i] >> np.uint32(LAST):
                        break
                    i += 1
                value += probabilities[k] * total / count
            largest = max(largest, abs(value - values[b, m]))
            fresh[b, m] = value
    return largest


@fast
def survive(
    first: Any, last: Any, entries: Any, starts: Any, alive: Any, edges: Any, lists: Any, following: Any, by_chance: Any
) -> Any:
    """Strike out boards from which the game can leave those that are still in; how many were struck.

    It can if every move of some piece leads out or, where chance decides between moves, if even one of them does.
    """
    at, struck = 0, 0
    for b in range(first, last):
        at = find_lists(entries, at, starts)
        for m in range(len(edges) - 1):
            if not alive[b, m]:
                continue
            for k in range(edges[m], edges[m + 1]):
                if alive[b, m] and not stays(entries, starts[lists[k]], alive, following[k], by_chance):
                    alive[b, m] = 0
                    struck += 1
    return struck


@inlined
def stays(entries: Any, i: Any, alive: Any, memory: Any, by_chance: Any) -> Any:
    """Whether a move of a list, or with chance every one, leads to a board that is still in."""
    while True:
        inside = alive[np.int64(entries[i] & np.uint32(BOARD)), memory] != 0
        if inside != by_chance or entries[i] >> np.uint32(LAST):
            return inside
        i += 1
