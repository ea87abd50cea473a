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
from tetriscourse.simulator.background import give_programs, give_word_programs
from tetriscourse.simulator.best import Choice
from tetriscourse.simulator.features import COMPILED, TERMS, Size
from tetriscourse.simulator.games import aligned
from tetriscourse.simulator.layout import ORIGIN, STATE_SIZE, STRIDE, Field, Scalar, Table
from tetriscourse.simulator.playable import LinearPlayers
from tetriscourse.simulator.programs import Programs
from tetriscourse.simulator.records import PLAYER_RECORD, RULES_RECORD, WEIGHTS_RECORD
from tetriscourse.simulator.shapes import COLUMNS, PROGRAMS, program_of, shape_number, slot_of

Ints = npt.NDArray[np.int64]
Records = npt.NDArray[Any]
NO_LIMIT = 99
PROGRAM_FIELDS = [f"{name}_program" for name in Programs._fields]
COLUMN_TERMS = [COMPILED[name].terms()[0].number for name in ("column_heights", "height_differences")]


class Encoded(NamedTuple):
    """Everything that a kernel needs to play some players under one set of rules."""

    players: Records  # a record (records.PLAYER_RECORD) for each player
    states: npt.NDArray[np.int32]  # three boards, the present one and room for two more, and the tables (layout)


def encode(player: Player | Filter, rules: Rules, board: Board | None = None) -> Encoded:
    """One player, rules, and the board to start from."""
    players = encode_player(player, rules).copy()
    players[PROGRAM_FIELDS] = base_of(player, rules)[PROGRAM_FIELDS]
    return Encoded(players, encode_states(rules, board))


@lru_cache(maxsize=64)
def base_of(player: Player | Filter, rules: Rules) -> Records:
    """The record of which a player's is a copy; it always has the best programs that there are."""
    return weightless(feature_names(player), rules)[0]


def choice_of(player: Player | Filter, rules: Rules) -> Choice:
    """The choice for which programs are compiled, if somebody plays like this."""
    return chosen_features(feature_names(player), rules)


@lru_cache(maxsize=64)
def encode_player(player: Player | Filter, rules: Rules) -> Records:
    """The record of one player."""
    if isinstance(player, Player):
        player.check_width(rules.width)
        return encode_weights(feature_names(player), rules, np.array([player.integers], np.int64))
    found = encode_weights(feature_names(player), rules, np.array(words(player, rules), np.int64))
    players = found[:1].copy()
    rows = found["weights"]["terms"]
    used = np.flatnonzero(rows.any(axis=0))
    players["words"][0, : len(found)], players["word_count"] = rows, len(found)
    players["word_terms"][0, : len(used)], players["word_terms_count"] = used, len(used)
    players["use_lanes"] = found["use_lanes"].all()
    if len(rows) > 1:
        choice = choice_of(player, rules)
        give_word_programs(players, [choice._replace(terms=terms_of(row)) for row in rows])
    players["random_ties"], players["known"] = 1, 1  # chance decides between equal moves; the next piece is ignored
    return players


def terms_of(weights: Ints) -> int:
    """The terms that have a weight, as bits."""
    return sum(1 << int(number) for number in np.flatnonzero(weights))


def feature_names(player: Player | Filter | LinearPlayers) -> tuple[str, ...]:
    """The features of a player or of many, or of the criteria of a filter."""
    if isinstance(player, LinearPlayers):
        return tuple(map(str, player.features))
    if isinstance(player, Player):
        return tuple(one.name for one in player.features.features)
    return tuple(one.feature.name for one in player.criteria)


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
    for number, columns in zip(COLUMN_TERMS, (heights, steps), strict=True):  # whether there is anything to compute
        weights["terms"][:, number] = columns.any(axis=1)
    return players


@lru_cache(maxsize=64)
def weightless(features: tuple[str, ...], rules: Rules) -> tuple[Records, Records, Ints]:
    """The record that players of these features share, but for their weights; where each weight goes; bounds of terms.

    Each value of the features has a record of weights, in which all numbers are the multiples of its weight.
    """
    player, choice = np.zeros(1, PLAYER_RECORD), chosen_features(features, rules)
    player["rules"], player["known"] = encode_rules(rules), rules.pieces_known
    give_programs(player, choice)
    player["in_order"] = all(PROGRAMS[program_of(piece)] == piece for piece in rules.pieces)
    for field, number in zip(("uses_heights", "uses_steps"), COLUMN_TERMS, strict=True):
        player[field] = choice.terms >> number & 1
    values = [(name, column) for name in features for column in range(FEATURES[name].size(rules.width))]
    places = np.zeros(len(values), WEIGHTS_RECORD)
    for place, (name, column) in zip(places, values, strict=True):
        COMPILED[name].place_weight(place, rules.width, column)
    return player, places, np.array([term.largest_change(size_of(rules)) for term in TERMS])


@lru_cache(maxsize=64)
def chosen_features(features: tuple[str, ...], rules: Rules) -> Choice:
    """The choice for which programs are compiled, if a player has these features."""
    terms = {term.number for name in features for term in COMPILED[name].terms()}
    return Choice(sum(1 << number for number in terms), is_tall(rules), min(max(rules.width, 8), 12))


def is_tall(rules: Rules) -> bool:
    """Whether a piece on top of the pile may reach bit 31 of a column."""
    may_overflow = rules.losing_moves is LosingMoves.ALLOWED or rules.game_over is GameOver.OVERFLOW_AFTER_CLEARING
    return may_overflow and rules.height + 4 > 31


def size_of(rules: Rules) -> Size:
    """The size of the board with the room above it."""
    return Size(rules.height + 4, (rules.height + 4) * rules.width)


def words(filtering: Filter, rules: Rules) -> list[tuple[int, ...]]:
    """The criteria of a filter as rows of weights: moves are compared by the first row, then by the next, and so on.

    In a row, each criterion outranks those after it. A row has as many of them as lanes can add up.
    """
    rows, first, end = [], 0, len(filtering.criteria)
    while first < end:
        last = first + 1
        while last < end and fits_lanes(word(filtering, rules, first, last + 1), filtering, rules):
            last += 1
        rows.append(word(filtering, rules, first, last))
        first = last
    return rows


def word(filtering: Filter, rules: Rules, first: int, last: int) -> tuple[int, ...]:
    """Weights of the criteria from `first` to before `last`, so far apart that each outranks the next."""
    weights, scale = [0] * len(filtering.criteria), 1
    halves = max(COMPILED[one.feature.name].halves for one in filtering.criteria)
    for k in reversed(range(first, last)):
        criterion = filtering.criteria[k]
        weights[k] = criterion.sign * scale
        scale *= halves * (2 * COMPILED[criterion.feature.name].largest(size_of(rules)) + 1)
    return tuple(weights)


def fits_lanes(weights: tuple[int, ...], filtering: Filter, rules: Rules) -> bool:
    """Whether no move that clears no row changes the weighted sum by more than a lane can hold."""
    largest, size = 0, size_of(rules)
    for weight, criterion in zip(weights, filtering.criteria, strict=True):
        largest += sum(2 * abs(weight) * term.largest_change(size) for term in COMPILED[criterion.feature.name].terms())
    return largest < 1 << 31


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
    fields[Field.STEP_FLOOR] = 3
    fields[Field.STEP_FLOOR, steps] = -3
    fields[Field.ON_BOARD, columns] = -1
    state[Scalar.WIDTH], state[Scalar.HEIGHT] = board.width, board.height
    return state


def tables(rules: Rules) -> npt.NDArray[np.int32]:
    """Constants of a game for the lanes, by layout.Table; the kernels add the weights."""
    x = np.arange(COLUMNS)
    rows = np.zeros((Table.WEIGHT - (-len(TERMS) // COLUMNS), COLUMNS), np.int32)
    safe_top, clear_top = tops(rules)
    for wide in range(1, 5):
        for high in range(1, 5):
            fits, size = x <= rules.width - wide, 4 * (wide - 1) + high - 1
            rows[Table.HIGHEST_SAFE + size] = np.where(fits, safe_top - high, -1)
            rows[Table.HIGHEST_CLEAR + size] = np.where(fits, clear_top - high, -1)
    return rows.ravel()
