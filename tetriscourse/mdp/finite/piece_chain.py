"""The pieces of a game as a small Markov chain, whose state is what is known of the pieces to come.

That may be nothing, the piece in hand, or what is left in the bag. V belongs to a board and a state of this chain. In
each state chance has some outcomes: the piece to place now, the next piece seen meanwhile (if any), and what is known
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tetriscourse.game.rules import Draw, Rules
from tetriscourse.random_numbers import Floats, Ints

Left = frozenset[int] | None  # the pieces left in the bag; None if they are drawn independently
EMPTY: frozenset[int] = frozenset()  # a bag that is used up, which is equivalent to a new one
Key = tuple[int | None, Left]  # a state: the piece in hand if it is known before the next draw, the rest of the bag
NextPieces = tuple[float, int, int | None, Key]  # probability, piece to place, next piece if it is seen, state after


@dataclass(frozen=True, eq=False)
class PieceChain:
    """The chain as arrays: state m has the outcomes edges[m] to edges[m + 1] - 1."""

    keys: tuple[Key, ...]
    start: Floats  # the probability of each state at the beginning
    edges: Ints
    choices: tuple[tuple[int, int | None], ...]  # every (piece to place, next piece seen) that occurs
    chosen: Ints  # the choice of each outcome
    following: Ints  # the next state after each outcome
    probabilities: Floats

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def pieces(self) -> Ints:
        """The pieces that can come."""
        return np.array(sorted({piece for piece, _ in self.choices}), np.int64)

    @property
    def placed(self) -> Ints:
        """The piece to place in each outcome, as an index in `pieces`."""
        piece_of_choice = np.array([piece for piece, _ in self.choices])
        return np.asarray(np.searchsorted(self.pieces, piece_of_choice[self.chosen]))


def draws(rules: Rules, left: Left) -> Iterator[tuple[float, int, Left]]:
    """The pieces that can be drawn: probability, piece, and what is left then; an empty bag is a full one."""
    if rules.draw is Draw.INDEPENDENT:
        weights = rules.probabilities or (1.0,) * len(rules.pieces)
        yield from ((weight / sum(weights), piece, None) for piece, weight in enumerate(weights) if weight)
        return
    pool = left or frozenset(rules.possible)
    ready = sorted(pool)[: 1 if rules.draw is Draw.BY_TURNS else None]
    yield from ((1 / len(ready), piece, pool - {piece}) for piece in ready)


def left_after(rules: Rules, drawn: Iterable[int]) -> Left:
    """The rest of a round of which these pieces were drawn."""
    if rules.draw is Draw.INDEPENDENT:
        return None
    gone = list(drawn)
    if rules.draw is Draw.BY_TURNS and gone:  # the last one tells which came before it
        gone = list(range(gone[-1] + 1))
    return known_left(rules, frozenset(rules.possible) - frozenset(gone))


def known_left(rules: Rules, left: frozenset[int]) -> frozenset[int]:
    """The rest of a bag as states have it: a full bag counts as an empty one, which is refilled."""
    return EMPTY if left == frozenset(rules.possible) else left


def outcomes(rules: Rules, key: Key) -> Iterator[NextPieces]:
    """Everything that can happen next."""
    hand, left = key
    for probability, drawn, rest in draws(rules, left):
        if rules.pieces_known == 1:
            yield probability, drawn, None, (None, rest)
        else:
            assert hand is not None, "with two pieces known, one is in hand"
            yield probability, hand, drawn, (drawn, rest)


def start_of(rules: Rules) -> dict[Key, float]:
    """The states at the beginning, with their probabilities."""
    if rules.pieces_known == 1:
        return {(None, None if rules.draw is Draw.INDEPENDENT else EMPTY): 1.0}
    return {(drawn, rest): probability for probability, drawn, rest in draws(rules, None)}


@lru_cache(maxsize=16)
def piece_chain(rules: Rules) -> PieceChain:
    """The chain of a game's pieces: all states that can be reached."""
    start = start_of(rules)
    keys = list(start)
    for key in keys:  # grows during the loop
        keys += [one[3] for one in outcomes(rules, key) if one[3] not in keys]
    number = {key: m for m, key in enumerate(keys)}
    listed = [list(outcomes(rules, key)) for key in keys]
    flat = [one for some in listed for one in some]
    choices = list(dict.fromkeys((piece, seen) for _, piece, seen, _ in flat))
    return PieceChain(
        tuple(keys),
        np.array([start.get(key, 0.0) for key in keys]),
        np.cumsum([0] + [len(some) for some in listed]),
        tuple(choices),
        np.array([choices.index((piece, seen)) for _, piece, seen, _ in flat]),
        np.array([number[after] for *_, after in flat]),
        np.array([probability for probability, *_ in flat]),
    )
