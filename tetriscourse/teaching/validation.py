"""Validation: run lectures and solutions, and compare every output with the stored one.

nbval does the comparing, in a copy of the notebooks, so that an installed package stays untouched.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tetriscourse.errors import InputError
from tetriscourse.teaching.building import SECONDS_A_CELL
from tetriscourse.teaching.sources import checked_ids

FOLDERS = ("notebooks", "solutions")
LINES, WIDTH = 6, 110  # how much of a difference is shown


@dataclass
class ComparedNotebook:
    """One notebook, compared with what is stored."""

    folder: str
    cells: int = 0
    bad: int = 0
    checks: int = 0
    right: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)

    def add(self, difference: str) -> None:
        """Record a difference."""
        self.bad += 1
        self.differences.append(difference)

    def __str__(self) -> str:
        return f"{self.cells} ok" if not self.bad else f"{self.bad} of {self.cells} differ"


def checked(top: Path, stems: list[str]) -> Iterator[tuple[str, dict[str, ComparedNotebook]]]:
    """The comparisons of each chapter, by folder; two notebooks run at a time."""
    missing = [stem for stem in stems if not (top / "notebooks" / f"{stem}.ipynb").is_file()]
    if missing:
        raise InputError(f"notebooks/{missing[0]}.ipynb is missing; build it first (tetriscourse build)")
    with tempfile.TemporaryDirectory() as copy, ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        (Path(copy) / "pytest.ini").write_text("[pytest]\n")  # so that no settings from elsewhere count
        running: dict[str, dict[str, Future[ComparedNotebook]]] = {stem: {} for stem in stems}
        for stem in stems:
            for folder in FOLDERS:
                if (top / folder / f"{stem}.ipynb").is_file():
                    (Path(copy) / folder).mkdir(exist_ok=True)
                    path = shutil.copyfile(top / folder / f"{stem}.ipynb", Path(copy) / folder / f"{stem}.ipynb")
                    running[stem][folder] = pool.submit(compared, path)
        try:
            for stem in stems:
                yield stem, {folder: future.result() for folder, future in running[stem].items()}
        finally:
            pool.shutdown(cancel_futures=True)


def compared(path: Path) -> ComparedNotebook:
    """Run one notebook with nbval, in this process and a kernel of its own."""
    import pytest

    listener = Listener(ComparedNotebook(path.parent.name))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    words = ["-c", str(path.parent.parent / "pytest.ini"), "--noconftest", "--color=no", "-p", "no:cacheprovider"]
    words += ["-p", "tetriscourse.teaching.comparison", "-p", "nbval.plugin"]
    words += ["--nbval", "--nbval-current-env", f"--nbval-cell-timeout={SECONDS_A_CELL}"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = pytest.main([*words, str(path)], plugins=[listener])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not listener.found.cells:
        listener.found.add(f"cannot be run: {' '.join(said.getvalue().split())[-400:]}")
    return listener.found


class Listener:
    """A pytest plugin that counts the cells of a notebook and records the differences."""

    def __init__(self, found: ComparedNotebook):
        self.found = found

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Remember the cells by name."""
        self.items = {item.nodeid: item for item in items}
        self.found.cells = len(items)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Judge one cell: it ran, its outputs are the stored ones, and a check in it says right."""
        self.found.seconds += report.duration
        item = self.items[report.nodeid]
        name = f"code cell {item.cell_num + 1}"
        says_right = report.when != "call" or self.says_right(item)
        if report.failed:
            self.found.add(f"{name}: {shortened(report.longreprtext)}")
        elif not says_right:
            self.found.add(f"{name}: its check does not say right")
        elif report.when == "call" and item.cell.execution_count is None:
            self.found.add(f"{name}: it was never executed, so there is nothing to compare with")

    def says_right(self, item: Any) -> bool:
        """Whether a check in this cell gives all its points; a lecture's may fail on purpose."""
        points = item.cell.metadata.get("nbgrader", {}).get("points")
        if points is None or not checked_ids(item.cell):
            return True
        texts = [out["data"].get("text/plain") for out in item.test_outputs or [] if "data" in out]
        self.found.checks += 1
        self.found.right += texts == [str(points)]
        return texts == [str(points)]


def shortened(text: str) -> str:
    """nbval's report on a cell in a few lines: the cell and the difference, or the last line of the error."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    head, _, detail = plain.partition("Traceback:\n")
    source = [line for line in head.partition("Input:\n")[2].splitlines() if line.strip()]
    lines = [line.rstrip() for line in detail.splitlines() if line.strip() and "assert reference_output" not in line]
    shown = lines[:LINES] if "outputs differ" in head else lines[-1:]
    what = "its outputs differ" if "outputs differ" in head else "it stops with an error"
    return "\n".join([what, *(f"    {line.strip()[:WIDTH]}" for line in [*source[:1], *shown])])
