"""Functions with a known maximum of 0 at 0, on which any optimizer can be tried."""

import numpy as np


def sphere(x):
    """As easy as it gets."""
    return -float(np.sum(np.square(x)))


def ellipsoid(x):
    """Every coordinate matters, the last a million times as much as the first."""
    exponents = np.linspace(0, 6, len(x)) if len(x) > 1 else np.zeros(1)
    return -float(np.sum(10.0**exponents * np.square(x)))


def rastrigin(x):
    """A sphere full of local maxima."""
    x = np.asarray(x)
    return -float(np.sum(np.square(x) + 10 * (1 - np.cos(2 * np.pi * x))))


def run(optimizer, function, iterations=10**9):
    """Ask and tell until the optimizer stops, or so many times."""
    while not optimizer.stop() and optimizer.iteration < iterations:
        candidates = optimizer.ask()
        optimizer.tell(candidates, [function(candidate) for candidate in candidates])
    return optimizer


def assert_equal_bits(one, two):
    """Two states, or two histories, agree in every bit."""
    one, two = ({name: x[name] for name in getattr(x, "names", x)} for x in (one, two))
    assert list(one) == list(two)
    for name in one:
        np.testing.assert_array_equal(one[name], two[name], err_msg=name)
