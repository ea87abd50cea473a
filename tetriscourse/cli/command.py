"""The `tetriscourse` command: start the course, play, simulate, train, learn, solve, measure.

Everything but the standard library is imported when a sub-command runs, so that --help answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tetriscourse.cli.arguments import (
    OPTIMAL,
    Parser,
    chosen_player,
    chosen_rules,
    is_kept,
    refuse,
    with_joined_weights,
)
from tetriscourse.cli.options import HELP, TOUR
from tetriscourse.errors import InputError, one_of

# --- the commands -------------------------------------------------------------------------------


def lab(options: argparse.Namespace) -> int:
    """Start JupyterLab on the course."""
    from tetriscourse.course.lab import run as run_lab

    return run_lab(options)


def play(options: argparse.Namespace) -> int:
    """Play or watch one game in the terminal."""
    from tetriscourse.agents import AGENTS
    from tetriscourse.cli.play import play as play_in_terminal
    from tetriscourse.players import PLAYERS

    if options.list:
        for name, make in AGENTS.items():
            source = f" ({PLAYERS[name].source})" if name in PLAYERS else ""
            print(f"{name:24} {make().describe}{source}")
        print(f"{OPTIMAL:24} takes the best possible move, on boards small enough to be solved: --rules 5x5")
        return 0
    name = options.agent
    if not is_kept(name):
        one_of("--agent", name, [*AGENTS, OPTIMAL])
    rules, seed = chosen_rules(options, ("width", "height")), options.seed
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big") if name == "human" else 0
        if name == "human":
            print(f"these pieces come again with --seed {seed}", file=sys.stderr)
    agent = name
    if is_kept(name):
        from tetriscourse.mdp.saved_players import kept_agent

        agent = kept_agent(name, rules)
    play_in_terminal(agent, rules, seed=seed, pause=options.pause, max_blocks=options.max_pieces or 0)
    return 0


def list_names() -> int:
    """Everything that can be named: players, rules, feature sets."""
    from tetriscourse.features import FEATURE_SETS
    from tetriscourse.game.rules import RULES
    from tetriscourse.players import PLAYERS

    print("players")
    for name, player in PLAYERS.items():
        print(f"  {name:18} {player.source}")
    print(f"  {OPTIMAL:18} the best possible one, on boards that are small enough to be solved: 5x5, 4x6")
    print("rules")
    for name, rules in RULES.items():
        print(f"  {name:18} {rules}")
    print("feature sets, with the order of their weights")
    for name, chosen in FEATURE_SETS.items():
        print(f"  {name:18} {', '.join(feature.name for feature in chosen.features)}")
    return 0


RULES_OPTIONS = ("width", "height", "max_pieces", "pieces_known", "draw", "game_over", "losing_moves")


def simulate(options: argparse.Namespace) -> int:
    """Play many games and say what came out."""
    if options.list:
        return list_names()
    from tetriscourse.cli.score_report import as_json, as_table
    from tetriscourse.players import Player

    rules = chosen_rules(options, RULES_OPTIONS)
    player: Any = None
    if is_kept(options.player):
        from tetriscourse.mdp.saved_players import kept_player

        player = kept_player(options.player, rules)
    else:
        player = chosen_player(options)
    if isinstance(player, Player):
        player.check_width(rules.width)
    from tetriscourse.simulator import simulate as simulate_games  # slow to load: bad input is told before

    scores = simulate_games(
        player,
        rules,
        games=options.games,
        seed=options.seed or 0,
        threads=options.threads,
        progress=not (options.quiet or options.json) and sys.stderr.isatty(),
    )
    print(as_json(scores) if options.json else as_table(scores))
    if scores.interrupted:
        print(f"tetriscourse: interrupted after {len(scores)} of {options.games} games", file=sys.stderr)
    elif not (options.quiet or options.json):
        print(f"{scores.moves_per_second:,.0f} moves a second of a core, {scores.threads} threads", file=sys.stderr)
    return 130 if scores.interrupted else 0


def train(options: argparse.Namespace) -> int:
    """Learn weights, and say what they are worth."""
    from tetriscourse.cli.train import run as run_training

    return run_training(options, options.words)


def learn(options: argparse.Namespace) -> int:
    """Learn to decide, with a table or a network."""
    from tetriscourse.cli.learn import run as run_learner

    return run_learner(options)


def solve(options: argparse.Namespace) -> int:
    """Solve a small game exactly."""
    from tetriscourse.cli.solve import run as run_solver

    return run_solver(options)


def bench(options: argparse.Namespace) -> int:
    """Measure the speed of this machine."""
    if options.yardstick is not None and not Path(options.yardstick).is_file():
        raise InputError(f"--yardstick is '{options.yardstick}'; it must be a file with a C program")
    from tetriscourse.simulator.bench import main as measure

    return measure(json=options.json, yardstick=options.yardstick, seconds=options.seconds) or 0


def build(options: argparse.Namespace) -> int:
    """Execute the sources of the notebooks and write them."""
    from tetriscourse.teaching.building import run as build_notebooks

    return build_notebooks(options)


def progress(options: argparse.Namespace) -> int:
    """Show what has been done so far."""
    from tetriscourse.cli.progress import run as show_progress

    return show_progress(options)


def release(options: argparse.Namespace) -> int:
    """Write a hand-out for students, or a course tree for nbgrader."""
    from tetriscourse.teaching.releasing import run as release_course

    return release_course(options)


def check(options: argparse.Namespace) -> int:
    """Run the course and compare what comes out with what is stored."""
    from tetriscourse.teaching.validation import run as validate

    return validate(options)


def grade(options: argparse.Namespace) -> int:
    """Run and judge what students handed in."""
    from tetriscourse.cli.grade import run as grade_submissions

    return grade_submissions(options)


# --- running ------------------------------------------------------------------------------------

SUBCOMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "lab": lab, "play": play, "simulate": simulate, "train": train, "learn": learn, "solve": solve, "bench": bench,
    "build": build, "progress": progress, "release": release, "check": check, "grade": grade,
}  # fmt: skip


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command, and those of its sub-commands."""
    layout = argparse.RawDescriptionHelpFormatter
    about = "A course on game-playing AI, from data structures to deep Q-learning, told through Tetris."
    parser = Parser("tetriscourse", description=about, epilog=TOUR, formatter_class=layout, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version, and stop")
    commands, parsers = parser.add_subparsers(metavar="COMMAND", dest="command"), {}
    for name, (add_options, summary, examples) in HELP.items():
        parsers[name] = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=examples,
            formatter_class=layout, allow_abbrev=False,
        )  # fmt: skip
        add_options(parsers[name])
    return parser, parsers


def run(arguments: Sequence[str]) -> int:
    """Read the command line and do what it says."""
    parser, parsers = build_parser()
    if arguments and not arguments[0].startswith("-"):
        one_of("COMMAND", arguments[0], SUBCOMMANDS)
    known, rest = list(arguments), []
    if arguments[:1] == ["lab"] and "--" in known:
        known, rest = known[: known.index("--")], known[known.index("--") + 1 :]
    options, strange = parser.parse_known_args(with_joined_weights(known))
    if options.version:
        from importlib.metadata import version

        print(f"tetriscourse {version('tetriscourse')}")
        return 0
    if hasattr(options, "chapters"):  # argparse gives back the words that stand behind an option
        options.chapters += [word for word in strange if not word.startswith("-")]
        strange = [word for word in strange if word.startswith("-")]
    if strange:
        refuse(strange[0], parsers.get(options.command, parser))
    if options.command is None:
        parser.print_help()
        return 0
    options.rest, options.words = rest, list(arguments)
    return SUBCOMMANDS[options.command](options)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; what it returns is the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            code = run(arguments)
        except SystemExit as end:  # argparse has printed a help text
            code = int(end.code or 0)
        print(end="", flush=True)
        return code
    except InputError as error:
        command = f"tetriscourse {arguments[0]}" if arguments and arguments[0] in SUBCOMMANDS else "tetriscourse"
        print(f"tetriscourse: error: {' '.join(str(error).split())} (see {command} --help)", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tetriscourse: interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would try to write once more
        if isinstance(error, BrokenPipeError):  # the reader, such as head, has seen enough
            return 141
        print(f"tetriscourse: error: {error}", file=sys.stderr)
        return 1

