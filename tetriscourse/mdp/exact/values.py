"""The values of all boards of a small game, and what a move is worth by them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tetriscourse.errors import InputError, shown
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules, Scoring
from tetriscourse.mdp.exact.boards import Boards
from tetriscourse.mdp.finite.piece_chain import Key, PieceChain, known_left, left_after, piece_chain
from tetriscourse.random_numbers import Floats


@dataclass(frozen=True, eq=False)
class BoardValues:
    """The value of each board of a small game under somebody's play."""

    rules: Rules
    gamma: float
    boards: Boards
    table: Floats  # the value of each board in order, and last 0 for those without a move; a column for each memory
    sweeps: int
    residual: float  # how far Bellman's equation is from being met, at most
    bound: float  # how far any value is from the exact one, at most

    @property
    def chain(self) -> PieceChain:
        """The knowledge of the next pieces."""
        return piece_chain(self.rules)

    @property
    def unit(self) -> str:
        """The unit of values."""
        return "lines" if self.rules.scoring is Scoring.LINES else "points"

    @property
    def start(self) -> float:
        """The value of a game: of the empty board before the first piece is drawn."""
        return float(self.table[self.boards.place(0)] @ self.chain.start)

    def value(self, board: Board, hand: Piece | None = None, left: Iterable[Piece] | None = None) -> float:
        """The value of a board before the next piece is drawn.

        hand: the piece in hand, if the rules show two. left: the other pieces in the bag; None: all that can be.
        """
        shown_pieces = [] if hand is None else [hand]
        return float(self.table[self._place(board), self._memory(hand, shown_pieces, left)])

    def worth(self, move: Move, next_piece: Piece | None = None, left: Iterable[Piece] | None = None) -> float:
        """Q(s, a): the points of a move and the value of the board after it.

        next_piece: if the rules show it. left: the other pieces in the bag; None: all that can be.
        """
        points = self.rules.points(move.rows)
        if move.loses:
            return float(points)
        hand = next_piece if self.rules.pieces_known == 2 else None
        if self.rules.pieces_known == 2 and hand is None:
            raise InputError("next_piece is None; by these rules the next piece is known")
        # A next piece that is the same can only be the first of the next bag.
        seen = [move.piece] if hand is None or hand == move.piece else [move.piece, hand]
        place, memory = self._place(move.after), self._memory(hand, seen, left)
        return points + self.gamma * float(self.table[place, memory])

    def _place(self, board: Board) -> int:
        if not isinstance(board, Board):
            raise InputError(f"board is {shown(board)}; it must be a Board, such as Board.empty(4, 4)")
        if (board.width, board.height) != (self.rules.width, self.rules.height):
            raise InputError(f"board is {board.width}x{board.height}; these values are for {self.rules}")
        place = self.boards.place(board.bits)
        if place < 0:
            raise InputError(f"board is {board!r}; it cannot be reached from the empty one by these rules")
        return place

    def _memory(self, hand: Piece | None, seen: list[Piece], left: Iterable[Piece] | None) -> int:
        """The memory with a piece in hand, or none, and these pieces in the bag; by default all that are not seen."""
        number = self.rules.number_of
        if left is not None and not isinstance(left, Iterable):
            raise InputError(f"left is {shown(left)}; it must be a list of pieces, or None")
        rest = left_after(self.rules, (number(piece) for piece in seen))
        given = None if left is None else list(left)
        if given is not None:
            rest = known_left(self.rules, frozenset(number(piece) for piece in given))
        key: Key = (None if hand is None else number(hand), rest)
        if key not in self.chain.keys:
            names = None if given is None else [piece.name for piece in given]
            raise InputError(f"hand is {hand} and left is {names}; with {self.rules} that is never known")
        return self.chain.keys.index(key)

    def __repr__(self) -> str:
        discounted = "" if self.gamma == 1 else f", gamma {self.gamma:g}"
        value = f"{self.start:.4f} {self.unit}, {self.boards.total:,} boards, error below {self.bound:.1g}"
        return f"{type(self).__name__}({self.rules}{discounted}: {value})"
