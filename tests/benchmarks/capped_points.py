"""Points of 500 pieces and of whole games, of the players that Muller and Ponton published and of ours.

    python tests/benchmarks/capped_points.py     about half a minute; --save stores it for notebooks/results.ipynb
"""

from __future__ import annotations

import sys
from dataclasses import replace

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.optimizers.experiments import stored_results

WHOLE = tc.RULES["tetrisbot"]
CAPPED = replace(WHOLE, max_pieces=500)


def players():
    """Published ones, then the learned ones, by example."""
    results = stored_results()
    for number in range(1, 8):
        yield f"published {number}", tc.PLAYERS["tetrisbot" if number == 7 else f"tetrisbot-{number}"]
    for number in range(1, 8):
        yield f"learned {number}", tc.Player("tetrisbot", results[f"genetic-{number}"]["weights"])


if __name__ == "__main__":
    table = ResultTable(
        "python tests/benchmarks/capped_points.py",
        {
            "player of example": "{player}", "points in 500 pieces (4,000 games)": "{capped:,.0f}",
            "points in a whole game (400 games)": "{whole:,.0f}",
        },
        seed="2026",
    )  # fmt: skip
    for name, player in players():
        capped, whole = tc.simulate(player, CAPPED, 4000, seed=2026), tc.simulate(player, WHOLE, 400, seed=2026)
        table.add({"player": name, "capped": round(capped.mean_points), "whole": round(whole.mean_points)})
    if "--save" in sys.argv:
        table.save("capped-points")
