"""Programs: the three functions that depend on which features a player uses, compiled once for each choice.

The kernels get them as addresses, so that one compiled kernel plays every player.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tetriscourse.simulator.best import Choice, drop_piece
from tetriscourse.simulator.columns import BoardLanes, address, rows_by_lack
from tetriscourse.simulator.features import Term, chosen_terms, value_of_columns
from tetriscourse.simulator.lanes import INT, WORD, Lanes, store
from tetriscourse.simulator.layout import Field, Scalar, place
from tetriscourse.simulator.native import is_kept, loaded

STATE, NUMBERS, NOTHING = INT.as_pointer(), WORD.as_pointer(), ir.VoidType()
BEST = ir.LiteralStructType([WORD] * 3)


class Programs(NamedTuple):
    """The addresses of three functions."""

    make: int  # make(state, target, piece, row, full)
    value: int  # value(state, piece, row, full, weights)
    drop: int  # drop(state, program, tables)


LOADED: dict[Choice, Programs] = {}


def programs(choice: Choice) -> Programs:
    """The programs for a choice of features; unless they are ready, they are compiled now."""
    if choice not in LOADED:
        name = name_of(choice)
        functions = tuple(f"{one}_{name}" for one in Programs._fields)
        LOADED[choice] = Programs(*loaded(name, lambda: written(choice, functions), functions))
    return LOADED[choice]


def are_ready(choice: Choice) -> bool:
    """Whether nothing has to be compiled for a choice of features."""
    return choice in LOADED or is_kept(name_of(choice))


def name_of(choice: Choice) -> str:
    """The name of the programs for a choice."""
    return f"programs_{choice.terms:x}_{choice.width}{'t' * choice.tall}{'s' * choice.skips}"


def written(choice: Choice, names: tuple[str, ...]) -> ir.Module:
    """The three functions, in LLVM's language."""
    module, terms = ir.Module(), chosen_terms(choice.terms)
    kinds = (
        ir.FunctionType(NOTHING, [STATE, STATE, STATE, WORD, WORD]),
        ir.FunctionType(WORD, [STATE, STATE, WORD, WORD, NUMBERS]),
        ir.FunctionType(BEST, [STATE, WORD, STATE]),
    )
    make, value, drop = (ir.Function(module, kind, name) for kind, name in zip(kinds, names, strict=True))
    write_make(make, terms, choice)
    write_value(value, terms, choice)
    write_drop(drop, terms, choice)
    return module


def body(function: ir.Function) -> ir.IRBuilder:
    """Where a function is written."""
    function.attributes.add("nounwind")
    return ir.IRBuilder(function.append_basic_block())


def write_make(function: ir.Function, terms: list[Term], choice: Choice) -> None:
    """Make a move, and compute the numbers stored for each column of the new board, and for the board."""
    builder = body(function)
    state, target, *move = function.args
    board = BoardLanes(builder, state, (move[0], move[1], move[2]), choice.tall)
    found: dict[int, Any] = {}

    def save(where: Field | Scalar, what: Any) -> None:
        found[place(where) if isinstance(where, Field) else int(where)] = what

    save(Field.CELLS, board.walled)
    save(Field.HEIGHT, board.heights())
    for term in terms:
        term.store(board, save)
    save(Scalar.PILE, board.pile())
    save(Scalar.HOLE_ROWS, board.union(board.hole_rows()))
    for lack, rows in enumerate(rows_by_lack(board)):
        save(Scalar(Scalar.LACK_1 + lack), rows)
    for position, what in found.items():  # after all has been read: the target may be the board itself
        address = builder.gep(target, [ir.Constant(WORD, position)])
        store(builder, what, address) if isinstance(what, Lanes) else builder.store(what, address)
    builder.ret_void()


def write_value(function: ir.Function, terms: list[Term], choice: Choice) -> None:
    """Twice the weighted sum of all features of the board after a move."""
    builder = body(function)
    state, piece, row, full, weights = function.args
    board = BoardLanes(builder, state, (piece, row, full), choice.tall)
    builder.ret(value_of_columns(board, terms, weights, choice.skips))


def write_drop(function: ir.Function, terms: list[Term], choice: Choice) -> None:
    """Value all moves of a piece: best.BestMove, in registers."""
    builder = body(function)
    state, program, tables = function.args
    best = ir.Constant(BEST, ir.Undefined)
    for i, number in enumerate(drop_piece(builder, state, tables, program, terms, choice)):
        best = builder.insert_value(best, number, i)
    builder.ret(best)


# --- calls ----------------------------------------------------------------------------------------


def call(builder: ir.IRBuilder, function: Any, result: Any, arguments: list[Any]) -> Any:
    """Call the function at an address."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(builder.inttoptr(function, kind.as_pointer()), arguments)


@intrinsic
def make_move(
    typing: Any, states: Any, at: Any, target: Any, patterns: Any, pattern: Any, row: Any, full: Any, function: Any
) -> Any:
    """Make a move on the board at `at`, as in columns.put_piece, and compute all that is stored of the new one."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, target_, list_, first, row_, full_, function_ = arguments
        state, new = (address(context, builder, signature.args[0], array, where) for where in (position, target_))
        piece = address(context, builder, signature.args[3], list_, first)
        call(builder, function_, NOTHING, [state, new, piece, row_, full_])
        return context.get_dummy_value()

    word = types.int64
    return types.void(states, word, word, patterns, word, word, word, word), codegen


@intrinsic
def value_after(
    typing: Any, states: Any, at: Any, patterns: Any, pattern: Any, row: Any, full: Any, weights: Any, first: Any,
    function: Any,
) -> Any:  # fmt: skip
    """The value of the board after a move; the weights (records.WEIGHTS_RECORD) begin at weights[first]."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, list_, first, row_, full_, weights_, begin, function_ = arguments
        state = address(context, builder, signature.args[0], array, position)
        piece = address(context, builder, signature.args[2], list_, first)
        numbers = address(context, builder, signature.args[6], weights_, begin)
        return call(builder, function_, WORD, [state, piece, row_, full_, numbers])

    word = types.int64
    return word(states, word, patterns, word, word, word, weights, word, word), codegen


@intrinsic
def drop_all(typing: Any, states: Any, at: Any, tables: Any, program: Any, function: Any) -> Any:
    """Value all moves of a piece on the board at `at`, with the tables from states[tables] on: best.BestMove."""
    word = types.int64
    result: Any = types.UniTuple(word, 3)

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array, position, first, program_, function_ = arguments
        state, tables_ = (address(context, builder, signature.args[0], array, where) for where in (position, first))
        best = call(builder, function_, BEST, [state, program_, tables_])
        return context.make_tuple(builder, result, [builder.extract_value(best, i) for i in range(3)])

    return result(states, word, word, word, word), codegen
