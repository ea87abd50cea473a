"""The board view: any board, with a piece, the place where it would land, and the cells that a feature counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.features import Feature
from tetriscourse.game.board import Board
from tetriscourse.game.drawing import MARKS
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Cell, Piece
from tetriscourse.widgets.blocks import board as board_block
from tetriscourse.widgets.blocks import column, text
from tetriscourse.widgets.highlight import Highlight
from tetriscourse.widgets.highlights import highlight
from tetriscourse.widgets.panel import Panel

CELL = 18  # size of a cell, in pixels


def board_data(
    board: Board, piece: Piece | None = None, cells: Iterable[Cell] = (), *, ghost: Iterable[Cell] = (),
    hint: Iterable[Cell] = (), marked: Highlight | None = None, cell: int = CELL, above: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """The data of a board block: a piece at some cells, where it would land (ghost), where it should go (hint).

    cell: pixels; above: rows to show above the board.
    """
    falling = [list(one) for one in cells]
    return {
        "width": board.width,
        "height": board.height,
        "rows": board.text(letters=True).splitlines()[::-1],
        "piece": falling,
        "mark": piece.name if piece is not None and piece.name in MARKS else "X",
        "ghost": [list(one) for one in ghost],
        "hint": [list(one) for one in hint],
        "highlight": None if marked is None else marked.to_json(),
        "cell": cell,
        "above": above,
        "label": board_label(board, piece if falling else None, falling),
    }


def board_label(board: Board, piece: Piece | None = None, cells: Iterable[Iterable[int]] = ()) -> str:
    """A board in words."""
    heights = " ".join(str(height) for height in board.heights)
    columns = sorted({list(one)[1] for one in cells})
    where = f"; {piece} in columns {columns[0]} to {columns[-1]}" if piece is not None and columns else ""
    return f"Board of {board.width} columns and {board.height} rows; heights {heights}{where}"


def move_data(move: Move, marked: Highlight | None = None, **options: Any) -> dict[str, Any]:
    """The data of a move: the piece where it lands, before rows are cleared, or the board on which a feature counts."""
    if marked is not None and marked.board == "after":
        return board_data(move.after, marked=marked, **options)
    return board_data(move.before, move.piece, move.cells, marked=marked, **options)


class BoardView(Panel):
    """A board; of a move, the piece where it lands; with a feature, the cells that it counts."""

    title = "Board"

    def __init__(
        self, board: Board | Move, feature: str | Feature | None = None, *, cells: Iterable[Cell] = (), cell: int = CELL
    ):
        self.board, self.cells = board_or_move(board), [tuple(one) for one in cells]
        if feature is not None and not isinstance(board, Move):
            raise InputError(f"feature is {shown(feature)}; it is seen on a Move, such as moves(board, piece)[0]")
        self.cell = whole_number("cell", cell, 6, 60)
        self.marked = marked_on(board, feature)
        super().__init__(column(board_block("board"), text("words", live=True)))

    def content(self) -> dict[str, Any]:
        if isinstance(self.board, Move):
            drawn = move_data(self.board, self.marked, cell=self.cell)
        else:
            marked = Highlight(cells=tuple((r, c, 1) for r, c in self.cells)) if self.cells else None
            drawn = board_data(self.board, marked=marked, cell=self.cell)
        return {"board": drawn, "words": {"text": self.marked.text if self.marked else ""}}

    def show(self, board: Board | Move, feature: str | Feature | None = None) -> None:
        """Show another board or move."""
        shown_next = board_or_move(board)
        with self.changing():
            self.board, self.cells, self.marked = shown_next, [], marked_on(board, feature)

    def describe(self) -> str:
        board = self.board.after if isinstance(self.board, Move) else self.board
        return "\n".join([board.text(letters=True), *([self.marked.text] if self.marked else [])])


def board_or_move(board: Any) -> Board | Move:
    """The board or move, if it is one."""
    if not isinstance(board, Board | Move):
        raise InputError(f"board is {shown(board)}; it must be a Board or a Move")
    return board


def marked_on(board: Board | Move, feature: str | Feature | None) -> Highlight | None:
    """The cells that a feature counts for a move; None without a feature or a move."""
    return highlight(feature, board) if feature is not None and isinstance(board, Move) else None
