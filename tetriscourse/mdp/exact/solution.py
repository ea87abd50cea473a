"""Small Tetris solved exactly: the value of every board, and a player that no other beats.

Read `solve` first. A board's value is what the best possible play still earns from it, on average:

    V(s) = mean over pieces of max over moves of (points + gamma V(s')),   a lost game earns nothing more.

The boards that can be reached are numbered (boards.py), and the equation is applied to all of them again and again
(sweeps.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tetriscourse.checkpoints import checked_path, read, write
from tetriscourse.errors import InputError, real_number, shown
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules, Scoring, as_rules
from tetriscourse.mdp.exact.boards import Boards, add_moves, check_size, reachable
from tetriscourse.mdp.exact.optimal_player import OptimalPlayer
from tetriscourse.mdp.exact.sweeps import BestPlay, watching
from tetriscourse.mdp.finite.piece_chain import Key, PieceChain, known_left, left_after, piece_chain
from tetriscourse.random_numbers import Floats
from tetriscourse.settings import described
from tetriscourse.simulator.announcing import announced

GIGABYTES = 2.0
"""Memory that solving may take unless told otherwise."""


@dataclass(frozen=True, eq=False)
class Values:
    """What each board of a small game is worth to somebody."""

    kind: ClassVar[str] = "Values"
    rules: Rules
    gamma: float
    boards: Boards
    table: Floats
    """The value of each board in order, and last 0 for those without a move; a column for each memory."""
    sweeps: int
    residual: float
    """How far Bellman's equation is from being met, at most."""
    bound: float
    """How far any value is from the exact one, at most."""

    @property
    def memory(self) -> PieceChain:
        """What is known of the next pieces."""
        return piece_chain(self.rules)

    @property
    def unit(self) -> str:
        """What is counted."""
        return "lines" if self.rules.scoring is Scoring.LINES else "points"

    @property
    def start(self) -> float:
        """The value of a game: of the empty board before the first piece is drawn."""
        return float(self.table[self.boards.place(0)] @ self.memory.start)

    def value(self, board: Board, hand: Piece | None = None, left: Iterable[Piece] | None = None) -> float:
        """The value of a board before the next piece is drawn.

        hand: the piece in hand, if the rules show two. left: the other pieces in the bag; None: all that can be.
        """
        shown_pieces = [] if hand is None else [hand]
        return float(self.table[self._place(board), self._memory(hand, shown_pieces, left)])

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
        if key not in self.memory.keys:
            names = None if given is None else [piece.name for piece in given]
            raise InputError(f"hand is {hand} and left is {names}; with {self.rules} that is never known")
        return self.memory.keys.index(key)

    def __repr__(self) -> str:
        discounted = "" if self.gamma == 1 else f", gamma {self.gamma:g}"
        value = f"{self.start:.4f} {self.unit}, {self.boards.total:,} boards, error below {self.bound:.1g}"
        return f"{self.kind}({self.rules}{discounted}: {value})"


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Values):
    """The value of each board under the best possible play."""

    kind: ClassVar[str] = "Solution"

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

    def ranked(
        self, board: Board, piece: Piece, next_piece: Piece | None = None, left: Iterable[Piece] | None = None
    ) -> list[tuple[Move, float]]:
        """All moves with what they are worth, the best first; next_piece and left as in `worth`."""
        if self.rules.number_of(piece) not in self.memory.pieces:
            raise InputError(f"piece is {piece}; by these rules it never comes ({self.rules})")
        self._place(board)
        found = [(move, self.worth(move, next_piece, left)) for move in moves(board, piece, self.rules)]
        return sorted(found, key=lambda one: -one[1])

    def regret(self, move: Move, next_piece: Piece | None = None, left: Iterable[Piece] | None = None) -> float:
        """What a move costs: how much less it is worth than the best one."""
        if not isinstance(move, Move):
            raise InputError(f"move is {shown(move)}; it must be a Move, one of moves(board, piece)")
        best = self.ranked(move.before, move.piece, next_piece, left)[0][1]
        return best - self.worth(move, next_piece, left)

    def player(self) -> OptimalPlayer:
        """The player that always takes the best move; of equal ones the first."""
        return OptimalPlayer(self)

    def save(self, path: str | Path) -> None:
        """Store it in a file, as data."""
        about = {"sweeps": self.sweeps, "residual": self.residual, "bound": self.bound, "total": self.boards.total}
        kept = {name: getattr(self.boards, name) for name in ("words", "counts", "places", "boards")}
        description = {"solution": described(self.rules), "gamma": self.gamma, "folded": self.boards.folded, **about}
        write(checked_path(path, "path"), description, {**kept, "table": self.table}, "path")

    @classmethod
    def load(cls, path: str | Path) -> Solution:
        """The solution in a file."""
        found, arrays = read(checked_path(path, "path"), "path")
        if "solution" not in found:
            raise InputError(f"path is {str(path)!r}; it holds no solution of small Tetris")
        table, rules = arrays.pop("table"), Rules(**found["solution"])
        boards = Boards(rules, found["folded"], total=found["total"], **arrays)
        return cls(rules, found["gamma"], boards, table, found["sweeps"], found["residual"], found["bound"])


# --- solving --------------------------------------------------------------------------------------


def solve(
    rules: Rules | str,
    gamma: float = 1.0,
    tolerance: float = 1e-6,
    gigabytes: float = GIGABYTES,
    progress: bool | None = None,
) -> Solution:
    """The exact values of a small game, each closer than the tolerance; games without end need a gamma below 1."""
    rules = as_rules(rules)
    check_arguments(rules, gamma, tolerance)
    check_size(rules, real_number("gigabytes", gigabytes, above=0))
    with announced("solver", "the solver"), watching(progress) as watch:
        boards = reachable(rules, watch)
        add_moves(boards, watch)
        sweeper = BestPlay(boards, gamma, watch)
        residual = sweeper.solve(tolerance)
    boards.blocks.clear()
    return Solution(rules, gamma, boards, sweeper.values, sweeper.sweeps, residual, sweeper.bound(residual))


def check_arguments(rules: Rules, gamma: object, tolerance: object) -> None:
    """An error unless these can be solved."""
    real_number("gamma", gamma, above=0, at_most=1)
    real_number("tolerance", tolerance, at_least=1e-10)
    if rules.max_pieces:
        raise InputError(f"max_pieces is {rules.max_pieces}; it must be 0: values here do not depend on time")
