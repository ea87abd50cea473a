"""Single moves by compiled code, for players whose search is slow in plain Python."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from tetriscourse.agents import Agent, LookAheadAgent, agent_of, placing
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import Move, entry_row, land, landing_row, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import Entry, Rules
from tetriscourse.looking_ahead import HIGHEST_PRICE, LookAhead, frequencies
from tetriscourse.simulator.games import compiled_table
from tetriscourse.simulator.playable import is_fast

NOT_LOOKED_AT = -(1 << 62)  # search.WORST


class CompiledPlayer:
    """A LookAhead under some rules: the same moves and values, from compiled code."""

    def __init__(self, player: LookAhead, rules: Rules):
        self.player, self.rules, self.name = player, rules, player.name
        self.sees_next = player.sees_next
        self.table = compiled_table(player, rules)
        self.wide = compiled_table(LookAhead(player.player, player.search.next_piece, lost=player.search.lost), rules)
        self.wide.aheads["values"] = NOT_LOOKED_AT

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move that the player takes, None if there is none."""
        return made(board, piece, searched(self.table, board, piece, self.seen(next_piece), self.rules), self.rules)

    def value(self, move: Move, next_piece: Piece | None = None) -> float:
        """The value of a first move, as LookAhead gives it."""
        code, table = code_of(move), self.wide
        searched(table, move.before, move.piece, self.seen(next_piece), self.rules)
        found, player = table.ahead[0], self.player.player
        if found["values"][code] == NOT_LOOKED_AT or made(move.before, move.piece, code, self.rules) != move:
            return self.player.value(move, next_piece, self.rules)  # such as a move under an overhang, in the engine
        total = 1 if self.sees_next else sum(frequencies(self.rules))
        lost, prospect = int(found["losses"][code]), Fraction(int(found["prospects"][code]), 2)
        labels = player.features.labels(self.rules.width)  # compiled code leaves the constant out
        constant = sum(one for label, one in zip(labels, player.integers, strict=True) if label == "constant")
        return float((prospect + constant * (2 * total - lost) - lost * HIGHEST_PRICE) / total) * player.unit

    def seen(self, next_piece: Piece | None) -> Piece | None:
        """The next piece if the player is to see it."""
        return self.player.following(next_piece, self.rules)[0][0] if self.sees_next else None


def compiled_player(player: Any, rules: Rules) -> Any:
    """A player that chooses the same moves, faster if it looks ahead."""
    return CompiledPlayer(player, rules) if isinstance(player, LookAhead) and is_fast(player, rules) else player


class CompiledAgent(LookAheadAgent):
    """A LookAhead in the Engine, from compiled code wherever the piece can go as if it had just entered."""

    def __init__(self, player: LookAhead):
        super().__init__(player)
        self.rules: Rules | None = None
        self.quick: Any = player

    def __call__(self, engine: Engine) -> str:
        rules = replace(engine.rules, entry=Entry.SPAWN)
        if self.rules != rules:
            self.player.check_width(rules.width)
            self.rules, self.quick = rules, compiled_player(self.player, rules)
        if self.quick is self.player or engine.moves() != moves(engine.board, engine.piece, rules):
            return super().__call__(engine)
        return placing(self.quick.choose(engine.board, engine.piece, engine.next_piece))


def compiled_agent(player: Any) -> Agent:
    """`agent_of`, faster for a player that looks ahead."""
    return CompiledAgent(player) if isinstance(player, LookAhead) else agent_of(player)


def searched(table: Any, board: Board, piece: Piece, next_piece: Piece | None, rules: Rules) -> int:
    """The move of the first player of an AheadTable, as compiled code writes it."""
    from tetriscourse.simulator.looking_ahead import choose_once

    put_board(table, board)
    following = -1 if next_piece is None else rules.number_of(next_piece)
    return int(choose_once(table, rules.number_of(piece), following, 0))


def put_board(table: Any, board: Board) -> None:
    """Make this the present board of a table."""
    from tetriscourse.simulator.encode import encode_board

    state = encode_board(board)
    table.states[: len(state)] = state


def code_of(move: Move) -> int:
    """A move as compiled code writes it: 16 * orientation + column."""
    return 16 * move.orientation + move.column


def made(board: Board, piece: Piece, code: int, rules: Rules) -> Move | None:
    """The move that compiled code writes as 16 * orientation + column; None: -1."""
    if code < 0:
        return None
    orientation, column = divmod(code, 16)
    shape = piece.orientations[orientation]
    row = landing_row(board, shape, column, entry_row(shape, rules))
    assert row is not None, "compiled code chose a move that cannot be made"
    return land(board, piece, orientation, column, row, rules)
