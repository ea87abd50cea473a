"""The hand-out of a teacher: no solutions, the same bytes every time, and a tree that nbgrader takes as it is."""

import copy
import json
import os
import subprocess
import sys
import zipfile

import pytest

from tetriscourse import cli
from tetriscourse.course.chapters import APPENDICES, CHAPTERS, course_files
from tetriscourse.course.working_copy import MANIFEST, bring_up_to_date
from tetriscourse.errors import InputError
from tetriscourse.teaching.releasing import NBGRADER_CONFIG, check_no_solution, hand_out
from tetriscourse.teaching.sources import CODE_STUB, PROSE_STUB

pytestmark = pytest.mark.slow

SOLVED = "def area(side):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"
BODY = "return sum(1 for row in range(side) for column in range(side))"
ANSWER = "Because every row has as many cells as the board has columns."


def cell(kind, source, grade_id=None, **more):
    """A cell that has not been executed, with nbgrader's metadata if it has a name there."""
    metadata = {"nbgrader": {"grade_id": grade_id, "solution": True, "grade": kind == "markdown"}} if grade_id else {}
    code = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "id": "c", "metadata": metadata, "source": source} | code | more


def notebook(*cells):
    """A notebook as bytes."""
    metadata = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}, "widgets": {}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def put(folder, name, content):
    """Write a file of the course."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A small course of all chapters; the first one has no exercises."""
    top = tmp_path / "course"
    for name in APPENDICES:
        put(top, f"notebooks/{name}.ipynb", notebook())
    for chapter in CHAPTERS.values():
        put(top, f"notebooks/{chapter.file}", notebook(cell("markdown", f"# {chapter.title}")))
        if chapter.number != "00":
            solved = cell("code", SOLVED.format(body=BODY), "solution-1"), cell("markdown", ANSWER, "prose-2")
            stubs = cell("code", f"def area(side):\n    {CODE_STUB.replace(chr(10), chr(10) + '    ')}", "solution-1")
            put(top, f"solutions/{chapter.file}", notebook(*solved))
            put(top, f"exercises/{chapter.file}", notebook(stubs, cell("markdown", PROSE_STUB, "prose-2")))
    monkeypatch.setattr("tetriscourse.course.chapters.course_files", lambda: top)
    monkeypatch.chdir(tmp_path)
    return top


def release(line):
    """The exit code of the command for this line."""
    return cli.main(["release", *line.split()])


def held(folder):
    """The names of all files in a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


LECTURES = {f"notebooks/{stem}.ipynb" for stem in (*(one.stem for one in CHAPTERS.values()), *APPENDICES)}
EXERCISES = {f"exercises/{chapter.file}" for chapter in CHAPTERS.values() if chapter.number != "00"}
AROUND = {"README.md", MANIFEST}

# --- a folder -----------------------------------------------------------------------------------


def test_a_hand_out_has_lectures_exercises_and_how_to_start(course, tmp_path, capsys):
    assert release("out") == 0
    assert held(tmp_path / "out") == LECTURES | EXERCISES | AROUND
    first, then = capsys.readouterr().out.splitlines()
    assert first == f"out: {len(LECTURES)} lectures and {len(EXERCISES)} exercise notebooks, no solutions"
    assert "what to hand in" in then
    told = (tmp_path / "out" / "README.md").read_text()
    assert "tetriscourse lab ." in told
    assert all(chapter.title in told for chapter in CHAPTERS.values())


def test_nothing_of_a_solution_is_in_a_hand_out(course, tmp_path):
    release("out")
    for path in (tmp_path / "out").rglob("*.*"):
        text = path.read_text() if path.is_file() else ""
        assert "SOLUTION" not in text
        assert BODY not in text
        assert ANSWER not in text


def test_some_chapters_can_be_handed_out(course, tmp_path):
    assert release("out 1 02") == 0
    chosen = {"01_data_structures.ipynb", "02_engine_and_agents.ipynb"}
    expected = {f"{kind}/{name}" for kind in ("notebooks", "exercises") for name in chosen}
    assert held(tmp_path / "out") == expected | AROUND
    assert "Filtering" not in (tmp_path / "out" / "README.md").read_text()


def test_a_student_can_work_in_a_hand_out(course, tmp_path):
    release("out 01")
    before = held(tmp_path / "out")
    assert bring_up_to_date(tmp_path / "out", course).lines() == []
    assert held(tmp_path / "out") == before


def test_a_former_hand_out_is_brought_up_to_date(course, tmp_path):
    release("out")
    put(course, "notebooks/00_welcome.ipynb", notebook(cell("markdown", "better")))
    assert release("out 00 01") == 0
    assert b"better" in (tmp_path / "out/notebooks/00_welcome.ipynb").read_bytes()
    assert held(tmp_path / "out") == AROUND | {
        "notebooks/00_welcome.ipynb", "notebooks/01_data_structures.ipynb", "exercises/01_data_structures.ipynb",
    }  # fmt: skip


def test_what_a_teacher_changed_in_a_former_hand_out_stays(course, tmp_path, capsys):
    release("out")
    mine = notebook(cell("markdown", "read this with your neighbour"))
    put(tmp_path, "out/notebooks/06_speed.ipynb", mine)
    put(tmp_path, "out/timetable.txt", b"Mondays")
    assert release("out 00") == 0
    assert (tmp_path / "out/notebooks/06_speed.ipynb").read_bytes() == mine
    assert (tmp_path / "out/timetable.txt").read_bytes() == b"Mondays"
    assert "removed" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["folder", "nbgrader"])
def test_a_folder_with_other_things_is_refused(course, tmp_path, form, capsys):
    put(tmp_path, "out/thesis.txt", b"years of work")
    assert release(f"out --as {form}") == 2
    assert "must be a new or empty folder, or an earlier release" in capsys.readouterr().err
    assert held(tmp_path / "out") == {"thesis.txt"}


def test_a_students_working_copy_is_not_a_former_release(course, tmp_path):
    bring_up_to_date(tmp_path / "mine", course)
    assert release("mine") == 2


def test_a_missing_notebook_is_an_error_and_nothing_is_written(course, tmp_path, capsys):
    (course / "exercises" / "03_filtering.ipynb").unlink()
    assert release("out") == 2
    assert "exercises/03_filtering.ipynb is missing" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("line", ["out 99", "out --as tar", "/dev/null/x", "out/a --as zip"])
def test_bad_words_are_told_on_one_line(course, line, capsys):
    (course.parent / "out").touch()
    assert release(line) == 2
    assert capsys.readouterr().err.count("\n") == 1


# --- no solutions -------------------------------------------------------------------------------

LEAKS = {
    "the mark": cell("code", SOLVED.format(body="pass")),
    "only the end of it": cell("code", "    ### END SOLUTION"),
    "the answer without marks": cell("code", f"def area(side):\n    {BODY}", "solution-1"),
    "a shorter answer": cell("code", "def area(side):\n    return side**2", "solution-1"),
    "the answer in another cell": cell("code", f"def other(side):\n    {BODY}"),
    "the words": cell("markdown", ANSWER, "prose-2"),
    "the words elsewhere, wrapped": cell("markdown", "Note. " + ANSWER.replace(" as ", "\nas ")),
    "an output": cell("code", "area(3)", outputs=[{"output_type": "stream", "name": "stdout", "text": "9"}]),
    "an answer that is not known": cell("code", "return side**2", "solution-9"),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_notebook_with_a_solution_is_never_released(course, tmp_path, leak, capsys):
    put(course, "exercises/04_evaluation.ipynb", notebook(leak))
    for form in ("folder", "zip"):
        assert release(f"out --as {form}") == 2
        assert "exercises/04_evaluation.ipynb holds a solution" in capsys.readouterr().err
    assert set(os.listdir(tmp_path)) == {"course"}


def test_marks_in_a_lecture_are_refused_too(course):
    with pytest.raises(InputError, match="holds a solution"):
        check_no_solution("notebooks/00_welcome.ipynb", notebook(LEAKS["the mark"]), course)


def test_the_real_exercises_hold_no_solution():
    there = [one.stem for one in CHAPTERS.values() if (course_files() / "exercises" / one.file).is_file()]
    assert there
    assert len(hand_out(course_files(), there)) == 2 * len(there) + 1


# --- a zip file ---------------------------------------------------------------------------------


def test_a_zip_file_is_the_same_hand_out_in_a_folder_of_its_name(course, tmp_path):
    release("out")
    assert release("packed --as zip") == 0
    with zipfile.ZipFile(tmp_path / "packed.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    unpacked = tmp_path / "unpacked" / "packed"
    assert held(unpacked) == held(tmp_path / "out")
    for name in held(unpacked):
        assert (unpacked / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_two_zip_files_have_the_same_bytes(course, tmp_path):
    release("packed --as zip")
    first = (tmp_path / "packed.zip").read_bytes()
    for path in course.rglob("*.ipynb"):
        os.utime(path, (10**9, 10**9))
    assert release("packed.zip --as zip") == 0
    assert (tmp_path / "packed.zip").read_bytes() == first


@pytest.mark.parametrize("other", [b"years of work", b""])
def test_another_file_of_that_name_is_not_overwritten(course, tmp_path, other, capsys):
    put(tmp_path, "packed.zip", other)
    assert release("packed --as zip") == 2
    assert "is not an earlier release" in capsys.readouterr().err
    assert (tmp_path / "packed.zip").read_bytes() == other


# --- a tree for nbgrader ------------------------------------------------------------------------


def test_a_tree_for_nbgrader_has_an_assignment_for_each_chapter_with_exercises(course, tmp_path, capsys):
    assert release("tree --as nbgrader") == 0
    stems = [chapter.stem for chapter in CHAPTERS.values() if chapter.number != "00"]
    expected = {f"source/{stem}/{stem}.ipynb" for stem in stems}
    assert held(tmp_path / "tree") == expected | AROUND | {"nbgrader_config.py"}
    assert "with solutions, for teachers only" in capsys.readouterr().out
    assert release("other 00 --as nbgrader") == 2


def test_assignments_are_added_to_a_tree_and_what_nbgrader_made_stays(course, tmp_path):
    release("tree 01 --as nbgrader")
    put(tmp_path, "tree/submitted/ada/01_data_structures/01_data_structures.ipynb", b"{}")
    put(tmp_path, "tree/nbgrader_config.py", b"c = get_config()\n")
    assert release("tree 02 --as nbgrader") == 0
    assert (tmp_path / "tree/submitted/ada/01_data_structures/01_data_structures.ipynb").read_bytes() == b"{}"
    assert (tmp_path / "tree/nbgrader_config.py").read_bytes() == b"c = get_config()\n"
    assert {one.name for one in (tmp_path / "tree/source").iterdir()} == {"01_data_structures", "02_engine_and_agents"}


def test_the_tree_holds_no_widgets_which_nbgrader_would_hand_out(course, tmp_path):
    release("tree 01 --as nbgrader")
    written = json.loads((tmp_path / "tree/source/01_data_structures/01_data_structures.ipynb").read_text())
    assert "widgets" not in written["metadata"]


STEM = CHAPTERS["01"].stem


def nbgrader(folder, *words):
    """Run the real nbgrader."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("TETRISCOURSE", "JUPYTER"))}
    home = {"HOME": str(folder.parent), "TETRISCOURSE_PROGRESS": str(folder.parent / "progress.json")}
    code = "import sys; from nbgrader.apps.nbgraderapp import main; sys.argv[0] = 'nbgrader'; main()"
    ran = [sys.executable, "-c", code, *words]
    return subprocess.run(ran, cwd=folder, env=quiet | home, capture_output=True, text=True, timeout=600, check=False)


def sources(path):
    """Types and sources of the cells of a notebook."""
    return [(one["cell_type"], "".join(one["source"])) for one in json.loads(path.read_bytes())["cells"]]


def graded(one):
    """The metadata of a cell for nbgrader."""
    return one["metadata"].get("nbgrader", {})


def half_done(untouched, solved):
    """The exercises with every second answer in code, and the points that their checks should give."""
    done, points, take = copy.deepcopy(untouched), 0, True
    for mine, model in zip(done["cells"], solved["cells"], strict=True):
        if mine["cell_type"] == "code" and graded(mine).get("solution") and take:
            mine["source"] = model["source"]
        if mine["cell_type"] == "code" and graded(mine).get("grade"):
            points += take * graded(mine)["points"]
            take = not take
    return done, points


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tree of a real chapter after nbgrader has made the assignment and graded three students."""
    folder = tmp_path_factory.mktemp("teacher") / "tree"
    assert cli.main(["release", str(folder), "01", "--as", "nbgrader"]) == 0
    made = nbgrader(folder, "generate_assignment", STEM, "--create")
    assert made.returncode == 0, made.stderr
    untouched = json.loads((folder / "release" / STEM / f"{STEM}.ipynb").read_bytes())
    solved = json.loads((folder / "source" / STEM / f"{STEM}.ipynb").read_bytes())
    half, points = half_done(untouched, solved)
    for student, written in {"ada": solved, "bob": untouched, "cleo": half}.items():
        put(folder, f"submitted/{student}/{STEM}/{STEM}.ipynb", json.dumps(written).encode())
    ran = nbgrader(folder, "autograde", STEM)
    assert ran.returncode == 0, ran.stderr
    return folder, solved, points


def test_nbgrader_makes_the_same_exercises_as_we_do(tree):
    theirs, ours = tree[0] / "release" / STEM, course_files() / "exercises"
    assert sources(theirs / f"{STEM}.ipynb") == sources(ours / f"{STEM}.ipynb")


def test_nbgrader_gives_the_points_of_the_checks(tree):
    from nbgrader.api import Gradebook

    folder, solved, half = tree
    checks = [graded(one)["points"] for one in solved["cells"] if graded(one).get("locked")]
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        scores = {student: book.find_submission(STEM, student).score for student in ("ada", "bob", "cleo")}
    assert 0 < half < sum(checks)
    assert scores == {"ada": sum(checks), "bob": 0, "cleo": half}


def test_nbgrader_leaves_words_to_the_teacher(tree):
    from nbgrader.api import Gradebook

    folder, solved, _ = tree
    prose = {graded(one)["grade_id"] for one in solved["cells"] if one["cell_type"] == "markdown" and graded(one)}
    assert prose
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as book:
        [answers] = book.find_submission(STEM, "ada").notebooks
        assert {one.name for one in answers.grades if one.needs_manual_grade} == prose
        assert not book.find_submission(STEM, "bob").needs_manual_grade


def test_grading_leaves_no_trace_in_the_teachers_progress(tree):
    assert not (tree[0].parent / "progress.json").exists()
    assert "TETRISCOURSE_PROGRESS" in NBGRADER_CONFIG
