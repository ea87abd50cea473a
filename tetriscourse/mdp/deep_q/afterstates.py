"""Tetris for deep Q-learning with afterstates: a network values the boards that moves lead to."""

from __future__ import annotations

from typing import Any

from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES
from tetriscourse.game.rules import RESEARCH, Rules
from tetriscourse.mdp.deep_q.move_values import OF_A_MOVE, Features, MoveValues

OF_A_BOARD = ("row_transitions", "column_transitions", "holes", "wells", "hole_depth", "rows_with_holes")
"""The features of the set dn that a board has without a move."""


class AfterstateValues(MoveValues):
    """Tetris with the boards after moves described by their features.

    The rules say what a move is paid, r, and to which board b it leads; only what comes after is unknown. So a state
    knows its rewards, and the network values boards: a move is worth r + gamma V(b). The only output is gamma V(b), as
    seen from the move before, and its target is y = gamma max (r' + gamma V(b')) over the moves of the next piece.
    """

    def __init__(self, rules: Rules | str = RESEARCH, features: Features = OF_A_BOARD):
        super().__init__(rules, features)
        for one in self.features.features:
            if one.name in OF_A_MOVE:
                allowed = ", ".join(name for name in FEATURES if name not in OF_A_MOVE)
                raise InputError(f"features contains {one.name}, which only a move has; allowed for boards: {allowed}")
        self.paid = tuple(float(self.rules.points(rows)) for rows in range(5))

    def description(self) -> dict[str, Any]:
        return super().description() | {"values": "boards"}
