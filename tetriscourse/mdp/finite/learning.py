"""Learning a small world from experience: Q-learning, SARSA and expected SARSA, with traces and fading steps.

The same methods as in mdp/q_learning, for a process whose exact values are known, so that what was learned can be held
against them. `curious` gives the process in which chance takes some of the actions: its best values are those that
SARSA learns.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from tetriscourse.errors import InputError, one_of, real_number, whole_number
from tetriscourse.mdp.finite.process import FiniteMDP, check_mdp, decisions, uniform
from tetriscourse.random_numbers import Draws, Floats

METHODS = ("q", "sarsa", "expected-sarsa")


def td_learning(
    mdp: FiniteMDP,
    start: str | int,
    method: str = "q",
    *,
    alpha: float = 0.1,
    fading: float = 0.0,
    epsilon: float = 0.1,
    trace: float = 0.0,
    steps: int = 10_000,
    seed: int = 0,
) -> Floats:
    """Q after so many steps of epsilon-greedy play; a game that is over begins anew at the start.

    A step goes alpha / n ** fading of the way at the n-th visit; trace is lambda, what an error hands on to the action
    before. With 'q' the trace ends where an action is not the best one (Watkins).
    """
    check_mdp(mdp)
    method, beginning = one_of("method", method, METHODS), mdp.state(start)
    if mdp.terminal[beginning]:
        raise InputError(f"start is {start!r}; it must be a state in which the game is not over")
    alpha = real_number("alpha", alpha, above=0, at_most=1)
    fading, epsilon, trace = (
        real_number(name, value, at_least=0, at_most=1)
        for name, value in (("fading", fading), ("epsilon", epsilon), ("trace", trace))
    )
    steps = whole_number("steps", steps, 0)
    u, world = Draws(seed, 0).uniform((steps + 1, 3)), _Sampled(mdp)
    q, visits, strengths = np.where(mdp.allowed, 0.0, -np.inf), np.zeros(mdp.R.shape), np.zeros(mdp.R.shape)

    def chosen(s: int, step: int) -> int:
        """Any action with probability epsilon, else the best; chance decides between several."""
        possible = np.flatnonzero(mdp.allowed[s] if u[step, 0] < epsilon else q[s] == q[s].max())
        return int(possible[int(u[step, 1] * len(possible))])

    s, a = beginning, chosen(beginning, 0)
    for step in range(1, steps + 1):
        s2 = world.after(s, a, u[step, 2])
        a2, over = chosen(s2, step), bool(mdp.terminal[s2])
        best, mean = q[s2].max(), q[s2][mdp.allowed[s2]].mean()
        worth = {"q": best, "sarsa": q[s2, a2], "expected-sarsa": (1 - epsilon) * best + epsilon * mean}[method]
        visits[s, a] += 1
        strengths *= mdp.gamma * trace
        strengths[s, a] = alpha / visits[s, a] ** fading
        error = mdp.R[s, a] + (0.0 if over else mdp.gamma * worth) - q[s, a]
        q[mdp.allowed] += (strengths * error)[mdp.allowed]
        if over:
            s2 = beginning
        if method != "sarsa" or over:
            a2 = chosen(s2, step)  # by what has been learned just now
        if over or (method == "q" and q[s2, a2] < q[s2].max()):
            strengths[:] = 0
        s, a = s2, a2
    return np.asarray(q)


class _Sampled:
    """What follows an action, drawn by a number from 0 to 1."""

    def __init__(self, mdp: FiniteMDP):
        self.actions, self.edges = mdp.R.shape[1], mdp.T.indptr.tolist()
        self.states = mdp.T.indices.tolist()
        self.sums = [np.cumsum(part).tolist() for part in np.split(mdp.T.data, self.edges[1:-1])]

    def after(self, s: int, a: int, u: float) -> int:
        """The next state."""
        pair = s * self.actions + a
        sums = self.sums[pair]
        return int(self.states[self.edges[pair] + min(bisect_right(sums, u), len(sums) - 1)])


def curious(mdp: FiniteMDP, epsilon: float) -> FiniteMDP:
    """The process in which each decision is replaced by a random action with probability epsilon."""
    check_mdp(mdp)
    epsilon, (S, A) = real_number("epsilon", epsilon, at_least=0, at_most=1), mdp.R.shape
    by_chance = decisions(mdp, uniform(mdp))
    R, T = by_chance @ mdp.R.ravel(), by_chance @ mdp.T
    rows = np.repeat(np.arange(S), A)
    return FiniteMDP(
        (1 - epsilon) * mdp.T + epsilon * T[rows], (1 - epsilon) * mdp.R + epsilon * R[:, None], mdp.gamma,
        mdp.allowed, mdp.states, mdp.actions,
    )  # fmt: skip
