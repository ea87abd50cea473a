"""Features of your own, compiled: numba makes a C function of each, which the kernels call by its address.

Before the first use it is compared with the plain function on random boards. What numba cannot compile stays plain
Python, and `why_slow` says which line stands in the way.
"""

from __future__ import annotations

import ctypes
import inspect
import re
import threading
import warnings
from collections.abc import Iterator
from math import isfinite, nan
from pathlib import Path
from textwrap import shorten
from traceback import walk_tb
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import carray, types

from tetriscourse.errors import LONGEST, InputError, shown
from tetriscourse.features import Feature
from tetriscourse.game.board import Board
from tetriscourse.own_features import LARGEST, UNITS, OwnFeature, columns_of

NUMBERS = types.Array(types.int64, 1, "C", readonly=True)
SEEN = {
    "heights": NUMBERS, "columns": NUMBERS, "cells": types.Array(types.boolean, 2, "C", readonly=True),
    "width": types.int64, "height": types.int64, "lines": types.int64,
}  # fmt: skip
"""The types of what a feature can see, in the words of own_features.SEEN."""

C_TYPE = types.float64(*[types.voidptr] * 3, *[types.int64] * 4)
CALL = """
def call(heights_at, columns_at, cells_at, rows, width, height, lines):
    heights, columns = carray(heights_at, (width,), int64), carray(columns_at, (width,), int64)
    cells = carray(cells_at, (rows, width), bool_)
    try:
        return float64(function({}))
    except Exception:
        return nan
"""
"""The function that compiled code calls: it makes arrays of addresses, and nan of an error."""

SIZES = ((10, 20), (10, 10), (6, 8), (4, 4), (16, 28), (7, 13))
BOARDS_EACH = 40


class CompiledFeature(NamedTuple):
    """A feature that the simulator can compute."""

    address: int
    alive: Any  # the address is good as long as this is

    def on_board(self, board: Board, lines: int) -> float:
        """Its value; nan if it failed."""
        heights, columns, cells = (np.ascontiguousarray(one) for one in (board.heights, columns_of(board), board.full))
        places = (one.ctypes.data for one in (heights, columns, cells))
        return float(self.alive.ctypes(*map(ctypes.c_void_p, places), len(cells), board.width, board.height, lines))


class Refused(NamedTuple):
    """A feature that stays plain Python."""

    reason: str


_known: dict[Any, CompiledFeature | Refused] = {}
_lock = threading.Lock()


def compiled(feature: OwnFeature) -> CompiledFeature | Refused:
    """The compiled form of a feature, compared with the plain one; it is compiled when this is first asked."""
    key = fingerprint(feature.function)
    with _lock:
        if key not in _known:
            found = compiled_now(feature)
            if isinstance(found, CompiledFeature):
                compare(feature, found)
            _known[key] = found
        return _known[key]


def can_compile(feature: Feature) -> bool:
    """Whether this is a feature of your own that the simulator can compute."""
    return isinstance(feature, OwnFeature) and isinstance(compiled(feature), CompiledFeature)


def why_slow(feature: Feature) -> str:
    """Why a feature that is not compiled is not."""
    if not isinstance(feature, OwnFeature):
        return f"{feature.name} is a plain function; put @tc.feature above one of heights, columns or cells"
    found = compiled(feature)
    return found.reason if isinstance(found, Refused) else ""


def compiled_now(feature: OwnFeature) -> CompiledFeature | Refused:
    """Compile a feature."""
    if feature.sees == ("move",):
        return Refused(f"{feature.name} is a function of a move; take heights, columns or cells instead of move")
    # An index out of bounds is an error, and what is divided by zero infinite, as with numpy's numbers.
    options = {"nogil": True, "boundscheck": True, "error_model": "numpy"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", numba.NumbaWarning)
            function = numba.njit(tuple(SEEN[name] for name in feature.sees), **options)(feature.function)
            (result,) = (one.signature.return_type for one in function.overloads.values())
            if not isinstance(result, types.Integer | types.Float | types.Boolean):
                return Refused(f"{feature.name} cannot be compiled: it may return {result}, not always one number")
            names = {"function": function, "carray": carray, "nan": nan}
            names |= {"int64": np.int64, "float64": np.float64, "bool_": np.bool_}
            exec(CALL.format(", ".join(feature.sees)), names)
            callback = numba.cfunc(C_TYPE)(names["call"])
    except Exception as error:  # numba has many kinds, and its own mistakes among them
        return Refused(refusal(feature, error))
    return CompiledFeature(int(callback.address), callback)


def refusal(feature: OwnFeature, error: Exception) -> str:
    """Which line numba stumbled over, and what it said."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))  # without colours
    said = [line.strip(" -") for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    reason = shorten(said[0], LONGEST, placeholder=" ...") if said else type(error).__name__
    try:
        lines, first = inspect.getsourcelines(feature.function)
    except (OSError, TypeError):  # there is no source text
        return f"{feature.name} cannot be compiled ({reason})"
    file = Path(feature.function.__code__.co_filename).name
    places = [int(line) for path, line in re.findall(r'File "([^"]*)", line (\d+)', text) if Path(path).name == file]
    for line in (*reversed(places), *lines_on_the_way(error)):
        if first < line < first + len(lines):
            found = f"its line {line - first + 1}, `{lines[line - first].strip()}`"
            return f"{feature.name} cannot be compiled because of {found} ({reason})"
    return f"{feature.name} cannot be compiled ({reason})"


def lines_on_the_way(error: Exception) -> Iterator[int]:
    """The line numbers with which numba was busy when it failed, the innermost first."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    busy = [thing for frame in reversed(frames) for thing in frame.f_locals.values()]
    for thing in (error, *busy):
        line = getattr(getattr(thing, "loc", thing), "line", getattr(thing, "lineno", None))
        if isinstance(line, int):
            yield line


# --- the same function, the same values -----------------------------------------------------------


def fingerprint(function: Any) -> Any:
    """All that the compiled form depends on: the code, and the values of names from outside, which numba keeps."""
    outside = inspect.getclosurevars(function)
    values = {**outside.globals, **outside.nonlocals}
    return function.__code__, tuple((name, content(values[name])) for name in sorted(values))


def content(value: Any) -> Any:
    """Something that is equal for equal values, and can be looked up."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, ModuleType):
        return value.__name__
    value = getattr(value, "py_func", value)
    if isinstance(value, FunctionType):
        return value.__code__
    if isinstance(value, tuple | list):
        return type(value), tuple(map(content, value))
    return (type(value), value) if isinstance(value, int | float | complex | str | bytes) else id(value)


def compare(feature: OwnFeature, found: CompiledFeature) -> None:
    """Raise an error if the compiled form differs from the plain one on a random board."""
    for board, lines in random_boards():
        plain, fast = plain_value(feature, board, lines), found.on_board(board, lines)
        rounded = round(fast * UNITS) / UNITS if isfinite(fast) and abs(fast) <= LARGEST else None
        if plain != rounded:
            raise different(feature, board, plain, rounded)


def plain_value(feature: OwnFeature, board: Board, lines: int) -> float | None:
    """The value of the plain function; None if it fails."""
    try:
        with np.errstate(all="ignore"):
            return feature.on_board(board, lines)
    except Exception:
        return None


def different(feature: OwnFeature, board: Board, plain: float | None, fast: float | None) -> InputError:
    """The error about a feature with two values."""
    values = [f"gives {one:g}" if one is not None else "fails" for one in (plain, fast)]
    return InputError(
        f"feature {feature.name} {values[0]} in plain Python and {values[1]} compiled, on the board below; "
        f"both must agree\n{board}"
    )


def random_boards() -> Iterator[tuple[Board, int]]:
    """Boards of several sizes, the same each time: cells at random under a random skyline; and a number of lines."""
    rng = np.random.default_rng(13)
    for width, height in SIZES:
        for _ in range(BOARDS_EACH):
            cells = rng.random((height, width)) < rng.choice([0.3, 0.6, 0.9, 1.0])
            cells &= np.arange(height)[:, None] < rng.integers(0, rng.integers(1, height + 2), width)
            yield Board(np.where(cells & ~cells.all(axis=1, keepdims=True), 1, 0)), int(rng.integers(0, 5))


def failed(feature: OwnFeature, board: Board, lines: int) -> Exception:
    """The error of a feature that failed in a compiled game, from the plain function on the same board."""
    try:
        plain = feature.on_board(board, lines)
    except InputError as error:
        return error
    except Exception as error:
        said = f"{type(error).__name__}: {shown(str(error))}"
        return InputError(f"feature {feature.name} fails on the board below ({said})\n{board}")
    return different(feature, board, plain, None)
