"""Rules, players and boards of every kind, for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tetriscourse.game.board import Board
from tetriscourse.game.rules import Draw, Entry, GameOver, LosingMoves, Rules, Scoring
from tetriscourse.players import Player

NUMBERS = st.one_of(st.floats(-10, 10), st.integers(-3, 3).map(float), st.just(0.0))
THOROUGH = settings(max_examples=55, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def any_rules(draw: st.DrawFn, **fixed: object) -> Rules:
    """Rules of any size and kind."""
    chosen: dict[str, object] = {
        "width": draw(st.integers(4, 16)),
        "height": draw(st.one_of(st.integers(4, 28), st.integers(4, 10), st.sampled_from([27, 28]))),
        "bag": draw(st.sampled_from(["research", "rapid", "classic", "domino"])),
        "draw": draw(st.sampled_from(Draw)),
        "game_over": draw(st.sampled_from(GameOver)),
        "losing_moves": draw(st.sampled_from(LosingMoves)),
        "entry": draw(st.sampled_from(Entry)),
        "scoring": draw(st.sampled_from(Scoring)),
    }
    return Rules(**(chosen | fixed))  # type: ignore[arg-type]


@st.composite
def any_player(draw: st.DrawFn, features: object, width: int) -> Player:
    """A player with any weights for these features."""
    size = features.size(width) if hasattr(features, "size") else len(features)  # type: ignore[arg-type]
    return Player(features, draw(st.lists(NUMBERS, min_size=size, max_size=size)))  # type: ignore[arg-type]


def random_board(rules: Rules, rng: np.random.Generator) -> Board:
    """A board without full rows: cells at random, under a random skyline."""
    cells = rng.random((rules.height, rules.width)) < rng.choice([0.3, 0.5, 0.7, 0.85, 0.95])
    skyline = rng.integers(0, rng.integers(1, rules.height + 2), rules.width)
    if rng.random() < 0.3:
        skyline[:] = skyline.max()
    cells &= np.arange(rules.height)[:, None] < skyline
    full = cells.all(axis=1)
    cells[full, rng.integers(0, rules.width, full.sum())] = False
    return Board(cells.astype(np.int8))
