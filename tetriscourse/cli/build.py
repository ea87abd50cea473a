"""`tetriscourse build`: run the sources of the notebooks and write the notebooks."""

from __future__ import annotations

import argparse

from tetriscourse.cli.arguments import Parser

SUMMARY = "run the sources of the notebooks and write the notebooks (for authors)"
EXAMPLES = """\
  tetriscourse build                      every notebook of this clone, from the .py files beside them
  tetriscourse build 03                   one chapter: lecture, solutions, exercises
  tetriscourse build 03 04 panels         several"""


def add_options(parser: Parser) -> None:
    parser.chapters("build")


def run(options: argparse.Namespace) -> int:
    """Build the chapters that are named, or all."""
    from tetriscourse.course.chapters import chosen_stems
    from tetriscourse.teaching.building import build, clone_with_sources

    top = clone_with_sources()
    for path in build(top, chosen_stems(options.chapters)):
        print(f"built {path.relative_to(top)}", flush=True)
    return 0
