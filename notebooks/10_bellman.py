# %% [markdown]
# # 10 Bellman equations and Tetris solved exactly
#
# Dellacherie's player clears millions of lines. Is that good? "Better than the others", we could answer so far, and
# no more. Nobody knows how many lines the best possible player would clear on a full board. On a *small* board we can
# know it, to seven digits, without playing a single game. Then the famous players have to stand beside perfection,
# and we can point at the very move that costs them most. One of these moves is a surprise.
#
# **You will learn**
# - to write a game as a Markov decision process: states, actions, chances, rewards
# - what $V$ and $Q$ are, and the six equations of Bellman that tie them together
# - three ways to solve these equations: sweeps, linear algebra, and better and better policies
# - how far from the truth you can be when you stop, and why there is a best policy at all
# - what the best play of Tetris is worth on 4x4 and on 5x5, exactly
# - how far from it the players of Dellacherie and of Thiery and Scherrer (*DN*) are, and on which boards they lose it
# - why a published figure for 5x5 cannot be what it seems
# - what it is worth to see the next piece, or what is left in the bag, and why the second is hard to say
#
# **You need** [chapter 04](04_evaluation.ipynb): players with weights. [Chapter 05](05_comparing_players.ipynb):
# means and intervals. From mathematics: mean values, and systems of linear equations.
#
# **Time** about {{minutes}} minutes. Solving 5x5 takes some ten seconds and half a gigabyte of memory.

# %%
from dataclasses import replace
from itertools import islice, product

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import HTML, display
from scipy.sparse import eye_array
from scipy.sparse.linalg import spsolve

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.random_numbers import Draws
from tetriscourse.mdp.exact.memoryless import MemorylessPlayer
from tetriscourse.mdp.finite.process import FiniteMDP, chain
from tetriscourse.mdp.finite.solving import evaluate_exactly, improvements, sweeps
from tetriscourse.mdp.finite.worlds import GRIDS, pile
from tetriscourse.widgets import BellmanPanel, WatchPanel

# %% [markdown]
# ## A world of three states
#
# A greedy player takes what looks best now. What else could it do? It could ask what comes *next*. To see how that
# works we begin with a Tetris so small that it can be computed by hand. The pile is *low*, or it is *high*, or the
# game is *lost*. There are two things to do. *Clear* a row at a time, which is fairly safe. Or *wait* for four rows at
# once, which pays more, and which kills you half of the time when the pile is high. Here is the whole world. For each
# state and each action it lists what can happen: (probability, reward, next state).

# %%
world = {
    "low": {"clear": [(0.8, 1, "low"), (0.2, 0, "high")], "wait": [(1.0, 0, "high")]},
    "high": {"clear": [(0.5, 1, "low"), (0.5, 0, "high")], "wait": [(0.5, 4, "low"), (0.5, 0, "lost")]},
    "lost": {},
}

# %% [markdown]
# **Before you go on:** the pile is high. Would you clear or wait? Waiting pays 2 on average, clearing only a half.
#
# Such a thing is called a **Markov decision process**, and it has four parts:
#
# - a set of *states* $s$: here three;
# - a set of *actions* $a$; those that are possible in $s$ form the set $A(s)$. In a *terminal* state there is nothing
#   left to do, and nothing more to earn;
# - the chances $T(s, a, s')$ that action $a$ leads from $s$ to $s'$;
# - the reward $R(s, a)$ that an action earns, on average.
#
# "Markov" is a promise: what happens next depends on the state and the action, and on *nothing else*. How we came to
# the state does not matter. If it does matter, the state was chosen badly, and something has to be added to it. Here
# are the rewards of our world, computed from the list:

# %%
def R(s, a):
    """The mean reward of an action in a state."""
    return sum(p * reward for p, reward, _ in world[s][a])

print({(s, a): R(s, a) for s in world for a in world[s]})

# %% [markdown]
# > **In the paper.** Muller and Ponton 2019, chapter 7 (pages 39 to 43), build the *processus de décision markovien*
# > in this way, with a *fonction de transition* $T$ and a *fonction de récompense* $R$. All equations from (7.1) to
# > (7.9) are theirs, and we keep their numbers. What the report does not have is a single example: the chapter is
# > pure theory, and the next one goes on to Q-learning. The examples here are ours.
#
# ## Policies and returns
#
# A **policy** $\pi$ (*politique*) says what to do: $\pi(a \mid s)$ is the probability that it takes action $a$ in
# state $s$. If that is always 0 or 1, the policy is *deterministic*, like our players with weights. The opposite
# extreme tosses a coin each time:

# %%
coin = {s: {a: 1 / len(world[s]) for a in world[s]} for s in world}
coin

# %% [markdown]
# Once a policy takes the decisions, only chance is left. From $s$ the next state is $s'$ with probability
#
# $$P_\pi(s' \mid s) = \sum_a \pi(a \mid s)\, T(s, a, s'). \tag{7.1}$$
#
# Let us play. The function below follows a policy and writes down the rewards, until the game is lost or 100 steps
# are over.

# %%
def pick(chances, u):
    """One of the (probability, ...) tuples, by a number u between 0 and 1."""
    return next(one for one, total in zip(chances, np.cumsum([p for p, *_ in chances]), strict=True) if u <= total)

def play(pi, s, seed, steps=100):
    """The rewards of a game from state s."""
    rewards, u = [], Draws(10, seed).uniform((steps, 2))
    while world[s] and len(rewards) < steps:
        _, a = pick([(p, a) for a, p in pi[s].items()], u[len(rewards), 0])
        _, reward, s = pick(world[s][a], u[len(rewards), 1])
        rewards.append(reward)
    return rewards

print([play(coin, "low", seed) for seed in range(4)])

# %% [markdown]
# How good is such a game? We could add up the rewards. But a game may be long, even endless, and then the sum may be
# infinite. And a bird in the hand is worth two in the bush. So a reward that comes one step later counts only
# $\gamma$ times, with a **discount** $\gamma$ (*facteur d'actualisation*) between 0 and 1. The discounted sum is
# called the **return** $G$. From time $n$ on it is
#
# $$G_n = R_{n+1} + \gamma R_{n+2} + \gamma^2 R_{n+3} + \dots = R_{n+1} + \gamma\, G_{n+1}. \tag{7.2}$$
#
# The second form is the seed of the whole chapter. *What you get from now on is what you get now, plus $\gamma$ times
# what you get from then on.* It also is the best way to compute a return: from the back.

# %%
gamma = 0.9

def return_of(rewards):
    """The discounted sum, from the last reward to the first."""
    G = 0
    for reward in reversed(rewards):
        G = reward + gamma * G
    return G

print([round(return_of(play(coin, "low", seed)), 3) for seed in range(4)])

# %% [markdown]
# > **In the paper.** Equation (7.2) is printed with a slip: its first form has the exponent $n+1-k$ where $k-n-1$ is
# > meant, so that later rewards would count *more*. The second form on the same line is right.
#
# ## Two questions: V and Q
#
# Games differ by chance, so we ask for means. There are two natural questions, and two functions that answer them:
#
# - "I am in $s$, and I follow $\pi$. What will I get?" That mean return is $V_\pi(s)$, the **value of the state**.
# - "I am in $s$, I take action $a$ now, and follow $\pi$ *afterwards*." That is $Q_\pi(s, a)$, the **value of the
#   action**, equation (7.3) of the report.
#
# We can measure both by playing. Here is the coin's $V$ from 2,000 games each; the error is two standard deviations
# of the mean, as in chapter 05.

# %%
for s in ("low", "high"):
    returns = [return_of(play(coin, s, seed)) for seed in range(2000)]
    print(f"V({s}) = {np.mean(returns):.2f} ± {2 * np.std(returns) / np.sqrt(2000):.2f}")

# %% [markdown]
# Four thousand games, and not even two digits. The equations will give us all the digits for nothing. There are three
# of them, and each is one sentence.
#
# **From Q to V.** Before I decide, I do not know yet which action it will be; so I average over what $\pi$ may do:
#
# $$V_\pi(s) = \sum_a \pi(a \mid s)\, Q_\pi(s, a). \tag{7.4}$$

# %%
def v_from_q(pi, q):
    """(7.4): average over the actions."""
    return {s: sum(p * q[s][a] for a, p in pi[s].items()) for s in world}

# %% [markdown]
# **From V to Q.** After I have decided, I get the reward, and $\gamma$ times what the next state is worth. I do not
# know yet which state it will be; so I average over where the action may lead:
#
# $$Q_\pi(s, a) = R(s, a) + \gamma \sum_{s'} T(s, a, s')\, V_\pi(s'). \tag{7.5}$$

# %%
def q_from_v(v):
    """(7.5): the reward now, and the mean value of what follows."""
    return {s: {a: R(s, a) + gamma * sum(p * v[after] for p, _, after in world[s][a]) for a in world[s]}
            for s in world}

# %% [markdown]
# **Once around.** Put (7.4) into (7.5), and $V$ disappears: what an action is worth follows from what the next
# actions are worth.
#
# $$Q_\pi(s, a) = R(s, a) + \gamma \sum_{s'} T(s, a, s') \sum_{a'} \pi(a' \mid s')\, Q_\pi(s', a'). \tag{7.6}$$
#
# This is *the Bellman equation*, and in Python it is one function after the other. Read it twice: it does not say how
# to get $Q$. It says which $Q$ are *consistent*. Take the values that we have just measured, go once around, and see
# whether you come back to where you started.

# %%
measured = {"low": 3.94, "high": 3.81, "lost": 0}
around = v_from_q(coin, q_from_v(measured))
print({s: round(value, 3) for s, value in around.items()})

# %% [markdown]
# Not quite: both have moved. The true values come back *exactly*; that is how we shall recognise them.
#
# ## Sweep until nothing moves
#
# Here is a bold idea. Begin with any numbers, say 0 everywhere. They are wrong. Go around once; they are still wrong.
# Go on. Each round is called a **sweep**, and to do this is **policy evaluation**. **Before you run the cell:** why
# should wrong numbers become right by being passed around?

# %%
v, history = dict.fromkeys(world, 0.0), []
for _ in range(100):
    history.append([v["low"], v["high"]])
    v = v_from_q(coin, q_from_v(v))
for k in (0, 1, 2, 5, 10, 50, 99):
    print(f"after {k:2} sweeps: V(low) = {history[k][0]:.6f}, V(high) = {history[k][1]:.6f}")

# %% [markdown]
# They do settle. The reason is $\gamma$. Let the largest error in any state be $e$. In (7.5) every value is averaged,
# and an average of errors is at most $e$. Then it is multiplied by $\gamma$. The rewards have no error at all. So
# after a sweep no error exceeds $\gamma e$: with $\gamma = 0.9$ a tenth of the ignorance is gone, whatever it was.
# Twenty-two sweeps gain a digit, at the latest.
#
# And when nothing moves any more, what have we solved? Linear equations! With the policy fixed, write $r$ for its
# mean rewards and $P$ for the chain (7.1). The whole of Bellman's equation is $V = r + \gamma P V$, that is
# $(I - \gamma P) V = r$. Two unknowns, since a lost game is worth 0:

# %%
P = np.array([[0.4, 0.6], [0.5, 0.25]])                # from low and high, to low and high, under the coin
r = np.array([0.5 * R("low", "clear") + 0.5 * R("low", "wait"), 0.5 * R("high", "clear") + 0.5 * R("high", "wait")])
exact = np.linalg.solve(np.eye(2) - gamma * P, r)
print(f"V(low) = {exact[0]:.6f}, V(high) = {exact[1]:.6f}")

# %% [markdown]
# Check one row of $P$ by hand: from *high*, heads is *clear*, half of the time to *low* and half to *high*; tails is
# *wait*, half of the time to *low*, and half of the time it is over. So 0.25 + 0.25 to *low*, 0.25 to *high*, and 0.25
# are lost. (And compare the two values with what 4,000 games had said.) Do these numbers pass the test, and come back
# exactly from a round trip?

# %%
v = dict(zip(world, [*exact.tolist(), 0.0], strict=True))
q = q_from_v(v)
again = q_from_v(v_from_q(coin, q))
print("(7.5) Q =", {(s, a): round(q[s][a], 4) for s in q for a in q[s]})
print("(7.4) V =", {s: round(value, 4) for s, value in v_from_q(coin, q).items()})
print(f"(7.6) moves Q by {max(abs(again[s][a] - q[s][a]) for s in q for a in q[s]):.9f}")

# %% [markdown]
# They do. Look at $Q$ in *high*: waiting pays 2 now, clearing a half, and still clearing is worth a little more, even
# if a coin decides everything afterwards. Now we can see how the sweeps came closer.

# %%
errors = np.abs(np.array(history) - exact).max(axis=1)
plt.figure(figsize=(7, 3))
plt.semilogy(errors, label="largest error")
plt.semilogy(errors[0] * gamma ** np.arange(100), "--", color="#D55E00", label="promised: times 0.9 a sweep")
plt.xlabel("sweep")
plt.ylabel("error of V (log scale)")
plt.legend()
plt.show()
print(f"each sweep leaves {errors[51] / errors[50]:.3f} of the error; promised was at most {gamma}")

# %% [markdown]
# Better than promised, because the coin loses the game now and then: what can still go wrong shrinks with it. Sweeps
# or linear algebra? For two states it hardly matters. For a million states, solving is out of the question unless the
# matrix is very sparse, and a sweep still is nothing but a walk along a list.
#
# ## The best policy
#
# So much for a given policy. Which one is best? In our world there are only four deterministic ones. The library has
# the same world under the name `pile`, and `evaluate_exactly` solves the equations of any policy. **Before you run the
# cell:** could it happen that one policy is best when the pile is low, and another when it is high?

# %%
small = pile(gamma)
for low, high in product((0, 1), repeat=2):
    V = evaluate_exactly(small, [low, high, 0]).V
    print(f"low: {small.actions[low]:5}  high: {small.actions[high]:5}  V(low) = {V[0]:.3f}  V(high) = {V[1]:.3f}")

# %% [markdown]
# The first is best in *both* states. Must that be so? In a larger world one policy might be best here and another one
# there, and a player who remembers the past might beat them all. Neither happens: there always is a policy that is best
# everywhere at once. Its values are called $V_*$ and $Q_*$. Muller and Ponton state this without proof; we shall have
# one in a few pages, as soon as we know how to compute these values.
#
# And did you want to wait? In *high*, waiting pays 2 now and clearing only a half. Yet who always clears gets 6.85 from
# there, and who waits gets 4.62. It is all about $\gamma$. Who hardly cares for tomorrow should grab the four rows.

# %%
discounts = np.arange(0.02, 0.98, 0.02)
names = {(0, 0): "always clear", (0, 1): "wait when high", (1, 0): "wait when low", (1, 1): "always wait"}
curves = {name: [evaluate_exactly(pile(g), [*which, 0]).V[0] for g in discounts] for which, name in names.items()}
plt.figure(figsize=(7, 3.2))
for (name, curve), style in zip(curves.items(), ("-", "--", ":", "-."), strict=True):
    plt.plot(discounts, curve, style, label=name)
plt.yscale("log")
plt.xlabel("discount γ")
plt.ylabel("V(low), log scale")
plt.legend()
plt.show()
careful = np.greater(curves["always clear"], curves["wait when high"])
print(f"'always clear' is ahead of 'wait when high' from γ = {discounts[careful].min():.2f} on")

# %% [markdown]
# Below that discount the daring policy is right, above it the careful one. A discount is not a technical detail. It
# is a taste, and it changes what is best.
#
# ### The equations of the best
#
# Enumerating policies is hopeless as soon as there are more than a few states. But the best values obey equations of
# their own. The best policy takes an action of highest value, so instead of averaging over $\pi$ we take the maximum:
#
# $$V_*(s) = \max_a Q_*(s, a) \tag{7.7}$$

# %%
def best_v_from_q(q):
    """(7.7): the best action; nothing, where there is none."""
    return {s: max(q[s].values(), default=0.0) for s in world}

# %% [markdown]
# What an action is worth, if all is played well afterwards, is (7.5) again, with stars:
#
# $$Q_*(s, a) = R(s, a) + \gamma \sum_{s'} T(s, a, s')\, V_*(s') \tag{7.8}$$
#
# So the same `q_from_v` does it. And once around, from $Q_*$ to $Q_*$, with the reward drawn into the sum (the chances
# add up to 1, so nothing changes):
#
# $$Q_*(s, a) = \sum_{s'} T(s, a, s') \left[ R(s, a) + \gamma \max_{a'} Q_*(s', a') \right] \tag{7.9}$$
#
# These are *Bellman's equations of optimality*. They are no longer linear, because of the maximum, so no matrix will
# solve them. But sweeping does not mind: a maximum of two numbers, each wrong by at most $e$, is wrong by at most
# $e$. The argument with $\gamma$ holds word for word. Sweeping with the maximum is called **value iteration**.

# %%
v = dict.fromkeys(world, 0.0)
for _ in range(200):
    v = best_v_from_q(q_from_v(v))
q = q_from_v(v)
print({s: round(value, 6) for s, value in v.items()})
print({s: max(q[s], key=q[s].get) for s in ("low", "high")})

# %% [markdown]
# The values of the best row in the table above, and its policy: nobody enumerated anything. The three equations hold:

# %%
again = q_from_v(best_v_from_q(q))
print("(7.8) Q =", {(s, a): round(q[s][a], 4) for s in q for a in q[s]})
print("(7.7) V =", {s: round(value, 4) for s, value in best_v_from_q(q).items()})
print(f"(7.9) moves Q by {max(abs(again[s][a] - q[s][a]) for s in q for a in q[s]):.6f}")

# %% [markdown]
# In *high*, clearing is now ahead by far, 6.85 to 5.27: a game that is played well afterwards is worth saving.
#
# Once $Q_*$ is known, the best play needs no looking ahead any more. The *greedy* action for $Q_*$ is the best one. The
# future is in the numbers.
#
# ### When may you stop?
#
# Two hundred sweeps were a guess. You cannot see the error, as you do not know $V_*$. But you can see what the last
# sweep *changed*: at most $\delta$ in any state. Then the next one will change at most $\gamma\delta$, the one after it
# $\gamma^2\delta$, and all sweeps that are still to come, together,
#
# $$\delta\,(\gamma + \gamma^2 + \gamma^3 + \dots) = \frac{\gamma}{1 - \gamma}\,\delta.$$
#
# So no value is further from $V_*$ than that. And the policy that is greedy when you stop? In the last sweep the
# maximum *was* its action, so for its own values the last sweep is the same one. Hence they are within the same bound
# of the same numbers, and the policy falls short of the best by at most twice the bound. `tc.value_iteration` stops
# when the bound is below a tolerance, and tells both: `bound` for the values, `loss` for the policy. Promise against
# truth, on our world and on a grid of 104 cells that you will see in a moment:

# %%
def stopped(name, mdp, *tolerances):
    """Value iteration that stops early: what was promised, and what is true."""
    exact = tc.policy_iteration(mdp).V
    for tolerance in tolerances:
        found = tc.value_iteration(mdp, tolerance)
        error, lost = abs(found.V - exact).max(), (exact - evaluate_exactly(mdp, found.policy).V).max()
        print(f"{name}, {found.sweeps:2} sweeps: wrong by {error:.4f}, at most {found.bound:.4f}; "
              f"the policy loses {lost:.4f}, at most {found.loss:.4f}")

stopped("pile", small, 10, 1, 0.1, 0.01)
stopped("rooms", GRIDS["rooms"].mdp, 10, 1, 0.1, 0.01)

# %% [markdown]
# On the pile the bound is exact to four digits from 18 sweeps on: who always clears never loses the game, and by then
# each sweep adds the same amount everywhere. (After two sweeps it does not yet.) In the rooms most games are over soon,
# and the promise is four to twelve times too careful. And compare the last two columns. After 18 sweeps the values are
# still wrong, but the policy is perfect. It only has to get the *order* of the actions right. It can be wrong, though:
# after two sweeps it loses 4.24.
#
# ### Why there is a best policy
#
# Now for the proof that was promised. Write $BV$ for the values after one sweep with the maximum from $V$. All we need
# is this: if two lists of values differ by at most $d$, then after a sweep they differ by at most $\gamma d$. Averages
# and maxima do not make a difference larger, and $\gamma$ makes it smaller.
#
# 1. *Exactly one list of values solves the equations of the best.* Sweep from anywhere: the changes shrink like
#    $\gamma^k$, so the values settle, and where they settle a sweep moves nothing. Two such lists would differ by some
#    $d$, and also by at most $\gamma d$. So $d = 0$. Call the list $V_*$.
# 2. *A policy attains it.* In each state, take the action with the maximum for $V_*$. An ordinary sweep of this policy
#    does to $V_*$ just what $B$ does: nothing. But only one list of values comes back from the sweeps of a policy (by
#    the argument of 1), and that is the policy's value. So it is $V_*$, in all states at once.
# 3. *Nobody does better*, not even with dice, or with a memory of the whole past. Let a player do what he likes for $n$
#    steps, and then pay him $V_*$ of the state that he is in, and send him home. Whatever he remembers, his last
#    step can bring at most $\max_a Q_*(s, a) = V_*(s)$, because the chances depend on $s$ and $a$ alone. So before that
#    step he was worth at most $V_*$, and before the one before it, and so on back to the start. The payment, and all
#    that he could still have won, count $\gamma^n$ times. Let $n$ grow, and they are gone.
#
# Step 1 first. Two starts that are far apart:

# %%
far = islice(zip(sweeps(small, [100, -50, 0]), sweeps(small, [-80, 60, 0]), strict=True), 100)
apart = [180.0] + [float(abs(V - W).max()) for V, W in far]
print(f"apart: {apart[1]:.1f}, {apart[2]:.1f}, {apart[3]:.1f}, ..., {apart[100]:.4f}")
print(f"no sweep leaves more than {max(np.divide(apart[1:], apart[:-1])):.3f} of the distance")

# %% [markdown]
# And step 3. Give the player a memory: let the state also say what was done last. That makes four states with a choice,
# so there are sixteen policies, most of them of a new kind, such as "on a low pile, do what you did *not* do before".

# %%
def marked(s, last):
    """A state in which the last action is remembered."""
    return f"{s}, {last}" if world[s] else s

table = {marked(s, last): {a: [(p, r, marked(t, a)) for p, r, t in outcomes] for a, outcomes in world[s].items()}
         for s, last in product(world, ("clear", "wait"))}
remembering = FiniteMDP.from_table(table, gamma)
values = [evaluate_exactly(remembering, [*which, 0]).V for which in product((0, 1), repeat=4)]
for s, state in enumerate(remembering.states):
    print(f"{state:11} best of {len(values)} policies: {np.max(values, axis=0)[s]:.6f}")

# %% [markdown]
# The values of the two old states, whatever was done before. In a game that keeps Markov's promise, memory is worth
# nothing. (What if you cannot *see* the state? Then the promise is broken for you, and all changes. We shall meet that
# player near the end.)
#
# ### Better and better policies
#
# There is a third way. Take any policy and evaluate it. Then be greedy for *its* values: in each state take the action
# of highest $Q_\pi$. If that changes nothing, (7.7) holds and you are done. If some action is really better (in a tie,
# keep the old one), the new policy is at least as good everywhere, and better somewhere: that is the *policy
# improvement theorem*. Evaluate the new one, and so on. This is **policy iteration**. From the worst policy of our
# world:

# %%
for V in improvements(small, [1, 1, 0]):
    print(f"V(low) = {V[0]:.3f}  V(high) = {V[1]:.3f}")

# %% [markdown]
# *One* improvement, where value iteration swept two hundred times. It is dearer, though: linear equations instead of a
# walk along a list.
#
# Why is the theorem true? Let the new policy $\pi'$ play, and keep books with the values of the *old* one. Before each
# move, note $V_\pi(s)$. The move brings a reward, and a state that is worth $\gamma V_\pi(s')$: together $Q_\pi(s, a)$
# on average. The surplus $Q_\pi(s, a) - V_\pi(s)$ is called the **advantage** of the move. Along a game all other
# entries cancel, each being noted twice, and only the surpluses are left:
#
# $$V_{\pi'}(\text{start}) - V_\pi(\text{start}) = \sum_s d_{\pi'}(s) \sum_a \pi'(a \mid s) \big( Q_\pi(s, a) -
# V_\pi(s) \big).$$
#
# Here $d_{\pi'}(s)$ counts how often $\pi'$ comes to $s$, a visit after $n$ steps counting $\gamma^n$. This is the
# **performance-difference lemma** (Kakade and Langford 2002). (In an endless game the last entry counts $\gamma^n$ of
# its value, and fades.) A greedy policy has no negative advantage anywhere, so the sum cannot be negative, from
# whatever start. And from a state in which it found something better it is positive, since the start is visited at
# least once. The theorem is proved. Look again at whose things are on the right: *old* advantages, but *new* visits.
# Both sides, from "wait when high" to each of the four policies:

# %%
old = evaluate_exactly(small, [0, 1, 0])
for new in product((0, 1), (0, 1), (0,)):
    d = np.linalg.solve(np.eye(3) - gamma * chain(small, new).toarray().T, [1, 0, 0])
    advantage = (old.Q[range(3), new] - old.V).round(9) + 0.0
    gained = evaluate_exactly(small, new).V[0] - old.V[0]
    words = ", ".join(f"{small.states[s]} {d[s]:.3f} x {advantage[s]:6.3f}" for s in (0, 1))
    print(f"{small.actions[new[0]]:5} {small.actions[new[1]]:5}  {words}  sum {d @ advantage:.4f}, gained {gained:.4f}")

# %% [markdown]
# The second is the old policy itself, with advantages of 0. Of the other three only the first has no negative
# advantage. The lemma holds for the worse ones too: the sum tells how much worse. We shall need it twice more.
#
# See both at work on something larger. The panel shows a grid with a goal and a pit. A step goes where you want with
# probability 0.8, else it slips to a side.
#
# **Try this.**
# 1. Press *Reset*, then *Step* a few times, and watch how far the value of the goal has come after each sweep. Why
#    exactly one cell a sweep?
# 2. Press *Start*. When all is still, set *living cost* to 0, and look at the cell left of the pit. Why would anybody
#    run against a wall?
# 3. Set *living cost* to 1 and look at the cell below the pit. Why would anybody jump?
# 4. Choose *policy iteration*. How many improvements does it need?

# %%
BellmanPanel("corner", steps=3)

# %%
for name, grid in GRIDS.items():
    swept, improved = tc.value_iteration(grid.mdp, tolerance=1e-6).sweeps, len(list(improvements(grid.mdp)))
    print(f"{name:7} {len(grid.mdp.states):3} states: {swept:4} sweeps, or {improved} policies")

# %% [markdown]
# ## Tetris is such a world
#
# Now for the real thing. A state is a board together with the piece to place. An action is a place for it. The reward
# is the number of rows that it clears. Then chance draws the next piece, each with probability 1/7. Everything that
# matters for the future is in the state, so Markov's promise is kept.
#
# What about $\gamma$? We want lines, and a line is a line whether it comes now or later: $\gamma = 1$. Then the
# argument for convergence is gone! And not only the argument. Take a world with one state and two actions: *stay*, for
# nothing, or *leave*, for a loss of 1. Without discount its equation is $V = \max(V, -1)$, and every number from -1 on
# solves it: dream of 1000, and a sweep gives you 1000 back. The library refuses such a game:

# %%
dreams = {"here": {"stay": [(1, 0, "here")], "leave": [(1, -1, "gone")]}, "gone": {}}
try:
    tc.value_iteration(FiniteMDP.from_table(dreams, gamma=1))
except tc.InputError as error:
    print(error)

# %% [markdown]
# What saves us is that *every game of Tetris ends*: sooner or later an unlucky run of pieces comes along that nobody
# survives. What was a factor $\gamma$ becomes the chance to be still alive. Soon we can make that exact.
#
# We take a board of 4x4, and the rules of the research game: a move that sticks out at the top is not possible, and
# who has no move has lost. Its $2^{16} = 65{,}536$ boards are not all needed, only those that can be reached.

# %%
rules = tc.Rules(width=4, height=4)
game = tc.tetris_mdp(rules)
game

# %% [markdown]
# A finite Markov decision process like our three states, only with 18,075 of them, the lost game among them. Let us
# sweep. Beginning with 0 everywhere has a lovely meaning here: after $k$ sweeps, $V$ is what the best play earns in a
# game that is *stopped after $k$ pieces*. **Predict** the first value: how many lines can one piece clear on an empty
# board of four columns, on average?

# %%
best = tc.value_iteration(game.mdp)
by_sweep = [game.value(V) for V in islice(sweeps(game.mdp), 40)]
by_policy = [game.value(V) for V in improvements(game.mdp)]
print("sweeps:  ", ", ".join(f"{value:.4f}" for value in by_sweep[:6]), "...")
print("policies:", ", ".join(f"{value:.4f}" for value in by_policy))
print(f"the best play of 4x4 is worth {game.value(best.V):.6f} lines a game")

# %% [markdown]
# One seventh: only the I fills a row of four, and it comes in one of seven games. And here is our first exact answer.
# *No player whatsoever, however clever, clears more than 7.066942 lines a game on 4x4, on average; and there is one
# that does.* We have not played a single game of Tetris for it.
#
# "No player whatsoever" is a strong word without a discount. It rests on one more list of values. Let every move pay 1,
# and let $W(s)$ be the best that one can get: the mean length of the *longest* game. After any move there are at most
# $W(s) - 1$ moves left on average. So if two lists of values differ by at most $d\,W(s)$ in every state, then after a
# sweep they differ by at most $d\,(W(s) - 1)$. That is less, by a factor of $1 - 1/\max W$ or better, and this factor
# does in steps 1 and 2 of the proof what $\gamma$ did. In step 3 the payment does not fade, but after $n$ moves a game
# is still going on with a probability of at most $W/n$, which fades as well. All that is needed is a finite $W$ with
# $W(s) \ge 1 + \sum_{s'} T(s, a, s')\, W(s')$ for every action. Here it is, and a sweep that does not move it:

# %%
clock = replace(game.mdp, R=np.where(game.mdp.terminal[:, None], 0.0, 1.0 * game.mdp.allowed))
W = tc.policy_iteration(clock).V
print(f"the longest game takes {game.value(W):.2f} pieces on average, and {W.max():.2f} from the best position")
print("a sweep moves W:", bool(abs(next(sweeps(clock, W)) - W).max() > 1e-9))
stopped("4x4", game.mdp, 10, 1, 0.1)

# %% [markdown]
# (Bertsekas and Tsitsiklis call a policy *proper* if it is sure to come to an end. In Tetris all are, and that is what
# we used.) In the bound for stopping, $\max W - 1$ stands for $\gamma / (1 - \gamma)$, and it errs by less than a
# factor of two. Now look at the sweeps and the policies in a picture:

# %%
plt.figure(figsize=(7, 3))
plt.plot(range(1, 41), by_sweep, "o", markersize=3, label="value iteration")
plt.plot(range(1, len(by_policy) + 1), by_policy, "s-", color="#D55E00", label="policy iteration")
plt.axhline(game.value(best.V), color="black", linewidth=0.8, label="exact")
plt.xlabel("sweep, or policy")
plt.ylabel("lines a game")
plt.legend()
plt.show()

# %% [markdown]
# Policy iteration started from the silliest player there is, the one that always takes the *first* move in the list:
# 1.48 lines. Its first improvement has 5.15. The second has 7.0623 and the third is perfect, up to four digits. Keep
# that in mind; we shall improve a better player in a moment.
#
# ### Less work: the value of a board
#
# The piece in the state is a luxury. What a move leaves behind is a board, and chance has not drawn yet. So ask for
# the value of the *board before the piece is known*. For each piece take the best move, then average over the pieces:
#
# $$V(\text{board}) = \frac{1}{7} \sum_{\text{pieces}}\; \max_{\text{moves}} \big( \text{rows cleared} +
# V(\text{board after the move}) \big)$$
#
# A piece for which there is no move contributes 0. This is (7.7) and (7.8) in one line, with seven times fewer
# unknowns. `tc.solve` does exactly this, compiled, with boards as numbers, and with a board and its mirror image
# counted once (what it prints is the number of all of them).

# %%
four = tc.solve(rules, progress=False)
four

# %%
for name, piece in tc.PIECES.items():
    move, worth = four.ranked(rules.empty_board(), piece)[0]
    print(f"{name}: {worth:.4f} by {move}")

# %% [markdown]
# The mean of these seven numbers is 7.0669, as it must be. An I is worth 8.07: one row, and an empty board again. The
# worst beginning is not S or Z but the T. And look twice at what it does with J and L: it stands them *upright*, and
# likes the result better than an empty board.
#
# **A question before the next cell.** Which board of 4x4 is worth most? The empty one, surely?

# %%
def boards_in_a_row(boards, captions):
    """Boards side by side, each with words below."""
    cards = [f'<div style="margin-right:24px">{board.picture(16)}<br>{text}</div>' for board, text in
             zip(boards, captions, strict=True)]
    return HTML(f'<div style="display:flex;flex-wrap:wrap;align-items:flex-end">{"".join(cards)}</div>')

boards = [tc.Board.from_bits(bits, 4, 4) for bits in four.boards.boards.tolist()]
ranked = sorted(boards, key=four.value, reverse=True)[:7]
boards_in_a_row(ranked, [f"{four.value(board):.4f}" for board in ranked])

# %% [markdown]
# The empty board comes seventh! Six boards (and their mirror images) are *better than empty*. Each holds part of a
# row, already paid for by pieces that are gone, and still has room for everything. Even the third, with eight cells
# full, is worth more than the empty board. No sum of holes and heights would say that.

# %%
facts = np.array([(four.value(board), board.full.sum(), board.heights.sum()) for board in boards])
plt.figure(figsize=(7, 3.2))
for shift, cells, mark in ((-0.2, 4, "o"), (0, 8, "s"), (0.2, 12, "^")):
    value, full, heights = facts[facts[:, 1] == cells].T
    plt.plot(heights - full + shift, value, mark, markersize=4, alpha=0.5, label=f"{cells} full cells")
plt.axhline(four.start, color="black", linestyle="--", linewidth=0.8, label="the empty board")
plt.xlabel("holes")
plt.ylabel("value of the board, in lines")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
for holes in range(5):
    value = facts[facts[:, 2] - facts[:, 1] == holes, 0]
    spread = f"worth {value.min():.2f} to {value.max():.2f}, half of them below {np.median(value):.2f}"
    print(f"{holes} holes: {len(value):3} boards, {spread}")

# %% [markdown]
# (These are the 800 boards on which some piece still has a move, mirror images counted once. A piece has four cells and
# a row has four, so only 0, 4, 8 or 12 cells can be full.) Holes matter, as everybody thought: the cloud falls to the
# right. But a board without a single hole may be worth 7.74 lines or 0.23, and there are boards with three holes that
# are worth more than half of those with none. A handful of features can hardly tell them apart. Here we need none: we
# have a number for each board.
#
# ## How far are the champions?
#
# A player with weights, or a filter, is a policy. So its value obeys (7.6), and `tc.exact_value` solves that for the
# boards which the player can come to. No games, no interval, no luck. We let six published players stand beside the
# optimum. (You know *dn* from chapter 05 and *el-tetris* from 04; *dt-20* is the brother of chapter 04's *dt-10*.)

# %%
names = ["dt-20", "dellacherie", "el-tetris", "dn", "tetrisbot", "filter-bumpiness"]
values = {name: tc.exact_value(tc.PLAYERS[name], rules, progress=False).start for name in names}
for name, value in values.items():
    print(f"{name:17} {value:.4f} lines, {value / four.start:.1%} of the best")

# %%
plt.figure(figsize=(7, 2.6))
plt.barh(names[::-1], [values[name] for name in names[::-1]], color="#0072B2")
plt.axvline(four.start, color="#D55E00", linestyle="--", label=f"best possible: {four.start:.4f}")
plt.xlabel("exact lines a game on 4x4")
plt.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %% [markdown]
# Does that agree with chapter 05's way, playing? Dellacherie's player, 40,000 games:

# %%
print(tc.simulate(tc.PLAYERS["dellacherie"], rules, games=40_000, seed=10, progress=False))

# %% [markdown]
# It does, with two digits where the equations give as many as we like. The verdict is mixed. The champions of the
# large board make three quarters to four fifths of what is possible on this one, and the filter two thirds. That is
# not fair to them, of course: they were made for larger boards, where there is room, and where good play looks
# different. But *what* do they do wrong?
#
# ## Where the lines are lost
#
# Put an accountant beside the player. Before each move he notes what the state is worth *under best play*, that is
# $V_*$. After the move he notes what is left, plus the rows that were cleared: that is $Q_*(s, a)$. The difference is
#
# $$\text{regret}(s, a) = V_*(s) - Q_*(s, a) \ge 0,$$
#
# what this one decision has cost. The piece that is drawn next moves the books up or down too, but its mean is zero;
# that is what (7.8) says. At the end of the game the books stand at 0. So the regrets of a game add up, on average,
# to exactly what the player falls short of the best:
#
# $$V_*(\text{start}) - V_\pi(\text{start}) = \sum_s (\text{mean visits of } s \text{ in a game}) \times
# \text{regret}(s, \pi(s)).$$
#
# We need the player as a policy: the number of its move in each state that it can come to.

# %%
def policy_of(player):
    """The number of the player's move in every state that it can come to; elsewhere 0."""
    policy = np.zeros(len(game.mdp.states), int)
    met = set(tc.exact_value(player, rules, progress=False).boards.boards.tolist())
    for (board, piece, *_), s in game.states.items():
        if board.bits in met and game.moves[s]:
            policy[s] = game.moves[s].index(player.choose(board, rules.pieces[piece], None, rules))
    return policy

dellacherie = policy_of(tc.PLAYERS["dellacherie"])

# %% [markdown]
# The mean visits $d$ obey a linear equation as well: a state is visited as the start, or after another one, $d =
# \text{start} + P^T d$. State number 0, the lost game, is left out.

# %%
def visits(policy):
    """How often a game comes to each state, on average."""
    inner = chain(game.mdp, policy)[1:, 1:]
    return np.append(0, spsolve((eye_array(inner.shape[0]) - inner.T).tocsc(), game.start[1:]))

d = visits(dellacherie)
regret = best.V - best.Q[np.arange(len(d)), dellacherie]
print(f"missing: {game.value(best.V) - values['dellacherie']:.6f} lines a game; "
      f"visits times regret: {d @ regret:.6f}")

# %% [markdown]
# The books balance. (You have seen them before: it is the performance-difference lemma, with the best policy as the old
# one, Dellacherie as the new one, and no discount.) **Guess:** of the roughly eight decisions of a game, how many are
# mistakes? And how many *different* positions make up half of the damage? (The last state of a game has no move:
# nothing is decided there.)

# %%
wrong = regret > 1e-6
decided = np.array([len(moves) > 0 for moves in game.moves])
loss = d * regret
worst = np.argsort(-loss)
print(f"{d[decided].sum():.2f} decisions a game, {d[wrong].sum() / d[decided].sum():.1%} of them mistakes")
print("share of the damage done in the worst 1, 2, 5, 20 positions:",
      *(f"{loss[worst[:k]].sum() / loss.sum():.0%}" for k in (1, 2, 5, 20)))

# %% [markdown]
# Five decisions of six are perfect. And *one single position* does half of the damage. Here are the worst three: the
# board before the move (below it the piece, and how often a game comes there), the board after Dellacherie's move, and
# the board after the best one.

# %%
def shown(s, policy):
    """A position, what the policy does there, and what would be best."""
    board, piece, *_ = list(game.states)[s - 1]
    his, top = game.moves[s][policy[s]], game.moves[s][best.policy[s]]
    words = f"{rules.pieces[piece].name}, {d[s]:.2f} a game", f"regret {regret[s]:.2f}", "best move"
    return boards_in_a_row([board, his.after, top.after], words)

display(*(shown(s, dellacherie) for s in worst[:3]))

# %% [markdown]
# The worst mistake is the very *first move*, with a Z. Dellacherie stands it upright in the left corner, with a hole
# below, and that costs 3.74 lines, more than half the game. The second is an S on the empty board, upright in the left
# corner as well, and *that* costs only 0.74. In the mirror a Z is an S. So with the Z in the other corner he would have
# lost 0.74, not 3.74. Why does he not see it?

# %%
for move, worth in four.ranked(rules.empty_board(), tc.PIECES["Z"]):
    print(f"worth {worth:.4f}   Dellacherie {tc.PLAYERS['dellacherie'].value(move):6.1f}   {move}")

# %% [markdown]
# There it is. To Dellacherie's six features the two corners are *exactly equal*, -22 each. In a tie the first move of
# the list is taken, and the list begins on the left. For the S the left corner is the better one, for the Z the
# worse one. The largest mistake of a famous player is a coin that always falls on the same side.
#
# Could a hair's breadth cure it? We add the bumpiness, with a thousandth of the weight that the other features have,
# so that it speaks only when the six are level:

# %%
names = [feature.name for feature in tc.PLAYERS["dellacherie"].features.features]
for weight in (-0.001, 0, 0.001):
    twin = tc.Player([*names, "bumpiness"], [-1, 1, -1, -1, -4, -1, weight])
    print(f"bumpiness {weight:6}: {tc.exact_value(twin, rules, progress=False).start:.4f} lines")

# %% [markdown]
# A thousandth of a weight is worth 0.42 lines a game, from 78 to 84 per cent of the best; with the wrong sign it costs
# almost as much. Note that 0.42 is less than the 0.63 that our accounts promise for this one move (3.74 less 0.74,
# times the visits of the position). The accounts are kept for somebody who plays on *perfectly*. Dellacherie plays on
# as Dellacherie, and finds new mistakes on the new boards.
#
# DN, the player of Thiery and Scherrer with two more features, falls into the same trap:

# %%
dn = policy_of(tc.PLAYERS["dn"])
d, regret = visits(dn), best.V - best.Q[np.arange(len(dn)), dn]
worst = np.argsort(-d * regret)
print(f"DN misses {d @ regret:.4f} lines; its worst position makes up {(d * regret).max() / (d @ regret):.0%}")
display(shown(worst[0], dn), shown(worst[4], dn))

# %% [markdown]
# The second picture is another kind of mistake: a neat block without a hole, and beside it a well three deep. Four of
# the seven pieces find no place on that board, and end the game. The best move accepts a hole, and after it every piece
# but the S completes a row. On a board of four rows, neatness is a luxury.
#
# Watch the optimal player itself. The table beside the board shows what every move is worth, in lines.
#
# **Try this.** Step through the game. Before each move, choose your own, then look at the table: what would yours have
# cost? How often is the best move one that you would have called ugly?

# %%
WatchPanel(four.player(), rules=rules, seed=12)

# %% [markdown]
# ### One improvement
#
# Policy iteration can start anywhere. What if it starts with Dellacherie?

# %%
for step, V in enumerate(improvements(game.mdp, dellacherie)):
    print(f"improvement {step}: {game.value(V):.4f} lines, {game.value(V) / four.start:.2%} of the best")

# %% [markdown]
# **One** step takes him from 78 to over 99 per cent: look one move ahead, and judge the board after it by what *you
# yourself* would still earn from there, rather than by its holes. (In the states that he never meets, the policy above
# takes the first move, a poor guess of what he would do there. It makes no difference to his own value.) On a large
# board we cannot compute the values, but we can *play* a few games from each board and take their mean. That is called
# a *rollout*, and it has made good players of simple ones in many games; [chapter 13](13_looking_ahead.ipynb) does it.
#
# ## 5x5, and a published figure
#
# The board that was solved before us is 5x5. Six million boards: that is a walk of some ten seconds.

# %%
five = tc.solve(tc.Rules(width=5, height=5), progress=False)
five

# %% [markdown]
# > **In the paper.** Boumaza 2013, section 4.4, reports that Thiery and Scherrer computed the optimal policy for 5x5 by
# > value iteration, and that it cleared $13.8 \pm 0.6\,\%$ lines a game in 100,000 games. His own players, with
# > weights learned by CMA-ES (chapter 09), cleared 13.84 with DN's eight features and 13.30 with Dellacherie's six.
# > He concludes that learned players are "very close to the optimal player".
#
# Compare. The exact value is 13.7016, and $13.8 \pm 0.6\,\%$ reaches from 13.72 to 13.88. A near miss, and there is an
# innocent explanation: 13.8 has been rounded, from anything between 13.75 and 13.85, and with 13.75 the interval holds
# our value. But look at the other figure. A player with eight weights clears *13.84*, more than the *best possible*
# play. If both played the same game, that is nonsense. So did they? We let CMA-ES learn weights for the same eight
# features, 20 runs, in two games that differ in one line of small print: what if a piece sticks out at the top, but
# the rows that it completes bring it down again? (`tetriscourse train boumaza-5x5-dn`, and the same with `-after`.)

# %%
after = tc.Rules(width=5, height=5, game_over="overflow-after-clearing")
for name, small_print in (("boumaza-5x5-dn", five.rules), ("boumaza-5x5-dn-after", after)):
    learned = tc.Player("dn", tc.stored_result(name)["weights"], name="learned")
    print(tc.simulate(learned, small_print, games=40_000, seed=2026, progress=False))

# %% [markdown]
# In the first game, that of the research papers, the learned player is far from 13.84. In the second it is just there.
# The optimum of that second game takes a minute and 14.6 million boards: it is 16.7416 (`tetriscourse solve --width 5
# --height 5 --game-over overflow-after-clearing`). Here are all the figures on one axis:

# %%
first, later = (tc.stored_result(f"boumaza-5x5-dn{which}")["judged"][0]["mean"] for which in ("", "-after"))
figures = {
    "learned, rows first": later, "optimal, rows first": 16.7416, "learned, overflow first": first,
    "optimal, overflow first": five.start, "learned, published": 13.84, "optimal, published": 13.8,
}
_, axes = plt.subplots(figsize=(7, 2.8))
for row, (mean, colour) in enumerate(zip(figures.values(), "bbggrr", strict=True)):
    axes.plot(mean, row, "os"[row % 2], color={"b": "#0072B2", "g": "#009E73", "r": "#D55E00"}[colour])
axes.set_yticks(range(6), figures)
axes.set(xlabel="lines a game on 5x5", xlim=(10, 18))
axes.grid(alpha=0.3)
plt.show()
print(f"learned / optimal: {first / five.start:.1%} with overflow first, {later / 16.7416:.1%} with rows first")

# %% [markdown]
# The picture suggests what happened. The *optimal* 13.8 belongs to the game in which overflow counts first, and the
# *learned* 13.84 to the one in which rows are cleared first. (The six features fit less well: with rows cleared first
# we get 13.63 where 13.30 was published, and with overflow first 11.06; nearer, and not the same.) If so, two numbers
# from two games met in one sentence, agreed by accident, and told a story: learned players are almost optimal. They are
# not. In either game, eight features make four fifths of what is possible. We cannot know what the programs of 2013
# did. But no program can beat 13.7016 in the game that the paper describes, except by luck; that is a theorem, and it
# took ten seconds.
#
# And our two champions on 5x5? Their exact values take half a minute, so they are quoted: 10.9184 for Dellacherie,
# 79.7 % of the best, and 10.8825 for DN, 79.4 % (`tetriscourse solve --width 5 --height 5 --player dellacherie
# --player dn`). The first moves are quickly checked. Which pieces cost something on the empty board?

# %%
for name, piece in tc.PIECES.items():
    first = [tc.PLAYERS[who].choose(five.rules.empty_board(), piece, None, five.rules) for who in ("dellacherie", "dn")]
    print(name, "regret of the first move:", *(f"{five.regret(move):.4f}" for move in first))

# %% [markdown]
# The same story, and this time it is the S that falls on the wrong side: almost two lines, in one game of seven. Lying
# in the left corner or in the right one is all the same to both players, and not to the S. On a wide board such a slip
# is soon forgotten; on five columns it is not.
#
# ## What is it worth to know more?
#
# The equations do not care what a state is. Let it contain the *next* piece, or what is left in a *bag* of seven, and
# solve again. **Guess** first: how many of the 7.07 lines on 4x4 does each add?

# %%
for known in (tc.Rules(4, 4, draw="bag"), tc.Rules(4, 4, pieces_known=2)):
    print(tc.solve(known, progress=False))

# %% [markdown]
# To *see* one piece more nearly doubles the score of the best player. And the bag? 7.42 against 7.07 looks like a small
# gift. But a bag is another game. What is it worth to *know*, in that game, what is left in the bag? We need somebody
# who plays it well and sees the board and the piece, no more. The first who comes to mind is the best player for
# independent pieces:

# %%
class Blind:
    """The best player for independent pieces, whatever the pieces are."""
    def choose(self, board, piece, next_piece=None, rules=None, chance=None):
        return four.player().choose(board, piece)

bag = tc.Rules(4, 4, draw="bag")
blind = tc.exact_value(Blind(), bag, progress=False).start
print(f"the best player for independent pieces, with a bag: {blind:.4f} lines")

# %% [markdown]
# So to know the bag is worth $7.42 - 5.91$, a line and a half? **Before you read on:** what is wrong with that?
#
# This player is the best of *another game*. That he does not see the bag is one of his troubles. The other is that he
# does not know there is one. Somebody else may see as little as he does, and still be at home with bags.
#
# How do we find the best of them? What such a player sees, a *sight*, stands for up to 64 states of the game, one for
# each bag that holds the piece, and he must do the same in all of them. Which move is best for all of them together?
# That depends on how often each is behind the sight, and so on how he plays himself. It is the warning of the lemma:
# the visits are those of the *new* policy. With states in sight the warning is harmless, since no advantage of a greedy
# policy is negative. Here a move has a positive advantage with some bags and a negative one with others, and a policy
# that looks better over the old visits may come out worse. Sweeps and policy iteration have nothing to hold on to. The
# game has become a *partially observable* process, and to find its best policy without memory is intractable in
# general (Littman 1994). So we come from both sides.
#
# *From below*, we search. Begin with a policy of dice. Value it exactly, then raise the chance of each move by its mean
# advantage over the policy's own visits of the sight; a hundred times. Take the likeliest move in each sight. In the
# two best policies, go on changing single moves as long as a promising change helps. Whatever comes out is a policy,
# its value is exact, and the best one can be worth no less. (`python tests/benchmarks/memoryless_figures.py`; the
# library's `mdp/exact/memoryless.py` is the search.)

# %%
searched = stored_table("memoryless")
searched

# %%
found = next(row for row in searched.rows if "moves" in row)
memoryless = tc.exact_value(MemorylessPlayer.from_list(found["moves"]), bag, progress=False).start
print(f"sees board and piece: at least {memoryless:.4f} lines, {memoryless - blind:.4f} more than the first try")

# %% [markdown]
# *From above*, we are generous. Let the player see the bag, except in some sights, where one move is prescribed to him.
# That game has states again, and is solved exactly. Do it for every way to prescribe moves in these sights: the best of
# all these games is a bound for everybody who has one move for each sight, as he is among those who were prescribed
# *his* moves, and to see the bag elsewhere does him no harm. With each further sight the bound comes down, and the
# cases multiply (*branch and bound*):

# %%
bounded = stored_table("memoryless-bound")
bounded

# %%
most = tc.solve(bag, progress=False).start
above = bounded.rows[-1]["bound"]
print(f"to know the bag is worth {most - above:.3f} to {most - memoryless:.3f} lines a game")

# %% [markdown]
# So the answer is less than one line, and not a line and a half. Where in this range it lies, we do not know. The
# search ended within about a hundredth of a line from every start, so one may *guess* that not much is missing from
# below. But a search that finds nothing better proves nothing. For the same reason we cannot say whether a bag makes
# the game harder for a player who does not see it. Every S and Z comes for certain then, and the best policy that we
# have found makes 6.44 lines, against 7.07 without a bag; but the bound, 7.14, leaves both answers open.
#
# And a player without memory may also throw dice. There are processes in which he should (Singh, Jaakkola and Jordan
# 1994). In ours the search began with dice; where it ended, they were never a ten-thousandth of a line better than the
# likeliest moves, and never better than the best policy of the table. The bound from above does not hold for dice,
# though: for them 7.42 is all we can say.
#
# A player who sees as little, but *remembers* the pieces since the last refill, knows the bag: he has 7.42. When the
# state was in sight, memory was worth nothing; now it is worth all that we have just tried to measure. And a table of
# scores without the rules beside it means little (chapter 05).
#
# ## The wall
#
# Why stop at 5x5? Because of the number of boards. These were counted by solving (`python
# tests/benchmarks/exact_figures.py --larger`):

# %%
counted = {"4x4": 2_582, "4x5": 37_427, "5x4": 218_218, "4x6": 501_849, "5x5": 6_437_226, "4x7": 7_089_581}
for size, count in counted.items():
    width, height = map(int, size.split("x"))
    print(f"{size}: {count:9,} boards, {count / 2 ** (width * height):6.2%} of 2^{width * height}")
try:
    tc.solve(tc.Rules())
except tc.InputError as error:
    print(error)

# %% [markdown]
# Every further cell all but doubles the work. On 10x20 there are some $10^{59}$ boards, and no machine will ever walk
# along that list. That is the *curse of dimensionality*, a word of Bellman's own. The equations are as true there as
# on 4x4. Only we cannot write down their unknowns. From here two roads lead on. One gives up the list and keeps only
# what was met while playing, and learns from that without knowing $T$ at all. The other replaces the list by a
# function with a few thousand parameters. The next two chapters take them.
#
# ## What you have learned
#
# - A Markov decision process is states, actions, chances and rewards; a policy makes it a chain. What matters of the
#   past must be in the state.
# - $V$ averages over actions (7.4), $Q$ over what follows (7.5), and once around is Bellman's equation (7.6). For the
#   best policy the average over actions becomes a maximum: (7.7) to (7.9).
# - Sweeps shrink every error by $\gamma$, so there is one list of best values, a policy that has them, and no player
#   who has more. The last change tells how far you can be from them when you stop. Without a discount all this needs
#   games that end.
# - Linear algebra evaluates a policy at once; policy iteration improves it, in very few steps. A change of policy gains
#   its advantages over the old one, summed over its own visits: the performance-difference lemma.
# - Best play is worth 7.0669 lines on 4x4 and 13.7016 on 5x5. The champions of the large board make three quarters to
#   four fifths of that.
# - Regrets, weighted by visits, add up to exactly what a player misses. Much of it may sit in a single move, even in a
#   tie.
# - Who does not see the state has no equation of his own. His best value can only be bounded: from below by a policy,
#   from above by a player who sees more.
# - An exact value catches what no interval can: a published mean above the best possible one.
#
# ## Where to go next
#
# - The [exercises](../exercises/10_bellman.ipynb): write one step of looking ahead (a *backup*), the evaluation and
#   value iteration yourself, value a board of Tetris, find weights that come as close to perfection as you can, prove
#   what it costs to be a little wrong about the future, and solve hidden worlds with few backups.
# - [Chapter 11](11_q_learning.ipynb) throws away the list of all boards and learns from playing: Q-learning. In
#   [chapter 12](12_deep_q.ipynb) a function takes the place of the list. [Chapter 13](13_looking_ahead.ipynb) plays the
#   rollouts of *One improvement* on larger boards, and [chapter 14](14_policies.ipynb) makes policy iteration out of
#   them.
