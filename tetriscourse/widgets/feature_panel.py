"""Feature panel: what each feature counts, drawn on real boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tetriscourse.errors import InputError, one_of, shown, whole_number
from tetriscourse.features import FEATURES, OWN_FEATURES, Feature, Value, as_feature_set
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules
from tetriscourse.widgets.blocks import Spec, button, column, controls, row, select, table, table_data, text
from tetriscourse.widgets.blocks import board as board_block
from tetriscourse.widgets.board_view import move_data
from tetriscourse.widgets.candidates import move_name
from tetriscourse.widgets.gallery import rows_above
from tetriscourse.widgets.highlight import Highlight
from tetriscourse.widgets.highlights import highlight
from tetriscourse.widgets.inputs import values
from tetriscourse.widgets.panel import Panel
from tetriscourse.widgets.positions import Position, given_position, piece_of, position

PIECES_PLAYED = 20  # pieces played before each position: enough to be interesting, few enough to count by hand

TWIN = " (yours)"  # added to the name of a user's function if the catalogue has a feature of that name

Own = Feature | Callable[[Move], Value]


def with_own(features: Sequence[str | Own]) -> dict[str, Feature]:
    """The catalogue and the user's own features, renamed where their name is taken."""
    found = dict(FEATURES)
    for one in as_feature_set(features).features if features else ():
        if found.get(one.name) == one:
            continue
        name = one.name
        while name in found:
            name += TWIN
        found[name] = replace(one, name=name)
    return found


def value_text(feature: Feature, move: Move) -> str:
    """The value of a feature as text, or the error of a user's feature."""
    try:
        value = highlight(feature, move).value
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return " ".join(f"{one:g}" for one in value) if isinstance(value, list) else f"{value:g}"


def heading(feature: Feature) -> str:
    """'holes (L)'."""
    name = feature.name.replace("_", " ")
    plain = feature.symbol == feature.name.removesuffix(TWIN)  # a user's function has no other symbol
    return name if plain else f"{name} ({feature.symbol})"


class FeaturePanel(Panel):
    """See and count any feature on the board of any move."""

    title = "What a feature counts"
    tries = (
        "Cover the text with a hand, count what is marked on the board, then check whether you are right.",
        "Choose 'wells' and step through the moves: which move makes the deepest well?",
        "Find a move with few holes but many row transitions. What does its board look like?",
    )

    def __init__(
        self, feature: str | Own = "holes", rules: Rules | str = "research", board: Board | None = None,
        piece: Piece | str | None = None, seed: int = 0, features: Sequence[str | Own] = (),
    ):  # fmt: skip
        """feature: its name, or one of your own; features: more of your own for the menu, names or functions of a move.

        board, piece: a position, of any size; without them, one from a careless game with this seed and these rules.
        """
        if not isinstance(feature, str):
            features = [feature, *features]
        elif feature in OWN_FEATURES:
            features = [OWN_FEATURES[feature], *features]
        self.features = with_own(features)  # all features of the menu, by name
        named = feature if isinstance(feature, str) else name_in(self.features, feature)
        self.feature = self.features[one_of("feature", named, self.features)]
        self.seed = whole_number("seed", seed, 0)
        if board is None:
            start = position(rules, self.seed, PIECES_PLAYED)
            start = replace(start, piece=piece_of(start.rules, piece)) if piece is not None else start
        else:
            start = given_position(rules, self.seed, board, piece)
        self._go_to(start)
        super().__init__(self._layout())

    def _layout(self) -> Spec:
        menu = [(name, heading(one)) for name, one in self.features.items()]
        choosing = controls(
            "choosing",
            select("feature", "Feature", menu),
            select("piece", "Piece", [piece.name for piece in self.position.rules.pieces]),
            button("position", "Next position", "The board of the next seed"),
        )
        stepping = controls(
            "stepping",
            button("previous", "← Previous"),
            button("next", "Next →"),
            button("lowest", "Lowest value", "The move with the lowest value of this feature"),
            button("highest", "Highest value", "The move with the highest value of this feature"),
            vertical=True,
        )
        small = column(text("landing", live=True), stepping, board_block("small"))
        seen = row(board_block("board"), small, table("values", pick=True))
        return column(choosing, text("meaning", "soft"), text("words", "large"), text("detail", live=True), seen)

    def _go_to(self, start: Position, number: int = 0) -> None:
        """Switch to a position."""
        found = start.moves
        if not found:
            raise InputError(f"piece is {start.piece}; there is no move for it on this board")
        self.position, self.moves = start, found
        self.number = min(number, len(found) - 1)  # the number of the move on show, from 0

    @property
    def board(self) -> Board:
        """The board before the move."""
        return self.position.board

    @property
    def piece(self) -> Piece:
        """The piece to place."""
        return self.position.piece

    @property
    def move(self) -> Move:
        """The move on show."""
        return self.moves[self.number]

    @property
    def highlight(self) -> Highlight:
        """The marks of the feature; if it fails, its error."""
        try:
            return highlight(self.feature, self.move)
        except Exception as error:
            return Highlight(text=f"{self.feature.name} failed: {type(error).__name__}: {error}")

    def show(self, feature: str | None = None, move: int | None = None) -> None:
        """Show another feature, or another move by its number."""
        chosen = self.feature if feature is None else self.features[one_of("feature", feature, self.features)]
        number = self.number if move is None else whole_number("move", move, 0, len(self.moves) - 1)
        with self.changing():
            self.feature, self.number = chosen, number

    def when_feature(self, value: Any) -> None:
        self.feature = self.features[one_of("feature", value, self.features)]

    def when_values(self, value: Any) -> None:
        """Switch to the feature of a row of the table."""
        names = list(self.features)
        self.feature = self.features[names[whole_number("row", value, 0, len(names) - 1)]]

    def when_previous(self, value: Any) -> None:
        self.number = (self.number - 1) % len(self.moves)

    def when_next(self, value: Any) -> None:
        self.number = (self.number + 1) % len(self.moves)

    def when_lowest(self, value: Any) -> None:
        self.number = min(range(len(self.moves)), key=self._worth)

    def when_highest(self, value: Any) -> None:
        self.number = max(range(len(self.moves)), key=self._worth)

    def _worth(self, number: int) -> float:
        """The value of the feature for a move, summed over columns if it has one for each."""
        value = highlight(self.feature, self.moves[number]).value
        return float(sum(value)) if isinstance(value, list) else value

    def when_piece(self, value: Any) -> None:
        self._go_to(replace(self.position, piece=piece_of(self.position.rules, value)))

    def when_position(self, value: Any) -> None:
        """Switch to the position of the next seed."""
        self._go_to(position(self.position.rules, self.seed + 1, PIECES_PLAYED))
        self.seed += 1

    def content(self) -> dict[str, Any]:
        found, move, chosen = self.highlight, self.move, self.feature
        above = rows_above(move)
        lines = [[name.replace("_", " "), value_text(one, move)] for name, one in self.features.items()]
        return {
            "choosing": values(feature=chosen.name, piece=self.piece.name),
            "meaning": {"text": chosen.describe or "A function of your own."},
            "words": {"text": f"{heading(chosen)} = {value_text(chosen, move)}"},
            "detail": {"text": found.text},
            "board": move_data(move, found, above=above),
            "landing": {"text": [f"Move {self.number + 1} of {len(self.moves)}:", move_name(move)]},
            "small": move_data(move, cell=9, above=above),
            "values": table_data(
                ["feature", "value"], lines, list(self.features).index(chosen.name), "All features of this move"
            ),
        }

    def describe(self) -> str:
        where = f"Move {self.number + 1} of {len(self.moves)}: {move_name(self.move)}"
        return "\n".join([self.move.after.text(letters=True), where, f"{self.feature.name}: {self.highlight.text}"])


def name_in(features: dict[str, Feature], wanted: Own) -> str:
    """The name of a user's feature in the menu."""
    for name, one in features.items():
        if one is wanted or one.function is getattr(wanted, "function", wanted):
            return name
    raise InputError(f"feature is {shown(wanted)}; it must be the name of a feature or a function of a move")
