"""A highlight: a feature drawn on the board, so that counting what is drawn gives its value.

`adds` says what to count; the value is that count plus `offset`:

    cells        the sum of the cells' counts (a count of 0 only shows what is meant)
    edges        the number of edges
    rows         the number of rows
    columns      the sum of the columns' numbers
    each column  the columns' numbers themselves, from the left
    different    how many different numbers the columns have
    level        the height of the level
    gap          the height of the first level less that of the second
    none         nothing is drawn that could be counted
"""

from __future__ import annotations

from dataclasses import dataclass, fields

CountedCell = tuple[int, int, float]
Edge = tuple[int, int, str]


@dataclass(frozen=True)
class Highlight:
    """A drawing on a board in which a feature of a move can be seen and counted."""

    board: str = "after"  # 'after': cleared; 'landed': the piece in place, before full rows are cleared
    cells: tuple[CountedCell, ...] = ()  # (row, column, count); a cell that counts 0 is shown faintly
    edges: tuple[Edge, ...] = ()  # (row, column, side): a thick line at the left, right, bottom or top, each once
    rows: tuple[int, ...] = ()  # rows marked at the side
    columns: tuple[tuple[int, float], ...] = ()  # (column, number written above it)
    between: bool = False  # whether the numbers stand between their column and the next
    levels: tuple[tuple[float, str], ...] = ()  # (rows above the floor, text): a horizontal line across the board
    text: str = ""  # how the value comes about, in words
    adds: str = "none"  # kind of count, as listed above
    offset: float = 0  # added to the count
    value: float | list[float] = 0  # the feature's value

    def to_json(self) -> dict[str, object]:
        """The fields as plain lists, numbers and texts."""
        return {field.name: listed(getattr(self, field.name)) for field in fields(self)}


def listed(value: object) -> object:
    """The value with all its tuples as lists."""
    return [listed(one) for one in value] if isinstance(value, tuple | list) else value
