"""Rollouts: the value of a move as the mean score of games that a base player plays on from there.

All moves meet the same pieces, so that luck with the pieces cancels when they are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tetriscourse.errors import one_of, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import Move
from tetriscourse.game.moves import moves as moves_of
from tetriscourse.game.pieces import Piece, as_piece
from tetriscourse.game.random import Chance
from tetriscourse.game.rules import Entry, Rules, as_rules
from tetriscourse.games import Chooser, play_game
from tetriscourse.looking_ahead import LookAhead, sees_next
from tetriscourse.players import Filter, Player, as_player
from tetriscourse.simulator.choosing import code_of, put_board
from tetriscourse.simulator.games import PILE_HEIGHTS, SIGNAL, table_here
from tetriscourse.simulator.playable import Floats, Ints, has_own, is_fast
from tetriscourse.simulator.run import MAX_SEED

if TYPE_CHECKING:
    from tetriscourse.simulator.rollout_kernels import RolloutTable

SCORES = ("lines", "points")


@dataclass(frozen=True, eq=False)
class RolloutValues:
    """The moves of a piece and the scores of rollouts after each."""

    moves: tuple[Move, ...]
    scores: Ints  # a row for each move, a column for each game: that of the move and of the rollout together

    @property
    def means(self) -> Floats:
        """The value of each move: its mean score."""
        return np.asarray(self.scores.mean(axis=1))

    @property
    def errors(self) -> Floats:
        """The standard error of each mean; nan if there is only one game."""
        games = self.scores.shape[1]
        if games == 1:
            return np.full(len(self.moves), np.nan)
        return np.asarray(self.scores.std(axis=1, ddof=1) / np.sqrt(games))

    @property
    def best(self) -> Move | None:
        """The move with the highest value; ties: the first; None if there is no move."""
        return self.moves[int(self.scores.sum(axis=1).argmax())] if self.moves else None

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        end = "no move is left"
        if self.moves:
            k = int(self.scores.sum(axis=1).argmax())
            end = f"best {self.best}: {self.means[k]:.4g} ± {1.96 * self.errors[k]:.2g}"
        return f"RolloutValues({len(self)} moves, {self.scores.shape[1]} games each, {end})"


@dataclass(frozen=True)
class Rollouts:
    """Takes the move after which a base player scores most, in rollouts on common pieces; ties: the first.

    player   the base player: it makes all moves of a rollout
    games    rollouts after each move: those of games 0, 1, ... of the seed, the same for every decision
    moves    moves of a rollout; None: until its game is lost
    score    'lines' or 'points'

    Nothing is added for the board on which a rollout ends. A next piece that is known begins every rollout.
    """

    player: Chooser
    games: int = 32
    moves: int | None = 20
    seed: int = 0
    score: str = "lines"
    name: str = ""

    unchanging: ClassVar[bool] = True  # so that its table can be kept

    def __init__(
        self,
        player: Chooser | str,
        games: int = 32,
        moves: int | None = 20,
        seed: int = 0,
        score: str = "lines",
        name: str = "",
    ):
        who = as_player(player)
        for attribute, value in (
            ("player", who), ("games", whole_number("games", games, 1)),
            ("moves", None if moves is None else whole_number("moves", moves, 1)),
            ("seed", whole_number("seed", seed, 0, MAX_SEED)), ("score", one_of("score", score, SCORES)),
            ("name", name or f"rollouts:{getattr(who, 'name', type(who).__name__)}"),
        ):  # fmt: skip
            object.__setattr__(self, attribute, value)

    @property
    def sees_next(self) -> bool:
        """Whether it is shown the next piece in every game, as its base player is."""
        return bool(getattr(self.player, "sees_next", False))

    def check_width(self, width: int) -> None:
        """Raise an error if the base player does not fit boards of this width."""
        if hasattr(self.player, "check_width"):
            self.player.check_width(width)

    def choose(
        self,
        board: Board,
        piece: Piece | str,
        next_piece: Piece | str | None = None,
        rules: Rules | str | None = None,
        chance: Chance | None = None,
    ) -> Move | None:
        """The move it takes, None if there is none."""
        return self.values(board, piece, next_piece, rules).best

    def values(
        self,
        board: Board,
        piece: Piece | str,
        next_piece: Piece | str | None = None,
        rules: Rules | str | None = None,
    ) -> RolloutValues:
        """The value of every move."""
        rules = Rules(board.width, board.height) if rules is None else as_rules(rules)
        found = moves_of(board, piece, rules)
        self.check_width(board.width)
        following = None if next_piece is None else as_piece(next_piece, rules.pieces, "next_piece")
        scores = compiled_scores if self.is_fast(rules) else plain_scores
        rows = [scores(self, board, found, following, rules)] if found else []
        return RolloutValues(tuple(found), np.array(rows, np.int64).reshape(len(found), self.games))

    def rollout_rules(self, rules: Rules) -> Rules:
        """The rules of a rollout: its moves are limited."""
        return replace(rules, max_pieces=self.moves or 0)

    def is_fast(self, rules: Rules) -> bool:
        """Whether compiled code can play the rollouts."""
        known = isinstance(self.player, Player | Filter | LookAhead) and is_fast(self.player, rules)
        return known and not has_own(self.player)

    def compiled_table(self, rules: Rules) -> RolloutTable:
        """The table by which compiled code plays."""
        from tetriscourse.simulator.encode import choice_of, encode_player, encode_rules, start_states
        from tetriscourse.simulator.games import aligned
        from tetriscourse.simulator.kernels import NO_TRACE
        from tetriscourse.simulator.looking_ahead import AHEAD_RECORD, ALL_MOVES, ahead_table, look_ahead_table
        from tetriscourse.simulator.rollout_kernels import RolloutTable

        limited, who, start = self.rollout_rules(rules), self.player, start_states(rules)
        if isinstance(who, LookAhead):
            base = look_ahead_table(who, limited)
        else:
            assert isinstance(who, Player | Filter)
            base = ahead_table(
                encode_player(who, limited), np.zeros(1, AHEAD_RECORD), limited, choice_of(who, limited)
            )
        scores, heights = np.zeros((ALL_MOVES, self.games), np.int64), np.zeros(PILE_HEIGHTS, np.int64)
        return RolloutTable(
            base, np.array([encode_rules(rules)]), int(sees_next(self, rules)), self.seed, int(self.score == "points"),
            scores, start, aligned(start), heights, np.zeros(1, SIGNAL), NO_TRACE,
        )  # fmt: skip

    def agent(self) -> RolloutAgent:
        """The agent that plays like this in the Engine."""
        return RolloutAgent(self)

    def __repr__(self) -> str:
        return f"Rollouts({self.player!r}, games={self.games}, moves={self.moves}, seed={self.seed})"


def rollouts(
    player: Chooser | str,
    board: Board,
    piece: Piece | str,
    rules: Rules | str | None = None,
    games: int = 100,
    moves: int | None = 20,
    seed: int = 0,
    score: str = "lines",
    next_piece: Piece | str | None = None,
) -> RolloutValues:
    """The value of every move of a piece, by games in which a player plays on; the arguments as in Rollouts."""
    return Rollouts(player, games, moves, seed, score).values(board, piece, next_piece, rules)


def compiled_scores(who: Rollouts, board: Board, found: Sequence[Move], following: Piece | None, rules: Rules) -> Ints:
    """The scores after some moves of one piece, all in one call of compiled code."""
    from tetriscourse.simulator.rollout_kernels import roll_out_once

    table, piece = table_here(who, rules), rules.number_of(found[0].piece)
    put_board(table, board)
    roll_out_once(table, piece, -1 if following is None else rules.number_of(following), np.zeros(1, SIGNAL))
    return np.array([table.scores[code_of(move)] for move in found])


def plain_scores(who: Rollouts, board: Board, found: Sequence[Move], following: Piece | None, rules: Rules) -> Ints:
    """Plain-Python version of `compiled_scores`."""
    limited = who.rollout_rules(rules)

    def score(move: Move, number: int) -> int:
        own = move.rows if who.score == "lines" else rules.points(move.rows)
        if move.loses:
            return own
        game = play_game(who.player, limited, who.seed, number, move.after, first=following)
        return own + int(getattr(game, who.score))

    return np.array([[score(move, number) for number in range(who.games)] for move in found])


class RolloutAgent:
    """Plays in the Engine by rollouts."""

    describe = "takes the move after which a player scores most in rollouts"

    def __init__(self, player: Rollouts):
        self.player, self.name = player, player.name

    def __call__(self, engine: Engine) -> str:
        rules = replace(engine.rules, entry=Entry.SPAWN)  # as pieces enter the engine
        following = engine.next_piece if sees_next(self.player, rules) else None
        move = self.player.choose(engine.board, engine.piece, following, rules) or engine.moves()[0]
        return f"P:{move.column}:{move.orientation}"

    def __repr__(self) -> str:
        return f"RolloutAgent({self.name})"
