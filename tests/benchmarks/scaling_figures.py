"""Is one step size too few for numbers of very different sizes? python tests/benchmarks/scaling_figures.py [--save]

The ablation of the champions (ablation_figures.py) had a surprise: without squared height, or without holes times
height, CMA-ES found players with more lines. Both are large numbers, and all weights begin with the same step size. If
that is the reason, the surprise must go away when each feature is divided by its spread (optimizers/spreads.py).

    python tests/benchmarks/scaling_figures.py                       everything, about half an hour of one core
    python tests/benchmarks/scaling_figures.py --runs FOLDER         keeps every run in a file, and goes on from there
    python tests/benchmarks/scaling_figures.py --runs FOLDER 1       only the runs with these units

All runs have the budget of the ablation: the same settings, games and judges, and the same ten seeds.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import exp
from pathlib import Path
from statistics import median

import numpy as np
from ablation_figures import AVERAGED, FEATURES, GAMES, JUDGING, LOW, SEED, SETTINGS, pooled_sd, ratio_to

from tetriscourse.course.results import Record, ResultTable
from tetriscourse.errors import one_of
from tetriscourse.optimizers.experiments import Experiment
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.spreads import spreads
from tetriscourse.optimizers.training import Curve
from tetriscourse.random_numbers import Draws, Floats
from tetriscourse.simulator import simulate

RUNS, WHOLE = 10, ""
SUSPECTS = ("squared_height", "holes_by_height")
SPREADS = spreads(FEATURES, LOW)
UNITS: dict[str, dict[str, float]] = {
    "1": {},
    "spreads": SPREADS,
    "spreads-of-two": {name: SPREADS[name] for name in SUSPECTS},
    "shuffled": dict(zip(FEATURES, np.array([*SPREADS.values()])[Draws(SEED, 0).order(len(FEATURES))], strict=True)),
}
"""What each feature is divided by while its weight is learned: 1 where it is not named."""
SAID = {
    "1": "1, as in the ablation", "spreads": "each its own spread", "spreads-of-two": "these two their spreads",
    "shuffled": "spreads of other features",
}  # fmt: skip
TRIED = [(unit, without) for unit in ("1", "spreads") for without in (WHOLE, *SUSPECTS)]
TRIED += [(unit, WHOLE) for unit in ("spreads-of-two", "shuffled")]

_LINES = "{{{0}[median]:,.0f}} ({{{0}[least]:,.0f}} to {{{0}[most]:,.0f}})"
_TIMES = "{{{0}[ratio]:.2f}} ({{{0}[low]:.2f}} to {{{0}[high]:.2f}})"
TABLE = ResultTable(
    "python tests/benchmarks/scaling_figures.py",
    {
        "divided by": "{units}", "left out": "{without}", "runs": "{runs}",
        "lines on 10x10": _LINES.format("high"), "times the first row": _TIMES.format("high"),
        "times the whole set in the same units": _TIMES.format("within"),
        "lines on 10x8, where it learned": _LINES.format("low"), "moves": "{moves:,}",
    },
    seed=f"1 to {RUNS}; judged with {SEED}",
    machine=f"{SETTINGS.iterations} iterations of {SETTINGS.population} x {GAMES} games; median and range of the runs, "
    "95 % intervals over runs",
)  # fmt: skip


def experiment(units: str, without: str) -> Experiment:
    """The runs in some units, with all features but one."""
    seen = [name for name in FEATURES if name != without]
    signs = [1 / UNITS[units].get(name, 1.0) for name in seen]
    name = f"{units}-without-{without or 'nothing'}"
    objective = Objective(seen, LOW, GAMES, signs=signs)
    return Experiment(name, "cma-es", SETTINGS, objective, curve=Curve(0), averaged=AVERAGED, runs=RUNS)


def judged(units: str, without: str, folder: Path | None) -> Record:
    """Train all runs, or read those that are over, and judge each: lines by board, and moves."""
    one = experiment(units, without)
    outcome = one.run(folder and folder / f"{one.name}.npz", resume=folder is not None, progress=False, threads=1)
    if not outcome.complete:
        raise SystemExit("interrupted")
    vectors = [outcome.learned(training) for training in outcome.trainings]
    lines = {
        board: [simulate(one.objective.player(x), rules, games, SEED, threads=1, progress=False).mean for x in vectors]
        for board, (rules, games) in JUDGING.items()
    }
    return {"units": units, "without": without, "lines": lines, "moves": [run.moves for run in outcome.trainings]}


def times(one: Floats, other: Floats, sd: float, freedom: int) -> dict[str, float]:
    """How many times the lines of others, with the 95 % interval."""
    found = ratio_to(other, one, sd, freedom)
    return {name: round(end, 3) for name, end in zip(("ratio", "low", "high"), found, strict=True)}


def records(found: Sequence[Record]) -> list[Record]:
    """The rows of the table."""
    logs = {(one["units"], one["without"]): np.log(one["lines"]["high"]) for one in found}
    sd, freedom = pooled_sd(list(logs.values()))
    print(f"runs alike spread by a factor of {exp(sd):.3f} ({freedom} freedoms)")
    rows = []
    for one in found:
        mine = logs[one["units"], one["without"]]
        extents = {
            board: {"median": round(median(lines)), "least": round(min(lines)), "most": round(max(lines))}
            for board, lines in one["lines"].items()
        }
        extents["high"] |= times(mine, logs["1", WHOLE], sd, freedom)
        rows.append({
            "units": SAID[one["units"]], "without": one["without"] or "nothing", "runs": len(mine), **extents,
            "within": times(mine, logs[one["units"], WHOLE], sd, freedom), "moves": round(median(one["moves"])),
        })  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", metavar="UNITS", help=f"{', '.join(UNITS)}; default: all")
    parser.add_argument("--runs", type=Path, metavar="FOLDER", help="where runs are kept")
    parser.add_argument("--save", action="store_true", help="store the table")
    options = parser.parse_args()
    chosen = [one_of("UNITS", units, UNITS) for units in options.units or UNITS]
    if options.runs is not None:
        options.runs.mkdir(parents=True, exist_ok=True)
    found = []
    for units, without in TRIED:
        if units in chosen:
            found.append(judged(units, without, options.runs))
            print(f"{units} {without}: {' '.join(f'{lines:,.0f}' for lines in found[-1]['lines']['high'])}", flush=True)
    if not options.units:
        for row in records(found):
            TABLE.add(row)
        if options.save:
            TABLE.save("scaling")


if __name__ == "__main__":
    main()
