"""The compiled loop over a list of games, whoever plays them.

A kind of player is a NamedTuple of what its kernel reads, and a kernel that plays one game with it:

    @plays(LinearTable)
    @fast
    def play_linear_game(table, row, seed, number, heights, signal): ...
        return lines, pieces, points, lost

`row` says which of the players in the table plays game `number` of the seed; -1: the one of the game before. `heights`
counts how high the pile is after each move; `signal` is a games.SIGNAL: the kernel adds its moves to `moves`, and
breaks off soon after `stop`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numba.extending import overload

from tetriscourse.simulator.compiling import OPTIONS, fast

KERNELS: dict[type, Any] = {}  # the kernel that plays a game, by the kind of table


class Numbered(NamedTuple):
    """The games of a list: seed, number of each, and who plays it."""

    seed: Any
    numbers: Any
    rows: Any


def plays(table: type) -> Callable[[Any], Any]:
    """Enter the kernel that plays a game with this kind of table."""

    def enter(kernel: Any) -> Any:
        KERNELS[table] = kernel
        return kernel

    return enter


def play_one(table: Any, row: Any, seed: Any, number: Any, heights: Any, signal: Any) -> Any:
    """Play a game with the kernel for this table: (lines, pieces, points, whether it was lost). Compiled code only."""


@overload(play_one, jit_options=OPTIONS)
def compile_play_one(table: Any, row: Any, seed: Any, number: Any, heights: Any, signal: Any) -> Any:
    """The call that numba compiles for a type of table."""
    kernel = KERNELS[table.instance_class]

    def call(table: Any, row: Any, seed: Any, number: Any, heights: Any, signal: Any) -> Any:
        return kernel(table, row, seed, number, heights, signal)

    return call


@fast
def play_games(table: Any, games: Any, results: Any, heights: Any, signal: Any) -> None:
    """Play a list of games until its end, or until asked to stop; a games.RESULT for each."""
    for t in range(len(games.numbers)):
        if signal[0].stop:
            break
        row = games.rows[t] if t == 0 or games.rows[t] != games.rows[t - 1] else -1
        lines, pieces, points, lost = play_one(table, row, games.seed, games.numbers[t], heights, signal)
        result = results[t]
        result.lines, result.pieces, result.points = lines, pieces, points
        result.lost, result.begun = lost, 1
        signal[0].ended += 1
