"""Judges of chapter 03: filtering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import filled, picked, size, small_boards
from tetriscourse.course.checks.playing import played
from tetriscourse.course.differences import Function, first_difference
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import Outcome, Right, Wrong, is_missing
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.players import Filter
from tetriscourse.random_numbers import Draws

Signed = tuple[Feature, int]  # a feature, and -1 to keep the fewest of it or +1 to keep the most

WISHES = ("-holes", "+lines", "-bumpiness", "-sum_heights", "+holes", "-wells", "-max_height", "+eroded_cells")
LISTS = (
    "-holes", "-holes -bumpiness", "-bumpiness -holes", "+lines -holes -sum_heights", "-wells -holes -bumpiness",
    "-holes -sum_heights -bumpiness +lines", "-max_height +lines -holes", "-holes -bumpiness -wells",
)  # fmt: skip
SIGNED_LISTS = ("+holes", "-holes +bumpiness", "+lines -holes")
"""Answers that take all signs for minus, or ignore them, fail on these."""


def signed(text: str) -> list[Signed]:
    """'-holes +lines' as the features holes and lines with -1 and 1."""
    return [(FEATURES[one[1:]], 1 if one[0] == "+" else -1) for one in text.split()]


def some_positions(seed: int, count: int = 60) -> list[list[Move]]:
    """All moves of a piece on a board, many times, small boards first; only positions that leave a choice."""
    drawn = Draws(seed, 30_000).below(len(PIECES), count)
    pieces = [list(PIECES.values())[int(k)] for k in drawn]
    boards = small_boards(seed, count)
    found = [moves(b, p, Rules(b.width, b.height)) for b, p in zip(boards, pieces, strict=True)]
    return [position for position in found if len(position) > 1]


def positions_with_rows(seed: int, count: int = 12) -> list[list[Move]]:
    """All moves of an upright piece on boards with a gap through some rows: some moves clear rows, others do not."""
    found = []
    for k in range(count):
        draws, width = Draws(seed, 40_000 + k), 4 + k // 3
        cells = np.zeros((5, width), bool)
        cells[: 1 + k % 3] = True
        cells[:, int(draws.below(width))] = False
        found.append(moves(filled(cells), PIECES[picked(draws, "IJL")], Rules(width, 5)))
    return [position for position in found if len({move.rows for move in position}) > 1]


def place(move: Move) -> tuple[int, int]:
    """A short name for a move of a known piece."""
    return move.orientation, move.column


def places(answer: Function, *case: Any) -> Any:
    """The moves that the answer returns, as places; anything else is left as it is."""
    got = answer(*case)
    if is_missing(got) or isinstance(got, Move | str) or not np.iterable(got):
        return got
    listed = list(got)
    return sorted(map(place, listed)) if all(isinstance(one, Move) for one in listed) else listed


def best_places(position: Sequence[Move], criteria: Sequence[Signed]) -> list[tuple[int, int]]:
    """The moves that no other move beats, where the first criterion in which two differ decides between them."""
    values = [[sign * feature.number(move) for feature, sign in criteria] for move in position]

    def beats(a: list[float], b: list[float]) -> bool:
        return next((x > y for x, y in zip(a, b, strict=True) if x != y), False)

    unbeaten = [not any(beats(other, mine) for other in values) for mine in values]
    return sorted(place(move) for move, stays in zip(position, unbeaten, strict=True) if stays)


def in_words(criteria: Sequence[Signed]) -> str:
    """'fewest holes, then most lines'."""
    return ", then ".join(("most " if sign > 0 else "fewest ") + feature.name for feature, sign in criteria)


def position_shown(position: Sequence[Move], criteria: Sequence[Signed]) -> list[Any]:
    """The board, the criteria, and the value of each move."""
    values = {place(move): tuple(feature.number(move) for feature, _ in criteria) for move in position}
    listed = ", ".join(f"{where}: {written_values(one)}" for where, one in values.items())
    names = ", ".join(feature.name for feature, _ in criteria)
    return [
        position[0].before,
        f"Piece {position[0].piece.name}, {in_words(criteria)}. Moves are written as (orientation, column), and the "
        f"orientations are {orientations_drawn(position)}.",
        f"Of each move its {names}: {listed}.",
    ]


def orientations_drawn(position: Sequence[Move]) -> str:
    """'0 `XXX/X..`, 1 `X./X./XX`': the orientations that have a move, drawn from the top row down."""
    shapes = {move.orientation: str(move.shape) for move in position}
    return ", ".join(f"{orientation} `{shape}`" for orientation, shape in sorted(shapes.items()))


def written_values(values: tuple[float, ...]) -> str:
    """3, or (3, 7)."""
    return f"{values[0]:g}" if len(values) == 1 else f"({', '.join(f'{value:g}' for value in values)})"


@exercise("03.1", "What one criterion leaves", answers="survivors", points=1)
def survivors(survivors: Function, *, seed: int) -> Outcome:
    """Right when exactly the moves of the best value are kept."""
    cases = [(p, *signed(WISHES[k % len(WISHES)])[0]) for k, p in enumerate(some_positions(seed))]
    return first_difference(
        survivors, lambda position, *signed: best_places(position, [signed]), cases,
        ask=places, show=lambda position, *signed: position_shown(position, [signed]),
    )  # fmt: skip


@exercise("03.2", "A filter in one comparison", answers="winners", points=2)
def winners(winners: Function, *, seed: int) -> Outcome:
    """Right when exactly the moves are kept that no other beats."""
    cases = [(position, signed(text)) for position in positions_with_rows(seed) for text in SIGNED_LISTS]
    cases += [(position, signed(LISTS[k % len(LISTS)])) for k, position in enumerate(some_positions(seed))]
    cases.sort(key=lambda case: size(case[0][0].before))
    return first_difference(winners, best_places, cases, ask=places, show=position_shown)


@exercise("03.3", "How often a criterion is asked", answers="asked", points=2)
def asked(asked: Function, *, seed: int) -> Outcome:
    """Right when the shares of positions with a choice before each criterion agree."""
    found, texts = some_positions(seed, 24), LISTS[1:]
    players = [Filter([name.replace("-", "") for name in text.split()], text) for text in texts]
    small = [([position], players[k % len(players)]) for k, position in enumerate(found[:10])]
    large = [(found[first : first + size], players[first]) for first, size in ((0, 2), (1, 4), (2, 12), (3, 20))]
    return first_difference(asked, asked_shares, [*small, *large], show=stages_shown)


def asked_shares(positions: Sequence[list[Move]], player: Filter) -> list[float]:
    """For each criterion, the share of positions with a choice before it."""
    shares = []
    for k in range(len(player.criteria)):
        before = [position if k == 0 else player.stages(position)[k - 1] for position in positions]
        shares.append(sum(len(left) > 1 for left in before) / len(positions))
    return shares


def stages_shown(positions: Sequence[list[Move]], player: Filter) -> list[Any]:
    """One position with its stages, or how many there are."""
    if len(positions) > 1:
        return [f"{len(positions)} positions, {order_of(player)}."]
    position = positions[0]
    left = ", ".join(str(len(stage)) for stage in player.stages(position))
    said = f"One position: a {position[0].piece.name} with {len(position)} moves; {order_of(player)}."
    return [position[0].before, f"{said} Moves left after each: {left}."]


def order_of(player: Filter) -> str:
    """'holes, then bumpiness'."""
    return ", then ".join(map(str, player.criteria))


@exercise("03.4", "Five numbers", answers="five_numbers", points=2)
def five_numbers(five_numbers: Function, *, seed: int) -> Outcome:
    """Right when least, quartiles and most agree with numpy's."""
    draws = Draws(seed, 30_001)
    lists = [draws.below(10 * size + 5, size).tolist() for size in (1, 2, 5, 9, 3, 4, 6, 7, 8, 12, 30, 31)]
    return first_difference(
        five_numbers, lambda scores: np.percentile(scores, [0, 25, 50, 75, 100]).tolist(),
        [(scores,) for scores in lists], show="scores",
    )  # fmt: skip


LONG_GAMES = replace(RULES["tetrisbot"], max_pieces=20_000)
GAMES, WANTED = 400, 1_500_000
"""With six seeds the lecture's best filter makes 0.92 to 1.16 million: `python tests/benchmarks/check_bars.py 03.5`."""


@exercise("03.5", "A better order", answers="champion", points=3, kind="open")
def champion(champion: Any, *, seed: int) -> Outcome:
    """Right when the filter makes enough points for each game that it loses."""
    try:
        player = champion if isinstance(champion, Filter) else Filter(champion)
    except InputError as error:
        return Wrong(f"`champion` must be a Filter, or the names of its criteria in order: {error}")
    scores = played(player, LONG_GAMES, GAMES, 1_000 + seed)  # other pieces than those of the notebook
    if isinstance(scores, Wrong):
        return scores
    lost, reached = int(scores.finished.sum()), scores.exponential_mean_of("points")
    if lost == 0:
        return Right(f"Your filter lost none of {GAMES} games of {LONG_GAMES.max_pieces:,} pieces.")
    said = f"Your filter makes {reached:,.0f} points for each game that it loses ({lost} of {GAMES} games lost)"
    if reached < WANTED:
        return Wrong(f"{said}; {WANTED:,} are asked for.", [f"Measured with {order_of(player)}."])
    return Right(f"{said}.")


prose("03.6", "Why does it win?", points=2, kind="open")
