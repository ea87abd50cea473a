"""Observations: cells and pieces, or features."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Dict, Discrete

from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES, FeatureSet
from tetriscourse.gym.games import EnvironmentSettings, Games
from tetriscourse.mdp.deep_q.move_values import OF_A_MOVE, compiled_features
from tetriscourse.simulator.announcing import announced


class Cells:
    """The settled cells, the piece, the next piece; with commands, also the cells of the falling piece."""

    def __init__(self, settings: EnvironmentSettings):
        rules = settings.game
        width, height, pieces = rules.width, rules.height, len(rules.pieces)
        spaces: dict[str, Space[Any]] = {"cells": Box(0, 1, (height, width), np.int8), "piece": Discrete(pieces)}
        if settings.next_piece == "shown":
            spaces["next_piece"] = Discrete(pieces)
        if not settings.placements:
            spaces["falling"] = Box(0, 1, (height + 2, width), np.int8)
        self.space = Dict(spaces)

    def __call__(self, games: Games) -> dict[str, Any]:
        """The observation of each game."""
        return games.cells()


class FeaturesSeen:
    """With placements, the features of the move that each action makes; with commands, those of the board."""

    def __init__(self, settings: EnvironmentSettings):
        from tetriscourse.mdp.deep_q.kernels import CompiledGame

        chosen, rules = compiled_features(settings.features), settings.game
        if not settings.placements:
            check_board_features(chosen)
        self.settings, self.game = settings, CompiledGame(rules, chosen)
        values = chosen.size(rules.width)
        shape = (settings.action_count, values) if settings.placements else (values,)
        most = float(rules.width * (rules.height + 4) ** 2)  # every cell counted once for each cell of its column
        self.space = Box(-most, most, shape, np.float32)

    def __call__(self, games: Games) -> Any:
        """The observation of each game."""
        from tetriscourse.gym.feature_kernels import features_of_boards, features_of_moves

        seen, game = np.empty((games.count, *(self.space.shape or ())), np.float32), self.game
        shared = (games.batch, game.template, game.states, game.player, game.plan, game.weights, game.sums, game.found)
        with announced("gym-features"):
            if self.settings.placements:
                features_of_moves(*shared, game.about, seen)
            else:
                features_of_boards(*shared, seen)
        return seen


def check_board_features(chosen: FeatureSet) -> None:
    """An error if one of the features is not defined for a board alone."""
    for one in chosen.features:
        if one.name in OF_A_MOVE:
            allowed = ", ".join(name for name in FEATURES if name not in OF_A_MOVE)
            raise InputError(
                f"features contains {one.name}, which only a move has; with actions='commands' allowed: {allowed}"
            )


def observer(settings: EnvironmentSettings) -> Cells | FeaturesSeen:
    """How these settings see a game."""
    return Cells(settings) if settings.observation == "cells" else FeaturesSeen(settings)


def first(seen: Any) -> Any:
    """The observation of the first game."""
    return {name: array[0] for name, array in seen.items()} if isinstance(seen, dict) else seen[0]
