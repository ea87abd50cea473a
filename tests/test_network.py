"""The network in numpy: its gradient, its descent, its losses, each against something independent."""

from __future__ import annotations

import os
import subprocess
import sys
from math import sqrt

import numpy as np
import pytest
from scipy import optimize, special

from tetriscourse.errors import InputError
from tetriscourse.mdp.deep_q import network as module
from tetriscourse.mdp.deep_q.network import LOSSES, Adam, GradientDescent, Network, huber, product, squared

SHAPES = [(3, 1), (4, 8, 1), (5, 7, 6, 3), (2, 16, 16, 16, 4)]


def batch(network: Network, seed: int, rows: int = 9):
    """Inputs and what the outputs should be, at random."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, network.sizes[0])), rng.normal(size=(rows, network.sizes[-1])) * 2


def plain_output(network: Network, x: np.ndarray) -> np.ndarray:
    """The network as its definition says, one input and one unit at a time."""
    outputs = []
    for row in x:
        for number, (W, b) in enumerate(network.layers):
            z = [sum(row[i] * W[i, j] for i in range(len(W))) + b[j] for j in range(len(b))]
            row = z if number == len(network.layers) - 1 else [max(0.0, one) for one in z]
        outputs.append(row)
    return np.array(outputs)


# --- the function ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", SHAPES)
def test_the_outputs_are_those_of_the_definition(sizes):
    network = Network(sizes, seed=3)
    network.theta += 0.1  # so that no b is 0
    x, _ = batch(network, 1)
    np.testing.assert_allclose(network(x), plain_output(network, x), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(network(x), network.forward(x))


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_gradient_is_the_limit_of_differences(sizes, loss):
    for seed in range(4):
        network = Network(sizes, seed)
        rng = np.random.default_rng(seed)
        network.theta += 0.05 * rng.normal(size=len(network.theta))
        x, wanted = batch(network, seed)

        def mean_loss(theta, network=network, x=x, wanted=wanted):
            return LOSSES[loss](Network.from_theta(network.sizes, theta)(x) - wanted)[0].sum(axis=1).mean()

        slope = LOSSES[loss](network.forward(x) - wanted)[1]
        gradient, h = network.backward(slope / len(x)), 1e-6
        for i in rng.choice(len(gradient), min(len(gradient), 40), replace=False):
            step = np.zeros_like(gradient)
            step[i] = h
            difference = (mean_loss(network.theta + step) - mean_loss(network.theta - step)) / (2 * h)
            assert gradient[i] == pytest.approx(difference, rel=1e-6, abs=1e-8)


def test_no_gradient_by_the_inputs_is_computed(monkeypatch):
    network, count = Network((3, 4, 2), seed=1), []
    x, wanted = batch(network, 0)
    error = network.forward(x) - wanted
    monkeypatch.setattr(module, "product", lambda A, B: count.append(1) or A @ B)
    network.backward(error)
    assert len(count) == 3  # two by the weights, one by the hidden layer


def test_every_weight_is_a_part_of_theta():
    network = Network((3, 4, 2), seed=1)
    (W, b), (V, c) = network.layers
    np.testing.assert_array_equal(network.theta, np.concatenate([W.ravel(), b, V.ravel(), c]))
    network.theta[:] = 0.0
    assert not W.any()
    assert not V.any()


def test_the_same_seed_gives_the_same_network_and_another_one_another():
    np.testing.assert_array_equal(Network((5, 6, 1), 7).theta, Network((5, 6, 1), 7).theta)
    assert (Network((5, 6, 1), 7).theta != Network((5, 6, 1), 8).theta).any()


def test_at_first_signals_neither_grow_nor_fade_through_many_layers():
    x = np.random.default_rng(0).normal(size=(200, 256))
    outputs = Network((256, *[256] * 8, 256), seed=2)(x)
    # Rectifying halves the mean square of x, which weights of variance 2/n make good; the last layer is not rectified.
    assert 0.5 < np.square(outputs).mean() / (2 * np.square(x).mean()) < 2


def test_a_copy_goes_its_own_way():
    network = Network((2, 3, 1), seed=5)
    other = network.copy()
    other.theta += 1.0
    np.testing.assert_array_equal(network.theta, Network((2, 3, 1), seed=5).theta)


def test_a_copy_draws_no_weights(monkeypatch):
    network = Network((2, 3, 1), seed=5)
    monkeypatch.setattr(Network, "_draw", lambda *_: pytest.fail("weights were drawn"))
    np.testing.assert_array_equal(network.copy().theta, network.theta)


def test_a_network_that_has_diverged_is_told_from_one_that_has_not():
    network = Network((2, 3, 1), seed=5)
    network.check_finite()
    network.theta[3] = np.inf
    with pytest.raises(InputError, match=r"network has diverged, 1 of its 13 parameters .* smaller learning_rate"):
        network.check_finite()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Network((3,)), "sizes is (3,)"),
        (lambda: Network((3, 0, 1)), "sizes is 0"),
        (lambda: Network.from_theta((2, 1), [1.0, 2.0]), "theta has 2 numbers"),
        (lambda: Network.from_theta((1, 1), [1.0, float("nan")]), "theta[1] is nan"),
    ],
)
def test_a_wrong_size_is_named(wrong, said):
    with pytest.raises(InputError) as error:
        wrong()
    assert said in str(error.value)


# --- products -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 5, 9), (700, 40, 1), (700, 32, 64), (513, 64, 64), (32, 513, 64), (3, 300, 300)])
def test_a_product_in_blocks_is_the_product(shape):
    n, k, m = shape
    rng = np.random.default_rng(n)
    A, B = rng.normal(size=(n, k)), rng.normal(size=(k, m))
    np.testing.assert_allclose(product(A, B), A @ B, rtol=1e-10, atol=1e-10)


PROGRAM = """
from hashlib import sha256
import numpy as np
from tetriscourse.mdp.deep_q.network import Adam, Network
network = Network((40, 64, 64, 1), 1)
descent, x = Adam(len(network.theta), 0.001), np.random.default_rng(0).normal(size=(1500, 40))
for _ in range(20):
    descent.step(network.theta, network.backward(network.forward(x) - x[:, :1] ** 2))
print(sha256(network.theta.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_the_number_of_threads_of_blas_changes_nothing():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
            check=True, capture_output=True, text=True,
        ).stdout
        for threads in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


# --- losses ---------------------------------------------------------------------------------------


def test_the_losses_are_squares_and_twice_those_of_huber():
    error = np.linspace(-4, 4, 81)
    np.testing.assert_allclose(squared(error)[0], error**2)
    np.testing.assert_allclose(huber(error)[0], 2 * special.huber(1.0, error), atol=1e-14)
    for loss in LOSSES.values():
        h = 1e-6
        slope = (loss(error + h)[0] - loss(error - h)[0]) / (2 * h)
        np.testing.assert_allclose(loss(error)[1], slope, atol=3e-6)


# --- descent --------------------------------------------------------------------------------------


def test_the_first_step_of_adam_is_alpha_against_the_sign_of_the_gradient():
    theta, g = np.zeros(4), np.array([1e-3, -5.0, 0.2, 1e4])
    Adam(4, 0.01).step(theta, g)
    np.testing.assert_allclose(theta, -0.01 * np.sign(g), rtol=1e-4)


def test_adam_goes_the_way_of_the_printed_algorithm_number_by_number():
    rng = np.random.default_rng(4)
    gradients = rng.normal(size=(50, 3)) * [1, 10, 0.01]
    theta, adam = np.array([1.0, -2.0, 3.0]), Adam(3, 0.05)
    for g in gradients:
        adam.step(theta, g)
    for i, start in enumerate((1.0, -2.0, 3.0)):
        x, m, v = start, 0.0, 0.0
        for t, g in enumerate(gradients[:, i], start=1):
            m = 0.9 * m + 0.1 * g
            v = 0.999 * v + 0.001 * g * g
            x = x - 0.05 * (m / (1 - 0.9**t)) / (sqrt(v / (1 - 0.999**t)) + 1e-8)
        assert theta[i] == pytest.approx(x, rel=1e-10)


@pytest.mark.parametrize(("descent", "alpha", "steps"), [(Adam, 0.01, 4000), (GradientDescent, 0.05, 2000)])
def test_a_linear_network_finds_the_least_squares_solution(descent, alpha, steps):
    rng = np.random.default_rng(6)
    x = rng.normal(size=(60, 3))
    y = x @ [1.0, -2.0, 0.5] + 3 + 0.3 * rng.normal(size=60)
    best = optimize.minimize(lambda w: np.square(x @ w[:3] + w[3] - y).mean(), np.zeros(4)).x
    network = Network((3, 1), seed=1)
    descend = descent(len(network.theta), alpha)
    for _ in range(steps):
        error = network.forward(x)[:, 0] - y
        descend.step(network.theta, network.backward(squared(error)[1][:, None] / len(y)))
    np.testing.assert_allclose(network.theta, best, atol=1e-4)


def test_a_hidden_layer_learns_what_no_linear_function_can():
    x = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    exclusive_or = np.array([0.0, 1.0, 1.0, 0.0])
    network = Network((2, 16, 1), seed=3)
    adam = Adam(len(network.theta), 0.01)
    for _ in range(1500):
        error = network.forward(x)[:, 0] - exclusive_or
        adam.step(network.theta, network.backward(squared(error)[1][:, None] / 4))
    np.testing.assert_allclose(network(x)[:, 0], exclusive_or, atol=0.01)
