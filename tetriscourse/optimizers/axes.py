"""The axes of a normal distribution, and the root of its covariance matrix by which it is sampled."""

from __future__ import annotations

import numpy as np

from tetriscourse.random_numbers import Floats


class Axes:
    """The axes of a normal distribution: C = B D² B^T, with directions B and lengths D, shortest first."""

    def __init__(self, C: Floats):
        self.C = C
        eigenvalues, self.B = np.linalg.eigh(C)
        # Rounding must not leave an eigenvalue at 0 or below.
        self.D: Floats = np.sqrt(np.maximum(eigenvalues, np.finfo(float).eps * eigenvalues[-1]))

    def root(self, exponent: int) -> Floats:
        """B D^exponent B^T: C^(1/2) for 1 and C^(-1/2) for -1.

        B D would give samples of the same distribution, but depends on the signs of the eigenvectors, on which builds
        of LAPACK disagree. The symmetric root does not.
        """
        return np.asarray((self.B * self.D**exponent) @ self.B.T)
