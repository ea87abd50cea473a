# %% [markdown]
# # 12 Deep Q-learning
#
# A table has no imagination. Show it a board that differs by one cell from ten thousand boards it knows, and it
# shrugs: never seen, no opinion. You would say "looks like that other one, so probably bad". In 2019 Muller and Ponton
# ended their report with one page of an algorithm that would give the table this gift, by putting a *neural network*
# in its place. They never ran it; the report's last words are "To be continued...". So let us continue. At the end
# we shall ask a question that is asked too seldom: was it worth it?
#
# **You will learn**
# - to read a neural network line by line: forwards, backwards, downhill, with nothing but numpy
# - to check a gradient, so that you need not believe it
# - what a replay memory and a second network are for, by seeing what happens without them
# - the algorithm of the report's last page, with three slips of the pen mended
# - how far it gets with dominoes and with Tetris, beside players that are a sum of a few numbers
#
# **You need** [chapter 04](04_evaluation.ipynb), players that weigh features, and
# [chapter 05](05_comparing_players.ipynb), intervals. From chapters 10 (Bellman) and 11 (Q-learning) you should know
# what $Q(s, a)$ is; the little that is needed is said again.
#
# **Time** about {{minutes}} minutes. The first run compiles the simulator, which may take a minute or two, once.

# %%
import inspect

import matplotlib.pyplot as plt
import numpy as np

import tetriscourse as tc
from tetriscourse.draws import Draws
from tetriscourse.mdp.network import Adam, Network
from tetriscourse.mdp.steady import SteadyDeepQ
from tetriscourse.widgets import DeepQPanel

# %% [markdown]
# ## Where the table ends
#
# In short, what the chapters before this one built. A learner is in a *state* $s$, takes an *action* $a$, is paid a
# *reward* $r$ and finds itself in a new state $s'$. $Q(s, a)$ is what it may expect to earn from then on, where a
# reward that comes a step later counts only $\gamma$ times as much (*gamma*, a little below 1). Whoever knows $Q$
# plays well by taking the action of highest $Q$. Bellman's equation tells one entry of $Q$ from others:
#
# $$Q(s, a) = r + \gamma \max_{a'} Q(s', a'), \qquad \text{and just } r \text{ if the game is over in } s'.$$
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
def loss(theta):
    """The mean squared error of the network with these parameters."""
    return np.mean((Network.from_theta(net.sizes, theta)(x) - true) ** 2)

def slope(theta, i, h=1e-5):
    """How fast the loss rises with parameter i, by trying."""
    step = h * (np.arange(len(theta)) == i)
    return (loss(theta + step) - loss(theta - step)) / (2 * h)

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

def worst(h):
    """The largest difference between the two ways to a slope."""
    return max(abs(slope(net.theta, i, h) - gradient[i]) for i in range(len(gradient)))

print(f"slopes up to {abs(gradient).max():.2f}; with h = 1e-5 all agree to 8 decimals: {worst(1e-5) < 5e-9}")

# %% [markdown]
# A habit worth gold: whoever writes a backward pass and does not check it has written a bug and does not know it. How
# small should $h$ be? **Predict** the shape of the next curve before you run the cell: is smaller always better?

# %%
hs = 10.0 ** np.arange(-1, -12, -1)
errors = [worst(h) for h in hs]
plt.figure(figsize=(7, 3))
plt.loglog(hs, errors, "o-", color="#0072B2")
plt.xlabel("h")
plt.ylabel("largest difference of a slope")
plt.show()
print("h = 0.1 and 0.01:", *(f"{error:.5f}" for error in errors[:2]))

# %% [markdown]
# No: it is a valley. For large $h$ we measure a slope between two distant points, and some units even get cut off on
# the way. For tiny $h$ two almost equal losses are subtracted, and only their rounding errors remain. In the middle,
# around $10^{-5}$, there are nine good digits or more.
#
# With a gradient in hand, learning is walking downhill. Plain descent takes $\theta \leftarrow \theta - \alpha\,
# g$, with a step size $\alpha$ (alpha) and the gradient $g$. The favourite today is called *Adam*, for "adaptive
# moments", and takes five lines:

# %%
print(inspect.getsource(Adam.step))

# %% [markdown]
# `m` is a running mean of the gradient, `v` one of its square. Their ratio is near ± 1 where the slope always has the
# same sign, and near 0 where it flickers. So each parameter moves by about `alpha` a step, whether its slopes are
# large or small, and less if they disagree. Now let the network learn the truth:

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
plt.legend()
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
# as the answer that it should have given: its *target*. Then one step downhill for the squared error $(Q_\theta(s,
# a) - y)^2$, as if $y$ were the truth. It is not. At first it is the babble of a random network. But the rewards in
# it are real, and they seep in from the end of the game.
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
# > the one $s'$ that was seen in place of the sum over all that might have been.
#
# Here is the whole method for the corridor. It has two networks, one that learns and a second one that gives the
# targets and becomes a copy of the first every `refresh` steps. With `refresh=1` the two are always the same, which
# is as good as having one. `batch(t)` says which experiences step $t$ learns from; here these are all 20, every time.
# What it returns last is the largest value in which the network believed after each step.

# %%
def learn(refresh, see=x, seed=0, gamma=gamma, steps=2000, batch=lambda t: np.arange(2 * rooms)):
    """Deep Q-learning in the corridor: the network, and the largest value that it believed in after each step."""
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
# Nothing in the derivation asked for a second network. **So predict:** in this corridor no value exceeds 1. All 20
# experiences are used in every step, nothing is left to chance but the first weights. What is the largest value that
# a single network comes to believe in?

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
apart = [learn(refresh=1, see=np.eye(rooms), seed=seed)[1] for seed in range(3)]
print("one network, an input for each room: at most", *(f"{run.max():.1f}" for run in apart))

# %% [markdown]
# Calm. It is the gift itself, to see that states are alike, that makes learning from one's own words dangerous. The
# second network breaks the circle: while it stands still, the target stands still, and the first one can catch up.
#
# It is a brake, not a cure. With $\gamma = 0.99$ rewards are forgotten more slowly and rumours live longer; and the
# brake can be pulled too hard: each copy lets the reward seep back by about one room.

# %%
for discount, refresh in ((0.99, 1), (0.99, 10), (0.99, 100), (0.9, 300)):
    final_net, run = learn(refresh, gamma=discount, seed=1)
    right = (final_net(x).argmax(axis=1) == 1).sum()
    print(f"gamma {discount}, a copy every {refresh:3} steps: at most {run.max():9,.1f}, {right:2} rooms go right")

# %% [markdown]
# With $\gamma = 0.99$ even ten steps between two copies do not hold it: it believes in a hundred thousand, and walks
# into the wall in every room. With 100 steps the values stay sane, though not all rooms have understood. And with 300
# steps there is time for six copies only, too few to carry the news of the exit through ten rooms. There is no
# setting that is right for every problem; there are only curves to look at. (All this in a corridor of our own making.
# Domino players, below, do not even notice when the second network is taken away.)
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
for seed in range(3):
    met, draws = walk(seed), Draws(seed, 5)
    ways = {
        "newest": lambda t: met[999 + t : 1000 + t],
        "newest 32": lambda t: met[968 + t : 1000 + t],
        "32 of the last 1,000": lambda t: met[t : 1000 + t][draws.below(1000, 32)],
    }
    found = {name: learn(100, seed=seed, steps=3000, batch=batch)[0](x) for name, batch in ways.items()}
    print(f"seed {seed}:", ", ".join(f"{name} off by {abs(q - true).max():.2f}" for name, q in found.items()))

# %% [markdown]
# The memory is hardly ever far off. The newest experience alone is: while the walker dawdles at the left end, the
# network bends its shared weights to please the left end, and forgets the right one. The newest 32 do better, and
# not always. Drawn from a large memory, a minibatch has something of everything in it.
#
# The second gift of a memory is thrift. Look at the domino game of chapter 11, where commands move a falling domino on
# a board of six columns and six rows. Here are the first 10,000 experiences, made by random commands:

# %%
domino = tc.DeepQ(tc.DominoGrid(6, 6), seed=0)
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

print(f"cells that differ: {apart_by(range(9999), range(1, 10000)):.1f} from one step to the next, "
      f"{apart_by(*Draws(1, 0).below(10000, (2, 10000))):.1f} between any two")

# %% [markdown]
# The memory itself is a *ring*: a list of fixed length, where experience number $n$ goes to place $n$ modulo the
# length, so that it takes the place of the oldest one. Nothing is ever moved.
#
# > **In the paper.** Section 2 calls it *mémoire de reprise*. The printed algorithm shifts the whole list by one place
# > at every step; with 10,000 places that is 10,000 moves to store one experience. A ring does the same in one.
#
# ## The algorithm of the last page
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
# An algorithm that was never run has slips of the pen that only running shows. The print has three:
#
# - It tests whether the *first* state of an experience is final, `E[j][0]`. No experience begins in a final state. It
#   must be the last one, $s'$, or we have the ten-fold fortune from above.
# - It indents everything under the test for refreshing the second network, so that the game would stand still in
#   between.
# - It gives the second network weights of 0 at first, where section 3 has it "initially identical" to the first.
#
# None of them is a blunder; each is a line that the next hour of debugging would have found. That hour did not come.
#
# ## Dominoes
#
# The network sees the cells, as 0 or 1: one picture of the pile and one of the falling domino, each with two
# invisible rows on top, $2 \cdot 8 \cdot 6 = 96$ inputs. It has an output for each of the six commands. Learning goes
# on until somebody *proves* that the network plays for ever: there is only one piece, so the game has no chance in
# it, and if the network brings it back to a position where it has been, it will do so for ever.

# %%
domino.learn(progress=False)
print(domino.network, tc.prove_endless(domino), sep="\n")
tc.plots.learner_history(domino)

# %% [markdown]
# After 3,000 steps of learning. The table of chapter 11 plays whole games of random commands until it has met some
# fifty thousand states of this board; the network never saw most of them, and has 10,758 numbers in it. That was the
# promise, and it is kept. Now look at it at work.
#
# **Try this.** Press *Start* and wait until the memory is full of random play. What does the loss do at each dashed
# line, where the second network is refreshed? Then switch *target network* off, press *Reset* and start again: does
# it still find a proof? Last, a memory of 100 and a batch of 1.

# %%
DeepQPanel("domino", seed=0)

# %% [markdown]
# The runs that we made beforehand, five seeds each, tell how many steps it takes until the first proof. The command is
# `python tests/benchmarks/deep_q_figures.py domino 0 1 2 3 4`.

# %%
steps_to_proof = {"with a second network": [3000, 7000, 4000, 7000, 9000],
                  "with one network": [6000, 4000, 3000, 3000, 3000]}
for name, steps in steps_to_proof.items():
    print(f"{name}: {steps}, median {np.median(steps):.0f}")

# %% [markdown]
# All ten succeed, and without the second network it is, if anything, quicker. The cure for the corridor is not needed
# here: a domino that falls by one row changes two cells out of 96 and gives $s'$ an input of its own. So do not
# believe the corridor too much, either. A demonstration is chosen by its author.
#
# ## Tetris
#
# On a real board random moves almost never clear a row, and from bare cells there is next to nothing to learn. We
# help, by showing the network what TetrisBot sees: rows cleared, sum of heights, holes, bumpiness. A state is then a
# *list of moves*, each with the four features of the board that it leads to; the network has four inputs and a single
# output, the value of that move. The target is as before: $r$, the rows cleared, plus $\gamma$ times the best value
# among the moves of the next piece. It is the evaluation function of chapter 04 with a network in place of the sum,
# and nobody sets the weights.
#
# A short run, on 10 columns and 10 rows: 4,000 steps, a few hundred games. Every 500 steps the network plays 20 games
# of judgement without random moves, and the best one is kept. **Predict** where it stands in the end, beside the two
# players of chapter 04 that use the same features.

# %%
rules = tc.Rules(height=10)
short = SteadyDeepQ(tc.AfterstateValues(rules), seed=0, steps=4000, memory=1000,
                    judge_every=500, judge_games=20, judge_pieces=1000)
short.learn(progress=False)
judged = short.history["judged"]
print("lines a game when judged:", *(f"{lines:.1f}" for lines in judged))

# %%
two_weights = tc.Player(["holes", "bumpiness"], weights=[-5, -1], name="two weights")
for player in (short.player(), tc.PLAYERS["tetrisbot"], two_weights, tc.PLAYERS["dellacherie"]):
    print(tc.simulate(player, rules, games=200, seed=2026, progress=False))

# %%
plt.figure(figsize=(7, 3))
plt.plot(short.history["judged_at"], judged, "o-", color="#0072B2", label="network, in its games of judgement")
plt.axhline(111.6, color="#D55E00", linestyle="--", label="TetrisBot's weights, 200 games")
plt.axhline(152.4, color="#009E73", linestyle="-.", label="two weights, 200 games")
plt.xlabel("steps")
plt.ylabel("lines a game")
plt.legend()
plt.show()

# %% [markdown]
# ## What you have learned
#
# ## Where to go next
#
# - The [exercises](../exercises/12_deep_q.ipynb)
