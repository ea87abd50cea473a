"""`ratios`: how many times as fast one way of doing a job is as another, measured here and now.

Seconds depend on the machine and on what else it is doing; ratios much less, if all ways take turns in one run, so
that a slow moment hits all of them. The best of several rounds counts: nothing makes a program faster than it is, and
many things make it slower.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from matplotlib.figure import Figure

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.plots import alternative
from tetriscourse.plots.speed import speed_ratios

Way = Callable[[], object]
Clock = Callable[[], float]
FINE = 1e-5  # clocks with larger steps than this, in seconds, are used only on request
SHORTEST, MOST_REPEATS = 0.002, 100_000
"""Least seconds of one measurement, or the clock's own steps would show; and most calls in it."""


@dataclass(frozen=True)
class Ratios:
    """The seconds that several ways took for one job; in a notebook, a figure that compares them."""

    seconds: Mapping[str, float]  # the best time of each way
    job: str = ""

    def faster(self, way: str, than: str) -> float:
        """How many times as fast one way is as another."""
        for name in (way, than):
            if name not in self.seconds:
                raise InputError(f"{shown(name)} was not measured; these were: {', '.join(self.seconds)}")
        return self.seconds[than] / self.seconds[way]

    def figure(self) -> Figure:
        """A bar for each way: how many times as fast it is as the first one."""
        return speed_ratios(self.seconds, self.job)

    def __repr__(self) -> str:
        """A text without numbers, which is the same on every machine: notebooks are compared by it."""
        return f"Ratios of {', '.join(self.seconds)}: measured by turns, see the figure"

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        figure, picture = self.figure(), BytesIO()
        figure.savefig(picture, format="png")
        return picture.getvalue(), {"alt": alternative(figure), "measured": True}


def ratios(
    ways: Mapping[str, Way],
    job: str = "",
    *,
    rounds: int = 9,
    amounts: Mapping[str, float] | None = None,
    clock: Clock | None = None,
) -> Ratios:
    """Time several ways of doing one job, taking turns, and compare the best time of each.

    ways: functions without arguments, by name; each is called once before the clock starts, which also compiles it.
    job: what they do, for the figure's title.
    rounds: how often each is timed.
    amounts: how much of the job each does in one call, if that differs.
    clock: returns seconds; None: counts only while this thread works, so that other programs hardly disturb. If the
        ways start threads of their own, pass time.perf_counter, the wall clock.
    """
    if not isinstance(ways, Mapping) or not ways or not all(callable(way) for way in ways.values()):
        raise InputError(f"ways is {shown(ways)}; it must be a dictionary of functions by name")
    done = dict.fromkeys(ways, 1.0) if amounts is None else dict(amounts)
    if set(done) != set(ways) or not all(amount > 0 for amount in done.values()):
        raise InputError(f"amounts is {shown(amounts)}; it must give a positive number for each of {', '.join(ways)}")
    clock = clock or working_clock()
    best = dict.fromkeys(ways, float("inf"))
    repeats = {name: enough_repeats(way, clock) for name, way in ways.items()}
    with undisturbed():
        for _ in range(whole_number("rounds", rounds, 1)):
            for name, way in ways.items():
                best[name] = min(best[name], seconds_of(way, repeats[name], clock) / repeats[name])
    return Ratios({name: seconds / done[name] for name, seconds in best.items()}, job)


def working_clock() -> Clock:
    """The clock that counts while this thread works, if the system has a fine one; else the wall clock."""
    fine = time.get_clock_info("thread_time").resolution <= FINE
    return time.thread_time if fine else time.perf_counter


def seconds_of(way: Way, repeats: int, clock: Clock) -> float:
    """The time that a number of calls takes."""
    start = clock()
    for _ in range(repeats):
        way()
    return clock() - start


def enough_repeats(way: Way, clock: Clock) -> int:
    """The number of calls that last long enough to be timed; the first call, which may compile, does not count."""
    way()
    repeats = 1
    while repeats < MOST_REPEATS and seconds_of(way, repeats, clock) < SHORTEST:
        repeats *= 4
    return repeats


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep Python from collecting garbage in the middle of a measurement."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
