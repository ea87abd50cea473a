"""CMA-ES, against Hansen's purecma, the moments of its samples, and functions with a known maximum."""

import json
from dataclasses import replace
from math import exp, log, sqrt
from time import perf_counter

import numpy as np
import pytest
from cma import CMAEvolutionStrategy, purecma
from functions import ellipsoid, rastrigin, run, sphere
from scipy.stats import ttest_ind

from tetriscourse.errors import InputError
from tetriscourse.optimizers.cma_es import CMA_ES, CMAES, Axes, Constants, to_length_1
from tetriscourse.settings import described


def direction(x):
    """Depends only on where x points to, as the decisions of a Tetris player do: best is (1, 1, ..., 1)."""
    return float(np.sum(x) / np.sqrt(len(x) * np.sum(np.square(x))))


def difference(ours, theirs):
    """The largest difference, relative to the largest number."""
    theirs = np.array(theirs, float)
    return np.abs(np.array(ours) - theirs).max() / (np.abs(theirs).max() or 1)  # a path can be 0


def side_by_side(optimizer, function, start, iterations=50):
    """purecma fed with our candidates; yields both after each iteration."""
    theirs = purecma.CMAES(list(start), optimizer.sigma, popsize=optimizer.constants.lambda_)
    for _ in range(iterations):
        x = optimizer.ask()
        scores = [function(one) for one in x]
        optimizer.tell(x, scores)
        theirs.C.update_eigensystem(theirs.counteval, 0)  # at every iteration, where its ask() would save time
        theirs.tell(x.tolist(), [-score for score in scores])
        yield optimizer, theirs


# --- purecma ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("function", [sphere, ellipsoid, rastrigin])
@pytest.mark.parametrize("n", [2, 8, 21])
def test_it_agrees_with_purecma(n, function, seed):
    start = tuple(np.linspace(1, 2, n))
    for ours, theirs in side_by_side(CMAES(n, seed=seed, start=start), function, start):
        assert difference(ours.m, theirs.xmean) < 1e-10
        assert difference(ours.sigma, theirs.sigma) < 1e-10
        assert difference(ours.C, theirs.C) < 1e-10
        assert difference(ours.p_sigma, theirs.ps) < 1e-10
        assert difference(ours.p_c, theirs.pc) < 1e-10


@pytest.mark.parametrize("population", [2, 3, 7, 40])
def test_it_agrees_with_purecma_for_any_population(population):
    optimizer = CMAES(5, population=population, start=(1, 2, 3, 4, 5))
    for ours, theirs in side_by_side(optimizer, ellipsoid, (1, 2, 3, 4, 5)):
        assert difference(ours.C, theirs.C) < 1e-10
        assert difference(ours.sigma, theirs.sigma) < 1e-10


def test_candidates_that_were_normalised_enter_as_they_are():
    start = (0.5,) * 8
    for ours, theirs in side_by_side(CMAES(8, normalise=True, start=start), ellipsoid, start):
        assert difference(ours.m, theirs.xmean) < 1e-10
        assert difference(ours.C, theirs.C) < 1e-10


def test_paths_pause_when_the_step_size_is_about_to_grow():
    """Far from the maximum with tiny steps, h_sigma is 0; without it purecma would disagree."""
    start, seen = (100.0,) * 8, set()
    for ours, theirs in side_by_side(CMAES(8, sigma=1e-3, start=start), sphere, start):
        expected = 1 - (1 - ours.constants.c_sigma) ** (2 * ours.iteration)
        seen.add(bool(np.square(theirs.ps).sum() / 8 / expected < 2 + 4 / 9))
        assert difference(ours.p_c, theirs.pc) < 1e-10
        assert difference(ours.C, theirs.C) < 1e-10
    assert seen == {True, False}


def test_the_step_size_of_boumaza_compares_the_length_of_the_path_with_its_expectation():
    optimizer = CMAES(8, step_size="norm", start=(1,) * 8)
    for ours, theirs in side_by_side(optimizer, rastrigin, (1,) * 8):
        constants, before = theirs.params, ours.history["sigma"][-2] if ours.iteration > 1 else 0.5
        length = sqrt(sum(one**2 for one in theirs.ps))
        theirs.sigma = before * exp(min(1, constants.cs / constants.damps * (length / constants.chiN - 1)))
        assert difference(ours.sigma, theirs.sigma) < 1e-10
        assert difference(ours.C, theirs.C) < 1e-10


@pytest.mark.parametrize("function", [sphere, ellipsoid])
def test_it_needs_as_many_evaluations_as_pycma(function):
    """Twenty runs each from (1, ..., 1), with the step size that pycma has: as many evaluations, within a sixth."""
    ours, theirs, seeds = [], [], range(1, 21)
    for seed in seeds:
        optimizer = CMAES(5, start=(1,) * 5, seed=seed, step_size="norm", iterations=2000)
        while optimizer.best is None or optimizer.best.score < -1e-8:
            x = optimizer.ask()
            optimizer.tell(x, [function(one) for one in x])
        ours.append(optimizer.iteration)
        options = {"seed": seed, "popsize": optimizer.constants.lambda_, "CMA_active": False, "verbose": -9}
        other = CMAEvolutionStrategy([1.0] * 5, 0.5, options)
        while other.best.f is None or other.best.f > 1e-8:
            x = other.ask()
            other.tell(x, [-function(one) for one in x])
        theirs.append(other.countiter)
    difference = ttest_ind(np.log(ours), np.log(theirs), equal_var=False)
    low, high = difference.confidence_interval(0.99)
    assert -0.15 < low < 0 < high < 0.15


# --- the natural gradient -----------------------------------------------------------------------


def log_density(x, m, C):
    """Of N(m, C), without the constant."""
    return -0.5 * (np.linalg.slogdet(C)[1] + (x - m) @ np.linalg.solve(C, x - m))


def divergence(m, C, other_m, other_C):
    """Kullback and Leibler's, from N(m, C) to another."""
    inverse, step = np.linalg.inv(other_C), other_m - m
    logs = np.linalg.slogdet(other_C)[1] - np.linalg.slogdet(C)[1]
    return 0.5 * (np.trace(inverse @ C) + step @ inverse @ step - len(m) + logs)


def of_parameters(p, n):
    """Mean and covariance matrix from n + n (n + 1) / 2 free numbers."""
    C = np.zeros((n, n))
    C[np.triu_indices(n)] = p[n:]
    return p[:n], C + np.triu(C, 1).T


def slopes(function, p, step=1e-5):
    """The gradient, by differences."""
    return np.array([(function(p + e) - function(p - e)) / (2 * step) for e in step * np.eye(len(p))])


def test_rank_mu_and_the_mean_follow_the_natural_gradient():
    """Nothing here knows a formula of CMA-ES: gradients by differences, Fisher's matrix as the curvature of KL."""
    n, optimizer = 3, CMAES(3, start=(1, 2, 3), sigma=1.0, seed=4)
    optimizer.constants = replace(optimizer.constants, c_1=0, c_mu=1)
    optimizer.C = C = random_covariance(n) + np.eye(n)
    here = np.concatenate([optimizer.m, C[np.triu_indices(n)]])
    x = optimizer.ask()
    f = np.array([ellipsoid(one) for one in x])
    parents = x[np.argsort(-f)[: optimizer.constants.mu]]

    def log_likelihood(p):
        return optimizer.constants.w @ [log_density(one, *of_parameters(p, n)) for one in parents]

    def far(p):
        return divergence(*of_parameters(here, n), *of_parameters(p, n))

    fisher = slopes(lambda p: slopes(far, p, 1e-3), here, 1e-3)
    m, moved = of_parameters(np.linalg.solve(fisher, slopes(log_likelihood, here)), n)
    before = optimizer.m
    optimizer.tell(x, f)
    steps = optimizer.m - before, optimizer.C - C
    assert steps[0] == pytest.approx(m, rel=1e-4, abs=1e-4)
    assert steps[1] == pytest.approx(moved, rel=1e-4, abs=1e-3)


# --- constants ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "population"), [(1, 0), (2, 0), (8, 0), (21, 0), (28, 0), (8, 2), (8, 100)])
def test_constants_are_those_of_purecma(n, population):
    ours, theirs = Constants.of(n, population), purecma.CMAESParameters(n, population or None)
    assert (ours.lambda_, ours.mu) == (theirs.lam, theirs.mu)
    assert ours.w == pytest.approx(theirs.weights[: theirs.mu])
    assert (ours.mu_eff, ours.c_sigma, ours.d_sigma) == pytest.approx((theirs.mueff, theirs.cs, theirs.damps))
    assert (ours.c_c, ours.c_1, ours.c_mu) == pytest.approx((theirs.cc, theirs.c1, theirs.cmu))
    assert ours.chi_n == pytest.approx(theirs.chiN)


def test_eight_weights_have_ten_candidates_and_five_parents():
    """As Boumaza 2013 has them."""
    constants = Constants.of(8)
    assert (constants.lambda_, constants.mu) == (10, 5)
    assert constants.w.sum() == pytest.approx(1)
    assert (np.diff(constants.w) < 0).all()
    assert (constants.w > 0).all()


def test_chi_n_is_the_mean_length_of_a_normal_vector():
    lengths = np.linalg.norm(np.random.Generator(np.random.PCG64(1)).normal(size=(100_000, 8)), axis=1)
    assert Constants.of(8).chi_n == pytest.approx(lengths.mean(), rel=0.002)


# --- sampling -----------------------------------------------------------------------------------


def random_covariance(n, seed=0):
    a = np.random.Generator(np.random.PCG64(seed)).normal(size=(n, n))
    return a @ a.T


def test_candidates_have_the_mean_and_covariance_of_the_distribution():
    optimizer = CMAES(3, population=200_000, start=(1, 2, 3), sigma=2.0)
    optimizer.C = random_covariance(3)
    x = optimizer.ask()
    scale = np.abs(optimizer.C).max() * 4
    assert x.mean(axis=0) == pytest.approx([1, 2, 3], abs=4 * sqrt(scale / len(x)))
    assert np.cov(x.T) == pytest.approx(4 * optimizer.C, abs=0.02 * scale)


def test_roots_of_a_covariance_and_candidates_do_not_depend_on_the_signs_of_eigenvectors(monkeypatch):
    C, optimizer, same = random_covariance(6), CMAES(6), CMAES(6)
    optimizer.C = C
    x = optimizer.ask()
    root, inverse = Axes(C).root(1), Axes(C).root(-1)
    assert root @ root == pytest.approx(C)
    assert root @ inverse == pytest.approx(np.eye(6), abs=1e-9)
    assert Axes(C).D.tolist() == pytest.approx(np.sqrt(np.linalg.svd(C)[1][::-1]).tolist())
    eigenvalues, B = np.linalg.eigh(C)
    monkeypatch.setattr(np.linalg, "eigh", lambda _: (eigenvalues, B * [1, -1, 1, 1, -1, -1]))
    same.C = C
    assert (Axes(C).root(1) == root).all()
    assert (same.ask() == x).all()


def test_normalised_candidates_have_length_1():
    optimizer = CMAES(8, "boumaza", seed=2)
    for _ in range(10):
        x = optimizer.ask()
        assert np.linalg.norm(x, axis=1) == pytest.approx(np.ones(10))
        optimizer.tell(x, [ellipsoid(one) for one in x])
    assert to_length_1(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist() == [[0, 0], [0.6, 0.8]]


def test_a_run_starts_at_zero_at_a_random_vector_of_length_1_or_where_it_is_told_to():
    assert (CMAES(4).m == 0).all()
    starts = [CMAES(4, start="random", seed=seed).m for seed in range(200)]
    assert [np.linalg.norm(start) for start in starts] == pytest.approx([1.0] * 200)
    assert np.abs(np.mean(starts, axis=0)).max() < 4 * 0.5 / sqrt(200)
    assert (CMAES(4, start="random", seed=7).m == starts[7]).all()
    assert (CMAES(2, start=np.array([3, 4])).m == [3, 4]).all()


# --- runs ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 8, 21])
@pytest.mark.parametrize("function", [sphere, ellipsoid])
def test_it_finds_the_maximum(function, n):
    optimizer = run(CMAES(n, start=(1,) * n, iterations=3000), function)
    assert function(optimizer.favourite) > -1e-8
    assert optimizer.stop() == "the distribution has shrunk to a point"


@pytest.mark.parametrize("seed", range(3))
def test_it_improves_a_lot_on_rastrigin(seed):
    optimizer = run(CMAES(8, start=(3,) * 8, sigma=2.0, iterations=300, population=30, seed=seed), rastrigin)
    assert rastrigin(optimizer.favourite) > 0.1 * optimizer.history["mean"][0]


def test_it_learns_the_shape_of_the_function():
    """On the ellipsoid the weights that matter more vary less: by 10^3 from first to last."""
    optimizer = run(CMAES(5, start=(1,) * 5, iterations=400), ellipsoid, 250)
    deviations = optimizer.history["deviations"][-1]
    assert deviations[0] / deviations[-1] == pytest.approx(1000, rel=0.5)
    axes = optimizer.history["axes"][-1]
    assert deviations == pytest.approx(optimizer.sigma * np.sqrt(np.diag(optimizer.C)))
    assert axes == pytest.approx(np.sqrt(np.linalg.eigvalsh(optimizer.C)))


def test_when_only_the_direction_matters_the_step_size_grows_unless_candidates_are_normalised():
    free = [run(CMAES(20, "boumaza-unnormalised", seed=seed), direction, 25) for seed in range(8)]
    assert np.median([one.sigma for one in free]) > 0.7
    assert min(np.linalg.norm(one.m) for one in free) > 5
    normalised = [run(CMAES(20, "boumaza", seed=seed), direction, 25) for seed in range(8)]
    assert max(one.history["sigma"].max() for one in normalised) < 0.5
    assert max(one.sigma for one in normalised) < 0.1
    assert max(np.linalg.norm(one.m) for one in normalised) < 1
    assert min(direction(one.m) for one in free + normalised) > 0.9


def test_it_stops_when_the_distribution_diverges_or_becomes_flat():
    diverging = run(CMAES(3, iterations=10_000, divergence=1e6), lambda x: float(x[0]))
    assert diverging.stop() == "the distribution has diverged"
    flat = CMAES(3)
    flat.C = np.diag([1.0, 1.0, 1e-15])
    assert flat.stop() == "the distribution has become flat"
    flat.C = np.ones((3, 3))  # eigenvalues 3, 0 and 0, or a little less than 0 by rounding
    x = flat.ask()
    flat.tell(x, [sphere(one) for one in x])
    assert all(np.isfinite(flat.state()[name]).all() for name in flat.variables)


@pytest.mark.parametrize("settings", [None, *CMA_ES])
def test_a_run_that_is_resumed_ends_bit_for_bit_the_same(settings):
    whole = run(CMAES(6, settings, seed=5), rastrigin)
    half = run(CMAES(6, settings, seed=5), rastrigin, 20)
    resumed = CMAES(6, settings, seed=5)
    resumed.restore(half.state())
    run(resumed, rastrigin)
    assert whole.state().keys() == resumed.state().keys()
    for name, value in whole.state().items():
        assert np.array_equal(value, resumed.state()[name]), name


def test_candidates_are_the_same_until_they_are_told():
    optimizer = CMAES(4, seed=3)
    first = optimizer.ask()
    assert (optimizer.ask() == first).all()
    optimizer.tell(first, [sphere(one) for one in first])
    assert not (optimizer.ask() == first).any()


def test_the_same_seed_gives_the_same_run_and_another_another():
    one, same, other = (run(CMAES(4, "boumaza-racing", seed=seed), rastrigin, 20) for seed in (1, 1, 2))
    assert (one.history["favourite"] == same.history["favourite"]).all()
    assert not (one.history["favourite"] == other.history["favourite"]).any()


def test_only_the_order_of_scores_matters():
    plain = run(CMAES(4, start=(1,) * 4), sphere)
    bent = run(CMAES(4, start=(1,) * 4), lambda x: -log(1 - sphere(x)))
    assert (plain.history["favourite"] == bent.history["favourite"]).all()


def test_an_iteration_takes_less_than_two_milliseconds():
    optimizer = CMAES(28, iterations=10_000)
    times = []
    for _ in range(50):
        start = perf_counter()
        x = optimizer.ask()
        optimizer.tell(x, -np.square(x).sum(axis=1))
        optimizer.stop()
        times.append(perf_counter() - start)
    assert min(times) < 0.002


def test_its_text_tells_the_settings_that_were_changed():
    text = "CMAES(8, iterations=25, start=random, normalise=True, step_size=norm, seed=4; iteration 0)"
    assert repr(CMAES(8, "boumaza-racing", seed=4)) == text
    settings = CMAES(2, start=np.array([1, 2]), population=np.int64(6), sigma=np.float64(2)).settings
    stored = json.loads(json.dumps(described(settings)))
    assert (stored["start"], stored["population"], stored["sigma"]) == ([1, 2], 6, 2)


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"population": 1},
        {"population": -1},
        {"sigma": 0},
        {"sigma": -0.5},
        {"iterations": 0},
        {"start": "zeros"},
        {"start": 1.0},
        {"normalise": 1},
        {"normalise": "yes"},
        {"step_size": "nrom"},
        {"tolerance": -1},
        {"divergence": 0},
    ],
)
def test_bad_settings_are_refused_with_their_name_value_and_what_is_allowed(changes):
    ((name, value),) = changes.items()
    with pytest.raises(InputError, match=rf"^{name} is {value!r}.*(must be|allowed)"):
        CMAES(3, **changes)


def test_a_start_has_a_number_for_each_weight():
    with pytest.raises(InputError, match="start has 2 numbers; it must have 3"):
        CMAES(3, start=(1, 2))
    with pytest.raises(InputError, match=r"start\[1\] is nan"):
        CMAES(2, start=(1, float("nan")))


def test_fewer_candidates_than_parents_are_refused_and_change_nothing():
    optimizer = CMAES(8)
    before = optimizer.state()
    with pytest.raises(InputError, match="candidates has 4 rows; it must have at least 5"):
        optimizer.tell(optimizer.ask()[:4], [1, 2, 3, 4])
    assert optimizer.state().keys() == before.keys()
    optimizer.tell(optimizer.ask()[:5], [1, 2, 3, 4, 5])
    assert optimizer.iteration == 1
