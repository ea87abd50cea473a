"""Prints what a search for features chose, round by round, and whether that beats what people chose, as tables.

    python tests/benchmarks/feature_search_figures.py
    python tests/benchmarks/feature_search_figures.py --save
    python tests/benchmarks/feature_search_figures.py compare --save

The first word says which table: rounds or compare; without it, both. `compare` takes the features that were found from
the stored table of rounds. --save stores the tables for notebooks/results.ipynb. --checkpoint FILE keeps the search in
a file, and goes on with it if it is there.
"""

from __future__ import annotations

import sys
from statistics import median

import numpy as np

import tetriscourse as tc
from tetriscourse.cli.find_features import finite
from tetriscourse.course.results import Record, ResultTable, stored_table
from tetriscourse.optimizers.search_rounds import Rival, SearchRound
from tetriscourse.optimizers.spreads import spreads

BOARD, SEARCH_SEED, MOST_ROUNDS = "10x6", 1, 12
RUNS, ITERATIONS, POPULATION, GAMES, LAST = 3, 60, 16, 20, 15
"""The budget of each set in the comparison, and how many of a run's last favourites make its player."""
JUDGES, LOW_JUDGES, JUDGING_SEED = 400, 2000, 4711

ROUNDS = ResultTable(
    "python tests/benchmarks/feature_search_figures.py rounds",
    {
        "round": "{round}", "accepted": "{accepted}", "lines": "{lines:,.1f}", "control": "{control:,.1f}",
        "the last addition": "{addition}", "the last drop": "{drop}", "contenders": "{contenders}",
        "games": "{games:,}",
    },
    seed=f"{SEARCH_SEED}, {BOARD}",
)  # fmt: skip
COMPARED = ResultTable(
    "python tests/benchmarks/feature_search_figures.py compare",
    {
        "features": "{name}", "number": "{number}", "chosen by": "{who}", f"lines on {BOARD}": "{low}",
        "lines on 10x10": "{high}", "found / this": "{ratio}",
    },
    seed=f"runs 1 to {RUNS}, judges {JUDGING_SEED}",
)  # fmt: skip
SETS = {
    "found": "this search", "rv-ce": "RV-CE 2026, after Gabillon et al. 2013", "dn": "Thiery and Scherrer 2009",
    "champion": "this project",
}  # fmt: skip
PUBLISHED = ("rv-ce", "champion-10x10")


def rounds(checkpoint: str | None) -> None:
    """The search itself."""
    search = tc.FeatureSearch(BOARD, seed=SEARCH_SEED, rounds=MOST_ROUNDS)
    search.run(checkpoint, resume=checkpoint is not None)
    for number, one in enumerate(search.history):
        ROUNDS.add(record(number + 1, one))
    if search.interrupted:
        raise SystemExit(search)


def record(number: int, one: SearchRound) -> Record:
    """A round as a row of the table."""
    return finite({
        "round": number, "accepted": one.change or "none", "lines": one.lines, "control": one.control,
        "addition": said(one.addition), "drop": said(one.drop), "contenders": one.contenders, "games": one.games,
        "features": list(one.features),
    })  # fmt: skip


def said(one: Rival | None) -> str:
    """A change that met the control: its lines as a share of the control's."""
    return "" if one is None else f"{one[0]}: {one[1]:.3g} ({one[2]:.3g} to {one[3]:.3g})"


def compare() -> None:
    """Every set trained from zero with one budget, its players judged on a higher board; then published players."""
    found = stored_table("feature-search").rows[-1]["features"]
    scores: dict[str, tc.Scores] = {}
    for name, who in SETS.items():
        features = tc.as_feature_set(found if name == "found" else name)
        players = [trained(features, seed) for seed in range(1, RUNS + 1)]
        COMPARED.add(row(name, len(features.features), who, players, scores))
    for name in PUBLISHED:
        one = tc.PLAYERS[name]
        COMPARED.add(row(f"{name}, its own weights", len(one.features.features), "", [one], scores))


def trained(features: tc.FeatureSet, seed: int) -> tc.Player:
    """A run from zero, in units of the spreads like the search; the player is the mean of its last favourites."""
    names = [one.name for one in features.features]
    known = spreads(names, tc.as_rules(BOARD))
    objective = tc.Objective(features, BOARD, GAMES, signs=[1 / known[one] for one in names])
    optimizer = tc.CMAES(len(names), seed=seed, iterations=ITERATIONS, population=POPULATION, normalise=True)
    tc.train(optimizer, objective, progress=False, curve=0)
    return objective.player(np.mean(optimizer.history["favourite"][-LAST:], axis=0))


def row(name: str, number: int, who: str, players: list[tc.Player], scores: dict[str, tc.Scores]) -> Record:
    """A feature set as a row: its players on both boards, and those of the found set beside them on common pieces."""
    low = [tc.simulate(one, BOARD, LOW_JUDGES, JUDGING_SEED, progress=False).mean for one in players]
    high = [tc.simulate(one, "10x10", JUDGES, JUDGING_SEED, progress=False) for one in players]
    means = [one.mean for one in high]
    # The lines of a game are those that the players of a set clear together, with as many players in each set.
    lines = sum(one.lines for one in high) * (RUNS // len(players))
    scores[name] = tc.Scores.of(lines, player=name, rules="10x10", seed=JUDGING_SEED)
    found = tc.compare(scores["found"], scores[name])
    return {
        "name": name, "number": number, "who": who,
        "low": spread(low, 1), "high": spread(means, 0), "mean": sum(means) / len(means),
        "ratio": "" if name == "found" else f"{found.ratio:.3g} ({found.low:.3g} to {found.high:.3g})",
    }  # fmt: skip


def spread(values: list[float], digits: int) -> str:
    """The median and the range of some means."""
    middle, low, high = (f"{one:,.{digits}f}" for one in (median(values), min(values), max(values)))
    return middle if len(values) == 1 else f"{middle} ({low} to {high})"


def main() -> None:
    words = sys.argv[1:]
    if "compare" not in words:
        rounds(words[words.index("--checkpoint") + 1] if "--checkpoint" in words else None)
        if "--save" in words:
            ROUNDS.save("feature-search")
    if "rounds" not in words:
        compare()
        if "--save" in words:
            COMPARED.save("feature-search-compared")


if __name__ == "__main__":
    main()
