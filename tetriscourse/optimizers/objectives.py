"""Objectives, which optimizers maximise: a vector becomes a player, the player plays, its mean score is the value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tetriscourse.errors import InputError, finite_numbers, one_of, whole_number
from tetriscourse.features import Feature, FeatureSet, as_feature_set
from tetriscourse.game.rules import RESEARCH, Rules, as_rules, short_name
from tetriscourse.looking_ahead import NEXT_PIECE, LookAhead, Search
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator.games import GameList, Played, is_prepared, play, prepare
from tetriscourse.simulator.playable import LinearPlayers

SCORES = ("lines", "points")
WHOSE_PIECES = ("common", "own")
GAMES_OF_ONE = 1_000_000_000  # if each has its own games, those of candidate k start at k times this


@dataclass(frozen=True, init=False)
class Objective:
    """The mean score of a player over games.

    All candidates of an iteration meet the same pieces (pieces='common', Boumaza 2013, section 4.2.2), or each
    its own (pieces='own', as in the first papers). Every iteration has fresh ones.
    """

    features: FeatureSet  # the player sees these; a candidate has a weight for each value
    rules: Rules  # the game; with max_pieces, games are capped
    games: int  # games that each candidate plays
    score: str  # 'lines' or 'points'
    pieces: str  # 'common': the same for all candidates of an iteration; 'own': different for each
    signs: tuple[float, ...]
    """Factors that turn components into weights; empty: the components are the weights. GeneticAlgorithm needs them, as
    its components are positive: 'usual' makes weights positive where more of a feature is better, else negative."""
    look_ahead: Search | None
    """How the players look ahead, if they do: a Search, or 'known' or 'unknown', which is said of the next piece."""

    dimension: ClassVar[int]  # the number of weights of a player. Not a field: it follows from features and rules.

    def __init__(
        self,
        features: str | FeatureSet | Sequence[str | Feature],
        rules: Rules | str = RESEARCH,
        games: int = 1,
        score: str = "lines",
        pieces: str = "common",
        signs: Sequence[float] | str = (),
        look_ahead: Search | str | None = None,
    ):
        chosen, seen = as_rules(rules), as_feature_set(features)
        factors = usual_signs(seen, chosen.width) if signs == "usual" else finite_numbers("signs", signs)
        size = seen.size(chosen.width)
        if factors and len(factors) != size:
            raise InputError(f"signs has {len(factors)} values; {seen.name} takes {size}")
        for name, value in (
            ("features", seen), ("rules", chosen), ("games", whole_number("games", games, 1)),
            ("score", one_of("score", score, SCORES)), ("pieces", one_of("pieces", pieces, WHOSE_PIECES)),
            ("signs", factors), ("dimension", size), ("look_ahead", as_search(look_ahead)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def weights(self, candidates: Floats) -> Floats:
        """The weights that candidates stand for."""
        return candidates * np.array(self.signs) if self.signs else candidates

    def player(
        self, candidate: Sequence[float] | Floats, name: str = "learned", source: str = ""
    ) -> Player | LookAhead:
        """The player that a candidate stands for."""
        player = Player(self.features, self.weights(np.array(candidate, np.float64)).tolist(), name, source)
        return player if self.look_ahead is None else self.look_ahead.over(player)

    def work(
        self, candidates: Floats, seed: int, first: int = 0, games: int | None = None, who: Sequence[int] | None = None
    ) -> GameList:
        """The games from `first` on of every candidate, candidate by candidate.

        who: their numbers if these are only some of the candidates; which pieces are a candidate's own follows from it.
        """
        count, each = len(candidates), self.games if games is None else games
        rows, numbers = np.repeat(np.arange(count), each), np.tile(np.arange(first, first + each), count)
        if self.pieces == "own":
            numbers = numbers + np.repeat(np.arange(count) if who is None else who, each) * GAMES_OF_ONE
        return GameList(self.players(candidates), self.rules, seed, numbers, rows)

    def players(self, candidates: Floats) -> LinearPlayers:
        """The players that candidates stand for, one per row."""
        if candidates.ndim != 2 or candidates.shape[1] != self.dimension:
            raise InputError(
                f"weights has shape {candidates.shape}; feature set {self.features.name} takes rows of "
                f"{self.dimension} on width {self.rules.width}"
            )
        weights = self.weights(candidates)
        if not np.isfinite(weights).all():
            raise InputError("weights has a value that is not finite; every one must be a finite number")
        return LinearPlayers.of(self.features, weights, self.look_ahead)

    def scores(self, played: Played) -> Floats:
        """The score of each game: its lines or its points."""
        return np.asarray(getattr(played, self.score), np.float64)

    def prepare(self, rules: Rules | None = None, tell: Callable[[str], None] | None = None) -> None:
        """Compile what the games need before any clock starts; rules: if not those of the objective."""
        prepare(self.players(np.zeros((1, self.dimension))), rules or self.rules, tell)

    @property
    def is_prepared(self) -> bool:
        """Whether the games can begin at once."""
        return is_prepared(self.players(np.zeros((1, self.dimension))), self.rules)

    def __call__(self, candidate: Sequence[float] | Floats, seed: int = 0) -> float:
        """The mean score of one candidate on the games of a seed."""
        played = play(self.work(np.array([candidate], np.float64), seed))
        return float(self.scores(played).mean())

    def __repr__(self) -> str:
        return f"Objective({self})"

    def __str__(self) -> str:
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        seen, rules = self.features.name, short_name(self.rules)
        ahead = "" if self.look_ahead is None else f", {self.look_ahead}"
        return f"mean {self.score} of {games} with {seen} features, {rules}, {self.pieces} pieces{ahead}"


def as_search(given: Search | str | None) -> Search | None:
    """A way to look ahead, or the one with the next piece 'known' or 'unknown'."""
    return given if given is None or isinstance(given, Search) else Search(one_of("look_ahead", given, NEXT_PIECE))


def usual_signs(features: FeatureSet, width: int) -> tuple[float, ...]:
    """The signs that published players give the weights: positive where more of a feature is better."""
    return tuple(float(one.usual_sign) for one in features.features for _ in range(one.size(width)))


def mean_vector(vectors: Sequence[Sequence[float]] | Floats) -> Floats:
    """The mean of several runs' vectors, each first brought to length 1: the player of Boumaza 2013, section 4.3.

    Only the direction of a weight vector matters to a linear player, so no run may count more for being longer.
    """
    rows = np.array(vectors, np.float64)
    if rows.ndim != 2 or not rows.size:
        raise InputError(f"vectors has shape {rows.shape}; it must have one row of weights for each run")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(rows).all() or not lengths.all():
        raise InputError("vectors has a row that is zero or not finite; such a row has no direction")
    return np.asarray((rows / lengths).mean(axis=0))
