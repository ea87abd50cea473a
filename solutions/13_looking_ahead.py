# %% [markdown]
# # Exercises 13: looking ahead
#
# Six exercises. They follow the [lecture](../notebooks/13_looking_ahead.ipynb): the tree, a search that does nothing
# twice, a careful improvement, a bound with its proof, a budget to spend, and a player of your own that looks ahead.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. Run it as often as you like; `hint(1)`, `hint(2)` help when you are stuck.
#
# **Time** about {{minutes}} minutes.

# %%
import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint

# %% [markdown]
# ## 13.1 The tree
#
# Write `worth(move, depth, leaf, rules)`: what a first move is worth when the pieces that follow are unknown and
# equally likely. At depth 0 that is its rows and `leaf(move.after)`. At depth $k$ it is its rows, and the mean over the
# seven pieces of `tc.PIECES` of the best answer, each answer being worth what it is worth at depth $k - 1$. A piece
# without a move brings 0. Moves are `tc.moves(board, piece, rules)`; `move.rows` and `move.after` are what a move
# clears and leaves.

# %%
def worth(move, depth, leaf, rules):
    """What a move is worth, looking this many pieces further."""
    ### BEGIN SOLUTION
    if depth == 0:
        return move.rows + leaf(move.after)
    best = [max((worth(answer, depth - 1, leaf, rules) for answer in tc.moves(move.after, piece, rules)), default=0)
            for piece in tc.PIECES.values()]
    return move.rows + sum(best) / len(best)
    ### END SOLUTION

# %%
rules = tc.Rules(4, 4)
first = tc.moves(tc.Board.empty(4, 4), tc.PIECES["I"], rules)[0]
print([worth(first, depth, lambda board: 0, rules) for depth in (0, 1, 2)])

# %%
check("13.1")

# %% [markdown]
# ## 13.2 Nothing twice
#
# Two O side by side are one board, whichever came first. A tree values it twice. Write `search(board, depth, leaf,
# rules)`: the value of a board before its piece is known, `depth` pieces deep: `leaf(board)` at depth 0, else the mean
# over the seven pieces of the best of (rows cleared, and the value of the board after the move at `depth - 1`). Now
# `leaf` is expensive: ask it **at most once about each board**. (Boards can be keys of a dict.)

# %%
def search(board, depth, leaf, rules):
    """The value of a board, this many pieces deep."""
    ### BEGIN SOLUTION
    known = {}

    def value(board, depth):
        if (board.bits, depth) not in known:
            if depth == 0:
                found = leaf(board)
            else:
                found = [[move.rows + value(move.after, depth - 1) for move in tc.moves(board, piece, rules)]
                         for piece in tc.PIECES.values()]
                found = sum(max(worths, default=0) for worths in found) / len(found)
            known[board.bits, depth] = found
        return known[board.bits, depth]

    return value(board, depth)
    ### END SOLUTION

# %%
print("one piece of an empty game:", search(tc.Board.empty(4, 4), 1, lambda board: 0, rules))

# %%
check("13.2")

# %% [markdown]
# ## 13.3 A clear improvement
#
# Rollouts are noisy. `scores` has a row for each move and a column for each game; all moves have met the same pieces in
# the same column. `old` is the number of the base player's own move. Write `decide(scores, old)`: take the move with
# the highest mean (of equal ones the first), but **only if it is clearly better than the old one**: the mean of the
# differences, game by game, must exceed twice its standard error (`std(ddof=1)` of the differences, divided by the root
# of their number). Otherwise stay with `old`.

# %%
def decide(scores, old):
    """The number of the move to take."""
    ### BEGIN SOLUTION
    best = int(scores.sum(axis=1).argmax())
    ahead = scores[best] - scores[old]
    clearly = ahead.mean() > 2 * ahead.std(ddof=1) / np.sqrt(len(ahead))
    return best if clearly else old
    ### END SOLUTION

# %%
values = tc.rollouts("dellacherie", tc.Board.empty(4, 4), "Z", rules, games=16, moves=None)
own = values.moves.index(tc.PLAYERS["dellacherie"].choose(tc.Board.empty(4, 4), "Z", None, rules))
print("the base player's move:", own, " by rollouts:", decide(values.scores, own))

# %%
check("13.3")

# %% [markdown]
# ## 13.4 Wrong by at most ε
#
# A game without discount that is sure to end, such as Tetris. Somebody has values $v$ for the states, with $|v(s) -
# V_*(s)| \le \varepsilon$ wherever the game goes on, and $v = 0 = V_*$ where it is lost. Let $v_0 = v$, and let
# $v_{k}$ be $v_{k-1}$ after one sweep with the maximum. A player who looks $d$ moves deep takes in each state an action
# with the highest $q(s, a) = R(s, a) + \sum_{s'} T(s, a, s')\, v_{d-1}(s')$. Prove, in words and formulas:
#
# 1. Every $v_k$ is within $\varepsilon$ of $V_*$: no depth makes the largest error worse.
# 2. Each of its decisions has a regret of at most $2\varepsilon$; and if its games take $N$ decisions on average, it
#    falls short of the best player by at most $2\varepsilon N$ in a game, at any depth.
# 3. Now let $v = V_* + c$ wherever the game goes on, the same $c$ everywhere, and let no action lose *at once*. Show
#    that looking one move deep is perfect, and that looking two moves deep need not be. How does that agree with 2?

# %% [markdown] answer="13.4"
# *1.* By induction. For $k = 0$ it is given. Let $|v_{k-1}(s') - V_*(s')| \le \varepsilon$ for all $s'$. Then for each
# action the sums $R + \sum T v_{k-1}$ and $R + \sum T V_*$ differ by a mean of such differences, so by at most
# $\varepsilon$. And a maximum of numbers that are each moved by at most $\varepsilon$ moves by at most $\varepsilon$:
# if $x_a \le y_a + \varepsilon$ for all $a$, then every $x_a$, and so their maximum, is at most $\max_a y_a +
# \varepsilon$, and the other way round. So $|v_k(s) - V_*(s)| \le \varepsilon$, since $V_*$ is not moved by a sweep. In
# lost states both are 0.
#
# *2.* By 1, $q$ differs from $Q_*$ by at most $\varepsilon$. Let $a$ be chosen and $b$ be best. Then $Q_*(s, b) -
# \varepsilon \le q(s, b) \le q(s, a) \le Q_*(s, a) + \varepsilon$, so the regret $Q_*(s, b) - Q_*(s, a)$ is at most
# $2\varepsilon$. By the performance-difference lemma, with the best policy as the old one, the player falls short by
# the sum over the states of its own mean visits times its regret there. All regrets are at most $2\varepsilon$, and the
# visits with a decision add up to $N$: at most $2\varepsilon N$.
#
# *3.* One move deep: no action loses at once, so $\sum T v = \sum T V_* + c$ for each action, because the chances add
# up to 1. All $q$ are $Q_* + c$, and the order of the actions is that of $Q_*$: perfect. Two moves deep: write $m(s,
# a)$ for the chance that after $a$ a piece comes for which there is no move, so that the game is lost and counts 0.
# Where there is an answer, it is worth $c$ too much; where there is none, 0 is right. So $q(s, a) = Q_*(s, a) + c\,(1 -
# m(s, a))$. For two actions with different $m$ and $c$ large enough (of the sign that favours the worse one), the order
# changes: a very negative $c$ prefers the action after which more games are lost. This does not contradict 2, where
# $\varepsilon =
# |c|$: the regrets stay below $2|c|$. The bound is the same for all depths; it does not say that the deeper of two
# searches is better, and it does not say that a search must be as bad as the bound. The greedy player is lucky in that
# all its errors are equal, and equal errors cancel.

# %% [markdown]
# ## 13.5 A budget of rollouts
#
# On a board of 4x4 the next two pieces are known. A *plan* is a pair of moves for them. Afterwards Dellacherie's player
# goes on, with pieces that nobody knows. There are 30 plans and more; which one is best?
#
# Write `find_plan(play, plans, budget)`. `play(k, games)` gives the lines of `games` further rollouts of plan `k`, as a
# list; the first rollout of every plan meets the same pieces, and so does the second, and so on. There are `plans`
# plans, numbered from 0, and in all you may ask for `budget` rollouts. Return the number of a plan. The check knows
# what each plan is worth *exactly*, and looks at how many lines your choice is worth less than the best one, on average
# over forty hidden positions. First rung: less than 2 lines with 300 rollouts. Second rung: less than 0.4 lines with
# 300. Third rung: less than 1 line with only 150 rollouts.

# %%
def find_plan(play, plans, budget):
    """The number of a plan that is hard to beat, found with so many rollouts."""
    ### BEGIN SOLUTION
    totals, games, left = np.zeros(plans), np.zeros(plans), list(range(plans))
    rounds = int(np.ceil(np.log2(plans)))
    for _ in range(rounds):
        each = budget // rounds // len(left)
        for k in left if each else []:
            totals[k] += sum(play(k, each))
            games[k] += each
        if not each:  # not even one for each: as many as the round pays
            for k in left[: budget // rounds]:
                totals[k] += sum(play(k, 1))
                games[k] += 1
        left = sorted(left, key=lambda k: -totals[k] / max(1, games[k]))[: (len(left) + 1) // 2]
    return left[0]
    ### END SOLUTION

# %%
check("13.5")

# %% [markdown]
# ## 13.6 A thousand moves a decision (open)
#
# Make a player that looks ahead, the next piece unknown, and values at most 1,000 moves for a decision on ten columns
# (count as the lecture does). The weights must be your own. It has passed when it clears **clearly more lines on 10x6**
# than DN that looks at its two best first moves, in 1,000 games with pieces of the judge's own. Then go on: how far can
# a thousand moves take you?

# %%
mine = ...  # replace the dots: tc.LookAhead(tc.Player([...], [...]), width=...)
### BEGIN SOLUTION
eyes = [*(feature.name for feature in tc.FEATURE_SETS["dn"].features), "diversity", "i_wells"]
directions = []
for seed in (1, 2, 3):
    optimizer = tc.CMAES(len(eyes), normalise=True, iterations=60, seed=seed)
    run = tc.train(optimizer, tc.Objective(eyes, tc.Rules(height=6), games=40), curve=0, progress=False)
    directions.append(run.player().weights / np.linalg.norm(run.player().weights))
mine = tc.LookAhead(tc.Player(eyes, np.mean(directions, axis=0).round(3)), width=5)
### END SOLUTION

# %%
if isinstance(mine, tc.LookAhead):
    print(mine)

# %%
check("13.6")
