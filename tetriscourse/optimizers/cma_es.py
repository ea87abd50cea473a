"""CMA-ES: sample from a normal distribution, and learn its centre, width and shape from the best candidates.

Start at `CMAES.update`, which is the (mu/mu_w, lambda)-CMA-ES of Boumaza 2013, algorithm 1, stage by stage. Its fixed
parameters are in `Constants`; its state is m, sigma, C, p_sigma and p_c.

The printed algorithm is corrected in three places: the path of the step size is whitened by C^(-1/2), not C^(1/2);
the best candidates are those of highest score; and both paths have the guards of Hansen's reference implementation
(h_sigma, and sigma grows by a factor of e at most in an iteration). The paper's c_co and mu_co appear as
c_1 = c_co / mu_co and c_mu = c_co (1 - 1 / mu_co).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, finite_numbers, one_of, whole_number
from tetriscourse.optimizers.axes import Axes
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.random_numbers import Draws, Floats, derived_seed
from tetriscourse.settings import Settings, setting

STARTS = ("zero", "random")
STEP_SIZES = {
    "squared": "||p_sigma||² / n against 1, its expectation: Hansen's reference implementation",
    "norm": "||p_sigma|| against chi_n, its expectation: Boumaza 2013",
}
START_LABEL = 1  # separates the random numbers of a random start from those of the iterations
WORST_CONDITION = 1e14  # the largest ratio of eigenvalues of C at which their roots can still be trusted


def population_size(population: Any) -> int:
    """A population of two at least, or 0."""
    if whole_number("population", population, 0) == 1:
        raise InputError(f"population is {population}; it must be 0 (chosen by the dimension) or at least 2")
    return int(population)


def starting_point(start: Any) -> str | tuple[float, ...]:
    """The name of a start, or the numbers."""
    return one_of("start", start, STARTS) if isinstance(start, str) else finite_numbers("start", start)


@dataclass(frozen=True)
class CMASettings(Settings):
    """Settings of a run."""

    population: int = setting(0, "lambda: candidates an iteration; 0 is 4 + floor(3 ln n)", read=population_size)
    sigma: float = setting(0.5, "the step size at first", above=0)
    iterations: int = setting(50, "when to stop", at_least=1)
    start: str | tuple[float, ...] = setting("zero", "m at first: zero, random or the numbers", read=starting_point)
    normalise: bool = setting(False, "scale every candidate to length 1")
    step_size: str = setting("squared", "how the path changes sigma: " + " or ".join(STEP_SIZES), one_of=STEP_SIZES)
    tolerance: float = setting(1e-12, "stop when the longest axis of the distribution is shorter", at_least=0)
    divergence: float = setting(1e20, "stop when the longest axis of the distribution is longer", above="tolerance")


CMA_ES: dict[str, CMASettings] = {
    # Boumaza 2013, section 4.3.
    "boumaza": CMASettings(iterations=50, start="zero", normalise=True, step_size="norm"),
    # Section 5.3, the experiments with racing.
    "boumaza-racing": CMASettings(iterations=25, start="random", normalise=True, step_size="norm"),
    # Figure 4, where the step size diverges.
    "boumaza-unnormalised": CMASettings(iterations=50, start="zero", normalise=False, step_size="norm"),
}


@dataclass(frozen=True, eq=False)
class Constants:
    """Constants of the strategy, which depend on n and lambda alone."""

    lambda_: int  # candidates an iteration
    mu: int  # the number of parents among them
    w: Floats  # their weights, best first; the sum is 1
    mu_eff: float  # the effective number of parents: 1 / sum of w²
    c_sigma: float  # the path of the step size remembers about 1 / c_sigma iterations
    d_sigma: float  # how slowly the step size follows its path
    c_c: float  # the path of the covariance remembers about 1 / c_c iterations
    c_1: float  # the weight of that path in C
    c_mu: float  # the weight of the parents of an iteration in C
    chi_n: float  # approximate mean length of a vector from N(0, I)

    @classmethod
    def of(cls, n: int, population: int = 0) -> Constants:
        """The defaults, as in Hansen's reference implementation."""
        lambda_ = population or 4 + int(3 * log(n))
        mu = lambda_ // 2
        w = log(lambda_ / 2 + 0.5) - np.log(np.arange(1, mu + 1))
        w /= w.sum()
        mu_eff = 1 / float(np.square(w).sum())
        c_sigma = (mu_eff + 2) / (n + mu_eff + 5)
        d_sigma = 2 * mu_eff / lambda_ + 0.3 + c_sigma
        c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n)
        c_1 = 2 / ((n + 1.3) ** 2 + mu_eff)
        c_mu = min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) ** 2 + mu_eff))
        chi_n = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))
        return cls(lambda_, mu, w, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi_n)


class CMAES(Optimizer):
    """The evolution strategy with covariance matrix adaptation."""

    name = "cma-es"
    Settings = CMASettings
    NAMED = CMA_ES
    variables = ("m", "sigma", "C", "p_sigma", "p_c")

    def __init__(self, dimension: int, settings: Any = None, seed: int = 0, **changes: Any):
        super().__init__(dimension, settings, seed, **changes)
        n = self.dimension
        self.constants = Constants.of(n, self.settings.population)
        self.m = self._start()
        self.sigma: float = self.settings.sigma
        self.C = np.eye(n)
        self.p_sigma, self.p_c = np.zeros(n), np.zeros(n)
        self._axes = Axes(self.C)

    def _start(self) -> Floats:
        """The first mean."""
        start = self.settings.start
        if start == "zero":
            return np.zeros(self.dimension)
        if start == "random":
            return to_length_1(Draws(derived_seed(self.seed, START_LABEL), 0).normal(self.dimension))
        if len(start) != self.dimension:
            raise InputError(f"start has {len(start)} numbers; it must have {self.dimension}, one for each weight")
        return np.array(start)

    def ask(self) -> Floats:
        """lambda candidates x = m + sigma C^(1/2) z with z from N(0, I)."""
        z = self.draws().normal((self.constants.lambda_, self.dimension))
        x = self.m + self.sigma * z @ self.axes.root(1)
        return to_length_1(x) if self.settings.normalise else x

    def update(self, x: Floats, f: Floats) -> None:
        """One iteration of the algorithm, from the candidates as told: sampled, normalised or repaired."""
        c, n, m_old = self.constants, self.dimension, self.m
        parents = x[np.argsort(-f, kind="stable")[: c.mu]]

        # Recombination: m = sum of w_i x_i over the mu best
        self.m = c.w @ parents
        y = (parents - m_old) / self.sigma
        y_w = (self.m - m_old) / self.sigma

        # Path of the step size: p_sigma = (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) C^(-1/2) y_w
        gain = sqrt(c.c_sigma * (2 - c.c_sigma) * c.mu_eff)
        self.p_sigma = (1 - c.c_sigma) * self.p_sigma + gain * self.axes.root(-1) @ y_w

        # Path of the covariance: p_c = (1 - c_c) p_c + h_sigma sqrt(c_c (2 - c_c) mu_eff) y_w
        # h_sigma is 0 while p_sigma is too long: sigma is about to grow, and C should not grow in its place.
        length2 = float(np.square(self.p_sigma).sum()) / n
        expected = 1 - (1 - c.c_sigma) ** (2 * (self.iteration + 1))  # below 1 because the path started at 0
        h_sigma = float(length2 / expected < 2 + 4 / (n + 1))
        self.p_c = (1 - c.c_c) * self.p_c + h_sigma * sqrt(c.c_c * (2 - c.c_c) * c.mu_eff) * y_w

        # Covariance: C = (1 - c_1 - c_mu) C + c_1 p_c p_c^T (rank one) + c_mu sum of w_i y_i y_i^T (rank mu)
        lost = c.c_1 * (1 - h_sigma) * c.c_c * (2 - c.c_c)  # makes up for the step that h_sigma kept out of the path
        rank_mu = (c.w * y.T) @ y
        C = (1 - c.c_1 + lost - c.c_mu) * self.C + c.c_1 * np.outer(self.p_c, self.p_c) + c.c_mu * rank_mu
        self.C = (C + C.T) / 2  # against rounding

        # Step size: sigma = sigma exp(c_sigma / d_sigma * how much longer p_sigma is than a random path)
        longer = sqrt(length2 * n) / c.chi_n - 1 if self.settings.step_size == "norm" else (length2 - 1) / 2
        self.sigma *= exp(min(1, c.c_sigma / c.d_sigma * longer))

    def stop(self) -> str:
        """Why it is time to stop: iterations, or a distribution that is too small, too large or too flat."""
        D = self.axes.D
        longest = self.sigma * D[-1]
        if longest < self.settings.tolerance:
            return "the distribution has shrunk to a point"
        if longest > self.settings.divergence:
            return "the distribution has diverged"
        if D[-1] ** 2 > WORST_CONDITION * D[0] ** 2:
            return "the distribution has become flat"
        return super().stop()

    @property
    def axes(self) -> Axes:
        """The axes of C, computed once for each C."""
        if self._axes.C is not self.C:
            self._axes = Axes(self.C)
        return self._axes

    @property
    def favourite(self) -> Floats:
        return self.m

    def parents(self, candidates: int) -> int:
        return self.constants.mu

    def recorded(self) -> dict[str, float | Floats]:
        """The step size, the lengths of the axes of C, and the standard deviation of each weight."""
        deviations = self.sigma * np.sqrt(np.diag(self.C))
        return {"sigma": self.sigma, "axes": self.axes.D, "deviations": deviations}

    def _checked(self, candidates: Any, scores: Any) -> tuple[Floats, Floats]:
        x, f = super()._checked(candidates, scores)
        if len(x) < self.constants.mu:
            raise InputError(f"candidates has {len(x)} rows; it must have at least {self.constants.mu}, the parents")
        return x, f


def to_length_1(x: Floats) -> Floats:
    """A vector, or every row of a matrix, scaled to length 1; zeros are left alone."""
    lengths = np.sqrt(np.square(x).sum(axis=-1, keepdims=True))
    return np.asarray(x / np.where(lengths > 0, lengths, 1))
