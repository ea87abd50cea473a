"""The base class of panels that run in steps, with buttons to start, pause, step and reset, and a speed."""

from __future__ import annotations

from typing import Any

from tetriscourse.errors import one_of, whole_number
from tetriscourse.widgets.blocks import Spec, button, column, controls, select, text
from tetriscourse.widgets.panel import Panel

SPEEDS = {"1 a second": 1.0, "4 a second": 0.25, "10 a second": 0.1, "as fast as possible": 0.0}  # seconds of a step


class LearningPanel(Panel):
    """A learner or optimizer, step by step. Subclasses define `restart`, `compute`, `apply`, `status` and `shown`."""

    unit = "iteration"  # the name of one step
    only_once = False  # whether to stop after the step being taken in the background

    def __init__(self, *blocks: Spec, steps: int = 0, speed: str = "4 a second"):
        """blocks: shown below the buttons; steps: how many to take before anything is shown."""
        self.speed = one_of("speed", speed, SPEEDS)
        buttons = controls(
            "run",
            button("start", "Start"),
            button("pause", "Pause"),
            button("step", "Step", f"one {self.unit}"),
            button("reset", "Reset", "start over"),
            select("speed", "speed", list(SPEEDS)),
        )
        self.restart()
        super().__init__(column(buttons, text("status", live=True), *blocks))
        self.worker.pace = SPEEDS[self.speed]
        if whole_number("steps", steps, 0):
            self.step(steps)
            self.version = 0  # no page has seen it; messages on the way depend on what is already compiled

    def restart(self) -> None:
        """Set everything to how it is at the start."""

    def takes_long(self) -> bool:
        """Whether the next step belongs in the background, because it may have to compile."""
        return False

    def is_over(self) -> str:
        """The reason why nothing is left to do; empty until then."""
        return ""

    def status(self) -> str:
        """The current state in one line."""
        return ""

    def shown(self) -> dict[str, Any]:
        """The data of the blocks below the buttons."""
        return {}

    def content(self) -> dict[str, Any]:
        """The buttons, the status, and the panel's own blocks."""
        running, over = self.running, self.is_over()
        run = {
            "start": {"disabled": running or bool(over)},
            "pause": {"disabled": not running},
            "step": {"disabled": running or bool(over)},
            "speed": {"value": self.speed},
        }
        status = self.status() + (f": {over}" if over else "")
        return {"run": run, "status": {"text": status}, **self.shown()}

    def start(self) -> None:
        self.only_once = False
        super().start()

    def advance(self) -> bool:
        return super().advance() and not (self.only_once and self.running)

    def when_start(self, value: Any) -> None:
        self.only_once = False
        self.worker.start()

    def when_pause(self, value: Any) -> None:
        self.halt()

    def when_step(self, value: Any) -> None:
        if self.running:
            return
        self.only_once = self.takes_long()
        if self.only_once:
            self.worker.start()
        else:
            self.step()

    def when_reset(self, value: Any) -> None:
        self.reset()

    def when_speed(self, value: Any) -> None:
        self.speed = one_of("speed", value, SPEEDS)
        self.worker.pace = SPEEDS[self.speed]

    def reset(self) -> None:
        """Start over."""
        self.worker.pause()
        with self.lock:
            self.forget()
            self.restart()
            self.refresh()

    def describe(self) -> str:
        return self.status()
