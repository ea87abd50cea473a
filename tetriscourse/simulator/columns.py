"""A whole board in lanes, one for each column: its features in full, and what a move does to it.

A column is a number of 32 bits, its full cells, bit 0 at the bottom. Most features are sums of shares
of the columns, and a share needs no more than a column and its neighbours: `TOTALS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tetriscourse.simulator.lanes import (
    INT,
    REGISTER,
    WORD,
    Lanes,
    add_binary,
    counting,
    load,
    repeat_while_any,
    splat,
    store,
    vector,
)  # fmt: skip
from tetriscourse.simulator.layout import COLUMNS, ORIGIN, STRIDE, Field, Scalar, Term

# --- shares of a column -------------------------------------------------------------------------


def well_share(cells: Lanes, left: Lanes, right: Lanes) -> Lanes:
    """Cumulative wells of a column: each stretch of well cells from depth d down counts d + (d-1) + ..."""

    def stretch(pending: Lanes, total: Lanes) -> tuple[Lanes, Lanes]:
        top = pending.bit_length()
        up_to_top = top.bits_below()
        depth = top - (cells & up_to_top).bit_length()
        bottom = (~pending & up_to_top).bit_length()
        length = top - bottom
        # The sum of depth - k for k below length, twice it to stay in whole numbers.
        return pending & bottom.bits_below(), total + length * (depth + depth - length + 1)

    twice = repeat_while_any(cells.builder, left & right & ~cells, cells.number(0), stretch, first=2)
    return twice >> 1


def one_pass_share(cells: Lanes, left: Lanes, right: Lanes) -> Lanes:
    """One-pass wells of a column: in each empty run, 1 + ... + n from its topmost well cell down."""

    def run(pending: Lanes, total: Lanes) -> tuple[Lanes, Lanes]:
        top = pending.bit_length()
        bottom = (cells & top.bits_below()).bit_length()
        n = top - bottom
        return pending & bottom.bits_below(), total + n * (n + 1)

    twice = repeat_while_any(cells.builder, left & right & ~cells, cells.number(0), run, first=1)
    return twice >> 1


def triangle(n: Lanes) -> Lanes:
    """Twice 1 + ... + n."""
    return n * (n + 1)


def open_well_depth(wells: Lanes, height: Lanes) -> Lanes:
    """n, if the topmost well cell is the n-th above this height, otherwise 0."""
    return (wells.bit_length() - height).larger(0)


def open_well_share(wells: Lanes, height: Lanes) -> Lanes:
    """What it counts, twice."""
    return triangle(open_well_depth(wells, height))


def hole_depth_sum_share(cells: Lanes, holes: Lanes) -> Lanes:
    """Full cells above each hole of a column, hole by hole from the lowest."""

    def hole(pending: Lanes, total: Lanes) -> tuple[Lanes, Lanes]:
        lowest = pending & (zero - pending)
        above = ~(lowest - 1) & pending.differs(0)
        return pending & (pending - 1), total + (cells & above).popcount()

    zero = cells.number(0)
    return repeat_while_any(cells.builder, holes, zero, hole, first=1)


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


def i_well_share(height: Lanes, left: Lanes, right: Lanes) -> Lanes:
    """The depth of a column below both neighbours, if it is at least 3."""
    depth = left.smaller(right) - height
    return depth & (depth > 2)


# --- a board --------------------------------------------------------------------------------------


class Columns:
    """All columns of the board that is stored at an address, one lane for each."""

    def __init__(self, builder: ir.IRBuilder, state: Any, tall: bool):
        self.builder, self.state = builder, state
        self.on_board = ~(counting(builder, COLUMNS) > splat(builder, self.scalar(Scalar.WIDTH), COLUMNS) - 1)
        self.see(load(builder, self.place(STRIDE * Field.CELLS + ORIGIN), COLUMNS, tall))

    def see(self, walled: Lanes) -> None:
        """Take these cells, lanes beyond the board being full walls."""
        self.walled, self.left, self.right = walled, walled.neighbour(-1, -1), walled.neighbour(1, -1)
        self.cells = walled & self.on_board
        self.height = self.cells.bit_length()

    def place(self, position: int) -> Any:
        """The address of a number of the state."""
        return self.builder.gep(self.state, [ir.Constant(WORD, int(position))])

    def scalar(self, scalar: Scalar) -> Any:
        """A number of the whole board."""
        return self.builder.load(self.place(scalar))

    def save(self, field: Field, lanes: Lanes) -> None:
        """Store a field of each column."""
        store(self.builder, lanes, self.place(STRIDE * field + ORIGIN))

    def hole_rows(self) -> Lanes:
        """The rows in which a column has a hole, as bits."""
        return self.height.bits_below() & ~self.cells

    def heights(self) -> Lanes:
        """The heights; beyond the board, that of the walls."""
        return self.height.where(self.on_board, splat(self.builder, self.scalar(Scalar.HEIGHT), COLUMNS))

    def neighbour_heights(self) -> tuple[Lanes, Lanes]:
        """The heights to the left and to the right."""
        wall = splat(self.builder, self.scalar(Scalar.HEIGHT), COLUMNS)
        return self.heights().neighbour(-1, wall), self.heights().neighbour(1, wall)

    def total(self, shares: Lanes) -> Any:
        """The sum over the board."""
        return (shares & self.on_board).reduce(lambda a, b: a + b)

    def union(self, bits: Lanes) -> Any:
        """The bits that are set in any column."""
        return (bits & self.on_board).reduce(lambda a, b: a | b)


def all_row_transitions(board: Columns) -> Any:
    """Changes from each column to the next; rows above the board count only beyond an empty row's 2."""
    builder = board.builder
    # The lane right of the board sees the change to the wall; the sixteenth column sees it itself.
    changes = (board.walled ^ board.left).popcount_total()
    last = builder.extract_element(board.walled.value, ir.Constant(INT, COLUMNS - 1))
    changes = builder.add(changes, builder.ctpop(builder.not_(last)))
    sky = builder.sub(ir.Constant(INT, 32), board.scalar(Scalar.HEIGHT))
    return builder.sub(changes, builder.mul(sky, ir.Constant(INT, 2)))


def step_tallies(board: Columns) -> Lanes:
    """The height difference between each column and the next, as a tally."""
    _, right = board.neighbour_heights()
    return step_tally(right - board.height) & board.on_board & board.on_board.neighbour(1, 0)


def all_steps(board: Columns) -> Any:
    """How many different height differences there are among -2 to 2."""
    tallies = board.total(step_tallies(board))
    return different_steps(splat(board.builder, tallies, REGISTER)).first()


def all_column_transitions(board: Columns) -> Any:
    """Changes up each column; a cell in bit 31 ends below the sky too."""
    cells, builder = board.cells, board.builder
    changes = ((cells ^ (cells << 1 | 1)) & board.on_board).popcount_total()
    return builder.add(changes, builder.ctpop(cells.sign().mask_bits()))


TOTALS: dict[Term, Callable[[Columns], Any]] = {
    Term.row_transitions: all_row_transitions,
    Term.column_transitions: all_column_transitions,
    Term.holes: lambda board: board.hole_rows().popcount_total(),
    Term.wells: lambda board: board.total(well_share(board.walled, board.left, board.right)),
    Term.wells_one_pass: lambda board: board.total(one_pass_share(board.walled, board.left, board.right)),
    Term.hole_depth: lambda board: (board.cells & (board.cells + 1)).popcount_total(),
    Term.hole_depth_sum: lambda board: board.total(hole_depth_sum_share(board.cells, board.hole_rows())),
    Term.rows_with_holes: lambda board: board.builder.ctpop(board.union(board.hole_rows())),
    Term.max_height: lambda board: board.height.reduce(Lanes.larger),
    Term.diversity: all_steps,
    Term.i_wells: lambda board: board.total(i_well_share(board.height, *board.neighbour_heights())),
}
"""Each feature of a board in full. (The kernels add weighted heights and differences.)"""


def rows_by_lack(board: Columns) -> list[Any]:
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


# --- what is compiled for each choice of features -------------------------------------------------
#
# `features` is a number known at compile time, bit t set if term t has a weight: programs.py.


def present(features: int) -> list[Term]:
    """The terms that have a weight."""
    return [term for term in Term if features >> term & 1]


def weight(builder: ir.IRBuilder, weights: Any, term: Term) -> Any:
    """The weight of a term, loaded from the list of all."""
    return builder.load(builder.gep(weights, [ir.Constant(WORD, int(term))]))


@intrinsic(prefer_literal=True)
def prepare_columns(typing: Any, state: Any, features: Any) -> Any:
    """Compute what is stored for each column and for the board from the cells."""
    terms = present(features.literal_value)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        board = Columns(builder, arguments[0], Term.tall in terms)
        board.save(Field.HEIGHT, board.heights())
        if Term.hole_depth in terms:
            board.save(Field.LOOSE, (board.cells & (board.cells + 1)).differs(0))
        if Term.hole_depth_sum in terms:
            board.save(Field.HOLES, board.height - board.cells.popcount())
        if Term.rows_with_holes in terms:
            board.save(Field.TOP, board.cells.number(1) << board.height)
        if Term.diversity in terms:
            board.save(Field.STEP_TALLY, step_tallies(board))
            builder.store(board.total(step_tallies(board)), board.place(Scalar.STEP_TALLIES))
            builder.store(all_steps(board), board.place(Scalar.STEP_COUNT))
        if Term.wells_one_pass in terms:
            board.save(Field.WELLS_ONE_PASS, one_pass_share(board.walled, board.left, board.right))
            wells = board.left & board.right & ~board.walled
            depth = open_well_depth(wells, board.height)
            board.save(Field.OPEN_DEPTH, depth)
            board.save(Field.OPEN_WELL, triangle(depth))
            board.save(Field.BELOW_TOP, board.height.bits_below())
        builder.store(board.height.reduce(Lanes.larger), board.place(Scalar.PILE))
        builder.store(board.union(board.hole_rows()), board.place(Scalar.HOLE_ROWS))
        for lack, rows in enumerate(rows_by_lack(board)):
            builder.store(rows, board.place(Scalar.LACK_1 + lack))
        return context.get_dummy_value()

    return types.void(state, features), codegen


@intrinsic(prefer_literal=True)
def value_columns(typing: Any, state: Any, weights: Any, features: Any) -> Any:
    """Twice the weighted sum of the features of a board, weighted heights and differences aside; stores its heights."""
    terms = present(features.literal_value)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        board = Columns(builder, arguments[0], Term.tall in terms)
        if Term.column_heights in terms or Term.height_differences in terms:
            board.save(Field.HEIGHT, board.heights())
        value = ir.Constant(WORD, 0)
        for term in terms:
            if term in TOTALS:
                total = builder.sext(TOTALS[term](board), WORD)
                value = builder.add(value, builder.mul(total, weight(builder, arguments[1], term)))
        return value

    return types.int64(state, weights, features), codegen


# --- what the kernels call ------------------------------------------------------------------------
#
# `states` is an array with room for several boards; `at` is where the one in question begins.


def address(context: Any, builder: ir.IRBuilder, kind: types.Array, array: Any, at: Any) -> Any:
    """The address of a number in an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


@intrinsic
def settle(typing: Any, states: Any, at: Any, target: Any, patterns: Any, pattern: Any, row: Any, clears: Any) -> Any:
    """Add a piece to the board at `at` and clear full rows; the new cells go to `target`.

    The piece's columns are the sixteen numbers from `pattern` on in `patterns`, to be raised by `row`.
    With clears = 0 no row is cleared. Returns the rows that were full, and those with a full cell
    afterwards, as bits.
    """
    result: Any = types.UniTuple(types.int64, 2)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, at_, target_, pieces, first, rise, may_clear = arguments
        board = Columns(builder, address(context, builder, signature.args[0], array, at_), tall=True)
        piece = load(builder, address(context, builder, signature.args[3], pieces, first), COLUMNS)
        walled = board.walled | (piece << splat(builder, builder.trunc(rise, INT), COLUMNS))
        full = walled.reduce(lambda a, b: a & b)
        full = builder.select(builder.icmp_signed("!=", may_clear, ir.Constant(WORD, 0)), full, ir.Constant(INT, 0))
        board.see(without_rows(builder, walled, full))
        board.state = address(context, builder, signature.args[0], array, target_)
        board.save(Field.CELLS, board.walled)
        return context.make_tuple(
            builder, result, [builder.zext(bits, WORD) for bits in (full, board.union(board.cells))]
        )

    arguments = (states, types.int64, types.int64, patterns, types.int64, types.int64, types.int64)
    return result(*arguments), codegen


def without_rows(builder: ir.IRBuilder, walled: Lanes, full: Any) -> Lanes:
    """The board without its full rows, taken out from the top one down."""
    entry, zero = builder.block, ir.Constant(INT, 0)
    loop, done = builder.append_basic_block("clear"), builder.append_basic_block("cleared")
    builder.cbranch(builder.icmp_signed("!=", full, zero), loop, done)
    builder.position_at_end(loop)
    cells, left = builder.phi(vector(COLUMNS)), builder.phi(INT)
    top = builder.lshr(ir.Constant(INT, 1 << 31), builder.ctlz(left, ir.Constant(ir.IntType(1), 0)))
    under = builder.sub(top, ir.Constant(INT, 1))
    kept, columns = splat(builder, under, COLUMNS), Lanes(builder, cells)
    lowered = (columns & kept) | ((columns >> 1) & ~kept)
    rest = builder.and_(left, under)
    for phi, first, later in ((cells, walled.value, lowered.value), (left, full, rest)):
        phi.add_incoming(first, entry)
        phi.add_incoming(later, loop)
    builder.cbranch(builder.icmp_signed("!=", rest, zero), loop, done)
    builder.position_at_end(done)
    result = builder.phi(vector(COLUMNS))
    result.add_incoming(walled.value, entry)
    result.add_incoming(lowered.value, loop)
    # The walls have lost their top bits: they are full again. (A column never has all 32 bits.)
    return walled.new(result) | walled.equals(-1)


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
