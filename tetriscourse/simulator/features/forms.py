"""The parts of a compiled feature, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, ClassVar, NamedTuple, TypeVar

from tetriscourse.simulator.columns import BoardLanes, Save
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.lanes import Lanes, splat


class Source(IntEnum):
    """Where the value of a feature is found once a move has been made."""

    BOARD = 0  # in the sum of the board's terms
    LANDING = 1  # in `landing_terms`, by its position there
    HEIGHT = 2
    STEP = 3
    CONSTANT = 4


class Size(NamedTuple):
    """The size of a board with the room above it, for bounds."""

    rows: int
    cells: int

    @property
    def pyramid(self) -> int:
        """1 + 2 + ... up to the rows."""
        return self.rows * (self.rows + 1) // 2


class Compiled:
    """A feature of the catalogue that the simulator can compute."""

    source: ClassVar[Source] = Source.BOARD
    halves: ClassVar[int] = 1  # 2 if values are counted in halves

    def terms(self) -> list[Term]:
        """The terms that it consists of."""
        raise NotImplementedError

    def place_weight(self, weights: Any, width: int, column: int) -> None:
        """Add twice a weight of 1 for the value of a column to the record of a player's weights."""
        for term in self.terms():
            weights["terms"][term.number] += 2 // term.halves

    def largest(self, size: Size) -> int:
        """A bound on its values, counted in halves for a landing height."""
        return 2 * size.cells


class Term(Compiled):
    """A feature with a weight of its own in the simulator."""

    number: int
    weighted: ClassVar[bool] = False  # whether `change` has the weights in it already
    family: ClassVar[str] = ""  # terms of a family share parts of their changes, and are computed together

    def terms(self) -> list[Term]:
        return [self]

    def weighted_total(self, board: BoardLanes, weights: Any) -> Any:
        """Its share of the player's value on a board, if its columns have their own weights."""
        raise NotImplementedError

    def shares(self, board: BoardLanes) -> Lanes | None:
        """The part that each column adds to its value, never negative and below 2^16 in all; None: see `total`."""
        return None

    def total(self, board: BoardLanes, added: Any) -> Any:
        """Its value on a board, where the columns add up to this; None: it is no feature of boards, or kernels add."""
        return added

    def store(self, board: BoardLanes, save: Save) -> None:
        """Store what `change` reads of the columns."""

    def change(self, drop: Drop) -> Lanes | None:
        """How much each drop that clears no row changes it; None: not at all."""
        return None

    def largest_change(self, size: Size) -> int:
        """A bound on the size of such a change; 0 if the columns have their own weights."""
        return 0


class WholeTerm(Term):
    """A term that depends on few numbers of the whole board: its value is found before and after a drop."""

    def before(self, drop: Drop) -> Any:
        """Its value on the present board, the same for all drops."""
        raise NotImplementedError

    def after(self, drop: Drop) -> Lanes:
        """Its value after each drop that clears no row."""
        raise NotImplementedError

    def change(self, drop: Drop) -> Lanes:
        return self.after(drop) - splat(drop.builder, self.before(drop), drop.lanes)

    def weighed_after(self, drop: Drop, weight: Lanes) -> Lanes:
        """Its value after each drop, times the weight."""
        return self.after(drop) * weight


COMPILED: dict[str, Compiled] = {}  # every feature that the simulator knows
TERMS: list[Term] = []

Kind = TypeVar("Kind", bound=type[Compiled])


def compiled(name: str) -> Callable[[Kind], Kind]:
    """Enter a class as the compiled form of a feature."""

    def enter(kind: Kind) -> Kind:
        one = COMPILED[name] = kind()
        if isinstance(one, Term):
            one.number = len(TERMS)
            TERMS.append(one)
        return kind

    return enter
