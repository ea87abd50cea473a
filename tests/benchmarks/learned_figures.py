"""Prints what was learned beside what was published, from the stored outcomes of training.

With --standard, it lets players learned on harder and on smaller games play 25 games on 10x20: a quarter of an hour;
--save stores these for notebooks/results.ipynb.
"""

from __future__ import annotations

import sys

import tetriscourse as tc
from tetriscourse.course.results import ResultTable, learned_table

STANDARD = ResultTable(
    "python tests/benchmarks/learned_figures.py --standard",
    {
        "experiment": "{name}", "rules": "{rules}", "games": "{games}", "mean": "{mean:,.1f} million lines",
        "95 % interval": "{low:,.1f} to {high:,.1f} million", "published": "{published}",
    },
    seed="2026",
)  # fmt: skip


def standard_game() -> None:
    """Boumaza's tables 1 and 2: players learned on harder and on smaller games, on the standard game."""
    published_means = {"boumaza-dn": "36.3 million", "boumaza-dn-6x12": "17 million", "boumaza-d": "16.6 million"}
    for name, published in published_means.items():
        result = tc.stored_result(name)
        player = tc.Player(result["features"], result["weights"], name)
        scores = tc.simulate(player, tc.RULES["research"], games=25, seed=2026)
        mean, low, high = (round(one / 1e6, 1) for one in (scores.mean, *scores.interval()))
        STANDARD.add({
            "name": name, "rules": "research", "games": 25, "mean": mean, "low": low, "high": high,
            "published": published,
        })  # fmt: skip


if __name__ == "__main__":
    if "--standard" in sys.argv:
        standard_game()
        if "--save" in sys.argv:
            STANDARD.save("harder-or-smaller")
    else:
        print(learned_table())
