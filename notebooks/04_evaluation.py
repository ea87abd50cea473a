# %% [markdown]
# # 04 Evaluation functions
#
# Is a hole worse than a step of three? A filter cannot even ask: its first criterion rules, and the others may only
# whisper. In this chapter a player gets *prices* instead, one for everything it sees, and adds them up. Around 2003
# Pierre Dellacherie set six such prices by hand, none of them above four, and for years no learning machine played
# better. What did he see that the others did not?
#
# **You will learn**
# - to write a player as a weighted sum of features, and to choose the best move in two lines
# - what each of the 33 features of our catalogue counts, on a board
# - which changes of the weights change nothing at all, and why four weights can do the work of three
# - to find out what a feature is worth: take it away, and measure
# - to tune a player by hand, and to see where it stands among the published ones
#
# **You need** [chapter 03](03_filtering.ipynb): moves, features such as holes and bumpiness, and filters. For one
# cell, the rank of a matrix, from a first course in linear algebra.
#
# **Time** about {{minutes}} minutes.

# %%
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML

import tetriscourse as tc
from tetriscourse.widgets import FeaturePanel, TunePanel
from tetriscourse.widgets.positions import position

rules = tc.RULES["10x10"]

# %% [markdown]
# All games of this chapter are played on a board of 10 columns and only 10 rows, half the usual height. Games are
# short there, so we can afford hundreds of them, and good players still differ by large factors.
#
# ## From filters to prices
#
# Here is a board with a narrow well and an S to place. There are seventeen moves. A filter that wants the fewest
# holes first, and then the least *bumpiness* (the sum of the steps between neighbouring columns), has no choice:

# %%
board = tc.Board.from_text("X.........\nXXXX......\nXXXX......\nXXXXX.X...\nXXXXX.XXXX", height=10)
careful = tc.Filter(["holes", "bumpiness"]).choose(board, tc.PIECES["S"])
careful.after

# %% [markdown]
# It makes no hole, and it would rather climb than make one: the S stands on the tower at the wall, which is now 7 rows
# high, of 10, and the well is still open. A person would shrug, close the well, and live with the single hole below.
# To allow that, we need to say how many steps a hole is worth. Say five. Then a move costs five for each hole and one
# for each step, and the best move is the cheapest:

# %%
bold = tc.Player(["holes", "bumpiness"], weights=[-5, -1]).choose(board, tc.PIECES["S"])
bold.after

# %%
for move in (careful, bold):
    holes, bumpiness = tc.FEATURES["holes"](move), tc.FEATURES["bumpiness"](move)
    print(f"holes {holes}, bumpiness {bumpiness:2}: value {-5 * holes - bumpiness}")

# %% [markdown]
# That is the whole idea. A *feature* $f_i$ is a function that looks at a move and returns a number. Its *weight*
# $w_i$ says how much we like that number: negative if we want little of it, positive if we want much. The
# **evaluation function** is the weighted sum
#
# $$V(\text{move}) = \sum_i w_i \, f_i(\text{move})$$
#
# and the **greedy player** takes the move with the highest value. It is called greedy because it takes what looks
# best now and never asks what comes next. In Python, the two sentences are two functions:

# %%
def value(move, features, weights):
    """The weighted sum of the features of a move."""
    return sum(weight * feature(move) for feature, weight in zip(features, weights, strict=True))

def choose(board, piece, features, weights):
    """The move of highest value; if there are several, the first of them."""
    return max(tc.moves(board, piece), key=lambda move: value(move, features, weights))

# %% [markdown]
# Python's `max` returns the *first* of several equal maxima, and `tc.moves` lists moves in a fixed order: by
# orientation, then by column. So ties have a definite answer, the same one as in the papers' simulators. Does our
# player agree with the library's? Take Dellacherie's player, whom you will meet properly below, and a hundred
# positions from the middle of careless games:

# %%
dellacherie = tc.PLAYERS["dellacherie"]
positions = [position(rules, seed) for seed in range(100)]
ours = [choose(p.board, p.piece, dellacherie.features.features, dellacherie.weights) for p in positions]
sum(mine == dellacherie.choose(p.board, p.piece) for mine, p in zip(ours, positions, strict=True))

# %% [markdown]
# A hundred out of a hundred. Everything else in this chapter is about two questions: which $f_i$, and which $w_i$?
#
# > **In the paper.** Thiery and Scherrer 2009, section 2, find this scheme behind *all* the Tetris players of the
# > literature: a *fonction d'évaluation* that is a weighted sum of *fonctions de base*. An expert chooses the
# > functions; the weights come from an expert or from an algorithm. Boumaza 2013, section 2.3, writes the same sum as
# > equation (2).
#
# ## Every feature, seen
#
# A player sees nothing of the board but its features, so let us see them too. In the panel, what a feature counts is
# drawn on the board of a move.
#
# **Try this.** Cover the numbers with a hand, choose *wells*, count what is marked, then look. Then choose *row
# transitions* and press *Lowest value*: what does that move do to the surface? Last question: can you find a move
# with few holes and many column transitions? (Think first. A hole costs how many column transitions?)

# %%
FeaturePanel("wells", rules="10x10", seed=3)

# %% [markdown]
# And here is the whole catalogue at once, on one and the same move: an L has just completed a row. The cell below
# draws a card for each feature, with its value on this move and its definition, which is nothing but the first line
# of the feature's docstring. The first five cards look at the *move*, the others at the board after it. The
# last twelve are our own: is there a *home* for each piece, a place where it lies flat, and how high and how even is
# the pile? No paper has them, and the champions of the last chapter see them.

# %%
from tetriscourse.widgets.board_view import move_data
from tetriscourse.widgets.highlights import highlight
from tetriscourse.widgets.pictures import as_image, board_picture

def card(feature, move):
    """What a feature counts, drawn, and how it is defined."""
    seen = highlight(feature, move)
    board = board_picture(move_data(move, seen, cell=14))
    size = f'width="{board.width:g}" height="{board.height:g}" style="background:white"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size} aria-label="{seen.text}" font-size="12">{board.body}</svg>'
    words = f"<b>{feature.name}</b><br>{seen.text}<br><i>{feature.describe}</i>"
    return f'<div style="width:170px;margin:0 12px 18px 0">{as_image(svg)}<br>{words}</div>'

move = position(rules, 285, pieces=18).moves[29]
cards = "".join(card(feature, move) for feature in tc.FEATURES.values())
HTML(f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start;font-size:12px">{cards}</div>')

# %% [markdown]
# Some look alike and are not. *Holes* counts three buried cells in a row as three, *rows with holes* as one. *Hole
# depth* counts the lid, not the hole. And *wells* has a twin, *wells one pass*, which differs by one on this very
# board: the same words, read in two ways, and there are published players for both. A feature is what the code
# counts, not what its name promises.
#
# > **In the paper.** Dellacherie's six features are table 2 of Thiery and Scherrer 2009, found by reading his source
# > code, and figure 3 of Boumaza 2013. Both papers describe the well sum as 1 + 2 + ... + depth for each well. The
# > simulator that produced the published figures does a little more: below a well cell it counts *every* empty cell
# > down to the first full one, whether or not that has full neighbours. Our `wells` does the same.
#
# ## Two features and an exchange rate
#
# Back to holes and bumpiness. Five steps for a hole was a guess. If a step costs 1, what should a hole cost?
#
# **Before you run the next cell:** draw, in your head, the lines cleared against the price of a hole. Does the curve
# rise and stay up? Where does it end, for a very high price?

# %%
def lines(features, weights, games=200, seed=4):
    """Lines a game of a player with these features and weights, always on the same pieces."""
    return tc.simulate(tc.Player(features, weights), rules, games=games, seed=seed, progress=False).mean

prices = [0.5, 1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64]
curve = [lines(["holes", "bumpiness"], [-price, -1], games=400) for price in prices]
by_filter = tc.simulate(tc.Filter(["holes", "bumpiness"]), rules, games=400, seed=4, progress=False).mean
print(f"best price {prices[np.argmax(curve)]}: {max(curve):.0f} lines a game")
print(f"price 64: {curve[-1]:.0f}, filter: {by_filter:.0f}")

# %%
plt.figure(figsize=(7, 3.2))
plt.plot(prices, curve, "o-", label="two weights")
plt.axhline(by_filter, color="#D55E00", linestyle="--", label="filter: holes, then bumpiness")
plt.xscale("log")
plt.xticks(prices, prices)
plt.xlabel("price of a hole, in steps")
plt.ylabel("lines a game")
plt.legend()
plt.show()

# %% [markdown]
# The curve climbs steeply, from almost nothing to a peak at a price of five, and comes down again to a plateau. On
# the plateau a hole costs more than all the steps that a move can save: no bumpiness ever buys a hole. That *is* the
# filter of the last chapter, up to the way ties are broken, and the two agree within the noise. So a filter is an
# evaluation function with an infinite exchange rate, and the peak says what infinity costs: a third of the lines.
#
# ## What does not matter
#
# We moved one weight and left the other at -1. Did we miss anything by that? No. Multiply all weights by the same
# positive number $c$: every value is multiplied by $c$, and the highest stays the highest.

# %%
def same_games(features, weights, other_features, other_weights):
    """Whether two players clear the same number of lines in each of 200 games."""
    players = tc.Player(features, weights), tc.Player(other_features, other_weights)
    first, second = (tc.simulate(player, rules, games=200, seed=4, progress=False) for player in players)
    return np.array_equal(first.lines, second.lines)

w = np.array(dellacherie.weights)
same_games("dellacherie", w, "dellacherie", 7 * w)

# %% [markdown]
# This is **scale invariance**. A weight vector is a direction, and its length means nothing. We may fix the length at
# 1: then players live on a sphere, and a player with $n$ weights has only $n - 1$ things to choose. With two weights,
# that is one ratio, the exchange rate of our curve. Only *positive* factors leave a player alone. Minus one turns it
# inside out:

# %%
print(f"-1 times Dellacherie: {lines('dellacherie', -w):.2f} lines a game")

# %% [markdown]
# > **In the paper.** Boumaza 2013, section 4.2.1, proves scale invariance in four lines, for "a constant" (he means a
# > positive one), and then draws a practical conclusion: an optimizer that does not know it chases longer and longer
# > vectors for ever. Chapter 09 shows that chase, and his cure: normalise every vector.
#
# The second thing that does not matter is anything that is the same for all moves. Add the feature *constant*, which
# is 1 for every move, with any weight you like: all values shift together, and the order stays.

# %%
with_constant = ["constant", *(feature.name for feature in dellacherie.features.features)]
same_games("dellacherie", w, with_constant, [1000, *w])

# %% [markdown]
# Nobody would pay for a constant. But constants hide. TetrisBot, the player of Muller and Ponton 2019, has four
# features: $L$ rows cleared, $H$ the sum of the column heights, $T$ the holes (*trous*), and $B$ the bumpiness. Look
# at one column of the board after a move: its height is the number of its full cells plus the number of its holes.
# Add up all columns:
#
# $$H = \text{full cells} + T$$
#
# And the full cells after the move are those before it, plus 4 for the new piece, less 10 for each row cleared:
#
# $$H = (\text{full cells before} + 4) - 10 L + T$$
#
# The bracket is the same for every move of this piece on this board. So $H + 10 L - T$ is a constant in disguise. Do
# you believe it? Here is a position with 34 moves:

# %%
some = next(p for p in positions if len(p.moves) == 34)
heights, cleared, holes = (np.array([tc.FEATURES[name](move) for move in some.moves])
                           for name in ("sum_heights", "lines", "holes"))
print("sum of heights takes", len(set(heights)), "values, the combination", len(set(heights + 10 * cleared - holes)))

# %% [markdown]
# Now put the equation into TetrisBot's $q = aL - bH - cT - dB$, and $H$ disappears:
#
# $$q = (a + 10b)\, L - (b + c)\, T - d B + \text{constant}$$
#
# **Before you run the next cell:** the player below never looks at a height. In how many of 200 games does it clear a
# different number of lines?

# %%
a, b, c, d = 0.548, 0.5218, 0.6267, 0.1862                     # the weights that the program proposes
same_games("tetrisbot", [a, -b, -c, -d], ["lines", "holes", "bumpiness"], [a + 10 * b, -(b + c), -d])

# %% [markdown]
# In none. Four weights do the work of three, and by scale invariance three do the work of two. The genetic algorithm
# of the report searched a space of four dimensions for what lives in two.
#
# How does one find such a thing without being clever? Let linear algebra look. Take, for many positions, the
# differences between the feature values of one move and another. A hidden constant is a combination of columns that
# is zero in every row, so the *rank* of the matrix, the number of independent columns, falls short by one for each.
# We ask five published sets: besides TetrisBot's and Dellacherie's, *dn* are Dellacherie's six and two more, by Thiery
# and Scherrer 2009; *bertsekas* are the heights and holes of Bertsekas and Tsitsiklis 1996; *xtris* are the features
# of Llima 2005.

# %%
def rank(features):
    """How many weights of a feature set matter, length included."""
    values = [np.array([features.values(move) for move in p.moves]) for p in positions[:60]]
    return np.linalg.matrix_rank(np.vstack([found[1:] - found[0] for found in values]))

for name in ("tetrisbot", "dellacherie", "dn", "bertsekas", "xtris"):
    print(f"{name:12} {tc.FEATURE_SETS[name].size(10):2} weights, rank {rank(tc.FEATURE_SETS[name]):2}")

# %% [markdown]
# Only TetrisBot's set has a weight too many. The loss is small, but it is a gift to us: a world of two dimensions
# fits on a page. Fix the price of a step at 1. What is left is the reward for a row and the price of a hole. Every
# player that TetrisBot's four features allow, and that wants rows and shuns holes and steps, is one point of the
# following map. The published ones are marked.

# %%
rewards, tolls = 2.0 ** np.arange(-1, 7.5, 0.5), 2.0 ** np.arange(0, 6, 0.25)
three = ["lines", "holes", "bumpiness"]
world = np.array([[lines(three, [reward, -toll, -1], games=60) for reward in rewards] for toll in tolls])

def place(lines, heights, holes, bumpiness):
    """Where TetrisBot's weights stand on the map: the reward for a row and the price of a hole, in steps."""
    row, hole, step = lines - 10 * heights, -(heights + holes), -bumpiness      # heights are gone; prices are positive
    return row / step, hole / step

published = ["tetrisbot", *(f"tetrisbot-{example}" for example in range(1, 8))]
places = np.array([place(*tc.PLAYERS[name].weights) for name in published])
toll, reward = np.unravel_index(world.argmax(), world.shape)
again = lines(three, [rewards[reward], -tolls[toll], -1], games=400, seed=5)
print(f"{world.size} players; the best clears {world.max():.0f} lines a game, on fresh pieces {again:.0f}")

# %%
_, axes = plt.subplots(figsize=(7, 4.2))
plt.colorbar(axes.pcolormesh(rewards, tolls, world, shading="nearest"), label="lines a game")
axes.plot(*places.T, "r^", label="published")
axes.set(xscale="log", yscale="log", xlabel="reward for a row, in steps", ylabel="price of a hole, in steps")
axes.set_xticks([1, 4, 16, 64], [1, 4, 16, 64])
axes.set_yticks([1, 4, 16], [1, 4, 16])
axes.legend(loc="lower right")
plt.show()

# %% [markdown]
# The map has one high ridge: a hole costs about five steps, and rows earn little. A second, fainter one runs up to the
# right, where a hole costs some five steps *more than a row earns*: a move that clears a row but digs a hole then
# costs those five. The red triangles stand off both crests, some of them close by. (They were bred for another game,
# with 22 rows and with points that favour four rows at once. Nobody tuned them for this one.) More important are the
# numbers that the cell above the map printed. The best point of the map is also the luckiest of hundreds; on fresh
# pieces it falls back to 170. *No* choice of weights takes these features much further. Tuning has come to an end, and
# it was not the tuning that was missing.
#
# ## Dellacherie's insight
#
# Here is the function that Thiery and Scherrer found in Dellacherie's source code:
#
# $$V = -l + e - \Delta r - \Delta c - 4T - W$$
#
# with $l$ the landing height, $e$ the eroded cells, $\Delta r$ and $\Delta c$ the row and column transitions, $T$ the
# holes ($L$ in the paper), $W$ the wells. Weights that a child could remember. What do they earn?

# %%
score = tc.simulate(dellacherie, rules, games=200, seed=4, progress=False)
low, high = score.interval()
print(f"{score.mean:,.0f} lines a game; the true mean is between {low:,.0f} and {high:,.0f} with 95 % confidence")

# %% [markdown]
# Fifteen times what the best point of the map clears on fresh pieces. On the full board of 20 rows the gap becomes
# absurd: Thiery and Scherrer measured five million lines. Which of the six does it? Two experiments tell: let each
# play **alone**, and take each **away** while the others keep their weights. The second is called an *ablation*.
#
# **Before you run the next cell:** which single feature plays best alone? And which one will be missed most?

# %%
names = [feature.name for feature in dellacherie.features.features]
alone = [lines("dellacherie", np.where(np.arange(6) == k, w, 0)) for k in range(6)]
without = [lines("dellacherie", np.where(np.arange(6) == k, 0, w)) for k in range(6)]
for name, one, five in zip(names, alone, without, strict=True):
    print(f"{name:20} alone {one:5.1f}    the other five {five:7,.1f}")

# %%
_, axes = plt.subplots(figsize=(8, 3.4))
axes.bar(np.arange(6) - 0.2, alone, 0.38, label="it alone", color="#E69F00")
axes.bar(np.arange(6) + 0.2, without, 0.38, label="the other five", color="#0072B2")
axes.axhline(score.mean, color="black", linestyle="--", label="all six")
axes.set(yscale="log", ylabel="lines a game (log scale)")
axes.set_xticks(range(6), [name.replace("_", "\n") for name in names])
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# Alone, each is hopeless: none clears ten lines. Together they clear thousands. And five of the six are sorely
# missed: without any one of them, at most a third of the lines remain, without *holes* some three in a hundred. Only
# *eroded cells* can be spared for a while. The strength is in the combination, and the combination has two ideas that
# TetrisBot's four lack.
#
# **Transitions and wells see structure.** Bumpiness sees the surface only. Row transitions look into every row, the
# buried ones too: each gap costs two. Column transitions see a hole from both sides, its floor and its lid, and count
# stacked holes as one. Wells grow quadratically, so that two shallow wells are better than a deep one.
#
# **Landing height and eroded cells look at the move, not at the board.** A move that clears a row leaves a board that
# does not remember it. And the height of the pile is mostly history: the player cannot change it. Where *this* piece
# lands is what it decides now. Let us replace the landing height by a height of the board, and give that any weight
# it likes:

# %%
for other in ("max_height", "sum_heights"):
    tried = [lines([other, *names[1:]], [-weight, *w[1:]]) for weight in (0.1, 0.25, 0.5, 1, 2)]
    print(f"{other:12} instead of landing_height: at best {max(tried):,.0f}")

# %% [markdown]
# Half of the lines are gone, or three quarters. The landing height is worth more than any height of the board.
#
# > **In the paper.** Thiery and Scherrer 2009, section 5, add two features to Dellacherie's six, hole depth and rows
# > with holes, and give all the 21 features of Bertsekas and Tsitsiklis (heights, differences, maximum, holes) to the
# > same optimizer. The two new ones double the score, on 10x20 from 17 million lines (the six, with weights that were
# > learned too) to 35 million. The 21 add nothing to those (table 3). Good eyes beat many eyes.
#
# ## A weight is not an opinion
#
# It is tempting to read weights as opinions: four times as bad, says Dellacherie of a hole. Here is a player that
# beats him, one of the two best ever published for this board, learned in 2013. Look at its *holes*:

# %%
champion = tc.PLAYERS["dt-10"]
for feature, weight in zip(champion.features.features, champion.weights, strict=True):
    print(f"{feature.name:20} {weight:6.2f}")

# %% [markdown]
# It *likes* holes, by 0.95 apiece. Does it? Digging a hole changes other things too. It adds two column transitions,
# -3.31 each, perhaps a row with holes, -9.65, perhaps row transitions and a well. The hole is long paid for; the
# small plus only gives back what the other prices overcharge. A weight is the price of a feature *while all others
# stay the same*, and on a Tetris board they never do.
#
# So ablation has a catch as well. Without *holes* Dellacherie fell to a few dozen lines. But the other five were
# never asked to stand in. If column transitions may take over:

# %%
for weight in (-1, -2, -3, -4):
    five = [-1, 1, -1, weight, 0, -1]
    print(f"no holes, column transitions {weight}: {lines('dellacherie', five):7,.1f} lines a game")

# %% [markdown]
# A player that does not know what a hole is, and it clears almost three quarters of Dellacherie's lines. The honest
# reading of an ablation: it measures what the *others, as they are weighted*, cannot replace.
#
# ## Your turn: the sliders
#
# Enough of reading. In the panel every weight has a slider. The chosen move, a game that goes on, and the scores of
# 400 games follow as you drag.
#
# **Try this.**
# 1. Tick *normalise* and drag one weight. The others shrink: you are walking on the sphere.
# 2. Press *Reset*, then *Freeze as rival*: now Dellacherie plays the same pieces beside you. Beat him with his own six
#    features. It can be done: *el-tetris* in the menu has the same features, and a machine found its weights. Which of
#    his would you doubt first?
# 3. When your mean is higher, look at the intervals. Would you bet on it?

# %%
tune = TunePanel(tc.Player("dellacherie", [-1, 1, -1, -1, -4, -1], name="my first"), rules="10x10")
tune

# %% [markdown]
# What you set with the sliders is in Python too, as `tune.player`. A player deserves a record: the **leaderboard**
# lets it play 100 games, always on the same pieces, and keeps its name, weights and score in a small file on your
# computer, among the published players, who have played the same games. Here we enter three of this chapter's: the
# peak of the two-feature curve, the player that knows no holes, and what your sliders say (as long as nobody touches
# them, they say Dellacherie). Tune, run this cell again, and climb.

# %%
from tetriscourse.course.leaderboard import Leaderboard

table = Leaderboard()
table.enter(tc.Player(["holes", "bumpiness"], [-5, -1]), name="five steps a hole")
table.enter(tc.Player("dellacherie", [-1, 1, -1, -4, 0, -1]), name="knows no holes")
table.enter(tune.player)

# %% [markdown]
# Read the intervals before you read the places. Two players whose intervals overlap widely may well change places
# with other pieces, and the table cannot tell who is better. How to tell, and how many games that takes, is chapter
# 05.
#
# ## What you have learned
#
# - An evaluation function gives a move the value $\sum_i w_i f_i$; the greedy player takes the first move of highest
#   value.
# - A filter is the extreme case of infinite prices. Finite prices can trade, and trading pays.
# - A positive factor on all weights changes nothing, and neither does anything that is the same for all moves. Hidden
#   constants make weights redundant: of TetrisBot's four, two numbers remain.
# - When the best weights are found and the player is still poor, it needs better eyes. Dellacherie's see structure,
#   and they look at the move.
# - A weight, and an ablation, speak about one feature *given the others*.
#
# ## Where to go next
#
# - The [exercises](../exercises/04_evaluation.ipynb): value a move by hand, write the greedy player and a feature,
#   meet a player that hates to clear rows and plays just as well, and build a strong player from four features only.
# - [Chapter 05](05_comparing_players.ipynb) asks the question that the leaderboard leaves open: who is better, and
#   how sure is that?
