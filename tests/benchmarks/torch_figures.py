"""Prints and stores what deep Q-learning with PyTorch comes to, beside ours: values of boards, by features or cells.

    pip install "tetriscourse[torch]"
    python tests/benchmarks/torch_figures.py --save               all runs, ten minutes or so of one core
    python tests/benchmarks/torch_figures.py ours --save          one kind of learner
    python tests/benchmarks/torch_figures.py --save --seconds=200 begins no further run after so many seconds

--save stores each run as soon as it is over, and goes on with those that are missing. Our runs are the same on every
processor, and PyTorch's with our weights and our rounding were the same as ours; the others are not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.deep_q.afterstate_cells import AfterstateCells
from tetriscourse.mdp.deep_q.afterstates import OF_A_BOARD, AfterstateValues
from tetriscourse.mdp.deep_q.in_torch import TorchDeepQ, convolutional, dense
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.simulator import simulate

STEPS, SEED = 20_000, 2026
GAMES = {"10x10": 200, "5x5": 1_000}  # of judgement in the end
SEEN = (*OF_A_BOARD, "sum_heights")  # of chapter 12, those with which a network of boards did best
Make = Callable[[str, int], DeepQ]


def by_features(kind: type[DeepQ], **changes: Any) -> Make:
    """A learner that sees features of boards."""
    return lambda board, seed: kind(AfterstateValues(board, SEEN), seed=seed, steps=STEPS, **changes)


def by_cells(made: Callable[[int, int], Any]) -> Make:
    """A learner of PyTorch that sees cells, with a network made for the width and the height of the board."""

    def make(board: str, seed: int) -> DeepQ:
        width, height = RULES[board].width, RULES[board].height
        return TorchDeepQ(AfterstateCells(board), seed=seed, network=lambda: made(width, height), steps=STEPS)

    return make


@dataclass(frozen=True)
class Kind:
    """A way to learn."""

    sees: str
    make: Make
    seeds: dict[str, int]  # how many runs, by board


KINDS = {
    "ours": Kind("features", by_features(SteadyDeepQ), {"10x10": 5, "5x5": 3}),
    "PyTorch, our weights, rounded": Kind("features", by_features(TorchDeepQ, steady=True), {"10x10": 2}),
    "PyTorch as usual": Kind(
        "features", by_features(TorchDeepQ, network=lambda: dense(len(SEEN), 32, 32, 1)), {"10x10": 5}
    ),
    "dense layers": Kind("cells", by_cells(lambda w, h: dense(w * h, 70, 70, 1)), {"5x5": 3}),
    "convolution": Kind("cells", by_cells(convolutional), {"5x5": 3}),
}  # fmt: skip
TABLE = ResultTable(
    "python tests/benchmarks/torch_figures.py",
    {
        "board": "{board}", "learner": "{learner}", "sees": "{sees}", "parameters": "{parameters:,}",
        "lines": "{mean:,.1f}", "runs": "{runs}", "ms a step": "{milliseconds:.1f}",
    },
    seed="0 upwards, one for each run", machine="one core, milliseconds of processor time",
)  # fmt: skip
LISTS = ("seeds", "lines", "curves", "seconds")
"""What a row has of each run: its seed, the lines in the end, those when judged, seconds of learning."""


def run(learner: str, board: str, seed: int) -> Record:
    """One run: what a row has of it."""
    agent = KINDS[learner].make(board, seed)
    start = time.process_time()
    while not agent.memory.is_full:  # the random beginning is the same for all
        agent.advance()
    learning, judging = agent.judge, [0.0]

    def judge() -> None:
        begun = time.process_time()
        learning()
        judging[0] += time.process_time() - begun

    agent.judge = judge  # type: ignore[method-assign]
    start = time.process_time()
    agent.learn(progress=False)
    seconds = time.process_time() - start - judging[0]
    return {
        "seeds": seed, "lines": round(final_lines(agent, board), 1), "curves": agent.history["judged"].tolist(),
        "seconds": round(seconds, 1), "parameters": len(agent.network.theta),
    }  # fmt: skip


def final_lines(agent: DeepQ, board: str) -> float:
    """The mean lines of the last network in the games that all are judged by."""
    if not agent.network.is_finite:
        return 0.0
    last = agent.last()
    if isinstance(agent.problem, AfterstateCells):
        return agent.problem.judge(last, GAMES[board], 0, SEED)
    assert isinstance(last, Network)
    return simulate(agent.problem.player(last), board, games=GAMES[board], seed=SEED, threads=1, progress=False).mean


def with_run(row: Record, one: Record) -> Record:
    """A row with one run more."""
    lists = {name: [*row.get(name, []), one[name]] for name in LISTS}
    return row | lists | {
        "parameters": one["parameters"], "mean": round(float(np.mean(lists["lines"])), 1),
        "runs": " ".join(f"{lines:,.1f}" for lines in lists["lines"]),
        "milliseconds": round(1000 * min(lists["seconds"]) / STEPS, 2),
    }  # fmt: skip


def main(learners: Sequence[str], save: bool, seconds: float) -> None:
    """Make the runs that are not stored yet."""
    order = [(name, board) for board in ("10x10", "5x5") for name, kind in KINDS.items() if board in kind.seeds]
    stored = stored_table("deep-q-torch").rows if save and "deep-q-torch" in table_names() else []
    rows = {(row["learner"], row["board"]): row for row in stored}
    for seed in range(5):
        for name, board in order:
            row = rows.get((name, board), {"learner": name, "board": board, "sees": KINDS[name].sees})
            wanted = name in (learners or KINDS) and seed < KINDS[name].seeds[board]
            if wanted and seed not in row.get("seeds", []) and time.process_time() < seconds:
                rows[name, board] = with_run(row, run(name, board, seed))
                print(TABLE.row(rows[name, board]), f"{time.process_time():.0f} s", flush=True)
                if save:
                    replace(TABLE, rows=[rows[one] for one in order if one in rows]).save("deep-q-torch")


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    limits = [float(word.removeprefix("--seconds=")) for word in sys.argv if word.startswith("--seconds=")]
    main(words, "--save" in sys.argv, *limits or [np.inf])
