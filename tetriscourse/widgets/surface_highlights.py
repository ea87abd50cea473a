"""The highlight of each feature of the surface: its steps, and the homes of the pieces."""

from __future__ import annotations

from tetriscourse.errors import counted
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import PIECES
from tetriscourse.widgets.drawing import drawn, heights_of, listed_text, over_columns, steps_of, upright_edge
from tetriscourse.widgets.highlight import Highlight


@drawn("different")
def diversity(move: Move) -> Highlight:
    """The steps from -2 to 2 between a column and the next; equal ones count once."""
    steps = tuple((column, step) for column, step in enumerate(steps_of(move.after)) if abs(step) <= 2)
    different = sorted({step for _, step in steps})
    occur = "occurs" if len(different) == 1 else "occur"
    text = f"{len(different)} of the 5 steps -2 .. 2 {occur}" + (f": {listed_text(different)}" if different else "")
    return over_columns(move.after, steps, text, between=True)


def steps_of_size(move: Move, size: int) -> Highlight:
    """A 1 at each step of a size."""
    steps = [(column, 1) for column, step in enumerate(steps_of(move.after)) if abs(step) == size]
    return over_columns(move.after, steps, f"{counted(len(steps), 'step')} of {size}", between=True)


@drawn("columns")
def steps_of_0(move: Move) -> Highlight:
    """A 1 between neighbouring columns of the same height."""
    return steps_of_size(move, 0)


@drawn("columns")
def steps_of_1(move: Move) -> Highlight:
    """A 1 at each step of 1."""
    return steps_of_size(move, 1)


@drawn("columns")
def steps_of_2(move: Move) -> Highlight:
    """A 1 at each step of 2."""
    return steps_of_size(move, 2)


@drawn("columns")
def low_edges(move: Move) -> Highlight:
    """A 1 above an outer column that lies at least 2 below its neighbour."""
    steps, right = steps_of(move.after), move.after.width - 1
    low = [(0, 1)] * (steps[0] >= 2) + [(right, 1)] * (steps[-1] <= -2)
    return over_columns(move.after, low, f"{counted(len(low), 'outer column')} at least 2 below the next")


def homes(move: Move, name: str) -> Highlight:
    """The tops of the columns on which a piece would lie flat, and a 1 at the left end of each such place."""
    heights, found = heights_of(move.after), set[tuple[int, int]]()
    for shape in PIECES[name].orientations:
        for left in range(move.after.width - shape.width + 1):
            gaps = [heights[left + k] - bottom for k, (bottom, _) in enumerate(shape.columns)]
            if min(gaps) == max(gaps):
                found.add((left, left + shape.width))
    columns = sorted({column for left, end in found for column in range(left, end)})
    places = sorted({left for left, _ in found})
    return Highlight(
        edges=tuple(upright_edge(move.after, heights[column], column) for column in columns),
        columns=tuple((left, 1) for left in places),
        text=f"{counted(len(places), 'place')} where {name} lies flat: {min(len(places), 1)}",
    )


@drawn("different")
def home_o(move: Move) -> Highlight:
    """The homes of an O."""
    return homes(move, "O")


@drawn("different")
def home_t(move: Move) -> Highlight:
    """The homes of a T."""
    return homes(move, "T")


@drawn("different")
def home_z(move: Move) -> Highlight:
    """The homes of a Z."""
    return homes(move, "Z")


@drawn("different")
def home_s(move: Move) -> Highlight:
    """The homes of an S."""
    return homes(move, "S")


@drawn("different")
def home_j(move: Move) -> Highlight:
    """The homes of a J."""
    return homes(move, "J")


@drawn("different")
def home_l(move: Move) -> Highlight:
    """The homes of an L."""
    return homes(move, "L")
