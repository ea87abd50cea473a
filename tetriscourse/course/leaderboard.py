"""The leaderboard: a student's own players among the published ones, all on the same pieces.

Entries are kept in a small file beside that of the progress; where that is not kept, neither are they, except by the
`Leaderboard` that they were entered in.
"""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from tetriscourse.course.progress import progress_file
from tetriscourse.errors import InputError, shown
from tetriscourse.features import FEATURE_SETS, FeatureSet
from tetriscourse.files import write_whole
from tetriscourse.game.rules import RULES
from tetriscourse.players import PLAYERS, Filter, Player

GAMES, SEED, BOARD = 100, 2003, "10x10"
"""What every player plays: so many games, with the pieces of this seed, under these rules."""
LONGEST_NAME = 40
HEAD = ("", "player", "features", "lines a game", "95 % interval")
MINE = "★"
"""What marks the student's own players."""


@dataclass(frozen=True)
class Entry:
    """A player and what it scored."""

    name: str
    features: str
    """The name of a feature set, or the names of features with + between them."""
    weights: tuple[float, ...]
    mean: float
    """Lines a game."""
    low: float
    high: float
    """The 95 % interval of the mean."""

    @property
    def player(self) -> Player:
        """The player itself, to play or tune with."""
        known = self.features in FEATURE_SETS
        return Player(self.features if known else self.features.split("+"), self.weights, self.name)


# --- playing --------------------------------------------------------------------------------------


def scored(player: Player, name: str) -> Entry:
    """What a linear player scores."""
    return Entry(name, features_name(player.features), player.weights, *measured(player))


def features_name(features: FeatureSet) -> str:
    """What a feature set is called in an entry."""
    known = FEATURE_SETS.get(features.name) == features
    return features.name if known else "+".join(one.name for one in features.features)


def measured(player: Player | Filter) -> tuple[float, float, float]:
    """Lines a game of the leaderboard's games, and their interval."""
    from tetriscourse.simulator import simulate

    scores = simulate(player, RULES[BOARD], games=GAMES, seed=SEED, progress=False)
    if scores.interrupted:
        raise InputError(f"only {len(scores)} of {GAMES} games were played; nothing was entered")
    return scores.mean, *scores.interval()


@cache
def published() -> tuple[Entry, ...]:
    """The published players, who play when they are first asked for."""
    return tuple(
        scored(one, name) if isinstance(one, Player) else Entry(name, criteria_text(one), (), *measured(one))
        for name, one in PLAYERS.items()
    )


def criteria_text(one: Filter) -> str:
    """What a filter looks at, in order."""
    return "filter: " + ", ".join(criterion.feature.name for criterion in one.criteria)


def checked_player(player: object) -> Player:
    """The player, if it can play thousands of moves a second and be written down."""
    from tetriscourse.simulator import is_fast

    if not isinstance(player, Player):
        raise InputError(f"player is {shown(player)}; it must be a Player, such as tune.player or Player('dn', [...])")
    player.check_width(RULES[BOARD].width)
    if not is_fast(player, RULES[BOARD]):
        raise InputError(
            f"player has the features {player.features.name}; only those of FEATURES play {GAMES} games in seconds"
        )
    return player


def checked_name(name: object) -> str:
    """The name, if it fits into a line of the table."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InputError(f"name is {shown(name)}; it must be a text of 1 to {LONGEST_NAME} characters")
    return name.strip()


# --- the file -------------------------------------------------------------------------------------


def leaderboard_file() -> Path | None:
    """The file, beside that of the progress; none where that is not kept."""
    beside = progress_file()
    return beside.with_name("leaderboard.json") if beside else None


def stored(path: Path) -> list[Any]:
    """Whatever the file lists; a file that cannot be understood is an error, so that nobody writes over it."""
    try:
        found = json.loads(path.read_text("utf-8")) if path.exists() else []
    except (OSError, ValueError):
        found = None
    if not isinstance(found, list):
        raise InputError(f"file is {str(path)!r}; it is damaged or cannot be read: move it away to begin a new one")
    return found


def entry_from(found: Any) -> Entry | None:
    """The entry that was stored, or None for something else, which is kept but not shown."""
    try:
        entry = Entry(**{**found, "weights": tuple(map(float, found["weights"]))})
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


# --- the table ------------------------------------------------------------------------------------


class Leaderboard:
    """Your players among the published ones: `Leaderboard().enter(player, name="first try")`.

    Everybody plays the same 100 games on 10x10. `entries` are your own attempts, `remove(name)` takes some back.
    """

    def __init__(self) -> None:
        self._unkept: list[Entry] = []

    @property
    def entries(self) -> list[Entry]:
        """Your own attempts, in the order in which they were entered."""
        path = leaderboard_file()
        read = [entry_from(one) for one in stored(path)] if path else []
        return [one for one in read if one] + self._unkept

    def enter(self, player: Player, name: str | None = None) -> Leaderboard:
        """Let a player play the games, and enter what it scored; the same attempt twice counts once."""
        entry = scored(checked_player(player), checked_name(player.name if name is None else name))
        self._change([entry], None)
        return self

    def remove(self, name: str) -> Leaderboard:
        """Take back your attempts of this name."""
        if name not in {entry.name for entry in self.entries}:
            raise InputError(f"name is {shown(name)}; none of your attempts is called so")
        self._change([], name)
        return self

    def _change(self, added: list[Entry], removed: str | None) -> None:
        """Add entries and leave some out; all that is not ours to change stays as it is."""
        path = leaderboard_file()
        self._unkept = changed(self._unkept, added if path is None else [], removed)
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with alone(path):
                entries = changed(stored(path), [as_stored(entry) for entry in added], removed)
                write_whole(path, json.dumps(entries, indent=1, ensure_ascii=False).encode())
        except OSError as error:
            raise InputError(f"file is {str(path)!r}; it cannot be written: {error.strerror or error}") from None

    def rows(self) -> list[tuple[str, ...]]:
        """The table, best first: place, player, features, mean, interval; own players marked by a star."""
        everybody = [(entry, MINE) for entry in self.entries] + [(entry, "") for entry in published()]
        ranked = sorted(everybody, key=lambda one: -one[0].mean)
        return [(f"{n}", f"{mark} {entry.name}".strip(), *texts(entry)) for n, (entry, mark) in enumerate(ranked, 1)]

    @property
    def summary(self) -> str:
        """How the table came about, in a line."""
        own = f"{MINE} yours. " if self.entries else ""
        return f"{own}{GAMES} games each on {BOARD}, the same pieces for everybody"

    def __str__(self) -> str:
        table = [HEAD, *self.rows()]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
        lines = ["  ".join(map(aligned, row, widths, range(len(row)))).rstrip() for row in table]
        return "\n".join([*lines, self.summary])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(cell("th", text, column, False) for column, text in enumerate(HEAD))
        rows = (
            "".join(cell("td", text, column, row[1].startswith(MINE)) for column, text in enumerate(row))
            for row in self.rows()
        )
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table><p>{html.escape(self.summary)}</p>"


def changed(entries: list[Any], added: list[Any], removed: str | None) -> list[Any]:
    """The entries without those of a name, and with new ones at the end unless they are there already."""
    kept = [one for one in entries if removed is None or name_of(one) != removed]
    return kept + [one for one in added if one not in kept]


def name_of(one: Any) -> str | None:
    """The name of an entry, as it is or as it was stored."""
    return one.name if isinstance(one, Entry) else one.get("name") if isinstance(one, dict) else None


def as_stored(entry: Entry) -> dict[str, Any]:
    """An entry as JSON has it."""
    return {**asdict(entry), "weights": list(entry.weights)}


def texts(entry: Entry) -> tuple[str, str, str]:
    """What a player sees, its mean, and the interval of that."""
    seen = entry.features.replace("+", ", ").replace("_", " ")
    return seen, lines_text(entry.mean), f"{lines_text(entry.low)} to {lines_text(entry.high)}"


def lines_text(value: float) -> str:
    """'2,010', '98', '4.2'."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def is_left(column: int) -> bool:
    """Whether a column holds words, which begin at the left."""
    return HEAD[column] in ("player", "features")


def aligned(text: str, width: int, column: int) -> str:
    """A cell of the text table."""
    return text.ljust(width) if is_left(column) else text.rjust(width)


def cell(tag: str, text: str, column: int, own: bool) -> str:
    """A cell of the HTML table; those of the student's players are bold."""
    style = f"text-align:{'left' if is_left(column) else 'right'}" + (";font-weight:bold" if own else "")
    style += "" if HEAD[column] == "features" else ";white-space:nowrap"
    return f'<{tag} style="{style}">{html.escape(text)}</{tag}>'
