"""Tetris by hand in a real notebook: keys and buttons play in the page, and the same game is in Python."""

import pytest

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import PlayPanel"
PANEL = "panel = PlayPanel('tetrisbot', seed=3)\npanel"
TURNS = "slow = PlayPanel(tc.Rules(6, 8, max_pieces=4), seed=1, mode='turns')\nslow"


@pytest.fixture(scope="module")
def book(module_lab):
    """A game with gravity and one turn by turn."""
    return module_lab.open([IMPORT, PANEL, TURNS])


def board(book, number=0):
    """The canvas on which the game is played."""
    return book.panel(number).get_by_role("application")


def state(book, number=0):
    """Whether the game is ready, on, paused or over."""
    return board(book, number).get_attribute("data-state")


def new_game(book, number=0):
    """Begin anew and wait for it."""
    name = ("panel", "slow")[number]
    before = book.python(f"{name}.round")
    book.panel(number).get_by_role("button", name="New game").click()
    book.wait_python(f"{name}.round > {before}")
    book.page.wait_for_function("n => document.querySelectorAll('.tc-play canvas[role=application]')[n].dataset.state "
                                "=== 'ready'", arg=number)  # fmt: skip


def press(book, keys, number=0):
    """Press keys on the board, one after the other."""
    for key in keys:
        board(book, number).press(key)


def test_keys_play_the_game_and_python_follows_piece_by_piece(book):
    new_game(book)
    press(book, ["ArrowLeft", "ArrowLeft", "ArrowUp", "Space", "ArrowRight", "z", "Space"])
    book.wait_python("panel.engine.blocks_played == 2")
    keys = book.python("panel.follower.keys")
    assert [key for key in keys if key != "N"] == ["L", "L", "H", "D", "R", "T", "D"]
    assert board(book).get_attribute("data-pieces") == "2"
    heights = " ".join(map(str, book.python("panel.engine.board.heights.tolist()")))
    assert heights in board(book).get_attribute("aria-label")


def test_the_piece_falls_by_itself_until_the_game_is_paused(book):
    new_game(book)
    press(book, ["ArrowLeft"])
    book.page.wait_for_function("n => document.querySelectorAll('.tc-play canvas[role=application]')[0].dataset.pieces "
                                "=== '1'", timeout=60_000)  # fmt: skip
    book.wait_python("panel.engine.blocks_played == 1")
    assert book.python("panel.follower.keys.count('N')") > 10
    press(book, ["p"])
    assert state(book) == "paused"
    book.panel().get_by_text("Paused: click, or press p").wait_for()
    press(book, ["p"])
    assert state(book) == "on"
    board(book).blur()
    assert state(book) == "paused"


def test_a_game_to_its_end_comes_back_as_a_record_that_replays_move_for_move(book):
    new_game(book)
    press(book, ["ArrowLeft"])
    for _ in range(60):
        if state(book) != "over":
            press(book, ["Space"])
    book.wait_python("panel.record is not None and len(panel.records) == 1")
    book.panel().get_by_text("Game over", exact=True).wait_for()
    assert book.python("panel.record.game().lost") is True
    assert book.python("panel.record.replay().board == panel.engine.board") is True
    pieces = book.python("len(panel.record.moves())")
    assert board(book).get_attribute("data-pieces") == str(pieces)
    assert f"{pieces} pieces" in book.panel().locator(".tc-text").first.inner_text()
    assert book.python("tc.widgets.Record.from_json(panel.record.to_json()) == panel.record") is True


def test_the_buttons_do_what_the_keys_do(book):
    new_game(book)
    for name in ("Left", "Turn clockwise", "Fall one row", "Right", "Turn back", "Drop"):
        book.panel().get_by_role("button", name=name, exact=True).click()
    book.wait_python("panel.engine.blocks_played == 1")
    assert book.python("[key for key in panel.follower.keys if key != 'N']") == ["L", "H", "R", "T", "D"]


def test_a_hint_shows_what_the_player_would_do_and_why(book):
    new_game(book)
    press(book, ["ArrowLeft", "i"])
    book.wait_python("panel.hint_cells")
    book.panel().get_by_text("dellacherie would play").wait_for()
    table = book.panel().locator("table")
    assert "landing height" in table.inner_text()
    assert "holes" in table.inner_text()
    place = book.python("panel._advice(panel.engine).cells")
    assert book.python("panel.hint_cells") == place
    book.panel().get_by_label("hints by").select_option("filter-bumpiness")
    book.wait_python("panel.adviser.name == 'filter-bumpiness'")
    press(book, ["i"])
    book.panel().get_by_text("filter-bumpiness would play").wait_for()


def test_a_game_that_is_stopped_halfway_is_kept_and_the_panel_says_so(book):
    new_game(book)
    games = book.python("len(panel.records)")
    press(book, ["ArrowRight", "Space"])
    book.panel().get_by_role("button", name="Stop").click()
    book.wait_python(f"len(panel.records) == {games + 1}")
    book.panel().get_by_text("Stopped after 1 piece;").wait_for()
    assert book.python("panel.record.moves()[0].rows") == 0
    assert book.cell_outputs() == book.callback_outputs() == []


def test_turn_by_turn_every_key_lets_the_piece_fall_one_row(book):
    new_game(book, 1)
    row = book.python("slow.engine.position[0]")
    press(book, ["ArrowLeft", "ArrowRight", "i"], 1)
    book.wait_python("slow.hint_cells")
    assert book.python("slow.engine.position[0]") == row - 2
    press(book, ["Space"] * 4, 1)
    book.wait_python("slow.record is not None")
    assert book.python("str(slow.engine.ending)") == "piece limit reached"
    assert book.python("len(slow.record.moves())") == 4


def test_bad_input_gives_a_message_and_leaves_the_game_as_it_is(book):
    field = book.panel().get_by_label("seed")
    round_before = book.python("panel.round")
    field.fill("three")
    field.press("Enter")
    book.panel().get_by_text("seed is 'three'; it must be a whole number from 0").wait_for()
    assert book.python("panel.round") == round_before
    field.fill("12")
    field.press("Enter")
    book.wait_python("panel.seed == 12")
    assert book.panel().locator(".tc-message").is_hidden()


def test_other_rules_give_another_board(book):
    book.panel().get_by_label("rules").select_option("domino")
    book.wait_python("panel.rules.width == 8")
    new_game(book)
    press(book, ["ArrowLeft", "Space"])
    book.wait_python("panel.engine.blocks_played == 1")
    book.panel().get_by_label("rules").select_option("tetrisbot")
    book.wait_python("panel.rules.width == 10")


def test_in_notebook_7_the_arrow_keys_belong_to_the_game_too(notebook7):
    book = notebook7.open([IMPORT, PANEL])
    new_game(book)
    press(book, ["ArrowLeft", "ArrowUp", "ArrowDown", "Space", "x", "ArrowRight", "Space"])
    book.wait_python("panel.engine.blocks_played == 2")
    keys = book.python("panel.follower.keys")
    assert [key for key in keys if key != "N"] == ["L", "H", "D", "H", "R", "D"]
    assert book.page.evaluate("document.activeElement.getAttribute('role')") == "application"
