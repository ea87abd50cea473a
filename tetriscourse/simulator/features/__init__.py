"""Features as the simulator computes them, one class each: its value on a board and how a drop changes it.

A *term* has a weight of its own. Its `change` is computed in lanes for all drops of a piece that clear no row; its
`total` is computed for the few boards that are valued in full. Other features are sums of terms.

To compile a feature of the catalogue, write its class in one of these modules. `tests/test_simulator.py` then compares
its values with the definition in tetriscourse/features.py.
"""

from __future__ import annotations

from tetriscourse.features import FEATURES, Feature
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features import cells, heights, landing, wells
from tetriscourse.simulator.features.forms import COMPILED, TERMS, Compiled, Size, Source, Term
from tetriscourse.simulator.lanes import Lanes

__all__ = [
    "COMPILED", "TALL", "TERMS", "Compiled", "Size", "Source", "Term", "cells", "change_of_value", "chosen_terms",
    "heights", "is_compiled", "landing", "wells",
]  # fmt: skip

TALL = 1 << len(TERMS)  # bit of a choice of terms: cells can be as high as bit 31


def chosen_terms(choice: int) -> tuple[list[Term], bool]:
    """The terms that have a weight, from a number with a bit for each; whether cells can be as high as bit 31."""
    return [term for term in TERMS if choice >> term.number & 1], choice & TALL != 0


def change_of_value(drop: Drop, terms: list[Term]) -> Lanes:
    """The change of the player's value by each drop that clears no row: each term's change times its weight."""
    total = drop.number(0)
    for term in terms:
        change = term.change(drop)
        if change is not None:
            total = total + (change if term.weighted else change * drop.weight(term.number))
    return total


def is_compiled(feature: Feature) -> bool:
    """Whether the simulator knows this very feature, not only one of its name."""
    return FEATURES.get(feature.name) is feature and feature.name in COMPILED
