"""Policies in `tetriscourse learn`: their methods, their weights, and several runs of one."""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

import tetriscourse as tc
from tetriscourse.cli import arguments
from tetriscourse.cli.output import duration, in_rows
from tetriscourse.errors import one_of, readable


def is_policy(learner: Any) -> bool:
    """Whether it is a method of mdp/policies."""
    return any(isinstance(learner, one.method) for one in tc.POLICIES.values())


def described(one: Any) -> str:
    """A method in a line: what it does, who published it, and with which result."""
    published = f", published: {one.published}" if one.published else ""
    return f"{one.shows} ({one.source}{published})" if one.source else str(one.shows)


def came_out(name: str) -> str:
    """Our own result with a method, the median and range of five runs, and how long a run takes."""
    from tetriscourse.course.results import stored_table

    row = next(row for row in stored_table("policies").rows if row["name"] == name)
    lines = f"{row['small']} lines on 10x10, {row['large']} on 10x20"
    return f"here: {lines}; {row['moves']:,} moves, {duration(row['seconds'])}"


def policy_learner(options: argparse.Namespace, settings: Any) -> Any:
    """The learner that the options describe."""
    one = tc.POLICIES[options.method]
    changes = arguments.changed_settings(options, settings)
    options.rules = options.rules or one.changes.get("rules", one.method.rules)
    changes["rules"] = arguments.chosen_rules(options)
    if options.features is not None:
        changes["features"] = one_of("--features", options.features, tc.FEATURE_SETS)
    return one.learner(options.seed or 0, **changes)


def of_policy(learner: Any, method: str) -> dict[str, Any]:
    """The learned policy as plain data."""
    player = learner.player()
    return {
        "moves": learner.moves, "judged": learner.history["judged"].tolist(),
        "features": [one.name for one in player.features.features], "weights": list(player.weights),
        "published": tc.POLICIES[method].published,
    }  # fmt: skip


def rows_of_policy(data: dict[str, Any]) -> list[str]:
    """The published result, and the player as a line of Python."""
    weights = ", ".join(f"{weight:.4g}" for weight in data["weights"])
    rows = [("published", data["published"])] if data["published"] else []
    return [in_rows([*rows, ("the player", f"Player({data['features']}, [{weights}])")])]


def rows_of_runs(runs: list[dict[str, Any]]) -> str:
    """The lines of each run, and their median and range."""
    lines = sorted(run["mean"] for run in runs)
    rows = [
        (f"seed {run['seed']}", f"{readable(run['mean'])} lines ({readable(run['low'])} to {readable(run['high'])}), "
         f"{run['moves']:,} moves, {run['seconds']:.0f} s")
        for run in runs
    ]  # fmt: skip
    middle, ends = readable(median(lines)), f"{readable(lines[0])} to {readable(lines[-1])}"
    rows += [("median", f"{middle} lines, {ends}, {runs[0]['games']} games each on {runs[0]['game']}")]
    rows += [("published", runs[0]["published"])] if runs[0]["published"] else []
    return in_rows(rows)
