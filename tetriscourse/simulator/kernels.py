"""The game at full speed: the same rules as in game/, on columns of bits.

Read `play_game` first. It plays one game: draw a piece, search for the best move, make it. A search
has all moves valued in lanes (drops.py); only those that clear rows are made and valued in full.

Values are whole numbers: twice the weighted sum, so that halves of a landing height stay whole.
What depends on the features of the player is in three programs (programs.py), called by address.
Constants are passed as np.int64(...), because numba would compile anew for each literal number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM, TIE_STREAM
from tetriscourse.simulator.columns import lowest_bit, popcount, settle
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.drops import LANES
from tetriscourse.simulator.layout import (
    COLUMNS,
    NOT_VALUED,
    ORIGIN,
    PATTERNS,
    SHAPE_BOTTOM,
    SHAPE_CELLS,
    SHAPE_COUNT,
    SHAPE_HEIGHT,
    SHAPE_WIDTH,
    STATE_SIZE,
    STRIDE,
    Field,
    Number,
    Scalar,
    Term,
)  # fmt: skip
from tetriscourse.simulator.piece_generator import bits32, draw, stream_key
from tetriscourse.simulator.programs import board_value, drop, prepare

WORST = -(1 << 62)
NOW, THEN, AFTER_THEN, TABLES = 0, STATE_SIZE, 2 * STATE_SIZE, 3 * STATE_SIZE
"""Where the present board, the one after a move, the one after two, and the tables begin in `states`."""

CELLS, HEIGHTS, LANE_VALUES, HEIGHT_WEIGHT, STEP_WEIGHT = (
    STRIDE * field + ORIGIN
    for field in (Field.CELLS, Field.HEIGHT, Field.VALUE, Field.HEIGHT_WEIGHT, Field.STEP_WEIGHT)
)
PILE = int(Scalar.PILE)
LANDING, ERODED, LINES, DROP = (
    int(term) for term in (Term.landing_height, Term.eroded_cells, Term.lines, Term.drop_depth)
)
COLUMN_HEIGHTS, DIFFERENCES, TERMS = int(Term.column_heights), int(Term.height_differences), len(Term)


# Plain numbers for the compiled code.
(WIDTH, HEIGHT, SAFE_TOP, CLEAR_TOP, SPAWN, LOSING, DRAW, PIECES, MAX_PIECES, KNOWN, RANDOM_TIES, USE_LANES, POINTS,
 HEIGHT_WEIGHTS, STEP_WEIGHTS, FIRST, SHAPE_OF, SPAWNS, EDGES, ORDER, PROGRAM, SLOT, IN_ORDER, VALUES, WEIGHTS,
 OUTCOME, PREPARE_PROGRAM, VALUE_PROGRAM, DROP_PROGRAM, _) = (int(one) for one in Number)  # fmt: skip


# --- one move -------------------------------------------------------------------------------------


@inlined
def landing_row(states: Any, at: Any, shape: Any, column: Any, numbers: Any) -> Any:
    """The bottom row where a shape comes to rest, -1 if it has no room where it enters."""
    row = 0
    for i in range(4):  # columns beyond the shape are far above any pile: no branch depends on its width
        row = max(row, states[at + HEIGHTS + column + i] - SHAPE_BOTTOM[shape, i])
    if numbers[SPAWN] == 0:
        return row
    start = numbers[HEIGHT] - SHAPE_HEIGHT[shape] + 1
    if row <= start:
        return row
    # The pile is higher than where the piece enters: it may still find room under an overhang.
    if not has_room(states, at, shape, column, start):
        return -1
    while has_room(states, at, shape, column, start - 1):
        start -= 1
    return start


@fast
def has_room(states: Any, at: Any, shape: Any, column: Any, row: Any) -> Any:
    """Whether a shape's cells are empty and above the floor at a place."""
    if row < 0:
        return False
    for i in range(SHAPE_WIDTH[shape]):
        filled = ((1 << SHAPE_COUNT[shape, i]) - 1) << (row + SHAPE_BOTTOM[shape, i])
        if states[at + CELLS + column + i] & filled:
            return False
    return True


@inlined
def can_enter(states: Any, at: Any, piece: Any, numbers: Any) -> Any:
    """Whether a piece can fall one row where it appears."""
    if numbers[SPAWN] == 0:
        return True
    shape = numbers[SPAWNS + piece]
    column = (numbers[WIDTH] - SHAPE_WIDTH[shape]) // 2
    return has_room(states, at, shape, column, numbers[HEIGHT] - SHAPE_HEIGHT[shape] + 1)


@inlined
def make_move(states: Any, at: Any, target: Any, shape: Any, column: Any, row: Any, numbers: Any) -> Any:
    """Put the board after a move at `target`; (rows cleared, piece cells in them, whether it loses)."""
    clears = row + SHAPE_HEIGHT[shape] <= numbers[CLEAR_TOP]
    begin = (2 * shape + 1) * COLUMNS - column
    full, used = settle(states, at, target, PATTERNS, begin, row, np.int64(clears))
    rows, eroded = 0, 0
    if full:
        rows = popcount(full)
        for r in range(4):
            eroded += SHAPE_CELLS[shape, r] * ((full >> (row + r)) & 1)
    return rows, eroded, not clears or used >> numbers[HEIGHT] != 0


@inlined
def value_of_landing(shape: Any, row: Any, rows: Any, eroded: Any, numbers: Any) -> Any:
    """Twice the weighted sum of the features that are not the board's: how the piece landed, what it cleared."""
    return (
        numbers[WEIGHTS + LANDING] * (2 * row + SHAPE_HEIGHT[shape] - 1)
        + numbers[WEIGHTS + DROP] * (numbers[HEIGHT] - row - SHAPE_HEIGHT[shape])
        + numbers[WEIGHTS + ERODED] * rows * eroded
        + numbers[WEIGHTS + LINES] * rows
    )


@inlined
def value_of_board(states: Any, at: Any, numbers: Any) -> Any:
    """Twice the weighted sum of all features of a board."""
    value = board_value(states, at, numbers, WEIGHTS, numbers[VALUE_PROGRAM])
    if numbers[WEIGHTS + COLUMN_HEIGHTS]:
        for j in range(numbers[WIDTH]):
            value += numbers[HEIGHT_WEIGHTS + j] * states[at + HEIGHTS + j]
    if numbers[WEIGHTS + DIFFERENCES]:
        for j in range(numbers[WIDTH] - 1):
            value += numbers[STEP_WEIGHTS + j] * abs(states[at + HEIGHTS + j + 1] - states[at + HEIGHTS + j])
    return value


@inlined
def value_in_full(states: Any, at: Any, target: Any, shape: Any, column: Any, numbers: Any) -> Any:
    """The value of one move, made and valued in full; WORST if it may not be taken."""
    row = landing_row(states, at, shape, column, numbers)
    if row < 0:
        return WORST
    rows, eroded, loses = make_move(states, at, target, shape, column, row, numbers)
    if loses and numbers[LOSING] == 0:
        return WORST
    landing = value_of_landing(shape, row, rows, eroded, numbers)
    return landing + value_of_board(states, target, numbers)


# --- the search -----------------------------------------------------------------------------------


@fast
def set_weights(states: Any, numbers: Any) -> None:
    """Copy the weights to where the lanes read them: to the columns of three boards and to the tables."""
    if numbers[USE_LANES] == 0:  # they may be too large, and are not read
        return
    for j in range(COLUMNS):
        for at in range(0, TABLES, STATE_SIZE):
            states[at + HEIGHT_WEIGHT + j] = numbers[HEIGHT_WEIGHTS + j]
            states[at + STEP_WEIGHT + j] = numbers[STEP_WEIGHTS + j]
    for i in range(LANES * TERMS):
        states[TABLES + i] = numbers[WEIGHTS + i // LANES]


@inlined
def look(states: Any, at: Any, numbers: Any) -> None:
    """Everything that the lanes need to know of a board, from its cells."""
    prepare(states, at, numbers[PREPARE_PROGRAM])


@inlined
def drop_everywhere(states: Any, at: Any, piece: Any, numbers: Any) -> Any:
    """Value all moves of a piece in lanes: (best change, its order, moves that clear rows) as in drop_piece."""
    drop(states, at, TABLES, numbers, numbers[PROGRAM + piece], numbers[WIDTH], OUTCOME, numbers[DROP_PROGRAM])
    return numbers[OUTCOME], numbers[OUTCOME + 1], numbers[OUTCOME + 2]


@inlined
def can_use_lanes(states: Any, at: Any, numbers: Any) -> Any:
    """Whether the values fit into lanes, and pieces fall past the whole pile, as lanes assume."""
    return numbers[USE_LANES] != 0 and (numbers[SPAWN] == 0 or states[at + PILE] <= numbers[HEIGHT] - 3)


@fast
def value_moves(states: Any, at: Any, target: Any, piece: Any, board: Any, numbers: Any) -> None:
    """Write the value of each move of a piece to numbers[VALUES + 16 * orientation + column]; WORST: not allowed."""
    first, last = numbers[FIRST + piece], numbers[FIRST + piece + 1]
    lanes, clears = can_use_lanes(states, at, numbers), -1
    if lanes:
        _, _, clears = drop_everywhere(states, at, piece, numbers)
    for k in range(first, last):
        shape, slot, place = numbers[SHAPE_OF + k], numbers[SLOT + k], VALUES + (k - first) * COLUMNS
        for x in range(numbers[WIDTH] - SHAPE_WIDTH[shape] + 1):
            change = states[at + LANE_VALUES + STRIDE * slot + x]
            if not lanes or (clears >> (slot * COLUMNS + x)) & 1:
                numbers[place + x] = value_in_full(states, at, target, shape, x, numbers)
            else:
                numbers[place + x] = board + change if change != NOT_VALUED else WORST


@fast
def search(
    states: Any, at: Any, target: Any, piece: Any, board: Any, numbers: Any, bits: Any
) -> Any:
    """(value, orientation, column) of the best move on the board at `at`; WORST: there is none.

    `board` is that board's value, `target` room for another. `bits` decides between equal moves if
    chance does.
    """
    if not can_enter(states, at, piece, numbers):
        return np.int64(WORST), -1, -1
    if numbers[IN_ORDER] == 0 or not can_use_lanes(states, at, numbers):
        return search_listed(states, at, target, piece, board, numbers, bits)
    change, order, clears = drop_everywhere(states, at, piece, numbers)
    best = board + change if change != NOT_VALUED else np.int64(WORST)
    first = numbers[FIRST + piece]
    while clears:
        move = lowest_bit(clears)
        clears &= clears - 1
        shape = numbers[SHAPE_OF + first + move // COLUMNS]
        value = value_in_full(states, at, target, shape, move % COLUMNS, numbers)
        if value > best or (value == best and move < order):
            best, order = value, move
    return best, order // COLUMNS if best != WORST else -1, order % COLUMNS


@fast
def search_listed(
    states: Any, at: Any, target: Any, piece: Any, board: Any, numbers: Any, bits: Any
) -> Any:
    """The same from a list of all values, for pieces in another order and for ties that chance decides."""
    value_moves(states, at, target, piece, board, numbers)
    first, last = numbers[FIRST + piece], numbers[FIRST + piece + 1]
    best, count = np.int64(WORST), 0
    for k in range(last - first):
        for x in range(numbers[WIDTH] - SHAPE_WIDTH[numbers[SHAPE_OF + first + k]] + 1):
            value = numbers[VALUES + k * COLUMNS + x]
            if value > best:
                best, count = value, 0
            count += value == best
    if best == WORST:
        return best, -1, -1
    rank = (bits * count) >> 32 if numbers[RANDOM_TIES] else 0
    for k in range(last - first):
        for x in range(numbers[WIDTH] - SHAPE_WIDTH[numbers[SHAPE_OF + first + k]] + 1):
            if numbers[VALUES + k * COLUMNS + x] == best:
                if rank == 0:
                    return best, k, x
                rank -= 1
    return best, -1, -1


@fast
def search_two(states: Any, piece: Any, following: Any, numbers: Any) -> Any:
    """The same knowing the next piece: the best sum of a move's value and the best answer's."""
    best, orientation, column, answered = np.int64(WORST), -1, -1, False
    now, then, last = np.int64(NOW), np.int64(THEN), np.int64(AFTER_THEN)
    if not can_enter(states, now, piece, numbers):
        return best, orientation, column
    first = numbers[FIRST + piece]
    for k in range(first, numbers[FIRST + piece + 1]):
        shape = numbers[SHAPE_OF + k]
        for x in range(numbers[WIDTH] - SHAPE_WIDTH[shape] + 1):
            row = landing_row(states, now, shape, x, numbers)
            if row < 0:
                continue
            rows, eroded, loses = make_move(states, now, then, shape, x, row, numbers)
            if loses and numbers[LOSING] == 0:
                continue
            board = value_of_board(states, then, numbers)
            value = board + value_of_landing(shape, row, rows, eroded, numbers)
            answer = np.int64(WORST)
            if not loses:
                look(states, then, numbers)
                answer, _, _ = search(states, then, last, following, board, numbers, np.int64(0))
            has_answer = answer != WORST
            if has_answer:
                value += answer
            if has_answer > answered or (has_answer == answered and value > best):
                best, orientation, column, answered = value, k - first, x, has_answer
    return best, orientation, column


@fast
def value_present_moves(states: Any, piece: Any, numbers: Any) -> Any:
    """value_moves on the present board; whether the piece can enter at all."""
    now, then = np.int64(NOW), np.int64(THEN)
    set_weights(states, numbers)
    board = value_of_board(states, now, numbers)
    look(states, now, numbers)
    value_moves(states, now, then, piece, board, numbers)
    return can_enter(states, now, piece, numbers)


# --- games ----------------------------------------------------------------------------------------


@inlined
def play_game(
    states: Any, numbers: Any, seed: Any, game: Any, heights: Any, signal: Any, trace: Any
) -> Any:
    """Play from the present board in `states`: (lines, pieces, points, whether it was lost).

    `heights` and `signal` as in driver.py. `trace` gets (piece, orientation, column) of each move while it has room.
    """
    piece_key, tie_key = stream_key(seed, game, np.int64(PIECE_STREAM)), stream_key(seed, game, np.int64(TIE_STREAM))
    now, then = np.int64(NOW), np.int64(THEN)
    lines, points, lost = 0, 0, False
    pieces, counted = np.int64(0), np.int64(0)
    numbers[ORDER + numbers[PIECES]] = -1
    board = value_of_board(states, now, numbers)
    look(states, now, numbers)
    while pieces != numbers[MAX_PIECES] or pieces == 0:
        piece = draw(pieces, piece_key, numbers)
        if numbers[KNOWN] == 2:
            following = draw(pieces + 1, piece_key, numbers)
            value, orientation, column = search_two(states, piece, following, numbers)
        else:
            bits = np.int64(0)
            if numbers[RANDOM_TIES]:
                bits = bits32(tie_key, pieces)
            value, orientation, column = search(states, now, then, piece, board, numbers, bits)
        if orientation < 0:
            lost = True
            break
        if pieces < len(trace):
            trace[pieces, 0], trace[pieces, 1], trace[pieces, 2] = piece, orientation, column
        shape = numbers[SHAPE_OF + numbers[FIRST + piece] + orientation]
        row = landing_row(states, now, shape, column, numbers)
        rows, eroded, lost = make_move(states, now, now, shape, column, row, numbers)
        pieces += 1
        lines += rows
        points += numbers[POINTS + rows]
        if lost:
            break
        look(states, now, numbers)
        # What the move itself counted is not part of the board's value. (search_two has no use for it.)
        board = value - value_of_landing(shape, row, rows, eroded, numbers)
        heights[states[PILE]] += 1
        if pieces & 4095 == 0:
            signal[0].moves += pieces - counted
            counted = pieces
            if signal[0].stop:
                break
    signal[0].moves += pieces - counted
    return lines, pieces, points, lost


class LinearTable(NamedTuple):
    """Linear players and filters under one set of rules, and the room in which one thread plays their games."""

    players: Any
    """The numbers of each, a row each."""
    start: Any
    """The board on which games start, as in `states`."""
    states: Any
    numbers: Any
    trace: Any
    """As in `play_game`."""


NO_TRACE = np.zeros((0, 3), np.int64)


@plays(LinearTable)
@fast
def play_linear_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game of the player in a row of the table."""
    if row >= 0:
        for i in range(len(table.numbers)):
            table.numbers[i] = table.players[row, i]
    for i in range(STATE_SIZE):
        table.states[i] = table.start[i]
    set_weights(table.states, table.numbers)
    return play_game(table.states, table.numbers, seed, game, heights, signal, table.trace)
