"""The engine: TetrisBot's game, turn by turn, commanded by an agent.

A piece appears above the middle of the board, on the upper of two invisible rows, and falls one row.
Then, each turn, the agent gives one command (see commands.py), and the piece falls one row or settles.
A move or turn that does not fit is cancelled. A person can play the same game with keys (`press`):
then the piece falls with time, one N after another, and not with every key; D, and a P that fits, settle it.
Pieces always fall like this in the engine, whatever the rules say about the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.commands import Command, parsed_command
from tetriscourse.game.drawing import MARKS, Paint, framed, plain, side_by_side
from tetriscourse.game.moves import Move, can_enter, entry_row, land, landing_row, landings, placed
from tetriscourse.game.pieces import Cell, Orientation
from tetriscourse.game.rules import TETRISBOT, Entry, LosingMoves, PieceSequence, Rules, as_rules, short_name

INVISIBLE_ROWS = 2  # rows above the board through which pieces enter

Callback = Callable[["Engine"], str]


class Agent(Protocol):
    """A player at the engine: called with it, an agent returns the next command."""

    @property
    def name(self) -> str:
        """Its name in AGENTS."""

    @property
    def describe(self) -> str:
        """How it plays, in a sentence."""

    def __call__(self, engine: Engine) -> str:
        """The next command."""


class Agents(Catalogue[Callable[[], Agent]]):
    """How to make each agent, by name, and the agent `of` a player."""

    of: Callable[[Any], Agent]


AGENTS = Agents("agent")
"""How to make each agent, by name: `AGENTS["dellacherie"]()`. The module `agents` enters them; enter your own."""


def as_agent(given: Any, argument: str = "agent") -> Callback:
    """An agent: a function of the engine, a new one of this name, or one that plays like a player."""
    if isinstance(given, str):
        return AGENTS.named(given, argument)()
    if hasattr(given, "choose") and not callable(given):  # some players are agents themselves
        return AGENTS.of(given)
    if not callable(given):
        raise InputError(
            f"{argument} is {shown(given)}; it must be a function of the engine or a name such as 'dellacherie'"
        )
    own: Callback = given
    return own


class Ending(StrEnum):
    """Why a game is over."""

    LOST = "game over"
    LIMIT = "piece limit reached"
    QUIT = "stopped"


@dataclass
class Timings:
    """Seconds that the agent took to decide; measured, so they differ from run to run."""

    last: float = 0.0
    total: float = 0.0
    decisions: int = 0

    @property
    def mean(self) -> float:
        """Seconds per decision."""
        return self.total / max(self.decisions, 1)

    def add(self, seconds: float) -> None:
        """Count one more decision."""
        self.last, self.total, self.decisions = seconds, self.total + seconds, self.decisions + 1


class Engine:
    """One game; `agent(engine)` returns the next command, and `run()` asks it until the game is over."""

    def __init__(
        self,
        agent: Any = None,
        rules: Rules | str = TETRISBOT,
        seed: int = 0,
        game: int = 0,
        max_blocks: int = 0,
        pause: float = 0.0,
        silent: bool = True,
        show: Callable[[Engine], None] | None = None,
        board: Board | None = None,
    ):
        self.agent = None if agent is None else as_agent(agent)
        self.rules = rules = as_rules(rules)
        self.seed, self.game = whole_number("seed", seed, 0), game
        self.max_blocks = whole_number("max_blocks", max_blocks, 0) or rules.max_pieces
        self.pause = pause
        self.show = show or (None if silent else lambda engine: print(engine.text(), end="\n\n"))
        self.board = checked_start(board, rules)  # the settled cells, without the falling piece
        self.score = self.score_on_move = self.total_lines = 0
        self.lines_by_count = {1: 0, 2: 0, 3: 0, 4: 0}  # how often 1, 2, 3 or 4 rows were cleared at once
        self.blocks_played = 0  # pieces that have come to rest
        self.turns = 0  # commands played and keys pressed
        self.last_move: Move | None = None
        self.ending: Ending | None = None
        self.timings = Timings()
        self._falling_rules = replace(rules, entry=Entry.SPAWN)
        self._sequence = PieceSequence(rules, self.seed, game)
        self._enter(0)

    @property
    def is_running(self) -> bool:
        """Whether the game goes on."""
        return self.ending is None

    @property
    def shape(self) -> Orientation:
        """The falling piece as it is turned now."""
        return self.piece.orientations[self.orientation]

    @property
    def cells(self) -> list[Cell]:
        """The cells of the falling piece; none once the last piece has settled."""
        return placed(self.shape, *self.position) if self.ending in (None, Ending.QUIT) else []

    def run(self) -> int:
        """Play until the game is over; the score."""
        self._show()
        while self.is_running:
            self.step()
            self._show()
            if self.pause and self.is_running:
                time.sleep(self.pause)
        return self.score

    def _show(self) -> None:
        if self.show:
            self.show(self)

    def step(self) -> None:
        """Ask the agent for a command and play it."""
        if self.agent is None:
            raise InputError("agent is None; only an engine with an agent can take a step by itself")
        start = time.perf_counter()
        command = self.agent(self)
        self.timings.add(time.perf_counter() - start)
        self.play_command(command)

    def play_command(self, command: str) -> None:
        """One turn: the command, then the piece falls one row, or settles and the next enters."""
        action, column, rotation = self._accepted(command)
        if self.is_running:
            self._act(action, column, rotation)
            self._fall()

    def press(self, key: str) -> None:
        """One key of a game with gravity: N lets the piece fall one row, D and P settle it, other keys only move it."""
        action, column, rotation = self._accepted(key)
        if self.is_running and (self._act(action, column, rotation) or action == "N"):
            self._fall()

    def _accepted(self, command: str) -> Command:
        """Count the command and take it apart; Q ends the game."""
        parts = self.parsed(command)
        if not self.is_running:
            raise InputError(f"command is {command!r}; none is allowed any more: {self.ending}")
        self.turns += 1
        self.score_on_move = 0
        if parts.letter == "Q":
            self.ending = Ending.QUIT
        return parts

    def parsed(self, command: str) -> Command:
        """The command's letter, column and rotation, if the falling piece can obey it."""
        return parsed_command(command, self.piece, self.rules.width)

    def _enter(self, number: int) -> None:
        """Let a piece appear and fall one row; one that cannot fall settles there, which loses."""
        self._number = number
        self.piece, self.next_piece = self._sequence[number], self._sequence[number + 1]
        self.orientation = self.piece.spawn
        row = entry_row(self.shape, self._falling_rules)
        self.position = (row + 1, (self.rules.width - self.shape.width) // 2)  # of its bottom left corner
        if can_enter(self.board, self.piece, self._falling_rules):
            self.position = (row, self.position[1])
        else:
            self._settle()

    def _fall(self) -> None:
        """Let the piece fall one row, or settle it and let the next one enter."""
        if self._try(self.orientation, self.position[0] - 1, self.position[1]):
            return
        self.blocks_played += 1
        self._settle()
        if self.is_running and self.blocks_played == self.max_blocks:
            self.ending = Ending.LIMIT
        if self.is_running:
            self._enter(self._number + 1)

    def _act(self, action: str, column: int, rotation: int) -> bool:
        """Carry out the command if the piece then fits; whether the piece dropped to the bottom."""
        (row, left), turned = self.position, self.piece.orientations[rotation]
        if action in "LR":
            self._try(self.orientation, row, left + (1 if action == "R" else -1))
        elif action in "HT":
            self._turn(self.piece.left if action == "T" else -self.piece.left)
        elif action == "D" or (action == "P" and self._try(rotation, self._row_below_top(turned), column)):
            row, left = self.position
            landed = landing_row(self.board, self.shape, left, row)
            assert landed is not None, "the falling piece overlaps the pile"
            self.position = (landed, left)
            return True
        return False

    def _turn(self, step: int) -> None:
        """Turn by a step through the orientations; the square in which the piece turns stays where it is."""
        (row, column), old = self.position, self.shape
        turned = (self.orientation + step) % len(self.piece.orientations)
        new = self.piece.orientations[turned]
        top = row + old.height + old.corner[0] - new.corner[0]
        self._try(turned, top - new.height, column - old.corner[1] + new.corner[1])

    def _row_below_top(self, turned: Orientation) -> int:
        """The bottom row of the piece when it is turned like this and its top row stays where it is."""
        return self.position[0] + self.shape.height - turned.height

    def _try(self, orientation: int, row: int, column: int) -> bool:
        """Move the piece there if it fits, below the top of the invisible rows; whether it did."""
        shape = self.piece.orientations[orientation]
        inside = row + shape.height <= self.rules.height + INVISIBLE_ROWS
        fits = inside and self.board.is_free(placed(shape, row, column))
        if fits:
            self.orientation, self.position = orientation, (row, column)
        return fits

    def _settle(self) -> None:
        """Leave the piece where it is, and clear and score full rows."""
        row, column = self.position
        move = land(self.board, self.piece, self.orientation, column, row, self.rules)
        self.last_move, self.board = move, move.after
        self.score_on_move = self.rules.points(move.rows)
        self.score += self.score_on_move
        self.total_lines += move.rows
        if move.rows:
            self.lines_by_count[move.rows] += 1
        if move.loses:
            self.ending = Ending.LOST

    def placements(self) -> list[tuple[int, int]]:
        """The (column, rotation) pairs that P accepts now, by rotation and then by column."""
        return [(move.column, move.orientation) for move in self._all_moves()]

    def moves(self) -> list[Move]:
        """The moves that P can make now, without losing ones if the rules refuse them and others exist."""
        found = self._all_moves()
        safe = [move for move in found if not move.loses]
        return safe if safe and self.rules.losing_moves is LosingMoves.REFUSED else found

    def _all_moves(self) -> list[Move]:
        return landings(self.board, self.piece, self.rules, self._row_below_top) if self.is_running else []

    def view(self) -> Board:
        """The board with the falling piece."""
        return self.board.with_cells(self.cells, self.piece.name) if self.cells else self.board

    def text(self) -> str:
        """The game as text: the board under its two invisible rows, the next piece and the counters beside it."""
        return "\n".join(side_by_side(self.picture_rows(), self.panel()))

    def picture_rows(self, paint: Paint = plain) -> list[str]:
        """The lines of the board; paint turns a cell's mark into two characters."""
        marks = self.view().text(letters=True).splitlines()
        missing = self.rules.height + INVISIBLE_ROWS - len(marks)
        return framed(["." * self.rules.width] * missing + marks, INVISIBLE_ROWS, paint)

    def panel(self, paint: Paint = plain) -> list[str]:
        """The lines beside the board: the next piece and the counters."""
        mark = self.next_piece.name if self.next_piece.name in MARKS else "X"
        rows = str(self.next_piece.orientations[self.next_piece.spawn]).split("/")
        drawn = ["".join(paint(mark) if cell == "X" else "  " for cell in row) for row in rows]
        counters = (("Score", self.score), ("Rows", self.total_lines), ("Pieces", self.blocks_played))
        return ["Next", *drawn, *[""] * (3 - len(drawn)), *(f"{name:<7}{value:>6}" for name, value in counters)]

    def __repr__(self) -> str:
        state = self.ending or f"{self.piece} falling"
        counters = f"{self.blocks_played} pieces, {self.total_lines} rows, {self.score} points"
        return f"Engine({short_name(self.rules)}: {counters}, {state})"


def checked_start(board: Board | None, rules: Rules) -> Board:
    """The board to start from, by default an empty one."""
    if board is None:
        return rules.empty_board()
    if (board.width, board.height) != (rules.width, rules.height):
        raise InputError(
            f"board is {board.width}x{board.height}; the rules are for {rules.width}x{rules.height}: they must agree"
        )
    if board.overflows or board.full_rows():
        raise InputError("board has full rows or cells above it; a game cannot start from there")
    return board
