"""`tetriscourse lab`: find or create the folder to work in, and start JupyterLab there."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from tetriscourse.cli.arguments import Parser, whole
from tetriscourse.cli.output import say
from tetriscourse.errors import InputError

SUMMARY = "start JupyterLab on the course"
EXAMPLES = """\
  tetriscourse lab                        the course of this clone, or a working copy in ./tetriscourse-course
  tetriscourse lab my-course              a working copy in a folder of your choice, created if it does not exist
        new chapters come in each time you start it; what you have written is never overwritten
  tetriscourse lab my-course --no-start   only create it or bring it up to date
  tetriscourse lab --no-browser --port 9999   on a machine without a screen: prints the address to open
  tetriscourse lab -- --ip=0.0.0.0        everything after -- goes to JupyterLab"""


def add_options(parser: Parser) -> None:
    parser.add_argument("folder", nargs="?", metavar="DIR", help="a folder of yours to work in")
    parser.option("--port P", "the server's port", whole(1, 65535))
    parser.switch("--no-browser", "print the address instead of opening it")
    parser.switch("--no-start", "create or update the working copy and exit")


def run(options: argparse.Namespace) -> int:
    """Prepare the folder, and start JupyterLab there unless told otherwise."""
    from tetriscourse.course import lab
    from tetriscourse.course.working_copy import bring_up_to_date

    if find_spec("jupyterlab") is None and not options.no_start:
        raise InputError("jupyterlab is missing; install tetriscourse together with its dependencies")
    folder = lab.course_folder(options.folder)
    if not lab.is_clone(folder):
        for line in bring_up_to_date(folder).lines():
            say(line)
    if options.no_start:
        say(f"the course is in {folder}")
        return 0
    port = [f"--ServerApp.port={options.port}"] if options.port else []
    browser = ["--no-browser"] if options.no_browser else []
    from tetriscourse.simulator.announcing import prepare_in_background

    prepare_in_background()
    say(f"JupyterLab in {folder}; Ctrl-C stops it")
    return lab.start(folder, [*port, *browser, *options.rest])
