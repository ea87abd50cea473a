"""Games to watch: live games of a player or an agent, played on as needed, and past games.

watched       the game of a player or agent, or a past game
close_calls   the moves after which it was nearly over
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from threading import Lock
from types import SimpleNamespace
from typing import Any

from tetriscourse.agents import AGENTS, TwoPieceAgent
from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Ending, Engine, checked_start
from tetriscourse.game.moves import Move, all_moves, moves
from tetriscourse.game.pieces import Piece
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import POINTS, RESEARCH, TETRISBOT, Entry, PieceSequence, Rules
from tetriscourse.games import Chooser, Game
from tetriscourse.looking_ahead import LookAhead, sees_next
from tetriscourse.players import PLAYERS
from tetriscourse.simulator.choosing import compiled_player
from tetriscourse.terminal import HumanAgent
from tetriscourse.widgets.candidates import Candidate, ahead_judge, candidates, same
from tetriscourse.widgets.record import Mode, Record, Replay, piece_spec

LONGEST = 50_000  # limit of moves even for a game without one: about 100 MB


def close_calls(heights: Sequence[int], rows: int) -> list[int]:
    """The numbers of the moves that bring the pile into the top quarter of the board, from its heights."""
    close = [4 * (rows - height) <= rows for height in heights]
    return [made for made in range(1, len(close)) if close[made] and not close[made - 1]]


def pile(board: Board) -> int:
    """The height of the highest column."""
    return int(board.heights.max())


class Watched:
    """A past game; live games override `next_move`."""

    def __init__(self, game: Game, start: Board, name: str, judge: Any = None, entry: Entry | None = None):
        """judge: the player whose values are shown; entry: how pieces enter, if not by the rules."""
        self.game, self.start, self.name, self.judge = game, start, name, judge
        self.rules = game.rules
        self.over = True
        self.heights = [pile(start), *(pile(move.after) for move in game.moves)]  # at first and after each move
        self._moving = replace(game.rules, entry=entry or game.rules.entry)
        self._playing = Lock()

    def next_move(self) -> Move | None:
        """The next move; None if there is none."""
        return None

    def follows_its_seed(self) -> bool:
        """Whether the first pieces are those of the game's seed, rather than dealt by hand."""
        return all(move.piece == piece for move, piece in zip(self.game.moves[:20], self.sequence(), strict=False))

    def play(self, until: int, seconds: float = inf) -> None:
        """Play on until this many moves are made, time is up, or the game is over."""
        with self._playing:  # the page and the notebook may ask at the same time
            end = time.monotonic() + seconds
            while not self.over and len(self.game.moves) < until:
                self._take(self.next_move())
                if time.monotonic() > end:
                    return

    def _take(self, move: Move | None) -> None:
        if move is None:
            self.over = True
            return
        self.heights.append(pile(move.after))  # first, since readers of the move look up its height
        self.game.take(move)
        self.over = self.over or self.game.lost or self.game.pieces == (self.rules.max_pieces or LONGEST)

    def board(self, made: int) -> Board:
        """The board after this many moves."""
        return self.game.moves[made - 1].after if made else self.start

    # --- reasons for a move -----------------------------------------------------------------------

    def looks_ahead(self) -> bool:
        """Whether the player also knows the next piece."""
        return self.rules.pieces_known == 2

    def candidates(self, made: int) -> list[Candidate]:
        """All moves possible at this point, as the judge sees them."""
        move = self.game.moves[made]
        found = moves(move.before, move.piece, self._moving) or all_moves(move.before, move.piece, self._moving)
        if not any(same(one, move) for one in found):  # such as one pushed under an overhang
            found = [*found, move]
        return candidates(self._informed(made), found)

    def _informed(self, made: int) -> Any:
        """The judge, with what is known at this point of the game."""
        game, judge = self.game, self.judge
        if isinstance(judge, LookAhead):
            return ahead_judge(judge, self.sequence()[made + 1], self._moving)
        if hasattr(judge, "solution"):
            chance = Chance(game.seed, game.number, TIE_STREAM, made)
            return exact_judge(judge.solution, self.sequence()[made + 1], chance)
        if getattr(getattr(judge, "settings", None), "actions", "") == "placements":
            return table_judge(judge, game.moves[made])
        return judge

    def sequence(self) -> PieceSequence:
        """The pieces of the game."""
        return PieceSequence(self.rules, self.game.seed, self.game.number)


def exact_judge(solution: Any, next_piece: Piece, chance: Chance) -> SimpleNamespace:
    """A judge with exact values, given all that is known about the pieces to come."""
    from tetriscourse.mdp.exact.optimal_player import left_in_bag

    left = left_in_bag(solution.rules, chance)

    def value(move: Move) -> float:
        # Boards without a solution occur only in the engine, where pieces enter in another way.
        known = move.loses or solution.boards.place(move.after.bits) >= 0
        return float(solution.worth(move, next_piece, left)) if known else 0.0

    return SimpleNamespace(value=value)


def table_judge(learner: Any, move: Move) -> SimpleNamespace | None:
    """A judge with the values of a Q table for the alternatives to this move; None if it has none."""
    from tetriscourse.mdp.environment import placement_action
    from tetriscourse.mdp.states import placement_state

    state = placement_state(move.before, move.piece, learner.rules, learner.settings.state)
    if state not in learner.table:
        return None
    q = learner.table[state]
    return SimpleNamespace(value=lambda other: float(q[placement_action(other, learner.rules)]))


class PlayersGame(Watched):
    """The live game of a player."""

    def __init__(self, player: Chooser, rules: Rules, seed: int, number: int, board: Board | None):
        check_width(player, rules)
        if hasattr(player, "check_rules"):
            player.check_rules(rules)
        super().__init__(Game(rules, seed, number), checked_start(board, rules), named(player), player)
        self.player: Chooser = compiled_player(player, rules)
        self.over, self._pieces = False, self.sequence()

    def looks_ahead(self) -> bool:
        return sees_next(self.player, self.rules)

    def next_move(self) -> Move | None:
        made = len(self.game.moves)
        next_piece = self._pieces[made + 1] if self.looks_ahead() else None
        chance = Chance(self.game.seed, self.game.number, TIE_STREAM, made)
        move = self.player.choose(self.board(made), self._pieces[made], next_piece, self.rules, chance)
        self.game.lost = move is None
        return move


class AgentsGame(Watched):
    """The live game of an agent, turn by turn in the engine; each settled piece makes a move."""

    def __init__(self, agent: Callable[[Engine], str], rules: Rules, seed: int, number: int, board: Board | None):
        judge = getattr(agent, "player", None) or getattr(agent, "filter", None)
        check_width(judge, rules)
        self.agent, self.engine = agent, Replay(rules, seed, number, board, Mode.TURNS)
        super().__init__(Game(rules, seed, number), self.engine.board, named(agent), judge, Entry.SPAWN)
        self.over = not self.engine.is_running

    def next_move(self) -> Move | None:
        engine, made = self.engine, self.engine.blocks_played
        while engine.is_running and engine.blocks_played == made:
            engine.play_command(self.agent(engine))
        # If the next piece has no room to enter, the game is over although this move did not lose.
        self.over, self.game.lost = not engine.is_running, engine.ending is Ending.LOST
        return engine.played[-1] if engine.blocks_played > made else None

    def looks_ahead(self) -> bool:
        return isinstance(self.agent, TwoPieceAgent)


# --- for the page ---------------------------------------------------------------------------------


def setting_of(watched: Watched) -> dict[str, Any]:
    """The data that the page gets once: the starting board, the pieces, the points."""
    rules = watched.rules
    return {
        "width": rules.width,
        "height": rules.height,
        "board": watched.start.cells.tolist(),
        "height_at_start": watched.heights[0],
        "pieces": [piece_spec(piece) for piece in rules.pieces],
        "points": list(POINTS[rules.scoring]),
    }


def packed_move(move: Move, rules: Rules, height: int) -> tuple[int, ...]:
    """A move as numbers: piece, orientation, column, row, rows cleared, height of the pile afterwards."""
    return rules.number_of(move.piece), move.orientation, move.column, move.row, move.rows, height


# --- the game to watch ----------------------------------------------------------------------------


def watched(
    who: Any, rules: Rules | None, seed: int, number: int, board: Board | None = None, pieces: int | None = None
) -> Watched:
    """The game of a player or agent, given by name or itself, or a past game; pieces: a limit."""
    if isinstance(who, str):
        one_of("who", who, [*PLAYERS, *(other for other in AGENTS if other not in PLAYERS)])
        who = PLAYERS[who] if who in PLAYERS else AGENTS[who]()
    past = past_game(who)
    if past is not None:
        for name, value in (("rules", rules), ("board", board), ("pieces", pieces)):
            if value is not None:
                raise InputError(f"{name} is {shown(value)}; a game that was played has its own, so leave it out")
        return past
    if isinstance(who, HumanAgent):
        raise InputError("who is a person at the keyboard, who cannot be watched here: play in a PlayPanel")
    if getattr(getattr(who, "settings", None), "actions", "") == "commands":
        who = who.agent()  # a table of commands plays only in the engine
    is_agent = callable(who) and not isinstance(who, type)
    if not is_agent and (isinstance(who, type) or not callable(getattr(who, "choose", None))):
        raise InputError(
            f"who is {shown(who)}; it must be a name in PLAYERS or AGENTS, a player, an agent, a Game or a Record"
        )
    played = rules or own_rules(who) or (TETRISBOT if is_agent else RESEARCH)
    if pieces is not None:
        played = replace(played, max_pieces=pieces)
    return (AgentsGame if is_agent else PlayersGame)(who, played, seed, number, board)


def past_game(who: Any) -> Watched | None:
    """A past game, by a player or by hand; None for anything else."""
    if isinstance(who, Record):
        return Watched(who.game(), who.board or who.rules.empty_board(), "played by hand", entry=Entry.SPAWN)
    if isinstance(who, Game):
        start = who.moves[0].before if who.moves else who.rules.empty_board()
        return Watched(who, start, "a game that was played")
    return None


def own_rules(who: Any) -> Rules | None:
    """The rules that a player was trained or solved for, if any."""
    learned = getattr(who, "player", who)
    for holder in (learned, getattr(learned, "solution", None), getattr(learned, "grid", None)):
        found = getattr(holder, "rules", None)
        if isinstance(found, Rules):
            return found
    return None


def check_width(player: Any, rules: Rules) -> None:
    """Raise an error if the player cannot play on this width."""
    if hasattr(player, "check_width"):
        player.check_width(rules.width)


def named(who: Any) -> str:
    """The name of a player or agent."""
    return str(getattr(who, "name", None) or getattr(who, "__name__", None) or type(who).__name__)
