"""A feature is a named function of a move; FEATURES holds all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, shown
from tetriscourse.game.moves import Move

Value = float | Sequence[float]


@dataclass(frozen=True)
class Feature:
    """A named function of a move; some give one value for each column."""

    name: str
    symbol: str
    describe: str
    function: Callable[[Move], Value]
    per_column: int | None = None  # None: one value. 0: one for each column. -1: one for each pair of neighbours
    better: int = -1  # +1 if more is better, -1 if less is, 0 if it makes no difference

    def __call__(self, move: Move) -> Value:
        return self.function(move)

    def number(self, move: Move) -> float:
        """The value, of a feature that has only one."""
        value = self(move)
        assert isinstance(value, int | float), "a feature with one value for each column"
        return value

    def size(self, width: int) -> int:
        """Number of values on a board of this width."""
        return 1 if self.per_column is None else width + self.per_column

    @property
    def usual_sign(self) -> int:
        """+1 or -1: the sign that published players give its weight."""
        return 1 if self.better > 0 else -1

    def __repr__(self) -> str:
        return f"Feature({self.name!r}: {self.describe})"


FEATURES: Catalogue[Feature] = Catalogue("feature")
OWN_FEATURES: Catalogue[Feature] = Catalogue("feature")  # those that `@tc.feature` has made in this session
WORDS: Catalogue[Feature] = Catalogue("word")  # those of which a search can choose: grammar.py fills it


def catalogued(symbol: str, better: int, per_column: int | None = None) -> Callable[[Callable[[Move], Value]], Feature]:
    """Enter a function into the catalogue under its own name."""

    def enter(function: Callable[[Move], Value]) -> Feature:
        name, describe = function.__name__, (function.__doc__ or "").strip()
        FEATURES[name] = Feature(name, symbol, describe, function, per_column, better)
        return FEATURES[name]

    return enter


def known_features() -> Catalogue[Feature]:
    """Everything that has a name: the catalogue and your own."""
    return Catalogue("feature", FEATURES | OWN_FEATURES)


def as_feature(given: str | Feature | Callable[[Move], Value], argument: str = "feature") -> Feature:
    """A feature, the one of this name, or one made of a function of a move."""
    if isinstance(given, Feature):
        return given
    if isinstance(given, str):
        known = known_features()
        return WORDS[given] if given in WORDS and given not in known else known.named(given, argument)
    if not callable(given):
        raise InputError(f"{argument} is {shown(given)}; it must be a name, a Feature or a function of a move")
    name = getattr(given, "__name__", "feature")
    return Feature(name, name, (given.__doc__ or "").strip(), given)
