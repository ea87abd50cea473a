"""Small boards as one whole number each: bit `row * width + column`, row 0 at the bottom.

The rules come as in encode.encode_rules, the shapes as `shape_masks`. A board and a piece above it must fit into
62 bits: see `fits`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.game.rules import Rules
from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.layout import SHAPE_HEIGHT, SHAPE_WIDTH, Number

Ints = npt.NDArray[np.int64]
ROOM = 4
"""Rows above the board that a piece may reach."""
SPAWN_MASKS = 32
"""Where the masks of the entering pieces begin, behind those of all orientations."""
COLUMN_MASK = SPAWN_MASKS + 8
"""Where the mask of the leftmost column is."""
FINE, LOSES, NO_ROOM = 0, 1, 2
"""What becomes of a move."""

WIDTH, HEIGHT, CLEAR_TOP, SPAWN, LOSING, FIRST, SHAPE_OF, SPAWNS = (
    int(one)
    for one in (
        Number.WIDTH, Number.HEIGHT, Number.CLEAR_TOP, Number.SPAWN, Number.LOSING, Number.FIRST, Number.SHAPES,
        Number.SPAWNS,
    )
)  # fmt: skip


def fits(rules: Rules) -> bool:
    """Whether boards of these rules can be whole numbers here."""
    return rules.width * (rules.height + ROOM) <= 62


def shape_masks(rules: Rules) -> Ints:
    """Every orientation of every piece in the lower left corner, as bits; then how pieces enter; a column."""
    masks = np.zeros(COLUMN_MASK + 1, np.int64)
    masks[COLUMN_MASK] = sum(1 << row * rules.width for row in range(rules.height))
    shapes = [shape for piece in rules.pieces for shape in piece.orientations]
    for k, shape in enumerate(shapes):
        masks[k] = sum(1 << (row * rules.width + column) for row, column in shape.cells)
    for p, piece in enumerate(rules.pieces):
        masks[SPAWN_MASKS + p] = masks[shapes.index(piece.orientations[piece.spawn])]
    return masks


@inlined
def entry_row(shape: Any, numbers: Any) -> Any:
    """The bottom row from which a shape falls."""
    return numbers[HEIGHT] - (SHAPE_HEIGHT[shape] - 1 if numbers[SPAWN] else 0)


@fast
def can_enter(board: Any, piece: Any, numbers: Any, masks: Any) -> Any:
    """Whether a piece can fall one row where it appears."""
    if numbers[SPAWN] == 0:
        return True
    shape, width = numbers[SPAWNS + piece], numbers[WIDTH]
    place = entry_row(shape, numbers) * width + (width - SHAPE_WIDTH[shape]) // 2
    return (masks[SPAWN_MASKS + piece] << place) & board == 0


@inlined
def land(board: Any, turn: Any, column: Any, numbers: Any, masks: Any) -> Any:
    """Let orientation `turn` of all fall in a column: (board after it, rows cleared, what became of it)."""
    shape, width = numbers[SHAPE_OF + turn], numbers[WIDTH]
    row = entry_row(shape, numbers)
    piece = masks[turn] << (row * width + column)
    if piece & board:
        return board, 0, NO_ROOM
    while row > 0 and (piece >> width) & board == 0:
        piece >>= width
        row -= 1
    after, rows = board | piece, 0
    if row + SHAPE_HEIGHT[shape] > numbers[CLEAR_TOP]:
        return after, 0, LOSES
    full = (1 << width) - 1
    for _ in range(SHAPE_HEIGHT[shape]):
        place = row * width
        if (after >> place) & full == full:
            after = (after & ((1 << place) - 1)) | ((after >> (place + width)) << place)
            rows += 1
        else:
            row += 1
    return after, rows, LOSES if after >> (width * numbers[HEIGHT]) else FINE


@inlined
def mirrored(board: Any, numbers: Any, masks: Any) -> Any:
    """The board seen in a mirror."""
    last, image = numbers[WIDTH] - 1, np.int64(0)
    for column in range(numbers[WIDTH]):
        image |= ((board >> column) & masks[COLUMN_MASK]) << (last - column)
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
