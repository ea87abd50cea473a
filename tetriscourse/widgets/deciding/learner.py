"""Common parts of the panels for Q-learning and deep Q-learning: learning in the background, films of games, charts.

A learner changes while it learns in its own thread. So the page never shows the learner itself but a *snapshot*, taken
by that thread after each step.
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
from tetriscourse.history import History
from tetriscourse.mdp.environment import TetrisEnv
from tetriscourse.mdp.learning_loop import Learner
from tetriscourse.mdp.proofs import Proof
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.step_controls import LearningPanel

Numbers = Sequence[float] | np.ndarray[Any, Any]


class LearnerPanel(LearningPanel):
    """A learner, step by step. Subclasses define `made`, `prepare`, `stretch`, `snapshot_of` and `shown`."""

    scripts: ClassVar[tuple[str, ...]] = ("film",)
    learner: Any  # the learner itself; leave it alone while the panel is running

    def __init__(self, *blocks: Spec, steps: int = 0, speed: str = "10 a second"):
        self.learning = threading.Lock()  # held while the learner learns, or answers a question that takes a while
        self.is_prepared = False
        super().__init__(*blocks, steps=steps, speed=speed)

    @abstractmethod
    def made(self) -> Learner:
        """A new learner with the current settings."""

    @abstractmethod
    def prepare(self, learner: Any) -> None:
        """Compile the learner's code, and call `note` if that takes a while."""

    @abstractmethod
    def stretch(self, learner: Any) -> None:
        """Let the learner learn for one step of the panel."""

    @abstractmethod
    def snapshot_of(self, learner: Any) -> Any:
        """A snapshot of the learner."""

    def restart(self) -> None:
        self.learner = self.made()
        self.snapshot = self.snapshot_of(self.learner)

    def compute(self) -> Any:
        """Learn for a step; the learner and a snapshot of it."""
        learner = self.learner
        with self.learning:
            if learner.done >= learner.goal:
                return None
            if not self.is_prepared:
                self.prepare(learner)
                self.is_prepared = True
            self.stretch(learner)
            return learner, self.snapshot_of(learner)

    def apply(self, result: Any) -> None:
        """Show the snapshot, unless the learner has been replaced."""
        learner, snapshot = result
        if learner is self.learner:
            self.snapshot = snapshot
            if self.only_once or self.is_over():
                self.worker.pause()

    def forget(self) -> None:
        """Do nothing: a step knows which learner it belongs to."""

    def note(self, text: str) -> None:
        """Show a message, from any thread."""
        self.say(text)
        self.refresh()

    def takes_long(self) -> bool:
        return True


COMMAND_WORDS = {"L": "left", "R": "right", "D": "drop", "H": "turn", "T": "turn back", "N": "wait"}


def film(id: str, label: str) -> Spec:
    """A board that plays a game, by itself or step by step: js/film.js; its data: `film_data(...)`."""
    return {"kind": "film", "id": id, "label": label}


def film_data(
    rules: Rules, actions: str, commands: Sequence[str] = (), caption: str = "", seed: int = 0,
    start: Board | None = None, loop: int | None = None, play: bool = False, cell: int = 18,
) -> dict[str, Any]:  # fmt: skip
    """A game given by its commands or placements: a frame before each, and one at the end.

    loop: the frame to return to at the end; play: whether to start at once.
    """
    env = TetrisEnv(rules, actions, max_pieces=0)
    env.reset(seed, {"episode": 0, "board": start})
    frames: list[dict[str, Any]] = []
    for number, command in enumerate(commands, start=1):
        action = env.action_names.index(command)
        words = COMMAND_WORDS.get(command, command)
        frames.append(frame_of(env, action) | {"text": f"{number} of {len(commands)}: {words}"})
        env.step(action)
    frames.append(frame_of(env) | {"text": "" if loop is None else "the cycle is closed"})
    for later, earlier in zip(frames[:0:-1], frames[-2::-1], strict=True):  # a board that stays the same is sent once
        if later["rows"] == earlier["rows"]:
            del later["rows"]
    still = board_data(rules.empty_board() if start is None else start, cell=cell, above=INVISIBLE_ROWS)
    more = {"picture": "board", "frames": frames, "caption": caption, "loop": loop, "play": play}
    return still | frames[0] | more


def frame_of(env: TetrisEnv, action: int | None = None) -> dict[str, Any]:
    """The board and the falling piece; with placements, the piece where it lands."""
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
    """The film of a proof: the way into the cycle, then the cycle for ever; or the game up to its end."""
    if proof is None:
        return film_data(rules, actions, caption="no proof yet")
    commands = (*proof.before, *proof.cycle)[:240]
    if not proof:
        return film_data(rules, actions, commands, "how far it went", start=proof.start)
    caption = f"the cycle: {counted(len(proof.cycle), proof.noun)}"
    return film_data(rules, actions, commands, caption, start=proof.start, loop=len(proof.before), play=True)


def small_chart(
    title: str, xlabel: str, xs: Numbers, ys: Numbers, series: int = 0, log: bool = False, high: float = 0.0,
    marks: Sequence[float] = (), end: float = 1.0,
) -> str:  # fmt: skip
    """A line over time through the finite values; vertical lines at the marks."""
    times, values = np.asarray(xs, np.float64), np.asarray(ys, np.float64)
    seen = np.isfinite(values) & ((values > 0) if log else True)
    times, values = times[seen], values[seen]
    low, top = (0.0, 1.0) if not len(values) else (float(values.min()), float(values.max()))
    y = min(0.0, low), max(high, 1.06 * top, 1e-6)
    if log:
        y = Chart.range([low, top] if len(values) else [0.1, 1], log=True)
    chart = Chart((0, max([end, *times])), y, xlabel, title=title, width=212, height=136, log_y=log, whole_x=True)
    for mark in marks:
        chart.mark_x(mark, series=6)
    chart.line(times, values, series)
    chart.points(times[-1:], values[-1:], series)
    last = f"now {values[-1]:.3g}" if len(values) else "nothing yet"
    return chart.svg(f"{title} by {xlabel}: {last}.")


def history_charts(
    history: History, time: str, xlabel: str, titles: dict[str, str], end: float, **options: Any
) -> dict[str, Spec]:
    """The data of a small chart for each of the titles, by column of the history; options: more, by column."""
    columns = {name: history[name] if history.count(time) else np.zeros(0) for name in (time, *titles)}
    return {
        name: {"svg": small_chart(title, xlabel, columns[time], columns[name], k, end=end, **options.get(name, {}))}
        for k, (name, title) in enumerate(titles.items())
    }


def copied(history: History) -> History:
    """A copy that stays as it is while the learner goes on."""
    return History({name: history[name].tolist() for name in history.names})
