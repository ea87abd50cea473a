"""The best drops of a piece: all moves of all its orientations, valued in lanes."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from llvmlite import ir

from tetriscourse.simulator.control_flow import meet
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features import Term, change_of_value, change_with_skips, value_before
from tetriscourse.simulator.lanes import WORD, Lanes, splat, store
from tetriscourse.simulator.layout import FEW, NOT_VALUED, Moves
from tetriscourse.simulator.shapes import COLUMNS, PROGRAMS


class Choice(NamedTuple):
    """The features and kind of board that programs are compiled for."""

    terms: int  # a bit for each term that a player may use
    tall: bool = False  # whether cells can be as high as bit 31
    width: int = 12  # columns of the board; 8 stands for fewer too, 12 for any number
    skips: bool = False  # whether terms that have no weight are skipped while playing: slower, and good for all players

    def lanes(self, shape_width: int) -> int:
        """How many lanes the moves of a shape need."""
        return FEW if self.width - shape_width < FEW else COLUMNS


class BestMove(NamedTuple):
    """The best move of a piece, once all have been valued; a move is bit 16 * orientation + column."""

    change: Any  # the largest change of value, NOT_VALUED if there is none
    ties: Any  # the moves that have it, as bits
    in_full: Any  # the moves that are left to the kernels, as bits


def drop_orientations(builder: ir.IRBuilder, drops: list[Drop], terms: list[Term], skips: bool) -> BestMove:
    """Value the moves of a piece, orientation by orientation, and store what was found."""
    values, in_full = [], ir.Constant(WORD, 0)
    before = None if skips else value_before(drops[0], terms)
    for k, drop in enumerate(drops):
        change = change_with_skips(drop, terms) if skips else change_of_value(drop, terms, before)
        plain, left = drop.verdicts()
        values.append(change.where(plain, NOT_VALUED))
        for where, what in ((Moves.CHANGE, values[-1]), (Moves.LANDING, drop.row | (drop.completed() << 5))):
            store(builder, what, builder.gep(drop.state, [ir.Constant(WORD, where + COLUMNS * k)]))
        in_full = builder.or_(in_full, as_moves(left, k))
    best = reduce(Lanes.larger, (few for value in values for few in value.parts(FEW))).reduce(Lanes.larger)
    ties = ir.Constant(WORD, 0)
    for k, value in enumerate(values):
        ties = builder.or_(ties, as_moves(value.equals(splat(builder, best, value.count)), k))
    return BestMove(builder.sext(best, WORD), ties, in_full)


def as_moves(mask: Lanes, orientation: int) -> Any:
    """The lanes that are set, as moves of an orientation."""
    builder = mask.builder
    return builder.shl(builder.zext(mask.mask_bits(), WORD), ir.Constant(WORD, COLUMNS * orientation))


def drop_piece(
    builder: ir.IRBuilder, state: Any, tables: Any, program: Any, terms: list[Term], choice: Choice
) -> BestMove:
    """Value all moves of the piece with this program."""
    done, nowhere = builder.append_basic_block("dropped"), builder.append_basic_block("no_such_piece")
    switch = builder.switch(program, nowhere)
    ways = []
    for i, piece in enumerate(PROGRAMS):
        block = builder.append_basic_block(f"piece_{piece.name}")
        switch.add_case(ir.Constant(program.type, i), block)
        builder.position_at_end(block)
        drops = [Drop(builder, state, tables, shape, choice.lanes(shape.width)) for shape in piece.orientations]
        ways.append((drop_orientations(builder, drops, terms, choice.skips), builder.block))
        builder.branch(done)
    builder.position_at_end(nowhere)
    builder.unreachable()
    builder.position_at_end(done)
    return BestMove(*meet(builder, *ways))
