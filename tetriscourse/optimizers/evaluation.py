"""Evaluation: candidates get their scores, from games that are spread over an executor.

Read `evaluate` and `run_race` first. Any concurrent.futures executor will do: the results do not depend on which, or
on how the games are cut into parts.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.racing import Race
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.simulator.batch import Played, Stopped, Work, play

HERE, AWAY = (0.001, 0.02), (0.1, 0.5)
"""Shortest and longest time of a part, in seconds: in threads of our own, where handing one out takes
0.2 ms, and elsewhere, where it takes 5 ms."""
SECONDS_TO_ANSWER = 10
"""How long a Dask cluster has until it must have answered."""


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What candidates scored, and what that took."""

    scores: Floats
    games: int = 0
    moves: int = 0
    race: dict[str, float] = field(default_factory=dict)
    """What is logged of a race."""


def evaluate(evaluator: Evaluator, objective: Any, candidates: Floats, seed: int) -> Evaluated:
    """The mean score of each candidate's games, or a plain function's values."""
    if not isinstance(objective, Objective):
        return Evaluated(np.array(evaluator.map(objective, candidates)))
    played = evaluator.play(objective.work(candidates, seed), "candidates")
    scores = objective.scores(played).reshape(len(candidates), -1).mean(axis=1)
    return Evaluated(scores, len(played.pieces), int(played.pieces.sum()))


def run_race(evaluator: Evaluator, objective: Objective, candidates: Floats, seed: int, race: Race) -> Evaluated:
    """One game at a time, only for those whose place is not decided."""
    moves = 0
    while wanted := race.wanted:
        # Some rounds at once, as the threads wait for each other after the last game: few enough that little is
        # played in vain when a place is decided in between, and that is not counted.
        ahead = min(1 + race.rounds // 8, race.limit - race.rounds)
        work = objective.work(candidates[wanted], seed, first=race.rounds, games=ahead, who=wanted)
        played = evaluator.play(work, "race")
        scores, pieces = (one.reshape(len(wanted), ahead) for one in (objective.scores(played), played.pieces))
        for k in range(ahead):
            still = np.isin(wanted, race.wanted)
            if still.any():
                race.add(race.wanted, scores[still, k])
                moves += int(pieces[still, k].sum())
    used = race.evaluations
    logged = {
        "race_limit": float(race.limit), "race_evaluations": float(used), "race_share": used / race.allowed,
    }  # fmt: skip
    return Evaluated(race.scores(), used, moves, logged)


class Evaluator:
    """Plays lists of games on an executor; threads of its own if none is given."""

    def __init__(self, executor: Executor | None = None, workers: int | None = None):
        if executor is not None and not callable(getattr(executor, "submit", None)):
            raise InputError(f"executor is {shown(executor)}; it must be a concurrent.futures executor, or None")
        known = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        self.workers = whole_number("threads", known if workers is None else workers, 1)
        self.own = executor is None
        self.executor: Executor = ThreadPoolExecutor(self.workers) if executor is None else executor
        self.signal: Ints = np.zeros(2, np.int64)
        """[0] not 0 asks all threads to stop; [1] counts moves while they play."""
        self.moves = 0
        self.core_seconds = 0.0
        self._seconds: dict[str, float] = {}
        """What a game of each kind took lately."""
        self.watch: Callable[[], None] = lambda: None
        """Called several times a second while games are played."""

    def stop(self) -> None:
        """Ask all games to end; play() then raises Stopped."""
        self.signal[0] = 1

    @property
    def stopping(self) -> bool:
        """Whether that was asked for."""
        return bool(self.signal[0])

    def play(self, work: Work, kind: str = "") -> Played:
        """Play all games of a list, in its order; how it is cut follows from the last list of this kind."""
        edges = self.edges(len(work), self._seconds.get(kind, 0.0))
        parts = self._gather([self._submit(work.part(a, b)) for a, b in pairwise(edges)])
        seconds = sum(part.seconds for part in parts)
        self._seconds[kind] = seconds / max(1, len(work))
        lines, pieces, points, finished = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("lines", "pieces", "points", "finished")
        )
        self.moves += int(pieces.sum())
        self.core_seconds += seconds
        self.signal[1] = 0
        return Played(lines, pieces, points, finished, seconds)

    def map(self, function: Callable[[Floats], float], rows: Floats) -> list[float]:
        """A plain function of each row: on the executor, if one was given; here otherwise."""
        if not self.own:
            return [value_of(value) for value in self._gather([self.executor.submit(function, row) for row in rows])]
        values = []
        for row in rows:
            values.append(value_of(function(row)))
            self.watch()
            if self.stopping:
                raise Stopped
        return values

    def edges(self, games: int, seconds: float) -> list[int]:
        """Where to cut a list of games that take so long each: parts neither too short nor too long."""
        shortest, longest = HERE if self.own else AWAY
        part = min(longest, max(shortest, games * seconds / (2 * self.workers)))
        size = part / seconds if seconds else games / (8 * self.workers)
        count = max(1, round(games / max(1.0, size)))
        return [games * i // count for i in range(count + 1)]

    def _submit(self, part: Work) -> Future[Any]:
        return self.executor.submit(play, part, self.signal) if self.own else self.executor.submit(play, part)

    def _gather(self, futures: list[Future[Any]]) -> list[Any]:
        """The results in order; the first error at once, and Stopped when that was asked for."""
        running = set(futures)
        try:
            while running and not self.stopping:
                finished, running = wait(running, timeout=0.1, return_when=FIRST_EXCEPTION)
                for future in finished:
                    future.result()
                self.watch()
        finally:
            for future in running:
                future.cancel()
        if self.stopping:
            raise Stopped
        return [future.result() for future in futures]

    def close(self) -> None:
        """End the threads of our own."""
        if self.own:
            self.stop()
            self.executor.shutdown(wait=True, cancel_futures=True)


def value_of(found: Any) -> float:
    """What a function of a vector gave, if it is a number."""
    try:
        return float(found)
    except (TypeError, ValueError):
        raise InputError(f"objective gave {shown(found)} for a vector; it must give one number") from None


# --- Dask -----------------------------------------------------------------------------------------


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on a Dask cluster, 'local' for one on this machine, and how many threads it has."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(f"dask is {address!r}; this needs the dask extra: pip install 'tetriscourse[dask]'") from None
    logger = logging.getLogger("distributed")  # its remarks on clusters that end would hide what matters
    with ExitStack() as opened:
        opened.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)
        try:
            cluster: Any = address
            if address == "local":
                cluster = opened.enter_context(LocalCluster(
                    n_workers=os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # without, port 8787 is taken all the same
                    # Ctrl-C in a terminal reaches the workers too; it is for us, and we close them.
                    preload=["import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"],
                ))  # fmt: skip
            client = opened.enter_context(Client(cluster, timeout=SECONDS_TO_ANSWER))
            client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"dask is {address!r}; no cluster answers there ({type(error).__name__}): "
                "it must be 'local' or the address of a scheduler with workers, such as tcp://host:8786"
            ) from None
        yield client.get_executor(retries=5, pure=False), sum(client.ncores().values())
