"""The best drop of a piece: all its orientations in turn, eight columns at a time."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tetriscourse.game.pieces import Orientation
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features import Term, change_of_value, chosen_terms
from tetriscourse.simulator.lanes import INT, WORD, Lanes, meet, repeat, splat, store, vector
from tetriscourse.simulator.layout import LANES, NOT_VALUED, STRIDE, Field, Scalar, Table
from tetriscourse.simulator.shapes import COLUMNS, PROGRAMS

NO_MOVE = 4 * COLUMNS


class BestDrop:
    """The best value in each lane so far, which move has it, and all moves that clear rows, as bits.

    A move is numbered 16 * orientation + column, so that of two equal ones the smaller number wins.
    """

    def __init__(self, value: Any, move: Any, clears: Any):
        self.parts = (value, move, clears)

    @classmethod
    def none(cls) -> BestDrop:
        """Before any move."""
        kind = vector(LANES)
        return cls(ir.Constant(kind, [NOT_VALUED] * LANES), ir.Constant(kind, [NO_MOVE] * LANES), ir.Constant(WORD, 0))

    def or_better(self, builder: ir.IRBuilder, other: BestDrop) -> BestDrop:
        """The better one in each lane, and the clearing moves of both."""
        value, move = (Lanes(builder, part) for part in self.parts[:2])
        value_2, move_2 = (Lanes(builder, part) for part in other.parts[:2])
        wins = (value_2 > value) | (value_2.equals(value) & (move > move_2))
        clears = builder.or_(self.parts[2], other.parts[2])
        return BestDrop(value.larger(value_2).value, move_2.where(wins, move).value, clears)


def try_orientation(
    builder: ir.IRBuilder, state: Any, tables: Any, base: Any, shape: Orientation, number: int,
    terms: list[Term], best: BestDrop,
) -> BestDrop:  # fmt: skip
    """Value all moves of one orientation from column `base` on, if there are any; the best so far."""
    before, body = builder.block, builder.append_basic_block(f"orientation_{number}")
    after = builder.append_basic_block("tried")
    width = builder.load(builder.gep(state, [ir.Constant(WORD, int(Scalar.WIDTH))]))
    last = builder.sub(width, ir.Constant(INT, shape.width))
    builder.cbranch(builder.icmp_signed("<=", builder.trunc(base, INT), last), body, after)
    builder.position_at_end(body)
    drop = Drop(builder, state, tables, base, shape)
    plain, clears = drop.verdicts()
    value = change_of_value(drop, terms).where(plain, NOT_VALUED)
    store(builder, value, drop.address(Field.VALUE, STRIDE * number))
    # Within a lane later orientations have larger numbers: only a better value wins.
    so_far, move = (Lanes(builder, part) for part in best.parts[:2])
    chosen = drop.table(Table.MOVE + number).where(value > so_far, move)
    first = builder.add(base, ir.Constant(WORD, COLUMNS * number))
    shifted = builder.shl(builder.zext(clears.mask_bits(), WORD), first)
    found = BestDrop(value.larger(so_far).value, chosen.value, builder.or_(best.parts[2], shifted))
    body = builder.block
    builder.branch(after)
    builder.position_at_end(after)
    return BestDrop(*meet(builder, (best.parts, before), (found.parts, body)))


def try_piece(builder: ir.IRBuilder, state: Any, tables: Any, program: Any, base: Any, terms: list[Term]) -> BestDrop:
    """Value the moves of the piece with this program from column `base` on."""
    done, nowhere = builder.append_basic_block("dropped"), builder.append_basic_block("no_such_piece")
    switch = builder.switch(program, nowhere)
    ways = []
    for i, piece in enumerate(PROGRAMS):
        block = builder.append_basic_block(f"piece_{piece.name}")
        switch.add_case(ir.Constant(program.type, i), block)
        builder.position_at_end(block)
        best = BestDrop.none()
        for k, shape in enumerate(piece.orientations):
            best = try_orientation(builder, state, tables, base, shape, k, terms, best)
        ways.append((best.parts, builder.block))
        builder.branch(done)
    builder.position_at_end(nowhere)
    builder.unreachable()
    builder.position_at_end(done)
    return BestDrop(*meet(builder, *ways))


@intrinsic(prefer_literal=True)
def drop_piece(typing: Any, state: Any, program: Any, width: Any, tables: Any, features: Any) -> Any:
    """Value all moves of a piece, eight columns at a time, and store the values.

    Returns the best value of those that clear nothing (NOT_VALUED: there is none), the first move that has
    it as 16 * orientation + column, and the moves that clear rows as bits 16 * orientation + column.
    """
    result: Any = types.UniTuple(types.int64, 3)
    terms, _ = chosen_terms(features.literal_value)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        data, number, columns, rows, _ = arguments

        def columns_from(base: Any, *parts: Any) -> tuple[list[Any], Any]:
            best = BestDrop(*parts).or_better(builder, try_piece(builder, data, rows, number, base, terms))
            following = builder.add(base, ir.Constant(WORD, LANES))
            return [following, *best.parts], builder.icmp_signed("<", following, columns)

        _, *best, clears = repeat(builder, (ir.Constant(WORD, 0), *BestDrop.none().parts), columns_from)
        values, moves = (Lanes(builder, part) for part in best)
        value = values.reduce(Lanes.larger)
        move = moves.where(values.equals(splat(builder, value, LANES)), NO_MOVE).reduce(Lanes.smaller)
        return context.make_tuple(builder, result, [builder.sext(value, WORD), builder.sext(move, WORD), clears])

    return result(state, types.int64, types.int64, tables, features), codegen
