"""Features of the heights of the columns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from llvmlite import ir

from tetriscourse.simulator.columns import BoardLanes, Save
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import TERMS, Size, Source, Term, compiled
from tetriscourse.simulator.lanes import REGISTER, WORD, Lanes, load, splat
from tetriscourse.simulator.layout import Field, Scalar, place
from tetriscourse.simulator.shapes import COLUMNS


@compiled("max_height")
class MaxHeight(Term):
    def total(self, board: BoardLanes, added: Any) -> Any:
        return board.height.reduce(Lanes.larger)

    def change(self, drop: Drop) -> Lanes:
        """How much the piece stands out above the pile."""
        pile = drop.scalar(Scalar.PILE)
        return pile.larger(drop.row + drop.height) - pile

    def largest(self, size: Size) -> int:
        return size.rows

    largest_change = largest


def step_tally(step: Lanes) -> Lanes:
    """A height difference as a 1 in one of seven places of four bits, for -3 or less, -2, ..., 2, 3 or more.

    Added up, such tallies tell how often each difference occurs: there are at most fifteen.
    """
    return step.number(1) << ((step.larger(-3).smaller(3) + 3) << 2)


def different_steps(tallies: Lanes) -> Lanes:
    """How many of the five places for -2 to 2 are not 0."""
    pairs = tallies | (tallies >> 2)
    used = (pairs | (pairs >> 1)) & 0x111110
    return ((used * 0x11111) >> 20) & 15


def step_tallies(board: BoardLanes) -> Lanes:
    """The height difference between each column and the next, as a tally."""
    _, right = board.neighbour_heights()
    return step_tally(right - board.height) & board.on_board & board.on_board.neighbour(1, 0)


@compiled("diversity")
class Diversity(Term):
    def total(self, board: BoardLanes, added: Any) -> Any:
        tallies = step_tallies(board).reduce(Lanes.__add__)
        return different_steps(splat(board.builder, tallies, REGISTER)).first()

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.STEP_TALLY, step_tallies(board))
        save(Scalar.STEP_TALLIES, step_tallies(board).reduce(Lanes.__add__))
        save(Scalar.STEP_COUNT, self.total(board, None))

    def change(self, drop: Drop) -> Lanes:
        """How many more different steps there are when those inside the piece and at its edges have changed."""
        tallies = drop.scalar(Scalar.STEP_TALLIES)
        for i in range(-1, drop.width):
            new = step_tally(drop.height_after(i + 1) - drop.height_after(i))
            at_edge = i == -1 or i == drop.width - 1
            new = new & drop.field(Field.STEP, i) if at_edge else new
            tallies = tallies + new - drop.field(Field.STEP_TALLY, i)
        return different_steps(tallies) - drop.scalar(Scalar.STEP_COUNT)

    def largest(self, size: Size) -> int:
        return 5

    largest_change = largest


@compiled("i_wells")
class IWells(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        return i_well_share(board.height, *board.neighbour_heights()) & board.on_board

    def change(self, drop: Drop) -> Lanes:
        """New less old depths in the columns of the piece and beside it."""

        def share(height: Callable[[int], Lanes], i: int) -> Lanes:
            return i_well_share(height(i), height(i - 1), height(i + 1)) & drop.field(Field.ON_BOARD, i)

        columns = range(-1, drop.width + 1)
        return drop.added([share(drop.height_after, i) - share(drop.height_before, i) for i in columns])

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
