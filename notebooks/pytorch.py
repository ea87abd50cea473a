# %% [markdown]
# # PyTorch
#
# Chapter 12 wrote a network, its gradient and its descent in numpy, so that you could read every line. Nobody does that
# at work. There one takes a library that finds gradients by itself, and the one that most people take is called
# *PyTorch*. This page takes it too, and asks three things of it: is it the same agent, with fewer lines? Is there
# something that it makes easy and that we did not dare to do by hand? And what does a learner off the shelf make of our
# game, the one that everybody names first, PPO?
#
# **You will learn**
# - which lines of chapter 12 PyTorch saves you, and how to make sure that nothing else has changed
# - why "the same agent, reimplemented" hardly ever gives the same figures, and when it does, to the last digit
# - what a convolution is, and what a network that sees bare cells through one makes of Tetris at equal moves
# - how to let PPO from Stable-Baselines3 score every move by one network, and what it reaches, beside a published
#   figure
#
# **You need** [chapter 12](12_deep_q.ipynb), both evenings, and [Tetris for Gymnasium](environments.ipynb) for the last
# part. PyTorch itself you do *not* need to read this page: all results are stored, each with the command that makes it.
# If you want to run the learners, `pip install "tetriscourse[torch]"` gets PyTorch, Stable-Baselines3 and sb3-contrib
# (some gigabytes, unless you choose a build for processors only).
#
# **Time** about {{minutes}} minutes.

# %%
import inspect
import sys

import matplotlib.pyplot as plt
import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.inference import student_interval
from tetriscourse.mdp.deep_q import in_torch
from tetriscourse.mdp.deep_q.afterstate_cells import AfterstateCells
from tetriscourse.mdp.deep_q.network import Adam, GradientDescent, Network, squared

# %% [markdown]
# The next cell looks whether PyTorch is there. Where it is missing, it says so, and the cells that begin with `if
# installed` do nothing; all others run the same. What such cells have to say they write as a *note*, on the channel of
# error messages, which is left out when the outputs of notebooks are compared: so this page looks the same with PyTorch
# and without.

# %%
def note(*words):
    """Print something that depends on what is installed."""
    print(*words, file=sys.stderr)

if not (installed := in_torch.torch is not None):
    note(in_torch.MISSING)

# %% [markdown]
# ## Somebody else's gradient
#
# What does a library for learning offer? Arrays, which it calls *tensors*, and a memory: each tensor knows from which
# others it was computed, and how. Ask the loss to go *backward*, and it walks back along these memories and leaves at
# each parameter the slope of the loss by it. That is the backward pass of chapter 12, line by line the same chain rule,
# but nobody has to write it, for any formula that is made of its operations. This is called *automatic
# differentiation*, and it is most of what you get.
#
# Here is the network in PyTorch: layers of these sizes, with a corner at 0 between them.

# %%
print(inspect.getsource(in_torch.dense))

# %% [markdown]
# And here is a step of learning. Compare it with `DeepQ.descend` in chapter 12: the target is the same line. Then the
# loss is *computed*, as if nobody wanted to go back, and three calls do the rest: forget the old slopes, find the new
# ones, take a step of Adam. (The target needs no guard against a slope that goes through both sides: it comes out of
# numpy, which has no memory of where it came from. Whoever computes it with tensors has to write `no_grad` or `detach`,
# and whoever forgets walks down the wrong hill of chapter 12, without any message.)

# %%
print(inspect.getsource(in_torch.TorchDeepQ.descend))

# %% [markdown]
# How much shorter is it? These are the lines of our own that are no longer needed, and those that stand in their place:

# %%
def lines(*things):
    """How many lines of code, without the empty ones and the texts that explain."""
    sources = [line for one in things for line in inspect.getsource(one).splitlines()]
    return sum(bool(line.strip()) and not line.strip().startswith(('"""', "#", "@")) for line in sources)

ours = lines(Network.passed, Network.forward, Network.backward, Network._draw, squared, Adam, tc.DeepQ.descend)
theirs = lines(in_torch.dense, in_torch.TorchDeepQ.descend)
print(f"ours {ours}, with PyTorch {theirs}")

# %% [markdown]
# More than the ten that one might have hoped for. The rest of the agent is not touched: `TorchDeepQ` inherits memory,
# exploration, second network and judgements from `DeepQ`. They are what took the work in chapter 12, and no library
# has them ready for a game in which a state is a list of boards.
#
# Is the gradient the same? We need not believe it. Take a network of ours, give PyTorch the same weights, and compare
# all slopes of the same loss.

# %%
x, y = np.linspace(-1, 1, 30).reshape(10, 3), np.linspace(0, 2, 10)[:, None]
net = Network((3, 8, 8, 1), seed=1)
slopes = net.backward(2 * (net.forward(x) - y) / len(y))

if installed:
    module = in_torch.same_network(net)
    in_torch.nn.functional.mse_loss(module(in_torch.torch.from_numpy(x)), in_torch.torch.from_numpy(y)).backward()
    found = np.concatenate([one.grad.numpy().T.ravel() for one in module.parameters()])
    note(f"{len(slopes)} slopes up to {abs(slopes).max():.2f}; they differ by at most {abs(found - slopes).max():.0e}")

# %% [markdown]
# With PyTorch, the note says something like 1e-16: the last digit of a number of 64 bits, and nothing else.
#
# ## The same agent?
