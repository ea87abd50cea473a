"""Judges of chapter 11: Q-learning."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import exp, isfinite, sqrt
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import picked
from tetriscourse.course.differences import Function, first_difference, first_fault, is_number, within
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.hidden_worlds import Corridor
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, clipped, expected, is_missing, nothing_yet
from tetriscourse.errors import InputError, counted
from tetriscourse.game.board import Board
from tetriscourse.game.moves import moves
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.environment import TetrisEnv, placement_action
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.random_numbers import Draws, derived_seed


@exercise("11.1", "How curious?", answers="tau_for", points=1)
def schedule(tau_for: Function, *, seed: int) -> Outcome:
    """Right when the share is what it should be in the game that was asked for."""
    return first_difference(tau_for, bisected, schedules(seed), same=within(1e-6, 1e-9), show="share k low high")


def schedules(seed: int) -> Iterator[tuple[float, int, float, float]]:
    """A share that is wanted, the game in which it is wanted, lowest and highest share; round numbers first."""
    yield from ((0.5, 1, 0.0, 1.0), (0.5, 100, 0.0, 1.0), (0.25, 10, 0.0, 1.0), (0.5, 10, 0.25, 0.75))
    yield from ((0.1, 1000, 0.01, 1.0), (1.0, 50, 0.0, 1.0))
    draws = Draws(seed, 1101)
    for k in (1, 5, 30, 400, 5000):
        low, between, high = np.sort(draws.uniform(3)).round(2).tolist()
        yield between + 0.005, k, low, high + 0.01


def bisected(share: float, k: int, low: float, high: float) -> float:
    """The tau between two others, one of which falls too slowly and the other too fast."""
    slow, fast = 0.0, 50.0 / k
    for _ in range(200):
        tau = (slow + fast) / 2
        weight = exp(-tau * k)
        slow, fast = (tau, fast) if weight * high + (1 - weight) * low > share else (slow, tau)
    return slow


CALLS, SURE = 2000, 5.5  # the number of choices made, and of standard deviations that cannot be chance
ROWS: tuple[tuple[tuple[float, ...], float], ...] = (
    ((0, 1), 0.0), ((2, 1), 0.0), ((-2, -1), 0.0), ((0, 1), 1.0), ((0, 1), 0.5), ((0, 0), 0.0), ((1, 3, 2), 0.3),
    ((0, 3, 1, 3), 0.2), ((0, 0, 0, 0, 0, 0), 0.0), ((-1, -3, -1, -2), 0.1),
)  # fmt: skip
"""Rows of a table, each with a share of random actions."""


@exercise("11.2", "Any action, or the best", answers="choose", points=2)
def choice(choose: Function, *, seed: int) -> Outcome:
    """Right when each action is taken as often as it should be, within chance."""
    if not callable(choose):
        return expected("a function", choose)
    draws = Draws(seed, 1102)
    others = [(tuple(draws.below(4, n).tolist()), float(draws.uniform(1).round(2)[0])) for n in (3, 5, 6)]
    answers = (choose(list(values), epsilon, random.Random(seed)) for values, epsilon in ROWS)
    if all(map(is_missing, answers)):
        return nothing_yet("choose")
    return first_fault(
        row_outcome(choose, values, epsilon, random.Random(derived_seed(seed, 1102, number)))
        for number, (values, epsilon) in enumerate((*ROWS, *others))
    )


def row_outcome(choose: Function, values: Sequence[float], epsilon: float, rng: random.Random) -> Outcome:
    """Right when many choices from the same values are distributed as they should be."""
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


@exercise("11.3", "The update", answers="new_value", points=2)
def update(new_value: Function, *, seed: int) -> Outcome:
    """Right when the value moves by alpha towards the sample of Bellman's equation."""
    return first_difference(new_value, moved, experiences(seed), show="Q s a r s2 alpha gamma")


def experiences(seed: int) -> Iterator[tuple[Q, str, int, float, str | None, float, float]]:
    """Tables, steps and settings; those for mental arithmetic first."""
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
        following = picked(draws, ("s", "t", "u", "new", None))
        yield table, "s", int(draws.below(actions)), float(draws.below(5)), following, alpha, gamma


def moved(table: Q, s: str, a: int, r: float, s2: str | None, alpha: float, gamma: float) -> float:
    """A step of size alpha along the error."""
    ahead = 0.0 if s2 is None else max(table.get(s2, [0.0]))
    return table[s][a] + alpha * (r + gamma * ahead - table[s][a])


@exercise("11.4", "Where it has been before", answers="find_cycle", points=2)
def cycle(find_cycle: Function, *, seed: int) -> Outcome:
    """Right when it takes every game apart correctly, without walking on forever."""

    def ask(find_cycle: Function, states: list[Any], back: int | None) -> Any:
        return find_cycle(walking(states, back), states[0])

    def truth(states: list[Any], back: int | None) -> str | tuple[int, int]:
        return "lost" if back is None else (back, len(states) - back)

    def show(states: list[Any], back: int | None) -> list[str]:
        return [" → ".join([*map(repr, states), "None" if back is None else f"{states[back]!r} → ..."])]

    return first_difference(find_cycle, truth, paths(seed), ask=ask, show=show)


class StillFollowingError(Exception):
    """The answer goes on although all states of the game have been seen."""


def paths(seed: int) -> Iterator[tuple[list[Any], int | None]]:
    """States of games, and the place of the one after the last (None: lost); short ones first, some states are 0."""
    yield from (([1], None), ([1], 0), ([1, 2], 0), ([1, 2], 1), ([0, 1], None), ([2, 0], 1), ([7, 3, 5, 4], 2))
    yield from ((["empty", "half", ""], 0), ([(0, 1), (1, 0), (), (2, 2)], 2))
    draws = Draws(seed, 1104)
    for length in (3, 4, 5, 8, 12, 20, 40, 60):
        back = int(draws.below(length + 2))
        yield draws.order(length).tolist(), back if back < length else None


def walking(states: list[Any], back: int | None) -> Callable[[Any], Any]:
    """The function from each state to the next, which refuses to be asked forever."""
    following = dict(zip(states, [*states[1:], None if back is None else states[back]], strict=True))
    asked = 0

    def step(state: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked > 3 * len(states) + 10:
            raise StillFollowingError("`step` is called again and again. Would this loop ever end?")
        return following[state]

    return step


SIZE, CAP = 4, 2
SMALL = replace(RULES["domino"], width=SIZE, height=SIZE)


@exercise("11.5", "Two boards, one state", answers="twins", points=2)
def lookalikes(twins: Any, *, seed: int) -> Outcome:
    """Right when two boards have the same capped differences, and a placement clears more rows on one of them."""
    if not isinstance(twins, tuple | list) or len(twins) != 2 or not all(isinstance(one, Board) for one in twins):
        return expected("two boards", twins)
    first, second = twins
    for board in twins:
        if (board.width, board.height) != (SIZE, SIZE) or board.full.shape != (SIZE, SIZE):
            return Wrong("This board does not have 4 columns and 4 rows: give `height=4`.", [board])
        if board.full.all(axis=1).any():
            return Wrong("This board has a full row, which would have been cleared.", [board])
    steps = [np.clip(np.diff(board.heights), -CAP, CAP).tolist() for board in twins]
    if steps[0] != steps[1]:
        shown = [first, f"differences {steps[0]}", second, f"differences {steps[1]}"]
        return Wrong("These two boards are not the same to the learner.", shown)
    rows = [{placement_action(move, SMALL): move.rows for move in moves(one, SMALL.pieces[0], SMALL)} for one in twins]
    names = TetrisEnv(SMALL, "placements").action_names
    for action in sorted(rows[0].keys() & rows[1].keys()):
        here, there = rows[0][action], rows[1][action]
        if here != there:
            cleared = f"{counted(here, 'row')} on the first board, {there} on the second"
            return Right(f"Placement `{names[action]}` (`P:column:orientation`) clears {cleared}.")
    same = "The same to the learner, yes, but no placement of a domino clears more rows on one than on the other."
    return Wrong(same, [first, second])


PAID = replace(RULES["domino"], width=6, height=6)
MOST, EVERY, LONGEST, SEEDS = 60, 5, 30, 3
"""Games allowed, games between two searches for a proof, pieces in a game, seeds."""


class NoNumberError(Exception):
    """A reward is not a number; the arguments are what it is, and whether there was a number before."""


class Paid(TetrisEnv):
    """The game with somebody else's rewards."""

    pay: Function
    has_paid = False

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Take an action, and be paid for it."""
        before = self.board
        state, points, lost, cut, info = super().step(action)
        paid = self.pay(before, self.board, int(points), lost)
        if (is_number(paid) or isinstance(paid, bool | np.bool_)) and isfinite(float(paid)):
            self.has_paid = True
            return state, float(paid), lost, cut, info
        raise NoNumberError(paid, self.has_paid)


def learner(reward: Function, settings: dict[str, Any], seed: int) -> QLearning:
    """A learner with these rewards."""
    q = QLearning(PAID, actions="placements", max_pieces=LONGEST, compiled=False, seed=seed, **settings)
    q.env = Paid(PAID, "placements", max_pieces=LONGEST)
    q.env.pay = reward
    return q


def taught(q: QLearning) -> Proof:
    """The proof that it plays forever, as soon as there is one, or its last attempt."""
    proof = prove_endless(q)
    while not proof and q.done < MOST:
        for _ in range(EVERY):
            q.episode()
        proof = prove_endless(q)
    return proof


def last_board(proof: Proof) -> Board:
    """The board on which a game without a cycle ended."""
    env = TetrisEnv(proof.rules, "placements")
    env.reset()
    for name in proof.before:
        env.step(env.action_names.index(name))
    return env.board


ALLOWED = ("alpha", "gamma", "epsilon_max", "epsilon_min", "tau")


@exercise("11.6", "A reward that teaches", answers="reward settings", points=3, kind="open")
def teaching(reward: Function, settings: Any, *, seed: int) -> Outcome:
    """Right when a table with these rewards plays without end after few games, for each of some seeds."""
    if not callable(reward):
        return expected("`reward` to be a function", reward)
    if not isinstance(settings, dict) or not set(settings) <= set(ALLOWED):
        return expected(f"`settings` to be a dict with some of {', '.join(ALLOWED)}", settings)
    counts: list[int] = []
    for number in range(1, SEEDS + 1):
        try:
            q = learner(reward, settings, derived_seed(seed, 1106, number - 1))
            proof = taught(q)
        except NoNumberError as error:
            return unpaid(*error.args)
        except InputError as error:
            return Wrong(f"With these settings nothing can be learned: {error}")
        if not proof:
            before = f" (with those before it after {', '.join(map(str, counts))} games)" if counts else ""
            text = f"With seed {number} of {SEEDS} there is no proof after {MOST} games{before}."
            return Wrong(f"{text} Played greedily, it ends like this: {proof.reason}.", [last_board(proof)])
        counts.append(q.done)
    return Right(f"It plays without end after {', '.join(map(str, counts))} games, with three seeds.")


def unpaid(paid: Any, has_paid: bool) -> Outcome:
    """The outcome for a reward that is not a number."""
    if not is_missing(paid):
        return Wrong(f"For some move `reward` gives {clipped(paid)}; it should give a finite number.")
    if not has_paid:
        return nothing_yet("reward")
    return Wrong("For some move `reward` returns nothing: is there a path without `return`?")


prose("11.7", "A mean that takes too long", points=3, kind="proof")

NEARLY, CORRIDORS = 0.9, 3  # the share of the best worth that is asked for, and corridors for each rung
RUNGS = {
    "plain": ("a corridor with a prize at its end", 0.0, 0.0),
    "coin": ("a corridor with a coin at the entrance", 0.2, 0.0),
    "slip": ("a corridor with a coin, where the hand slips", 0.1, 0.1),
}
"""For each rung its words, the coin, and the chance to slip. Measured: tests/benchmarks/check_bars.py 11.8."""


def share_found(find: Function, number: int, coin: float, slip: float) -> float:
    """The share of the best worth that is found in a corridor."""
    place = Corridor(number, coin, slip)
    return place.share(find(place))


@exercise("11.8", "A dark corridor", answers="find", points=3, kind="design")
def dark_corridor(find: Function, *, seed: int) -> Outcome:
    """A rung for each kind of corridor in which what is found is nearly as good as the best."""
    if not callable(find):
        return expected("a function", find)
    reached: list[str] = []
    for words, coin, slip in RUNGS.values():
        for number in range(CORRIDORS):
            place = Corridor(derived_seed(seed, 1108, number, len(reached)), coin, slip)
            try:
                found = find(place)
            except InputError:
                if place.left:
                    raise
                said = f"In {words} `find` asks for one move more than there are"
                return climbed(said, reached, [one for one, *_ in RUNGS.values()][len(reached) :])
            if is_missing(found):
                return nothing_yet("find")
            if not isinstance(found, dict):
                return expected("a dict with a key for each door", found)
            share = place.share(found)
            if share < NEARLY:
                said = f"In {words}, what was found is worth {abs(share):.0%} of the best"
                said += f", and {NEARLY:.0%} are asked for"
                return climbed(said, reached, [one for one, *_ in RUNGS.values()][len(reached) :])
        reached.append(words)
    return climbed("Nearly the best in all corridors", reached, [])
