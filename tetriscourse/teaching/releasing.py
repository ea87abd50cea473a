"""`tetriscourse release`: what a teacher hands out, as a folder, a zip file, or a course tree of nbgrader.

A hand-out never holds a solution: it is refused if one is found in it. The tree for nbgrader is for the teacher alone,
since nbgrader makes the hand-out from the solutions itself.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tetriscourse.course.chapters import CHAPTERS, course_files
from tetriscourse.course.progress import VARIABLE
from tetriscourse.course.working_copy import (
    MANIFEST,
    Changes,
    Manifest,
    deliver,
    fingerprint,
    students_files,
    students_names,
    write,
)
from tetriscourse.errors import InputError, counted, one_of
from tetriscourse.teaching.building import SECONDS_A_CELL, chosen_stems
from tetriscourse.teaching.sources import BEGIN, CODE_STUB, END, PROSE_STUB, without_solution

FORMS = ("folder", "zip", "nbgrader")
A_LEAK = 40
"""Characters from which on a solution that is found elsewhere is no coincidence."""


def run(options: argparse.Namespace) -> int:
    """Write the release that is asked for, and say what is in it."""
    form, top = one_of("--as", options.form, FORMS), course_files()
    stems = chosen_stems(options.chapters)
    if form == "nbgrader":
        return release_nbgrader(Path(options.folder), nbgrader_tree(top, stems))
    files = hand_out(top, stems)
    only = stems if options.chapters else None
    return (release_zip if form == "zip" else release_folder)(Path(options.folder), files, only)


# --- what is in it ------------------------------------------------------------------------------


def hand_out(top: Path, stems: list[str]) -> dict[str, bytes]:
    """The files that students get: lectures, exercises, and how to start."""
    for stem in stems:
        needed = ["notebooks"] + (["exercises"] if (top / "solutions" / f"{stem}.ipynb").is_file() else [])
        for folder in needed:
            if not (top / folder / f"{stem}.ipynb").is_file():
                raise InputError(f"{folder}/{stem}.ipynb is missing; build it first (tetriscourse build)")
    files = students_files(top, stems)
    for name, content in files.items():
        check_no_solution(name, content, top)
    return files | {"README.md": students_readme(stems).encode()}


def check_no_solution(name: str, content: bytes, top: Path) -> None:
    """Refuse a notebook that holds the marks of a solution, a model answer, or an output of an exercise."""
    if any(mark.lstrip("# ").encode() in content for mark in (BEGIN, END)):
        raise InputError(f"{name} holds a solution, so it is not released")
    solved = top / "solutions" / Path(name).name
    if not name.startswith("exercises/") or not solved.is_file():
        return
    mine, answers = cells(content), [cell for cell in cells(solved.read_bytes()) if is_answer(cell)]
    stubs = {grade_id(cell): stub(cell) for cell in answers}
    known = [squeezed(text) for cell in answers for text in model_answers(cell)]
    for cell in mine:
        text = squeezed(source(cell))
        filled_in = is_answer(cell) and source(cell) != stubs.get(grade_id(cell))
        if filled_in or cell.get("outputs") or any(one in text for one in known if len(one) >= A_LEAK):
            why = "holds a solution, or is older than the solutions (build it again), so it is not released"
            raise InputError(f"{name} {why}: {source(cell)[:60]!r}")


def cells(content: bytes) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    return list(json.loads(content)["cells"])


def source(cell: dict[str, Any]) -> str:
    """The text of a cell, which may be kept as a list of lines."""
    return "".join(cell["source"])


def is_answer(cell: dict[str, Any]) -> bool:
    """Whether a student writes in this cell."""
    return bool(cell["metadata"].get("nbgrader", {}).get("solution"))


def grade_id(cell: dict[str, Any]) -> str:
    """nbgrader's name of a cell."""
    return str(cell["metadata"]["nbgrader"]["grade_id"])


def stub(cell: dict[str, Any]) -> str:
    """What students find instead of a model answer."""
    return PROSE_STUB if cell["cell_type"] == "markdown" else without_solution(source(cell))


def model_answers(cell: dict[str, Any]) -> Iterator[str]:
    """The parts of a cell that are the answer."""
    if cell["cell_type"] == "markdown":
        yield source(cell)
    else:
        yield from re.findall(f"{BEGIN}\n(.*?){END}", source(cell), re.DOTALL)


def squeezed(text: str) -> str:
    """A text with single spaces, for comparing."""
    return " ".join(text.split())


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
    return files | {"nbgrader_config.py": NBGRADER_CONFIG.encode(), "README.md": TEACHERS_README.encode()}


# --- where it goes ------------------------------------------------------------------------------


def free_folder(folder: Path, release: str) -> Manifest:
    """The manifest to release into a folder with: it must be new, empty, or hold a former release of this form."""
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise InputError(f"DIR is '{folder}'; it cannot be used: {error.strerror}") from None
    manifest = Manifest.of(folder)
    if taken and manifest.release != release:
        raise InputError(f"DIR is '{folder}'; it must be a new or empty folder, or a former release as {release}")
    manifest.release = release
    return manifest


def remove_outdated(folder: Path, manifest: Manifest, keep: dict[str, bytes]) -> list[str]:
    """Delete what was delivered before, is not to be kept, and has not been changed since."""
    removed = []
    for name in sorted(set(students_names()) - set(keep)):
        path, last = folder / name, manifest.delivered.pop(name, None)
        if path.is_file() and fingerprint(name, path.read_bytes()) == last:
            path.unlink()
            removed.append(name)
    return removed


def release_folder(folder: Path, files: dict[str, bytes], only: list[str] | None) -> int:
    """Write a hand-out as a folder; what a former one held besides is removed, unless it was changed."""
    manifest = free_folder(folder, "folder")
    manifest.only = only
    removed = remove_outdated(folder, manifest, keep=files)
    changes = deliver(files, folder, manifest)
    changes.removed = removed
    tell(changes)
    return say(folder, files)


def release_zip(folder: Path, files: dict[str, bytes], only: list[str] | None) -> int:
    """Write a hand-out as one zip file, the same bytes every time."""
    path = folder if folder.suffix == ".zip" else folder.with_name(f"{folder.name}.zip")
    if path.exists() and not is_former_zip(path):
        raise InputError(f"DIR is '{folder}'; {path.name} is there already and is not a former release")
    delivered = {name: fingerprint(name, content) for name, content in files.items()}
    everything = files | {MANIFEST: Manifest(delivered, "folder", only).as_bytes()}
    try:
        write(path, zipped({f"{path.stem}/{name}": content for name, content in everything.items()}))
    except OSError as error:
        raise InputError(f"DIR is '{folder}'; {path} cannot be written: {error.strerror}") from None
    return say(path, files)


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip file of these files, without the time and the machine."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()


def is_former_zip(path: Path) -> bool:
    """Whether a file is a hand-out that was written before."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(Path(name).name == MANIFEST for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def release_nbgrader(folder: Path, files: dict[str, bytes]) -> int:
    """Write a course tree; assignments of a former release stay, and everything that nbgrader has made."""
    tell(deliver(files, folder, free_folder(folder, "nbgrader")))
    print(f"{folder}: {counted(len(files) - 2, 'assignment')} with solutions, for teachers only; see README.md there")
    return 0


def tell(changes: Changes) -> None:
    """Say what happened to a former release."""
    changes.copied.clear()  # what is in a release is said anyway
    for line in changes.lines():
        print(line, file=sys.stderr)


def say(path: Path, files: dict[str, bytes]) -> int:
    """Tell what was written."""
    exercises = sum(name.startswith("exercises/") for name in files)
    lectures = sum(name.startswith("notebooks/") for name in files)
    print(f"{path}: {counted(lectures, 'lecture')} and {counted(exercises, 'exercise notebook')}, no solutions")
    print("its README.md tells students how to start and what to hand in; `tetriscourse grade` takes what comes back")
    return 0


# --- what is said in it -------------------------------------------------------------------------


def students_readme(stems: list[str]) -> str:
    """How to install and start, and what there is."""
    titles = [f"- {one.number} **{one.title}**: {one.question}" for one in CHAPTERS.values() if one.stem in stems]
    return STUDENTS_README.replace("{{chapters}}", "\n".join(titles))


STUDENTS_README = """# A course on game-playing AI, told through Tetris

You need Python 3.11 or later, and the file `tetriscourse-....whl` that your teacher gives you, in this folder. In a
terminal, in this folder:

```
python3 -m venv .venv
.venv/bin/pip install ./tetriscourse-*.whl
.venv/bin/tetriscourse lab .
```

On Windows say `py -m venv .venv`, `.venv\\Scripts\\` instead of `.venv/bin/`, and the whole name of the file.

Your browser opens on the first chapter. `notebooks/` holds the lectures, `exercises/` what is yours to solve: write
where it says *your code here*, run the cell with `check(...)` below, and ask for `hint(1)` when you are stuck.
`.venv/bin/tetriscourse progress` shows how far you are.

To hand in: save the notebook in `exercises/` (Ctrl-S), after *Run, Restart Kernel and Run All Cells* has shown that it
runs from top to bottom, and give your teacher that file under the name that it has.

{{chapters}}
"""

TEACHERS_README = """# The exercises of tetriscourse as a course of nbgrader

**For teachers only: `source/` holds the solutions.** In an environment with `pip install "tetriscourse[teach]"`, in
this folder, for each chapter:

```
nbgrader generate_assignment 01_data_structures --create    # what students get, in release/
nbgrader autograde 01_data_structures                       # grades submitted/STUDENT/01_data_structures/
nbgrader generate_feedback 01_data_structures
nbgrader export                                             # grades.csv
```

Cells with a check give their points by themselves; answers in words wait for you in the formgrader (`jupyter lab`, menu
Nbgrader). Students need the lectures too: `tetriscourse release DIR` writes them.

`nbgrader autograde` runs what students wrote without walls, and trusts it: a notebook can replace `check` and give
itself points. `tetriscourse grade submitted --out grades.csv` runs each one shut in, with limits, and with the
original checks.
"""

NBGRADER_CONFIG = f'''"""How nbgrader treats the exercises of tetriscourse."""

import os
import sys

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "tetriscourse"
c.ClearSolutions.code_stub = {{"python": {json.dumps(CODE_STUB)}}}
c.ClearSolutions.text_stub = {json.dumps(PROSE_STUB)}
c.ExecutePreprocessor.timeout = {SECONDS_A_CELL}  # seconds a cell

# nbgrader calls other programs of its environment by name, also when the environment is not activated.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
# Grading is no progress of yours.
os.environ["{VARIABLE}"] = ""
# The checks use other boards and games than those that students see; any number will do.
os.environ.setdefault("TETRISCOURSE_CHECK_SEED", "2")
'''
