"""Many games at once, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.game.rules import short_name
from tetriscourse.gym.environment import METADATA, Info, checked_mode, checked_seed
from tetriscourse.gym.games import LARGEST_SEED, EnvironmentSettings, Mask, prepared_games
from tetriscourse.gym.observing import observer
from tetriscourse.gym.painting import PAINTERS
from tetriscourse.random_numbers import Floats, Ints

AUTORESETS = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


class TetrisVector(VectorEnv[Any, Any, npt.NDArray[Any]]):
    """Tetris in many games at once: `num_envs` copies of `Tetris`, stepped by one call of compiled code.

    Description
        Arguments, spaces, rewards and ends are those of `Tetris`. Arrays have a row for each game; each call returns
        new ones. `reset(seed=s)` begins games 0 to num_envs - 1 of the seed, and game i goes on with i + num_envs,
        i + 2 num_envs, ...: so all games together are the first games of `tetriscourse.simulate(..., seed=s)`, and no
        number is played twice.

    Autoreset
        autoreset_mode="NextStep" (Gymnasium's usual one): the step after the end of an episode ignores the action,
        begins the next episode and returns its first observation with reward 0.
        autoreset_mode="SameStep": the step that ends an episode returns the first observation of the next; the last
        one of the old is in `infos["final_obs"]`, and its info in `infos["final_info"]`.

    Infos
        "action_mask", "pieces" and "lines" are arrays with a row for each game; after a step, "illegal" too.
    """

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **settings: Any,
    ):
        self.num_envs = whole_number("num_envs", num_envs, 1)
        given = getattr(autoreset_mode, "value", autoreset_mode)
        self.autoreset_mode = AutoresetMode(one_of("autoreset_mode", given, [mode.value for mode in AUTORESETS]))
        self.metadata = METADATA | {"autoreset_mode": self.autoreset_mode}
        self.render_mode = checked_mode(render_mode)
        self.settings = EnvironmentSettings(**settings)
        self.rules, self.observer = self.settings.game, observer(self.settings)
        self.single_observation_space = self.observer.space
        self.single_action_space = Discrete(self.settings.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.games = prepared_games(self.settings, num_envs)
        self.over = np.zeros(num_envs, np.bool_)  # where the last step ended an episode

    @property
    def episodes(self) -> Ints:
        """The number of each game's episode, among those of the seed."""
        return np.asarray(self.games.batch.numbers.copy())

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, Info]:
        """Begin the next episode of each game; games 0 to num_envs - 1 if a seed is given."""
        if options:
            raise InputError(f"options is {shown(options)}; a vector environment has none")
        seed = checked_seed(seed)
        super().reset(seed=seed)
        if seed is not None or self.games.seed < 0:
            self.games.start(int(self.np_random.integers(LARGEST_SEED)) if seed is None else seed)
        else:
            self.games.restart(np.ones(self.num_envs, np.bool_))
        self.over = np.zeros(self.num_envs, np.bool_)
        return self.observer(self.games), self._infos()

    def step(self, actions: Any) -> tuple[Any, Floats, Mask, Mask, Info]:
        """Take an action in each game; returns observations, rewards, terminations, truncations, infos."""
        chosen, skip = self._checked(actions), self.over
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and skip.any():
            self.games.restart(skip)
        outcomes = self.games.act(chosen, skip)
        over = outcomes.terminated | outcomes.truncated
        ends = self._ended(over) if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any() else {}
        self.over = over if self.autoreset_mode is AutoresetMode.NEXT_STEP else self.over
        infos = self._infos() | {"illegal": outcomes.illegal, "_illegal": np.ones(self.num_envs, np.bool_)} | ends
        return self.observer(self.games), outcomes.rewards, outcomes.terminated, outcomes.truncated, infos

    def action_masks(self) -> Mask:
        """True for each action that is possible now, a row for each game."""
        return self.games.masks

    def sample_legal(self) -> Ints:
        """A possible action for each game at random, by the generator of the action space; 0 if there is none."""
        return self.games.chosen(self.action_space.np_random.random(self.num_envs))

    def render(self) -> tuple[Any, ...] | None:
        """Each game as text or as an array of pixels, by the render mode."""
        if self.render_mode is None or self.games.seed < 0:
            return None
        return tuple(PAINTERS[self.render_mode](self.games, i) for i in range(self.num_envs))

    def _checked(self, actions: Any) -> Ints:
        """The actions as an array, or an error if one of them is no action."""
        if self.games.seed < 0:
            raise InputError("the environment has no episodes yet: call reset() first")
        array, most = np.asarray(actions), self.settings.action_count - 1
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise InputError(f"actions is {shown(actions)}; it must be an array of {self.num_envs} whole numbers")
        if array.min() < 0 or array.max() > most:
            i = int(np.argmax((array < 0) | (array > most)))
            raise InputError(f"actions[{i}] is {array[i]}; it must be a whole number from 0 to {most}")
        return array.astype(np.int64)

    def _ended(self, over: Mask) -> Info:
        """The last observations and infos of the episodes that are over, and their successors begun."""
        seen, infos = self.observer(self.games), self._infos()
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over):
            last[i] = {name: array[i] for name, array in seen.items()} if isinstance(seen, dict) else seen[i]
        self.games.restart(over)
        final = {name: array & over if name.startswith("_") else array for name, array in infos.items()}
        return {"final_obs": last, "_final_obs": over, "final_info": final, "_final_info": over.copy()}

    def _infos(self) -> Info:
        """Masks, pieces and lines; as Gymnasium wants it, each with an array that tells which games have it."""
        infos = self.games.info()
        return infos | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}

    def __repr__(self) -> str:
        settings = self.settings
        return f"TetrisVector({self.num_envs} x {short_name(self.rules)}: {settings.action_count} {settings.actions})"
