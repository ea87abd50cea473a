"""Races of chapter 09: how often a game leaves the range of Hoeffding's bound, and what a narrower range would do.

    python tests/benchmarks/racing_figures.py     some minutes; --save stores the tables for the notebooks

Boumaza takes scores to lie between a = 150 and b = 2,000 lines, in games with S and Z four times as often.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from scipy.stats import binomtest

import tetriscourse as tc
from tetriscourse.course.results import ResultTable

DEFAULT = tc.RacingSettings()
GAMES, SEED = 100_000, 1
RANGE = ResultTable(
    "python tests/benchmarks/racing_figures.py",
    {
        "rules": "{rules}", "S and Z": "{odds} each", "games": "{games:,}", "lines": "{mean:,.1f}",
        "95 % of the mean": "{mean_low:,.1f} to {mean_high:,.1f}", "above b": "{above:.3%}",
        "95 %": "{low:.3%} to {high:.3%}", "below a": "{below:.1%}",
    },
    seed=str(SEED),
)  # fmt: skip
RANGES, RUNS = (1850, 925, 462.5, 231.25, 115.625), 20
NARROWER = ResultTable(
    "python tests/benchmarks/racing_figures.py",
    {
        "R": "{R:,.4g}", "runs": "{runs}", "races decided": "{decided:.1%}", "games a run": "{games:,.0f}",
        "range": "{least:,} to {most:,}", "lines in the median run": "{median:,.0f}",
        "quartiles": "{low:,.0f} to {high:,.0f}",
    },
    seed="1",
)  # fmt: skip


def outside() -> None:
    """DN's games: how many clear more than b lines, and fewer than a."""
    for name, odds in (("hardest", "4/13"), ("harder", "3/11")):
        scores = tc.simulate(tc.PLAYERS["dn"], tc.RULES[name], GAMES, SEED, progress=False)
        above = int(np.sum(scores.lines > DEFAULT.high))
        interval = binomtest(above, GAMES).proportion_ci(method="wilson")
        mean_low, mean_high = scores.interval()
        RANGE.add({
            "rules": name, "odds": odds, "games": GAMES, "mean": round(scores.mean, 2), "mean_low": round(mean_low, 2),
            "mean_high": round(mean_high, 2), "above": above / GAMES, "low": round(interval.low, 6),
            "high": round(interval.high, 6), "below": float(np.mean(scores.lines < DEFAULT.low)),
        })  # fmt: skip


def narrower() -> None:
    """Races with Hoeffding bounds and a range of a half, a quarter, an eighth and a sixteenth."""
    base = tc.EXPERIMENTS["boumaza-race-hoeffding"]
    for R in RANGES:
        racing = replace(DEFAULT, bound="hoeffding", low=0.0, high=R)
        runs = replace(base, racing=racing, runs=RUNS).run(progress=False).trainings
        limits = np.array([run.log["race_limit"] for run in runs])
        games = [run.games for run in runs]
        low, median, high = np.quantile([run.log["curve"][-10:].mean() for run in runs], [0.25, 0.5, 0.75])
        NARROWER.add({
            "R": R, "runs": RUNS, "decided": round(float(np.mean(limits[:, 1:] < limits[:, :-1])), 4),
            "games": float(np.mean(games)), "least": min(games), "most": max(games), "median": round(median, 1),
            "low": round(low, 1), "high": round(high, 1),
        })  # fmt: skip


if __name__ == "__main__":
    outside()
    narrower()
    if "--save" in sys.argv:
        RANGE.save("racing-range")
        NARROWER.save("racing-narrower")
