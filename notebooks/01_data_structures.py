# %% [markdown]
# # 01 Data structures
#
# A Tetris board is a few hundred little squares, each full or empty. You can keep it as a table, as a set of pairs,
# or as one enormous whole number, and the rules of the game do not care which. Your program does. Which of the three
# turns a piece in one line, which detects a collision with a single operator, and which lets a piece walk through the
# wall?
#
# **You will learn**
#
# - to see a piece as a set of cells, and a turn as arithmetic;
# - to hold a board as an array and as bits, and to drop pieces and clear rows in each;
# - to choose between encodings by asking what each makes easy;
# - to compute heights, holes and bumpiness without a loop over cells;
# - to let three programs check each other, on thousands of cases that nobody had to think of.
#
# **You need** Python's functions, lists, sets and comprehensions, and to have met numpy arrays (`a[2, 3]`,
# `a.sum()`). Chapter [00](00_welcome.ipynb) comes first, but nothing here depends on it.
#
# **Time** about {{minutes}} minutes.

# %%
import matplotlib.pyplot as plt
import numpy as np
import tetriscourse as tc
from tetriscourse.random_numbers import Draws
from tetriscourse.widgets import BoardView, FeaturePanel

# %% [markdown]
# ## An inventory
#
# Before any code, a list of the things that the game is made of, and what each will be in Python. We begin with the
# plainest types that could possibly work.
#
# | the thing | in Python | for example |
# |---|---|---|
# | a *cell* | a pair (row, column); row 0 is the floor, column 0 the left edge | `(0, 2)` |
# | a *shape*: a piece, one way up | a frozen set of cells, pushed into the corner (0, 0) | `{(0, 0), (0, 1)}` |
# | a *board*, as cells | the set of its full cells | `{(0, 0), (0, 3), (1, 3)}` |
# | a *board*, as a grid | an array of True and False, row 0 first | `board[0, 3]` |
# | a *board*, as bits | a list of whole numbers, one a row | `[9, 8]` |
# | the *heights* | an array of whole numbers, one a column | `[1, 0, 0, 2]` |
#
# The last four lines describe the same little board, this one:

# %%
tc.Board.from_text("...X\nX..X", height=4)

# %% [markdown]
# By the end of the chapter you will read `[9, 8]` as easily as the picture.
#
# ## A piece is a set of cells
#
# People think in pictures, so let us type pictures: rows from the top down with a slash between them, `X` for a cell.
# A function reads such a drawing and turns it upside down, since our row 0 is at the bottom.

# %%
def shape(drawing):
    """The cells of a drawing: X is a cell, / stands between rows, the top row comes first."""
    rows = drawing.split("/")[::-1]
    return frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X")

# %%
T = shape(".X./XXX")
sorted(T)

# %% [markdown]
# Why a set? Because the cells of a piece have no first and no last, and two sets are equal when they have the same
# elements, in whatever order somebody typed them. Why frozen? Because a frozen set cannot change, so it may itself be
# an element of a set or a key of a dictionary. We shall need that in a minute.

# %%
assert shape(".X./XXX") == {(1, 1), (0, 2), (0, 0), (0, 1)}
tc.Board.empty(5, 4).with_cells(T, "T")

# %% [markdown]
# ## A turn is arithmetic
#
# Turn the plane a quarter to the left about the point (0, 0). What pointed right now points up, and what pointed up
# now points left: the cell (row, column) goes to (column, -row). That is the whole of rotation. The result may hang
# out below or to the left of the corner, so we push it back.

# %%
def turned(cells):
    """A quarter turn to the left: (row, column) goes to (column, -row), then back into the corner."""
    return in_corner({(c, -r) for r, c in cells})

def in_corner(cells):
    """The same cells, moved so that the lowest row and the leftmost column are 0."""
    bottom, left = min(r for r, c in cells), min(c for r, c in cells)
    return moved(cells, -bottom, -left)

def moved(cells, rows, columns):
    """The cells, so many rows up and so many columns to the right."""
    return frozenset((r + rows, c + columns) for r, c in cells)

# %%
sorted(turned(T))

# %% [markdown]
# Four quarter turns are no turn at all. If that fails, nothing else needs to be looked at:

# %%
assert turned(turned(turned(turned(T)))) == T
assert all(len(turned(cells)) == 4 for cells in [T, turned(T), shape("XXXX")])

# %% [markdown]
# **Before you run the next cells:** how many *different* shapes does each of the seven pieces have? Write down seven
# numbers. A shape that looks the same after a turn should count once. With frozen sets in the corner this is no
# puzzle: equal shapes *are* equal, so we collect the four turns as the keys of a dictionary (a set that remembers its
# order) and count.

# %%
DRAWINGS = {"I": "X/X/X/X", "O": "XX/XX", "T": ".X./XXX",
            "Z": "XX./.XX", "S": ".XX/XX.", "J": "X../XXX", "L": "..X/XXX"}

def orientations(cells):
    """The different shapes that quarter turns make of one."""
    turns = [cells]
    for _ in range(3):
        turns.append(turned(turns[-1]))
    return list(dict.fromkeys(turns))

# %%
SHAPES = {name: orientations(shape(drawing)) for name, drawing in DRAWINGS.items()}
{name: len(shapes) for name, shapes in SHAPES.items()}

# %% [markdown]
# Nineteen in all. Here they are, one piece a row; the empty places are the turns that brought nothing new.

# %%
poster = tc.Board.empty(16, 28)
for row, (name, shapes) in enumerate(SHAPES.items()):
    for column, cells in enumerate(shapes):
        poster = poster.with_cells(moved(cells, 24 - 4 * row, 4 * column), name)
poster

# %% [markdown]
# > **In the paper.** Muller and Ponton changed their minds about this. The draft of their report (chapter 2, section
# > 2) keeps a piece as a *glyph*: a square matrix with the piece's number in its cells and zeros elsewhere, turned by
# > the program, and beside it the number of turns that differ. The final report of 2019 (chapter 3, section 2) keeps
# > a list of pairs (row, column) for every turn, all typed in, with two corners of the box around it (top left and
# > bottom right) typed in too *to speed up later tests*, and goes back to a matrix only for a neural network. They
# > fill three bags with such pieces: *rapid* with the shapes that differ, as ours, *classic* with four turns of
# > everything but the O, and a *domino*.
#
# In that list the rows of a piece count from the *top*, while the rows of their board count from the *bottom*. So
# every piece has to be flipped on its way to the board. What if somebody forgets? Here is their J, copied without the
# flip:

# %%
theirs = [(0, 0), (1, 0), (1, 1), (1, 2)]
assert in_corner({(-r, c) for r, c in theirs}) == shape("X../XXX")
[name for name, shapes in SHAPES.items() if frozenset(theirs) in shapes]

# %% [markdown]
# Every J becomes an L, and, by the same slip, every S a Z. No error is raised, I, O and T look innocent, and the game
# runs. An upside-down picture is a mirror image, and no number of turns undoes a mirror. The moral is dull and
# precious: say where row 0 is, once, and let nothing disagree.
#
# ## The board as a grid
#
# A set of cells is fine for four of them. For a pile, a picture in memory is more natural: an *array* with a row for
# each row and a column for each column. This one has 8 columns and 8 rows, and will be with us for the rest of the
# chapter.

# %%
pile = tc.Board.from_text("""
.X......
XX..X...
XXX.XXXX
X.X.X.XX
XXX.XXXX""", height=8)
pile

# %%
WIDTH, HEIGHT, SPARE = 8, 8, 4
grid = np.vstack([pile.full, np.zeros((SPARE, WIDTH), bool)])
grid[:5][::-1].astype(int)

# %% [markdown]
# `pile.full` is the array. We add four empty rows on top, where a piece can wait to fall (the report adds two, and
# calls them invisible). Numpy prints row 0 first, that is on top, so we print the rows in reverse.
#
# ## A row is a number
#
# One row of the grid is eight answers to yes or no. So is a whole number below 256, written in base two: let column 0
# be worth 1, column 1 worth 2, column 2 worth 4, and so on; add what the full columns are worth. A sum of products,
# row by row, is what the operator `@` computes.

# %%
rows = (grid @ 2 ** np.arange(WIDTH)).tolist()
rows

# %% [markdown]
# Row 4 has only column 1 full, and 2 is what column 1 is worth. Beware when you print in base two: people write the
# *last* digit for what is worth 1, so the row comes out mirrored.

# %%
print("row 3 as a number:", rows[3], " in base two:", f"{rows[3]:08b}", " column 0 first:", f"{rows[3]:08b}"[::-1])

# %% [markdown]
# What is this good for? A processor works on all digits of a number at once. `a & b` has a 1 where both have one: for
# a row of the pile and a row of a piece, that is a *collision*. `a | b` puts the piece down. `a << 1` doubles, so
# every bit moves one column to the right. And a full row is a single number: 255, all eight bits. Eight cells, one
# instruction.

# %%
FULL = 2**WIDTH - 1
i_in_column_3 = 1 << 3
print("collides in row 0:", bool(rows[0] & i_in_column_3), " fills it:", rows[0] | i_in_column_3 == FULL)
print("one column to the right, collides:", bool(rows[0] & i_in_column_3 << 1))

# %% [markdown]
# ## A piece falls, three times
#
# To fall is the same in every encoding: *go down while the piece fits in the row below*. Only the question 'does it
# fit?' is asked in different words. So we write the fall once, and give it the question.

# %%
def landing(fits, board, piece):
    """The row where a piece comes to rest that falls from above the pile."""
    row = HEIGHT
    while fits(board, piece, row - 1):
        row -= 1
    return row

# %% [markdown]
# And here is the question three times: for a board and a piece that are sets of cells, arrays, or lists of rows as
# bits. In all three the piece is already in its column, and `row` is where its bottom row would be.

# %%
def fits_cells(board, piece, row):
    """Above the floor, and no cell of the piece is a cell of the board."""
    return row >= 0 and not board & moved(piece, row, 0)

def fits_grid(board, piece, row):
    """Above the floor, and no place is full in both."""
    return row >= 0 and not (board[row : row + len(piece)] & piece).any()

def fits_bits(board, piece, row):
    """Above the floor, and no bit is set in both."""
    return row >= 0 and not any(board[row + k] & bits for k, bits in enumerate(piece))

# %% [markdown]
# Three programs, one little operator: `&` is 'in both' for sets, for arrays and for bits alike. To try them we need
# to get from one encoding to another. From cells to a grid, and from a grid to the other two:

# %%
def as_grid(cells, height):
    """An array that is True at these cells."""
    grid = np.zeros((height, WIDTH), bool)
    grid[tuple(np.transpose(list(cells)))] = True
    return grid

def as_cells(grid):
    """The set of the places where an array is True."""
    return frozenset((r, c) for r, c in np.argwhere(grid).tolist())

def as_bits(grid):
    """The rows of an array as numbers."""
    return (grid @ 2 ** np.arange(WIDTH)).tolist()

# %% [markdown]
# Our pile has a deep well in column 3. **Guess first:** in which row does an upright I come to rest there, and in
# which row a T that points down (`XXX/.X.`, its left edge in column 2)?

# %%
def landings(cells, column):
    """Where a shape lands, by each of the three encodings."""
    piece = moved(cells, 0, column)
    box = as_grid(piece, height=4)
    return (landing(fits_cells, as_cells(grid), piece), landing(fits_grid, grid, box),
            landing(fits_bits, as_bits(grid), as_bits(box)))

# %%
upright, pointing_down = shape("X/X/X/X"), shape("XXX/.X.")
landings(upright, 3), landings(pointing_down, 2)

# %% [markdown]
# The I goes to the bottom. The T hangs by its right arm: column 4 is 4 high, so the arms stay in row 4, and the
# point, in row 3, dangles over the well.
#
# ## Rows disappear
#
# Put the I down, and two rows are full. They have to go, and what is above them has to come down. Here the encodings
# show their characters. In bits a full row is a number, so clearing is *keep the others*, and the same with a grid:

# %%
def cleared_bits(board):
    """The rows that are not full, and empty ones on top."""
    kept = [row for row in board if row != FULL]
    return kept + [0] * (len(board) - len(kept))

def cleared_grid(board):
    """The rows that are not full, and empty ones on top."""
    kept = board[~board.all(axis=1)]
    return np.vstack([kept, np.zeros((len(board) - len(kept), WIDTH), bool)])

# %% [markdown]
# Nobody tells the rows above to come down: they come down because the list has become shorter. A set of cells has no
# such luck. It must count the cells of every row, and then tell each cell how many full rows there are below it.

# %%
def cleared_cells(board):
    """The cells that are not in full rows, each lower by the number of full rows below it."""
    of_each_row = [r for r, c in board]
    full = {r for r in of_each_row if of_each_row.count(r) == WIDTH}
    return frozenset((r - sum(f < r for f in full), c) for r, c in board if r not in full)

# %% [markdown]
# Now a whole move, three times: fall, settle, clear. In each, `|` means 'and these too'.

# %%
def drop_cells(board, piece):
    """The set of cells after a piece has fallen and full rows are gone."""
    return cleared_cells(board | moved(piece, landing(fits_cells, board, piece), 0))

def drop_grid(board, piece):
    """The same with arrays."""
    row, board = landing(fits_grid, board, piece), board.copy()
    board[row : row + len(piece)] |= piece
    return cleared_grid(board)

def drop_bits(board, piece):
    """The same with rows of bits."""
    row, board = landing(fits_bits, board, piece), list(board)
    for k, bits in enumerate(piece):
        board[row + k] |= bits
    return cleared_bits(board)

# %%
in_the_well = as_grid(moved(upright, 0, 3), height=4)
after = drop_grid(grid, in_the_well)
tc.Board.empty(WIDTH, HEIGHT).with_cells(as_cells(after))

# %% [markdown]
# Rows 0 and 2, counted from the floor, have gone; row 1 stays, because of its two gaps. Look at the gap on the right:
# it had a lid, and has none any more. Clearing rows can open what was buried, and good players live on that.
#
# > **In the paper.** The report clears with a loop that goes up the rows and *does not* step up after a row is
# > removed, since the next one has just fallen into its place (chapter 3, section 3.4). That is right, and easy to
# > get wrong, as an exercise will show. The report removes a row with `del` and says that this is cheap because
# > Python's lists are linked lists (section 3.2). They are not: a list is an array of references, and `del` shifts
# > all those behind it. With 22 rows nobody will ever notice. The conclusion was right, the reason was not.
#
# ## Do they agree?
#
# One example is an anecdote. We have three programs for one thing, written in three ways, and that is a treasure:
# whatever the right answer may be, they must all give the same. So make boards at random, but from a seed, so that
# everybody gets the same ones; drop all 19 shapes in all columns; and compare. The game of the library, which shares
# no line with ours, is the fourth voice.

# %%
def random_grid(number):
    """A board of random cells, without full rows, below a random skyline."""
    draws = Draws(1, number)
    skyline = draws.below(HEIGHT - 1, WIDTH)
    cells = (draws.uniform((HEIGHT + SPARE, WIDTH)) < 0.8) & (np.arange(HEIGHT + SPARE)[:, None] < skyline)
    return cleared_grid(cells)

# %%
boards = [random_grid(number) for number in range(40)]
cases = [(board, move) for board in boards for piece in tc.PIECES.values()
         for move in tc.moves(tc.Board(board.astype(int)), piece)]
print(f"{len(cases):,} moves on {len(boards)} boards")

# %% [markdown]
# Each case is a board and one of the library's moves on it, which knows its shape, its column and the board after it.
# What do our three programs make of the same?

# %%
def agree(board, move):
    """Whether all three encodings make of a board what the library's move made of it."""
    piece = moved(move.shape.cells, 0, move.column)
    box, after = as_grid(piece, height=4), move.after.full
    return (np.array_equal(drop_grid(board, box), after) and drop_cells(as_cells(board), piece) == as_cells(after)
            and drop_bits(as_bits(board), as_bits(box)) == as_bits(after))

# %%
agreed = [agree(board, move) for board, move in cases]
print(f"all four agree in {sum(agreed):,} of {len(agreed):,} moves")

# %% [markdown]
# A check like this is called a *property test*. It does not say what the answer is; it says what must be true of all
# answers. It took a dozen lines, and it has looked at more cases than anybody would have had the patience to invent.
# This course holds its fast simulator and its readable game together in the same way, and chapter 06 lives on it.
#
# ## The board as one number
#
# Why stop at a row? Write the numbers of all rows one after the other, and the board is a *single* whole number, as
# long as need be: Python's have no limit. To fall one row is then a shift by the width; a collision of a whole piece
# is one `&`; and, best of all, a number can be the key of a dictionary.

# %%
print(pile.bits)
assert pile.bits == sum(row << WIDTH * r for r, row in enumerate(rows))
assert tc.Board.from_bits(pile.bits, WIDTH, HEIGHT) == pile

# %% [markdown]
# This is the report's third encoding (chapter 8, section 4.2: `encodeToInt`). There a learner writes down, for every
# board that it has met, what each action is worth, in a dictionary with these numbers as keys. A 10 x 22 board is a
# number of 220 bits, or 28 bytes; there are $2^{220} \approx 1.7 \cdot 10^{66}$ of them, which is why that dictionary
# never gets full (chapter 11).
#
# The price is that the walls are gone. **Before you run it:** an O stands at the right wall, and we shift its number
# by 1, 'one column to the right'. Where does it go?

# %%
o_at_the_wall = tc.Board.empty(WIDTH, 4).with_cells(moved(shape("XX/XX"), 0, 6), "O").bits
tc.Board.from_bits(o_at_the_wall << 1, WIDTH, 4)

# %% [markdown]
# Through the wall, and in again on the other side, one row higher: where one row ends, the next begins. In a list of
# rows the bit would have become a ninth one, worth 256, which is easy to notice. Exercise 01.3 puts the wall back.
#
# ## What each makes easy
#
# | | matrix (draft's glyph, our grid) | cells (report's pairs, our set) | bits (report's integer, our rows) |
# |---|---|---|---|
# | turn a piece | `np.rot90`, in a square with a margin | **(row, column) to (column, -row)** | hard: use a table |
# | equal shapes? | margins get in the way | **equal sets** | equal numbers |
# | does it fit? | compare a window of cells | look up 4 cells | **one `&`** (a row) |
# | move sideways | another window | **add to the column** | **a shift**, but mind the walls |
# | is a row full? | `all` along the row | count its cells | **one comparison** |
# | clear rows | **keep the others** | tell every cell how far to fall | **keep the others** |
# | which piece was it? | **its number in the cell** | a dictionary beside the set | no room |
# | whole-board sums: heights, holes | **array algorithms** | loops | tricks; see chapter 06 |
# | draw it, feed it to a network | **it is a picture already** | convert | convert |
# | key of a dictionary | convert | frozen set, large | **it is a number already** |
#
# No column wins. So programs translate: the library defines its shapes as cells, keeps its board as an array, and
# plays its millions of fast games on bits. Each translation is a few lines; to live with the wrong encoding costs
# more than that every day.
#
# ## Heights: look from above
#
# A player does not look at cells. It looks at a few numbers, its *features*, and chapter 04 is all about them. Three
# are enough for now, and each is a small lesson in thinking with arrays.
#
# The *height* of a column (*hauteur*) is the row of its highest full cell plus one, or 0 if it is empty. The report
# starts at the top and walks down until it meets a full cell; from below, it says, one would stop at the first hole.
# Numpy's word for 'where is the first True' is `argmax`. So turn the grid upside down, take `argmax` along the
# columns, and subtract from the number of rows. **What goes wrong?** Look at column 3.

# %%
len(grid) - grid[::-1].argmax(axis=0)

# %% [markdown]
# In an empty column all are False, the first of equals is the first of all, and the deepest well of our pile looks
# like a tower of 12. A value that means 'nothing found' and looks like a result: one of the oldest traps there is. So
# ask whether there is anything, and only then where.

# %%
def heights(grid):
    """Of each column the row of its highest full cell + 1, or 0."""
    return np.where(grid.any(axis=0), len(grid) - grid[::-1].argmax(axis=0), 0)

# %%
heights(grid)

# %% [markdown]
# Heights pay at once. A piece that comes from above meets the *surface*: its column $j$ stops it at the height of the
# pile there, less the lowest cell of the piece in that column. The highest of these stops is where it lands, without
# any falling.

# %%
def landing_by_heights(grid, piece):
    """The row where a piece lands: the highest of the stops of its columns."""
    lowest = {column: min(r for r, c in piece if c == column) for _, column in piece}
    return max(int(heights(grid)[column]) - low for column, low in lowest.items())

# %%
landing_by_heights(grid, moved(upright, 0, 3)), landing_by_heights(grid, moved(pointing_down, 0, 2))

# %% [markdown]
# > **In the paper.** Muller and Ponton began with the loop and replaced it by this (chapter 3, section 4.3); they
# > *add* the lowest cell, since their pieces count rows downwards. What is lost: heights know nothing of caves. To
# > slide a piece under a ledge at the last moment, as good human players do, takes the cells.
#
# Is it the same as falling? Ask the forty boards; an `assert` that says nothing has found nothing to say.

# %%
assert all(landing_by_heights(board, moved(move.shape.cells, 0, move.column)) == move.row for board, move in cases)

# %% [markdown]
# ## Holes: a lid and nothing under it
#
# A *hole* (*trou*) is an empty cell with a full one somewhere above it in its column. In terms of arrays: look from
# the top down and remember, in every column, whether anything full has come yet. Such a running 'or' is called an
# *accumulation*, like a running total (`cumsum`). What is covered and not full is a hole.

# %%
covered = np.logical_or.accumulate(grid[::-1])[::-1]
hole_cells = covered & ~grid
as_cells(hole_cells)

# %%
figure, axes = plt.subplots(1, 3, figsize=(9, 2.8), sharey=True)
pictures = {"full": grid, "covered": covered, "covered and not full": hole_cells}
for axis, (title, cells) in zip(axes, pictures.items(), strict=True):
    axis.imshow(cells[:6], origin="lower", cmap="Blues", vmin=0, vmax=1.4)
    axis.set(title=title, xlabel="column")
axes[0].set_ylabel("row")
plt.show()

# %% [markdown]
# On the left the pile; in the middle everything at or below a full cell, solid up to the skyline; on the right what
# is left when you take the first from the second: two cells in row 1, in columns 1 and 5.
#
# The middle picture has a secret. Under the skyline there are as many cells as the heights add up to, and each is
# either full or a hole. So one can count the holes without finding them:

# %%
def holes(grid):
    """Cells below the skyline that are not full."""
    return int(heights(grid).sum() - grid.sum())

# %%
assert all(holes(move.after.full) == tc.FEATURES["holes"](move) for board, move in cases)
holes(grid)

# %% [markdown]
# > **In the paper.** The report counts cells that are *dominated* (*cellule dominée*; chapter 3, section 3.3, and the
# > draft before it). Its definition is ours. Its program, as printed, is this: *if cell (i, j) is not empty, return
# > False; else for k from i + 1 to the height of column j less 1: if cell (i, j) is not empty, return True; return
# > False.* Read it once more, slowly.

# %%
def dominated_as_printed(grid, i, j):
    """The report's isDominated, line for line."""
    if grid[i, j]:
        return False
    return any(grid[i, j] for k in range(i + 1, heights(grid)[j]))

# %%
sum(dominated_as_printed(grid, i, j) for i in range(HEIGHT) for j in range(WIDTH))

# %% [markdown]
# No holes, ever: the loop runs over `k` and never looks at row `k`. The draft and the final report both print it, and
# it reads so well. The slip must be one of print: with the right definition the report's scores come out again, as
# chapter 03 will show. But notice what finds such a thing. Not a careful reader; a second program, and a comparison.
#
# ## Bumpiness, and a panel to see it all
#
# The *bumpiness* is how rough the skyline is: the steps between neighbouring columns, up or down, added together.
# `np.diff` gives the steps.

# %%
def bumpiness(grid):
    """The sizes of the steps between neighbouring columns, added."""
    return int(abs(np.diff(heights(grid))).sum())

# %%
print("steps:", np.diff(heights(grid)), " bumpiness:", bumpiness(grid))

# %% [markdown]
# A flat surface has bumpiness 0; ours has a gorge in it, which alone makes 7 of the 11. Let the T with its point down
# plug the gorge. The library marks what it then counts as holes:

# %%
plug = next(move for move in tc.moves(pile, tc.PIECES["T"]) if move.column == 2 and str(move.shape) == "XXX/.X.")
print("bumpiness:", bumpiness(plug.after.full))
BoardView(plug, "holes")

# %% [markdown]
# A smooth skyline, bumpiness 3, paid for with four new holes. Is there something better? Look for yourself: the panel
# shows every move of a T on our pile, with what a feature counts drawn on the board. The menu also has
# `my_roughness`, which is a function of ours: any function of a move will do.
#
# **Try this.** Choose *bumpiness* and press *Lowest value*; note the move, and its holes in the table. Then choose
# *holes* and press it again. Is there a move that is best in both? Step through the moves: which would *you* play,
# and what do you give up for what? You have just met the problem that keeps chapters 03 and 04 busy.

# %%
def my_roughness(move):
    """The bumpiness, computed by this chapter's own function."""
    return bumpiness(move.after.full)

FeaturePanel("bumpiness", board=pile, piece="T", features=[my_roughness])

# %% [markdown]
# ## The library's own
#
# You have now written, in small, most of what `tetriscourse/game` is made of. Its `Board` is an array in which a full
# cell holds the number of its piece, so that it can be drawn in colours; it is never changed, only replaced, as our
# sets were. Its pieces are the shapes of the poster. Let us not take that on trust:

# %%
for name, piece in tc.PIECES.items():
    assert {frozenset(one.cells) for one in piece.orientations} == set(SHAPES[name])
assert all(pile.heights == heights(grid))

# %% [markdown]
# And `moves` lists where a piece can go, as pairs of a shape and a column. **A last guess:** on a board of ten
# columns, how many moves has an I? A T? All seven pieces together?

# %%
count = {name: len(tc.moves(tc.Board.empty(10, 20), piece)) for name, piece in tc.PIECES.items()}
print(count, "together", sum(count.values()))

# %% [markdown]
# A shape that is $w$ columns wide has $10 - w + 1$ places. That makes 9 moves for an O and 34 for a T, about 23 on
# average. A program that looks one move ahead looks at 23 boards, and asks of each how high, how holey, how bumpy. So
# what we built here will run 23 times for every piece that is ever played, which is the reason why chapter 06 exists.
#
# ## What you have learned
#
# - A shape is a frozen set of cells in the corner; a quarter turn sends (row, column) to (column, -row); equal shapes
#   are equal sets, and so the 19 orientations count themselves.
# - Say where row 0 is, once. An upside-down J is an L, and nothing complains.
# - In bits, `&` is a collision, `|` puts down, `<<` moves, and a full row is one number; as a single number a board
#   can be a key, but has lost its walls.
# - No encoding is best; ask what you do most, and translate at the border.
# - Heights are an `argmax` from above (mind the empty column), holes are heights less cells, bumpiness is the sum of
#   the sizes in `diff`.
# - Programs that do one thing in several ways can check each other. Printed pseudo-code cannot.
#
# ## Where to go next
#
# The [exercises](../exercises/01_data_structures.ipynb) have mirrors, a colleague's mistake, walls for bits, lids for
# holes, and a contest: in how few bytes can you keep a board? Then chapter [02](02_engine_and_agents.ipynb) puts the
# pieces into a game, with rules, and with its first and worst players.
