"""The judges of chapter 13."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import drawn_piece, small_moves
from tetriscourse.course.exercises import exercise
from tetriscourse.course.outcomes import Outcome, Right, Wrong, clipped, first_difference
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES, Piece
from tetriscourse.game.rules import Rules
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, derived_seed
from tetriscourse.simulator import is_fast, simulate
from tetriscourse.statistics import Scores

# --- 13.1 -----------------------------------------------------------------------------------------


def surfaces(seed: int) -> Iterator[tuple[list[int]]]:
    """Column heights, few and level ones first."""
    yield ([0, 0, 0, 0],)
    yield ([1, 0, 0, 0],)
    yield ([0, 2, 0, 3],)
    yield ([0, 3, 0, 3],)
    yield ([5, 5, 4, 5],)
    for number in range(30):
        draws = Draws(seed, 1310 + number)
        yield (draws.below(2 + number // 6, 4 + number // 5).tolist(),)


def flush_pieces(heights: Sequence[int]) -> set[str]:
    """The pieces that come to rest somewhere with no empty cell right below any of their columns."""
    found = set()
    for name, piece in PIECES.items():
        for shape in piece.orientations:
            for column in range(len(heights) - shape.width + 1):
                under = heights[column : column + shape.width]
                row = max(high - low for high, (low, _) in zip(under, shape.columns, strict=True))
                if all(row + low == high for high, (low, _) in zip(under, shape.columns, strict=True)):
                    found.add(name)
    return found


def shown_surface(heights: Sequence[int]) -> list[Any]:
    """The heights, and the columns drawn."""
    rows = np.arange(max(4, 1 + max(heights)))[:, None]
    return [Board((rows < np.array(heights)).astype(np.int8)), f"heights {list(heights)}"]


@exercise(
    "13.1", "A home for every piece", answers="homes", points=2,
    teaches="A feature is an idea of what will matter next. The compiled cousin of this one is diversity, which the "
    "record holders have: different steps are homes for different pieces.",
    hints=[
        "A shape lies flush at a column if the height below it, minus the lowest cell of the shape there, is the same "
        "number in all of its columns.",
        "Three loops: over the pieces, over the orientations of a piece, over the columns where a shape can begin. The "
        "last of these is `len(heights) - len(shape.columns)`.",
        "One home is enough: a set holds each name once, however often you add it.",
    ],
)  # fmt: skip
def a_home(homes: Callable[[Sequence[int]], Any], *, seed: int) -> Outcome:
    """Right when exactly the pieces that can lie flush are named."""
    return first_difference(homes, flush_pieces, surfaces(seed), same=same_names, show=shown_surface)


def same_names(got: Any, expected: set[str]) -> bool:
    """Whether the same pieces are named, in a set or in a list without doubles."""
    return isinstance(got, set | frozenset | list | tuple) and len(got) == len(expected) and set(got) == expected


# --- 13.2 -----------------------------------------------------------------------------------------

Rivals = Mapping[str, Sequence[int]]
NAMES = ("ana", "ben", "cleo", "dan", "eva", "finn", "gina", "hugo", "iris", "jon", "kim", "lou")
TOO_CLOSE = 0.01
"""A comparison that is decided by less than this is not asked for."""


def boundary(rivals: int, games: int, others: int) -> float:
    """What the logarithm of a ratio of means must exceed, so that a list of so many comparisons errs in 5 %."""
    return NormalDist().inv_cdf(1 - 0.025 / rivals) * sqrt(1 / games + 1 / others)


def clearly_beaten(mine: Sequence[int], rivals: Rivals) -> list[str]:
    """The rivals that lie beyond the boundary."""
    return [name for name in rivals if lead(mine, rivals[name]) > boundary(len(rivals), len(mine), len(rivals[name]))]


def lead(mine: Sequence[int], scores: Sequence[int]) -> float:
    """The logarithm of the ratio of the means."""
    return log(float(np.mean(mine)) / float(np.mean(scores)))


def contests(seed: int) -> Iterator[tuple[list[int], dict[str, list[int]]]]:
    """Own scores and those of rivals of all strengths, one rival first, then more."""
    for number in range(40):
        draws, count = Draws(seed, 1340 + number), 1 + number * len(NAMES) // 40
        mine = scores_of(draws, 500.0, 20 + 5 * number)
        rivals = {
            name: scores_of(draws, 500 * float(0.4 + draws.uniform(1)[0]), 15 + 8 * (number % 5))
            for name in NAMES[:count]
        }
        limits = {name: boundary(count, len(mine), len(rival)) for name, rival in rivals.items()}
        if all(abs(lead(mine, rivals[name]) - limit) > TOO_CLOSE for name, limit in limits.items()):
            yield mine, rivals


def scores_of(draws: Draws, mean: float, games: int) -> list[int]:
    """Scores of a player, as the exponential law makes them."""
    lines: list[int] = (1 + np.floor(-mean * np.log(draws.uniform(games)))).astype(np.int64).tolist()
    return lines


def shown_contest(mine: Sequence[int], rivals: Rivals) -> list[str]:
    """Games and means, in a few words each."""
    listed = {"mine": mine, **rivals}
    return [f"{name}: {len(scores)} games, mean {np.mean(scores):.0f} lines" for name, scores in listed.items()]


@exercise(
    "13.2", "A fair claim", answers="beaten", points=2,
    teaches="The longer the list of rivals, the more each single claim has to show: whoever compares often enough will "
    "always find somebody to have beaten.",
    hints=[
        "The number of rivals is `len(rivals)`. What probability is left for one side of one comparison?",
        "`norm.ppf` wants the probability below the value: 1 minus what may lie above it.",
        "A rival is beaten only if the logarithm itself, not its absolute value, exceeds the boundary.",
    ],
)  # fmt: skip
def fair_claim(beaten: Callable[[Sequence[int], Rivals], Any], *, seed: int) -> Outcome:
    """Right when exactly the rivals beyond Bonferroni's boundary are named, in order."""
    return first_difference(beaten, clearly_beaten, contests(seed), same=same_list, show=shown_contest)


def same_list(got: Any, expected: list[str]) -> bool:
    """Whether the same names stand in the same order."""
    return isinstance(got, list | tuple) and list(got) == expected


# --- 13.3 -----------------------------------------------------------------------------------------

Value = Callable[[Move], float]
NO_ROOM = Board.from_text("XX.X\nX.XX\nXXX.", height=4)
"""On this board an O finds no place."""
PAIRS = {"dellacherie": "Dellacherie's", "tetrisbot": "TetrisBot's"}


def values_of(name: str) -> Value:
    """The value that a published player gives to a move."""
    player = PLAYERS[name]
    assert isinstance(player, Player)
    return player.value


def pairs_of_pieces(seed: int) -> Iterator[tuple[Board, Piece, Piece, str]]:
    """Positions with two pieces, those on small boards first; and whose values to choose by."""
    for number, move in enumerate(small_moves(seed, 26)):
        following = drawn_piece(Draws(seed, 1380 + number))
        yield move.before, move.piece, following, list(PAIRS)[number % 2]
    yield NO_ROOM, PIECES["O"], PIECES["I"], "dellacherie"


def best_pair(board: Board, piece: Piece, following: Piece, name: str) -> Move | None:
    """What the library's player chooses when it knows the next piece."""
    return PLAYERS[name].choose(board, piece, following)


def same_place(got: Any, expected: Move | None) -> bool:
    """Whether two moves put the piece at the same place."""
    return bool((got.orientation, got.column) == (expected.orientation, expected.column)) if expected else got is None


def shown_pieces(board: Board, piece: Piece, following: Piece, name: str) -> list[Any]:
    """The position and the two pieces."""
    return [board, f"piece {piece.name}, next piece {following.name}; {PAIRS[name]} values"]


@exercise(
    "13.3", "One piece further", answers="choose_two", points=2,
    teaches="These few lines are worth more than any weights: on 10x6 they multiply DN's lines by eight or so. They "
    "make every choice some twenty times as expensive, too.",
    hints=[
        "For one move: list the values of all answers, `tc.moves(move.after, next_piece)`. What is the pair worth?",
        "Compare pairs (is there an answer?, sum of values): Python compares tuples from the left, and True is more "
        "than False.",
        "`max(..., default=0)` copes with no answer, `max(..., key=..., default=None)` with no move.",
    ],
)  # fmt: skip
def one_piece_further(choose_two: Callable[..., Any], *, seed: int) -> Outcome:
    """Right when the first best pair is found everywhere, and None where there is no move."""
    if not callable(choose_two):
        return Wrong(f"A function was expected here, and {clipped(choose_two)} is none.")
    *cases, last = pairs_of_pieces(seed)

    def answer(board: Board, piece: Piece, following: Piece, name: str) -> Any:
        return choose_two(board, piece, following, values_of(name))

    answer.__name__ = "choose_two"
    placed = (case for case in cases if moves(case[0], case[1]))
    outcome = first_difference(answer, best_pair, placed, same=same_place, show=shown_pieces)
    if not isinstance(outcome, Right):
        return outcome
    try:
        got = answer(*last)
    except Exception as error:
        said = f"An O finds no place here, and `choose_two` stops with {type(error).__name__}; it should return None."
        return Wrong(said, [NO_ROOM])
    said = f"An O finds no place here, so None is wanted, and `choose_two` gives {clipped(got)}."
    return Right() if got is None else Wrong(said, [NO_ROOM])


# --- 13.4 -----------------------------------------------------------------------------------------


def sequences(seed: int) -> Iterator[tuple[int, int, int]]:
    """Widths and rounds: alternation on all widths, one kind only, then others."""
    yield from ((width, 1, 1) for width in (4, 6, 8, 10, 5, 12))
    yield from ((10, 2, 3), (10, 3, 2), (6, 1, 2), (10, 4, 6), (8, 0, 1), (8, 1, 0), (9, 1, 1), (7, 0, 1), (12, 1, 2))
    draws = Draws(seed, 1390)
    for _ in range(30):
        width, s, z = 4 + int(draws.below(13)), int(draws.below(7)), int(draws.below(7))
        if s + z:
            yield width, s, z


def equal_growth(width: int, s: int, z: int) -> tuple[int, int]:
    """The lanes that each kind fills, when its share of the lanes is its share of the pieces."""
    count, odd = divmod(width, 2)
    share, rest = divmod(count * s, s + z)
    return (0, 0) if odd or rest else (share, count - share)


@exercise(
    "13.4", "Lanes", answers="lanes", points=1,
    teaches="This is the arithmetic of Burgiel's argument: five lanes cannot be halved. On eight columns the same "
    "sequence is harmless, and so are two S to every three Z on ten. What is fatal depends on the width.",
    hints=[
        "Lanes of S receive s/a pieces a round each, lanes of Z z/b. When do they grow equally? Multiply out, so that "
        "nothing is divided by zero.",
        "All lanes together are half of the width. Which widths cannot be divided into lanes at all?",
        "Try every number of lanes for S, from none to all of them.",
    ],
)  # fmt: skip
def lanes_for(lanes: Callable[[int, int, int], Any], *, seed: int) -> Outcome:
    """Right when the lanes are in proportion to the pieces."""
    return first_difference(lanes, equal_growth, sequences(seed), show=shown_round)


def shown_round(width: int, s: int, z: int) -> list[str]:
    """The case in words."""
    return [f"width {width}; in each round {s} S and {z} Z"]


# --- 13.5 -----------------------------------------------------------------------------------------

ROUNDS = ("SZ", "S", "O", "I", "SZZ", "ZS", "SSZZ", "OI", "ZZS", "SO", "ZO", "IZ")


def small_games(seed: int) -> list[tuple[int, int, str]]:
    """Boards on which everything can be tried, with a sequence each; the ones of the lecture first."""
    draws = Draws(seed, 1395)
    drawn = [ROUNDS[int(draws.below(len(ROUNDS)))] for _ in range(3)]
    return [(4, 4, "SZ"), (5, 4, "SZ"), (5, 4, "O"), (4, 4, "O"), (4, 4, "SZZ"), *((4, 4, one) for one in drawn)]


@cache
def most_pieces(width: int, height: int, sequence: str) -> float:
    """The longest way through the graph of boards and places in the sequence; infinite if there is a cycle."""
    known: dict[tuple[int, int], float] = {}
    open_: set[tuple[int, int]] = set()

    def deepest(board: Board, place: int) -> float:
        here = (board.bits, place)
        if here in open_:  # the way has come back to where it was
            return inf
        if here not in known:
            open_.add(here)
            following = {move.after for move in moves(board, PIECES[sequence[place]])}
            known[here] = max((1 + deepest(one, (place + 1) % len(sequence)) for one in following), default=0)
            open_.remove(here)
        return known[here]

    return deepest(Board.empty(width, height), 0)


@exercise(
    "13.5", "The longest game", answers="longest", points=2,
    teaches="You have proved a theorem about every player at once. In the same way, all possibilities together until "
    "something repeats itself, computers prove that other programs can never come into a bad state.",
    hints=[
        "Begin with a set that holds the empty board only. After each piece, the new set is all `move.after` of all "
        "boards in the old one. When it is empty, that piece was one too many.",
        "Which piece comes? `sequence[placed % len(sequence)]`.",
        "Remember every pair of a set of boards and a place in the sequence. A set can be an element of another set if "
        "it is a `frozenset`.",
    ],
)  # fmt: skip
def longest_game(longest: Callable[[int, int, str], Any], *, seed: int) -> Outcome:
    """Right when the number of pieces is that of the longest way, or infinite."""
    return first_difference(longest, most_pieces, small_games(seed), same=same_length, show=shown_game)


def same_length(got: Any, expected: float) -> bool:
    """Whether two lengths agree; infinity is a length."""
    return isinstance(got, int | float | np.number) and not isinstance(got, bool) and float(got) == expected


def shown_game(width: int, height: int, sequence: str) -> list[str]:
    """The case in words."""
    return [f"{width}x{height}, pieces {' '.join(sequence * 2)} ..."]


# --- 13.6 -----------------------------------------------------------------------------------------

ARENA, GAMES = Rules(height=8), 1600
PIECES_SEED = derived_seed(13, 6)
"""The same pieces for everybody: a player that passes once passes again."""
TO_BEAT = "dellacherie"
CHAMPIONS = ("tetrisbot", "dellacherie", "el-tetris", "dn", "dt-20", "dt-10", "rv-ce")
"""Whom a player is compared with, when it has passed."""
SAME = 0.999
"""Directions whose cosine is above this are one player in disguise."""


@exercise(
    "13.6", "Your champion", answers="mine", points=3,
    teaches="A player, rules, a number of games, pieces that it had never met, an interval: that is a result. Write it "
    "down, so that somebody else can beat it.",
    hints=[
        "The lecture has all you need: DN's eight features, one or two more, and CMA-ES on games with many S and Z.",
        "One run is luck. Train with three seeds or more, divide each vector by its length, and take the mean.",
        "Without training: Dellacherie's weights leave much to gain. Add rows with holes, and raise some prices.",
    ],
)  # fmt: skip
def champion(mine: Any, *, seed: int) -> Outcome:
    """Right when a new player is clearly better than Dellacherie's; and where it stands among the others."""
    if not isinstance(mine, Player):
        return Wrong(f"A Player was expected, such as tc.Player([...], [...]), and {clipped(mine)} is none.")
    twin = published_twin(mine)
    if twin:
        return Wrong(f"This is the published player {twin}. Change something, and make it your own.")
    if not is_fast(mine, ARENA):
        return Wrong(f"Only features of the catalogue, `tc.FEATURES`: others play too slowly for {GAMES:,} games.")
    try:
        scores = simulate(mine, ARENA, GAMES, PIECES_SEED, progress=False)
    except InputError as error:
        return Wrong(f"It cannot play on 10x8: {error}")
    rival = champion_scores(TO_BEAT)
    low, high = scores.interval()
    said = f"Your player clears {scores.mean:,.0f} lines a game ({low:,.0f} to {high:,.0f}), in {GAMES:,} games on 10x8"
    if verdict(scores, rival) <= 0:
        enough = f"{exp(boundary(1, GAMES, GAMES)):.2f} times would be"
        return Wrong(f"{said}; Dellacherie's has {rival.mean:,.0f}. That is not clearly more: {enough}.")
    return Right(f"{said}. {standing(scores)}")


def published_twin(mine: Player) -> str | None:
    """The name of a published player that sees and weighs the same, whatever the order and the scale."""
    for name, other in PLAYERS.items():
        if isinstance(other, Player) and cosine(direction(mine), direction(other)) > SAME:
            return name
    return None


def direction(player: Player) -> dict[str, float]:
    """The weight of each feature, however often it is named, divided by the length of all."""
    weights: dict[str, float] = {}
    for name, weight in zip(player.features.labels(ARENA.width), player.weights, strict=False):
        weights[name] = weights.get(name, 0.0) + weight
    length = float(np.linalg.norm([*weights.values()])) or 1.0
    return {name: weight / length for name, weight in weights.items()}


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    """That of the angle between two directions; a feature that a player does not have weighs nothing."""
    return sum(weight * other.get(name, 0.0) for name, weight in one.items())


@cache
def champion_scores(name: str) -> Scores:
    """What a published player scores with the judge's pieces."""
    return simulate(PLAYERS[name], ARENA, GAMES, PIECES_SEED, progress=False)


def verdict(scores: Scores, rival: Scores, comparisons: int = 1) -> int:
    """1 if clearly better, -1 if clearly worse, 0 if that cannot be told (at 5 % for all comparisons together)."""
    if min(scores.mean, rival.mean) <= 0:
        return int(np.sign(scores.mean - rival.mean))
    ahead = lead(scores.lines.tolist(), rival.lines.tolist())
    return int(np.sign(ahead)) if abs(ahead) > boundary(comparisons, GAMES, GAMES) else 0


def standing(scores: Scores) -> str:
    """Who else is beaten, who is not, and who cannot be told apart."""
    others = [name for name in CHAMPIONS if name != TO_BEAT]
    found: dict[int, list[str]] = {1: [TO_BEAT], 0: [], -1: []}
    for name in others:
        found[verdict(scores, champion_scores(name), len(others))].append(name)
    words = {1: "Clearly beaten", 0: "not to be told apart", -1: "clearly better"}
    return "; ".join(f"{words[k]}: {', '.join(names)}" for k, names in found.items() if names) + "."
