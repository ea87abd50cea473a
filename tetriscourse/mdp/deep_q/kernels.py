"""Features of all moves of a piece, and whole games of a network, at full speed.

The boards, the moves and the features are the simulator's. `list_moves` writes the features of every move that
may be taken, in order; `play_game` lets a network choose among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tetriscourse.features import FeatureSet
from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.network_kernels import best_move
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.simulator.background import give_programs
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.driver import plays
from tetriscourse.simulator.encode import chosen_features, encode_states, weightless
from tetriscourse.simulator.features import COMPILED, TERMS, Source
from tetriscourse.simulator.features.landing import ORDER, landing_terms
from tetriscourse.simulator.games import aligned
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import CELLS, HEIGHTS, NO_ROW, Columns, landing_row, moves_of, settle
from tetriscourse.simulator.piece_generator import draw, stream_key
from tetriscourse.simulator.programs import value_after
from tetriscourse.simulator.search import PILE, look
from tetriscourse.simulator.shapes import COLUMNS, NO_PIECE

ALL_WEIGHTS = len(TERMS) + 2 * COLUMNS  # of all terms, and of each column's height and step: here 0
BITS, FIELDS = 15, 4
"""The simulator gives one weighted sum. With weights of 1, 2^15, 2^30 and 2^45 it holds four features side by side."""
FIELD_MASK = (1 << BITS) - 1

ORIENTATION, COLUMN, ROW, ROWS, LOSES, TURN, ABOUT = range(7)  # columns of `about`; TURN: orientation, of all pieces

BOARD, LANDING, HEIGHT, STEP = (int(Source[name]) for name in ("BOARD", "LANDING", "HEIGHT", "STEP"))


@inlined
def step_height(states: Any, at: Any, j: Any) -> Any:
    """The difference between a column's height and the next one's."""
    return abs(states[at + HEIGHTS + j + 1] - states[at + HEIGHTS + j])


@fast
def write_features(
    states: Any, player: Any, plan: Any, weights: Any, turn: Any, row: Any, full: Any, sums: Any, found: Any, move: Any
) -> None:
    """Write the features of a move, whose board is at THEN, to a row of `found`.

    The plan has a row for each value: its source, its position there or its column, and what to divide it by.
    """
    then, rules = np.int64(THEN), player.rules
    landing = landing_terms(rules.shapes[turn], row, full, popcount(full), rules)
    for g in range(len(sums)):
        sums[g] = value_after(states, then, NO_PIECE, 0, 0, 0, weights, g * ALL_WEIGHTS, player.value_program)
    if player.uses_heights or player.uses_steps:
        look(states, then, player)
    for i in range(len(plan)):
        source, number = plan[i, 0], plan[i, 1]
        value = np.int64(1)
        if source == BOARD:
            value = (sums[number // FIELDS] >> (BITS * (number % FIELDS))) & FIELD_MASK
        elif source == LANDING:
            value = landing[number]
        elif source == HEIGHT:
            value = np.int64(states[then + HEIGHTS + number])
        elif source == STEP:
            value = np.int64(step_height(states, then, number))
        found[move, i] = value / plan[i, 2]


@fast
def list_moves(states: Any, player: Any, plan: Any, weights: Any, sums: Any, piece: Any, found: Any, about: Any) -> Any:
    """Write the features of every move of a piece that may be taken, and what it does; how many there are."""
    board, rules, count = Columns(states, np.int64(NOW), np.int64(THEN)), player.rules, 0
    first, last = moves_of(board, piece, rules)
    for i in range(first, last):
        turn, x = rules.move_turn[i], rules.move_column[i]
        row = landing_row(board, turn, x, rules)
        if row == NO_ROW:
            continue
        _, full, loses = settle(board, turn, x, row, rules)
        if loses and rules.losing == 0:
            continue
        write_features(states, player, plan, weights, turn, row, full, sums, found, count)
        about[count, ORIENTATION], about[count, COLUMN], about[count, ROW] = turn - rules.first[piece], x, row
        about[count, ROWS], about[count, LOSES], about[count, TURN] = popcount(full), loses, turn
        count += 1
    return count


@fast
def take_move(states: Any, player: Any, turn: Any, column: Any, row: Any) -> None:
    """Make a move on the present board."""
    settle(Columns(states, np.int64(NOW), np.int64(NOW)), turn, column, row, player.rules)
    look(states, np.int64(NOW), player)


@fast
def start_board(states: Any, template: Any, player: Any) -> None:
    """Make the board of the template the present one."""
    for i in range(STATE_SIZE):
        states[i] = template[i]
    look(states, np.int64(NOW), player)


@fast
def draw_piece(seed: Any, game: Any, position: Any, player: Any) -> Any:
    """The piece at a position of a game."""
    return draw(position, stream_key(seed, game, np.int64(PIECE_STREAM)), player.rules)


class NetworkTable(NamedTuple):
    """A network that values moves, and what a thread needs to play by it."""

    start: Any  # the board on which games start, as in `states`
    states: Any
    player: Any
    plan: Any
    weights: Any
    sums: Any
    theta: Any
    sizes: Any
    paid: Any  # for 0, 1, 2, ... rows: what the network leaves out of the value of a move
    found: Any
    about: Any
    x: Any


@plays(NetworkTable)
@fast
def play_game(table: Any, row: Any, seed: Any, game: Any, heights: Any, signal: Any) -> Any:
    """A game of a network, as simulator/driver.py describes it."""
    states, player, found, about = table.states, table.player, table.found, table.about
    start_board(states, table.start, player)
    key = stream_key(seed, game, np.int64(PIECE_STREAM))
    lines, points, lost = 0, 0, False
    pieces, counted = np.int64(0), np.int64(0)
    rules = player.rules
    rules.bag_start = -1
    while not lost and (pieces != rules.max_pieces or pieces == 0):
        piece = draw(pieces, key, rules)
        count = list_moves(states, player, table.plan, table.weights, table.sums, piece, found, about)
        if count == 0:
            lost = True
            break
        move = best_move(table.theta, table.sizes, found, about[:count, ROWS], table.paid, table.x)
        take_move(states, player, about[move, TURN], about[move, COLUMN], about[move, ROW])
        pieces += 1
        lines += about[move, ROWS]
        points += rules.points[about[move, ROWS]]
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


class CompiledGame:
    """One game of Tetris, with the features of every move of the present piece as an array."""

    def __init__(self, rules: Rules, features: FeatureSet):
        self.rules, self.features = rules, features
        names = tuple(one.name for one in features.features)
        self.plan, self.weights = plan_of(features, rules)
        self.sums = np.zeros(len(self.weights) // ALL_WEIGHTS, np.int64)
        players = weightless(names, rules)[0].copy()
        give_programs(players, chosen_features(names, rules))
        self.player = players[0]
        self.template = encode_states(rules)
        self.states = aligned(self.template)
        most = max(sum(rules.width - one.width + 1 for one in piece.orientations) for piece in rules.pieces)
        self.found = np.zeros((most, len(self.plan)))
        self.about = np.zeros((most, ABOUT), np.int64)
        self.seed = self.game = self.pieces = self.count = 0

    def start(self, seed: int, game: int) -> None:
        """Begin a game: number `game` of a seed."""
        self.seed, self.game, self.pieces = seed, game, 0
        self.player["rules"]["bag_start"] = -1
        start_board(self.states, self.template, self.player)
        self._list()

    def take(self, move: int) -> int:
        """Make a move, and let the next piece come; the rows that it cleared."""
        self.pieces += 1
        _, column, row, rows, loses, turn = self.about[move].tolist()
        take_move(self.states, self.player, turn, column, row)
        self.count = 0
        if not loses:
            self._list()
        return int(rows)

    def _list(self) -> None:
        """The moves of the present piece; none: the game is over."""
        piece = draw_piece(self.seed, self.game, self.pieces, self.player)
        self.count = list_moves(
            self.states, self.player, self.plan, self.weights, self.sums, piece, self.found, self.about
        )

    @property
    def values(self) -> Floats:
        """The features of the moves that may be taken, a row each; the next move overwrites them."""
        return self.found[: self.count]

    @property
    def cleared(self) -> Ints:
        """The rows that each of these moves clears."""
        return self.about[: self.count, ROWS]

    def state(self) -> dict[str, Any]:
        """The game as it stands."""
        place, cells = np.array([self.seed, self.game, self.pieces]), self.states[CELLS : CELLS + self.rules.width]
        return {"game_place": place, "game_cells": cells}

    def restore(self, arrays: dict[str, Any]) -> None:
        self.seed, self.game, self.pieces = (int(one) for one in arrays["game_place"])
        self.player["rules"]["bag_start"] = -1
        board = self.template.copy()
        board[CELLS : CELLS + self.rules.width] = arrays["game_cells"]
        start_board(self.states, board, self.player)
        self._list()

    def table(self, network: Network, paid: Sequence[float]) -> NetworkTable:
        """The table by which the kernel lets a network play; its games overwrite the present one."""
        sizes = np.array(network.sizes)
        return NetworkTable(
            self.template, self.states, self.player, self.plan, self.weights, self.sums, network.theta, sizes,
            np.array(paid, np.float64), self.found, self.about, np.zeros(2 * max(sizes)),
        )  # fmt: skip


def plan_of(features: FeatureSet, rules: Rules) -> tuple[Ints, Ints]:
    """The plan of `write_features`, and the weights of the sums that the simulator is asked for."""
    plan: list[tuple[int, int, int]] = []
    in_sums: list[str] = []
    for one in features.features:
        source, halves = COMPILED[one.name].source, COMPILED[one.name].halves
        for column in range(one.size(rules.width)):
            numbers = {Source.BOARD: len(in_sums), Source.LANDING: ORDER.index(one.name) if one.name in ORDER else 0}
            plan.append((source, numbers.get(source, column), halves))
        if source == Source.BOARD:
            in_sums.append(one.name)
    groups = max(1, -(-len(in_sums) // FIELDS))  # at least one: the sum also stores the heights
    weights = np.zeros((groups, ALL_WEIGHTS), np.int64)
    for number, name in enumerate(in_sums):
        for term in COMPILED[name].terms():
            weights[number // FIELDS, term.number] += 1 << BITS * (number % FIELDS)
    return np.array(plan), weights.ravel()
