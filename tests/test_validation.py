"""`tetriscourse check`: every output of lectures and solutions is what it was, and every check says right."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tetriscourse import cli
from tetriscourse.teaching.validation import LINES, shortened

COMMAND = """
import sys, pathlib
from tetriscourse import cli
from tetriscourse.course import chapters
chapters.course_files = lambda: pathlib.Path(sys.argv[1])
sys.exit(cli.main(["check", *sys.argv[2:]]))
"""


def cell(source, *outputs, count=1, points=None):
    """A code cell that has been executed."""
    graded = {} if points is None else {"nbgrader": {"points": points, "grade": True, "solution": False}}
    return {"cell_type": "code", "id": f"c{abs(hash(source))}", "source": source, "metadata": graded,
            "execution_count": count, "outputs": list(outputs)}  # fmt: skip


def result(text):
    """The output of a value."""
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": text}}


def printed(text, name="stdout"):
    """An output that was printed."""
    return {"output_type": "stream", "name": name, "text": text}


def put(folder, kind, stem, *cells):
    """Write a notebook of a course."""
    written = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / kind).mkdir(parents=True, exist_ok=True)
    (folder / kind / f"{stem}.ipynb").write_text(json.dumps(written))


def checked(folder, *words):
    """The verdict of the command on a course, also where pytest has settings that do not concern it."""
    (folder.parent / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (folder.parent / "conftest.py").write_text("raise RuntimeError\n")
    ran = [sys.executable, "-c", COMMAND, str(folder), *words]
    around = os.environ | {"PYTEST_ADDOPTS": "--no-such-option"}
    return subprocess.run(ran, capture_output=True, text=True, timeout=300, check=False, cwd=folder.parent, env=around)


VERDICT = "class Verdict:\n    __repr__ = lambda self: '{points}'\ncheck = lambda id: Verdict()\ncheck(\"00.1\")"
LEAVES_FILES = "import os, pathlib\npathlib.Path('left-over').touch()\nos.environ['TETRISCOURSE_PROGRESS']"


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The verdict on a course that is as it was stored, and the files around it before and after."""
    top = tmp_path_factory.mktemp("good") / "course"
    put(top, "notebooks", "00_welcome", cell("x = 20 + 22\nx", result("42")), cell("print(x)", printed("42\n")),
        cell("import sys\nprint('compiling', file=sys.stderr)"), cell(LEAVES_FILES, result("''")),
        cell(VERDICT.format(points=0), result("0")))  # fmt: skip
    put(top, "solutions", "00_welcome", cell(VERDICT.format(points=2), result("2"), points=2))
    before = sorted(top.rglob("*"))
    return SimpleNamespace(ran=checked(top, "00"), before=before, after=sorted(top.rglob("*")))


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    """The verdict on a course with faults."""
    top = tmp_path_factory.mktemp("bad") / "course"
    put(top, "notebooks", "00_welcome", cell("x = 42\nx", result("41")), cell("x", result("42")), cell("1 / 0"),
        cell("'never'", count=None))  # fmt: skip
    put(top, "solutions", "00_welcome", cell(VERDICT.format(points=0), result("0"), points=2))
    put(top, "notebooks", "01_data_structures")
    (top / "notebooks" / "01_data_structures.ipynb").write_text("{")
    return checked(top, "00", "01")


@pytest.mark.slow
def test_a_course_that_is_as_stored_passes(good):
    assert good.ran.returncode == 0, good.ran.stdout + good.ran.stderr
    head, row, end = good.ran.stdout.splitlines()
    assert head.split() == ["chapter", "lecture", "solutions", "right", "seconds"]
    assert row.split()[:-1] == ["00", "Welcome", "5", "ok", "1", "ok", "1", "of", "1"]
    assert end == "everything is as it should be"


def test_the_notebooks_themselves_are_not_touched(good):
    assert good.after == good.before


@pytest.mark.slow
def test_every_difference_is_named_with_its_cell_and_the_two_values(bad):
    assert bad.returncode == 1
    assert "3 of 4 differ" in bad.stdout
    first, second, third = bad.stdout.split("\nnotebooks/00_welcome.ipynb, ")[1:]
    assert first.startswith("code cell 1: its outputs differ")
    assert "'41'" in first
    assert "'42'" in first
    assert second.startswith("code cell 3: it stops with an error")
    assert "ZeroDivisionError: division by zero" in second
    assert third.startswith("code cell 4: it was never executed")


def test_a_check_that_does_not_say_right_is_a_fault_of_the_solutions(bad):
    assert "0 of 1" in bad.stdout
    assert "solutions/00_welcome.ipynb, code cell 1: its check does not say right" in bad.stdout


def test_a_broken_notebook_is_a_difference(bad):
    assert "notebooks/01_data_structures.ipynb, cannot be run" in bad.stdout


@pytest.mark.parametrize(("word", "told"), [("99", "NN is '99'"), ("01", "01_data_structures.ipynb is missing")])
def test_a_chapter_that_is_not_there_is_an_error(tmp_path, monkeypatch, capsys, word, told):
    monkeypatch.setattr("tetriscourse.course.chapters.course_files", lambda: tmp_path)
    assert cli.main(["check", word]) == 2
    assert told in capsys.readouterr().err


def test_nbval_is_asked_for_when_it_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("tetriscourse.cli.check.find_spec", lambda name: None)
    assert cli.main(["check"]) == 2
    assert 'pip install "tetriscourse[teach]"' in capsys.readouterr().err


def test_a_long_difference_is_cut():
    text = "Cell 1: Cell outputs differ\nInput:\nx\nTraceback:\n" + "\n".join(f"line {n}" for n in range(50))
    assert len(shortened(text).splitlines()) == LINES + 2
