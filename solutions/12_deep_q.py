# %% [markdown]
# # Exercises 12: deep Q-learning
#
# You will write the parts of the [lecture](../notebooks/12_deep_q.ipynb) yourself: a network forwards and backwards,
# the check that tells whether backwards is right, the memory, the targets. In the end you build a network by hand
# that plays Tetris without having learned anything.
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
from tetriscourse.mdp.deep_q.network import Network

# %% [markdown]
# ## 12.1 Forwards
#
# `layers` is a list of pairs `(W, b)`, as many as you like. Each layer turns its input into $xW + b$; what comes out
# is rectified, that is, negative numbers become 0, before it enters the next layer. The output of the *last* layer is
# left as it is. Write `forward(x, layers)`; every row of `x` is one input, and the result has as many rows.

# %%
def forward(x, layers):
    """The outputs of a network, a row for each row of x."""
    ### BEGIN SOLUTION
    for number, (W, b) in enumerate(layers, start=1):
        x = x @ W + b
        if number < len(layers):
            x = np.maximum(0, x)
    return x
    ### END SOLUTION

# %%
print(forward(np.array([[-3.0], [2.0]]), [(np.array([[1.0, -1.0]]), 0), (np.array([[1.0], [1.0]]), 0)]))

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
