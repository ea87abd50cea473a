"""The highlight of each feature: what to draw for a move, under the name of the feature."""

from __future__ import annotations

import numpy as np

from tetriscourse.errors import counted, finite_numbers, shown
from tetriscourse.features import FEATURES, Feature, FeatureSet, as_feature
from tetriscourse.game.board import Board
from tetriscourse.game.cells import covering_cells, empty_below, hole_cells, walled, well_cells
from tetriscourse.game.moves import Move
from tetriscourse.widgets import surface_highlights  # enters its drawings too
from tetriscourse.widgets.drawing import (
    HIGHLIGHTS,
    cells_where,
    drawn,
    heights_of,
    listed_text,
    over_columns,
    steps_of,
    sum_text,
    upright_edge,
)
from tetriscourse.widgets.highlight import CountedCell, Edge, Highlight

__all__ = ["HIGHLIGHTS", "highlight", "surface_highlights"]


def highlight(feature: str | Feature, move: Move) -> Highlight:
    """The drawing of a feature; one that is not in the catalogue has only a value and a text."""
    feature = as_feature(feature)
    if FEATURES.get(feature.name) == feature:
        return HIGHLIGHTS[feature.name](move)
    found = finite_numbers(f"feature {feature.name}", FeatureSet("own", (feature,)).values(move))
    plain: list[float] = [int(value) if value.is_integer() else value for value in found]
    value = plain[0] if feature.per_column is None else plain
    return Highlight(text=f"{feature.name}: {shown(value)}", value=value)


# --- the move itself ----------------------------------------------------------------------------


def piece_cells(move: Move) -> tuple[CountedCell, ...]:
    """The cells of the piece, shown but not counted."""
    return tuple((row, column, 0) for row, column in move.cells)


@drawn("level", board="landed")
def landing_height(move: Move) -> Highlight:
    """A line through the middle of the piece: the middle of row r is r + 0.5 above the floor."""
    bottom, top = move.row, move.row + move.shape.height - 1
    middle, line = f"{(bottom + top) / 2:g}", (bottom + top + 1) / 2
    if bottom == top:
        text = f"the piece lies in row {middle}, counted from 0; its middle is drawn {line:g} above the floor"
    else:
        text = f"from row {bottom} to row {top}, counted from 0: middle {middle}, drawn {line:g} above the floor"
    return Highlight(cells=piece_cells(move), levels=((line, "middle of the piece"),), offset=-0.5, text=text)


@drawn("cells", board="landed")
def eroded_cells(move: Move) -> Highlight:
    """The piece's cells in cleared rows; each counts the number of such rows."""
    cells = tuple((row, column, move.rows) for row, column in move.cells if row in move.cleared)
    there = f"{counted(move.rows, 'row')} cleared × {counted(len(cells), 'cell')} of the piece there"
    text = f"{there} = {move.rows * len(cells)}" if cells else "no row cleared: 0"
    return Highlight(cells=cells, rows=move.cleared, text=text)


@drawn("rows", board="landed")
def lines(move: Move) -> Highlight:
    """The rows that are cleared."""
    return Highlight(rows=move.cleared, text=f"{counted(move.rows, 'row')} cleared")


@drawn("gap", board="landed")
def drop_depth(move: Move) -> Highlight:
    """Lines at the tops of board and piece, and the rows between them."""
    board, piece = move.before.height, move.row + move.shape.height
    return Highlight(
        cells=piece_cells(move),
        rows=tuple(range(piece, board)),
        levels=((board, "top of the board"), (piece, "top of the piece")),
        text=f"top of the board {board} - top of the piece {piece} = {board - piece}",
    )


@drawn("none")
def constant(move: Move) -> Highlight:
    """Nothing: every move has the same value."""
    return Highlight(text="1 for every move")


# --- the cells of the board ---------------------------------------------------------------------


def row_edges(board: Board) -> tuple[Edge, ...]:
    """The lines between full and empty along each row, side walls full."""
    full, last = walled(board), board.width - 1
    changes = np.argwhere(full[:, 1:] != full[:, :-1]).tolist()
    return tuple((row, line, "left") if line <= last else (row, last, "right") for row, line in changes)


def column_edges(board: Board) -> tuple[Edge, ...]:
    """The lines between full and empty up each column, floor full and sky empty."""
    floor, sky = np.ones((1, board.width), np.bool_), np.zeros((1, board.width), np.bool_)
    full = np.vstack([floor, board.full, sky])
    return tuple(upright_edge(board, line, column) for line, column in np.argwhere(full[1:] != full[:-1]).tolist())


def for_rows_above(board: Board) -> tuple[int, str]:
    """The 2 for each row above the board that row transitions leave out, while a losing piece sticks out."""
    rows = len(board.full) - board.height
    if rows == 0:
        return 0, ""
    return -2 * rows, f" - {2 * rows} for {counted(rows, 'row')} above the board"


@drawn("edges")
def row_transitions(move: Move) -> Highlight:
    """The lines between full and empty along each row, walls included."""
    edges, (offset, left_out) = row_edges(move.after), for_rows_above(move.after)
    total = f" = {len(edges) + offset}" if left_out else ""
    return Highlight(edges=edges, offset=offset, text=f"{counted(len(edges), 'change')} along rows{left_out}{total}")


@drawn("edges")
def column_transitions(move: Move) -> Highlight:
    """The lines between full and empty up each column, floor included."""
    edges = column_edges(move.after)
    return Highlight(edges=edges, text=f"{counted(len(edges), 'change')} up columns")


@drawn("edges")
def frontier(move: Move) -> Highlight:
    """All the lines between full and empty."""
    along, up, (offset, left_out) = row_edges(move.after), column_edges(move.after), for_rows_above(move.after)
    text = f"{len(along)} along rows{left_out} + {len(up)} up columns = {len(along) + offset + len(up)}"
    return Highlight(edges=along + up, offset=offset, text=text)


@drawn("cells")
def holes(move: Move) -> Highlight:
    """The holes."""
    cells = cells_where(hole_cells(move.after))
    return Highlight(cells=cells, text=counted(len(cells), "hole"))


@drawn("rows")
def rows_with_holes(move: Move) -> Highlight:
    """The rows with holes, and the holes in them."""
    cells = cells_where(hole_cells(move.after), count=0)
    rows = tuple(sorted({row for row, _, _ in cells}))
    text = f"{counted(len(cells), 'hole')} in {counted(len(rows), 'row')}"
    return Highlight(cells=cells, rows=rows, text=text)


@drawn("cells")
def wells(move: Move) -> Highlight:
    """Each well cell with 1 + the empty cells right below it, which are shown even if they are no well cells."""
    full, well = move.after.full, well_cells(move.after)
    counts = {(row, column): empty_below(full[:, column], row) for row, column in np.argwhere(well).tolist()}
    below = {(row - k, column): 0 for (row, column), count in counts.items() for k in range(1, count)}
    cells = tuple((row, column, count) for (row, column), count in sorted((below | counts).items()))
    text = f"{counted(len(counts), 'well cell')}: {sum_text(list(counts.values()))}"
    return Highlight(cells=cells, text=text)


@drawn("cells")
def wells_one_pass(move: Move) -> Highlight:
    """The empty cells from each run's topmost well cell down, with 1, 2, ... n."""
    full, cells, runs = move.after.full, dict[tuple[int, int], int](), list[int]()
    for row, column in np.argwhere(well_cells(move.after))[::-1].tolist():  # from the top
        if (row, column) not in cells:
            run = empty_below(full[:, column], row)
            cells |= {(row - k, column): k + 1 for k in range(run)}
            runs.append(run * (run + 1) // 2)
    text = f"{counted(len(runs), 'run')} from a well cell down: {sum_text(runs)}"
    return Highlight(cells=tuple((row, column, count) for (row, column), count in sorted(cells.items())), text=text)


@drawn("cells")
def hole_depth(move: Move) -> Highlight:
    """The full cells with a hole below, which is shown but not counted."""
    covering = cells_where(covering_cells(move.after))
    text = f"{counted(len(covering), 'full cell')} with a hole below"
    return Highlight(cells=covering + cells_where(hole_cells(move.after), count=0), text=text)


@drawn("cells")
def hole_depth_sum(move: Move) -> Highlight:
    """Each hole with the number of full cells above it, which are shown but not counted."""
    full = move.after.full
    cells = tuple((row, column, int(full[row:, column].sum())) for row, column, _ in holes(move).cells)
    text = f"{counted(len(cells), 'hole')}, full cells above: {sum_text([count for _, _, count in cells])}"
    return Highlight(cells=cells + cells_where(covering_cells(move.after), count=0), text=text)


# --- the heights of the columns -----------------------------------------------------------------


@drawn("each column")
def column_heights(move: Move) -> Highlight:
    """The height above each column."""
    heights = heights_of(move.after)
    return over_columns(move.after, enumerate(heights), f"heights {listed_text(heights)}")


@drawn("columns")
def sum_heights(move: Move) -> Highlight:
    """The height above each column, to be added."""
    heights = heights_of(move.after)
    return over_columns(move.after, enumerate(heights), sum_text(heights))


@drawn("each column")
def height_differences(move: Move) -> Highlight:
    """The difference between each column and the next."""
    differences = [abs(step) for step in steps_of(move.after)]
    text = f"differences {listed_text(differences)}"
    return over_columns(move.after, enumerate(differences), text, between=True)


@drawn("columns")
def bumpiness(move: Move) -> Highlight:
    """The difference between each column and the next, to be added."""
    differences = [abs(step) for step in steps_of(move.after)]
    return over_columns(move.after, enumerate(differences), sum_text(differences), between=True)


@drawn("level")
def max_height(move: Move) -> Highlight:
    """A line at the top of the highest column."""
    height = max(heights_of(move.after))
    return Highlight(levels=((height, "highest column"),), text=f"highest column: {counted(height, 'row')}")


@drawn("cells")
def squared_height(move: Move) -> Highlight:
    """The cells of the highest column, from its top down to the floor; each counts the height."""
    heights = heights_of(move.after)
    height = max(heights)
    cells = tuple((row, heights.index(height), height) for row in range(height))
    return Highlight(cells=cells, text=f"highest column: {height} × {height} = {height * height}")


@drawn("cells")
def holes_by_height(move: Move) -> Highlight:
    """The holes, each with the height of the highest column, and a line at its top."""
    height = max(heights_of(move.after))
    cells = cells_where(hole_cells(move.after), count=height)
    text = f"{counted(len(cells), 'hole')} × height {height} = {len(cells) * height}"
    return Highlight(cells=cells, levels=((height, "highest column"),), text=text)


@drawn("cells")
def i_wells(move: Move) -> Highlight:
    """The cells of each hollow at least 3 deep, up to the lower neighbour; a wall is as high as the board."""
    heights, wall = heights_of(move.after), [move.after.height]
    rims = map(min, wall + heights[:-1], heights[1:] + wall)
    hollows = [(column, height, rim) for column, (height, rim) in enumerate(zip(heights, rims, strict=True))]
    deep = [(column, range(height, rim)) for column, height, rim in hollows if rim - height >= 3]
    return Highlight(
        cells=tuple((row, column, 1) for column, rows in deep for row in rows),
        columns=tuple((column, len(rows)) for column, rows in deep),
        text=f"{counted(len(deep), 'hollow')} at least 3 deep: {sum_text([len(rows) for _, rows in deep])}",
    )
