"""Prints what each feature of the champions is worth: the 24 sets that lack one, trained like the whole set.

    python tests/benchmarks/ablation_figures.py                  everything, about twenty minutes of one core
    python tests/benchmarks/ablation_figures.py --save           the same, stored for notebooks/results.ipynb
    python tests/benchmarks/ablation_figures.py holes wells      the whole set, and the sets without one of these
    python tests/benchmarks/ablation_figures.py --runs FOLDER    keeps every run in a file, and goes on from there

Every run of CMA-ES begins at zero and plays equally many games on a low board. What it has learned is the mean of its
last favourites, which plays games of another seed, the same pieces for all, there and on 10x10.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from pathlib import Path
from statistics import median

import numpy as np

from tetriscourse.course.results import Record, ResultTable
from tetriscourse.errors import one_of
from tetriscourse.features import FEATURE_SETS
from tetriscourse.game.rules import RULES, as_rules
from tetriscourse.inference import student_quantile
from tetriscourse.optimizers.cma_es import CMASettings, to_length_1
from tetriscourse.optimizers.experiments import Experiment
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.training import Curve
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator import simulate

FEATURES = tuple(one.name for one in FEATURE_SETS["champion"].features)
WHOLE = "nothing"  # what the whole set lacks
LOW = as_rules("10x8")
SETTINGS, GAMES, AVERAGED = CMASettings(population=24, iterations=100, normalise=True), 40, 20
RUNS, WHOLE_RUNS, SEED = 3, 10, 2026
JUDGING = {"high": (RULES["10x10"], 400), "low": (LOW, 1600)}  # rules and games in which all are judged

COMMAND = "python tests/benchmarks/ablation_figures.py"
_LINES = "{{{0}[median]:,.0f}} ({{{0}[least]:,.0f}} to {{{0}[most]:,.0f}})"
_TIMES = "{{{0}[ratio]:.2f}} ({{{0}[low]:.2f}} to {{{0}[high]:.2f}})"
TABLE = ResultTable(
    COMMAND,
    {
        "left out": "{name}", "runs": "{runs}",
        "lines on 10x10": _LINES.format("high"), "times the whole set": _TIMES.format("high"),
        "lines on 10x8, where it learned": _LINES.format("low"), "times the whole set there": _TIMES.format("low"),
        "moves": "{moves:,}", "command": "`{command}`",
    },
    seed=f"1 to {RUNS}, of the whole set 1 to {WHOLE_RUNS}; judged with {SEED}",
    machine=f"{SETTINGS.iterations} iterations of {SETTINGS.population} x {GAMES} games; median and range of the runs, "
    "95 % intervals over runs, which cover seeds and games",
)  # fmt: skip
WEIGHTS = ResultTable(
    COMMAND,
    {"feature": "{feature}", **{f"run {k + 1}": f"{{weights[{k}]:.3f}}" for k in range(WHOLE_RUNS)}},
    seed=f"1 to {WHOLE_RUNS}",
    machine="every run scaled to length 1",
)


@dataclass(frozen=True)
class Learned:
    """The runs with one set of features: what each has learned, and how many lines it makes on either board."""

    without: str
    vectors: Floats
    lines: dict[str, list[float]]
    moves: list[int]

    def logs(self, board: str) -> Floats:
        """The logarithm of the lines of each run."""
        return np.log(self.lines[board])


def experiment(without: str) -> Experiment:
    """The runs on all features but one."""
    seen = [name for name in FEATURES if name != without]
    return Experiment(
        f"without-{without}", "cma-es", SETTINGS, Objective(seen, LOW, GAMES), curve=Curve(0), averaged=AVERAGED,
        runs=WHOLE_RUNS if without == WHOLE else RUNS,
    )  # fmt: skip


def learned(without: str, folder: Path | None) -> Learned:
    """Train all runs without a feature, or read those that are over, and judge each."""
    one = experiment(without)
    outcome = one.run(folder and folder / f"{one.name}.npz", resume=folder is not None, progress=False, threads=1)
    if not outcome.complete:
        raise SystemExit("interrupted")
    vectors = np.array([outcome.learned(training) for training in outcome.trainings])
    lines = {
        board: [
            simulate(one.objective.player(vector), rules, games, SEED, threads=1, progress=False).mean
            for vector in vectors
        ]
        for board, (rules, games) in JUDGING.items()
    }
    return Learned(without, vectors, lines, [training.moves for training in outcome.trainings])


def pooled_sd(groups: Sequence[Floats]) -> tuple[float, int]:
    """The standard deviation within groups, as if it were the same in all, and its degrees of freedom."""
    freedom = sum(len(one) - 1 for one in groups)
    return sqrt(sum(float(np.square(one - one.mean()).sum()) for one in groups) / freedom), freedom


def ratio_to(whole: Floats, logs: Floats, sd: float, freedom: int) -> tuple[float, float, float]:
    """How many times the lines of the whole set, with the 95 % interval: Student's, on the log scale.

    A run is one draw. Its lines depend on the seed of its training and on its luck in the games of judgement, and runs
    with the same features spread by both; so the interval covers both.
    """
    difference = float(logs.mean() - whole.mean())
    half = student_quantile(0.95, freedom) * sd * sqrt(1 / len(logs) + 1 / len(whole))
    return exp(difference), exp(difference - half), exp(difference + half)


def on_board(board: str, one: Learned, found: Sequence[Learned]) -> Record:
    """The lines of the runs on a board, beside those of the whole set, which comes first."""
    sd, freedom = pooled_sd([each.logs(board) for each in found])
    whole = one is found[0]
    ratio, low, high = (1, 1, 1) if whole else ratio_to(found[0].logs(board), one.logs(board), sd, freedom)
    lines = one.lines[board]
    return {
        "median": round(median(lines)), "least": round(min(lines)), "most": round(max(lines)),
        "ratio": round(ratio, 3), "low": round(low, 3), "high": round(high, 3),
    }  # fmt: skip


def record(one: Learned, found: Sequence[Learned]) -> Record:
    """A row of the table."""
    return {
        "name": one.without, "runs": len(one.moves), **{board: on_board(board, one, found) for board in JUDGING},
        "moves": round(median(one.moves)), "command": f"{COMMAND} {one.without}",
    }  # fmt: skip


def weight_rows(whole: Learned) -> list[Record]:
    """The weights of each feature, run by run, every run scaled to length 1."""
    columns = to_length_1(whole.vectors).T.round(4).tolist()
    return [{"feature": name, "weights": weights} for name, weights in zip(FEATURES, columns, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", nargs="*", metavar="FEATURE", help="one to leave out, or 'nothing'; default: all")
    parser.add_argument("--runs", type=Path, metavar="FOLDER", help="where runs are kept")
    parser.add_argument("--save", action="store_true", help="store the tables")
    options = parser.parse_args()
    chosen = [one_of("FEATURE", name, (WHOLE, *FEATURES)) for name in options.features or FEATURES]
    if options.runs is not None:
        options.runs.mkdir(parents=True, exist_ok=True)
    found = []
    for name in dict.fromkeys([WHOLE, *chosen]):
        found.append(learned(name, options.runs))
        print(f"without {name}: {' '.join(f'{lines:,.0f}' for lines in found[-1].lines['high'])} lines", flush=True)
    for one in found:
        TABLE.add(record(one, found))
    for row in weight_rows(found[0]):
        WEIGHTS.add(row)
    for board in JUDGING:
        sd, freedom = pooled_sd([one.logs(board) for one in found])
        print(f"{board} board: runs with the same features spread by a factor of {exp(sd):.3f} ({freedom} freedoms)")
    if options.save:
        TABLE.save("ablation")
        WEIGHTS.save("champion-weights")


if __name__ == "__main__":
    main()
