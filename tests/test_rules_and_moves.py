"""Rules, moves and chance: where pieces land, what loses, what scores, and which pieces come."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from tetriscourse.game.board import Board
from tetriscourse.game.moves import all_moves, can_enter, landing_row, moves
from tetriscourse.game.pieces import BAGS, DOMINO, PIECES
from tetriscourse.game.random import (
    AGENT_STREAM,
    GOLDEN,
    PIECE_STREAM,
    TIE_STREAM,
    Chance,
    bits32,
    mix,
    shuffled,
    stream_key,
    thresholds,
)
from tetriscourse.game.rules import (
    POINTS,
    RULES,
    Draw,
    Entry,
    GameOver,
    LosingMoves,
    PieceSequence,
    Rules,
    Scoring,
    short_name,
)

ANY_PIECE = [piece for bag in BAGS.values() for piece in bag]


@st.composite
def boards(draw, least_width=4, most_width=10, most_height=12, free_rows=0):
    """Boards without a full row; the highest free_rows rows are empty."""
    width, height = draw(st.integers(least_width, most_width)), draw(st.integers(4, most_height))
    row = st.integers(0, 2**width - 2).map(lambda bits: [bits >> column & 1 for column in range(width)])
    return Board(draw(st.lists(row, max_size=height - free_rows)) or [[0] * width], height)


def full_cells(board):
    """The (row, column) of every full cell, read from the board's text."""
    rows = board.text().split("\n")[::-1]
    return {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X"}


def fallen(cells, shape, column, start):
    """The bottom row where a shape stops, one row at a time; None if there is no room at the start."""

    def hits(row):
        return any(row + r < 0 or (row + r, column + c) in cells for r, c in shape.cells)

    if hits(start):
        return None
    while not hits(start - 1):
        start -= 1
    return start


def cleared_by_hand(cells, width):
    """The full rows, and the cells once those rows are taken out."""
    full = [r for r in range(40) if all((r, c) in cells for c in range(width))]
    return full, {(r - sum(row < r for row in full), c) for r, c in cells if r not in full}


def seen(found):
    """Everything about moves but their boards."""
    return [(move.orientation, move.column, move.row, move.cleared, move.loses) for move in found]


# --- where a piece lands ------------------------------------------------------------------------


def test_a_piece_has_9_to_34_placements_on_width_10_and_all_have_162():
    counts = {name: len(moves(Board.empty(), piece)) for name, piece in PIECES.items()}
    assert counts == {"I": 17, "O": 9, "T": 34, "Z": 17, "S": 17, "J": 34, "L": 34}
    assert sum(counts.values()) == 162


@pytest.mark.parametrize("name", PIECES)
def test_moves_come_by_orientation_and_then_by_column(name):
    found = [(move.orientation, move.column) for move in moves(Board.empty(), PIECES[name])]
    assert found == sorted(set(found))


@given(boards(), st.sampled_from(ANY_PIECE))
def test_a_piece_falls_from_above_until_something_is_below_it(board, piece):
    cells, rules = full_cells(board), Rules(board.width, board.height)
    expected = {
        (orientation, column): fallen(cells, shape, column, 40)
        for orientation, shape in enumerate(piece.orientations)
        for column in range(board.width - shape.width + 1)
    }
    assert {(move.orientation, move.column): move.row for move in all_moves(board, piece, rules)} == expected


@given(boards(), st.sampled_from(ANY_PIECE), st.data())
def test_a_piece_that_starts_in_a_hollow_falls_from_there(board, piece, data):
    shape = data.draw(st.sampled_from(piece.orientations))
    start = data.draw(st.integers(0, board.height))
    for column in range(board.width - shape.width + 1):
        assert landing_row(board, shape, column, start) == fallen(full_cells(board), shape, column, start)
    assert landing_row(board, shape, -1, start) is None
    assert landing_row(board, shape, board.width - shape.width + 1, start) is None


@given(boards(), st.sampled_from(ANY_PIECE))
def test_after_a_move_the_piece_is_there_and_full_rows_are_gone(board, piece):
    for move in moves(board, piece):
        placed = {(move.row + r, move.column + c) for r, c in piece.orientations[move.orientation].cells}
        full, left = cleared_by_hand(full_cells(board) | placed, board.width)
        assert set(move.cells) == placed
        assert (list(move.cleared), move.rows) == (full, len(full))
        assert full_cells(move.after) == left
        assert move.before is board


def test_a_move_remembers_the_letter_of_its_piece():
    move = moves(Board.empty(4, 4), PIECES["T"])[0]
    assert move.after.text(letters=True) == "....\nT...\nTT..\nT..."


def test_a_move_introduces_itself():
    board = Board.from_text("XX..", height=4)
    described = [repr(move) for move in moves(board, DOMINO)]
    assert "Move(domino X/X in column 2, lands on row 0)" in described
    assert "Move(domino XX in column 2, lands on row 0, 1 cleared)" in described
    losing = [repr(move) for move in all_moves(Board.from_text("XX..\n" * 4), DOMINO, Rules(4, 4))]
    assert "Move(domino X/X in column 0, lands on row 4, loses)" in losing


# --- what loses ---------------------------------------------------------------------------------

@given(boards(), st.sampled_from(ANY_PIECE))
def test_a_move_loses_when_a_cell_lands_above_the_board_even_if_it_clears_rows(board, piece):
    rules = Rules(board.width, board.height)
    for move in all_moves(board, piece, rules):
        assert move.loses == any(row >= board.height for row, _ in move.cells)
        if move.loses:
            assert move.cleared == ()
            assert full_cells(move.after) == full_cells(board) | set(move.cells)


@given(boards(), st.sampled_from(ANY_PIECE))
def test_after_clearing_a_move_loses_when_a_cell_is_still_above_the_board(board, piece):
    rules = Rules(board.width, board.height, game_over=GameOver.OVERFLOW_AFTER_CLEARING)
    for move in all_moves(board, piece, rules):
        full, left = cleared_by_hand(full_cells(board) | set(move.cells), board.width)
        assert list(move.cleared) == full
        assert full_cells(move.after) == left
        assert move.loses == any(row >= board.height for row, _ in left)


def test_clearing_can_save_a_piece_that_sticks_out():
    board = Board.from_text("XXX.\nXXX.\nXXX.\nX.XX")
    found = {
        end: next(m for m in all_moves(board, PIECES["I"], Rules(4, 4, game_over=end)) if m.column == 3)
        for end in ("overflow", "overflow-after-clearing", "top-row")
    }
    assert {end: (m.row, m.loses, m.rows) for end, m in found.items()} == {
        "overflow": (1, True, 0), "overflow-after-clearing": (1, False, 3), "top-row": (1, True, 0),
    }  # fmt: skip
    assert found["overflow-after-clearing"].after.text() == "....\n....\n...X\nX.XX"


def test_the_top_row_can_be_used_unless_the_rules_forbid_it():
    board = Board.from_text("X...\nX...\nX...\nX.XX")
    found = {
        str(end): next(m for m in all_moves(board, PIECES["I"], Rules(4, 4, game_over=end)) if m.column == 1)
        for end in GameOver
    }
    assert {end: (m.row, m.loses, m.rows) for end, m in found.items()} == {
        "overflow": (0, False, 1), "overflow-after-clearing": (0, False, 1), "top-row": (0, True, 0),
    }  # fmt: skip


@given(boards(free_rows=1, most_height=11).filter(lambda board: board.height > 4), st.sampled_from(ANY_PIECE))
def test_losing_by_the_top_row_is_overflow_of_a_board_one_row_lower(board, piece):
    lower = Board(board.cells[:-1])
    touching = all_moves(board, piece, Rules(board.width, board.height, game_over=GameOver.TOP_ROW))
    overflowing = all_moves(lower, piece, Rules(lower.width, lower.height))
    assert seen(touching) == seen(overflowing)
    assert [full_cells(m.after) for m in touching] == [full_cells(m.after) for m in overflowing]


@given(boards(most_height=6), st.sampled_from(ANY_PIECE))
def test_losing_moves_are_refused_or_allowed_as_the_rules_say(board, piece):
    refused = Rules(board.width, board.height)
    allowed = replace(refused, losing_moves=LosingMoves.ALLOWED)
    every_move = seen(all_moves(board, piece, refused))
    assert seen(moves(board, piece, refused)) == [move for move in every_move if not move[-1]]
    assert seen(moves(board, piece, allowed)) == every_move
    assert seen(moves(board, piece)) == seen(moves(board, piece, refused))


def test_a_game_is_over_when_every_move_loses():
    board = Board.from_text("X.XX\nXX.X\nXXX.\n.XXX")
    assert moves(board, PIECES["O"]) == []
    assert len(moves(board, PIECES["O"], Rules(4, 4, losing_moves="allowed"))) == 3


# --- how a piece comes in -----------------------------------------------------------------------

SPAWN = Rules(6, 6, entry=Entry.SPAWN)


def test_in_tetrisbots_game_a_piece_must_fit_in_its_column_where_it_comes_in():
    tower = Board.from_text("X.....\n" * 6)
    assert {move.column for move in all_moves(tower, DOMINO, SPAWN)} == {0, 1, 2, 3, 4, 5}
    higher = tower.with_cells([(6, 0)])
    assert {move.column for move in all_moves(higher, DOMINO, SPAWN)} == {1, 2, 3, 4, 5}
    assert {move.column for move in all_moves(higher, DOMINO, Rules(6, 6))} == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize(("column", "enters"), [(0, True), (1, False), (2, False), (3, False), (4, False), (5, True)])
def test_a_piece_enters_only_if_the_middle_is_free(column, enters):
    """The I lies in columns 1 to 4 of six, in the row above the board."""
    board = Board.empty(6, 6).with_cells([(6, column)])
    assert can_enter(board, PIECES["I"], SPAWN) == enters
    assert bool(all_moves(board, PIECES["I"], SPAWN)) == enters
    assert can_enter(board, PIECES["I"], Rules(6, 6))


def test_an_odd_gap_puts_a_piece_left_of_the_centre():
    """On width 6 the T lies in columns 1 to 3; its stem is above, so row 5 is its lower row."""
    blocks = {column: Board.empty(6, 6).with_cells([(5, column)]) for column in range(6)}
    assert [column for column, board in blocks.items() if not can_enter(board, PIECES["T"], SPAWN)] == [1, 2, 3]


@given(boards(least_width=6), st.sampled_from(ANY_PIECE))
def test_from_the_entry_a_piece_falls_straight_down(board, piece):
    rules, cells = Rules(board.width, board.height, entry=Entry.SPAWN), full_cells(board)
    expected = {}
    if can_enter(board, piece, rules):
        for orientation, shape in enumerate(piece.orientations):
            for column in range(board.width - shape.width + 1):
                # its top row is the first one above the board
                row = fallen(cells, shape, column, board.height + 1 - shape.height)
                if row is not None:
                    expected[orientation, column] = row
    assert {(move.orientation, move.column): move.row for move in all_moves(board, piece, rules)} == expected


# --- what scores --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scoring", "points"),
    [("lines", [0, 1, 2, 3, 4]), ("tetrisbot", [0, 40, 100, 300, 1200]), ("squares", [0, 1, 4, 9, 16])],
)
def test_rows_cleared_at_once_score_as_published(scoring, points):
    assert [Rules(scoring=scoring).points(rows) for rows in range(5)] == points


def test_every_way_of_scoring_is_defined():
    assert set(POINTS) == set(Scoring)


# --- the catalogue of rules ---------------------------------------------------------------------


def test_the_research_game_is_the_default():
    assert RULES["research"] == Rules()
    assert Rules().differences() == {}
    assert str(Rules()) == "10x20"
    assert [Rules().width, Rules().height, Rules().max_pieces, Rules().pieces_known] == [10, 20, 0, 1]


def test_tetrisbots_game_differs_as_its_report_says():
    assert RULES["tetrisbot"].differences() == {
        "height": 22, "bag": "rapid", "draw": Draw.BAG, "game_over": GameOver.OVERFLOW_AFTER_CLEARING,
        "losing_moves": LosingMoves.ALLOWED, "entry": Entry.SPAWN, "scoring": Scoring.TETRISBOT,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "differences"),
    [
        ("harder", {"probabilities": (1, 1, 1, 3, 3, 1, 1)}),
        ("hardest", {"probabilities": (1, 1, 1, 4, 4, 1, 1)}),
        ("losing-allowed", {"losing_moves": "allowed"}),
        ("top-row", {"game_over": "top-row"}),
        ("after-clearing", {"game_over": "overflow-after-clearing"}),
        ("bag", {"draw": "bag"}),
        ("two-piece", {"pieces_known": 2}),
        ("10x16", {"height": 16}),
        ("10x10", {"height": 10}),
        ("6x12", {"width": 6, "height": 12}),
        ("5x5", {"width": 5, "height": 5}),
    ],
)
def test_each_variant_differs_from_the_research_game_in_one_thing(name, differences):
    assert RULES[name].differences() == differences
    assert RULES[name] == Rules(**differences)


def test_probabilities_can_be_given_by_name():
    rules = Rules(probabilities={"S": 1, "Z": 2})
    assert rules.probabilities == (0, 0, 0, 2, 1, 0, 0)
    assert {str(piece) for piece in islice(PieceSequence(rules, 0, 0), 99)} == {"S", "Z"}


# --- which pieces come --------------------------------------------------------------------------

UNLIKELY = 1e-4
"""A test of chance fails when what it sees is less likely than this; seeds are fixed, so it always says the same."""


def names(rules, seed, game, n):
    """The first n pieces of a game."""
    return [str(piece) for piece in islice(PieceSequence(rules, seed, game), n)]


def likelihood(drawn, shares):
    """How likely it is to see counts at least as uneven as these (Pearson's chi-square test)."""
    counts = Counter(drawn)
    assert set(counts) <= set(shares)
    total = sum(shares.values())
    return chisquare([counts[one] for one in shares], [len(drawn) * share / total for share in shares.values()]).pvalue


def test_the_hash_is_splitmix64():
    """The first numbers of the published generator, started at 0."""
    assert [mix(n * GOLDEN & 2**64 - 1) for n in (1, 2, 3)] == [
        0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F,
    ]  # fmt: skip


@pytest.mark.parametrize("rules", [RULES["research"], RULES["harder"], RULES["bag"]], ids=str)
def test_the_same_seed_and_game_give_the_same_pieces(rules):
    assert names(rules, 5, 3, 200) == names(rules, 5, 3, 200)
    sequence = PieceSequence(rules, 5, 3)
    assert [str(sequence[position]) for position in reversed(range(200))] == names(rules, 5, 3, 200)[::-1]


@pytest.mark.parametrize("rules", [RULES["research"], RULES["harder"], RULES["bag"]], ids=str)
def test_other_seeds_and_other_games_give_other_pieces(rules):
    several = [tuple(names(rules, seed, game, 60)) for seed in range(10) for game in range(10)]
    assert len(set(several)) == 100


def test_pieces_ties_and_agents_have_streams_of_their_own():
    streams = (PIECE_STREAM, TIE_STREAM, AGENT_STREAM)
    assert len({stream_key(*one) for one in product(range(9), range(9), streams)}) == 9 * 9 * 3
    assert len({bits32(stream_key(0, 0, stream), position) for stream in streams for position in range(9)}) == 27


@pytest.mark.parametrize(
    ("rules", "shares"),
    [
        (RULES["research"], dict.fromkeys("IOTZSJL", 1)),
        (RULES["harder"], {"I": 1, "O": 1, "T": 1, "Z": 3, "S": 3, "J": 1, "L": 1}),
        (Rules(probabilities=(0.1, 0.2, 0, 0.05, 0.15, 0.5, 0)), {"I": 2, "O": 4, "Z": 1, "S": 3, "J": 10}),
    ],
    ids=["equal", "harder", "uneven"],
)
def test_every_piece_is_drawn_with_its_probability(rules, shares):
    assert likelihood(names(rules, 1, 0, 20_000), shares) > UNLIKELY
    assert likelihood([str(PieceSequence(rules, 1, game)[0]) for game in range(5_000)], shares) > UNLIKELY


@pytest.mark.parametrize(("rules", "times"), [("harder", 3), ("hardest", 4)])
def test_in_harder_games_s_and_z_come_three_times_in_eleven_or_four_times_in_thirteen(rules, times):
    all_, n = 5 + 2 * times, 22_000
    counts = Counter(names(RULES[rules], 2, 0, n))
    for name in "SZ":
        assert counts[name] == pytest.approx(n * times / all_, abs=5 * (n * times / all_ * (1 - times / all_)) ** 0.5)
    assert counts["I"] == pytest.approx(n / all_, abs=5 * (n / all_ * (1 - 1 / all_)) ** 0.5)


def test_a_piece_does_not_depend_on_the_one_before():
    pairs = dict.fromkeys((one + other for one in "IOTZSJL" for other in "IOTZSJL"), 1)
    drawn = names(RULES["research"], 3, 0, 20_000)
    # every second pair, so that no piece counts twice
    assert likelihood([one + other for one, other in list(pairwise(drawn))[::2]], pairs) > UNLIKELY


@pytest.mark.parametrize("game", range(5))
def test_a_bag_holds_each_piece_once_a_round(game):
    drawn = names(RULES["bag"], 4, game, 70 * 7)
    rounds = ["".join(drawn[first : first + 7]) for first in range(0, len(drawn), 7)]
    assert {"".join(sorted(one)) for one in rounds} == {"IJLOSTZ"}
    assert len(set(rounds)) > 60


@pytest.mark.parametrize(
    ("rules", "round_"),
    [
        (Rules(draw="by-turns"), "IOTZSJL"),
        (Rules(draw="by-turns", probabilities={"S": 1, "Z": 1}), "ZS"),
        (Rules(draw="by-turns", probabilities={"L": 2, "I": 2, "T": 2}), "ITL"),
    ],
    ids=str,
)
def test_by_turns_the_same_pieces_come_in_the_order_of_the_bag_whatever_the_seed(rules, round_):
    for seed, game in product(range(3), range(3)):
        assert "".join(names(rules, seed, game, 5 * len(round_))) == 5 * round_


def test_every_order_of_a_bag_is_as_likely():
    orders = ["".join(map(str, shuffled(4, stream_key(0, game, 0), 0))) for game in range(6_000)]
    assert likelihood(orders, {"".join(order): 1 for order in permutations("0123")}) > UNLIKELY


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=7).filter(any))
def test_thresholds_divide_the_32_bits_by_probability(shares):
    edges, total = thresholds([float(share) for share in shares]), sum(shares)
    assert edges[-1] == 2**32
    for i, edge in enumerate(edges):
        assert abs(edge - Fraction(sum(shares[: i + 1]) * 2**32, total)) <= 1
    widths = [high - low for low, high in pairwise([0, *edges])]
    assert [width == 0 for width in widths] == [share == 0 for share in shares]


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=7), st.integers(-900, 900))
def test_only_the_ratio_of_probabilities_matters(probabilities, exponent):
    assert thresholds(probabilities) == thresholds([one * 2.0**exponent for one in probabilities])


def test_chance_is_even_and_can_be_repeated():
    first, again = Chance(7, 1), Chance(7, 1)
    drawn = [first.below(5) for _ in range(5_000)]
    assert drawn == [again.below(5) for _ in range(5_000)]
    assert likelihood(drawn, dict.fromkeys(range(5), 1)) > UNLIKELY
    assert [Chance(7, 1, position=position).below(5) for position in range(50)] == drawn[:50]
    assert {Chance(7, 1, position=position).pick("abc") for position in range(50)} == set("abc")


@pytest.mark.parametrize("name", RULES)
def test_rules_print_as_what_makes_them_again(name):
    assert eval(repr(RULES[name]), {"Rules": Rules}) == RULES[name]


def test_rules_are_called_by_name_and_piece_limit():
    assert short_name(RULES["harder"]) == "harder"
    assert short_name(replace(RULES["hardest"], height=10)) == "hardest on 10x10"
    assert short_name(replace(RULES["tetrisbot"], max_pieces=500)) == "tetrisbot, max_pieces 500"
    assert short_name(Rules(7, 9)) == "7x9"
