"""Random numbers that are the same on every machine, computed from (seed, game, stream, position).

A counter-based generator has no state: the number at a position is a hash of the position. So the pieces of a
game depend neither on who plays it nor on how many games run at once. The hash is the finalizer of SplitMix64
(Steele, Lea and Flood 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp, ldexp
from typing import TypeVar

BITS_64 = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

PIECE_STREAM, TIE_STREAM, AGENT_STREAM, OPTIMIZER_STREAM = 0, 1, 2, 3

T = TypeVar("T")


def mix(z: int) -> int:
    """Scramble 64 bits so that every input bit affects every output bit."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & BITS_64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & BITS_64
    return z ^ z >> 31


def stream_key(seed: int, game: int, stream: int) -> int:
    """The key of one stream of one game."""
    key = mix((seed + GOLDEN) & BITS_64)
    key = mix((key ^ game) + GOLDEN & BITS_64)
    return mix((key ^ stream) + GOLDEN & BITS_64)


def bits32(key: int, position: int) -> int:
    """The 32 random bits at a position of a stream."""
    return mix(key + (position + 1) * GOLDEN & BITS_64) >> 32


@dataclass
class Chance:
    """A stream of random choices for one game; equal (seed, game, stream) give equal choices."""

    seed: int = 0
    game: int = 0
    stream: int = AGENT_STREAM
    position: int = 0

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        drawn = bits32(stream_key(self.seed, self.game, self.stream), self.position) * n >> 32
        self.position += 1
        return drawn

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]


def shuffled(n: int, key: int, first: int) -> list[int]:
    """0 to n - 1 in random order (Fisher and Yates), from n positions of a stream."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = bits32(key, first + i) * (i + 1) >> 32
        order[i], order[j] = order[j], order[i]
    return order


def thresholds(probabilities: Sequence[float]) -> list[int]:
    """Piece i is drawn if 32 random bits are below thresholds[i] but not below the one before."""
    # Scaling by a power of two changes no digit and keeps every sum within the floats.
    _, exponent = frexp(max(probabilities))
    scaled = [ldexp(probability, -exponent) for probability in probabilities]
    total, cumulated, edges = sum(scaled), 0.0, []
    for probability in scaled:
        cumulated += probability
        edges.append(round(cumulated / total * (1 << 32)))
    last = max(i for i, probability in enumerate(probabilities) if probability > 0)
    # Rounding must leave no gap at the end.
    return edges[:last] + [1 << 32] * (len(edges) - last)
