"""Wells, cumulative and one-pass: their sum over a whole board, and how a drop changes it."""

from __future__ import annotations

from tetriscourse.simulator.columns import BoardLanes, Save
from tetriscourse.simulator.control_flow import repeat_while_any
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import Size, Term, compiled
from tetriscourse.simulator.lanes import Lanes
from tetriscourse.simulator.layout import Field


@compiled("wells")
class Wells(Term):
    def shares(self, board: BoardLanes) -> Lanes:
        """A well cell above the column's height counts its distance to it; one below an overhang is rare."""
        wells, under = board.left & board.right & ~board.walled, board.height.bits_below()
        covered = covered_wells(board.walled, wells & under)
        height = board.height.smaller(31) if board.height.tall else board.height  # there is nothing above bit 31
        return ((wells & ~under) >> height).sum_of_places() + covered

    def store(self, board: BoardLanes, save: Save) -> None:
        save(Field.BELOW_TOP, board.height.bits_below())

    def change(self, drop: Drop) -> Lanes:
        """New well cells less those that are lost, each with its depth, if no new one is covered."""
        change = drop.number(0)
        for column in range(-1, drop.width + 1):
            new_cells = drop.number(0)
            for r in range(drop.height):
                lost, new = (is_well(drop, column, r, moved) for moved in (False, True))
                if (lost is None) == (new is None):
                    continue
                depth = well_depth(drop, column, r, moved=lost is None)
                if lost is not None:
                    change = change - (depth & (lost << (31 - r)).sign())
                if new is not None:
                    change = change + (depth & (new << (31 - r)).sign())
                    if column not in drop.inside or r < drop.columns[column][0]:
                        new_cells = new_cells | (new & (1 << r))
            drop.leave_to_kernels(new_cells & (drop.field(Field.BELOW_TOP, column) >> drop.row))
        if drop.width == 1:
            # A vertical piece in a well: the well cells above it lose its height.
            above = (window(drop, -1) & window(drop, 1)) >> drop.height
            change = change - above.popcount() * drop.height
        return change

    def largest(self, size: Size) -> int:
        return size.cells * size.rows

    def largest_change(self, size: Size) -> int:
        return 3 * size.pyramid


@compiled("wells_one_pass")
class WellsOnePass(Wells):
    def shares(self, board: BoardLanes) -> Lanes:
        """In each empty run, 1 + ... + n from its topmost well cell down."""
        wells = board.left & board.right & ~board.walled
        covered = covered_runs(board.walled, wells & board.height.bits_below())
        return (triangle(open_well_depth(wells, board.height)) + covered) >> 1

    def store(self, board: BoardLanes, save: Save) -> None:
        super().store(board, save)
        depth = open_well_depth(board.left & board.right & ~board.walled, board.height)
        save(Field.OPEN_DEPTH, depth)
        save(Field.OPEN_WELL, triangle(depth))

    def change(self, drop: Drop) -> Lanes:
        """New shares less old ones, in the columns where they can change.

        Usually nothing but the open part of a column changes: the cells above its old height, which the
        piece may divide in two. If a covered cell becomes a well cell, the move is valued in full.
        """
        changes = []
        for column in range(-1, drop.width + 1):
            if wells_change(drop, column):
                change, covered = open_wells(drop, column)
                changes.append(change)
                drop.leave_to_kernels(covered)
        return drop.added(changes).halved()


def covered_wells(cells: Lanes, wells: Lanes) -> Lanes:
    """Cumulative wells of these cells: each run of well cells from depth d down counts d + (d-1) + ..."""

    def stretch(pending: Lanes, total: Lanes) -> tuple[Lanes, Lanes]:
        top = pending.bit_length()
        up_to_top = top.bits_below()
        depth = top - (cells & up_to_top).bit_length()
        bottom = (~pending & up_to_top).bit_length()
        length = top - bottom
        # The sum of depth - k for k below length, twice it to stay in whole numbers.
        return pending & bottom.bits_below(), total + length * (depth + depth - length + 1)

    return repeat_while_any(wells, cells.number(0), stretch, first=1) >> 1


def covered_runs(cells: Lanes, wells: Lanes) -> Lanes:
    """Twice the one-pass wells of these cells: in each empty run, 1 + ... + n from its topmost well cell down."""

    def run(pending: Lanes, total: Lanes) -> tuple[Lanes, Lanes]:
        top = pending.bit_length()
        bottom = (cells & top.bits_below()).bit_length()
        return pending & bottom.bits_below(), total + triangle(top - bottom)

    return repeat_while_any(wells, cells.number(0), run, first=1)


def triangle(n: Lanes) -> Lanes:
    """Twice 1 + ... + n."""
    return n * (n + 1)


def open_well_depth(wells: Lanes, height: Lanes) -> Lanes:
    """n, if the topmost well cell is the n-th above this height, otherwise 0."""
    return (wells.bit_length() - height).larger(0)


# Only cells in the rows of the piece can become well cells or cease to be. Knowing a cell when the
# program is written saves work: the piece fell through empty cells.


def known(drop: Drop, column: int, r: int, moved: bool) -> bool | None:
    """Whether a cell in row r of the piece is full before (after) the move; None if it depends on the board."""
    if column not in drop.inside:
        return None
    bottom, count = drop.columns[column]
    if moved and bottom <= r < bottom + count:
        return True
    return False if r >= bottom else None


def window(drop: Drop, column: int) -> Lanes:
    """The cells of a column from the piece's bottom row up: bit r for row r of the piece."""
    return drop.cells_before(column) >> drop.row


def is_well(drop: Drop, column: int, r: int, moved: bool) -> Lanes | None:
    """Bit r tells whether a cell is a well cell before (after) the move; None if it cannot be."""
    bits = drop.number(-1)
    for neighbour, wanted in ((column, False), (column - 1, True), (column + 1, True)):
        full = known(drop, neighbour, r, moved)
        if full is None:
            bits = bits & (window(drop, neighbour) if wanted else ~window(drop, neighbour))
        elif full is not wanted:
            return None
    return bits


def well_depth(drop: Drop, column: int, r: int, moved: bool) -> Lanes:
    """The depth that a well cell counts, if nothing covers it."""
    if column in drop.inside:
        bottom, count = drop.columns[column]
        if r >= bottom + count and moved:
            return drop.number(r - bottom - count + 1)
    return drop.row - drop.height_before(column) + (r + 1)


def open_wells(drop: Drop, column: int) -> tuple[Lanes, Lanes]:
    """Twice the change of a column's share if only its open part changes, and where that is not so."""
    before, depth = drop.field(Field.OPEN_WELL, column), drop.field(Field.OPEN_DEPTH, column)
    if column not in drop.inside:
        new, covered = new_depth(drop, column)
        return triangle(depth.larger(new)) - before, covered
    if drop.width == 1:
        return triangle((depth - drop.height).larger(0)) - before, drop.number(0)
    bottom, count = drop.columns[column]
    above = drop.number(0)
    for r in range(bottom + count, drop.height):
        well = is_well(drop, column, r, True)
        if well is not None:
            n = r - bottom - count + 1
            above = drop.number(n * (n + 1)).where((well << (31 - r)).sign(), above)
    if not any(changes_well(drop, column, r) for r in range(bottom + count)):
        return above, drop.number(0)
    wells = drop.cells_after(column - 1) & drop.cells_after(column + 1) & ~drop.cells_after(column)
    under = wells & (drop.row + bottom).bits_below()
    new_covered = drop.number(0)
    for side in (column - 1, column + 1):
        if side in drop.inside:
            new_covered = new_covered | (wells & drop.filled(side) & drop.field(Field.BELOW_TOP, column))
    return above + triangle(open_well_depth(under, drop.field(Field.HEIGHT, column))) - before, new_covered


def new_depth(drop: Drop, column: int) -> tuple[Lanes, Lanes]:
    """The depth of the topmost new well cell beside the piece, 0 without one; and where one is covered."""
    depth, covered, height = drop.number(0), drop.number(0), drop.field(Field.HEIGHT, column)
    for r in range(drop.height):
        well = is_well(drop, column, r, True) if changes_well(drop, column, r) else None
        if well is not None:
            new, above = (well << (31 - r)).sign(), drop.row - height + (r + 1)
            depth = above.where(new, depth)
            covered = covered | (new & (above <= 0))
    return depth, covered


def changes_well(drop: Drop, column: int, r: int) -> bool:
    """Whether a cell can become a well cell or cease to be one."""
    return (is_well(drop, column, r, False) is None) != (is_well(drop, column, r, True) is None)


def wells_change(drop: Drop, column: int) -> bool:
    """Whether a column can gain or lose well cells, or part of the depth below one."""
    return drop.width == 1 or any(changes_well(drop, column, r) for r in range(drop.height))
