"""Single moves by compiled code, for players whose search is slow in plain Python."""

from __future__ import annotations

from typing import Any

from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, entry_row, land, landing_row
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import LookAhead, sees_next
from tetriscourse.simulator.games import compiled_table, is_fast


class CompiledPlayer:
    """Chooses the moves of a LookAhead under some rules, in compiled code."""

    def __init__(self, player: LookAhead, rules: Rules):
        self.player, self.rules, self.name = player, rules, player.name
        self.sees_next = sees_next(player, rules)
        self.table = compiled_table(player, rules)

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move that the player takes, None if there is none."""
        from tetriscourse.simulator.looking_ahead import choose_once

        if self.player.sees_next:
            self.player.following(next_piece, self.rules)  # an error if there is none
        following = -1 if next_piece is None else self.rules.number_of(next_piece)
        put_board(self.table, board)
        return made(board, piece, int(choose_once(self.table, self.rules.number_of(piece), following, 0)), self.rules)


def compiled_player(player: Any, rules: Rules) -> Any:
    """The same player, faster if it looks ahead."""
    return CompiledPlayer(player, rules) if isinstance(player, LookAhead) and is_fast(player, rules) else player


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
