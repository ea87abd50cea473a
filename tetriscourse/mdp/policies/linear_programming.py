"""Approximate linear programming with sampled constraints (de Farias and Van Roy 2003; Farias and Van Roy 2006).

Start at `LinearProgramming.iterate`. The optimal values are the smallest V that no move can improve on. With V = Phi r
and only some of the states, this becomes a linear program in r:

    minimise    sum over s of c(s) phi(s)^T r
    subject to  phi(s)^T r >= R(s, a) + gamma sum over s' of P(s' | s, a) phi(s')^T r     for each move a of each s
                |r| <= bound                                                              since some states are missing

A state is a board and a piece. phi(s) are features of the board and, with pieces="seen", 1 for the piece among 0s. The
states come from games of the policy that the last program gave, greedy for phi^T r ("bootstrapping"); c is how often
each was met.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.mdp.policies.policy_learner import PolicyLearner, PolicySettings
from tetriscourse.mdp.policies.samples import CUT, Policy, Samples
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import setting

PIECES = ("seen", "ignored")


@dataclass(frozen=True)
class ProgramSettings(PolicySettings):
    """Settings of a run."""

    iterations: int = setting(15, "when to stop", at_least=1)
    gamma: float = setting(0.9, "what a row is worth a move later", above=0, below=1)
    states: int = setting(400, "states whose moves are constraints", at_least=1)
    spacing: int = setting(5, "moves played for each of them", at_least=1)
    epsilon: float = setting(0.0, "the share of random moves in the games that lead to them", at_least=0, at_most=1)
    pieces: str = setting("seen", f"whether phi tells the piece: {' or '.join(PIECES)}", one_of=PIECES)
    bound: float = setting(1e4, "of every weight", above=0)


class LinearProgramming(PolicyLearner):
    """Approximate linear programming (Farias and Van Roy 2006)."""

    name: ClassVar[str] = "linear-programming"
    Settings: ClassVar[Any] = ProgramSettings
    rules: ClassVar[str] = "research"
    features: ClassVar[str] = "bertsekas"

    def policy(self, weights: Floats | None = None) -> Policy:
        """The policy that is greedy for V: which piece comes next makes no difference between moves."""
        return Policy(self.settings.gamma * (self.weights if weights is None else weights), 1.0)

    def iterate(self) -> None:
        """Play by the present policy, and solve the program for every `spacing`-th state that was met."""
        s = self.settings
        explored = Policy(self.policy().weights, 1.0, s.epsilon)
        D = self.sample(explored, s.states * s.spacing, s.states * s.spacing)
        kept = np.flatnonzero(D.ends != CUT)[:: s.spacing]
        phi, following, rewards, owner = self.constraints(D, kept)
        r = solve_program(phi, following, rewards, owner, s.gamma, s.bound)
        self.weights = r[: self.source.dimension]
        self.moves += D.moves

    def constraints(self, D: Samples, kept: Any) -> tuple[Floats, Floats, Floats, Any]:
        """phi(s) of some states, the mean of phi(s') and the reward of each of their moves, and the state it is of."""
        lengths = np.diff(D.offsets)[kept]
        owner = np.repeat(np.arange(len(kept)), lengths)
        rows = np.arange(len(owner)) + np.repeat(D.offsets[kept] - np.cumsum(lengths) + lengths, lengths)
        phi, following = D.phi[kept], D.all_phi[rows]
        if self.settings.pieces == "seen":
            chances = self.source.chances
            phi = np.hstack([phi, np.eye(len(chances))[D.pieces[kept]]])
            following = np.hstack([following, np.tile(chances, (len(rows), 1))])
        return phi, following, D.all_rewards[rows], owner


def solve_program(
    phi: Any, following: Any, rewards: Floats, owner: Any, gamma: float, bound: float = np.inf, c: Any = None
) -> Floats:
    """The r of the program; move i belongs to state owner[i], of the rows of phi. A state is worth at least 0."""
    from scipy.optimize import linprog
    from scipy.sparse import issparse, vstack

    weights = np.full(phi.shape[0], 1 / phi.shape[0]) if c is None else c
    # linprog wants A r <= b: gamma phi(s')^T r - phi(s)^T r <= -R(s, a), and - phi(s)^T r <= 0 where there is no move.
    ended = np.setdiff1d(np.arange(phi.shape[0]), owner)
    A, stack = gamma * following - phi[owner], vstack if issparse(phi) else np.vstack
    A, b = stack([A, -phi[ended]]), np.concatenate([-rewards, np.zeros(len(ended))])
    found = linprog(phi.T @ weights, A_ub=A, b_ub=b, bounds=(-bound, bound), method="highs")
    if found.x is None:
        raise InputError(f"bound is {bound:g}; the program has no solution ({found.message}): it must be larger")
    return np.asarray(found.x)
