"""Settings of Q-learning with a table, and their named variants."""

from __future__ import annotations

from dataclasses import dataclass

from tetriscourse.mdp.environment import ACTIONS
from tetriscourse.mdp.states import STATES
from tetriscourse.settings import Settings, setting

CLOCKS = ("episode", "step")
STARTS = ("explore", "follow")
ZEROS = ("random", "first")
LOST = ("terminal", "state")
METHODS = ("q", "sarsa", "expected-sarsa")


@dataclass(frozen=True)
class QSettings(Settings):
    """Settings of a run; the defaults are those of Muller and Ponton 2019."""

    alpha: float = setting(0.1, "how far a value moves towards each new estimate", above=0, at_most=1)
    gamma: float = setting(0.9, "what a reward is worth one action later", at_least=0, at_most=1)
    epsilon_min: float = setting(0.01, "the share of random actions in the end", at_least=0, at_most=1)
    epsilon_max: float = setting(1.0, "the share of random actions at first", at_least="epsilon_min", at_most=1)
    tau: float = setting(0.001, "its decay: epsilon_min + (epsilon_max - epsilon_min) exp(-tau k)", at_least=0)
    clock: str = setting("episode", "what k counts: 'episode' as in their program, or 'step' as printed", one_of=CLOCKS)
    episodes: int = setting(50_000, "when to stop", at_least=1)
    max_pieces: int = setting(500, "pieces after which an episode is cut off", at_least=1, at_most=100_000)
    actions: str = setting("commands", "'commands' L R D H T N, or 'placements'", one_of=ACTIONS)
    state: str = setting("grid", "'grid', the grid 'rounded' as in their program, or 'differences'", one_of=STATES)
    start: str = setting("explore", "first action of an episode: 'explore' with epsilon_max or 'follow'", one_of=STARTS)
    zeros: str = setting("random", "best action if all values are 0: a 'random' one or the 'first'", one_of=ZEROS)
    lost: str = setting("terminal", "a lost game is worth 0 ('terminal'), or as much as its last 'state'", one_of=LOST)
    method: str = setting("q", "learn from the best next action, the one taken ('sarsa'), or its mean", one_of=METHODS)
    trace: float = setting(0.0, "lambda: what an error hands on to the action before", at_least=0, at_most=1)
    reach: int = setting(30, "how many actions learn from an error at most, if trace is above 0", at_least=1)
    fading: float = setting(0.0, "alpha / n ** fading at the n-th visit: 0 for constant steps", at_least=0, at_most=1)


Q_SETTINGS: dict[str, QSettings] = {
    "muller-ponton": QSettings(),
    "printed": QSettings(clock="step", start="follow", zeros="first"),
}
"""Muller and Ponton's settings, with the details of their program and with those of the algorithm as printed."""
