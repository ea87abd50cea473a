"""simulate and compare: many games at once, on all cores; and the pool of threads, or of anything else, for them."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.game.rules import RESEARCH, Rules, as_rules
from tetriscourse.games import Chooser
from tetriscourse.interrupts import keeps_parts
from tetriscourse.players import Filter, Player, as_player
from tetriscourse.processors import usable_processors
from tetriscourse.simulator.games import GameList, Ongoing, Played, play, prepare
from tetriscourse.simulator.playable import Players, is_fast, why_slow
from tetriscourse.simulator.stored_games import StoredGames
from tetriscourse.statistics import Comparison, Scores, compare_scores

MAX_SEED = 2**63 - 1
SHORTEST = 0.001
"""Time that a thread should play before it asks for more games, in seconds; asking takes some 0.05 ms."""
AWAY = (0.1, 0.5)
"""Shortest and longest time of a part that is sent elsewhere, in seconds; sending one takes 5 ms."""


chosen_threads: int | None = None  # by `set_threads`


class SlowWarning(UserWarning):
    """A player that only plain Python can play: right, but about ten thousand times slower."""


class Stopped(Exception):
    """The games were asked to stop before their end."""


def simulate(
    player: Player | Filter | Chooser | str,
    rules: Rules | str | None = None,
    games: int = 100,
    seed: int = 0,
    threads: int | None = None,
    progress: bool | None = None,
    checkpoint: str | Path | None = None,
    *,
    resume: bool = False,
) -> Scores:
    """Play games and return their Scores; the same for any number of threads.

    Game g of a seed has the same pieces for every player. Ctrl-C returns what has been played.
    `progress` shows a bar on runs that take more than a second; None: if somebody can see it.
    checkpoint: a file that holds the games that are over, at most a second old; resume: go on from it.
    """
    who, rules = as_player(player), RESEARCH if rules is None else as_rules(rules)
    whole_number("games", games, 1)
    whole_number("seed", seed, 0, MAX_SEED)
    threads = default_threads() if threads is None else whole_number("threads", threads, 1)
    if warn_if_slow(who, rules):
        threads = 1
    wanted = GameList.of(who, rules, seed, games)
    stored = None if checkpoint is None and not resume else StoredGames(checkpoint, resume, wanted)
    prepare(who, rules)
    played, interrupted = played_on_threads(wanted, threads, is_shown(progress), stored)
    begun = replace(played, results=played.results[played.begun])
    return Scores(
        begun.lines, begun.pieces, begun.points, begun.finished, begun.heights,
        player=getattr(who, "name", type(who).__name__), rules=rules, seed=seed, interrupted=interrupted,
        threads=threads, moves_per_second=float(begun.pieces.sum()) / max(begun.seconds, 1e-9),
    )  # fmt: skip


def warn_if_slow(player: Players, rules: Rules, name: str = "this player") -> bool:
    """Whether only plain Python can play a player; a warning tells the caller's caller, and why."""
    slow = not is_fast(player, rules)
    if slow:
        speed = "a few hundred moves a second instead of some hundred thousand"
        who = getattr(player, "name", name)
        warnings.warn(f"{who} plays in plain Python, {speed}: {why_slow(player)}", SlowWarning, stacklevel=3)
    return slow


def compare(
    a: Scores | Chooser | str,
    b: Scores | Chooser | str,
    confidence: float = 0.95,
    rules: Rules | str = RESEARCH,
    games: int = 100,
    seed: int = 0,
) -> Comparison:
    """Which of two players clears more lines: from their Scores, or from games on common pieces that they play now."""
    rules = as_rules(rules)
    x, y = (one if isinstance(one, Scores) else simulate(one, rules, games, seed) for one in (a, b))
    return compare_scores(x, y, confidence)


def set_threads(threads: int | None) -> None:
    """Use this many threads from now on where a call names no number; None: as at the start."""
    global chosen_threads
    chosen_threads = None if threads is None else whole_number("threads", threads, 1)


def default_threads() -> int:
    """Threads by default: from `set_threads`, from TETRISCOURSE_THREADS, or as many as the process may use."""
    if chosen_threads is not None:
        return chosen_threads
    text = os.environ.get("TETRISCOURSE_THREADS", "")
    if not text:
        return usable_processors()
    if not text.isdecimal() or int(text) < 1:
        raise InputError(f"TETRISCOURSE_THREADS is {shown(text)}; it must be a whole number of at least 1")
    return int(text)


def is_shown(progress: bool | None) -> bool:
    """Whether to show progress; None: if somebody can see it, and TQDM_DISABLE does not say otherwise."""
    if progress is None and os.environ.get("TQDM_DISABLE"):
        return False
    return progress if progress is not None else sys.stderr.isatty() or "ipykernel" in sys.modules


def played_on_threads(
    games: GameList, threads: int, visible: bool, stored: StoredGames | None = None
) -> tuple[Played, bool]:
    """Play a list, or what is left of it, on some threads, with a bar or without; whether Ctrl-C stopped it."""
    pool, left = Pool(workers=threads), stored.left if stored else games
    over = len(games) - len(left)
    bar = tqdm(total=len(games), initial=over, unit="game", delay=1.0, miniters=0, disable=not visible, leave=False)

    def watch() -> None:
        bar.set_postfix_str(f"{pool.ongoing.moves:,} moves", refresh=False)
        bar.update(over + pool.ongoing.ended - bar.n)

    pool.watch = watch
    if stored:
        pool.keep = stored.keep
    with bar, pool:
        played = pool.play_as_far_as_allowed(left)
        return stored.joined(played) if stored else played, pool.ongoing.stopping


class Shares:
    """A list of games that threads share: each takes some when it is free, and more if games turn out to be short."""

    def __init__(self, games: GameList, threads: int, first: int = 1):
        self.games, self.threads, self.first = games, threads, first
        self.taken = 0
        self.lock = threading.Lock()

    def take(self, wanted: int) -> tuple[int, GameList]:
        """The next games, but never more than half of a fair share of what is left; where they begin in the list."""
        with self.lock:
            start, left = self.taken, len(self.games) - self.taken
            self.taken += min(left, max(1, min(wanted, left // (2 * self.threads))))
            return start, self.games.part(start, self.taken)

    def play(self, ongoing: Ongoing, keep: Callable[[GameList, Played], None]) -> list[tuple[int, Played]]:
        """Take games and play them until none is left, or until `ongoing` is asked to stop; the work of a thread."""
        played, wanted = [], self.first
        while not ongoing.stopping:
            start, part = self.take(wanted)
            if not len(part):
                break
            played.append((start, play(part, ongoing)))
            keep(part, played[-1][1])
            if played[-1][1].seconds < SHORTEST:
                wanted = 2 * len(part)
        return played


class Pool:
    """Plays lists of games on an executor; on threads of its own if none is given."""

    def __init__(self, executor: Executor | None = None, workers: int | None = None):
        if executor is not None and not callable(getattr(executor, "submit", None)):
            raise InputError(f"executor is {shown(executor)}; it must be a concurrent.futures executor, or None")
        known = getattr(executor, "_max_workers", None) or default_threads()
        self.workers = whole_number("threads", known if workers is None else workers, 1)
        self.own = executor is None
        self.executor: Executor = ThreadPoolExecutor(self.workers) if executor is None else executor
        self.ongoing = Ongoing()
        self.moves = 0  # in all lists that have been played
        self.core_seconds = 0.0
        self._seconds: dict[str, float] = {}  # processor time that a game of each kind took lately
        self.watch: Callable[[], None] = lambda: None  # called several times a second while games are played
        self.keep: Callable[[GameList, Played], None] = lambda part, played: None  # called by our own threads

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        if self.own:
            self.executor.shutdown(wait=True, cancel_futures=True)

    def stop(self) -> None:
        """Ask all games to stop."""
        self.ongoing.stop()

    @property
    def stopping(self) -> bool:
        """Whether the games have been asked to stop."""
        return self.ongoing.stopping

    def play(self, games: GameList, kind: str = "") -> Played:
        """Play a whole list, or raise Stopped; how it is cut follows from the last list of this kind."""
        played = self.play_as_far_as_allowed(games, self._seconds.get(kind, 0.0))
        if self.stopping:
            raise Stopped
        self._seconds[kind] = played.seconds / max(1, len(games))
        return played

    def play_as_far_as_allowed(self, games: GameList, seconds: float = 0.0) -> Played:
        """Play a list whose games take about so long each; if somebody stops it, what was begun before."""
        parts = self.played_here(games, seconds) if self.own else self.played_elsewhere(games, seconds)
        played = Played.joined(parts)
        self.moves += int(played.pieces.sum())
        self.core_seconds += played.seconds
        self.ongoing.count_from_zero()
        return played

    def played_here(self, games: GameList, seconds: float) -> list[Played]:
        """The outcomes of a list, in parts, from our own threads."""
        shares = Shares(games, self.workers, max(1, int(SHORTEST / seconds)) if seconds else 1)
        busy = min(self.workers, len(games))
        futures = [self.executor.submit(shares.play, self.ongoing, self.keep) for _ in range(busy)]
        self.gather(futures)
        found = dict(part for future in futures if not future.cancelled() for part in future.result())
        return [*(found[start] for start in sorted(found)), Played.nothing(len(games) - shares.taken)]

    def played_elsewhere(self, games: GameList, seconds: float) -> list[Played]:
        """The outcomes of a list, in parts, from the executor; it may not hear that its games should stop."""
        parts = [games.part(a, b) for a, b in pairwise(self.edges(len(games), seconds))]
        futures = [self.executor.submit(play, part) for part in parts]
        self.gather(futures)
        return [
            future.result() if future.done() and not future.cancelled() else Played.nothing(len(part))
            for future, part in zip(futures, parts, strict=True)
        ]

    def map(self, function: Callable[[Any], Any], rows: Any) -> list[Any]:
        """A plain function of each row, or Stopped: on the executor if one was given, otherwise here."""
        values = []
        if self.own:
            for row in rows:
                values.append(function(row))
                self.watch()
                if self.stopping:
                    break
        else:
            futures = [self.executor.submit(function, row) for row in rows]
            self.gather(futures)
            values = [] if self.stopping else [future.result() for future in futures]
        if self.stopping:
            raise Stopped
        return values

    def gather(self, futures: list[Future[Any]]) -> None:
        """Wait until all are done or cancelled; the first error is raised at once, and Ctrl-C stops the games."""
        running = set(futures)
        try:
            while running and not self.stopping:
                try:
                    finished, running = wait(running, timeout=0.1, return_when=FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    self.watch()
                except KeyboardInterrupt:
                    if self.stopping or not keeps_parts():  # for the second time, or for good
                        raise
                    self.stop()
        except BaseException:
            self.stop()
            raise
        finally:
            for future in running:
                future.cancel()

    def edges(self, games: int, seconds: float) -> list[int]:
        """Where to cut a list of games that take so long each: parts neither too short nor too long to send away."""
        shortest, longest = AWAY
        part = min(longest, max(shortest, games * seconds / (2 * self.workers)))
        size = part / seconds if seconds else games / (8 * self.workers)
        count = max(1, round(games / max(1.0, size)))
        return [games * i // count for i in range(count + 1)]
