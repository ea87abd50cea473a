"""Small boards as one whole number each: bit `row * width + column`, row 0 at the bottom.

A board and a piece above it must fit into 62 bits: see `fits`. How pieces drop on such boards: moves.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.game.pieces import Orientation
from tetriscourse.game.rules import Rules
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined

ROOM = 4  # rows above the board that a piece may reach


def fits(rules: Rules) -> bool:
    """Whether boards of these rules can be whole numbers here."""
    return rules.width * (rules.height + ROOM) <= 62


def shape_mask(shape: Orientation, width: int) -> int:
    """A shape in the lower left corner."""
    return sum(1 << (row * width + column) for row, column in shape.cells)


def column_mask(rules: Rules) -> int:
    """The leftmost column, up to where a piece may reach."""
    return sum(1 << row * rules.width for row in range(rules.height + ROOM))


@inlined
def mirrored(board: Any, rules: Any) -> Any:
    """The board seen in a mirror."""
    last, image = rules.width - 1, np.int64(0)
    for column in range(rules.width):
        image |= ((board >> column) & rules.column_mask) << (last - column)
    return image


@inlined
def rank(board: Any, words: Any, counts: Any) -> Any:
    """How many boards of a set are below this one: `words` holds the set as bits, `counts` those before each word."""
    word = board >> 6
    return counts[word] + popcount(words[word] & ((np.int64(1) << (board & 63)) - 1))


@fast
def count_before(words: Any, counts: Any) -> Any:
    """Write how many bits are set before each word; how many there are in all."""
    total = 0
    for word in range(len(words)):
        counts[word] = total
        total += popcount(words[word])
    return total


@inlined
def has(board: Any, words: Any) -> Any:
    """Whether a board is in a set."""
    return (words[board >> 6] >> (board & 63)) & 1 != 0


@inlined
def add(board: Any, words: Any) -> None:
    """Put a board into a set."""
    words[board >> 6] |= np.int64(1) << (board & 63)
