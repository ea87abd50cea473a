"""The leaderboard: a student's own players among the published ones, all on the same pieces.

Entries are kept in a small file beside the progress file. Where progress is not kept, only the `Leaderboard` object
itself remembers them.
"""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import tetriscourse as tc
from tetriscourse.course.progress import progress_file
from tetriscourse.errors import InputError, shown
from tetriscourse.features import FEATURE_SETS
from tetriscourse.files import write_whole
from tetriscourse.game.rules import RULES
from tetriscourse.players import PLAYERS, Filter, Player

GAMES, SEED, BOARD = 100, 2003, "10x10"  # the number of games, their seed and their rules, the same for every player
LONGEST_NAME = 40
HEAD = ("", "player", "features", "lines a game", "95 % interval")
SIDES = "><<>>"  # the alignment of each column
MINE = "★"  # the mark of the student's own players


@dataclass(frozen=True)
class LeaderboardEntry:
    """A player and its score."""

    name: str
    features: str  # the name of a feature set, or the names of features joined by +
    weights: tuple[float, ...]
    mean: float  # lines a game
    low: float
    high: float  # the 95 % interval of the mean

    @property
    def player(self) -> Player:
        """The player itself, to play or tune with."""
        known = self.features in FEATURE_SETS
        return Player(self.features if known else self.features.split("+"), self.weights, self.name)


def scored(player: Player | Filter, name: str) -> LeaderboardEntry:
    """The entry of a player, which plays the games."""
    scores = tc.simulate(player, RULES[BOARD], games=GAMES, seed=SEED, progress=False)
    if scores.interrupted:
        raise InputError(f"only {len(scores)} of {GAMES} games were played; nothing was entered")
    weights = player.weights if isinstance(player, Player) else ()
    return LeaderboardEntry(name, features_text(player), weights, scores.mean, *scores.interval())


def features_text(player: Player | Filter) -> str:
    """The features of a player, as an entry names them; for a filter, in the order of its criteria."""
    if isinstance(player, Filter):
        return "filter: " + ", ".join(criterion.feature.name for criterion in player.criteria)
    known = FEATURE_SETS.get(player.features.name) == player.features
    return player.features.name if known else "+".join(one.name for one in player.features.features)


@cache
def published() -> tuple[LeaderboardEntry, ...]:
    """The published players, who play when this is first called."""
    return tuple(scored(one, name) for name, one in PLAYERS.items())


def checked_player(player: object) -> Player:
    """The player, if it is fast enough and can be stored."""
    from tetriscourse.simulator.playable import has_own, is_fast

    if not isinstance(player, Player):
        raise InputError(f"player is {shown(player)}; it must be a Player, such as tune.player or Player('dn', [...])")
    player.check_width(RULES[BOARD].width)
    if has_own(player) or not is_fast(player, RULES[BOARD]):  # entries are kept by name, longer than your features
        raise InputError(
            f"player has the features {player.features.name}; only those of FEATURES play {GAMES} games in seconds"
        )
    return player


def checked_name(name: object) -> str:
    """The name, if it fits into a row of the table."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InputError(f"name is {shown(name)}; it must be a text of 1 to {LONGEST_NAME} characters")
    return name.strip()


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


def entry_from(found: Any) -> LeaderboardEntry | None:
    """The stored entry, or None for anything else, which is kept but not shown."""
    try:
        entry = LeaderboardEntry(**{**found, "weights": tuple(map(float, found["weights"]))})
        _ = entry.player
        return entry if all(map(isfinite, (entry.mean, entry.low, entry.high))) and checked_name(entry.name) else None
    except (TypeError, ValueError, KeyError):
        return None


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

    Everybody plays the same 100 games on 10x10. `entries` are your own attempts, `remove(name)` takes some back.
    """

    def __init__(self) -> None:
        self._unkept: list[Any] = []

    @property
    def entries(self) -> list[LeaderboardEntry]:
        """Your own attempts, in the order you entered them."""
        path = leaderboard_file()
        read = map(entry_from, [*(stored(path) if path else ()), *self._unkept])
        return [one for one in read if one]

    def enter(self, player: Player, name: str | None = None) -> Leaderboard:
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

    def rows(self) -> list[tuple[str, ...]]:
        """The table, best first: rank, player, features, mean, interval; your own players have a star."""
        everybody = [(entry, MINE) for entry in self.entries] + [(entry, "") for entry in published()]
        ranked = sorted(everybody, key=lambda one: -one[0].mean)
        return [(f"{n}", f"{mark} {entry.name}".strip(), *texts(entry)) for n, (entry, mark) in enumerate(ranked, 1)]

    @property
    def summary(self) -> str:
        """How the table was made, in a line."""
        own = f"{MINE} yours. " if self.entries else ""
        return f"{own}{GAMES} games each on {BOARD}, the same pieces for everybody"

    def __str__(self) -> str:
        table = [HEAD, *self.rows()]
        formats = [f"{SIDES[column]}{max(len(row[column]) for row in table)}" for column in range(len(HEAD))]
        lines = ["  ".join(map(format, row, formats)).rstrip() for row in table]
        return "\n".join([*lines, self.summary])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = "".join(html_row("td", row, bold=row[1].startswith(MINE)) for row in self.rows())
        return f"<table>{html_row('th', HEAD)}{body}</table><p>{html.escape(self.summary)}</p>"


def changed(entries: list[Any], added: LeaderboardEntry | None, removed: str | None) -> list[Any]:
    """Stored entries without those of one name, and with a new one at the end unless it is already there."""
    rest = [one for one in entries if removed is None or not isinstance(one, dict) or one.get("name") != removed]
    new = [] if added is None else [{**asdict(added), "weights": list(added.weights)}]
    return rest + [one for one in new if one not in rest]


def texts(entry: LeaderboardEntry) -> tuple[str, str, str]:
    """An entry's features, its mean, and the interval of the mean."""
    mean, low, high = (f"{value:,.{0 if value >= 10 else 1}f}" for value in (entry.mean, entry.low, entry.high))
    return entry.features.replace("+", ", ").replace("_", " "), mean, f"{low} to {high}"


def html_row(tag: str, row: Iterable[str], bold: bool = False) -> str:
    """A row of the HTML table; those of the student's own players are bold."""
    cells = []
    for text, side, title in zip(row, SIDES, HEAD, strict=True):
        style = f"text-align:{'left' if side == '<' else 'right'}" + (";font-weight:bold" if bold else "")
        style += "" if title == "features" else ";white-space:nowrap"
        cells.append(f'<{tag} style="{style}">{html.escape(text)}</{tag}>')
    return f"<tr>{''.join(cells)}</tr>"
