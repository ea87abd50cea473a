"""Q-learning panel: what the table knows after some episodes, how it plays, and whether it plays for ever."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, whole_number
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.game.rules import RULES, Rules, as_rules, short_name
from tetriscourse.history import History
from tetriscourse.mdp.environment import ACTIONS
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.mdp.q_learning.player import QGame
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.mdp.q_learning.table import Kernels, QTable
from tetriscourse.random_numbers import Ints
from tetriscourse.settings import chosen_settings
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.run import MAX_SEED, SlowWarning
from tetriscourse.widgets.blocks import button, check, column, controls, drawing, row, select, slider, text
from tetriscourse.widgets.charts.maps import heat_svg
from tetriscourse.widgets.deciding.learner import LearnerPanel, copied, film, film_data, history_charts, proof_film
from tetriscourse.widgets.inputs import option, real, sets, values, whole
from tetriscourse.widgets.panel import typed_whole

SMALL = replace(RULES["domino"], width=6, height=6)
STRETCHES = ("1", "10", "100", "1000")
SIZES = ("4", "5", "6", "7", "8")
SETTINGS = QSettings(episodes=10_000)
TITLES = {"pieces": "pieces a game", "epsilon": "epsilon", "states": "states in the table"}
"""Charts, by column of the history."""
PIECES_SHOWN = 20  # length of the game shown after each step
SLIDERS = {
    "alpha": (0.01, 1.0, 0.01),
    "gamma": (0.0, 1.0, 0.01),
    "tau": (0.0, 0.01, 0.0001),
    "epsilon_min": (0, 1, 0.01),
}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A snapshot of Q-learning after a step."""

    done: int
    epsilon: float
    states: int
    history: History  # the learner's history, with a point for now
    known: Ints | None  # for each cell, the known states in which it is full; None if states are not made of cells
    game: QGame | None  # a game with the best actions; None before anything is learned
    proof: Proof | None  # the result of the last search for a proof
    proved_at: int = 0  # the episode of that search


class QLearningPanel(LearnerPanel):
    """Q-learning with a table, some episodes per step: exploration, the table, a game, the proof.

    Attributes: `learner`, the QLearning; `proof`, the last Proof looked for; `settings`, those of the next run.
    """

    title = "Q-learning: a table of what every action is worth"
    unit = "round of episodes"
    tries = (
        "Start it and watch the map of known cells darken, first in the middle. Which cells does it hardly know?",
        "Tick 'stop when proved' and start: after how many episodes does it play without end, though it knows only a "
        "fraction of all boards?",
        "Take board 5, set tau to 0 and reset: epsilon stays 1. It knows ever more: does it ever play without end?",
        "Take placements instead of commands: why does the table stay so much smaller?",
    )

    def __init__(
        self, rules: Rules | str = SMALL, settings: QSettings | None = None, seed: int = 0, episodes: int = 100,
        steps: int = 0, **changes: Any,
    ):  # fmt: skip
        """rules: a proof needs rules with a single piece; episodes: per step; changes: settings by name."""
        self.rules = as_rules(rules)
        self.settings: QSettings = chosen_settings(settings, SETTINGS, changes)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.episodes = whole_number("episodes", episodes, 1, 100_000)
        self.stop_when_proved = False
        self.asked = False  # whether to look for a proof after the current step
        choice = controls(
            "choice",
            select("episodes", "episodes at a time", STRETCHES),
            select("size", "board", SIZES),
            select("actions", "actions", ACTIONS),
            button("prove", "Look for a proof", "follow its best actions until the game returns to an earlier state"),
            check("stop", "stop when proved"),
        )
        sliders = controls(
            "sliders",
            *(slider(name, name.replace("_", " "), *bounds) for name, bounds in SLIDERS.items()),
            style="weights",
        )
        charts = row(drawing("pieces"), drawing("epsilon"), drawing("states"))
        known = column(text("known_words"), drawing("known"))
        seen = row(charts, row(known, film("game", "the game"), film("proof", "the proof")))
        super().__init__(choice, sliders, text("hint", "soft"), text("verdict", live=True), seen, steps=steps)

    # --- the learner ------------------------------------------------------------------------------

    @property
    def proof(self) -> Proof | None:
        """The result of the last search for a proof; None before the first."""
        proof: Proof | None = self.snapshot.proof
        return proof

    def made(self) -> QLearning:
        """A new QLearning; the panel itself says if it will be slow."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SlowWarning)
            return QLearning(self.rules, self.settings, self.seed)

    def prepare(self, learner: QLearning) -> None:
        """Compile the kernels on a spare table."""
        if learner.kernels is not None:
            with announced("q-learning", tell=self.note):
                spare = Kernels(learner.rules, learner.settings, QTable(learner.env.action_count))
                spare.learn(0, 1, 0, np.zeros(spare.times(1), np.int64), -1)
            self.say("")

    def stretch(self, learner: QLearning) -> None:
        last = min(learner.done + self.episodes, learner.goal)
        learner.advance(last - learner.done)
        while learner.compiled and learner.done < last:
            learner.advance(last - learner.done)

    def snapshot_of(self, learner: QLearning) -> Snapshot:
        begun = learner.done > 0
        known = learner.known_cells() if learner.settings.state != "differences" else None
        game = learner.play(learner.seed, max_pieces=PIECES_SHOWN) if begun else None
        proof = None
        if begun and (self.asked or self.stop_when_proved):
            self.asked, proof = False, prove_endless(learner)
        numbers = learner.done, learner.epsilon(learner.k), len(learner.table)
        return Snapshot(*numbers, up_to_now(learner), known, game, proof, learner.done)

    def apply(self, result: Any) -> None:
        before = self.snapshot
        super().apply(result)
        if self.snapshot is not before and self.snapshot.proof is None and before.proof:  # which still counts
            self.snapshot = replace(self.snapshot, proof=before.proof, proved_at=before.proved_at)
        elif self.snapshot.proof and self.stop_when_proved:
            self.worker.pause()

    def is_over(self) -> str:
        return f"all {self.learner.goal:,} episodes are played" if self.snapshot.done >= self.learner.goal else ""

    # --- controls ---------------------------------------------------------------------------------

    when_episodes = sets("episodes", whole("episodes at a time", 1, 100_000))
    when_stop = sets("stop_when_proved", bool)
    when_actions = sets("settings.actions", option("actions", ACTIONS), then="reset")
    when_alpha = sets("settings.alpha", real("alpha", above=0, at_most=1))
    when_gamma = sets("settings.gamma", real("gamma", at_least=0, at_most=1))
    when_tau = sets("settings.tau", real("tau", at_least=0))
    when_epsilon_min = sets("settings.epsilon_min", real("epsilon min", at_least=0, at_most=1))

    def when_prove(self, value: Any) -> None:
        """Look for a proof, now or after the current step."""
        if not self.snapshot.done:
            raise InputError("the table is empty; it must have learned something before a proof can be looked for")
        if self.learning.acquire(blocking=False):
            try:
                self.snapshot = replace(self.snapshot, proof=prove_endless(self.learner), proved_at=self.learner.done)
            finally:
                self.learning.release()
        else:
            self.asked = True

    def when_size(self, value: Any) -> None:
        size = typed_whole("board", value, 4, 8)
        self.rules = replace(self.rules, width=size, height=size)
        self.reset()

    # --- pictures and texts -----------------------------------------------------------------------

    def status(self) -> str:
        now = self.snapshot
        if not now.done:
            return f"{short_name(self.rules)}, {self.settings.actions}: nothing learned yet"
        pieces = f"{now.history.last('pieces'):,.1f} pieces a game"
        return f"episode {now.done:,}: epsilon {now.epsilon:.3f}, {now.states:,} states, {pieces}"

    def verdict(self) -> str:
        """The result of the last search for a proof, in words."""
        now = self.snapshot
        return "" if now.proof is None else f"After {now.proved_at:,} episodes: {now.proof}."

    def hint(self) -> str:
        """A note on when changed settings take effect, or on what the table cannot know."""
        slow = "" if self.learner.compiled else " States with this many bits are learned in plain Python, slowly."
        if self.settings != self.learner.settings:
            return "Press Reset to start over with the numbers that you set." + slow
        return "Where the table knows nothing of a state, it guesses: chance decides." + slow

    def shown(self) -> dict[str, Any]:
        now, settings = self.snapshot, self.settings
        episodes, size = str(self.episodes), str(self.rules.width)
        own = {} if self.rules.width == self.rules.height and size in SIZES else {"options": [*SIZES, size]}
        return {
            "choice": {
                "episodes": {"value": episodes, "options": sorted({*STRETCHES, episodes}, key=int)},
                "size": {"value": size, **own},
                "actions": {"value": settings.actions},
                "prove": {"disabled": not now.done},
                "stop": {"value": self.stop_when_proved},
            },
            "sliders": values(**{name: getattr(settings, name) for name in SLIDERS}),
            "hint": {"text": self.hint()},
            "verdict": {"text": self.verdict()},
            **history_charts(now.history, "episode", "episode", TITLES, 100, epsilon={"high": 1.0}),
            "known_words": {"text": "cells it knows" if now.known is not None else ""},
            "known": {"svg": "" if now.known is None else known_svg(now.known, self.rules.height)},
            "game": self.game_film(now),
            "proof": proof_film(now.proof, self.rules, settings.actions),
        }

    def describe(self) -> str:
        return "\n".join(filter(None, (self.status(), self.verdict())))

    def game_film(self, now: Snapshot) -> dict[str, Any]:
        """The film of a game with the best actions known so far."""
        if now.game is None:
            return film_data(self.rules, self.settings.actions, caption="its game: none yet")
        guessed = f"guessed {now.game.unknown} of {len(now.game.commands)} actions"
        end = f"lost after {now.game.pieces} pieces" if now.game.lost else f"{now.game.pieces} pieces and counting"
        return film_data(self.rules, self.settings.actions, now.game.commands, f"its game: {end}; {guessed}", self.seed)


def up_to_now(learner: QLearning) -> History:
    """The learner's history, with an extra point for the episodes since its last one."""
    history = copied(learner.history)
    pieces, reward, count = learner.block.tolist()
    if count:
        present = {"episode": learner.done, "pieces": pieces / count, "reward": reward / count}
        history.add(**present, epsilon=learner.epsilon(learner.k), states=len(learner.table))
    return history


def known_svg(known: Ints, height: int, cell: float = 18) -> str:
    """For each cell, in how many known states it is full; with a line at the top of the board."""
    rows, width = known.shape
    by_row = ", ".join(f"{number:,}" for number in known.sum(axis=1))
    described = (
        f"Cells that the table knows, the darker the more states they are full in; by row from the floor: {by_row}"
    )
    side = cell if width * cell >= 100 else 100 / width
    svg = heat_svg(known[::-1], described, low=0, high=max(1, int(known.max())), cell=side)
    top = side * INVISIBLE_ROWS if rows > height else 0
    line = f'<path stroke="#d55e00" stroke-width="2" stroke-dasharray="4 3" d="M0 {top:g}H{width * side:g}"/>'
    return svg.removesuffix("</svg>") + line + "</svg>"
