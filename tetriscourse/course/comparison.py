"""A plugin for pytest: how the outputs of notebooks are compared, here and by `tetriscourse check`.

What a cell writes to stderr is not compared, since compilers tell more the first time; no progress is kept or shown.
"""

from __future__ import annotations

import os

import pytest

from tetriscourse.course.progress import VARIABLE


def pytest_configure(config: pytest.Config) -> None:
    """Checks that run in notebooks leave no trace in the progress of the person who tests."""
    os.environ[VARIABLE] = ""


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Of each notebook, compare everything but stderr with what is stored."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("stderr",)
