"""Deep Q-learning panel: the loss, the values, the replay memory, and the game being played."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from tetriscourse.errors import one_of, whole_number
from tetriscourse.history import History
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.learner import DEEP_Q, DeepQ, DeepQSettings
from tetriscourse.mdp.deep_q.move_values import MoveValues
from tetriscourse.mdp.deep_q.replay import Problem, checked_problem
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.settings import chosen_settings
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.run import MAX_SEED
from tetriscourse.widgets.blocks import board, check, column, controls, drawing, number, row, select, slider, text
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.deciding.deep_scene import Scene, WatchedMemory, bars_svg, memory_svg, scene_data, scene_of
from tetriscourse.widgets.deciding.learner import LearnerPanel, copied, film, history_charts, proof_film
from tetriscourse.widgets.inputs import real, sets, values, whole

STRETCH = 64  # steps of the learner in one call of DeepQ.advance
STRETCHES = ("64", "256", "1024")
MEMORY = 1000  # size of the memory, which must be full before learning starts: less than in the library, to start soon
MOST_REFRESHES = 24  # most vertical lines in the chart of the loss: if there would be more, none is drawn


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A snapshot of deep Q-learning after some steps."""

    t: int
    about: str
    history: History
    rewards: Floats  # rewards in the memory, oldest first; nan for free places
    batch: Ints  # the last minibatch, as positions in `rewards`
    scene: Scene | None
    proof: Proof | None  # the proof that the network plays without end, once there is one


class DeepQPanel(LearnerPanel):
    """Deep Q-learning, some steps at a time: loss, values, pieces, the memory with its minibatch, the game, the proof.

    Attributes: `learner`, the DeepQ (None until the first step has compiled Tetris); `settings`, those of the next run;
    `proof`, once it is proved that the network plays the domino game without end.
    """

    title = "Deep Q-learning: a network in place of the table"
    unit = "round of steps"
    tries = (
        "With dominoes, start it. Once the memory is full of random play it learns: what does the loss do at each "
        "dashed line (drawn while there are few), where the second network is refreshed?",
        "With dominoes, switch the target network off and reset: is the curve of Q calmer or wilder, and does it "
        "still find a proof?",
        "Give it a memory of 100 and a batch of 1, and reset: what becomes of the loss, and of its game?",
        "With dominoes, pause when a row is almost full and compare the bars with the board: which command does it "
        "value most?",
    )

    def __init__(
        self, problem: str | Problem = "domino", settings: DeepQSettings | None = None, seed: int = 0,
        stretch: int = STRETCH, steps: int = 0, **changes: Any,
    ):  # fmt: skip
        """problem: 'domino' (6x6), 'tetris', or a Problem; stretch: steps of the learner per step of the panel."""
        self.given = None if isinstance(problem, str) else checked_problem(problem)
        self.problem = one_of("problem", problem, DEEP_Q) if self.given is None else self.given.name
        self.settings: DeepQSettings = chosen_settings(settings, self.usual(), changes)
        self.seed = whole_number("seed", seed, 0, MAX_SEED)
        self.stretch_steps = whole_number("stretch", stretch, STRETCH)
        self.run = 0  # goes up with each restart
        choice = controls(
            "choice",
            select("problem", "problem", list(DEEP_Q)),
            select("stretch", "steps at a time", STRETCHES),
            check("target", "target network", "whether a second network, refreshed now and then, gives the targets"),
        )
        numbers = controls(
            "numbers",
            slider("rate", "learning rate", 0.0001, 0.01, 0.0001),
            number("memory", "memory", "experiences in the replay memory"),
            number("batch", "batch", "experiences in a minibatch"),
            style="weights",
        )
        charts = drawing("loss"), drawing("values"), drawing("pieces")
        now = column(text("scene_words"), board("board")), drawing("bars"), film("proof", "the proof")
        memory = column(text("memory_words"), drawing("strip"))
        super().__init__(choice, numbers, text("hint", "soft"), row(*charts, *now, memory), steps=steps)

    # --- the learner ------------------------------------------------------------------------------

    def usual(self) -> DeepQSettings:
        """The library's settings for the problem, with a smaller memory and more points in the history."""
        return replace(DEEP_Q.get(self.problem, DeepQSettings()), memory=MEMORY, record_every=100)

    @property
    def proof(self) -> Proof | None:
        """The proof that it plays without end; None until there is one."""
        return None if self.snapshot is None else self.snapshot.proof

    def restart(self) -> None:
        """Make a new learner; for Tetris, leave that to the first step."""
        self.run += 1
        self.learner, self.snapshot = None, None
        if self.is_prepared or (not isinstance(self.given, MoveValues) and self.problem != "tetris"):
            super().restart()

    def compute(self) -> Any:
        run, settings = self.run, self.settings
        if self.learner is None:
            with self.learning:
                learner = self.made(settings)
            with self.lock:
                if self.learner is None and run == self.run:
                    self.learner = learner
        return super().compute() if self.learner is not None else None

    def made(self, settings: DeepQSettings | None = None) -> DeepQ:
        """A new DeepQ whose memory can be watched."""
        problem = self.fresh()
        if isinstance(problem, MoveValues):
            with announced("deep-q", tell=self.note):
                problem.game.start(0, 0)
        learner = DeepQ(problem, settings or self.settings, self.seed)
        learner.memory = WatchedMemory(learner.settings.memory, problem.rows, problem.inputs, problem.outputs)
        return learner

    def fresh(self) -> Problem:
        """A fresh copy of the problem, since a learner being replaced may still be playing the old one."""
        like = self.given
        if isinstance(like, DominoGrid):
            return DominoGrid(like.rules.width, like.rules.height, like.planes, like.rules)
        if isinstance(like, MoveValues):
            return type(like)(like.rules, like.features)
        if like is not None:
            return deepcopy(like)
        return DominoGrid(6, 6) if self.problem == "domino" else MoveValues()

    def prepare(self, learner: DeepQ) -> None:
        """Do nothing more: making the learner has compiled everything."""
        if self.message["kind"] == "note":
            self.say("")

    def stretch(self, learner: DeepQ) -> None:
        for _ in range(self.stretch_steps // STRETCH):
            learner.advance()

    def snapshot_of(self, learner: DeepQ) -> Snapshot:
        memory: Any = learner.memory
        places, oldest = len(memory.r), memory.count % len(memory.r) if memory.is_full else 0
        rewards = np.where(np.arange(places) < len(memory), memory.r, np.nan)
        proof = prove_endless(learner) if learner.best[0] == inf else None
        history, batch = copied(learner.history), (memory.drawn - oldest) % places
        return Snapshot(learner.t, learner.about(), history, np.roll(rewards, -oldest), batch, scene_of(learner), proof)

    def is_over(self) -> str:
        if self.snapshot is None or self.learner is None:
            return ""
        if self.snapshot.proof:
            return str(self.snapshot.proof)
        return f"all {self.learner.settings.steps:,} steps are made" if self.snapshot.t >= self.learner.goal else ""

    # --- controls ---------------------------------------------------------------------------------

    when_stretch = sets("stretch_steps", whole("steps at a time", STRETCH, 100_000))
    when_rate = sets("settings.learning_rate", real("learning rate", above=0, at_most=10))
    when_memory = sets("settings.memory", whole("memory", 1, 100_000))
    when_batch = sets("settings.batch", whole("batch", 1, 10_000))

    def when_problem(self, value: Any) -> None:
        self.problem, self.given = one_of("problem", value, DEEP_Q), None
        self.settings, self.is_prepared = self.usual(), False
        self.reset()

    def when_target(self, value: Any) -> None:
        """Use a second network or not, from the next run on."""
        self.settings = replace(self.settings, target_network=bool(value), double=False)

    # --- pictures and texts -----------------------------------------------------------------------

    def status(self) -> str:
        if self.snapshot is None:
            return f"{self.problem}: nothing learned yet"
        now = self.snapshot
        loss = f", loss {now.history.last('loss'):.3g}" if now.history.count("loss") else ""
        judged = f", {now.history.last('judged'):.3g} when judged" if now.history.count("judged") else ""
        return f"step {now.t:,}: {now.about}{loss}{'' if now.proof else judged}"

    def hint(self) -> str:
        """A note on when changed settings take effect."""
        if self.learner is not None and self.settings != self.learner.settings:
            return "Press Reset to start over with the numbers that you set."
        return ""

    def shown(self) -> dict[str, Any]:
        settings, stretch = self.settings, str(self.stretch_steps)
        own = [] if self.problem in DEEP_Q else [self.problem]
        return {
            "choice": {
                "problem": {"value": self.problem, "options": [*DEEP_Q, *own]},
                "stretch": {"value": stretch, "options": sorted({*STRETCHES, stretch}, key=int)},
                "target": {"value": settings.target_network},
            },
            "numbers": values(rate=settings.learning_rate, memory=settings.memory, batch=settings.batch),
            "hint": {"text": self.hint()},
            **self.charts(),
            **(self.nothing() if self.snapshot is None else self.game(self.snapshot)),
        }

    def charts(self) -> dict[str, Any]:
        """Loss, mean of the best Q and pieces a game, by step."""
        history = History() if self.snapshot is None else self.snapshot.history
        titles = {"loss": "loss", "q": "mean of the best Q", "pieces": "pieces a game"}
        loss = {"log": True, "marks": self.refreshes()}
        found = history_charts(history, "steps", "step", titles, 500, loss=loss)
        return {"loss": found["loss"], "values": found["q"], "pieces": found["pieces"]}

    def refreshes(self) -> list[int]:
        """Steps at which the second network became a copy of the first; none if there are too many to show."""
        if self.snapshot is None or self.learner is None or not self.learner.settings.target_network:
            return []
        every = self.learner.settings.refresh
        found = list(range(every, self.snapshot.t, every))
        return found if len(found) <= MOST_REFRESHES else []

    def nothing(self) -> dict[str, Any]:
        """The blocks before there is a game."""
        rules = MoveValues().rules if self.given is None else self.given.rules
        return {
            "memory_words": {"text": ""},
            "scene_words": {"text": "its training game"},
            "board": board_data(rules.empty_board(), cell=12),
            "bars": {"svg": ""},
            "strip": {"svg": ""},
            "proof": {"frames": []},
        }

    def game(self, now: Snapshot) -> dict[str, Any]:
        """The training game, the values of its actions, the memory, the proof."""
        rules, scene = self.learner.problem.rules, now.scene
        full = int(np.isfinite(now.rewards).sum())
        words = f"memory: {full:,} of {len(now.rewards):,} experiences by reward; ticks: the last minibatch"
        data = self.nothing() | {"memory_words": {"text": words}, "strip": {"svg": memory_svg(now.rewards, now.batch)}}
        if scene is not None:
            data |= {"board": scene_data(scene), "bars": {"svg": bars_svg(scene)}}
        if isinstance(self.learner.problem, DominoGrid):
            data["proof"] = proof_film(now.proof, rules, "commands")
        return data
