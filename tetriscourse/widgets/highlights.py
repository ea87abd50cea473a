"""The highlight of each feature: what to draw for a move, under the name of the feature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import counted, finite_numbers, shown
from tetriscourse.features import FEATURES, Feature, FeatureSet, as_feature
from tetriscourse.game.board import Board
from tetriscourse.game.cells import Bools, covering_cells, empty_below, hole_cells, walled, well_cells
from tetriscourse.game.moves import Move
from tetriscourse.widgets.highlight import CountedCell, Edge, Highlight

LONGEST_SUM = 60  # characters of a sum's terms that a text shows at most

HIGHLIGHTS: Catalogue[Callable[[Move], Highlight]] = Catalogue("feature")  # how each feature draws a move


def highlight(feature: str | Feature, move: Move) -> Highlight:
    """The drawing of a feature; one that is not in the catalogue has only a value and a text."""
    feature = as_feature(feature)
    if FEATURES.get(feature.name) == feature:
        return HIGHLIGHTS[feature.name](move)
    found = finite_numbers(f"feature {feature.name}", FeatureSet("own", (feature,)).values(move))
    plain: list[float] = [int(value) if value.is_integer() else value for value in found]
    value = plain[0] if feature.per_column is None else plain
    return Highlight(text=f"{feature.name}: {shown(value)}", value=value)


def drawn(adds: str, board: str = "after") -> Callable[[Callable[[Move], Highlight]], Callable[[Move], Highlight]]:
    """Enter a drawing under the name of its feature, and complete it with the feature's value."""

    def enter(draw: Callable[[Move], Highlight]) -> Callable[[Move], Highlight]:
        def complete(move: Move) -> Highlight:
            value = FEATURES[draw.__name__](move)
            plain = list(value) if isinstance(value, Sequence) else value
            return replace(draw(move), board=board, adds=adds, value=plain)

        HIGHLIGHTS[draw.__name__] = complete
        return complete

    return enter


def listed_text(numbers: Sequence[int]) -> str:
    """'3, 0, 1'."""
    return ", ".join(map(str, numbers))


def sum_text(terms: Sequence[int]) -> str:
    """'1 + 2 + 3 = 6', with dots where it is too long; a single term alone, or 0."""
    if len(terms) < 2:
        return str(sum(terms))
    shown_terms = [str(term) for term in terms]
    while len(" + ".join(shown_terms)) > LONGEST_SUM:
        shown_terms[-3:] = ["...", shown_terms[-1]]
    return f"{' + '.join(shown_terms)} = {sum(terms)}"


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


def cells_where(chosen: Bools, count: float = 1) -> tuple[CountedCell, ...]:
    """The chosen cells, each with this count."""
    return tuple((row, column, count) for row, column in np.argwhere(chosen).tolist())


def row_edges(board: Board) -> tuple[Edge, ...]:
    """The lines between full and empty along each row, side walls full."""
    full, last = walled(board), board.width - 1
    changes = np.argwhere(full[:, 1:] != full[:, :-1]).tolist()
    return tuple((row, line, "left") if line <= last else (row, last, "right") for row, line in changes)


def upright_edge(board: Board, line: int, column: int) -> Edge:
    """The edge in a column at this height above the floor."""
    return (line, column, "bottom") if line < len(board.full) else (line - 1, column, "top")


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


def heights_of(board: Board) -> list[int]:
    """The height of each column."""
    return [int(height) for height in board.heights]


def steps_of(board: Board) -> list[int]:
    """The step from each column up to its right neighbour."""
    return [int(step) for step in np.diff(board.heights)]


def over_columns(board: Board, numbers: Iterable[tuple[int, int]], text: str, between: bool = False) -> Highlight:
    """Numbers above or between columns, and a line at the top of each column."""
    tops = tuple(upright_edge(board, height, column) for column, height in enumerate(heights_of(board)))
    return Highlight(edges=tops, columns=tuple(numbers), between=between, text=text)


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


@drawn("different")
def diversity(move: Move) -> Highlight:
    """The steps from -2 to 2 between a column and the next; equal ones count once."""
    steps = tuple((column, step) for column, step in enumerate(steps_of(move.after)) if abs(step) <= 2)
    different = sorted({step for _, step in steps})
    occur = "occurs" if len(different) == 1 else "occur"
    text = f"{len(different)} of the 5 steps -2 .. 2 {occur}" + (f": {listed_text(different)}" if different else "")
    return over_columns(move.after, steps, text, between=True)


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
