"""Deep Q-learning with rounded numbers goes the same way whatever the order in which sums are taken."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.move_values import MoveValues
from tetriscourse.mdp.deep_q.steady import GRID, SteadyDeepQ, rounded
from tetriscourse.random_numbers import Draws

SETTINGS = {"steps": 300, "memory": 200, "judge_every": 150, "judge_games": 3, "judge_pieces": 100}
PROGRAM = f"""
from hashlib import sha256
import tetriscourse as tc
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
for problem in (tc.MoveValues, tc.AfterstateValues):
    learner = SteadyDeepQ(problem(tc.Rules(width=6, height=8)), seed=3, **{SETTINGS}).learn(progress=False)
    print(sha256(learner.network.theta.tobytes()).hexdigest())
"""


@pytest.mark.parametrize("problem", [MoveValues, AfterstateValues])
def test_every_parameter_is_a_multiple_of_the_grid(problem):
    learner = SteadyDeepQ(problem(Rules(width=6, height=8)), seed=3, **SETTINGS).learn(progress=False)
    theta = learner.network.theta
    np.testing.assert_array_equal(theta * GRID, np.rint(theta * GRID))


def test_rounding_changes_a_number_by_half_a_step_at_most_and_keeps_what_is_forbidden():
    numbers = np.array([0.1, -3.7, 1e4, -np.inf])
    np.testing.assert_allclose(rounded(numbers)[:3], numbers[:3], atol=0.5 / GRID, rtol=0)
    assert rounded(numbers)[3] == -np.inf


def test_the_first_steps_are_those_of_deep_q_up_to_rounding():
    rules = Rules(width=6, height=8)
    steady, plain = (kind(MoveValues(rules), seed=3, memory=100) for kind in (SteadyDeepQ, DeepQ))
    for learner in (steady, plain):
        while not learner.memory.is_full:
            learner.fill()
    np.testing.assert_array_equal(steady.memory.x, plain.memory.x)
    batch = steady.memory.sample(20, Draws(0, 0))
    for learner in (steady, plain):
        learner.descend(batch)
    np.testing.assert_allclose(steady.network.theta, plain.network.theta, atol=2 / GRID)


@pytest.mark.slow
def test_processors_that_add_in_another_order_learn_the_same_network():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env=os.environ | {"OPENBLAS_CORETYPE": kind}, check=True,
            capture_output=True, text=True,
        ).stdout
        for kind in ("Haswell", "Prescott")
    }  # fmt: skip
    assert len(found) == 1
