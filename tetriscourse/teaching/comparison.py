"""A plugin for pytest: how the outputs of notebooks are compared, here and by `tetriscourse check`.

What a cell writes to stderr is not compared, since compilers tell more the first time.
"""

from __future__ import annotations

import pytest

from tetriscourse.teaching.building import course_environment


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Run each notebook as it was run when it was built, and compare everything but stderr with what is stored."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("stderr",)
        start_kernel = collector.setup

        def setup() -> None:
            with course_environment():
                start_kernel()

        collector.setup = setup  # type: ignore[method-assign]
