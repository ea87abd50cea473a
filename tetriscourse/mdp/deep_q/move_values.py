"""Tetris for deep Q-learning: a network values moves by their features, those of the board after them among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tetriscourse import checkpoints
from tetriscourse.errors import InputError, finite_numbers
from tetriscourse.features import FEATURE_SETS, FEATURES, Feature, FeatureSet, Value, as_feature_set
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import RESEARCH, Rules, as_rules, short_name
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.replay import State
from tetriscourse.settings import described
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.games import Ongoing, Played

if TYPE_CHECKING:
    from tetriscourse.mdp.deep_q.kernels import NetworkTable

Features = str | FeatureSet | Sequence[str | Feature | Callable[[Move], Value]]

UNPAID = (0.0,) * 5
"""What is paid for 0 to 4 rows beside the output of a network that values moves: its output contains the reward."""


class MoveValues:
    """Tetris with moves described by what they do and lead to.

    A state shows the network a row of features for each move. Its only output is the value Q of the move: the rows it
    clears, and what can be expected of the board after it. So the best move is the one with the highest output, and the
    target of a move is y = r + gamma max Q(features of the moves of the next piece), as printed.
    """

    paid: tuple[float, ...] = UNPAID  # for 0 to 4 rows: what the network leaves out of the value of a move

    name, standardised, outputs = "tetris", True, 1

    def __init__(self, rules: Rules | str = RESEARCH, features: Features = "tetrisbot"):
        from tetriscourse.mdp.deep_q.kernels import CompiledGame

        self.rules, self.features = as_rules(rules), compiled_features(features)
        self.game = CompiledGame(self.rules, self.features)
        self.rows, self.inputs = self.game.found.shape

    def start(self, seed: int, episode: int) -> State:
        with announced("deep-q"):
            self.game.start(seed, episode)
        return self.look()

    def act(self, a: int) -> tuple[State, int, bool, bool]:
        rows = self.game.take(a)
        return self.look(), rows, True, self.game.count == 0

    def look(self) -> State:
        """The features of each move."""
        rewards = np.array(self.paid)[self.game.cleared]
        return State(self.game.values.copy(), np.ones(self.game.count, np.bool_), rewards)

    def player(self, network: Network, name: str = "deep-q") -> NetworkPlayer:
        return NetworkPlayer(self.features, network, name, self.paid)

    def judge(self, network: Network, games: int, max_pieces: int, seed: int) -> float:
        """The mean lines of some games."""
        from tetriscourse.mdp.deep_q.kernels import CompiledGame
        from tetriscourse.simulator.driver import Numbered, play_games

        game, played = CompiledGame(replace(self.rules, max_pieces=max_pieces), self.features), Played.nothing(games)
        numbered = Numbered(seed, np.arange(games), np.zeros(games, np.int64))
        play_games(game.table(network, self.paid), numbered, played.results, played.heights, Ongoing().signal)
        return float(played.lines.mean())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({short_name(self.rules)}, {self.features.name})"

    def description(self) -> dict[str, Any]:
        return {"name": self.name, "features": name_of(self.features), "rules": described(self.rules)}

    def state(self) -> dict[str, Any]:
        return self.game.state()

    def restore(self, arrays: dict[str, Any]) -> State:
        self.game.restore(arrays)
        return self.look()


OF_A_MOVE = ("landing_height", "eroded_cells", "lines", "drop_depth")
"""Features that a board does not have without a move."""


def compiled_features(features: Features) -> FeatureSet:
    """A feature set that the simulator knows."""
    from tetriscourse.simulator.features import is_compiled

    chosen = as_feature_set(features)
    for one in chosen.features:
        if not is_compiled(one):
            raise InputError(f"features contains {one.name}; allowed are those of the catalogue: {', '.join(FEATURES)}")
    return chosen


def name_of(features: FeatureSet) -> str | list[str]:
    """The name or names from which `as_feature_set` makes the same set."""
    known = FEATURE_SETS.get(features.name) == features
    return features.name if known else [one.name for one in features.features]


@dataclass(frozen=True, eq=False)
class NetworkPlayer:
    """A player that takes the move which a network values most by its features; ties: the first.

    A move is worth the output of the network and what is paid for its rows beside that: nothing if the network values
    moves, the reward if it values the boards after them. Values are rounded to multiples of 2^-32, so that equal moves
    are equal whatever the order of summation: the player chooses the same moves here and in the simulator. It ignores
    the next piece.
    """

    features: FeatureSet
    network: Network
    name: str = "deep-q"
    paid: tuple[float, ...] = UNPAID  # for 0 to 4 rows

    def __post_init__(self) -> None:
        compiled_features(self.features)
        if len(finite_numbers("paid", self.paid)) != len(UNPAID):
            raise InputError(f"paid is {self.paid}; it must have {len(UNPAID)} numbers, for 0 to 4 rows")
        if self.network.sizes[-1] != 1:
            raise InputError(f"network has {self.network.sizes[-1]} outputs; a player needs one that has 1")
        self.network.check_finite()

    def __repr__(self) -> str:
        return f"NetworkPlayer({self.features.name!r}, {self.network!r}, name={self.name!r})"

    def value(self, move: Move) -> float:
        """What a move is worth."""
        return self.values([move])[0]

    def values(self, candidates: list[Move]) -> list[float]:
        """What several moves are worth."""
        self.check_width(candidates[0].before.width)
        x = np.array([self.features.values(move) for move in candidates], np.float64)
        q = np.array([self.paid[move.rows] for move in candidates]) + self.network(x)[:, 0]
        rounded: list[float] = (np.rint(q * 2.0**32) / 2.0**32).tolist()
        return rounded

    def check_width(self, width: int) -> None:
        """An error unless the network has an input for each value of the features."""
        if self.network.sizes[0] != self.features.size(width):
            raise InputError(
                f"network has {self.network.sizes[0]} inputs; "
                f"feature set {self.features.name} has {self.features.size(width)} values on width {width}"
            )

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, or None when there is none."""
        candidates = moves(board, piece, rules)
        return candidates[int(np.argmax(self.values(candidates)))] if candidates else None

    def compiled_table(self, rules: Rules) -> NetworkTable:
        """The network as the kernel reads it to play."""
        from tetriscourse.mdp.deep_q.kernels import CompiledGame

        self.check_width(rules.width)
        return CompiledGame(rules, self.features).table(self.network, self.paid)

    def save(self, path: str | Path) -> None:
        """Store the player in a file."""
        self.network.check_finite()  # it may have learned more since it became a player
        about = {"player": self.name, "features": name_of(self.features)}
        arrays = {"sizes": np.array(self.network.sizes), "theta": self.network.theta, "paid": np.array(self.paid)}
        checkpoints.write(checkpoints.checked_path(path), about, arrays)

    @classmethod
    def load(cls, path: str | Path) -> NetworkPlayer:
        """The player in a file."""
        about, arrays = checkpoints.read(checkpoints.checked_path(path))
        if "player" not in about:
            raise InputError(f"path is {str(path)!r}; it holds something else than a player")
        features = compiled_features(about["features"])
        network = Network.from_theta(arrays["sizes"].tolist(), arrays["theta"])
        return cls(features, network, about["player"], tuple(arrays.get("paid", np.array(UNPAID)).tolist()))
