# %% [markdown]
# # 12 Deep Q-learning
#
# A table has no imagination. Show it a board that differs by one cell from ten thousand boards it knows, and it
# shrugs: never seen, no opinion. You would say "looks like that other one, so probably bad". In 2019 Muller and
# Ponton ended the theory of their report, chapter 9, with one page of an algorithm that would give the table this gift,
# by putting a *neural network* in its place. They never ran it; the report's last words are "To be continued...". So
# let us continue. At the end we shall ask a question that is asked too seldom: was it worth it?
#
# **You will learn**
# - to read a neural network line by line: forwards, backwards, downhill, with nothing but numpy
# - to check a gradient, so that you need not believe it
# - what a replay memory and a second network are for, by seeing what happens without them
# - the algorithm on the last page of the report's chapter 9, with four slips of the pen mended
# - why it may be wiser to value boards than moves, and why a dice roll in the game needs care
# - how far it gets with dominoes and with Tetris, beside searches that were given as many moves
#
# **You need** [chapter 04](04_evaluation.ipynb), players that weigh features, and [chapter
# 05](05_comparing_players.ipynb), intervals. From chapters 10 (Bellman) and 11 (Q-learning) you should know what
# $Q(s, a)$ is; the little that is needed is said again.
#
# **Time** about {{minutes}} minutes, in two evenings: the network, the algorithm and the dominoes; then, from *The
# second evening* on, Tetris.

# %%
import inspect
from dataclasses import fields, replace

import matplotlib.pyplot as plt
import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.random_numbers import Draws
from tetriscourse.mdp.deep_q.learner import DEEP_Q
from tetriscourse.mdp.deep_q.network import Adam, Network, huber
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.widgets import DeepQPanel

# %% [markdown]
# ## Where the table ends
#
# In short, what the chapters before this one built. A learner is in a *state* $s$, takes an *action* $a$, is paid a
# *reward* $r$ and finds itself in a new state $s'$. $Q(s, a)$ is what it may expect to earn from then on, where a
# reward that comes a step later counts only $\gamma$ times as much (*gamma*, a little below 1). Whoever knows $Q$
# plays well by taking the action of highest $Q$. Bellman's equation gives one entry of $Q$ from others:
#
# $$Q(s, a) = r + \gamma \max_{a'} Q(s', a'), \qquad \text{and just } r \text{ if the game is over in } s'.$$
#
# This is the form for a game without chance, such as the first two of this chapter. Where a piece is drawn, the same
# action may lead to several $s'$, and what stands on the right is a mean over them, written $\mathbb{E}$ for *expected
# value*: $Q(s, a) = \mathbb{E}\,[\,r + \gamma \max_{a'} Q(s', a')\,]$. We shall need it when we come to Tetris.
#
# A table with a row for each state can be filled by it, as long as there is room for the table. TetrisBot's grid has
# 10 columns and 22 rows, and each cell is full or empty:

# %%
print(f"{2**220:.1e} grids")

# %% [markdown]
# Nobody will ever visit more than a speck of these. So we want a *function* in place of the table: it takes a
# description of the state, returns a value for each action, and has some numbers inside, its *parameters* $\theta$
# (theta), that can be adjusted. It must answer for states that it has never met. That is its whole charm, and, as we
# shall see, its danger.
#
# > **In the paper.** Muller and Ponton 2019, chapter 9 (pages 51 to 54), write $Q_\theta(s, a)$ for the value that a
# > neural network (*réseau de neurones*) with weights $\theta$ gives to an action. The count of $1.7 \cdot 10^{66}$
# > states is theirs, from section 4.1 of chapter 8.
#
# ## Ten rooms in a row
#
# We need a world so small that we know the truth. Here it is: a corridor of ten rooms. A step goes left or right. At
# the left end there is a wall; whoever steps out at the right end is paid 1, and the game is over. There are 20 pairs
# of a room and an action, few enough to list them all:

# %%
rooms, gamma = 10, 0.9
s, a = np.divmod(np.arange(2 * rooms), 2)               # every room with every action: 0 is left, 1 is right
final = s + 2 * a - 1 == rooms                          # this step leads out
r, following = 1.0 * final, np.clip(s + 2 * a - 1, 0, rooms - 1)

# %% [markdown]
# The true values, by Bellman's equation again and again, as in chapter 10:

# %%
true = np.zeros((rooms, 2))
for _ in range(100):
    true = (r + gamma * np.where(final, 0, true.max(axis=1)[following])).reshape(rooms, 2)
print("going right:", true[:, 1].round(2))

# %% [markdown]
# The last room is worth 1, the one before it 0.9, then 0.81, and so on. Nothing is ever worth more than 1. Keep that
# in mind.
#
# ## A network, line by line
#
# A *layer* is a table of weights $W$ and a list of offsets $b$. It turns a row of numbers $x$ into another one, $z =
# xW + b$. So each number of $z$ is a weighted sum of the inputs, as a player of chapter 04 makes one. A sum of sums
# is a sum again, so two layers in a row would be no better than one. The trick is to bend the numbers in between:
# what is negative becomes 0. This is called *rectifying*, and it is all the biology there is.
#
# $$x_1 = \max(0,\; x_0 W_1 + b_1), \qquad y = x_1 W_2 + b_2$$
#
# A number of $x_1$ is called a *hidden unit*. What can be done with so little? **Guess** what this network of two
# hidden units and no learning computes:

# %%
W, b, V, c = np.array([[1, -1]]), 0, np.array([[1], [1]]), 0
numbers = np.array([[-3], [-1], [0], [2]])
(np.maximum(0, numbers @ W + b) @ V + c).ravel()

# %% [markdown]
# The absolute value, which no weighted sum can give. One unit looks after positive numbers, one after negative ones.
# Nine such pairs make *bumpiness* out of ten column heights. Hidden units are features that nobody had to invent (if
# somebody finds the weights).
#
# Note that `numbers` has four rows, and all four went through at once: every row of $x$ is one input. Such a stack of
# inputs is a *minibatch*. The library's `Network` is the same thing with as many layers as you like. For the corridor
# we take one input, the position between -1 and 1, two hidden layers of 32 units, and two outputs, a value for each
# action. Its weights are random at first.

# %%
x = np.linspace(-1, 1, rooms)[:, None]
net = Network((1, 32, 32, 2), seed=0)
(W, b), (V, c), (U, d) = net.layers
by_hand = np.maximum(0, np.maximum(0, x @ W + b) @ V + c) @ U + d
print(net, "as by hand:", np.allclose(by_hand, net(x)))

# %% [markdown]
# ## Downhill
#
# Suppose for a moment that someone tells us the true values. The *loss* is the mean of the squared errors, a single
# number that depends on 1,186 parameters. To make it smaller, we ask of each parameter: if I turn this one up a
# little, does the loss rise or fall, and how fast? These 1,186 slopes together are the *gradient*. One slope can be
# had by trying:
#
# $$\frac{\partial\,\text{loss}}{\partial \theta_i} \approx \frac{\text{loss}(\theta_i + h) - \text{loss}(\theta_i -
# h)}{2h}$$

# %%
probe = net.copy()

def loss(theta):
    """The mean squared error of the network with these parameters."""
    probe.theta[:] = theta
    return np.mean((probe(x) - true) ** 2)

def slope(theta, i, h=1e-5):
    """How fast the loss rises with parameter i, by trying."""
    step = h * (np.arange(len(theta)) == i)
    return (loss(theta + step) - loss(theta - step)) / (2 * h)

# %%
print(f"loss {loss(net.theta):.3f}, slope of parameter 1185: {slope(net.theta, 1185):.4f}")

# %% [markdown]
# It works, and it is hopeless: two passes through the network for each parameter, for a single step. The chain rule
# of calculus gives all slopes in *one* pass, from the last layer back to the first. This is `Network.backward`, every
# line of it. It begins with `dy`, the slopes by the outputs, and keeps one question for each layer: if the loss rises
# so fast with what comes *out*, how fast does it rise with the weights, the offsets, and what goes *in*?

# %%
print(inspect.getsource(Network.backward))

# %% [markdown]
# Read it once from `for` to `return`. A weight multiplies its input, so its slope is the input times the slope by the
# sum: `x.T` times `dy`. An offset is simply added: its slope is that of the sum, over all rows. What goes in reaches
# the sums through the weights, so the slope travels back through `W.T`, and it gets through only where the unit was
# not cut off at 0: `(x > 0)`. (`product` is a product of matrices.)
#
# Is every line right? Nobody should believe a gradient. The method that was too slow for learning is just right for
# checking: all 1,186 slopes, both ways.

# %%
gradient = net.backward(2 * (net.forward(x) - true) / true.size)

def worst(h, every=1):
    """The largest difference between the two ways to a slope."""
    return max(abs(slope(net.theta, i, h) - gradient[i]) for i in range(0, len(gradient), every))

print(f"slopes up to {abs(gradient).max():.2f}; with h = 1e-5 all agree to 8 decimals: {worst(1e-5) < 5e-9}")

# %% [markdown]
# A habit worth gold: a backward pass with a mistake in it often still learns, only worse, and nobody notices. How
# small should $h$ be? **Predict** the shape of the next curve before you run the cell: is smaller always better?

# %%
hs = 10.0 ** np.arange(-1, -12, -1)
errors = [worst(h, every=20) for h in hs]                # every twentieth slope will do
plt.figure(figsize=(7, 3))
plt.loglog(hs, errors, "o-", color="#0072B2")
plt.xlabel("h")
plt.ylabel("largest difference of a slope")
plt.show()
print(f"h = 0.1: off by {errors[0]:.3f}")

# %% [markdown]
# Smaller is *worse* nearly everywhere! For tiny $h$ two almost equal losses are subtracted, and what remains is
# mostly their rounding errors, divided by a tiny number. At the other end, with $h = 0.1$, some unit crosses its
# corner at 0 on the way, and the two points lie on different slopes. (Between corners our loss is a parabola in each
# single parameter, for which such a difference is exact. For other functions a large $h$ costs accuracy as well.)
# With $10^{-5}$ one is on the safe side: eight decimals and more are right.
#
# With a gradient in hand, learning is walking downhill. Plain descent takes $\theta \leftarrow \theta - \alpha\, g$,
# with a step size $\alpha$ (alpha) and the gradient $g$. The favourite today is called *Adam*, for "adaptive
# moments", and takes a few lines:

# %%
print(inspect.getsource(Adam.step))

# %% [markdown]
# `m` is a running mean of the gradient, `v` one of its square. `m` divided by the root of `v` is near ± 1 where the
# slope always has the same sign, and near 0 where it flickers. So each parameter moves by about `alpha` a step,
# whether its slopes are large or small, and less if they disagree. Now let the network learn the truth:

# %%
adam = Adam(len(net.theta), alpha=0.001)
snapshots = {0: net.copy()}
for step in range(1, 1001):
    adam.step(net.theta, net.backward(2 * (net.forward(x) - true) / true.size))
    if step in (100, 1000):
        snapshots[step] = net.copy()

# %%
plt.figure(figsize=(7, 3))
for (step, one), style in zip(snapshots.items(), (":", "--", "-"), strict=True):
    plt.plot(range(1, rooms + 1), one(x)[:, 1], style, label=f"after {step} steps")
    print(f"after {step:4} steps: loss {np.mean((one(x) - true) ** 2):.5f}")
plt.plot(range(1, rooms + 1), true[:, 1], "ko", label="the truth")
plt.xlabel("room")
plt.ylabel("value of going right")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# A network can hold these values. But we cheated: somebody *told* it the truth.
#
# ## Learning from its own words
#
# In a game nobody knows the true $Q$. What we have is an *experience*: in $s$ I did $a$, was paid $r$, and came to
# $s'$. Bellman's equation says what $Q(s, a)$ should be if $Q(s', \cdot)$ is right. So we ask the network itself what
# $s'$ is worth, and take
#
# $$y = r + \gamma \max_{a'} Q_\theta(s', a') \qquad (\,y = r \text{ if } s' \text{ ends the game})$$
#
# as the answer that it should have given: its *target*. Then comes one step downhill for the squared error, the
# square of $Q_\theta(s, a) - y$, as if $y$ were the truth. It is not. At first it is the babble of a random network.
# But the rewards in it are real, and they seep in from the end of the game.
#
# The clause about the end looks like a detail. **Before you run the next cell:** what would the last room be worth,
# whose true value is 1, if we forgot the clause and asked for the value of the room where we happen to stand?

# %%
forgotten = np.zeros((rooms, 2))
for _ in range(1000):
    forgotten = (r + gamma * forgotten.max(axis=1)[following]).reshape(rooms, 2)
print(f"{forgotten.max():.2f}")

# %% [markdown]
# Ten: the reward is paid again and again for ever, $1 + 0.9 + 0.81 + \dots$ A learner that makes this mistake in
# Tetris does not know that losing is bad.
#
# > **In the paper.** Section 1 of chapter 9 defines the *fonction d'erreur*, equation (9.1): the square of the
# > difference between the two sides of Bellman's equation. Only the true $Q$ makes it 0 everywhere. Section 2 takes
# > the one $s'$ that was seen in place of the sum over all that might have been. Without chance these are the same;
# > with chance they are not, and there is a catch in it (see *When pieces are drawn*, below).
#
# Here is the whole method for the corridor. It has two networks, one that learns and a second one that gives the
# targets and becomes a copy of the first every `refresh` steps. With `refresh=1` the two are always the same, which
# is as good as having one. `batch(t)` says which experiences step $t$ learns from; here these are all 20, every time.
# What it returns last is the largest value in which the network believed before each step.

# %%
def learn(refresh, see=x, seed=0, gamma=gamma, steps=2000, batch=lambda t: np.arange(2 * rooms)):
    """Deep Q-learning in the corridor: the network, and the largest value that it believed in before each step."""
    main, believed = Network((see.shape[1], 32, 32, 2), seed), []
    second, adam = main.copy(), Adam(len(main.theta), alpha=0.001)
    for t in range(steps):
        if t % refresh == 0:
            second.theta[:] = main.theta
        j = batch(t)
        y = r[j] + gamma * np.where(final[j], 0, second(see[following[j]]).max(axis=1))
        q, taken = main.forward(see[s[j]]), np.arange(2) == a[j][:, None]
        adam.step(main.theta, main.backward(np.where(taken, 2 * (q - y[:, None]) / len(j), 0)))
        believed.append(q.max())
    return main, np.array(believed)

# %% [markdown]
# Note `taken`: an experience says something about the action that was taken and nothing about the other one, so only
# that output gets a slope.
#
# ## Without the second network
#
# Nothing in the derivation asked for a second network. **So predict:** in this corridor no *true* value exceeds 1. All
# 20 experiences are used in every step, nothing is left to chance but the first weights. What is the largest value
# that a single network comes to believe in?

# %%
alone = [learn(refresh=1, seed=seed)[1] for seed in range(3)]
paired = [learn(refresh=100, seed=seed)[1] for seed in range(3)]
for name, runs in (("one network", alone), ("second one, refreshed every 100 steps", paired)):
    print(f"{name}: at most", *(f"{run.max():.1f}" for run in runs), "in the end", *(f"{run[-1]:.2f}" for run in runs))

# %%
plt.figure(figsize=(7, 3.2))
for k in range(3):
    plt.semilogy(alone[k], color="#D55E00", label="one network" if k == 0 else None)
    plt.semilogy(paired[k], color="#0072B2", linestyle="--", label="with a second one" if k == 0 else None)
plt.axhline(1, color="black", linewidth=0.8, label="the truth")
plt.xlabel("steps")
plt.ylabel("largest value (log scale)")
plt.legend()
plt.show()

# %% [markdown]
# Hundreds, where 1 is the truth. The network has talked itself into a fortune. How? Its input is a position, and
# neighbouring positions look alike. To raise the value of room 5 is to raise that of room 6 as well, whether one
# wants it or not. But room 6 *is the target of room 5*. So the target runs away while we walk towards it, we walk
# faster, it runs faster. In a table this cannot happen: its rows do not touch. Let us test that explanation. Give the
# network ten inputs, one for each room, 1 for the room it is in and 0 for the others, so that no two rooms look
# alike:

# %%
for discount in (gamma, 0.99):
    apart = [learn(refresh=1, see=np.eye(rooms), gamma=discount, seed=seed)[1] for seed in range(3)]
    print(f"gamma {discount}, an input for each room: at most", *(f"{run.max():.1f}" for run in apart))

# %% [markdown]
# With our $\gamma$ of 0.9 all is calm. With 0.99 it is not: inputs of their own tame the trouble and do not remove it,
# for the hidden layers are still shared. It is the gift itself, to see that states are alike, that makes learning from
# one's own words dangerous. The second network breaks the circle: while it stands still, the target stands still, and
# the first one can catch up.
#
# Look at the curves once more, though, at their right end. The single network's fortune melts away again: after 2,000
# steps it believes in 7, 2 and 3. Does it get well without any help?

# %%
for seed in range(3):
    single, run = learn(refresh=1, seed=seed, steps=5000)
    right = (single(x).argmax(axis=1) == 1).sum()
    print(f"after 5,000 steps it believes in {run[-1]:.2f} at most, and in {right} rooms it goes right")

# %% [markdown]
# It does, nearly. With $\gamma = 0.9$ a rumour loses a tenth of its worth with each step that it is passed on, and in
# this corridor that is enough to bring the values down again in the end. Two thousand steps of nonsense are a price,
# not a catastrophe. Whether there is a recovery with another discount is another question: the next cell looks at 2,000
# steps only.
#
# The second network is a brake, not a cure. With $\gamma = 0.99$ rewards are forgotten more slowly and rumours live
# longer. And the brake can be pulled too hard: each copy lets the reward seep back by about one room. Some settings,
# with seed 1:

# %%
for discount, refresh in ((0.99, 1), (0.99, 10), (0.99, 100), (0.9, 300)):
    final_net, run = learn(refresh, gamma=discount, seed=1)
    right = (final_net(x).argmax(axis=1) == 1).sum()
    print(f"gamma {discount}, a copy every {refresh:3} steps: at most {run.max():9,.1f}, {right:2} rooms go right")

# %% [markdown]
# With $\gamma = 0.99$ even ten steps between two copies do not hold it: it believes in a hundred thousand, and walks
# to the left in every room. With 100 steps the values stay sane, though only half of the rooms have understood. And
# with 300 steps there is time for six fresh copies only, too few to carry the news of the exit through ten rooms.
# There is no setting that is right for every problem; there are only curves to look at. (All this in a corridor of
# our own making, chosen because it shows the trouble. We shall meet a game that does not.)
#
# > **In the paper.** Section 3, *Stabilisation par duplication du réseau*, adds the second network (*réseau
# > secondaire*) because otherwise "one observes a certain instability". The reason it gives is brief. The corridor
# > shows how much instability, and where it comes from.
#
# ## The replay memory
#
# In the corridor we listed all experiences. In a game they come one after the other, and the next one is much like
# the last. Let a beginner walk through the corridor at random, and learn from what it meets: from the newest
# experience only, from the newest 32, or from 32 that are drawn from the last 1,000. This store is the *replay
# memory*.

# %%
def walk(seed, steps=4000):
    """A random walk: the number of the pair (room, action) at each step; whoever gets out begins again at the left."""
    met, room = [], 0
    for action in Draws(seed, 77).below(2, steps):
        met.append(2 * room + action)
        room = 0 if final[met[-1]] else following[met[-1]]
    return np.array(met)

# %%
def ways(met, draws):
    """Three ways to say which experiences step t learns from."""
    return {
        "newest": lambda t: met[999 + t : 1000 + t],
        "newest 32": lambda t: met[968 + t : 1000 + t],
        "32 of 1,000": lambda t: met[t : 1000 + t][draws.below(1000, 32)],
    }

# %%
for seed in range(3):
    found = {name: learn(100, seed=seed, batch=way)[0](x) for name, way in ways(walk(seed), Draws(seed, 5)).items()}
    print(f"seed {seed}:", ", ".join(f"{name} off by {abs(q - true).max():.2f}" for name, q in found.items()))

# %% [markdown]
# With the memory no value is off by more than 0.04. With the newest experience alone the errors are 0.5 and more,
# where no true value exceeds 1: while the walker dawdles at the left end, the network bends its shared weights to
# please the left end, and forgets the right one. The newest 32 are good twice and bad once. Drawn from a large
# memory, a minibatch has something of everything in it.
#
# How large the gap is varies with the number of steps. At 3,000 it is smaller: try `learn(100, steps=3000, ...)` in
# the cell above. (The comparison is also a little unfair to the newest one, which is looked at once only. That is the
# next point.)
#
# The second gift of a memory is thrift. Look at the domino game of chapter 11, where commands move a falling domino
# on a board of six columns and six rows. Here are the first 10,000 experiences, made by random commands. (`SteadyDeepQ`
# is the library's `DeepQ`; in what it is steadier, we shall see later.)

# %%
domino = SteadyDeepQ(tc.DominoGrid(6, 6), seed=0)
while not domino.memory.is_full:
    domino.fill()
memory = domino.memory
print(f"{memory}: {np.sum(memory.r > 0)} with a reward, {memory.final.sum()} lost games")

# %% [markdown]
# Nine rewards in ten thousand commands! A learner that looks at each experience once and throws it away has nine
# moments to learn from. How often is an experience looked at here? It stays for 10,000 steps, and in each of them 32
# of the 10,000 are drawn: 32 times, on average. And they are mixed:

# %%
def apart_by(one, other):
    """In how many cells two states differ, on average."""
    return abs(memory.x[one] - memory.x[other]).sum(axis=1).mean()

# %%
print(f"cells that differ: {apart_by(range(9999), range(1, 10000)):.1f} from one step to the next, "
      f"{apart_by(*Draws(1, 0).below(10000, (2, 10000))):.1f} between any two")

# %% [markdown]
# The memory itself is a *ring*: a list of fixed length, where experience number $n$ goes to place $n$ modulo the
# length, so that it takes the place of the oldest one. Nothing is ever moved.
#
# > **In the paper.** Section 2 calls it *mémoire de reprise*. The printed algorithm shifts the whole list by one place
# > at every step; with 10,000 places that is 10,000 moves to store one experience. A ring does the same in one.
#
# ## The algorithm on paper
#
# We have all the parts. `DeepQ.step` is the body of the printed algorithm, line by line, with *Res_P* (*réseau
# principal*) called `network` and *Res_S* called `target`:

# %%
print(inspect.getsource(tc.DeepQ.step))

# %% [markdown]
# With probability `epsilon`, which falls from 1 to 0.01 along an exponential, it takes a random action, else the best
# one that the network knows: exploring and exploiting, as in chapter 11. `experience` plays it and stores what
# happened; `descend` computes the targets of a minibatch and takes one step of Adam.
#
# An algorithm that was never run has slips of the pen that only running shows. The print has at least
# four:
#
# - While it fills the memory, it forgets to go on from $s$ to $s'$: the first game never ends.
# - It tests whether the *first* state of an experience is final, `E[j][0]`. No experience begins in a final state. It
#   must be the last one, $s'$, or we have the ten-fold fortune from above.
# - It indents everything under the test for refreshing the second network, so that the game would stand still in
#   between.
# - It gives the second network weights of 0 at first, where section 3 has it "initially identical" to the first.
#
# None of them is a blunder; each is a line that the next hour of debugging would have found. That hour did not come.
#
# ## Two repairs that came later
#
# The target takes the *highest* of several values, and the values are off, some up and some down. The highest of them
# is likely to be one that is off upwards. Suppose that 20 actions are all worth 0, and each value is wrong by a normal
# random number with a standard deviation of 1:

# %%
first, second = Draws(0, 12).normal((2, 10000, 20))
print(f"the highest value: {first.max(axis=1).mean():.2f}; what somebody else says of the same action: "
      f"{second[np.arange(10000), first.argmax(axis=1)].mean():.2f}")

# %% [markdown]
# A target that is too high by 1.88, out of nothing. The remedy is in the same line: let one network *choose* the action
# and another one *value* it, for their errors are not the same. Two networks we have already. Van Hasselt and others
# (2016) call this *double* Q-learning, and it is one setting here, `double=True`. (The second network is an older copy
# of the first, so their errors are not independent either. It is half a remedy.)

# %%
print(inspect.getsource(tc.DeepQ.value_of_following))

# %% [markdown]
# The other repair is about the loss. The slope of a squared error grows with the error, so one experience that is off
# by 10 pulls as hard as ten that are off by 1. *Huber's loss* (1964) is the square up to an error of 1 and a straight
# line beyond, so that none pulls harder than an error of 1: `loss="huber"`. It returns the loss and its slope:

# %%
print(inspect.getsource(huber))

# %% [markdown]
# Are they worth having? We shall not believe it before the tables have said so.
#
# ## Dominoes
#
# The network sees the cells, as 0 or 1: one picture of the pile and one of the falling domino, each with two
# invisible rows on top, $2 \cdot 8 \cdot 6 = 96$ inputs. It has an output for each of the six commands. Learning goes
# on until somebody *proves* that the network plays for ever: there is only one piece, so the game has no chance in
# it, and if the network brings it back to a position where it has been, it will do so for ever.

# %%
domino.learn(progress=False)
print(domino, domino.network, tc.prove_endless(domino), sep="\n")
tc.plots.learner_history(domino)

# %% [markdown]
# It took 618 games, those of the random beginning included. The table of chapter 11, ten times over on this board,
# came to its first proof after 1,000 to 5,000 games, and in the end it had met 53,464 states, with six values each
# (`python tests/benchmarks/q_learning_figures.py`). The network has 10,758 numbers. So it is thriftier with games and
# with memory. It is not thriftier with arithmetic: every step sends 32 experiences through all its numbers and back,
# where the table looks up a row. Now look at it at work.
#
# **Try this.** Press *Start* and wait until the memory is full of random play. What does the loss do at each dashed
# line, where the second network is refreshed? Then switch *target network* off, press *Reset* and start again: does
# it still find a proof? Last, with the target network on again, a memory of 100 and a batch of 1. (The panel begins
# with a memory of 1,000, to begin soon, and so it needs another number of games than the run above.)

# %%
DeepQPanel("domino", seed=0)

# %% [markdown]
# The runs that we made beforehand, five seeds each, tell how many steps it takes until the first proof. The command
# is `python tests/benchmarks/deep_q_figures.py domino 0 1 2 3 4`.

# %%
runs = stored_table("deep-q-domino").rows
for kind in dict.fromkeys(run["kind"] for run in runs):
    steps = [run["steps"] for run in runs if run["kind"] == kind]
    print(f"{kind}: {steps}, median {np.median(steps):.0f}")

# %% [markdown]
# All twenty succeed. The medians are close together, and the five runs of each kind lie between 1,000 and 10,000 steps:
# these runs do not tell one kind from another. So neither the second network, which the corridor needs so badly, nor
# the two repairs make a difference that five domino runs could show. Perhaps it is because the few cells in which $s$
# and $s'$ differ are inputs with weights of their own (a falling domino leaves some inputs and enters others). Do not
# believe the corridor too much, then. A demonstration is chosen by its author.
#
# A good place to stop for today. The first evening in four sentences: a network gives a value to states that it has
# never met. It learns from targets that it computes itself, so it may talk itself up. A second network that stands
# still for a while keeps the target still, and a memory mixes the experiences. With both, 618 games of dominoes were
# enough for a player that never loses.
#
# ## The second evening: Tetris
#
# (If this is another day, run the first cell of the notebook again, and go on here.) Dominoes have one piece and no
# chance. Now there are seven, drawn at random, on a board on which nobody knows the best play. Five questions, one
# section each:
#
# | section | question |
# |---|---|
# | *A first try* | Does the same algorithm learn Tetris at all? |
# | *A seed is not enough* | Would you get the same figures as we did? |
# | *When pieces are drawn* | What does chance do to the target, and to the loss? |
# | *Values of boards* | Must the network learn what the rules already say? |
# | *Is it worth it?* | What decides: the eyes, the network, the repairs? And what do searches make of as many moves? |
#
# ### A first try
#
# On a real board random moves almost never clear a row, and from bare cells there is next to nothing to learn. We
# help, by showing the network what TetrisBot sees: rows cleared, sum of heights, holes, bumpiness. A state is then a
# *list of moves*, each with its four features; the network has four inputs and a single output, the value of that
# move. The target is as before: $r$, the rows cleared, plus $\gamma$ times the best value among the moves of the next
# piece. It is the evaluation function of chapter 04 with a network in place of the sum, and nobody sets the weights.
# In the library this view of Tetris is called `MoveValues`.
#
# Short runs, on 10 columns and 10 rows: 4,000 steps, a few hundred games, three seeds. Every 500 steps the network
# plays 20 games of judgement without random moves, and the best one is kept.

# %%
rules = tc.Rules(height=10)
short = [SteadyDeepQ(tc.MoveValues(rules), seed=seed, steps=4000, memory=1000, judge_every=500, judge_games=20,
                     judge_pieces=1000).learn(progress=False) for seed in range(3)]

# %% [markdown]
# A result without its settings is a rumour. Here are all of them, as the learner has them:

# %%
settings = short[0].settings
for one in fields(settings):
    print(f"{one.name:14} {getattr(settings, one.name)!s:9} {one.metadata['text']}")

# %% [markdown]
# **Predict** where the three runs stand in the end, beside the two players of chapter 04 that use the same features.

# %%
two_weights = tc.Player(["holes", "bumpiness"], weights=[-5, -1], name="two weights")
for player in (*(run.player(f"network, seed {run.seed}") for run in short), tc.PLAYERS["tetrisbot"], two_weights):
    print(tc.simulate(player, rules, games=200, seed=2026, progress=False))

# %%
plt.figure(figsize=(7, 3))
for run, style in zip(short, ("o-", "s--", "^:"), strict=True):
    plt.plot(run.history["judged_at"], run.history["judged"], style, label=f"network, seed {run.seed}")
plt.axhline(111.6, color="black", linestyle="-.", label="TetrisBot's weights")
plt.xlabel("steps")
plt.ylabel("lines a game, when judged")
plt.legend(loc="upper left")
plt.show()

# %% [markdown]
# From nothing to 61, 81 and 77 lines, and still climbing: it taught itself that holes are bad, and nobody told it what
# a hole costs. The runs differ in nothing but the seed, and still one has got there at another time than the next; one
# run alone says little. Two weights, read off a curve in chapter 04, clear twice as many lines. So the answer to the
# first question is: yes, a little. Patience may help, and we shall have some. Before that, three things that dominoes
# could not teach.
#
# ### A seed is not enough
#
# You may have noticed the name `SteadyDeepQ`. Every number of this course can be repeated from its seed, and deep
# Q-learning in Tetris was the first to break the rule: when we gave the same command on another machine, the result
# was a different one. Nor does it take another machine. In a short run of ours it was enough to tell numpy to add as
# an older processor does (`OPENBLAS_CORETYPE=PRESCOTT`). Nobody made a mistake. Here is the culprit:

# %%
print((0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3))

# %% [markdown]
# Processors add up in different orders, whichever is fastest for them, and the last digit of a sum depends on the
# order. Mostly that does not matter. But two moves with the same features should have the same value, and now it is
# probably the last digit that decides which of them is "better". (We did not hunt down the first move that differs.)
# One other move, another game, another memory, another network. `SteadyDeepQ` rounds values and weights to multiples
# of $2^{-24}$ after every step, which wipes the last digits off before they can decide anything, and goes the same
# way on all the kinds of processor that we tried. All the tables below are its work.
#
# Remember this when you read about *the* result of a network that was trained once.
#
# ### When pieces are drawn
#
# In the corridor and with dominoes the same action always leads to the same $s'$. Here the next piece is drawn, and
# Bellman's equation has a mean in it:
#
# $$Q(s, a) = \mathbb{E}\,[\,r + \gamma \max_{a'} Q(s', a')\,]$$
#
# The learner sees one $s'$ of seven. So the target $y$ is a throw of the dice: right on average, and hardly ever
# right. That does no harm as long as $y$ is treated as a *given number*, for the number that has the least mean
# squared distance from many throws is their mean. It has two consequences all the same.
#
# - **The loss does not go to 0.** What remains for the true $Q$ is the scatter of the targets. A loss that has stopped
#   falling may belong to a network that knows everything.
# - **The error function of the report may not be taken at its word.** Equation (9.1) wants the square of *mean minus
#   value* to be small. What we can compute from one $s'$ is the mean of the *squares*, and that is larger by the same
#   scatter. Whoever sends the slope through both sides of the equation, since the target depends on $\theta$ too, walks
#   down the wrong hill: it pays to make the targets scatter less, by making good and bad luck look alike.
#
# The smallest example has three boards: on $A$ you wait for a piece that comes every other time. If it comes you are
# on $B$ and clear a row, else on $C$ and clear none; then the game is over ($\gamma = 1$). The true values are 1/2, 1
# and 0. These four rows are the errors of a value after one step, $A - B$, $A - C$, $B - 1$ and $C - 0$; which values
# make the sum of their squares least?

# %%
errors, paid = np.array([[1, -1, 0], [1, 0, -1], [0, 1, 0], [0, 0, 1]]), np.array([0, 0, 1, 0])
np.linalg.lstsq(errors, paid, rcond=None)[0].round(2)

# %% [markdown]
# $B$, where a row is certain, is thought to be worth 3/4, and $C$, where nothing can come any more, 1/4. (The example
# is the "A-split" of Sutton and Barto's *Reinforcement Learning*, 2018, section 11.5, in Tetris dress.) The cure is
# *double sampling*: draw *two* next pieces, take the difference from one and the slope from the other; then chance does
# not enter twice. The usual one is cheaper, and the report has it in its algorithm, if not in its equation: the second
# network gives $y$, and no slope goes through it. It finds 1/2, 1 and 0 here, and it is what `descend` does.
#
# ### Values of boards
#
# There is more that we know about Tetris and do not use. The network is asked for the value of a *move*, rows cleared
# included. But the rules tell us what a move is paid, and which board it leaves: the *afterstate*, before the next
# piece is drawn. Only what comes after that board is unknown. So let the network give a value $V(b)$ to the *board*
# $b$, and let the player take the move with the highest
#
# $$Q(s, a) = r + \gamma V(b), \qquad\text{where}\qquad V(b) = \mathbb{E}\,\bigl[\max_{a'}\,(r' + \gamma V(b'))\bigr]$$
#
# The first is known but for $V$. The second is Bellman's equation for boards: its mean goes over the next piece, whose
# best move pays $r'$ and leaves $b'$, and a board that loses with that piece brings nothing. So the target of $V(b)$ is
# $r' + \gamma V(b')$ for the move that the player itself would choose next. This is *afterstate learning*, and the
# library's `AfterstateValues`. A state of it comes with what each move is paid, and shows the boards by their features:

# %%
boards = tc.AfterstateValues(rules)
state = boards.start(seed=0, episode=0)
while not state.rewards.any():                          # to the flattest board, until a row can be cleared
    state = boards.act(int(state.rows.sum(axis=1).argmin()))[0]
print("rewards of", len(state.rows), "moves:", *state.rewards.astype(int))
print("the board after the one that clears a row:", *state.rows[state.rewards.argmax()].astype(int))

# %% [markdown]
# No other learner is needed. The memory keeps the rewards, and `values` adds them to the outputs; where nothing is
# known beforehand, as with dominoes and with values of moves, they are 0. (The output is $\gamma V$, the value of the
# board as seen from the move before it. That saves a line.)

# %%
print(inspect.getsource(tc.DeepQ.values))

# %% [markdown]
# A network of this kind may see only what a *board* has: not the rows cleared, not the landing height, not the eroded
# cells. Of TetrisBot's four features three are left, of Dellacherie's six four, of the eight of DN (chapter 04) six,
# those above: row transitions, column transitions, holes, wells, hole depth, rows with holes.
#
# ## Is it worth it?
#
# Now the long runs, made beforehand: 20,000 steps on the same board, each learned player then judged by the same 200
# new games (`python tests/benchmarks/deep_q_features.py`; the whole table is among the [results](results.ipynb)). Five
# comparisons follow. Each changes one thing and leaves the others alone: what the network *sees*; whether it is a
# network at all or a *sum*; whether it values moves or *boards*; the *repairs*; and last the whole idea, against
# *searches* that were given as many moves.
#
# The settings are those of the short runs but for these:

# %%
long = replace(DEEP_Q["tetris"], steps=20_000)
for one in fields(long):
    if getattr(long, one.name) != getattr(settings, one.name):
        print(f"{one.name:14} {getattr(long, one.name)}")

# %% [markdown]
# So a learner has made 30,000 moves in the end: 10,000 at random, to fill its memory, and 20,000 while it learned. We
# look at the *last* network of each run, three or five runs a row. (The table also has the network that was best when
# judged. That costs up to half a million moves more, and whether it is the better one is a matter of luck: sometimes
# it is, sometimes it is not.)
#
# ### What it sees, and how it adds up
#
# TetrisBot's four features are not the best ones that we know. So first the values of moves, with different eyes.
# **Predict** the order of these five: TetrisBot's four; Dellacherie's six; the rows cleared, and the four of these
# six that belong to a *board*; the rows cleared and all eight of DN (chapter 04); the rows cleared and the six of DN
# that belong to a board.

# %%
table = {(row["name"], row["change"]): row["last_lines"] for row in stored_table("deep-q-features").rows}
moves = [name for name, change in table if name.startswith("moves") and not change]

def show(*names, change=""):
    """Rows of the table: the mean, and every run."""
    for name in names:
        runs = table[name, change]
        print(f"{name:43} {change:15} mean {np.mean(runs):5,.0f}, runs", *(f"{lines:,.0f}" for lines in runs))

# %%
show(*moves[:5])

# %% [markdown]
# With DN's features the same learner, in the same settings, clears nearly twice as many lines as with TetrisBot's.
# But with Dellacherie's six it clears a third. It is tempting to know why. Two of the six, landing height and eroded
# cells, say something about the move and nothing about the board, and it is the board that has a future. A pretty
# explanation, and the third row is its control: without these two it is hardly better. Nor do the two harm in the
# fourth row, where they are among the eight. So that is not it.
#
# Here is another control. The next rows differ from the last ones in a single setting: there is no hidden layer
# (`hidden=()`). What learns is a weighted sum, as in chapter 04, but from Bellman's equation, like the networks.
# **Predict** what it loses.

# %%
show(*moves[:5], change="no hidden layer")

# %% [markdown]
# With TetrisBot's four features the sum is worse, and by much; there the hidden layers earn their keep. With all
# others it is *better*, from three times to more than twenty times, and Dellacherie's six, which were worst for the
# network, have the highest mean with the sum. It loses more than a thousand lines when it has the rows cleared in
# place of landing height and eroded cells. No feature was at fault, then. Our reading: people polished these features
# for years *so that a sum of them would do*, and a sum knows from the beginning that one more hole is as bad as the
# last one, while a network has to learn it. What a network would make of ten times as many steps, or of settings of
# its own (ours were chosen for the four features), we have not tried.
#
# So the first two comparisons have one answer: eyes decide, and *which* eyes depends on how what they see is added up.
#
# ### Moves or boards
#
# **Predict** again: the same eyes on boards, where the rows cleared are paid and need not be seen.

# %%
pairs = {"moves: TetrisBot's four": "boards: TetrisBot's three",
         "moves: lines, DN's six of a board": "boards: DN's six",
         "moves: lines, DN's six of a board, heights": "boards: DN's six, heights"}
for of_moves, of_boards in pairs.items():
    for change in ("", "no hidden layer"):
        show(of_moves, of_boards, change=change)

# %% [markdown]
# No winner. For a sum it can hardly be otherwise: it may give the rows cleared the weight of their reward, and then
# it *is* a sum for boards with the reward beside it. The networks are less clear. With TetrisBot's features and with
# DN's six the boards are behind, as far as three and five runs can tell. The reason may be in their eyes: DN's six
# say how *rough* a board is and not how *high*, and a network of moves gets a hint, since a move that has cleared
# rows has made the pile lower. With the sum of the heights (the last pair) both networks gain, the boards most of
# all, and now they are ahead, with runs from 240 to 1,252. The sums, which need no hint, have gained nothing. So the
# better idea is not the better player, or not by much: it asks for less, and what it asks for must be visible in the
# board.
#
# ### The repairs
#
# Double Q-learning, and Huber's loss:

# %%
for name in list(pairs.items())[1]:
    for change in ("", "double", "Huber's loss"):
        show(name, change=change)

# %% [markdown]
# Double Q-learning has made the network of moves *worse*: its three runs are below all five of the plain one. For
# boards it makes no difference that three runs could show. Huber's loss is a little better for moves and a little
# worse for boards, and the runs overlap. Neither repair is one here. They were invented for other games, where they
# were measured to help; whether they do in yours, only your own table can say.
#
# ### As many moves for the others
#
# Chapters 07 to 09 *searched* for weights. What do these searches make of as many moves? Each plays one game with
# each candidate, in the settings of its chapter, and stops before it has made 30,000 moves; five seeds. The favourite
# is judged by the same 200 games (`python tests/benchmarks/deep_q_features.py rivals`). **Predict** who wins with
# which features.

# %%
found = {(row["features"], row["name"], row["moves"]): row["lines"] for row in stored_table("deep-q-rivals").rows}
seen = [name.removeprefix("moves: ") for name in moves if "DN's eight" not in name and "four of a" not in name]
kinds = {"network": "", "sum that learns": "no hidden layer"}

def contest(features, budget):
    """What each kind of learning, and each search within so many moves, makes of the same features."""
    learned = {kind: table[f"moves: {features}", change] for kind, change in kinds.items()}
    return learned | {name: lines for (one, name, moves), lines in found.items() if (one, moves) == (features, budget)}

# %%
for features in seen:
    print(features)
    for name, lines in contest(features, 30_000).items():
        print(f"    {name:17} mean {np.mean(lines):5,.0f}, runs", *(f"{one:,.0f}" for one in lines))

# %%
figure, axes = plt.subplots(2, 2, figsize=(8, 4.6), sharex=True, sharey=True)
for axis, features in zip(axes.flat, seen, strict=True):
    for row, (name, lines) in enumerate(contest(features, 30_000).items()):
        axis.semilogx(lines, [row] * len(lines), "o" if name in kinds else "s", alpha=0.7,
                      color="#0072B2" if name in kinds else "#D55E00")
    axis.set(title=features, yticks=range(5), yticklabels=contest(features, 30_000))
axes[0, 0].invert_yaxis()
figure.supxlabel("lines a game (log scale)", fontsize="medium")
plt.tight_layout()
plt.show()

# %% [markdown]
# Four sets of features, and not one order.
#
# - **TetrisBot's four: the network wins**, against each of the fifteen searches, and the sum that learns is last. The
#   searches did not find all that there is, though: the two weights of chapter 04 have 152 lines, and the best point of
#   its map had 170 on fresh pieces, as many as the network.
# - **Dellacherie's six: the network is last**, and its rival from the same workshop, the sum that learns, is as good
#   as the best of the searches.
# - **The rows cleared and DN's six of a board: the sum that learns wins**, and the network is level with one search.
# - **With the heights as well: the sum that learns wins again, and the network is second.** One weight more, and the
#   searches have lost three tenths to two thirds of what they had.
#
# So Bellman's equation is not the weak point. With three of the four sets a sum learns from it as much as any search
# finds in as many moves, or more. Our reading: it uses every single move, while a search only sees how a game ended.
#
# And with a million moves, more than any learner here made with all its judgements?

# %%
for features in [*seen, "DN's eight"]:
    means = {one: np.mean(lines) for (of, one, moves), lines in found.items() if (of, moves) == (features, 10**6)}
    print(f"{features:35}", ", ".join(f"{name} {mean:,.0f}" for name, mean in means.items()))

# %% [markdown]
# Patience is on the side of the searches. With DN's eight features, cross-entropy reaches more than any learner of
# this chapter, and with Dellacherie's six all three pass the sum that learned. (Our learners have not been given a
# million moves, so we do not know where they would stand.) With the rows cleared and DN's six of a board, though, it
# takes the best search this million to reach what the sum had learned from 30,000.
#
# ### The full board
#
# How does it look on 10x20? The networks with TetrisBot's four features, 60,000 steps each, 100 games of judgement
# (`python tests/benchmarks/deep_q_figures.py tetris 0 1 2`):

# %%
full = [row["mean"] for row in stored_table("deep-q-tetris").rows if row["player"].startswith("deep-q")]
print("networks:", *(f"{lines:,.0f}" for lines in full), f"mean {np.mean(full):,.0f}")
print(tc.simulate(tc.PLAYERS["tetrisbot"], games=100, seed=2026, progress=False))
for price in (4, 5, 6):
    player = tc.Player(["holes", "bumpiness"], weights=[-price, -1], name=f"two weights, a hole costs {price}")
    print(tc.simulate(player, games=100, seed=2026, progress=False))

# %% [markdown]
# More than twice as good as the best weights of 2019 is a true sentence about these networks, and one could print it
# on a poster. That two weights, read off a curve, clear more is true as well, with a hole at 5 steps, the peak of
# that curve; with 4 or 6 they clear less than the networks. Which sentence you write depends on whom you compare
# with; chapter 05 would ask for the *strongest* simple player. Dellacherie's player clears millions of lines here:
# 5.2 million in Thiery and Scherrer 2009.
#
# ### The verdict
#
# It is worth asking three questions in place of one.
#
# - **Was it worth learning from Bellman's equation?** Yes, if moves are dear: with good features and no hidden layer
#   it is as thrifty as the best search, or thriftier. If moves cost next to nothing, as here, the searches are
#   simpler, and with a million of them they went beyond all that we have learned.
# - **Was the network worth it?** Where the features are poor, hardly: with TetrisBot's four it beat every search of
#   chapters 07 to 09, but it only equals the two weights that the map of chapter 04 found (170 lines), and on the full
#   board two weights clear more. Where people have made the features so that a sum of them will do, it did worse than
#   the sum, every time.
# - **Was it worth the trouble of boards, double networks and gentler losses?** The sum of the heights, one more
#   feature, did the networks more good than any of these; the sums it did none.
#
# The network solves the harder problem, *what is a position worth*, to answer the easier one, *which move is best*.
# Its hour comes where nobody knows the features, and where there are too many inputs to search weights for. In 2015
# Mnih and others played video games from the screen with this algorithm, a network made for pictures, and millions of
# steps. The dominoes, from bare cells, were a small taste of it, and the appendix on
# [PyTorch](pytorch.ipynb) has another one: Tetris on 5x5.
#
# > **In the paper.** Muller and Ponton hoped that a network would take in "all the complexity" of the grids where four
# > weights are too simple (chapter 6, section 8), and say in their conclusion that it was a little too ambitious for
# > the time they had. Having done it, we can tell them that with their four features the network beats the weights that
# > a genetic algorithm, cross-entropy or CMA-ES finds, and equals the best two weights of a map. And that other
# > features, in a sum, were the shorter way.
#
# ## What you have learned
#
# - A network is sums with corners between them. Backwards, the chain rule gives all slopes in one pass; differences
#   check them.
# - The target $r + \gamma \max Q(s', \cdot)$ comes from the learner itself, so values can talk themselves up. A second
#   network that stands still for a while is a brake; too hard a brake stops the news. In our corridor, with $\gamma =
#   0.9$, the bubble also burst by itself.
# - A replay memory mixes experiences and lets each be used many times. It is a ring.
# - Where there is chance, the target is a throw of the dice, and its slope must not go through both sides.
# - What the rules know need not be learned: values of boards leave the reward out. It helps where the board shows
#   what it is worth.
# - An algorithm on paper has slips that running it finds. The end of a game is where to look first.
# - An explanation needs a control. Ours for Dellacherie's features was pretty, and wrong.
# - Compare with the strongest simple player, at the same number of moves, over several seeds, on more than one
#   machine.
#
# ## Where to go next
#
# - The [exercises](../exercises/12_deep_q.ipynb): write a network forwards and backwards, the memory and the targets,
#   build one by hand that plays Tetris without having learned anything, prove when values run away, and find out with
#   48 runs which of four repairs is one.
# - [PyTorch](pytorch.ipynb), an appendix for those who have it or want it: the same agent with somebody else's
#   gradient, a network that looks at cells through a window, and PPO.
# - The library: `tetriscourse/mdp/deep_q/` is short, and you have read half of it (`network.py`, `replay.py`).
#   `tetriscourse learn deep-q` runs the full board in a minute or two.
# - Two ways lead on from here. A value that is only roughly right can be put to better use by looking a few pieces
#   ahead before one believes it: [chapter 13](13_looking_ahead.ipynb). Or one learns the *choice* itself in place of
#   the value: [chapter 14](14_policies.ipynb). Both lead to [chapter 15](15_championship.ipynb), the championship.
