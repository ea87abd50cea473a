# %% [markdown]
# # Results
#
# Every table of results in one place: the published players on this simulator, what each learning experiment of the
# papers came to, small Tetris solved exactly, Q-learning with a table and with a network, and how fast it all is.
#
# **You will learn**
# - which published figures this course reproduces, which it does not, and why
# - which command makes each table, with its seed, so that you can check any of them
# - what to notice in each, in a few sentences
#
# **You need** nothing to read on; the chapters explain the methods. [Chapter 05](05_comparing_players.ipynb) says
# what an interval promises: a mean of 100 games is good for ± 20 %, not better.
#
# **Time** about {{minutes}} minutes to read. The tables together took hours of computing, so they are stored as data:
# `stored_table` reads what a script in `tests/benchmarks` wrote (each has an option `--save`), and `learned_table`
# what `tetriscourse train NAME --save FILE` wrote. Below each table stands its command; what is cheap is computed
# again here.

# %%
import numpy as np
from scipy.stats import ttest_ind

import tetriscourse as tc
from tetriscourse.course.results import learned_table, rivals_table, stored_table
from tetriscourse.optimizers.experiments import curve_means

# %% [markdown]
# ## The published players
#
# Means over games of seed 2026, with the exact interval for exponential scores, beside what was published: by Thiery
# and Scherrer 2009 (TS), Muller and Ponton 2019 (MP), Boumaza 2013 (B), or, without letters, measured on MDPTetris,
# the simulator of TS, and on an independent prototype. The command takes about an hour on two cores.

# %%
stored_table("published")

# %% [markdown]
# Two things to notice. The order in which moves are tried decides ties, and that alone is worth a fifth of the points
# of `tetrisbot`, the weights that TetrisBot's program proposes by default, which are not in the report: the last of its
# rows plays them with another order of orientations. (All seven players of the report agree with their figures.) And
# RV-CE's mean agrees with its authors' figure, while the measurement of 1,600 games on MDPTetris is 6 % lower, just
# outside the joint interval.
#
# **The headline of 2009.** On 10x20 DN makes 27.5 million lines here, and 35 million ± 20 % in print: the intervals
# overlap, for ours ends at 33.9 and theirs begins at 28. DT-20's 51 million are within our interval. DT-10 makes more
# here than the 29 million of its authors, who print no interval; and 100 games do not tell it from DT-20.
#
# Check a row yourself. These are the first 400 of Dellacherie's 6,400 games on 10x10; the interval is four times as
# wide, and should hold 2,448.

# %%
print(tc.simulate(tc.PLAYERS["dellacherie"], tc.RULES["10x10"], games=400, seed=2026, progress=False))

# %% [markdown]
# ## What was learned, experiment by experiment
#
# Every learning experiment of the papers has a name. What came out of each, with the command, seed and version that
# made it, is stored in `tetriscourse/optimizers/results`; `tc.stored_result("genetic-3")` reads one. Learned players
# are judged in games that they did not learn from. Where no board is named, the figure is the learning curve over its
# last ten iterations, run by run. Seconds are wall time on two cores; those of a minute and more were mostly measured
# while other programs ran. `python tests/benchmarks/learned_figures.py` prints all rows as one table. In Python,
# `tc.EXPERIMENTS["genetic-3"].run()` repeats an experiment, and `.changed(iterations=2)` shortens it first.
#
# ### Genetic algorithms: Muller and Ponton 2019
#
# Chapter [07](07_genetic.ipynb) tells this story.

# %%
learned_table("genetic")

# %% [markdown]
# One of these runs, generation by generation:

# %%
tc.plots.population(tc.stored_result("genetic-3"))

# %% [markdown]
# Each example was bred twelve times, with twelve seeds; the table has the median and the range of the twelve players.
#
# **500 pieces reward the wrong thing.** On lines, every good player scores close to 200, the cap, and five games of
# that tell little. On points they tell much, but of something else: clearing several rows at once early on, at the
# price of a short life. The next table has both, for each example, beside the printed player: points in 500 pieces
# (4,000 games) and in whole games (100 games each, theirs and ours; runs agree within the joint interval).

# %%
stored_table("capped-points")

# %% [markdown]
# **Points or lines?** The report says that points decided from example 2 on; its program proposes lines. For examples
# 4 to 6 points explain the printed figures better, for 3 and 7 only lines come near them. Chapter 07 draws the
# conclusion, and says how sure it is.
#
# **The best of all runs** was bred on lines, and is `tc.PLAYERS["tetrisbot-bred"]`. The best of so many is lucky, so
# the five best play again, and then the best of these: only the last row is a figure to quote.

# %%
stored_table("bred")

# %% [markdown]
# **Encoding or mutation?** The report's $p$ is a chance for each bit, but for each *vector* of floats. Here both are
# bred at both rates, and with no mutation at all, for a fitness that sees (lines of whole games with independent
# pieces).

# %%
stored_table("encoding")

# %% [markdown]
# The first runs of our examples 3 and 5, on points, have different weights and play the very same games. The sum of
# heights is cells plus holes, so four weights do the work of three, and in both the price of a hole less the reward for
# a row is seven steps of bumpiness and a bit (7.07 and 7.15; chapter 07 shows that this is what counts).
#
# ### Cross-entropy: Szita and Lőrincz 2006, Thiery and Scherrer 2009
#
# Chapter [08](08_cross_entropy.ipynb) has the curves of these runs.

# %%
learned_table("szita", "thiery")

# %% [markdown]
# **Noise.** In the game of Szita and Lőrincz, which ends at the top row, their 72,705 lines with constant noise are in
# the middle of our ten runs, and their two other figures far above all of ours. In the research game, cross-entropy
# without noise settles early at some hundred lines, now and then at 16,000. Constant noise reaches 100,000 in 80
# iterations, but for one run that was still on its way. Falling noise is a gamble, as Thiery and Scherrer say: seven
# runs of ten end above all the others, three near 3,500, where the noise was gone before anything good was found.

# %%
noises = ("none", "constant", "decreasing")
tc.plots.learning_curves({noise: tc.stored_result(f"thiery-{noise}") for noise in noises})

# %% [markdown]
# **Four sets of features on the full board.** Table 3 and figure 6 of Thiery and Scherrer need nothing but time: a
# candidate of 10x20 that plays well plays one game for tens of millions of moves. So the rows `thiery-d`, `thiery-bd`,
# `thiery-dn` and `thiery-bdn` of the table are unfinished. What an iteration costs, the learning curve left aside:

# %%
speed = {row["what"]: row["moves"] for row in stored_table("speed-simulator").rows}
unfinished = {name: tc.stored_result(name) for name in ("thiery-d", "thiery-bd", "thiery-dn", "thiery-bdn")}
for name, result in unfinished.items():
    so_far = np.array(result["runs"][0]["log"]["moves"]) / 1e9  # after each iteration
    last, core = so_far[-1] - so_far[-2], speed[result["features"]] / 1e9
    print(f"{name:10} {len(so_far):2} iterations, {so_far[-1]:5.2f} billion moves, {last:.2f} in the last; "
          f"eighty at that price: {80 * last / core / 3600:.1f} hours of a core")

# %% [markdown]
# An iteration grows dearer as the candidates grow better, so these hours are rather too few than too many. (The speed
# is that of the table below.) The state of each run is stored as well, and anybody who has the time can go on from
# there, to the same bits as a run that was never stopped: `tetriscourse train thiery-dn --from-stored --checkpoint
# dn.npz`. The curve has a point at every tenth iteration, of 30 games; so far it has these, in million lines:

# %%
for name, result in unfinished.items():
    print(f"{name:10}", *(f"{np.mean(games) / 1e6:5.1f}" for games in result["runs"][0]["log"].get("curve", [])))

# %% [markdown]
# Thiery and Scherrer's best players ended at 17, 20, 35 and 35 million lines. On 10x16, as the table says, all four
# intervals overlap theirs: those of D and BDN by much, those of BD and DN only just.

# %% [markdown]
# ### Cross-entropy with a robust elite: RV-CE 2026
#
# The best of many scores is also the luckiest: the winner's curse (chapters [05](05_comparing_players.ipynb) and
# [08](08_cross_entropy.ipynb)). So an elite chosen by such scores learns from luck. RV-CE lets the best
# candidates play other games, and ranks them by the mean of these less a penalty on their standard deviation. Of its
# settings we know the features and the board; the others are ours, and the control plays as many games an iteration
# without any validation.

# %%
learned_table("rv-ce")

# %% [markdown]
# The player in the table is the mean of five runs. RV-CE's own weights play the same 1,600 games:

# %%
for one in tc.stored_result("rv-ce")["judged"]:
    print(f"{one['player']:8} {one['mean']:,.0f} lines, 95 %: {one['low']:,.0f} to {one['high']:,.0f}")

# %% [markdown]
# Does validation gain anything? Run by run, the learning curve over its last ten iterations, 1,000 games each, and how
# many times the lines of the control that is, with Student's interval for five runs against five:

# %%
ends = {name: curve_means(tc.stored_result(name)) for name in ("rv-ce", "rv-ce-off")}
for name, lines in ends.items():
    print(f"{name:10}", *(f"{one:7,.0f}" for one in lines))
test = ttest_ind(*map(np.log, ends.values()))
ratio = np.exp([np.mean(np.log(ends["rv-ce"])) - np.mean(np.log(ends["rv-ce-off"])), *test.confidence_interval()])
print("validated: {:.2f} times the lines, 95 %: {:.2f} to {:.2f}".format(*ratio))

# %%
tc.plots.learning_curves({name: tc.stored_result(name) for name in ends})

# %% [markdown]
# An interval that holds 1 means that these runs do not show a gain. A reason: at equal numbers of games, the elite that
# validation has chosen is hardly better than the control's. In fresh games, as multiples of the mean of all candidates:

# %%
stored_table("winners-curse")

# %% [markdown]
# RV-CE's own weights are better than those that validation found here; what made them so is not in our settings. Of
# kappa one can expect little: scores are nearly exponential, so their standard deviation is about their mean, and to
# take a part of it off ranks players much as the mean does. Other values of kappa were not tried.

# %% [markdown]
# ### CMA-ES: Boumaza 2013
#
# The players of his tables 1 and 2 first. Chapter [09](09_cma_es.ipynb) discusses all of this.

# %%
learned_table("boumaza-d")

# %% [markdown]
# **Harder or smaller games?** On the standard game, 25 games each do not tell the first two players apart. Boumaza's
# 36.3 million lines are within the first interval; his 17 million are not within the second. The last row is the
# player of six features, learned on harder games: his 16.6 million are within its interval.

# %%
stored_table("harder-or-smaller")

# %% [markdown]
# **Five by five.** With overflow decided before clearing, as everywhere else in the paper, no linear player that we
# found comes near Boumaza's 13.84 lines (the best possible play has 13.70, see below). With overflow decided after
# clearing, his protocol gives just that: the published figures seem to come from that game. (With Dellacherie's six
# features he has 13.2959. By the milder rule Dellacherie's own weights, set by hand, have an exact mean of 13.2964: the
# same figure but for half a thousandth of a line. Coincidence? Nobody can tell any more.)

# %%
learned_table("boumaza-5x5")

# %% [markdown]
# **Normalisation.** With it the step size falls from 0.5 to 0.01 in 100 iterations, in every run. Without it the step
# size grows at first and the weights run away, to lengths between 4 and 175, as chance will have it.

# %%
learned_table("boumaza-normalised", "boumaza-unnormalised")

# %% [markdown]
# **Races.** Boumaza's races are run with S and Z four times as often as each other piece; the experiments `-harder` are
# the same with 3/11, the game of his table 2. Tetris bounds save most here, at the same fitness. Hoeffding and
# Bernstein bounds with scores between 150 and 2,000 are so wide that in Boumaza's game no race is decided before the
# limit; what they save is what the limit saves by starting at 3 games. (In the game of `-harder`, where scores are
# higher, Hoeffding's bounds decide a few: 17,936 games a run in place of 18,210.) `boumaza-race-off-42` and `-73` are
# controls: no race, and as many games for everybody as the races with Tetris and with Hoeffding bounds play on average.

# %%
learned_table("boumaza-race")

# %% [markdown]
# *Larger populations* (Boumaza's figure 9) and *less confidence* (figure 12): without a decision the ramp of the limit
# costs 36,420 games with 20 candidates and 72,840 with 40, and that is what Hoeffding races play here, to the game.
# Confidence does not matter to them either: with delta = 0.5 the half-width after 100 games is still 377 lines, and the
# runs are the same to the last bit. Races with Tetris bounds play 58 % of the ramp with 10 candidates, 69 % with 20, 75
# % with 40, and fewer of them are decided: they do get dearer, as he says. And one more thing comes out differently. He
# finds the same fitness for all sizes; here races with 20 candidates end with 8 % more lines than races with 10
# (Hoeffding; 95 %: 6 to 11 %), or with 11 % more (Tetris; 8 to 14 %), after twice as many games or more.

# %% [markdown]
# The range of scores that these bounds suppose, 150 to 2,000, and DN's games:

# %%
stored_table("racing-range")

# %% [markdown]
# Hoeffding's bound with a narrower range:

# %%
stored_table("racing-narrower")

# %% [markdown]
# **Cross-entropy with a full covariance matrix against CMA-ES**, as chapter [09](09_cma_es.ipynb) has it: two hills on
# paper, all searches from the same first cloud; and Tetris on ten rows with many S and Z, ten games for each candidate.

# %%
stored_table("contest-hills")

# %%
stored_table("contest-tetris")

# %% [markdown]
# **This library's CMA-ES and pycma**, from the same point with the same first cloud and as many candidates; on Tetris
# with 3,000 games, on the board of the contest. pycma's default has active updates.

# %%
stored_table("pycma-hills")

# %%
stored_table("pycma-tetris")

# %% [markdown]
# **Restarts**, with as many evaluations for all: two hills with many summits, and Tetris, where a run is over when the
# longest axis of its cloud is below 0.03.

# %%
stored_table("restarts-hills")

# %%
stored_table("restarts-tetris")

# %% [markdown]
# **How many games?** Uncertainty handling, races and fixed numbers, 10,500 games for each: a hill with exponential
# scores, where the truth is known, and the game of Boumaza's races.

# %%
stored_table("uncertainty-hill")

# %%
stored_table("uncertainty-tetris")

# %% [markdown]
# ### Champions
#
# And players of our own; chapter [15](15_championship.ipynb) tells how they were made. `record-10x10` starts from
# nothing. `record-10x20` goes on from `record-10x10-runs`, and so do the players that look ahead.

# %%
learned_table("record")

# %% [markdown]
# The published players in the same games:

# %%
rivals_table("record-10x10", "record-10x20")

# %% [markdown]
# On the way to these champions others came out, which were not taken: single runs, their means, and the same after
# fewer iterations. All of them, in the same games:

# %%
stored_table("record-tries")

# %% [markdown]
# A champion may look two moves ahead. Then it is in a class of its own: with the next piece known it plays another
# game, and with the next piece unknown it takes more than a hundred times as long for each move. The weights of the
# champion were not learned for this; those learned for it, in one run each, saw games on low boards only.

# %%
stored_table("look-ahead")

# %% [markdown]
# With the next piece known, weights learned for it make nearly twice as many lines on 10x8. With the next piece unknown
# they cannot be told from the champion's own, and on 10x10 either makes about twice the lines of a champion that does
# not look ahead.
#
# Chapter [13](13_looking_ahead.ipynb) asks what looking ahead costs. First, lines against the moves that are valued for
# a decision, all with the weights of the champion on 10x8:

# %%
stored_table("look-ahead-cost")

# %% [markdown]
# Then weights that were found with the same number of valued moves, by a greedy player and by one that looks ahead;
# both play in both ways, on 10x6:

# %%
stored_table("look-ahead-learning")

# %% [markdown]
# Rollouts of Dellacherie's player on 4x4, to the end of the game. The player that decides by them is valued exactly; it
# takes the highest mean, or leaves the old move only for one that is ahead by two standard errors:

# %%
stored_table("rollouts-exact")

# %% [markdown]
# And rollouts of DN on boards of ten columns:

# %%
stored_table("rollouts-played")

# %% [markdown]
# The leaderboard has a table for each kind of player. Those that look ahead play on 10x7, since a hundred games on
# 10x10 would take minutes with the next piece unknown, and up to half an hour with the next piece known:

# %%
stored_table("leaderboard")

# %% [markdown]
# **What is each of its 24 features worth?** Each is left out in turn, and what remains is trained from zero: 100
# iterations of CMA-ES on 10x8, 96,000 games a run, three seeds each, ten for the whole set. What a run has learned is
# the mean of its last 20 favourites. This is a smaller budget than the champion's four stages had.

# %%
ablation = stored_table("ablation")
ablation

# %% [markdown]
# How much the seed alone decides can be seen in the first row: ten runs that differ in nothing else. So a ratio counts
# only if its interval leaves out 1, and of the 24 on a board one can be expected to do so by chance. These do:

# %%
for board, place in (("10x10", "high"), ("10x8", "low")):
    worse = [row["name"] for row in ablation.rows if row[place]["high"] < 1]
    better = [row["name"] for row in ablation.rows if row[place]["low"] > 1]
    print(f"{board}: fewer lines without {', '.join(worse) or 'none'}; more without {', '.join(better) or 'none'}")

# %% [markdown]
# Where a feature is not named, the runs do not tell; they do not say that it is worth nothing, for what it sees others
# may see as well. And a feature can cost lines where it was not trained: a weight that fits 8 rows need not fit 10.
#
# Why more lines without squared height and without holes times height? Both are large numbers, and all weights begin
# with one step size. The same budget again, with features divided by their spreads, and with two controls:

# %%
stored_table("scaling")

# %% [markdown]
# In these units nothing is gained by leaving one of the two out. It is enough to divide the two of them, which makes
# half as many lines again of as many games; units that belong to other features make fewer. The champions were learned
# before this was known.
#
# The weights of the ten runs with all features, and those of the champion:

# %%
weights = stored_table("champion-weights")
runs, features = np.array([row["weights"] for row in weights.rows]).T, [row["feature"] for row in weights.rows]
tc.plots.learned_weights(runs, features, {"champion-10x10": tc.PLAYERS["champion-10x10"]})

# %% [markdown]
# Where a box and its whiskers stay on one side of 0, the runs agree on the sign. Where they are long, many weights do,
# since others make up for them.

# %%
weights

# %% [markdown]
# ## Features found by the program
#
# Thiery and Scherrer 2009 and Boumaza 2013 end with the wish that a program find its features. `tetriscourse
# find-features` tries: it begins without any, on a board of six rows, and adds or drops one word of a grammar at a
# time (`--list` shows the words: steps, pairs of steps, heights, wells, holes, simple features of the catalogue). In
# each round all changes race on an equal budget, beside a control that changes nothing; each learns its weights anew
# from the present ones. An addition is accepted if it is surely better than the control in 4,000 fresh games, a drop
# if it surely costs less than 5 %. The lines are those of the chosen set in these games; the next columns have the
# changes that came furthest, with their lines as a share of the control's.

# %%
stored_table("feature-search")

# %% [markdown]
# After six rounds no change is surely better, and the search stops by itself: no features make 0.2 lines, six make
# more than 90. Rows with holes, which Thiery and Scherrer chose as well, multiply the lines by 3.7. None of the
# published sets here has the squares of all heights, which on six rows come first.
#
# Does it beat what people chose? Every set below learned from zero with the same CMA-ES budget on the same low board,
# three runs each, and all players then met the same pieces on 10x10, 400 games each. The last two rows are published
# players with the weights that they came with, for which somebody trained much longer.

# %%
stored_table("feature-search-compared")

# %% [markdown]
# On the low board, where they were chosen, they do: six found features make more of the same budget than people's
# eight, nine or twenty-four. On 10x10 they are a little ahead of RV-CE's nine, cannot be told from our twenty-four, and
# have two thirds of the lines of DN's eight. A low board may well teach features of low boards: the squares of heights
# should matter less when there is room. Nor does it teach weights: with the same nine features, RV-CE's own make almost
# four times as many lines there as those learned here. Keep two things in mind. The budget is equal for the weights
# only, since the choice of the features took two million games more. And it is small, so that single runs of a set
# differ by a factor of up to 2.5.
#
# ## The best possible play
#
# A board and a piece are a state, a move is a decision: Tetris is a Markov decision process, and on a small board it
# can be solved exactly ([chapter 10](10_bellman.ipynb)). The script solves each game in a process of its own, lets
# the optimal player play 200,000 games of seed 2026, and compares.

# %%
stored_table("best-possible")

# %% [markdown]
# Boumaza gives 13.8 ± 0.6 % for 5x5, from simulation: a little above the exact value of the research game, far below
# that of the game in which overflow is decided after clearing. Of eleven intervals of 95 %, one misses its value by a
# hair (the bag on 4x4; two million games of other seeds agree with it). To know the next piece nearly doubles the
# lines. A board too large is refused at once: `tetriscourse solve` alone, which is 10x20, reports some 2 x 10^59
# boards and the memory that they would need.
#
# The first row, computed again:

# %%
best = tc.solve(tc.Rules(4, 4), progress=False)
print(f"{best.boards.total:,} boards, {best.start:.4f} lines at best")

# %% [markdown]
# How far from the best are the players of the standard game? Their values are exact as well; the games beside them
# are a check.

# %%
stored_table("exact-players")

# %% [markdown]
# On 5x5 the champions of the standard game make four fifths of what is possible, and the best weights learned there
# (11.30, above) 82 %. Again, the first row computed here:

# %%
value = tc.exact_value(tc.PLAYERS["dellacherie"], tc.Rules(4, 4), progress=False).start
print(f"{value:.4f} lines, {value / best.start:.1%} of the best")

# %% [markdown]
# With a bag, the best possible player knows what is left in it. What is a player worth who sees the board and the piece
# only? The best policy of that kind is not known (chapter 10). A search finds these, each of them valued exactly:

# %%
stored_table("memoryless")

# %% [markdown]
# and by branch and bound no policy with one move for each board and piece is worth more than

# %%
stored_table("memoryless-bound")

# %% [markdown]
# ## Q-learning with a table
#
# Muller and Ponton report that their table plays the domino game on 8x8 without end after 50,000 episodes. Here an
# endless game is proved, not sampled: with one piece and no chance left the game is determined, so if a state comes
# again, it comes again for ever. Ten seeds each, their settings but for the change named; states and seconds are
# medians ([chapter 11](11_q_learning.ipynb)).

# %%
stored_table("q-learning-domino")

# %% [markdown]
# With the six commands and exact states, endless games are found up to 6x6, and not on 8x8: random commands hardly ever
# earn anything there, as the last of these tables shows, and what was learned from a reward is hardly ever met again.
# Their program, however, adds the cells up in a number that is rounded from the 64th cell on, so that boards which
# differ on the left share a state. With states rounded in this way (`state='rounded'`) their result is reached, in
# their game and in ours. The next table tries the cause: states merged in other ways, and 7x7, where 63 cells leave
# nothing to round. "Program" is their game restated, "library" ours; the intervals are those of Clopper and Pearson,
# states and points are medians. Two other changes lead to endless games without any rounding: ten times the episodes,
# and a table of placements, where an action is a place and not a key.

# %%
stored_table("q-learning-merged-states")

# %%
stored_table("random-commands")

# %% [markdown]
# SARSA and expected SARSA learn what the policy that they follow is worth, Q-learning what the best one is. On a small
# cliff, where both are known exactly, the start is worth (means of ten seeds; the first two rows are the exact optima)

# %%
stored_table("td-cliff")

# %% [markdown]
# On dominoes, with six keys, traces and repeated updates find endless games on 8x8 within the 50,000 episodes in which
# the plain methods find none. A run ends with its first proof, looked for every 500 games; intervals are those of
# Clopper and Pearson

# %%
stored_table("td-domino")

# %% [markdown]
# With seven pieces the table can be compared with the exact values (4x4, placements, 7.0669 lines at best). First for
# steps of several sizes, constant or falling with the visits of each state and action

# %%
stored_table("td-steps")

# %% [markdown]
# and then for more and more games:

# %%
stored_table("q-learning-seven-pieces")

# %% [markdown]
# Each row is one run, with seed 0 and an epsilon that falls within its first half. A million games are a long way for
# 2,582 boards, which `tetriscourse solve` does in a tenth of a second; but the table was never told the rules.
#
# ## Deep Q-learning
#
# The network, its gradient, Adam, the replay memory and the printed algorithm are some 600 lines of numpy ([chapter
# 12](12_deep_q.ipynb)). On the domino game it sees the cells and gives a value to each command:

# %%
stored_table("deep-q-domino")

# %% [markdown]
# All tables of this section are the work of `SteadyDeepQ`, which takes the same course on every processor. On 10x10,
# networks that value moves or boards, from different features, and weighted sums that learn in the same way (*no hidden
# layer*): 30,000 moves each, 200 games of seed 2026 for the last network and for the one that was best when judged.

# %%
stored_table("deep-q-features")

# %% [markdown]
# The searches of chapters 07 to 09 with as many moves, and with a million, judged by the same games:

# %%
stored_table("deep-q-rivals")

# %% [markdown]
# With TetrisBot's four features the network is ahead of every search, and with Dellacherie's six it is last. At 30,000
# moves a sum that learns from Bellman's equation has the highest mean with three of the four sets that both were given;
# with a million moves a search has a higher mean than that sum in all four. On the standard game, 10x20, values of
# moves from TetrisBot's four features:

# %%
stored_table("deep-q-tetris")

# %% [markdown]
# So a network makes twice as much of the same four features as the best weights of 2019, and Dellacherie's six features
# in a weighted sum are still far ahead. The network that is kept is the one that played best in games of judgement
# every 2,000 steps, other games than those in the table. Seeds 0 to 2 were looked at while the settings were chosen.
#
# ## Policies learned from samples of play
#
# The methods with which the papers compare themselves, each in a file of `tetriscourse/mdp/policies`. All take games of
# a policy apart into samples, and most fit values by the same least squares. Five runs each; the policy of every
# iteration is judged in 20 games of its own, and the best is kept.

# %%
stored_table("policies")

# %% [markdown]
# On 10x20 the runs of DPI and of CBMPI lie between 0.2 and 36 million lines, in ten games each: a range of one to two
# on the low board is one of one to a hundred on the high one. The policy kept is the best of all iterations, which is
# kinder than a mean over late ones. LSPI makes much more of the features of λ-policy iteration than of its own four.
# Two do not come out: value iteration with two features stays below the thirty lines that were published, and the
# linear program, with 400 states an iteration, far below its 4,274. CBMPI comes near its 5,000 in the best of five
# runs only, and its critic brings no more than direct policy iteration has without one.
#
# What becomes of the policy from round to round, by direct policy iteration and by CBMPI, [chapter
# 14](14_policies.ipynb) tells: first on 4x4, where a policy is valued exactly, with rollouts of different lengths, and
# then on 10x10, where all policies play the same games.

# %%
stored_table("policy-horizons")

# %%
stored_table("policy-rounds")

# %% [markdown]
# ## What a budget of moves buys
#
# Every method of chapters 07 to 15 on 10x10, asked at each budget of moves for the player that it would hand over then.
# The moves in which a learner judges its own policies count; those of the 100 games in which all are judged here do
# not. Chapter [14](14_policies.ipynb) draws the table and reads it. A cell is empty where a method has not finished a
# step, or was stopped: learners with samples of play cost more time for a move than optimizers, and their largest
# budgets are smaller.

# %%
stored_table("budget")

# %% [markdown]
# ## A learner off the shelf
#
# MaskablePPO of sb3-contrib on 5x5, through the [environment for Gymnasium](environments.ipynb), which tells what to
# make of it. Means of 1,000 games of seed 2026, the same for all; the best possible play has 13.70 lines.

# %%
stored_table("gym-ppo")

# %% [markdown]
# And on 10x10, where each move is scored by itself: 200 games of the same seed. The appendix on
# [PyTorch](pytorch.ipynb) discusses both tables, and the next one: deep Q-learning with values of boards, by ours and
# by PyTorch's networks, from features and from bare cells.

# %%
stored_table("gym-ppo-10x10")

# %%
stored_table("deep-q-torch")

# %% [markdown]
# ## Speed
#
# Times depend on the machine, so take the next six tables as what they are: one machine on one day. `tetriscourse
# bench` measures yours.
#
# Moves a second of one core on 10x20, and how many times that is what a plain C program makes that recomputes every
# feature for every move (`tests/benchmarks/yardstick.c`, compiled with `-O3 -march=native`), both measured by turns
# in one run:

# %%
stored_table("speed-simulator")

# %% [markdown]
# The last rows are played under TetrisBot's own rules, on 10x22 with a bag. The machine matters much, the ratios less.
# Players that look ahead value every answer to every move; rollouts play games to value a move; and a feature of one's
# own is computed move by move:

# %%
stored_table("speed-other")

# %% [markdown]
# Public simulators of Tetris count different things as a step. A *key* moves a piece by one cell. A *placement* that
# is given brings it to rest. A *full decision* values every placement, up to 34 of them, and makes the best one. Only
# equal steps can be compared. All boards are 10x20; keys and placements are random and legal, decisions are those of a
# linear player. The last two rows were measured on another machine.

# %%
stored_table("public-simulators")

# %% [markdown]
# The vector environment, with other rules and other observations; choosing the actions is part of the time:

# %%
stored_table("speed-gym")

# %% [markdown]
# Training adds little to the games that it plays:

# %%
stored_table("speed-training")

# %% [markdown]
# The shortest runs wait for each other most: a generation of genetic-3 lasts 20 ms. Dask on the same machine took
# 1.00 times as long as threads (`python tests/benchmarks/dask_overhead.py`, iterations of two seconds).
#
# How fast panels answer, from the key, click or slider to the picture: medians of 20 tries, the worst in brackets.

# %%
stored_table("speed-panels")

# %% [markdown]
# ## Where to go next
#
# - The [references](references.ipynb) list every figure and table of the papers, and where in the course each is
#   shown.
# - [Chapter 05](05_comparing_players.ipynb) explains the intervals, [chapter 15](15_championship.ipynb) asks you to
#   beat the best of these players.
# - To add a row to a table, run its command with `--save`; CONTRIBUTING says how figures come into the course.
