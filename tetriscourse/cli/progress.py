"""`tetriscourse progress`: which exercises a student has done so far."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tetriscourse.cli.arguments import Parser
from tetriscourse.cli.output import say
from tetriscourse.errors import InputError

SUMMARY = "show which exercises you have done"
EXAMPLES = """\
  tetriscourse progress                   every chapter: exercises done, tried and still to do
  tetriscourse progress --json            one JSON object, for a script
  tetriscourse progress --forget          start again from scratch"""


def add_options(parser: Parser) -> None:
    parser.switch("--json", "print one JSON object")
    parser.switch("--forget", "delete your progress and exit")


def run(options: argparse.Namespace) -> int:
    """Show the progress, or delete it."""
    from tetriscourse.course.progress import progress, progress_file

    path = progress_file()
    if options.forget:
        forget(path)
        return 0
    found = progress()
    print(json.dumps(found.as_data()) if options.json else found)
    if path is not None and path.exists() and not found.entries:
        say(f"{path} cannot be understood, so everything counts as still to do")
    return 0


def forget(path: Path | None) -> None:
    """Delete the file."""
    if path is None or not path.exists():
        say("there is no progress to forget")
        return
    try:
        path.unlink()
    except OSError as error:
        raise InputError(f"{path} cannot be deleted: {error.strerror}") from None
    say(f"forgotten: {path} is deleted")
