"""Prints what direct policy iteration and CBMPI have after each round, for chapter 14, as two tables in Markdown.

    python tests/benchmarks/policy_rounds_figures.py horizons    # on 4x4, valued exactly: rollouts of different lengths
    python tests/benchmarks/policy_rounds_figures.py rounds      # on 10x10: round after round, in the same games
    python tests/benchmarks/policy_rounds_figures.py rounds --save

Each takes two or three minutes of one core.
"""

from __future__ import annotations

import sys
from statistics import mean, median, stdev
from typing import Any

from tetriscourse.course.results import Record, ResultTable
from tetriscourse.errors import readable
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.exact.player_values import exact_value
from tetriscourse.mdp.policies.classification import CBMPI, DPI
from tetriscourse.simulator import simulate

SEED, GAMES, ROUNDS = 2026, 100, 8
METHODS: dict[str, type[DPI]] = {"dpi": DPI, "cbmpi": CBMPI}

HORIZONS, STATES, EARLY = (0, 1, 2, 5, 10, 20), 200, 2  # moves of a rollout; states; rounds that are left out of means
HORIZON_TABLE = ResultTable(
    "python tests/benchmarks/policy_rounds_figures.py horizons",
    {
        "horizon": "{horizon}", "method": "{method}", "lines on 4x4": "{mean:.2f} ± {error:.2f}",
        "least run": "{low:.2f}", "best run": "{high:.2f}",
    },
    seed="0 to 9",
    machine=f"{STATES} states a round; exact values, the mean of rounds {EARLY + 1} to {ROUNDS} of ten runs ± 2 s/√n",
)  # fmt: skip
ROUND_TABLE = ResultTable(
    "python tests/benchmarks/policy_rounds_figures.py rounds",
    {"method": "{method}", "states": "{states:,}", "moves a round": "{moves:,}"}
    | {f"round {k + 1}": f"{{at[{k}]}}" for k in range(ROUNDS)},
    seed=f"0 to 4; judged with {SEED}",
    machine=f"lines on 10x10, {GAMES} games; median and range of five runs",
)


def horizon_row(method: str, horizon: int, seeds: int = 10) -> Record:
    """Exact values of the policies of some runs on 4x4."""
    found = []
    for seed in range(seeds):
        learner = METHODS[method]("4x4", "dt", seed=seed, states=STATES, horizon=horizon, judge_games=0)
        values = [after_round(learner, lambda player: exact_value(player, "4x4", progress=False).start)
                  for _ in range(ROUNDS)]  # fmt: skip
        found.append(mean(values[EARLY:]))
    error = 2 * stdev(found) / len(found) ** 0.5
    return {
        "method": method, "horizon": horizon, "mean": round(mean(found), 4), "error": round(error, 4),
        "low": round(min(found), 4), "high": round(max(found), 4),
    }  # fmt: skip


def round_row(method: str, states: int, seeds: int = 5) -> Record:
    """Lines on 10x10 after each round of some runs."""
    runs, moves = [], list[float]()
    for seed in range(seeds):
        learner = METHODS[method]("10x10", "dt", seed=seed, states=states, judge_games=0)
        runs.append([after_round(learner, lines) for _ in range(ROUNDS)])
        moves.append(learner.moves / ROUNDS)
    columns = [sorted(values) for values in zip(*runs, strict=True)]
    at = [f"{readable(median(one))} ({readable(one[0])} to {readable(one[-1])})" for one in columns]
    return {"method": method, "states": states, "moves": round(median(moves)), "at": at, "runs": runs}


def after_round(learner: Any, judged: Any) -> float:
    """What the policy is worth after one more round."""
    learner.advance()
    return float(judged(learner.source.player(learner.policy(), "judged")))


def lines(player: Any) -> float:
    """The mean lines of whole games."""
    return round(simulate(player, RULES["10x10"], GAMES, seed=SEED, threads=1, progress=False).mean, 1)


def main() -> None:
    words = sys.argv[1:]
    if "rounds" not in words:
        for horizon in HORIZONS:
            for method in METHODS:
                HORIZON_TABLE.add(horizon_row(method, horizon))
        if "--save" in words:
            HORIZON_TABLE.save("policy-horizons")
    if "horizons" not in words:
        for states in (500, 5000):
            for method in METHODS:
                ROUND_TABLE.add(round_row(method, states))
        if "--save" in words:
            ROUND_TABLE.save("policy-rounds")


if __name__ == "__main__":
    main()
