"""What a table of Q knows, and how it plays: by itself, in the Engine, and as a player among others."""

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
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.mdp.q_learning.table import PlainTable, QTable
from tetriscourse.mdp.states import command_state, placement_state
from tetriscourse.random_numbers import Floats, Ints

SHADES = " ░▒▓█"


@dataclass(frozen=True)
class QGame:
    """A game that was played with a table."""

    commands: tuple[str, ...]
    pieces: int
    lines: int
    points: int
    unknown: int
    """How often chance decided, because the table knew nothing of the state."""
    lost: bool

    def __repr__(self) -> str:
        end = "lost" if self.lost else "stopped"
        return f"QGame({self.pieces} pieces, {self.lines} rows, {self.unknown} unknown states, {end})"


class QPlayer:
    """A table, and the rules and settings that it is for."""

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

    # --- playing ----------------------------------------------------------------------------------

    def play(self, seed: int = 0, number: int = 0, max_pieces: int = 500) -> QGame:
        """A game with the best actions of the table; where it knows nothing, chance decides."""
        env = TetrisEnv(self.rules, self.settings.actions, self.settings.state, max_pieces)
        chance, commands, points, unknown = Chance(seed, number, AGENT_STREAM), [], 0.0, 0
        s, info = env.reset(seed, {"episode": number})
        while env.is_running:
            possible = np.flatnonzero(info["allowed"])
            a, any_one = self.best(s, possible), int(chance.pick(possible.tolist()))
            unknown += a is None
            a = any_one if a is None else a
            s, r, lost, _, info = env.step(a)
            commands.append(env.action_names[a])
            points += r
        return QGame(tuple(commands), env.pieces, info["lines"], int(points), unknown, lost)

    def agent(self) -> QAgent:
        """The same as an agent of the Engine, to be watched."""
        return QAgent(self)

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, None if there is none: it is a player like any other, if it has learned placements."""
        found = self.candidates(board, piece, next_piece, rules)
        return (chance or Chance()).pick(found) if found else None

    def candidates(
        self, board: Board, piece: Piece, next_piece: Piece | None = None, rules: Rules | None = None
    ) -> list[Move]:
        """The best move; all of them if the table knows nothing, and chance must decide."""
        if self.settings.actions != "placements":
            raise InputError("actions is 'commands'; only a table of 'placements' can choose moves: use agent()")
        rules = self.rules if rules is None else rules
        self.check_rules(rules)
        found = {placement_action(move, rules): move for move in moves(board, piece, rules)}
        a = self.best(placement_state(board, piece, self.rules, self.settings.state), list(found)) if found else None
        return list(found.values()) if a is None else [found[a]]

    def check_rules(self, rules: Rules) -> None:
        """An error if the table is for other boards or pieces."""
        for name in ("width", "height", "bag"):
            here, there = getattr(self.rules, name), getattr(rules, name)
            if here != there:
                raise InputError(f"rules have {name} {there}; the table was learned with {name} {here}")

    # --- what it knows ----------------------------------------------------------------------------

    def values(self) -> Floats:
        """Q as a matrix: a row for each state in the order of the table, a column for each action."""
        return self.table.matrix()

    def known_cells(self) -> Ints:
        """For each cell, invisible rows included, in how many states it is full of which the table knows something."""
        if self.settings.state != "grid":
            raise InputError(f"state is {self.settings.state!r}; cells are known only with state='grid'")
        rows, width = self.rules.height + INVISIBLE_ROWS, self.rules.width
        known = self.table.words()[self.values().any(axis=1)]
        bits = np.unpackbits(known.astype("<u8").view(np.uint8), axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
        visible = rows if self.settings.actions == "commands" else self.rules.height
        cells = np.zeros((rows, width), np.int64)
        cells[:visible] = bits[: visible * width].reshape(visible, width)
        return cells

    def known_cells_text(self) -> str:
        """The same in shades of grey, top row first; darkest: the cell that is full most often."""
        cells = self.known_cells()
        shades = -(-cells * (len(SHADES) - 1) // max(1, int(cells.max())))
        rows = ["".join(SHADES[shade] * 2 for shade in row) for row in shades[::-1]]
        line = "-" * 2 * self.rules.width
        framed = [f" {row} " for row in rows[:INVISIBLE_ROWS]] + [f"|{row}|" for row in rows[INVISIBLE_ROWS:]]
        return "\n".join([*framed[:INVISIBLE_ROWS], f" {line} ", *framed[INVISIBLE_ROWS:], f"+{line}+"])


class QAgent:
    """Plays in the Engine as a table says."""

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
