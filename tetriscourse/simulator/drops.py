"""One lane a move: the values of all moves of a piece, eight at a time.

Lane x stands for the move that drops the piece with its left edge in column x. A move that clears
no row changes little: the pile rises in the columns of the piece, and only these and their two
neighbours count differently afterwards. So each lane computes by how much its move *changes* the
value of the present board, from what is stored for each column of it (layout.Field). Every piece gets
its own program, one orientation after the other, in which their shapes are constant.

Moves that clear rows are rare. They are recognised here (the piece fills exactly what a row lacks)
and left to the kernels, which make them and value the board in full.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from tetriscourse.game.pieces import Orientation
from tetriscourse.simulator.columns import (
    different_steps,
    i_well_share,
    one_pass_share,
    open_well_share,
    step_tally,
    triangle,
)
from tetriscourse.simulator.lanes import Lanes, load, splat, unless_any, vector
from tetriscourse.simulator.layout import COLUMNS, NOT_VALUED, ORIGIN, STRIDE, Field, Scalar, Table, Term

LANES = 8
"""Moves that are valued together; more columns take a second round."""


class Drop:
    """All moves of one shape, one lane for each column from `base` on."""

    def __init__(
        self, builder: ir.IRBuilder, state: Any, tables: Any, base: Any, shape: Orientation, terms: list[Term]
    ):
        self.builder, self.state, self.tables, self.base = builder, state, tables, base
        self.shape, self.terms = shape, terms
        self.width, self.height, self.columns = shape.width, shape.height, shape.columns
        self.inside = range(self.width)
        tops = [self.field(Field.HEIGHT, i) - bottom for i, (bottom, _) in enumerate(self.columns)]
        self.row = tops[0]
        for top in tops[1:]:
            self.row = self.row.larger(top)
        self.gaps = [self.row - top for top in tops]

    def address(self, field: Field, offset: int) -> Any:
        """Where a field of the column `offset` to the right of the first lane's left edge is stored."""
        position = self.builder.add(self.base, ir.Constant(self.base.type, STRIDE * field + ORIGIN + offset))
        return self.builder.gep(self.state, [position])

    def field(self, field: Field, offset: int) -> Lanes:
        """A field of the column `offset` to the right of the piece's left edge, in each lane."""
        return load(self.builder, self.address(field, offset), LANES)

    def scalar(self, scalar: int) -> Lanes:
        """A number of the whole board, in each lane."""
        address = self.builder.gep(self.state, [ir.Constant(self.base.type, int(scalar))])
        return splat(self.builder, self.builder.load(address), LANES)

    def table(self, row: int) -> Lanes:
        """A row of the tables, from the first lane's column on."""
        position = self.builder.add(self.base, ir.Constant(self.base.type, COLUMNS * row))
        return load(self.builder, self.builder.gep(self.tables, [position]), LANES)

    def weight(self, term: Term) -> Lanes:
        """The weight of a term."""
        place = self.builder.gep(self.tables, [ir.Constant(self.base.type, COLUMNS * Table.WEIGHT + LANES * term)])
        return load(self.builder, place, LANES)

    def number(self, value: int) -> Lanes:
        """The same number in each lane."""
        return Lanes(self.builder, ir.Constant(vector(LANES), [value] * LANES))

    def cells_before(self, offset: int) -> Lanes:
        """The cells of a column before the move."""
        return self.field(Field.CELLS, offset)

    def cells_after(self, offset: int) -> Lanes:
        """The cells of a column after the move."""
        cells = self.cells_before(offset)
        if offset not in self.inside:
            return cells
        return cells | self.filled(offset)

    def filled(self, offset: int) -> Lanes:
        """The cells that the piece fills in one of its columns."""
        bottom, count = self.columns[offset]
        return self.number(((1 << count) - 1) << bottom) << self.row

    def height_after(self, offset: int) -> Lanes:
        """The height of a column after the move."""
        if offset not in self.inside:
            return self.field(Field.HEIGHT, offset)
        return self.row + sum(self.columns[offset])

    # Changes of the features, for moves that clear no row.

    def landing_height(self) -> Lanes:
        """Twice the landing height, which is a whole number."""
        return self.row + self.row + (self.height - 1)

    def drop_depth(self) -> Lanes:
        """Rows from the top of the board to the top of the piece."""
        return self.scalar(Scalar.HEIGHT) - self.row - self.height

    def row_transitions(self) -> Lanes:
        """2 for each row of the piece, less 2 for each full cell beside its ends."""
        beside: dict[int, int] = {}
        for r in range(self.height):
            filled = [c for row, c in self.shape.cells if row == r]
            for column in (min(filled) - 1, max(filled) + 1):
                # In its own columns nothing is full at the height of the piece's bottom or above.
                if column not in self.inside or r < self.columns[column][0]:
                    beside[column] = beside.get(column, 0) | 1 << r
        full = [
            ((self.cells_before(column) >> self.row) & rows).small_popcount(rows.bit_length())
            for column, rows in beside.items()
        ]
        return self.number(2 * self.height) - (self.added(full) << 1)

    def column_transitions(self) -> Lanes:
        """2 for each column of the piece with a gap below it."""
        change = self.number(0)
        for gap in self.gaps:
            change = change - ((gap > 0) << 1)
        return change

    def holes(self) -> Lanes:
        """The gaps."""
        return self.added(list(self.gaps))

    # Wells. Only cells in the rows of the piece can become well cells or cease to be. What is known
    # of a cell when the program is written saves work: the piece fell through empty cells.

    def known(self, column: int, r: int, moved: bool) -> bool | None:
        """Whether a cell in row r of the piece is full before (after) the move; None if it depends on the board."""
        if column not in self.inside:
            return None
        bottom, count = self.columns[column]
        if moved and bottom <= r < bottom + count:
            return True
        return False if r >= bottom else None

    def window(self, column: int) -> Lanes:
        """The cells of a column from the piece's bottom row up: bit r for row r of the piece."""
        return self.cells_before(column) >> self.row

    def is_well(self, column: int, r: int, moved: bool) -> Lanes | None:
        """Bit r tells whether a cell is a well cell before (after) the move; None if it cannot be."""
        bits = self.number(-1)
        for neighbour, wanted in ((column, False), (column - 1, True), (column + 1, True)):
            known = self.known(neighbour, r, moved)
            if known is None:
                bits = bits & (self.window(neighbour) if wanted else ~self.window(neighbour))
            elif known is not wanted:
                return None
        return bits

    def run(self, column: int, r: int, first: int) -> Lanes:
        """How many cells are empty from row r down, when this one is; rows below `first` are looked up."""
        if r == first:
            floor = self.row + r
            below = self.cells_before(column) & ((self.number(1) << floor) - 1)
            return floor - below.bit_length() + 1
        full = (self.window(column) << (31 - (r - 1))).sign()
        return (self.run(column, r - 1, first) & ~full) + 1

    def well_depth(self, column: int, r: int, first: int, moved: bool) -> Lanes:
        """What a well cell counts."""
        if column in self.inside:
            bottom, count = self.columns[column]
            if r >= bottom + count and moved:
                return self.number(r - bottom - count + 1)
            if r >= bottom:
                return self.gaps[column] + (r - bottom + 1)
        return self.run(column, r, first)

    def wells(self) -> Lanes:
        """New well cells less those that are lost, each with its depth."""
        change = self.number(0)
        for column in range(-1, self.width + 1):
            first = None
            for r in range(self.height):
                lost, new = (self.is_well(column, r, moved) for moved in (False, True))
                if (lost is None) == (new is None):
                    continue
                first = r if first is None else first
                depth = self.well_depth(column, r, first, moved=lost is None)
                if lost is not None:
                    change = change - (depth & (lost << (31 - r)).sign())
                if new is not None:
                    change = change + (depth & (new << (31 - r)).sign())
        if self.width == 1:
            # A vertical piece in a well: the well cells above it lose its height.
            above = (self.window(-1) & self.window(1)) >> self.height
            change = change - above.popcount() * self.height
        return change

    def wells_one_pass(self) -> Lanes:
        """New shares less old ones, in the columns where they can change.

        Usually nothing but the open part of a column changes: the cells above its old height, which the
        piece may divide in two. Only if a covered cell becomes a well cell, all runs are looked at.
        """
        changes, covered = [], self.number(0)
        columns = [column for column in range(-1, self.width + 1) if self.wells_change(column)]
        for column in columns:
            change, exception = self.open_wells(column)
            changes.append(change)
            covered = covered | exception
        halved = self.added(changes).halved()
        return unless_any(self.builder, covered, halved, lambda: self.all_runs(columns))

    def open_wells(self, column: int) -> tuple[Lanes, Lanes]:
        """Twice the change of a column's share if only its open part changes, and where that is not so."""
        before, depth = self.field(Field.OPEN_WELL, column), self.field(Field.OPEN_DEPTH, column)
        if column not in self.inside:
            new, covered = self.new_depth(column)
            return triangle(depth.larger(new)) - before, covered
        if self.width == 1:
            return triangle((depth - self.height).larger(0)) - before, self.number(0)
        bottom, count = self.columns[column]
        above = self.number(0)
        for r in range(bottom + count, self.height):
            well = self.is_well(column, r, True)
            if well is not None:
                n = r - bottom - count + 1
                above = self.number(n * (n + 1)).where((well << (31 - r)).sign(), above)
        if not any(self.changes_well(column, r) for r in range(bottom + count)):
            return above, self.number(0)
        wells = self.cells_after(column - 1) & self.cells_after(column + 1) & ~self.cells_after(column)
        under = wells & (self.row + bottom).bits_below()
        new_covered = self.number(0)
        for side in (column - 1, column + 1):
            if side in self.inside:
                new_covered = new_covered | (wells & self.filled(side) & self.field(Field.BELOW_TOP, column))
        return above + open_well_share(under, self.field(Field.HEIGHT, column)) - before, new_covered

    def new_depth(self, column: int) -> tuple[Lanes, Lanes]:
        """The depth of the topmost new well cell beside the piece, 0 without one; and where one is covered."""
        depth, covered, height = self.number(0), self.number(0), self.field(Field.HEIGHT, column)
        for r in range(self.height):
            well = self.is_well(column, r, True) if self.changes_well(column, r) else None
            if well is not None:
                new, above = (well << (31 - r)).sign(), self.row - height + (r + 1)
                depth = above.where(new, depth)
                covered = covered | (new & (above <= 0))
        return depth, covered

    def changes_well(self, column: int, r: int) -> bool:
        """Whether a cell can become a well cell or cease to be one."""
        return (self.is_well(column, r, False) is None) != (self.is_well(column, r, True) is None)

    def all_runs(self, columns: list[int]) -> Lanes:
        """The same for any board."""
        return self.added(
            [
                one_pass_share(*(self.cells_after(column + side) for side in (0, -1, 1)))
                - self.field(Field.WELLS_ONE_PASS, column)
                for column in columns
            ]
        )

    def wells_change(self, column: int) -> bool:
        """Whether a column can gain or lose well cells, or part of the depth below one."""
        return self.width == 1 or any(self.changes_well(column, r) for r in range(self.height))

    def hole_depth(self) -> Lanes:
        """The piece's cells in columns that have a hole, old or new."""
        return self.added(
            [
                (self.field(Field.LOOSE, i) | (gap > 0)) & count
                for i, (gap, (_, count)) in enumerate(zip(self.gaps, self.columns, strict=True))
            ]
        )

    def hole_depth_sum(self) -> Lanes:
        """The piece's cells in a column, once for each hole in it."""
        return self.added(
            [
                (self.field(Field.HOLES, i) + gap) * count
                for i, (gap, (_, count)) in enumerate(zip(self.gaps, self.columns, strict=True))
            ]
        )

    def rows_with_holes(self) -> Lanes:
        """Rows of the gaps that had no hole before."""
        rows, floor = self.number(0), self.number(1) << self.row
        for i, (bottom, _) in enumerate(self.columns):
            rows = rows | ((floor << bottom) - self.field(Field.TOP, i))
        return (rows & ~self.scalar(Scalar.HOLE_ROWS)).popcount()

    def max_height(self) -> Lanes:
        """How much the piece stands out above the pile."""
        pile = self.scalar(Scalar.PILE)
        return pile.larger(self.row + self.height) - pile

    def rises(self) -> list[Lanes]:
        """How much each column of the piece grows."""
        return [gap + count for gap, (_, count) in zip(self.gaps, self.columns, strict=True)]

    def column_heights(self) -> Lanes:
        """All that the columns grow, each with its own weight."""
        return self.added([rise * self.field(Field.HEIGHT_WEIGHT, i) for i, rise in enumerate(self.rises())])

    def height_differences(self) -> Lanes:
        """Changes of the differences at the piece's edges and inside it, each with its own weight."""
        return self.added(
            [
                (
                    self.height_after(i).distance(self.height_after(i + 1))
                    - self.field(Field.HEIGHT, i).distance(self.field(Field.HEIGHT, i + 1))
                )
                * self.field(Field.STEP_WEIGHT, i)
                for i in range(-1, self.width)
            ]
        )

    def diversity(self) -> Lanes:
        """How many more different steps there are when those inside the piece and at its edges have changed."""
        tallies = self.scalar(Scalar.STEP_TALLIES)
        for i in range(-1, self.width):
            new = step_tally(self.height_after(i + 1) - self.height_after(i))
            at_edge = i == -1 or i == self.width - 1
            new = new & self.field(Field.STEP, i) if at_edge else new
            tallies = tallies + new - self.field(Field.STEP_TALLY, i)
        return different_steps(tallies) - self.scalar(Scalar.STEP_COUNT)

    def i_wells(self) -> Lanes:
        """New less old depths in the columns of the piece and beside it."""
        def share(height: Callable[[int], Lanes], i: int) -> Lanes:
            return i_well_share(height(i), height(i - 1), height(i + 1))

        change = []
        for i in range(-1, self.width + 1):
            on_board = self.field(Field.ON_BOARD, i)
            change.append(
                (share(self.height_after, i) - share(lambda j: self.field(Field.HEIGHT, j), i)) & on_board
            )
        return self.added(change)

    def added(self, parts: list[Lanes]) -> Lanes:
        """The sum of the parts."""
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def value(self) -> Lanes:
        """The change of the player's value: each change of a feature times its weight."""
        total = self.number(0)
        for term in self.terms:
            if term in (Term.eroded_cells, Term.lines, Term.tall):
                continue  # 0 for all moves that clear nothing
            change: Lanes = getattr(self, term.name)()
            # Heights and steps of columns have been weighted one by one already.
            weighted = term in (Term.column_heights, Term.height_differences)
            total = total + (change if weighted else change * self.weight(term))
        return total

    def completes(self) -> Lanes:
        """-1 where the piece fills exactly the cells that some row lacks."""
        lacking: dict[int, int] = {}
        for r in range(self.height):
            count = sum(row == r for row, _ in self.shape.cells)
            lacking[count] = lacking.get(count, 0) | 1 << r
        found = self.number(0)
        for count, rows in lacking.items():
            found = found | ((self.scalar(Scalar.LACK_1 + count - 1) >> self.row) & rows)
        return found.differs(0)

    def outcome(self) -> tuple[Lanes, Any]:
        """The values, NOT_VALUED where there is no move or it clears rows; and which moves clear rows, as bits."""
        size = 4 * (self.width - 1) + self.height - 1
        clears = self.completes() & (self.row <= self.table(Table.HIGHEST_CLEAR + size))
        plain = (self.row <= self.table(Table.HIGHEST_SAFE + size)) & ~clears
        return self.value().where(plain, NOT_VALUED), clears.mask_bits()
