"""What all tests need."""

import contextlib
import os
import signal
from zlib import crc32

import pytest
from hypothesis import settings

# How long a case takes depends on what else the machine does: no test is about that.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")

# What tests do is not the progress of the person who runs them.
os.environ["TETRISCOURSE_PROGRESS"] = ""

# A shell that runs the tests in the background makes them, and every process they start, ignore Ctrl-C; tests of
# Ctrl-C need the usual behaviour. (Only the main thread may say so, which is where tests are loaded.)
with contextlib.suppress(ValueError):
    signal.signal(signal.SIGINT, signal.default_int_handler)

COMPILING = ("test_course_checks", "test_simulator", "test_simulated_games")
LONG = ("browser", "notebooks", "test_grading", "test_small_tetris", "test_validation")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First what compiles most, then what is long, browsers beside notebooks, so that few wait at the same time."""

    def place(item: pytest.Item) -> tuple[bool, bool, int]:
        path = str(item.path.relative_to(item.config.rootpath))
        compiling, long = (any(word in path for word in words) for words in (COMPILING, LONG))
        return not compiling, not long, crc32(item.path.name.encode())

    items.sort(key=place)
