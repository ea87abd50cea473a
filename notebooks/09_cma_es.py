# %% [markdown]
# # 09 CMA-ES and racing
#
# Twenty times the same program learned the same six weights of Dellacherie's features, for the same game. It found
# twenty good players, and they do not agree on what a hole costs: the dearest hole is almost five times as dear as
# the cheapest. Did the program guess? Plot the price of a hole against that of a column transition, and the muddle
# turns into a line. This chapter is about a search that finds such lines by itself, and walks along them.
#
# **You will learn**
# - what a covariance matrix is, and how a search learns one from the steps that worked
# - why a search should remember its path, and how the length of the path sets the length of the next step
# - the principle behind two of the formulas, the natural gradient, and what to do about hills with many summits
# - what happens to it when the length of a weight vector means nothing, and how to mend that
# - what is left of its advantage when cross-entropy may turn its cloud as well, on paper and in Tetris
# - two ways to make games short enough to learn from, a harder game and a smaller one, and whether it matters which
# - how a race saves games, what its promises are worth, what its rival does, and which published results come out here
#
# **You need** [chapter 04](04_evaluation.ipynb): weights, and that only their direction matters.
# [Chapter 05](05_comparing_players.ipynb): exponential scores and $2/\sqrt N$. Chapter 08 helps: the cross-entropy
# method is this one's elder sister. Vectors, matrices and the normal law from a first course.
#
# **Time** about {{minutes}} minutes.

# %%
from dataclasses import replace
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.random_numbers import Draws
from tetriscourse.widgets import CMAESPanel, RacePanel

# %% [markdown]
# ## Twenty players on a line
#
# The twenty runs, on a game with more S and Z than usual, took five minutes, so we made them beforehand and stored
# what came out. Only ratios of weights mean anything, so let us bring all vectors to the same scale: landing height,
# eroded cells, row transitions and wells together get length 1. Two weights are left to look at, those of column
# transitions and of holes.

# %%
stored = tc.stored_result("boumaza-d")                        # made by: tetriscourse train boumaza-d
w = np.array([run["favourite"] for run in stored["runs"]])
w /= np.linalg.norm(w[:, [0, 1, 2, 5]], axis=1, keepdims=True)

# %%
columns, holes = w[:, 3], w[:, 4]
print(f"a hole costs {(holes / columns).min():.2f} to {(holes / columns).max():.2f} column transitions, "
      f"correlation {np.corrcoef(columns, holes)[0, 1]:.2f}")

# %%
_, axes = plt.subplots(figsize=(5, 4))
axes.plot(columns, holes, "o", color="#0072B2")
axes.set(xlabel="weight of column transitions", ylabel="weight of holes", aspect="equal", title="20 learned players")
plt.show()

# %% [markdown]
# The *correlation* of two lists of numbers is 1 when they rise together along a line, -1 when one rises as the other
# falls, and 0 when they have nothing to do with each other. Here it is close to -1. Whoever pays less for a hole pays
# more for a column transition, and you know why from chapter 04: a hole has a floor and a lid, so column transitions
# see it too, and either weight can do the other's work. The players do not disagree. They stand on a *ridge*.
#
# **Before you run the next cell:** we take the mean of the twenty, and move it half a unit along the ridge, then the
# same distance across. Which will hurt?

# %%
def lines(weights, games=400):
    """Lines a game of a player with Dellacherie's features, on the game that the twenty were learned on."""
    return tc.simulate(tc.Player("dellacherie", weights), tc.RULES["harder"], games, seed=9, progress=False).mean

# %%
middle, along, across = w.mean(axis=0), np.array([0, 0, 0, -0.6, 0.8, 0]), np.array([0, 0, 0, 0.8, 0.6, 0])
print(f"the mean of the twenty: {lines(middle):.0f} lines a game")
for name, step in {"along": along, "across": across}.items():
    print(f"{name:6} by half a unit: {lines(middle + step / 2):.0f} and {lines(middle - step / 2):.0f}")

# %% [markdown]
# (400 games are good for ± 10 %.) Along the ridge a tenth is lost, perhaps a little more; across it a quarter, or
# almost half. A search that tries the same distance in all directions must either crawl, because most of what it
# tries falls off the ridge, or learn the direction. That is the first half of the question of this chapter: *which
# way?* The second half is *how far?*
#
# > **In the paper.** Boumaza 2013, section 4.4 and figure 5, noticed the pair: the weights "4 and 5", column
# > transitions and holes, "seem to follow the opposite path", and he was still investigating. Section 6 finds the
# > runs close to each other and takes that for a sign of an easy landscape. Both are right: it is easy once you know
# > the ridge.
#
# ## A cloud with a shape
#
# Like the cross-entropy method, CMA-ES keeps no population. It keeps a *distribution*: a recipe for drawing
# candidates at random. A candidate is
#
# $$x = m + \sigma \, y, \qquad y \sim \mathcal N(0, C).$$
#
# The *mean* $m$ says where to look, the *step size* $\sigma$ how far, and $C$ in which directions. Read $\sim
# \mathcal N(0, C)$ as "drawn from the normal law around 0 with covariance matrix $C$". A **covariance matrix** is a
# symmetric table: on the diagonal stands the variance of each weight, and in row $i$, column $j$ the variance that
# weights $i$ and $j$ have in common, positive if they rise together. If $C$ is the identity matrix, the cloud is
# round. If it is diagonal, the cloud is stretched along the axes. Only with numbers off the diagonal can it be
# tilted:

# %%
shapes = {"round": [[1, 0], [0, 1]], "upright": [[0.2, 0], [0, 1.8]], "tilted": [[0.7, -0.8], [-0.8, 1.3]]}
z = Draws(9, 1).normal((1000, 2))
clouds = {name: z @ np.linalg.cholesky(C).T for name, C in shapes.items()}
for name, y in clouds.items():
    print(f"{name:7} deviations {y.std(axis=0).round(2)}, correlation {np.corrcoef(y.T)[0, 1]:.2f}")

# %%
_, plots = plt.subplots(1, 3, figsize=(9, 3.2), sharex=True, sharey=True)
for axes, (name, y) in zip(plots, clouds.items(), strict=True):
    axes.plot(*y.T, ".", color="#0072B2", markersize=2)
    axes.set(title=name, xlabel="first weight", ylabel="second weight", aspect="equal")
plt.show()

# %% [markdown]
# (A matrix $A$ with $AA^T = C$ makes such a cloud from a round one: $y = Az$. Cholesky's is one of them.) The
# cross-entropy method of chapter 08 has a standard deviation for each weight, and so its clouds are upright. Does
# that matter? Here are three *paper functions*, as one calls test problems that cost nothing to evaluate. All have
# eight numbers, and the highest value, 0, at the origin. The *sphere* falls the same way in all directions. The
# *ellipsoid* is up to ten thousand times as steep in one direction as in another. And the *turned ellipsoid* is the
# same hill, seen in a tilted mirror, so that its axes are no longer ours.

# %%
steep = 10.0 ** np.linspace(0, 4, 8)
mirror = np.eye(8) - 2 * np.outer(steep**0.1, steep**0.1) / np.sum(steep**0.2)

def sphere(x):
    return -np.sum(x**2)

def ellipsoid(x):
    return -np.sum(steep * x**2)

def turned(x):
    return ellipsoid(mirror @ x)

# %% [markdown]
# **Predict:** the cross-entropy method gets 100 candidates an iteration and 80 iterations, beginning around (1, ..., 1)
# with deviations of 10. A mirror changes neither the hill nor the distances. How much worse will it do on the third
# function than on the second? The cell prints how much is missing to the top in the end: the median of ten runs, the
# best and the worst.

# %%
def search(optimizer, f):
    """What is missing to the top, 0, after each iteration."""
    missing = []
    while not optimizer.stop():
        x = optimizer.ask()
        optimizer.tell(x, [f(one) for one in x])
        missing.append(-f(optimizer.favourite))
    return np.array(missing)

# %%
def entropy(f, seed=1, **changes):
    """Cross-entropy from (1, ..., 1) on, with deviations of 10: 80 iterations."""
    return search(tc.CrossEntropy(8, iterations=80, initial_mean=1, seed=seed, **changes), f)

for f in (sphere, ellipsoid, turned):
    ends = [entropy(f, seed)[-1] for seed in range(1, 11)]
    print(f"{f.__name__:10} {np.median(ends):.0e} ({min(ends):.0e} to {max(ends):.0e})")

# %% [markdown]
# Millions of times worse, and it will not get better: in all three cases the cloud has shrunk to a point and stands
# still. Two things went wrong. The cloud could not turn. And it shrank too soon, even on the sphere. CMA-ES has a cure
# for each. (Could cross-entropy not turn, too? It could. We come back to it.)
#
# ## Which way: learn from steps that worked
#
# Suppose a step $y$ was good: it led to one of the best candidates. Then we should like to make steps of its kind
# more likely. Which covariance matrix makes $y$ as likely as can be? The one that is nothing but $y$: the *outer
# product* $y\,y^T$, the table of all products $y_i y_j$. Alone it would be a cloud as thin as a needle. So we blend it
# in, a little at a time:
#
# $$C \leftarrow (1 - c)\, C + c\; y\,y^T.$$
#
# This is the **rank-one update**, because $yy^T$ is a matrix of rank one. The *learning rate* $c$, between 0 and 1,
# says how fast the old shape is forgotten. See it work: from a circle, four times the same step to the upper left.

# %%
C, y = np.eye(2), np.array([-1.2, 1.6])
for k in range(1, 5):
    C = 0.8 * C + 0.2 * np.outer(y, y)
    short, long = np.sqrt(np.linalg.eigvalsh(C))
    correlation = C[0, 1] / np.sqrt(C[0, 0] * C[1, 1])
    print(f"after {k}: correlation {correlation:.2f}, {long / short:.1f} times as long as wide")

# %% [markdown]
# The cloud turns towards the step and stretches along it. (The last column compares the two *axes* of the cloud. The
# square roots of the *eigenvalues* of $C$ are their lengths, and the eigenvectors their directions.) An iteration has
# several good candidates, the *parents*, so one takes the weighted mean of their outer products, $\sum_i w_i\, y_i
# y_i^T$, the better the heavier. That is the **rank-$\mu$ update**, $\mu$ being the number of parents.
#
# ### Around which mean?
#
# One detail decides whether a search survives. The steps $y_i$ are measured from the *old* mean, from where they were
# made. The cross-entropy method measures the variance of its elite around the elite's *own* mean. It sounds like a
# trifle. Try it on a slope, where everything gets better to the upper right for ever, and a search should take longer
# and longer strides:

# %%
cloud = Draws(9, 2).normal((1000, 2))                          # a round cloud with variance 1
elite = cloud[np.argsort(-cloud.sum(axis=1))[:250]]            # the best quarter on the slope x + y
uphill = elite @ [0.5**0.5, 0.5**0.5]
print(f"variance uphill around the elite's own mean: {uphill.var():.2f}, around the old mean: {np.mean(uphill**2):.2f}")

# %% [markdown]
# Around its own mean the elite is a thin slice *across* the slope: the variance shrinks to less than a quarter in the
# very direction in which the cloud should go. Around the old mean it nearly doubles. Here is one reason why
# cross-entropy needed noise in chapter 08: it has no other way to stay alive on a slope.
#
# ## The path: what one step cannot tell
#
# An outer product forgets a sign: $y\,y^T = (-y)(-y)^T$. Forth and back looks like forth and forth. But the difference
# is what we want to know! Steps that go forth and back say "you are jumping over the ridge". Steps that go on and on
# say "this is the way". So CMA-ES adds up the steps *with* their signs, and lets old ones fade. The result is an
# **evolution path**:
#
# $$p \leftarrow (1 - c)\, p + \sqrt{c\,(2 - c)}\; y.$$
#
# The odd factor has a purpose: if the steps are independent draws with variance 1, then $p$ has variance 1 as well,
# since $(1-c)^2 + c(2-c) = 1$. So we know how long a path is *by chance*, and can tell when it is longer or shorter.

# %%
def path_length(steps, c=0.3):
    """How long the evolution path is in the end."""
    p = np.zeros(2)
    for y in steps:
        p = (1 - c) * p + np.sqrt(c * (2 - c)) * y
    return np.linalg.norm(p)

# %%
forth, back = np.array([1.0, 0.0]), np.array([-1.0, 0.0])
print(f"on and on: {path_length([forth] * 40):.2f}, forth and back: {path_length([forth, back] * 20):.2f}")
by_chance = [path_length(Draws(9, k).normal((40, 2))) for k in range(1000)]
print(f"by chance: {np.mean(by_chance):.2f}, as long as a single random step: {np.sqrt(np.pi / 2):.2f}")

# %% [markdown]
# Steps of length 1 make a path of 2.4 if they agree, and of 0.4 if they cancel. Random steps, of mean length 1.25 in
# two dimensions, soon make a path of the same mean length, and it stays so. In CMA-ES the rank-one update is fed
# with the path of the mean's movement, $p_c$ in the papers, and not with single steps. A direction that is kept for
# several iterations is then learned several times as fast.
#
# ## How far: the step size
#
# A second path, $p_\sigma$, does nothing but watch the length. If the path is *longer* than by chance, the last steps
# pointed the same way, and one long step would have done for all of them: $\sigma$ should grow. If it is *shorter*,
# steps cancel each other, and $\sigma$ should shrink (*cumulative step-size adaptation*):
#
# $$\sigma \leftarrow \sigma \, \exp\!\left(\frac{c_\sigma}{d_\sigma} \left( \frac{\lVert p_\sigma
# \rVert}{\chi_n} - 1 \right)\right).$$
#
# $\chi_n$ is the mean length of a random vector of $n$ numbers from $\mathcal N(0, I)$, about $\sqrt n$. The constant
# $d_\sigma$, close to 1, damps the change. (So that a stretched cloud does not fool it, each step first gets its shape
# taken out: $C^{-1/2} y$ is round again.) Nothing here asks how high the scores are, only which candidates were
# better: twice the score, or its logarithm, and the search goes the same way.
#
# Is it worth it? On the sphere, with a round cloud, we compare fixed steps with steps that follow the path. The
# library lets us switch parts off: without learning rates $C$ stays round, with infinite damping $\sigma$ stays
# fixed.

# %%
def cma(sigma=0.5, iterations=250, **changes):
    """A CMA-ES that begins at (1, ..., 1), with some of its constants changed."""
    optimizer = tc.CMAES(8, start=(1,) * 8, sigma=sigma, step_size="norm", iterations=iterations, tolerance=0, seed=1)
    optimizer.constants = replace(optimizer.constants, **changes)
    return optimizer

# %%
round_cloud, fixed = {"c_1": 0, "c_mu": 0}, {"d_sigma": np.inf}
steps = {f"always {sigma}": search(cma(sigma, **round_cloud, **fixed), sphere) for sigma in (1, 0.1, 0.01)}
steps |= {f"adapted, from {sigma}": search(cma(sigma, **round_cloud), sphere) for sigma in (1, 0.01)}

for name, missing in steps.items():
    print(f"{name:19} {missing[-1]:.0e} missing after 2,500 evaluations")

# %%
from tetriscourse.plots.style import look

def chart(curves, each, title, xlabel="evaluations", ylabel="missing to the top (log scale)", lowest=None):
    """Curves by name, on a logarithmic scale; `each` has the evaluations of an iteration."""
    _, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    for k, (name, values) in enumerate(curves.items()):
        axes.semilogy(each[k] * np.arange(1, len(values) + 1), values, label=name, **look(k))
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    axes.set_ylim(bottom=lowest)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    plt.show()

# %%
chart(steps, [10] * 5, "sphere")

# %% [markdown]
# A fixed step is either too long, and hovers around the top at a distance, or too short, and takes for ever to get
# there. The adapted ones draw straight lines, and on a logarithmic scale that means: *in every so many evaluations
# another digit*. The wrong first guess of 0.01 costs a little time, no more.
#
# ## All of it
#
# Now we can say what an iteration of CMA-ES does, in five lines:
#
# 1. *Sample* $\lambda$ candidates $x_i = m + \sigma y_i$ with $y_i \sim \mathcal N(0, C)$.
# 2. *Select* the $\mu = \lambda/2$ best, and move $m$ to their weighted mean.
# 3. *Paths*: add this movement, divided by $\sigma$, to $p_\sigma$ and $p_c$.
# 4. *Shape*: blend $p_c p_c^T$ (rank one) and the parents' $\sum w_i y_i y_i^T$ (rank $\mu$) into $C$.
# 5. *Step size*: compare the length of $p_\sigma$ with chance, and change $\sigma$.
#
# Its constants follow from the number of weights $n$ alone. For eight weights, $\lambda$ is 10:

# %%
c = tc.CMAES(8).constants
print(f"{c.lambda_} candidates, {c.mu} parents with weights {c.w.round(2)}")
print(f"learning rates {c.c_1:.3f} (rank one) and {c.c_mu:.3f} (rank mu)")
print(f"the path of the step size remembers about {1 / c.c_sigma:.0f} iterations")

# %% [markdown]
# Ten candidates, where cross-entropy takes a hundred. The constants, and with the library's own settings every number
# of every iteration, are those of `purecma`, the short program that Hansen wrote to be read. His tutorial (2016) and
# `pycma` (`pip install cma`), which one would take for work, differ in small print: a slightly larger $c_\mu$, another
# $d_\sigma$, other guards, and *active* updates, in which the worst candidates push $C$ away with negative weights.
# Does it matter? As many candidates, from the same point with the same first cloud, until the top is reached:

# %%
stored_table("pycma-hills")                  # made by: python tests/benchmarks/pycma_figures.py hills

# %% [markdown]
# `step_size="norm"` is the rule that you have just seen, Boumaza's and pycma's. purecma compares *squares* of lengths,
# and takes an eighth more on the sphere. On the two ellipsoids the three without active updates lie within a tenth of
# each other; active ones save another fifth. And on Tetris nobody can tell the four apart
# ([results](results.ipynb)).
#
# In the panel, watch the ellipse learn a tilted hill.
#
# **Try this.**
# 1. Press *Start*. When does the ellipse first look like the hill? Read the sentence about the path above the picture:
#    when is the path longer than by chance, on the way or near the top?
# 2. *Reset*, set *first sigma* to 0.01, and *Start* again. What does sigma do first, and why?
# 3. Choose *Rosenbrock*, a bent ridge, and tick *in three phases*. Say before each step where the ellipse will go.

# %%
CMAESPanel("turned ellipse", seed=3, steps=6)

# %% [markdown]
# ### A fair contest
#
# Cross-entropy had an upright cloud only because its authors wanted one. Nothing forbids it to fit the whole covariance
# matrix of its elite, $\Sigma$ in place of a variance for each weight (the noise then goes on the diagonal). In the
# library that is a setting, `covariance="full"`. So let both kinds compete, against a round cloud with a step size of
# its own, and against CMA-ES. All begin with the same cloud, and all get 8,000 evaluations. **Predict** who will climb
# the turned hill. One warning: $\Sigma$ has 36 different numbers, and the usual elite has ten candidates. So a third
# cross-entropy has 200 candidates an iteration, half as many iterations, and an elite of 50.

# %%
def contest(f):
    """Five searches, 8,000 evaluations each, from the same cloud on."""
    found = {"independent weights": entropy(f), "full, 10 of 100": entropy(f, covariance="full")}
    found["full, 50 of 200"] = entropy(f, covariance="full", population=200, rho=0.25)[:40]
    found["round cloud"] = search(cma(10, 800, **round_cloud), f)
    found["CMA-ES"] = search(cma(10, 800), f)
    chart(found, (100, 100, 200, 10, 10), f.__name__, lowest=1e-20)

contest(ellipsoid)

# %%
contest(turned)

# %% [markdown]
# The round cloud gets stuck on either hill: its step must be short for the steepest direction, and so it crawls in the
# flattest. Upright clouds get far on the upright hill and nowhere on the turned one. But *full cross-entropy with an
# elite of 50 climbs the turned hill*, as well as the upright one. What you need for that is a covariance matrix, and
# not CMA-ES. With an elite of ten, the full matrix is no help on the turned hill, and on the upright one it does harm:
# ten points say too little about 36 numbers. Where they happen to lie close together the next cloud is thin, and
# without noise it never gets wide again.
#
# One run is an anecdote. Ten of each, on the turned hill, and four more searches as controls: what is missing, in the
# median run and from the best to the worst.

# %%
hills = stored_table("contest-hills")        # made by: python tests/benchmarks/contest_figures.py hills
hills.rows = [row for row in hills.rows if row["hill"] == "turned"]
hills

# %% [markdown]
# So what is left for CMA-ES? With 8,000 evaluations both solve the problem. With 4,000, only one has:
# CMA-ES misses the top by 6e-18, full cross-entropy by a thousandth. And the worst of ten runs of that got stuck, with
# 2 missing; no run of CMA-ES did. Is CMA-ES the better rule, then? Look at the last line, which is the control: *the
# median run of CMA-ES with 200 candidates an iteration, half of them parents, is no better than that of full
# cross-entropy with 200*. (None of its ten runs got stuck, but none against one of ten can be chance.) Its great saving
# does not come from what it does with a crowd. It comes from being able to do with ten. Cross-entropy with ten
# candidates makes its matrix from five of them, from nothing else, and is lost at once. CMA-ES blends a few new numbers
# into an old matrix, remembers what the iterations before have seen, and so needs no crowd in any of them. On paper
# that saves half of the evaluations or more. Whether it is worth anything in Tetris, where scores are noisy, we shall
# see.
#
# > **In the paper.** Boumaza 2013, section 4.1, algorithm 1, is this procedure, from Hansen and Ostermeier. Three
# > places in the print need a pencil: the step of $p_\sigma$ is multiplied by $C^{1/2}$ where it must be $C^{-1/2}$,
# > the best offspring are said to have the *lowest* values where scores are maximised, and the two guards of Hansen's
# > own program, against paths that are much too long, are missing. Our library mends all three; its first lines say
# > so.
#
# ### Many summits
#
# A hill with one summit is a friendly hill. *Rastrigin's function* is a bowl with a bump in every unit cube:

# %%
def rastrigin(x):
    return -np.sum(x**2 + 10 * (1 - np.cos(2 * np.pi * x)))

again = {kind: tc.Restarts(4, kind, box=5, sigma=2, evaluations=8000, seed=1) for kind in ("same", "ipop")}
for kind, many in again.items():
    search(many, rastrigin)
    print(kind, [(size, used, why) for size, used, why in many.runs], f"{-many.best.score:.1f} missing")

# %% [markdown]
# A run ends on some bump, where all scores are alike. So *begin again*, somewhere else: that is `"same"`. **IPOP**
# (Auger and Hansen 2005) begins again with *twice the candidates*. A large crowd averages over the bumps and sees the
# bowl. (Each triple has candidates, evaluations, and why the run was over.) But a crowd helps only if the bumps hide
# something. **BIPOP** (Hansen 2009) insures itself: besides the runs that double it makes small ones, of random size
# and with a small first step, and gives both kinds as many evaluations. Twenty seeds, 60,000 evaluations in all, in
# eight dimensions, on Rastrigin's bowl and on *forty peaks* which stand anywhere, so that a peak says nothing about
# where the highest one is:

# %%
stored_table("restarts-hills")               # made by: python tests/benchmarks/restarts_figures.py hills

# %% [markdown]
# On Rastrigin's bowl ten candidates never find the top, however often they begin again: twenty times in the median
# search, and none of twenty searches. A crowd of 400 finds it at once, in 17 of 20. So the remedy there is the crowd,
# and whoever knows its size needs no restarts. IPOP finds a size by itself, in 14 of 20. BIPOP, which spends half on
# small runs, does so in 5. On the forty peaks it is the other way round. A crowd of 400 fails as a single run of ten
# does, and many small runs find the highest peak more often, 9 of 20, as often as BIPOP; but look at the intervals:
# twenty seeds do not tell that from the 6 of IPOP. Nobody is best on both. Restarts are an insurance for those who do
# not know their hill, and like any insurance they cost something if all goes well.
#
# And Tetris? A run is over there when the longest axis of its cloud is below 0.03, for vectors of length 1. We have
# tried no other value. 30,000 games on the board of the contest below, ten for each candidate:

# %%
stored_table("restarts-tetris")              # made by: python tests/benchmarks/restarts_figures.py tetris

# %% [markdown]
# Does it pay? IPOP's players clear 149 lines, and so do those of a single run with 100 candidates, which never begins
# again. With ten candidates, beginning again gives 144, and going on 135; who simply stops when the cloud is small has
# 137, for a sixth of the games. So what helps most in Tetris is the crowd, as the control shows, and we have seen no
# summits from which a new beginning would have to save us. IPOP spares us the choice of a size, and its runs scatter
# least.
#
# ## The natural gradient
#
# So far there were recipes, each with a reason of its own. Two of them have a common one, which you will meet again in
# chapter 14, where policies learn. A cloud has *parameters*, $\theta = (m, C)$. How good is a cloud? As good as its
# candidates are on average, $J(\theta) = E\, f(x)$. Then climb $J$, by its gradient! Nobody can differentiate $f$; but
# nobody has to, since only the density $p$ depends on $\theta$, and $\nabla p = p\, \nabla \log p$:
#
# $$\nabla J = E\left[ f(x)\, \nabla \log p(x) \right] \quad\text{with}\quad \nabla_m \log p = C^{-1} y, \quad \nabla_C
# \log p = \tfrac12 \left( C^{-1} y\, y^T C^{-1} - C^{-1} \right), \quad y = x - m.$$
#
# A mean over candidates estimates that. But steepest in which sense? A gradient asks for the most ascent in a step of
# given length, and so it depends on how one measures steps. To add 0.1 to a variance of 0.01 turns the cloud into
# another one; added to 100 it does nothing. What should count is how much the *distribution* changes. The curvature of
# that change (of the Kullback-Leibler divergence) is **Fisher's information matrix** $F = E\left[ \nabla \log p\,
# (\nabla \log p)^T \right]$, and steepest ascent by that measure is the **natural gradient** $F^{-1} \nabla J$ (Amari
# 1998). For a normal law, $F$ is $C^{-1}$ for the mean, and for the matrix $\frac12\, C^{-1} \otimes C^{-1}$, a table
# with a row and a column for each entry of $C$. In the cell, `w` stands for $f$: the parents' weights, which depend on
# their rank alone.

# %%
def gradients(y, w, C):
    """For the shape of a cloud: the gradient, estimated from steps and their weights, and the natural gradient."""
    inverse = np.linalg.inv(C)
    plain = sum(wi * (inverse @ np.outer(yi, yi) @ inverse - inverse) / 2 for wi, yi in zip(w, y, strict=True))
    fisher = np.kron(inverse, inverse) / 2
    return plain, np.linalg.solve(fisher, plain.ravel()).reshape(C.shape)

# %% [markdown]
# Compare with what the library does. We let CMA-ES learn the turned ellipsoid for 40 iterations, then take the path out
# ($c_1 = 0$), and look at its next step. A cosine of 1 means *the same direction*.

# %%
def cosine(A, B):
    return np.sum(A * B) / (np.linalg.norm(A) * np.linalg.norm(B))

one = tc.CMAES(8, start=(1,) * 8, iterations=40, seed=2)
search(one, turned)
one.constants = replace(one.constants, c_1=0)
m, C, x = one.m, one.C, one.ask()
y = np.array(sorted(x, key=turned)[:-6:-1] - m) / one.sigma
one.tell(x, [turned(candidate) for candidate in x])

# %%
w, c_mu = one.constants.w, one.constants.c_mu
plain, natural = gradients(y, w, C)
print("the same numbers as the natural gradient:", np.allclose((one.C - C) / c_mu, natural, rtol=0, atol=1e-12))
for name, gradient in (("natural", natural), ("plain", plain)):
    print(f"cosine with the {name} gradient: {cosine(one.C - C, gradient):.3f}")

# %% [markdown]
# To the last digits. **The rank-$\mu$ update is a step along the natural gradient**, with $c_\mu$ as its length:
# Fisher's matrix takes the $C^{-1}$ away on both sides, and what is left is $\sum_i w_i (y_i y_i^T - C)$. In the same
# way the new mean is one, with a step of length 1. (Akimoto and others 2010; Glasmachers and others 2010. In the tests,
# Fisher's matrix is found by differences instead, without any of these formulas.)
#
# What is it good for? The natural gradient does not mind in which *units* the weights are written. Let us turn all
# coordinates and stretch them, $x' = Ax$, reckon there, and come back:

# %%
A = steep[:, None] ** 0.25 * mirror
back = np.linalg.inv(A)
elsewhere = [back @ gradient @ back.T for gradient in gradients(y @ A.T, w, A @ C @ A.T)]
print(f"plain: cosine with the one by way of other coordinates {cosine(plain, elsewhere[0]):.3f}")
print(f"natural: {cosine(natural, elsewhere[1]):.3f}")

# %% [markdown]
# In other coordinates the plain gradient says something else, and the natural one the same. So a search that follows it
# climbs a turned and stretched hill as it would climb the sphere, once its cloud fits; how well the authors of a
# feature chose its unit no longer matters.
#
# How far does this carry? Not to all of CMA-ES. The path $p_c$ and the rule for $\sigma$ look at *several* iterations,
# and no gradient of one does. And the weights are ranks, not scores: what climbs is not the mean score but the mean of
# a score by rank, which changes as the cloud moves (*information-geometric optimisation*, Ollivier and others 2017).
#
# ## A weight vector has no length
#
# Now to Tetris, where a surprise waits. Multiply all weights of a player by 7: the same player (chapter 04). So the
# landscape is the same all along each ray from the origin. What does a search make of a landscape without an
# outward or an inward? We can find out on paper: let the score be the cosine of the angle to some direction.

# %%
goal = np.array([-4, 1, -3, -6, -4, -3, -1, -5]) / np.sqrt(113)

def angle_only(x):
    return x @ goal / np.linalg.norm(x)

def chase(seed, normalise):
    optimizer = tc.CMAES(8, "boumaza", iterations=60, normalise=normalise, seed=seed)
    search(optimizer, angle_only)
    length, angle = np.linalg.norm(optimizer.m), np.degrees(np.arccos(angle_only(optimizer.m)))
    print(f"length {length:6.1f}, sigma {optimizer.sigma:.4f}, {angle:.2f} degrees off the goal")

# %%
for seed in range(3):
    chase(seed, normalise=False)

# %% [markdown]
# It finds the direction. But on the way the mean has run away from the origin, to a length of 6, or 208, as luck will
# have it. Why outward, if nothing is better there? Pythagoras knows. A step *at right angles* to
# $m$, which is what changing the direction means, always leads outward: $\lVert m + s \rVert^2 = \lVert m \rVert^2 +
# \lVert s \rVert^2$. And it feeds on itself. The farther out, the smaller the angle that a step of length $\sigma$
# makes; the steps all point the same way, the path gets long, and $\sigma$ grows to catch up. Boumaza calls it an
# "unattainable moving target".
#
# His cure is one line: **scale every candidate to length 1** as soon as it is drawn. The search lives on a sphere,
# nobody can run away, and the step size has only one thing to do. (He writes "the surface of the unit hyper-cube";
# vectors of length 1 form a sphere.)

# %%
for seed in range(3):
    chase(seed, normalise=True)

# %% [markdown]
# After the same 600 evaluations the cured search points closer to the goal, and its step size has fallen much further.
#
# Does the same happen in Tetris? He shows it in figure 4, "typical run without normalization". Here are five runs
# without and five with it, 100 iterations each, on the same harder game as before, with the eight features `dn` of
# chapter 04: Dellacherie's six, hole depth and rows with holes. First a run without. His figure 4 shows the middle one
# of these three pictures, the standard deviation of each weight, $\sigma \sqrt{C_{ii}}$, and then the weights.

# %%
free = tc.stored_result("boumaza-unnormalised")                # made by: tetriscourse train boumaza-unnormalised
tc.plots.step_sizes(free)

# %%
tc.plots.weights_over_time(free)

# %% [markdown]
# And the same with every candidate at length 1, as in his figure 5 (`tc.plots.weights_over_time(unit)` draws figure 6,
# in which the weights settle):

# %%
unit = tc.stored_result("boumaza-normalised")                  # made by: tetriscourse train boumaza-normalised
tc.plots.step_sizes(unit)

# %% [markdown]
# One run is an anecdote. The five of each kind, a line each:

# %%
def outline(one):
    """Of each run: step size at its largest and at the end, length of the mean, lines over the last ten iterations."""
    for run in one["runs"]:
        sigma, length = np.array(run["history"]["sigma"]), np.linalg.norm(run["history"]["favourite"], axis=1)
        curve = np.mean(run["log"]["curve"][-10:])
        print(f"sigma up to {sigma.max():.2f} (iteration {sigma.argmax() + 1:2}), at last {sigma[-1]:.3f}; "
              f"length {length[-1]:5.1f}; sigma / length {sigma[-1] / length[-1]:.4f}; {curve:.0f} lines")

# %%
outline(free)

# %%
outline(unit)

# %% [markdown]
# An honest comparison with figure 4. The *weights* run away as he says, to lengths between 4 and 175. The *step size*
# grows at first, as he says, in four runs of five, up to 14 times its first value of 0.5. But then it falls, in one
# run haltingly, in the others for good. And at the end it is small where it counts: divided by the length, which makes
# it an angle, it is much the same in both kinds of runs. So are the scores. Left alone, this search is not lost. It
# wanders off, and takes its time to notice that it has arrived.
#
# What the cure buys is order. Normalised, the step size falls from the beginning, in every run, and all runs end at
# length 1, where they can be compared and averaged. One line of code, no loss, and one worry less: reason enough to
# take it. But if his step sizes kept growing, something in his program or his game was different from ours, and we
# cannot tell what.
#
# A falling step size looks like success: the search is closing in. Is it? Every 'because' wants its control. Here are
# the same two searches, in which *all scores are random numbers*, so that there is nothing to close in on.

# %%
def by_luck(seed, iterations=100, **changes):
    """The step size in the end, when scores are random numbers."""
    optimizer, luck = tc.CMAES(8, "boumaza", iterations=iterations, seed=seed, **changes), Draws(9, 200 + seed)
    search(optimizer, lambda x: float(luck.uniform()))
    return optimizer.sigma

for normalise in (False, True):
    logs = np.log([by_luck(seed, normalise=normalise) for seed in range(50)])
    mean, low, high = np.exp(logs.mean() + 2 * logs.std() / np.sqrt(50) * np.array([0, -1, 1]))
    print(f"length 1: {normalise!s:5} sigma 0.5 becomes {mean:.2f} in the geometric mean ({low:.2f} to {high:.2f}), "
          f"in single runs {np.exp(min(logs)):.3f} to {np.exp(max(logs)):.2f}")

# %% [markdown]
# Left alone, luck has no favourite direction: on average the logarithm of the step size stays where it is (exercise
# 09.7 proves it), but for a small loss in the first iterations, when the path is short because it starts at 0. With
# candidates of length 1 the step size falls to a tenth, *although nothing is learned*. The cure itself pushes it down.
# At first it shortens all steps: eight numbers of deviation 0.5 make a vector of length 1.4, and it is cut to 1. Later,
# whatever leads outward is taken back at once, so that a step has seven free numbers where the search counts on eight.
# By chance it is 2.55 long, and not 2.74, and the path looks too short for ever. In Tetris the normalised runs end
# between 0.005 and 0.013, lower than luck alone brings most of them. But that a step size *falls* shows little. That
# the curve of scores rises shows more.
#
# > **In the paper.** Boumaza 2013, section 4.2.1 and figure 4; with normalisation, figures 5 and 6. He writes that it
# > "significantly improves the convergence of the algorithm". In our ten runs it does for the step size, and not for
# > the score.
#
# In the panel above, choose *direction only* under *maximise*, press *Start*, and look where the mean goes. Then tick
# *length 1*, *Reset*, *Start*.
#
# ## Learn a player before your eyes
#
# Enough of stored runs. We take ten rows instead of twenty, and let CMA-ES learn eight weights from zero: 30
# iterations, ten candidates, ten games each. That is 3,000 games, and they are over before you can count to three. We
# do it four times, each with another seed.

# %%
board = replace(tc.RULES["harder"], height=10)
ten_games = tc.Objective("dn", board, games=10)
runs = [tc.train(tc.CMAES(8, "boumaza", iterations=30, seed=seed), ten_games, progress=False) for seed in range(4)]
tc.plots.learning_curves(runs)

# %%
def score(weights, rules=board, games=4000):
    """Lines a game with these eight weights, in games that nobody has learned from."""
    return tc.simulate(tc.Player("dn", weights), rules, games, seed=2026, progress=False).mean

# %%
print("four runs:", [round(score(run.favourite)) for run in runs])
together = tc.mean_vector([run.favourite for run in runs])
print(f"their mean: {score(together):.0f}; the published dn: {score(tc.PLAYERS['dn'].weights):.0f}")

# %% [markdown]
# The last line is Boumaza's protocol: run several times, bring the last means to length 1, *average the vectors*, and
# publish that. (A mean of players? It works because all runs lie on one ridge. If a ridge is nearly straight, the mean
# of its points lies on it, too.) The mean of four cheap runs is as good as the best of them, and nobody had to pick:
# from chapter 05 you know what the best of many is worth when it is judged by the games that it was picked by. It is
# also as good as the published weights, which nobody tuned for this board. (4,000 games are good for ± 3 %.)
#
# ### The same games for everybody
#
# You have seen what CMA-ES is good for on paper. Does it learn better players, too? The contest again, on this board:
# twenty runs for each search, 3,000 games in all (ten for each candidate), and ten times as many. Cross-entropy, with
# independent weights and full, in several sizes; CMA-ES with its ten candidates and, as a control, with many. Each
# player is judged by 1,000 games that nobody has learned from.

# %%
stored_table("contest-tetris")               # made by: python tests/benchmarks/contest_figures.py tetris

# %% [markdown]
# With 3,000 games, *cross-entropy with independent weights learns as good players as CMA-ES*: 135 lines and 136 in the
# geometric mean of twenty runs, and the intervals overlap. (That is the better of two sizes that we tried.) The runs of
# CMA-ES scatter a little less. Cross-entropy with a full matrix is worse in every size that we tried. It has 36 numbers
# to estimate from one small elite, where independent weights have eight; CMA-ES has as many, but does not forget them
# after each iteration. With 30,000 games and a large elite, or with noise, the full matrix catches up with independent
# weights, and does not pass them. The ridge is there, you have seen it. But as far as twenty runs can show, no search
# on this board was held up by it.
#
# And one line is a warning. CMA-ES with its ten candidates for 300 iterations ends anywhere between 2 and 150 lines.
# What happens there? One of these runs, seed 5:

# %%
lost = tc.train(tc.CMAES(8, "boumaza", iterations=300, seed=5), ten_games, curve=0, progress=False).optimizer.history
for k in (50, 100, 200, 250, 300):
    print(f"iteration {k}: sigma {lost['sigma'][k - 1]:.3f}, candidates {np.mean(lost['mean'][k - 10:k]):3.0f} lines")

# %% [markdown]
# After 100 iterations it has found a good player and hardly steps any more. Then, within fifty iterations, the step
# size grows by a factor of hundreds, and all is forgotten. Ten games can no longer tell such close candidates apart, so
# the ranking is mostly luck. Is luck enough? The control from above, with a small first step:

# %%
ends = [by_luck(seed, iterations=200, start=goal, sigma=0.01) for seed in range(10)]
print(f"sigma 0.01 becomes {min(ends):.1g} to {max(ends):.1g}, in the median {np.median(ends):.1g}")

# %% [markdown]
# By luck alone the step size wanders over more than four powers of ten: mostly down, and now and then up, to where all
# is forgotten. That is enough to explain such an accident, though it does not prove that there was nothing else. With
# 100 candidates an iteration, no run of the table gets lost like that.
#
# So what remains of CMA-ES, in Tetris? Not better players, as far as this contest can see. It needs no settings: ten
# candidates, constants that follow from $n$, and a step size that mends a bad first guess. Where evaluations are few
# and a crowd is too dear, that is much. It should stop in time.
#
# ## Harder or smaller?
#
# With these eight features, good players clear some 35 million lines a game on 10x20 (the published record of players
# that see one piece is 51 million, with other features; chapter 15). At ten games for each of ten candidates in each of
# thirty iterations, that is a hundred billion lines. Two ways out have been tried. The *smaller* game: learn on 6x12,
# judge on 10x20. Or the *harder* one, Boumaza's proposal and our `harder`: the full board, but S and Z come with
# probability 3/11 each instead of 1/7. How much shorter do games get?

# %%
for name in ("harder", "6x12"):
    scores = tc.simulate(tc.PLAYERS["dn"], tc.RULES[name], 200, seed=1, progress=False)
    print(f"{name:7} {scores.mean:6,.0f} lines, {scores.pieces.mean():6,.0f} pieces a game")

# %% [markdown]
# Harder games are some twenty thousand times shorter than standard ones, and smaller games have another seventeen
# times fewer pieces. The cheaper game is the smaller one. But which one teaches more? Here are his tables 1 and 2,
# with what his protocol gives here: 20 runs of 50 iterations, 100 games for each candidate, the mean of 20 vectors,
# judged on 10x16 in 100 fresh games.

# %%
from tetriscourse.statistics import agree

for name, what in {"boumaza-d": "six features, harder", "boumaza-dn": "eight features, harder",
                   "boumaza-dn-6x12": "eight features, 6x12"}.items():
    one = tc.stored_result(name)["judged"][0]                  # made by: tetriscourse train NAME
    same = agree(float(one["published"].replace(",", "")), 0.2, one["mean"], 0.2)
    print(f"{what:22} published {one['published']:>8}, here {one['mean']:8,}:", "agree" if same else "do not agree")

# %% [markdown]
# On 10x16 all three agree, in the sense of chapter 05: the logarithm of the ratio is no larger than the two errors
# together, $\sqrt{e_1^2 + e_2^2}$. (The third, from the smaller game, only just: ours is weaker by a quarter.) Now
# the judgement that matters, 10x20, where games are long. We have 25 games of each player, played beforehand by
# `tests/benchmarks/learned_figures.py --standard`.
#
# | learned on | published, 10x20 | here, 25 games | 95 % |
# |---|---|---|---|
# | harder games | 36.3 M lines | 30.3 M lines | 21.2 to 46.9 M |
# | smaller games, 6x12 | 17 M lines | 28.5 M lines | 19.9 to 44.0 M |
#
# Do they agree?

# %%
for name, theirs, ours in (("harder", 36.3e6, 30.3e6), ("smaller", 17e6, 28.5e6)):
    print(f"{name:7} games:", "agree" if agree(theirs, 2 / np.sqrt(100), ours, 2 / np.sqrt(25)) else "do not agree")

# %% [markdown]
# The first line reproduces. The second does not (not by much, but it does not), and our two players cannot be told
# apart. "Harder beats smaller by a factor of two" was the point of table 2. With our runs, it is not seen. What
# remains is a softer argument: on 10x16 the harder game's player is ahead by a third, which 100 games each can only
# just see (the logarithm of the ratio is 0.284, the two errors together are 0.283). And a hard fact: whoever learns on
# 6x12 cannot use features that depend on the width of the board.
#
# What did the twenty runs learn? The boxes show their spread, vectors brought to length 1; the lines are our mean and
# the published player `dn`, which has the same features.

# %%
tc.plots.learned_weights(tc.stored_result("boumaza-dn"), others={"dn (Thiery and Scherrer)": tc.PLAYERS["dn"]})

# %% [markdown]
# This is his figure 13, on the right; on its left are the six features of Dellacherie:

# %%
tc.plots.learned_weights(tc.stored_result("boumaza-d"), others={"by hand (Dellacherie)": tc.PLAYERS["dellacherie"]})

# %% [markdown]
# Of the eight, column transitions, holes and rows with holes have wide boxes: three features
# that see the same accident, and a ridge between them. The others are much better determined. So a search with a round
# cloud would have to take the short step of *wells* and walk the long ridge of *holes* with it. (If it had to walk all
# of it. The contest above says that it need not: any good place on the ridge will do.)
#
# ## What a hundred games are for
#
# In all these runs each candidate plays 100 games, and 100 games are good for ± 20 %. Near the end of a run,
# candidates are much closer to each other than that. Does the search then select anything but luck? Take our learned
# mean, draw ten candidates around it, and let each play 1,500 games to know the truth. Then let them play ten games at
# a time, and count how many of the five best get one of the five places. By pure chance it would be 2.5.

# %%
from tetriscourse.simulator import play

def played(x, pieces, games=10, tries=80):
    """The scores of candidates: one row each, with columns of so many games."""
    many = tc.Objective("dn", board, games * tries, pieces=pieces)
    return many.scores(play(many.work(x, seed=11))).reshape(len(x), tries, games)

def places_found(scores, best):
    """How many of the five best get a place, on average over the tries."""
    chosen = np.argsort(-scores.mean(axis=2), axis=0)[:5]
    return np.isin(chosen, best).sum(axis=0).mean()

# %%
tables = {}
for sigma in (0.3, 0.1, 0.03):
    x = together / np.linalg.norm(together) + sigma * Draws(9, 3).normal((10, 8))
    best = np.argsort([-score(one, games=1500) for one in x])[:5]
    common, own = played(x, "common"), played(x, "own")
    tables[sigma] = own
    together_up = np.corrcoef(common.reshape(10, -1))[np.triu_indices(10, 1)].mean()
    print(f"sigma {sigma:4}: {places_found(common, best):.2f} with common pieces (their scores correlate by "
          f"{together_up:.2f}), {places_found(own, best):.2f} with pieces of one's own")

# %% [markdown]
# Two lessons. **First:** with a large step size ten games find nearly all of the best; with a small one hardly more
# than chance does. Early on, games are wasted on candidates whose place is clear. Later there are too few. Nobody can
# set one number of games that is right for the whole run.
#
# **Second**, a promise of chapter 05. Boumaza lets all candidates of an iteration play *the same pieces*, so that the
# ranking is fair. What is that worth? With a large step size, nothing at all: the candidates are different players,
# and their games part after a few dozen pieces. When candidates are cousins, at 0.03, their scores correlate by 0.12.
# That shrinks the variance of a difference by 12 %, as much as one game more for every seven would. A few more of the
# best are found, 2.9 in place of 2.6. It costs nothing, so use it, and expect little.
#
# ## Races
#
# If the number of games cannot be fixed, let it depend. After each round of games every candidate has a mean, and
# around the mean an interval. Whoever's interval lies clearly above enough others is *selected* and stops playing.
# Whoever's lies clearly below enough others is *discarded* and stops playing. The undecided play another round. With
# $\lambda$ candidates for $\mu$ places, it is enough to be above $\lambda - \mu$ others to be sure of a place, and
# enough to be below $\mu$ others to be sure of none. The race is over when all places are settled, or when a limit of
# rounds is reached; then the means decide. (And what an interval has once excluded stays excluded: bounds only ever
# tighten.)
#
# How wide must an interval be? Boumaza tries three answers. After $r$ games with mean $\bar X$ and standard deviation
# $s$, the half-widths are
#
# $$\text{Hoeffding: } R \sqrt{\frac{\ln (2 n_b / \delta)}{2r}}, \qquad \text{Bernstein: } s \sqrt{\frac{2 \ln (3 n_b
# / \delta)}{r}} + \frac{3 R \ln (3 n_b / \delta)}{r}, \qquad \text{Tetris: } \frac{2 \bar X}{\sqrt r}.$$
#
# Hoeffding's inequality holds for *any* law, if all scores lie in a range of length $R$. It allows for the most games
# that the race can have, $n_b$, and promises to be wrong in the whole race with probability $\delta$ at most.
# Bernstein's makes use of the standard deviation: better when scores vary little. The *Tetris bound* is your old
# friend from chapter 05: no range, no $n_b$, but exponential scores. (Exponential scores have no upper end, so
# strictly speaking there is no $R$. He fixed the range by experiment, and the first two promises are worth as much as
# that guess.)
#
# **Predict:** he takes scores to lie between 150 and 2,000, so $R = 1850$, and $\delta = 0.05$. Two candidates have
# true means of 1,500 and 1,000, with standard deviations as large as the means. How many games until each bound can
# tell them apart? The limit is 100.

# %%
from tetriscourse.optimizers.racing import BOUNDS, Estimates

def half_width(bound, mean, r, limit=100):
    """Of the interval of an exponential candidate after r games, in a race of ten."""
    return BOUNDS[bound](Estimates(mean, mean, r, n_b=10 * limit, delta=0.05, R=1850.0))

# %%
r = np.arange(1, 2001)
for bound in BOUNDS:
    low, high = half_width(bound, 1000.0, r), half_width(bound, 1500.0, r)
    print(f"{bound:9} tells 1,500 from 1,000 after {r[low + high < 500][0]:3} games; half-width of the lower one after "
          f"100: {low[99]:,.0f} lines; below R/2 after {r[low < 925][0]:3} games")

# %% [markdown]
# Within the limit of 100 games *none* of them can; the Tetris bound misses by one game.
#
# A half-width above $R/2$ is useless: two means inside a range of $R$ are at most $R$ apart, so two such
# intervals always overlap. Hoeffding's comes below it after 22 games, Bernstein's not within the limit. It is not
# their fault. They promise much (any law, all candidates, all rounds), they know little, and Tetris scores vary about
# as wildly as scores in such a range can. The Tetris bound knows the law. After 100 games it is half as wide as
# Hoeffding's, and a fifth of Bernstein's. But what does it promise? 95 % for *one* candidate, looked at *once*. A race
# looks at ten candidates after every game. We shall see.
#
# The limit itself moves from race to race. It starts at 3 games. A race that the limit ended undecided multiplies it
# by 1.5, up to 100; a decided one divides it by 1.5. Watch one (the panel begins with a limit of 50):
#
# **Try this.**
# 1. Press *Start* and look at the bars: who leaves first, the good or the bad? The area under *still play* is what
#    the race costs.
# 2. When it is over, tick *the true means*: was anybody wrongly sent home? Then choose *hoeffding*: the same scores,
#    other bars.
# 3. Tick *race after race*, let a dozen run as fast as possible, and read the status line: how many of the decided
#    races were wrong?

# %%
RacePanel("exponential scores", "tetris", seed=1, steps=12)

# %% [markdown]
# Now we count, on 60 races with made-up exponential scores, so that the truth is known: ten candidates with means from
# 1,900 down to 200, five places, at most 100 games each. And as a control: no race at all, but as few games *for
# everybody* as the Tetris race used on average.

# %%
truth = np.linspace(1900, 200, 10)
fields = [-truth * np.log(Draws(9, 100 + k).uniform((100, 10))) for k in range(60)]

# %%
def wrong(selected):
    """How many of five places went to one of the five worse candidates."""
    return np.sum(np.asarray(selected) >= 5)

def raced(games, bound):
    """The race on a table of scores, a row a round."""
    race = tc.Race(tc.RacingSettings(bound=bound), candidates=10, mu=5, limit=100)
    while race.wanted:
        race.add(race.wanted, games[race.rounds, race.wanted])
    return race

# %%
for bound in BOUNDS:
    races = [raced(games, bound) for games in fields]
    used = np.mean([race.evaluations for race in races])
    print(f"{bound:9} {used:5.0f} games, {np.mean([race.decided for race in races]):.0%} decided, "
          f"{np.mean([wrong(race.selected) for race in races]):.2f} places wrong")

# %%
for each in (100, round(used / 10)):
    found = np.mean([wrong(np.argsort(-games[:each].mean(axis=0))[:5]) for games in fields])
    print(f"no race   {10 * each:5} games, {each} each: {found:.2f} places wrong")

# %% [markdown]
# Hoeffding and Bernstein keep their promise by never deciding a race. The Tetris race saves seven tenths
# of the games, and pays with places. But look at the last line: *the same number of games, shared evenly, gets fewer
# places wrong than the race* on the same tables. How can that be, when the race spends its games where they are needed?
# Look at the good candidates that the Tetris races sent home: after how many games?

# %%
unlucky = [race.counts[i] for race in races for i in race.discarded if i < 5]
print(f"{len(unlucky)} good candidates sent home, half of them after at most {np.median(unlucky):.0f} games")

# %% [markdown]
# The bound $2 \bar X / \sqrt r$ is narrow where the mean is low. A good candidate that begins with a few poor games
# has a low mean, hence a narrow interval, hence looks surely bad, and is sent home. It never gets the games that would
# clear its name. Looking after every game multiplies the chances for such an accident, and bounds that only ever
# tighten make each of them final. A bound that is right once is not right a hundred times.
#
# ### His races, our races
#
# Does learning mind? He races in games still harder than those of his tables: S and Z come "four times more frequently
# than in the standard game". To the letter that cannot be, since twice four sevenths is more than 1. We read it as four
# times as often as each other piece, $4/13$ each, and call that game `hardest`. There, is his range right, 150 to 2,000
# lines? We let the published DN play.

# %%
stored_table("racing-range")                 # made by: python tests/benchmarks/racing_figures.py

# %% [markdown]
# In the hardest game 0.35 % of the games leave the range at its upper end. In the game of his tables (3/11) it would be
# 32 %: the range was made for 4/13, and the two settings of the paper fit together. (The lower end is another
# matter. A fifth of DN's games end below 150, and those of a beginner all do.)
#
# Here are his figures 7 and 8 from our runs: 25 iterations, random start, 50 runs for each bound. On the left, the
# share of the games allowed by the limit that were played; on the right, what they bought. Thin lines are runs, thick
# ones medians.

# %%
raced_runs = {name: tc.stored_result(f"boumaza-race-{name}") for name in ("off", "hoeffding", "tetris")}
tc.plots.race_evaluations(raced_runs)                          # made by: tetriscourse train boumaza-race-NAME

# %%
def decided(runs):
    """The share of decided races: the limit falls after one."""
    limits = np.array([run["log"]["race_limit"] for run in runs])
    return f"{np.mean(limits[:, 1:] < limits[:, :-1]):.0%} of races decided"

def summary(name):
    """Games, decided races and fitness of the runs of an experiment."""
    runs = tc.stored_result(f"boumaza-race-{name}")["runs"]
    games = np.mean([run["games"] for run in runs])
    low, curve, high = np.quantile([np.mean(run["log"]["curve"][-10:]) for run in runs], (0.25, 0.5, 0.75))
    races = decided(runs) if "race_limit" in runs[0]["log"] else "no races"
    print(f"{name:16} {games:6,.0f} games a run, {races:20}: {curve:5,.0f} lines ({low:,.0f} to {high:,.0f})")

# %%
for name in ("off", "hoeffding", "bernstein", "tetris"):
    summary(name)

# %% [markdown]
# (The lines are those of the favourite over the last ten iterations: the median run, and the middle half of the runs.)
# All four reach the same fitness, or nearly: the medians differ by 3 %, the runs of one and the same kind by much more.
# That is his main result, and it stands: *the same learned for fewer games*. But who saves? In his figure 7, Hoeffding
# bounds are cheapest, then Tetris, then Bernstein, which gain nothing. Here Tetris bounds save 58 %, Hoeffding's and
# Bernstein's 27 % each, and those two not by racing: *not one* of their 2,500 races ended before the limit. Their runs
# are the same to the last bit. Reckon what the limit alone costs:

# %%
limit, games = 3.0, 0
for _ in range(25):
    games += 10 * int(limit)
    limit = min(1.5 * limit, 100)
print(f"{games:,} games")

# %% [markdown]
# To the game what both cost. These races save nothing. The *ramp* of the limit does, because cheap early iterations are
# good enough. (He says so himself of Bernstein.) And Hoeffding's bound *cannot* do better here. After 100 games its
# half-width is 426 lines; two candidates have to differ by 852 to be told apart, and the best that there are have means
# of some 400. So either his $R$ was not 1,850, or his intervals were narrower than the printed ones. What would $R$
# have to be? We tried, 20 runs each ([results](results.ipynb) has the table): a sixteenth of it, 116 lines. Then the
# races of Hoeffding's bound look as in his figures, and cost fewer games than those of the Tetris bound. Of course such
# a bound promises nothing any more: scores leave so short a range all the time. It works all the same, at 385 lines
# against 395, less than the runs of one kind differ. Whether he raced like that, we do not know.
#
# And the Tetris bounds? In his figure 8 their races save games at first, and towards the end play all that the limit
# allows. Ours go the same way, though not quite so far:

# %%
for odds, name in {"4/13": "boumaza-race-tetris", "3/11": "boumaza-race-tetris-harder"}.items():
    races = [run["log"] for run in tc.stored_result(name)["runs"]]
    share = np.median([race["race_share"] for race in races], axis=0)
    last = np.mean(np.array([race["race_limit"][-5:] for race in races]) == 100)
    print(f"{odds}: share {share.min():.0%} at its lowest, {share[-1]:.0%} in the last iteration; "
          f"the limit is 100 in {last:.0%} of the last five races")

# %% [markdown]
# (The share is that of the median race.) In the hardest game the limit rises to 100 and stays there, and the share
# comes back. In the game of his tables, 3/11, where scores are four times as high, the limit comes and goes, and the
# share stays between a half and two thirds. So this figure of his depends on the game, and it comes out in the game of
# its section. In that other game, too, all four bounds end at the same fitness, and in the same order of cost
# ([results](results.ipynb)).
#
# ### The control
#
# No race and no ramp, but the same number of games for everybody, from the first iteration to the last: 42, which makes
# 10,500 games in all, as many as the Tetris races play; 73, as many as Hoeffding's; and fewer.

# %%
for games in (73, 42, 28, 10):
    summary(f"off-{games}")

# %% [markdown]
# *The same fitness once more, for the same games, without any race.* After what you saw on paper, that is no surprise.
# Even 28 games do. Only with ten, 5 % of the lines are lost (2 to 8 %, the 95 % interval of the ratio of the means). So
# a hundred games each were simply too many for this search, which ranks only, and mends in the next iteration what it
# got wrong in this one. What a race buys is that nobody has to know the "28" beforehand.
#
# > **In the paper.** Boumaza 2013, section 5.2 has the rules (equations 3 to 7, after Heidrich-Meisner and Igel),
# > section 5.3 the settings and the odds of S and Z, figures 7 to 9 the races. Section 5.1 and table 2, where the
# > players are learned, have the other game, 3/11 each.
#
# Two more of his figures do not come out: with *larger populations* (figure 9) Hoeffding races do not get cheaper here,
# and with *less confidence* (figure 12) they do not stop earlier. The [results](results.ipynb) have the runs.
#
# ### Ask the ranking
#
# A race has a rival, which asks for less. A race wants to be *sure who is best*. But CMA-ES needs only a ranking that
# is not all luck. Then let a few of the ten play again, as many *other* games, and see how far they move in the
# ranking: that is **uncertainty handling** (UH-CMA-ES; Hansen and others 2009). Rank all scores together, old and new.
# Whoever played twice has two ranks, and $|\Delta|$ is the number of scores between them. How large a $\Delta$ is fine
# depends on the rank, since there is more room for changes at an end than in the middle: $\Delta_\theta$ is a low
# quantile of the changes that could come about ($\theta$ of its lower half). Then
#
# $$s = \text{mean of } \left( 2\, |\Delta| - \Delta_\theta(\text{old}) - \Delta_\theta(\text{new}) \right).$$
#
# Above 0, too much has changed: from now on everybody plays 1.5 times as many games. Below, 1.5 times fewer. No law of
# the scores is supposed, no range, no confidence. Here is $s$ for the candidates of *What a hundred games are for*,
# three of whom play ten games twice:

# %%
from tetriscourse.optimizers.uncertainty import measured

for sigma, scores in tables.items():
    means = scores.mean(axis=2).T                              # a row for each ten games
    for theta in (0.2, 0.5):
        pairs = pairwise(means)
        s = np.array([measured(old, np.append(new[:3], old[3:]), np.arange(3), theta) for old, new in pairs])
        print(f"sigma {sigma:4}, theta {theta}: s is {s.mean():5.1f} on average, above 0 in {np.mean(s > 0):.0%}")

# %% [markdown]
# It sees what we saw: the closer the candidates, the larger $s$. But one measurement with three candidates is noisy
# itself, and with $\theta = 0.2$, the authors' value, it calls for more games nearly always once the search is near its
# goal. Does it learn more from the same games? Three ways to choose their number, 10,500 in all for each, as races with
# Tetris bounds play in 25 iterations; and first on paper, where the truth is known: scores are exponential, and their
# mean is 1,000 at the top.

# %%
stored_table("uncertainty-hill")             # made by: python tests/benchmarks/uncertainty_figures.py hill

# %%
stored_table("uncertainty-tetris")           # made by: python tests/benchmarks/uncertainty_figures.py tetris

# %% [markdown]
# On paper, uncertainty handling with $\theta = 0.2$ misses more of the top than ten games for everybody.
# Scores are so noisy that *no* number of games that one can pay for gives the ranking it asks for. So the games rise to
# the limit within a dozen iterations, and there are 20 iterations where ten games each have 105. With $\theta = 0.5$,
# which is pycma's value, it does as well as races, and as well as a good fixed number. In Tetris all do, but for those
# who play 100 games each and have only eleven iterations: from 414 lines with ten games to 434 with $\theta = 0.5$. As
# the only pair they would count, since their intervals just touch; as the widest apart of 21 they do not, so we make
# nothing of it.
#
# Neither races nor their rival found better players, then, than a fixed number that was chosen well. What they buy is
# that nobody has to choose it. But they come with numbers of their own, $R$ and $\delta$ or $\theta$, and a bad one
# costs as much as a bad number of games.
#
# > **In the paper.** Boumaza 2013, section 4.2.2, names UH-CMA-ES, with reference 13, and says that it widens the cloud
# > when ranks change; he does not try it. (It does so only where no more games are allowed. The last row has that, too.
# > We know the original's values from comments in pycma.)
#
# ## What you have learned
#
# - A search needs three things to know: where ($m$), how far ($\sigma$), in which directions ($C$). CMA-ES learns
#   all three from the ranking of a handful of candidates.
# - The rank-one update makes good steps likelier. Measured from the old mean, it stretches where progress is; around
#   the new mean, a cloud would collapse.
# - A path is long when steps agree and short when they cancel. Compared with chance, it sets the step size.
# - Rank-mu and the mean follow a natural gradient: its direction does not depend on the units of the weights. Crowds
#   and restarts are for hills with many summits.
# - If length means nothing, right angles lead outward. Normalise, and the step size has only one thing to say.
# - Make games harder rather than wait; average runs rather than pick the best.
# - To climb a turned hill, a search needs a full covariance matrix. Cross-entropy can have one, too, if its elite is
#   large. CMA-ES can do with ten candidates, because it remembers. In Tetris, neither gained anything by it.
# - Races spend games where the ranking is in doubt. A bound that promises much decides nothing; a bound that is used
#   after every game promises little. Uncertainty handling asks the ranking itself. Always play the control: the same
#   games, shared evenly.
# - Of his results, the main ones come out: the players of table 1, a step size that falls once vectors are normalised,
#   the same fitness for fewer games, Tetris races that come back towards the limit, in the game of their section.
#   Others do not: a better score by normalisation, growing step sizes, smaller against harder; and of races that
#   Hoeffding's are cheapest, get cheaper with many candidates and end earlier with less confidence.
#
# ## Where to go next
#
# - The [exercises](../exercises/09_cma_es.ipynb): write the rank-one update, the step size and a race of your own,
#   then learn the best player that 3,000 games can buy, and prove what luck does to a step size.
# - [Chapter 10](10_bellman.ipynb) asks a different question: what is the best play worth, exactly? There you will meet
#   a last figure of Boumaza's, 13.84 lines on 5x5, which seems to be from another game than it is compared with.
# - Chapter 14 comes back to the natural gradient, for policies.
