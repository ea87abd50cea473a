"""Where the bars of checks stand between answers: python tests/benchmarks/check_bars.py [01.6 07.8 ...]

Each figure is measured with several seeds of the check, as the check measures it.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the answers that tests know

import numpy as np
from course_books import code, partly_right, run, wrong_answers
from wrong_answers import chapter_12 as chapter_12_answers
from wrong_answers.chapter_01 import SKYLINE, TRIMMED
from wrong_answers.chapter_05 import EQUAL_SHARES, TEN_GAMES, WRONG
from wrong_answers.chapter_06 import ONE_GO, TURNS
from wrong_answers.chapter_09 import searched
from wrong_answers.chapter_11 import CORRIDOR

import tetriscourse as tc
from tetriscourse.course.checking import judged
from tetriscourse.course.checks import (
    chapter_01,
    chapter_02,
    chapter_03,
    chapter_05,
    chapter_06,
    chapter_07,
    chapter_08,
    chapter_09,
    chapter_11,
    chapter_12,
)
from tetriscourse.course.checks.cases import game_boards
from tetriscourse.course.exercises import exercise_with
from tetriscourse.course.hidden_worlds import CLOSE, Rooms
from tetriscourse.course.outcomes import Right
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.players import Filter
from tetriscourse.random_numbers import Draws, derived_seed
from tetriscourse.simulator import simulate

Bools = np.ndarray[Any, np.dtype[np.bool_]]
SEEDS = (*range(1, 7), 60_413, 7_720_199)  # the last two are those of grading
COUNTED = range(100, 108)  # seeds of the boards on which chances are counted, which no check uses


def encodings() -> None:
    """01.6: bytes a board."""
    full, seen = Counter[str](), Counter[str]()
    for board in (board for seed in COUNTED for board in game_boards(seed)):
        for r, c in np.ndindex(*board.full.shape):
            seen[around(board.full, r, c)] += 1
            full[around(board.full, r, c)] += int(board.full[r, c])
    chances = {key: round(64 * full[key] / seen[key]) for key in sorted(seen)}
    print("chances of 64:", chances)

    model = next(source for source in code("solutions", "01") if "def encode" in source)
    for name, source in (("bits without the sky", TRIMMED), ("skyline and holes", SKYLINE), ("chances", model)):
        names: dict[str, Any] = {"np": np}
        exec(source, names)
        met = [game_boards(seed, chapter_01.BOARDS) for seed in SEEDS]
        means = [float(np.mean([len(names["encode"](board.full)) for board in boards])) for boards in met]
        print(f"{name:22} {' '.join(f'{mean:.1f}' for mean in means)} bytes")


def around(cells: Bools, r: int, c: int) -> str:
    """What is full above a cell, right above it, to the right of that, and to its left, as a drawing."""
    above = cells[r + 1 :]
    known = above.any(), above[:1, c].any(), above[:1, c + 1 : c + 2].any(), c == 0 or cells[r, c - 1]
    return "".join(".X"[int(one)] for one in known)


def lives() -> None:
    """02.6: pieces a game, in five games that are stopped."""

    def holes(move: Any) -> int:
        return int(move.after.heights.sum() - move.after.full.sum())

    def bumps(move: Any) -> int:
        return int(np.abs(np.diff(move.after.heights)).sum())

    wishes: dict[str, Callable[[Any], Any]] = {
        "lowest landing (02.5)": lambda move: move.row,
        "squares of heights": lambda move: int((move.after.heights**2).sum()),
        "holes, then bumps": lambda move: (holes(move), bumps(move)),
        "5 holes + bumps": lambda move: 5 * holes(move) + bumps(move),
        "highest pile": lambda move: -int(move.after.heights.max()),
        "highest in the middle": lambda move: (-int(move.after.heights.max()), -int(move.after.heights[3:7].sum())),
    }
    for name, wish in wishes.items():
        print_lives(name, lambda engine, wish=wish: command(min(engine.moves(), key=wish)))
    print_lives("drops on the spot", lambda engine: "D")
    upright = {"O": 0}
    print_lives(
        "upright on the spot", lambda engine: "D" if engine.orientation == upright.get(engine.piece.name, 1) else "H"
    )


def command(move: Any) -> str:
    """The command that makes a move."""
    return f"P:{move.column}:{move.orientation}"


def print_lives(name: str, agent: Any) -> None:
    """The check's measure with eight seeds."""
    most = chapter_02.LONGEST_LIFE
    games = [chapter_02.played_games(agent, seed, most=most) for seed in range(1, 9)]
    means = [float(np.mean([engine.blocks_played for engine in some])) for some in games]
    print(f"{name:22} {' '.join(f'{mean:.1f}' for mean in means)}", flush=True)


def orders() -> None:
    """03.5: points for each game lost."""
    for order in (
        "holes bumpiness wells", "holes bumpiness wells lines", "holes i_wells bumpiness",
        "rows_with_holes i_wells bumpiness",
    ):  # fmt: skip
        rules, found = chapter_03.LONG_GAMES, []
        for seed in range(1001, 1007):
            scores = simulate(Filter(order.split()), rules, chapter_03.GAMES, seed, progress=False)
            found.append(f"{scores.exponential_mean_of('points'):,.0f} ({scores.finished.sum()} lost)")
        print(f"{order:34} {', '.join(found)}", flush=True)


def fitnesses() -> None:
    """07.5: the share of duels won, good over weak, champion over good, over weak; by as many games as can be paid."""
    rules = RULES["tetrisbot"]
    alone = replace(rules, draw="independent")  # type: ignore[arg-type]
    for cap in (500, 700, 1000, 1300, 1500, 2000, 2500, 3000, 4000, 6000, 12000):
        print_duels(f"whole game, cap {cap}", replace(rules, max_pieces=cap))
    for height in (10, 14, 18):
        print_duels(f"whole game, height {height}", replace(rules, height=height))
    for games in (3, 4, 5, 6, 7, 8):
        print_duels("independent", alone, games)
    for height in (10, 14, 18):
        print_duels(f"independent, height {height}", replace(alone, height=height))
    print_duels("independent, 8 games, points", alone, 8, "points")
    print_duels("independent, S and Z 3/11", replace(alone, probabilities=(1, 1, 1, 3, 3, 1, 1)))


def print_duels(name: str, rules: Rules, games: int | None = None, score: str = "lines") -> None:
    """One fitness."""
    cost = np.mean([chapter_07.pieces_a_game(one, rules, 1) for one in chapter_07.RANKED.values()])
    games = games or max(1, min(chapter_07.MOST_GAMES, int(chapter_07.BUDGET / cost)))
    shares = []
    for seed in (1, 2):
        values = {
            one: chapter_07.fitness_values(player, rules, games, score, seed + place)
            for place, (one, player) in enumerate(chapter_07.RANKED.items())
        }
        pairs = (("good", "weak"), ("champion", "good"), ("champion", "weak"))
        shares.append(" ".join(f"{chapter_07.share_won(values[a], values[b]):.0%}" for a, b in pairs))
    print(f"{name:30} {games:3} games, {games * cost:6.0f} pieces: {'; '.join(shares)}", flush=True)


def noises() -> None:
    """08.5: lines a game at the end of 100 runs, and on how many of 40 seeds the summits are reached."""
    schedules: dict[str, Callable[[int], float]] = {
        "none": lambda t: 0, "constant 4": lambda t: 4, "5 - t/10": lambda t: max(5 - t / 10, 0),
        "10/t": lambda t: 10 / t, "100 * 0.86^t": lambda t: 100 * 0.86**t, "65 - 2t": lambda t: max(0, 65 - 2 * t),
        "50, halved from 25 on": lambda t: 50 * 0.5 ** max(0, t - 25),
        "45, times 0.7 from 26 on": lambda t: 45 * 0.7 ** max(0, t - 26),
        "80, times 0.4 from 20 on": lambda t: 80 * 0.4 ** max(0, t - 20),
        "3,000 at 28 to 30": lambda t: 3000 if 28 <= t < 31 else 0,
        "1,000 at 24 to 28": lambda t: 1000 if 24 <= t < 29 else 0,
        "30,000 at 1": lambda t: 30_000 if t == 1 else 0,
        "60, 10, 1, 0.01": lambda t: 60 if t <= 22 else 10 if t <= 26 else 1 if t <= 31 else 0.01,
    }  # fmt: skip
    for name, schedule in schedules.items():
        noise = chapter_08.Table(*[float(schedule(t)) for t in range(1, chapter_08.ROUNDS + 1)])
        reached = sum(isinstance(chapter_08.hills_outcome(noise, seed), Right) for seed in range(1, 41))
        lines = [chapter_08.tetris_lines(noise, derived_seed(s, 85, k)) for s in range(1, 26) for k in range(4)]
        mean, sd, fewest, most = np.mean(lines), np.std(lines), min(lines), max(lines)
        print(f"{name:26} {reached:2} of 40; {mean:.1f} lines, sd {sd:.1f}, {fewest:.0f} to {most:.0f}", flush=True)


def designs(id: str) -> None:
    """How the model solution, wrong answers and answers that reach some rungs fare, on the seeds of checks."""
    exercise, chapter = exercise_with(id), id[:2]
    answer = exercise.answers[0]
    answers = [("solution", next(source for source in code("solutions", chapter) if f"def {answer}(" in source))]
    answers += [("wrong", one) for one in wrong_answers(chapter)[id] if "def" in one]
    answers += [(f"{points} of {exercise.points}", one) for points, one in partly_right(chapter)[id]]
    for name, source in answers:
        named: dict[str, Any] = {"np": np, "Draws": Draws}
        run(source, named)
        outcomes = [judged(exercise, named, seed) for seed in SEEDS]
        print(f"{name:10}", *(getattr(one, "points", type(one).__name__) for one in outcomes), flush=True)


TWO_STAGES = """
def find_best(play, players, budget):
    scores = [play(k, budget // 2 // players) for k in range(players)]
    best = sorted(range(players), key=lambda k: -np.mean(scores[k]))[:4]
    return max(best, key=lambda k: np.mean(scores[k] + play(k, budget // 8)))
"""
ALWAYS_THE_LEADER = """
def find_best(play, players, budget):
    totals, games = [play(k, 1)[0] for k in range(players)], [1] * players
    for _ in range(budget - players):
        k = max(range(players), key=lambda k: totals[k] / games[k])
        totals[k] += play(k, 1)[0]
        games[k] += 1
    return max(range(players), key=lambda k: totals[k] / games[k])
"""


def tournaments() -> None:
    """05.8: tournaments of 300 in which the best player is found."""
    model = next(source for source in code("solutions", "05") if "def find_best" in source)
    plans = {"one game each": WRONG["05.8"][0], "ten games each": TEN_GAMES, "equal shares": EQUAL_SHARES,
             "always the leader": ALWAYS_THE_LEADER, "two stages": TWO_STAGES, "halving": model}  # fmt: skip
    for name, source in plans.items():
        names: dict[str, Any] = {"np": np}
        exec(source, names)
        print(f"{name:18}", *(chapter_05.times_found(names["find_best"], seed) for seed in SEEDS), flush=True)


def machines() -> None:
    """06.8: machines of 200 on which the fastest version is found, by 8 % and by 2 %."""
    plan = "def fastest(measure, versions, budget):\n    return "
    model = next(source for source in code("solutions", "06") if "def fastest" in source)
    plans = {"one run each": plan + "min(range(versions), key=measure)"}
    for how in ("mean", "median", "min"):
        plans[f"in one go, {how}"] = f"{ONE_GO}{plan}in_one_go(measure, versions, budget, np.{how})"
        best = f"[np.{how}(times) for times in by_turns(measure, versions, budget)]"
        plans[f"by turns, {how}"] = f"{TURNS}{plan}int(np.argmin({best}))"
    rounds = "np.argmin(list(zip(*by_turns(measure, versions, budget))), axis=1)"
    plans["by turns, rounds won"] = f"{TURNS}{plan}int(np.bincount({rounds}).argmax())"
    for name, source in (plans | {"model": model}).items():
        names: dict[str, Any] = {"np": np}
        exec(source, names)
        clear, close = ([chapter_06.times_fastest(names["fastest"], seed, by) for seed in SEEDS] for by in (0.08, 0.02))
        print(f"{name:22}", *clear, " ", *close, flush=True)


def backups() -> None:
    """10.8: backups, as a share of what sweeps need, until values are right; 200 worlds. The model stops itself."""
    names: dict[str, Any] = {}
    exec(next(source for source in code("solutions", "10") if "def values" in source), names)
    for name in ("sweeps", "each value used at once", "model"):
        needed = [share_needed(name, number, names["values"]) for number in range(200)]
        print(f"{name:26} {min(needed):.2f} to {max(needed):.2f}, median {np.median(needed):.2f}", flush=True)


def share_needed(name: str, number: int, model: Callable[[Any], Any]) -> float:
    """The backups of one way to solve a world, as a share of what sweeps need."""
    world = Rooms(number)
    exact, v, before = np.array(world.exact()), [0.0] * len(world.states), world.left
    if name == "model":
        assert np.abs(np.array(model(world)) - exact).max() <= CLOSE
    while name != "model" and np.abs(np.array(v) - exact).max() > CLOSE:
        if name == "sweeps":
            v = [world.backup(v, s) for s in world.states]
        else:
            for s in world.states:
                v[s] = world.backup(v, s)
    return (before - world.left) / before


def corridors() -> None:
    """11.8: corridors of 120 in which a way is found, for each rung."""
    learners = {"epsilon 0.1": ("0.0", "0.5", "0.1"), "epsilon 0.5": ("0.0", "0.5", "0.5")}
    learners |= {f"hopes for {hope}, steps of 0.5": (hope, "0.5", "0.0") for hope in ("1.0", "10.0", "200.0")}
    learners |= {f"hopes for 10, steps of {alpha}": ("10.0", alpha, "0.0") for alpha in ("1.0", "0.7", "0.3", "0.1")}
    sources = {
        name: CORRIDOR.format(hope=hope, alpha=alpha, epsilon=epsilon, more="world.left")
        for name, (hope, alpha, epsilon) in learners.items()
    }
    sources["model"] = next(source for source in code("solutions", "11") if "def find(" in source)
    for name, source in sources.items():
        names: dict[str, Any] = {"random": random}
        exec(source, names)
        found = [
            sum(chapter_11.share_found(names["find"], seed, *rung) >= chapter_11.NEARLY for seed in range(120))
            for _, *rung in chapter_11.RUNGS.values()
        ]
        print(f"{name:30}", *found, flush=True)


def searches() -> None:
    """09.8: true means at the answers, on average of the check's hills, of 1,000."""
    luckiest = "x = Draws(1, 1).normal((limit, n))\n    return x[np.argmax([score(one) for one in x])]"
    designs = {
        "the luckiest of 3,000": f"def search(score, n, limit):\n    {luckiest}",
        "the best score": searched(result="optimizer.best.weights"),
        **{f"{games} games each": searched(games) for games in (1, 5, 10, 20, 30)},
        **{f"{count} candidates": searched(1, f"population={count}") for count in (30, 60, 100, 200)},
    }
    for name, source in designs.items():
        names: dict[str, Any] = {"np": np, "tc": tc, "Draws": Draws}
        exec(source, names)
        means = [float(np.mean(chapter_09.heights_found(names["search"], seed) or [0])) for seed in SEEDS]
        print(f"{name:22} {' '.join(f'{mean:.0f}' for mean in means)}", flush=True)


def repairs() -> None:
    """12.8: in how many of 200 experiments the best of sixteen learners is found."""
    means = {
        "three common seeds": "range(3)", "two common seeds": "range(2)", "one common seed": "[0]",
        "three seeds of its own each": "range(run.left, run.left + 3)",
    }  # fmt: skip
    answers = {name: chapter_12_answers.best_repairs(runs) for name, runs in means.items()}
    answers["three common seeds, no logarithm"] = chapter_12_answers.best_repairs("range(3)", "run(repairs, seed)")
    answers["one repair at a time"] = chapter_12_answers.ONE_AT_A_TIME
    answers["repair after repair"] = chapter_12_answers.REPAIR_AFTER_REPAIR
    for name, source in answers.items():
        names: dict[str, Any] = {"np": np, "product": product}
        exec(source, names)
        found = [chapter_12.experiments(names["best_repairs"], seed)[0] for seed in SEEDS]
        print(f"{name:34} {' '.join(map(str, found))} of {chapter_12.WORLDS}", flush=True)


MEASURED = {
    "01.6": encodings,
    "02.6": lives,
    "03.5": orders,
    "05.8": tournaments,
    "06.8": machines,
    "07.5": fitnesses,
    "08.5": noises,
    "09.8": searches,
    "10.8": backups,
    "11.8": corridors,
    "12.8": repairs,
}  # fmt: skip
DESIGNS = ("07.8", "08.7", "13.6", "14.6")
"""Exercises whose bars are measured by the answers that tests know."""


def main(wanted: Iterable[str]) -> None:
    """Measure some, or all."""
    for id in wanted or (*MEASURED, *DESIGNS):
        print(f"--- {id} {MEASURED.get(id, designs).__doc__}")
        MEASURED[id]() if id in MEASURED else designs(id)


if __name__ == "__main__":
    main(sys.argv[1:])
