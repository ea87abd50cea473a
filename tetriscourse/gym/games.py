"""The settings of an environment, and the games that compiled code plays for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, one_of, whole_number
from tetriscourse.features import Feature, FeatureSet, Value
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.gym.kernels import POINTS_UNIT, SETTINGS, Batch, act_all, begin, choose, observe, restart
from tetriscourse.mdp.environment import ACTIONS, COMMAND_ACTIONS
from tetriscourse.mdp.states import most_orientations
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.encode import encode_rules
from tetriscourse.simulator.turns import PLACE

Mask = npt.NDArray[np.bool_]
Features = str | FeatureSet | Sequence[str | Feature | Callable[[Move], Value]]
CHOICES = {
    "actions": ACTIONS,
    "observation": ("cells", "features"),
    "next_piece": ("shown", "hidden"),
    "reward": ("points", "lines"),
    "illegal": ("ignore", "error"),
}
"""The values that some of the settings can have."""
LARGEST_SEED = (1 << 63) - 1


@dataclass(frozen=True)
class EnvironmentSettings:
    """The settings of an environment; the docstring of `Tetris` explains each."""

    rules: Rules | str = "research"
    actions: str = "placements"
    observation: str = "cells"
    features: Features = "dn"
    next_piece: str = "shown"
    reward: str = "points"
    illegal: str = "ignore"
    max_pieces: int | None = None

    def __post_init__(self) -> None:
        rules = as_rules(self.rules)
        object.__setattr__(self, "rules", rules)
        most = rules.max_pieces if self.max_pieces is None else whole_number("max_pieces", self.max_pieces, 0)
        object.__setattr__(self, "max_pieces", most)
        for name, allowed in CHOICES.items():
            one_of(name, getattr(self, name), allowed)

    @property
    def game(self) -> Rules:
        """The rules."""
        assert isinstance(self.rules, Rules)
        return self.rules

    @property
    def placements(self) -> bool:
        """Whether every action places a piece."""
        return self.actions == "placements"

    @property
    def action_count(self) -> int:
        """The number of actions, possible or not."""
        return most_orientations(self.game) * self.game.width if self.placements else len(COMMAND_ACTIONS)


@dataclass
class Outcomes:
    """The outcome of one action in each game."""

    rewards: Floats
    terminated: Mask
    truncated: Mask
    illegal: Mask


class Games:
    """Some games of the same settings, in arrays; game i of them plays numbers i, i + count, ... of a seed."""

    def __init__(self, settings: EnvironmentSettings, count: int):
        self.settings, self.count, self.seed = settings, count, -1
        rules, actions = settings.game, settings.action_count
        record, chosen, places = encode_rules(rules), np.zeros((), SETTINGS), np.zeros(count, PLACE)
        record["points"] = POINTS_UNIT * record["points"] + np.arange(5)
        chosen[()] = (settings.placements, settings.max_pieces, settings.reward == "lines")
        places["allowed"] = actions
        self.batch = Batch(
            rules=record, settings=chosen[()], rows=np.zeros((count, rules.height + 9), np.int64),
            heights=np.zeros((count, rules.width + 3), np.int64), places=places,
            allowed=np.tile(np.arange(actions), (count, 1)), land=np.zeros((count, actions), np.int64),
            masks=np.zeros((count, actions), np.bool_), keys=np.zeros(count, np.uint64),
            lines=np.zeros(count, np.int64), numbers=np.arange(count),
        )  # fmt: skip

    def start(self, seed: int) -> None:
        """Begin the first game of a seed everywhere."""
        self.seed, self.batch.numbers[:] = seed, np.arange(-self.count, 0)
        self.restart(np.ones(self.count, np.bool_))

    def restart(self, which: Mask) -> None:
        """Begin the next game where `which` is True."""
        restart(self.batch, which, self.seed, self.count)

    def start_from(self, board: Board, number: int) -> None:
        """Begin the game of this number from a board, with a single game."""
        batch, width = self.batch, board.width
        batch.rows[0], batch.heights[0] = 0, 0
        batch.rows[0, : board.height] = board.full[: board.height] @ (1 << np.arange(width))
        batch.heights[0, :width] = board.heights
        begin(batch, 0, self.seed, number)

    def act(self, actions: Ints, skip: Mask) -> Outcomes:
        """Take an action in each game, but for those to be skipped."""
        if self.settings.illegal == "error":
            self.check(actions, skip)
        outcomes = Outcomes(np.empty(self.count), *np.empty((3, self.count), np.bool_))
        act_all(
            self.batch, actions, skip, outcomes.rewards, outcomes.terminated, outcomes.truncated, outcomes.illegal
        )  # fmt: skip
        return outcomes

    def check(self, actions: Ints, skip: Mask) -> None:
        """An error if an action is not possible."""
        possible = self.batch.masks[np.arange(self.count), actions] | skip
        if not possible.all():
            i = int(np.argmin(possible))
            name = f"actions[{i}]" if self.count > 1 else "action"
            allowed = " ".join(map(str, np.flatnonzero(self.batch.masks[i]).tolist()))
            raise InputError(f"{name} is {actions[i]}; allowed now: {allowed or 'none'}")

    def chosen(self, chances: Floats) -> Ints:
        """A possible action for each game, by a number from 0 to 1; 0 where there is none."""
        actions = np.empty(self.count, np.int64)
        choose(self.batch, chances, actions)
        return actions

    def cells(self) -> dict[str, npt.NDArray[Any]]:
        """Settled cells, with commands those of the falling piece, its number and that of the next one."""
        rules, count = self.settings.game, self.count
        shape = (0, 0, 0) if self.settings.placements else (count, rules.height + 2, rules.width)
        cells, falling = np.empty((count, rules.height, rules.width), np.int8), np.empty(shape, np.int8)
        pieces, following = np.empty(count, np.int64), np.empty(count, np.int64)
        observe(self.batch, cells, falling, pieces, following)
        seen: dict[str, npt.NDArray[Any]] = {"cells": cells, "piece": pieces}
        if not self.settings.placements:
            seen["falling"] = falling
        if self.settings.next_piece == "shown":
            seen["next_piece"] = following
        return seen

    def info(self) -> dict[str, npt.NDArray[Any]]:
        """Masks, pieces placed and rows cleared."""
        return {"action_mask": self.masks, "pieces": self.pieces, "lines": self.batch.lines.copy()}

    @property
    def masks(self) -> Mask:
        """True for each action that is possible now."""
        return np.asarray(self.batch.masks.copy())

    @property
    def pieces(self) -> Ints:
        """Pieces placed so far."""
        return np.asarray(self.batch.places["number"].copy())


@cache
def compile_once() -> None:
    """Compile everything, and say so if it takes a while."""
    with announced("gym"):
        games = Games(EnvironmentSettings("4x4"), 1)
        games.start(0)
        games.start_from(games.settings.game.empty_board(), 0)
        games.cells()
        games.act(games.chosen(np.zeros(1)), np.zeros(1, np.bool_))


def prepared_games(settings: EnvironmentSettings, count: int) -> Games:
    """Some games of these settings, with everything compiled."""
    compile_once()
    return Games(settings, count)
