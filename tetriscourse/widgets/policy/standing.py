"""A softmax policy on a board, and the steps of `PolicyGradient`: everything that Undo brings back, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tetriscourse.game.moves import Move
from tetriscourse.mdp.policies.policy_gradient import (
    GradientSettings,
    advantages,
    expected_uphill,
    fisher,
    gradients,
    log_gradients,
    softmax,
    stepped,
    uphill,
)
from tetriscourse.mdp.policies.samples import discounted_sums
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.widgets.policy.episodes import Episode, samples_of

LIVE, ROUND = 1, 2  # labels that separate the seeds of episodes
STANDARD = GradientSettings()  # gamma and ridge are PolicyGradient's own


@dataclass(frozen=True, eq=False)
class Standing:
    """Weights, the units in which features are measured, the episode on the board, and what has been learned from.

    beta are the weights divided by the temperature: pi(a | s) is proportional to exp(beta^T phi(s, a)).
    """

    home: Episode  # the position from which everything starts
    theta: Floats  # weights, for features in the present units
    units: Floats  # what each feature is multiplied with
    temperature: float
    episode: Episode  # the one on the board
    chosen: int = 0  # number of the move on show
    begun: int = 0  # episodes begun by hand
    before: Floats | None = None  # what `policy` was before the last step
    played: tuple[Episode, ...] = ()  # from which the next step learns
    lines: tuple[float, ...] = ()  # means of the rounds so far
    returns: tuple[float, ...] = ()

    # --- the policy -------------------------------------------------------------------------------

    @property
    def beta(self) -> Floats:
        """The weights divided by the temperature."""
        return self.theta / self.temperature

    @property
    def policy(self) -> Floats:
        """beta for features as they are: what the policy does depends on these numbers alone."""
        return self.beta * self.units

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves on the board."""
        return self.episode.moves

    @cached_property
    def features(self) -> Floats:
        """Their features as they are, a row each."""
        return self.episode.phi(self.moves)

    @property
    def phi(self) -> Floats:
        """Their features in the present units."""
        return self.features * self.units

    @cached_property
    def p(self) -> Floats:
        """The probability of each move."""
        return softmax(self.phi, self.beta)

    @cached_property
    def psi(self) -> Floats:
        """The gradient of log pi of each move by the weights, a row each."""
        return log_gradients(self.phi, self.beta) / self.temperature

    @property
    def log_p(self) -> Floats:
        """log pi of each move, also where pi is too small for a float."""
        scores = self.phi @ self.beta
        return np.asarray(scores - scores.max() + np.log(self.p.max()))

    @property
    def entropy(self) -> float:
        """The entropy of the probabilities, in nats."""
        return float(-(self.p * self.log_p).sum()) + 0.0

    @property
    def p_before(self) -> Floats | None:
        """The probabilities before the last step; None if there was none."""
        return None if self.before is None else softmax(self.features, self.before)

    # --- steps: each gives the weights after it ---------------------------------------------------

    def pushed(self, reward: float, direction: str, length: float) -> Floats:
        """After a step that rewards the move on show, and no other."""
        gain = reward * (np.arange(len(self.moves)) == self.chosen)
        w = expected_uphill(self.phi, self.beta, gain, direction)
        size = float(np.sqrt(w @ fisher(self.phi, self.beta) @ w))
        return self.temperature * stepped(self.beta, w, size, length)

    def learned(self, episodes: Sequence[Episode], direction: str, length: float, baseline: bool) -> Floats:
        """After a step of `PolicyGradient` from what episodes of this policy have gained."""
        if not episodes:
            return self.theta
        D = samples_of(episodes, self.units)
        made, gamma, ridge = D.chosen >= 0, STANDARD.gamma, STANDARD.ridge
        psi = gradients(D, self.beta)[made]
        gain = advantages(D, gamma, ridge) if baseline else discounted_sums(D.rewards, D.ends, gamma)
        w = uphill(psi, gain[made], direction, ridge)
        return self.temperature * stepped(self.beta, w, float(np.sqrt(np.square(psi @ w).mean())), length)

    # --- what comes next --------------------------------------------------------------------------

    def on_likeliest(self) -> Standing:
        """With the likeliest move on show."""
        return replace(self, chosen=int(self.p.argmax()))

    def afresh(self) -> Standing:
        """Without samples, since the policy will change: the episode counts from the present board on."""
        here, begun = self.episode, self.begun + 1
        seed = derived_seed(self.home.seed, LIVE, begun)
        return replace(self, episode=here.from_here(seed, here.piece), begun=begun, played=())

    def with_weights(self, theta: Floats) -> Standing:
        """With other weights, after a step."""
        return replace(self.afresh(), theta=theta, before=self.policy)

    def in_units(self, units: Floats) -> Standing:
        """The same policy, with its features in other units."""
        return replace(self, units=units, theta=self.theta * self.units / units)

    def going_on(self, episode: Episode) -> Standing:
        """With the episode gone on; if it is over, it is a sample, and another begins at home."""
        after = replace(self, episode=episode)
        if not after.moves or episode.is_cut:
            seed, played = derived_seed(self.home.seed, LIVE, self.begun + 1), (*self.played, episode)
            after = replace(self, episode=replace(self.home, seed=seed), begun=self.begun + 1, played=played)
        return after.on_likeliest()

    def round(self, count: int) -> list[Episode]:
        """Episodes of the present policy, each from the empty board; other ones in each round."""
        home, seed = self.home, derived_seed(self.home.seed, ROUND, len(self.lines))
        empty = replace(home, start=home.rules.empty_board(), first=None)
        return [replace(empty, seed=derived_seed(seed, k)).played(self.policy) for k in range(count)]

    def with_round(self, episodes: Sequence[Episode], theta: Floats) -> Standing:
        """After a round, with the weights that it has led to."""
        lines = float(np.mean([one.lines for one in episodes]))
        gained = float(np.mean([one.discounted(STANDARD.gamma) for one in episodes]))
        return replace(self.with_weights(theta), lines=(*self.lines, lines), returns=(*self.returns, gained))
