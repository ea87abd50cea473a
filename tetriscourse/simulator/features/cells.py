"""Features of the cells of a board: transitions and holes."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from tetriscourse.simulator.columns import BoardLanes, Save
from tetriscourse.simulator.control_flow import repeat_while_any
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import COMPILED, Compiled, Size, Term, WholeTerm, compiled
from tetriscourse.simulator.lanes import INT, Lanes
from tetriscourse.simulator.layout import Field, Scalar
from tetriscourse.simulator.shapes import COLUMNS


@compiled("row_transitions")
class RowTransitions(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        """Changes from each column to the next; the lane right of the board sees the change to the wall."""
        return (board.walled ^ board.left).popcount()

    def total(self, board: BoardLanes, added: Any) -> Any:
        """The sixteenth column sees the wall itself; rows above the board count only beyond an empty row's 2."""
        builder = board.builder
        last = builder.extract_element(board.walled.value, ir.Constant(INT, COLUMNS - 1))
        changes = builder.add(added, builder.ctpop(builder.not_(last)))
        sky = builder.sub(ir.Constant(INT, 32), board.scalar(Scalar.HEIGHT))
        return builder.sub(changes, builder.mul(sky, ir.Constant(INT, 2)))

    def change(self, drop: Drop) -> Lanes:
        """2 for each row of the piece, less 2 for each full cell beside its ends."""
        beside: dict[int, int] = {}
        for r in range(drop.height):
            filled = [c for row, c in drop.shape.cells if row == r]
            for column in (min(filled) - 1, max(filled) + 1):
                # In its own columns nothing is full at the height of the piece's bottom or above.
                if column not in drop.inside or r < drop.columns[column][0]:
                    beside[column] = beside.get(column, 0) | 1 << r
        # Cells on both sides of the same rows are counted apart, by four places.
        joined, taken = drop.number(0), 0
        for column, rows in beside.items():
            full, shift = (drop.cells_before(column) >> drop.row) & rows, 4 if taken & rows else 0
            joined, taken = joined | (full << shift), taken | rows << shift
        return drop.number(2 * drop.height) - (joined.popcount() << 1)

    def largest_change(self, size: Size) -> int:
        return 8


@compiled("column_transitions")
class ColumnTransitions(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        """Changes up each column; a cell in bit 31 ends below the sky too."""
        cells = board.cells
        changes = ((cells ^ (cells << 1 | 1)) & board.on_board).popcount()
        return changes - cells.sign() if cells.tall else changes

    def change(self, drop: Drop) -> Lanes:
        """2 for each column of the piece with a gap below it."""
        change = drop.number(0)
        for gap in drop.gaps:
            change = change - ((gap > 0) << 1)
        return change

    def largest_change(self, size: Size) -> int:
        return 8


@compiled("frontier")
class Frontier(Compiled):
    def terms(self) -> list[Term]:
        return [*COMPILED["row_transitions"].terms(), *COMPILED["column_transitions"].terms()]

    def largest(self, size: Size) -> int:
        return 4 * size.cells


@compiled("holes")
class Holes(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        return board.hole_rows().popcount()

    def change(self, drop: Drop) -> Lanes:
        return drop.added(list(drop.gaps))

    def largest_change(self, size: Size) -> int:
        return 3 * size.rows


@compiled("hole_depth")
class HoleDepth(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        return (board.cells & (board.cells + 1)).popcount()

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.LOOSE, (board.cells & (board.cells + 1)).differs(0))

    def change(self, drop: Drop) -> Lanes:
        """The piece's cells in columns that have a hole, old or new."""
        return drop.added(
            [(drop.field(Field.LOOSE, i) | (gap > 0)) & count for i, (gap, count) in enumerate(drop.gaps_and_counts())]
        )

    def largest_change(self, size: Size) -> int:
        return 4


@compiled("hole_depth_sum")
class HoleDepthSum(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        """Full cells above each hole of a column, hole by hole from the lowest."""
        cells, zero = board.cells, board.cells.number(0)

        def hole(pending: Lanes, total: Lanes) -> tuple[Lanes, Lanes]:
            lowest = pending & (zero - pending)
            above = ~(lowest - 1) & pending.differs(0)
            return pending & (pending - 1), total + (cells & above).popcount()

        return repeat_while_any(board.hole_rows(), zero, hole, first=1)

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.HOLES, board.height - board.cells.popcount())

    def change(self, drop: Drop) -> Lanes:
        """The piece's cells in a column, once for each hole in it."""
        return drop.added(
            [(drop.field(Field.HOLES, i) + gap) * count for i, (gap, count) in enumerate(drop.gaps_and_counts())]
        )

    def largest(self, size: Size) -> int:
        return size.cells * size.rows

    def largest_change(self, size: Size) -> int:
        return 4 * size.rows


@compiled("rows_with_holes")
class RowsWithHoles(Term):
    def total(self, board: BoardLanes, added: Any) -> Any:
        return board.builder.ctpop(board.union(board.hole_rows()))

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.TOP, board.cells.number(1) << board.height)

    def change(self, drop: Drop) -> Lanes:
        """Rows of the gaps that had no hole before."""
        rows, floor = drop.number(0), drop.number(1) << drop.row
        for i, (bottom, _) in enumerate(drop.columns):
            rows = rows | ((floor << bottom) - drop.field(Field.TOP, i))
        return (rows & ~drop.scalar(Scalar.HOLE_ROWS)).popcount()

    def largest(self, size: Size) -> int:
        return size.rows

    largest_change = largest


@compiled("holes_by_height")
class HolesByHeight(WholeTerm):
    def shares(self, board: BoardLanes) -> Lanes:
        return board.hole_rows().popcount()

    def total(self, board: BoardLanes, added: Any) -> Any:
        return board.builder.mul(added, board.pile())

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Scalar.HOLE_COUNT, board.hole_rows().popcount().reduce(Lanes.__add__))

    def before(self, drop: Drop) -> Any:
        return drop.builder.mul(drop.scalar_number(Scalar.HOLE_COUNT), drop.scalar_number(Scalar.PILE))

    def after(self, drop: Drop) -> Lanes:
        return (drop.scalar(Scalar.HOLE_COUNT) + drop.added(list(drop.gaps))) * drop.pile_after()

    def largest(self, size: Size) -> int:
        return size.cells * size.rows

    def largest_change(self, size: Size) -> int:
        return 3 * size.rows * size.rows + 4 * size.cells
