"""Scores and what they tell: means with intervals, the exponential law, comparisons on common pieces.

A good player survives thousands of near-deaths, each as likely to be the last as any other. So its scores are close to
exponential (Fahey's conjecture, tested by Szita and Lőrincz 2006): their sd is their mean, and N games tell the mean
only to within 2/sqrt(N). Start reading at Scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, exp, inf, isfinite, log, nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from tetriscourse import inference
from tetriscourse.errors import InputError, one_of, readable, whole_number, whole_numbers
from tetriscourse.game.rules import RESEARCH, Rules, as_rules
from tetriscourse.inference import ExponentialFit, Extrapolation, agree, expected_best, extrapolate
from tetriscourse.random_numbers import Floats, Ints

__all__ = [
    "Comparison", "ExponentialFit", "Extrapolation", "Scores", "agree", "compare_scores", "expected_best",
    "extrapolate",
]  # fmt: skip

COUNTS = ("lines", "points", "pieces")
INTERVALS = ("exact", "relative", "normal")


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The results of one player's games, one entry per game."""

    lines: Ints
    pieces: Ints
    points: Ints
    finished: npt.NDArray[np.bool_]  # True when the game was lost, False when a piece limit or Ctrl-C stopped it
    heights: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # visits of height 0, 1, 2, ... after a move
    player: str = "player"
    rules: Rules = field(default_factory=Rules)
    seed: int | tuple[int, ...] = 0  # seed of the pieces; one for each part of a merged result
    interrupted: bool = False
    threads: int = 1
    moves_per_second: float = 0.0  # moves per second of one core; 0: not measured

    def __post_init__(self) -> None:
        for name in (*COUNTS, "heights"):
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        object.__setattr__(self, "finished", np.asarray(self.finished, np.bool_))
        for name in ("pieces", "points", "finished"):
            if getattr(self, name).shape != self.lines.shape:
                raise InputError(f"{name} has {getattr(self, name).size} values; lines has {self.lines.size}")

    @classmethod
    def of(
        cls,
        lines: Sequence[int] | Ints,
        *,
        pieces: Sequence[int] | Ints | None = None,
        points: Sequence[int] | Ints | None = None,
        finished: Sequence[bool] | None = None,
        player: str = "player",
        rules: Rules | str | None = None,
        seed: int = 0,
    ) -> Scores:
        """Scores from lines; by default, pieces are the fewest that fill that many, and points are the lines."""
        lines, rules = whole_numbers("lines", lines), as_rules(rules or RESEARCH)
        fewest = -(-lines * rules.width // rules.pieces[0].size)
        return cls(
            lines,
            whole_numbers("pieces", fewest if pieces is None else pieces),
            whole_numbers("points", lines if points is None else points),
            np.ones(lines.size, np.bool_) if finished is None else np.asarray(finished, np.bool_),
            player=player, rules=rules, seed=seed,
        )  # fmt: skip

    def __len__(self) -> int:
        return self.lines.size

    @property
    def mean(self) -> float:
        """Lines per game, unfinished games counted as they stand."""
        return self.mean_of("lines")

    @property
    def mean_points(self) -> float:
        """Points per game, unfinished games counted as they stand."""
        return self.mean_of("points")

    @property
    def sd(self) -> float:
        """Standard deviation of the lines; about the mean if the scores are exponential."""
        return self.sd_of("lines")

    @property
    def exponential_mean(self) -> float:
        """Lines per game if all were played to the end: all lines divided by the number of finished games."""
        return self.exponential_mean_of("lines")

    def mean_of(self, of: str) -> float:
        """Mean of lines, points or pieces; nan without a game."""
        return float(self._column(of).mean()) if len(self) else nan

    def sd_of(self, of: str) -> float:
        """Standard deviation of lines, points or pieces; nan with fewer than two games."""
        return float(self._column(of).std(ddof=1)) if len(self) > 1 else nan

    def exponential_mean_of(self, of: str) -> float:
        """The maximum-likelihood mean of an exponential law when some games were stopped; inf if all were."""
        ended = int(self.finished.sum())
        return float(self._column(of).sum()) / ended if ended else inf

    def interval(self, confidence: float = 0.95, of: str = "lines", method: str = "exact") -> tuple[float, float]:
        """The interval that contains the true mean with this confidence.

        exact: for an exponential law, from the chi-square distribution. relative: its approximation
        mean * (1 -+ 2/sqrt(N)). Both are about games played to the end, even if these were not.
        normal: from the standard deviation, about games stopped where these were.
        """
        if not 0 < confidence < 1:
            raise InputError(f"confidence is {confidence!r}; it must be between 0 and 1")
        one_of("method", method, INTERVALS)
        total, ended = float(self._column(of).sum()), int(self.finished.sum())
        if method == "exact":
            return inference.exponential_interval(total, ended, len(self) - ended, confidence)
        if method == "relative":
            return inference.relative_interval(self.exponential_mean_of(of), ended, confidence)
        return inference.student_interval(self.mean_of(of), self.sd_of(of), len(self), confidence)

    def fit(self, of: str = "lines") -> ExponentialFit:
        """Kolmogorov and Smirnov's test of the exponential law; every game must have been played to the end."""
        values, stopped = self._column(of), int((~self.finished).sum())
        if stopped or len(self) < 2 or not values.any():
            raise InputError(
                f"{of} holds {len(self)} games, {stopped} of them stopped; "
                "a fit needs at least two, all played to the end, not all 0"
            )
        return inference.fit_exponential(values)

    def merge(self, other: Scores) -> Scores:
        """These games and the others together: same player, same rules, different seeds."""
        for name in ("player", "rules"):
            if getattr(self, name) != getattr(other, name):
                raise InputError(f"{name} is '{getattr(self, name)}' and '{getattr(other, name)}'; they must be equal")
        if twice := set(self.seeds) & set(other.seeds):
            raise InputError(f"seed is {min(twice)} in both; merged, the same games would count twice")
        heights = np.zeros(max(self.heights.size, other.heights.size), np.int64)
        for part in (self, other):
            heights[: part.heights.size] += part.heights
        moves, seconds = self.pieces.sum() + other.pieces.sum(), self._core_seconds() + other._core_seconds()
        counted: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in (*COUNTS, "finished")
        }
        return replace(
            self, heights=heights, seed=self.seeds + other.seeds, interrupted=self.interrupted or other.interrupted,
            threads=max(self.threads, other.threads),
            moves_per_second=float(moves / seconds) if 0 < seconds < inf else 0.0, **counted,
        )  # fmt: skip

    def _core_seconds(self) -> float:
        """Seconds of one core that the moves took; inf if not measured."""
        return float(self.pieces.sum()) / self.moves_per_second if self.moves_per_second else inf

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seed of each part."""
        return self.seed if isinstance(self.seed, tuple) else (self.seed,)

    def _column(self, of: str) -> Ints:
        column: Ints = getattr(self, one_of("of", of, COUNTS))
        return column

    def __str__(self) -> str:
        stopped = int((~self.finished).sum())
        low, high = self.interval(method="normal" if stopped else "exact")
        games = f"{len(self)} game{'s' * (len(self) != 1)}"
        text = f"{self.player} on {self.rules}: {games}, mean {readable(self.mean)} lines"
        text += f" (95 %: {readable(low)} to {readable(high)})"
        text += f", {stopped} stopped before the end" if stopped else ""
        return text + (", interrupted" if self.interrupted else "")

    def __repr__(self) -> str:
        return f"Scores({self})"


def interval_method(scores: Scores) -> str:
    """The interval for a mean; scores of stopped games are not exponential, so theirs is from the sd."""
    return "exact" if bool(scores.finished.all()) else "normal"


@dataclass(frozen=True)
class Comparison:
    """Two players on common pieces, game by game."""

    a: str
    b: str
    games: int
    difference: float  # mean of a minus mean of b, in lines
    ratio: float  # mean of a divided by mean of b
    low: float
    high: float  # the interval of the ratio, from the paired games on the log scale
    p_value: float  # probability of signed ranks as uneven as these between equal players (Wilcoxon)
    share_won: float  # share of the games in which a has more lines; ties count half
    correlation: float  # between paired games: the gain from common pieces; nan if a player always scores the same
    games_needed: int | None  # games that would show such a ratio four times out of five; None for a ratio of 1
    confidence: float = 0.95

    @property
    def better(self) -> str | None:
        """The name of the better player, None if these games do not tell."""
        # A mean of 0 has no logarithm and so no interval: there the ranks decide.
        unsure = self.low <= 1 <= self.high if 0 < self.ratio < inf else not self.p_value < 1 - self.confidence
        return None if unsure or self.ratio == 1 else self.a if self.ratio > 1 else self.b

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        a, b, ratio, low, high = self.a, self.b, self.ratio, self.low, self.high
        if self.better == self.b and self.better != self.a:
            a, b = b, a
            ratio, low, high = (1 / value if value else inf for value in (ratio, high, low))
        factor = f"{ratio:.3g} times the lines, {100 * self.confidence:g} %: {low:.3g} to {high:.3g}"
        if self.better is not None:
            return f"{a} is better than {b}: {factor}, in {self.games} common games"
        more = f"; about {self.games_needed:,} games would" if self.games_needed else ""
        return f"{self.games} common games do not tell {a} from {b} ({factor}){more}"

    def __str__(self) -> str:
        return self.verdict

    def __repr__(self) -> str:
        return f"Comparison({self})"


def compare_scores(a: Scores, b: Scores, confidence: float = 0.95) -> Comparison:
    """Which of two players clears more lines, from their games on the same pieces."""
    _check_common(a, b)
    x, y, n = a.lines.astype(np.float64), b.lines.astype(np.float64), len(a)
    spread = _log_ratio_sd(x, y)
    ratio = a.mean / b.mean if b.mean else inf if a.mean else 1.0
    half, needed = spread * inference.student_quantile(confidence, n - 1) / sqrt(n), None
    bounded = 0 < ratio < inf and isfinite(half)
    if bounded and ratio != 1:
        seen = inference.normal_quantile((1 + confidence) / 2) + inference.normal_quantile(0.8)
        needed = max(2, ceil((seen * spread / log(ratio)) ** 2))
    varies = n > 1 and x.std() > 0 and y.std() > 0
    return Comparison(
        a.player, b.player, n, a.mean - b.mean, ratio,
        ratio * exp(-half) if bounded else 0.0, ratio * exp(half) if bounded else inf,
        inference.signed_rank_test(x - y), float(np.mean((x > y) + (x == y) / 2)),
        float(np.corrcoef(x, y)[0, 1]) if varies else nan, needed, confidence,
    )  # fmt: skip


def _check_common(a: Scores, b: Scores) -> None:
    """Raise an error unless the games of both can be paired."""
    for name, of_a, of_b in (("seed", a.seed, b.seed), ("rules", a.rules, b.rules), ("games", len(a), len(b))):
        if of_a != of_b:
            raise InputError(f"{name} is {str(of_a)!r} for a and {str(of_b)!r} for b; common pieces need them equal")
    whole_number("games", len(a), 1)
    if a.interrupted or b.interrupted:
        raise InputError(f"{'a' if a.interrupted else 'b'} was interrupted; only whole results can be paired")


def _log_ratio_sd(x: Floats, y: Floats) -> float:
    """Standard deviation of log(mean x / mean y) for one pair of games, by the delta method."""
    if x.size < 2 or not x.any() or not y.any():
        return inf
    return float((x / x.mean() - y / y.mean()).std(ddof=1))
