"""The game in a terminal: keys without Enter, a picture redrawn in place, and a person who plays."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence

from tetriscourse.errors import InputError, counted
from tetriscourse.game.drawing import COLOURS, MARKS, side_by_side
from tetriscourse.game.engine import INVISIBLE_ROWS, Ending, Engine

HUMAN_KEYS = (
    "KEYS",
    "left right  move",
    "up or x     turn clockwise",
    "z           turn back",
    "down        fall one row",
    "space       drop",
    "p pause     q quit",
)
END_OF_INPUT = "end"
ESCAPE_SECONDS, SIGNAL_SECONDS = 0.05, 0.2
ANSI_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}


class Keyboard:
    """Single keys from the terminal, without Enter or echo, inside a `with` block.

    Blocks can be nested; leaving the outermost one, in whatever way, restores the terminal.
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

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
        if self.depth == 0 and self.is_terminal:
            self._restore()

    def wait(self, seconds: float) -> str | None:
        """Wait this long, or until a key is pressed: that key, or None."""
        if self.is_terminal:
            return self.key(seconds)
        time.sleep(seconds)
        return None

    if sys.platform == "win32":

        def _prepare(self) -> None:
            os.system("")  # makes older consoles understand escape sequences

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
            """The name of the key that sent an escape sequence, empty if it has none here."""
            if self._character(ESCAPE_SECONDS) not in ("[", "O"):
                return ""
            sequence = ""
            while not sequence or not "@" <= sequence[-1] <= "~":
                sequence += self._character(ESCAPE_SECONDS) or "~"
            return ANSI_ARROWS.get(sequence, "")

        def _character(self, timeout: float | None) -> str | None:
            """One character, read past Python's buffer so that waiting for the next one is possible."""
            import select

            source = sys.stdin.fileno()
            # Never wait forever: a Ctrl-C just before select is noticed only after it.
            while not select.select([source], [], [], SIGNAL_SECONDS if timeout is None else timeout)[0]:
                if timeout is not None:
                    return None
            try:
                return os.read(source, 1).decode("latin-1") or END_OF_INPUT
            except OSError:  # the terminal is gone
                return END_OF_INPUT


class Screen:
    """Draws the game: in place on a terminal, one picture below another elsewhere."""

    @property
    def is_live(self) -> bool:
        """Whether pictures can be redrawn: standard output is a terminal."""
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Screen:
        # The alternate screen leaves the user's own untouched; no cursor, no wrapped lines.
        self._write("\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J")
        return self

    def __exit__(self, *_: object) -> None:
        self._write("\x1b[?7h\x1b[?25h\x1b[?1049l")

    def _write(self, text: str) -> None:
        if self.is_live:
            sys.stdout.write(text)
            sys.stdout.flush()

    def draw(self, engine: Engine, beside: Sequence[str] = ()) -> None:
        """Show the game, with these lines below the counters."""
        if not self.is_live:
            lines = side_by_side(engine.picture_rows(), [*engine.panel(), "", *beside])
            print("\n".join(lines), end="\n\n", flush=True)
            return
        lines = coloured(engine, shutil.get_terminal_size().lines, beside)
        self._write("\x1b[H" + "\n".join(line + "\x1b[K" for line in lines) + "\x1b[J")


def painted(mark: str) -> str:
    """A cell with the colour and the letter of its piece."""
    if mark == "." or "NO_COLOR" in os.environ:
        return f" {mark}"
    red, green, blue = (int(COLOURS[MARKS.index(mark)][i : i + 2], 16) for i in (1, 3, 5))
    # The nearest colour of the 6 x 6 x 6 cube that every terminal with 256 colours has.
    cube = 16 + 36 * round(red / 51) + 6 * round(green / 51) + round(blue / 51)
    ink = 16 if red * 0.3 + green * 0.6 + blue * 0.1 > 100 else 231
    return f"\x1b[48;5;{cube};38;5;{ink}m {mark}\x1b[0m"


def fitted(picture: list[str], lines: int) -> list[str]:
    """The part of the picture that fits on a terminal with this many lines."""
    # Drop first what a player misses least: separator, column numbers, upper invisible row, then from the top.
    least = (INVISIBLE_ROWS, len(picture) - 1, 0)[: max(len(picture) - lines, 0)]
    left = [line for number, line in enumerate(picture) if number not in least]
    return left[max(len(left) - lines, 0) :]


def coloured(engine: Engine, lines: int, beside: Sequence[str] = ()) -> list[str]:
    """The picture in colour with the panel beside it, in at most this many lines."""
    whole, panel = engine.picture_rows(painted), [*engine.panel(painted), "", *beside]
    needed = len(whole) - 3
    if lines < needed:
        panel = [f"(window too low: {needed} lines needed)", *panel]
    return side_by_side(fitted(whole, lines), panel)[:lines]


def result(engine: Engine) -> str:
    """How a game ended, on one line."""
    at_once = ", ".join(f"{times} x {rows}" for rows, times in engine.lines_by_count.items() if times)
    rows = counted(engine.total_lines, "row") + (f" ({at_once} at once)" if at_once else "")
    end = str(engine.ending or Ending.QUIT).capitalize()
    counters = f"{counted(engine.score, 'point')}, {rows}, {counted(engine.blocks_played, 'piece')}"
    return f"{end}: {counters}"


# --- a person ------------------------------------------------------------------------------------

KEY_COMMANDS = {
    "left": "L", "right": "R", "down": "N", " ": "D", "up": "H",
    "x": "H", "h": "H", "z": "T", "t": "T", "l": "L", "r": "R", "d": "D", "n": "N",
    "q": "Q", END_OF_INPUT: "Q",
}  # fmt: skip


class HumanAgent:
    """A person at the keyboard; if standard input is not a terminal, commands from there, one per line."""

    name = "human"
    describe = "you, with the arrow keys"

    def __init__(self, gravity: float = 0.0, keyboard: Keyboard | None = None, screen: Screen | None = None):
        self.gravity = gravity  # seconds after which the piece falls by itself; 0: it waits for a key
        self.keyboard, self.screen = keyboard or Keyboard(), screen or Screen()

    def __call__(self, engine: Engine) -> str:
        if not self.keyboard.is_terminal:
            if self.screen.is_live:
                self.screen.draw(engine)
            return self.command_from_line(engine)
        with self.keyboard:
            return self.command_from_key(engine)

    def command_from_key(self, engine: Engine) -> str:
        """The command of the next key that has one; N when time is up."""
        starting = engine.turns == 0
        while True:
            self.draw(engine, "Any key starts the game." if starting else "")
            key = self.keyboard.key(self.gravity if self.gravity and not starting else None)
            if key == "p":
                self.draw(engine, "PAUSED: any key goes on.")
                key = self.keyboard.key()
                key = key if key in ("q", END_OF_INPUT) else ""
            if key is None:
                return "N"
            if key in KEY_COMMANDS:
                return KEY_COMMANDS[key]
            starting = False

    def draw(self, engine: Engine, note: str) -> None:
        """Show the game, the keys and a note."""
        falls = "falls by itself, and with each key" if self.gravity else "falls with each key only"
        self.screen.draw(engine, [*HUMAN_KEYS, "", f"The piece {falls}.", note])

    def command_from_line(self, engine: Engine) -> str:
        """The first allowed command on standard input; mistakes are reported and skipped."""
        while line := sys.stdin.readline() if sys.stdin else "":
            text = line.strip() or "N"
            try:
                engine.parsed(text)
                return text
            except InputError as error:
                print(error, file=sys.stderr)
        return "Q"

    def __repr__(self) -> str:
        return f"HumanAgent({self.name})"
