"""The tune panel in Python: weights, the chosen move, the game that goes on, many games, the rival, and the code."""

import re
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from ipywidgets import Widget
from panel_parts import part, parts
from waiting import stays, wait_until

import tetriscourse as tc
from tetriscourse.simulator import announcing
from tetriscourse.widgets import TunePanel
from tetriscourse.widgets.tuning.contest import PLAIN_GAMES, Trial, common, failed
from tetriscourse.widgets.tuning.live_game import LiveGame
from tetriscourse.widgets.tuning.panel import ZERO
from tetriscourse.widgets.tuning.score_chart import bin_width, interval, is_exponential, score_svg, summary
from tetriscourse.widgets.tuning.weights import Tuned, origins

HOLES = 4  # the number of this weight in Dellacherie's set
LINEAR = [name for name, player in tc.PLAYERS.items() if isinstance(player, tc.Player)]
SMALL = tc.RULES["5x5"]


@pytest.fixture(autouse=True)
def _closed_panels():
    """Whatever becomes of a test, its panels do not go on working."""
    yield
    Widget.close_all()


@pytest.fixture
def panel():
    """A small panel that is closed after the test."""
    made = TunePanel(rules="5x5", games=30)
    yield made
    made.close()


def tell(panel, event, value=None):
    """Do what the page does when somebody uses a control."""
    panel.receive({"event": event, "value": value})


def is_settled(panel):
    """Whether all games have been played and shown."""
    return panel.contest.is_over and not panel.contest.worker.running


def answer_until(panel, ready):
    """Answer like a page that shows everything, until something holds."""

    def answered():
        tell(panel, "shown", panel.version)
        return ready()

    if not ready():
        wait_until(answered, explain=lambda: (panel.message, panel.data["summary"], panel.failure))


def settle(panel, ready=is_settled):
    """Answer until the games have been played, without a failure."""
    answer_until(panel, lambda: ready(panel))
    assert panel.failure == ""


def choices(player, games=3, rules=SMALL):
    """The moves of a few games."""
    return [
        (move.orientation, move.column)
        for number in range(games)
        for move in tc.play_game(player, rules, 0, number).moves
    ]


def busy_threads():
    """The threads in which panels work."""
    return [one for one in threading.enumerate() if one.name in ("tetriscourse panel", "tetriscourse trials")]


# --- weights --------------------------------------------------------------------------------------


def test_a_slider_changes_the_player_and_a_typed_number_is_taken_exactly(panel):
    tell(panel, f"weight:{HOLES}", -2.5)
    assert panel.player.weights == (-1, 1, -1, -1, -2.5, -1)
    tell(panel, f"weight:{HOLES}", "-0.123456789")
    assert panel.weights[HOLES] == -0.123457  # six digits, as the page shows
    assert panel.data["weights"][f"weight:{HOLES}"]["value"] == -0.123457
    assert panel.message["text"] == ""


@pytest.mark.parametrize("value", ["many", "", "nan", "inf", None, [1]])
def test_what_is_no_number_gives_a_message_and_changes_nothing(panel, value):
    before = panel.player
    tell(panel, f"weight:{HOLES}", value)
    assert panel.message["kind"] == "error"
    assert panel.message["text"].startswith("holes is ")
    assert panel.player is before


@pytest.mark.parametrize("value", ["1e308", "-1e308", "1000010", "-2e6"])
def test_a_weight_beyond_all_reason_is_refused_and_the_old_one_stays(panel, value):
    before = panel.player
    tell(panel, f"weight:{HOLES}", value)
    assert panel.message["kind"] == "error"
    assert f"holes is {float(value)!r}; it must be a number at least -1e+06 and at most 1e+06" == panel.message["text"]
    with pytest.raises(tc.InputError, match="wells is"):
        panel.set_weights([1, 2, 3, 4, 5, float(value)])
    assert panel.player is before
    assert panel.data["weights"][f"weight:{HOLES}"]["value"] == -4
    tell(panel, f"weight:{HOLES}", "-1e6")
    assert panel.weights[HOLES] == -1e6


def test_a_weight_beyond_the_slider_widens_it(panel):
    assert panel.data["weights"]["weight:0"]["high"] == 5
    tell(panel, "weight:0", "-70")
    item = panel.data["weights"]["weight:0"]
    assert (item["low"], item["high"], item["value"]) == (-100, 100, -70)


@pytest.mark.parametrize("name", LINEAR)
def test_every_published_player_fits_its_sliders_and_is_itself(name):
    panel = TunePanel(name)
    assert panel.player == tc.PLAYERS[name]
    for item in panel.data["weights"].values():
        assert -item["high"] == item["low"] < item["value"] < item["high"]


@pytest.mark.parametrize("name", list(tc.FEATURE_SETS))
@pytest.mark.parametrize("rules", ["5x5", "10x10"])
def test_every_feature_set_has_a_slider_for_each_weight(name, rules):
    panel = TunePanel(rules=rules)
    tell(panel, "origin", f"set:{name}")
    assert panel.message["text"] == ""
    assert len(panel.weights) == tc.FEATURE_SETS[name].size(tc.RULES[rules].width)
    sliders = [one["name"] for one in parts(panel.blocks) if str(one.get("name")).startswith("weight:")]
    assert sorted(sliders) == sorted(f"weight:{k}" for k in range(len(panel.weights)))
    assert eval(panel.code).integers == panel.player.integers


def test_the_menu_offers_every_linear_player_and_every_set():
    values = [value for value, _ in origins()]
    assert values == [f"player:{name}" for name in LINEAR] + [f"set:{name}" for name in tc.FEATURE_SETS]


def test_reset_brings_the_published_weights_back(panel):
    tell(panel, "weight:0", 3)
    assert not panel.data["menus"]["reset"]["disabled"]
    tell(panel, "reset")
    assert panel.player == tc.PLAYERS["dellacherie"]
    assert panel.data["menus"]["reset"]["disabled"]


def test_weights_can_be_set_from_python_and_bad_ones_raise(panel):
    panel.set_weights([1, 2, 3, 4, 5, 6])
    assert panel.weights == (1, 2, 3, 4, 5, 6)
    assert panel.data["weights"]["weight:5"]["value"] == 6
    with pytest.raises(tc.InputError, match="weights has 2 values"):
        panel.set_weights([1, 2])
    with pytest.raises(tc.InputError, match=r"weights\[0\] is 'x'"):
        panel.set_weights(["x", 2, 3, 4, 5, 6])
    assert panel.weights == (1, 2, 3, 4, 5, 6)


# --- normalised -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LINEAR)
def test_normalising_shows_weights_of_length_one_and_changes_no_choice(name):
    panel = TunePanel(name, rules="5x5")
    before = choices(panel.player)
    tell(panel, "normalise", True)
    shown = [item["value"] for item in panel.data["weights"].values()]
    assert np.linalg.norm(shown) == pytest.approx(1, abs=1e-3)
    assert choices(panel.player) == before
    assert choices(eval(panel.code)) == before
    tell(panel, "normalise", False)
    assert panel.player == tc.PLAYERS[name]


def test_dividing_by_the_length_would_change_games_so_the_panel_does_not(panel):
    """Rounding breaks ties, here between one hole and three wells."""
    weights, rules = np.array([-1, 1, -1, -1, -3, -1]), tc.Rules(height=8)
    panel.set_weights(weights)
    before = tc.simulate(panel.player, rules, 50).lines
    divided = tc.Player("dellacherie", weights / np.linalg.norm(weights))
    assert (tc.simulate(divided, rules, 50).lines != before).any()
    tell(panel, "normalise", True)
    assert (tc.simulate(panel.player, rules, 50).lines == before).all()
    assert (tc.simulate(eval(panel.code), rules, 50).lines == before).all()


def test_a_normalised_slider_stays_where_it_is_put_and_the_others_keep_their_direction(panel):
    tell(panel, "normalise", True)
    for value in (0.7, -0.999, 0.0, 0.25):
        tell(panel, f"weight:{HOLES}", value)
        shown = np.array([panel.data["weights"][f"weight:{k}"]["value"] for k in range(6)])
        assert shown[HOLES] == pytest.approx(value, abs=1e-3)
        assert np.linalg.norm(shown) == pytest.approx(1, abs=1e-3)
        assert [weight for k, weight in enumerate(panel.weights) if k != HOLES] == [-1, 1, -1, -1, -1]


def test_while_normalised_the_panel_says_that_the_code_keeps_the_weights(panel):
    assert "kept" not in str(panel.blocks)
    tell(panel, "normalise", True)
    assert part(panel, id="kept") == {"kind": "text", "id": "kept", "style": "soft", "live": False}
    assert panel.data["kept"]["text"].startswith("The code keeps the weights as you set them")
    assert "[-1, 1, -1, -1, -4, -1]" in panel.code


def test_the_table_shows_the_weights_that_the_sliders_show(panel):
    rows = {}
    for normalise in (False, True):
        tell(panel, "normalise", normalise)
        rows[normalise] = panel.data["moves"]["rows"]
    length = np.linalg.norm(panel.weights)
    assert float(rows[True][0][5]) == pytest.approx(float(rows[False][0][5]) / length, rel=1e-3)
    assert float(rows[True][1][-1]) == pytest.approx(float(rows[False][1][-1]) / length, rel=1e-3)
    assert [row[0] for row in rows[True]] == [row[0] for row in rows[False]]


def test_a_normalised_weight_of_more_than_all_is_refused(panel):
    tell(panel, "normalise", True)
    tell(panel, f"weight:{HOLES}", "1.5")
    assert "holes is 1.5; normalised, it must be from -0.999 to 0.999" in panel.message["text"]
    assert panel.player == tc.PLAYERS["dellacherie"]


def test_a_single_weight_can_be_changed_when_normalised():
    tuned = Tuned("set:tetrisbot", 10)
    tuned.set([0, 0, -3, 0])
    tuned.normalised = True
    assert tuned.shown == [0, 0, -1, 0]
    tuned.change(2, 0.5)
    assert tuned.shown == [0, 0, 1, 0]


# --- the chosen move ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dellacherie", "dt-20", "tetrisbot-4"])
@pytest.mark.parametrize("rules", ["10x10", "tetrisbot", "domino"])
def test_the_chosen_move_is_the_players_choice_all_along_a_game(name, rules):
    panel = TunePanel(name, rules)
    for _ in range(15):
        expected = panel.player.choose(panel.board, panel.game.piece, rules=panel.rules)
        assert panel.chosen == expected
        assert panel.data["board"]["hint"] == [list(cell) for cell in expected.cells]
        assert panel.data["moves"]["rows"][panel.data["moves"]["marked"]][0].startswith(expected.piece.name)
        tell(panel, "step")
    assert panel.board == tc.play_game(panel.player, replace(panel.rules, max_pieces=15)).board


def test_values_in_the_table_are_the_players_values(panel):
    tell(panel, "step")
    values = sorted((panel.player.value(move) for move in tc.moves(panel.board, panel.game.piece)), reverse=True)
    assert [one.value for one in panel._candidates()] == values


def test_a_changed_weight_changes_the_move_on_the_same_board(panel):
    for _ in range(4):
        tell(panel, "step")
    board, before = panel.board, panel.chosen
    panel.set_weights([1, -1, 1, 1, 4, 1])  # as bad as can be
    assert panel.board is board
    assert panel.chosen == panel.player.choose(board, panel.game.piece)
    assert panel.chosen != before


def test_without_any_weight_the_first_move_is_taken_and_the_panel_says_so(panel):
    for number in range(6):
        tell(panel, f"weight:{number}", 0)
    assert panel.data["notice"]["text"] == [ZERO]
    assert panel.chosen == tc.moves(panel.board, panel.game.piece)[0]
    tell(panel, "normalise", True)
    assert [item["value"] for item in panel.data["weights"].values()] == [0] * 6
    tell(panel, "step")
    settle(panel)
    assert (panel.scores.lines == tc.simulate(panel.player, SMALL, 30).lines).all()
    tell(panel, "normalise", False)
    tell(panel, f"weight:{HOLES}", -1)
    assert panel.data["notice"]["text"] == []


# --- the game that goes on ------------------------------------------------------------------------


def test_a_live_game_is_the_game_that_play_game_plays():
    player, game = tc.PLAYERS["filter-heights"], LiveGame(SMALL, 3, 2)
    while not game.is_over:
        game.take(game.choice(player))
    expected = tc.play_game(player, SMALL, 3, 2)
    assert (game.lines, game.pieces, game.points, game.lost) == (
        expected.lines, expected.pieces, expected.points, True,
    )  # fmt: skip
    assert game.board == expected.board


def test_after_a_lost_game_the_next_one_begins(panel):
    while not panel.game.lost:
        tell(panel, "step")
    assert panel.data["words"]["text"] == "The game is over."
    expected = tc.play_game(tc.PLAYERS["dellacherie"], SMALL)
    assert (panel.game.lines, panel.game.pieces) == (expected.lines, expected.pieces)
    tell(panel, "step")
    assert (panel.game.number, panel.game.pieces, panel.game.lost) == (1, 0, False)


def test_the_game_plays_by_itself_until_paused_while_the_page_answers(panel):
    tell(panel, "speed", "as fast as possible")
    tell(panel, "play")
    assert panel.data["play"]["play"]["label"] == "Pause"
    settle(panel, lambda panel: panel.game.number >= 1)
    tell(panel, "play")
    assert not panel.running


def test_a_new_game_begins_on_other_pieces_and_weights_stay(panel):
    tell(panel, "weight:0", -2)
    tell(panel, "step")
    tell(panel, "new_game")
    assert (panel.game.number, panel.game.pieces, panel.weights[0]) == (1, 0, -2)


# --- many games -----------------------------------------------------------------------------------


def test_nothing_is_played_before_the_page_is_there(panel):
    tell(panel, "weight:0", -2)
    panel.set_weights([1, 2, 3, 4, 5, 6])
    assert len(panel.scores) == 0
    assert not panel.contest.worker.running
    assert panel.data["summary"]["text"] == ["This player: 30 games will be played when the page is there."]


@pytest.mark.parametrize(("name", "rules"), [("dellacherie", "5x5"), ("tetrisbot", "10x10"), ("dn", "6x12")])
def test_the_scores_are_those_of_simulate(name, rules):
    panel = TunePanel(name, rules, seed=5, games=50)
    settle(panel)
    expected = tc.simulate(tc.PLAYERS[name], tc.RULES[rules], 50, seed=5)
    for column in ("lines", "pieces", "points", "finished"):
        assert (getattr(panel.scores, column) == getattr(expected, column)).all()
    low, high = expected.interval()
    assert f"50 games, mean {expected.mean:,.2f}"[:14] in panel.data["summary"]["text"][0]
    assert panel.scores.interval() == (low, high)
    panel.close()


def test_after_a_change_the_scores_are_those_of_the_new_player(panel):
    settle(panel)
    first = panel.data["scores"]["svg"]
    tell(panel, f"weight:{HOLES}", 4)
    settle(panel)
    assert (panel.scores.lines == tc.simulate(panel.player, SMALL, 30).lines).all()
    assert panel.scores.mean < 3
    assert panel.data["scores"]["svg"] != first


def test_games_that_end_between_two_reports_are_shown_too(panel):
    panel.contest.is_seen = True
    while not panel.contest.player.is_over:
        panel.contest.player.go_on()
    assert "30 games, mean" not in panel.data["summary"]["text"][0]
    panel.contest.worker.start()
    settle(panel, lambda panel: "30 games, mean" in panel.data["summary"]["text"][0])


def test_the_number_of_games_can_be_chosen_within_limits(panel):
    tell(panel, "games", "7")
    settle(panel)
    assert len(panel.scores) == 7
    for bad in ("0", "-1", "1.5", "lots", "1000000000"):
        tell(panel, "games", bad)
        assert panel.message["text"].startswith("games is ")
    assert panel.games == 7


def test_a_game_that_was_broken_off_does_not_count_and_is_played_again():
    trial = Trial(tc.PLAYERS["dn"], tc.RULES["10x16"], 10)  # one short game, then one of millions of moves
    deadline = time.monotonic() + 60
    while trial.moves < 50_000:
        trial.go_on(0.01)
        assert time.monotonic() < deadline
    assert trial.is_playing
    trial.stop()
    assert trial.wait(20)
    assert trial.played == 1
    assert not trial._results["begun"][1:].any()
    assert trial.scores().lines.tolist() == tc.simulate(trial.player, trial.rules, 1).lines.tolist()
    trial.go_on(0.01)
    assert not trial.is_playing  # not until it is allowed
    trial.allow()
    trial.go_on(0.01)
    assert trial.is_playing
    trial.stop()
    assert trial.wait(20)


def test_a_trial_goes_on_where_it_stood():
    trial = Trial(tc.PLAYERS["tetrisbot"], tc.RULES["10x10"], 300, seed=1)
    while not trial.is_over:
        before = trial.played
        trial.go_on(0.005)
        assert trial.played >= before
    assert (trial.scores().lines == tc.simulate(trial.player, trial.rules, 300, seed=1).lines).all()
    assert (trial.scores(20).lines == trial.scores().lines[:20]).all()


def test_games_at_the_limit_of_pieces_are_told_apart_and_left_out_of_the_picture():
    rules = replace(tc.RULES["10x10"], max_pieces=300)
    panel = TunePanel("tetrisbot", rules, games=60)
    settle(panel)
    expected = tc.simulate(tc.PLAYERS["tetrisbot"], rules, 60)
    stopped = int((~expected.finished).sum())
    assert 0 < stopped < 60
    assert (panel.scores.finished == expected.finished).all()
    assert f"{stopped} reached the limit of pieces" in panel.data["summary"]["text"][0]
    assert expected.lines[expected.finished].max() < expected.lines.max()
    alone = score_svg([("x", tc.Scores.of(expected.lines[expected.finished]))])
    bars = [
        text.split("</g>")[0] for text in (alone, panel.data["scores"]["svg"]) for text in text.split("tc-bars")[1:]
    ]
    assert bars[0].split(">", 1)[1] == bars[1].split(">", 1)[1]
    panel.close()


def test_own_features_play_in_plain_python_with_few_games():
    def edges(move):
        return float(move.after.heights[0] + move.after.heights[-1])

    player = tc.Player(["holes", "sum_heights", edges], [-4, -1, -0.5], "edgy")
    panel = TunePanel(player, "5x5", games=400)
    assert panel.player is player
    assert panel.data["menus"]["origin"]["value"] == "own"
    assert f"edges runs in plain Python, so at most {PLAIN_GAMES} games" in panel.data["notice"]["text"][0]
    settle(panel)
    expected = [tc.play_game(player, SMALL, 0, number).lines for number in range(PLAIN_GAMES)]
    assert panel.scores.lines.tolist() == expected
    again = eval(panel.code, {"tc": tc, "edges": edges})
    assert again.integers == player.integers
    assert choices(again) == choices(player)
    panel.close()


def too_high(move):
    """A feature that gives up on the second piece."""
    if move.before.heights.any():
        raise ValueError("too high for me")
    return 1.0


TOO_HIGH = "too_high failed: ValueError: too high for me"


def said(panel):
    """All lines in which the panel tells of the failure."""
    return [text for text in (panel.message["text"], *panel.data["notice"]["text"]) if "too high" in text]


def test_a_feature_that_fails_stops_the_game_and_is_named_once():
    panel = TunePanel(tc.Player([too_high], [1]), "5x5", speed="as fast as possible")
    tell(panel, "play")
    answer_until(panel, lambda: panel.contest.player.error and not panel.running)
    assert panel.data["play"]["play"]["label"] == "Play"
    assert (panel.game.pieces, panel.game.lost) == (1, False)
    assert said(panel) == [TOO_HIGH]
    assert panel.message == {"text": TOO_HIGH, "kind": "error"}
    tell(panel, "step")
    assert said(panel) == [TOO_HIGH]
    assert "in too_high" in panel.failure
    assert panel.data["words"]["text"] == "No move is known."
    assert "left" not in str(panel.data["moves"])
    tell(panel, "new_game")
    assert panel.chosen is not None
    assert said(panel) == [TOO_HIGH]  # the many games have failed all the same


def test_a_rival_that_fails_stops_the_game_and_is_named_once(panel):
    panel.freeze(tc.Player([too_high], [1], "giddy"))
    for _ in range(3):
        tell(panel, "step")
    assert (panel.game.pieces, panel.rival_game.pieces) == (1, 1)
    assert said(panel) == [TOO_HIGH]
    assert not panel.running


def test_what_fails_outside_of_a_feature_is_told_of_the_player():
    assert failed(tc.PLAYERS["dn"], ValueError("no")) == "dn failed: ValueError: no"


@pytest.mark.parametrize("kept", [True, False])
def test_compiling_is_announced_once_where_it_is_wanted(kept, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tetriscourse.simulator.compiling.cache_folder", lambda: tmp_path if kept else None)
    told = []
    for _ in range(2):  # two sessions
        monkeypatch.setattr(announcing, "_compiled", set())
        for name in ("a thing", "another", "a thing"):
            with announcing.announced(name, tell=told.append):
                assert announcing.compiling_now == ([] if name in announcing._compiled else [name])
    assert told == [announcing.MESSAGE] * (1 if kept else 2)
    assert capsys.readouterr().err == ""


# --- the rival ------------------------------------------------------------------------------------


def test_a_frozen_rival_keeps_its_weights_and_plays_on_the_same_pieces(panel):
    tell(panel, "step")
    tell(panel, "freeze")
    assert panel.data["menus"]["freeze"]["label"] == "Unfreeze"
    panel.set_weights([1, -1, 1, 1, 4, 1])
    assert panel.rival == tc.PLAYERS["dellacherie"]
    tell(panel, "step")
    assert panel.rival_game.piece == panel.game.piece
    for _ in range(2):
        tell(panel, "step")
    assert panel.rival_game.board == tc.play_game(panel.rival, replace(SMALL, max_pieces=4)).board
    assert panel.rival_game.board != panel.board
    settle(panel)
    mine, rivals = (tc.simulate(player, SMALL, 30) for player in (panel.player, panel.rival))
    assert (panel.scores.lines == mine.lines).all()
    assert (panel.rival_scores.lines == rivals.lines).all()
    tell(panel, "shown", panel.version)
    verdict = panel.data["summary"]["text"][-1]
    expected = tc.compare(mine, rivals)
    assert verdict.startswith("The rival is better than this player: ")
    assert f"{1 / expected.ratio:.3g} times the lines" in verdict
    tell(panel, "freeze")
    assert panel.rival is None
    assert panel.rival_scores is None
    assert "rival_board" not in panel.data


def test_a_rival_that_has_lost_waits_for_the_player_and_both_begin_the_next_game():
    panel = TunePanel(rules="domino")
    panel.freeze(tc.Player("dellacherie", [1, -1, 1, 1, 4, 1], "awful"))  # it loses at once, as these rules allow
    while panel.game.number == 0 and panel.game.pieces < 60:
        tell(panel, "step")
    assert panel.rival_game.lost
    assert panel.failure == ""
    panel.set_weights([1, -1, 1, 1, 4, 1])
    while panel.game.number == 0:
        tell(panel, "step")
    assert (panel.game.number, panel.rival_game.number, panel.rival_game.pieces) == (1, 1, 0)
    assert panel.failure == ""


def test_freezing_takes_the_games_over_that_were_played(panel):
    settle(panel)
    panel.freeze()
    assert panel.contest.rival is panel.contest.player
    tell(panel, f"weight:{HOLES}", 0)
    assert panel.contest.rival is not panel.contest.player
    assert len(panel.rival_scores) == 30


def test_any_player_can_be_the_rival_from_python(panel):
    panel.freeze("filter-heights")
    settle(panel)
    assert (panel.rival_scores.lines == tc.simulate(tc.PLAYERS["filter-heights"], SMALL, 30).lines).all()
    panel.freeze(tc.PLAYERS["dn"])
    tell(panel, "step")
    assert panel.rival.name == "dn"
    with pytest.raises(tc.InputError, match="rival is 'dnn'; did you mean 'dn'"):
        panel.freeze("dnn")
    with pytest.raises(tc.InputError, match="rival is 3; it must be a Player"):
        panel.freeze(3)
    panel.unfreeze()
    assert panel.rival is None


@pytest.mark.parametrize("next_piece", ["known", "unknown"])
def test_a_player_that_looks_ahead_can_be_the_rival(panel, next_piece):
    ahead = tc.LookAhead(panel.player, next_piece)
    panel.freeze(ahead)
    settle(panel)
    assert (panel.rival_scores.lines == tc.simulate(ahead, SMALL, 30).lines).all()
    for _ in range(4):
        tell(panel, "step")
    assert panel.rival_game.board == tc.play_game(ahead, replace(SMALL, max_pieces=4)).board
    tell(panel, "rules", "6x12")
    assert panel.rival is ahead
    panel.freeze(tc.LookAhead(tc.Player("bertsekas", [-1] * 13)))
    tell(panel, "rules", "10x10")
    assert panel.rival is None


def test_a_rival_in_a_long_game_does_not_keep_the_player_waiting():
    panel = TunePanel("tetrisbot-4", "research", games=40)
    panel.freeze("dn")  # its games take millions of moves
    settle(panel, lambda panel: panel.contest.player.is_over)
    assert len(panel.rival_scores) < 40
    assert (panel.scores.lines == tc.simulate(panel.player, panel.rules, 40).lines).all()
    settle(panel, lambda panel: re.search(r"^The rival: .*[0-9,]+ moves so far", panel.data["summary"]["text"][1]))
    panel.close()


def test_common_games_are_those_that_both_have_played():
    a, b = (Trial(tc.PLAYERS[name], SMALL, games) for name, games in (("dn", 20), ("tetrisbot", 12)))
    while not (a.is_over and b.is_over):
        a.go_on(0.01)
        b.go_on(0.01)
    first, second = common(a, b)
    assert len(first) == len(second) == 12
    assert (first.lines == tc.simulate(tc.PLAYERS["dn"], SMALL, 12).lines).all()


# --- boards ---------------------------------------------------------------------------------------


def test_another_board_begins_everything_anew(panel):
    tell(panel, "step")
    panel.freeze()
    tell(panel, "weight:0", -2)
    tell(panel, "rules", "6x12")
    assert panel.board == tc.RULES["6x12"].empty_board()
    assert panel.weights[0] == -2
    assert panel.rival_game.rules == tc.RULES["6x12"]
    settle(panel)
    assert (panel.scores.lines == tc.simulate(panel.player, tc.RULES["6x12"], 30).lines).all()
    assert (panel.rival_scores.lines == tc.simulate(panel.rival, tc.RULES["6x12"], 30).lines).all()


def test_weights_of_columns_are_made_anew_for_another_width_and_such_a_rival_is_let_go(panel):
    tell(panel, "origin", "set:bertsekas")
    panel.freeze()
    tell(panel, "rules", "10x10")
    assert len(panel.weights) == 21
    assert panel.rival is None
    assert panel.message["text"] == "The rival was let go: it has no weights for this width."
    tell(panel, "step")
    assert panel.game.pieces == 1


def test_rules_of_ones_own_stay_in_the_menu():
    rules = tc.Rules(7, 9)
    panel = TunePanel(rules=rules)
    tell(panel, "rules", "5x5")
    name = part(panel, name="rules")["options"][0][0]
    tell(panel, "rules", name)
    assert panel.rules is rules
    assert panel.data["menus"]["rules"]["value"] == name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"player": "dellacheri"}, "player is 'dellacheri'; did you mean 'dellacherie'"),
        ({"player": "filter-heights"}, "player is 'filter-heights'"),
        ({"player": tc.PLAYERS["filter-heights"]}, "it must be a Player, which has weights"),
        ({"rules": "10x99"}, "rules is '10x99'; a board has 4 to 16 columns and 4 to 28 rows"),
        ({"rules": "two-piece"}, "rules is 'two-piece'"),
        ({"rules": tc.RULES["two-piece"]}, "pieces_known=1"),
        ({"rules": 10}, "rules is 10; it must be a Rules"),
        ({"seed": -1}, "seed is -1"),
        ({"games": 0}, "games is 0"),
        ({"speed": "fast"}, "speed is 'fast'"),
        ({"player": tc.Player("bertsekas", [-1] * 21), "rules": "5x5"}, "weights has 21 values"),
    ],
)
def test_bad_arguments_raise_errors_that_name_them(arguments, message):
    with pytest.raises(tc.InputError) as error:
        TunePanel(**arguments)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("event", "value"),
    [("origin", "player:nobody"), ("rules", "9x9"), ("speed", "warp"), ("weight:99", 1), ("weight:x", 1), ("jump", 1)],
)
def test_what_the_page_cannot_send_is_refused_in_the_panel(panel, event, value):
    tell(panel, event, value)
    assert panel.message["kind"] == "error"
    assert panel.player == tc.PLAYERS["dellacherie"]


# --- closing, pictures and texts ------------------------------------------------------------------


@pytest.mark.parametrize("end", ["close", "hidden"])
def test_closing_or_hiding_stops_both_threads_even_in_a_game_that_would_take_minutes(end):
    panel = TunePanel("dn", "research", games=5, speed="as fast as possible")
    tell(panel, "play")
    tell(panel, "shown", 0)
    settle(panel, lambda panel: panel.contest.player.moves > 0 and panel.game.pieces > 0)
    if end == "close":
        panel.close()
    else:
        tell(panel, "hidden")
    wait_until(lambda: not busy_threads())
    assert not panel.running
    assert not panel.contest.player.is_playing


def test_a_page_that_does_not_answer_gets_one_slice_and_no_more(panel):
    tell(panel, "games", "100000")
    tell(panel, "shown", panel.version)
    wait_until(lambda: panel.contest.worker.waits_for_page and not panel.contest.player.is_playing)
    played, version = panel.contest.player.played, panel.version
    assert 0 < played < 100_000
    assert stays(lambda: (panel.contest.player.played, panel.version) == (played, version))


def test_the_panel_at_rest_is_always_the_same_and_small():
    one, other = TunePanel(), TunePanel()
    assert one.data == other.data
    assert one._repr_mimebundle_()[0]["image/svg+xml"] == other._repr_mimebundle_()[0]["image/svg+xml"]
    assert repr(one) == repr(other)
    assert "holes -4" in repr(one)
    assert "It puts I XXXX at 0" in repr(one)
    biggest = TunePanel(tc.Player("bdn", [-1 / 3] * 28))
    assert len(str(biggest.data)) < 20_000


def test_the_still_picture_shows_the_weights_and_the_board():
    picture = TunePanel("tetrisbot")._repr_mimebundle_()[0]["image/svg+xml"]
    assert "0.548, -0.5218, -0.6267, -0.1862" in picture
    assert "Board of 10 columns and 10 rows" in picture


@pytest.mark.parametrize(("largest", "width"), [(0, 1), (23, 1), (24, 2), (119, 5), (120, 10), (5000, 500)])
def test_bars_are_round_and_hold_the_largest_score(largest, width):
    assert bin_width(largest) == width
    assert width * 24 > largest


def test_the_picture_of_scores_holds_any_scores():
    for lines in ([0], [0, 0, 0], [1], [10**9, 1], list(range(100))):
        for log in (False, True):
            scores = tc.Scores.of(lines)
            svg = score_svg([("a", scores), ("b", tc.Scores.of([5, 7]))], log)
            assert svg.count("tc-bars") == 2
            assert "nan" not in svg
    assert "No game has ended" in score_svg([])
    assert summary(tc.Scores.of([])) == "no game has ended yet"


def means_and_legend(svg):
    """Pixels from the top: of the intervals of the means, of the legend's lower end and of the highest bar."""
    lines = [float(y) for y in re.findall(r'class="tc-line"[^>]* d="M[\d.-]+ ([\d.-]+)', svg)]
    legend, _ = svg.split('class="tc-legend"')[1].split("</rect>")[0].split("<g", 1)
    top = float(re.search(r"translate\([\d.]+ ([\d.]+)\)", legend)[1])
    high = float(re.search(r'<rect[^>]* height="([\d.]+)"', legend)[1])
    bars = [float(y) for part in svg.split("tc-bars")[1:] for y in re.findall(r' y="([\d.]+)"', part.split("</g>")[0])]
    return lines, top + high, min(bars)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("rival", [False, True])
def test_the_legend_covers_neither_the_intervals_nor_the_bars(log, rival):
    results = [("this player", tc.Scores.of([0, 1, 1, 1]))]  # a mean far to the right
    results += [("the rival", tc.Scores.of([1, 1, 0, 1, 1]))] if rival else []
    lines, legend, bars = means_and_legend(score_svg(results, log))
    assert len(lines) == len(results)
    assert legend + 3 < min(lines)
    assert max(lines) + 3 < bars


# --- the interval ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "games", "law"),
    [((0, 0, 0, 0, 0, 0), 400, False), ((-1, 1, -1, -1, -4, -1), 25, True), ((0, 0, 0, 0, -1, 0), 100, None)],
    ids=["no weights", "dellacherie", "holes only"],
)
def test_the_interval_holds_the_mean_about_as_often_as_it_says(weights, games, law):
    """The mean of 200 sets of games stands for the true one."""
    lines = tc.simulate(tc.Player("dellacherie", weights), tc.Rules(height=8), 200 * games, seed=3).lines
    sets = [tc.Scores.of(part) for part in lines.reshape(200, games)]
    held = [low <= lines.mean() <= high for low, high in map(interval, sets)]
    assert np.mean(held) >= 0.9
    if law is not None:
        assert np.mean([is_exponential(one) == law for one in sets]) > 0.9


def test_the_panel_says_which_law_the_interval_is_from_and_has_none_without_spread():
    assert summary(tc.Scores.of([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1])).endswith(
        "lines (95 %: 0.00 to 0.41, from the sd)"
    )
    assert summary(tc.Scores.of([3, 30, 11, 70])).endswith("exponential law)")
    assert summary(tc.Scores.of([0, 0, 0])) == "3 games, each with 0 lines"
