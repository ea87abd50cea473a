"""Policy gradients: REINFORCE, and the natural gradient (Williams 1992; Kakade 2001).

Start at `PolicyGradient.iterate`. The policy draws its moves: pi(a | s) is proportional to exp(theta^T phi(s, a)).
With psi(s, a) = grad log pi(a | s) = phi(s, a) - sum over b of pi(b | s) phi(s, b), the gradient of the mean score is

    grad eta = E[sum over t of psi(s_t, a_t) (G_t - b(s_t))],       G_t = r_t + gamma r_t+1 + gamma² r_t+2 + ...

where any baseline b(s) leaves the mean as it is; ours is fitted to G by least squares. The natural gradient is

    F^-1 grad eta  with  F = E[psi psi^T],   which is the w that makes E[(psi^T w - (G_t - b(s_t)))²] smallest

so it comes from the same least squares. It does not depend on the units of the features, as grad eta does.

The functions of one state at the end say the same once more, for the moves of a single board: see `PolicyPanel`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tetriscourse.mdp.policies.least_squares import fit
from tetriscourse.mdp.policies.policy_learner import PolicyLearner, PolicySettings
from tetriscourse.mdp.policies.samples import CUT, Policy, Samples, discounted_sums
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import setting

DIRECTIONS = ("natural", "gradient")


@dataclass(frozen=True)
class GradientSettings(PolicySettings):
    """Settings of a run."""

    iterations: int = setting(40, "when to stop", at_least=1)
    direction: str = setting("natural", f"which way: {' or '.join(DIRECTIONS)}", one_of=DIRECTIONS)
    games: int = setting(100, "games an iteration, at most", at_least=1)
    moves: int = setting(10_000, "moves after which an iteration has enough", at_least=1)
    step: float = setting(0.5, "the length of a step: of the scores, by their standard deviation", above=0)
    gamma: float = setting(0.95, "what a row is worth a move later", above=0, at_most=1)
    ridge: float = setting(1e-4, "what is added to the diagonal of the least squares", at_least=0)


class PolicyGradient(PolicyLearner):
    """REINFORCE and the natural policy gradient (Kakade 2001)."""

    name: ClassVar[str] = "policy-gradient"
    Settings: ClassVar[Any] = GradientSettings
    rules: ClassVar[str] = "research"
    features: ClassVar[str] = "bertsekas"
    has_constant: ClassVar[bool] = False
    reward: ClassVar[float] = 0.0

    def begin(self) -> None:
        self.weights = np.zeros(self.source.dimension)

    def iterate(self) -> None:
        """Play games by the softmax policy, and take a step uphill."""
        s, theta = self.settings, self.weights
        D = self.sample(Policy(theta, softmax=True), s.games, s.moves)
        psi, advantage = gradients(D, theta), advantages(D, s.gamma, s.ridge)
        made = D.chosen >= 0
        direction = uphill(psi[made], advantage[made], s.direction, s.ridge)
        self.weights = stepped(theta, direction, float(np.sqrt(np.square(psi[made] @ direction).mean())), s.step)
        self.moves += D.moves


def probabilities(D: Samples, theta: Floats) -> Floats:
    """pi(a | s) of every move of every state."""
    scores, owner = D.all_phi @ theta, D.owner
    highest = scores[D.best(scores)]
    p = np.exp(scores - highest[owner])
    return np.asarray(p / np.bincount(owner, p, len(D))[owner])


def gradients(D: Samples, theta: Floats) -> Floats:
    """psi(s, a) = grad log pi(a | s) of the move made in each state; 0 where there was none."""
    weighted = probabilities(D, theta)[:, None] * D.all_phi
    mean = np.add.reduceat(np.vstack([weighted, np.zeros(D.all_phi.shape[1])]), D.offsets[:-1])
    return np.where(D.chosen[:, None] >= 0, D.all_phi[D.chosen] - mean, 0.0)


def advantages(D: Samples, gamma: float, ridge: float) -> Floats:
    """G_t - b(s_t), with the baseline that is nearest to G among the linear functions of the board's features."""
    G = discounted_sums(D.rewards, D.ends, gamma)
    x = np.hstack([D.phi, np.ones((len(D), 1))])
    known = D.ends != CUT
    return np.asarray(G - x @ fit(x[known], G[known], ridge))


def uphill(psi: Floats, advantage: Floats, direction: str, ridge: float) -> Floats:
    """grad eta, a mean over moves, or F^-1 grad eta."""
    if direction == "natural":
        return fit(psi, advantage, ridge)
    return np.asarray(psi.T @ advantage / len(psi))


def stepped(theta: Floats, direction: Floats, size: float, step: float) -> Floats:
    """The weights after a step, which changes log pi equally much whatever the units of features and rewards.

    size: the root of the mean square of psi^T direction, of which a step of the given length makes `step`.
    """
    return theta + step / size * direction if size > 0 else theta


# --- one state: phi has a row of features for each of its moves --------------------------------------


def softmax(phi: Floats, theta: Floats) -> Floats:
    """pi(a | s) of each move: proportional to exp(theta^T phi(s, a))."""
    scores = phi @ theta
    p = np.exp(scores - scores.max())
    return np.asarray(p / p.sum())


def log_gradients(phi: Floats, theta: Floats) -> Floats:
    """psi(s, a) = grad log pi(a | s) of each move: its features less the features to be expected."""
    return np.asarray(phi - softmax(phi, theta) @ phi)


def fisher(phi: Floats, theta: Floats) -> Floats:
    """F = E[psi psi^T] over the moves of the policy, which is also the covariance of their features."""
    psi = log_gradients(phi, theta)
    return np.asarray(psi.T @ (softmax(phi, theta)[:, None] * psi))


def expected_uphill(phi: Floats, theta: Floats, advantage: Floats, direction: str) -> Floats:
    """What `uphill` tends to with ever more samples of this state: the gradient of E[advantage], or F^-1 times it."""
    g = log_gradients(phi, theta).T @ (softmax(phi, theta) * advantage)
    return np.asarray(np.linalg.lstsq(fisher(phi, theta), g, rcond=None)[0]) if direction == "natural" else g
