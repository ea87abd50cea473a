"""Feature sets: the features that a player sees, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, shown
from tetriscourse.features import published, surface  # noqa: F401  they fill the catalogue
from tetriscourse.features.feature import FEATURES, Feature, Value, as_feature
from tetriscourse.game.moves import Move


@dataclass(frozen=True)
class FeatureSet:
    """Features in order; a player has a weight for each of their values."""

    name: str
    features: tuple[Feature, ...]
    source: str = ""

    @lru_cache(maxsize=256)  # noqa: B019  there are few feature sets, and players are made by the thousand
    def size(self, width: int) -> int:
        """Number of values on a board of this width."""
        return sum(one.size(width) for one in self.features)

    def values(self, move: Move) -> list[float]:
        """The values of a move, feature by feature."""
        found: list[float] = []
        for one in self.features:
            value = one(move)
            if one.per_column is not None:
                found += list(value)  # type: ignore[arg-type]
            elif isinstance(value, int | float | np.number | np.bool_):
                found.append(value)
            else:
                raise InputError(f"feature {one.name} gave {shown(value)} for a move; it must be one number")
        return found

    @lru_cache(maxsize=256)  # noqa: B019
    def labels(self, width: int) -> tuple[str, ...]:
        """A name for each value."""
        return tuple(
            one.name if one.per_column is None else f"{one.name}[{j}]"
            for one in self.features
            for j in range(one.size(width))
        )

    def __repr__(self) -> str:
        return f"FeatureSet({self.name!r}: {', '.join(one.name for one in self.features)})"


_D = "landing_height eroded_cells row_transitions column_transitions holes wells"
_DN = _D + " hole_depth rows_with_holes"
_RV_CE = _DN + " diversity"
_HEIGHTS = "column_heights height_differences max_height"
_HOMES = "home_o home_t home_z home_s home_j home_l"
_SURFACE = "i_wells max_height bumpiness steps_of_0 steps_of_1 steps_of_2"
_CHAMPION = f"{_RV_CE} {_HOMES} {_SURFACE} squared_height low_edges holes_by_height"

_MEMBERS = {
    "tetrisbot": ("lines sum_heights holes bumpiness", "Muller and Ponton 2019, chapter 4"),
    "bertsekas": (_HEIGHTS + " holes", "Bertsekas and Tsitsiklis 1996"),
    "dellacherie": (_D, "Dellacherie in Fahey 2003"),
    "dn": (_DN, "Thiery and Scherrer 2009, section 5"),
    "bd": (_HEIGHTS + " " + _D, "Thiery and Scherrer 2009, section 5"),
    "bdn": (_HEIGHTS + " " + _DN, "Thiery and Scherrer 2009, section 5"),
    "dt": (_DN.replace("wells", "wells_one_pass") + " diversity", "Gabillon et al. 2013"),
    "rv-ce": (_RV_CE, "RV-CE 2026"),
    "xtris": ("max_height holes drop_depth frontier wells i_wells", "Llima 2005; Boumaza 2013"),
    "champion": (_CHAMPION, "this project: RV-CE's nine, three known ones, and twelve of its own"),
}
FEATURE_SETS = Catalogue("feature set", {
    name: FeatureSet(name, tuple(map(FEATURES.__getitem__, members.split())), source)
    for name, (members, source) in _MEMBERS.items()
})  # fmt: skip
"""Every published feature set, and one of this project, by name."""


def as_feature_set(
    given: str | FeatureSet | Sequence[str | Feature | Callable[[Move], Value]], argument: str = "features"
) -> FeatureSet:
    """A feature set, the one of this name, or one made of a list of features."""
    if isinstance(given, FeatureSet):
        return given
    if isinstance(given, str):
        return FEATURE_SETS.named(given, argument)
    if not isinstance(given, Iterable):
        raise InputError(f"{argument} is {shown(given)}; it must be the name of a feature set or a list of features")
    members = tuple(as_feature(one, f"{argument}[{k}]") for k, one in enumerate(given))
    if not members:
        raise InputError(f"{argument} is empty; a player needs at least one")
    return FeatureSet("+".join(one.name for one in members), members, "own")
