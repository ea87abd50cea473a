"""Pictures of a game: as text, and as an array of colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse.game.board import CODES
from tetriscourse.game.drawing import COLOURS, MARKS, framed, side_by_side
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.game.moves import placed
from tetriscourse.game.pieces import Orientation, Piece
from tetriscourse.game.rules import PieceSequence
from tetriscourse.gym.games import Games

CELL, BESIDE = 16, 6  # pixels of a cell; columns beside the board, for the next piece
PALETTE = np.array([[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in COLOURS], np.uint8)
GAP = np.array([204, 204, 204], np.uint8)  # between cells

Codes = npt.NDArray[np.int8]
Picture = npt.NDArray[np.uint8]


def code_of(piece: Piece) -> int:
    """The number of a piece's mark."""
    return CODES.get(piece.name, CODES["X"])


def codes_of(games: Games, i: int) -> Codes:
    """The cells of game i as positions in MARKS, row 0 at the bottom, with two rows above the board."""
    rules, place = games.settings.game, games.batch.places[i]
    bits = games.batch.rows[i, : rules.height + INVISIBLE_ROWS, None] >> np.arange(rules.width) & 1
    codes = np.where(bits, CODES["X"], 0).astype(np.int8)
    if not place["lost"]:
        shape, row = shape_of(games, place), int(place["row"])
        for r, c in placed(shape, rules.height if games.settings.placements else row, int(place["column"])):
            codes[r, c] = code_of(rules.pieces[int(place["piece"])])
    return codes


def shape_of(games: Games, place: Any) -> Orientation:
    """The falling piece as it is turned now."""
    piece = games.settings.game.pieces[int(place["piece"])]
    return piece.orientations[int(place["turn"] - games.batch.rules["first"][place["piece"]])]


def next_piece(games: Games, i: int) -> Piece | None:
    """The piece that comes next in game i, if it may be seen."""
    sequence = PieceSequence(games.settings.game, games.seed, int(games.batch.numbers[i]))
    return sequence[int(games.pieces[i]) + 1] if games.settings.next_piece == "shown" else None


def as_text(games: Games, i: int) -> str:
    """Game i as text: the piece above the board, the next one and the counters beside it."""
    rows = ["".join(MARKS[code] for code in row) for row in codes_of(games, i)[::-1]]
    coming = next_piece(games, i)
    panel = [f"Next   {coming}"] if coming else []
    panel += [f"Rows   {games.batch.lines[i]}", f"Pieces {games.pieces[i]}"]
    return "\n".join(side_by_side(framed(rows, INVISIBLE_ROWS), panel))


def as_colours(games: Games, i: int) -> Picture:
    """Game i as an array of pixels, with the next piece at the upper right."""
    codes, coming = codes_of(games, i), next_piece(games, i)
    width = codes.shape[1]
    if coming:
        codes = np.pad(codes, ((0, 0), (0, BESIDE)))
        for r, c in placed(coming.orientations[coming.spawn], len(codes) - 2, width + 1):
            codes[r, c] = code_of(coming)
    picture = PALETTE[codes[::-1]].repeat(CELL, axis=0).repeat(CELL, axis=1)
    board = picture[INVISIBLE_ROWS * CELL :, : width * CELL]
    for edges in (slice(None, None, CELL), -1):
        board[edges], board[:, edges] = GAP, GAP
    return picture


PAINTERS = {"ansi": as_text, "rgb_array": as_colours}
"""How a game is painted in each render mode."""
