"""The style of all figures, and helpers that several of them use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogFormatter, MaxNLocator

from tetriscourse.errors import readable
from tetriscourse.random_numbers import Floats

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, safe for colour-blind readers; without yellow, which is too pale for lines."""
DASHES = ("-", "--", "-.", ":")
STYLE: Any = {
    "figure.dpi": 100, "savefig.dpi": 100, "figure.facecolor": "white", "font.size": 10, "axes.titlesize": 10,
    "axes.grid": True, "axes.axisbelow": True, "grid.color": "0.88", "grid.linewidth": 0.8, "lines.linewidth": 1.6,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "legend.fontsize": 9,
    "legend.handlelength": 3.0,
}  # fmt: skip
WIDTH, HEIGHT = 9.0, 4.2  # in inches; at 100 dots per inch a figure is as wide as a notebook


class Picture(Figure):
    """A figure with a text alternative, which Jupyter stores with the image, as text and as its `alt`."""

    def __repr__(self) -> str:
        return alternative(self) or super().__repr__()

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        return {}, {"image/png": {"alt": alternative(self)}}


@contextmanager
def panels(columns: int = 1, rows: int = 1, **options: Any) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure in the style of the course; pyplot forgets it afterwards, or Jupyter would show it twice."""
    with plt.rc_context(STYLE):
        chosen: dict[str, Any] = {"FigureClass": Picture, "figsize": (WIDTH, HEIGHT), "layout": "constrained"} | options
        figure, axes = plt.subplots(rows, columns, squeeze=False, **chosen)
        try:
            yield figure, list(axes.flat)
        finally:
            plt.close(figure)


def alternative(figure: Figure) -> str:
    """The figure in words and numbers, for readers who cannot see it."""
    return str(figure.get_label())


def look(k: int) -> dict[str, Any]:
    """Colour and dashes of the k-th line: 28 combinations, and neighbours differ in both."""
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]}


def plain_numbers(axis: Axis) -> None:
    """Write the ticks of an axis as plain numbers: 10,000."""
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.10g}"))


def iteration_axis(axes: Axes, label: str = "iteration") -> None:
    """An x axis of whole numbers."""
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


class PlainLog(LogFormatter):
    """Writes 10,000 instead of a power of ten."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return f"{x:,.10g}" if super().__call__(x, pos) else ""


def score_scale(axes: Axes, values: Floats) -> None:
    """A logarithmic y axis if the values span more than a decade, otherwise a linear one."""
    plain_numbers(axes.yaxis)
    if values.min() >= 0 and values.max() > 10 * values.min():
        log_scale(axes, values)


def log_scale(axes: Axes, values: Floats) -> None:
    """A logarithmic y axis; linear below the smallest decade if there are zeros, so that they show."""
    positive = values[values > 0]
    least = 10.0 ** np.floor(np.log10(positive.min())) if positive.size else 1.0
    if (values == 0).any():
        axes.set_yscale("symlog", linthresh=least)
        axes.set_ylim(bottom=0)
    else:
        axes.set_yscale("log")
    axes.yaxis.set_major_formatter(PlainLog(linthresh=least))
    axes.yaxis.set_minor_formatter(PlainLog(linthresh=least, minor_thresholds=(1.5, 0.5)))


def legend_right(figure: Figure, axes: Axes, order: Sequence[int] | None = None) -> None:
    """A legend beside the figure, where it covers nothing."""
    handles, labels = axes.get_legend_handles_labels()
    chosen = list(range(len(handles))) if order is None else order
    small: dict[str, Any] = {"fontsize": 8, "labelspacing": 0.3} if len(chosen) > 14 else {}
    figure.legend([handles[k] for k in chosen], [labels[k] for k in chosen], loc="outside right center", **small)


def span(values: Floats) -> str:
    """The first and last value in words."""
    return f"from {readable(float(values[0]))} to {readable(float(values[-1]))}"


def extent(values: Floats) -> str:
    """The least and greatest value in words."""
    low, high = f"{values.min():.3g}", f"{values.max():.3g}"
    return low if low == high else f"{low} to {high}"
