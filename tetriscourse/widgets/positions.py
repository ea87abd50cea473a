"""Positions worth a look: boards from the middle of a careless game, for each seed the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.game.board import Board, checked_board
from tetriscourse.game.engine import checked_start
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import PieceSequence, Rules, as_rules
from tetriscourse.games import Chooser, play_game
from tetriscourse.players import Filter

CARELESS = Filter(("landing_height",), "careless")
"""Drops each piece where it lies lowest, by chance among equals: its boards have holes, wells and steps."""

PIECES_PLAYED = 32  # pieces before a position, by default

GAME = 1  # the game of a seed that leads to a position; the pieces of game 0 are still to come


@dataclass(frozen=True)
class Position:
    """A board and the piece to place on it."""

    board: Board
    piece: Piece
    rules: Rules

    @property
    def moves(self) -> list[Move]:
        """The moves that a player may take."""
        return moves(self.board, self.piece, self.rules)


def position(
    rules: Rules | str = "research", seed: int = 0, pieces: int = PIECES_PLAYED, player: Chooser | str = CARELESS
) -> Position:
    """The position of a game after this many pieces, or in its middle if it is over by then."""
    rules, seed = as_rules(rules), whole_number("seed", seed, 0)
    wanted, turns = whole_number("pieces", pieces, 0), count()
    # One move more than wanted, so that the position has one.
    game = play_game(player, rules, seed, GAME, stop=lambda: next(turns) > wanted)
    if not game.moves:
        raise InputError(f"player is {shown(player)}; it made no move on an empty board")
    move = game.moves[wanted if wanted < len(game.moves) else len(game.moves) // 2]
    return Position(move.before, move.piece, rules)


def given_position(rules: Rules | str, seed: int, board: Board | None, piece: Piece | str | None) -> Position:
    """The position with this board and piece, by default a careless game's board and the first piece of game 0.

    The rules take the size of the board.
    """
    rules, seed = as_rules(rules), whole_number("seed", seed, 0)
    board = position(rules, seed).board if board is None else checked_board(board)
    rules = replace(rules, width=board.width, height=board.height)
    checked_start(board, rules)
    first = PieceSequence(rules, seed, 0)[0] if piece is None else piece_of(rules, piece)
    return Position(board, first, rules)


def piece_of(rules: Rules, piece: Piece | str) -> Piece:
    """The piece of this name in the rules' bag, or the bag's version of this piece."""
    name = piece.name if isinstance(piece, Piece) else piece
    return {one.name: one for one in rules.pieces}[one_of("piece", name, [one.name for one in rules.pieces])]
