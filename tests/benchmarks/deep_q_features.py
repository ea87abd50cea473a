"""Prints and stores what deep Q-learning reaches on 10x10: values of moves and of boards, features, kinds of learning.

    python tests/benchmarks/deep_q_features.py                              # all rows, an hour or so of one core
    python tests/benchmarks/deep_q_features.py "boards: DN's six; double"   # one row, a minute or two
    python tests/benchmarks/deep_q_features.py rivals                       # optimizers with as many moves, a minute

--save stores each row as soon as it is there, in place of an older one, for chapter 12 and notebooks/results.ipynb.
SteadyDeepQ goes the same way on every processor, so these figures do too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.deep_q.afterstates import OF_A_BOARD, AfterstateValues
from tetriscourse.mdp.deep_q.move_values import MoveValues
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.cross_entropy import CrossEntropy
from tetriscourse.optimizers.genetic import GeneticAlgorithm
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.training import Curve, Run
from tetriscourse.random_numbers import Floats
from tetriscourse.simulator import simulate
from tetriscourse.simulator.run import Pool

RULES, STEPS, GAMES, SEED = Rules(height=10), 20_000, 200, 2026
SEEDS, MORE_SEEDS = range(3), range(5)  # more where moves are compared with boards, and for the quick optimizers

Features = str | Sequence[str]
Changes = dict[str, Any]

OF_A_MOVE = ("landing_height", "eroded_cells")
FOUR = ("row_transitions", "column_transitions", "holes", "wells")
"""What Dellacherie's player sees of a board; of a move it sees the two above, and DN's sees the same two."""

SEEN: dict[str, tuple[type[MoveValues], Features]] = {
    "moves: TetrisBot's four": (MoveValues, "tetrisbot"),
    "moves: Dellacherie's six": (MoveValues, "dellacherie"),
    "moves: lines, Dellacherie's four of a board": (MoveValues, ("lines", *FOUR)),
    "moves: lines, DN's eight": (MoveValues, ("lines", *OF_A_MOVE, *OF_A_BOARD)),
    "moves: lines, DN's six of a board": (MoveValues, ("lines", *OF_A_BOARD)),
    "moves: lines, DN's six of a board, heights": (MoveValues, ("lines", *OF_A_BOARD, "sum_heights")),
    "boards: TetrisBot's three": (AfterstateValues, ("sum_heights", "holes", "bumpiness")),
    "boards: DN's six": (AfterstateValues, OF_A_BOARD),
    "boards: DN's six, heights": (AfterstateValues, (*OF_A_BOARD, "sum_heights")),
}
"""By name: what the network values, and the features that it sees."""
PLAIN: dict[str, Changes] = {"": {}}
SUM: dict[str, Changes] = {"no hidden layer": {"hidden": ()}}
REPAIRS: dict[str, Changes] = {"double": {"double": True}, "Huber's loss": {"loss": "huber"}}
COMPARED = ("moves: lines, DN's six of a board", "boards: DN's six")
"""The same eyes on moves and on boards: these rows have more seeds, and those with the repairs."""
ROWS: dict[tuple[str, str], Changes] = {
    (name, change): changes
    for names, kinds in ((SEEN, PLAIN), (SEEN, SUM), (COMPARED, REPAIRS))
    for name in names
    for change, changes in kinds.items()
}
LEARNED = ResultTable(
    "python tests/benchmarks/deep_q_features.py",
    {
        "the network values, and sees": "{name}", "changed": "{change}", "last network": "{last_mean:,.0f}",
        "runs": "{last_runs}", "network kept": "{kept_mean:,.0f}", "its runs": "{kept_runs}",
        "moves of judgement": "{judging:,.0f}",
    },
    seed="0 to 2 or 0 to 4",
)  # fmt: skip

BUDGETS = (30_000, 1_000_000)
"""Moves: those of a network's random and learning play, 10,000 and 20,000; and more than those with judgement."""
WEIGHED: dict[str, Features] = {
    "TetrisBot's four": "tetrisbot", "lines, DN's six of a board": ("lines", *OF_A_BOARD),
    "lines, DN's six of a board, heights": ("lines", *OF_A_BOARD, "sum_heights"),
    "Dellacherie's six": "dellacherie", "DN's eight": "dn",
}  # fmt: skip
OPTIMIZERS: dict[str, tuple[type[Optimizer], Changes]] = {
    "genetic algorithm": (GeneticAlgorithm, {"settings": "example-1", "iterations": 10**6}),
    "cross-entropy": (CrossEntropy, {"iterations": 10**6}),
    "CMA-ES": (CMAES, {"settings": "boumaza", "iterations": 10**6}),
}
RIVALS = ResultTable(
    "python tests/benchmarks/deep_q_features.py rivals",
    {
        "optimizer": "{name}", "weights for": "{features}", "moves at most": "{moves:,}",
        "mean lines": "{mean:,.0f}", "runs": "{runs}",
    },
    seed="0 to 4",
)  # fmt: skip


def judged(player: Any) -> float:
    """The mean lines of a player in the games that all are judged by."""
    return round(simulate(player, RULES, games=GAMES, seed=SEED, threads=1, progress=False).mean, 1)


def row_of(runs: Sequence[float], prefix: str = "") -> Record:
    """The scores of some runs, their mean, and both as text."""
    text = " ".join(f"{lines:,.0f}" for lines in runs)
    return {prefix + "lines": list(runs), prefix + "mean": round(sum(runs) / len(runs), 1), prefix + "runs": text}


# --- deep Q-learning ------------------------------------------------------------------------------


def learned(name: str, seed: int, changes: Changes) -> tuple[float, float, int]:
    """The lines of the last network and of the one that was kept, and the moves of all judgements."""
    problem, moves = SEEN[name][0](RULES, SEEN[name][1]), list[int]()

    def judge(network: Network, games: int, max_pieces: int, seed: int) -> float:
        """What the problem's own `judge` gives, and count the moves."""
        rules = replace(RULES, max_pieces=max_pieces)
        scores = simulate(problem.player(network), rules, games=games, seed=seed, threads=1, progress=False)
        moves.append(int(scores.pieces.sum()))
        return float(scores.lines.mean())

    problem.judge = judge  # type: ignore[method-assign]
    learner = SteadyDeepQ(problem, seed=seed, steps=STEPS, **changes).learn(progress=False)
    kept, last = learner.learned(), learner.last()
    lines = judged(problem.player(kept))
    if (last.theta == kept.theta).all():
        return lines, lines, sum(moves)
    return judged(problem.player(last)) if last.is_finite else 0.0, lines, sum(moves)


def seeds_of(name: str, change: str) -> range:
    """The seeds of a row."""
    return MORE_SEEDS if name.startswith(COMPARED) and change not in REPAIRS else SEEDS


def learned_row(name: str, change: str) -> Record:
    """A row of the table: as many runs as there are seeds."""
    runs = [learned(name, seed, ROWS[name, change]) for seed in seeds_of(name, change)]
    last, kept, judging = zip(*runs, strict=True)
    return {"name": name, "change": change, **row_of(last, "last_"), **row_of(kept, "kept_"), "judging": max(judging)}


# --- the optimizers of chapters 07 to 09 ----------------------------------------------------------


def favourites(optimizer: Optimizer, objective: Objective) -> list[Floats]:
    """The favourite after the last iteration within each budget of moves."""
    found, run = [], Run(optimizer, objective, None, Curve(0))
    run.prepare()
    with Pool(workers=1) as pool:
        for budget in BUDGETS:
            while run.result.moves <= budget:
                favourite = optimizer.favourite.copy()
                run.step(pool)
            found.append(favourite)
    return found


def rival_rows(name: str, seen: str) -> list[Record]:
    """A row for each budget."""
    kind, changes = OPTIMIZERS[name]
    objective = Objective(WEIGHED[seen], RULES, signs="usual" if kind is GeneticAlgorithm else ())
    runs = [favourites(kind(objective.dimension, seed=seed, **changes), objective) for seed in MORE_SEEDS]
    scores = [[judged(objective.player(one)) for one in favourites] for favourites in zip(*runs, strict=True)]
    return [
        {"name": name, "features": seen, "moves": budget, **row_of(lines)}
        for budget, lines in zip(BUDGETS, scores, strict=True)
    ]


# --- tables ---------------------------------------------------------------------------------------


def keep(table: ResultTable, name: str, keys: Sequence[str], record: Record, order: Sequence[tuple[Any, ...]]) -> None:
    """Store a row in place of the older one, in the order of the script."""
    rows = {tuple(row[key] for key in keys): row for row in (stored_table(name).rows if name in table_names() else [])}
    rows[tuple(record[key] for key in keys)] = record
    replace(table, rows=[rows[one] for one in order if one in rows]).save(name)


def main(names: Sequence[str], save: bool) -> None:
    """The rows that are asked for."""
    for name, change in ROWS:
        if not names or (f"{name}; {change}" if change else name) in names:
            LEARNED.add(record := learned_row(name, change))
            if save:
                keep(LEARNED, "deep-q-features", ("name", "change"), record, list(ROWS))
    order = [(name, seen, moves) for name in OPTIMIZERS for seen in WEIGHED for moves in BUDGETS]
    for name in OPTIMIZERS if not names or "rivals" in names else ():
        for seen in WEIGHED:
            for record in rival_rows(name, seen):
                RIVALS.add(record)
                if save:
                    keep(RIVALS, "deep-q-rivals", ("name", "features", "moves"), record, order)


if __name__ == "__main__":
    main([word for word in sys.argv[1:] if word != "--save"], "--save" in sys.argv)
