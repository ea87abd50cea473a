"""Tetris as an environment of Gymnasium, on compiled games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from tetriscourse.errors import InputError, one_of, whole_number
from tetriscourse.game.engine import checked_start
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.gym.games import LARGEST_SEED, EnvironmentSettings, Features, Mask, prepared_games
from tetriscourse.gym.observing import first, observer
from tetriscourse.gym.painting import PAINTERS
from tetriscourse.mdp.environment import checked_options

Info = dict[str, Any]
METADATA: Info = {"render_modes": list(PAINTERS), "render_fps": 4}
NEVER = np.zeros(1, np.bool_)


class Tetris(gymnasium.Env[Any, Any]):
    """Tetris, one action at a time, for Gymnasium.

    Description
        A game with any rules of this library: `rules` is a `Rules`, a name in `tetriscourse.RULES` or a size such as
        "10x10". `reset(seed=s)` begins episode 0 of the seed, whose pieces are those of PieceSequence(rules, s, 0) and
        of game 0 of `tetriscourse.simulate(..., seed=s)`; each further `reset()` begins the next. Without a seed, the
        first `reset()` draws one. `reset(options={"episode": 7})` begins any other episode, and
        `options={"board": board}` begins from a board that is not empty.

    Actions
        actions="placements": Discrete, orientation * width + column, with as many orientations as any piece has. Each
        places a piece. `info["action_mask"]` and `action_masks()` tell which are possible now.
        actions="commands": Discrete(6) for L R D H T N (left, right, drop, turn clockwise, turn back, nothing), as in
        the Engine: the piece falls one row after each. All are possible; a command that does not fit does nothing.
        An action that is not possible costs nothing: with illegal="ignore" nothing happens, the reward is 0 and
        `info["illegal"]` is True; with illegal="error" it raises InputError, which names those that are possible.

    Observations
        observation="cells": a Dict. "cells" is a Box of height x width, 1 where a cell is full; row 0 is the bottom
        row, as in `Board.cells`. "piece" and "next_piece" are Discrete, the numbers of the pieces in `rules.pieces`;
        next_piece="hidden" leaves the second out, as is fair beside players that see one piece. With commands,
        "falling" is a Box of height + 2 rows, 1 at the cells of the falling piece, which enters through the upper two.
        observation="features": with placements a Box of actions x values, the `features` of the move that each action
        makes, 0 where an action is not possible. With commands there is no move to describe: a Box of the features of
        the board, without landing_height, eroded_cells, lines and drop_depth, which only a move has.

    Reward
        reward="points": rules.points(rows) for the rows cleared by the action. reward="lines": their number.

    Episode end
        terminated: a move has lost, or the next piece has no move. truncated: max_pieces are placed (0: never).

    Arguments
        rules          the game: Rules, or a name ("research")
        actions        "placements" or "commands"
        observation    "cells" or "features"
        features       the feature set that is seen with observation="features", by name or as a list ("dn")
        next_piece     "shown" or "hidden"
        reward         "points" or "lines"
        illegal        what an action that is not possible does: "ignore" or "error"
        max_pieces     pieces after which an episode is cut off; None: those of the rules
        render_mode    None, "ansi" for text, "rgb_array" for an array of pixels

    References
        Towers et al. 2024 (Gymnasium). Huang and Ontañón 2022 on masks of actions.
    """

    metadata = METADATA

    def __init__(
        self,
        rules: Rules | str = "research",
        actions: str = "placements",
        observation: str = "cells",
        features: Features = "dn",
        next_piece: str = "shown",
        reward: str = "points",
        illegal: str = "ignore",
        max_pieces: int | None = None,
        render_mode: str | None = None,
    ):
        settings = EnvironmentSettings(rules, actions, observation, features, next_piece, reward, illegal, max_pieces)
        self.settings, self.rules = settings, settings.game
        self.render_mode = checked_mode(render_mode)
        self.observer = observer(settings)
        self.observation_space: Any = self.observer.space
        self.action_space: Any = Discrete(settings.action_count)
        self.games = prepared_games(settings, 1)
        self.over = True

    @property
    def episode(self) -> int:
        """The number of this episode, among those of the seed."""
        return int(self.games.batch.numbers[0])

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, Info]:
        """Begin the next episode, number 0 if a seed is given."""
        given = checked_options(options)
        board = checked_start(given.get("board"), self.rules)
        seed = checked_seed(seed)
        super().reset(seed=seed)
        if seed is not None or self.games.seed < 0:
            self.games.seed = int(self.np_random.integers(LARGEST_SEED)) if seed is None else seed
            self.games.batch.numbers[0] = -1
        self.games.start_from(board, whole_number("episode", given.get("episode", self.episode + 1), 0))
        self.over = bool(self.games.batch.places[0]["lost"])
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """Take an action; returns observation, reward, terminated, truncated, info."""
        number = whole_number("action", action, 0, self.settings.action_count - 1)
        if self.over:
            raise InputError(f"action is {number}; none is allowed now: the episode is over, call reset()")
        outcomes = self.games.act(np.array([number]), NEVER)
        reward, terminated, truncated, illegal = (
            float(outcomes.rewards[0]), bool(outcomes.terminated[0]), bool(outcomes.truncated[0]),
            bool(outcomes.illegal[0]),
        )  # fmt: skip
        self.over = terminated or truncated
        return self._seen(), reward, terminated, truncated, self._info() | {"illegal": illegal}

    def action_masks(self) -> Mask:
        """True for each action that is possible now; MaskablePPO of sb3-contrib asks for it under this name."""
        return np.asarray(self.games.masks[0])

    def sample_legal(self) -> int:
        """A possible action at random, by the generator of the action space; 0 if there is none."""
        return int(self.games.chosen(self.action_space.np_random.random(1))[0])

    def render(self) -> Any:
        """The game as text or as an array of pixels, by the render mode."""
        return PAINTERS[self.render_mode](self.games, 0) if self.render_mode and self.games.seed >= 0 else None

    def _seen(self) -> Any:
        return first(self.observer(self.games))

    def _info(self) -> Info:
        games = self.games
        return {"action_mask": games.masks[0], "pieces": int(games.pieces[0]), "lines": int(games.batch.lines[0])}

    def __repr__(self) -> str:
        return f"Tetris({short_name(self.rules)}: {self.settings.action_count} {self.settings.actions})"


def checked_mode(mode: str | None) -> str | None:
    """The render mode, or an error if there is no such mode."""
    return mode if mode is None else one_of("render_mode", mode, PAINTERS)


def checked_seed(seed: int | None) -> int | None:
    """The seed, or an error if it is no seed."""
    return seed if seed is None else whole_number("seed", seed, 0, LARGEST_SEED)
