"""Positions worth looking at: boards in the middle of a careless game, the same for a seed on every machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.playing import Chooser, play_game
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.players import Filter
from tetriscourse.widgets.given import player_of, rules_of

CARELESS = Filter(("landing_height",), "careless")
"""Drops each piece wherever it lies lowest, and lets chance decide: its boards have holes, wells and steps."""

PIECES_PLAYED = 32
"""How far into a game the positions are, unless another number is asked for."""

GAME = 1
"""The game of a seed that is played to get there; so the pieces of game 0 are still to come."""


@dataclass(frozen=True)
class Position:
    """A board and the piece to place on it."""

    board: Board
    piece: Piece
    rules: Rules

    @property
    def moves(self) -> list[Move]:
        """What a player may do with the piece."""
        return moves(self.board, self.piece, self.rules)


def position(
    rules: Rules | str = "research",
    seed: int = 0,
    pieces: int = PIECES_PLAYED,
    player: Chooser | str = CARELESS,
) -> Position:
    """The position after so many pieces of a game; of a game that is over by then, the one in its middle."""
    rules, seed = rules_of(rules), whole_number("seed", seed, 0)
    wanted, turns = whole_number("pieces", pieces, 0), count()
    # One more move than wanted: so there is one in this position.
    game = play_game(player_of("player", player), rules, seed, GAME, stop=lambda: next(turns) > wanted)
    if not game.moves:
        raise InputError(f"player is {shown(player)}; it made no move on an empty board")
    move = game.moves[wanted if wanted < len(game.moves) else len(game.moves) // 2]
    return Position(move.before, move.piece, rules)


def given_position(rules: Rules | str, seed: int, board: Board | None, piece: Piece | str | None) -> Position:
    """A position from what is given of it: by default a careless game's board, and the first piece of game 0.

    A board of another size than the rules' is allowed: the rules take its size.
    """
    rules, seed = rules_of(rules), whole_number("seed", seed, 0)
    if board is not None and not isinstance(board, Board):
        raise InputError(f"board is {shown(board)}; it must be a Board, such as Board.empty(10, 20)")
    if board is None:
        board = position(rules, seed).board
    elif board.overflows or board.full_rows():
        raise InputError("board has full rows or cells above it; a game cannot start from there")
    rules = replace(rules, width=board.width, height=board.height)
    first = PieceSequence(rules, seed, 0)[0] if piece is None else piece_of(rules, piece)
    return Position(board, first, rules)


def piece_of(rules: Rules, piece: Piece | str) -> Piece:
    """A piece of the rules' bag, from its name or as any bag has it."""
    name = piece.name if isinstance(piece, Piece) else piece
    return {one.name: one for one in rules.pieces}[one_of("piece", name, [one.name for one in rules.pieces])]
