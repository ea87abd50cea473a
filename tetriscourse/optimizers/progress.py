"""The progress bar of a run."""

from __future__ import annotations

import time

import numpy as np
from tqdm.auto import tqdm

from tetriscourse.errors import readable
from tetriscourse.history import History
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.simulator.run import Pool

SECONDS_BEFORE_SHOWN = 0.5


class ProgressBar:
    """Iteration, time left, best, mean, learning curve, games, moves a second."""

    def __init__(self, optimizer: Optimizer, log: History, pool: Pool, label: str):
        self.optimizer, self.log, self.pool, self.label = optimizer, log, pool, label
        self.start = self.advanced = time.perf_counter()
        self.pace = 0.0  # seconds an iteration, the last ones counting most: later games are longer
        pool.watch = self.show

    def __enter__(self) -> ProgressBar:
        # A notebook draws a bar of its own, but only in place of the plain word.
        bar = "{bar}" if any("notebook" in kind.__module__ for kind in tqdm.__mro__) else "|{bar:8}|"
        self.bar = tqdm(
            total=self.optimizer.tells, initial=self.optimizer.iteration, unit="iteration", desc=self.label,
            delay=SECONDS_BEFORE_SHOWN, leave=False, miniters=0,
            bar_format="{desc} {n_fmt}/{total_fmt} " + bar + " {elapsed}{postfix}",
        )  # fmt: skip
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def show(self) -> None:
        """Write what is known now."""
        history = self.optimizer.history
        rate = (self.pool.moves + self.pool.ongoing.moves) / max(1e-9, time.perf_counter() - self.start)
        texts = [f"{tqdm.format_interval(self.seconds_left())} left"] if self.pace else []
        texts += [f"{name} {readable(history.last(name))}" for name in ("best", "mean") if name in history]
        texts += [f"curve {readable(float(np.mean(self.log.last('curve'))))}"] if "curve" in self.log else []
        texts += [f"{int(self.log.last('games')):,} games", f"{rate / 1e6:.1f} M moves/s"]
        self.bar.set_postfix_str(", ".join(texts), refresh=False)
        self.bar.update(0)

    def seconds_left(self) -> float:
        """Until the last iteration, if the pace stays the same."""
        left = self.pace * (self.optimizer.tells - self.optimizer.iteration)
        return max(0.0, self.advanced + left - time.perf_counter())

    def advance(self) -> None:
        """Count an iteration."""
        now = time.perf_counter()
        took, self.advanced = now - self.advanced, now
        self.pace = 0.7 * self.pace + 0.3 * took if self.pace else took
        self.bar.update(1)
        self.show()
