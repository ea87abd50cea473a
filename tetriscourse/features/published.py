"""The features of the papers: the numbers by which their players judge a move.

All but landing_height, eroded_cells, lines and drop_depth look only at the board after the move.
Outside the board, cells to the left, to the right and below count as full, those above as empty.
"""

from __future__ import annotations

import numpy as np

from tetriscourse.features.feature import Value, catalogued
from tetriscourse.game.cells import Bools, covering_cells, empty_below, hole_cells, walled, well_cells
from tetriscourse.game.moves import Move


@catalogued("l", better=-1)
def landing_height(move: Move) -> Value:
    """Height of the middle of the piece where it landed, before clearing."""
    return move.row + (move.shape.height - 1) / 2


@catalogued("e", better=+1)
def eroded_cells(move: Move) -> Value:
    """Rows cleared times the cells of the piece in those rows."""
    return move.rows * sum(row in move.cleared for row, _ in move.cells)


@catalogued("L of TetrisBot", better=+1)
def lines(move: Move) -> Value:
    """Rows cleared by the move."""
    return move.rows


@catalogued("d", better=+1)
def drop_depth(move: Move) -> Value:
    """Rows between the top of the board and the top of the piece where it landed (Xtris)."""
    return move.before.height - (move.row + move.shape.height)


@catalogued("1", better=0)
def constant(move: Move) -> Value:
    """One for every move: the constant of Szita and Lőrincz 2006."""
    return 1


def count(cells: Bools | np.bool_) -> int:
    """Number of cells that are True."""
    return int(np.count_nonzero(cells))


@catalogued("Δr", better=-1)
def row_transitions(move: Move) -> Value:
    """Changes between full and empty along each row, side walls full; an empty row counts 2."""
    full = walled(move.after)
    changes = count(full[:, 1:] != full[:, :-1])
    # Rows above the board exist only while a losing piece sticks out; an empty one counts 0 and not 2.
    return changes - 2 * (len(full) - move.after.height)


@catalogued("Δc", better=-1)
def column_transitions(move: Move) -> Value:
    """Changes between full and empty up each column, floor full and sky empty; an empty column counts 1."""
    full = move.after.full
    at_the_floor, inside, at_the_sky = ~full[0], full[1:] != full[:-1], full[-1]
    return count(at_the_floor) + count(inside) + count(at_the_sky)


@catalogued("L", better=-1)
def holes(move: Move) -> Value:
    """Empty cells with a full cell somewhere above in their column."""
    return count(hole_cells(move.after))


@catalogued("W", better=-1)
def wells(move: Move) -> Value:
    """For each well cell, 1 + the empty cells right below it, well cells or not."""
    full = move.after.full
    return sum(empty_below(full[:, column], row) for row, column in np.argwhere(well_cells(move.after)))


@catalogued("W'", better=-1)
def wells_one_pass(move: Move) -> Value:
    """From each run's topmost well cell, the n empty cells down count 1 + 2 + ... + n (MDPTetris -6)."""
    total, full, well = 0, move.after.full, well_cells(move.after)
    for column in range(move.after.width):
        row = len(full) - 1
        while row >= 0:
            if well[row, column]:
                run = empty_below(full[:, column], row)
                total += run * (run + 1) // 2
                row -= run
            row -= 1
    return total


@catalogued("D", better=-1)
def hole_depth(move: Move) -> Value:
    """Full cells in the run right above each hole; stacked holes count the run once (Thiery and Scherrer's code)."""
    return count(covering_cells(move.after))


@catalogued("D of the table", better=-1)
def hole_depth_sum(move: Move) -> Value:
    """Full cells above each hole, summed over the holes (as their table says)."""
    full = move.after.full
    cells_from_here_up = full[::-1].cumsum(axis=0)[::-1]
    return int(cells_from_here_up[hole_cells(move.after)].sum())


@catalogued("R", better=-1)
def rows_with_holes(move: Move) -> Value:
    """Rows that contain at least one hole."""
    return count(hole_cells(move.after).any(axis=1))


@catalogued("F", better=-1)
def frontier(move: Move) -> Value:
    """Length of the line between full and empty cells, walls and floor full, sky empty (Xtris)."""
    return row_transitions.number(move) + column_transitions.number(move)


@catalogued("h_j", better=-1, per_column=0)
def column_heights(move: Move) -> Value:
    """The height of each column."""
    return [int(height) for height in move.after.heights]


@catalogued("|h_j - h_j+1|", better=-1, per_column=-1)
def height_differences(move: Move) -> Value:
    """The absolute difference between each column and the next."""
    return [int(step) for step in abs(np.diff(move.after.heights))]


@catalogued("H", better=-1)
def max_height(move: Move) -> Value:
    """The height of the highest column."""
    return int(move.after.heights.max())


@catalogued("Σh", better=-1)
def sum_heights(move: Move) -> Value:
    """The sum of the heights of all columns."""
    return int(move.after.heights.sum())


@catalogued("B", better=-1)
def bumpiness(move: Move) -> Value:
    """The sum of the absolute differences between neighbouring columns."""
    return int(abs(np.diff(move.after.heights)).sum())


@catalogued("div", better=+1)
def diversity(move: Move) -> Value:
    """Number of different values among -2 .. 2 that h_j+1 - h_j takes."""
    steps = np.diff(move.after.heights)
    return len(set(steps[abs(steps) <= 2].tolist()))


@catalogued("I", better=-1)
def i_wells(move: Move) -> Value:
    """Depths of the columns at least 3 below both neighbours, which only an I fills (Xtris)."""
    heights = np.pad(move.after.heights, 1, constant_values=move.after.height)
    depths = np.minimum(heights[:-2], heights[2:]) - heights[1:-1]
    return int(depths[depths >= 3].sum())
