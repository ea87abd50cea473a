"""Measures the environments for Gymnasium with random legal actions: steps a second of one core, as a table.

    taskset -c 0 python tests/benchmarks/gym_speed.py             about a minute
    taskset -c 0 python tests/benchmarks/gym_speed.py --save      the same, stored for notebooks/results.ipynb

A step is a placement, or a command. Steps in which the vector environment only begins a new episode are not counted.
Time is that of the processor, so that other programs disturb less; the best of five rounds is shown.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import tetriscourse.gym  # noqa: F401 (registers the environment)
from tetriscourse.course.results import ResultTable

NAME, ROUNDS, SECONDS, ENVS = "tetriscourse/Tetris-v0", 5, 1.0, 1024
TABLE = ResultTable(
    "python tests/benchmarks/gym_speed.py",
    {
        "environment": "{environment}", "rules": "{rules}", "sees": "{sees}", "actions": "{actions}",
        "steps a second": "{rate:,.0f}",
    },
    machine="one core beside other programs, seconds of processor time",
)  # fmt: skip


def best_rate(run: Callable[[], int]) -> float:
    """The steps a second of the best round; `run` makes some steps and says how many."""
    run()
    rates = []
    for _ in range(ROUNDS):
        steps, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            steps += run()
        rates.append(steps / spent)
    return max(rates)


def many(choose: Callable[[Any, Any], Any], **settings: Any) -> Callable[[], int]:
    """Steps of 1,024 games; `choose` sees the environment and the mask."""
    envs: Any = gymnasium.make_vec(NAME, num_envs=ENVS, vectorization_mode="vector_entry_point", **settings)
    mask = envs.reset(seed=1)[1]["action_mask"]
    over = np.zeros(ENVS, bool)

    def run() -> int:
        nonlocal mask, over
        idle = int(over.sum())
        _, _, lost, cut, infos = envs.step(choose(envs, mask))
        mask, over = infos["action_mask"], lost | cut
        return ENVS - idle

    return run


def single(**settings: Any) -> Callable[[], int]:
    """A game by gymnasium.make, to its end."""
    env: Any = gymnasium.make(NAME, **settings)
    env.reset(seed=1)

    def run() -> int:
        steps, over = 0, False
        while not over:
            _, _, lost, cut, _ = env.step(env.unwrapped.sample_legal())
            steps, over = steps + 1, lost or cut
        env.reset()
        return steps

    return run


def helper(envs: Any, mask: Any) -> Any:
    """The environment's own choice."""
    return envs.sample_legal()


RNG = np.random.default_rng(1)


def by_mask(envs: Any, mask: Any) -> Any:
    """Random legal actions as a user writes them, in a line of numpy."""
    return (RNG.random(mask.shape, np.float32) * mask).argmax(axis=1)


def main() -> None:
    """A row for each environment."""
    for rules in ("10x10", "research", "tetrisbot", "bag"):
        show("make_vec, 1,024 games", many(helper, rules=rules), rules, actions="random, sample_legal()")
    show("make_vec, 1,024 games", many(by_mask, rules="10x10"), "10x10", actions="random, argmax of noise and mask")
    features = many(helper, rules="10x10", observation="features")
    show("make_vec, 1,024 games", features, "10x10", "features dn of every move", "random, sample_legal()")
    commands = many(helper, rules="10x10", actions="commands")
    show("make_vec, 1,024 games", commands, "10x10", actions="random commands")
    show("make, one game", single(rules="10x10"), "10x10", actions="random, sample_legal()")


def show(environment: str, run: Callable[[], int], rules: str, sees: str = "cells", actions: str = "") -> None:
    """A row of the table."""
    record = {"environment": environment, "rules": rules, "sees": sees, "actions": actions, "rate": best_rate(run)}
    TABLE.add(record)


if __name__ == "__main__":
    main()
    if "--save" in sys.argv:
        TABLE.save("speed-gym")
