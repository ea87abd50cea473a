"""The random numbers of game/random.py, compiled, and the pieces drawn with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.game.random import GOLDEN
from tetriscourse.simulator.compiling import fast, inlined


@inlined
def mix(z: Any) -> Any:
    """64 bits scrambled."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@fast
def stream_key(seed: Any, game: Any, stream: Any) -> Any:
    """The key of one stream of one game."""
    key = mix(np.uint64(seed) + np.uint64(GOLDEN))
    key = mix((key ^ np.uint64(game)) + np.uint64(GOLDEN))
    return mix((key ^ np.uint64(stream)) + np.uint64(GOLDEN))


@inlined
def bits32(key: Any, position: Any) -> Any:
    """The 32 random bits at a position of a stream."""
    return np.int64(mix(key + np.uint64(position + 1) * np.uint64(GOLDEN)) >> np.uint64(32))


@fast
def draw(position: Any, key: Any, rules: Any) -> Any:
    """The piece at a position of the game."""
    n = rules.pieces
    if rules.draw < 0:
        return rules.edges[position % -rules.draw]
    if rules.draw == 0:
        bits, piece = bits32(key, position), 0
        for i in range(n - 1):
            piece += bits >= rules.edges[i]
        return piece
    place = position % n
    if rules.bag_start != position - place:
        shuffle(n, key, position - place, rules)
    return rules.bag[place]


@fast
def shuffle(n: Any, key: Any, first: Any, rules: Any) -> None:
    """Fill the bag whose pieces come at positions from `first` on."""
    bag = rules.bag
    for i in range(n):
        bag[i] = i
    for i in range(n - 1, 0, -1):
        j = (bits32(key, first + i) * (i + 1)) >> 32
        bag[i], bag[j] = bag[j], bag[i]
    rules.bag_start = first
