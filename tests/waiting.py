"""Waiting for what another thread, process or page does: never for a fixed time."""

import time
from collections.abc import Callable
from typing import Any

BETWEEN_LOOKS = 0.005
PATIENCE = 90
"""Seconds that anything may take on a small and busy machine."""


def wait_until(condition: Callable[[], Any], seconds: float = PATIENCE, explain: Callable[[], Any] = lambda: "") -> Any:
    """Wait until a condition holds, and return what it gave; fail with an explanation if it never does."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"it did not happen within {seconds} s. {explain()}"
        time.sleep(BETWEEN_LOOKS)
    return value


def stays(condition: Callable[[], Any], seconds: float = 0.3) -> bool:
    """Whether a condition goes on holding: for claims that nothing happens."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not condition():
            return False
        time.sleep(BETWEEN_LOOKS)
    return True
