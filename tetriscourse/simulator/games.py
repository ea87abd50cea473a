"""Lists of games: what is to be played, how it is going, and what came out.

Read `play` first: it plays a list in the thread that calls it, in compiled code if that knows the players and in plain
Python otherwise. Whoever wants many games calls it: `simulate`, `train` on any executor, and the panels.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.game.board import MAX_HEIGHT
from tetriscourse.game.rules import Rules
from tetriscourse.games import play_game
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Filter, Player
from tetriscourse.simulator.announcing import announced
from tetriscourse.simulator.layout import LINE
from tetriscourse.simulator.playable import (
    Ints,
    LinearPlayers,
    Players,
    features_of,
    fixed_points,
    has_own,
    is_fast,
    kind_of,
    whole_weights,
)

RESULT = np.dtype([(name, np.int64) for name in ("lines", "pieces", "points", "lost", "begun")], align=True)
"""The outcome of a game, as compiled code writes it."""
SIGNAL = np.dtype([(name, np.int64) for name in ("stop", "moves", "ended")], align=True)
"""Read and written by compiled code while it plays: whether to stop, and the moves and games so far."""
PILE_HEIGHTS = MAX_HEIGHT + 5  # how many heights a pile can have, from 0 to overflow


@dataclass(frozen=True, eq=False)
class GameList:
    """Games of a seed: game t has number numbers[t], and row rows[t] of the players plays it. Plain data."""

    players: Players
    rules: Rules
    seed: int
    numbers: Ints
    rows: Ints

    @classmethod
    def of(cls, players: Players, rules: Rules, seed: int, games: int) -> GameList:
        """The first games of a seed, all by one player."""
        return cls(players, rules, seed, np.arange(games), np.zeros(games, np.int64))

    def __len__(self) -> int:
        return len(self.numbers)

    def part(self, start: int, stop: int) -> GameList:
        """Games start to stop - 1 of the list, with no more players than they need."""
        players, rows = self.players, self.rows[start:stop]
        if isinstance(players, LinearPlayers):
            needed, rows = np.unique(rows, return_inverse=True)
            players = replace(players, weights=players.weights[needed])
        return GameList(players, self.rules, self.seed, self.numbers[start:stop], rows)


class Ongoing:
    """Games while they are being played: how many moves so far, and whether they should stop."""

    def __init__(self) -> None:
        self.signal: npt.NDArray[Any] = np.zeros(1, SIGNAL)

    @property
    def moves(self) -> int:
        """Moves so far, those of unfinished games included."""
        return int(self.signal["moves"][0])

    @property
    def ended(self) -> int:
        """Games that are over."""
        return int(self.signal["ended"][0])

    @property
    def stopping(self) -> bool:
        """Whether the games have been asked to stop."""
        return bool(self.signal["stop"][0])

    def stop(self) -> None:
        """Ask all games to stop after a few thousand moves at most."""
        self.signal["stop"] = 1

    def allow(self) -> None:
        """Let games be played again."""
        self.signal["stop"] = 0

    def count_from_zero(self) -> None:
        """Forget the moves and games so far."""
        self.signal["moves"] = self.signal["ended"] = 0

    def next_move(self) -> bool:
        """Count a move of a game in plain Python; whether to stop instead of making it."""
        self.signal["moves"] += 1
        return self.stopping


@dataclass(frozen=True, eq=False)
class Played:
    """The outcomes of a list of games, in its order."""

    results: npt.NDArray[Any]  # a RESULT for each game
    heights: Ints = field(default_factory=lambda: np.zeros(PILE_HEIGHTS, np.int64))
    """How often the pile had each height after a move."""
    seconds: float = 0.0  # processor time

    @classmethod
    def nothing(cls, games: int) -> Played:
        """The outcomes of games that have not begun."""
        return cls(np.zeros(games, RESULT))

    @classmethod
    def joined(cls, parts: Sequence[Played]) -> Played:
        """The outcomes of a list that was played in parts."""
        results, heights = np.concatenate([part.results for part in parts]), np.sum([part.heights for part in parts], 0)
        return cls(results, heights, sum(part.seconds for part in parts))

    def __len__(self) -> int:
        return len(self.results)

    @property
    def lines(self) -> Ints:
        """Lines of each game."""
        return np.asarray(self.results["lines"])

    @property
    def pieces(self) -> Ints:
        """Pieces placed in each game."""
        return np.asarray(self.results["pieces"])

    @property
    def points(self) -> Ints:
        """Points of each game."""
        return np.asarray(self.results["points"])

    @property
    def finished(self) -> npt.NDArray[np.bool_]:
        """Whether each game was lost; if not, it reached the limit of its rules or was stopped."""
        return np.asarray(self.results["lost"] == 1)

    @property
    def begun(self) -> npt.NDArray[np.bool_]:
        """Whether each game was begun before the games were asked to stop."""
        return np.asarray(self.results["begun"] == 1)


def play(games: GameList, ongoing: Ongoing | None = None) -> Played:
    """Play a list of games here and now, until its end or until `ongoing` is asked to stop."""
    start, ongoing = time.thread_time(), ongoing or Ongoing()
    played = Played.nothing(len(games))
    table = table_here(games.players, games.rules)
    if table is None:
        play_plainly(games, played, ongoing)
    else:
        from tetriscourse.simulator.driver import Numbered, play_games

        numbered = Numbered(games.seed, games.numbers, games.rows)
        play_games(table, numbered, played.results, played.heights, ongoing.signal)
        if has_own(games.players):
            from tetriscourse.simulator.own_players import raise_trouble

            raise_trouble(table, features_of(games.players), games.rules)
    return Played(played.results, played.heights, time.thread_time() - start)


def play_plainly(games: GameList, played: Played, ongoing: Ongoing) -> None:
    """Plain-Python version of `driver.play_games`, for players that only Python can play."""
    for t, (number, row) in enumerate(zip(games.numbers.tolist(), games.rows.tolist(), strict=True)):
        if ongoing.stopping:
            return
        player = games.players.player(row) if isinstance(games.players, LinearPlayers) else games.players
        game = play_game(player, games.rules, games.seed, number, stop=ongoing.next_move)
        played.results[t] = game.lines, game.pieces, game.points, game.lost, True
        ongoing.signal["ended"] += 1
        for move in game.moves:
            if not move.loses:
                played.heights[int(move.after.heights.max())] += 1


class LastTable(threading.local):
    """The last table with which a thread played: a list is handed out in many short parts."""

    players: Any = None
    rules: Any = None
    table: Any = None


last = LastTable()


def table_here(players: Players, rules: Rules) -> Any:
    """The table with which this thread plays these players; None if only Python can play them."""
    if last.players is players and last.rules is rules:
        return last.table
    table = compiled_table(players, rules) if is_fast(players, rules) else None
    # Others may change: a network that learns, a value that your own feature uses.
    unchanging = isinstance(players, Player | Filter | LookAhead) or getattr(players, "unchanging", False)
    if table is not None and unchanging and not has_own(players):
        last.players, last.rules, last.table = players, rules, table
    return table


def compiled_table(players: Any, rules: Rules) -> Any:
    """The players as compiled code reads them: a NamedTuple for which driver.py knows how to play a game.

    It holds the room in which a game is played, so each thread needs its own. Players that are neither linear nor
    filters bring theirs, in a method of the same name.
    """
    if not isinstance(players, Player | Filter | LookAhead | LinearPlayers):
        return players.compiled_table(rules)
    if isinstance(players, LookAhead) or (isinstance(players, LinearPlayers) and players.search is not None):
        from tetriscourse.simulator.looking_ahead import look_ahead_table

        return look_ahead_table(players, rules)
    if has_own(players):
        assert not isinstance(players, Filter)
        from tetriscourse.simulator.own_players import own_table

        return own_table(features_of(players), rules, whole_weights(players, rules))
    return linear_table(players, rules)


def linear_table(players: LinearPlayers | Player | Filter, rules: Rules) -> Any:
    """The table of players that the kernels for features of the catalogue play."""
    from tetriscourse.simulator import background, encode
    from tetriscourse.simulator.kernels import NO_TRACE, LinearTable

    is_complete = background.compiler.idle.is_set()  # asked first: a compilation may end at any time
    if isinstance(players, LinearPlayers):
        records = encode.encode_weights(encode.feature_names(players), rules, fixed_points(players.weights))
    else:
        records = encode.encode_player(players, rules)
        records[encode.PROGRAM_FIELDS] = encode.base_of(players, rules)[encode.PROGRAM_FIELDS]
    start, present = encode.start_states(rules), np.empty(1, records.dtype)
    if not is_complete:  # games that begin with the programs for all features change over to their own
        choice = encode.chosen_features(encode.feature_names(players), rules)
        for one in (records, present):
            background.give_programs(one, choice)
    return LinearTable(records, start, aligned(start), present, NO_TRACE)


def aligned(numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """A copy that begins at a multiple of 64 bytes."""
    room = np.zeros(len(numbers) + LINE, np.int32)
    first = -room.ctypes.data // room.itemsize % LINE
    room[first : first + len(numbers)] = numbers
    return room[first : first + len(numbers)]


def prepare(players: Players, rules: Rules, tell: Callable[[str], None] | None = None) -> None:
    """Compile what these players need before any clock or thread starts; tell: where to say that it takes a while."""
    if not is_prepared(players, rules):
        with announced(kind_of(players), tell):
            play(GameList.of(players, rules, seed=0, games=0))
        prepared.add(kind_of(players))


def is_prepared(players: Players, rules: Rules) -> bool:
    """Whether nothing has to be compiled, or loaded from the cache, before these players can play."""
    return not is_fast(players, rules) or kind_of(players) in prepared


prepared: set[str] = set()  # the kinds of players that have been played in this process
