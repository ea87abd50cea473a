"""A course on game-playing AI, told through Tetris: the public names."""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tetriscourse.agents import AGENTS
    from tetriscourse.errors import InputError
    from tetriscourse.features import FEATURE_SETS, FEATURES, Feature, FeatureSet
    from tetriscourse.game.board import Board
    from tetriscourse.game.engine import Engine
    from tetriscourse.game.moves import Move, moves
    from tetriscourse.game.pieces import BAGS, DOMINO, PIECES, Piece
    from tetriscourse.game.rules import RULES, PieceSequence, Rules
    from tetriscourse.games import Game, play_game
    from tetriscourse.players import PLAYERS, Filter, Player
    from tetriscourse.simulator import simulate
    from tetriscourse.statistics import Scores, compare, extrapolate

_MODULES = {
    "agents": "AGENTS",
    "errors": "InputError",
    "features": "FEATURES FEATURE_SETS Feature FeatureSet",
    "game.board": "Board",
    "game.engine": "Engine",
    "game.moves": "Move moves",
    "game.pieces": "BAGS DOMINO PIECES Piece",
    "game.rules": "RULES PieceSequence Rules",
    "games": "Game play_game",
    "players": "PLAYERS Filter Player",
    "simulator": "simulate",
    "statistics": "Scores compare extrapolate",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}

__version__ = version("tetriscourse")
__all__ = [
    "AGENTS", "BAGS", "DOMINO", "FEATURES", "FEATURE_SETS", "PIECES", "PLAYERS", "RULES",
    "Board", "Engine", "Feature", "FeatureSet", "Filter", "Game", "InputError", "Move", "Piece", "PieceSequence",
    "Player", "Rules", "Scores", "compare", "extrapolate", "moves", "play_game", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first used: the command starts without waiting for all of them."""
    if name not in _HOME:
        raise AttributeError(f"module 'tetriscourse' has no attribute {name!r}")
    return getattr(import_module(f"tetriscourse.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
