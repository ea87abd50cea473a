"""The judges of chapter 11."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import exp, isfinite, sqrt
from typing import Any

import numpy as np

from tetriscourse.course.exercises import exercise
from tetriscourse.course.outcomes import NotAttempted, Outcome, Right, Wrong, clipped, first_difference, is_missing
from tetriscourse.errors import InputError, counted
from tetriscourse.game.board import Board
from tetriscourse.game.moves import moves
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.environment import TetrisEnv, placement_action
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.random_numbers import Draws, derived_seed


@exercise(
    "11.1", "How curious?", answers="epsilon", points=1,
    teaches="After 1/τ games the gap to the lowest share has shrunk to 37 %, after 5/τ games to less than 1 %. Choose "
    "τ by asking in how many games the learner shall have grown up.",
    hints=[
        "In game 0 the share is high; after very many games it is low. What falls from 1 to 0 in between?",
        "The part that falls is the difference between the two, times the exponential function of -τ k.",
    ],
)  # fmt: skip
def schedule(epsilon: Callable[[int, float, float, float], Any], *, seed: int) -> Outcome:
    """Right when the share falls exponentially from high to low."""
    return first_difference(epsilon, falling, schedules(seed), show=said_schedule)


def schedules(seed: int) -> Iterator[tuple[int, float, float, float]]:
    """Games, lowest and highest share, and how fast it falls; round numbers first."""
    yield 0, 0.0, 1.0, 0.5
    yield 1, 0.0, 1.0, 1.0
    yield 0, 0.25, 0.75, 0.1
    yield 2, 0.25, 0.75, 0.5
    yield 10, 0.5, 0.5, 0.1
    draws = Draws(seed, 1101)
    for k in (1, 5, 30, 400, 5000):
        low, high, tau = draws.uniform(3).round(2).tolist()
        yield k, min(low, high), max(low, high), round(tau / k, 5)


def falling(k: int, low: float, high: float, tau: float) -> float:
    """A mixture of the two shares."""
    weight = exp(-tau * k)
    return weight * high + (1 - weight) * low


def said_schedule(k: int, low: float, high: float, tau: float) -> list[str]:
    """The arguments in words."""
    return [f"k = {k}, low = {low}, high = {high}, tau = {tau}"]


CALLS, SURE = 2000, 5.5
"""How often a choice is made, and how many standard deviations are no chance any more."""
ROWS: tuple[tuple[tuple[float, ...], float], ...] = (
    ((0, 1), 0.0), ((2, 1), 0.0), ((-2, -1), 0.0), ((0, 1), 1.0), ((0, 1), 0.5), ((0, 0), 0.0), ((1, 3, 2), 0.3),
    ((0, 3, 1, 3), 0.2), ((0, 0, 0, 0, 0, 0), 0.0), ((-1, -3, -1, -2), 0.1),
)  # fmt: skip
"""Rows of a table, and shares of random actions."""


@exercise(
    "11.2", "Any action, or the best", answers="choose", points=2,
    teaches="The best action is taken a little more often than 1 - ε says, since a random action may happen to be the "
    "best one. And where nothing is known, all values are equal: greed itself is a guess there.",
    hints=[
        "First toss a coin that shows heads with probability epsilon: `rng.random() < epsilon`.",
        "Heads: any of the actions 0 to `len(values) - 1`, without looking at the values.",
        "Tails: collect the numbers of all actions whose value is `max(values)`, and let chance pick one of them.",
    ],
)  # fmt: skip
def choice(choose: Callable[[list[float], float, random.Random], Any], *, seed: int) -> Outcome:
    """Right when each action is taken as often as it should be, within chance."""
    if not callable(choose):
        return Wrong(f"A function was expected here, and {clipped(choose)} is none.")
    draws = Draws(seed, 1102)
    others = [(tuple(draws.below(4, n).tolist()), float(draws.uniform(1).round(2)[0])) for n in (3, 5, 6)]
    answers = (choose(list(values), epsilon, random.Random(seed)) for values, epsilon in ROWS)
    if all(map(is_missing, answers)):
        return NotAttempted("`choose` returns nothing yet.")
    for number, (values, epsilon) in enumerate((*ROWS, *others)):
        outcome = row_outcome(choose, values, epsilon, random.Random(derived_seed(seed, 1102, number)))
        if not isinstance(outcome, Right):
            return outcome
    return Right()


def row_outcome(choose: Callable[..., Any], values: Sequence[float], epsilon: float, rng: random.Random) -> Outcome:
    """What many choices from the same values come to."""
    n, shown = len(values), [f"values = {list(values)}, epsilon = {epsilon}"]
    taken = [0] * n
    for _ in range(CALLS):
        action = choose(list(values), epsilon, rng)
        if is_missing(action):
            return Wrong("Here `choose` returns nothing: is there a path without `return`?", shown)
        if not isinstance(action, int | np.integer) or isinstance(action, bool) or not 0 <= action < n:
            return Wrong(f"Here it chose {clipped(action)}; actions are numbered 0 to {n - 1}.", shown)
        taken[int(action)] += 1
    best = [a for a in range(n) if values[a] == max(values)]
    for a, times in enumerate(taken):
        share = epsilon / n + (1 - epsilon) * (a in best) / len(best)
        if abs(times / CALLS - share) > SURE * sqrt(share * (1 - share) / CALLS):
            text = f"Asked {CALLS:,} times, it took action {a} in {times / CALLS:.1%} of the cases; about {share:.1%}"
            return Wrong(f"{text} were expected.", shown)
    return Right()


Q = dict[str, list[float]]
Experience = tuple[Q, str, int, float, str | None, float, float]


@exercise(
    "11.3", "The update", answers="new_value", points=2,
    teaches="You have written the line from which everything else follows. It asks for the best next action, not for "
    "the one that will be taken: so it learns about good play even from bad games.",
    hints=[
        "New value = (1 - alpha) times the old one, plus alpha times what has just been seen.",
        "What has just been seen: the reward, plus gamma times the highest value of the next state.",
        "That highest value is 0 when the game is over, and when the state is not in the table. It may be below 0.",
    ],
)  # fmt: skip
def update(new_value: Callable[..., Any], *, seed: int) -> Outcome:
    """Right when the value moves by alpha towards the sample of Bellman's equation."""
    return first_difference(new_value, moved, experiences(seed), show=said_experience)


def experiences(seed: int) -> Iterator[Experience]:
    """Tables, steps and settings; those that can be checked in the head first."""
    yield {"s": [0.0]}, "s", 0, 1.0, None, 0.5, 0.9
    yield {"s": [4.0]}, "s", 0, 2.0, None, 0.5, 0.9
    yield {"s": [0.0], "t": [10.0]}, "s", 0, 0.0, "t", 1.0, 0.5
    yield {"s": [8.0], "t": [2.0, 6.0]}, "s", 0, 1.0, "t", 0.25, 0.5
    yield {"s": [3.0, 1.0], "t": [2.0, 6.0]}, "s", 1, 1.0, "t", 0.25, 0.5
    yield {"s": [2.0, 1.0]}, "s", 0, 1.0, "new", 0.5, 0.5
    yield {"s": [1.0, 5.0]}, "s", 0, 1.0, "s", 0.5, 0.5
    yield {"s": [0.0], "t": [-4.0, -2.0]}, "s", 0, 0.0, "t", 0.5, 0.5
    draws = Draws(seed, 1103)
    for actions in (2, 3, 4, 6) * 3:
        table = {name: (20 * draws.uniform(actions) - 8).round(1).tolist() for name in ("s", "t", "u")}
        alpha, gamma = draws.uniform(2).round(2).tolist()
        following = ("s", "t", "u", "new", None)[int(draws.below(5, 1)[0])]
        yield table, "s", int(draws.below(actions, 1)[0]), float(draws.below(5, 1)[0]), following, alpha, gamma


def moved(table: Q, s: str, a: int, r: float, s2: str | None, alpha: float, gamma: float) -> float:
    """A step of size alpha along the error."""
    ahead = 0.0 if s2 is None else max(table.get(s2, [0.0]))
    return table[s][a] + alpha * (r + gamma * ahead - table[s][a])


def said_experience(table: Q, s: str, a: int, r: float, s2: str | None, alpha: float, gamma: float) -> list[str]:
    """The arguments in words."""
    return [f"Q = {table}", f"s = {s!r}, a = {a}, r = {r:g}, s2 = {s2!r}, alpha = {alpha:g}, gamma = {gamma:g}"]


Path = tuple[list[Any], int | None]
"""The states of a game in order, and the number of the one that follows the last; None: the game is lost."""


@exercise(
    "11.4", "Where it has been before", answers="find_cycle", points=2,
    teaches="A dictionary and a loop, and you can prove a statement about infinitely many moves. The proof is as good "
    "as the word 'state': if anything is left out on which the future depends, it proves nothing.",
    hints=[
        "Keep a dictionary: for each state that was met, its number in the order of the game.",
        "Go on while the state is neither None nor in the dictionary. Beware of 0: it is a state, but counts as false.",
        "At the end: the number of the state that came again is what lies before the cycle; the rest is the cycle.",
    ],
)  # fmt: skip
def cycle(find_cycle: Callable[..., Any], *, seed: int) -> Outcome:
    """Right when every game is taken apart rightly, without walking on for ever."""
    if not callable(find_cycle):
        return Wrong(f"A function was expected here, and {clipped(find_cycle)} is none.")

    def answer(states: list[Any], back: int | None) -> Any:
        return find_cycle(walking(states, back), states[0])

    answer.__name__ = "find_cycle"
    return first_difference(answer, taken_apart, paths(seed), same=same_parts, show=said_path)


class StillFollowingError(Exception):
    """A game is followed although all its states have been seen."""


def paths(seed: int) -> Iterator[Path]:
    """Games, short ones first; some states are 0, words or tuples."""
    yield [1], None
    yield [1], 0
    yield [1, 2], 0
    yield [1, 2], 1
    yield [0, 1], None
    yield [2, 0], 1
    yield [7, 3, 5, 4], 2
    yield ["empty", "half", ""], 0
    yield [(0, 1), (1, 0), (), (2, 2)], 2
    draws = Draws(seed, 1104)
    for length in (3, 4, 5, 8, 12, 20, 40, 60):
        back = int(draws.below(length + 2, 1)[0])
        yield draws.order(length).tolist(), back if back < length else None


def walking(states: list[Any], back: int | None) -> Callable[[Any], Any]:
    """The function from each state to the next, which does not like to be asked for ever."""
    following = dict(zip(states, [*states[1:], None if back is None else states[back]], strict=True))
    asked = 0

    def step(state: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked > 3 * len(states) + 10:
            raise StillFollowingError("`step` is called again and again. Would this loop ever end?")
        return following[state]

    return step


def taken_apart(states: list[Any], back: int | None) -> str | tuple[int, int]:
    """What the path itself says."""
    return "lost" if back is None else (back, len(states) - back)


def same_parts(got: Any, expected: str | tuple[int, int]) -> bool:
    """The word, or two whole numbers."""
    if isinstance(expected, str):
        return isinstance(got, str) and got == expected
    return isinstance(got, tuple | list) and len(got) == 2 and [int(one) for one in got] == list(expected)


def said_path(states: list[Any], back: int | None) -> list[str]:
    """The path as arrows."""
    again = "None" if back is None else f"{states[back]!r} → ..."
    return [" → ".join([*map(repr, states), again])]


SIZE, CAP = 4, 2
SMALL = replace(RULES["domino"], width=SIZE, height=SIZE)


@exercise(
    "11.5", "Two boards, one state", answers="twins", points=2,
    teaches="The same action in the same state has two different outcomes, so the table learns a value between them "
    "that is right for neither. A state should hold all on which the future depends; one that does not is cheaper.",
    hints=[
        "What do heights not show? Think of what lies below the surface.",
        "Take a board where a flat domino completes the lowest row. Now spoil that row without changing the heights.",
    ],
)  # fmt: skip
def lookalikes(twins: Any, *, seed: int) -> Outcome:
    """Right when two boards share their capped differences, and a placement clears more rows on one of them."""
    if not isinstance(twins, tuple | list) or len(twins) != 2 or not all(isinstance(one, Board) for one in twins):
        return Wrong(f"Two boards were expected, and {clipped(twins)} is something else.")
    first, second = twins
    for board in twins:
        if (board.width, board.height) != (SIZE, SIZE) or board.full.shape != (SIZE, SIZE):
            return Wrong("This board is not of 4 columns and 4 rows: give `height=4`.", [board])
        if board.full.all(axis=1).any():
            return Wrong("This board has a full row, which would have been cleared.", [board])
    steps = [np.clip(np.diff(board.heights), -CAP, CAP).tolist() for board in twins]
    if steps[0] != steps[1]:
        shown = [first, f"differences {steps[0]}", second, f"differences {steps[1]}"]
        return Wrong("These two boards are not the same to the learner.", shown)
    rows = [rows_by_action(board) for board in twins]
    names = TetrisEnv(SMALL, "placements").action_names
    for action in sorted(rows[0].keys() & rows[1].keys()):
        here, there = rows[0][action], rows[1][action]
        if here != there:
            cleared = f"{counted(here, 'row')} on the first board, {there} on the second"
            return Right(f"Placement `{names[action]}` (`P:column:orientation`) clears {cleared}.")
    same = "The same to the learner, yes, but no placement of a domino clears more rows on one than on the other."
    return Wrong(same, [first, second])


def rows_by_action(board: Board) -> dict[int, int]:
    """How many rows each placement of the domino clears."""
    return {placement_action(move, SMALL): move.rows for move in moves(board, SMALL.pieces[0], SMALL)}


PAID = replace(RULES["domino"], width=6, height=6)
MOST, EVERY, LONGEST, SEEDS = 60, 5, 30, 3
"""Games that may be played, how often a proof is looked for, pieces in a game, how many seeds."""
ALLOWED = ("alpha", "gamma", "epsilon_max", "epsilon_min", "tau")


@exercise(
    "11.6", "A reward that teaches", answers="reward settings", points=3,
    teaches="To choose a reward is to say what you want, early enough to be heard. It is also the easiest place to say "
    "something that you do not want: whether the true goal is reached must be judged by something else, as here.",
    hints=[
        "The points come when a row is complete. What does a board look like on the way there, and what does a bad "
        "move leave behind? Chapter 04 has a list of things to count.",
        "Pay for the change: a count on `after` less the same count on `before`, so that repairs are praised, too.",
        "Nothing here depends on chance: one experience is enough, whatever `alpha` says by default. And if bad moves "
        "cost something, untried ones with their 0 look attractive: how much `epsilon` is needed then?",
    ],
)  # fmt: skip
def teaching(reward: Callable[..., Any], settings: Any, *, seed: int) -> Outcome:
    """Right when a table that is paid so plays without end after few games, for each of some seeds."""
    if not callable(reward):
        return Wrong(f"`reward` should be a function, and {clipped(reward)} is none.")
    if not isinstance(settings, dict) or not set(settings) <= set(ALLOWED):
        return Wrong(f"`settings` should be a dict with some of {', '.join(ALLOWED)}, not {clipped(settings)}.")
    counts: list[int] = []
    for number in range(SEEDS):
        try:
            q = learner(reward, settings, derived_seed(seed, 1106, number))
            proof = taught(q)
        except NoNumberError as error:
            paid, has_paid = error.args
            if is_missing(paid) and has_paid:
                return Wrong("For some move `reward` returns nothing: is there a path without `return`?")
            if is_missing(paid):
                return NotAttempted("`reward` returns nothing yet.")
            return Wrong(f"For some move `reward` gives {clipped(paid)}; it should give a finite number.")
        except InputError as error:
            return Wrong(f"With these settings nothing can be learned: {error}")
        if not proof:
            before = f" (with those before it after {', '.join(map(str, counts))} games)" if counts else ""
            text = f"With seed {number + 1} of {SEEDS} there is no proof after {MOST} games{before}."
            return Wrong(f"{text} Played greedily, it ends like this: {proof.reason}.", [last_board(proof)])
        counts.append(q.done)
    return Right(f"It plays without end after {', '.join(map(str, counts))} games, with three seeds.")


class NoNumberError(Exception):
    """What was paid is no number; the arguments are what it was, and whether there was a number before."""


class Paid(TetrisEnv):
    """The game, with the rewards of somebody else."""

    pay: Callable[[Board, Board, int, bool], Any]
    has_paid = False

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Take an action, and be paid for it."""
        before = self.board
        state, points, lost, cut, info = super().step(action)
        paid = self.pay(before, self.board, int(points), lost)
        if isinstance(paid, bool | np.bool_ | int | float | np.number) and isfinite(float(paid)):
            self.has_paid = True
            return state, float(paid), lost, cut, info
        raise NoNumberError(paid, self.has_paid)


def learner(reward: Callable[..., Any], settings: dict[str, Any], seed: int) -> QLearning:
    """A learner that is paid by somebody else."""
    q = QLearning(PAID, actions="placements", max_pieces=LONGEST, compiled=False, seed=seed, **settings)
    q.env = Paid(PAID, "placements", max_pieces=LONGEST)
    q.env.pay = reward
    return q


def taught(q: QLearning) -> Proof:
    """Let it learn until there is a proof, or no time is left."""
    proof = prove_endless(q)
    while not proof and q.done < MOST:
        for _ in range(EVERY):
            q.episode()
        proof = prove_endless(q)
    return proof


def last_board(proof: Proof) -> Board:
    """Where a game without a cycle ended."""
    env = TetrisEnv(proof.rules, "placements")
    env.reset()
    for name in proof.before:
        env.step(env.action_names.index(name))
    return env.board
