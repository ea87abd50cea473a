"""The game in a terminal: keys without Enter, a picture that is redrawn in place, and `play`."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from tetriscourse.errors import counted
from tetriscourse.game.drawing import COLOURS, MARKS
from tetriscourse.game.engine import INVISIBLE_ROWS, Ending, Engine, plain, side_by_side
from tetriscourse.game.rules import TETRISBOT, Rules

if TYPE_CHECKING:
    from tetriscourse.agents import Agent

HUMAN_KEYS = (
    "KEYS",
    "left right  move",
    "up or x     turn clockwise",
    "z           turn back",
    "down        fall one row",
    "space       drop",
    "p pause     q quit",
)
WATCH_KEYS = ("p pause     q quit",)

HUMAN_GRAVITY, WATCH_PAUSE = 0.6, 0.2
"""Seconds before the piece falls by itself, and between the moves of an agent, unless told otherwise."""

END_OF_INPUT = "end"
ESCAPE_SECONDS, SIGNAL_SECONDS = 0.05, 0.2
ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}


class Keyboard:
    """Single keys from the terminal, without Enter and without echo, inside a `with` block.

    Blocks may be nested; the outermost one restores the terminal, however it is left.
    """

    def __init__(self) -> None:
        self.depth = 0

    @property
    def is_terminal(self) -> bool:
        """Whether there is a keyboard: standard input is a terminal."""
        return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()

    def __enter__(self) -> Keyboard:
        self.depth += 1
        if self.depth == 1 and self.is_terminal:
            self._prepare()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.depth -= 1
        if self.depth == 0 and self.is_terminal:
            self._restore()

    def wait(self, seconds: float) -> str | None:
        """Let time pass, and return early with the key if one is pressed."""
        if self.is_terminal:
            return self.key(seconds)
        time.sleep(seconds)
        return None

    if sys.platform == "win32":

        def _prepare(self) -> None:
            os.system("")  # switches escape sequences on in older consoles

        def _restore(self) -> None:
            pass

        def key(self, timeout: float | None = None) -> str | None:
            """The next key: a letter or the name of an arrow; None when time is up."""
            import msvcrt

            end = None if timeout is None else time.monotonic() + timeout
            while not msvcrt.kbhit():
                if end is not None and time.monotonic() >= end:
                    return None
                time.sleep(0.01)
            key = msvcrt.getwch()
            if key == "\x03":
                raise KeyboardInterrupt
            return WINDOWS_ARROWS.get(msvcrt.getwch(), "") if key in "\x00\xe0" else key.lower()

    else:

        def _prepare(self) -> None:
            import termios
            import tty

            source = sys.stdin.fileno()
            self.saved = termios.tcgetattr(source)
            tty.setcbreak(source, termios.TCSADRAIN)
            without_suspend = termios.tcgetattr(source)
            without_suspend[6][termios.VSUSP] = b"\x00"  # Ctrl-Z would leave the shell with our settings
            termios.tcsetattr(source, termios.TCSADRAIN, without_suspend)

        def _restore(self) -> None:
            import termios

            # Flushing: keys hit too late are not for the shell.
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSAFLUSH, self.saved)

        def key(self, timeout: float | None = None) -> str | None:
            """The next key: a letter or the name of an arrow; None when time is up."""
            first = self._character(timeout)
            if first == "\x04":  # Ctrl-D
                return END_OF_INPUT
            if first == "\x1b":
                return self._after_escape()
            return first.lower() if first else None

        def _after_escape(self) -> str:
            """The name of the key that sent an escape sequence; empty for one without a name here."""
            if self._character(ESCAPE_SECONDS) not in ("[", "O"):
                return ""
            sequence = ""
            while not sequence or not "@" <= sequence[-1] <= "~":
                sequence += self._character(ESCAPE_SECONDS) or "~"
            return ARROWS.get(sequence, "")

        def _character(self, timeout: float | None) -> str | None:
            """One character, read past Python's buffer so that waiting for the next one is possible."""
            import select

            source = sys.stdin.fileno()
            # Never for ever: Ctrl-C that comes just before select is seen only after it.
            while not select.select([source], [], [], SIGNAL_SECONDS if timeout is None else timeout)[0]:
                if timeout is not None:
                    return None
            try:
                return os.read(source, 1).decode("latin-1") or END_OF_INPUT
            except OSError:  # the terminal is gone
                return END_OF_INPUT


class Screen:
    """Where the game is drawn: redrawn in place on a terminal, printed one after the other elsewhere."""

    @property
    def is_live(self) -> bool:
        """Whether pictures can be redrawn: standard output is a terminal."""
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Screen:
        # The alternate screen leaves what was there before untouched; no cursor, no wrapped lines.
        self._write("\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._write("\x1b[?7h\x1b[?25h\x1b[?1049l")

    def _write(self, text: str) -> None:
        if self.is_live:
            sys.stdout.write(text)
            sys.stdout.flush()

    def draw(self, engine: Engine, beside: Sequence[str] = ()) -> None:
        """Show the game as it stands, with these lines below the counters."""
        if not self.is_live:
            lines = side_by_side(engine.picture_rows(), [*engine.panel(), "", *beside])
            print("\n".join(lines), end="\n\n", flush=True)
            return
        lines = coloured(engine, shutil.get_terminal_size().lines, beside)
        self._write("\x1b[H" + "\n".join(line + "\x1b[K" for line in lines) + "\x1b[J")


def painted(mark: str) -> str:
    """A cell in the colour of its piece, with its letter."""
    if mark == "." or "NO_COLOR" in os.environ:
        return f" {mark}"
    red, green, blue = (int(COLOURS[MARKS.index(mark)][i : i + 2], 16) for i in (1, 3, 5))
    # The nearest colour of the 6 x 6 x 6 cube that all terminals with 256 colours share.
    cube = 16 + 36 * round(red / 51) + 6 * round(green / 51) + round(blue / 51)
    ink = 16 if red * 0.3 + green * 0.6 + blue * 0.1 > 100 else 231
    return f"\x1b[48;5;{cube};38;5;{ink}m {mark}\x1b[0m"


def fitted(picture: list[str], lines: int) -> list[str]:
    """The lines of the picture that a terminal has room for."""
    # What a player misses least goes first: separator, column numbers, upper invisible row, then from the top.
    least = (INVISIBLE_ROWS, len(picture) - 1, 0)[: max(len(picture) - lines, 0)]
    kept = [line for number, line in enumerate(picture) if number not in least]
    return kept[max(len(kept) - lines, 0) :]


def coloured(engine: Engine, lines: int, beside: Sequence[str] = ()) -> list[str]:
    """The picture in colour, with the panel beside it, in at most so many lines."""
    whole, panel = engine.picture_rows(painted), [*engine.panel(painted), "", *beside]
    needed = len(whole) - 3
    if lines < needed:
        panel = [f"(window too low: {needed} lines needed)", *panel]
    return side_by_side(fitted(whole, lines), panel)[:lines]


def result(engine: Engine) -> str:
    """How a game ended, in one line."""
    at_once = ", ".join(f"{times} x {rows}" for rows, times in engine.lines_by_count.items() if times)
    rows = counted(engine.total_lines, "row") + (f" ({at_once} at once)" if at_once else "")
    end = str(engine.ending or Ending.QUIT).capitalize()
    counters = f"{counted(engine.score, 'point')}, {rows}, {counted(engine.blocks_played, 'piece')}"
    return f"{end}: {counters}"


def summary(engine: Engine, agent_name: str) -> str:
    """How a game of an agent ended, in one line."""
    return f"{result(engine)}; agent {agent_name}, seed {engine.seed}"


def watch(engine: Engine, agent_name: str, pause: float, keyboard: Keyboard, screen: Screen) -> None:
    """Redraw the game of an agent after each turn, until it is over or q is pressed."""
    while engine.is_running:
        screen.draw(engine, [f"agent {agent_name}", *WATCH_KEYS])
        key = keyboard.wait(pause)
        if key == "p":
            key = keyboard.key()
        if key in ("q", END_OF_INPUT):
            engine.play_command("Q")
        else:
            engine.step()


def play(
    agent: str | Agent = "human",
    rules: Rules = TETRISBOT,
    seed: int = 0,
    pause: float | None = None,
    max_blocks: int = 0,
    frames: bool = False,
) -> Engine:
    """Play or watch one game in the terminal, by an agent or one's name; then print the board and a summary.

    For an agent, pause is the time between turns; for a person, the time after which the piece falls
    by itself (0: only when a key is pressed). Without a terminal, frames says whether to print each turn.
    """
    from tetriscourse.agents import HumanAgent, agent_by_name  # agents draws with this module

    keyboard, screen = Keyboard(), Screen()
    agent = agent_by_name(agent) if isinstance(agent, str) else agent
    human = isinstance(agent, HumanAgent)
    if human:
        agent = HumanAgent(HUMAN_GRAVITY if pause is None else pause, keyboard, screen)
    engine = Engine(agent, rules, seed, max_blocks=max_blocks, silent=screen.is_live or not frames)
    try:
        with keyboard, screen:
            if screen.is_live and not human:
                watch(engine, agent.name, WATCH_PAUSE if pause is None else pause, keyboard, screen)
            else:
                engine.run()
    except KeyboardInterrupt:
        if engine.is_running:
            engine.play_command("Q")
    if engine.show is None:
        paint = painted if screen.is_live else plain
        print("\n".join(side_by_side(engine.picture_rows(paint), engine.panel(paint))))
    print(summary(engine, agent.name))
    return engine
