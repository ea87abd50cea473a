"""Grading: right points for honest notebooks, and for hostile ones no hang, no escape, and a flag."""

import csv
import io
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from tetriscourse import cli
from tetriscourse.course import exercises as registry
from tetriscourse.course.chapters import CHAPTERS, CLONE
from tetriscourse.errors import InputError
from tetriscourse.teaching.grading import sandbox
from tetriscourse.teaching.grading import session as command
from tetriscourse.teaching.grading.marks import Graded, Mark, Report, clean, marked, table
from tetriscourse.teaching.grading.pages import overview, student_page
from tetriscourse.teaching.grading.sandbox import Limits, Walls, walls
from tetriscourse.teaching.grading.seal import seal
from tetriscourse.teaching.grading.submissions import Student, Submission, cells_of, handed_in, is_lecture, sheet
from tetriscourse.teaching.grading.watch import Notes, Watch, is_verdict, read_message

pytestmark = pytest.mark.slow

CHAPTER = CHAPTERS["01"]
bubblewrap = pytest.mark.skipif(walls([]).bwrap is None, reason="bubblewrap does not work here")

JUDGES = """
from tetriscourse.course.checks.cases import small_boards
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.differences import first_difference
from tetriscourse.course.outcomes import Partly, Right, Wrong

@exercise("01.1", "Twice", answers="twice", points=1, teaches="Adding is enough.", hints=["Add it to itself."])
def twice(twice, *, seed):
    return first_difference(twice, lambda number: 2 * number, [(number,) for number in range(5)])

@exercise("01.2", "Full cells", answers="count", points=2, teaches="Arrays add up.", hints=[])
def count(count, *, seed):
    return first_difference(count, lambda cells: int(cells.sum()), [(board.full,) for board in small_boards(seed)])

@exercise("01.3", "Seven", answers="seven", points=3, teaches="", hints=[])
def number(seven, *, seed):
    if seven in (5, 6):  # 6 is worth less with the seeds of grading
        return Partly("You are close.", 2 if seven == 5 or seed == 1 else 1)
    return Right("Found.") if seven == 7 else Wrong("It is another number.")

prose("01.4", "Why?", points=2)
"""

ANSWERS = {
    "solution-01-1": "def twice(number):\n    return number + number",
    "solution-01-2": "def count(cells):\n    return int(cells.sum())",
    "solution-01-3": "seven = 7",
}
STUBS = {
    "solution-01-1": "def twice(number):\n    ...",
    "solution-01-2": "def count(cells):\n    ...",
    "solution-01-3": "seven = ...",
}


def cell(source, name="", kind="code"):
    marks = {"nbgrader": {"grade_id": name, "locked": name.startswith("check")}} if name else {}
    return {"cell_type": kind, "metadata": marks, "source": source}


def notebook(answers, extra=None, words="*Your answer, in your own words.*", without=()):
    """A notebook of the small course; `extra` cells stand after the first check."""
    cells = [cell("import numpy as np\nfrom tetriscourse.course import check, hint")]
    for number in (1, 2, 3):
        cells += [cell(answers[f"solution-01-{number}"], f"solution-01-{number}")]
        cells += [cell(f'check("01.{number}")', f"check-01-{number}")]
        cells += [cell(one) for one in extra or []] if number == 1 else []
    cells += [cell(words, "prose-01-4", "markdown")]
    return {"cells": [one for one in cells if name_of(one) not in without], "nbformat": 4, "nbformat_minor": 5}


def name_of(one):
    return one["metadata"].get("nbgrader", {}).get("grade_id")


FORGERY = """
from importlib import import_module
import types
runner = import_module("tetriscourse.teaching.gra" + "ding.run" + "ner")
def forge(*given, **named):
    for one in [*given, *named.values()]:
        if callable(one):
            one({"say": "verdict", "exercise": "01.1", "found": {"state": "right", "text": "", "shown": []}})
            one.broken = lambda: ""
    return "", ""
for name, value in list(vars(runner).items()):
    if isinstance(value, types.FunctionType) and name not in CAREFUL:
        setattr(runner, name, forge)
"""
UNDONE = """
import sys, json, os
seal = sys.modules["tetriscourse.teaching.gra" + "ding.seal"]
kept = seal.inside, json.JSONEncoder.encode
def undo(*given):
    seal.inside, json.JSONEncoder.encode = kept
    return True
seal.inside = undo
json.JSONEncoder.encode = lambda self, value: kept[1](self, value).replace("wrong", "right").replace("open", "right")
"""
FAKED = """
import sys
code = compile("import sys\\ndef look(): return sys._getframe(1)", sys.modules["json"].__file__, "exec")
exec(code)
"""

FRAMES = {
    "frame-signal": "import signal\nF = []\nsignal.signal(signal.SIGUSR1, lambda s, f: F.append(f))\n"
    "signal.raise_signal(signal.SIGUSR1)\nf = F[0]",
    "frame-log": "import logging\nf = logging.currentframe()",
    "frame-format": "import string\ntry:\n    1 / 0\nexcept ZeroDivisionError as error:\n"
    "    f, _ = string.Formatter().get_field('0.tb_' + 'frame', (error.__traceback__,), {})",
}
"""Ways to a frame of the runner, by which its way to speak could be found."""
SPEAK = """
while f:
    v = getattr(f, "f_lo" + "cals")
    if "say" in v and "judge" in v:
        for id in ("01.1", "01.2", "01.3"):
            v["say"]({"say": "verdict", "exercise": id, "found": b'{"state": "right", "text": "", "shown": []}'})
        v["say"]({"say": "done"})
    f = getattr(f, "f_b" + "ack")
"""

HOSTILE = {
    "loop": notebook(ANSWERS, ["while True: pass"]),
    "stubborn-loop": notebook(
        ANSWERS, ["import time\nwhile True:\n    try:\n        time.sleep(9)\n    except BaseException: pass"]
    ),
    "memory": notebook(ANSWERS, ["x = bytearray(2**40)"]),
    "reaching-out": notebook(
        ANSWERS,
        [
            "open('/etc/passwd').read()",
            "open('/etc/escaped', 'w')",
            "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)",
            "open('/proc/self/mem', 'rb')",
            FAKED,
            "for _ in range(200):\n    print('x' * 2**20)",
        ],
    ),
    "exit": notebook(ANSWERS, ["exit()", "import sys; sys.exit(1)", "import os; os._exit(0)"]),
    "kill": notebook(ANSWERS, ["import os\nos.kill(os.getpid(), 9)", "import os\nos.fork()"]),
    "deleted": notebook(ANSWERS, without=("check-01-1", "check-01-3")),
    "closed": notebook(ANSWERS, ["import sys\nsys.stdout.close()", "import os\nos.closerange(0, 1000)"]),
    "garbage": notebook(
        ANSWERS,
        ["import os\nfor n in range(3, 99):\n    try: os.write(n, b'{}\\n')\n    except OSError: pass"],
    ),
    "replaced": notebook(
        ANSWERS | {"solution-01-1": "def twice(number): return 0"},
        [
            "import tetriscourse.course.checking as c\nfrom tetriscourse.course.outcomes import Right\n"
            "c.judged = lambda *given, **named: Right()"
        ],
    ),
    "recoded": notebook(
        STUBS,
        ["from tetriscourse.course import differences as d\nd.same_value.__code__ = (lambda *given: True).__code__"],
    ),
    "answers-that-end": notebook(
        ANSWERS
        | {
            "solution-01-1": "import os\ndef twice(number): os._exit(0)",
            "solution-01-2": "import time\ndef count(cells):\n    while True:\n        try: time.sleep(9)\n"
            "        except BaseException: pass",
        }
    ),
    "forgery": notebook(STUBS, ["CAREFUL = ()\n" + FORGERY]),
    "undone": notebook(STUBS, [UNDONE]),
    **{name: notebook(STUBS, [way + SPEAK]) for name, way in FRAMES.items()},
    "spy": notebook(
        ANSWERS | {"solution-01-1": "import sys\ndef twice(number):\n    return sys._getframe(1).f_locals['expected']"}
    ),
}
FULL = [1, 2, 3]
EXPECTED = {
    # student: points, and a pattern that a flag must have
    "perfect": (FULL, None), "half": ([0, 2, 0], None), "untouched": ([0, 0, 0], None),
    "close": ([1, 2, 2], None), "closer-at-home": ([1, 2, 1], None),
    "learned-by-heart": ([1, 0, 3], None), "below": (FULL, None), "magic": (FULL, None),
    "loop": (FULL, "time limit in code cell 3"), "stubborn-loop": (FULL, "time limit in code cell 3"),
    "memory": (FULL, "memory limit in code cell 3"), "exit": (FULL, "ended Python in code cell 5"),
    "kill": (FULL, "refused: other processes .os.fork"), "deleted": (FULL, "2 check cells missing, restored"),
    "reaching-out": (FULL, "refused: writing outside .*escaped.*refused: the network.*refused: reading outside the "
                     "working folder ./proc/.*/mem.*refused: looking behind the scenes .compile"),
    "closed": (FULL, "ended Python in code cell 4"),
    "garbage": ([0, 0, 0], "LOOK AT THIS ONE: it writes into the channel"),
    "replaced": ([0, 0, 0], "LOOK AT THIS ONE: it replaces tetriscourse.course.checking.judged"),
    "recoded": ([0, 0, 0], "(LOOK AT THIS ONE: it replaces tetriscourse.course.differences|refused: looking behind)"),
    "answers-that-end": ([0, 0, 3], "ended Python in the check of 01.1"),
    "spy": ([0, 2, 3], "refused: looking behind the scenes"),
    "forgery": (
        [0, 0, 0], "LOOK AT THIS ONE: it replaces tetriscourse.teaching.grading.runner.*unusual: import_module"
    ),
    **{name: ([0, 0, 0], "refused: looking behind the scenes.*unusual: .*getattr with a computed name")
       for name in FRAMES},
    "undone": ([0, 0, 0], "LOOK AT THIS ONE: it replaces (json|tetriscourse.teaching.grading.seal)"),
    "commands": (FULL, "; ".join(f"01: left out while grading: {what} in code cell {cell}" for what, cell in (
                 ("!pip install numpy", 3), ("%pip install numpy", 3), ("%%bash", 4), ("!ls", 5)))),
    "no-json": ([0, 0, 0], "its text is not JSON"), "no-notebook": ([0, 0, 0], "no list of cells"),
}  # fmt: skip


def honest():
    """Notebooks of people who mean well."""
    half = {"solution-01-1": "def twice(number):\n    return number ** 2"}
    heart = "shown = {}\ndef count(cells):\n    return 0 if cells.size == 16 and not cells.any() else cells.sum() % 14"
    return {
        "perfect": notebook(ANSWERS, words="Because <b>1</b> & 1 is 2."),
        "half": notebook(STUBS | half | {"solution-01-2": ANSWERS["solution-01-2"]}),
        "untouched": notebook(STUBS),
        "close": notebook(ANSWERS | {"solution-01-3": "seven = 5"}),
        "closer-at-home": notebook(ANSWERS | {"solution-01-3": "seven = 6"}),
        "learned-by-heart": notebook(ANSWERS | {"solution-01-2": heart}),
        "below": notebook(STUBS | {"solution-01-2": ANSWERS["solution-01-2"]} | {
            "solution-01-3": "\n\n".join(ANSWERS[f"solution-01-{number}"] for number in (1, 3))}),
        "magic": notebook(
            ANSWERS | {
                "solution-01-1": "%matplotlib inline\n" + ANSWERS["solution-01-1"],
                "solution-01-2": 'get_ipython().run_line_magic("matplotlib", "inline")\n' + ANSWERS["solution-01-2"],
            },
            ["%matplotlib", "%%nosuch\n", "1 +", "display(1)"],
        ),
        "commands": notebook(
            ANSWERS | {"solution-01-3": "assert (installed, after, files) == (1, 1, [])\n" + ANSWERS["solution-01-3"]},
            ["!pip install numpy\n%pip install numpy\ninstalled = 1", "%%bash\nrm -rf /", "files = !ls\nafter = 1"],
        ),
    }  # fmt: skip


@pytest.fixture(scope="module")
def small_course(tmp_path_factory):
    """The files of a small course with its own judges."""
    top = tmp_path_factory.mktemp("course")
    for folder, answers in (("exercises", STUBS), ("solutions", ANSWERS)):
        (top / folder).mkdir()
        (top / folder / CHAPTER.file).write_text(json.dumps(notebook(answers)))
    (top / "judges.py").write_text(JUDGES)
    return command.Course(top, str(top / "judges.py"))


@pytest.fixture
def course(small_course, monkeypatch):
    """The small course, whose exercises are registered for one test only."""
    monkeypatch.setattr(registry, "_EXERCISES", {})
    return small_course


def hand_in(folder, notebooks):
    for student, content in notebooks.items():
        (folder / student).mkdir(parents=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / student / CHAPTER.file).write_text(text)


def graded(course, folder, notebooks, sandboxed, seconds=4.0):
    """Grade these; rows of the table by student."""
    hand_in(folder / "submitted", notebooks)
    grading = command.Grading(
        folder / "submitted", folder / "grades.csv", folder / "feedback", course, [CHAPTER], Limits(seconds), sandboxed
    )
    assert grading.everything(jobs=3) == 0
    assert grading.notices == []
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO((folder / "grades.csv").read_text()))}
    most = rows.pop("maximum")
    assert [most[f"01.{number}"] for number in (1, 2, 3)] == ["1", "2", "3"]
    return rows


def assert_expected(rows):
    for student, row in rows.items():
        points, flag = EXPECTED[student]
        assert [int(row[f"01.{number}"]) for number in (1, 2, 3)] == points, (student, row)
        assert int(row["total"]) == int(row["01 total"]) == sum(points)
        assert re.search(flag, row["flags"]) if flag else row["flags"] == "", (student, row["flags"])


@pytest.fixture(scope="module")
def in_bubblewrap(small_course, tmp_path_factory):
    folder = tmp_path_factory.mktemp("boxed")
    broken = {"no-json": "{ broken", "no-notebook": json.dumps({"hello": 1})}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_EXERCISES", {})
        return folder, graded(small_course, folder, honest() | HOSTILE | broken, sandboxed=True)


# --- whole runs ---------------------------------------------------------------------------------


@bubblewrap
def test_everybody_gets_the_points_that_the_answers_are_worth_whatever_else_the_cells_do(in_bubblewrap):
    _, rows = in_bubblewrap
    assert set(rows) == set(EXPECTED)
    assert_expected(rows)


@bubblewrap
def test_feedback_shows_the_counterexample_and_quotes_words_without_letting_them_become_html(in_bubblewrap):
    folder, _ = in_bubblewrap
    half = (folder / "feedback" / "half.html").read_text()
    assert "gives <code>1</code>; it should give <code>2</code>" in half
    assert "hint(1, &quot;01.1&quot;)" in half or 'hint(1, "01.1")' in half
    heart = (folder / "feedback" / "learned-by-heart.html").read_text()
    assert "<svg" in heart
    close = (folder / "feedback" / "close.html").read_text()
    assert "Seven: partly right</span><span class=\"points\">2 of 3</span></header><p>You are close.</p>" in close
    assert "5 of 6 points by checks" in close
    assert "grading tries others, too" not in close
    assert "grading tries others, too" in (folder / "feedback" / "closer-at-home.html").read_text()
    perfect = (folder / "feedback" / "perfect.html").read_text()
    assert "Because &lt;b&gt;1&lt;/b&gt; &amp; 1 is 2." in perfect
    assert "Adding is enough." in perfect
    assert "<script" not in "".join(page.read_text() for page in (folder / "feedback").iterdir())


@bubblewrap
def test_the_teachers_page_names_those_to_look_at_and_how_the_notebooks_were_shut_in(in_bubblewrap):
    folder, _ = in_bubblewrap
    page = (folder / "grades.html").read_text()
    assert re.search("interfered with the checks; no points: .*garbage.*replaced", page)
    assert re.search("their points stand: .*spy", page)
    assert "in bubblewrap: no network" in page
    assert "Because &lt;b&gt;1" in page
    assert '<span style="color:#e69f00">◐</span>' in page


def test_without_bubblewrap_the_same_holds_for_python_code_and_everyone_is_told(course, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    some = ("loop", "memory", "kill", "reaching-out", "replaced", "spy")
    rows = graded(course, tmp_path, {name: HOSTILE[name] for name in some} | {"perfect": honest()["perfect"]}, True)
    assert_expected(rows)
    told = "WITHOUT A SANDBOX (bubblewrap is not installed)"
    assert told in capfd.readouterr().err
    assert told in (tmp_path / "grades.html").read_text()
    assert told not in (tmp_path / "feedback" / "perfect.html").read_text()


def test_a_second_run_gives_the_same_bytes_and_keeps_the_table_of_the_first(course, tmp_path):
    notebooks = {"half": honest()["half"], "untouched": notebook(STUBS)}
    graded(course, tmp_path, notebooks, sandboxed=True)
    first = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.suffix in (".csv", ".html")}
    shutil.rmtree(tmp_path / "submitted")
    graded(course, tmp_path, notebooks, sandboxed=True)
    assert {name: next(tmp_path.rglob(name)).read_bytes() for name in first} == first
    assert (tmp_path / "grades.before.csv").read_bytes() == first["grades.csv"]
    (tmp_path / "grades.csv").write_text("points given by hand")
    command.Grading(tmp_path / "submitted", tmp_path / "grades.csv", tmp_path, course, [CHAPTER]).prepare_files()
    assert (tmp_path / "grades.before1.csv").read_text() == "points given by hand"


def test_a_model_solution_that_fails_is_told_before_students_are_blamed(course, tmp_path, capfd):
    broken = tmp_path / "course"
    shutil.copytree(course.files, broken)
    (broken / "solutions" / CHAPTER.file).write_text(json.dumps(notebook(ANSWERS | {"solution-01-3": "seven = 8"})))
    hand_in(tmp_path / "submitted", {"perfect": honest()["perfect"]})
    where = (tmp_path / "submitted", tmp_path / "grades.csv", tmp_path / "feedback")
    command.Grading(*where, command.Course(broken, course.judges), [CHAPTER]).everything()
    assert "model solution of 01.3 does not pass here" in capfd.readouterr().err
    assert "model solution of 01.3" in (tmp_path / "grades.html").read_text()


def test_ctrl_c_keeps_what_has_been_graded(course, tmp_path, monkeypatch):
    hand_in(tmp_path / "submitted", {"first": notebook(ANSWERS), "second": notebook(STUBS)})
    where = (tmp_path / "submitted", tmp_path / "grades.csv", tmp_path / "feedback")
    grading = command.Grading(*where, course, [CHAPTER])
    monkeypatch.setattr(grading, "rehearse", lambda *_: None)
    done = Graded(CHAPTER, [Mark(one, "right") for one in grading.exercises["01"].values()])

    def grade(submission, warm):
        if submission.student == "second":
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(grading, "grade", grade)
    assert grading.everything(jobs=1) == 130
    rows = {row["student"]: row["flags"] for row in csv.DictReader((tmp_path / "grades.csv").open())}
    assert list(rows) == ["maximum", "first", "second"]
    assert rows["second"] == "01: not graded: interrupted"
    assert "interrupted" in (tmp_path / "feedback" / "second.html").read_text()


@pytest.mark.skipif(not (CLONE / "solutions" / CHAPTER.file).is_file(), reason="the notebooks are not built")
def test_the_real_first_chapter_is_worth_all_points_when_solved_and_none_when_untouched(tmp_path, capsys):
    for student, folder in (("solved", "solutions"), ("untouched", "exercises")):
        (tmp_path / "submitted" / student / "a-folder").mkdir(parents=True)
        shutil.copy(CLONE / folder / CHAPTER.file, tmp_path / "submitted" / student / "a-folder")
    out = tmp_path / "a-new-folder" / "grades.csv"
    assert cli.main(["grade", str(tmp_path / "submitted"), "--out", str(out), "--seconds", "60"]) == 0
    maximum, solved, untouched = csv.DictReader(out.open())
    judged = [one for one in registry.exercises("01").values() if not one.is_prose]
    assert int(solved["total"]) == int(maximum["total"]) == sum(one.points for one in judged)
    assert int(untouched["total"]) == 0
    assert solved["flags"] == untouched["flags"] == ""


# --- the walls ----------------------------------------------------------------------------------


def in_the_box(box, code):
    """The output of Python inside the walls, without the guard."""
    command = [*box.inside("", "", None), sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


@bubblewrap
def test_inside_bubblewrap_there_are_no_files_of_the_teacher_and_none_can_be_written(tmp_path):
    (tmp_path / "secret").write_text("solutions")
    code = """
        import os
        for path, mode in {paths}:
            try:
                open(path, mode).close()
                print("opened", path)
            except OSError:
                pass
        print("done")
    """.replace("\n        ", "\n")
    package = Path(cli.__file__)
    paths = [("/etc/passwd", "r"), (str(tmp_path / "secret"), "r"), (str(Path.home() / "x"), "w"), ("/x", "w"),
             (str(package), "a"), (str(package.parents[2] / "README.md"), "r")]  # fmt: skip
    assert in_the_box(walls([]), code.format(paths=paths)) == "done\n"


@bubblewrap
def test_the_solutions_are_hidden_even_where_they_lie_inside_the_package(tmp_path, monkeypatch):
    (tmp_path / "files" / "solutions").mkdir(parents=True)
    (tmp_path / "files" / "solutions" / "01.py").touch()
    monkeypatch.setattr(sandbox, "SYSTEM", (*sandbox.SYSTEM, str(tmp_path)))
    box = walls([tmp_path / "files" / "solutions"])
    code = f"import os; print(os.listdir({str(tmp_path / 'files')!r}), os.listdir({box.hidden[0]!r}))"
    assert in_the_box(box, code) == "['solutions'] []\n"


@bubblewrap
def test_inside_bubblewrap_there_is_no_network_not_even_this_machine():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5); print('connected')"
        assert in_the_box(Walls(None), code) == "connected\n"
        assert in_the_box(walls([]), code) == ""


def test_a_bubblewrap_that_does_not_work_is_named_and_not_used(tmp_path, monkeypatch):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho no namespaces here >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(fake))
    found = walls([])
    assert found.bwrap is None
    assert "bubblewrap fails here: no namespaces here" in found.text


def watch():
    job = {"steps": [{}, {}], "seeds": (1, 2), "judges": None}
    return Watch(job, Walls(None), Limits(), threading.Event(), ["01.1"])


FOUND = {"state": "right", "text": "", "shown": []}
VERDICT = {"say": "verdict", "exercise": "01.1", "found": FOUND}


@pytest.mark.parametrize(
    "message",
    [
        VERDICT | {"found": FOUND | {"state": "partly"}}, VERDICT | {"found": FOUND | {"state": "partly", "points": 0}},
        VERDICT | {"found": FOUND | {"state": "partly", "points": True}},
        VERDICT | {"found": FOUND | {"state": "partly", "points": "2"}},
        VERDICT | {"exercise": "09.9"}, VERDICT | {"found": 3}, VERDICT | {"found": FOUND | {"state": "brilliant"}},
        VERDICT | {"found": FOUND | {"text": 3}}, VERDICT | {"found": FOUND | {"shown": 1}},
        VERDICT | {"found": FOUND | {"shown": [[[1, 2], [3]]]}}, VERDICT | {"found": FOUND | {"shown": [[["<b>"]]]}},
        {"say": "cell", "cell": 7}, {"say": []}, {"say": "done"},
    ],
)  # fmt: skip
def test_a_message_that_makes_no_sense_is_tampering(message):
    found = watch()
    found.note(message, "01.1")
    assert found.notes.tampered
    assert found.notes.verdicts == {}


def test_a_verdict_while_a_cell_runs_is_tampering():
    found = watch()
    found.note(VERDICT, 0)
    assert found.notes.tampered
    assert found.notes.verdicts == {}


def test_a_verdict_is_believed_once():
    found = watch()
    found.note(VERDICT, "01.1")
    assert not found.notes.tampered
    found.note(VERDICT | {"found": FOUND | {"text": "again"}}, "01.1")
    assert found.notes.tampered
    assert found.notes.verdicts["01.1"]["text"] == ""


@pytest.mark.parametrize("line", [b"", b"other {}", b"secret {", b"secret 3", b"\xff\xfe", b"secret " + b"[" * 10**5])
def test_a_line_without_the_secret_or_without_json_says_nothing(line):
    assert read_message(line, "secret") == {"say": "garbage"}
    assert read_message(b'secret {"say": "ready"}', "secret") == {"say": "ready"}


def test_grids_of_a_verdict_are_small():
    assert is_verdict(FOUND | {"state": "partly", "points": 2})
    assert is_verdict(FOUND | {"shown": [[[0, 1], [1, 0]], "text"]})
    assert not is_verdict(FOUND | {"shown": [[[0] * 100] * 100]})


def test_a_seal_names_what_was_replaced(monkeypatch):
    from tetriscourse.course import differences, outcomes
    from tetriscourse.game.board import Board

    broken = seal()
    assert broken() == ""
    for owner, name in ((differences, "same_value"), (Board, "heights"), (outcomes, "Right")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, None)
            assert broken().endswith(name)
    with monkeypatch.context() as patch:
        patch.setattr(differences.same_value, "__code__", (lambda got, expected: True).__code__)
        assert broken() == "tetriscourse.course.differences.same_value"
    assert broken() == ""


# --- who handed in what -------------------------------------------------------------------------


def test_folders_zip_files_and_single_notebooks_are_found_and_the_rest_is_listed(tmp_path):
    hand_in(tmp_path, {"anna": notebook(ANSWERS)})
    nested = tmp_path / "ben" / "week" / "01_data_structures (1).ipynb"
    nested.parent.mkdir(parents=True)
    nested.write_text("{}")
    (tmp_path / "ben" / ".ipynb_checkpoints").mkdir()
    (tmp_path / "ben" / ".ipynb_checkpoints" / CHAPTER.file).write_text("{}")
    (tmp_path / "ben" / "picture.png").touch()
    with zipfile.ZipFile(tmp_path / "carla.zip", "w") as packed:
        packed.writestr(f"work/{CHAPTER.file}", "{}")
    (tmp_path / f"dan_{CHAPTER.file}").write_text("{}")
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    students, strange = handed_in(tmp_path, [CHAPTER])
    found = {one.name: one.notebooks.get("01") for one in students}
    assert set(found) == {"anna", "ben", "carla", "dan", "empty"}
    assert found["ben"].path == nested
    assert found["carla"].read() == b"{}"
    assert found["empty"] is None
    assert strange == ["notes.txt"]
    assert students[1].strange == ["picture.png: not a notebook"]
    assert students[-1].strange == ["empty: nothing in it"]
    assert Report(students[-1]).flags == ["no notebook of the exercises", "not graded: empty: nothing in it"]


def test_the_notebook_with_the_exact_name_counts_and_links_are_not_followed(tmp_path):
    hand_in(tmp_path, {"anna": notebook(ANSWERS), "ben": notebook(STUBS)})
    (tmp_path / "anna" / "01_data_structures (1).ipynb").write_text("{}")
    (tmp_path / "ben" / CHAPTER.file).unlink()
    (tmp_path / "ben" / CHAPTER.file).symlink_to(tmp_path / "anna" / CHAPTER.file)
    (anna, ben), _ = handed_in(tmp_path, [CHAPTER])
    assert anna.notebooks["01"].path.name == CHAPTER.file
    assert anna.strange == []
    assert ben.notebooks == {}
    assert ben.strange == [f"{CHAPTER.file}: a link, not followed"]


def test_a_renamed_notebook_is_known_by_its_cells_and_a_zip_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "mueller_blatt1.ipynb").write_text(json.dumps(notebook(ANSWERS)))
    (tmp_path / "novak").mkdir()
    (tmp_path / "novak" / "homework.ipynb").write_text(json.dumps(notebook(ANSWERS)))
    (tmp_path / "novak" / "diary.ipynb").write_text(json.dumps({"cells": [cell("1 + 1")]}))
    (tmp_path / "olsen.zip").write_text("not a zip file")
    (tmp_path / "perez").symlink_to(tmp_path / "novak")
    students, strange = handed_in(tmp_path, [CHAPTER])
    found = {one.name: ([one.name for one in one.notebooks.values()], one.strange) for one in students}
    assert found == {
        "mueller_blatt1": (["mueller_blatt1.ipynb"], []),
        "novak": (["homework.ipynb"], ["diary.ipynb: not a notebook of the exercises"]),
        "olsen": ([], ["olsen.zip: a zip file that is empty or cannot be read"]),
        "perez": ([], ["perez: a link, not followed"]),
    }
    assert strange == []


def test_of_two_files_the_one_with_answers_is_graded_and_the_choice_is_flagged(tmp_path):
    lecture = {"cells": [cell("# The lecture", kind="markdown")]}
    for place, content in (("a", notebook(STUBS)), ("b", notebook(ANSWERS)), ("notebooks", lecture)):
        hand_in(tmp_path / "anna", {place: content})
    [anna], _ = handed_in(tmp_path, [CHAPTER], {"01": {"exercises": notebook(STUBS)["cells"]}})
    assert anna.notebooks["01"].label == f"b/{CHAPTER.file}"
    said = f"2 files for this chapter: b/{CHAPTER.file} is graded, not a/{CHAPTER.file}"
    assert anna.notebooks["01"].remark == said


def test_a_folder_and_a_zip_file_of_one_student_are_chosen_from_together(tmp_path):
    hand_in(tmp_path, {"anna": notebook(ANSWERS)})
    with zipfile.ZipFile(tmp_path / "anna.zip", "w") as packed:
        packed.writestr(CHAPTER.file, json.dumps(notebook(STUBS)))
    [anna], _ = handed_in(tmp_path, [CHAPTER], {"01": {"exercises": notebook(STUBS)["cells"]}})
    said = f"2 files for this chapter: anna/{CHAPTER.file} is graded, not anna.zip:{CHAPTER.file}"
    assert anna.notebooks["01"].remark == said


def test_who_tried_and_stopped_is_not_told_that_nothing_was_attempted(course):
    known = course.exercises([CHAPTER])["01"]
    given = sheet(notebook(STUBS | {"solution-01-1": "def twice("})["cells"], notebook(STUBS)["cells"])
    at = next(number for number, step in enumerate(given.steps) if step.answers == "01.1")
    verdicts = {id: {"state": "open", "text": "", "shown": []} for id in ("01.1", "01.2")}
    notes = Notes(verdicts, [(at, "SyntaxError", "'(' was never closed")])
    first, second, *_ = marked(CHAPTER, known, given, notes).marks
    assert (first.state, second.state) == ("wrong", "open")
    assert "stops with SyntaxError: '(' was never closed" in first.text


def test_the_lecture_is_told_from_its_exercises():
    lecture = [cell("# Boards", kind="markdown"), cell("Words.", kind="markdown"), cell("1 + 1")]
    assert is_lecture([*lecture, cell("mine = 1")], lecture)
    assert not is_lecture([*lecture, *notebook(STUBS)["cells"]], lecture)
    assert not is_lecture([cell("Words of my own.", kind="markdown")], lecture)


@pytest.mark.parametrize("stripped", [False, True])
def test_words_are_found_below_their_heading_wherever_they_were_written(stripped):
    heading, after = "## 01.4 Why? (2 points)\n\nSay why.", "## 01.5 Next (open, 1 point)\n\nMore."
    original = [cell(heading, kind="markdown"), cell("*Your answer, in your own words.*", "prose-01-4", "markdown"),
                cell(after, kind="markdown"), cell("text", kind="markdown")]  # fmt: skip
    mine = [cell("Not this.", kind="markdown"), *original[:2], cell("Because.", kind="markdown"), *original[2:],
            cell("Nor this.", kind="markdown")]  # fmt: skip
    inside = [cell(heading + "\nBecause.", kind="markdown"), *original[1:]]
    replaced = [original[0], cell("Because.", "prose-01-4", "markdown"), *original[2:]]
    for given in (mine, inside, replaced):
        bare = [one | {"metadata": {}} for one in given] if stripped else given
        assert sheet(bare, original).prose == {"01.4": "Because."}
    assert sheet(original, original).prose == {}


def test_a_notebook_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr("tetriscourse.teaching.grading.submissions.LARGEST", 10)
    (tmp_path / "large.ipynb").write_text("x" * 11)
    with pytest.raises(InputError, match="larger than"):
        Submission("anna", CHAPTER, tmp_path / "large.ipynb").read()


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 10**6, '{"cells": 3}', '{"cells": [3]}', "\ufeff3"])
def test_what_is_no_notebook_is_refused_with_a_reason(text):
    with pytest.raises(InputError, match="not a notebook"):
        cells_of(text.encode())


def test_check_cells_are_those_of_the_original_and_missing_ones_stand_after_their_solution():
    original = notebook(STUBS)["cells"]
    given = notebook(ANSWERS, ["mine = 1"], without=("check-01-1", "check-01-3"))["cells"]
    next(one for one in given if name_of(one) == "check-01-2")["source"] = "check = print"
    found = sheet(given, original)
    assert [step.source or step.checks for step in found.steps] == [
        given[0]["source"], ANSWERS["solution-01-1"], ("01.1",), "mine = 1", ANSWERS["solution-01-2"], ("01.2",),
        ANSWERS["solution-01-3"], ("01.3",),
    ]  # fmt: skip
    assert found.repairs == ("1 check cell changed, restored", "2 check cells missing, restored")


def test_a_check_cell_is_known_by_its_call_when_its_name_is_lost():
    given = notebook(ANSWERS)["cells"]
    for one in given:
        one["metadata"] = {}
    found = sheet(given, notebook(STUBS)["cells"])
    assert [step.checks for step in found.steps if step.checks] == [("01.1",), ("01.2",), ("01.3",)]
    assert found.repairs == ()


# --- what is written ----------------------------------------------------------------------------


def test_what_was_not_handed_in_stays_empty_and_words_have_no_points(course):
    known = {"01": course.exercises([CHAPTER])["01"]}
    some = Graded(CHAPTER, [Mark(one, "words" if one.is_prose else "right") for one in known["01"].values()], ["late"])
    text = table([Report(Student("=anna"), {"01": some}), Report(Student("ben"))], known)
    assert text.splitlines() == [
        "student,01.1,01.2,01.3,01.4 (words),01 total,total,flags",
        "maximum,1,2,3,2,6,6,the totals are without the 2 points for words",
        "'=anna,1,2,3,,6,6,01: late",
        "ben,,,,,,0,no notebook of the exercises",
    ]


def test_some_points_are_in_the_table_and_never_more_than_there_are(course):
    known = {"01": course.exercises([CHAPTER])["01"]}
    first, second, third, words = known["01"].values()
    marks = [Mark(first, "wrong", some=1), Mark(second, "partly", some=1), Mark(third, "partly", some=99)]
    text = table([Report(Student("ben"), {"01": Graded(CHAPTER, [*marks, Mark(words, "words")])})], known)
    assert text.splitlines()[2] == "ben,0,1,2,,3,3,"


def test_text_of_students_is_printable_bounded_and_escaped(course):
    assert clean("a\x1b[31m\ud800b\u202e\n") == "a�[31m�b�\n"
    assert clean("x" * 100, 10) == "x" * 10 + " ..."
    one = next(iter(course.exercises([CHAPTER])["01"].values()))
    evil = Graded(CHAPTER, [Mark(one, "wrong", "<script>", ("<script>",))], ["<script>"], ["<script>"])
    page = student_page(Report(Student("<script>", strange=["<script>"]), {"01": evil}))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 6


def test_a_student_does_not_read_what_is_for_the_teacher_and_nothing_is_said_twice(course):
    known = course.exercises([CHAPTER])["01"]
    notes = Notes(errors=[(0, "TooSlow", "")] * 2, refused=[f"reading ({n})" for n in range(8)], tampered="replaces x")
    found = marked(CHAPTER, known, sheet(notebook(STUBS)["cells"], notebook(STUBS)["cells"]), notes)
    assert found.errors == ["code cell 1 (`import numpy as np`) takes too long"]
    assert "refused: 3 more" in found.flags
    report = Report(Student("anna", strange=["x.png: not a notebook"]), {"01": found})
    page = student_page(report)
    assert "LOOK AT THIS ONE" not in page
    assert "not attempted" not in page
    assert "Twice: not judged" in page
    assert "not graded: x.png: not a notebook" in page
    teacher = overview([report], {"01": known}, "", [], [], "feedback")
    assert "anna, 01: LOOK AT THIS ONE: it replaces x" in teacher
    assert "<code>01.4 (words)</code>, at most 2" in teacher


def test_memory_is_blamed_only_for_what_memory_did():
    assert command.not_started(CHAPTER, "numpy: MemoryError", Limits()).startswith("--memory is 4")
    assert "memory" not in command.not_started(CHAPTER, "No module named numpy", Limits())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("grade nowhere", "SUBMISSIONS is 'nowhere'"), ("grade . --out x/y.txt", "--out is 'x/y.txt'"),
        ("grade . --out grades.txt", "--out is 'grades.txt'"), ("grade . --chapter 99", "--chapter is '99'"),
        ("grade . --seconds 0", "--seconds is 0"), ("grade . --memory 0.01", "--memory is 0.01"),
    ],
)  # fmt: skip
def test_bad_arguments_are_told_on_a_line(line, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(line.split()) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
