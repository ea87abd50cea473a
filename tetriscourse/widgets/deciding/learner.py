"""What the panels of Q-learning and deep Q-learning share: a learner that learns in the background, films of games.

A learner changes while it learns, in a thread of its own. So the page is never shown the learner itself but a *shot* of
it: what is to be seen after a step, taken by who did the step.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tetriscourse.errors import counted
from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.environment import TetrisEnv
from tetriscourse.mdp.learning_loop import Learner
from tetriscourse.mdp.proofs import Proof
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.step_controls import LearningPanel

Numbers = Sequence[float] | np.ndarray[Any, Any]


class LearnerPanel(LearningPanel):
    """A learner of the library, a stretch a step. Panels write `made`, `stretch`, `prepare`, and what is shown."""

    scripts: ClassVar[tuple[str, ...]] = ("film",)
    learner: Any
    """The learner itself; it must be left alone while the panel is running."""

    def __init__(self, *blocks: Spec, steps: int = 0, speed: str = "10 a second"):
        self.learning = threading.Lock()
        """Held while the learner learns, or is asked something that takes a while."""
        self.once = self.is_prepared = False
        super().__init__(*blocks, steps=steps, speed=speed)

    # --- to be written by panels ------------------------------------------------------------------

    @abstractmethod
    def made(self) -> Learner:
        """A new learner with the present settings."""

    @abstractmethod
    def prepare(self, learner: Any) -> None:
        """Compile what it needs, and tell the panel's `note` if that takes a while."""

    @abstractmethod
    def stretch(self, learner: Any) -> None:
        """Let it learn for a step."""

    @abstractmethod
    def shot_of(self, learner: Any) -> Any:
        """What is to be seen of it."""

    # --- steps ------------------------------------------------------------------------------------

    def restart(self) -> None:
        """A new learner."""
        self.once = False
        self.learner = self.made()
        self.shot = self.shot_of(self.learner)

    def compute(self) -> Any:
        """Learn; which learner that was, and what is to be seen of it."""
        learner = self.learner
        with self.learning:
            if learner.done >= learner.goal:
                return None
            if not self.is_prepared:
                self.prepare(learner)
                self.is_prepared = True
            self.stretch(learner)
            return learner, self.shot_of(learner)

    def apply(self, result: Any) -> None:
        """Show it, unless the learner was replaced meanwhile."""
        learner, shot = result
        if learner is self.learner:
            self.shot = shot
            if self.once or self.is_over():
                self.once = False
                self.worker.pause()

    def forget(self) -> None:
        """Nothing: a step knows which learner it belongs to."""

    def note(self, text: str) -> None:
        """Show what takes so long; from any thread."""
        self.say(text)
        self.refresh()

    def when_step(self, value: Any) -> None:
        """One step, in the background too: the first one may have to compile."""
        if not self.running:
            self.once = True
            self.worker.start()

    def when_start(self, value: Any) -> None:
        """Go on by itself."""
        self.once = False
        super().when_start(value)


# --- films ----------------------------------------------------------------------------------------

COMMAND_WORDS = {"L": "left", "R": "right", "D": "drop", "H": "turn", "T": "turn back", "N": "wait"}


def film(id: str, label: str) -> Spec:
    """A board on which a game can be watched, or gone through by hand: js/film.js; its data: `film_data(...)`."""
    return {"kind": "film", "id": id, "label": label}


def film_data(
    rules: Rules,
    actions: str,
    commands: Sequence[str] = (),
    caption: str = "",
    seed: int = 0,
    start: Board | None = None,
    loop: int | None = None,
    play: bool = False,
    cell: int = 18,
) -> dict[str, Any]:
    """A game by its commands or placements, a frame before each and one at the end.

    loop: the frame at which the film goes on when it is over; play: whether it begins by itself.
    """
    env = TetrisEnv(rules, actions, max_pieces=0)
    env.reset(seed, {"episode": 0, "board": start})
    frames: list[dict[str, Any]] = []
    for number, command in enumerate(commands, start=1):
        action = env.action_names.index(command)
        frames.append(
            frame_of(env, action) | {"text": f"{number} of {len(commands)}: {COMMAND_WORDS.get(command, command)}"}
        )
        env.step(action)
    frames.append(frame_of(env) | {"text": "" if loop is None else "the cycle is closed"})
    for later, earlier in zip(frames[:0:-1], frames[-2::-1], strict=True):  # what stays the same is said once
        if later["rows"] == earlier["rows"]:
            del later["rows"]
    still = board_data(rules.empty_board() if start is None else start, cell=cell, above=INVISIBLE_ROWS)
    more = {"picture": "board", "frames": frames, "caption": caption, "loop": loop, "play": play}
    return still | frames[0] | more


def frame_of(env: TetrisEnv, action: int | None = None) -> dict[str, Any]:
    """The board and the falling piece; if pieces are placed at once, the piece where it lands."""
    game: Any = env.game
    if env.actions == "commands":
        drawn = board_data(game.engine.board, game.engine.piece, game.engine.cells)
    elif action is not None:
        move = game.moves[action]
        drawn = board_data(move.before, move.piece, move.cells)
    else:
        drawn = board_data(env.board)
    return {name: drawn[name] for name in ("rows", "piece", "mark")}


def proof_film(proof: Proof | None, rules: Rules, actions: str) -> dict[str, Any]:
    """What a proof found: the way into the cycle and the cycle, for ever; or how the game ended."""
    if proof is None:
        return film_data(rules, actions, caption="no proof yet")
    commands = (*proof.before, *proof.cycle)[:240]
    if not proof:
        return film_data(rules, actions, commands, "how far it went", start=proof.start)
    caption = f"the cycle: {counted(len(proof.cycle), proof.noun)}"
    return film_data(rules, actions, commands, caption, start=proof.start, loop=len(proof.before), play=True)


# --- charts ---------------------------------------------------------------------------------------


def small_chart(
    title: str,
    xlabel: str,
    xs: Numbers,
    ys: Numbers,
    series: int = 0,
    log: bool = False,
    high: float = 0.0,
    marks: Sequence[float] = (),
    end: float = 1.0,
) -> str:
    """A line over time, where it has a finite value; upright lines where something happened."""
    times, values = np.asarray(xs, np.float64), np.asarray(ys, np.float64)
    seen = np.isfinite(values) & ((values > 0) if log else True)
    times, values = times[seen], values[seen]
    low, top = (0.0, 1.0) if not len(values) else (float(values.min()), float(values.max()))
    y = (
        Chart.range([low, top] if len(values) else [0.1, 1], log=True)
        if log
        else (min(0.0, low), max(high, 1.06 * top, 1e-6))
    )
    chart = Chart((0, max([end, *times])), y, xlabel, title=title, width=212, height=136, log_y=log, whole_x=True)
    for mark in marks:
        chart.mark_x(mark, series=6)
    chart.line(times, values, series)
    chart.points(times[-1:], values[-1:], series)
    last = f"now {values[-1]:.3g}" if len(values) else "nothing yet"
    return chart.svg(f"{title} by {xlabel}: {last}.")
