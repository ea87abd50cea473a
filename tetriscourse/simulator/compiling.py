"""Compiling: how kernels are declared, and where the compiled code is kept between sessions."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

PACKAGE = Path(__file__).parents[1]


@cache
def cache_folder() -> Path | None:
    """A folder for compiled code that belongs to exactly these sources; None if nothing can be written.

    numba notices a change in the file of a kernel, but not in the files that it imports, and would then
    run old code. So the name of the folder is made from all of them.
    """
    sources = [*sorted((PACKAGE / "simulator").glob("*.py")), PACKAGE / "game/pieces.py", PACKAGE / "game/random.py"]
    text = b"".join(source.read_bytes() for source in sources) + numba.__version__.encode()
    name = "tetriscourse-" + hashlib.sha256(text).hexdigest()[:16]
    for parent in (os.environ.get("NUMBA_CACHE_DIR"), user_cache(), tempfile.gettempdir()):
        if parent and writable(Path(parent) / name):
            return Path(parent) / name
    return None


def user_cache() -> Path | None:
    """Where this system keeps caches of the present user; None without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def njit(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """numba's njit without the global lock of Python and without reference counts, kept in our folder.

    A reference count would stop the processor for a moment at each call. Without them a kernel makes no
    arrays; it works in those that it is given.
    """

    def compile_later(function: Callable[..., Any]) -> Callable[..., Any]:
        before, folder = numba.config.CACHE_DIR, cache_folder()
        numba.config.CACHE_DIR = str(folder or "")
        try:
            kept = folder is not None and "inline" not in options
            compiled: Callable[..., Any] = numba.njit(nogil=True, _nrt=False, cache=kept, **options)(function)
            return compiled
        finally:
            numba.config.CACHE_DIR = before

    return compile_later


fast = njit()
"""A function that is compiled by itself: numba optimises it anew for each caller, so use it for large ones."""

inlined = njit(inline="always")
"""A small function that becomes part of its callers."""
