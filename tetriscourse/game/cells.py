"""Cells of a board that mean something to a player: holes, the cells that cover them, wells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tetriscourse.game.board import Board

Bools = npt.NDArray[np.bool_]


def walled(board: Board) -> Bools:
    """The full cells with a full column on either side."""
    cells = np.ones((len(board.full), board.width + 2), np.bool_)
    cells[:, 1:-1] = board.full
    return cells


def hole_cells(board: Board) -> Bools:
    """True at empty cells with a full cell somewhere above in their column."""
    covered = np.logical_or.accumulate(board.full[::-1], axis=0)[::-1]
    return covered & ~board.full


def covering_cells(board: Board) -> Bools:
    """True at full cells with a hole somewhere below in their column."""
    return board.full & ~np.logical_and.accumulate(board.full, axis=0)


def well_cells(board: Board) -> Bools:
    """True at empty cells whose left and right neighbours are full."""
    full = walled(board)
    return full[:, :-2] & full[:, 2:] & ~full[:, 1:-1]


def empty_below(column: Bools, row: int) -> int:
    """Length of the run of empty cells from this row down."""
    run = 0
    while row - run >= 0 and not column[row - run]:
        run += 1
    return run
