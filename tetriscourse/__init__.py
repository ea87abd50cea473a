"""A course on game-playing AI, told through Tetris: the public names."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tetriscourse.agents import AGENTS, Engine, as_agent
    from tetriscourse.errors import InputError
    from tetriscourse.features import FEATURE_SETS, FEATURES, Feature, FeatureSet, as_feature_set
    from tetriscourse.game.board import Board
    from tetriscourse.game.moves import Move, moves
    from tetriscourse.game.pieces import BAGS, DOMINO, PIECES, Piece, as_piece
    from tetriscourse.game.rules import RULES, PieceSequence, Rules, as_rules
    from tetriscourse.games import Game, play_game
    from tetriscourse.grammar import WORDS
    from tetriscourse.looking_ahead import LookAhead, Search
    from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
    from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
    from tetriscourse.mdp.deep_q.learner import DeepQ
    from tetriscourse.mdp.deep_q.move_values import MoveValues, NetworkPlayer
    from tetriscourse.mdp.environment import TetrisEnv
    from tetriscourse.mdp.exact.player_values import PlayerValues, exact_value
    from tetriscourse.mdp.exact.solution import Solution, solve
    from tetriscourse.mdp.finite.process import FiniteMDP
    from tetriscourse.mdp.finite.solving import policy_iteration, value_iteration
    from tetriscourse.mdp.finite.tetris import tetris_mdp
    from tetriscourse.mdp.learning_loop import learn
    from tetriscourse.mdp.policies.catalogue import POLICIES
    from tetriscourse.mdp.policies.classification import CBMPI, DPI
    from tetriscourse.mdp.policies.finite_source import FiniteSource
    from tetriscourse.mdp.policies.fitted_value_iteration import FittedValueIteration
    from tetriscourse.mdp.policies.lambda_policy_iteration import LambdaPolicyIteration
    from tetriscourse.mdp.policies.linear_programming import LinearProgramming
    from tetriscourse.mdp.policies.lspi import LSPI
    from tetriscourse.mdp.policies.policy_gradient import PolicyGradient
    from tetriscourse.mdp.proofs import Proof, prove_endless
    from tetriscourse.mdp.q_learning.learner import QLearning
    from tetriscourse.optimizers.catalogue import EXPERIMENTS
    from tetriscourse.optimizers.cma_es import CMAES
    from tetriscourse.optimizers.cross_entropy import CrossEntropy
    from tetriscourse.optimizers.experiments import Experiment, stored_result
    from tetriscourse.optimizers.feature_search import FeatureSearch
    from tetriscourse.optimizers.genetic import GeneticAlgorithm
    from tetriscourse.optimizers.objectives import Objective, mean_vector
    from tetriscourse.optimizers.racing import Race, Racing, RacingSettings
    from tetriscourse.optimizers.restarts import Restarts
    from tetriscourse.optimizers.training import Curve, Training, train
    from tetriscourse.optimizers.uncertainty import Uncertainty
    from tetriscourse.optimizers.validation import ValidationSettings
    from tetriscourse.own_features import feature
    from tetriscourse.players import PLAYERS, Filter, Player, as_player
    from tetriscourse.simulator import compare, set_threads, simulate
    from tetriscourse.simulator.rollouts import Rollouts, RolloutValues, rollouts
    from tetriscourse.statistics import Scores, extrapolate

_MODULES = {
    "agents": "AGENTS Engine as_agent",
    "errors": "InputError",
    "features": "FEATURES FEATURE_SETS Feature FeatureSet as_feature_set",
    "game.board": "Board",
    "game.moves": "Move moves",
    "game.pieces": "BAGS DOMINO PIECES Piece as_piece",
    "game.rules": "RULES PieceSequence Rules as_rules",
    "games": "Game play_game",
    "grammar": "WORDS",
    "looking_ahead": "LookAhead Search",
    "mdp.deep_q.afterstates": "AfterstateValues",
    "mdp.deep_q.move_values": "MoveValues NetworkPlayer",
    "mdp.deep_q.learner": "DeepQ",
    "mdp.deep_q.domino_grid": "DominoGrid",
    "mdp.environment": "TetrisEnv",
    "mdp.exact.player_values": "PlayerValues exact_value",
    "mdp.finite.process": "FiniteMDP",
    "mdp.learning_loop": "learn",
    "mdp.policies.catalogue": "POLICIES",
    "mdp.policies.classification": "CBMPI DPI",
    "mdp.policies.finite_source": "FiniteSource",
    "mdp.policies.fitted_value_iteration": "FittedValueIteration",
    "mdp.policies.lambda_policy_iteration": "LambdaPolicyIteration",
    "mdp.policies.linear_programming": "LinearProgramming",
    "mdp.policies.lspi": "LSPI",
    "mdp.policies.policy_gradient": "PolicyGradient",
    "mdp.proofs": "Proof prove_endless",
    "mdp.q_learning.learner": "QLearning",
    "mdp.exact.solution": "Solution solve",
    "mdp.finite.solving": "policy_iteration value_iteration",
    "mdp.finite.tetris": "tetris_mdp",
    "optimizers.catalogue": "EXPERIMENTS",
    "optimizers.cma_es": "CMAES",
    "optimizers.cross_entropy": "CrossEntropy",
    "optimizers.experiments": "Experiment stored_result",
    "optimizers.feature_search": "FeatureSearch",
    "optimizers.genetic": "GeneticAlgorithm",
    "optimizers.objectives": "Objective mean_vector",
    "optimizers.racing": "Race Racing RacingSettings",
    "optimizers.restarts": "Restarts",
    "optimizers.training": "Curve Training train",
    "optimizers.uncertainty": "Uncertainty",
    "optimizers.validation": "ValidationSettings",
    "own_features": "feature",
    "players": "PLAYERS Filter Player as_player",
    "simulator": "compare set_threads simulate",
    "simulator.rollouts": "RolloutValues Rollouts rollouts",
    "statistics": "Scores extrapolate",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}

__version__ = version("tetriscourse")
__all__ = [
    "AGENTS", "BAGS", "CBMPI", "CMAES", "DOMINO", "DPI", "EXPERIMENTS", "FEATURES", "FEATURE_SETS", "LSPI",
    "PIECES", "PLAYERS", "POLICIES", "RULES", "WORDS", "AfterstateValues", "Board", "CrossEntropy", "Curve",
    "DeepQ", "DominoGrid", "Engine", "Experiment", "Feature", "FeatureSearch", "FeatureSet", "Filter", "FiniteMDP",
    "FiniteSource", "FittedValueIteration", "Game", "GeneticAlgorithm", "InputError", "LambdaPolicyIteration",
    "LinearProgramming", "LookAhead", "Move", "MoveValues", "NetworkPlayer", "Objective", "Piece", "PieceSequence",
    "Player", "PlayerValues", "PolicyGradient", "Proof", "QLearning", "Race", "Racing", "RacingSettings",
    "Restarts", "RolloutValues", "Rollouts", "Rules", "Scores", "Search", "Solution", "TetrisEnv", "Training",
    "Uncertainty", "ValidationSettings", "as_agent", "as_feature_set", "as_piece", "as_player", "as_rules", "compare",
    "exact_value", "extrapolate", "feature", "learn", "mean_vector", "moves", "play_game", "policy_iteration",
    "prove_endless", "rollouts", "set_threads", "simulate", "solve", "stored_result", "tetris_mdp", "train",
    "value_iteration",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first used: the command starts without waiting for all of them."""
    if name in ("plots", "widgets"):
        return import_module(f"tetriscourse.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'tetriscourse' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"tetriscourse.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "plots", "widgets"])
