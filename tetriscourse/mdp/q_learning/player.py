"""Play by a table of Q: alone, in the Engine, and as a player like any other; and what the table knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS, Engine
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import AGENT_STREAM, Chance
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.environment import TetrisEnv, placement_action
from tetriscourse.mdp.proofs import Proof, follow
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.mdp.q_learning.table import PlainTable, QTable
from tetriscourse.mdp.states import command_state, placement_state
from tetriscourse.random_numbers import Floats, Ints

SHADES = " ░▒▓█"


@dataclass(frozen=True)
class QGame:
    """A game played by a table."""

    commands: tuple[str, ...]
    pieces: int
    lines: int
    points: int
    unknown: int  # states that the table did not know, so that chance decided
    lost: bool

    def __repr__(self) -> str:
        end = "lost" if self.lost else "stopped"
        return f"QGame({self.pieces} pieces, {self.lines} rows, {self.unknown} unknown states, {end})"


class QPlayer:
    """A table with its rules and settings."""

    rules: Rules
    settings: QSettings
    env: TetrisEnv
    table: PlainTable | QTable

    def best(self, s: int, allowed: Sequence[int] | Ints) -> int | None:
        """The first of the allowed actions with the highest value; None: chance must decide."""
        if s not in self.table:
            return None
        q = self.table[s]
        if not any(q[a] for a in allowed) and self.settings.zeros == "random":
            return None
        return int(max(allowed, key=q.__getitem__))

    def play(self, seed: int = 0, number: int = 0, max_pieces: int = 500) -> QGame:
        """Play a game with the best actions of the table; in states it does not know, chance decides."""
        env = self._environment(max_pieces)
        chance, commands, points, unknown = Chance(seed, number, AGENT_STREAM), [], 0.0, 0
        s, info = env.reset(seed, {"episode": number})
        while env.is_running:
            possible = np.flatnonzero(info["allowed"])
            a, any_one = self.best(s, possible), int(chance.pick(possible.tolist()))
            unknown, a = unknown + (a is None), any_one if a is None else a
            s, r, lost, _, info = env.step(a)
            commands.append(env.action_names[a])
            points += r
        return QGame(tuple(commands), env.pieces, info["lines"], int(points), unknown, lost)

    def proof(self, start: Board | None = None) -> Proof:
        """Follow the best actions from a board until the game repeats itself; see proofs.py."""
        return follow(lambda env, s, allowed: self.best(s, allowed), self._environment(max_pieces=0), start)

    def _environment(self, max_pieces: int) -> TetrisEnv:
        return TetrisEnv(self.rules, self.settings.actions, self.settings.state, max_pieces)

    def agent(self) -> QAgent:
        """The table as an agent of the Engine."""
        return QAgent(self)

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, or None if there is none; only a table of placements can choose moves."""
        found = self.candidates(board, piece, next_piece, rules)
        return (chance or Chance()).pick(found) if found else None

    def candidates(
        self, board: Board, piece: Piece, next_piece: Piece | None = None, rules: Rules | None = None
    ) -> list[Move]:
        """The best move, or all moves if the table does not know the state and chance must decide."""
        if self.settings.actions != "placements":
            raise InputError("actions is 'commands'; only a table of 'placements' can choose moves: use agent()")
        rules = self.rules if rules is None else rules
        self.check_rules(rules)
        found = {placement_action(move, rules): move for move in moves(board, piece, rules)}
        a = self.best(placement_state(board, piece, self.rules, self.settings.state), list(found)) if found else None
        return list(found.values()) if a is None else [found[a]]

    def check_rules(self, rules: Rules) -> None:
        """An error if the table was learned with other boards or pieces."""
        for name in ("width", "height", "bag"):
            here, there = getattr(self.rules, name), getattr(rules, name)
            if here != there:
                raise InputError(f"rules have {name} {there}; the table was learned with {name} {here}")

    def values(self) -> Floats:
        """Q as a matrix, a row for each state in the order of the table and a column for each action."""
        return self.table.matrix()

    def known_cells(self) -> Ints:
        """For each cell, including invisible rows, the number of known states in which it is full."""
        state, rows, width = self.settings.state, self.rules.height + INVISIBLE_ROWS, self.rules.width
        if state == "differences":
            raise InputError(f"state is {state!r}; cells are known only with state='grid' or 'rounded'")
        known = self.table.words()[self.values().any(axis=1)]
        bits = np.unpackbits(known.astype("<u8").view(np.uint8), axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
        if state == "rounded":
            return np.asarray(bits[: rows * width].reshape(width, rows).T)
        visible = rows if self.settings.actions == "commands" else self.rules.height
        cells = np.zeros((rows, width), np.int64)
        cells[:visible] = bits[: visible * width].reshape(visible, width)
        return cells

    def known_cells_text(self) -> str:
        """`known_cells` in shades of grey, top row first; the darkest cell is full most often."""
        cells = self.known_cells()
        shades = -(-cells * (len(SHADES) - 1) // max(1, int(cells.max())))
        rows = ["".join(SHADES[shade] * 2 for shade in row) for row in shades[::-1]]
        line = "-" * 2 * self.rules.width
        framed = [f" {row} " for row in rows[:INVISIBLE_ROWS]] + [f"|{row}|" for row in rows[INVISIBLE_ROWS:]]
        return "\n".join([*framed[:INVISIBLE_ROWS], f" {line} ", *framed[INVISIBLE_ROWS:], f"+{line}+"])


class QAgent:
    """An agent that plays in the Engine by a table."""

    name = "q-learning"

    def __init__(self, player: QPlayer):
        self.player = player
        self.describe = f"takes the best of the {player.settings.actions} in a table of {len(player.table)} states"

    def __repr__(self) -> str:
        return f"QAgent({self.player!r})"

    def __call__(self, engine: Engine) -> str:
        q, chance = self.player, Chance(engine.seed, engine.game, AGENT_STREAM, position=engine.turns)
        q.check_rules(engine.rules)
        if q.settings.actions == "commands":
            possible = list(range(q.env.action_count))
            a = q.best(command_state(engine, q.settings.state), possible)
        else:
            possible = [placement_action(move, q.rules) for move in engine.moves()]
            a = q.best(placement_state(engine.board, engine.piece, q.rules, q.settings.state), possible)
        return q.env.action_names[chance.pick(possible) if a is None else a]
