"""Cross-entropy, against its formulas written out in plain Python and on functions with a known maximum."""

import json
import pickle
from fractions import Fraction
from math import floor, sqrt
from statistics import fmean, pvariance

import numpy as np
import pytest
from functions import ellipsoid, rastrigin, run, sphere

from tetriscourse.errors import InputError
from tetriscourse.optimizers.cross_entropy import (
    COVARIANCES,
    CROSS_ENTROPY,
    NOISES,
    CrossEntropy,
    CrossEntropySettings,
    constant,
    elite_size,
    geometric,
    hyperbolic,
    linear,
)
from tetriscourse.settings import described

# --- one iteration ------------------------------------------------------------------------------


def test_the_first_candidates_are_normal_around_the_initial_mean():
    x = CrossEntropy(50, population=400, initial_mean=3.0, initial_variance=25.0).ask()
    assert x.shape == (400, 50)
    assert x.mean() == pytest.approx(3.0, abs=4 * 5 / sqrt(x.size))
    assert x.var() == pytest.approx(25.0, rel=4 * sqrt(2 / x.size))


def test_the_elite_gives_mean_variance_and_threshold():
    optimizer = CrossEntropy(2, population=20, rho=0.25, noise=4.0)
    x = optimizer.ask()
    scores = [ellipsoid(one) for one in x]
    optimizer.tell(x, scores)
    elite = sorted(zip(scores, x.tolist(), strict=True), reverse=True)[:5]
    columns = list(zip(*(one for _, one in elite), strict=True))
    assert optimizer.mu == pytest.approx([fmean(column) for column in columns])
    assert optimizer.sigma2 == pytest.approx([pvariance(column) + 4 for column in columns])
    assert optimizer.history["gamma"] == [elite[-1][0]]
    assert optimizer.history["elite_mean"] == pytest.approx([fmean(score for score, _ in elite)])
    assert optimizer.history["sigma"][0] == pytest.approx(np.sqrt(optimizer.sigma2))
    assert (optimizer.favourite == optimizer.mu).all()


def test_the_elite_is_rho_of_the_candidates_rounded_down_and_never_empty():
    for percent in range(1, 101):
        for n in (1, 7, 10, 100, 250):
            assert elite_size(percent / 100, n) == max(1, floor(Fraction(percent, 100) * n))


def test_the_best_of_one_is_a_point():
    optimizer = CrossEntropy(3, population=5, rho=0.01)
    run(optimizer, sphere, iterations=1)
    assert (optimizer.mu == optimizer.best.weights).all()
    assert optimizer.stop() == "the distribution has shrunk to a point"


# --- a full covariance matrix -------------------------------------------------------------------


def turned(x):
    """A valley in a direction that no axis has."""
    return ellipsoid(np.array([[0.6, -0.8], [0.8, 0.6]]) @ x)


def test_the_elite_gives_a_full_covariance_with_the_noise_on_its_diagonal():
    optimizer = CrossEntropy(3, population=40, rho=0.25, noise=4.0, covariance="full", seed=2)
    x = optimizer.ask()
    scores = [ellipsoid(one) for one in x]
    optimizer.tell(x, scores)
    elite = x[np.argsort(scores)[-10:]]
    np.testing.assert_allclose(optimizer.Sigma, np.cov(elite.T, bias=True) + 4 * np.eye(3), rtol=1e-12)
    np.testing.assert_allclose(optimizer.sigma, np.sqrt(elite.var(axis=0) + 4))
    assert (optimizer.sigma2 == np.diag(optimizer.Sigma)).all()


def test_candidates_have_the_covariance_that_they_are_drawn_with():
    optimizer = CrossEntropy(3, population=20_000, covariance="full")
    optimizer.mu, optimizer.Sigma = np.array([1.0, 2.0, 3.0]), np.array([[4.0, 3, 0], [3, 9, -1], [0, -1, 1]])
    x = optimizer.ask()
    np.testing.assert_allclose(np.cov(x.T), optimizer.Sigma, atol=4 * 9 * sqrt(2 / len(x)))
    np.testing.assert_allclose(x.mean(axis=0), optimizer.mu, atol=4 * 3 / sqrt(len(x)))


def test_one_step_with_independent_weights_has_the_same_variances_and_nothing_off_the_diagonal():
    one, full = (CrossEntropy(4, noise=1.0, covariance=kind, seed=5) for kind in ("diagonal", "full"))
    assert (one.ask() == full.ask()).all()
    for optimizer in (one, full):
        run(optimizer, ellipsoid, iterations=1)
    assert (one.mu == full.mu).all()
    np.testing.assert_allclose(one.sigma2, full.sigma2, rtol=1e-12)
    assert np.count_nonzero(one.Sigma - np.diag(one.sigma2)) == 0
    assert np.count_nonzero(full.Sigma) == 16


@pytest.mark.parametrize("seed", range(3))
def test_a_full_covariance_is_as_good_on_axes_and_much_better_across_them(seed):
    def missing(covariance, function):
        settings = {"population": 200, "rho": 0.25, "iterations": 60, "tolerance": 0.0, "seed": seed}
        return -function(run(CrossEntropy(2, covariance=covariance, **settings), function).favourite)

    assert missing("diagonal", ellipsoid) < 1e-9
    assert missing("full", ellipsoid) < 1e-9
    assert missing("full", turned) < 1e-9 < 1e-3 < missing("diagonal", turned)


def test_a_small_elite_locks_the_search_into_its_own_few_directions():
    optimizer = run(CrossEntropy(8, population=10, rho=0.5, covariance="full"), sphere, iterations=1)
    assert np.linalg.matrix_rank(optimizer.Sigma, tol=1e-9) == 4  # five candidates
    assert np.linalg.matrix_rank(optimizer.ask() - optimizer.mu, tol=1e-4) == 4
    noisy = run(CrossEntropy(8, population=10, rho=0.5, covariance="full", noise=1), sphere, iterations=1)
    assert np.linalg.matrix_rank(noisy.ask() - noisy.mu, tol=1e-4) == 8


# --- noise --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("noise", "values", "text"),
    [
        ("none", [0, 0, 0], "0"),
        ("constant", [4, 4, 4], "4"),
        ("linear", [4.9, 4.8, 4.7], "max(5 - t/10, 0)"),
        ("geometric", [9.5, 9.025, 8.57375], "10 0.95^t"),
        ("hyperbolic", [10, 5, 10 / 3], "10/t"),
        (2.5, [2.5, 2.5, 2.5], "2.5"),
        (linear(1, 2), [0.5, 0, 0], "max(1 - t/2, 0)"),
        (geometric(8, 0.5), [4, 2, 1], "8 0.5^t"),
        (hyperbolic(6), [6, 3, 2], "6/t"),
        (lambda t: t**2, [1, 4, 9], "<lambda>: 1, 4, 9, ..."),
    ],
)
def test_noise_is_added_from_z_1_on(noise, values, text):
    optimizer = CrossEntropy(2, noise=noise, population=10, rho=0.1)
    for z in values:  # the elite is one candidate, so that all variance is noise
        x = optimizer.ask()
        optimizer.tell(x, [sphere(one) for one in x])
        assert optimizer.sigma2 == pytest.approx([z, z])
    assert optimizer.history["noise"] == pytest.approx(values)
    assert str(optimizer.settings.noise) == text


def test_linear_noise_ends_after_50_iterations():
    noise = NOISES["linear"]
    assert noise.at(49) == pytest.approx(0.1)
    assert [noise.at(t) for t in (50, 51, 1000)] == [0, 0, 0]


@pytest.mark.parametrize("z", [-1.0, float("nan"), float("inf"), None, "much"])
def test_a_function_that_gives_no_noise_is_refused_at_once_or_when_it_happens(z):
    with pytest.raises(InputError, match=r"Z_1 .* it must be a number at least 0"):
        CrossEntropy(2, noise=lambda t: z)
    later = CrossEntropy(2, noise=lambda t: 1.0 if t < 5 else z)
    with pytest.raises(InputError, match="Z_5"):
        run(later, sphere)
    assert (later.iteration, len(later.history), later.gamma) == (4, 4, later.history["gamma"][-1])


def test_settings_are_stored_as_text_and_sent_to_other_processes():
    for name, settings in CROSS_ENTROPY.items():
        assert json.loads(json.dumps(described(settings)))["noise"]["formula"] == str(settings.noise)
        assert pickle.loads(pickle.dumps(settings)) == CROSS_ENTROPY[name]


def test_numbers_of_numpy_are_numbers():
    settings = CrossEntropySettings(population=np.int64(7), rho=np.float64(0.5), iterations=9.0, noise=np.float32(2))
    assert settings == CrossEntropySettings(population=7, rho=0.5, iterations=9, noise=2)
    assert json.loads(json.dumps(described(settings)))["population"] == 7
    assert CrossEntropy(2, settings).ask().shape == (7, 2)


def test_the_same_noise_is_equal_however_it_is_written():
    assert CrossEntropySettings(noise="constant") == CrossEntropySettings(noise=4) == CROSS_ENTROPY["szita-constant"]
    assert CrossEntropySettings(noise=3) != CrossEntropySettings(noise=constant(4))


# --- the published settings ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "games"), [("none", 10_000), ("constant", 10_000), ("decreasing", 5_000)])
def test_szita_and_lorincz_play_the_games_of_their_table(name, games):
    settings = CROSS_ENTROPY[f"szita-{name}"]
    assert settings.population * settings.iterations == games
    assert (settings.initial_mean, settings.initial_variance, settings.rho) == (0, 100, 0.1)


def test_thiery_and_scherrer_repeat_their_noises():
    for name in ("none", "constant", "decreasing"):
        assert CROSS_ENTROPY[f"thiery-{name}"].noise == CROSS_ENTROPY[f"szita-{name}"].noise
    assert CROSS_ENTROPY["thiery"].noise == constant(4)


# --- runs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_it_converges_on_the_sphere_without_noise(seed):
    optimizer = run(CrossEntropy(5, seed=seed), sphere)
    assert sphere(optimizer.favourite) > -1e-8
    assert optimizer.sigma.max() < 1e-4


@pytest.mark.parametrize("seed", range(3))
def test_it_improves_a_lot_on_other_functions(seed):
    for function, factor in ((ellipsoid, 1e-6), (rastrigin, 0.2)):
        optimizer = run(CrossEntropy(8, seed=seed), function)
        assert function(optimizer.favourite) > factor * optimizer.history["mean"][0]


def test_noise_keeps_the_distribution_wide():
    for seed in range(3):
        optimizer = run(CrossEntropy(5, "szita-constant", seed=seed), sphere)
        assert (optimizer.sigma >= 2).all()
        assert "shrunk" not in optimizer.stop()


def test_it_stops_when_the_distribution_is_a_point():
    optimizer = run(CrossEntropy(3, iterations=10_000), sphere)
    assert optimizer.stop() == "the distribution has shrunk to a point"
    assert optimizer.iteration < 1000
    assert run(CrossEntropy(3, iterations=7), sphere).stop() == "all 7 iterations are done"


def test_candidates_are_the_same_until_they_are_told():
    optimizer = CrossEntropy(4, seed=3)
    first = optimizer.ask()
    assert (optimizer.ask() == first).all()
    optimizer.tell(first, [sphere(one) for one in first])
    assert not (optimizer.ask() == first).any()


def test_the_same_seed_gives_the_same_run_and_another_another():
    one, same, other = (run(CrossEntropy(4, seed=seed), rastrigin, 20) for seed in (1, 1, 2))
    assert (one.history["favourite"] == same.history["favourite"]).all()
    assert not (one.history["favourite"] == other.history["favourite"]).any()


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_a_run_that_is_resumed_ends_bit_for_bit_the_same(covariance):
    def begun():
        return CrossEntropy(6, "szita-decreasing", seed=5, covariance=covariance)

    whole, half, resumed = run(begun(), rastrigin), run(begun(), rastrigin, 20), begun()
    resumed.restore(half.state())
    run(resumed, rastrigin)
    assert whole.state().keys() == resumed.state().keys()
    for name, value in whole.state().items():
        assert np.array_equal(value, resumed.state()[name]), name


def test_its_text_tells_the_settings_that_were_changed():
    optimizer = CrossEntropy(21, "szita-decreasing", seed=4)
    assert repr(optimizer) == "CrossEntropy(21, iterations=50, noise=max(5 - t/10, 0), seed=4; iteration 0)"
    assert "covariance=full" in repr(CrossEntropy(21, covariance="full"))


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"population": 0},
        {"population": 2.5},
        {"rho": 0},
        {"rho": 1.1},
        {"rho": float("nan")},
        {"iterations": 0},
        {"initial_mean": "zero"},
        {"initial_variance": 0},
        {"initial_variance": -4},
        {"tolerance": -1},
        {"covariance": "ful"},
        {"noise": "linaer"},
        {"noise": -4},
        {"noise": None},
        {"noise": True},
        {"noise": float("inf")},
    ],
)
def test_bad_settings_are_refused_with_their_name_value_and_what_is_allowed(changes):
    ((name, value),) = changes.items()
    with pytest.raises(InputError, match=rf"^{name} is {value!r}.*(must be|allowed)"):
        CrossEntropy(3, **changes)


@pytest.mark.parametrize("make", [lambda: geometric(10, 1.5), lambda: linear(5, 0), lambda: hyperbolic(-1)])
def test_noises_refuse_parameters_that_make_no_sense(make):
    with pytest.raises(InputError, match="must be a number"):
        make()
