"""Answers whose cell did not run to its end are not judged by the value of before: in IPython, in a kernel."""

import os

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from traitlets.config import Config

from tetriscourse.course import cells, check, checking
from tetriscourse.course.cells import CellWatch, names_set


@pytest.fixture
def shell(monkeypatch):
    """An IPython of its own, watched, in which check("01.2") can be called; 01.2 wants a text as `culprit`."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.showtraceback = shell.showsyntaxerror = lambda *given, **named: None
    monkeypatch.setattr(cells, "_watches", [CellWatch(shell)])
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", "")
    monkeypatch.delenv(checking.GRADERS_SEED, raising=False)
    shell.push({"check": check})
    return shell


def verdict(shell):
    """The verdict that a cell with the check gives."""
    return shell.run_cell('check("01.2")', silent=False).result


RIGHT = 'culprit = "XXXX/XXXX"'


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 / 0\nculprit = 'X...'", "stopped with ZeroDivisionError"),
        ("culprit = 'X...'\n1 / 0", "stopped with ZeroDivisionError"),
        ("culprit = 'X...", "stopped with SyntaxError"),
        ("culprit, other = 'X...',, 3", "stopped with SyntaxError"),
        ("raise KeyboardInterrupt\nculprit = 'X...'", "was interrupted"),
        ("for culprit in [1, 2]:\n    raise KeyboardInterrupt", "was interrupted"),
        ("%%time\nculprit = nothing", "stopped with NameError"),
        ("%time nothing\nculprit = missing", "stopped with NameError"),
    ],
)
def test_the_old_value_is_not_judged_when_the_answers_cell_fails(shell, source, said):
    shell.run_cell(RIGHT)
    assert verdict(shell).state == "right"
    shell.run_cell(source)
    found = verdict(shell)
    assert found.state == "open"
    assert found.points == 0
    assert found.heading.endswith(": not judged")
    assert found.words == [
        f"The cell that sets `culprit` {said} when it last ran, so nothing is judged yet: "
        "let it run to its end, then check again."
    ]
    shell.run_cell(RIGHT)
    assert verdict(shell).state == "right"


def test_an_answer_whose_cell_never_ran_to_its_end_has_a_reason(shell):
    assert "has no value yet" in str(verdict(shell))
    shell.run_cell("culprit = missing")
    assert "stopped with NameError" in str(verdict(shell))


def test_a_check_below_the_answer_in_its_own_cell_judges_the_new_value(shell):
    shell.run_cell("culprit = missing")
    assert shell.run_cell(RIGHT + '\ncheck("01.2")').result.state == "right"


def test_a_value_set_in_another_way_is_judged(shell):
    shell.run_cell("culprit = missing")
    shell.push({"culprit": "XXXX/XXXX"})
    assert verdict(shell).state == "right"


def test_a_cell_that_sets_the_answer_no_longer_is_noticed_where_cells_have_names(shell):
    shell.run_cell(RIGHT, cell_id="one")
    shell.run_cell("clprit = 'XXXX/XXXX'", cell_id="two")
    assert verdict(shell).state == "right"
    shell.run_cell("clprit = 'XXXX/XXXX'", cell_id="one")
    assert "set `culprit` there" in str(verdict(shell))
    shell.run_cell(RIGHT, cell_id="two")
    assert verdict(shell).state == "right"


def test_a_failure_elsewhere_changes_nothing(shell):
    shell.run_cell(RIGHT)
    shell.run_cell("def look():\n    culprit = 3\nother = look() + missing")
    shell.run_cell("print(culprit, missing)")
    assert verdict(shell).state == "right"


def test_a_cell_whose_end_nobody_told_was_broken_off(shell):
    [watch] = cells._watches
    shell.run_cell(RIGHT)
    shell.events.unregister("post_run_cell", watch.after)
    shell.run_cell("culprit = 'X...'")
    shell.events.register("post_run_cell", watch.after)
    assert "was broken off" in str(verdict(shell))


def test_graders_run_everything_anew_and_judge_what_is_there(shell, monkeypatch):
    shell.run_cell(RIGHT + "\nmissing")
    assert verdict(shell).state == "open"
    monkeypatch.setenv(checking.GRADERS_SEED, "2")
    assert verdict(shell).state == "right"


def test_names_of_other_modules_are_not_watched(shell):
    shell.run_cell("culprit = missing")
    assert eval("check('01.2')", {"check": check, "culprit": "XXXX/XXXX"}).state == "right"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("a = b = 1\nc, (d, e) = 1, (2, 3)\nf[0] = g.h = 2", "a b c d e"),
        ("def a(x):\n    y = x\nclass B:\n    z = 1\nasync def c(): ...", "a B c"),
        ("import a, b.c as d\nfrom e import f as g\nfor h in []: pass\nwith i as j: pass\nk += 1", "a d g h j k"),
        ("[x for x in y]\n(a := 1) == b\nlambda z: z", "a"),
        ("def a(x)\n    b = 1\nclass C\nd, e = 1\nf == 1", "a C d e"),
        ("%matplotlib inline\na = 1", "a"), ("%%time\na = 1", "a"), ("a = !ls", "a"), ("", ""), ("\0", ""),
    ],
)  # fmt: skip
def test_the_names_that_a_cell_sets(source, names):
    assert names_set(source) == set(names.split())


def test_without_ipython_nothing_is_watched(monkeypatch):
    monkeypatch.setattr(cells, "_watches", [])
    cells.watch_cells()
    assert cells._watches == []
    assert cells.trouble_with(["culprit"], globals()) == ""


# --- real kernels -------------------------------------------------------------------------------


def ran(sources, **environment):
    """The output of the last expression of each cell, as text, from a new kernel that goes on after errors."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    named = os.environ | {"TETRISCOURSE_PROGRESS": ""} | environment
    NotebookClient(book, timeout=120, allow_errors=True).execute(env=named)
    return [
        "".join(out.get("data", {}).get("text/html", "") for out in cell.outputs if "data" in out)
        for cell in book.cells
    ]


START = "import os, signal, time\nfrom tetriscourse.course import check"
STOP = "culprit = 'XXXX/XXXX/XXXX'\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)"


@pytest.mark.slow
def test_in_a_kernel_an_interrupted_cell_and_a_failed_one_are_noticed():
    answers = [RIGHT, STOP, RIGHT, "culprit = missing"]
    said = ran([START, *(source for answer in answers for source in (answer, 'check("1.2")'))])
    first, late, again, failed = said[2::2]
    assert "01.2 A colleague's mistake: right" in first
    assert "The cell that sets <code>culprit</code> was interrupted when it last ran" in late
    assert "right</strong>" in again
    assert "<code>culprit</code> stopped with NameError" in failed


@pytest.mark.slow
def test_in_a_graders_kernel_what_is_there_is_judged():
    assert "right</strong>" in ran([START, RIGHT + "\n1 / 0", 'check("01.2")'], **{checking.GRADERS_SEED: "2"})[-1]
