"""Prints the README's table of what was learned beside what was published, from the stored outcomes.

With --standard, it lets the players learned on harder and on smaller games play 25 games on 10x20: ten minutes.
"""

from __future__ import annotations

import sys
from statistics import median

import tetriscourse as tc
from tetriscourse.cli.output import duration
from tetriscourse.inference import readable
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.experiments import curve_means, stored_results


def outcome(result) -> str:
    """What came out, in a few words."""
    judged = [
        f"{readable(one['mean'])} {one['score']} on {one['rules']} ({readable(one['low'])} to {readable(one['high'])})"
        for one in result["judged"]
        if one["player"] == "learned"
    ]
    means = curve_means(result)
    if judged:
        return "; ".join(judged)
    if len(means) == 1:
        return f"{readable(means[0])} lines"
    return f"{readable(min(means))} to {readable(max(means))} lines, median {readable(median(means))}"


def effort(result) -> str:
    """Runs, and games of an average run."""
    runs = result["runs"]
    return f"{len(runs)} x {sum(one['games'] for one in runs) / len(runs):,.0f} games"


def table() -> str:
    """All experiments with a stored outcome, as Markdown."""
    rows = ["| experiment | what it does | published | here | learned in | time |", "|---|---|---|---|---|---|"]
    results = stored_results()
    for name, one in EXPERIMENTS.items():
        if name in results:
            found = results[name]
            cells = (name, one.shows, one.published, outcome(found), effort(found), duration(found["seconds"]))
            rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def standard_game() -> None:
    """Boumaza's table 2: players learned on harder and on smaller games, on the standard game."""
    for name in ("boumaza-dn", "boumaza-dn-6x12"):
        result = tc.stored_result(name)
        player = tc.Player(result["features"], result["weights"], name)
        scores = tc.simulate(player, tc.RULES["research"], games=25, seed=2026)
        low, high = scores.interval()
        print(f"{name}: {scores.mean:,.0f} lines on 10x20, 95 %: {low:,.0f} to {high:,.0f} (25 games, seed 2026)")


if __name__ == "__main__":
    if "--standard" in sys.argv:
        standard_game()
    else:
        print(table())
