"""Laboratories: worlds with known laws, in which students try an experiment before they are judged by others."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any

import numpy as np
from scipy.stats import norm

from tetriscourse.errors import InputError, one_of, real_number, whole_number
from tetriscourse.random_numbers import Draws, Floats, derived_seed

RUNS = 60  # that a world of breeding allows
LUCK, REST = 0.8, 0.1  # standard deviations of the logarithm of lines: what a seed brings, and what else differs
GENOMES = ("floats", "bits")

Breed = Callable[[str, float, int], float]


def breeding(bits: float, mutation: float, number: int = 0, runs: int = RUNS) -> Breed:
    """A world in which players are bred: `breed(genome, share, seed)` gives the lines of the best of a run.

    bits: by how much bits change the logarithm of the lines; mutation: the same for a share of 1 of children that
    mutate. A seed is a population: lucky ones are lucky with any genome and any mutation. After `runs` runs, no more.
    """
    made = 0

    def breed(genome: str, share: float, seed: int) -> float:
        """The lines of the best player of a run; the same question has the same answer."""
        nonlocal made
        one_of("genome", genome, GENOMES)
        share, seed = real_number("share", share, at_least=0, at_most=1), whole_number("seed", seed, 0, 9999)
        if made == runs:
            raise InputError(f"runs is {runs + 1}; this world allows {runs}")
        made += 1
        rest = derived_seed(number, seed, GENOMES.index(genome), round(share * 1000))
        luck = LUCK * normal(derived_seed(number, seed)) + REST * normal(rest)
        return 150 * exp(luck + bits * (genome == "bits") + mutation * share)

    return breed


def normal(seed: int) -> float:
    """A standard normal number."""
    drawn: Any = Draws(seed, 0).normal(1)
    return float(drawn[0])


SCORES = 6_000  # that a world of rare events allows

Score = Callable[[Floats], Floats]


def rare_event(probability: float, dimension: int, sides: int = 1, number: int = 0) -> tuple[Score, float]:
    """A score of points, a row each, and a limit that it reaches with this probability at standard normal points.

    The score rises in one direction, unknown to those who ask, or in it and its opposite (sides=2). After 6,000 points
    it answers no more.
    """
    direction = Draws(number, dimension).normal(dimension)
    direction, asked = direction / np.linalg.norm(direction), 0

    def score(points: Floats) -> Floats:
        """The scores of the rows."""
        nonlocal asked
        given = np.asarray(points, float)
        if given.ndim != 2 or given.shape[1] != dimension:
            raise InputError(f"points have the shape {given.shape}; they must be rows of {dimension} numbers")
        asked += len(given)
        if asked > SCORES:
            raise InputError(f"points are {asked:,} so far; this world scores {SCORES:,}")
        along = given @ direction
        return np.exp((np.abs(along) if sides == 2 else along) / 2)

    return score, float(np.exp(norm.isf(probability / sides) / 2))


MOVES, ROLLOUTS, SEQUENCES = 24, 960, 1000  # of a position, those that it allows, and sequences of pieces
PIECES, OWN, APART = 4.0, 1.2, 0.6  # standard deviations of what pieces do to all moves and to each; the mean gap

Roll = Callable[[int, int], float]


def rolling(number: int = 0, rollouts: int = ROLLOUTS) -> tuple[Roll, Floats]:
    """A position: `roll(k, seed)` gives the lines of a rollout after move k on the pieces of a seed; and the truth.

    The truth is the mean lines after each move. Pieces are kind or hard to all moves alike. After so many rollouts, no
    more.
    """
    draws = Draws(number, 24)
    gaps = np.sort(np.append(-APART * np.log1p(-draws.uniform(MOVES - 1)), 0.0))
    truth = 10 - gaps[draws.order(MOVES)]
    lines = truth[:, None] + PIECES * draws.normal(SEQUENCES) + OWN * draws.normal((MOVES, SEQUENCES))
    made = 0

    def roll(k: int, seed: int) -> float:
        """The lines of one rollout; the same question has the same answer."""
        nonlocal made
        k, seed = whole_number("k", k, 0, MOVES - 1), whole_number("seed", seed, 0, SEQUENCES - 1)
        if made == rollouts:
            raise InputError(f"rollouts is {rollouts + 1}; this position allows {rollouts}")
        made += 1
        return float(lines[k, seed])

    return roll, truth
