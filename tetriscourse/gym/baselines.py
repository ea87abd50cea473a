"""Tetris for Stable-Baselines3: many compiled games as its vector environment, and a policy that scores moves.

    envs = gymnasium.make_vec("tetriscourse/Tetris-v0", num_envs=64, observation="features", autoreset_mode="SameStep")
    learner = MaskablePPO(policy_of_moves(), for_baselines(envs))

Needs stable-baselines3 and sb3-contrib, and with them PyTorch: pip install "tetriscourse[torch]".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tetriscourse.mdp.deep_q.in_torch import dense
from tetriscourse.random_numbers import Floats


def for_baselines(envs: Any) -> Any:
    """A vector environment as Stable-Baselines3 wants it: infos are a list, and the last observation is in them."""
    from stable_baselines3.common.vec_env import VecEnv

    class Adapter(VecEnv):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

        def reset(self) -> Any:
            return envs.reset(seed=self._seeds[0])[0]

        def step_async(self, actions: Any) -> None:
            self.actions = actions

        def step_wait(self) -> Any:
            seen, rewards, lost, cut, about = envs.step(self.actions)
            infos: list[dict[str, Any]] = [{} for _ in range(envs.num_envs)]
            for i in np.flatnonzero(lost | cut):
                infos[i] = {"terminal_observation": about["final_obs"][i], "TimeLimit.truncated": bool(cut[i])}
            return seen, rewards.astype(np.float32), lost | cut, infos

        def env_method(self, name: str, *_: Any, **__: Any) -> list[Any]:
            return list(getattr(envs, name)())

        def get_attr(self, name: str, indices: Any = None) -> list[Any]:
            return [getattr(envs, name)] * envs.num_envs

        def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
            setattr(envs, name, value)

        def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
            return [False] * envs.num_envs

        def close(self) -> None:
            envs.close()

    return Adapter()


@cache
def policy_of_moves() -> Any:
    """A policy for MaskablePPO that scores the features of every move by one network, the same for all moves.

    Its arguments, by policy_kwargs: `hidden`, the units in each hidden layer; `mean` and `sd`, by which features are
    scaled. The value of a position is the mean of a second score over its possible moves, weighted as the policy does.
    """
    import torch
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from torch import nn

    class Scores(nn.Module):  # type: ignore[misc]
        """Scores of moves and the value of the position, from the features of all moves."""

        def __init__(self, actions: int, mean: Floats, sd: Floats, hidden: Sequence[int]):
            super().__init__()
            self.register_buffer("mean", torch.as_tensor(mean, dtype=torch.float32))
            self.register_buffer("sd", torch.as_tensor(sd, dtype=torch.float32))
            self.shape = (actions, len(mean))
            self.actor, self.critic = dense(len(mean), *hidden, 1), dense(len(mean), *hidden, 1)
            self.latent_dim_pi, self.latent_dim_vf = actions, 1

        def scaled(self, features: Any) -> Any:
            return (features.view(-1, *self.shape) - self.mean) / self.sd

        def forward_actor(self, features: Any) -> Any:
            return self.actor(self.scaled(features)).squeeze(-1)

        def forward_critic(self, features: Any) -> Any:
            impossible = ~features.view(-1, *self.shape).any(-1)
            chances = self.forward_actor(features).detach().masked_fill(impossible, -1e8).softmax(-1)
            return (chances * self.critic(self.scaled(features)).squeeze(-1)).sum(-1, keepdim=True)

        def forward(self, features: Any) -> Any:
            return self.forward_actor(features), self.forward_critic(features)

    class PolicyOfMoves(MaskableActorCriticPolicy):  # type: ignore[misc]
        def __init__(self, *args: Any, mean: Floats, sd: Floats, hidden: Sequence[int] = (32, 32), **settings: Any):
            self.scores = mean, sd, hidden
            super().__init__(*args, ortho_init=False, **settings)

        def _build_mlp_extractor(self) -> None:
            mean, sd, hidden = self.scores
            self.mlp_extractor = Scores(int(self.action_space.n), mean, sd, hidden)

        def _build(self, lr_schedule: Any) -> None:
            super()._build(lr_schedule)
            self.action_net = self.value_net = nn.Identity()  # scores are logits and values already
            self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    return PolicyOfMoves
