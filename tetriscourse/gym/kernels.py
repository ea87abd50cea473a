"""Many games of the same rules, compiled: all take an action, some begin again, all are observed.

A game is that of simulator/turns.py, by placements or by commands, on the rules of a drop in simulator/moves.py.
Python holds the arrays (games.py); a kernel works in them and makes none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.game.random import PIECE_STREAM
from tetriscourse.simulator.compiling import fast, inlined
from tetriscourse.simulator.moves import Pile
from tetriscourse.simulator.piece_generator import draw, stream_key
from tetriscourse.simulator.shapes import SHAPE_ROWS
from tetriscourse.simulator.turns import TurnGame, command, enter, look, put

SETTINGS = np.dtype([
    ("placements", np.int64),  # 1 for placements, 0 for commands
    ("max_pieces", np.int64),  # pieces after which an episode is cut off; 0: never
    ("count_lines", np.int64),  # 1 if the reward is rows cleared, 0 if points
])  # fmt: skip
POINTS_UNIT = 16
"""The rules of a batch give 16 * points + rows for some rows, so that one number tells both: no action clears 16."""


class Batch(NamedTuple):
    """Games as arrays, the first axis of which numbers the games."""

    rules: Any  # a record of records.RULES_RECORD, whose points are 16 * points + rows
    settings: Any  # a record of SETTINGS
    rows: Any  # the boards: a number for each row, bit j for column j
    heights: Any  # the height of each column, and three zeros
    places: Any  # records of turns.PLACE
    allowed: Any  # the actions that are possible now, the first places.allowed of each row
    land: Any  # for each placement the row where it comes to rest
    masks: Any  # True for actions that are possible now
    keys: Any  # the keys of the pieces
    lines: Any  # rows cleared so far
    numbers: Any  # the numbers of the games, among those of the seed


@inlined
def game_of(batch: Any, i: Any) -> Any:
    """Game i, as turns.py reads it."""
    batch.rules.bag_start = -1  # the bag in the rules is that of another game
    board = Pile(batch.rows[i], batch.heights[i])
    return TurnGame(batch.rules, batch.settings, board, batch.places[i], batch.allowed[i], batch.land[i])


@fast
def write_mask(batch: Any, i: Any) -> None:
    """Turn the list of possible actions into a mask."""
    masks, allowed = batch.masks[i], batch.allowed[i]
    for action in range(len(masks)):
        masks[action] = False
    for k in range(batch.places[i].allowed):
        masks[allowed[k]] = True


@fast
def begin(batch: Any, i: Any, seed: Any, number: Any) -> None:
    """Let the first piece of a game come, on whatever board there is."""
    game, place = game_of(batch, i), batch.places[i]
    batch.keys[i], batch.numbers[i] = stream_key(seed, number, np.int64(PIECE_STREAM)), number
    place.number, place.lost, batch.lines[i] = 0, 0, 0
    if batch.settings.placements:
        look(game, batch.keys[i])
    else:
        enter(game, batch.keys[i])
    write_mask(batch, i)


@fast
def restart(batch: Any, which: Any, seed: Any, stride: Any) -> None:
    """Begin those games again, each with its number increased by the stride, on empty boards."""
    for i in range(len(which)):
        if which[i]:
            batch.rows[i] = 0
            batch.heights[i] = 0
            begin(batch, i, seed, batch.numbers[i] + stride)


@fast
def act(batch: Any, i: Any, action: Any) -> Any:
    """Take an action in game i: 16 * points + rows cleared."""
    game, gain = game_of(batch, i), np.int64(0)
    if batch.settings.placements:
        gain += put(game, action, batch.keys[i])
        write_mask(batch, i)
    else:
        gain += command(game, action, batch.keys[i])
    batch.lines[i] += gain % POINTS_UNIT
    return gain


@fast
def act_all(batch: Any, actions: Any, skip: Any, rewards: Any, terminated: Any, truncated: Any, illegal: Any) -> None:
    """Take an action in every game that is not to be skipped; an action that is not possible changes nothing."""
    settings = batch.settings
    for i in range(len(actions)):
        rewards[i], terminated[i], truncated[i], illegal[i] = 0.0, False, False, False
        if skip[i]:
            continue
        if not batch.masks[i, actions[i]]:
            illegal[i] = True
            continue
        gain, place = act(batch, i, actions[i]), batch.places[i]
        rewards[i] = gain % POINTS_UNIT if settings.count_lines else gain // POINTS_UNIT
        terminated[i] = place.lost != 0
        truncated[i] = place.lost == 0 and 0 < settings.max_pieces <= place.number


@fast
def observe(batch: Any, cells: Any, falling: Any, pieces: Any, next_pieces: Any) -> None:
    """Write the settled cells, those of the falling piece, its number and that of the next one."""
    rules = batch.rules
    for i in range(len(pieces)):
        rows, place = batch.rows[i], batch.places[i]
        for r in range(rules.height):
            bits = rows[r]
            for c in range(rules.width):
                cells[i, r, c] = (bits >> c) & 1
        pieces[i], rules.bag_start = place.piece, -1
        next_pieces[i] = draw(place.number + 1, batch.keys[i], rules)
        if len(falling):
            write_falling(falling[i], place, rules)


@fast
def write_falling(cells: Any, place: Any, rules: Any) -> None:
    """Write the cells of the falling piece; once the game is lost, there is none."""
    shape = rules.shapes[place.turn]
    for r in range(cells.shape[0]):
        inside = place.lost == 0 and place.row <= r < place.row + rules.turn_height[place.turn]
        bits = SHAPE_ROWS[shape, r - place.row] << place.column if inside else 0
        for c in range(cells.shape[1]):
            cells[r, c] = (bits >> c) & 1


@fast
def choose(batch: Any, chances: Any, actions: Any) -> None:
    """For each game one of its possible actions, by a number from 0 to 1; 0 if none is possible."""
    for i in range(len(actions)):
        count = batch.places[i].allowed
        actions[i] = batch.allowed[i, min(np.int64(chances[i] * count), count - 1)] if count else 0
