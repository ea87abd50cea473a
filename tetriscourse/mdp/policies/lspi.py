"""LSPI: least-squares policy iteration, with features of state and action (Lagoudakis, Parr and Littman 2002).

Start at `LSPI.iterate`. The value of a move is Q(s, a) = phi(s, a)^T w. Each iteration finds the w that solves
Bellman's equation for the present policy pi, projected onto the features (LSTDQ):

    A = sum over samples of phi(s, a) (phi(s, a) - gamma phi(s', pi(s')))^T
    b = sum over samples of phi(s, a) r
    w = A^-1 b,     and then pi(s) is the a with the highest phi(s, a)^T w

The samples (s, a, r, s') may come from any policy, and the same ones can be used in every iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array, hstack, issparse

from tetriscourse.mdp.policies.least_squares import LeastSquares
from tetriscourse.mdp.policies.policy_learner import PLAYING, PolicyLearner, PolicySettings
from tetriscourse.mdp.policies.samples import CUT, LOST, Policy, Samples
from tetriscourse.random_numbers import Floats, Ints, derived_seed
from tetriscourse.settings import setting

BASES = {
    "changes": "features of the board before a move and how the move changes them, rows cleared, 1",
    "afterstates": "features of the board after a move, rows cleared, 1",
}
PLAYED = {"once": "games of the first policy", "fresh": "new games of the present policy in every iteration"}


@dataclass(frozen=True)
class LSPISettings(PolicySettings):
    """Settings of a run."""

    gamma: float = setting(0.9, "what a row is worth a move later", above=0, at_most=1)
    games: int = setting(1_000, "games that the samples come from, at most", at_least=1)
    moves: int = setting(10_000, "samples", at_least=1)
    epsilon: float = setting(0.0, "the share of random moves among them", at_least=0, at_most=1)
    samples: str = setting("fresh", f"{' or '.join(PLAYED)}: {'; '.join(PLAYED.values())}", one_of=PLAYED)
    basis: str = setting("changes", f"phi(s, a): {' or '.join(BASES)}", one_of=BASES)
    ridge: float = setting(1e-6, "what is added to the diagonal of A", at_least=0)


class LSPI(PolicyLearner):
    """Least-squares policy iteration (Lagoudakis, Parr and Littman 2002)."""

    name: ClassVar[str] = "lspi"
    Settings: ClassVar[Any] = LSPISettings
    rules: ClassVar[str] = "research"
    features: ClassVar[Any] = ("max_height", "holes", "bumpiness", "sum_heights")
    has_constant: ClassVar[bool] = False

    def begin(self) -> None:
        d = self.source.dimension
        start = self.weights
        self.weights = np.zeros(2 * d + 2 if self.settings.basis == "changes" else d + 2)
        self.weights[self.changes] = start

    @property
    def changes(self) -> slice:
        """The weights that decide between moves, but for that of the rows, which follows them."""
        d = self.source.dimension
        return slice(d, 2 * d) if self.settings.basis == "changes" else slice(0, d)

    def policy(self, weights: Floats | None = None) -> Policy:
        """The policy that is greedy for Q: what the board was before makes no difference between moves."""
        w = self.weights if weights is None else weights
        return Policy(w[self.changes], float(w[self.changes.stop]))

    def iterate(self) -> None:
        """Find Q of the present policy from samples."""
        s, now = self.settings, self.policy()
        D = self.samples()
        kept, following = transitions(D, D.best(now.reward * D.all_rewards + D.all_phi @ now.weights))
        phi = self.phi(D, kept, D.chosen[kept])
        phi_next = self.phi(D, kept + 1, following)
        self.weights = LeastSquares(phi.shape[1]).add(phi, D.rewards[kept], phi - s.gamma * phi_next).solve(s.ridge)
        self.moves += D.moves if s.samples == "fresh" or self.t == 0 else 0

    def samples(self) -> Samples:
        """The samples of this iteration."""
        s = self.settings
        if s.samples == "fresh":
            return self.sample(self.explored(self.policy()), s.games, s.moves)
        # Playing them again is cheaper than to store them.
        first = type(self)(self.source, settings=s, seed=self.seed).policy()
        seed = derived_seed(self.seed, PLAYING, 0)
        return self.source.sample(self.explored(first), seed, s.games, s.moves, True, lambda: self.stopping)

    def explored(self, policy: Policy) -> Policy:
        """A policy with random moves."""
        return Policy(policy.weights, policy.reward, self.settings.epsilon)

    def phi(self, D: Samples, states: Ints, moves: Ints) -> Any:
        """phi(s, a) of some states and moves; zeros where there is no move, since nothing comes then."""
        some = (moves >= 0).astype(np.float64)[:, None]
        after, rows = D.all_phi[moves], D.all_rewards[moves][:, None] * some
        if self.settings.basis == "afterstates":
            return beside(times(after, some), rows, some)
        before = D.phi[np.minimum(states, len(D) - 1)]
        return beside(times(before, some), times(after - before, some), rows, some)


def transitions(D: Samples, best: Ints) -> tuple[Ints, Ints]:
    """The states in which a move was made whose outcome is known, and the best move of the state that followed."""
    following = np.append(best[1:], -1)
    following[D.ends == LOST] = -1
    cut = np.append(D.ends[1:] == CUT, True) & (D.ends != LOST)
    kept = np.flatnonzero((D.chosen >= 0) & ~cut & (D.ends != CUT))
    return kept, following[kept]


def beside(*blocks: Any) -> Any:
    """Blocks of columns side by side."""
    return csr_array(hstack(blocks)) if any(map(issparse, blocks)) else np.hstack(blocks)


def times(matrix: Any, column: Floats) -> Any:
    """Every row of a matrix times a number."""
    return csr_array(matrix.multiply(column)) if issparse(matrix) else matrix * column
