# %% [markdown]
# # Exercises 00: welcome
#
# Four small exercises to get used to how exercises work. They belong to the lecture
# [00 Welcome](../notebooks/00_welcome.ipynb).
#
# **Time** about {{minutes}} minutes. Run the cells from top to bottom with Shift-Enter.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it.

# %%
from dataclasses import replace

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.widgets import PlayPanel, WatchPanel

# %% [markdown]
# ## 00.1 A guess
#
# Dellacherie's player, the champion of the lecture, is put on a board that is only 10 rows high, not half as high as
# the one that you played on. How many rows does it clear in a game there, on average? Nobody expects you to know:
# guess. A guess within a factor of two of the truth counts as right, and the check tells you whether to go up or down.
# Being wrong a few times is part of the exercise.

# %%
guess = ...  # replace the dots by a number
### BEGIN SOLUTION
guess = 2500
### END SOLUTION

# %%
check("00.1")

# %% [markdown]
# Stuck? Open a new cell below the check (press `b` when no cursor blinks) and type `hint(1)`, then `hint(2)`.
#
# ## 00.2 A board to order
#
# A board can be written as text: one line a row, the top row first, `X` for a full cell and `.` for an empty one.
# `tc.Board.from_text` reads it, and a notebook draws it:

# %%
tc.Board.from_text("""
X...
X.XX
XX.X
""", height=4)

# %% [markdown]
# The *height* of a column is the number of rows up to its highest full cell: here 3, 1, 2, 2, and the columns are
# numbered from 0 on the left. A *hole* is an empty cell with a full one somewhere above it in the same column: here
# there is one, in column 2.
#
# Draw a board of six columns with the heights 3, 1, 0, 2, 2, 4, from left to right, and exactly two holes. More than
# one drawing is right.

# %%
drawing = ...  # replace the dots by a text between three quotation marks, as above
### BEGIN SOLUTION
drawing = """
.....X
X.....
X..XXX
.X.XXX
"""
### END SOLUTION

# %%
check("00.2")

# %% [markdown]
# ## 00.3 Detective work
#
# Here is a game of 200 pieces that the champion has played on the low board. Everything that happened is in
# `game.moves`, a list; the move of number 0 was the first.

# %%
low_board = replace(tc.RULES["10x10"], max_pieces=200)
game = tc.play_game(tc.PLAYERS["dellacherie"], low_board, seed=2026)
WatchPanel(game, judge="dellacherie", speed=8)

# %% [markdown]
# Find out two things, by watching or with a line of Python each, as you like:
#
# - `first_three`, the number of the first move that clears *three* rows at once;
# - `highest`, the height of the highest column that there ever was after a move.
#
# Each move has `move.rows`, how many rows it cleared, and `move.after`, the board after it, with `heights`. This is
# how the first moves that cleared anything can be found:

# %%
[(number, move.rows) for number, move in enumerate(game.moves) if move.rows > 0][:4]

# %%
first_three = ...  # replace the dots
highest = ...
### BEGIN SOLUTION
first_three = next(number for number, move in enumerate(game.moves) if move.rows == 3)
highest = max(move.after.heights.max() for move in game.moves)
### END SOLUTION

# %%
check("00.3")

# %% [markdown]
# ## 00.4 Your first record (open)
#
# This one has no right answer. Play at least two games: one in which the piece *falls by itself*, and one *turn by
# turn* (choose it from the menu "the piece"), where every key costs a row of height and nothing hurries you.

# %%
mine = PlayPanel(seed=3)
mine

# %%
mine.records

# %% [markdown]
# Run the cell above again after your games: it lists them, with pieces, rows and points. What did you score, in which
# of the two ways did you play better, and what finally went wrong? If you asked for hints (`i`): where did you and
# the champion disagree? A few sentences; a teacher reads them. Keep them, and read them again after chapter 04, which
# says what the champion looks at.

# %% [markdown] answer="00.4"
# An example, from somebody who had not played for years. *Falling by itself*: 41 pieces, 11 rows, 560 points. *Turn
# by turn*, on the same pieces: 120 pieces, 43 rows, before I got bored and stopped.
#
# What went wrong in the first game was not speed at once: around the 20th piece I put an S flat across a gap, which
# made a hole, and from then on I was building on top of rows that could not be cleared any more. I was also waiting
# for an I that did not come, with a well four deep on the right. Turn by turn I noticed that a piece has to be turned
# first and moved afterwards, or it gets stuck at the wall.
#
# Where I asked for a hint, the champion often wanted to put the piece low and flat where I wanted to prepare four rows
# at once. It never seems to care about four at once.
