# %% [markdown]
# # Exercises 12: deep Q-learning
#
# You will write the parts of the [lecture](../notebooks/12_deep_q.ipynb) yourself: a network forwards and backwards,
# the check that tells whether backwards is right, the memory, the targets. Then you build a network by hand that plays
# Tetris without having learned anything, prove when values run away, and plan an experiment with four repairs.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
from itertools import pairwise, product

import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.course.checks.chapter_12 import Runs
from tetriscourse.random_numbers import Draws
from tetriscourse.mdp.deep_q.network import Network

# %% [markdown]
# ## 12.1 Forwards
#
# The lecture has the parameters of a network as pairs $(W, b)$. A learner likes them better in *one row*, `theta`: the
# descent moves them all alike, and copying a network is copying an array. They stand layer by layer, $W$ before $b$,
# and $W$ row by row: for `sizes=(2, 3, 1)`, two inputs, three hidden units and one output, these are $2 \cdot 3 + 3 + 3
# \cdot 1 + 1 = 13$ numbers. Write `forward(x, theta, sizes)` for any number of layers. Every row of `x` is one input;
# hidden layers are rectified, the last one is left as it is.
#
# Then use it without any learning. Two hidden units make an absolute value, as you have seen. What do three make? Find
# a `theta` for `sizes=(2, 3, 1)`, a list of 13 numbers called `larger`, whose output is *the larger of the two inputs*,
# whatever they are. The first half is worth a point without the second.

# %%
def forward(x, theta, sizes):
    """The outputs of a network whose parameters stand in a row, a row for each row of x."""
    ### BEGIN SOLUTION
    start = 0
    for n, m in pairwise(sizes):
        W = theta[start : start + n * m].reshape(n, m)
        b = theta[start + n * m : start + n * m + m]
        start += n * m + m
        x = x @ W + b
        if start < len(theta):
            x = np.maximum(0, x)
    return x
    ### END SOLUTION

# %%
larger = [0] * 13  # 13 numbers of your own
### BEGIN SOLUTION
larger = [1, 0, 0,  -1, 1, -1,   0, 0, 0,   1, 1, -1,   0]  # a - b if it is positive, and b as its two halves
### END SOLUTION

# %%
print(forward(np.array([[-3.0], [2.0]]), np.array([1.0, -1, 0, 0, 1, 1, 0]), (1, 2, 1)))
print(forward(np.array([[3.0, 5.0], [-1.0, -4.0]]), np.array(larger, float), (2, 3, 1)))

# %%
check("12.1")

# %% [markdown]
# ## 12.2 A memory with a fixed number of places
#
# Complete the two methods of `Memory`. `add` stores an experience (here it may be anything, say a number). When all
# places are taken, it takes the place of the *oldest* one. `sample` returns a list of `size` experiences, each drawn
# from all that are held, whatever was drawn before; so one of them may appear twice. `draws.below(n, size)` gives
# `size` whole numbers from 0 to `n - 1`.

# %%
class Memory:
    """The last experiences, as many as there are places."""

    def __init__(self, places):
        self.places = places
        self.held = []       # what is stored
        self.count = 0       # how many experiences were added so far, overwritten ones too

    def add(self, experience):
        """Store an experience."""
        ### BEGIN SOLUTION
        if len(self.held) < self.places:
            self.held.append(experience)
        else:
            self.held[self.count % self.places] = experience
        self.count += 1
        ### END SOLUTION

    def sample(self, size, draws):
        """So many experiences, each drawn from all that are held."""
        ### BEGIN SOLUTION
        return [self.held[j] for j in draws.below(len(self.held), size)]
        ### END SOLUTION

# %%
memory = Memory(3)
for number in range(5):
    memory.add(number)
print(memory.sample(10, Draws(1, 0)))

# %%
check("12.2")

# %% [markdown]
# ## 12.3 The targets of a minibatch
#
# A minibatch has $n$ experiences. Of each we know the reward `r[j]`; the values `q[j]` that the second network gives
# to all actions in the state after it; `allowed[j]`, which says for each of these actions whether it may be taken;
# and `final[j]`, whether the game is over in that state. Write `targets(r, q, allowed, final, gamma)`, which returns
# the $n$ targets $y_j = r_j + \gamma \max Q$ as an array. Only allowed actions count. In a final state *no* action is
# allowed, and the target is the reward alone.

# %%
def targets(r, q, allowed, final, gamma):
    """What the network should say of each experience."""
    ### BEGIN SOLUTION
    best = np.where(allowed, q, -np.inf).max(axis=1)
    return r + gamma * np.where(final, 0, best)
    ### END SOLUTION

# %%
print(targets(r=np.array([1.0, 1.0]), q=np.array([[5.0, 9.0], [5.0, 9.0]]),
              allowed=np.array([[True, False], [False, False]]), final=np.array([False, True]), gamma=0.9))

# %%
check("12.3")

# %% [markdown]
# ## 12.4 Do not believe a gradient
#
# Write `numerical_gradient(f, theta, h=1e-5)`: the slope of the function `f` by each of its parameters, found by
# trying a little more and a little less of it, all others unchanged. `f` takes an array such as `theta` and returns a
# number. The result is an array of the length of `theta`, and `theta` itself must be afterwards what it was before.

# %%
def numerical_gradient(f, theta, h=1e-5):
    """The slopes of f at theta, by trying."""
    ### BEGIN SOLUTION
    steps = h * np.eye(len(theta))
    return np.array([(f(theta + step) - f(theta - step)) / (2 * h) for step in steps])
    ### END SOLUTION

# %%
print(numerical_gradient(lambda theta: theta[0] ** 2 * theta[1], np.array([3.0, 2.0])))

# %%
check("12.4")

# %% [markdown]
# ## 12.5 Backwards
#
# Now the gradient itself, for a network with one hidden layer and a single output, and for the mean squared error
# over the $n$ rows:
#
# $$x_1 = \max(0,\; xW + b), \qquad \hat y = x_1 V + c, \qquad \text{loss} = \frac1n \sum_j (\hat y_j - y_j)^2$$
#
# Write `gradients(x, y, W, b, V, c)`, which returns the four slopes `dW, db, dV, dc`, each of the shape of what it
# belongs to. With $k$ inputs and $m$ hidden units, `x` is $n \times k$, `y` is $n \times 1$, `W` is $k \times m$, `b`
# has $m$ numbers, `V` is $m \times 1$ and `c` has one. Begin with the slopes by the outputs, and go back from there.
# Your `numerical_gradient` tells you, for any of the four, whether you are right.

# %%
def gradients(x, y, W, b, V, c):
    """The slopes of the mean squared error by W, b, V and c."""
    ### BEGIN SOLUTION
    hidden = np.maximum(0, x @ W + b)
    dy = 2 * (hidden @ V + c - y) / len(x)
    dz = dy @ V.T * (hidden > 0)
    return x.T @ dz, dz.sum(axis=0), hidden.T @ dy, dy.sum(axis=0)
    ### END SOLUTION

# %%
x, y = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[1.0], [0.0]])
W, b, V, c = np.array([[1.0, -1.0, 0.5], [0.5, 1.0, -2.0]]), np.zeros(3), np.ones((3, 1)), np.zeros(1)
found = gradients(x, y, W, b, V, c)
if found is not None:
    print(*found, sep="\n")

# %%
check("12.5")

# %% [markdown]
# ## 12.6 A network that never learned (open)
#
# Here is a challenge for your hands. A network sees the ten *column heights* of the board after a move, nothing else,
# and its output is the value of the move. With a single layer, minus the sum of the heights, it clears about 9 lines
# a game on 10 columns and 10 rows. Find a network that clears at least 40. How is up to you: weights that you write
# down (chapter 04 says what is worth seeing, and the lecture shows what two hidden units can do), a machine that
# searches for them, or `tc.DeepQ(tc.MoveValues(board, ["column_heights"]), ...)`.
#
# `Network((10, m, 1), seed=None)` has one layer of `m` hidden units and all weights 0. `(W, b), (V, c) =
# network.layers` are its weights: change them in place, as in `W[0, 3] = 1`.

# %%
board = tc.Rules(height=10)
network = ...  # replace the dots: a Network with 10 inputs and 1 output
### BEGIN SOLUTION
network = Network((10, 19, 1), seed=None)
(W, b), (V, c) = network.layers
for k in range(9):  # a pair of hidden units for each step between two columns: one up, one down
    W[[k, k + 1], 2 * k] = 1, -1
    W[[k, k + 1], 2 * k + 1] = -1, 1
W[:, 18] = 1  # and one for the sum of the heights, which is never negative
V[:18], V[18] = -1, -5
### END SOLUTION

# %%
if isinstance(network, Network):
    player = tc.MoveValues(board, ["column_heights"]).player(network, "my network")
    print(tc.simulate(player, tc.Rules(height=10, max_pieces=5000), games=100, seed=7, progress=False))

# %% [markdown]
# And a few sentences, as a text between three quotation marks: how did you find it, what do your hidden units see,
# and would a machine that starts from random weights have found it? (The check only looks whether you have written
# something; a teacher reads what.)

# %%
found_how = ...  # replace the dots by a text between three quotation marks
### BEGIN SOLUTION
found_how = """
By hand. Eighteen units in nine pairs see the steps between neighbouring columns, one unit of a pair when it goes up
and the other when it goes down; their sum is the bumpiness. The last unit sees the sum of the heights. By chapter
04 that sum is the holes less ten times the rows cleared, up to a constant, so a price of five on it punishes holes
and rewards rows, although the network sees neither. I doubt that a machine would have found it from random weights:
they lose before they clear many rows, so there is little reward to learn from. The weights exist, but random play
gives no hint where. I could find them because chapter 04 told me what to see.
"""
### END SOLUTION

# %%
check("12.6")

# %% [markdown]
# ## 12.7 When values run away
#
# The corridor of the lecture is too rich for a proof; here is the smallest world with the same trouble. There are two
# rooms, $A$ and $B$. From $A$ one always gets to $B$, from $B$ always out, and *no step is paid anything*: all true
# values are 0. The values are told by a single parameter, which both rooms share: $V_\theta(A) = \theta$, $V_\theta(B)
# = 2\theta$. We begin with some $\theta_0 > 0$ and go down the slope of the squared error $(V_\theta(s) - y)^2$ with a
# step size $\alpha$, where the target $y$ is treated as a given number, as in `descend`; $0 < \gamma \le 1$.
#
# (The example is after one of Tsitsiklis and Van Roy, 1996.) Prove:
#
# 1. Learn from the step $A \to B$ alone, again and again, with one network (it gives the targets as well). Then
#    $\theta$ grows beyond all bounds if $\gamma > 1/2$, *however small* $\alpha > 0$ is, and goes to 0 if $\gamma <
#    1/2$ and $\alpha$ is small enough. How small?
# 2. Take a second network, refreshed every $K$ steps, and $0 < \alpha < 1/2$. From one refreshing to the next $\theta$
#    is multiplied by a fixed factor; find it. Conclude that for $\gamma > 1/2$ the second network is a brake and not a
#    cure: $\theta$ still grows beyond all bounds, but between two refreshings never by a factor of more than $2\gamma$,
#    whatever $K$ is.
# 3. Learn from both steps, $A \to B$ and $B \to$ out, with one network and the mean of the two squared errors. Now
#    $\theta$ goes to 0 for every $\gamma \le 1$, if $\alpha < 2/5$. Which of the things that came together in 1 has
#    been taken away?

# %% [markdown] answer="12.7"
# **1.** The slope of $(\theta - y)^2$ by $\theta$, with $y$ given, is $2(\theta - y)$, and the target is $y = 0 +
# \gamma V_\theta(B) = 2\gamma\theta$. So one step is
#
# $$\theta \leftarrow \theta - 2\alpha(\theta - 2\gamma\theta) = \bigl(1 + 2\alpha(2\gamma - 1)\bigr)\,\theta,$$
#
# and $\theta_t = (1 + 2\alpha(2\gamma - 1))^t\,\theta_0$. If $\gamma > 1/2$, the factor is greater than 1 for every
# $\alpha > 0$, and its powers grow beyond all bounds. If $\gamma < 1/2$, it is less than 1, and the powers go to 0 if
# it is greater than $-1$: if $2\alpha(1 - 2\gamma) < 2$, that is, $\alpha < 1/(1 - 2\gamma)$.
#
# **2.** Let $\bar\theta$ be the parameter of the second network. The target $y = 2\gamma\bar\theta$ stands still for
# $K$ steps, and each of them makes the distance from it smaller by the same factor: $\theta - y \leftarrow (1 -
# 2\alpha)(\theta - y)$. It begins with $\theta = \bar\theta$. After $K$ steps
#
# $$\theta = y + (1 - 2\alpha)^K(\bar\theta - y) = \bigl(2\gamma + (1 - 2\gamma)\,q\bigr)\,\bar\theta, \qquad q =
# (1 - 2\alpha)^K,$$
#
# where $0 < q < 1$. The factor is $2\gamma(1 - q) + 1 \cdot q$, a weighted mean of $2\gamma$ and 1. If $\gamma > 1/2$,
# it lies strictly between 1 and $2\gamma$. It is the same after every refreshing, so its powers grow beyond all bounds;
# but no block of $K$ steps multiplies $\theta$ by more than $2\gamma$. With one network the factor of $K$ steps is $(1
# + 2\alpha(2\gamma - 1))^K$, which grows beyond all bounds with $K$. The second network makes the growth slower, and
# nothing else.
#
# **3.** The slopes of the two squared errors, with given targets $2\gamma\theta$ and 0, are $2(\theta - 2\gamma\theta)$
# and $2(2\theta - 0) \cdot 2 = 8\theta$ (the inner derivative of $2\theta$ is 2). Their mean is $(1 - 2\gamma)\theta +
# 4\theta = (5 - 2\gamma)\theta$, so a step multiplies $\theta$ by $1 - \alpha(5 - 2\gamma)$. For $0 < \gamma \le 1$ we
# have $3 \le 5 - 2\gamma < 5$; with $0 < \alpha < 2/5$ the product is between 0 and 2, the factor between $-1$ and 1,
# and $\theta$ goes to 0.
#
# In 1 three things come together: the target is the learner's own word (*bootstrapping*), the two rooms share a
# parameter (*approximation*), and it learns from one step only, not from those that its way through the world would
# give it (*off-policy* learning, or a memory that has lost something). The first two are still there in 3. What is
# taken away is the third: the step out of $B$ is learned as well, and it pulls the value of $B$ down harder than the
# other step pushes it up.

# %% [markdown]
# ## 12.8 Four repairs, 48 runs
#
# A learner comes with four repairs, each of which can be on or off: sixteen learners. You may make **48 runs** in all,
# and then have to say which of the sixteen is best on average. `run(repairs, seed)` makes a run and returns its lines a
# game, as in `run((True, False, False, True), 7)`; the 49th is refused, and `run.left` says how many are left. What is
# known:
#
# - A repair may help, do harm, or do the one beside some other repair and the other without it.
# - Runs scatter widely, and lines are *multiplied* by luck, good or bad. A seed decides the pieces and the first
#   weights: it is kind or unkind to all learners that have it. Each run has some luck of its own besides.
# - The same repairs with the same seed give the same run.
#
# Design the experiment: write `best_repairs(run)`, which returns the four booleans of the learner that you would
# recommend. The check lets it do two hundred experiments, with other truths each time, and counts how often the best
# learner is found: in a third of them for the first point, in 70 % for the second, in 88 % for the third. (The
# experiments are made up by a formula, so that the check takes seconds. A design is tested best where the truth is
# known.)

# %%
def best_repairs(run):
    """The four repairs, on or off, of the best learner, from 48 runs at most."""
    ### BEGIN SOLUTION
    def mean(repairs):  # the same three seeds for all; of logarithms, since luck multiplies
        return np.mean([np.log(run(repairs, seed)) for seed in range(3)])

    return max(product((False, True), repeat=4), key=mean)
    ### END SOLUTION

# %%
experiment = Runs(number=1)
print("recommended:", best_repairs(experiment), "best:", experiment.best(), "runs left:", experiment.left)

# %%
check("12.8")
