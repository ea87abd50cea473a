"""Pieces: the seven tetrominoes and the domino, their orientations, and the bags they come from.

A cell is a pair (row, column). Row 0 is the bottom row, column 0 the leftmost one, here and on the
board. An orientation is drawn with `/` between its rows, top row first: "X./XX/X." is a T that
points right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, one_of, shown

Cell = tuple[int, int]


@dataclass(frozen=True)
class Orientation:
    """One way to turn a piece: its cells, moved to the corner (0, 0)."""

    cells: tuple[Cell, ...]
    corner: Cell = (0, 0)  # how far (down, right) they lie from the top left corner of the square that they turn in

    @classmethod
    def from_text(cls, text: str) -> Orientation:
        """The orientation in a drawing: rows from top to bottom with / between them, X for a cell."""
        rows = text.split("/")
        full = [(r, c) for r, row in enumerate(reversed(rows)) for c, mark in enumerate(row) if mark == "X"]
        bottom, left = min(r for r, _ in full), min(c for _, c in full)
        top = max(r for r, _ in full)
        cells = tuple(sorted((r - bottom, c - left) for r, c in full))
        return cls(cells, corner=(len(rows) - 1 - top, left))

    @cached_property
    def width(self) -> int:
        """Columns that it covers."""
        return 1 + max(c for _, c in self.cells)

    @cached_property
    def height(self) -> int:
        """Rows that it covers."""
        return 1 + max(r for r, _ in self.cells)

    @cached_property
    def columns(self) -> tuple[tuple[int, int], ...]:
        """For each column, its lowest cell and the number of cells in it; there are no gaps."""
        by_column = [[r for r, c in self.cells if c == column] for column in range(self.width)]
        return tuple((min(rows), len(rows)) for rows in by_column)

    def __str__(self) -> str:
        """The drawing that from_text reads, without empty margins."""
        return "/".join(
            "".join("X" if (r, c) in self.cells else "." for c in range(self.width))
            for r in reversed(range(self.height))
        )

    def __repr__(self) -> str:
        return f"Orientation({self})"


@dataclass(frozen=True)
class Piece:
    """A name and the orientations, a quarter turn from one to the next."""

    name: str
    orientations: tuple[Orientation, ...]
    spawn: int = 0  # the horizontal orientation, with which it enters TetrisBot's game
    left: int = 1  # the step through the orientations that turns it to the left: 1, or -1 if they turn to the right

    @property
    def size(self) -> int:
        """Number of cells: 4, or 2 for the domino."""
        return len(self.orientations[0].cells)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Piece({self.name}: {' '.join(map(str, self.orientations))})"


def piece_from_text(name: str, pictures: str, spawn: int = 0) -> Piece:
    """A piece from drawings of its orientations, separated by spaces."""
    return Piece(name, tuple(Orientation.from_text(picture) for picture in pictures.split()), spawn)


def turned_right(picture: str) -> str:
    """The picture after a quarter turn to the right, within its square."""
    rows = picture.split("/")
    return "/".join("".join(row[c] for row in reversed(rows)) for c in range(len(rows[0])))


def turning(name: str, picture: str) -> Piece:
    """A piece with the four turns of a square picture."""
    pictures = [picture]
    for _ in range(3):
        pictures.append(turned_right(pictures[-1]))
    return replace(piece_from_text(name, " ".join(pictures)), left=-1)


def from_horizontal(piece: Piece) -> Piece:
    """The piece with its orientations in TetrisBot's order: the horizontal one, then turns to the right."""
    turns = len(piece.orientations)
    order = [piece.orientations[(piece.spawn - turn) % turns] for turn in range(turns)]
    return Piece(piece.name, tuple(order), spawn=0, left=-1)


# The order of the orientations decides ties between moves. This one is MDPTetris's.
TETROMINOES = (
    piece_from_text("I", "X/X/X/X XXXX", spawn=1),
    piece_from_text("O", "XX/XX"),
    piece_from_text("T", "X./XX/X. .X./XXX .X/XX/.X XXX/.X.", spawn=1),
    piece_from_text("Z", ".X/XX/X. XX./.XX", spawn=1),
    piece_from_text("S", "X./XX/.X .XX/XX.", spawn=1),
    piece_from_text("J", "X../XXX .X/.X/XX XXX/..X XX/X./X."),
    piece_from_text("L", "XXX/X.. X./X./XX ..X/XXX XX/.X/.X", spawn=2),
)
DOMINO = from_horizontal(piece_from_text("domino", "X/X XX", spawn=1))

PIECES = Catalogue("piece", {piece.name: piece for piece in TETROMINOES})  # the research game's pieces, by name

BAGS: Catalogue[tuple[Piece, ...]] = Catalogue(
    "bag",
    {
        "research": TETROMINOES,
        "rapid": tuple(map(from_horizontal, TETROMINOES)),
        "classic": (
            turning("I", "..../XXXX/..../...."),
            PIECES["O"],
            turning("T", ".X./XXX/..."),
            turning("Z", "XX./.XX/..."),
            turning("S", ".XX/XX./..."),
            turning("J", "X../XXX/..."),
            turning("L", "..X/XXX/..."),
        ),
        "domino": (DOMINO,),
    },
)
"""The research game's pieces, and TetrisBot's three bags: distinct orientations, four turns in a square, a domino."""


def as_piece(given: Piece | str, bag: Sequence[Piece] = (), argument: str = "piece") -> Piece:
    """A piece, or the one of this name: the bag's, which may turn it in its own order."""
    if isinstance(given, Piece):
        return given
    if not isinstance(given, str):
        raise InputError(f"{argument} is {shown(given)}; it must be a Piece or a name such as 'T'")
    known = {piece.name: piece for piece in (*TETROMINOES, DOMINO, *bag)}
    return known[one_of(argument, given, known)]


def all_orientations() -> Iterator[Orientation]:
    """Every distinct shape in the bags, corners aside."""
    shapes = (shape.cells for bag in BAGS.values() for piece in bag for shape in piece.orientations)
    yield from map(Orientation, dict.fromkeys(shapes))
