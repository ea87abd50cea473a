"""Cases for judges, small ones first, so that the first that fails is a small counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tetriscourse.game.board import CODES, Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES, Cell, Piece, all_orientations
from tetriscourse.game.rules import Rules
from tetriscourse.players import PLAYERS
from tetriscourse.random_numbers import Draws, Ints

BLUNDERS, BOARDS_A_GAME = 0.2, 6
"""Of `game_boards`: the share of moves that are random, and how many boards are taken from a game."""

Bools = npt.NDArray[np.bool_]
T = TypeVar("T")


def picked(draws: Draws, things: Sequence[T]) -> T:
    """One of the things, at random."""
    return things[int(draws.below(len(things)))]


def picked_piece(draws: Draws) -> Piece:
    """One of the seven pieces, at random."""
    return picked(draws, list(PIECES.values()))


def filled(cells: Bools) -> Board:
    """The board with these cells full."""
    return Board(cells * np.int8(CODES["X"]))


def under(skyline: Ints, cells: Bools) -> Bools:
    """The cells that lie below a skyline."""
    below: Bools = np.arange(len(cells))[:, None] < skyline
    return cells & below


def small_boards(seed: int, count: int = 60, full_rows: bool = False) -> list[Board]:
    """An empty board, boards of one to three cells, then larger and fuller ones; full rows only on request."""
    return sorted((one_board(seed, number, full_rows) for number in range(count)), key=size)


def size(board: Board) -> tuple[int, int]:
    """The size of a counterexample: its cells, then its full cells."""
    return board.width * board.height, int(board.full.sum())


def one_board(seed: int, number: int, full_rows: bool) -> Board:
    """The board of this number: random cells below a random skyline."""
    draws = Draws(seed, number)
    width, height = 4 + min(number // 8, 6), 4 + min(number // 6, 8)
    if number < 4:
        cells = np.zeros((4, 4), bool)
        cells.flat[draws.below(16, number)] = True
    else:
        skyline = draws.below(height - 1, width)
        cells = under(skyline, draws.uniform((height, width)) < 0.75)
    full = cells.all(axis=1)
    cells[full, draws.below(width, int(full.sum()))] = False
    if full_rows and number % 2:
        cells[draws.below(height - 1, 1 + number % 3)] = True
    return filled(cells)


def small_moves(seed: int, count: int = 80) -> list[Move]:
    """Moves of all pieces on such boards, those on small boards first."""
    found: list[Move] = []
    for number, board in enumerate(small_boards(seed, count)):
        draws = Draws(seed, 10_000 + number)
        possible = moves(board, picked_piece(draws), Rules(board.width, board.height))
        if possible:
            found.append(picked(draws, possible))
    return found


def small_shapes() -> list[frozenset[Cell]]:
    """Every orientation of every piece as a set of cells, the domino's first."""
    shapes = sorted((len(one.cells), one.cells) for one in all_orientations())
    return [frozenset(cells) for _, cells in shapes]


def placed_shapes(seed: int, count: int = 60) -> list[Board]:
    """Empty boards with one piece somewhere, low or high, at a wall or not; small boards first."""
    found = []
    for number in range(count):
        draws = Draws(seed, 20_000 + number)
        shape = picked(draws, small_shapes())
        width, height = 4 + min(number // 10, 6), 4 + number // 20
        row = int(draws.below(height - max(r for r, _ in shape)))
        column = int(draws.below(width - max(c for _, c in shape)))
        found.append(Board.empty(width, height).with_cells((row + r, column + c) for r, c in shape))
    return sorted(found, key=lambda board: (*size(board), board.bits))


@cache
def game_boards(seed: int, count: int = 42, apart: int = 8, width: int = 10, height: int = 20) -> tuple[Board, ...]:
    """Boards from games of a fair player that blunders now and then: six from each game, some pieces apart."""
    found: list[Board] = []
    while len(found) < count:
        draws, board = Draws(seed, 30_000 + len(found)), Board.empty(width, height)
        for played in range(1, BOARDS_A_GAME * apart + 1):
            board = board_after(board, draws)
            found += [board] * (played % apart == 0)
    return tuple(found[:count])


def board_after(board: Board, draws: Draws) -> Board:
    """The board after another piece, usually placed well; a new board when the game is over."""
    piece = picked_piece(draws)
    careless = float(draws.uniform()) < BLUNDERS
    chosen = None if careless else PLAYERS["tetrisbot"].choose(board, piece)
    if chosen is None and (possible := moves(board, piece)):
        chosen = picked(draws, possible)
    return Board.empty(board.width, board.height) if chosen is None else chosen.after


def exponential_lines(draws: Draws, mean: float, games: int) -> Ints:
    """Scores of a good player, which follow the exponential law; at least one line each."""
    return 1 + np.floor(-mean * np.log(draws.uniform(games))).astype(np.int64)
