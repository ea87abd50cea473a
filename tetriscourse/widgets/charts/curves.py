"""Curves over iterations, and legends beside charts."""

from __future__ import annotations

import numpy as np

from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts.chart import Chart
from tetriscourse.widgets.charts.marks import label, picture, pixels, text_width

ROOM = (0.0, 0.2, 0.4, 0.6, 0.8)  # space above the curves as a share of the height, until the legend fits


def lines_chart(
    lines: list[tuple[str, Floats]], ylabel: str, unit: str, width: float, height: float, log: bool | None = None,
    first: int = 1, legend: str = "lower right",
) -> Chart:  # fmt: skip
    """Curves over iterations, counted from `first`; log None: a logarithmic axis if values span decades above 0.

    legend: its corner, unless it covers less in another; if it covers something in all four, the axis grows.
    """
    values = np.concatenate([one for _, one in lines]) if lines else np.empty(0)
    above = values[values > 0]
    if log is None:
        log = bool(len(above)) and bool((values >= 0).all()) and bool(above.max() > 30 * above.min())
    last = max([10, *(first + len(one) - 1 for _, one in lines)])
    low, high = Chart.range(values.tolist(), log=log)
    for room in ROOM:
        x, y = (first, last), (low, high * (high / low) ** room if log else high + (high - low) * room)
        chart = Chart(x, y, unit, ylabel, "", width, height, log_y=log, legend=legend, whole_x=True)
        for series, (name, one) in enumerate(lines):
            across = range(first, first + len(one))
            chart.line(across, one.tolist(), series, dashed=series == 1, label=name)
            chart.points(across[-1:], one[-1:].tolist(), series, size=3)
        chart.legend = chart.free_corner()
        if not chart.covered(chart.legend):
            break
    return chart


def key_svg(chart: Chart, width: float = 400, rows: int = 2) -> str:
    """Take the legend out of a chart, as a separate picture: entries side by side, in as many rows as needed."""
    places, x, y = [], 4.0, 10.0
    for _, name in chart.entries:
        across = 40 + text_width(name)
        if x + across > width:
            x, y = 4.0, y + 17
        places.append((x, y))
        x += across
    return key_picture(chart, places, width, max(17 * rows + 2, y + 9))


def key_in_columns(chart: Chart, width: float, columns: int = 3) -> str:
    """Take the legend out of a chart, as a separate picture with its entries in columns."""
    count = len(chart.entries)
    places = [(width / columns * (k % columns) + 4, 16.0 * (k // columns) + 9) for k in range(count)]
    return key_picture(chart, places, width, 16 * -(-count // columns) + 4)


def key_picture(chart: Chart, places: list[tuple[float, float]], width: float, height: float) -> str:
    """The entries of a chart's legend at these places; the chart then has none."""
    entries, chart.entries = chart.entries, []
    body = "".join(
        f'<g transform="translate({pixels(x)} {pixels(y)})">{sample}{label(28, 4, name)}</g>'
        for (sample, name), (x, y) in zip(entries, places, strict=True)
    )
    return picture(body, "Key: " + ", ".join(name for _, name in entries), width, height)
