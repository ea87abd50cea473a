# %% [markdown]
# # Exercises 08: cross-entropy
#
# You will write the method of the [lecture](../notebooks/08_cross_entropy.ipynb) yourself, reckon how far it can go,
# find the moment at which real runs froze, invent a noise that beats those of the papers, prove what the least surprise
# is, and measure something that hardly ever happens.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.random_numbers import Draws

# %% [markdown]
# ## 08.1 The elite
#
# `candidates` is an array with one vector in each row, `scores` has a number for each. Write `elite_of(candidates,
# scores, rho)`: the rows with the highest scores. Of $n$ candidates the elite has $\lfloor \rho n \rfloor$, that is
# $\rho n$ without what follows the point, but at least one. In which order you return them does not matter.

# %%
def elite_of(candidates, scores, rho):
    """The best share rho of the candidates, one a row."""
    ### BEGIN SOLUTION
    size = max(1, int(rho * len(candidates)))
    best_first = np.argsort(-scores)
    return candidates[best_first[:size]]
    ### END SOLUTION

# %%
scouts = Draws(1, 0).normal((8, 2)).round(1)
print(elite_of(scouts, scouts.sum(axis=1), 0.25))

# %%
check("08.1")

# %% [markdown]
# ## 08.2 The fit
#
# Write `fit(elite, noise)`: the mean and the variance of the next distribution, as two arrays with one number for each
# weight. The variance is the mean *squared* distance from the elite's own mean, and the noise is added to it.

# %%
def fit(elite, noise):
    """Means and variances of the next distribution."""
    ### BEGIN SOLUTION
    mean = elite.mean(axis=0)
    return mean, ((elite - mean) ** 2).mean(axis=0) + noise
    ### END SOLUTION

# %%
print(fit(np.array([[1.0, 10.0], [3.0, 10.0]]), noise=0.5))

# %%
check("08.2")

# %% [markdown]
# With both functions you own the method. The cell below lets it climb a hill whose top is at (3, 7).

# %%
def climb(rounds=15):
    """Where your method ends up on a hill; None as long as a part is missing."""
    mean, variance = np.zeros(2), np.full(2, 100.0)
    for t in range(rounds):
        points = mean + np.sqrt(variance) * Draws(2, t).normal((100, 2))
        elite = elite_of(points, -((points - [3, 7]) ** 2).sum(axis=1), 0.1)
        fitted = None if elite is None else fit(elite, 0.0)
        if fitted is None:
            return None
        mean, variance = fitted
    return mean.round(3)

print(climb())

# %% [markdown]
# ## 08.3 Reach
#
# On an endless slope, with an elite of 10 %, one round does two things, in this order: the mean moves by `PUSH` times
# $\sigma$; then the variance becomes `KEPT` times what it was, *plus the noise of this round*, $Z_t$ with $t = 1, 2,
# \dots$ Write `reach(noise, rounds)`: how far the mean comes in so many rounds, if `noise(t)` is the noise of round
# $t$ and the variance at first is 100. (That is the theory, without chance.)

# %%
PUSH, KEPT = 1.755, 0.1691

def reach(noise, rounds):
    """How far the mean comes on a slope."""
    ### BEGIN SOLUTION
    distance, variance = 0.0, 100.0
    for t in range(1, rounds + 1):
        distance += PUSH * variance**0.5
        variance = KEPT * variance + noise(t)
    return distance
    ### END SOLUTION

# %%
print("none:", reach(lambda t: 0, 80))
print("constant:", reach(lambda t: 4, 80))
print("decreasing:", reach(lambda t: max(5 - t / 10, 0), 80))
print("10/t:", reach(lambda t: 10 / t, 80))

# %%
check("08.3")

# %% [markdown]
# ## 08.4 Frozen
#
# When has a run stopped searching? Only the direction of a weight vector matters, so let us call a distribution
# *frozen* when its *largest* $\sigma$ is below one hundredth of the length of its mean. Noise may thaw it again, so a
# run is frozen from iteration $t$ on if the distribution is frozen in $t$ *and in all that follow*.
#
# Write `frozen_from(means, sigmas)`: the first such $t$, counted from 1, or 0 if the run is not frozen at its end.
# Both arrays have a row for each iteration and a column for each weight.

# %%
def frozen_from(means, sigmas):
    """The iteration from which on a run is frozen; 0 if it is not."""
    ### BEGIN SOLUTION
    frozen = sigmas.max(axis=1) < np.linalg.norm(means, axis=1) / 100
    first = len(frozen)
    while first > 0 and frozen[first - 1]:
        first -= 1
    return first + 1 if first < len(frozen) else 0
    ### END SOLUTION

# %%
check("08.4")

# %% [markdown]
# Ask it about the ten stored runs of each noise: from when on is each one frozen, and how many lines does it clear at
# the end? Then think about this before you go on: can you tell from *one* run whether it froze too early?

# %%
for name in ("none", "constant", "decreasing"):
    print(name)
    for run in tc.stored_result(f"thiery-{name}")["runs"]:
        since = frozen_from(np.array(run["history"]["favourite"]), np.array(run["history"]["sigma"]))
        print(f"  frozen from {since}, {np.mean(run['log']['curve'][-10:]):9,.0f} lines")

# %% [markdown]
# ## 08.5 A noise of your own (open)
#
# Invent a schedule: `my_noise(t)`, for $t = 1$ to 40, a number that is not negative. It is tried twice.
#
# - *On hills.* Six summits, 40 to 300 steps away in any direction of the plane, 40 rounds for each, with $\sigma^2 =
#   100$ at first, 100 candidates and an elite of ten. At the end the mean must be within 0.2 steps of *every* summit.
#   The three noises of the papers all fail: too short, or too restless.
# - *On Tetris.* Sixteen runs of 40 rounds on a board of 6 x 12, with the lecture's features (on six columns these are
#   13). They must end with at least 67 lines a game on average. Runs without any noise end with 61 (100 runs), so your
#   noise has to help; the constant noise of 4 ends with 74. A cell below shows sixteen runs of each beside yours.
#
# Geometric, hyperbolic, in steps, in waves: whatever you like. Use `reach` first, games later. (The check has other
# summits and other seeds than the cells below.)

# %%
def my_noise(t):
    """The noise that is added to the variances after round t."""
    ### BEGIN SOLUTION
    # Reach first: 25 rounds of about 1.93 * 50**0.5 = 13.6 steps. Then precision: half as much in each round.
    return 50 * 0.5 ** max(0, t - 25)
    ### END SOLUTION

# %%
def missed(noise, summit, seed):
    """How far from a summit the mean is after 40 rounds."""
    def hill(place):
        return -np.hypot(*(place - summit))

    search = tc.CrossEntropy(2, iterations=40, noise=noise, seed=seed)
    return np.hypot(*(tc.train(search, hill, progress=False).favourite - summit))

if my_noise(1) is not None:
    for far in (50, 150, 290):
        miss = missed(my_noise, np.array([0.6 * far, -0.8 * far]), seed=far)
        print(f"summit {far:3} steps away: missed by {miss:.3f}")

# %%
def tetris_lines(noise, seeds=range(16)):
    """Lines a game in the last ten rounds of each run."""
    game = tc.Objective("bertsekas", tc.RULES["6x12"], games=1, pieces="own")
    searches = [tc.CrossEntropy(13, iterations=40, noise=noise, seed=seed) for seed in seeds]
    return np.array([tc.train(search, game, progress=False).log["curve"][-10:].mean() for search in searches])

for name, noise in {"none": lambda t: 0, "constant": lambda t: 4, "mine": my_noise}.items():
    if noise(1) is not None:
        lines = tetris_lines(noise)
        print(f"{name}: runs end with {lines.min():.0f} to {lines.max():.0f} lines, {lines.mean():.0f} on average")

# %% [markdown]
# In a few sentences, between the quotation marks: what did you want your schedule to do at first, what in the end, and
# for what kind of problem would it be a bad choice? (The check only looks whether you have written something; a
# teacher reads what.)

# %%
my_reasons = ""  # put a text here, between three quotation marks
### BEGIN SOLUTION
my_reasons = """
At first the cloud must travel: with a noise of 50 it makes almost 14 steps in each round, so that 25 rounds are enough
for 300 steps. Then it must settle, so the noise is halved again and again, and fifteen rounds later nothing is left of
it. It is a bad choice if the summit is farther away than I have planned for, since it freezes like any other search
when the noise is gone. Where scores are mostly luck, as in Tetris, I was afraid that the direction that is frozen in
would be partly luck, too; but it ends with as many lines as the constant noise, as far as sixteen runs can tell.
"""
### END SOLUTION

# %%
check("08.5")

# %% [markdown]
# ## 08.6 The least surprise
#
# The lecture says that among all normal distributions the one with the elite's own mean and variance describes the
# elite with the least surprise, and shows five numbers for it. Prove it: given $w_1, \dots, w_k$, not all equal, find
# the $\mu$ and the $\sigma^2 > 0$ for which the mean of $-\ln f(w_i)$ is smallest, where $f$ is the density of the
# normal distribution,
#
# $$f(w) = \frac{1}{\sqrt{2 \pi \sigma^2}} \exp\Bigl(-\frac{(w - \mu)^2}{2 \sigma^2}\Bigr),$$
#
# and show that it is the smallest value of all, not only a place where derivatives vanish. Then one more family: what
# is drawn is a bit, 1 with probability $q$. Which $q$ describes $k$ bits best? (With this answer the same method
# searches among genomes.)

# %% [markdown] answer="08.6"
# Write $m$ for the mean and $v > 0$ for the variance of the $w_i$. The mean surprise is
#
# $$S(\mu, \sigma^2) = \tfrac12 \ln(2 \pi \sigma^2) + \frac{1}{2 \sigma^2} \cdot \frac1k \sum_i (w_i - \mu)^2.$$
#
# **The mean.** Since $\sum_i (w_i - m) = 0$, we have $\frac1k \sum_i (w_i - \mu)^2 = v + (m - \mu)^2$. So for every
# $\sigma^2$, $S$ is smallest at $\mu = m$ and nowhere else. This needs no derivative, and it holds for all $\mu$.
#
# **The variance.** There $S = \frac12 \bigl(\ln(2\pi) + \ln \sigma^2 + v / \sigma^2\bigr)$. With $u = v / \sigma^2 > 0$
# this is $\frac12 (\ln(2 \pi v) + u - \ln u)$. The function $u - \ln u$ has the derivative $1 - 1/u$, negative for $u <
# 1$ and positive for $u > 1$: it falls up to $u = 1$ and rises from there on. So the one smallest value is at $\sigma^2
# = v$.
#
# **Together.** For any $\mu$ and $\sigma^2$: $S(\mu, \sigma^2) \ge S(m, \sigma^2) \ge S(m, v)$, with equality only for
# $\mu = m$ and $\sigma^2 = v$. (If all $w_i$ were equal, $v$ would be 0, and $S$ would fall without end as $\sigma^2$
# goes to 0. That is the collapse of this chapter.)
#
# **Bits.** If a share $s$ of the bits is 1, the mean surprise is $-s \ln q - (1 - s) \ln(1 - q)$, with derivative
# $\frac{q - s}{q (1 - q)}$: negative below $s$, positive above. So $q = s$, the share of ones among the elite.

# %% [markdown]
# ## 08.7 Hardly ever
#
# How probable is it that a score reaches a limit, if the point that is scored has `dimension` numbers, each drawn from
# the normal distribution with mean 0 and $\sigma = 1$? Write `rare(score, limit, dimension)`, which returns an estimate
# of that probability. `score` takes an array, a point a row, and returns their scores. What it computes you do not
# know, and it scores **6,000 points**, not one more. The events are far too rare to be counted: that is the lecture's
# section on rare events, and you may begin with its code.
#
# The check has twelve worlds, of 2 to 10 dimensions. Your estimate must be right up to a factor of 1.35, each time. A
# point for each rung: probabilities of **1 in 10,000**; then, as well, of **1 in 10 million**; then, as well, of **1 in
# a million, with the danger on two sides**: the score is high in one direction, and just as high in the opposite one.
# Draw your random numbers from `Draws(seed, k)`, with any seed and with another `k` each time, so that your answer is
# the same tomorrow.

# %%
from tetriscourse.course.laboratories import rare_event

score, limit = rare_event(probability=1e-4, dimension=3, sides=1)
points = Draws(1, 0).normal((6000, 3))
print("by counting:", np.mean(score(points) >= limit), "and truly 0.0001")

# %%
def rare(score, limit, dimension):
    """The probability that the score of a standard normal point reaches the limit."""
    ### BEGIN SOLUTION
    # Two clouds, around mu and -mu, so that neither side is forgotten; the ratio is to the density of both together.
    def cloud(mu, n, t):
        side = 1 - 2 * Draws(7, 100 + t).below(2, (n, 1))
        return side * mu + Draws(7, t).normal((n, dimension))

    def ratio(x, mu):
        return 1 / (np.exp(-mu @ mu / 2) * np.cosh(x @ mu))

    mu, level, t = np.zeros(dimension), -np.inf, 0
    while level < limit and t < 8:
        x = cloud(mu, 600, t)
        scores = score(x)
        level, t = min(limit, np.quantile(scores, 0.9)), t + 1
        elite = x[scores >= level]
        w = ratio(elite, mu)
        axis = np.linalg.eigh((w * elite.T) @ elite)[1][:, -1]  # along which the elite is stretched most
        mu = np.average(elite * np.sign(elite @ axis)[:, None], axis=0, weights=w)  # all on one side of it
    x = cloud(mu, 6000 - 600 * t, t)
    return np.mean(ratio(x, mu) * (score(x) >= limit))
    ### END SOLUTION

# %%
for probability, sides in ((1e-4, 1), (1e-7, 1), (1e-6, 2)):
    found = rare(*rare_event(probability, 5, sides, number=1), 5)
    print(f"truly {probability:.0e}, with {sides} side{'s' * (sides - 1)}; estimated", found and f"{found:.2e}")

# %%
check("08.7")
