"""The sampling panel in JupyterLab: samples that are drawn in the page are those that Python has."""

import re

import pytest

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import SamplingPanel"
PANEL = "panel = SamplingPanel(rules=tc.Rules(6, 8), pool=500, samples=0)\npanel"


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook with a panel, which the tests share."""
    return module_lab.open([IMPORT, PANEL])


@pytest.fixture
def panel(book):
    """The panel without samples."""
    book.run_python("panel.receive({'event': 'method', 'value': 'exact'})")
    found = book.panel()
    found.get_by_text("No sample yet").wait_for()
    return found


def test_a_click_draws_a_sample_which_is_said_and_shown(book, panel):
    panel.get_by_role("button", name="N games", exact=True).click()
    panel.get_by_text("Sample 1: 10 games").wait_for()
    mean = book.python("tc.inference.readable(panel.samples[0].mean)")
    assert f"mean {mean} lines" in panel.inner_text()
    assert panel.locator("path.tc-interval").count() == 1


def test_a_hundred_samples_come_at_once_and_the_last_forty_are_drawn(book, panel):
    panel.get_by_role("button", name="100 times N games").click()
    panel.get_by_text(re.compile(r"\d+ of 100 intervals so far")).wait_for()
    held = book.python("sum(one.low <= panel.truth <= one.high for one in panel.samples)")
    assert f"{held} of 100 intervals" in panel.inner_text()
    assert panel.locator("path.tc-interval").count() == 40
    panel.get_by_role("button", name="Start over").click()
    panel.get_by_text("No sample yet").wait_for()
    assert book.python("panel.samples == []")


def test_the_size_of_samples_and_the_kind_of_interval_can_be_chosen(book, panel):
    field = panel.get_by_label("N, games in a sample, exact")
    field.fill("25")
    field.press("Enter")
    book.wait_python("panel.games == 25")
    panel.get_by_role("combobox", name="interval").select_option("normal")
    book.wait_python("panel.method == 'normal'")
    panel.get_by_role("button", name="N games", exact=True).click()
    panel.get_by_text("Sample 1: 25 games").wait_for()
    field.fill("0")
    field.press("Enter")
    panel.get_by_text("games is 0; it must be a whole number from 1 to 400").wait_for()
    assert book.python("panel.games == 25")
