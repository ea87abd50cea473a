"""Search panel: look two moves ahead, branch by branch, and watch the values flow back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tetriscourse.errors import InputError, counted, one_of, real_number, shown, whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece, as_piece
from tetriscourse.game.rules import Rules, as_rules
from tetriscourse.players import PLAYERS, Player, as_player
from tetriscourse.widgets.blocks import Spec, boards, button, column, controls, row, select, text, tree
from tetriscourse.widgets.blocks import board as board_block
from tetriscourse.widgets.board_view import board_data, move_data
from tetriscourse.widgets.candidates import move_name, same
from tetriscourse.widgets.gallery import CHOSEN, KEPT, group, rows_above, rows_to_show, small_board, small_move
from tetriscourse.widgets.inputs import values
from tetriscourse.widgets.panel import Panel
from tetriscourse.widgets.positions import given_position, piece_of
from tetriscourse.widgets.searching.places import Place, Scout
from tetriscourse.widgets.searching.rows import COLUMNS, Rows
from tetriscourse.widgets.searching.tree import Branch, Reply, SearchTree

CELL = 9  # size of a cell of the small boards, in pixels

KEYS = (
    "Own value: of this move alone. Value: with the best answers, as far as they are known.",
    "Click on a row to open or close it, or use the arrow keys and Enter.",
)

UNKNOWN = "unknown"  # the menu's name for a next piece that is not known


class SearchPanel(Panel):
    """Look two moves ahead, branch by branch: the pieces that may follow, the best answers, the values that flow back.

    Looking at everything gives the choice of `tc.LookAhead(panel.player)`; at the k first moves that are best by the
    player's own value, that of `tc.LookAhead(panel.player, width=k)`.
    """

    title = "Looking ahead: one branch after another"
    scripts = ("order", "tree")
    tries = (
        "Open the greedy player's move, then the pieces below it: after which piece is the best answer worst?",
        "Press 'Look at the next best' until the choice changes. How many moves had to be valued for that?",
        "Choose a next piece and press 'Look at all': for which pieces is the greedy player's choice the right one?",
        "Look at all in a few contested positions: how far down the list, by its own value, was the better move?",
    )

    def __init__(
        self, player: Player | str = "champion-10x10", rules: Rules | str = "10x10", board: Board | None = None,
        piece: Piece | str | None = None, next_piece: Piece | str | None = None, seed: int = 1,
        lost: float | None = None,
    ):  # fmt: skip
        """player: a linear player or its name; rules: the game, which takes the size of a given board.

        board, piece: where to start; without a board, the first position in the game of this seed at which the player
        chooses otherwise when it looks ahead. next_piece: the piece that follows if it is known. lost: the value of an
        answer that does not exist, as in `tc.Search`; None: worse than any other.
        """
        found, self.rules = as_player(player), as_rules(rules)
        if not isinstance(found, Player):
            linear = ", ".join(one for one, other in PLAYERS.items() if isinstance(other, Player))
            raise InputError(f"player is {shown(player)}; it must be a Player, or one of {linear}")
        self.player = found  # whose values are looked at
        self.lost = None if lost is None else real_number("lost", lost)
        seed = whole_number("seed", seed, 0)
        if board is not None:
            start = given_position(self.rules, seed, board, piece)
            self.rules = start.rules
        self.player.check_width(self.rules.width)
        self.scout = Scout(self.player, self.rules, self.lost)
        first = None if piece is None else piece_of(self.rules, piece)
        following = self._following(next_piece)
        if board is None:
            self._begin(seed, first, following)
        else:
            self._go_to(Place(self.rules, seed, 0, 0, start.board, start.piece), following)
        super().__init__(self._layout())

    def _layout(self) -> Spec:
        pieces = [(one.name, one.name) for one in self.rules.pieces]
        choosing = controls(
            "choosing",
            select("next_piece", "Next piece", [(UNKNOWN, UNKNOWN), *pieces]),
            button("look", "Look at the next best", "All pieces and answers of one more first move"),
            button("look_all", "Look at all", "The whole search, two moves deep"),
            button("close_all", "Close all", "Fold the list; what has been seen stays known"),
            button("forget", "Start over", "Forget what has been seen"),
        )
        going = controls(
            "going",
            button("play", "Play this choice", "The best move so far, then the next piece"),
            button("contested", "Next contested position", "Where the player chooses otherwise when it looks ahead"),
            button("new", "New seed", "A contested position in the game of the next seed"),
        )
        left = column(board_block("board"), text("landing", "narrow"))
        right = column(tree("tree"), text("sum"), text("keys", "soft"))
        return column(choosing, text("words", "large", live=True), row(left, right, boards("choices")), going)

    # --- the state --------------------------------------------------------------------------------

    def _following(self, given: Any) -> Piece | None:
        """The next piece if one is given, as the rules turn it."""
        return None if given is None else as_piece(given, self.rules.pieces, "next_piece")

    def _begin(
        self, seed: int, piece: Piece | None = None, next_piece: Piece | None = None, known: bool = False
    ) -> None:
        """Go to the first contested position of a seed; if there is none, to one where both choose the same."""
        start = Place.start(self.rules, seed)
        known = known or next_piece is not None
        try:
            found = self.scout.first(start, known, piece, next_piece, self.rules.width)
        except InputError:
            found = replace(start, piece=piece or start.piece), (next_piece or start.following) if known else None
        self._go_to(*found)

    def _go_to(self, place: Place, next_piece: Piece | None) -> None:
        """Switch to a position, of whose answers nothing is known yet."""
        self.place, self.next_piece = place, next_piece
        self._forget()

    def _forget(self) -> None:
        """Start the search over."""
        self.tree = SearchTree(self.player, self.board, self.piece, self.rules, self.next_piece, self.lost)
        self.opened: set[str] = set()  # the rows whose lower rows are in sight
        greedy = self.tree.greedy
        self.selected = str(greedy.number) if greedy else ""

    @property
    def board(self) -> Board:
        """The board before the first move."""
        return self.place.board

    @property
    def piece(self) -> Piece:
        """The piece of the first move."""
        return self.place.piece

    @property
    def seed(self) -> int:
        """The seed of the pieces."""
        return self.place.seed

    @property
    def greedy(self) -> Move | None:
        """The choice of the player without looking ahead."""
        return self.tree.greedy.move if self.tree.greedy else None

    @property
    def choice(self) -> Move | None:
        """The best move so far: of those looked at completely, or else the greedy player's."""
        best = self.tree.choice or self.tree.greedy
        return best.move if best else None

    def look(self, moves: int = 1) -> None:
        """Look at this many more first moves, with all pieces and answers, the best by their own value first."""
        wanted = whole_number("moves", moves, 1)
        with self.changing():
            self._look(wanted)

    def look_at_all(self) -> None:
        """Look at all first moves, with all pieces and answers."""
        with self.changing():
            self.tree.look_at_all()

    def _look(self, moves: int) -> None:
        for branch in self.tree.waiting[:moves]:
            self.tree.look_at(branch)
            self.selected = str(branch.number)

    def found(self, name: str) -> tuple[Branch, Reply | None, Move | None]:
        """The first move, piece and answer of a row: '3', '3/1' or '3/1/0'."""
        numbers = [int(part) if part.isdigit() else -1 for part in name.split("/")]
        branches = self.tree.branches
        branch = branches[whole_number("row", numbers[0], 0, len(branches) - 1)]
        if len(numbers) == 1:
            return branch, None, None
        reply = branch.replies[whole_number("row", numbers[1], 0, len(branch.replies) - 1)]
        if len(numbers) == 2:
            return branch, reply, None
        answers = reply.answers or []
        return branch, reply, answers[whole_number("row", numbers[2], 0, len(answers) - 1)].move

    # --- controls ---------------------------------------------------------------------------------

    def when_tree(self, value: Any, what: str) -> None:
        """Select a row, or open or close it; opening a piece looks at its answers."""
        name, opens = str(value), one_of("event", what, ("select", "toggle")) == "toggle"
        branch, reply, answer = self.found(name)
        self.selected = name
        if not opens or answer is not None:
            return
        if name in self.opened:
            self.opened.remove(name)
            return
        self.opened.add(name)
        if reply is not None:
            self.tree.look(branch, reply)

    def when_next_piece(self, value: Any) -> None:
        self._go_to(self.place, self._following(None if value == UNKNOWN else value))

    def when_look(self, value: Any) -> None:
        self._look(1)

    def when_look_all(self, value: Any) -> None:
        self.tree.look_at_all()

    def when_close_all(self, value: Any) -> None:
        self.opened = set()
        self.selected = self.selected.partition("/")[0]

    def when_forget(self, value: Any) -> None:
        self._forget()

    def when_play(self, value: Any) -> None:
        """Make the best move so far; if the next piece was known, it comes, and the one after it is known."""
        self._follow(self.place.after(self.choice, self.next_piece))

    def when_contested(self, value: Any) -> None:
        """Play on, from this choice, to the next position at which looking ahead changes the player's choice."""
        place = self.place.after(self.choice, self.next_piece)
        found, _ = self.scout.first(place, self.next_piece is not None)
        self._follow(found)

    def _follow(self, place: Place) -> None:
        """Switch to a later position, and say so if it is in another game."""
        if place.game != self.place.game:
            self.say(f"The game is over. This is game {place.game} of seed {place.seed}.")
        self._go_to(place, place.following if self.next_piece else None)

    def when_new(self, value: Any) -> None:
        self._begin(self.seed + 1, known=self.next_piece is not None)

    # --- blocks and texts -------------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        rows, none = Rows(self.tree, self.opened), {"disabled": not self.tree.branches}
        done = {"disabled": not self.tree.waiting}
        return {
            "choosing": values(next_piece=self.next_piece.name if self.next_piece else UNKNOWN)
            | {"look": done, "look_all": done, "close_all": {"disabled": not self.opened}, "forget": none},
            "words": {"text": self._words()},
            "board": self._board(),
            "landing": {"text": self._landing()},
            "tree": {
                "columns": list(COLUMNS), "rows": rows.rows(), "selected": self.selected,
                "label": f"First moves of {self.piece}, the best first",
            },
            "sum": {"text": rows.sum(self.found(self.selected)[0]) if self.selected else ""},
            "keys": {"text": KEYS},
            "choices": self._choices(rows),
            "going": {"play": none},
        }  # fmt: skip

    def _words(self) -> str:
        if self.greedy is None or self.choice is None:
            return f"No move is left for {self.piece}: the game is over."
        cost = f"{counted(self.tree.valued, 'move')} valued" + (" so far" if self.tree.waiting else "")
        if self.tree.choice is None:
            return f"{cost}: only the greedy player has chosen."
        verb = "keeps" if same(self.greedy, self.choice) else "changes"
        return f"{cost}: looking ahead {verb} the greedy player's choice."

    def _board(self) -> Spec:
        """The selected first move, or the board after it with the answer."""
        if not self.selected:
            return board_data(self.board)
        branch, reply, answer = self.found(self.selected)
        first = branch.move
        if reply is None:
            return move_data(first, above=rows_above(first))
        best = answer or (reply.answers[0].move if reply.answers else None)
        if best is None:
            return board_data(first.after, ghost=branch.cells_left)
        drawn = move_data(best, above=rows_above(best))
        return {**drawn, "ghost": [list(cell) for cell in branch.cells_left]}

    def _landing(self) -> list[str]:
        if not self.selected:
            return []
        branch, reply, answer = self.found(self.selected)
        lines = [f"First move: {move_name(branch.move)}"]
        if reply is not None and reply.lost:
            rule = "worse than any answer" if self.lost is None else f"counts {self.lost:g}"
            lines.append(f"Then {reply.piece}: lost, no answer is left ({rule})")
        elif reply is not None and reply.answers:
            lines.append(f"{'Answer' if answer else 'Best answer'}: {move_name(answer or reply.answers[0].move)}")
        elif reply is not None:
            lines.append(f"Then {reply.piece}: not looked at yet")
        return lines

    def _choices(self, rows: Rows) -> Spec:
        """The choices of the greedy player and of looking ahead, as small boards."""
        greedy, choice = self.tree.greedy, self.tree.choice
        if greedy is None:
            return {"board": small_board(self.board, 4), "groups": []}
        own = small_move(greedy.move, CHOSEN if greedy is choice else KEPT, f"own value {rows.number(greedy.own)}")
        title = "Looking ahead" if not self.tree.waiting else "Looking ahead, so far"
        ahead = [small_move(choice.move, CHOSEN, f"value {rows.value(choice)}")] if choice else []
        nothing = "" if choice else "no first move has been looked at completely yet"
        groups = [group("The greedy player", [own]), group(title, ahead, nothing)]
        high = rows_to_show([branch.move for branch in self.tree.branches])
        return {"board": small_board(self.board, high, CELL), "groups": groups}

    def describe(self) -> str:
        known = f", next piece {self.next_piece or UNKNOWN}"
        return "\n".join([self.board.text(letters=True), f"Piece {self.piece}{known}", self._words()])
