"""`tetriscourse solve`: small Tetris exactly, and how far players are from the best."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict
from typing import Any

from tetriscourse.cli.arguments import check_folder, chosen_rules
from tetriscourse.errors import one_of, real_number
from tetriscourse.game.rules import short_name
from tetriscourse.mdp.exact.solution import Solution, solve
from tetriscourse.mdp.exact.values import BoardValues
from tetriscourse.players import PLAYERS

RULES_FIELDS = ("width", "height", "pieces_known", "draw", "game_over", "losing_moves")


def run(options: argparse.Namespace) -> int:
    """Solve, and print what came out."""
    rules = chosen_rules(options, RULES_FIELDS)
    names = [one_of("--player", name, PLAYERS) for name in options.player or []]
    check_folder("--save", options.save)
    real_number("--memory", options.memory, above=0)
    progress = not (options.quiet or options.json) and sys.stderr.isatty()
    limits = {"gamma": options.gamma, "tolerance": options.tolerance, "gigabytes": options.memory, "progress": progress}
    start = time.perf_counter()
    solution = solve(rules, **limits)
    seconds = time.perf_counter() - start
    if options.save:
        solution.save(options.save)
    from tetriscourse.mdp.exact.player_values import exact_value

    start = time.perf_counter()
    players = {name: exact_value(PLAYERS[name], rules, **limits) for name in names}
    print(as_json(solution, seconds, players) if options.json else as_text(solution, players))
    if not (options.quiet or options.json):
        asked = f", the players in {time.perf_counter() - start:.1f} s" if players else ""
        print(f"solved in {seconds:.1f} s{asked}", file=sys.stderr)
    return 0


def as_json(solution: Solution, seconds: float, players: dict[str, Any]) -> str:
    """One JSON object."""
    found = {
        "rules": asdict(solution.rules), "gamma": solution.gamma, **numbers(solution), "seconds": round(seconds, 3),
        "players": {name: numbers(values) for name, values in players.items()},
    }  # fmt: skip
    return json.dumps(found, allow_nan=False)


def numbers(values: BoardValues) -> dict[str, Any]:
    """What is known of a game's value."""
    return {
        "value": values.start, "boards": values.boards.total, "sweeps": values.sweeps, "residual": values.residual,
        "bound": values.bound,
    }  # fmt: skip


def as_text(solution: Solution, players: dict[str, Any]) -> str:
    """A short report."""
    unit = solution.unit
    rows = [
        ("rules", short_name(solution.rules) + ("" if solution.gamma == 1 else f", gamma {solution.gamma:g}")),
        ("boards", f"{solution.boards.total:,} can be reached from the empty one"),
        ("value", f"{solution.start:.6f} {unit} a game: nobody does better on average"),
        ("error", f"below {solution.bound:.1g} (residual {solution.residual:.1g}, {solution.sweeps} sweeps)"),
    ]
    lines = [f"{name:12} {text}" for name, text in rows]
    if players:
        lines += ["", f"{'player':18}{unit:>12}{'of the best':>13}{'error below':>13}{'boards':>13}"]
    for name, values in players.items():
        share = f"{values.start / solution.start:.1%}"
        lines.append(f"{name:18}{values.start:12.6f}{share:>13}{values.bound:13.1g}{values.boards.total:13,}")
    return "\n".join(lines)
