"""Prints the README's table of what was learned beside what was published, from the stored outcomes."""

from __future__ import annotations

from statistics import median

from tetriscourse.distributions import readable
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.command import curve_means, duration
from tetriscourse.optimizers.experiments import stored_results


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


if __name__ == "__main__":
    print(table())
