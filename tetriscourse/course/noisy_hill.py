"""Hills with one top somewhere, seen through noise like that of Tetris: for exercise 09.8 and its judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.random_numbers import Draws, Floats

TOP = 1000.0
"""The mean score at the top."""


def noisy_hill(seed: int, n: int = 6, limit: int = 3000) -> tuple[Callable[[Any], float], Callable[[Any], float]]:
    """Two functions of a vector: the score of one game, exponential, for `limit` games at most; and its true mean.

    The mean is 1000 / (1 + q), where q is quadratic in the distance from the top, up to 25 times as steep in one
    direction as in another. The top is some two steps of length 1 from the origin.
    """
    draws = Draws(seed, 0)
    axes, _ = np.linalg.qr(draws.normal((n, n)))
    steep = axes * 5.0 ** np.linspace(-0.5, 0.5, n)
    place = draws.normal(n)
    top = 2 * place / np.linalg.norm(place)
    luck = iter(-np.log(draws.uniform(limit)))

    def height(x: Any) -> float:
        """The true mean score."""
        return TOP / (1 + float(np.square((vector(x, n) - top) @ steep).sum()))

    def score(x: Any) -> float:
        """The score of one game."""
        mean = height(x)
        try:
            return float(mean * next(luck))
        except StopIteration:
            raise InputError(f"score has been asked {limit:,} times; that is all there is") from None

    return score, height


def vector(x: Any, n: int) -> Floats:
    """A vector of n finite numbers."""
    found = np.asarray(x, np.float64)
    if found.shape != (n,) or not np.isfinite(found).all():
        raise InputError(f"x has shape {found.shape}; it must be a vector of {n} finite numbers")
    return found
