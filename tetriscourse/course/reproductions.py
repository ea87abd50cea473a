"""All that the five documents have: where the course shows it, what makes it, and our outcome beside theirs.

A figure of ours that is stored is never typed: `{thiery-dn}` is the outcome of an experiment, `{thiery-dn: games}` how
many games one run of it learned from, and `{published: dn & 10x16: mean}` what a stored table has in the column *mean*
of the row with *dn* and *10x16*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tetriscourse.course.chapters import STEMS
from tetriscourse.course.results import learned, outcome, stored_table
from tetriscourse.optimizers.experiments import stored_names, stored_result

SOURCES = {
    "TS": "Christophe Thiery and Bruno Scherrer, *Construction d'un joueur artificiel pour Tetris*, "
    "Revue d'intelligence artificielle 23, 2009. In French.",
    "MP": "Frédéric Muller and Lionel Ponton, *Tétris Bot: implémentation et résolution automatique du jeu*, "
    "report, 2019. In French.",
    "D": "Frédéric Muller and Lionel Ponton, *TétrisBot*, an early draft of the same report. In French.",
    "B": "Amine Boumaza, *How to design good Tetris players*, 2013.",
    "SL": "István Szita and András Lőrincz, *Learning Tetris using the noisy cross-entropy method*, "
    "Neural Computation 18, 2006.",
}
"""By their abbreviation in the table."""

MARKS = {"yes": "●", "partly": "◐", "no": "○"}
WORDS = {"yes": "reproduced", "partly": "partly, or otherwise", "no": "not"}
"""Done, and come out as published if there is anything to come out; done in part, or come out otherwise; not done."""

GROUPS = {
    "Sections": "abstract introduction chapter section part bibliography",
    "Figures, tables, programs, equations": "figure picture table algorithm program equation example",
    "Only in the draft, or not yet": "only not",
    "What is claimed in words": "claim",
    "Rivals, and other works": "rival works",
}
"""The parts of a document, and the words with which their items begin."""

NOT_YET = "not measured yet"
COLUMNS = ("", "in the paper", "what it says", "published", "what came out here", "where")
REFERENCE = re.compile(r"\{([^{}]+)\}")
NUMBERED = re.compile(r"((?P<word>[a-z]+) )?(?P<above>([0-9]+\.)*)(?P<first>[0-9]+)( to (?P=above)(?P<last>[0-9]+))?")


@dataclass(frozen=True)
class Reproduction:
    """One section, figure, table, claim or rival of a source."""

    source: str
    item: str  # 'figures 5 and 6', 'claim in 4.2', 'rival: Kakade 2001'
    what: str
    came: str  # yes, partly or no: what has been done, if all that it refers to is stored
    chapter: str  # or an appendix
    section: str
    command: str
    published: str
    ours: str  # if nothing has been done: why, and what it would take

    @property
    def references(self) -> list[str]:
        """The stored outcomes that it quotes."""
        return REFERENCE.findall(self.ours)

    @property
    def done(self) -> str:
        """What has been done: nothing and no part of it before its outcome is stored."""
        there = [bool(stored(reference)) for reference in self.references]
        if self.came == "no" or (there and not any(there)):
            return "no"
        return self.came if all(there) else "partly"

    def outcome(self) -> str:
        """Our outcome, with the stored figures filled in."""
        return REFERENCE.sub(lambda found: stored(found[1]) or NOT_YET, self.ours)

    def group(self) -> str:
        """The part of the document to which it belongs."""
        return next(title for title, kinds in GROUPS.items() if kind(self.item) in kinds.split())

    def cells(self) -> tuple[str, ...]:
        """Its row, a cell for each of the columns."""
        return (MARKS[self.done], short(self.item), self.what, self.published, self.outcome(), place(self))


TABLE = Path(__file__).with_suffix(".txt")  # one per line, in the order of the sources: the fields of a Reproduction
REPRODUCTIONS = tuple(
    Reproduction(*(part.strip() for part in row.split("|"))) for row in TABLE.read_text("utf-8").splitlines()
)


# --- what an item is ----------------------------------------------------------------------------


def kind(item: str) -> str:
    """The kind of an item: 'figure' for 'figures 5 and 6'."""
    word = re.split(r"[\W_]", item)[0]
    return word if word == "works" else word.removesuffix("s")


def short(item: str) -> str:
    """An item as it stands in the table of its kind, without breaks before numbers."""
    return re.sub(r" (?=\d)", "\u00a0", item.removeprefix("claim ").removeprefix("rival: "))


def members(item: str) -> list[str]:
    """The single items: 'section 3.1', 'section 3.2' for 'sections 3.1 and 3.2'; 'figures 4 to 6' has three."""
    found, word = [], ""
    for part in re.split(r", | and ", item):
        match = NUMBERED.fullmatch(part)
        if not match:
            return [item]
        word = kind(match["word"] or word)
        first = int(match["first"])
        numbers = range(first, int(match["last"] or first) + 1)
        found += [f"{word} {match['above']}{number}" for number in numbers]
    return found


# --- our outcome --------------------------------------------------------------------------------


@cache
def stored(reference: str) -> str:
    """What is stored under a reference, and nothing if it is not stored yet."""
    name, *where = reference.split(": ")
    if len(where) == 2:
        return cell(name, where[0].split(" & "), where[1])
    if name not in stored_names():
        return ""
    result = stored_result(name)
    return f"{learned(result)['games']:,.0f} games" if where else outcome(result)


def cell(name: str, values: Sequence[str], column: str) -> str:
    """A column of the one row of a stored table that has these values, or nothing if there is no such row."""
    table = stored_table(name)
    shown = [[template.format(**row) for template in table.columns.values()] for row in table.rows]
    found = [row for row in shown if Counter(values) <= Counter(row)]
    if len(found) > 1:
        raise LookupError(f"{len(found)} rows of {name} have {values}")
    return found[0][list(table.columns).index(column)] if found else ""


# --- as Markdown --------------------------------------------------------------------------------


def summary_text() -> str:
    """How much of each source has been done, as a Markdown table."""
    states = [f"{mark} {WORDS[state]}" for state, mark in MARKS.items()]
    head = f"| | rows | {' | '.join(states)} |\n|---|{'---|' * (1 + len(MARKS))}"
    return "\n".join([head, *(count_row(letters, letters) for letters in SOURCES), count_row("all", *SOURCES)])


def count_row(title: str, *sources: str) -> str:
    """How many rows some sources have, and of each state."""
    states = [one.done for one in REPRODUCTIONS if one.source in sources]
    return f"| {title} | {len(states)} | {' | '.join(str(states.count(state)) for state in MARKS)} |"


def reproductions_text(source: str) -> str:
    """The rows of one source as Markdown, a table for each part of the document."""
    parts = {title: [one for one in REPRODUCTIONS if (one.source, one.group()) == (source, title)] for title in GROUPS}
    return "\n\n".join(f"### {title}\n\n{table_text(rows)}" for title, rows in parts.items() if rows)


def table_text(rows: Sequence[Reproduction]) -> str:
    """Some rows as a Markdown table, without the columns that none of them fills."""
    lines = [one.cells() for one in rows]
    kept = [k for k in range(len(COLUMNS)) if any(line[k] for line in lines)]
    shown = [[line[k] for k in kept] for line in (COLUMNS, *lines)]
    head, *body = (f"| {' | '.join(line)} |" for line in shown)
    return "\n".join([head, f"|{'---|' * len(kept)}", *body])


def place(one: Reproduction) -> str:
    """A link to the place where it is shown, and the command that makes it."""
    shown = one.chapter and f"[{one.chapter}]({STEMS[one.chapter]}.ipynb)" + (f" {one.section}" if one.section else "")
    return "<br>".join(filter(None, (shown, command(one))))


def command(one: Reproduction) -> str:
    """The command that makes it, as code, and the words beside it."""
    typed, also, others = one.command.partition(" (")
    return f"`{typed}`{also}{others}" if typed else ""
