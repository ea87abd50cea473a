# %% [markdown]
# # 06 Speed
#
# *From lists to bits to lanes.* Chapter 05 asked for thousands of games. In the code that you have read so far, one
# game of a champion takes days. The library plays millions of moves a second. **Where does a factor of ten thousand
# come from, and how can you trust code that you can no longer read?**
#
# **You will learn**
# - to ask a profiler before you make anything faster, and to predict what it can bring;
# - five ways to do one job: lists, arrays, bits, compiled code, lanes;
# - why two threads can be useless in Python, and why they are not here;
# - to prove with random boards that fast code does what slow code does.
#
# **You need** chapters 01 (boards as arrays and bits) and 04 (the player that adds up weighted features). Bits of
# binary arithmetic are explained on the way.
#
# **Time** about {{minutes}} minutes.

# %%
import cProfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import matplotlib.pyplot as plt
import numba
import numpy as np

import tetriscourse as tc
from tetriscourse.course.timing import Ratios, ratios
from tetriscourse.random_numbers import Draws
from tetriscourse.simulator import record, values
from tetriscourse.widgets import TunePanel

# %% [markdown]
# A rule for this chapter. Seconds depend on your machine, on its age, and on the film that you are watching in
# another window. So we never print them. We measure **ratios**: two ways to do the same job, by turns, in one run,
# the best of several rounds. Figures show what was measured where these pages were made; run the cells to see yours.
#
# ## Profile first
#
# Everybody knows what is slow in their program, and nearly everybody is wrong. A *profiler* is a clock for every
# function: it notes how often each is called and how long it takes. Let it watch Dellacherie's player place 60 pieces
# in the readable layer, the one written for people.
#
# **Before you run the next cell**: the player makes its list of moves, and then gives each a value. Which of the two
# takes longer?

# %%
player = tc.PLAYERS["dellacherie"]
profile = cProfile.Profile()
game = profile.runcall(tc.play_game, player, tc.Rules(max_pieces=60), seed=6)
tc.plots.time_shares(profile, ["games.play_game", "players.choose", "players._sum", "moves.moves", "published.wells"])

# %% [markdown]
# The bars are nested: `play_game` calls `choose`, which calls `moves` to list the moves and `_sum` to value each; the
# features, `wells` among them, are inside `_sum`. Valuing is well over half of all time, listing moves most of the
# rest. Nothing sticks out as *the* culprit. That is typical of code that was written with care: there is no single
# silly line to fix. (A profiler slows down what it watches, small functions most. Trust its order, not its digits.)
#
# How often are values needed? Every place where the piece could land is valued, and the profiler has counted.

# %%
valued = sum(one.callcount for one in profile.getstats() if getattr(one.code, "co_name", "") == "_sum")
print(f"{game.pieces} pieces, {valued} moves valued: {valued / game.pieces:.1f} for each piece")

# %% [markdown]
# Some two dozen boards are made, looked at from six sides and thrown away for each piece that lands. This is the
# number to keep in mind: whatever we do about boards, we do it two dozen times a piece.
#
# ## What can a faster part bring?
#
# Suppose a part takes the share $p$ of the time, and we make it $s$ times as fast. The rest, $1 - p$, stays; the part
# shrinks to $p / s$. So the whole becomes
#
# $$\frac{1}{(1 - p) + p / s}$$
#
# times as fast. This is *Amdahl's law*, in one line, and it is a law of disappointment.


# %%
def speed_up(p, s):
    """How much faster the whole is when a share p of it becomes s times as fast."""
    return 1 / ((1 - p) + p / s)


# %%
for s in (2, 10, 1000):
    print(f"valuing {s} times as fast: the game {speed_up(0.7, s):.2f} times as fast")

# %% [markdown]
# With a share of 0.7, to be generous, a thousandfold gain where most of the time goes makes the game little more than
# three times as fast. There is a wall at $1 / (1 - p)$, and no cleverness inside the part gets past it.

# %%
gains = np.logspace(0, 4)
for p, line in ((0.7, "-"), (0.95, "--"), (0.999, ":")):
    plt.plot(gains, speed_up(p, gains), line, label=f"share p = {p}")
plt.loglog()
plt.xlabel("the part is s times as fast")
plt.ylabel("the whole is ... times as fast")
plt.legend()
plt.show()

# %% [markdown]
# Each curve rises at first and then levels off: at 3.3 for a share of 0.7, at 20 for 0.95, below 1,000 for 0.999. So
# to win a factor of thousands, more than 99.9 % of the work must become faster. Patching one function will not do;
# what all functions share must change. And what they share is **how a board is held in memory**.
#
# ## One job, and the slowest honest way
#
# We take a small job that stands for the rest: from a board, the *sum of heights* and the number of *holes*. Here is
# a picture to think with. Let light fall from above: in each column, the highest full cell casts a **shadow** down to
# the floor, itself included. The height of a column is the length of its shadow, and holes are the empty cells in it.

# %%
board = tc.Board.from_text("X...\nX..X\n..XX\nX.X.", height=5)
board

# %% [markdown]
# Shadows of 4, 0, 2 and 3 cells: the sum of heights is 9. The board has 7 full cells, so 9 - 7 = 2 cells of shadow
# are holes. With lists of lists, row 0 at the bottom, we go through each column and remember its top.


# %%
def by_lists(rows):
    """The sum of heights and the number of holes, cell by cell."""
    heights = holes = 0
    for column in zip(*rows, strict=True):
        top = max((row + 1 for row, full in enumerate(column) if full), default=0)
        heights += top
        holes += column[:top].count(False)
    return heights, holes


# %%
by_lists(board.full.tolist())

# %% [markdown]
# Good. Now 400 boards to work on: full cells at random below a random skyline. A skyline from 0 to 20 gives us empty
# columns and columns up to the brim, which will matter.


# %%
def random_cells(number):
    """The random board of this number, as an array of truth values."""
    draws = Draws(6, number)
    return (draws.uniform((20, 10)) < 0.7) & (np.arange(20)[:, None] < draws.below(21, 10))


# %%
boards = [random_cells(number) for number in range(400)]

# %% [markdown]
# And the test that every faster way has to pass: on each of the boards, held in whichever form it likes, it must say
# what the slow way says. Three lines, and the most important ones of this chapter.

# %%
truth = [by_lists(cells.tolist()) for cells in boards]


# %%
def agrees(results):
    """Whether these results are those of the slow way, board for board."""
    return [tuple(map(int, result)) for result in results] == truth


# %% [markdown]
# ## Arrays
#
# With numpy there is no loop to write: `logical_or.accumulate` runs down from the top and stays true from the first
# full cell on. That is the shadow.
#
# **Before you run the cell with the figure**: how many times as fast is this as the lists? Write your guess down.
# Really.


# %%
def by_arrays(cells):
    """The same with array operations."""
    shadow = np.logical_or.accumulate(cells[::-1])[::-1]
    return shadow.sum(), (shadow & ~cells).sum()


# %%
agrees(by_arrays(cells) for cells in boards)

# %%
lists = [cells.tolist() for cells in boards]
ways = {"lists": lambda: [by_lists(rows) for rows in lists]}
ways["arrays"] = lambda: [by_arrays(cells) for cells in boards]
ratios(ways, "heights and holes of 400 boards")

# %% [markdown]
# Two or three times, if that. Did you guess more? Arrays are famous for speed, but each call into numpy costs a fixed
# toll, whatever the size of the array. A board has only 200 cells, and we pay the toll five times. Arrays pay off
# when they are *large*, so let us hand over all boards at once, as one array with three axes.


# %%
def all_arrays(stack):
    """All boards at once."""
    shadow = np.logical_or.accumulate(stack[:, ::-1], axis=1)[:, ::-1]
    return np.stack([shadow.sum(axis=(1, 2)), (shadow & ~stack).sum(axis=(1, 2))], axis=1)


# %%
stack = np.array(boards)
agrees(all_arrays(stack))

# %%
ways["arrays in bulk"] = lambda: all_arrays(stack)
ratios(ways, "heights and holes of 400 boards")

# %% [markdown]
# Now we are ten times or more as fast as lists: the toll is shared by 400 boards. Keep this: *batching* often beats
# cleverness. But a game cannot always wait until 400 boards have come together; the next board depends on the last
# move.
#
# ## Bits
#
# A column is a string of yes and no, and so is a whole number in binary. Chapter 01 made a number of each row. Tilt
# your head: here each *column* becomes a number, whose bit $r$ says whether its cell in row $r$ is full.


# %%
def columns_of(cells):
    """Each column as a whole number, bit 0 at the bottom."""
    return [sum(1 << row for row, full in enumerate(column) if full) for column in cells.T.tolist()]


# %%
[f"{column:05b}" for column in columns_of(board.full)]

# %% [markdown]
# Read each from right to left to go up: the first column, `01101`, has a hole in row 1. Python knows two things about
# whole numbers that seem made for Tetris:
#
# - `x.bit_length()` is the position after the highest set bit: **the height**;
# - `x.bit_count()` is the number of set bits, the *population count* or **popcount**: the full cells.
#
# The holes are the difference. Nobody has to look at a cell any more.


# %%
def by_bits(columns):
    """The same from columns as whole numbers."""
    heights = sum(column.bit_length() for column in columns)
    return heights, heights - sum(column.bit_count() for column in columns)


# %%
columns = [columns_of(cells) for cells in boards]
agrees(by_bits(ten) for ten in columns)

# %%
ways["bits"] = lambda: [by_bits(ten) for ten in columns]
ratios(ways, "heights and holes of 400 boards")

# %% [markdown]
# Plain Python, one board at a time, and it rivals the big arrays. The computer always worked on 64 bits at once; we
# have only stopped wasting 63 of them on every cell.
#
# A warning: making the columns took time too, and we did not measure it. That is fair only if the bits *stay*: if the
# game itself is played on them, and nothing is ever translated back. A representation is a decision about a whole
# program, which is why it belongs at the beginning (chapter 01) and why Amdahl's wall falls.
#
# ## Compiled code
#
# Python looks at each line anew every time: what is `column`, what does `>>` mean for it, where does the result go? A
# *compiler* answers such questions once and writes instructions for the processor. `numba.njit` compiles a function
# when it is first called; the function may use numbers, arrays and loops, and little else.


# %%
@numba.njit
def compiled_bits(boards):
    """The same from an array with the columns of each board, compiled."""
    results = np.zeros((len(boards), 2), np.int64)
    for board in range(len(boards)):
        for column in boards[board]:
            while column:
                results[board, 0] += 1
                results[board, 1] += 1 - (column & 1)
                column >>= 1
    return results


# %% [markdown]
# Look at what it does: it walks up each column bit by bit, as the very first way did with cells. Loops that shame a
# Python programmer are welcome here. Let us call it twice, with a stopwatch in the other hand.


# %%
def seconds(work):
    """How long a call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# %%
column_array = np.array(columns, np.int64)
Ratios({call: seconds(lambda: compiled_bits(column_array)) for call in ("first call", "second call")})

# %% [markdown]
# The second call is thousands of times as fast as the first, because the first one compiles. That is the price: about
# a second for a small function, many seconds for a simulator. It is paid once for each *type* of argument. Give the
# function whole numbers of 32 bits instead of 64, and it is compiled again:

# %%
print("compiled for", len(compiled_bits.signatures), "type of argument")
assert agrees(compiled_bits(column_array))
assert agrees(compiled_bits(column_array.astype(np.int32)))
print("compiled for", len(compiled_bits.signatures), "types of argument")

# %% [markdown]
# The library keeps its compiled code on disk, so that you wait once a machine and not once a day. (The message
# "Compiling the simulator ...", which you may have met, is that wait.) And what do we get for it?

# %%
ways["compiled bits"] = lambda: compiled_bits(column_array)
ratios(ways, "heights and holes of 400 boards")

# %% [markdown]
# Another factor of ten and more. One could stop here; most people do. But the processor is still bored.
#
# ## Lanes
#
# Add 3 + 2, 1 + 7, 4 + 1 and 1 + 8 with *one* addition. Impossible? Put four small numbers side by side into one
# large number, each in a **lane** of 8 bits, as cars share a motorway.


# %%
def packed(numbers, bits):
    """The numbers side by side in one, each in a lane of so many bits, the first one lowest."""
    return sum(number << bits * lane for lane, number in enumerate(numbers))


def unpacked(word, bits, lanes):
    """The numbers in the lanes."""
    return [word >> bits * lane & (1 << bits) - 1 for lane in range(lanes)]


# %%
total = packed([3, 1, 4, 1], 8) + packed([2, 7, 1, 8], 8)
unpacked(total, 8, 4)

# %% [markdown]
# One addition, four sums. In hexadecimal, where two digits are one lane, there is nothing to see but the obvious:
# 01040103 + 08010702 = 09050805. And now the accident. **Before you run the next cell**: what happens to the second
# lane when the first one holds 250 + 10?

# %%
unpacked(packed([250, 1, 4, 1], 8) + packed([10, 7, 1, 8], 8), 8, 4)

# %% [markdown]
# 260 does not fit into 8 bits. The lane keeps 260 - 256 = 4, and the carry bumps into the neighbour, who has 9
# instead of 8 and does not know why. Working in lanes means to see to it that nothing crosses a line: by leaving
# room, or by wiping off what has strayed with a *mask*, a number whose set bits say what may stay.
#
# ### Shadows in lanes
#
# In a lane we cannot ask for `bit_length`: that is a question about one number. But shadows can be cast in all lanes
# at once. Shift a column down by one, and join: each full cell now also fills the cell below. Shift the result by two
# and join, then by four, by eight, by sixteen. The shadow doubles its length each time; five steps are enough for 32
# rows.

# %%
x = 0b1000000001000
for step in (1, 2, 4, 8):
    x |= x >> step
    print(f"shifted by {step} and joined: {x:013b}")

# %% [markdown]
# (Down is to the right here.) Now all ten columns in one number of 210 bits: ten lanes of 21, which is a bit more
# than the 20 rows need. When everything is shifted down by $k$, the lowest $k$ bits of each lane stray into the top
# of the lane below; so the mask for that step lets only the lower $21 - k$ bits of each lane stay.

# %%
LANE, STEPS = 21, (1, 2, 4, 8, 16)
masks = [packed([(1 << LANE - step) - 1] * 10, LANE) for step in STEPS]


# %%
def by_lanes(word):
    """The same from one number with ten lanes: the shadows of all columns at once."""
    shadow = word
    for step, mask in zip(STEPS, masks, strict=True):
        shadow |= shadow >> step & mask
    return shadow.bit_count(), (shadow ^ word).bit_count()


# %%
wide = [packed(ten, LANE) for ten in columns]
agrees(by_lanes(word) for word in wide)

# %% [markdown]
# All heights are the set bits of the shadow, all holes those where shadow and cells differ (`^` gives the bits that
# are set in exactly one of the two). There is no loop over columns any more, and none over rows.

# %%
ways["lanes"] = lambda: [by_lanes(word) for word in wide]
ratios({way: ways[way] for way in ("lists", "arrays", "bits", "lanes")}, "heights and holes, plain Python and numpy")

# %% [markdown]
# On most machines faster again than ten separate columns, on some no slower, and still plain Python, whose whole
# numbers may be as wide as we like. A processor's are not. Its usual register holds 64 bits, room for three of our
# lanes; a board becomes four words. The popcount of a word has to be written out too, and is itself done in lanes:
# first each pair of bits holds how many of the two are set, then each group of four, then of eight; the multiplication
# adds up the eight bytes in the topmost, and what runs over the edge is forgotten.


# %%
@numba.njit
def popcount(x):
    """How many of 63 bits are set: counted in lanes of two bits, of four, of eight."""
    x = (x & 0x5555555555555555) + (x >> 1 & 0x5555555555555555)
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = (x & 0x0F0F0F0F0F0F0F0F) + (x >> 4 & 0x0F0F0F0F0F0F0F0F)
    return x * 0x0101010101010101 >> 56


# %%
popcount(0b1011), popcount(2**63 - 1)

# %%
MASKS = np.array([packed([(1 << LANE - step) - 1] * 3, LANE) for step in STEPS], np.int64)


# %%
@numba.njit
def compiled_lanes(boards):
    """The same from an array with four words a board, three columns in each, compiled."""
    results = np.zeros((len(boards), 2), np.int64)
    for board in range(len(boards)):
        for word in boards[board]:
            shadow = word
            for k in range(5):
                shadow |= shadow >> STEPS[k] & MASKS[k]
            results[board, 0] += popcount(shadow)
            results[board, 1] += popcount(shadow ^ word)
    return results


# %%
words = np.array([[packed(ten[k : k + 3], LANE) for k in (0, 3, 6, 9)] for ten in columns], np.int64)
agrees(compiled_lanes(words))

# %%
ways["compiled lanes"] = lambda: compiled_lanes(words)
order = ["lists", "arrays", "arrays in bulk", "bits", "lanes", "compiled bits", "compiled lanes"]
ratios({way: ways[way] for way in order}, "heights and holes of 400 boards")

# %% [markdown]
# Hundreds of times as fast as the lists, on some machines a thousand, with the same answers on every board. Notice
# what the two ways with lanes have in common: no *if*, no loop whose length depends on the data. The same few
# instructions for every board: that is what processors, and compilers, like best.
#
# The simulator of this course goes one step on. Modern processors also have *vector registers*, 256 bits wide, whose
# lanes are built in: eight numbers of 32 bits, added, shifted or compared by one instruction, and no carry ever
# crosses a line. There one lane is one *place where the piece can land*: eight places are valued as quickly as one,
# and only what a move *changes* is computed. It is the module `tetriscourse.simulator.lanes` of the installed
# package (import it, and its `__file__` says where it lies): a formula there reads like arithmetic on one number and
# works on eight.
#
# ## Threads, and a lock
#
# Your machine most likely has several *cores*, processors that work at the same time. A *thread* is a line of work
# that can run on any of them. In the usual Python there is a catch with a name, the **GIL** (global interpreter
# lock): only the thread that holds it may run Python code. So two threads of plain Python take turns, and nothing is
# gained. But compiled code touches no Python objects while it runs; it can let go of the lock, if told so
# (`nogil=True`), and then cores really do work side by side.
#
# Three contestants: one thread; two threads with the function as it is; two threads with the same function compiled
# to let go of the lock. Each looks at 200,000 boards, in two halves. (Until here we used a clock that runs only while
# *this* thread works, so that other programs do not disturb. Threads are judged by the clock on the wall.)

# %%
lets_go = numba.njit(nogil=True)(compiled_lanes.py_func)
halves = [np.tile(words, (250, 1))] * 2


# %%
def in_threads(work, threads):
    """Do the work on both halves, in so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, halves))


# %%
contest = {
    "one thread": lambda: in_threads(compiled_lanes, 1),
    "two threads (lock kept)": lambda: in_threads(compiled_lanes, 2),
    "two threads (lock let go)": lambda: in_threads(lets_go, 2),
}
ratios(contest, "200,000 boards", rounds=50, clock=time.perf_counter)

# %% [markdown]
# With two idle cores the last bar comes near 2, and the middle one stays near 1, or falls below it: taking turns costs
# time too. On a machine with one core the last bar cannot rise: threads share what is there and make nothing new. And
# by the clock on the wall, a busy machine blurs every bar. Games are ideal for threads: no game needs to know about
# another. In the simulator each thread takes the next few games, plays them without the lock, and writes the results
# where they belong. Since the pieces of a game depend on its number alone, the results do not depend on who played
# what:

# %%
dellacherie, small = tc.PLAYERS["dellacherie"], tc.RULES["5x5"]
one, two = (tc.simulate(dellacherie, small, games=1000, seed=6, threads=threads) for threads in (1, 2))
assert (one.lines == two.lines).all()

# %% [markdown]
# ## The whole game, proven
#
# Now the real thing: the simulator, some 3,000 lines, few of which you will ever read. Why believe it? Not because
# its authors were careful. Because it is compared, again and again, with the readable layer, which *defines* the
# game.
#
# First, single moves. On random boards the simulator values every move of a random piece, and the player of chapter
# 04 does so in plain Python. (`values` gives a number for each orientation and column.)


# %%
def same_values(number):
    """How many moves were valued on this random board, after comparing every one."""
    board, piece = tc.Board(random_cells(number).astype(int)), list(tc.PIECES.values())[number % 7]
    moves, fast = tc.moves(board, piece), values(dellacherie, board, piece)
    assert all(fast[move.orientation, move.column] == dellacherie.value(move) for move in moves)
    return len(moves)


# %%
sum(same_values(number) for number in range(100))

# %% [markdown]
# All those values agree to the last digit (weights are whole numbers inside, so sums are exact). Next, whole games:
# the same piece in the same place, move for move, for different players, boards and rules. `record` tells the moves
# of a game of the simulator.


# %%
def same_games(name, rules, games=4):
    """How many moves there were in some games, after comparing every one."""
    player, total = tc.PLAYERS[name], 0
    for number in range(games):
        slow = tc.play_game(player, rules, seed=6, number=number).moves
        moves = [(rules.number_of(move.piece), move.orientation, move.column) for move in slow]
        assert moves == record(player, rules, seed=6, number=number, pieces=rules.max_pieces or 1000)
        total += len(moves)
    return total


# %%
short = {name: replace(tc.RULES[name], max_pieces=25) for name in ("research", "tetrisbot", "losing-allowed")}
print(same_games("dellacherie", tc.RULES["5x5"]), "moves of whole games on 5x5")
print(same_games("el-tetris", short["losing-allowed"]), "moves where losing moves are allowed")
print(same_games("tetrisbot", short["tetrisbot"]), "moves of TetrisBot's game, pieces from a bag")
print(same_games("filter-bumpiness", short["research"]), "moves of a filter, which throws dice among equals")

# %% [markdown]
# Not one difference. Is that a *proof*? Not as in mathematics; but each further board is a chance to be caught, and
# the tests of this library take thousands of them under all rules, besides 70,000 moves of the simulator of Thiery
# and Scherrer. A test deserves trust only if it can say no, so let us try a bug that a tired person might make:


# %%
def tired(columns):
    """Forgets that a column may be empty: '0b0' has one digit."""
    heights = sum(len(bin(column)) - 2 for column in columns)
    return heights, heights - sum(column.bit_count() for column in columns)


# %%
agrees(tired(ten) for ten in columns), sum(tired(ten) == right for ten, right in zip(columns, truth, strict=True))

# %% [markdown]
# Caught, although it is right on 198 of the 400 boards. On boards without an empty column, and hand-picked examples
# rarely have one, it would have passed. Random boards must be *random in the right way*: the skyline from 0 to 20 was
# no accident.
#
# And now the ratio that we came for. One contestant is the readable layer, the others the simulator, with one game
# and with a thousand games at once; measured is the time for a move.


# %%
def simulated(rules, games):
    """So many games in the simulator, on one thread."""
    return tc.simulate(dellacherie, rules, games, seed=6, threads=1, progress=False)


# %%
brief, long = (replace(tc.RULES["research"], max_pieces=pieces) for pieces in (20, 1000))
contest = {
    "readable layer": lambda: tc.play_game(dellacherie, brief, seed=6),
    "simulator (one short game)": lambda: simulated(brief, 1),
    "simulator (a thousand games)": lambda: simulated(long, 1000),
}
amounts = dict(zip(contest, (20, 20, 1_000_000), strict=True))
ratios(contest, "one move", rounds=3, amounts=amounts, clock=time.perf_counter)

# %% [markdown]
# Thousands of times as fast, on a single thread, and on some machines ten thousand already; elsewhere a second core
# brings the ten thousand that were promised at the top. For one short game most of it is lost: starting a thread and
# translating the rules takes as long as thousands of moves. The toll of the arrays again, and Amdahl's law once more:
# when the work has become fast, what is left is everything else.
#
# > **In the paper.** Boumaza 2013 begins section 5, "Tetris is hard to learn!", with this very trouble: one decent
# > player takes hours to evaluate, and learning lasts weeks. Its footnote 8 says that 10 games took 15 hours at 2
# > GHz. Muller and Ponton 2019 let their last genetic run (chapter 10, 2.7, *dernier exemple*) go on for three weeks
# > before they broke it off, after nine generations. How many moves a second is that?

# %%
boumaza = 10 * 36.3e6 * 10 / 4 / (15 * 3600)
tetrisbot = (1000 + 9 * 300) * 100 * 500 / (21 * 24 * 3600)
print(f"Boumaza: about {boumaza:,.0f} moves a second; Muller and Ponton: at most {tetrisbot:,.0f}")

# %% [markdown]
# (A row has 10 cells and a piece 4, so a line takes 2.5 pieces; we take the 36.3 million lines a game of Boumaza's
# table 1, and 1,000 individuals plus 300 new ones in each generation, with 100 games of at most 500 pieces each.)
# Muller and Ponton's engine, written in plain Python, is of the order of our readable layer. Boumaza's speed is out
# of Python's reach: that must have been compiled code, cell by cell. Neither did anything wrong. But their three
# weeks (`tetriscourse train genetic-7 --runs 1`) are about a minute here, and a question that is answered in a minute
# is asked more often.
#
# ## What speed is for
#
# Here are 400 games of Dellacherie's player on a board of 10 x 10:

# %%
scores = tc.simulate(dellacherie, tc.RULES["10x10"], games=400, seed=6, progress=False)
moves = int(scores.pieces.sum())
print(f"{moves:,} moves; at 300 moves a second that is {moves / 300 / 3600:.1f} hours")

# %% [markdown]
# Behind the panel below, exactly this happens each time when you move a slider. A few hundred moves a second is what
# the readable layer does; a slider whose answer takes hours is not a slider.
#
# **Try:** press *Freeze as rival* to keep Dellacherie as a rival on the same pieces. Then drag the weight of the
# holes slowly from -4 to 0 and back. Between which values does it hardly matter, and where does the player fall
# apart?

# %%
TunePanel("dellacherie", rules="10x10", seed=6)

# %% [markdown]
# ## What was given up
#
# Speed was paid for. The lanes know about boards up to 16 columns and 28 rows, and about the features in the
# catalogue; a feature of your own, in plain Python, works everywhere but is slow, and a warning says so. Nobody would
# want to learn the game from `compiled_lanes`, or find a mistake in it by staring at it.
#
# That is why there are **two layers**. The readable one says what is meant, and is right by definition. The fast one
# may be as ugly as it needs to be, as long as random boards cannot tell the two apart. Neither is written in terms of
# the other, so that they do not share their mistakes. If you take one habit from this chapter, take this one: *keep
# the slow version*. It is the best test that you will ever have.
#
# ## What you have learned
#
# - Profile first; Amdahl's law tells in advance what a faster part can bring, $1 / ((1 - p) + p / s)$, and where the
#   wall is.
# - The representation decides: with columns as numbers, heights are `bit_length` and holes a difference of two
#   counts.
# - Arrays and compilers charge a toll for each call; batches share it.
# - Lanes: many small numbers in one large one, no branches, masks where something could cross a line.
# - Threads help when the lock is let go, and games are independent of each other.
# - Fast code is trusted because a test that can say no has compared it with slow code, on random boards with odd
#   corners.
# - Speeds are compared as ratios, by turns, in one run.
#
# ## Where to go next
#
# - [Exercises of this chapter](../exercises/06_speed.ipynb): columns, lanes, a test that finds bugs, and a feature of
#   your own, compiled.
# - [Chapter 07](07_genetic.ipynb) spends the speed: genetic algorithms need a few hundred thousand games before
#   breakfast.
