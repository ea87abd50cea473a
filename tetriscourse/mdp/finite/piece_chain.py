"""What is known of the next pieces, as a small Markov chain: nothing, the piece in hand, what is left in the bag.

V belongs to a board and a memory. In a memory, chance has some outcomes; each says which piece is placed now, which
next one is seen while it is placed (if any), and what is known afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tetriscourse.game.rules import Draw, Rules
from tetriscourse.random_numbers import Floats, Ints

Left = frozenset[int] | None
"""The pieces that are left in the bag; None when they are drawn independently."""
EMPTY: frozenset[int] = frozenset()
"""A bag that is used up, which is as good as a new one."""
Key = tuple[int | None, Left]
"""The piece in hand, if it is known before the next one is drawn, and the rest of the bag."""
Outcome = tuple[float, int, int | None, Key]
"""Its probability, the piece to place, the next piece that is seen, and the memory afterwards."""


@dataclass(frozen=True, eq=False)
class Memory:
    """The chain as arrays: memory m has the outcomes edges[m] to edges[m + 1] - 1."""

    keys: tuple[Key, ...]
    start: Floats
    """How probable each memory is at the beginning."""
    edges: Ints
    choices: tuple[tuple[int, int | None], ...]
    """Every (piece to place, next piece that is seen) that occurs."""
    chosen: Ints
    """Of each outcome: which choice."""
    following: Ints
    """Of each outcome: the next memory."""
    probabilities: Floats

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def pieces(self) -> Ints:
        """The pieces that come at all."""
        return np.array(sorted({piece for piece, _ in self.choices}), np.int64)

    @property
    def placed(self) -> Ints:
        """Of each outcome: the place in `pieces` of the piece to place."""
        piece_of_choice = np.array([piece for piece, _ in self.choices])
        placed: Ints = np.searchsorted(self.pieces, piece_of_choice[self.chosen])
        return placed


def draws(rules: Rules, left: Left) -> Iterator[tuple[float, int, Left]]:
    """Which pieces can be drawn, how probably, and what is left then; an empty bag is a full one."""
    if rules.draw is Draw.INDEPENDENT:
        weights = rules.probabilities or (1.0,) * len(rules.pieces)
        yield from ((weight / sum(weights), piece, None) for piece, weight in enumerate(weights) if weight)
        return
    pool = left or whole_bag(rules)
    ready = sorted(pool)[: 1 if rules.draw is Draw.BY_TURNS else None]
    yield from ((1 / len(ready), piece, pool - {piece}) for piece in ready)


def whole_bag(rules: Rules) -> frozenset[int]:
    """All pieces that come in a round."""
    return frozenset(rules.possible)


def left_after(rules: Rules, drawn: Iterable[int]) -> Left:
    """What is left of a round of which these were drawn."""
    if not has_rounds(rules):
        return None
    gone = list(drawn)
    if rules.draw is Draw.BY_TURNS and gone:  # the last one tells which came before it
        gone = list(range(gone[-1] + 1))
    return known_left(rules, whole_bag(rules) - frozenset(gone))


def has_rounds(rules: Rules) -> bool:
    """Whether no piece comes again before all have come."""
    return rules.draw is not Draw.INDEPENDENT


def known_left(rules: Rules, left: frozenset[int]) -> frozenset[int]:
    """The same set as a memory has it: a new bag is an empty one, whose next piece comes from a new one."""
    return EMPTY if left == whole_bag(rules) else left


def outcomes(rules: Rules, key: Key) -> Iterator[Outcome]:
    """What can happen next."""
    hand, left = key
    for probability, drawn, rest in draws(rules, left):
        if rules.pieces_known == 1:
            yield probability, drawn, None, (None, rest)
        else:
            assert hand is not None, "with two pieces known, one is in hand"
            yield probability, hand, drawn, (drawn, rest)


def start_of(rules: Rules) -> dict[Key, float]:
    """What is known at the beginning, with its probability."""
    if rules.pieces_known == 1:
        return {(None, EMPTY if has_rounds(rules) else None): 1.0}
    return {(drawn, rest): probability for probability, drawn, rest in draws(rules, None)}


@lru_cache(maxsize=16)
def memory_of(rules: Rules) -> Memory:
    """The chain of a game's pieces: all memories that can be reached."""
    start = start_of(rules)
    keys = list(start)
    for key in keys:  # grows while it is followed
        keys += [one[3] for one in outcomes(rules, key) if one[3] not in keys]
    number = {key: m for m, key in enumerate(keys)}
    listed = [list(outcomes(rules, key)) for key in keys]
    flat = [one for some in listed for one in some]
    choices = list(dict.fromkeys((piece, seen) for _, piece, seen, _ in flat))
    return Memory(
        tuple(keys),
        np.array([start.get(key, 0.0) for key in keys]),
        np.cumsum([0] + [len(some) for some in listed]),
        tuple(choices),
        np.array([choices.index((piece, seen)) for _, piece, seen, _ in flat]),
        np.array([number[after] for *_, after in flat]),
        np.array([probability for probability, *_ in flat]),
    )
