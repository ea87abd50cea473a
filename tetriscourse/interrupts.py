"""Ctrl-C that ends a long run without losing anything, or, where half a result is of no use, at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Stoppable(Protocol):
    """Work that can be asked to stop."""

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""

    def stop(self) -> None:
        """Ask it to stop."""


_whole_only: list[bool] = []  # not empty within `whole_results`


@contextmanager
def whole_results() -> Iterator[None]:
    """In here Ctrl-C raises KeyboardInterrupt also out of runs that would else return what they have so far."""
    _whole_only.append(True)
    try:
        yield
    finally:
        _whole_only.pop()


def keeps_parts() -> bool:
    """Whether a run that Ctrl-C ends shall return what it has so far."""
    return not _whole_only


@contextmanager
def interrupts(work: Stoppable) -> Iterator[None]:
    """Let Ctrl-C ask the work to stop instead of raising; a second Ctrl-C does raise, and any in `whole_results`."""
    before = signal.getsignal(signal.SIGINT)
    # Only the main thread may handle signals; and where Ctrl-C is ignored, as in background jobs, it stays so.
    if threading.current_thread() is not threading.main_thread() or before in (signal.SIG_IGN, None):
        yield
        return

    def handle(number: int, frame: Any) -> None:
        again = work.stopping
        work.stop()
        if again or not keeps_parts():
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
