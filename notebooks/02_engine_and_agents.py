# %% [markdown]
# # 02 The engine and the first agents
#
# A program that plays Tetris needs a Tetris to play, one that waits for it, never gets bored, and does exactly the
# same again when asked. And before we ask how good a player is, there is a humbler question: how bad can one be? What
# does pure chance score?
#
# **You will learn**
# - how the rules of a game can be a *value* that is printed, compared and changed,
# - what a bag of seven pieces guarantees, and how long independent draws can let you wait,
# - how an engine and an agent talk: commands one way, callbacks the other,
# - when, exactly, a game is over, and why people disagree,
# - how badly chance plays, with a number and with an honest doubt beside it.
#
# **You need** chapter [01](01_data_structures.ipynb) (boards and pieces), functions that take functions, and the mean
# and the standard deviation of a list of numbers.
#
# **Time** about {{minutes}} minutes.

# %%
from dataclasses import replace
from itertools import islice, pairwise

import matplotlib.pyplot as plt
import numpy as np
import tetriscourse as tc
from tetriscourse.plots.style import COLOURS, STYLE
from tetriscourse.widgets import PlayPanel, WatchPanel

plt.rcParams.update(STYLE | {"axes.prop_cycle": plt.cycler(color=COLOURS), "figure.figsize": (9, 4)})

# %% [markdown]
# The ideas of this chapter, and what stands for each of them in Python:
#
# | idea | in Python |
# |---|---|
# | the rules of a game | `Rules`, a frozen dataclass: only data |
# | the pieces to come | `PieceSequence`: ask for the piece at any position |
# | a game in progress | `Engine`: a board, a falling piece, counters |
# | what to do next | a *command*, a short text such as `"L"` or `"P:3:0"` |
# | who decides | an *agent*: anything that can be called with the engine and returns a command |
#
# ## Rules are data
#
# Everybody knows the rules of Tetris, and nobody knows the same ones. How high is the board? Are four rows at once
# worth more than four times one row? May a piece stick out at the top for a moment? Written as `if` statements all over
# a program, such choices are hard to find and harder to change. Here they are the fields of one value. This is the
# game of Muller and Ponton's TetrisBot, which you played in chapter 00:

# %%
tc.RULES["tetrisbot"]

# %% [markdown]
# Each field answers one question:
#
# | field | what it decides |
# |:--|:--|
# | `width`, `height` | the size of the board |
# | `bag` | which pieces there are; `rapid` lists their rotations in TetrisBot's order |
# | `draw`, `probabilities` | how the pieces are drawn, and how often each |
# | `entry` | where a piece comes from: far above, or from the middle of the top (`spawn`) |
# | `game_over`, `losing_moves` | when a move loses, and whether a player may take one that does |
# | `scoring` | points for the rows that one move clears; here 40, 100, 300 and 1,200 for one to four |
# | `max_pieces`, `pieces_known` | when to stop at the latest; whether the player sees the next piece too |
#
# What is not mentioned is as in the research papers, whose game is `tc.Rules()`. The rules that have a name are all in
# the dictionary `tc.RULES`. Read down the list, and you see what people have disagreed about:

# %%
for name, rules in tc.RULES.items():
    print(f"{name:15} {rules}")

# %% [markdown]
# A new variant is one expression: `replace` copies a value and changes some fields. Nothing else has to be told; every
# engine, player and panel takes the value from there. And a nonsensical wish is refused when the value is made, not an
# hour later in the middle of an experiment:

# %%
tiny = replace(tc.RULES["tetrisbot"], width=6, height=8)
try:
    replace(tiny, draw="by fate")
except tc.InputError as error:
    print(error)

# %% [markdown]
# ## Two ways to draw a piece
#
# In the research papers each piece is drawn by itself, like throwing a die with seven sides. TetrisBot, and most Tetris
# games that you can buy, use a *bag*: all seven pieces are shuffled and dealt out, then all seven again (*sac
# aléatoire*). The lines below are the beginnings of two games, first from bags, then without. **Before you read on:**
# how could you tell them apart without the code?

# %%
def names(rules, count, seed=1):
    """The first pieces of a game, one letter each."""
    return "".join(piece.name for piece in islice(tc.PieceSequence(rules, seed, 0), count))

print(names(tc.RULES["bag"], 42))
print(names(tc.RULES["research"], 42))

# %% [markdown]
# Cut the first line after every seventh letter: each part has all seven. The second line lets you wait ten letters for
# its first `I`, and near its end it deals three in a row. That is what real chance looks like: lumpy.
#
# The I is the piece that everybody waits for, since it alone clears four rows. Call the number of other pieces between
# one I and the next a *drought*. **Think first:** how long can a drought be at most when the pieces come from a bag?
# And without one?

# %%
def droughts(names, piece="I"):
    """How many other pieces lie between each of these and the next."""
    places = [place for place, name in enumerate(names) if name == piece]
    return np.array([there - here - 1 for here, there in pairwise(places)])

bag, free = (droughts(names(tc.RULES[rules], 28_000)) for rules in ("bag", "research"))
print("longest:", bag.max(), "and", free.max(), "  mean:", bag.mean().round(2), "and", free.mean().round(2))

# %% [markdown]
# On average both let you wait for six other pieces, as they must: one piece in seven is an I. The longest droughts are
# another matter. From bags it is 12, and it can never be more: first in one bag, last in the next, six and six pieces
# in between. Without a bag there is no limit.
#
# Both distributions can be written down. Independent pieces: a drought of length $d$ means $d$ times something else,
# each with probability 6/7, then an I, so
# $$P(d) = \tfrac17\left(\tfrac67\right)^d .$$
# From bags: let the I have place $i$ in its bag and $j$ in the next, each from 0 to 6, all 49 pairs equally likely. In
# between lie $d = (6 - i) + j$ pieces. Six is reached by seven pairs, twelve by one only, so $P(d) = (7 - |6 - d|)/49$:
# a triangle. The figure has both laws as lines and what we drew as bars.

# %%
d = np.arange(31)
laws = np.clip(7 - abs(6 - d), 0, None) / 49, (6 / 7) ** d / 7
for found, law, where, label in zip((bag, free), laws, (-0.2, 0.2), ("bag", "independent"), strict=True):
    plt.bar(d + where, np.bincount(found, minlength=31)[:31] / len(found), 0.4, label=label)
    plt.plot(d, law, "k--" if where < 0 else "k:", label=f"{label}, by its law")
plt.gca().set(xlabel="drought: pieces between one I and the next", ylabel="share of droughts")
plt.legend()
plt.show()

# %% [markdown]
# In words: the bag's bars form a triangle with its top at 6 and its end at 12. The others fall steadily from the left,
# by a seventh at each step, and trail off beyond the right edge. Their most frequent drought is none at all: two I in a
# row. And droughts that no bag would allow are not rare:

# %%
print(f"{(free > 12).mean():.1%} of the independent droughts are longer than 12; by the law {(6 / 7) ** 13:.1%}")

# %% [markdown]
# So the bag makes the game kinder. How kind? Independent pieces can, with bad luck, bring only S and Z, the two that
# leave a hole wherever the ground is flat. Bad luck can be ordered, since rules are data. The champion of chapter 00
# plays for millions of rows; now it meets nothing but S and Z:

# %%
unlucky = replace(tc.RULES["research"], probabilities={"S": 1, "Z": 1})
scores = tc.simulate(tc.PLAYERS["dellacherie"], unlucky, games=1000, seed=1)
print(f"{scores.pieces.mean():.0f} pieces a game, at most {scores.pieces.max()}")

# %% [markdown]
# > **In the paper.** Muller and Ponton 2019 (chapter 1, section 5) recall what Brzustowski proved: for every strategy
# > there is a sequence of S and Z that ends the game. So nobody can play for ever when pieces are independent: sooner
# > or later that sequence comes, if only once in an unimaginable time. A bag never deals it, which is one reason why
# > their TetrisBot (chapter 2) and Thiery and Scherrer 2009, who draw independently, cannot be compared by their
# > scores.
#
# ## The engine, turn by turn
#
# The `Engine` plays one game. It holds the board and the falling piece, and it does nothing by itself: it waits for a
# *command*. We give it the tiny board, to have room on the page. The two rows above the line are invisible in the real
# game; the piece appears there and has fallen one row already.

# %%
engine = tc.Engine(rules=tiny, seed=1)
print(engine.text())

# %% [markdown]
# | command | what it does |
# |---|---|
# | `L`, `R` | move left, move right |
# | `H`, `T` | turn clockwise (*horaire*), turn back (*trigonométrique*) |
# | `D` | drop to the bottom |
# | `N` | nothing |
# | `P:j:r` | place: in column `j`, counted from 0, with rotation `r`, and drop |
# | `Q` | quit |
#
# After each command the piece falls one row; if it cannot, it stays for good, full rows disappear, and the next piece
# enters. A command that is impossible, such as a turn into the wall, is simply cancelled, but the row of height is gone
# all the same. **Where will the L be after `H` `L` `L` `L` `L`?** It starts in column 1.

# %%
for command in ("H", "L", "L", "L", "L"):
    engine.play_command(command)
print(engine.text())

# %% [markdown]
# It stands upright at the left wall: the first `L` brought it there, and the other three found the wall in the way.
# Still each of the five commands cost a row, and the turn a second one, since the piece reaches a row lower when it
# stands. `P` does all of that at once. The I that comes next can lie flat in columns 2 to 5. In the bag `rapid` that is
# its rotation 0 (in chapter 01 the upright I came first), so:

# %%
engine.play_command("D")
engine.play_command("P:2:0")
print(engine.text())

# %% [markdown]
# The row is full: two cells of the L and four of the I. It has been cleared, the rest of the L has come down, and 40
# points are on the account. What the engine counts can be read from it at any time: `score`, `total_lines`,
# `blocks_played`, `turns`, and for an agent's use `board`, `piece`, `next_piece`, `placements()` and `moves()`.
#
# ## Don't call us, we call you
#
# Who gives the commands? One could write a loop: look at the engine, decide, command, again. The engine turns it round.
# You hand it a function, and *it* calls that function whenever it needs a command. Such a function is a *callback*. An
# agent is nothing more than this. (An engine that is given no rules plays TetrisBot's game, unlike `tc.Rules()`, which
# is the game of the papers. So it is in the rest of this chapter, too.)

# %%
def always_drop(engine):
    """Drops every piece where it appears."""
    return "D"

engine = tc.Engine(always_drop, seed=1)
print(engine.run(), "points with", engine.blocks_played, "pieces;", engine.ending)

# %%
engine.board

# %% [markdown]
# A tower in the middle, and the sides untouched. (The T on top is a fourteenth piece. It found no room to enter, which
# ended the game, so it is not counted.) The advantage of the turned-round loop is that the engine does not
# care what is behind the function: a line as above, a person at the keyboard, or a network with a million weights. It
# is the one in charge of the rules, and no agent can cheat.
#
# There is a second callback, `show`: a function that the engine calls before the first command and after each one, only
# to let it look. It is meant for drawing, but it can do anything. Here it writes down how high the pile is:

# %%
def pile(agent, seed=1):
    """Pieces placed and the height of the highest column, before the first command and after each."""
    trace = []
    def look(engine):
        trace.append((engine.blocks_played, engine.board.heights.max()))
    tc.Engine(agent, seed=seed, max_blocks=60, show=look).run()
    return np.array(trace)

print(pile(always_drop)[:6].tolist())

# %% [markdown]
# > **In the paper.** This is the engine of Muller and Ponton 2019, chapter 3, section 4, with its commands (4.4) and
# > its course of a game (4.5). Their constructor takes `getMove`, a *fonction de callback*, which every agent
# > implements. Ours has the same rules: two invisible rows, one action a turn, a turn without room cancelled, `P` only
# > where the piece fits at its present height.
#
# ## When is it over?
#
# "When the pile reaches the top." But what if a piece sticks out above the board and, in the same moment, completes
# rows that would bring it down again? Look at this board of six columns, four rows high, and imagine an I that falls
# into the gap on the right. It will stick out by one row, and it will fill three.

# %%
board = tc.Board.from_text("XXXXX.\nXXXXX.\nXXXXX.\nXXXX.X")
board

# %% [markdown]
# Dead or saved? There is no truth in this, only rules; so it is a field, `game_over`. These are the moves that an I
# has under two of them:

# %%
for game_over in ("overflow", "overflow-after-clearing"):
    print(game_over, tc.moves(board, tc.PIECES["I"], tc.Rules(6, 4, game_over=game_over)))

# %% [markdown]
# By the first, that of Thiery and Scherrer 2009, all is lost: there is no move left. By the second, TetrisBot's, the
# game goes on with an almost empty board. It looks like a quibble that concerns one move in a game of thousands. In
# chapter 05 you will see such quibbles change a mean score several times over. (A game can also end in other ways:
# `engine.ending` says *game over*, *piece limit reached* or *stopped*.)
#
# ## A person
#
# You are an agent too: called by the engine, you press a key. In the panel below the game is *turn by turn*, as for the
# agents: nothing moves until you do, and then a row is lost.
#
# **Try this:** put an I that appears in the middle upright into the last column. How many keys do you need, and in
# which order? What happens if you move first and turn afterwards?

# %%
PlayPanel("tetrisbot", mode="turns", seed=9)

# %% [markdown]
# ## Chance
#
# Now for the worst respectable agents. The first presses keys at random, like a cat on the keyboard:
# `random-commands`. The second at least knows what it is about: each turn it takes one of all possible placements,
# every one with the same probability. It fits into two lines. `chance_of_turn` gives random numbers that depend on the
# seed, the game and the turn only, so that a game can be repeated exactly, today and on any other machine.

# %%
from tetriscourse.agents import chance_of_turn

def random_placement(engine):
    """Any column and rotation, each piece."""
    column, rotation = chance_of_turn(engine).pick(engine.placements())
    return f"P:{column}:{rotation}"

# %% [markdown]
# It is the library's `random-placements`, move for move:

# %%
ours, theirs = tc.Engine(random_placement, seed=1), tc.Engine(tc.AGENTS["random-placements"](), seed=1)
ours.run(), theirs.run()
assert ours.board == theirs.board
ours.blocks_played

# %% [markdown]
# Watch it, with Dellacherie's player as the judge: the table has all possible moves, best first, and an arrow at the
# one that chance took. **Before you press Play:** will it clear a row? Where does the arrow spend most of its time, and
# what is the last good move that you can find?

# %%
WatchPanel("random-placements", seed=1, judge="dellacherie")

# %% [markdown]
# And here is the champion, on the very same pieces, at the moment when chance was dead: after 25 of them. Compare the
# two boards, then step back to see how it got there.

# %%
WatchPanel("dellacherie", rules="tetrisbot", seed=1, at=25)

# %% [markdown]
# The same in one figure: the height of the pile, piece by piece, for four agents on the same pieces. One of them is
# new: `tetrisbot` has the weights that Muller and Ponton's program came to propose, one for each of four features
# (chapter 04).

# %%
for name in ("random-commands", "random-placements", "tetrisbot", "dellacherie"):
    plt.step(*pile(tc.AGENTS[name]()).T, where="post", label=name)
plt.axhline(22, color="grey", linestyle=":", label="top of the board")
plt.gca().set(xlabel="pieces placed", ylabel="height of the pile (rows)")
plt.legend(loc="upper right", bbox_to_anchor=(1, 0.88))
plt.show()

# %% [markdown]
# Chance climbs straight to the top, by about a row with each piece or faster, and is dead before the 30th. The two
# agents that judge their moves stay low, and could go on for ever, as far as this figure can tell.
#
# ## How badly, exactly?
#
# One game is an anecdote. Let both play a hundred, and look at how many pieces they place before the end; rows are not
# worth counting yet. **Your guess:** who lasts longer, and how much luck is in it?

# %%
def games_of(agent, count=100):
    """Games that an agent has played to the end."""
    engines = [tc.Engine(agent, seed=1, game=number) for number in range(count)]
    for engine in engines:
        engine.run()
    return engines

played = {name: games_of(tc.AGENTS[name]()) for name in ("random-commands", "random-placements")}

# %% [markdown]
# A mean of a hundred games is not the true mean; with a hundred others it would be another. How far off may it be? A
# rule of thumb, to be earned in chapter 05: the true mean lies, nineteen times out of twenty, within
# $2 s / \sqrt{n}$ of the one that was found, where $n$ is the number of games and $s$ the standard deviation of their
# results.

# %%
def with_doubt(values):
    """The mean, and how far the true one may be from it."""
    values = np.asarray(values)
    return f"{values.mean():.2f} ± {2 * values.std(ddof=1) / len(values) ** 0.5:.2f}"

for name, engines in played.items():
    pieces, turns, rows = np.transpose([(one.blocks_played, one.turns, one.total_lines) for one in engines])
    each = turns.sum() / pieces.sum()
    print(f"{name:18} {with_doubt(pieces)} pieces, {each:.1f} commands for each, {rows.sum()} rows in all")

# %% [markdown]
# Fourteen pieces, and twenty-three. The doubts are far smaller than the difference, so there is no doubt about who is
# better: chance that chooses a *place* beats chance that chooses a *key*. Why? The boards at the end know. This is
# their mean height, column by column:

# %%
for name, engines in played.items():
    plt.plot(np.mean([engine.board.heights for engine in engines], axis=0), "o-", label=name)
plt.gca().set(xlabel="column", ylabel="mean height at the end (rows)", ylim=(0, 24))
plt.legend()
plt.show()

# %% [markdown]
# The cat builds a tower: hardly anything reaches columns 0 and 9, while columns 3 to 5 hit the ceiling. One key in six
# is `D`, so a piece gets only about five commands, as printed above, and its few steps left and right mostly undo each
# other. Random placements spread out, and get more than one and a half times as far. Remember it as the first law of
# agents: *what an agent can choose from* matters as much as how it chooses.
#
# To see the distribution itself we need more games than plain Python likes to play. The fast simulator knows random
# placements by another name: a player that keeps the moves with the least of a feature that is the same for all, so
# that chance decides (chapter 03 shows how such *filters* do better). Ten thousand games are over in a moment:

# %%
chance = tc.Filter(["constant"], name="random placements")
scores = tc.simulate(chance, tc.RULES["tetrisbot"], games=10_000, seed=1)
print(with_doubt(scores.pieces), "pieces, from", scores.pieces.min(), "to", scores.pieces.max())
print(f"{(scores.lines == 0).mean():.1%} of the games without a row, {scores.points.mean():.1f} points a game")

# %%
plt.hist(scores.pieces, bins=np.arange(9.5, 40.5))
plt.gca().set(xlabel="pieces until the game is over", ylabel="games, of 10,000")
plt.show()

# %% [markdown]
# A hundred times as many games, a tenth of the doubt, and the mean lies within the doubt of the first hundred, as it
# should. The histogram is a neat bell around 22, from 10 to 35: each game is a sum of many small accidents. Keep
# its shape in mind. The scores of *good* players look entirely different, with short games the most frequent of all and
# a few enormous ones (chapter 05).
#
# Two sanity checks, which every measurement deserves. An empty board of 22 rows has 220 cells, room for 55 pieces; so
# who never clears a row and wastes nothing would place 55. Chance wastes three fifths of the room. And a row does
# disappear once in a while, in less than one game of fifty, by accident.
#
# > **In the paper.** Muller and Ponton 2019, chapter 4, section 3 (page 23), have the same two agents, `AgentRandom1`
# > and `AgentRandom2`, and call them catastrophic: the "hello world" of agents, waiting to be improved. They print no
# > figures for them, so ours have nothing to agree with: 14 and 22 pieces, and less than one point a game. Their best
# > player, by their chapter 10, makes 518,412 points on average. That is the distance that the next chapters travel.
#
# ## What you have learned
#
# - Rules are a value. A variant is made with `replace`, and every engine, player and panel accepts it.
# - A bag never lets you wait for more than 12 other pieces; independent draws do so once in seven times, and have no
#   limit. S and Z alone kill even a champion.
# - An agent is a function from the engine to a command. The engine calls it, and stays in charge of the rules.
# - "Game over" has several definitions, and a paper that does not say which one it means cannot be reproduced.
# - Chance places about 22 pieces, or 14 if it only has keys; a mean without its doubt is half a result.
#
# ## Where to go next
#
# - [The exercises](../exercises/02_engine_and_agents.ipynb): droughts, rules to order, keys, a flight recorder, and
#   your first agent, which beats chance with one line of judgement.
# - [03 Filtering](03_filtering.ipynb): how far do a few criteria go, one after the other?
