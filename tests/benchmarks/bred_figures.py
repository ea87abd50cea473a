"""The best player of all runs of the genetic examples, judged three times, since the best of many is lucky.

    python tests/benchmarks/bred_figures.py     about seven minutes; --save stores the table for the notebooks

The five best of 100 games play 400 new ones. The best of these plays 1,600 more, and only their mean is its figure.
"""

from __future__ import annotations

import sys

import tetriscourse as tc
from tetriscourse.course.results import Record, ResultTable
from tetriscourse.optimizers.experiments import judged_runs, stored_results
from tetriscourse.optimizers.outcomes import JUDGING_SEED
from tetriscourse.statistics import Scores

AGAIN, FINAL = (400, JUDGING_SEED + 1), (1600, JUDGING_SEED + 2)  # games and seed
TABLE = ResultTable(
    "python tests/benchmarks/bred_figures.py",
    {
        "run": "{name}, run {run}", "chosen for": "{chosen}", "points when chosen": "{claimed:,.0f}",
        "new games": "{games:,}", "seed": "{seed}", "points": "{mean:,.0f}",
        "95 % interval": "{low:,.0f} to {high:,.0f}", "lines": "{lines:,.0f}",
    },
)  # fmt: skip


def bred() -> list[Record]:
    """The player of each run of each example, the best of its 100 games first."""
    found = [
        {"name": name, "run": number, "claimed": mean, "vector": run["favourite"]}
        for name, result in stored_results().items() if name.startswith("genetic-")
        for number, (run, mean) in enumerate(zip(result["runs"], judged_runs(result), strict=True), 1)
    ]  # fmt: skip
    return sorted(found, key=lambda one: -one["claimed"])


def player(one: Record) -> tc.Player:
    """The player of a run."""
    a, b, c, d = one["vector"]
    return tc.Player("tetrisbot", (a, -b, -c, -d))


def judged(one: Record, chosen: str, games: int, seed: int) -> Record:
    """A row: what a player was chosen for, and what it does in new games."""
    scores: Scores = tc.simulate(player(one), tc.RULES["tetrisbot"], games, seed, progress=False, threads=1)
    low, high = scores.interval(of="points")
    row = one | {
        "chosen": chosen, "games": games, "seed": seed, "mean": round(scores.mean_points), "low": round(low),
        "high": round(high), "lines": round(scores.mean),
    }  # fmt: skip
    TABLE.add(row)
    return row


def main() -> None:
    """The five best again, then the best of these once more."""
    runs = bred()
    again = [judged(one, f"one of the best five of {len(runs)} runs", *AGAIN) for one in runs[:5]]
    best = max(again, key=lambda row: row["mean"])
    judged(best | {"claimed": best["mean"]}, "the best of these five", *FINAL)


if __name__ == "__main__":
    main()
    if "--save" in sys.argv:
        TABLE.save("bred")
