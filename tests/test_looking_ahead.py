"""Looking ahead: compiled search plays as the readable one defines it, and both mean what they say."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NUMBERS, THOROUGH, any_player, any_rules, random_board

import tetriscourse as tc
from tetriscourse import cli
from tetriscourse.agents import agent_of
from tetriscourse.looking_ahead import frequencies
from tetriscourse.simulator import SlowWarning, record
from tetriscourse.simulator.choosing import compiled_agent, compiled_player
from tetriscourse.simulator.games import GameList, play
from tetriscourse.simulator.playable import LinearPlayers
from tetriscourse.simulator.rollouts import plain_scores
from tetriscourse.widgets import PlayPanel, WatchPanel

SMALL = st.integers(4, 7)
NAMES = ["dellacherie", "dn", "bertsekas"]
FOUR = tc.Rules(4, 5)


@st.composite
def any_search(draw: st.DrawFn, width: int) -> tc.LookAhead:
    """A search of any kind over any player."""
    player = draw(any_player(tc.FEATURE_SETS[draw(st.sampled_from(NAMES))], width))
    lost = draw(st.one_of(st.none(), NUMBERS, st.sampled_from([-1e9, -100.0, 1e300])))
    return tc.LookAhead(
        player, draw(st.sampled_from(["known", "unknown"])), draw(st.sampled_from([None, 1, 2, 3, 8])), lost
    )


@st.composite
def small_rules(draw: st.DrawFn) -> tc.Rules:
    """Rules of any kind on a small board, some of them with unequal probabilities."""
    rules = draw(any_rules(width=draw(SMALL), height=draw(SMALL)))
    if rules.draw == "independent" and len(rules.pieces) == 7 and draw(st.booleans()):
        rules = replace(rules, probabilities=draw(st.sampled_from([(1, 1, 1, 3, 3, 1, 1), (0, 5, 0.1, 2, 0, 0, 1e-9)])))
    return rules


# --- compiled and readable ----------------------------------------------------------------------


@pytest.mark.slow
@settings(THOROUGH, max_examples=40)
@given(data=st.data(), rules=small_rules(), seed=st.integers(0, 2**32))
def test_every_choice_is_the_same(data, rules, seed):
    search, rng = data.draw(any_search(rules.width)), np.random.default_rng(seed)
    quick = compiled_player(search, rules)
    assert quick is not search
    for _ in range(2):
        board, (piece, following) = random_board(rules, rng), rng.choice(len(rules.pieces), 2)
        asked = board, rules.pieces[piece], rules.pieces[following], rules
        assert repr(quick.choose(*asked)) == repr(search.choose(*asked))


@pytest.mark.slow
@settings(THOROUGH, max_examples=25)
@given(data=st.data(), rules=small_rules(), seed=st.integers(0, 2**62))
def test_whole_games_are_the_same_move_for_move(data, rules, seed):
    search, rules = data.draw(any_search(rules.width)), replace(rules, max_pieces=8)
    slow, fast = tc.play_game(search, rules, seed, 3), record(search, rules, seed, 3, 8)
    assert [(rules.pieces[p], turn, column) for p, turn, column in fast] == [
        (move.piece, move.orientation, move.column) for move in slow.moves
    ]
    scores = tc.simulate(search, rules, games=4, seed=seed, threads=1)
    assert (scores.lines[3], scores.pieces[3], scores.points[3]) == (slow.lines, slow.pieces, slow.points)
    assert scores.finished[3] == slow.lost


@pytest.mark.parametrize("known", ["known", "unknown"])
@pytest.mark.parametrize("width", [9, 12, 16])
def test_choices_on_wide_boards_are_the_same(width, known):
    rules, rng = tc.Rules(width, 8), np.random.default_rng(width)
    search = tc.LookAhead("dellacherie", known, width=3)
    quick = compiled_player(search, rules)
    for _ in range(3):
        board, (piece, following) = random_board(rules, rng), rng.choice(7, 2)
        asked = board, rules.pieces[piece], rules.pieces[following], rules
        assert repr(quick.choose(*asked)) == repr(search.choose(*asked))


def test_a_constant_is_part_of_an_answers_value_and_not_of_its_price():
    player = tc.Player(["constant", "holes", "lines"], [-7.0, -1.0, 2.0])
    search, rng = tc.LookAhead(player, lost=-9.0), np.random.default_rng(5)
    quick = compiled_player(search, FOUR)
    for _ in range(10):
        board, piece = random_board(FOUR, rng), FOUR.pieces[rng.integers(7)]
        assert repr(quick.choose(board, piece, None, FOUR)) == repr(search.choose(board, piece, None, FOUR))


def test_many_players_play_as_each_of_them_does():
    weights = np.random.default_rng(1).normal(size=(3, 6))
    search = tc.Search(width=4, lost=-3.5)
    players = LinearPlayers.of(tc.FEATURE_SETS["dellacherie"], weights, search)
    numbers, rows = np.tile(np.arange(4), 3), np.repeat(np.arange(3), 4)
    together = play(GameList(players, tc.Rules(5, 6), 2, numbers, rows))
    alone = [tc.simulate(players.player(row), tc.Rules(5, 6), games=4, seed=2).lines for row in range(3)]
    np.testing.assert_array_equal(together.lines, np.concatenate(alone))


# --- what it means ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["5x5", "tetrisbot", "losing-allowed", "bag"])
def test_with_the_next_piece_known_it_plays_as_players_do_who_know_two_pieces(rules):
    rules = replace(tc.RULES[rules], width=5, height=7)
    ours = tc.simulate(tc.LookAhead("dellacherie", "known"), rules, games=30, seed=4)
    theirs = tc.simulate("dellacherie", replace(rules, pieces_known=2), games=30, seed=4)
    np.testing.assert_array_equal(ours.lines, theirs.lines)


@pytest.mark.parametrize("known", ["known", "unknown"])
def test_a_width_of_all_moves_changes_nothing_and_a_width_of_one_is_the_player_itself(known):
    rules = tc.Rules(6, 6)
    everything, wide, one = (tc.simulate(tc.LookAhead("dn", known, k), rules, games=30).lines for k in (None, 24, 1))
    np.testing.assert_array_equal(everything, wide)
    np.testing.assert_array_equal(one, tc.simulate("dn", rules, games=30).lines)


def test_the_value_is_that_of_the_move_and_the_mean_of_the_best_answers():
    board, dn = tc.Board.empty(4, 8), tc.PLAYERS["dn"]
    search = tc.LookAhead("dn")
    for move in tc.moves(board, "T")[:4]:
        best = [max(map(dn.value, tc.moves(move.after, piece))) for piece in tc.PIECES.values()]
        assert search.value(move) == pytest.approx(dn.value(move) + np.mean(best))
        assert tc.LookAhead("dn", "known").value(move, "I") == pytest.approx(
            dn.value(move) + max(map(dn.value, tc.moves(move.after, "I")))
        )


def test_without_a_price_a_move_after_which_fewer_pieces_are_lost_comes_first():
    rng, seen = np.random.default_rng(2), 0
    player = tc.Player(["sum_heights", "lines"], [1, -4])  # as high as possible
    search = tc.LookAhead(player)
    for _ in range(20):
        board, piece = random_board(FOUR, rng), FOUR.pieces[rng.integers(7)]
        found = tc.moves(board, piece, FOUR)
        if found:
            lost = [sum(not tc.moves(move.after, one, FOUR) for one in FOUR.pieces) for move in found]
            chosen = search.choose(board, piece, rules=FOUR)
            assert lost[found.index(chosen)] == min(lost)
            seen += max(lost) > min(lost) and lost[found.index(player.choose(board, piece))] > min(lost)
    assert seen, "no board on which the player itself chooses otherwise"


def test_a_price_decides_how_much_a_lost_answer_matters():
    means = [tc.simulate(tc.LookAhead("dn", lost=lost), "6x6", games=300, seed=1).mean for lost in (100.0, -1000.0)]
    assert means[0] < means[1]


def test_frequencies_are_whole_numbers_in_the_right_proportion():
    assert set(frequencies(tc.RULES["research"])) == {27720}
    assert frequencies(tc.RULES["harder"])[2:4] == (9240, 27720)
    assert frequencies(tc.Rules(probabilities=(0, 1, 1, 1e-12, 1, 1, 1)))[:4] == (0, 27720, 27720, 1)


def test_looking_ahead_is_worth_many_lines():
    players = "dn", tc.LookAhead("dn"), tc.LookAhead("dn", "known")
    plain, ahead, two = (tc.simulate(one, "6x6", games=300, seed=1).mean for one in players)
    assert plain < ahead < two


# --- rollouts -----------------------------------------------------------------------------------


@pytest.mark.slow
@settings(THOROUGH, max_examples=25)
@given(data=st.data(), rules=small_rules(), seed=st.integers(0, 2**32))
def test_every_rollout_is_the_same_in_plain_python(data, rules, seed):
    rules, rng = replace(rules, pieces_known=data.draw(st.sampled_from([1, 2]))), np.random.default_rng(seed)
    base = data.draw(st.one_of(any_player(tc.FEATURE_SETS["dellacherie"], rules.width), any_search(rules.width)))
    base = data.draw(st.sampled_from([base, tc.Filter(["holes", "bumpiness"])]))
    board, (piece, following) = random_board(rules, rng), rng.choice(len(rules.pieces), 2)
    shown = rules.pieces[following] if data.draw(st.booleans()) else None
    rolled = tc.Rollouts(base, games=2, moves=2, seed=seed, score=data.draw(st.sampled_from(["lines", "points"])))
    found = rolled.values(board, rules.pieces[piece], shown, rules)
    assert rolled.is_fast(rules)
    if found.moves:
        np.testing.assert_array_equal(found.scores, plain_scores(rolled, board, found.moves, shown, rules))


@pytest.mark.parametrize("known", [1, 2])
def test_a_game_by_rollouts_is_simulated_as_it_is_played(known):
    rules, player = tc.Rules(4, 6, max_pieces=12, draw="bag", pieces_known=known), tc.Rollouts("dellacherie", 4, 5)
    game = tc.play_game(player, rules, seed=3, number=2)
    assert [turn for _, turn, _ in record(player, rules, 3, 2, 12)] == [move.orientation for move in game.moves]
    assert tc.simulate(player, rules, games=3, seed=3).lines[2] == game.lines


def test_the_mean_of_long_rollouts_is_the_exact_value_of_a_move():
    board, exact = tc.Board.empty(4, 4), tc.exact_value("dellacherie", "4x4")
    for piece in tc.PIECES:
        found = tc.rollouts("dellacherie", board, piece, "4x4", games=2000, moves=None)
        own = found.moves.index(tc.PLAYERS["dellacherie"].choose(board, piece))
        assert abs(found.means[own] - exact.worth(found.moves[own])) < 4 * found.errors[own]
        assert found.best is found.moves[found.means.argmax()]


def test_deciding_by_rollouts_is_better_than_the_player_that_plays_them():
    better = tc.Rollouts("dellacherie", games=40, moves=None)
    assert tc.exact_value(better, "4x4").start > tc.exact_value("dellacherie", "4x4").start


def test_a_player_of_ones_own_is_rolled_out_in_plain_python():
    class First:
        def choose(self, board, piece, next_piece=None, rules=None, chance=None):
            return next(iter(tc.moves(board, piece, rules)), None)

    found = tc.rollouts(First(), tc.Board.empty(4, 5), "O", games=3, moves=4)
    assert (len(found), found.scores.shape, not tc.Rollouts(First()).is_fast(FOUR)) == (3, (3, 3), True)


# --- everywhere that players play ---------------------------------------------------------------


@pytest.mark.parametrize("known", ["known", "unknown"])
def test_an_agent_looks_ahead_in_the_engine_as_in_games(known):
    rules = replace(tc.RULES["tetrisbot"], width=6, height=6, max_pieces=12)
    search = tc.LookAhead("tetrisbot", known, width=4)
    engines = [tc.Engine(make(search), rules, seed=7) for make in (agent_of, compiled_agent)]
    scores = [engine.run() for engine in engines]
    assert scores == [int(tc.simulate(search, rules, games=1, seed=7).points[0])] * 2


def test_a_feature_of_ones_own_looks_ahead_in_plain_python():
    search = tc.LookAhead(tc.Player([lambda move: -move.after.heights.max() / 3, "holes"], [1, -1]), width=2)
    rules = replace(tc.RULES["tetrisbot"], width=5, height=6, max_pieces=4)
    with pytest.warns(SlowWarning):
        scores = tc.simulate(search, rules, games=1, seed=7)
    assert tc.Engine(compiled_agent(search), rules, seed=7).run() == scores.points[0]


@settings(THOROUGH, max_examples=15)
@given(data=st.data(), rules=small_rules(), seed=st.integers(0, 2**32))
def test_the_panels_values_are_those_of_the_player(data, rules, seed):
    search, rng = data.draw(any_search(rules.width)), np.random.default_rng(seed)
    quick, board, piece = compiled_player(search, rules), random_board(rules, rng), rules.pieces[0]
    for move in tc.moves(board, piece, rules)[:4]:
        assert quick.value(move, piece) == pytest.approx(search.value(move, piece, rules), rel=1e-12)


def test_panels_take_a_player_that_looks_ahead():
    search = tc.LookAhead("dellacherie", "known")
    panel = WatchPanel(search, tc.Rules(5, 6), seed=2, pieces=8)
    panel.watched.play(8)
    assert [move.column for move in panel.game.moves] == [
        move.column for move in tc.play_game(search, tc.Rules(5, 6, max_pieces=8), seed=2).moves
    ]
    assert "value" in panel.watched.candidates(0)[0].__dict__
    hinted = PlayPanel("tetrisbot", hint=search)
    assert hinted.adviser is search


def test_the_exact_value_of_looking_ahead():
    plain, ahead, two = (
        tc.exact_value(one, "4x4").start
        for one in ("dellacherie", tc.LookAhead("dellacherie"), tc.LookAhead("dellacherie", "known"))
    )
    assert plain < ahead < tc.solve("4x4").start
    assert two == pytest.approx(tc.exact_value("dellacherie", tc.Rules(4, 4, pieces_known=2)).start)


def test_weights_are_trained_for_a_player_that_looks_ahead():
    objective = tc.Objective("dellacherie", tc.Rules(5, 6, max_pieces=40), games=2, look_ahead=tc.Search(width=3))
    run = tc.train(tc.CMAES(6, normalise=True, iterations=2, seed=1), objective, progress=False)
    player = run.player()
    assert (type(player), player.search) == (tc.LookAhead, tc.Search(width=3))
    played = tc.simulate(player, objective.rules, games=2, seed=5)
    assert objective(run.favourite, seed=5) == played.mean
    assert "looking ahead with the next piece unknown" in str(objective)
    assert pickle.loads(pickle.dumps(objective.players(np.ones((1, 6))))).search == tc.Search(width=3)


def test_the_command_looks_ahead(capsys):
    words = "simulate --player dn --rules 5x5 --games 20 --seed 1 --json"
    for option, search in {
        "--look-ahead": tc.LookAhead("dn"),
        "--look-ahead known --best 3": tc.LookAhead("dn", "known", 3),
        "--look-ahead unknown --lost -50": tc.LookAhead("dn", lost=-50),
    }.items():
        assert cli.main([*words.split(), *option.split()]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["lines"] == tc.simulate(search, "5x5", games=20, seed=1).lines.tolist()
        assert found["player"] == search.name


@pytest.mark.slow
def test_a_player_that_looks_ahead_is_watched_in_the_terminal(monkeypatch):
    agents = []
    monkeypatch.setattr("tetriscourse.cli.terminal_game.play", lambda agent, *_, **__: agents.append(agent))
    assert cli.main(["play", "--agent", "look-ahead:dn"]) == 0
    assert cli.main(["play", "--agent", "look-ahead:nobody"]) == 2
    assert [agent.name for agent in agents] == ["look-ahead:dn"]


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: tc.LookAhead("dn", "seen"), "next_piece is 'seen'"),
        (lambda: tc.LookAhead("filter-heights"), "player is 'filter-heights'; it must be a Player, or one of"),
        (lambda: tc.LookAhead("dn", width=0), "width is 0; it must be a whole number of at least 1"),
        (lambda: tc.LookAhead("dn", lost=float("nan")), "lost is nan; it must be a number"),
        (lambda: tc.LookAhead("dn", "known").choose(tc.Board.empty(), "T"), "next_piece is None; with LookAhead"),
        (lambda: tc.Objective("dn", look_ahead="seen"), "look_ahead is 'seen'"),
        (lambda: tc.Rollouts("dn", games=0), "games is 0; it must be a whole number of at least 1"),
        (lambda: tc.Rollouts("dn", moves=0), "moves is 0; it must be a whole number of at least 1"),
        (lambda: tc.Rollouts("dn", score="rows"), "score is 'rows'"),
        (lambda: tc.rollouts("dn", tc.Board.empty(), "T", next_piece="U"), "next_piece is 'U'"),
    ],
)
def test_a_wrong_setting_is_named(wrong, said):
    with pytest.raises(tc.InputError) as error:
        wrong()
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--look-ahead seen", "--look-ahead is 'seen'"),
        ("--best 3", "--best is 3; it is allowed only with --look-ahead"),
        ("--lost 3", "--lost is 3.0; it is allowed only with --look-ahead"),
        ("--look-ahead --best 0", "--best is '0'; it must be a whole number"),
        ("--look-ahead --lost much", "--lost is 'much'; it must be a number"),
        ("--look-ahead --player filter-heights", "--player is 'filter-heights'; with --look-ahead it must be"),
    ],
)
def test_a_wrong_option_is_named(option, said, capsys):
    assert cli.main(["simulate", "--player", "dn", *option.split()]) == 2
    assert said in capsys.readouterr().err
