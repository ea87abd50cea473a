"""What was handed in: whose notebooks are where, and what to run of each, with the original check cells in it."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tetriscourse.course.chapters import Chapter
from tetriscourse.course.sources import CHECK, PROSE_STUB
from tetriscourse.errors import InputError, counted

LARGEST = 256 * 2**20
"""Bytes of a notebook: with stored outputs they can be large, and a zip file can promise anything."""


@dataclass(frozen=True)
class Submission:
    """One notebook of one student: a file, or a member of a zip file."""

    student: str
    chapter: Chapter
    path: Path
    member: str = ""

    @property
    def name(self) -> str:
        """Where it is, for a person."""
        return f"{self.path.name}:{self.member}" if self.member else self.path.name

    def read(self) -> bytes:
        """Its bytes, never more than allowed."""
        if self.member:
            with zipfile.ZipFile(self.path) as packed, packed.open(self.member) as file:
                content = file.read(LARGEST + 1)
        else:
            with self.path.open("rb") as file:
                content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise InputError(f"it is larger than {LARGEST >> 20} MB")
        return content


@dataclass
class Student:
    """What one student handed in: a notebook for some chapters, and files that are none of the course."""

    name: str
    notebooks: dict[str, Submission] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)


def handed_in(folder: Path, chapters: Sequence[Chapter]) -> tuple[list[Student], list[str]]:
    """Every student with a folder, a zip file or a notebook of their own in it, and the files of nobody."""
    students: dict[str, Student] = {}
    strange: list[str] = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "_")):
            continue
        name = student_of(entry, chapters)
        if entry.is_symlink() or name is None:
            strange.append(entry.name)
            continue
        student = students.setdefault(name, Student(name))
        for path, member in files_of(entry):
            take(student, path, member, chapters)
    return list(students.values()), strange


def student_of(entry: Path, chapters: Sequence[Chapter]) -> str | None:
    """Whose an entry of the folder is: its name, or what stands before the chapter's."""
    if entry.is_dir():
        return entry.name
    if entry.suffix == ".zip":
        return entry.stem
    chapter = chapter_of(entry.name, chapters)
    return entry.name.partition(chapter.stem)[0].rstrip("_- ") or None if chapter else None


def chapter_of(name: str, chapters: Sequence[Chapter]) -> Chapter | None:
    """The chapter whose notebook a file is, by its name; copies such as '... (1).ipynb' count too."""
    return next((one for one in chapters if name.endswith(".ipynb") and one.stem in name), None)


def files_of(entry: Path) -> Iterator[tuple[Path, str]]:
    """The files of a student, those that lie higher up first; links are not followed, hidden files not seen."""
    if entry.is_dir():
        found = [Path(top) / name for top, _, names in os.walk(entry) for name in names]
        seen = [path for path in found if not any(part.startswith(".") for part in path.relative_to(entry).parts)]
        yield from ((path, "") for path in sorted(seen, key=lambda path: (len(path.parts), str(path))))
    elif entry.suffix == ".zip":
        try:
            with zipfile.ZipFile(entry) as packed:
                members = sorted(name for name in packed.namelist() if not name.endswith("/"))
        except (OSError, ValueError, zipfile.BadZipFile):
            members = []
        plain = [one for one in members if not any(p.startswith((".", "__")) for p in PurePosixPath(one).parts)]
        yield from ((entry, member) for member in plain or [""])
    else:
        yield entry, ""


def take(student: Student, path: Path, member: str, chapters: Sequence[Chapter]) -> None:
    """Give a file to a student: as the notebook of a chapter, or among what is strange."""
    name = PurePosixPath(member).name if member else path.name
    chapter = chapter_of(name, chapters)
    link = path.is_symlink() or not path.is_file()
    before = student.notebooks.get(chapter.number) if chapter else None
    better = before is None or (name == before.chapter.file and not before.name.endswith(before.chapter.file))
    if chapter is None or link or not better:
        student.strange.append(name + (": a link, not followed" if link else ""))
        return
    if before is not None:
        student.strange.append(before.name)
    student.notebooks[chapter.number] = Submission(student.name, chapter, path, member)


# --- the cells of a notebook --------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A code cell to run and, after it, the exercises to judge."""

    label: str
    source: str
    checks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A notebook ready to be run: its steps, its answers in words, and what was repaired."""

    steps: tuple[Step, ...]
    prose: dict[str, str]
    repairs: tuple[str, ...]


Cell = dict[str, Any]


def cells_of(content: bytes) -> list[Cell]:
    """The cells of a notebook, or an error that says why there are none."""
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise InputError("it is not a notebook: its text is not JSON") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise InputError("it is not a notebook: it has no list of cells")
    return cells


def source_of(cell: Cell) -> str:
    """The text of a cell, which may be stored in lines."""
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def grade_id(cell: Cell) -> str:
    """nbgrader's name of a cell; a check cell whose name was lost is known by its call."""
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    called = CHECK.findall(source_of(cell)) if cell.get("cell_type") == "code" else []
    return name if isinstance(name, str) else f"check-{called[0].replace('.', '-')}" if called else ""


def check_step(cell: Cell) -> Step:
    """An original check cell: its calls become judgements, what else it holds is run."""
    source = source_of(cell)
    ids = tuple(CHECK.findall(source))
    rest = "\n".join(line for line in source.splitlines() if not CHECK.match(line))
    return Step(f"the check of {' and '.join(ids)}", rest, ids)


def sheet(given: list[Cell], original: list[Cell]) -> Sheet:
    """The student's cells in their order, every check cell as in the original, missing ones put back."""
    checks = {grade_id(cell): cell for cell in original if grade_id(cell).startswith("check-")}
    steps: list[tuple[str, Step]] = []
    changed: list[str] = []
    for cell in given:
        name = grade_id(cell)
        if name in checks and name not in (one for one, _ in steps):
            steps.append((name, check_step(checks[name])))
            changed += [name] if source_of(cell).strip() != source_of(checks[name]).strip() else []
        elif name not in checks and cell.get("cell_type") == "code":
            number = 1 + sum(not step.checks for _, step in steps)
            steps.append((name, Step(f"code cell {number}", source_of(cell))))
    missing = [name for name in checks if name not in dict(steps)]
    for name in missing:
        steps.insert(place_after_solution(steps, name), (name, check_step(checks[name])))
    prose = {name[6:].replace("-", "."): source_of(cell) for cell in given if (name := grade_id(cell))[:6] == "prose-"}
    answered = {id: text for id, text in prose.items() if text.strip() not in ("", PROSE_STUB)}
    return Sheet(tuple(step for _, step in steps), answered, repairs(changed, missing))


def place_after_solution(steps: list[tuple[str, Step]], check: str) -> int:
    """Where a missing check cell belongs: after the last solution cell of its exercise, else at the end."""
    mine = re.compile(rf"solution-{re.escape(check.removeprefix('check-'))}(-\d+)?$")
    return 1 + max((place for place, (name, _) in enumerate(steps) if mine.match(name)), default=len(steps) - 1)


def repairs(changed: list[str], missing: list[str]) -> tuple[str, ...]:
    """What was restored, in words."""
    said = (f"{counted(len(names), 'check cell')} {how}, restored" for names, how in
            ((changed, "changed"), (missing, "missing")) if names)  # fmt: skip
    return tuple(said)
