"""How a drawing of a feature is declared, and what drawings share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from tetriscourse.catalogues import Catalogue
from tetriscourse.features import FEATURES
from tetriscourse.game.board import Board
from tetriscourse.game.cells import Bools
from tetriscourse.game.moves import Move
from tetriscourse.widgets.highlight import CountedCell, Edge, Highlight

LONGEST_SUM = 60  # characters of a sum's terms that a text shows at most

HIGHLIGHTS: Catalogue[Callable[[Move], Highlight]] = Catalogue("feature")  # how each feature draws a move


def drawn(adds: str, board: str = "after") -> Callable[[Callable[[Move], Highlight]], Callable[[Move], Highlight]]:
    """Enter a drawing under the name of its feature, and complete it with the feature's value."""

    def enter(draw: Callable[[Move], Highlight]) -> Callable[[Move], Highlight]:
        def complete(move: Move) -> Highlight:
            value = FEATURES[draw.__name__](move)
            plain = list(value) if isinstance(value, Sequence) else value
            return replace(draw(move), board=board, adds=adds, value=plain)

        HIGHLIGHTS[draw.__name__] = complete
        return complete

    return enter


def listed_text(numbers: Sequence[int]) -> str:
    """'3, 0, 1'."""
    return ", ".join(map(str, numbers))


def sum_text(terms: Sequence[int]) -> str:
    """'1 + 2 + 3 = 6', with dots where it is too long; a single term alone, or 0."""
    if len(terms) < 2:
        return str(sum(terms))
    shown_terms = [str(term) for term in terms]
    while len(" + ".join(shown_terms)) > LONGEST_SUM:
        shown_terms[-3:] = ["...", shown_terms[-1]]
    return f"{' + '.join(shown_terms)} = {sum(terms)}"


def cells_where(chosen: Bools, count: float = 1) -> tuple[CountedCell, ...]:
    """The chosen cells, each with this count."""
    return tuple((row, column, count) for row, column in np.argwhere(chosen).tolist())


def upright_edge(board: Board, line: int, column: int) -> Edge:
    """The edge in a column at this height above the floor."""
    return (line, column, "bottom") if line < len(board.full) else (line - 1, column, "top")


def heights_of(board: Board) -> list[int]:
    """The height of each column."""
    return [int(height) for height in board.heights]


def steps_of(board: Board) -> list[int]:
    """The step from each column up to its right neighbour."""
    return [int(step) for step in np.diff(board.heights)]


def over_columns(board: Board, numbers: Iterable[tuple[int, int]], text: str, between: bool = False) -> Highlight:
    """Numbers above or between columns, and a line at the top of each column."""
    tops = tuple(upright_edge(board, height, column) for column, height in enumerate(heights_of(board)))
    return Highlight(edges=tops, columns=tuple(numbers), between=between, text=text)
