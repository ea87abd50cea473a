"""Features of every move of many games, compiled: the boards of kernels.py, valued as deep Q-learning does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.mdp.deep_q.kernels import COLUMN, ORIENTATION, list_moves, write_features
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.layout import NOW, STATE_SIZE, THEN
from tetriscourse.simulator.moves import CELLS
from tetriscourse.simulator.search import look


@fast
def copy_board(rows: Any, states: Any, at: Any, template: Any, width: Any) -> None:
    """Write a board of rows as one of columns."""
    for k in range(STATE_SIZE):
        states[at + k] = template[k]
    for r in range(len(rows)):
        for c in range(width):
            states[at + CELLS + c] |= np.int32((rows[r] >> c & 1) << r)


@inlined
def copy(source: Any, target: Any) -> None:
    """Copy numbers one by one; an array as a whole would be copied by way of a third."""
    for k in range(len(source)):
        target[k] = source[k]


@fast
def features_of_moves(
    batch: Any, template: Any, states: Any, player: Any, plan: Any, weights: Any, sums: Any, found: Any, about: Any,
    seen: Any,
) -> None:  # fmt: skip
    """Write the features of the move that each placement makes; 0 where there is none."""
    width = batch.rules.width
    for i in range(len(seen)):
        place = batch.places[i]
        seen[i] = 0
        if place.lost == 0:
            copy_board(batch.rows[i], states, np.int64(NOW), template, width)
            look(states, np.int64(NOW), player)
            for k in range(list_moves(states, player, plan, weights, sums, place.piece, found, about)):
                copy(found[k], seen[i, about[k, ORIENTATION] * width + about[k, COLUMN]])


@fast
def features_of_boards(
    batch: Any, template: Any, states: Any, player: Any, plan: Any, weights: Any, sums: Any, found: Any, seen: Any
) -> None:
    """Write the features of each board as it is; they must not depend on a move."""
    zero = np.int64(0)
    for i in range(len(seen)):
        copy_board(batch.rows[i], states, np.int64(THEN), template, batch.rules.width)
        write_features(states, player, plan, weights, zero, zero, zero, sums, found, zero)
        copy(found[0], seen[i])
