"""Games in plain Python: a player, rules, the pieces of a seed, move by move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import PieceSequence, Rules


class Chooser(Protocol):
    """Anything that can choose a move: a Player, a Filter, or your own class."""

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, None if there is none."""


@dataclass
class Game:
    """A game that has been played: its moves, and what they brought."""

    rules: Rules
    seed: int
    number: int
    moves: list[Move] = field(default_factory=list)
    lines: int = 0
    points: int = 0
    lost: bool = False
    """False if it was stopped, by the limit on pieces or by hand."""

    @property
    def pieces(self) -> int:
        """How many pieces were placed."""
        return len(self.moves)

    @property
    def board(self) -> Board:
        """The last board."""
        return self.moves[-1].after if self.moves else self.rules.empty_board()

    def take(self, move: Move | None) -> None:
        """Make a move; without one the game is lost."""
        if move is None:
            self.lost = True
            return
        self.moves.append(move)
        self.lines += move.rows
        self.points += self.rules.points(move.rows)
        self.lost = self.lost or move.loses


def never() -> bool:
    """Play to the end."""
    return False


def play_game(
    player: Chooser,
    rules: Rules,
    seed: int = 0,
    number: int = 0,
    board: Board | None = None,
    stop: Callable[[], bool] = never,
) -> Game:
    """Play one game; the pieces, and what chance decides, depend on (seed, number) alone; until stop() is true."""
    game, pieces = Game(rules, seed, number), PieceSequence(rules, seed, number)
    board = board or rules.empty_board()
    while not game.lost and not stop() and (rules.max_pieces == 0 or game.pieces < rules.max_pieces):
        position = game.pieces
        next_piece = pieces[position + 1] if rules.pieces_known == 2 else None
        chance = Chance(seed, number, TIE_STREAM, position)
        move = player.choose(board, pieces[position], next_piece, rules, chance)
        game.take(move)
        board = board if move is None else move.after
    return game
