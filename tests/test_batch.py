"""Games of many players at once are the games that each would play alone."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules

from tetriscourse.errors import InputError
from tetriscourse.features import FEATURE_SETS, as_feature_set
from tetriscourse.game.rules import RULES
from tetriscourse.games import play_game
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.players import PLAYERS, Player, fixed_point
from tetriscourse.simulator import simulate
from tetriscourse.simulator.encode import encode, encode_weights, feature_names
from tetriscourse.simulator.games import GameList, Ongoing, play, prepare
from tetriscourse.simulator.playable import LinearPlayers, fixed_points
from tetriscourse.simulator.run import Pool, Stopped

NUMBERS = st.floats(-1e3, 1e3, allow_nan=False) | st.sampled_from([0.0, 1.0, -1.0, 1e-12, -1e12, 5e-324])


def work_for(name, rules, weights, seed=3, games=4):
    rows, numbers = np.repeat(np.arange(len(weights)), games), np.tile(np.arange(games), len(weights))
    return GameList(LinearPlayers.of(FEATURE_SETS[name], np.array(weights, float)), rules, seed, numbers, rows)


# --- weights --------------------------------------------------------------------------------------


@given(rows=st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_weights_of_many_players_are_rounded_as_those_of_one(rows):
    assert fixed_points(np.array(rows)).tolist() == [list(fixed_point(row)[0]) for row in rows]


@pytest.mark.slow
@settings(THOROUGH, max_examples=40)
@given(data=st.data(), rules=any_rules(), name=st.sampled_from([*FEATURE_SETS]))
def test_the_numbers_of_many_players_are_those_of_each(data, rules, name):
    size = FEATURE_SETS[name].size(rules.width)
    weights = data.draw(st.lists(st.lists(NUMBERS, min_size=size, max_size=size), min_size=1, max_size=3))
    players = [Player(name, row) for row in weights]
    together = encode_weights(feature_names(players[0]), rules, fixed_points(np.array(weights, float)))
    for row, player in zip(together, players, strict=True):
        alone = encode(player, rules).players[0]
        for field in row.dtype.names:
            if not field.endswith("_program"):
                np.testing.assert_array_equal(row[field], alone[field], field)


# --- games ----------------------------------------------------------------------------------------


@settings(THOROUGH, max_examples=25)
@given(data=st.data(), rules=any_rules(), name=st.sampled_from(["dn", "bertsekas", "tetrisbot", "rv-ce"]))
def test_a_list_of_games_is_what_each_player_plays_alone(data, rules, name):
    rules, size = replace(rules, max_pieces=40), FEATURE_SETS[name].size(rules.width)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    weights = rng.normal(size=(3, size)) * 10.0 ** rng.integers(-3, 4, size=(3, 1))
    played = play(work_for(name, rules, weights))
    for row, values in enumerate(weights):
        alone = simulate(Player(name, values.tolist()), rules, games=4, seed=3, threads=1)
        mine = slice(4 * row, 4 * row + 4)
        for count in ("lines", "pieces", "points", "finished"):
            np.testing.assert_array_equal(getattr(played, count)[mine], getattr(alone, count))


def test_a_list_in_any_order_and_cut_anywhere_gives_the_same_games():
    rng = np.random.default_rng(1)
    work = work_for("dn", RULES["10x10"], rng.normal(size=(5, 8)), games=6)
    order = rng.permutation(len(work))
    shuffled = replace(work, rows=work.rows[order], numbers=work.numbers[order])
    whole = play(work)
    np.testing.assert_array_equal(play(shuffled).lines, whole.lines[order])
    cuts = [0, 1, 1, 7, 20, 30]
    parts = [play(work.part(a, b)).pieces for a, b in pairwise(cuts)]
    np.testing.assert_array_equal(np.concatenate(parts), whole.pieces)


def test_a_part_carries_only_the_players_that_it_needs_and_travels_as_plain_data():
    work = work_for("dellacherie", RULES["10x10"], np.arange(60.0).reshape(10, 6), games=2)
    part = pickle.loads(pickle.dumps(work.part(3, 6)))
    assert part.players.weights.tolist() == work.players.weights[[1, 2]].tolist()
    assert part.players.features == tuple(feature.name for feature in FEATURE_SETS["dellacherie"].features)
    np.testing.assert_array_equal(play(part).lines, play(work).lines[3:6])


def test_features_of_one_s_own_play_the_same_games_in_plain_python():
    def high_columns(move):
        return sum(height > 3 for height in move.after.heights)

    features = as_feature_set(["holes", high_columns])
    rules = replace(RULES["6x12"], max_pieces=20)
    weights = np.array([[-4.0, -1.0], [-1.0, -3.0]])
    players = LinearPlayers.of(features, weights)
    prepare(players, rules)  # nothing to compile, and no error
    played = play(GameList(players, rules, 5, np.array([0, 7]), np.array([1, 0])))
    first = play_game(Player(features, weights[1].tolist()), rules, 5, 0)
    second = play_game(Player(features, weights[0].tolist()), rules, 5, 7)
    assert played.lines.tolist() == [first.lines, second.lines]
    assert played.pieces.tolist() == [first.pieces, second.pieces]


def test_the_same_catalogue_features_in_plain_python_agree_with_the_simulator():
    rules = replace(RULES["10x10"], max_pieces=30)
    work = work_for("dn", rules, [PLAYERS["dn"].weights], games=2)

    def nothing(move):
        return 0

    features = as_feature_set([*FEATURE_SETS["dn"].features, nothing])
    slow = replace(work, players=LinearPlayers.of(features, np.append(work.players.weights, [[0.0]], axis=1)))
    np.testing.assert_array_equal(play(slow).lines, play(work).lines)
    np.testing.assert_array_equal(play(slow).finished, play(work).finished)


def test_games_that_are_asked_to_stop_are_not_taken_for_results():
    work = work_for("dn", RULES["research"], [PLAYERS["dn"].weights], games=1)
    stopped = Ongoing()
    stopped.stop()
    assert not play(work, stopped).begun.any()
    with Pool() as pool:
        pool.stop()
        with pytest.raises(Stopped):
            pool.play(work)


@pytest.mark.parametrize("weights", [np.zeros((2, 7)), np.zeros(8), np.full((1, 8), np.nan)])
def test_weights_that_do_not_fit_the_features_are_refused(weights):
    with pytest.raises(InputError, match="weights"):
        Objective("dn").work(weights, 0)
