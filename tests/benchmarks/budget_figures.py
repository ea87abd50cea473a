"""Lines on 10x10 against moves played while learning, for every method of chapters 07 to 15: the budget of chapter 14.

    python tests/benchmarks/budget_figures.py                    # everything, about two hours of one core
    python tests/benchmarks/budget_figures.py "CMA-ES; dn" dpi   # some rows
    python tests/benchmarks/budget_figures.py --save             # stores each row as soon as it is there

A run is asked at each budget for the player that it would hand over then. That player was chosen with no more moves
than the budget: those in which a learner judges its own policies to keep the best count as well. All players are judged
by the same 100 games, which count for nobody. All learn on 10x10, but 'harder', which has more S and Z, and the record,
whose first stages have boards of 8 and 9 rows.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from statistics import median
from typing import Any

from tetriscourse.course.results import Record, ResultTable, stored_table, table_names
from tetriscourse.errors import readable
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.deep_q.afterstates import OF_A_BOARD, AfterstateValues
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.mdp.policies.catalogue import POLICIES
from tetriscourse.mdp.policies.samples import Policy
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.cross_entropy import CrossEntropy
from tetriscourse.optimizers.experiments import stored_result
from tetriscourse.optimizers.genetic import GeneticAlgorithm
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.protocol import Optimizer
from tetriscourse.optimizers.training import Curve, Run
from tetriscourse.players import Player
from tetriscourse.simulator import SlowWarning, simulate
from tetriscourse.simulator.games import GameList, play
from tetriscourse.simulator.run import Pool

RULES_10x10, GAMES, SEED, SEEDS = RULES["10x10"], 100, 2026, range(5)
BUDGETS = tuple(round(times * 10**power) for power in range(4, 9) for times in (1, 3))[:-1]
"""Moves: 10,000, 30,000, 100,000 and so on, to 100 million."""
FOR_EVER = 10**6  # iterations: moves end a run

Players = Iterator[tuple[int, Any]]
"""Moves so far, and the player that would be handed over."""

TABLE = ResultTable(
    "python tests/benchmarks/budget_figures.py",
    {
        "chapter": "{chapter}", "method": "{name}", "10,000 moves": "{at_10000}", "100,000": "{at_100000}",
        "1 million": "{at_1000000}", "10 million": "{at_10000000}", "100 million": "{at_100000000}", "runs": "{count}",
    },
    seed="0 to 4; judged with 2026",
    machine=f"lines on 10x10, {GAMES} games; median and range of the runs",
)  # fmt: skip


# --- runs, each a stream of players ---------------------------------------------------------------


def optimised(make: Callable[[int, int], Optimizer], objective: Objective, seed: int) -> Players:
    """The favourite of an optimizer after each iteration."""
    run = Run(make(objective.dimension, seed), objective, None, Curve(0))
    run.prepare()
    with Pool(workers=1) as pool:
        while True:
            run.step(pool)
            yield run.result.moves, objective.player(run.result.favourite)


def learned_policy(name: str, changes: Mapping[str, Any], seed: int) -> Players:
    """The best policy so far, with the moves of the games that say which one is the best."""
    learner = POLICIES[name].learner(seed, **{"rules": "10x10", "iterations": FOR_EVER, **changes})
    source, judging = learner.source, 0

    def judge(policy: Policy, games: int, most: int, seed: int) -> float:
        """What the source's own `judge` gives, and count the moves."""
        nonlocal judging
        played = play(GameList.of(source.player(policy, "judged"), replace(RULES_10x10, max_pieces=most), seed, games))
        judging += int(played.pieces.sum())
        return float(played.lines.mean())

    source.judge = judge
    while True:
        learner.advance()
        yield learner.moves + judging, learner.player()


def mean_policy(name: str, changes: Mapping[str, Any], seed: int) -> Players:
    """The mean of the weights of all iterations so far; nothing is judged."""
    learner = POLICIES[name].learner(seed, rules="10x10", iterations=FOR_EVER, judge_games=0, **changes)
    total = 0.0 * learner.weights
    while True:
        learner.advance()
        total = total + learner.weights
        yield learner.moves, learner.source.player(learner.policy(total / learner.done), "mean")


def deep(hidden: Sequence[int] | None, seed: int) -> Players:
    """The network that was judged best so far, with the random moves before and the moves of judgements."""
    problem, judging = AfterstateValues(RULES_10x10, OF_A_BOARD), 0

    def judge(network: Network, games: int, max_pieces: int, seed: int) -> float:
        """What the problem's own `judge` gives, and count the moves."""
        nonlocal judging
        rules = replace(RULES_10x10, max_pieces=max_pieces)
        scores = simulate(problem.player(network), rules, games=games, seed=seed, threads=1, progress=False)
        judging += int(scores.pieces.sum())
        return float(scores.lines.mean())

    problem.judge = judge  # type: ignore[method-assign]
    learner = SteadyDeepQ(problem, seed=seed, steps=FOR_EVER, **({} if hidden is None else {"hidden": hidden}))
    judged = 0
    while True:
        learner.advance()
        if "judged" in learner.history and len(learner.history["judged"]) > judged:
            judged += 1
            yield learner.memory.count + learner.t + judging, learner.player()


def tabular(state: str, seed: int) -> Players:
    """A table of placements after every 20 episodes; it comes to a budget by finishing those in which it passes it."""
    learner = QLearning(
        RULES_10x10, seed=seed, actions="placements", state=state, gamma=0.99, episodes=FOR_EVER, compiled=True
    )
    while True:
        learner.advance(20)
        yield learner.steps, learner


def the_record(_: int) -> Players:
    """The favourites of the stages that made champion-10x10, from zero, as they were stored."""
    stage, stages = stored_result("record-10x10"), []
    while stage:
        stages.insert(0, stage)
        stage = stage.get("before")
    before = 0
    for stage in stages:
        run = stage["runs"][0]
        for moves, favourite in zip(run["log"]["moves"], run["history"]["favourite"], strict=True):
            yield before + round(moves), Player(stage["features"], favourite)
        before += run["moves"]


# --- the methods ----------------------------------------------------------------------------------


def genetic(features: str) -> Callable[[int], Players]:
    """Chapter 07's: bits and elitism, on lines."""
    make = partial(GeneticAlgorithm, settings=replace_iterations(GeneticAlgorithm, "example-4"))
    objective = Objective(features, RULES_10x10, 5, signs="usual")
    return partial(optimised, lambda size, seed: make(size, seed=seed), objective)


def replace_iterations(kind: Any, name: str) -> Any:
    """Settings by name that do not end."""
    return replace(kind(4, name).settings, iterations=FOR_EVER)


def cross_entropy(features: str, name: str) -> Callable[[int], Players]:
    """Chapter 08's: a hundred candidates, a game each on pieces of its own."""
    settings = replace(CrossEntropy(8, name).settings, iterations=FOR_EVER)
    objective = Objective(features, RULES_10x10, 1, pieces="own")
    return partial(optimised, lambda size, seed: CrossEntropy(size, settings, seed=seed), objective)


def cma_es(features: str, rules: str = "10x10", games: int = 20) -> Callable[[int], Players]:
    """Chapter 09's, normalised, with twenty games a candidate."""
    settings = replace(CMAES(8, "boumaza").settings, iterations=FOR_EVER)
    objective = Objective(features, RULES[rules], games)
    return partial(optimised, lambda size, seed: CMAES(size, settings, seed=seed), objective)


def policy(name: str, **changes: Any) -> Callable[[int], Players]:
    """One of mdp/policies, with its own features, on 10x10."""
    return partial(learned_policy, name, changes)


METHODS: dict[str, tuple[str, int, Callable[[int], Players]]] = {
    "genetic algorithm; tetrisbot": ("07", BUDGETS[-1], genetic("tetrisbot")),
    "genetic algorithm; dn": ("07", BUDGETS[-1], genetic("dn")),
    "cross-entropy, no noise; dn": ("08", BUDGETS[-1], cross_entropy("dn", "szita-none")),
    "cross-entropy, constant noise; dn": ("08", BUDGETS[-1], cross_entropy("dn", "thiery")),
    "cross-entropy, constant noise; dt": ("08", 10_000_000, cross_entropy("dt", "thiery")),
    "CMA-ES; dn": ("09", BUDGETS[-1], cma_es("dn")),
    "CMA-ES, harder games; dn": ("09", BUDGETS[-1], cma_es("dn", "harder")),
    "CMA-ES; dt": ("09", BUDGETS[-1], cma_es("dt")),
    "CMA-ES; rv-ce": ("09", BUDGETS[-1], cma_es("rv-ce")),
    "CMA-ES; champion": ("15", BUDGETS[-1], cma_es("champion")),
    "Q-learning, a table of steps": ("11", 1_000_000, partial(tabular, "differences")),
    "deep Q-learning; six of dn": ("12", 100_000, partial(deep, None)),
    "deep Q-learning, no hidden layer; six of dn": ("12", 100_000, partial(deep, ())),
    "value-iteration": ("14", 1_000_000, policy("value-iteration")),
    "lambda-pi": ("14", 10_000_000, policy("lambda-pi")),
    "lspi": ("14", 1_000_000, policy("lspi")),
    "lspi-bertsekas": ("14", 3_000_000, policy("lspi-bertsekas")),
    "linear-programming": ("14", 1_000_000, policy("linear-programming")),
    "reinforce": ("14", 3_000_000, policy("reinforce")),
    "natural-gradient": ("14", 3_000_000, policy("natural-gradient")),
    "reinforce; dt": ("14", 3_000_000, policy("reinforce", features="dt", judge_games=0)),
    "reinforce, mean of all weights; dt": ("14", 3_000_000, partial(mean_policy, "reinforce", {"features": "dt"})),
    "natural-gradient; dt": ("14", 3_000_000, policy("natural-gradient", features="dt", judge_games=0)),
    "dpi": ("14", 30_000_000, policy("dpi")),
    "dpi, a fifth of the states": ("14", 10_000_000, policy("dpi", states=1000)),
    "cbmpi": ("14", 30_000_000, policy("cbmpi")),
    "the record's four stages": ("15", 10**10, the_record),
}
"""By name, after the semicolon the features: the chapter, the largest budget, and a run."""


# --- rows -----------------------------------------------------------------------------------------


@cache
def judged(player: Any) -> float:
    """The mean lines of a player in the games that all are judged by."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowWarning)
        return round(simulate(player, RULES_10x10, GAMES, seed=SEED, threads=1, progress=False).mean, 1)


def curve(players: Players, largest: int) -> list[tuple[int, float]]:
    """The lines of the player handed over at each budget that a run comes to see."""
    found, player = [], None
    budgets = iter([*(one for one in BUDGETS if one <= largest), *(one for one in LARGER if one <= largest)])
    budget = next(budgets)
    for moves, following in players:
        while moves > budget:
            if player is not None:
                found.append((budget, judged_once(player)))
            budget = next(budgets, 0)
            if not budget:
                return found
        player = following
    return [*found, (budget, judged_once(player))]


LARGER = (300_000_000, 1_000_000_000, 3_000_000_000, 10_000_000_000)
"""Budgets of the record alone."""


def judged_once(player: Any) -> float:
    """The lines of a player; a table that goes on changing is not remembered."""
    return judged(player) if isinstance(player, Player) else judged.__wrapped__(player)


def row(name: str) -> Record:
    """A row of the table."""
    chapter, largest, run = METHODS[name]
    seeds = SEEDS if run is not the_record else range(1)
    runs = [curve(run(seed), largest) for seed in seeds]
    return {"name": name, "chapter": chapter, "count": len(runs), "runs": runs} | {
        f"at_{budget}": spread([lines for points in runs for moves, lines in points if moves == budget])
        for budget in BUDGETS[::2]
    }


def spread(values: Sequence[float]) -> str:
    """The median and the range, of as many runs as come so far."""
    if not values:
        return ""
    low, middle, high = map(readable, (min(values), median(values), max(values)))
    return f"{middle} ({low} to {high})" if len(values) > 1 else str(middle)


def main(names: Sequence[str], save: bool) -> None:
    """The rows that are asked for."""
    for name in names or METHODS:
        TABLE.add(record := row(name))
        if save:
            known = {one["name"]: one for one in (stored_table("budget").rows if "budget" in table_names() else [])}
            known[name] = record
            replace(TABLE, rows=[known[one] for one in METHODS if one in known]).save("budget")


if __name__ == "__main__":
    main([word for word in sys.argv[1:] if word != "--save"], "--save" in sys.argv)
