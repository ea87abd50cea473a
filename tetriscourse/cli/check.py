"""`tetriscourse check`: run lectures and solutions, and compare every output with the stored one."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tetriscourse.cli.arguments import Parser
from tetriscourse.errors import InputError

if TYPE_CHECKING:
    from tetriscourse.teaching.validation import ComparedNotebook

SUMMARY = "run the course and compare every output (for teachers)"
EXAMPLES = """\
  tetriscourse check                      run all lectures and solutions, and compare every output
  tetriscourse check 03                   one chapter
  tetriscourse check 00 04 panels         several"""


def add_options(parser: Parser) -> None:
    parser.chapters("check")


def run(options: argparse.Namespace) -> int:
    """Print a table of the chapters that are named, or of all; 1 if anything differs."""
    if find_spec("nbval") is None:
        raise InputError('nbval is missing; install it with pip install "tetriscourse[teach]"')
    from tetriscourse.course.chapters import CHAPTERS, chosen_stems, course_files
    from tetriscourse.teaching.validation import checked

    titles = {one.stem: f"{one.number} {one.title}" for one in CHAPTERS.values()}
    width = max(map(len, titles.values()))
    differences, stems = [], chosen_stems(options.chapters)
    print(f"{'chapter':{width}}{'lecture':>18}{'solutions':>18}{'right':>10}{'seconds':>10}", flush=True)
    for stem, found in checked(course_files(), stems):
        print(f"{titles.get(stem, stem):{width}}{row(found)}", flush=True)
        differences += [f"{one.folder}/{stem}.ipynb, {said}" for one in found.values() for said in one.differences]
    print("\n".join(["", *differences]) if differences else "everything is as it should be")
    return 1 if differences else 0


def row(found: dict[str, ComparedNotebook]) -> str:
    """A line of the table, after the title."""
    lecture, solved = (str(found.get(folder, "-")) for folder in ("notebooks", "solutions"))
    checks, right = (sum(getattr(one, name) for one in found.values()) for name in ("checks", "right"))
    verdicts = f"{right} of {checks}" if checks else "-"
    return f"{lecture:>18}{solved:>18}{verdicts:>10}{sum(one.seconds for one in found.values()):>10.0f}"
