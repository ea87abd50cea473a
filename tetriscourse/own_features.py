"""Features of your own: `@feature` makes one of a function, whose parameters say what it sees of the board.

    @tc.feature
    def highest_step(heights):
        "The largest difference between neighbouring columns."
        return abs(np.diff(heights)).max()

From then on its name is good wherever a feature is named. A function of arrays and numbers is compiled by the simulator
(simulator/own_features.py); a function of a whole `move` is not.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.features import FEATURES, OWN_FEATURES, Feature, Value
from tetriscourse.game.board import Board, read_only
from tetriscourse.game.moves import Move

UNITS = 1024
"""Values are multiples of 1/1024, and weights are whole numbers (players.fixed_point): so a weighted sum is exact in
any order of its terms, and compiled code makes the same choices as plain Python."""
LARGEST = 100_000  # so that no such sum needs more than the 53 bits of a float
KINDS = int | float | np.number | np.bool_


def columns_of(board: Board) -> npt.NDArray[np.int64]:
    """The full cells of each column as bits of a whole number, bit 0 at the bottom."""
    return read_only((board.full.T * (1 << np.arange(len(board.full)))).sum(axis=1))


SEEN: dict[str, Callable[[Board, int], Any]] = {
    "heights": lambda board, lines: board.heights,
    "columns": lambda board, lines: columns_of(board),
    "cells": lambda board, lines: board.full,
    "width": lambda board, lines: board.width,
    "height": lambda board, lines: board.height,
    "lines": lambda board, lines: lines,
}
"""Everything a feature can see, by the name of a parameter: the board after the move, and the rows it cleared.

`heights` and `columns` have a number for each column; `cells[row, column]` is True where a cell is full, row 0 at the
bottom, and has more than `height` rows while a losing piece sticks out above the board. The arrays cannot be changed.
"""


@dataclass(frozen=True, repr=False, kw_only=True)
class OwnFeature(Feature):
    """A feature made by `@feature`."""

    sees: tuple[str, ...]  # the parameters of its function: names of SEEN, or only 'move'

    def on_board(self, board: Board, lines: int) -> float:
        """Its value on the board after a move that cleared some lines."""
        return self.checked(self.function(*(SEEN[name](board, lines) for name in self.sees)))

    def checked(self, value: object) -> float:
        """The value rounded to a multiple of 1/1024, if it is one number and not too large."""
        number = float(value) if isinstance(value, KINDS) and not isinstance(value, np.complexfloating) else inf
        if not abs(number) <= LARGEST:
            allowed = f"it must be one number, at most {LARGEST:,} in size"
            raise InputError(f"feature {self.name} gave {shown(value)} for a move; {allowed}")
        units = round(number * UNITS)
        return units // UNITS if units % UNITS == 0 else units / UNITS

    def __call__(self, move: Move) -> Value:
        if self.sees == ("move",):
            return self.checked(self.function(move))
        return self.on_board(move.after, move.rows)


@overload
def feature(function: Callable[..., Any]) -> OwnFeature: ...


@overload
def feature(*, better: int = -1, symbol: str = "") -> Callable[[Callable[..., Any]], OwnFeature]: ...


def feature(function: Callable[..., Any] | None = None, *, better: int = -1, symbol: str = "") -> Any:
    """Make a feature of a function and enter it by name; one of the same name that was there before is replaced.

    Its parameters are some of `heights`, `columns`, `cells`, `width`, `height` and `lines`; or one, a `move`.
    better: +1 if more of it is better, -1 if less is, 0 if it makes no difference; symbol: what panels call it.
    """
    if function is None:
        return lambda function: entered(function, better, symbol)
    return entered(function, better, symbol)


def entered(function: Callable[..., Any], better: int, symbol: str) -> OwnFeature:
    """The feature that a function defines, now known by its name."""
    if not inspect.isfunction(function):
        raise InputError(f"feature is {shown(function)}; it must be a function, as in @feature def mine(heights): ...")
    if better not in (-1, 0, 1):
        raise InputError(f"better is {shown(better)}; it must be +1, -1 or 0")
    name, describe = function.__name__, " ".join((function.__doc__ or "").split())
    if name in FEATURES:
        raise InputError(f"feature is called {name}, as one of the catalogue; it must have a name of its own")
    # Its name now belongs to the feature; pickle, which sends features to other processes, finds the function there.
    function.__qualname__ += ".function"
    found = OwnFeature(name, symbol or name, describe, function, better=better, sees=parameters(function))
    OWN_FEATURES[name] = found
    return found


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, if all of them are something that a feature can see."""
    names = tuple(inspect.signature(function).parameters)
    if names == ("move",):
        return names
    if not names:
        raise InputError(f"feature {function.__name__} has no parameters; it must have some of {', '.join(SEEN)}")
    return tuple(one_of(f"a parameter of feature {function.__name__}", name, SEEN) for name in names)
