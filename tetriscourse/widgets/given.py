"""What panels are given: rules and players, by name or as they are."""

from __future__ import annotations

from typing import Any

from tetriscourse.errors import InputError, one_of, shown
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.players import PLAYERS


def rules_of(rules: Rules | str) -> Rules:
    """Rules from their name or as they are."""
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return RULES[one_of("rules", rules, RULES)]
    raise InputError(f"rules is {shown(rules)}; it must be a Rules or a name such as 'tetrisbot'")


def player_of(argument: str, player: Any) -> Any:
    """A player from its name or as it is."""
    if isinstance(player, str):
        return PLAYERS[one_of(argument, player, PLAYERS)]
    if not callable(getattr(player, "choose", None)):
        raise InputError(f"{argument} is {shown(player)}; it must be a Player or a name such as 'dellacherie'")
    return player
