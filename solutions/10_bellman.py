# %% [markdown]
# # Exercises 10: Bellman equations
#
# You will write the whole of the [lecture](../notebooks/10_bellman.ipynb) yourself: the return, a backup, the values of
# a policy, the best values of all. Then you value a board of Tetris, and in the end you hunt for weights that come as
# close to perfection as you can. A judge that knows the exact answer awaits you.
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

world = {
    "low": {"clear": [(0.8, 1, "low"), (0.2, 0, "high")], "wait": [(1.0, 0, "high")]},
    "high": {"clear": [(0.5, 1, "low"), (0.5, 0, "high")], "wait": [(0.5, 4, "low"), (0.5, 0, "lost")]},
    "lost": {},
}

# %% [markdown]
# ## 10.1 The return
#
# Write `discounted(rewards, gamma)`: the return $R_1 + \gamma R_2 + \gamma^2 R_3 + \dots$ of a list of rewards, the
# first of which comes first. A game without rewards returns 0.

# %%
def discounted(rewards, gamma):
    """The return of a game with these rewards."""
    ### BEGIN SOLUTION
    G = 0
    for reward in reversed(rewards):
        G = reward + gamma * G
    return G
    ### END SOLUTION

# %%
print(discounted([0, 4, 1], 0.5))

# %%
check("10.1")

# %% [markdown]
# ## 10.2 One backup
#
# A world is written as in the lecture: `world[s][a]` lists what action `a` can lead to in state `s`, as tuples
# (probability, reward, next state). `v` is a dict with the value of each state.
#
# Write `backup(world, v, s, gamma)`: the best that one can get from state `s`, if the values `v` are right for all
# that comes afterwards. That is (7.8) followed by (7.7). A state without actions is worth 0. (Sutton and Barto call
# this a *backup*: value is carried back from the next states to this one.)

# %%
def backup(world, v, s, gamma):
    """The best value of state s by one step of looking ahead."""
    ### BEGIN SOLUTION
    worth = [sum(p * (reward + gamma * v[after]) for p, reward, after in outcomes) for outcomes in world[s].values()]
    return max(worth, default=0)
    ### END SOLUTION

# %%
print(backup(world, {"low": 7, "high": 6, "lost": 0}, "high", 0.9))

# %%
check("10.2")

# %% [markdown]
# ## 10.3 The values of a policy
#
# Write `evaluate(world, policy, gamma, sweeps)`: the values of all states, as a dict, after so many sweeps that begin
# with 0 everywhere. `policy[s]` names the action that is taken in `s`; it has no entry for terminal states, which stay
# at 0. A sweep computes *all* new values from the *old* ones.

# %%
def evaluate(world, policy, gamma, sweeps):
    """The values of a policy, after so many sweeps."""
    ### BEGIN SOLUTION
    v = dict.fromkeys(world, 0.0)
    for _ in range(sweeps):
        v = {s: sum(p * (reward + gamma * v[after]) for p, reward, after in world[s][policy[s]]) if s in policy else 0.0
             for s in world}
    return v
    ### END SOLUTION

# %%
print(evaluate(world, {"low": "clear", "high": "wait"}, gamma=0.9, sweeps=200))

# %%
check("10.3")

# %% [markdown]
# ## 10.4 Value iteration
#
# Now the best values and the best decisions. Write `solve(world, gamma)`, which returns two dicts: the values $V_*$ of
# all states, right to at least six digits, and the best action in each state that has one. If two actions are equally
# good, either will do. In the worlds of the check $\gamma$ is at most 0.95.

# %%
def solve(world, gamma):
    """The best values, and the best action in every state that has any."""
    ### BEGIN SOLUTION
    v = dict.fromkeys(world, 0.0)
    for _ in range(500):
        v = {s: backup(world, v, s, gamma) for s in world}

    def worth(s, a):
        return sum(p * (reward + gamma * v[after]) for p, reward, after in world[s][a])

    return v, {s: max(world[s], key=lambda a: worth(s, a)) for s in world if world[s]}
    ### END SOLUTION

# %%
print(solve(world, 0.9), solve(world, 0.5), sep="\n")

# %%
check("10.4")

# %% [markdown]
# ## 10.5 The value of a board
#
# Write `board_value(board, value, rules)`: what a board of Tetris is worth *before* the next piece is drawn, if
# `value(after)` tells what each board after a move is worth. All seven pieces are equally likely. `tc.moves(board,
# piece, rules)` lists the moves that do not lose, each with `move.rows` and `move.after`; if the list is empty, the
# game is over. Since the values of the next boards are given, this is one backup, for Tetris.

# %%
def board_value(board, value, rules):
    """The mean over the pieces of the best that a move can bring."""
    ### BEGIN SOLUTION
    best = [max((move.rows + value(move.after) for move in tc.moves(board, piece, rules)), default=0)
            for piece in tc.PIECES.values()]
    return sum(best) / len(best)
    ### END SOLUTION

# %% [markdown]
# If your backup is right, the exact values of 4x4 do not move: the right-hand column repeats the left one.

# %%
four = tc.solve(tc.Rules(width=4, height=4), progress=False)
for rows in ("....", "X...\nX...\nXX..", ".X..\nXX..\nX..."):
    board = tc.Board.from_text(rows, height=4)
    mine = board_value(board, four.value, four.rules)
    print(f"{four.value(board):.6f}", mine if mine is None else f"{mine:.6f}")

# %%
check("10.5")

# %% [markdown]
# ## 10.6 Close to perfection (open)
#
# On 4x4, perfect play is worth 7.0669 lines. Dellacherie's player has 5.5388. Find a player with weights, of any
# features of the catalogue (`list(tc.FEATURES)`, `list(tc.FEATURE_SETS)`), that is worth **at least 6.2 lines**, and
# then go on for as long as you enjoy it. `tc.exact_value` judges a player exactly, in some hundredths of a second, so
# you can afford thousands of tries. No luck, no intervals: a better value *is* better.
#
# Several ways lead there. Try at random. Or climb: change the weights a little, keep what is not worse, and begin anew
# when you are stuck. (`draws = Draws(1, 0)` deals random numbers; each `draws.normal(8)` is eight new ones.) Or read
# where Dellacherie loses his lines, in the lecture, and mend it.

# %%
rules = tc.Rules(width=4, height=4)

def lines(player):
    """The exact value of a player on 4x4."""
    return tc.exact_value(player, rules, progress=False).start

my_player = ...  # replace the dots: tc.Player(features, weights)
### BEGIN SOLUTION
draws = Draws(2, 0)                                                  # random numbers, the same on every machine
weights = np.array([-1, 1, -1, -1, -4, -1, 0, 0]) / 5                # Dellacherie, and two features more
best = 0
for _ in range(150):
    tried = weights + 0.25 * draws.normal(8)
    value = lines(tc.Player("dn", tried))
    if value >= best:
        weights, best = tried, value
my_player = tc.Player("dn", weights.round(3))
### END SOLUTION

# %%
if isinstance(my_player, tc.Player):
    print(f"{lines(my_player):.4f} lines, {lines(my_player) / four.start:.1%} of the best")

# %% [markdown]
# In a sentence or two, as a text between three quotation marks: would you let your player play on 10x20? Why, or why
# not? (The check only looks whether you have written something. You can find out with `tc.simulate`.)

# %%
elsewhere = ...  # replace the dots by a text between three quotation marks
### BEGIN SOLUTION
elsewhere = """
Not without testing it. Its weights fit the 2,582 boards of 4x4, where the game is over after nine pieces and a hole can
be worth its price. On 10x20 there is room, games last for millions of pieces, and what counts is never to get near the
top. A player that was tuned on a small board may be poor on a large one, and the other way round.
"""
### END SOLUTION

# %%
check("10.6")
