"""Charts as SVG text: points, lines, bands, ellipses, bars and intervals on axes with round ticks.

Equal calls give equal texts, and calls with other numbers mostly change attributes, not elements, so that a page can
animate the change. Data become pixels in `Chart.at`, and only there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from math import cos, hypot, pi, sin

import numpy as np
from numpy.typing import ArrayLike

from tetriscourse.errors import InputError, finite_numbers, one_of, real_number, shown
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts import marks
from tetriscourse.widgets.charts.axes import CORNERS, Axes, pair
from tetriscourse.widgets.charts.marks import DASH, colour, over, picture, pixels, polyline, rectangle, text_width

ELLIPSE_POINTS = 48
POINTS_APART = 6.0  # distance in pixels of the points that stand for a line when the legend looks for a free corner


class Chart(Axes):
    """Draw on the axes, then get the text with `svg`; everything drawn with a label is in the legend."""

    def points(
        self, xs: Iterable[float], ys: Iterable[float], series: int = 0, marker: str = "dot", size: float = 4,
        opacity: float = 1.0, label: str | None = None,
    ) -> None:  # fmt: skip
        """A marker for each point; points beyond the axes become triangles at the edge."""
        places = self.places(xs, ys)
        one_of("marker", marker, marks.MARKERS)
        drawn = "".join(self.mark(*place, marker, size) for place in places)
        self.seen += places
        faint = f' opacity="{pixels(opacity)}"' if opacity < 1 else ""
        self.drawn.append((False, f'<g class="tc-points" {marks.paint(marker, series)}{faint}>{drawn}</g>'))
        self.enter(label, f'<path {marks.paint(marker, series)} d="{marks.shape(marker, 4, 11)}"/>')

    def mark(self, x: float, y: float, marker: str, size: float) -> str:
        """One marker, at the edge of the plot if it is outside."""
        inside = min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)
        outside = "up" if y < self.top - 0.01 else "down" if y > self.bottom + 0.01 else ""
        outside = outside or ("left" if x < self.left - 0.01 else "right" if x > self.right + 0.01 else "")
        form = marks.shape(outside, 4, *inside) if outside else marks.shape(marker, size, x, y)
        return f'<path d="{form}"/>'

    def line(
        self, xs: Iterable[float], ys: Iterable[float], series: int = 0, dashed: bool = False, label: str | None = None,
        width: float = 1.8,
    ) -> None:  # fmt: skip
        """A line through the points in order."""
        places = self.places(xs, ys)
        self.seen += along(places)
        self.curve("tc-line", polyline(places), series, dashed, label, width)

    def curve(self, kind: str, data: str, series: int, dashed: bool, label: str | None, width: float = 1.8) -> None:
        """A path in the style of a series."""
        pen = f'fill="none" stroke="{colour(series)}" stroke-width="{pixels(width)}" stroke-linejoin="round"'
        pen += f' stroke-dasharray="{DASH}"' if dashed else ""
        self.drawn.append((True, f'<path class="{kind}" {pen} d="{data}"/>'))
        self.enter(label, f'<path {pen} d="M0 0H22"/>')

    def band(self, xs: Iterable[float], low: Iterable[float], high: Iterable[float], series: int = 0) -> None:
        """The area between two curves over the same xs."""
        across = finite_numbers("xs", xs)
        under, upper = self.places(across, low, "low"), self.places(across, high, "high")
        data = polyline(upper + under[::-1], closed=True)
        self.drawn.append((True, f'<path class="tc-band" fill="{colour(series)}" fill-opacity=".2" d="{data}"/>'))

    def ellipse(
        self, mean: Sequence[float], covariance: ArrayLike, series: int = 0, label: str | None = None,
        scale: float = 2.0, dashed: bool = False,
    ) -> None:  # fmt: skip
        """The ellipse at `scale` standard deviations from the mean of a normal distribution."""
        mx, my = pair("mean", mean)
        root = scale * square_root(covariance)
        turns = [2 * pi * k / ELLIPSE_POINTS for k in range(ELLIPSE_POINTS)]
        rim = [root @ (cos(turn), sin(turn)) for turn in turns]
        data = polyline((self.at(mx + float(dx), my + float(dy)) for dx, dy in rim), closed=True)
        self.curve("tc-ellipse", data, series, dashed, label)

    def arrow(self, start: Sequence[float], end: Sequence[float], series: int = 0, width: float = 1.8) -> None:
        """An arrow between two data points."""
        (x0, y0), (x1, y1) = self.at(*pair("start", start)), self.at(*pair("end", end))
        length = hypot(x1 - x0, y1 - y0) or 1.0
        head = min(7.0, length)
        ux, uy = (x1 - x0) / length * head, (y1 - y0) / length * head
        barbs = [(x1 - ux - 0.5 * uy, y1 - uy + 0.5 * ux), (x1, y1), (x1 - ux + 0.5 * uy, y1 - uy - 0.5 * ux)]
        self.curve("tc-arrow", polyline([(x0, y0), (x1, y1)]) + polyline(barbs), series, False, None, width)

    def bars(
        self, xs: Iterable[float], heights: Iterable[float], width: float = 0.8, series: int = 0,
        label: str | None = None, dashed: bool = False,
    ) -> None:  # fmt: skip
        """A bar around each x, with its width in units of x, from zero (or the axis) to its height."""
        across, tops = equally_many("xs", xs, "heights", heights)
        half = real_number("width", width, above=0) / 2
        ground = self.pixel_y(self.y[0] if self.log_y else min(max(0.0, self.y[0]), self.y[1]))
        pen = f'fill="{colour(series)}" fill-opacity=".45" stroke="{colour(series)}"'
        pen += f' stroke-dasharray="{DASH}"' if dashed else ""
        rectangles = ""
        for x, y in zip(across, tops, strict=True):
            (left, right), top = (self.pixel_x(x - half), self.pixel_x(x + half)), self.pixel_y(y)
            self.seen += along([(left, ground), (left, top), (right, top), (right, ground)])
            rectangles += rectangle(left, min(top, ground), right - left, abs(ground - top))
        self.drawn.append((True, f'<g class="tc-bars" {pen}>{rectangles}</g>'))
        self.enter(label, f'<rect x="4" y="-5" width="14" height="10" {pen}/>')

    def interval(
        self, x: float, low: float, mean: float, high: float, series: int = 0, marker: str = "dot",
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """A vertical I-beam from low to high with a marker at the mean."""
        across = self.pixel_x(real_number("x", x))
        top, bottom = (pixels(self.pixel_y(real_number(*end))) for end in (("high", high), ("low", low)))
        a, middle, b = pixels(across - 4), pixels(across), pixels(across + 4)
        self.seen += along([(across, self.pixel_y(low)), (across, self.pixel_y(high))])
        data = f"M{a} {top}H{b}M{middle} {top}V{bottom}M{a} {bottom}H{b}"
        self.curve("tc-interval", data, series, dashed, None, 1.4)
        self.points([x], [real_number("mean", mean)], series, marker)

    def mark_x(self, x: float, text: str = "", series: int = 0) -> None:
        """A dashed vertical line at x, with a short text; at the edge if x is outside."""
        place = self.pixel_x(real_number("x", x))
        text = f"← {text}" if place < self.left else f"{text} →" if place > self.right else text
        place = min(max(place, self.left), self.right)
        self.curve("tc-mark", f"M{pixels(place)} {pixels(self.top)}V{pixels(self.bottom)}", series, True, None, 1.4)
        self.marked.append((place, text))

    def mark_y(self, y: float, text: str = "", series: int = 0) -> None:
        """A dashed horizontal line at y, with a short text; at the edge if y is outside."""
        place = self.pixel_y(real_number("y", y))
        text = f"{text} ↑" if place < self.top else f"{text} ↓" if place > self.bottom else text
        place = min(max(place, self.top), self.bottom)
        self.curve("tc-mark", f"M{pixels(self.left)} {pixels(place)}H{pixels(self.right)}", series, True, None, 1.4)
        above = place - 4 if place > self.top + 14 else place + 12
        self.drawn.append((False, over(self.right - 3, above, text, "end")))

    def text(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        """Text at a data point."""
        one_of("anchor", anchor, ("start", "middle", "end"))
        place = self.at(real_number("x", x), real_number("y", y))
        self.drawn.append((False, over(*place, text, anchor)))

    def svg(self, description: str) -> str:
        """The chart as SVG text; the description says in words what it shows."""
        body = self.frame() + self.content() + self.mark_texts() + self.legend_box()
        return picture(body, description, self.width, self.height)

    def places(self, xs: Iterable[float], ys: Iterable[float], name: str = "ys") -> list[tuple[float, float]]:
        """The pixels of the points, whose numbers are checked."""
        return [self.at(x, y) for x, y in zip(*equally_many("xs", xs, name, ys), strict=True)]

    def enter(self, text: str | None, sample: str) -> None:
        """Add an entry to the legend, if there is a label."""
        if text:
            self.entries.append((sample, text))

    def content(self) -> str:
        """Everything drawn, in order; clipped parts are in a nested picture of the plot's size."""
        x, y, w, h = map(pixels, (self.left, self.top, self.right - self.left, self.bottom - self.top))
        # The style repeats the size, since pages let pictures shrink, but this window must not.
        window = f'<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" overflow="hidden"'
        window += f' style="width:{w}px;height:{h}px">'
        text = ""
        for cut, group in groupby(self.drawn, key=lambda item: item[0]):
            inner = "".join(item for _, item in group)
            text += f"{window}{inner}</svg>" if cut else inner
        return text

    def mark_texts(self) -> str:
        """The texts of the vertical lines, each in the highest row where it overlaps no other text and no legend."""
        x, y, across, down = self.legend_place()
        taken = [(x, x + across, row) for row in range(20) if y - 2 < self.top + 13 * row + 6 < y + down + 6]
        drawn = ""
        for place, text in self.marked:
            fits = place + 4 + text_width(text) < self.width
            left, right = (place, place + 4 + text_width(text)) if fits else (place - 4 - text_width(text), place)
            row = next(k for k in range(99) if not any(k == r and a < right and left < b for a, b, r in taken))
            taken.append((left, right, row))
            drawn += over(place + (4 if fits else -4), self.top + 10 + 13 * row, text, "start" if fits else "end")
        return drawn

    def free_corner(self) -> str:
        """The corner in which the legend covers least; the current one in case of a tie."""
        return min((self.legend, *CORNERS), key=self.covered)

    def covered(self, corner: str) -> int:
        """The number of points that a legend in this corner would cover."""
        x, y, across, down = self.legend_place(corner)
        return sum(x - 4 < a < x + across + 4 and y - 4 < b < y + down + 4 for a, b in self.seen)

    def legend_place(self, corner: str = "") -> tuple[float, float, float, float]:
        """Left, top, width and height of the legend in a corner, by default its own, in pixels."""
        corner = corner or self.legend
        across = 38 + max((text_width(text) for _, text in self.entries), default=-38)
        down = 16 * len(self.entries) + (4 if self.entries else 0)
        x = self.left + 6 if "left" in corner else self.right - across - 4
        y = self.top + 4 if "upper" in corner else self.bottom - down - 4
        return x, y, across, down

    def legend_box(self) -> str:
        """The legend: samples and labels in its corner."""
        if not self.entries:
            return ""
        x, y, across, down = self.legend_place()
        text = rectangle(0, 0, across, down, f' rx="3" fill="{marks.PAPER}" fill-opacity=".85"')
        for k, (sample, name) in enumerate(self.entries):
            text += f'<g transform="translate(5 {16 * k + 10})">{sample}{marks.label(28, 4, name)}</g>'
        return f'<g class="tc-legend" transform="translate({pixels(x)} {pixels(y)})">{text}</g>'


def equally_many(
    first: str, xs: Iterable[float], second: str, ys: Iterable[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Two sequences of finite numbers, of the same length."""
    a, b = finite_numbers(first, xs), finite_numbers(second, ys)
    if len(a) != len(b):
        raise InputError(f"{first} has {len(a)} and {second} {len(b)} numbers; they must be equally many")
    return a, b


def along(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points along the line through the places, a few pixels apart."""
    found = list(places[:1])
    for (x0, y0), (x1, y1) in pairwise(places):
        parts = 1 + int(hypot(x1 - x0, y1 - y0) / POINTS_APART)
        found += [(x0 + (x1 - x0) * k / parts, y0 + (y1 - y0) * k / parts) for k in range(1, parts + 1)]
    return found


def square_root(covariance: ArrayLike) -> Floats:
    """A matrix R with R Rᵀ = C, which maps the circle to the ellipse of C; C may be singular."""
    matrix = np.asarray(covariance, dtype=float)
    if matrix.shape != (2, 2) or not np.isfinite(matrix).all():
        raise InputError(f"covariance is {shown(covariance)}; it must be 2 by 2 finite numbers")
    variances, axes = np.linalg.eigh((matrix + matrix.T) / 2)
    if variances.min() < -1e-9 * max(abs(variances.max()), 1e-300) or not np.allclose(matrix, matrix.T):
        raise InputError(f"covariance is {shown(covariance)}; it must be symmetric, without negative variances")
    root: Floats = axes * np.sqrt(np.maximum(variances, 0)) @ axes.T
    return root
