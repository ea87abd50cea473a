# %% [markdown]
# # Exercises 01: data structures
#
# Mirrors, a colleague's mistake, walls, lids, and a contest. They follow the
# [lecture](../notebooks/01_data_structures.ipynb); come back to it whenever you like.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. A check says *not attempted yet*, *not right yet* with the smallest case that it
# could find, or *right*. You may run it as often as you like. Stuck? `hint(1)` in a new cell gives a nudge for the
# exercise that you checked last, `hint(2)` more.
#
# **Time** about {{minutes}} minutes.

# %%
import numpy as np
import tetriscourse as tc
from tetriscourse.course import check, hint

# %% [markdown]
# From the lecture: a shape is a frozen set of cells (row, column), row 0 at the bottom, pushed into the corner.

# %%
def shape(drawing):
    """The cells of a drawing: X is a cell, / stands between rows, the top row comes first."""
    rows = drawing.split("/")[::-1]
    return frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X")

def in_corner(cells):
    """The same cells, moved so that the lowest row and the leftmost column are 0."""
    bottom, left = min(r for r, c in cells), min(c for r, c in cells)
    return frozenset((r - bottom, c - left) for r, c in cells)

# %% [markdown]
# ## 01.1 Mirror images
#
# Hold a piece before an upright mirror: left and right change places, up and down stay. Write `mirrored`, which takes
# a set of cells and returns the set of cells of the mirror image, pushed into the corner. The mirror image of a J is
# an L.

# %%
def mirrored(cells):
    """The shape as seen in an upright mirror, in the corner."""
    ### BEGIN SOLUTION
    return in_corner({(r, -c) for r, c in cells})
    ### END SOLUTION

# %%
print(mirrored(shape("X../XXX")) == shape("..X/XXX"))

# %%
check("01.1")

# %% [markdown]
# ## 01.2 A colleague's mistake
#
# A colleague clears rows that are kept as numbers, from the bottom up, as in the lecture. She has tried it on boards
# with one full row, and even with two, and is quite happy:

# %%
def colleague(rows, width):
    """Remove every full row, and put an empty one on top for each."""
    for row in rows:
        if row == 2**width - 1:
            rows.remove(row)
            rows.append(0)
    return rows

print(colleague([15, 3, 15, 1], width=4), colleague([6, 15, 9, 0], width=4))

# %% [markdown]
# Still, it is wrong. Find a board of four columns (and at most four rows) on which it fails, with **as few full cells
# as possible**. Draw it as text, top row first, with `/` between rows: `"X.../XXXX"` has five full cells.

# %%
culprit = ...  # replace the dots by a drawing
### BEGIN SOLUTION
culprit = "XXXX/XXXX"
### END SOLUTION

# %%
check("01.2")

# %% [markdown]
# ## 01.3 Walls for bits
#
# A piece on an otherwise empty board is kept as one whole number: the cell (row, column) is the bit at place row ×
# width + column. We saw an O leave through the right wall and come in again on the left. Write `sideways`, which
# moves a piece by one column, to the right (`step` is 1) or to the left (`step` is -1), and returns the piece
# unchanged if a wall is in the way. The board is as high as you need it to be.

# %%
def sideways(piece, width, step):
    """The piece one column to the right (step 1) or left (step -1), or unchanged at a wall."""
    ### BEGIN SOLUTION
    column = width - 1 if step == 1 else 0
    wall = sum(1 << place for place in range(column, column + piece.bit_length() + width, width))
    if piece & wall:
        return piece
    return piece << 1 if step == 1 else piece >> 1
    ### END SOLUTION

# %% [markdown]
# An upright domino in column 2 of 4: a step to the right doubles its number, the next one meets the wall.

# %%
domino = tc.Board.from_text("..X.\n..X.", height=4).bits
print(domino, sideways(domino, 4, 1), sideways(domino << 1, 4, 1))

# %%
check("01.3")

# %% [markdown]
# ## 01.4 Lids
#
# A hole cannot be filled while something lies on it. Call a full cell a *lid* if there is an empty cell somewhere
# below it in its column. Write `lids`, which counts them. It gets an array of True and False, row 0 (the floor)
# first, and each lid counts once, however many holes it covers. A loop will do; it can be done without one, in a
# line.

# %%
def lids(cells):
    """How many full cells have an empty cell below them in their column."""
    ### BEGIN SOLUTION
    solid = np.logical_and.accumulate(cells)
    return int((cells & ~solid).sum())
    ### END SOLUTION

# %% [markdown]
# On this board there are four: three in the first column and one in the last.

# %%
board = tc.Board.from_text("X...\nXX..\nXX.X\n.X..\nXX..")
print(lids(board.full))

# %%
check("01.4")

# %% [markdown]
# ## 01.5 Choose an encoding
#
# Three programs need a board: (a) a *table* that keeps a value for every board that has been met, and is asked
# millions of times; (b) a *game in colours*, where each cell shows which piece it came from; (c) a *neural network*
# that takes numbers in and gives a value. Choose for each between a matrix, a set of cells and bits. Say in one or
# two sentences each why, and what your choice makes *harder*.

# %% [markdown] answer="01.5"
# (a) **Bits**, the whole board as one number. It can be the key of a dictionary as it is, is compared and hashed
# quickly, and takes 28 bytes of bits for 10 x 22 cells. Harder: nobody can read it, colours have no room, and
# questions about columns (heights, holes) need tricks or a translation back.
#
# (b) A **matrix** with the piece's number in each cell: the colour is in the cell, drawing goes through the rows, and
# to clear rows is to keep the others. Harder: to use it as a key, and to compare two boards by their full cells only,
# since the same pile can have different colours. (A dictionary from cell to piece works as well; then clearing must
# move every cell.)
#
# (c) A **matrix** of 0 and 1: a network takes an array of fixed size, and neighbours in the array are neighbours on
# the board, which some networks use. Harder: it is large for what it says, and the network has to find out by itself
# what a hole is. A set of cells has no fixed size, and a single number would ask the network to take its binary
# digits apart first.

# %% [markdown]
# ## 01.6 The smallest encoding (open)
#
# The last exercise of each chapter is open: there is a minimum, and then there is how far you want to go.
#
# Write a board down in as few **bytes** as you can. `encode` takes the cells (an array of True and False, row 0 first)
# and returns `bytes`; `decode` takes these bytes, the width and the height, and returns the cells. Every board must
# come back exactly, of whatever size, from its bytes alone: nothing may be kept elsewhere. The check then measures
# boards from games of a fair player on 10 columns and 20 rows, where plain bits take 25 bytes, always.
#
# This is a ladder, with a point for each rung: **16 bytes** or fewer on average, **12**, and **10.5**. Four lines are
# enough for the first rung. For the second you must know something about skylines, for the third something about
# chance. (Do compressors like `zlib` help? Try it, and be surprised.)

# %%
def encode(cells):
    """The cells as bytes, few of them."""
    ### BEGIN SOLUTION
    # First rung: the bits without the sky. Second: heights, and where the holes are below them. Third: what is likely
    # is short. One number holds all cells; a cell with f chances of 64 makes it about 64 / f times as large.
    number = 1
    for r, c in reversed(places(*cells.shape)):
        full = chances(cells, r, c)
        f, start = (full, 0) if cells[r, c] else (64 - full, full)
        number = number // f * 64 + start + number % f
    return number.to_bytes((number.bit_length() + 7) // 8, "little")

def places(height, width):
    return [(r, c) for r in reversed(range(height)) for c in range(width)]  # from the top row down

def chances(cells, r, c):  # of 64 cells that look like this one from above and from the left, how many are full?
    above = cells[r + 1 :]
    known = above.any(), above[:1, c].any(), above[:1, c + 1 : c + 2].any(), c == 0 or cells[r, c - 1]
    return FULL["".join(".X"[int(one)] for one in known)]

FULL = {"....": 1, "...X": 6, "X...": 6, "X..X": 25, "X.X.": 24,  # counted on boards of such games
        "X.XX": 35, "XX..": 59, "XX.X": 58, "XXX.": 54, "XXXX": 57}
    ### END SOLUTION

# %%
def decode(data, width, height):
    """The cells that were encoded: an array of height rows and width columns."""
    ### BEGIN SOLUTION
    number, cells = int.from_bytes(data, "little"), np.zeros((height, width), bool)
    for r, c in places(height, width):
        full, rest = chances(cells, r, c), number % 64
        cells[r, c] = rest < full
        f, start = (full, 0) if rest < full else (64 - full, full)
        number = number // 64 * f + rest - start
    return cells
    ### END SOLUTION

# %%
check("01.6")
