"""A student's progress, kept in a small file."""

from __future__ import annotations

import contextlib
import html
import json
import os
from pathlib import Path
from typing import Any

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.exercises import Exercise, exercises
from tetriscourse.course.renumbering import new_id
from tetriscourse.files import write_whole

VARIABLE = "TETRISCOURSE_PROGRESS"
NUMBERING = "numbering"  # the entry that says how chapters are numbered in the others; without it, as at first
PRESENT_NUMBERING = 2
RANK = {"open": 0, "wrong": 1, "partly": 2, "right": 3}
SIGNS = {"right": "✓", "partly": "◐", "wrong": "✗", "open": "○", "words": "✎"}


def progress_file() -> Path | None:
    """The file that the environment names (none if it names nothing), by default one in the home folder."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    return Path.home() / ".tetriscourse" / "progress.json"


def stored_progress() -> dict[str, dict[str, Any]]:
    """Each exercise's best state, number of checks and, for some of its points, how many; as far as the file says."""
    path = progress_file()
    found: Any = {}
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path.read_text("utf-8")) if path else {}
    entries = found.items() if isinstance(found, dict) else ()
    is_old = bool(entries) and found.get(NUMBERING) != PRESENT_NUMBERING
    return {
        new_id(id) if is_old else id: {"state": entry["state"], "checks": whole(entry, "checks")}
        | ({"points": whole(entry, "points")} if entry["state"] == "partly" else {})
        for id, entry in entries
        if isinstance(entry, dict) and entry.get("state") in list(RANK)
    }


def whole(entry: dict[str, Any], name: str) -> int:
    """A number of an entry, 0 if it is none."""
    value = entry.get(name)
    return value if isinstance(value, int) and value >= 0 else 0


def remember(id: str, state: str, points: int = 0) -> None:
    """Record a check, and keep the best state and points; a file that cannot be written is no reason to stop."""
    path, entries = progress_file(), stored_progress()
    if path is None:
        return
    entry = entries.setdefault(id, {"state": "open", "checks": 0})
    entry["state"] = max(entry["state"], state, key=RANK.__getitem__)
    entry["checks"] += 1
    if entry["state"] == "partly":
        entry["points"] = max(whole(entry, "points"), points)
    else:
        entry.pop("points", None)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = {NUMBERING: PRESENT_NUMBERING, **dict(sorted(entries.items()))}
        write_whole(path, json.dumps(stored, indent=1).encode())


class CourseProgress:
    """Every chapter with its exercises: done, tried, still to do."""

    def __init__(self) -> None:
        self.entries = stored_progress()

    def state(self, exercise: Exercise) -> str:
        """right, partly, wrong, open, or words for prose."""
        return "words" if exercise.is_prose else str(self.entries.get(exercise.id, {}).get("state", "open"))

    def points(self, exercise: Exercise) -> int:
        """The points that checks of an exercise have given."""
        some = min(whole(self.entries.get(exercise.id, {}), "points"), exercise.points)
        return {"right": exercise.points, "partly": some}.get(self.state(exercise), 0)

    def rows(self) -> list[tuple[str, str, int, int]]:
        """The title of each chapter, a sign for each exercise, and the points reached and available by checks."""
        found = []
        for number, chapter in CHAPTERS.items():
            mine = exercises(number).values()
            reached = sum(self.points(one) for one in mine)
            most = sum(one.points for one in mine if not one.is_prose)
            found.append((f"{number} {chapter.title}", "".join(SIGNS[self.state(one)] for one in mine), reached, most))
        return found

    def as_data(self) -> dict[str, Any]:
        """The points, and the state of every exercise, for a script."""
        rows, states = self.rows(), {id: self.state(one) for id, one in exercises().items()}
        return {"points": sum(row[2] for row in rows), "of": sum(row[3] for row in rows), "exercises": states}

    @property
    def summary(self) -> str:
        """The total in a line."""
        found = self.as_data()
        signs = "✓ right, ◐ partly, ✗ tried, ○ to come"
        words = "✎ words: a teacher reads them, their points are not counted here"
        return f"{found['points']} of {found['of']} points. {signs}, {words}"

    def __str__(self) -> str:
        rows = self.rows()
        wide = max(len(row[0]) for row in rows)
        lines = [f"{title:{wide}}  {signs:8}  {reached:2} of {most:2} points" for title, signs, reached, most in rows]
        return "\n".join([*lines, self.summary])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        left = 'style="text-align:left"'
        body = "".join(
            f"<tr><td {left}>{html.escape(title)}</td><td {left}>{' '.join(signs)}</td>"
            f"<td>{reached} of {most}</td></tr>"
            for title, signs, reached, most in self.rows()
        )
        head = f"<tr><th {left}>chapter</th><th {left}>exercises</th><th>points</th></tr>"
        return f"<table>{head}{body}</table><p>{html.escape(self.summary)}</p>"


def progress() -> CourseProgress:
    """Your progress so far, chapter by chapter."""
    return CourseProgress()
