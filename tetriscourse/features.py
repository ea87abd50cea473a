"""Features: the numbers by which a player judges a move, each defined here as a function of a Move.

All but landing_height, eroded_cells, lines and drop_depth look only at the board after the move.
Outside the board, cells to the left, to the right and below count as full, those above as empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, shown
from tetriscourse.game.cells import Bools, covering_cells, empty_below, hole_cells, walled, well_cells
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


def catalogued(
    symbol: str, better: int, per_column: int | None = None
) -> Callable[[Callable[[Move], Value]], Feature]:
    """Enter a function into the catalogue under its own name."""

    def enter(function: Callable[[Move], Value]) -> Feature:
        name, describe = function.__name__, (function.__doc__ or "").strip()
        FEATURES[name] = Feature(name, symbol, describe, function, per_column, better)
        return FEATURES[name]

    return enter


@catalogued("l", better=-1)
def landing_height(move: Move) -> Value:
    """Height of the middle of the piece where it landed, before clearing."""
    return move.row + (move.shape.height - 1) / 2


@catalogued("e", better=+1)
def eroded_cells(move: Move) -> Value:
    """Rows cleared times the cells of the piece in those rows."""
    return move.rows * sum(row in move.cleared for row, _ in move.cells)


@catalogued("L of TetrisBot", better=+1)
def lines(move: Move) -> Value:
    """Rows cleared by the move."""
    return move.rows


@catalogued("d", better=+1)
def drop_depth(move: Move) -> Value:
    """Rows between the top of the board and the top of the piece where it landed (Xtris)."""
    return move.before.height - (move.row + move.shape.height)


@catalogued("1", better=0)
def constant(move: Move) -> Value:
    """One for every move: the constant of Szita and Lőrincz 2006."""
    return 1


def count(cells: Bools | np.bool_) -> int:
    """Number of cells that are True."""
    return int(np.count_nonzero(cells))


@catalogued("Δr", better=-1)
def row_transitions(move: Move) -> Value:
    """Changes between full and empty along each row, side walls full; an empty row counts 2."""
    full = walled(move.after)
    changes = count(full[:, 1:] != full[:, :-1])
    # Rows above the board exist only while a losing piece sticks out; an empty one counts 0 and not 2.
    return changes - 2 * (len(full) - move.after.height)


@catalogued("Δc", better=-1)
def column_transitions(move: Move) -> Value:
    """Changes between full and empty up each column, floor full and sky empty; an empty column counts 1."""
    full = move.after.full
    at_the_floor, inside, at_the_sky = ~full[0], full[1:] != full[:-1], full[-1]
    return count(at_the_floor) + count(inside) + count(at_the_sky)


@catalogued("L", better=-1)
def holes(move: Move) -> Value:
    """Empty cells with a full cell somewhere above in their column."""
    return count(hole_cells(move.after))


@catalogued("W", better=-1)
def wells(move: Move) -> Value:
    """For each well cell, 1 + the empty cells right below it, well cells or not."""
    full = move.after.full
    return sum(empty_below(full[:, column], row) for row, column in np.argwhere(well_cells(move.after)))


@catalogued("W'", better=-1)
def wells_one_pass(move: Move) -> Value:
    """From each run's topmost well cell, the n empty cells down count 1 + 2 + ... + n (MDPTetris -6)."""
    total, full, well = 0, move.after.full, well_cells(move.after)
    for column in range(move.after.width):
        row = len(full) - 1
        while row >= 0:
            if well[row, column]:
                run = empty_below(full[:, column], row)
                total += run * (run + 1) // 2
                row -= run
            row -= 1
    return total


@catalogued("D", better=-1)
def hole_depth(move: Move) -> Value:
    """Full cells in the run right above each hole; stacked holes count the run once (Thiery and Scherrer's code)."""
    return count(covering_cells(move.after))


@catalogued("D of the table", better=-1)
def hole_depth_sum(move: Move) -> Value:
    """Full cells above each hole, summed over the holes (as their table says)."""
    full = move.after.full
    cells_from_here_up = full[::-1].cumsum(axis=0)[::-1]
    return int(cells_from_here_up[hole_cells(move.after)].sum())


@catalogued("R", better=-1)
def rows_with_holes(move: Move) -> Value:
    """Rows that contain at least one hole."""
    return count(hole_cells(move.after).any(axis=1))


@catalogued("F", better=-1)
def frontier(move: Move) -> Value:
    """Length of the line between full and empty cells, walls and floor full, sky empty (Xtris)."""
    return row_transitions.number(move) + column_transitions.number(move)


@catalogued("h_j", better=-1, per_column=0)
def column_heights(move: Move) -> Value:
    """The height of each column."""
    return [int(height) for height in move.after.heights]


@catalogued("|h_j - h_j+1|", better=-1, per_column=-1)
def height_differences(move: Move) -> Value:
    """The absolute difference between each column and the next."""
    return [int(step) for step in abs(np.diff(move.after.heights))]


@catalogued("H", better=-1)
def max_height(move: Move) -> Value:
    """The height of the highest column."""
    return int(move.after.heights.max())


@catalogued("Σh", better=-1)
def sum_heights(move: Move) -> Value:
    """The sum of the heights of all columns."""
    return int(move.after.heights.sum())


@catalogued("B", better=-1)
def bumpiness(move: Move) -> Value:
    """The sum of the absolute differences between neighbouring columns."""
    return int(abs(np.diff(move.after.heights)).sum())


@catalogued("div", better=+1)
def diversity(move: Move) -> Value:
    """Number of different values among -2 .. 2 that h_j+1 - h_j takes."""
    steps = np.diff(move.after.heights)
    return len(set(steps[abs(steps) <= 2].tolist()))


@catalogued("I", better=-1)
def i_wells(move: Move) -> Value:
    """Depths of the columns at least 3 below both neighbours, which only an I fills (Xtris)."""
    heights = np.pad(move.after.heights, 1, constant_values=move.after.height)
    depths = np.minimum(heights[:-2], heights[2:]) - heights[1:-1]
    return int(depths[depths >= 3].sum())


def has_run(move: Move, *runs: tuple[int, ...]) -> int:
    """1 if the steps h_j+1 - h_j contain one of these runs, else 0."""
    steps = np.diff(move.after.heights).tolist()
    return int(any(tuple(steps[j : j + len(run)]) == run for run in runs for j in range(len(steps))))


# A home is a place where a piece lies flat, so that it makes no hole. An I, upright, has one everywhere.


@catalogued("∃O", better=+1)
def home_o(move: Move) -> Value:
    """1 if an O has a home, a step of 0; else 0."""
    return has_run(move, (0,))


@catalogued("∃T", better=+1)
def home_t(move: Move) -> Value:
    """1 if a T has a home, a step of 1 or -1, or two steps of 0; else 0."""
    return has_run(move, (1,), (-1,), (0, 0))


@catalogued("∃Z", better=+1)
def home_z(move: Move) -> Value:
    """1 if a Z has a home, a step of 1, or of -1 and then 0; else 0."""
    return has_run(move, (1,), (-1, 0))


@catalogued("∃S", better=+1)
def home_s(move: Move) -> Value:
    """1 if an S has a home, a step of -1, or of 0 and then 1; else 0."""
    return has_run(move, (-1,), (0, 1))


@catalogued("∃J", better=+1)
def home_j(move: Move) -> Value:
    """1 if a J has a home, a step of 0 or 2; else 0."""
    return has_run(move, (0,), (2,))


@catalogued("∃L", better=+1)
def home_l(move: Move) -> Value:
    """1 if an L has a home, a step of 0 or -2; else 0."""
    return has_run(move, (0,), (-2,))


def steps_of(move: Move, size: int) -> int:
    """How many neighbouring columns differ by so much."""
    return count(abs(np.diff(move.after.heights)) == size)


@catalogued("n_0", better=+1)
def steps_of_0(move: Move) -> Value:
    """Number of steps of 0, between neighbouring columns of the same height."""
    return steps_of(move, 0)


@catalogued("n_1", better=+1)
def steps_of_1(move: Move) -> Value:
    """Number of steps of 1, up or down, from a column to the next."""
    return steps_of(move, 1)


@catalogued("n_2", better=-1)
def steps_of_2(move: Move) -> Value:
    """Number of steps of 2, up or down, from a column to the next."""
    return steps_of(move, 2)


@catalogued("H²", better=-1)
def squared_height(move: Move) -> Value:
    """The square of the height of the highest column."""
    return max_height.number(move) ** 2


@catalogued("E", better=-1)
def low_edges(move: Move) -> Value:
    """Outer columns, leftmost and rightmost, that are at least 2 below their neighbour."""
    heights = move.after.heights
    return int(heights[1] - heights[0] >= 2) + int(heights[-2] - heights[-1] >= 2)


@catalogued("L·H", better=-1)
def holes_by_height(move: Move) -> Value:
    """Holes times the height of the highest column."""
    return holes.number(move) * max_height.number(move)


@dataclass(frozen=True)
class FeatureSet:
    """Features in order; a player has a weight for each of their values."""

    name: str
    features: tuple[Feature, ...]
    source: str = ""

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

    def labels(self, width: int) -> list[str]:
        """A name for each value."""
        return [
            one.name if one.per_column is None else f"{one.name}[{j}]"
            for one in self.features
            for j in range(one.size(width))
        ]

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


def known_features() -> Catalogue[Feature]:
    """Everything that has a name: the catalogue and your own."""
    return Catalogue("feature", FEATURES | OWN_FEATURES)


def as_feature(given: str | Feature | Callable[[Move], Value], argument: str = "feature") -> Feature:
    """A feature, the one of this name, or one made of a function of a move."""
    if isinstance(given, Feature):
        return given
    if isinstance(given, str):
        return known_features().named(given, argument)
    if not callable(given):
        raise InputError(f"{argument} is {shown(given)}; it must be a name, a Feature or a function of a move")
    name = getattr(given, "__name__", "feature")
    return Feature(name, name, (given.__doc__ or "").strip(), given)


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
