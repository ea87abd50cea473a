"""Prints what deep Q-learning reaches on 10x10 with different features, the figures of chapter 12.

    python tests/benchmarks/deep_q_features.py            # some ten minutes of one core
    python tests/benchmarks/deep_q_features.py network    # one part: network, dellacherie or linear

SteadyDeepQ goes the same way on every processor, so these figures do too.
"""

from __future__ import annotations

import sys
from typing import Any

from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.players import PLAYERS, Player
from tetriscourse.simulator import simulate

RULES, STEPS, GAMES, SEED = Rules(height=10), 20_000, 200, 2026
PARTS: dict[str, tuple[str, dict[str, Any], int]] = {
    "network": ("tetrisbot", {}, 5),
    "dellacherie": ("dellacherie", {}, 3),
    "linear": ("tetrisbot", {"hidden": ()}, 3),
}
"""Of each part: the features, what is changed in the settings, and how many seeds."""


def lines(player: Any) -> str:
    """The mean of some games and its interval."""
    scores = simulate(player, RULES, games=GAMES, seed=SEED, progress=False)
    low, high = scores.interval()
    return f"{scores.mean:,.1f} ({low:,.1f} to {high:,.1f})"


def main(parts: list[str]) -> None:
    """A line for each run."""
    for player in (PLAYERS["tetrisbot"], Player(["holes", "bumpiness"], [-5, -1]), PLAYERS["dellacherie"]):
        print(f"{player.name:12} {lines(player)}", flush=True)
    for part in parts:
        features, changes, seeds = PARTS[part]
        for seed in range(seeds):
            problem = AfterstateValues(RULES, features)
            learner = SteadyDeepQ(problem, seed=seed, steps=STEPS, **changes).learn(progress=False)
            kept, last = learner.learned(), learner.last()
            assert isinstance(last, Network)
            print(f"{part:12} seed {seed}: kept {lines(problem.player(kept))}", end=", ", flush=True)
            print(f"last {lines(problem.player(last))}" if last.is_finite else "last diverged", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(PARTS))
