"""Which players compiled code can play: linear ones, filters, those that look ahead, and others that bring a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.features import Feature, FeatureSet, as_feature_set
from tetriscourse.game.rules import Rules
from tetriscourse.games import Chooser
from tetriscourse.looking_ahead import LookAhead, Search
from tetriscourse.own_features import OwnFeature
from tetriscourse.players import WEIGHT_BITS, Filter, Player

MOST_WEIGHTS = 128  # of players that look ahead

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LinearPlayers:
    """Players that share their features, with a row of weights each."""

    features: tuple[str | Feature, ...]  # catalogue features by name, which travel between processes; your own as such
    weights: Floats
    search: Search | None = None  # how they look ahead; None: they do not

    @classmethod
    def of(cls, features: FeatureSet, weights: Floats, search: Search | None = None) -> LinearPlayers:
        """Players of a feature set."""
        return cls(tuple(one.name if is_known(one) else one for one in features.features), weights, search)

    def player(self, row: int) -> Player | LookAhead:
        """One of them as a player of its own."""
        player = Player(as_feature_set(self.features), self.weights[row].tolist())
        return player if self.search is None else self.search.over(player)


Players = Chooser | LinearPlayers


@lru_cache(maxsize=256)
def is_known(feature: Feature) -> bool:
    """Whether compiled code can compute a feature."""
    from tetriscourse.simulator.features import is_compiled

    return is_compiled(feature)


def can_compute(feature: str | Feature) -> bool:
    """Whether compiled code can compute a feature: one of the catalogue, or one of your own that can be compiled."""
    if not isinstance(feature, OwnFeature):
        return isinstance(feature, str) or is_known(feature)
    from tetriscourse.simulator.own_features import can_compile

    return can_compile(feature)


def features_of(players: Any) -> tuple[str | Feature, ...]:
    """The features of linear players or of a filter; others have none."""
    if isinstance(players, Filter):
        return tuple(one.feature for one in players.criteria)
    if isinstance(players, Player | LookAhead):
        return players.features.features
    return players.features if isinstance(players, LinearPlayers) else ()


def has_many(players: LinearPlayers | Player | LookAhead) -> bool:
    """Whether there are so many weights that sums over moves and pieces might not fit into 64 bits."""
    one = players.weights[0] if isinstance(players, LinearPlayers) else players.weights
    return len(one) > MOST_WEIGHTS


def how_it_looks(players: Any) -> Search | None:
    """How players look ahead; None: they do not."""
    return players.search if isinstance(players, LinearPlayers | LookAhead) else None


def has_own(players: Players) -> bool:
    """Whether players have features that `@tc.feature` made."""
    return any(isinstance(one, OwnFeature) for one in features_of(players))


def why_slow(players: Players) -> str:
    """Why compiled code cannot play these players."""
    from tetriscourse.simulator.own_features import why_slow

    reasons = [why_slow(one) for one in features_of(players) if isinstance(one, Feature) and not can_compute(one)]
    if has_own(players) and (isinstance(players, Filter) or how_it_looks(players) is not None):
        reasons.append("features of its own are compiled for a Player, not for a Filter or a LookAhead")
    return "; ".join(reasons) or "the simulator knows the features of the catalogue only"


def is_fast(players: Players, rules: Rules) -> bool:
    """Whether compiled code can play these players."""
    if isinstance(players, LinearPlayers | Player | LookAhead):
        known = all(map(can_compute, features_of(players)))
        return known and (how_it_looks(players) is None or not (has_own(players) or has_many(players)))
    if isinstance(players, Filter):
        from tetriscourse.simulator.encode import words
        from tetriscourse.simulator.records import MOST_WORDS

        return all(is_known(one.feature) for one in players.criteria) and len(words(players, rules)) <= MOST_WORDS
    if hasattr(players, "is_fast"):
        return bool(players.is_fast(rules))
    return hasattr(players, "compiled_table")


def units(weights: Floats) -> Floats:
    """The size of one unit of players.fixed_point, for each row."""
    _, exponents = np.frexp(abs(weights).max(axis=1, initial=0.0))
    return np.asarray(np.maximum(np.ldexp(1.0, exponents - WEIGHT_BITS), np.nextafter(0.0, 1.0)))


def whole_weights(players: Player | LinearPlayers, rules: Rules) -> Ints:
    """The weights in fixed point, a row for each player."""
    if isinstance(players, LinearPlayers):
        return fixed_points(players.weights)
    players.check_width(rules.width)
    return np.array([players.integers], np.int64)


def fixed_points(weights: Floats) -> Ints:
    """players.fixed_point of each row."""
    whole: Floats = np.rint(weights / units(weights)[:, None])
    return whole.astype(np.int64)


def kind_of(players: Players) -> str:
    """Which kernel plays these players."""
    if has_own(players):
        return "own features"
    if isinstance(players, LinearPlayers | Player | Filter | LookAhead):
        return "linear" if how_it_looks(players) is None else "look-ahead"
    return type(players).__name__
