"""The feature panel without a page: what it shows is what the features say."""

import json
from xml.etree import ElementTree

import pytest

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.pieces import PIECES
from tetriscourse.widgets import FeaturePanel


def send(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def shown_values(panel):
    """The table, as a dict."""
    return {name.replace(" ", "_"): value for name, value in panel.data["values"]["rows"]}


def written(value):
    """A feature's value as the table writes it."""
    return " ".join(f"{one:g}" for one in value) if isinstance(value, list) else f"{value:g}"


def test_the_table_has_the_value_of_every_feature_for_the_move_that_is_shown():
    panel = FeaturePanel()
    for _ in range(4):
        assert shown_values(panel) == {name: written(feature(panel.move)) for name, feature in FEATURES.items()}
        send(panel, "next")
    send(panel, "position")
    assert shown_values(panel) == {name: written(feature(panel.move)) for name, feature in FEATURES.items()}


@pytest.mark.parametrize("name", FEATURES)
def test_each_feature_can_be_chosen_drawn_and_read(name):
    panel = FeaturePanel()
    send(panel, "feature", name)
    assert panel.feature is FEATURES[name]
    assert panel.data["board"]["highlight"]["value"] == FEATURES[name](panel.move)
    assert panel.data["meaning"]["text"] == FEATURES[name].describe
    value = written(FEATURES[name](panel.move))
    assert panel.data["words"]["text"] == f"{name.replace('_', ' ')} ({FEATURES[name].symbol}) = {value}"
    assert panel.data["detail"]["text"] == panel.highlight.text != ""
    assert panel.data["values"]["marked"] == list(FEATURES).index(name)
    ElementTree.fromstring(panel._repr_mimebundle_()[0]["image/svg+xml"])


def test_the_holes_that_are_marked_are_the_empty_cells_below_full_ones():
    panel = FeaturePanel("holes", seed=4)
    rows = panel.move.after.text().splitlines()[::-1]
    holes = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row)
             if mark == "." and any(above[c] == "X" for above in rows[r:])}  # fmt: skip
    assert {(r, c) for r, c, _ in panel.data["board"]["highlight"]["cells"]} == holes
    assert holes


def test_picking_a_row_of_the_table_chooses_its_feature():
    panel = FeaturePanel()
    for number, name in enumerate(FEATURES):
        send(panel, "values", number)
        assert panel.feature.name == name
        assert panel.data["choosing"]["feature"]["value"] == name


def test_next_and_previous_go_round_all_moves():
    panel = FeaturePanel()
    expected = tc.moves(panel.board, panel.piece, panel.position.rules)
    seen = []
    for _ in expected:
        seen.append(panel.move)
        send(panel, "next")
    assert seen == expected
    assert panel.number == 0
    send(panel, "previous")
    assert panel.move == expected[-1]
    assert panel.data["landing"]["text"][0] == f"Move {len(expected)} of {len(expected)}:"


@pytest.mark.parametrize("name", ["wells", "eroded_cells", "landing_height", "column_heights"])
def test_lowest_and_highest_find_the_first_such_move(name):
    panel = FeaturePanel(name, seed=2)
    values = [value if not isinstance(value := FEATURES[name](move), list) else sum(value) for move in panel.moves]
    send(panel, "highest")
    assert panel.number == values.index(max(values))
    send(panel, "lowest")
    assert panel.number == values.index(min(values))


def test_the_next_position_is_that_of_the_next_seed():
    panel, other = FeaturePanel(seed=5), FeaturePanel(seed=6)
    assert panel.board != other.board
    send(panel, "position")
    assert (panel.seed, panel.board, panel.piece) == (6, other.board, other.piece)
    assert panel.data == other.data


def test_a_board_and_piece_of_ones_own_are_looked_at_whatever_their_size():
    board = tc.Board.from_text("X.X.\nX..X\n.XX.", height=6)
    panel = FeaturePanel("wells", board=board, piece="I")
    assert panel.board == board
    assert panel.piece == PIECES["I"]
    assert panel.moves == tc.moves(board, PIECES["I"])
    send(panel, "position")
    assert (panel.board.width, panel.board.height) == (4, 6)


def test_another_piece_can_be_chosen():
    panel = FeaturePanel()
    board = panel.board
    send(panel, "piece", "O")
    assert panel.move.piece.name == "O"
    assert panel.board == board


def test_it_can_be_told_from_python_what_to_show():
    panel = FeaturePanel()
    panel.show("bumpiness", 3)
    assert (panel.feature.name, panel.number) == ("bumpiness", 3)
    with pytest.raises(InputError, match="feature is 'bumps'"):
        panel.show("bumps")
    with pytest.raises(InputError, match="move is 99"):
        panel.show(move=99)
    assert (panel.feature.name, panel.number) == ("bumpiness", 3)


# --- features of one's own ------------------------------------------------------------------------


def left_edge(move):
    """The column of the piece."""
    return move.column


def test_a_function_of_ones_own_is_in_the_menu_with_its_docstring():
    panel = FeaturePanel(features=[left_edge])
    send(panel, "feature", "left_edge")
    send(panel, "next")
    assert panel.data["meaning"]["text"] == "The column of the piece."
    assert panel.data["words"]["text"] == f"left edge = {panel.move.column}"
    assert FeaturePanel(left_edge).feature.name == "left_edge"


def test_a_function_with_the_name_of_a_feature_is_shown_beside_it():
    def holes(move):
        """My holes."""
        return -1

    panel = FeaturePanel(holes)
    assert panel.feature.name == "holes (yours)"
    assert shown_values(panel)["holes_(yours)"] == "-1"
    assert shown_values(panel)["holes"] == written(FEATURES["holes"](panel.move))


def test_a_function_that_fails_is_a_message_in_the_panel_and_no_exception():
    def broken(move):
        return [1][5]

    panel = FeaturePanel(features=[broken])
    send(panel, "feature", "broken")
    assert panel.data["detail"]["text"] == "broken failed: IndexError: list index out of range"
    assert shown_values(panel)["broken"] == "IndexError: list index out of range"
    send(panel, "highest")
    assert panel.message == {"text": "IndexError: list index out of range", "kind": "error"}
    send(panel, "feature", "holes")
    assert panel.message["text"] == ""


def test_a_function_that_gives_no_number_says_so():
    panel = FeaturePanel(lambda move: "many")
    assert "must be one number" in panel.data["detail"]["text"]


def test_a_feature_of_the_catalogue_can_be_given_itself():
    panel = FeaturePanel(FEATURES["wells"], features=[Feature("own", "o", "", left_edge)])
    assert panel.feature is FEATURES["wells"]
    assert list(panel.features) == [*FEATURES, "own"]


# --- bad input and other forms --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "value", "message"),
    [
        ("feature", "hole", "feature is 'hole'; did you mean 'holes'"),
        ("feature", None, "feature is None"),
        ("values", 99, "row is 99"),
        ("values", "x", "row is 'x'"),
        ("piece", "Q", "piece is 'Q'"),
        ("nothing", 1, "event is 'nothing'"),
    ],
)
def test_what_the_page_cannot_ask_for_is_a_message_and_changes_nothing(event, value, message):
    panel = FeaturePanel()
    before = panel.data
    send(panel, event, value)
    assert message in panel.message["text"]
    assert panel.message["kind"] == "error"
    assert panel.data == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"feature": "welts"}, "feature is 'welts'; did you mean 'wells'"),
        ({"feature": 3}, r"features\[0\] is 3"),
        ({"features": 5}, "features is 5"),
        ({"rules": "researched"}, "rules is 'researched'"),
        ({"board": [[0]]}, "board is"),
        ({"piece": "Q"}, "piece is 'Q'"),
        ({"seed": -2}, "seed is -2"),
        ({"board": tc.Board.from_text("XX.X\n" * 4), "piece": "O"}, "piece is O; there is no move for it"),
    ],
)
def test_what_the_panel_cannot_be_made_of_is_named(given, message):
    with pytest.raises(InputError, match=message):
        FeaturePanel(**given)


def test_its_text_form_is_stable_and_has_the_board_and_what_is_counted():
    panel = FeaturePanel("wells", seed=1)
    assert repr(panel) == repr(FeaturePanel("wells", seed=1))
    assert panel.move.after.text(letters=True) in repr(panel)
    assert f"wells: {panel.highlight.text}" in repr(panel)
    assert len(json.dumps(panel.data)) < 20_000
