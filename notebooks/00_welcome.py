# %% [markdown]
# # 00 Welcome
#
# Can you beat a player that sees only six numbers, does not plan, and was tuned by hand over twenty years ago? You are
# about to play against it. By the end of this course you will have built its betters, and you will know how anybody can
# tell that they *are* better.
#
# **You will learn**
# - whether everything on your computer works,
# - how to run a notebook, and how to play, watch and replay a game in it,
# - how exercises, checks, hints and your progress work,
# - what the course is about, chapter by chapter.
#
# **You need** a little Python: functions, lists, loops. No Tetris; you will get better at that anyway.
#
# **Time** about {{minutes}} minutes, more if you cannot stop playing. The first game that the simulator plays on your
# machine may have to wait a quarter of a minute, once, while it is compiled.

# %% [markdown]
# ## Running cells
#
# A notebook is made of *cells*: text like this, and code like the next one. Click on a code cell and press
# **Shift-Enter**: it runs, its result appears below it, and the next cell is selected. Run the cells in order, from
# top to bottom; each relies on those before it. You cannot break anything: *Kernel, Restart Kernel* in the menu begins
# afresh.

# %%
from dataclasses import replace

import tetriscourse as tc
from tetriscourse.course import check, hint, progress
from tetriscourse.course.installation import check_installation
from tetriscourse.widgets import PlayPanel, WatchPanel

# %% [markdown]
# ## Does it work?
#
# The next cell tries every part of the course: it makes a panel, draws a figure, and lets the same game be played by
# the program that you will read and by the fast one that you will use. The fast one is translated into machine code
# when it is first needed, which takes a quarter of a minute. That happens once; afterwards it is kept.

# %%
check_installation()

# %% [markdown]
# Five ticks? Then go on. If not, the table says what to do.
#
# ## Play
#
# Below is a *panel*. Panels come alive once their cell has run; before that you see a still picture. Click on the
# board, then use the arrow keys: left and right move the piece, up turns it, down lets it fall a row, the space bar
# drops it. `p` pauses, and so does a click outside. A full row disappears; the game is over when the pile is higher
# than the board. One row is worth 40 points, but four at once 1,200.
#
# **Try this:** play one game to its end, with no help. Then press "Same pieces again" and play the same pieces once
# more, asking for a hint with `i` when in doubt.

# %%
game = PlayPanel(seed=1)
game

# %% [markdown]
# When a game ends it comes back to Python as a *record*: the rules, the pieces, and every key that you pressed. Run the
# next cell after your game. Before there is one it says `None`, Python's word for nothing.

# %%
print(game.record)

# %% [markdown]
# ## Watch a champion
#
# Now somebody else gets the very same pieces: the player that Pierre Dellacherie tuned by hand in 2003. It looks at one
# piece at a time, tries every place where it could land, sees each result through six numbers (*features*, chapter
# 04), and takes the best. It does not plan.
#
# **Before you press Play:** how high will its pile be after fifty pieces? Then find a move that you would have made
# in another way. The table lists all the moves that it could have made; click on a row to see it on the board.

# %%
WatchPanel("dellacherie", rules="tetrisbot", seed=1)

# %% [markdown]
# How long can it go on like this? Longer than you want to watch. The fast simulator stops the game after 20,000
# pieces, which would keep you busy for a day, and counts the rows that were cleared:

# %%
rules = replace(tc.RULES["tetrisbot"], max_pieces=20_000)
tc.simulate(tc.PLAYERS["dellacherie"], rules, games=3, seed=1).lines

# %% [markdown]
# In none of the three games did the pile ever reach the top. Twenty thousand pieces have 80,000 cells, which is 8,000
# rows of ten: nearly everything that came in was cleared.
#
# ## Watch yourself
#
# A record can be watched too, and with a *judge* beside you: the table then shows how the champion values the moves
# that *you* had. As long as you have not finished a game above, you see one of somebody who puts each piece anywhere,
# by chance.

# %%
chance = tc.play_game(tc.Filter(["constant"]), tc.RULES["tetrisbot"], seed=1)
WatchPanel(game.record or chance, judge="dellacherie")

# %% [markdown]
# **Try this:** click on the board, then step through with the arrow keys and look for the first move whose row in the
# table is far down. What did it cost, ten pieces later? And which of all your moves does the judge dislike most?
#
# > **In the paper.** Dellacherie's player became known through Colin Fahey's web page (2003). Thiery and Scherrer 2009
# > read its source, wrote down what it computes (section 2, table 2), and set out to build a better one; but first they
# > had to settle how to tell that one player *is* better (section 3). Both questions run through this course. The game
# > that you played, with its 22 rows and its points, is that of Muller and Ponton 2019 (chapter 2).
#
# ## Exercises that answer
#
# Each chapter has a second notebook with exercises. After each of them stands a line like `check("00.1")`. It never
# complains about an empty answer, it shows a counterexample when your answer is wrong, and wrong attempts cost nothing.
# Here it is at work on the first exercise, a guess: *how many rows does the champion clear in a game, on average, on a
# board only 10 rows high?* First without an answer:

# %%
guess = ...
check("00.1")

# %% [markdown]
# Now with somebody's answer, which is rather modest:

# %%
guess = 100
check("00.1")

# %% [markdown]
# Who is stuck asks for hints, one after the other. They begin with a nudge and get plainer:

# %%
hint(1)

# %% [markdown]
# Change the guess above if you cannot resist, and run its cell again; or do it properly in the exercises.
#
# What you have done is remembered on your computer (in the folder `.tetriscourse` of your home), and nowhere else. This
# shows it at any time, as does `tetriscourse progress` in a terminal. (The modest answer above counts as yours, so your
# table marks 00.1 with ✗, *tried*. It costs nothing, and a right answer replaces it.)

# %%
progress()

# %% [markdown]
# ## The map
#
# Each chapter asks a question. They build on each other, so the first time take them in order.

# %%
from IPython.display import Markdown
from tetriscourse.course.chapters import CHAPTERS

line = "| {0.number} | [{0.title}]({0.file}) | {0.question} | [exercises](../exercises/{0.file}) |".format
Markdown("| | lecture | its question | |\n|---|:--|:--|---|\n" + "\n".join(map(line, CHAPTERS.values())))

# %% [markdown]
# A chapter takes between one and three hours with its exercises. All panels at a glance are in
# [panels](panels.ipynb).
#
# ## A copy of your own
#
# Work in a copy that belongs to you. In a terminal,
#
# ```
# tetriscourse lab my-course
# ```
#
# makes a folder `my-course` with all lectures and exercises and opens this page in it. The same command, typed again
# next week, opens it again, brings in new chapters, and never overwrites what you wrote.
#
# ## What you have learned
#
# - Shift-Enter runs a cell; a panel is alive once its cell has run.
# - A game by hand comes back as a record, and any game can be watched with a judge beside it.
# - `check` says *not attempted*, *not right yet* with a counterexample, or *right*; `hint` helps; `progress` remembers.
# - A champion that looks at one piece and six numbers plays thousands of rows. Why that is enough is the question
#   behind everything that follows.
#
# ## Where to go next
#
# - [The exercises of this chapter](../exercises/00_welcome.ipynb): a guess, a drawing, some detective work, your
#   record.
# - Then [01 Data structures](01_data_structures.ipynb): how does a program hold a board at all?
