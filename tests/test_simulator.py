"""The simulator values every move as the readable layer does, on every board and under all rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import THOROUGH, any_player, any_rules, random_board

from tetriscourse.features import FEATURE_SETS, FEATURES
from tetriscourse.game.moves import moves
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.simulator import background, values

SETS = [*FEATURE_SETS.values()]
THE_REST = FEATURES.keys() - {feature.name for one in SETS for feature in one.features}
COMPARED = {"moves": 0}


def compare_all_moves(player: Player | Filter, rules: Rules, seed: int, boards: int) -> None:
    """On random boards, the simulator lists the same moves with the same values."""
    rng = np.random.default_rng(seed)
    for _ in range(boards):
        board, piece = random_board(rules, rng), rules.pieces[rng.integers(len(rules.pieces))]
        found, allowed = values(player, board, piece, rules), moves(board, piece, rules)
        expected = np.full_like(found, np.nan)
        for move in allowed:
            expected[move.orientation, move.column] = player.value(move)
        COMPARED["moves"] += len(allowed)
        np.testing.assert_array_equal(found, expected, f"\n{board}\n{piece}, {rules}, {player}")


@pytest.fixture(params=["own programs", "programs for all features"])
def programs_of(request, monkeypatch):
    """Players play with programs of their own, or with those that play until their own are compiled."""
    own = request.param == "own programs"
    monkeypatch.setattr(background, "are_ready", lambda choice: own)
    monkeypatch.setattr(background.Compiler, "request", lambda *_: None)


@pytest.mark.slow
@pytest.mark.usefixtures("programs_of")
@pytest.mark.parametrize("features", [*SETS, sorted(THE_REST)], ids=[*FEATURE_SETS, "the rest"])
def test_every_move_has_the_value_that_the_readable_layer_gives_it(features):
    COMPARED["moves"] = 0

    @settings(THOROUGH, max_examples=50)
    @given(data=st.data(), rules=any_rules(), seed=st.integers(0, 2**32))
    def holds(data, rules, seed):
        compare_all_moves(data.draw(any_player(features, rules.width)), rules, seed, boards=9)

    holds()
    # Eleven feature sets, twice: at least 100,000 moves in all.
    assert COMPARED["moves"] >= 5_000


@pytest.mark.parametrize("rules", RULES.values(), ids=list(RULES))
def test_the_named_rules_too(rules):
    compare_all_moves(PLAYERS["dn"], replace(rules, pieces_known=1), seed=1, boards=25)


def test_values_too_large_for_a_lane_are_still_exact():
    rules = Rules(16, 27)
    player = Player(["wells", "holes", "row_transitions"], [-1000.0, 999.0, 998.5])
    compare_all_moves(player, rules, seed=2, boards=60)
