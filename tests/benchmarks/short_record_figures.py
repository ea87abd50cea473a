"""How far a record of ten minutes comes: python tests/benchmarks/short_record_figures.py [--save] [SEED ...]

`tetriscourse train record-10x10 --iterations 15` makes the first three stages of the record in full, and 15 of the 100
iterations of the last. Here it is repeated with other seeds than the record's, in all stages; the learned players are
judged in the games in which the champion was. --runs FOLDER keeps the runs in files, and goes on from there; with
seeds, only these are run.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import tetriscourse as tc
from tetriscourse.course.results import Record, ResultTable
from tetriscourse.errors import readable

SEEDS, ITERATIONS = range(2, 5), 15
TABLE = ResultTable(
    "python tests/benchmarks/short_record_figures.py",
    {
        "command": "`{command}`", "games learned from": "{games:,}", "moves": "{moves:,}", "lines on 10x10": "{mean}",
        "95 %": "{low} to {high}", "judged in": "{judged:,} games",
    },
)  # fmt: skip


def figures(seed: int, folder: Path | None) -> Record:
    """One short record: all stages, and the judgement."""
    judgement = tc.EXPERIMENTS["record-10x10"].judgements[0]
    one = replace(tc.EXPERIMENTS["record-10x10"].changed(seed=seed, iterations=ITERATIONS), judgements=())
    outcome = one.run(folder and folder / f"seed-{seed}.npz", resume=folder is not None, progress=False, threads=1)
    if not outcome.complete:
        raise SystemExit("interrupted")
    scores = tc.simulate(outcome.player, judgement.rules, judgement.games, judgement.seed, threads=1, progress=False)
    mean, low, high = map(readable, (scores.mean, *scores.interval()))
    return {
        "command": f"tetriscourse train record-10x10 --iterations {ITERATIONS} --seed {seed}", "mean": mean, "low": low,
        "high": high, "games": sum(training.games for training in outcome.all_trainings), "judged": judgement.games,
        "moves": sum(training.moves for training in outcome.all_trainings),
        "weights": [round(weight, 6) for weight in outcome.player.weights],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", nargs="*", type=int, metavar="SEED", help="default: all")
    parser.add_argument("--runs", type=Path, metavar="FOLDER", help="where runs are kept")
    parser.add_argument("--save", action="store_true", help="store the table")
    options = parser.parse_args()
    if options.runs is not None:
        options.runs.mkdir(parents=True, exist_ok=True)
    for seed in options.seeds or SEEDS:
        TABLE.add(figures(seed, options.runs))
    if options.save and not options.seeds:
        TABLE.save("record-short")


if __name__ == "__main__":
    main()
