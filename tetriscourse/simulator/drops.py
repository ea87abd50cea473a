"""One lane for each move: the values of all moves of an orientation at once.

Lane x stands for the move that drops the piece with its left edge in column x. A move that clears
no row changes little: the pile rises in the columns of the piece, and only these and their two
neighbours count differently afterwards. So each lane computes by how much its move *changes* the
value of the present board, from the numbers stored for each of its columns (layout.Field). Every piece gets
its own program, one orientation after the other, in which their shapes are constant.

Moves that clear rows are rare. They are recognised here (the piece fills exactly the cells that a row lacks)
and left to the kernels, which make them and value the board in full. So are the moves for which a feature says
that its formula for the usual case does not hold (`Drop.leave_to_kernels`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from llvmlite import ir

from tetriscourse.game.pieces import Orientation
from tetriscourse.simulator.lanes import WORD, Lanes, load, splat, vector
from tetriscourse.simulator.layout import Field, Scalar, Table, place
from tetriscourse.simulator.shapes import COLUMNS

SHIFTED = {Field.HEIGHT, Field.CELLS}


class Drop:
    """All moves of one shape, one lane for the column of its left edge."""

    def __init__(self, builder: ir.IRBuilder, state: Any, tables: Any, shape: Orientation, lanes: int):
        self.builder, self.state, self.tables, self.lanes = builder, state, tables, lanes
        self.shape, self.width, self.height, self.columns = shape, shape.width, shape.height, shape.columns
        self.inside = range(self.width)
        tops = [self.height_before(i) - bottom for i, (bottom, _) in enumerate(self.columns)]
        self.row = reduce(Lanes.larger, tops)
        self.gaps = [self.row - top for top in tops]
        self.unusual = self.number(0)
        self.shared: dict[Callable[[Drop], Lanes], Lanes] = {}

    def once(self, compute: Callable[[Drop], Lanes]) -> Lanes:
        """A value of the board after the move that several terms need, computed for the first of them."""
        if compute not in self.shared:
            self.shared[compute] = compute(self)
        return self.shared[compute]

    def address(self, field: Field, offset: int) -> Any:
        """Where a field of the column `offset` to the right of the first lane's left edge is stored."""
        return self.builder.gep(self.state, [ir.Constant(WORD, place(field) + offset)])

    def field(self, field: Field, offset: int) -> Lanes:
        """A field of the column `offset` to the right of the piece's left edge, in each lane."""
        if field in SHIFTED:
            columns = load(self.builder, self.address(field, 0), COLUMNS)
            wall = splat(self.builder, self.scalar_number(Scalar.HEIGHT), COLUMNS) if field is Field.HEIGHT else -1
            return columns.moved(offset, wall, self.lanes)
        return load(self.builder, self.address(field, offset), self.lanes)

    def scalar(self, scalar: int) -> Lanes:
        """A number of the whole board, in each lane."""
        return splat(self.builder, self.scalar_number(scalar), self.lanes)

    def scalar_number(self, scalar: int) -> Any:
        """A number of the whole board."""
        return self.builder.load(self.builder.gep(self.state, [ir.Constant(WORD, int(scalar))]))

    def table(self, row: int) -> Lanes:
        """A row of the tables."""
        return load(self.builder, self.builder.gep(self.tables, [ir.Constant(WORD, COLUMNS * row)]), self.lanes)

    def weight(self, term: int) -> Lanes:
        """The weight of a term, by its number."""
        return splat(self.builder, self.weight_number(term), self.lanes)

    def weight_number(self, term: int) -> Any:
        """The weight of a term, as a single number."""
        position = ir.Constant(WORD, COLUMNS * Table.WEIGHT + term)
        return self.builder.load(self.builder.gep(self.tables, [position]))

    def number(self, value: int) -> Lanes:
        """A number known at compile time, in each lane."""
        return Lanes(self.builder, ir.Constant(vector(self.lanes), [value] * self.lanes))

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

    def pile_after(self) -> Lanes:
        """The height of the highest column after the move."""
        return self.scalar(Scalar.PILE).larger(self.row + self.height)

    def gaps_and_counts(self) -> list[tuple[Lanes, int]]:
        """For each column of the piece the gap below it, and how many cells it has."""
        return [(gap, count) for gap, (_, count) in zip(self.gaps, self.columns, strict=True)]

    def added(self, parts: list[Lanes]) -> Lanes:
        """The sum of the parts."""
        return reduce(Lanes.__add__, parts)

    def completed(self) -> Lanes:
        """The rows of the piece in which it fills exactly the cells that are lacking, as bits."""
        lacking: dict[int, int] = {}
        for r in range(self.height):
            count = sum(row == r for row, _ in self.shape.cells)
            lacking[count] = lacking.get(count, 0) | 1 << r
        found = self.number(0)
        for count, rows in lacking.items():
            found = found | ((self.scalar(Scalar.LACK_1 + count - 1) >> self.row) & rows)
        return found

    def leave_to_kernels(self, where: Lanes) -> None:
        """Have the moves in the lanes that are not 0 valued in full."""
        self.unusual = self.unusual | where

    def verdicts(self) -> tuple[Lanes, Lanes]:
        """-1 where the change of value holds; -1 where the move is to be valued in full, if it may be taken at all."""
        size = 4 * (self.width - 1) + self.height - 1
        safe, clearing = (self.row <= self.table(first + size) for first in (Table.HIGHEST_SAFE, Table.HIGHEST_CLEAR))
        in_full = (self.completed().differs(0) & clearing) | (self.unusual.differs(0) & safe)
        return safe & ~in_full, in_full
