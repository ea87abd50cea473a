"""A pytest plugin that compares the outputs of notebooks, for our tests and for `tetriscourse check`.

It does not compare stderr, where compilers say more the first time.
"""

from __future__ import annotations

import pytest

from tetriscourse.teaching.building import course_environment


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Run each notebook in the environment that it was built in, and compare everything but stderr."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("stderr",)
        start_kernel = collector.setup

        def setup() -> None:
            with course_environment():
                start_kernel()

        collector.setup = setup  # type: ignore[method-assign]
