"""A gallery of small copies of a board, each with the piece in another place, in groups with a line of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tetriscourse.game.board import Board
from tetriscourse.game.drawing import COLOURS, MARKS
from tetriscourse.game.moves import Move
from tetriscourse.widgets.blocks import Spec
from tetriscourse.widgets.candidates import move_name
from tetriscourse.widgets.pictures import INK, PICTURES, Picture, arranged, outline, text_picture, written

SMALL = 6  # size of a cell, in pixels

KEPT, DISCARDED, CHOSEN = "kept", "discarded", "chosen"  # states of a small board: normal, greyed out, framed


def small_board(board: Board, rows: int, cell: int = SMALL) -> Spec:
    """The board of a gallery, cut to some rows; its cells are grey, so that the piece stands out."""
    height = min(rows, board.height)
    drawn = board.text().splitlines()[::-1][:height]
    return {"width": board.width, "height": height, "above": rows - height, "rows": drawn, "cell": cell}


def small_move(move: Move, state: str, caption: str = "") -> Spec:
    """A move in a gallery."""
    return {
        "piece": [list(cell) for cell in move.cells],
        "mark": move.piece.name if move.piece.name in MARKS else "X",
        "state": state,
        "caption": caption,
        "label": ", ".join(part for part in (move_name(move), caption, state) if part),
    }


def group(text: str, items: Sequence[Spec], more: str = "") -> Spec:
    """A line of text, small boards, and a remark about those not shown."""
    return {"text": text, "items": list(items), "more": more}


def rows_to_show(moves: Sequence[Move]) -> int:
    """The number of rows needed to show all pieces where they land."""
    return max((1 + row for move in moves for row, _ in move.cells), default=4)


def rows_above(move: Move) -> int:
    """The number of rows by which a losing piece sticks out above the board."""
    return max(0, *(1 + row - move.before.height for row, _ in move.cells))


def gallery_picture(data: Mapping[str, Any]) -> Picture:
    """The still picture of a gallery: its groups, one below the other."""
    lines = []
    for one in data["groups"]:
        boards = [small_picture({**data["board"], **item}) for item in one["items"]]
        more = [text_picture([one["more"]])] if one["more"] else []
        lines += [text_picture([one["text"]], 'font-weight="bold"'), arranged(boards + more, side_by_side=True)]
    return arranged(lines, side_by_side=False)


def small_picture(data: Mapping[str, Any]) -> Picture:
    """A small board in few elements: one path for the cells of the board, one for those of the piece."""
    cell, rows = data["cell"], data["height"] + data["above"]

    def at(row: float, column: float) -> tuple[float, float]:
        return column * cell, (rows - 1 - row) * cell

    full = [(r, c) for r, marks in enumerate(data["rows"]) for c, mark in enumerate(marks) if mark != "."]
    colour, wide = COLOURS[MARKS.index(data["mark"])], data["width"] * cell
    faint = ' opacity="0.35"' if data["state"] == DISCARDED else ""
    border = f'stroke="{INK}" stroke-width="{3 if data["state"] == CHOSEN else 1}"'
    body = (
        f'<g{faint}><rect width="{wide}" height="{rows * cell}" fill="{COLOURS[0]}" {border}/>'
        f'<path d="{squares(full, at, cell)}" fill="{COLOURS[-1]}"/>'
        f'<path d="{squares(data["piece"], at, cell)}" fill="{colour}"/>'
        f'<path d="{outline(data["piece"], at, cell)}" stroke="{INK}"/>'
        f"{written(data['caption'], wide / 2, rows * cell + 12, 'middle')}</g>"
    )
    return Picture(body, wide, rows * cell + 14)


def squares(cells: Sequence[Sequence[int]], at: Any, cell: float) -> str:
    """Squares at these cells, as a path."""
    return "".join("M{:g} {:g}h{s}v{s}h-{s}z".format(*at(row, column), s=cell - 1) for row, column in cells)


PICTURES["boards"] = gallery_picture
