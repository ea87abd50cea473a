"""The candidates of a race: toys whose true means are known, or players of Tetris."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, cast

import numpy as np

from tetriscourse.errors import InputError, finite_numbers, one_of, shown
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.racing import Race
from tetriscourse.optimizers.training import GAMES
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.simulator.games import play

CANDIDATES = 3  # label of the seed of the candidates; that of their games is the one of training: the same games

KnownScores = dict[tuple[int, int], float]  # by round and candidate


def scored(r: int, wanted: Sequence[int], scores: Floats) -> KnownScores:
    """The scores of a round."""
    return {(r, i): float(score) for i, score in zip(wanted, scores, strict=True)}


@dataclass(frozen=True, eq=False)
class Lineup:
    """The candidates of one race, and their scores."""

    scores: Callable[[int, Sequence[int]], Floats]  # in a round, counted from 0: of the candidates with these numbers
    truth: Floats | None = None  # the mean score of each, if it is known
    vectors: Floats | None = None  # the weights of each, if they are players

    def wrong_places(self, race: Race) -> int | None:
        """The number of places that went to the wrong candidates; None if the truth is unknown or it still runs."""
        if self.truth is None or race.undecided:
            return None
        best = np.argsort(-self.truth, kind="stable")[: race.mu]
        return len(set(best.tolist()) - set(race.selected))

    def replay(self, race: Race, known: KnownScores) -> None:
        """Run a race again as far as its scores are known; missing toy scores are drawn and added to `known`."""
        rounds = 1 + max((r for r, _ in known), default=-1)
        while race.wanted and race.rounds < rounds:
            r = race.rounds
            if self.truth is not None:  # made-up scores cost nothing
                known |= scored(r, race.wanted, self.scores(r, race.wanted))
            if any((r, i) not in known for i in race.wanted):
                break
            race.add(race.wanted, [known[r, i] for i in race.wanted])


@dataclass(frozen=True)
class Toy:
    """Candidates that are random numbers, each around its own mean."""

    name: str
    low: float
    high: float  # scores are almost surely between these
    mean: Callable[[Floats], Floats] = field(repr=False)  # true means from numbers between 0 and 1
    score: Callable[[Floats, Draws], Floats] = field(repr=False)  # one score of each candidate, from their true means

    def lineup(self, seed: int, number: int, candidates: int) -> Lineup:
        """The candidates of one of the races that belong to a seed."""
        draws = Draws(derived_seed(seed, CANDIDATES), number)
        truth = self.mean((draws.order(candidates) + draws.uniform(candidates)) / candidates)
        games = derived_seed(seed, number, GAMES)
        return Lineup(lambda r, wanted: self.score(truth, Draws(games, r))[list(wanted)], truth)


def _exponential(means: Floats, draws: Draws) -> Floats:
    steps: Floats = np.rint(-np.log(draws.uniform(len(means))) * 2.0**32)  # the last bits of logarithms differ
    return means * steps / 2.0**32


def _normal(means: Floats, draws: Draws) -> Floats:
    return means + 6 * draws.normal(len(means))


TOYS = {
    one.name: one
    for one in (
        Toy("exponential scores", 0.0, 300.0, lambda u: 5 * 12**u, _exponential),
        Toy("normal scores", 0.0, 100.0, lambda u: 15 + 55 * u + 15 * (u > 0.5), _normal),
    )
}
"""Exponential scores vary as much as they are high, like those of Tetris, with means from 5 to 60; the normal ones have
a deviation of 6, and means in two groups, from 15 to 42 and from 58 to 85."""


@dataclass(frozen=True, eq=False)
class Players:
    """Players of Tetris: their weights scatter around a centre, or are the same in all races."""

    name: str
    objective: Objective
    centre: Floats | None = None  # none: weights from N(0, 1)
    spread: float = 0.5  # the deviation of each weight, if the centre has length 1
    vectors: Floats | None = None  # one player a row, the same in each race
    low: ClassVar[float] = 0.0  # nobody has fewer lines

    @property
    def high(self) -> float:
        """Nobody can have more lines: that takes all cells of all pieces."""
        rules = self.objective.rules
        if not rules.max_pieces or self.objective.score != "lines":
            raise InputError(
                f"field is {shown(self.objective)}; a race needs bounded scores: lines of games with max_pieces, or "
                "RacingSettings that say low and high"
            )
        cells = max(piece.size for piece in rules.pieces)
        return float(rules.max_pieces * cells // rules.width)

    def lineup(self, seed: int, number: int, candidates: int) -> Lineup:
        """The players of one of the races that belong to a seed, and their games."""
        draws, shape = Draws(derived_seed(seed, CANDIDATES), number), (candidates, self.objective.dimension)
        vectors = self.around(draws.normal(shape))
        games = derived_seed(seed, number, GAMES)

        def scores(r: int, wanted: Sequence[int]) -> Floats:
            work = self.objective.work(vectors[list(wanted)], games, first=r, games=1, who=list(wanted))
            return self.objective.scores(play(work))

        return Lineup(scores, vectors=vectors)

    def around(self, noise: Floats) -> Floats:
        """The weights of the candidates."""
        if self.vectors is not None:
            return self.vectors
        if self.centre is None:
            return noise
        return self.centre / np.linalg.norm(self.centre) + self.spread * noise


def small_tetris() -> Players:
    """Players around Dellacherie's on a small board, with at most 300 pieces."""
    objective = Objective("dellacherie", replace(RULES["6x12"], max_pieces=300))
    return Players("Tetris 6x12", objective, np.array(cast(Player, PLAYERS["dellacherie"]).weights))


Field = Toy | Players  # where candidates come from


def fields_of(field: Field | Objective | str, candidates: object) -> dict[str, Field]:
    """The menu: the given field first, then the toys and Tetris."""
    tetris = small_tetris()
    known: dict[str, Field] = {**TOYS, tetris.name: tetris}
    if isinstance(field, str):
        first = one_of("field", field, known)
        return {first: known[first], **known}
    if isinstance(field, Objective):
        given = None if np.ndim(cast(Any, candidates)) == 0 else weights_of(field, candidates)
        field = Players("yours", field, vectors=given)
    if not isinstance(field, Field):
        raise InputError(f"field is {shown(field)}; it must be an Objective or one of {', '.join(known)}")
    return {field.name: field, **known}


def weights_of(objective: Objective, candidates: Any) -> Floats:
    """Candidates as rows of weights."""
    rows = [finite_numbers(f"candidates[{k}]", one) for k, one in enumerate(candidates)]
    if any(len(one) != objective.dimension for one in rows):
        raise InputError(f"candidates is {shown(candidates)}; each must have {objective.dimension} weights")
    return np.array(rows)
