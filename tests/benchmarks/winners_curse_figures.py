"""How much of an elite's lead is real, with validation and without: the table of chapter 08.

    python tests/benchmarks/winners_curse_figures.py            a minute or two for each run; --save stores it
    python tests/benchmarks/winners_curse_figures.py --row rv-ce FILE      one of its rows, into a file of its own

All runs of the experiments rv-ce and rv-ce-off once more, move for move; besides, the elite of each iteration
and as many candidates drawn by lot play fresh games. Both experiments play as many games an iteration.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.optimizers.winners_curse import measure_curse

RUNS, FRESH = 5, 10
NAMES = ("rv-ce-off", "rv-ce")
TABLE = ResultTable(
    "python tests/benchmarks/winners_curse_figures.py",
    {
        "experiment": "{name}", "iterations": "{first} to {last}", "runs": "{runs}",
        "elite in the games that chose it": "{seemed}", "in fresh games": "{fresh:.2f} ({low:.2f} to {high:.2f})",
        "drawn by lot, in fresh games": "{lot:.2f}",
    },
    seed="1 to 5",
)  # fmt: skip


def rows(name: str) -> list[dict[str, object]]:
    """Early and late iterations of an experiment: mean scores as multiples of the mean of all candidates."""
    one = tc.EXPERIMENTS[name]
    runs = []
    for k in range(RUNS):
        runs.append(measure_curse(one.optimizer(k), one.objective, FRESH, validation=one.validation, threads=1))
        print(f"{name}, run {k + 1} of {RUNS}", file=sys.stderr, flush=True)
    return [row(name, runs, first, first + 19) for first in (1, 21)]


def row(name: str, runs: list, first: int, last: int) -> dict[str, object]:
    """The iterations from first to last, averaged over the runs; the range is that of the runs."""
    part = slice(first - 1, last)
    chosen, fresh, lot = (
        [run[column][part].mean() / run["all"][part].mean() for run in runs]
        for column in ("chosen", "chosen_fresh", "lot_fresh")
    )
    # With kappa above 0, what chooses is not a mean, so it cannot be compared with one.
    penalised = tc.EXPERIMENTS[name].validation is not None
    return {
        "name": name, "first": first, "last": last, "runs": len(runs),
        "seemed": "ranked by mean - sd/4" if penalised else f"{np.mean(chosen):.2f}",
        "fresh": round(float(np.mean(fresh)), 4), "low": round(float(min(fresh)), 4),
        "high": round(float(max(fresh)), 4), "lot": round(float(np.mean(lot)), 4),
    }  # fmt: skip


def main() -> None:
    """Every row, or those of one experiment into a file."""
    if "--row" in sys.argv:
        name, file = sys.argv[sys.argv.index("--row") + 1 :][:2]
        Path(file).write_text(json.dumps(rows(name)))
        return
    for name in NAMES:
        for one in rows(name):
            TABLE.add(one)
    if "--save" in sys.argv:
        TABLE.save("winners-curse")


if __name__ == "__main__":
    main()
