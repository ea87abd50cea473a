"""Watch panel: a past game, or a player or agent at play, move by move; and the reasons for each move."""

from __future__ import annotations

from typing import Any

import traitlets

from tetriscourse.errors import counted, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.rules import Rules, as_rules, short_name
from tetriscourse.games import Game
from tetriscourse.players import Filter, Player, as_player
from tetriscourse.widgets.blocks import Spec, column, row, table, table_data, text
from tetriscourse.widgets.board_view import board_data
from tetriscourse.widgets.candidates import Candidate, candidate_table, compared, same, worded
from tetriscourse.widgets.panel import Panel
from tetriscourse.widgets.watching.games import check_width, close_calls, packed_move, setting_of, watched

CHUNK = 2000  # most moves to send at once
SECONDS = 0.2  # duration of a step of the background work, roughly
SEARCH = 5000  # moves after which the search for a close call gives up
BOARD_PIXELS, CELLS = 400, (10, 22)  # height of a board, roughly; smallest and largest cell


class WatchPanel(Panel):
    """Watch a game, step by step or live, with all candidate moves and their values.

    who: a name in PLAYERS or AGENTS, a player, a filter, anything that can `choose`, an agent of the Engine, or a past
    game: a Game, or the Record of one played by hand.
    """

    title = "Watch"
    tries = (
        "Press Play, then jump to the next close call: which move was to blame? Step back to find it.",
        "Stand still and read the table: by how much did the best move win, and through which feature?",
        "Click another row to see that move outlined on the board. Would you have taken it?",
        "Open a second panel in another cell, with another player and the same seed: the same pieces, another game.",
    )
    scripts = ("game", "playhead", "watch")

    setting = traitlets.Dict().tag(sync=True)  # sent once: the starting board, the pieces, the points
    record = traitlets.Dict().tag(sync=True)  # the newest moves: the number of the first, and six numbers for each

    def __init__(
        self, who: Any = "dellacherie", rules: Rules | str | None = None, seed: int = 0, number: int = 0, *,
        at: int = 0, pieces: int | None = None, board: Board | None = None, judge: Any = None, speed: int = 4,
    ):  # fmt: skip
        """rules: by default the research game for players, TetrisBot's for agents; number: which game of the seed.

        at: the first move to show; pieces: the most that are played; board: the starting position, empty by default;
        judge: the player whose values the table shows, by default the one who plays; speed: moves a second.
        """
        seed, number = whole_number("seed", seed, 0), whole_number("number", number, 0)
        limit = None if pieces is None else whole_number("pieces", pieces, 1)
        self.watched = watched(who, None if rules is None else as_rules(rules), seed, number, board, limit)
        if judge is not None:
            self.watched.judge = as_player(judge, "judge")
            check_width(self.watched.judge, self.watched.rules)
        self.follows_seed = self.watched.follows_its_seed()  # found once, since every move shows it
        self.speed = whole_number("speed", speed, 1, 60)
        self.wanted = 0  # number of moves that the page wants
        self.sent = 0  # number of moves that it has
        self.orders = 0  # how often Python has moved the playhead
        self.search: tuple[int, int] | None = None  # for a close call: where it started, where it gives up
        self._searches = 0
        self.note, self._noted = "", -1  # result of the search, and the position where it started
        self.picked: Candidate | None = None  # the alternative move that is outlined
        self.position = self._reached("at", at)  # number of moves made; game.moves[position] is the one on show
        self.judged = self.position  # the position that the table is about; it lags behind while moves go by fast
        self._found: tuple[int, list[Candidate]] = (-1, [])
        self.setting = setting_of(self.watched)
        self._give_moves()
        side = column({"kind": "watchControls", "id": "counters"}, table("table", pick=True), text("words", live=True))
        super().__init__(column(text("who", "soft"), row({"kind": "watchBoard", "id": "board"}, side)))

    def tips(self) -> list[str]:
        """Suggest reading reasons if there are any, and other players if the pieces can come again."""
        close_call, reasons, other_move, other_player = self.tries
        if not isinstance(self.watched.judge, Player):
            reasons = "Stand still and read the table: by how much did the best move win?" if self.watched.judge else ""
        return [tip for tip in (close_call, reasons, other_move, "" if self.watched.over else other_player) if tip]

    @property
    def game(self) -> Game:
        """The game so far: its moves, rows and points, and whether it is lost."""
        return self.watched.game

    def go(self, move: int) -> None:
        """Go to this move, counted from 0; a live game is played that far."""
        reached = self._reached("move", move)
        with self.changing():
            self.position = self.judged = reached
            self.picked = self.search = None
            self.orders += 1
            self._give_moves()

    def _reached(self, argument: str, position: int) -> int:
        """The position, after playing on until its move is known."""
        wanted = whole_number(argument, position, 0)
        self.watched.play(wanted + 1)
        return whole_number(argument, wanted, 0, len(self.game.moves))

    # --- pictures and texts -----------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        return {
            "who": {"text": self.headline()},
            "board": {"picture": "board", **self._board()},
            "counters": {"picture": "text", "text": self.counters(), **self._orders()},
            "table": self._table(),
            "words": {"text": self._words()},
        }

    def headline(self) -> str:
        """The player, the rules and the seed."""
        game = self.game
        origin = f"seed {game.seed}, game {game.number}" if self.follows_seed else "pieces dealt by hand"
        return f"{self.watched.name}, rules {short_name(game.rules)}, {origin}"

    def counters(self) -> list[str]:
        """Rows, points and height so far."""
        made = self.game.moves[: self.position]
        points = sum(self.game.rules.points(move.rows) for move in made)
        rows = counted(sum(move.rows for move in made), "row")
        height = self.watched.heights[self.position]
        return [f"{counted(self.position, 'move')} made: {rows}, {counted(points, 'point')}, height {height}"]

    def _orders(self) -> dict[str, Any]:
        """Instructions for the page: where to go, how many moves there are, and whether more will come."""
        return {
            "go": [self.orders, self.position],
            "length": len(self.game.moves),
            "over": self.watched.over,
            "lost": self.game.lost,
            "search": [self._searches, self.search is not None],
            "note": self.note,
            "judged": self.judged,
            "hint": [list(cell) for cell in self.picked.move.cells] if self.picked else [],
            "speed": self.speed,
        }

    def _board(self) -> dict[str, Any]:
        """The board, with the next piece where it lands and the outline of the picked move."""
        board, move = self.watched.board(self.position), self._move(self.position)
        cell = min(max(BOARD_PIXELS // board.height, CELLS[0]), CELLS[1])
        if move is None:
            return board_data(board, cell=cell)
        top = move.row + move.shape.height
        hint = self.picked.move.cells if self.picked and self.judged == self.position else []
        return board_data(board, move.piece, move.cells, hint=hint, cell=cell, above=max(0, top - board.height))

    def _move(self, position: int) -> Move | None:
        """The move at a position; None at the end."""
        return self.game.moves[position] if position < len(self.game.moves) else None

    def _candidates(self) -> list[Candidate]:
        """The moves in the table, best first."""
        if self._found[0] != self.judged and self._move(self.judged):
            self._found = (self.judged, self.watched.candidates(self.judged))
        return self._found[1] if self._found[0] == self.judged else []

    def _table(self) -> Spec:
        move, found = self._move(self.judged), self._candidates()
        if move is None:
            return table_data([], [], caption="No move is left." if self.watched.over else "")
        caption = f"Move {self.judged}: {counted(len(found), 'candidate')}"
        if found[0].value is not None:
            caption += ", best first"
        if self.watched.looks_ahead() and isinstance(self.watched.judge, Player):
            following = self.watched.sequence()[self.judged + 1]
            caption += f" by this move alone; the player counts the best answer of the next piece, {following}, too"
        return candidate_table(self.watched.judge, found, move, caption)

    def _words(self) -> str:
        """The chosen move and the picked one, in words."""
        move = self._move(self.judged)
        if move is None:
            return ""
        chosen = next(one for one in self._candidates() if same(one.move, move))
        worth = "criteria passed" if isinstance(self.watched.judge, Filter) else "value"
        picked = f" Outlined: {compared(self.picked, chosen, worth)}." if self.picked else ""
        return f"Chosen: {worded(chosen, worth)}.{picked}"

    def describe(self) -> str:
        board = self.watched.board(self.position).text(letters=True)
        return "\n".join(line for line in (self.headline(), *self.counters(), board, self._words()) if line)

    # --- what the page reports --------------------------------------------------------------------

    def when_look(self, value: Any) -> None:
        """The page shows a position, has and wants some moves; judge: there is time for the table."""
        position, have, want = (whole_number(name, value.get(name), 0) for name in ("position", "have", "want"))
        self.position, self.sent = min(position, len(self.game.moves)), have
        self.wanted = min(want, self.position + SEARCH)
        self.speed = whole_number("speed", value.get("speed", self.speed), 1, 60)
        if value.get("judge") and self.judged != self.position:
            self.judged, self.picked = self.position, None
        if not value.get("searching"):
            self.search = None
        if self.search is None and position != self._noted:
            self.note = ""
        self._give_moves()
        self._play_on()

    def when_close_call(self, value: Any) -> None:
        """Play on from a position until the pile comes close to the top; the value also numbers the search."""
        position, self._searches = value
        self._noted = whole_number("position", position, 0)
        self.search = (self._noted, len(self.game.moves) + SEARCH)
        self._look_for_close_call()
        self._play_on()

    def when_table(self, value: Any) -> None:
        """Outline the move of this row, or stop outlining it."""
        found = self._candidates()
        number = whole_number("row", value, 0) - (len(self._table()["rows"]) - len(found))
        picked = found[number] if 0 <= number < len(found) else None
        self.picked = None if picked is self.picked else picked

    # --- playing on -------------------------------------------------------------------------------

    def compute(self) -> Any:
        """Play some more moves; None if the page has enough."""
        if self._has_enough():
            return None
        with self.naming(self.watched.name):
            self.watched.play(self._aim(), SECONDS)
        return len(self.game.moves)

    def apply(self, result: Any) -> None:
        self._look_for_close_call()
        self._give_moves()

    def _aim(self) -> int:
        """The number of moves to reach."""
        search = self.search  # read once: another thread may end it
        return search[1] if search else self.wanted

    def _has_enough(self) -> bool:
        return self.watched.over or len(self.game.moves) >= self._aim()

    def _play_on(self) -> None:
        if not self._has_enough():
            self.worker.start()

    def _work_ended(self) -> None:
        self._play_on()  # the page may have asked for more in the meantime
        super()._work_ended()

    def _look_for_close_call(self) -> None:
        """End the search at a close call, at the end of the game, or at its limit."""
        if self.search is None:
            return
        begin, limit = self.search
        made = len(self.game.moves)
        if any(call > begin for call in close_calls(self.watched.heights, self.game.rules.height)):
            self.search, self.note = None, ""
        elif self.watched.over:
            self.search, self.note = None, f"No close call in the rest of the game, which ends at move {made}."
        elif made >= limit:
            self.search, self.note = None, f"No close call up to move {made}. Press again to play on."
        else:
            self.note = f"Playing on: no close call up to move {made} ..."

    def _give_moves(self) -> None:
        """Give the page the moves it lacks, or as many of them as can be sent at once."""
        new = self.game.moves[self.sent : self.sent + CHUNK]
        if new:
            heights = self.watched.heights[self.sent + 1 :]
            packed = [packed_move(move, self.game.rules, heights[i]) for i, move in enumerate(new)]
            self.record = {"first": self.sent, "moves": [number for one in packed for number in one]}
            self.sent += len(new)
