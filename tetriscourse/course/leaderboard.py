"""The leaderboard: a student's own players among known ones, all on the same pieces; a table for each kind of player.

A player that sees one piece, one that looks ahead without knowing the next piece, and one that knows it play different
games, so they never stand in one table. Entries are kept in a small file beside the progress file. Where progress is
not kept, only the `Leaderboard` object itself remembers them.
"""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tetriscourse.course.leaderboard_entries import (
    KINDS,
    ONE_PIECE,
    LeaderboardEntry,
    checked_name,
    checked_player,
    entry_from,
    scored,
)
from tetriscourse.course.progress import progress_file
from tetriscourse.course.results import stored_table
from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.files import write_whole
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import PLAYERS, Player

HEAD = ("", "player", "features", "lines a game", "95 % interval")
SIDES = "><<>>"  # the alignment of each column
MINE = "★"  # the mark of the student's own players
STORED = "leaderboard"  # the stored table of the known players that look ahead


@cache
def published(kind: str = ONE_PIECE) -> tuple[LeaderboardEntry, ...]:
    """The known players of a kind: those that see one piece play when this is first called, the others are stored."""
    if one_of("kind", kind, KINDS) == ONE_PIECE:
        return tuple(scored(one, name) for name, one in PLAYERS.items())
    found = map(entry_from, (row["entry"] for row in stored_table(STORED).rows))
    return tuple(one for one in found if one and one.kind == kind)


def leaderboard_file() -> Path | None:
    """The file, beside the progress file; none where progress is not kept."""
    beside = progress_file()
    return beside.with_name("leaderboard.json") if beside else None


def stored(path: Path) -> list[Any]:
    """The contents of the file; one that cannot be understood is an error, so that it is not overwritten."""
    try:
        found = json.loads(path.read_text("utf-8")) if path.exists() else []
    except (OSError, ValueError):
        found = None
    if not isinstance(found, list):
        raise InputError(f"file is {str(path)!r}; it is damaged or cannot be read: move it away to begin a new one")
    return found


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let one notebook at a time read and write the file, where the system has locks."""
    with path.with_name(path.name + ".lock").open("w") as file:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Leaderboard:
    """Your players among the published ones: `Leaderboard().enter(player, name="first try")`.

    Everybody plays the same 100 games on 10x10; players that look ahead have tables of their own, and 100 games on
    10x7. `entries` are your own attempts, `remove(name)` takes some back. Tables that are shown: the one asked for, or
    without a kind ('one-piece', 'look-ahead', 'two-piece') the first, and those of the others that you have entered.
    """

    def __init__(self, kind: str | None = None) -> None:
        self._kind = None if kind is None else one_of("kind", kind, KINDS)
        self._unkept: list[Any] = []

    @property
    def entries(self) -> list[LeaderboardEntry]:
        """Your own attempts, in the order you entered them."""
        path = leaderboard_file()
        read = map(entry_from, [*(stored(path) if path else ()), *self._unkept])
        return [one for one in read if one]

    def enter(self, player: Player | LookAhead, name: str | None = None) -> Leaderboard:
        """Let a player play the games, and enter its score; the same attempt twice counts once."""
        self._change(scored(checked_player(player), checked_name(player.name if name is None else name)))
        return self

    def remove(self, name: str) -> Leaderboard:
        """Take back your attempts with this name."""
        if name not in {entry.name for entry in self.entries}:
            raise InputError(f"name is {shown(name)}; none of your attempts has this name")
        self._change(removed=name)
        return self

    def _change(self, added: LeaderboardEntry | None = None, removed: str | None = None) -> None:
        """Add and remove entries; everything else in the file stays as it is."""
        path = leaderboard_file()
        self._unkept = changed(self._unkept, added if path is None else None, removed)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with alone(path):
                entries = changed(stored(path), added, removed)
                write_whole(path, json.dumps(entries, indent=1, ensure_ascii=False).encode())
        except OSError as error:
            raise InputError(f"file is {str(path)!r}; it cannot be written: {error.strerror or error}") from None

    @property
    def kinds(self) -> list[str]:
        """The kinds of players whose tables are shown."""
        entered = {entry.kind for entry in self.entries}
        return [kind for kind in KINDS if kind in entered | {ONE_PIECE}] if self._kind is None else [self._kind]

    def rows(self, kind: str | None = None) -> list[tuple[str, ...]]:
        """A table, best first: rank, player, features, mean, interval; your own players have a star."""
        kind = self.kinds[0] if kind is None else one_of("kind", kind, KINDS)
        mine = [(entry, MINE) for entry in self.entries if entry.kind == kind]
        ranked = sorted(mine + [(entry, "") for entry in published(kind)], key=lambda one: -one[0].mean)
        return [(f"{n}", f"{mark} {entry.name}".strip(), *texts(entry)) for n, (entry, mark) in enumerate(ranked, 1)]

    def summary(self, kind: str) -> str:
        """How a table was made, in a line."""
        own = f"{MINE} yours. " if any(entry.kind == kind for entry in self.entries) else ""
        made = KINDS[kind]
        about = f"; {made.about}" if made.about else ""
        return f"{own}{made.games} games each on {made.board}, the same pieces for everybody{about}"

    def __str__(self) -> str:
        return "\n\n".join(map(self._text, self.kinds))

    def _text(self, kind: str) -> str:
        table = [HEAD, *self.rows(kind)]
        formats = [f"{SIDES[column]}{max(len(row[column]) for row in table)}" for column in range(len(HEAD))]
        lines = ["  ".join(map(format, row, formats)).rstrip() for row in table]
        return "\n".join([*lines, self.summary(kind)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(map(self._page, self.kinds))

    def _page(self, kind: str) -> str:
        body = "".join(html_row("td", row, bold=row[1].startswith(MINE)) for row in self.rows(kind))
        return f"<table>{html_row('th', HEAD)}{body}</table><p>{html.escape(self.summary(kind))}</p>"


def changed(entries: list[Any], added: LeaderboardEntry | None, removed: str | None) -> list[Any]:
    """Stored entries without those of one name, and with a new one at the end unless it is already there."""
    rest = [one for one in entries if removed is None or not isinstance(one, dict) or one.get("name") != removed]
    new = [] if added is None else [added.facts()]
    return rest + [one for one in new if one not in rest]


def texts(entry: LeaderboardEntry) -> tuple[str, str, str]:
    """An entry's features, its mean, and the interval of the mean."""
    mean, low, high = (f"{value:,.{0 if value >= 10 else 1}f}" for value in (entry.mean, entry.low, entry.high))
    limits = () if entry.search is None else ((entry.search.width, "best"), (entry.search.lost, "lost"))
    given = "".join(f", {name} {value:g}" for value, name in limits if value is not None)
    return entry.features.replace("+", ", ").replace("_", " ") + given, mean, f"{low} to {high}"


def html_row(tag: str, row: Iterable[str], bold: bool = False) -> str:
    """A row of the HTML table; those of the student's own players are bold."""
    cells = []
    for text, side, title in zip(row, SIDES, HEAD, strict=True):
        style = f"text-align:{'left' if side == '<' else 'right'}" + (";font-weight:bold" if bold else "")
        style += "" if title == "features" else ";white-space:nowrap"
        cells.append(f'<{tag} style="{style}">{html.escape(text)}</{tag}>')
    return f"<tr>{''.join(cells)}</tr>"
