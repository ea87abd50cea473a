"""Rules, players and boards as the records and numbers that compiled code reads."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tetriscourse.features import FEATURES
from tetriscourse.game.board import Board
from tetriscourse.game.random import thresholds
from tetriscourse.game.rules import POINTS, Draw, Entry, GameOver, LosingMoves, Rules
from tetriscourse.players import Filter, Player
from tetriscourse.simulator import bitboards
from tetriscourse.simulator.driver import aligned
from tetriscourse.simulator.features import COMPILED, TALL, TERMS, Size
from tetriscourse.simulator.layout import LANES, ORIGIN, STATE_SIZE, STRIDE, Field, Scalar, Table
from tetriscourse.simulator.programs import drop_program, prepare_program, value_program
from tetriscourse.simulator.records import PLAYER_RECORD, RULES_RECORD, WEIGHTS_RECORD
from tetriscourse.simulator.shapes import COLUMNS, PROGRAMS, program_of, shape_number, slot_of

Ints = npt.NDArray[np.int64]
Records = npt.NDArray[Any]
NO_LIMIT = 99


class Encoded(NamedTuple):
    """Everything that a kernel needs to play some players under one set of rules."""

    players: Records  # a record (records.PLAYER_RECORD) for each player
    states: npt.NDArray[np.int32]  # three boards, the present one and room for two more, and the tables (layout)


def encode(player: Player | Filter, rules: Rules, board: Board | None = None) -> Encoded:
    """One player, rules, and the board to start from."""
    return Encoded(encode_player(player, rules).copy(), encode_states(rules, board))


@lru_cache(maxsize=64)
def encode_player(player: Player | Filter, rules: Rules) -> Records:
    """The record of one player."""
    if isinstance(player, Player):
        player.check_width(rules.width)
    names, integers = linear(player, rules)
    players = encode_weights(tuple(names), rules, np.array([integers], np.int64))
    if isinstance(player, Filter):  # chance decides between equal moves, and the next piece is ignored
        players["random_ties"], players["known"], players["in_order"] = 1, 1, 0
    return players


def encode_weights(features: tuple[str, ...], rules: Rules, integers: Ints) -> Records:
    """The records of many players at once, from their weights in fixed point, a row each."""
    base, places, bounds = weightless(features, rules)
    players = np.repeat(base, len(integers))
    weights = players["weights"]
    for name in WEIGHTS_RECORD.names or ():
        weights[name] = integers @ places[name]
    terms, heights, steps = (abs(weights[name]) for name in ("terms", "heights", "steps"))
    # Whether the change of the value by any move fits into a lane of 32 bits.
    largest = (terms.astype(np.float64) * bounds).sum(axis=1)
    largest += (rules.height + 4.0) * (4 * heights.max(axis=1) + 5 * steps.max(axis=1))
    players["use_lanes"] = (largest < 1 << 31) & (not is_tall(rules))
    return players


@lru_cache(maxsize=64)
def weightless(features: tuple[str, ...], rules: Rules) -> tuple[Records, Records, Ints]:
    """The record that players of these features share, but for their weights; where each weight goes; bounds of terms.

    Each value of the features has a record of weights, in which all numbers are the multiples of its weight.
    """
    player, choice = np.zeros(1, PLAYER_RECORD), chosen_features(features, rules)
    player["rules"], player["known"] = encode_rules(rules), rules.pieces_known
    player["in_order"] = all(PROGRAMS[program_of(piece)] == piece for piece in rules.pieces)
    for field, name in (("uses_heights", "column_heights"), ("uses_steps", "height_differences")):
        player[field] = choice >> COMPILED[name].terms()[0].number & 1
    player["prepare_program"] = prepare_program(choice)
    player["value_program"] = value_program(choice)
    player["drop_program"] = drop_program(choice)
    values = [(name, column) for name in features for column in range(FEATURES[name].size(rules.width))]
    places = np.zeros(len(values), WEIGHTS_RECORD)
    for place, (name, column) in zip(places, values, strict=True):
        COMPILED[name].place_weight(place, rules.width, column)
    return player, places, np.array([term.largest_change(size_of(rules)) for term in TERMS])


@lru_cache(maxsize=64)
def chosen_features(features: tuple[str, ...], rules: Rules) -> int:
    """The choice of terms that these features need: what programs are compiled for."""
    terms = {term.number for name in features for term in COMPILED[name].terms()}
    return sum(1 << number for number in terms) | (TALL if is_tall(rules) else 0)


def is_tall(rules: Rules) -> bool:
    """Whether a piece on top of the pile may reach bit 31 of a column."""
    may_overflow = rules.losing_moves is LosingMoves.ALLOWED or rules.game_over is GameOver.OVERFLOW_AFTER_CLEARING
    return may_overflow and rules.height + 4 > 31


def size_of(rules: Rules) -> Size:
    """The size of the board with the room above it."""
    return Size(rules.height + 4, (rules.height + 4) * rules.width)


def linear(player: Player | Filter, rules: Rules) -> tuple[list[str], tuple[int, ...]]:
    """Feature names and whole weights; a filter's criteria become weights so far apart that each outranks the next."""
    if isinstance(player, Player):
        return [feature.name for feature in player.features.features], player.integers
    names, weights, scale = [], [], 1
    halves = max(COMPILED[one.feature.name].halves for one in player.criteria)
    for criterion in reversed(player.criteria):
        names.append(criterion.feature.name)
        weights.append(criterion.sign * scale)
        scale *= halves * (2 * COMPILED[criterion.feature.name].largest(size_of(rules)) + 1)
    return names, tuple(weights)


def tops(rules: Rules) -> tuple[int, int]:
    """How high a piece that clears nothing may reach, and one that clears rows."""
    top = rules.height - (rules.game_over is GameOver.TOP_ROW)
    losing, after = rules.losing_moves is LosingMoves.ALLOWED, rules.game_over is GameOver.OVERFLOW_AFTER_CLEARING
    return NO_LIMIT if losing else top, NO_LIMIT if after else top


def encode_rules(rules: Rules) -> Any:
    """The rules as a record (records.RULES_RECORD)."""
    safe_top, clear_top = tops(rules)
    by_turns, spawn = rules.draw is Draw.BY_TURNS, rules.entry is Entry.SPAWN
    turns = [(piece, shape) for piece in rules.pieces for shape in piece.orientations]
    first = np.cumsum([0] + [len(piece.orientations) for piece in rules.pieces])
    moves = [(turn, column) for turn, (_, shape) in enumerate(turns) for column in range(rules.width - shape.width + 1)]
    fields: dict[str, Any] = {
        "width": rules.width,
        "height": rules.height,
        "safe_top": safe_top,
        "clear_top": clear_top,
        "spawn": spawn,
        "losing": rules.losing_moves is LosingMoves.ALLOWED,
        "max_pieces": rules.max_pieces,
        "points": POINTS[rules.scoring],
        "pieces": len(rules.pieces),
        "first": first,
        "spawns": [start + piece.spawn for start, piece in zip(first, rules.pieces, strict=False)],
        "left": [piece.left for piece in rules.pieces],
        "program": [program_of(piece) for piece in rules.pieces],
        "shapes": [shape_number(shape) for _, shape in turns],
        "turn_height": [shape.height for _, shape in turns],
        "turn_width": [shape.width for _, shape in turns],
        "entry_row": [rules.height - (shape.height - 1 if spawn else 0) for _, shape in turns],
        "slot": [slot_of(shape, piece) for piece, shape in turns],
        "corner_row": [shape.corner[0] for _, shape in turns],
        "corner_column": [shape.corner[1] for _, shape in turns],
        "first_move": np.searchsorted([turn for turn, _ in moves], first),
        "move_turn": [turn for turn, _ in moves],
        "move_column": [column for _, column in moves],
        "draw": -len(rules.possible) if by_turns else rules.draw is Draw.BAG,
        "edges": rules.possible if by_turns else thresholds(rules.probabilities or [1.0] * len(rules.pieces)),
        "bag_start": -1,
    }
    if bitboards.fits(rules):
        fields["masks"] = [bitboards.shape_mask(shape, rules.width) for _, shape in turns]
        fields["column_mask"] = bitboards.column_mask(rules)
    record = np.zeros((), RULES_RECORD)
    for name, value in fields.items():
        if np.ndim(value):
            record[name][: len(value)] = value
        else:
            record[name] = value
    return record[()]


def encode_states(rules: Rules, board: Board | None = None) -> npt.NDArray[np.int32]:
    """Three copies of the board to start from, and the tables; the kernels add the weights."""
    boards = np.tile(encode_board(board or rules.empty_board()), 3)
    return aligned(np.concatenate([boards, tables(rules)]))


@lru_cache(maxsize=64)
def start_states(rules: Rules) -> npt.NDArray[np.int32]:
    """`encode_states` of an empty board, to be copied and not to be changed."""
    return encode_states(rules)


def encode_board(board: Board) -> npt.NDArray[np.int32]:
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
    state[Scalar.WIDTH], state[Scalar.HEIGHT] = board.width, board.height
    return state


def tables(rules: Rules) -> npt.NDArray[np.int32]:
    """Constants of a game for the lanes, by layout.Table; the kernels add the weights."""
    x = np.arange(COLUMNS)
    rows = np.zeros((Table.WEIGHT - (-LANES * len(TERMS) // COLUMNS), COLUMNS), np.int32)
    safe_top, clear_top = tops(rules)
    for k in range(4):
        rows[Table.MOVE + k] = COLUMNS * k + x
    for wide in range(1, 5):
        for high in range(1, 5):
            fits, size = x <= rules.width - wide, 4 * (wide - 1) + high - 1
            rows[Table.HIGHEST_SAFE + size] = np.where(fits, safe_top - high, -1)
            rows[Table.HIGHEST_CLEAR + size] = np.where(fits, clear_top - high, -1)
    return rows.ravel()
