"""Rules and players as records: compiled code reads their fields by name."""

from __future__ import annotations

import numpy as np

from tetriscourse.simulator.features import TERMS
from tetriscourse.simulator.shapes import COLUMNS

MOST_PIECES, MOST_TURNS, MOST_MOVES = 8, 32, 512  # room for pieces, for all their orientations and moves
MOST_WORDS = 16  # rows of weights of a filter
INT = np.int64

RULES_RECORD = np.dtype([
    ("width", INT),
    ("height", INT),
    ("safe_top", INT),  # a move that clears nothing may be taken if the piece's top is not above this row
    ("clear_top", INT),  # rows are cleared, and the move is not lost before that, if its top is not above this row
    ("spawn", INT),  # 1 if pieces enter in the middle, just above the board
    ("losing", INT),  # 1 if losing moves may be taken
    ("max_pieces", INT),
    ("points", INT, 5),  # for 0 to 4 rows
    # Pieces. All their orientations are numbered, piece after piece; such a number is called a turn.
    ("pieces", INT),
    ("first", INT, MOST_PIECES + 1),  # piece p has the turns first[p] to first[p + 1] - 1
    ("spawns", INT, MOST_PIECES),  # the turn in which each piece enters
    ("left", INT, MOST_PIECES),  # the step to the turn that is reached by turning left
    ("program", INT, MOST_PIECES),  # the program for each piece
    ("shapes", INT, MOST_TURNS),  # the number of each turn's shape, and its size
    ("turn_height", INT, MOST_TURNS),
    ("turn_width", INT, MOST_TURNS),
    ("entry_row", INT, MOST_TURNS),  # the bottom row from which it falls
    ("slot", INT, MOST_TURNS),  # which orientation of its program each turn is
    ("corner_row", INT, MOST_TURNS),
    ("corner_column", INT, MOST_TURNS),
    ("masks", INT, MOST_TURNS),  # each turn in the lower left corner of a board that is one whole number
    ("column_mask", INT),  # the leftmost column of such a board
    # Moves: those of piece p are numbers first_move[p] to first_move[p + 1] - 1.
    ("first_move", INT, MOST_PIECES + 1),
    ("move_turn", INT, MOST_MOVES),
    ("move_column", INT, MOST_MOVES),
    # Drawing pieces.
    ("draw", INT),  # 0 if each piece is drawn by itself, 1 if from a bag; -n if the first n of `edges` come by turns
    ("edges", INT, MOST_PIECES),  # thresholds for drawing each piece; or the pieces that come by turns
    ("bag", INT, MOST_PIECES),  # the order of the pieces in the present bag
    ("bag_start", INT),  # the position in the game of its first piece; -1: there is no bag yet
])  # fmt: skip

WEIGHTS_RECORD = np.dtype([
    ("terms", INT, len(TERMS)),
    ("heights", INT, COLUMNS),  # of each column's height
    ("steps", INT, COLUMNS),  # of each difference between neighbouring heights
])  # fmt: skip

PLAYER_RECORD = np.dtype([
    ("rules", RULES_RECORD),
    ("weights", WEIGHTS_RECORD),  # twice each weight, so that halves of a landing height stay whole
    ("uses_heights", INT),
    ("uses_steps", INT),
    ("known", INT),  # pieces that the player sees: 1 or 2
    ("words", INT, (MOST_WORDS, len(TERMS))),  # weights by which a filter compares moves: one row, then the next
    ("word_count", INT),  # how many there are; 0 if the player is no filter
    ("word_terms", INT, len(TERMS)),  # the terms that have a weight in any of them
    ("word_terms_count", INT),
    ("word_programs", INT, MOST_WORDS),  # like drop_program, for the terms of one word only
    ("random_ties", INT),  # 1 if chance decides between equal moves, 0 if the first wins
    ("use_lanes", INT),  # 1 if changes of value fit into 32 bits
    ("in_order", INT),  # 1 if the turns of each piece are those of its program
    ("make_program", INT),  # addresses of programs
    ("value_program", INT),
    ("drop_program", INT),
    ("values", INT, 4 * COLUMNS),  # room for the values of all moves of a piece
])  # fmt: skip
