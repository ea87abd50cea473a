"""The arrays in which compiled code plays the games of samples.py and the rollouts of classification.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tetriscourse.features import FeatureSet
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.kernels import CompiledGame
from tetriscourse.mdp.policies.sample_kernels import (
    FastPolicy,
    Rollout,
    View,
    play_best,
    play_seeing_all,
    roll_out_all,
    write_board,
)
from tetriscourse.mdp.policies.samples import CUT, GOES_ON, LOST, Policy, RolloutPlan, Samples, Stopping, Valued
from tetriscourse.players import Player
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator.encode import encode
from tetriscourse.simulator.layout import STATE_SIZE
from tetriscourse.simulator.run import Stopped

STATES = 20  # that rollouts begin from before Python looks whether to stop
SMALL_ROOM, ROOM = 100, 2_000  # states that compiled code writes at once: few at first, since most games are short


def view_of(game: CompiledGame) -> View:
    """A game's features, as compiled code reads them."""
    return View(game.player, game.plan, game.weights, game.sums, game.found, game.about)


class Room:
    """A game of Tetris, and room for what is seen of it."""

    def __init__(self, rules: Rules, features: FeatureSet, of_a_move: Sequence[str]):
        self.rules, self.game = rules, CompiledGame(rules, features)
        self.view = view_of(self.game)
        self.states, self.template = self.game.states, self.game.template
        self.most, self.dimension = self.game.found.shape
        self.policy: FastPolicy | None = None
        self.record: Any = None
        self.epsilon = 0.0
        self.start = np.zeros((1, self.dimension))  # features of the empty board, to which no move has led
        write_board(self.states, self.view, self.start, 0)
        self.start[0, [label in of_a_move for label in features.labels(rules.width)]] = 0

    def seat_player(self, player: Player, epsilon: float) -> None:
        """Let a player play from now on, with random moves now and then, at full speed: only moves made are seen."""
        self.record, self.epsilon = encode(player, self.rules).players, float(epsilon)

    def seat(self, policy: Policy) -> None:
        """Let a policy play from now on; all moves are seen."""
        weights = np.ascontiguousarray(policy.weights, np.float64)
        self.policy = FastPolicy(weights, float(policy.reward), float(policy.epsilon), int(policy.softmax))
        self.record = None

    def play(self, keys: list[Any], moves: int, stopping: Stopping) -> Iterator[Samples]:
        """A game of at most `moves` moves, in parts."""
        self.states[:STATE_SIZE] = self.template[:STATE_SIZE]
        phi, begin, end, most = self.start[0], 0, GOES_ON, min(moves, self.rules.max_pieces or moves)
        while end == GOES_ON:
            if stopping():
                raise Stopped
            part, phi, end = self.part(keys, phi, begin, min(max(SMALL_ROOM, begin), ROOM, most - begin))
            begin += part.moves
            yield part
            if end == GOES_ON and begin >= most:
                end = CUT
                yield cut_off(part, phi)

    def part(self, keys: list[Any], start: Floats, begin: int, moves: int) -> tuple[Samples, Floats, int]:
        """Play on from a board with the features `start`: samples, the features of the last board, how it ended."""
        cells, pieces = np.zeros((moves, self.rules.width), np.int64), np.zeros(moves, np.int64)
        phi, rewards, most = np.zeros((moves + 1, self.dimension)), np.zeros(moves), moves * self.most
        offsets, chosen = np.zeros(moves + 1, np.int64), np.full(moves, -1)
        phi[0] = start
        if self.record is not None:
            all_phi, all_rewards = phi[:0], rewards[:0]
            k, end = play_best(
                self.states, self.record[0], self.view, self.epsilon, *keys, begin, cells, pieces, phi, rewards
            )  # fmt: skip
        else:
            all_phi, all_rewards = np.zeros((most, self.dimension)), np.zeros(most)
            k, end = play_seeing_all(
                self.states, self.view, self.policy, *keys, begin, cells, pieces, phi, rewards, offsets, chosen,
                all_phi, all_rewards, np.zeros(most),
            )  # fmt: skip
        n = k + (end == LOST)
        ends, last = np.where(np.arange(n) < k, GOES_ON, end), offsets[n]
        samples = Samples(
            phi[:n].copy(), rewards[:n], ends, cells[:n], pieces[:n], offsets[: n + 1], chosen[:n],
            all_phi[:last].copy(), all_rewards[:last].copy(),
        )  # fmt: skip
        return samples, phi[k], end

    def roll_out(
        self, states: Samples, plan: RolloutPlan, player: Player, critic: CompiledGame, stop: Stopping
    ) -> Valued:
        """Value every move of some states by rollouts of a player."""
        n, d = len(states), critic.found.shape[1]
        offsets, most = np.zeros(n + 1, np.int64), n * self.most
        all_phi, rewards, after = np.zeros((most, self.dimension)), np.zeros(most), np.zeros(most)
        features, values = np.zeros((n, d)), np.ascontiguousarray(plan.critic, np.float64)
        record, room = encode(player, self.rules).players, np.zeros((1, d))
        rollout = Rollout(record[0], view_of(critic), values, plan.gamma, plan.moves, plan.games, plan.seed)
        cells, pieces = np.ascontiguousarray(states.cells), np.ascontiguousarray(states.pieces)
        for first in range(0, n, STATES):
            if stop():
                raise Stopped
            roll_out_all(
                self.states, self.template, self.view, rollout, first, min(first + STATES, n), cells, pieces, offsets,
                all_phi, rewards, after, features, room,
            )  # fmt: skip
        last = offsets[n]
        return Valued(offsets, all_phi[:last], rewards[:last], after[:last], features)


def cut_off(part: Samples, phi: Floats) -> Samples:
    """The state in which a game was cut off, after a part of it."""
    zero = np.zeros(1, np.int64)
    none = np.zeros((0, len(phi)))
    return Samples(
        phi[None], np.zeros(1), np.full(1, CUT), np.zeros((1, part.cells.shape[1]), np.int64), zero,
        np.zeros(2, np.int64), np.full(1, -1), none, np.zeros(0),
    )  # fmt: skip
