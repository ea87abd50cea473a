"""Evaluation: games spread over an executor, in parts large enough that handing them out costs nothing.

Any concurrent.futures executor will do. Results do not depend on which, or on how the games are cut.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown, whole_number
from tetriscourse.optimizers.draws import Floats, Ints
from tetriscourse.simulator.batch import Played, Stopped, Work, play

HERE, AWAY = (0.001, 0.02), (0.1, 0.5)
"""Shortest and longest time of a part, in seconds: in threads of our own, where handing one out takes
0.2 ms, and elsewhere, where it takes 5 ms."""


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
        played = Played(lines, pieces, points, finished, seconds)
        self.moves += int(played.pieces.sum())
        self.core_seconds += seconds
        self.signal[1] = 0
        return played

    def map(self, function: Callable[[Floats], float], rows: Floats) -> list[float]:
        """A plain function of each row: on the executor, if one was given; here otherwise."""
        if not self.own:
            return [float(value) for value in self._gather([self.executor.submit(function, row) for row in rows])]
        values = []
        for row in rows:
            values.append(float(function(row)))
            self.watch()
            if self.signal[0]:
                raise Stopped
        return values

    def edges(self, games: int, seconds: float) -> list[int]:
        """Where to cut a list of games that take so long each: parts neither too short nor too long."""
        shortest, longest = HERE if self.own else AWAY
        part = min(longest, max(shortest, games * seconds / (4 * self.workers)))
        size = part / seconds if seconds else games / (8 * self.workers)
        count = max(1, round(games / max(1.0, size)))
        return [games * i // count for i in range(count + 1)]

    def _submit(self, part: Work) -> Future[Any]:
        return self.executor.submit(play, part, self.signal) if self.own else self.executor.submit(play, part)

    def _gather(self, futures: list[Future[Any]]) -> list[Any]:
        """The results in order; Stopped when that was asked for."""
        running = set(futures)
        while running:
            _, running = wait(running, timeout=0.1)
            self.watch()
            if self.signal[0]:
                for future in futures:
                    future.cancel()
                if self.own:
                    wait(futures)
                raise Stopped
        return [future.result() for future in futures]

    def close(self) -> None:
        """End the threads of our own."""
        if self.own:
            self.signal[0] = 1
            self.executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on a Dask cluster, 'local' for one on this machine, and how many threads it has."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(
            f"dask is {address!r}; this needs the dask extra: pip install 'tetriscourse[dask]'"
        ) from None
    if address == "local":
        cluster: Any = LocalCluster(n_workers=os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None)
    else:
        cluster = address
    try:
        client = Client(cluster, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"dask is {address!r}; no scheduler answers there ({type(error).__name__}): "
            "it must be 'local' or an address such as tcp://host:8786"
        ) from None
    try:
        workers = sum(client.ncores().values()) or 1
        yield client.get_executor(retries=5), workers
    finally:
        client.close()
        if address == "local":
            cluster.close()
