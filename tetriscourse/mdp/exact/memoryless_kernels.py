"""Inner loops for players who see less than the game knows. Read `follow` first.

Values and visits have a row for each memory of the piece chain, and a column for each board; the last is a lost game.
A sight is a board with a piece: sight s = board * pieces + piece has the moves first[s] to first[s + 1] - 1. A game is
(first, after, points, pieces), with (edges, placed, following, probabilities) of its piece chain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.simulator.compiling import fast


@fast
def follow(values: Any, fresh: Any, chances: Any, game: Any, chain: Any) -> Any:
    """V = mean over pieces and moves of (points + V after the move), once, in place; the largest change.

    What follows a memory mostly stands behind it in the chain: from the back, it is new already.
    """
    (first, after, points, pieces), (edges, placed, following, probabilities) = game, chain
    largest = 0.0
    for m in range(len(edges) - 2, -1, -1):
        fresh[:] = 0
        for k in range(edges[m], edges[m + 1]):
            then = values[following[k]]
            for b in range(len(fresh) - 1):
                sight = b * pieces + placed[k]
                for i in range(first[sight], first[sight + 1]):
                    if chances[i] > 0:
                        fresh[b] += probabilities[k] * chances[i] * (points[i] + then[after[i]])
        for b in range(len(fresh)):
            largest = max(largest, abs(fresh[b] - values[m, b]))
            values[m, b] = fresh[b]
    return largest


@fast
def improve(values: Any, fresh: Any, allowed: Any, chosen: Any, game: Any, chain: Any) -> Any:
    """V = mean over pieces of the best allowed move, for who sees the memory, once, in place; the largest change.

    The best move of each board goes to `chosen`, which has a row for each outcome of the chain; -1: there is none.
    """
    (first, after, points, pieces), (edges, placed, following, probabilities) = game, chain
    largest = 0.0
    for m in range(len(edges) - 2, -1, -1):
        fresh[:] = 0
        for k in range(edges[m], edges[m + 1]):
            then = values[following[k]]
            for b in range(len(fresh) - 1):
                sight, best, which = b * pieces + placed[k], -np.inf, -1
                for i in range(first[sight], first[sight + 1]):
                    if allowed[i] and points[i] + then[after[i]] > best:
                        best, which = points[i] + then[after[i]], i
                if which >= 0:
                    fresh[b] += probabilities[k] * best
                chosen[k, b] = which
        for b in range(len(fresh)):
            largest = max(largest, abs(fresh[b] - values[m, b]))
            values[m, b] = fresh[b]
    return largest


@fast
def pass_on(visits: Any, arriving: Any, chances: Any, chosen: Any, game: Any, chain: Any) -> Any:
    """Send games on their way, memory by memory, and count where they come; how many still go on.

    They follow the moves in `chosen`, as `improve` has them, or the chances of moves where `chosen` has no rows.
    """
    (first, after, _, pieces), (edges, placed, following, probabilities) = game, chain
    for m in range(len(edges) - 1):
        for b in range(visits.shape[1] - 1):
            here = arriving[m, b]
            if here == 0:
                continue
            visits[m, b] += here
            arriving[m, b] = 0
            for k in range(edges[m], edges[m + 1]):
                share = here * probabilities[k]
                if len(chosen):
                    if chosen[k, b] >= 0:
                        arriving[following[k], after[chosen[k, b]]] += share
                    continue
                sight = b * pieces + placed[k]
                for i in range(first[sight], first[sight + 1]):
                    if chances[i] > 0:
                        arriving[following[k], after[i]] += share * chances[i]
    going_on = 0.0
    for m in range(len(edges) - 1):
        arriving[m, -1] = 0  # these games are lost
        for b in range(visits.shape[1] - 1):
            going_on += arriving[m, b]
    return going_on


@fast
def gather(values: Any, visits: Any, worth: Any, weight: Any, game: Any, chain: Any) -> None:
    """For each move: how often its sight is met, and how much the move is worth there, summed over these times."""
    (first, after, points, pieces), (edges, placed, following, probabilities) = game, chain
    for m in range(len(edges) - 1):
        for b in range(values.shape[1] - 1):
            if visits[m, b] > 0:
                for k in range(edges[m], edges[m + 1]):
                    sight, share = b * pieces + placed[k], visits[m, b] * probabilities[k]
                    for i in range(first[sight], first[sight + 1]):
                        worth[i] += share * (points[i] + values[following[k], after[i]])
                        weight[i] += share
