"""The board: which cells are full, as an array, as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.game.drawing import MARKS, square
from tetriscourse.game.pieces import Cell

MIN_SIZE, MAX_WIDTH, MAX_HEIGHT = 4, 16, 28
CODES = {mark: code for code, mark in enumerate(MARKS)} | {"0": 0, "#": MARKS.index("X")}
"""The number that a cell holds for each mark; 0 and # also draw empty and full."""

Codes = npt.NDArray[np.int8]
Array = TypeVar("Array", bound=npt.NDArray[Any])


def read_only(array: Array) -> Array:
    """The array, protected from changes."""
    array.setflags(write=False)
    return array


def checked_cells(cells: object) -> Codes:
    """A copy of the cells as an array of rows and columns."""
    try:
        array = np.array(cells)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"cells is {shown(cells)}; it must have equally long rows of whole numbers") from None
    if array.ndim != 2:
        raise InputError(f"cells has {array.ndim} dimensions; a board has rows and columns")
    strange = [cell for row in array.tolist() for cell in row if cell not in range(len(MARKS))]
    if strange:
        raise InputError(f"cells contains {shown(strange[0])}; each must be a whole number from 0 to {len(MARKS) - 1}")
    return array.astype(np.int8)


class Board:
    """Cells that are full or empty; row 0 is the bottom row. A board never changes: moves make new ones.

    `cells` has one row for each row of the board, and more while a losing piece sticks out above it.
    A full cell holds the position in MARKS of the piece that filled it.
    """

    def __init__(self, cells: npt.ArrayLike, height: int | None = None):
        array = checked_cells(cells)
        whole_number("width", array.shape[1], MIN_SIZE, MAX_WIDTH)
        self._keep(array, whole_number("height", len(array) if height is None else height, MIN_SIZE, MAX_HEIGHT))

    @classmethod
    def _trusted(cls, cells: Codes, height: int) -> Board:
        """A board of cells that come from another board and need no check."""
        board = cls.__new__(cls)
        board._keep(cells, height)
        return board

    def _keep(self, cells: Codes, height: int) -> None:
        """Keep these cells, filled up with empty rows on top."""
        self.width, self.height = cells.shape[1], height
        if len(cells) < height:
            cells = np.vstack([cells, np.zeros((height - len(cells), self.width), np.int8)])
        cells.setflags(write=False)
        self.cells = cells

    @classmethod
    def empty(cls, width: int = 10, height: int = 20) -> Board:
        """A board without full cells."""
        columns = whole_number("width", width, MIN_SIZE, MAX_WIDTH)
        return cls(np.zeros((whole_number("height", height, MIN_SIZE, MAX_HEIGHT), columns), np.int8))

    @classmethod
    def from_text(cls, text: str, height: int | None = None) -> Board:
        """The board in a drawing, top row first: X (or a piece's letter) full, . (or 0) empty."""
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"text is {shown(text)}; it must be a drawing of rows, such as 'X..X'")
        if height is not None:
            height = whole_number("height", height, MIN_SIZE, MAX_HEIGHT)
        rows = [line.strip() for line in text.strip().splitlines()]
        widths = sorted({len(row) for row in rows})
        if len(widths) > 1:
            raise InputError(f"text has rows of {' and '.join(map(str, widths))} cells; all must be equally long")
        strange = sorted(set("".join(rows)) - set(CODES))
        if strange:
            raise InputError(f"text contains {strange[0]!r}; a cell is one of {MARKS}")
        if height is not None and len(rows) > height:
            raise InputError(f"text has {len(rows)} rows; with height={height} at most {height} are allowed")
        return cls([[CODES[mark] for mark in row] for row in reversed(rows)], len(rows) if height is None else height)

    @classmethod
    def from_bits(cls, bits: int, width: int, height: int) -> Board:
        """The board with these `bits`."""
        cells = [[bits >> (row * width + column) & 1 for column in range(width)] for row in range(height)]
        return cls(np.array(cells, np.int8) * CODES["X"], height)

    @cached_property
    def full(self) -> npt.NDArray[np.bool_]:
        """True where a cell is full."""
        return read_only(self.cells.astype(np.bool_))

    @cached_property
    def heights(self) -> npt.NDArray[np.int64]:
        """Height of each column: the row of its highest full cell + 1, or 0."""
        full = self.full
        return read_only(np.where(full.any(axis=0), len(full) - full[::-1].argmax(axis=0), 0))

    @cached_property
    def bits(self) -> int:
        """The full cells as one whole number: bit row * width + column."""
        return sum(1 << place for place, full in enumerate(self.full.ravel().tolist()) if full)

    def is_free(self, cells: Iterable[Cell]) -> bool:
        """Whether all these cells are empty and within walls and floor; everything above the board is empty."""
        for row, column in cells:
            if row < 0 or not 0 <= column < self.width:
                return False
            if row < len(self.cells) and self.cells[row, column]:
                return False
        return True

    def with_cells(self, cells: Iterable[Cell], mark: str = "X") -> Board:
        """The board with these cells filled as well; it grows when they stick out at the top."""
        cells = list(cells)
        rows = max((1 + row for row, _ in cells), default=0)
        grown = np.zeros((max(len(self.cells), rows), self.width), np.int8)
        grown[: len(self.cells)] = self.cells
        for row, column in cells:
            grown[row, column] = CODES.get(mark) or CODES["X"]
        return Board._trusted(grown, self.height)

    def full_rows(self) -> list[int]:
        """The full rows, from the bottom."""
        full_rows: list[int] = np.flatnonzero(self.full.all(axis=1)).tolist()
        return full_rows

    def without_rows(self, rows: Iterable[int]) -> Board:
        """The board with these rows removed and everything above them moved down."""
        removed = list(rows)
        if not removed and len(self.cells) == self.height:
            return self
        kept = np.delete(self.cells, removed, axis=0)
        # Rows above the board are kept only while a cell in them is full.
        used = int(np.flatnonzero(kept.any(axis=1)).max(initial=-1)) + 1
        return Board._trusted(kept[: max(used, min(self.height, len(kept)))], self.height)

    @property
    def overflows(self) -> bool:
        """Whether a full cell lies above the board."""
        return bool(self.cells[self.height :].any())

    def text(self, letters: bool = False) -> str:
        """The board as text, top row first; with letters, each cell names its piece."""
        marks = MARKS if letters else "." + "X" * (len(MARKS) - 1)
        return "\n".join("".join(marks[cell] for cell in row) for row in self.cells[::-1])

    def picture(self, cell: int = 18) -> str:
        """The board as a standalone SVG image with alternative text."""
        rows, (wide, high) = len(self.cells), (self.width * cell, len(self.cells) * cell)
        squares = "".join(
            square(self.cells[r, c], c * cell, (rows - 1 - r) * cell, cell)
            for r in range(rows)
            for c in range(self.width)
        )
        described = f"Board of {self.width} columns and {self.height} rows; heights " + " ".join(
            str(height) for height in self.heights
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" role="img" '
            f'aria-label="{described}"><title>{described}</title>'
            f'<rect width="{wide}" height="{high}" fill="#cccccc"/>{squares}</svg>'
        )

    def _repr_svg_(self) -> str:
        return self.picture()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Board({self.width}x{self.height}, {int(self.full.sum())} cells, heights {self.heights.tolist()})"

    def __eq__(self, other: object) -> bool:
        """Boards are equal when the same cells are full, whichever pieces filled them."""
        return isinstance(other, Board) and self.height == other.height and np.array_equal(self.full, other.full)

    def __hash__(self) -> int:
        return hash((self.height, self.full.tobytes()))


def checked_board(given: object) -> Board:
    """The board, if it is one."""
    if not isinstance(given, Board):
        raise InputError(f"board is {shown(given)}; it must be a Board, such as Board.empty(10, 20)")
    return given
