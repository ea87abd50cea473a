"""Scores as a short table, or as one JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite

from tetriscourse.cli.output import in_rows
from tetriscourse.errors import readable
from tetriscourse.game.rules import Scoring, short_name
from tetriscourse.statistics import Scores, interval_method


def as_json(scores: Scores) -> str:
    """All games and their summary as one JSON object; null where a number is not finite."""
    method = interval_method(scores)
    low, high = scores.interval(method=method)
    low_points, high_points = scores.interval(of="points", method=method)
    numbers = {
        "mean": scores.mean, "low": low, "high": high,
        "mean_points": scores.mean_points, "low_points": low_points, "high_points": high_points,
        "moves_per_second": scores.moves_per_second,
    }  # fmt: skip
    found = {
        "player": scores.player, "rules": asdict(scores.rules), "seed": scores.seed, "games": len(scores),
        **{name: value if isfinite(value) else None for name, value in numbers.items()},
        "interval": method, "threads": scores.threads, "interrupted": scores.interrupted,
        "lines": scores.lines.tolist(), "pieces": scores.pieces.tolist(), "points": scores.points.tolist(),
        "finished": scores.finished.tolist(),
    }  # fmt: skip
    return json.dumps(found, allow_nan=False)


def as_table(scores: Scores) -> str:
    """The summary as a short table."""
    rows = [("player", scores.player), ("rules", short_name(scores.rules))]
    rows += [("games", f"{len(scores)}, seed {scores.seed}")]
    rows += [("mean lines", mean_row(scores, "lines"))]
    rows += [("mean points", mean_row(scores, "points"))] if scores.rules.scoring is not Scoring.LINES else []
    if len(scores):
        rows += [("mean pieces", f"{scores.mean_of('pieces'):,.1f}")]
        rows += [("shortest", f"{scores.lines.min():,} lines"), ("longest", f"{scores.lines.max():,} lines")]
    if not scores.finished.all():
        rows += [("to the end", to_the_end(scores))]
    return in_rows(rows)


def mean_row(scores: Scores, of: str) -> str:
    """A mean with its interval."""
    method, mean = interval_method(scores), readable(scores.mean_of(of))
    low, high = (readable(bound) for bound in scores.interval(of=of, method=method))
    if method == "normal":
        return f"{mean}, 95 %: {low} to {high} (from the sd: some games were cut off)"
    return f"{mean}, 95 %: {low} to {high} (exact), +/- {200 / len(scores) ** 0.5:.0f} % (2/sqrt(N))"


def to_the_end(scores: Scores) -> str:
    """An estimate for whole games, from games that were cut off."""
    ended, (low, high) = int(scores.finished.sum()), scores.interval()
    if not ended:
        return f"no game ended, so there is no estimate (if exponential, the 95 % interval starts at {readable(low)})"
    return (
        f"about {readable(scores.exponential_mean)} lines, 95 %: {readable(low)} to {readable(high)} "
        f"if exponential ({ended} of {len(scores)} games ended)"
    )
