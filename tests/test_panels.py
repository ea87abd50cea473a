"""All panels: state in Python, messages instead of tracebacks, work that stops when nobody looks."""

import importlib
import json
import re
import sys
import textwrap
import threading
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from counting import Counting
from hypothesis import given
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules, random_board

from tetriscourse import widgets
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES
from tetriscourse.game.board import Board
from tetriscourse.game.drawing import COLOURS, MARKS, SIGNS
from tetriscourse.game.moves import moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.players import PLAYERS, Filter
from tetriscourse.widgets import BoardView
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.candidates import candidate_table, candidates, reason_table
from tetriscourse.widgets.panel import Panel, script, typed_number, typed_whole


def tell(panel, event, value=None, **more):
    """An event as the page sends it when a person does something."""
    panel.receive({"event": event, "value": value, **more})


def show(panel):
    """The message of the page that everything has been shown."""
    tell(panel, "shown", panel.version)


@st.composite
def positions(draw, **fixed):
    """A board, and a piece of the research game to place on it."""
    rules, rng = draw(any_rules(bag="research", **fixed)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cells = random_board(rules, rng).cells
    marks = rng.integers(1, len(MARKS), cells.shape)
    return Board(cells * marks), draw(st.sampled_from(rules.pieces))


def wait_for(condition, seconds=20):
    """Until it is true."""
    moment = threading.Event()
    for _ in range(int(seconds / 0.01)):
        if condition():
            return
        moment.wait(0.01)
    raise AssertionError("it did not happen")


# --- events ---------------------------------------------------------------------------------------


def test_an_event_changes_the_state_and_what_the_page_gets():
    panel = Counting()
    version = panel.version
    tell(panel, "limit", "12")
    assert panel.limit == 12
    assert panel.data["own"]["limit"]["value"] == 12
    assert panel.version > version
    assert panel.message["text"] == ""


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ("limit", "twelve", "limit is 'twelve'; it must be a whole number of at least 1"),
        ("limit", "0", "limit is 0; it must be a whole number of at least 1"),
        ("weight", "1e9", "weight is 1000000000.0; it must be a number at least -5 and at most 5"),
        ("weight", "", "weight is ''; it must be a number at least -5 and at most 5"),
        ("choice", "c", "choice is 'c'; it must be a or b"),
        ("nothing", 1, "event is 'nothing'; this panel has no such control"),
        ("broken", 1, "KeyError: 'broken'"),
    ],
)
def test_bad_input_becomes_a_message_and_changes_nothing(event, value, said):
    panel = Counting()
    tell(panel, event, value)
    assert panel.message == {"text": said, "kind": "error"}
    assert (panel.limit, panel.weight, panel.choice) == (1_000_000, 1.0, "a")
    tell(panel, "choice", "b")
    assert panel.message["text"] == ""


def test_a_value_that_was_overtaken_on_its_way_changes_nothing():
    panel = Counting()
    for weight, at in ((1, 10.0), (3, 12.5), (2, 11.0)):
        tell(panel, "weight", weight, at=at)
    tell(panel, "choice", "b", at=11.0)  # another control: nothing newer is known of it
    assert (panel.weight, panel.choice) == (3, "b")
    tell(panel, "weight", 4, at=12.5)
    assert panel.weight == 4


def test_only_unexpected_errors_leave_a_traceback_to_look_at():
    panel = Counting()
    tell(panel, "limit", "x")
    assert panel.failure == ""
    tell(panel, "broken")
    assert "KeyError" in panel.failure


@pytest.mark.parametrize(("typed", "meant"), [("3", 3), (" 1,000 ", 1000), ("−2.5", -2.5), ("1e2", 100), (7, 7)])
def test_numbers_may_be_typed_in_several_ways(typed, meant):
    assert typed_number("x", typed) == meant


def test_whole_numbers_are_whole():
    assert typed_whole("n", "12", 0) == 12
    with pytest.raises(InputError, match=r"n is 1.5; it must be a whole number of at least 0"):
        typed_whole("n", "1.5", 0)


# --- work -----------------------------------------------------------------------------------------


def test_steps_can_be_taken_here_and_now():
    panel = Counting(limit=3)
    panel.step(2)
    assert panel.count == 2
    panel.step(5)
    assert panel.count == 3
    assert panel.data["status"]["text"] == "count 3: all is counted"
    assert panel.data["run"]["start"]["disabled"]
    assert Counting(limit=3, steps=2).count == 2


def test_a_step_is_begun_only_after_the_page_has_shown_the_one_before():
    panel = Counting(speed="as fast as possible")
    tell(panel, "start")
    for count in range(1, 4):
        wait_for(lambda count=count: panel.count == count)
        assert not threading.Event().wait(0.1)
        assert panel.count == count
        show(panel)
    panel.close()


def test_work_goes_on_as_long_as_the_page_answers_and_ends_with_the_last_step():
    panel = Counting(limit=25, speed="as fast as possible")
    panel.observe(lambda change: threading.Thread(target=show, args=(panel,)).start(), "version")
    tell(panel, "start")
    wait_for(lambda: panel.count == 25 and not panel.running)
    assert panel.data["run"]["pause"]["disabled"]


@pytest.mark.parametrize("end", ["pause", "reset", "hidden", "close"])
def test_work_stops_when_it_is_paused_reset_hidden_or_closed(end):
    panel = Counting()
    tell(panel, "start")
    worker = panel.worker._thread
    assert worker is not None
    if end == "close":
        panel.close()
    else:
        tell(panel, end)
    worker.join(20)
    assert not worker.is_alive()
    assert not panel.running
    assert panel.count == (0 if end == "reset" else panel.count)


def test_a_step_that_was_being_computed_when_the_panel_was_reset_is_forgotten():
    panel, begun, go_on = Counting(), threading.Event(), threading.Event()

    def slow():
        begun.set()
        go_on.wait(20)
        return 100

    panel.compute = slow
    tell(panel, "start")
    worker = panel.worker._thread
    begun.wait(20)
    tell(panel, "reset")
    go_on.set()
    worker.join(20)
    assert panel.count == 0


def test_a_mistake_in_the_work_is_told_in_the_panel_and_stops_it():
    panel = Counting()
    panel.fails_at = 0
    tell(panel, "start")
    wait_for(lambda: not panel.running and panel.message["text"])
    assert panel.message == {"text": "ZeroDivisionError: a mistake of the student's", "kind": "error"}
    assert "ZeroDivisionError" in panel.failure


def test_a_message_stays_until_the_person_does_something_whatever_the_work_does():
    panel = Counting()
    tell(panel, "limit", "many")
    said = dict(panel.message)
    panel.step(3)
    assert panel.count == 3
    assert panel.message == said
    tell(panel, "choice", "b")
    assert panel.message["text"] == ""


# --- other forms ----------------------------------------------------------------------------------


def test_a_panel_has_a_live_a_still_and_a_written_form():
    data, _ = Counting(limit=3)._repr_mimebundle_()
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/html", "text/plain"}
    assert data["text/plain"] == "Counting(Counting)\ncount 0"
    still = ElementTree.fromstring(data["image/svg+xml"])
    assert still.get("role") == "img"
    assert "count 0" in still.get("aria-label")
    image = ElementTree.fromstring(data["text/html"])
    assert image.get("alt") == still.get("aria-label")
    assert b64decode(image.get("src").partition(",")[2]).decode() == data["image/svg+xml"]


def test_two_equal_panels_have_equal_forms():
    forms = [Counting(limit=3)._repr_mimebundle_()[0] for _ in range(2)]
    for kind in ("image/svg+xml", "text/plain"):
        assert forms[0][kind] == forms[1][kind]


@THOROUGH
@given(positions())
def test_the_still_picture_of_a_board_has_a_coloured_cell_with_a_sign_for_each_full_one(position):
    board, _ = position
    drawn = BoardView(board)._repr_mimebundle_()[0]["image/svg+xml"]
    for code in range(1, len(MARKS)):
        assert drawn.count(f'fill="{COLOURS[code]}"/><path d="{SIGNS[code]}"') == (board.cells == code).sum()
    assert f"{board.width} columns" in drawn


@THOROUGH
@given(positions(), st.data())
def test_the_data_of_a_board_says_everything_that_is_on_it(position, data):
    board, piece = position
    found = moves(board, piece)
    move = data.draw(st.sampled_from(found)) if found else None
    sent = board_data(board, piece, move.cells if move else ())
    assert Board.from_text("\n".join(reversed(sent["rows"]))) == Board(board.cells)
    assert [tuple(cell) for cell in sent["piece"]] == (move.cells if move else [])
    assert " ".join(map(str, board.heights)) in sent["label"]


def test_every_feature_can_be_seen_in_a_view_and_in_words():
    board = Board.from_text("..T.......\nITTT...O..\nI.SS..OO.Z", height=20)
    move = moves(board, PIECES["T"])[5]
    for name in FEATURES:
        view = BoardView(move, name)
        assert view.data["words"]["text"]
        assert view.data["board"]["highlight"] == view.marked.to_json()
        ElementTree.fromstring(view._repr_mimebundle_()[0]["image/svg+xml"])


def test_a_view_can_be_given_another_board():
    view = BoardView(Board.empty(4, 4))
    view.show(Board.from_text("X..X", height=4))
    assert view.data["board"]["rows"][0] == "X..X"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("board",), "board is 'board'; it must be a Board or a Move"),
        ((Board.empty(4, 4), "holes"), "feature is 'holes'; it is seen on a Move"),
    ],
)
def test_a_view_refuses_what_it_cannot_show(arguments, said):
    with pytest.raises(InputError, match=re.escape(said)):
        BoardView(*arguments)


def test_the_script_of_a_panel_asks_for_nothing_outside_the_page():
    text = script(("game", "play"))
    assert text.count("export default") == 1
    assert not re.search(r"https?://|\bfetch\(|XMLHttpRequest|\bimport\b[ (]", text)


# --- candidates -----------------------------------------------------------------------------------


@pytest.mark.slow
@THOROUGH
@given(positions(width=10))
def test_the_first_candidate_is_what_a_player_chooses(position):
    board, piece = position
    found = moves(board, piece)
    for name in ("dellacherie", "dn", "tetrisbot"):
        player = PLAYERS[name]
        seen = candidates(player, found)
        assert [one.move for one in seen][:1] == [player.choose(board, piece)] * bool(found)
        assert [one.value for one in seen] == sorted((one.value for one in seen), reverse=True)


def test_the_table_of_candidates_marks_the_chosen_one_and_shows_the_weights():
    board, player = Board.from_text("X.XX......", height=20), PLAYERS["dellacherie"]
    found = candidates(player, moves(board, PIECES["I"]))
    data = candidate_table(player, found, player.choose(board, PIECES["I"]))
    assert data["rows"][0][:3] == ["weight", "-1", "1"]
    assert data["marked"] == 1
    assert len(data["rows"]) == 1 + len(moves(board, PIECES["I"]))


def test_the_reasons_for_a_move_add_up_to_its_value():
    board, player = Board.from_text("X.XX......", height=20), PLAYERS["dn"]
    best, second, *_ = candidates(player, moves(board, PIECES["L"]))
    rows = reason_table(player, best, second)["rows"]
    assert float(rows[-1][3]) == pytest.approx(sum(float(row[3]) for row in rows[:-1]), rel=1e-2)
    assert float(rows[-1][5]) == pytest.approx(best.value - second.value, rel=1e-2)


def test_a_filter_values_a_move_by_the_criteria_that_it_passes():
    board, player = Board.from_text("X.XX......", height=20), Filter(["holes", "bumpiness"])
    found = candidates(player, moves(board, PIECES["O"]))
    stages = player.stages(moves(board, PIECES["O"]))
    assert [sum(one.value >= passed for one in found) for passed in (1, 2)] == [len(stage) for stage in stages]


def test_the_example_of_a_panel_of_ones_own_works_as_it_stands(tmp_path, monkeypatch):
    text = sys.modules[Panel.__module__].__doc__
    example = re.search(r"works as it stands here:\n\n(.*?)\nAfter every", text, re.DOTALL)[1]
    (tmp_path / "own_panel.py").write_text(textwrap.dedent(example), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    panel = importlib.import_module("own_panel").Dice()
    for _ in range(10):
        tell(panel, "throw")
    assert len(panel.thrown) == 10
    assert panel.data["last"]["text"] == str(panel.thrown[-1])
    tell(panel, "sides", "abc")
    assert panel.message["text"] == "sides is 'abc'; it must be a whole number from 2 to 20"


def test_a_mistake_in_somebody_elses_code_is_told_with_a_name():
    panel = Counting()
    with panel.changing(), panel.naming("mine"):
        raise ValueError("too high")
    assert panel.message == {"text": "mine failed: ValueError: too high", "kind": "error"}
    assert "ValueError" in panel.failure


# --- all of them ----------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]
PANELS = [
    name for name in widgets.__all__ if name not in ("Panel", "BoardView") and issubclass(getattr(widgets, name), Panel)
]


@pytest.mark.parametrize("name", [*PANELS, "BoardView"])
def test_every_panel_is_in_the_notebook_in_the_readme_and_among_the_pictures(name):
    notebook = json.loads((ROOT / "notebooks/panels.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    found = {
        "a cell in notebooks/panels.py (then: tetriscourse build panels)": any(f"{name}(" in cell for cell in cells),
        "its name in README.md": f"`{name}`" in (ROOT / "README.md").read_text("utf-8"),
        "a scene in tests/browser/screenshots.py": f"{name}(" in (ROOT / "tests/browser/screenshots.py").read_text(),
    }
    missing = [what for what, is_there in found.items() if not is_there]
    assert not missing, f"{name} lacks {', '.join(missing)}"


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_says_what_to_try_and_what_its_arguments_are(name):
    panel = getattr(widgets, name)
    assert 2 <= len(panel.tries) <= 5
    assert all(sentence.endswith((".", "?")) and len(sentence) < 250 for sentence in panel.tries)
    assert panel.__init__.__doc__


def test_every_cell_of_the_notebook_has_been_run():
    notebook = json.loads((ROOT / "notebooks/panels.ipynb").read_text("utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))


def test_the_pictures_of_the_readme_are_there():
    named = re.findall(r"notebooks/pictures/[\w-]+\.png", (ROOT / "README.md").read_text("utf-8"))
    assert len(named) >= 4
    assert [name for name in named if not (ROOT / name).is_file()] == []
