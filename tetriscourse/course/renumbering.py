"""Chapters that have another number than before: what students began under the old one is brought to the new one.

Until version 0.1 the championship was chapter 13; now 13 is about looking ahead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

MOVED = {"13_championship": "15_championship"}
"""The old and the new names of the files."""
NUMBERS = {old[:2]: new[:2] for old, new in MOVED.items()}
FIRST_LINES = {"13": "# Exercises 13: the championship"}
"""How exercises of the old numbers begin; those of another chapter may have these numbers by now."""

Cells = list[dict[str, Any]]


def new_name(name: str) -> str:
    """The present name of a file, such as exercises/15_championship.ipynb for exercises/13_championship.ipynb."""
    for old, new in MOVED.items():
        name = re.sub(rf"(?<!\d){old}", new, name)
    return name


def new_id(id: str) -> str:
    """The present number of an exercise: 15.4 for 13.4."""
    chapter, dot, number = id.partition(".")
    return NUMBERS.get(chapter, chapter) + dot + number


def old_chapter(cells: Iterable[Any]) -> str | None:
    """The old number that the exercises in these cells have, if it is one that has changed."""
    first = next((text_of(cell) for cell in cells if text_of(cell).strip()), "")
    return next((old for old, line in FIRST_LINES.items() if first.startswith(line)), None)


def text_of(cell: Any) -> str:
    """The text of a cell, which may be stored in lines."""
    source = cell.get("source", "") if isinstance(cell, dict) else ""
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def renumber(cells: Cells) -> bool:
    """Give exercises of an old number, with their checks and hints, the new one; nothing else changes."""
    old = old_chapter(cells)
    if old is None:
        return False
    new = NUMBERS[old]
    for cell in cells:
        if cell.get("cell_type") == "markdown":
            cell["source"] = re.sub(rf"^(## |# Exercises ){old}(?=[.:])", rf"\g<1>{new}", text_of(cell), flags=re.M)
        else:
            call = rf"(\b(?:check|hint)\([^)\n]*?[\"']?){old}(?=\.\d)"
            cell["source"] = re.sub(call, rf"\g<1>{new}", text_of(cell))
        marks = cell["metadata"].get("nbgrader") if isinstance(cell.get("metadata"), dict) else None
        if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str):
            marks["grade_id"] = re.sub(rf"^([a-z]+-){old}(?=-)", rf"\g<1>{new}", marks["grade_id"])
    return True


def renumbered(content: bytes) -> bytes:
    """A student's notebook with the present numbers; anything that is no such notebook as it is."""
    try:
        book = json.loads(content)
        changed = renumber(book["cells"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return content
    return (json.dumps(book, ensure_ascii=False, indent=1) + "\n").encode() if changed else content
