"""The first start on a machine, which has to compile: it says so once, and the rest follows in the background."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_compiled: set[str] = set()
_started: list[subprocess.Popen[bytes]] = []
compiling_now: list[str] = []  # for callers that limit the time of something else

MESSAGE = "Compiling the simulator; this is done once on this machine and takes about a quarter of a minute ..."
BACKGROUND = "TETRISCOURSE_BACKGROUND"
"""Set to 0, this environment variable keeps the first start from compiling the rest in a process of its own."""


@contextmanager
def announced(what: str, tell: Callable[[str], None] | None = None) -> Iterator[None]:
    """Compile this part of the library inside the context; if nothing has been compiled on this machine yet, say so.

    tell: where to say it; None: on stderr.
    """
    if what in _compiled:
        yield
        return
    marker, first = first_start(), not _compiled
    first = first and not (marker and marker.exists())
    if first:
        (tell or say)(MESSAGE)
    compiling_now.append(what)
    try:
        yield
    finally:
        compiling_now.remove(what)
    _compiled.add(what)
    if first and marker:
        marker.touch()
        compile_the_rest()


def first_start() -> Path | None:
    """The file which tells that there has been a first start; None if compiled code is not kept."""
    from tetriscourse.simulator.compiling import cache_folder

    folder = cache_folder()
    return folder / "started" if folder else None


def compile_the_rest() -> None:
    """Have everything else compiled by another process, `tetriscourse prepare`, while this one goes on."""
    if os.environ.get(BACKGROUND) == "0":
        return
    command, nothing = [sys.executable, "-m", "tetriscourse.cli", "prepare", "--quiet"], subprocess.DEVNULL
    with suppress(OSError):  # without room for another process, each part is compiled when it is needed
        started = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
        _started.append(started)


def say(message: str) -> None:
    """Write a line to stderr, which does not disturb results."""
    print(message, file=sys.stderr, flush=True)
