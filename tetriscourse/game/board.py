"""The board: which cells are full, as an array, as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, whole_number
from tetriscourse.game.pieces import Cell

MIN_SIZE, MAX_WIDTH, MAX_HEIGHT = 4, 16, 28
MARKS = ".IOTZSJLX"
"""How a cell is written: empty, the piece that filled it, or X when that is not known."""

COLOURS = ("#f4f4f4", "#56b4e9", "#f0e442", "#cc79a7", "#d55e00", "#009e73", "#0072b2", "#e69f00", "#7f7f7f")
"""Okabe and Ito's palette, safe for the colour-blind, in the order of MARKS."""


class Board:
    """Cells that are full or empty; row 0 is the bottom row. A board is never changed, only replaced.

    `cells` has one row for each row of the board, and more while a losing piece sticks out above it.
    A full cell holds the position in MARKS of the piece that filled it.
    """

    __slots__ = ("cells", "height", "width")

    def __init__(self, cells: npt.ArrayLike, height: int | None = None):
        array = np.array(cells, dtype=np.int8)
        if array.ndim != 2:
            raise InputError(f"cells has {array.ndim} dimensions; a board has rows and columns")
        if array.min(initial=0) < 0 or array.max(initial=0) >= len(MARKS):
            raise InputError(f"cells holds values outside 0 to {len(MARKS) - 1}")
        self.width = whole_number("width", array.shape[1], MIN_SIZE, MAX_WIDTH)
        self.height = whole_number("height", array.shape[0] if height is None else height, MIN_SIZE, MAX_HEIGHT)
        if len(array) < self.height:
            array = np.vstack([array, np.zeros((self.height - len(array), self.width), np.int8)])
        array.setflags(write=False)
        self.cells = array

    @classmethod
    def empty(cls, width: int = 10, height: int = 20) -> Board:
        """A board without any full cell."""
        whole_number("width", width, MIN_SIZE, MAX_WIDTH)
        whole_number("height", height, MIN_SIZE, MAX_HEIGHT)
        return cls(np.zeros((height, width), np.int8))

    @classmethod
    def from_text(cls, text: str, height: int | None = None) -> Board:
        """The board drawn with the top row first: X (or a piece's letter) full, . (or 0) empty."""
        rows = [line.strip() for line in text.strip().splitlines()]
        widths = sorted({len(row) for row in rows})
        if len(widths) > 1:
            raise InputError(f"text has rows of {' and '.join(map(str, widths))} cells; all must be equally long")
        strange = sorted(set("".join(rows)) - set(MARKS + "0#"))
        if strange:
            raise InputError(f"text contains {strange[0]!r}; a cell is one of {MARKS}")
        if height is not None and len(rows) > height:
            raise InputError(f"text has {len(rows)} rows; with height={height} at most {height} are allowed")
        marks = MARKS + "0#"
        codes = {mark: code for code, mark in enumerate(MARKS)} | {"0": 0, "#": marks.index("X")}
        return cls([[codes[mark] for mark in row] for row in reversed(rows)], len(rows) if height is None else height)

    @property
    def full(self) -> npt.NDArray[np.bool_]:
        """True where a cell is full."""
        return self.cells.astype(np.bool_)

    @property
    def heights(self) -> npt.NDArray[np.int64]:
        """Height of each column: the row of its highest full cell + 1, or 0."""
        full = self.full
        return np.where(full.any(axis=0), len(full) - full[::-1].argmax(axis=0), 0)

    def is_free(self, cells: Iterable[Cell]) -> bool:
        """Whether all the cells are empty, and inside the walls and the floor; above, all is empty."""
        for row, column in cells:
            if row < 0 or not 0 <= column < self.width:
                return False
            if row < len(self.cells) and self.cells[row, column]:
                return False
        return True

    def with_cells(self, cells: Iterable[Cell], mark: str = "X") -> Board:
        """The board with these cells filled too; it grows when they stick out above it."""
        cells = list(cells)
        grown = np.zeros((max(len(self.cells), 1 + max(row for row, _ in cells)), self.width), np.int8)
        grown[: len(self.cells)] = self.cells
        for row, column in cells:
            grown[row, column] = MARKS.index(mark if mark in MARKS else "X")
        return Board(grown, self.height)

    def full_rows(self) -> list[int]:
        """The rows without an empty cell, from the bottom."""
        return [int(row) for row in np.flatnonzero(self.full.all(axis=1))]

    def without_rows(self, rows: Iterable[int]) -> Board:
        """The board with these rows removed and everything above them moved down."""
        kept = np.delete(self.cells, list(rows), axis=0)
        # Rows above the board are kept only while a cell in them is full.
        used = int(np.flatnonzero(kept.any(axis=1)).max(initial=-1)) + 1
        return Board(kept[: max(used, min(self.height, len(kept)))], self.height)

    @property
    def overflows(self) -> bool:
        """Whether a full cell lies above the board."""
        return bool(self.cells[self.height :].any())

    def text(self, letters: bool = False) -> str:
        """The board as text, top row first; with letters, each cell names its piece."""
        marks = MARKS if letters else "." + "X" * (len(MARKS) - 1)
        return "\n".join("".join(marks[cell] for cell in row) for row in self.cells[::-1])

    def picture(self, cell: int = 18) -> str:
        """The board as a standalone SVG image with a text alternative."""
        rows, (wide, high) = len(self.cells), (self.width * cell, len(self.cells) * cell)
        squares = "".join(
            f'<rect x="{c * cell}" y="{(rows - 1 - r) * cell}" width="{cell - 1}" height="{cell - 1}" '
            f'fill="{COLOURS[self.cells[r, c]]}"/>'
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
