"""Fixtures and settings of all tests."""

import contextlib
import os
import signal

import pytest
from hypothesis import settings

# How long a case takes depends on what else the machine does: no test is about that.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")

# What tests do is not the progress of the person who runs them.
os.environ["TETRISCOURSE_PROGRESS"] = ""

# No test needs another process that compiles what it does not use.
os.environ["TETRISCOURSE_BACKGROUND"] = "0"

# A shell that runs the tests in the background makes them, and every process they start, ignore Ctrl-C; tests of
# Ctrl-C need the usual behaviour. (Only the main thread may say so, which is where tests are loaded.)
with contextlib.suppress(ValueError):
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test as fast that is not marked slow, needs no browser and runs no notebook."""
    for item in items:
        if item.path.suffix == ".py" and "browser" not in item.path.parts and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.fast)
