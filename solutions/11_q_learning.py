# %% [markdown]
# # Exercises 11: domino Q-learning
#
# Piece by piece you will write the learner of the [lecture](../notebooks/11_q_learning.ipynb): how curious it is,
# what it chooses, what it learns from a step, and how to prove that it never loses. Then you will fool a learner that
# sees too little. Then you are the one who pays: invent a reward that teaches in a handful of games. In the end you
# prove why a mean is not always the best step, and find your way through a dark corridor.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
import random
from dataclasses import replace
from math import exp, log

import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.course.hidden_worlds import Corridor
from tetriscourse.mdp.states import differences

def domino(size):
    """The domino game on a square board."""
    return replace(tc.RULES["domino"], width=size, height=size)

# %% [markdown]
# ## 11.1 How curious?
#
# The share of random actions falls from $\varepsilon_{max}$ in game 0 towards $\varepsilon_{min}$, the faster the
# larger $\tau$ is; the formula is in the lecture. But who has a feeling for $\tau = 0.001$? One would rather say "in
# game 1,000 I want one random action in ten". Write `tau_for(share, k, low, high)`: the $\tau$ with which the share is
# `share` in game `k`, if it falls from `high` towards `low`. (`exp` and `log`, the natural logarithm, are imported.)

# %%
def tau_for(share, k, low, high):
    """The tau with which the share of random actions has fallen to a given one in game k."""
    ### BEGIN SOLUTION
    return log((high - low) / (share - low)) / k
    ### END SOLUTION

# %%
print(tau_for(0.1, 1000, 0.01, 1.0))

# %%
check("11.1")

# %% [markdown]
# ## 11.2 Any action, or the best
#
# Write `choose(values, epsilon, rng)`, which returns the number of an action. `values` is the row of the table: a
# list with the value of each action. With probability `epsilon` *any* action is taken, all with the same chance, the
# best one included. Otherwise one with the highest value; if several have it, chance decides between those. (So it
# guesses where all values are still 0.)
#
# `rng` is a `random.Random`: `rng.random()` is a number from 0 to 1, `rng.randrange(n)` one of 0 to n - 1,
# `rng.choice(items)` one of the items.

# %%
def choose(values, epsilon, rng):
    """An epsilon-greedy choice: the number of an action."""
    ### BEGIN SOLUTION
    if rng.random() < epsilon:
        return rng.randrange(len(values))
    return rng.choice([a for a, value in enumerate(values) if value == max(values)])
    ### END SOLUTION

# %%
rng = random.Random(11)
chosen = [choose([0, 3, 1, 3], 0.2, rng) for _ in range(1000)]
print({action: chosen.count(action) for action in range(4)})

# %%
check("11.2")

# %% [markdown]
# ## 11.3 The update
#
# The table `Q` is a dictionary: `Q[s]` is the list of the values of the actions in state `s`. The learner was in
# state `s`, took action `a`, got the reward `r` and is now in state `s2`. Write `new_value(Q, s, a, r, s2, alpha,
# gamma)`, which returns what $Q(s, a)$ becomes. (Only return the number; leave the table as it is.) Mind two special
# cases:
# - `s2` is `None` if the game is over. Then nothing more will come.
# - `s2` may be a state that is not in the table yet. Then all its values count as 0.

# %%
def new_value(Q, s, a, r, s2, alpha, gamma):
    """The value of action a in state s after this experience."""
    ### BEGIN SOLUTION
    best = max(Q[s2]) if s2 in Q else 0
    return (1 - alpha) * Q[s][a] + alpha * (r + gamma * best)
    ### END SOLUTION

# %%
print(new_value({"low": [0.0, 2.0], "high": [5.0, 1.0]}, "low", 1, 1, "high", 0.1, 0.9))

# %%
check("11.3")

# %% [markdown]
# ## 11.4 Where it has been before
#
# A player without chance is a function: from each state it leads to exactly one next state. Write `find_cycle(step,
# start)`. It follows the game from the state `start`, with `state = step(state)`. If the game is lost, `step` gives
# `None`: then return the word `"lost"`. If some state comes again, return two numbers: how many states there were
# *before* the cycle, and how many are *in* the cycle. For 7 → 3 → 5 → 4 → 5 → 4 → ... that is `(2, 2)`. States can be
# anything that a dictionary takes as a key; call `step` no more often than you need.

# %%
def find_cycle(step, start):
    """States before the cycle and states in it, or 'lost'."""
    ### BEGIN SOLUTION
    number_of, state = {}, start
    while state is not None and state not in number_of:
        number_of[state] = len(number_of)
        state = step(state)
    if state is None:
        return "lost"
    return number_of[state], len(number_of) - number_of[state]
    ### END SOLUTION

# %%
print(find_cycle({7: 3, 3: 5, 5: 4, 4: 5}.get, 7))

# %% [markdown]
# With it you can prove that a table plays without end. This one has learned placements on 5x5; its states are boards.

# %%
q = tc.QLearning(domino(5), actions="placements", episodes=2000).learn(progress=False)
piece = q.rules.pieces[0]
found = find_cycle(lambda board: getattr(q.choose(board, piece), "after", None), q.rules.empty_board())
print("yours:  ", found)
print("library:", tc.prove_endless(q))

# %%
check("11.4")

# %% [markdown]
# ## 11.5 Two boards, one state
#
# Bdolah and Livnat's learner sees only the differences between the heights of neighbouring columns, for the domino
# cut off at -2 and 2. Find two boards of 4x4 that are *the same* to it, and a trap: some placement of the domino
# clears more rows on one of them than on the other. Neither board may have a full row. Write them as text, top row
# first, as in `tc.Board.from_text("X...\nXX.X", height=4)`.

# %%
twins = ...  # replace the dots: (tc.Board.from_text(..., height=4), tc.Board.from_text(..., height=4))
### BEGIN SOLUTION
twins = tc.Board.from_text("XX..\nXX..", height=4), tc.Board.from_text("XX..\nX...", height=4)
### END SOLUTION

# %%
if twins is not ...:
    for board in twins:
        print(f"{board}\ndifferences {np.clip(np.diff(board.heights), -2, 2)}, state {differences(board, cap=2)}\n")

# %%
check("11.5")

# %% [markdown]
# ## 11.6 A reward that teaches (open)
#
# A coin for each row is honest, but it comes late. On 6x6 with placements it takes a few hundred games before the
# table plays without end. You may pay the learner differently. Write `reward(before, after, points, lost)`, where
# `before` and `after` are the boards before and after a move, `points` the points that it scored, and `lost` whether
# it lost the game. And choose the settings: any of `alpha`, `gamma`, `epsilon_max`, `epsilon_min`, `tau`. The goal:
# with each of three seeds, a *proof* of an endless game after **at most 60 games**. How few can you do with?
#
# Whether a game is endless is proved with the true rules, not with your reward. Think of what a good teacher praises:
# not only the diploma. (`board.heights` are the heights of the columns, `board.full` its cells as an array of True
# and False.)

# %%
def reward(before, after, points, lost):
    """What the learner is paid for a move."""
    ### BEGIN SOLUTION
    rougher = np.abs(np.diff(after.heights)).sum() - np.abs(np.diff(before.heights)).sum()
    return points - 0.1 * rougher  # flat ground is where rows come from
    ### END SOLUTION

# %%
settings = {"alpha": 0.1, "gamma": 0.9, "epsilon_max": 1.0, "epsilon_min": 0.01, "tau": 0.001}  # yours to change
### BEGIN SOLUTION
# In a game without chance one sample is enough. Rough ground costs, so what was never tried, with its 0, looks better
# than what was tried and made things worse: the greedy learner is curious all by itself.
settings = {"alpha": 1.0, "gamma": 0.9, "epsilon_max": 0.0, "epsilon_min": 0.0}
### END SOLUTION

# %% [markdown]
# A learner that is paid by you, and after how many games (in steps of five) there is a proof:

# %%
class Paid(tc.TetrisEnv):
    """The same machine, but other coins."""

    def step(self, action):
        before = self.board
        state, points, lost, *rest = super().step(action)
        return state, reward(before, self.board, points, lost), lost, *rest

def games_until_proof(seed, most=60):
    """After how many games it plays without end; None: not by then."""
    q = tc.QLearning(domino(6), actions="placements", max_pieces=30, compiled=False, seed=seed, **settings)
    q.env = Paid(q.rules, "placements", max_pieces=30)
    while q.done < most:
        for _ in range(5):
            q.episode()
        if tc.prove_endless(q):
            return q.done

# %%
if reward(tc.Board.empty(6, 6), tc.Board.empty(6, 6), 0, False) is not None:
    print([games_until_proof(seed) for seed in (101, 102, 103)])

# %%
check("11.6")

# %% [markdown]
# ## 11.7 A mean that takes too long
#
# Let the $n$-th visit of a pair move its value by $\alpha_n = 1/n$ of the way, $Q \leftarrow (1 - \alpha_n)\, Q +
# \alpha_n \cdot \text{target}$. In the lecture that was best of all for a slot machine, and hopeless for two placements
# that feed on each other. Prove both.
#
# 1. *The slot machine.* The target is a reward $r_n$ that does not depend on any $Q$. Prove that after $n$ visits $Q$
#    is the mean of $r_1, \dots, r_n$, whatever it was at first.
# 2. *The loop.* There is one state and one action, which pays 1 and leads back to the state: the target is $1 + \gamma
#    Q$. What is $Q_*$? Let $e_n = Q_* - Q$ after $n$ visits, beginning with $Q = 0$. Prove that $e_n = \left(1 -
#    \dfrac{1 - \gamma}{n}\right) e_{n-1}$.
# 3. Conclude that $e_n \ge \gamma\, n^{-(1-\gamma)}\, e_0$. You may use *Bernoulli's inequality*: $(1 - x)^p \le 1 - p
#    x$ for $0 \le x \le 1$ and $0 \le p \le 1$. With $\gamma = 0.9$, how many visits does it take, at least, until only
#    a tenth of the error is left? And how many with a constant $\alpha = 0.1$?

# %% [markdown] answer="11.7"
# **1.** By induction. After the first visit $Q = (1 - 1) \cdot Q + 1 \cdot r_1 = r_1$: the first value is forgotten. If
# $Q$ is the mean of the first $n - 1$ rewards, the next visit makes it
#
# $$\left(1 - \frac1n\right) \frac{1}{n-1} \sum_{i=1}^{n-1} r_i + \frac1n\, r_n = \frac1n \sum_{i=1}^{n} r_i .$$
#
# **2.** $Q_* = 1 + \gamma Q_*$, so $Q_* = 1 / (1 - \gamma)$. Before the visit $Q = Q_* - e_{n-1}$, and the target is
# $1 + \gamma Q_* - \gamma e_{n-1} = Q_* - \gamma e_{n-1}$. So the new value is
#
# $$\left(1 - \frac1n\right) (Q_* - e_{n-1}) + \frac1n (Q_* - \gamma e_{n-1}) = Q_* - \left(1 - \frac1n +
# \frac{\gamma}{n}\right) e_{n-1} ,$$
#
# which is the claim.
#
# **3.** Hence $e_n = e_0 \prod_{k=1}^n \left(1 - \frac{1-\gamma}{k}\right)$. The factor for $k = 1$ is $\gamma$. For
# the others, Bernoulli's inequality with $x = 1/k$ and $p = 1 - \gamma$ gives $1 - \frac{1-\gamma}{k} \ge
# \left(\frac{k-1}{k} \right)^{1-\gamma}$, and the product of $\frac12 \cdot \frac23 \cdots \frac{n-1}{n}$ is $\frac1n$.
# So $e_n \ge \gamma\, n^{-(1-\gamma)}\, e_0$. For $e_n \le e_0 / 10$ with $\gamma = 0.9$ one needs $0.9\, n^{-0.1} \le
# 0.1$, that is $n \ge 9^{10} \approx 3.5$ billion visits. With a constant $\alpha = 0.1$ the factor is $1 - 0.1 \cdot
# 0.1 = 0.99$ each time, and $0.99^n \le 0.1$ from $n = 230$ on. The mean is so slow because it keeps *all* targets with
# the same weight, and the early ones were computed from a $Q$ that was still wrong.

# %% [markdown]
# ## 11.8 A dark corridor
#
# Twelve doors in a row, and behind the last one a prize of 10. Each door has three keys. One opens it; the other two
# send you back to the entrance. A random walker gets through once in $3^{12}$ attempts, that is, never. You have 6,000
# moves. Design a learner that finds the way: choose what is tried, and how far a value moves.
#
# - `world.reset()` goes to the entrance and returns the number of its door (doors are numbered by lot);
# - `world.step(key)` tries key 0, 1 or 2 and returns the next door (`None` at the end), the reward, and whether the end
#   is reached. Then begin anew with `world.reset()`. Each call costs one move;
# - `world.left` is the number of moves left (who asks for more gets an error), `world.gamma` is 0.95, `world.keys` 3.
#
# Write `find(world)`, which returns a dict: the key for each door that you know. What it is worth at the entrance is
# computed exactly, and must be nine tenths of the best, in each of three hidden corridors of a kind. A point for a
# plain **corridor**. One more if at the entrance a wrong key pays a **coin** of 0.2, as often as you like. And one more
# if your **hand slips**: there, one move in ten tries any key instead of yours (and the coin is 0.1).

# %%
def find(world):
    """The key for each door, after all moves are made."""
    ### BEGIN SOLUTION
    hope, total = 10.0, world.left                      # nothing can be worth more: what is untried looks best
    rng, Q = random.Random(1), {}
    s = world.reset()
    while world.left:
        row = Q.setdefault(s, [hope] * world.keys)
        a = rng.choice([k for k, value in enumerate(row) if value == max(row)])
        s2, r, over = world.step(a)
        ahead = 0 if over else max(Q.setdefault(s2, [hope] * world.keys))
        alpha = 0.4 if world.left > total / 2 else 0.05  # first to learn quickly, then to average what slips
        row[a] += alpha * (r + world.gamma * ahead - row[a])
        s = world.reset() if over else s2
    return {s: row.index(max(row)) for s, row in Q.items()}
    ### END SOLUTION

# %% [markdown]
# Three corridors to try it in, one of each kind; the hidden ones have other keys.

# %%
for corridor in (Corridor(0), Corridor(0, coin=0.2), Corridor(0, coin=0.1, slip=0.1)):
    found = find(corridor)
    if found is not None:
        print(f"{corridor.share(found):.0%} of the best, {corridor.left} moves left")

# %%
check("11.8")
