"""Filter panel: put criteria in order, and see which moves survive each stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tetriscourse.errors import InputError, counted, one_of, shown, whole_number
from tetriscourse.features import FEATURES, Feature
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import PieceSequence, Rules
from tetriscourse.games import Game
from tetriscourse.players import Criterion, Filter
from tetriscourse.widgets.blocks import Spec, boards, button, code, column, controls, order, row, select, text
from tetriscourse.widgets.blocks import board as board_block
from tetriscourse.widgets.board_view import board_data, move_data
from tetriscourse.widgets.candidates import same
from tetriscourse.widgets.filtering.stages import FILTERS, as_code, filter_of, stage_groups, summary
from tetriscourse.widgets.gallery import rows_above, rows_to_show, small_board
from tetriscourse.widgets.panel import Panel
from tetriscourse.widgets.positions import given_position, piece_of

OWN = "your own"  # the menu's name for an order that is not published

CELL = 9  # size of a cell of the larger board, in pixels


class FilterPanel(Panel):
    """Put criteria in order, and see on real boards which moves each of them leaves.

    Playing on gives the game of `play_game(panel.filter, panel.rules, panel.seed, board=panel.first_board)`.
    """

    title = "Filter: one criterion after another"
    scripts = ("order",)
    tries = (
        "Drag 'bumpiness' to the top, or focus it and press Shift and the arrow key up: which moves survive now?",
        "Which criterion decides least here? Remove it, and see whether the chosen move changes.",
        "Change 'fewest holes' to 'most holes' and play 10 moves: how fast can a game be lost?",
        "Press 'Empty board', then 'Play 10' five times: which order of criteria leaves the lowest board?",
    )

    def __init__(
        self, criteria: Filter | str | Sequence[str | Criterion] = "filter-heights", board: Board | None = None,
        piece: Piece | str | None = None, rules: Rules | str = "tetrisbot", seed: int = 0,
    ):  # fmt: skip
        """criteria: a Filter, the name of a published one, or feature names in order: ["holes", "bumpiness", "-lines"].

        board, piece: where to start, by default a board from a careless game with this seed and the first piece of game
        0; the rules take the board's size, and later pieces are those of game 0.
        """
        self.filter = filter_of(criteria)  # the criteria in their current order: a player like any other
        self.known: dict[str, Feature] = {
            **{name: one for name, one in FEATURES.items() if one.per_column is None},
            **{criterion.feature.name: criterion.feature for criterion in self.filter.criteria},
        }
        self.answered = 0
        self._begin(board, piece, rules, seed)
        super().__init__(self._layout())

    def _begin(self, board: Board | None, piece: Piece | str | None, rules: Rules | str, seed: int) -> None:
        """Start a game."""
        start = given_position(rules, seed, board, piece)
        self.rules, self.seed = start.rules, whole_number("seed", seed, 0)
        self.first_board = start.board
        self.game = Game(self.rules, self.seed, 0)  # the moves played so far
        self.piece = start.piece
        self._look()

    def _layout(self) -> Spec:
        playing = controls(
            "playing",
            button("play", "Play this move"),
            button("play_more", "Play 10", "Ten moves, or to the end of the game"),
            select("piece", "Piece", [piece.name for piece in self.rules.pieces]),
            button("new", "New board", "The board and the pieces of the next seed"),
            button("empty", "Empty board", "The game of this seed from its beginning"),
            vertical=True,
        )
        ordering = controls(
            "ordering",
            order("criteria", "Criteria, the first one first"),
            select("published", "Filter", [OWN, *FILTERS]),
            vertical=True,
        )
        left = column(ordering, row(board_block("board"), column(playing, text("state", "soft"))))
        return column(text("summary", live=True), row(left, boards("stages")), code("code", "Copy as code"))

    # --- the state --------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        return self.game.moves[-1].after if self.game.moves else self.first_board

    @property
    def is_at_limit(self) -> bool:
        """Whether the rules allow no more pieces."""
        return 0 < self.rules.max_pieces <= self.game.pieces

    def _look(self) -> None:
        """Find the moves, those left after each criterion, and the chosen one."""
        self.moves: list[Move] = []  # all moves; none if the game is over or a user's feature fails
        self.stages: list[list[Move]] = self.filter.stages([])  # the moves left after each criterion
        self.choice: Move | None = None  # the move that the filter chooses, if any
        self.fails = True  # until the criteria, which may be the user's own, have worked
        if self.game.lost or self.is_at_limit:
            return
        found = moves(self.board, self.piece, self.rules)
        left = self.filter.stages(found)
        chance = Chance(self.seed, 0, TIE_STREAM, self.game.pieces)
        chosen = self.filter.choose(self.board, self.piece, None, self.rules, chance)
        self.moves, self.stages, self.fails = found, left, False
        self.choice = next((move for move in found if chosen and same(move, chosen)), None)

    def set_criteria(self, criteria: Filter | str | Sequence[str | Criterion]) -> None:
        """Use other criteria."""
        chosen = filter_of(criteria)
        chosen.stages(self.moves)  # so that an error in a user's feature is raised here
        with self.changing():
            self._use(chosen)

    def play(self, pieces: int = 1) -> None:
        """Play this many of the filter's moves, or to the end of the game."""
        wanted = whole_number("pieces", pieces, 1)
        with self.changing():
            self._play(wanted)

    def _play(self, pieces: int) -> None:
        for _ in range(pieces):
            if self.choice is None:
                break
            self._place(self.choice)

    def _place(self, move: Move) -> None:
        """Make one move, as `play_game` does, and take the next piece."""
        self.game.take(move)
        self.piece = PieceSequence(self.rules, self.seed, 0)[self.game.pieces]
        self._look()

    # --- controls ---------------------------------------------------------------------------------

    def when_criteria(self, value: Any) -> None:
        """Use the list as changed in the page."""
        self.answered += 1  # even if the list is refused
        self._use(Filter(self._read(value), OWN))

    def _read(self, value: Any) -> list[Criterion]:
        """The criteria that the page reports: names, each with -1, +1 or None for the usual sign."""
        if not isinstance(value, list):
            raise InputError(f"criteria is {shown(value)}; it must be a list")
        if not value:
            raise InputError("criteria is empty; the last one cannot be removed: a filter needs at least one")
        found = []
        for one in value:
            name, sign = (one.get("name"), one.get("sign")) if isinstance(one, dict) else (one, None)
            feature = self.known[one_of("criteria", name, self.known)]
            if sign not in (-1, 1, None):
                raise InputError(f"sign of {feature.name} is {shown(sign)}; it must be -1 for fewest or 1 for most")
            usual = Criterion.from_text(feature.name) if feature.name in FEATURES else Criterion(feature, -1)
            found.append(Criterion(feature, sign) if sign else usual)
        return found

    def _use(self, chosen: Filter) -> None:
        named = next((one for one in FILTERS.values() if one.criteria == chosen.criteria), chosen)
        named.stages(self.moves)  # before anything changes, since a user's feature may fail
        self.filter = named
        self.known |= {criterion.feature.name: criterion.feature for criterion in named.criteria}
        self._look()

    def when_published(self, value: Any) -> None:
        """Use a published filter; 'your own' changes nothing."""
        self.answered += 1
        if value != OWN:
            self._use(filter_of(str(value)))

    def when_play(self, value: Any) -> None:
        self._play(1)

    def when_play_more(self, value: Any) -> None:
        self._play(10)

    def when_piece(self, value: Any) -> None:
        self.piece = piece_of(self.rules, value)
        self._look()

    def when_new(self, value: Any) -> None:
        """Switch to the board of the next seed."""
        self._begin(None, None, self.rules, self.seed + 1)

    def when_empty(self, value: Any) -> None:
        """Go back to the start of this seed's game."""
        self._begin(self.rules.empty_board(), None, self.rules, self.seed)

    def when_code(self, value: Any) -> None:
        self.say("Copied: paste it into a cell.")

    # --- blocks and texts -------------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        over = {"disabled": self.choice is None}
        drawn = board_data(self.board, cell=CELL)
        if self.choice is not None:
            drawn = move_data(self.choice, cell=CELL, above=rows_above(self.choice))
        published = self.filter.name if FILTERS.get(self.filter.name) == self.filter else OWN
        return {
            "ordering": {"criteria": self._list(), "published": {"value": published}},
            "playing": {"play": over, "play_more": over, "piece": {"value": self.piece.name, **over}},
            "board": drawn,
            "state": {"text": self._state()},
            "summary": {"text": self._summary()},
            "stages": {
                "board": small_board(self.board, rows_to_show(self.moves)),
                "groups": stage_groups(self.filter, self.moves, self.stages, self.choice) if self.moves else [],
            },
            "code": {"text": self.code},
        }

    def _list(self) -> Spec:
        used = {criterion.feature.name for criterion in self.filter.criteria}
        return {
            "items": [
                {
                    "name": criterion.feature.name,
                    "label": criterion.feature.name.replace("_", " "),
                    "sign": criterion.sign,
                    "help": criterion.feature.describe,
                }
                for criterion in self.filter.criteria
            ],
            "others": [[name, name.replace("_", " ")] for name in self.known if name not in used],
            "answered": self.answered,
        }

    def _summary(self) -> str:
        if self.choice is None:
            return self._ending()
        return summary(self.filter, self.moves, self.stages)

    def _ending(self) -> str:
        """The reason why no move can be played."""
        if self.game.lost:
            return "The game is over: the last piece sticks out above the board."
        if self.is_at_limit:
            return "The game is over: the rules' last piece is placed."
        return "A criterion fails on this board." if self.fails else "The game is over: no move is left."

    def _state(self) -> list[str]:
        played, cleared = counted(self.game.pieces, "piece"), counted(self.game.lines, "row")
        return [f"Seed {self.seed}", f"{played} played", f"{cleared} cleared"]

    @property
    def code(self) -> str:
        return f"player = {as_code(self.filter)}"

    def describe(self) -> str:
        state = ", ".join([f"Piece {self.piece}", *self._state()])
        return "\n".join([self.board.text(letters=True), state, self._summary()])
