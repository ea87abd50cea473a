"""The tune panel in JupyterLab: what a slider does is seen in the page and in Python."""

import re

import pytest

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import TunePanel\nRULES = tc.RULES['6x12']"
PANEL = "panel = TunePanel(rules='6x12', games=100)\npanel"
SAME_SCORES = "(panel.scores.lines.tolist() == tc.simulate(panel.player, RULES, 100).lines.tolist())"


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook with a panel, which the tests share."""
    book = module_lab.open([IMPORT, PANEL])
    book.page.set_viewport_size({"width": 1400, "height": 1200})
    return book


@pytest.fixture
def fresh(book):
    """The panel as it was at the beginning."""
    book.run_python(
        "panel.unfreeze(); panel.receive({'event': 'origin', 'value': 'player:dellacherie'})\n"
        "panel.receive({'event': 'normalise', 'value': False}); panel.receive({'event': 'rules', 'value': '6x12'})"
    )
    book.wait_python("panel.contest.player.is_over")
    return book.panel()


def slider(panel, name):
    """The slider of a feature."""
    return panel.get_by_role("slider", name=name, exact=True)


def picture(panel):
    """The drawing of the scores."""
    return panel.locator(".tc-svg").inner_html()


def marked_row(panel):
    """The row of the chosen move."""
    return panel.locator("tr.tc-marked").inner_text()


def wait_for_text(panel, text):
    """Until the panel shows a text."""
    panel.get_by_text(text).first.wait_for(timeout=20_000)


def drag(book, handle, share):
    """Drag a slider from where it is to a share of its width."""
    handle.hover()
    box = handle.bounding_box()
    book.page.mouse.down()
    book.page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2, steps=8)


def test_the_scores_come_by_themselves_and_are_those_of_simulate(book, fresh):
    wait_for_text(fresh, re.compile(r"This player: 100 games, mean [\d.]+ lines"))
    assert book.python(SAME_SCORES)
    mean = book.python("f'{panel.scores.mean:.1f}'")
    assert f"mean {mean} lines" in fresh.inner_text()
    assert book.cell_outputs() == []  # nothing is printed, not even about compiling


def test_a_dragged_slider_changes_the_player_the_move_and_the_scores(book, fresh):
    for _ in range(6):
        fresh.get_by_role("button", name="Step").click()
    book.wait_python("panel.game.pieces == 6")
    wait_for_text(fresh, "6 pieces")
    before, row, mean = picture(fresh), marked_row(fresh), book.python("panel.scores.mean")
    holes = slider(fresh, "holes")
    drag(book, holes, 0.95)
    book.wait_python("panel.weights[4] > 3")  # while the mouse is still down
    value = float(holes.input_value())
    book.page.mouse.up()
    book.wait_python(f"panel.weights[4] == {value} and panel.contest.player.is_over")
    wait_for_text(fresh, f"[-1, 1, -1, -1, {value:g}, -1]")
    assert book.python(SAME_SCORES)
    assert book.python("panel.scores.mean") < mean
    book.page.wait_for_function(
        "before => document.querySelector('.tetriscourse-panel .tc-svg').innerHTML !== before", arg=before
    )
    assert float(slider(fresh, "holes").input_value()) == value
    assert marked_row(fresh) != row
    chosen = book.python("panel.chosen.piece.name + ' ' + str(panel.chosen.shape) + ' at ' + str(panel.chosen.column)")
    assert chosen in marked_row(fresh)
    assert book.python("panel.chosen == panel.player.choose(panel.board, panel.game.piece, rules=RULES)")


def test_keys_move_a_slider_and_no_step_is_lost(book, fresh):
    wells = slider(fresh, "wells")
    wells.focus()
    start = float(wells.input_value())
    for _ in range(10):
        wells.press("ArrowRight")
    step = float(wells.get_attribute("step"))
    book.wait_python(f"abs(panel.weights[5] - {start + 10 * step}) < 1e-6")
    assert abs(float(wells.input_value()) - (start + 10 * step)) < 1e-6


def test_what_is_typed_is_taken_exactly_and_text_is_answered_by_a_message(book, fresh):
    field = fresh.get_by_label("holes, exact")
    field.fill("-2.125")
    field.press("Enter")
    book.wait_python("panel.weights[4] == -2.125")
    field.fill("a few")
    field.press("Enter")
    wait_for_text(fresh, "holes is 'a few'; it must be a number")
    assert book.python("panel.weights[4]") == -2.125
    for name in ("landing height", "eroded cells", "row transitions", "column transitions", "holes", "wells"):
        field = fresh.get_by_label(f"{name}, exact")
        field.fill("0")
        field.press("Enter")
    wait_for_text(fresh, "All weights are zero")
    book.wait_python("panel.tuned.is_zero and panel.contest.player.is_over")
    assert book.python(SAME_SCORES)
    assert book.callback_outputs() == []


def test_a_rival_is_frozen_and_both_play_on_the_same_pieces(book, fresh):
    fresh.get_by_role("button", name="New game").click()
    fresh.get_by_role("button", name="Freeze as rival").click()
    fresh.get_by_role("button", name="Unfreeze").wait_for()
    assert fresh.locator("canvas").count() == 2
    field = fresh.get_by_label("holes, exact")
    field.fill("2")
    field.press("Enter")
    wait_for_text(fresh, "The rival is better than this player")
    assert book.python("panel.rival.weights") == [-1, 1, -1, -1, -4, -1]
    fresh.get_by_label("pieces").select_option("as fast as possible")
    fresh.get_by_role("button", name="Play").click()
    book.wait_python("panel.rival_game.pieces >= 5")
    fresh.get_by_role("button", name="Pause").click()
    book.wait_python("not panel.running")
    assert book.python("panel.rival_game.number == panel.game.number")
    fresh.get_by_role("button", name="Unfreeze").click()
    fresh.get_by_role("button", name="Freeze as rival").wait_for()
    assert fresh.locator("canvas").count() == 1
    assert book.python("panel.rival") is None


def test_another_feature_set_has_other_sliders_and_normalising_changes_no_move(book, fresh):
    menu = fresh.get_by_label("start from")
    menu.select_option("set:bertsekas")
    book.wait_python("len(panel.weights) == 13")  # on 6 columns
    slider(fresh, "|h4-h5|").wait_for()
    assert fresh.get_by_role("slider").count() == 13
    menu.select_option("player:dn")
    book.wait_python("panel.player == tc.PLAYERS['dn']")
    slider(fresh, "rows with holes").wait_for()
    menu.focus()
    menu.select_option("player:dt-10")
    slider(fresh, "diversity").wait_for()
    assert book.page.evaluate("document.activeElement.matches('select')")  # whoever uses keys keeps their place
    row = marked_row(fresh)
    fresh.get_by_label("normalise").check()
    book.wait_python("panel.tuned.normalised")
    book.page.wait_for_function(
        "() => [...document.querySelectorAll('.tc-weights input[type=range]')].every(one => Math.abs(one.value) <= 1)"
    )
    assert marked_row(fresh).split()[:-1] == row.split()[:-1]  # all but the value, which is scaled too
    assert book.python("panel.player == tc.PLAYERS['dt-10']")


BESIDE = """
() => {
  const top = (selector) => document.querySelector(`.tetriscourse-panel ${selector}`).getBoundingClientRect().top;
  const tops = ['.tc-weights', 'canvas', '.tc-svg'].map(top);
  return Math.max(...tops) - Math.min(...tops) < 20;
}
"""
"""Whether sliders, boards and scores stand side by side."""


def test_sliders_boards_and_scores_stay_side_by_side_in_a_window_of_1240_pixels(book, fresh):
    book.page.set_viewport_size({"width": 1240, "height": 1200})
    wide, narrow = "tc.Rules(16, 10)", "tc.RULES['5x5']"
    for rules in (wide, narrow, "tc.RULES['10x10']", "tc.RULES['10x16']", "tc.RULES['tetrisbot']", "RULES"):
        book.run_python(
            f"panel.unfreeze(); panel.given_rules = {rules}\n"
            "panel.receive({'event': 'rules', 'value': tc.game.rules.short_name(panel.given_rules)})"
        )
        book.wait_python(f"panel.rules == {rules}")
        for rival in (False, True):
            book.run_python("panel.freeze('filter-bumpiness')" if rival else "panel.unfreeze()")
            for game in (0, 18, 1234):  # a longer caption moves nothing
                book.run_python(f"with panel.changing(): panel._begin_game({game})")
                fresh.get_by_text(f"game {game}, 0 pieces").first.wait_for()
                assert fresh.locator("canvas").count() == 1 + rival
                assert book.page.evaluate(BESIDE), (rules, rival, game)
    book.page.set_viewport_size({"width": 1400, "height": 1200})


def test_the_code_in_the_page_makes_the_same_player(book, fresh):
    book.run_python("panel.set_weights([-1.5, 1 / 3, -1, -0.1, -4, -1e-3])")
    wait_for_text(fresh, "0.3333333333333333")
    fresh.get_by_role("button", name="Copy as code").click()
    code = fresh.locator("pre").inner_text()
    assert book.python(f"{code}.integers == panel.player.integers")
    assert book.page.evaluate("String(getSelection())").strip() == code


def test_when_the_output_is_cleared_nothing_goes_on(book, fresh):
    book.run_python("panel.receive({'event': 'games', 'value': '100000'})")
    fresh.get_by_role("button", name="Play").click()
    book.wait_python("panel.running and panel.contest.worker.running")
    book.page.evaluate("() => jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    book.wait_python("not panel.running and not panel.contest.worker.running and not panel.contest.player.is_playing")
    assert book.callback_outputs() == []
