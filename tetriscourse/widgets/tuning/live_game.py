"""The game that goes on before your eyes: a position, and the moves in it as the player sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from traceback import format_exc
from typing import Any

from tetriscourse.errors import InputError, counted, one_of
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves, placed
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.games import Chooser
from tetriscourse.looking_ahead import sees_next
from tetriscourse.players import Player
from tetriscourse.simulator.choosing import compiled_player
from tetriscourse.widgets.blocks import Spec, table_data
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.candidates import Candidate, candidate_table, move_name
from tetriscourse.widgets.panel import Panel
from tetriscourse.widgets.step_controls import SPEEDS
from tetriscourse.widgets.tuning.contest import Contestant, failed
from tetriscourse.widgets.tuning.weights import Tuned

LONGEST_NAME = 22  # characters of a name that find room below a board
CANDIDATES = 6  # rows of the table of moves
ABOVE = 2  # rows above the board, where the piece to place is shown
NEXT_GAME = "next game"


class LiveGame:
    """A game of a seed as it stands; `play_game` plays the same one if the same player makes every move."""

    def __init__(self, rules: Rules, seed: int = 0, number: int = 0):
        self.rules, self.seed, self.number = rules, seed, number
        self.board = rules.empty_board()
        self.pieces = self.lines = self.points = 0
        self.lost = False
        self._sequence = PieceSequence(rules, seed, number)
        self.piece = self._sequence[0]  # the piece to place
        self._picture: dict[str, Any] = {}
        self._quick: tuple[Any, Any] = (None, None)  # a player, and one that chooses the same moves, faster

    @property
    def is_over(self) -> bool:
        """Whether it was lost, or has reached the limit of its rules."""
        return self.lost or (0 < self.rules.max_pieces <= self.pieces)

    def choice(self, player: Chooser) -> Move | None:
        """The move that a player takes now; None: there is none."""
        if self._quick[0] is not player:
            self._quick = player, compiled_player(player, self.rules)
        chance = Chance(self.seed, self.number, TIE_STREAM, self.pieces)
        following = self._sequence[self.pieces + 1] if sees_next(player, self.rules) else None
        found: Move | None = self._quick[1].choose(self.board, self.piece, following, self.rules, chance)
        return found

    def take(self, move: Move | None) -> None:
        """Make a move; without one the game is lost."""
        self._picture = {}
        if move is None:
            self.lost = True
            return
        self.board, self.lost = move.after, move.loses
        self.pieces += 1
        self.lines += move.rows
        self.points += self.rules.points(move.rows)
        self.piece = self._sequence[self.pieces]

    def status(self, player: str) -> list[str]:
        """Who plays and where the game stands, in lines no wider than a small board."""
        end = ", lost" if self.lost else ", at the limit" if self.is_over else ""
        name = player if len(player) <= LONGEST_NAME else f"{player[: LONGEST_NAME - 1]}…"
        return [name, f"game {self.number}, {counted(self.pieces, 'piece')}", f"{counted(self.lines, 'line')}{end}"]

    def picture(self, cell: int, chosen: Move | None = None) -> dict[str, Any]:
        """The board with the piece to place above it, and where it goes; `cell`: pixels of a cell."""
        if not self._picture:
            shape = self.piece.orientations[self.piece.spawn]
            above = [] if self.is_over else placed(shape, self.rules.height, (self.rules.width - shape.width) // 2)
            self._picture = board_data(self.board, None if self.is_over else self.piece, above, above=ABOVE)
        hint = chosen.cells if chosen else ()
        return {**self._picture, "hint": [list(one) for one in hint], "cell": cell}


class Sight:
    """The moves of a position and their features, found once for all the weights that are tried on it."""

    def __init__(self) -> None:
        self.stuck = ""  # why the features are unknown, if one of them failed
        self.traceback = ""  # where that happened
        self._place: Any = None
        self._seen: list[Candidate] = []

    def candidates(self, game: LiveGame, player: Player) -> list[Candidate]:
        """The moves as the player sees them, best first."""
        place = (game, game.pieces, game.lost, player.features)
        if self._place != place:
            self._place = place
            self._look(game, player)
        weights, unit = player.integers, player.unit
        found = [
            replace(one, value=unit * sum(w * v for w, v in zip(weights, one.features, strict=True)))
            for one in self._seen
        ]
        return sorted(found, key=lambda one: -(one.value or 0.0))

    def _look(self, game: LiveGame, player: Player) -> None:
        """Find the moves and their features; none if one of your own features fails."""
        self._seen, self.stuck, self.traceback = [], "", ""
        try:
            for move in [] if game.is_over else moves(game.board, game.piece, game.rules):
                self._seen.append(Candidate(move, tuple(player.features.values(move)), None, move_name(move)))
        except Exception as error:
            self._seen, self.stuck, self.traceback = [], failed(player, error), format_exc()

    def words(self, found: Sequence[Candidate], game: LiveGame, tuned: Tuned) -> str:
        """The chosen move in words."""
        if not found:
            return "The game is over." if game.is_over else "No move is known." if self.stuck else "No move is left."
        best = sum(one.value == found[0].value for one in found)
        equal = f", the first of {best} that are worth as much" if best > 1 else ""
        return f"It puts {found[0].name}, worth {(found[0].value or 0) / tuned.scale:.4g}{equal}."

    def table(self, found: Sequence[Candidate], tuned: Tuned) -> Spec:
        """The best moves, with the weights that the sliders show."""
        if self.stuck:
            return table_data([], [])
        player = Player(tuned.features, [weight / tuned.scale for weight in tuned.weights])
        rows = [replace(one, value=(one.value or 0) / tuned.scale) for one in found[:CANDIDATES]]
        more = f"; the first {CANDIDATES}" if len(found) > CANDIDATES else ""
        caption = f"{counted(len(found), 'move')}, best first{more}"
        return candidate_table(player, rows, found[0].move if found else None, caption)


class LivePanel(Panel):
    """A panel in which a player, and perhaps a rival on the same pieces, plays a game move by move.

    Panels write `player`. Its game is `game`, that of the rival `rival_game`.
    """

    rival: Contestant | None = None  # who plays on the same pieces for comparison, if anybody does

    def __init__(self, blocks: Spec, rules: Rules, seed: int, speed: str):
        self.rules, self.seed, self.speed = rules, seed, one_of("speed", speed, SPEEDS)
        self.game, self.sight = LiveGame(rules, seed), Sight()
        self.rival_game: LiveGame | None = None
        super().__init__(blocks)
        self.worker.pace = SPEEDS[self.speed]

    @property
    def player(self) -> Player:
        """The player as it is now."""
        raise NotImplementedError

    @property
    def board(self) -> Board:
        return self.game.board

    @property
    def chosen(self) -> Move | None:
        """The move that the player takes on it."""
        found = self._candidates()
        return found[0].move if found else None

    def _candidates(self) -> list[Candidate]:
        """The moves as the player sees them, best first."""
        found = self.sight.candidates(self.game, self.player)
        self.failure = self.sight.traceback or self.failure
        return found

    def compute(self) -> Any:
        """The next move of both, or the next game when both are over."""
        if self.game.is_over and (self.rival_game is None or self.rival_game.is_over):
            return NEXT_GAME
        chosen = self.chosen
        if self.sight.stuck:
            raise InputError(self.sight.stuck)
        return chosen, self._rivals_choice()

    def _rivals_choice(self) -> Move | None:
        """The move of the rival, if there is one who still plays."""
        rival, game = self.rival, self.rival_game
        if rival is None or game is None or game.is_over:
            return None
        try:
            return game.choice(rival)
        except Exception as error:
            self.failure = format_exc()
            raise InputError(failed(rival, error)) from error

    def apply(self, result: Any) -> None:
        if result == NEXT_GAME:
            self._begin_game(self.game.number + 1)
            return
        for game, move in zip((self.game, self.rival_game), result, strict=True):
            if game is not None and not game.is_over:
                game.take(move)

    def _begin_game(self, game: int) -> None:
        """Both begin a game on the same pieces."""
        self.forget()
        self.game = LiveGame(self.rules, self.seed, game)
        self.rival_game = LiveGame(self.rules, self.seed, game) if self.rival else None

    def when_play(self, value: Any) -> None:
        """Run by itself, or pause."""
        if self.running:
            self.worker.pause()
        else:
            self.worker.start()

    def when_step(self, value: Any) -> None:
        if not self.running:
            self.step()

    def when_new_game(self, value: Any) -> None:
        self._begin_game(self.game.number + 1)

    def when_speed(self, value: Any) -> None:
        self.speed = one_of("speed", value, SPEEDS)
        self.worker.pace = SPEEDS[self.speed]
