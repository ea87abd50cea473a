"""Submissions: whose notebooks are where, and which cells to run of each, with the original checks in place."""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from tetriscourse.course.chapters import CHAPTERS, Chapter
from tetriscourse.course.renumbering import new_name, renumber
from tetriscourse.errors import InputError, counted
from tetriscourse.teaching.sources import CHECK, HEADING, PROSE_STUB

LARGEST = 256 * 2**20  # bytes of a notebook: with stored outputs they can be large, and a zip file can promise anything


@dataclass(frozen=True)
class Submission:
    """One notebook of one student: a file, or a member of a zip file."""

    student: str
    chapter: Chapter
    path: Path
    member: str = ""
    remark: str = ""

    @property
    def name(self) -> str:
        """Where it is, for a person."""
        return f"{self.path.name}:{self.member}" if self.member else self.path.name

    @property
    def label(self) -> str:
        """Its name with the folder in which it lies, which tells two files of one name apart."""
        return f"{self.path.name}:{self.member}" if self.member else "/".join(self.path.parts[-2:])

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
    """One student's submissions: a notebook for some chapters, and the files that are not graded, with the reason."""

    name: str
    notebooks: dict[str, Submission] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)


Originals = Mapping[str, Mapping[str, "list[Cell]"]]
"""By chapter, the cells of the course's own notebooks: `exercises` and, where there is one, `lecture`."""


def handed_in(
    folder: Path, chapters: Sequence[Chapter], originals: Originals | None = None
) -> tuple[list[Student], list[str]]:
    """Every student with a folder, a zip file or a notebook of their own in it, and the files of nobody."""
    students: dict[str, Student] = {}
    files: dict[str, list[tuple[Path, str]]] = {}
    strange: list[str] = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "_")):
            continue
        name = student_of(entry, chapters)
        if name is None:
            strange.append(entry.name)
            continue
        student = students.setdefault(name, Student(name))
        if entry.is_symlink():
            student.strange.append(f"{entry.name}: a link, not followed")
            continue
        found = list(files_of(entry))
        student.strange += [] if found else [f"{entry.name}: nothing in it"]
        files.setdefault(name, []).extend(found)
    for name, mine in files.items():  # all that is a student's, before anything is chosen
        take(students[name], mine, chapters, originals or {})
    return list(students.values()), strange


def student_of(entry: Path, chapters: Sequence[Chapter]) -> str | None:
    """Whose an entry of the folder is: its name, or what stands before the chapter's."""
    if entry.is_dir() or (entry.is_symlink() and not entry.suffix):
        return entry.name
    if entry.suffix.lower() == ".zip":
        return entry.stem
    chapter = chapter_of(entry.name, chapters)
    if chapter:
        return new_name(entry.name).partition(chapter.stem)[0].rstrip("_- ") or None
    known = entry.suffix == ".ipynb" and not entry.is_symlink() and chapter_in(read_cells(entry), chapters)
    return entry.stem if known else None


def chapter_of(name: str, chapters: Iterable[Chapter]) -> Chapter | None:
    """The chapter whose notebook a file is, by its name; copies such as '... (1).ipynb' count too."""
    return next((one for one in chapters if name.endswith(".ipynb") and one.stem in new_name(name)), None)


def chapter_in(cells: list[Cell], chapters: Sequence[Chapter]) -> Chapter | None:
    """The chapter whose exercises a notebook has, by the names of its cells, whatever the file is called."""
    found = [name.split("-")[1] for cell in cells if (name := grade_id(cell)).startswith(GRADED)]
    most = max(set(found), key=found.count, default="")
    return next((one for one in chapters if one.number == most), None)


def files_of(entry: Path) -> Iterator[tuple[Path, str]]:
    """The files of a student, those that lie higher up first; links are not followed, hidden files not seen."""
    if entry.is_dir():
        found = [Path(top) / name for top, _, names in os.walk(entry) for name in names]
        seen = [path for path in found if not any(part.startswith(".") for part in path.relative_to(entry).parts)]
        for path in sorted(seen, key=lambda path: (len(path.parts), str(path))):
            yield from members_of(path) if path.suffix.lower() == ".zip" and not path.is_symlink() else [(path, "")]
    elif entry.suffix.lower() == ".zip":
        yield from members_of(entry)
    else:
        yield entry, ""


def members_of(path: Path) -> Iterator[tuple[Path, str]]:
    """The files in a zip file; of one that cannot be read, the file itself."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = sorted(name for name in packed.namelist() if not name.endswith("/"))
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        members = []
    plain = [one for one in members if not any(p.startswith((".", "__")) for p in PurePosixPath(one).parts)]
    yield from ((path, member) for member in plain or [""])


def take(
    student: Student, files: Sequence[tuple[Path, str]], chapters: Sequence[Chapter], originals: Originals
) -> None:
    """Give files to a student: the best one of each chapter, and the rest with a reason."""
    choice: dict[str, list[tuple[tuple[int, ...], Submission]]] = {}
    for path, member in files:
        name = PurePosixPath(member).name if member else path.name
        if reason := not_taken(path, member):
            student.strange.append(f"{name}{reason}")
            continue
        cells = read_cells(path, member)
        chapter = chapter_in(cells, chapters) or chapter_of(name, chapters)
        if chapter:
            worth = worth_of(cells, name, chapter, originals.get(chapter.number, {}))
            choice.setdefault(chapter.number, []).append((worth, Submission(student.name, chapter, path, member)))
        elif not chapter_of(name, CHAPTERS.values()):  # a chapter that is not graded today is nothing strange
            student.strange.append(f"{name}: not a notebook of the exercises")
    for number, found in sorted(choice.items()):
        # Whoever hands in a whole folder hands in the lectures, too, which are not among the choice.
        ranked = sorted(found, key=lambda pair: pair[0], reverse=True)
        student.notebooks[number] = chosen([one for worth, one in ranked if worth >= ranked[0][0][:1]])


def not_taken(path: Path, member: str) -> str:
    """Why a file cannot be a notebook, or nothing."""
    if path.is_symlink():
        return ": a link, not followed"
    if not path.is_file():
        return ": not a file"
    if path.suffix.lower() == ".zip" and not member:
        return ": a zip file that is empty or cannot be read"
    return "" if (member or path.name).endswith(".ipynb") else ": not a notebook"


def worth_of(cells: list[Cell], name: str, chapter: Chapter, original: Mapping[str, list[Cell]]) -> tuple[int, ...]:
    """A key that ranks files of one chapter: the exercises first, with answers, under the right name."""
    known = {source_of(cell).strip() for cell in original.get("exercises", [])}
    own = sum(source_of(cell).strip() not in known for cell in cells) if known else 0
    is_exercises = int(chapter_in(cells, [chapter]) is not None)
    return is_exercises, int(own > 0 and is_exercises), int(name == chapter.file), own * is_exercises


def chosen(found: list[Submission]) -> Submission:
    """The first, with a remark about the others."""
    first, *others = found
    if not others:
        return first
    ignored = ", ".join(one.label for one in others[:3]) + (" and more" if len(others) > 3 else "")
    return replace(first, remark=f"{len(found)} files for this chapter: {first.label} is graded, not {ignored}")


def is_lecture(cells: list[Cell], lecture: Sequence[Cell]) -> bool:
    """Whether a notebook is the lecture: no cell of the exercises, and most of the lecture's text."""
    texts = {source_of(cell).strip() for cell in lecture if cell.get("cell_type") == "markdown"}
    given = {source_of(cell).strip() for cell in cells}
    return bool(texts) and len(texts & given) > len(texts) / 2 and not any(map(grade_id, cells))


# --- the cells of a notebook --------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A code cell to run and, after it, the exercises to judge; a cell with an answer says of which exercise."""

    label: str
    source: str
    checks: tuple[str, ...] = ()
    answers: str = ""


@dataclass(frozen=True)
class Sheet:
    """A notebook ready to be run: its steps, its answers in words, and what was repaired."""

    steps: tuple[Step, ...]
    prose: dict[str, str]
    repairs: tuple[str, ...]


Cell = dict[str, Any]
GRADED = ("check-", "solution-", "prose-")


def read_cells(path: Path, member: str = "") -> list[Cell]:
    """The cells of a file, none when it cannot be read: grading it will say why."""
    try:
        return cells_of(Submission("", CHAPTERS["00"], path, member).read())
    except Exception:  # a broken zip file has many ways to be broken
        return []


def cells_of(content: bytes) -> list[Cell]:
    """The cells of a notebook, or an error that says why there are none."""
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise InputError("it is not a notebook: its text is not JSON") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise InputError("it is not a notebook: it has no list of cells")
    renumber(cells)
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
            steps.append((name, Step(f"code cell {number}", source_of(cell), answers=answered(name))))
    missing = [name for name in checks if name not in dict(steps)]
    for name in missing:
        steps.insert(place_after_solution(steps, name), (name, check_step(checks[name])))
    return Sheet(tuple(step for _, step in steps), prose_of(given, original), repairs(changed, missing))


def answered(name: str) -> str:
    """The exercise whose answer a cell of this name holds, or nothing."""
    found = re.match(r"solution-(\d\d)-(\d+)", name)
    return f"{found[1]}.{found[2]}" if found else ""


def prose_of(given: list[Cell], original: list[Cell]) -> dict[str, str]:
    """The answers in words: their cells, and what else was written in Markdown below the heading of the exercise."""
    names = {name: name[6:].replace("-", ".") for cell in original if (name := grade_id(cell)).startswith("prose-")}
    known = {source_of(cell).strip() for cell in original} | {"", PROSE_STUB}
    printed = {line.strip() for cell in original for line in source_of(cell).splitlines()}
    found: dict[str, list[str]] = {}
    section = ""
    for cell in given:
        text = source_of(cell).strip()
        if cell.get("cell_type") != "markdown":
            continue
        if heading := HEADING.search(text):
            section = heading[1]
        elif text in known and text.startswith("#"):
            section = ""
        id = names.get(grade_id(cell), section)
        own = "\n".join(line for line in text.splitlines() if line.strip() not in printed or not line.strip())
        if id in names.values() and text not in known and own.strip():
            found.setdefault(id, []).append(own.strip())
    return {id: "\n\n".join(texts) for id, texts in found.items()}


def place_after_solution(steps: list[tuple[str, Step]], check: str) -> int:
    """Where a missing check cell belongs: after the last solution cell of its exercise, else at the end."""
    mine = re.compile(rf"solution-{re.escape(check.removeprefix('check-'))}(-\d+)?$")
    return 1 + max((place for place, (name, _) in enumerate(steps) if mine.match(name)), default=len(steps) - 1)


def repairs(changed: list[str], missing: list[str]) -> tuple[str, ...]:
    """The restored checks, in words."""
    said = (f"{counted(len(names), 'check cell')} {how}, restored" for names, how in
            ((changed, "changed"), (missing, "missing")) if names)  # fmt: skip
    return tuple(said)
