"""`check` and `hint`, which students call after an exercise. Neither ever raises."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

from tetriscourse.course.cells import trouble_with, watch_cells
from tetriscourse.course.exercises import Exercise, exercise_with
from tetriscourse.course.outcomes import NotAttempted, NotRun, Outcome, Wrong, clipped, is_missing
from tetriscourse.course.progress import remember
from tetriscourse.course.verdicts import Said, Verdict
from tetriscourse.errors import InputError
from tetriscourse.interrupts import whole_results

SEED, SECONDS = 1, 30
GRADERS_SEED = "TETRISCOURSE_CHECK_SEED"
_last: list[str] = []  # the exercise that was checked or named last, for `hint(1)`


class TooSlow(BaseException):
    """A check ran out of time; not an Exception, so that a careless `except` does not swallow it."""


def check(exercise: str) -> Verdict | Said:
    """Judge the answers to an exercise, which are looked up by name in the caller's module; '1.2' means '01.2'.

    An answer whose cell did not run to its end is not judged, except by graders, who run everything anew.
    """
    try:
        chosen = exercise_with(exercise)
    except InputError as error:
        return Said(str(error))
    _last[:] = [chosen.id]
    namespace = sys._getframe(1).f_globals
    trouble = trouble_with(chosen.answers, namespace) if GRADERS_SEED not in os.environ else ""
    verdict = Verdict(chosen, NotRun(trouble) if trouble else judged(chosen, namespace, check_seed()))
    remember(chosen.id, verdict.state, verdict.points)
    return verdict


def hint(number: int | str = 1, exercise: str | None = None) -> Said:
    """A hint, by number, for the given exercise or the one that was checked last."""
    if isinstance(number, str) and exercise is None:  # hint("01.2")
        exercise, number = number, 1
    try:
        if exercise is None and not _last:
            return Said("Run the check of an exercise first, or name one: hint(1, '01.2').")
        chosen = exercise_with(exercise or _last[0])
    except InputError as error:
        return Said(str(error))
    _last[:] = [chosen.id]
    if not chosen.hints:
        return Said(f"There are no hints for exercise {chosen.id}.")
    if not isinstance(number, int) or not 1 <= number <= len(chosen.hints):
        return Said(f"Exercise {chosen.id} has hints 1 to {len(chosen.hints)}.")
    more = f" (hint({number + 1}) says more)" if number < len(chosen.hints) else " (this is the last hint)"
    return Said(f"Hint {number} for {chosen.id}: {chosen.hints[number - 1]}{more}")


def check_seed() -> int:
    """The seed of the checks; graders use other ones."""
    text = os.environ.get(GRADERS_SEED, "")
    return int(text) if text.isdigit() else SEED


def judged(exercise: Exercise, namespace: Mapping[str, Any], seed: int, seconds: float = SECONDS) -> Outcome:
    """The outcome of an exercise for the answers in a namespace, whatever they do."""
    if exercise.judge is None:
        return NotAttempted("The answer to this exercise is words; a teacher reads it.")
    missing = [name for name in exercise.answers if is_missing(namespace.get(name))]
    if missing:
        return NotAttempted(f"`{missing[0]}` has no value yet.")
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()), whole_results(), limited(seconds):
            return exercise.judge(*(namespace[name] for name in exercise.answers), seed=seed)
    except NotImplementedError:
        return NotAttempted()
    except TooSlow:
        return Wrong(f"It did not finish within {seconds:g} seconds. Is there a loop that never ends?")
    except KeyboardInterrupt:
        return NotRun("The check was interrupted, so nothing is known yet. Run it again.")
    except BaseException as error:
        return Wrong(f"It stops with {type(error).__name__}: {clipped(str(error))}")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooSlow after a time limit, where the system has an alarm clock."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        # Compiling the simulator, once, is not the answer's fault: its time starts over.
        if getattr(sys.modules.get("tetriscourse.simulator.announcing"), "compiling_now", ()):
            signal.setitimer(signal.ITIMER_REAL, seconds)
        else:
            raise TooSlow

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


watch_cells()
