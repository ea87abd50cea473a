"""Games played by hand: what the page needs for one, and its record, which Python replays key by key.

game_spec     the game for js/game.js, as plain JSON
Replay        the game in Python: an engine that takes keys and keeps its moves
Follower      a replay that keeps up with a growing list of keys
Record        a game as data: rules, seed and keys, from which all else follows
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, TypeVar

from tetriscourse.errors import InputError, counted, one_of, shown, whole_number
from tetriscourse.game.board import Board, checked_board
from tetriscourse.game.drawing import MARKS
from tetriscourse.game.engine import Ending, Engine
from tetriscourse.game.moves import Move, landing_row, placed
from tetriscourse.game.pieces import Cell, Piece
from tetriscourse.game.rules import POINTS, PieceSequence, Rules, as_rules, short_name
from tetriscourse.games import Game

RECORD_FORMAT = "tetriscourse game 1"  # the first entry of a stored record
T = TypeVar("T")


class Mode(StrEnum):
    """Effect of a key."""

    FALLING = "falling"  # the piece falls with time, N after N; a key only moves it or settles it at once: Engine.press
    TURNS = "turns"  # after every key the piece falls one row: Engine.play_command


def mode_of(name: object) -> Mode:
    """The mode of this name."""
    return Mode(one_of("mode", name, [str(one) for one in Mode]))


class Replay(Engine):
    """A game played with keys: an engine without an agent that keeps its moves."""

    def __init__(
        self, rules: Rules | str, seed: int = 0, game: int = 0, board: Board | None = None, mode: str = Mode.FALLING
    ):
        self.mode = mode_of(mode)
        if board is not None:
            checked_board(board)
        self._settled: list[Move] = []
        # Python's own whole numbers, whatever kind was given: a stream has 64 bits without a sign.
        seed, game = whole_number("seed", seed, 0), whole_number("game", game, 0)
        super().__init__(rules=rules, seed=seed, game=game, board=board)

    def command(self, key: str) -> None:
        """Play one key."""
        if self.mode is Mode.TURNS:
            self.play_command(key)
        else:
            self.press(key)

    @property
    def played(self) -> list[Move]:
        """The moves that were played."""
        # A last piece that cannot enter settles as well, but nobody played it.
        return self._settled[: self.blocks_played]

    def _settle(self) -> None:
        super()._settle()
        assert self.last_move is not None
        self._settled.append(self.last_move)


def game_spec(
    rules: Rules, seed: int, game: int = 0, board: Board | None = None, mode: str = Mode.FALLING
) -> dict[str, Any]:
    """A game before its first key, as plain JSON: all that js/game.js needs."""
    start = Replay(rules, seed, game, board, mode)
    sequence = PieceSequence(rules, start.seed, start.game)
    return {
        "width": rules.width,
        "height": rules.height,
        "pieces": [piece_spec(piece) for piece in rules.pieces],
        "draw": str(rules.draw),
        "key": str(sequence.key),  # as text: JavaScript's whole numbers end at 2 ** 53
        "thresholds": sequence.edges,
        "possible": list(rules.possible),
        "game_over": str(rules.game_over),
        "points": list(POINTS[rules.scoring]),
        "max_pieces": start.max_blocks,
        "board": (board or rules.empty_board()).cells.tolist(),
        "mode": str(start.mode),
    }


def piece_spec(piece: Piece) -> dict[str, Any]:
    """A piece as plain JSON."""
    return {
        "name": piece.name,
        "mark": piece.name if piece.name in MARKS else "X",
        "spawn": piece.spawn,
        "left": piece.left,
        "orientations": [
            {"cells": list(map(list, one.cells)), "width": one.width, "height": one.height, "corner": list(one.corner)}
            for one in piece.orientations
        ],
    }


def ghost(engine: Engine) -> list[Cell]:
    """The cells in which the falling piece would land if dropped now."""
    row, column = engine.position
    bottom = landing_row(engine.board, engine.shape, column, row) if engine.cells else None
    return [] if bottom is None else placed(engine.shape, bottom, column)


def state_of(engine: Engine) -> dict[str, Any]:
    """The state of a game as plain JSON: what state() returns in js/game.js."""
    return {
        "rows": engine.board.text(letters=True).splitlines(),
        "score": engine.score,
        "score_on_move": engine.score_on_move,
        "lines": engine.total_lines,
        "lines_by_count": [engine.lines_by_count[rows] for rows in (1, 2, 3, 4)],
        "pieces": engine.blocks_played,
        "turns": engine.turns,
        "ending": None if engine.ending is None else str(engine.ending),
        "piece": engine.piece.name,
        "next_piece": engine.next_piece.name,
        "orientation": engine.orientation,
        "position": list(engine.position),
        "cells": [list(cell) for cell in engine.cells],
        "ghost": [list(cell) for cell in ghost(engine)],
    }


class Follower:
    """A replay that keeps up with a game in progress; it plays each key once."""

    def __init__(self, rules: Rules, seed: int, game: int = 0, board: Board | None = None, mode: str = Mode.FALLING):
        self._start = partial(Replay, rules, seed, game, board, mode)
        self.restart()

    def restart(self) -> None:
        """Go back to before the first key."""
        self.engine = self._start()
        self.keys: list[str] = []

    def advance(self, keys: Sequence[str]) -> Replay:
        """The game after these keys; it starts again if they do not continue those played so far."""
        wanted = checked_keys(keys)
        if wanted[: len(self.keys)] != self.keys:
            self.restart()
        for position in range(len(self.keys), len(wanted)):
            try:
                self.engine.command(wanted[position])
            except InputError as error:
                raise InputError(str(error).replace("command", f"keys[{position}]", 1)) from None
            self.keys.append(wanted[position])
        return self.engine


def checked_keys(keys: object) -> list[str]:
    """The keys as a record holds them."""
    if isinstance(keys, str | bytes) or not isinstance(keys, Iterable):
        raise InputError(f"keys is {shown(keys)}; it must be a sequence of keys, such as ['L', 'H', 'D']")
    return [str(key).strip().upper() for key in keys]


@dataclass(frozen=True)
class Record:
    """A game played by hand: what it takes to play it again, and nothing more."""

    rules: Rules
    seed: int = 0
    number: int = 0  # which game of the seed
    mode: Mode = Mode.FALLING
    keys: tuple[str, ...] = ()
    board: Board | None = None  # where it started; None: an empty board

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", as_rules(self.rules))
        object.__setattr__(self, "keys", tuple(checked_keys(self.keys)))
        # Every record can be replayed: any mistake in it is found here.
        for name, value in (("mode", self._end.mode), ("seed", self._end.seed), ("number", self._end.game)):
            object.__setattr__(self, name, value)

    @cached_property
    def _end(self) -> Replay:
        """The game after its last key; kept private, since it could be played on."""
        return self.replay()

    def replay(self) -> Replay:
        """Play every key in a fresh engine."""
        return Follower(self.rules, self.seed, self.number, self.board, self.mode).advance(self.keys)

    def moves(self) -> list[Move]:
        """The pieces brought to rest."""
        return self._end.played

    def game(self) -> Game:
        """The game in the form of a player's games, for plots and for watching."""
        end = self._end
        lost = end.ending is Ending.LOST
        return Game(self.rules, self.seed, self.number, self.moves(), end.total_lines, end.score, lost)

    def to_json(self) -> str:
        """The record as one line of JSON."""
        rules = {field.name: getattr(self.rules, field.name) for field in fields(self.rules)}
        data = {"format": RECORD_FORMAT, "rules": rules, "seed": self.seed, "number": self.number, "mode": self.mode}
        rows = None if self.board is None else self.board.text(letters=True).splitlines()
        return json.dumps(data | {"keys": " ".join(self.keys), "board": rows}, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that to_json wrote."""
        try:
            data = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            data = None
        if not isinstance(data, Mapping) or data.get("format") != RECORD_FORMAT:
            raise InputError(f"text is {shown(text)}; it must be what Record.to_json wrote, in JSON")
        check_names("text", data, ["format", *(field.name for field in fields(cls))])
        wanted = "be a list of rows, the top row first"
        rows = None if data["board"] is None else of_type(list, "board", data["board"], wanted)
        return cls(
            rules_from(data["rules"]),
            data["seed"],
            data["number"],
            data["mode"],
            tuple(of_type(str, "keys", data["keys"], "be a text").split()),
            None if rows is None else Board.from_text("\n".join(map(str, rows))),
        )

    def __repr__(self) -> str:
        end, game = self._end, f", game {self.number}" if self.number else ""
        result = ", ".join(
            counted(count, noun)
            for count, noun in ((end.blocks_played, "piece"), (end.total_lines, "row"), (end.score, "point"))
        )
        return f"Record({short_name(self.rules)}, seed {self.seed}{game}: {result})"


def check_names(argument: str, data: Mapping[str, object], names: Iterable[str]) -> None:
    """Raise an error if a name is missing or unknown."""
    wanted = list(names)
    for name in data:
        one_of(argument, name, wanted)
    missing = [name for name in wanted if name not in data]
    if missing:
        raise InputError(f"{argument} has no {missing[0]!r}; it must have {', '.join(wanted)}")


def rules_from(data: object) -> Rules:
    """Rules from their fields."""
    found = of_type(dict, "rules", data, "have the fields of Rules")
    check_names("rules", found, [field.name for field in fields(Rules)])
    return Rules(**found)


def of_type(kind: type[T], argument: str, value: object, wanted: str) -> T:
    """The value, if it has this type."""
    if not isinstance(value, kind):
        raise InputError(f"{argument} is {shown(value)}; it must {wanted}")
    return value
