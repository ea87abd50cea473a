"""What no player without memory can exceed: upper bounds by branch and bound.

A player who sees what is left in the bag is worth at least as much. So let him see it everywhere, except in a few
sights in which one move is prescribed. For each way to prescribe moves in these sights that game is solved exactly, and
the best of them is a bound for all players who have one move for each sight. Then one more sight is prescribed,
in the case whose bound is highest. (It is no bound for players who throw dice: these are not one of the cases.)
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np

from tetriscourse.mdp.exact import memoryless_kernels as kernels
from tetriscourse.mdp.exact.memoryless import NEGLIGIBLE, Sights, game_value, moves_worth, policy_visits
from tetriscourse.random_numbers import Floats, Ints

NEARLY = 1e-5  # values that come from above are bounds at any time, so that a few sweeps do
ROUNDING = 1e-9
Case = tuple[float, int, dict[int, int], int]  # minus its bound, its number, the moves prescribed, where to divide it


def seeing(
    of: Sights, prescribed: dict[int, int] | None = None, v: Floats | None = None, change: float = NEGLIGIBLE
) -> tuple[Floats, Ints]:
    """The values of the best player who sees the bag, with the moves prescribed for some sights, and its moves.

    If v is not below these values, nor is what comes out: sweeps only lower it.
    """
    allowed = np.ones(len(of.moves), np.bool_)
    for sight, i in (prescribed or {}).items():
        allowed[of.sight == sight] = False
        allowed[i] = True
    values, fresh = np.zeros(of.shape) if v is None else v.copy(), np.zeros(of.shape[1])
    chosen = np.empty((len(of.chain.following), of.shape[1] - 1), np.int64)
    while kernels.improve(values, fresh, allowed, chosen, of.game, of.pieces) > change:
        pass
    return values, chosen


def torn(of: Sights, values: Floats, chosen: Ints) -> Ints:
    """The sights, those first in which seeing the bag is worth most: where one move for all bags costs most."""
    visits = policy_visits(of, np.empty(0), chosen, NEARLY)
    worth, _ = moves_worth(of, values, visits)
    edges, placed, following, probabilities = of.pieces
    share = visits[np.repeat(np.arange(len(of.chain)), np.diff(edges)), :-1] * probabilities[:, None]
    taken = np.where(chosen >= 0, share * (of.points[chosen] + values[following[:, None], of.after[chosen]]), 0.0)
    seen = np.zeros(len(of.first) - 1)
    sight = np.arange(of.shape[1] - 1) * len(of.rules.pieces) + placed[:, None]
    np.add.at(seen, sight, taken)
    return np.asarray(seen[np.diff(of.first) > 0] - np.maximum.reduceat(worth, of.starts))


def bounds(of: Sights, known: float, most: int) -> Iterator[tuple[int, float]]:
    """Smaller and smaller upper bounds: how many cases were solved, and the bound; known: what some policy is worth.

    It ends before `most` cases if in the case with the highest bound nobody looks at the bag: then a policy attains it.
    """
    top = seeing(of)[0] + ROUNDING
    solved, cases = 0, [divided(of, {}, top, 0)]
    while cases:
        above, _, prescribed, sight = heappop(cases)
        yield solved, max(-above, known)
        if sight < 0 or solved >= most:
            return
        for i in np.flatnonzero(of.sight == sight).tolist():
            solved += 1
            case = divided(of, prescribed | {sight: i}, top, solved)
            if -case[0] > known:
                heappush(cases, case)
    yield solved, known


def divided(of: Sights, prescribed: dict[int, int], top: Floats, number: int) -> Case:
    """A case with its bound, and the sight by which to divide it further; -1: one move for each sight is enough."""
    values, chosen = seeing(of, prescribed, top, NEARLY)
    price = torn(of, values, chosen)
    price[list(prescribed)] = 0
    return -game_value(of, values), number, prescribed, int(price.argmax()) if price.max() > ROUNDING else -1
