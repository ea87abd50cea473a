# %% [markdown]
# # Exercises 05: comparing players honestly
#
# You will write the tools of the [lecture](../notebooks/05_comparing_players.ipynb) yourself, use them to judge other
# people's comparisons, and cheat a little, to know what to look for. In the end you prove what common pieces are worth,
# and spend a budget of games so that the best of many players is found.
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
from tetriscourse.random_numbers import Draws

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

# %% [markdown]
# ## 05.7 What common pieces are worth
#
# The lecture says that common pieces shrink the variance of a difference "by the factor $1 - \rho$", and measures a
# $\rho$ of next to nothing. Find out what exactly is true.
#
# In game $i$, on the same pieces, Ana's player scores $X_i$ and Ben's $Y_i$. Games are independent of each other, and
# all follow the same law: means $\mu_X$ and $\mu_Y$, standard deviations $\sigma_X > 0$ and $\sigma_Y > 0$, and a
# correlation $\rho$ between $X_i$ and $Y_i$ of the same game. There are two ways to estimate $\mu_X - \mu_Y$ from $N$
# games of each player:
#
# - *common*: both play the same $N$ games, and $D = \frac{1}{N} \sum_{i \le N} (X_i - Y_i)$;
# - *separate*: Ben's player gets $N$ other games, and $S = \frac{1}{N} \sum_{i \le N} X_i - \frac{1}{N} \sum_{N < i
#   \le 2N} Y_i$.
#
# **Prove:**
#
# 1. $D$ and $S$ both have the mean $\mu_X - \mu_Y$, whatever $\rho$ is. Calculate both variances.
# 2. Common pieces are the better way exactly when $\rho > 0$. For $\sigma_X = \sigma_Y$, the separate way then needs
#    $N / (1 - \rho)$ games of each player to be as good as $N$ common ones (if $\rho < 1$).
# 3. For $\sigma_X \ne \sigma_Y$ and $\rho > 0$, common pieces save *less* than that: the variance shrinks by a factor
#    that is greater than $1 - \rho$.

# %% [markdown] answer="05.7"
# **1.** The mean of a sum is the sum of the means, whether the terms depend on each other or not. So $E[D] =
# \frac{1}{N} \sum (E[X_i] - E[Y_i]) = \mu_X - \mu_Y$, and in the same way $E[S] = \mu_X - \mu_Y$.
#
# The $N$ differences $X_i - Y_i$ are of different games, hence independent, so the variance of their sum is the sum of
# their variances. Within a game, $X_i$ and $Y_i$ have the covariance $\rho \sigma_X \sigma_Y$, and
#
# $$\operatorname{Var} D = \frac{1}{N} \operatorname{Var}(X_1 - Y_1)
#   = \frac{\sigma_X^2 + \sigma_Y^2 - 2 \rho \sigma_X \sigma_Y}{N}.$$
#
# In $S$ all $2N$ scores are of different games and independent, so there is no covariance:
#
# $$\operatorname{Var} S = \frac{N \sigma_X^2}{N^2} + \frac{N \sigma_Y^2}{N^2} = \frac{\sigma_X^2 + \sigma_Y^2}{N}.$$
#
# **2.** $\operatorname{Var} S - \operatorname{Var} D = 2 \rho \sigma_X \sigma_Y / N$. Since $\sigma_X \sigma_Y > 0$,
# this is positive if $\rho > 0$, zero if $\rho = 0$, and negative if $\rho < 0$. As both means are right, the way with
# the smaller variance is the better one. With $\sigma_X = \sigma_Y = \sigma$, $\operatorname{Var} D = 2 \sigma^2 (1 -
# \rho) / N$. With $M$ separate games of each player $\operatorname{Var} S = 2 \sigma^2 / M$, and the two are equal when
# $M = N / (1 - \rho)$.
#
# **3.** The factor is
#
# $$\frac{\operatorname{Var} D}{\operatorname{Var} S}
#   = 1 - \rho \, \frac{2 \sigma_X \sigma_Y}{\sigma_X^2 + \sigma_Y^2}.$$
#
# Because $(\sigma_X - \sigma_Y)^2 > 0$ for different standard deviations, $2 \sigma_X \sigma_Y < \sigma_X^2 +
# \sigma_Y^2$, so the fraction is less than 1. Multiplied by $\rho > 0$ it is less than $\rho$, and the whole is greater
# than $1 - \rho$. (A player of ten times the lines has ten times the standard deviation, by the exponential law. Then
# the fraction is $20 / 101$: even with $\rho = 1$ common pieces would save only a fifth of the variance.)

# %% [markdown]
# ## 05.8 A budget of 1,600 games
#
# Sixteen groups hand in a player, and there is time for 1,600 games in all. Who gets the trophy? Write
# `find_best(play, players, budget)`, which spends the games and returns the number of the player that it takes for the
# best one. `play(k, games)` lets player `k` (from 0 to `players - 1`) play so many *further* games and returns their
# scores as a list; as soon as more than `budget` games have been asked for, it refuses, with an error.
#
# Scores are exponential. Each player is 12 % worse than the next better one; which is which is drawn anew for each
# tournament. The check holds 300 tournaments, and counts in how many of them you find the best player: a point each for
# more than 36 %, 62 % and 88 % of them.
#
# A hundred games each is one plan, and not the best. How far would it be wrong about the last ones, and who cares?
# Below is a room for rehearsals, so that you can measure a plan before you hand it in.

# %%
def find_best(play, players, budget):
    """The number of the best player, found with at most so many games."""
    ### BEGIN SOLUTION
    left, scores = list(range(players)), [[] for _ in range(players)]
    for _ in range(4):
        for k in left:  # a quarter of the budget in each round, shared by those who are left
            scores[k] += play(k, budget // 4 // len(left))
        left.sort(key=lambda k: -np.mean(scores[k]))
        left = left[: len(left) // 2]
    return left[0]
    ### END SOLUTION

# %%
def rehearse(plan, tournaments=60, players=16, budget=1600):
    """The share of rehearsals in which a plan finds the best player."""
    found = 0
    for number in range(tournaments):
        draws, played = Draws(58, number), [0]
        means = 300 * 0.88 ** draws.order(players)

        def play(k, games, draws=draws, played=played, means=means):
            played[0] += games
            if played[0] > budget:
                raise RuntimeError("the budget is spent")
            return np.ceil(-means[k] * np.log(draws.uniform(games))).astype(int).tolist()

        found += plan(play, players, budget) == means.argmax()
    return found / tournaments

# %%
rehearse(find_best)

# %%
check("05.8")
