"""Judges of chapter 06: speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import Bools, filled, small_boards, under
from tetriscourse.course.differences import Function, close_to, first_difference, first_fault, is_number
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import (
    NotAttempted,
    Outcome,
    Right,
    Wrong,
    climbed,
    clipped,
    expected,
    is_missing,
    nothing_yet,
)
from tetriscourse.errors import whole_number
from tetriscourse.random_numbers import Draws


def columns_of(cells: Bools) -> list[int]:
    """The columns of a board as whole numbers, bit 0 at the bottom."""
    return [sum(1 << row for row, full in enumerate(column) if full) for column in cells.T.tolist()]


def cells_of(columns: Sequence[int], height: int = 0) -> Bools:
    """The board of such columns, as high as they need, or higher."""
    rows = max(height, 1, *(column.bit_length() for column in columns))
    return np.array([[column >> row & 1 for column in columns] for row in range(rows)], np.bool_)


def true_height(column: int) -> int:
    """One more than the row of the highest full cell."""
    return 1 + max((row for row in range(32) if column >> row & 1), default=-1)


def true_holes(column: int) -> int:
    """Empty cells below the highest full one."""
    return sum(not column >> row & 1 for row in range(true_height(column)))


def true_full_rows(columns: list[int]) -> int:
    """A number with a bit for each row that is full in all columns."""
    return sum(1 << row for row in range(32) if all(column >> row & 1 for column in columns))


def split(word: int, bits: int, lanes: int) -> list[int]:
    """The numbers in the lanes of a word."""
    return [word >> bits * lane & (1 << bits) - 1 for lane in range(lanes)]


def joined(numbers: Sequence[int], bits: int) -> int:
    """The word with these numbers in its lanes."""
    return sum(number << bits * lane for lane, number in enumerate(numbers))


def worst(*outcomes: Outcome) -> Outcome:
    """The first that is wrong, else the first that is not attempted, else Right."""
    return first_fault(sorted(outcomes, key=lambda outcome: isinstance(outcome, NotAttempted)))


@exercise("06.1", "Three questions to a number", answers="height holes full_rows", points=2)
def three_questions(height: Function, holes: Function, full_rows: Function, *, seed: int) -> Outcome:
    """Right when all three agree with a look at every cell."""
    boards = [columns_of(board.full) for board in small_boards(seed, full_rows=True)]
    columns = sorted({column for board in boards for column in board}, key=lambda column: (column.bit_length(), column))
    singles = [(column,) for column in columns]

    def draw_column(column: int) -> list[Any]:
        return [f"`{column}` is `{column:#b}`, the column", cells_of([column])]

    def draw_board(columns: list[int]) -> list[Any]:
        return [f"columns `{columns}`", cells_of(columns)]

    return worst(
        first_difference(height, true_height, singles, show=draw_column),
        first_difference(holes, true_holes, singles, show=draw_column),
        first_difference(full_rows, true_full_rows, [(board,) for board in boards], show=draw_board),
    )


LIMIT = 1 / 0.4  # the largest part takes 60 % of the time


@exercise("06.2", "What will it bring?", answers="speed_up limit", points=1)
def what_it_brings(speed_up: Function, limit: Any, *, seed: int) -> Outcome:
    """Right when the new time is the sum of the parts' new times, and the limit is set by the rest."""
    formula = first_difference(
        speed_up, lambda shares, factors: 1 / sum(p / s for p, s in zip(shares, factors, strict=True)),
        amdahl_cases(seed), show="shares factors",
    )  # fmt: skip
    return worst(formula, judged_limit(limit))


def amdahl_cases(seed: int) -> list[tuple[list[float], list[float]]]:
    """Shares that add up to 1, and a factor for each: round numbers first."""
    cases: list[tuple[list[float], list[float]]] = [
        ([1.0], [4.0]), ([0.5, 0.5], [1.0, 1.0]), ([0.5, 0.5], [2.0, 1.0]), ([0.5, 0.25, 0.25], [4.0, 1.0, 0.5]),
    ]  # fmt: skip
    for number in range(20):
        draws, parts = Draws(seed, number), 2 + number % 4
        shares = np.round(draws.uniform(parts) + 0.1, 2)
        cases.append(((shares / shares.sum()).tolist(), (1.0 + draws.below(99, parts)).tolist()))
    return cases


def judged_limit(limit: Any) -> Outcome:
    """Right when it is the old time divided by what the largest part leaves."""
    high = "high: the parts that you leave alone still take their time"
    side = "low" if is_number(limit) and limit < LIMIT else high
    said = f"`limit` is {clipped(limit)}, which is too {side}. Which part is best to choose, and what remains?"
    return close_to(limit, LIMIT, 0.01, said)


@exercise("06.3", "Lanes that keep to themselves", answers="add_lanes", points=2)
def lanes_keep_to_themselves(add_lanes: Function, *, seed: int) -> Outcome:
    """Right when every lane has its sum without the carry."""

    def draw(a: int, b: int, high: int) -> list[Any]:
        bits, lanes = lanes_of(high)
        sums = split(true_sums(a, b, high), bits, lanes)
        first, second = split(a, bits, lanes), split(b, bits, lanes)
        return [f"{lanes} lanes of {bits} bits, the lowest first: {first} + {second} should be {sums}"]

    return first_difference(add_lanes, true_sums, lane_cases(seed), show=draw)


def lane_cases(seed: int) -> list[tuple[int, int, int]]:
    """Words to add, and where their lanes end: few and narrow lanes first, sums with and without carry."""
    cases: list[tuple[int, int, int]] = []
    for number in range(80):
        bits, lanes = [(2, 2), (4, 2), (4, 4), (8, 4), (8, 8), (21, 10)][min(number // 12, 5)]
        first, second = Draws(seed, number).below(1 << bits, (2, lanes)).tolist()
        if number % 12 < 3:  # every sum fits
            first, second = [one // 2 for one in first], [one // 2 for one in second]
        cases.append((joined(first, bits), joined(second, bits), joined([1 << bits - 1] * lanes, bits)))
    return cases


def lanes_of(high: int) -> tuple[int, int]:
    """The number of bits in a lane, and of lanes."""
    return (high & -high).bit_length(), high.bit_count()


def true_sums(a: int, b: int, high: int) -> int:
    """The sums, one lane at a time."""
    bits, lanes = lanes_of(high)
    pairs = zip(split(a, bits, lanes), split(b, bits, lanes), strict=True)
    return joined([(one + other) % (1 << bits) for one, other in pairs], bits)


@exercise("06.4", "A test that can say no", answers="trustworthy", points=2)
def a_test_that_can_say_no(trustworthy: Function, *, seed: int) -> Outcome:
    """Right when it passes the correct functions and rejects every bug."""
    for right in (all_holes, holes_in_lanes):
        said = trustworthy(right)
        if is_missing(said):
            return nothing_yet("trustworthy")
        if not said:
            return Wrong("Your test rejects a function that is right on every board. Compare with `slow_holes`, on "
                         "boards of 10 columns whose numbers are below `2**20`.")  # fmt: skip
    for found, bug in enumerate(BUGS):
        if trustworthy(bug):
            columns = small_difference(bug, seed)
            return Wrong(
                f"Your test has found {found} of {len(BUGS)} bugs so far, and lets the next wrong function pass. For "
                f"this board it counts {bug(columns)}, and the number of holes is {all_holes(columns)}. Would your "
                "test ever draw a board like it?",
                [filled(cells_of(columns, 20))],
            )
    return Right(f"Two functions that are right pass, and {len(BUGS)} that are wrong do not.")


def all_holes(columns: list[int]) -> int:
    """The holes of a board."""
    return sum(column.bit_length() - column.bit_count() for column in columns)


def holes_in_lanes(columns: list[int]) -> int:
    """The holes by another route: the shadows of all columns at once, less their cells."""
    word = shadow = joined(columns, 20)
    for step in (1, 2, 4, 8, 16):
        shadow |= shadow >> step & joined([(1 << 20 - step) - 1] * len(columns), 20)
    return (shadow ^ word).bit_count()


BUGS: tuple[Callable[[list[int]], int], ...] = (
    lambda columns: all_holes(columns[:-1]),  # stops one column early
    # runs of holes, not holes: two above each other count as one
    lambda columns: sum((~column & column >> 1 & (1 << 20) - 1).bit_count() for column in columns),
    # thinks that a column without a hole on the floor has none
    lambda columns: all_holes([column for column in columns if not column & 1]),
    # counts the cells with a table of two bytes, too small for the tallest columns
    lambda columns: sum(column.bit_length() - (column & 0xFFFF).bit_count() for column in columns),
    # forgets that '0b0' has a digit, and finds a hole in every empty column
    lambda columns: sum(len(bin(column)) - 2 - column.bit_count() for column in columns),
    lambda columns: all_holes([column & (1 << 19) - 1 for column in columns]),  # overlooks the top row
)


def small_difference(bug: Callable[[list[int]], int], seed: int) -> list[int]:
    """A board with few cells on which a wrong function fails: every cell that is not needed has been removed."""
    heights = Draws(seed, 64).below(21, (500, 10)).tolist()
    patterns = Draws(seed, 46).below(1 << 20, (500, 10)).tolist()
    boards = ([p >> 20 - h for p, h in zip(*pair, strict=True)] for pair in zip(patterns, heights, strict=True))
    columns = next(board for board in boards if bug(board) != all_holes(board))
    for place in range(10 * 20 - 1, -1, -1):
        less = [column & ~(1 << place % 20) if place // 20 == k else column for k, column in enumerate(columns)]
        columns = less if bug(less) != all_holes(less) else columns
    return columns


@exercise("06.5", "A feature of your own, twice", answers="slow_feature fast_feature", points=3)
def own_feature(slow_feature: Function, fast_feature: Function, *, seed: int) -> Outcome:
    """Right when both agree on all boards, the fast one is compiled, and the feature says something new."""
    boards = feature_boards(seed)
    slow = first_difference(
        slow_feature, slow_feature, [(cells,) for cells in boards[:3]],
        same=lambda got, _: np.ndim(got) == 0 and np.isfinite(float(got)),
    )  # fmt: skip
    if isinstance(slow, Wrong) and "stops" not in slow.text:
        return Wrong("`slow_feature` should return one number for a board.", slow.shown)
    if not isinstance(slow, Right):
        return slow
    if not hasattr(fast_feature, "signatures"):
        return Wrong("`fast_feature` is not compiled: `@numba.njit` should stand above it.")
    outcome = first_difference(fast_feature, slow_feature, [(cells,) for cells in boards], ask=on_one_board)
    if isinstance(outcome, Wrong):
        return Wrong(outcome.text.replace("it should give", "`slow_feature` gives"), outcome.shown)
    return outcome if isinstance(outcome, NotAttempted) else worth_having(slow_feature, fast_feature, boards)


def feature_boards(seed: int) -> list[Bools]:
    """Small boards, a full one, then boards of 10 columns and 20 rows."""
    large = []
    for number in range(40):
        draws = Draws(seed, 100 + number)
        cells = draws.uniform((20, 10)) < 0.75
        large.append(under(draws.below(21, 10), cells))
    return [*(board.full for board in small_boards(seed)), np.ones((20, 10), np.bool_), *large]


def on_one_board(fast_feature: Function, cells: Bools) -> Any:
    """The fast feature of one board's cells; the long messages of compilers are cut."""
    try:
        found = fast_feature(np.array([columns_of(cells)], np.int64))
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
        raise ValueError(" ".join(lines[:1])[:200]) from None
    if is_missing(found):
        return found
    if np.shape(found) != (1,):
        what = f"an array of shape {np.shape(found)}" if np.ndim(found) else f"the number {found}"
        raise ValueError(f"for one board it gives {what}, where an array of one number is wanted")
    return found[0]


def worth_having(slow_feature: Function, fast_feature: Function, boards: list[Bools]) -> Outcome:
    """Right when the feature varies, is neither of the lecture's two, and is the same for many boards at once."""
    large = [cells for cells in boards if cells.shape == (20, 10)]
    mine = np.array([float(slow_feature(cells)) for cells in large])
    columns = [columns_of(cells) for cells in large]
    if len(set(mine)) < 3:
        return Wrong("The two agree, but your feature is nearly constant: a player learns nothing from it.")
    if any((mine == [sum(map(known, board)) for board in columns]).all() for known in (true_height, true_holes)):
        return Wrong("The two agree, but the lecture has already counted this: the sum of heights, or the holes.")
    if not np.allclose(fast_feature(np.array(columns, np.int64)), mine):
        return Wrong("The two agree on single boards, but not when `fast_feature` gets many at once: is something kept "
                     "from one board to the next?")  # fmt: skip
    return Right(f"Your two versions agree on {len(boards)} boards; the feature has {len(set(mine))} different values.")


prose("06.6", "Proof, ratio, price", points=2, kind="open")


prose("06.7", "Why the shadows stay in their lanes", points=3, kind="proof")

VERSIONS, RUNS, MACHINES = 6, 480, 200
HELD_UP, FILM, STRETCH = 0.2, 1.5, 120
CLEAR, CLOSE = 0.08, 0.02
"""How much slower each version is than the next better one."""
RUNGS = ((CLEAR, 0.85), (CLOSE, 0.5), (CLOSE, 0.9))
"""Differences, and the share of machines on which the fastest is to be found."""


class BusyMachine:
    """Versions of known speed, timed where other things go on; it refuses when all runs are used up."""

    def __init__(self, draws: Draws, slower: float):
        self.times = 1 + slower * draws.order(VERSIONS)
        film = (np.cumsum(draws.uniform(RUNS) < 1 / STRETCH) + draws.below(2)) % 2
        self.held_up = (1 - HELD_UP * np.log(draws.uniform(RUNS))) * np.where(film, FILM, 1.0)
        self.runs = 0

    def measure(self, version: Any) -> float:
        """The milliseconds of one more run."""
        k = whole_number("version", version, 0, VERSIONS - 1)
        if self.runs == RUNS:
            raise RuntimeError(f"measure has been called {RUNS} times, and no run is left")
        self.runs += 1
        return float(self.times[k] * self.held_up[self.runs - 1])


@exercise("06.8", "A stopwatch in a busy room", answers="fastest", points=3, kind="design")
def busy_room(fastest: Function, *, seed: int) -> Outcome:
    """Right when the fastest version is found on most machines, with the runs there are."""
    found = {}
    for slower in (CLEAR, CLOSE):
        times = times_fastest(fastest, seed, slower)
        if not isinstance(times, int):
            return times
        found[slower] = times
    rungs = [f"the fastest by {slower:.0%} found on more than {share:.0%} of the machines" for slower, share in RUNGS]
    up = [found[slower] > share * MACHINES for slower, share in RUNGS]
    measured = f"Found on {found[CLEAR]} of {MACHINES} machines by {CLEAR:.0%}, on {found[CLOSE]} by {CLOSE:.0%}"
    reached, missing = ([rung for rung, is_up in zip(rungs, up, strict=True) if is_up == way] for way in (True, False))
    return climbed(measured, reached, missing)


def times_fastest(fastest: Function, seed: int, slower: float) -> int | Outcome:
    """On how many machines a plan finds the fastest version; or what is wrong with what it returns."""
    found = 0
    for number in range(MACHINES):
        machine = BusyMachine(Draws(seed, 68_000 + number + round(100_000 * slower)), slower)
        named = fastest(machine.measure, VERSIONS, RUNS)
        if is_missing(named):
            return nothing_yet("fastest")
        if isinstance(named, bool) or not isinstance(named, int | np.integer) or not 0 <= named < VERSIONS:
            return expected(f"the number of a version, from 0 to {VERSIONS - 1}", named)
        found += int(named) == int(machine.times.argmin())
    return found
