"""The course in JupyterLab: exercises done wrongly and rightly, and the welcome chapter as it is first seen."""

import json

import pytest
from course_books import ROOT, tried

from tetriscourse.course.exercises import exercises

HEADINGS = """() => [...document.querySelectorAll('.jp-OutputArea-output strong')].map(one => one.textContent)"""


def headings(book):
    """The verdicts that the page shows, from top to bottom."""
    return [text.split(": ")[-1] for text in book.page.evaluate(HEADINGS)]


@pytest.mark.parametrize("chapter", ["01"])
def test_each_exercise_is_not_attempted_then_not_right_then_right(lab, chapter):
    book = lab.open(tried(chapter))
    book.page.set_viewport_size({"width": 1280, "height": 20_000})  # cells out of sight are not drawn
    checked = [one for one in exercises(chapter).values() if not one.is_prose]
    said = ["not attempted yet", "not right yet", "right"] * len(checked)
    book.page.wait_for_function(f"({HEADINGS})().length == {len(said)}")
    assert headings(book) == said
    assert book.page.locator(".jp-OutputArea-output svg").count() >= 1
    assert book.outside == []
    assert book.errors == []


def test_the_welcome_runs_and_its_panels_are_alive(lab):
    book = lab.open(json.loads((ROOT / "notebooks/00_welcome.ipynb").read_text("utf-8")))
    assert book.panel(0).is_visible()
    assert book.panel(1).is_visible()
    assert book.outside == []
