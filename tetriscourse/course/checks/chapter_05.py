"""Judges of chapter 05: comparing players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import isfinite, sqrt
from typing import Any

import numpy as np

from tetriscourse.course.checks.cases import exponential_lines
from tetriscourse.course.differences import Function, first_difference, within
from tetriscourse.course.exercises import exercise, prose
from tetriscourse.course.outcomes import (
    NotAttempted,
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
from tetriscourse.errors import readable, whole_number
from tetriscourse.game.rules import Rules
from tetriscourse.inference import exponential_interval
from tetriscourse.players import PLAYERS
from tetriscourse.random_numbers import Draws, Ints
from tetriscourse.simulator import simulate


@exercise("05.1", "Games for an error", answers="games_needed", points=1)
def games_for_error(games_needed: Function, *, seed: int) -> Outcome:
    """Right when N is the smallest whole number whose error is no larger than the given one."""
    others = [round(float(value), 3) for value in 0.02 + 0.9 * Draws(seed, 501).uniform(20)]
    fair = [error for error in others if abs((2 / error) ** 2 % 1 - 0.5) < 0.499]  # rounding errors decide nothing
    cases = [(error,) for error in (0.5, 1.0, 2.0, 0.2, 0.1, 0.05, 0.37, *fair)]
    return first_difference(
        games_needed, lambda error: next(n for n in count(1) if 2 / sqrt(n) <= error * (1 + 1e-12)), cases, show="error"
    )


@exercise("05.2", "The exact interval", answers="exact_interval", points=2)
def interval(exact_interval: Function, *, seed: int) -> Outcome:
    """Right when both ends are those of the chi-square law, to six digits or four decimals."""
    draws = Draws(seed, 502)
    drawn = [exponential_lines(draws, 5.0 + 20 * k, 1 + k // 2).tolist() for k in range(16)]
    return first_difference(
        exact_interval, lambda lines: exponential_interval(sum(lines), len(lines)),
        [(lines,) for lines in ([10], [10, 20], *drawn)], same=within(1e-6, 1e-4), show="lines",
    )  # fmt: skip


@exercise("05.3", "The widest gap", answers="largest_gap", points=2)
def widest_gap(largest_gap: Function, *, seed: int) -> Outcome:
    """Right when the gap is that of two step functions, counted score by score."""
    return first_difference(largest_gap, counted_gap, pairs_of_scores(seed), show="a b")


def pairs_of_scores(seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Two lists of scores, short ones first; many scores occur in both."""
    yield from (([3], [5]), ([5], [3]), ([4], [4]), ([1, 2, 3], [2]), ([7, 1], [4, 4]))
    draws = Draws(seed, 503)
    for k in range(2, 30):
        a, b = (exponential_lines(draws, mean, n).tolist() for mean, n in ((4.0 + k, k), (3.0 + 2 * k, 1 + k // 2)))
        yield a, b


def counted_gap(a: Sequence[int], b: Sequence[int]) -> float:
    """The gap at every whole number of lines, by counting the games that end by then."""
    up_to = range(1 + max(*a, *b))
    return max(abs(sum(x <= k for x in a) / len(a) - sum(x <= k for x in b) / len(b)) for k in up_to)


WORDS = ("a", "b", "cannot tell")
CONTESTS: tuple[tuple[float, int, int, float, float], ...] = (
    (1.0, 60, 60, 0.0, 0.09), (1.0, 30, 150, 0.0, 0.1), (2.0, 100, 100, 0.85, 1.0), (0.5, 60, 180, 0.85, 1.0),
    (1.3, 400, 400, 0.6, 1.0),
)  # fmt: skip
"""Mean of a over mean of b, games of a and of b, and the least and greatest share of contests with a winner."""
REPEATS = 200


@exercise("05.4", "The better player", answers="who_is_better", points=2)
def fair_verdict(who_is_better: Function, *, seed: int) -> Outcome:
    """Right when it hardly ever ranks equal players, and mostly ranks unequal ones, the right way round."""
    same = [40, 10, 100, 25]
    first = who_is_better(list(same), list(same))
    if is_missing(first):
        return nothing_yet("who_is_better")
    if first != "cannot tell":
        return Wrong(f"Given the same scores twice, it says {clipped(first)}.", [f"a = b = {same}"])
    said = []
    for number, contest in enumerate(CONTESTS):
        outcome = contest_outcome(who_is_better, contest, Draws(seed, 540 + number))
        if isinstance(outcome, Wrong):
            return outcome
        said.append(outcome.text)
    return Right(f"Of {REPEATS} contests each, it found someone better: {'; '.join(said)}.")


def contest_outcome(verdict: Function, contest: tuple[float, int, int, float, float], draws: Draws) -> Right | Wrong:
    """Right when a verdict on many pairs of samples of the same two players is as sure as it should be."""
    ratio, games_a, games_b, least, most = contest
    better, times = "a" if ratio > 1 else "b", f"{max(ratio, 1 / ratio):g} times"
    found = 0
    for _ in range(REPEATS):
        a, b = exponential_lines(draws, 400 * ratio, games_a), exponential_lines(draws, 400, games_b)
        answer, pair = verdict(a.tolist(), b.tolist()), [described("a", a), described("b", b)]
        if not isinstance(answer, str) or answer not in WORDS:
            return Wrong(f"It says {clipped(answer)}; it should say 'a', 'b' or 'cannot tell'.", pair)
        if ratio != 1 and answer not in (better, "cannot tell"):
            return Wrong(f"Here it says {clipped(answer)}. Which of the two has more lines?", pair)
        found += answer != "cannot tell"
        if found > most * REPEATS:
            return Wrong("These two players are equal, and too often, as here, one of them is declared better.", pair)
    if found < least * REPEATS:
        text = f"One player is {times} as good as the other, but this is seen in only {found} of {REPEATS} contests."
        return Wrong(f"{text} It is too careful. The last contest was:", pair)
    who = "equal players" if ratio == 1 else f"{times} the lines"
    return Right(f"{found} ({who}, {games_a} and {games_b} games)")


def described(name: str, lines: Ints) -> str:
    """A list of scores in a few words."""
    return f"{name}: {len(lines)} games, mean {readable(float(lines.mean()))} lines"


LABELS = ("fair", "rules", "chance", "chosen")
CASES: dict[str, tuple[str, str]] = {
    "A": ("rules", "Do both programs end a game at the same moment?"),
    "B": ("fair", "How large is the difference compared with the two errors? And must both have the same pieces?"),
    "C": ("chance", "How large is the difference compared with the error of 100 games?"),
    "D": ("chosen", "Why were these 100 games the ones that were published?"),
    "E": ("rules", "What does one of the players know that the other does not?"),
    "F": ("fair", "Ten games are few. But how many does it take to see a factor of this size?"),
    "G": ("fair", "Which games are published: those by which it was found, or others?"),
    "H": ("chance", "1,600 games are many. How many does it take to see a ratio of this size?"),
}
"""The right label of each comparison, and a question for those who missed it."""


@exercise("05.5", "Reviewer for a day", answers="reviews", points=2)
def reviewed(reviews: Any, *, seed: int) -> Outcome:
    """Right when every comparison has its label."""
    if not isinstance(reviews, dict):
        return expected("a dict, such as `{'A': 'fair', ...}`", reviews)
    if all(is_missing(reviews.get(letter)) for letter in CASES):
        return NotAttempted("`reviews` says nothing about any comparison yet.")
    for letter, (label, question) in CASES.items():
        said = reviews.get(letter)
        if is_missing(said):
            return Wrong(f"There is no review of {letter} yet.")
        if said not in LABELS:
            return Wrong(f"The review of {letter} is {clipped(said)}; it should be one of {', '.join(LABELS)}.")
        if said != label:
            return Wrong(f"Look at {letter} again. {question}")
    return Right()


BOARD = Rules(height=8)
GAMES, LONGEST = 200, 1500


@exercise("05.6", "Double the score, and be found out", answers="easier noticed", points=3, kind="open")
def doubled(easier: Any, noticed: Any, *, seed: int) -> Outcome:
    """Right when Dellacherie's player clears twice the lines on a board of the same size, and `noticed` says how."""
    if short := too_short("noticed", noticed, "how would a careful reader notice?"):
        return short
    if not isinstance(easier, Rules):
        return expected("rules, such as `replace(board, ...)`", easier)
    if (easier.width, easier.height) != (BOARD.width, BOARD.height):
        return Wrong(f"This is a board of {easier.width}x{easier.height}, as anybody can see. Keep 10x8.")
    if easier.max_pieces:
        return Wrong("These games stop after a number of pieces. Let them be played to the end.")
    if replace(easier, scoring=BOARD.scoring) == BOARD:  # points are not lines
        said = "These are the rules of the research game: change a field that makes the game easier."
        return Wrong(said, [f"easier = {easier!r}"])
    player, short_games = PLAYERS["dellacherie"], replace(easier, max_pieces=LONGEST)
    before = simulate(player, BOARD, 1000, seed, progress=False).mean
    # Of very long games only the beginning is played; the exponential law, which has no memory, gives the rest.
    after = simulate(player, short_games, GAMES, seed, progress=False).exponential_mean
    said = f"about {readable(after)} lines" if isfinite(after) else f"no end within {LONGEST:,} pieces in {GAMES} games"
    said = f"Dellacherie's player: {said} by your rules, {readable(before)} by those of the research game"
    said += f", {after / before:.1f} times as many" if isfinite(after) else ""
    if after >= 2 * before:
        return Right(f"{said}.")
    return Wrong(f"{said}; at least twice as many are asked for.", [f"easier = {easier!r}"])


prose("05.7", "What common pieces are worth", points=3, kind="proof")


class Tournament:
    """Players of known means, whose games are counted; it refuses when the budget is spent."""

    def __init__(self, draws: Draws, players: int, budget: int):
        means = BEST_MEAN * WORSE ** draws.order(players)
        self.best, self.budget, self.played = int(means.argmax()), budget, [0] * players
        self.lines = np.ceil(-np.log(draws.uniform((players, budget))) * means[:, None]).astype(np.int64)

    def play(self, player: Any, games: Any) -> list[int]:
        """The scores of further games of a player."""
        k = whole_number("player", player, 0, len(self.played) - 1)
        first, count = self.played[k], whole_number("games", games, 0)
        if sum(self.played) + count > self.budget:
            left = self.budget - sum(self.played)
            raise RuntimeError(f"play was asked for {count:,} games, but only {left:,} of {self.budget:,} are left")
        self.played[k] += count
        return list(self.lines[k, first : first + count].tolist())


PLAYED, BUDGET, TOURNAMENTS = 16, 1600, 300
BEST_MEAN, WORSE = 300.0, 0.88
FOUND = (0.36, 0.62, 0.88)
"""In eight times 300 tournaments one game each finds the best player in 23 %, ten games each in 48 %, equal shares in
81 %, two stages in 93 %, halving in 96 %: python tests/benchmarks/check_bars.py 05.8."""


@exercise("05.8", "A budget of 1,600 games", answers="find_best", points=3, kind="design")
def best_found(find_best: Function, *, seed: int) -> Outcome:
    """Right when the best of sixteen players is found in most tournaments, on the budget."""
    found = times_found(find_best, seed)
    if not isinstance(found, int):
        return found
    rungs = [f"the best player found in more than {share:.0%} of the tournaments" for share in FOUND]
    reached = sum(found > share * TOURNAMENTS for share in FOUND)
    return climbed(f"Found in {found} of {TOURNAMENTS}", rungs[:reached], rungs[reached:])


def times_found(find_best: Function, seed: int) -> int | Outcome:
    """In how many tournaments a plan finds the best player; or what is wrong with what it returns."""
    found = 0
    for number in range(TOURNAMENTS):
        hidden = Tournament(Draws(seed, 58_000 + number), PLAYED, BUDGET)
        named = find_best(hidden.play, PLAYED, BUDGET)
        if is_missing(named):
            return nothing_yet("find_best")
        if isinstance(named, bool) or not isinstance(named, int | np.integer) or not 0 <= named < PLAYED:
            return expected(f"the number of a player, from 0 to {PLAYED - 1}", named)
        found += int(named) == hidden.best
    return found
