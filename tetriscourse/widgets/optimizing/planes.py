"""Functions of two numbers for watching an optimizer, and their contour lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.charts.marks import colour
from tetriscourse.widgets.optimizing.landscapes import Landscape, top_of

Limits = tuple[float, float]
GRID, LEVELS = 34, 7  # points of the grid along each axis; number of contour lines, with equal areas between neighbours


@dataclass(frozen=True)
class Plane(Landscape):
    """A landscape of two numbers: where a search starts, and which part of it to show."""

    start: tuple[float, float] = (-1.8, 1.2)
    across: Limits = (-2.5, 2.5)
    up: Limits = (-2.5, 2.5)
    top: tuple[float, float] | None = (0.0, 0.0)  # its highest point; None if there is not just one


def _turned_ellipse(x: Floats) -> float:
    along, aside = 0.8 * x[0] + 0.6 * x[1], 0.8 * x[1] - 0.6 * x[0]
    return -float(along**2 + 100 * aside**2)


def _rosenbrock(x: Floats) -> float:
    return -float(100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2)


def _direction(x: Floats) -> float:
    length = float(np.sqrt(np.square(x).sum()))
    return float(0.8 * x[0] + 0.6 * x[1]) / length if length else 0.0


PLANES: dict[str, Plane] = {
    one.name: one
    for one in (
        Plane("turned ellipse", "a slanted hill, 10 times as long as it is wide", _turned_ellipse),
        Plane(
            "Rosenbrock", "a bent ridge with the top at (1, 1)", _rosenbrock,
            start=(-1.2, 1.0), across=(-2, 2), up=(-1, 3), top=(1.0, 1.0),
        ),
        Plane(
            "direction only", "the cosine of the angle to (4, 3), whatever the length", _direction,
            highest=1.0, start=(-0.5, -0.7), top=None,
        ),
    )
}  # fmt: skip
"""Functions by name; in the last one only the direction of the vector matters, as with a player's weights."""

UNIT_SQUARE = ((-0.3, 1.3), (-0.3, 1.3))


def view_of(landscape: Landscape) -> tuple[Limits, Limits]:
    """The part of a landscape to show: limits across and up."""
    return (landscape.across, landscape.up) if isinstance(landscape, Plane) else UNIT_SQUARE


def top_in(landscape: Landscape) -> tuple[float, float] | None:
    """The highest point of a landscape of two numbers, if there is just one."""
    if isinstance(landscape, Plane):
        return landscape.top
    x, y = top_of(2).tolist()
    return x, y


def triangles(function: Callable[[Floats], float], x: Limits, y: Limits) -> tuple[Floats, Floats]:
    """A grid of triangles over part of the plane: their corners, three per row, and the heights there."""
    across, up = np.meshgrid(np.linspace(*x, GRID), np.linspace(*y, GRID))
    points = np.stack([across, up], axis=-1)
    heights = np.array([[function(point) for point in line] for line in points])
    a, b, c, d = (np.s_[:-1, :-1], np.s_[:-1, 1:], np.s_[1:, :-1], np.s_[1:, 1:])  # the corners of each square
    corners = [np.stack([points[i].reshape(-1, 2) for i in three], axis=1) for three in ((a, b, c), (d, c, b))]
    values = [np.stack([heights[i].ravel() for i in three], axis=1) for three in ((a, b, c), (d, c, b))]
    return np.concatenate(corners), np.concatenate(values)


def level_lines(corners: Floats, heights: Floats, level: float) -> Floats:
    """A line in each triangle that crosses the level, cutting its odd corner off from the other two."""
    above = heights > level
    cut = above.any(axis=1) & ~above.all(axis=1)
    corners, heights, above = corners[cut], heights[cut], above[cut]
    row, lone = np.arange(len(above)), (above == (above.sum(axis=1) == 1)[:, None]).argmax(axis=1)
    ends = []
    for other in ((lone + 1) % 3, (lone + 2) % 3):
        share = (level - heights[row, lone]) / (heights[row, other] - heights[row, lone])
        ends.append(corners[row, lone] + share[:, None] * (corners[row, other] - corners[row, lone]))
    return np.stack(ends, axis=1)


def contour_svg(landscape: Landscape, axes: Sequence[int], chart: Chart) -> str:
    """Contour lines of a landscape of two numbers behind a chart, stronger with height."""

    def height(point: Floats) -> float:
        """Minus the root of the drop from the top: flatter than the hill, so that few points give smooth contours."""
        return -sqrt(max(0.0, landscape.highest - landscape(point[axes])))

    corners, heights = triangles(height, chart.x, chart.y)
    text = ""
    for k, level in enumerate(np.quantile(heights, (np.arange(LEVELS) + 0.6) / (LEVELS + 1.2))):
        data = ""
        for start, end in level_lines(corners, heights, float(level)):
            (x, y), (x1, y1) = chart.at(*start), chart.at(*end)
            data += f"M{x:.1f} {y:.1f}l{x1 - x:.1f} {y1 - y:.1f}"
        pen = f'stroke="{colour(5)}" stroke-opacity="{0.25 + 0.07 * k:.2f}" stroke-width="{0.8 + 0.1 * k:.1f}"'
        text += f'<path class="tc-contour" fill="none" {pen} d="{data}"/>'
    return text
