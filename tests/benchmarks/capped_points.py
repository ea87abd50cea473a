"""What the genetic examples come to when points or lines of 500 pieces decide, beside the players that were printed.

    python tests/benchmarks/capped_points.py     some minutes; --save stores it for the notebooks
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.optimizers.experiments import judged_runs, stored_result
from tetriscourse.statistics import agree

SEED, GAMES = 2026, 4000
CAPPED = replace(tc.RULES["tetrisbot"], max_pieces=500)
RELATIVE = 0.2  # of a mean of 100 games, theirs and ours
TABLE = ResultTable(
    "python tests/benchmarks/capped_points.py",
    {
        "example": "{example}", "bred on": "{score}",
        "points in 500 pieces, printed player": "{capped_theirs:,.0f}",
        "ours, median of 12": "{capped:,.0f} ({capped_least:,.0f} to {capped_most:,.0f})",
        "points in a whole game, printed": "{printed:,.0f}",
        "ours, median of 12 runs": "{whole:,.0f} ({least:,.0f} to {most:,.0f})",
        "runs that agree": "{near} of {runs}",
    },
    seed=str(SEED),
)  # fmt: skip
SETTINGS = [(1, "lines"), *((example, score) for example in range(2, 8) for score in ("points", "lines"))]


def experiment(example: int, score: str) -> str:
    """The experiment that breeds an example on a score; the second is the first on points."""
    if example <= 2:
        return "genetic-1" if score == "lines" else "genetic-2"
    return f"genetic-{example}" + "-lines" * (score == "lines")


def capped_points(player: tc.Player) -> float:
    """Points of games that are broken off after 500 pieces."""
    return tc.simulate(player, CAPPED, GAMES, seed=SEED, progress=False, threads=1).mean_points


def main() -> None:
    """A row for each example and score."""
    for example, score in SETTINGS:
        result = stored_result(experiment(example, score))
        vectors = [np.array(run["favourite"]) * (1, -1, -1, -1) for run in result["runs"]]
        capped = [capped_points(tc.Player("tetrisbot", vector)) for vector in vectors]
        theirs, means = capped_points(tc.PLAYERS[f"tetrisbot-{example}"]), judged_runs(result)
        printed = float(tc.EXPERIMENTS[f"genetic-{example}"].published.split()[0].replace(",", ""))
        TABLE.add({
            "example": example, "score": score, "capped_theirs": round(theirs), "capped": round(np.median(capped)),
            "capped_least": round(min(capped)), "capped_most": round(max(capped)), "printed": round(printed),
            "whole": round(np.median(means)), "least": round(min(means)), "most": round(max(means)),
            "near": sum(bool(agree(printed, RELATIVE, mean, RELATIVE)) for mean in means), "runs": len(means),
            "all_capped": [round(one) for one in capped],
        })  # fmt: skip


if __name__ == "__main__":
    main()
    if "--save" in sys.argv:
        TABLE.save("capped-points")
