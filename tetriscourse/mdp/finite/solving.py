"""Solving finite MDPs: value iteration, policy iteration, the values of a policy, error bounds, and simulated play.

Start at `sweeps` and `improvements`, which are the two methods. The functions around them decide when to stop and
bound the error of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import eye_array
from scipy.sparse.linalg import spsolve

from tetriscourse.errors import InputError, real_number, whole_number
from tetriscourse.game.board import read_only
from tetriscourse.mdp.finite import process
from tetriscourse.mdp.finite.process import FiniteMDP, Policy, best_v_from_q, following, greedy, q_from_v, v_from_q
from tetriscourse.random_numbers import Draws, Floats, Ints

EQUAL = 1e-12  # a difference that may be due to rounding, of numbers of size 1

@dataclass(frozen=True, eq=False)
class Evaluation:
    """The values of a policy."""

    V: Floats
    Q: Floats
    bound: float  # the largest possible error of a number in V or Q
    changes: tuple[float, ...]  # the largest change of a value in each sweep

    @property
    def sweeps(self) -> int:
        """The number of sweeps; 0 if an equation was solved instead."""
        return len(self.changes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.V)} states, {self.sweeps} sweeps, bound {self.bound:.2g})"


@dataclass(frozen=True, eq=False, repr=False)
class Solved(Evaluation):
    """The optimal values and an optimal policy, within the bounds."""

    policy: Ints

    @property
    def loss(self) -> float:
        """The most that the policy can fall short of the best in any state."""
        return 2 * self.bound


def sweeps(mdp: FiniteMDP, v: npt.ArrayLike | None = None) -> Iterator[Floats]:
    """The values after each sweep of value iteration, endlessly: V <- max over a of (R + gamma T V)."""
    v = _start(mdp, v)
    while True:
        v = best_v_from_q(mdp, q_from_v(mdp, v))
        yield read_only(v)


def improvements(mdp: FiniteMDP, policy: Policy | None = None) -> Iterator[Floats]:
    """The values of better and better policies: evaluate one exactly, then be greedy for its values."""
    policy = mdp.allowed.argmax(axis=1) if policy is None else policy
    v = np.full(len(mdp.states), -inf)
    while True:
        before, v = v, _linear_solve(following(mdp, policy))
        if v.sum() <= before.sum():  # no policy comes twice, unless the gain is lost in rounding
            return
        yield read_only(v)
        q = q_from_v(mdp, v)
        if (best_v_from_q(mdp, q) - v_from_q(mdp, q, policy)).max() <= _rounding(mdp, v):
            return
        # Processors round differently: where the values of two actions are equal but for that, all take the first.
        policy = greedy(mdp, q, slack=EQUAL * (1 + abs(v).max()))


def value_iteration(
    mdp: FiniteMDP, tolerance: float = 1e-9, v: npt.ArrayLike | None = None, most_sweeps: int = 1_000_000
) -> Solved:
    """Sweep until every value is within the tolerance of V*, or as close as rounding allows."""
    tolerance, most_sweeps = real_number("tolerance", tolerance, above=0), whole_number("most_sweeps", most_sweeps, 1)
    longest, changes = longest_game(mdp), []
    v = _start(mdp, v)
    for swept in islice(sweeps(mdp, v), most_sweeps):
        changes.append(float(abs(swept - v).max()))
        if _bound(mdp, v, changes[-1], longest) <= tolerance or changes[-1] <= _rounding(mdp, v):
            break
        v = swept
    return _after_sweep(mdp, v, longest, changes)


def policy_iteration(mdp: FiniteMDP, policy: Policy | None = None) -> Solved:
    """Improve a policy until it is greedy for its own values."""
    longest = longest_game(mdp, improvements)
    *_, v = improvements(mdp, policy)
    return _after_sweep(mdp, v, longest)


def evaluate(
    mdp: FiniteMDP,
    policy: Policy,
    tolerance: float = 1e-9,
    v: npt.ArrayLike | None = None,
    most_sweeps: int = 1_000_000,
) -> Evaluation:
    """V and Q of a policy by sweeps: value iteration where the policy takes all decisions."""
    found = value_iteration(following(mdp, policy), tolerance, v, most_sweeps)
    return Evaluation(found.V, read_only(q_from_v(mdp, found.V)), found.bound, found.changes)


def evaluate_exactly(mdp: FiniteMDP, policy: Policy) -> Evaluation:
    """V and Q of a policy from the linear equations (I - gamma P) V = r, exact up to rounding."""
    decided = following(mdp, policy)
    found = _after_sweep(decided, _linear_solve(decided), longest_game(decided, improvements))
    return Evaluation(found.V, read_only(q_from_v(mdp, found.V)), found.bound, ())


def _start(mdp: FiniteMDP, v: npt.ArrayLike | None) -> Floats:
    """The initial values: 0 by default, and in terminal states."""
    start = np.zeros(len(mdp.states)) if v is None else process.array_of("v", v, (len(mdp.states),))
    return np.where(mdp.terminal, 0.0, start)


def _linear_solve(decided: FiniteMDP) -> Floats:
    """V of a process with one action."""
    _check_end(decided)
    going_on = np.flatnonzero(~decided.terminal)  # the others have V = 0, and with gamma = 1 no equation
    v = np.zeros(len(decided.states))
    if len(going_on):
        P = decided.T[going_on][:, going_on]
        v[going_on] = spsolve((eye_array(len(going_on)) - decided.gamma * P).tocsc(), decided.R[going_on, 0])
    return v


def _after_sweep(mdp: FiniteMDP, v: Floats, longest: float, changes: Iterable[float] = ()) -> Solved:
    """The solution after one more sweep from v, with its bound."""
    q = q_from_v(mdp, v)
    swept = best_v_from_q(mdp, q)
    bound = _bound(mdp, v, abs(swept - v).max(), longest)
    return Solved(read_only(swept), read_only(q), bound, tuple(changes), greedy(mdp, q))


# --- error bounds -------------------------------------------------------------------------------
#
# Let B be a sweep, B V = max over a of (R + gamma T V), and let W >= 0 be a function of the state with
#     W >= 1 + gamma T W for every action (W = 0 in terminal states).
# If B V differs from V by at most d, then
#     B (V + d W) <= B V + d gamma T W <= V + d + d (W - 1) = V + d W,
# so sweeping from V + d W can only lower it: V* <= V + d W. Likewise V* >= V - d W. One more sweep brings both to
# within d gamma T W <= d (W - 1) of B V. This also holds for the policy that is greedy for V, whose own sweep starts
# with B V: so it loses at most 2 d (W - 1).
# With gamma < 1, W = 1 / (1 - gamma) will do, and d (W - 1) is the well-known d gamma / (1 - gamma).
# With gamma = 1, W is the expected number of steps of the policy that makes the game last longest.


def longest_game(mdp: FiniteMDP, climb: Callable[[FiniteMDP], Iterator[Floats]] = sweeps) -> float:
    """An upper bound W on the mean steps of a game under any policy; 1 / (1 - gamma) if rewards fade."""
    process.check_mdp(mdp)
    if mdp.gamma < 1:
        return 1 / (1 - mdp.gamma)
    _check_end(mdp)
    clock = replace(mdp, R=np.where(mdp.terminal, 0.0, 1.0)[:, None] * mdp.allowed)  # its V* is the duration
    for w in climb(clock):
        longer = best_v_from_q(clock, q_from_v(clock, w))
        missing = float((longer - w).max()) + _rounding(clock, w)
        if missing < 0.01:
            break
    # 1 + T w <= w + missing, so w / (1 - missing) is large enough.
    return float(longer.max()) / (1 - missing) if missing < 1 else inf


def _bound(mdp: FiniteMDP, v: Floats, change: float, longest: float) -> float:
    """The largest error of the values after a sweep from v that changed them by `change`."""
    rounding = _rounding(mdp, v)
    return float((change + rounding) * max(longest - 1, 0.0) + 2 * rounding)


def _rounding(mdp: FiniteMDP, v: Floats) -> float:
    """An upper bound on the rounding error of a value in one sweep."""
    terms, largest_reward = mdp.sizes
    return float(1e-15 * (terms + 10) * (largest_reward + abs(v).max()))


def _check_end(mdp: FiniteMDP) -> None:
    """An error if gamma is 1 and a game may never end, so that its value may be infinite."""
    endless = ~mdp.terminal if mdp.gamma == 1 else np.zeros(len(mdp.states), bool)
    while endless.any():
        # A state stays in the set as long as it has an action that cannot lead out of it.
        leaves = (mdp.T @ (~endless).astype(float)).reshape(mdp.R.shape) > 0
        staying = endless & (mdp.allowed & ~leaves).any(axis=1)
        if (staying == endless).all():
            state = mdp.states[int(endless.argmax())]
            raise InputError(f"gamma is 1, but from state {state!r} the game can go on for ever; it must be below 1")
        endless = staying


# --- playing ------------------------------------------------------------------------------------


def simulate(
    mdp: FiniteMDP, policy: Policy, start: str | int, seed: int = 0, episodes: int = 1000, steps: int = 1000
) -> Floats:
    """The total rewards (7.2) of many games from one state, each cut off after `steps`."""
    episodes, steps = whole_number("episodes", episodes, 1), whole_number("steps", steps, 1)
    pick_action, pick_state = _picker(process.decisions(mdp, policy)), _picker(mdp.T)
    s = np.full(episodes, mdp.state(start))
    G = np.zeros(episodes)
    for step in range(steps):
        if mdp.terminal[s].all():
            break
        u = Draws(seed, step).uniform((episodes, 2))
        pair = pick_action(s, u[:, 0])
        G += mdp.gamma**step * mdp.R.ravel()[pair]
        s = pick_state(pair, u[:, 1])
    return G


def _picker(P: Any) -> Callable[[Ints, Floats], Ints]:
    """A function that picks a column in each given row by the probabilities there and a number from (0, 1)."""
    rows_of_entries = process.row_of_entry(P)
    before = np.concatenate([[0.0], np.cumsum(P.data)])
    until = rows_of_entries + (before[1:] - before[P.indptr[rows_of_entries]])  # rising from row to row and within each

    def pick(rows: Ints, u: Floats) -> Ints:
        entry = np.searchsorted(until, rows + u)
        return np.asarray(P.indices[np.clip(entry, P.indptr[rows], P.indptr[rows + 1] - 1)].astype(np.int64))

    return pick
