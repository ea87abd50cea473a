"""Steps that are games: the first one compiles the simulator in the background, and a pause drops them."""

from __future__ import annotations

from typing import Any

from tetriscourse.optimizers.objectives import Objective
from tetriscourse.widgets.step_controls import LearningPanel


class PlayingPanel(LearningPanel):
    """A panel whose steps may be games. Panels write `played_objective`, and call `compile` before they play."""

    only_once = False  # whether to stop after the step that is being taken in the background

    def played_objective(self) -> Objective | None:
        """The objective of the players; None if no games are played."""
        raise NotImplementedError

    # --- the first time ---------------------------------------------------------------------------

    def is_ready(self) -> bool:
        """Whether there is nothing to compile."""
        objective = self.played_objective()
        return objective is None or objective.is_prepared

    def compile(self) -> None:
        """Compile what the games need, and say why that takes a while."""
        objective = self.played_objective()
        if objective is None or objective.is_prepared:
            return
        self.say("Compiling the simulator for these features; this is done once and takes a few seconds ...")
        self.refresh()
        try:
            objective.prepare(tell=lambda text: None)
        finally:
            self.say("")

    def when_step(self, value: Any) -> None:
        """One step; the first time in the background, because compiling takes a while."""
        if self.is_ready() or self.running:
            super().when_step(value)
        else:
            self.only_once = True
            self.worker.start()

    def when_start(self, value: Any) -> None:
        """Run by itself."""
        self.only_once = False
        super().when_start(value)

    def start(self) -> None:
        """Run by itself."""
        self.only_once = False
        super().start()

    def advance(self) -> bool:
        """One step; whether there is more to do."""
        return super().advance() and not (self.only_once and self.running)

    # --- pausing ----------------------------------------------------------------------------------

    def when_pause(self, value: Any) -> None:
        """Stop at once: the games that are being played are dropped, and played again after the next start."""
        self.forget()
        super().when_pause(value)

    def pause(self) -> None:
        """Stop at once."""
        self.forget()
        super().pause()

    def when_hidden(self, value: Any) -> None:
        """Nobody sees it any more: stop."""
        self.forget()
        super().when_hidden(value)

    def close(self) -> None:
        """Stop, and leave the page."""
        if hasattr(self, "epoch"):  # not if it was given bad input: then it was never finished
            self.forget()
        super().close()
