"""`tetriscourse progress`: what a student has done so far, in the terminal."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.exercises import exercises
from tetriscourse.course.progress import Progress, progress, progress_file
from tetriscourse.errors import InputError


def run(options: argparse.Namespace) -> int:
    """Show what is kept, or delete it."""
    path = progress_file()
    if options.forget:
        return forget(path)
    found = progress()
    print(json.dumps(as_object(found)) if options.json else found)
    if path is not None and path.exists() and not found.entries:
        print(f"{path} says nothing that can be read, so everything is still to come", file=sys.stderr)
    return 0


def as_object(found: Progress) -> dict[str, object]:
    """The same for a script: the state of every exercise, and the points."""
    rows = found.rows()
    return {
        "points": sum(row[2] for row in rows),
        "of": sum(row[3] for row in rows),
        "exercises": {id: found.state(one) for number in CHAPTERS for id, one in exercises(number).items()},
    }


def forget(path: Path | None) -> int:
    """Delete the file."""
    if path is None or not path.exists():
        print("there was nothing to forget", file=sys.stderr)
        return 0
    try:
        path.unlink()
    except OSError as error:
        raise InputError(f"{path} cannot be deleted: {error.strerror}") from None
    print(f"forgotten: {path} is deleted", file=sys.stderr)
    return 0
