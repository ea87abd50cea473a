"""A whole board in lanes, one for each column: its heights and holes, and how a piece is added to it.

A column is a number of 32 bits, its full cells, bit 0 at the bottom.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tetriscourse.simulator.control_flow import repeat
from tetriscourse.simulator.lanes import INT, REGISTER, WORD, Lanes, add_binary, counting, load, splat, store
from tetriscourse.simulator.layout import Field, Scalar, place
from tetriscourse.simulator.shapes import COLUMNS

CELLS = place(Field.CELLS)

Save = Callable[["Field | Scalar", Any], None]
"""Stores a field of each column of a board, or a number of the whole board."""


class BoardLanes:
    """All columns of a board, one lane for each: what a move makes of the board that is stored at an address.

    To the board are added sixteen columns of a piece, raised by `row`, and then the rows in `full` are taken out.
    """

    def __init__(self, builder: ir.IRBuilder, state: Any, move: tuple[Any, Any, Any], tall: bool):
        self.builder, self.state = builder, state
        piece, row, full = move
        walled = load(builder, self.place(CELLS), COLUMNS, tall)  # lanes beyond the board are full walls
        walled = walled | (load(builder, piece, COLUMNS) << splat(builder, builder.trunc(row, INT), COLUMNS))
        self.walled = without_rows(builder, walled, builder.trunc(full, INT))
        self.on_board = ~(counting(builder, COLUMNS) > splat(builder, self.scalar(Scalar.WIDTH), COLUMNS) - 1)
        self.left, self.right = self.walled.neighbour(-1, -1), self.walled.neighbour(1, -1)
        self.cells = self.walled & self.on_board
        self.height = self.cells.bit_length()

    def place(self, position: int) -> Any:
        """The address of a number of the state."""
        return self.builder.gep(self.state, [ir.Constant(WORD, int(position))])

    def scalar(self, scalar: Scalar) -> Any:
        """A number of the whole board."""
        return self.builder.load(self.place(scalar))

    def hole_rows(self) -> Lanes:
        """The rows in which a column has a hole, as bits."""
        return self.height.bits_below() & ~self.cells

    def pile(self) -> Any:
        """The height of the highest column."""
        return self.height.reduce(Lanes.larger)

    def heights(self) -> Lanes:
        """The heights; beyond the board, that of the walls."""
        return self.height.where(self.on_board, splat(self.builder, self.scalar(Scalar.HEIGHT), COLUMNS))

    def neighbour_heights(self) -> tuple[Lanes, Lanes]:
        """The heights to the left and to the right."""
        wall = splat(self.builder, self.scalar(Scalar.HEIGHT), COLUMNS)
        return self.heights().neighbour(-1, wall), self.heights().neighbour(1, wall)

    def totals(self, shares: list[Lanes]) -> list[Any]:
        """The sum of each over the columns, two at a time: their sums fit into halves of a lane."""
        builder, found = self.builder, []
        for pair in (shares[i : i + 2] for i in range(0, len(shares), 2)):
            both = (pair[0] if len(pair) == 1 else pair[0] | (pair[1] << 16)).reduce(Lanes.__add__)
            low, high = builder.and_(both, ir.Constant(INT, 0xFFFF)), builder.lshr(both, ir.Constant(INT, 16))
            found += [low, high][: len(pair)]
        return found

    def union(self, bits: Lanes) -> Any:
        """The bits that are set in any column."""
        return (bits & self.on_board).reduce(lambda a, b: a | b)


def rows_by_lack(board: BoardLanes) -> list[Any]:
    """The rows that lack one, two, three, four cells: the empty cells of all rows are counted at once."""
    digits = [~board.walled]
    while digits[0].count > REGISTER:
        first, second = zip(*(digit.halves() for digit in digits), strict=True)
        digits = add_binary(first, second)
    for step in (2, 1):
        digits = add_binary(digits, [digit.swapped(step) for digit in digits])
    one, two, four, eight, sixteen = digits
    few, many = ~(four | eight | sixteen), eight | sixteen
    lacks = (few & one & ~two, few & ~one & two, few & one & two, four & ~(one | two | many))
    return [rows.first() for rows in lacks]


# Below, `states` is an array with room for several boards; `at` is where the one in question begins.


def address(context: Any, builder: ir.IRBuilder, kind: types.Array, array: Any, at: Any) -> Any:
    """The address of a number in an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


@intrinsic
def put_piece(typing: Any, states: Any, at: Any, patterns: Any, pattern: Any, row: Any, full: Any, target: Any) -> Any:
    """Add a piece to the board at `at` and take out the rows in `full`; the new cells go to `target`.

    The piece's columns are the sixteen numbers from `pattern` on in `patterns`, to be raised by `row`.
    """

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        walled = with_piece(context, builder, signature.args, *arguments[:5])
        cells = without_rows(builder, walled, builder.trunc(arguments[5], INT))
        target = builder.add(arguments[6], ir.Constant(WORD, CELLS))
        store(builder, cells, address(context, builder, signature.args[0], arguments[0], target))
        return context.get_dummy_value()

    arguments = (states, types.int64, patterns, types.int64, types.int64, types.int64, types.int64)
    return types.void(*arguments), codegen


def with_piece(
    context: Any, builder: ir.IRBuilder, kinds: Any, states: Any, at: Any, patterns: Any, pattern: Any, row: Any
) -> Lanes:
    """The columns of the board at `at`, walls included, with a piece added."""
    cells = builder.add(at, ir.Constant(WORD, CELLS))
    walled = load(builder, address(context, builder, kinds[0], states, cells), COLUMNS, tall=True)
    piece = load(builder, address(context, builder, kinds[2], patterns, pattern), COLUMNS)
    return walled | (piece << splat(builder, builder.trunc(row, INT), COLUMNS))


def without_rows(builder: ir.IRBuilder, walled: Lanes, full: Any) -> Lanes:
    """The board without its full rows, taken out from the top one down."""

    def lowered(cells: Any, left: Any) -> tuple[list[Any], Any]:
        top = builder.lshr(ir.Constant(INT, 1 << 31), builder.ctlz(left, ir.Constant(ir.IntType(1), 0)))
        under = builder.sub(top, ir.Constant(INT, 1))
        kept, columns, rest = splat(builder, under, COLUMNS), Lanes(builder, cells), builder.and_(left, under)
        return [((columns & kept) | ((columns >> 1) & ~kept)).value, rest], builder.icmp_signed("!=", rest, zero)

    zero = ir.Constant(INT, 0)
    cells, _ = repeat(builder, (walled.value, full), lowered, begin=builder.icmp_signed("!=", full, zero))
    # The walls have lost their top bits: they are full again. (A column never has all 32 bits.)
    return walled.new(cells) | walled.equals(-1)


@intrinsic
def popcount(typing: Any, number: Any) -> Any:
    """The number of set bits."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), codegen


@intrinsic
def lowest_bit(typing: Any, number: Any) -> Any:
    """The position of the lowest set bit."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen
