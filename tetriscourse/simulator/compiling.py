"""How compiled functions are declared, and where their machine code is kept between sessions."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    sources = [*sorted((PACKAGE / "simulator").rglob("*.py")), *sorted(PACKAGE.glob("mdp/*/*kernels.py"))]
    sources += [*sorted(PACKAGE.glob("gym/*kernels.py")), PACKAGE / "game/pieces.py", PACKAGE / "game/random.py"]
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
    """Whether files can be created in a folder, which is created if it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def has_cache() -> bool:
    """Whether compiled code is kept between sessions."""
    return cache_folder() is not None


@contextmanager
def our_folder() -> Iterator[None]:
    """Let numba use our folder, without changing what other packages do."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder() or "")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


OPTIONS = {"nogil": True, "_nrt": False}
"""Without the global lock of Python, and without numba's reference counts, each of which would stop the
processor for a moment. So a kernel makes no arrays; it works in those that it is given."""


def fast(function: Callable[..., Any]) -> Any:
    """A function that is compiled by itself; numba optimises it again for each caller."""
    with our_folder():
        return numba.njit(cache=has_cache(), **OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """A small function that becomes part of its callers."""
    return numba.njit(inline="always", **OPTIONS)(function)


def c_function(signature: Any, function: Callable[..., Any]) -> int:
    """Compile a function now and return its address, good as long as the process lives."""
    with our_folder():
        compiled = numba.cfunc(signature, cache=has_cache(), **OPTIONS)(function)
    _alive.append(compiled)
    return int(compiled.address)


_alive: list[Any] = []
