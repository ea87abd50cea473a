"""A grammar of features, from which a program can choose (optimizers/feature_search.py): WORDS has all of them by name.

A word is a simple feature of the catalogue, or a kind of feature with numbers put in, such as `has_pair(0, 1)`: do the
steps 0 and 1 stand side by side? Its name says how it is made, so that it is good in any session, wherever a feature
is named. A step is the difference h_j+1 - h_j of two neighbouring columns; a well is a column below both neighbours,
of which the walls are the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tetriscourse.features import FEATURES, WORDS, Feature, as_feature
from tetriscourse.own_features import OwnFeature, parameters

__all__ = ["WORDS", "Word"]

SIMPLE = (
    "landing_height eroded_cells lines holes rows_with_holes row_transitions column_transitions max_height sum_heights "
    "bumpiness steps_of_0 steps_of_1 steps_of_2 i_wells low_edges"
)
"""The words that are features of the catalogue."""
PAIRS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]

Function = Callable[..., Any]  # from what a feature sees to its value
Kind = Callable[..., Function]
Numbers = tuple[int, ...]


@dataclass(frozen=True, repr=False, kw_only=True)
class Word(OwnFeature):
    """A feature made by the grammar."""

    def __reduce__(self) -> tuple[Callable[[str], Feature], tuple[str]]:
        """Its name, since pickle cannot send its function to another process."""
        return as_feature, (self.name,)


def words(describe: str, *choices: Numbers, better: int = -1) -> Callable[[Kind], Kind]:
    """Enter a word for each choice of the numbers on which a kind of feature depends."""

    def enter(kind: Kind) -> Kind:
        for numbers in choices or ((),):
            name, function = f"{kind.__name__}({', '.join(map(str, numbers))})", kind(*numbers)
            text = describe.format(*numbers)
            WORDS[name] = Word(name, name, text, function, better=better, sees=parameters(function))
        return kind

    return enter


def each(numbers: Sequence[int]) -> list[Numbers]:
    """The choices of a single number."""
    return [(number,) for number in numbers]


WORDS |= {name: FEATURES[name] for name in SIMPLE.split()}

# The functions are written with loops, which compiled code runs several times as fast as numpy's operations on arrays.

# --- the surface: steps ---------------------------------------------------------------------------


@words("1 if there is a step of {}, else 0.", *each(range(-2, 3)), better=+1)
def has_step(s: int) -> Function:
    def value(heights: Any) -> Any:
        for j in range(len(heights) - 1):
            if heights[j + 1] - heights[j] == s:
                return 1
        return 0

    return value


@words("Number of steps of {}.", *each((-2, -1, 1, 2)), better=+1)
def count_step(s: int) -> Function:
    def value(heights: Any) -> Any:
        found = 0
        for j in range(len(heights) - 1):
            found += heights[j + 1] - heights[j] == s
        return found

    return value


@words("1 if a step of {} is followed by one of {}, else 0.", *PAIRS, better=+1)
def has_pair(a: int, b: int) -> Function:
    def value(heights: Any) -> Any:
        for j in range(len(heights) - 2):
            if heights[j + 1] - heights[j] == a and heights[j + 2] - heights[j + 1] == b:
                return 1
        return 0

    return value


@words("Number of steps of at least {}, up or down.", *each((2, 3, 4)))
def steep_steps(k: int) -> Function:
    def value(heights: Any) -> Any:
        found = 0
        for j in range(len(heights) - 1):
            found += abs(heights[j + 1] - heights[j]) >= k
        return found

    return value


@words("The sum of the squares of all steps.")
def squared_steps() -> Function:
    def value(heights: Any) -> Any:
        total = 0
        for j in range(len(heights) - 1):
            total += (heights[j + 1] - heights[j]) ** 2
        return total

    return value


# --- the surface: heights -------------------------------------------------------------------------


@words("The height of the lowest column.", better=+1)
def min_height() -> Function:
    def value(heights: Any) -> Any:
        return heights.min()

    return value


@words("The difference between the highest and the lowest column.")
def height_range() -> Function:
    def value(heights: Any) -> Any:
        return heights.max() - heights.min()

    return value


@words("The sum of the squares of all heights.")
def squared_heights() -> Function:
    def value(heights: Any) -> Any:
        total = 0
        for height in heights:
            total += height**2
        return total

    return value


# --- the surface: wells ---------------------------------------------------------------------------


@words("Number of wells at least {} deep.", *each((1, 2, 3)))
def deep_wells(k: int) -> Function:
    def value(heights: Any) -> Any:
        found, last = 0, len(heights) - 1
        for j in range(last + 1):
            left, right = heights[j - 1 if j > 0 else 1], heights[j + 1 if j < last else last - 1]
            found += min(left, right) - heights[j] >= k
        return found

    return value


@words("The depths of the wells at least {} deep, added up.", *each((1, 2)))
def well_depths(k: int) -> Function:
    def value(heights: Any) -> Any:
        total, last = 0, len(heights) - 1
        for j in range(last + 1):
            left, right = heights[j - 1 if j > 0 else 1], heights[j + 1 if j < last else last - 1]
            depth = min(left, right) - heights[j]
            if depth >= k:
                total += depth
        return total

    return value


# --- below the surface: columns are whole numbers, with a bit for each cell -----------------------


@words("Number of holes with at least {} full cells above them.", *each((2, 3, 4)))
def covered_holes(k: int) -> Function:
    def value(heights: Any, columns: Any) -> Any:
        found = 0
        for j in range(len(heights)):
            above = 0
            for row in range(heights[j] - 1, -1, -1):
                if columns[j] >> row & 1:
                    above += 1
                else:
                    found += above >= k
        return found

    return value


@words("Number of columns that have a hole.")
def columns_with_holes() -> Function:
    def value(columns: Any) -> Any:
        found = 0
        for column in columns:
            found += column & (column + 1) != 0  # 00111 has no hole: one more, 01000, shares no bit with it
        return found

    return value


@words("Number of full cells with a hole somewhere below them.")
def cells_over_holes() -> Function:
    def value(heights: Any, columns: Any) -> Any:
        found = 0
        for j in range(len(heights)):
            holes = 0
            for row in range(heights[j]):
                if columns[j] >> row & 1:
                    found += holes > 0
                else:
                    holes += 1
        return found

    return value


@words("The height of the highest hole, 0 if there is none.")
def highest_hole() -> Function:
    def value(heights: Any, columns: Any) -> Any:
        highest = 0
        for j in range(len(heights)):
            for row in range(highest, heights[j]):
                if not columns[j] >> row & 1:
                    highest = row + 1
        return highest

    return value


@words("Number of rows with empty cells, {} at most.", *each((1, 2)), better=+1)
def rows_lacking(k: int) -> Function:
    def value(heights: Any, columns: Any) -> Any:
        found = 0
        for row in range(heights.max()):
            empty = 0
            for column in columns:
                empty += not column >> row & 1
            found += empty <= k
        return found

    return value
