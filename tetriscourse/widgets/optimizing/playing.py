"""Steps that are games: machine code for the first ones is made in the background, once; a pause drops them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tetriscourse.features import FeatureSet
from tetriscourse.simulator.batch import is_compiled, portable
from tetriscourse.widgets.step_controls import LearningPanel

COMPILED: set[tuple[Any, ...]] = set()
"""Features for which a panel has played games in this process."""


class PlayingPanel(LearningPanel):
    """A panel whose steps are games, or may be. Panels write `played_features`, and play inside `compiling()`."""

    only_once = False
    """Whether to stop after the step that is being taken in the background."""

    def played_features(self) -> FeatureSet | None:
        """The features of the players; None if no games are played."""
        raise NotImplementedError

    # --- the first time ---------------------------------------------------------------------------

    def is_ready(self) -> bool:
        """Whether there is nothing to compile."""
        features = self.played_features()
        if features is None:
            return True
        names = portable(features)
        return names in COMPILED or not is_compiled(names)

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Play inside: if this may be the first time, the panel says why it takes a while."""
        features = self.played_features()
        if features is None or self.is_ready():
            yield
            return
        self.say("Compiling the simulator for these features; this is done once and takes a few seconds ...")
        self.refresh()
        try:
            yield
        finally:
            COMPILED.add(portable(features))
            self.say("")

    def when_step(self, value: Any) -> None:
        """One step; the first time in the background, because compiling takes a while."""
        if self.is_ready() or self.running:
            super().when_step(value)
        else:
            self.only_once = True
            self.worker.start()

    def when_start(self, value: Any) -> None:
        """Go on by itself."""
        self.only_once = False
        super().when_start(value)

    def start(self) -> None:
        """Go on by itself."""
        self.only_once = False
        super().start()

    def advance(self) -> bool:
        """One step; whether there is more to do."""
        return super().advance() and not (self.only_once and self.running)

    # --- pausing ----------------------------------------------------------------------------------

    def when_pause(self, value: Any) -> None:
        """Stand still at once: what is being played is dropped, and played again after the next start."""
        self.forget()
        super().when_pause(value)

    def pause(self) -> None:
        """Stand still at once."""
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
