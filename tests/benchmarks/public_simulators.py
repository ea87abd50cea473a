"""Measures public simulators of Tetris beside ours, with random legal actions: a table in Markdown.

    pip install tetris-gymnasium jumanji "tetriscourse[gym]"
    taskset -c 0 python tests/benchmarks/public_simulators.py           a few minutes
    taskset -c 0 python tests/benchmarks/public_simulators.py --save    the same, stored for notebooks/results.ipynb

Whatever is not installed is named and left out. All boards are 10x20. What a simulator counts as a step differs, so
the table says it: a key, a placement that was given, or a full decision, which values every placement first. Time is
that of the processor, all threads together; compiling is not counted, and the best of some rounds is shown.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np
from gym_speed import best_rate, helper, many, single

import tetriscourse as tc
from tetriscourse.course.results import ResultTable

ENVS, LENGTH = 1024, 50
TABLE = ResultTable(
    "python tests/benchmarks/public_simulators.py",
    {"simulator": "{simulator}", "how": "{how}", "a step is": "{step}", "steps a second of a core": "{rate}"},
    machine="one core beside other programs, seconds of processor time",
)  # fmt: skip
KEY, PLACEMENT, DECISION = "a key", "a placement, given", "a full decision: every placement valued, the best made"
ELSEWHERE = {
    "MDPTetris": ("its authors' program, measured by us on another machine", 290_000),
    "RV-CE": ("its authors' C++ program, measured by us on another machine", 96_000),
}
"""Programs that pip does not install: how they were measured, and moves a second."""


def tetris_gymnasium_keys() -> Callable[[], int]:
    """Its environment as its README plays it: random keys."""
    import tetris_gymnasium.envs  # noqa: F401

    env = gymnasium.make("tetris_gymnasium/Tetris", width=10, height=20)
    env.reset(seed=1)

    def run() -> int:
        steps, over = 0, False
        while not over:
            _, _, over, _, _ = env.step(env.action_space.sample())
            steps += 1
        env.reset()
        return steps

    return run


def tetris_gymnasium_placements() -> Callable[[], int]:
    """Its wrapper for placements, with the mask that it gives."""
    import tetris_gymnasium.envs  # noqa: F401
    from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

    env: Any = GroupedActionsObservations(gymnasium.make("tetris_gymnasium/Tetris", width=10, height=20))
    info, rng = env.reset(seed=1)[1], np.random.default_rng(1)

    def run() -> int:
        nonlocal info
        steps, over = 0, False
        while not over:
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            _, _, over, _, info = env.step(action)
            steps += 1
        info = env.reset()[1]
        return steps

    return run


def tetris_gymnasium_jax() -> Callable[[], int]:
    """Its functions for JAX: 1,024 games, compiled together, the first 50 random keys of each."""
    import jax
    from tetris_gymnasium.envs.tetris_fn import reset, step
    from tetris_gymnasium.functional.core import EnvConfig
    from tetris_gymnasium.functional.tetrominoes import TETROMINOES

    config = EnvConfig(width=10, height=20, padding=4, queue_size=7)

    @jax.jit
    def rollout(key: Any) -> Any:
        _, states, _ = jax.vmap(lambda one: reset(TETROMINOES, one, config))(jax.random.split(key, ENVS))

        def turn(states: Any, key: Any) -> Any:
            keys = jax.random.randint(key, (ENVS,), 0, 7)
            states, seen, *_ = jax.vmap(lambda state, a: step(TETROMINOES, state, a, config))(states, keys)
            return states, seen.sum()

        return jax.lax.scan(turn, states, jax.random.split(key, LENGTH))[1]

    return repeated(rollout)


def jumanji_single() -> Callable[[], int]:
    """A game of Jumanji, its step compiled, called from Python."""
    import jax
    from jumanji.environments import Tetris

    env, rng = Tetris(num_rows=20, num_cols=10), np.random.default_rng(1)
    begin, step = jax.jit(env.reset), jax.jit(env.step)

    def run() -> int:
        state, seen = begin(jax.random.PRNGKey(rng.integers(1 << 31)))
        steps = 0
        while not bool(seen.last()):
            mask = np.asarray(seen.observation.action_mask)
            state, seen = step(state, np.array(divmod(int(rng.choice(np.flatnonzero(mask))), 10), np.int32))
            steps += 1
        return steps

    return run


def jumanji_many() -> Callable[[], int]:
    """1,024 games of Jumanji, compiled together with the choice of actions; they begin anew by themselves."""
    import jax
    import jax.numpy as jnp
    from jumanji.environments import Tetris
    from jumanji.wrappers import AutoResetWrapper, VmapWrapper

    env = VmapWrapper(AutoResetWrapper(Tetris(num_rows=20, num_cols=10)))

    @jax.jit
    def rollout(key: Any) -> Any:
        carry = env.reset(jax.random.split(key, ENVS))

        def turn(carry: Any, key: Any) -> Any:
            state, seen = carry
            mask = seen.observation.action_mask.reshape(ENVS, -1)
            action = jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf))
            carry = env.step(state, jnp.stack([action // 10, action % 10], axis=1))
            return carry, carry[1].observation.grid.sum()

        return jax.lax.scan(turn, carry, jax.random.split(key, LENGTH))[1]

    return repeated(rollout)


def repeated(rollout: Any) -> Callable[[], int]:
    """Rollouts of 1,024 games with ever new keys."""
    import jax

    keys = iter(jax.random.split(jax.random.PRNGKey(1), 100_000))

    def run() -> int:
        rollout(next(keys)).block_until_ready()
        return ENVS * LENGTH

    return run


def decisions() -> float:
    """Moves a second of the player DN."""
    rules = tc.Rules(max_pieces=200_000)
    scores = [tc.simulate("dn", rules, games=8, seed=seed, threads=1, progress=False) for seed in range(3)]
    return max(one.moves_per_second for one in scores)


def main() -> None:
    """A row for each simulator."""
    public = {
        "tetris_gymnasium": [
            ("one game, make()", KEY, tetris_gymnasium_keys),
            ("one game, its wrapper for placements", PLACEMENT, tetris_gymnasium_placements),
            ("1,024 games, JAX, vmap and scan", KEY, tetris_gymnasium_jax),
        ],
        "jumanji": [
            ("one game, JAX, step by step", PLACEMENT, jumanji_single),
            ("1,024 games, JAX, vmap and scan", PLACEMENT, jumanji_many),
        ],
    }
    for name, runs in public.items():
        package = name.replace("_", "-")
        if importlib.util.find_spec(name) is None:
            print(f"{package} is not installed; get it with: pip install {package}", file=sys.stderr)
            continue
        for how, step, make in runs:
            show(f"{package} {version(package)}", how, step, best_rate(make()))
    show("tetriscourse", "one game, gymnasium.make()", PLACEMENT, best_rate(single(rules="research")))
    keys = best_rate(many(helper, rules="research", actions="commands"))
    show("tetriscourse", "1,024 games, gymnasium.make_vec()", KEY, keys)
    placements = best_rate(many(helper, rules="research"))
    show("tetriscourse", "1,024 games, gymnasium.make_vec()", PLACEMENT, placements)
    show("tetriscourse", 'simulate("dn"), one thread', DECISION, decisions())
    for name, (how, rate) in ELSEWHERE.items():
        show(name, how, DECISION, rate)


def show(simulator: str, how: str, step: str, rate: float) -> None:
    """A row of the table."""
    digits = 2 - int(np.floor(np.log10(rate)))  # three digits are more than such a figure is good for
    TABLE.add({"simulator": simulator, "how": how, "step": step, "rate": f"{round(rate, digits):,.0f}"})


if __name__ == "__main__":
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    main()
    if "--save" in sys.argv:
        TABLE.save("public-simulators")
