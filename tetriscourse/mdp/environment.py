"""Tetris as an environment for learners: reset and step, with states and actions as whole numbers.

The conventions are Gymnasium's, so that what is learned here carries over; the package itself is not needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Ending, Engine, checked_start
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.rules import RULES, PieceSequence, Rules, as_rules, short_name
from tetriscourse.mdp.states import STATES, command_state, most_orientations, placement_state, true_state

COMMAND_ACTIONS = ("L", "R", "D", "H", "T", "N")  # the actions of Muller and Ponton 2019, in their order
ACTIONS = ("commands", "placements")
Mask = npt.NDArray[np.bool_]
Info = dict[str, Any]


def placement_action(move: Move, rules: Rules) -> int:
    """The action number of a placement: orientation * width + column."""
    return move.orientation * rules.width + move.column


class TetrisEnv:
    """Tetris, one action at a time.

    Description
        A game with the given rules. With actions="commands" it is played in the Engine: the piece falls one row after
        each command. With actions="placements" every action places a piece. The pieces of episode e are those of
        PieceSequence(rules, seed, e).

    Actions
        commands: 0 to 5 for L R D H T N (left, right, drop, turn clockwise, turn back, nothing). All are always
        allowed; a command that does not fit does nothing.
        placements: orientation * width + column, with as many orientations as any piece has. `info["allowed"]` is the
        mask of those possible in the state reached; any other raises InputError.

    Observations
        A whole number from 0. state="grid": the cells. state="rounded": the cells as a sum that is rounded from the
        64th cell on, as in Muller and Ponton's program. state="differences": the steps between columns, clipped to the
        length of the longest piece, and the falling piece. The formulas are in `command_state` and `placement_state`.

    Reward
        rules.points(rows) for the rows cleared by the action; with RULES["domino"], the square of their number.

    Episode end
        terminated: a move has lost, or the next piece has no move. truncated: max_pieces are placed (0: never).

    References
        Muller and Ponton 2019, chapter 8; Towers et al. 2024 (Gymnasium) for the conventions.
    """

    def __init__(
        self,
        rules: Rules | str = RULES["domino"],
        actions: str = "commands",
        state: str = "grid",
        max_pieces: int | None = None,
        seed: int = 0,
    ):
        self.rules = rules = as_rules(rules)
        self.actions, self.state = one_of("actions", actions, ACTIONS), one_of("state", state, STATES)
        self.max_pieces = rules.max_pieces if max_pieces is None else whole_number("max_pieces", max_pieces, 0)
        self.seed, self.episode = whole_number("seed", seed, 0), -1
        turns, columns = range(most_orientations(rules)), range(rules.width)
        placements = tuple(f"P:{column}:{turn}" for turn in turns for column in columns)  # as the Engine writes them
        self.action_names = COMMAND_ACTIONS if actions == "commands" else placements
        self._endless = replace(rules, max_pieces=0)  # so that even the last piece is followed by one that is seen
        self._game: _Commands | _Placements | None = None

    @property
    def action_count(self) -> int:
        """The number of actions, allowed or not."""
        return len(self.action_names)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[int, Info]:
        """Begin the next episode, number 0 if a seed is given.

        options={"episode": number} begins any other, options={"board": board} begins from a board that is not empty.
        """
        options = checked_options(options)
        following = 0 if seed is not None else self.episode + 1
        self.seed = self.seed if seed is None else whole_number("seed", seed, 0)
        self.episode = whole_number("episode", options.get("episode", following), 0)
        kind = _Commands if self.actions == "commands" else _Placements
        self._game = kind(self._endless, self.seed, self.episode, checked_start(options.get("board"), self.rules))
        return self.observation(), self._info()

    def step(self, action: int) -> tuple[int, float, bool, bool, Info]:
        """Take an action; returns observation, reward, terminated, truncated, info."""
        action = whole_number("action", action, 0, self.action_count - 1)
        if not self.is_running:
            raise InputError(f"action is {action}; none is allowed any more: the episode is over, call reset()")
        reward = self.game.take(action)
        terminated = self.game.lost
        return self.observation(), float(reward), terminated, not terminated and not self.is_running, self._info()

    @property
    def game(self) -> _Commands | _Placements:
        """The game being played."""
        if self._game is None:
            raise InputError("the environment has no episode yet: call reset() first")
        return self._game

    @property
    def is_running(self) -> bool:
        """Whether another action can be taken."""
        return not self.game.lost and not 0 < self.max_pieces <= self.game.pieces

    @property
    def board(self) -> Board:
        """The settled cells."""
        return self.game.board

    @property
    def pieces(self) -> int:
        """Pieces placed so far."""
        return self.game.pieces

    def observation(self) -> int:
        """The current state as a number."""
        return self.game.seen(self.state)

    def allowed(self) -> Mask:
        """The mask of the actions possible in this state, even if the episode is cut off here."""
        return self.game.allowed()

    def key(self) -> Hashable:
        """The true state; with a single piece, it and the actions decide everything that follows."""
        return self.game.key()

    def _info(self) -> Info:
        return {"allowed": self.allowed(), "pieces": self.pieces, "lines": self.game.lines}

    def clone(self) -> TetrisEnv:
        """An independent environment in the same state."""
        other = copy(self)
        other._game = self._game and self._game.clone()
        return other

    snapshot = clone

    def restore(self, snapshot: TetrisEnv) -> None:
        """Go back to the state of a snapshot."""
        self.__dict__.update(snapshot.clone().__dict__)

    def __repr__(self) -> str:
        where = f"episode {self.episode}, {self.pieces} pieces" if self._game else "not begun"
        return f"TetrisEnv({short_name(self.rules)}: {self.action_count} {self.actions}, state {self.state}, {where})"


def checked_options(options: object) -> Info:
    """The options of `reset` as a dict."""
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"options is {shown(options)}; it must be a dict with 'episode' or 'board', or None")
    given = dict(options or {})
    for name in given:
        one_of("options", name, ("episode", "board"))
    if not isinstance(given.get("board"), Board | None):
        raise InputError(f"options['board'] is {shown(given['board'])}; it must be a Board, or None")
    return given


class _Commands:
    """A game in the Engine, one command at a time."""

    def __init__(self, rules: Rules, seed: int, episode: int, board: Board):
        self.engine = Engine(None, rules, seed, episode, board=board)
        self._look()

    def _look(self) -> None:
        engine = self.engine
        self.board, self.pieces, self.lines = engine.board, engine.blocks_played, engine.total_lines
        self.lost = engine.ending is Ending.LOST

    def take(self, action: int) -> int:
        before = self.engine.score
        self.engine.play_command(COMMAND_ACTIONS[action])
        self._look()
        return self.engine.score - before

    def seen(self, state: str) -> int:
        return command_state(self.engine, state)

    def allowed(self) -> Mask:
        return np.ones(len(COMMAND_ACTIONS), np.bool_)

    def key(self) -> Hashable:
        return true_state(self.engine)

    def clone(self) -> _Commands:
        other = copy(self)
        other.engine = copy(self.engine)
        other.engine.lines_by_count = dict(self.engine.lines_by_count)
        other.engine.timings = copy(self.engine.timings)
        return other


class _Placements:
    """A game in which every action places a piece."""

    def __init__(self, rules: Rules, seed: int, episode: int, board: Board):
        self.rules, self.board, self.sequence = rules, board, PieceSequence(rules, seed, episode)
        self.pieces = self.lines = 0
        self.overflown = False
        self._look()

    def _look(self) -> None:
        """Find the next piece and its moves."""
        self.piece = self.sequence[self.pieces]
        found = [] if self.overflown else moves(self.board, self.piece, self.rules)
        self.moves = {placement_action(move, self.rules): move for move in found}
        self.lost = not found

    def take(self, action: int) -> int:
        if action not in self.moves:
            raise InputError(f"action is {action}; allowed now: {' '.join(map(str, self.moves))}")
        move = self.moves[action]
        self.board, self.overflown = move.after, move.loses
        self.pieces, self.lines = self.pieces + 1, self.lines + move.rows
        self._look()
        return self.rules.points(move.rows)

    def seen(self, state: str) -> int:
        return placement_state(self.board, self.piece, self.rules, state)

    def allowed(self) -> Mask:
        mask = np.zeros(most_orientations(self.rules) * self.rules.width, np.bool_)
        mask[list(self.moves)] = True
        return mask

    def key(self) -> Hashable:
        return self.board.bits, self.piece.name

    clone = copy
