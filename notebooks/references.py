# %% [markdown]
# # References, and what became of each figure
#
# The course stands on five documents, three of them in French. This page lists them, and then every figure and table
# in them: where it is shown here, which command makes it, and our result beside the published one. Where the two
# differ, the chapter says what was tried. Figures that say *results* stand in [that notebook](results.ipynb), with
# their seeds, games and intervals.
#
# A short command such as `tetriscourse train thiery-constant` repeats the whole experiment; what came out when we ran
# it is stored in the package, and `tc.stored_result("thiery-constant")` reads it.

# %%
from IPython.display import Markdown

from tetriscourse.course.reproductions import SOURCES, reproductions_text

Markdown("\n".join(f"- **{letters}**: {source}" for letters, source in SOURCES.items()))

# %% [markdown]
# ## Thiery and Scherrer 2009
#
# The simulator, what makes scores comparable, noisy cross-entropy with better features, and the player known as DN.

# %%
Markdown(reproductions_text("TS"))

# %% [markdown]
# ## Muller and Ponton 2019
#
# TetrisBot: an engine, agents, a genetic algorithm, Bellman equations, Q-learning, and deep Q-learning on paper.

# %%
Markdown(reproductions_text("MP"))

# %% [markdown]
# ## Boumaza 2013
#
# CMA-ES, harder games, and races.

# %%
Markdown(reproductions_text("B"))

# %% [markdown]
# ## Szita and Lőrincz 2006
#
# The noisy cross-entropy method, for the first time.

# %%
Markdown(reproductions_text("SL"))

# %% [markdown]
# ## Not in the five documents
#
# Players and results that the course uses from elsewhere, and where they come from, as the texts name them:
#
# - **Bertsekas and Tsitsiklis 1996**, *Neuro-Dynamic Programming*: the 21 features, and the game that is over when the
#   top row is touched.
# - **Brzustowski 1992** and **Burgiel 1997**: no player survives every sequence of S and Z (chapter 13).
# - **Demaine, Hohenberger and Liben-Nowell 2003**: Tetris with known pieces is NP-complete.
# - **Fahey 2003**: Dellacherie's player, and two conjectures on scores and heights (chapter 05).
# - **Gabillon, Ghavamzadeh and Scherrer 2013**, **Scherrer and others 2015**: the players DT-10 and DT-20.
# - **Hansen and Ostermeier 2001**: CMA-ES. **Heidrich-Meisner and Igel 2009**: races.
# - **El-Tetris** (Islam El-Ashi 2011): a player with Dellacherie's features, known to us by its weights.
# - **RV-CE**, GameAI-NJUPT 2026, *Robust Elite Selection: Correcting Winner's-Curse Bias in Cross-Entropy
#   Optimization* (Robust-Validation-Cross-Entropy, June): separate games for training, validation and test; the best
#   candidates of an iteration are ranked again by the mean of their validation games less a penalty on the deviation; a
#   player with DN's eight features and diversity, 5,379 lines on 10x10 over 100,000 games (chapters 05, 08 and 13).
# - **Watkins 1989**: Q-learning. **Bdolah and Livnat 2000**: the differences of heights as a state (chapter 11).
# - **Mnih and others 2015**: deep Q-learning. **Sutton and Barto**, *Reinforcement Learning*: a world of exercise 10.2.
# - **Llima 2005**: the features of Xtris. **Girgin and Preux 2007**: features that a program finds (chapter 13).
