"""Entries of the leaderboard: kinds of players, the games they play, and what is stored of a player and its score.

A player that sees one piece, one that looks ahead without knowing the next piece, and one that knows it play different
games, so each kind has a table of its own, and games of its own.
"""

from __future__ import annotations

import contextlib
import inspect
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import tetriscourse as tc
from tetriscourse.course.results import Record
from tetriscourse.errors import InputError, shown
from tetriscourse.features import FEATURE_SETS, OWN_FEATURES
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.looking_ahead import LookAhead, Search
from tetriscourse.own_features import OwnFeature
from tetriscourse.players import Filter, Player

GAMES, SEED, BOARD = 100, 2003, "10x10"  # the number of games, their seed and their rules, the same for every player
LONGEST_NAME = 40


@dataclass(frozen=True)
class Kind:
    """A kind of players, which has a table of its own."""

    name: str
    about: str  # which players, and why they play on this board
    board: str = BOARD
    games: int = GAMES

    @property
    def rules(self) -> Rules:
        """The game that all of them play."""
        return as_rules(self.board)


ONE_PIECE = "one-piece"
LOW = "three rows fewer, since on 10x10 so many games take"
KINDS = {
    kind.name: kind
    for kind in (
        Kind(ONE_PIECE, ""),
        Kind("look-ahead", f"looking ahead, the next piece unknown; {LOW} minutes", "10x7"),
        Kind("two-piece", f"looking ahead, the next piece known; {LOW} up to half an hour", "10x7"),
    )
}
"""With the champion's weights, a hundred games on 10x10 take two minutes of a core if the next piece is unknown, and
ten to thirty if it is known (the stored table `look-ahead`); on 10x7 all of them take seconds."""


@dataclass(frozen=True)
class LeaderboardEntry:
    """A player and its score."""

    name: str
    features: str  # the name of a feature set, or the names of features joined by +
    weights: tuple[float, ...]
    mean: float  # lines a game
    low: float
    high: float  # the 95 % interval of the mean
    search: Search | None = None  # how it looks ahead, if it does
    own: tuple[tuple[str, str], ...] = ()  # features of the student's own: names and texts

    @property
    def kind(self) -> str:
        """Which table it belongs to."""
        return kind_of(self.search)

    @property
    def player(self) -> Player | LookAhead:
        """The player itself, to play or tune with."""
        if missing := [name for name, _ in self.own if name not in OWN_FEATURES]:
            raise InputError(f"{self.name} has features of your own: define {missing[0]} again")
        known = self.features in FEATURE_SETS
        player = Player(self.features if known else self.features.split("+"), self.weights, self.name)
        return player if self.search is None else self.search.over(player)

    def facts(self) -> Record:
        """What is stored; what an entry does not have is left out, as in files from before it could."""
        found = {**asdict(self), "weights": list(self.weights), "own": [list(one) for one in self.own]}
        return {name: value for name, value in found.items() if name not in ("search", "own") or value}


def kind_of(search: Search | None) -> str:
    """The kind of players that look ahead in this way."""
    if search is None:
        return ONE_PIECE
    return "two-piece" if search.sees_next else "look-ahead"


def scored(player: Player | Filter | LookAhead, name: str) -> LeaderboardEntry:
    """The entry of a player, which plays the games."""
    search = player.search if isinstance(player, LookAhead) else None
    kind = KINDS[kind_of(search)]
    scores = tc.simulate(player, kind.rules, games=kind.games, seed=SEED, progress=False)
    if scores.interrupted:
        raise InputError(f"only {len(scores)} of {kind.games} games were played; nothing was entered")
    weights = () if isinstance(player, Filter) else player.weights
    own = () if isinstance(player, Filter) else texts_of_own(player)
    return LeaderboardEntry(name, features_text(player), weights, scores.mean, *scores.interval(), search, own)


def features_text(player: Player | Filter | LookAhead) -> str:
    """The features of a player, as an entry names them; for a filter, in the order of its criteria."""
    if isinstance(player, Filter):
        return "filter: " + ", ".join(criterion.feature.name for criterion in player.criteria)
    known = FEATURE_SETS.get(player.features.name) == player.features
    return player.features.name if known else "+".join(one.name for one in player.features.features)


def texts_of_own(player: Player | LookAhead) -> tuple[tuple[str, str], ...]:
    """The names and the source texts of features of the student's own, as far as there are texts."""
    found = []
    for one in player.features.features:
        if isinstance(one, OwnFeature):
            text = ""
            with contextlib.suppress(OSError, TypeError):
                text = inspect.getsource(one.function)
            found.append((one.name, text))
    return tuple(found)


def checked_player(player: object) -> Player | LookAhead:
    """The player, if it is fast enough and can be stored."""
    from tetriscourse.simulator.playable import is_fast, why_slow

    if not isinstance(player, Player | LookAhead):
        raise InputError(f"player is {shown(player)}; it must be a Player or a LookAhead, such as tune.player")
    rules = KINDS[kind_of(getattr(player, "search", None))].rules
    player.check_width(rules.width)
    if not is_fast(player, rules):
        raise InputError(
            f"player is too slow for {GAMES} games, with the features {player.features.name}: {why_slow(player)}"
        )
    return player


def checked_name(name: object) -> str:
    """The name, if it fits into a row of the table."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InputError(f"name is {shown(name)}; it must be a text of 1 to {LONGEST_NAME} characters")
    return name.strip()


def entry_from(found: Any) -> LeaderboardEntry | None:
    """The stored entry, or None for anything else, which is kept but not shown."""
    try:
        search, own = found.get("search"), tuple((str(name), str(text)) for name, text in found.get("own", ()))
        weights = tuple(map(float, found["weights"]))
        entry = LeaderboardEntry(**{**found, "weights": weights, "search": search and Search(**search), "own": own})
        if not own:  # those with features of the student's own are shown even where these are not known
            _ = entry.player
        return entry if all(map(isfinite, (entry.mean, entry.low, entry.high))) and checked_name(entry.name) else None
    except (TypeError, ValueError, KeyError, AttributeError):
        return None
