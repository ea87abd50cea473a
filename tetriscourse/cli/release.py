"""`tetriscourse release`: write a hand-out for students, or a course tree for nbgrader."""

from __future__ import annotations

import argparse
from pathlib import Path

from tetriscourse.cli.arguments import Parser
from tetriscourse.cli.output import say
from tetriscourse.errors import counted, one_of

SUMMARY = "write a hand-out without solutions (for teachers)"
EXAMPLES = """\
  tetriscourse release hand-out                  lectures and exercises in a folder, without the solutions
  tetriscourse release hand-out 00 01 02         only some chapters
  tetriscourse release hand-out --as zip         as hand-out.zip
  tetriscourse release my-course --as nbgrader   for teachers only: a tree for nbgrader, with the solutions"""

FORMS = ("folder", "zip", "nbgrader")


def add_options(parser: Parser) -> None:
    parser.add_argument("folder", metavar="DIR", help="where it goes: a new or empty folder, or an earlier release")
    parser.chapters("release")
    parser.option("--as FORM", "folder (default), zip or nbgrader", default="folder", dest="form")


def run(options: argparse.Namespace) -> int:
    """Write the release and say what is in it."""
    from tetriscourse.course.chapters import chosen_stems, course_files
    from tetriscourse.teaching import releasing

    form, top, folder = one_of("--as", options.form, FORMS), course_files(), Path(options.folder)
    stems = chosen_stems(options.chapters)
    if form == "nbgrader":
        files = releasing.nbgrader_tree(top, stems)
        for line in releasing.release_nbgrader(folder, files):
            say(line)
        assignments = counted(len(files) - 2, "assignment")
        print(f"{folder}: {assignments} with solutions, for teachers only; see README.md there")
        return 0
    files, only = releasing.hand_out(top, stems), stems if options.chapters else None
    if form == "zip":
        folder = releasing.release_zip(folder, files, only)
    else:
        for line in releasing.release_folder(folder, files, only):
            say(line)
    lectures, exercises = (sum(name.startswith(kind) for name in files) for kind in ("notebooks/", "exercises/"))
    print(f"{folder}: {counted(lectures, 'lecture')} and {counted(exercises, 'exercise notebook')}, no solutions")
    print("its README.md tells students how to start and what to hand in; `tetriscourse grade` takes what comes back")
    return 0
