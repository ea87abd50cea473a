"""Judges of chapter 01: data structures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import game_boards, placed_shapes, small_boards, small_shapes
from tetriscourse.course.differences import Function, first_difference
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import (
    NotAttempted,
    Outcome,
    Right,
    Wrong,
    climbed,
    clipped,
    expected,
    is_missing,
    nothing_yet,
)
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.pieces import Cell
from tetriscourse.random_numbers import Draws

RUNGS, BOARDS = (16, 12, 10.5), 126
"""Bytes that a board of 10 columns and 20 rows may take on average, and over how many boards; plain bits take 25. With
seeds 1 to 6 bits without the empty sky take 13.1 or 13.2, heights and the places of holes 10.7 to 11.2, a chance for
each cell 9.5 to 9.9: `python tests/benchmarks/check_bars.py 01.6`."""
CROWDED, FEWEST = 30, 3
"""Boards with this many full cells are too many to be told apart by fewer bytes on average: 40 cells, 3 of 4 full,
have 32 bits of information. The number of a board in a list that somebody keeps takes one byte."""


def as_array(cells: Iterable[Cell]) -> np.ndarray[Any, Any]:
    """Cells as an array that a verdict can draw."""
    grid = np.zeros((4, 4), np.int8)
    grid[tuple(np.transpose(list(cells)))] = 1
    return grid


def listed_cells(answer: Function, cells: frozenset[Cell]) -> Any:
    """The answer's cells as a sorted list, so that sets and arrays compare and read well."""
    found = answer(cells)
    if not isinstance(found, set | frozenset | list | tuple | np.ndarray):
        return found
    return sorted(tuple(int(number) for number in cell) for cell in found)


@exercise("01.1", "Mirror images", answers="mirrored", points=1)
def mirror_images(mirrored: Function, *, seed: int) -> Outcome:
    """Right when every shape comes out with its columns in reverse order."""

    def truth(cells: frozenset[Cell]) -> list[Cell]:
        widest = max(c for _, c in cells)
        return sorted((r, widest - c) for r, c in cells)

    cases = [(cells,) for cells in small_shapes()]
    return first_difference(mirrored, truth, cases, ask=listed_cells, show=lambda cells: [as_array(cells)])


def colleague(rows: list[int], width: int) -> list[int]:
    """The colleague's way of clearing rows, which removes from a list while looping over it."""
    for row in rows:
        if row == 2**width - 1:
            rows.remove(row)
            rows.append(0)
    return rows


def fails_on(board: Board) -> bool:
    """Whether the colleague gets this board wrong."""
    rows = [sum(1 << column for column in np.flatnonzero(row).tolist()) for row in board.full]
    kept = [row for row in rows if row != 2**board.width - 1]
    return colleague(list(rows), board.width) != kept + [0] * (len(rows) - len(kept))


@exercise("01.2", "A colleague's mistake", answers="culprit", points=1)
def colleagues_mistake(culprit: Any, *, seed: int) -> Outcome:
    """Right for a drawing of four columns and at most four rows that fails with as few full cells as possible."""
    if not isinstance(culprit, str):
        return expected('a drawing, such as `"X..X\\nXXXX"`', culprit)
    try:
        board = Board.from_text(culprit.replace("/", "\n"), height=4)
    except InputError as error:
        return Wrong(f"That is not a drawing of a board: {error}.")
    if board.width != 4:
        return Wrong(f"A board of 4 columns was asked for; this one has {board.width}.", [board])
    if not fails_on(board):
        return Wrong("On this board `colleague` does the right thing.", [board])
    if board.full.sum() > 8:
        return Wrong("Well spotted: `colleague` fails here. But fewer full cells are enough.", [board])
    return Right()


def moved_sideways(piece: int, width: int, step: int) -> int:
    """The piece one column further, cell by cell."""
    board = as_board(piece, width)
    cells = [(int(r), int(c) + step) for r, c in np.argwhere(board.full)]
    free = all(0 <= c < width for _, c in cells)
    return sum(1 << r * width + c for r, c in cells) if free else piece


def as_board(piece: int, width: int) -> Board:
    """The board of a piece's number, just high enough."""
    return Board.from_bits(piece, width, max(4, -(-piece.bit_length() // width)))


@exercise("01.3", "Walls for bits", answers="sideways", points=2)
def walls_for_bits(sideways: Function, *, seed: int) -> Outcome:
    """Right when pieces move by one column unless a wall is in the way."""
    cases = [(board.bits, board.width, step) for board in placed_shapes(seed) for step in (1, -1)]

    def show(piece: int, width: int, step: int) -> list[Any]:
        return [as_board(piece, width), f"`sideways({piece}, width={width}, step={step})`"]

    return first_difference(sideways, moved_sideways, cases, show=show)


def count_lids(cells: Any) -> int:
    """Full cells with an empty one somewhere below them, counted one by one."""
    height, width = cells.shape
    return sum(bool(cells[r, c]) and not cells[:r, c].all() for r in range(height) for c in range(width))


@exercise("01.4", "Lids", answers="lids", points=2)
def lids_of_holes(lids: Function, *, seed: int) -> Outcome:
    """Right when it counts every full cell above an empty one, each once."""
    return first_difference(lids, count_lids, [(board.full,) for board in small_boards(seed)])


prose("01.5", "Choose an encoding", points=2)


def encoded(encode: Function, boards: list[Board]) -> list[bytes] | Wrong | NotAttempted:
    """The bytes of each board."""
    found: list[bytes] = []
    for board in boards:
        try:
            data = encode(board.full.copy())
        except Exception as error:
            return stopped(error, board)
        if is_missing(data):
            return nothing_yet("encode")
        if not isinstance(data, bytes | bytearray):
            return Wrong(f"`encode` gives {clipped(data)} for this board; bytes were asked for.", [board])
        found.append(bytes(data))
    return found


def stopped(error: Exception, board: Board) -> Wrong:
    """The outcome when an answer raises an error."""
    return Wrong(f"For this board there is {type(error).__name__}: {error}", [board])


def decoded(decode: Function, data: bytes, board: Board) -> Outcome | None:
    """The outcome when a board does not come back as it was."""
    try:
        back = decode(data, board.width, board.height)
    except Exception as error:
        return stopped(error, board)
    if is_missing(back):
        return nothing_yet("decode")
    said = f"This board became `{data!r}`, and that did not become this board again"
    try:
        cells = np.asarray(back, bool)
    except (TypeError, ValueError):
        cells = np.zeros(0, bool)
    if cells.shape == board.full.shape:
        same = np.array_equal(cells, board.full)
        return None if same else Wrong(f"{said}, but the second one below.", [board, cells.astype(np.int8)])
    return Wrong(f"{said}, but {clipped(back)}; {board.height} rows of {board.width} cells were expected.", [board])


def remembers(encode: Function, boards: list[Board], data: list[bytes]) -> Wrong | None:
    """The outcome for an encoder whose bytes depend on what it was asked before."""
    for board, first in zip(boards[::-1], data[::-1], strict=True):
        again = encode(board.full.copy())
        if again != first:
            said = f"This board became `{first!r}` when it was first asked for, and `{again!r}` later"
            return Wrong(f"{said}. The bytes alone must hold the board: `encode` may not remember anything.", [board])
    return None


def too_few_bytes(boards: list[Board], data: list[bytes]) -> Wrong | None:
    """The outcome when the bytes are too few to tell these boards apart, so that they must be kept elsewhere."""
    sizes = [len(one) for one, board in zip(data, boards, strict=True) if board.full.sum() >= CROWDED]
    if not sizes or np.mean(sizes) >= FEWEST:
        return None
    return Wrong(
        f"{np.mean(sizes):.1f} bytes cannot tell one random board of {CROWDED} full cells or more from another: "
        "where is the rest kept? The bytes alone must hold the board."
    )


def first_lost(decode: Function, boards: list[Board], data: list[bytes], seed: int) -> Outcome | None:
    """The outcome for the smallest board that does not come back; they are decoded in random order."""
    shuffled = np.argsort(Draws(seed, 50_000).uniform(len(boards)))
    said = {int(k): decoded(decode, data[k], boards[k]) for k in shuffled}
    return next((said[k] for k in sorted(said) if said[k] is not None), None)


@exercise("01.6", "The smallest encoding", answers="encode decode", points=3, kind="open")
def smallest_encoding(encode: Function, decode: Function, *, seed: int) -> Outcome:
    """A ladder: all boards come back as they were, and those of a game take fewer and fewer bytes."""
    met = game_boards(seed, BOARDS)
    boards = [*small_boards(seed), *met]
    data = encoded(encode, boards)  # all of them before the first is decoded
    if isinstance(data, Wrong | NotAttempted):
        return data
    said = remembers(encode, boards, data) or first_lost(decode, boards, data, seed) or too_few_bytes(boards, data)
    if said is not None:
        return said
    sizes = [len(one) for one in data[-len(met) :]]
    mean, varied = float(np.mean(sizes)), min(sizes) < max(sizes)
    spread = f" ({min(sizes)} to {max(sizes)})" if varied else ""
    measured = f"Every board comes back. Your encoding takes {mean:.1f} bytes a board on average{spread}"
    reached, missing = ([f"{most:g} bytes" for most in RUNGS if (mean <= most) is here] for here in (True, False))
    needs_most = [f"It needs most, {max(sizes)}, for this one:", met[int(np.argmax(sizes))]] if varied else []
    return climbed(f"{measured}, where plain bits take 25", reached, missing, needs_most)
