"""Where the bars of 15.8 stand: the share of worlds in which a design finds the one good idea, with eight seeds.

    python tests/benchmarks/idea_bars.py

Equal shares for everybody, and designs that spend most games on the best few, with the control and without it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tetriscourse.course.checks import chapter_15, trials

SEEDS = (*range(1, 7), 60_413, 7_720_199)  # the last two are those of grading


def main() -> None:
    print_design("one run of each", lambda world: winner(equal_shares(world, 1)))
    for runs in (2, 3, 4, 5, 6, 7):
        print_design(f"{runs} runs of each", lambda world, runs=runs: winner(equal_shares(world, runs)))
    for runs, games, kept, later in (
        (1, 50, 4, 50), (2, 50, 2, 50), (2, 50, 3, 50), (2, 30, 3, 50), (3, 30, 2, 50), (3, 50, 1, 50), (2, 50, 3, 100),
    ):  # fmt: skip
        name = f"{runs} x {games}, then the best {kept}, {later} games a run"
        print_design(name, lambda world, plan=(runs, games, kept, later): winner(best_at_length(world, *plan)))
        print_design("    and no control", lambda world, plan=(runs, games, kept, later): praised(world, plan))


Logs = dict[str, list[float]]


def equal_shares(world: trials.Trials, runs: int) -> Logs:
    """Logarithms of the means of so many runs of each idea and of the control, with all games spread evenly."""
    names = (trials.NOTHING, *world.names)
    games = world.left // len(names) // runs - trials.TRAINING
    return {name: [log_mean(world, name, run, games) for run in range(runs)] for name in names}


def best_at_length(world: trials.Trials, runs: int, games: int, kept: int, later: int) -> Logs:
    """Some runs of each, then as many more of the best and of the control as there are games for."""
    names = (trials.NOTHING, *world.names)
    logs = {name: [log_mean(world, name, run, games) for run in range(runs)] for name in names}
    best = sorted(world.names, key=lambda name: -float(np.mean(logs[name])))[:kept]
    while world.left >= (kept + 1) * (trials.TRAINING + later):
        for name in (trials.NOTHING, *best):
            logs[name].append(log_mean(world, name, len(logs[name]), later))
    return {name: logs[name] for name in (trials.NOTHING, *best)}


def log_mean(world: trials.Trials, name: str, run: int, games: int) -> float:
    """The logarithm of the mean lines of a run."""
    return float(np.log(np.mean(world.play(name, run, games))))


def winner(logs: Logs) -> str:
    """The best idea, if it is more than halfway to what an idea that helps is worth."""
    means = {name: float(np.mean(some)) for name, some in logs.items()}
    best = max((name for name in means if name != trials.NOTHING), key=lambda name: means[name])
    return best if means[best] > means[trials.NOTHING] + np.log(trials.HELPS) / 2 else trials.NOTHING


def praised(world: trials.Trials, plan: tuple[int, int, int, int]) -> str:
    """The best idea, whether it is better than nothing or not."""
    logs = best_at_length(world, *plan)
    return max((name for name in logs if name != trials.NOTHING), key=lambda name: float(np.mean(logs[name])))


def print_design(name: str, find: Callable[[trials.Trials], str]) -> None:
    """The check's measure with its seeds."""
    shares = []
    for seed in SEEDS:
        worlds = (trials.Trials(seed, number) for number in range(chapter_15.WORLDS))
        shares.append(sum(world.is_right(find(world)) for world in worlds) / chapter_15.WORLDS)
    print(f"{name:40} {' '.join(f'{share:.0%}' for share in shares)}", flush=True)


if __name__ == "__main__":
    main()
