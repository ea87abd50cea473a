"""Judging players: the moves that they choose, and the games that they play."""

from __future__ import annotations

from typing import Any

import numpy as np

from tetriscourse.course.differences import Function
from tetriscourse.course.outcomes import Outcome, Right, Wrong, clipped
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.rules import Rules
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.simulator import is_fast, simulate
from tetriscourse.statistics import Scores

A_PLAYER = "a player, such as `tc.Player([...], [...])`"
NO_ROOM = Board.from_text("XX.X\nX.XX\nXXX.", height=4)  # a board with no place for an O
SAME = 0.999  # two directions whose cosine is above this are the same player in disguise


def same_place(got: Any, expected: Any) -> bool:
    """Whether two moves put the piece in the same place."""
    if expected is None:
        return got is None
    return bool((got.orientation, got.column) == (expected.orientation, expected.column))


def none_without_room(choose: Function, *arguments: Any) -> Outcome:
    """Right when `choose` returns None where there is no place for an O."""
    name, said = choose.__name__, "There is no place for an O here, so None is expected"
    try:
        got = choose(*arguments)
    except Exception as error:
        return Wrong(f"{said}, but `{name}` stops with {type(error).__name__}.", [NO_ROOM])
    return Right() if got is None else Wrong(f"{said}, but `{name}` gives {clipped(got)}.", [NO_ROOM])


def played(player: Player | Filter, rules: Rules, games: int, seed: int) -> Scores | Wrong:
    """The scores of a student's player, or why it cannot be tried."""
    if not is_fast(player, rules):
        return Wrong(
            f"Only features of the catalogue, `tc.FEATURES`, and not too many of them, or compiled ones of your own "
            f"(`@tc.feature`): others play too slowly for {games:,} games."
        )
    try:
        return simulate(player, rules, games, seed, progress=False)
    except InputError as error:
        return Wrong(f"It cannot play on {rules.width}x{rules.height}: {error}")


def published_twin(mine: Player, width: int) -> str | None:
    """The published player with the same features and weights, whatever their order and scale."""
    for name, other in PLAYERS.items():
        if isinstance(other, Player) and cosine(direction(mine, width), direction(other, width)) > SAME:
            return name
    return None


def direction(player: Player, width: int) -> dict[str, float]:
    """The weight of each feature, summed if it is named twice, for a vector of length 1."""
    weights: dict[str, float] = {}
    for name, weight in zip(player.features.labels(width), player.weights, strict=False):
        weights[name] = weights.get(name, 0.0) + weight
    length = float(np.linalg.norm([*weights.values()])) or 1.0
    return {name: weight / length for name, weight in weights.items()}


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    """The cosine of the angle between two directions; features that a player lacks weigh nothing."""
    return sum(weight * other.get(name, 0.0) for name, weight in one.items())
