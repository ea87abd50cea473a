"""Q-learning with a table, episode by episode: what it explores, what it knows, how it plays, and the proof."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, one_of, whole_number
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.game.rules import RULES, Rules, short_name
from tetriscourse.mdp.environment import ACTIONS
from tetriscourse.mdp.learning_loop import chosen_settings
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.mdp.q_learning.player import QGame
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.mdp.q_learning.table import Compiled, QTable
from tetriscourse.random_numbers import Ints
from tetriscourse.settings import History
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.run import MAX_SEED, SlowWarning
from tetriscourse.widgets.blocks import button, check, column, controls, drawing, row, select, slider, text
from tetriscourse.widgets.charts.maps import heat_svg
from tetriscourse.widgets.deciding.learner import LearnerPanel, film, film_data, proof_film, small_chart
from tetriscourse.widgets.given import rules_of
from tetriscourse.widgets.panel import typed_number, typed_whole

SMALL = replace(RULES["domino"], width=6, height=6)
STRETCHES = ("1", "10", "100", "1000")
SIZES = ("4", "5", "6", "7", "8")
SETTINGS = QSettings(episodes=10_000)
PIECES_SHOWN = 20
"""The length of the game that is shown after each step."""
SLIDERS = {
    "alpha": (0.01, 1.0, 0.01),
    "gamma": (0.0, 1.0, 0.01),
    "tau": (0.0, 0.01, 0.0001),
    "epsilon_min": (0, 1, 0.01),
}


@dataclass(frozen=True, eq=False)
class Shot:
    """What is to be seen of Q-learning after a step."""

    done: int
    epsilon: float
    states: int
    history: History
    """That of the learner, and a point for now."""
    known: Ints | None
    """In how many known states each cell is full; None if states are no cells."""
    game: QGame | None
    """A game with the best actions; None before anything is known."""
    proof: Proof | None
    """What was found when it was last asked for a proof."""
    proved_at: int = 0
    """In which episode that was."""


class QLearningPanel(LearnerPanel):
    """Q-learning with a table, some episodes a step: exploration, the table, what it knows, a game, the proof.

    Attributes: `learner`, the QLearning; `proof`, the last Proof looked for; `settings`, those of the next run.
    """

    title = "Q-learning: a table of what every action is worth"
    unit = "stretch of episodes"
    tries = (
        "Start it and watch the map of known cells darken, first in the middle. Which cells does it hardly know?",
        "Tick 'stop when proved' and start: after how many episodes does it play without end, though it knows only a "
        "fraction of all boards?",
        "Take board 5, set tau to 0 and reset: epsilon stays 1. It knows ever more: does it ever play without end?",
        "Take placements instead of commands: why does the table stay so much smaller?",
    )

    def __init__(
        self,
        rules: Rules | str = SMALL,
        settings: QSettings | None = None,
        seed: int = 0,
        episodes: int = 100,
        steps: int = 0,
        **changes: Any,
    ):
        """rules: with one piece, if there is to be a proof; episodes: in a step; changes: settings by name."""
        self.rules = rules_of(rules)
        self.settings: QSettings = chosen_settings(settings, SETTINGS, changes)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.episodes = whole_number("episodes", episodes, 1, 100_000)
        self.stop_when_proved = False
        self.asked = False
        """Whether somebody wants a proof of the learner that is just learning."""
        choice = controls(
            "choice",
            select("episodes", "episodes at a time", STRETCHES),
            select("size", "board", SIZES),
            select("actions", "actions", ACTIONS),
            button("prove", "Look for a proof", "follow its best actions until the game is where it was before"),
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
        """What was found when a proof was last looked for; None: nobody has."""
        proof: Proof | None = self.shot.proof
        return proof

    def made(self) -> QLearning:
        """A new QLearning; that it will be slow is said in the panel."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SlowWarning)
            return QLearning(self.rules, self.settings, self.seed)

    def prepare(self, learner: QLearning) -> None:
        """Compile the kernels on a table that nobody needs."""
        if learner.kernels is not None:
            with announced("q-learning", "Q-learning", tell=self.note):
                spare = Compiled(learner.rules, learner.settings, QTable(learner.env.action_count))
                spare.learn(0, 1, 0, np.zeros(spare.times(1), np.int64), -1)
            self.say("")

    def stretch(self, learner: QLearning) -> None:
        """Some episodes; fewer in plain Python, where they take long."""
        last = min(learner.done + self.episodes, learner.goal)
        learner.advance(last - learner.done)
        while learner.compiled and learner.done < last:
            learner.advance(last - learner.done)

    def shot_of(self, learner: QLearning) -> Shot:
        """The numbers, the map, a game; a proof if one is asked for."""
        begun = learner.done > 0
        known = learner.known_cells() if learner.settings.state == "grid" else None
        game = learner.play(learner.seed, max_pieces=PIECES_SHOWN) if begun else None
        proof = None
        if begun and (self.asked or self.stop_when_proved):
            self.asked, proof = False, prove_endless(learner)
        numbers = learner.done, learner.epsilon(learner.k), len(learner.table)
        return Shot(*numbers, up_to_now(learner), known, game, proof, learner.done)

    def apply(self, result: Any) -> None:
        """Show it; stop at a proof, and say that there is one."""
        before = self.shot
        super().apply(result)
        if self.shot is not before and self.shot.proof is None and before.proof:
            self.shot = replace(self.shot, proof=before.proof, proved_at=before.proved_at)  # what was found stays
        elif self.shot.proof and self.stop_when_proved:
            self.worker.pause()

    def is_over(self) -> str:
        """Whether all episodes are played."""
        return f"all {self.learner.goal:,} episodes are played" if self.shot.done >= self.learner.goal else ""

    # --- controls ---------------------------------------------------------------------------------

    def when_prove(self, value: Any) -> None:
        """Look for a proof: now, or when the step that is being taken is done."""
        if not self.shot.done:
            raise InputError("the table is empty; it must have learned something before a proof can be looked for")
        if self.learning.acquire(blocking=False):
            try:
                self.shot = replace(self.shot, proof=prove_endless(self.learner), proved_at=self.learner.done)
            finally:
                self.learning.release()
        else:
            self.asked = True

    def when_stop(self, value: Any) -> None:
        """Whether to look for a proof after each step, and to stop when there is one."""
        self.stop_when_proved = bool(value)

    def when_episodes(self, value: Any) -> None:
        """How many episodes a step has."""
        self.episodes = typed_whole("episodes at a time", value, 1, 100_000)

    def when_size(self, value: Any) -> None:
        """Another board."""
        size = typed_whole("board", value, 4, 8)
        self.rules = replace(self.rules, width=size, height=size)
        self.reset()

    def when_actions(self, value: Any) -> None:
        """Commands, or placements."""
        self.settings = replace(self.settings, actions=one_of("actions", value, ACTIONS))
        self.reset()

    def when_alpha(self, value: Any) -> None:
        """How far a value moves at a time, from the next run on."""
        self.settings = replace(self.settings, alpha=typed_number("alpha", value, above=0, at_most=1))

    def when_gamma(self, value: Any) -> None:
        """What a reward is worth later, from the next run on."""
        self.settings = replace(self.settings, gamma=typed_number("gamma", value, at_least=0, at_most=1))

    def when_tau(self, value: Any) -> None:
        """How fast epsilon falls, from the next run on."""
        self.settings = replace(self.settings, tau=typed_number("tau", value, at_least=0))

    def when_epsilon_min(self, value: Any) -> None:
        """The share of random actions in the end, from the next run on."""
        self.settings = replace(self.settings, epsilon_min=typed_number("epsilon min", value, at_least=0, at_most=1))

    # --- what is shown ----------------------------------------------------------------------------

    def status(self) -> str:
        """Where it stands."""
        now = self.shot
        if not now.done:
            return f"{short_name(self.rules)}, {self.settings.actions}: nothing learned yet"
        pieces = f"{now.history.last('pieces'):,.1f} pieces a game"
        return f"episode {now.done:,}: epsilon {now.epsilon:.3f}, {now.states:,} states, {pieces}"

    def verdict(self) -> str:
        """What was found when a proof was looked for."""
        now = self.shot
        return "" if now.proof is None else f"After {now.proved_at:,} episodes: {now.proof}."

    def hint(self) -> str:
        """When numbers that were changed take effect."""
        slow = "" if self.learner.compiled else " States of so many bits are learned in plain Python, slowly."
        if self.settings != self.learner.settings:
            return "Press Reset to begin anew with the numbers that you set." + slow
        return "Where the table knows nothing of a state, it guesses: chance decides." + slow

    def shown(self) -> dict[str, Any]:
        """Charts, the map, the films, the controls."""
        now, settings = self.shot, self.settings
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
            "sliders": {name: {"value": getattr(settings, name)} for name in SLIDERS},
            "hint": {"text": self.hint()},
            "verdict": {"text": self.verdict()},
            **self.charts(now),
            "known_words": {"text": "cells that it knows" if now.known is not None else ""},
            "known": {"svg": "" if now.known is None else known_svg(now.known, self.rules.height)},
            "game": self.game_film(now),
            "proof": proof_film(now.proof, self.rules, settings.actions),
        }

    def charts(self, now: Shot) -> dict[str, Any]:
        """Pieces a game, epsilon and the size of the table, by episode."""
        titles = {"pieces": "pieces a game", "epsilon": "epsilon", "states": "states in the table"}
        columns = {name: now.history[name] if len(now.history) else np.zeros(0) for name in ("episode", *titles)}
        return {
            name: {
                "svg": small_chart(
                    title, "episode", columns["episode"], columns[name], k, high=float(name == "epsilon"), end=100
                )
            }
            for k, (name, title) in enumerate(titles.items())
        }

    def describe(self) -> str:
        """Where it stands, and what was proved."""
        return "\n".join(filter(None, (self.status(), self.verdict())))

    def game_film(self, now: Shot) -> dict[str, Any]:
        """The game with the best actions that it knows now."""
        if now.game is None:
            return film_data(self.rules, self.settings.actions, caption="its game: none yet")
        guessed = f"guessed {now.game.unknown} of {len(now.game.commands)} actions"
        end = f"lost after {now.game.pieces} pieces" if now.game.lost else f"{now.game.pieces} pieces and on"
        return film_data(self.rules, self.settings.actions, now.game.commands, f"its game: {end}; {guessed}", self.seed)


def up_to_now(learner: QLearning) -> History:
    """The learner's history, with a point for the episodes since its last one."""
    history = History({name: learner.history[name].tolist() for name in learner.history.names})
    pieces, reward, count = learner.block.tolist()
    if count:
        present = {"episode": learner.done, "pieces": pieces / count, "reward": reward / count}
        history.add(**present, epsilon=learner.epsilon(learner.k), states=len(learner.table))
    return history


def known_svg(known: Ints, height: int, cell: float = 18) -> str:
    """In how many known states each cell is full, top row first, with a line at the top of the board."""
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
