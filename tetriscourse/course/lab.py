"""JupyterLab for the course: the folder to work in, and the server on its first chapter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tetriscourse.course import chapters
from tetriscourse.course.working_copy import MANIFEST
from tetriscourse.errors import InputError

DEFAULT = "tetriscourse-course"  # where a working copy goes by default
OF_A_CLONE = ("notebooks", "exercises", "solutions", "tests", "tetriscourse")


def is_clone(folder: Path) -> bool:
    """Whether a folder is a clone of the repository."""
    return (folder / "notebooks").is_dir() and (folder / "tetriscourse" / "course").is_dir()


def course_folder(given: str | None) -> Path:
    """The given folder; else the working copy or clone around the current folder; else the clone that this runs from;
    else a new working copy in the current folder."""
    if given is None:
        here = Path.cwd()
        around = (one for one in (here, *here.parents) if is_clone(one) or (one / MANIFEST).is_file())
        return next(around, chapters.CLONE if is_clone(chapters.CLONE) else here / DEFAULT)
    try:
        folder = Path(given).resolve()
        check_is_elsewhere(folder, given)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"DIR is '{given}'; it must be a folder that can be created ({error.strerror})") from None
    return folder


def check_is_elsewhere(folder: Path, given: str) -> None:
    """Refuse to copy the course over itself."""
    package = Path(chapters.__file__).resolve().parent.parent
    for one in (folder, *folder.parents):
        inside = folder != one and folder.relative_to(one).parts[0] in OF_A_CLONE
        if one == package or (is_clone(one) and (one == folder or inside)):
            raise InputError(f"DIR is '{given}'; it must be outside the course's own files (in a clone, leave it out)")


def first_page(folder: Path) -> list[str]:
    """The option that opens the first chapter in the folder."""
    lectures = (f"notebooks/{stem}.ipynb" for stem in chapters.STEMS.values())
    there = [name for name in lectures if (folder / name).is_file()]
    return [f"--LabApp.default_url=/lab/tree/{name}" for name in there[:1]]


def environment() -> dict[str, str]:
    """The environment variables, with the course's JupyterLab settings after the user's own.

    The settings save panels with their notebook: otherwise a notebook that is reopened says that they are missing.
    """
    folders = [os.environ.get("JUPYTER_CONFIG_PATH"), str(Path(__file__).parent / "jupyter")]
    return os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders))}


def start(folder: Path, options: Sequence[str] = ()) -> int:
    """Run JupyterLab from this environment until it ends, or Ctrl-C or SIGTERM ends this process."""
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", *first_page(folder)]
    # Jupyter refuses to run as root unless told; in a container there is often nobody else.
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # or the server would be left behind
    server = subprocess.Popen([*command, *options], cwd=folder, env=environment())
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        server.wait()
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)
