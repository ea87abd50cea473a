"""The Engine's game and placements, turn by turn, compiled: what a learner plays in.

A board is one number a row, bit j for column j, because the 8x8 board of the domino is too large for bitboards.py.
The rules are those of encode.encode_rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tetriscourse.simulator.compiling import fast
from tetriscourse.simulator.layout import Number
from tetriscourse.simulator.piece_generator import draw

WIDTH, HEIGHT, CLEAR_TOP, SPAWN, LOSING, POINTS = (
    int(one) for one in (Number.WIDTH, Number.HEIGHT, Number.CLEAR_TOP, Number.SPAWN, Number.LOSING, Number.POINTS)
)
HIGH, WIDE, CORNER_ROW, CORNER_COLUMN, COUNT, SPAWN_TURN, LEFT, SHAPE_SIZE = range(4, 12)
"""A shape: four rows of bits, then its size and corner; of its piece how many orientations it has, the first one, and
a turn to the left."""
PIECE, TURN, ROW, COLUMN, NUMBER, LOST, ALLOWED, PLACE_SIZE = range(8)
"""The falling piece and where it is, its number in the game, whether that is lost, how many actions there are."""
NO_ROW = -1


class Game(NamedTuple):
    """A game that is being played."""

    numbers: Any
    """The rules, by layout.Number."""
    settings: Any
    shapes: Any
    """For each piece and orientation what HIGH, WIDE and so on name."""
    rows: Any
    place: Any
    allowed: Any
    """The actions that are possible now; the first place[ALLOWED] count."""
    land: Any
    """For each placement the row where it comes to rest."""


# --- the board ------------------------------------------------------------------------------------


@fast
def fits(game: Any, turn: Any, row: Any, column: Any) -> Any:
    """Whether the cells of the piece, turned like this, are empty there, inside the walls and the floor."""
    piece, taken = game.place[PIECE], 0
    if row < 0 or column < 0 or column + game.shapes[piece, turn, WIDE] > game.numbers[WIDTH]:
        return False
    for r in range(game.shapes[piece, turn, HIGH]):
        taken |= game.rows[row + r] & (game.shapes[piece, turn, r] << column)
    return taken == 0


@fast
def clear(game: Any) -> Any:
    """Remove the full rows; how many there were."""
    rows, full, cleared = game.rows, (1 << game.numbers[WIDTH]) - 1, 0
    for row in range(len(rows)):
        if rows[row] == full:
            cleared += 1
        elif cleared:
            rows[row - cleared] = rows[row]
    for row in range(len(rows) - cleared, len(rows)):
        rows[row] = 0
    return cleared


@fast
def settle(game: Any) -> Any:
    """Leave the falling piece where it is; the points for full rows."""
    rows, place = game.rows, game.place
    piece, turn, row = place[PIECE], place[TURN], place[ROW]
    for r in range(game.shapes[piece, turn, HIGH]):
        rows[row + r] |= game.shapes[piece, turn, r] << place[COLUMN]
    if row + game.shapes[piece, turn, HIGH] > game.numbers[CLEAR_TOP]:
        place[LOST] = 1
        return np.int64(0)
    cleared = clear(game)
    for r in range(game.numbers[HEIGHT], len(rows)):
        if rows[r]:
            place[LOST] = 1
    return game.numbers[POINTS + cleared]


@fast
def loses(game: Any, turn: Any, row: Any, column: Any) -> Any:
    """Whether the piece loses if it comes to rest there."""
    piece, full, cleared = game.place[PIECE], (1 << game.numbers[WIDTH]) - 1, 0
    if row + game.shapes[piece, turn, HIGH] > game.numbers[CLEAR_TOP]:
        return True
    for r in range(game.shapes[piece, turn, HIGH]):
        if game.rows[row + r] | (game.shapes[piece, turn, r] << column) == full:
            cleared += 1
        elif row + r - cleared >= game.numbers[HEIGHT]:
            return True
    return False


@fast
def appear(game: Any, key: Any) -> Any:
    """Let the next piece appear in the middle and fall one row; whether it can."""
    place, shapes = game.place, game.shapes
    piece = draw(place[NUMBER], key, game.numbers)
    turn = shapes[piece, 0, SPAWN_TURN]
    place[PIECE], place[TURN] = piece, turn
    place[ROW] = game.numbers[HEIGHT] - shapes[piece, turn, HIGH] + 1
    place[COLUMN] = (game.numbers[WIDTH] - shapes[piece, turn, WIDE]) // 2
    return fits(game, turn, place[ROW], place[COLUMN])


# --- commands -------------------------------------------------------------------------------------


@fast
def bring(game: Any, turn: Any, row: Any, column: Any) -> Any:
    """Bring the falling piece there if it fits below the upper edge; whether it did."""
    place = game.place
    if row + game.shapes[place[PIECE], turn, HIGH] > game.numbers[HEIGHT] + 2 or not fits(game, turn, row, column):
        return False
    place[TURN], place[ROW], place[COLUMN] = turn, row, column
    return True


@fast
def turn_piece(game: Any, step: Any) -> None:
    """Turn the falling piece by a step in the list of its orientations, if it fits."""
    place, shapes = game.place, game.shapes
    piece, old = place[PIECE], place[TURN]
    new = (old + step + shapes[piece, 0, COUNT]) % shapes[piece, 0, COUNT]
    top = place[ROW] + shapes[piece, old, HIGH] + shapes[piece, old, CORNER_ROW] - shapes[piece, new, CORNER_ROW]
    column = place[COLUMN] - shapes[piece, old, CORNER_COLUMN] + shapes[piece, new, CORNER_COLUMN]
    bring(game, new, top - shapes[piece, new, HIGH], column)


@fast
def enter(game: Any, key: Any) -> Any:
    """Let the next piece appear; if it cannot, it settles one row higher, which loses. The points for that."""
    if appear(game, key):
        return np.int64(0)
    game.place[ROW] += 1
    return settle(game)


@fast
def command(game: Any, action: Any, key: Any) -> Any:
    """One turn of the Engine, with L R D H T N as 0 to 5: the points."""
    place = game.place
    left = game.shapes[place[PIECE], 0, LEFT]
    if action == 0:
        bring(game, place[TURN], place[ROW], place[COLUMN] - 1)
    elif action == 1:
        bring(game, place[TURN], place[ROW], place[COLUMN] + 1)
    elif action == 2:
        while bring(game, place[TURN], place[ROW] - 1, place[COLUMN]):
            pass
    elif action == 3:
        turn_piece(game, -left)
    elif action == 4:
        turn_piece(game, left)
    if bring(game, place[TURN], place[ROW] - 1, place[COLUMN]):
        return np.int64(0)
    points = settle(game)
    place[NUMBER] += 1
    if place[LOST] == 0:
        points += enter(game, key)
    return points


# --- placements -----------------------------------------------------------------------------------


@fast
def landing(game: Any, turn: Any, column: Any) -> Any:
    """The row where the piece comes to rest in a column, NO_ROW if it may not go there."""
    row = game.numbers[HEIGHT]
    if game.numbers[SPAWN]:
        row -= game.shapes[game.place[PIECE], turn, HIGH] - 1
    if not fits(game, turn, row, column):
        return np.int64(NO_ROW)
    while fits(game, turn, row - 1, column):
        row -= 1
    if game.numbers[LOSING] == 0 and loses(game, turn, row, column):
        return np.int64(NO_ROW)
    return row


@fast
def look(game: Any, key: Any) -> None:
    """See which piece comes and where it can go; without any place for it, the game is lost."""
    place, width, count = game.place, game.numbers[WIDTH], 0
    enters = appear(game, key) or game.numbers[SPAWN] == 0
    if enters and place[LOST] == 0:
        for turn in range(game.shapes[place[PIECE], 0, COUNT]):
            for column in range(width):
                row = landing(game, np.int64(turn), np.int64(column))
                if row != NO_ROW:
                    game.land[turn * width + column] = row
                    game.allowed[count] = turn * width + column
                    count += 1
    place[ALLOWED], place[LOST] = count, count == 0


@fast
def put(game: Any, action: Any, key: Any) -> Any:
    """Bring the piece to rest; the points."""
    place = game.place
    place[TURN], place[COLUMN] = action // game.numbers[WIDTH], action % game.numbers[WIDTH]
    place[ROW] = game.land[action]
    points = settle(game)
    place[NUMBER] += 1
    look(game, key)
    return points
