"""Prints what the methods of mdp/policies reach, as a table in Markdown: five seeds each, judged on games of their own.

    python tests/benchmarks/policies_figures.py lambda-pi cbmpi
    python tests/benchmarks/policies_figures.py --save

Without names, all methods. --save stores the table for notebooks/results.ipynb; the rows of other methods stay in it.
Times are of one core, and those of the machine that runs it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from statistics import median
from typing import Any

from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.game.rules import RULES, Rules, short_name
from tetriscourse.inference import readable
from tetriscourse.mdp.policies.catalogue import POLICIES
from tetriscourse.simulator import simulate

NAME, SEEDS, SEED = "policies", (0, 1, 2, 3, 4), 2026
GAMES, FEWER = 50, 10  # games of a run on 10x10, and on 10x20, where they can be a thousand times as long
TABLE = ResultTable(
    "python tests/benchmarks/policies_figures.py",
    {
        "method": "{name}", "published": "{published}", "game": "{game}", "lines there": "{there}",
        "lines on 10x10": "{small}", "lines on 10x20": "{large}", "moves": "{moves:,}", "seconds": "{seconds}",
        "command": "`{command}`",
    },
    seed=str(SEED),
    machine=f"one core; median and range of five runs, in {GAMES} games each on 10x10 and {FEWER} on 10x20",
)  # fmt: skip


def lines(player: Any, rules: Rules, games: int = GAMES) -> float:
    """The mean lines of whole games."""
    return float(simulate(player, rules, games=games, seed=SEED, progress=False).mean)


def spread(values: list[float]) -> str:
    """The median and the range."""
    middle, low, high = map(readable, (median(values), min(values), max(values)))
    return f"{middle} ({low} to {high})"


def figures(name: str) -> Record:
    """Five runs of a method."""
    one, learners, seconds = POLICIES[name], [], []
    for seed in SEEDS:
        start, learner = time.process_time(), one.learner(seed)
        learners.append(learner.learn(progress=False))
        seconds.append(time.process_time() - start)
    rules = learners[0].source.rules
    games = {"there": (rules, FEWER if rules.height == 20 else GAMES), "small": (RULES["10x10"], GAMES)}
    found = {
        key: [lines(learner.player(), *game) for learner in learners]
        for key, game in {**games, "large": (RULES["research"], FEWER)}.items()
    }
    return {
        "name": name, "published": one.published, "game": short_name(rules),
        **{key: spread(values) for key, values in found.items()},
        "moves": round(median(learner.moves for learner in learners)), "seconds": round(median(seconds)),
        "command": f"tetriscourse learn {name} --seeds {len(SEEDS)}",
    }  # fmt: skip


def main() -> None:
    words = sys.argv[1:]
    names = [word for word in words if word in POLICIES] or list(POLICIES)
    for name in names:
        TABLE.add(figures(name))
        if "--save" in words:
            before = stored_table(NAME).rows if NAME in table_names() else []
            rows = {row["name"]: row for row in [*before, *TABLE.rows]}
            replace(TABLE, rows=[rows[each] for each in POLICIES if each in rows]).save(NAME)


if __name__ == "__main__":
    main()
