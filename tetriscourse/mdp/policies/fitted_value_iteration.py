"""Value iteration with a few features: the first player that learned Tetris (Tsitsiklis and Van Roy 1996).

Start at `FittedValueIteration.iterate`. The value of a board is V(s) = phi(s)^T r, and each iteration is a sweep of
Bellman's equation over states that were met, fitted by least squares:

    V'(s) = max over moves of (rows + gamma V(s'))
    r'    = the r that makes the sum of (phi(s)^T r - V'(s))² smallest
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tetriscourse.mdp.policies.least_squares import fit
from tetriscourse.mdp.policies.policy_learner import PolicyLearner, PolicySettings
from tetriscourse.mdp.policies.samples import CUT, Policy
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import setting


@dataclass(frozen=True)
class SweepSettings(PolicySettings):
    """Settings of a run."""

    iterations: int = setting(30, "when to stop", at_least=1)
    gamma: float = setting(0.9, "what a row is worth a move later", above=0, at_most=1)
    moves: int = setting(5_000, "states of an iteration", at_least=1)
    epsilon: float = setting(0.1, "the share of random moves in the games that lead to them", at_least=0, at_most=1)
    ridge: float = setting(1e-6, "what is added to the diagonal of the least squares", at_least=0)


class FittedValueIteration(PolicyLearner):
    """Value iteration with features (Tsitsiklis and Van Roy 1996)."""

    name: ClassVar[str] = "value-iteration"
    Settings: ClassVar[Any] = SweepSettings
    rules: ClassVar[str] = "research"
    features: ClassVar[Any] = ("max_height", "holes")

    def policy(self, weights: Floats | None = None) -> Policy:
        """The policy that is greedy for V."""
        return Policy(self.settings.gamma * (self.weights if weights is None else weights), 1.0)

    def iterate(self) -> None:
        """Play by the present policy, and sweep over the states that were met."""
        s, r = self.settings, self.weights
        D = self.sample(Policy(self.policy().weights, 1.0, s.epsilon), s.moves, s.moves)
        if self.t == 0:
            r = np.zeros(len(r))  # the first weights are a policy, and no values
        Q = D.all_rewards + s.gamma * (D.all_phi @ r)
        best, known = D.best(Q), D.ends != CUT
        V = np.where(best >= 0, Q[best], 0.0)
        self.weights = fit(D.phi[known], V[known], s.ridge)
        self.moves += D.moves
