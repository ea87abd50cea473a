"""The best possible player of a small game: a player like any other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import Draw, PieceSequence, Rules
from tetriscourse.mdp.exact.values import BoardValues
from tetriscourse.random_numbers import Ints

if TYPE_CHECKING:
    from tetriscourse.mdp.exact.kernels import ExactTable


@dataclass(frozen=True, eq=False)
class OptimalPlayer:
    """Takes the move that is worth most by exact values; ties: the first."""

    solution: BoardValues
    name: str = "optimal"

    def choose(
        self,
        board: Board,
        piece: Piece,
        next_piece: Piece | None = None,
        rules: Rules | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The best move, or None when there is none."""
        self.check_rules(self.solution.rules if rules is None else rules)
        if chance is None and self.solution.rules.draw is Draw.BAG:
            raise InputError("chance is None; with a bag, the optimal player must know the game and the position in it")
        left = left_in_bag(self.solution.rules, chance)
        candidates = moves(board, piece, self.solution.rules)
        return max(candidates, key=lambda move: self.solution.worth(move, next_piece, left), default=None)

    def value(self, move: Move) -> float:
        """The worth of a move; with a bag, assuming that the piece is its first."""
        return self.solution.worth(move)

    def check_rules(self, rules: Rules) -> None:
        """An error if the values are for another game."""
        solved = self.solution.rules
        if rules != replace(solved, max_pieces=rules.max_pieces):
            raise InputError(f"rules is {rules}; the optimal player was solved for {solved}: they must agree")

    def check_width(self, width: int) -> None:
        """An error if the values are for another width."""
        if width != self.solution.rules.width:
            raise InputError(f"width is {width}; the optimal player was solved for {self.solution.rules}")

    def agent(self) -> OptimalAgent:
        """The agent that plays like this in the Engine."""
        return OptimalAgent(self)

    def compiled_table(self, rules: Rules) -> ExactTable:
        """The table by which the kernel plays."""
        from tetriscourse.mdp.exact.kernels import ExactTable
        from tetriscourse.simulator.encode import encode_rules

        self.check_rules(rules)
        solution, chain = self.solution, self.solution.chain
        points = np.array([*(rules.points(rows) for rows in range(5)), 0, 0, 0], np.float64)
        return ExactTable(
            encode_rules(rules), solution.boards.numbering, solution.table, chain.start, chain.edges, *self.outcomes,
            chain.following, points, solution.gamma,
        )  # fmt: skip

    @cached_property
    def outcomes(self) -> tuple[Ints, Ints]:
        """For each outcome of the piece chain, the piece to place and the next piece if it is seen; -1: unknown."""
        chain = self.solution.chain
        choices = np.array([[-1 if one is None else one for one in choice[:2]] for choice in chain.choices])
        return choices[chain.chosen, 0], choices[chain.chosen, 1]

    def __repr__(self) -> str:
        return f"OptimalPlayer({self.solution!r})"


def left_in_bag(rules: Rules, chance: Chance | None) -> list[Piece] | None:
    """The pieces left in the bag behind those that are seen, from the pieces so far; None: there is no bag."""
    if rules.draw is not Draw.BAG or chance is None:
        return None
    last, size = chance.position + rules.pieces_known - 1, len(rules.pieces)
    sequence = PieceSequence(rules, chance.seed, chance.game)
    drawn = {sequence.number(position) for position in range(last - last % size, last + 1)}
    return [piece for number, piece in enumerate(rules.pieces) if number not in drawn]


class OptimalAgent:
    """Plays in the Engine by exact values."""

    describe = "takes the best possible move"

    def __init__(self, player: OptimalPlayer):
        self.player, self.name = player, player.name

    def __call__(self, engine: Engine) -> str:
        solution = self.player.solution
        solved, played = solution.rules, engine.rules
        if replace(played, entry=solved.entry, max_pieces=0) != solved:  # the engine has an entry of its own
            raise InputError(f"rules is {played}; the optimal player was solved for {solved}: they must agree")
        left = left_in_bag(solved, Chance(engine.seed, engine.game, TIE_STREAM, engine.blocks_played))

        def worth(move: Move) -> float:
            """Boards that no game of the solved rules reaches, though one with another entry may, are worth nothing."""
            known = move.loses or solution.boards.place(move.after.bits) >= 0
            return solution.worth(move, engine.next_piece, left) if known else -1.0

        best = max(engine.moves(), key=worth)
        return f"P:{best.column}:{best.orientation}"

    def __repr__(self) -> str:
        return f"OptimalAgent({self.player!r})"
