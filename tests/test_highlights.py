"""Highlights: what is drawn for a feature adds up to it, and each part of the drawing is what it should be."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules, random_board

from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, all_moves
from tetriscourse.game.pieces import BAGS, PIECES
from tetriscourse.game.rules import GameOver, Rules
from tetriscourse.widgets.highlight import Highlight
from tetriscourse.widgets.highlights import HIGHLIGHTS, highlight

WANTED = {
    "any": lambda move: True,
    "losing": lambda move: move.loses,
    "sticking out": lambda move: max(row for row, _ in move.cells) >= move.before.height,
    "clearing": lambda move: bool(move.cleared),
}


def drawn_board(found: Highlight, move: Move) -> Board:
    """The board that a highlight is drawn on: after clearing, or with the piece in place."""
    return move.after if found.board == "after" else move.before.with_cells(move.cells, move.piece.name)


@st.composite
def any_move(draw):
    """A move of any piece on any board under any rules, often one that loses, sticks out or clears rows."""
    rules = draw(any_rules())
    board = random_board(rules, np.random.default_rng(draw(st.integers(0, 2**32))))
    piece = draw(st.sampled_from(rules.pieces))
    found = all_moves(board, piece, rules)
    assume(found)
    wanted = WANTED[draw(st.sampled_from(list(WANTED)))]
    return draw(st.sampled_from([move for move in found if wanted(move)] or found))


class Seen:
    """A board as one sees it: which cells are full, walls, floor and sky included."""

    def __init__(self, board):
        self.rows, self.width, self.height = len(board.cells), board.width, board.height
        self.cells = {(r, c) for r in range(self.rows) for c in range(self.width) if board.cells[r, c]}

    def full(self, row, column):
        return row < 0 or not 0 <= column < self.width or (row, column) in self.cells

    def empty_cells(self):
        return [(r, c) for r in range(self.rows) for c in range(self.width) if not self.full(r, c)]

    def full_above(self, row, column):
        return [(above, column) for above in range(row + 1, self.rows) if self.full(above, column)]

    def holes(self):
        return {cell for cell in self.empty_cells() if self.full_above(*cell)}

    def well_cells(self):
        return {(r, c) for r, c in self.empty_cells() if self.full(r, c - 1) and self.full(r, c + 1)}

    def empty_down(self, row, column):
        """The cell and the empty ones right below it, from the top."""
        return [] if self.full(row, column) else [(row, column), *self.empty_down(row - 1, column)]

    def top(self, column):
        return max((r + 1 for r, c in self.cells if c == column), default=0)

    def lines_along_rows(self):
        """The two cells on either side of each line between full and empty along a row."""
        pairs = [((r, c - 1), (r, c)) for r in range(self.rows) for c in range(self.width + 1)]
        return {frozenset(pair) for pair in pairs if self.full(*pair[0]) != self.full(*pair[1])}

    def lines_up_columns(self):
        pairs = [((r - 1, c), (r, c)) for r in range(self.rows + 1) for c in range(self.width)]
        return {frozenset(pair) for pair in pairs if self.full(*pair[0]) != self.full(*pair[1])}


BESIDE = {"left": (0, -1), "right": (0, 1), "bottom": (-1, 0), "top": (1, 0)}


def sides(edge):
    """The two cells on either side of an edge."""
    row, column, side = edge
    return frozenset({(row, column), (row + BESIDE[side][0], column + BESIDE[side][1])})


def counts(found):
    """The count of each drawn cell, without those that are only shown."""
    return {(row, column): count for row, column, count in found.cells if count}


def added_up(found):
    """The value that a student gets by counting what is drawn."""
    numbers = [number for _, number in found.columns]
    heights = [height for height, _ in found.levels]
    return {
        "cells": lambda: sum(count for _, _, count in found.cells),
        "edges": lambda: len(found.edges),
        "rows": lambda: len(found.rows),
        "columns": lambda: sum(numbers),
        "each column": lambda: numbers,
        "different": lambda: len(set(numbers)),
        "level": lambda: heights[0],
        "gap": lambda: heights[0] - heights[1],
    }[found.adds]()


# --- every feature ------------------------------------------------------------------------------


def test_there_is_a_highlight_for_every_feature_and_for_nothing_else():
    assert set(HIGHLIGHTS) == set(FEATURES)


def test_only_the_constant_has_nothing_to_count():
    move = all_moves(Board.empty(), PIECES["T"], Rules())[0]
    assert [name for name in HIGHLIGHTS if highlight(name, move).adds == "none"] == ["constant"]
    assert highlight("constant", move) == Highlight(value=1, text="1 for every move")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FEATURES if name != "constant"])
@THOROUGH
@given(move=any_move())
def test_what_is_drawn_adds_up_to_the_features_value(name, move):
    found = highlight(name, move)
    assert found.value == FEATURES[name](move)
    if found.adds == "each column":
        assert [column for column, _ in found.columns] == list(range(FEATURES[name].size(move.after.width)))
        assert (added_up(found), found.offset) == (found.value, 0)
    else:
        assert added_up(found) + found.offset == found.value


@THOROUGH
@given(move=any_move())
def test_everything_drawn_lies_on_the_board_or_in_the_rows_a_piece_sticks_into(move):
    for name in FEATURES:
        found = highlight(name, move)
        board = drawn_board(found, move)
        rows, columns = range(len(board.cells)), range(board.width)
        assert all(row in rows and column in columns for row, column, _ in (*found.cells, *found.edges))
        assert all(row in rows for row in found.rows)
        assert all(column in columns[: -1 if found.between else None] for column, _ in found.columns)
        assert all(0 <= height <= len(rows) for height, _ in found.levels)
        assert not found.offset or name == "landing_height" or len(rows) > board.height


@THOROUGH
@given(move=any_move())
def test_nothing_is_drawn_twice(move):
    for name in FEATURES:
        found = highlight(name, move)
        for places in (
            [(row, column) for row, column, _ in found.cells],
            [sides(edge) for edge in found.edges],
            found.rows,
            [column for column, _ in found.columns],
        ):
            assert len(places) == len(set(places))


@THOROUGH
@given(move=any_move())
def test_every_edge_separates_a_full_from_an_empty_cell_of_the_drawn_board(move):
    for name in FEATURES:
        found = highlight(name, move)
        seen = Seen(drawn_board(found, move))
        for edge in found.edges:
            one, other = sides(edge)
            assert seen.full(*one) != seen.full(*other)


@THOROUGH
@given(move=any_move())
def test_every_text_is_short_and_contains_the_value(move):
    for name in FEATURES:
        found = highlight(name, move)
        values = found.value if isinstance(found.value, list) else [found.value]
        numbers = [float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", found.text)]
        assert numbers[-len(values) :] == values if len(values) > 1 else values[0] in numbers
        assert len(found.text) < 120


@THOROUGH
@given(move=any_move())
def test_a_highlight_goes_to_the_page_as_plain_lists_and_back(move):
    for name in FEATURES:
        found = highlight(name, move)
        plain = found.to_json()
        back = json.loads(json.dumps(plain))
        assert back == plain
        inner = {key: tuple(map(as_tuple, value)) for key, value in back.items() if isinstance(value, list)}
        assert Highlight(**(back | inner | {"value": back["value"]})) == found


def as_tuple(value):
    return tuple(value) if isinstance(value, list) else value


# --- each drawing, cell by cell -----------------------------------------------------------------


@THOROUGH
@given(move=any_move())
def test_holes_and_what_covers_them_are_drawn_where_they_are(move):
    seen = Seen(move.after)
    holes = seen.holes()
    covering = {above for hole in holes for above in seen.full_above(*hole)}
    assert counts(highlight("holes", move)) == dict.fromkeys(holes, 1)
    assert set(highlight("rows_with_holes", move).rows) == {row for row, _ in holes}
    assert {cell[:2] for cell in highlight("rows_with_holes", move).cells} == holes
    assert counts(highlight("hole_depth", move)) == dict.fromkeys(covering, 1)
    assert counts(highlight("hole_depth_sum", move)) == {hole: len(seen.full_above(*hole)) for hole in holes}
    for name in ("hole_depth", "hole_depth_sum"):
        assert {cell[:2] for cell in highlight(name, move).cells} == holes | covering


@THOROUGH
@given(move=any_move())
def test_well_cells_carry_what_they_count(move):
    seen = Seen(move.after)
    well_cells = seen.well_cells()
    assert counts(highlight("wells", move)) == {cell: len(seen.empty_down(*cell)) for cell in well_cells}
    runs = {cell for well in well_cells for cell in seen.empty_down(*well)}
    assert {cell[:2] for cell in highlight("wells", move).cells} == runs
    # One pass: a cell's number is 1 + the cells of its run that are above it.
    above = {cell: sum(cell in seen.empty_down(*other) for other in runs) for cell in runs}
    assert counts(highlight("wells_one_pass", move)) == above


@THOROUGH
@given(move=any_move())
def test_all_lines_between_full_and_empty_are_drawn(move):
    seen = Seen(move.after)
    along, up = seen.lines_along_rows(), seen.lines_up_columns()
    assert {sides(edge) for edge in highlight("row_transitions", move).edges} == along
    assert {sides(edge) for edge in highlight("column_transitions", move).edges} == up
    assert {sides(edge) for edge in highlight("frontier", move).edges} == along | up


@THOROUGH
@given(move=any_move())
def test_numbers_stand_over_their_columns_and_lines_at_their_tops(move):
    seen = Seen(move.after)
    tops = [seen.top(column) for column in range(seen.width)]
    steps = [right - left for left, right in pairwise(tops)]
    expected = {
        "column_heights": (list(enumerate(tops)), False),
        "sum_heights": (list(enumerate(tops)), False),
        "height_differences": (list(enumerate(map(abs, steps))), True),
        "bumpiness": (list(enumerate(map(abs, steps))), True),
        "diversity": ([(j, step) for j, step in enumerate(steps) if step in (-2, -1, 0, 1, 2)], True),
        "steps_of_0": ([(j, 1) for j, step in enumerate(steps) if step == 0], True),
        "steps_of_1": ([(j, 1) for j, step in enumerate(steps) if step in (-1, 1)], True),
        "steps_of_2": ([(j, 1) for j, step in enumerate(steps) if step in (-2, 2)], True),
        "low_edges": ([(0, 1)] * (steps[0] > 1) + [(seen.width - 1, 1)] * (steps[-1] < -1), False),
    }
    for name, (columns, between) in expected.items():
        found = highlight(name, move)
        assert (list(found.columns), found.between) == (columns, between)
        assert {sides(edge) for edge in found.edges} == {
            frozenset({(top - 1, column), (top, column)}) for column, top in enumerate(tops)
        }
    for name in ("max_height", "holes_by_height"):
        assert [height for height, _ in highlight(name, move).levels] == [max(tops)]
    assert counts(highlight("holes_by_height", move)) == dict.fromkeys(seen.holes(), max(tops))
    highest = tops.index(max(tops))
    assert counts(highlight("squared_height", move)) == {(row, highest): max(tops) for row in range(max(tops))}


FLAT = {  # the steps on which each piece lies flat, standing or lying
    "O": [(0,)], "T": [(1,), (-1,), (0, 0), (-1, 1)], "Z": [(1,), (-1, 0)], "S": [(-1,), (0, 1)],
    "J": [(0,), (2,), (0, 0), (0, -1)], "L": [(0,), (-2,), (0, 0), (1, 0)],
}  # fmt: skip


@THOROUGH
@given(move=any_move(), name=st.sampled_from([*FLAT]))
def test_homes_are_where_the_piece_lies_flat(move, name):
    seen = Seen(move.after)
    tops = [seen.top(column) for column in range(seen.width)]
    steps = [right - left for left, right in pairwise(tops)]
    flat = [(j, run) for run in FLAT[name] for j in range(len(steps)) if tuple(steps[j : j + len(run)]) == run]
    under = {column for j, run in flat for column in range(j, j + len(run) + 1)}
    found = highlight(f"home_{name.lower()}", move)
    assert [column for column, _ in found.columns] == sorted({j for j, _ in flat})
    assert {sides(edge) for edge in found.edges} == {
        frozenset({(tops[column] - 1, column), (tops[column], column)}) for column in under
    }


@THOROUGH
@given(move=any_move())
def test_hollows_are_filled_up_to_the_lower_neighbour(move):
    seen = Seen(move.after)
    rims = [seen.height, *(seen.top(column) for column in range(seen.width)), seen.height]
    hollow = {
        (row, column)
        for column in range(seen.width)
        for row in range(rims[column + 1], min(rims[column], rims[column + 2]))
    }
    deep = {cell for cell in hollow if sum(column == cell[1] for _, column in hollow) >= 3}
    found = highlight("i_wells", move)
    assert counts(found) == dict.fromkeys(deep, 1)
    assert dict(found.columns) == {c: sum(column == c for _, column in deep) for _, c in deep}


@THOROUGH
@given(move=any_move())
def test_the_piece_is_drawn_where_it_landed(move):
    before, board = Seen(move.before), drawn_board(highlight("lines", move), move)
    piece = Seen(board).cells - before.cells
    bottom, top = min(row for row, _ in piece), 1 + max(row for row, _ in piece)
    full_rows = {row for row in range(len(board.cells)) if all(board.cells[row])}
    cleared = set(highlight("lines", move).rows)
    assert cleared == (full_rows if cleared or not move.loses else set())
    assert counts(highlight("eroded_cells", move)) == {cell: len(cleared) for cell in piece if cell[0] in cleared}
    assert [height for height, _ in highlight("landing_height", move).levels] == [(bottom + top) / 2]
    assert [height for height, _ in highlight("drop_depth", move).levels] == [before.height, top]
    assert highlight("drop_depth", move).rows == tuple(range(top, before.height))
    for name in ("landing_height", "drop_depth"):
        assert {cell[:2] for cell in highlight(name, move).cells} == piece
    landed = {name for name in FEATURES if highlight(name, move).board == "landed"}
    assert landed == {"landing_height", "eroded_cells", "lines", "drop_depth"}


# --- small boards, read by eye ------------------------------------------------------------------


def on(picture, piece, orientation, column, **kind):
    """A move on a board drawn from the top, its rows separated by /."""
    board = Board.from_text(picture.replace("/", "\n"))
    found = all_moves(board, piece, Rules(board.width, board.height, **kind))
    return next(move for move in found if (move.orientation, move.column) == (orientation, column))


def as_it_is(picture):
    """A move that leaves this board, whatever it was."""
    board = Board.from_text(picture.replace("/", "\n"))
    return Move(board, PIECES["O"], orientation=0, column=0, row=0, after=board, cleared=(), loses=False)


DOMINO = BAGS["domino"][0]
TEXTS = {
    "one hole": (as_it_is("..../..../X.../...."), {
        "holes": "1 hole", "rows_with_holes": "1 hole in 1 row", "hole_depth": "1 full cell with a hole below",
        "hole_depth_sum": "1 hole, full cells above: 1", "max_height": "highest column: 2 rows",
        "holes_by_height": "1 hole × height 2 = 2",
        "column_heights": "heights 2, 0, 0, 0", "height_differences": "differences 2, 0, 0",
        "sum_heights": "2 + 0 + 0 + 0 = 2", "bumpiness": "2 + 0 + 0 = 2",
        "diversity": "2 of the 5 steps -2 .. 2 occur: -2, 0", "wells": "0 well cells: 0",
    }),
    "two holes in one row": (as_it_is("..../..../XX../...."), {
        "holes": "2 holes", "rows_with_holes": "2 holes in 1 row",
        "hole_depth_sum": "2 holes, full cells above: 1 + 1 = 2",
    }),
    "no hole": (as_it_is("..../..../..../...."), {
        "holes": "0 holes", "rows_with_holes": "0 holes in 0 rows", "max_height": "highest column: 0 rows",
        "diversity": "1 of the 5 steps -2 .. 2 occurs: 0", "i_wells": "0 hollows at least 3 deep: 0",
        "home_o": "3 places where O lies flat: 1", "home_t": "2 places where T lies flat: 1",
        "home_s": "0 places where S lies flat: 0", "steps_of_0": "3 steps of 0", "steps_of_1": "0 steps of 1",
        "row_transitions": "8 changes along rows", "column_transitions": "4 changes up columns",
        "frontier": "8 along rows + 4 up columns = 12",
    }),
    "a well that is three deep": (as_it_is("..../X.X./X.X./X.X."), {
        "wells": "6 well cells: 1 + 1 + 2 + 2 + 3 + 3 = 12",
        "wells_one_pass": "2 runs from a well cell down: 6 + 6 = 12",
        "i_wells": "2 hollows at least 3 deep: 3 + 3 = 6", "diversity": "0 of the 5 steps -2 .. 2 occur",
        "low_edges": "1 outer column at least 2 below the next", "squared_height": "highest column: 3 × 3 = 9",
    }),
    "a well that widens": (as_it_is("..../..../X.X./X..."), {
        "wells": "2 well cells: 2 + 2 = 4", "wells_one_pass": "2 runs from a well cell down: 3 + 3 = 6",
    }),
    "a row cleared": (on("..../..../..../X..X", DOMINO, 0, 1), {
        "eroded_cells": "1 row cleared × 2 cells of the piece there = 2", "lines": "1 row cleared",
        "landing_height": "the piece lies in row 0, counted from 0; its middle is drawn 0.5 above the floor",
        "drop_depth": "top of the board 4 - top of the piece 1 = 3",
    }),
    "two rows cleared": (on("..../..../X..X/X..X", PIECES["O"], 0, 1), {
        "eroded_cells": "2 rows cleared × 4 cells of the piece there = 8", "lines": "2 rows cleared",
        "landing_height": "from row 0 to row 1, counted from 0: middle 0.5, drawn 1 above the floor",
    }),
    "one row above the board": (on(".X../.X../.X../.X..", PIECES["I"], 1, 0), {
        "row_transitions": "16 changes along rows - 2 for 1 row above the board = 14", "lines": "0 rows cleared",
        "frontier": "16 along rows - 2 for 1 row above the board + 10 up columns = 24",
        "drop_depth": "top of the board 4 - top of the piece 5 = -1", "eroded_cells": "no row cleared: 0",
    }),
    "two rows above the board": (on(".X../.X../.X../.X..", DOMINO, 1, 1), {
        "row_transitions": "24 changes along rows - 4 for 2 rows above the board = 20",
    }),
}  # fmt: skip


@pytest.mark.parametrize(("move", "texts"), TEXTS.values(), ids=TEXTS)
def test_texts_say_how_the_value_comes_about(move, texts):
    assert {name: highlight(name, move).text for name in texts} == texts


def test_a_long_sum_is_cut_but_keeps_its_last_term_and_its_total():
    board = Board.from_text("\n".join(["X" * 15 + "."] * 11), height=14)
    move = all_moves(board, DOMINO, Rules(16, 14))[0]
    assert highlight("sum_heights", move).text == "12 + 12 + 11 + 11 + 11 + 11 + 11 + 11 + 11 + 11 + ... + 0 = 167"


def test_a_piece_may_stick_out_clear_rows_and_stay():
    move = on("XX.X/X.../X.../X...", PIECES["T"], 3, 1, game_over=GameOver.OVERFLOW_AFTER_CLEARING)
    assert not move.loses
    assert highlight("drop_depth", move).value == -1
    assert counts(highlight("eroded_cells", move)) == {(3, 2): 1}
    assert highlight("row_transitions", move).offset == 0


# --- features of one's own ----------------------------------------------------------------------


def own(function, per_column=None, name="mine"):
    return Feature(name, "m", "", function, per_column)


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        (own(lambda move: 2.5), Highlight(value=2.5, text="mine: 2.5")),
        (own(lambda move: np.int64(3)), Highlight(value=3, text="mine: 3")),
        (own(lambda move: move.after.heights, 0), Highlight(value=[0, 2, 0, 0], text="mine: [0, 2, 0, 0]")),
        (own(lambda move: -7, name="holes"), Highlight(value=-7, text="holes: -7")),
    ],
)
def test_a_feature_of_ones_own_has_a_value_and_a_text_even_if_its_name_is_taken(feature, expected):
    move = on("..../..../..../....", DOMINO, 1, 1)
    found = highlight(feature, move)
    assert found == expected
    assert json.loads(json.dumps(found.to_json())) == found.to_json()


def test_a_catalogue_feature_is_drawn_whether_given_itself_or_by_name():
    move = on("..../..../X..X/X..X", PIECES["O"], 0, 1)
    assert all(highlight(feature, move) == highlight(name, move) for name, feature in FEATURES.items())


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        ("hole", "feature is 'hole'; did you mean 'holes'?"),
        (7, "feature is 7; it must be a name, a Feature or a function of a move"),
        (own(lambda move: None), "feature mine gave None for a move; it must be one number"),
        (own(lambda move: float("nan")), "feature mine[0] is nan; every one must be a finite number"),
    ],
)
def test_what_is_no_feature_is_refused(feature, message):
    with pytest.raises(InputError, match=re.escape(message)):
        highlight(feature, on("..../..../..../....", DOMINO, 1, 1))
