# %% [markdown]
# # The panels
#
# Every chapter of this course has something to touch: a game to play, a player to tune, a learner to start and stop.
# This notebook shows them all once, so that you know what there is. It needs nothing but the library, works without a
# network, and takes about twenty minutes if you try each panel, or as long as you like if you get stuck in the first.
#
# **You will learn** what each panel shows, which keys and buttons it has, and how to get what you did in a panel back
# into Python.
#
# **You need** to know how to run a cell: click on it and press Shift-Enter. Run the cells from top to bottom; a panel
# comes to life when its cell has run. Until then you see a still picture. The very first time, one of the cells takes
# a quarter of a minute: the simulator is translated into machine code, once, and then kept.

# %%
import tetriscourse as tc
from tetriscourse.widgets import *

# %% [markdown]
# ## Play
#
# Tetris by hand, by the rules of TetrisBot. Click on the board, then use the arrow keys: left and right move, up
# turns, down lets the piece fall a row, space drops it. `p` pauses, and so does clicking anywhere else. `i` asks a
# player for a hint: the purple outline is where it would put the piece, and the table says why, feature by feature.

# %%
game = PlayPanel(seed=1)
game

# %% [markdown]
# A finished game comes back to Python as a *record*: the rules, the seed of the pieces, and your keys. From these the
# whole game can be played again, move for move. Before you have finished one, there is none:

# %%
print(game.record)

# %% [markdown]
# ## Watch
#
# Any player, any game. Here Dellacherie's player, which was tuned by hand in 2003 and still plays for hours. Press
# Play, or step through with the arrow keys once the board has the focus. The table lists every move that the player
# could have made, with the value of each feature. A move is written as its shape, from the top row down with a slash
# between rows, and the column of its left edge: `T .X./XXX at 3`. The board is only ten rows high, so that it comes
# close to the top every now and then. Try `WatchPanel(game.record, judge="dellacherie")` after you have played: what
# would it have done in your place?

# %%
WatchPanel("dellacherie", rules="10x10", seed=1, at=40)

# %% [markdown]
# ## See what a feature counts
#
# A player sees a board through a few numbers, its *features*. Each of them has a definition that can be seen: choose
# one from the menu, and what it counts is marked on the board.

# %%
FeaturePanel("holes", seed=3)

# %% [markdown]
# The same drawing works for a single move, without any controls:

# %%
board = tc.Board.from_text("..T.......\nITTT...O..\nI.SS..OO.Z", height=10)
BoardView(tc.moves(board, tc.PIECES["T"])[5], "row_transitions")

# %% [markdown]
# ## Filter
#
# The simplest players look at one feature after the other. Each criterion keeps the moves that are best by it and
# throws the rest away. Put the criteria into another order, by dragging or with the arrows, and see which moves
# survive each stage.

# %%
FilterPanel("filter-bumpiness", seed=2)

# %% [markdown]
# ## Tune
#
# The next step is to add the features up, each with a *weight*. Drag a weight: the chosen move, the game and the
# distribution of scores follow at once. Freeze what you have as a rival, then try to beat it on the same pieces. When
# you are proud of a player, copy it as code.

# %%
tune = TunePanel("dellacherie", rules="10x10")
tune

# %% [markdown]
# Python has the same player, as the sliders were set:

# %%
tune.player

# %% [markdown]
# ## Look ahead
#
# A player that values a move may ask once more: what will be the best answer, to each piece that may follow? Open a
# move, then the pieces below it, and the values flow back: best answer, mean over the pieces, value of the first move.
# The panel opens on a position in which the champion on 10x10 chooses otherwise as soon as it looks ahead.

# %%
search = SearchPanel()
search.look(2)
search

# %% [markdown]
# ## Measure
#
# Which of two players is better? Before you answer: how far does the mean of ten games jump when you play ten others?
# Draw samples of N games again and again, and count how often their interval holds the long-run mean.

# %%
SamplingPanel(samples=20)

# %% [markdown]
# ## Learn weights
#
# Three ways to let the computer find the weights. A *genetic algorithm* keeps a population of players; the best have
# children. Every column is a member, every row one of its genes.

# %%
genetic = GeneticPanel(steps=3)
genetic

# %% [markdown]
# *Cross-entropy* draws players from a normal distribution, keeps the best tenth, and fits the distribution to them.
# The ellipse is the distribution of two of the weights. Without noise it shrinks too soon.

# %%
CrossEntropyPanel(steps=6)

# %% [markdown]
# *CMA-ES* also learns which weights belong together, so that its ellipse can turn, and how large its next step should
# be.

# %%
CMAESPanel(steps=6)

# %% [markdown]
# Scores of Tetris are so noisy that most of the time goes into finding out who is better. A *race* plays on only with
# those whose place is not decided yet.

# %%
RacePanel(steps=12)

# %% [markdown]
# ## Learn to decide
#
# Another branch starts from the rules themselves. The *Bellman equations* say what every state is worth, and sweeping
# over the states again and again solves them. Watch the values flow back from the goal.

# %%
BellmanPanel("corner", steps=3)

# %% [markdown]
# *Q-learning* needs no model of the game: it fills a table with what it has experienced. On a small board with
# dominoes it finds, sooner or later, a way to play without end, and the panel can prove it.

# %%
QLearningPanel(steps=3)

# %% [markdown]
# *Deep Q-learning* replaces the table by a network, with a memory of experiences to learn from.

# %%
DeepQPanel(steps=2)

# %% [markdown]
# A *policy* can also be learned without any value: it draws its moves, and those that gained are made likelier. Push a
# move up with your own hand, and see which others come with it.

# %%
PolicyPanel()

# %% [markdown]
# ## What you have seen
#
# Every panel keeps its state in Python: `game.record`, `tune.player`, `genetic.optimizer`. A panel works only as long
# as it is on the page: when its cell runs again or the page is closed, it stops. It never changes anything outside
# itself. Each comes back in its chapter, with the ideas behind it; `TunePanel?` in a cell tells what it can be given
# and what it gives back.
