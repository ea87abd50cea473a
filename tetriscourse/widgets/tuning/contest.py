"""The many games of a player, and of a rival on the same pieces, played in the background and shown while they go on.

A `Trial` has the games of one of them: those of `simulate`, in the same order. It plays for a slice of time in a thread
of its own, so that the panel can tell how far it is while a long game goes on; compiled games release Python's lock,
so the notebook stays responsive. A `Contest` lets both trials take turns and draws their scores.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from traceback import walk_tb
from typing import Any

import numpy as np

from tetriscourse.errors import counted
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Filter, Player
from tetriscourse.simulator.games import GameList, Ongoing, Played, play, prepare
from tetriscourse.simulator.playable import is_fast
from tetriscourse.statistics import Scores, compare_scores
from tetriscourse.widgets.tuning.score_chart import score_svg, summary
from tetriscourse.widgets.worker import Worker

SLICE = 0.05  # seconds of play before the page is told; it takes about as long to show them
FIRST_SLICE = 0.02  # seconds that the page can wait after a change: what is played then is seen together with it
BATCH = 0.005  # seconds between two looks at the clock, unless a game is longer
PLAIN_GAMES = 20  # games of a player that only plain Python can play: it is about ten thousand times slower

PLAYER, RIVAL = "this player", "the rival"  # names of the two in the picture and in the verdict

THREAD = "tetriscourse trials"

Contestant = Player | Filter | LookAhead


class Trial(Ongoing):
    """The games of one player, as far as they have been played."""

    def __init__(self, player: Contestant, rules: Rules, games: int, seed: int = 0):
        super().__init__()
        self.player, self.rules, self.seed = player, rules, seed
        self.asked = games  # the number of games asked for; `games` are played
        self.games = games if is_fast(player, rules) else min(games, PLAIN_GAMES)
        self.played = 0  # games that have ended: always the first ones
        self.note = ""  # why it takes long just now
        self.error: Exception | None = None  # the error that ended it: your own feature can fail
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
        """The number of games at the start of a batch that reached their end or the limit of the rules."""
        limit = self.rules.max_pieces
        whole = batch.begun & (batch.finished | ((limit > 0) & (batch.pieces == limit)))
        return len(whole) if whole.all() else int(np.argmin(whole))

    def _tell(self, text: str) -> None:
        self.note = text


class Contest:
    """Plays slice after slice, each followed by `show()`, as long as the page answers with its version."""

    def __init__(self, player: Trial, show: Callable[[], None], version: Callable[[], int]):
        self.player = player
        self.rival: Trial | None = None
        self.is_seen = False  # whether there is a page that shows it
        self.log_scale = False
        self.worker = Worker(self._slice, version, show)
        self._show = show
        self._reported: Trial | None = None
        self._shown: dict[str, Any] | None = None

    @property
    def trials(self) -> list[Trial]:
        """The trials of both; one, if the rival is the player itself."""
        return list(dict.fromkeys(one for one in (self.player, self.rival) if one is not None))

    @property
    def is_over(self) -> bool:
        """Whether all games have been played."""
        return all(one.is_over for one in self.trials)

    def renew(self, player: Player, rival: Contestant | None, rules: Rules, games: int) -> None:
        """Let these two play this many games; a trial of the same games continues, others are broken off."""
        self.stop()
        known, seed = self.trials, self.player.seed

        def trial(one: Contestant) -> Trial:
            same = (each for each in known if each.player is one and (each.rules, each.asked) == (rules, games))
            return next(same, None) or Trial(one, rules, games, seed)

        self.player = trial(player)
        self.rival = self.player if rival is player else trial(rival) if rival else None
        if self.is_seen:  # a few games at once, so that the picture moves with the slider
            self.player.allow()
            self.player.go_on(FIRST_SLICE)
        self.play()

    def seen(self, version: int) -> None:
        """The page has shown this version."""
        self.is_seen = True
        self.worker.acknowledge(version)
        self.play()

    def play(self) -> None:
        """Play on, if somebody sees it."""
        if self.is_seen and not self.worker.running and not self.is_over:
            for one in self.trials:
                one.allow()
            self.worker.start()

    def stop(self) -> None:
        """Break off all games."""
        self.worker.pause()
        for one in self.trials:
            one.stop()

    def hide(self) -> None:
        """Stop: nobody sees it any more."""
        self.is_seen = False
        self.stop()

    def _slice(self) -> bool:
        """Let the one with fewer games play for a slice, and show it; whether there was anything to do."""
        left = [one for one in self.trials if not one.is_over]
        if not left:
            return False
        # Whoever is in the middle of a long game does not keep the other one waiting.
        idle = [one for one in left if not one.is_playing] or left
        min(idle, key=lambda one: one.played).go_on()
        self._reported = self.player
        self._show()
        return True

    def redraw(self) -> None:
        """Draw everything again the next time, even before a slice has been played."""
        self._shown = None

    def content(self) -> dict[str, Any]:
        """The picture of the scores; that of the previous weights, until the first slice of the new ones is played."""
        if self._shown is None or self.player.played or self._reported is self.player:
            both = [(PLAYER, self.player)] + ([(RIVAL, self.rival)] if self.rival else [])
            results = [(name, trial, trial.scores()) for name, trial in both]
            svg = score_svg([(name, scores) for name, _, scores in results], self.log_scale)
            lines = [self._summary(*result) for result in results] + self._verdict()
            self._shown = {"scores": {"svg": svg}, "summary": {"text": lines}}
        return self._shown

    def _summary(self, name: str, trial: Trial, scores: Scores) -> str:
        """The scores of one in words."""
        if not self.is_seen:
            return f"{name.capitalize()}: {counted(trial.games, 'game')} will be played when the page is there."
        text = f"{name.capitalize()}: {summary(scores)}."
        if trial.is_over:
            return text
        moves = f"; {trial.moves:,} moves so far" if trial.moves else ""
        return f"{text} {trial.games - trial.played} to come{moves}."

    def _verdict(self) -> list[str]:
        """Who is better, from the games that both have played."""
        if self.rival is None or min(self.player.played, self.rival.played) < 2:
            return []
        a, b = common(self.player, self.rival)
        verdict = compare_scores(replace(a, player=PLAYER), replace(b, player=RIVAL)).verdict
        return [f"{verdict[0].upper()}{verdict[1:]}."]


def common(a: Trial, b: Trial) -> tuple[Scores, Scores]:
    """The games that both have played, on the same pieces."""
    games = min(a.played, b.played)
    return a.scores(games), b.scores(games)


def failed(player: Contestant, error: Exception) -> str:
    """The error in words, with the feature in which it happened, or else with the player."""
    features = player.features.features if isinstance(player, Player | LookAhead) else ()
    names = {getattr(one.function, "__code__", None): one.name for one in features}
    frames = (frame.f_code for frame, _ in walk_tb(error.__traceback__))
    name = next((names[code] for code in frames if code in names), player.name)
    return f"{name} failed: {type(error).__name__}: {error}"
