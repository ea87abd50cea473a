"""Small Tetris solved exactly, as tables in Markdown: what each game is worth, what that takes, how far players are.

    python tests/benchmarks/exact_figures.py            4x4 to 5x5, and the games of the optimal player
    python tests/benchmarks/exact_figures.py --larger   also 4x7, 7.5 million boards on which games are long
    python tests/benchmarks/exact_figures.py --larger --save   the same, stored for notebooks/results.ipynb

Each game is solved in a process of its own, so that its memory can be told.
"""

from __future__ import annotations

import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tetriscourse.course.results import Record, ResultTable
from tetriscourse.game.rules import Rules, short_name
from tetriscourse.mdp.exact.player_values import exact_value
from tetriscourse.mdp.exact.solution import solve
from tetriscourse.players import PLAYERS
from tetriscourse.simulator import simulate

AFTER = "overflow-after-clearing"
GAMES = [
    Rules(4, 4), Rules(4, 4, pieces_known=2), Rules(4, 4, draw="bag"), Rules(4, 4, draw="bag", pieces_known=2),
    Rules(4, 5), Rules(5, 4), Rules(4, 6), Rules(6, 4), Rules(5, 5), Rules(5, 5, game_over=AFTER),
]  # fmt: skip
LARGER = [Rules(4, 7)]
PLAYED, SEED = 200_000, 2026
COMMAND = "python tests/benchmarks/exact_figures.py --larger"
MEAN = "{mean:.4f} ({low:.4f} to {high:.4f})"
BEST = ResultTable(
    COMMAND,
    {
        "rules": "{rules}", "boards": "{boards:,}", "best possible": "{value:.4f}", "error below": "{bound:.0e}",
        f"{PLAYED:,} games of that player": MEAN, "time": "{seconds:.1f} s", "memory": "{gigabytes:.1f} GB",
    },
    seed=str(SEED), machine="two cores, compiling not counted",
)  # fmt: skip
PLAYERS_TABLE = ResultTable(
    COMMAND,
    {
        "player": "{player}", "rules": "{rules}", "exact": "{value:.4f}", "of the best": "{share:.1%}",
        f"{PLAYED:,} games": MEAN, "boards it comes to": "{boards:,}",
    },
    seed=str(SEED),
)  # fmt: skip


def solved(rules: Rules) -> Record:
    """The exact value of a game, and the time to find it."""
    solve(Rules(4, 4), progress=False)  # compiles
    start = time.perf_counter()
    solution = solve(rules, progress=False)
    seconds = time.perf_counter() - start
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    scores = simulate(solution.player(), rules, games=PLAYED, seed=SEED, progress=False)
    low, high = scores.interval(method="normal")
    return {
        "rules": short_name(rules), "boards": solution.boards.total, "value": round(solution.start, 4),
        "bound": float(f"{solution.bound:.0e}"), "mean": round(scores.mean, 4), "low": round(low, 4),
        "high": round(high, 4), "seconds": round(seconds, 1), "gigabytes": round(largest, 1),
    }  # fmt: skip


def player_row(name: str, rules: Rules, best: float) -> Record:
    """How far a player is from the best."""
    value = exact_value(PLAYERS[name], rules, progress=False)
    scores = simulate(PLAYERS[name], rules, games=PLAYED, seed=SEED, progress=False)
    low, high = scores.interval(method="normal")
    return {
        "player": name, "rules": short_name(rules), "value": round(value.start, 4),
        "share": round(value.start / best, 3), "mean": round(scores.mean, 4), "low": round(low, 4),
        "high": round(high, 4), "boards": value.boards.total,
    }  # fmt: skip


def main(games: list[Rules]) -> None:
    """Both tables."""
    for rules in games:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            BEST.add(pool.submit(solved, rules).result())
    print()
    for rules in (Rules(4, 4), Rules(5, 5), Rules(5, 5, game_over=AFTER)):
        best = solve(rules, progress=False).start
        for name in ("dellacherie", "dn", "dt-20", "el-tetris", "tetrisbot", "filter-bumpiness"):
            PLAYERS_TABLE.add(player_row(name, rules, best))


if __name__ == "__main__":
    main(GAMES + (LARGER if "--larger" in sys.argv else []))
    if "--save" in sys.argv:
        BEST.save("best-possible")
        PLAYERS_TABLE.save("exact-players")
