"""Rules and players as the numbers that the kernels read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tetriscourse.features import FEATURES
from tetriscourse.game.board import Board
from tetriscourse.game.pieces import Orientation, Piece
from tetriscourse.game.random import thresholds
from tetriscourse.game.rules import POINTS, Draw, Entry, GameOver, LosingMoves, Rules
from tetriscourse.players import Filter, Player
from tetriscourse.simulator.driver import aligned
from tetriscourse.simulator.layout import (
    COLUMNS,
    ORIGIN,
    PROGRAMS,
    SHAPES,
    STATE_SIZE,
    STRIDE,
    Field,
    Number,
    Scalar,
    Table,
    Term,
)  # fmt: skip
from tetriscourse.simulator.programs import drop_program, prepare_program, value_program

Ints = npt.NDArray[np.int64]
NO_LIMIT = 99


@dataclass(frozen=True)
class Encoded:
    """Everything that a kernel needs to play one player under one set of rules."""

    numbers: Ints
    """Rules and weights of columns, by layout.Number."""
    states: npt.NDArray[np.int32]
    """Three boards, the present one and room for two more, and the tables for the lanes."""


def shape_number(orientation: Orientation) -> int:
    """The simulator's number of a shape."""
    return next(i for i, shape in enumerate(SHAPES) if shape.cells == orientation.cells)


def program_of(piece: Piece) -> int:
    """The program that values a piece's moves: that of the piece with the same shapes."""
    shapes = {one.cells for one in piece.orientations}
    return next(i for i, other in enumerate(PROGRAMS) if {one.cells for one in other.orientations} == shapes)


def slot_of(orientation: Orientation, piece: Piece) -> int:
    """Which orientation of its piece's program this is."""
    shapes = [one.cells for one in PROGRAMS[program_of(piece)].orientations]
    return shapes.index(orientation.cells)


def encode(player: Player | Filter, rules: Rules, board: Board | None = None) -> Encoded:
    """The numbers for a player, rules, and the board to start from."""
    names, integers = linear(player, rules)
    numbers = encode_weights(tuple(names), rules, np.array([integers], np.int64))[0]
    if isinstance(player, Filter):  # chance decides between equal moves, and the next piece is ignored
        numbers[Number.RANDOM_TIES], numbers[Number.KNOWN], numbers[Number.IN_ORDER] = 1, 1, 0
    return Encoded(numbers, encode_states(rules, numbers, board))


def encode_states(rules: Rules, numbers: Ints, board: Board | None = None) -> npt.NDArray[np.int32]:
    """Three times the board to start from, and the tables; the kernels add the weights."""
    boards = np.tile(encode_board(board or rules.empty_board(), numbers), 3)
    return aligned(np.concatenate([boards, tables(numbers)]))


def encode_weights(features: tuple[str, ...], rules: Rules, integers: Ints) -> Ints:
    """The numbers of many players at once, a row each, from their weights in fixed point."""
    base, places, bounds = weightless(features, rules)
    numbers = base + integers @ places
    heights = abs(numbers[:, Number.HEIGHT_WEIGHTS :][:, : rules.width]).max(axis=1)
    steps = abs(numbers[:, Number.STEP_WEIGHTS :][:, : rules.width - 1]).max(axis=1)
    terms = abs(numbers[:, Number.WEIGHTS :][:, : len(Term)])
    # Whether the change of the value by any move fits into a lane of 32 bits.
    largest = (terms.astype(np.float64) * bounds).sum(axis=1) + (rules.height + 4.0) * (4 * heights + 5 * steps)
    numbers[:, Number.USE_LANES] = (largest < 1 << 31) & (not is_tall(rules))
    return numbers


@lru_cache(maxsize=64)
def weightless(features: tuple[str, ...], rules: Rules) -> tuple[Ints, Ints, Ints]:
    """What players of these features have in common: their numbers, where each weight goes, bounds of each term."""
    places, used = weight_places(features, rules)
    numbers = encode_rules(rules)
    numbers[Number.IN_ORDER] = all(PROGRAMS[program_of(piece)] == piece for piece in rules.pieces)
    for flag in (Term.column_heights, Term.height_differences, Term.tall):
        numbers[Number.WEIGHTS + flag] = flag in used
    mask = sum(1 << term for term in used)
    numbers[Number.PREPARE_PROGRAM] = prepare_program(mask)
    numbers[Number.VALUE_PROGRAM] = value_program(mask)
    numbers[Number.DROP_PROGRAM] = drop_program(mask)
    return numbers, places, np.array([largest_change(term, rules) for term in Term])


def used_features(player: Player | Filter, rules: Rules) -> int:
    """The terms that have a weight, as bits: what programs are compiled for."""
    return sum(1 << term for term in weight_places(tuple(linear(player, rules)[0]), rules)[1])


def tables(numbers: Ints) -> npt.NDArray[np.int32]:
    """What the lanes read and never changes, by layout.Table; the kernels add the weights."""
    rows = np.zeros((Table.TOTAL, COLUMNS), np.int32)
    x = np.arange(COLUMNS)
    for k in range(4):
        rows[Table.MOVE + k] = COLUMNS * k + x
    for wide in range(1, 5):
        for high in range(1, 5):
            fits, size = x <= numbers[Number.WIDTH] - wide, 4 * (wide - 1) + high - 1
            rows[Table.HIGHEST_SAFE + size] = np.where(fits, numbers[Number.SAFE_TOP] - high, -1)
            rows[Table.HIGHEST_CLEAR + size] = np.where(fits, numbers[Number.CLEAR_TOP] - high, -1)
    return rows.ravel()


def encode_rules(rules: Rules) -> Ints:
    """The rules as numbers."""
    top = rules.height - (rules.game_over is GameOver.TOP_ROW)
    after = rules.game_over is GameOver.OVERFLOW_AFTER_CLEARING
    losing = rules.losing_moves is LosingMoves.ALLOWED
    orientations = [piece.orientations for piece in rules.pieces]
    by_turns = rules.draw is Draw.BY_TURNS
    numbers = np.zeros(Number.TOTAL, np.int64)
    entries: dict[Number, npt.ArrayLike] = {
        Number.WIDTH: rules.width,
        Number.HEIGHT: rules.height,
        Number.SAFE_TOP: NO_LIMIT if losing else top,
        Number.CLEAR_TOP: NO_LIMIT if after else top,
        Number.SPAWN: rules.entry is Entry.SPAWN,
        Number.LOSING: losing,
        Number.DRAW: -len(rules.possible) if by_turns else rules.draw is Draw.BAG,
        Number.PIECES: len(rules.pieces),
        Number.MAX_PIECES: rules.max_pieces,
        Number.KNOWN: rules.pieces_known,
        Number.POINTS: POINTS[rules.scoring],
        Number.FIRST: np.cumsum([0] + [len(some) for some in orientations]),
        Number.SHAPES: [shape_number(one) for some in orientations for one in some],
        Number.SPAWNS: [shape_number(piece.orientations[piece.spawn]) for piece in rules.pieces],
        Number.PROGRAM: [program_of(piece) for piece in rules.pieces],
        Number.SLOT: [slot_of(one, piece) for piece in rules.pieces for one in piece.orientations],
        Number.EDGES: rules.possible if by_turns else thresholds(rules.probabilities or [1.0] * len(rules.pieces)),
    }
    for number, values in entries.items():
        numbers[number : number + np.size(values)] = values
    return numbers


def encode_board(board: Board, numbers: Ints) -> npt.NDArray[np.int32]:
    """A board's cells and full walls, as the lanes read them."""
    state = np.zeros(STATE_SIZE, np.int32)
    fields = state[: Scalar.WIDTH].reshape(-1, STRIDE)
    columns, steps = slice(ORIGIN, ORIGIN + board.width), slice(ORIGIN, ORIGIN + board.width - 1)
    fields[Field.CELLS] = -1
    fields[Field.CELLS, columns] = (board.full * (1 << np.arange(len(board.full)))[:, None]).sum(axis=0)
    fields[Field.HEIGHT] = board.height
    fields[Field.HEIGHT, columns] = board.heights
    fields[Field.STEP, steps] = -1
    fields[Field.ON_BOARD, columns] = -1
    for scalar, number in (
        (Scalar.WIDTH, Number.WIDTH),
        (Scalar.HEIGHT, Number.HEIGHT),
    ):
        state[scalar] = numbers[number]
    return state


def weight_places(features: tuple[str, ...], rules: Rules) -> tuple[Ints, set[Term]]:
    """Where each weight goes: a matrix from weights to numbers, and the terms that get one.

    Numbers hold twice each weight, because landing heights are counted in halves.
    """
    rows: list[Ints] = []
    used = {Term.tall} if is_tall(rules) else set()

    def add(name: str, row: Ints, column: int) -> None:
        if name in ("column_heights", "sum_heights"):
            used.add(Term.column_heights)
            row[Number.HEIGHT_WEIGHTS :][slice(rules.width) if name == "sum_heights" else column] += 2
        elif name in ("height_differences", "bumpiness"):
            used.add(Term.height_differences)
            row[Number.STEP_WEIGHTS :][slice(rules.width - 1) if name == "bumpiness" else column] += 2
        elif name == "frontier":
            add("row_transitions", row, column)
            add("column_transitions", row, column)
        elif name != "constant":  # the same for every move
            used.add(Term[name])
            row[Number.WEIGHTS + Term[name]] += 1 if name == "landing_height" else 2

    for name in features:
        for column in range(FEATURES[name].size(rules.width)):
            rows.append(np.zeros(Number.TOTAL, np.int64))
            add(name, rows[-1], column)
    return np.array(rows), used


def is_tall(rules: Rules) -> bool:
    """Whether a piece on top of the pile may reach bit 31 of a column."""
    may_overflow = (
        rules.losing_moves is LosingMoves.ALLOWED or rules.game_over is GameOver.OVERFLOW_AFTER_CLEARING
    )
    return may_overflow and rules.height + 4 > 31


def linear(player: Player | Filter, rules: Rules) -> tuple[list[str], tuple[int, ...]]:
    """Feature names and whole weights; a filter's criteria become weights so far apart that each rules the next."""
    if isinstance(player, Player):
        return [feature.name for feature in player.features.features], player.integers
    names, weights, scale = [], [], 1
    halves = 2 if any(one.feature.name == "landing_height" for one in player.criteria) else 1
    for criterion in reversed(player.criteria):
        names.append(criterion.feature.name)
        weights.append(criterion.sign * scale)
        scale *= halves * (2 * largest_value(criterion.feature.name, rules) + 1)
    return names, tuple(weights)


def largest_value(name: str, rules: Rules) -> int:
    """A bound on a feature's size on any board of this size, counted in halves for the landing height."""
    rows, cells = rules.height + 4, (rules.height + 4) * rules.width
    bounds = {
        "landing_height": 2 * rows, "eroded_cells": 16, "lines": 4, "drop_depth": rows, "constant": 1,
        "wells": cells * rows, "wells_one_pass": cells * rows, "hole_depth_sum": cells * rows,
        "rows_with_holes": rows, "max_height": rows, "diversity": 5, "frontier": 4 * cells,
    }  # fmt: skip
    return bounds.get(name, 2 * cells)


def largest_change(term: Term, rules: Rules) -> int:
    """A bound on the size of a feature's change by one move that clears nothing."""
    rows = rules.height + 4
    pyramid = rows * (rows + 1) // 2
    bounds = {
        Term.landing_height: 2 * rows, Term.drop_depth: rows, Term.row_transitions: 8,
        Term.column_transitions: 8, Term.holes: 3 * rows, Term.wells: 3 * pyramid,
        Term.wells_one_pass: 3 * pyramid, Term.hole_depth: 4, Term.hole_depth_sum: 4 * rows,
        Term.rows_with_holes: rows, Term.max_height: rows, Term.diversity: 5, Term.i_wells: 5 * rows,
    }  # fmt: skip
    return bounds.get(term, 0)
