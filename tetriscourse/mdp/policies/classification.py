"""Policies learned as classifiers: direct policy iteration, and CBMPI, which adds a critic.

Start at `DPI.iterate`. There is no value function to be greedy for: rollouts say how good each move of some states is,
and the next policy is the one, among linear policies, that loses least by its choices. Iteration k, with the policy
pi_k (Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer et al. 2015):

    D        = N states from games of a player
    Q(s, a)  = r_0 + gamma r_1 + ... + gamma^m r_m + gamma^(m+1) v(s_m+1)      after a, pi_k plays m moves
    pi_k+1   = the pi that makes (1/N) sum over s of (max over a of Q(s, a) - Q(s, pi(s))) smallest

The loss counts what a wrong choice costs; CMA-ES finds its minimum. For DPI (Lazaric, Ghavamzadeh and Munos 2010), v is
0. For CBMPI it is fitted, by least squares, to Q(s, pi_k(s)): `CBMPI.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import one_of
from tetriscourse.mdp.policies.least_squares import fit
from tetriscourse.mdp.policies.policy_learner import PolicyLearner, PolicySettings
from tetriscourse.mdp.policies.samples import CUT, Policy, RolloutPlan, Samples, Valued, best_rows, choices
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, Floats, Ints, derived_seed
from tetriscourse.settings import setting
from tetriscourse.simulator.run import Stopped

STATES, ROLLOUTS, CLASSIFIER = 3, 4, 5  # labels that separate random numbers


GUIDES = {name: player for name, player in PLAYERS.items() if isinstance(player, Player)}


def whose_games(name: Any) -> str:
    """'policy', or the name of a player that weighs features."""
    return one_of("states_of", name, ["policy", *GUIDES])


@dataclass(frozen=True)
class ClassificationSettings(PolicySettings):
    """Settings of a run."""

    iterations: int = setting(8, "when to stop", at_least=1)
    states: int = setting(5_000, "N: states in the rollout set", at_least=1)
    spacing: int = setting(5, "moves played for each of them", at_least=1)
    states_of: str = setting("policy", "who plays these games: 'policy' itself or a published player", read=whose_games)
    epsilon: float = setting(0.05, "the share of random moves in the policy's own games", at_least=0, at_most=1)
    horizon: int = setting(10, "m: moves of a rollout", at_least=0)
    rollouts: int = setting(1, "M: rollouts after each move", at_least=1)
    gamma: float = setting(1.0, "what a row is worth a move later", above=0, at_most=1)
    search: int = setting(60, "iterations of CMA-ES that look for the classifier", at_least=1)
    sigma: float = setting(0.3, "its step size at first, for weights of length 1", above=0)
    ridge: float = setting(1e-6, "what is added to the diagonal of the critic's least squares", at_least=0)


class DPI(PolicyLearner):
    """Direct policy iteration: rollouts and a classifier (Lazaric, Ghavamzadeh and Munos 2010)."""

    name: ClassVar[str] = "dpi"
    Settings: ClassVar[Any] = ClassificationSettings
    rules: ClassVar[str] = "10x10"
    features: ClassVar[str] = "dt"
    has_constant: ClassVar[bool] = False
    reward: ClassVar[float] = 0.0
    variables: ClassVar[tuple[str, ...]] = ("weights", "v")

    def begin(self) -> None:
        self.v = np.zeros(self.source.critic_dimension)

    def iterate(self) -> None:
        """Value the moves of some states by rollouts, and find the policy that chooses best among them."""
        played, D = self.rollout_set()
        valued = self.source.roll_out(D, self.plan(), lambda: self.stopping)
        Q = valued.all_rewards + self.settings.gamma * valued.after
        weights = classifier(Q, valued, self.weights, self.optimizer(), lambda: self.stopping)
        self.v = self.evaluate(Q, valued)
        self.weights = weights
        self.moves += played + len(valued.after) * self.settings.rollouts * (self.settings.horizon + 1)

    def rollout_set(self) -> tuple[int, Samples]:
        """N states of games, and the moves that were played to find them."""
        s = self.settings
        explored = replace(self.policy(), epsilon=s.epsilon)
        who: Policy | Player = explored if s.states_of == "policy" else GUIDES[s.states_of]
        played = self.sample(who, s.states * s.spacing, s.states * s.spacing, all_moves=False)
        begun = np.flatnonzero(played.ends != CUT)
        order = Draws(derived_seed(self.seed, STATES), self.t).order(len(begun))
        return played.moves, rows_of(played, begun[np.sort(order[: s.states])])

    def plan(self) -> RolloutPlan:
        """The rollouts of this iteration."""
        s, seed = self.settings, derived_seed(self.seed, ROLLOUTS, self.t)
        return RolloutPlan(self.policy(), s.horizon, s.rollouts, s.gamma, seed, self.v)

    def optimizer(self) -> CMAES:
        """CMA-ES on the weights of the policy."""
        s, length = self.settings, float(np.linalg.norm(self.weights))
        start = tuple(self.weights / length) if length else "zero"
        seed = derived_seed(self.seed, CLASSIFIER, self.t)
        return CMAES(len(self.weights), iterations=s.search, sigma=s.sigma, start=start, normalise=True, seed=seed)

    def evaluate(self, Q: Floats, valued: Valued) -> Floats:
        """The next critic: none."""
        return self.v


class CBMPI(DPI):
    """Classification-based modified policy iteration (Gabillon, Ghavamzadeh and Scherrer 2013)."""

    name: ClassVar[str] = "cbmpi"

    def evaluate(self, Q: Floats, valued: Valued) -> Floats:
        """The next critic: the v that makes the sum over s of (phi(s)^T v - Q(s, pi_k(s)))² smallest."""
        taken = choices(valued.all_phi, self.weights, valued.offsets)
        y = np.where(taken >= 0, Q[taken], 0.0)
        return fit(valued.critic, y, self.settings.ridge)


def rows_of(played: Samples, rows: Any) -> Samples:
    """Some of the states."""
    return Samples(
        played.phi[rows], played.rewards[rows], played.ends[rows], played.cells[rows], played.pieces[rows]
    )  # fmt: skip


def regrets(Q: Floats, offsets: Ints) -> Floats:
    """max over b of Q(s, b) - Q(s, a): what each move costs."""
    highest = Q[best_rows(Q, offsets)]
    return np.asarray(np.repeat(highest, np.diff(offsets)) - Q)


def losses(regret: Floats, valued: Valued, candidates: Floats) -> Floats:
    """The mean over states of what the choices of policies cost; a policy takes the move of highest phi^T theta."""
    taken = (choices(valued.all_phi, theta, valued.offsets) for theta in candidates)
    return np.array([regret[rows[rows >= 0]].mean() for rows in taken])


def classifier(Q: Floats, valued: Valued, start: Floats, optimizer: CMAES, stopping: Callable[[], bool]) -> Floats:
    """The weights of the policy with the smallest loss that the optimizer comes upon, or those to start with."""
    regret = regrets(Q, valued.offsets)
    best, least = start, losses(regret, valued, start[None])[0]
    while not optimizer.stop():
        if stopping():
            raise Stopped
        candidates = optimizer.ask()
        found = losses(regret, valued, candidates)
        if found.min() < least:
            best, least = candidates[found.argmin()], found.min()
        optimizer.tell(candidates, -found)
    return best
