"""The spread of a feature: how far apart the moves for a piece are in it, on boards of games played at random.

An optimizer that draws all weights with one step size takes a unit of every feature for the same. It is not: the
squares of heights differ by dozens from move to move, the homes of a piece by one now and then. So a search learns
weights of features divided by their spreads, which are rounded to powers of two, for the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from math import log2

import numpy as np

from tetriscourse.features import as_feature_set
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.random_numbers import Draws

POSITIONS = 200


def spreads(features: Sequence[str], rules: Rules) -> dict[str, float]:
    """The spread of each feature: the root of its mean variance among the moves of a position; 1 if it never varies."""
    seen = as_feature_set(features)
    variances = [np.var([seen.values(move) for move in found], axis=0) for found in islice(positions(rules), POSITIONS)]
    means = np.mean(variances, axis=0).tolist()
    return {name: 2.0 ** round(log2(mean) / 2) if mean else 1.0 for name, mean in zip(features, means, strict=True)}


def positions(rules: Rules) -> Iterator[list[Move]]:
    """The moves for piece after piece, of which one at random is made, game after game."""
    draws = Draws(0, 0)
    for game in count():
        board, pieces = Board.empty(rules.width, rules.height), PieceSequence(rules, 0, game)
        for k in count():
            found = moves(board, pieces[k], rules)
            if not found:
                break
            yield found
            chosen = found[int(draws.below(len(found)))]
            if chosen.loses:
                break
            board = chosen.after
