"""`tetriscourse grade`: run and judge what students handed in."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tetriscourse.cli.arguments import MOST_THREADS, Parser, number, whole
from tetriscourse.errors import InputError, real_number

SUMMARY = "run and judge what students handed in (for teachers)"
EXAMPLES = """\
  tetriscourse grade submitted                   one folder a student: writes grades.csv, grades.html and feedback/
  tetriscourse grade submitted --chapter 01 --chapter 02 --out week-3.csv
        only some chapters; every student has a row, and what was not handed in stays empty
  tetriscourse grade submitted --seconds 60 --memory 8   for slow answers: a minute a cell, 8 gigabytes a notebook
  tetriscourse grade submitted --jobs 8 --feedback for-students
  tetriscourse grade submitted --no-sandbox      without bubblewrap: only for submissions of people you trust"""


def add_options(parser: Parser) -> None:
    parser.add_argument("submissions", metavar="SUBMISSIONS", help="a folder with one folder or zip file a student")
    parser.option("--out FILE", "the table (default: grades.csv)", default="grades.csv")
    parser.option("--feedback DIR", "folder for a page for each student (default: feedback/ beside the table)")
    parser.option("--chapter NN", "grade only this chapter; may be repeated", action="append")
    limit = "time limit of a cell or check; ten times that for a notebook (default: 30)"
    parser.option("--seconds S", limit, number, 30.0)
    parser.option("--memory GB", "memory limit of a notebook (default: 4)", number, 4.0)
    parser.option("--jobs N", "notebooks at a time (default: 2)", whole(1, MOST_THREADS), 2)
    parser.switch("--no-sandbox", "do not use bubblewrap, even if it is installed")


def run(options: argparse.Namespace) -> int:
    """Grade what was handed in."""
    if os.name != "posix":
        raise InputError("grade needs Linux or macOS: processes cannot be limited here; on Windows, use WSL")
    from tetriscourse.course.chapters import chosen_chapters, course_files
    from tetriscourse.teaching.grading.sandbox import Limits
    from tetriscourse.teaching.grading.session import Course, Grading

    folder, out = Path(options.submissions), Path(options.out)
    if not folder.is_dir():
        raise InputError(f"SUBMISSIONS is '{folder}'; it must be a folder with one folder a student")
    if out.suffix != ".csv":
        raise InputError(f"--out is '{out}'; it must be a .csv file")
    feedback = Path(options.feedback) if options.feedback else out.parent / "feedback"
    seconds = real_number("--seconds", options.seconds, at_least=1)
    limits = Limits(seconds, int(real_number("--memory", options.memory, at_least=1) * 2**30))
    chapters = chosen_chapters(options.chapter or [], "--chapter")
    grading = Grading(folder, out, feedback, Course(course_files()), chapters, limits, not options.no_sandbox)
    return grading.everything(options.jobs)
