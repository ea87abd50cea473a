"""The cost of --dask local beside threads: python tests/benchmarks/dask_overhead.py [ROUNDS]

The same training, by turns on threads of our own and on a Dask cluster with as many processes; the cluster is started
before the clock. Prints the wall times, and the ratio of their medians.
"""

import os
import sys
import time
from statistics import median

import tetriscourse as tc
from tetriscourse.optimizers.evaluation import dask_executor

START = [-0.2, 0.12, -0.31, -0.6, -0.53, -0.33, -0.05, -0.3]
"""Where games are long from the first iteration on: about 2 s of a core in each."""


def seconds(executor=None):
    """One training."""
    optimizer = tc.CMAES(8, start=START, sigma=0.01, normalise=True, iterations=4)
    goal = tc.Objective("dn", tc.RULES["harder"], games=200)
    start = time.perf_counter()
    trained = tc.train(optimizer, goal, executor=executor, curve=0, progress=False)
    return time.perf_counter() - start, trained.moves


def main(rounds):
    """By turns."""
    with dask_executor("local") as (executor, _):
        seconds(), seconds(executor)  # everything is loaded now
        here, away = [], []
        for _ in range(rounds):
            took, moves = seconds()
            here.append(took)
            took, again = seconds(executor)
            away.append(took)
            assert moves == again
            print(f"threads {here[-1]:6.2f} s, dask {away[-1]:6.2f} s, {moves:,} moves", flush=True)
    print(f"ratio of medians {median(away) / median(here):.3f} (load of the machine {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
