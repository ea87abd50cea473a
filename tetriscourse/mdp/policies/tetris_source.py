"""Samples of Tetris, from compiled code."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.features import FeatureSet, as_feature_set
from tetriscourse.game.random import AGENT_STREAM, PIECE_STREAM, stream_key
from tetriscourse.game.rules import Rules, as_rules, short_name
from tetriscourse.mdp.deep_q.afterstates import Features, compiled_features, name_of
from tetriscourse.mdp.policies.samples import Policy, Samples, Stopping, joined, never
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import described
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.games import GameList, play


class TetrisSource:
    """Tetris in compiled code."""

    name = "tetris"

    def __init__(self, rules: Rules | str, features: Features, constant: bool = False):
        """constant: whether 1 is added to the features, as values need it."""
        self.rules, chosen = as_rules(rules), compiled_features(features)
        if self.rules.pieces_known == 2:
            raise InputError("rules has pieces_known 2; these policies know one piece: it must be 1")
        names = [one.name for one in chosen.features]
        if constant and "constant" not in names:
            chosen = as_feature_set([*names, "constant"])
        self.features: FeatureSet = chosen
        self.dimension = chosen.size(self.rules.width)
        self.labels = chosen.labels(self.rules.width)
        self.room: Any = None

    def __repr__(self) -> str:
        return f"TetrisSource({short_name(self.rules)}, {self.features.name})"

    def sample(
        self, policy: Policy, seed: int, games: int, moves: int, all_moves: bool = True, stopping: Stopping = never
    ) -> Samples:
        """Games 0, 1, ... of a seed by a policy: this many, or until so many moves have been made."""
        from tetriscourse.mdp.policies.playing import Room

        with announced("policies"):
            if self.room is None:
                self.room = Room(self.rules, self.features)
            player = self.player(policy, "sampled") if policy.is_greedy and not all_moves else None
            self.room.seat(policy, player)
            parts, made = list[Samples](), 0
            for game in range(games):
                keys = [np.uint64(stream_key(seed, game, stream)) for stream in (PIECE_STREAM, AGENT_STREAM)]
                if made >= moves:
                    break
                for part in self.room.play(keys, moves - made, stopping):
                    parts.append(part)
                    made += part.moves
        return joined(parts)

    def judge(self, policy: Policy, games: int, most: int, seed: int) -> float:
        """The mean lines of greedy games of at most so many moves."""
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
        for label, weight in (("max_height", -10.0), ("holes", -1.0)):
            if label in self.labels:
                r[self.labels.index(label)] = weight
        return r

    def description(self) -> dict[str, Any]:
        return {"name": self.name, "features": name_of(self.features), "rules": described(self.rules)}
