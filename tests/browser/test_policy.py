"""The policy panel in JupyterLab: what is clicked in the page changes the policy that Python has."""

import re

import pytest

IMPORT = "import numpy as np\nimport tetriscourse as tc\nfrom tetriscourse.widgets import PolicyPanel"
PANEL = "panel = PolicyPanel(episodes=4)\npanel"


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook with a panel, which the tests share."""
    return module_lab.open([IMPORT, PANEL])


@pytest.fixture
def panel(book):
    """The panel as it is at first."""
    book.run_python("panel.receive({'event': 'reward', 'value': 'up'}); panel.reset()")
    found = book.panel()
    found.get_by_text("10x6, no round yet").wait_for()
    found.get_by_text("This episode: 0 moves").wait_for()
    return found


def press(panel, name):
    """Press a button."""
    panel.get_by_role("button", name=name, exact=True).click()


def test_a_bar_can_be_clicked_and_a_step_leaves_thin_bars_of_what_was_before(book, panel):
    panel.locator("[data-pick='11']").first.click()
    panel.get_by_text("Move 12 of 17: I XXXX at 1").wait_for()
    assert book.python("panel.now.chosen") == 11
    before = book.python("float(panel.p[11])")
    press(panel, "Gradient step")
    panel.get_by_text("before the step").wait_for()
    book.wait_python("len(panel.past) == 1")
    after = book.python("float(panel.p[11])")
    assert after > before
    assert f"π = {after:.4f}" in panel.inner_text()
    press(panel, "Undo")
    panel.get_by_text(f"π = {before:.4f}").wait_for()
    assert book.python("not panel.theta.any()")


def test_moves_can_be_chosen_without_a_mouse(book, panel):
    rows = panel.locator("tr[data-row]")
    rows.nth(3).focus()
    rows.nth(3).press("Enter")
    panel.get_by_text("Move 4 of 17").wait_for()
    assert rows.nth(3).get_attribute("aria-current") == "true"
    press(panel, "Next →")
    panel.get_by_text("Move 5 of 17").wait_for()
    assert book.python("panel.now.chosen") == 4
    label = panel.locator("svg[aria-label^='Probabilities of 17 moves']").get_attribute("aria-label")
    assert "has 0.059" in label


def test_an_episode_is_played_to_its_end_and_learned_from(book, panel):
    press(panel, "Take a move")
    panel.get_by_text("This episode: 1 move,").wait_for()
    for count in range(1, 13):
        press(panel, "Play to the end")
        book.wait_python(f"len(panel.now.played) == {count}")
    panel.get_by_text(re.compile(r"Ended with these weights, moves \(rows\): \d")).wait_for()
    assert panel.get_by_role("combobox", name="reward").input_value() == "played"
    assert book.python("sum(one.lines for one in panel.now.played)") > 0
    press(panel, "Natural step")
    book.wait_python("panel.theta.any()")
    panel.get_by_text("None has ended with these weights").wait_for()
    assert panel.get_by_role("button", name="Natural step").is_disabled()


def test_a_feature_in_other_units_moves_the_crosses_alone(book, panel):
    panel.locator("[data-pick='3']").first.click()
    panel.get_by_text("Move 4 of 17").wait_for()
    crosses, dots = (panel.locator("svg[aria-label^='What a step'] g.tc-points").nth(k) for k in (0, 1))
    first = crosses.inner_html(), book.python("(panel.psi @ panel.change('natural')).round(6).tolist()")
    panel.get_by_role("combobox", name="feature times 10").select_option("holes")
    book.wait_python("panel.scaled == 'holes'")
    panel.get_by_text("a natural step by").wait_for()
    book.page.wait_for_function("([e, was]) => e.innerHTML !== was", arg=[crosses.element_handle(), first[0]])
    assert book.python("(panel.psi @ panel.change('natural')).round(6).tolist()") == first[1]
    assert dots.locator("path").count() == 17


def test_rounds_run_in_the_background_until_they_are_paused(book, panel):
    press(panel, "Step")
    panel.get_by_text(re.compile(r"round 1: \d")).wait_for()
    press(panel, "Start")
    book.wait_python("len(panel.now.lines) >= 4", timeout=60)
    press(panel, "Pause")
    book.wait_python("not panel.running")
    press(panel, "Reset")
    panel.get_by_text("10x6, no round yet").wait_for()


def test_bad_numbers_are_explained(book, panel):
    field = panel.get_by_label("step size, exact")
    field.fill("0")
    field.press("Enter")
    panel.get_by_text("step size is 0; it must be a number above 0 and at most 10").wait_for()
    field.fill("1.5")
    field.press("Enter")
    book.wait_python("panel.length == 1.5")
    assert (book.cell_outputs(), book.callback_outputs()) == ([], [])
