"""Places in a game where a player chooses otherwise when it looks ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from tetriscourse.errors import InputError, counted
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Player
from tetriscourse.simulator.choosing import compiled_player

MOST, MOST_SLOW = 2000, 40  # positions that are tried, in compiled code and in plain Python


@dataclass(frozen=True)
class Place:
    """A board and a piece in the game of a seed."""

    rules: Rules
    seed: int
    game: int  # its number
    turn: int  # the number of pieces placed before
    board: Board
    piece: Piece

    @classmethod
    def start(cls, rules: Rules, seed: int, game: int = 0) -> Place:
        """The beginning of a game."""
        return cls(rules, seed, game, 0, rules.empty_board(), PieceSequence(rules, seed, game)[0])

    @property
    def following(self) -> Piece:
        """The piece that comes next in this game."""
        return PieceSequence(self.rules, self.seed, self.game)[self.turn + 1]

    def after(self, move: Move | None, piece: Piece | None = None) -> Place:
        """The place after a move, with this piece or that of the game; the next game if this one is over."""
        if move is None or move.loses or self.turn + 1 == self.rules.max_pieces:
            return Place.start(self.rules, self.seed, self.game + 1)
        return replace(self, turn=self.turn + 1, board=move.after, piece=piece or self.following)


class Scout:
    """Looks for places where a player chooses otherwise when it looks ahead."""

    def __init__(self, player: Player, rules: Rules, lost: float | None):
        self.player, self.rules, self.lost = player, rules, lost
        self._quick: dict[bool, Any] = {}

    def ahead(self, place: Place, next_piece: Piece | None) -> Move | None:
        """The choice of the player that looks ahead."""
        quick = self.quick(next_piece is not None)
        found: Move | None = quick.choose(place.board, place.piece, next_piece, self.rules)
        return found

    def quick(self, known: bool) -> Any:
        """The player that looks ahead, compiled if possible."""
        if known not in self._quick:
            player = LookAhead(self.player, "known" if known else "unknown", lost=self.lost)
            self._quick[known] = compiled_player(player, self.rules)
        return self._quick[known]

    def greedy(self, place: Place) -> Move | None:
        """The choice of the player without looking ahead."""
        return self.player.choose(place.board, place.piece, rules=self.rules)

    def is_contested(self, place: Place, next_piece: Piece | None) -> bool:
        """Whether the two choices differ."""
        return self.greedy(place) != self.ahead(place, next_piece)

    def path(self, place: Place) -> Iterator[Place]:
        """This place and those that follow if the player goes on without looking ahead."""
        while True:
            yield place
            place = place.after(self.greedy(place))

    def first(
        self, place: Place, known: bool, piece: Piece | None = None, next_piece: Piece | None = None, early: int = 0
    ) -> tuple[Place, Piece | None]:
        """The first contested place from here on, and the next piece if it is known.

        piece, next_piece: instead of those of the game; early: places before this turn of a game are passed over.
        """
        most = MOST_SLOW if isinstance(self.quick(known), LookAhead) else MOST
        for one in islice(self.path(place), most):
            at = one if piece is None else replace(one, piece=piece)
            following = (next_piece or one.following) if known else None
            if one.turn >= early and self.is_contested(at, following):
                return at, following
        raise InputError(
            f"player is {self.player.name}; looking ahead changed none of its choices at {counted(most, 'piece')}"
        )
