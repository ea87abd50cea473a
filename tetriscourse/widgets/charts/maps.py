"""Values as colours, in SVG text: a grid of cells, a strip of many small cells."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from tetriscourse.errors import InputError, real_number, shown
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts import marks as drawing
from tetriscourse.widgets.charts.marks import ink, label, picture, pixels, rectangle, scale_colour, text_width

WALL = "#555555"
KEY_CELLS = 24
LEVELS = 17  # number of colours of a strip; odd, so that zero has its own

Limits = tuple[float, float]


def limits(values: Sequence[float], low: float | None, high: float | None) -> Limits:
    """Ends of the colour scale, by default those of the values, leaving out nan."""
    known = [value for value in values if not isnan(value)]
    least = min(known, default=0.0) if low is None else real_number("low", low)
    greatest = max(known, default=1.0) if high is None else real_number("high", high)
    return least, max(greatest, least)


def numbers_of(values: ArrayLike, dimensions: int, allowed: str) -> Floats:
    """An array of numbers or nan."""
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        numbers = np.full((1,) * dimensions, inf)
    if numbers.ndim != dimensions or np.isinf(numbers).any():
        raise InputError(f"values is {shown(values)}; it must be {allowed}")
    return numbers


def rows_of(values: ArrayLike) -> list[list[float]]:
    """A grid of numbers or nan, as rows."""
    rows: list[list[float]] = numbers_of(values, 2, "rows of equally many numbers (nan for a wall)").tolist()
    if not rows or not rows[0]:
        raise InputError(f"values is {shown(values)}; it must have a row and a column at least")
    return rows


def texts_of(argument: str, texts: Sequence[Sequence[str]] | None, rows: list[list[float]]) -> list[list[str]]:
    """A text for each cell; None stands for empty texts."""
    if texts is None:
        return [[""] * len(row) for row in rows]
    given = [[str(text) for text in row] for row in texts]
    if [len(row) for row in given] != [len(row) for row in rows]:
        raise InputError(f"{argument} must have a text for each of the {len(rows)} by {len(rows[0])} values")
    return given


def heat_svg(
    values: ArrayLike, description: str, texts: Sequence[Sequence[str]] | None = None,
    marks: Sequence[Sequence[str]] | None = None, width: float = 420, low: float | None = None,
    high: float | None = None, cell: float | None = None,
) -> str:  # fmt: skip
    """A grid of values as colours, with nan as a wall; texts are small and marks large in the cells."""
    rows = rows_of(values)
    small, large = texts_of("texts", texts, rows), texts_of("marks", marks, rows)
    side = real_number("width", width, above=0) / len(rows[0]) if cell is None else real_number("cell", cell, above=0)
    scale = limits([value for row in rows for value in row], low, high)
    body = "".join(
        heat_cell(side * j, side * i, side, value, scale, small[i][j], large[i][j])
        for i, row in enumerate(rows)
        for j, value in enumerate(row)
    )
    across, down = max(side * len(rows[0]), 60.0), side * len(rows)
    if texts is None:
        body, down = body + scale_key(across, down, scale), down + 26
    return picture(f'<g class="tc-heat">{body}</g>', description, across, down)


def heat_cell(x: float, y: float, side: float, value: float, scale: Limits, text: str, mark: str) -> str:
    """One cell: its colour or a hatched wall, its text and its mark."""
    fill = WALL if isnan(value) else scale_colour(value, *scale)
    drawn = rectangle(x + 0.5, y + 0.5, side - 1, side - 1, f' fill="{fill}"')
    drawn += hatching(x, y, side) if isnan(value) else ""
    middle = x + side / 2
    for words, share, place in ((mark, 0.5, 0.66 if not text else 0.52), (text, 0.3, 0.6 if not mark else 0.88)):
        if words:
            font = min(share * side, 26 if words is mark else 12, 0.92 * side / text_width(words, 1))
            drawn += label(middle, y + place * side, words, "middle", f' fill="{ink(fill)}" font-size="{pixels(font)}"')
    return drawn


def hatching(x: float, y: float, side: float) -> str:
    """Three slanted lines across a cell."""
    lines = ((0, 0.5, 0.5, 0), (0, 1, 1, 0), (0.5, 1, 1, 0.5))
    ends = [[(x + side * a, y + side * b), (x + side * c, y + side * d)] for a, b, c, d in lines]
    return f'<path stroke="#fff" stroke-opacity=".45" d="{"".join(map(drawing.polyline, ends))}"/>'


def scale_key(width: float, top: float, scale: Limits) -> str:
    """The colours of the scale, with numbers at both ends."""
    low, high = scale
    first, last = drawing.number(low), drawing.number(high)
    left, right = text_width(first) + 8, width - text_width(last) - 8
    step = max(right - left, 0) / KEY_CELLS
    cells = ""
    for k in range(KEY_CELLS):
        fill = scale_colour(low + (high - low) * (k + 0.5) / KEY_CELLS, low, high)
        cells += rectangle(left + k * step, top + 8, (KEY_CELLS - k) * step, 10, f' fill="{fill}"')
    return cells + label(2, top + 17, first) + label(width - 2, top + 17, last, "end")


def strip_svg(
    values: Sequence[float], description: str, width: float = 420, height: float = 28, low: float | None = None,
    high: float | None = None, left: str = "", right: str = "",
) -> str:  # fmt: skip
    """A row of many small coloured cells, with texts below its ends; cells under 2 pixels are averaged."""
    numbers = numbers_of(values, 1, "a row of finite numbers (nan for an empty cell)")
    scale = limits(numbers.tolist(), low, high)
    groups = np.array_split(numbers, min(len(numbers), int(width // 2))) if len(numbers) else []
    means = [float(group[~np.isnan(group)].mean()) if not np.isnan(group).all() else nan for group in groups]
    body, end = strip_cells(means, width, height - 1, scale), height
    if left or right:
        body += label(1, height + 12, left) + label(width - 1, height + 12, right, "end")
        end += 17
    frame = f'<rect x=".5" y=".5" width="{pixels(width - 1)}" height="{pixels(height - 1)}" fill="none"'
    return picture(f'{body}{frame} stroke="currentColor" stroke-opacity=".5"/>', description, width, end)


def strip_cells(values: list[float], width: float, height: float, scale: Limits) -> str:
    """One path for each colour, even if it is empty, so that the structure never changes."""
    low, high = (-max(-scale[0], scale[1]), max(-scale[0], scale[1])) if scale[0] < 0 < scale[1] else scale
    side, data = width / max(len(values), 1), [""] * LEVELS
    gap = 1 if side >= 6 else 0
    for k, value in enumerate(values):
        if not isnan(value):
            share = (value - low) / (high - low) if high > low else 0.5
            level = round(min(max(share, 0.0), 1.0) * (LEVELS - 1))
            data[level] += f"M{pixels(k * side)} 0h{pixels(side - gap)}v{pixels(height)}H{pixels(k * side)}z"
    fills = [scale_colour(low + (high - low) * k / (LEVELS - 1), low, high) for k in range(LEVELS)]
    return "".join(f'<path fill="{fill}" d="{path}"/>' for fill, path in zip(fills, data, strict=True))
