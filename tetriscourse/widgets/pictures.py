"""Still pictures: a panel as one SVG image for readers without a kernel, from the data that the page gets."""

from __future__ import annotations

import re
import textwrap
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from tetriscourse.game.drawing import COLOURS, MARKS, square
from tetriscourse.widgets.blocks import Spec

ACCENT, INK, PAPER = "#b3005e", "#1a1a1a", "#ffffff"
LINE, LETTER, MONOSPACE, GAP = 16, 6.6, 7.3, 14  # pixels: a line of text, a letter, a monospaced one, between blocks
LONGEST_LINE, MOST_ROWS, WIDEST_ROW = 90, 12, 1050
SIDES = {"top": (0, 0, 1, 0), "bottom": (0, 1, 1, 1), "left": (0, 0, 0, 1), "right": (1, 0, 1, 1)}


class Picture:
    """SVG elements and their size."""

    def __init__(self, body: str, width: float, height: float):
        self.body, self.width, self.height = body, width, height

    def at(self, x: float, y: float) -> str:
        """The elements, moved."""
        return f'<g transform="translate({x:g} {y:g})">{self.body}</g>' if self.body else ""


EMPTY = Picture("", 0, 0)

At = Callable[[float, float], tuple[float, float]]  # from (row, column) to the upper left corner of the cell, in pixels


# --- boards ---------------------------------------------------------------------------------------


def board_picture(data: Mapping[str, Any]) -> Picture:
    """A board, as the page draws it."""
    cell = data.get("cell") or 18
    high = max(len(data["rows"]), data["height"] + data.get("above", 0))
    marked: Mapping[str, Any] = data.get("highlight") or {}
    over = LINE if marked.get("columns") else 0

    def at(row: float, column: float) -> tuple[float, float]:
        return column * cell, over + (high - 1 - row) * cell

    wide, bottom = data["width"] * cell, over + high * cell
    parts = [empty_board(wide, data["height"] * cell, bottom, cell)]
    for row, marks in enumerate(data["rows"]):
        full = [(column, MARKS.index(mark)) for column, mark in enumerate(marks) if mark != MARKS[0]]
        parts += [square(code, *at(row, column), cell) for column, code in full]
    code = MARKS.find(data.get("mark") or "X")
    parts += [square(code if code > 0 else MARKS.index("X"), *at(r, c), cell) for r, c in data.get("piece") or []]
    for name, style in (
        ("ghost", f'stroke="{INK}" stroke-dasharray="3 3"'),
        ("piece", f'stroke="{INK}" stroke-width="1.5"'),
        ("hint", f'stroke="{ACCENT}" stroke-width="3"'),
    ):
        if data.get(name):
            parts.append(f'<path d="{outline(data[name], at, cell)}" fill="none" {style}/>')
    parts += highlight_parts(marked, at, cell, data["width"])
    return Picture("".join(parts), wide, bottom)


def empty_board(wide: float, high: float, bottom: float, cell: float) -> str:
    """The empty cells of a board."""
    across = "".join(f"M0 {bottom - y * cell - 0.5:g}H{wide:g}" for y in range(round(high / cell) + 1))
    up = "".join(f"M{x * cell - 0.5:g} {bottom - high:g}V{bottom:g}" for x in range(round(wide / cell) + 1))
    return (
        f'<rect x="0" y="{bottom - high:g}" width="{wide:g}" height="{high:g}" fill="{COLOURS[0]}"/>'
        f'<path d="{across}{up}" stroke="#cccccc"/>'
    )


def outline(cells: Sequence[Sequence[int]], at: At, cell: float) -> str:
    """The border of a set of cells, as a path."""
    inside = {(row, column) for row, column in cells}
    around = {"top": (1, 0), "bottom": (-1, 0), "left": (0, -1), "right": (0, 1)}
    return "".join(
        side_path(at(row, column), cell, side)
        for row, column in cells
        for side, (up, right) in around.items()
        if (row + up, column + right) not in inside
    )


def side_path(corner: tuple[float, float], cell: float, side: str) -> str:
    """One side of a cell, as part of a path."""
    (x, y), (x0, y0, x1, y1) = corner, SIDES[side]
    return f"M{x + x0 * cell:g} {y + y0 * cell:g}L{x + x1 * cell:g} {y + y1 * cell:g}"


def highlight_parts(marked: Mapping[str, Any], at: At, cell: float, width: int) -> list[str]:
    """The marks of a feature: cells, edges, rows, columns, levels."""
    line = f'fill="none" stroke="{ACCENT}" stroke-width="2"'
    parts = []
    for row in marked.get("rows") or ():
        parts.append(f'<rect x="0" y="{at(row, 0)[1]:g}" width="{width * cell:g}" height="{cell:g}" {line}/>')
    for row, column, count in marked.get("cells") or ():
        x, y = at(row, column)
        parts.append(f'<rect x="{x + 2:g}" y="{y + 2:g}" width="{cell - 5:g}" height="{cell - 5:g}" {line}/>')
        if count:
            parts.append(f'<path d="M{x + 2:g} {y + cell - 3:g}L{x + cell - 3:g} {y + 2:g}" {line}/>')
        if count not in (0, 1):
            parts.append(written(f"{count:g}", x + cell / 2, y + cell * 0.72, "middle"))
    edges = "".join(side_path(at(row, column), cell, side) for row, column, side in marked.get("edges") or ())
    if edges:
        parts.append(f'<path d="{edges}" fill="none" stroke="{ACCENT}" stroke-width="3"/>')
    for column, number in marked.get("columns") or ():
        middle = column + (1 if marked.get("between") else 0.5)
        parts.append(written(f"{number:g}", middle * cell, 12, "middle"))
    for height, label in marked.get("levels") or ():
        y = at(height - 1, 0)[1]
        parts.append(f'<path d="M0 {y:g}H{width * cell:g}" {line} stroke-dasharray="6 3"/>')
        parts.append(written(label, width * cell / 2, y - 3, "middle"))
    return parts


# --- text and tables ------------------------------------------------------------------------------


def written(text: str, x: float, y: float, anchor: str = "start", style: str = "") -> str:
    """One line of text with a halo."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{INK}" stroke="{PAPER}" stroke-width="3" '
        f'paint-order="stroke" {style}>{escape(text)}</text>'
    )


def text_picture(lines: Sequence[str], style: str = "") -> Picture:
    """Lines of text."""
    if not lines:
        return EMPTY
    body = "".join(written(line, 0, LINE * (number + 0.75), style=style) for number, line in enumerate(lines))
    letter = MONOSPACE if "monospace" in style else LETTER
    return Picture(body, max(map(len, lines)) * letter, len(lines) * LINE)


def wrapped(text: str | Sequence[str]) -> list[str]:
    """Lines that are not too long."""
    lines = [text] if isinstance(text, str) else list(text)
    return [part for line in lines for part in (textwrap.wrap(line, LONGEST_LINE) or [""])]


def table_lines(data: Mapping[str, Any]) -> list[str]:
    """A table as lines of equally wide letters; of a long one the beginning, and the marked row."""
    rows, marked = data["rows"], data.get("marked")
    kept = [number for number in range(len(rows)) if number < MOST_ROWS or number == marked]
    lines = [data["columns"]] + [[("> " if n == marked else "") + rows[n][0], *rows[n][1:]] for n in kept]
    widths = [max(len(line[c]) for line in lines) for c in range(len(data["columns"]))]
    drawn = ["  ".join(map(aligned, line, widths, range(len(line)))) for line in lines]
    more = [f"... {len(rows)} in all"] if len(kept) < len(rows) else []
    return wrapped(data.get("caption") or [])[:1] + drawn + more


def aligned(cell: str, size: int, column: int) -> str:
    """The text of a cell: flush left in the first column, flush right in others."""
    return cell.rjust(size) if column else cell.ljust(size)


# --- a panel --------------------------------------------------------------------------------------


def svg_picture(svg: str) -> Picture:
    """A chart, with the size given in its SVG."""
    found = re.match(r"<svg\b[^>]*?\swidth=\"([\d.]+)\"[^>]*?\sheight=\"([\d.]+)\"", svg)
    return Picture(svg, float(found[1]), float(found[2])) if found else EMPTY


PICTURES: dict[str, Callable[[Mapping[str, Any]], Picture]] = {}  # of further kinds of blocks, by their modules


def block_picture(spec: Spec, data: Mapping[str, Any]) -> Picture:
    """One block; controls are left out, since a picture has no use for them."""
    kind, own = spec["kind"], data.get(spec.get("id", ""))
    if kind in ("row", "column"):
        inner = [block_picture(one, data) for one in spec["blocks"]]
        return wrapped_row(inner) if kind == "row" else arranged(inner, side_by_side=False)
    if own is None:
        return EMPTY
    if kind == "board":
        return board_picture(own)
    if kind == "svg":
        return svg_picture(own["svg"])
    if kind == "table":
        return text_picture(table_lines(own), 'font-family="monospace" xml:space="preserve"')
    if kind in ("text", "code"):
        return text_picture(wrapped(own["text"]), 'font-weight="bold"' if spec.get("style") == "large" else "")
    if kind in PICTURES:
        return PICTURES[kind](own)
    if "picture" in own:  # a block of another kind that names its picture
        return block_picture({"kind": own["picture"], "id": "it"}, {"it": own})
    return EMPTY


def arranged(pictures: Sequence[Picture], side_by_side: bool) -> Picture:
    """Pictures in a row or in a column."""
    parts, place = [], 0.0
    seen = [one for one in pictures if one.body]
    for one in seen:
        parts.append(one.at(place, 0) if side_by_side else one.at(0, place))
        place += GAP + (one.width if side_by_side else one.height)
    along = max(place - GAP, 0)
    across = max((one.height if side_by_side else one.width for one in seen), default=0)
    return Picture("".join(parts), *((along, across) if side_by_side else (across, along)))


def wrapped_row(pictures: Sequence[Picture]) -> Picture:
    """Pictures side by side, in as many rows as needed."""
    lines: list[list[Picture]] = [[]]
    for one in (picture for picture in pictures if picture.body):
        if lines[-1] and sum(other.width + GAP for other in lines[-1]) + one.width > WIDEST_ROW:
            lines.append([])
        lines[-1].append(one)
    return arranged([arranged(line, side_by_side=True) for line in lines], side_by_side=False)


def panel_svg(heading: Mapping[str, Any], blocks: Spec, data: Mapping[str, Any]) -> str:
    """The whole panel as a standalone image with a text alternative."""
    title = text_picture([heading["title"]], 'font-weight="bold" font-size="15"')
    note = text_picture(["A still picture: run this cell to bring the panel to life."], 'font-style="italic"')
    whole = arranged([title, block_picture(blocks, data), note], side_by_side=False)
    wide, high = whole.width + 2 * GAP, whole.height + 2 * GAP
    described = escape(description(heading, blocks, data), quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="0 0 {wide:g} {high:g}" '
        f'role="img" aria-label="{described}" font-family="system-ui, sans-serif" font-size="12" color="{INK}">'
        f'<title>{described}</title><rect width="{wide:g}" height="{high:g}" fill="{PAPER}"/>'
        f"{whole.at(GAP, GAP)}</svg>"
    )


def as_image(svg: str) -> str:
    """The image as a self-contained HTML element."""
    described = re.search(r' aria-label="([^"]*)"', svg)
    data = b64encode(svg.encode()).decode()
    return f'<img alt="{described[1] if described else ""}" src="data:image/svg+xml;base64,{data}"/>'


def description(heading: Mapping[str, Any], blocks: Spec, data: Mapping[str, Any]) -> str:
    """The panel in words: its title, the labels of its boards and its texts."""
    found = [heading["title"]]

    def collect(spec: Spec) -> None:
        own = data.get(spec.get("id", ""))
        for inner in spec.get("blocks", ()):
            collect(inner)
        if own and spec["kind"] == "board" and own.get("label"):
            found.append(own["label"])
        if own and spec["kind"] == "text":
            found.extend(wrapped(own["text"]))

    collect(blocks)
    *parts, last = filter(None, found)
    return " ".join([*(part if part.endswith((".", ":", "!", "?")) else f"{part}." for part in parts), last])
