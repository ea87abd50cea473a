"""Features of the heights of the columns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from llvmlite import ir

from tetriscourse.simulator.columns import BoardLanes, Save
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import TERMS, Size, Source, Term, WholeTerm, compiled
from tetriscourse.simulator.lanes import WORD, Lanes, load
from tetriscourse.simulator.layout import Field, Scalar, place
from tetriscourse.simulator.shapes import COLUMNS


@compiled("max_height")
class MaxHeight(WholeTerm):
    def total(self, board: BoardLanes, added: Any) -> Any:
        return board.pile()

    def before(self, drop: Drop) -> Any:
        return drop.scalar_number(Scalar.PILE)

    def after(self, drop: Drop) -> Lanes:
        return drop.pile_after()

    def largest(self, size: Size) -> int:
        return size.rows

    largest_change = largest


@compiled("squared_height")
class SquaredHeight(WholeTerm):
    def total(self, board: BoardLanes, added: Any) -> Any:
        return board.builder.mul(board.pile(), board.pile())

    def before(self, drop: Drop) -> Any:
        return drop.builder.mul(drop.scalar_number(Scalar.PILE), drop.scalar_number(Scalar.PILE))

    def after(self, drop: Drop) -> Lanes:
        return drop.pile_after() * drop.pile_after()

    def largest(self, size: Size) -> int:
        return size.rows * size.rows

    def largest_change(self, size: Size) -> int:
        """The height grows by at most 4, and with the old height it adds up to at most twice the rows."""
        return 8 * size.rows


@compiled("i_wells")
class IWells(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        return i_well_share(board.height, *board.neighbour_heights()) & board.on_board

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.I_WELL, self.shares(board))

    def change(self, drop: Drop) -> Lanes:
        """New less old shares in the columns of the piece and beside it."""

        def share(i: int) -> Lanes:
            return i_well_share(*(drop.height_after(i + k) for k in (0, -1, 1))) & drop.field(Field.ON_BOARD, i)

        # No column of a wider piece is 3 below the next: between them is no I well.
        new = [share(i) for i in range(-1, drop.width + 1) if i not in drop.inside or drop.width == 1]
        return drop.added(new) - drop.added([drop.field(Field.I_WELL, i) for i in range(-1, drop.width + 1)])

    def largest_change(self, size: Size) -> int:
        return 5 * size.rows


def i_well_share(height: Lanes, left: Lanes, right: Lanes) -> Lanes:
    """The depth of a column below both neighbours, if it is at least 3."""
    depth = left.smaller(right) - height
    return depth & (depth > 2)


def weighted_columns(board: BoardLanes, numbers: Lanes, weights: Any, first: int) -> Any:
    """A number of each column times its weight, added up; the weights follow those of the terms (WEIGHTS_RECORD)."""
    builder, wide = board.builder, ir.VectorType(WORD, COLUMNS)
    place = builder.bitcast(builder.gep(weights, [ir.Constant(WORD, first)]), wide.as_pointer())
    products = builder.mul(builder.sext(numbers.value, wide), builder.load(place, align=8))
    return Lanes(builder, products).reduce(Lanes.__add__)


@compiled("column_heights")
class ColumnHeights(Term):
    """Each column's height has its own weight."""

    source, weighted = Source.HEIGHT, True

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        weights["heights"][column] += 2

    def weighted_total(self, board: BoardLanes, weights: Any) -> Any:
        return weighted_columns(board, board.height, weights, first=len(TERMS))

    def change(self, drop: Drop) -> Lanes:
        """How much each column of the piece rises."""
        rises = [gap + count for gap, count in drop.gaps_and_counts()]
        return drop.added([rise * drop.field(Field.HEIGHT_WEIGHT, i) for i, rise in enumerate(rises)])


def step_sizes(board: BoardLanes) -> Lanes:
    """The absolute difference between each column and the next, 0 at the last."""
    _, right = board.neighbour_heights()
    return right.distance(board.height) & board.on_board & board.on_board.neighbour(1, 0)


def steps_after(drop: Drop) -> list[Lanes]:
    """The absolute differences at the piece's edges and inside it after the move, walls included."""
    heights = [drop.height_after(i) for i in range(-1, drop.width + 1)]
    return [left.distance(right) for left, right in pairwise(heights)]


@compiled("height_differences")
class HeightDifferences(Term):
    """Each difference between neighbouring columns has its own weight, 0 at a wall."""

    source, weighted = Source.STEP, True

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        weights["steps"][column] += 2

    def store(self, board: BoardLanes, save: Save) -> None:
        weights = load(board.builder, board.place(place(Field.STEP_WEIGHT)), COLUMNS)
        save(Field.STEP_VALUE, step_sizes(board) * weights)

    def weighted_total(self, board: BoardLanes, weights: Any) -> Any:
        return weighted_columns(board, step_sizes(board), weights, first=len(TERMS) + COLUMNS)

    def change(self, drop: Drop) -> Lanes:
        """Changes of the differences at the piece's edges and inside it."""
        new = [step * drop.field(Field.STEP_WEIGHT, i - 1) for i, step in enumerate(steps_after(drop))]
        return drop.added(new) - drop.added([drop.field(Field.STEP_VALUE, i) for i in range(-1, drop.width)])


@compiled("sum_heights")
class SumHeights(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        return board.height

    def change(self, drop: Drop) -> Lanes:
        return drop.added([gap + count for gap, count in drop.gaps_and_counts()])

    def largest(self, size: Size) -> int:
        return size.cells

    def largest_change(self, size: Size) -> int:
        return 4 * size.rows


@compiled("bumpiness")
class Bumpiness(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        return step_sizes(board)

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.STEP_SIZE, step_sizes(board))

    def change(self, drop: Drop) -> Lanes:
        """New differences at the piece's edges and inside it, less the old ones."""
        first, *inner, last = steps_after(drop)
        new = [first & drop.field(Field.STEP, -1), *inner, last & drop.field(Field.STEP, drop.width - 1)]
        return drop.added(new) - drop.added([drop.field(Field.STEP_SIZE, i) for i in range(-1, drop.width)])

    def largest(self, size: Size) -> int:
        return size.cells

    def largest_change(self, size: Size) -> int:
        return 5 * size.rows
