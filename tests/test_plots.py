"""Figures: what is drawn is what was learned, in axes that say so, with words for who cannot see them."""

import json
import warnings

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from functions import sphere
from matplotlib.patches import Ellipse
from scipy import stats

import tetriscourse as tc
from tetriscourse import plots
from tetriscourse.course.results import stored_table
from tetriscourse.errors import InputError, readable
from tetriscourse.features import FEATURE_SETS
from tetriscourse.history import History
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.optimizers.experiments import Experiment
from tetriscourse.plots import RunView, alternative
from tetriscourse.statistics import Scores

mpl.use("agg")
SMALL = tc.Objective("dn", "5x5", 4)
CAPPED = tc.Objective("tetrisbot", tc.Rules(width=6, height=8, max_pieces=12), 2, signs=(1, -1, -1, -1))


@pytest.fixture(scope="module")
def cma():
    """Three runs of CMA-ES on the smallest board."""
    return [tc.train(tc.CMAES(8, seed=k, iterations=4 + k), SMALL, curve=6, progress=False) for k in range(3)]


@pytest.fixture(scope="module")
def races():
    """Three with races."""
    settings = tc.RacingSettings(bound="tetris")
    return [
        tc.train(tc.CMAES(8, seed=k, iterations=4), SMALL, racing=settings, curve=6, progress=False) for k in (1, 2, 3)
    ]


@pytest.fixture(scope="module")
def cross_entropy():
    optimizer = tc.CrossEntropy(8, seed=1, iterations=5, population=12, rho=0.5, noise="constant")
    return tc.train(optimizer, SMALL, curve=5, progress=False)


@pytest.fixture(scope="module")
def outcome():
    """An experiment of two runs with a genetic algorithm, whose genomes are positive and whose games are capped."""
    settings = tc.GeneticAlgorithm.Settings(population_size=10, iterations=3)
    return Experiment("small", "genetic", settings, CAPPED, runs=2, curve=tc.Curve(5)).run(progress=False)


@pytest.fixture(scope="module")
def stored(outcome):
    """The version that is read from a file."""
    return json.loads(json.dumps(outcome.as_data()))


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    """No test may leave a figure open, a setting changed, or a warning."""
    before = mpl.rcParams.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    assert plt.get_fignums() == []
    assert dict(mpl.rcParams) == dict(before)


def run_of(curve, **history):
    """A made-up run with these games."""
    curve = np.array(curve, float)
    log = {"curve": curve, "games": 100.0 * np.arange(1, len(curve) + 1)}
    return RunView(History(history), History(log), "lines")


def line(figure, label, axes=0):
    """The points of the line with this label."""
    found = [one for one in figure.axes[axes].get_lines() if one.get_label() == label]
    assert len(found) == 1
    return np.array(found[0].get_xydata())


def lines(figure, axes=0):
    """The heights of all lines."""
    return [np.array(one.get_ydata()) for one in figure.axes[axes].get_lines()]


def drawn(figure):
    """The figure, after matplotlib has really drawn it and every panel turned out to be labelled."""
    figure.canvas.draw()
    labels = [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel())]
    assert all(any((axes.get_xlabel(), axes.get_ylabel())) for axes in figure.axes), labels
    assert alternative(figure).endswith(".")
    box = figure.bbox
    for legend in figure.legends:  # nothing is cut off
        inside = legend.get_window_extent()
        assert inside.y0 >= box.y0
        assert inside.y1 <= box.y1
        assert inside.x1 <= box.x1
    return figure


def legend_of(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


class TestLearningCurves:
    def test_a_run_is_drawn_with_the_exact_interval_of_an_exponential_mean(self, cma):
        figure, games = drawn(plots.learning_curves(cma[0])), cma[0].log["curve"]
        assert line(figure, "mean").tolist() == [[k + 1, row.mean()] for k, row in enumerate(games)]
        corners = figure.axes[0].collections[0].get_paths()[0].vertices
        for k, row in enumerate(games):
            low, high = (2 * row.sum() / stats.chi2(2 * row.size).ppf(tail) for tail in (0.975, 0.025))
            at = corners[corners[:, 0] == k + 1, 1]
            assert at.min() == pytest.approx(low)
            assert at.max() == pytest.approx(high)

    def test_games_that_were_capped_have_the_interval_of_student(self, outcome):
        figure, games = plots.learning_curves(outcome.trainings[0]), outcome.trainings[0].log["curve"]
        corners = figure.axes[0].collections[0].get_paths()[0].vertices
        at = corners[corners[:, 0] == 1, 1]
        low, high = stats.t(4, games[0].mean(), games[0].std(ddof=1) / np.sqrt(5)).interval(0.95)
        assert (at.min(), at.max()) == pytest.approx((max(low, 0), high))

    def test_no_interval_on_request(self, cma):
        assert not plots.learning_curves(cma[0], interval=False).axes[0].collections

    @pytest.mark.parametrize(("middle", "of"), [("mean", np.mean), ("median", np.median)])
    def test_of_several_runs_the_thick_line_is_the_middle_and_each_has_a_thin_one(self, middle, of):
        curves = np.array([[[1, 3], [20, 40]], [[4, 4], [100, 300]], [[2, 4], [900, 1100]]])
        figure = drawn(plots.learning_curves([run_of(one) for one in curves], middle=middle))
        thick, *thin = figure.axes[0].get_lines()
        assert thick.get_ydata().tolist() == of(curves.mean(axis=2), axis=0).tolist()
        assert [one.get_ydata().tolist() for one in thin] == curves.mean(axis=2).tolist()
        assert thick.get_linewidth() > 2 * thin[0].get_linewidth()
        assert "the runs ending between 30.00 and 1,000" in alternative(figure)

    def test_a_run_that_ended_early_stays_where_it_was(self):
        figure = plots.learning_curves([run_of([[1], [2], [3]]), run_of([[5]])])
        assert line(figure, "mean of 2 runs")[:, 1].tolist() == [3, 3.5, 4]

    def test_groups_are_named_by_a_dict_by_labels_or_by_their_experiment(self, cma, stored):
        for figure in (
            plots.learning_curves({"a": cma[0], "b": cma[1:]}),
            plots.learning_curves([cma[0], cma[1:]], labels=["a", "b"]),
        ):
            assert legend_of(drawn(figure)) == ["a", "b: mean of 2 runs"]
        assert legend_of(plots.learning_curves([stored, stored | {"experiment": "again"}])) == [
            "small: mean of 2 runs", "again: mean of 2 runs",
        ]  # fmt: skip

    def test_scores_that_span_decades_are_on_a_log_scale_others_are_not(self):
        assert plots.learning_curves(run_of([[1], [5000]])).axes[0].get_yscale() == "log"
        assert plots.learning_curves(run_of([[180], [199]])).axes[0].get_yscale() == "linear"

    def test_zeros_can_be_seen_on_the_log_scale(self):
        figure = drawn(plots.learning_curves(run_of([[0, 0], [0, 1], [3000, 5000]])))
        assert figure.axes[0].get_yscale() == "symlog"
        assert line(figure, "mean")[:, 1].tolist() == [0, 0.5, 4000]
        place = figure.axes[0].transData.transform([[1, 0], [2, 0.5]])
        assert np.isfinite(place).all()
        assert figure.axes[0].get_window_extent().y0 <= place[0, 1] + 1e-6 < place[1, 1]
        drawn(plots.learning_curves(run_of([[0, 0], [0, 0]])))

    def test_words_have_the_first_and_last_mean_and_the_interval(self):
        text = alternative(plots.learning_curves(run_of([[10, 30], [2000, 4000]])))
        assert "from 20.00 to 3,000 lines" in text
        low, high = (2 * 6000 / stats.chi2(4).ppf(tail) for tail in (0.975, 0.025))
        assert f"{low:,.0f} to {high:,.0f}" in text
        assert "2 iterations" in text

    def test_ticks_are_written_out(self):
        figure = drawn(plots.learning_curves(run_of([[1], [50_000]])))
        assert "10,000" in [text.get_text() for text in figure.axes[0].get_yticklabels()]


def test_jupyter_gets_the_words_with_the_figure():
    from IPython.core.interactiveshell import InteractiveShell

    figure = plots.learning_curves(run_of([[1], [2]]))
    data, metadata = InteractiveShell().display_formatter.format(figure)
    assert data["text/plain"] == metadata["image/png"]["alt"] == alternative(figure)


class TestStoredOutcomes:
    """A stored outcome looks like the live one, to six digits."""

    @pytest.mark.parametrize("figure", [plots.learning_curves, plots.learned_weights])
    def test_all_runs(self, outcome, stored, figure):
        live, read, listed = figure(outcome), figure(stored), figure(outcome.trainings)
        for one in (read, listed):
            for a, b in zip(lines(live), lines(one), strict=True):
                assert a == pytest.approx(b, rel=1e-5)
            assert one.axes[0].get_ylabel() == live.axes[0].get_ylabel()

    @pytest.mark.parametrize("figure", [plots.population, plots.weights_over_time])
    def test_the_first_run(self, outcome, stored, figure):
        live, read, bare = figure(outcome.trainings[0]), figure(stored), figure(stored["runs"][0])
        for a, b in zip(lines(live), lines(read), strict=True):
            assert a == pytest.approx(b, rel=1e-5)
        assert legend_of(live) == legend_of(read)
        assert len(lines(bare)) == len(lines(live))

    def test_of_other_runs_only_an_outline_is_stored(self, stored):
        with pytest.raises(InputError, match=r"run has no 'best'; it has favourite, games, moves, curve \(stored"):
            plots.population(stored["runs"][1])

    def test_weights_have_the_signs_of_the_player_not_of_the_genome(self, outcome, stored):
        assert (outcome.trainings[0].favourite >= 0).all()
        for run in (outcome.trainings[0], stored):
            figure = plots.weights_over_time(run)
            assert line(figure, "holes")[-1, 1] == pytest.approx(-outcome.trainings[0].favourite[2], rel=1e-5)
            assert line(figure, "lines")[-1, 1] == pytest.approx(outcome.trainings[0].favourite[0], rel=1e-5)


class TestPopulation:
    def test_best_mean_and_spread_of_each_generation_from_0(self, outcome):
        run = outcome.trainings[0]
        figure = drawn(plots.population(run))
        for label, name in (("best", "best"), ("mean", "mean"), ("standard deviation", "spread")):
            points = line(figure, label)
            assert points[:, 0].tolist() == list(range(len(run.history)))
            assert points[:, 1].tolist() == run.history[f"population_{name}"].tolist()
        assert figure.axes[0].get_xlabel() == "generation"
        assert "lines" in figure.axes[0].get_ylabel()
        best = run.history["population_best"]
        assert f"Best from {best[0]:.2f} to {best[-1]:.2f} lines" in alternative(figure)

    def test_methods_without_a_population_show_their_candidates(self, cross_entropy):
        figure = drawn(plots.population(cross_entropy))
        assert line(figure, "best").tolist() == [[k + 1, v] for k, v in enumerate(cross_entropy.history["best"])]
        assert figure.axes[0].get_xlabel() == "iteration"

    def test_a_plain_function_will_do(self):
        figure = drawn(plots.population(tc.train(tc.CMAES(3, iterations=5), sphere, progress=False)))
        assert figure.axes[0].get_yscale() == "linear"


class TestWeights:
    def test_one_line_for_each_feature_named_in_the_order_in_which_they_end(self, cma):
        figure, history = drawn(plots.weights_over_time(cma[0])), cma[0].history["favourite"]
        names = list(FEATURE_SETS["dn"].labels(5))
        for k, name in enumerate(names):
            assert line(figure, name)[:, 1].tolist() == history[:, k].tolist()
        assert legend_of(figure) == [names[k] for k in sorted(range(8), key=lambda k: -history[-1, k])]
        assert f"holes from {history[0, 4]:.3g} to {history[-1, 4]:.3g}" in alternative(figure)

    def test_no_two_of_22_lines_look_the_same(self):
        figure = drawn(plots.weights_over_time(run_of([[1]] * 3, favourite=np.arange(66.0).reshape(3, 22))))
        assert len({(one.get_color(), one.get_linestyle()) for one in figure.axes[0].get_lines()}) == 22

    def test_other_labels(self):
        figure = plots.weights_over_time(run_of([[1]], favourite=[[1.0, 2.0]]), labels=["a", "b"])
        assert legend_of(figure) == ["b", "a"]


class TestStepSizes:
    def test_cma_es_has_sigma_the_deviations_and_the_axes(self, cma):
        figure, history = drawn(plots.step_sizes(cma[0])), cma[0].history
        for panel, name in enumerate(("sigma", "deviations", "axes")):
            assert np.array_equal(np.squeeze(np.array(lines(figure, panel)).T), history[name])
            assert figure.axes[panel].get_yscale() == "log"
            assert figure.axes[panel].get_ylabel()
        assert legend_of(figure) == list(FEATURE_SETS["dn"].labels(5))
        assert f"step size σ: at first {history['sigma'][0]:.3g}, at last" in alternative(figure)

    def test_cross_entropy_has_sigma_and_noise_which_it_cannot_fall_below(self, cross_entropy):
        figure, history = drawn(plots.step_sizes(cross_entropy)), cross_entropy.history
        noise = line(figure, "√Z, the noise")[:, 1]
        assert noise.tolist() == [2.0] * 5  # Z = 4
        assert (np.array(lines(figure)) >= noise - 1e-9).all()
        for k, name in enumerate(FEATURE_SETS["dn"].labels(5)):
            assert line(figure, name)[:, 1].tolist() == history["sigma"][:, k].tolist()
        low, high = history["sigma"][-1].min(), history["sigma"][-1].max()
        assert f"at last {low:.3g} to {high:.3g}" in alternative(figure)

    def test_noise_that_is_0_does_not_break_the_log_scale(self):
        run = tc.train(tc.CrossEntropy(3, iterations=3, noise="none"), sphere, progress=False)
        assert "√Z, the noise" not in legend_of(drawn(plots.step_sizes(run)))
        run = tc.train(tc.CrossEntropy(3, iterations=3, noise=lambda t: 2.25 - 0.75 * t), sphere, progress=False)
        noise = line(drawn(plots.step_sizes(run)), "√Z, the noise")[:, 1]
        assert noise == pytest.approx([1.5**0.5, 0.75**0.5, np.nan], nan_ok=True)

    def test_a_genetic_algorithm_has_none(self, outcome):
        with pytest.raises(InputError, match="run has no 'sigma'"):
            plots.step_sizes(outcome)


class TestRaces:
    def test_median_share_of_evaluations_and_fitness_by_evaluations(self, races, cma):
        figure = drawn(plots.race_evaluations({"races": races, "none": cma[0]}))
        shares = 100 * np.array([run.log["race_share"] for run in races])
        assert line(figure, "races")[:, 1] == pytest.approx(np.median(shares, axis=0))
        assert [row.tolist() for row in lines(figure)[:3]] == shares.tolist()
        assert (line(figure, "none")[:, 1] == 100).all()
        last = figure.axes[1].get_lines()[-1].get_xydata()
        assert last[:, 0].tolist() == cma[0].log["games"].tolist()
        assert last[:, 1].tolist() == cma[0].log["curve"].mean(axis=1).tolist()
        assert legend_of(figure) == ["races", "none"]
        used = np.median([run.log["games"][-1] for run in races])
        assert f"after {readable(used)} evaluations" in alternative(figure)
        assert all(axes.get_xlabel() and axes.get_ylabel() for axes in figure.axes)

    def test_one_group_without_a_name(self, races):
        assert len(lines(drawn(plots.race_evaluations(races)))) == 4


class TestLearnedWeights:
    VECTORS = np.random.Generator(np.random.PCG64(5)).normal(size=(20, 3)) + 3

    def test_boxes_are_the_quartiles_of_vectors_of_length_1(self):
        figure = drawn(plots.learned_weights(self.VECTORS))
        unit = np.array([row / np.sqrt(row @ row) for row in self.VECTORS])
        boxes = [one for one in lines(figure) if len(one) == 5][:3]
        for k, box in enumerate(boxes):
            assert (box.min(), box.max()) == pytest.approx(tuple(np.percentile(unit[:, k], (25, 75))))
        assert line(figure, "mean of 20 runs")[:, 1] == pytest.approx(unit.mean(axis=0))
        assert f"mean of 20 runs: {', '.join(f'{w:.3g}' for w in unit.mean(axis=0))}" in alternative(figure)

    def test_the_words_tell_each_box_by_its_median_and_quartiles(self):
        words = alternative(plots.learned_weights([[3, 4], [4, 3], [0, 1], [-1, 0], [0.6, 0.8]], ["holes", "wells"]))
        assert words.startswith(
            "Learned weights of 5 runs, medians and quartiles: holes 0.6 (0 to 0.6), wells 0.8 (0.6 to 0.8). "
        )

    @pytest.mark.parametrize("name", ["boumaza-dn", "champion-weights"])
    def test_stored_runs_have_a_box_for_each_feature(self, name):
        if name == "champion-weights":
            rows = stored_table(name).rows
            runs, labels = list(zip(*(row["weights"] for row in rows), strict=True)), [row["feature"] for row in rows]
        else:
            runs, labels = tc.stored_result(name), None
        figure = drawn(plots.learned_weights(runs, labels))
        features = FEATURE_SETS["champion" if labels else "dn"].labels(10)
        assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == list(features)
        assert len([one for one in lines(figure) if len(one) == 5]) >= len(features)

    def test_published_players_lie_beside_them(self, cma):
        figure = drawn(plots.learned_weights(cma, others={"dn": tc.PLAYERS["dn"], "ones": [1] * 8}))
        weights = np.array(tc.PLAYERS["dn"].weights)
        assert line(figure, "dn")[:, 1] == pytest.approx(weights / np.linalg.norm(weights))
        assert line(figure, "ones")[:, 1] == pytest.approx([8**-0.5] * 8)
        assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == list(FEATURE_SETS["dn"].labels(5))


class TestHistogram:
    LINES = np.random.Generator(np.random.PCG64(7)).exponential(500, 300).astype(int)

    def test_games_are_counted_and_the_law_has_their_mean(self):
        figure = drawn(plots.score_histogram(Scores.of(self.LINES, player="p")))
        upper, lower = figure.axes
        bars = [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in upper.patches]
        for left, width, height in bars[:-1]:
            assert height == sum(left <= one < left + width for one in self.LINES)
        assert sum(height for *_, height in bars) == 300
        x, y = line(figure, "exponential law of the same mean").T
        assert y == pytest.approx(300 * bars[0][1] * stats.expon(scale=self.LINES.mean()).pdf(x))
        box = next(one for one in lower.get_lines() if len(one.get_xdata()) == 5).get_xdata()
        assert (min(box), max(box)) == tuple(np.percentile(self.LINES, (25, 75)))
        assert upper.get_shared_x_axes().joined(upper, lower)
        said = f"300 games, mean {self.LINES.mean():.1f} lines, sd {self.LINES.std(ddof=1):.1f}"
        assert said in upper.get_title()
        assert said in alternative(figure)
        assert f"maximum {self.LINES.max():,}" in alternative(figure)

    def test_no_law_for_games_that_were_stopped(self):
        scores = Scores.of([5, 9, 9], points=[50, 90, 80], finished=[True, False, False])
        figure = drawn(plots.score_histogram(scores, of="points"))
        assert not figure.axes[0].get_lines()
        assert "2 stopped" in figure.axes[0].get_title()
        assert figure.axes[1].get_xlabel() == "points a game"

    @pytest.mark.parametrize("values", [[0], [0, 0], [7, 7, 7]])
    def test_scores_that_are_all_the_same(self, values):
        drawn(plots.score_histogram(Scores.of(values)))


class TestCloud:
    X = np.random.Generator(np.random.PCG64(3)).normal(size=(50, 3))
    C = np.array([[4.0, 1.5, 0.3], [1.5, 1.0, 0.2], [0.3, 0.2, 9.0]])

    def border(self, figure):
        """Points around the ellipse, relative to its centre."""
        one = next(patch for patch in figure.axes[0].patches if isinstance(patch, Ellipse))
        turn, t = np.radians(one.get_angle()), np.linspace(0, 2 * np.pi, 33)
        x, y = one.get_width() / 2 * np.cos(t), one.get_height() / 2 * np.sin(t)
        return np.array([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)]).T, one.center

    def test_the_elite_are_the_best(self):
        scores = -np.sum(self.X**2, axis=1)
        figure = drawn(plots.cloud(self.X, scores, 2, 0, elite=5))
        rest, best = (np.array(one.get_offsets()) for one in figure.axes[0].collections)
        order = sorted(range(50), key=lambda k: -scores[k])
        assert {tuple(row) for row in best} == {(self.X[k, 2], self.X[k, 0]) for k in order[:5]}
        assert len(rest) == 45
        assert f"the best 5 score at least {scores[order[4]]:.2f}" in alternative(figure)

    def test_every_point_of_the_ellipse_is_as_far_from_the_mean_as_95_percent_of_the_distribution(self):
        figure = drawn(plots.cloud(self.X, self.X[:, 0], 0, 1, [1, 2, 3], self.C))
        points, centre = self.border(figure)
        assert tuple(centre) == (1, 2)
        distances = np.einsum("ni,ij,nj->n", points, np.linalg.inv(self.C[:2, :2]), points)
        assert distances == pytest.approx(stats.chi2(2).ppf(0.95))
        assert "mean 1, 2 and sd 2, 1" in alternative(figure)

    def test_standard_deviations_make_axes_parallel_to_the_weights(self):
        points, _ = self.border(plots.cloud(self.X, self.X[:, 0], 0, 2, [0, 0, 0], [1, 5, 3]))
        radius = np.sqrt(stats.chi2(2).ppf(0.95))
        assert np.abs(points).max(axis=0) == pytest.approx([radius, 3 * radius])


class TestBadInput:
    @pytest.mark.parametrize(
        ("draw", "message"),
        [
            (lambda: plots.learning_curves([]), r"runs is \[\]; it must be a Training"),
            (lambda: plots.learning_curves({}), r"runs is \{\}; it must be a Training"),
            (lambda: plots.learning_curves({"a": []}), r"runs is \[\]; it must be"),
            (lambda: plots.learning_curves("thiery-none"), "runs is 'thiery-none'; it must be"),
            (lambda: plots.learning_curves(run_of([[1]]), middle="mode"), "middle is 'mode'"),
            (lambda: plots.learning_curves([run_of([[1]])] * 2, ["a"]), r"labels is \['a'\]; it must be 2 different"),
            (lambda: plots.learning_curves([run_of([[1]])] * 2, ["a", "a"]), "it must be 2 different"),
            (lambda: plots.learning_curves(run_of([[1]]), 3), "labels is 3; it must be 1 different"),
            (lambda: plots.weights_over_time(run_of([[1]])), "run has no 'favourite'; it has curve, games"),
            (lambda: plots.weights_over_time(run_of([[1]], favourite=[[1, 2]]), ["a"]), "one for each of the weights"),
            (lambda: plots.learned_weights([]), r"runs is array\(\[\].*; it must be"),
            (lambda: plots.learned_weights([[0, 0]]), "it must be 2 finite weights each, not all 0"),
            (lambda: plots.learned_weights([[1, 2]], others={"x": [1]}), r"others\['x'\] is \[\[1\]\]; it must be 2"),
            (lambda: plots.learned_weights([[1, 2]], others={"x": tc.Filter(["holes"])}), r"others\['x'\] is"),
            (lambda: plots.score_histogram([1, 2]), r"scores is \[1, 2\]; it must be Scores"),
            (lambda: plots.score_histogram(Scores.of([])), "at least one game"),
            (lambda: plots.score_histogram(Scores.of([1]), "holes"), "of is 'holes'"),
            (lambda: plots.cloud([[1, 2]], [1, 2]), r"scores has shape \(2,\)"),
            (lambda: plots.cloud([[1, 2]], [1], 0, 2), "j is 2; it must be a whole number from 0 to 1"),
            (lambda: plots.cloud([[1, 2]], [1], elite=2), "elite is 2"),
            (lambda: plots.cloud([[1, 2]], [1], mean=[1], spread=[1], elite=1), r"mean has shape \(1,\)"),
        ],
    )
    def test_it_says_what_is_allowed(self, draw, message):
        with pytest.raises(InputError, match=message) as found:
            draw()
        assert "\n" not in str(found.value)

    def test_a_run_without_a_curve(self):
        run = tc.train(tc.CMAES(8, iterations=2), SMALL, curve=0, progress=False)
        with pytest.raises(InputError, match="run has no 'curve'; it has best, mean"):
            plots.learning_curves(run)


def test_the_package_does_not_need_matplotlib():
    """Only who draws waits for it."""
    import subprocess
    import sys

    code = "import sys, tetriscourse.cli, tetriscourse as tc; tc.train; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# --- learners -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    """A table of the domino game on 4x4."""
    return tc.QLearning(tc.Rules(4, 4, bag="domino", entry="spawn"), episodes=400).learn(progress=False)


def test_known_cells_are_as_dark_as_the_table_knows_them(table):
    figure = plots.known_cells(table)
    axes, bar = figure.axes
    (image,) = axes.get_images()
    assert np.array_equal(image.get_array(), table.known_cells())
    assert bar.get_ylabel() == "known states in which the cell is full"
    assert bar.get_ylim() == (0, table.known_cells().max())
    known = sum(1 for values in table.values() if any(values))
    assert axes.get_title() == f"{known} known of {len(table.table):,} states"
    assert 0 < known < len(table.table)
    assert axes.lines[0].get_ydata()[0] == 3.5  # below the invisible rows
    assert f"By row from the bottom: 0 {readable(float(table.known_cells()[0].sum()))}" in alternative(figure)


def test_a_history_is_drawn_as_it_was_recorded(table):
    figure = plots.learner_history(table)
    assert [axes.get_title() for axes in figure.axes] == ["pieces a game", "reward a game", "states in the table"]
    drawn = figure.axes[2].lines[0]
    assert np.array_equal(drawn.get_xdata(), table.history["episode"])
    assert np.array_equal(drawn.get_ydata(), table.history["states"])
    assert alternative(figure).startswith("q-learning over 400")


def test_what_did_not_happen_is_not_drawn():
    settings = {"steps": 300, "memory": 200, "judge_every": 100, "judge_games": 2, "record_every": 5}
    deep = SteadyDeepQ(tc.MoveValues(tc.RULES["10x10"]), **settings).learn(progress=False)
    figure = plots.learner_history(deep)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["loss", "mean of the best Q", "pieces a game", "score when judged"]
    judged = figure.axes[3].lines[0]
    assert judged.get_xdata().tolist() == [100, 200, 300]
    assert judged.get_ydata().tolist() == deep.history["judged"].tolist()
    assert np.isnan(deep.history["pieces"]).any()
    assert np.isfinite(figure.axes[2].lines[0].get_ydata()).all()


def test_what_was_not_recorded_cannot_be_drawn():
    for learner in (tc.QLearning(), tc.DeepQ(tc.DominoGrid(4, 4), memory=100)):
        with pytest.raises(InputError, match="nothing is recorded yet"):
            plots.learner_history(learner)


@pytest.mark.parametrize("judged", [[3.0, np.inf, np.inf], [np.inf]])
def test_a_proof_is_told_in_the_figure_and_in_its_words(judged):
    deep = tc.DeepQ(tc.DominoGrid(4, 4), memory=100)
    deep.history.add(steps=1000, loss=0.5, q=np.nan, pieces=4.0)
    for step, score in enumerate(judged, start=1):
        deep.history.add(judged_at=1000 * step, judged=score)
    figure = plots.learner_history(deep)
    said = f"proved endless at step {2000 if len(judged) > 1 else 1000:,}"
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:2] == ["loss", "pieces a game"]
    assert titles[2:] == ["score when judged\nproved endless\nat step 2,000"] * (len(judged) > 1)
    assert figure.get_suptitle() == ("" if len(judged) > 1 else said)
    assert alternative(figure).endswith(f"; {said}.")


def test_only_learners_have_such_figures():
    with pytest.raises(InputError, match="q is 3; it must be a QLearning"):
        plots.known_cells(3)
    with pytest.raises(InputError, match="learner is 3; it must be a QLearning or a DeepQ"):
        plots.learner_history(3)
