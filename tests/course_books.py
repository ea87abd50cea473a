"""The notebooks of the course, read and run without a kernel, for tests."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import matplotlib as mpl

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.teaching.sources import BEGIN, CHECK

ROOT = Path(__file__).parents[1]
mpl.use("agg")


@cache
def cells(folder: str, chapter: str) -> list[dict[str, Any]]:
    """The cells of a chapter's notebook, each source as one text."""
    book = json.loads((ROOT / folder / CHAPTERS[chapter].file).read_text("utf-8"))
    return [cell | {"source": "".join(cell["source"])} for cell in book["cells"]]


@cache
def everything(chapter: str) -> str:
    """All that a lecture says and prints."""
    return said(cells("notebooks", chapter))


@cache
def results() -> str:
    """All that the notebook of results says and prints."""
    book = json.loads((ROOT / "notebooks" / "results.ipynb").read_text("utf-8"))
    return said([cell | {"source": "".join(cell["source"])} for cell in book["cells"]])


def said(cells: list[dict[str, Any]]) -> str:
    """All that some cells say and print."""
    found = []
    for cell in cells:
        outputs = [part for output in cell.get("outputs", []) for part in (output, output.get("data", {}))]
        found += [cell["source"], *("".join(one.get(key, "")) for one in outputs for key in ("text", "text/plain"))]
    return "\n".join(found)


def code(folder: str, chapter: str) -> list[str]:
    """The code cells of a chapter's notebook."""
    return [cell["source"] for cell in cells(folder, chapter) if cell["cell_type"] == "code"]


def run(source: str, namespace: dict[str, Any]) -> None:
    """Run the code of a cell among these names."""
    exec(compile(source, "<cell>", "exec"), namespace)


def wrong_answers(chapter: str) -> dict[str, list[str]]:
    """Plausible wrong answers to the exercises of a chapter, as code."""
    found: dict[str, list[str]] = import_module(f"wrong_answers.chapter_{chapter}").WRONG
    return found


def partly_right(chapter: str) -> dict[str, list[tuple[int, str]]]:
    """Answers that reach some rungs of a ladder, as points and code."""
    return getattr(import_module(f"wrong_answers.chapter_{chapter}"), "PARTLY", {})


def tried(chapter: str) -> dict[str, Any]:
    """The exercises of a chapter as a student may work: each untouched, then with a mistake, then solved."""
    book = json.loads((ROOT / "exercises" / CHAPTERS[chapter].file).read_text("utf-8"))
    done, solved = [], []
    for stub, model in zip(book["cells"], cells("solutions", chapter), strict=True):
        done.append(stub)
        if BEGIN in model["source"]:
            solved.append(as_code(model["source"]))
        for id in CHECK.findall("".join(stub["source"])):
            mistake = wrong_answers(chapter)[id][0]
            done += [as_code(mistake), as_code(f'check("{id}")'), *solved, as_code(f'check("{id}")')]
            solved = []
    return book | {"cells": [cell | {"id": f"cell-{number}"} for number, cell in enumerate(done)]}


def as_code(source: str) -> dict[str, Any]:
    """A code cell that has not been run."""
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
