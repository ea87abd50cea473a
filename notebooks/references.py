# %% [markdown]
# # References, and what became of each figure
#
# The course stands on five documents, three of them in French. This page goes through each of them from beginning to
# end: every section, figure, table, program and numbered equation, every claim in words, and everybody with whom its
# authors compare themselves. It says where the course has it, which command makes it, and what came out here beside
# what was published. What the course has not is here as well, with the reason and the price.

# %%
from IPython.display import Markdown

from tetriscourse.course.reproductions import SOURCES, reproductions_text, summary_text

Markdown("\n".join(f"- **{letters}**: {source}" for letters, source in SOURCES.items()))

# %% [markdown]
# ## How to read the tables
#
# - ● is in the course, and where there is something to compare, it came out as published.
# - ◐ was done in part, or came out otherwise. The row says which, the chapter says what was tried.
# - ○ was not done. The row says why, and what it would take.
#
# *Not measured yet* means that an experiment has a name and a command, but no outcome of it is stored so far. Such a
# row does not count as done. A number in the last column leads to a chapter; *results* is the notebook that
# has [all outcomes](results.ipynb) with their seeds, games and intervals. A short command such as `tetriscourse train
# thiery-constant` repeats a whole experiment; what came out when we ran it is stored in the package, and
# `tc.stored_result("thiery-constant")` reads it.
#
# **Where a published figure stands.** Mostly in the text or in a caption. Two things are different. The report of
# Muller and Ponton has its scores in pictures only: TetrisBot drew a histogram of 100 games, with their mean and
# standard deviation. Whoever searches its text for 518,412 finds nothing. Such figures are marked
# *(picture)*. And curves (TS 4 to 6, B 4 to 12, SL 1) have no numbers but those that the text quotes from them, so
# there we compare shapes, and the quoted numbers.
#
# So much is done, by rows:

# %%
Markdown(summary_text())

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
# *Section 10.2.1* is section 2.1 of chapter 10; the report counts anew in each chapter.

# %%
Markdown(reproductions_text("MP"))

# %% [markdown]
# ## The early draft of that report
#
# Its first chapter is that of the report in nearly the same words; its second describes a piece in another way, and
# breaks off; the rest are headings. It has no figure, table or result of its own.

# %%
Markdown(reproductions_text("D"))

# %% [markdown]
# ## Boumaza 2013
#
# CMA-ES, harder games, and races.

# %%
Markdown(reproductions_text("B"))

# %% [markdown]
# ## Szita and Lőrincz 2006
#
# The noisy cross-entropy method, for the first time in Tetris.

# %%
Markdown(reproductions_text("SL"))

# %% [markdown]
# ## Works beside the five documents
#
# Players, methods and results that the course uses from elsewhere, and where they come from, as the texts name them.
# Gabillon and others 2013, El-Tetris, RV-CE, Watkins, Mnih and others, Huber, van Hasselt and others, Schulman and
# others, Chen and others, Kakade and Langford, Littman, and Singh and others are cited in none of the five.
#
# - **Bertsekas and Tsitsiklis 1996**, *Neuro-Dynamic Programming*: the 21 features, and the game that is over when the
#   top row is touched.
# - **Brzustowski 1992** and **Burgiel 1997**: no player survives every sequence of S and Z (chapter 15).
# - **Demaine, Hohenberger and Liben-Nowell 2003**: Tetris with known pieces is NP-complete.
# - **Fahey 2003**: Dellacherie's player, and two conjectures on scores and heights (chapter 05).
# - **Gabillon, Ghavamzadeh and Scherrer 2013**, **Scherrer and others 2015**: the players DT-10 and DT-20.
# - **Hansen and Ostermeier 2001**: CMA-ES. **Hansen 2016**, *The CMA Evolution Strategy: A Tutorial*.
#   **Heidrich-Meisner and Igel 2009**: races. **Auger and Hansen 2005**: IPOP. **Hansen 2009**: BIPOP. **Hansen,
#   Niederberger, Guzzella and Koumoutsakos 2009**: UH-CMA-ES, with the values that comments in pycma give as theirs
#   (chapter 09).
# - **Amari 1998**: the natural gradient. **Akimoto and others 2010**, **Glasmachers and others 2010**: CMA-ES follows
#   one. **Ollivier and others 2017**: information-geometric optimisation (chapter 09).
# - **El-Tetris** (Islam El-Ashi 2011): a player with Dellacherie's features, known to us by its weights.
# - **RV-CE**, GameAI-NJUPT 2026, *Robust Elite Selection: Correcting Winner's-Curse Bias in Cross-Entropy
#   Optimization* (Robust-Validation-Cross-Entropy, June): separate games for training, validation and test; the best
#   candidates of an iteration are ranked again by the mean of their validation games less a penalty on the deviation; a
#   player with DN's eight features and diversity, 5,379 lines on 10x10 over 100,000 games (chapters 05, 08 and 13).
# - **Robbins and Monro 1951**: conditions on the size of steps. **Sutton 1988**: TD(λ). **Rummery and Niranjan 1994**:
#   SARSA. **Singh and Sutton 1996**: replacing traces. **van Seijen and others 2009**: expected SARSA. **Watkins and
#   Dayan 1992**, **Jaakkola, Jordan and Singh 1994**, **Tsitsiklis 1994**: Q-learning converges; **Even-Dar and Mansour
#   2003**: how fast (all chapter 11). **Singh and Yee 1994**: what errors of values cost (exercise 10.7). **Moore and
#   Atkeson 1993**: prioritised sweeping (exercise 10.8).
# - **Watkins 1989**: Q-learning. **Bdolah and Livnat 2000**: the differences of heights as a state (chapter 11).
# - **Mnih and others 2015**: deep Q-learning. **Huber 1964** and **van Hasselt and others 2016**: the loss and the
#   double targets of chapter 12. **Sutton and Barto**, *Reinforcement Learning*: a world of exercise 10.2.
# - **Tsitsiklis and Van Roy 1996**, **Kakade 2001**, **Lagoudakis, Parr and Littman 2002**, **Farias and Van Roy
#   2006**: ways to learn a policy, which the [results](results.ipynb) compare.
# - **Schulman and others 2017**: proximal policy optimisation, PPO. **Chen and others 2026**, *Bitboard version of
#   Tetris AI* (arXiv 2603.26765): PPO on afterstates, an average score of 3,829 on 10x10 (the appendix on
#   [PyTorch](pytorch.ipynb)).
# - **Kakade and Langford 2002**, *Approximately Optimal Approximate Reinforcement Learning*: the performance-difference
#   lemma (chapter 10). **Littman 1994**, *Memoryless Policies: Theoretical Limitations and Practical Results*: to find
#   the best policy for players who do not see the state is hard, and branch and bound may find it. **Singh, Jaakkola
#   and Jordan 1994**: for such players dice may be better than any fixed move.
# - **Llima 2005**: the features of Xtris. **Girgin and Preux 2007**: features that a program finds (chapter 15).
