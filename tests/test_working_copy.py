"""A student's working copy: new things come in, nothing that was written is ever lost."""

import json
import os
from pathlib import Path

import pytest

from tetriscourse import cli
from tetriscourse.course import chapters, lab
from tetriscourse.course.working_copy import MANIFEST, Manifest, bring_up_to_date, fingerprint
from tetriscourse.errors import InputError

LECTURE, EXERCISES = "notebooks/01_data_structures.ipynb", "exercises/01_data_structures.ipynb"
unprivileged = pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write everywhere")


def notebook(*sources, outputs=()):
    """A notebook of code cells, as JSON."""
    cells = [{"cell_type": "code", "source": source, "outputs": list(outputs), "metadata": {}} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def put(folder, name, text):
    """Write a file of the course, or of a student."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")


def held(folder):
    """Everything in a folder but the manifest, by name."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


@pytest.fixture
def course(tmp_path):
    """A course of one chapter, with its solutions."""
    top = tmp_path / "course"
    put(top, LECTURE, notebook("a lecture"))
    put(top, EXERCISES, notebook("..."))
    put(top, "solutions/01_data_structures.ipynb", notebook("the solution"))
    put(top, "notebooks/01_data_structures.py", "# %%")
    put(top, "notebooks/scratch.ipynb", notebook("a note of the author"))
    return top


@pytest.fixture
def mine(tmp_path, course):
    """A working copy of it."""
    folder = tmp_path / "mine"
    bring_up_to_date(folder, course)
    return folder


# --- what is copied -----------------------------------------------------------------------------


def test_a_copy_has_lectures_and_exercises_and_nothing_else(mine):
    assert held(mine) == {LECTURE: notebook("a lecture"), EXERCISES: notebook("...")}


def test_nothing_happens_when_nothing_is_new(mine, course):
    put(mine, EXERCISES, notebook("my answer"))
    before = held(mine)
    assert bring_up_to_date(mine, course).lines() == []
    assert held(mine) == before


def test_a_new_chapter_comes_in(mine, course):
    put(course, "notebooks/02_engine_and_agents.ipynb", notebook("engines"))
    assert bring_up_to_date(mine, course).lines() == ["new: notebooks/02_engine_and_agents.ipynb"]
    assert held(mine)["notebooks/02_engine_and_agents.ipynb"] == notebook("engines")


def test_a_newer_version_replaces_what_was_not_changed(mine, course):
    put(course, LECTURE, notebook("a better lecture"))
    assert bring_up_to_date(mine, course).lines() == [f"updated: {LECTURE}"]
    assert held(mine)[LECTURE] == notebook("a better lecture")


def test_running_a_lecture_is_not_writing(mine, course):
    put(mine, LECTURE, notebook("a lecture", outputs=[{"output_type": "stream", "name": "stdout", "text": "ran"}]))
    put(course, LECTURE, notebook("a better lecture"))
    assert bring_up_to_date(mine, course).updated == [LECTURE]


def test_what_was_run_stays_when_there_is_nothing_newer(mine, course):
    ran = notebook("a lecture", outputs=[{"output_type": "stream", "name": "stdout", "text": "ran"}])
    put(mine, LECTURE, ran)
    bring_up_to_date(mine, course)
    assert held(mine)[LECTURE] == ran


def test_the_lines_of_a_source_may_be_a_list_or_a_text():
    cells = {"cells": [{"cell_type": "code", "source": ["a = 1\n", "b = 2"]}]}
    listed, text = json.dumps(cells).encode(), notebook("a = 1\nb = 2").encode()
    assert fingerprint("x.ipynb", listed) == fingerprint("x.ipynb", text)


def test_a_word_that_becomes_code_is_a_change():
    words = notebook("1 + 1").replace('"code"', '"markdown"')
    assert fingerprint("x.ipynb", words.encode()) != fingerprint("x.ipynb", notebook("1 + 1").encode())


# --- what is kept -------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [notebook("my answer"), "{ broken", "", '{"cells": 5}', "[1, 2]"])
def test_what_a_student_wrote_stays_and_a_newer_version_is_put_beside(mine, course, written):
    put(mine, EXERCISES, written)
    put(course, EXERCISES, notebook("a better exercise"))
    beside = EXERCISES.replace(".ipynb", ".new.ipynb")
    [said] = bring_up_to_date(mine, course).lines()
    assert EXERCISES in said
    assert beside in said
    assert held(mine) == {LECTURE: notebook("a lecture"), EXERCISES: written, beside: notebook("a better exercise")}


def test_a_newer_version_is_put_beside_once(mine, course):
    put(mine, EXERCISES, notebook("my answer"))
    put(course, EXERCISES, notebook("a better exercise"))
    bring_up_to_date(mine, course)
    beside = mine / EXERCISES.replace(".ipynb", ".new.ipynb")
    beside.unlink()
    assert bring_up_to_date(mine, course).lines() == []
    assert not beside.exists()


def test_a_version_put_beside_may_be_written_in_too(mine, course):
    put(mine, EXERCISES, notebook("my answer"))
    for version in ("second", "third", "fourth"):
        put(course, EXERCISES, notebook(version))
        bring_up_to_date(mine, course)
        if version == "second":
            put(mine, EXERCISES.replace(".ipynb", ".new.ipynb"), notebook("my second answer"))
    assert held(mine) == {
        LECTURE: notebook("a lecture"), EXERCISES: notebook("my answer"),
        EXERCISES.replace(".ipynb", ".new.ipynb"): notebook("my second answer"),
        EXERCISES.replace(".ipynb", ".new-2.ipynb"): notebook("fourth"),
    }  # fmt: skip


def test_what_was_deleted_comes_back(mine, course):
    (mine / LECTURE).unlink()
    assert bring_up_to_date(mine, course).lines() == [f"restored: {LECTURE}"]
    assert held(mine)[LECTURE] == notebook("a lecture")


def test_files_of_ones_own_and_renamed_ones_are_left_alone(mine, course):
    put(mine, "notes.txt", "mine")
    put(mine, "exercises/01_data_structures-Copy1.ipynb", notebook("tried"))
    (mine / LECTURE).rename(mine / "notebooks/read.ipynb")
    bring_up_to_date(mine, course)
    now = held(mine)
    assert now["notes.txt"] == "mine"
    assert now["exercises/01_data_structures-Copy1.ipynb"] == notebook("tried")
    assert now["notebooks/read.ipynb"] == now[LECTURE] == notebook("a lecture")


@pytest.mark.parametrize("lost", [None, "", "{", "[]", '{"delivered": 3}', '{"delivered": {}, "only": 7}'])
def test_without_a_memory_everything_that_differs_is_the_students(mine, course, lost):
    (mine / MANIFEST).unlink()
    if lost is not None:
        put(mine, MANIFEST, lost)
    put(mine, EXERCISES, notebook("my answer"))
    bring_up_to_date(mine, course)
    assert held(mine)[EXERCISES] == notebook("my answer")
    assert bring_up_to_date(mine, course).lines() == []


def test_a_hand_out_keeps_to_its_chapters(mine, course):
    put(course, "notebooks/02_engine_and_agents.ipynb", notebook("engines"))
    known = Manifest.of(mine)
    known.only = ["01_data_structures"]
    (mine / MANIFEST).write_bytes(known.as_bytes())
    assert bring_up_to_date(mine, course).lines() == []


# --- what is in the way -------------------------------------------------------------------------


def test_a_folder_in_the_place_of_a_notebook_is_an_error(tmp_path, course):
    (tmp_path / "mine" / LECTURE).mkdir(parents=True)
    with pytest.raises(InputError, match=r"01_data_structures\.ipynb cannot be used"):
        bring_up_to_date(tmp_path / "mine", course)


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path, course):
    put(tmp_path, "mine/notebooks", "a file")
    with pytest.raises(InputError, match="notebooks cannot be used"):
        bring_up_to_date(tmp_path / "mine", course)


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path, course):
    (tmp_path / "mine" / "notebooks").mkdir(parents=True)
    (tmp_path / "mine" / LECTURE).symlink_to(tmp_path / "elsewhere.ipynb")
    with pytest.raises(InputError, match="cannot be used"):
        bring_up_to_date(tmp_path / "mine", course)
    assert not (tmp_path / "elsewhere.ipynb").exists()


@unprivileged
def test_a_folder_that_cannot_be_written_is_an_error(tmp_path, course):
    (tmp_path / "mine").mkdir(mode=0o555)
    with pytest.raises(InputError, match="cannot be used: Permission denied"):
        bring_up_to_date(tmp_path / "mine", course)


def test_a_package_without_notebooks_is_an_error(tmp_path):
    with pytest.raises(InputError, match="notebooks of the course are missing"):
        bring_up_to_date(tmp_path / "mine", tmp_path)


# --- which folder -------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path, course, monkeypatch):
    """The course as an installed package has it, without a clone around."""
    monkeypatch.setattr(chapters, "PACKED", course)
    monkeypatch.setattr(chapters, "CLONE", tmp_path / "site-packages")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_lab_makes_a_copy_and_tells_where(installed, capsys):
    assert cli.main(["lab", "here/and/there", "--no-start"]) == 0
    assert set(held(installed / "here/and/there")) == {LECTURE, EXERCISES}
    assert capsys.readouterr().err.splitlines() == [
        f"new: {EXERCISES}, {LECTURE}", f"the course is in {installed / 'here/and/there'}",
    ]  # fmt: skip


def test_lab_goes_on_in_the_working_copy_around(installed, monkeypatch):
    cli.main(["lab", "mine", "--no-start"])
    monkeypatch.chdir(installed / "mine" / "exercises")
    assert lab.course_folder(None) == installed / "mine"


def test_lab_opens_the_first_lecture_that_is_there(installed, course):
    bring_up_to_date(installed / "mine", course)
    assert lab.first_page(installed / "mine") == [f"--LabApp.default_url=/lab/tree/{LECTURE}"]
    put(installed / "mine", "notebooks/00_welcome.ipynb", notebook("hello"))
    assert lab.first_page(installed / "mine") == ["--LabApp.default_url=/lab/tree/notebooks/00_welcome.ipynb"]
    assert lab.first_page(installed) == []


def clone():
    """The clone, or the package, that these tests run in."""
    return Path(chapters.__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("inside", [".", "notebooks", "exercises/new", "solutions", "tetriscourse/course/files"])
def test_lab_never_copies_the_course_over_itself(inside, capsys):
    assert cli.main(["lab", str(clone() / inside), "--no-start"]) == 2
    assert "must be outside the course's own files" in capsys.readouterr().err
    assert not (clone() / "exercises" / "new").exists()
    assert not (clone() / "tetriscourse" / "course" / "files").exists()


def test_a_working_copy_may_lie_inside_a_clone(installed):
    for part in ("notebooks", "tetriscourse"):
        (installed / "clone" / part).mkdir(parents=True)
    (installed / "clone/tetriscourse/course").mkdir()
    assert cli.main(["lab", "clone/my-course", "--no-start"]) == 0
    assert (installed / "clone/my-course" / LECTURE).is_file()


def test_a_file_is_not_a_folder_to_work_in(installed, capsys):
    (installed / "file").touch()
    assert cli.main(["lab", "file", "--no-start"]) == 2
    assert "it must be a folder that can be created" in capsys.readouterr().err


def test_every_chapter_and_appendix_is_delivered():
    stems = list(chapters.STEMS.values())
    assert stems[0] == "00_welcome"
    assert set(stems) == {one.stem for one in chapters.CHAPTERS.values()} | set(chapters.APPENDICES)


# --- progress -----------------------------------------------------------------------------------


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """A file of progress in which one exercise is right."""
    path = tmp_path / "progress.json"
    path.write_text('{"00.1": {"state": "right", "checks": 2}}')
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", str(path))
    return path


def test_progress_shows_every_chapter_and_the_points(memory, capsys):
    assert cli.main(["progress"]) == 0
    shown = capsys.readouterr().out
    assert all(chapter.title in shown for chapter in chapters.CHAPTERS.values())
    assert "✓" in shown.splitlines()[0]


def test_progress_for_a_script(memory, capsys):
    assert cli.main(["progress", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exercises"]["00.1"] == "right"
    assert 0 < found["points"] < found["of"]


@pytest.mark.parametrize("bad", ["{", "", "[]", '{"00.1": 3}'])
def test_a_bad_file_of_progress_is_told_and_not_fatal(memory, bad, capsys):
    memory.write_text(bad)
    assert cli.main(["progress"]) == 0
    shown = capsys.readouterr()
    assert "0 of" in shown.out.splitlines()[-1]
    assert "cannot be understood" in shown.err


def test_progress_can_be_forgotten(memory, capsys):
    assert cli.main(["progress", "--forget"]) == 0
    assert not memory.exists()
    assert cli.main(["progress", "--forget"]) == 0
    assert "no progress to forget" in capsys.readouterr().err


def test_without_a_file_everything_is_to_come(monkeypatch, capsys):
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", "")
    assert cli.main(["progress", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["points"] == 0
    assert shown.err == ""
