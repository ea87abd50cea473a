"""Lets MaskablePPO of sb3-contrib learn Tetris through the vector environment, and prints a table in Markdown.

    pip install torch stable-baselines3 sb3-contrib "tetriscourse[gym]"
    python tests/benchmarks/gym_ppo.py             three seeds of each kind, some minutes a run on one core
    python tests/benchmarks/gym_ppo.py --save      the same, stored for notebooks/gymnasium.ipynb and results.ipynb
    python tests/benchmarks/gym_ppo.py cells 0     one kind, one seed

What was learned plays games of a seed that it did not learn from, always with the most probable action; random legal
play and players of weighted features play the same games, and the exact solver says what is possible.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np

import tetriscourse as tc
import tetriscourse.gym  # registers the environment
from tetriscourse.course.results import ResultTable
from tetriscourse.inference import student_interval

RULES, GAMES, SEED, SEEDS = "5x5", 1_000, 2026, (0, 1, 2)
STEPS, ENVS, LENGTH = 1_000_000, 64, 64  # placements to learn from; games at once; placements of each between updates
KINDS: dict[str, dict[str, Any]] = {
    "cells": {"observation": "cells", "next_piece": "hidden"},
    "features": {"observation": "features", "features": "dellacherie"},
}
"""The learner sees cells and the piece, or the features of each move."""
TABLE = ResultTable(
    "python tests/benchmarks/gym_ppo.py",
    {
        "player on 5x5": "{player}", "learned from": "{training}", "lines": "{mean:.2f}",
        "95 % interval": "{low:.2f} to {high:.2f}", "of the best": "{share:.0%}",
    },
    seed=str(SEED), machine="one core, seconds of processor time",
)  # fmt: skip


def made(kind: str, count: int, **settings: Any) -> Any:
    """The vector environment of a kind."""
    return gymnasium.make_vec(
        "tetriscourse/Tetris-v0", num_envs=count, rules=RULES, reward="lines", **KINDS[kind], **settings
    )


def learned(kind: str, seed: int) -> Any:
    """The result of MaskablePPO."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    policy = "MultiInputPolicy" if kind == "cells" else "MlpPolicy"
    learner = MaskablePPO(
        policy, for_baselines(made(kind, ENVS, autoreset_mode="SameStep")), n_steps=LENGTH, batch_size=1024, n_epochs=4,
        gamma=0.99, learning_rate=lambda left: 1e-3 * left, ent_coef=0.01, seed=seed, device="cpu",
        policy_kwargs={"net_arch": [128, 128]},
    )  # fmt: skip
    return learner.learn(STEPS)


def for_baselines(envs: Any) -> Any:
    """A vector environment as Stable-Baselines3 wants it: infos are a list, and the last observation is in them."""
    from stable_baselines3.common.vec_env import VecEnv

    class Adapter(VecEnv):
        def __init__(self) -> None:
            super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

        def reset(self) -> Any:
            return envs.reset(seed=self._seeds[0])[0]

        def step_async(self, actions: Any) -> None:
            self.actions = actions

        def step_wait(self) -> Any:
            seen, rewards, lost, cut, about = envs.step(self.actions)
            infos: list[dict[str, Any]] = [{} for _ in range(envs.num_envs)]
            for i in np.flatnonzero(lost | cut):
                infos[i] = {"terminal_observation": about["final_obs"][i], "TimeLimit.truncated": bool(cut[i])}
            return seen, rewards.astype(np.float32), lost | cut, infos

        def env_method(self, name: str, *_: Any, **__: Any) -> list[Any]:
            return list(getattr(envs, name)())

        def get_attr(self, name: str, indices: Any = None) -> list[Any]:
            return [getattr(envs, name)] * envs.num_envs

        def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
            setattr(envs, name, value)

        def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
            return [False] * envs.num_envs

        def close(self) -> None:
            envs.close()

    return Adapter()


def lines(kind: str, choose: Callable[[Any, Any], Any]) -> Any:
    """The lines of the first games of the seed, each to its end; `choose` sees observations and masks."""
    envs = made(kind, GAMES)
    seen, infos = envs.reset(seed=SEED)
    total, running = np.zeros(GAMES), np.ones(GAMES, bool)
    while running.any():
        seen, rewards, lost, _, infos = envs.step(choose(seen, infos["action_mask"]))
        total += rewards * running
        running &= ~lost
    return total


def show(player: str, training: str, scores: Sequence[float], best: float) -> None:
    """A row of the table."""
    mean, sd = float(np.mean(scores)), float(np.std(scores, ddof=1))
    low, high = student_interval(mean, sd, len(scores))
    TABLE.add({
        "player": player, "training": training, "mean": mean, "low": low, "high": high, "share": mean / best,
    })  # fmt: skip


def main(kinds: Sequence[str], seeds: Sequence[int]) -> None:
    """A row for each player."""
    best = tc.solve(tc.RULES[RULES], progress=False).start
    rng = np.random.default_rng(SEED)
    by_chance = lines("cells", lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1))
    show("random legal placements", "", by_chance, best)
    for kind in kinds:
        for seed in seeds:
            start = time.process_time()
            learner = learned(kind, seed)
            seconds = time.process_time() - start
            scores = lines(
                kind, lambda seen, masks: learner.predict(seen, action_masks=masks, deterministic=True)[0]  # noqa: B023
            )  # fmt: skip
            show(f"MaskablePPO, {kind}, seed {seed}", f"{STEPS:,} placements, {seconds:,.0f} s", scores, best)
    for name in ("dellacherie", "dn"):
        show(name, "", tc.simulate(name, RULES, games=GAMES, seed=SEED, progress=False).lines, best)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--save"]
    main([word for word in words if word in KINDS] or [*KINDS], [int(w) for w in words if w.isdigit()] or SEEDS)
    if "--save" in sys.argv:
        TABLE.save("gym-ppo")
