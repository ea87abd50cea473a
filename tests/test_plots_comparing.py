"""Figures for comparing players: the gap that is drawn is scipy's, and the line is the one of extrapolate."""

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

import tetriscourse as tc
from tetriscourse import plots
from tetriscourse.errors import InputError
from tetriscourse.plots import alternative
from tetriscourse.statistics import Scores

mpl.use("agg")
ONE = Scores.of(np.random.Generator(np.random.PCG64(1)).exponential(50, 80).astype(int), player="one")
TWO = Scores.of(np.random.Generator(np.random.PCG64(2)).exponential(90, 60).astype(int), player="two")


def line(figure, label):
    """The points of the line whose label begins so."""
    return next(one for one in figure.axes[0].get_lines() if one.get_label().startswith(label)).get_xydata()


def test_the_gap_between_two_players_is_that_of_the_two_sample_test():
    figure = plots.staircase(ONE, TWO)
    found = stats.ks_2samp(ONE.lines, TWO.lines)
    (x0, low), (x1, high) = line(figure, "widest gap")
    assert x0 == x1 == found.statistic_location
    assert high - low == pytest.approx(found.statistic)
    assert f"at most {found.statistic:.3f} apart" in alternative(figure)


@pytest.mark.slow
def test_the_gap_to_the_law_is_that_of_the_fit():
    figure = plots.staircase(ONE)
    (_, low), (_, high) = line(figure, "widest gap")
    law = stats.kstest(ONE.lines, stats.expon(scale=ONE.mean).cdf).statistic
    assert high - low == pytest.approx(law) == pytest.approx(ONE.fit().statistic)
    x, y = line(figure, "exponential law").T
    assert y == pytest.approx(stats.expon(scale=ONE.mean).cdf(x))


def test_a_staircase_has_a_step_a_game():
    steps = line(plots.staircase(ONE, TWO), "two, 60 games")
    for lines in (0, 30, 100):
        assert steps[steps[:, 0] <= lines][-1, 1] == pytest.approx(np.mean(TWO.lines <= lines))


def test_heights_and_the_line_above_them_are_those_of_extrapolate():
    boards = [tc.Rules(height=height, max_pieces=2000) for height in (8, 12)]
    low, tall = (tc.simulate(tc.PLAYERS["dellacherie"], rules, games=20) for rules in boards)
    figure = plots.pile_heights(low, tall)
    found = tc.extrapolate(low.heights, 8)
    assert line(figure, "1 move of").tolist() == [[9, pytest.approx(100 / found.pieces)]]
    (x0, y0), (x1, y1) = line(figure, "the line")
    assert np.log(y1 / y0) / (x1 - x0) == pytest.approx(found.slope)
    assert (x1, y1) == (9, pytest.approx(100 / found.pieces))
    for scores, name in ((low, "10x8"), (tall, "10x12")):
        shares = dict(line(figure, name))
        assert sum(shares.values()) == pytest.approx(100)
        assert shares[4] == pytest.approx(100 * scores.heights[4] / scores.heights.sum())
    assert f"one move of {found.pieces:,.0f}" in alternative(figure)


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: plots.staircase([1, 2]), r"scores is \[1, 2\]; it must be Scores with at least one line"),
        (lambda: plots.staircase(ONE, Scores.of([0, 0])), "other is Scores.* at least one line"),
        (lambda: plots.pile_heights(ONE), "scores is .* it must be Scores of simulated games"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, said):
    with pytest.raises(InputError, match=said):
        draw()
