"""Boards as columns of bits, taken apart cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tetriscourse.course.checks.cases import Bools


def columns_of(cells: Bools) -> list[int]:
    """The columns of a board as whole numbers, bit 0 at the bottom."""
    return [sum(1 << row for row, full in enumerate(column) if full) for column in cells.T.tolist()]


def cells_of(columns: Sequence[int], height: int = 0) -> Bools:
    """The board of such columns, as high as they need, or higher."""
    rows = max(height, 1, *(column.bit_length() for column in columns))
    return np.array([[column >> row & 1 for column in columns] for row in range(rows)], np.bool_)


def true_height(column: int) -> int:
    """One more than the row of the highest full cell."""
    return 1 + max((row for row in range(32) if column >> row & 1), default=-1)


def true_holes(column: int) -> int:
    """Empty cells below the highest full one."""
    return sum(not column >> row & 1 for row in range(true_height(column)))


def true_full_rows(columns: list[int]) -> int:
    """A number with a bit for each row that is full in all columns."""
    return sum(1 << row for row in range(32) if all(column >> row & 1 for column in columns))


def split(word: int, bits: int, lanes: int) -> list[int]:
    """The numbers in the lanes of a word."""
    return [word >> bits * lane & (1 << bits) - 1 for lane in range(lanes)]


def joined(numbers: Sequence[int], bits: int) -> int:
    """The word with these numbers in its lanes."""
    return sum(number << bits * lane for lane, number in enumerate(numbers))
