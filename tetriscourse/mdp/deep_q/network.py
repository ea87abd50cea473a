"""A neural network in numpy: layers of weights, their gradient by the chain rule, and two kinds of descent.

With x_0 = x, layer l = 1, ..., L computes

    z_l = x_{l-1} W_l + b_l,    x_l = max(0, z_l) for l < L,    y = z_L,

for a whole minibatch at once: each row of x is one input. All parameters are one vector theta, of which every
W_l and b_l is a view: changing theta changes the network, and a gradient is a vector of the same form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from tetriscourse.errors import InputError, finite_numbers, whole_number
from tetriscourse.random_numbers import Draws, Floats

Layer = tuple[Floats, Floats]


def layers_of(theta: Floats, sizes: Sequence[int]) -> Iterator[Layer]:
    """W and b of each layer, as views of theta."""
    start = 0
    for n, m in pairwise(sizes):
        middle, end = start + n * m, start + n * m + m
        yield theta[start:middle].reshape(n, m), theta[middle:end]
        start = end


ONE_THREAD = 1 << 18  # multiplications up to which BLAS uses a single thread for a product of matrices


def product(A: Floats, B: Floats) -> Floats:
    """A B, in blocks of rows so small that BLAS uses one thread; with several, the last digits may differ."""
    if 1 in (len(A), B.shape[1]):  # for vectors BLAS uses threads much earlier
        return np.asarray(np.einsum("ij,jk->ik", A, B))
    rows = max(2, ONE_THREAD // B.size)
    if len(A) <= rows:
        return A @ B
    result = np.empty((len(A), B.shape[1]))
    for start in range(0, len(A), rows):
        result[start : start + rows] = product(A[start : start + rows], B)
    return result


class Network:
    """A multilayer perceptron with rectified hidden layers and a linear output."""

    def __init__(self, sizes: Sequence[int], seed: int | None = 0):
        """seed: of the initial weights; None: all are 0."""
        self.sizes = tuple(whole_number("sizes", size, 1) for size in sizes)
        if len(self.sizes) < 2:
            raise InputError(f"sizes is {self.sizes}; it must give at least the number of inputs and of outputs")
        self.theta: Floats = np.zeros(sum((n + 1) * m for n, m in pairwise(self.sizes)))  # all parameters in a row
        self.layers = list(layers_of(self.theta, self.sizes))  # (W, b) of each layer: views of theta
        self.inputs: list[Floats] = []  # x_0 to x_{L-1} of the last forward pass
        if seed is not None:
            self._draw(Draws(seed, 0))

    def _draw(self, draws: Draws) -> None:
        """Draw random weights of variance 2/n, so that signals neither grow nor fade (He et al. 2015)."""
        for W, _ in self.layers:
            W[:] = draws.normal(W.shape) * np.sqrt(2 / len(W))

    def __call__(self, x: Floats) -> Floats:
        """The outputs, a row for each row of inputs."""
        return self.passed(x)[-1]

    def forward(self, x: Floats) -> Floats:
        """The outputs, remembering the inputs of each layer for the gradient."""
        *self.inputs, y = self.passed(x)
        return y

    def passed(self, x: Floats) -> list[Floats]:
        """x_0, ..., x_{L-1} and y."""
        found = [x]
        for number, (W, b) in enumerate(self.layers, start=1):
            z = product(found[-1], W) + b
            found.append(np.maximum(z, 0) if number < len(self.layers) else z)
        return found

    def backward(self, dy: Floats) -> Floats:
        """The gradient of a loss by theta, from its gradient dy by the outputs of the last forward pass."""
        gradient = np.empty_like(self.theta)
        steps = list(zip(self.layers, self.inputs, layers_of(gradient, self.sizes), strict=True))
        for number, ((W, _), x, (dW, db)) in reversed(list(enumerate(steps))):
            dW[:] = product(x.T, dy)
            db[:] = dy.sum(axis=0)
            if number:  # there is nothing before x_0
                dy = product(dy, W.T) * (x > 0)  # x = max(0, z) rises with z where it is positive only
        return gradient

    def copy(self) -> Network:
        """Another network with the same parameters."""
        other = Network(self.sizes, seed=None)
        other.theta[:] = self.theta
        return other

    def unscaled(self, mean: Floats, sd: Floats) -> Network:
        """The network that gives for x what this one gives for (x - mean)/sd: its first layer differs."""
        other = self.copy()
        W, b = other.layers[0]
        with np.errstate(over="ignore", invalid="ignore"):  # of a network that has diverged
            W /= sd[:, None]
            b -= product(mean[None], W)[0]
        return other

    @classmethod
    def from_theta(cls, sizes: Sequence[int], theta: Sequence[float] | Floats) -> Network:
        """The network with these parameters."""
        network, numbers = cls(sizes, seed=None), finite_numbers("theta", theta)
        if len(numbers) != len(network.theta):
            raise InputError(f"theta has {len(numbers)} numbers; layers of {network.sizes} have {len(network.theta)}")
        network.theta[:] = numbers
        return network

    @property
    def is_finite(self) -> bool:
        """Whether all parameters are finite, which they are not if learning has diverged."""
        return bool(np.isfinite(self.theta).all())

    def check_finite(self) -> None:
        """An error if learning has diverged."""
        if not self.is_finite:
            wrong = int((~np.isfinite(self.theta)).sum())
            raise InputError(
                f"network has diverged, {wrong} of its {len(self.theta)} parameters are not finite: "
                "try a smaller learning_rate"
            )

    def __repr__(self) -> str:
        return f"Network({' - '.join(map(str, self.sizes))}: {len(self.theta)} parameters)"


def squared(error: Floats) -> tuple[Floats, Floats]:
    """error², as printed in Muller and Ponton 2019."""
    return error * error, 2 * error


def huber(error: Floats) -> tuple[Floats, Floats]:
    """error² up to 1, and 2 |error| - 1 beyond: no error pulls harder than an error of 1 (Huber 1964)."""
    inside = np.clip(error, -1, 1)
    return inside * (2 * error - inside), 2 * inside


LOSSES = {"squared": squared, "huber": huber}


class GradientDescent:
    """theta <- theta - alpha g."""

    means = 0  # running means that it keeps

    def __init__(self, size: int, alpha: float):
        self.alpha, self.moments, self.t = alpha, np.zeros((self.means, size)), 0

    def step(self, theta: Floats, g: Floats) -> None:
        """Move theta against its gradient g."""
        self.t += 1
        theta -= self.alpha * g


class Adam(GradientDescent):
    """Steps of about alpha in each parameter, however large its gradient is (Kingma and Ba 2015, algorithm 1)."""

    beta1, beta2, epsilon = 0.9, 0.999, 1e-8
    means = 2  # m and v: of the gradient and of its square

    def step(self, theta: Floats, g: Floats) -> None:
        """Change theta by one step of the algorithm."""
        self.t += 1
        m, v = self.moments
        m += (1 - self.beta1) * (g - m)  # m <- beta1 m + (1 - beta1) g
        v += (1 - self.beta2) * (g * g - v)
        m_hat = m / (1 - self.beta1**self.t)  # running means that start at 0 are too small at first
        v_hat = v / (1 - self.beta2**self.t)
        theta -= self.alpha * m_hat / (np.sqrt(v_hat) + self.epsilon)


OPTIMIZERS: dict[str, type[GradientDescent]] = {"adam": Adam, "gradient-descent": GradientDescent}
