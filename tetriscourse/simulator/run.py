"""simulate: many games at once, on all cores."""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from tqdm.auto import tqdm

from tetriscourse.errors import InputError, whole_number
from tetriscourse.game.board import MAX_HEIGHT, Board
from tetriscourse.game.pieces import Piece
from tetriscourse.game.playing import Chooser, play_game
from tetriscourse.game.rules import RESEARCH, Rules
from tetriscourse.players import Filter, Player
from tetriscourse.statistics import Scores

if TYPE_CHECKING:
    from tetriscourse.simulator.encode import Encoded

Ints = npt.NDArray[np.int64]
MAX_SEED = 2**63 - 1
PILE_HEIGHTS = MAX_HEIGHT + 5
"""How many heights a pile can have, 0 and overflow included."""


class SlowWarning(UserWarning):
    """A player that only plain Python can play: right, but about ten thousand times slower."""


class Progress:
    """What the threads have done, for all to see."""

    def __init__(self, games: int):
        self.results = np.zeros((games, 5), np.int64)
        """For each game: lines, pieces, points, whether it was lost, whether it was begun."""
        self.heights = np.zeros(PILE_HEIGHTS, np.int64)
        self.signals: list[Ints] = []
        """For each thread: not 0 asks it to stop; moves so far."""
        self.core_seconds = 0.0
        self.lock = threading.Lock()
        self.next_game = 0

    def take(self, batch: int) -> tuple[int, int]:
        """The next games to play."""
        with self.lock:
            first = self.next_game
            self.next_game = min(first + batch, len(self.results))
            return first, self.next_game

    def stop(self) -> None:
        """Ask all threads to stop after at most a few thousand moves."""
        with self.lock:
            self.next_game = len(self.results)
        for signal in self.signals:
            signal[0] = 1


def simulate(
    player: Player | Filter | Chooser,
    rules: Rules | None = None,
    games: int = 100,
    seed: int = 0,
    threads: int | None = None,
    progress: bool | None = None,
) -> Scores:
    """Play games and return their Scores; the same for any number of threads.

    Game g of a seed has the same pieces for every player. Ctrl-C returns what has been played.
    `progress` shows a bar on runs that take more than a second; None: if somebody can see it.
    """
    rules = RESEARCH if rules is None else rules
    if not isinstance(rules, Rules):
        raise InputError(f"rules is {rules!r}; it must be a Rules, such as RULES['research']")
    if not callable(getattr(player, "choose", None)):
        raise InputError(f"player is {player!r}; it must be a Player, such as PLAYERS['dellacherie']")
    whole_number("games", games, 1)
    whole_number("seed", seed, 0, MAX_SEED)
    threads = whole_number("threads", os.cpu_count() or 1 if threads is None else threads, 1)
    if isinstance(player, Player):
        player.check_width(rules.width)
    done, work = Progress(games), plain_worker(player, rules, seed)
    batch = max(1, min(256, games // (32 * threads)))
    if isinstance(player, Player | Filter) and is_fast(player, rules):
        work = compiled_worker(player, rules, seed, batch)
    elif hasattr(player, "compiled_worker"):  # a player that brings its own fast play
        work = player.compiled_worker(rules, seed, batch)
    else:
        threads = 1
        warnings.warn(
            f"{getattr(player, 'name', 'this player')} plays in plain Python, a few hundred moves a second: "
            "the simulator knows the features of the catalogue only",
            SlowWarning, stacklevel=2,
        )  # fmt: skip
    interrupted = run_threads(work, done, threads, progress)
    begun = done.results[:, 4] == 1
    lines, pieces, points, lost, _ = done.results[begun].T
    return Scores(
        lines, pieces, points, lost == 1, done.heights,
        player=getattr(player, "name", type(player).__name__), rules=rules, seed=seed, interrupted=interrupted,
        threads=threads, moves_per_second=float(pieces.sum()) / max(done.core_seconds, 1e-9),
    )  # fmt: skip


def is_fast(player: Player | Filter, rules: Rules) -> bool:
    """Whether the compiled simulator can play this player."""
    from tetriscourse.simulator.features import is_compiled

    if isinstance(player, Player):
        return all(is_compiled(feature) for feature in player.features.features)
    from tetriscourse.simulator.encode import linear

    # A filter becomes a weighted sum, if its criteria fit into one number of 64 bits.
    return max(abs(weight) for weight in linear(player, rules)[1]) < 1 << 40


def values(player: Player | Filter, board: Board, piece: Piece, rules: Rules | None = None) -> npt.NDArray[np.float64]:
    """The simulator's value of every move, by orientation and column; nan where there is none."""
    from tetriscourse.simulator.encode import encode
    from tetriscourse.simulator.search import WORST, value_present_moves
    from tetriscourse.simulator.shapes import COLUMNS

    rules = Rules(board.width, board.height) if rules is None else rules
    encoded = encode(player, rules, board)
    encoded.players["values"] = WORST
    enters = value_present_moves(encoded.states, rules.number_of(piece), encoded.players[0])
    found = encoded.players["values"].reshape(4, COLUMNS)[:, : rules.width]
    unit, constant = 1.0, 0  # the kernels leave out what is the same for every move
    if isinstance(player, Player):
        named = zip(player.features.labels(rules.width), player.integers, strict=True)
        unit, constant = player.unit, sum(weight for name, weight in named if name == "constant")
    return np.where(enters & (found != WORST), (found / 2 + constant) * unit, np.nan)


def record(
    player: Player | Filter, rules: Rules | None = None, seed: int = 0, number: int = 0, pieces: int = 1000
) -> list[tuple[int, int, int]]:
    """The first moves of one game of the simulator: piece of the bag, orientation and column of each."""
    from tetriscourse.simulator.encode import encode

    encoded, trace = encode(player, replace(rules or RESEARCH, max_pieces=pieces)), np.zeros((pieces, 3), np.int64)
    results = np.zeros((1, 5), np.int64)
    play_list(encoded, np.array([number]), seed, results, trace=trace)
    return [(int(piece), int(turn), int(column)) for piece, turn, column in trace[: results[0, 1]]]


def play_list(
    encoded: Encoded,
    games: Ints,
    seed: int,
    results: Ints,
    heights: Ints | None = None,
    signal: Ints | None = None,
    trace: Ints | None = None,
    rows: Ints | None = None,
) -> None:
    """Play these games of a seed, each by the player in its row of the encoded ones, and write their results."""
    from tetriscourse.simulator import kernels
    from tetriscourse.simulator.layout import aligned

    kernels.play_games(
        0, len(games), np.zeros(len(games), np.int64) if rows is None else rows, games,
        encoded.states, aligned(encoded.states), encoded.players, np.empty(1, encoded.players.dtype), seed, results,
        np.zeros(PILE_HEIGHTS, np.int64) if heights is None else heights,
        np.zeros(2, np.int64) if signal is None else signal,
        np.zeros((0, 3), np.int64) if trace is None else trace,
    )  # fmt: skip


def compile_kernels(encoded: Encoded) -> None:
    """With no game to play it only compiles, before the clock and the threads start."""
    play_list(encoded, np.zeros(0, np.int64), 0, np.zeros((0, 5), np.int64))


Worker = Callable[[Progress, Ints], None]


def compiled_worker(player: Player | Filter, rules: Rules, seed: int, batch: int) -> Worker:
    """What each thread does: play batches of games until none is left."""
    from tetriscourse.simulator.encode import encode, used_features

    with announced(used_features(player, rules)):
        encoded = encode(player, rules)
        compile_kernels(encoded)

    def play(first: int, last: int, results: Ints, heights: Ints, signal: Ints) -> None:
        play_list(encoded, np.arange(first, last), seed, results[first:last], heights, signal)

    return in_batches(play, batch)


Play = Callable[[int, int, Ints, Ints, Ints], None]
"""Plays games first to last - 1: (first, last, results of all games, heights, signal)."""


def in_batches(play: Play, batch: int) -> Worker:
    """Take so many games at a time until none is left, and play them."""

    def work(done: Progress, signal: Ints) -> None:
        heights, start = np.zeros(PILE_HEIGHTS, np.int64), time.thread_time()
        first, last = done.take(batch)
        while first < last:
            play(first, last, done.results, heights, signal)
            first, last = done.take(batch)
        with done.lock:
            done.heights += heights
            done.core_seconds += time.thread_time() - start

    return work


def plain_worker(player: Any, rules: Rules, seed: int) -> Worker:
    """The same in plain Python."""

    def work(done: Progress, signal: Ints) -> None:
        start = time.thread_time()
        first, last = done.take(1)
        while first < last:
            game = play_game(player, rules, seed, first, stop=lambda: bool(signal[0]))
            done.results[first] = game.lines, game.pieces, game.points, game.lost, 1
            for move in game.moves:
                if not move.loses:
                    done.heights[int(move.after.heights.max())] += 1
            signal[1] += game.pieces
            first, last = done.take(1)
        done.core_seconds += time.thread_time() - start

    return work


@contextmanager
def announced(
    features: int | str, what: str = "the simulator for these features", tell: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Say that the first run takes a while, if the machine code for these features, or of this name, is not there.

    tell: where to say it; None: on stderr.
    """
    from tetriscourse.simulator.compiling import cache_folder

    folder = cache_folder()
    marker = folder / f"compiled-{features}" if folder else None
    if features in _compiled or (marker and marker.exists()):
        yield
        return
    (tell or say)(f"Compiling {what}; this is done once and takes a few seconds ...")
    compiling_now.append(features)
    try:
        yield
    finally:
        compiling_now.remove(features)
    _compiled.add(features)
    if marker:
        marker.touch()


_compiled: set[int | str] = set()
compiling_now: list[int | str] = []
"""What is being compiled at this moment, for those who limit the time of something else."""


def say(message: str) -> None:
    """A line on stderr, which does not disturb results."""
    print(message, file=sys.stderr, flush=True)


def is_shown(progress: bool | None) -> bool:
    """Whether to show progress; None: if somebody can see it."""
    return progress if progress is not None else sys.stderr.isatty() or "ipykernel" in sys.modules


def run_threads(work: Worker, done: Progress, threads: int, progress: bool | None) -> bool:
    """Run the worker in so many threads and show progress; whether Ctrl-C stopped it."""
    done.signals = [np.zeros(2, np.int64) for _ in range(threads)]
    hidden = not is_shown(progress)
    bar = tqdm(total=len(done.results), unit="game", delay=1.0, miniters=0, disable=hidden, leave=False)
    interrupted = False
    with ThreadPoolExecutor(threads) as pool, bar:
        futures = [pool.submit(work, done, signal) for signal in done.signals]
        while True:
            try:
                finished, running = wait(futures, timeout=0.2, return_when=FIRST_EXCEPTION)
                moves = sum(int(signal[1]) for signal in done.signals)
                bar.set_postfix_str(f"{moves:,} moves", refresh=False)
                bar.update(int(done.results[:, 4].sum()) - bar.n)
                if not running:
                    break
            except KeyboardInterrupt:
                interrupted = True
                done.stop()
        for future in finished:
            future.result()
    return interrupted
