"""The common part of all methods: iterations, judgements of the policy so far, and the player in the end."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import whole_number
from tetriscourse.game.rules import Rules
from tetriscourse.history import History
from tetriscourse.mdp.deep_q.move_values import Features
from tetriscourse.mdp.learning_loop import Learner
from tetriscourse.mdp.policies.samples import Policy, Samples, Source
from tetriscourse.mdp.policies.tetris_source import TetrisSource
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats, derived_seed
from tetriscourse.settings import Settings, chosen_settings, setting
from tetriscourse.simulator.run import MAX_SEED, Stopped

PLAYING, JUDGING = 1, 2  # labels that separate the seeds of games


@dataclass(frozen=True)
class PolicySettings(Settings):
    """Settings that all methods share."""

    iterations: int = setting(20, "when to stop", at_least=1)
    judge_games: int = setting(20, "games that judge the policy of each iteration; the best is kept", at_least=0)
    judge_pieces: int = setting(50_000, "pieces after which such a game is cut off", at_least=1)


class PolicyLearner(Learner):
    """A method that improves the weights of a linear policy, iteration by iteration.

    The player is the best policy by games of their own; with judge_games=0 the last one.
    """

    unit: ClassVar[str] = "iteration"
    longer: ClassVar[str] = "iterations"
    settings: Any
    rules: ClassVar[str]  # the game of the paper
    features: ClassVar[Any]  # its features
    has_constant: ClassVar[bool] = True  # whether the features have a constant, as values need it
    reward: ClassVar[float] = 1.0  # the weight of the rows that a move clears, beside the features
    variables: ClassVar[tuple[str, ...]] = ("weights",)  # attributes that change, all of them arrays

    def __init__(
        self,
        rules: Rules | str | Source | None = None,
        features: Features | None = None,
        settings: Any = None,
        seed: int = 0,
        **changes: Any,
    ):
        """rules: the game, or a source of samples with features of its own; None: that of the paper, like features."""
        self.settings = chosen_settings(settings, self.Settings(), changes)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        if rules is None or isinstance(rules, str | Rules):
            chosen = self.features if features is None else features
            self.source: Source = TetrisSource(self.rules if rules is None else rules, chosen, self.has_constant)
        else:
            self.source = rules
        self.history = History()
        self.t, self.moves = 0, 0  # iterations and moves so far
        self.best, self.best_weights = np.full(1, -inf), np.zeros(0)
        self.weights = self.source.start()
        self.begin()

    def begin(self) -> None:
        """Give the variables their first values."""

    @abstractmethod
    def iterate(self) -> None:
        """One iteration; it changes nothing before all its games are played."""

    def policy(self, weights: Floats | None = None) -> Policy:
        """The greedy policy of some weights, or of the present ones."""
        return Policy(self.weights if weights is None else weights, self.reward)

    def sample(self, policy: Policy | Player, games: int, moves: int, all_moves: bool = True) -> Samples:
        """The games of this iteration."""
        seed = derived_seed(self.seed, PLAYING, self.t)
        return self.source.sample(policy, seed, games, moves, all_moves, lambda: self.stopping)

    @property
    def judging_seed(self) -> int:
        """The seed of the games that judge."""
        return derived_seed(self.seed, JUDGING)

    def judge(self) -> None:
        """Let the policy play, and keep it if none was better."""
        score = float("nan")
        if self.settings.judge_games and np.isfinite(self.weights).all():
            games, most = self.settings.judge_games, self.settings.judge_pieces
            score = self.source.judge(self.policy(), games, most, self.judging_seed)
        if score > self.best[0]:
            self.best, self.best_weights = np.full(1, score), self.weights.copy()
        self.history.add(judged=score, moves=float(self.moves))

    def learned(self) -> Floats:
        """The weights that were judged best, or the last ones if none were."""
        return self.best_weights if self.best[0] > -inf else self.weights

    def player(self, name: str = "") -> Any:
        """The player that it has learned."""
        return self.source.player(self.policy(self.learned()), name or self.name)

    # --- the protocol of a learner ----------------------------------------------------------------

    @property
    def done(self) -> int:
        return self.t

    @property
    def goal(self) -> int:
        return int(self.settings.iterations)

    def advance(self) -> None:
        """An iteration; one that is interrupted has changed nothing, and is done again later."""
        try:
            self.iterate()
        except Stopped:
            return
        self.t += 1
        self.judge()

    def about(self) -> str:
        return f"{self.moves:,} moves, {self.history.last('judged'):,.0f} lines a game"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r}: {self.done:,} of {self.goal:,} iterations)"

    def description(self) -> dict[str, Any]:
        return super().description() | {"source": self.source.description()}

    def state(self) -> dict[str, Any]:
        """The variables, the best weights, the counters and the history."""
        kept = {name: getattr(self, name) for name in (*self.variables, "best", "best_weights")}
        return kept | self.history.arrays("history_") | {"counters": np.array([self.t, self.moves])}

    def restore(self, arrays: dict[str, Any]) -> None:
        for name in (*self.variables, "best", "best_weights"):
            setattr(self, name, np.array(arrays[name]))
        self.t, self.moves = (int(one) for one in arrays["counters"])
        self.history = History.of(arrays, "history_")
