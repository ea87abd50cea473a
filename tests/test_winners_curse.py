"""The winner's curse: how much too good the best of equal players looks, and how much of an elite's lead is real."""

from __future__ import annotations

import numpy as np
import pytest
from functions import assert_equal_bits, sphere

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.errors import InputError
from tetriscourse.optimizers.winners_curse import measure_curse, real_share
from tetriscourse.random_numbers import derived_seed
from tetriscourse.simulator.games import play
from tetriscourse.statistics import expected_best

# --- the best of equal players ------------------------------------------------------------------


@pytest.mark.parametrize(("players", "expected"), [(1, 1), (2, 3 / 2), (3, 11 / 6), (30, 3.994987)])
def test_the_best_of_single_games_is_a_harmonic_number(players, expected):
    assert expected_best(players, 1) == pytest.approx(expected)


@pytest.mark.parametrize(("players", "games"), [(2, 1), (50, 1), (2, 10), (50, 10), (50, 100), (1000, 2), (7, 1600)])
def test_the_best_of_equal_players_is_what_simulated_games_give(players, games):
    means = np.random.default_rng(1).gamma(games, 1 / games, size=(4000, players))
    best = means.max(axis=1)
    assert expected_best(players, games) == pytest.approx(best.mean(), abs=4 * best.std() / np.sqrt(4000))


def test_one_player_shows_its_own_mean_and_more_games_leave_less_to_luck():
    assert expected_best(1, 37) == pytest.approx(1)
    lead = [expected_best(50, games) - 1 for games in (1, 10, 100, 1600, 100_000)]
    assert lead == sorted(lead, reverse=True)
    assert lead[-1] == pytest.approx(2.25 / np.sqrt(100_000), rel=0.01)  # 2.25 sigma, as for a normal law


@pytest.mark.parametrize(("arguments", "said"), [((0, 1), "players is 0"), ((5, 0), "games is 0"), ((5, 1.5), "games")])
def test_the_best_needs_a_player_and_a_game(arguments, said):
    with pytest.raises(InputError, match=said):
        expected_best(*arguments)


# --- the elite ----------------------------------------------------------------------------------

OBJECTIVE = tc.Objective("dn", "5x6", games=2, pieces="own")


def search(**changes):
    """A short cross-entropy."""
    return tc.CrossEntropy(8, population=20, rho=0.2, iterations=4, seed=4, **changes)


def test_a_run_that_is_measured_goes_the_way_of_a_training():
    for validation in (None, 5):
        measured, trained = search(), search()
        measure_curse(measured, OBJECTIVE, 3, validation=validation)
        tc.train(trained, OBJECTIVE, curve=0, progress=False, validation=validation)
        assert_equal_bits(measured.history, trained.history)


def test_the_columns_are_means_over_the_games_that_chose_and_over_others():
    optimizer = search()
    x = optimizer.ask()
    found = measure_curse(optimizer, OBJECTIVE, 3)
    first = play(OBJECTIVE.work(x, derived_seed(4, 0, 1))).lines.reshape(20, 2).mean(axis=1)
    elite = np.argsort(-first, kind="stable")[:4]
    assert found["all"][0] == pytest.approx(first.mean())
    assert found["chosen"][0] == pytest.approx(first[elite].mean())
    assert found["lot"][0] == pytest.approx(first[:4].mean())
    for name, who in (("chosen_fresh", elite), ("lot_fresh", np.arange(4))):
        games = play(OBJECTIVE.work(x[who], derived_seed(4, 0, 4), games=3, who=who.tolist())).lines
        assert found[name][0] == pytest.approx(games.mean())
    assert len(found) == 4


def test_an_elite_looks_better_than_it_is_and_a_draw_by_lot_does_not():
    found = measure_curse(tc.CrossEntropy(8, "thiery", iterations=12, seed=1), OBJECTIVE, 20)
    late = slice(4, None)
    assert found["chosen"][late].mean() > 1.3 * found["chosen_fresh"][late].mean()
    assert found["lot"][late].mean() == pytest.approx(found["lot_fresh"][late].mean(), rel=0.1)
    assert 0 < real_share(found, late) < 0.6


def test_without_any_luck_the_whole_lead_is_real():
    squares = tc.Rules(6, 6, probabilities={"O": 1}, max_pieces=30)
    same = tc.Objective("dn", squares, games=1)
    found = measure_curse(search(), same, 2)
    np.testing.assert_array_equal(found["chosen"], found["chosen_fresh"])
    assert found["chosen"].mean() > found["all"].mean()  # there is a lead to be confirmed
    assert real_share(found) == 1


@pytest.mark.parametrize(
    ("optimizer", "objective", "said"),
    [
        (tc.CrossEntropy(8), sphere, "it must be an Objective"),
        (tc.CrossEntropy(7), OBJECTIVE, "optimizer has dimension 7"),
        (tc.GeneticAlgorithm(8), tc.Objective("dn", "5x6", signs="usual"), "it must have an elite"),
    ],
)
def test_what_has_no_elite_or_no_games_is_refused(optimizer, objective, said):
    with pytest.raises(InputError, match=said):
        measure_curse(optimizer, objective)


# --- what the chapters quote --------------------------------------------------------------------


def test_the_numbers_of_chapters_05_and_08_that_a_formula_gives():
    assert expected_best(50, 1) == pytest.approx(4.5, abs=0.005)
    assert expected_best(50, 100) == pytest.approx(1.24, abs=0.005)
    games = np.sort(np.random.default_rng(2).exponential(size=(20_000, 100)), axis=1)
    assert games[:, -10:].mean() == pytest.approx(1 + sum(1 / left for left in range(11, 101)), rel=0.005)
    assert games[:, -10:].mean() == pytest.approx(3.26, abs=0.02)


def test_at_equal_games_validation_chooses_no_better_elite_that_these_runs_could_show():
    rows = stored_table("winners-curse").rows
    assert [(row["name"], row["first"]) for row in rows] == [
        ("rv-ce-off", 1), ("rv-ce-off", 21), ("rv-ce", 1), ("rv-ce", 21)
    ]  # fmt: skip
    for control, validated in zip(rows[:2], rows[2:], strict=True):
        assert control["low"] < validated["fresh"] < control["high"]
        assert float(control["seemed"]) - 1 > 2 * (control["fresh"] - 1)  # most of the lead is luck
        assert control["lot"] == pytest.approx(1, abs=0.05)
        assert validated["lot"] == pytest.approx(1, abs=0.05)
