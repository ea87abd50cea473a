"""Players: a linear player weighs features of moves, a filtering one discards moves by criteria."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import frexp, ldexp, ulp
from typing import Any

from tetriscourse import grammar  # noqa: F401  it fills the catalogue of words, which are good as names of features
from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, finite_numbers, one_of, shown
from tetriscourse.features import Feature, FeatureSet, Value, as_feature_set, known_features
from tetriscourse.game.board import MAX_WIDTH, MIN_SIZE, Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece, as_piece
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import Rules, as_rules

WEIGHT_BITS = 20


def fixed_point(weights: Sequence[float]) -> tuple[tuple[int, ...], float]:
    """The weights as whole numbers of at most 2^20, and the size of one unit.

    Whole numbers add up exactly, in any order: so ties are real ties, and every machine makes the same choice.
    The unit is 2^-20 of the power of two above the largest weight, or the smallest positive float if that is larger.
    """
    _, exponent = frexp(max((abs(weight) for weight in weights), default=0.0))
    unit = max(ldexp(1.0, exponent - WEIGHT_BITS), ulp(0.0))
    return tuple(round(weight / unit) for weight in weights), unit


@dataclass(frozen=True)
class Player:
    """Features with a weight for each value; it takes the move with the highest weighted sum; ties: the first."""

    features: FeatureSet
    weights: tuple[float, ...]
    name: str = "player"
    source: str = ""
    integers: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the weights in fixed point: see `_sum`
    unit: float = field(init=False, repr=False, compare=False)  # the weight of the integer 1

    def __init__(
        self,
        features: str | FeatureSet | Sequence[str | Feature | Callable[[Move], Value]],
        weights: Sequence[float],
        name: str = "player",
        source: str = "",
    ):
        chosen = features if isinstance(features, FeatureSet) else as_feature_set(features)
        numbers = finite_numbers("weights", weights)
        sizes = {chosen.size(width): width for width in range(MIN_SIZE, MAX_WIDTH + 1)}
        if len(numbers) not in sizes:
            needed = f"{chosen.size(10)}" + (" on width 10" if len(sizes) > 1 else "")
            names = ", ".join(one.name for one in chosen.features)
            raise InputError(f"weights has {len(numbers)} values; feature set {chosen.name} takes {needed}: {names}")
        integers, unit = fixed_point(numbers)
        for attribute, value in (
            ("features", chosen), ("weights", numbers), ("name", name),
            ("source", source), ("integers", integers), ("unit", unit),
        ):  # fmt: skip
            object.__setattr__(self, attribute, value)

    def check_width(self, width: int) -> None:
        """Raise an error if the number of weights does not fit boards of this width."""
        if len(self.weights) != self.features.size(width):
            raise InputError(
                f"weights has {len(self.weights)} values; "
                f"feature set {self.features.name} takes {self.features.size(width)} on width {width}"
            )

    def value(self, move: Move) -> float:
        """The weighted sum of the move's features, in units of the weights."""
        return self._sum(move) * self.unit

    def exactly(self, move: Move) -> Fraction:
        """The value in units of fixed point, to be added up or averaged without rounding."""
        return Fraction(self._sum(move))

    def _sum(self, move: Move) -> float:
        # Halves and whole numbers, far below 2^53: every product and sum is exact.
        return sum(weight * value for weight, value in zip(self.integers, self.features.values(move), strict=True))

    def choose(
        self,
        board: Board,
        piece: Piece | str,
        next_piece: Piece | str | None = None,
        rules: Rules | str | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, None if there is none; knowing the next piece, it looks two moves ahead."""
        self.check_width(board.width)
        candidates = moves(board, piece, rules)
        if next_piece is None:
            return max(candidates, key=self._sum, default=None)
        after = as_piece(next_piece, () if rules is None else as_rules(rules).pieces, "next_piece")
        return max(candidates, key=lambda move: self.pair(move, after, rules), default=None)

    def pair(self, move: Move, next_piece: Piece, rules: Rules | str | None) -> tuple[bool, float]:
        """Whether the next piece has a move after this one, and the best sum of both, in units of fixed point."""
        answers = [] if move.loses else moves(move.after, next_piece, rules)
        return bool(answers), self._sum(move) + max(map(self._sum, answers), default=0.0)

    def __repr__(self) -> str:
        weights = ", ".join(f"{weight:g}" for weight in self.weights)
        return f"Player({self.features.name!r}, [{weights}], name={self.name!r})"


@dataclass(frozen=True)
class Criterion:
    """Keeps the moves for which a feature is smallest, or largest."""

    feature: Feature
    sign: int  # -1 to keep the smallest values, +1 to keep the largest

    @classmethod
    def from_text(cls, text: str) -> Criterion:
        """'-holes': the fewest holes; '+lines': the most lines; without a sign, whichever is better."""
        if not isinstance(text, str):
            raise InputError(f"criteria contains {shown(text)}; each must be the name of a feature, such as 'holes'")
        single = {name: one for name, one in known_features().items() if one.per_column is None}
        found = single[one_of("criteria", text.lstrip("+-"), single)]
        return cls(found, {"+": 1, "-": -1}.get(text[:1], found.usual_sign))

    def value(self, move: Move) -> float:
        """The value of a move; the moves with the largest are kept."""
        return self.sign * self.feature.number(move)

    def __str__(self) -> str:
        return ("fewest " if self.sign < 0 else "most ") + self.feature.name

    def __repr__(self) -> str:
        return f"Criterion({self})"


@dataclass(frozen=True)
class Filter:
    """Criteria, each of which keeps the best of the moves that the last one left; then chance decides."""

    criteria: tuple[Criterion, ...]
    name: str = "filter"
    source: str = ""

    def __init__(self, criteria: Sequence[str | Criterion], name: str = "filter", source: str = ""):
        listed = [] if isinstance(criteria, str) or not isinstance(criteria, Iterable) else list(criteria)
        if not listed:
            raise InputError(f"criteria is {shown(criteria)}; it must be a list of at least one feature name")
        read = tuple(one if isinstance(one, Criterion) else Criterion.from_text(one) for one in listed)
        for attribute, value in (("criteria", read), ("name", name), ("source", source)):
            object.__setattr__(self, attribute, value)

    def stages(self, candidates: list[Move]) -> list[list[Move]]:
        """The moves left after each criterion."""
        left, stages = candidates, []
        for criterion in self.criteria:
            values = [criterion.value(move) for move in left]
            best = max(values, default=0)
            left = [move for move, value in zip(left, values, strict=True) if value == best]
            stages.append(left)
        return stages

    def choose(
        self,
        board: Board,
        piece: Piece | str,
        next_piece: Piece | str | None = None,
        rules: Rules | str | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """One of the moves that pass all criteria, None if there is no move; the next piece is ignored."""
        left = self.stages(moves(board, piece, rules))[-1]
        return (chance or Chance()).pick(left) if left else None

    def __repr__(self) -> str:
        return f"Filter([{', '.join(map(str, self.criteria))}], name={self.name!r})"


_CHAPTER_10 = "Muller and Ponton 2019, chapter 10"


def tetrisbot(name: str, a: float, b: float, c: float, d: float, source: str = _CHAPTER_10) -> Player:
    """A TetrisBot player from its published parameters: q = a L - b H - c T - d B."""
    return Player("tetrisbot", (a, -b, -c, -d), name, source)


_CBMPI = "Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer et al. 2015"

_PUBLISHED: tuple[Player | Filter, ...] = (
    Player("dellacherie", (-1, 1, -1, -1, -4, -1), "dellacherie", "Dellacherie in Fahey 2003"),
    Player(
        "dn",
        (-12.62900, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087),
        "dn", "Thiery and Scherrer 2009, table 4, with the digits of the authors' data",
    ),
    Player("dt", (-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27), "dt-10", _CBMPI),
    Player("dt", (-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89), "dt-20", _CBMPI),
    Player(
        "rv-ce",
        (-11.3348, 5.5992, -9.9515, -15.1223, -3.3014, -10.9907, -5.6510, -34.6718, 5.4843),
        "rv-ce", "RV-CE 2026",
    ),
    Player(
        "dellacherie",
        (-4.50016, 3.41813, -3.21789, -9.34870, -7.89927, -3.38560),
        "el-tetris", "El-Tetris (Islam El-Ashi 2011)",
    ),
    Player(
        "champion",
        (
            -0.276835, 0.0690014, -0.20643, -0.393694, -0.306422, -0.233143, -0.122521, -0.556783, 0.10545, 0.0811078,
            0.0868628, 0.0673325, 0.248159, -0.187408, -0.162774, -0.250456, 0.0794779, -0.0583623, 0.0284837,
            0.121861, -0.0610175, 0.00548484, -0.00543609, -0.0346819,
        ),
        "champion-10x10", "ours: tetriscourse train record-10x10",
    ),
    Player(
        "champion",
        (
            -0.320698, 0.0671866, -0.216251, -0.420851, -0.318714, -0.265953, -0.122125, -0.546244, 0.140439, 0.0170406,
            0.0647555, 0.0669968, 0.178268, -0.112668, -0.136025, -0.227084, 0.102353, -0.037635, 0.0547182, 0.111497,
            -0.0503296, 0.00647629, -0.0336837, -0.0337229,
        ),
        "champion-10x20", "ours: tetriscourse train record-10x20 --thorough",
    ),
    tetrisbot("tetrisbot", 0.548, 0.5218, 0.6267, 0.1862, "Muller and Ponton's program, a later default"),
    tetrisbot("tetrisbot-1", 0.7389, 0.5367, 0.3951, 0.0997),
    tetrisbot("tetrisbot-2", 0.5037, 0.7762, 0.3666, 0.0967),
    tetrisbot("tetrisbot-3", 0.2173, 0.4716, 0.9472, 0.1798),
    tetrisbot("tetrisbot-4", 0.016, 0.007, 0.5937, 0.0198),  # its first weight is misprinted as 0.0.016
    tetrisbot("tetrisbot-5", 0.27, 0.0105, 0.839, 0.0472),
    tetrisbot("tetrisbot-6", 0.1407, 0.0039, 0.7186, 0.0455),
    tetrisbot("tetrisbot-7", 0.3908, 0.4556, 0.7771, 0.1892),
    tetrisbot(
        "tetrisbot-bred", 0.00268555, 0.0146637, 0.566376, 0.0996704,
        "ours: tetriscourse train genetic-4-lines --runs 1 --seed 8",
    ),
    Filter(("holes", "sum_heights", "bumpiness", "lines"), "filter-heights", _CHAPTER_10),
    Filter(("holes", "bumpiness", "sum_heights", "lines"), "filter-bumpiness", _CHAPTER_10),
)  # fmt: skip

PLAYERS = Catalogue("player", {player.name: player for player in _PUBLISHED})  # the published players, and ours


def as_player(given: Any, argument: str = "player") -> Any:
    """A player, or the one of this name; anything with a method `choose` is a player."""
    if isinstance(given, str):
        return PLAYERS.named(given, argument)
    if isinstance(given, type) or not callable(getattr(given, "choose", None)):
        raise InputError(f"{argument} is {shown(given)}; it must be a Player or a name such as 'dellacherie'")
    return given
