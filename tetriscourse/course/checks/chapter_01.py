"""The judges of chapter 01."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tetriscourse.course.checks.cases import small_boards
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import Outcome, first_difference


@exercise(
    "01.1", "Column heights", answers="heights", points=1,
    teaches="An array algorithm needs no loop over cells.",
    hints=["Look at one column: which is its highest full row?", "`np.arange(len(cells))` numbers the rows."],
)  # fmt: skip
def heights(heights: Callable[[Any], Any], *, seed: int) -> Outcome:
    """Right when every column's height is that of its highest full cell."""
    cases = [(board.full,) for board in small_boards(seed)]
    return first_difference(heights, lambda cells: [1 + c.nonzero()[0].max(initial=-1) for c in cells.T], cases)


prose("01.2", "Why bits?", points=2)
