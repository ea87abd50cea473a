"""Features of the surface: which steps it has from each column to the next, how many, and which in a row.

A step is a height difference, h_j+1 - h_j. Those beyond -3 and 3 count as -3 and 3; no feature tells them apart.
Everything is told by bits: step s is bit 4 (s + 3), so that four bits are left for the number of such steps. There
are at most fifteen.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import add, or_
from typing import Any, ClassVar

from llvmlite import ir

from tetriscourse.simulator.columns import BoardLanes, Save
from tetriscourse.simulator.drops import Drop
from tetriscourse.simulator.features.forms import Size, Term, WholeTerm, compiled
from tetriscourse.simulator.lanes import INT, REGISTER, Lanes, splat
from tetriscourse.simulator.layout import Field, Scalar

STEPS = 0x111110  # steps from -2 to 2
BEGIN, END = 0b1101000, 0b1110  # what a step adds to a pair of steps, moved to the place of the step
MINUS_AND_0, TWO_0, ZERO_AND_1 = 1 << 13, 1 << 15, 1 << 18  # the pairs of which both steps add the same bit
PAIRS = MINUS_AND_0 | TWO_0 | ZERO_AND_1


def bit_of(step: int) -> int:
    """The bit that tells whether a step occurs."""
    return 1 << 4 * (step + 3)


# --- the steps of a board -------------------------------------------------------------------------


def board_steps(board: BoardLanes) -> Lanes:
    """The step from each column to the next, 3 at a wall."""
    _, right = board.neighbour_heights()
    return (right - board.height).where(board.on_board & board.on_board.neighbour(1, 0), 3)


def at_place(bits: int, step: Lanes) -> Lanes:
    """The bits, moved to the place of a step that is at least -3."""
    return step.number(bits) << ((step.smaller(3) + 3) << 2)


def step_tallies(board: BoardLanes) -> Lanes:
    """A 1 in the place of the step from each column to the next; added up, they tell how often each step occurs."""
    return at_place(1, board_steps(board).larger(-3)) & board.on_board & board.on_board.neighbour(1, 0)


def board_tallies(board: BoardLanes) -> Lanes:
    """The tallies added up."""
    return splat(board.builder, step_tallies(board).reduce(add), REGISTER)


def store_tallies(board: BoardLanes, save: Save) -> None:
    """Store the tallies of each column and of the board."""
    save(Field.STEP_TALLY, step_tallies(board))
    save(Scalar.STEP_TALLIES, board_tallies(board).first())


def occurring(tallies: Lanes) -> Lanes:
    """The steps from -2 to 2 that occur."""
    pairs = tallies | (tallies >> 2)
    return (pairs | (pairs >> 1)) & STEPS


def pair_parts(board: BoardLanes) -> tuple[Lanes, Lanes]:
    """The pairs that the step right of each column may begin, and those that it may end."""
    steps = board_steps(board).larger(-3)
    return at_place(BEGIN, steps) & PAIRS, at_place(END, steps) & PAIRS


def board_pairs(board: BoardLanes) -> Lanes:
    """The pair of each step and the next."""
    begin, end = pair_parts(board)
    return begin & end.neighbour(1, 0)


def board_surface(board: BoardLanes) -> Lanes:
    """The steps and pairs of steps that occur."""
    return occurring(board_tallies(board)) | splat(board.builder, board_pairs(board).reduce(or_), REGISTER)


def store_pairs(board: BoardLanes, save: Save) -> None:
    """Store the pairs to the left and to the right of each column, and the surface of the board."""
    (begin, end), pairs = pair_parts(board), board_pairs(board)
    to_the_left = pairs.running(or_, -1).moved(-2, 0, pairs.count)  # a pair reaches over three columns
    save(Field.LEFT_PAIRS, to_the_left | (begin.neighbour(-1, 0) << 1))
    save(Field.RIGHT_PAIRS, pairs.running(or_, 1) | (end << 1))
    save(Scalar.SURFACE, board_surface(board).first())


# --- the steps after a drop -----------------------------------------------------------------------


def steps_after(drop: Drop) -> list[Lanes]:
    """The steps at the piece's edges and inside it, 3 at a wall."""
    tops = [sum(column) for column in drop.columns]
    inside = [drop.number(right - left) for left, right in pairwise(tops)]
    left, right = (drop.height_after(i + 1) - drop.height_after(i) for i in (-1, drop.width - 1))
    return [
        left.larger(drop.field(Field.STEP_FLOOR, -1)),
        *inside,
        right.larger(drop.field(Field.STEP_FLOOR, drop.width - 1)),
    ]


def tallies_after(drop: Drop) -> Lanes:
    """How often each step occurs; what is above the place of 2 means nothing."""
    new = drop.added([at_place(1, step) for step in steps_after(drop)])
    old = drop.added([drop.field(Field.STEP_TALLY, i) for i in range(-1, drop.width)])
    return drop.scalar(Scalar.STEP_TALLIES) - old + new


def occurring_after(drop: Drop) -> Lanes:
    """The steps that occur."""
    return occurring(drop.once(tallies_after))


def surface_after(drop: Drop) -> Lanes:
    """The steps and pairs of steps that occur: pairs left and right of the piece, and those with a new step."""
    left, right = drop.field(Field.LEFT_PAIRS, -1), drop.field(Field.RIGHT_PAIRS, drop.width)
    steps = steps_after(drop)
    begin = [left >> 1, *(at_place(BEGIN, step) for step in steps)]
    end = [*(at_place(END, step) for step in steps), right >> 1]
    new = [one & other for one, other in zip(begin, end, strict=True)]
    return (reduce(or_, [left, right, *new]) & PAIRS) | drop.once(occurring_after)


# --- terms ----------------------------------------------------------------------------------------


def how_many(steps: Lanes) -> Lanes:
    """The number of different steps that occur."""
    return ((steps * 0x11111) >> 20) & 15


@compiled("diversity")
class Diversity(WholeTerm):
    def total(self, board: BoardLanes, added: Any) -> Any:
        return how_many(occurring(board_tallies(board))).first()

    def store(self, board: BoardLanes, save: Save) -> None:
        store_tallies(board, save)
        save(Scalar.STEP_COUNT, self.total(board, None))

    def before(self, drop: Drop) -> Any:
        return drop.scalar_number(Scalar.STEP_COUNT)

    def after(self, drop: Drop) -> Lanes:
        return how_many(drop.once(occurring_after))

    def largest(self, size: Size) -> int:
        return 5

    largest_change = largest


class Home(WholeTerm):
    """Whether any of some steps and pairs of steps occurs."""

    family = "homes"
    places: ClassVar[int]

    def total(self, board: BoardLanes, added: Any) -> Any:
        return self.occurs_in(board.builder, board_surface(board).first())

    def store(self, board: BoardLanes, save: Save) -> None:
        store_tallies(board, save)
        store_pairs(board, save)

    def exists(self, surface: Lanes) -> Lanes:
        """-1 where there is a home."""
        return (surface & self.places).differs(0)

    def before(self, drop: Drop) -> Any:
        return self.occurs_in(drop.builder, drop.scalar_number(Scalar.SURFACE))

    def occurs_in(self, builder: ir.IRBuilder, surface: Any) -> Any:
        """1 if there is a home, else 0."""
        there = builder.and_(surface, ir.Constant(INT, self.places))
        return builder.zext(builder.icmp_signed("!=", there, ir.Constant(INT, 0)), INT)

    def after(self, drop: Drop) -> Lanes:
        return self.exists(drop.once(surface_after)) & 1

    def weighed_after(self, drop: Drop, weight: Lanes) -> Lanes:
        return self.exists(drop.once(surface_after)) & weight

    def largest(self, size: Size) -> int:
        return 1

    largest_change = largest


@compiled("home_o")
class HomeO(Home):
    places = bit_of(0)


@compiled("home_t")
class HomeT(Home):
    places = bit_of(1) | bit_of(-1) | TWO_0


@compiled("home_z")
class HomeZ(Home):
    places = bit_of(1) | MINUS_AND_0


@compiled("home_s")
class HomeS(Home):
    places = bit_of(-1) | ZERO_AND_1


@compiled("home_j")
class HomeJ(Home):
    places = bit_of(0) | bit_of(2)


@compiled("home_l")
class HomeL(Home):
    places = bit_of(0) | bit_of(-2)


class StepsOf(WholeTerm):
    """How many steps have a certain size."""

    family = "steps"
    size: ClassVar[int]

    def total(self, board: BoardLanes, added: Any) -> Any:
        return self.number_in(board_tallies(board)).first()

    def store(self, board: BoardLanes, save: Save) -> None:
        store_tallies(board, save)

    def number_in(self, tallies: Lanes) -> Lanes:
        """The number of such steps, up and down."""
        places = {4 * (step + 3) for step in (self.size, -self.size)}
        return reduce(add, [(tallies >> place) & 15 for place in places])

    def before(self, drop: Drop) -> Any:
        return self.number_in(splat(drop.builder, drop.scalar_number(Scalar.STEP_TALLIES), REGISTER)).first()

    def after(self, drop: Drop) -> Lanes:
        return self.number_in(drop.once(tallies_after))

    def largest(self, size: Size) -> int:
        return size.cells // size.rows - 1

    def largest_change(self, size: Size) -> int:
        return 5


@compiled("steps_of_0")
class StepsOf0(StepsOf):
    size = 0


@compiled("steps_of_1")
class StepsOf1(StepsOf):
    size = 1


@compiled("steps_of_2")
class StepsOf2(StepsOf):
    size = 2


@compiled("low_edges")
class LowEdges(Term):
    """The outer columns have a step of 2 or more up to their neighbour."""

    def shares(self, board: BoardLanes) -> Lanes:
        has_step = board.on_board & board.on_board.neighbour(1, 0)
        first, last = ~has_step.neighbour(-1, 0), ~has_step.neighbour(1, 0)
        steps = board_steps(board)
        return (((steps > 1) & first) | ((steps <= -2) & last)) & has_step & 1

    def store(self, board: BoardLanes, save: Save) -> None:
        left = self.shares(board).first()
        save(Scalar.LOW_LEFT, left)
        save(Scalar.LOW_RIGHT, board.builder.sub(self.shares(board).reduce(add), left))

    def change(self, drop: Drop) -> Lanes:
        """New less old, in the lanes where the first step changes, and where the last one does."""
        steps, last = steps_after(drop), drop.width - 1
        left = (steps[0] > 1).where(drop.field(Field.STEP, -1), steps[1] > 1) & 1
        right = (steps[-1] <= -2).where(drop.field(Field.STEP, last), steps[-2] <= -2) & 1
        left_change = (left - drop.scalar(Scalar.LOW_LEFT)) & ~drop.field(Field.STEP, -2)
        return left_change + ((right - drop.scalar(Scalar.LOW_RIGHT)) & ~drop.field(Field.STEP, drop.width))

    def largest(self, size: Size) -> int:
        return 2

    largest_change = largest
