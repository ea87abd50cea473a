"""Figures of how scores spread: bars count games, boxes hold their quartiles, and words say the same."""

import statistics

import matplotlib as mpl
import numpy as np
import pytest

from tetriscourse import plots
from tetriscourse.errors import InputError
from tetriscourse.random_numbers import Draws
from tetriscourse.statistics import Scores

mpl.use("agg")


def scores(name="somebody", games=40, mean=5000.0, seed=1):
    """Exponential scores."""
    return Scores.of((-mean * np.log(1 - Draws(seed, 0).uniform(games))).astype(int) + 1, player=name)


def bars(axes):
    return np.array([bar.get_height() for bar in axes.patches])


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_every_game_is_in_a_bar_and_all_players_have_the_same_bars(scale):
    a, b = scores("a"), scores("b", games=25, mean=50.0, seed=2)
    *histograms, _ = plots.score_spread([a, b], scale=scale).axes
    assert [bars(axes).sum() for axes in histograms] == [40, 25]
    edges = [[round(bar.get_x(), 6) for bar in axes.patches] for axes in histograms]
    assert edges[0] == edges[1]


def test_bars_are_equally_wide_on_the_chosen_scale():
    for scale, on_the_axis in (("linear", lambda x: x), ("log", np.log)):
        found = plots.score_spread(scores(), scale=scale).axes[0].patches
        widths = [on_the_axis(bar.get_x() + bar.get_width()) - on_the_axis(bar.get_x()) for bar in found[1:]]
        assert np.allclose(widths, widths[0])


def test_the_box_is_the_quartiles_and_the_whiskers_end_at_the_extremes():
    one = scores(games=41)
    lines = [line.get_xdata() for line in plots.score_spread(one).axes[-1].lines]
    low, middle, high = statistics.quantiles(one.points.tolist(), n=4, method="inclusive")
    box, lower, upper = lines[0], lines[1], lines[2]
    assert (min(box), max(box)) == pytest.approx((low, high))
    assert (min(lower), max(upper)) == (one.points.min(), one.points.max())
    assert any(np.allclose(line, middle) for line in lines if len(line) == 2)


def test_tukey_s_whiskers_leave_far_games_outside_and_draw_them_one_by_one():
    one = Scores.of([1, 2, 3, 4, 5, 100])
    axes = plots.score_spread(one, whiskers="tukey").axes[-1]
    assert max(axes.lines[2].get_xdata()) == 5
    assert any(list(line.get_xdata()) == [100] for line in axes.lines)


def test_one_box_is_explained_and_several_are_named():
    said = [text.get_text() for text in plots.score_spread(scores()).axes[-1].texts]
    assert sorted(said) == sorted(["least", "lower quartile", "median", "mean", "upper quartile", "most"])
    axes = plots.score_spread([scores("a"), scores("b")]).axes[-1]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert not axes.texts


def test_the_words_give_the_numbers_of_the_box():
    words = plots.alternative(plots.score_spread([Scores.of([0, 10, 20, 30, 940], player="me")], of="lines"))
    assert words == (
        "me, 5 games, lines: least 0, lower quartile 10, median 20, upper quartile 30, most 940, mean 200."
    )


def test_games_without_a_point_are_drawn_on_a_log_scale_too():
    axes = plots.score_spread(Scores.of([0, 0, 5, 50]), scale="log").axes[0]
    assert bars(axes)[0] == 2
    assert bars(axes).sum() == 4
    assert bars(plots.score_spread(Scores.of([0, 0]), scale="log").axes[0]).sum() == 2


@pytest.mark.parametrize(
    ("given", "options", "named"),
    [
        ([], {}, "results"), ("scores", {}, "results"), (7, {}, "results"), (Scores.of([]), {}, "results"),
        (scores(), {"of": "score"}, "of"), (scores(), {"scale": "cubic"}, "scale"),
        (scores(), {"whiskers": "long"}, "whiskers"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_named(given, options, named):
    with pytest.raises(InputError, match=f"^{named} is"):
        plots.score_spread(given, **options)
