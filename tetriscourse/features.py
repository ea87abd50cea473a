"""Features: what a player sees of a move. Each is a function of a Move, defined here once.

All but landing_height, eroded_cells, lines and drop_depth look at the board after the move only.
Outside the board, left, right and below count as full, above as empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move

Value = float | Sequence[float]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Feature:
    """A named function of a move; some give one value for each column."""

    name: str
    symbol: str
    describe: str
    function: Callable[[Move], Value]
    per_column: int | None = None
    """None: one value. 0: one for each column. -1: one for each pair of neighbouring columns."""

    def __call__(self, move: Move) -> Value:
        return self.function(move)

    def size(self, width: int) -> int:
        """How many values it has on a board of this width."""
        return 1 if self.per_column is None else width + self.per_column

    def __repr__(self) -> str:
        return f"Feature({self.name!r}: {self.describe})"


FEATURES: dict[str, Feature] = {}


def number(value: Value) -> float:
    """The value of a feature that has one value only."""
    assert isinstance(value, int | float), "a feature with one value for each column"
    return value


def feature(symbol: str, per_column: int | None = None) -> Callable[[Callable[[Move], Value]], Feature]:
    """Enter a function into the catalogue under its own name."""

    def enter(function: Callable[[Move], Value]) -> Feature:
        describe = (function.__doc__ or "").strip()
        FEATURES[function.__name__] = Feature(function.__name__, symbol, describe, function, per_column)
        return FEATURES[function.__name__]

    return enter


# --- the move itself ----------------------------------------------------------------------------


@feature("l")
def landing_height(move: Move) -> Value:
    """Height of the middle of the piece where it landed, before clearing."""
    return move.row + (move.shape.height - 1) / 2


@feature("e")
def eroded_cells(move: Move) -> Value:
    """Rows cleared times the cells of the piece in those rows."""
    return move.rows * sum(row in move.cleared for row, _ in move.cells)


@feature("L of TetrisBot")
def lines(move: Move) -> Value:
    """Rows cleared by the move."""
    return move.rows


@feature("d")
def drop_depth(move: Move) -> Value:
    """Rows between the top of the board and the top of the piece where it landed (Xtris)."""
    return move.before.height - (move.row + move.shape.height)


@feature("1")
def constant(move: Move) -> Value:
    """One for every move: the constant of Szita and Lőrincz 2006."""
    return 1


# --- the cells of the board ---------------------------------------------------------------------


def count(cells: Bools | np.bool_) -> int:
    """How many of the cells are True."""
    return int(np.count_nonzero(cells))


def walled(board: Board) -> Bools:
    """The full cells with a full column on either side."""
    cells = np.ones((len(board.full), board.width + 2), np.bool_)
    cells[:, 1:-1] = board.full
    return cells


def hole_cells(board: Board) -> Bools:
    """True at empty cells with a full cell somewhere above in their column."""
    full = board.full
    covered = np.logical_or.accumulate(full[::-1], axis=0)[::-1]
    return covered & ~full


def well_cells(board: Board) -> Bools:
    """True at empty cells whose left and right neighbours are full."""
    full = walled(board)
    return full[:, :-2] & full[:, 2:] & ~full[:, 1:-1]


def empty_below(column: Bools, row: int) -> int:
    """How many cells are empty in a run that ends at this row and goes down."""
    run = 0
    while row - run >= 0 and not column[row - run]:
        run += 1
    return run


@feature("Δr")
def row_transitions(move: Move) -> Value:
    """Changes between full and empty along each row, side walls full; an empty row counts 2."""
    full = walled(move.after)
    changes = count(full[:, 1:] != full[:, :-1])
    # Rows above the board, there only while a losing piece sticks out, count beyond an empty row's 2.
    return changes - 2 * (len(full) - move.after.height)


@feature("Δc")
def column_transitions(move: Move) -> Value:
    """Changes between full and empty up each column, floor full and sky empty; an empty column counts 1."""
    full = move.after.full
    at_the_floor, inside, at_the_sky = ~full[0], full[1:] != full[:-1], full[-1]
    return count(at_the_floor) + count(inside) + count(at_the_sky)


@feature("L")
def holes(move: Move) -> Value:
    """Empty cells with a full cell somewhere above in their column."""
    return count(hole_cells(move.after))


@feature("W")
def wells(move: Move) -> Value:
    """For each well cell, 1 + the empty cells right below it, well cells or not."""
    full = move.after.full
    return sum(empty_below(full[:, column], row) for row, column in np.argwhere(well_cells(move.after)))


@feature("W'")
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


@feature("D")
def hole_depth(move: Move) -> Value:
    """Full cells in the run right above each hole; stacked holes count the run once (Thiery and Scherrer's code)."""
    full = move.after.full
    return count(full & ~np.logical_and.accumulate(full, axis=0))


@feature("D of the table")
def hole_depth_sum(move: Move) -> Value:
    """Full cells above each hole, summed over the holes (as their table says)."""
    full = move.after.full
    cells_from_here_up = full[::-1].cumsum(axis=0)[::-1]
    return int(cells_from_here_up[hole_cells(move.after)].sum())


@feature("R")
def rows_with_holes(move: Move) -> Value:
    """Rows that contain at least one hole."""
    return count(hole_cells(move.after).any(axis=1))


@feature("F")
def frontier(move: Move) -> Value:
    """Length of the line between full and empty cells, walls and floor full, sky empty (Xtris)."""
    return number(row_transitions(move)) + number(column_transitions(move))


# --- the heights of the columns -----------------------------------------------------------------


@feature("h_j", per_column=0)
def column_heights(move: Move) -> Value:
    """The height of each column."""
    return [int(height) for height in move.after.heights]


@feature("|h_j - h_j+1|", per_column=-1)
def height_differences(move: Move) -> Value:
    """The absolute difference between each column and the next."""
    return [int(step) for step in abs(np.diff(move.after.heights))]


@feature("H")
def max_height(move: Move) -> Value:
    """The height of the highest column."""
    return int(move.after.heights.max())


@feature("Σh")
def sum_heights(move: Move) -> Value:
    """The heights of all columns together."""
    return int(move.after.heights.sum())


@feature("B")
def bumpiness(move: Move) -> Value:
    """The absolute differences between neighbouring columns together."""
    return int(abs(np.diff(move.after.heights)).sum())


@feature("div")
def diversity(move: Move) -> Value:
    """Number of different values among -2 .. 2 that h_j+1 - h_j takes."""
    steps = np.diff(move.after.heights)
    return len(set(steps[abs(steps) <= 2].tolist()))


@feature("I")
def i_wells(move: Move) -> Value:
    """Depths of the columns at least 3 below both neighbours, which only an I fills (Xtris)."""
    heights = np.pad(move.after.heights, 1, constant_values=move.after.height)
    depths = np.minimum(heights[:-2], heights[2:]) - heights[1:-1]
    return int(depths[depths >= 3].sum())


# --- sets ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FeatureSet:
    """An ordered choice of features; a player gives each value a weight."""

    name: str
    features: tuple[Feature, ...]
    source: str = ""

    def size(self, width: int) -> int:
        """How many values there are on a board of this width."""
        return sum(one.size(width) for one in self.features)

    def values(self, move: Move) -> list[float]:
        """All values of a move, one after the other."""
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


def feature_set(name: str, members: str, source: str) -> FeatureSet:
    """A set of catalogue features, named in one string."""
    return FeatureSet(name, tuple(FEATURES[member] for member in members.split()), source)


_D = "landing_height eroded_cells row_transitions column_transitions holes wells"
_DN = _D + " hole_depth rows_with_holes"
_HEIGHTS = "column_heights height_differences max_height"

FEATURE_SETS: dict[str, FeatureSet] = {
    one.name: one
    for one in (
        feature_set("tetrisbot", "lines sum_heights holes bumpiness", "Muller and Ponton 2019, chapter 4"),
        feature_set("bertsekas", _HEIGHTS + " holes", "Bertsekas and Tsitsiklis 1996"),
        feature_set("dellacherie", _D, "Dellacherie in Fahey 2003"),
        feature_set("dn", _DN, "Thiery and Scherrer 2009, section 5"),
        feature_set("bd", _HEIGHTS + " " + _D, "Thiery and Scherrer 2009, section 5"),
        feature_set("bdn", _HEIGHTS + " " + _DN, "Thiery and Scherrer 2009, section 5"),
        feature_set("dt", _DN.replace("wells", "wells_one_pass") + " diversity", "Gabillon et al. 2013"),
        feature_set("rv-ce", _DN + " diversity", "RV-CE 2026"),
        feature_set("xtris", "max_height holes drop_depth frontier wells i_wells", "Llima 2005; Boumaza 2013"),
    )
}


def as_feature_set(given: str | FeatureSet | Sequence[str | Feature | Callable[[Move], Value]]) -> FeatureSet:
    """A feature set from its name, or from a list of names, features and plain functions of a move."""
    if isinstance(given, FeatureSet):
        return given
    if isinstance(given, str):
        return FEATURE_SETS[one_of("features", given, FEATURE_SETS)]
    if not isinstance(given, Iterable):
        raise InputError(f"features is {shown(given)}; it must be the name of a feature set or a list of features")
    members: list[Feature] = []
    for one in given:
        if isinstance(one, Feature):
            members.append(one)
        elif isinstance(one, str):
            members.append(FEATURES[one_of("features", one, FEATURES)])
        elif callable(one):
            name = getattr(one, "__name__", "feature")
            members.append(Feature(name, name, (one.__doc__ or "").strip(), one))
        else:
            raise InputError(f"features contains {shown(one)}; each must be a name, a Feature or a function of a move")
    if not members:
        raise InputError("features is empty; a player needs at least one")
    return FeatureSet("+".join(one.name for one in members), tuple(members), "own")
