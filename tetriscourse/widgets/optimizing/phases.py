"""Optimizers that sample from a distribution, shown in three phases: sample, select the best, learn from them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.blocks import Spec, table_data
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.marks import compact
from tetriscourse.widgets.inputs import sets
from tetriscourse.widgets.optimizing.landscapes import Landscape
from tetriscourse.widgets.optimizing.panel import Iteration, OptimizerPanel
from tetriscourse.widgets.optimizing.planes import contour_svg


class PhasedPanel(OptimizerPanel):
    """An optimizer with a mean that moves: iteration by iteration or, with the check box `phases`, phase by phase.

    Three phases make one iteration. Subclasses name them in `phases`, and draw `candidates()`, the selected ones of
    `scored`, and the path of the mean.
    """

    phases: ClassVar[tuple[str, str, str]]  # learned, or not started; candidates drawn; scored and selected
    phase: str  # the current one
    three_phases = False  # whether to go from phase to phase
    contour: tuple[object, str] = (None, "")  # the contour lines drawn last, and the part that they show
    pending: Iteration | None = None  # candidates that have scores, before the optimizer is told

    when_phases = sets("three_phases", bool)

    def mean_and_sd(self) -> tuple[Floats, Floats]:
        """Mean and standard deviation of each weight."""
        raise NotImplementedError

    def restart(self) -> None:
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
        learned, drawn, selected = self.phases
        if isinstance(result, str):
            self.phase = result
        elif self.phase == drawn:
            self.pending, self.phase = result, selected
        else:
            super().apply(result)
            self.pending, self.phase = None, learned

    @property
    def scored(self) -> Iteration | None:
        """The iteration on show, if its candidates have scores."""
        learned, _, selected = self.phases
        return {learned: self.last, selected: self.pending}.get(self.phase)

    def candidates(self) -> Floats:
        """The candidates on show, one per row; none before the first iteration."""
        if self.phase == self.phases[1]:
            return self.optimizer.ask()
        return self.scored.candidates if self.scored else np.empty((0, self.dimension))

    def path(self) -> Floats:
        """The means since the start, one per row."""
        first = self.first_mean[None]
        return np.concatenate([first, self.optimizer.history["favourite"]]) if self.last is not None else first

    def draw_path(self, chart: Chart, label: str) -> None:
        """A line through the means since the start."""
        x, y = self.path()[:, self.axes].T.tolist()
        chart.line(x, y, 6, width=1.2, label=label)

    def draw_contours(self, chart: Chart) -> bool:
        """Draw contour lines if the objective is a landscape of two numbers; return whether it is."""
        if not isinstance(self.objective, Landscape) or sorted(self.axes) != list(range(self.dimension)):
            return False
        key = (self.goal, *self.axes, chart.x, chart.y, chart.width)
        if self.contour[0] != key:
            self.contour = (key, contour_svg(self.objective, self.axes, chart))
        chart.drawn.append((True, self.contour[1]))
        return True

    def weights_table(self) -> Spec:
        rows = [(n, compact(m), compact(s)) for n, m, s in zip(self.labels, *self.mean_and_sd(), strict=True)]
        return table_data(("weight", "mean", "sd"), rows, caption=f"favourite: {self.favourite_is}")
