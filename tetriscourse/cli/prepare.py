"""`tetriscourse prepare`: compile everything now, so that nobody waits for it later."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress

from tetriscourse.cli.arguments import Parser
from tetriscourse.cli.output import say

SUMMARY = "compile everything now, so that nobody waits for it later"
EXAMPLES = """\
  tetriscourse prepare              before a lesson, or when an image for many machines is made
  tetriscourse prepare --simulator  only what plays games, without the solver and the learners
  tetriscourse prepare --quiet      without a word, as in the background of a first start"""


def add_options(parser: Parser) -> None:
    parser.switch("--simulator", "compile only what plays games")
    parser.switch("--quiet", "say nothing")


def run(options: argparse.Namespace) -> int:
    """Use each part of the library that is compiled for a moment."""
    from tetriscourse.simulator.announcing import BACKGROUND

    os.environ[BACKGROUND] = "0"  # nothing is left for another process
    tell = (lambda _: None) if options.quiet else say
    tell("Compiling everything; this is done once on this machine and takes about half a minute ...")
    use_simulator()
    if not options.simulator:
        use_solver_and_learners()
    tell("Everything is compiled.")
    return 0


def use_simulator() -> None:
    """A move of every published player, so that their own programs are compiled too."""
    from tetriscourse.game.rules import Rules
    from tetriscourse.players import PLAYERS
    from tetriscourse.simulator.background import compiler
    from tetriscourse.simulator.run import simulate

    for player in PLAYERS.values():
        simulate(player, Rules(max_pieces=1), games=1, progress=False)
    compiler.finish()


def use_solver_and_learners() -> None:
    """A few moves of every other kind of player, on the smallest boards."""
    from tetriscourse.game.rules import Rules
    from tetriscourse.mdp.deep_q.learner import DeepQ
    from tetriscourse.mdp.deep_q.move_values import MoveValues
    from tetriscourse.mdp.exact.player_values import exact_value
    from tetriscourse.mdp.exact.solution import solve
    from tetriscourse.mdp.policies.classification import CBMPI
    from tetriscourse.mdp.policies.policy_gradient import PolicyGradient
    from tetriscourse.mdp.q_learning.learner import QLearning
    from tetriscourse.simulator.run import simulate

    tiny = Rules(4, 4)
    small = solve(tiny, progress=False)
    exact_value("dn", tiny, progress=False)
    simulate(small.player(), tiny, games=1, progress=False)
    QLearning(Rules(4, 5, bag="domino"), episodes=2).learn(progress=False)
    deep = DeepQ(MoveValues(tiny), steps=2, memory=4, batch=2)
    deep.learn(progress=False)
    simulate(deep.player(), tiny, games=1, progress=False)
    CBMPI(tiny, states=2, search=1, iterations=1, judge_games=1).learn(progress=False)
    PolicyGradient(tiny, moves=2, iterations=1, judge_games=1).learn(progress=False)
    with suppress(ImportError):  # without Gymnasium there is nothing to prepare for it
        from tetriscourse.gym.environment import Tetris

        for observation in ("cells", "features"):
            Tetris(tiny, observation=observation).reset(seed=0)
