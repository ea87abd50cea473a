"""The tree of a search two moves deep, of which as much is known as somebody has looked at.

first move   its own value; with answers, the value that flows back: own value + mean over the pieces
reply        a piece that may follow, with its chance; once looked at, the value of the best answer
answer       a move of that piece, with the player's own value
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Cell, Piece
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Player

Worth = tuple[Fraction, Fraction]  # minus the chance that no answer is left, and the value, in units of fixed point


@dataclass(frozen=True)
class Answer:
    """A move of the second piece, and the player's value of it in units of fixed point."""

    move: Move
    value: Fraction


@dataclass
class Reply:
    """A piece that may follow."""

    piece: Piece
    chance: Fraction
    answers: list[Answer] | None = None  # best first, equal ones in the order of moves; None: not looked at yet

    @property
    def looked_at(self) -> bool:
        """Whether its answers are known."""
        return self.answers is not None

    @property
    def lost(self) -> bool:
        """Whether it is known that there is no answer."""
        return self.answers == []


@dataclass
class Branch:
    """A first move, the player's own value of it, and the pieces that may follow."""

    number: int
    move: Move
    own: Fraction
    replies: list[Reply] = field(default_factory=list)

    @property
    def seen(self) -> list[Reply]:
        """The pieces whose answers are known."""
        return [reply for reply in self.replies if reply.looked_at]

    @property
    def complete(self) -> bool:
        """Whether the answers to all pieces are known."""
        return len(self.seen) == len(self.replies)

    @property
    def cells_left(self) -> list[Cell]:
        """The cells of the piece that are left once full rows have been cleared, where they are then."""
        cleared = self.move.cleared
        return [(r - sum(one < r for one in cleared), c) for r, c in self.move.cells if r not in cleared]


class SearchTree:
    """All first moves on a board, and what has been seen of the answers to them."""

    def __init__(
        self, player: Player, board: Board, piece: Piece, rules: Rules,
        next_piece: Piece | None = None, lost: float | None = None,
    ):  # fmt: skip
        self.player, self.rules = player, rules
        self.search = LookAhead(player, "unknown" if next_piece is None else "known", lost=lost)
        following = self.search.following(next_piece, rules)
        total = sum(often for _, often in following)
        self.branches = [
            Branch(number, move, player.exactly(move), [Reply(one, Fraction(often, total)) for one, often in following])
            for number, move in enumerate(moves(board, piece, rules))
        ]
        price = self.search.search.price(player.unit)
        self.price = None if price is None else Fraction(price)  # of a missing answer, in units of fixed point

    # --- looking ----------------------------------------------------------------------------------

    def look(self, branch: Branch, reply: Reply) -> None:
        """Value all answers to a first move with this piece."""
        if reply.looked_at:
            return
        found = [] if branch.move.loses else moves(branch.move.after, reply.piece, self.rules)
        valued = [Answer(move, self.player.exactly(move)) for move in found]
        reply.answers = sorted(valued, key=lambda one: -one.value)

    def look_at(self, branch: Branch) -> None:
        """Value all answers to a first move."""
        for reply in branch.replies:
            self.look(branch, reply)

    def look_at_all(self) -> None:
        """The whole search two moves deep."""
        for branch in self.branches:
            self.look_at(branch)

    # --- values that flow back --------------------------------------------------------------------

    def best_answer(self, reply: Reply) -> Fraction:
        """The value of the best answer; of a missing one its price, 0 if it has none."""
        return reply.answers[0].value if reply.answers else self.price or Fraction(0)

    def worth(self, branch: Branch) -> Worth:
        """The value of a first move with all that is known of the answers: pieces not looked at are left out."""
        seen = branch.seen
        total = sum((reply.chance for reply in seen), Fraction(0))
        if not total:
            return Fraction(0), branch.own
        mean = sum((reply.chance * self.best_answer(reply) for reply in seen), Fraction(0)) / total
        return -self.chance_lost(branch), branch.own + mean

    def chance_lost(self, branch: Branch) -> Fraction:
        """The chance that no answer is left, as far as is known; 0 if missing answers have a price."""
        seen = branch.seen
        total = sum((reply.chance for reply in seen), Fraction(0))
        gone = sum((reply.chance for reply in seen if reply.lost), Fraction(0))
        return gone / total if gone and self.price is None else Fraction(0)

    def ranked(self) -> list[Branch]:
        """The first moves: those looked at completely, in part, not at all; the best first, equal ones in order."""
        groups: list[list[Branch]] = [[], [], []]
        for branch in self.branches:
            groups[0 if branch.complete else 1 if branch.seen else 2].append(branch)
        return [one for group in groups for one in sorted(group, key=self.worth, reverse=True)]

    @property
    def waiting(self) -> list[Branch]:
        """The first moves that have not been looked at completely, the best by their own value first."""
        return sorted((one for one in self.branches if not one.complete), key=lambda one: -one.own)

    @property
    def greedy(self) -> Branch | None:
        """The choice of the player without looking ahead."""
        return max(self.branches, key=lambda branch: branch.own, default=None)

    @property
    def choice(self) -> Branch | None:
        """The best of the first moves that have been looked at completely, if any."""
        return max((one for one in self.branches if one.complete), key=self.worth, default=None)

    @property
    def valued(self) -> int:
        """The number of moves valued so far."""
        return len(self.branches) + sum(len(r.answers or ()) for branch in self.branches for r in branch.replies)

    def as_value(self, exact: Fraction) -> float:
        """A value in units of the weights."""
        return float(exact) * self.player.unit
