"""Players on the way to the champions, beside those that were taken: python tests/benchmarks/record_tries.py [--save]

Single runs and their means, after all of their iterations and after fewer, judged in the same games as the champion
of the board; all players come from the stored outcomes. It takes some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import ResultTable
from tetriscourse.errors import readable
from tetriscourse.game.rules import short_name
from tetriscourse.optimizers.objectives import mean_vector

NAME = "record-tries"
TABLE = ResultTable(
    "python tests/benchmarks/record_tries.py",
    {
        "experiment": "{experiment}", "runs": "{runs}", "iterations": "{iterations}", "judged on": "{rules}",
        "games": "{games:,}", "lines": "{mean}", "95 %": "{low} to {high}", "taken": "{taken}",
    },
    seed="2028 on 10x10, 2026 on 10x16",
)  # fmt: skip
ITERATIONS = {"record-10x10-runs": (40, 100), "record-10x10": (50,), "record-10x20": (40,)}
CHAMPIONS = ("record-10x10", "record-10x20")


def tries(name: str) -> Iterator[tuple[str, int, tc.Player]]:
    """Every player that the stored runs give: which runs, after how many iterations, and the player."""
    one, stored = tc.EXPERIMENTS[name], tc.stored_result(name)
    for done in ITERATIONS[name]:
        found = []
        for number, run in enumerate(stored["runs"], 1):
            found.append(mean_vector(run["history"]["favourite"][:done][-one.averaged :]))
            yield str(number), done, tc.Player("champion", found[-1], f"{name}, run {number}")
        if len(found) > 1:
            yield f"mean of {len(found)}", done, tc.Player("champion", mean_vector(np.array(found)), f"{name}, mean")


def main() -> None:
    for name in ITERATIONS:
        judgement = tc.EXPERIMENTS[name.removesuffix("-runs")].judgements[0]
        players = list(tries(name))
        for runs, done, player in players:
            scores = tc.simulate(player, judgement.rules, judgement.games, judgement.seed, progress=False)
            mean, low, high = map(readable, (scores.mean, *scores.interval()))
            TABLE.add({
                "experiment": name, "runs": runs, "iterations": done, "rules": short_name(judgement.rules),
                "games": judgement.games, "mean": mean, "low": low, "high": high,
                "taken": "yes" if name in CHAMPIONS and player is players[-1][-1] else "",
            })  # fmt: skip
    if "--save" in sys.argv:
        TABLE.save(NAME)


if __name__ == "__main__":
    main()
