"""Charts of optimizers: curves over iterations, and keys beside charts."""

from __future__ import annotations

import numpy as np

from tetriscourse.draws import Floats
from tetriscourse.widgets.charts.chart import Chart
from tetriscourse.widgets.charts.marks import label, picture, pixels, text_width


def lines_svg(
    lines: list[tuple[str, Floats]],
    ylabel: str,
    description: str,
    unit: str,
    width: float,
    height: float,
    log: bool | None = None,
    first: int = 1,
    legend: str = "lower right",
) -> str:
    """Curves over iterations, counted from `first`; log None: a logarithmic axis if values span decades above 0.

    legend: the corner in which it is, unless another one covers less.
    """
    values = np.concatenate([one for _, one in lines]) if lines else np.empty(0)
    above = values[values > 0]
    if log is None:
        log = bool(len(above)) and bool((values >= 0).all()) and bool(above.max() > 30 * above.min())
    count = max((len(one) for _, one in lines), default=0)
    x, y = (first, max(10, first + count - 1)), Chart.range(values.tolist(), log=log)
    chart = Chart(x, y, unit, ylabel, "", width, height, log_y=log, legend=legend, whole_x=True)
    for series, (name, one) in enumerate(lines):
        across = range(first, first + len(one))
        chart.line(across, one.tolist(), series, dashed=series == 1, label=name)
        chart.points(across[-1:], one[-1:].tolist(), series, size=3)
    chart.legend = chart.free_corner()
    return chart.svg(description)


def key_svg(chart: Chart, width: float = 400, rows: int = 2) -> str:
    """The legend of a chart as a picture of its own, where it covers nothing; the chart then has none."""
    body, x, y = "", 4.0, 10.0
    for sample, name in chart.entries:
        across = 40 + text_width(name)
        if x + across > width:
            x, y = 4.0, y + 17
        body += f'<g transform="translate({pixels(x)} {pixels(y)})">{sample}{label(28, 4, name)}</g>'
        x += across
    names = ", ".join(name for _, name in chart.entries)
    chart.entries = []
    return picture(body, f"Key: {names}", width, max(17 * rows + 2, y + 9))
