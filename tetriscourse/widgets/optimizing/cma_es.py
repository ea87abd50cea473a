"""CMA-ES, watched: sample from an ellipse, select the best, move the ellipse towards them, turn and stretch it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from tetriscourse.errors import one_of
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.cma_es import CMAES, CMASettings
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.blocks import (
    Spec,
    check,
    column,
    controls,
    drawing,
    number,
    row,
    select,
    table,
    table_data,
    text,
)
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.curves import lines_svg
from tetriscourse.widgets.charts.marks import colour, compact
from tetriscourse.widgets.optimizing.landscapes import Goal, Landscape, goals_of
from tetriscourse.widgets.optimizing.panel import Iteration
from tetriscourse.widgets.optimizing.phases import PhasedPanel
from tetriscourse.widgets.optimizing.planes import PLANES, Plane, key_svg, top_in, view_of
from tetriscourse.widgets.panel import typed_number, typed_whole

TETRIS = Objective("dellacherie", replace(RULES["6x12"], max_pieces=500), games=5)
SETTINGS = CMASettings(population=10, sigma=0.3, iterations=300, step_size="norm")
MOVED, SAMPLED, SELECTED = "moved", "sampled", "selected"
"""The phases: the ellipse has moved; candidates are drawn; they have their scores, and the best are chosen."""
VIEWS = ("all since the start", "near the ellipse")
MOST_CANDIDATES = 200


class CMAESPanel(PhasedPanel):
    """CMA-ES of Boumaza 2013 on functions of two numbers, or on Tetris, of which two weights are seen at a time.

    `optimizer` is the CMAES itself: its m, sigma, C, p_sigma and p_c are what is drawn.
    """

    title = "CMA-ES"
    phases = (MOVED, SAMPLED, SELECTED)
    tries = (
        "Press Start on the turned ellipse: the circle becomes an ellipse like the hill, and turns as it does.",
        "On the sphere, begin with sigma 0.01: all steps point the same way, so the path is long, and sigma grows.",
        "Maximise 'direction only', where length is free as for a player's weights: the mean flies away from 0, sigma "
        "with it. Then tick 'length 1' and reset: Boumaza's cure keeps both in place.",
        "Tick 'in three phases', go slowly along Rosenbrock's ridge, and say before each step where the ellipse goes.",
    )

    def __init__(
        self,
        objective: Goal | str | None = None,
        settings: CMASettings | str | None = None,
        *,
        seed: int = 0,
        dimension: int = 2,
        weights: Sequence[str] | None = None,
        curve: int = 5,
        steps: int = 0,
    ):
        """Maximise an objective: an Objective, a function of `dimension` numbers, or a name of the menu.

        settings: CMASettings or a name of theirs; weights: the names of the two that are drawn; curve: games that
        the mean plays after each iteration, if there are games; steps: iterations before anything is shown.
        """
        given = SETTINGS if settings is None else settings
        self.settings = given if isinstance(given, CMASettings) else cast(CMASettings, CMAES(2, given).settings)
        """Those with which it begins, as the controls say; `optimizer.settings` has the start that was chosen."""
        self.view = VIEWS[0]
        goals = goals_of(objective, *PLANES.items(), ("Tetris 6x12", TETRIS))
        super().__init__(goals, seed=seed, dimension=dimension, weights=weights, curve=curve, steps=steps)

    def layout(self) -> list[Spec]:
        """The blocks below the buttons."""
        knobs = controls(
            "goals",
            select("goal", "maximise", list(self.goals), "begins anew"),
            number("population", "candidates", "lambda; 0 stands for 4 + 3 ln n of n weights; begins anew"),
            number("sigma", "first sigma", "the step size at the beginning; begins anew"),
            check("normalise", "length 1", "scale all candidates to length 1, from the next sample on: Boumaza 2013"),
            check("phases", "in three phases", "sample, select, move: one step each"),
            select("view", "show", VIEWS),
        )
        plane, charts = column(drawing("plane"), drawing("key")), column(drawing("step_size"), drawing("curve"))
        weights = column(table("weights"), controls("axes", *self.axis_menus(), vertical=True))
        return [knobs, text("phase", "soft", live=True), row(plane, charts, weights)]

    # --- the optimizer ----------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return 2 if isinstance(self.objective, Plane) else super().dimension

    def made(self) -> CMAES:
        """A CMAES with the settings of the controls."""
        return CMAES(self.dimension, self.settings, self.seed, start=self.start_of(self.settings.start))

    def start_of(self, start: str | tuple[float, ...]) -> str | tuple[float, ...]:
        """The first mean: what the settings say, if that fits; on a plane, the plane's own unless they give numbers."""
        is_first = self.goal == next(iter(self.goals))  # for which numbers were meant, if there are any
        if not isinstance(start, str) and (is_first or len(start) == self.dimension):
            return start
        if isinstance(self.objective, Plane):
            return self.objective.start
        return start if isinstance(start, str) else "zero"

    @property
    def cma_es(self) -> CMAES:
        """The optimizer, by its own type."""
        return cast(CMAES, self.optimizer)

    # --- controls ---------------------------------------------------------------------------------

    def when_population(self, value: Any) -> None:
        """Another number of candidates, from the beginning."""
        self.settings = replace(self.settings, population=typed_whole("candidates", value, 0, MOST_CANDIDATES))
        self.reset()
        if not self.settings.population:
            count = self.cma_es.constants.lambda_
            self.say(f"0 stands for 4 + 3 ln n candidates: {count}, since there are n = {self.dimension} weights.")

    def when_sigma(self, value: Any) -> None:
        """Another first step size, from the beginning."""
        self.settings = replace(self.settings, sigma=typed_number("first sigma", value, above=0, at_most=1e6))
        self.reset()

    def when_normalise(self, value: Any) -> None:
        """Candidates of length 1, or as they are drawn; from the next sample on."""
        self.settings = replace(self.settings, normalise=bool(value))
        self.replace_settings(normalise=bool(value))

    def when_view(self, value: Any) -> None:
        """How far the axes reach."""
        self.view = one_of("show", value, VIEWS)

    # --- what it shows ----------------------------------------------------------------------------

    def shown(self) -> dict[str, Any]:
        """The plane, the curves, the weights and the controls."""
        settings = self.settings
        values = {
            "goal": self.goal, "population": settings.population, "sigma": settings.sigma,
            "normalise": settings.normalise, "phases": self.three_phases, "view": self.view,
        }  # fmt: skip
        plane, said = self.plane(), f"Candidates in a plane of two weights. {self.phase_text()}"
        key, plane.entries = key_svg(plane, plane.width), []
        return {
            "goals": {name: {"value": value} for name, value in values.items()}, "axes": self.axis_data(),
            "phase": {"text": self.phase_text()}, "plane": {"svg": plane.svg(said)}, "key": {"svg": key},
            "step_size": {"svg": self.step_size_svg()}, "curve": {"svg": self.curve_svg(330, 180)},
            "weights": self.weights_table(),
        }  # fmt: skip

    def phase_text(self) -> str:
        """What is seen in the plane."""
        now, c = self.cma_es, self.cma_es.constants
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
        """How many times the longest axis is as long as the shortest."""
        return float(lengths[-1] / lengths[0])

    def plane(self) -> Chart:
        """Two weights: candidates, parents, the ellipse before and after, its axes and path, the way of the mean."""
        across, up = (self.labels[axis] for axis in self.axes)
        chart = Chart(*self.limits(), across, up, width=410, height=350, equal=True)
        self.draw_landscape(chart)
        way = self.way()[:, self.axes]
        chart.line(way[:, 0].tolist(), way[:, 1].tolist(), 6, width=1.2, label="way of the mean")
        before = cast(CMAES, self.last.before) if self.last and self.phase == MOVED else None
        if before is not None:
            chart.ellipse(*self.distribution(before), series=0, label="2 sigma before", dashed=True)
        chart.ellipse(*self.distribution(self.cma_es), series=2, label="2 sigma now")
        self.draw_axes(chart)
        self.draw_candidates(chart)
        return chart

    def draw_landscape(self, chart: Chart) -> None:
        """Contour lines of a landscape of two numbers, and its top."""
        if self.draw_contours(chart) and (top := top_in(cast(Landscape, self.objective))):
            x, y = (top[axis] for axis in self.axes)
            chart.points([x], [y], 6, "cross", 4)
            chart.text(x, y, "\u00a0\u00a0top")

    def distribution(self, optimizer: CMAES) -> tuple[list[float], Floats]:
        """Mean and covariance of the two weights that are drawn: those rows and columns of sigma² C."""
        return optimizer.m[self.axes].tolist(), optimizer.sigma**2 * optimizer.C[np.ix_(self.axes, self.axes)]

    def draw_axes(self, chart: Chart) -> None:
        """The axes of the ellipse, and the evolution path of the covariance as an arrow."""
        now = self.cma_es
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

    def draw_candidates(self, chart: Chart) -> None:
        """The candidates of this iteration, and those that were selected."""
        cloud = self.candidates()
        if len(cloud):
            x, y = cloud[:, self.axes].T.tolist()
            chart.points(x, y, 0, size=3.2, opacity=0.8, label="candidates")
        if self.scored:
            x, y = self.parents(self.scored)[:, self.axes].T.tolist()
            chart.points(x, y, 1, "diamond", 4.5, label="selected")

    def parents(self, iteration: Iteration) -> Floats:
        """The mu best candidates of an iteration, best first."""
        return iteration.best(self.cma_es.constants.mu)

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The axes: around everything since the start, or around the present ellipse."""
        before = [cast(CMAES, self.last.before)] if self.last and self.phase == MOVED else []
        ends = []
        for one in (*before, self.cma_es):
            mean, covariance = self.distribution(one)
            reach = 2.3 * np.sqrt(np.maximum(np.diag(covariance), 1e-24))
            ends += [mean - reach, mean + reach]
        if self.view == VIEWS[0]:
            ends += list(self.way()[:, self.axes])
            if isinstance(self.objective, Landscape):
                ends += list(np.array([view_of(self.objective)[axis] if axis < 2 else (0, 1) for axis in self.axes]).T)
        x, y = np.array(ends).T.tolist()
        return Chart.range(x), Chart.range(y)

    def step_size_svg(self) -> str:
        """The step size and the ratio of the axes by iteration."""
        sigma, ratio = [self.settings.sigma], [1.0]
        if self.last is not None:
            sigma += self.optimizer.history["sigma"].tolist()
            ratio += [self.axis_ratio(lengths) for lengths in self.optimizer.history["axes"]]
        lines = [("step size sigma", np.array(sigma)), ("longest axis / shortest", np.array(ratio))]
        described = f"By iteration: step size, now {sigma[-1]:.3g}; longest by shortest axis, now {ratio[-1]:.3g}"
        return lines_svg(lines, "log scale", described, self.unit, 330, 180, log=True, first=0, legend="upper right")

    def weights_table(self) -> Spec:
        """The mean and its standard deviation, weight by weight."""
        now = self.cma_es
        deviations = now.sigma * np.sqrt(np.diag(now.C))
        rows = [(n, compact(m), compact(d)) for n, m, d in zip(self.labels, now.m, deviations, strict=True)]
        return table_data(("weight", "mean", "sd"), rows, caption=f"favourite: {self.favourite_is}")
