"""What is fixed before Q-learning with a table begins, and the named variants of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetriscourse.errors import one_of, real_number, whole_number
from tetriscourse.mdp.environment import ACTIONS
from tetriscourse.mdp.learning_loop import check_exploration
from tetriscourse.mdp.states import STATES
from tetriscourse.settings import setting

CHOICES = {
    "actions": ACTIONS,
    "state": STATES,
    "clock": ("episode", "step"),
    "start": ("explore", "follow"),
    "zeros": ("random", "first"),
    "lost": ("terminal", "state"),
}


@dataclass(frozen=True)
class QSettings:
    """What is fixed before a run; the defaults are those of Muller and Ponton 2019."""

    alpha: float = setting(0.1, "how far a value moves towards each new estimate")
    gamma: float = setting(0.9, "what a reward is worth one action later")
    epsilon_min: float = setting(0.01, "the share of random actions in the end")
    epsilon_max: float = setting(1.0, "the share of random actions at first")
    tau: float = setting(0.001, "how fast that share falls: epsilon_min + (epsilon_max - epsilon_min) exp(-tau k)")
    clock: str = setting("episode", "what k counts: 'episode', as in their program, or 'step', as they print it")
    episodes: int = setting(50_000, "when to stop")
    max_pieces: int = setting(500, "pieces after which an episode is cut off")
    actions: str = setting("commands", "'commands' L R D H T N, or 'placements'")
    state: str = setting("grid", "'grid', or 'differences' of heights")
    start: str = setting("explore", "the first action of an episode: 'explore' with epsilon_max, or 'follow' k too")
    zeros: str = setting("random", "the best action where all values are 0: a 'random' one, or the 'first'")
    lost: str = setting("terminal", "a lost game is worth 0 ('terminal'), or as much as the 'state' that it looks like")

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {
            "alpha": real_number("alpha", self.alpha, above=0, at_most=1),
            "gamma": real_number("gamma", self.gamma, at_least=0, at_most=1),
            "epsilon_min": real_number("epsilon_min", self.epsilon_min, at_least=0, at_most=1),
            "epsilon_max": real_number("epsilon_max", self.epsilon_max, at_least=0, at_most=1),
            "tau": real_number("tau", self.tau, at_least=0),
            "episodes": whole_number("episodes", self.episodes, 1),
            "max_pieces": whole_number("max_pieces", self.max_pieces, 1, 100_000),
        }
        check_exploration(self)
        checked |= {name: one_of(name, getattr(self, name), allowed) for name, allowed in CHOICES.items()}
        for name, value in checked.items():
            object.__setattr__(self, name, value)


Q_SETTINGS: dict[str, QSettings] = {
    "muller-ponton": QSettings(),
    "printed": QSettings(clock="step", start="follow", zeros="first"),
}
"""Muller and Ponton's settings, with the details of their program, and with those of the algorithm in their text."""
