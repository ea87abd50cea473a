"""Steps that are games: the first one compiles the simulator in the background, and a pause drops them."""

from __future__ import annotations

from tetriscourse.optimizers.objectives import Objective
from tetriscourse.widgets.step_controls import LearningPanel


class PlayingPanel(LearningPanel):
    """A panel whose steps may be games. Panels write `played_objective`, and call `compile` before they play."""

    def played_objective(self) -> Objective | None:
        """The objective of the players; None if no games are played."""
        raise NotImplementedError

    def takes_long(self) -> bool:
        objective = self.played_objective()
        return objective is not None and not objective.is_prepared

    def compile(self) -> None:
        """Compile what the games need, and say why that takes a while."""
        objective = self.played_objective()
        if objective is None or objective.is_prepared:
            return

        def tell(text: str) -> None:
            self.say(text)
            self.refresh()

        try:
            objective.prepare(tell=tell)
        finally:
            self.say("")

    def halt(self) -> None:
        """Stop at once: the games being played are dropped, and played again after the next start."""
        self.forget()
        super().halt()
