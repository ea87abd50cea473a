"""A Q-learner with a student's rewards."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from tetriscourse.course.differences import Function, is_number
from tetriscourse.game.board import Board
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.environment import TetrisEnv
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning

PAID = replace(RULES["domino"], width=6, height=6)
MOST, EVERY, LONGEST, SEEDS = 60, 5, 30, 3
"""Games allowed, games between two searches for a proof, pieces in a game, seeds."""


class NoNumberError(Exception):
    """A reward is not a number; the arguments are what it is, and whether there was a number before."""


class Paid(TetrisEnv):
    """The game with somebody else's rewards."""

    pay: Function
    has_paid = False

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Take an action, and be paid for it."""
        before = self.board
        state, points, lost, cut, info = super().step(action)
        paid = self.pay(before, self.board, int(points), lost)
        if (is_number(paid) or isinstance(paid, bool | np.bool_)) and isfinite(float(paid)):
            self.has_paid = True
            return state, float(paid), lost, cut, info
        raise NoNumberError(paid, self.has_paid)


def learner(reward: Function, settings: dict[str, Any], seed: int) -> QLearning:
    """A learner with these rewards."""
    q = QLearning(PAID, actions="placements", max_pieces=LONGEST, compiled=False, seed=seed, **settings)
    q.env = Paid(PAID, "placements", max_pieces=LONGEST)
    q.env.pay = reward
    return q


def taught(q: QLearning) -> Proof:
    """The proof that it plays forever, as soon as there is one, or its last attempt."""
    proof = prove_endless(q)
    while not proof and q.done < MOST:
        for _ in range(EVERY):
            q.episode()
        proof = prove_endless(q)
    return proof


def last_board(proof: Proof) -> Board:
    """The board on which a game without a cycle ended."""
    env = TetrisEnv(proof.rules, "placements")
    env.reset()
    for name in proof.before:
        env.step(env.action_names.index(name))
    return env.board
