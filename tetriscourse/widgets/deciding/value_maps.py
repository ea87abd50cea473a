"""The values of a small world as SVG text: on a grid with arrows, or on a graph of states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import cos, inf, pi, sin

import numpy as np

from tetriscourse.game.board import Board
from tetriscourse.game.drawing import MARKS, square
from tetriscourse.mdp.finite.process import Bools, FiniteMDP
from tetriscourse.mdp.finite.solving import EQUAL
from tetriscourse.mdp.finite.tetris import TetrisMDP
from tetriscourse.mdp.finite.worlds import ARROWS, GOAL, PIT, Grid
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.widgets.charts import Edge, Node, graph_svg, heat_svg
from tetriscourse.widgets.charts.marks import signed

WIDE, GRAPH, HIGH = 360, 380, 330  # width of a grid, width of a graph, height of both, in pixels
MOST_ON_A_RING, MOST_IN_A_ROW = 14, 6
PRIZES = {GOAL: 1.0, PIT: -1.0}
MARKED = "#b3005e"

Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class WorldValues:
    """The values of a world's states and actions so far, the greedy policy, and the last step's changes."""

    mdp: FiniteMDP
    v: Floats
    q: Floats
    policy: Ints
    moved: Floats  # change of each value
    turned: Bools  # whether each state's best action changed

    @cached_property
    def decided(self) -> Bools:
        """For each state, whether its actions differ in value."""
        least = np.where(self.mdp.allowed, self.q, inf).min(axis=1)
        return np.asarray(self.q.max(axis=1) - least > EQUAL)

    @cached_property
    def strongest(self) -> Bools:
        """For each state, whether its value changed about as much as any."""
        return np.asarray(self.moved >= max(0.5 * float(self.moved.max()), EQUAL))


def grid_svg(grid: Grid, found: WorldValues) -> str:
    """Values as colours and numbers, the policy as arrows, frames around the largest changes."""
    values, texts, marks = grid_cells(grid, found)
    side = min(WIDE / len(grid.rows[0]), HIGH / len(grid.rows))
    least, most = min(-1.0, float(found.v.min())), max(1.0, float(found.v.max()))
    svg = heat_svg(values, grid_words(grid, found), texts, marks, low=least, high=most, cell=side)
    framed, turned = ([grid.cells[s] for s in np.flatnonzero(which)] for which in (found.strongest, found.turned))
    return svg.removesuffix("</svg>") + frames(framed, side) + corners(turned, side) + "</svg>"


def grid_cells(grid: Grid, found: WorldValues) -> tuple[Floats, list[list[str]], list[list[str]]]:
    """The value, text and mark of each cell; goals and pits, where the game ends, show their reward."""
    values = grid.values(found.v).copy()
    texts, marks = ([[""] * len(line) for line in grid.rows] for _ in range(2))
    for s, (r, c) in enumerate(grid.cells):
        mark = grid.rows[r][c]
        if mark in PRIZES:
            values[r, c], texts[r][c], marks[r][c] = PRIZES[mark], signed(f"{PRIZES[mark]:+g}"), mark
        else:
            texts[r][c] = signed(f"{found.v[s]:.2f}")
            marks[r][c] = ARROWS[found.policy[s]] if found.decided[s] else "·"
    return values, texts, marks


def grid_words(grid: Grid, found: WorldValues) -> str:
    """The grid in words, for readers who cannot see it."""
    policy = grid.arrows(found.policy).replace("\n", " ") if found.decided.any() else str(grid).replace("\n", " ")
    best = int(np.where(found.mdp.terminal, -inf, found.v).argmax())
    highest = f"highest value {found.v[best]:.2f} at {found.mdp.states[best]}"
    return f"Values on a grid. The policy by rows: {policy}; {highest}"


def frames(cells: Iterable[tuple[int, int]], side: float) -> str:
    """Frames in these cells of a heat map: a single path, so that the picture's structure never changes."""
    pen = 3.0 if side > 50 else 1.6
    inner = side - 2 - pen
    corner = [(c * side + 1 + pen / 2, r * side + 1 + pen / 2) for r, c in cells]
    data = "".join(f"M{x:.2f} {y:.2f}h{inner:.2f}v{inner:.2f}h{-inner:.2f}z" for x, y in corner)
    return f'<path class="tc-frames" fill="none" stroke="{MARKED}" stroke-width="{pen:g}" d="{data}"/>'


def corners(cells: Iterable[tuple[int, int]], side: float) -> str:
    """A triangle in the upper right corner of each of these cells."""
    leg = side / 5
    data = "".join(f"M{(c + 1) * side - 1:.2f} {r * side + 1:.2f}v{leg:.2f}l{-leg:.2f} {-leg:.2f}z" for r, c in cells)
    return f'<path class="tc-corners" fill="{MARKED}" stroke="#fff" d="{data}"/>'


def states_svg(found: WorldValues, tetris: TetrisMDP | None = None) -> str:
    """The states on a ring, or those near the first one if there are many, with arrows for the best actions."""
    if len(found.v) <= MOST_ON_A_RING:
        placed = ring(len(found.v))
        edges = [edge for s in placed for edge in best_transitions(found, s)]
    else:
        first = 0 if tetris is None else int(tetris.start.argmax())
        placed, edges = neighbourhood(found, first)
    numbers = {s: k for k, s in enumerate(placed)}
    nodes = [node(found, s, place, tetris) for s, place in placed.items()]
    arrows = [Edge(numbers[s], numbers[t], p) for s, t, p in edges]
    said = ", ".join(f"{name_of(found, s, tetris)} {found.v[s]:.2f}" for s in placed)
    least = min(0.0, float(found.v.min()))
    return graph_svg(nodes, arrows, f"Values of states: {said}", GRAPH, HIGH, low=least)


def ring(count: int) -> dict[int, Place]:
    """The centre of each state, on an ellipse, clockwise from the top; with room for a loop above."""
    turns = [2 * pi * s / count for s in range(count)]
    return {s: (190 + 135 * sin(turn), 180 - 105 * cos(turn)) for s, turn in enumerate(turns)}


def best_transitions(found: WorldValues, s: int) -> list[tuple[int, int, float]]:
    """Source, target and probability of what the best action leads to; none where the game is over."""
    if found.mdp.terminal[s]:
        return []
    line = found.mdp.T[[s * len(found.mdp.actions) + int(found.policy[s])]]
    return [(s, int(t), min(float(p), 1.0)) for t, p in zip(line.indices, line.data, strict=True)]


def neighbourhood(found: WorldValues, first: int) -> tuple[dict[int, Place], list[tuple[int, int, float]]]:
    """A state, its best successors, and the best successors of the best of these, with arrows between them."""
    near = followers(found, first, [first])
    far = followers(found, near[0], [first, *near]) if near else []
    levels = [[first], near, far]
    placed = {
        s: (GRAPH * (k + 0.5) / len(states), 38.0 + 112 * level)
        for level, states in enumerate(levels)
        for k, s in enumerate(states)
    }
    likely = {(s, t): p for s in (first, *near[:1]) for s, t, p in best_transitions(found, s)}
    pairs = [(first, t) for t in near] + [(near[0], t) for t in far]
    return placed, [(s, t, likely.get((s, t), 0.0)) for s, t in pairs]


def followers(found: WorldValues, s: int, but: list[int]) -> list[int]:
    """The successors of a state with the highest values."""
    A = len(found.mdp.actions)
    after = set(found.mdp.T[s * A : (s + 1) * A].indices.tolist()) - set(but)
    return sorted(after, key=lambda t: (-found.v[t], t))[:MOST_IN_A_ROW]


def node(found: WorldValues, s: int, place: Place, tetris: TetrisMDP | None) -> Node:
    """A state: its value as a colour and a number, with its name and best action, or its board."""
    state = None if tetris is None else tetris.state(s)
    value = ("● " if found.strongest[s] else "") + signed(f"{found.v[s]:.2f}")
    if state is not None:
        return Node(*place, float(found.v[s]), value, board_svg(state[0]), 24)
    action = f" {found.mdp.actions[found.policy[s]]}" if found.decided[s] and not found.mdp.terminal[s] else ""
    radius = 24 if len(found.v) < 6 else 13
    return Node(*place, float(found.v[s]), f"{name_of(found, s, tetris)}: {value}{action}", radius=radius)


def name_of(found: WorldValues, s: int, tetris: TetrisMDP | None) -> str:
    """The name of a state."""
    return "lost" if tetris is not None and s == 0 else found.mdp.states[s]


def board_svg(board: Board, cell: int = 10) -> str:
    """A small picture of a board."""
    full, top = MARKS.index("X"), board.height - 1
    places = [(r, c) for r in range(board.height) for c in range(board.width)]
    cells = "".join(square(full if board.full[r, c] else 0, c * cell, (top - r) * cell, cell) for r, c in places)
    size = f"{board.width * cell - 1} {board.height * cell - 1}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">{cells}</svg>'
