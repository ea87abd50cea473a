"""Games in plain Python, move by move: a player, rules, and the pieces of a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from tetriscourse.errors import counted
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import RESEARCH, PieceSequence, Rules, as_rules, short_name
from tetriscourse.looking_ahead import sees_next
from tetriscourse.players import as_player


class Chooser(Protocol):
    """Anything that chooses moves: a Player, a Filter, or a class of your own."""

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move to take, None if there is none."""


@dataclass
class Game:
    """A game that was played: its moves and its score."""

    rules: Rules
    seed: int
    number: int
    moves: list[Move] = field(default_factory=list)
    lines: int = 0
    points: int = 0
    lost: bool = False  # false if it was stopped, by a limit on pieces or by hand

    @property
    def pieces(self) -> int:
        """Number of pieces placed."""
        return len(self.moves)

    @property
    def board(self) -> Board:
        """The last board."""
        return self.moves[-1].after if self.moves else self.rules.empty_board()

    def take(self, move: Move | None) -> None:
        """Make a move; if there is none, the game is lost."""
        if move is None:
            self.lost = True
            return
        self.moves.append(move)
        self.lines += move.rows
        self.points += self.rules.points(move.rows)
        self.lost = self.lost or move.loses

    def __repr__(self) -> str:
        end = "lost" if self.lost else "stopped"
        counts = f"{counted(self.pieces, 'piece')}, {counted(self.lines, 'row')}, {counted(self.points, 'point')}"
        return f"Game({short_name(self.rules)}, seed {self.seed}, game {self.number}: {counts}, {end})"


def never() -> bool:
    """Never stop."""
    return False


def play_game(
    player: Chooser | str,
    rules: Rules | str = RESEARCH,
    seed: int = 0,
    number: int = 0,
    board: Board | None = None,
    stop: Callable[[], bool] = never,
    first: Piece | None = None,
) -> Game:
    """Play one game, to its end or until stop() is true; all chance depends only on (seed, number).

    first: the first piece, if it is not that of the seed.
    """
    chooser, rules = as_player(player), as_rules(rules)
    game, pieces = Game(rules, seed, number), PieceSequence(rules, seed, number)
    board = board or rules.empty_board()
    while not game.lost and not stop() and (rules.max_pieces == 0 or game.pieces < rules.max_pieces):
        position = game.pieces
        next_piece = pieces[position + 1] if sees_next(chooser, rules) else None
        chance = Chance(seed, number, TIE_STREAM, position)
        piece = pieces[position] if position or first is None else first
        move = chooser.choose(board, piece, next_piece, rules, chance)
        game.take(move)
        board = board if move is None else move.after
    return game
