"""Players on the way to the champions: python tests/benchmarks/record_tries.py [--save]

Single runs and their means, after all of their iterations and after fewer, in the games in which the champion was
judged, and in games of other seeds; the first run of 10x10 also in those of 2026, at which one had looked twice, after
40 iterations and after 100. All players come from the stored outcomes. It takes some minutes.
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
        "runs of": "{experiment}", "which": "{runs}", "iterations": "{iterations}", "judged on": "{rules}",
        "games": "{games:,}", "seed": "{seed}", "lines": "{mean}", "95 %": "{low} to {high}", "taken": "{taken}",
    },
)  # fmt: skip
TRIED = {  # iterations of the last stage, and seeds of the games
    "record-10x10-runs": {40: (2027,), 100: (2027, 2028)},
    "record-10x20": {40: (2026, 2027)},
}
LOOKED_AT_TWICE = ("record-10x10-runs", "1", 2026)  # the runs and games of the first judgements
TAKEN = (("record-10x10-runs", "1", 100), ("record-10x20", "mean of 2", 40))


def tries(name: str, iterations: int) -> Iterator[tuple[str, tc.Player]]:
    """The players that the stored runs give after so many iterations, each alone, and their mean."""
    averaged, found = tc.EXPERIMENTS[name].averaged, []
    for number, run in enumerate(tc.stored_result(name)["runs"], 1):
        found.append(mean_vector(run["history"]["favourite"][:iterations][-averaged:]))
        yield str(number), tc.Player("champion", found[-1], f"{name}, run {number}")
    yield f"mean of {len(found)}", tc.Player("champion", mean_vector(np.array(found)), f"{name}, mean")


def main() -> None:
    for name, judged in TRIED.items():
        judgement = tc.EXPERIMENTS[name].judgements[0]
        for iterations, seeds in judged.items():
            for runs, player in tries(name, iterations):
                first = LOOKED_AT_TWICE[2:] if (name, runs) == LOOKED_AT_TWICE[:2] else ()
                for seed in (*first, *seeds):
                    scores = tc.simulate(player, judgement.rules, judgement.games, seed, progress=False)
                    mean, low, high = map(readable, (scores.mean, *scores.interval()))
                    TABLE.add({
                        "experiment": name, "runs": runs, "iterations": iterations, "games": judgement.games,
                        "rules": short_name(judgement.rules), "seed": seed, "mean": mean, "low": low, "high": high,
                        "taken": "yes" if (name, runs, iterations) in TAKEN else "",
                    })  # fmt: skip
    if "--save" in sys.argv:
        TABLE.save(NAME)


if __name__ == "__main__":
    main()
