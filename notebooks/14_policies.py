# %% [markdown]
# # 14 Learning a policy
#
# Two roads so far. Chapters 07 to 09 *searched*: they played whole games with a set of weights, looked at the score,
# and never asked which move had been good. Chapters 10 to 12 learned *values*: what a position is worth, a harder
# question than which move is best, asked only so that the answer could be thrown away after the comparison. Why not
# learn the comparison? In 2013, after two decades in which learning from experience (*reinforcement learning*) had
# looked poor in Tetris beside any search, a method that does just this drew level, and one of its players, DT-20,
# held the record on the large board. This chapter builds it, then the road that the rest of the world took, policies
# that throw dice, and at the end lets all methods of the course run on one track.
#
# **You will learn**
# - to make a slow, good player (rollouts) the teacher of a quick one: *direct policy iteration*, stage by stage, each
#   stage valued exactly on 4x4
# - what a critic adds to it (CBMPI), and its elders: λ-policy iteration and LSPI, with published and own scores
# - whether in Tetris policies are easier to represent than values, as its authors suspected, on a board where both are
#   known
# - policies with dice: REINFORCE in thirty lines, checked against the exact gradient; what a baseline does, with a
#   control; what the natural gradient changes
# - the line from there to PPO and to the training of language models, in a page
# - the answer to the course's open question: *can learning from experience overtake weights found by search?*
#
# **You need** [chapter 10](10_bellman.ipynb): $V$, $Q$, policy improvement and the lemma behind it. [Chapter
# 13](13_looking_ahead.ipynb): rollouts. [Chapter 05](05_comparing_players.ipynb): intervals. Of [chapter
# 09](09_cma_es.ipynb) you need only that CMA-ES finds good weights for any loss.
#
# **Time** about {{minutes}} minutes.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import spsolve

import tetriscourse as tc
from tetriscourse import plots
from tetriscourse.course.results import stored_table
from tetriscourse.random_numbers import Draws
from tetriscourse.mdp.finite.solving import improvements
from tetriscourse.mdp.policies.policy_gradient import gradients
from tetriscourse.mdp.policies.samples import Policy, discounted_sums
from tetriscourse.widgets import PolicyPanel

# %% [markdown]
# ## A slow teacher and a quick pupil
#
# A rollout player asks of each move: if I make it and then play on as usual, what do I get? By chapter 10's theorem
# it plays better than the player who plays on, as far as its answers are right. And it is slow: some hundred moves
# played for every move made. Now use it as a *teacher*. Show it a few hundred states, write down what it says each
# move is worth, and look for weights that choose as it would. Those weights are a player of chapter 04 again, as
# quick as any. Let this pupil play on in the next rollouts, and they teach the next pupil:
#
# 1. play, and collect some states;
# 2. value all moves in each of them by rollouts of the present policy;
# 3. find weights that choose well *in these states*: the next policy;
# 4. back to 1.
#
# This is **direct policy iteration** (DPI; Lazaric, Ghavamzadeh and Munos 2010). There is the policy iteration of
# chapter 10 in it, with both steps made affordable. Evaluation is a few rollouts. Improvement is *classification*:
# given a state, say which move, with examples to learn from. No value of any position is ever written down.
#
# Our laboratory is the board of 4x4, since there `tc.exact_value` gives the value of any player, to all digits,
# without a game. The eyes are the nine features of DT, with which the record of 2013 was made. And the first policy
# knows only this: lay pieces low, and make no holes.

# %%
rules = tc.Rules(width=4, height=4)
eyes = tc.as_feature_set("dt")
print(*(feature.name for feature in eyes.features))

# %%
def exact(theta):
    """What the player with these weights is worth on 4x4."""
    return tc.exact_value(tc.Player(eyes, theta), rules, progress=False).start

# %%
start = np.where(np.isin(eyes.labels(4), ["landing_height", "holes"]), -1.0, 0.0)
perfect = tc.solve(rules, progress=False).start
print(f"low and no holes: {exact(start):.4f} lines of {perfect:.4f}, {exact(start) / perfect:.0%}")

# %% [markdown]
# ### Step 1: states
#
# From games of the policy itself, with one move in ten at random. Why not without? A policy that is sure of itself sees
# only what it brings about, and a pupil that errs finds itself where no lesson was given.

# %%
def school(theta, count, seed):
    """Boards and pieces from games of a player who makes one move in ten at random."""
    player, draws, met, board = tc.Player(eyes, theta), Draws(14, seed), [], rules.empty_board()
    while len(met) < count:
        piece = rules.pieces[int(draws.below(7))]
        found = tc.moves(board, piece, rules)
        if found:
            met.append((board, piece))
            move = found[int(draws.below(len(found)))] if draws.uniform() < 0.1 else player.choose(board, piece)
        board = move.after if found else rules.empty_board()
    return met

# %%
met = school(start, 200, seed=0)
print(len(met), "states; the eighth is", met[7][1].name, "on a board of heights", *met[7][0].heights)

# %% [markdown]
# ### Step 2: what each move is worth
#
# After each move the player itself goes on, for ten moves, four times, and the lines are counted. `tc.rollouts` of
# chapter 13 does it, with the same pieces for all moves of a state.

# %%
def lessons_of(theta, met, games=4, moves=10, seed=0):
    """For each state, what its moves look like, and what rollouts say each is worth."""
    player, lessons = tc.Player(eyes, theta), []
    for number, (board, piece) in enumerate(met):
        phi = np.array([eyes.values(move) for move in tc.moves(board, piece, rules)], float)
        Q = tc.rollouts(player, board, piece, rules, games, moves, seed=1000 * seed + number).means
        lessons.append((phi, Q))
    return lessons

# %%
lessons = lessons_of(start, met)
print("what the moves of the eighth state are worth:", *lessons[7][1])

# %% [markdown]
# ### Step 3: weights that choose well
#
# The pupil has weights $\theta$, and takes the move of highest $\theta^T \phi(s, a)$. What shall it be told? "Take
# the best" is not enough, since it will not always manage, and then it matters *which* other move it takes. So the
# loss of a choice is what it costs, the **regret** of chapter 10, as far as the rollouts know it:
#
# $$L(\theta) = \frac1N \sum_{s} \Big( \max_a Q(s, a) - Q(s, \pi_\theta(s)) \Big).$$
#
# This has no slope: it is a staircase in $\theta$, flat almost everywhere. CMA-ES does not mind. (And look how cheap
# the candidates are: they are judged on the *same* 200 states. No game is played for them.)

# %%
def loss(theta, lessons):
    """What the choices of a policy cost, on average."""
    return np.mean([Q.max() - Q[(phi @ theta).argmax()] for phi, Q in lessons])

# %%
def pupil(theta, lessons, loss=loss, seed=0):
    """The best weights that CMA-ES finds for a loss, from the present ones on."""
    search = tc.CMAES(len(theta), iterations=30, sigma=0.3, normalise=True, seed=seed,
                      start=tuple(theta / np.linalg.norm(theta)))
    while not search.stop():
        candidates = search.ask()
        search.tell(candidates, [-loss(one, lessons) for one in candidates])
    return search.best.weights

# %%
first = pupil(start, lessons)
print(f"the loss was {loss(start, lessons):.3f} and is {loss(first, lessons):.3f}")
print(f"the policy was worth {exact(start):.4f} lines and is worth {exact(first):.4f}")

# %% [markdown]
# One lesson of 200 states, and seven tenths of the way from the beginner to perfection are done. What would a perfect
# teacher have brought? The exact policy improvement of chapter 10, with no noise in its values and free to choose every
# move by itself:

# %%
game = tc.tetris_mdp(rules)

# %%
def policy_of(theta):
    """The number of the move that a player makes in each state."""
    player, pi = tc.Player(eyes, theta), np.zeros(len(game.moves), int)
    for (board, piece, *_), s in game.states.items():
        if game.moves[s]:
            pi[s] = game.moves[s].index(player.choose(board, rules.pieces[piece]))
    return pi

# %%
steps = [game.value(V) for V in improvements(game.mdp, policy_of(start))]
print("exact policy iteration:", *(f"{value:.4f}" for value in steps))

# %% [markdown]
# 6.92 from a beginner, in one step. Our pupil stays behind for three reasons. It saw 200 states of 18,074. What it was
# told is noisy, four games of ten moves. And it has nine weights, and cannot do just anything. Exact policy iteration
# can only go up. **Predict** what ours does in six rounds, begun afresh:

# %%
theta, worth = start, [exact(start)]
for k in range(1, 7):
    theta = pupil(theta, lessons_of(theta, school(theta, 200, seed=k), seed=k), seed=k)
    worth.append(exact(theta))
print("round by round:", *(f"{value:.2f}" for value in worth))

# %% [markdown]
# Up at once, then up and down. The theorem of chapter 10 promises that a policy which is better *in every state* is
# worth more. This one is better on average over 200 states, by values that are guesses, and it pays for a gain here
# with a loss there. Approximate policy iteration seldom settles; it reaches a region quickly and then wanders about
# in it. So whoever uses it must judge its policies, keep the best, and say what the judgement has cost.
#
# ### The control: why not count mistakes?
#
# Classifiers are usually told to make few mistakes. Ours is told what each mistake costs. Is that worth the trouble?
# The same lessons, the same search, and the other loss; ten seeds:

# %%
def mistakes(theta, lessons):
    """How often a policy does not take a move of highest value."""
    return np.mean([Q.max() > Q[(phi @ theta).argmax()] for phi, Q in lessons])

# %%
pairs = []
for seed in range(10):
    lessons = lessons_of(start, school(start, 100, seed), seed=seed)
    pairs.append([exact(pupil(start, lessons, one, seed)) for one in (loss, mistakes)])
print("by cost:    ", *(f"{cost:.2f}" for cost, _ in pairs), f" mean {np.mean(pairs, axis=0)[0]:.2f}")
print("by mistakes:", *(f"{count:.2f}" for _, count in pairs), f" mean {np.mean(pairs, axis=0)[1]:.2f}")

# %%
gains = -np.diff(pairs, axis=1)
print(f"gained by counting costs: {gains.mean():.2f} ± {2 * gains.std(ddof=1) / np.sqrt(len(gains)):.2f} lines")

# %% [markdown]
# It is not, as far as ten seeds can tell: here both losses teach equally well, and an argument that sounded
# convincing has no difference to show for it. (On this board a move is mostly right or deadly. Whether costs matter
# more where there are many shades of wrong, this experiment cannot say.) We keep the costs, since the theory of the
# method is about them.
#
# ## A critic: CBMPI
#
# A rollout of ten moves knows nothing of the eleventh. Longer rollouts know more, cost more, and are noisier. **CBMPI**
# (classification-based *modified* policy iteration; Gabillon, Ghavamzadeh and Scherrer 2013; Scherrer and others 2015)
# ends each rollout with an opinion: a *critic*, a value function $v$ fitted to the rollouts of the last round.
#
# $$Q(s, a) = r_0 + \gamma r_1 + \dots + \gamma^m r_m + \gamma^{m+1}\, v(s_{m+1}), \qquad v(s) \approx Q(s, \pi_k(s)).$$
#
# With $m = 0$ there is one reward and then opinion, as in the value iteration of chapter 10; with a very large $m$
# there is no opinion left, and it is policy iteration. Between them lies *modified* policy iteration, whose parameter
# is $m$. The critic never chooses a move. It may be wrong, as long as it is wrong by about the same for the moves of
# a state.
#
# **Predict:** for which $m$ does the critic help, and does it ever harm? On 4x4, where all is valued exactly, ten
# runs each (`python tests/benchmarks/policy_rounds_figures.py horizons`; `DPI` and `CBMPI` of the library play the
# same games and the same rollouts):

# %%
stored_table("policy-horizons")

# %% [markdown]
# Where rollouts are shortest the critic helps, and beyond doubt: a line a game with no move at all, a third of a line
# with one. From two moves on there is no difference that ten runs can show, in either direction. So the critic does
# what it is for; and the best figure of the table is CBMPI's, with rollouts of a single move; DPI does not come up to
# it with rollouts of any length. What it does *not* show is that long rollouts are better: after two moves nothing is
# gained.
#
# ### On ten columns
#
# Now 10x10, where nobody knows the optimum and games judge. Two sizes of lesson, eight rounds, from the same beginner:
# low, and no holes.

# %%
stored_table("policy-rounds")

# %% [markdown]
# With 500 states a policy may have a thousand lines in one round and ten in the next. With 5,000 the first round
# alone, 1.2 million moves, makes 1,800 lines of our beginner. And then? The seven rounds that follow wander, in their
# medians, between 800 and 2,900. CBMPI is ahead in some rounds and behind in others, with ranges that overlap in all.
# If you see 3,540 lines for DPI further down, that is the *best* of eight rounds, picked by games that say so, and
# picking is a search too.
#
# > **In the paper.** Gabillon, Ghavamzadeh and Scherrer 2013, and Scherrer and others 2015: with CBMPI they found the
# > weights of DT-10 (5,000 lines on 10x10) and DT-20 (51 million on 10x20), the best published of their day, and say
# > in the abstract of the first that on the large board it took about a sixth of the samples that cross-entropy
# > takes. None of the five documents of this course could know it; Boumaza's is of the same year.
#
# ## Which is easier to represent?
#
# Their explanation is a conjecture: *in Tetris good policies are easier to represent than their values*. On 10x20 it
# can only be argued about. On 4x4 we have $V_*$ and $Q_*$ in a table, and can ask. The eyes are now seven features of
# the board after a move, six of DN's and the sum of the heights, and the rows that the move has cleared.
# `tc.FiniteSource` lays out all moves of all states in one long list, state after state.

# %%
names = ["row_transitions", "column_transitions", "holes", "wells", "hole_depth", "rows_with_holes", "sum_heights"]
seven = tc.as_feature_set(names)
looks = {move.after: seven.values(move) for found in game.moves for move in found}
phi = np.array([looks.get(board, [0] * 7) for board in tc.FiniteSource(game).boards], float)
phi /= phi.std(axis=0)
source = tc.FiniteSource(game, phi)
owner = np.repeat(np.arange(len(source.offsets) - 1), np.diff(source.offsets))  # the state that a move belongs to
before, after = source.board_of[owner], source.after                            # boards before and after each move
print(f"{len(phi):,} boards and {len(after):,} moves")

# %% [markdown]
# A policy is then a list `p` of probabilities, one for each move, and Bellman's equation for what *boards* are worth,
# before the piece comes, has as many unknowns as there are boards. `visits` turns it round, as in chapter 10: how often
# does a game come to each board?

# %%
def chain(p):
    """I - P, where P[b, c] is the probability that the move made on board b leads to board c."""
    return eye_array(len(phi)) - csr_array((p / 7, (before, after)), shape=(len(phi),) * 2)

# %%
def values(p):
    """What each board is worth under a policy."""
    return spsolve(chain(p).tocsc(), np.bincount(before, p * source.gain / 7, len(phi)))

# %%
def visits(p):
    """How often a game comes to each board, on average; number 0 is the empty one, where it begins."""
    return spsolve(chain(p).T.tocsc(), np.arange(len(phi)) == 0)

# %%
def greedy(theta):
    """The policy of these weights: seven for the features, the last for the rows that a move clears."""
    return source.probabilities(Policy(np.asarray(theta[:7], float), theta[7]))

# %% [markdown]
# *Values.* We hand $V_*$ to least squares, the perfect values that no learner will ever see, each board weighted by how
# often the best play comes to it. Then play greedily for the fit.

# %%
best = tc.value_iteration(game.mdp)
perfect_play = (source.offsets[:-1] + best.policy)[owner] == np.arange(len(owner))
V, d = values(perfect_play), visits(perfect_play)

# %%
root, columns = np.sqrt(np.maximum(d, 0)), np.column_stack([phi, np.ones(len(phi))])
fitted = np.linalg.lstsq(root[:, None] * columns, root * V, rcond=None)[0]
missed, spread = d @ (V - columns @ fitted) ** 2, d @ (V - d @ V / d.sum()) ** 2
print(f"the best play: {V[0]:.4f} lines")
print(f"a fit that explains {1 - missed / spread:.0%} of V*: {values(greedy([*fitted[:7], 1]))[0]:.2f} lines")

# %% [markdown]
# *Policies.* The same features, the same visits, and the loss of this chapter with $Q_*$ in it:

# %%
Q = source.gain + V[after]
regret = source.highest(Q)[owner] - Q

# %%
def exact_loss(theta, d):
    """What the choices of a policy cost on these visits, if the best play goes on afterwards."""
    return d[before] @ (greedy(theta) * regret) / 7

# %%
def classified(d, seed):
    """What the policy of smallest loss is worth."""
    search = tc.CMAES(8, iterations=40, normalise=True, seed=seed)
    while not search.stop():
        candidates = search.ask()
        search.tell(candidates, [-exact_loss(theta, d) for theta in candidates])
    return values(greedy(search.best.weights))[0]

# %%
print("classified, by visits of the best play:", *(f"{classified(d, seed):.2f}" for seed in range(3)))
print("classified, all boards alike:          ", *(f"{classified(np.ones(len(d)), seed):.2f}" for seed in range(3)))

# %% [markdown]
# So the conjecture holds here, and not by a little. The *best possible* fit of the values makes a player of 5.6
# lines; weights that only need to get choices right make 6.7, from the same features. It is no paradox. Least squares
# spends its eight numbers on the great differences, between boards that are nearly lost and boards that are not. The
# choice is between the boards that *one piece* can make of *one board*, and those are much alike.
#
# One honest remark. Where all boards count alike, classification makes nearly a line less. Where one looks matters as
# much as what one fits; that is why step 1 plays games.
#
# ## The elders
#
# What did people do in the twenty years before? They fitted values. Each of these lines is a file in
# `tetriscourse/mdp/policies`, short enough to be read.
#
# - **Fitted value iteration** (Tsitsiklis and Van Roy 1996): one sweep of Bellman's equation over states that were met,
#   least squares, repeat. Two features.
# - **λ-policy iteration** (Bertsekas and Ioffe 1996, and the book of Bertsekas and Tsitsiklis of that year): play
#   games by the policy that is greedy for $V$, and move $V$ by the sum of the *temporal differences* $d_k = r_k +
#   \gamma V(s_{k+1}) - V(s_k)$ from each state on, a later one counting $(\gamma \lambda)^k$. With $\lambda = 0$ that
#   is a sweep of value iteration, with $\lambda = 1$ the whole return, policy iteration. What $m$ is to CBMPI,
#   $\lambda$ is here: a dial between opinion and experience. They gave the field its 21 features.
# - **LSPI** (Lagoudakis, Parr and Littman 2002): the value of a *move*, $Q(s, a) = \phi(s, a)^T w$, solved for at once
#   from any samples: $A w = b$ with $A = \sum \phi(s, a) \big( \phi(s, a) - \gamma \phi(s', \pi(s')) \big)^T$ and $b =
#   \sum \phi(s, a)\, r$. No step size, no iteration inside.
# - **A linear program** (Farias and Van Roy 2006): the smallest $V = \phi^T r$ on which no move of some sampled states
#   can improve.
#
# Here is λ-policy iteration on 4x4, with the seven features of above, two runs, every iteration valued exactly:

# %%
for seed in (0, 1):
    learner = tc.LambdaPolicyIteration(tc.FiniteSource(game, columns), seed=seed, judge_games=0)
    worth = []
    for _ in range(8):
        learner.advance()
        worth.append(values(greedy([*learner.weights[:7], 1]))[0])
    print(f"{learner.moves:,} moves:", *(f"{one:.2f}" for one in worth))

# %% [markdown]
# It is settled after one or two thousand moves, which is quick. And it settles at what fits of values are worth: the
# 5.6 lines of the best possible fit (one iteration strays to 6.2). The policies of 6.7 lines, which have the same
# features, it does not come near, not for lack of games but because it asks another question.
#
# ### A table of methods
#
# This is what they reached, on paper and here. First the papers' own, from table 1 of Szita and Lőrincz 2006 and
# section 2 of Thiery and Scherrer 2009, who quote others; all scores are lines on 10x20, under rules that differ in
# small print (chapter 05).
#
# | method | lines | judged in, by TS | games to learn, by SL |
# |---|---|---|---|
# | value iteration, two features (Tsitsiklis and Van Roy 1996) | about 30 | | |
# | relational regression (Ramon and Driessens 2004) | about 50 | | 120 |
# | LSPI (Lagoudakis and others 2002) | 1,000 to 3,000 | | about 17 |
# | λ-policy iteration (Bertsekas and Tsitsiklis 1996) | 3,200 (SL: 3,183) | 100 games | 1,500 |
# | linear program (Farias and Van Roy 2006) | 4,700 (SL: 4,274) | 90 games | |
# | natural policy gradient (Kakade 2001) | about 6,800 | not told | about 10,000 |
# | *by hand* (Dellacherie 2003) | 660,000 (SL: 631,167) | 56 games | |
# | *cross-entropy, falling noise* (Szita and Lőrincz 2006) | 350,000 | 30 games | 5,000 |
#
# No learner is within a factor of fifty of a search, or of a person with a pencil. That was the state of things when
# the field called itself stuck. And here are ours, by the same methods and mostly the same features, five runs each,
# with what they cost and how to repeat it:

# %%
methods = stored_table("policies")
methods.columns = {name: shown for name, shown in methods.columns.items() if name != "seconds"}
methods

# %% [markdown]
# Three things are to be learned from this table before one believes it.
#
# *The published figures are no laws of nature.* λ-policy iteration makes more than twice its published score, the
# natural gradient three times, LSPI with other people's features six times and more. Nothing new was found for that:
# games are cheaper, the best of many iterations is kept. And two do not come out at all. Value iteration stays below
# its thirty lines, and the linear program far below its thousands: what was done differently we do not know.
#
# *Features, features.* LSPI with the 21 features of λ-policy iteration has eighteen times the lines of LSPI with its
# own four. DPI and CBMPI look with the nine of DT. What is compared here is methods *and* eyes, and we shall have
# to take them apart.
#
# *The range.* On 10x20 the five runs of DPI lie between 0.2 and 36 million. Whoever reports one run reports the
# weather.
#
# > **In the paper.** Boumaza 2013, section 3.2, goes through the same list and remarks that little success had been
# > achieved in comparison with Dellacherie's player. Thiery and Scherrer 2009, section 3.2, defend Bertsekas and
# > Tsitsiklis, whose game ends a row earlier. The table has both games: that is not where the difference comes from.

# %% [markdown]
# ## Policies that throw dice
#
# A classifier's loss is a staircase, so we let CMA-ES walk on it. There is another way: make the policy itself smooth.
# A **softmax policy** does not take the move of highest score; it draws one, and a higher score makes it likelier:
#
# $$\pi_\theta(a \mid s) = \frac{e^{\theta^T \phi(s, a)}}{\sum_b e^{\theta^T \phi(s, b)}}.$$
#
# With large weights it is as good as greedy, with $\theta = 0$ all moves are alike. In between everything, also what
# the policy is worth, has a slope in $\theta$, and one can walk uphill.

# %%
def softmax(scores):
    """Probabilities in proportion to the exponentials of the scores."""
    p = np.exp(scores - scores.max())
    return p / p.sum()

# %%
print(softmax(np.array([1.0, 2.0, 3.0])).round(3), softmax(np.array([10.0, 20.0, 30.0])).round(3))

# %% [markdown]
# One slope is all that we need, that of the *logarithm* of a probability. The logarithm of $\pi_\theta(a \mid s)$ is
# the score of $a$ less the logarithm of a sum, and the slope of that sum is a mean:
#
# $$\psi(s, a) = \nabla_\theta \log \pi_\theta(a \mid s) = \phi(s, a) - \sum_b \pi_\theta(b \mid s)\, \phi(s, b).$$
#
# What this move looks like, less what a move of this policy usually looks like in this state: a *surprise*. To make a
# move likelier, add its surprise to the weights. And see what happens to all the others, whose features it shares.
#
# **Try this.**
# 1. Reward a move with +1 and take a gradient step. Which other moves went up with it, and what do they share with it?
# 2. Lower the temperature. What becomes of the policy, and what of $\psi$ of the likeliest move?
# 3. Multiply *holes* by 10. Which of the two steps has changed, and which has not? (The reason comes below.)
# 4. Press *Start*, and let it learn from its own games.

# %%
PolicyPanel()

# %% [markdown]
# ### The gradient of a game
#
# Which moves should become likelier? Those that were followed by much. To see that this simple-minded answer is the
# exact one, take the lemma of chapter 10, which compares a policy $\pi'$ with $\pi$:
#
# $$\eta(\pi') - \eta(\pi) = \sum_s d_{\pi'}(s) \sum_a \pi'(a \mid s)\, \big( Q_\pi(s, a) - V_\pi(s) \big),$$
#
# with $\eta$ for the worth of a game. Move $\pi'$ a little away from $\pi$, along $\theta$. At $\pi' = \pi$ the inner
# sum is 0 in every state, whatever the visits in front of it are: so the change of the *visits* plays no part in the
# slope, only that of the probabilities does. That is the step on which all rests. And $\nabla \pi = \pi\, \nabla \log
# \pi = \pi\, \psi$:
#
# $$\nabla \eta = \sum_s d_\pi(s) \sum_a \pi(a \mid s)\, \psi(s, a)\, \big( Q_\pi(s, a) - V_\pi(s) \big).$$
#
# This is the **policy gradient theorem** (Sutton and others 2000). On 4x4 it can be put to the test, since `values` and
# `visits` know everything. The weights are seven now, for the features of the board after the move, and begin at -½.

# %%
looks = phi[after]                                      # the features of every move

# %%
def dice(theta):
    """The probability of every move under a softmax policy."""
    return source.probabilities(Policy(np.asarray(theta, float), softmax=True))

# %%
def surprise(p):
    """psi of every move."""
    mean = np.zeros((len(source.offsets) - 1, 7))
    np.add.at(mean, owner, p[:, None] * looks)
    return looks - mean[owner]

# %%
theta, h = np.full(7, -0.5), 1e-5
tried = [(values(dice(theta + step))[0] - values(dice(theta - step))[0]) / (2 * h) for step in h * np.eye(7)]

# %%
p = dice(theta)
V, d = values(p), visits(p)
Q = source.gain + V[after]
theorem = (d[before] / 7 * p * Q) @ surprise(p)
print("worth", V[0].round(4), "lines; slopes by trying:", *np.round(tried, 4))
print("                          by the theorem:", *theorem.round(4))

# %% [markdown]
# The same. (We have left out $V_\pi$, and it made no difference. Why it may be left out, or anything else that does not
# depend on the move be put in its place, you prove in exercise 14.5.)
#
# ### REINFORCE in thirty lines
#
# Nobody has $d$ and $Q$ on a real board. But a game visits states as often as $d$ says, and the lines that come after a
# move are $Q$ on average. So play, and add up $\psi$ times what followed (Williams 1992):
#
# $$\nabla \eta = \mathbb{E} \Big[ \sum_t \psi(s_t, a_t)\, G_t \Big], \qquad G_t = r_t + r_{t+1} + \dots$$

# %%
def episode(theta, luck):
    """A game of the softmax policy: psi of each move that it made, and the rows that the move cleared."""
    psi, rows, board = [], [], 0
    for piece, where in luck:
        s = source.state_of[board, int(7 * piece)]
        possible = slice(source.offsets[s], source.offsets[s + 1])
        if possible.start == possible.stop:
            break
        phi = looks[possible]
        p = softmax(phi @ theta)
        a = np.searchsorted(p.cumsum()[:-1], where)
        psi.append(phi[a] - p @ phi)
        rows.append(source.gain[possible][a])
        board = after[possible][a]
    return np.reshape(psi, (-1, 7)), np.array(rows)

# %%
def reinforce(theta, games, seed):
    """The gradient of the worth of a game as each game sees it, a row for each."""
    found = []
    for number in range(games):
        psi, rows = episode(theta, Draws(seed, number).uniform((200, 2)))
        to_come = rows[::-1].cumsum()[::-1]             # of each move: the lines from then on
        found.append(to_come @ psi)
    return np.array(found)

# %%
found = reinforce(theta, 4000, seed=1)
estimate, error = found.mean(axis=0), 2 * found.std(axis=0) / np.sqrt(len(found))
for k, name in enumerate(names):
    print(f"{name:20} {theorem[k]:7.3f}   {estimate[k]:7.3f} ± {error[k]:.3f}")

# %% [markdown]
# That is the whole algorithm. It knows no rule of Tetris and no value of any board, it never differentiates a score,
# and it is right on average. *On average*: look at the errors after four thousand games.
#
# ### What a baseline does
#
# A move after which many lines came is made likelier, even if *every* move would have brought as many. So subtract what
# was to be expected anyway, a **baseline** $b(s)$, and weigh $\psi$ with $G_t - b(s_t)$. **Predict** which of these
# helps most, and which may harm: the lines of the *whole* game in place of those to come; no baseline; the mean of all
# $G$; the exact $V_\pi(s)$; and, as a control, the exact $V_\pi$ of *another* state of the sample, drawn at random; and
# ten times $V_\pi(s)$. All use the same 20,000 games (which `source.sample` plays at once).

# %%
D = source.sample(Policy(theta, softmax=True), seed=2, games=20_000, moves=10**9)
psi, G = gradients(D, theta), discounted_sums(D.rewards, D.ends, 1.0)
game_of = np.cumsum(np.append(0, D.ends[:-1] != 0))
everything = np.bincount(game_of, D.rewards)[game_of]
V_states = np.bincount(owner, p * Q, len(source.offsets) - 1)
known = V_states[source.state_of[D.cells[:, 0], D.pieces]]

# %%
def noise(weight):
    """The mean over games of the sum of psi times a weight, and the variance of a game, all components together."""
    sums = np.zeros((game_of[-1] + 1, 7))
    np.add.at(sums, game_of, psi * weight[:, None])
    return sums.mean(axis=0), sums.var(axis=0).sum()

# %%
baselines = {"the whole game": everything, "lines to come": G, "less their mean": G - G.mean(), "less V(s)": G - known,
             "less V(another)": G - known[Draws(14, 1).order(len(G))], "less 10 V(s)": G - 10 * known}
for name, weight in baselines.items():
    mean, variance = noise(weight)
    off = np.linalg.norm(mean - theorem) / np.sqrt(variance / 20_000)
    print(f"{name:16} variance of a game {variance:7.1f}; the mean is {off:.1f} standard errors from the theorem")

# %% [markdown]
# All six are right on average, also the absurd ones; 20,000 games cannot tell their means from the
# theorem's. But to reach the same precision, weighing with the whole game takes nearly four times as many games as
# weighing with the mean subtracted. The largest step is the second line: what came *before* a move was not its doing.
# Next is the mean of $G$, a single number. After it, even the *exact* values of all states gain next to nothing: here a
# game is mostly luck, and little of that luck can be seen beforehand. The control separates two things: values of the
# wrong states still help (78 in place of 88), since their mean is right, but less than that mean alone; and ten times
# the right ones ruin everything.
#
# ### Uphill
#
# Now walk. Fifty games a step, 60 steps from $\theta = 0$, the same step size, with and without the simplest baseline;
# every tenth policy is valued exactly.

# %%
def climb(seed, baseline, steps=60, games=50, size=0.3):
    """Exact worths of the policies on the way, and the last weights."""
    theta, worth = np.zeros(7), []
    for k in range(steps + 1):
        if k % 10 == 0:
            worth.append(values(dice(theta))[0])
        D = source.sample(Policy(theta, softmax=True), 1000 * seed + k, games, 10**9)
        G = discounted_sums(D.rewards, D.ends, 1.0)
        theta = theta + size / games * (gradients(D, theta).T @ (G - baseline * G.mean()))
    return worth, theta

# %%
for baseline, name in enumerate(("plain", "baseline")):
    for seed in range(3):
        worth, last = climb(seed, baseline)
        print(f"{name:8}", *(f"{one:.2f}" for one in worth), f"  greedy {values(greedy([*last, 0]))[0]:.2f}")

# %% [markdown]
# Three thousand games, and from dice without a preference, at one line a game, it has come to 5.8 lines as a thrower
# of dice, and in two of three runs to 6.5 or 6.7 when it stops throwing: as much as CMA-ES found with exact values.
# The baseline, though, has gained nothing that we can see. It makes a step less noisy, and noise was not what held us
# up.
#
# ## The natural gradient
#
# The gradient points to where a *step of a given length in $\theta$* gains most. But what is a length in $\theta$?
# Count the heights in half cells, and halve the weight: the same policy. The gradient, though, doubles where the
# weight was halved, and so a step changes the policy four times as much. Its direction is a matter of your units. We
# saw the cure in chapter 09: measure a step by what it does to the *distribution*. Here that is the policy, and
# Fisher's matrix is $F = \mathbb{E}[\psi \psi^T]$. For a single state it can be had by hand. It is the covariance of
# the features, when moves are drawn by the policy:

# %%
phi_here, p_here = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), np.array([0.5, 0.25, 0.25])
psi_here = phi_here - p_here @ phi_here
print("F =", (psi_here.T * p_here @ psi_here).tolist())
print("cov", np.cov(phi_here.T, aweights=p_here, bias=True).tolist())

# %% [markdown]
# **The natural gradient** is $F^{-1} \nabla \eta$ (Kakade 2001, who tried it on Tetris). It asks no new games: it is
# the $w$ that makes $\mathbb{E}[(\psi^T w - (G_t - b))^2]$ smallest, a least-squares fit of surprises to what
# followed. Let us see its indifference, with exact gradients, so that no luck blurs the picture: 15 steps from
# $\theta = 0$, along either gradient, once with the seven features as they are and once in other units. All steps are
# of one length, measured by what they do to the scores of the moves made (the root of $w^T F w$).

# %%
units = np.array([10, 1, 0.1, 1, 1, 1, 0.1])

# %%
def walk(direction, units, size=0.2, steps=15):
    """Exact worths on the way along exact gradients, for features in these units."""
    theta, worth = np.zeros(7), []
    for _ in range(steps + 1):
        p = dice(theta * units)
        V, psi = values(p), surprise(p) * units
        worth.append(V[0])
        weight = visits(p)[before] / 7 * p
        g, F = (weight * (source.gain + V[after])) @ psi, (psi.T * weight) @ psi / weight.sum()
        w = np.linalg.solve(F, g) if direction == "natural" else g
        theta = theta + size * w / np.sqrt(w @ F @ w)
    return worth

# %%
plt.figure(figsize=(7, 3.2))
for direction, colour in (("gradient", "#D55E00"), ("natural", "#0072B2")):
    for scale, line in ((np.ones(7), "-"), (units, "--")):
        label = direction + (", other units" if line == "--" else "")
        plt.plot(walk(direction, scale), line, color=colour, linewidth=4 if line == "-" else 2, alpha=0.6, label=label)
plt.xlabel("step")
plt.ylabel("worth on 4x4, lines")
plt.legend()
plt.show()

# %% [markdown]
# Both blue lines are one: the natural gradient takes the same way in any units, and here it is also the quicker way,
# to 6.7 lines in fifteen steps. The plain gradient depends on units altogether. In ours (standard deviations) it does
# nearly as well, in the others it crawls.
#
# One thing the picture does not show. Let it walk 40 steps, and it breaks down. A policy that has become sure of itself
# makes no surprises: $\psi$ and with it $F$ go to 0, and a step of fixed length, divided by nearly nothing, leaps
# anywhere. With dice it is as with people. Who has no doubts left cannot learn.

# %% [markdown]
# ## From here to what you have heard of
#
# Everything since is about three weaknesses of what you have just built. (What follows is a map, not a course; each
# name stands for more than its sentence.)
#
# *Too noisy.* A baseline that is learned along the way is a **critic**, and the policy beside it an **actor**. A
# critic can do more than be subtracted: $r_t + \gamma V(s_{t+1}) - V(s_t)$ estimates the advantage from a single
# step, with less noise and with the critic's own errors in it. Between the two there is a λ again (*generalised
# advantage estimation*; Schulman and others 2016), and many actors that play at the same time are *A3C* (Mnih and
# others 2016). CBMPI is an actor-critic too, only that its actor is a classifier.
#
# *Steps of unknown length.* The theorem says which way, not how far. What it leaves out, the change of the visits,
# plays no part at first, and soon does. We can see this exactly. With the visits of the *old* policy in the lemma,
# one gets a promise, $\eta(\pi) + \sum_s d_\pi(s) \sum_a \pi'(a \mid s) A_\pi(s, a)$. Walk along the natural
# gradient, and compare it with the truth:

# %%
weight = d[before] / 7 * p                              # how often each move is made in a game
F = (surprise(p).T * weight) @ surprise(p) / weight.sum()
w = np.linalg.solve(F, theorem)
w /= np.sqrt(w @ F @ w)
A = Q - V_states[owner]

# %%
lengths, curves = np.linspace(0, 4, 21), {"promised": [], "true": [], "promised by PPO": []}
for length in lengths:
    new = dice(theta + length * w)
    ratio = new / p
    clipped = np.minimum(ratio * A, np.clip(ratio, 0.8, 1.2) * A)
    curves["promised"].append(V[0] + weight @ (ratio * A))
    curves["true"].append(values(new)[0])
    curves["promised by PPO"].append(V[0] + weight @ clipped)

# %%
too_high = 0
for direction in Draws(14, 2).normal((100, 7)):
    new = dice(theta + 2 * direction / np.sqrt(direction @ F @ direction))
    too_high += V[0] + weight @ (new / p * A) > values(new)[0]
print(f"steps of length 2 in random directions: the promise was too high in {too_high} of 100")

# %%
plt.figure(figsize=(7, 3.2))
for (name, curve), style in zip(curves.items(), ("--", "-", ":"), strict=True):
    plt.plot(lengths, curve, style, label=name)
plt.xlabel("length of the step along the natural gradient")
plt.ylabel("lines on 4x4")
plt.legend()
plt.show()

# %% [markdown]
# The two agree where they begin, as the theorem says, and part soon. In this direction the truth is *better* than the
# promise, since better moves make longer games, and the old visits know nothing of those. Along random directions the
# promise was too high in some. Once the visits have changed, it is simply about another game.
#
# **TRPO** (Schulman and others 2015) therefore steps along the natural gradient until the mean Kullback-Leibler
# divergence from the old policy reaches a bound. **PPO** (Schulman and others 2017) aims at the same for less: it
# climbs a promise from which nothing more can be gained once the probability of a move has changed by a fifth in the
# direction that its advantage favours,
#
# $$\mathbb{E} \Big[ \min \big( \rho A,\ \text{clip}(\rho, 0.8, 1.2)\, A \big) \Big], \qquad
# \rho = \frac{\pi_{\theta'}(a \mid s)}{\pi_\theta(a \mid s)},$$
#
# so that the same games can be used for several steps. (Its dotted curve has its top soon, and the climb ends there.)
# That fits into a few lines, needs no Fisher matrix, and has been the workhorse ever since. The
# [environments](environments.ipynb) let one loose on Tetris.
#
# *Who gives the reward?* By 2022 the policy had become a language model. A state is a text so far, a move the next
# piece of a word, $\theta$ some billions of numbers, and $\psi$ comes from a backward pass (chapter 12) instead of a
# mean over moves. A game is an answer. Its reward comes from a second network, trained on which of two answers people
# preferred, with a fine for going far from the model before (**RLHF**; Christiano and others 2017; Ouyang and others
# 2022): PPO, as above. **GRPO** (Shao and others 2024) leaves out the critic. It lets the model answer *the same
# question* a dozen times, subtracts the mean reward of this group as a baseline, and divides by its standard
# deviation; where an answer can be checked, as in mathematics, the reward is simply whether it is right. You have the
# parts in hand: it is REINFORCE with a mean of rollouts from one state as its baseline, and PPO's brake. What is new
# is the size, and everything that surrounds the size.

# %% [markdown]
# ## A few steps on ten columns
#
# Back to a real board, and to a surprise. `tc.PolicyGradient` starts from $\theta = 0$, dice without a preference,
# with DT's nine features on 10x10. An iteration is a hundred games: at first some two thousand moves, with hardly a
# dozen lines in them all. After each, hand the weights to a greedy player. **Predict:** how many moves until it
# clears a thousand lines? (CMA-ES with the same features has 16 lines after 10,000 moves, and 900 after 100,000, as a
# table below will say.)

# %%
judged = tc.Rules(height=10, max_pieces=5_000)

# %%
def few_steps(direction, seed, most=30_000):
    """Moves so far and lines of the greedy player, after each iteration; no game has more than 5,000 pieces."""
    learner = tc.PolicyGradient("10x10", "dt", seed=seed, direction=direction, judge_games=0)
    while learner.moves < most:
        learner.advance()
        player = learner.source.player(learner.policy(), direction)
        yield learner.moves, tc.simulate(player, judged, games=50, seed=2026, progress=False).mean

# %%
plt.figure(figsize=(7, 3.2))
for direction, colour in (("gradient", "#D55E00"), ("natural", "#0072B2")):
    for seed in range(3):
        moves, lines = np.transpose(list(few_steps(direction, seed)))
        plt.plot(moves, lines, color=colour, alpha=0.7, label=direction if seed == 0 else None)
plt.axhline(2000, color="grey", linestyle=":", label="most in 5,000 pieces")
plt.xlabel("moves played")
plt.ylabel("lines on 10x10, greedy")
plt.legend()
plt.show()

# %% [markdown]
# After ten thousand moves REINFORCE has passed a thousand
# lines in all three runs. Remember what it has seen: clumsy games of dice, a line now and then. But each move of each
# game says something about nine weights at once, and a search hears one number when the game is over.
#
# The natural gradient, the quicker one a page ago, is far behind. What differs? There the gradients were exact, here
# they come from a hundred games. Our reading: $F^{-1}$ magnifies the directions in which the features hardly differ,
# and with them the noise of the estimate; and the units of these features, prices that people set by hand for years,
# are kind to the plain gradient. The first half of that you could test: more games a step, and see who gains.
#
# ## The course's question
#
# *Can learning from experience overtake weights found by search?* Here is every method of the course on one track:
# lines on 10x10 against the moves that it has played to learn, the moves by which it judges itself included. At each
# budget a run hands over the player that it would have handed over then; all play the same 100 games. Median and
# range of five runs (`python tests/benchmarks/budget_figures.py`; as a table among the [results](results.ipynb)).

# %%
budgets = stored_table("budget").rows
plots.budget(budgets)

# %% [markdown]
# A busy picture. The part that decides is small: the same nine features of DT, or the eight of DN, and the best of each
# kind, at each budget.

# %%
chosen = ["cross-entropy, constant noise; dn", "cross-entropy, constant noise; dt", "CMA-ES; dt", "reinforce; dt",
          "reinforce, mean of all weights; dt", "natural-gradient; dt", "dpi", "cbmpi"]
for row in budgets:
    if row["name"] in chosen:
        print(row["name"])
        for moves in (10_000, 30_000, 100_000, 1_000_000, 3_000_000, 10_000_000):
            lines = [y for run in row["runs"] for x, y in run if x == moves]
            if len(lines) == 5:
                print(f"{moves:14,} moves: {np.median(lines):6,.0f} lines ({min(lines):,.0f} to {max(lines):,.0f})")

# %% [markdown]
# Read it from the top of each list to its end.
#
# - **With ten thousand moves, learning is ahead.** REINFORCE with DT's features has 1,721 lines, and its worst run is
#   better than the best run of any search with the same features; cross-entropy has 586, CMA-ES has 16. With thirty
#   thousand moves it has 2,973, and the search 1,702.
# - **At a hundred thousand they meet.** Cross-entropy has 2,790. REINFORCE has fallen back to 1,289: its steps have a
#   fixed length, each follows a hundred games, and it wanders. The *mean of all its weights* so far, which costs
#   nothing, is calmer: 2,612. Nobody judged anything for it.
# - **From a million on, searching wins.** Cross-entropy passes 4,000, and goes on to 4,656 (CMA-ES with the same
#   features is level with the mean of REINFORCE's weights at a million, and passes it later). No learner of the chapter
#   comes there within its budget: DPI and CBMPI, at three to ten million, have medians of 2,400 to 3,900, and best runs
#   of 5,000, where the best of the search has 5,451.
# - **At the far end there is only search.** The record of chapter 15 has other features and took billions of moves; its
#   8,372 lines are 1.8 times the best median of the list above. Nobody has tried a learner on that budget, we neither.
#
# So the answer is a curve that crosses another. *Learning from experience overtakes search where moves are dear, and
# is overtaken where they are cheap.* That is chapter 12's verdict with more witnesses, and it makes sense: a learner
# draws something from every move, at the price of assumptions (a gradient, a horizon, values that can be fitted), and
# what it assumes holds it back in the end. A search assumes nothing and needs whole games. In Tetris moves are cheap,
# a million a second. On a robot's arm, or with people who judge each answer, they are not, and there the left end of
# the curve is what counts.
#
# Two warnings belong to it. Features decide more than methods do: REINFORCE with the 21 of Bertsekas and Tsitsiklis
# has 395 lines after a million moves (games that judge it included), where with DT's it has 1,721 after ten thousand,
# and these nine had been chosen by people who knew that a *sum* of them plays well. And all methods ran in the
# settings of their papers or of this library. None was tuned for each budget; a learner whose steps grow shorter
# might keep what it has at thirty thousand moves.
#
# ## What you have learned
#
# - A policy can be learned without values: rollouts teach, a classifier learns, by what each wrong choice *costs*.
#   Approximate policy iteration is quick at first and does not settle.
# - A critic at the end of rollouts helps where they are short. On 4x4 it helps with none or one move and makes no
#   difference that we could show with two or more.
# - On 4x4 the conjecture of CBMPI's authors is a fact: from the same features, policies can be had that the best fit
#   of the best values does not come near.
# - The slope of $\log \pi$ is the features of the move less their mean. Times what followed, and averaged, it is the
#   gradient of the worth of a game, since the change of the visits plays no part at first.
# - A baseline that does not depend on the move changes the noise and not the mean. The natural gradient does not depend
#   on units. With exact gradients it was the quicker one, with a hundred games a step by far the slower.
# - TRPO, PPO, RLHF and GRPO are about noise, about the length of a step, and about who gives the reward.
# - Which is better, learning or searching? It depends on the budget, and on the features. Ask for the curve.
#
# ## Where to go next
#
# - The [exercises](../exercises/14_policies.ipynb): the loss, the slope, REINFORCE and the natural gradient in your own
#   hand, a proof about baselines, a budget to be divided, and a player from a hundred thousand moves.
# - The library: `tetriscourse/mdp/policies/`; begin with `classification.py` and `policy_gradient.py`. `tetriscourse
#   learn --list` names the methods, `tetriscourse learn dpi --seeds 5` repeats a row of the table.
# - [Chapter 15](15_championship.ipynb), the last one: all players, one leaderboard, and a theorem that beats them all.
