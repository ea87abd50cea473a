"""The spread of several players' scores: a histogram each, and box plots on the same axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.plots.style import COLOURS, WIDTH, panels, plain_numbers
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.statistics import COUNTS, Scores

BARS = 25
WHISKERS: dict[str, Any] = {"range": (0, 100), "tukey": 1.5}
"""Their reach: to the extremes (Muller and Ponton 2019), or at most 1.5 boxes beyond the box (Tukey), with the games
beyond drawn one by one."""
NAMES = ("least", "lower quartile", "median", "upper quartile", "most")


def score_spread(
    results: Scores | Sequence[Scores], of: str = "points", scale: str = "linear", whiskers: str = "range"
) -> Figure:
    """A histogram for each player, and box plots below them, to compare players.

    results: Scores of one player, whose box is then explained, or of several. of: points, lines or pieces.
    scale: 'linear' or 'log'. whiskers: 'range', to the extremes, or 'tukey', at most 1.5 boxes beyond the box.
    """
    players, reach = listed(results), WHISKERS[one_of("whiskers", whiskers, WHISKERS)]
    columns = [getattr(one, one_of("of", of, COUNTS)) for one in players]
    edges = bar_edges(np.concatenate(columns), one_of("scale", scale, ("linear", "log")))
    rows, tallest = len(players), max(int(np.histogram(values, bins=edges)[0].max()) for values in columns)
    size: dict[str, Any] = {"figsize": (WIDTH, 2.1 * rows + 1.3), "height_ratios": (*[1.6] * rows, 0.5 * rows + 0.8)}
    with panels(rows=rows + 1, sharex=True, **size) as (figure, (*upper, lower)):
        for k, (axes, values) in enumerate(zip(upper, columns, strict=True)):
            axes.hist(values, bins=[float(edge) for edge in edges], color=colour(k), alpha=0.75)
            axes.set_title(f"{players[k].player}, {len(values)} games", loc="right")
            axes.set(ylabel="games", ylim=(0, 1.05 * tallest))
        draw_boxes(lower, players, columns, reach)
        if rows == 1:
            explain(lower, columns[0])
        lower.set_xlabel(f"{of} a game")
        scale_axis(lower, edges, scale)
    figure.set_label("; ".join(in_words(one, values, of) for one, values in zip(players, columns, strict=True)) + ".")
    return figure


def listed(results: Any) -> list[Scores]:
    """The scores as a list, each of at least one game."""
    found = [results] if isinstance(results, Scores) else list(results) if isinstance(results, Iterable) else []
    if not found or not all(isinstance(one, Scores) and len(one) for one in found):
        raise InputError(f"results is {shown(results)}; it must be Scores of at least one game, or a list of them")
    return found


def colour(k: int) -> str:
    """The colour of the k-th player."""
    return COLOURS[k % len(COLOURS)]


def bar_edges(values: Ints, scale: str) -> Floats:
    """The edges of the bars, the same for all players; equally wide on the chosen scale."""
    top, positive = max(float(values.max()), 1.0), values[values > 0]
    if scale == "linear" or not positive.size:
        return np.linspace(0, top, BARS + 1)
    low = float(positive.min())
    rising = np.geomspace(low, max(top, 2 * low), BARS + 1)
    return np.concatenate([[0.0], rising]) if (values == 0).any() else rising


def draw_boxes(axes: Axes, players: Sequence[Scores], columns: Sequence[Ints], reach: Any) -> None:
    """One box per player, the first on top; a diamond marks the mean."""
    places = range(len(players), 0, -1)
    for k, (place, values) in enumerate(zip(places, columns, strict=True)):
        line = {"color": colour(k), "linewidth": 1.6}
        axes.boxplot(
            values, positions=[place], widths=0.5, orientation="horizontal", whis=reach, showmeans=True,
            boxprops=line, whiskerprops=line, capprops=line, medianprops={"color": "black", "linewidth": 2.2},
            meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black", "markersize": 6},
            flierprops={"marker": ".", "markersize": 4, "markeredgecolor": colour(k)},
        )  # fmt: skip
    axes.set_yticks(list(places), [one.player for one in players])
    axes.set_ylim(0.4, len(players) + 0.6)
    axes.grid(visible=False, axis="y")


def explain(axes: Axes, values: Ints) -> None:
    """Label the five numbers and the mean, alternately below and above the box to make room."""
    named = [*zip(NAMES, quartiles(values), strict=True), ("mean", float(values.mean()))]
    for k, (name, x) in enumerate(sorted(named, key=lambda one: one[1])):
        below = k % 2 == 0
        axes.annotate(
            name, (x, 0.72 if below else 1.28), (0, -6 if below else 6), textcoords="offset points", ha="center",
            va="top" if below else "bottom", fontsize=9,
        )  # fmt: skip
    axes.set_ylim(0.2, 1.8)


def quartiles(values: Floats | Ints) -> list[float]:
    """The five numbers of a box: least, lower quartile, median, upper quartile, most."""
    return [float(x) for x in np.percentile(values, (0, 25, 50, 75, 100))]


def scale_axis(axes: Axes, edges: Floats, scale: str) -> None:
    """A linear or log scale with plain numbers; the log scale is linear from 0 to the first positive score."""
    if scale == "log" and edges[0] == 0:
        axes.set_xscale("symlog", linthresh=float(edges[1]))
    elif scale == "log":
        axes.set_xscale("log")
    plain_numbers(axes.xaxis)


def in_words(scores: Scores, values: Ints, of: str) -> str:
    """The box in words."""
    five = ", ".join(f"{name} {x:,.0f}" for name, x in zip(NAMES, quartiles(values), strict=True))
    return f"{scores.player}, {len(values)} games, {of}: {five}, mean {values.mean():,.0f}"
