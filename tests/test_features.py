"""Features: every definition against MDPTetris's own values and against a count cell by cell."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetriscourse.features import FEATURE_SETS, FEATURES, as_feature_set
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, all_moves
from tetriscourse.game.pieces import BAGS, PIECES
from tetriscourse.game.rules import Rules
from tetriscourse.players import PLAYERS

# --- what MDPTetris printed ---------------------------------------------------------------------

PRINTED = [
    FEATURES[name]
    for name in (
        "landing_height", "eroded_cells", "row_transitions", "column_transitions", "holes",
        "wells", "wells_one_pass", "hole_depth", "rows_with_holes", "diversity",
    )
]  # fmt: skip


def printed_states(name):
    """For each state of a file: the rows in hexadecimal, the piece's number, its placements, the choice."""
    with gzip.open(Path(__file__).parent / "data" / f"{name}.csv.gz", "rt") as lines:
        for line in lines:
            kind, *values = line.strip().split(",")
            if kind == "S":
                rows, piece, placements = values[3], int(values[2]), []
            elif kind == "P":
                placements.append(values)
            elif kind == "C":
                yield rows, piece, placements, (int(values[0]), int(values[1]) - 1)


def printed_board(rows, height):
    """The board of rows in hexadecimal, from the bottom, the first column the highest of ten bits."""
    bits = [] if rows == "-" else [int(row, 16) for row in rows.split(".")]
    return Board([[row >> 9 - column & 1 for column in range(10)] for row in bits] or [[0] * 10], height)


def check_placement(move, printed, player, chosen):
    """A move is what MDPTetris printed: where it is, whether it loses, rows, ten features and the value."""
    assert (move.orientation, move.column, move.loses) == (int(printed[0]), int(printed[1]) - 1, printed[2] == "1")
    if move.loses:
        assert move.rows == 0
        return
    features = {feature.name: feature(move) for feature in PRINTED}
    assert [move.rows, *features.values()] == [float(value) for value in printed[3:14]]
    seen = [features[one.name] for one in player.features.features]
    worth = sum(weight * value for weight, value in zip(player.integers, seen, strict=True)) * player.unit
    # Weights are rounded to whole units, and six decimals are printed.
    assert abs(worth - float(printed[14])) <= sum(map(abs, seen)) * player.unit / 2 + 1e-6
    if (move.orientation, move.column) == chosen:  # once a state: it counts the features again
        assert player.value(move) == worth


def check_file(name, player, height):
    """Every placement and every choice of a file; how many there were."""
    placements = choices = 0
    for rows, number, printed, chosen in printed_states(name):
        board, piece = printed_board(rows, height), list(PIECES.values())[number]
        found = all_moves(board, piece, Rules(10, height))
        for move, values in zip(found, printed, strict=True):
            check_placement(move, values, player, chosen)
        choice = player.choose(board, piece)
        if all(move.loses for move in found):
            assert (choice, chosen) == (None, (0, 0))
        else:
            assert (choice.orientation, choice.column) == chosen
        placements, choices = placements + len(found), choices + 1
    return placements, choices


@pytest.mark.slow
def test_dellacheries_player_sees_and_does_on_10x10_what_it_does_in_mdptetris():
    assert check_file("dellacherie_10x10", PLAYERS["dellacherie"], 10) == (34_963, 1_500)


@pytest.mark.slow
def test_the_dn_player_sees_and_does_on_10x20_what_it_does_in_mdptetris():
    assert check_file("dn_10x20", PLAYERS["dn"], 20) == (34_740, 1_500)


# --- the same, counted cell by cell -------------------------------------------------------------


class Counted:
    """A move made by hand on a set of full cells, and each feature counted from its definition."""

    def __init__(self, cells, width, height, shape, column):
        self.width, self.height, self.shape = width, height, shape
        self.row = height + 4
        while self.row > 0 and not {(self.row - 1 + r, column + c) for r, c in shape} & cells:
            self.row -= 1
        self.piece = {(self.row + r, column + c) for r, c in shape}
        full = cells | self.piece
        self.loses = max(r for r, _ in self.piece) >= height
        self.cleared = [] if self.loses else [r for r in range(height) if all((r, c) in full for c in range(width))]
        self.cells = {(r - sum(low < r for low in self.cleared), c) for r, c in full if r not in self.cleared}
        self.rows = max(height, 1 + max(r for r, _ in self.cells | {(0, 0)}))

    def full(self, row, column):
        """Whether a cell is full; the walls and the floor are, the sky is not."""
        return row < 0 or column in (-1, self.width) or (row, column) in self.cells

    def every_cell(self):
        return [(r, c) for r in range(self.rows) for c in range(self.width)]

    def h(self, column):
        """The height of a column."""
        row = self.rows
        while not self.full(row - 1, column):
            row -= 1
        return row

    def is_hole(self, row, column):
        return not self.full(row, column) and any(self.full(above, column) for above in range(row + 1, self.rows))

    def is_well(self, row, column):
        return not self.full(row, column) and self.full(row, column - 1) and self.full(row, column + 1)

    def steps(self):
        return [after - before for before, after in pairwise(map(self.h, range(self.width)))]

    # the features, by their names in the catalogue

    def landing_height(self):
        return self.row + max(r for r, _ in self.shape) / 2

    def eroded_cells(self):
        return len(self.cleared) * len([cell for cell in self.piece if cell[0] in self.cleared])

    def lines(self):
        return len(self.cleared)

    def drop_depth(self):
        return self.height - 1 - max(r for r, _ in self.piece)

    def constant(self):
        return 1

    def row_transitions(self):
        total = 0
        for row in range(self.rows):
            along = [self.full(row, column) for column in range(-1, self.width + 1)]
            total += sum(one != other for one, other in pairwise(along))
            # A row above the board is no row of it: only what a losing piece adds there counts.
            total -= 2 if row >= self.height else 0
        return total

    def column_transitions(self):
        total = 0
        for column in range(self.width):
            up = [self.full(row, column) for row in range(-1, self.rows + 1)]
            total += sum(one != other for one, other in pairwise(up))
        return total

    def holes(self):
        return sum(self.is_hole(*cell) for cell in self.every_cell())

    def wells(self):
        total = 0
        for row, column in self.every_cell():
            below = row
            while self.is_well(row, column) and not self.full(below, column):
                total, below = total + 1, below - 1
        return total

    def wells_one_pass(self):
        total = 0
        for column in range(self.width):
            row, skip = self.rows - 1, False
            while row >= 0:
                if skip or not self.is_well(row, column):
                    row, skip = row - 1, False
                    continue
                n = 0
                while not self.full(row, column):
                    n, row = n + 1, row - 1
                    total += n
                skip = True
        return total

    def hole_depth(self):
        """The run of full cells right above a hole, for each hole with a full cell right above it."""
        total = 0
        for row, column in self.every_cell():
            above = row + 1
            while not self.full(row, column) and self.full(above, column):
                total, above = total + 1, above + 1
        return total

    def hole_depth_sum(self):
        return sum(
            self.full(above, column)
            for row, column in self.every_cell()
            if self.is_hole(row, column)
            for above in range(row + 1, self.rows)
        )

    def rows_with_holes(self):
        return len({row for row, column in self.every_cell() if self.is_hole(row, column)})

    def frontier(self):
        """Each full cell, wall and piece of floor has a line where an empty cell is next to it."""
        total = 0
        for row, column in self.every_cell():
            if not self.full(row, column):
                around = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
                total += sum(self.full(*cell) for cell in around)
        above = [cell for cell in self.every_cell() if cell[0] == self.rows - 1 and self.full(*cell)]
        return total + len(above) - 2 * (self.rows - self.height)

    def column_heights(self):
        return [self.h(column) for column in range(self.width)]

    def height_differences(self):
        return [abs(step) for step in self.steps()]

    def max_height(self):
        return max(r + 1 for r, _ in self.cells) if self.cells else 0

    def sum_heights(self):
        return sum(map(self.h, range(self.width)))

    def bumpiness(self):
        return sum(map(abs, self.steps()))

    def diversity(self):
        return sum(step in self.steps() for step in (-2, -1, 0, 1, 2))

    def home(self, name):
        """Whether the piece, in some orientation and column, leaves no gap on the surface below it."""
        heights = list(map(self.h, range(self.width)))
        for shape in PIECES[name].orientations:
            bottoms = [min(r for r, c in shape.cells if c == column) for column in range(shape.width)]
            for column in range(self.width - shape.width + 1):
                below = heights[column : column + shape.width]
                if len({height - bottom for height, bottom in zip(below, bottoms, strict=True)}) == 1:
                    return 1
        return 0

    def home_o(self):
        return self.home("O")

    def home_t(self):
        return self.home("T")

    def home_z(self):
        return self.home("Z")

    def home_s(self):
        return self.home("S")

    def home_j(self):
        return self.home("J")

    def home_l(self):
        return self.home("L")

    def steps_of_0(self):
        return self.steps().count(0)

    def steps_of_1(self):
        return self.steps().count(1) + self.steps().count(-1)

    def steps_of_2(self):
        return self.steps().count(2) + self.steps().count(-2)

    def squared_height(self):
        """The odd numbers from 1 on, one for each row up to the highest full cell."""
        return sum(2 * row + 1 for row in range(self.max_height()))

    def low_edges(self):
        left, right = self.steps()[0], -self.steps()[-1]
        return [left > 1, right > 1].count(True)

    def holes_by_height(self):
        return sum(self.max_height() for cell in self.every_cell() if self.is_hole(*cell))

    def i_wells(self):
        total = 0
        for column in range(self.width):
            left = self.height if column == 0 else self.h(column - 1)
            right = self.height if column == self.width - 1 else self.h(column + 1)
            depth = min(left - self.h(column), right - self.h(column))
            total += depth if depth >= 3 else 0
        return total


@st.composite
def cells_on_boards(draw):
    """Full cells, a width and a height: towers, caves and nearly full rows, and no full row."""
    width, height = draw(st.integers(4, 10)), draw(st.integers(4, 12))
    anything, nearly_full = st.integers(0, 2**width - 2), st.integers(0, width - 1).map(lambda c: 2**width - 1 - 2**c)
    rows = draw(st.lists(anything | nearly_full, max_size=height))
    return {(r, c) for r, bits in enumerate(rows) for c in range(width) if bits >> c & 1}, width, height


def board_of(cells, width, height):
    return Board([[int((r, c) in cells) for c in range(width)] for r in range(height)])


SHAPES = [(piece, orientation) for piece in (*PIECES.values(), *BAGS["domino"])
          for orientation in range(len(piece.orientations))]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FEATURES)
@settings(max_examples=60)
@given(drawn=cells_on_boards(), shape=st.sampled_from(SHAPES), data=st.data())
def test_a_feature_is_what_its_definition_counts(name, drawn, shape, data):
    (cells, width, height), (piece, orientation) = drawn, shape
    column = data.draw(st.integers(0, width - piece.orientations[orientation].width))
    found = all_moves(board_of(cells, width, height), piece, Rules(width, height))
    move = next(one for one in found if (one.orientation, one.column) == (orientation, column))
    counted = Counted(cells, width, height, piece.orientations[orientation].cells, column)
    assert move.loses == counted.loses
    assert FEATURES[name](move) == getattr(counted, name)()


@given(drawn=cells_on_boards())
def test_heights_add_up_to_cells_and_holes_so_tetrisbot_has_three_free_weights_not_four(drawn):
    cells, width, height = drawn
    for move in all_moves(board_of(cells, width, height), PIECES["L"], Rules(width, height)):
        if not move.loses:
            full = len(cells) + 4 - width * move.rows
            assert FEATURES["sum_heights"](move) == full + FEATURES["holes"](move)


def test_every_feature_of_the_catalogue_is_counted_here():
    assert all(hasattr(Counted, name) for name in FEATURES)
    assert all(feature.name == name and feature.describe and feature.symbol for name, feature in FEATURES.items())


# --- small boards, counted by eye ---------------------------------------------------------------

BY_EYE = {
    "an empty row changes twice, an empty column once": (
        "......", {"row_transitions": 2 * 6, "column_transitions": 6, "frontier": 18},
    ),
    "a hole is an empty cell below a full one, however far": (
        "X...../....../......", {"holes": 2, "rows_with_holes": 2, "hole_depth": 1, "hole_depth_sum": 2},
    ),
    "stacked holes count the full cells above them once": (
        "X...../X...../....../......", {"holes": 2, "hole_depth": 2, "hole_depth_sum": 4},
    ),
    "holes apart count each their own run, or all cells above": (
        "X...../X...../....../X...../......", {"holes": 2, "hole_depth": 3, "hole_depth_sum": 5},
    ),
    "holes side by side make one row with holes": ("XXX.../......", {"holes": 3, "rows_with_holes": 1}),
    "a well counts 1 + 2 + 3 when it is three deep": ("X.X.../X.X.../X.X...", {"wells": 6, "wells_one_pass": 6}),
    "a well counts what is empty below it, walls or not": ("X.X.../X.....", {"wells": 2, "wells_one_pass": 3}),
    "between neighbours of 3 and a wall a hollow of 3 needs an I": (".X..../.X..../.X....", {"i_wells": 3}),
    "a hollow of 2 needs no I": (".X..../.X....", {"i_wells": 0}),
    "steps beyond 2 add no diversity": ("X...../X...../X.....", {"diversity": 1, "bumpiness": 3, "max_height": 3}),
    "on a flat floor all but S and Z have a home": (
        "......", {"home_o": 1, "home_t": 1, "home_z": 0, "home_s": 0, "home_j": 1, "home_l": 1, "steps_of_0": 5},
    ),
    "a step up is a home for T and Z, and with a flat one before it for S": (
        "...XXX", {"home_t": 1, "home_z": 1, "home_s": 1, "steps_of_0": 4, "steps_of_1": 1},
    ),
    "a step down is a home for T and S, and with a flat one after it for Z": (
        "XXX...", {"home_t": 1, "home_z": 1, "home_s": 1, "steps_of_0": 4, "steps_of_1": 1},
    ),
    "between cliffs, a step up is a home for T and Z only": (
        "...X.X/X..X.X/X..X.X/X..X.X/X.XXXX", {
            "home_o": 0, "home_t": 1, "home_z": 1, "home_s": 0, "home_j": 0, "home_l": 0, "steps_of_1": 1,
        },
    ),
    "steps of 2 are homes for J upwards and for L downwards": (
        "..X.../..X.../X.X.X./X.X.X.", {
            "home_o": 0, "home_t": 0, "home_z": 0, "home_s": 0, "home_j": 1, "home_l": 1, "steps_of_2": 3,
        },
    ),
    "an outer column is low if its neighbour is 2 higher": (
        ".X..X./.X..X.", {"low_edges": 2, "max_height": 2, "squared_height": 4, "holes_by_height": 0},
    ),
    "an outer column 1 below its neighbour is not": (".X..X.", {"low_edges": 0}),
    "higher up, a hole counts more": (
        "X...../X...../....../......", {"holes": 2, "squared_height": 16, "holes_by_height": 8},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("picture", "expected"), BY_EYE.values(), ids=BY_EYE)
def test_features_of_small_boards_are_what_one_sees(picture, expected):
    board = Board.from_text(picture.replace("/", "\n"), height=6)
    move = Move(board, PIECES["O"], orientation=0, column=0, row=0, after=board, cleared=(), loses=False)
    assert {name: FEATURES[name](move) for name in expected} == expected


def test_beside_a_wall_a_hollow_is_no_deeper_than_the_board():
    board = Board.from_text(".X..\n" * 4)
    move = all_moves(board, PIECES["I"], Rules(4, 4))[1]
    assert move.after.heights.tolist() == [0, 8, 0, 0]
    assert FEATURES["i_wells"](move) == 4


# --- sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size"),
    [("tetrisbot", 4), ("bertsekas", 21), ("dellacherie", 6), ("dn", 8), ("bd", 26), ("bdn", 28), ("dt", 9),
     ("rv-ce", 9), ("champion", 24)],
)  # fmt: skip
def test_feature_sets_have_their_published_size_on_width_10(name, size):
    move = all_moves(Board.empty(), PIECES["T"], Rules())[0]
    chosen = FEATURE_SETS[name]
    assert chosen.size(10) == len(chosen.values(move)) == len(chosen.labels(10)) == size
    assert len(set(chosen.labels(10))) == size


@pytest.mark.parametrize("width", range(4, 17))
def test_bertsekas_and_tsitsiklis_have_two_features_a_column_and_one_more(width):
    assert FEATURE_SETS["bertsekas"].size(width) == 2 * width + 1
    move = all_moves(Board.empty(width), PIECES["O"], Rules(width))[0]
    assert len(FEATURE_SETS["bertsekas"].values(move)) == 2 * width + 1


CHAMPION = """
    landing_height eroded_cells row_transitions column_transitions holes wells hole_depth rows_with_holes diversity
    home_o home_t home_z home_s home_j home_l i_wells max_height bumpiness steps_of_0 steps_of_1 steps_of_2
    squared_height low_edges holes_by_height
"""
DELLACHERIE = ["landing_height", "eroded_cells", "row_transitions", "column_transitions", "holes", "wells"]


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("tetrisbot", ["lines", "sum_heights", "holes", "bumpiness"]),
        ("dellacherie", DELLACHERIE),
        ("dn", [*DELLACHERIE, "hole_depth", "rows_with_holes"]),
        ("dt", [*DELLACHERIE[:5], "wells_one_pass", "hole_depth", "rows_with_holes", "diversity"]),
        ("rv-ce", [*DELLACHERIE, "hole_depth", "rows_with_holes", "diversity"]),
        ("champion", CHAMPION.split()),
        ("bd", ["column_heights", "height_differences", "max_height", *DELLACHERIE]),
    ],
)
def test_features_come_in_the_order_of_the_published_weights(name, members):
    assert [feature.name for feature in FEATURE_SETS[name].features] == members


def test_values_of_a_set_are_those_of_its_features_one_after_the_other():
    move = all_moves(Board.from_text("X..X", height=5), PIECES["L"], Rules(4, 5))[3]
    chosen = as_feature_set(["holes", "column_heights", "height_differences"])
    assert chosen.values(move) == [
        FEATURES["holes"](move), *FEATURES["column_heights"](move), *FEATURES["height_differences"](move),
    ]  # fmt: skip
    assert list(chosen.labels(4)) == [
        "holes", *(f"column_heights[{j}]" for j in range(4)), *(f"height_differences[{j}]" for j in range(3)),
    ]  # fmt: skip


def test_features_print_without_addresses():
    assert repr(FEATURES["holes"]).startswith("Feature('holes': ")
    assert repr(FEATURE_SETS["tetrisbot"]) == "FeatureSet('tetrisbot': lines, sum_heights, holes, bumpiness)"
