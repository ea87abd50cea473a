"""Features as the simulator computes them, one class each: its value on a board and how a drop changes it.

A *term* has a weight of its own. Its `change` is computed in lanes for all drops of a piece that clear no row; its
`total` is computed for the few boards that are valued in full. Other features are sums of terms.

To compile a feature of the catalogue, write its class in one of these modules. `tests/test_simulator.py` then compares
its values with the definition in tetriscourse/features/.
"""

from __future__ import annotations

from functools import reduce
from itertools import groupby
from operator import or_
from typing import Any

from llvmlite import ir

from tetriscourse.features import FEATURES, Feature
from tetriscourse.simulator.columns import BoardLanes
from tetriscourse.simulator.control_flow import when, when_number
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features import cells, heights, landing, surface, wells
from tetriscourse.simulator.features.forms import COMPILED, TERMS, Compiled, Size, Source, Term, WholeTerm
from tetriscourse.simulator.lanes import INT, WORD, Lanes, splat

__all__ = [
    "COMPILED", "TERMS", "Compiled", "Size", "Source", "Term", "cells", "change_of_value", "change_with_skips",
    "chosen_terms", "heights", "is_compiled", "landing", "surface", "value_before", "value_of_columns", "wells",
]  # fmt: skip


def chosen_terms(bits: int) -> list[Term]:
    """The terms that have a weight, from a number with a bit for each."""
    return [term for term in TERMS if bits >> term.number & 1]


def families(terms: list[Term]) -> list[list[Term]]:
    """The terms, those of a family together."""
    return [list(family) for _, family in groupby(terms, lambda term: term.family or term.number)]


def change_of_value(drop: Drop, terms: list[Term], before: Any) -> Lanes:
    """The change of the player's value by each drop that clears no row: each term's change times its weight.

    before: the value of the whole terms on the present board (`value_before`).
    """
    total = drop.number(0)
    for term in terms:
        change = None if isinstance(term, WholeTerm) else term.change(drop)
        if change is not None:
            total = total + (change if term.weighted else change * drop.weight(term.number))
    for term in terms:
        if isinstance(term, WholeTerm):
            total = total + term.weighed_after(drop, drop.weight(term.number))
    return total - splat(drop.builder, before, drop.lanes)


def value_before(drop: Drop, terms: list[Term]) -> Any:
    """The value of the whole terms on the present board, to be subtracted once for all of them."""
    builder, value = drop.builder, ir.Constant(INT, 0)
    for term in terms:
        if isinstance(term, WholeTerm):
            value = builder.add(value, builder.mul(term.before(drop), drop.weight_number(term.number)))
    return value


def change_with_skips(drop: Drop, terms: list[Term]) -> Lanes:
    """`change_of_value` that looks at each family of terms first whether any of them has a weight."""
    total = drop.number(0)
    for family in families(terms):
        weights = [drop.weight(term.number) for term in family]

        def with_family(
            total: Lanes = total, family: list[Term] = family, weights: list[Lanes] = weights
        ) -> tuple[Lanes, Lanes]:
            for term, weight in zip(family, weights, strict=True):
                change = term.change(drop)
                if change is not None:
                    total = total + (change if term.weighted else change * weight)
            return total, drop.unusual

        total, drop.unusual = when(reduce(or_, weights).first(), (total, drop.unusual), with_family)
        drop.shared.clear()  # what is computed in there is not known elsewhere
    return total


def value_of_columns(board: BoardLanes, terms: list[Term], weights: Any, skips: bool = False) -> Any:
    """The weighted sum of the terms of a board, but for what the kernels add.

    skips: at each term, look first whether it has a weight.
    """
    builder, value = board.builder, ir.Constant(WORD, 0)
    shares = [term.shares(board) for term in terms] if not skips else []
    sums = board.totals([one for one in shares if one is not None])
    for i, term in enumerate(terms):
        weight = builder.load(builder.gep(weights, [ir.Constant(WORD, term.number)]))

        def with_term(value: Any = value, term: Term = term, weight: Any = weight, i: int = i) -> Any:
            if term.weighted:
                return builder.add(value, term.weighted_total(board, weights))
            own = term.shares(board) if skips else shares[i]
            added = None if own is None else board.totals([own])[0] if skips else sums.pop(0)
            total = term.total(board, added)
            return value if total is None else builder.add(value, builder.mul(builder.sext(total, WORD), weight))

        value = when_number(builder, weight, value, with_term) if skips else with_term()
    return value


def is_compiled(feature: Feature) -> bool:
    """Whether the simulator knows this very feature, not only one of its name."""
    return FEATURES.get(feature.name) is feature and feature.name in COMPILED
