"""Moves a second of Dellacherie's six features with one of your own, on 10x20 and one thread.

    python tests/benchmarks/own_feature_speed.py
"""

from __future__ import annotations

from statistics import median

import numpy as np

import tetriscourse as tc

RULES = tc.Rules(max_pieces=100_000)


def flush_pieces() -> tuple[np.ndarray, np.ndarray, int]:
    """The pieces, as bits, that lie flush on one step of the surface and on two, from -3 to 3; and on none."""
    one, two, alone = np.zeros(7, np.int64), np.zeros((7, 7), np.int64), 0
    for bit, piece in enumerate(tc.PIECES.values()):
        for shape in piece.orientations:
            steps = [int(step) + 3 for step in np.diff([lowest for lowest, _ in shape.columns])]
            if not steps:
                alone |= 1 << bit
            elif len(steps) == 1:
                one[steps[0]] |= 1 << bit
            elif len(steps) == 2:
                two[steps[0], steps[1]] |= 1 << bit
    return one, two, alone


ONE, TWO, ALONE = flush_pieces()


@tc.feature(better=+1)
def homes(heights):
    """How many of the seven pieces could lie flush on the surface."""
    pieces, last, count = ALONE, 6, 0
    for j in range(len(heights) - 1):
        step = min(max(heights[j + 1] - heights[j], -3), 3) + 3
        pieces |= ONE[step] | TWO[last, step]
        last = step
    while pieces:
        pieces &= pieces - 1
        count += 1
    return count


@tc.feature
def steps_by_numpy(heights):
    """Bumpiness, with arrays that are made for each move."""
    return np.abs(np.diff(heights)).sum()


@tc.feature
def buried(cells, heights):
    """Holes, counted cell by cell."""
    count = 0
    for j in range(len(heights)):
        for row in range(heights[j]):
            count += not cells[row, j]
    return count


def moves_per_second(feature: tc.Feature, rounds: int = 5, games: int = 3) -> float:
    """The median of some rounds."""
    hand = tc.PLAYERS["dellacherie"]
    player = tc.Player([*(one.name for one in hand.features.features), feature], [*hand.weights, 0.0])
    return median(
        tc.simulate(player, RULES, games, seed=1, threads=1, progress=False).moves_per_second for _ in range(rounds)
    )


if __name__ == "__main__":
    for feature in (homes, steps_by_numpy, buried):
        print(f"{feature.name:15} {moves_per_second(feature) / 1e6:.2f} M moves a second")
