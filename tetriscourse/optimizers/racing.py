"""Racing: find the mu best candidates of a noisy function with as few evaluations as possible.

Start at `Race`, which evaluates all candidates, and then only those that cannot yet be told apart (Heidrich-Meisner
and Igel, as in Boumaza 2013, section 5.2). `Racing` carries the limit of evaluations from race to race:

    racing = Racing(RacingSettings(bound="hoeffding"))
    while not optimizer.stop():
        x = optimizer.ask()
        race = racing.next_race(len(x), mu)
        while race.wanted:
            race.add(race.wanted, [play(x[i], game=race.rounds) for i in race.wanted])
        racing.settle(race)
        optimizer.tell(x, race.scores())
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, finite_numbers, real_number, shown, whole_number
from tetriscourse.random_numbers import Floats, Ints
from tetriscourse.settings import Settings, chosen_settings, setting


@dataclass(frozen=True, eq=False)
class Estimates:
    """The quantities that the bounds depend on, for some candidates."""

    mean: Floats
    sd: Floats
    r: Ints  # evaluations of each
    n_b: int  # most evaluations in the race: lambda r_limit
    delta: float  # 1 - confidence
    R: float  # the length of the range of scores


def hoeffding(of: Estimates) -> Floats:
    """R sqrt((log(2 n_b) - log(delta)) / 2r): scores in a range of length R, whatever their distribution."""
    return np.asarray(of.R * np.sqrt((np.log(2 * of.n_b) - np.log(of.delta)) / (2 * of.r)))


def bernstein(of: Estimates) -> Floats:
    """sd sqrt(2 (log(3 n_b) - log(delta)) / r) + 3R (log(3 n_b) - log(delta)) / r: tighter if scores vary little."""
    logs = np.log(3 * of.n_b) - np.log(of.delta)
    return np.asarray(of.sd * np.sqrt(2 * logs / of.r) + 3 * of.R * logs / of.r)


def tetris(of: Estimates) -> Floats:
    """2 mean / sqrt(r), for exponential scores as in Tetris: a rule of thumb, 95 % for one look at one candidate."""
    return np.asarray(2 * np.abs(of.mean) / np.sqrt(of.r))


BOUNDS: dict[str, Callable[[Estimates], Floats]] = {"hoeffding": hoeffding, "bernstein": bernstein, "tetris": tetris}


@dataclass(frozen=True)
class RacingSettings(Settings):
    """Settings of a race; the defaults are those of Boumaza 2013, section 5.3."""

    bound: str = setting("hoeffding", "the half-width of an interval: " + ", ".join(BOUNDS), one_of=BOUNDS)
    delta: float = setting(0.05, "probability that a decided race is wrong, at most (not for tetris)", above=0, below=1)
    low: float = setting(150.0, "scores are almost surely above it")
    high: float = setting(2000.0, "scores are almost surely below it", above="low")
    alpha: float = setting(1.5, "factor of the limit, up or down; 1.5 is Heidrich-Meisner and Igel's", above=1)
    r_min: int = setting(3, "the lowest limit of evaluations of a candidate, and the first", at_least=1)
    r_max: int = setting(100, "the highest limit", at_least="r_min")


class Race:
    """A race among candidates 0, 1, ... for mu places."""

    def __init__(self, settings: RacingSettings, *, candidates: int, mu: int, limit: float):
        self.settings = settings
        self.candidates = whole_number("candidates", candidates, 2)
        self.mu = whole_number("mu", mu, 1, self.candidates - 1)
        self.limit = int(real_number("limit", limit, at_least=1))  # 4.5 allows 4 rounds
        self.rounds = 0
        self.counts, self.means = np.zeros(self.candidates, np.int64), np.zeros(self.candidates)
        self._squares = np.zeros(self.candidates)  # sums of squared deviations from the mean
        self.lower, self.upper = np.full(self.candidates, -np.inf), np.full(self.candidates, np.inf)
        self.undecided = list(range(self.candidates))
        self.selected: list[int] = []
        self.discarded: list[int] = []
        self.decided = False  # the mu best were told apart, rather than the limit reached

    @property
    def wanted(self) -> list[int]:
        """The candidates to evaluate once more; none when the race is over."""
        return self.undecided.copy()

    def add(self, indices: Sequence[int], values: Sequence[float] | Floats) -> None:
        """Play a round: one new score for each candidate wanted."""
        scores = np.array(finite_numbers("values", values))
        if sorted(indices) != self.undecided or not self.undecided:
            raise InputError(f"indices is {shown(list(indices))}; it must be those wanted: {shown(self.undecided)}")
        if len(scores) != len(indices):
            raise InputError(f"values has {len(scores)} numbers; it must have {len(indices)}, one for each index")
        self.rounds += 1
        i = np.array(indices)
        self._estimate(i, scores)
        self._tighten(i)
        while self._decide():
            pass
        self._finish()

    def _estimate(self, i: Ints, scores: Floats) -> None:
        """Update counts, means and variances with one more score."""
        self.counts[i] += 1
        before = scores - self.means[i]
        self.means[i] += before / self.counts[i]
        self._squares[i] += before * (scores - self.means[i])

    def _tighten(self, i: Ints) -> None:
        """lb = max(lb, mean - c) and ub = min(ub, mean + c); the paper prints lb for ub in the second."""
        s, r = self.settings, self.counts[i]
        c = BOUNDS[s.bound](Estimates(self.means[i], self.sds[i], r, self.allowed, s.delta, abs(s.high - s.low)))
        self.lower[i] = np.maximum(self.lower[i], self.means[i] - c)
        self.upper[i] = np.minimum(self.upper[i], self.means[i] + c)

    def _decide(self) -> bool:
        """Select or discard one candidate whose case is clear; whether there was one."""
        places, losers = self.mu - len(self.selected), self.candidates - self.mu - len(self.discarded)
        if not (places and losers):
            return False
        u = sorted(self.undecided, key=lambda i: -self.means[i])
        better = self.lower[u][:, None] > self.upper[u]  # better[i, j]: i is surely better than j
        np.fill_diagonal(better, False)
        # Bounds that tightened too far can say both i > j and j > i, so the clearest case comes first.
        for i, beats in zip(u, better.sum(axis=1), strict=True):
            if beats >= losers:
                return self._move(i, self.selected)
        for i, beaten_by in zip(reversed(u), better.sum(axis=0)[::-1], strict=True):
            if beaten_by >= places:
                return self._move(i, self.discarded)
        return False

    def _finish(self) -> None:
        """When mu are selected, all others discarded, or the limit is reached, the best means take the places left."""
        self.decided = len(self.selected) == self.mu or len(self.discarded) == self.candidates - self.mu
        if self.decided or self.rounds == self.limit:
            for i in sorted(self.undecided, key=lambda i: -self.means[i]):
                self._move(i, self.selected if len(self.selected) < self.mu else self.discarded)

    def _move(self, i: int, to: list[int]) -> bool:
        self.undecided.remove(i)
        to.append(i)
        return True

    @property
    def sds(self) -> Floats:
        """The standard deviations of the scores, with divisor r as in the paper."""
        return np.asarray(np.sqrt(self._squares / np.maximum(self.counts, 1)))

    @property
    def evaluations(self) -> int:
        """Evaluations so far."""
        return int(self.counts.sum())

    @property
    def allowed(self) -> int:
        """Evaluations without racing: every candidate up to the limit."""
        return self.candidates * self.limit

    def scores(self) -> Floats:
        """The means, lowered where a discarded candidate would rank above a selected one."""
        if self.undecided:
            raise InputError(f"undecided is {shown(self.undecided)}; there must be nobody left before scores are known")
        scores = self.means.copy()
        highest = np.nextafter(scores[self.selected].min(), -np.inf)
        scores[self.discarded] = np.minimum(scores[self.discarded], highest)
        return scores

    def __repr__(self) -> str:
        state = f"{len(self.undecided)} undecided" if self.undecided else "over"
        used = f"{self.rounds} of {self.limit} rounds, {self.evaluations:,} of {self.allowed:,} evaluations"
        return f"Race({self.candidates} for {self.mu} places, {self.settings.bound}; {state} after {used})"


class Racing:
    """A sequence of races, with a limit that adapts to their difficulty."""

    def __init__(self, settings: RacingSettings | str | None = None, **changes: Any):
        named = {bound: RacingSettings(bound) for bound in BOUNDS}
        self.settings: RacingSettings = chosen_settings(settings, RacingSettings(), changes, named)
        self.r_limit = float(self.settings.r_min)
        self.races = self.decided = self.evaluations = self.allowed = 0

    def next_race(self, candidates: int, mu: int) -> Race:
        """A race with the current limit."""
        return Race(self.settings, candidates=candidates, mu=mu, limit=self.r_limit)

    def settle(self, race: Race) -> None:
        """r_limit = max(r_limit / alpha, r_min) if the race was decided, otherwise min(alpha r_limit, r_max)."""
        if race.undecided:
            raise InputError(f"race is {race!r}; it must be over")
        s = self.settings
        self.r_limit = max(self.r_limit / s.alpha, s.r_min) if race.decided else min(self.r_limit * s.alpha, s.r_max)
        self.races += 1
        self.decided += race.decided
        self.evaluations += race.evaluations
        self.allowed += race.allowed

    def state(self) -> dict[str, float]:
        """Everything that changes from race to race."""
        return {name: getattr(self, name) for name in ("r_limit", "races", "decided", "evaluations", "allowed")}

    def restore(self, state: Mapping[str, Any]) -> None:
        for name in self.state():
            setattr(self, name, float(state[name]) if name == "r_limit" else int(state[name]))

    def __repr__(self) -> str:
        used = f"{self.decided} of {self.races} races decided, {self.evaluations:,} of {self.allowed:,} evaluations"
        return f"Racing({self.settings.bound}; {used}, next limit {self.r_limit:.3g})"
