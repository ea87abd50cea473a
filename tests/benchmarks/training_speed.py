"""How well training uses the machine: python tests/benchmarks/training_speed.py

For each experiment: wall time, the optimizer's own share of it, and how busy the threads were while games were played
(time of cores over threads x wall time). Other programs on the machine lower the last figure, so the load
of the machine is printed beside it.
"""

import os
import time
from dataclasses import replace

import tetriscourse as tc
from tetriscourse.simulator.run import Pool

EXPERIMENTS = {"genetic-3": None, "szita-constant": 60, "boumaza-normalised": None, "boumaza-race-hoeffding": None}
"""Names, and after how many iterations to stop."""


def timed(owner, name, times):
    """Let a method add up the time it takes."""
    original = getattr(owner, name)

    def method(*arguments, **options):
        start = time.perf_counter()
        try:
            return original(*arguments, **options)
        finally:
            times[name] = times.get(name, 0.0) + time.perf_counter() - start

    setattr(owner, name, method)
    return lambda: setattr(owner, name, original)


def measure(name, iterations):
    """One run of an experiment."""
    experiment, times, pools = tc.EXPERIMENTS[name], {}, []
    if iterations:
        experiment = replace(experiment, settings=replace(experiment.settings, iterations=iterations))
    optimizer = experiment.optimizer()
    experiment.objective.prepare()
    parts = ((type(optimizer), "ask"), (type(optimizer), "tell"), (Pool, "play"))
    undo = [timed(owner, method, times) for owner, method in parts]
    original = Pool.__exit__
    Pool.__exit__ = lambda self, *error: (pools.append(self), original(self, *error))[1]
    start = time.perf_counter()
    trained = tc.train(
        optimizer, experiment.objective, racing=experiment.racing, curve=experiment.curve, progress=False
    )  # fmt: skip
    wall = time.perf_counter() - start
    Pool.__exit__ = original
    for restore in undo:
        restore()
    cores, own = pools[0].core_seconds, times["ask"] + times["tell"]
    busy = cores / (pools[0].workers * times["play"])
    print(
        f"{name:24} {wall:7.2f} s, optimizer {100 * own / wall:5.2f} %, games {100 * times['play'] / wall:6.2f} %, "
        f"threads busy {100 * busy:5.1f} % (load {os.getloadavg()[0]:.1f}); {trained.games:,} games", flush=True,
    )  # fmt: skip


if __name__ == "__main__":
    for name, iterations in EXPERIMENTS.items():
        measure(name, iterations)
