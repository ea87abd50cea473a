"""Releases: hand-outs for students as a folder or a zip file, and course trees for nbgrader.

A hand-out never holds a solution: a notebook in which one is found is refused. A tree for nbgrader is for the teacher
alone, since nbgrader makes the hand-out from the solutions itself.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

from tetriscourse.course import working_copy
from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.progress import VARIABLE
from tetriscourse.course.working_copy import MANIFEST, Changes, Manifest, deliver, fingerprint
from tetriscourse.errors import InputError
from tetriscourse.teaching.building import SECONDS_A_CELL
from tetriscourse.teaching.sources import BEGIN, CODE_STUB, END, PROSE_STUB, without_solution

A_LEAK = 40  # a solution of at least this many characters is not found elsewhere by coincidence


def hand_out(top: Path, stems: list[str]) -> dict[str, bytes]:
    """The files for students: lectures, exercises, and a README."""
    for stem in stems:
        needed = ["notebooks"] + (["exercises"] if (top / "solutions" / f"{stem}.ipynb").is_file() else [])
        for folder in needed:
            if not (top / folder / f"{stem}.ipynb").is_file():
                raise InputError(f"{folder}/{stem}.ipynb is missing; build it first (tetriscourse build)")
    files = working_copy.students_files(top, stems)
    for name, content in files.items():
        check_no_solution(name, content, top)
    return files | {"README.md": students_readme(stems).encode()}


def check_no_solution(name: str, content: bytes, top: Path) -> None:
    """Refuse a notebook that holds the markers of a solution, a model answer, or an output of an exercise."""
    if any(mark.lstrip("# ").encode() in content for mark in (BEGIN, END)):
        raise InputError(f"{name} holds a solution, so it is not released")
    solved = top / "solutions" / Path(name).name
    if not name.startswith("exercises/") or not solved.is_file():
        return
    mine, solutions = (json.loads(one)["cells"] for one in (content, solved.read_bytes()))
    answers = [cell for cell in solutions if is_answer(cell)]
    stubs = {grade_id(cell): stub(cell) for cell in answers}
    known = [" ".join(text.split()) for cell in answers for text in model_answers(cell)]
    for cell in mine:
        text = " ".join(source(cell).split())
        filled_in = is_answer(cell) and source(cell) != stubs.get(grade_id(cell))
        if filled_in or cell.get("outputs") or any(one in text for one in known if len(one) >= A_LEAK):
            why = "holds a solution, or is older than the solutions (build it again), so it is not released"
            raise InputError(f"{name} {why}: {source(cell)[:60]!r}")


def source(cell: dict[str, Any]) -> str:
    """The text of a cell, which may be stored as a list of lines."""
    return "".join(cell["source"])


def is_answer(cell: dict[str, Any]) -> bool:
    """Whether a student writes in this cell."""
    return bool(cell["metadata"].get("nbgrader", {}).get("solution"))


def grade_id(cell: dict[str, Any]) -> str:
    """nbgrader's name for a cell."""
    return str(cell["metadata"]["nbgrader"]["grade_id"])


def stub(cell: dict[str, Any]) -> str:
    """The text that students find in place of a model answer."""
    return PROSE_STUB if cell["cell_type"] == "markdown" else without_solution(source(cell))


def model_answers(cell: dict[str, Any]) -> list[str]:
    """The parts of a cell that are an answer."""
    text = source(cell)
    return [text] if cell["cell_type"] == "markdown" else re.findall(f"{BEGIN}\n(.*?){END}", text, re.DOTALL)


def nbgrader_tree(top: Path, stems: list[str]) -> dict[str, bytes]:
    """The files of an nbgrader course: an assignment for each chapter that has exercises."""
    files = {}
    for stem in stems:
        solved = top / "solutions" / f"{stem}.ipynb"
        if solved.is_file():
            notebook = json.loads(solved.read_bytes())
            notebook["metadata"].pop("widgets", None)  # nbgrader would leave them in what students get
            text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
            files[f"source/{stem}/{stem}.ipynb"] = text.encode()
    if not files:
        raise InputError(f"NN is '{' '.join(stems)}'; there are no exercises to grade")
    return files | {"nbgrader_config.py": NBGRADER_CONFIG.encode(), "README.md": NBGRADER_README.read_bytes()}


def free_folder(folder: Path, release: str) -> Manifest:
    """The manifest of a folder to release into, which must be new, empty, or an earlier release of this kind."""
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise InputError(f"DIR is '{folder}'; it cannot be used: {error.strerror}") from None
    manifest = Manifest.of(folder)
    if taken and manifest.release != release:
        raise InputError(f"DIR is '{folder}'; it must be a new or empty folder, or an earlier release as {release}")
    manifest.release = release
    return manifest


def remove_outdated(folder: Path, manifest: Manifest, keep: dict[str, bytes]) -> list[str]:
    """Delete what was delivered earlier, is no longer part of it, and has not been changed since."""
    removed = []
    for name in sorted(set(working_copy.students_names()) - set(keep)):
        path, last = folder / name, manifest.delivered.pop(name, None)
        if path.is_file() and fingerprint(name, path.read_bytes()) == last:
            path.unlink()
            removed.append(name)
    return removed


def release_folder(folder: Path, files: dict[str, bytes], only: list[str] | None) -> list[str]:
    """Write a hand-out as a folder, and remove what no longer belongs to it, unless changed. Says what has changed."""
    manifest = free_folder(folder, "folder")
    manifest.only = only
    removed = remove_outdated(folder, manifest, keep=files)
    changes = deliver(files, folder, manifest)
    changes.removed = removed
    return changed(changes)


def release_zip(folder: Path, files: dict[str, bytes], only: list[str] | None) -> Path:
    """Write a hand-out as a zip file, with the same bytes every time."""
    path = folder if folder.suffix == ".zip" else folder.with_name(f"{folder.name}.zip")
    if path.exists() and not is_earlier_zip(path):
        raise InputError(f"DIR is '{folder}'; {path.name} already exists and is not an earlier release")
    delivered = {name: fingerprint(name, content) for name, content in files.items()}
    everything = files | {MANIFEST: Manifest(delivered, "folder", only).as_bytes()}
    try:
        working_copy.write(path, zipped({f"{path.stem}/{name}": content for name, content in everything.items()}))
    except OSError as error:
        raise InputError(f"DIR is '{folder}'; {path} cannot be written: {error.strerror}") from None
    return path


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip file of these files, with no trace of the time or the machine."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def is_earlier_zip(path: Path) -> bool:
    """Whether a file is an earlier hand-out."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(Path(name).name == MANIFEST for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def release_nbgrader(folder: Path, files: dict[str, bytes]) -> list[str]:
    """Write a course tree; earlier assignments stay, and everything that nbgrader has made. Says what has changed."""
    return changed(deliver(files, folder, free_folder(folder, "nbgrader")))


def changed(changes: Changes) -> list[str]:
    """How an earlier release has changed; new files are no news."""
    changes.copied.clear()
    return changes.lines()


def students_readme(stems: list[str]) -> str:
    """How to install and start the course, and its chapters."""
    titles = [f"- {one.number} **{one.title}**: {one.question}" for one in CHAPTERS.values() if one.stem in stems]
    return STUDENTS_README.read_text("utf-8").replace("{{chapters}}", "\n".join(titles))


STUDENTS_README, NBGRADER_README = (Path(__file__).with_name(f"{of}_readme.md") for of in ("students", "nbgrader"))
NBGRADER_CONFIG = f'''"""Settings of nbgrader for the exercises of tetriscourse."""

import os
import sys

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "tetriscourse"
c.ClearSolutions.code_stub = {{"python": {json.dumps(CODE_STUB)}}}
c.ClearSolutions.text_stub = {json.dumps(PROSE_STUB)}
c.ExecutePreprocessor.timeout = {SECONDS_A_CELL}  # seconds a cell

# nbgrader calls other programs of its environment by name, even if the environment is not activated.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
# Grading does not count as your own progress.
os.environ["{VARIABLE}"] = ""
# The checks use boards and games that students do not see; any number will do.
os.environ.setdefault("TETRISCOURSE_CHECK_SEED", "2")
'''
