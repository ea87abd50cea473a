"""CMA-ES panel: sample from an ellipse, select the best, then move, turn and stretch the ellipse towards them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.cma_es import CMAES, CMASettings
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.blocks import Spec, check, column, controls, drawing, number, row, select, table, text
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.curves import key_in_columns, lines_chart
from tetriscourse.widgets.charts.marks import colour
from tetriscourse.widgets.inputs import option, real, sets, tunes, values
from tetriscourse.widgets.optimizing.landscapes import Landscape
from tetriscourse.widgets.optimizing.panel import Iteration
from tetriscourse.widgets.optimizing.phases import PhasedPanel
from tetriscourse.widgets.optimizing.planes import PLANES, Plane, top_in, view_of
from tetriscourse.widgets.panel import typed_whole

TETRIS = Objective("dellacherie", replace(RULES["6x12"], max_pieces=500), games=5)
SETTINGS = CMASettings(population=10, sigma=0.3, iterations=300, step_size="norm")
MOVED, SAMPLED, SELECTED = "moved", "sampled", "selected"
"""The phases: the ellipse has moved; candidates are drawn; they have scores, and the best are selected."""
VIEWS = ("all since the start", "near the ellipse")
MOST_CANDIDATES = 200


class CMAESPanel(PhasedPanel):
    """CMA-ES of Boumaza 2013 on functions of two numbers, or on Tetris, showing two weights at a time.

    `optimizer` is the CMAES itself: the panel draws its m, sigma, C, p_sigma and p_c.
    """

    title = "CMA-ES"
    method, usual, own_goals = CMAES, SETTINGS, {**PLANES, "Tetris 6x12": TETRIS}
    phases = (MOVED, SAMPLED, SELECTED)
    settings: CMASettings  # those of the next run, as the controls show them; `optimizer.settings` has the start in use
    optimizer: CMAES
    view = VIEWS[0]
    tries = (
        "Press Start on the turned ellipse: the circle becomes an ellipse like the hill, and turns as it does.",
        "On the sphere, begin with sigma 0.01: all steps point the same way, so the path is long, and sigma grows.",
        "Maximise 'direction only', where length is free as for a player's weights: the mean flies away from 0, sigma "
        "with it. Then tick 'length 1' and reset: Boumaza's cure keeps both in place.",
        "Tick 'in three phases', go slowly along Rosenbrock's ridge, and say before each step where the ellipse goes.",
    )

    def layout(self) -> list[Spec]:
        knobs = controls(
            "goals",
            select("goal", "maximise", list(self.goals), "starts over"),
            number("population", "candidates", "lambda; 0 stands for 4 + 3 ln n of n weights; starts over"),
            number("sigma", "first sigma", "the step size at the beginning; starts over"),
            check("normalise", "length 1", "scale all candidates to length 1, from the next sample on: Boumaza 2013"),
            check("phases", "in three phases", "sample, select, move: one step each"),
            select("view", "show", VIEWS),
        )
        plane, charts = column(drawing("plane"), drawing("key")), column(drawing("step_size"), drawing("curve"))
        weights = column(table("weights"), controls("axes", *self.axis_menus(), vertical=True))
        return [knobs, text("phase", "soft", live=True), row(plane, charts, weights)]

    @property
    def dimension(self) -> int:
        return 2 if isinstance(self.objective, Plane) else super().dimension

    def made(self) -> CMAES:
        return CMAES(self.dimension, self.settings, self.seed, start=self.start_of(self.settings.start))

    def start_of(self, start: str | tuple[float, ...]) -> str | tuple[float, ...]:
        """The first mean: the one in the settings if it fits; on a plane, the plane's own unless they give numbers."""
        is_first = self.goal == next(iter(self.goals))  # the one that numbers in the settings are meant for
        if not isinstance(start, str) and (is_first or len(start) == self.dimension):
            return start
        if isinstance(self.objective, Plane):
            return self.objective.start
        return start if isinstance(start, str) else "zero"

    def when_population(self, value: Any) -> None:
        """Change the number of candidates, and start over."""
        self.settings = replace(self.settings, population=typed_whole("candidates", value, 0, MOST_CANDIDATES))
        self.reset()
        if not self.settings.population:
            count = self.optimizer.constants.lambda_
            self.say(f"0 stands for 4 + 3 ln n candidates: {count}, since there are n = {self.dimension} weights.")

    when_sigma = sets("settings.sigma", real("first sigma", above=0, at_most=1e6), then="reset")
    when_normalise = tunes("normalise", bool)
    when_view = sets("view", option("show", VIEWS))

    def shown(self) -> dict[str, Any]:
        now = self.settings
        chosen = values(
            goal=self.goal, population=now.population, sigma=now.sigma, normalise=now.normalise,
            phases=self.three_phases, view=self.view,
        )  # fmt: skip
        plane, said = self.plane(), f"Candidates in a plane of two weights. {self.phase_text()}"
        key = key_in_columns(plane, plane.width)
        return {
            "goals": chosen, "axes": self.axis_data(),
            "phase": {"text": self.phase_text()}, "plane": {"svg": plane.svg(said)}, "key": {"svg": key},
            "step_size": {"svg": self.step_size_svg()}, "curve": {"svg": self.curve_svg(330, 180)},
            "weights": self.weights_table(),
        }  # fmt: skip

    def phase_text(self) -> str:
        """The picture of the plane in words."""
        now, c = self.optimizer, self.optimizer.constants
        if self.phase == SAMPLED:
            return f"Sample: {c.lambda_} candidates from the ellipse. None of them has a score yet."
        if self.phase == SELECTED:
            return f"Select: the {c.mu} best of {c.lambda_} are the parents; the better, the more they count."
        if self.last is None:
            return "A circle of radius 2 sigma at the beginning: nothing is known of the shape."
        grown, path = now.sigma / cast(CMAES, self.last.before).sigma, float(np.linalg.norm(now.p_sigma))
        change = "grew" if grown > 1 else "shrank"
        return (
            f"Move: the path of the step size is {path:.3g} long, by chance {c.chi_n:.3g}; sigma {change} by a factor "
            f"of {grown:.3g} to {now.sigma:.3g}; the longest axis is {self.axis_ratio(now.axes.D):.3g} times the "
            "shortest."
        )

    @staticmethod
    def axis_ratio(lengths: Floats) -> float:
        """The ratio of the longest axis to the shortest."""
        return float(lengths[-1] / lengths[0])

    def plane(self) -> Chart:
        """Two weights: candidates, parents, the ellipse before and after, its axes, and the path of the mean."""
        across, up = (self.labels[axis] for axis in self.axes)
        chart = Chart(*self.limits(), across, up, width=410, height=350, equal=True)
        if self.draw_contours(chart) and (top := top_in(cast(Landscape, self.objective))):
            x, y = (top[axis] for axis in self.axes)
            chart.points([x], [y], 6, "cross", 4)
            chart.text(x, y, "\u00a0\u00a0top")
        self.draw_path(chart, "path of the mean")
        before = cast(CMAES, self.last.before) if self.last and self.phase == MOVED else None
        if before is not None:
            chart.ellipse(*self.distribution(before), series=0, label="2 sigma before", dashed=True)
        chart.ellipse(*self.distribution(self.optimizer), series=2, label="2 sigma now")
        self.draw_axes(chart)
        self.draw_vectors(chart, self.candidates(), 0, size=3.2, opacity=0.8, label="candidates")
        if self.scored:
            self.draw_vectors(chart, self.parents(self.scored), 1, "diamond", 4.5, label="selected")
        return chart

    def distribution(self, optimizer: CMAES) -> tuple[list[float], Floats]:
        """Mean and covariance of the two weights on the axes: their rows and columns of sigma² C."""
        return optimizer.m[self.axes].tolist(), optimizer.sigma**2 * optimizer.C[np.ix_(self.axes, self.axes)]

    def draw_axes(self, chart: Chart) -> None:
        """The axes of the ellipse, and the evolution path of the covariance as an arrow."""
        now = self.optimizer
        mean, covariance = self.distribution(now)
        variances, directions = np.linalg.eigh(covariance)
        for variance, direction in zip(variances, directions.T, strict=True):
            reach = 2 * np.sqrt(max(variance, 0)) * direction
            ends = np.array([mean - reach, mean + reach])
            chart.line(ends[:, 0].tolist(), ends[:, 1].tolist(), 2, width=0.8)
        chart.arrow(mean, (mean + now.sigma * now.p_c[self.axes]).tolist(), 3, width=2.4)
        chart.enter(
            "evolution path", f'<path fill="none" stroke="{colour(3)}" stroke-width="2.4" d="M0 0H22m-6-4l6 4l-6 4"/>'
        )

    def parents(self, iteration: Iteration) -> Floats:
        """The mu best candidates of an iteration, best first."""
        return iteration.best(self.optimizer.constants.mu)

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Limits of the axes: around everything since the start, or around the current ellipse."""
        before = [cast(CMAES, self.last.before)] if self.last and self.phase == MOVED else []
        ends = []
        for one in (*before, self.optimizer):
            mean, covariance = self.distribution(one)
            reach = 2.3 * np.sqrt(np.maximum(np.diag(covariance), 1e-24))
            ends += [mean - reach, mean + reach]
        if self.view == VIEWS[0]:
            ends += list(self.path()[:, self.axes])
            if isinstance(self.objective, Landscape):
                ends += list(np.array([view_of(self.objective)[axis] if axis < 2 else (0, 1) for axis in self.axes]).T)
        x, y = np.array(ends).T.tolist()
        return Chart.range(x), Chart.range(y)

    def mean_and_sd(self) -> tuple[Floats, Floats]:
        return self.optimizer.m, self.optimizer.sigma * np.sqrt(np.diag(self.optimizer.C))

    def step_size_svg(self) -> str:
        """The step size and the ratio of the axes by iteration."""
        sigma, ratio = [self.settings.sigma], [1.0]
        if self.last is not None:
            sigma += self.optimizer.history["sigma"].tolist()
            ratio += [self.axis_ratio(lengths) for lengths in self.optimizer.history["axes"]]
        lines = [("step size sigma", np.array(sigma)), ("longest axis / shortest", np.array(ratio))]
        described = f"By iteration: step size, now {sigma[-1]:.3g}; longest by shortest axis, now {ratio[-1]:.3g}"
        chart = lines_chart(lines, "log scale", self.unit, 330, 180, log=True, first=0, legend="upper right")
        return chart.svg(described)
