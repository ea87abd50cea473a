# %% [markdown]
# # Exercises 09: CMA-ES and racing
#
# Five small functions make up the heart of the [lecture](../notebooks/09_cma_es.ipynb): vectors of length 1, the
# rank-one update, the step size, a bound, a race. You write them all, each in a few lines. Then you get 3,000 games,
# and have to decide how to spend them; you prove what luck does to a step size; and you look for tops in a fog.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
from dataclasses import replace

import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.random_numbers import Draws

board = replace(tc.RULES["harder"], height=10)

# %% [markdown]
# ## 09.1 Length one
#
# A player's weights have a direction that matters and a length that does not. Write `to_length_1(candidates)`: it gets
# an array with a candidate in each row, and returns an array in which every row points the same way and has length 1.
# A row of zeros has no direction: leave it as it is.

# %%
def to_length_1(candidates):
    """Every row of an array, scaled to length 1; rows of zeros stay."""
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(candidates, axis=1, keepdims=True)
    return candidates / np.where(lengths > 0, lengths, 1)
    ### END SOLUTION

# %%
print(to_length_1(np.array([[3.0, 4.0], [0.0, -2.0]])))

# %%
check("09.1")

# %% [markdown]
# ## 09.2 The rank-one update
#
# Write `rank_one(C, y, c)`: the covariance matrix after the step $y$ has been blended into it with learning rate $c$,
#
# $$(1 - c)\, C + c\; y\,y^T.$$
#
# `C` is an array of $n \times n$ numbers, `y` one of $n$ numbers. Do not change `C` itself: return a new array.

# %%
def rank_one(C, y, c):
    """The covariance matrix after one good step."""
    ### BEGIN SOLUTION
    return (1 - c) * C + c * np.outer(y, y)
    ### END SOLUTION

# %% [markdown]
# When it works, it can learn the ridge of the lecture. The cell draws 300 steps from a slanted cloud that your function
# has never seen, feeds them to it one by one, and compares.

# %%
true = np.array([[0.7, -0.8], [-0.8, 1.3]])
seen = np.eye(2)
for y in Draws(9, 5).normal((300, 2)) @ np.linalg.cholesky(true).T:
    if seen is not None:
        seen = rank_one(seen, y, 0.02)
print("the cloud:", true.tolist(), "\nlearned:  ", None if seen is None else seen.round(2).tolist())

# %%
check("09.2")

# %% [markdown]
# ## 09.3 How far to step
#
# Write `next_step(sigma, p, y, c, d)`. It gets the step size, the evolution path, the last step of the mean (already
# made round and scaled, so that by chance it would be a draw from $\mathcal N(0, I)$), and the constants $c$ and $d$.
# First the path takes the new step in, then the step size follows the *new* path:
#
# $$p \leftarrow (1 - c)\, p + \sqrt{c\,(2 - c)}\; y, \qquad \sigma \leftarrow \sigma \, \exp\!\left(\frac{c}{d} \left(
# \frac{\lVert p \rVert}{\chi_n} - 1 \right)\right).$$
#
# Return both, the step size first. `chance_length(n)` is $\chi_n$, the mean length of a random vector of $n$ numbers.

# %%
def chance_length(n):
    """About the mean length of a vector from N(0, I) with n numbers."""
    return np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))

def next_step(sigma, p, y, c, d):
    """Step size and path after another step of the mean."""
    ### BEGIN SOLUTION
    p = (1 - c) * p + np.sqrt(c * (2 - c)) * y
    return sigma * np.exp(c / d * (np.linalg.norm(p) / chance_length(len(p)) - 1)), p
    ### END SOLUTION

# %%
for name, signs in {"on and on": [1, 1, 1, 1, 1, 1], "forth and back": [1, -1, 1, -1, 1, -1]}.items():
    now = (0.5, np.zeros(2))
    for sign in signs:
        now = now and next_step(*now, sign * np.array([1.0, 0.7]), 0.3, 1.0)
    print(f"{name:14}", "sigma 0.5 becomes", round(float(now[0]), 2) if now else "...")

# %%
check("09.3")

# %% [markdown]
# ## 09.4 Hoeffding's half-width
#
# The lecture gives Hoeffding's half-width after $r$ games, for scores in a range of length $R$, in a race of at most
# $n_b$ evaluations that may be wrong with probability $\delta$. Turn the question round: *how long must a race be
# allowed to last?* If it has so many `candidates` and each may play at most $r$ games, then $n_b$ is the one times the
# other. Two candidates are told apart when their two intervals no longer touch.
#
# Write `games_needed(gap, R, candidates, delta)`: the smallest whole number $r$ such that two candidates whose means
# are `gap` apart are told apart after $r$ games, in a race in which $r$ is the limit.

# %%
def games_needed(gap, R, candidates, delta):
    """The shortest race that can tell two means apart."""
    ### BEGIN SOLUTION
    r = 1
    while gap <= 2 * R * np.sqrt(np.log(2 * candidates * r / delta) / (2 * r)):
        r += 1
    return r
    ### END SOLUTION

# %%
print("scores from 150 to 2,000, ten candidates, delta 0.05:")
for gap in (1000, 500, 250):
    print(f"{gap:5} lines apart: {games_needed(gap, 1850, 10, 0.05)} games")

# %%
check("09.4")

# %% [markdown]
# ## 09.5 A race
#
# Now the race itself. `games` is a table: `games[i, k]` is what candidate `i` scores in its game `k`. There are `mu`
# places. `half_width(mean, r)` is half the width of the interval around a mean of `r` games. A race goes like this:
#
# - **Play.** In round `r` = 1, 2, 3, ... everybody who is still in the race plays the next game, which is game `r - 1`
#   of the table. Each of them now has a mean and an interval, from `mean - half_width(mean, r)` to `mean +
#   half_width(mean, r)`.
# - **Judge.** Say that `places` places are not yet given away, and that `losers` candidates have still to be sent
#   home. *A is surely better than B* if the lower end of A lies above the upper end of B. Compare those who have just
#   played with each other, all at the same time. Whoever is surely better than at least `losers` others gets a place.
#   Whoever is surely worse than at least `places` others goes home. Either way they play no more.
# - **End.** The race is over when all places are given away, or when all losers are at home, or when the table has no
#   more games. The best means of those who are still in the race get the places that are left.
#
# Write `race(games, mu, half_width)`. Return two things: the sorted list of those who got a place, and how many games
# were played by all candidates together.
#
# An example: three candidates, one place, intervals of ± 5. After the first game, the means are 30, 22 and 8. The
# third is surely worse than at least one other (13 is below 17), so it goes home. The first is surely better than the
# third only, and needs two. The first and the second play on. (Unlike in the lecture, the interval is made afresh in
# each round: a bound may also get wider.)

# %%
def race(games, mu, half_width):
    """Who gets a place, and how many games that took."""
    ### BEGIN SOLUTION
    racing, winners, home, played, r = list(range(len(games))), [], [], 0, 0
    while len(winners) < mu and len(home) < len(games) - mu and r < games.shape[1]:
        r, played = r + 1, played + len(racing)
        means = games[racing, :r].mean(axis=1)
        half = np.array([half_width(mean, r) for mean in means])
        better = (means - half)[:, None] > (means + half)            # better[a, b]: a is surely better than b
        places, losers = mu - len(winners), len(games) - mu - len(home)
        winners += [i for i, beaten in zip(racing, better.sum(axis=1), strict=True) if beaten >= losers]
        home += [i for i, beaten_by in zip(racing, better.sum(axis=0), strict=True) if beaten_by >= places]
        racing = [i for i in racing if i not in winners + home]
    best_first = sorted(racing, key=lambda i: -games[i, :r].mean())
    return sorted(winners + best_first[: mu - len(winners)]), played
    ### END SOLUTION

# %%
example = np.array([[30, 32, 31], [22, 23, 18], [8, 40, 40]])
print(race(example, 1, lambda mean, r: 5))

# %% [markdown]
# And a race with real players: ten around the published weights `dn`, up to 60 games each, judged by the Tetris bound.

# %%
x = np.array(tc.PLAYERS["dn"].weights) + 8 * Draws(9, 6).normal((10, 8))
scores = np.array([tc.simulate(tc.Player("dn", one), board, 60, seed=9, progress=False).lines for one in x])
print("means of 60 games:", scores.mean(axis=1).round().tolist())
raced = race(scores, 5, lambda mean, r: 2 * mean / np.sqrt(r))
if raced is not None:
    print(f"places for {raced[0]}, after {raced[1]} of 600 games")

# %%
check("09.5")

# %% [markdown]
# ## 09.6 Three thousand games (open)
#
# You have 3,000 games to learn the eight weights of `dn` on the small board of the lecture, ten rows with many S and Z.
# How do you spend them? A `plan` is a dictionary:
#
# - `games`: how many games each candidate plays in an iteration
# - `racing`: `"tetris"`, `"hoeffding"` or `"bernstein"`: races, in which `games` is the most that a candidate may play;
#   leave it out for no races
# - and any setting of `tc.CMAES`: `iterations`, `population`, `sigma`, `start` (`"zero"` or `"random"`), `normalise`,
#   ...; `help(tc.CMAES)` explains them
#
# The check runs your plan four times, with seeds that you do not know, and averages the four vectors as Boumaza does.
# No run may use more than 3,000 games. The averaged player must clear more lines than Dellacherie's, whose weights a
# clever person set by hand, in 2,000 new games.

# %%
plan = ...  # replace the dots: {"games": ..., "iterations": ...}
### BEGIN SOLUTION
plan = {"games": 10, "iterations": 30}
### END SOLUTION

# %%
def learned(plan, seed):
    """One run of a plan."""
    settings = dict(plan)
    objective, racing = tc.Objective("dn", board, settings.pop("games")), settings.pop("racing", None)
    optimizer = tc.CMAES(8, "boumaza", seed=seed, **settings)
    return tc.train(optimizer, objective, racing=racing, curve=0, progress=False)

# %%
if isinstance(plan, dict):
    runs = [learned(plan, seed) for seed in range(2)]
    player = tc.Player("dn", tc.mean_vector([run.favourite for run in runs]), name="learned")
    print("games:", [run.games for run in runs])
    for one in (player, tc.PLAYERS["dellacherie"]):
        print(tc.simulate(one, board, 1000, seed=1, progress=False))

# %% [markdown]
# What did you try, what did you find, and how sure are you of it? Write a few sentences, as a text between three
# quotation marks. One plan is one number: compare at least two. (The check only looks whether you have written
# something; a teacher reads what.)

# %%
report = ...  # replace the dots by a text between three quotation marks
### BEGIN SOLUTION
report = """
I ran `learned` from the cell above with other plans of 3,000 games, seeds 1000 to 1009 for each, and let every player
that came out play 1,000 games (seed 1). With 100 games a candidate there are three iterations, and the players clear 4
to 122 lines: the ranking is good, and there is no time to follow it. With 20 games and 15 iterations it is 134 lines
on average, with 10 and 30 it is 133, with 5 and 60 also 133, with 3 and 100 it is 130. The last four differ by less
than the runs of one plan do (109 to 154 lines with 10 and 30), so I do not say which is best. Many cheap iterations
beat few careful ones, since what one iteration gets wrong the next can mend.
"""
### END SOLUTION

# %%
check("09.6")

# %% [markdown]
# ## 09.7 What luck does to the step size
#
# Suppose that scores say nothing: the ranking of the candidates is pure luck, drawn without a look at them. Candidates
# are not brought to length 1. Write $z_1, \ldots, z_\mu$ for the steps of the parents made round, best first; the
# candidates' own are independent draws from $\mathcal N(0, I)$ in $n$ dimensions. The weights $w_i$ are positive, their
# sum is 1, and $\mu_\text{eff} = 1 / \sum_i w_i^2$. The path starts as a draw from $\mathcal N(0, I)$, and
#
# $$p \leftarrow (1 - c)\, p + \sqrt{c\,(2 - c)\, \mu_\text{eff}}\; \sum_i w_i z_i, \qquad \sigma \leftarrow \sigma \,
# \exp\!\left(\frac{c}{d} \left( \frac{\lVert p \rVert}{\chi_n} - 1 \right)\right), \qquad \chi_n = E\, \lVert
# \mathcal N(0, I) \rVert.$$
#
# Prove:
#
# 1. $\sqrt{\mu_\text{eff}} \sum_i w_i z_i$ is a draw from $\mathcal N(0, I)$.
# 2. So is the path, after every iteration.
# 3. The mean of $\log \sigma$ never changes, and after one iteration or more ($0 < c \le 1$, $d > 0$) the mean of
#    $\sigma$ itself lies above its first value, $\sigma_0$.
#
# Write it as a text with formulas between dollar signs, one paragraph for each of the three.

# %% [markdown] answer="09.7"
# 1. The ranking does not depend on the candidates. So, whatever order luck has chosen, the $\mu$ vectors in the first
# places are $\mu$ of the independent draws, picked without a look at them: given the order, $z_1, \ldots, z_\mu$ are
# independent and from $\mathcal N(0, I)$, and since this is the same for every order, they are so without knowing it.
# A sum of independent normal vectors is normal. Its mean is 0. Its covariance matrix is $\sum_i w_i^2 I = I /
# \mu_\text{eff}$, since covariance matrices of independent vectors add up, and a factor $w_i$ enters squared. Times
# $\sqrt{\mu_\text{eff}}$, the covariance matrix is $I$.
#
# 2. By induction. At first the path is from $\mathcal N(0, I)$. If it is before an iteration, then the new step, $s =
# \sqrt{\mu_\text{eff}} \sum_i w_i z_i$, comes from fresh draws and fresh luck, so it is independent of $p$, which
# depends on earlier ones only. Then $(1 - c)\, p + \sqrt{c\,(2 - c)}\; s$ is normal with mean 0 and covariance matrix
# $\left((1 - c)^2 + c\,(2 - c)\right) I = I$.
#
# 3. By 2, $E \lVert p \rVert = \chi_n$ after every iteration. So the change of $\log \sigma$, which is $\frac cd
#    (\lVert p \rVert / \chi_n - 1)$, has mean 0 each time, and the mean of $\log \sigma$ stays. (Changes of different
#    iterations depend on each other, as their paths do, but means add up all the same.) Let $S$ be the sum of all
#    changes so far: $\sigma = \sigma_0\, e^S$ with $E S = 0$. The exponential function is strictly convex, and $S$ is
#    not constant (whatever came before, the length of the last path still varies, since its step is a fresh draw), so
#    by Jensen's inequality $E\, e^S > e^{E S} = 1$: the mean of $\sigma$ lies above $\sigma_0$.

# %% [markdown]
# ## 09.8 The top in the fog
#
# Somewhere in six dimensions there is a hill, a few steps from the origin, steeper in some directions than in others.
# You see it as one sees the quality of a Tetris player: `score(x)` is the score of *one game*, an exponential random
# number whose mean is the height of the hill at `x`. At the top the mean is 1,000. You may ask 3,000 times, then comes
# an error.
#
# Design a search: write `search(score, n, limit)`, which gets the oracle, the number of dimensions and the number of
# games, and returns the vector at which it believes the top to be. The check sends it to 24 hills that you do not know,
# and looks at the *true* means where your answers are. There is a point each for 720, 800 and 890 on average.
#
# How many candidates, how many games for each, how many iterations, and which vector to return in the end? Whatever of
# `tc` you like may help. `noisy_hill(seed)` gives hills to practise on, and the truth about them:

# %%
from tetriscourse.course.noisy_hill import noisy_hill

score, height = noisy_hill(seed=1)
print("one game at the origin:", round(score(np.zeros(6))), "and another:", round(score(np.zeros(6))))
print("in truth:", round(height(np.zeros(6))))

# %%
def search(score, n, limit):
    """Where the top is, as far as so many games can tell."""
    ### BEGIN SOLUTION
    optimizer = tc.CMAES(n, population=100, iterations=limit // 100)
    while not optimizer.stop():
        x = optimizer.ask()
        optimizer.tell(x, [score(one) for one in x])
    return optimizer.favourite
    ### END SOLUTION

# %%
for seed in range(1, 5):
    score, height = noisy_hill(seed)
    found = search(score, 6, 3000)
    if found is not None:
        print(f"hill {seed}: {height(found):.0f}")

# %%
check("09.8")
