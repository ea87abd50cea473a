"""A player being tuned: where it started, its weights, how they are shown, and the code that makes it.

Only the direction of the weights matters: a player with all weights doubled makes the same moves. So they can be shown
with length 1. The player keeps the weights as they were set: dividing them by their length would round them, and moves
that are worth the same would no longer be.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt

from tetriscourse.errors import InputError, finite_numbers, one_of, real_number, shown
from tetriscourse.features import FEATURE_SETS, FEATURES, Feature, FeatureSet
from tetriscourse.players import PLAYERS, Player

LARGEST_SHARE = 0.999  # the largest weight shown with length 1: something must be left to the others
LARGEST = 1e6  # the largest weight, and as much below zero: only ratios matter, and beyond this a slider is of no use
OWN = "own"


def origins(own: Player | None = None) -> list[tuple[str, str]]:
    """Where to start from, as the options of a menu: your own player, published players, feature sets."""
    found = [(OWN, f"yours: {own.name}")] if own else []
    found += [(f"player:{name}", f"player {name}") for name, one in PLAYERS.items() if isinstance(one, Player)]
    return found + [(f"set:{name}", f"features {name}, all ±1") for name in FEATURE_SETS]


def rounded(value: float, digits: int = 6) -> float:
    """A number with as many digits as the page shows."""
    return float(f"{value:.{digits}g}")


def round_limit(value: float) -> float:
    """1, 2 or 5 times a power of ten, with some room above a weight."""
    return next(
        digit * 10.0**power for power in range(-300, 308) for digit in (1, 2, 5) if digit * 10.0**power >= 1.2 * value
    )


class Tuned:
    """The player, and how the sliders show it."""

    def __init__(self, origin: str, width: int, own: Player | None = None):
        self.own = own
        self.normalised = False
        self.begin(origin, width)

    def begin(self, origin: str, width: int) -> None:
        """Start from a published player, a feature set, or the player that was given."""
        one_of("start from", origin, [value for value, _ in origins(self.own)])
        kind, _, name = origin.partition(":")
        player = self.own if kind == OWN else PLAYERS.get(name) if kind == "player" else None
        if isinstance(player, Player):
            player.check_width(width)
            features, published = player.features, player.weights
        else:
            features = FEATURE_SETS[name]
            published = tuple(float(one.usual_sign) if one.better else 0.0 for one, _ in members_of(features, width))
        self.origin, self.width, self.features, self.published = origin, width, features, published
        self.started = player if isinstance(player, Player) else None
        self.limit = round_limit(max(map(abs, published)) or 1.0)  # where the sliders end
        self.set(published)

    def set(self, weights: Sequence[float]) -> None:
        """Take these weights."""
        numbers = finite_numbers("weights", weights)
        player = Player(self.features, numbers, "mine")
        player.check_width(self.width)
        for name, number in zip(self.labels, numbers, strict=True):
            real_number(name, number, at_least=-LARGEST, at_most=LARGEST)
        untouched = self.started is not None and numbers == self.started.weights
        self.player = self.started if untouched and self.started else player
        largest = max(map(abs, numbers))
        if largest > self.limit:
            self.limit = round_limit(largest)

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights of the player, as they were set."""
        return self.player.weights

    @property
    def scale(self) -> float:
        """The weight that is shown as 1."""
        length = hypot(*self.weights) if self.normalised else 0.0
        return length or 1.0

    @property
    def shown(self) -> list[float]:
        """The weights as the sliders show them."""
        return [rounded(weight / self.scale, 4) if self.normalised else weight for weight in self.weights]

    @property
    def shown_limit(self) -> float:
        """Where the sliders end."""
        return 1.0 if self.normalised else self.limit

    def slider_data(self) -> dict[str, dict[str, float]]:
        """The value and the ends of each slider."""
        limit = self.shown_limit
        return {f"weight:{k}": {"value": value, "low": -limit, "high": limit} for k, value in enumerate(self.shown)}

    def on_width(self, width: int) -> Tuned:
        """This player on a board of another width; the one that it started from, if the weights do not fit there."""
        if self.features.size(width) == len(self.weights):
            self.width = width
            return self
        fresh = Tuned(self.origin, width, self.own)
        fresh.normalised = self.normalised
        return fresh

    def change(self, number: int, value: float) -> None:
        """Set one weight to the value that a slider shows."""
        weights = list(self.weights)
        if not 0 <= number < len(weights):
            raise InputError(f"weight is {shown(number)}; there are {len(weights)}, from 0")
        weights[number] = 0.0
        others = hypot(*weights)
        if self.normalised and others:
            # With v = w / sqrt(w² + others²) the slider stays where it was put, and the others' directions as well.
            if abs(value) > LARGEST_SHARE:
                raise InputError(
                    f"{self.labels[number]} is {shown(value)}; normalised, it must be from "
                    f"-{LARGEST_SHARE} to {LARGEST_SHARE}, to leave something to the others"
                )
            value *= others / sqrt(1 - value * value)
        weights[number] = rounded(value)
        self.set(weights)

    @property
    def members(self) -> list[tuple[Feature, int | None]]:
        """For each weight its feature, and its column if there is one weight for each."""
        return members_of(self.features, self.width)

    @property
    def labels(self) -> list[str]:
        """For each weight the name of its feature; for columns the symbol, which is shorter."""
        return [label(one, column) for one, column in self.members]

    @property
    def is_zero(self) -> bool:
        """Whether no weight tells one move from another."""
        return not any(self.weights)

    def code(self) -> str:
        """Python that makes exactly this player."""
        numbers = ", ".join(exact(weight) for weight in self.weights)
        return f'tc.Player({feature_code(self.features)}, [{numbers}], name="mine")'


@lru_cache(maxsize=16)
def members_of(features: FeatureSet, width: int) -> list[tuple[Feature, int | None]]:
    """For each weight of a player its feature, and its column if there is one weight for each."""
    return [
        (one, None if one.per_column is None else column)
        for one in features.features
        for column in range(one.size(width))
    ]


def label(feature: Feature, column: int | None) -> str:
    """'rows with holes', 'h3', '|h3-h4|'."""
    if column is None:
        return feature.name.replace("_", " ")
    if "h_j" in feature.symbol:
        symbol = feature.symbol.replace(" ", "")
        return symbol.replace("h_j+1", f"h{column + 1}").replace("h_j", f"h{column}")
    return f"{feature.name} {column}"


def exact(weight: float) -> str:
    """A number with all of its digits, and no more."""
    return str(int(weight)) if weight.is_integer() and abs(weight) < 1e15 else repr(weight)


def feature_code(features: FeatureSet) -> str:
    """A feature set in Python: its name, or a list of names and functions."""
    if FEATURE_SETS.get(features.name) == features:
        return f'"{features.name}"'
    names = [f'"{one.name}"' if FEATURES.get(one.name) is one else one.name for one in features.features]
    return f"[{', '.join(names)}]"
