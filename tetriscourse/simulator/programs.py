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
from tetriscourse.simulator.columns import address, prepare_columns, value_columns
from tetriscourse.simulator.compiling import c_function
from tetriscourse.simulator.lanes import WORD

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

    def drop_all(state: Any, program: Any, width: Any, tables: Any, outcome: Any) -> None:
        change, move, clears = drop_piece(state, program, width, tables, features)
        outcome[0], outcome[1], outcome[2] = change, move, clears

    return c_function(types.void(STATE, types.int64, types.int64, STATE, NUMBERS), drop_all)


# --- calling them from a kernel -------------------------------------------------------------------


def call(builder: ir.IRBuilder, function: Any, result: Any, arguments: list[Any]) -> Any:
    """Call the function at an address."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(builder.inttoptr(function, kind.as_pointer()), arguments)


@intrinsic
def prepare(typing: Any, states: Any, at: Any, function: Any) -> Any:
    """Compute all that is stored for the board at `at` from its cells."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, function_ = arguments
        call(builder, function_, ir.VoidType(), [address(context, builder, signature.args[0], array, position)])
        return context.get_dummy_value()

    return types.void(states, types.int64, types.int64), codegen


@intrinsic
def board_value(typing: Any, states: Any, at: Any, numbers: Any, weights: Any, function: Any) -> Any:
    """The value of the board at `at`; its weights begin at numbers[weights]."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, list_, first, function_ = arguments
        state = address(context, builder, signature.args[0], array, position)
        return call(builder, function_, WORD, [state, address(context, builder, signature.args[2], list_, first)])

    return types.int64(states, types.int64, numbers, types.int64, types.int64), codegen


@intrinsic
def drop(
    typing: Any, states: Any, at: Any, tables: Any, numbers: Any, program: Any, width: Any, outcome: Any, function: Any
) -> Any:
    """Value all moves of a piece on the board at `at`, with the tables from states[tables] on.

    What drop_piece returns goes to numbers[outcome].
    """

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, first, list_, program_, width_, place, function_ = arguments
        state, tables_ = (address(context, builder, signature.args[0], array, where) for where in (position, first))
        outcome_ = address(context, builder, signature.args[3], list_, place)
        call(builder, function_, ir.VoidType(), [state, program_, width_, tables_, outcome_])
        return context.get_dummy_value()

    word = types.int64
    return types.void(states, word, word, numbers, word, word, word, word), codegen
