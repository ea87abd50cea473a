"""From what happened to what it is worth: points by exercise, and flags for a teacher to look at."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tetriscourse.course.chapters import Chapter
from tetriscourse.course.exercises import Exercise
from tetriscourse.errors import counted
from tetriscourse.teaching.grading.submissions import Sheet, Student
from tetriscourse.teaching.grading.watch import Notes

UNUSUAL = re.compile(
    r"\b(_getframe|currentframe|f_back|f_locals|__globals__|__closure__|__code__|__subclasses__|get_objects|"
    r"get_referrers|ctypes|_exit|settrace|setprofile|addaudithook|_EXERCISES|course\.grading|course\.checks|__eq__|mock|"
    r"import_module|__import__|sys\.modules|threading|signal|logging|get_field|__traceback__|tb_frame)\b"
    r"|(getattr\((?![^,]+,\s*(?:\"\w+\"|'\w+')\s*[,)]))"
)
"""Names that no exercise needs, and that someone needs who wants to fool a judge; and attributes by computed names."""


LOOK = "LOOK AT THIS ONE"


@dataclass(frozen=True)
class Mark:
    """One exercise of one student: right, partly, wrong, open, unjudged or words; and why."""

    exercise: Exercise
    state: str
    text: str = ""
    shown: tuple[Any, ...] = ()
    some: int = 0  # points, if only some were given

    @property
    def points(self) -> int:
        """All points, some, or none."""
        part = min(self.some, self.exercise.points - 1)
        return {"right": self.exercise.points, "partly": part}.get(self.state, 0)


@dataclass
class Graded:
    """One notebook: its marks, what its cells ran into, and what a teacher should look at."""

    chapter: Chapter
    marks: list[Mark]
    flags: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    tampered: bool = False

    @property
    def unusual(self) -> bool:
        """Whether a teacher should read it although its points stand."""
        return not self.tampered and any(flag.startswith(("unusual", "refused")) for flag in self.flags)

    @property
    def noticed(self) -> list[str]:
        """The flags that are a student's business."""
        return [flag for flag in self.flags if not flag.startswith((LOOK, "unusual"))]

    @property
    def points(self) -> int:
        """Points that checks gave."""
        return sum(mark.points for mark in self.marks)

    @property
    def most(self) -> int:
        """Points that checks can give."""
        return sum(mark.exercise.points for mark in self.marks if not mark.exercise.is_prose)


@dataclass
class Report:
    """One student with all notebooks that have been graded, by chapter."""

    student: Student
    graded: dict[str, Graded] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """All points."""
        return sum(one.points for one in self.graded.values())

    @property
    def flags(self) -> list[str]:
        """All flags, each with its chapter, and what was not graded at all."""
        own = [f"{number}: {flag}" for number, one in sorted(self.graded.items()) for flag in one.flags]
        return own + [f"{number}: not graded: interrupted" for number in self.waiting] + self.left_over

    @property
    def waiting(self) -> list[str]:
        """The chapters that were handed in and not graded, or not yet."""
        return sorted(set(self.student.notebooks) - set(self.graded))

    @property
    def left_over(self) -> list[str]:
        """Files that were not graded, and why."""
        strange = [f"not graded: {clean(one, 200)}" for one in self.student.strange]
        said = first_few(strange, "not graded")
        return said if self.student.notebooks or self.graded else ["no notebook of the exercises", *said]


def first_few(texts: Sequence[str], what: str, most: int = 5) -> list[str]:
    """Not too many, and how many more."""
    more = len(texts) - most
    return [*texts[:most], *([f"{what}: {more} more"] if more > 0 else [])]


def clean(text: str, longest: int = 2000) -> str:
    """Text of unknown origin without what cannot be printed."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in text[:longest])
    return shown + (" ..." if len(text) > longest else "")


def unreadable(chapter: Chapter, exercises: dict[str, Exercise], reason: str) -> Graded:
    """The marks of a file that is not a notebook: none."""
    marks = [Mark(one, "words" if one.is_prose else "unjudged") for one in exercises.values()]
    return Graded(chapter, marks, [reason])


def marked(chapter: Chapter, exercises: dict[str, Exercise], sheet: Sheet, notes: Notes) -> Graded:
    """The marks of a notebook that was run."""
    marks = [mark_of(one, sheet, notes) for one in exercises.values()]
    found = Graded(chapter, marks, list(dict.fromkeys(flags_of(sheet, notes))))
    found.tampered = bool(notes.tampered)
    for number, kind, text in notes.errors:
        step = sheet.steps[number]
        first = next((line.strip() for line in step.source.splitlines() if line.strip()), "")
        found.errors.append(clean(f"{step.label} (`{first[:60]}`) {reason_of(kind, text)}", 300))
    found.errors = list(dict.fromkeys(found.errors))  # a notebook that is started again stops there again
    return found


def mark_of(exercise: Exercise, sheet: Sheet, notes: Notes) -> Mark:
    """The mark of one exercise."""
    if exercise.is_prose:
        return Mark(exercise, "words", clean(sheet.prose.get(exercise.id, ""), 20_000))
    if notes.tampered:
        text = "The checks were interfered with, so nothing was judged; a teacher will look."
        return Mark(exercise, "unjudged", text)
    found = notes.verdicts.get(exercise.id)
    if found is None:
        reason = notes.unfinished or "the notebook never got there"
        return Mark(exercise, "unjudged", f"It could not be judged: {reason}.")
    other = " (Your own check does not show this case: grading tries others, too.)" if found.get("other") else ""
    shown = tuple(clean(part) if isinstance(part, str) else part for part in found["shown"])
    if found["state"] == "open" and (trouble := trouble_of(exercise.id, sheet, notes)):
        return Mark(exercise, "wrong", f"Your answer's cell {trouble}, so that there is nothing to judge.")
    return Mark(exercise, found["state"], clean(found["text"]) + other, shown, int(found.get("points", 0)))


def trouble_of(id: str, sheet: Sheet, notes: Notes) -> str:
    """The failure in the cells that answer an exercise, or nothing."""
    mine = [number for number, step in enumerate(sheet.steps) if step.answers == id]
    said = [reason_of(kind, text) for number, kind, text in notes.errors if number in mine]
    said += ["takes too long" for at in notes.late if at in mine] + ["ends Python" for at in notes.ended if at in mine]
    return clean(said[0], 300) if said else ""


def reason_of(kind: str, text: str) -> str:
    """How a cell came to its end."""
    return "takes too long" if kind == "TooSlow" else f"stops with {kind}" + (f": {text}" if text else "")


def flags_of(sheet: Sheet, notes: Notes) -> Iterator[str]:
    """Flags for the teacher, in a few words each; only the first one changes points."""

    def where(at: int | str) -> str:
        return sheet.steps[at].label if isinstance(at, int) else "the check of " + at

    if notes.tampered:
        yield f"{LOOK}: it {clean(notes.tampered, 100)}; no points"
    yield from sheet.repairs
    late: list[int | str] = [*notes.late, *(number for number, kind, _ in notes.errors if kind == "TooSlow")]
    late += [id for id, one in notes.verdicts.items() if one.get("late") or "did not finish within" in one["text"]]
    full: list[int | str] = [number for number, kind, _ in notes.errors if kind == "MemoryError"]
    full += [id for id, one in notes.verdicts.items() if "MemoryError" in one["text"]]
    ended = [*notes.ended, *(id for id, one in notes.verdicts.items() if one.get("ended"))]
    for what, places in (("time limit", late), ("memory limit", full), ("ended Python", ended)):
        yield from (f"{what} in {where(at)}" for at in places)
    yield from first_few([f"refused: {clean(text, 100)}" for text in dict.fromkeys(notes.refused)], "refused")
    skipped = [f"left out while grading: {clean(text, 80)} in {where(at)}" for at, text in dict.fromkeys(notes.skipped)]
    yield from first_few(skipped, "left out")
    for step in sheet.steps:
        found = UNUSUAL.finditer("" if step.checks else step.source)
        names = list(dict.fromkeys(one[1] or "getattr with a computed name" for one in found))
        yield from [f"unusual: {', '.join(names)} in {step.label}"] if names else []
    if notes.unfinished:
        yield f"not finished: {notes.unfinished}"


def table(reports: Sequence[Report], chapters: dict[str, dict[str, Exercise]]) -> str:
    """A row a student, a column an exercise, as CSV; what was not handed in and what is words stays empty."""
    heading = ["student"]
    for number, exercises in chapters.items():
        heading += [f"{one.id} (words)" if one.is_prose else one.id for one in exercises.values()] + [f"{number} total"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*heading, "total", "flags"])
    writer.writerow(maximum_row(chapters))
    for report in reports:
        cells: list[str | int] = [plain_name(report.student.name)]
        for number, exercises in chapters.items():
            cells += row(report.graded.get(number), len(exercises))
        writer.writerow([*cells, report.points, "; ".join(report.flags)])
    return text.getvalue()


def maximum_row(chapters: dict[str, dict[str, Exercise]]) -> list[str | int]:
    """The points of everything; like those of students, the totals leave out answers in words."""
    cells: list[str | int] = ["maximum"]
    for exercises in chapters.values():
        cells += [one.points for one in exercises.values()] + [by_checks(exercises)]
    words = sum(one.points for many in chapters.values() for one in many.values() if one.is_prose)
    said = f"the totals are without the {counted(words, 'point')} for words" if words else ""
    return [*cells, sum(map(by_checks, chapters.values())), said]


def by_checks(exercises: dict[str, Exercise]) -> int:
    """Points that the checks of a chapter can give."""
    return sum(one.points for one in exercises.values() if not one.is_prose)


def row(graded: Graded | None, count: int) -> list[str | int]:
    """The points of a notebook and their sum, or as many empty cells."""
    if graded is None:
        return [""] * (count + 1)
    return [*("" if mark.exercise.is_prose else mark.points for mark in graded.marks), graded.points]


def plain_name(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return "'" + clean(name) if name[:1] in tuple("=+-@") else clean(name)
