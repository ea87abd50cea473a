"""How fast players look ahead: placements evaluated a second."""

from __future__ import annotations

from statistics import median

import numpy as np

from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.simulator.rollouts import Rollouts
from tetriscourse.simulator.run import simulate

ROOM = 8  # rows above the pile with which no move of two pieces can lose


def placements_per_second(player: LookAhead, seconds: float = 1.0, rounds: int = 5) -> float:
    """Placements whose value one thread computes in a second of processor time, on 10x20: the median of some rounds.

    All first moves count, and all answers to each; those from piles so high that some cannot be made are left out.
    """
    rates = []
    pieces = 200
    for number in range(-2, rounds):  # first rounds compile, and find out how many pieces take so long
        rules = Rules(max_pieces=pieces)
        scores = simulate(player, rules, games=1, seed=number + 2, threads=1, progress=False)
        low = scores.heights[: rules.height - ROOM + 1].sum() / scores.heights.sum()
        rates.append(scores.moves_per_second * low * placements_per_move(player, rules, number + 2))
        pieces = max(200, round(scores.moves_per_second * seconds / rounds))
    return float(median(rates[2:]))


def placements_per_move(player: LookAhead, rules: Rules, seed: int) -> float:
    """The mean number of placements that a move of game 0 of a seed takes, first moves and answers."""
    sizes = np.array([sum(rules.width - one.width + 1 for one in piece.orientations) for piece in rules.pieces])
    sequence = PieceSequence(rules, seed, 0)
    drawn = sizes[[sequence.number(position) for position in range(min(rules.max_pieces, 20_000) + 1)]]
    first, following = drawn[:-1], drawn[1:] if player.sees_next else sizes.sum()
    looked_at = first if player.search.width is None else np.minimum(first, player.search.width)
    return float((first + looked_at * following).mean())


def rollout_moves_per_second(player: Rollouts, rules: Rules, pieces: int = 20) -> float:
    """Moves of rollouts that one thread makes in a second of processor time, if none of them ends early."""
    limited = Rules(rules.width, rules.height, max_pieces=pieces)
    simulate(player, limited, games=1, threads=1, progress=False)
    scores = simulate(player, limited, games=1, threads=1, progress=False)
    sizes = [sum(rules.width - one.width + 1 for one in piece.orientations) for piece in rules.pieces]
    return float(scores.moves_per_second * np.mean(sizes) * player.games * (player.moves or 0))
