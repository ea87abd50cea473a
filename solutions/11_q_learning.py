# %% [markdown]
# # Exercises 11: domino Q-learning
#
# Piece by piece you will write the learner of the [lecture](../notebooks/11_q_learning.ipynb): how curious it is,
# what it chooses, what it learns from a step, and how to prove that it never loses. Then you will fool a learner that
# sees too little. In the end you are the one who pays: invent a reward that teaches in a handful of games.
#
# **Time** about {{minutes}} minutes.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.

# %%
import random
from dataclasses import replace
from math import exp

import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.mdp.states import differences

def domino(size):
    """The domino game on a square board."""
    return replace(tc.RULES["domino"], width=size, height=size)

# %% [markdown]
# ## 11.1 How curious?
#
# The share of random actions falls from $\varepsilon_{max}$ in game 0 towards $\varepsilon_{min}$, the faster the
# larger $\tau$ is. Write the schedule of Muller and Ponton as `epsilon(k, low, high, tau)`. (`exp` is imported.)

# %%
def epsilon(k, low, high, tau):
    """The share of random actions in game k."""
    ### BEGIN SOLUTION
    return low + (high - low) * exp(-tau * k)
    ### END SOLUTION

# %%
print([epsilon(k, 0.01, 1.0, 0.001) for k in (0, 1000, 100_000)])

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
