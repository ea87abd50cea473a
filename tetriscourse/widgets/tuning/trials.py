"""Trials: many games of a player in the background, a slice of time after the other, for a panel that shows them.

The games are those of `simulate`, in the same order. A slice is played in a thread of its own, so that a panel can
tell how far it is while a long game goes on; the kernels do without Python's lock, so the notebook stays responsive.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from traceback import walk_tb

import numpy as np

from tetriscourse.features import FEATURES
from tetriscourse.game.rules import Rules
from tetriscourse.games import play_game
from tetriscourse.players import Filter, Player
from tetriscourse.simulator.run import PILE_HEIGHTS, announced, compile_kernels, is_fast, play_list
from tetriscourse.statistics import Scores

SLICE = 0.05
"""Seconds that games are played before the page is told; it takes about as long to show them."""
FIRST_SLICE = 0.02
"""Seconds after a change for which the page can wait: what is played then is seen together with the change."""
BATCH = 0.005
"""Seconds between two looks at the clock, unless a game is longer."""
PLAIN_GAMES = 20
"""Games of a player that only plain Python can play: it is about ten thousand times slower."""

THREAD = "tetriscourse trials"

Play = Callable[[int, int], None]
"""Plays games first to last - 1."""


class Trial:
    """The games of one player, as far as they have been played."""

    def __init__(self, player: Player | Filter, rules: Rules, games: int, seed: int = 0):
        self.player, self.rules, self.seed = player, rules, seed
        self.is_plain = not is_fast(player, rules)
        self.games = min(games, PLAIN_GAMES) if self.is_plain else games
        self.played = 0
        """Games that have ended: always the first ones."""
        self.note = ""
        """What takes so long just now."""
        self.error: Exception | None = None
        """What went wrong: a feature of one's own can fail."""
        self._results = np.zeros((self.games, 5), np.int64)
        self._signal = np.zeros(2, np.int64)
        self._batch = 1
        self._play: Play | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.played == self.games or self.error is not None

    @property
    def moves(self) -> int:
        """Moves so far, those of the game that is being played too."""
        return int(self._signal[1])

    @property
    def is_playing(self) -> bool:
        """Whether a slice is being played."""
        return self._thread is not None and self._thread.is_alive()

    def scores(self, games: int | None = None) -> Scores:
        """The Scores of the games that have ended, or of so many of them."""
        lines, pieces, points, lost, _ = self._results[: self.played if games is None else games].T
        return Scores(lines, pieces, points, lost == 1, player=self.player.name, rules=self.rules, seed=self.seed)

    # --- playing ----------------------------------------------------------------------------------

    def go_on(self, seconds: float = SLICE) -> None:
        """Play for about so long, or begin a longer game; returns after that time in any case, or if stopped."""
        with self._starting:  # events and the contest's own thread may ask at the same time
            if not (self.is_playing or self.is_over or self._signal[0]):
                slice_ = threading.Thread(target=self._play_slice, args=(seconds,), name=THREAD, daemon=True)
                slice_.start()
                self._thread = slice_
        self.wait(seconds)

    def stop(self) -> None:
        """Break off the game that is being played, after at most a few thousand moves; it can be played again."""
        self._signal[0] = 1

    def allow(self) -> None:
        """Let it be played again."""
        self._signal[0] = 0

    def wait(self, seconds: float) -> bool:
        """Wait for a slice to end; whether it has."""
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.is_playing

    def _play_slice(self, seconds: float) -> None:
        """Batches of games until the time is over."""
        try:
            self._play = self._play or self._prepared()
            end = time.monotonic() + seconds
            while not self.is_over and not self._signal[0] and time.monotonic() < end:
                self._play_batch(self._play)
        except Exception as error:  # told by the panel: nobody sees what is raised in a thread
            self.error = error

    def _play_batch(self, play: Play) -> None:
        """As many games as fit between two looks at the clock, judging by the last batch."""
        first, last, begun = self.played, min(self.played + self._batch, self.games), time.monotonic()
        play(first, last)
        ended = self._ended(first, last)
        self.played += ended
        seconds = time.monotonic() - begun
        self._batch = max(1, min(2 * self._batch, int(ended * BATCH / max(seconds, 1e-6))))

    def _ended(self, first: int, last: int) -> int:
        """How many of these games were played to the end, or to the limit of the rules; later ones are forgotten."""
        _, pieces, _, lost, begun = self._results[first:last].T
        limit = self.rules.max_pieces
        whole = (begun == 1) & ((lost == 1) | ((limit > 0) & (pieces == limit)))
        count = last - first if whole.all() else int(np.argmin(whole))
        self._results[first + count :] = 0
        return count

    def _prepared(self) -> Play:
        """What plays games first to last - 1, compiled if that has not been done before."""
        if self.is_plain:
            return self._play_plainly
        from tetriscourse.simulator.encode import encode, used_features

        with announced(used_features(self.player, self.rules), tell=self._tell):
            encoded = encode(self.player, self.rules)
            compile_kernels(encoded)
        self.note = ""
        heights = np.zeros(PILE_HEIGHTS, np.int64)

        def play(first: int, last: int) -> None:
            play_list(encoded, np.arange(first, last), self.seed, self._results[first:last], heights, self._signal)

        return play

    def _tell(self, text: str) -> None:
        self.note = text

    def _play_plainly(self, first: int, last: int) -> None:
        """The same in plain Python."""
        for number in range(first, last):
            game = play_game(self.player, self.rules, self.seed, number, stop=self._count_move)
            self._results[number] = game.lines, game.pieces, game.points, game.lost, 1

    def _count_move(self) -> bool:
        """Asked before each move: whether to stop."""
        self._signal[1] += 1
        return bool(self._signal[0])


def common(a: Trial, b: Trial) -> tuple[Scores, Scores]:
    """The games that both have played, on the same pieces."""
    games = min(a.played, b.played)
    return a.scores(games), b.scores(games)


def failed(player: Player | Filter, error: Exception) -> str:
    """What went wrong, and in which feature if it was in one of the player's own; otherwise for which player."""
    features = player.features.features if isinstance(player, Player) else ()
    names = {getattr(one.function, "__code__", None): one.name for one in features}
    frames = (frame.f_code for frame, _ in walk_tb(error.__traceback__))
    name = next((names[code] for code in frames if code in names), player.name)
    return f"{name} failed: {type(error).__name__}: {error}"


def unknown_features(player: Player | Filter) -> list[str]:
    """The features that are in no catalogue, by name."""
    features = player.features.features if isinstance(player, Player) else ()
    return [one.name for one in features if FEATURES.get(one.name) is not one]
