"""Prints the figures that chapters quote and do not compute themselves: python course_figures.py plans|tries|higher

plans: what 3,000 games buy in exercise 09.6, spent in five ways. tries: the fifteen players that were tried for
chapter 15. higher: that chapter's player on 10x16 and 10x20. Each takes some minutes.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product

import numpy as np

import tetriscourse as tc

DN, DELLACHERIE = ([one.name for one in tc.FEATURE_SETS[name].features] for name in ("dn", "dellacherie"))
CHOICES = {
    "eight features": DN,
    "eight and diversity": [*DN, "diversity"],
    "eight and i_wells": [*DN, "i_wells"],
    "eight and both": [*DN, "diversity", "i_wells"],
    "Dellacherie's six and both": [*DELLACHERIE, "diversity", "i_wells"],
}


def plans() -> None:
    """Ten runs for each plan of 3,000 games, 1,000 games to judge each."""
    board = replace(tc.RULES["harder"], height=10)
    for games, iterations in ((100, 3), (20, 15), (10, 30), (5, 60), (3, 100)):
        objective, lines = tc.Objective("dn", board, games), []
        for seed in range(1000, 1010):
            optimizer = tc.CMAES(8, "boumaza", seed=seed, iterations=iterations)
            run = tc.train(optimizer, objective, curve=0, progress=False)
            lines.append(tc.simulate(run.player(), board, 1000, seed=1, progress=False).mean)
        print(f"{games:3} games, {iterations:3} iterations: {min(lines):.0f} to {max(lines):.0f} lines, "
              f"{np.mean(lines):.0f} on average", flush=True)  # fmt: skip


def learned(features: list[str], height: int, name: str) -> tc.Player:
    """Chapter 15's training: the mean direction of five runs of CMA-ES on a board with many S and Z."""
    harder = tc.Rules(height=height, probabilities={**dict.fromkeys("IOTJL", 1), "S": 3, "Z": 3})
    directions = []
    for seed in range(5):
        optimizer = tc.CMAES(len(features), normalise=True, iterations=40, seed=seed)
        run = tc.train(optimizer, tc.Objective(features, harder, games=20), curve=0, progress=False)
        directions.append(run.player().weights / np.linalg.norm(run.player().weights))
    return tc.Player(features, np.mean(directions, axis=0).round(3), name)


def report(player: tc.Player, rules: tc.Rules, games: int, seed: int) -> None:
    """Print the lines of a player in some games, with their interval."""
    scores = tc.simulate(player, rules, games, seed, progress=False)
    low, high = scores.interval()
    board = f"{rules.width}x{rules.height}"
    print(f"{player.name}: {scores.mean:,.0f} lines on {board} ({low:,.0f} to {high:,.0f})", flush=True)


def tries() -> None:
    """Five choices of features, trained on three boards, judged on 10x10."""
    for (choice, features), height in product(CHOICES.items(), (6, 8, 10)):
        report(learned(features, height, f"{choice}, {height} rows"), tc.RULES["10x10"], games=800, seed=13)


def higher() -> None:
    """The player of the chapter where games are long."""
    mine = learned(CHOICES["eight and both"], 10, "seconds of CMA-ES")
    report(mine, tc.RULES["10x16"], games=100, seed=2026)
    report(mine, tc.RULES["research"], games=8, seed=2026)


if __name__ == "__main__":
    parts = {"plans": plans, "tries": tries, "higher": higher}
    if len(sys.argv) != 2 or sys.argv[1] not in parts:
        sys.exit(__doc__)
    parts[sys.argv[1]]()
