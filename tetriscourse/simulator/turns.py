"""The Engine's game, by commands or by placements, turn by turn: the game of a learner, compiled.

A board is one number a row, bit j for column j, because the 8x8 board of the domino does not fit into one number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.simulator.columns import popcount
from tetriscourse.simulator.compiling import fast
from tetriscourse.simulator.moves import NO_ROW, fits, is_lost, landing_row, moves_of, settle
from tetriscourse.simulator.piece_generator import draw

PLACE = np.dtype([
    ("piece", np.int64),  # the falling piece
    ("turn", np.int64),
    ("row", np.int64),
    ("column", np.int64),
    ("number", np.int64),  # its number in the game
    ("lost", np.int64),
    ("allowed", np.int64),  # how many actions are possible now
])  # fmt: skip


class TurnGame(NamedTuple):
    """A game that is being played."""

    rules: Any  # a record of records.RULES_RECORD
    settings: Any  # how the learner sees it and acts in it
    rows: Any
    place: Any  # a record of PLACE
    allowed: Any  # the actions that are possible now; the first place.allowed count
    land: Any  # for each placement the row where it comes to rest


@fast
def settle_here(game: Any) -> Any:
    """Leave the falling piece where it is; the points for full rows."""
    place, rules = game.place, game.rules
    _, full, loses = settle(game.rows, place.turn, place.column, place.row, rules)
    if loses:
        place.lost = 1
    return rules.points[popcount(full)]


@fast
def appear(game: Any, key: Any) -> None:
    """Let the next piece appear in the middle and fall one row, if it can."""
    place, rules = game.place, game.rules
    place.piece = draw(place.number, key, rules)
    place.turn = rules.spawns[place.piece]
    place.row = rules.height - rules.turn_height[place.turn] + 1
    place.column = (rules.width - rules.turn_width[place.turn]) // 2


@fast
def bring(game: Any, turn: Any, row: Any, column: Any) -> Any:
    """Move the falling piece there if it fits below the upper edge; whether it did."""
    place, rules = game.place, game.rules
    if row + rules.turn_height[turn] > rules.height + 2 or not fits(game.rows, turn, column, row, rules):
        return False
    place.turn, place.row, place.column = turn, row, column
    return True


@fast
def turn_piece(game: Any, step: Any) -> None:
    """Turn the falling piece by a step in the list of its orientations, if it fits."""
    place, rules = game.place, game.rules
    first, old = rules.first[place.piece], place.turn
    count = rules.first[place.piece + 1] - first
    new = first + (old - first + step + count) % count
    top = place.row + rules.turn_height[old] + rules.corner_row[old] - rules.corner_row[new]
    column = place.column - rules.corner_column[old] + rules.corner_column[new]
    bring(game, new, top - rules.turn_height[new], column)


@fast
def enter(game: Any, key: Any) -> Any:
    """Let the next piece appear; if it cannot, it settles one row higher, which loses. The points for that."""
    appear(game, key)
    place = game.place
    if fits(game.rows, place.turn, place.column, place.row, game.rules):
        return np.int64(0)
    place.row += 1
    return settle_here(game)


@fast
def command(game: Any, action: Any, key: Any) -> Any:
    """One turn of the Engine, with L R D H T N as 0 to 5: the points."""
    place = game.place
    left = game.rules.left[place.piece]
    if action == 0:
        bring(game, place.turn, place.row, place.column - 1)
    elif action == 1:
        bring(game, place.turn, place.row, place.column + 1)
    elif action == 2:
        while bring(game, place.turn, place.row - 1, place.column):
            pass
    elif action == 3:
        turn_piece(game, -left)
    elif action == 4:
        turn_piece(game, left)
    if bring(game, place.turn, place.row - 1, place.column):
        return np.int64(0)
    points = settle_here(game)
    place.number += 1
    if place.lost == 0:
        points += enter(game, key)
    return points


@fast
def look(game: Any, key: Any) -> None:
    """See which piece comes and where it can go; without any place for it, the game is lost."""
    place, rules, rows, count = game.place, game.rules, game.rows, 0
    appear(game, key)
    first, last = moves_of(rows, place.piece, rules)
    for i in range(first, last if place.lost == 0 else first):
        turn, column = rules.move_turn[i], rules.move_column[i]
        row = landing_row(rows, turn, column, rules)
        if row != NO_ROW and (rules.losing or not is_lost(rows, turn, column, row, rules)):
            action = (turn - rules.first[place.piece]) * rules.width + column
            game.land[action] = row
            game.allowed[count] = action
            count += 1
    place.allowed, place.lost = count, count == 0


@fast
def put(game: Any, action: Any, key: Any) -> Any:
    """Bring the piece to rest; the points."""
    place, rules = game.place, game.rules
    place.turn, place.column = rules.first[place.piece] + action // rules.width, action % rules.width
    place.row = game.land[action]
    points = settle_here(game)
    place.number += 1
    look(game, key)
    return points
