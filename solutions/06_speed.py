# %% [markdown]
# # Exercises 06: speed
#
# Bits first, then lanes, then the art of mistrust, and a feature of your own, in two versions that nobody can tell
# apart. At the end you prove that the shadows stay in their lanes, and use a stopwatch in a busy room. The
# lecture is [06 Speed](../notebooks/06_speed.ipynb).
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)` in a new cell helps when you are stuck.

# %%
import random

import numba
import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.course.timing import ratios
from tetriscourse.random_numbers import Draws

# %% [markdown]
# In these exercises a **column** is a whole number: bit $r$ is set when the cell in row $r$ is full, and bit 0 is the
# floor. A board is a list of columns, from left to right. This one is drawn as numbers, and as you know it:

# %%
columns = [0b1101, 0b0000, 0b0011, 0b0110]
tc.Board([[8 * (column >> row & 1) for column in columns] for row in range(5)])  # 8: full, of no piece in particular

# %% [markdown]
# ## 06.1 Three questions to a number
#
# Write three functions without looking at single cells:
# - `height(column)`, the row of the highest full cell + 1, and 0 for an empty column;
# - `holes(column)`, how many empty cells have a full one above them;
# - `full_rows(columns)`, a whole number whose bit $r$ is set when row $r$ is full in *all* columns.
#
# On the board above: heights 4, 0, 2, 3; holes 1, 0, 0, 1; no full row, so `full_rows` gives 0. For columns 7, 3 and
# 11 it gives 3: rows 0 and 1 are full.


# %%
def height(column):
    """The height of a column."""
    ### BEGIN SOLUTION
    return column.bit_length()
    ### END SOLUTION


def holes(column):
    """The number of holes in a column."""
    ### BEGIN SOLUTION
    return column.bit_length() - column.bit_count()
    ### END SOLUTION


def full_rows(columns):
    """The full rows of a board, as the bits of one number."""
    ### BEGIN SOLUTION
    rows = columns[0]
    for column in columns:
        rows &= column
    return rows
    ### END SOLUTION


# %%
[height(column) for column in columns], [holes(column) for column in columns], full_rows([7, 3, 11])

# %%
check("06.1")

# %% [markdown]
# ## 06.2 What will it bring?
#
# Amdahl's law for more than two parts. A program spends the shares $p_1, ..., p_n$ of its time in its parts (they add
# up to 1), and part $i$ is made $s_i$ times as fast. Write `speed_up(shares, factors)`: how many times as fast does
# the whole program become? A factor may be below 1: that part has become slower.
#
# Then the wall. A player spends 0.6 of its time valuing moves, 0.3 listing them, and 0.1 on all else. You may spend
# your life on *one* of the three. What is the largest speed-up of the whole that you can ever come near? Call it
# `limit`.


# %%
limit = ...  # replace the dots
### BEGIN SOLUTION
limit = 1 / (0.3 + 0.1)
### END SOLUTION


def speed_up(shares, factors):
    """How many times as fast the whole is when each share of it becomes so many times as fast."""
    ### BEGIN SOLUTION
    return 1 / sum(share / factor for share, factor in zip(shares, factors, strict=True))
    ### END SOLUTION


# %%
speed_up([0.7, 0.3], [10, 1])  # the lecture printed 2.70

# %%
check("06.2")

# %% [markdown]
# ## 06.3 Lanes that keep to themselves
#
# In the lecture 250 + 10 overflowed its lane and spoilt the neighbour. A processor's vector registers do not let that
# happen: each lane keeps what fits and forgets the carry, so that 250 + 10 is 4 in a lane of 8 bits. Write
# `add_lanes(a, b, high)`, which adds all lanes of the words `a` and `b` in this way. `high` has the highest bit of
# every lane set and no other bit; for two lanes of 4 bits it is `0b1000_1000`, and 0b0011_1111 + 0b0001_0001 must
# give 0b0100_0000.
#
# You may take the lanes apart and add them one by one. But there is a way with a handful of operations, however many
# lanes there are: without their highest bits, two lanes can be added and cannot overflow. Then deal with those bits.


# %%
def add_lanes(a, b, high):
    """The sums of all lanes, each without its carry."""
    ### BEGIN SOLUTION
    low = ~high
    return ((a & low) + (b & low)) ^ ((a ^ b) & high)
    ### END SOLUTION


# %%
add_lanes(0b0011_1111, 0b0001_0001, 0b1000_1000)

# %%
check("06.3")

# %% [markdown]
# ## 06.4 A test that can say no
#
# Somebody sends you fast functions that count the holes of a whole board, and swears by each of them. Some are wrong,
# in ways that people really get wrong. This is the slow one, which you trust:


# %%
def slow_holes(columns):
    """The holes of a board, cell by cell."""
    return sum(not column >> row & 1 and column >> row > 0 for column in columns for row in range(20))


# %%
slow_holes(columns)

# %% [markdown]
# Write `trustworthy(fast)`: it returns `True` if `fast(columns)` equals `slow_holes(columns)` on every board that it
# tries, else `False`. Boards have 10 columns and 20 rows. Which boards to try is the whole exercise. `random` is at
# hand: `random.Random(1).randrange(2**20)` is a random column. What kind of column does it almost never give you?


# %%
def trustworthy(fast):
    """Whether a fast function counts holes as the slow one does, on many boards of 10 columns and 20 rows."""
    ### BEGIN SOLUTION
    chance = random.Random(1)
    for _ in range(500):
        # A skyline from 0 to 20: empty columns and columns up to the brim are among them.
        board = [chance.randrange(2 ** chance.randint(0, 20)) for _ in range(10)]
        board[chance.randrange(10)] |= 1 << 19
        if fast(board) != slow_holes(board):
            return False
    return True
    ### END SOLUTION


# %%
check("06.4")

# %% [markdown]
# ## 06.5 A feature of your own, twice
#
# Invent a number that a player could look at: something about *one board*, which is neither the sum of heights nor
# the number of holes. (No idea? The number of columns without a hole; the deepest step between neighbours; the sum of
# the squares of all steps; rows with at least one hole.) Write it twice.
#
# - `slow_feature(cells)`, for people: `cells` is an array of truth values, `cells[row, column]`, row 0 at the bottom.
# - `fast_feature(boards)`, for the processor, compiled by numba: `boards` is an array of whole numbers with one board
#   a row and one column of the board in each number, `boards[board, column]`. It returns an array with the feature of
#   every board. Boards may have 4 to 10 columns and at most 20 rows.
#
# The check draws boards and compares the two. So you cannot be wrong about what the feature is; only your two
# versions can disagree about it.


# %%
def slow_feature(cells):
    """My feature, for people."""
    ### BEGIN SOLUTION
    heights = [max((row + 1 for row, full in enumerate(column) if full), default=0) for column in cells.T]
    return (np.diff(heights) ** 2).sum()
    ### END SOLUTION


# %%
@numba.njit
def fast_feature(boards):
    """My feature, for the processor, for all boards at once."""
    ### BEGIN SOLUTION
    results = np.zeros(len(boards), np.int64)
    for board in range(len(boards)):
        last = -1
        for column in boards[board]:
            height = 0
            while column >> height:
                height += 1
            if last >= 0:
                results[board] += (height - last) ** 2
            last = height
    return results
    ### END SOLUTION


# %%
check("06.5")

# %% [markdown]
# ## 06.6 Proof, ratio, price (open)
#
# Now measure. The next cell makes 1,000 random boards in both forms. Add a cell below it that times your two features
# on them with `ratios({"slow": ..., "fast": ...})`; if the fast one is not at least ten times as fast, find out why.
# Then answer in words, in a few sentences each:
#
# 1. **Proof.** How do you know that the two agree? Which boards would you add to the test if your life depended on
#    it?
# 2. **Ratio.** How many times as fast is the fast one, how did you measure it, and what was left out of the
#    measurement?
# 3. **Price.** What can the slow one do that the fast one cannot?

# %%
draws = Draws(6, 0)
cells = (draws.uniform((1000, 20, 10)) < 0.7) & (np.arange(20)[:, None] < draws.below(21, (1000, 1, 10)))
boards = (cells * (1 << np.arange(20))[:, None]).sum(axis=1)
boards.shape

# %% [markdown] answer="06.6"
# ```python
# ratios({"slow": lambda: [slow_feature(one) for one in cells], "fast": lambda: fast_feature(boards)})
# ```
#
# **Proof.** Both were run on boards with random skylines, of several widths, and gave the same number on each. Such a
# test has proven nothing about boards that it never drew, so I made sure that the odd ones are drawn: empty columns,
# columns up to the top row, equal neighbours, the narrowest board. If my life depended on it I would try *all* boards
# of a small size, say all $2^{16}$ of 4 x 4, and the largest differences that can occur.
#
# **Ratio.** On my machine the fast one is hundreds of times as fast. Both did the same 1,000 boards, by turns, in one
# run, and the best of nine rounds counted. Left out: compiling, which takes about a second and is paid once, and
# turning cells into columns, which costs far more than the fast feature itself. In a program that keeps its boards as
# columns nobody pays for that; in one that does not, Amdahl's law would eat most of the gain.
#
# **Price.** The slow one reads like the definition, takes boards of any size, and says so when it is given nonsense.
# The fast one knows whole numbers only, would run for ever on a negative one, and has to be compiled anew for every
# type. I keep the slow one: it is the test of the next fast one.

# %% [markdown]
# ## 06.7 Why the shadows stay in their lanes
#
# The lecture casts the shadows of all columns of a board at once, and tests it on 400 boards. A test shows that it
# works on those. Prove that it works on all.
#
# A word holds $n$ lanes of $W$ bits: bit $iW + r$, with $0 \le r < W$, is set when column $i$ is full in row $r$. A
# *step by* $k$, with $1 \le k < W$, replaces the word $s$ by `s | (s >> k & mask)`, where the mask has exactly the
# bits $iW + r$ with $r < W - k$.
#
# **Prove:**
#
# 1. After a step by $k$, bit $r$ of lane $i$ is set exactly if, before it, bit $r$ of *the same lane* was set, or
#    $r + k < W$ and bit $r + k$ of the same lane was set. Say where the mask is needed: which bit would be wrong
#    without it?
# 2. After steps by $1, 2, 4, \ldots, 2^{m-1}$ (all below $W$), bit $r$ of lane $i$ is set exactly if column $i$ has a
#    full cell in one of the rows $r, r + 1, \ldots, r + 2^m - 1$.
# 3. So the steps by all powers of two below $W$ give the whole shadow of every column. And the last of them is needed:
#    without it, there is a board with a wrong shadow.

# %% [markdown] answer="06.7"
# **1.** Shifting down by $k$ moves bit $j + k$ of the word to bit $j$. Take $j = iW + r$ with $0 \le r < W$.
#
# - If $r + k < W$, then $j + k = iW + (r + k)$ is bit $r + k$ of lane $i$. The mask has bit $j$, so it stays.
# - If $r + k \ge W$, then $j + k = (i + 1) W + (r + k - W)$, where $0 \le r + k - W < W$ because $k < W$: this is bit
#   $r + k - W$ of lane $i + 1$, the neighbour (or nothing, for the topmost lane). The mask does not have bit $j$, so
#   it is wiped off.
#
# So `s >> k & mask` has bit $r$ of lane $i$ exactly if $r + k < W$ and bit $r + k$ of lane $i$ was set. The `|` adds
# the bits that were set already. Without the mask, a full cell in row 0 of column $i + 1$ would set bit $W - k$ of
# lane $i$, as if column $i$ reached up to there.
#
# **2.** By induction on $m$. For $m = 0$ no step has been taken, and the only row is $r$ itself: true by the meaning
# of the word. Let it be true for $m$, and take the step by $k = 2^m$. By part 1, bit $r$ of lane $i$ is then set
# exactly if it was set before, which means a full cell in rows $r$ to $r + 2^m - 1$, or if $r + 2^m < W$ and bit
# $r + 2^m$ was set, which means a full cell in rows $r + 2^m$ to $r + 2^m + 2^m - 1$. If $r + 2^m \ge W$, these rows
# do not exist and hold no full cell, so the condition $r + 2^m < W$ may be dropped. Together these are rows $r$ to
# $r + 2^{m+1} - 1$, without a gap: true for $m + 1$.
#
# **3.** Let $2^{m-1}$ be the largest power of two below $W$; then $2^m \ge W$. After the steps by
# $1, \ldots, 2^{m-1}$, bit $r$ is set exactly if there is a full cell in rows $r$ to $r + 2^m - 1$. As
# $r + 2^m - 1 \ge W - 1$, these are *all* rows from $r$ upwards, so the bit is set exactly if the cell is full or has
# a full one above it: that is the shadow. Without the last step it looks only up to row $r + 2^{m-1} - 1$. The column
# whose only full cell is in row $W - 1$ should have a shadow down to row 0, but $0 + 2^{m-1} - 1 < W - 1$, so bit 0 is
# not set. (With lanes of 21: 16 is the last power below, and without it a cell in row 20 throws a shadow of 16 cells
# only.)

# %% [markdown]
# ## 06.8 A stopwatch in a busy room
#
# Six versions of a function do the same, and you want the fastest. `measure(k)` runs version `k` (from 0 to 5) once
# and returns how many milliseconds it took. But it is *your* machine, and it has other things to do:
#
# - each run is held up by small interruptions: it takes longer than it should, by 20 % on average, sometimes by
#   nothing, sometimes by 60 % or more;
# - every now and then a film starts or ends somewhere. As long as it runs, everything takes 1.5 times as long. Such
#   stretches, with and without a film, last for some 120 runs on average, and nobody tells you.
#
# You have 480 runs; then `measure` refuses, with an error. Write `fastest(measure, versions, budget)`, which returns
# the number of the fastest version. In which order do you run them, and what do you make of the times of a version:
# their mean, their median, something else?
#
# The check has 200 machines on which each version is 8 % slower than the next better one, and 200 with 2 %. There is a
# point for the fastest version in more than 85 % of the first, a point for more than 50 % of the second, and one for
# more than 90 %. `rehearse` lets you try first.

# %%
def fastest(measure, versions, budget):
    """The number of the fastest version, found with at most so many runs."""
    ### BEGIN SOLUTION
    lowest = [float("inf")] * versions
    for _ in range(budget // versions):
        for k in range(versions):  # by turns, so that a film holds up all of them
            lowest[k] = min(lowest[k], measure(k))  # nothing makes a run faster than it is
    return lowest.index(min(lowest))
    ### END SOLUTION


# %%
def rehearse(plan, slower=0.02, machines=60, versions=6, budget=480):
    """The share of busy machines on which a plan finds the fastest version."""
    found = 0
    for number in range(machines):
        draws = Draws(68, number)
        times, runs = (1 + slower * draws.order(versions)).tolist(), []
        ends = draws.uniform(budget) < 1 / 120  # whether a film starts or ends after this run
        film = (np.cumsum(ends) + draws.below(2)) % 2
        held_up = (1 - 0.2 * np.log(draws.uniform(budget))) * np.where(film, 1.5, 1.0)

        def measure(k, times=times, runs=runs, held_up=held_up):
            if len(runs) == budget:
                raise RuntimeError("no run is left")
            runs.append(k)
            return times[k] * float(held_up[len(runs) - 1])

        found += plan(measure, versions, budget) == times.index(1)
    return found / machines


# %%
[rehearse(fastest, slower) for slower in (0.08, 0.02)]

# %%
check("06.8")
