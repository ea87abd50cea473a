"""Moves: where a piece can land, and what the board is afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tetriscourse.errors import InputError
from tetriscourse.game.board import Board, checked_board
from tetriscourse.game.pieces import Cell, Orientation, Piece, as_piece
from tetriscourse.game.rules import Entry, GameOver, LosingMoves, Rules, as_rules


@dataclass(frozen=True)
class Move:
    """A piece that lands: the board before, the board after, and what happened in between."""

    before: Board
    piece: Piece
    orientation: int  # which of the piece's orientations
    column: int  # the piece's leftmost column
    row: int  # the piece's bottom row where it lands, before any row is cleared
    after: Board  # the board after full rows have been cleared
    cleared: tuple[int, ...]  # the rows that were full, from the bottom
    loses: bool

    @property
    def rows(self) -> int:
        """Number of rows cleared."""
        return len(self.cleared)

    @property
    def shape(self) -> Orientation:
        """The orientation itself."""
        return self.piece.orientations[self.orientation]

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells that the piece fills, before any row is cleared."""
        return placed(self.shape, self.row, self.column)

    def __repr__(self) -> str:
        end = ", loses" if self.loses else f", {self.rows} cleared" if self.rows else ""
        return f"Move({self.piece.name} {self.shape} in column {self.column}, lands on row {self.row}{end})"


def placed(shape: Orientation, row: int, column: int) -> list[Cell]:
    """The cells of a shape whose bottom left corner is at (row, column)."""
    return [(row + r, column + c) for r, c in shape.cells]


def entry_row(shape: Orientation, rules: Rules) -> int:
    """The bottom row from which a shape falls: far above, or with its top one row above the board."""
    return rules.height + 4 if rules.entry is Entry.ABOVE else rules.height - shape.height + 1


def landing_row(board: Board, shape: Orientation, column: int, start: int) -> int | None:
    """The bottom row where a shape that falls straight from start comes to rest; None if it has no room at start."""
    if not board.is_free(placed(shape, start, column)):
        return None
    heights = board.heights[column : column + shape.width]
    on_the_pile = max(int(height) - lowest for height, (lowest, _) in zip(heights, shape.columns, strict=True))
    if start >= on_the_pile:  # nothing is in the way
        return on_the_pile
    row = start  # under an overhang
    while board.is_free(placed(shape, row - 1, column)):
        row -= 1
    return row


def can_enter(board: Board, piece: Piece, rules: Rules) -> bool:
    """Whether the piece can enter; in TetrisBot's game it must be able to fall one row from where it appears."""
    if rules.entry is Entry.ABOVE:
        return True
    shape = piece.orientations[piece.spawn]
    column = (rules.width - shape.width) // 2
    return board.is_free(placed(shape, entry_row(shape, rules), column))


def land(board: Board, piece: Piece, orientation: int, column: int, row: int, rules: Rules) -> Move:
    """The move that leaves a piece at (row, column), losing or not."""
    shape = piece.orientations[orientation]
    filled = board.with_cells(placed(shape, row, column), piece.name)
    cleared = tuple(filled.full_rows())
    after = filled.without_rows(cleared)
    if rules.game_over is GameOver.OVERFLOW_AFTER_CLEARING:
        loses = after.overflows
    else:
        highest = rules.height - (rules.game_over is GameOver.TOP_ROW)
        loses = row + shape.height > highest
        if loses:  # decided before clearing: nothing is cleared
            after, cleared = filled, ()
    return Move(board, piece, orientation, column, row, after, cleared, loses)


def landings(board: Board, piece: Piece, rules: Rules, start: Callable[[Orientation], int]) -> list[Move]:
    """Every move, losing ones included, by orientation and then by column: the order that decides ties.

    start: the bottom row from which each orientation falls.
    """
    return [
        land(board, piece, orientation, column, row, rules)
        for orientation, shape in enumerate(piece.orientations)
        for column in range(board.width - shape.width + 1)
        if (row := landing_row(board, shape, column, start(shape))) is not None
    ]


def all_moves(board: Board, piece: Piece, rules: Rules) -> list[Move]:
    """Every move of a piece that enters, losing ones included."""
    return landings(board, piece, rules, lambda one: entry_row(one, rules)) if can_enter(board, piece, rules) else []


def moves(board: Board, piece: Piece | str, rules: Rules | str | None = None) -> list[Move]:
    """The moves that a player may take, in order, by default those of the research game; none: the game is over."""
    checked_board(board)
    rules = Rules(board.width, board.height) if rules is None else as_rules(rules)
    if (rules.width, rules.height) != (board.width, board.height):
        raise InputError(
            f"rules are for {rules.width}x{rules.height}; the board is {board.width}x{board.height}: they must agree"
        )
    found = all_moves(board, as_piece(piece, rules.pieces), rules)
    return found if rules.losing_moves is LosingMoves.ALLOWED else [move for move in found if not move.loses]
