# %% [markdown]
# # Tetris for Gymnasium
#
# The learners of this course are written out in full, so that you can read them. There are others, in libraries with
# thousands of users, and nearly all of them speak one language: Gymnasium's. An *environment* has `reset` and `step`,
# says what can be seen and what can be done, and whoever learns needs to know nothing else. This page teaches the
# compiled game that language, so that you can let any learner you like play Tetris, and compare it fairly with the
# players of the course.
#
# **You will learn**
# - to play one game, and a thousand at once, through `gymnasium.make` and `gymnasium.make_vec`
# - what a mask of actions is, and why a learner of Tetris wants one
# - how a published player becomes three lines of numpy in this environment, with exactly the games of `simulate`
# - why the games that end first are not a fair sample
# - what a learner off the shelf, MaskablePPO, makes of Tetris on 5x5, beside the best possible play
#
# **You need** chapters [04](04_evaluation.ipynb) and [05](05_comparing_players.ipynb) for players and their means, and
# [11](11_q_learning.ipynb) for states, actions and rewards. Gymnasium itself comes with
# `pip install "tetriscourse[gym]"`.
#
# **Time** about {{minutes}} minutes.

# %%
import numpy as np
import tetriscourse as tc
import tetriscourse.gym  # says what to install if Gymnasium is missing
import gymnasium

# %% [markdown]
# ## One game
#
# Importing `tetriscourse.gym` tells Gymnasium a name, `tetriscourse/Tetris-v0`. Everything else is an argument. `rules`
# takes what every function of this library takes: a `Rules`, a name such as `"tetrisbot"`, or a size.

# %%
env = gymnasium.make("tetriscourse/Tetris-v0", rules="10x10", actions="placements", render_mode="ansi")
seen, info = env.reset(seed=1)
print(env.render())

# %% [markdown]
# `reset` begins an episode, which is a game. It returns what is *seen*, and an `info` for those who want to know more.
# What is seen are arrays: the cells, with row 0 at the bottom as in `Board.cells`, and two numbers, that of the piece
# and that of the next one.

# %%
print(*(f"{name}: {np.shape(array)}" for name, array in seen.items()))
print(tc.RULES["10x10"].pieces[seen["piece"]], "comes now,", tc.RULES["10x10"].pieces[seen["next_piece"]], "is next")

# %% [markdown]
# An action is one number, `orientation * width + column`. There are 40 of them, since some pieces have four
# orientations and the board has ten columns. Not all make sense: this piece has no place in the last column, because it
# is wider than that. Which do is told by the *mask*.

# %%
mask = info["action_mask"]
print(f"{mask.sum()} of {mask.size} actions are possible, and", *np.flatnonzero(~mask), "are not")

# %% [markdown]
# An action that is not possible costs nothing. It is ignored, which `info["illegal"]` tells; with `illegal="error"` it
# is refused, with a message that names the possible ones. A step returns five things: what is seen now, the reward,
# whether the game is lost (*terminated*), whether it was cut off (*truncated*), and the info.

# %%
seen, reward, terminated, truncated, info = env.step(39)
print(reward, terminated, truncated, info["illegal"], info["pieces"])

# %%
seen, reward, terminated, truncated, info = env.step(3)
print(reward, terminated, truncated, info["illegal"], info["pieces"])

# %% [markdown]
# ## A random player
#
# The simplest player takes any possible action. `sample_legal` draws one; the generator is that of the action space, as
# everywhere in Gymnasium, so that is what has to be seeded.

# %%
def random_game(env, seed=None):
    """The lines of a game with random placements."""
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(env.unwrapped.sample_legal())
        over = terminated or truncated
    return info["lines"]


env.action_space.seed(1)
lines = [random_game(env, seed=1)] + [random_game(env) for _ in range(99)]
print(f"{np.mean(lines):.2f} lines in the mean of {len(lines)} games, {max(lines)} at most")

# %% [markdown]
# That is how badly chance plays: chapter [02](02_engine_and_agents.ipynb) has more of it. Note the seed.
# `reset(seed=1)` begins game 0 of seed 1, and each `reset()` after it the next game. Their pieces are those that every
# player of this library meets in game 0, 1, 2, ... of seed 1.

# %%
print(tc.PieceSequence("10x10", seed=1, game=0))

# %% [markdown]
# ## A greedy player
#
# With `observation="features"` the environment looks ahead by one move, as the players of chapter 04 do: it shows a row
# of features for each action, those of the move that the action makes. (With `actions="commands"`, where an action is a
# key and not a move, it shows the features of the board instead.) A player with weights then is a product of a matrix
# and a vector, and the mask keeps it from the impossible.

# %%
rules, player = tc.Rules(10, 10, max_pieces=1000), tc.PLAYERS["dn"]
env = gymnasium.make("tetriscourse/Tetris-v0", rules=rules, observation="features", features="dn")


def greedy(seen, mask):
    """The possible action of the highest value; the first of equal ones."""
    values = seen @ np.array(player.integers, float)
    return np.where(mask, values, -np.inf).argmax(axis=-1)


# %% [markdown]
# (`integers` are the weights in fixed point, as the simulator adds them up: then equal moves are exactly equal.)

# %%
seen, info = env.reset(seed=2026)
terminated = truncated = False
while not (terminated or truncated):
    seen, _, terminated, truncated, info = env.step(greedy(seen, info["action_mask"]))
print(info["lines"], "lines,", info["pieces"], "pieces")

# %% [markdown]
# The simulator knows the same player and the same game:

# %%
scores = tc.simulate(player, rules, games=1, seed=2026, progress=False)
print(scores.lines[0], "lines,", scores.pieces[0], "pieces")

# %% [markdown]
# ## A thousand games at once
#
# A learner with a network wants many states in one array. `make_vec` gives it a *vector environment*: the same two
# methods, and an axis more. Here all games are stepped by one call of compiled code, which makes it some sixty times as
# fast as one game after another; the [results](results.ipynb) have the figures.

# %%
envs = gymnasium.make_vec("tetriscourse/Tetris-v0", num_envs=1024, rules="5x5", observation="features", features="dn")
seen, infos = envs.reset(seed=2026)
print(seen.shape, infos["action_mask"].shape)

# %% [markdown]
# Of these games, number i plays game i of the seed, then i + 1,024, and so on: no game is played twice. When a game is
# over, the next `step` ignores its action and begins its next game (Gymnasium calls this `NextStep`; the other habit,
# `autoreset_mode="SameStep"`, is there as well). The greedy player needs no change. Fifty placements in each game, on a
# board that is so small that games are short:

# %%
ended, first = [], np.full(envs.num_envs, -1)
for _ in range(50):
    seen, _, terminated, truncated, infos = envs.step(greedy(seen, infos["action_mask"]))
    over = terminated | truncated
    ended += infos["lines"][over].tolist()
    first = np.where(over & (first < 0), infos["lines"], first)
print(f"{len(ended)} games are over, with {np.mean(ended):.2f} lines in the mean")

# %% [markdown]
# Is this the mean of the player? Far from it. In fifty steps short games end, and some begin anew and end again; long
# ones are still going on, and they are the ones with many lines. To be fair, fix the games first and play each of them
# to its end: the first game of each of the 1,024.

# %%
while (first < 0).any():
    seen, _, terminated, truncated, infos = envs.step(greedy(seen, infos["action_mask"]))
    first = np.where((terminated | truncated) & (first < 0), infos["lines"], first)
print(f"{first.mean():.2f} lines in the mean of the {len(first)} first games")

# %% [markdown]
# And once more, the simulator agrees to the last game:

# %%
print((tc.simulate(player, "5x5", games=1024, seed=2026, progress=False).lines == first).all())

# %% [markdown]
# Learning curves that average "the last hundred episodes" of many games at once have this bias, most of all at the
# beginning of a run. It takes one line more to avoid it.
#
# ## A learner off the shelf
#
# Proximal policy optimisation, PPO, is what many people try first. A network gives a probability to each action;
# actions that did better than expected become more probable, a little at a time. Stable-Baselines3 has it, and its
# companion sb3-contrib a variant that asks the environment for `action_masks()` and never tries what is impossible:
# MaskablePPO. For one game, this is all:
#
# ```python
# from sb3_contrib import MaskablePPO
#
# env = gymnasium.make("tetriscourse/Tetris-v0", rules="5x5", observation="features", features="dellacherie")
# MaskablePPO("MlpPolicy", env).learn(100_000)
# ```
#
# It is not run here, since it needs PyTorch (`pip install "tetriscourse[torch]"`) and some minutes. The script
# `tests/benchmarks/gym_ppo.py` does it properly: 64 games at once, a million placements, three seeds, on the board of
# 5x5, for which chapter [10](10_bellman.ipynb) computes the best possible play. What was learned then plays the first
# 1,000 games of a seed that it has not seen, each to its end, and so do chance and two published players.

# %%
from tetriscourse.course.results import stored_table

stored_table("gym-ppo")

# %% [markdown]
# From the cells, PPO learns something: five to six times the lines of chance, a quarter of what is possible. It has to
# find out by itself what a hole is, from rewards that come every few placements. From Dellacherie's six features of
# each move (the rows called *features*) it reaches 69 to 71 % of the best, and the three seeds agree within their
# intervals.
#
# What is that worth? Dellacherie set six weights for the same six features by hand, for a board of 10x20, and they make
# 10.71 lines here. PPO has a network of some 30,000 weights, a million placements on this very board and more than a
# minute of a core, and comes close, but not past it. One reason is easy to see. A linear player has one weight for the
# holes, whatever the action; the network sees 20 x 6 numbers side by side, and has to learn for each action anew what
# they are worth.
#
# An explanation needs a control. In the rows *features move by move* a small network scores the six numbers of *one*
# move, and it is the same one for all twenty. They make 11 lines and more, over 80 % of the best: each of them is above
# all three runs with the numbers side by side, and none is below Dellacherie's weights. So the explanation has passed a
# test. It is not beyond doubt, since the small network differs in two details more: its inputs are scaled, and its
# hidden units are cut off at 0 where those of the other are bent smoothly. (The appendix on [PyTorch](pytorch.ipynb)
# shows how such a policy is made, and what it reaches on 10x10.)
#
# This is no verdict on PPO: the settings are the first that were tried, and a million placements are few for it. But it
# puts figures on a claim that this course makes again and again: what a player sees decides more than how it learns.
# The features alone took the same learner from 3.4 lines to 9.6, and to see moves one by one, from there to more than
# 11.
#
# ## What you have learned
#
# - An environment is `reset` and `step`, two spaces and an info. Whoever speaks this language can play Tetris.
# - A mask tells the learner which actions are possible. Without it, it would have to find out by trying.
# - The seed decides the pieces, here as in `simulate`. So an environment's results can be compared with those of every
#   player of the course.
# - Fix the games before you play them. Those that end first are the bad ones.
# - What a learner sees matters more than how it learns, and whether it sees moves one by one matters too.
#
# ## Where to go next
#
# - `help(tetriscourse.gym.environment.Tetris)` explains every argument: commands instead of placements, lines instead
#   of points as reward, features, pictures as arrays.
# - The [results](results.ipynb) compare public simulators of Tetris: how fast they are, and what they call a step.
# - Chapter [12](12_deep_q.ipynb) writes a learner with a network from scratch, [PyTorch](pytorch.ipynb) has more of
#   PPO, and [chapter 15](15_championship.ipynb) asks you to beat the published players. A policy learned here is
#   allowed.
