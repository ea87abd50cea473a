"""Prints what Q-learning with a table comes to: the domino on small boards, and seven pieces on 4x4.

Half an hour on two cores; with --short, without the rows of hundreds of thousands of episodes: ten minutes. With --save
the tables are stored for notebooks/results.ipynb.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import Record, ResultTable
from tetriscourse.mdp.proofs import prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.mdp.states import placement_state

SEEDS = 10
MILESTONES = 50
COMMAND = "python tests/benchmarks/q_learning_figures.py"
DOMINO = ResultTable(
    COMMAND,
    {
        "board": "{size}x{size}", "change": "{change}", "proof at the end": "{ends} of {seeds}",
        "proof at a milestone": "{reached} of {seeds}", "episodes until then": "{when}",
        "states": "{states:,.0f}", "seconds": "{seconds:.1f}",
    },
    seed=f"0 to {SEEDS - 1}", machine="one core, without looking for proofs",
)  # fmt: skip
SEVEN = ResultTable(
    COMMAND,
    {
        "episodes": "{episodes:,}", "gamma": "{gamma}", "states": "{states:,}", "the table's own V": "{believed:.4f}",
        "exact lines a game": "{value:.4f}", "of the best": "{share:.1%}", "seconds": "{seconds:.1f}",
    },
    seed="0", machine="one core",
)  # fmt: skip
CHANCE = ResultTable(
    COMMAND,
    {"board": "{size}x{size}", "points a game of random commands": "{reward:.4f}", "games": "{games:,}"},
    seed="0",
)


@dataclass(frozen=True)
class Row:
    """A line of the first table: a square board, and what differs from Muller and Ponton's settings."""

    size: int
    changes: tuple[tuple[str, Any], ...] = ()
    stops: bool = False
    """Whether a run ends with its first proof."""

    @property
    def name(self) -> str:
        """The change in words."""
        changed = ", ".join(f"{name}={value!r}" for name, value in self.changes) or "none"
        return changed + (", until the first proof" if self.stops else "")


SHORT = (
    *(Row(size) for size in (8, 7, 6, 5, 4)),
    *(Row(8, (one,)) for one in (("clock", "step"), ("start", "follow"), ("zeros", "first"), ("lost", "state"))),
    *(Row(8, (one,)) for one in (("alpha", 1.0), ("gamma", 0.99), ("epsilon_min", 0.1), ("tau", 1e-4))),
    *(Row(8, (one,)) for one in (("max_pieces", 50), ("state", "rounded"), ("state", "differences"))),
    Row(8, (("actions", "placements"),)),
    Row(7, (("actions", "placements"),)),
)
LONG = (Row(7, (("episodes", 100_000),)), Row(8, (("episodes", 500_000),), stops=True))


def run(job: tuple[Row, int]) -> tuple[bool, int | None, int, float]:
    """One run: whether there is a proof at the end, the first milestone with one, states, seconds of learning."""
    row, seed = job
    q = QLearning(replace(tc.RULES["domino"], width=row.size, height=row.size), seed=seed, **dict(row.changes))
    first, seconds, every = None, 0.0, q.goal // MILESTONES
    while q.done < q.goal and not (row.stops and first):
        start = time.process_time()
        q.advance(every - q.done % every)
        seconds += time.process_time() - start
        if q.done % every == 0 and first is None and prove_endless(q):
            first = q.done
    proof = prove_endless(q)
    if proof:
        proof.replay()
    return bool(proof), first, len(q.table), seconds


def line(row: Row, results: list[tuple[bool, int | None, int, float]]) -> Record:
    """A line of the first table."""
    ends, firsts, states, seconds = zip(*results, strict=True)
    reached = sorted(first for first in firsts if first)
    when = f"{reached[0]:,} to {reached[-1]:,}, median {median(reached):,.0f}" if reached else "never"
    return {
        "size": row.size, "change": row.name, "ends": sum(ends), "reached": len(reached), "seeds": len(ends),
        "when": when, "states": round(median(states)), "seconds": round(median(seconds), 1),
    }  # fmt: skip


def seven(job: tuple[int, float]) -> Record:
    """A line of the second table: seven pieces on 4x4, and what the learned player is worth there, exactly."""
    episodes, gamma = job
    rules = tc.Rules(4, 4)
    q = QLearning(rules, actions="placements", gamma=gamma, episodes=episodes, tau=10 / episodes, seed=0)
    start = time.process_time()
    q.learn(progress=False)
    seconds = time.process_time() - start
    value, best = tc.exact_value(q, rules, progress=False).start, tc.solve(rules, progress=False).start
    believed = np.mean([q.table[placement_state(rules.empty_board(), piece, rules)].max() for piece in rules.pieces])
    return {
        "episodes": episodes, "gamma": gamma, "states": len(q.table), "believed": round(float(believed), 4),
        "value": round(value, 4), "share": round(value / best, 3), "seconds": round(seconds, 1),
    }  # fmt: skip


def by_chance(size: int, episodes: int = 50_000) -> Record:
    """A line of the third table: the points of random commands."""
    rules = replace(tc.RULES["domino"], width=size, height=size)
    q = QLearning(rules, episodes=episodes, epsilon_min=1.0).learn(progress=False)
    return {"size": size, "reward": round(float(q.history["reward"].mean()), 4), "games": episodes}


def main() -> None:
    """All three tables, as Markdown."""
    QLearning(tc.Rules(4, 4), actions="placements").advance(1)  # compiled once, before two processes would do it
    with ProcessPoolExecutor(2) as pool:
        for row in SHORT if "--short" in sys.argv else SHORT + LONG:
            DOMINO.add(line(row, list(pool.map(run, [(row, seed) for seed in range(SEEDS)]))))
        print()
        for record in pool.map(seven, [(n, gamma) for n in (10_000, 100_000, 1_000_000) for gamma in (0.99, 1.0)]):
            SEVEN.add(record)
        print()
        for record in pool.map(by_chance, (8, 7, 6, 5, 4)):
            CHANCE.add(record)


if __name__ == "__main__":
    main()
    if "--save" in sys.argv:
        DOMINO.save("q-learning-domino")
        SEVEN.save("q-learning-seven-pieces")
        CHANCE.save("random-commands")
