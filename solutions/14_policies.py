# %% [markdown]
# # Exercises 14: learning a policy
#
# You will write the parts of the [lecture](../notebooks/14_policies.ipynb) yourself: what a wrong choice costs, the
# slope of a policy with dice, REINFORCE, the natural gradient. Then you prove what a baseline does, divide a budget
# between states, rollouts and rounds, and teach a policy on 10x10 with so few moves that a search would hardly notice
# them.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
from contextlib import suppress

import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.mdp.policies.metered import BudgetSpent, MeteredSource
from tetriscourse.mdp.policies.samples import Policy

# %% [markdown]
# ## 14.1 What a wrong choice costs
#
# A lesson is a pair `(phi, Q)`: what the moves of a state look like, a row of features for each, and what each is
# worth. A policy with weights `theta` takes the move of highest `phi @ theta`, the first of them in a tie. Write
# `cost(theta, lessons)`: by how much, on average over the lessons, the value of the move taken falls short of the best
# one. A state in which no move is possible (`len(Q) == 0`) leaves nothing to choose and is left out of the mean.

# %%
def cost(theta, lessons):
    """What the choices of a linear policy cost, on average over the states in which there is a choice."""
    ### BEGIN SOLUTION
    return np.mean([Q.max() - Q[(phi @ theta).argmax()] for phi, Q in lessons if len(Q)])
    ### END SOLUTION

# %%
lessons = [(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 5.0])), (np.array([[2.0, 1.0]]), np.array([1.0]))]
print(cost(np.array([1.0, 0.0]), lessons), cost(np.array([0.0, 1.0]), lessons))

# %%
check("14.1")

# %% [markdown]
# ## 14.2 A policy with dice, and its slope
#
# Write two functions for one state with features `phi`, a row for each move.
#
# - `chances(theta, phi)`: the probabilities of the moves under $\pi(a) \propto \exp(\theta^T \phi(a))$. They must also
#   come out when scores are in the thousands, where `np.exp` alone has long given up.
# - `slope(theta, phi, a)`: $\psi(a) = \nabla_\theta \log \pi(a)$, by how much the logarithm of the probability of move
#   `a` changes with each weight.

# %%
def chances(theta, phi):
    """The probability of each move."""
    ### BEGIN SOLUTION
    scores = phi @ theta
    p = np.exp(scores - scores.max())
    return p / p.sum()
    ### END SOLUTION

def slope(theta, phi, a):
    """The slope of the logarithm of the probability of move a, one number for each weight."""
    ### BEGIN SOLUTION
    return phi[a] - chances(theta, phi) @ phi
    ### END SOLUTION

# %%
phi = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
print(chances(np.array([0.5, -0.5]), phi), slope(np.array([0.5, -0.5]), phi, 1))

# %%
check("14.2")

# %% [markdown]
# ## 14.3 REINFORCE
#
# A recorded game is a list of steps `(phi, a, r)`, from the first move to the last: the features of all moves that
# were possible, the number of the move made, and the reward that it brought. Write `reinforce(theta, games, b)`: the
# estimate of the gradient of the mean score of a game, from the games of a softmax policy with weights `theta`, with
# a baseline `b` that is the same number everywhere:
#
# $$\frac{1}{N} \sum_{\text{games}} \sum_t \psi(s_t, a_t)\, (G_t - b), \qquad
# G_t = r_t + r_{t+1} + \dots + r_{\text{last}}.$$
#
# You may use your functions of 14.2.

# %%
def reinforce(theta, games, b=0.0):
    """The gradient of the mean score, estimated from games."""
    ### BEGIN SOLUTION
    gradient = np.zeros(len(theta))
    for game in games:
        G = 0.0
        for phi, a, r in reversed(game):
            G += r
            gradient += slope(theta, phi, a) * (G - b)
    return gradient / len(games)
    ### END SOLUTION

# %%
print(reinforce(np.array([0.5, -0.5]), [[(phi, 1, 0.0), (phi, 2, 1.0)], [(phi, 0, 0.0)]], b=0.25))

# %%
check("14.3")

# %% [markdown]
# ## 14.4 Downhill for whom?
#
# Let a game consist of a single move: a state is drawn, each being equally likely, a move is made, and `Q` is what it
# brings. Then nothing has to be sampled. From `lessons` as in 14.1 (each with at least one move), write
# `natural(theta, lessons)`, the natural gradient of the mean reward of the softmax policy:
#
# $$w = F^{-1} g, \qquad g = \mathbb{E}[\psi(s, a)\, Q(s, a)], \qquad F = \mathbb{E}[\psi(s, a)\, \psi(s, a)^T],$$
#
# with the mean over states and over the moves of the policy. If several $w$ solve $Fw = g$, as they do when a feature
# is the same for all moves of every state, return the shortest.

# %%
def natural(theta, lessons):
    """The natural gradient of the mean reward, exactly."""
    ### BEGIN SOLUTION
    g, F = 0.0, 0.0
    for phi, Q in lessons:
        p = chances(theta, phi)
        psi = phi - p @ phi
        g = g + (p * Q) @ psi
        F = F + (psi.T * p) @ psi
    return np.linalg.lstsq(F, g, rcond=None)[0]
    ### END SOLUTION

# %%
two = [(phi, np.array([1.0, 0.0, 2.0])), (phi[:2], np.array([0.0, 1.0]))]
print(natural(np.array([0.5, -0.5]), two), "and, with the first feature in tenths,",
      natural(np.array([0.05, -0.5]), [(one * [10, 1], Q) for one, Q in two]))

# %%
check("14.4")

# %% [markdown]
# ## 14.5 What may be subtracted
#
# REINFORCE weighs $\psi(s_t, a_t)$ with $G_t - b$. In the lecture baselines changed the spread of the estimate, and
# not its mean. Prove both halves of that. Let $s$ be a state, $a$ a move drawn from $\pi_\theta(\cdot \mid s)$, $G$ the
# return from there on, and $\psi = \nabla_\theta \log \pi_\theta(a \mid s)$.
#
# 1. Show that $\mathbb{E}[\psi\, b(s)] = 0$ for every function $b$ of the state. Where does your proof fail if $b$ also
#    depends on the move?
# 2. Now let $b$ be one number, and look at one component $\psi_i$. Which $b$ makes the variance of $\psi_i\,(G - b)$
#    smallest?
# 3. How much variance does this $b$ save, compared with $b = 0$? Give a condition under which the best $b$ is simply
#    the mean return $\mathbb{E}[G]$.

# %% [markdown] answer="14.5"
# *1.* Given the state, the probabilities of the moves add up to 1, whatever $\theta$ is. Since $\pi \nabla \log \pi =
# \nabla \pi$,
#
# $$\mathbb{E}[\psi \mid s] = \sum_a \pi_\theta(a \mid s)\, \nabla \log \pi_\theta(a \mid s) = \sum_a \nabla
# \pi_\theta(a \mid s) = \nabla \sum_a \pi_\theta(a \mid s) = \nabla 1 = 0.$$
#
# (The sum is finite, so slope and sum may change places.) A factor $b(s)$ is a constant once the state is given:
# $\mathbb{E}[\psi\, b(s)] = \mathbb{E}\big[b(s)\, \mathbb{E}[\psi \mid s]\big] = 0$. If $b$ depends on the move, it
# cannot be taken out of the sum over $a$, and $\sum_a b(s, a) \nabla \pi_\theta(a \mid s)$ is in general not 0. (With
# $b = Q$ it is the whole gradient.)
#
# *2.* By 1 the mean $m = \mathbb{E}[\psi_i (G - b)]$ is the same for all $b$. So the variance is smallest where the
# mean square is:
#
# $$\mathbb{E}[\psi_i^2 (G - b)^2] = \mathbb{E}[\psi_i^2 G^2] - 2b\, \mathbb{E}[\psi_i^2 G] + b^2\,
# \mathbb{E}[\psi_i^2].$$
#
# This is a parabola in $b$, open upwards if $\mathbb{E}[\psi_i^2] > 0$ (otherwise $\psi_i$ is always 0, and any $b$
# will do). Its lowest point is where the slope $2b\, \mathbb{E}[\psi_i^2] - 2\, \mathbb{E}[\psi_i^2 G]$ is 0:
#
# $$b^* = \frac{\mathbb{E}[\psi_i^2\, G]}{\mathbb{E}[\psi_i^2]},$$
#
# a mean of the return in which a visit counts by the square of its slope.
#
# *3.* Put $b^*$ in: the mean square falls from $\mathbb{E}[\psi_i^2 G^2]$ by $\mathbb{E}[\psi_i^2 G]^2 /
# \mathbb{E}[\psi_i^2]$, and the variance by as much, since the mean is the same. If $\psi_i^2$ and $G$ are
# uncorrelated, $\mathbb{E}[\psi_i^2 G] = \mathbb{E}[\psi_i^2]\, \mathbb{E}[G]$, and $b^* = \mathbb{E}[G]$. They are
# in particular when they are independent.

# %% [markdown]
# ## 14.6 A budget to be divided
#
# You may play so many moves and no more. Direct policy iteration on 4x4, with DT's nine features (the lecture's), has
# four knobs: `states` whose moves are valued, `rollouts` after each of these moves, the `horizon` of a rollout in
# moves, and the number of `iterations`. A round costs about
#
# $$\texttt{states} \cdot \big( 5 + 4.3 \cdot \texttt{rollouts} \cdot (\texttt{horizon} + 1) \big)$$
#
# moves, since a state of 4x4 has some four moves, and five are played to find the next state. Many states or many
# rollouts? Long ones or many rounds? Write `plan(budget)`, which returns the four numbers in a dictionary, for any
# budget from 5,000 to 50,000 moves. A round that would go beyond the budget does not take place: the policy before it
# is the one that counts.
#
# Your plan is judged by what comes out. It is carried out at 5,000 and at 50,000 moves with hidden seeds, the policies
# are valued exactly, and the mean is compared with the best possible play. `tried` does the same with seeds of your
# own. So design an experiment: what do you compare, over how many seeds, with what change at a time?

# %%
def carried_out(plan, budget, seed):
    """The exact value on 4x4 of the policy that a plan gives."""
    source = MeteredSource("4x4", "dt", budget)
    learner = tc.DPI(source, seed=seed, judge_games=0, **plan)
    with suppress(BudgetSpent):
        learner.learn(progress=False)
    return tc.exact_value(learner.player(), "4x4", progress=False).start

def tried(plan, budget, seeds=range(5)):
    """The mean over some seeds."""
    return np.mean([carried_out(plan, budget, seed) for seed in seeds])

print(f"{tried({'states': 60, 'rollouts': 1, 'horizon': 30, 'iterations': 1}, 10_000):.2f} lines")

# %%
def plan(budget):
    """How many states, rollouts, moves of a rollout and rounds."""
    ### BEGIN SOLUTION
    # Tried with eight seeds each: one round beats two and four; one or two short rollouts beat longer ones.
    return {"states": budget // 42, "rollouts": 2, "horizon": 3, "iterations": 1}
    ### END SOLUTION

# %%
if plan(5_000):
    for budget in (5_000, 50_000):
        print(f"{budget:6,} moves: {tried(plan(budget), budget):.2f} lines")

# %%
check("14.6")

# %% [markdown]
# ## 14.7 A policy from a hundred thousand moves (open)
#
# Now 10x10, and *all* methods of the chapter, or one of your own. Write `learn(source, seed)`, which returns a player.
# `source` is a game of 10x10 with a meter: it takes part in any learner in the place of the rules, as in
# `tc.DPI(source, seed=seed, ...)`, counts what is played, and raises `BudgetSpent` beyond 100,000 moves.
# `source.sample(...)`, `source.roll_out(...)` and `source.left` are there for learners of your own. Its features are
# those of DT.
#
# The rule of the game: what you know of Tetris may go into the *design*; weights come out of these moves. No weights
# from elsewhere, no moves that the meter does not see.
#
# Your `learn` runs with three hidden seeds, and each player plays 100 games of at most 10,000 pieces. The median of the
# three is what counts. A first rung is at 300 lines, the next at 900, and the last at 1,600.

# %%
def learn(source, seed):
    """A player, learned from the moves that the source has left."""
    ### BEGIN SOLUTION
    learner = tc.PolicyGradient(source, seed=seed, direction="gradient", iterations=1000, judge_games=0)
    weights = []
    with suppress(BudgetSpent):
        while True:
            learner.advance()
            weights.append(learner.weights)
    return source.player(Policy(np.mean(weights, axis=0)), "mean of all policies")
    ### END SOLUTION

# %%
source = MeteredSource("10x10", "dt", 100_000)
player = learn(source, seed=1)
if player:
    print(source)
    print(tc.simulate(player, tc.Rules(height=10, max_pieces=10_000), games=100, seed=7, progress=False))

# %% [markdown]
# And a few sentences, as a text between three quotation marks: what have you tried, in which order, and over how many
# seeds? What made the greatest difference, and how do you know that it was not luck? (The check only looks whether you
# have written something; a teacher reads what.)

# %%
report = ...  # replace the dots by a text between three quotation marks
### BEGIN SOLUTION
report = """
First all methods of the library in their own settings, three seeds each: direct policy iteration with a hundred states
ended between 0 and a thousand lines, so with so few states it is mostly luck; LSPI had about a hundred. The natural
gradient came to some hundreds. The plain gradient with the same games was at a thousand lines after five thousand
moves, and then went up and down between 700 and 2,000, since its steps are always of the same length and each follows
a hundred games. Half the step was slower and calmer. So I took the mean of the weights of all iterations: over six
seeds, others than those that I had looked at before, no run fell below 1,800, while the last policies fell to 700.
"""
### END SOLUTION

# %%
check("14.7")
