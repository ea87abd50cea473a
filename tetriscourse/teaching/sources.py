"""From text to notebooks: lectures and solutions are written as percent files, exercises are made from solutions.

Students fill in a code cell with `### BEGIN SOLUTION`; a cell that calls `check("01.2")` judges it; a Markdown cell
with `answer="01.5"` beside its marker is a model answer in words. nbgrader's metadata follow from these three.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from tetriscourse.course.exercises import Exercise, exercise_with
from tetriscourse.errors import InputError, counted

Notebook = Any
Cell = Any

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
CODE_STUB = "# your code here\npass"
PROSE_STUB = "*Your answer, in your own words.*"
CHECK = re.compile(r'^check\("(\d\d\.\d+)"\)', re.MULTILINE)
HEADING = re.compile(r"^## (\d\d\.\d+) .*?( \(open)?(?=\)?$)", re.MULTILINE)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}

WORDS_A_MINUTE, MINUTES_A_CELL, MINUTES_A_PANEL, MINUTES_A_POINT = 150, 0.5, 4, 6
"""Assumptions behind the times at the top of a chapter: careful reading, running and thinking, playing, solving."""


def read_source(path: Path) -> Notebook:
    """The notebook that a percent file describes, with cell ids by position."""
    import jupytext

    notebook = jupytext.reads(path.read_text("utf-8"), fmt="py:percent")
    notebook.metadata = {"kernelspec": dict(KERNEL), "language_info": {"name": "python"}}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    minutes = str(reckoned_minutes(notebook))
    for position, cell in enumerate(notebook.cells):
        cell.id = f"{path.stem[:40].replace('_', '-')}-{position:03d}"
        cell.source = cell.source.replace("{{minutes}}", minutes)
        cell.metadata.pop("lines_to_next_cell", None)
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
    return notebook


def reckoned_minutes(notebook: Notebook) -> int:
    """The time that a careful student needs, in steps of five minutes."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    words = sum(len(re.findall(r"\w+", cell.source)) for cell in notebook.cells if cell.cell_type == "markdown")
    panels = sum(len(re.findall(r"\b\w+Panel\(", source)) for source in code)
    solved = [id for source in code for id in CHECK.findall(source)]
    solved += [cell.metadata["answer"] for cell in notebook.cells if "answer" in cell.metadata]
    points = sum(exercise_with(id).points for id in solved)
    minutes = words / WORDS_A_MINUTE + MINUTES_A_CELL * len(code) + MINUTES_A_PANEL * panels
    return 5 * max(1, round((minutes + MINUTES_A_POINT * points) / 5))


def solution(path: Path) -> Notebook:
    """The solutions of a chapter, with nbgrader's metadata in each cell."""
    notebook = read_source(path)
    checks = [(place, id) for place, cell in enumerate(notebook.cells) for id in checked_ids(cell)]
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and BEGIN in cell.source:
            following = [id for later, id in checks if later > place]
            if not following:
                raise InputError(f"{path.name} has a solution without a check after it: {cell.source[:60]!r}")
            mark(cell, exercise_with(following[0]), "solution", count=solutions_before(notebook, place, checks))
        for id in checked_ids(cell):
            mark(cell, exercise_with(id), "check")
        if cell.cell_type == "markdown":
            cell.source = HEADING.sub(with_points, cell.source)
        if "answer" in cell.metadata:
            answered = exercise_with(cell.metadata.pop("answer"))
            cell.source += marking_scheme(answered)
            mark(cell, answered, "prose")
    return notebook


def marking_scheme(exercise: Exercise) -> str:
    """What the points of an answer in words are given for, as the end of its model answer."""
    rows = [f"- {counted(worth, 'point')}: {what}" for worth, what in exercise.marking]
    return "\n\n**Marking**\n\n" + "\n".join(rows) if rows else ""


def with_points(heading: re.Match[str]) -> str:
    """The heading of an exercise with its points."""
    worth = counted(exercise_with(heading[1]).points, "point")
    return f"{heading[0]}, {worth}" if heading[2] else f"{heading[0]} ({worth})"


def checked_ids(cell: Cell) -> list[str]:
    """The exercises that a cell checks."""
    return CHECK.findall(cell.source) if cell.cell_type == "code" else []


def solutions_before(notebook: Notebook, place: int, checks: list[tuple[int, str]]) -> int:
    """The number of solution cells of the same exercise before this one."""
    start = max((later for later, _ in checks if later < place), default=-1)
    return sum(BEGIN in cell.source for cell in notebook.cells[start + 1 : place] if cell.cell_type == "code")


def mark(cell: Cell, exercise: Exercise, kind: str, count: int = 0) -> None:
    """Write nbgrader's metadata into a cell."""
    graded = kind != "solution"
    cell.metadata["nbgrader"] = {
        "grade": graded,
        "grade_id": f"{kind}-{exercise.slug}" + (f"-{count + 1}" if count else ""),
        "locked": kind == "check",
        "schema_version": 3,
        "solution": kind != "check",
        "task": False,
    } | ({"points": exercise.points} if graded else {})
    if kind == "check":
        cell.metadata["deletable"], cell.metadata["editable"] = False, False


def exercise_notebook(solved: Notebook) -> Notebook:
    """The exercises: the notebook of solutions with every solution replaced by a stub."""
    notebook = copy.deepcopy(solved)
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = PROSE_STUB if cell.cell_type == "markdown" else without_solution(cell.source)
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
    return notebook


def without_solution(source: str) -> str:
    """The code with every solution replaced by a stub with the same indentation."""
    kept: list[str] = []
    inside = False
    for line in source.splitlines():
        if line.strip() == BEGIN:
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + stub for stub in CODE_STUB.splitlines()]
            inside = True
        elif line.strip() == END:
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise InputError(f"a solution begins and does not end: {source[:60]!r}")
    return "\n".join(kept)
