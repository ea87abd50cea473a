"""How cells are drawn: each piece has a colour and a sign, so that nobody depends on colours alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

MARKS = ".IOTZSJLX"  # how a cell is written: empty, the piece that filled it, or X if that is unknown

COLOURS = ("#f4f4f4", "#56b4e9", "#f0e442", "#cc79a7", "#d55e00", "#009e73", "#0072b2", "#e69f00", "#7f7f7f")
"""Okabe and Ito's palette, safe for the colour-blind, in the order of MARKS."""

SIGNS = (
    "", "M.2 .5H.8", "M.32 .32H.68V.68H.32Z", "M.22 .34H.78M.5 .34V.76", "M.26 .26L.74 .74",
    "M.74 .26L.26 .74", "M.64 .24V.7H.32", "M.36 .24V.7H.68", "M.46 .5H.54",
)  # fmt: skip
"""The line drawn on a cell, as an SVG path in a square of side 1, in the order of MARKS."""


def square(code: int, x: float, y: float, cell: float) -> str:
    """One cell as SVG, its upper left corner at (x, y)."""
    side = cell - 1
    drawn = f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="{COLOURS[code]}"/>'
    if not SIGNS[code]:
        return drawn
    return drawn + (
        f'<path d="{SIGNS[code]}" transform="translate({x:g} {y:g}) scale({side:g})" fill="none" '
        'stroke="#000" stroke-opacity=".55" stroke-width=".1" stroke-linecap="round"/>'
    )


Paint = Callable[[str], str]


def plain(mark: str) -> str:
    """A cell as two characters, so that it looks about square."""
    return f" {mark}"


def framed(marks: Sequence[str], above: int, paint: Paint = plain) -> list[str]:
    """Lines of a board between walls over a floor; the first `above` rows stand outside, on top."""
    width, rows = len(marks[0]), ["".join(map(paint, row)) for row in marks]
    line = "-" * (2 * width + 1)
    return [
        *(f" {row}  " for row in rows[:above]),
        f" {line} ",
        *(f"|{row} |" for row in rows[above:]),
        f"+{line}+",
        " " + "".join(f" {column % 10}" for column in range(width)) + "  ",
    ]


def side_by_side(left: Sequence[str], right: Iterable[str]) -> list[str]:
    """Lines of a picture with text to their right; all lines on the left are equally wide."""
    blank = " " * len(left[-1])
    pairs = zip_longest(left, right, fillvalue=None)
    return [f"{blank if line is None else line}   {text or ''}".rstrip() for line, text in pairs]
