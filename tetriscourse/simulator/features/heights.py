"""Features of the heights of the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tetriscourse.simulator.columns import BoardLanes
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import COMPILED, Compiled, Size, Source, Term, compiled
from tetriscourse.simulator.lanes import REGISTER, Lanes, splat
from tetriscourse.simulator.layout import Field, Scalar


@compiled("max_height")
class MaxHeight(Term):
    def total(self, board: BoardLanes) -> Any:
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
    def total(self, board: BoardLanes) -> Any:
        tallies = board.total(step_tallies(board))
        return different_steps(splat(board.builder, tallies, REGISTER)).first()

    def store(self, board: BoardLanes) -> None:
        board.save(Field.STEP_TALLY, step_tallies(board))
        board.builder.store(board.total(step_tallies(board)), board.place(Scalar.STEP_TALLIES))
        board.builder.store(self.total(board), board.place(Scalar.STEP_COUNT))

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
    def total(self, board: BoardLanes) -> Any:
        return board.total(i_well_share(board.height, *board.neighbour_heights()))

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


@compiled("column_heights")
class ColumnHeights(Term):
    """Each column's height has its own weight."""

    source, weighted = Source.HEIGHT, True

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        weights["heights"][column] += 2

    def change(self, drop: Drop) -> Lanes:
        """All that the columns grow."""
        rises = [gap + count for gap, count in drop.gaps_and_counts()]
        return drop.added([rise * drop.field(Field.HEIGHT_WEIGHT, i) for i, rise in enumerate(rises)])


@compiled("height_differences")
class HeightDifferences(Term):
    """Each difference between neighbouring columns has its own weight."""

    source, weighted = Source.STEP, True

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        weights["steps"][column] += 2

    def change(self, drop: Drop) -> Lanes:
        """Changes of the differences at the piece's edges and inside it."""

        def step(height: Callable[[int], Lanes], i: int) -> Lanes:
            return height(i).distance(height(i + 1))

        changes = [step(drop.height_after, i) - step(drop.height_before, i) for i in range(-1, drop.width)]
        return drop.added([change * drop.field(Field.STEP_WEIGHT, i - 1) for i, change in enumerate(changes)])


@compiled("sum_heights")
class SumHeights(Compiled):
    """All columns' heights with the same weight."""

    source = Source.ALL_HEIGHTS

    def terms(self) -> list[Term]:
        return COMPILED["column_heights"].terms()

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        weights["heights"][:width] += 2


@compiled("bumpiness")
class Bumpiness(Compiled):
    """All differences with the same weight."""

    source = Source.ALL_STEPS

    def terms(self) -> list[Term]:
        return COMPILED["height_differences"].terms()

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        weights["steps"][: width - 1] += 2
