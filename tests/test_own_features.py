"""Features of your own: found by name, compiled, and the same numbers either way."""

from __future__ import annotations

import math
import pickle
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import THOROUGH, any_player, any_rules, random_board

import tetriscourse as tc
from tetriscourse.features import FEATURES, OWN_FEATURES
from tetriscourse.game.rules import Rules
from tetriscourse.own_features import OwnFeature
from tetriscourse.simulator import SlowWarning, own_features, record, simulate, values
from tetriscourse.simulator.games import GameList, Ongoing, Played, play, play_plainly
from tetriscourse.simulator.playable import LinearPlayers, is_fast
from tetriscourse.widgets import FeaturePanel, TunePanel

SMALL = Rules(6, 8, max_pieces=40)
SLOPE = 0.3


@tc.feature
def roughness(heights):
    """Differences between neighbours, to the power of one and a half."""
    total = 0.0
    for j in range(len(heights) - 1):
        total += abs(heights[j + 1] - heights[j]) ** 1.5
    return total


@tc.feature
def odd_cells(columns, width, height):
    """Full cells in odd rows, weighed by the shape of the board."""
    found = 0
    for column in columns:
        odd = column >> 1
        while odd:
            found += odd & 1
            odd >>= 2
    return found * width / height


@tc.feature(better=+1, symbol="b")
def full_below(cells, lines):
    """Full cells in the lower half, and the lines cleared."""
    return cells[: len(cells) // 2].sum() - SLOPE * lines + cells.shape[0]


@tc.feature(better=+1)
def is_flat(heights):
    """Whether all columns are equally high."""
    return heights.max() == heights.min()


OWN = ("roughness", "odd_cells", "full_below", "is_flat")
SETS = (("holes", "roughness"), ("odd_cells", "landing_height", "full_below"), ("is_flat",), ("wells", *OWN))


@pytest.fixture(autouse=True)
def forget():
    """Features that a test defines are gone after it."""
    before = dict(OWN_FEATURES)
    yield
    OWN_FEATURES.clear()
    OWN_FEATURES.update(before)


# --- the same games -------------------------------------------------------------------------------


@pytest.mark.slow
@THOROUGH
@given(st.data())
def test_compiled_values_of_moves_are_the_plain_ones(data):
    rules = data.draw(any_rules())
    player = data.draw(any_player(data.draw(st.sampled_from(SETS)), rules.width))
    board = random_board(rules, np.random.default_rng(data.draw(st.integers(0, 999))))
    for piece in rules.pieces:
        found, expected = values(player, board, piece, rules), np.full((4, rules.width), np.nan)
        for move in tc.moves(board, piece, rules):
            expected[move.orientation, move.column] = player.value(move)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
@THOROUGH
@given(st.data())
def test_compiled_games_are_the_plain_ones(data):
    rules = data.draw(any_rules(max_pieces=12, pieces_known=data.draw(st.sampled_from([1, 1, 1, 2]))))
    if rules.pieces_known == 2:
        rules = Rules(5, 6, max_pieces=4, pieces_known=2, losing_moves=rules.losing_moves, entry=rules.entry)
    player = data.draw(any_player(data.draw(st.sampled_from(SETS)), rules.width))
    seed = data.draw(st.integers(0, 99))
    game = tc.play_game(player, rules, seed, 3)
    moves = [(rules.number_of(move.piece), move.orientation, move.column) for move in game.moves]
    assert record(player, rules, seed, 3, rules.max_pieces) == moves


def test_many_players_at_once_play_like_each_in_plain_python():
    weights = np.random.default_rng(4).normal(size=(5, 3))
    players = LinearPlayers.of(tc.as_feature_set(["holes", "roughness", "full_below"]), weights)
    assert is_fast(players, SMALL)
    games = GameList(players, SMALL, 7, np.arange(10), np.repeat(np.arange(5), 2))
    fast, plain = play(games), Played.nothing(10)
    play_plainly(games, plain, Ongoing())
    np.testing.assert_array_equal(fast.results, plain.results)
    np.testing.assert_array_equal(fast.heights, plain.heights)


# --- names ----------------------------------------------------------------------------------------


def test_a_name_is_good_everywhere():
    player = tc.Player(["holes", "roughness"], [-4, -1])
    assert player.features.features[1] is roughness
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert simulate(player, SMALL, games=3, progress=False).pieces.sum() > 0
        run = tc.train(
            tc.CrossEntropy(2, population=6, iterations=2, seed=1), tc.Objective(["holes", "roughness"], SMALL)
        )
    assert run.player().features.features[1] is roughness
    assert tc.Filter(["holes", "-roughness", "is_flat"]).criteria[2].sign == 1
    assert "roughness" not in FEATURES


def test_the_feature_panel_knows_it_by_name():
    panel = FeaturePanel("roughness", seed=2, features=["odd_cells"])
    assert panel.feature == roughness
    assert panel.data["words"]["text"] == f"roughness = {roughness(panel.move):g}"
    panel.receive({"event": "feature", "value": "odd_cells"})
    assert panel.feature == odd_cells


def test_a_panel_tunes_an_own_feature_at_full_speed():
    panel = TunePanel(tc.Player(["holes", "roughness"], [-4, -1]), rules=SMALL, games=50)
    assert "roughness" in panel.describe()
    assert not any("plain Python" in note for note in panel._notices())
    assert panel.contest.trials[0].games == 50
    panel.close()


def test_a_feature_can_be_defined_again():
    def define(power):
        @tc.feature
        def steep(heights):
            return float(heights.max()) ** power

        return steep

    first, second = define(1), define(2)
    assert OWN_FEATURES["steep"] is second
    assert tc.Player(["steep"], [1]).features.features[0] is second
    move = tc.moves(tc.Board.empty(6, 8), "O")[0]
    for one, expected in ((first, 2), (second, 4)):
        assert one(move) == expected
        assert values(tc.Player([one], [1]), tc.Board.empty(6, 8), "O")[0, 0] == expected


def test_a_value_from_outside_may_change(monkeypatch):
    board, player = tc.Board.empty(6, 8), tc.Player(["full_below"], [1])
    before = values(player, board, "I")
    monkeypatch.setitem(globals(), "SLOPE", 5.0)
    move = next(one for one in tc.moves(tc.Board.from_text("XXXXX.", height=8), "I") if one.rows)
    found = values(player, move.before, "I")
    assert found[move.orientation, move.column] == player.value(move) != before[0, 0]


def test_a_feature_travels_to_another_process_with_its_function():
    assert pickle.loads(pickle.dumps(roughness)) == roughness
    assert roughness.function.__qualname__ == "roughness.function"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@tc.feature\ndef holes(heights): return 1", "called holes, as one of the catalogue"),
        ("@tc.feature\ndef mine(height, hights): return 1", "'hights'; did you mean 'heights'"),
        ("@tc.feature\ndef mine(): return 1", "no parameters; it must have some of heights, columns"),
        ("@tc.feature(better=2)\ndef mine(heights): return 1", "better is 2; it must be"),
        ("tc.feature(3)", "feature is 3; it must be a function"),
    ],
)
def test_what_no_feature_can_be_is_an_error(text, words):
    with pytest.raises(tc.InputError, match=words):
        exec(text, {"tc": tc})


# --- what cannot be compiled ----------------------------------------------------------------------


def warned(player, rules=SMALL):
    """The text of the warning that a player is slow."""
    with pytest.warns(SlowWarning) as found:
        scores = simulate(player, rules, games=1, seed=2, progress=False)
    assert scores.lines.tolist() == [tc.play_game(player, rules, 2, 0).lines]
    return str(found[0].message)


def test_the_line_that_stands_in_the_way_is_named():
    @tc.feature
    def sorted_runs(heights):
        """Different pairs of neighbours."""
        total = 0
        pairs = {f"{a}{b}": a for a, b in pairwise(heights)}
        return total + len(pairs)

    text = warned(tc.Player(["holes", sorted_runs], [-1, -1], name="mine"))
    assert text.startswith("mine plays in plain Python, a few hundred moves a second instead of")
    assert "sorted_runs cannot be compiled because of its line 5, `pairs = {f" in text


def test_a_function_of_a_move_is_told_what_to_take_instead():
    @tc.feature
    def top(move):
        return int(move.after.heights.max())

    assert "top is a function of a move; take heights, columns or cells instead" in warned(tc.Player([top], [-1]))
    assert "put @tc.feature above" in warned(tc.Player([lambda move: move.rows], [-1]))


def test_a_function_that_returns_no_number_is_refused_and_then_fails():
    @tc.feature
    def ends(heights):
        return heights[0], heights[-1]

    slow = pytest.warns(SlowWarning, match="ends cannot be compiled: it may return")
    with slow, pytest.raises(tc.InputError, match="must be one number"):
        simulate(tc.Player([ends], [1]), SMALL, 1)


def test_a_filter_with_an_own_feature_says_that_it_is_slow():
    assert "compiled for a Player, not for a Filter" in warned(tc.Filter(["holes", "roughness"]))


def test_an_array_cannot_be_changed_in_either_form():
    @tc.feature
    def spoiled(heights):
        heights[0] = 3
        return 1

    with (
        pytest.warns(SlowWarning, match="its line 3, `heights\\[0\\] = 3`"),
        pytest.raises(ValueError, match="read-only"),
    ):
        simulate(tc.Player([spoiled], [1]), SMALL, 1)


# --- differences and failures ---------------------------------------------------------------------


def test_a_difference_between_the_forms_is_an_error_that_shows_the_board(monkeypatch):
    @tc.feature
    def crooked(heights):
        return heights[0]

    other = own_features.compiled_now(OwnFeature("x", "x", "", lambda heights: heights[0] // 9, sees=("heights",)))
    monkeypatch.setattr(own_features, "compiled_now", lambda feature: other)
    with pytest.raises(tc.InputError, match=r"crooked gives \d+ in plain Python and gives \d+ compiled") as error:
        simulate(tc.Player([crooked], [1]), SMALL, 1)
    assert len(str(error.value).splitlines()) == 21
    assert set("".join(str(error.value).splitlines()[1:])) <= set(".X")


@pytest.mark.parametrize("wrong", [math.inf, math.nan, 1e6])
def test_a_value_that_is_no_number_stops_the_games(wrong):
    @tc.feature
    def wild(lines, heights):
        return wrong if heights.sum() == 12 else lines

    with pytest.raises(tc.InputError, match=r"feature wild gave .* for a move; it must be one number"):
        simulate(tc.Player([wild], [1]), SMALL, 5, progress=False)


def test_an_error_in_a_compiled_feature_is_told_with_its_board():
    @tc.feature
    def sharp(heights):
        if heights.sum() == 12:
            raise ValueError("twelve")
        return 1 / heights.sum()

    with pytest.raises(
        tc.InputError, match=r"feature sharp fails on the board below \(ValueError: 'twelve'\)"
    ) as error:
        simulate(tc.Player([sharp, "holes"], [1, -1]), Rules(6, 8), 5, progress=False)
    assert str(error.value).count("\n") == 8


def test_an_index_out_of_bounds_is_an_error_in_either_form():
    @tc.feature
    def neighbour(heights):
        return heights[10]

    with pytest.raises(tc.InputError, match=r"neighbour fails .*IndexError"):
        simulate(tc.Player([neighbour], [1]), Rules(10, 10), 1, progress=False)
    assert simulate(tc.Player([neighbour], [1]), Rules(12, 8, max_pieces=9), 1, progress=False).pieces[0] > 0


def test_values_are_rounded_to_the_same_multiples():
    @tc.feature
    def third(lines):
        return (lines + 1) / 3

    move = tc.moves(tc.Board.empty(6, 8), "O")[0]
    assert third(move) == 341 / 1024
    assert values(tc.Player([third], [1]), move.before, "O")[0, 0] == 341 / 1024


@pytest.mark.slow
def test_the_exact_value_of_a_player_counts_own_features_too():
    rules = Rules(4, 4, bag="domino")

    @tc.feature
    def same_bumps(heights):
        return np.abs(np.diff(heights)).sum()

    players = [tc.Player(["holes", one], [-4, -1]) for one in (same_bumps, "bumpiness")]
    one, other = (tc.exact_value(player, rules, gamma=0.9) for player in players)
    assert one.start == pytest.approx(other.start)
