"""Figures of training: learning curves, populations, weights, step sizes, races."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import NullFormatter

from tetriscourse.errors import one_of, readable
from tetriscourse.plots import style
from tetriscourse.plots.run_views import MIDDLES, RunView, checked_labels, grouped, score_name, side_by_side, views
from tetriscourse.plots.style import COLOURS, iteration_axis, legend_right, log_scale, look, panels, score_scale, span
from tetriscourse.random_numbers import Floats


def learning_curves(
    runs: Any, labels: Sequence[str] | None = None, interval: bool = True, middle: str = "mean"
) -> Figure:
    """Mean score of the favourite by iteration: one run with its 95 % interval, several as thin lines with a middle.

    runs: a run, a list of them, or a dict of groups; middle: 'mean' as in Thiery and Scherrer 2009, figures 4 and 5, or
    'median' as in Boumaza 2013. The interval is the exact one of an exponential mean, Student's if games were capped;
    more than three would hide each other and are left out. The axis is logarithmic if scores span a decade.
    """
    groups, of = grouped(runs, labels), MIDDLES[one_of("middle", middle, MIDDLES)]
    everyone = [view for members in groups.values() for view in members]
    unit, texts = score_name(everyone), []
    with panels() as (figure, (axes,)):
        for k, (label, members) in enumerate(groups.items()):
            curves = side_by_side([view.means for view in members])
            centre, steps = of(curves, axis=0), members[0].every * np.arange(1, curves.shape[1] + 1)
            many = len(members) > 1
            name = f"{label + ': ' if label else ''}{middle} of {len(members)} runs" if many else label or "mean"
            axes.plot(steps, centre, label=name, **look(k), linewidth=2.4 if many else 1.6, zorder=3)
            text = f"{name}, {span(centre)} {unit}"
            if many:
                for curve in curves:
                    axes.plot(steps, curve, color=COLOURS[k % len(COLOURS)], linewidth=0.6, alpha=0.45)
                text += f", the runs ending between {readable(curves[:, -1].min())} and {readable(curves[:, -1].max())}"
            elif interval and len(groups) <= 3:
                low, high = members[0].intervals().T
                axes.fill_between(steps, low, high, color=COLOURS[k % len(COLOURS)], alpha=0.18, linewidth=0)
                text += f", 95 % interval at the end {readable(low[-1])} to {readable(high[-1])}"
            texts.append(f"{text}, in {steps[-1]} iterations")
        games = everyone[0].column("curve").shape[1]
        axes.set_ylabel(f"{unit} a game (mean of {games})")
        score_scale(axes, np.concatenate([view.means for view in everyone]))
        iteration_axis(axes)
        if any(groups) or len(everyone) > 1:
            legend_right(figure, axes)
    figure.set_label(f"Learning curves. {'; '.join(texts)}.")
    return figure


def population(run: Any) -> Figure:
    """Best, mean and spread of a population's scores by generation (Muller and Ponton 2019, chapter 10).

    For methods without a population, the scores of each iteration's candidates.
    """
    view = views(run)[0]
    kept = bool(view.history.count("population_best"))  # generation 0 is the random one
    prefix, first, time = ("population_", 0, "generation") if kept else ("", 1, "iteration")
    best, mean, spread = (view.column(prefix + name) for name in ("best", "mean", "spread"))
    steps = np.arange(first, first + len(best))
    with panels() as (figure, (axes,)):
        for k, (name, values) in enumerate((("best", best), ("mean", mean), ("standard deviation", spread))):
            axes.plot(steps, values, **look(k), label=name)
        axes.set_ylabel(f"fitness ({view.score} a game)")
        iteration_axis(axes, time)
        score_scale(axes, mean)  # a spread that falls to 0 needs no logarithm
        legend_right(figure, axes)
    figure.set_label(
        f"Fitness by {time}, {first} to {steps[-1]}. Best {span(best)} {view.score}; "
        f"mean {span(mean)}; standard deviation {span(spread)}."
    )
    return figure


def weights_over_time(run: Any, labels: Sequence[str] | None = None) -> Figure:
    """The favourite's weights, a line each, with a legend in their final order (Boumaza 2013, figure 5)."""
    view = views(run)[0]
    weights = view.weights
    names = checked_labels(view.labels if labels is None else labels, weights.shape[1], "weights")
    order = np.argsort(-weights[-1], kind="stable")
    with panels() as (figure, (axes,)):
        for k, name in enumerate(names):
            axes.plot(np.arange(1, len(weights) + 1), weights[:, k], **look(k), label=name)
        axes.set_ylabel("weight of the favourite")
        iteration_axis(axes)
        legend_right(figure, axes, order.tolist())
    ends = "; ".join(f"{names[k]} from {weights[0, k]:.3g} to {weights[-1, k]:.3g}" for k in order)
    figure.set_label(f"Weights of the favourite in {len(weights)} iterations. {ends}.")
    return figure


STEPS = {
    "sigma": "step size σ",
    "deviations": "standard deviation of each weight, σ √Cᵢᵢ",
    "axes": "lengths of the axes of C, √eigenvalues",
}


def step_sizes(run: Any) -> Figure:
    """The width of the search: for CMA-ES σ, each weight's sd and the axes of C; for cross-entropy σ and the noise.

    Boumaza 2013, figures 4 to 6. The noise Z is added to variances, so √Z is a lower bound of the σ of each weight.
    """
    view = views(run)[0]
    sigma, texts = view.column("sigma"), []
    found = {STEPS[name]: view.column(name) for name in STEPS if view.history.count(name)}
    if sigma.ndim == 2:
        found = {"σ of each weight": sigma}
    with panels(len(found), sharex=True, figsize=(style.WIDTH + (len(found) > 1), style.HEIGHT)) as (figure, plots):
        for axes, (title, values) in zip(plots, found.items(), strict=True):
            columns, steps = values.reshape(len(values), -1), np.arange(1, len(values) + 1)
            for k, column in enumerate(columns.T):
                # An axis of C is not a single weight, so it does not get the colour of one.
                pen = {"color": "0.4", "linewidth": 1.0} if title == STEPS["axes"] else look(k)
                axes.plot(steps, column, **pen, label=view.labels[k])
            texts.append(f"{title}: at first {style.extent(columns[0])}, at last {style.extent(columns[-1])}")
            axes.set(xlabel="iteration", ylabel=title)
            log_scale(axes, columns)
        if view.history.count("noise") and view.column("noise").any():
            noise = np.sqrt(view.column("noise"))
            drawn = np.where(noise > 0, noise, np.nan)
            plots[0].plot(np.arange(1, len(noise) + 1), drawn, color="0.55", linewidth=4, label="√Z, the noise")
            texts.append(f"square root of the noise {span(noise)}")
        if sigma.ndim == 2 or len(found) > 1:
            legend_right(figure, plots[-1 if sigma.ndim == 2 else 1])
    figure.set_label(f"Step sizes in {len(sigma)} iterations, log scale. {'; '.join(texts)}.")
    return figure


WHITE_EDGE = withStroke(linewidth=4.4, foreground="white")  # makes a median stand out among the lines of its runs


def race_evaluations(groups: Any, labels: Sequence[str] | None = None) -> Figure:
    """The savings of races: the share of the allowed evaluations that they used, and fitness by evaluations.

    Thin lines are runs, thick ones their medians (Boumaza 2013, figures 7 to 9). Without races the share is 100 %.
    """
    found, texts = grouped(groups, labels), []
    everyone = [view for members in found.values() for view in members]
    with panels(2) as (figure, (left, right)):
        for k, (label, members) in enumerate(found.items()):
            used = side_by_side([view.games for view in members])
            fitness = side_by_side([view.means for view in members])
            share = 100 * side_by_side([race_share(view) for view in members])
            steps, colour = np.arange(1, share.shape[1] + 1), COLOURS[k % len(COLOURS)]
            if len(members) > 1:
                thin: dict[str, Any] = {"color": colour, "linewidth": 0.5, "alpha": 0.25 if len(members) > 5 else 0.8}
                left.plot(steps, share.T, **thin)
                right.plot(used.T, fitness.T, **thin)
            centres = [np.median(values, axis=0) for values in (share, used, fitness)]
            thick: dict[str, Any] = {**look(k), "linewidth": 2.4, "zorder": 3, "path_effects": [WHITE_EDGE]}
            left.plot(steps, centres[0], label=label or "median", **thick)
            right.plot(centres[1], centres[2], **thick)
            texts.append(
                f"{label or 'median'}, {len(members)} runs: share {span(centres[0])} %, fitness {span(centres[2])} "
                f"{members[0].score} after {readable(centres[1][-1])} evaluations"
            )
        left.set(xlabel="iteration", ylabel="evaluations made, of those allowed (%)", ylim=(0, 105))
        right.set(xlabel="evaluations (games of all candidates)", xscale="log")
        right.set_ylabel(f"{score_name(everyone)} a game of the favourite")
        score_scale(right, np.concatenate([view.means for view in everyone]))
        right.xaxis.set_major_formatter(style.PlainLog())
        right.xaxis.set_minor_formatter(NullFormatter())
        if any(found):
            figure.legend(loc="outside upper center", ncols=min(len(found), 4))
    figure.set_label(f"Races, medians over runs. {'; '.join(texts)}.")
    return figure


def race_share(view: RunView) -> Floats:
    """Evaluations made as a share of those allowed, by iteration; 1 without races."""
    return view.column("race_share") if view.log.count("race_share") else np.ones(len(view.column("games")))
