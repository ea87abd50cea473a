"""Games of players with features of their own, whose C functions look at the board after every move.

Moves are compared by whole numbers, as elsewhere, but in units of 1/1024: the values of own features are multiples.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.cpython.unsafe.numbers import leading_zeros
from numba.extending import intrinsic

from tetriscourse.own_features import LARGEST, UNITS
from tetriscourse.simulator.columns import address, popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.kernels import play_game
from tetriscourse.simulator.lanes import WORD
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import (
    CELLS,
    HEIGHTS,
    Columns,
    can_enter,
    move_code,
    put,
)
from tetriscourse.simulator.pairs import search_pairs
from tetriscourse.simulator.programs import call
from tetriscourse.simulator.search import (
    WORST,
    can_use_lanes,
    landing,
    look,
    set_weights,
    value_moves,
    value_of_board,
)
from tetriscourse.simulator.shapes import SHAPE_BOTTOM, SHAPE_COUNT

FAILED, LINES, COLUMNS_THEN = 0, 1, 2  # where `trouble` has the number of the feature that failed + 1, and its board


class OwnPart(NamedTuple):
    """The features of their own that players have, and the room in which these look at a board."""

    functions: Any  # the address of each
    weights: Any  # in fixed point, a row for each player
    present: Any  # those of the player who plays
    heights: Any
    columns: Any
    cells: Any
    uses_cells: Any
    pile: Any  # how many rows of `cells` may have a full cell
    trouble: Any


class OwnTable(NamedTuple):
    """kernels.LinearTable with features of their own."""

    players: Any
    start: Any
    states: Any
    present: Any
    trace: Any
    own: Any


@intrinsic
def value_from(
    typing: Any, heights: Any, columns: Any, cells: Any, rows: Any, width: Any, height: Any, lines: Any, function: Any
) -> Any:
    """The value of the C function at an address."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        first = ir.Constant(WORD, 0)
        places = [
            address(context, builder, kind, array, first)
            for kind, array in zip(signature.args[:3], arguments[:3], strict=True)
        ]
        return call(builder, arguments[7], ir.DoubleType(), [*places, *arguments[3:7]])

    word = types.int64
    return types.float64(heights, columns, cells, word, word, word, word, word), codegen


@inlined
def see(states: Any, at: Any, rules: Any, own: Any) -> Any:
    """Write what features can see of a board; the number of its rows, with those of a piece that sticks out."""
    width, pile = rules.width, np.int64(0)
    for j in range(width):
        cells = np.uint32(states[at + CELLS + j])
        height = np.int64(32) - np.int64(leading_zeros(cells))
        own.columns[j], own.heights[j] = np.int64(cells), height
        pile = max(pile, height)
    if own.uses_cells:
        for row in range(max(pile, own.pile[0])):  # above, all is empty
            for j in range(width):
                own.cells[row * width + j] = (own.columns[j] >> row) & 1
        own.pile[0] = pile
    return max(pile, rules.height)


@inlined
def place(turn: Any, column: Any, row: Any, full: Any, rules: Any, own: Any) -> Any:
    """Add a piece to what features see (full: True), or take it away; its columns keep the larger height."""
    shape, width = rules.shapes[turn], rules.width
    for i in range(rules.turn_width[turn]):
        j, low, count = column + i, row + SHAPE_BOTTOM[shape, i], SHAPE_COUNT[shape, i]
        own.columns[j] ^= ((np.int64(1) << count) - 1) << low
        own.heights[j] = max(own.heights[j], low + count)
        if own.uses_cells:
            for r in range(low, low + count):
                own.cells[r * width + j] = full


@inlined
def own_value_of_move(board: Any, turn: Any, column: Any, row: Any, full: Any, rules: Any, own: Any) -> Any:
    """own_value of the board after a move; features must be seeing the board before it, and see it again afterwards."""
    if full == 0:  # only the piece is new
        place(turn, column, row, True, rules, own)
        rows = max(rules.height, row + rules.turn_height[turn])
        value = own_value_seen(rows, np.int64(0), rules, own)
        place(turn, column, row, False, rules, own)
        for i in range(rules.turn_width[turn]):
            own.heights[column + i] = board.states[board.at + HEIGHTS + column + i]
        return value
    put(board, turn, column, row, full, rules)
    value = own_value(board.states, board.target, popcount(full), rules, own)
    see(board.states, board.at, rules, own)
    return value


@fast
def own_value(states: Any, at: Any, lines: Any, rules: Any, own: Any) -> Any:
    """Twice the weighted sum of own features on a board, in units of 1/1024."""
    return own_value_seen(see(states, at, rules, own), lines, rules, own)


@fast
def own_value_seen(rows: Any, lines: Any, rules: Any, own: Any) -> Any:
    """own_value of what features see now."""
    total = np.int64(0)
    for k in range(len(own.functions)):
        value = value_from(
            own.heights, own.columns, own.cells, rows, rules.width, rules.height, lines, own.functions[k]
        )
        if abs(value) <= LARGEST:
            total += 2 * own.present[k] * np.int64(np.rint(value * UNITS))
        elif own.trouble[FAILED] == 0:  # nan, infinite or too large
            own.trouble[FAILED], own.trouble[LINES] = k + 1, lines
            for j in range(rules.width):
                own.trouble[COLUMNS_THEN + j] = own.columns[j]
    return total


@fast
def search_own(board: Any, piece: Any, value: Any, player: Any, own: Any) -> Any:
    """(value in units of 1/1024, value without own features, move) of the best move, the first one; -1: there is none.

    `value` is that of the board.
    """
    best, without, chosen, rules = np.int64(WORST), np.int64(WORST), np.int64(-1), player.rules
    if not can_enter(board, piece, rules):
        return best, without, chosen
    value_moves(board, piece, value, player)
    lanes = can_use_lanes(board, player)
    see(board.states, board.at, rules, own)
    for i in range(rules.first_move[piece], rules.first_move[piece + 1]):
        turn, column, code = rules.move_turn[i], rules.move_column[i], move_code(i, piece, rules)
        if player.values[code] == WORST:
            continue
        row, full, _ = landing(board, code, turn, column, lanes, player)
        one = UNITS * player.values[code] + own_value_of_move(board, turn, column, row, full, rules, own)
        if one > best:
            best, without, chosen = one, player.values[code], code
    return best, without, chosen


@inlined
def own_beside(after: Any, full: Any, rules: Any, own: Any) -> Any:
    """The own features of the board after a move, for search_pairs."""
    return own_value(after.states, after.at, popcount(full), rules, own)


@inlined
def own_answer(after: Any, following: Any, value: Any, player: Any, own: Any) -> Any:
    """The value of the best answer, for search_pairs."""
    return search_own(after, following, value, player, own)[0]


@fast
def search_two_own(states: Any, piece: Any, following: Any, player: Any, own: Any) -> Any:
    """pairs.search_two with own features: the move."""
    return search_pairs(states, piece, following, player, np.int64(UNITS), own_beside, own_answer, own)[1]


@inlined
def choose_with_own(now: Any, piece: Any, following: Any, value: Any, bits: Any, player: Any, own: Any) -> Any:
    """kernels.choose for players with own features; no move if one of these has failed."""
    without, move = np.int64(0), np.int64(-1)
    if player.known == 2:
        move = search_two_own(now.states, piece, following, player, own)
    else:
        _, without, move = search_own(now, piece, value, player, own)
    if own.trouble[FAILED]:
        move = np.int64(-1)
    return without, move


@plays(OwnTable)
@fast
def play_own_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game of the player in a row of the table; if a feature fails, all games stop."""
    own = table.own
    if row >= 0:
        table.present[0] = table.players[row]
        for k in range(len(own.present)):
            own.present[k] = own.weights[row, k]
    player = table.present[0]
    for i in range(STATE_SIZE):
        table.states[i] = table.start[i]
    set_weights(table.states, player)
    result = play_game(table.states, player, seed, game, heights, signal, table.trace, choose_with_own, own)
    if own.trouble[FAILED]:
        signal[0].stop = 1
    return result


@fast
def value_present_moves_with_own(states: Any, piece: Any, player: Any, own: Any) -> Any:
    """search.value_present_moves with own features, in units of 1/1024."""
    board, rules = Columns(states, np.int64(NOW), np.int64(THEN)), player.rules
    set_weights(states, player)
    value = value_of_board(states, board.at, player)
    look(states, board.at, player)
    value_moves(board, piece, value, player)
    see(states, board.at, rules, own)
    for i in range(rules.first_move[piece], rules.first_move[piece + 1]):
        turn, column, code = rules.move_turn[i], rules.move_column[i], move_code(i, piece, rules)
        if player.values[code] != WORST:
            row, full, _ = landing(board, code, turn, column, can_use_lanes(board, player), player)
            own_part = own_value_of_move(board, turn, column, row, full, rules, own)
            player.values[code] = UNITS * player.values[code] + own_part
    return can_enter(board, piece, rules)
