"""Iterations in three phases, one a step: candidates are drawn; the best are chosen; the optimizer learns from them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.optimizing.landscapes import Landscape
from tetriscourse.widgets.optimizing.panel import Iteration, OptimizerPanel
from tetriscourse.widgets.optimizing.planes import contour_svg


class PhasedPanel(OptimizerPanel):
    """An optimizer with a mean that moves: iteration by iteration or, with the check box `phases`, phase by phase.

    Three phases come to the same as one iteration. Panels name them in `phases`, and draw `candidates()`, those of
    `scored` that are chosen, and `way()`.
    """

    phases: ClassVar[tuple[str, str, str]]
    """The optimizer has learned, or is fresh; candidates are drawn; they have scores, and the best are chosen."""
    phase: str
    """The present one."""
    three_phases = False
    """Whether to go from phase to phase."""
    contour: tuple[object, str] = (None, "")
    """The contour lines that were last drawn, and of what."""
    pending: Iteration | None = None
    """The candidates that have scores, before the optimizer is told."""

    def restart(self) -> None:
        """A fresh optimizer."""
        self.phase, self.pending = self.phases[0], None
        super().restart()
        self.first_mean: Floats = self.optimizer.favourite.copy()

    def compute(self) -> Iteration | str | None:  # type: ignore[override]
        """The next phase, or a whole iteration."""
        learned, drawn, _ = self.phases
        if self.phase == learned and not self.three_phases:
            return super().compute()
        if self.phase == learned:
            return None if self.optimizer.stop() else drawn
        return self.evaluated() if self.pending is None else self.judged(self.pending)

    def apply(self, result: Iteration | str) -> None:
        """Show the sample, then the best of it; then tell the optimizer."""
        learned, drawn, chosen = self.phases
        if isinstance(result, str):
            self.phase = result
        elif self.phase == drawn:
            self.pending, self.phase = result, chosen
        else:
            super().apply(result)
            self.pending, self.phase = None, learned

    def when_phases(self, value: Any) -> None:
        """Iterations in three steps, or in one."""
        self.three_phases = bool(value)

    def draw_contours(self, chart: Chart) -> bool:
        """Contour lines of a landscape of two numbers, computed once for each part of it; whether there are any."""
        if not isinstance(self.objective, Landscape) or sorted(self.axes) != list(range(self.dimension)):
            return False
        key = (self.goal, *self.axes, chart.x, chart.y, chart.width)
        if self.contour[0] != key:
            self.contour = (key, contour_svg(self.objective, self.axes, chart))
        chart.drawn.append((True, self.contour[1]))
        return True

    # --- what is seen -----------------------------------------------------------------------------

    @property
    def scored(self) -> Iteration | None:
        """The iteration that is seen, if its candidates have scores."""
        learned, _, chosen = self.phases
        return {learned: self.last, chosen: self.pending}.get(self.phase)

    def candidates(self) -> Floats:
        """The candidates that are seen, one a row; none before the first iteration."""
        if self.phase == self.phases[1]:
            return self.optimizer.ask()
        return self.scored.candidates if self.scored else np.empty((0, self.dimension))

    def way(self) -> Floats:
        """The means from the beginning until now, one a row."""
        first = self.first_mean[None]
        return np.concatenate([first, self.optimizer.history["favourite"]]) if self.last is not None else first
