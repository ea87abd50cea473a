# %% [markdown]
# # 13 Looking ahead
#
# All players so far decide in the same way. They try every place for the piece, judge what each leaves behind, and take
# the best. They never ask what comes *then*. A beginner at chess asks that in the first hour. So let us ask it too:
# what is it worth to think one piece further? Two? And if a little thinking helps so much, why not think much more?
# The last question has an answer that surprises most people who meet it.
#
# **You will learn**
# - to search a tree in which you choose at some places and chance at others
# - what it is worth to look one piece ahead: with the next piece known, and with it unknown
# - what that costs, and what "at equal time" can honestly mean
# - that to search deeper is the same as to sweep the values of chapter 10 once more
# - rollouts: policy improvement by playing, and how many games it takes before they improve anything
# - why deeper is not always better, and which errors a search forgives and which it goes looking for
#
# **You need** [chapter 10](10_bellman.ipynb): values, sweeps, the policy improvement theorem.
# [Chapter 05](05_comparing_players.ipynb): intervals. [Chapter 04](04_evaluation.ipynb): players with weights.
#
# **Time** about {{minutes}} minutes.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.mdp.finite.process import best_v_from_q, greedy, q_from_v
from tetriscourse.mdp.finite.solving import evaluate_exactly
from tetriscourse.random_numbers import Draws
from tetriscourse.widgets import SearchPanel

# %% [markdown]
# ## The next piece is known
#
# The original game shows the next piece. Our players have not looked. If they do, there is not much to invent. For
# each *first move*, imagine it made; find the best *answer* with the next piece; add the two values:
#
# $$\text{worth of a first move} = \text{value(move)} + \max_{\text{answers}} \text{value(answer)}.$$
#
# Then make the first move that is worth most, and forget the answer: when its time comes there will be a new next
# piece, and a better plan. What if there is *no* answer, because the next piece has no place? Then the game is lost,
# and no sum of holes can make up for it: such a first move is worse than all others. Keep this little rule in mind. It
# looks like a detail, and it will take its revenge.
#
# In the library this player is `tc.LookAhead(player, "known")`. On 4x4 it can be valued exactly, and so can the best
# possible player who sees as much. **Guess** first: Dellacherie's player makes 5.54 lines there, and the best that
# sees one piece makes 7.07. What is a second piece worth to each?

# %%
rules = tc.Rules(4, 4)
for known in (1, 2):
    best = tc.solve(tc.Rules(4, 4, pieces_known=known), progress=False).start
    his = tc.exact_value("dellacherie" if known == 1 else tc.LookAhead("dellacherie", "known"), rules, progress=False)
    print(f"pieces known: {known}, Dellacherie {his.start:.4f} lines, the best possible player {best:.4f}")

# %% [markdown]
# From 7.07 to 12.82 for a perfect player, who nearly doubles his score. And the other one, with the same six features
# and the same weights, makes 10.04 instead of 5.54. With the next piece in sight he plays better than perfect play
# without it. That is not a contradiction: it is another game, in which more is known.
#
# On a wider board? **Guess the factor** for DN on 10x6 before you run the cell.

# %%
heights = (4, 5, 6)
one, two = ([tc.simulate("dn", tc.Rules(height=height, pieces_known=known), 200, seed=13, progress=False)
             for height in heights] for known in (1, 2))
for height, a, b in zip(heights, one, two, strict=True):
    print(f"10x{height}: {a.mean:5.1f} lines, with the next piece {b.mean:6.1f}, {b.mean / a.mean:4.1f} times as many")

# %%
_, axes = plt.subplots(figsize=(6, 3.2))
for scores, label, mark, colour in ((two, "next piece known", "s-", "#D55E00"), (one, "one piece", "o-", "#0072B2")):
    mean = np.array([each.mean for each in scores])
    ends = np.array([each.interval() for each in scores]).T
    axes.errorbar(heights, mean, abs(ends - mean), fmt=mark, color=colour, capsize=4, label=label)
axes.set(yscale="log", xlabel="rows of the board, 10 columns", ylabel="lines a game (log scale)", xticks=heights)
axes.legend()
plt.show()

# %% [markdown]
# The advantage grows with every row. Each row multiplies the length of a game, and with a second piece it multiplies it
# by more. Nobody waits for such games on 10x20. This is why a score with the next piece and a score without it must
# never stand in one table.
#
# > **In the paper.** Thiery and Scherrer 2009, section 1, call the two kinds *contrôleurs à une pièce* and *à deux
# > pièces*, find the step from the first to the second "assez immédiat", and quote Fahey (2003): the next piece is
# > worth orders of magnitude. Boumaza 2013, section 2.1, says it in the language of this chapter: one more level of the
# > tree.
#
# ## The next piece is unknown
#
# Usually nobody tells us the next piece. Then there are two kinds of branching in the tree: at some places *you*
# choose, at others *chance* does. Where you choose, take the maximum. Where chance does, take the mean:
#
# $$\text{worth of a first move} = \text{value(move)} + \frac{1}{7} \sum_{\text{pieces}}\;
# \max_{\text{answers}} \text{value(answer)}.$$
#
# (If pieces are not equally likely, the mean is weighted. And a piece without an answer? The little rule again: the
# likelier a missing answer, the worse the move, and values decide only between moves that are alike in this.) A tree of
# maxima and means is called **expectimax**. Programs for chess have maxima and *minima*, since there an opponent does
# the choosing. Chance is the gentler opponent: it does not want to hurt you. It is also the more tedious one, for there
# is no branch of chance that one may ignore because nobody would play it.
#
# The panel opens such a tree branch by branch: first moves, the pieces that may follow, the best answer to each. Values
# flow back from right to left. It begins at a position in which the champion of ten rows changes its mind as soon as it
# looks ahead.
#
# **Try this.**
# 1. Open the greedy player's move, then its pieces. After which piece is the best answer worst?
# 2. Press *Look at the next best* until the choice changes. How far down the list did you have to go?
# 3. Press *Look at all*, then name the next piece. For which pieces would the greedy choice have been right?

# %%
SearchPanel()

# %% [markdown]
# On 4x4, exactly:

# %%
for name in ("dellacherie", "dn", "dt-10", "champion-10x10", "tetrisbot"):
    values = [tc.exact_value(who, rules, progress=False).start for who in (name, tc.LookAhead(name))]
    print(f"{name:15} {values[0]:.4f} lines, looking ahead {values[1]:.4f}")

# %% [markdown]
# Perfect play has 7.0669. In chapter 10 it took all values of all boards to come near that; here is a player that knows
# six features, thinks one piece further, and misses 0.16 lines of it. And look at the order. The champion of ten rows,
# best of the five at choosing at once, is only fourth with a second thought. To *judge boards* and to *choose moves*
# are different trades.
#
# ### Deeper is one sweep more
#
# Why stop at two moves? In formulas nothing stops us. Write $v(s)$ for the value of a state at which we stop thinking:
# a **leaf** of the tree. Looking one move deep means: take the action with the highest
#
# $$q_1(s, a) = R(s, a) + \sum_{s'} T(s, a, s')\, v(s').$$
#
# Looking two moves deep means to put in place of $v(s')$ what the best action *there* promises, $\max_{a'} q_1(s',
# a')$. But that is a sweep of value iteration! So here is the theorem of this section, and it needs no more proof than
# this sentence: **to search $d$ moves deep with leaf values $v$ is to be greedy for $v$ after $d - 1$ sweeps.** A
# search does not compute anything that chapter 10 could not compute. It computes it only where it is needed: around the
# present board, while the game goes on. On a board whose states do not fit into any memory that is the whole point.
#
# And from this follows at once when searching is useless: if $v$ solves Bellman's equation, a sweep does not move it,
# and the greedy choice is the choice at every depth. Search repairs values. Right ones need no repair.
#
# On 4x4 all states do fit, so we can play with every depth and every $v$, and get exact lines:

# %%
game = tc.tetris_mdp(rules)
four = tc.solve(rules, progress=False)
places = [board for board, *_ in game.states]  # the board of every state but the first, the lost game

# %%
true = np.array([0.0, *map(four.value, places)])

# %%
def policy(leaf, depth):
    """The moves of a player that looks so deep, with these values at the leaves."""
    for _ in range(depth - 1):
        leaf = best_v_from_q(game.mdp, q_from_v(game.mdp, leaf))
    return greedy(game.mdp, q_from_v(game.mdp, leaf))

# %%
def lines(leaf, depth):
    """What that player clears in a game, exactly."""
    return game.value(evaluate_exactly(game.mdp, policy(leaf, depth)).V)

# %% [markdown]
# Take the most ignorant leaf there is: $v = 0$. This player counts the rows of the next $d$ moves and cares for nothing
# else. **Predict:** how deep must it look to beat Dellacherie's 5.54?

# %%
ignorant = np.zeros_like(true)
print({depth: round(lines(ignorant, depth), 4) for depth in (1, 2, 3, 4, 5, 9, 12, 19)})

# %% [markdown]
# Two moves! To see a row that the next piece could clear, and to see a death that it could bring, is worth more than
# all that Dellacherie knows, on this tiny board. With four moves it misses less than a hundredth of perfect play. On
# 4x4 there is little to know that a short search does not see. On ten columns, where a mistake is paid for a hundred
# pieces later, it is the other way round.
#
# ## What it costs
#
# How many moves must be judged for one decision? Count them on ten columns, on a low pile, where nothing is in the way:

# %%
counts = {name: sum(10 - shape.width + 1 for shape in piece.orientations) for name, piece in tc.PIECES.items()}
first, answers = np.mean(list(counts.values())), sum(counts.values())
print(counts, f"mean {first:.1f}")
print(f"at once {first:.0f}, next piece known {first * (1 + first):.0f}, unknown {first * (1 + answers):,.0f}")
print(f"three moves deep, unknown: {first * (1 + answers * (1 + answers)):,.0f}")

# %% [markdown]
# Each further piece costs 162 times as much. That is the price of the unknown: for each first move all seven pieces
# must be tried, with all their places. It pays to be lazy. Most first moves are so bad that no future can save them, so
# look further only at the few that are best by their own value: `tc.LookAhead(player, width=2)`. (One of the exercises
# does better: it leaves out what *provably* cannot matter.) We count what each player values for a decision, and what
# it makes of it, with the weights of the champion on 10x8 (`python tests/benchmarks/looking_ahead_figures.py cost`):

# %%
cost = stored_table("look-ahead-cost")
cost

# %%
def number(text):
    """A number that was written with commas."""
    return float(text.replace(",", ""))

_, axes = plt.subplots(figsize=(6.5, 3.4))
for word, mark, colour in (("its own value", "o", "black"), ("known", "s-", "#D55E00"), ("unknown", "o-", "#0072B2")):
    rows = [row for row in cost.rows if row["how"].split(",")[0] == word]
    mean, low, high = (np.array([number(row[part]) for row in rows]) for part in ("mean", "low", "high"))
    axes.errorbar([row["valued"] for row in rows], mean, [mean - low, high - mean], fmt=mark, color=colour, capsize=3,
                  label=word if "," not in word and "known" not in word else f"next piece {word}")
axes.set(xscale="log", yscale="log", xlabel="moves valued for a decision", ylabel="lines a game on 10x8")
axes.legend()
plt.show()

# %% [markdown]
# With the next piece unknown, *two* first moves give most of what there is: one and a half times the
# lines for fifteen times the work. From there to all moves the work grows elevenfold, and 400 games cannot tell the
# players apart. With the next piece known it is another story: there, wider is better for quite a while, and everything
# is far above. (A move that is second-rate on average is often the best for one certain piece; who knows that this
# piece comes can plan on it.) The last two rows of the table belong to a later section. They spend just as many moves
# as the full search, on something else.
#
# ### At equal time
#
# Is 1,564 against 942 lines a fair comparison? One player works 160 times as long as the other. "At equal time" is
# asked in every talk about search, and it deserves a careful answer, because it can mean three things.
#
# *For the decision.* A player who may think for a second thinks for a second, whether with 23 valued moves or with
# 4,000. But the greedy player cannot *use* more time: after 23 values it is finished. The only question is which way of
# thinking makes most of a given number of moves, and that is what the picture shows.
#
# *For the judgement.* In the time of one game of the searcher, the greedy player plays over a hundred. That makes its
# mean more exact, and not higher.
#
# *For finding the weights.* Here time can be exchanged! Instead of searching when it plays, let the greedy player train
# longer. So: CMA-ES, DN's eight features, 10x6, with a budget of valued moves. One learns as a greedy player, the other
# while looking ahead, so that each of its games costs 160 times as much. Then *both* weights play *both* ways
# (`looking_ahead_figures.py learning`; five runs each, every run judged on the same 400 games):

# %%
stored_table("look-ahead-learning")

# %% [markdown]
# Read the table by pairs of rows.
#
# - *Ten times the training*, for the player that learns and plays greedily: from a median of 87 lines to one of 84.
#   More time for training has bought nothing; eight features had given what they have.
# - *Looking ahead with weights that were learned greedily*: 115 lines with either budget, in all five runs more than
#   the same weights make greedily. No training of the greedy player is in sight of that.
# - *Learning while looking ahead*: with the small budget there are only seven iterations, and the median is lower, 102,
#   with ranges that overlap. With ten times as much it is level, 115. Five runs show no gain from learning for the
#   search, at either budget.
#
# So train the cheap player, and search when it counts. With the next piece unknown our champion says the same: on 10x10
# its own weights make 17,375 lines looking ahead, and those that were learned for looking ahead 16,568, with intervals
# that overlap by far; on 10x8 it is 1,564 against 1,797, and the intervals still touch. With the next piece *known*, in
# the one run that we made, it did pay to learn for it: 73,118 against 38,774 lines on 10x8 ([results](results.ipynb),
# table *look-ahead*).
#
# ## Rollouts
#
# There is another way to ask what comes then. Instead of *all* futures for two moves, follow *some* futures to the end.
# Make a first move; let a **base player** play on, with pieces at random; count the lines. That is a **rollout**. Do it
# a hundred times for each first move, and take the one with the highest mean.
#
# You know what this estimates. The mean over infinitely many rollouts is $Q_\pi(s, a)$, with $\pi$ the base player:
# make this move now, follow $\pi$ afterwards. Who takes the action of highest $Q_\pi$ makes *one step of policy
# improvement*, and the theorem of chapter 10 promises that he is at least as good as $\pi$, everywhere. On 4x4 we know
# $Q_\pi$ of every move, `everywhere` meaning: also on boards to which $\pi$ itself would never come.

# %%
base = tc.exact_value("dellacherie", rules, progress=False, everywhere=True)
step = lines(np.array([0.0, *map(base.value, places)]), 1)
print(f"Dellacherie's player {base.start:.4f}, one step better {step:.4f}, perfect {four.start:.4f}")

# %% [markdown]
# One step takes him from 78 % to 99.8 %. Nobody told him anything new; he only asked himself how he would go on. And
# rollouts get it without tables, by playing. Here is the position that cost him most in chapter 10, the Z on the empty
# board. What do 100 rollouts say of its moves, and what is the truth?

# %%
empty = tc.Board.empty(4, 4)
rolled = tc.rollouts("dellacherie", empty, "Z", rules, games=100, moves=None)
for move, mean, error in zip(rolled.moves, rolled.means, rolled.errors, strict=True):
    print(f"{mean:.2f} ± {1.96 * error:.2f}, exactly {base.worth(move):.2f}: {move}")

# %% [markdown]
# All moves met the same hundred sequences of pieces (common random numbers, chapter 05). The best one is found; it
# leads by more than a line. But look at the second: the truth lies outside its interval, and its hundred games have
# been kind. With five intervals that happens, and in a game there are dozens. Where the lead is small, such kindness
# decides. Does it matter? We let the player who decides by $n$ rollouts play the whole game, and value *that* exactly:
# it is a policy like any other. Ten seeds of the rollouts for each $n$ (`looking_ahead_figures.py exact`). **Predict:**
# with how many rollouts does it begin to be better than Dellacherie's player?

# %%
exact = stored_table("rollouts-exact")
exact

# %%
_, axes = plt.subplots(figsize=(6.5, 3.4))
games = [row["games"] for row in exact.rows]
for part, label, mark, colour in (("", "takes the highest mean", "o-", "#0072B2"),
                                  ("careful_", "only if clearly better", "s--", "#D55E00")):
    axes.plot(games, [row[part.rstrip("_") or "mean"] for row in exact.rows], mark, color=colour, label=label)
    low, high = ([row[part + end] for row in exact.rows] for end in ("low", "high"))
    axes.fill_between(games, low, high, color=colour, alpha=0.15)
for level, name, style in ((step, "one exact step", "--"), (base.start, "base player", ":")):
    axes.axhline(level, color="black", linestyle=style, linewidth=1, label=name)
axes.set(xscale="log", xlabel="rollouts of each move", ylabel="exact lines on 4x4")
axes.set_xticks(games, games)
axes.minorticks_off()
axes.legend(loc="lower right")
plt.show()

# %% [markdown]
# With a few rollouts it is far *worse* than the player it asks! The theorem was about true advantages. Measured ones
# are noisy, the maximum of noisy numbers likes those that were lucky, and so a good habit is left for a rumour: the
# winner's curse of chapters 05 and 08, once in every move. Between 8 and 16 rollouts it breaks even, and towards 500 it
# approaches the exact step.
#
# The second curve has a remedy, and it is the small print of the theorem: *in a tie, keep the old one*. When advantages
# are measured, everything that is not clearly different is a tie. So this player leaves the base player's move only for
# one whose lead is more than two standard errors of the difference, game by game on the same pieces. Two rollouts
# already do hardly any harm, and from four on it is better than the base player on average. It is no free lunch:
# from 32 on, where the highest mean can mostly be trusted, it is a little too timid.
#
# ### On ten columns
#
# Now DN on boards of ten columns, with rollouts to the end of the game, or of twenty moves (`looking_ahead_figures.py
# rollouts`):

# %%
stored_table("rollouts-played")

# %% [markdown]
# On 10x4 it takes more than a hundred rollouts of each move to overtake DN. With 512 they are clearly
# ahead of it, and on 10x5 rollouts of twenty moves double its lines with 512, where looking ahead (the last rows) shows
# no gain that 400 games could tell. The improvement is real, it goes beyond what two moves can see, and it is dearly
# paid: 512 rollouts of twenty moves for each of 23 moves, each choosing among 23, are over five million valued moves
# for a decision. At *equal* cost with the full search, 3,772, there is one rollout of seven moves for each, and you
# have seen in the table of costs what that makes of a champion: a line or two.
#
# And on 10x10, where DN clears thousands of lines, 128 rollouts of twenty moves ruin it. (Four games only: each
# decision takes a million moves. The interval is wide, and ends below DN's all the same; 32 rollouts leave it 124
# lines, in twenty games.) Why? A mistake there is punished after hundreds of pieces. In twenty moves nobody dies, all
# sums of rows are alike, and noise decides. Then make the rollouts as long as the games? A score has a standard
# deviation as large as its mean. Suppose that a move is worth a thousandth of a game more than another. Chapter 05
# knows how many games it takes to see a ratio of 1.001:

# %%
print(f"{2 * (2.8 / np.log(1.001)) ** 2:,.0f} games each, if they are independent")

# %% [markdown]
# Sixteen million games, of ten thousand moves each, for one decision. Common pieces help for a while, until the games
# have drifted apart. So rollouts shine where games are short or mistakes are dear. Elsewhere they need what our twenty
# moves did not have: a *value at the end* of the rollout, for all that comes after it.
#
# ## Why deeper is not always better
#
# So everything hangs on the values at the leaves. Ours are wrong. Does a deeper search make up for it? People who build
# programs for chess have believed so ever since there were such programs, and mostly they were right. Let us put it to
# the test, on 4x4, where we can make the leaves as wrong as we like and see exactly what comes of it.
#
# **First test: noise.** Add to the true value of each board a random error, once for all, normally distributed.
# **Predict** before you run it. Two moves deep, the maximum is taken over many more leaves, and maxima pick errors.
# Will the deeper player suffer more?

# %%
number_of = {board: k for k, board in enumerate(dict.fromkeys(places))}
which = np.array([number_of[board] for board in places])

def on_boards(errors):
    """The true values with an error for each board; the lost game stays at 0."""
    return true + np.append(0.0, np.asarray(errors)[which])

# %%
def trial(words, make, seeds=10):
    """Lines at depths 1, 2 and 3, and how often depth 2 is worse than depth 1."""
    found = np.array([[lines(on_boards(make(Draws(13, seed))), depth) for depth in (1, 2, 3)] for seed in range(seeds)])
    worse = (found[:, 1] < found[:, 0]).sum()
    print(f"{words:38} {found.mean(axis=0).round(2)}  deeper is worse in {worse} of {seeds}")

for spread in (0.5, 1, 2, 4):
    trial(f"noise of {spread} lines", lambda draws, spread=spread: spread * draws.normal(len(number_of)))

# %% [markdown]
# Not at all. Deeper is better, every time, by a wide margin. (We had expected the contrary when we planned this
# chapter. One should always run the cell.) Where has the winner's curse gone? Look at the errors themselves, before the
# search and after one and two backups:

# %%
living = np.array([len(moves) > 0 for moves in game.moves])
leaves = [on_boards(2 * Draws(13, seed).normal(len(number_of))) for seed in range(10)]
truth = true
for sweep in range(4):
    off = np.array([leaf - truth for leaf in leaves])[:, living]
    print(f"backups {sweep}: mean error {off.mean():5.2f}, spread {off.std(axis=1).mean():.2f}")
    truth, *leaves = (best_v_from_q(game.mdp, q_from_v(game.mdp, leaf)) for leaf in (truth, *leaves))

# %% [markdown]
# The curse is there: the errors had a mean of zero, and since the first maximum they are too high. But they are too
# high for *everybody*, and a player only compares. What counts is how much errors *differ*. The first maximum leaves
# that nearly as it was. But the second backup takes a mean over seven pieces, each with a best move of its own, and
# independent errors average away. Chance, so tedious to search, protects us. Besides, the search meets things that
# nobody has to guess, rows and lost games, and there it is exact.
#
# **Second test: all wrong by the same amount.** Now be kind. Take from every board the same number of lines. All values
# are wrong, and all comparisons between boards are right.

# %%
shifts = (-8, -4, -2, -1, 0, 2, 8)
for shift in shifts:
    shifted = on_boards(np.full(len(number_of), shift))
    print(f"true value {shift:+}: {[round(lines(shifted, depth), 3) for depth in (1, 2, 3, 4)]}")

# %% [markdown]
# The greedy player remains *perfect*, to the last digit, whatever the shift. The one that looks two moves deep falls
# from 7.07 to 5.91 lines with four lines too few, and to 1.75 with eight. **Before you read on:** how can the *deeper*
# player be hurt by an error that every board has?
#
# Because there is a place that does not have it: the lost game. That is worth 0, and everybody knows it. One move deep
# the lost game is not in sight. All leaves are boards, the error is in all of them, and cancels. Two moves deep there
# are pieces without an answer. A move after which seven pieces can be answered carries the error in full, one after
# which only four can carries four sevenths of it, so if boards look worse than they are, *to be lost looks good*. The
# search has found the only leaf without an error, and runs to it. With a shift upwards it clings to life too much,
# which costs little. Equal errors cancel only while they are equal.
#
# And now remember the little rule about missing answers. `tc.LookAhead` has a setting for it, `lost`: what a missing
# answer is worth, in the player's own units. Dellacherie's values are negative nearly everywhere, being sums of
# penalties. Somebody who writes the formula down without thinking, and lets a missing answer count 0, has built just
# this trap:

# %%
prices = (0, -5, -10, -15, -20, -30, -40, -60)
priced = [tc.exact_value(tc.LookAhead("dellacherie", lost=price), rules, progress=False).start for price in prices]
first_of_all = tc.exact_value(tc.LookAhead("dellacherie"), rules, progress=False).start
print("a lost answer counts 0:", round(priced[0], 4), " life first of all:", round(first_of_all, 4))

# %%
_, axes = plt.subplots(figsize=(6.5, 3.2))
axes.plot(prices, priced, "o-", color="#0072B2", label="looks ahead")
axes.axhline(base.start, color="black", linestyle=":", label="does not look ahead")
axes.axhline(first_of_all, color="#D55E00", linestyle="--", label="life first of all")
axes.set(xlabel="what a lost answer counts", ylabel="exact lines on 4x4")
axes.legend()
plt.show()

# %% [markdown]
# With 0 the search *costs* a line and a half: 4.03 where the greedy player has 5.54. The same search, with the same
# features and weights, has 6.91 when a lost answer comes last. Nothing but one number lies between harm and near
# perfection. If ever a search of yours is worse than what it searches with, look there first.
#
# **Third test: false treasures.** One kind of error is left, and it is the kind that learned values have: good on
# boards that were seen often, and wild on a few that were not. Give thirty boards, drawn at random, a treasure that is
# not there: ten lines more than they are worth. Then, as a control with the same boards, a hundred.

# %%
def treasures(size):
    """An error of this size on thirty boards."""
    return lambda draws: size * (draws.order(len(number_of)) < 30)

for size in (10, 100):
    trial(f"thirty boards are {size} lines too high", treasures(size))

# %% [markdown]
# With treasures of ten lines deeper is better still; with a hundred it is nearly always worse. The boards are the same,
# and the greedy player does not even notice the difference. A treasure lures everybody who can see it. Greedily one
# sees those that lie one move away, and ten lines are already more than any honest move. Two moves deep there are many
# more boards in sight; but each needs its piece to come, and a chance of one in seven divides the lure by seven. A
# seventh of ten is 1.4 lines, which an honest move can often match. A seventh of a hundred is fourteen, which none can.
# So the searcher takes moves that are good for nothing except to wait for a piece that would lead it to the treasure.
# Three moves deep the lure is divided once more.
#
# That is the rule behind the three tests. **A search averages errors that are small and independent, cancels those that
# are equal, and hunts for those that are rare and large.** Whether deeper is better depends on which kind you have. An
# exercise asks you to prove what can be said for all of them: no depth makes the *largest* error of a move's estimate
# larger. A bound, and no promise.
#
# ## Where this road leads
#
# Everything that chess and Go have built on this idea is a way to spend the same number of leaves better.
#
# *Not to look at what cannot matter.* Against an opponent, alpha-beta pruning cuts branches that a bound rules out, and
# doubles the depth for the same time. At a node of chance a bound rules out less, since six friendly pieces can make up
# for one bad one. It can be done (Ballard 1983), and the exercise on what cannot matter is a first taste.
#
# *Not to look at anything twice.* Two pieces on different columns may be placed in either order, and leave one board. A
# *transposition table* remembers boards that have been valued. On 4x4 there are 2,582 boards in all (chapter 10),
# however many orders of moves lead to them.
#
# *To look where it is worth it.* Our rollouts were shared out equally, hopeless moves getting as many as good ones.
# **Monte-Carlo tree search** (Coulom 2006; Kocsis and Szepesvári 2006) gives each further rollout to the branch that
# looks best or has been tried least, at every node of a tree that grows where it is visited. It needed no values at the
# leaves, and it brought programs for Go from weak to strong amateurs.
#
# *To have better leaves.* TD-Gammon learned its values of backgammon, and Tesauro and Galperin (1996) put rollouts on
# top, cut short and ended with the network's own value, which is what we missed on 10x10. **AlphaZero** (Silver and
# others 2018) closes the circle: a network proposes moves and values leaves, a tree search improves on both, and the
# network learns to say at once what the search has found out. Read this with the eyes of chapter 10. Search is the
# improvement step, learning is the evaluation step, and the whole is policy iteration.
#
# And Tetris? Three things are different. Chance draws every second node, so trees are wide and shallow, as in 2048 or
# backgammon; versions for games with chance exist (Antonoglou and others 2022). A game has no winner, but a score
# without a top, whose spread is as large as its mean, so that one game teaches next to nothing about one move. And
# games of good players last for millions of moves: at 160 times the price for each move, even to *measure* such a
# player takes a patience that few have had. Yet the middle of the road is open. [Chapter
# 14](14_policies.ipynb) takes it: rollouts as a teacher, and a policy that learns from them. The record of the
# papers was made that way.
#
# ## What you have learned
#
# - A tree of your choices and of chance's: maximum where you choose, mean where chance does.
# - To see the next piece takes perfect play on 4x4 from 7.07 to 12.82 lines, and the factor grows with the board. It is
#   another game, with a table of its own.
# - To search $d$ moves deep is to be greedy after $d - 1$ sweeps. It repairs values where it is needed; right ones need
#   no repair.
# - Each further unknown piece costs 162 times as much on ten columns. Looking at two first moves gets most of the gain.
# - At equal time: training a greedy player for longer bought nothing, searching with its weights a third more lines.
#   Train cheaply, search when you play.
# - Rollouts are policy improvement by measurement. With too few of them it is a deterioration, unless ties go to the
#   old move.
# - Search averages independent errors, cancels equal ones, and hunts for rare large ones. A lost game is a leaf without
#   an error, and its price decides whether search helps or harms.
#
# ## Where to go next
#
# - The [exercises](../exercises/13_looking_ahead.ipynb): the recursion itself, a player that averages over the next
#   piece, a search that leaves out what cannot matter, a step of improvement, a proof, a budget of rollouts, and a
#   player close to perfection.
# - [Chapter 14](14_policies.ipynb) makes a policy out of rollouts.
