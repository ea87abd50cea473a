"""Play panel: Tetris by hand in the notebook, under any rules; Python replays and keeps the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import traitlets

from tetriscourse.errors import InputError, counted, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.engine import INVISIBLE_ROWS, Ending, Engine
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Cell
from tetriscourse.game.rules import RULES, TETRISBOT, Entry, Rules, as_rules, short_name
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import PLAYERS, as_player
from tetriscourse.simulator.choosing import compiled_agent
from tetriscourse.simulator.run import MAX_SEED
from tetriscourse.terminal import result
from tetriscourse.widgets.blocks import Spec, button, column, controls, number, row, select, table, table_data, text
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.candidates import ahead_judge, candidates, reason_table, same
from tetriscourse.widgets.inputs import values
from tetriscourse.widgets.panel import Panel, typed_whole
from tetriscourse.widgets.record import Follower, Mode, Record, game_spec, ghost, mode_of, state_of

MODES = {Mode.FALLING: "it falls by itself", Mode.TURNS: "turn by turn"}
HIGHEST_LEVEL = 15
BOARD_PIXELS, CELLS = 480, (10, 24)  # height of a board, roughly; smallest and largest cell


class PlayPanel(Panel):
    """Play by hand, with gravity and levels or turn by turn. A hint shows what a player would do, and why.

    record        the last game that was finished or stopped; records: all of them
    engine        the current game, as it was after the last piece
    new_game(seed)
    """

    title = "Play"
    tries = (
        "Clear four rows at once with an I: how much more is it worth than one row four times?",
        "Press i for a hint: which feature decides? Then play against the advice and ask again.",
        "Play turn by turn, as the agents do: every key costs a row of height.",
        "Play a game to its end, then watch it: the panel's record has it key by key, for WatchPanel.",
    )
    scripts = ("game", "play")

    spec = traitlets.Dict().tag(sync=True)  # the game for the page to play

    def __init__(
        self, rules: Rules | str = TETRISBOT, seed: int = 0, mode: str = Mode.FALLING, hint: Any = "dellacherie",
        level: int = 1, board: Board | None = None,
    ):  # fmt: skip
        """rules: Rules or a name in RULES; seed: of the pieces; hint: the player who gives advice, or its name.

        mode: 'falling', by itself and ever faster, or 'turns', one row with every key; level: how fast it falls at
        first, 1 to 15; board: the starting position, empty by default.
        """
        self.rules, self.seed = as_rules(rules), whole_number("seed", seed, 0, MAX_SEED)
        self.mode = mode_of(mode)
        self.adviser, self.level = as_player(hint, "hint"), whole_number("level", level, 1, HIGHEST_LEVEL)
        self.start_board = board
        self.records: list[Record] = []  # all games finished or stopped so far
        self.round = 0
        self.hint_cells: list[Cell] = []
        self.reasons: Spec | None = None  # the table of reasons for the adviser's move
        self.own_rules, self.own_adviser = self.rules, self.adviser
        self._begin()
        super().__init__(self._blocks())
        self.spec = self._spec()

    def tips(self) -> list[str]:
        """Leave the first one out if there is no I piece."""
        names = {self.rules.pieces[number].name for number in self.rules.possible}
        return list(self.tries if "I" in names else self.tries[1:])

    @property
    def record(self) -> Record | None:
        """The last game that was finished or stopped, if any."""
        return self.records[-1] if self.records else None

    @property
    def engine(self) -> Engine:
        """The current game, as it was after the last piece."""
        return self.follower.engine

    def _begin(self) -> None:
        """Start the next game."""
        # First of all: a board that does not fit the rules must leave the current game alone.
        follower = Follower(self.rules, self.seed, 0, self.start_board, self.mode)
        self.follower, self.round = follower, self.round + 1
        self._forget_hint()
        self.words = "The piece falls by itself." if self.mode is Mode.FALLING else "The piece falls with every key."

    def _spec(self) -> Spec:
        return game_spec(self.rules, self.seed, 0, self.start_board, self.mode)

    def new_game(self, seed: int | None = None) -> None:
        """Start a new game, by default with the pieces of the next seed."""
        chosen = whole_number("seed", self.seed + 1 if seed is None else seed, 0, MAX_SEED)
        with self.changing():
            self._change(seed=chosen)

    def _change(self, **changes: Any) -> None:
        """Start a new game with these changes; if they are not allowed, keep everything as it was."""
        before = {name: getattr(self, name) for name in changes}
        try:
            for name, value in changes.items():
                setattr(self, name, value)
            self._begin()
        except InputError:
            for name, value in before.items():
                setattr(self, name, value)
            raise
        self.spec = self._spec()

    def when_played(self, value: Any) -> None:
        """A piece has settled."""
        self._follow(value)

    def when_finished(self, value: Any) -> None:
        """The game is over: keep it if the replay agrees."""
        engine = self._follow(value)
        if engine is None:
            return
        if value["state"] != state_of(engine):
            raise InputError("the game in the page and the engine's replay of it differ; the game was not kept")
        keys = tuple(self.follower.keys)
        self.records.append(Record(self.rules, self.seed, 0, self.mode, keys, self.start_board))
        self.words = result(engine) + "."
        if engine.ending is Ending.QUIT:
            self.say(f"Stopped after {counted(engine.blocks_played, 'piece')}; panel.record has the game so far.")

    def when_hint(self, value: Any) -> None:
        """Show what the adviser would do, and why."""
        engine = self._follow(value)
        if engine is None:
            return
        with self.naming(self.adviser.name):
            found, chosen = candidates(self._judge(engine), engine.moves()), self._advice(engine)
        best = next(one for one in found if same(one.move, chosen))
        others = [one for one in found if one is not best]
        self.hint_cells = chosen.cells
        self.hint_for = self._place(engine)
        self.reasons = reason_table(self.adviser, best, others[0] if others else None)
        self.reasons["caption"] = f"{self.adviser.name} would play {self.reasons['caption']}" + (
            "; beside it the next best move" if others else ""
        )

    def _judge(self, engine: Engine) -> Any:
        """The adviser, with what is known in this position."""
        if not isinstance(self.adviser, LookAhead):
            return self.adviser
        self.adviser.check_width(engine.rules.width)
        return ahead_judge(self.adviser, engine.next_piece, replace(engine.rules, entry=Entry.SPAWN))

    def _advice(self, engine: Engine) -> Move:
        """The adviser's move in this position."""
        _, where, turned = engine.parsed(compiled_agent(self.adviser)(engine))
        return next(move for move in engine.moves() if (move.column, move.orientation) == (where, turned))

    def _follow(self, value: Any) -> Engine | None:
        """Replay the keys that the page reports; None if they belong to an earlier game."""
        if value["round"] != self.round:
            return None
        engine = self.follower.advance(value["keys"].split())
        if self.hint_for != self._place(engine):
            self._forget_hint()
        return engine

    def _place(self, engine: Engine) -> str:
        """The number of the game and of the falling piece."""
        return f"{self.round}:{engine.blocks_played}"

    def _forget_hint(self) -> None:
        """Drop the hint, which is for one piece only."""
        self.hint_cells, self.hint_for, self.reasons = [], "", None

    def when_new(self, value: Any) -> None:
        self._change(seed=self.seed + 1)

    def when_again(self, value: Any) -> None:
        self._change()

    def when_seed(self, value: Any) -> None:
        self._change(seed=typed_whole("seed", value, 0, MAX_SEED))

    def when_rules(self, value: Any) -> None:
        chosen = self.own_rules if value == "own" else RULES.named(value)
        self._change(rules=chosen, start_board=None)

    def when_mode(self, value: Any) -> None:
        """Let the piece fall by itself or with every key, in a new game."""
        self._change(mode=mode_of(value))

    def when_level(self, value: Any) -> None:
        self._change(level=typed_whole("level", value, 1, HIGHEST_LEVEL))

    def when_adviser(self, value: Any) -> None:
        self.adviser = self.own_adviser if value == self.own_adviser.name else as_player(value, "hint")
        self._forget_hint()

    def _blocks(self) -> Spec:
        menu = [(name, name) for name in RULES]
        if self.rules not in RULES.values():
            menu.insert(0, ("own", short_name(self.rules)))
        advisers = list(PLAYERS) if self.adviser in PLAYERS.values() else [self.adviser.name, *PLAYERS]
        return column(
            controls(
                "game",
                button("new", "New game"),
                button("again", "Same pieces again"),
                select("rules", "rules", menu),
                select("mode", "the piece", [(str(mode), words) for mode, words in MODES.items()]),
                number("level", "level"),
                number("seed", "seed"),
                select("adviser", "hints by", advisers),
            ),
            text("words", live=True),
            row({"kind": "play", "id": "play"}, table("reasons")),
        )

    def content(self) -> dict[str, Any]:
        engine, low = self.follower.engine, CELLS[0]
        cell = max(low, min(CELLS[1], BOARD_PIXELS // (self.rules.height + INVISIBLE_ROWS)))
        drawn = board_data(
            engine.board, engine.piece, engine.cells, ghost=ghost(engine), hint=self.hint_cells, cell=cell,
            above=INVISIBLE_ROWS,
        )  # fmt: skip
        named = next((name for name, rules in RULES.items() if rules == self.rules), "own")
        chosen = {"rules": named, "mode": str(self.mode), "level": self.level, "seed": self.seed}
        game = values(**chosen, adviser=self.adviser.name)
        game["level"]["disabled"] = self.mode is Mode.TURNS
        invitation = f"Press i, and see here what {self.adviser.name} would do, and why."
        return {
            "play": {**drawn, "picture": "board", "round": self.round, "level": self.level, "hint_for": self.hint_for},
            "words": {"text": self.words},
            "reasons": self.reasons or table_data(["feature", "value", "weight", "product"], [], caption=invitation),
            "game": game,
        }

    def describe(self) -> str:
        last = f"; last game: {self.record!r}" if self.record else ""
        return f"{short_name(self.rules)}, seed {self.seed}, {MODES[self.mode]}{last}"
