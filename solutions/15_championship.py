# %% [markdown]
# # Exercises 15: the championship
#
# Eight exercises. They follow the [lecture](../notebooks/15_championship.ipynb) from an idea to the leaderboard, from
# there to the end of every game, and back to the question which idea deserved its place.
#
# Write where it says `# your code here` (in place of `pass`; where a name is set to `...`, put your value there), run
# the cell, then the check below it. Run it as often as you like; `hint(1)`, `hint(2)` help when you are stuck.
#
# **Time** about {{minutes}} minutes.

# %%
import numpy as np
from scipy.stats import norm

import tetriscourse as tc
from tetriscourse.course import check, hint

# %% [markdown]
# ## 15.1 A home for every piece
#
# A surface is a list of column heights. A piece *has a home* there if one of its orientations can lie somewhere with
# every one of its columns touching the pile: no gap below. Write `homes(heights)`, which returns the **names** of the
# pieces that have a home, as a set.
#
# `tc.PIECES` is a dict from names to pieces, `piece.orientations` are the shapes of a piece, and `shape.columns` has a
# pair (lowest, highest) for each column of a shape: the rows of its lowest and its highest cell. The upright S has
# `((1, 2), (0, 1))`: its left column hangs one row higher. There is always room above.

# %%
def homes(heights):
    """The names of the pieces that could lie flush on columns of these heights."""
    ### BEGIN SOLUTION
    found = set()
    for name, piece in tc.PIECES.items():
        for shape in piece.orientations:
            lowest = np.array([low for low, _ in shape.columns])
            for column in range(len(heights) - len(lowest) + 1):
                gaps = np.array(heights[column : column + len(lowest)]) - lowest
                if (gaps == gaps[0]).all():
                    found.add(name)
    return found
    ### END SOLUTION

# %%
for heights in ([2, 2, 2, 2], [3, 2, 5, 0]):
    found = homes(heights)
    print(heights, "is a home for", "nobody yet" if found is None else " ".join(sorted(found)))

# %%
check("15.1")

# %% [markdown]
# ## 15.2 A fair claim
#
# Your player has played, and so have $k$ rivals. Whom may you say that you have beaten? One comparison at a confidence
# of 95 % calls two *equal* players different in 5 % of cases; fifteen of them err somewhere more often than not. So
# with $k$ rivals each comparison must be made at $5\,\%/k$, split evenly between the two sides: the logarithm of the
# ratio of the means must exceed $z\,\sqrt{1/n + 1/m}$, with $n$ and $m$ the numbers of games and $z$ the value that a
# standard normal variable exceeds with probability $0.025/k$. (`norm.ppf(p)` is the value *below* which it lies with
# probability `p`. For $k = 1$ that is the 1.96 of chapter 05.)
#
# Write `beaten(mine, rivals)`: `mine` is a list of scores, `rivals` a dict from names to lists of scores. Return the
# names that are clearly beaten, in the order of the dict. Scores may be taken as exponential.

# %%
def beaten(mine, rivals):
    """The names of the rivals whose mean is clearly below mine, with 95 % confidence in the whole list."""
    ### BEGIN SOLUTION
    z = norm.ppf(1 - 0.025 / len(rivals))
    return [
        name
        for name, scores in rivals.items()
        if np.log(np.mean(mine) / np.mean(scores)) > z * np.sqrt(1 / len(mine) + 1 / len(scores))
    ]
    ### END SOLUTION

# %%
champions = {name: tc.simulate(tc.PLAYERS[name], tc.Rules(height=8), games=400, seed=13, progress=False).lines.tolist()
             for name in ("tetrisbot", "dellacherie", "el-tetris", "dn", "dt-20", "dt-10")}
record = tc.simulate(tc.PLAYERS["rv-ce"], tc.Rules(height=8), games=400, seed=13, progress=False).lines.tolist()
print("RV-CE, 400 games on 10x8, has clearly beaten:", beaten(record, champions))

# %%
check("15.2")

# %% [markdown]
# ## 15.3 One piece further
#
# Write the player that knows the next piece. `value` is a function of a move. The move to take is the one for which
# *its own value plus the value of the best answer* is highest; answers are the moves of `next_piece` on the board after
# the move. Moves after which the next piece has no place at all come last, whatever they are worth: among those, the
# one with the highest value of its own. Of equally good moves take the first, in the order of `tc.moves`; where there
# is no move, return `None`.

# %%
def choose_two(board, piece, next_piece, value):
    """The first of the moves that are best together with the best answer of the next piece."""
    ### BEGIN SOLUTION
    def worth(move):
        answers = [value(answer) for answer in tc.moves(move.after, next_piece)]
        return bool(answers), value(move) + max(answers, default=0)

    return max(tc.moves(board, piece), key=worth, default=None)
    ### END SOLUTION

# %%
board = tc.Board.from_text("......\nXX...X\nXX.XXX", height=6)
choose_two(board, tc.PIECES["O"], tc.PIECES["I"], tc.PLAYERS["dellacherie"].value)

# %%
check("15.3")

# %% [markdown]
# ## 15.4 Lanes
#
# Pieces come in a sequence that is repeated for ever, with `s` times S and `z` times Z in each round. The board has
# `width` columns. Upright pieces fill lanes of two columns, each lane for one kind, and every piece raises its lane by
# two rows. Write `lanes(width, s, z)`: how many lanes S and Z must have, as a pair, so that in the long run all lanes
# can grow equally and nothing piles up. (It may take several rounds until they are level again.) Every lane must be
# used: a row goes only when all of it is full. If there is no such division, return `(0, 0)`.

# %%
def lanes(width, s, z):
    """The lanes for S and for Z in which such a sequence can be played without end; (0, 0) if there are none."""
    ### BEGIN SOLUTION
    for for_s in range(width // 2 + 1):
        for_z = width // 2 - for_s
        if width % 2 == 0 and for_s * z == for_z * s:
            return for_s, for_z
    return 0, 0
    ### END SOLUTION

# %%
print([(width, lanes(width, 1, 1)) for width in range(4, 13)])

# %%
check("15.4")

# %% [markdown]
# ## 15.5 The longest game
#
# `sequence` is a text such as `"SZ"`, whose pieces come again and again. Write `longest(width, height, sequence)`: how
# many pieces can the *best possible* player place on an empty board of this size? Follow all boards at once, as the
# lecture does. If somebody can play for ever, return `float("inf")`.
#
# How will you know? The boards that are possible after a piece depend only on those before it, and there are finitely
# many sets of boards. So if the same *set* comes back at the same place of the sequence, it will come back for ever.

# %%
def longest(width, height, sequence):
    """How many pieces of the repeated sequence can be placed at most; infinity if there is no end."""
    ### BEGIN SOLUTION
    boards, placed, seen = frozenset([tc.Board.empty(width, height)]), 0, set()
    while (boards, placed % len(sequence)) not in seen:
        seen.add((boards, placed % len(sequence)))
        piece = tc.PIECES[sequence[placed % len(sequence)]]
        boards = frozenset(move.after for board in boards for move in tc.moves(board, piece))
        if not boards:
            return placed
        placed += 1
    return float("inf")
    ### END SOLUTION

# %%
for width, height, sequence in ((4, 4, "SZ"), (5, 4, "SZ"), (4, 4, "SZZ"), (5, 4, "O")):
    print(f"{width}x{height}, {sequence}:", longest(width, height, sequence))

# %%
check("15.5")

# %% [markdown]
# ## 15.6 Your champion (open)
#
# Enter the championship. Make a player of your own, from any features of the catalogue and with weights that you have
# tuned, trained or dreamed of, and write it into `mine`. It has passed when it clears **clearly more lines than
# Dellacherie's player**: in 1,600 games on 10x8, with pieces of the judge's own, the logarithm of the ratio of the
# means must exceed $1.96\,\sqrt{2/1600}$. The weights of a published player do not count, rounded or not,
# in whatever order, and whatever you multiply them by.
#
# Then see how far up it goes: the check tells you which of the published players it has clearly beaten, by which it was
# clearly beaten, and which it cannot be told from. RV-CE and DT-10 are the ones to catch.

# %%
mine = ...  # replace the dots: tc.Player([...], [...])
### BEGIN SOLUTION
eyes = [*(feature.name for feature in tc.FEATURE_SETS["dn"].features), "diversity", "i_wells"]
hard = tc.Rules(height=8, probabilities=(1, 1, 1, 3, 3, 1, 1))  # S and Z three times as often
directions = []
for seed in (1, 2, 3):
    optimizer = tc.CMAES(len(eyes), normalise=True, iterations=30, seed=seed)
    run = tc.train(optimizer, tc.Objective(eyes, hard, games=20), curve=0, progress=False)
    directions.append(run.player().weights / np.linalg.norm(run.player().weights))
mine = tc.Player(eyes, np.mean(directions, axis=0).round(3))
### END SOLUTION

# %%
if isinstance(mine, tc.Player):
    print(mine)

# %%
check("15.6")

# %% [markdown]
# And now the leaderboard, where it meets everybody on 10x10. Give it a name worthy of a champion; each further attempt
# gets a line of its own.

# %%
from tetriscourse.course.leaderboard import Leaderboard

table = Leaderboard()
if isinstance(mine, tc.Player):
    table.enter(mine, name="my champion")
table

# %% [markdown]
# ## 15.7 Every game ends
#
# Prove it. Pieces are drawn independently, each of the seven with probability $1/7$. Suppose that there is a number
# $n$ such that from **every** board some sequence of $n$ pieces (which one may depend on the board) ends the game,
# whatever the player does. Let $T$ be the number of pieces that a game takes.
#
# 1. Show that for **every** player, also for one who remembers the whole game, knows your proof and throws dice, the
#    game ends with probability 1, and more: $E[T] \le n\,7^n$.
# 2. With the bag of the shops, all seven pieces come once before any comes again. Show that then no more than four
#    pieces in a row can all be S or Z, and that four can. So a long fatal sequence of S and Z is never dealt, and the
#    first part does not apply.

# %% [markdown] answer="15.7"
# **1.** Cut the game into blocks of $n$ pieces. Let $A_k$ be the event that the game is not over after $k$ blocks, with
# $A_0$ certain. Take any history up to the end of block $k$ in which the game is not over: boards, moves, the dice of
# the player. The board that it has led to has a fatal sequence of $n$ pieces. The next $n$ pieces are independent of
# that history, so they are just this sequence with probability $7^{-n}$; and if they are, then nothing that the player
# does saves the game. Therefore
#
# $$P(A_{k+1} \mid \text{history}) \le 1 - 7^{-n} \quad\text{for every history in } A_k ,$$
#
# and, averaged over all such histories, $P(A_{k+1}) \le (1 - 7^{-n})\,P(A_k)$. By induction
# $P(A_k) \le (1 - 7^{-n})^k$.
#
# This tends to 0, and a game without end lies in all $A_k$, so it has probability 0.
#
# For the expectation: $T$ takes the values 0, 1, 2, ..., so that $E[T] = \sum_{t \ge 0} P(T > t)$. If more than $t$
# pieces are placed, with $kn \le t < (k+1)n$, then the game was not over after $k$ blocks, hence $P(T > t) \le P(A_k)$.
# Each $k$ stands for $n$ values of $t$:
#
# $$E[T] \le \sum_{k \ge 0} n\,P(A_k) \le n \sum_{k \ge 0} (1 - 7^{-n})^k = n\,7^n .$$
#
# That the sequence may depend on the board did no harm: when a block begins, its board is part of the history.
#
# **2.** A run of S and Z without other pieces is a run of places in the sequence. Suppose that it touches three bags.
# Then it contains the whole of the middle one, and with it an I, which is neither S nor Z. So it touches two bags at
# most. Each bag has one S and one Z, and two bags have four such pieces. Four do come in a row: deal a bag that ends
# with S, Z and then one that begins with Z, S. So whatever $n > 4$ pieces of S and Z are fatal, with the bag they have
# probability 0, and the bound $7^{-n}$, on which the first part rests, is lost. (This does not show that games with the
# bag can go on for ever; only that this proof is silent.)

# %% [markdown]
# ## 15.8 The one good idea
#
# Two dozen friends have sent you an idea for a feature each. At most **one** of these is any good. In each of the
# judge's hidden worlds you get `trials`. Write `find(trials)`, which returns the name of the idea that helps, or the
# word `"nothing"` if none does.
#
# - `trials.names` are the names of the ideas, `trials.left` is what is left of 8,000 games.
# - `trials.play(name, run, games)` plays so many games and returns a list with their lines. `name` is an idea, or
#   `"nothing"`, which is the player without any of them. `run` is the number of a run of training: 0, 1, 2, ... The
#   first time that you ask for a run, it is trained, and that costs 30 games more. The same run may be asked again; it
#   plays other games.
# - An idea that helps gives 1.5 times the lines that nothing gives. All others give between 0.74 times and as many.
#   Each run is also lucky or unlucky on its own: the logarithm of its mean has a standard deviation of 0.2 around that
#   of its idea. The games of a run are exponential, as in chapter 05. In a quarter of all worlds nothing helps.
#
# There are 300 worlds, and a ladder: a point each for being right in 62 %, in 75 % and in 87 % of them. Whoever asks
# for more games than are left gets an error. How will you spend yours?

# %%
from tetriscourse.course.checks.trials import Trials

practice = Trials(seed=15)
print(np.mean(practice.play("nothing", 0, 100)), np.mean(practice.play("idea 1", 0, 100)), practice)

# %%
def find(trials):
    """The name of the idea that helps, or 'nothing'."""
    ### BEGIN SOLUTION
    logs = {name: [] for name in ("nothing", *trials.names)}

    def another_run(name):
        logs[name].append(np.log(np.mean(trials.play(name, len(logs[name]), 50))))

    for name in (*logs, *logs):  # two runs of everybody
        another_run(name)
    best = sorted(trials.names, key=lambda name: -np.mean(logs[name]))[:3]
    while trials.left >= 4 * (30 + 50):
        for name in ("nothing", *best):
            another_run(name)
    winner = max(best, key=lambda name: np.mean(logs[name]))
    lead = np.mean(logs[winner]) - np.mean(logs["nothing"])
    return winner if lead > np.log(1.5) / 2 else "nothing"
    ### END SOLUTION

# %%
check("15.8")
