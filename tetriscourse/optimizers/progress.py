"""What a run shows while it goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from tqdm.auto import tqdm

from tetriscourse.inference import readable
from tetriscourse.optimizers.evaluation import Evaluator
from tetriscourse.simulator.run import is_shown

SECONDS_BEFORE_SHOWN = 0.5

if TYPE_CHECKING:
    from tetriscourse.optimizers.training import Run


class ProgressBar:
    """Iteration, best, mean, games, moves a second, time left."""

    def __init__(self, run: Run, evaluator: Evaluator, progress: bool | None):
        self.run, self.evaluator = run, evaluator
        self.visible = is_shown(progress)
        self.start = self.advanced = time.perf_counter()
        self.pace = 0.0
        """Seconds an iteration, the last ones counting most: later games are longer."""
        evaluator.watch = self.show

    def __enter__(self) -> ProgressBar:
        optimizer = self.run.optimizer
        # A notebook draws a bar of its own, but only in place of the plain word.
        bar = "{bar}" if any("notebook" in kind.__module__ for kind in tqdm.__mro__) else "|{bar:8}|"
        self.bar = tqdm(
            total=optimizer.tells, initial=optimizer.iteration, unit="iteration", delay=SECONDS_BEFORE_SHOWN,
            desc=self.run.label or optimizer.name, disable=not self.visible, leave=False, miniters=0,
            bar_format="{desc} {n_fmt}/{total_fmt} " + bar + " {elapsed}{postfix}",
        )  # fmt: skip
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def show(self) -> None:
        """Write what is known now."""
        if not self.visible:
            return
        history, log = self.run.optimizer.history, self.run.result.log
        moves = self.evaluator.moves + int(self.evaluator.signal[1])
        rate = moves / max(1e-9, time.perf_counter() - self.start)
        texts = [f"{tqdm.format_interval(self.seconds_left())} left"] if self.pace else []
        texts += [f"{name} {readable(history.last(name))}" for name in ("best", "mean") if name in history]
        texts += [f"curve {readable(float(np.mean(log.last('curve'))))}"] if "curve" in log else []
        texts += [f"{self.run.result.games:,} games", f"{rate / 1e6:.1f} M moves/s"]
        self.bar.set_postfix_str(", ".join(texts), refresh=False)
        self.bar.update(0)

    def seconds_left(self) -> float:
        """Until the last iteration, if the pace stays the same."""
        now, optimizer = time.perf_counter(), self.run.optimizer
        return max(0.0, self.advanced + self.pace * (optimizer.tells - optimizer.iteration) - now)

    def advance(self) -> None:
        """One iteration is done."""
        now = time.perf_counter()
        took, self.advanced = now - self.advanced, now
        self.pace = 0.7 * self.pace + 0.3 * took if self.pace else took
        self.bar.update(1)
        self.show()
