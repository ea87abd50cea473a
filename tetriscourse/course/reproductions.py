"""Every figure and table of the sources: where the course shows it, what makes it, and our numbers beside theirs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tetriscourse.course.chapters import CHAPTERS

SOURCES = {
    "TS": "Christophe Thiery and Bruno Scherrer, *Construction d'un joueur artificiel pour Tetris*, "
    "Revue d'intelligence artificielle 23, 2009. In French.",
    "MP": "Frédéric Muller and Lionel Ponton, *Tétris Bot: implémentation et résolution automatique du jeu*, "
    "report, 2019, and its early draft: two documents. Both in French.",
    "B": "Amine Boumaza, *How to design good Tetris players*, 2013.",
    "SL": "István Szita and András Lőrincz, *Learning Tetris using the noisy cross-entropy method*, "
    "Neural Computation 18, 2006.",
}
"""By their abbreviation in the table."""


@dataclass(frozen=True)
class Reproduction:
    """One figure, table or claim of a source."""

    source: str
    item: str
    what: str
    chapter: str
    section: str
    command: str
    published: str
    ours: str


TABLE = Path(__file__).with_suffix(".txt")  # one per line, in the order of the sources: the fields of a Reproduction
REPRODUCTIONS = tuple(
    Reproduction(*(part.strip() for part in row.split("|"))) for row in TABLE.read_text("utf-8").splitlines()
)


def reproductions_text(source: str) -> str:
    """The rows of one source as a Markdown table."""
    rows = [
        f"| {one.item} | {one.what} | {place(one)} | {command(one)} | {one.published} | {one.ours} |"
        for one in REPRODUCTIONS
        if one.source == source
    ]
    head = "| in the paper | what | here | made by | published | ours |"
    return "\n".join([head, "|---|---|---|---|---|---|", *rows])


def command(one: Reproduction) -> str:
    """The command that makes it, as code, and the words beside it."""
    typed, also, others = one.command.partition(" (")
    return f"`{typed}`{also}{others}" if typed.startswith(("python", "tetriscourse")) else typed


def place(one: Reproduction) -> str:
    """A link to the place where it is shown."""
    if not one.chapter:
        return "not in a chapter"
    return f"[{one.chapter}]({CHAPTERS[one.chapter].file})" + (f", *{one.section}*" if one.section else "")
