"""Small worlds to solve: three states to do by hand, a game of dice, and grids with a slippery floor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, real_number, shown, whole_number
from tetriscourse.game.board import read_only
from tetriscourse.mdp.finite.process import FiniteMDP, as_probabilities
from tetriscourse.random_numbers import Floats

Outcomes = list[tuple[float, float, str]]


def pile(gamma: float = 0.9) -> FiniteMDP:
    """Tetris in three states: the pile is low, high or over the top.

    Clearing rows one at a time is safe. Waiting for four at once pays more, and loses half of the games.
    """
    table: dict[str, dict[str, Outcomes]] = {
        "low": {"clear": [(0.8, 1, "low"), (0.2, 0, "high")], "wait": [(1, 0, "high")]},
        "high": {"clear": [(0.5, 1, "low"), (0.5, 0, "high")], "wait": [(0.5, 4, "low"), (0.5, 0, "lost")]},
        "lost": {},
    }
    return FiniteMDP.from_table(table, gamma)


def dice(most: int = 10) -> FiniteMDP:
    """Throw a die as often as you like: 2 to 6 adds a point to the pot, 1 ends the game with nothing.

    Stopping pays the pot, and is forced when the pot is full. Every game ends, so gamma is 1.
    """
    most = whole_number("most", most, 1)
    table: dict[str, dict[str, Outcomes]] = {}
    for pot in range(most + 1):
        table[str(pot)] = {"stop": [(1, pot, "over")]}
        if pot < most:
            table[str(pot)]["throw"] = [(5 / 6, 0, str(pot + 1)), (1 / 6, 0, "over")]
    return FiniteMDP.from_table(table | {"over": {}}, gamma=1)


STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}  # clockwise; (row, column), row 0 at the top
ARROWS = "↑→↓←"
FLOOR, WALL, GOAL, PIT = ".#GP"


@dataclass(frozen=True, eq=False)
class Grid:
    """A world drawn as text, and its process."""

    rows: tuple[str, ...]
    mdp: FiniteMDP

    @cached_property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """The (row, column) of each state."""
        return _cells(self.rows)

    def values(self, v: npt.ArrayLike) -> Floats:
        """The values in their places on the grid; nan in walls."""
        values = np.asarray(v, np.float64)
        if values.shape != (len(self.cells),):
            raise InputError(f"v has shape {values.shape}; it must be {(len(self.cells),)}")
        grid = np.full((len(self.rows), len(self.rows[0])), np.nan)
        grid[tuple(np.array(self.cells).T)] = values
        return read_only(grid)

    def values_text(self, v: npt.ArrayLike, digits: int = 2) -> str:
        """The drawing of the grid with the values in place of the floor."""
        texts = [
            [f"{value:.{digits}f}" if mark == FLOOR else mark for mark, value in zip(*row, strict=True)]
            for row in zip(self.rows, self.values(v).tolist(), strict=True)
        ]
        width = max(len(text) for row in texts for text in row)
        return "\n".join("  ".join(text.rjust(width) for text in row) for row in texts)

    def arrows(self, policy: npt.ArrayLike) -> str:
        """The drawing of the grid with the likeliest action as an arrow in place of the floor."""
        drawing = [list(row) for row in self.rows]
        for (row, column), a in zip(self.cells, as_probabilities(self.mdp, policy).argmax(axis=1), strict=True):
            if drawing[row][column] == FLOOR:
                drawing[row][column] = ARROWS[a]
        return "\n".join("".join(row) for row in drawing)

    def __repr__(self) -> str:
        return f"Grid({len(self.rows)} x {len(self.rows[0])}, {self.mdp!r})"

    def __str__(self) -> str:
        return "\n".join(self.rows)


def grid_world(
    text: str, gamma: float = 0.9, slip: float = 0.2, living_cost: float = 0.04, goal: float = 1.0, pit: float = -1.0
) -> Grid:
    """The world of a drawing: floor '.', walls '#', goals 'G' and pits 'P', in which the game is over.

    A step slips to one of the two sides with probability `slip`; a step into a wall or off the grid leads nowhere.
    Every step costs `living_cost`, and pays `goal` or `pit` where it ends the game.
    """
    rows = _rows(text)
    slip = real_number("slip", slip, at_least=0, at_most=1)
    cost = real_number("living_cost", living_cost)
    prizes = {FLOOR: -cost, GOAL: real_number("goal", goal) - cost, PIT: real_number("pit", pit) - cost}
    table: dict[str, dict[str, Outcomes]] = {}
    for row, column in _cells(rows):
        table[_name(row, column)] = {}
        if rows[row][column] == FLOOR:
            for a, action in enumerate(STEPS):
                chances = ((1 - slip, a), (slip / 2, (a + 1) % 4), (slip / 2, (a - 1) % 4))
                ends = [(chance, _step(rows, row, column, way)) for chance, way in chances if chance > 0]
                table[_name(row, column)][action] = [(p, prizes[rows[r][c]], _name(r, c)) for p, (r, c) in ends]
    return Grid(rows, FiniteMDP.from_table(table, gamma))


def _rows(text: Any) -> tuple[str, ...]:
    """The checked lines of the drawing."""
    rows = tuple(line.strip() for line in text.split()) if isinstance(text, str) else ()
    if not rows or len({len(row) for row in rows}) != 1:
        raise InputError(f"text is {shown(text)}; it must be a drawing with equally long lines")
    for mark in "".join(rows):
        if mark not in (FLOOR, WALL, GOAL, PIT):
            raise InputError(f"text contains {mark!r} (allowed: {FLOOR} floor, {WALL} wall, {GOAL} goal, {PIT} pit)")
    if FLOOR not in "".join(rows):
        raise InputError(f"text is {shown(text)}; it must have at least one cell of floor, '{FLOOR}'")
    return rows


def _cells(rows: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Every cell that is not a wall, in reading order."""
    return tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != WALL)


def _name(row: int, column: int) -> str:
    return f"{row},{column}"


def _step(rows: tuple[str, ...], row: int, column: int, way: int) -> tuple[int, int]:
    """Where a step leads."""
    down, right = list(STEPS.values())[way]
    r, c = row + down, column + right
    inside = 0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] != WALL
    return (r, c) if inside else (row, column)


GRIDS: dict[str, Grid] = {
    # Russell and Norvig's example, with gamma below 1: with gamma = 1 a policy could walk about for ever.
    "corner": grid_world("...G .#.P ....", gamma=0.99),
    "bridge": grid_world(".PPPPPP. ........ .PPPPPPG", gamma=0.95),
    "rooms": grid_world(
        """
        .....#.....
        .....#.....
        ...........
        .....#.....
        .....#.....
        #.####.....
        .....###.##
        .....#.....
        .....#....G
        ...........
        .....#.....
        """,
        gamma=0.95,
    ),
}

WORLDS: dict[str, FiniteMDP] = {"pile": pile(), "dice": dice(), **{name: grid.mdp for name, grid in GRIDS.items()}}

CLIFF = grid_world("...... ...... ...... .PPPPG", gamma=0.95, slip=0, living_cost=0.01)
"""After Sutton and Barto: who walks along the edge, and now and then lets chance decide, falls off."""
