"""Looking ahead: a player's value of a move and of the best answer to it, with the next piece known or unknown.

value of a first move = value(move) + best value(answer)                       the next piece is known
value of a first move = value(move) + mean over the pieces of best value(answer)        it is unknown
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tetriscourse.errors import InputError, counted, one_of, real_number, shown, whole_number
from tetriscourse.features import FeatureSet
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece, as_piece
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.players import PLAYERS, Player, as_player

NEXT_PIECE = ("known", "unknown")
PARTS = 27720  # a number that can be divided by all up to 12
HIGHEST_PRICE = 1 << 42  # units of fixed point, so that sums of 64 bits hold it: 2^21 times the largest weight and more


def frequencies(rules: Rules) -> tuple[int, ...]:
    """How often each piece comes, in whole numbers: 27720 for the most frequent, so that 1 : 3 or 3 : 11 is exact.

    Pieces are taken as drawn independently: the player knows neither what is left in a bag nor whose turn it is.
    """
    given = rules.probabilities or [1.0] * len(rules.pieces)
    return tuple(max(round(one / max(given) * PARTS), one > 0) for one in given)


@dataclass(frozen=True)
class Search:
    """How a player looks ahead: plain data.

    next_piece   'known': it is shown the next piece, whatever the rules say; 'unknown': it averages over all pieces,
                 as often as the rules draw them, and ignores a next piece that it is shown
    width        only this many first moves, the best by the player's own value, are looked at further; None: all
    lost         the value of an answer that does not exist, in units of the player's values; None: a first move is
                 worse than any other after which a missing answer is less likely
    """

    next_piece: str = "unknown"
    width: int | None = None
    lost: float | None = None

    def __post_init__(self) -> None:
        one_of("next_piece", self.next_piece, NEXT_PIECE)
        if self.width is not None:
            object.__setattr__(self, "width", whole_number("width", self.width, 1))
        if self.lost is not None:
            object.__setattr__(self, "lost", real_number("lost", self.lost))

    @property
    def sees_next(self) -> bool:
        """Whether the player is shown the next piece in every game."""
        return self.next_piece == "known"

    def price(self, unit: float) -> int | None:
        """`lost` in units of fixed point, at most 2^42 of them."""
        return None if self.lost is None else round(max(-HIGHEST_PRICE, min(self.lost / unit, HIGHEST_PRICE)))

    def options(self) -> str:
        """The options of the command that ask for it, after a space."""
        given = (("look-ahead", self.next_piece), ("best", self.width), ("lost", self.lost))
        return "".join(f" --{name} {value}" for name, value in given if value is not None)

    def __str__(self) -> str:
        best = "" if self.width is None else f", {counted(self.width, 'first move')} of each piece"
        lost = "" if self.lost is None else f", {self.lost:g} for a lost answer"
        return f"looking ahead with the next piece {self.next_piece}{best}{lost}"

    def over(self, player: Player) -> LookAhead:
        """A player that looks ahead like this."""
        return LookAhead(player, self.next_piece, self.width, self.lost)


@dataclass(frozen=True)
class LookAhead:
    """Search two moves deep over a linear player; ties: the first. The settings are those of Search."""

    player: Player
    search: Search
    name: str

    def __init__(
        self,
        player: Player | str,
        next_piece: str = "unknown",
        width: int | None = None,
        lost: float | None = None,
        name: str = "",
    ):
        who, search = as_player(player), Search(next_piece, width, lost)
        if not isinstance(who, Player):
            linear = ", ".join(one for one, found in PLAYERS.items() if isinstance(found, Player))
            raise InputError(f"player is {shown(player)}; it must be a Player, or one of {linear}")
        name = name or f"{'two-piece' if search.sees_next else 'look-ahead'}:{who.name}"
        for attribute, value in (("player", who), ("search", search), ("name", name)):
            object.__setattr__(self, attribute, value)

    @property
    def features(self) -> FeatureSet:
        """The features of the player."""
        return self.player.features

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights of the player."""
        return self.player.weights

    @property
    def sees_next(self) -> bool:
        """Whether it is shown the next piece in every game."""
        return self.search.sees_next

    def check_width(self, width: int) -> None:
        """Raise an error if the player does not fit boards of this width."""
        self.player.check_width(width)

    def choose(
        self,
        board: Board,
        piece: Piece | str,
        next_piece: Piece | str | None = None,
        rules: Rules | str | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, None if there is none."""
        self.check_width(board.width)
        return self.best(moves(board, piece, rules), next_piece, rules)

    def best(
        self, candidates: Sequence[Move], next_piece: Piece | str | None = None, rules: Rules | str | None = None
    ) -> Move | None:
        """The best of some moves of one piece."""
        return max(self.widest(candidates), key=lambda move: self.prospect(move, next_piece, rules), default=None)

    def widest(self, candidates: Sequence[Move]) -> list[Move]:
        """The moves that are looked at further, in their order."""
        ranked = sorted(range(len(candidates)), key=lambda i: -self.player.exactly(candidates[i]))
        return [candidates[i] for i in sorted(ranked[: self.search.width])]

    def prospect(
        self, move: Move, next_piece: Piece | str | None = None, rules: Rules | str | None = None
    ) -> tuple[int, Fraction]:
        """How often no answer is left, times -1, and the value with answers, both times the sum of frequencies.

        If missing answers have a price, it is part of the value.
        """
        rules = Rules(move.before.width, move.before.height) if rules is None else as_rules(rules)
        lost, value, price = 0, Fraction(0), self.search.price(self.player.unit)
        for piece, frequency in self.following(next_piece, rules):
            answers = [] if move.loses else moves(move.after, piece, rules)
            value += frequency * self.player.exactly(move)
            if answers:
                value += frequency * max(map(self.player.exactly, answers))
            elif price is not None:
                value += frequency * price
            else:
                lost += frequency
        return -lost, value

    def following(self, next_piece: Piece | str | None, rules: Rules) -> list[tuple[Piece, int]]:
        """The pieces that may come next, with their frequencies."""
        if not self.sees_next:
            return [(piece, often) for piece, often in zip(rules.pieces, frequencies(rules), strict=True) if often]
        if next_piece is None:
            raise InputError("next_piece is None; with LookAhead(..., next_piece='known') it must be a piece")
        return [(as_piece(next_piece, rules.pieces, "next_piece"), 1)]

    def value(self, move: Move, next_piece: Piece | str | None = None, rules: Rules | str | None = None) -> float:
        """The value of a first move, in units of the weights; without a price, a missing answer has the highest."""
        rules = Rules(move.before.width, move.before.height) if rules is None else as_rules(rules)
        lost, value = self.prospect(move, next_piece, rules)
        total = sum(frequency for _, frequency in self.following(next_piece, rules))
        return float((value + lost * HIGHEST_PRICE) / total) * self.player.unit

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in vars(self.search).items() if value is not None)
        return f"LookAhead({self.player!r}{given})"


def sees_next(player: object, rules: Rules) -> bool:
    """Whether a player is shown the next piece: by the rules, or because it looks ahead with the next piece known."""
    return rules.pieces_known == 2 or bool(getattr(player, "sees_next", False))
