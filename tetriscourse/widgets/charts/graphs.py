"""Graphs of states as SVG text: discs or small pictures, coloured by value, with curved arrows between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, nan
from xml.etree import ElementTree

from tetriscourse.errors import real_number, whole_number
from tetriscourse.widgets.charts import marks
from tetriscourse.widgets.charts.maps import Limits, limits
from tetriscourse.widgets.charts.marks import label, over, picture, pixels, polyline, text_width

SVG = "http://www.w3.org/2000/svg"
Point = tuple[float, float]


@dataclass(frozen=True)
class Node:
    """A state in a graph: its centre in pixels, its value, a label, and an <svg> to draw instead of a disc."""

    x: float
    y: float
    value: float | None = None
    label: str = ""
    picture: str | None = None
    radius: float = 18.0


@dataclass(frozen=True)
class Edge:
    """An arrow between two nodes, given by their positions in the list; wider and darker with its strength."""

    source: int
    target: int
    strength: float = 1.0


def graph_svg(
    nodes: Sequence[Node], edges: Sequence[Edge], description: str, width: float = 420, height: float = 260,
    low: float | None = None,
) -> str:  # fmt: skip
    """States as discs or small pictures, coloured by value, with curved arrows between them."""
    for k, node in enumerate(nodes):
        for name, value in (("x", node.x), ("y", node.y), ("value", 0 if node.value is None else node.value)):
            real_number(f"nodes[{k}].{name}", value)
    scale = limits([nan if node.value is None else node.value for node in nodes], low, None)
    middle = (width / 2, height / 2)
    arrows = "".join(graph_edge(k, edge, nodes, middle) for k, edge in enumerate(edges))
    body = f'<g class="tc-edges">{arrows}</g>' + "".join(graph_node(node, scale) for node in nodes)
    return picture(body, description, width, height)


def graph_node(node: Node, scale: Limits) -> str:
    """A disc or a framed picture, with the label inside if it fits and below otherwise."""
    x, y, r = node.x, node.y, node.radius
    fill = marks.GREY if node.value is None else marks.scale_colour(node.value, *scale)
    if node.picture is None:
        drawn = f'<circle cx="{pixels(x)}" cy="{pixels(y)}" r="{pixels(r)}" fill="{fill}" stroke="currentColor"/>'
    else:
        place = f'x="{pixels(x - r)}" y="{pixels(y - r)}" width="{pixels(2 * r)}" height="{pixels(2 * r)}"'
        drawn = f'<rect {place} rx="4" fill="{fill}" stroke="currentColor"/>' + inside(node)
    if node.picture is None and text_width(node.label) < 2 * r - 4:
        return drawn + label(x, y + 4, node.label, "middle", f' fill="{marks.ink(fill)}"')
    return drawn + over(x, y + r + 13, node.label, "middle")


def inside(node: Node) -> str:
    """A node's picture, scaled to fit."""
    ElementTree.register_namespace("", SVG)
    element, side = ElementTree.fromstring(node.picture or ""), 2 * (node.radius - 4)
    places = {"x": node.x - side / 2, "y": node.y - side / 2, "width": side, "height": side}
    for name, value in places.items():
        element.set(name, pixels(value))
    element.set("style", f"width:{pixels(side)}px;height:{pixels(side)}px")  # keeps pages from shrinking it
    return ElementTree.tostring(element, encoding="unicode")


def graph_edge(k: int, edge: Edge, nodes: Sequence[Node], middle: tuple[float, float]) -> str:
    """A curved arrow from rim to rim; from a node to itself, a loop away from the centre of the picture."""
    source = nodes[whole_number(f"edges[{k}].source", edge.source, 0, len(nodes) - 1)]
    target = nodes[whole_number(f"edges[{k}].target", edge.target, 0, len(nodes) - 1)]
    strength = real_number(f"edges[{k}].strength", edge.strength, at_least=0, at_most=1)
    a, b, c, d = loop(source, middle) if edge.source == edge.target else bow(source, target)
    breadth, faint = 1 + 2.5 * strength, pixels(0.3 + 0.7 * strength)
    ends = " ".join(f"{pixels(x)} {pixels(y)}" for x, y in (b, c, d))
    data = f"M{pixels(a[0])} {pixels(a[1])}C{ends}"
    drawn = f'<path fill="none" stroke="currentColor" stroke-width="{pixels(breadth)}" d="{data}"/>'
    return f'<g opacity="{faint}">{drawn}<path d="{polyline(arrowhead(c, d, 4 + breadth), closed=True)}"/></g>'


def bow(source: Node, target: Node) -> tuple[Point, Point, Point, Point]:
    """Bézier points of an arrow that bends to the left, so that both directions can be seen."""
    dx, dy = target.x - source.x, target.y - source.y
    ux, uy, length = direction(dx, dy)
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
    """The point on the way from a node's centre just outside its rim."""
    dx, dy = towards[0] - node.x, towards[1] - node.y
    ux, uy, length = direction(dx, dy)
    reach = node.radius if node.picture is None else node.radius * length / max(abs(dx), abs(dy), 1e-9)
    return node.x + ux * (reach + gap), node.y + uy * (reach + gap)


def direction(dx: float, dy: float) -> tuple[float, float, float]:
    """The vector at length 1, and its length (1 if it is 0)."""
    length = hypot(dx, dy) or 1.0
    return dx / length, dy / length, length


def arrowhead(before: Point, end: Point, size: float) -> list[Point]:
    """A triangle with its tip slightly beyond the end."""
    ux, uy, _ = direction(end[0] - before[0], end[1] - before[1])
    half = size / 2
    tip = (end[0] + 6 * ux, end[1] + 6 * uy)
    back = (tip[0] - size * ux * 1.2, tip[1] - size * uy * 1.2)
    return [tip, (back[0] - half * uy, back[1] + half * ux), (back[0] + half * uy, back[1] - half * ux)]
