"""One lane a move: the values of all moves of a piece, eight at a time.

Lane x stands for the move that drops the piece with its left edge in column x. A move that clears
no row changes little: the pile rises in the columns of the piece, and only these and their two
neighbours count differently afterwards. So each lane computes by how much its move *changes* the
value of the present board, from the numbers stored for each of its columns (layout.Field). Every piece gets
its own program, one orientation after the other, in which their shapes are constant.

Moves that clear rows are rare. They are recognised here (the piece fills exactly the cells that a row lacks)
and left to the kernels, which make them and value the board in full.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from llvmlite import ir

from tetriscourse.game.pieces import Orientation
from tetriscourse.simulator.lanes import Lanes, load, splat, vector
from tetriscourse.simulator.layout import LANES, Field, Scalar, Table, place
from tetriscourse.simulator.shapes import COLUMNS


class Drop:
    """All moves of one shape, one lane for each column from `base` on."""

    def __init__(self, builder: ir.IRBuilder, state: Any, tables: Any, base: Any, shape: Orientation):
        self.builder, self.state, self.tables, self.base = builder, state, tables, base
        self.shape, self.width, self.height, self.columns = shape, shape.width, shape.height, shape.columns
        self.inside = range(self.width)
        tops = [self.height_before(i) - bottom for i, (bottom, _) in enumerate(self.columns)]
        self.row = reduce(Lanes.larger, tops)
        self.gaps = [self.row - top for top in tops]

    def address(self, field: Field, offset: int) -> Any:
        """Where a field of the column `offset` to the right of the first lane's left edge is stored."""
        position = self.builder.add(self.base, ir.Constant(self.base.type, place(field) + offset))
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

    def weight(self, term: int) -> Lanes:
        """The weight of a term, by its number."""
        position = ir.Constant(self.base.type, COLUMNS * Table.WEIGHT + LANES * term)
        return load(self.builder, self.builder.gep(self.tables, [position]), LANES)

    def number(self, value: int) -> Lanes:
        """A number known at compile time, in each lane."""
        return Lanes(self.builder, ir.Constant(vector(LANES), [value] * LANES))

    def cells_before(self, offset: int) -> Lanes:
        """The cells of a column before the move."""
        return self.field(Field.CELLS, offset)

    def cells_after(self, offset: int) -> Lanes:
        """The cells of a column after the move."""
        cells = self.cells_before(offset)
        return cells | self.filled(offset) if offset in self.inside else cells

    def filled(self, offset: int) -> Lanes:
        """The cells that the piece fills in one of its columns."""
        bottom, count = self.columns[offset]
        return self.number(((1 << count) - 1) << bottom) << self.row

    def height_before(self, offset: int) -> Lanes:
        """The height of a column before the move."""
        return self.field(Field.HEIGHT, offset)

    def height_after(self, offset: int) -> Lanes:
        """The height of a column after the move."""
        if offset not in self.inside:
            return self.height_before(offset)
        return self.row + sum(self.columns[offset])

    def gaps_and_counts(self) -> list[tuple[Lanes, int]]:
        """For each column of the piece the gap below it, and how many cells it has."""
        return [(gap, count) for gap, (_, count) in zip(self.gaps, self.columns, strict=True)]

    def added(self, parts: list[Lanes]) -> Lanes:
        """The sum of the parts."""
        return reduce(Lanes.__add__, parts)

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

    def verdicts(self) -> tuple[Lanes, Lanes]:
        """-1 where the move may be taken and clears nothing; -1 where it clears rows."""
        size = 4 * (self.width - 1) + self.height - 1
        clears = self.completes() & (self.row <= self.table(Table.HIGHEST_CLEAR + size))
        return (self.row <= self.table(Table.HIGHEST_SAFE + size)) & ~clears, clears
