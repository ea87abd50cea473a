"""Verdicts: the outcome of a check as words and drawings in a notebook, and as points for a grader."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np

from tetriscourse.course.exercises import Exercise
from tetriscourse.course.outcomes import NotAttempted, NotRun, Outcome, Partly, Right, written
from tetriscourse.errors import counted
from tetriscourse.game.board import Board
from tetriscourse.game.drawing import square
from tetriscourse.game.moves import Move

STATES = {
    "right": ("✓", "#009e73"), "partly": ("◐", "#e69f00"), "wrong": ("✗", "#d55e00"), "open": ("○", "#7f7f7f"),
}  # fmt: skip
"""The sign and colour of each state."""


def marked(text: str) -> str:
    """Text as HTML, with `code` between back-quotes."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False)).replace("\n", "<br>")


def box(sign: str, colour: str, heading: str, body: str) -> str:
    """A framed message that suits light and dark pages."""
    return (
        f'<div style="border-left:4px solid {colour};padding:.3em .8em;margin:.2em 0">'
        f'<strong><span style="color:{colour}">{sign}</span> {heading}</strong>{body}</div>'
    )


class Said:
    """A short message in a notebook."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return box("✎", "#0072b2", "", marked(self.text))


class Verdict:
    """The outcome of one check; as plain text it is its points, which is what nbgrader reads."""

    def __init__(self, exercise: Exercise, outcome: Outcome):
        self.exercise, self.outcome = exercise, outcome

    @property
    def state(self) -> str:
        """right, partly, wrong or open."""
        kinds = {Right: "right", Partly: "partly", NotAttempted: "open"}
        return next((state for kind, state in kinds.items() if isinstance(self.outcome, kind)), "wrong")

    @property
    def points(self) -> int:
        """All of the exercise's points, those of the rungs reached, or none."""
        if isinstance(self.outcome, Partly):
            return min(self.outcome.points, self.exercise.points - 1)
        return self.exercise.points if self.state == "right" else 0

    @property
    def heading(self) -> str:
        """The first line."""
        partly = f"{self.points} of {counted(self.exercise.points, 'point')} so far"
        said = {"right": "right", "partly": partly, "wrong": "not right yet", "open": "not attempted yet"}[self.state]
        said = "not judged" if isinstance(self.outcome, NotRun) else said
        colon = "" if self.exercise.title.endswith("?") else ":"
        return f"{self.exercise.id} {self.exercise.title}{colon} {said}"

    @property
    def words(self) -> list[str]:
        """The sentences below the heading."""
        if self.state == "right":
            return [text for text in (self.outcome.text, self.exercise.teaches) if text]
        hinted = self.exercise.hints and not isinstance(self.outcome, NotRun)
        stuck = f'Stuck? Type hint(1, "{self.exercise.id}") in a new cell.' if hinted else ""
        return [text for text in (self.outcome.text, stuck) if text]

    @property
    def drawings(self) -> list[Any]:
        """The parts of the counterexample."""
        return list(getattr(self.outcome, "shown", ()))

    def __str__(self) -> str:
        return "\n".join([self.heading, *self.words[:1], *map(as_text, self.drawings), *self.words[1:]])

    def __repr__(self) -> str:
        return f"{self.points}"

    def _repr_html_(self) -> str:
        first, *rest = [f"<div>{marked(text)}</div>" for text in self.words] or [""]
        drawn = "".join(f'<div style="margin:.4em 0">{as_html(one)}</div>' for one in self.drawings)
        return box(*STATES[self.state], marked(self.heading), first + drawn + "".join(rest))


def is_grid(value: Any) -> bool:
    """Whether a value is an array that can be drawn as cells."""
    return isinstance(value, np.ndarray) and value.ndim == 2 and value.size > 0 and value.dtype.kind in "biu"


def as_text(value: Any) -> str:
    """One part of a counterexample, for a terminal."""
    if isinstance(value, Move):
        return f"{value.before}\n{value}"
    if is_grid(value):
        return "\n".join("".join(".X"[bool(cell)] for cell in row) for row in value[::-1])
    return str(value) if isinstance(value, Board | str) else written(value)


def grid_picture(cells: np.ndarray[Any, Any], cell: int = 18) -> str:
    """An array of cells as SVG, row 0 at the bottom."""
    rows, columns = cells.shape
    squares = "".join(
        square(min(8, 8 * int(cells[r, c] != 0)), c * cell, (rows - 1 - r) * cell, cell)
        for r in range(rows) for c in range(columns)
    )  # fmt: skip
    size = f'width="{columns * cell}" height="{rows * cell}"'
    label = f"{columns} columns and {rows} rows of cells"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">'
        f'<rect {size} fill="#cccccc"/>{squares}</svg>'
    )


def as_html(value: Any) -> str:
    """One part of a counterexample, drawn."""
    if isinstance(value, Board):
        return value.picture()
    if isinstance(value, Move):
        return f"{value.before.picture()}<div>{html.escape(str(value))}</div>"
    if is_grid(value):
        return grid_picture(value)
    return marked(value) if isinstance(value, str) else f"<code>{html.escape(written(value))}</code>"
