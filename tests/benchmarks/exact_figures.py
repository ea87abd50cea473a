"""Small Tetris solved exactly, as tables in Markdown: what each game is worth, what that takes, how far players are.

    python tests/benchmarks/exact_figures.py            4x4 to 5x5, and the games of the optimal player
    python tests/benchmarks/exact_figures.py --larger   also 4x7, 7.5 million boards on which games are long

Each game is solved in a process of its own, so that its memory can be told.
"""

from __future__ import annotations

import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

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


def row(*cells: object) -> None:
    """A line of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def solved(rules: Rules) -> tuple[object, ...]:
    """What solving a game gives and takes."""
    solve(Rules(4, 4), progress=False)  # compiles
    start = time.perf_counter()
    solution = solve(rules, progress=False)
    seconds = time.perf_counter() - start
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    scores = simulate(solution.player(), rules, games=PLAYED, seed=SEED, progress=False)
    low, high = scores.interval(method="normal")
    return (
        short_name(rules), f"{solution.boards.total:,}", f"{solution.start:.4f}", f"{solution.bound:.0e}",
        f"{scores.mean:.4f} ({low:.4f} to {high:.4f})", f"{seconds:.1f} s", f"{largest:.1f} GB",
    )  # fmt: skip


def player_row(name: str, rules: Rules, best: float) -> None:
    """How far a player is from the best."""
    value = exact_value(PLAYERS[name], rules, progress=False)
    scores = simulate(PLAYERS[name], rules, games=PLAYED, seed=SEED, progress=False)
    low, high = scores.interval(method="normal")
    row(
        name, short_name(rules), f"{value.start:.4f}", f"{value.start / best:.1%}",
        f"{scores.mean:.4f} ({low:.4f} to {high:.4f})", f"{value.boards.total:,}",
    )  # fmt: skip


def main(games: list[Rules]) -> None:
    """Both tables."""
    row("rules", "boards", "best possible", "error below", f"{PLAYED:,} games of that player", "time", "memory")
    row(*["---"] * 7)
    for rules in games:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            row(*pool.submit(solved, rules).result())
    print()
    row("player", "rules", "exact", "of the best", f"{PLAYED:,} games", "boards it comes to")
    row(*["---"] * 6)
    for rules in (Rules(4, 4), Rules(5, 5), Rules(5, 5, game_over=AFTER)):
        best = solve(rules, progress=False).start
        for name in ("dellacherie", "dn", "dt-20", "el-tetris", "tetrisbot", "filter-bumpiness"):
            player_row(name, rules, best)


if __name__ == "__main__":
    main(GAMES + (LARGER if "--larger" in sys.argv else []))
