"""Evaluation: candidates get their scores from games, in races or on a Dask cluster as well.

Read `run_race` first. The results do not depend on where the games are played, or on how a list is cut into parts.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, shown
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.racing import Race
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator.run import Pool, default_threads

SECONDS_TO_ANSWER = 10  # how long a Dask cluster may take to answer


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The scores of candidates, and the games that they took."""

    scores: Floats
    games: int = 0
    moves: int = 0
    race: dict[str, float] = field(default_factory=dict)  # the entries about a race in the log of a run


def run_race(pool: Pool, objective: Objective, candidates: Floats, seed: int, race: Race) -> Evaluated:
    """Play one game at a time, only for those whose place is undecided."""
    moves = 0
    while wanted := race.wanted:
        # Some rounds at once, as the threads wait for each other after the last game: few enough that little is
        # played in vain when a place is decided in between, and that is not counted.
        ahead = min(1 + race.rounds // 8, race.limit - race.rounds)
        work = objective.work(candidates[wanted], seed, first=race.rounds, games=ahead, who=wanted)
        played = pool.play(work, "race")
        scores, pieces = (one.reshape(len(wanted), ahead) for one in (objective.scores(played), played.pieces))
        for k in range(ahead):
            still = np.isin(wanted, race.wanted)
            if still.any():
                race.add(race.wanted, scores[still, k])
                moves += int(pieces[still, k].sum())
    used = race.evaluations
    logged = {"race_limit": float(race.limit), "race_evaluations": float(used), "race_share": used / race.allowed}
    return Evaluated(race.scores(), used, moves, logged)


def value_of(found: Any) -> float:
    """The value of a plain function of a vector, if it is a number."""
    try:
        return float(found)
    except (TypeError, ValueError):
        raise InputError(f"objective gave {shown(found)} for a vector; it must give one number") from None


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on a Dask cluster, and the number of its threads; 'local' starts a cluster on this machine."""
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
                    n_workers=default_threads(), threads_per_worker=1, dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # else port 8787 is taken all the same
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
