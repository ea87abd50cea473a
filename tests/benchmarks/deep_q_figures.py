"""Prints what deep Q-learning reaches, as tables in Markdown: the domino on 6x6, and Tetris from TetrisBot's features.

    python tests/benchmarks/deep_q_figures.py domino 0 1 2
    python tests/benchmarks/deep_q_figures.py tetris 0 1 2 3 4

The numbers behind the name are seeds. Times are of one core, and those of the machine that runs it.
"""

from __future__ import annotations

import sys
import time
from math import inf

from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.players import PLAYERS
from tetriscourse.simulator import simulate
from tetriscourse.statistics import Scores

GAMES, SEED = 100, 2026
KINDS = {
    "as printed": {},
    "without second network": {"target_network": False},
    "double": {"double": True},
}


def learned(learner: DeepQ) -> tuple[DeepQ, float]:
    """The learner at its goal, and the seconds of a core that it took."""
    start = time.process_time()
    while learner.done < learner.goal:
        learner.advance()
    return learner, time.process_time() - start


def row(*cells: object) -> None:
    """A line of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def domino(seeds: list[int]) -> None:
    """Steps until it is proved that the game is played without end."""
    row("domino 6x6", "seed", "result", "steps", "games", "seconds")
    row(*["---"] * 6)
    for name, changes in KINDS.items():
        for seed in seeds:
            learner, seconds = learned(DeepQ(DominoGrid(6, 6), seed=seed, **changes))
            found = learner.player().proof()
            if found:
                found.replay()
            result = str(found) if learner.best[0] == inf else f"lost after {learner.best[0]:.0f} pieces at best"
            row(name, seed, result, f"{learner.t:,}", f"{learner.episode:,}", f"{seconds:.0f}")


def tetris(seeds: list[int]) -> None:
    """Lines on 10x20 of what was learned, beside players of weighted features."""
    row("Tetris 10x20", "training", f"lines, mean of {GAMES} games of seed {SEED}", "95 %")
    row(*["---"] * 4)
    for name in ("tetrisbot", "tetrisbot-3"):
        show(name, "", simulate(PLAYERS[name], games=GAMES, seed=SEED, progress=False))
    stopped = simulate(PLAYERS["dellacherie"], Rules(max_pieces=100_000), games=GAMES, seed=SEED, progress=False)
    row("dellacherie", "", f"more than {stopped.mean:,.0f}", "games broken off after 100,000 pieces")
    for seed in seeds:
        learner, seconds = learned(DeepQ(AfterstateValues(), seed=seed))
        training = f"{seconds:.0f} s, {learner.t:,} steps, {learner.episode:,} games"
        show(f"deep-q, seed {seed}", training, simulate(learner.player(), games=GAMES, seed=SEED, progress=False))
        last = learner.problem.judge(learner.last(), GAMES, 1_000_000, SEED)
        print(
            f"  seed {seed}: {learner.best[0]:,.0f} lines when judged; the last network: {last:,.0f}", file=sys.stderr
        )


def show(name: str, training: str, scores: Scores) -> None:
    """A line of the second table."""
    low, high = scores.interval()
    row(name, training, f"{scores.mean:,.0f}", f"{low:,.0f} to {high:,.0f}")


if __name__ == "__main__":
    which, given = (sys.argv[1] if len(sys.argv) > 1 else "both"), [int(one) for one in sys.argv[2:]]
    if which in ("domino", "both"):
        domino(given or [0, 1, 2])
    if which in ("tetris", "both"):
        tetris(given or [0, 1, 2, 3, 4])
