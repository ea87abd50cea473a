"""From sources to the notebooks that students open.

Two builds of the same sources give the same bytes: cells are numbered by position, the random names of widgets are
replaced by their order, and pictures of measured speed are kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from tetriscourse.course.chapters import CLONE
from tetriscourse.course.progress import VARIABLE
from tetriscourse.errors import InputError
from tetriscourse.teaching.sources import Cell, Notebook, exercise_notebook, read_source, solution

WIDGETS = "application/vnd.jupyter.widget-state+json"
SECONDS_A_CELL = 120


def build(top: Path, stems: list[str]) -> Iterator[Path]:
    """Build the lectures and solutions of these chapters, two at a time; yields each notebook once it is written."""
    sources = [path for stem in stems for path in source_files(top, stem)]
    with ProcessPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        for path, failure in zip(sources, pool.map(built, sources), strict=True):
            if failure:
                raise InputError(f"{path.relative_to(top)} cannot be built: {failure}")
            yield path.with_suffix(".ipynb")
            if path.parent.name == "solutions":
                yield exercises_of(path)


def clone_with_sources() -> Path:
    """The clone that this package runs from, with the sources of the notebooks."""
    if not (CLONE / "notebooks").is_dir():
        raise InputError("the sources of the notebooks are missing; this command works in a clone of the repository")
    return CLONE


def source_files(top: Path, stem: str) -> list[Path]:
    """The sources of a chapter: its lecture and its solutions."""
    return [path for folder in ("notebooks", "solutions") if (path := top / folder / f"{stem}.py").is_file()]


def built(path: Path) -> str:
    """Build one source, and the exercises with the solutions; returns what failed, or nothing."""
    try:
        solved = path.parent.name == "solutions"
        notebook = solution(path) if solved else read_source(path)
        if solved:
            exercises_of(path).write_text(as_text(exercise_notebook(notebook)), "utf-8")
        stored = path.with_suffix(".ipynb")
        done = with_old_measurements(executed(notebook, path.parent, path.stem), stored)
        stored.write_text(as_text(done), "utf-8")
    except Exception as error:
        return str(error)[-2000:]
    return ""


def exercises_of(solutions: Path) -> Path:
    """The notebook of exercises that is made from a source of solutions."""
    return solutions.parent.parent / "exercises" / f"{solutions.stem}.ipynb"


def as_text(notebook: Notebook) -> str:
    """A notebook's file, as JupyterLab would write it."""
    import nbformat

    return str(nbformat.writes(nbformat.from_dict(notebook))) + "\n"


def executed(notebook: Notebook, folder: Path, name: str) -> Notebook:
    """The notebook with the outputs and widgets of all its cells."""
    import nbformat
    from nbclient import NotebookClient

    with course_environment():
        NotebookClient(
            notebook, timeout=SECONDS_A_CELL, kernel_name="python3", resources={"metadata": {"path": str(folder)}},
            store_widget_state=True, record_timing=False, coalesce_streams=True,
            extra_arguments=["--log-level=CRITICAL"],
        ).execute()  # fmt: skip
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        if cell.cell_type == "code":  # compilers' messages depend on what is already compiled
            cell.outputs = [one for one in cell.outputs if one.get("name") != "stderr"]
    text = as_text(notebook)
    for order, model in enumerate(notebook.metadata.get("widgets", {}).get(WIDGETS, {}).get("state", {})):
        text = text.replace(model, sha256(f"{name} {order}".encode()).hexdigest()[: len(model)])
    return nbformat.reads(text, as_version=4)


def with_old_measurements(notebook: Notebook, stored: Path) -> Notebook:
    """The notebook with the stored pictures of speed, where their cells have not changed.

    No two measurements are equal, and a build is no reason to measure again; to do so, delete the notebook.
    """
    import nbformat

    old = nbformat.read(stored, as_version=4).cells if stored.is_file() else []
    pictures = {cell.source: cell.outputs for cell in old if cell.cell_type == "code" and is_measured(cell)}
    for cell in notebook.cells:
        if cell.cell_type == "code" and is_measured(cell):
            cell.outputs = pictures.get(cell.source, cell.outputs)
    return notebook


def is_measured(cell: Cell) -> bool:
    """Whether a cell shows a picture that is marked as measured."""
    return any(one.get("metadata", {}).get("image/png", {}).get("measured") for one in cell.outputs)


QUIET = {VARIABLE: "", "TQDM_DISABLE": "1"}
"""Variables for building and comparing: no student's progress and no progress bars, so that outputs are the same
everywhere."""


@contextlib.contextmanager
def course_environment() -> Iterator[None]:
    """The environment in which notebooks are executed."""
    before = {name: os.environ.get(name) for name in QUIET}
    os.environ.update(QUIET)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
