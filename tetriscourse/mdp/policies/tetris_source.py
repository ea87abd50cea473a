"""Samples of Tetris, from compiled code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.features import FEATURE_SETS, FeatureSet, as_feature_set
from tetriscourse.game.random import AGENT_STREAM, PIECE_STREAM, stream_key
from tetriscourse.game.rules import Rules, as_rules, short_name
from tetriscourse.mdp.deep_q.move_values import OF_A_MOVE, Features, compiled_features, name_of
from tetriscourse.mdp.policies.samples import Policy, RolloutPlan, Samples, Stopping, Valued, joined, never
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import described
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.games import GameList, play

if TYPE_CHECKING:
    from tetriscourse.mdp.policies.playing import Room

CRITIC = as_feature_set(
    (*FEATURE_SETS["bertsekas"].features, "row_transitions", "column_transitions", "wells", "hole_depth",
     "rows_with_holes", "diversity", "constant")
)  # fmt: skip


def board_features(features: Features) -> FeatureSet:
    """Features that a board has, whatever move has led to it."""
    chosen = compiled_features(features)
    for one in chosen.features:
        if one.name in OF_A_MOVE:
            raise InputError(f"critic contains {one.name}, which only a move has; a critic values boards")
    return chosen


class TetrisSource:
    """Tetris in compiled code."""

    name = "tetris"

    def __init__(self, rules: Rules | str, features: Features, constant: bool = False, critic: Features | None = None):
        """constant: whether 1 is added to the features, as values need it; critic: features of boards, for rollouts."""
        self.rules, chosen = as_rules(rules), compiled_features(features)
        if self.rules.pieces_known == 2:
            raise InputError("rules has pieces_known 2; these policies know one piece: it must be 1")
        names = [one.name for one in chosen.features]
        if constant and "constant" not in names:
            chosen = as_feature_set([*names, "constant"])
        self.features: FeatureSet = chosen
        self.dimension = chosen.size(self.rules.width)
        self.labels = chosen.labels(self.rules.width)
        self.critic = CRITIC if critic is None else board_features(critic)
        self.critic_dimension = self.critic.size(self.rules.width)
        chances = np.array(self.rules.probabilities or [1.0] * len(self.rules.pieces))
        self.chances = chances / chances.sum()
        self.room: Room | None = None

    def __repr__(self) -> str:
        return f"TetrisSource({short_name(self.rules)}, {self.features.name})"

    def sample(
        self, policy: Policy | Player, seed: int, games: int, moves: int, all_moves: bool = True,
        stopping: Stopping = never,
    ) -> Samples:  # fmt: skip
        """Games 0, 1, ... of a seed by a policy or a player: `games` of them, or until `moves` have been made.

        Of a player, or without `all_moves` of a policy, only the moves made are seen, which is much faster.
        """
        with announced("policies"):
            room, parts, made = self.ready(), list[Samples](), 0
            if isinstance(policy, Player):
                room.seat_player(policy, 0.0)
            elif all_moves or policy.softmax:
                room.seat(policy)
            else:
                room.seat_player(self.player(policy, "sampled"), policy.epsilon)
            for game in range(games):
                keys = [np.uint64(stream_key(seed, game, stream)) for stream in (PIECE_STREAM, AGENT_STREAM)]
                if made >= moves:
                    break
                for part in room.play(keys, moves - made, stopping):
                    parts.append(part)
                    made += part.moves
        return joined(parts)

    def ready(self) -> Room:
        """Where its games are played."""
        from tetriscourse.mdp.policies.playing import Room

        self.room = self.room or Room(self.rules, self.features, OF_A_MOVE)
        return self.room

    def roll_out(self, states: Samples, plan: RolloutPlan, stopping: Stopping = never) -> Valued:
        """Value every move of some states by rollouts."""
        from tetriscourse.mdp.deep_q.kernels import CompiledGame

        with announced("policies"):
            player, critic = self.player(plan.policy, "rollouts"), CompiledGame(self.rules, self.critic)
            return self.ready().roll_out(states, plan, player, critic, stopping)

    def judge(self, policy: Policy, games: int, most: int, seed: int) -> float:
        """The mean lines of greedy games of at most `most` moves."""
        rules = replace(self.rules, max_pieces=most)
        return float(play(GameList.of(self.player(policy, "judged"), rules, seed, games)).lines.mean())

    def player(self, policy: Policy, name: str) -> Player:
        """The greedy player: the features, and `lines` with the weight of the reward."""
        kept = [k for k, label in enumerate(self.labels) if label != "constant"]
        names = [one.name for one in self.features.features if one.name != "constant"]
        weights = policy.weights[kept].tolist()
        if policy.reward and "lines" in names:
            weights[[label for label in self.labels if label != "constant"].index("lines")] += policy.reward
        elif policy.reward:
            names, weights = [*names, "lines"], [*weights, policy.reward]
        features = self.features if names == [one.name for one in self.features.features] else as_feature_set(names)
        return Player(features, weights, name)

    def start(self) -> Floats:
        """A policy that avoids holes and high columns, which plays some dozen lines."""
        r = np.zeros(self.dimension)
        for label, weight in (("max_height", -10.0), ("holes", -1.0), ("landing_height", -1.0)):
            if label in self.labels:
                r[self.labels.index(label)] = weight
        return r

    def description(self) -> dict[str, Any]:
        features, critic = name_of(self.features), name_of(self.critic)
        return {"name": self.name, "features": features, "critic": critic, "rules": described(self.rules)}
