"""The search panel without a page: what flows back is what `LookAhead` says, branch by branch."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NUMBERS, THOROUGH, any_player, any_rules, random_board

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.looking_ahead import frequencies
from tetriscourse.widgets import SearchPanel
from tetriscourse.widgets.candidates import move_name
from tetriscourse.widgets.searching.tree import SearchTree

SMALL = tc.Rules(5, 7)


def send(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def rows(panel):
    """The rows in sight, by name."""
    return {row["id"]: row for row in panel.data["tree"]["rows"]}


def signs(panel, kind):
    """The names of the rows with a sign."""
    return [name for name, row in rows(panel).items() if kind in [one for one, _ in row["signs"]]]


def number(text):
    """A value as the panel writes it."""
    return float(text.replace("−", "-"))


@st.composite
def situations(draw):
    """A tree on any small board, the player that looks ahead like this, and the piece that it is shown."""
    rules = draw(any_rules(width=draw(st.integers(4, 6)), height=draw(st.integers(4, 7))))
    if rules.draw == "independent" and len(rules.pieces) == 7 and draw(st.booleans()):
        rules = replace(rules, probabilities=draw(st.sampled_from([(1, 1, 1, 3, 3, 1, 1), (0, 5, 0.1, 2, 0, 0, 1e-9)])))
    player = draw(any_player(tc.FEATURE_SETS[draw(st.sampled_from(["dellacherie", "dn"]))], rules.width))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    board, piece = random_board(rules, rng), draw(st.sampled_from(rules.pieces))
    following = draw(st.one_of(st.none(), st.sampled_from(rules.pieces)))
    lost = draw(st.one_of(st.none(), NUMBERS, st.sampled_from([-1e9, -100.0, 1e300])))
    search = tc.LookAhead(player, "unknown" if following is None else "known", lost=lost)
    return SearchTree(player, board, piece, rules, following, lost), search, following


# --- the search -----------------------------------------------------------------------------------


@pytest.mark.slow
@settings(THOROUGH, max_examples=40)
@given(situations())
def test_the_whole_search_has_the_values_and_the_choice_of_the_player_that_looks_ahead(situation):
    tree, search, following = situation
    tree.look_at_all()
    total = sum(often for _, often in search.following(following, tree.rules))
    prospects = {}
    for branch in tree.branches:
        lost, value = prospects[branch.number] = search.prospect(branch.move, following, tree.rules)
        assert tree.worth(branch) == (Fraction(lost, total), Fraction(value, total))
        if not lost:
            expected = search.value(branch.move, following, tree.rules)
            assert tree.as_value(tree.worth(branch)[1]) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    found = [branch.move for branch in tree.branches]
    assert (tree.choice.move if tree.choice else None) == search.best(found, following, tree.rules)
    order = sorted(prospects, key=lambda n: prospects[n], reverse=True)
    assert [branch.number for branch in tree.ranked()] == order


@pytest.mark.slow
@settings(THOROUGH, max_examples=25)
@given(situations())
def test_looking_at_the_k_best_is_a_search_of_this_width(situation):
    tree, search, following = situation
    found = [branch.move for branch in tree.branches]
    assert (tree.greedy.move if tree.greedy else None) == max(found, key=tree.player.exactly, default=None)
    for width in range(1, len(found) + 1):
        tree.look_at(tree.waiting[0])
        narrow = tc.LookAhead(search.player, search.search.next_piece, width, search.search.lost)
        assert tree.choice.move == narrow.best(found, following, tree.rules)


@settings(THOROUGH, max_examples=25)
@given(situations(), st.data())
def test_the_cost_counts_each_first_move_and_each_answer_that_has_been_looked_at(situation, data):
    tree, *_ = situation
    seen = set()
    for _ in range(5):
        if tree.branches:
            branch = data.draw(st.sampled_from(tree.branches))
            reply = data.draw(st.sampled_from(branch.replies))
            tree.look(branch, reply)
            seen.add((branch.number, reply.piece))
    answers = 0
    for n, piece in seen:
        move = tree.branches[n].move
        answers += 0 if move.loses else len(tc.moves(move.after, piece, tree.rules))
    assert tree.valued == len(tree.branches) + answers


def test_of_a_first_move_looked_at_in_part_the_value_is_the_mean_over_the_pieces_seen():
    rules = replace(SMALL, probabilities=(1, 1, 3, 1, 1, 1, 1))
    player = tc.PLAYERS["dn"]
    tree = SearchTree(player, tc.Board.from_text("X.XX.\nXXXX.", height=7), tc.PIECES["T"], rules)
    branch = tree.branches[3]
    for number_ in (0, 2):
        tree.look(branch, branch.replies[number_])
    often = frequencies(rules)
    best = {n: max(map(player.exactly, tc.moves(branch.move.after, rules.pieces[n], rules))) for n in (0, 2)}
    mean = (often[0] * best[0] + often[2] * best[2]) / (often[0] + often[2])
    assert often[2] == 3 * often[0]
    assert tree.worth(branch) == (0, player.exactly(branch.move) + mean)
    assert tree.choice is None
    assert tree.ranked()[0] is branch


# --- contested positions --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "given",
    [
        {}, {"seed": 2}, {"player": "dellacherie", "rules": "6x6"}, {"next_piece": "S"}, {"piece": "L"},
        {"rules": SMALL, "lost": -50},
    ],
)  # fmt: skip
def test_it_opens_where_the_greedy_player_and_looking_ahead_choose_differently(given):
    panel = SearchPanel(**given)
    known = "known" if panel.next_piece else "unknown"
    search = tc.LookAhead(panel.player, known, lost=panel.lost)
    asked = panel.board, panel.piece, panel.next_piece, panel.rules
    assert search.choose(*asked) != panel.player.choose(panel.board, panel.piece, rules=panel.rules) == panel.greedy
    panel.look_at_all()
    assert panel.choice == search.choose(*asked)
    assert "changes the greedy player's choice" in panel.data["words"]["text"]


def test_the_position_is_one_of_the_players_own_game():
    panel = SearchPanel(seed=3)
    pieces = tc.PieceSequence("10x10", 3, 0)
    game = tc.play_game("champion-10x10", tc.Rules(10, 10, max_pieces=panel.place.turn), seed=3)
    assert panel.board == game.board
    assert panel.piece == pieces[panel.place.turn]
    assert panel.place.turn >= 10


def test_playing_on_goes_to_the_next_position_and_to_the_next_contested_one():
    panel = SearchPanel(seed=1)
    panel.look_at_all()
    best, following = panel.choice, panel.place.following
    assert best != panel.greedy
    send(panel, "play")
    assert (panel.board, panel.piece, panel.next_piece) == (best.after, following, None)
    send(panel, "contested")
    search = tc.LookAhead(panel.player)
    assert search.choose(panel.board, panel.piece, rules=panel.rules) != panel.greedy
    send(panel, "new")
    assert (panel.seed, panel.place) == (2, SearchPanel(seed=2).place)


def test_a_next_piece_that_is_known_comes_next():
    panel = SearchPanel(seed=1)
    send(panel, "next_piece", "O")
    assert [row["cells"][0] for row in rows(panel).values()] == [""] * len(panel.tree.branches)
    panel.look_at_all()
    assert panel.choice == tc.LookAhead(panel.player, "known").choose(panel.board, panel.piece, "O", panel.rules)
    after = panel.place.turn + 2
    send(panel, "play")
    assert panel.piece.name == "O"
    assert panel.next_piece == tc.PieceSequence(panel.rules, 1, 0)[after]
    send(panel, "new")
    assert panel.next_piece == panel.place.following
    send(panel, "next_piece", "unknown")
    assert panel.next_piece is None


def test_after_the_last_move_of_a_game_the_next_game_begins():
    rules = replace(SMALL, losing_moves="allowed")
    full = tc.Board.from_text("XXXX.\n" * 5 + "XX.XX", height=7)
    panel = SearchPanel("dellacherie", rules, full, "O")
    assert all(move.loses for move in tc.moves(full, "O", rules))
    send(panel, "play")
    assert panel.message["text"] == "The game is over. This is game 1 of seed 1."
    assert panel.board == rules.empty_board()


def test_a_player_that_never_changes_its_mind_says_so():
    panel = SearchPanel(tc.Player(["constant"], [0.0]), "4x4", lost=0)
    assert panel.greedy == panel.choice
    before = panel.data
    send(panel, "contested")
    assert "looking ahead changed none of its choices" in panel.message["text"]
    assert panel.data == before


# --- what is shown --------------------------------------------------------------------------------


def test_at_first_there_are_the_first_moves_with_their_own_values_best_first():
    panel = SearchPanel()
    shown = panel.data["tree"]["rows"]
    own = [number(row["cells"][1]) for row in shown]
    expected = sorted(map(panel.player.value, tc.moves(panel.board, panel.piece, panel.rules)), reverse=True)
    assert own == pytest.approx(expected, abs=1e-3)
    assert {row["cells"][2] for row in shown} == {"?"}
    assert {row["open"] for row in shown} == {False}
    assert signs(panel, "greedy") == [shown[0]["id"]] == [panel.selected]
    assert signs(panel, "ahead") == []


def test_opening_a_move_and_a_piece_shows_its_best_answers_and_what_flows_back():
    panel = SearchPanel()
    first = panel.selected
    send(panel, "tree:toggle", first)
    pieces = [row for row in rows(panel).values() if row["level"] == 2]
    assert [row["name"] for row in pieces] == [f"then {piece}" for piece in panel.rules.pieces]
    assert {tuple(row["cells"]) for row in pieces} == {("1/7", "", "?")}
    send(panel, "tree:toggle", f"{first}/1")
    answers = tc.moves(panel.greedy.after, panel.rules.pieces[1], panel.rules)
    best = max(map(panel.player.value, answers))
    shown = [number(row["cells"][1]) for row in rows(panel).values() if row["level"] == 3]
    assert shown == pytest.approx(sorted(map(panel.player.value, answers), reverse=True)[:3], abs=1e-3)
    assert number(rows(panel)[f"{first}/1"]["cells"][2]) == pytest.approx(best, abs=1e-3)
    value = rows(panel)[first]["cells"][2]
    assert ["note", "1 of 7 pieces"] in rows(panel)[first]["signs"]
    assert number(value) == pytest.approx(panel.player.value(panel.greedy) + best, abs=1e-3)
    assert panel.data["sum"]["text"].endswith(f"= {value}")
    assert panel.data["words"]["text"].startswith(f"{len(panel.tree.branches) + len(answers)} moves valued so far")


def test_closing_keeps_what_is_known_and_starting_over_forgets_it():
    panel = SearchPanel()
    first = panel.selected
    send(panel, "tree:toggle", first)
    send(panel, "tree:toggle", f"{first}/1")
    valued = panel.tree.valued
    send(panel, "tree:select", f"{first}/1/2")
    send(panel, "close_all")
    assert (panel.opened, panel.selected, panel.tree.valued) == (set(), first, valued)
    send(panel, "tree:toggle", first)
    assert rows(panel)[f"{first}/1"]["cells"][2] != "?"
    send(panel, "tree:toggle", first)
    assert panel.opened == set()
    send(panel, "forget")
    assert panel.tree.valued == len(panel.tree.branches)
    assert panel.data == SearchPanel().data


def test_the_ranking_follows_what_has_been_looked_at():
    panel = SearchPanel()
    panel.look(2)
    first, second, third = list(rows(panel).values())[:3]
    assert signs(panel, "ahead") == [first["id"]]
    assert signs(panel, "greedy") == [second["id"]]
    assert number(first["cells"][2]) > number(second["cells"][2])
    assert number(first["cells"][1]) < number(second["cells"][1])
    assert third["cells"][2] == "?"
    groups = panel.data["choices"]["groups"]
    assert [one["items"][0]["caption"] for one in groups] == [
        f"own value {second['cells'][1]}", f"value {first['cells'][2]}"
    ]  # fmt: skip
    send(panel, "look_all")
    values = [number(row["cells"][2]) for row in rows(panel).values()]
    assert values == sorted(values, reverse=True)
    assert panel.data["choosing"]["look"]["disabled"]
    assert panel.data["choosing"]["look_all"]["disabled"]


def test_the_board_shows_the_first_move_and_then_the_answer_after_it():
    panel = SearchPanel()
    first = panel.greedy
    assert first.cleared, "the first position is one in which a row is cleared"
    assert [tuple(cell) for cell in panel.data["board"]["piece"]] == first.cells
    send(panel, "tree:toggle", panel.selected)
    send(panel, "tree:toggle", f"{panel.selected}/0")
    best = max(tc.moves(first.after, panel.rules.pieces[0], panel.rules), key=panel.player.exactly)
    drawn = panel.data["board"]
    assert tc.Board.from_text("\n".join(reversed(drawn["rows"])), height=10) == first.after
    assert [tuple(cell) for cell in drawn["piece"]] == best.cells
    assert drawn["mark"] == "I"
    left = [tuple(cell) for cell in drawn["ghost"]]
    assert len(left) == 4 - sum(row in first.cleared for row, _ in first.cells)
    assert all(first.after.cells[cell] for cell in left)


FULL = tc.Board.from_text("X...\nX..X\nXX.X\nX.XX", height=5)


def test_a_piece_without_an_answer_is_lost_and_the_rule_is_told():
    rules = tc.Rules(4, 5)
    panel = SearchPanel("dellacherie", rules, FULL, "T")
    panel.look_at_all()
    shown = list(rows(panel).values())
    assert [row["cells"][2].startswith("lost") for row in shown] == sorted(
        row["cells"][2].startswith("lost") for row in shown
    )
    worst = panel.tree.ranked()[-1]
    gone = [n for n, reply in enumerate(worst.replies) if not tc.moves(worst.move.after, reply.piece, rules)]
    assert len(gone) == 7
    assert shown[-1]["cells"][2] == "lost"
    shares = [sum(reply.lost for reply in branch.replies) for branch in panel.tree.ranked()]
    assert shares == sorted(shares)
    assert "lost 1/7" in {row["cells"][2] for row in shown}
    send(panel, "tree:toggle", str(worst.number))
    send(panel, "tree:toggle", f"{worst.number}/{gone[0]}")
    assert rows(panel)[f"{worst.number}/{gone[0]}"]["cells"][2] == "lost"
    assert panel.data["landing"]["text"][-1].endswith("lost, no answer is left (worse than any answer)")
    assert "A move with a smaller chance of that is better" in panel.data["sum"]["text"]


def test_a_lost_answer_with_a_price_is_part_of_the_mean():
    rules = tc.Rules(4, 5)
    panel = SearchPanel("dellacherie", rules, FULL, "T", lost=-20.0)
    panel.look_at_all()
    gone = [(b, n) for b in panel.tree.branches for n, reply in enumerate(b.replies) if reply.lost]
    assert gone
    for branch, n in gone:
        send(panel, "tree:toggle", str(branch.number))
        assert rows(panel)[f"{branch.number}/{n}"]["cells"][2] == "lost: −20.00"
        value = tc.LookAhead("dellacherie", lost=-20.0).value(branch.move, rules=rules)
        assert number(rows(panel)[str(branch.number)]["cells"][2]) == pytest.approx(value, abs=0.01)
        send(panel, "close_all")
    send(panel, "tree:select", f"{gone[0][0].number}/{gone[0][1]}")
    assert panel.data["landing"]["text"][-1].endswith("lost, no answer is left (counts -20)")


def test_on_a_board_without_a_move_the_game_is_over():
    panel = SearchPanel("dellacherie", tc.Rules(4, 4), tc.Board.from_text("XXX.\n" * 4), "O")
    assert panel.data["words"]["text"] == "No move is left for O: the game is over."
    assert panel.data["tree"]["rows"] == []
    assert panel.data["going"]["play"]["disabled"]
    assert panel.choice is None
    repr(panel), panel._repr_mimebundle_()
    send(panel, "contested")
    assert panel.message["text"].startswith("The game is over. This is game ")
    assert panel.choice is not None


# --- bad input and other forms --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "value", "message"),
    [
        ("tree:select", "99", "row is 99"),
        ("tree:select", "x", "row is -1"),
        ("tree:toggle", "0/7", "row is 7"),
        ("tree:toggle", "0/0/0", "row is 0"),
        ("tree:burn", "0", "event is 'burn'"),
        ("next_piece", "Q", "next_piece is 'Q'"),
    ],
)
def test_what_the_page_cannot_ask_for_is_a_message_and_changes_nothing(event, value, message):
    panel = SearchPanel()
    before = panel.data
    send(panel, event, value)
    assert message in panel.message["text"]
    assert panel.message["kind"] == "error"
    assert panel.data == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"player": "filter-heights"}, "player is 'filter-heights'; it must be a Player, or one of"),
        ({"player": "champio"}, "player is 'champio'"),
        ({"rules": "10by10"}, "rules is '10by10'"),
        ({"board": [[0]]}, "board is"),
        ({"piece": "Q"}, "piece is 'Q'"),
        ({"next_piece": "Q"}, "next_piece is 'Q'"),
        ({"seed": -1}, "seed is -1"),
        ({"lost": "much"}, "lost is 'much'"),
    ],
)
def test_what_the_panel_cannot_be_made_of_is_named(given, message):
    with pytest.raises(InputError, match=message):
        SearchPanel(**given)


def test_its_forms_are_stable_and_small():
    panel = SearchPanel()
    panel.look(3)
    send(panel, "tree:toggle", panel.selected)
    send(panel, "tree:toggle", f"{panel.selected}/4")
    again = SearchPanel()
    again.look(3)
    assert repr(again) == repr(panel)
    assert panel.board.text(letters=True) in repr(panel)
    still = ElementTree.fromstring(panel._repr_mimebundle_()[0]["image/svg+xml"])
    branch, *_ = panel.found(panel.selected)
    assert f"First move: {move_name(branch.move)}" in still.get("aria-label")
    assert len(json.dumps(panel.data)) < 30_000
