# %% [markdown]
# # Exercises 13: looking ahead
#
# Seven exercises. You write the recursion that all of game-playing rests on, a player that does not know the next
# piece, a search that leaves out what cannot matter, and a player that is better than the one it trusts. Then a proof,
# an experiment on a budget, and a player that comes close to perfection. The
# [lecture](../notebooks/13_looking_ahead.ipynb) has all that you need.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. `hint(1)`, `hint(2)` ... in a new cell help with the exercise that was checked
# last.
#
# **Time** about {{minutes}} minutes.

# %%
import numpy as np

import tetriscourse as tc
from tetriscourse.course import check, hint
from tetriscourse.course.laboratories import rolling
from tetriscourse.random_numbers import Draws

rules = tc.Rules(width=4, height=4)

# %% [markdown]
# ## 13.1 Mine, and chance's
#
# A tree of decisions, without any Tetris. A number is a leaf, and it is worth itself. `("mine", [tree, tree, ...])` is
# a choice of yours: you take the best. `("chance", [(probability, tree), ...])` is a choice of chance. Write
# `worth(tree)`: what the tree is worth on average to somebody who always chooses well. A choice of yours without any
# branch is worth 0: the game is over.

# %%
def worth(tree):
    """The mean of what one gets from a tree when one chooses well."""
    ### BEGIN SOLUTION
    if not isinstance(tree, tuple):
        return tree
    kind, branches = tree
    if kind == "mine":
        return max((worth(branch) for branch in branches), default=0)
    return sum(probability * worth(branch) for probability, branch in branches)
    ### END SOLUTION

# %%
coin = ("chance", [(0.5, 10), (0.5, ("mine", [-4, 2]))])
print("a coin, then a choice:", worth(coin), "and a choice between that and 5:", worth(("mine", [5, coin])))

# %% [markdown]
# (If you got 6: `max` and mean may not be exchanged. To be asked *after* the coin has fallen is worth something.)

# %%
check("13.1")

# %% [markdown]
# ## 13.2 Seven futures
#
# Write the player that does not know the next piece. `value` is a function of a move. The move to take is the one for
# which its own value plus the *mean, over all seven pieces, of the value of the best answer* is highest; answers are
# the moves of a piece on the board after the move. A piece may find no place at all. As in the lecture, a move is the
# worse the *more* pieces find none, and only among moves that are alike in this do values decide; the mean is then
# taken over all seven, with 0 for a missing answer. Of equally good moves take the first, in the order of `tc.moves`;
# where there is no move, return `None`.

# %%
def choose_unknown(board, piece, value):
    """The first of the moves that are best together with the best answers of all pieces that may come."""
    ### BEGIN SOLUTION
    def prospect(move):
        answers = [[value(answer) for answer in tc.moves(move.after, following)] for following in tc.PIECES.values()]
        missing = sum(not values for values in answers)
        return -missing, value(move) + sum(max(values, default=0) for values in answers) / len(answers)

    return max(tc.moves(board, piece), key=prospect, default=None)
    ### END SOLUTION

# %%
board = tc.Board.from_text("......\nXX...X\nXX.XXX", height=6)
choose_unknown(board, tc.PIECES["O"], tc.PLAYERS["dellacherie"].value)

# %%
check("13.2")

# %% [markdown]
# ## 13.3 What cannot matter
#
# To open a first move costs 162 valuations on ten columns. Often it need not be: if nothing that the future can bring
# would lift the move above one that has been opened already, leave it closed.
#
# `own[k]` is the value of first move `k` itself. `future(k)` opens it, and returns the mean value of its best answers,
# which is never above `highest`. Write `best_first(own, future, highest)`: the number of the first move with the
# highest total, own value and future together; of equals the lowest number. Open the moves in the order of their own
# values, highest first (of equals the lower number first), and open none that cannot come out *above or level with* the
# best total so far. The check counts.

# %%
def best_first(own, future, highest):
    """The number of the best first move, found with as few openings as possible."""
    ### BEGIN SOLUTION
    best, found = -np.inf, None
    for k in sorted(range(len(own)), key=lambda k: -own[k]):
        if own[k] + highest < best:
            break  # and so are all that follow, whose own values are no higher
        total = own[k] + future(k)
        if total > best or (total == best and k < found):
            best, found = total, k
    return found
    ### END SOLUTION

# %%
opened = []

def future(k):
    """The mean value of the best answers to first move k, and a note that it was asked for."""
    opened.append(k)
    return [-3, -9, -1, -2, -7][k]

print("the best is", best_first([0, 4, -1, -6, -20], future, highest=0), "and opened were", opened)

# %%
check("13.3")

# %% [markdown]
# ## 13.4 One step better
#
# `tc.exact_value(player, rules, everywhere=True)` knows, for every board, how many lines this player will still get:
# `known.value(board)`. Write `improved(board, piece, known)`: the move that is best if that player goes on *after* it,
# so the one with the highest sum of rows cleared (`move.rows`) and value of the board after it. This is what rollouts
# estimate. Of equals take the first; where there is no move, return `None`.
#
# Then look what the theorem of chapter 10 promises: a player that chooses like this is worth at least as much as the
# one whose values it uses. How much more, for Dellacherie's on 4x4?

# %%
def improved(board, piece, known):
    """The first of the moves after which the player whose values are known gets most."""
    ### BEGIN SOLUTION
    candidates = tc.moves(board, piece, rules)
    return max(candidates, key=lambda move: move.rows + known.value(move.after), default=None)
    ### END SOLUTION

# %%
known = tc.exact_value("dellacherie", rules, progress=False, everywhere=True)

class Improved:
    """Dellacherie's player, one step of improvement better."""

    name = "improved"

    def choose(self, board, piece, next_piece=None, rules=None, chance=None):
        return improved(board, piece, known)

if improved(tc.Board.empty(4, 4), tc.PIECES["O"], known) is not None:
    print(f"{known.start:.4f} lines, and improved {tc.exact_value(Improved(), rules, progress=False).start:.4f}")

# %%
check("13.4")

# %% [markdown]
# ## 13.5 Deeper, and no worse on paper
#
# Let $V(s)$ be the value of the best play from a state before its piece is drawn, without discount, in a game that ends
# for certain. Nobody knows $V$; we have an estimate $U$ that is wrong by at most $\epsilon$, $|U(s) - V(s)| \le
# \epsilon$ for all $s$. A search of depth $d$ estimates each first move by the best play over $d$ moves, and takes $U$
# for whatever comes after them: $U_d(s) = \mathbb{E}_p \max_m \bigl(r(m) + U_{d-1}(s_m)\bigr)$ with $U_0 = U$. Here $p$
# is the piece, $m$ a move of it, $r(m)$ its rows and $s_m$ the board after it.
#
# 1. Show that $|U_d(s) - V(s)| \le \epsilon$ for every depth $d$ and every state.
# 2. Conclude that a player who takes the first move with the highest $r(m) + U_{d-1}(s_m)$ loses, by this one decision,
#    at most $2\epsilon$ of what the best move is worth, whatever the depth.
# 3. So the bound does not grow with depth. It does not fall, either. Give a position (a small tree with numbers will
#    do) in which the player of depth 1 takes the best move and the player of depth 2, with the same $U$, does not.

# %% [markdown] answer="13.5"
# **1.** By induction on $d$. For $d = 0$ it is what is given about $U$. Let it hold for $d - 1$. For two lists of
# numbers that differ by at most $\epsilon$ place by place, the maxima differ by at most $\epsilon$: if $a_m \le b_m +
# \epsilon$ for all $m$, then $\max_m a_m \le \max_m b_m + \epsilon$, and the same with $a$ and $b$ exchanged. With
# $a_m = r(m) + U_{d-1}(s_m)$ and $b_m = r(m) + V(s_m)$, which differ by at most $\epsilon$ by assumption,
#
# $$\Bigl| \max_m \bigl(r(m) + U_{d-1}(s_m)\bigr) - \max_m \bigl(r(m) + V(s_m)\bigr) \Bigr| \le \epsilon$$
#
# for every piece. A mean over the pieces of numbers that are each at most $\epsilon$ off is at most $\epsilon$ off.
# Since $V(s) = \mathbb{E}_p \max_m (r(m) + V(s_m))$, Bellman's equation of the best play, this is the claim for $d$.
# (Where there is no move, both are 0.)
#
# **2.** Write $q(m) = r(m) + V(s_m)$ for what a first move is worth, and $u(m) = r(m) + U_{d-1}(s_m)$ for its estimate.
# By 1., $|u(m) - q(m)| \le \epsilon$ for each. Let $m_*$ be best and $m'$ the one taken, so $u(m') \ge u(m_*)$. Then
#
# $$q(m') \ge u(m') - \epsilon \ge u(m_*) - \epsilon \ge q(m_*) - 2\epsilon .$$
#
# **3.** One piece, so that there is no chance. Two first moves, A and B, which clear nothing. After A there is one
# answer, to a board $a$; after B there are two, to the boards $b_1$ and $b_2$. After that all is forced: from $a$ one
# more row is cleared, from $b_1$ and $b_2$ none, so $V(a) = 1$ and $V(b_1) = V(b_2) = 0$. So A is worth 1, and B is
# worth 0. Let the estimate be right for the boards after the first moves, $U(s_A) = 1$, $U(s_B) = 0$, and wrong by at
# most $\epsilon = 1$ behind them: $U(a) = 0.5$, $U(b_1) = -0.8$, $U(b_2) = 0.8$. Depth 1 compares 1 with 0 and takes A.
# Depth 2 compares 0.5 with $\max(-0.8, 0.8) = 0.8$ and takes B, which is worth nothing. The errors behind B are 0 on
# average: it is the maximum that picks the one that flatters. The more answers there are, the surer it finds one.

# %% [markdown]
# ## 13.6 A budget of rollouts
#
# Some moves lie before you, and you may play rollouts: `roll(k, seed)` plays a game on from first move `k` and returns
# its lines. `seed`, a whole number from 0 to 999, is the sequence of pieces. Kind pieces are kind to every move, and
# they make far more difference than the moves do. Write `decide(roll, moves, budget)`: the number of the move that you
# take, from 0 to `moves - 1`. You may play `budget` rollouts in all, and the next one is refused.
#
# The check sends you to 200 positions of 24 moves, with a budget of 960 rollouts for each. What counts is your mean
# *regret*: by how many lines the move that you take is worse than the best. A point for each rung: at most **0.16**,
# **0.095** and **0.052** lines. Who takes a move by a single rollout each loses 0.31.

# %%
roll, truth = rolling(number=1)  # a position to practise on, and the true values of its 24 moves
print([round(roll(3, seed), 1) for seed in range(6)], "for move 3, which is worth", truth[3].round(2))

# %%
def decide(roll, moves, budget):
    """The number of the move that looks best after all rollouts."""
    ### BEGIN SOLUTION
    # The same pieces for all moves that are still in; after each round the worse half of them goes.
    left, lines, used = list(range(moves)), {k: [] for k in range(moves)}, 0
    rounds = int(np.ceil(np.log2(moves)))
    for _ in range(rounds):
        games = budget // rounds // len(left)
        for k in left:
            lines[k] += [roll(k, seed) for seed in range(used, used + games)]
        used += games
        left = sorted(left, key=lambda k: -np.mean(lines[k]))[: (len(left) + 1) // 2]
    return left[0]
    ### END SOLUTION

# %%
def regret(number):
    """The lines that your decision loses in a position."""
    roll, truth = rolling(number)
    taken = decide(roll, len(truth), 960)
    return None if taken is None else truth.max() - truth[taken]

if regret(1) is not None:
    print(f"mean regret in 60 positions: {np.mean([regret(number) for number in range(60)]):.3f}")

# %%
check("13.6")

# %% [markdown]
# ## 13.7 A step of thought (open)
#
# In chapter 10 you looked for weights on 4x4, where perfect play is worth 7.0669 lines and Dellacherie's player makes
# 5.5388. Let it think one step further, `tc.LookAhead("dellacherie")`, and it makes 6.9082! Now find a player that
# looks ahead (the next piece unknown) and is better. A point for each rung: **6.92** exact lines, which none of the
# published players reaches by looking ahead; **6.95**; and **6.98**. Then on, as far as you like.
#
# Any features of the catalogue, any weights, any settings of `tc.LookAhead` but `next_piece="known"`. Each try costs
# some tenths of a second, so twenty times as much as in chapter 10: think before you climb. Do weights that are good
# for choosing at once also make a good judge of boards one step later?

# %%
mine = ...  # replace the dots: tc.LookAhead(tc.Player(features, weights))
### BEGIN SOLUTION
# Found by climbing, as in chapter 10: from Dellacherie's weights, `np.array([-1, 1, -1, -1, -4, -1, 0, 0]) / 5`, with
# `weights + 0.25 * draws.normal(8)` and Draws(4, 0), kept if it is no worse: this is the 31st try, rounded.
mine = tc.LookAhead(tc.Player("dn", [-0.83, 0.49, 0.65, -1.29, -0.11, -1.09, -0.29, -1.43]))
### END SOLUTION

# %%
if isinstance(mine, tc.LookAhead):
    print(f"{tc.exact_value(mine, rules, progress=False).start:.4f} lines of 7.0669")

# %%
check("13.7")
