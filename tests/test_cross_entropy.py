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


def test_a_run_that_is_resumed_ends_bit_for_bit_the_same():
    whole = run(CrossEntropy(6, "szita-decreasing", seed=5), rastrigin)
    half = run(CrossEntropy(6, "szita-decreasing", seed=5), rastrigin, 20)
    resumed = CrossEntropy(6, "szita-decreasing", seed=5)
    resumed.restore(half.state())
    run(resumed, rastrigin)
    assert whole.state().keys() == resumed.state().keys()
    for name, value in whole.state().items():
        assert np.array_equal(value, resumed.state()[name]), name


def test_its_text_tells_the_settings_that_were_changed():
    optimizer = CrossEntropy(21, "szita-decreasing", seed=4)
    assert repr(optimizer) == "CrossEntropy(21, iterations=50, noise=max(5 - t/10, 0), seed=4; iteration 0)"


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
