"""Play, seen from Python: the page reports keys, the engine replays them."""

import re

import pytest

from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.players import PLAYERS, Player
from tetriscourse.widgets import PlayPanel, Record
from tetriscourse.widgets.record import Replay, state_of


def report(panel, event, keys, **more):
    """The message of the page after these keys."""
    panel.receive({"event": event, "value": {"round": panel.round, "keys": " ".join(keys), **more}})


def finish(panel, keys):
    """Play keys as the page would, and report the end."""
    played = Replay(panel.rules, panel.seed, 0, panel.start_board, panel.mode)
    for key in keys:
        played.command(key)
    report(panel, "finished", keys, state=state_of(played))
    return played


def random_keys(panel, seed):
    """Keys at random until the game is over."""
    played, chance, keys = Replay(panel.rules, panel.seed, 0, None, panel.mode), Chance(seed), []
    while played.is_running:
        keys.append(chance.pick("LRHTNDD"))
        played.command(keys[-1])
    return keys


@pytest.mark.parametrize("mode", ["falling", "turns"])
@pytest.mark.parametrize("rules", ["tetrisbot", "5x5", "domino", "harder", "top-row"])
def test_a_finished_game_becomes_a_record_that_replays_to_the_same_board(rules, mode):
    panel = PlayPanel(rules, seed=7, mode=mode)
    keys = random_keys(panel, seed=2)
    end = finish(panel, keys)
    assert panel.message["text"] == ""
    assert panel.record == Record(RULES[rules], 7, 0, mode, tuple(keys))
    assert panel.record.replay().board == end.board
    assert panel.record.game().points == end.score
    assert f"{end.score} point" in panel.words


def test_the_panel_follows_piece_by_piece():
    panel = PlayPanel(seed=1)
    report(panel, "played", ["L", "D"])
    assert panel.engine.blocks_played == 1
    report(panel, "played", ["L", "D", "R", "D"])
    assert panel.engine.blocks_played == 2


def test_a_report_about_an_earlier_game_is_ignored():
    panel = PlayPanel(seed=1)
    panel.new_game()
    panel.receive({"event": "played", "value": {"round": panel.round - 1, "keys": "D D"}})
    assert panel.engine.blocks_played == 0


def test_a_page_that_disagrees_with_the_engine_is_not_believed():
    panel = PlayPanel(seed=1)
    report(panel, "finished", ["D", "Q"], state={"score": 1_000_000})
    assert panel.record is None
    assert "differ" in panel.message["text"]


def test_keys_that_do_not_exist_are_refused_with_a_message():
    panel = PlayPanel(seed=1)
    report(panel, "played", ["L", "W"])
    assert panel.message["text"].startswith("keys[1] is 'W'")
    assert panel.message["kind"] == "error"


def test_a_game_that_was_stopped_is_kept_and_told():
    panel = PlayPanel(seed=1)
    finish(panel, ["L", "D", "Q"])
    assert len(panel.record.moves()) == 1
    assert not panel.record.game().lost
    assert panel.message["text"].startswith("Stopped after 1 piece;")


@pytest.mark.parametrize("name", ["dellacherie", "dn", "tetrisbot", "filter-bumpiness"])
def test_the_hint_is_the_move_that_the_player_makes_there(name):
    panel = PlayPanel("tetrisbot", seed=4, hint=name)
    report(panel, "hint", ["L", "D", "N", "N"])
    move = PLAYERS[name].choose(panel.engine.board, panel.engine.piece, rules=RULES["tetrisbot"])
    if name != "filter-bumpiness":  # whose ties are broken by chance
        assert panel.hint_cells == move.cells
    assert panel.data["play"]["hint"] == [list(cell) for cell in panel.hint_cells]
    assert panel.data["play"]["hint_for"] == f"{panel.round}:1"
    assert name in panel.data["reasons"]["caption"]


def test_a_hint_by_a_player_of_ones_own_and_one_who_cannot_play_here():
    mine = Player(["holes", "bumpiness"], [-2, -1], name="mine")
    panel = PlayPanel("5x5", hint=mine)
    report(panel, "hint", [])
    assert panel.hint_cells
    assert panel.data["game"]["adviser"]["value"] == "mine"
    wide = Player("bertsekas", [-1.0] * 21, name="wide")  # its weights are for ten columns
    panel = PlayPanel("5x5", hint=wide)
    report(panel, "hint", [])
    assert panel.message["kind"] == "error"
    assert "width 5" in panel.message["text"]


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ("seed", "x", "seed is 'x'"),
        ("seed", "-1", "seed is -1"),
        ("level", "99", "level is 99; it must be a whole number from 1 to 15"),
        ("rules", "chess", "rules is 'chess'"),
        ("mode", "sideways", "mode is 'sideways'"),
        ("adviser", "nobody", "hint is 'nobody'"),
    ],
)
def test_bad_input_leaves_the_game_as_it_is(event, value, said):
    panel = PlayPanel(seed=5)
    before = panel.round, panel.seed, panel.rules, panel.spec
    panel.receive({"event": event, "value": value})
    assert panel.message["text"].startswith(said)
    assert (panel.round, panel.seed, panel.rules, panel.spec) == before


def test_a_change_begins_another_game():
    panel = PlayPanel(Rules(6, 9, bag="classic"), seed=5)
    for event, value in (("new", None), ("again", None), ("rules", "domino"), ("rules", "own"), ("mode", "turns")):
        before = panel.round
        panel.receive({"event": event, "value": value})
        assert panel.round == before + 1
    assert panel.rules == Rules(6, 9, bag="classic")
    assert panel.seed == 6
    assert panel.spec["mode"] == "turns"


def test_a_game_may_start_from_any_board_that_fits():
    board = Board.from_text("X.X.", height=6)
    panel = PlayPanel(Rules(4, 6), board=board)
    assert panel.data["play"]["rows"][0] == "X.X."
    with pytest.raises(InputError, match=re.escape("board is 4x6; the rules are for 5x5: they must agree")):
        PlayPanel("5x5", board=board)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rules": "chess"}, "rules is 'chess'"),
        ({"rules": 3}, "rules is 3; it must be a Rules or a name"),
        ({"mode": "x"}, "mode is 'x'"),
        ({"hint": 3}, "hint is 3; it must be a Player or a name"),
        ({"level": 0}, "level is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_bad_arguments_are_refused(options, said):
    with pytest.raises(InputError, match=re.escape(said)):
        PlayPanel(**options)


def test_its_written_form_says_how_the_last_game_ended():
    panel = PlayPanel(seed=1)
    assert repr(panel) == "PlayPanel(Play)\ntetrisbot, seed 1, it falls by itself"
    finish(panel, ["D", "Q"])
    assert repr(panel).endswith("last game: Record(tetrisbot, seed 1: 1 piece, 0 rows, 0 points)")


def test_four_rows_with_an_i_are_suggested_only_where_an_i_comes():
    with_i, without = (PlayPanel(Rules(probabilities=pieces)) for pieces in ({"I": 1, "S": 1}, {"Z": 1, "S": 1}))
    assert "with an I" in with_i.heading["tries"][0]
    assert with_i.heading["tries"][1:] == without.heading["tries"]


def test_pieces_that_come_by_turns_are_played_by_hand_and_replayed():
    panel = PlayPanel(Rules(height=6, probabilities={"S": 1, "Z": 1}, draw="by-turns"))
    played = finish(panel, random_keys(panel, 5))
    assert [move.piece.name for move in panel.record.moves()] == (["Z", "S"] * 99)[: played.blocks_played]
