"""Reading the command line: options that several sub-commands share; numbers, rules, players and settings."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any, NoReturn

import tetriscourse as tc
from tetriscourse.errors import InputError, finite_numbers, one_of, whole_number

LARGEST, MOST_GAMES, MOST_THREADS = 2**63 - 1, 10**8, 1024
OPTIMAL = "optimal"  # a player that is in no catalogue: it comes from solving the game, if that is small enough


class Parser(argparse.ArgumentParser):
    """An argument parser that raises InputError."""

    def error(self, message: str) -> NoReturn:
        raise InputError(message.removeprefix("argument ").replace(": is ", " is ", 1))

    def option(self, flag: str, text: str, read: Callable[[str], Any] = str, default: Any = None, **more: Any) -> None:
        """Add an option with a value, such as '--port P'."""
        name, metavar = flag.split()
        self.add_argument(name, metavar=metavar, help=text, type=read, default=default, **more)

    def switch(self, name: str, text: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=text)

    def shared(self, *flags: str) -> None:
        """Add options of SHARED."""
        for flag in flags:
            self.option(flag, *SHARED[flag])

    def rules(self, default: str | None, shown: str = "") -> None:
        """Add --rules, --width and --height."""
        self.option("--rules NAME", f"rules by name (default: {shown or default})", default=default)
        self.shared("--width W", "--height H")

    def variants(self) -> None:
        """Add the options that change a single rule."""
        two_piece = "the next piece is known, too"
        self.add_argument("--two-piece", dest="pieces_known", action="store_const", const=2, help=two_piece)
        self.shared("--draw HOW", "--game-over WHEN", "--losing-moves HOW")

    def search(self) -> None:
        """Add --look-ahead, --best and --lost."""
        text = "look two moves ahead; the next piece known, or unknown and averaged over (the default)"
        self.add_argument("--look-ahead", nargs="?", const="unknown", metavar="NEXT", help=text)
        self.option("--best K", "look ahead only after the K best first moves (default: all)", whole(1, LARGEST))
        self.option("--lost PRICE", "value of an answer that does not exist (default: avoided at any price)", number)

    def settings(self) -> None:
        """Add --set, which may be repeated."""
        self.option("--set NAME=VALUE", "change a setting; may be repeated", action="append")

    def run_files(self, checkpoint: str, save: str = "") -> None:
        """Add --checkpoint, --resume and, if there is something to save, --save."""
        self.option("--checkpoint FILE", checkpoint)
        self.switch("--resume", "continue from the checkpoint, if it exists")
        if save:
            self.option("--save FILE", save)

    def output(self, quiet: str = "do not show progress or timing") -> None:
        """Add --json and --quiet."""
        self.switch("--json", "print one JSON object")
        self.switch("--quiet", quiet)

    def chapters(self, verb: str) -> None:
        """Add any number of chapters."""
        self.add_argument("chapters", nargs="*", default=[], metavar="NN", help=f"chapters to {verb} (default: all)")


def whole(low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """A reader of whole numbers from low to high, where these are given."""

    def read(text: str) -> int:
        try:
            value: int | str = int(text)
        except ValueError:
            value = text
        try:
            return whole_number("", value, -sys.maxsize if low is None else low, high)
        except InputError as error:
            problem = "it must be a whole number" if low is None else str(error).partition("; ")[2]
            raise argparse.ArgumentTypeError(f"is {text!r}; {problem}") from None

    return read


def real(allowed: str, least: float = -inf) -> Callable[[str], float]:
    """A reader of finite numbers that are not below the least."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = nan
        if not (isfinite(value) and value >= least):
            raise argparse.ArgumentTypeError(f"is {text!r}; it must be {allowed}")
        return value

    return read


number = real("a number")
seconds = real("a number of seconds of at least 0", 0.0)

SHARED: dict[str, tuple[Any, ...]] = {
    "--width W": ("number of columns, instead of that of the rules", whole()),
    "--height H": ("number of rows, instead of that of the rules", whole()),
    "--max-pieces M": ("stop a game after M pieces", whole(0, LARGEST)),
    "--draw HOW": ("independent, bag or by-turns",),
    "--game-over WHEN": ("overflow, overflow-after-clearing or top-row",),
    "--losing-moves HOW": ("refused or allowed",),
    "--threads T": ("number of threads (default: all that the process may use)", whole(1, MOST_THREADS)),
}
"""Options of several sub-commands: help and reader of each."""


def with_joined_weights(arguments: Sequence[str]) -> list[str]:
    """`--weights -1,1` as `--weights=-1,1`: argparse takes a leading minus for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--weights" and not argument.startswith("--"):
            joined[-1] += "=" + argument
        else:
            joined.append(argument)
    return joined


def refuse(argument: str, parser: Parser) -> NoReturn:
    """Raise the error for an argument that the parser does not know."""
    name, known = argument.partition("=")[0], re.findall(r"--[a-z-]+", parser.format_usage())
    if name in known:
        raise InputError(f"option is '{name}'; it is allowed only after the command")
    one_of("option", name, known)
    raise AssertionError("an unknown option is never one of the known ones")


RULES_FIELDS = ("width", "height", "max_pieces", "pieces_known", "draw", "game_over", "losing_moves")


def chosen_rules(options: argparse.Namespace) -> tc.Rules:
    """The named rules with whatever the options change."""
    named = tc.as_rules(options.rules, "--rules")
    given = {field: getattr(options, field, None) for field in RULES_FIELDS}
    return replace(named, **{field: value for field, value in given.items() if value is not None})


def is_saved(name: str | None) -> bool:
    """Whether a player is in no catalogue: the optimal one, or one in a file."""
    return name is not None and (name == OPTIMAL or name.endswith(".npz"))


def chosen_player(options: argparse.Namespace, rules: tc.Rules) -> Any:
    """The named player, or one with the given features and weights."""
    player, features, weights = options.player, options.features, options.weights
    if is_saved(player):
        from tetriscourse.mdp.saved_players import kept_player

        return kept_player(player, rules)
    if player is not None and features is not None:
        raise InputError(f"--player is '{player}' and --features is '{features}'; only one of them is allowed")
    if weights is not None and features is None:
        raise InputError(f"--weights is '{weights}'; it is allowed only together with --features SET")
    if player is not None:
        return tc.as_player(player, "--player")
    if features is None:
        names = ", ".join(tc.PLAYERS)
        raise InputError(f"--player is missing; give one of {names}, or --features SET --weights=w1,...")
    one_of("--features", features, tc.FEATURE_SETS)
    if weights is None:
        raise InputError(f"--weights is missing; --features {features} needs one number for each feature")
    return tc.Player(features, finite_numbers("--weights", weights.split(",")), "own weights")


def chosen_search(options: argparse.Namespace) -> tc.Search | None:
    """How the player looks ahead, if it does."""
    if options.look_ahead is None:
        for option in ("best", "lost"):
            if getattr(options, option) is not None:
                raise InputError(f"--{option} is {getattr(options, option)!r}; it is allowed only with --look-ahead")
        return None
    return tc.Search(one_of("--look-ahead", options.look_ahead, ("known", "unknown")), options.best, options.lost)


def looking_ahead(player: Any, options: argparse.Namespace) -> Any:
    """The player, looking ahead as the options say."""
    search = chosen_search(options)
    if search is None:
        return player
    if not isinstance(player, tc.Player):
        name = getattr(player, "name", type(player).__name__)
        raise InputError(f"--player is '{name}'; with --look-ahead it must be one that weighs features, such as dn")
    return search.over(player)


def changed_settings(options: argparse.Namespace, settings: Any) -> dict[str, Any]:
    """The settings that --set changes, by name."""
    return dict(one_setting(text, settings) for text in options.set or ())


def one_setting(text: str, settings: Any) -> tuple[str, Any]:
    """NAME=VALUE as a name and a value of the setting's type."""
    name, equals, value = text.partition("=")
    known = {one.name: one for one in fields(settings)}
    if not equals:
        raise InputError(f"--set is {text!r}; it must be NAME=VALUE, with one of {', '.join(known)}")
    default = known[one_of("--set", name, known)].default
    if isinstance(default, bool):
        return name, one_of(name, value, ("yes", "no")) == "yes"
    if isinstance(default, str) and "," in value:
        return name, tuple(value.split(","))
    if isinstance(default, tuple):
        return name, finite_numbers(name, value.split(","))
    for read in (int, float):
        try:
            return name, read(value)
        except ValueError:
            continue
    return name, value


def check_new_file(option: str, path: str | None) -> None:
    """Raise an error if a file cannot be written, before any work is done for it."""
    if path is not None and (not Path(path).parent.is_dir() or Path(path).exists()):
        raise InputError(f"{option} is {path!r}; it must be a new file in a folder that exists")


def check_run_files(options: argparse.Namespace) -> None:
    """Raise an error if --save or --resume cannot work."""
    if "save" in options:
        check_new_file("--save", options.save)
    if options.resume and options.checkpoint is None:
        raise InputError("--resume is given; it needs --checkpoint FILE, the run to continue")
