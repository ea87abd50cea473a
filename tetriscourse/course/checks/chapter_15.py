"""Judges of chapter 15: the championship."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, inf, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import exponential_lines, picked, picked_piece, small_moves
from tetriscourse.course.checks.playing import A_PLAYER, NO_ROOM, none_without_room, played, published_twin, same_place
from tetriscourse.course.checks.trials import IDEAS, NOTHING, Trials
from tetriscourse.course.differences import Function, first_difference
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, expected, is_missing, nothing_yet
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES, Piece
from tetriscourse.game.rules import Rules
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, derived_seed
from tetriscourse.simulator import simulate
from tetriscourse.statistics import Scores


@exercise("15.1", "A home for every piece", answers="homes", points=2)
def a_home(homes: Function, *, seed: int) -> Outcome:
    """Right when it names exactly the pieces that can lie flush."""
    return first_difference(homes, flush_pieces, surfaces(seed), same=same_names, show=shown_surface)


def surfaces(seed: int) -> Iterator[tuple[list[int]]]:
    """Column heights, few and level ones first."""
    yield from (([0, 0, 0, 0],), ([1, 0, 0, 0],), ([0, 2, 0, 3],), ([0, 3, 0, 3],), ([5, 5, 4, 5],))
    for number in range(30):
        yield (Draws(seed, 1310 + number).below(2 + number // 6, 4 + number // 5).tolist(),)


def flush_pieces(heights: Sequence[int]) -> set[str]:
    """The pieces that can come to rest with no empty cell right below any of their columns."""
    found = set()
    for name, piece in PIECES.items():
        for shape in piece.orientations:
            for column in range(len(heights) - shape.width + 1):
                under = heights[column : column + shape.width]
                gaps = {high - low for high, (low, _) in zip(under, shape.columns, strict=True)}
                found |= {name} if len(gaps) == 1 else set()
    return found


def shown_surface(heights: Sequence[int]) -> list[Any]:
    """The heights and their columns, drawn."""
    rows = np.arange(max(4, 1 + max(heights)))[:, None]
    return [Board((rows < np.array(heights)).astype(np.int8)), f"heights {list(heights)}"]


def same_names(got: Any, expected: set[str]) -> bool:
    """Whether the same pieces are named, in a set or in a list without repetition."""
    return isinstance(got, set | frozenset | list | tuple) and len(got) == len(expected) and set(got) == expected


Rivals = Mapping[str, Sequence[int]]
NAMES = ("ana", "ben", "cleo", "dan", "eva", "finn", "gina", "hugo", "iris", "jon", "kim", "lou")
TOO_CLOSE = 0.01  # cases with a comparison closer to the boundary than this are left out


@exercise("15.2", "A fair claim", answers="beaten", points=2)
def fair_claim(beaten: Function, *, seed: int) -> Outcome:
    """Right when it names exactly the rivals beyond Bonferroni's boundary, in order."""
    return first_difference(beaten, clearly_beaten, contests(seed), show=shown_contest)


def boundary(rivals: int, games: int, others: int) -> float:
    """How far apart the logarithms of two means must be, if all comparisons together may err in 5 %."""
    return NormalDist().inv_cdf(1 - 0.025 / rivals) * sqrt(1 / games + 1 / others)


def clearly_beaten(mine: Sequence[int], rivals: Rivals) -> list[str]:
    """The rivals beyond the boundary."""
    return [name for name in rivals if lead(mine, rivals[name]) > boundary(len(rivals), len(mine), len(rivals[name]))]


def lead(mine: Sequence[int], scores: Sequence[int]) -> float:
    """The logarithm of the ratio of the means."""
    return log(float(np.mean(mine)) / float(np.mean(scores)))


def contests(seed: int) -> Iterator[tuple[list[int], dict[str, list[int]]]]:
    """Your scores and those of rivals of all strengths, one rival first, then more."""
    for number in range(40):
        draws, names = Draws(seed, 1340 + number), NAMES[: 1 + number * len(NAMES) // 40]
        mine, games = exponential_lines(draws, 500.0, 20 + 5 * number).tolist(), 15 + 8 * (number % 5)
        rivals = {name: exponential_lines(draws, 500 * float(0.4 + draws.uniform()), games).tolist() for name in names}
        limit = boundary(len(names), len(mine), games)
        if all(abs(lead(mine, scores) - limit) > TOO_CLOSE for scores in rivals.values()):
            yield mine, rivals


def shown_contest(mine: Sequence[int], rivals: Rivals) -> list[str]:
    """The number of games and the mean of each player."""
    listed = {"mine": mine, **rivals}
    return [f"{name}: {len(scores)} games, mean {np.mean(scores):.0f} lines" for name, scores in listed.items()]


VALUES = {"dellacherie": "Dellacherie's", "tetrisbot": "TetrisBot's"}  # whose values a pair of pieces is chosen by


@exercise("15.3", "One piece further", answers="choose_two", points=2)
def one_piece_further(choose_two: Function, *, seed: int) -> Outcome:
    """Right when it always finds the first of the best pairs, and returns None where there is no move."""

    def asked(choose_two: Function, board: Board, piece: Piece, following: Piece, name: str) -> Any:
        return choose_two(board, piece, following, values_of(name))

    def truth(board: Board, piece: Piece, following: Piece, name: str) -> Move | None:
        return PLAYERS[name].choose(board, piece, following)

    def show(board: Board, piece: Piece, following: Piece, name: str) -> list[Any]:
        return [board, f"piece {piece.name}, next piece {following.name}; {VALUES[name]} values"]

    cases = pairs_of_pieces(seed)
    outcome = first_difference(choose_two, truth, cases, ask=asked, same=same_place, show=show)
    if not isinstance(outcome, Right):
        return outcome
    return none_without_room(choose_two, NO_ROOM, PIECES["O"], PIECES["I"], values_of("dellacherie"))


def values_of(name: str) -> Callable[[Move], float]:
    """The value that a published player gives to a move."""
    player = PLAYERS[name]
    assert isinstance(player, Player)
    return player.value


def pairs_of_pieces(seed: int) -> Iterator[tuple[Board, Piece, Piece, str]]:
    """Positions with two pieces, those on small boards first; and whose values to choose by."""
    for number, move in enumerate(small_moves(seed, 26)):
        yield move.before, move.piece, picked_piece(Draws(seed, 1380 + number)), list(VALUES)[number % 2]


@exercise("15.4", "Lanes", answers="lanes", points=1)
def lanes_for(lanes: Function, *, seed: int) -> Outcome:
    """Right when the lanes are in proportion to the pieces."""

    def show(width: int, s: int, z: int) -> list[str]:
        return [f"width {width}; in each round {s} S and {z} Z"]

    return first_difference(lanes, equal_growth, sequences(seed), show=show)


def sequences(seed: int) -> Iterator[tuple[int, int, int]]:
    """Widths and rounds: alternating pieces on all widths, one kind only, then others."""
    yield from ((width, 1, 1) for width in (4, 6, 8, 10, 5, 12))
    yield from ((10, 2, 3), (10, 3, 2), (6, 1, 2), (10, 4, 6), (8, 0, 1), (8, 1, 0), (9, 1, 1), (7, 0, 1), (12, 1, 2))
    draws = Draws(seed, 1390)
    for _ in range(30):
        width, s, z = 4 + int(draws.below(13)), int(draws.below(7)), int(draws.below(7))
        if s + z:
            yield width, s, z


def equal_growth(width: int, s: int, z: int) -> tuple[int, int]:
    """The number of lanes of each kind, in proportion to its share of the pieces."""
    count, odd = divmod(width, 2)
    share, rest = divmod(count * s, s + z)
    return (0, 0) if odd or rest else (share, count - share)


ROUNDS = ("SZ", "S", "O", "I", "SZZ", "ZS", "SSZZ", "OI", "ZZS", "SO", "ZO")


@exercise("15.5", "The longest game", answers="longest", points=2)
def longest_game(longest: Function, *, seed: int) -> Outcome:
    """Right when the number of pieces is that of the longest path, or infinite."""

    def show(width: int, height: int, sequence: str) -> list[str]:
        return [f"{width}x{height}, pieces {' '.join(sequence * 2)} ..."]

    return first_difference(longest, most_pieces, small_games(seed), show=show)


def small_games(seed: int) -> list[tuple[int, int, str]]:
    """Boards small enough to try everything, with a sequence each; those of the lecture first.

    With IZ a set of boards comes back at another place of the sequence before the game ends.
    """
    draws = Draws(seed, 1395)
    drawn = [(4, 4, picked(draws, ROUNDS)) for _ in range(3)]
    return [(4, 4, "SZ"), (5, 4, "SZ"), (5, 4, "O"), (4, 4, "O"), (4, 4, "SZZ"), (4, 4, "IZ"), *drawn]


@cache
def most_pieces(width: int, height: int, sequence: str) -> float:
    """The longest path through the graph of boards and places in the sequence; infinite if there is a cycle."""
    known: dict[tuple[int, int], float] = {}
    open_: set[tuple[int, int]] = set()

    def deepest(board: Board, place: int) -> float:
        here = (board.bits, place)
        if here in open_:  # the path has come back to where it was
            return inf
        if here not in known:
            open_.add(here)
            following = {move.after for move in moves(board, PIECES[sequence[place]])}
            known[here] = max((1 + deepest(one, (place + 1) % len(sequence)) for one in following), default=0)
            open_.remove(here)
        return known[here]

    return deepest(Board.empty(width, height), 0)


ARENA, GAMES = Rules(height=8), 1600
PIECES_SEED = derived_seed(13, 6)  # the same pieces for everybody: a player that passes once passes again
TO_BEAT = "dellacherie"
CHAMPIONS = ("tetrisbot", "dellacherie", "el-tetris", "dn", "dt-20", "dt-10", "rv-ce")
"""The players that a successful one is compared with."""


@exercise("15.6", "Your champion", answers="mine", points=3, kind="open")
def champion(mine: Any, *, seed: int) -> Outcome:
    """Right when a new player is clearly better than Dellacherie's; says where it stands among the others."""
    if not isinstance(mine, Player):
        return expected(A_PLAYER, mine)
    if twin := published_twin(mine, ARENA.width):
        return Wrong(f"This is the published player {twin}. Change something, and make it your own.")
    scores, rival = played(mine, ARENA, GAMES, PIECES_SEED), champion_scores(TO_BEAT)
    if isinstance(scores, Wrong):
        return scores
    low, high = scores.interval()
    said = f"Your player clears {scores.mean:,.0f} lines a game ({low:,.0f} to {high:,.0f}), in {GAMES:,} games on 10x8"
    if verdict(scores, rival) <= 0:
        enough = f"{exp(boundary(1, GAMES, GAMES)):.2f} times would be"
        return Wrong(f"{said}; Dellacherie's has {rival.mean:,.0f}. That is not clearly more: {enough}.")
    return Right(f"{said}. {standing(scores)}")


@cache
def champion_scores(name: str) -> Scores:
    """The scores of a published player with the judge's pieces."""
    return simulate(PLAYERS[name], ARENA, GAMES, PIECES_SEED, progress=False)


def verdict(scores: Scores, rival: Scores, comparisons: int = 1) -> int:
    """1 if clearly better, -1 if clearly worse, 0 if nobody can tell (at 5 % for all comparisons together)."""
    if min(scores.mean, rival.mean) <= 0:
        return int(np.sign(scores.mean - rival.mean))
    ahead = lead(scores.lines.tolist(), rival.lines.tolist())
    return int(np.sign(ahead)) if abs(ahead) > boundary(comparisons, GAMES, GAMES) else 0


def standing(scores: Scores) -> str:
    """The players that are beaten, those that are not, and those that cannot be told apart."""
    others = [name for name in CHAMPIONS if name != TO_BEAT]
    verdicts = {name: verdict(scores, champion_scores(name), len(others)) for name in others} | {TO_BEAT: 1}
    words = {1: "Clearly beaten", 0: "not to be told apart", -1: "clearly better"}
    found = {k: [name for name in (TO_BEAT, *others) if verdicts[name] == k] for k in words}
    return "; ".join(f"{words[k]}: {', '.join(names)}" for k, names in found.items() if names) + "."


prose("15.7", "Every game ends", points=3, kind="proof")

WORLDS = 300
RUNGS = (0.62, 0.75, 0.87)
"""One run of each idea is right in 50 to 57 % of the worlds, four to seven of each in 77 to 85 %, and a design that
spends most games on the best few and on the control in 90 to 97 % (tests/benchmarks/idea_bars.py)."""


@exercise("15.8", "The one good idea", answers="find", points=3, kind="design")
def which_idea(find: Function, *, seed: int) -> Outcome:
    """A ladder: in how many hidden worlds it finds the idea that helps, or that none does."""
    right = 0
    for world in range(WORLDS):
        answer = find(trials := Trials(seed, world))
        if is_missing(answer):
            return nothing_yet("find")
        if answer not in (NOTHING, *IDEAS):
            return expected("the name of an idea, or 'nothing'", answer)
        right += trials.is_right(answer)
    reached = [right / WORLDS >= rung for rung in RUNGS]
    said = [f"right in {rung:.0%} of the worlds" for rung in RUNGS]
    measured = f"Right in {right} of {WORLDS} worlds, which is {right / WORLDS:.0%}"
    return climbed(measured, said[: sum(reached)], said[sum(reached) :])
