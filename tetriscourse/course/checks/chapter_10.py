"""Judges of chapter 10: Bellman."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import picked, small_boards
from tetriscourse.course.differences import Function, first_difference, is_number, within
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.hidden_worlds import CLOSE, Rooms
from tetriscourse.course.outcomes import (
    Outcome,
    Right,
    Wrong,
    climbed,
    clipped,
    expected,
    is_missing,
    nothing_yet,
    too_short,
)
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES
from tetriscourse.game.board import Board
from tetriscourse.game.moves import all_moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.exact.player_values import exact_value
from tetriscourse.mdp.exact.solution import solve as solve_tetris
from tetriscourse.mdp.finite.process import FiniteMDP, chain, v_from_q
from tetriscourse.mdp.finite.solving import policy_iteration
from tetriscourse.players import Player
from tetriscourse.random_numbers import Draws, derived_seed


@exercise("10.1", "The return", answers="discounted", points=1)
def returns(discounted: Function, *, seed: int) -> Outcome:
    """Right when every game has its return, those that go on for ever too."""
    draws = Draws(seed, 1001)
    cases: list[tuple[list[int], list[int], float]] = [
        ([3], [], 0.5), ([0, 3], [], 0.5), ([], [], 0.9), ([], [1], 0.5), ([], [0, 1], 0.5), ([4], [1], 0.5),
        ([4, 2, 1], [5], 0.0), ([1, 0], [0, 0, 2], 0.9),
    ]  # fmt: skip
    for size in range(1, 9):
        before, cycle = (draws.below(9, int(draws.below(size + 1))) - 3).tolist(), (draws.below(9, size) - 3).tolist()
        cases.append((before, cycle, some_gamma(draws)))
    return first_difference(discounted, summed, cases, same=within(1e-6, 1e-6), show="before cycle gamma")


def summed(before: Sequence[float], cycle: Sequence[float], gamma: float) -> float:
    """The first thousands of rewards; with a discount of 0.95 the rest is nothing."""
    rewards = [*before, *list(cycle) * 1000]
    return float(np.array(rewards, float) @ gamma ** np.arange(len(rewards)))


World = dict[str, dict[str, list[tuple[float, float, str]]]]
LAST = "end"  # the terminal state of every world
SHARES: dict[int, list[tuple[int, ...]]] = {1: [(10,)], 2: [(5, 5), (8, 2), (3, 7)], 3: [(6, 3, 1), (2, 5, 3)]}
"""Probabilities in tenths, by the number of possible outcomes."""


def worlds(seed: int, stream: int, count: int) -> Iterator[World]:
    """Small worlds first: a single step, then one to four states with one to three actions each."""
    yield {"A": {"go": [(1.0, 2, LAST)]}, LAST: {}}
    yield {"A": {"go": [(0.5, 2, LAST), (0.5, 0, "A")]}, LAST: {}}
    yield {"A": {"go": [(1.0, 1, LAST)], "stay": [(1.0, -1, "A")]}, LAST: {}}
    yield {"A": {"go": [(1.0, 0, "B")]}, "B": {"go": [(1.0, 3, LAST)], "back": [(1.0, 1, "A")]}, LAST: {}}
    for number in range(count):
        yield drawn_world(Draws(seed, stream + number), 1 + min(3, number // 4))


def drawn_world(draws: Draws, size: int) -> World:
    """A world with this many states beside the terminal one."""
    names = [*"ABCD"[:size], LAST]
    world: World = {name: {} for name in names}
    for name in names[:-1]:
        for action in ("go", "stay", "turn")[: 1 + int(draws.below(3))]:
            world[name][action] = drawn_outcomes(draws, names)
    return world


def drawn_outcomes(draws: Draws, names: Sequence[str]) -> list[tuple[float, float, str]]:
    """The outcomes of an action: one to three different states, with probabilities in tenths."""
    order = np.argsort(draws.uniform(len(names)))[: 1 + int(draws.below(3))]
    chosen = picked(draws, SHARES[len(order)])
    rewards = draws.below(9, len(order)) - 3
    return [(tenths / 10, int(reward), names[k]) for tenths, reward, k in zip(chosen, rewards, order, strict=True)]


def lines_of(world: World) -> list[str]:
    """A world as a student writes one: a line for each action."""
    return [f"world[{s!r}][{a!r}] = {outcomes}" for s in world for a, outcomes in world[s].items()]


def some_gamma(draws: Draws) -> float:
    """A discount from 0 to 0.95."""
    return round(float(draws.below(20)) / 20, 2)


@exercise("10.2", "One backup", answers="backup", points=2)
def one_backup(backup: Function, *, seed: int) -> Outcome:
    """Right when every state of every world is backed up as (7.8) and (7.7) say."""

    def show(world: World, v: Mapping[str, float], s: str, gamma: float) -> list[str]:
        return [*lines_of({s: world[s]}), f"v = {dict(v)}", f"s = {s!r}, gamma = {gamma}"]

    return first_difference(backup, backed_up, backups(seed), show=show)


def backups(seed: int) -> Iterator[tuple[World, dict[str, float], str, float]]:
    """Worlds with values, a state and a discount."""
    for number, world in enumerate(worlds(seed, 1020, 16)):
        draws = Draws(seed, 1040 + number)
        drawn = (draws.below(21, len(world)) - 8).tolist()
        values = {s: float(value) for s, value in zip(world, drawn, strict=True)} | {LAST: 0.0}
        gamma = 0.5 if number < 3 else some_gamma(draws)
        for s in world:
            yield world, values, s, gamma


def backed_up(world: World, v: Mapping[str, float], s: str, gamma: float) -> float:
    """The highest Q of the state, by matrices."""
    if not world[s]:
        return 0.0
    mdp, row = FiniteMDP.from_table(world, gamma), list(world).index(s)
    after = (mdp.T @ np.array([v[name] for name in world])).reshape(mdp.R.shape)[row]
    return float((mdp.R[row] + gamma * after)[mdp.allowed[row]].max())


@exercise("10.3", "The values of a policy", answers="evaluate", points=2)
def policy_values(evaluate: Function, *, seed: int) -> Outcome:
    """Right when the values after that many sweeps are those of the chain."""

    def show(world: World, policy: Mapping[str, str], gamma: float, sweeps: int) -> list[str]:
        return [*lines_of(world), f"policy = {dict(policy)}", f"gamma = {gamma}, sweeps = {sweeps}"]

    return first_difference(evaluate, evaluated, evaluations(seed), same=within(1e-7, 1e-7), show=show)


def evaluations(seed: int) -> Iterator[tuple[World, dict[str, str], float, int]]:
    """Worlds with a policy, a discount and a number of sweeps."""
    for number, world in enumerate(worlds(seed, 1060, 16)):
        draws = Draws(seed, 1080 + number)
        policy = {s: picked(draws, list(world[s])) for s in world if world[s]}
        gamma = 0.5 if number < 3 else some_gamma(draws)
        for sweeps in (1, 2, 3, 30):
            yield world, policy, gamma, sweeps


def evaluated(world: World, policy: Mapping[str, str], gamma: float, sweeps: int) -> dict[str, float]:
    """The first terms of r + gamma P r + (gamma P)² r + ..."""
    mdp = FiniteMDP.from_table(world, gamma)
    numbers = [mdp.actions.index(policy[s]) if s in policy else 0 for s in world]
    term = v_from_q(mdp, mdp.R, numbers)
    P, total = chain(mdp, numbers), np.zeros(len(world))
    for _ in range(sweeps):
        total, term = total + term, gamma * (P @ term)
    return {s: round(float(value), 12) for s, value in zip(world, total, strict=True)}


@exercise("10.4", "Value iteration", answers="solve", points=3)
def best_values(solve: Function, *, seed: int) -> Outcome:
    """Right when values and decisions are the best in every world."""
    if not callable(solve):
        return expected("a function", solve)
    for number, world in enumerate(worlds(seed, 1100, 16)):
        gamma = 0.5 if number < 3 else (0.95, 0.9, 0.6, 0.0)[number % 4]
        shown = [*lines_of(world), f"gamma = {gamma}"]
        try:
            got = solve({s: {a: list(listed) for a, listed in world[s].items()} for s in world}, gamma)
        except NotImplementedError:
            raise
        except Exception as error:
            return Wrong(f"For this world `solve` stops with {type(error).__name__}: {error}", shown)
        if is_missing(got):
            return Wrong("For this world `solve` returns nothing.", shown) if number else nothing_yet("solve")
        if fault := fault_in(got, world, gamma):
            return Wrong(fault, shown)
    return Right()


def fault_in(got: Any, world: World, gamma: float) -> str:
    """The first fault in values and decisions, in words; empty if there is none."""
    if not isinstance(got, tuple | list) or len(got) != 2 or not all(isinstance(part, dict) for part in got):
        return f"`solve` should return two dicts, values and actions; here it returns {clipped(got)}."
    values, actions = got
    mdp = FiniteMDP.from_table(world, gamma)
    best = policy_iteration(mdp)
    for k, s in enumerate(world):
        value = number_of(values.get(s))
        if value is None:
            return f"There is no number for the value of state {s!r}."
        if not abs(value - best.V[k]) < 1e-6 * max(1.0, abs(best.V[k])):
            return f"State {s!r} is worth {value:.7g} by your values; best play is worth {best.V[k]:.7g} there."
        if world[s]:
            taken = actions.get(s)
            if not isinstance(taken, str) or taken not in world[s]:
                return f"In state {s!r} the action is {clipped(taken)}, which is not one of {', '.join(world[s])}."
            worth = best.Q[k, mdp.actions.index(taken)]
            if worth < best.V[k] - 1e-6:
                return f"In state {s!r} you take {taken!r}, worth {worth:.6g}; another action is worth {best.V[k]:.6g}."
    return ""


def number_of(value: Any) -> float | None:
    """A finite number, or None."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if isfinite(number) else None


@exercise("10.5", "The value of a board", answers="board_value", points=2)
def value_of_board(board_value: Function, *, seed: int) -> Outcome:
    """Right when it is one backup, on boards that are empty, full of holes, or nearly lost."""

    def show(board: Board, value: Callable[[Board], float], rules: Rules) -> list[Any]:
        return [board, f"value(after) is {value.__doc__}"]

    return first_difference(board_value, mean_of_best, board_cases(seed), show=show)


def nothing(board: Board) -> float:
    """0 for every board."""
    return 0.0


def empty_cells(board: Board) -> float:
    """the number of empty cells."""
    return float(board.width * board.height - board.full.sum())


def minus_bumps(board: Board) -> float:
    """minus the sum of the squared steps between neighbouring columns."""
    return -float((np.diff(board.heights) ** 2).sum())


def board_cases(seed: int) -> list[tuple[Board, Callable[[Board], float], Rules]]:
    """Boards with a value function, small boards first; some leave no move for a piece."""
    drawn = ["....", "XXX.", "X...\nXX..", ".XX.\n.XX.\nXX.X", "X.X.\nX.XX\nX.X.\n.XXX", "XX.X\nX.X.\nXX.X\n.XXX"]
    boards = [Board.from_text(text, height=4) for text in drawn]
    boards += [board for board in small_boards(seed, 24) if board.width < 7]
    return [(board, value, Rules(board.width, board.height))
            for board in boards for value in (nothing, empty_cells, minus_bumps)]  # fmt: skip


def mean_of_best(board: Board, value: Callable[[Board], float], rules: Rules) -> float:
    """One backup, over all moves that do not lose."""
    total = 0.0
    for piece in PIECES.values():
        worth = [move.rows + value(move.after) for move in all_moves(board, piece, rules) if not move.loses]
        total += max(worth, default=0.0)
    return total / len(PIECES)


FOUR, ENOUGH = Rules(4, 4), 6.2


@exercise("10.6", "Close to perfection", answers="my_player elsewhere", points=3, kind="open")
def close_to_perfection(my_player: Any, elsewhere: Any, *, seed: int) -> Outcome:
    """Right when a player with weights is worth enough on 4x4, and `elsewhere` is about 10x20."""
    if not isinstance(my_player, Player):
        return expected("a player, such as `tc.Player(features, weights)`", my_player)
    unknown = [one.name for one in my_player.features.features if FEATURES.get(one.name) is not one]
    if unknown:
        return Wrong(f"Only features of the catalogue, please; {', '.join(unknown)} is not in `tc.FEATURES`.")
    if short := too_short("elsewhere", elsewhere, "would you let it play on 10x20?"):
        return short
    try:
        value = exact_value(my_player, FOUR, progress=False).start
    except InputError as error:
        return Wrong(f"This player cannot play on 4x4: {error}")
    best = solve_tetris(FOUR, progress=False).start
    said = f"Your player is worth {value:.4f} lines on 4x4, {value / best:.1%} of what is possible"
    return Right(f"{said}.") if value >= ENOUGH else Wrong(f"{said}; {ENOUGH} were asked for.", [f"{my_player}"])


prose("10.7", "A little wrong about the future", points=3, kind="proof")

WORLDS = 4  # for each rung
BUDGETS = {
    1.0: "as many backups as sweeps need",
    0.75: "three quarters of what sweeps need",
    0.42: "42 % of what sweeps need",
}
"""Budgets. In 200 worlds (tests/benchmarks/check_bars.py 10.8) sweeps that use each new value at once need 46 to 68 %,
the model solution 24 to 39 %."""


@exercise("10.8", "A budget of backups", answers="values", points=3, kind="design")
def thrift(values: Function, *, seed: int) -> Outcome:
    """A rung for each budget on which the values of all hidden worlds come out right."""
    if not callable(values):
        return expected("a function", values)
    reached: list[str] = []
    for budget, words in BUDGETS.items():
        for number in range(WORLDS):
            world = Rooms(derived_seed(seed, 1008, number), budget)
            try:
                found = values(world)
            except InputError:
                if world.left:
                    raise
                said = f"With {words} `values` asks for one more than there are"
                return climbed(said, reached, [*BUDGETS.values()][len(reached) :])
            if is_missing(found):
                return nothing_yet("values")
            if not isinstance(found, list | tuple | np.ndarray) or not all(map(is_number, found)):
                return expected("a list with the value of each state", found)
            if len(found) != len(world.states):
                return expected(f"a list of {len(world.states)} values", found)
            off = float(np.abs(np.array(found, float) - world.exact()).max())
            if not off <= CLOSE:
                said = f"With {words}, some value is wrong by {off:.3f}; {CLOSE} is allowed"
                return climbed(said, reached, [*BUDGETS.values()][len(reached) :])
        reached.append(words)
    return climbed(f"No value is wrong by more than {CLOSE} with {words}", reached, [])
