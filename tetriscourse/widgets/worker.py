"""Work in the background, step by step: each step starts only after the page has shown the one before.

So a panel that is no longer visible, because its cell was run again, its tab closed or its kernel is busy, does
nothing; and twenty panels at once never send more than the page can take.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

BUSY = 0.1  # if the page takes longer than this to answer, in seconds, it or the kernel is busy


class Worker:
    """Takes steps in its own thread while running; `step()` returns whether there is more to do."""

    def __init__(self, step: Callable[[], bool], version: Callable[[], int], ended: Callable[[], None]):
        self.step, self.version, self.ended = step, version, ended
        self.pace = 0.0  # minimum number of seconds from the start of one step to the start of the next
        self.seen = -1  # the newest version of the panel that the page has shown
        self.waits_for_page = False  # a step is done, and the page has not shown it yet
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether it is taking steps."""
        return self._thread is not None

    def start(self) -> None:
        """Start taking steps."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name="tetriscourse panel", daemon=True)
                self._thread.start()

    def pause(self) -> None:
        """Take no more steps."""
        with self._changed:
            self._thread = None
            self._changed.notify_all()

    def acknowledge(self, version: int) -> None:
        """Note that the page has shown this version."""
        with self._changed:
            self.seen = max(self.seen, version)
            self._changed.notify_all()

    def _is_mine(self) -> bool:
        return self._thread is threading.current_thread()

    def _loop(self) -> None:
        while self._is_mine():
            begun = time.monotonic()
            if not self.step():
                self._finish()
                return
            done = time.monotonic()
            self._wait_for_page(self.version())
            now = time.monotonic()
            # A busy page or kernel gets as much time again as it took to answer.
            patience = now - done if now - done > BUSY else 0.0
            self._wait(lambda: False, max(patience, begun + self.pace - now, 0.0))

    def _wait_for_page(self, version: int) -> None:
        """Wait until the page has shown this version or a newer one, as when a slider moves."""
        self.waits_for_page = True
        self._wait(lambda: self.seen >= version)
        self.waits_for_page = False

    def _wait(self, ready: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait until ready, out of time, or paused."""
        with self._changed:
            self._changed.wait_for(lambda: ready() or not self._is_mine(), seconds)

    def _finish(self) -> None:
        with self._changed:
            mine = self._is_mine()
            if mine:
                self._thread = None
        if mine:
            self.ended()
