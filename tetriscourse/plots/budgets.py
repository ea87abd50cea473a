"""The figure of budgets: what methods have learned against the moves that they played for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from tetriscourse.errors import readable
from tetriscourse.plots.style import HEIGHT, WIDTH, PlainLog, look, panels

SEARCH = ("07", "08", "09", "15")
"""The chapters in which weights are searched for; in the others, players learn from experience."""
SIDES = {"searching for weights": True, "learning from experience": False}
ZERO = 0.05  # where no lines at all are drawn, on a logarithmic axis
POWERS = {10**4: "10,000", 10**6: "1 million", 10**8: "100 million", 10**10: "10 billion"}

Runs = Sequence[Sequence[tuple[int, float]]]


def budget(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Lines against moves played while learning, of the rows of table `budget`: medians of the runs, and their range.

    On the left methods that search for weights, on the right those that learn from experience, on the same axes.
    """
    said = []
    with panels(columns=2, figsize=(WIDTH, 1.5 * HEIGHT), sharex=True, sharey=True) as (figure, both):
        for axes, (side, searches) in zip(both, SIDES.items(), strict=True):
            shown = [row for row in rows if (row["chapter"] in SEARCH) == searches]
            for k, row in enumerate(shown):
                moves, lines = draw_runs(axes, row, k)
                said.append(f"{row['name']} {readable(lines)} after {moves:,} moves")
            axes.set(title=side, xscale="log", yscale="log", ylim=(0.8 * ZERO, None), xlabel="moves played to learn")
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=8, labelspacing=0.3)
        both[0].set_ylabel("lines a game on 10x10")
        both[0].yaxis.set_major_formatter(PlainLog())
        both[0].xaxis.set_major_locator(FixedLocator(list(POWERS)))
        both[0].xaxis.set_major_formatter(FuncFormatter(lambda x, _: POWERS.get(round(x), "")))
        both[0].xaxis.set_minor_formatter(NullFormatter())
    figure.set_label(f"Lines against moves, medians of the runs, at the largest budget: {'; '.join(said)}")
    return figure


def draw_runs(axes: Axes, row: Mapping[str, Any], k: int) -> tuple[int, float]:
    """The median of a method's runs at each budget, and a band from the least to the greatest; returns the last."""
    runs: Runs = row["runs"]
    budgets = sorted({moves for points in runs for moves, _ in points})
    lines = [sorted(max(ZERO, y) for points in runs for moves, y in points if moves == x) for x in budgets]
    middle = [median(values) for values in lines]
    style = look(k)
    axes.fill_between(budgets, [y[0] for y in lines], [y[-1] for y in lines], color=style["color"], alpha=0.12, lw=0)
    axes.plot(budgets, middle, marker="o", markersize=3, label=f"{row['chapter']} {row['name']}", **style)
    return budgets[-1], middle[-1]
