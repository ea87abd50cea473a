"""lambda-policy iteration: values from games, by steps between value iteration and policy iteration.

Start at `LambdaPolicyIteration.iterate` (Bertsekas and Ioffe 1996). The value of a board is V(i) = phi(i)^T r, the rows
that are still to come. Each iteration plays games by the policy that is greedy for V, and moves V towards what they
brought:

    d(i_m)   = g(i_m) + V(i_m+1) - V(i_m)                                   the temporal differences
    V'(i_k)  = V(i_k) + sum over m >= k of (gamma lambda)^(m - k) d(i_m)
    r'       = the r that makes the sum of (phi(i_k)^T r - V'(i_k))² smallest

With lambda = 0 this is fitted value iteration, with lambda = 1 approximate policy iteration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tetriscourse.mdp.policies.least_squares import fit
from tetriscourse.mdp.policies.policy_learner import PolicyLearner, PolicySettings
from tetriscourse.mdp.policies.samples import CUT, LOST, Policy, discounted_sums
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.settings import setting


@dataclass(frozen=True)
class LambdaSettings(PolicySettings):
    """Settings of a run."""

    iterations: int = setting(30, "when to stop", at_least=1)
    lambda_: float = setting(0.6, "how far a reward is carried back", at_least=0, at_most=1)
    gamma: float = setting(1.0, "what a row is worth a move later", above=0, at_most=1)
    games: int = setting(100, "games an iteration", at_least=1)
    moves: int = setting(200_000, "moves after which an iteration has enough", at_least=1)
    ridge: float = setting(1e-6, "what is added to the diagonal of the least squares", at_least=0)
    epsilon: float = setting(0.0, "the share of random moves", at_least=0, at_most=1)


class LambdaPolicyIteration(PolicyLearner):
    """lambda-policy iteration (Bertsekas and Ioffe 1996)."""

    name: ClassVar[str] = "lambda-pi"
    Settings: ClassVar[Any] = LambdaSettings
    rules: ClassVar[str] = "top-row"
    features: ClassVar[str] = "bertsekas"

    def policy(self, weights: Floats | None = None) -> Policy:
        """The policy that is greedy for V: it takes the move with the highest rows + gamma V."""
        return Policy(self.settings.gamma * (self.weights if weights is None else weights), 1.0)

    def iterate(self) -> None:
        """Play by the policy that is greedy for V, and fit V to what came."""
        s, r = self.settings, self.weights
        played = self.sample(replace(self.policy(), epsilon=s.epsilon), s.games, s.moves, all_moves=False)
        lambda_ = s.lambda_ if self.t else 1.0  # the first weights are a policy, and no values
        V = played.phi @ r
        targets = V + corrections(V, played.rewards, played.ends, s.gamma, lambda_)
        going = played.ends != CUT
        self.weights = fit(played.phi[going], targets[going], s.ridge)
        self.moves += played.moves


def corrections(V: Floats, g: Floats, ends: Ints, gamma: float, lambda_: float) -> Floats:
    """sum over m >= k of (gamma lambda)^(m - k) d(i_m), for each state i_k of some games one after the other."""
    following = np.append(V[1:], 0.0)
    following[ends == LOST] = 0.0
    d = np.where(ends == CUT, 0.0, g + gamma * following - V)
    d[ends == LOST] = (g - V)[ends == LOST]
    return discounted_sums(d, ends, gamma * lambda_)
