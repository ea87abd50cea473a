# %% [markdown]
# # 03 Filtering
#
# Two agents look at every move through the same four questions. One asks *how high?* before *how flat?*, the other
# *how flat?* before *how high?*; that is all the difference there is. One of them scores three times as many points as
# the other. Which one, and why should the order of two questions matter so much?
#
# **You will learn**
# - to build a player out of *criteria*, each of which discards moves until few are left;
# - to say what a criterion leaves over for the next one, and so why their order matters;
# - what a well is, what it earns and what it costs;
# - to read a histogram and a box plot slowly enough to distrust a mean;
# - what no order of criteria can express.
#
# **You need** boards, holes and bumpiness from [chapter 01](01_data_structures.ipynb), and the rules of the engine
# from [chapter 02](02_engine_and_agents.ipynb). **Time** about {{minutes}} minutes.

# %%
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import permutations

import numpy as np
from IPython.display import HTML

import tetriscourse as tc
from tetriscourse.widgets import FilterPanel

RULES = tc.RULES["tetrisbot"]

# %% [markdown]
# ## A good move, in one sentence
#
# Chapter 02 ended with agents that play by chance and lose within a few dozen pieces. What would you tell them? Most
# people say something like: *make no holes, stay low, stay flat, and clear rows when you can.* Here is a board, and an
# L to be placed on it.

# %%
drawing = """
.X........
XX.XX.....
XXXXXXXX..
XXXXXXXXX."""
board = tc.Board.from_text(drawing, height=7)
board

# %%
moves = tc.moves(board, tc.PIECES["L"])
len(moves)

# %% [markdown]
# Thirty-four ways to turn it and drop it. The sentence above names four *features*: functions that turn a move into a
# number, here by looking at the board that it leaves behind. We write them as Muller and Ponton do in French:
#
# | feature | symbol | what it counts | we want |
# |---|---|---|---|
# | `holes` | $T$ (*trous*) | empty cells with a full cell somewhere above them | few |
# | `sum_heights` | $H$ (*hauteurs*) | the heights of all columns together | few |
# | `bumpiness` | $B$ | the steps between neighbouring columns, without their signs, together | few |
# | `lines` | $L$ (*lignes*) | rows that the move clears | many |
#
# ## One criterion leaves ties
#
# Take the first. How many holes would each of the 34 moves leave?

# %%
holes, sum_heights, bumpiness = (tc.FEATURES[name] for name in ("holes", "sum_heights", "bumpiness"))
print(sorted(Counter(holes(move) for move in moves).items()))

# %% [markdown]
# Each pair is a number of holes and how many moves leave so many: two moves would leave five, and seven leave none. To
# *filter* by a criterion is to keep the moves that are best by it, **all** of them, and to discard the rest:

# %%
def keep_fewest(moves, feature):
    """Keep the moves for which a feature is smallest."""
    fewest = min(feature(move) for move in moves)
    return [move for move in moves if feature(move) == fewest]


len(keep_fewest(moves, holes))

# %% [markdown]
# Seven moves tie. As far as holes go, they are equally good, and the criterion has nothing more to say. That is not a
# weakness: it is what makes room for a second opinion.
#
# ## A second criterion among equals
#
# *Keep the best moves by the first criterion, then the best of those by the second, and so on.* The function is that
# sentence again:

# %%
def filtered(moves, criteria):
    """Keep the best moves by the first criterion, then the best of those by the second, and so on."""
    for criterion in criteria:
        moves = keep_fewest(moves, criterion)
    return moves


def rows_missed(move):
    """Fewest of these is most rows."""
    return -move.rows

# %% [markdown]
# The agent of Muller and Ponton asks for holes, then heights, then bumpiness, then rows. We call it *heights first*,
# since everybody asks for holes before anything else, and the other one, with heights and bumpiness exchanged, *flat
# first*.

# %%
[heights_first] = filtered(moves, [holes, sum_heights, bumpiness, rows_missed])
[flat_first] = filtered(moves, [holes, bumpiness, sum_heights, rows_missed])
heights_first, flat_first


# %% [markdown]
# Each leaves a single move, and not the same one. Let us see them side by side, the L where it lands and no row
# cleared yet:

# %%
def beside(*moves):
    """The moves in a row: each piece where it lands, before full rows go."""
    boards = [move.before.with_cells(move.cells, move.piece.name) for move in moves]
    return HTML(f'<div style="display:flex;gap:2em">{"".join(board.picture(15) for board in boards)}</div>')


beside(heights_first, flat_first)

# %% [markdown]
# Left, the L stands upright at the edge, completes the second row, and leaves a turret. Right, it lies down into a
# notch and completes nothing. Neither leaves a hole: on the left, the cell under the foot of the L is open again as
# soon as the full row is gone. Which one would you rather play on from?
#
# The library has such players ready-made. A `Filter` takes the names of features, knows that `lines` are welcome and
# the rest are not, and remembers what is left after each stage:

# %%
player = tc.Filter(["holes", "sum_heights", "bumpiness", "lines"])
print([len(left) for left in player.stages(moves)])
assert player.stages(moves)[-1] == [heights_first]

# %% [markdown]
# Of 34 moves, 7 make no hole; of these 7, 1 is lowest; the last two criteria find nothing left to decide. Remember
# that: it will become a theme.
#
# When several moves survive all criteria, somebody has to choose. Our filters draw lots. Many programs take the first
# in the list instead, and then the order in which moves happen to be listed becomes part of the player, whether or not
# its author knows. We measured it, with 1,600 games each, which are accurate to 5 per cent: the weighted player that
# TetrisBot's program proposes (chapter 04) makes 562,270 points a game; with its orientations tried in another order,
# and nothing else changed, it makes 683,266. A fifth more, for no idea at all.
#
# ## Put the criteria in order yourself
#
# Below is the same board under the rules of Muller and Ponton. Drag a criterion up or down (or focus it and press
# Shift with an arrow key), and watch which moves each stage keeps and which it discards.
#
# **To try.** Bring *bumpiness* above *sum heights*: does the choice change as computed? Press *Play 10* three times
# with one order; press *Empty board* and do the same with the other. Then put *bumpiness* above *holes*, and play on
# until you can answer: **what does a player do for which flatness comes before everything?**

# %%
FilterPanel("filter-heights", board=tc.Board.from_text(drawing, height=22), piece="L", seed=1)

# %% [markdown]
# ## Which order wins?
#
# Back to the question at the beginning. *Heights first* keeps the pile low and clears the row it can get. *Flat first*
# keeps the surface friendly and lets rows wait. Both avoid holes before anything else, and rightly: a hole cannot be
# filled until whatever covers it is gone.
#
# **Before you run the next cell:** which order scores more, and by what factor? Write your guess down; a guess that is
# not written down is always right.
#
# A seed fixes the pieces of each game, so both players meet the same pieces, 200 times over. Points are counted as in
# chapter 02: 40, 100, 300 and 1,200 for one to four rows at once. (The library calls the two players by what they ask
# for after holes.)

# %%
def games_of(player, games):
    """So many games on the pieces of seed 1, which are the same for every player."""
    return tc.simulate(player, RULES, games=games, seed=1, progress=False)


scores = {name: games_of(tc.PLAYERS[name], 200) for name in ("filter-heights", "filter-bumpiness")}
for name, one in scores.items():
    print(f"{name:16} {one.mean_points:9,.0f} points, {one.mean:6,.0f} rows a game")

# %% [markdown]
# Flat first wins, three times over. The player that declines rows ends up with three times as many rows.
#
# > **In the paper.** Muller and Ponton 2019 describe the filtering agent (*agent par filtrage*) in chapter 4, section
# > 4, and measure it in chapter 10, section 1: 76,308 points on average over 100 games with heights before bumpiness,
# > and 233,573 the other way round. A mean of 100 games of Tetris is good to about 20 % (chapter 05 says why). In
# > 1,600 games ours make 80,164 and 234,590 points: their result, reproduced on another simulator, with other pieces,
# > in seconds. The paper reports the two figures and goes on to genetic algorithms. It does not say *why*. Let us.
#
# ## What a criterion leaves to the next
#
# A criterion that comes early has the first pick. How much does it leave? We need real positions, so let *flat first*
# play 300 pieces, and list all moves that it could choose from each time.

# %%
game = tc.play_game(tc.PLAYERS["filter-bumpiness"], replace(RULES, max_pieces=300), seed=1)
positions = [tc.moves(move.before, move.piece, RULES) for move in game.moves]
print(f"{np.mean([len(moves) for moves in positions]):.1f} moves in a position")

# %% [markdown]
# **Guess first:** asked alone, which of the four criteria leaves the fewest moves over, and which leaves the most?

# %%
NAMES = ("holes", "sum_heights", "bumpiness", "lines")
for name in NAMES:
    left = [len(tc.Filter([name]).stages(moves)[0]) for moves in positions]
    print(f"{name:12} keeps {np.mean(left):4.1f} moves, and only one in {np.mean(np.equal(left, 1)):3.0%} of positions")

# %% [markdown]
# Bumpiness is *strict*: it takes many different values, ties are rare, and in most positions it picks the move alone.
# Holes are *lenient*: they leave five or six moves, and a single one in a tenth of the positions. (Lines are both:
# where no row can be had, all moves tie; where one can, often a single move gets it.) A strict criterion in front is a
# dictator, and those behind it may as well stay at home. A lenient one in front merely forbids the worst.
#
# With holes in front, then, it is the second place that decides. Here is what is left after each stage, on average:

# %%
for name in ("filter-heights", "filter-bumpiness"):
    stages = [[len(left) for left in tc.PLAYERS[name].stages(moves)] for moves in positions]
    print(name, np.mean(stages, axis=0).round(2))

# %% [markdown]
# Holes leave about five and a half moves to both. After that *flat first* is all but done: what bumpiness chooses is
# hardly ever revised. In *heights first*, bumpiness chooses among the three or four moves that heights have left.
#
# Look at the last two numbers of *heights first*: they are equal. The criterion `lines` discarded nothing, in 300
# positions. Accident? Then here is a larger accident.
#
# ## Twenty-four orders, and how many players?
#
# Four criteria can be put in $4! = 24$ orders. We let each of the 24 play the same 50 games, and put orders into one
# group when their scores agree in *every* game. **How many groups do you expect?**

# %%
groups = defaultdict(list)
for order in permutations(NAMES):
    points = games_of(tc.Filter(order), 50).points
    groups[tuple(points.tolist())].append(order)
for points, orders in sorted(groups.items(), key=lambda group: -np.mean(group[0])):
    print(f"{np.mean(points):9,.0f} points: {len(orders)} orders, such as {', '.join(orders[0])}")

# %% [markdown]
# Six. Twenty-four recipes, six dishes, two of them inedible. Something ties these features together, and it can be
# found by counting cells. Let $F$ be the number of full cells on a board. In each column, every cell up to the highest
# full one is either full or a hole, so that the height is the number of full cells plus the number of holes. Add up
# the columns:
#
# $$H = F + T.$$
#
# And $F$ is no mystery: a piece brings 4 cells, and each of the $L$ cleared rows takes 10 away. If $F_0$ cells were
# full before the move, then $F = F_0 + 4 - 10 L$, and so
#
# $$H = F_0 + 4 - 10 L + T.$$
#
# Of three features, any two determine the third. Trust, but check, on every move of every position:

# %%
for move in (move for moves in positions for move in moves):
    assert sum_heights(move) == move.before.full.sum() + 4 - 10 * move.rows + holes(move)

# %% [markdown]
# No complaint. Now read the agents again. Among moves with *equally many holes*, the fewest heights are simply the
# **most rows**. *Heights first* never stood for "stay low" at all! It is greed in disguise: no holes, then grab every
# row within reach, then be flat. That is why its fourth criterion decides nothing, and why our L stood up to finish a
# row and left a turret. *Flat first* says: no holes, then be flat, and a row is a row when it comes.
#
# That settles it. A row that is grabbed today is worth 40 points. A turret means that tomorrow fewer pieces fit
# without a hole, and holes are what games die of.
#
# The other groups make sense now, too. With heights in front, a row outweighs nine holes ($10L$ against $T$), so that
# this is nearly the same as lines and then holes in front; the two differ only where a row would cost ten holes or
# more. With bumpiness in front a game brings two rows or so: the flattest thing to do with a bad surface is to roof it
# over. And with lines in front and bumpiness right after them, the same happens wherever no row can be had.
#
# ## Wells
#
# The authors make one more remark on their agent: it plays rather well for something so simple, but *tends to make
# wells* in order to avoid holes. A **well** (*puits*) is a run of empty cells in a column whose left and right
# neighbours are full; walls count as full. Here is the most famous one:

# %%
ready = tc.Board.from_text("XXXXXXXXX.\n" * 4, height=7)
[tetris] = tc.PLAYERS["filter-heights"].stages(tc.moves(ready, tc.PIECES["I"]))[-1]
beside(tetris)

# %% [markdown]
# The I drops in, four rows go at once, and that is where the points are. What is a row worth when $k$ of them are
# cleared together?

# %%
[RULES.points(k) / k for k in (1, 2, 3, 4)]

# %% [markdown]
# A row in a *tetris*, as the fourfold clearing is called, is worth seven and a half ordinary ones. Whoever wants four
# rows at once needs a well four cells deep: no other shape clears four rows. So a well is an investment. What does it
# cost? Only an I fits. With the 7-bag of chapter 02, up to twelve other pieces can come between two of them: 48 cells,
# nearly five rows of rubble, laid on what is left of a board with one column closed. Two wells wait for two I's.
#
# The feature `wells` counts a well of depth $n$ as $1 + 2 + \dots + n$, since depth is what hurts: the one above
# counts 10. How deep do our two agents dig, and what do they earn with it?

# %%
wells = tc.FEATURES["wells"]
for name in ("filter-heights", "filter-bumpiness"):
    game = tc.play_game(tc.PLAYERS[name], replace(RULES, max_pieces=300), seed=1)
    rows, depth = Counter(move.rows for move in game.moves), np.mean([wells(move) for move in game.moves])
    print(f"{name:16} wells {depth:.1f}, cleared at once: {sorted(rows.items())}")

# %% [markdown]
# The remark holds: *heights first* lives with about twice the wells. Each pair on the right is a number of rows and
# how many moves cleared so many; tetrises are rare for both. These wells are not investments. They are accidents.
#
# ### Where does a new criterion go?
#
# So let us tell the agent to avoid wells. A fifth question for the list would do; to see more clearly, we keep only
# holes and bumpiness beside it. `wells` can come first, in the middle, or last. **Bet again:** which place is best,
# and by what factor does it beat the worst?

# %%
PLACES = ("wells holes bumpiness", "holes wells bumpiness", "holes bumpiness wells")
for place in PLACES:
    one = games_of(tc.Filter(place.split()), 30)
    worth = one.mean_points / one.mean
    print(f"{place:22} {one.mean_points:9,.0f} points, {one.mean:6,.0f} rows, {worth:.0f} points a row")

# %% [markdown]
# The same three words, and a factor of nearly ten thousand. With `wells` last they beat everything else in this
# chapter. They also beat the best *weighted* player of the paper, with its 518,412 points, and the one that took a
# genetic algorithm three weeks to find, with 500,870: they had no eyes for wells.
#
# And with `wells` first? The wish was granted. Here is its last move, and how many wells it made in that whole game:

# %%
game = tc.play_game(tc.Filter(PLACES[0].split()), RULES, seed=1)
print(f"most wells after any of the {game.pieces} moves: {max(wells(move) for move in game.moves)}")
beside(game.moves[-1])

# %% [markdown]
# Not a single well, from the first piece to the last! The surest way to dig none is to build a tower. What a criterion
# does not look at, it does not protect, and one in front is obeyed to the letter. Behind the others it only breaks
# ties that lots would have decided, where it can do no harm and a great deal of good. Hence a rule of thumb. **In
# front: what you would want at any price, and what leaves many moves over. At the end: what is nice to have.**
#
# Notice the points a row as well. *Flat first* had 246,211 points for 4,107 rows, 60 for each. The player that avoids
# wells clears its rows by ones and twos, and gets only 54: it wins by living longer. Tetrises would need *one* well,
# at the right time, but not two, and not when the pile is high. Try to say that by putting words in order.
#
# ## How scores spread
#
# We have been comparing means. A mean is one number for 200 games; what do the 200 games say? Here are all games of
# *heights first*.

# %%
tc.plots.score_spread(scores["filter-heights"])

# %% [markdown]
# **The histogram**, above, cuts the axis into equal bars and counts the games in each. Read it from the left. The
# highest bars are at the very beginning: the commonest kind of game is a *short* one. Then the bars sink, slowly,
# towards a few games on the far right. Such a shape is said to have a *long tail*. There is no hump around the mean.
#
# **The box plot**, below, keeps five numbers. Sort the games by points. The *median* is the one in the middle: half of
# the games score less. The *lower quartile* has a quarter of the games below it, the *upper quartile* three quarters.
# The box runs from quartile to quartile, and so holds the middle half of the games; the *whiskers* go on to the least
# and the most. (That is how Muller and Ponton draw them. Others end a whisker at 1.5 box lengths and draw the games
# beyond it as dots: look for the convention before you read one.) The diamond is the mean, which a box plot need not
# show at all.

# %%
points = scores["filter-heights"].points
print("least, quartiles, most:", np.percentile(points, [0, 25, 50, 75, 100]))
print(f"mean {points.mean():,.0f}, and {np.mean(points < points.mean()):.0%} of the games are below it")

# %% [markdown]
# The median line is left of the middle of the box, the right whisker is several times as long as the left one, and the
# mean sits far to the right of the median. All three say the same thing: a few very long games pull the mean up. *Most
# games are worse than average*, which sounds like a contradiction and is none. Replace the best game by one ten times
# as long, and the mean jumps while the median does not notice.
#
# Why such a tail? A player in good order meets the same small danger with each piece, and has no memory of how long it
# has survived. Chapter 05 turns this sentence into a law (the *exponential*) and the law into error bars.
#
# Two players at once. On a logarithmic axis every step to the right *multiplies* the points, so "three times as many"
# is a shift by the same distance everywhere. The bars are equally wide again, but equal widths are now equal *ratios*:
# a bar further right spans more points, and so can collect more games. A hump appears, though the games are the same.

# %%
tc.plots.score_spread(list(scores.values()), scale="log")

# %% [markdown]
# The two heaps have the same shape, and one is moved to the right: not only the mean, but also the median and the
# quartiles grow by about the same factor. And yet the heaps overlap broadly. On the same pieces, how often does the
# worse player win?

# %%
better, worse = scores["filter-bumpiness"].points, scores["filter-heights"].points
print(f"the worse player wins {np.mean(worse > better):.0%} of the games")

# %% [markdown]
# With a threefold advantage, the better player still loses nearly one game in four. Watch one game, and you know next
# to nothing. Be suspicious of anybody who shows you one game.
#
# ## What no order can say
#
# One last picture. We search the 300 pieces that *heights first* played above for its most stubborn move: the one
# where accepting a single hole more would have smoothed the board most. Left, what it did; right, what it refused.

# %%
game = tc.play_game(tc.PLAYERS["filter-heights"], replace(RULES, max_pieces=300), seed=1)


def relief(move, other):
    """How much flatter the other move is, if it makes at most one hole more."""
    return bumpiness(move) - bumpiness(other) if holes(other) <= holes(move) + 1 else 0


pairs = [(move, other) for move in game.moves for other in tc.moves(move.before, move.piece, RULES)]
beside(*max(pairs, key=lambda pair: relief(*pair)))

# %% [markdown]
# It sets the O on top of a tower, right under the ceiling, with a valley wide open beside it. Why? Because the valley
# would cost one hole more, and holes come first. Not "holes are bad": *one hole is worse than any height, any bump,
# any danger whatsoever.* No reordering helps. Put heights in front of holes, and the reverse happens: nine holes for
# one row. A filter compares two moves by the first criterion in which they differ, as alphabetical order compares two
# words by the first letter in which they differ, and all later letters together cannot outvote it. It has no way to say
# *somewhat*.
#
# A sense of proportion needs numbers: so much for a hole, so much for a step, so much for a row; add up and take the
# best. That is an *evaluation function*. Filters are even a special case of it (multiply the first criterion by a
# million and the second by a thousand), and what you gain when you are free to choose the numbers is the subject of
# chapter 04.
#
# ## What you have learned
#
# - A filter keeps **all** moves that are best by one criterion and hands them to the next; what is left at the end
#   goes to chance, or to whatever order the moves happen to be in.
# - The order matters because a strict criterion leaves nothing to those behind it, and one in front is obeyed to the
#   letter.
# - Features can hide one another: $H = F_0 + 4 - 10L + T$ makes "lowest" mean "most rows" among moves with equal
#   holes.
# - Wells buy tetrises and cost safety; as a tie-breaker, avoiding them multiplied the score; as a principle, it ruined
#   it.
# - Scores have a long tail: the mean lies well above the median, and a single game proves nothing.
#
# ## Where to go next
#
# The [exercises](../exercises/03_filtering.ipynb) let you write the filter in one line, count how often a criterion is
# asked at all, and look for an order that beats the best one here; there are several. Then [chapter
# 04](04_evaluation.ipynb) gives every criterion a weight.
