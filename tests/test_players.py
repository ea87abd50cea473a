"""Players: published weights, exact sums, ties, looking ahead, criteria, and games in plain Python."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import frexp
from operator import add
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tetriscourse.features import FEATURES
from tetriscourse.game.board import Board
from tetriscourse.game.moves import all_moves, moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import RULES, PieceSequence, Rules
from tetriscourse.games import play_game
from tetriscourse.players import PLAYERS, Criterion, Filter, Player, fixed_point, tetrisbot

PUBLISHED = {
    "dellacherie": ("dellacherie", [-1, 1, -1, -1, -4, -1]),
    "dn": ("dn", [-12.62900, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087]),
    "dt-10": ("dt", [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27]),
    "dt-20": ("dt", [-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89]),
    "rv-ce": ("rv-ce", [-11.3348, 5.5992, -9.9515, -15.1223, -3.3014, -10.9907, -5.6510, -34.6718, 5.4843]),
    "el-tetris": ("dellacherie", [-4.50016, 3.41813, -3.21789, -9.34870, -7.89927, -3.38560]),
    "tetrisbot": ("tetrisbot", [0.548, -0.5218, -0.6267, -0.1862]),
    "tetrisbot-1": ("tetrisbot", [0.7389, -0.5367, -0.3951, -0.0997]),
    "tetrisbot-2": ("tetrisbot", [0.5037, -0.7762, -0.3666, -0.0967]),
    "tetrisbot-3": ("tetrisbot", [0.2173, -0.4716, -0.9472, -0.1798]),
    "tetrisbot-4": ("tetrisbot", [0.016, -0.007, -0.5937, -0.0198]),
    "tetrisbot-5": ("tetrisbot", [0.27, -0.0105, -0.839, -0.0472]),
    "tetrisbot-6": ("tetrisbot", [0.1407, -0.0039, -0.7186, -0.0455]),
    "tetrisbot-7": ("tetrisbot", [0.3908, -0.4556, -0.7771, -0.1892]),
}


@st.composite
def boards(draw, most_width=7, most_height=8):
    """Boards without a full row."""
    width, height = draw(st.integers(4, most_width)), draw(st.integers(4, most_height))
    row = st.integers(0, 2**width - 2).map(lambda bits: [bits >> column & 1 for column in range(width)])
    return Board(draw(st.lists(row, max_size=height)) or [[0] * width], height)


pieces = st.sampled_from(list(PIECES.values()))
weights = st.lists(st.floats(-100, 100), min_size=6, max_size=6)


def described(move):
    """Which move it is, or None."""
    return move and (move.orientation, move.column)


# --- published players --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLISHED)
def test_players_have_their_published_weights(name):
    features, expected = PUBLISHED[name]
    assert (PLAYERS[name].features.name, list(PLAYERS[name].weights)) == (features, expected)


def test_filtering_players_have_their_published_criteria():
    assert [str(one) for one in PLAYERS["filter-heights"].criteria] == [
        "fewest holes", "fewest sum_heights", "fewest bumpiness", "most lines",
    ]  # fmt: skip
    assert [str(one) for one in PLAYERS["filter-bumpiness"].criteria] == [
        "fewest holes", "fewest bumpiness", "fewest sum_heights", "most lines",
    ]  # fmt: skip


OURS = {"champion-10x10", "champion-10x20", "tetrisbot-bred"}


def test_the_catalogue_holds_the_published_players_and_ours_each_with_its_source():
    assert set(PLAYERS) == set(PUBLISHED) | {"filter-heights", "filter-bumpiness"} | OURS
    assert {name for name, player in PLAYERS.items() if player.source.startswith("ours: tetriscourse train ")} == OURS
    assert all(player.name == name and player.source for name, player in PLAYERS.items())


def test_tetrisbot_rewards_lines_and_punishes_the_rest():
    assert tetrisbot("mine", 0.1, 0.2, 0.3, 0.4).weights == (0.1, -0.2, -0.3, -0.4)


def test_a_player_introduces_itself():
    assert repr(PLAYERS["dellacherie"]) == "Player('dellacherie', [-1, 1, -1, -1, -4, -1], name='dellacherie')"


# --- weights as whole numbers -------------------------------------------------------------------

number = st.floats(min_value=1e-250, max_value=1e250) | st.floats(min_value=-1e250, max_value=-1e-250) | st.just(0.0)


@given(st.lists(number, min_size=1, max_size=28).filter(any))
def test_a_unit_is_the_20th_halving_of_the_power_of_two_above_the_largest_weight(several):
    integers, unit = fixed_point(several)
    largest = max(map(abs, several))
    assert Fraction(unit) * 2**19 <= Fraction(largest) < Fraction(unit) * 2**20
    for weight, integer in zip(several, integers, strict=True):
        assert isinstance(integer, int)
        assert abs(Fraction(weight) - integer * Fraction(unit)) <= Fraction(unit) / 2


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=9).filter(any), st.integers(-200, 200))
def test_multiplying_all_weights_by_a_power_of_two_changes_no_integer(several, exponent):
    scaled = [weight * 2.0**exponent for weight in several]
    assume([one / 2.0**exponent for one in scaled] == several)  # none is too small for a float
    assert fixed_point(scaled)[0] == fixed_point(several)[0]
    assert fixed_point(scaled)[1] == fixed_point(several)[1] * 2.0**exponent


@given(boards(), pieces, weights, st.integers(-40, 40))
@settings(max_examples=50)
def test_multiplying_all_weights_by_a_power_of_two_changes_no_choice(board, piece, several, exponent):
    player, scaled = (Player("dellacherie", [w * f for w in several]) for f in (1.0, 2.0**exponent))
    assert described(player.choose(board, piece)) == described(scaled.choose(board, piece))


def test_the_smallest_weights_are_kept_exactly():
    for weight in (5e-324, -1.5e-323, 2.0**-1060):
        (integer,), unit = fixed_point([weight])
        assert Fraction(integer) * Fraction(unit) == Fraction(weight)


@pytest.mark.parametrize("largest", [1e308, 1.7976931348623157e308, 2.0**1023])
def test_the_largest_weights_give_the_same_choices_as_smaller_ones(largest):
    board, fraction = Board.from_text("XX.X..\nX..X.X", height=8), frexp(largest)[0]
    large = Player(["holes", "wells"], [-largest, -largest / 4])
    small = Player(["holes", "wells"], [-fraction, -fraction / 4])
    assert large.integers == small.integers
    assert described(large.choose(board, PIECES["T"])) == described(small.choose(board, PIECES["T"]))


def test_weights_of_nothing_value_every_move_alike():
    player = Player("dn", [0] * 8)
    assert player.integers == (0,) * 8
    assert {player.value(move) for move in moves(Board.empty(), PIECES["J"])} == {0}


@given(boards(), pieces, weights)
@settings(max_examples=50)
def test_a_value_is_the_exact_sum_of_integers_times_features(board, piece, several):
    player = Player("dellacherie", several)
    for move in moves(board, piece):
        values = player.features.values(move)
        exact = sum(Fraction(i) * Fraction(v) for i, v in zip(player.integers, values, strict=True))
        assert Fraction(player.value(move)) == exact * Fraction(player.unit)


# --- choices ------------------------------------------------------------------------------------


@given(boards(), pieces, weights)
@settings(max_examples=50)
def test_a_player_takes_the_first_move_of_highest_value(board, piece, several):
    player, best = Player("dellacherie", several), None
    for move in moves(board, piece):
        if best is None or player.value(move) > player.value(best):
            best = move
    assert described(player.choose(board, piece)) == described(best)


@pytest.mark.parametrize("name", PIECES)
def test_ties_go_to_the_first_move(name):
    assert described(Player(["constant"], [1]).choose(Board.empty(), PIECES[name])) == (0, 0)
    right = Player([lambda move: move.column >= 3], [1])
    assert described(right.choose(Board.empty(), PIECES[name])) == (0, 3)
    last = Player([lambda move: move.orientation], [1])
    assert described(last.choose(Board.empty(), PIECES[name])) == (len(PIECES[name].orientations) - 1, 0)


def test_sums_that_differ_only_by_rounding_are_ties():
    """Ten times 0.1 is more than 0.1 added ten times, in floating point; in whole units it is the same."""
    assert reduce(add, [0.1] * 10) < 10 * 0.1
    added_up, at_once = [lambda move: move.column == 0] * 10, lambda move: 10 * (move.column == 1)
    player = Player([*added_up, at_once], [0.1] * 11)
    assert described(player.choose(Board.empty(), PIECES["O"])) == (0, 0)


def test_one_unit_decides():
    player = Player([lambda move: move.column == 0, lambda move: move.column == 1], [1, 1 + 2.0**-19])
    assert player.integers == (2**19, 2**19 + 1)
    assert described(player.choose(Board.empty(), PIECES["O"])) == (0, 1)


def test_a_player_without_moves_chooses_none():
    board = Board.from_text("X.XX\nXX.X\nXXX.\n.XXX")
    assert PLAYERS["dn"].choose(board, PIECES["O"]) is None
    assert PLAYERS["dn"].choose(board, PIECES["O"], PIECES["I"]) is None
    assert PLAYERS["filter-heights"].choose(board, PIECES["O"]) is None


def test_a_player_takes_a_losing_move_if_that_is_allowed_and_looks_best():
    board = Board.from_text("X...\nX...\nX...\nX...")
    high = Player(["landing_height"], [1])
    assert described(high.choose(board, PIECES["O"], rules=Rules(4, 4, losing_moves="allowed"))) == (0, 0)
    assert described(high.choose(board, PIECES["O"], rules=Rules(4, 4))) == (0, 1)


# --- two pieces ---------------------------------------------------------------------------------


def best_pair(player, board, piece, next_piece, rules):
    """All pairs of moves, one by one: the first move of the best pair; those without an answer come last."""
    best, highest = None, None
    for first in moves(board, piece, rules):
        answers = [player.value(second) for second in moves(first.after, next_piece, rules)] if not first.loses else []
        for rank in [(1, player.value(first) + value) for value in answers] or [(0, player.value(first))]:
            if highest is None or rank > highest:
                best, highest = first, rank
    return best


@given(boards(most_width=5, most_height=6), pieces, pieces, st.sampled_from(["refused", "allowed"]))
@settings(max_examples=60, deadline=None)
def test_knowing_the_next_piece_a_player_takes_the_first_move_of_the_best_pair(board, piece, next_piece, losing_moves):
    rules, player = Rules(board.width, board.height, losing_moves=losing_moves), PLAYERS["dellacherie"]
    chosen = player.choose(board, piece, next_piece, rules)
    assert described(chosen) == described(best_pair(player, board, piece, next_piece, rules))


def test_the_next_piece_can_change_the_choice():
    board = Board.from_text("XX.XXX\nXX.XXX\nXX.XXX", height=12)
    player = PLAYERS["dellacherie"]
    alone = {name: described(player.choose(board, piece)) for name, piece in PIECES.items()}
    ahead = {
        (name, other): described(player.choose(board, PIECES[name], PIECES[other])) for name in "TJL" for other in "IO"
    }
    assert any(choice != alone[name] for (name, _), choice in ahead.items())


# --- criteria -----------------------------------------------------------------------------------


@given(boards(), pieces)
@settings(max_examples=50)
def test_each_criterion_keeps_the_best_of_what_the_last_one_left(board, piece):
    left = moves(board, piece)
    stages = Filter(["holes", "-bumpiness", "+lines", "+max_height"]).stages(left)
    wanted = [("holes", min), ("bumpiness", min), ("lines", max), ("max_height", max)]
    for (name, best), stage in zip(wanted, stages, strict=True):
        kept = [move for move in left if FEATURES[name](move) == best(FEATURES[name](one) for one in left)]
        assert list(map(described, stage)) == list(map(described, kept))
        left = stage


@pytest.mark.parametrize(
    ("text", "told"),
    [("holes", "fewest holes"), ("+holes", "most holes"), ("lines", "most lines"), ("-lines", "fewest lines"),
     ("eroded_cells", "most eroded_cells"), ("drop_depth", "most drop_depth")],
)  # fmt: skip
def test_a_criterion_wants_few_of_what_is_bad_and_many_of_what_is_good(text, told):
    assert str(Criterion.from_text(text)) == told


def test_chance_decides_among_what_is_left_and_can_be_repeated():
    player = Filter(["max_height"])
    left = {described(move) for move in player.stages(moves(Board.empty(), PIECES["I"]))[-1]}
    chosen = [described(player.choose(Board.empty(), PIECES["I"], chance=Chance(1, 0, position=n))) for n in range(80)]
    assert set(chosen) == left == {(1, column) for column in range(7)}
    assert chosen == [
        described(player.choose(Board.empty(), PIECES["I"], chance=Chance(1, 0, position=n))) for n in range(80)
    ]


# --- features of one's own ----------------------------------------------------------------------


def cells_in_the_left_half(move):
    """Full cells in the left half of the board."""
    return move.after.full[:, : move.after.width // 2].sum()


def test_a_feature_can_be_any_function_of_a_move():
    player = Player([cells_in_the_left_half, "holes", FEATURES["lines"]], [-100, -1, 0.5], name="right")
    assert player.features.name == "cells_in_the_left_half+holes+lines"
    assert player.features.features[0].describe == "Full cells in the left half of the board."
    game = play_game(player, Rules(10, 20, max_pieces=12))
    assert all(column >= 5 for move in game.moves for _, column in move.cells)


# --- games --------------------------------------------------------------------------------------

SMALL = Rules(6, 10, max_pieces=40)


def moves_of(game):
    """All moves of a game as plain data."""
    return [(str(move.piece), move.orientation, move.column, move.row, move.cleared) for move in game.moves]


@pytest.mark.parametrize("name", ["dellacherie", "dn", "dt-20", "tetrisbot", "filter-bumpiness"])
def test_a_game_is_the_same_each_time_it_is_played(name):
    assert moves_of(play_game(PLAYERS[name], SMALL, 3, 1)) == moves_of(play_game(PLAYERS[name], SMALL, 3, 1))
    assert moves_of(play_game(PLAYERS[name], SMALL, 3, 1)) != moves_of(play_game(PLAYERS[name], SMALL, 3, 2))
    assert moves_of(play_game(PLAYERS[name], SMALL, 3, 1)) != moves_of(play_game(PLAYERS[name], SMALL, 4, 1))


@pytest.mark.parametrize("rules", [SMALL, replace(SMALL, draw="bag"), replace(SMALL, pieces_known=2)], ids=str)
def test_every_player_is_given_the_same_pieces(rules):
    rules = replace(rules, max_pieces=12)
    several = [play_game(PLAYERS[name], rules, 5, 2) for name in ("dellacherie", "tetrisbot", "filter-heights")]
    expected = [str(PieceSequence(rules, 5, 2)[position]) for position in range(12)]
    for game in several:
        assert [str(move.piece) for move in game.moves] == expected
    assert len({str(moves_of(game)) for game in several}) > 1


@pytest.mark.parametrize("limit", [1, 2, 25])
def test_a_game_stops_at_its_limit_on_pieces(limit):
    game = play_game(PLAYERS["dn"], replace(SMALL, max_pieces=limit))
    assert (game.pieces, game.lost) == (limit, False)


@pytest.mark.parametrize("name", ["tetrisbot", "research", "harder", "top-row", "after-clearing", "losing-allowed"])
def test_each_move_of_a_game_starts_where_the_last_one_ended(name):
    rules = replace(RULES[name], width=6, height=8, max_pieces=60)
    game, board = play_game(PLAYERS["dellacherie"], rules, 1), rules.empty_board()
    for position, move in enumerate(game.moves):
        assert move.before == board
        assert described(move) == described(PLAYERS["dellacherie"].choose(board, move.piece, None, rules))
        assert move.loses == (position == game.pieces - 1 and game.lost and str(rules.losing_moves) == "allowed")
        board = move.after
    assert game.board == board
    assert game.lines == sum(move.rows for move in game.moves)
    assert game.points == sum(rules.points(move.rows) for move in game.moves)


def test_a_game_is_lost_when_every_move_loses():
    rules = Rules(4, 4)
    game = play_game(PLAYERS["dellacherie"], rules, 1)
    assert game.lost
    next_piece = PieceSequence(rules, 1, 0)[game.pieces]
    assert all(move.loses for move in all_moves(game.board, next_piece, rules))
    assert not any(move.loses for move in game.moves)


def test_cells_settle_or_are_cleared():
    game = play_game(PLAYERS["dellacherie"], SMALL, 9)
    assert 4 * game.pieces == game.board.full.sum() + 6 * game.lines
    assert game.lines > 0


def test_a_game_can_start_from_any_board():
    board = Board.from_text("XXXX..\nXXXX..", height=10)
    square = replace(SMALL, probabilities={"O": 1}, max_pieces=1)
    game = play_game(PLAYERS["dellacherie"], square, board=board)
    assert (game.lines, game.board) == (2, Board.empty(6, 10))


def test_two_pieces_are_shown_when_the_rules_say_so():
    shown = []

    def choose(board, piece, next_piece=None, rules=None, chance=None):
        shown.append((piece.name, next_piece and next_piece.name))
        return moves(board, piece, rules)[0]

    for known in (1, 2):
        play_game(SimpleNamespace(choose=choose), Rules(10, 20, pieces_known=known, max_pieces=3), 4)
    names = [PieceSequence(Rules(), 4, 0)[position].name for position in range(4)]
    assert shown == [(name, None) for name in names[:3]] + list(pairwise(names))


def test_a_game_that_never_began_has_an_empty_board():
    nobody = SimpleNamespace(choose=lambda *_: None)
    game = play_game(nobody, SMALL)
    assert (game.pieces, game.lost, game.board) == (0, True, Board.empty(6, 10))
