# %% [markdown]
# # Exercises 05: comparing players honestly
#
# You will write the tools of the [lecture](../notebooks/05_comparing_players.ipynb) yourself, use them to judge other
# people's comparisons, and in the end cheat a little, to know what to look for.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
from dataclasses import replace

import numpy as np
from scipy.stats import chi2

import tetriscourse as tc
from tetriscourse.course import check, hint

board = tc.Rules(height=8)

# %% [markdown]
# ## 05.1 Games for an error
#
# A mean of $N$ games is good for $\pm 2/\sqrt{N}$. Write `games_needed(error)`: the smallest whole number of games
# whose relative error is at most `error`. For an error of 0.2, that is 20 %, you know the answer.

# %%
def games_needed(error):
    """The smallest number of games that are good for this relative error."""
    ### BEGIN SOLUTION
    return int(np.ceil((2 / error) ** 2))
    ### END SOLUTION

# %%
print([games_needed(error) for error in (1, 0.5, 0.2)])

# %%
check("05.1")

# %% [markdown]
# ## 05.2 The exact interval
#
# Write `exact_interval(lines)`: the two ends of the 95 % interval of the mean, from a list of scores that follow an
# exponential law. With $T$ the sum of the $N$ scores, $2T/\mu$ follows the chi-square law with $2N$ degrees of
# freedom; `chi2.ppf(p, k)` is the number below which such a value with $k$ degrees of freedom lies with probability
# $p$.

# %%
def exact_interval(lines):
    """Low and high end of the 95 % interval of an exponential mean."""
    ### BEGIN SOLUTION
    high_quantile, low_quantile = chi2.ppf([0.975, 0.025], 2 * len(lines))
    return 2 * sum(lines) / high_quantile, 2 * sum(lines) / low_quantile
    ### END SOLUTION

# %%
interval = exact_interval([648, 944, 520, 213, 155, 1516, 276, 415, 325, 201])
if interval is not None:
    print([f"{end:.1f}" for end in interval])

# %%
check("05.2")

# %% [markdown]
# ## 05.3 The widest gap
#
# The staircase of a list of scores shows, at each $x$, the share of the scores that are *at most* $x$. Write
# `largest_gap(a, b)`: the largest vertical distance between the staircases of two lists, which may have different
# lengths and may have scores in common. Plain loops are fine.

# %%
def largest_gap(a, b):
    """The statistic of Kolmogorov and Smirnov for two lists of scores."""
    ### BEGIN SOLUTION
    a, b = np.asarray(a), np.asarray(b)
    return max(abs(np.mean(a <= x) - np.mean(b <= x)) for x in [*a, *b])
    ### END SOLUTION

# %%
print(largest_gap([1, 2, 3, 4], [3, 4, 5, 6]))

# %%
check("05.3")

# %% [markdown]
# ## 05.4 The better player
#
# Write `who_is_better(a, b)`, which looks at two lists of scores and returns `"a"`, `"b"` or `"cannot tell"`. The
# lists may have different lengths, all scores are at least 1, and you may take them as exponential. The check lets it
# judge hundreds of contests between players of known strength. Of two *equal* players, it may declare one better in
# no more than about 5 % of the contests; clearly different players it should tell apart.

# %%
def who_is_better(a, b):
    """'a', 'b' or 'cannot tell'."""
    ### BEGIN SOLUTION
    ahead = np.log(np.mean(a) / np.mean(b))
    if abs(ahead) < 1.96 * np.sqrt(1 / len(a) + 1 / len(b)):
        return "cannot tell"
    return "a" if ahead > 0 else "b"
    ### END SOLUTION

# %%
ana = tc.simulate(tc.PLAYERS["dn"], board, games=1000, seed=7, progress=False)
ben = tc.simulate(tc.PLAYERS["dellacherie"], board, games=1000, seed=7, progress=False)
for games in (10, 100, 1000):
    print(games, "games:", who_is_better(ana.lines[:games].tolist(), ben.lines[:games].tolist()))

# %%
check("05.4")

# %% [markdown]
# ## 05.5 Reviewer for a day
#
# Eight groups send you a comparison. Each claims that *its* player is better. What do you write to each?
#
# - `"fair"`: the claim stands.
# - `"rules"`: the two did not play the same game.
# - `"chance"`: same game, but a difference of this size is no surprise between equal players.
# - `"chosen"`: same game, and the difference is large, but the published games are those by which the player was
#   picked.
#
# And here they are:
#
# - **A.** 10x20. Ours: 8.1 million lines, in 400 games. Dellacherie's: 5.2 million, in 100 games, as published. In our
#   program a piece may stick out above the board if the rows it completes bring it down again.
# - **B.** 10x10, one program, 1,600 games each, but by mistake with different seeds. Ours: 3,900 lines. Theirs:
#   2,400.
# - **C.** 10x16, one program, 100 games each on the same pieces. Ours: 250,000 lines. Theirs: 225,000.
# - **D.** 10x10, one program. We tried 300 vectors of weights, 100 games each. The best one had 3,100 lines in its
#   games. Dellacherie's player has 2,400 in 1,600 games.
# - **E.** 10x20, one program, 100 games each. Ours: 60 million lines. Theirs: 35 million. Ours sees the next piece,
#   too, since all modern versions of the game show it.
# - **F.** 10x20, one program, the same rules. Games are so long that we could play only ten each. Ours: 35 million
#   lines. Theirs: 5 million.
# - **G.** 10x10, one program. A learning program picked our player out of 10,000. Then it played 1,600 games with a
#   new seed: 3,900 lines. Theirs has 2,400 in 1,600 games.
# - **H.** 10x10, one program, 1,600 games each on the same pieces. Ours: 4,200 lines. Theirs: 4,100.

# %%
# replace the dots: one of "fair", "rules", "chance", "chosen" for each letter
reviews = {"A": ..., "B": ..., "C": ..., "D": ..., "E": ..., "F": ..., "G": ..., "H": ...}
### BEGIN SOLUTION
reviews = dict(zip("ABCDEFGH", ["rules", "fair", "chance", "chosen", "rules", "fair", "fair", "chance"], strict=True))
### END SOLUTION

# %%
check("05.5")

# %% [markdown]
# ## 05.6 Double the score, and be found out (open)
#
# Now change sides. Find rules for a board of 10x8 by which *Dellacherie's player, unchanged,* clears at least twice
# the lines that it clears in the research game. You may change any field of the rules but the size, and games must be
# played to the end. There is more than one way; `help(tc.Rules)` lists the fields. (The cell below your answer stops
# games after 3,000 pieces, in case you overdo it, and reckons the mean as if they went on.)

# %%
easier = ...  # replace the dots: replace(board, ...)
### BEGIN SOLUTION
easier = replace(board, draw="bag")
### END SOLUTION

# %%
if isinstance(easier, tc.Rules):
    short = replace(easier, max_pieces=3000)
    scores = tc.simulate(tc.PLAYERS["dellacherie"], short, games=100, seed=7, progress=False)
    print(f"{scores.finished.sum()} of 100 games ended; about {scores.exponential_mean:,.0f} lines a game")

# %% [markdown]
# Suppose you publish that score, proudly, as "10x8, mean of 100 games". In a few sentences, between the quotation
# marks: what would a careful reader miss in this line, what could the reader do to find out without asking you, and
# what must stand beside a mean so that nobody needs to ask? (The check only looks whether you have written something;
# a teacher reads what.)

# %%
noticed = ...  # replace the dots by a text between three quotation marks
### BEGIN SOLUTION
noticed = """
"10x8" is only the size. The line does not say how pieces are drawn, what the player sees, when a game is over, whether
losing moves are refused, and how sure the mean is. A careful reader would run a known player by the rules that are
usual for this board: if a published player scores five times its known mean, it is not the player that got better.
The bag also shows in the games: no more than four S and Z in a row. To be repeatable a mean needs the player with all
its weights, the rules with every field in which programs differ, the seed, the number of games, and the interval.
"""
### END SOLUTION

# %%
check("05.6")
