"""Programs: the three functions that depend on which features a player uses, compiled once for each choice.

The kernels get them as addresses, so that one compiled kernel plays every player.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tetriscourse.simulator.best import drop_piece
from tetriscourse.simulator.columns import BoardLanes, address, rows_by_lack
from tetriscourse.simulator.compiling import c_function
from tetriscourse.simulator.features import chosen_terms
from tetriscourse.simulator.lanes import WORD, Lanes
from tetriscourse.simulator.layout import Field, Scalar

# A choice of features is a number known at compile time, with a bit for each term that has a weight.


@intrinsic(prefer_literal=True)
def prepare_columns(typing: Any, state: Any, features: Any) -> Any:
    """Compute the numbers stored for each column and for the board from the cells."""
    terms, tall = chosen_terms(features.literal_value)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        board = BoardLanes(builder, arguments[0], tall)
        board.save(Field.HEIGHT, board.heights())
        for term in terms:
            term.store(board)
        builder.store(board.height.reduce(Lanes.larger), board.place(Scalar.PILE))
        builder.store(board.union(board.hole_rows()), board.place(Scalar.HOLE_ROWS))
        for lack, rows in enumerate(rows_by_lack(board)):
            builder.store(rows, board.place(Scalar.LACK_1 + lack))
        return context.get_dummy_value()

    return types.void(state, features), codegen


@intrinsic(prefer_literal=True)
def value_columns(typing: Any, state: Any, weights: Any, features: Any) -> Any:
    """Twice the weighted sum of the terms of a board that have a total; stores its heights if columns are weighted."""
    terms, tall = chosen_terms(features.literal_value)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        board = BoardLanes(builder, arguments[0], tall)
        if any(term.weighted for term in terms):
            board.save(Field.HEIGHT, board.heights())
        value = ir.Constant(WORD, 0)
        for term in terms:
            total = term.total(board)
            if total is not None:
                weight = builder.load(builder.gep(arguments[1], [ir.Constant(WORD, term.number)]))
                value = builder.add(value, builder.mul(builder.sext(total, WORD), weight))
        return value

    return types.int64(state, weights, features), codegen


STATE, NUMBERS = types.CPointer(types.int32), types.CPointer(types.int64)


@cache
def prepare_program(features: int) -> int:
    """The address of: prepare(state)."""

    def prepare_board(state: Any) -> None:
        prepare_columns(state, features)

    return c_function(types.void(STATE), prepare_board)


@cache
def value_program(features: int) -> int:
    """The address of: value(state, weights)."""

    def value_board(state: Any, weights: Any) -> Any:
        return value_columns(state, weights, features)

    return c_function(types.int64(STATE, NUMBERS), value_board)


@cache
def drop_program(features: int) -> int:
    """The address of: drop(state, program, width, tables, outcome)."""

    def drop_board(state: Any, program: Any, width: Any, tables: Any, outcome: Any) -> None:
        change, move, clears = drop_piece(state, program, width, tables, features)
        outcome[0], outcome[1], outcome[2] = change, move, clears

    return c_function(types.void(STATE, types.int64, types.int64, STATE, NUMBERS), drop_board)


def call(builder: ir.IRBuilder, function: Any, result: Any, arguments: list[Any]) -> Any:
    """Call the function at an address."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(builder.inttoptr(function, kind.as_pointer()), arguments)


@intrinsic
def prepare(typing: Any, states: Any, at: Any, function: Any) -> Any:
    """Compute everything that is stored for the board at `at` from its cells."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, function_ = arguments
        call(builder, function_, ir.VoidType(), [address(context, builder, signature.args[0], array, position)])
        return context.get_dummy_value()

    return types.void(states, types.int64, types.int64), codegen


@intrinsic
def board_value(typing: Any, states: Any, at: Any, weights: Any, first: Any, function: Any) -> Any:
    """The value of the board at `at`; the weights of its terms begin at weights[first]."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, list_, first_, function_ = arguments
        state = address(context, builder, signature.args[0], array, position)
        return call(builder, function_, WORD, [state, address(context, builder, signature.args[2], list_, first_)])

    return types.int64(states, types.int64, weights, types.int64, types.int64), codegen


@intrinsic
def drop_all(
    typing: Any, states: Any, at: Any, tables: Any, program: Any, width: Any, outcome: Any, function: Any
) -> Any:
    """Value all moves of a piece on the board at `at`, with the tables from states[tables] on.

    `outcome` receives the results of drop_piece.
    """

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, first, program_, width_, list_, function_ = arguments
        state, tables_ = (address(context, builder, signature.args[0], array, where) for where in (position, first))
        outcome_ = address(context, builder, signature.args[5], list_, ir.Constant(WORD, 0))
        call(builder, function_, ir.VoidType(), [state, program_, width_, tables_, outcome_])
        return context.get_dummy_value()

    word = types.int64
    return types.void(states, word, word, word, word, outcome, word), codegen
