"""Prints what SARSA, traces and fading steps come to, on a cliff, on dominoes and with seven pieces on 4x4.

With names of tables (td-cliff td-domino td-steps) only these. Each row is printed, and with --save stored, when its
seeds are through; stored rows are not computed again. Ten minutes on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import Any

import numba
import numpy as np
from merged_states import GAMES, SEEN, Restated, start, state, step
from scipy.stats import beta

import tetriscourse as tc
from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.game.random import AGENT_STREAM, OPTIMIZER_STREAM
from tetriscourse.mdp.finite.learning import METHODS, curious, td_learning
from tetriscourse.mdp.finite.process import greedy, uniform
from tetriscourse.mdp.finite.solving import evaluate_exactly
from tetriscourse.mdp.finite.worlds import CLIFF as WORLD
from tetriscourse.mdp.learning_loop import exploration
from tetriscourse.mdp.proofs import prove_endless
from tetriscourse.mdp.q_learning.kernels import STATES, entered
from tetriscourse.mdp.q_learning.kernels import greedy as best_action
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.simulator.piece_generator import bits32, stream_key

COMMAND = "python tests/benchmarks/td_figures.py"
CLIFF_SEEDS, DOMINO_SEEDS, STEP_SEEDS = 10, 20, 5
CLIFF = ResultTable(
    COMMAND,
    {
        "who": "{who}", "plays greedily": "{greedy}", "goes on with 10 % by chance": "{curious}",
        "along the edge": "{edge} of {seeds}",
    },
    seed=f"0 to {CLIFF_SEEDS - 1}; means, and the range",
)  # fmt: skip
DOMINO = ResultTable(
    COMMAND,
    {
        "board": "{size}x{size}", "tau": "{tau}", "learner": "{learner}",
        "proof within 50,000 games": "{reached} of {seeds}", "95 %": "{low:.0%} to {high:.0%}",
        "first to last proof": "{when}", "half of all seeds have one after": "{half}",
    },
    seed=f"0 to {DOMINO_SEEDS - 1}",
)  # fmt: skip
STEPS = ResultTable(
    COMMAND,
    {
        "learner": "{learner}", "exact lines a game": "{mean:.2f}", "range": "{low:.2f} to {high:.2f}",
        "of the best": "{share:.1%}",
    },
    seed=f"0 to {STEP_SEEDS - 1}; 100,000 games each",
)  # fmt: skip

# --- the cliff --------------------------------------------------------------------------------------

START, EPSILON = "3,0", 0.1
CLIFF_LEARNERS = {
    f"{method}, {steps:,} steps, alpha {alpha}": (method, steps, alpha)
    for steps, alpha in ((20_000, 0.1), (100_000, 0.1), (20_000, 0.5))
    for method in METHODS
}


def cliff_row(who: str) -> Record:
    """What learners, or the best policies, are worth on the cliff: greedy, and with chance as in learning."""
    mdp = WORLD.mdp
    if who == "best, if played greedily":
        policies = [tc.value_iteration(mdp).policy]
    elif who == "best, if 10 % are by chance":
        policies = [tc.value_iteration(curious(mdp, EPSILON)).policy]
    else:
        method, steps, alpha = CLIFF_LEARNERS[who]
        learn = partial(td_learning, mdp, START, method, alpha=alpha, epsilon=EPSILON, steps=steps)
        policies = [greedy(mdp, learn(seed=seed)) for seed in range(CLIFF_SEEDS)]
    mixed = [(1 - EPSILON) * np.eye(4)[policy] + EPSILON * uniform(mdp) for policy in policies]
    return {
        "who": who, "greedy": spread([worth(policy) for policy in policies]), "curious": spread([*map(worth, mixed)]),
        "edge": sum(bool(worth(policy) > 0.67) for policy in policies), "seeds": len(policies),
    }  # fmt: skip


def worth(policy: Any) -> float:
    """The exact value of the start."""
    mdp = WORLD.mdp
    return float(evaluate_exactly(mdp, policy).V[mdp.state(START)])


def spread(values: list[float]) -> str:
    """The mean, and the range if there is one."""
    low, high = min(values), max(values)
    return f"{np.mean(values):.3f}" + (f" ({low:.3f} to {high:.3f})" if high - low > 5e-4 else "")


# --- dominoes ---------------------------------------------------------------------------------------

EPISODES, EVERY, EXTRA = 50_000, 500, 7


@numba.njit
def learn(
    first: Any, last: Any, seed: Any, explore: Any, place: Any, pile: Any, board: Any, size: Any, game: Any, seen: Any,
    table: Any, actions: Any, room: Any, by_lot: Any, memory: Any,
) -> Any:  # fmt: skip
    """Q-learning that repeats, after each step, EXTRA updates of steps of the same game: the last ones, or by lot."""
    values, episode = table.values, first
    while episode < last and table.counts[STATES] + room <= len(table.states):
        key, t = stream_key(seed, episode, np.int64(AGENT_STREAM)), 0
        lots = stream_key(seed, episode, np.int64(OPTIMIZER_STREAM))
        start(place, pile, board, size, size)
        low, high = state(board, size, seen)
        s = entered(low, high, table)
        while not place.lost and place.settled < 500:
            a = (bits32(key, 2 * t + 1) * 6) >> 32
            if bits32(key, 2 * t) >= (explore[0] if t == 0 else explore[1 + episode - first]):
                best, _ = best_action(s, values, actions, 6)
                a = best if best >= 0 else a
            r = step(a, place, pile, board, size, size, game)
            low, high = state(board, size, seen)
            s2 = entered(low, high, table)
            memory[t, 0], memory[t, 1], memory[t, 2], memory[t, 3], memory[t, 4] = s, a, r, s2, place.lost
            for i in range(min(EXTRA, t) + 1):
                k = t - i
                if by_lot and i > 0:
                    k = (bits32(lots, t * EXTRA + i) * t) >> 32
                x, b, reward, x2, lost = memory[k]
                e_max = 0.0
                if not lost:
                    _, e_max = best_action(x2, values, actions, 6)
                values[x, b] = (1 - 0.1) * values[x, b] + 0.1 * (reward + 0.9 * e_max)
            s, t = s2, t + 1
        episode += 1
    return episode


class Repeating(Restated):
    """Q-learning on the library's game that learns from the steps of a game more than once."""

    def __init__(self, size: int, by_lot: bool, seed: int):
        super().__init__(size, "library", "cells", seed)
        self.by_lot, self.memory = by_lot, np.zeros((500 * (size + 7) + 1, 5), np.int64)

    def advance(self, episodes: int) -> None:
        """Play and learn."""
        last, settings, room = self.done + episodes, QSettings(), len(self.memory)
        while self.done < last:
            epsilons = (settings.epsilon_max, *(exploration(settings, k) for k in range(self.done, last)))
            self.table.make_room(room)
            self.done = learn(
                self.done, last, self.seed, np.array([round(e * 2**32) for e in epsilons]), self.place, self.pile,
                self.board, self.size, GAMES["library"], SEEN["cells"], self.table.arrays, np.arange(6), room,
                self.by_lot, self.memory,
            )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A line of the table: a board, a learner in words, what differs from Muller and Ponton's settings."""

    size: int
    learner: str
    changes: tuple[tuple[str, Any], ...] = ()
    tau: float = 0.001

    def proof_after(self, seed: int) -> int | None:
        """The games until the first proof."""
        if self.learner.startswith("repeats"):
            again = Repeating(self.size, self.learner.endswith("by lot"), seed)
            return first_proof(again, again.is_endless)
        rules = replace(tc.RULES["domino"], width=self.size, height=self.size)
        q = tc.QLearning(rules, seed=seed, episodes=EPISODES, tau=self.tau, **dict(self.changes))
        return first_proof(q, lambda: bool(prove_endless(q)))


def first_proof(learner: Any, is_proved: Callable[[], bool]) -> int | None:
    """The games until the first proof, looked for every 500 games."""
    while learner.done < EPISODES:
        goal = learner.done + EVERY
        while learner.done < goal:
            learner.advance(goal - learner.done)
        if is_proved():
            return int(learner.done)
    return None


def traced(method: str, trace: float, reach: int, size: int = 8) -> Row:
    """A learner with traces."""
    changes = (("method", method), ("trace", trace), ("reach", reach))
    return Row(size, f"{method}, lambda {trace}, {reach} actions", changes)


PLAIN = ("q", "sarsa", "expected-sarsa")
ROWS = (
    *(Row(6, method, (("method", method),), tau) for tau in (0.001, 0.0) for method in PLAIN),
    *(Row(8, method, (("method", method),)) for method in PLAIN),
    *(traced("q", 0.9, reach) for reach in (2, 4, 8, 16, 30)),
    *(traced("q", trace, 30) for trace in (0.3, 0.6)),
    *(traced(method, 0.9, 8) for method in PLAIN[1:]),
    Row(8, "q, alpha 1", (("alpha", 1.0),)),
    Row(8, f"repeats the last {EXTRA} updates, backwards"),
    Row(8, f"repeats {EXTRA} updates of the game, by lot"),
)


def domino_row(row: Row, found: list[int | None] | None = None) -> Record:
    """A line, from the games of each seed if they are known; the interval is that of Clopper and Pearson."""
    found = found or [row.proof_after(seed) for seed in range(DOMINO_SEEDS)]
    reached = sorted(games for games in found if games)
    k, n = len(reached), DOMINO_SEEDS
    low = beta.ppf(0.025, k, n - k + 1) if k else 0.0
    high = beta.ppf(0.975, k + 1, n - k) if k < n else 1.0
    middle = median([games or EPISODES + 1 for games in found])
    return {
        "size": row.size, "tau": row.tau, "learner": row.learner, "reached": k, "seeds": n, "found": found,
        "low": round(float(low), 3), "high": round(float(high), 3),
        "when": f"{reached[0]:,} to {reached[-1]:,} games" if reached else "none",
        "half": f"{middle:,.0f} games" if middle <= EPISODES else "never",
    }  # fmt: skip


# --- seven pieces on 4x4 ----------------------------------------------------------------------------

SCHEDULES: dict[str, dict[str, Any]] = {
    "alpha 0.1": {}, "alpha 0.03": {"alpha": 0.03}, "alpha 1": {"alpha": 1.0}, "1/n": {"alpha": 1.0, "fading": 1.0},
    "1/n^0.8": {"alpha": 1.0, "fading": 0.8}, "1/n^0.6": {"alpha": 1.0, "fading": 0.6},
    "1/n^0.6, sarsa": {"alpha": 1.0, "fading": 0.6, "method": "sarsa"},
    "1/n^0.6, lambda 0.5": {"alpha": 1.0, "fading": 0.6, "trace": 0.5},
    "alpha 0.1, lambda 0.5": {"trace": 0.5},
}  # fmt: skip


def steps_row(learner: str) -> Record:
    """What learned players are worth on 4x4, exactly."""
    rules = tc.Rules(4, 4)
    learned = (
        tc.QLearning(rules, actions="placements", gamma=0.99, tau=1e-4, episodes=100_000, seed=seed,
                     **SCHEDULES[learner]).learn(progress=False)
        for seed in range(STEP_SEEDS)
    )  # fmt: skip
    values = [tc.exact_value(q, rules, progress=False).start for q in learned]
    mean, best = float(np.mean(values)), tc.solve(rules, progress=False).start
    return {
        "learner": learner, "mean": round(mean, 4), "low": round(min(values), 4), "high": round(max(values), 4),
        "share": round(mean / best, 4),
    }  # fmt: skip


# --- all of it --------------------------------------------------------------------------------------

WHO = ("best, if played greedily", "best, if 10 % are by chance", *CLIFF_LEARNERS)


def rows_of(name: str, known: list[Record]) -> Iterator[Record]:
    """The rows of a table, those that are stored as they are."""
    if name == "td-domino":
        stored = {(one["size"], one["tau"], one["learner"]): one["found"] for one in known}
        yield from (domino_row(row, stored.get((row.size, row.tau, row.learner))) for row in ROWS)
    else:
        key, make, wanted = ("who", cliff_row, WHO) if name == "td-cliff" else ("learner", steps_row, SCHEDULES)
        named = {one[key]: one for one in known}
        yield from (named.get(one) or make(one) for one in wanted)


def main() -> None:
    """The tables, as Markdown."""
    tables = {"td-cliff": CLIFF, "td-domino": DOMINO, "td-steps": STEPS}
    for name in [one for one in sys.argv[1:] if one in tables] or tables:
        for row in rows_of(name, stored_table(name).rows if name in table_names() else []):
            tables[name].add(row)
            if "--save" in sys.argv:
                tables[name].save(name)
        print()


if __name__ == "__main__":
    main()
