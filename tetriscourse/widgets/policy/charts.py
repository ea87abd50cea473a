"""Charts of a policy: bars of probabilities, what a step would change, signed bars by feature, returns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.marks import colour, compact, label, picture, rectangle, text_width

WIDE = 560
ROW, NUMBERS, BAR = 18, 48, 44  # pixels of a row, of the number beside a bar, and of the longest bar to each side


def probability_chart(p: Floats, before: Floats | None, chosen: int, names: Sequence[str]) -> str:
    """A bar for each move, the chosen one in another colour; thin bars for the probabilities before the last step."""
    numbers, others = np.arange(1, len(p) + 1), np.arange(len(p)) != chosen
    top = 1.4 * max(float(p.max()), 0.0 if before is None else float(before.max()))  # room for the key
    chart = Chart((0.3, len(p) + 0.7), (0, top), "", "probability", "", WIDE, 170, whole_x=True, legend="upper right")
    shift = 0.0 if before is None else 0.12
    chart.bars(numbers[others] + shift, p[others], 0.72 - 2 * shift, 0)
    chart.bars([chosen + 1 + shift], [p[chosen]], 0.72 - 2 * shift, 1, f"move {chosen + 1}")
    if before is not None:
        chart.bars(numbers - 0.36, before, 0.1, 6, "before the step")
    best = int(p.argmax())
    changed = "" if before is None else f", {before[chosen]:.3f} before the last step"
    chart.legend = chart.free_corner()
    chart.drawn.append((False, places_to_pick(chart, len(p))))
    return chart.svg(
        f"Probabilities of {len(p)} moves; the chosen one, {names[chosen]}, has {p[chosen]:.3f}{changed}; "
        f"the likeliest is {names[best]} with {p[best]:.3f}"
    )


def places_to_pick(chart: Chart, count: int) -> str:
    """A part that can be picked over the whole height for each x from 1 on, with the number of the move from 0 on."""
    side, down = chart.pixel_x(2) - chart.pixel_x(1), chart.bottom - chart.top
    places = [(chart.pixel_x(k + 0.5), f' fill="none" data-pick="{k}"') for k in range(count)]
    return "".join(rectangle(left, chart.top, side, down, more) for left, more in places)


def change_chart(plain: Floats, natural: Floats, chosen: int) -> str:
    """By how much each kind of step would change log pi of each move, to first order."""
    numbers = np.arange(1, len(plain) + 1)
    most = max(float(np.abs(plain).max()), float(np.abs(natural).max()), 0.1)
    chart = Chart(
        (0.3, len(plain) + 0.7), (-1.15 * most, 1.15 * most), "move", "change of log π", "", WIDE, 150, whole_x=True,
        legend="upper right",
    )  # fmt: skip
    chart.mark_x(chosen + 1, "", 1)
    chart.mark_y(0, "", 6)
    chart.points(numbers, plain, 2, "cross", 4, label="gradient step")
    chart.points(numbers, natural, 3, "dot", 3.2, label="natural step")
    chart.legend = chart.free_corner()
    chart.drawn.append((False, places_to_pick(chart, len(plain))))
    return chart.svg(
        f"What a step would change: log pi of the chosen move by {plain[chosen]:+.2f} with the gradient, by "
        f"{natural[chosen]:+.2f} with the natural gradient; over all moves from {plain.min():+.2f} to "
        f"{plain.max():+.2f}, and from {natural.min():+.2f} to {natural.max():+.2f}"
    )


def signed_bars(labels: Sequence[str], columns: dict[str, Floats], description: str) -> str:
    """For each label a row, with a signed bar and a number in each column; every column has a scale of its own."""
    first = max(text_width(name) for name in labels) + 8
    across = 2 * BAR + NUMBERS
    body = ""
    for k, (heading, values) in enumerate(columns.items()):
        zero, most = first + k * across + BAR, max(float(np.abs(values).max()), 1e-12)
        body += label(zero, 11, heading, "middle", ' font-weight="600"')
        for number, value in enumerate(values):
            y, length = ROW * (number + 1), BAR * abs(float(value)) / most if abs(value) > 1e-9 else 0.0
            pen = f' fill="{colour(0 if value > 0 else 1)}" fill-opacity=".55"'
            body += rectangle(zero if value > 0 else zero - length, y + 2, length, ROW - 5, pen)
            body += label(zero + BAR + NUMBERS - 6, y + 13, compact(value if abs(value) > 1e-9 else 0.0), "end")
        end = ROW * (len(labels) + 1)
        body += f'<path stroke="currentColor" stroke-opacity=".5" d="M{zero:g} {ROW}V{end}"/>'
    names = "".join(label(first - 6, ROW * (k + 1) + 13, name, "end") for k, name in enumerate(labels))
    return picture(names + body, description, first + across * len(columns), ROW * (len(labels) + 1) + 4)


def returns_chart(lines: Sequence[float], returns: Sequence[float], episodes: int) -> str:
    """Mean lines and mean discounted return of the episodes of each round."""
    rounds = list(range(1, len(lines) + 1))
    top = 1.2 * max([0.5, *lines, *returns])
    chart = Chart((0, max(10, len(lines))), (0, top), "round", "a mean episode", "", 340, 190, whole_x=True)
    for series, values, name in ((0, lines, "lines"), (1, returns, "return, discounted")):
        chart.line(rounds, values, series, dashed=series == 1, label=name)
        chart.points(rounds[-1:], list(values)[-1:], series, size=3)
    chart.legend = chart.free_corner()
    now = f"now {lines[-1]:.2f} lines, return {returns[-1]:.2f}" if lines else "no round yet"
    return chart.svg(f"Means of the {episodes} episodes of each round: {now}.")
