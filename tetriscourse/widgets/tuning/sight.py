"""What a player sees of a position: its moves, their features and values, and which one it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from traceback import format_exc
from typing import Any

from tetriscourse.errors import counted
from tetriscourse.game.moves import Move, moves, placed
from tetriscourse.players import Player
from tetriscourse.widgets.blocks import Spec, table_data
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.candidates import Candidate, candidate_table, move_name
from tetriscourse.widgets.tuning.live_game import LiveGame
from tetriscourse.widgets.tuning.trials import failed
from tetriscourse.widgets.tuning.weights import Tuned

CANDIDATES = 6
"""Rows of the table of moves."""
ABOVE = 2
"""Rows above the board, where the piece to place is shown."""


class Sight:
    """The features of the moves of a position, found once for all the weights that are tried on it."""

    def __init__(self) -> None:
        self.stuck = ""
        """Why the features are not known, if one of them failed."""
        self.traceback = ""
        """Where that happened."""
        self._place: Any = None
        self._moves: list[Move] = []
        self._values: list[list[float]] = []

    def candidates(self, game: LiveGame, player: Player) -> list[Candidate]:
        """The moves as the player sees them, best first."""
        place = (game, game.pieces, player.features)
        if self._place != place:
            self._place = place
            self._look(game, player)
        found = [
            Candidate(move, tuple(seen), player.unit * sum(w * v for w, v in zip(player.integers, seen, strict=True)))
            for move, seen in zip(self._moves, self._values, strict=True)
        ]
        return sorted(found, key=lambda one: -(one.value or 0.0))

    def _look(self, game: LiveGame, player: Player) -> None:
        """Find the moves and their features; none if a feature of one's own fails."""
        self._moves = [] if game.is_over else moves(game.board, game.piece, game.rules)
        self.stuck = self.traceback = ""
        try:
            self._values = [player.features.values(move) for move in self._moves]
        except Exception as error:
            self.stuck, self.traceback = failed(player, error), format_exc()
            self._moves, self._values = [], []


def chosen_words(found: Sequence[Candidate], game: LiveGame, tuned: Tuned, stuck: str) -> str:
    """The chosen move."""
    if not found:
        return "The game is over." if game.is_over else "No move is known." if stuck else "No move is left."
    best = sum(one.value == found[0].value for one in found)
    equal = f", the first of {best} that are worth as much" if best > 1 else ""
    return f"It puts {move_name(found[0].move)}, worth {(found[0].value or 0) / tuned.scale:.4g}{equal}."


def best_moves(found: Sequence[Candidate], tuned: Tuned, stuck: str) -> Spec:
    """The best moves, with the weights that the sliders show."""
    if stuck:
        return table_data([], [])
    player = Player(tuned.features, [weight / tuned.scale for weight in tuned.weights])
    rows = [replace(one, value=(one.value or 0) / tuned.scale) for one in found[:CANDIDATES]]
    more = f"; the first {CANDIDATES}" if len(found) > CANDIDATES else ""
    caption = f"{counted(len(found), 'move')}, best first{more}"
    return candidate_table(player, rows, found[0].move if found else None, caption)


def game_board(game: LiveGame, chosen: Move | None, cell: int) -> dict[str, Any]:
    """The board with the piece to place above it, and where it goes."""
    if game.is_over:
        return board_data(game.board, cell=cell, above=ABOVE)
    shape = game.piece.orientations[game.piece.spawn]
    cells = placed(shape, game.rules.height, (game.rules.width - shape.width) // 2)
    return board_data(game.board, game.piece, cells, hint=chosen.cells if chosen else (), cell=cell, above=ABOVE)
