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
from scipy.stats import ttest_ind

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.inference import student_interval
from tetriscourse.mdp.deep_q import in_torch
from tetriscourse.mdp.deep_q.afterstate_cells import AfterstateCells
from tetriscourse.mdp.deep_q.network import Adam, Network, squared

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
print(f"ours {ours}, with PyTorch {theirs}, and to fit it into our learner {lines(in_torch.TorchNetwork)}")

# %% [markdown]
# Thirty lines less where it counts. The third number is glue: it makes a network of PyTorch look like one of ours, so
# that `TorchDeepQ` can inherit memory, exploration, second network and judgements from `DeepQ`. With it, a dozen lines
# remain; an agent that is written for PyTorch from the first line does without. What is inherited is what took the work
# in chapter 12, and no library has it ready for a game in which a state is a list of boards.
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
# With PyTorch, the note says something like 1e-15: the last digit of a number of 64 bits, and nothing else.
#
# ## The same agent?
#
# The gradient is the same; is the agent? The test is a run of chapter 12: values of boards on 10x10, seen by DN's six
# features of a board and the sum of the heights, two hidden layers of 32 units, 20,000 steps, and 200 new games for the
# last network. **Predict:** with the same seed, will PyTorch's network clear the same number of lines as ours? About
# the same? Anything?

# %%
rows = {(row["learner"], row["board"]): row for row in stored_table("deep-q-torch").rows}

def show(board, *learners):
    """Rows of the table: the mean lines, and every run."""
    for learner in learners:
        row = rows[learner, board]
        print(f"{learner:31} mean {row['mean']:6,.1f}, runs", *(f"{lines:,.1f}" for lines in row["lines"]))

# %%
show("10x10", "ours", "PyTorch, our weights, rounded", "PyTorch as usual")

# %% [markdown]
# The second row is the same agent, in the strictest sense: it starts from our random weights, computes in 64 bits, and
# rounds values and weights to multiples of $2^{-24}$ after every step, as `SteadyDeepQ` does. Both of its runs are our
# first two, at every judgement and in the end, to the last decimal, after 20,000 steps in which one different digit
# could have sent them another way. So whatever we said in chapter 12 about deep Q-learning was not about our
# arithmetic.
#
# The third row is what you get if you write down the same agent as everybody would: PyTorch's own initial weights, 32
# bits, no rounding. Not one run is like ours. That is no mistake; it is another draw from the same urn, and the urn is
# wide: our five runs alone lie between 240 and 1,252 lines. Whoever reimplements an agent and compares *one* run with
# one published run learns next to nothing. What can be compared are means over seeds, with their intervals, along the
# whole run:

# %%
def band(learner):
    """The mean of the learning curves, and its interval of 95 % over the seeds."""
    curves = np.array(rows[learner, "10x10"]["curves"])
    return curves.mean(axis=0), [student_interval(one.mean(), one.std(ddof=1), len(one)) for one in curves.T]

plt.figure(figsize=(7, 3.2))
for learner, color, style in (("ours", "#0072B2", "-"), ("PyTorch as usual", "#D55E00", "--")):
    mean, edges = band(learner)
    steps = 2000 * np.arange(1, len(mean) + 1)
    plt.plot(steps, mean, style, color=color, label=f"{learner}, {len(rows[learner, '10x10']['lines'])} seeds")
    plt.fill_between(steps, *np.array(edges).T, color=color, alpha=0.2)
plt.xlabel("steps")
plt.ylabel("lines a game, when judged")
plt.legend(loc="upper left")
plt.show()

# %%
bands = zip(band("ours")[1], band("PyTorch as usual")[1], strict=True)
print(sum(low < most and least < high for (low, high), (least, most) in bands), "of 10 pairs of intervals overlap")
lines_of = [rows[learner, "10x10"]["lines"] for learner in ("ours", "PyTorch as usual")]
low, high = ttest_ind(*lines_of, equal_var=False).confidence_interval()
difference = np.subtract(*map(np.mean, lines_of))
print(f"in the end, ours less PyTorch's: {difference:.0f} lines ({low:.0f} to {high:.0f}, 95 %)")

# %% [markdown]
# The same curve within intervals, then, and look how much that leaves open: five runs of each could not
# see a difference of five hundred lines. They agree because we know little, not because we know that they agree. What
# settles the question is the second row.
#
# What does it cost? Milliseconds a step, on one core, judgements not counted:

# %%
for learner in ("ours", "PyTorch as usual"):
    print(f"{learner:16} {rows[learner, '10x10']['milliseconds']:.1f} ms")

# %% [markdown]
# For a network as small as this one, PyTorch takes twice the time of numpy. It has more to do for every operation,
# since it remembers what was computed from what, and that matters the less the larger the layers are. (Graphics cards,
# for which it is made, we have not used.) What it is good for comes next.
#
# ## Cells through a window
#
# Features were made by people. In chapter 12 the network saw nothing else, and we said that its hour comes where nobody
# knows the features. Can it find them, then, in the bare cells of a board?
#
# A board of 5x5 has 25 cells, so 25 inputs. A dense layer treats them as 25 unrelated numbers: what it has learned
# about a hole in the second column it has to learn anew for the third. But a hole is a hole anywhere. A *convolution*
# builds that in. It is a unit that looks through a small window, here of 3x3 cells, and the window slides over the
# board: one number for each place, all computed with *the same* nine weights. Several such units make several pictures
# of the board, called *channels*, and a second layer of windows looks at these pictures. With a window of 3x3 "a full
# cell above an empty one" takes a single unit.

# %%
print(inspect.getsource(in_torch.convolutional))

# %% [markdown]
# `Unflatten` makes a picture of the row of cells, `Flatten` a row of the pictures, and two dense layers make the value
# of it all. In PyTorch these are five lines. (By hand, the backward pass of a sliding window is a page of indices; it
# can be done, and once in a life one should.) Nothing else of the agent changes but what it sees, and the library has
# that as `AfterstateCells`:

# %%
problem = AfterstateCells("5x5")
state = problem.start(seed=1, episode=0)
print(len(state.rows), "boards of", state.rows.shape[1], "cells; the first of them, upside down:")
print(state.rows[0].reshape(5, 5).astype(int))

# %% [markdown]
# The board is small on purpose. On 10x10 random play clears a tenth of a row a game, so that bare cells have little to
# teach at first, and each step is several times as dear, since there are more moves and four times as many cells: what
# a convolution makes of that board, *we have not tried*. On 5x5 rows are cleared by chance, and chapter 10 knows the
# best possible play: 13.70 lines a game. Three learners, with the same moves, seeds and settings: our network of
# features, a dense network that sees the cells, and the convolution. The last two have about as many weights.

# %%
for learner in ("dense layers", "convolution"):
    print(f"{learner:13} {rows[learner, '5x5']['parameters']:,} parameters")

# %% [markdown]
# **Predict** their order, and how far the best of them stays behind 13.70.

# %%
show("5x5", "ours", "dense layers", "convolution")
for learner in ("ours", "dense layers", "convolution"):
    runs = rows[learner, "5x5"]["lines"]
    low, high = student_interval(np.mean(runs), np.std(runs, ddof=1), len(runs))
    cost = rows[learner, "5x5"]["milliseconds"]
    print(f"{learner:13} {low:4.1f} to {high:4.1f} lines (95 %), {cost:.1f} ms a step")

# %%
for name in ("dellacherie", "dn"):
    print(tc.simulate(name, "5x5", games=1000, seed=2026, progress=False))

# %% [markdown]
# From bare cells, after 30,000 moves, the convolution clears five lines of six that are possible at all. Each of its
# three runs is ahead of each run of our network, which sees features that people have polished, and of the published
# weights in the same 1,000 games. Let us be careful with that, and ask what it gains, and from what.
#
# - **From the window?** The dense network is the control: about as many weights, the same cells, the same moves. It is
#   behind in all three runs, by a good line. That is what the window gains, and it costs more than twice the time of a
#   step. (Dense layers of another shape, or given twice the steps for their time, we have not tried.)
# - **From PyTorch?** No: dense layers we have had since chapter 12, and they make ten lines of bare cells as well.
# - **From afterstates?** Probably, and most of it. MaskablePPO, which sees the cells *before* the move and has to find
#   out what each action does to them, makes 3.4 lines after a million placements (see the table in
#   [environments](environments.ipynb)). Here the rules make the move, and the network only says what it thinks of the
#   result. But the two differ in more than this, so this is our reading, not a control.
# - **For every board?** That we do not know. On 5x5 there are $2^{25}$ boards, of which few are met often; our features
#   were made for larger ones. And a network of seven features learns the same 11 lines in an eighth of the time.
#
# The last verdict of chapter 12 was that a network's hour comes where nobody knows the features. Here it has come, on a
# very small clock.
#
# ## PPO
#
# Ask anybody today which method to begin with, and the answer will be *PPO*, proximal policy optimisation (Schulman and
# others 2017). It does not learn what a move is worth but how *probable* it should be: a policy, as in [chapter
# 14](14_policies.ipynb), whose REINFORCE it descends from. A network gives a score to each move, and softmax makes
# probabilities of the scores. After some games, moves that came out better than expected are made more probable and
# others less. "Better than expected" is the *advantage* $A$, and what is expected is told by a second network, the
# *critic*. The trick that gave it its name is a fence. With $\rho$, how many times as probable the move has become
# since it was made, each update raises
#
# $$\min\bigl(\rho A,\; \mathrm{clip}(\rho,\, 1 - \varepsilon,\, 1 + \varepsilon)\, A\bigr)$$
#
# and there is nothing more to gain once $\rho$ has left the fence in the right direction. So the same experiences can
# be used a few times without running away from the policy that made them.
#
# Stable-Baselines3 has PPO, and sb3-contrib a variant that respects masks of actions. In [Tetris for
# Gymnasium](environments.ipynb) it learned on 5x5, with a network that sees the features of all 20 moves side by side.
# It stayed behind the six weights that Dellacherie set by hand, and that page offered an explanation: the network has
# to learn for each *place* in its input anew what a hole is worth. An explanation needs a control, and here it is. The
# policy `policy_of_moves` scores the features of each move by *one* small network, the same for all moves, and so
# scores afterstates as chapters 04 and 12 do:
#
# ```python
# from tetriscourse.gym.baselines import for_baselines, policy_of_moves
#
# envs = gymnasium.make_vec("tetriscourse/Tetris-v0", num_envs=64, rules="5x5", observation="features",
#                           features="dellacherie", autoreset_mode="SameStep")
# learner = MaskablePPO(policy_of_moves(), for_baselines(envs), policy_kwargs={"mean": mean, "sd": sd})
# ```
#
# (`mean` and `sd` scale the features, as in chapter 12.) Same features, same million placements, same settings of PPO,
# same seeds; only the network is another:

# %%
def ppo(board, *kinds):
    """What is stored of PPO: lines in new games, with 95 % for the games of each run."""
    table = stored_table({"5x5": "gym-ppo", "10x10": "gym-ppo-10x10"}[board]).rows
    for row in table:
        if any(row["player"] in (kind, *(f"MaskablePPO, {kind}, seed {seed}" for seed in range(3))) for kind in kinds):
            print(f"{row['player']:62} {row['mean']:8,.2f} ({row['low']:,.2f} to {row['high']:,.2f})")

# %%
ppo("5x5", "features", "features move by move", "dellacherie", "dn")

# %% [markdown]
# All three runs that score moves one by one are above all three that see them side by side, by one and a half lines,
# and their intervals do not touch. With weights that are shared between moves, PPO is level with the players whose six
# or eight weights are shared between moves, too. It is the lesson of the window again: tell a network what is *the
# same*, and it need not learn it twenty times. (Not all of the gain need come from there: the new network also has
# scaled inputs, and units that are cut off at 0 in place of smooth ones. To take that apart, give the old one these
# two, and run it again.)
#
# ### On 10x10
#
# Chen and others (2026, *Bitboard version of Tetris AI*, arXiv 2603.26765) report an average score of 3,829 on 10x10
# within three minutes of PPO on afterstates, with features of Dellacherie and Thiery, a PPO of their own making and a
# simulator of their own. What does the one off the shelf make of DN's eight features? Half a million placements, a
# quarter of a minute to a minute of one core; *longer* is three million. Moves are scored by a network with two hidden
# layers of 32 units, or with none (*in a sum*), whose steps of 0.01 were chosen after a look at the first runs with
# 0.001. The last two rows are Dellacherie's and DN's weights, in the same 200 games.

# %%
sums = ("features in a sum", "features in a sum, steps of 0.01", "features in a sum, steps of 0.01, longer")
ppo("10x10", "features move by move", *sums, "dellacherie", "dn")

# %% [markdown]
# And what did a search of chapters 07 to 09 find with the same eight features, from a million moves, in the same games?

# %%
for row in stored_table("deep-q-rivals").rows:
    if (row["features"], row["moves"]) == ("DN's eight", 10**6):
        print(f"{row['name']:17} mean {row['mean']:5,.0f}, runs", *(f"{one:,.0f}" for one in row["lines"]))

# %% [markdown]
# Four things to see.
#
# - **Seeds.** The network's three runs differ by a factor of more than three. One of them alone would have made a fine
#   figure for a poster, or a sad one.
# - **The step size.** A sum that learned with steps of 0.001 has not arrived after half a million placements. Ten times
#   the step is worth a factor of seven, more than anything else here, and we found it by looking at these very runs.
#   The network was not given other steps, so the rows do *not* say that a sum is better than a network.
# - **The published figure.** With three million placements, a minute and a half of one core, our three runs clear more
#   than Dellacherie's weights, or as much, and less than the 3,829 that were reported and than DN's weights. The PPO of
#   Chen and others is not the one off the shelf, their features, settings and machine are others, and they had three
#   minutes. So this is neither a reproduction nor a refutation; it is what you may expect if you take what is there.
# - **The searches.** Cross-entropy found better weights for the same eight features in each of its five runs, from a
#   third of the moves. PPO sees every move, and the search only how a game ended; here that did not help. ([Chapter
#   14](14_policies.ipynb) has the plot of all methods.)
#
# On the lower board, 5x5, PPO came to four fifths of the best possible play, level with weights that were set by hand
# or searched. On 10x10 its longer runs come to two thirds of what DN's weights clear. Why less there? Good games last
# for thousands of moves, and with $\gamma = 0.99$ a learner looks about a hundred ahead; but that is a guess, and a
# larger $\gamma$ is an experiment that is yours to make.
#
# ## What you have learned
#
# - Automatic differentiation saves the backward pass, and with it the lines in which most mistakes are made. It does
#   not save the agent: memory, targets, exploration and judgement are still yours.
# - The same agent gives the same figures only if weights, bits and rounding are the same. Otherwise compare means over
#   seeds along the run, with intervals.
# - A convolution shares its weights between all places of a board. On 5x5 that was worth a good line in ten at equal
#   moves, for twice the time.
# - PPO off the shelf is quickly set up. What it makes of a game depends on what you let it see, and on which weights
#   are shared.
#
# ## Where to go next
#
# - `tests/benchmarks/torch_figures.py` and `gym_ppo.py` make all these tables. Change a line, and see: other windows, a
#   wider board, `double=True`, another $\gamma$.
# - [Chapter 14](14_policies.ipynb) has the policies from which PPO descends, and [chapter 15](15_championship.ipynb)
#   takes players from anywhere, PyTorch included.
