"""`tetriscourse lab`: find or make the folder to work in, and start JupyterLab on the first chapter."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tetriscourse.course import chapters
from tetriscourse.course.working_copy import MANIFEST, STEMS, bring_up_to_date
from tetriscourse.errors import InputError

DEFAULT = "tetriscourse-course"
"""Where a working copy goes when nothing is said."""

OF_A_CLONE = ("notebooks", "exercises", "solutions", "tests", "tetriscourse")


def run(options: argparse.Namespace) -> int:
    """Prepare the folder, and start JupyterLab on it unless told otherwise."""
    if find_spec("jupyterlab") is None and not options.no_start:
        raise InputError("jupyterlab is missing; install tetriscourse together with its dependencies")
    folder = course_folder(options.folder)
    if not is_clone(folder):
        for line in bring_up_to_date(folder).lines():
            print(line, file=sys.stderr)
    if options.no_start:
        print(f"the course is in {folder}", file=sys.stderr)
        return 0
    return start(folder, options)


def is_clone(folder: Path) -> bool:
    """Whether a folder is a clone of the repository."""
    return (folder / "notebooks").is_dir() and (folder / "tetriscourse" / "course").is_dir()


def course_folder(given: str | None) -> Path:
    """The folder to work in: the one given; else the working copy or clone around here; else the clone that this is
    run from; else a new working copy in the current folder."""
    if given is None:
        here = Path.cwd()
        around = (one for one in (here, *here.parents) if is_clone(one) or (one / MANIFEST).is_file())
        return next(around, chapters.CLONE if is_clone(chapters.CLONE) else here / DEFAULT)
    try:
        folder = Path(given).resolve()
        check_is_elsewhere(folder, given)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"DIR is '{given}'; it must be a folder that can be made ({error.strerror})") from None
    return folder


def check_is_elsewhere(folder: Path, given: str) -> None:
    """Refuse to copy the course over itself."""
    package = Path(chapters.__file__).resolve().parent.parent
    for one in (folder, *folder.parents):
        inside = folder != one and folder.relative_to(one).parts[0] in OF_A_CLONE
        if one == package or (is_clone(one) and (one == folder or inside)):
            raise InputError(f"DIR is '{given}'; it must be outside the course's own files (in a clone, leave it out)")


def first_page(folder: Path) -> list[str]:
    """What tells JupyterLab to open the first chapter that is there."""
    lectures = (f"notebooks/{stem}.ipynb" for stem in STEMS)
    there = [name for name in lectures if (folder / name).is_file()]
    return [f"--LabApp.default_url=/lab/tree/{name}" for name in there[:1]]


def environment() -> dict[str, str]:
    """The environment with the course's settings of JupyterLab behind the user's own.

    Panels are saved with their notebook: without that, a notebook that is opened again says that they are missing.
    """
    folders = [os.environ.get("JUPYTER_CONFIG_PATH"), str(Path(__file__).parent / "jupyter")]
    return os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders))}


def start(folder: Path, options: argparse.Namespace) -> int:
    """Start JupyterLab of this very environment, and stop it on Ctrl-C or when this process is ended."""
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", *first_page(folder)]
    command += [f"--ServerApp.port={options.port}"] if options.port else []
    command += ["--no-browser"] if options.no_browser else []
    # Jupyter refuses to run for root unless told; in a container there is often nobody else.
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    print(f"JupyterLab on {folder}; Ctrl-C stops it", file=sys.stderr, flush=True)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # or the server would be left behind
    server = subprocess.Popen([*command, *options.rest], cwd=folder, env=environment())
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)
