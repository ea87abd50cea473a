"""Judges of chapter 13: looking ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import small_boards
from tetriscourse.course.checks.chapter_10 import empty_cells, mean_of_best, minus_bumps, nothing
from tetriscourse.course.checks.playing import played, published_twin
from tetriscourse.course.differences import Function, first_difference
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import Outcome, Right, Wrong, climbed, expected, is_missing, nothing_yet
from tetriscourse.errors import whole_number
from tetriscourse.game.board import Board
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.pieces import PIECES
from tetriscourse.game.rules import Rules
from tetriscourse.looking_ahead import LookAhead
from tetriscourse.mdp.exact.player_values import PlayerValues, exact_value
from tetriscourse.random_numbers import Draws, Ints
from tetriscourse.simulator import simulate
from tetriscourse.simulator.rollouts import Rollouts
from tetriscourse.statistics import Scores

Leaf = Callable[[Board], float]
LEAVES = (nothing, empty_cells, minus_bumps)


def backed_up(board: Board, depth: int, leaf: Leaf, rules: Rules) -> float:
    """The value of a board, sweep by sweep: that of depth k backs up those of depth k - 1."""
    value = leaf
    for _ in range(depth):
        value = lambda after, below=value: mean_of_best(after, below, rules)  # noqa: E731
    return value(board)


@exercise("13.1", "The tree", answers="worth", points=2)
def tree_of_moves(worth: Function, *, seed: int) -> Outcome:
    """Right when moves are worth what the sweeps of chapter 10 give, at every depth."""

    def truth(move: Move, depth: int, leaf: Leaf, rules: Rules) -> float:
        return move.rows + backed_up(move.after, depth, leaf, rules)

    def show(move: Move, depth: int, leaf: Leaf, rules: Rules) -> list[Any]:
        return [move, f"depth = {depth}, leaf(board) is {leaf.__doc__}"]

    return first_difference(worth, truth, trees(seed), show=show)


def trees(seed: int) -> Iterator[tuple[Move, int, Leaf, Rules]]:
    """First moves on small boards, some of them nearly full; depth 0 first, and depth 2 on a full board only."""
    drawn = ["XX.X\nX.X.\nXX.X\n.XXX", "X.X.\nX.XX\nX.X.\n.XXX", "XXX.\nXXX.\nXX..", ".XX.\n.XX.\nXX.X"]
    boards = [Board.from_text(text, height=4) for text in drawn]
    boards += [board for board in small_boards(seed, 16) if board.width < 6]
    draws = Draws(seed, 1301)
    for depth in (0, 1, 2):
        for number, board in enumerate(boards[:2] if depth == 2 else boards):
            rules, piece = Rules(board.width, board.height), list(PIECES.values())[int(draws.below(7))]
            for move in moves(board, piece, rules)[: 2 if depth else 1]:
                yield move, depth, LEAVES[number % 3], rules


DEEP, FOUR = 3, Rules(4, 4)
STARTS = ("", "XX..\nX.XX", "X..X\nXX.X", ".X..\nXXX.\nXX.X")


class Asked:
    """A leaf value that counts how often it is asked about each board, and loses patience."""

    def __init__(self, most: int) -> None:
        self.count, self.boards, self.most = 0, set[int](), most

    def __call__(self, board: Board) -> float:
        self.count += 1
        self.boards.add(board.bits)
        if self.count > self.most:
            raise RuntimeError(f"leaf was asked more than {self.most:,} times")
        return float(board.bits % 97) / 8


@exercise("13.2", "Nothing twice", answers="search", points=2)
def asked_once(search: Function, *, seed: int) -> Outcome:
    """Right when a search three pieces deep has the right value and asks about no board twice."""
    for text in STARTS:
        board = Board.from_text(text, height=4) if text else Board.empty(4, 4)
        for depth in (1, 2, DEEP):
            value, asked = layered(board, depth)
            leaf = Asked(200_000)
            got = search(board, depth, leaf, FOUR)
            if is_missing(got):
                return nothing_yet("search")
            if not isinstance(got, int | float | np.number) or abs(float(got) - value) > 1e-9:
                return Wrong(f"To depth {depth} this board is worth {value:.6f}; `search` says {got!r}.", [board])
            if leaf.count > asked:
                said = f"To depth {depth} `search` asks leaf {leaf.count:,} times about {asked:,} different boards"
                return Wrong(f"{said}. The value is right.", [board])
    return Right()


@cache
def layered(start: Board, depth: int) -> tuple[float, int]:
    """The value of a board and its leaves, by layers: all boards after one piece, after two, and so on."""
    layers, after = [{start.bits}], dict[tuple[int, str], list[tuple[int, int]]]()
    for _ in range(depth):
        for bits in layers[-1]:
            for name, piece in PIECES.items():
                if (bits, name) not in after:
                    found = moves(Board.from_bits(bits, 4, 4), piece, FOUR)
                    after[bits, name] = [(move.rows, move.after.bits) for move in found]
        layers.append({new for bits in layers[-1] for name in PIECES for _, new in after[bits, name]})
    values = {bits: float(bits % 97) / 8 for bits in layers[-1]}
    for layer in reversed(layers[:-1]):
        best = {bits: [max((rows + values[new] for rows, new in after[bits, name]), default=0.0) for name in PIECES]
                for bits in layer}  # fmt: skip
        values = {bits: sum(worth) / len(worth) for bits, worth in best.items()}
    return values[start.bits], len(layers[-1])


@exercise("13.3", "A clear improvement", answers="decide", points=2)
def clear_improvement(decide: Function, *, seed: int) -> Outcome:
    """Right when the old move is left only for one that is clearly better on the same pieces."""

    def show(scores: Ints, old: int) -> list[Any]:
        return [f"scores = {scores.tolist()}", f"old = {old}"]

    return first_difference(decide, decided, rollout_scores(seed), show=show)


def rollout_scores(seed: int) -> Iterator[tuple[Ints, int]]:
    """Scores of rollouts: equal ones, clear ones, and many between which the luck of the pieces is larger than the
    difference of the moves."""
    yield np.array([[3, 3, 3], [3, 3, 3]]), 1
    yield np.array([[1, 1, 1], [5, 5, 5]]), 0
    yield np.array([[1, 9, 2, 8], [2, 10, 3, 9]]), 0
    yield np.array([[0, 0, 0, 9], [1, 1, 1, 1]]), 1
    for number in range(40):
        draws = Draws(seed, 1330 + number)
        count, games = 2 + number % 5, 3 + number
        luck, own = draws.below(20, games), draws.below(4, (count, games))
        better = draws.below(3, count)[:, None] * (number % 3 > 0)
        yield luck + own + better, int(draws.below(count))


def decided(scores: Ints, old: int) -> int:
    """The move with the highest mean, if its lead over the old one exceeds two standard errors of their difference."""
    sums = [int(row.sum()) for row in scores]
    best = sums.index(max(sums))
    ahead = [int(a) - int(b) for a, b in zip(scores[best], scores[old], strict=True)]
    games, mean = len(ahead), sum(ahead) / len(ahead)
    variance = sum((one - mean) ** 2 for one in ahead) / (games - 1)
    return best if mean > 2 * (variance / games) ** 0.5 else old


prose("13.4", "Wrong by at most ε", points=3, kind="proof")


# --- the best plan on a budget --------------------------------------------------------------------

POSITIONS, FEWEST, TOP, BASE = 40, 30, 120, "dellacherie"
BUDGETS = {300: (2.0, 0.6), 150: (1.0,)}
"""By the number of rollouts for a position: mean regrets, in lines, below which a rung is reached; measured by
`python tests/benchmarks/check_bars.py 13.5`."""


@cache
def base_values() -> PlayerValues:
    """What the base player still makes from every board of 4x4."""
    return exact_value(BASE, FOUR, progress=False, everywhere=True)


class Plans:
    """All pairs of moves of two known pieces, as a student can ask about them; it refuses when the budget is spent."""

    def __init__(self, values: Any, scores: Ints, budget: int):
        self.values, self.scores, self.left = values, scores, budget
        self.asked = [0] * len(values)

    def play(self, plan: Any, games: Any) -> list[int]:
        """The lines of further rollouts of a plan."""
        k, count = whole_number("plan", plan, 0, len(self.asked) - 1), whole_number("games", games, 0)
        if count > self.left:
            raise RuntimeError(f"play was asked for {count:,} rollouts, but only {self.left:,} are left")
        first, self.left = self.asked[k], self.left - count
        self.asked[k] += count
        return list(self.scores[k, first : first + count].tolist())


@cache
def positions(seed: int) -> tuple[tuple[Any, Ints], ...]:
    """The exact values of the plans of each position, and the scores of their rollouts, on common pieces."""
    base, most = base_values(), max(BUDGETS)
    best_boards = np.argsort(-base.table[:-1, 0], kind="stable")[:TOP]
    roll, draws, found = Rollouts(BASE, most, None, seed % 1000), Draws(seed, 1305), list[tuple[Any, Ints]]()
    long = [PIECES[name] for name in "TJL"]
    while len(found) < POSITIONS:
        board = Board.from_bits(int(base.boards.boards[best_boards[int(draws.below(TOP))]]), 4, 4)
        first, second = (long[int(k)] for k in draws.below(3, 2))
        values, scores, choices = list[float](), list[Ints](), moves(board, first, FOUR)
        for move in choices if len(choices) > 5 else ():
            answers = roll.values(move.after, second, rules=FOUR)
            values += [move.rows + base.worth(answer) for answer in answers.moves]
            scores += [row + move.rows for row in answers.scores]
        if len(values) >= FEWEST:
            shift = most * len(found) // POSITIONS  # so that not every position meets the same pieces
            found.append((np.array(values), np.roll(np.array(scores), -shift, axis=1)))
    return tuple(found)


@exercise("13.5", "A budget of rollouts", answers="find_plan", points=3, kind="design")
def best_plan(find_plan: Function, *, seed: int) -> Outcome:
    """A point for each rung of mean regret that is reached, by exact values."""
    said, reached, missing = [], [], []
    for budget, bars in BUDGETS.items():
        lost = mean_regret(find_plan, seed, budget)
        if not isinstance(lost, float):
            return lost
        said.append(f"{lost:.2f} lines with {budget} rollouts")
        for bar in bars:
            rung = f"less than {bar:g} lines with {budget} rollouts"
            (reached if lost < bar else missing).append(rung)
    return climbed(f"In {POSITIONS} positions a choice costs, on average, {' and '.join(said)}", reached, missing)


def mean_regret(find_plan: Function, seed: int, budget: int) -> float | Outcome:
    """How many lines the chosen plans are worth less than the best ones; or what is wrong with what is returned."""
    lost = []
    for values, scores in positions(seed):
        plans = Plans(values, scores, budget)
        chosen = find_plan(plans.play, len(values), budget)
        if is_missing(chosen):
            return nothing_yet("find_plan")
        if isinstance(chosen, bool) or not isinstance(chosen, int | np.integer) or not 0 <= chosen < len(values):
            return expected(f"the number of a plan, from 0 to {len(values) - 1}", chosen)
        lost.append(float(values.max() - values[chosen]))
    return float(np.mean(lost))


# --- a thousand moves a decision ------------------------------------------------------------------

ARENA, GAMES, PIECES_SEED, MOST_VALUED = Rules(height=6), 1000, 1306, 1000
RIVAL, CLEARLY = LookAhead("dn", width=2), float(np.exp(1.96 * np.sqrt(2 / GAMES)))


def valued(width: int | None) -> float:
    """How many moves are valued for a decision on ten columns, on average, if so many first moves are looked at."""
    counts = [sum(10 - shape.width + 1 for shape in piece.orientations) for piece in PIECES.values()]
    first = [min(count, width or count) for count in counts]
    return sum(counts) / 7 + sum(first) / 7 * sum(counts)


@exercise("13.6", "A thousand moves a decision", answers="mine", points=3, kind="open")
def within_a_thousand(mine: Any, *, seed: int) -> Outcome:
    """Right when a player of one's own looks ahead within the budget, and is clearly better than DN that does."""
    if not isinstance(mine, LookAhead):
        return expected("a player that looks ahead, `tc.LookAhead(tc.Player(...), width=...)`", mine)
    if mine.sees_next:
        return Wrong("This player is shown the next piece. Here it is unknown.")
    if twin := published_twin(mine.player, ARENA.width):
        return Wrong(f"These are the weights of the published player {twin}. Change something, and make them your own.")
    if (cost := valued(mine.search.width)) > MOST_VALUED:
        return Wrong(f"This player values {cost:,.0f} moves for a decision; {MOST_VALUED:,} are allowed.")
    scores, rival = played(mine, ARENA, GAMES, PIECES_SEED), rival_scores()
    if isinstance(scores, Wrong):
        return scores
    low, high = scores.interval()
    said = (f"Your player clears {scores.mean:.1f} lines a game on 10x6 ({low:.1f} to {high:.1f}, {GAMES:,} games) and "
            f"values {cost:,.0f} moves for a decision; DN with two first moves clears {rival.mean:.1f}")  # fmt: skip
    if scores.mean > CLEARLY * rival.mean:
        return Right(f"{said}.")
    return Wrong(f"{said}. Clearly more would be {CLEARLY:.2f} times as many.")


@cache
def rival_scores() -> Scores:
    """The games of the player to beat."""
    return simulate(RIVAL, ARENA, GAMES, PIECES_SEED, progress=False)
