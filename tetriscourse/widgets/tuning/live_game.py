"""A game that goes on in front of one's eyes: a position, and whoever is asked for the next move."""

from __future__ import annotations

from tetriscourse.errors import counted
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.games import Chooser

LONGEST_NAME = 22
"""Characters of a name that find room below a board."""


class LiveGame:
    """Game number so-and-so of a seed as it stands; the same as play_game, if the same player makes every move."""

    def __init__(self, rules: Rules, seed: int = 0, number: int = 0):
        self.rules, self.seed, self.number = rules, seed, number
        self.board = rules.empty_board()
        self.pieces = self.lines = self.points = 0
        self.lost = False
        self._sequence = PieceSequence(rules, seed, number)

    @property
    def piece(self) -> Piece:
        """The piece to place."""
        return self._sequence[self.pieces]

    @property
    def is_over(self) -> bool:
        """Whether it was lost, or has reached the limit of its rules."""
        return self.lost or (0 < self.rules.max_pieces <= self.pieces)

    def choice(self, player: Chooser) -> Move | None:
        """The move that a player takes now; None: there is none."""
        chance = Chance(self.seed, self.number, TIE_STREAM, self.pieces)
        return player.choose(self.board, self.piece, None, self.rules, chance)

    def take(self, move: Move | None) -> None:
        """Make a move; without one the game is lost."""
        if move is None:
            self.lost = True
            return
        self.board, self.lost = move.after, move.loses
        self.pieces += 1
        self.lines += move.rows
        self.points += self.rules.points(move.rows)

    def status(self, player: str) -> list[str]:
        """Who plays, and where the game stands, in lines that are not wider than a small board."""
        end = ", lost" if self.lost else ", at the limit" if self.is_over else ""
        name = player if len(player) <= LONGEST_NAME else f"{player[: LONGEST_NAME - 1]}…"
        return [name, f"game {self.number}, {counted(self.pieces, 'piece')}", f"{counted(self.lines, 'line')}{end}"]
