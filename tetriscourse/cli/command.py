"""The `tetriscourse` command: its parser, made from the modules of its sub-commands, and what it returns.

Those modules import everything but the standard library when they run, so that --help answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Protocol

from tetriscourse.cli import (
    bench,
    build,
    check,
    find_features,
    grade,
    lab,
    learn,
    play,
    prepare,
    progress,
    release,
    simulate,
    solve,
    train,
)
from tetriscourse.cli.arguments import Parser, refuse, with_joined_weights
from tetriscourse.errors import InputError, one_of


class SubCommand(Protocol):
    """A module with one sub-command."""

    SUMMARY: str
    EXAMPLES: str

    def add_options(self, parser: Parser) -> None: ...

    def run(self, options: argparse.Namespace) -> int: ...


SUBCOMMANDS: dict[str, SubCommand] = {
    "lab": lab, "play": play, "simulate": simulate, "train": train, "learn": learn,
    "find-features": find_features, "solve": solve, "bench": bench, "prepare": prepare,
    "build": build, "progress": progress, "release": release, "check": check, "grade": grade,
}  # fmt: skip

ABOUT = "A course on game-playing AI, from data structures to deep Q-learning, told through Tetris."
TOUR = """a short tour:
  tetriscourse lab                                 the course, in your browser
  tetriscourse play                                a game by keyboard, right here
  tetriscourse play --agent dellacherie            watch a player that was tuned by hand in 2003
  tetriscourse simulate --player dn --rules 10x10  what a learned player scores, and how certain that is
  tetriscourse train genetic-3                     let one learn, as in a paper of 2019: hours then, seconds now
  tetriscourse learn q-learning --width 6 --height 6   a table learns to play a small game forever
  tetriscourse solve --width 5 --height 5          the best possible play on a small board, exactly
  tetriscourse bench                               how many moves a second this machine makes

`tetriscourse COMMAND --help` shows the options of a command, with examples."""


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command, and those of its sub-commands."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = Parser("tetriscourse", description=ABOUT, epilog=TOUR, formatter_class=layout, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands, parsers = parser.add_subparsers(metavar="COMMAND", dest="command"), {}
    for name, module in SUBCOMMANDS.items():
        parsers[name] = commands.add_parser(
            name, help=module.SUMMARY, description=f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}.",
            epilog=f"examples:\n{module.EXAMPLES}", formatter_class=layout, allow_abbrev=False,
        )  # fmt: skip
        module.add_options(parsers[name])
    return parser, parsers


def run(arguments: Sequence[str]) -> int:
    """Parse the command line and run the sub-command."""
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
    if hasattr(options, "chapters"):  # argparse gives back the words that follow an option
        options.chapters += [word for word in strange if not word.startswith("-")]
        strange = [word for word in strange if word.startswith("-")]
    if strange:
        refuse(strange[0], parsers.get(options.command, parser))
    if options.command is None:
        parser.print_help()
        return 0
    options.rest, options.words = rest, list(arguments)
    return SUBCOMMANDS[options.command].run(options)


def main(argv: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
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
