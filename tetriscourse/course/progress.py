"""What a student has done so far, in a small file."""

from __future__ import annotations

import contextlib
import html
import json
import os
from pathlib import Path
from typing import Any

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.exercises import Exercise, exercises
from tetriscourse.files import write_whole

VARIABLE = "TETRISCOURSE_PROGRESS"
RANK = {"open": 0, "wrong": 1, "right": 2}


def progress_file() -> Path | None:
    """The file: the one that the environment names (none when it names nothing), else one in the home folder."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    return Path.home() / ".tetriscourse" / "progress.json"


def kept() -> dict[str, dict[str, Any]]:
    """What the file says of each exercise: its best state and how often it was checked; what is broken is left out."""
    path = progress_file()
    found: Any = {}
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path.read_text("utf-8")) if path else {}
    entries = found.items() if isinstance(found, dict) else ()
    return {
        id: {"state": entry["state"], "checks": entry["checks"] if isinstance(entry.get("checks"), int) else 0}
        for id, entry in entries
        if isinstance(entry, dict) and entry.get("state") in list(RANK)
    }


def remember(id: str, state: str) -> None:
    """Keep the best state that an exercise has had; a file that cannot be written is no reason to stop."""
    path, entries = progress_file(), kept()
    if path is None:
        return
    entry = entries.setdefault(id, {"state": "open", "checks": 0})
    entry["state"] = max(entry["state"], state, key=RANK.__getitem__)
    entry["checks"] += 1
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(dict(sorted(entries.items())), indent=1).encode())


class Progress:
    """Every chapter with its exercises: done, tried, still to come."""

    def __init__(self) -> None:
        self.entries = kept()

    def state(self, exercise: Exercise) -> str:
        """right, wrong, open, or words for prose."""
        return "words" if exercise.is_prose else str(self.entries.get(exercise.id, {}).get("state", "open"))

    def chapter(self, number: str) -> tuple[str, int, int]:
        """A row of signs, one an exercise, and points reached and to be had by checks."""
        signs = {"right": "✓", "wrong": "✗", "open": "○", "words": "✎"}
        mine = exercises(number).values()
        reached = sum(one.points for one in mine if self.state(one) == "right")
        return "".join(signs[self.state(one)] for one in mine), reached, sum(e.points for e in mine if not e.is_prose)

    def rows(self) -> list[tuple[str, str, int, int]]:
        """For each chapter its title, signs, points reached, points to be had."""
        return [(f"{one.number} {one.title}", *self.chapter(one.number)) for one in CHAPTERS.values()]

    @property
    def summary(self) -> str:
        """The whole in a line."""
        rows = self.rows()
        reached, most = sum(row[2] for row in rows), sum(row[3] for row in rows)
        signs = "✓ right, ✗ tried, ○ to come, ✎ words: a teacher reads them, their points are not counted here"
        return f"{reached} of {most} points. {signs}"

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


def progress() -> Progress:
    """What has been done so far, chapter by chapter."""
    return Progress()
