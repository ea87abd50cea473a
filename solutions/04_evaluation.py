# %% [markdown]
# # Exercises 04: evaluation functions
#
# Six exercises, from counting on a small board to a player of your own on the leaderboard. They follow the
# [lecture](../notebooks/04_evaluation.ipynb).
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. Run it as often as you like; `hint(1)`, `hint(2)` help when you are stuck.
#
# **Time** about {{minutes}} minutes.

# %%
import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.widgets import TunePanel

# %% [markdown]
# ## 04.1 The value of a move, by hand
#
# A T falls into the gap of this small board, point down. You see it where it lands, before the full row is cleared.

# %%
board = tc.Board.from_text("......\n......\nX....X\nX....X\nXX.XXX\nX.XX.X")
move = next(move for move in tc.moves(board, tc.PIECES["T"]) if str(move.shape) == "XXX/.X." and move.column == 1)
move.before.with_cells(move.cells, "T")

# %% [markdown]
# Dellacherie values it by
#
# $$V = -l + e - \Delta r - \Delta c - 4T - W$$
#
# with $l$ the landing height, $e$ the eroded cells, $\Delta r$ and $\Delta c$ the row and column transitions, $T$ the
# holes and $W$ the wells, as in the lecture. The landing height is that of the *middle* of the piece where it landed,
# the lowest row being row 0: a piece in rows 4 and 5 has 4.5. The eroded cells are the number of rows that the move
# clears times the number of cells of the piece that go with them. Both are counted on the board above; the other four
# on the board after the row has gone.
#
# Count the six on paper and write them into `terms`, in this order; then write the value of the move into `total`.
# (The library could tell you. But then you would not have seen what it looks at.)

# %%
terms = ...  # replace the dots: [l, e, row transitions, column transitions, holes, wells]
total = ...  # replace the dots: the value of the move
### BEGIN SOLUTION
terms = [1.5, 1, 14, 8, 1, 4]
total = -1.5 + 1 - 14 - 8 - 4 * 1 - 4
### END SOLUTION

# %%
check("04.1")

# %% [markdown]
# ## 04.2 The greedy player
#
# Write the player that takes the move of highest value. `features` is a list of functions of a move, `weights` a list
# of numbers of the same length. Among equally good moves it takes the first, in the order of `tc.moves`. Where there
# is no move at all, it returns `None`: the game is over.

# %%
def choose(board, piece, features, weights):
    """The first of the moves with the highest weighted sum of features, or None when there is no move."""
    ### BEGIN SOLUTION
    def value(move):
        return sum(weight * feature(move) for feature, weight in zip(features, weights, strict=True))

    return max(tc.moves(board, piece), key=value, default=None)
    ### END SOLUTION

# %%
check("04.2")

# %% [markdown]
# ## 04.3 A feature of your own: rows with holes
#
# Two holes side by side in a row block one line. Two holes in two rows block two. The feature *holes* cannot tell
# them apart. Write one that can: the number of rows of the board *after* the move that contain at least one hole. (A
# hole is an empty cell with a full cell somewhere above it in its column.) The catalogue has it, of course; write it
# without.

# %%
def rows_with_holes(move):
    """How many rows of the board after the move contain at least one hole."""
    ### BEGIN SOLUTION
    board = move.after
    below_the_top = np.arange(len(board.full))[:, None] < board.heights
    return int((below_the_top & ~board.full).any(axis=1).sum())
    ### END SOLUTION

# %%
check("04.3")

# %% [markdown]
# What is it worth? Give Dellacherie a seventh eye, with the modest weight of -1, and let both play on the same pieces
# (with the catalogue's twin of your feature, which is compiled). The mean rises by a fifth; whether that is more than
# luck is a question for chapter 05.

# %%
six = tc.PLAYERS["dellacherie"]
seven = tc.Player([*six.features.features, "rows_with_holes"], [*six.weights, -1], name="seven eyes")
for player in (six, seven):
    print(tc.simulate(player, tc.RULES["10x10"], games=200, seed=4, progress=False))

# %% [markdown]
# ## 04.4 Two weight vectors, one player?
#
# `v` and `w` are lists of weights, equally long, for the same features. Do they make the same player, whatever the
# features are? Decide it with code, and return `True` or `False`. Do not forget the player whose weights are all
# zero: every move is worth the same to it, so it takes the first.

# %%
def same_player(v, w):
    """Whether two weight vectors make the same player, whatever the features are."""
    ### BEGIN SOLUTION
    def unit(vector):
        return np.array(vector) / (np.linalg.norm(vector) or 1)

    return bool(np.allclose(unit(v), unit(w)))
    ### END SOLUTION

# %%
check("04.4")

# %% [markdown]
# ## 04.5 A player that hates to clear rows
#
# TetrisBot values a move by $q = aL - bH - cT - dB$: rows cleared, sum of heights, holes, bumpiness. The lecture made
# $H$ disappear and nothing changed. Now make the **holes** disappear. On a board of any `width`, which weights for
# lines, sum of heights and bumpiness, in this order and with their signs, make exactly the same player?
#
# Then look at the sign of the first of them for the parameters that TetrisBot's program proposes, and wonder.

# %%
def without_holes(a, b, c, d, width):
    """Weights of lines, sum_heights and bumpiness that make the same player as TetrisBot's a, b, c, d."""
    ### BEGIN SOLUTION
    # T = H + width L - constant, so q = (a - width c) L - (b + c) H - d B + constant
    return [a - width * c, -(b + c), -d]
    ### END SOLUTION

# %%
print(without_holes(0.548, 0.5218, 0.6267, 0.1862, width=10))

# %%
check("04.5")

# %% [markdown]
# ## 04.6 Four eyes (open)
#
# TetrisBot has four features and clears about a hundred lines on 10x10. Choose **at most four** features of the
# catalogue, tune their weights by hand, and clear **at least 500** lines a game. There are many ways. The judge plays
# a hundred games with pieces of its own.
#
# The panel begins with four features that do not suffice. Change the list in the cell, run it again, and drag.

# %%
eyes = ["lines", "landing_height", "holes", "bumpiness"]
tune = TunePanel(tc.Player(eyes, [1, -1, -4, -1], name="my player"), rules="10x10")
tune

# %% [markdown]
# Sliders are forgotten when the notebook is closed. So copy your player from the panel (it shows the code) and write
# it down here, as `mine = tc.Player([...], [...])`.

# %%
mine = ...  # replace the dots
### BEGIN SOLUTION
mine = tc.Player(["landing_height", "row_transitions", "column_transitions", "wells"], [-1, -1, -4, -1])
### END SOLUTION

# %%
check("04.6")

# %% [markdown]
# Where does it stand among the published players? Give it a name of your own. Every attempt stays on the leaderboard,
# so try another, and another. Can you pass Dellacherie, who has six? And if you may have as many features as you
# like? (Your player's mean here will not be the one that the check measured. It met other pieces there, and a hundred
# games are good for 20 per cent only: chapter 05.)

# %%
from tetriscourse.course.leaderboard import Leaderboard

table = Leaderboard()
if isinstance(mine, tc.Player):
    table.enter(mine, name="four eyes")
table
