"""A feature is declared in three places: its definition, compiled form and drawing. These tests say what is missing."""

from __future__ import annotations

import numpy as np
import pytest

from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.rules import Rules
from tetriscourse.players import Player
from tetriscourse.simulator import SlowWarning, simulate
from tetriscourse.simulator.features import COMPILED, TERMS, Term, is_compiled
from tetriscourse.widgets.highlights import HIGHLIGHTS

RULES = Rules(6, 6, max_pieces=8)


def lacks(feature: Feature) -> list[str]:
    """Everything that a feature of the catalogue still lacks, each with the place where it belongs."""
    missing = []
    if not feature.describe:
        missing.append("a docstring in tetriscourse/features/")
    if feature.better not in (-1, 0, 1):
        missing.append("a direction in tetriscourse/features/: @catalogued(..., better=+1, -1 or 0)")
    if not feature.symbol:
        missing.append("a symbol in tetriscourse/features/: @catalogued(symbol, ...)")
    if feature.name not in COMPILED:
        missing.append("a compiled form in tetriscourse/simulator/features/: until then it plays in plain Python only")
    if feature.name not in HIGHLIGHTS:
        missing.append("a drawing in tetriscourse/widgets/highlights.py or surface_highlights.py")
    return missing


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_has_all_that_it_needs(name):
    assert not lacks(FEATURES[name]), f"{name} lacks " + "; and ".join(lacks(FEATURES[name]))


def test_nothing_is_compiled_or_drawn_that_is_no_feature():
    assert COMPILED.keys() <= FEATURES.keys(), "simulator/features/ has a name that features/ lacks"
    assert HIGHLIGHTS.keys() <= FEATURES.keys(), "widgets/*highlights.py has a name that features/ lacks"


def test_terms_are_numbered_in_order():
    assert [term.number for term in TERMS] == list(range(len(TERMS)))
    assert all(isinstance(term, Term) for one in COMPILED.values() for term in one.terms())


@pytest.mark.parametrize("name", COMPILED)
def test_a_bound_on_a_feature_holds_on_random_moves(name):
    from strategies import random_board

    from tetriscourse.simulator.encode import size_of

    rng, largest = np.random.default_rng(1), COMPILED[name].largest(size_of(RULES))
    for piece in PIECES.values():
        for move in moves(random_board(RULES, rng), piece, RULES):
            assert np.max(np.abs(FEATURES[name](move))) * COMPILED[name].halves <= largest


def test_a_feature_without_a_compiled_form_plays_in_plain_python(monkeypatch):
    def cells(move: Move) -> float:
        """Full cells of the board after the move."""
        return float(move.after.full.sum())

    monkeypatch.setitem(FEATURES, "cells", Feature("cells", "c", cells.__doc__ or "", cells))
    assert any("compiled form" in one for one in lacks(FEATURES["cells"]))
    assert not is_compiled(FEATURES["cells"])
    player = Player(["holes", "cells"], [-1.0, -0.5])
    with pytest.warns(SlowWarning):
        scores = simulate(player, RULES, games=2, seed=1, progress=False)
    assert scores.pieces.sum() > 0
