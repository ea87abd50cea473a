"""The vocabulary of the course: each term in English and in the papers' French, its meaning, and its chapter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tetriscourse.course.chapters import CHAPTERS


@dataclass(frozen=True)
class GlossaryTerm:
    """A term of the course."""

    name: str
    french: str
    chapter: str
    meaning: str


TABLE = Path(__file__).with_suffix(".txt")  # a term per line: its name, its French, its chapter, its meaning

TERMS = tuple(
    sorted(
        (GlossaryTerm(*(part.strip() for part in row.split("|"))) for row in TABLE.read_text("utf-8").splitlines()),
        key=lambda term: term.name.casefold(),
    )
)
"""In alphabetical order."""


def glossary_text(letters: str = "") -> str:
    """The terms that begin with one of these letters, or all, as a Markdown table with links to their chapters."""
    rows = [
        f"| **{one.name}** | {f'*{one.french}*' if one.french else ''} | {one.meaning} "
        f"| [{one.chapter}]({CHAPTERS[one.chapter].file}) |"
        for one in TERMS
        if not letters or one.name[0].lower() in letters
    ]
    return "\n".join(["| word | in French | meaning | chapter |", "|---|---|---|---|", *rows])
