# %% [markdown]
# # Exercises 10: Bellman equations
#
# You will write the whole of the [lecture](../notebooks/10_bellman.ipynb) yourself: the return, a backup, the values of
# a policy, the best values of all. Then you value a board of Tetris, and you hunt for weights that come as close to
# perfection as you can; a judge that knows the exact answer awaits you. In the end you prove how much it costs to be a
# little wrong about the future, and solve hidden worlds on a budget.
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
from tetriscourse.course.hidden_worlds import Rooms
from tetriscourse.random_numbers import Draws

world = {
    "low": {"clear": [(0.8, 1, "low"), (0.2, 0, "high")], "wait": [(1.0, 0, "high")]},
    "high": {"clear": [(0.5, 1, "low"), (0.5, 0, "high")], "wait": [(0.5, 4, "low"), (0.5, 0, "lost")]},
    "lost": {},
}

# %% [markdown]
# ## 10.1 The return
#
# The lecture adds up the rewards of a game that ends. In the next chapter a player of dominoes will never lose: what is
# an *endless* game worth? Write `discounted(before, cycle, gamma)`: the return of a game that pays the rewards of the
# list `before`, once, and then those of the list `cycle`, again and again for ever. If `cycle` is empty, the game is
# over after `before`. The first reward counts fully, as always, and $\gamma$ is below 1. No loop goes on for ever, so
# you need an equation: what is the game worth at the beginning of a turn of the cycle?

# %%
def discounted(before, cycle, gamma):
    """The return of a game with these rewards, the last ones again and again."""
    ### BEGIN SOLUTION
    turn = sum(reward * gamma**k for k, reward in enumerate(cycle))
    G = turn / (1 - gamma ** len(cycle)) if cycle else 0   # G = turn + gamma^n G
    for reward in reversed(before):
        G = reward + gamma * G
    return G
    ### END SOLUTION

# %%
print(discounted([0, 4, 1], [], 0.5), discounted([], [0, 1], 0.9))

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

# %% [markdown]
# ## 10.7 A little wrong about the future
#
# On a large board nobody knows $V_*$, and one plays by some estimate $V$. Suppose that it is wrong by at most
# $\epsilon$ in every state, $|V(s) - V_*(s)| \le \epsilon$, and let $\pi$ be *greedy* for it: in each state it takes an
# action with the highest $R(s, a) + \gamma \sum_{s'} T(s, a, s')\, V(s')$, with $\gamma < 1$.
#
# 1. Prove that one decision of $\pi$ costs at most $2\gamma\epsilon$: $\;V_*(s) - Q_*(s, \pi(s)) \le 2\gamma\epsilon$
#    in every state.
# 2. Conclude that in every state $V_*(s) - V_\pi(s) \le \dfrac{2\gamma\epsilon}{1 - \gamma}$.
# 3. Show that nothing better can be said: give a world, and an estimate $V$ that is wrong by $\epsilon$ at most, in
#    which a greedy policy (a tie may fall either way) loses just that much.
#
# (This differs from the bound of the lecture: there $V$ was the result of a sweep, here it may come from anywhere.)

# %% [markdown] answer="10.7"
# **1.** Write $Q_V(s, a) = R(s, a) + \gamma \sum_{s'} T(s, a, s') V(s')$ for what the estimate makes of an action. For
# every action, $|Q_V(s, a) - Q_*(s, a)| = \gamma \left|\sum_{s'} T(s, a, s') (V(s') - V_*(s'))\right| \le
# \gamma\epsilon$, since the chances add up to 1. Let $a_*$ be a best action in $s$, so that $Q_*(s, a_*) = V_*(s)$.
# Then
#
# $$Q_*(s, \pi(s)) \ge Q_V(s, \pi(s)) - \gamma\epsilon \ge Q_V(s, a_*) - \gamma\epsilon \ge Q_*(s, a_*) -
# 2\gamma\epsilon = V_*(s) - 2\gamma\epsilon ;$$
#
# the step in the middle is that $\pi$ is greedy for $V$.
#
# **2.** Let $D$ be the largest $V_*(s) - V_\pi(s)$ of all states. In any state
#
# $$V_*(s) - V_\pi(s) = \big(V_*(s) - Q_*(s, \pi(s))\big) + \big(Q_*(s, \pi(s)) - V_\pi(s)\big) \le 2\gamma\epsilon +
# \gamma \sum_{s'} T(s, \pi(s), s') \big(V_*(s') - V_\pi(s')\big) \le 2\gamma\epsilon + \gamma D .$$
#
# The reward is the same in both terms of the second bracket and cancels. This holds in the state where the difference
# is $D$, so $D \le 2\gamma\epsilon + \gamma D$, which is the claim. (Or by the performance-difference lemma with
# $\pi_*$ as the old policy: each visit costs at most $2\gamma\epsilon$, and the discounted visits of a game add up to
# at most $1 / (1 - \gamma)$.)
#
# **3.** Two states. In $A$ one may *leave* to $B$, for nothing, or *stay* in $A$, for a reward of $-2\gamma\epsilon$.
# In $B$ nothing happens any more. So $V_*(A) = V_*(B) = 0$: leave. Let $V(A) = \epsilon$ and $V(B) = -\epsilon$, each
# wrong by $\epsilon$. By this estimate, to stay is worth $-2\gamma\epsilon + \gamma\epsilon = -\gamma\epsilon$, and to
# leave is worth $0 - \gamma\epsilon$: a tie. Who stays, stays for ever, and gets $-2\gamma\epsilon (1 + \gamma +
# \gamma^2 + \dots) = -\dfrac{2\gamma\epsilon}{1 - \gamma}$.

# %% [markdown]
# ## 10.8 A budget of backups
#
# A sweep backs up every state, whether there was any news near it or not. If a backup costs money, you will not want
# that. Design a better way. You get a `world` of about a hundred states (a grid with walls, a slippery floor and one
# goal, but nobody tells you which state is where; $\gamma = 0.95$), and may ask:
#
# - `world.states`: the numbers of the states, from 0 on;
# - `world.following(s)`: the set of states that can come after `s`, for nothing. It is empty where the game is over;
# - `world.backup(v, s)`: the best value of `s` by one step of looking ahead, if `v` is the list of the values of all
#   states. This costs one backup;
# - `world.left`: the backups that are left. Who asks for more gets an error.
#
# Write `values(world)`, which returns a list with the value of every state, none of them wrong by more than 0.01. It is
# tried on hidden worlds, with three budgets. A point if you do it with as many backups as **sweeps** need for that
# (some thirty for each state), one if **three quarters** of them are enough for you, and one for **42 %**.

# %%
def values(world):
    """The values of all states, with as few backups as possible."""
    ### BEGIN SOLUTION
    before = {s: [t for t in world.states if s in world.following(t)] for s in world.states}
    order = [s for s in world.states if not world.following(s)]          # the goal, where the news comes from
    for s in order:
        order += [t for t in before[s] if t not in order]                # ever further away
    v, news = [0.0] * len(order), [1.0] * len(order)                     # the changes behind a state since its turn
    while max(news) > 0.002:
        for s in order:
            if news[s] > 0.002:
                if not world.left:
                    return v
                old, v[s], news[s] = v[s], world.backup(v, s), 0.0
                for t in before[s]:
                    news[t] += abs(v[s] - old)
    return v
    ### END SOLUTION

# %% [markdown]
# A world to try it in, with the largest budget; `Rooms(1)` is another one, and `Rooms(0, 0.42)` has the smallest one.
# `exact()` gives the true values, for comparison. The hidden worlds are of the same kind.

# %%
world = Rooms(0)
found = values(world)
if found is not None:
    print(f"wrong by {np.abs(np.subtract(found, world.exact())).max():.4f}, {world.left} backups left")

# %%
check("10.8")
