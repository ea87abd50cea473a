"""Pieces and boards: shapes, turns, drawings, heights, and rows that are full."""

from __future__ import annotations

import pickle
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetriscourse.game.board import MAX_HEIGHT, MAX_WIDTH, MIN_SIZE, Board
from tetriscourse.game.drawing import COLOURS, MARKS
from tetriscourse.game.pieces import BAGS, DOMINO, PIECES, Orientation, all_orientations

ORIENTATIONS = {
    "I": "X/X/X/X XXXX",
    "O": "XX/XX",
    "T": "X./XX/X. .X./XXX .X/XX/.X XXX/.X.",
    "Z": ".X/XX/X. XX./.XX",
    "S": "X./XX/.X .XX/XX.",
    "J": "X../XXX .X/.X/XX XXX/..X XX/X./X.",
    "L": "XXX/X.. X./X./XX ..X/XXX XX/.X/.X",
}
"""As MDPTetris orders them: this order decides ties."""

RAPID = {
    "I": "XXXX X/X/X/X",
    "O": "XX/XX",
    "T": ".X./XXX X./XX/X. XXX/.X. .X/XX/.X",
    "Z": "XX./.XX .X/XX/X.",
    "S": ".XX/XX. X./XX/.X",
    "J": "X../XXX XX/X./X. XXX/..X .X/.X/XX",
    "L": "..X/XXX X./X./XX XXX/X.. XX/.X/.X",
}
"""As TetrisBot orders them: lying flat, then turn by turn to the right."""

EVERY_PIECE = [(bag, piece) for bag, pieces in BAGS.items() for piece in pieces]
every_piece = pytest.mark.parametrize(
    "piece", [piece for _, piece in EVERY_PIECE], ids=[f"{bag} {piece}" for bag, piece in EVERY_PIECE]
)


def corner_at_zero(cells):
    """The cells moved so that the lowest row and the leftmost column are 0."""
    bottom, left = min(r for r, _ in cells), min(c for _, c in cells)
    return {(r - bottom, c - left) for r, c in cells}


def turned_left(cells):
    """The cells after a quarter turn to the left: what was right is now up, what was up is now left."""
    return corner_at_zero([(c, -r) for r, c in cells])


# --- pieces -------------------------------------------------------------------------------------


def test_there_are_seven_pieces_in_the_order_of_mdptetris():
    assert list(PIECES) == list("IOTZSJL")
    assert BAGS["research"] == tuple(PIECES.values())


@pytest.mark.parametrize("name", ORIENTATIONS)
def test_orientations_come_in_the_order_of_mdptetris(name):
    assert " ".join(map(str, PIECES[name].orientations)) == ORIENTATIONS[name]


def test_tetrisbots_pieces_are_the_same_in_an_order_of_their_own():
    assert {piece.name: " ".join(map(str, piece.orientations)) for piece in BAGS["rapid"]} == RAPID
    assert [piece.name for piece in BAGS["rapid"]] == list(PIECES)


def test_the_domino_is_one_piece_of_two_cells():
    assert BAGS["domino"] == (DOMINO,)
    assert [str(shape) for shape in DOMINO.orientations] == ["XX", "X/X"]
    assert DOMINO.size == 2


@pytest.mark.parametrize("name", PIECES)
def test_a_tetromino_is_four_cells_in_one_part(name):
    for shape in PIECES[name].orientations:
        assert len(set(shape.cells)) == PIECES[name].size == 4
        reached = {shape.cells[0]}
        for _ in range(3):
            reached |= {(r, c) for r, c in shape.cells if any(abs(r - s) + abs(c - d) == 1 for s, d in reached)}
        assert reached == set(shape.cells)


@every_piece
def test_a_step_to_the_left_in_the_list_is_a_quarter_turn_to_the_left(piece):
    for number, shape in enumerate(piece.orientations):
        following = piece.orientations[(number + piece.left) % len(piece.orientations)]
        assert turned_left(shape.cells) == set(following.cells)


@every_piece
def test_four_turns_to_the_left_give_the_same_piece(piece):
    assert 4 % len(piece.orientations) == 0
    for shape in piece.orientations:
        assert turned_left(turned_left(turned_left(turned_left(shape.cells)))) == set(shape.cells)


@pytest.mark.parametrize("piece", [*PIECES.values(), DOMINO], ids=str)
def test_orientations_are_all_the_different_turns_and_no_more(piece):
    shapes = {shape.cells for shape in piece.orientations}
    assert len(shapes) == len(piece.orientations)
    assert {tuple(sorted(turned_left(cells))) for cells in shapes} == shapes


def test_there_are_nineteen_shapes_and_two_of_the_domino():
    drawings = [str(shape) for shape in all_orientations()]
    assert len(drawings) == len(set(drawings)) == 21
    assert set(drawings) == set(" ".join(ORIENTATIONS.values()).split()) | {"X/X", "XX"}


CLASSIC = {
    "I": "..../XXXX/..../....",
    "T": ".X./XXX/...",
    "Z": "XX./.XX/...",
    "S": ".XX/XX./...",
    "J": "X../XXX/...",
    "L": "..X/XXX/...",
}


@pytest.mark.parametrize("name", CLASSIC)
def test_classic_pieces_turn_four_times_in_a_square(name):
    piece = next(piece for piece in BAGS["classic"] if piece.name == name)
    square = np.array([list(row) for row in CLASSIC[name].split("/")]) == "X"
    assert len(piece.orientations) == 4
    for turns, shape in enumerate(piece.orientations):
        down, right = shape.corner
        drawn = np.zeros_like(square)
        for row, column in shape.cells:
            drawn[down + shape.height - 1 - row, right + column] = True
        assert np.array_equal(drawn, np.rot90(square, piece.left * turns))


def test_the_classic_square_does_not_turn():
    assert BAGS["classic"][1] is PIECES["O"]
    assert [piece.name for piece in BAGS["classic"]] == list("IOTZSJL")


@every_piece
def test_a_piece_enters_lying_flat(piece):
    flat = {
        "I": "XXXX", "O": "XX/XX", "T": ".X./XXX", "Z": "XX./.XX", "S": ".XX/XX.", "J": "X../XXX", "L": "..X/XXX",
        "domino": "XX",
    }  # fmt: skip
    assert str(piece.orientations[piece.spawn]) == flat[piece.name]


@every_piece
def test_width_height_and_columns_describe_the_cells(piece):
    for shape in piece.orientations:
        rows = str(shape).split("/")
        assert (shape.height, shape.width) == (len(rows), len(rows[0]))
        for column, (lowest, cells) in enumerate(shape.columns):
            drawn = "".join(row[column] for row in reversed(rows))
            assert drawn == "." * lowest + "X" * cells + "." * (shape.height - lowest - cells)


@every_piece
def test_a_shape_can_be_read_from_its_drawing(piece):
    for shape in piece.orientations:
        assert Orientation.from_text(str(shape)).cells == shape.cells


# --- boards -------------------------------------------------------------------------------------


@st.composite
def drawings(draw, marks=".X"):
    """Boards as text, the top row first."""
    width, height = draw(st.integers(MIN_SIZE, MAX_WIDTH)), draw(st.integers(MIN_SIZE, MAX_HEIGHT))
    row = st.text(marks, min_size=width, max_size=width) | st.sampled_from([marks[0] * width, marks[-1] * width])
    return "\n".join(draw(st.lists(row, min_size=height, max_size=height)))


def full_cells(text):
    """The (row, column) of each cell that is drawn full, rows from the bottom."""
    rows = text.split("\n")[::-1]
    return {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != "."}


def drawing(cells, width, height):
    """The text in which these cells are full."""
    rows = ("".join("X" if (r, c) in cells else "." for c in range(width)) for r in reversed(range(height)))
    return "\n".join(rows)


def test_the_top_row_is_drawn_first_and_is_the_last_row():
    board = Board.from_text("....\n....\nX...\nXXX.")
    assert board.full[0].tolist() == [True, True, True, False]
    assert board.full[1].tolist() == [True, False, False, False]
    assert (board.width, board.height) == (4, 4)


@given(drawings())
def test_a_board_is_read_back_from_its_text(text):
    assert Board.from_text(text).text() == str(Board.from_text(text)) == text


@given(drawings(MARKS))
def test_a_board_with_letters_is_read_back_from_its_text(text):
    board = Board.from_text(text)
    assert board.text(letters=True) == text
    assert board.text() == "".join("X" if mark in "IOTZSJL" else mark for mark in text)


@given(drawings())
def test_full_and_empty_can_be_drawn_in_two_ways(text):
    assert Board.from_text(text.replace(".", "0").replace("X", "#")) == Board.from_text(text)


@given(drawings(), st.integers(0, 4))
def test_a_text_lies_at_the_bottom_of_a_higher_board(text, more):
    low = Board.from_text(text)
    height = min(low.height + more, MAX_HEIGHT)
    high = Board.from_text(text, height=height)
    assert high.text().split("\n") == ["." * low.width] * (height - low.height) + text.split("\n")


@given(drawings())
def test_the_height_of_a_column_is_the_row_above_its_highest_cell(text):
    board, cells = Board.from_text(text), full_cells(text)
    assert board.heights.tolist() == [
        max((r + 1 for r, c in cells if c == column), default=0) for column in range(board.width)
    ]


@given(drawings(MARKS))
def test_a_picture_shows_every_full_cell_in_its_colour(text):
    board = Board.from_text(text)
    svg = ElementTree.fromstring(board.picture(cell=10))
    squares = {
        (board.height - 1 - int(square.get("y")) // 10, int(square.get("x")) // 10): square.get("fill")
        for square in svg.iter("{http://www.w3.org/2000/svg}rect")
        if square.get("x")
    }
    rows = text.split("\n")[::-1]
    assert squares == {
        (r, c): COLOURS[MARKS.index(rows[r][c])] for r in range(board.height) for c in range(board.width)
    }
    assert len(set(COLOURS)) == len(MARKS)


def test_a_picture_is_told_in_words_too():
    svg = ElementTree.fromstring(Board.from_text("....\n....\nX...\nXXX.").picture())
    told = "Board of 4 columns and 4 rows; heights 2 1 1 0"
    assert svg.get("aria-label") == svg.findtext("{http://www.w3.org/2000/svg}title") == told
    assert svg.get("role") == "img"


@given(drawings())
def test_a_row_is_full_when_no_cell_is_empty(text):
    assert Board.from_text(text).full_rows() == [r for r, row in enumerate(text.split("\n")[::-1]) if "." not in row]


@given(drawings())
def test_clearing_removes_the_full_rows_and_everything_above_comes_down(text):
    board, rows = Board.from_text(text), text.split("\n")
    left = [row for row in rows if "." in row]
    cleared = board.without_rows(board.full_rows())
    assert cleared.text().split("\n") == ["." * board.width] * (len(rows) - len(left)) + left
    assert (cleared.width, cleared.height) == (board.width, board.height)
    assert board.text() == text


@given(drawings(), st.data())
def test_any_rows_can_be_removed(text, data):
    board, rows = Board.from_text(text), text.split("\n")[::-1]
    removed = data.draw(st.sets(st.integers(0, len(rows) - 1)))
    kept = [row for r, row in enumerate(rows) if r not in removed] + ["." * board.width] * len(removed)
    assert board.without_rows(removed).text() == "\n".join(kept[::-1])


@pytest.mark.slow
@given(drawings(), st.data())
def test_filling_cells_leaves_the_others_and_the_first_board_as_they_are(text, data):
    board = Board.from_text(text)
    cell = st.tuples(st.integers(0, board.height + 3), st.integers(0, board.width - 1))
    more = data.draw(st.sets(cell, max_size=4))
    filled = board.with_cells(more, "T")
    rows = max(board.height, *(1 + r for r, _ in more)) if more else board.height
    assert filled.text() == drawing(full_cells(text) | more, board.width, rows)
    assert filled.height == board.height
    assert board.text() == text


def test_a_board_remembers_which_piece_filled_a_cell():
    board = Board.empty(4, 4).with_cells([(0, 0)], "T").with_cells([(0, 1)], "I").with_cells([(0, 3)], "domino")
    assert board.text(letters=True).split("\n")[-1] == "TI.X"


@pytest.mark.parametrize("name", ["", ".", "0", "OT", "my piece"])
def test_whatever_a_piece_is_called_its_cells_are_full(name):
    assert Board.empty(4, 4).with_cells([(0, 2)], name).text(letters=True).split("\n")[-1] == "..X."


@given(drawings(), st.integers(0, 3))
def test_a_board_overflows_when_a_cell_above_it_is_full(text, above):
    board = Board.from_text(text)
    assert not board.overflows
    assert board.with_cells([(board.height + above, 0)]).overflows
    assert not board.with_cells([(board.height - 1, 0)]).overflows


def test_rows_above_the_board_are_dropped_once_they_are_empty():
    board = Board.from_text("....\nXXX.\nXXX.\nXXX.").with_cells([(0, 3), (4, 0)])
    assert board.overflows
    assert board.without_rows([0]).text() == "X...\n....\nXXX.\nXXX."
    still = board.with_cells([(5, 0)]).without_rows([0])
    assert still.overflows
    assert still.text() == "X...\nX...\n....\nXXX.\nXXX."
    above = Board.empty(4, 4).with_cells([(5, column) for column in range(4)])
    assert above.without_rows([5]) == Board.empty(4, 4)
    assert Board(np.zeros((6, 4)), height=4).without_rows([]) == Board.empty(4, 4)


@given(drawings(), st.integers(-2, MAX_HEIGHT + 2), st.integers(-2, MAX_WIDTH + 2))
def test_walls_and_floor_are_full_and_the_sky_is_empty(text, row, column):
    board = Board.from_text(text)
    inside = row >= 0 and 0 <= column < board.width
    assert board.is_free([(row, column)]) == (inside and (row, column) not in full_cells(text))


@given(drawings(), st.data())
def test_room_for_a_shape_is_room_for_all_its_cells(text, data):
    board = Board.from_text(text)
    cell = st.tuples(st.integers(0, board.height), st.integers(0, board.width - 1))
    several = data.draw(st.lists(cell, min_size=1, max_size=4))
    assert board.is_free(several) == (not full_cells(text) & set(several))


@given(drawings(MARKS), st.data())
def test_boards_are_equal_when_the_same_cells_are_full(text, data):
    board = Board.from_text(text)
    grey = Board.from_text(board.text())
    assert board == grey
    assert hash(board) == hash(grey)
    place = data.draw(st.sampled_from([at for at, mark in enumerate(text) if mark != "\n"]))
    changed = text[:place] + ("X" if text[place] == "." else ".") + text[place + 1 :]
    assert board != Board.from_text(changed)


def test_boards_of_different_heights_differ():
    assert Board.empty(4, 4) != Board.empty(4, 5)
    assert Board.empty(4, 4).with_cells([(4, 0)]) != Board.empty(4, 5).with_cells([(4, 0)])


def test_a_board_never_changes():
    given_cells = np.zeros((4, 4), np.int8)
    board = Board(given_cells)
    filled = board.with_cells([(0, 0)]).without_rows([1])
    given_cells[0, 0] = 1
    assert board == Board.empty(4, 4)
    for one in (board, filled):
        for array in (one.cells, one.full, one.heights):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_a_board_survives_being_stored():
    board = Board.from_text("....\nT...\nTT.I\nT..I").with_cells([(4, 2)])
    assert board.heights.tolist() == [3, 2, 5, 2]
    stored = pickle.loads(pickle.dumps(board))
    assert stored == board
    assert stored.text(letters=True) == board.text(letters=True)


def test_a_board_introduces_itself():
    assert repr(Board.from_text("....\n....\nX...\nXXX.")) == "Board(4x4, 4 cells, heights [2, 1, 1, 0])"
