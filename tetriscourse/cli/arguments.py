"""Reading the command line: numbers, rules, players and settings, with errors that fit on one line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tetriscourse.errors import InputError, finite_numbers, one_of, whole_number

if TYPE_CHECKING:
    from tetriscourse.game.rules import Rules
    from tetriscourse.players import Filter, Player


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are InputErrors, like all others."""

    def error(self, message: str) -> NoReturn:
        raise InputError(message.removeprefix("argument ").replace(": is ", " is ", 1))


def whole(low: int | None = None, high: int | None = None) -> Callable[[str], int]:
    """How to read a whole number, from low to high when that is known here."""

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


def seconds(text: str) -> float:
    """A time that is not negative."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"is {text!r}; it must be a number of seconds of at least 0")
    return value


def number(text: str) -> float:
    """Any finite number."""
    try:
        value = float(text)
    except ValueError:
        value = inf
    if not isfinite(value):
        raise argparse.ArgumentTypeError(f"is {text!r}; it must be a number")
    return value


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
    """The error for an argument that the parser does not know."""
    name, known = argument.partition("=")[0], re.findall(r"--[a-z-]+", parser.format_usage())
    if name in known:
        raise InputError(f"option is '{name}'; it is allowed only after the command")
    one_of("option", name, known)
    raise AssertionError("an unknown option is never one of the known ones")


def chosen_rules(options: argparse.Namespace, fields: Sequence[str]) -> Rules:
    """The named rules, with the fields that were given."""
    from tetriscourse.game.rules import as_rules

    named = as_rules(options.rules, "--rules")
    given = {field: getattr(options, field) for field in fields}
    return replace(named, **{field: value for field, value in given.items() if value is not None})


OPTIMAL = "optimal"
"""The player that is not in a catalogue: it is found by solving the game, if that is small enough."""


def is_kept(name: str | None) -> bool:
    """Whether a player is not one of the catalogue: the optimal one, or one in a file."""
    return name is not None and (name == OPTIMAL or name.endswith(".npz"))


def chosen_player(options: argparse.Namespace) -> Player | Filter:
    """The named player, or one of the given features and weights."""
    from tetriscourse.features import FEATURE_SETS
    from tetriscourse.players import PLAYERS, Player, as_player

    player, features, weights = options.player, options.features, options.weights
    if player is not None and features is not None:
        raise InputError(f"--player is '{player}' and --features is '{features}'; only one of them is allowed")
    if weights is not None and features is None:
        raise InputError(f"--weights is '{weights}'; it is allowed only together with --features SET")
    if player is not None:
        chosen: Player | Filter = as_player(player, "--player")
        return chosen
    if features is None:
        raise InputError(f"--player is missing; give one of {', '.join(PLAYERS)}, or --features SET --weights=w1,...")
    one_of("--features", features, FEATURE_SETS)
    if weights is None:
        raise InputError(f"--weights is missing; --features {features} needs one number for each feature")
    return Player(features, finite_numbers("--weights", weights.split(",")), "own weights")


def one_setting(text: str, settings: Any) -> tuple[str, Any]:
    """NAME=VALUE as a name and a value of the type that this setting has."""
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


def check_folder(option: str, path: str | None) -> None:
    """An error if a file could not be written, before any work is done for it."""
    if path is not None and (not Path(path).parent.is_dir() or Path(path).exists()):
        raise InputError(f"{option} is {path!r}; it must be a new file in a folder that exists")


def duration(seconds: float) -> str:
    """A time, as one would say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"
