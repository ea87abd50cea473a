"""Regularised least squares: A w = b, summed up from as many samples as there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.random_numbers import Floats


class LeastSquares:
    """The equations A w = b of a fit, with A = sum of phi phi'^T / n and b = sum of phi y / n.

    With phi' = phi, w makes sum of (phi^T w - y)² smallest. LSTD has phi' = phi - gamma phi(next) and y = reward.
    """

    def __init__(self, dimension: int):
        self.A, self.b, self.n = np.zeros((dimension, dimension)), np.zeros(dimension), 0

    def add(self, phi: Any, y: Floats, other: Any = None) -> LeastSquares:
        """Add samples: the rows of phi, the numbers y, and phi' if that is something else."""
        self.A += dense(phi.T @ (phi if other is None else other))
        self.b += phi.T @ y
        self.n += len(y)
        return self

    def solve(self, ridge: float = 0.0) -> Floats:
        """The w with (A + ridge I) w = b; if there are several, the shortest."""
        n = max(self.n, 1)
        A, b = self.A / n + ridge * np.eye(len(self.b)), self.b / n
        if ridge:
            return np.asarray(np.linalg.solve(A, b))
        return np.asarray(np.linalg.lstsq(A, b, rcond=None)[0])


def dense(matrix: Any) -> Floats:
    """A matrix as a numpy array, sparse or not."""
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)


def fit(phi: Any, y: Floats, ridge: float = 0.0) -> Floats:
    """The w that makes the sum of (phi^T w - y)² smallest."""
    return LeastSquares(phi.shape[1]).add(phi, y).solve(ridge)
