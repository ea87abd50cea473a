"""Tables of candidate moves that show why one is chosen: features, weights and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from tetriscourse.errors import counted
from tetriscourse.game.moves import Move
from tetriscourse.game.pieces import Piece
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.players import Filter, Player
from tetriscourse.simulator.choosing import compiled_player
from tetriscourse.widgets.blocks import Spec, table_data


@dataclass(frozen=True)
class Candidate:
    """A move as a player sees it."""

    move: Move
    features: tuple[float, ...]  # values of the player's features or of a filter's criteria; empty if it has none
    value: float | None  # the player's value, of which the highest is chosen; None if the player does not tell
    name: str = ""  # the move in short, if that has been found already


def candidates(player: Any, moves: Sequence[Move]) -> list[Candidate]:
    """The moves as a player sees them, best first; ties stay in the order of the moves."""
    if moves and hasattr(player, "check_width"):
        player.check_width(moves[0].before.width)
    if isinstance(player, Player):
        found = [Candidate(move, tuple(player.features.values(move)), player.value(move)) for move in moves]
    elif isinstance(player, Filter):
        found = _filtered(player, moves)
    elif callable(getattr(player, "value", None)):  # a network, or a user's own player
        found = [Candidate(move, (), float(player.value(move))) for move in moves]
    else:
        return [Candidate(move, (), None) for move in moves]
    return sorted(found, key=lambda one: -(one.value or 0.0))


def ahead_judge(player: LookAhead, next_piece: Piece, rules: Rules) -> SimpleNamespace:
    """A judge with the values of a player that looks ahead, given the next piece."""
    quick = compiled_player(player, rules)
    if quick is player:
        return SimpleNamespace(value=lambda move: player.value(move, next_piece, rules))
    return SimpleNamespace(value=lambda move: quick.value(move, next_piece))


def _filtered(player: Filter, moves: Sequence[Move]) -> list[Candidate]:
    """The moves as a filter sees them: the value is the number of criteria passed."""
    stages = player.stages(list(moves))
    found = []
    for move in moves:
        values = tuple(criterion.sign * criterion.value(move) for criterion in player.criteria)
        found.append(Candidate(move, values, sum(any(move is left for left in stage) for stage in stages)))
    return found


def move_name(move: Move) -> str:
    """A short name for a move: its shape and column."""
    return f"{move.piece.name} {move.shape} at {move.column}"


def headings(player: Any, width: int) -> list[str]:
    """The names of a candidate's features."""
    if isinstance(player, Player):
        return list(player.features.labels(width))
    if isinstance(player, Filter):
        return [str(criterion) for criterion in player.criteria]
    return []


def candidate_table(player: Any, found: Sequence[Candidate], chosen: Move | None = None, caption: str = "") -> Spec:
    """All candidates with features, weights and values; the chosen one is marked."""
    if not found:
        return table_data(["move"], [], caption="No move is left.")
    names = headings(player, found[0].move.before.width)
    # Features with a value for each column would make the table too wide.
    shown = [number for number, name in enumerate(names) if "[" not in name]
    valued = found[0].value is not None
    last = "passed" if isinstance(player, Filter) else "value"
    columns = ["move", *(names[number].replace("_", " ") for number in shown), *([last] if valued else [])]
    rows: list[list[str]] = []
    if isinstance(player, Player):
        rows.append(["weight", *(f"{player.weights[number]:.4g}" for number in shown), ""])
    for one in found:
        value = [] if one.value is None else [f"{one.value:.4g}"]
        rows.append([one.name or move_name(one.move), *(f"{one.features[number]:g}" for number in shown), *value])
    marked = next((n for n, one in enumerate(found) if chosen is not None and same(one.move, chosen)), None)
    first = len(rows) - len(found)
    caption = caption or f"{counted(len(found), 'move')}, best first: shape from its top row down, leftmost column"
    return table_data(columns, rows, None if marked is None else first + marked, caption)


def same(one: Move, other: Move) -> bool:
    """Whether two moves put the piece in the same place."""
    return (one.orientation, one.column, one.row) == (other.orientation, other.column, other.row)


def reason_table(player: Any, one: Candidate, other: Candidate | None = None) -> Spec:
    """The value of a move as a sum of feature values times weights, next to those of another move if given."""
    if not isinstance(player, Player):
        return _worth_table(player, [one, other] if other else [one])
    columns = ["feature", "value", "weight", "product"] + (["product of the other", "difference"] if other else [])
    rows = []
    for number, name in enumerate(headings(player, one.move.before.width)):
        weight, mine = player.weights[number], player.weights[number] * one.features[number]
        line = [name.replace("_", " "), f"{one.features[number]:g}", f"{weight:.4g}", short(mine)]
        if other:
            theirs = weight * other.features[number]
            line += [short(theirs), signed(mine - theirs)]
        rows.append(line)
    ends = [f"{other.value:.4g}", signed((one.value or 0) - (other.value or 0))] if other else []
    total = ["sum", "", "", f"{one.value:.4g}", *ends]
    return table_data(columns, [*rows, total], marked=len(rows), caption=move_name(one.move))


def _worth_table(player: Any, found: Sequence[Candidate]) -> Spec:
    """The criteria or values of moves, for players that do not sum weighted features."""
    names = headings(player, found[0].move.before.width)
    last = "passed" if isinstance(player, Filter) else "value"
    rows = [
        [move_name(one.move), *(f"{x:g}" for x in one.features), "" if one.value is None else f"{one.value:.4g}"]
        for one in found
    ]
    return table_data(["move", *names, last], rows, marked=0, caption=move_name(found[0].move))


def short(number: float) -> str:
    """A number in four digits; zero has no sign."""
    return f"{number + 0.0:.4g}"


def signed(number: float) -> str:
    """A number with its sign; zero has none."""
    return f"{number:+.4g}" if abs(number) > 1e-9 else "0"


def worded(one: Candidate, worth: str) -> str:
    """A candidate in words."""
    return move_name(one.move) + ("" if one.value is None else f", {worth} {one.value:.4g}")


def compared(one: Candidate, chosen: Candidate, worth: str) -> str:
    """A candidate in words, compared with the chosen one."""
    if one.value is None or chosen.value is None:
        return worded(one, worth)
    less = chosen.value - one.value
    return f"{worded(one, worth)}, {abs(less):.4g} {'less' if less >= 0 else 'more'}"
