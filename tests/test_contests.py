"""What chapter 09 says about its contests and its races, from the stored tables and from rows computed again."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.course.results import stored_table

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
import contest_figures as contest
import uncertainty_figures as uncertainty


def row(table, **facts):
    """The row of a stored table with these facts."""
    (found,) = [one for one in stored_table(table).rows if facts.items() <= one.items()]
    return found


def hill(search, name="turned"):
    return row("contest-hills", search=search, hill=name)


def learned(search, games):
    return row("contest-tetris", search=search, games=games)


# --- hills --------------------------------------------------------------------------------------


def test_full_cross_entropy_climbs_the_turned_hill_if_its_elite_is_large_and_independent_weights_do_not():
    for kind in ("10 of 100", "50 of 200"):
        assert hill(f"independent weights, {kind}", "ellipsoid")["median_8000"] < 1e-5
        assert hill(f"independent weights, {kind}")["median_8000"] > 10
    for name in ("ellipsoid", "turned"):
        assert hill("full covariance, 50 of 200", name)["median_8000"] < 1e-9
    assert hill("full covariance, 10 of 100")["least_8000"] > 10
    assert hill("full covariance, 50 of 200")["most_8000"] > 1  # one run got stuck


def test_cma_es_needs_fewer_evaluations_because_it_can_do_with_ten_candidates():
    full, ten, crowd = map(hill, ("full covariance, 50 of 200", "CMA-ES, 5 of 10", "CMA-ES, 100 of 200"))
    assert ten["most_4000"] < 1e-15 < full["least_4000"]
    assert full["median_8000"] < crowd["median_8000"] < 1e-5  # the control
    assert hill("full covariance, 5 of 10")["least_8000"] > 1000


@pytest.mark.slow
@pytest.mark.parametrize("search", ["full covariance, 50 of 200", "CMA-ES, 5 of 10"])
def test_a_row_of_the_hills_comes_out_again(search):
    ends = [contest.missing(contest.ON_HILLS[search](seed), contest.turned)[1] for seed in contest.SEEDS]
    assert np.log10(np.median(ends)) == pytest.approx(np.log10(hill(search)["median_4000"]), abs=0.1)


# --- Tetris -------------------------------------------------------------------------------------


def test_in_tetris_independent_weights_are_as_good_as_cma_es():
    cross, cma = learned("independent weights, 5 of 50", 3_000), learned("CMA-ES, 5 of 10", 3_000)
    assert (round(cross["mean"]), round(cma["mean"])) == (135, 136)
    assert cross["mean_low"] < cma["mean"] < cross["mean_high"]
    assert cma["high"] - cma["low"] < cross["high"] - cross["low"]
    full = [one["mean"] for one in stored_table("contest-tetris").rows if "full" in one["search"]]
    assert max(full[:4]) < cross["mean_low"]  # with 3,000 games


def test_with_more_games_a_full_covariance_catches_up_and_ten_candidates_get_lost():
    cross, full = (
        learned(f"{kind}, 10 of 100, noise 4", 30_000) for kind in ("independent weights", "full covariance")
    )
    assert 0.95 < full["mean"] / cross["mean"] < 1
    large = learned("full covariance, 50 of 200", 30_000)
    assert large["mean_low"] < learned("independent weights, 10 of 100", 30_000)["mean"] < large["mean_high"]
    assert learned("CMA-ES, 5 of 10", 30_000)["low"] < 5
    assert learned("CMA-ES, 50 of 100", 30_000)["low"] > 100


@pytest.mark.slow
def test_runs_of_a_row_of_tetris_come_out_again():
    stored = learned("independent weights, 6 of 30", 3_000)
    _, make = contest.ON_TETRIS[3_000]["independent weights, 6 of 30"]
    runs = [tc.train(make(seed, 10), contest.GAMES, curve=0, progress=False) for seed in contest.RUNS]
    assert round(float(np.median([contest.lines(run) for run in runs])), 1) == stored["median"]


# --- races --------------------------------------------------------------------------------------


def test_the_range_of_scores_fits_the_hardest_game_and_not_the_harder_one():
    hardest, harder = (row("racing-range", rules=rules) for rules in ("hardest", "harder"))
    assert hardest["low"] < hardest["above"] == 0.00351 < hardest["high"]
    assert harder["low"] < harder["above"] == 0.31842 < harder["high"]
    assert round(hardest["below"], 2) == 0.20


@pytest.mark.slow
def test_some_of_these_games_come_out_again():
    scores = tc.simulate(tc.PLAYERS["dn"], tc.RULES["hardest"], 10_000, seed=1, progress=False)
    stored = row("racing-range", rules="hardest")
    assert scores.mean == pytest.approx(stored["mean"], rel=2 / np.sqrt(10_000))
    assert np.mean(scores.lines > 2000) == pytest.approx(stored["above"], abs=4 * np.sqrt(0.0035 / 10_000))


def test_hoeffding_races_are_cheapest_with_a_sixteenth_of_the_range():
    by_range = {one["R"]: one for one in stored_table("racing-narrower").rows}
    assert by_range[1850]["decided"] == by_range[462.5]["decided"] == 0 < by_range[231.25]["decided"] < 0.01
    sixteenth = by_range[115.625]
    assert sixteenth["decided"] > 0.2
    assert sixteenth["games"] == pytest.approx(8_000, abs=1)
    assert sixteenth["games"] < 10_497  # races with Tetris bounds
    assert (round(sixteenth["median"]), round(by_range[1850]["median"])) == (385, 395)


# --- pycma, restarts, uncertainty handling ------------------------------------------------------


def of_pycma(program, hill="sphere"):
    return row("pycma-hills", program=program, hill=hill)


def restarted(search, name="rastrigin"):
    return row("restarts-hills", search=search, hill=name)["found"]


def handled(way, table="uncertainty-tetris"):
    return row(table, way=way)


def test_our_cma_es_and_pycma_need_about_as_many_evaluations_and_active_updates_fewer():
    ours, norm, theirs = "ours", "ours, step_size='norm'", "pycma, not active"
    assert of_pycma(norm)["mean_low"] < of_pycma(theirs)["mean"] < of_pycma(norm)["mean_high"]
    assert of_pycma(ours)["mean"] / of_pycma(norm)["mean"] == pytest.approx(9 / 8, abs=0.02)
    for hill in ("ellipsoid", "turned"):
        means = [of_pycma(program, hill)["mean"] for program in (ours, norm, theirs)]
        assert max(means) / min(means) < 1.1
        assert of_pycma("pycma", hill)["mean"] / means[2] == pytest.approx(0.8, abs=0.02)
    found = [row("pycma-tetris", program=one) for one in (ours, norm, theirs, "pycma")]
    assert max(one["mean_low"] for one in found) < min(one["mean_high"] for one in found)


def test_crowds_find_the_top_of_a_bumpy_bowl_and_many_small_runs_that_of_forty_peaks():
    assert restarted("again and again, 10") == restarted("once, 10 candidates") == 0
    assert row("restarts-hills", search="again and again, 10", hill="rastrigin")["runs"] == 20
    assert (restarted("once, 400 candidates"), restarted("IPOP"), restarted("BIPOP")) == (17, 14, 5)
    peaks = [restarted(one, "forty peaks") for one in ("again and again, 10", "BIPOP", "IPOP")]
    assert peaks == [9, 9, 6]
    assert max(restarted(f"once, {count} candidates", "forty peaks") for count in (10, 400)) <= 3


def test_in_tetris_a_crowd_helps_and_a_new_beginning_does_not():
    found = {one["search"]: one for one in stored_table("restarts-tetris").rows}
    ten, stopped, crowd, ipop = (
        found[name]
        for name in ("once, 10 candidates", "once, 10 candidates, and stop", "once, 100 candidates", "IPOP")
    )
    assert [round(one["mean"]) for one in (ten, stopped, crowd, ipop)] == [135, 137, 149, 149]
    assert round(found["again and again, 10"]["mean"]) == 144
    assert stopped["games"] / ten["games"] == pytest.approx(1 / 6, abs=0.01)
    assert ten["mean_high"] < min(crowd["mean_low"], ipop["mean_low"])
    assert min(found.values(), key=lambda one: one["high"] - one["low"]) == ipop


def test_uncertainty_handling_does_as_well_as_a_good_fixed_number_if_it_does_not_ask_too_much():
    hill = {way: handled(way, "uncertainty-hill")["median"] for way in uncertainty.WAYS}
    careful, moderate = hill["uncertainty handling"], hill["uncertainty handling, theta 0.5"]
    assert careful > hill["10 games each"] > moderate > hill["28 games each"]
    assert handled("uncertainty handling", "uncertainty-hill")["iterations"] == 20
    means = {way: handled(way)["mean"] for way in list(uncertainty.WAYS)[1:]}
    assert round(means.pop("100 games each")) == 231
    few, half = "10 games each", "uncertainty handling, theta 0.5"
    assert (min(means, key=means.get), max(means, key=means.get)) == (few, half)
    assert (round(means[few]), round(means[half])) == (414, 434)


@pytest.mark.slow
def test_a_row_of_the_noisy_hill_comes_out_again(monkeypatch):
    monkeypatch.setattr(uncertainty, "WAYS", {"10 games each": uncertainty.WAYS["10 games each"]})
    uncertainty.hill()
    assert uncertainty.HILL.rows[-1]["median"] == pytest.approx(handled("10 games each", "uncertainty-hill")["median"])
