"""Features of how the piece landed and what it cleared."""

from __future__ import annotations

from typing import Any

from tetriscourse.simulator.compiling import inlined
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import COMPILED, Compiled, Size, Source, Term, compiled
from tetriscourse.simulator.lanes import Lanes
from tetriscourse.simulator.layout import Scalar
from tetriscourse.simulator.shapes import SHAPE_CELLS, SHAPE_HEIGHT


@inlined
def landing_terms(shape: Any, row: Any, full: Any, lines: Any, rules: Any) -> Any:
    """The features of a landing, as in ORDER: a shape came to rest on `row`, and `lines` rows (`full`) were full."""
    eroded = 0
    if full:
        for r in range(4):
            eroded += SHAPE_CELLS[shape, r] * ((full >> (row + r)) & 1)
    height = SHAPE_HEIGHT[shape]
    return 2 * row + height - 1, lines * eroded, lines, rules.height - row - height


@compiled("landing_height")
class LandingHeight(Term):
    """Counted in halves, so that it is a whole number."""

    source, halves = Source.LANDING, 2

    def change(self, drop: Drop) -> Lanes:
        return drop.row + drop.row + (drop.height - 1)

    def largest(self, size: Size) -> int:
        return 2 * size.rows

    largest_change = largest


@compiled("eroded_cells")
class ErodedCells(Term):
    source = Source.LANDING

    def largest(self, size: Size) -> int:
        return 16


@compiled("lines")
class Lines(Term):
    source = Source.LANDING

    def largest(self, size: Size) -> int:
        return 4


@compiled("drop_depth")
class DropDepth(Term):
    source = Source.LANDING

    def change(self, drop: Drop) -> Lanes:
        return drop.scalar(Scalar.HEIGHT) - drop.row - drop.height

    def largest(self, size: Size) -> int:
        return size.rows

    largest_change = largest


ORDER = ("landing_height", "eroded_cells", "lines", "drop_depth")  # the features in `landing_terms`
LANDING, ERODED, LINES, DEPTH = (one.number for name in ORDER for one in COMPILED[name].terms())


@inlined
def value_of_landing(terms: Any, weights: Any) -> Any:
    """Twice the weighted sum of the features of a landing."""
    return (
        weights[LANDING] * terms[0] + weights[ERODED] * terms[1] + weights[LINES] * terms[2] + weights[DEPTH] * terms[3]
    )


@compiled("constant")
class Constant(Compiled):
    """Equal for all moves, so that it needs no weight."""

    source = Source.CONSTANT

    def terms(self) -> list[Term]:
        return []

    def largest(self, size: Size) -> int:
        return 1
