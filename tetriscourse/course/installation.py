"""`check_installation`: try every part that the course needs, and say whether it works or what to do."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import tetriscourse as tc
from tetriscourse.course.verdicts import marked
from tetriscourse.errors import InputError

OLDEST_PYTHON = (3, 11)
AGAIN = "Install the course again, as its README says, restart the kernel and run this cell again."


@dataclass(frozen=True)
class Part:
    """One part of the course: what is tried, how, and the remedy if that fails."""

    name: str
    tried: str
    attempt: Callable[[], bool]
    remedy: str = AGAIN

    def trouble(self) -> str:
        """A description of the failure, or nothing."""
        try:
            return "" if self.attempt() else "the result is not what it should be"
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def python_is_recent() -> bool:
    """Whether this Python is recent enough."""
    if sys.version_info < OLDEST_PYTHON:
        raise InputError(f"Python is {sys.version.split()[0]}; it must be {'.'.join(map(str, OLDEST_PYTHON))} or later")
    return True


def library_counts_placements() -> bool:
    """Whether the seven pieces have the right 162 placements on an empty board."""
    return sum(len(tc.moves(tc.Board.empty(10, 20), piece)) for piece in tc.PIECES.values()) == 162


def panel_shows_board() -> bool:
    """Whether a panel can be created, with its JavaScript and a picture of its board."""
    from tetriscourse.widgets import BoardView

    # It is not closed: a page complains about a panel that is gone before it could be shown.
    panel = BoardView(tc.Board.from_text("X..X", height=4))
    return "export default" in str(panel._esm) and "X..X" in panel.describe()


def simulator_agrees() -> bool:
    """Whether the compiled simulator and the readable engine play the same game, move for move."""
    from tetriscourse.simulator import record

    rules, player = replace(tc.RULES["10x10"], max_pieces=40), tc.PLAYERS["dellacherie"]
    readable = tc.play_game(player, rules, seed=1).moves
    compiled = record(player, rules, seed=1, pieces=40)
    return compiled == [(rules.number_of(move.piece), move.orientation, move.column) for move in readable]


def plot_is_drawn() -> bool:
    """Whether a figure can be drawn."""
    from tetriscourse.plots import score_histogram

    file = io.BytesIO()
    score_histogram(tc.Scores.of([1, 2, 4, 8])).savefig(file, format="png")
    return file.getvalue().startswith(b"\x89PNG")


def upgrade(package: str, then: str = "restart the kernel and run this cell again") -> str:
    """The remedy for a package that may be too old."""
    return f"In a terminal, type `pip install --upgrade {package}`, {then}."


NEWER = "Install a newer Python from python.org, make a new environment with it, and install the course there."
RELOAD = "restart JupyterLab and reload the page"
TWICE = "played 40 pieces twice, slow and fast, and compared every move"
PARTS = (
    Part("Python", "asked for its version", python_is_recent, NEWER),
    Part("the library", "counted the 162 ways to place the seven pieces", library_counts_placements),
    Part("panels", "made a panel with a board in it", panel_shows_board, upgrade("ipywidgets anywidget", RELOAD)),
    Part("the compiled simulator", TWICE, simulator_agrees, upgrade("numba")),
    Part("plots", "drew a histogram", plot_is_drawn, upgrade("matplotlib")),
)
"""Each part needs the ones before it."""


class Installation:
    """The result of trying the parts; the same everywhere as long as all is well."""

    def __init__(self, troubles: dict[Part, str]):
        self.troubles = troubles

    @property
    def works(self) -> bool:
        """Whether every part works."""
        return not any(self.troubles.values())

    def rows(self) -> list[tuple[str, str, str]]:
        """The name of each part, what was tried, and the result."""
        return [
            (part.name, part.tried, f"✗ {trouble}. {part.remedy}" if trouble else "✓ works")
            for part, trouble in self.troubles.items()
        ]

    @property
    def summary(self) -> str:
        """The result in a sentence."""
        broken = [part.name for part, trouble in self.troubles.items() if trouble]
        return f"Not ready yet: {', '.join(broken)}." if broken else "Everything works. Read on."

    def __repr__(self) -> str:
        wide = [max(len(row[column]) for row in self.rows()) for column in (0, 1)]
        lines = [f"{name:{wide[0]}}  {tried:{wide[1]}}  {result}" for name, tried, result in self.rows()]
        return "\n".join([*lines, self.summary])

    def _repr_html_(self) -> str:
        left = '<td style="text-align:left">'
        body = "".join("<tr>" + "".join(f"{left}{marked(text)}</td>" for text in row) + "</tr>" for row in self.rows())
        head = "".join(f'<th style="text-align:left">{title}</th>' for title in ("part", "what was tried", "result"))
        return f"<table><tr>{head}</tr>{body}</table><p>{marked(self.summary)}</p>"


def check_installation() -> Installation:
    """Try every part of the course; never raises."""
    return Installation({part: part.trouble() for part in PARTS})
