"""Commands: how an agent, or a person, moves the falling piece.

L R      move left, right                 D        drop to the bottom
H T      turn clockwise, back             N        nothing
P:j:r    place in column j, rotation r    Q        quit
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tetriscourse.errors import InputError
from tetriscourse.game.pieces import Piece

COMMANDS = ("L", "R", "H", "T", "D", "N")  # the commands of one letter that are part of the game


class Command(NamedTuple):
    """A command taken apart."""

    letter: str
    column: int = 0
    rotation: int = 0


def parsed_command(text: str, piece: Piece, width: int) -> Command:
    """The command in a text, if this piece can obey it on a board of this width."""
    letters = str(text).strip().upper()
    if letters in (*COMMANDS, "Q"):
        return Command(letters)
    match = re.fullmatch(r"P:([0-9]{1,3}):([0-9]{1,3})", letters)
    if not match:
        raise InputError(
            f"command is {text!r}; it must be one of {' '.join(COMMANDS)} Q, "
            "or P:column:rotation with two whole numbers, as in P:3:0"
        )
    column, rotation = int(match[1]), int(match[2])
    turns = len(piece.orientations)
    if rotation >= turns:
        raise InputError(f"command is {text!r}; the rotation of {piece} must be from 0 to {turns - 1}")
    last = width - piece.orientations[rotation].width
    if column > last:
        raise InputError(
            f"command is {text!r}; the column of {piece} with rotation {rotation} must be from 0 to {last}"
        )
    return Command("P", column, rotation)
