"""Trials: many games of a player in the background, in slices of time, for a panel that shows them.

The games are those of `simulate`, in the same order. A slice is played in a thread of its own, so that a panel can
tell how far it is while a long game goes on; compiled games release Python's lock, so the notebook stays responsive.
"""

from __future__ import annotations

import threading
import time
from traceback import walk_tb

import numpy as np

from tetriscourse.game.rules import Rules
from tetriscourse.players import Filter, Player
from tetriscourse.simulator.games import GameList, Ongoing, Played, is_fast, play, prepare
from tetriscourse.statistics import Scores

SLICE = 0.05
"""Seconds of play before the page is told; it takes about as long to show them."""
FIRST_SLICE = 0.02
"""Seconds for which the page can wait after a change: what is played then is seen together with the change."""
BATCH = 0.005
"""Seconds between two looks at the clock, unless a game is longer."""
PLAIN_GAMES = 20
"""Games of a player that only plain Python can play: it is about ten thousand times slower."""

THREAD = "tetriscourse trials"


class Trial(Ongoing):
    """The games of one player, as far as they have been played."""

    def __init__(self, player: Player | Filter, rules: Rules, games: int, seed: int = 0):
        super().__init__()
        self.player, self.rules, self.seed = player, rules, seed
        self.games = games if is_fast(player, rules) else min(games, PLAIN_GAMES)
        self.played = 0
        """Games that have ended: always the first ones."""
        self.note = ""
        """Why it takes long just now."""
        self.error: Exception | None = None
        """The error that ended it: your own feature can fail."""
        self._list = GameList.of(player, rules, seed, self.games)
        self._results = Played.nothing(self.games).results
        self._batch = 1
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.played == self.games or self.error is not None

    @property
    def is_playing(self) -> bool:
        """Whether a slice is being played."""
        return self._thread is not None and self._thread.is_alive()

    def scores(self, games: int | None = None) -> Scores:
        """The Scores of all games that have ended, or of the first few."""
        ended = Played(self._results[: self.played if games is None else games])
        return Scores(
            ended.lines, ended.pieces, ended.points, ended.finished,
            player=self.player.name, rules=self.rules, seed=self.seed,
        )  # fmt: skip

    # --- playing ----------------------------------------------------------------------------------

    def go_on(self, seconds: float = SLICE) -> None:
        """Play for about this long, or begin a longer game; returns after that time in any case, or when stopped."""
        with self._starting:  # events and the contest's own thread may ask at the same time
            if not (self.is_playing or self.is_over or self.stopping):
                slice_ = threading.Thread(target=self._play_slice, args=(seconds,), name=THREAD, daemon=True)
                slice_.start()
                self._thread = slice_
        self.wait(seconds)

    def wait(self, seconds: float) -> bool:
        """Wait for a slice to end; whether it has."""
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.is_playing

    def _play_slice(self, seconds: float) -> None:
        """Play batches of games until the time is up."""
        try:
            prepare(self.player, self.rules, tell=self._tell)
            self.note = ""
            end = time.monotonic() + seconds
            while not self.is_over and not self.stopping and time.monotonic() < end:
                self._play_batch()
        except Exception as error:  # the panel tells it: nobody sees what is raised in a thread
            self.error = error

    def _play_batch(self) -> None:
        """Play as many games as fit between two looks at the clock, judging by the last batch."""
        begun, first = time.monotonic(), self.played
        batch = play(self._list.part(first, min(first + self._batch, self.games)), self)
        ended = self._ended(batch)
        self._results[first : first + ended] = batch.results[:ended]
        self.played += ended
        seconds = time.monotonic() - begun
        self._batch = max(1, min(2 * self._batch, int(ended * BATCH / max(seconds, 1e-6))))

    def _ended(self, batch: Played) -> int:
        """How many games of a batch, from the first on, were played to their end or to the limit of the rules."""
        limit = self.rules.max_pieces
        whole = batch.begun & (batch.finished | ((limit > 0) & (batch.pieces == limit)))
        return len(whole) if whole.all() else int(np.argmin(whole))

    def _tell(self, text: str) -> None:
        self.note = text


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
