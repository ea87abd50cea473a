"""Random numbers for optimizers and learners, each computed from (seed, iteration, position).

There is no generator whose state must be stored: an iteration always draws the same numbers, and a resumed run goes
on with those that it would have had. The hash is that of game/random.py, on arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import cast

import numpy as np
import numpy.typing as npt

from tetriscourse.game.random import BITS_64, GOLDEN, OPTIMIZER_STREAM, mix, stream_key

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
Shape = int | tuple[int, ...]


def derived_seed(seed: int, *labels: int) -> int:
    """A seed of 63 bits for each list of labels."""
    for label in labels:
        seed = mix((mix((seed + GOLDEN) & BITS_64) ^ label) + GOLDEN & BITS_64)
    return seed >> 1


mix_all = cast(Callable[[Bits], Bits], mix)  # `mix` on arrays of 64-bit numbers, which its mask leaves unchanged


class Draws:
    """The random numbers of one iteration, drawn in sequence."""

    def __init__(self, seed: int, iteration: int):
        self.key = np.uint64(stream_key(seed, iteration, OPTIMIZER_STREAM))
        self.position = 0

    def __repr__(self) -> str:
        return f"Draws({self.position} numbers drawn)"

    def bits(self, count: int) -> Bits:
        """The next random numbers of 64 bits."""
        positions = np.arange(self.position + 1, self.position + count + 1, dtype=np.uint64)
        self.position += count
        return mix_all(self.key + positions * np.uint64(GOLDEN))

    def uniform(self, shape: Shape = ()) -> Floats:
        """Numbers between 0 and 1, both excluded."""
        size = (shape,) if isinstance(shape, int) else shape
        return ((self.bits(prod(size)) >> np.uint64(12)).astype(np.float64) + 0.5).reshape(size) / 2.0**52

    def below(self, n: int, shape: Shape = ()) -> Ints:
        """Whole numbers from 0 to n - 1."""
        return np.floor(self.uniform(shape) * n).astype(np.int64)

    def normal(self, shape: Shape = ()) -> Floats:
        """Numbers from N(0, 1), rounded to steps of 2^-32, since the last bits differ between machines."""
        from scipy.special import ndtri

        steps: Floats = np.rint(ndtri(self.uniform(shape)) * 2.0**32)
        return steps / 2.0**32

    def order(self, n: int) -> Ints:
        """0 to n - 1 in random order."""
        return np.argsort(self.uniform(n), kind="stable").astype(np.int64)
