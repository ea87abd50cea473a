"""Deep Q-learning that goes the same way on every processor.

Products of matrices are summed in another order on another processor, so that their last digits differ. One such digit
decides between two moves of equal value, the memory is another one from then on, and so is the network. Here values
and parameters are rounded to multiples of 2^-24, some hundred million times as coarse as those digits, which is as fine
as learning needs: what differs is rounded away before it can decide anything, except by a rare chance.
"""

from __future__ import annotations

import numpy as np

from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.replay import Experiences, Mask
from tetriscourse.random_numbers import Floats

GRID = 2.0**24


def rounded(numbers: Floats) -> Floats:
    """The nearest multiples of 2^-24."""
    return np.asarray(np.rint(numbers * GRID) / GRID)


class SteadyDeepQ(DeepQ):
    """Deep Q-learning with values and parameters rounded to multiples of 2^-24."""

    def values(self, network: Network, rows: Floats, allowed: Mask) -> Floats:
        """Q(s, a) of all actions, rounded: moves that are equal have equal values."""
        return rounded(super().values(network, rows, allowed))

    def descend(self, E: Experiences) -> None:
        """One step down the gradient, then round."""
        super().descend(E)
        self.network.theta[:] = rounded(self.network.theta)
