"""Deep Q-learning that takes the same course on every processor.

Processors sum the products of matrices in different orders, so their last digits differ. One such digit can decide
between two moves of equal value, and from then on the memory and the network are different ones. Rounding to multiples
of 2^-24, as fine as learning needs but some hundred million times coarser than those digits, removes the difference
before it can decide anything, except by rare chance.
"""

from __future__ import annotations

import numpy as np

from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.replay import Experiences, State
from tetriscourse.random_numbers import Floats

GRID = 2.0**24


def rounded(numbers: Floats) -> Floats:
    """The nearest multiples of 2^-24."""
    return np.asarray(np.rint(numbers * GRID) / GRID)


class SteadyDeepQ(DeepQ):
    """Deep Q-learning with values and parameters rounded to multiples of 2^-24."""

    def values(self, network: Network, s: State) -> Floats:
        """Q(s, a) of all actions, rounded, so that equal moves have equal values."""
        return rounded(super().values(network, s))

    def descend(self, E: Experiences) -> None:
        """One step down the gradient, then round."""
        super().descend(E)
        self.network.theta[:] = rounded(self.network.theta)
