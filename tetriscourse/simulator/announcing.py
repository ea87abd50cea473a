"""Telling the user that the first run has to compile something."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_compiled: set[int | str] = set()
compiling_now: list[int | str] = []  # for callers that limit the time of something else


@contextmanager
def announced(
    features: int | str, what: str = "the simulator for these features", tell: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Compile inside this context; announce it if there is no machine code yet for these features, or of this name.

    tell: where to say it; None: on stderr.
    """
    from tetriscourse.simulator.compiling import cache_folder

    folder = cache_folder()
    marker = folder / f"compiled-{features}" if folder else None
    if features in _compiled or (marker and marker.exists()):
        yield
        return
    (tell or say)(f"Compiling {what}; this is done once and takes a few seconds ...")
    compiling_now.append(features)
    try:
        yield
    finally:
        compiling_now.remove(features)
    _compiled.add(features)
    if marker:
        marker.touch()


def say(message: str) -> None:
    """Write a line to stderr, which does not disturb results."""
    print(message, file=sys.stderr, flush=True)
