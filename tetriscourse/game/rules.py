"""Rules as data: every point on which the papers differ is a field of Rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import count

from tetriscourse.catalogues import Catalogue
from tetriscourse.errors import InputError, finite_numbers, no_such_name, one_of, shown, whole_number
from tetriscourse.game import random
from tetriscourse.game.board import MAX_HEIGHT, MAX_WIDTH, MIN_SIZE, Board
from tetriscourse.game.pieces import BAGS, Piece, as_piece


class GameOver(StrEnum):
    """When a move loses."""

    OVERFLOW = "overflow"
    """A cell of the piece lands above the board, even if rows would then be cleared (Thiery and Scherrer 2009)."""
    OVERFLOW_AFTER_CLEARING = "overflow-after-clearing"
    """A cell is above the board after full rows have been cleared (TetrisBot and others)."""
    TOP_ROW = "top-row"  # a cell of the piece lands in the top row or above it (Bertsekas and Tsitsiklis 1996)


class LosingMoves(StrEnum):
    """Whether a player may take a move that loses."""

    REFUSED = "refused"  # never; the game is over when there is no other
    ALLOWED = "allowed"  # yes: if it looks best, the player takes it and loses


class Entry(StrEnum):
    """Where a piece comes from."""

    ABOVE = "above"  # from far above the board: it can reach every column in every orientation
    SPAWN = "spawn"  # from above the middle: it falls one row, and must fit into its column at that height (TetrisBot)


class Draw(StrEnum):
    """How the pieces are drawn."""

    INDEPENDENT = "independent"  # each on its own, with the given probabilities
    BAG = "bag"  # all pieces in random order, then all of them again: the '7-bag'
    BY_TURNS = "by-turns"  # without chance: the pieces of positive probability in the order of the bag, again and again


class Scoring(StrEnum):
    """Points for the rows cleared by one move."""

    LINES = "lines"
    TETRISBOT = "tetrisbot"
    SQUARES = "squares"


POINTS: dict[Scoring, tuple[int, int, int, int, int]] = {
    Scoring.LINES: (0, 1, 2, 3, 4),
    Scoring.TETRISBOT: (0, 40, 100, 300, 1200),
    Scoring.SQUARES: (0, 1, 4, 9, 16),
}

LIMITS: dict[str, tuple[int, int | None]] = {
    "width": (MIN_SIZE, MAX_WIDTH),
    "height": (MIN_SIZE, MAX_HEIGHT),
    "max_pieces": (0, None),
    "pieces_known": (1, 2),
}


@dataclass(frozen=True)
class Rules:
    """A variant of Tetris; the defaults are the research game on 10 x 20.

    width           columns, 4 to 16
    height          rows, 4 to 28
    bag             which pieces: 'research', 'rapid' (the same, tried in TetrisBot's order), 'classic', 'domino'
    draw            how they are drawn: 'independent', 'bag' (all in random order, then all again), or 'by-turns' (in
                    the order of the bag, again and again)
    probabilities   relative frequency of each piece of the bag, in its order or by name; None: all the same
    game_over       when a move loses: 'overflow' (a cell lands above the board), 'overflow-after-clearing' (it is
                    still there when full rows are gone), 'top-row' (a cell lands in the top row or above)
    losing_moves    'refused' (never taken while there is another) or 'allowed' (taken if it looks best)
    entry           where a piece comes from: 'above' (every place can be reached) or 'spawn' (it appears above the
                    middle and must fit in its column one row down, as in TetrisBot)
    scoring         points for 1, 2, 3, 4 rows at once: 'lines' (1 2 3 4), 'tetrisbot' (40 100 300 1200),
                    'squares' (1 4 9 16)
    max_pieces      pieces after which the game stops; 0: no limit
    pieces_known    1: the player sees the piece to place; 2: also the next one
    """

    width: int = 10
    height: int = 20
    bag: str = "research"
    draw: Draw = Draw.INDEPENDENT
    probabilities: tuple[float, ...] | None = None
    game_over: GameOver = GameOver.OVERFLOW
    losing_moves: LosingMoves = LosingMoves.REFUSED
    entry: Entry = Entry.ABOVE
    scoring: Scoring = Scoring.LINES
    max_pieces: int = 0
    pieces_known: int = 1

    def __post_init__(self) -> None:
        for field, (low, high) in LIMITS.items():
            object.__setattr__(self, field, whole_number(field, getattr(self, field), low, high))
        one_of("bag", self.bag, BAGS)
        for choice in fields(self):
            if isinstance(choice.default, StrEnum):
                kind = type(choice.default)
                chosen = one_of(choice.name, getattr(self, choice.name), map(str, kind))
                object.__setattr__(self, choice.name, kind(chosen))
        if self.probabilities is not None:
            object.__setattr__(self, "probabilities", self._checked_probabilities(self.probabilities))

    def _checked_probabilities(self, given: Sequence[float] | Mapping[str, float]) -> tuple[float, ...]:
        """One frequency for each piece, from a sequence or from a dict by name, in which a missing piece has 0."""
        names = [piece.name for piece in self.pieces]
        if isinstance(given, Mapping):
            for name in given:
                one_of("probabilities", name, names)
            given = [given.get(name, 0.0) for name in names]
        numbers = finite_numbers("probabilities", given)
        if len(numbers) != len(names):
            raise InputError(
                f"probabilities has {len(numbers)} values; "
                f"the {self.bag} bag has {len(names)} pieces: {' '.join(names)}"
            )
        if min(numbers) < 0 or max(numbers) == 0:
            raise InputError(f"probabilities is {numbers}; none may be negative and one must be positive")
        if self.draw is Draw.BAG:
            raise InputError("probabilities is given; with draw='bag' every piece comes equally often")
        if self.draw is Draw.BY_TURNS and len({*numbers} - {0.0}) > 1:
            raise InputError(f"probabilities is {numbers}; with draw='by-turns' those above 0 must be the same")
        return numbers

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of the bag."""
        return BAGS[self.bag]

    @property
    def possible(self) -> tuple[int, ...]:
        """The numbers of the pieces that can come."""
        return tuple(k for k, weight in enumerate(self.probabilities or [1.0] * len(self.pieces)) if weight)

    def number_of(self, piece: Piece | str) -> int:
        """The number of a piece: its place in the bag."""
        piece = as_piece(piece, self.pieces)
        if piece not in self.pieces:
            names = " ".join(one.name for one in self.pieces)
            raise InputError(f"piece is {piece}, as another bag turns it; the rules have the {self.bag} bag: {names}")
        return self.pieces.index(piece)

    def points(self, rows: int) -> int:
        """Points for the rows cleared by one move."""
        return POINTS[self.scoring][rows]

    def empty_board(self) -> Board:
        """The board on which a game starts."""
        return Board.empty(self.width, self.height)

    def differences(self) -> dict[str, object]:
        """The fields that differ from the research game."""
        standard = Rules()
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(standard, field.name)
        }

    def __repr__(self) -> str:
        plain = {name: str(v) if isinstance(v, StrEnum) else v for name, v in self.differences().items()}
        given = (f"{name}={value!r}" for name, value in plain.items())
        return f"Rules({', '.join(given)})"

    def __str__(self) -> str:
        rest = {name: value for name, value in self.differences().items() if name not in ("width", "height")}
        if "probabilities" in rest:
            chances = zip(self.pieces, self.probabilities or (), strict=True)
            rest["probabilities"] = " ".join(f"{piece.name} {chance:g}" for piece, chance in chances if chance)
        return f"{self.width}x{self.height}" + "".join(f", {name} {value}" for name, value in rest.items())


class PieceSequence:
    """The pieces of one game, by position; every player meets the same."""

    def __init__(self, rules: Rules | str, seed: int, game: int):
        self.rules = rules = as_rules(rules)
        self.seed, self.game = seed, game
        self.key = random.stream_key(seed, game, random.PIECE_STREAM)
        self.edges = random.thresholds(rules.probabilities or [1.0] * len(rules.pieces))

    def number(self, position: int) -> int:
        """The number of the piece at this position."""
        n = len(self.rules.pieces)
        if self.rules.draw is Draw.BAG:
            round_, place = divmod(position, n)
            return random.shuffled(n, self.key, round_ * n)[place]
        if self.rules.draw is Draw.BY_TURNS:
            return self.rules.possible[position % len(self.rules.possible)]
        bits = random.bits32(self.key, position)
        return next(i for i, edge in enumerate(self.edges) if bits < edge)

    def __getitem__(self, position: int) -> Piece:
        return self.rules.pieces[self.number(position)]

    def __iter__(self) -> Iterator[Piece]:
        return map(self.__getitem__, count())

    def __repr__(self) -> str:
        start = " ".join(str(self[position]) for position in range(7))
        return f"PieceSequence({short_name(self.rules)}, seed {self.seed}, game {self.game}: {start} ...)"


RESEARCH = Rules()
TETRISBOT = Rules(
    height=22,
    bag="rapid",
    draw=Draw.BAG,
    game_over=GameOver.OVERFLOW_AFTER_CLEARING,
    losing_moves=LosingMoves.ALLOWED,
    entry=Entry.SPAWN,
    scoring=Scoring.TETRISBOT,
)

RULES = Catalogue(
    "rules",
    {
        "research": RESEARCH,
        "harder": Rules(probabilities=(1, 1, 1, 3, 3, 1, 1)),
        "hardest": Rules(probabilities=(1, 1, 1, 4, 4, 1, 1)),
        "tetrisbot": TETRISBOT,
        "domino": replace(TETRISBOT, width=8, height=8, bag="domino", scoring=Scoring.SQUARES),
        "losing-allowed": Rules(losing_moves=LosingMoves.ALLOWED),
        "top-row": Rules(game_over=GameOver.TOP_ROW),
        "after-clearing": Rules(game_over=GameOver.OVERFLOW_AFTER_CLEARING),
        "bag": Rules(draw=Draw.BAG),
        "two-piece": Rules(pieces_known=2),
        "10x16": Rules(10, 16),
        "10x10": Rules(10, 10),
        "6x12": Rules(6, 12),
        "5x5": Rules(5, 5),
    },
)
"""Rules with a name; `as_rules` reads every other size as well."""


def as_rules(given: Rules | str, argument: str = "rules") -> Rules:
    """Rules, or those of this name; a size such as '7x9' names the research game on a board of that size."""
    if isinstance(given, Rules):
        return given
    if not isinstance(given, str):
        raise InputError(f"{argument} is {shown(given)}; it must be a Rules or a name such as 'tetrisbot'")
    if given in RULES:
        return RULES[given]
    size = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", given)
    if size is None:
        raise InputError(no_such_name(argument, given, [*RULES, "any other size"]))
    width, height = int(size[1]), int(size[2])
    if not (MIN_SIZE <= width <= MAX_WIDTH and MIN_SIZE <= height <= MAX_HEIGHT):
        allowed = f"{MIN_SIZE} to {MAX_WIDTH} columns and {MIN_SIZE} to {MAX_HEIGHT} rows"
        raise InputError(f"{argument} is {given!r}; a board has {allowed}")
    return Rules(width, height)


def short_name(rules: Rules) -> str:
    """The name of the rules if they have one, with size or piece limit if only that differs; otherwise in full."""
    for name, named in RULES.items():
        if replace(rules, max_pieces=named.max_pieces) == named:
            return name if rules == named else f"{name}, max_pieces {rules.max_pieces}"
    for name in ("harder", "hardest", "tetrisbot", "domino"):
        if replace(rules, width=RULES[name].width, height=RULES[name].height) == RULES[name]:
            return f"{name} on {rules.width}x{rules.height}"
    return str(rules)
