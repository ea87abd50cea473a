"""`tetriscourse solve`: the exact value of small Tetris, and how close players come to it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import tetriscourse as tc
from tetriscourse.cli import arguments
from tetriscourse.cli.arguments import Parser, number
from tetriscourse.cli.output import in_rows, is_talkative, say, shows_progress
from tetriscourse.errors import one_of, real_number

SUMMARY = "solve Tetris on a small board exactly"
EXAMPLES = """\
  tetriscourse solve --width 4 --height 4         the best possible play, exactly, in a second
  tetriscourse solve --width 5 --height 5 --player dellacherie --player dn
        6 million boards, and how close these players come to the best
  tetriscourse solve --width 5 --height 5 --game-over overflow-after-clearing
  tetriscourse solve --width 4 --height 4 --draw bag --two-piece
  tetriscourse solve --rules domino --width 4 --height 4 --gamma 0.9
        a game that can be played forever has a value only if the future counts less
  tetriscourse solve --width 5 --height 5 --json  one JSON object, for a script"""


def add_options(parser: Parser) -> None:
    parser.rules("research")
    parser.variants()
    parser.option("--player NAME", "also compute the exact value of this player; may be repeated", action="append")
    parser.option("--gamma G", "discount: how much the next move counts beside this one (default: 1)", number, 1.0)
    parser.option("--tolerance E", "largest error (default: 1e-6)", number, 1e-6)
    parser.option("--memory GB", "gigabytes that it may use (default: 2)", number, 2.0)
    parser.option("--save FILE", "keep the solution in a new file, for simulate --player and Solution.load in Python")
    parser.output()


def run(options: argparse.Namespace) -> int:
    """Solve the game and print its value."""
    rules = arguments.chosen_rules(options)
    names = [one_of("--player", name, tc.PLAYERS) for name in options.player or []]
    arguments.check_new_file("--save", options.save)
    real_number("--memory", options.memory, above=0)
    limits: dict[str, Any] = {
        "gamma": options.gamma, "tolerance": options.tolerance, "gigabytes": options.memory,
        "progress": shows_progress(options),
    }  # fmt: skip
    start = time.perf_counter()
    solution = tc.solve(rules, **limits)
    seconds = time.perf_counter() - start
    if options.save:
        solution.save(options.save)
    start = time.perf_counter()
    players = {name: tc.exact_value(tc.PLAYERS[name], rules, **limits) for name in names}
    print(as_json(solution, seconds, players) if options.json else as_text(solution, players))
    if is_talkative(options):
        asked = f", the players in {time.perf_counter() - start:.1f} s" if players else ""
        say(f"solved in {seconds:.1f} s{asked}")
    return 0


def as_json(solution: tc.Solution, seconds: float, players: Mapping[str, tc.PlayerValues]) -> str:
    """One JSON object."""
    found = {
        "rules": asdict(solution.rules), "gamma": solution.gamma, **numbers(solution), "seconds": round(seconds, 3),
        "players": {name: numbers(values) for name, values in players.items()},
    }  # fmt: skip
    return json.dumps(found, allow_nan=False)


def numbers(values: tc.Solution | tc.PlayerValues) -> dict[str, Any]:
    """A game's value, and how it was found."""
    return {
        "value": values.start, "boards": values.boards.total, "sweeps": values.sweeps, "residual": values.residual,
        "bound": values.bound,
    }  # fmt: skip


def as_text(solution: tc.Solution, players: Mapping[str, tc.PlayerValues]) -> str:
    """A short report."""
    from tetriscourse.game.rules import short_name

    unit = solution.unit
    report = in_rows([
        ("rules", short_name(solution.rules) + ("" if solution.gamma == 1 else f", gamma {solution.gamma:g}")),
        ("boards", f"{solution.boards.total:,} can be reached from the empty one"),
        ("value", f"{solution.start:.6f} {unit} a game: nobody does better on average"),
        ("error", f"below {solution.bound:.1g} (residual {solution.residual:.1g}, {solution.sweeps} sweeps)"),
    ])  # fmt: skip
    head = ["", f"{'player':18}{unit:>12}{'of the best':>13}{'error below':>13}{'boards':>13}"] if players else []
    lines = [
        f"{name:18}{one.start:12.6f}{one.start / solution.start:>13.1%}{one.bound:13.1g}{one.boards.total:13,}"
        for name, one in players.items()
    ]
    return "\n".join([report, *head, *lines])
