"""Ctrl-C that ends a long run without losing anything."""

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


@contextmanager
def interrupts(work: Stoppable) -> Iterator[None]:
    """Let Ctrl-C ask the work to stop instead of raising an exception; a second Ctrl-C does raise."""
    before = signal.getsignal(signal.SIGINT)
    # Only the main thread may handle signals; and where Ctrl-C is ignored, as in background jobs, it stays so.
    if threading.current_thread() is not threading.main_thread() or before in (signal.SIG_IGN, None):
        yield
        return

    def handle(number: int, frame: Any) -> None:
        if work.stopping:
            raise KeyboardInterrupt
        work.stop()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
