"""A grading session: everything that was handed in, one process a notebook, to a table and pages to read."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path

from tetriscourse.course.chapters import Chapter
from tetriscourse.course.checking import SEED
from tetriscourse.course.exercises import Exercise
from tetriscourse.errors import InputError, counted
from tetriscourse.files import write_whole
from tetriscourse.teaching.grading.marks import Graded, Report, clean, marked, table, unreadable
from tetriscourse.teaching.grading.pages import overview, student_page
from tetriscourse.teaching.grading.runner import known_exercises
from tetriscourse.teaching.grading.sandbox import Limits, Walls, walls
from tetriscourse.teaching.grading.submissions import Cell, Sheet, Submission, cells_of, handed_in, is_lecture, sheet
from tetriscourse.teaching.grading.watch import Notes, Watch

SEEDS = (SEED, 60_413, 7_720_199)
"""The seed of the students' own checks first, so that they see the same counterexample; then two that they do not."""


@dataclass(frozen=True)
class Course:
    """Where the originals are, and what registers the exercises (by default the package does)."""

    files: Path
    judges: str | None = None

    def exercises(self, chapters: Sequence[Chapter]) -> dict[str, dict[str, Exercise]]:
        """By chapter, those that have a notebook of exercises."""
        there = [one.number for one in chapters if (self.files / "exercises" / one.file).is_file()]
        return {number: found for number in there if (found := known_exercises(number, self.judges))}

    def cells(self, chapter: Chapter) -> dict[str, list[Cell]]:
        """The originals of a chapter: its exercises and, where there is one, its lecture."""
        paths = {kind: self.files / folder / chapter.file for kind, folder in
                 (("exercises", "exercises"), ("lecture", "notebooks"))}  # fmt: skip
        return {kind: cells_of(path.read_bytes()) for kind, path in paths.items() if path.is_file()}


class Grading:
    """One run over a folder of submissions."""

    def __init__(
        self, folder: Path, out: Path, feedback: Path, course: Course, chapters: Sequence[Chapter],
        limits: Limits | None = None, sandboxed: bool = True,
    ):  # fmt: skip
        self.folder, self.out, self.feedback, self.course = folder, out, feedback, course
        self.limits, self.stop, self.notices = limits or Limits(), threading.Event(), list[str]()
        self.walls: Walls = walls([course.files / "solutions", folder, feedback], sandboxed)
        self.exercises = course.exercises(chapters)
        known = [one for one in chapters if one.number in self.exercises]
        if not known:
            raise InputError("there are no exercises to grade here; `tetriscourse build` makes exercises/ in a clone")
        self.originals = {one.number: course.cells(one) for one in known}
        students, self.strange = handed_in(folder, known, self.originals)
        self.reports = [Report(student) for student in students]
        if not students:
            hint = " (is it the folder of one student? Then give the folder above it)" if self.strange else ""
            raise InputError(f"SUBMISSIONS is '{folder}'; it holds no folder, zip file or notebook of a student{hint}")

    def everything(self, jobs: int = 2) -> int:
        """Rehearse, grade, write; what has been graded is kept when Ctrl-C ends it."""
        todo = [(report, one) for report in self.reports for one in report.student.notebooks.values()]
        handed = sorted({one.chapter.number for _, one in todo})
        self.exercises = {number: self.exercises[number] for number in handed}
        self.prepare_files()
        tell(self.walls.text)
        self.tell_strange()
        with tempfile.TemporaryDirectory(prefix="tetriscourse-", ignore_cleanup_errors=True) as warm:
            copy_compiled(Path(warm))
            try:
                for one in {one.chapter.number: one.chapter for _, one in todo}.values():
                    self.rehearse(one, warm)
                self.grade_all(todo, warm, jobs)
            except KeyboardInterrupt:
                self.stop.set()
                tell("interrupted; what has been graded is kept")
        self.write()
        done = counted(sum(len(one.graded) for one in self.reports), "notebook")
        print(f"{done} of {counted(len(self.reports), 'student')}: {self.out}, {self.summary} and {self.feedback}/")
        return 130 if self.stop.is_set() else 0

    def tell_strange(self) -> None:
        """Say what will not be graded, before anybody waits for it."""
        for name in self.strange:
            tell(f"not graded: {clean(name, 200)}, which is nobody's")
        for report in self.reports:
            if report.left_over:
                tell(f"{clean(report.student.name)}: {'; '.join(report.left_over)}")

    def grade_all(self, todo: list[tuple[Report, Submission]], warm: str, jobs: int) -> None:
        """Some notebooks at a time."""
        with ThreadPoolExecutor(jobs) as pool:
            work = {pool.submit(self.grade, one, warm): (report, one) for report, one in todo}
            try:
                for number, done in enumerate(as_completed(work), 1):
                    report, one = work[done]
                    graded = report.graded[one.chapter.number] = done.result()
                    said = "; ".join([f"{graded.points} of {counted(graded.most, 'point')}", *graded.flags])
                    tell(f"[{number}/{len(todo)}] {clean(one.student)} {one.chapter.number}: {said}")
                    self.write()
            except BaseException:
                self.stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def grade(self, submission: Submission, warm: str) -> Graded:
        """One notebook."""
        chapter, exercises = submission.chapter, self.exercises[submission.chapter.number]
        try:
            cells = cells_of(submission.read())
            given = self.sheet(chapter, cells)
        except Exception as error:  # a broken zip file has many ways to be broken; the others are graded all the same
            return unreadable(chapter, exercises, clean(f"{submission.name} cannot be read: {error}", 200))
        if is_lecture(cells, self.originals[chapter.number].get("lecture", [])):
            return unreadable(chapter, exercises, f"this is the lecture of chapter {chapter.number}, not its exercises")
        found = marked(chapter, exercises, given, self.watch(chapter, given).run(warm=warm))
        found.flags += [clean(submission.remark, 300)] if submission.remark else []
        return found

    def sheet(self, chapter: Chapter, cells: list[Cell]) -> Sheet:
        """A notebook with the original checks."""
        return sheet(cells, self.originals[chapter.number]["exercises"])

    def watch(self, chapter: Chapter, given: Sheet) -> Watch:
        """The process for a notebook."""
        job = {
            "chapter": chapter.number, "judges": self.course.judges, "seeds": SEEDS,
            "steps": [asdict(step) for step in given.steps],
        }  # fmt: skip
        return Watch(job, self.walls, self.limits, self.stop, list(self.exercises[chapter.number]))

    def rehearse(self, chapter: Chapter, warm: str) -> None:
        """Run the model solutions: this compiles once for all, and shows whether the checks work on this machine."""
        tell(f"rehearsing {chapter.number} {chapter.title}")
        model = self.course.files / "solutions" / chapter.file
        solved = model.is_file()
        cells = cells_of(model.read_bytes()) if solved else self.originals[chapter.number]["exercises"]
        watch = self.watch(chapter, self.sheet(chapter, cells))
        watch.limits = replace(self.limits, seconds=max(self.limits.seconds, 120.0))
        watch.left = watch.limits.total
        with tempfile.TemporaryFile() as watch.log:
            notes = watch.run(keep=warm)
            watch.log.seek(0)
            log = watch.log.read()[-4000:].decode("utf-8", "replace").strip()
        if "start" in (*notes.late, *notes.ended):
            raise InputError(not_started(chapter, log, self.limits))
        self.notice(chapter, notes, solved)

    def notice(self, chapter: Chapter, notes: Notes, solved: bool) -> None:
        """Say what does not work even for the model solutions."""
        judged = [one.id for one in self.exercises[chapter.number].values() if not one.is_prose]
        bad = [id for id in judged if solved and notes.verdicts.get(id, {}).get("state") != "right"]
        for id in bad:
            reason = notes.verdicts.get(id, {}).get("text") or notes.tampered or notes.unfinished or "it was not judged"
            said = f"The model solution of {id} does not pass here, so a student's may not either: {clean(reason, 200)}"
            self.notices.append(said)
            tell(self.notices[-1])

    @property
    def summary(self) -> Path:
        """The teacher's page, beside the table."""
        return self.out.with_suffix(".html")

    def prepare_files(self) -> None:
        """Make the folders; a table that is there already may hold points given by hand, so keep it."""
        for option, folder in (("--feedback", self.feedback), ("--out", self.out.parent)):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{option}: the folder '{folder}' cannot be made: {error.strerror}") from None
        if self.out.exists():
            names = (self.out.with_suffix(f".before{number or ''}.csv") for number in count())
            kept = next(path for path in names if not path.exists())
            self.out.replace(kept)
            tell(f"the table that was there is now {kept}")

    def write(self) -> None:
        """The table and all pages, as far as grading has come; at an untimely end everybody has a row all the same."""
        ready = [one for one in self.reports if self.stop.is_set() or not one.waiting]
        link = os.path.relpath(self.feedback, self.out.parent)
        text = overview(ready, self.exercises, self.walls.text, self.notices, self.strange, link)
        save(self.out, table(ready, self.exercises))
        save(self.summary, text)
        for report in ready:
            save(self.feedback / f"{clean(report.student.name)}.html", student_page(report))


def not_started(chapter: Chapter, log: str, limits: Limits) -> str:
    """Why not even the model solutions begin; memory is blamed only when it was the reason."""
    reason = log[-300:] or "no reason given"
    if any(sign in log for sign in ("MemoryError", "Cannot allocate memory", "failed to map segment", "bad_alloc")):
        memory = f"--memory is {limits.memory / 2**30:g}"
        return f"{memory}; with that, chapter {chapter.number} does not even start: {reason}"
    return f"chapter {chapter.number} does not start on this machine: {reason}"


def copy_compiled(folder: Path) -> None:
    """Begin with what this teacher's own course has compiled already."""
    from tetriscourse.simulator.compiling import cache_folder

    own = cache_folder()
    if own is not None:
        shutil.copytree(own, folder / own.name, dirs_exist_ok=True)


def save(path: Path, text: str) -> None:
    """Write a page or a table; names of students may hold what cannot be written."""
    write_whole(path, text.encode("utf-8", "replace"))


def tell(text: str) -> None:
    """A line about how things go."""
    print(text, file=sys.stderr, flush=True)
