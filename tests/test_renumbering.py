"""Students who began the championship while it was chapter 13 lose nothing now that it is chapter 15."""

from __future__ import annotations

import json

import pytest

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.progress import progress, remember
from tetriscourse.course.renumbering import new_id, new_name, renumbered
from tetriscourse.course.working_copy import MANIFEST, Manifest, bring_up_to_date, fingerprint
from tetriscourse.teaching.grading.submissions import cells_of, chapter_of

OLD, NEW = "exercises/13_championship.ipynb", "exercises/15_championship.ipynb"
BEGUN = [
    ("markdown", "# Exercises 13: the championship\n\nFor version 13.1 of anything."),
    ("markdown", "## 13.1 A home for every piece (2 points)\n\nThere are 13.1 of them."),
    ("code", "def homes(heights):\n    return 13.1"),
    ("code", 'check("13.1")'),
    ("code", "hint(2, '13.1'); hint(13.4)"),
]
MOVED = [
    ("markdown", "# Exercises 15: the championship\n\nFor version 13.1 of anything."),
    ("markdown", "## 15.1 A home for every piece (2 points)\n\nThere are 13.1 of them."),
    ("code", "def homes(heights):\n    return 13.1"),
    ("code", 'check("15.1")'),
    ("code", "hint(2, '15.1'); hint(15.4)"),
]


def book(cells, ids=()):
    made = [{"cell_type": kind, "source": source, "metadata": {}} for kind, source in cells]
    for cell, name in zip(made, ids, strict=False):
        cell["metadata"] = {"nbgrader": {"grade_id": name}}
    return json.dumps({"cells": made, "nbformat": 4}).encode()


def sources(content):
    return [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(content)["cells"]]


@pytest.fixture
def copy(tmp_path):
    """A working copy of the old course, and the course of today: what was delivered of the old one is untouched."""
    course, mine = tmp_path / "course", tmp_path / "mine"
    handed_out = book([*BEGUN[:2], ("code", "def homes(heights):\n    pass"), *BEGUN[3:]])
    for folder, name, content in (
        (mine, OLD, handed_out),
        (mine, "notebooks/13_championship.ipynb", book([("markdown", "# 13 The championship")])),
        (course, NEW, book([("markdown", "# Exercises 15: the championship"), ("code", "...")])),
        (course, "notebooks/15_championship.ipynb", book([("markdown", "# 15 The championship")])),
        (course, "notebooks/13_looking_ahead.ipynb", book([("markdown", "# 13 Looking ahead")])),
    ):  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    manifest = Manifest({path.relative_to(mine).as_posix(): "" for path in mine.rglob("*.ipynb")})
    manifest.delivered = {name: fingerprint(name, (mine / name).read_bytes()) for name in manifest.delivered}
    (mine / MANIFEST).write_bytes(manifest.as_bytes())
    return course, mine


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.ipynb"))


def test_an_untouched_copy_has_the_new_chapters_and_no_old_ones(copy):
    course, mine = copy
    changes = bring_up_to_date(mine, course)
    assert names(mine) == names(course)
    assert (mine / NEW).read_bytes() == (course / NEW).read_bytes()
    assert f"{OLD} is {NEW} now: the chapter has another number" in changes.lines()
    assert bring_up_to_date(mine, course).lines() == []


def test_what_was_written_stays_under_the_new_number(copy):
    course, mine = copy
    (mine / OLD).write_bytes(book(BEGUN))
    changes = bring_up_to_date(mine, course)
    assert not (mine / OLD).exists()
    assert sources((mine / NEW).read_bytes()) == MOVED
    assert changes.beside == [(NEW, "exercises/15_championship.new.ipynb")]
    assert bring_up_to_date(mine, course).lines() == []
    assert sources((mine / NEW).read_bytes()) == MOVED


def test_nothing_is_moved_onto_a_file_of_the_students_own(copy):
    course, mine = copy
    (mine / NEW).write_bytes(book([("markdown", "mine")]))
    (mine / OLD).write_bytes(book(BEGUN))
    bring_up_to_date(mine, course)
    assert sources((mine / NEW).read_bytes()) == [("markdown", "mine")]
    assert sources((mine / OLD).read_bytes()) == BEGUN


def test_a_hand_out_of_the_championship_alone_keeps_it(copy):
    course, mine = copy
    manifest = Manifest.of(mine)
    manifest.only = ["13_championship"]
    (mine / MANIFEST).write_bytes(manifest.as_bytes())
    bring_up_to_date(mine, course)
    assert names(mine) == [NEW, "notebooks/15_championship.ipynb"]
    assert Manifest.of(mine).only == ["15_championship"]


def test_progress_of_the_old_numbers_counts_for_the_new_ones_once(tmp_path, monkeypatch):
    file = tmp_path / "progress.json"
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", str(file))
    file.write_text('{"12.1": {"state": "right", "checks": 1}, "13.2": {"state": "wrong", "checks": 4}}')
    right = {"state": "right", "checks": 1}
    assert progress().entries == {"12.1": right, "15.2": {"state": "wrong", "checks": 4}}
    remember("13.1", "right")
    remember("15.2", "right")
    assert progress().entries == {"12.1": right, "13.1": right, "15.2": {"state": "right", "checks": 5}}


@pytest.mark.parametrize(("old", "new"), [("13.6", "15.6"), ("12.1", "12.1"), ("15.1", "15.1"), ("1.3", "1.3")])
def test_only_the_championship_has_another_number(old, new):
    assert new_id(old) == new


def test_exercises_about_looking_ahead_are_left_alone():
    mine = book([("markdown", "# Exercises 13: looking ahead"), ("code", 'check("13.1")')])
    assert renumbered(mine) == mine


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"cells": 3}', b'{"cells": [3]}', b"\xff"])
def test_what_is_no_notebook_is_left_alone(content):
    assert renumbered(content) == content


def test_a_submission_from_before_is_graded_as_the_championship():
    assert chapter_of("anna_13_championship (1).ipynb", CHAPTERS.values()) is CHAPTERS["15"]
    assert new_name("113_championship.ipynb") == "113_championship.ipynb"
    cells = cells_of(book(BEGUN, ["", "", "solution-13-1", "check-13-1"]))
    found = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells]
    assert found == ["", "", "solution-15-1", "check-15-1", None]
