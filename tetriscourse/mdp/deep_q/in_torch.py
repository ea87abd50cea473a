"""Deep Q-learning with the network, the gradient and the descent of PyTorch in place of ours.

Needs PyTorch, which the course does not: pip install "tetriscourse[torch]". Importing this module does not need it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.mdp.deep_q.learner import DeepQ, DeepQSettings
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.replay import Experiences, Problem
from tetriscourse.mdp.deep_q.steady import rounded
from tetriscourse.random_numbers import Floats, derived_seed

try:
    import torch
    from torch import nn
except ImportError:
    torch = nn = None

MISSING = "PyTorch is not installed; get it with: pip install 'tetriscourse[torch]'"


def same_network(network: Network) -> Any:
    """A network of ours as one of PyTorch's, with the same weights in 64 bits."""
    module = dense(*network.sizes).double()
    for (W, b), layer in zip(network.layers, module[::2], strict=True):
        layer.weight.data[:], layer.bias.data[:] = torch.from_numpy(W.T), torch.from_numpy(b)
    return module


def dense(*sizes: int) -> Any:
    """Layers of these sizes with PyTorch's own initial weights, in 32 bits."""
    return nn.Sequential(*[one for n, m in pairwise(sizes) for one in (nn.Linear(n, m), nn.ReLU())][:-1])


def convolutional(width: int, height: int, channels: Sequence[int] = (8, 8), hidden: int = 32) -> Any:
    """A value of boards from their cells: windows of 3 x 3 that are the same everywhere, then two layers."""
    windows = [
        one for n, m in pairwise((1, *channels)) for one in (nn.Conv2d(n, m, kernel_size=3, padding=1), nn.ReLU())
    ]
    top = dense(channels[-1] * width * height, hidden, 1)
    return nn.Sequential(nn.Unflatten(1, (1, height, width)), *windows, nn.Flatten(), *top)


def as_network(module: Any) -> Network:
    """A network of PyTorch that is made of dense layers as one of ours, a copy of it."""
    layers = [one for one in module if isinstance(one, nn.Linear)]
    network = Network((layers[0].in_features, *(one.out_features for one in layers)), seed=None)
    for (W, b), one in zip(network.layers, layers, strict=True):
        W[:], b[:] = one.weight.detach().numpy().T, one.bias.detach().numpy()
    return network


class TorchNetwork:
    """Any module of PyTorch with what a learner asks of a network: values of rows, and all parameters as `theta`."""

    def __init__(self, module: Any):
        self.module, start = module, 0
        flat = torch.cat([one.detach().ravel() for one in module.parameters()])
        for one in module.parameters():  # each becomes a part of one array
            one.data, start = flat[start : start + one.numel()].view_as(one), start + one.numel()
        self.theta: Floats = flat.numpy()

    def __call__(self, x: Floats) -> Floats:
        with torch.no_grad():
            return np.asarray(self.module(self.tensor(x)).double().numpy())

    def tensor(self, x: Floats) -> Any:
        """Rows of numbers as PyTorch wants them."""
        return torch.from_numpy(np.asarray(x, self.theta.dtype))

    def copy(self) -> TorchNetwork:
        """Another network with the same parameters."""
        return TorchNetwork(deepcopy(self.module))

    @property
    def is_finite(self) -> bool:
        """Whether all parameters are finite."""
        return bool(np.isfinite(self.theta).all())

    def unscaled(self, mean: Floats, sd: Floats) -> Any:
        """The network for inputs that are not scaled: one of ours, if it is made of dense layers."""
        is_dense = all(isinstance(one, nn.Linear | nn.ReLU) for one in self.module)
        return as_network(self.module).unscaled(mean, sd) if is_dense else self


class TorchDeepQ(DeepQ):
    """Deep Q-learning with PyTorch: `network` says what it learns, everything else is as in DeepQ."""

    name = "deep-q-torch"

    def __init__(
        self,
        problem: Problem,
        settings: DeepQSettings | None = None,
        seed: int = 0,
        network: Any = None,
        steady: bool = False,
        **changes: Any,
    ):
        """network: a function that makes the module; None: ours, with our initial weights. steady: as SteadyDeepQ."""
        if torch is None:
            raise ImportError(MISSING)
        super().__init__(problem, settings, seed, **changes)
        torch.manual_seed(derived_seed(self.seed, 1) % 2**63)
        self.steady = rounded if steady else np.asarray
        self.network: Any = TorchNetwork(network() if network else same_network(self.network))
        self.target: Any = self.network.copy() if self.settings.target_network else self.network
        self.optimizer: Any = torch.optim.Adam(self.network.module.parameters(), self.settings.learning_rate)

    def values(self, network: Any, s: Any) -> Floats:
        """Q(s, a) of all actions."""
        return np.asarray(self.steady(super().values(network, s)))

    def descend(self, E: Experiences) -> None:
        """One step down the gradient of the mean of (Res_P(s, a) - y)² over the minibatch E."""
        y = E.r + self.settings.gamma * np.where(E.final, 0.0, self.value_of_following(E))
        q = self.network.module(self.network.tensor(self.scaled(E.x)))
        q = q[torch.arange(len(y)), torch.from_numpy(E.output)]
        loss = nn.functional.mse_loss(q, self.network.tensor(y))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.network.theta[:] = self.steady(self.network.theta)
        self.count(descents=1, loss=loss.item())

    def state(self) -> dict[str, Any]:
        """What it has learned; a run cannot be resumed, since PyTorch's descent keeps more."""
        return {"theta": self.network.theta}

    def restore(self, arrays: dict[str, Any]) -> None:
        raise InputError("resume is True; a run with PyTorch cannot be resumed")
