"""Tetris for deep Q-learning with afterstates that are seen as bare cells, by any network that takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tetriscourse.game.rules import RESEARCH, Rules, as_rules, short_name
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.kernels import COLUMN, ROW, TURN
from tetriscourse.mdp.deep_q.replay import State
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import described
from tetriscourse.simulator.compiling import fast
from tetriscourse.simulator.layout import NOW, THEN
from tetriscourse.simulator.moves import CELLS, Columns, settle

Values = Callable[[Floats], Floats]
"""The value of each of some boards, a row each."""


@fast
def cells_after(states: Any, rules: Any, about: Any, found: Any) -> None:
    """Write the cells of the board after each move, row by row from the bottom."""
    width = rules.width
    for move in range(len(found)):
        turn, x, row = about[move, TURN], about[move, COLUMN], about[move, ROW]
        settle(Columns(states, np.int64(NOW), np.int64(THEN)), turn, x, row, rules)
        for i in range(len(found[move])):
            found[move, i] = states[THEN + CELLS + i % width] >> (i // width) & 1


class AfterstateCells(AfterstateValues):
    """Tetris with the boards after moves seen cell by cell: 1 where one is full, the bottom row first."""

    standardised = False

    def __init__(self, rules: Rules | str = RESEARCH):
        super().__init__(rules, ("holes",))  # the least that a compiled game can look at
        self.inputs = self.rules.width * self.rules.height

    def look(self) -> State:
        """The cells after each move."""
        cells = np.zeros((self.game.count, self.inputs))
        cells_after(self.game.states, self.game.player["rules"], self.game.about, cells)
        return State(cells, np.ones(self.game.count, np.bool_), np.array(self.paid)[self.game.cleared])

    def games(self, network: Values, games: int, max_pieces: int, seed: int) -> Iterator[tuple[int, int]]:
        """The lines and pieces of some games, as they end; all are played side by side, for few calls of the network.

        Values are rounded as a NetworkPlayer does, so that equal boards are equal whatever the order of summation.
        """
        playing = [AfterstateCells(replace(self.rules, max_pieces=max_pieces)) for _ in range(games)]
        states, lines = [one.start(seed, game) for game, one in enumerate(playing)], [0] * games
        left = list(range(games))
        while left:
            boards = [states[i].rows for i in left]
            values = np.split(network(np.concatenate(boards))[:, 0], np.cumsum([len(some) for some in boards])[:-1])
            for i, some in zip(left, values, strict=True):
                move = int(np.argmax(np.rint((states[i].rewards + some) * 2.0**32)))
                states[i], rows, _, lost = playing[i].act(move)
                lines[i] += rows
                if lost or playing[i].game.pieces == max_pieces:
                    yield lines[i], playing[i].game.pieces
                    states[i] = State(np.zeros((0, 1)), np.zeros(0, np.bool_))
            left = [i for i in left if len(states[i].rows)]

    def judge(self, network: Values, games: int, max_pieces: int, seed: int) -> float:
        """The mean lines of some games."""
        return float(np.mean([lines for lines, _ in self.games(network, games, max_pieces, seed)]))

    def player(self, network: Any, name: str = "deep-q") -> Any:
        """There is no player that sees cells; `games` plays."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"AfterstateCells({short_name(self.rules)})"

    def description(self) -> dict[str, Any]:
        return {"name": self.name, "values": "boards", "cells": True, "rules": described(as_rules(self.rules))}
