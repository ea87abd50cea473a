"""Q-learning with a table: Q(s, a) for every state that was met (Watkins 1989; Muller and Ponton 2019, chapter 8).

Start at `QLearning.episode`, which is the whole method:

    Q(s, a) <- (1 - alpha) Q(s, a) + alpha (r + gamma max Q(s', .))

What SARSA has in place of the maximum is in `ahead`; `update_trace` hands each error on to the actions before.
The first half of `QLearning` is written to be read, and learns in plain Python with a dict. `learn()` uses
kernels.py where states fit into 128 bits: the same random numbers, the same table bit for bit, some thousand times
faster. Settings are in settings.py; how a table plays, and which action is its best, in player.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import InputError, whole_number
from tetriscourse.game.random import AGENT_STREAM, Chance
from tetriscourse.game.rules import RULES, Rules, as_rules, short_name
from tetriscourse.history import History
from tetriscourse.mdp.environment import TetrisEnv
from tetriscourse.mdp.learning_loop import Learner, exploration
from tetriscourse.mdp.q_learning.player import QPlayer
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.mdp.q_learning.table import Kernels, PlainTable, QTable
from tetriscourse.mdp.states import state_bits
from tetriscourse.random_numbers import Ints
from tetriscourse.settings import chosen_settings, described
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.run import MAX_SEED, SlowWarning

POINTS_OF_HISTORY = 200
STEPS_IN_PYTHON = 2_000
COMPILED_BITS = 128
LATER = ("method", "trace", "reach", "fading")  # settings that there were not always
HISTORY = ("episode", "pieces", "reward", "epsilon", "states")


class QLearning(QPlayer, Learner):
    """Q-learning with a table of the states met so far."""

    name = "q-learning"
    Settings: ClassVar[Any] = QSettings
    done: int = 0  # episodes so far
    trace: dict[tuple[int, int], float]  # the last actions of the game, and how much each learns from an error

    def __init__(
        self,
        rules: Rules | str = RULES["domino"],
        settings: QSettings | None = None,
        seed: int = 0,
        compiled: bool | None = None,
        **changes: Any,
    ):
        """changes: settings by name; compiled: None for the compiled layer wherever states fit into it."""
        self.settings: QSettings = chosen_settings(settings, QSettings(), changes)
        self.rules = rules = as_rules(rules)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        if rules.max_pieces:
            raise InputError(f"rules has max_pieces {rules.max_pieces}; it must be 0: set max_pieces in the settings")
        self.env = TetrisEnv(rules, self.settings.actions, self.settings.state, self.settings.max_pieces, self.seed)
        self.history = History()
        self.done, self.steps, self.trace = 0, 0, {}
        self.block = np.zeros(3)  # sums of pieces, rewards and episodes since the last entry of the history
        bits = state_bits(rules, self.settings.actions, self.settings.state)
        if compiled and bits > COMPILED_BITS:
            raise InputError(f"compiled is True; states of {bits} bits can be learned in Python only, the limit is 128")
        if bits > COMPILED_BITS:
            warnings.warn(
                f"states of {bits} bits are learned in plain Python, some thousand steps a second",
                SlowWarning, stacklevel=2,
            )  # fmt: skip
        actions = self.env.action_count
        self.compiled = bits <= COMPILED_BITS if compiled is None else compiled
        counted = self.settings.fading > 0
        words = max(2, -(-bits // 64))
        self.table = QTable(actions, counted) if self.compiled else PlainTable(actions, words)
        self.kernels = Kernels(rules, self.settings, self.table) if isinstance(self.table, QTable) else None

    def episode(self) -> None:
        """Play one game and learn from every step."""
        chance = Chance(self.seed, self.done, AGENT_STREAM)
        s, info = self.env.reset(self.seed, {"episode": self.done})
        self.add(s)
        rewards, step, a, self.trace = 0.0, 0, None, {}
        while self.env.is_running:
            if a is None:
                a = self.explored(s, info["allowed"], step, chance)
            if self.trace and self.settings.method == "q" and self.table[s][a] < max(self.table[s][info["allowed"]]):
                self.trace.clear()  # what follows is not the best play, of which the actions before learn
            s2, r, lost, _, info = self.env.step(a)
            self.add(s2)
            rewards, step, self.steps = rewards + r, step + 1, self.steps + 1
            worthless = lost and self.settings.lost == "terminal"
            following = () if worthless else np.flatnonzero(info["allowed"])
            a2 = None
            if self.settings.method == "sarsa" and len(following):
                a2 = self.explored(s2, info["allowed"], step, chance)
            self.update(s, a, r, s2, following, a2)
            s, a = s2, a2
        self.record(self.env.pieces, rewards, len(self.table))

    def add(self, s: int) -> None:
        """Enter a new state with value 0 for every action."""
        if s not in self.table:
            self.table[s] = np.zeros(self.env.action_count)

    def explored(self, s: int, allowed: Any, step: int, chance: Chance) -> int:
        """With probability epsilon any action, else the best one."""
        possible = np.flatnonzero(allowed)
        x, any_one = chance.below(1 << 32), int(chance.pick(possible.tolist()))
        if x < self.threshold(step):
            return any_one
        best = self.best(s, possible)
        return any_one if best is None else best

    def update(self, s: int, a: int, r: float, s2: int, allowed: Sequence[int] | Ints, a2: int | None = None) -> None:
        """A step towards the Bellman equation; allowed: the actions in s2, () at the end; a2: the one chosen there."""
        alpha, q = self.rate(s, a), self.table
        target = r + self.settings.gamma * self.ahead(s2, allowed, a2)
        if self.settings.trace:
            self.update_trace(s, a, alpha, target - q[s][a])
        else:
            q[s][a] = (1 - alpha) * q[s][a] + alpha * target

    def ahead(self, s: int, allowed: Sequence[int] | Ints, a: int | None) -> float:
        """The worth of the next state: of its best action, of the one that will be taken, or the mean over chance."""
        q = self.table[s] if len(allowed) else np.zeros(0)
        if a is not None:
            return float(q[a])
        best = max((q[b] for b in allowed), default=0.0)
        if self.settings.method == "expected-sarsa" and len(allowed):
            epsilon = self.threshold(1) / 2**32
            return float((1 - epsilon) * best + epsilon * (sum(q[b] for b in allowed) / len(allowed)))
        return float(best)

    def update_trace(self, s: int, a: int, alpha: float, error: float) -> None:
        """Let the last actions learn from an error, each gamma * lambda times as much as the one after it."""
        self.trace.pop((s, a), None)
        self.trace[s, a] = alpha
        if len(self.trace) > self.settings.reach:
            self.trace.pop(next(iter(self.trace)))
        for (earlier, b), strength in self.trace.items():
            self.table[earlier][b] += strength * error
            self.trace[earlier, b] = strength * (self.settings.gamma * self.settings.trace)

    def rate(self, s: int, a: int) -> float:
        """The size of a step: alpha, or less with every visit."""
        if not self.settings.fading:
            return self.settings.alpha
        visits = self.table.visits_of(s)
        visits[a] += 1
        return float(np.rint(self.settings.alpha * int(visits[a]) ** -self.settings.fading * 2**32) / 2**32)

    def epsilon(self, k: int) -> float:
        """The share of random actions at time k."""
        return exploration(self.settings, k)

    def threshold(self, step: int) -> int:
        """The number below which 32 random bits make an action random."""
        if step == 0 and self.settings.start == "explore":
            return round(self.settings.epsilon_max * 2**32)
        return round(self.epsilon(self.k) * 2**32)

    @property
    def k(self) -> int:
        """The time: episodes or steps so far, as `clock` says."""
        return self.done if self.settings.clock == "episode" else self.steps

    @property
    def goal(self) -> int:
        return self.settings.episodes

    def advance(self, episodes: int | None = None) -> None:
        """Play this many more episodes, or as many as a fraction of a second allows."""
        last = self.goal if episodes is None else self.done + episodes
        if self.kernels is not None:
            with announced("q-learning"):
                self._stretch(self.kernels, last)
            return
        until = self.steps + STEPS_IN_PYTHON
        while self.done < last and self.steps < until:
            self.episode()

    def _stretch(self, kernels: Kernels, last: int) -> None:
        """A run of episodes in compiled code."""
        at_start = self.threshold(0) if self.settings.start == "explore" else -1
        thresholds = self._thresholds(kernels.times(last - self.done))
        for pieces, reward, states, steps in kernels.learn(self.done, last, self.seed, thresholds, at_start).tolist():
            self.steps += steps
            self.record(pieces, reward, states)

    def _thresholds(self, count: int) -> Ints:
        """The thresholds of the next episodes or steps."""
        if self.settings.tau * self.k > 60 or self.settings.tau == 0:  # epsilon is within 2^-80 of epsilon_min
            return np.full(count, round(self.epsilon(self.k) * 2**32))
        return np.array([round(self.epsilon(self.k + i) * 2**32) for i in range(count)])

    def record(self, pieces: float, reward: float, states: int) -> None:
        """Count an episode, and now and then add an entry to the history: means since the last one."""
        self.done += 1
        self.block += (pieces, reward, 1)
        if self.done % max(1, self.goal // POINTS_OF_HISTORY) == 0 or self.done == self.goal:
            pieces, reward = self.block[:2] / self.block[2]
            point = (self.done, pieces, reward, self.epsilon(self.k), states)
            self.history.add(**dict(zip(HISTORY, point, strict=True)))
            self.block[:] = 0

    def about(self) -> str:
        return f"{len(self.table):,} states, {self.history.last('pieces'):.0f} pieces a game"

    def state(self) -> dict[str, Any]:
        """The table, the counters and the history."""
        arrays = {
            "states": self.table.words(), "values": self.values(), "counted": np.array([self.done, self.steps]),
            "block": self.block, "history": np.array([self.history[name] for name in self.history.names]),
        }  # fmt: skip
        return arrays | ({"visits": self.table.visit_counts()} if self.settings.fading else {})

    def restore(self, arrays: dict[str, Any]) -> None:
        self.done, self.steps = map(int, arrays["counted"])
        self.block = np.array(arrays["block"])
        self.history = History(dict(zip(HISTORY, arrays["history"].tolist(), strict=False)))
        self.table.fill(arrays["states"], arrays["values"], arrays.get("visits"))

    def description(self) -> dict[str, Any]:
        found, usual = super().description() | {"rules": described(self.rules)}, described(QSettings())
        for name in LATER:  # so that older checkpoints still belong to their runs
            if found["settings"][name] == usual[name]:
                del found["settings"][name]
        return found

    def __repr__(self) -> str:
        learned = f"{self.done:,} of {self.goal:,} episodes, {len(self.table):,} states"
        return f"QLearning({short_name(self.rules)}: {learned})"
