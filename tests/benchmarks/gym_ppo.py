"""Lets MaskablePPO of sb3-contrib learn Tetris through the vector environment, and prints tables in Markdown.

    pip install "tetriscourse[torch]"
    python tests/benchmarks/gym_ppo.py                 all kinds on 5x5 and 10x10, some minutes a run on one core
    python tests/benchmarks/gym_ppo.py --save          the same, stored for environments, pytorch and results.ipynb
    python tests/benchmarks/gym_ppo.py 5x5 cells 0     one board, one kind, one seed

What was learned plays games of a seed that it did not learn from, always with the most probable action; random legal
play and players of weighted features play the same games, and on 5x5 the exact solver says what is possible. --save
stores each row as soon as it is there, in place of an older one.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import gymnasium
import numpy as np

import tetriscourse as tc
import tetriscourse.gym  # registers the environment
from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.features import as_feature_set
from tetriscourse.gym.baselines import for_baselines, policy_of_moves
from tetriscourse.inference import student_interval
from tetriscourse.mdp.deep_q.in_torch import as_network
from tetriscourse.mdp.deep_q.move_values import NetworkPlayer

SEED, SEEDS = 2026, (0, 1, 2)
ENVS, LENGTH = 64, 64  # games at once; placements of each between updates
POINTS = 8  # of the learning curve


@dataclass(frozen=True)
class Kind:
    """What a learner sees, and by what it decides."""

    environment: dict[str, Any]
    policy: Any = "MlpPolicy"  # or None: one that scores each move by itself
    policy_kwargs: dict[str, Any] = field(default_factory=lambda: {"net_arch": [128, 128]})
    alpha: float = 0.001  # the step size at first; it falls to 0 in the end
    times: int = 1  # how many times the task's placements to learn from


@dataclass(frozen=True)
class Task:
    """A board, how long is learned on it, and how what was learned is judged."""

    kinds: dict[str, Kind]
    steps: int  # placements to learn from
    games: int
    table: ResultTable


def of_moves(features: str, hidden: Sequence[int], alpha: float = 0.001) -> Kind:
    """A kind that scores the features of each move by one network."""
    return Kind({"observation": "features", "features": features}, None, {"hidden": hidden}, alpha)


def table(board: str, **columns: str) -> ResultTable:
    """An empty table of a board."""
    shown = {
        f"player on {board}": "{player}", "learned from": "{training}", "lines": "{mean:,.2f}",
        "95 % interval": "{low:,.2f} to {high:,.2f}",
    }  # fmt: skip
    machine = "one core, seconds of processor time"
    return ResultTable("python tests/benchmarks/gym_ppo.py", shown | columns, seed=str(SEED), machine=machine)


TABLE = table("5x5", **{"of the best": "{share:.0%}"})
FULL = table("10x10")
TASKS = {
    "5x5": Task(
        {
            "cells": Kind({"observation": "cells", "next_piece": "hidden"}, "MultiInputPolicy"),
            "features": Kind({"observation": "features", "features": "dellacherie"}),
            "features move by move": of_moves("dellacherie", (32, 32)),
        },
        1_000_000, 1_000, TABLE,
    ),
    "10x10": Task(
        {
            "features move by move": of_moves("dn", (32, 32)),
            "features in a sum": of_moves("dn", ()),
            "features in a sum, steps of 0.01": of_moves("dn", (), 0.01),
            "features in a sum, steps of 0.01, longer": replace(of_moves("dn", (), 0.01), times=6),
        },
        500_000, 200, FULL,
    ),
}  # fmt: skip
STORED = {"5x5": "gym-ppo", "10x10": "gym-ppo-10x10"}
KNOWN = ("dellacherie", "dn")


def made(board: str, kind: Kind, count: int, **settings: Any) -> Any:
    """The vector environment of a kind."""
    return gymnasium.make_vec(
        "tetriscourse/Tetris-v0", num_envs=count, rules=board, reward="lines", **kind.environment, **settings
    )


def learned(board: str, kind: Kind, seed: int, watch: Callable[[Any], None] = lambda _: None) -> Any:
    """The result of MaskablePPO; `watch` sees the learner at every step of all games."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    policy, words = kind.policy or policy_of_moves(), dict(kind.policy_kwargs)
    if kind.policy is None:
        words["mean"], words["sd"] = spread(board, kind)
    learner = MaskablePPO(
        policy, for_baselines(made(board, kind, ENVS, autoreset_mode="SameStep")), n_steps=LENGTH, batch_size=1024,
        n_epochs=4, gamma=0.99, learning_rate=lambda left: kind.alpha * left, ent_coef=0.01, seed=seed, device="cpu",
        policy_kwargs=words,
    )  # fmt: skip
    return learner.learn(kind.times * TASKS[board].steps, callback=lambda names, _: watch(names["self"]) is None)


def spread(board: str, kind: Kind) -> tuple[Any, Any]:
    """Means and standard deviations of the features in 3,200 positions of random play, to scale them by."""
    envs, rows = made(board, kind, ENVS), []
    seen, infos = envs.reset(seed=SEED + 1)
    envs.action_space.seed(SEED)
    for _ in range(50):
        rows.append(seen[infos["action_mask"]])
        seen, _, _, _, infos = envs.step(envs.unwrapped.sample_legal())
    moves = np.concatenate(rows).astype(np.float64)
    return moves.mean(axis=0), np.maximum(moves.std(axis=0), 1e-3)


def player_of(learner: Any, kind: Kind) -> NetworkPlayer:
    """The player that takes the most probable move, for a learner that scores each move by itself."""
    scores = learner.policy.mlp_extractor
    network = as_network(scores.actor).unscaled(scores.mean.double().numpy(), scores.sd.double().numpy())
    return NetworkPlayer(as_feature_set(kind.environment["features"]), network, "ppo")


def lines(board: str, kind: Kind, choose: Callable[[Any, Any], Any]) -> Any:
    """The lines of the first games of the seed, each to its end; `choose` sees observations and masks."""
    games = TASKS[board].games
    envs = made(board, kind, games)
    seen, infos = envs.reset(seed=SEED)
    total, running = np.zeros(games), np.ones(games, bool)
    while running.any():
        seen, rewards, lost, _, infos = envs.step(choose(seen, infos["action_mask"]))
        total += rewards * running
        running &= ~lost
    return total


def judged(board: str, kind: Kind, learner: Any) -> Any:
    """The lines of what was learned."""
    if kind.policy is None:
        return simulated(board, player_of(learner, kind))
    return lines(
        board, kind, lambda seen, masks: learner.predict(seen, action_masks=masks, deterministic=True)[0]
    )  # fmt: skip


def simulated(board: str, player: Any) -> Any:
    """The lines of a player."""
    return tc.simulate(player, board, games=TASKS[board].games, seed=SEED, threads=1, progress=False).lines


@cache
def best_possible(board: str) -> float:
    """The lines of the best possible play."""
    return tc.solve(tc.RULES[board], progress=False).start


def row(board: str, player: str, training: str, scores: Any, curve: Sequence[float] = ()) -> Record:
    """A row of the table; on 5x5, also the share of the best possible play."""
    mean, sd = float(np.mean(scores)), float(np.std(scores, ddof=1))
    low, high = student_interval(mean, sd, len(scores))
    record = {"player": player, "training": training, "mean": mean, "low": low, "high": high}
    if board == "5x5":
        record["share"] = mean / best_possible(board)
    return record | ({"curve": list(curve)} if curve else {})


def learned_row(board: str, name: str, seed: int) -> Record:
    """The row of a run, with 40 games at each point of its learning curve if they are quick to play."""
    kind, curve, aside = TASKS[board].kinds[name], list[float](), [0.0]
    steps = kind.times * TASKS[board].steps

    def watch(learner: Any) -> None:
        if kind.policy is None and learner.num_timesteps >= steps * (len(curve) + 1) / POINTS:
            begun = time.process_time()
            player, rules = player_of(learner, kind), replace(tc.RULES[board], max_pieces=20_000)
            curve.append(tc.simulate(player, rules, games=40, seed=SEED + 1, threads=1, progress=False).mean)
            aside[0] += time.process_time() - begun

    start = time.process_time()
    learner = learned(board, kind, seed, watch)
    training = f"{steps:,} placements, {time.process_time() - start - aside[0]:,.0f} s"
    return row(board, f"MaskablePPO, {name}, seed {seed}", training, judged(board, kind, learner), curve)


def other_rows(board: str) -> list[Record]:
    """Random placements, and the players that have weights for their features."""
    rng, kind = np.random.default_rng(SEED), Kind({"observation": "cells", "next_piece": "hidden"})
    by_chance = lines(board, kind, lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1))
    known = [row(board, name, "", simulated(board, tc.PLAYERS[name])) for name in KNOWN]
    return [row(board, "random legal placements", "", by_chance), *known]


def main(words: Sequence[str], save: bool) -> None:
    """The rows that are asked for."""
    seeds = [int(word) for word in words if word.isdigit()] or SEEDS
    for board, task in TASKS.items():
        if any(word in TASKS for word in words) and board not in words:
            continue
        runs = {f"MaskablePPO, {name}, seed {seed}": (name, seed) for name in task.kinds for seed in SEEDS}
        order = ["random legal placements", *runs, *KNOWN]
        stored = stored_table(STORED[board]).rows if STORED[board] in table_names() else []
        rows = {one["player"]: one for one in stored}
        chosen = [name for name in task.kinds if name in words] or task.kinds
        for name, seed in [(name, seed) for seed in seeds for name in chosen]:
            found = [learned_row(board, name, seed)]
            keep(board, rows, found, order, save)
        if not any(word in task.kinds for word in words):
            keep(board, rows, other_rows(board), order, save)


def keep(board: str, rows: dict[str, Record], found: Sequence[Record], order: Sequence[str], save: bool) -> None:
    """Print rows, and store them in place of older ones."""
    for one in found:
        print(TASKS[board].table.row(one), flush=True)
        rows[one["player"]] = one
    if save:
        replace(TASKS[board].table, rows=[rows[name] for name in order if name in rows]).save(STORED[board])


if __name__ == "__main__":
    main([word for word in sys.argv[1:] if word != "--save"], "--save" in sys.argv)
