"""Judges of chapter 13: looking ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import picked, picked_piece, small_moves
from tetriscourse.course.checks.playing import NO_ROOM, none_without_room, same_place
from tetriscourse.course.differences import Function, first_difference, is_number
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.laboratories import MOVES, ROLLOUTS, rolling
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, clipped, expected, nothing_yet
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES, Piece
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.mdp.exact.player_values import PlayerValues, exact_value
from tetriscourse.players import PLAYERS, Player
from tetriscourse.random_numbers import Draws, derived_seed
from tetriscourse.simulator import is_fast

Tree = Any


@exercise("13.1", "Mine, and chance's", answers="worth", points=1)
def tree_valued(worth: Function, *, seed: int) -> Outcome:
    """Right when trees of all depths have the value that is found by folding them up from the leaves."""
    return first_difference(worth, folded, trees(seed), show=lambda tree: [clipped(tree, 400)])


def trees(seed: int) -> Iterator[tuple[Tree]]:
    """Trees, small ones first."""
    yield from ((3,), (("mine", [1, 5, 2]),), (("chance", [(0.25, 8), (0.75, -4)]),), (("mine", []),))
    yield from ((("mine", [-3, -1]),), (("chance", [(0.5, ("mine", [])), (0.5, -6)]),))
    for number in range(20):
        yield (grown(Draws(seed, 1310 + number), 1 + number // 4),)


def grown(draws: Draws, depth: int) -> Tree:
    """A tree of at most this depth; chances are eighths."""
    if depth == 0 or float(draws.uniform()) < 0.15:
        return int(draws.below(21)) - 10
    branches = [grown(draws, depth - 1) for _ in range(1 + int(draws.below(3)))]
    if int(draws.below(2)):
        return "mine", branches
    cuts = sorted({0, 8, *(int(draws.below(7)) + 1 for _ in branches[1:])})
    return "chance", [(float(b - a) / 8, one) for a, b, one in zip(cuts, cuts[1:], branches, strict=False)]


def folded(tree: Tree) -> float:
    """The value of a tree, from the list of all nodes, the last of which are folded up first."""
    nodes = [tree]
    for node in nodes:  # the list grows while it is read
        if isinstance(node, tuple):
            nodes += node[1] if node[0] == "mine" else [one for _, one in node[1]]
    values: dict[int, float] = {}
    for node in reversed(nodes):
        if not isinstance(node, tuple):
            values[id(node)] = node
        elif node[0] == "mine":
            values[id(node)] = max([values[id(one)] for one in node[1]], default=0)
        else:
            values[id(node)] = float(np.dot([p for p, _ in node[1]], [values[id(one)] for _, one in node[1]]))
    return values[id(tree)]


@exercise("13.2", "Seven futures", answers="choose_unknown", points=2)
def seven_futures(choose_unknown: Function, *, seed: int) -> Outcome:
    """Right when it makes the choices of the library's player, and returns None where there is no move."""
    player = PLAYERS["dellacherie"]
    assert isinstance(player, Player)

    def asked(choose: Function, board: Board, piece: Piece) -> Any:
        return choose(board, piece, player.value)

    def show(board: Board, piece: Piece) -> list[Any]:
        return [board, f"piece {piece.name}, Dellacherie's values"]

    ahead = LookAhead(player)
    cases = clear_choices(ahead, seed)
    outcome = first_difference(choose_unknown, ahead.choose, cases, ask=asked, same=same_place, show=show)
    if not isinstance(outcome, Right):
        return outcome
    return none_without_room(choose_unknown, NO_ROOM, PIECES["O"], player.value)


def clear_choices(player: LookAhead, seed: int) -> Iterator[tuple[Board, Piece]]:
    """Positions in which one move is better than all others, those on small boards first."""
    for move in small_moves(seed, 24):
        found = sorted(player.prospect(one) for one in moves(move.before, move.piece))
        if len(found) > 1 and found[-1] != found[-2]:
            yield move.before, move.piece


Opened = list[int]


@exercise("13.3", "What cannot matter", answers="best_first", points=2)
def best_first_found(best_first: Function, *, seed: int) -> Outcome:
    """Right when the move is the best and the openings are those of the order of own values, as far as they matter."""

    def asked(best_first: Function, own: list[int], futures: list[int], highest: int) -> Any:
        opened: Opened = []

        def future(k: int) -> int:
            opened.append(int(k))
            return futures[k]

        found = best_first(own, future, highest)
        return None if found is None else {"the best first move": found, "opened": opened}

    def show(own: list[int], futures: list[int], highest: int) -> list[str]:
        return [f"own {own}, highest {highest}", f"what future(k) gives: {futures}"]

    return first_difference(best_first, openings, positions(seed), ask=asked, show=show)


def positions(seed: int) -> Iterator[tuple[list[int], list[int], int]]:
    """Own values, values of the futures and their bound; few first."""
    yield from (([3], [-1], 0), ([3, 5], [-1, -1], 0), ([3, 5], [-1, -4], 0), ([0, 9], [-2, -3], 5))
    yield from (([5, 5], [-2, -1], 0), ([5, 5, 5], [-2, -1, -1], 0), ([4, 6, 1], [-1, -3, 0], 0))
    yield ([1, 3], [0, -2], 0)  # the second ties with the first, which has the lower number
    for number in range(24):
        draws, highest = Draws(seed, 1330 + number), 10 * (number % 3)
        own = (draws.below(30, 2 + number // 2) - 15).tolist()
        yield own, (highest - draws.below(12, len(own))).tolist(), highest


def openings(own: Sequence[int], futures: Sequence[int], highest: int) -> dict[str, Any]:
    """The best first move and the openings that are needed, from the totals of all that were opened before."""
    order = sorted(range(len(own)), key=lambda k: (-own[k], k))
    opened: Opened = []
    for k in order:
        if not opened or own[k] + highest >= max(own[j] + futures[j] for j in opened):
            opened.append(k)
    best = min(opened, key=lambda k: (-own[k] - futures[k], k))
    return {"the best first move": best, "opened": opened}


SMALL = Rules(4, 4)


@cache
def known_values() -> PlayerValues:
    """What Dellacherie's player gets from each board of 4x4."""
    return exact_value("dellacherie", SMALL, progress=False, everywhere=True)


@exercise("13.4", "One step better", answers="improved", points=2)
def improved_once(improved: Function, *, seed: int) -> Outcome:
    """Right when it takes the move with the highest worth."""
    known = known_values()

    def asked(improved: Function, board: Board, piece: Piece) -> Any:
        return improved(board, piece, known)

    def show(board: Board, piece: Piece) -> list[Any]:
        return [board, f"piece {piece.name}, on 4x4"]

    outcome = first_difference(improved, best_known, small_positions(seed), ask=asked, same=same_place, show=show)
    return none_without_room(improved, NO_ROOM, PIECES["O"], known) if isinstance(outcome, Right) else outcome


def small_positions(seed: int) -> Iterator[tuple[Board, Piece]]:
    """Boards of 4x4 and a piece that has a place: of all kinds by turns, then some by lot."""
    kinds = visited()
    for number in range(24):
        yield picked(Draws(seed, 1340 + number), kinds[number % len(kinds)])
    for number in range(8):
        draws, board = Draws(seed, 1370 + number), Board.empty(4, 4)
        for _ in range(1 + number // 2):
            possible = moves(board, picked_piece(draws), SMALL)
            board = picked(draws, possible).after if possible else board
        if moves(board, piece := picked_piece(draws), SMALL):
            yield board, piece


Positions = list[tuple[Board, Piece]]


@cache
def visited() -> tuple[Positions, Positions, Positions]:
    """The positions that Dellacherie's player comes to; those where he errs; those where rows now change the choice."""
    player, boards = PLAYERS["dellacherie"], {0: Board.empty(4, 4)}
    own, errs, rows = [], [], []
    for board in (queue := list(boards.values())):
        for piece in PIECES.values():
            taken = player.choose(board, piece, rules=SMALL)
            if taken is None:
                continue
            own.append((board, piece))
            best = best_known(board, piece)
            later = max(moves(board, piece, SMALL), key=lambda move: known_values().value(move.after))
            if known_values().worth(best) > known_values().worth(taken):
                errs.append((board, piece))
            if known_values().worth(best) > known_values().worth(later):
                rows.append((board, piece))
            if taken.after.bits not in boards:
                boards[taken.after.bits] = taken.after
                queue.append(taken.after)
    return own, errs, rows


def best_known(board: Board, piece: Piece) -> Move:
    """The first of the moves with the highest worth, one by one."""
    best, *others = moves(board, piece, SMALL)
    for move in others:
        if known_values().worth(move) > known_values().worth(best):
            best = move
    return best


prose("13.5", "Deeper, and no worse on paper", points=3, kind="proof")

POSITIONS = 200
REGRETS = (0.16, 0.095, 0.052)
"""Mean regret in 200 positions: a single rollout each 0.31; forty each, on pieces of their own 0.20, the worse half out
after each round 0.13; the same on common pieces 0.07 and 0.034: `python tests/benchmarks/check_bars.py 13.6`."""


@exercise("13.6", "A budget of rollouts", answers="decide", points=3, kind="design")
def decided(decide: Function, *, seed: int) -> Outcome:
    """A rung for each bar that the mean regret stays below."""
    if not callable(decide):
        return expected("a function", decide)
    lost = 0.0
    for number in range(POSITIONS):
        roll, truth = rolling(derived_seed(seed, 136, number))
        taken = decide(roll, MOVES, ROLLOUTS)
        if taken is None and number == 0:
            return nothing_yet("decide")
        if not is_number(taken) or int(taken) != taken or not 0 <= taken < MOVES:
            return expected(f"the number of a move, from 0 to {MOVES - 1}", taken)
        lost += float(truth.max() - truth[int(taken)]) / POSITIONS
    rungs = [(bar, f"a mean regret of at most {bar}") for bar in REGRETS]
    reached, missing = [said for bar, said in rungs if lost <= bar], [said for bar, said in rungs if lost > bar]
    return climbed(f"In {POSITIONS} positions, your mean regret is {lost:.3f} lines", reached, missing)


LINES = (6.92, 6.95, 6.98)
"""Exact lines on 4x4; the published players that look ahead have at most 6.9099 (DT-10)."""


@exercise("13.7", "A step of thought", answers="mine", points=3, kind="open")
def step_of_thought(mine: Any, *, seed: int) -> Outcome:
    """A rung for each number of exact lines on 4x4."""
    if not isinstance(mine, LookAhead):
        return expected("a player that looks ahead, such as `tc.LookAhead(tc.Player([...], [...]))`", mine)
    if mine.sees_next:
        return Wrong("It is shown the next piece; here it must be unknown.")
    if not is_fast(mine.player, SMALL):
        return Wrong("Only features of the catalogue, `tc.FEATURES`: others are too slow.")
    try:
        lines = exact_value(mine, SMALL, progress=False).start
    except InputError as error:
        return Wrong(f"It cannot play on 4x4: {error}")
    reached = [f"{bar} lines" for bar in LINES if lines >= bar]
    return climbed(f"Exactly {lines:.4f} lines", reached, [f"{bar} lines" for bar in LINES if lines < bar])
