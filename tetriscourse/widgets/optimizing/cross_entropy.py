"""Cross-entropy panel: sample players, keep the elite, fit the distribution to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from tetriscourse.errors import one_of
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.cross_entropy import CrossEntropy, CrossEntropySettings, Noise, constant
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.blocks import Spec, check, column, controls, drawing, row, select, slider, table, text
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.curves import key_svg, lines_chart
from tetriscourse.widgets.inputs import option, real, sets, tunes, values
from tetriscourse.widgets.optimizing.landscapes import Landscape
from tetriscourse.widgets.optimizing.noises import OWN, noise_of, schedule_of, schedules
from tetriscourse.widgets.optimizing.panel import Iteration
from tetriscourse.widgets.optimizing.phases import PhasedPanel
from tetriscourse.widgets.panel import typed_number

# The features of the first papers, with which it is easy to see what noise is for.
LARGE = Objective("bertsekas", replace(RULES["10x10"], max_pieces=1000), games=3)
SMALL = Objective("dellacherie", replace(RULES["6x12"], max_pieces=500), games=3)
SETTINGS = CrossEntropySettings(population=100, rho=0.1, iterations=200, noise=constant(4))
"""Settings of Thiery and Scherrer 2009, with 200 iterations."""
FIT, SAMPLE, ELITE = "fit", "sample", "elite"
"""The phases: the distribution is fitted; candidates are drawn; they have played, and the best are selected."""
VIEWS = ("all since the start", "near the cloud")
SIZE_HELP = "at the beginning (on landscapes, in hundredths); from the next fit on"


class CrossEntropyPanel(PhasedPanel):
    """The noisy cross-entropy method of Thiery and Scherrer 2009 (their figure 3, live), two weights at a time.

    `optimizer` is the CrossEntropy; noise, its size and rho can be changed at any time, with the controls or with
    `replace_settings(rho=0.2)`.
    """

    title = "Cross-entropy"
    method, usual, own_goals = CrossEntropy, SETTINGS, {"10x10, 21 weights": LARGE, "6x12, 6 weights": SMALL}
    phases = (FIT, SAMPLE, ELITE)
    settings: CrossEntropySettings
    optimizer: CrossEntropy
    view = VIEWS[0]
    tries = (
        "Press Step a few times: the best tenth of the cloud decides where the next cloud is, and how wide.",
        "Tick 'in three phases', and Step samples, then chooses the elite, then fits the distribution to it.",
        "Set the noise to 'none', reset and start: the ellipse shrinks to a point, and after some 25 iterations the "
        "favourite stops improving. With constant noise it goes on.",
        "Maximise 'two hills' with linear noise, and show 'near the cloud': it settles on the lower, wider one. Can an "
        "elite of 0.02 find the cross? Reset after each change.",
    )

    def read_settings(self) -> None:
        self.schedule, self.size = schedule_of(self.settings.noise)
        self.own_noise = self.settings.noise

    def layout(self) -> list[Spec]:
        knobs = controls(
            "knobs",
            select("noise", "noise", schedules(self.schedule), "added to the variances; from the next fit on"),
            slider("size", "its size", 0, 10, 0.05, SIZE_HELP),
            slider("rho", "elite (rho)", 0.01, 0.5, 0.01, "share of the candidates; from the next choice on"),
            check("phases", "in three phases", "sample, choose the elite, fit: one step each"),
        )
        picture = controls("axes", *self.axis_menus(), select("view", "show", VIEWS))
        return [
            row(self.goal_menu(), picture),
            knobs,
            text("phase", live=True),
            row(column(drawing("cloud"), drawing("key")), column(drawing("curve"), drawing("sigma")), table("weights")),
        ]

    def first_axes(self) -> list[int]:
        """The last two weights: in most feature sets, one of them is holes."""
        return [self.dimension - 2, self.dimension - 1]

    def made(self) -> CrossEntropy:
        """A CrossEntropy with the settings of the controls; ten times as narrow on landscapes."""
        start = self.settings.initial_variance * self.scale
        return CrossEntropy(self.dimension, self.settings, self.seed, initial_variance=start, noise=self.noise)

    @property
    def scale(self) -> float:
        """The factor of all variances: a hundredth on landscapes, whose hills are 1 wide."""
        return 0.01 if isinstance(self.objective, Landscape) else 1.0

    @property
    def noise(self) -> Noise:
        """The noise that the controls show."""
        if self.schedule == OWN:
            return self.own_noise
        return noise_of(self.schedule, self.size * self.scale)

    def when_noise(self, value: Any) -> None:
        self.schedule = one_of("noise", value, schedules(self.schedule))
        self.replace_settings(noise=self.noise)

    def when_size(self, value: Any) -> None:
        self.size = typed_number("size of the noise", value, at_least=0, at_most=1000)
        if self.schedule == "none" and self.size:
            self.schedule = "constant"
        self.replace_settings(noise=self.noise)

    when_rho = tunes("rho", real("elite (rho)", above=0, at_most=1))
    when_view = sets("view", option("show", VIEWS))

    def shown(self) -> dict[str, Any]:
        knobs = values(noise=self.schedule, size=self.size, rho=self.settings.rho, phases=self.three_phases)
        knobs["size"]["disabled"] = self.schedule == OWN
        cloud = self.cloud()
        key = key_svg(cloud, cloud.width, rows=3 if isinstance(self.objective, Landscape) else 2)
        return {
            **super().shown(), "knobs": knobs, "axes": self.axis_data() | values(view=self.view),
            "phase": {"text": self.phase_text()},
            "cloud": {"svg": cloud.svg(f"Candidates by two weights. {self.phase_text()}")}, "key": {"svg": key},
            "sigma": {"svg": self.sigma_svg()}, "curve": {"svg": self.curve_svg(335, 182)},
            "weights": self.weights_table(),
        }  # fmt: skip

    def elite(self, iteration: Iteration) -> Floats:
        """The best candidates of an iteration, one per row: the optimizer takes their mean."""
        return iteration.best(self.optimizer.parents(len(iteration.scores)))

    def phase_text(self) -> str:
        """The picture of the cloud in words."""
        optimizer = self.optimizer
        n = optimizer.settings.population
        if self.phase == SAMPLE:
            return f"Sample: {n} candidates from the distribution. None of them has played yet."
        if self.phase == ELITE and self.pending is not None:
            scores = np.sort(self.pending.scores)[::-1][: optimizer.parents(n)]
            worst = self.score_text(float(scores[-1]))
            return f"Elite: all have played; the best {len(scores)} of {n} scored {worst} or more."
        if self.last is None:
            return "The distribution at the beginning: a mean and a standard deviation for every weight."
        added = optimizer.history.last("noise")
        wider = f", plus {added:.3g} of noise in every variance" if added else ", without any noise"
        return f"Fit: the distribution has the mean and the variances of the elite{wider}."

    def mean_and_sd(self) -> tuple[Floats, Floats]:
        return self.optimizer.mu, self.optimizer.sigma

    def cloud(self, width: float = 380, height: float = 330) -> Chart:
        """Two weights: candidates, elite, the distribution before and after, the path of the mean."""
        optimizer = self.optimizer
        across, up = (self.labels[axis] for axis in self.axes)
        chart = Chart(*self.limits(), across, up, width=width, height=height)
        self.draw_contours(chart)
        self.draw_path(chart, "path of the mean")
        self.draw_vectors(chart, self.candidates(), 0, "dot", 3, 0.55, "candidates")
        # An elite chosen with another rho can no longer be shown.
        past = self.last is not None and self.last.before.settings.rho != optimizer.settings.rho
        if self.scored and not (self.phase == FIT and past):
            self.draw_vectors(chart, self.elite(self.scored), 1, "diamond", 5.5, label="elite")
        before = optimizer if self.phase != FIT else cast(CrossEntropy, self.last.before) if self.last else None
        if before is not None:
            self.draw_ellipse(chart, before.mu, before.Sigma, 0, "sampled from", dashed=True)
        if self.phase == FIT:
            noise = optimizer.history.last("noise")
            if noise:
                fitted = optimizer.Sigma - noise * np.eye(self.dimension)
                self.draw_ellipse(chart, optimizer.mu, fitted, 1, "fitted to the elite")
            self.draw_ellipse(chart, optimizer.mu, optimizer.Sigma, 2, "plus noise" if noise else "now")
        self.draw_top(chart)
        return chart

    def draw_ellipse(
        self, chart: Chart, mu: Floats, Sigma: Floats, series: int, label: str, dashed: bool = False
    ) -> None:
        """A normal distribution at two standard deviations."""
        covariance = Sigma[np.ix_(self.axes, self.axes)]
        chart.ellipse(mu[self.axes].tolist(), covariance, series, label, dashed=dashed)

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Limits of the axes: around the first distribution and all means, or around the current one."""
        now = self.optimizer
        before = cast(CrossEntropy, self.last.before) if self.last and self.phase == FIT else now
        ends = [one.mu + side * one.sigma for one in (before, now) for side in (-2.4, 2.4)]
        if self.view == VIEWS[0]:
            start = np.sqrt(now.settings.initial_variance) * 2.4
            ends += [*self.path(), self.first_mean - start, self.first_mean + start]
        x, y = np.array(ends)[:, self.axes].T.tolist()
        return Chart.range(x), Chart.range(y)

    def sigma_svg(self) -> str:
        """The standard deviations by iteration."""
        first = np.full((1, self.dimension), np.sqrt(self.optimizer.settings.initial_variance))
        sigma = np.concatenate([first, self.optimizer.history["sigma"]]) if self.last is not None else first
        lines = [(self.labels[axis], sigma[:, axis]) for axis in dict.fromkeys(self.axes)]
        lines.append(("mean of all", sigma.mean(axis=1)))
        description = f"Standard deviations by iteration; now on average {sigma[-1].mean():.3g}"
        chart = lines_chart(lines, "sd", self.unit, 335, 182, log=True, first=0, legend="upper right")
        return chart.svg(description)
