"""Scores, intervals, the exponential law and comparisons, against scipy, simulation and brute force."""

import subprocess
import sys
from dataclasses import replace
from itertools import product
from math import exp, inf, isnan, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tetriscourse.errors import InputError
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.inference import ks_distance, signed_rank_test
from tetriscourse.simulator import compare
from tetriscourse.statistics import Scores, agree, extrapolate


def exponential(mean, games, seed, **rest):
    """Scores of a player whose lines are exponential."""
    drawn = -mean * np.log1p(-np.random.Generator(np.random.PCG64(seed)).random(games))
    return Scores.of(np.round(drawn).astype(np.int64), **rest)


# --- Scores -------------------------------------------------------------------------------------


def test_a_mean_and_sd_are_those_of_the_lines():
    scores = Scores.of([12, 30, 7])
    assert len(scores) == 3
    assert scores.mean == pytest.approx(49 / 3)
    assert scores.sd == pytest.approx(sqrt(((12 - 49 / 3) ** 2 + (30 - 49 / 3) ** 2 + (7 - 49 / 3) ** 2) / 2))


def test_pieces_are_at_least_those_that_fill_the_lines():
    assert Scores.of([1, 2, 4]).pieces.tolist() == [3, 5, 10]
    assert Scores.of([1, 2], rules=RULES["domino"]).pieces.tolist() == [4, 8]


def test_points_have_their_own_mean_and_interval():
    scores = Scores.of([1, 3], points=[40, 300])
    assert scores.mean_points == 170
    low, high = scores.interval(of="points")
    assert (low / 170, high / 170) == pytest.approx(tuple(bound / 2 for bound in scores.interval()))


def test_no_game_and_one_game_tell_little_without_a_warning():
    nothing, one = Scores.of([]), Scores.of([5])
    assert isnan(nothing.mean)
    assert isnan(nothing.sd)
    for method in ("exact", "relative", "normal"):
        assert nothing.interval(method=method) == (0, inf)
    assert one.interval(method="normal") == (0, inf)
    assert one.interval() == pytest.approx((5 / -log(0.025), 5 / -log(0.975)))


def test_text_is_the_same_whatever_the_speed():
    scores = Scores.of([1200, 3400], player="dn")
    other = replace(scores, threads=8, moves_per_second=1e6)
    assert str(scores) == str(other) == "dn on 10x20: 2 games, mean 2,300 lines (95 %: 825.6 to 18,992)"
    assert repr(scores) == f"Scores({scores})"
    assert "1 stopped" in str(Scores.of([5, 6], finished=[True, False]))
    assert str(replace(scores, interrupted=True)).endswith("interrupted")


def test_merged_scores_hold_the_games_of_both():
    first = Scores(*np.array([[3, 4], [10, 12], [3, 4]]), np.array([True, False]), np.array([5, 6]), seed=1)
    second = Scores(*np.array([[9], [30], [9]]), np.array([True]), np.array([1, 1, 1]), seed=2, threads=4)
    both = first.merge(second)
    assert both.lines.tolist() == [3, 4, 9]
    assert both.finished.tolist() == [True, False, True]
    assert both.heights.tolist() == [6, 7, 1]
    assert (both.seed, both.threads) == ((1, 2), 4)


def test_merged_speed_is_all_moves_by_all_core_seconds():
    first = replace(Scores.of([1], pieces=[100]), moves_per_second=100.0)
    second = replace(Scores.of([1], pieces=[300], seed=1), moves_per_second=50.0)
    assert first.merge(second).moves_per_second == pytest.approx(400 / (1 + 6))
    assert first.merge(replace(second, moves_per_second=0.0)).moves_per_second == 0


@pytest.mark.parametrize(
    ("other", "part"),
    [
        (Scores.of([1], player="dn", seed=2), "player"),
        (Scores.of([1], rules=RULES["5x5"], seed=2), "rules"),
        (Scores.of([1], seed=1), "seed is 1 in both"),
        (Scores.of([1], seed=2).merge(Scores.of([1], seed=1)), "seed is 1 in both"),
    ],
)
def test_games_are_not_merged_with_others_or_with_themselves(other, part):
    with pytest.raises(InputError, match=part):
        Scores.of([1], seed=1).merge(other)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"lines": [1, -1]}, "lines"),
        ({"lines": [1.5]}, "lines"),
        ({"lines": [float("nan")]}, "lines"),
        ({"lines": ["a"]}, "lines"),
        ({"lines": [[1]]}, "lines"),
        ({"lines": [1, 2], "pieces": [5]}, "pieces has 1"),
        ({"lines": [1, 2], "finished": [True]}, "finished has 1"),
    ],
)
def test_scores_are_whole_numbers_one_a_game(arguments, part):
    with pytest.raises(InputError, match=part):
        Scores.of(**arguments)


# --- intervals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("games", [1, 2, 30, 100, 1600])
def test_the_exact_interval_is_that_of_the_chi_square_law(games, confidence):
    scores, tail = exponential(1000, games, seed=games), (1 - confidence) / 2
    expected = 2 * scores.lines.sum() / stats.chi2(2 * games).ppf([1 - tail, tail])
    assert scores.interval(confidence) == pytest.approx(tuple(expected))


@pytest.mark.parametrize(("games", "percent"), [(56, 27), (100, 20), (1600, 5), (30, 37)])
def test_the_relative_interval_is_the_one_printed_in_000(games, percent):
    low, high = Scores.of([1000] * games).interval(method="relative")
    assert round(100 * (high / 1000 - 1)) == round(100 * (1 - low / 1000)) == percent


def test_exact_and_relative_intervals_agree_for_many_games():
    scores = exponential(1e6, 10_000, seed=1)
    assert scores.interval(0.9) == pytest.approx(scores.interval(0.9, method="relative"), rel=1e-3)


def test_the_normal_interval_is_students():
    scores = exponential(1000, 20, seed=3)
    expected = stats.t.interval(0.9, 19, loc=scores.mean, scale=stats.sem(scores.lines))
    assert scores.interval(0.9, method="normal") == pytest.approx(expected)


def highest_likely_coverage(hits):
    """Share of hits, less what four standard errors could add to it by chance."""
    return np.mean(hits) + 4 * sqrt(0.95 * 0.05 / len(hits))


def test_the_exact_interval_holds_the_mean_in_95_of_100_cases():
    intervals = [exponential(1e5, 10, seed=seed).interval() for seed in range(2000)]
    hits = np.array([low <= 1e5 <= high for low, high in intervals])
    assert abs(hits.mean() - 0.95) < 4 * sqrt(0.95 * 0.05 / hits.size)


@pytest.mark.parametrize("limit", [30_000, 100_000, 250_000])
@pytest.mark.parametrize("games", [5, 40])
def test_stopped_games_leave_the_exact_interval_honest(games, limit):
    hits = []
    for seed in range(1000):
        lines = exponential(1e5, games, seed).lines
        low, high = Scores.of(np.minimum(lines, limit), finished=lines < limit).interval()
        hits.append(low <= 1e5 <= high)
    assert highest_likely_coverage(hits) >= 0.95


def test_the_mean_of_stopped_games_is_estimated_from_those_that_ended():
    lines = exponential(1000, 20_000, seed=5).lines
    capped = Scores.of(np.minimum(lines, 400), finished=lines < 400)
    assert capped.mean < 400
    assert capped.exponential_mean == pytest.approx(1000, rel=0.03)
    assert capped.exponential_mean == capped.lines.sum() / capped.finished.sum()


def test_with_no_game_ended_only_a_lower_bound_is_known():
    scores = Scores.of([400, 400], finished=[False, False])
    assert scores.exponential_mean == inf
    low, high = scores.interval()
    # No end in 800 lines: a mean below the bound would have survived them with probability under 2.5 %.
    assert exp(-800 / low) == pytest.approx(0.025)
    assert high == inf


@pytest.mark.parametrize(
    ("arguments", "part"),
    [({"confidence": 1.0}, "confidence"), ({"of": "line"}, "did you mean 'lines'"), ({"method": "exat"}, "'exact'")],
)
def test_an_interval_needs_known_names(arguments, part):
    with pytest.raises(InputError, match=part):
        Scores.of([1, 2]).interval(**arguments)


@pytest.mark.parametrize(
    ("published", "measured", "expected"),
    [
        ((5_200_000, 0.20), (7_350_000, 0.20), False),
        ((6_600_000, 0.20), (7_350_000, 0.20), True),
        ((220_000, 0.20), (284_763, 0.11), False),
        ((281_731, 0.05), (284_763, 0.11), True),
        ((910_000, 0.05), (940_652, 0.07), True),
    ],
)
def test_published_figures_agree_within_the_joint_interval_or_not(published, measured, expected):
    assert agree(*published, *measured) is expected
    assert agree(*measured, *published) is expected


@pytest.mark.parametrize("arguments", [(0, 0.1, 1, 0.1), (1, 0.1, inf, 0.1), (1, -0.1, 1, 0.1), (1, 0.1, 1, inf)])
def test_agreement_needs_positive_means_and_widths(arguments):
    with pytest.raises(InputError, match=r"(mean|relative)_[ab] is"):
        agree(*arguments)


# --- the exponential law ------------------------------------------------------------------------


@pytest.mark.parametrize("games", [2, 10, 100, 3000])
def test_the_distance_and_the_naive_p_value_are_those_of_scipy(games):
    scores = exponential(1e6, games, seed=games)
    fit, oracle = scores.fit(), stats.kstest(scores.lines, stats.expon(scale=scores.mean).cdf)
    assert fit.statistic == pytest.approx(oracle.statistic)
    assert fit.naive_p_value == pytest.approx(oracle.pvalue, abs=0.02)
    assert fit.mean == scores.mean


def test_the_p_value_is_the_share_of_true_exponentials_that_lie_further_away():
    scores = exponential(1e6, 25, seed=4)
    simulated = np.sort(np.random.default_rng(99).exponential(size=(20_000, 25)), axis=1)
    oracle = (ks_distance(simulated) >= scores.fit().statistic).mean()
    assert scores.fit().p_value == pytest.approx(oracle, abs=0.03)


@pytest.mark.parametrize("games", [20, 100, 1500])
def test_one_true_exponential_in_twenty_is_rejected_and_the_naive_test_rejects_almost_none(games):
    fits = [exponential(1e7, games, seed).fit() for seed in range(600)]
    rejected = np.mean([fit.p_value < 0.05 for fit in fits])
    assert abs(rejected - 0.05) < 4 * sqrt(0.05 * 0.95 / 600)
    assert np.mean([fit.naive_p_value < 0.05 for fit in fits]) < 0.02


def test_scores_that_are_not_exponential_are_rejected():
    uniform = Scores.of(np.random.default_rng(1).integers(0, 1000, 200))
    assert uniform.fit().p_value < 0.01
    assert "p = 0.000" in str(uniform.fit())


@pytest.mark.parametrize("scores", [Scores.of([5, 6], finished=[True, False]), Scores.of([5]), Scores.of([0, 0])])
def test_a_fit_needs_games_played_to_the_end(scores):
    with pytest.raises(InputError, match="a fit needs at least two"):
        scores.fit()


# --- comparisons --------------------------------------------------------------------------------


def pair(ratio, games, seed, shared=0.0):
    """Two players on common pieces, one `ratio` times as good, whose games share a part of their luck."""
    luck = np.random.default_rng(seed)
    a, b, common = (luck.exponential(size=games) for _ in range(3))
    both = luck.random(games) < shared
    x, y = (np.where(both, common, own) for own in (a, b))
    return (
        Scores.of(np.round(1e5 * ratio * x).astype(int), player="better"),
        Scores.of(np.round(1e5 * y).astype(int), player="worse"),
    )


def test_a_clear_difference_is_told_and_its_direction_is_right():
    for a, b in (pair(2, 200, seed=1), reversed(pair(2, 200, seed=1))):
        comparison = compare(a, b)
        assert comparison.better == "better"
        assert comparison.verdict.startswith("better is better than worse: 2.32 times")
        assert comparison.p_value < 0.001
        assert comparison.difference == a.mean - b.mean
        assert comparison.ratio == a.mean / b.mean


def test_equal_players_are_not_told_apart():
    comparison = compare(*pair(1, 50, seed=2))
    assert comparison.better is None
    assert comparison.low < 1 < comparison.high
    assert "do not tell better from worse" in comparison.verdict
    assert f"about {comparison.games_needed:,} games would" in str(comparison)


def test_a_player_compared_with_itself_is_equal():
    scores = exponential(1000, 20, seed=1)
    comparison = compare(scores, scores)
    assert (comparison.ratio, comparison.share_won, comparison.p_value) == (1, 0.5, 1)
    assert comparison.better is None
    assert comparison.games_needed is None


@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_the_interval_of_the_ratio_holds_it_in_about_95_of_100_cases(shared):
    hits = []
    for seed in range(800):
        comparison = compare(*pair(1.5, 60, seed, shared))
        hits.append(comparison.low <= 1.5 <= comparison.high)
    assert 0.92 < np.mean(hits) < 0.98


def test_luck_in_common_makes_the_interval_narrower():
    alone, common = compare(*pair(1.2, 500, 3)), compare(*pair(1.2, 500, 3, shared=0.8))
    assert abs(alone.correlation) < 0.15
    assert common.correlation > 0.7
    assert log(common.high / common.low) < 0.6 * log(alone.high / alone.low)
    assert common.games_needed < alone.games_needed


def test_the_games_needed_tell_in_about_four_tries_of_five():
    a, b = pair(1.4, 100_000, seed=5)
    needed = compare(a, b).games_needed
    told = [compare(*pair(1.4, needed, seed)).better == "better" for seed in range(300)]
    assert 0.7 < np.mean(told) < 0.9


@given(st.lists(st.integers(1, 30), min_size=8, max_size=10, unique=True), st.integers(0, 1023))
def test_the_signed_rank_test_gives_the_share_of_all_signs_that_are_as_uneven(sizes, coins):
    steps = np.array([size if coins >> i & 1 else -size for i, size in enumerate(sizes)], float)
    ranks = stats.rankdata(abs(steps))
    signs = np.array(list(product((-1, 1), repeat=steps.size)))
    oracle = np.mean(abs((signs * ranks).sum(axis=1)) >= abs((ranks * np.sign(steps)).sum()))
    assert signed_rank_test(np.append(steps, 0.0)) == pytest.approx(oracle, abs=0.025)


@pytest.mark.parametrize("seed", range(5))
def test_the_signed_rank_test_is_that_of_scipy(seed):
    differences = np.random.default_rng(seed).integers(-20, 25, 60).astype(float)
    oracle = stats.wilcoxon(differences, correction=True, method="asymptotic").pvalue
    assert signed_rank_test(differences) == pytest.approx(oracle, abs=1e-3)


def test_a_player_that_never_clears_a_line_is_worse():
    zero, some = Scores.of([0] * 20, player="zero"), Scores.of([3] * 20, player="some")
    assert compare(zero, some).better == compare(some, zero).better == "some"
    assert "some is better than zero: inf times" in compare(zero, some).verdict


@pytest.mark.parametrize(
    ("b", "part"),
    [
        (Scores.of([1, 2, 3]), "games is '2' for a and '3' for b"),
        (Scores.of([1, 2], seed=1), "seed is '0' for a and '1' for b"),
        (Scores.of([1, 2], rules=Rules(height=16)), "rules is '10x20' for a and '10x16' for b"),
        (replace(Scores.of([1, 2]), interrupted=True), "b was interrupted"),
    ],
)
def test_only_common_games_are_compared(b, part):
    with pytest.raises(InputError, match=part):
        compare(Scores.of([1, 2]), b)


# --- extrapolation ------------------------------------------------------------------------------


def test_geometric_heights_are_extrapolated_to_the_true_length():
    heights = np.bincount(np.random.default_rng(1).geometric(0.4, 100_000))
    found = extrapolate(heights, 20)
    pieces = 1 / (0.4 * 0.6**20)
    assert found.slope == pytest.approx(log(0.6), rel=0.03)
    assert found.pieces == pytest.approx(pieces, rel=0.3)
    assert found.lines == pytest.approx(found.pieces * 4 / 10)
    assert found.low < pieces * 0.4 < found.high
    assert found.first == 2
    assert heights[found.last] >= 10 > heights[found.last + 1]


def test_an_exact_law_is_continued_exactly():
    heights = [0, 2**20, 2**19, 2**18, 2**17, 2**16, 2**15]
    found = extrapolate(heights, 9, width=5, cells=2)
    assert found.pieces == pytest.approx(sum(heights) / 2**11)
    assert found.lines == pytest.approx(found.pieces * 2 / 5)
    assert "each 0.5 times as frequent" in str(found)


def test_the_interval_is_wider_for_fewer_moves():
    few, many = (extrapolate(np.bincount(np.random.default_rng(2).geometric(0.3, n)), 20) for n in (1000, 100_000))
    assert few.high / few.low > 2 * many.high / many.low


def test_the_line_may_start_higher_up():
    bent = [1000, 3000, 2900, 2000, 1000, 400, 128, 32]
    whole, tail = extrapolate(bent, 9), extrapolate(bent, 9, first=4)
    assert (whole.first, tail.first) == (2, 4)
    assert tail.slope < whole.slope
    assert tail.lines > whole.lines


@pytest.mark.parametrize("heights", [[], [5, 3], [100, 50, 20, 5], [100, 10, 50, 60, 70]])
def test_a_line_needs_heights_that_get_rarer(heights):
    with pytest.raises(InputError, match="heights"):
        extrapolate(heights, 20)


@pytest.mark.parametrize(("height", "first", "part"), [(-1, None, "height is -1"), (20, -2, "first is -2")])
def test_a_line_needs_heights_from_0_up(height, first, part):
    with pytest.raises(InputError, match=part):
        extrapolate([64, 32, 16, 8], height, first=first)


def test_importing_the_module_does_not_load_scipy():
    code = "import sys, tetriscourse.statistics; print([name for name in sys.modules if name.startswith('scipy')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
