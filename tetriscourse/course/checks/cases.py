"""Cases for judges, small ones first, so that the first that fails is a small counterexample."""

from __future__ import annotations

import numpy as np

from tetriscourse.draws import Draws
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.rules import Rules


def small_boards(seed: int, count: int = 60, full_rows: bool = False) -> list[Board]:
    """An empty board, boards of one to three cells, then larger and fuller ones; with full rows only when asked for."""
    return sorted((one_board(seed, number, full_rows) for number in range(count)), key=size)


def size(board: Board) -> tuple[int, int]:
    """What makes a counterexample large: its cells, then its full cells."""
    return board.width * board.height, int(board.full.sum())


def one_board(seed: int, number: int, full_rows: bool) -> Board:
    """The board of this number: cells at random below a random skyline."""
    draws = Draws(seed, number)
    width, height = 4 + min(number // 8, 6), 4 + min(number // 6, 8)
    if number < 4:
        cells = np.zeros((4, 4), bool)
        cells.flat[draws.below(16, number)] = True
    else:
        skyline = draws.below(height - 1, width)
        cells = (draws.uniform((height, width)) < 0.75) & (np.arange(height)[:, None] < skyline)
    full = cells.all(axis=1)
    cells[full, draws.below(width, int(full.sum()))] = False
    if full_rows and number % 2:
        cells[draws.below(height - 1, 1 + number % 3)] = True
    return Board(cells.astype(np.int8))


def small_moves(seed: int, count: int = 80) -> list[Move]:
    """Moves of all pieces on such boards, those on small boards first."""
    found: list[Move] = []
    for number, board in enumerate(small_boards(seed, count)):
        draws = Draws(seed, 10_000 + number)
        piece = list(PIECES.values())[int(draws.below(len(PIECES), 1)[0])]
        possible = moves(board, piece, Rules(board.width, board.height))
        if possible:
            found.append(possible[int(draws.below(len(possible), 1)[0])])
    return found
