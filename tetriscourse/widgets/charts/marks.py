"""Elements of charts as SVG text: numbers, colours, markers, and the picture around them.

The text has no ids, since two pictures on a page would share them: nested pictures do the clipping, and arrowheads and
hatching are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise

from tetriscourse.errors import InputError, shown

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "currentColor")
"""Okabe and Ito's colours, as in the figures; instead of black, the text colour, which is light on a dark page."""
SEQUENTIAL = ("#f2f6fb", "#c6dbef", "#7fb4d9", "#3a86c0", "#0f5a9c", "#08305f")
DIVERGING = ("#8f3d00", "#d9701a", "#f5b885", "#f7f7f7", "#8fc1e3", "#2b7bbb", "#083f78")
"""Stops of the two colour scales: light to dark blue, and orange over white to blue around zero."""
PAPER = "var(--tc-paper, var(--jp-layout-color0, transparent))"
"""Background of the picture, for the rim that keeps text readable over lines."""
GREY = "#9a9a9a"  # fill of things without a value
DASH = "5 3"

# Around the origin, for size 1. The last four mark points outside the plot.
OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "up": ((0, -1), (1, 0.7), (-1, 0.7)),
    "down": ((0, 1), (1, -0.7), (-1, -0.7)),
    "left": ((-1, 0), (0.7, -1), (0.7, 1)),
    "right": ((1, 0), (-0.7, -1), (-0.7, 1)),
}
MARKERS = ("dot", "ring", "cross", "square", "triangle", "diamond")


def pixels(value: float) -> str:
    """A coordinate, with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def words(text: object) -> str:
    """Text for XML: escaped, without control characters."""
    return escape(re.sub(r"[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", str(text)))


def number(value: float) -> str:
    """A value for readers: 12,000 or −0.25; three digits unless it is a whole number."""
    text = f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e9 else f"{value:,.3g}"
    return signed(text)


def compact(value: float) -> str:
    """A value in at most about seven characters: −0.125, 5.6e-4, 1.2e6."""
    small, great = 0 < abs(value) < 0.01, abs(value) >= 1e4
    text = f"{value:.1e}" if small or great else f"{value:.3g}"
    return signed(re.sub(r"e([-+])0*", lambda found: "e" + found[1].strip("+"), text))


def signed(text: str) -> str:
    """The text of a number with a proper minus sign, and none before zero."""
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


def colour(series: int) -> str:
    """The colour of a series, which the page can change: --tc-1 for series 0."""
    k = series % len(PALETTE)
    return f"var(--tc-{k + 1}, {PALETTE[k]})"


def text_width(text: str, size: float = 11) -> float:
    """The approximate width of a text, in pixels."""
    return 0.56 * size * len(text)


def polyline(points: Iterable[tuple[float, float]], closed: bool = False) -> str:
    """Path data through points in pixels."""
    data = "L".join(f"{pixels(x)} {pixels(y)}" for x, y in points)
    return f"M{data}" + ("Z" if closed else "") if data else ""


def shape(marker: str, size: float, x: float = 0.0, y: float = 0.0) -> str:
    """Path data of a marker: one absolute move, then relative lines, so that the page can animate it."""
    if marker in ("dot", "ring"):
        r = size if marker == "dot" else 0.9 * size
        return f"M{pixels(x - r)} {pixels(y)}a{pixels(r)} {pixels(r)} 0 1 1 0 .01z"
    if marker == "cross":
        r, d = 0.9 * size, pixels(1.8 * size)
        return f"M{pixels(x - r)} {pixels(y - r)}l{d} {d}m-{d} 0l{d}-{d}"
    corners = OUTLINES[marker]
    steps = [(size * (b[0] - a[0]), size * (b[1] - a[1])) for a, b in pairwise(corners)]
    moves = "".join(f"l{pixels(dx)} {pixels(dy)}" for dx, dy in steps)
    return f"M{pixels(x + size * corners[0][0])} {pixels(y + size * corners[0][1])}{moves}z"


def paint(marker: str, series: int) -> str:
    """Attributes that fill a marker, or draw its outline when it is a ring or a cross."""
    if marker in ("ring", "cross"):
        return f'fill="none" stroke="{colour(series)}" stroke-width="1.6"'
    return f'fill="{colour(series)}"'


def rectangle(x: float, y: float, width: float, height: float, more: str = "") -> str:
    """A rectangle in pixels."""
    return f'<rect x="{pixels(x)}" y="{pixels(y)}" width="{pixels(width)}" height="{pixels(height)}"{more}/>'


def label(x: float, y: float, text: object, anchor: str = "start", more: str = "") -> str:
    """Text at a position in pixels."""
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{pixels(x)}" y="{pixels(y)}"{anchored}{more}>{words(text)}</text>'


def over(x: float, y: float, text: object, anchor: str = "start", more: str = "") -> str:
    """Text with a rim in the background colour, readable over lines."""
    rim = f' stroke="{PAPER}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    return label(x, y, text, anchor, rim + more)


def picture(body: str, description: str, width: float, height: float) -> str:
    """The whole SVG text."""
    if not isinstance(description, str) or not description.strip():
        raise InputError(f"description is {shown(description)}; it must say in words what the picture shows")
    said, w, h = words(description.strip()), pixels(width), pixels(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tc-chart" role="img" aria-label="{said}" '
        f'viewBox="0 0 {w} {h}" width="{w}" height="{h}" font-family="system-ui, sans-serif" font-size="11" '
        f'fill="currentColor"><title>{said}</title>{body}</svg>'
    )


def channels(colour_text: str) -> tuple[int, int, int]:
    """Red, green and blue of #rrggbb."""
    red, green, blue = bytes.fromhex(colour_text[1:])
    return red, green, blue


def scale_colour(value: float, low: float, high: float) -> str:
    """The colour of a value: light to dark blue from low to high, or a scale around zero if that lies between."""
    if low < 0 < high:
        return blended(DIVERGING, 0.5 + value / max(-low, high) / 2)
    return blended(SEQUENTIAL, (value - low) / (high - low) if high > low else 0.5)


def blended(stops: tuple[str, ...], share: float) -> str:
    """The colour at a share from 0 to 1 of the scale."""
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    segments = list(pairwise(map(channels, stops)))
    k = min(int(place), len(segments) - 1)
    return "#" + "".join(f"{round(a + (b - a) * (place - k)):02x}" for a, b in zip(*segments[k], strict=True))


def luminance(colour_text: str) -> float:
    """Relative luminance, as defined by the web accessibility guidelines."""
    shares = [channel / 255 for channel in channels(colour_text)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink(colour_text: str) -> str:
    """Black or white, whichever is easier to read on the colour: a contrast of at least 4.5 to 1."""
    return "#000" if luminance(colour_text) > 0.179 else "#fff"
