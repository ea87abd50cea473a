"""Values by colour, as SVG text: a grid of cells, a graph of states, a strip of many small cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, isnan, nan
from xml.etree import ElementTree

import numpy as np
from numpy.typing import ArrayLike

from tetriscourse.errors import InputError, real_number, shown, whole_number
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.charts.marks import (
    GREY,
    ink,
    label,
    number,
    over,
    picture,
    pixels,
    polyline,
    rectangle,
    scale_colour,
    text_width,
)

SVG = "http://www.w3.org/2000/svg"
WALL = "#555555"
KEY_CELLS = 24
LEVELS = 17
"""Colours of a strip; an odd number, so that zero has one of its own."""


@dataclass(frozen=True)
class Node:
    """A state of a graph: its middle in pixels, its value, a label, and SVG text drawn in it instead of a disc."""

    x: float
    y: float
    value: float | None = None
    label: str = ""
    picture: str | None = None
    radius: float = 18.0


@dataclass(frozen=True)
class Edge:
    """An arrow between two nodes, given by their positions in the list; the stronger, the wider and darker."""

    source: int
    target: int
    strength: float = 1.0
    label: str = ""


Limits = tuple[float, float]
Point = tuple[float, float]


def limits(values: Sequence[float], low: float | None, high: float | None) -> Limits:
    """Ends of the colour scale: as given, or of the values; those that are nan do not count."""
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
    """A grid of numbers or nan as rows."""
    rows: list[list[float]] = numbers_of(values, 2, "rows of equally many numbers (nan for a wall)").tolist()
    if not rows or not rows[0]:
        raise InputError(f"values is {shown(values)}; it must have a row and a column at least")
    return rows


def texts_of(argument: str, texts: Sequence[Sequence[str]] | None, rows: list[list[float]]) -> list[list[str]]:
    """A text for each cell; none are empty texts."""
    if texts is None:
        return [[""] * len(row) for row in rows]
    given = [[str(text) for text in row] for row in texts]
    if [len(row) for row in given] != [len(row) for row in rows]:
        raise InputError(f"{argument} must have a text for each of the {len(rows)} by {len(rows[0])} values")
    return given


def heat_svg(
    values: ArrayLike,
    description: str,
    texts: Sequence[Sequence[str]] | None = None,
    marks: Sequence[Sequence[str]] | None = None,
    width: float = 420,
    low: float | None = None,
    high: float | None = None,
    cell: float | None = None,
    standalone: bool = False,
) -> str:
    """A grid of values by colour, nan as a wall; with texts, small ones, and with marks, large ones in the cells."""
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
    return picture(f'<g class="tc-heat">{body}</g>', description, across, down, standalone)


def heat_cell(x: float, y: float, side: float, value: float, scale: Limits, text: str, mark: str) -> str:
    """One cell: its colour or a hatched wall, its text and its mark."""
    fill = WALL if isnan(value) else scale_colour(value, *scale)
    drawn = rectangle(x + 0.5, y + 0.5, side - 1, side - 1, f' fill="{fill}"') + (
        hatching(x, y, side) if isnan(value) else ""
    )
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
    return f'<path stroke="#fff" stroke-opacity=".45" d="{"".join(map(polyline, ends))}"/>'


def scale_key(width: float, top: float, scale: Limits) -> str:
    """The colours of the scale from its low to its high end, with the numbers at the ends."""
    low, high = scale
    first, last = number(low), number(high)
    left, right = text_width(first) + 8, width - text_width(last) - 8
    step = max(right - left, 0) / KEY_CELLS
    cells = ""
    for k in range(KEY_CELLS):
        fill = scale_colour(low + (high - low) * (k + 0.5) / KEY_CELLS, low, high)
        cells += rectangle(left + k * step, top + 8, (KEY_CELLS - k) * step, 10, f' fill="{fill}"')
    return cells + label(2, top + 17, first) + label(width - 2, top + 17, last, "end")


def graph_svg(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    description: str,
    width: float = 420,
    height: float = 260,
    low: float | None = None,
    high: float | None = None,
    standalone: bool = False,
) -> str:
    """States as discs or small pictures, coloured by value, and curved arrows between them."""
    for k, node in enumerate(nodes):
        for name, value in (("x", node.x), ("y", node.y), ("value", 0 if node.value is None else node.value)):
            real_number(f"nodes[{k}].{name}", value)
    scale = limits([nan if node.value is None else node.value for node in nodes], low, high)
    middle = (width / 2, height / 2)
    arrows = "".join(graph_edge(k, edge, nodes, middle) for k, edge in enumerate(edges))
    body = f'<g class="tc-edges">{arrows}</g>' + "".join(graph_node(node, scale) for node in nodes)
    return picture(body, description, width, height, standalone)


def graph_node(node: Node, scale: Limits) -> str:
    """A disc, or a picture in a frame, with the label inside if there is room and below if not."""
    x, y, r = node.x, node.y, node.radius
    fill = GREY if node.value is None else scale_colour(node.value, *scale)
    if node.picture is None:
        drawn = f'<circle cx="{pixels(x)}" cy="{pixels(y)}" r="{pixels(r)}" fill="{fill}" stroke="currentColor"/>'
    else:
        place = f'x="{pixels(x - r)}" y="{pixels(y - r)}" width="{pixels(2 * r)}" height="{pixels(2 * r)}"'
        drawn = f'<rect {place} rx="4" fill="{fill}" stroke="currentColor"/>' + inside(node)
    if node.picture is None and text_width(node.label) < 2 * r - 4:
        return drawn + label(x, y + 4, node.label, "middle", f' fill="{ink(fill)}"')
    return drawn + over(x, y + r + 13, node.label, "middle")


def inside(node: Node) -> str:
    """A node's picture: an <svg> with a viewBox is fitted into the node, other elements have their origin in it."""
    text = node.picture or ""
    ElementTree.register_namespace("", SVG)
    try:
        element = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        element = None
    if element is None or element.tag.rsplit("}", 1)[-1] != "svg" or "viewBox" not in element.attrib:
        return f'<g transform="translate({pixels(node.x)} {pixels(node.y)})">{text}</g>'
    side = 2 * (node.radius - 4)
    places = {"x": node.x - side / 2, "y": node.y - side / 2, "width": side, "height": side}
    for name, value in places.items():
        element.set(name, pixels(value))
    element.set("style", f"width:{pixels(side)}px;height:{pixels(side)}px")  # pages let pictures shrink, this one not
    return ElementTree.tostring(element, encoding="unicode")


def graph_edge(k: int, edge: Edge, nodes: Sequence[Node], middle: tuple[float, float]) -> str:
    """A curved arrow from rim to rim; from a node to itself, a loop on the side away from the middle."""
    source = nodes[whole_number(f"edges[{k}].source", edge.source, 0, len(nodes) - 1)]
    target = nodes[whole_number(f"edges[{k}].target", edge.target, 0, len(nodes) - 1)]
    strength = real_number(f"edges[{k}].strength", edge.strength, at_least=0, at_most=1)
    a, b, c, d = loop(source, middle) if edge.source == edge.target else bow(source, target)
    breadth, faint = 1 + 2.5 * strength, pixels(0.3 + 0.7 * strength)
    ends = " ".join(f"{pixels(x)} {pixels(y)}" for x, y in (b, c, d))
    data = f"M{pixels(a[0])} {pixels(a[1])}C{ends}"
    drawn = f'<path fill="none" stroke="currentColor" stroke-width="{pixels(breadth)}" d="{data}"/>'
    drawn = f'<g opacity="{faint}">{drawn}<path d="{polyline(arrowhead(c, d, 4 + breadth), closed=True)}"/></g>'
    return drawn + (edge_label(edge.label, a, b, c, d) if edge.label else "")


def edge_label(text: str, *curve: Point) -> str:
    """Text beside the middle of a Bézier curve, on the side to which it bends."""
    a, b, c, d = curve
    x, y = ((p + 3 * q + 3 * r + s) / 8 for p, q, r, s in zip(a, b, c, d, strict=True))
    dx, dy = x - (a[0] + d[0]) / 2, y - (a[1] + d[1]) / 2
    length = hypot(dx, dy) or 1.0
    aside = 6 + text_width(text) / 2 * abs(dx) / length
    return over(x + aside * dx / length, y + 9 * dy / length + 4, text, "middle")


def bow(source: Node, target: Node) -> tuple[Point, Point, Point, Point]:
    """Bézier points of an arrow that bends to its left, so that there and back are two arrows."""
    dx, dy = target.x - source.x, target.y - source.y
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    bend = min(0.18 * length, 30.0)
    first = (source.x + dx / 3 + bend * uy, source.y + dy / 3 - bend * ux)
    second = (source.x + 2 * dx / 3 + bend * uy, source.y + 2 * dy / 3 - bend * ux)
    return rim(source, first), first, second, rim(target, second, 7)


def loop(node: Node, middle: Point) -> tuple[Point, Point, Point, Point]:
    """Bézier points of an arrow from a node to itself, never below it, where the label may be."""
    dx, dy = node.x - middle[0], min(node.y - middle[1], 0.0)
    length = hypot(dx, dy)
    ux, uy = (dx / length, dy / length) if length > 1 else (0.0, -1.0)
    out, aside = 2.9 * node.radius, 1.1 * node.radius
    first = (node.x + out * ux - aside * uy, node.y + out * uy + aside * ux)
    second = (node.x + out * ux + aside * uy, node.y + out * uy - aside * ux)
    return rim(node, first), first, second, rim(node, second, 7)


def rim(node: Node, towards: Point, gap: float = 1) -> Point:
    """Where the way from a node's middle leaves the node, and a gap farther."""
    dx, dy = towards[0] - node.x, towards[1] - node.y
    length = hypot(dx, dy) or 1.0
    reach = node.radius if node.picture is None else node.radius * length / max(abs(dx), abs(dy), 1e-9)
    return node.x + dx / length * (reach + gap), node.y + dy / length * (reach + gap)


def arrowhead(before: Point, end: Point, size: float) -> list[Point]:
    """A triangle with its tip a little beyond the end."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    half = size / 2
    tip = (end[0] + 6 * ux, end[1] + 6 * uy)
    back = (tip[0] - size * ux * 1.2, tip[1] - size * uy * 1.2)
    return [tip, (back[0] - half * uy, back[1] + half * ux), (back[0] + half * uy, back[1] - half * ux)]


def strip_svg(
    values: Sequence[float],
    description: str,
    width: float = 420,
    height: float = 28,
    low: float | None = None,
    high: float | None = None,
    left: str = "",
    right: str = "",
    standalone: bool = False,
) -> str:
    """A row of many small cells by colour, with words below its ends; cells under 2 pixels share their mean."""
    numbers = numbers_of(values, 1, "a row of finite numbers (nan for an empty cell)")
    scale = limits(numbers.tolist(), low, high)
    groups = np.array_split(numbers, min(len(numbers), int(width // 2))) if len(numbers) else []
    means = [float(group[~np.isnan(group)].mean()) if not np.isnan(group).all() else nan for group in groups]
    body, end = strip_cells(means, width, height - 1, scale), height
    if left or right:
        body += label(1, height + 12, left) + label(width - 1, height + 12, right, "end")
        end += 17
    frame = f'<rect x=".5" y=".5" width="{pixels(width - 1)}" height="{pixels(height - 1)}" fill="none"'
    return picture(f'{body}{frame} stroke="currentColor" stroke-opacity=".5"/>', description, width, end, standalone)


def strip_cells(values: list[float], width: float, height: float, scale: Limits) -> str:
    """One path for each colour, even for those without cells: so the structure never changes."""
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
