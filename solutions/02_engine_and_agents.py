# %% [markdown]
# # Exercises 02: the engine and the first agents
#
# They belong to the lecture [02 The engine and the first agents](../notebooks/02_engine_and_agents.ipynb). The last one
# is open: there you write an agent of your own.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it.

# %%
from dataclasses import replace

import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.widgets import WatchPanel

# %% [markdown]
# ## 02.1 The longest drought
#
# The pieces of a game are given as text, for example `"TSIZZI"`. Write `longest_drought(names, piece)`: the largest
# number of *other* pieces in a row, anywhere in the text, also before the first and after the last piece of this name.
# In `"TSIZZZ"` the longest drought of `"I"` is 3, at the end; that of `"O"` is 6.

# %%
def longest_drought(names, piece):
    """The most pieces in a row that are not this one."""
    ### BEGIN SOLUTION
    return max(len(others) for others in names.split(piece))
    ### END SOLUTION

# %%
longest_drought("TSIZZZ", "I")

# %%
check("02.1")

# %% [markdown]
# ## 02.2 Rules to order
#
# Make `my_rules` from those of TetrisBot, `tc.RULES["tetrisbot"]`, with these changes:
#
# - the board is 8 columns wide and 16 rows high;
# - the pieces are drawn independently, and J and L come half as often as each of the other five;
# - the points are the *square* of the number of rows cleared at once;
# - the game stops after 1,000 pieces.
#
# `help(tc.Rules)` in a new cell lists the fields; a value that is not allowed is answered with those that are.

# %%
my_rules = ...  # replace the dots
### BEGIN SOLUTION
often = {"I": 2, "O": 2, "T": 2, "Z": 2, "S": 2, "J": 1, "L": 1}
my_rules = replace(tc.RULES["tetrisbot"], width=8, height=16, draw="independent", probabilities=often,
                   scoring="squares", max_pieces=1000)
### END SOLUTION

# %%
check("02.2")

# %% [markdown]
# ## 02.3 With keys only
#
# The command `P:j:r` is a luxury; a person has only keys. Write `next_key(engine, column, rotation)`: the *one* key,
# among `L R H T D N`, to press next, so that the falling piece comes to rest in this column (that of its left edge)
# with this rotation. The engine calls it again for every key, so it needs no memory: `engine.position` is the row and
# column of the piece now, `engine.orientation` its rotation now. `H` takes it from one rotation to the next, and after
# the last comes rotation 0. The board is empty and at least 16 rows high, so there is time enough.

# %%
def next_key(engine, column, rotation):
    """The key that brings the falling piece nearer to this column and rotation, or drops it there."""
    ### BEGIN SOLUTION
    now = engine.position[1]
    if engine.orientation != rotation:
        return "H"
    return "R" if now < column else "L" if now > column else "D"
    ### END SOLUTION

# %% [markdown]
# To see it at work: an I, upright, into the last column. An engine that is told to stop after one piece shows the end.

# %%
def upright_right(engine):
    return next_key(engine, 9, 1) or "Q"  # quits until yours returns something

engine = tc.Engine(upright_right, seed=9, max_blocks=1)
engine.run()
engine.board

# %%
check("02.3")

# %% [markdown]
# ## 02.4 A flight recorder
#
# A game is determined by its rules, its seed and its commands; who has kept these can play it again. Write
# `recorder(agent, log)`. It returns a *new agent* that plays exactly like the given one, and appends each command to
# the list `log` before it hands it on. (You will need a function inside a function.)

# %%
def recorder(agent, log):
    """An agent that plays like this one and keeps its commands in the log."""
    ### BEGIN SOLUTION
    def recorded(engine):
        command = agent(engine)
        log.append(command)
        return command
    return recorded
    ### END SOLUTION

# %% [markdown]
# The black box of a short flight:

# %%
log = []
agent = recorder(tc.AGENTS["random-commands"](), log) or (lambda engine: "Q")  # quits until yours returns something
tc.Engine(agent, seed=1).run()
print(*log)

# %%
check("02.4")

# %% [markdown]
# ## 02.5 As low as possible
#
# Your first agent with judgement. An agent may be a function, or a class with a method `__call__`, which is handy when
# it has something to remember or settings of its own. Write the class `LowestLanding`: it places every piece so that
# its lowest cell lands on as low a row as possible; among equally low places, take any. `engine.moves()` lists what is
# possible; each move has `row`, `column` and `orientation`, and the command that makes it is `P:column:orientation`.

# %%
class LowestLanding:
    """Places every piece as low as it can."""

    name = "lowest-landing"

    def __call__(self, engine):
        """The command for the next piece."""
        ### BEGIN SOLUTION
        lowest = min(engine.moves(), key=lambda move: move.row)
        return f"P:{lowest.column}:{lowest.orientation}"
        ### END SOLUTION

# %%
check("02.5")

# %% [markdown]
# Is it right? Then watch it (until then the panel shows chance): what kind of mistake does it make again and again?

# %%
agent = LowestLanding() if LowestLanding()(tc.Engine(seed=1)) else "random-placements"
WatchPanel(agent, seed=1, at=20, judge="dellacherie")

# %% [markdown]
# ## 02.6 Without any feature (open)
#
# An open end. Write an agent of your own, a function or a class, and call it `mine`. It may look at everything that the
# engine and its moves show (`move.after` is the board after a move, with `heights` and `full`), but not ask the
# features, players and agents of the library; they are closed while the check runs, and come in the next chapters.
# There are two ladders, with three rungs each; the rungs of one of them count, a point for each:
#
# - *a long life*: at least **150**, **250** and **580** pieces a game on average, where games are stopped at 600 (the
#   agent of 02.5 does not get so far: what else should one look at?), or
# - *a glorious disaster*: at most **11**, **9.5** and **8** pieces a game, each played until the game is over: quitting
#   with `Q` does not count. That is harder than it sounds: who drops each piece where it appears needs 12 or 13. Why
#   can nobody need fewer than eight?
#
# The check measures five games.

# %%
mine = ...  # define your agent first, then put it in place of the dots
### BEGIN SOLUTION
def roughness(move):
    """The steps between neighbouring columns, and five for each empty cell below a column's top."""
    heights = move.after.heights
    return np.abs(np.diff(heights)).sum() + 5 * (heights.sum() - move.after.full.sum())

def smooth(engine):
    """Keeps the surface flat, with nothing empty below. (The sum of the squares of the heights reaches two rungs.)"""
    best = min(engine.moves(), key=roughness)
    return f"P:{best.column}:{best.orientation}"

def tower(engine):
    """The other way: the highest pile that can be had, in the middle. Dead after eight pieces."""
    tallest = max(engine.moves(), key=lambda move: (move.after.heights.max(), move.after.heights[3:7].sum()))
    return f"P:{tallest.column}:{tallest.orientation}"

mine = smooth
### END SOLUTION

# %%
check("02.6")
