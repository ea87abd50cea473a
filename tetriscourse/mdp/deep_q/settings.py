"""What is fixed before a run of deep Q-learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetriscourse.errors import InputError, finite_numbers, one_of, real_number, shown, whole_number
from tetriscourse.mdp.deep_q.network import LOSSES, OPTIMIZERS
from tetriscourse.mdp.learning_loop import check_exploration
from tetriscourse.settings import setting


@dataclass(frozen=True)
class DeepQSettings:
    """What is fixed before a run; the defaults are for the domino."""

    gamma: float = setting(0.9, "what a reward is worth a step later")
    learning_rate: float = setting(0.001, "alpha of the descent")
    epsilon_min: float = setting(0.01, "the share of random actions in the end")
    epsilon_max: float = setting(1.0, "the share of random actions at first")
    tau: float = setting(0.001, "epsilon = epsilon_min + (epsilon_max - epsilon_min) exp(-tau t) after t steps")
    memory: int = setting(10_000, "experiences in the replay memory, which is filled with random play first")
    batch: int = setting(32, "experiences in a minibatch")
    refresh: int = setting(500, "steps after which the second network becomes a copy of the first")
    steps: int = setting(50_000, "when to stop")
    hidden: tuple[int, ...] = setting((64, 64), "units in each hidden layer")
    target_network: bool = setting(True, "whether there is a second network; False: the first one gives the targets")
    double: bool = setting(False, "whether the first network chooses the action that the second one values")
    train_every: int = setting(1, "steps between two minibatches")
    optimizer: str = setting("adam", f"the descent: {' or '.join(OPTIMIZERS)}")
    loss: str = setting("squared", f"of the error of a value: {' or '.join(LOSSES)}")
    reward_lost: float = setting(0.0, "added to the reward when the game is lost; 0 in the paper")
    max_pieces: int = setting(0, "pieces after which a training game is broken off; 0: none")
    judge_every: int = setting(0, "steps between two judgements, the best of which decides what is kept; 0: the last")
    judge_games: int = setting(20, "games of a judgement, other ones than those of training")
    judge_pieces: int = setting(5_000, "pieces after which such a game is broken off")
    record_every: int = setting(250, "steps between two entries in the history")

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {
            "learning_rate": real_number("learning_rate", self.learning_rate, above=0),
            "tau": real_number("tau", self.tau, at_least=0),
            "hidden": tuple(whole_number("hidden", size, 1) for size in finite_numbers("hidden", self.hidden)),
            "optimizer": one_of("optimizer", self.optimizer, OPTIMIZERS),
            "loss": one_of("loss", self.loss, LOSSES),
            "reward_lost": real_number("reward_lost", self.reward_lost),
        }
        for name in ("gamma", "epsilon_min", "epsilon_max"):
            checked[name] = real_number(name, getattr(self, name), at_least=0, at_most=1)
        for name in (
            "memory", "batch", "refresh", "steps", "train_every", "judge_games", "judge_pieces", "record_every",
        ):  # fmt: skip
            checked[name] = whole_number(name, getattr(self, name), 1)
        for name in ("max_pieces", "judge_every"):
            checked[name] = whole_number(name, getattr(self, name), 0)
        for name in ("target_network", "double"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} is {shown(getattr(self, name))}; it must be True or False")
        if self.double and not self.target_network:
            raise InputError("double is True; it must be False with target_network=False: it needs a second network")
        check_exploration(self)
        for name, value in checked.items():
            object.__setattr__(self, name, value)


DEEP_Q: dict[str, DeepQSettings] = {
    "domino": DeepQSettings(max_pieces=200, judge_every=1_000),
    "tetris": DeepQSettings(
        gamma=0.99, tau=0.0005, refresh=100, steps=60_000, hidden=(32, 32), max_pieces=2_000,
        judge_every=2_000, judge_games=30,
    ),
}  # fmt: skip
"""Settings for each problem."""
