"""Cross-entropy: sample from a normal distribution, keep the best, fit the distribution to them.

Start at `CrossEntropy.update`, which is the whole method (Szita and Lőrincz 2006, equations 3 and 5; algorithm 1
of Thiery and Scherrer 2009):

    mu     = mean of the elite
    sigma² = variance of the elite + Z_t

The noise Z_t keeps the distribution from shrinking to a point before it has found anything good. Its schedules
are in `NOISES`; any other function of t will do: CrossEntropy(21, noise=lambda t: 10 / t).

The weights of the papers are independent: sigma² is the diagonal of a covariance matrix Sigma that is 0 elsewhere. With
covariance="full", Sigma is the whole covariance matrix of the elite, with the noise on its diagonal, and the cloud can
turn. An elite of k candidates spans k - 1 directions at most: without noise, the search never leaves them, so that it
needs an elite of more than n, the number of weights, and better several times as many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor, nan
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, one_of, real_number, shown
from tetriscourse.optimizers.axes import Axes
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import Settings, setting


@dataclass(frozen=True)
class Noise:
    """A schedule of noise: the variance added after iteration t = 1, 2, ..."""

    formula: str
    function: Callable[..., float] = field(repr=False, compare=False)
    parameters: tuple[float, ...] = field(default=(), repr=False)  # as data: settings are stored and sent around

    def at(self, t: int) -> float:
        """Z_t."""
        return real_number(f"noise: Z_{t} of {self.formula}", self.function(t, *self.parameters), at_least=0)

    def __str__(self) -> str:
        return self.formula


def _constant(t: int, z: float) -> float:
    return z


def _linear(t: int, start: float, steps: float) -> float:
    return max(start - t / steps, 0)


def _geometric(t: int, c: float, q: float) -> float:
    return c * q**t


def _hyperbolic(t: int, c: float) -> float:
    return c / t


def constant(z: float = 4.0) -> Noise:
    """Z_t = z."""
    z = real_number("z", z, at_least=0)
    return Noise(f"{z:.12g}", _constant, (z,))


def linear(start: float = 5.0, steps: float = 10.0) -> Noise:
    """Z_t = max(start - t/steps, 0)."""
    start, steps = real_number("start", start, at_least=0), real_number("steps", steps, above=0)
    return Noise(f"max({start:.12g} - t/{steps:.12g}, 0)", _linear, (start, steps))


def geometric(c: float = 10.0, q: float = 0.95) -> Noise:
    """Z_t = c q^t."""
    c, q = real_number("c", c, at_least=0), real_number("q", q, above=0, at_most=1)
    return Noise(f"{c:.12g} {q:.12g}^t", _geometric, (c, q))


def hyperbolic(c: float = 10.0) -> Noise:
    """Z_t = c/t."""
    c = real_number("c", c, at_least=0)
    return Noise(f"{c:.12g}/t", _hyperbolic, (c,))


NOISES: dict[str, Noise] = {
    "none": constant(0.0),
    "constant": constant(),
    "linear": linear(),
    "geometric": geometric(),
    "hyperbolic": hyperbolic(),
}
"""The first three are from Szita and Lőrincz 2006, who also propose the last, without a value of c."""


def as_noise(noise: Any) -> Noise:
    """The noise that a user means by a noise, a name, a number or a function of t."""
    if isinstance(noise, Noise):
        return noise
    if isinstance(noise, str):
        return NOISES[one_of("noise", noise, NOISES)]
    if not callable(noise):
        if isinstance(noise, bool) or not isinstance(noise, int | float | np.number):
            raise InputError(f"noise is {shown(noise)}; it must be a name, a number or a function of t")
        return constant(real_number("noise", noise, at_least=0))
    # A function has no formula to store, so its name and first values stand for it.
    name = getattr(noise, "__name__", type(noise).__name__)
    first = [Noise(name, noise).at(t) for t in (1, 2, 3)]
    return Noise(f"{name}: {', '.join(f'{z:.6g}' for z in first)}, ...", noise)


COVARIANCES = ("diagonal", "full")


@dataclass(frozen=True)
class CrossEntropySettings(Settings):
    """Settings of a run."""

    population: int = setting(100, "N: candidates an iteration", at_least=1)
    rho: float = setting(0.1, "the share of candidates in the elite, which has at least one", above=0, at_most=1)
    iterations: int = setting(100, "when to stop", at_least=1)
    initial_mean: float = setting(0.0, "mu at first, the same for every weight")
    initial_variance: float = setting(100.0, "sigma² at first, the same for every weight", above=0)
    noise: Noise = setting(NOISES["none"], f"Z_t: {', '.join(NOISES)}, a number or a function of t", read=as_noise)  # noqa: RUF009
    tolerance: float = setting(1e-12, "stop when every sigma is below it", at_least=0)
    covariance: str = setting("diagonal", "Sigma: diagonal (independent weights) or full", one_of=COVARIANCES)


CROSS_ENTROPY: dict[str, CrossEntropySettings] = {
    # Szita and Lőrincz 2006, table 1: 10,000, 10,000 and 5,000 games, 100 an iteration.
    "szita-none": CrossEntropySettings(iterations=100),
    "szita-constant": CrossEntropySettings(iterations=100, noise=constant(4)),
    "szita-decreasing": CrossEntropySettings(iterations=50, noise=linear(5, 10)),
    # Thiery and Scherrer 2009, section 4 (ten runs each) and section 5. They give no number of iterations; 80 is ours.
    "thiery-none": CrossEntropySettings(iterations=80),
    "thiery-constant": CrossEntropySettings(iterations=80, noise=constant(4)),
    "thiery-decreasing": CrossEntropySettings(iterations=80, noise=linear(5, 10)),
    "thiery": CrossEntropySettings(iterations=80, noise=constant(4)),
}


class CrossEntropy(Optimizer):
    """The noisy cross-entropy method with normal weights, independent or with a full covariance matrix."""

    name = "cross-entropy"
    Settings = CrossEntropySettings
    NAMED = CROSS_ENTROPY
    def __init__(self, dimension: int, settings: Any = None, seed: int = 0, **changes: Any):
        super().__init__(dimension, settings, seed, **changes)
        self.mu = np.full(self.dimension, self.settings.initial_mean)
        self.Sigma = self.settings.initial_variance * np.eye(self.dimension)
        self.gamma = nan  # the lowest score in the last elite
        self.elite_mean = nan  # the mean score of the last elite

    def ask(self) -> Floats:
        """N candidates from N(mu, Sigma)."""
        z = self.draws().normal((self.settings.population, self.dimension))
        return self.mu + (z @ Axes(self.Sigma).root(1) if self.full else self.sigma * z)

    def update(self, x: Floats, f: Floats) -> None:
        """Fit the distribution to the elite and widen it by the noise."""
        # The paper calls the initial distribution f_0, so iteration 0 leads to f_1, with Z_1.
        noise = self.settings.noise.at(self.iteration + 1)
        elite = np.argsort(-f, kind="stable")[: self.parents(len(f))]
        self.gamma, self.elite_mean = float(f[elite[-1]]), float(f[elite].mean())
        self.mu = x[elite].mean(axis=0)
        y = x[elite] - self.mu
        self.Sigma = y.T @ y / len(y) if self.full else np.diag(np.square(y).mean(axis=0))
        self.Sigma += noise * np.eye(self.dimension)

    def stop(self) -> str:
        """Why it is time to stop: all iterations are done, or all candidates would be the same."""
        if (self.sigma < self.settings.tolerance).all():
            return "the distribution has shrunk to a point"
        return super().stop()

    @property
    def full(self) -> bool:
        """Whether Sigma may have numbers off its diagonal."""
        return bool(self.settings.covariance == "full")

    @property
    def variables(self) -> tuple[str, ...]:
        """The state of a run; of a diagonal Sigma, the diagonal."""
        return ("mu", "Sigma" if self.full else "sigma2", "gamma", "elite_mean")

    @property
    def sigma2(self) -> Floats:
        """The variance of each weight: the diagonal of Sigma."""
        return np.diag(self.Sigma)

    @sigma2.setter
    def sigma2(self, variances: Floats) -> None:
        self.Sigma = np.diag(variances)

    @property
    def sigma(self) -> Floats:
        """The standard deviation of each weight."""
        return np.asarray(np.sqrt(self.sigma2))

    @property
    def favourite(self) -> Floats:
        """The mean, which plays after every iteration in the papers."""
        return self.mu

    def parents(self, candidates: int) -> int:
        return elite_size(self.settings.rho, candidates)

    def recorded(self) -> dict[str, float | Floats]:
        """sigma, the noise in it, and the lowest and mean score of the elite."""
        noise = self.settings.noise.at(self.iteration)
        return {"sigma": self.sigma, "noise": noise, "gamma": self.gamma, "elite_mean": self.elite_mean}


def elite_size(rho: float, n: int) -> int:
    """floor(rho n), at least 1."""
    return max(1, floor(rho * n + 1e-9))  # 0.29 * 100 is a little less than 29 in binary
