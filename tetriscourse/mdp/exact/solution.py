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

from tetriscourse.checkpoints import checked_path, read, write
from tetriscourse.errors import InputError, real_number, shown
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.mdp.exact.boards import Boards, add_moves, check_size, reachable
from tetriscourse.mdp.exact.kernels import Numbering
from tetriscourse.mdp.exact.optimal_player import OptimalPlayer
from tetriscourse.mdp.exact.sweeps import BestPlay, watching
from tetriscourse.mdp.exact.values import BoardValues
from tetriscourse.settings import described
from tetriscourse.simulator.announcing import announced

GIGABYTES = 2.0  # memory that solving may take unless told otherwise


@dataclass(frozen=True, eq=False, repr=False)
class Solution(BoardValues):
    """The value of each board under the best possible play."""

    def ranked(
        self, board: Board, piece: Piece, next_piece: Piece | None = None, left: Iterable[Piece] | None = None
    ) -> list[tuple[Move, float]]:
        """All moves with what they are worth, the best first; next_piece and left as in `worth`."""
        if self.rules.number_of(piece) not in self.chain.pieces:
            raise InputError(f"piece is {piece}; by these rules it never comes ({self.rules})")
        self._place(board)
        found = [(move, self.worth(move, next_piece, left)) for move in moves(board, piece, self.rules)]
        return sorted(found, key=lambda one: -one[1])

    def regret(self, move: Move, next_piece: Piece | None = None, left: Iterable[Piece] | None = None) -> float:
        """The cost of a move: how much less it is worth than the best one."""
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
        arrays = self.boards.numbering._asdict()
        description = {"solution": described(self.rules), "gamma": self.gamma, "folded": arrays.pop("folded"), **about}
        arrays |= {"boards": self.boards.boards, "table": self.table}
        write(checked_path(path, "path"), description, arrays, "path")

    @classmethod
    def load(cls, path: str | Path) -> Solution:
        """The solution in a file."""
        found, arrays = read(checked_path(path, "path"), "path")
        if "solution" not in found:
            raise InputError(f"path is {str(path)!r}; it holds no solution of small Tetris")
        table, listed, rules = arrays.pop("table"), arrays.pop("boards"), Rules(**found["solution"])
        boards = Boards(rules, Numbering(**arrays, folded=found["folded"]), listed, found["total"])
        return cls(rules, found["gamma"], boards, table, found["sweeps"], found["residual"], found["bound"])


def solve(
    rules: Rules | str,
    gamma: float = 1.0,
    tolerance: float = 1e-6,
    gigabytes: float = GIGABYTES,
    progress: bool | None = None,
) -> Solution:
    """The exact values of a small game, each closer than the tolerance; games without end need a gamma below 1."""
    rules = as_rules(rules)
    check_arguments(rules, gamma, tolerance, gigabytes)
    with announced("solver"), watching(progress) as watch:
        boards = reachable(rules, watch)
        add_moves(boards, watch)
        return Solution(*BestPlay(boards, gamma, watch).solve(tolerance))


def check_arguments(rules: Rules, gamma: object, tolerance: object, gigabytes: object) -> None:
    """An error unless these can be solved."""
    real_number("gamma", gamma, above=0, at_most=1)
    real_number("tolerance", tolerance, at_least=1e-10)
    if rules.max_pieces:
        raise InputError(f"max_pieces is {rules.max_pieces}; it must be 0: values here do not depend on time")
    check_size(rules, real_number("gigabytes", gigabytes, above=0))
