"""Prints what deep Q-learning reaches, as tables in Markdown: the domino on 6x6, and Tetris from TetrisBot's features.

    python tests/benchmarks/deep_q_figures.py domino 0 1 2
    python tests/benchmarks/deep_q_figures.py tetris 0 1 2

The numbers behind the name are seeds; --save after them stores the table for notebooks/results.ipynb.
SteadyDeepQ goes the same way on every processor. Times are of one core, and those of the machine that runs it.
"""

from __future__ import annotations

import sys
import time
from math import inf
from typing import Any

from tetriscourse.course.results import ResultTable
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.move_values import MoveValues
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.players import PLAYERS
from tetriscourse.simulator import simulate
from tetriscourse.statistics import Scores

GAMES, SEED = 100, 2026
DOMINO = ResultTable(
    "python tests/benchmarks/deep_q_figures.py domino 0 1 2 3 4",
    {
        "domino 6x6": "{kind}", "seed": "{seed}", "result": "{result}", "steps": "{steps:,}", "games": "{games:,}",
        "seconds": "{seconds}",
    },
    machine="one core",
)  # fmt: skip
TETRIS = ResultTable(
    "python tests/benchmarks/deep_q_figures.py tetris 0 1 2",
    {
        "Tetris 10x20": "{player}", "training": "{training}", f"lines, mean of {GAMES} games of seed {SEED}": "{lines}",
        "95 %": "{interval}",
    },
    machine="one core",
)  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "as printed": {},
    "without second network": {"target_network": False},
    "double": {"double": True},
    "Huber's loss": {"loss": "huber"},
}


def learned(learner: DeepQ) -> tuple[DeepQ, float]:
    """The learner at its goal, and the seconds of a core that it took."""
    start = time.process_time()
    while learner.done < learner.goal:
        learner.advance()
    return learner, time.process_time() - start


def domino(seeds: list[int]) -> None:
    """Steps until it is proved that the game is played without end."""
    for name, changes in KINDS.items():
        for seed in seeds:
            learner, seconds = learned(SteadyDeepQ(DominoGrid(6, 6), seed=seed, **changes))
            found = learner.player().proof()
            if found:
                found.replay()
            result = str(found) if learner.best[0] == inf else f"lost after {learner.best[0]:.0f} pieces at best"
            DOMINO.add({
                "kind": name, "seed": seed, "result": result, "steps": learner.t, "games": learner.episode,
                "seconds": round(seconds),
            })  # fmt: skip


def tetris(seeds: list[int]) -> None:
    """Lines on 10x20 of the networks that were kept, beside players of weighted features."""
    for name in ("tetrisbot", "tetrisbot-3"):
        show(name, "", simulate(PLAYERS[name], games=GAMES, seed=SEED, progress=False))
    stopped = simulate(PLAYERS["dellacherie"], Rules(max_pieces=100_000), games=GAMES, seed=SEED, progress=False)
    broken_off = "games broken off after 100,000 pieces"
    lines = f"more than {stopped.mean:,.0f}"
    TETRIS.add({"player": "dellacherie", "training": "", "lines": lines, "interval": broken_off})
    for seed in seeds:
        learner, seconds = learned(SteadyDeepQ(MoveValues(), seed=seed))
        training = f"{seconds:.0f} s, {learner.t:,} steps, {learner.episode:,} games"
        show(f"deep-q, seed {seed}", training, simulate(learner.player(), games=GAMES, seed=SEED, progress=False))


def show(name: str, training: str, scores: Scores) -> None:
    """A line of the second table."""
    low, high = scores.interval()
    interval = f"{low:,.0f} to {high:,.0f}"
    lines = f"{scores.mean:,.0f}"
    TETRIS.add({"player": name, "training": training, "lines": lines, "interval": interval, "mean": scores.mean})


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--save"]
    which, given = (words[0] if words else "both"), [int(one) for one in words[1:]]
    if which in ("domino", "both"):
        domino(given or [0, 1, 2])
    if which in ("tetris", "both"):
        tetris(given or [0, 1, 2])
    for name, table in {"deep-q-domino": DOMINO, "deep-q-tetris": TETRIS}.items():
        if table.rows and "--save" in sys.argv:
            table.save(name)
