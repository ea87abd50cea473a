"""Judges of chapter 04: evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from tetriscourse.course.checks.cases import filled, small_moves, under
from tetriscourse.course.checks.playing import A_PLAYER, NO_ROOM, none_without_room, played, same_place
from tetriscourse.course.differences import Function, first_difference
from tetriscourse.course.exercises import exercise
from tetriscourse.course.outcomes import Outcome, Right, Wrong, clipped, expected, is_missing, nothing_yet
from tetriscourse.features import FEATURE_SETS, FEATURES, Feature
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES, Piece
from tetriscourse.game.rules import RULES
from tetriscourse.games import play_game
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, derived_seed
from tetriscourse.simulator import simulate

BY_HAND = Board.from_text("......\n......\nX....X\nX....X\nXX.XXX\nX.XX.X")
"""The board of 04.1; a T goes into its gap, point down, and completes a row."""
BEFORE_CLEARING = ("landing_height", "eroded_cells")  # the features that are counted before full rows go


@exercise("04.1", "The value of a move, by hand", answers="terms total", points=1)
def value_by_hand(terms: Any, total: Any, *, seed: int) -> Outcome:
    """Right when all six terms and their weighted sum are."""
    move = next(move for move in moves(BY_HAND, PIECES["T"]) if str(move.shape) == "XXX/.X." and move.column == 1)
    player = PLAYERS["dellacherie"]
    assert isinstance(player, Player)
    found = numbers(terms)
    if found is None or len(found) != 6:
        return Wrong(f"`terms` should be a list of six numbers, and it is {clipped(terms)}.")
    for feature, mine, true in zip(player.features.features, found, player.features.values(move), strict=True):
        if mine != true:
            name = feature.name.replace("_", " ")
            words = ("high", "low") if name.endswith("height") else ("many", "few")
            said = f"You count {mine:g} for the {name}: that is too {words[mine < true]}."
            if feature.name in BEFORE_CLEARING:
                return Wrong(f"{said} Where the piece lands:", [move.before.with_cells(move.cells, move.piece.name)])
            return Wrong(f"{said} The board after the move:", [move.after])
    value = numbers([total])
    if value is None or value[0] != player.value(move):
        return Wrong(f"The six terms are right, but `total` is not {clipped(total)}. Which of them has a plus sign?")
    return Right()


def numbers(values: Any) -> list[float] | None:
    """The values as numbers, if that is what they are."""
    try:
        return [float(value) for value in values]
    except (TypeError, ValueError):
        return None


@exercise("04.2", "The greedy player", answers="choose", points=2)
def greedy(choose: Function, *, seed: int) -> Outcome:
    """Right when it always chooses the first of the best moves, and returns None where there is no move."""
    outcome = first_difference(choose, first_best, choices(seed), same=same_place, show=shown_choice)
    if not isinstance(outcome, Right):
        return outcome
    return none_without_room(choose, NO_ROOM, PIECES["O"], [FEATURES["holes"]], [-1])


def random_weights(draws: Draws, count: int) -> list[int]:
    """Small whole numbers, so that sums are exact and ties happen."""
    return [int(one) for one in draws.below(9, count) - 4]


def choices(seed: int) -> Iterator[tuple[Board, Piece, list[Feature], list[int]]]:
    """Positions with features and weights to choose by, those on small boards first."""
    known = FEATURE_SETS["dellacherie"].features + FEATURE_SETS["tetrisbot"].features
    for number, move in enumerate(small_moves(seed, 60)):
        draws = Draws(seed, 20_000 + number)
        chosen = [known[int(k)] for k in draws.order(len(known))[: 1 + number % 4]]
        yield move.before, move.piece, chosen, random_weights(draws, len(chosen))


def first_best(board: Board, piece: Piece, features: Sequence[Feature], weights: Sequence[float]) -> Move | None:
    """The first of the moves with the highest weighted sum."""
    best, highest = None, -np.inf
    for move in moves(board, piece):
        worth = sum(weight * cast(float, feature(move)) for feature, weight in zip(features, weights, strict=True))
        if worth > highest:
            best, highest = move, worth
    return best


def shown_choice(board: Board, piece: Piece, features: Sequence[Feature], weights: Sequence[float]) -> list[Any]:
    """The position, and what a move is worth."""
    prices = ", ".join(f"{weight} × {feature.name}" for feature, weight in zip(features, weights, strict=True))
    return [board, f"piece {piece.name}; value of a move: {prices}"]


@exercise("04.3", "A feature of your own: rows with holes", answers="rows_with_holes", points=2)
def holes_by_row(rows_with_holes: Function, *, seed: int) -> Outcome:
    """Right when it counts the rows with at least one hole on the board after the move."""
    cases = [(move,) for move in small_moves(seed)]
    return first_difference(rows_with_holes, FEATURES["rows_with_holes"], cases, show=lambda move: [move.after])


PAIRS: list[tuple[list[float], list[float]]] = [
    ([1, -2], [2, -4]), ([1, -2], [-1, 2]), ([1, 0], [3, 0]), ([0, 1], [0, 4]), ([0, 1], [1, 0]), ([1, 0], [1, 1]),
    ([0, 0], [0, 0]), ([0, 0], [1, -1]), ([2, -1], [0, 0]), ([1, 2, 0], [2, 4, 1]), ([1, -1, 4], [1, -1, 8]),
]  # fmt: skip


@exercise("04.4", "Two weight vectors, one player?", answers="same_player", points=1)
def direction(same_player: Function, *, seed: int) -> Outcome:
    """Right when exactly the positive multiples count as the same player."""

    def same(got: Any, expected: bool) -> bool:
        return isinstance(got, bool | np.bool_) and bool(got) == expected

    return first_difference(same_player, positively_proportional, pairs(seed), same=same, show="v w")


def pairs(seed: int) -> Iterator[tuple[list[float], list[float]]]:
    """Pairs of weight vectors: equal in direction, opposite, or different in one weight."""
    yield from PAIRS
    for number in range(60):
        draws = Draws(seed, number)
        v: list[float] = [*random_weights(draws, 2 + number % 6)]
        factor = (2, 7, 0.5, -1, -4, 1)[int(draws.below(6))]
        w = [factor * one for one in v]
        if number % 3 == 0:
            w[int(draws.below(len(w)))] += 1
        yield v, w


def positively_proportional(v: Sequence[float], w: Sequence[float]) -> bool:
    """Whether one is a positive multiple of the other: no cross product, and the same signs."""
    crossed = all(np.isclose(a * d, b * c) for a, b in zip(v, w, strict=True) for c, d in zip(v, w, strict=True))
    return bool(crossed and np.array_equal(np.sign(v), np.sign(w)))


THREE = ("lines", "sum_heights", "bumpiness")
Parameters = tuple[float, float, float, float, int]  # tetrisBot's a, b, c, d and the width of a board


@exercise("04.5", "A player that hates to clear rows", answers="without_holes", points=2)
def disguised(without_holes: Function, *, seed: int) -> Outcome:
    """Right when the three weights give the same player, whatever their length."""
    parted = []
    for case in parameters(seed):
        got = without_holes(*case)
        if is_missing(got):
            return nothing_yet("without_holes")
        found = numbers(got)
        if found is None or len(found) != 3 or not np.isfinite(found).all():
            return expected(f"three numbers, for {', '.join(THREE)}", got)
        a, b, c, d, width = case
        if not np.allclose(unit(found), unit([a - width * c, -(b + c), -d]), rtol=0, atol=1e-9):
            parted.append((case, found))
    return where_they_part(parted, seed) if parted else Right()


def parameters(seed: int) -> Iterator[Parameters]:
    """Parameters, simple ones first."""
    yield 1, 0, 2, 1, 6
    yield 1, 1, 1, 1, 10
    for number in range(10):
        draws = Draws(seed, 30_000 + number)
        a, b, c, d = (draws.below(90, 4) + 10) / 100
        yield float(a), float(b), float(c), float(d), 5 + number % 6


def unit(vector: Sequence[float]) -> Any:
    """The vector with length 1."""
    length = np.linalg.norm(vector)
    return np.asarray(vector) / (length if length else 1.0)


def where_they_part(parted: Sequence[tuple[Parameters, list[float]]], seed: int) -> Wrong:
    """A position in which TetrisBot and its disguise make different moves."""
    for (a, b, c, d, width), weights in parted:
        true, disguise = Player("tetrisbot", (a, -b, -c, -d)), Player(THREE, weights)
        for number in range(40):
            board, piece = small_position(width, seed, number)
            one, other = true.choose(board, piece), disguise.choose(board, piece)
            if one is not None and not same_place(one, other):
                given = f"a = {a:g}, b = {b:g}, c = {c:g}, d = {d:g} and width {width}"
                said = f"For {given}, the two players disagree here on where to put the {piece.name}:"
                return Wrong(said, [board, f"TetrisBot: {one}", f"yours: {other}"])
    return Wrong("The weights are not those of the same player, although this rarely shows on a board.")


def small_position(width: int, seed: int, number: int) -> tuple[Board, Piece]:
    """A board of this width below a random skyline, low ones first, and a piece."""
    draws = Draws(seed, 40_000 + number)
    skyline = draws.below(2 + min(number // 10, 3), width)
    cells = under(skyline, draws.uniform((6, width)) < 0.8)
    cells[cells.all(axis=1), 0] = False
    return filled(cells), list(PIECES.values())[number % len(PIECES)]


MOST_WEIGHTS, FEWEST_LINES, GAMES = 4, 500, 100


@exercise("04.6", "Four eyes", answers="mine", points=3, kind="open")
def four_eyes(mine: Any, *, seed: int) -> Outcome:
    """Right when a player of at most four weights clears enough lines."""
    if not isinstance(mine, Player):
        return expected(A_PLAYER, mine)
    if len(mine.weights) > MOST_WEIGHTS:
        return Wrong(f"It has {len(mine.weights)} weights; at most {MOST_WEIGHTS} are allowed here.")
    rules, pieces = RULES["10x10"], derived_seed(seed, 4, 6)  # not the pieces of the leaderboard
    scores = played(mine, rules, GAMES, pieces)
    if isinstance(scores, Wrong):
        return scores
    said = f"Your player clears {scores.mean:,.0f} lines a game, in {GAMES} games on 10x10"
    if scores.mean >= FEWEST_LINES:
        usual = simulate(PLAYERS["tetrisbot"], rules, GAMES, pieces, progress=False)
        return Right(f"{said}; TetrisBot clears {usual.mean:,.0f} on the same pieces.")
    shortest = play_game(mine, rules, pieces, int(scores.lines.argmin()))
    return Wrong(f"{said}; {FEWEST_LINES} are wanted. This is how its shortest game ended:", [shortest.board])
