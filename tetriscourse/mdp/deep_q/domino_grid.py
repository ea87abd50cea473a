"""The domino game for deep Q-learning, seen as the cells of the grid."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from tetriscourse.errors import whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS, Engine
from tetriscourse.game.rules import RULES, Rules, as_rules, short_name
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.replay import State
from tetriscourse.mdp.environment import COMMAND_ACTIONS, TetrisEnv
from tetriscourse.mdp.proofs import Proof, follow, is_determined
from tetriscourse.settings import described


class DominoGrid:
    """The game of chapter 8, or any game of commands: the network sees the cells and values each command.

    planes=2 shows the pile and the falling piece separately; planes=1 shows them in one picture, which does not tell
    one from the other, like the table of chapter 8.
    """

    name, standardised, rows = "domino", False, 1

    def __init__(self, width: int = 6, height: int = 6, planes: int = 2, rules: Rules | str = RULES["domino"]):
        self.rules = replace(as_rules(rules), width=width, height=height)
        self.planes = whole_number("planes", planes, 1, 2)
        self.env = TetrisEnv(self.rules, "commands", max_pieces=0)
        self.taken: list[int] = []  # the actions of the current game, from which it can be played again
        self.inputs = self.planes * (self.rules.height + INVISIBLE_ROWS) * self.rules.width
        self.outputs = self.env.action_count

    def start(self, seed: int, episode: int) -> State:
        self.env.reset(seed, {"episode": episode})
        self.taken = []
        return self.look(self.env)

    def act(self, a: int) -> tuple[State, int, bool, bool]:
        pieces, lines = self.env.pieces, self.env.game.lines
        _, _, lost, _, info = self.env.step(a)
        self.taken.append(a)
        return self.look(self.env), info["lines"] - lines, info["pieces"] > pieces, lost

    def look(self, game: TetrisEnv | Engine) -> State:
        """The cells as 0 and 1."""
        engine: Any = game if isinstance(game, Engine) else game.game.engine  # type: ignore[union-attr]
        cells = np.zeros((2, self.rules.height + INVISIBLE_ROWS + 4, self.rules.width))  # a lost piece may stick out
        cells[0, : len(engine.board.full)] = engine.board.full
        for row, column in engine.cells:
            cells[1, row, column] = 1
        seen = cells[:, : self.rules.height + INVISIBLE_ROWS]
        shown = seen if self.planes == 2 else seen.max(axis=0)
        return State(shown.reshape(1, -1), np.full(self.outputs, engine.is_running))

    def player(self, network: Network, name: str = "deep-q") -> GridAgent:
        return GridAgent(self, network, name)

    def judge(self, network: Network, games: int, max_pieces: int, seed: int) -> float:
        """Pieces until the game is lost; inf if it is proved never to be."""
        agent = self.player(network)
        if is_determined(self.rules):
            proof = agent.proof(max_pieces=max_pieces)
            return inf if proof else float(proof.pieces)
        env = TetrisEnv(self.rules, "commands", max_pieces=max_pieces)
        env.reset(seed)
        while env.is_running:
            env.step(agent.action(env))
        return float(env.pieces)

    def __repr__(self) -> str:
        return f"DominoGrid({short_name(self.rules)})"

    def description(self) -> dict[str, Any]:
        return {"name": self.name, "planes": self.planes, "rules": described(self.rules)}

    def state(self) -> dict[str, Any]:
        """The current game: its number and all actions so far."""
        return {"game": np.array([self.env.seed, self.env.episode]), "game_actions": np.array(self.taken, np.int8)}

    def restore(self, arrays: dict[str, Any]) -> State:
        """Play the game again."""
        state = self.start(*map(int, arrays["game"]))
        for a in arrays["game_actions"].tolist():
            state = self.act(a)[0]
        return state


class GridAgent:
    """Gives the command with the highest output of a network; ties: the first."""

    def __init__(self, grid: DominoGrid, network: Network, name: str = "deep-q"):
        network.check_finite()
        self.grid, self.network, self.name = grid, network, name
        self.describe = "gives the command that a network values most, from the cells of the grid"

    def __repr__(self) -> str:
        return f"GridAgent({self.grid!r}, {self.network!r}, name={self.name!r})"

    def action(self, game: TetrisEnv | Engine) -> int:
        """The number of the command in environment.COMMAND_ACTIONS."""
        return int(self.network(self.grid.look(game).rows)[0].argmax())

    def __call__(self, game: TetrisEnv | Engine) -> str:
        return COMMAND_ACTIONS[self.action(game)]

    choose = __call__

    def proof(self, start: Board | None = None, max_pieces: int = 10_000) -> Proof:
        """Follow the network from a board until the game repeats itself; see proofs.py."""
        env = TetrisEnv(self.grid.rules, "commands", max_pieces=max_pieces)
        return follow(lambda env, s, allowed: self.action(env), env, start)
