"""Features of all moves of a piece, and whole games of a network, at full speed.

The boards, the moves and the features are the simulator's. `list_moves` writes the features of every move that
may be taken, in order; `play_games` lets a network choose among them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.features import FeatureSet
from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import aligned, plays
from tetriscourse.simulator.encode import encode_states, weightless
from tetriscourse.simulator.kernels import (
    FIRST,
    HEIGHT,
    HEIGHTS,
    LOSING,
    MAX_PIECES,
    NOW,
    ORDER,
    PIECES,
    PILE,
    POINTS,
    SHAPE_OF,
    THEN,
    VALUE_PROGRAM,
    WIDTH,
    can_enter,
    landing_row,
    look,
    make_move,
)  # fmt: skip
from tetriscourse.simulator.layout import SHAPE_HEIGHT, SHAPE_WIDTH, STATE_SIZE, Term
from tetriscourse.simulator.piece_generator import draw, stream_key
from tetriscourse.simulator.programs import board_value

TERMS = len(Term)
BITS, FIELDS = 15, 4
"""The simulator gives one weighted sum. With weights of 1, 2^15, 2^30 and 2^45 it holds four features side by side."""
FIELD_MASK = (1 << BITS) - 1

IN_SUM, LANDING_HEIGHT, DROP_DEPTH, ERODED_CELLS, LINES = range(5)
COLUMN_HEIGHT, DIFFERENCE, SUM_HEIGHTS, BUMPINESS, ONE = range(5, 10)
"""Kinds of values. A plan has a row (kind, number) for each: its position in the sums, or its column."""

KINDS = {
    "landing_height": LANDING_HEIGHT, "drop_depth": DROP_DEPTH, "eroded_cells": ERODED_CELLS, "lines": LINES,
    "column_heights": COLUMN_HEIGHT, "height_differences": DIFFERENCE, "sum_heights": SUM_HEIGHTS,
    "bumpiness": BUMPINESS, "constant": ONE,
}  # fmt: skip

ORIENTATION, COLUMN, ROW, ROWS, LOSES, SHAPE, ABOUT = range(7)
"""What is written about each move."""

STEPS_OF_VALUE = 2.0**32
"""Values are rounded to multiples of 2^-32: the last bits of a sum depend on the order of its terms."""


@inlined
def step_height(states: Any, at: Any, j: Any) -> Any:
    """The difference between a column's height and the next one's."""
    return abs(states[at + HEIGHTS + j + 1] - states[at + HEIGHTS + j])


@fast
def write_features(
    states: Any, numbers: Any, plan: Any, weights: Any, shape: Any, row: Any, rows: Any, eroded: Any, sums: Any,
    found: Any, move: Any,
) -> None:  # fmt: skip
    """Write the features of a move, whose board is at THEN, to a row of `found`."""
    then = np.int64(THEN)
    for g in range(len(sums)):
        sums[g] = board_value(states, then, weights, g * TERMS, numbers[VALUE_PROGRAM])
    for i in range(len(plan)):
        kind, number = plan[i, 0], plan[i, 1]
        value = 1.0
        if kind == IN_SUM:
            value = float((sums[number // FIELDS] >> (BITS * (number % FIELDS))) & FIELD_MASK)
        elif kind == LANDING_HEIGHT:
            value = row + (SHAPE_HEIGHT[shape] - 1) / 2
        elif kind == DROP_DEPTH:
            value = float(numbers[HEIGHT] - row - SHAPE_HEIGHT[shape])
        elif kind == ERODED_CELLS:
            value = float(rows * eroded)
        elif kind == LINES:
            value = float(rows)
        elif kind == COLUMN_HEIGHT:
            value = float(states[then + HEIGHTS + number])
        elif kind == DIFFERENCE:
            value = float(step_height(states, then, number))
        elif kind == SUM_HEIGHTS:
            total = 0
            for j in range(numbers[WIDTH]):
                total += states[then + HEIGHTS + j]
            value = float(total)
        elif kind == BUMPINESS:
            total = 0
            for j in range(numbers[WIDTH] - 1):
                total += step_height(states, then, j)
            value = float(total)
        found[move, i] = value


@fast
def list_moves(
    states: Any, numbers: Any, plan: Any, weights: Any, sums: Any, piece: Any, found: Any, about: Any
) -> Any:
    """Write the features of every move of a piece that may be taken, and what it does; how many there are."""
    now, then, count = np.int64(NOW), np.int64(THEN), 0
    if not can_enter(states, now, piece, numbers):
        return count
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
            write_features(states, numbers, plan, weights, shape, row, rows, eroded, sums, found, count)
            about[count, ORIENTATION], about[count, COLUMN], about[count, ROW] = k - first, x, row
            about[count, ROWS], about[count, LOSES], about[count, SHAPE] = rows, loses, shape
            count += 1
    return count


@fast
def take_move(states: Any, numbers: Any, shape: Any, column: Any, row: Any) -> None:
    """Make a move on the present board."""
    make_move(states, np.int64(NOW), np.int64(NOW), shape, column, row, numbers)
    look(states, np.int64(NOW), numbers)


@fast
def start_board(states: Any, template: Any, numbers: Any) -> None:
    """Make the board of the template the present one."""
    for i in range(STATE_SIZE):
        states[i] = template[i]
    look(states, np.int64(NOW), numbers)


@fast
def draw_piece(seed: Any, game: Any, position: Any, numbers: Any) -> Any:
    """The piece at a position of a game."""
    return draw(position, stream_key(seed, game, np.int64(PIECE_STREAM)), numbers)


# --- the network ----------------------------------------------------------------------------------


@fast
def add_multiple(y: Any, to: Any, factor: Any, theta: Any, row: Any, m: Any) -> None:
    """Add a multiple of m numbers of theta, from `row` on, to those of y from `to` on (unsigned, which is faster)."""
    for j in range(m):
        y[to + j] += factor * theta[row + j]


@fast
def output_of(theta: Any, sizes: Any, found: Any, move: Any, x: Any) -> Any:
    """The output of a network, in steps of 2^-32, for the features of a move; x is room for two layers."""
    half, start = len(x) // 2, 0
    here, there = 0, half
    for i in range(sizes[0]):
        x[here + i] = found[move, i]
    for layer in range(len(sizes) - 1):
        n, m = sizes[layer], sizes[layer + 1]
        for j in range(m):
            x[there + j] = theta[start + n * m + j]
        for i in range(n):
            if x[here + i] != 0.0:
                add_multiple(x, np.uint64(there), x[here + i], theta, np.uint64(start + i * m), np.uint64(m))
        if layer < len(sizes) - 2:
            for j in range(m):
                x[there + j] = max(x[there + j], 0.0)
        here, there, start = there, here, start + (n + 1) * m
    return np.rint(x[here] * STEPS_OF_VALUE)


@fast
def best_move(theta: Any, sizes: Any, found: Any, count: Any, x: Any) -> Any:
    """The first of the moves that the network values most."""
    best, highest = 0, output_of(theta, sizes, found, np.int64(0), x)
    for move in range(1, count):
        value = output_of(theta, sizes, found, np.int64(move), x)
        if value > highest:
            best, highest = move, value
    return best


class NetworkTable(NamedTuple):
    """A network that values moves, and what a thread needs to play by it."""

    start: Any
    """The board on which games start, as in `states`."""
    states: Any
    numbers: Any
    plan: Any
    weights: Any
    sums: Any
    theta: Any
    sizes: Any
    found: Any
    about: Any
    x: Any


@plays(NetworkTable)
@fast
def play_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game of a network, as simulator/driver.py describes it."""
    states, numbers, found, about = table.states, table.numbers, table.found, table.about
    start_board(states, table.start, numbers)
    key = stream_key(seed, game, np.int64(PIECE_STREAM))
    lines, points, lost = 0, 0, False
    pieces, counted = np.int64(0), np.int64(0)
    numbers[ORDER + numbers[PIECES]] = -1
    while not lost and (pieces != numbers[MAX_PIECES] or pieces == 0):
        piece = draw(pieces, key, numbers)
        count = list_moves(states, numbers, table.plan, table.weights, table.sums, piece, found, about)
        if count == 0:
            lost = True
            break
        move = best_move(table.theta, table.sizes, found, count, table.x)
        take_move(states, numbers, about[move, SHAPE], about[move, COLUMN], about[move, ROW])
        pieces += 1
        lines += about[move, ROWS]
        points += numbers[POINTS + about[move, ROWS]]
        lost = about[move, LOSES] != 0
        if not lost:
            heights[states[PILE]] += 1
        if pieces & 1023 == 0:
            signal[0].moves += pieces - counted
            counted = pieces
            if signal[0].stop:
                break
    signal[0].moves += pieces - counted
    return lines, pieces, points, lost


# --- for numpy ------------------------------------------------------------------------------------


class CompiledGame:
    """One game of Tetris, with the features of every move of the present piece as an array."""

    def __init__(self, rules: Rules, features: FeatureSet):
        self.rules, self.features = rules, features
        names = tuple(one.name for one in features.features)
        self.plan, self.weights = plan_of(features, rules)
        self.sums = np.zeros(len(self.weights) // TERMS, np.int64)
        self.numbers = weightless(names, rules)[0].copy()
        self.template = encode_states(rules, self.numbers)
        self.states = aligned(self.template)
        most = max(sum(rules.width - one.width + 1 for one in piece.orientations) for piece in rules.pieces)
        self.found = np.zeros((most, len(self.plan)))
        self.about = np.zeros((most, ABOUT), np.int64)
        self.seed = self.game = self.pieces = self.count = 0

    def start(self, seed: int, game: int) -> None:
        """Begin a game: number `game` of a seed."""
        self.seed, self.game, self.pieces = seed, game, 0
        self.numbers[ORDER + self.numbers[PIECES]] = -1
        start_board(self.states, self.template, self.numbers)
        self._list()

    def take(self, move: int) -> int:
        """Make a move, and let the next piece come; the rows that it cleared."""
        self.pieces += 1
        _, column, row, rows, loses, shape = self.about[move].tolist()
        take_move(self.states, self.numbers, shape, column, row)
        self.count = 0
        if not loses:
            self._list()
        return int(rows)

    def _list(self) -> None:
        """The moves of the present piece; none: the game is over."""
        piece = draw_piece(self.seed, self.game, self.pieces, self.numbers)
        self.count = list_moves(
            self.states, self.numbers, self.plan, self.weights, self.sums, piece, self.found, self.about
        )

    @property
    def values(self) -> Floats:
        """The features of the moves that may be taken, a row each; the next move overwrites them."""
        return self.found[: self.count]

    def state(self) -> dict[str, Any]:
        """The game as it stands."""
        return {"game_place": np.array([self.seed, self.game, self.pieces]), "game_board": self.states[:STATE_SIZE]}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Go back to a state."""
        self.seed, self.game, self.pieces = (int(one) for one in arrays["game_place"])
        self.numbers[ORDER + self.numbers[PIECES]] = -1
        self.states[:STATE_SIZE] = arrays["game_board"]
        self._list()

    def table(self, network: Network) -> NetworkTable:
        """What the kernel reads to let a network play; the games overwrite the present one."""
        sizes = np.array(network.sizes)
        return NetworkTable(
            self.template, self.states, self.numbers, self.plan, self.weights, self.sums, network.theta, sizes,
            self.found, self.about, np.zeros(2 * max(sizes)),
        )  # fmt: skip


def plan_of(features: FeatureSet, rules: Rules) -> tuple[Ints, Ints]:
    """Where each value comes from, and the weights of the sums that the simulator is asked for."""
    plan: list[tuple[int, int]] = []
    in_sums: list[str] = []
    for one in features.features:
        kind = KINDS.get(one.name, IN_SUM)
        for column in range(one.size(rules.width)):
            plan.append((kind, len(in_sums) if kind == IN_SUM else column))
        if kind == IN_SUM:
            in_sums.append(one.name)
    groups = max(1, -(-len(in_sums) // FIELDS))  # at least one: the sum also stores the heights
    weights = np.zeros((groups, TERMS), np.int64)
    for number, name in enumerate(in_sums):
        for term in ("row_transitions", "column_transitions") if name == "frontier" else (name,):
            weights[number // FIELDS, Term[term]] += 1 << BITS * (number % FIELDS)
    return np.array(plan), weights.ravel()
