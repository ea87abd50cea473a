"""The watch panel in JupyterLab: the page replays games by itself, and its boards are those of Python."""

import pytest

GAMES = """
import numpy as np
from dataclasses import replace
from IPython.display import display
from tetriscourse.agents import AGENTS
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import moves
from tetriscourse.game.rules import RULES, GameOver, Rules
from tetriscourse.games import Game, play_game
from tetriscourse.players import PLAYERS, Player
from tetriscourse.widgets import Record, WatchPanel

class Careless:
    "Takes any move, also one that loses."
    def choose(self, board, piece, next_piece=None, rules=None, chance=None):
        found = moves(board, piece, rules)
        return chance.pick(found) if found else None

class Upright(Careless):
    "Puts a bar upright into the third column, even if it then sticks out."
    def choose(self, board, piece, next_piece=None, rules=None, chance=None):
        return next(move for move in moves(board, piece, rules) if (move.orientation, move.column) == (0, 2))

losing = [Rules(6, 6, losing_moves="allowed", game_over=over, probabilities={"I": 1}) for over in GameOver]
well = Board.from_text("XX.XXX XX.XXX .XXXXX .XXXXX .XXXXX".replace(" ", chr(10)), height=6)
games = [
    *(play_game(Upright(), replace(rules, max_pieces=1), board=well) for rules in losing),
    *(play_game(Careless(), replace(RULES["losing-allowed"], width=5, game_over=over), 1) for over in GameOver),
    play_game(PLAYERS["tetrisbot-1"], Rules(6, 12, scoring="squares", max_pieces=170)),
    play_game(PLAYERS["tetrisbot-1"], Rules(8, 9, "classic"), 7),
    play_game(PLAYERS["tetrisbot"], replace(RULES["domino"], max_pieces=120), 2),
    play_game(PLAYERS["tetrisbot-4"], Rules(16, 28, max_pieces=80), 3),
    Record(RULES["tetrisbot"], 4, keys=tuple("LLDRRDHDTLDRRRRD" * 3)).game(),
]

class Squares:
    "Plays without end: squares in a well of four columns."
    def choose(self, board, piece, next_piece=None, rules=None, chance=None):
        found = moves(board, piece, rules)
        return min(found, key=lambda move: move.row)

long = play_game(Squares(), Rules(4, 6, probabilities={"O": 1}, max_pieces=10_000))
"""

TOOLS = """
def after(game, position):
    board = game.moves[position - 1].after if position else (game.moves[0].before if game.moves else game.board)
    return "/".join(board.text(letters=True).splitlines()[::-1])

def counted(game, position):
    behind = game.moves[:position]
    board = behind[-1].after if behind else game.moves[0].before
    points = sum(game.rules.points(move.rows) for move in behind)
    return [position, sum(move.rows for move in behind), points, int(max(board.heights))]

def calls(game):
    "Positions where a cell is full in the top quarter or right below it, and was not before."
    def high(board):
        return bool(board.full[board.height - board.height // 4 - 1:].any())
    return [n + 1 for n, move in enumerate(game.moves) if high(move.after) and not high(move.before)]
"""

SHOW = """
past = [WatchPanel(game) for game in games]
for panel in past:
    display(panel)
"""

# Drags the slider to each position and returns what the page shows there.
SCRUB = """(panel, positions) => positions.map(position => {
  const slider = panel.querySelector(".tc-scrub input"), board = panel.querySelector("canvas.tc-board");
  slider.value = position;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const counters = [...panel.querySelectorAll("[data-counter]")].map(one => Number(one.textContent.replace(",", "")));
  return { rows: board.dataset.rows, counters };
})"""

LIVE, FAILING, LONG, SOUGHT, FIRST = 0, 1, 2, 3, 4


@pytest.fixture(scope="module")
def book(module_lab):
    cells = [
        GAMES + TOOLS,
        "live = WatchPanel('dellacherie', at=5)\nlive",
        "class Failing(Careless):\n    def choose(self, board, *rest):\n"
        "        if board.heights.any():\n            raise KeyError('forgotten')\n"
        "        return super().choose(board, *rest)\n\nfailing = WatchPanel(Failing())\nfailing",
        "endless = WatchPanel(long)\nendless",
        "sought = WatchPanel('dellacherie', Rules(8, 12), seed=2)\nsought",
        SHOW,
    ]
    return module_lab.open(cells)


def scrubbed(book, panel, positions):
    return panel.evaluate(SCRUB, positions)


def position(panel):
    return int(panel.locator("canvas.tc-board").get_attribute("data-position"))


def wait_position(book, panel, condition):
    """Wait until a condition on the position holds in the page, such as '=== 7'."""
    test = f"panel => Number(panel.querySelector('canvas.tc-board').dataset.position) {condition}"
    book.page.wait_for_function(test, arg=panel.element_handle())


def press(panel, name):
    panel.locator(f"[data-name={name}]").click()


def test_the_boards_and_counters_of_any_game_are_pythons_wherever_one_scrubs_to(book):
    for number in range(book.python("len(games)")):
        panel = book.panel(FIRST + number)
        length = book.python(f"games[{number}].pieces")
        # To and fro, so that both snapshots and boards from the last one on are used.
        positions = [*range(0, length + 1, 3), *range(length, -1, -2), 0, length]
        shown = scrubbed(book, panel, positions)
        expected = f"[[after(games[{number}], n), counted(games[{number}], n)] for n in {positions}]"
        assert [[one["rows"], one["counters"]] for one in shown] == book.python(expected)
        book.wait_python(f"past[{number}].position == {length}")
    assert book.python("[game.lost for game in games[:3]]") == [True, False, True]
    assert book.python("[game.moves[0].after.full_rows() for game in games[:3]]") == [[3, 4], [], [3, 4]]


def test_close_calls_are_found_one_after_the_other_and_in_the_end_there_is_none(book):
    number = 6
    panel = book.panel(FIRST + number)
    panel.locator("canvas.tc-board").focus()
    book.page.keyboard.press("Home")
    wait_position(book, panel, "=== 0")
    expected = book.python(f"calls(games[{number}])")
    assert len(expected) > 2
    for call in expected:
        book.page.keyboard.press("c")
        wait_position(book, panel, f"=== {call}")
    press(panel, "close-call")
    panel.get_by_text("No close call in the rest of the game").wait_for()
    assert position(panel) == expected[-1]
    book.wait_python(f"past[{number}].position == {expected[-1]}")


def test_a_game_of_ten_thousand_moves_can_be_scrubbed(book):
    panel = book.panel(LONG)
    panel.get_by_text("of 10,000").wait_for()
    positions = [10_000, 1, 4_999, 9_950, 2_003, 50, 49, 0, 7_777]
    shown = scrubbed(book, panel, positions)
    assert [[one["rows"], one["counters"]] for one in shown] == book.python(
        f"[[after(long, n), counted(long, n)] for n in {positions}]"
    )


def test_a_live_game_is_played_and_paused_with_keys_and_goes_on_past_the_first_moves(book):
    panel = book.panel(LIVE)
    panel.get_by_text("so far").wait_for()
    book.wait_python("live.game.pieces >= 65")
    panel.locator("[data-name=speed] input").focus()
    book.page.keyboard.press("End")
    book.wait_python("live.speed == 60")
    panel.locator("canvas.tc-board").focus()
    book.page.keyboard.press("Space")
    panel.get_by_text("Pause").wait_for()
    wait_position(book, panel, "> 200")
    book.page.keyboard.press("Space")
    panel.get_by_text("▶ Play").wait_for()
    stopped = position(panel)
    book.wait_python(f"live.position == live.judged == {stopped}")
    assert book.python("live.game.pieces") >= stopped
    rows = panel.locator("canvas.tc-board").get_attribute("data-rows")
    assert rows == book.python(f"after(live.game, {stopped})")
    assert not book.cell_outputs()


def test_steps_and_jumps_by_keys_and_buttons_move_python_too(book):
    panel = book.panel(LIVE)
    book.run_python("live.go(40)")
    wait_position(book, panel, "=== 40")
    board = panel.locator("canvas.tc-board")
    board.focus()
    for act, expected in [
        (lambda: book.page.keyboard.press("ArrowRight"), 41),
        (lambda: book.page.keyboard.press("ArrowLeft"), 40),
        (lambda: press(panel, "back"), 39),
        (lambda: press(panel, "forward"), 40),
        (lambda: press(panel, "first"), 0),
    ]:
        act()
        wait_position(book, panel, f"=== {expected}")
        book.wait_python(f"live.position == {expected}")
    press(panel, "play")
    wait_position(book, panel, "> 9")
    press(panel, "play")
    book.wait_python(f"live.position == {position(panel)} > 9")
    board.focus()
    book.page.keyboard.press("End")
    wait_position(book, panel, "> 100")
    book.page.keyboard.press("Home")
    book.wait_python("live.position == 0")
    # The notebook has not taken the keys for itself: no cell was selected, run or made.
    assert book.page.evaluate("book.content.widgets.length") == 6


def test_the_slider_is_dragged(book):
    panel = book.panel(LIVE)
    slider = panel.locator(".tc-scrub input")
    box = slider.bounding_box()
    book.page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    book.page.mouse.down()
    book.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    book.page.mouse.up()
    wait_position(book, panel, "> 30")
    book.wait_python(f"live.position == live.judged == {position(panel)}")


def test_the_table_marks_the_chosen_move_and_a_picked_row_is_outlined(book):
    panel = book.panel(LIVE)
    book.run_python("live.go(25)")
    wait_position(book, panel, "=== 25")
    panel.get_by_text("Move 25:").wait_for()
    chosen = book.python("[str(live.game.moves[25].shape), live.game.moves[25].column]")
    marked = panel.locator("tr.tc-marked td").first.inner_text()
    assert marked.endswith(f"{chosen[0]} at {chosen[1]}")
    picture = panel.locator("canvas.tc-board").screenshot()
    row = panel.locator("tr[data-row='3']")
    row.click()
    panel.get_by_text("Outlined:").wait_for()
    assert book.python("live.picked.move.column") == int(row.locator("td").first.inner_text().split()[-1])
    assert panel.locator("canvas.tc-board").screenshot() != picture
    row.press("Enter")
    book.wait_python("live.picked is None")


def test_a_close_call_that_was_not_played_yet_is_played_for(book):
    panel = book.panel(SOUGHT)
    book.wait_python("sought.game.pieces >= 60 and not sought.running")
    (call, *_) = book.python("calls(play_game(PLAYERS['dellacherie'], sought.game.rules, 2))")
    assert call > book.python("sought.game.pieces")
    press(panel, "close-call")
    wait_position(book, panel, f"=== {call}")
    book.wait_python(f"sought.position == sought.judged == {call}")
    panel.get_by_text("A close call").wait_for()


def test_the_search_for_a_close_call_can_be_ended(book):
    panel = book.panel(LIVE)
    press(panel, "close-call")
    panel.get_by_text("Playing on: no close call").wait_for()
    press(panel, "back")
    book.wait_python("live.search is None and not live.running")
    assert position(panel) == 24


def test_what_a_player_does_wrong_is_a_message_in_the_panel(book):
    panel = book.panel(FAILING)
    panel.get_by_text("KeyError: 'forgotten'").wait_for()
    assert not book.cell_outputs()
    assert not book.callback_outputs()


def test_a_closed_panel_leaves_the_page_and_stops(book):
    book.run_python("live.go(0)")
    press(book.panel(LIVE), "play")
    count = book.page.locator(".tetriscourse-panel").count()
    book.run_python("live.close()")
    book.page.wait_for_function(f"document.querySelectorAll('.tetriscourse-panel').length === {count - 1}")
    assert not book.python("live.running")
    assert not book.callback_outputs()


def test_notebook_7_leaves_the_keys_to_the_board(notebook7):
    book = notebook7.open(["from tetriscourse.widgets import WatchPanel\nlive = WatchPanel('dellacherie', at=5)\nlive"])
    panel = book.panel()
    book.wait_python("live.game.pieces >= 60")
    panel.locator("canvas.tc-board").focus()
    for key, expected in [("ArrowRight", 6), ("ArrowLeft", 5), ("Home", 0), ("ArrowRight", 1)]:
        book.page.keyboard.press(key)
        wait_position(book, panel, f"=== {expected}")
        book.wait_python(f"live.position == {expected}")
    book.page.keyboard.press("Space")
    wait_position(book, panel, "> 2")
    book.page.keyboard.press("Space")
    panel.get_by_text("▶ Play").wait_for()
    assert book.page.evaluate("book.content.widgets.length") == 1
