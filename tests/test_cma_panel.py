"""The panel of CMA-ES shows the optimizer itself: what it draws and does is what the library computes."""

import json
import re

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.game.rules import Rules
from tetriscourse.optimizers.cma_es import CMAES, CMASettings
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.widgets import CMAESPanel
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.optimizing.landscapes import LANDSCAPES
from tetriscourse.widgets.optimizing.planes import PLANES, level_lines, triangles

SMALL = Objective("dellacherie", Rules(6, 8, max_pieces=30), games=2)


def tell(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def plain_loop(optimizer, function, iterations):
    """The optimizer after so many iterations, without any panel."""
    for _ in range(iterations):
        x = optimizer.ask()
        optimizer.tell(x, [function(one) for one in x])
    return optimizer


def same_state(one, other):
    """Whether two optimizers know the same."""
    mine, theirs = one.state(), other.state()
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)


# --- the real optimizer ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLANES)
def test_a_panel_stepped_n_times_has_the_optimizer_of_a_plain_loop(name):
    panel = CMAESPanel(name, seed=3, steps=12)
    plain = CMAES(2, panel.settings, 3, start=PLANES[name].start)
    assert same_state(panel.optimizer, plain_loop(plain, PLANES[name], 12))


def test_on_tetris_it_has_what_train_has_and_so_does_its_log():
    panel = CMAESPanel(SMALL, CMASettings(population=6, iterations=3), seed=5, curve=2, steps=3)
    trained = tc.train(CMAES(6, population=6, iterations=3, seed=5), SMALL, curve=2, progress=False)
    assert same_state(panel.optimizer, trained.optimizer)
    assert panel.training.log["curve"].tolist() == trained.log["curve"].tolist()
    assert panel.training.games == trained.games == 36
    assert panel.player.weights == trained.player().weights


def test_three_phases_come_to_the_same_as_one_step():
    whole, parts = CMAESPanel("Rosenbrock", seed=1, steps=4), CMAESPanel("Rosenbrock", seed=1)
    tell(parts, "phases", True)
    for _ in range(12):
        tell(parts, "step")
    assert same_state(whole.optimizer, parts.optimizer)


def test_each_phase_shows_what_is_known_by_then():
    panel = CMAESPanel(seed=1)
    tell(panel, "phases", True)
    drawn = []
    for _ in range(3):
        tell(panel, "step")
        svg = panel.data["plane"]["svg"]
        points = [group.count("<path") for group in re.findall(r'<g class="tc-points".*?</g>', svg)]
        drawn.append((panel.data["phase"]["text"].split(":")[0], points[1:], svg.count("tc-ellipse")))  # [0]: the top
    assert drawn == [("Sample", [10], 1), ("Select", [10, 5], 1), ("Move", [10, 5], 2)]


def test_the_selected_are_those_whose_weighted_mean_is_the_new_mean():
    panel = CMAESPanel("sphere", seed=2, steps=5)
    assert panel.optimizer.constants.w @ panel.parents(panel.last) == pytest.approx(panel.optimizer.m)


def test_on_the_turned_ellipse_the_distribution_turns_as_the_hill_does():
    panel = CMAESPanel("turned ellipse", seed=0, steps=60)
    longest = panel.optimizer.axes.B[:, -1]
    assert abs(longest @ (0.8, 0.6)) > 0.99
    assert panel.axis_ratio(panel.optimizer.axes.D) == pytest.approx(10, rel=0.5)


@pytest.mark.slow
def test_where_only_direction_counts_sigma_runs_away_unless_candidates_have_length_1():
    free, bound = (
        CMAESPanel("direction only", CMASettings(population=10, sigma=0.3, normalise=normalise), steps=30)
        for normalise in (False, True)
    )
    assert free.optimizer.history["sigma"].max() > 20
    assert np.linalg.norm(free.optimizer.m) > 50
    assert bound.optimizer.history["sigma"].max() < 3
    assert np.linalg.norm(bound.optimizer.m) <= 1


def test_length_1_can_be_ticked_at_any_time_and_stays_after_a_reset():
    panel = CMAESPanel("direction only", steps=10)
    assert np.linalg.norm(panel.optimizer.m) > 2
    tell(panel, "normalise", True)
    tell(panel, "step")
    assert np.linalg.norm(panel.last.candidates, axis=1) == pytest.approx(1)
    tell(panel, "reset")
    assert panel.optimizer.settings.normalise
    assert panel.optimizer.iteration == 0


# --- what is drawn --------------------------------------------------------------------------------


def test_the_ellipse_of_two_weights_is_the_marginal_of_what_is_sampled():
    panel = CMAESPanel(SMALL, CMASettings(population=8), seed=1, weights=("holes", "wells"), curve=0, steps=4)
    mean, covariance = panel.distribution(panel.optimizer)
    many = CMAES(6, population=20_000, seed=9)
    many.m, many.sigma, many.C = panel.optimizer.m, panel.optimizer.sigma, panel.optimizer.C
    sample = many.ask()[:, panel.axes]
    scale = np.sqrt(np.diag(covariance))
    assert np.abs(sample.mean(axis=0) - mean).max() < 0.05 * scale.max()
    assert np.cov(sample.T) / np.outer(scale, scale) == pytest.approx(covariance / np.outer(scale, scale), abs=0.05)


@pytest.mark.parametrize("name", [*PLANES, *LANDSCAPES])
def test_contour_lines_run_where_the_function_has_their_level(name):
    landscape = (PLANES | LANDSCAPES)[name]
    corners, heights = triangles(landscape, (0.3, 0.5), (0.2, 0.4))
    level = float(np.quantile(heights, 0.5))
    ends = level_lines(corners, heights, level).reshape(-1, 2)
    assert len(ends)
    assert [landscape(end) for end in ends] == pytest.approx([level] * len(ends), abs=0.02 * np.ptp(heights))


@pytest.mark.parametrize("name", [name for name, plane in PLANES.items() if plane.top])
def test_nothing_near_its_top_is_higher(name):
    plane, rng = PLANES[name], np.random.default_rng(0)
    assert plane(plane.top) == plane.highest
    assert max(plane(plane.top + rng.normal(size=2)) for _ in range(200)) < plane.highest


def test_contour_lines_of_a_round_hill_are_circles():
    corners, heights = triangles(lambda x: -float(np.hypot(*x)), (-1, 1), (-1, 1))
    ends = level_lines(corners, heights, -0.5).reshape(-1, 2)
    assert np.hypot(*ends.T) == pytest.approx(0.5, abs=0.01)
    angles = np.sort(np.arctan2(*ends.T))
    assert np.diff(angles).max() < 0.2


def test_contours_follow_the_axes_when_these_are_exchanged():
    panel = CMAESPanel("Rosenbrock")
    before = panel.data["plane"]["svg"]
    tell(panel, "across", "x2")
    assert "tc-contour" not in panel.data["plane"]["svg"]
    tell(panel, "up", "x1")
    assert panel.axes == [1, 0]
    assert panel.data["plane"]["svg"].count("tc-contour") == before.count("tc-contour") == 7
    assert panel.data["plane"]["svg"] != before


def test_contours_are_computed_once_for_each_view(monkeypatch):
    panel = CMAESPanel("Rosenbrock", seed=1)
    asked = []
    monkeypatch.setattr("tetriscourse.widgets.optimizing.phases.contour_svg", lambda *_: asked.append(1) or "")
    for _ in range(3):
        panel.refresh()
    assert not asked
    tell(panel, "view", "near the ellipse")
    assert len(asked) == 1


def test_no_candidates_stand_for_a_number_that_the_panel_says():
    panel = CMAESPanel(seed=1)
    tell(panel, "population", "0")
    assert len(panel.optimizer.ask()) == 4 + int(3 * np.log(2))
    assert f"candidates: {len(panel.optimizer.ask())}, since there are n = 2" in panel.message["text"]


@pytest.mark.slow
def test_the_data_stay_small_and_the_picture_says_what_it_shows():
    for name in (*PLANES, *LANDSCAPES):
        panel = CMAESPanel(name, CMASettings(population=30), steps=20)
        assert len(json.dumps(panel.data)) < 60_000
        assert panel.data["phase"]["text"] in panel.data["plane"]["svg"]


def test_the_path_and_the_step_size_in_words_agree_with_the_optimizer():
    panel = CMAESPanel("sphere", CMASettings(sigma=0.01, population=10), steps=2)
    path = np.linalg.norm(panel.optimizer.p_sigma)
    grown = panel.optimizer.sigma / panel.last.before.sigma
    said = panel.data["phase"]["text"]
    assert path > panel.optimizer.constants.chi_n
    assert f"is {path:.3g} long" in said
    assert f"grew by a factor of {grown:.3g}" in said


# --- controls and input ---------------------------------------------------------------------------


def test_fields_begin_anew_with_what_was_typed():
    panel = CMAESPanel(steps=3)
    tell(panel, "population", "14")
    assert (panel.optimizer.constants.lambda_, panel.optimizer.iteration) == (14, 0)
    tell(panel, "sigma", "0.05")
    assert panel.optimizer.sigma == 0.05
    tell(panel, "goal", "Tetris 6x12")
    assert panel.optimizer.dimension == 6
    assert panel.labels[0] == "landing_height"


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ("population", "many", "candidates is 'many'; it must be a whole number from 0 to 200"),
        ("population", "1", "population is 1; it must be 0 (chosen by the dimension) or at least 2"),
        ("sigma", "0", "first sigma is 0; it must be a number above 0"),
        ("goal", "spere", "goal is 'spere'; did you mean 'sphere'?"),
        ("across", "x9", "across is 'x9'"),
        ("view", "far", "show is 'far'"),
    ],
)
def test_bad_input_is_a_message_and_changes_nothing(event, value, said):
    panel = CMAESPanel(steps=2)
    before = panel.optimizer
    tell(panel, event, value)
    assert panel.message["text"].startswith(said)
    assert panel.message["kind"] == "error"
    assert panel.optimizer is before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"objective": "hill"}, "objective is 'hill'"),
        ({"objective": 7}, "objective is 7"),
        ({"settings": "none"}, "settings is 'none'"),
        ({"settings": CMASettings(start=(1.0, 2.0, 3.0))}, "start has 3 numbers; it must have 2"),
        ({"weights": ("x1", "y")}, "weights is 'y'"),
        ({"seed": -1}, "seed is -1"),
        ({"dimension": 1}, "dimension is 1"),
    ],
)
def test_arguments_are_checked(given, said):
    with pytest.raises(InputError, match=re.escape(said)):
        CMAESPanel(**given)


def test_a_function_of_ones_own_in_more_dimensions_needs_no_contours():
    panel = CMAESPanel(lambda x: -float(np.abs(x).sum()), CMASettings(start=(1.0,) * 4), dimension=4, steps=5)
    assert panel.optimizer.dimension == 4
    assert panel.first_mean.tolist() == [1.0] * 4
    assert "tc-contour" not in panel.data["plane"]["svg"]
    tell(panel, "goal", "Rosenbrock")
    assert panel.first_mean.tolist() == [-1.2, 1.0]
    assert panel.message["text"] == ""


def test_before_the_first_click_two_panels_are_alike():
    one, other = CMAESPanel(seed=4), CMAESPanel(seed=4)
    assert one.data == other.data
    assert repr(one) == repr(other)
    assert repr(one).startswith("CMAESPanel(CMA-ES)\n0 iterations; maximises the turned ellipse")


def test_it_stops_when_the_optimizer_does():
    panel = CMAESPanel("sphere", CMASettings(iterations=3), steps=9)
    assert panel.optimizer.iteration == 3
    assert panel.data["run"]["step"]["disabled"]
    assert panel.data["status"]["text"].endswith(": all 3 iterations are done")


def test_a_point_far_outside_does_not_break_the_picture():
    panel = CMAESPanel("sphere", CMASettings(sigma=1e5), steps=2)
    assert panel.failure == ""
    assert isinstance(panel.plane(), Chart)
