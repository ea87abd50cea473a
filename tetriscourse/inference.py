"""Inference from plain numbers: intervals, tests, fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erfc, exp, inf, isfinite, log, sqrt

import numpy as np

from tetriscourse.errors import InputError, readable, whole_number, whole_numbers
from tetriscourse.random_numbers import Floats, Ints

# scipy.special is imported where it is used: `import tetriscourse` should not wait for it.


def normal_quantile(probability: float) -> float:
    """The value below which a standard normal number lies with this probability."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def student_quantile(confidence: float, freedom: int) -> float:
    """Half the width of the central interval of Student's law with this probability; inf without freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2)) if freedom > 0 else inf


def exponential_interval(total: float, ended: int, stopped: int = 0, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of an exponential mean: 2 total / mean is chi-square with 2 N degrees of freedom.

    With stopped games, N is the number of games that ended, plus one for the lower end: how many end before the
    limit is random as well, and without the extra one the interval would miss too often.
    """
    from scipy.special import chdtri

    tail = (1 - confidence) / 2
    freedom = 2 * ended + (2 if stopped or not ended else 0)
    high = 2 * total / float(chdtri(2 * ended, 1 - tail)) if ended else inf
    return 2 * total / float(chdtri(freedom, tail)), high


def relative_interval(mean: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """mean * (1 -+ 2/sqrt(N)), since the sd of an exponential law is its mean; Thiery and Scherrer round 1.96 to 2."""
    quantile = 2.0 if confidence == 0.95 else normal_quantile((1 + confidence) / 2)
    return _around(mean, quantile * mean / sqrt(games) if games else inf)


def student_interval(mean: float, sd: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """mean -+ t sd/sqrt(N), for scores of unknown law."""
    return _around(mean, student_quantile(confidence, games - 1) * sd / sqrt(games) if games > 1 else inf)


def _around(mean: float, half: float) -> tuple[float, float]:
    """mean -+ half, cut at 0; everything if half is unknown."""
    return (max(0.0, mean - half), mean + half) if isfinite(half) else (0.0, inf)


def agree(mean_a: float, relative_a: float, mean_b: float, relative_b: float) -> bool:
    """Whether two means, each known to within a relative half-width, agree within their joint interval.

    agree(220_000, 0.20, 284_763, 0.11) is False: log(284,763 / 220,000) = 0.26 > sqrt(0.20² + 0.11²) = 0.23.
    On the log scale it does not matter which of the two comes first.
    """
    for name, mean in (("mean_a", mean_a), ("mean_b", mean_b)):
        if not 0 < mean < inf:
            raise InputError(f"{name} is {mean!r}; it must be a positive number")
    for name, relative in (("relative_a", relative_a), ("relative_b", relative_b)):
        if not 0 <= relative < inf:
            raise InputError(f"{name} is {relative!r}; it must be a share such as 0.2 for 20 %")
    return abs(log(mean_a / mean_b)) <= sqrt(relative_a**2 + relative_b**2)


SIMULATED, LARGEST_SIMULATED = 4000, 400


@dataclass(frozen=True)
class ExponentialFit:
    """Distance of scores from the exponential law with their mean."""

    mean: float
    statistic: float  # largest difference between the share of games up to a score and the law's
    p_value: float  # probability of such a distance under the law, its mean being estimated as well (Lilliefors)
    naive_p_value: float  # the p-value as if the mean were known beforehand: too forgiving

    def __str__(self) -> str:
        return f"exponential with mean {self.mean:,.4g}: distance {self.statistic:.3f}, p = {self.p_value:.3f}"

    def __repr__(self) -> str:
        return f"ExponentialFit({self})"


def fit_exponential(values: Floats | Ints) -> ExponentialFit:
    """Kolmogorov and Smirnov's test against the exponential law with the mean of the values."""
    from scipy.special import kolmogorov

    n, distance = values.size, float(ks_distance(np.sort(values.astype(np.float64))[None, :])[0])
    law = _distances_if_exponential(min(n, LARGEST_SIMULATED))
    beyond = int((law >= _scaled(np.array([distance]), n)).sum())
    naive = float(kolmogorov(distance * (sqrt(n) + 0.12 + 0.11 / sqrt(n))))  # Stephens 1970
    return ExponentialFit(float(values.mean()), distance, (beyond + 1) / (law.size + 1), naive)


def ks_distance(values: Floats) -> Floats:
    """For each row of sorted values, its distance from the exponential law with its mean."""
    n = values.shape[1]
    law = -np.expm1(-values / values.mean(axis=1, keepdims=True))
    steps = np.arange(n + 1) / n
    return np.asarray(np.maximum((steps[1:] - law).max(axis=1), (law - steps[:-1]).max(axis=1)))


def _scaled(distance: Floats, n: int) -> Floats:
    """The distance, made comparable for different numbers of games (Stephens 1974)."""
    return (distance - 0.2 / n) * (sqrt(n) + 0.26 + 0.5 / sqrt(n))


@lru_cache(maxsize=32)
def _distances_if_exponential(n: int) -> Floats:
    """Scaled distances of many simulated sets of n scores that follow the law."""
    uniform = np.random.Generator(np.random.PCG64(n)).random((SIMULATED, n))
    # By the logarithm: numpy's own exponential numbers may differ between versions.
    return _scaled(ks_distance(np.sort(-np.log1p(-uniform), axis=1)), n)


def signed_rank_test(differences: Floats) -> float:
    """Wilcoxon's test: the probability of signed ranks as uneven as these if coins decided the signs.

    Differences of 0 are left out, equal ones share their ranks, and the sum of ranks is treated as normal.
    """
    sizes = np.abs(differences[differences != 0])
    if not sizes.size:
        return 1.0
    _, group, members = np.unique(sizes, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(members) - (members - 1) / 2)[group]
    # Each rank adds +r or -r: mean 0, variance r². A step of the sum is 2: half of it for continuity.
    uneven = abs(float((ranks * np.sign(differences[differences != 0])).sum()))
    return min(1.0, erfc(max(0.0, uneven - 1) / sqrt(2 * float((ranks**2).sum()))))


def expected_best(players: int, games: int) -> float:
    """How many times its true mean the best of so many equal players will show, with so many games each, on average.

    For exponential scores. With one game each it is 1 + 1/2 + ... + 1/players: after the first of the games has ended,
    the others begin anew, being one fewer. A mean of n games follows a gamma law, which gives an integral.
    """
    from scipy.integrate import quad
    from scipy.special import gammainc

    whole_number("players", players, 1)
    if whole_number("games", games, 1) == 1:
        return float(sum(1 / left for left in range(1, players + 1)))
    width = 1 / sqrt(games)  # of the gamma law; the best of any number that matters lies within 40 of them
    beyond, _ = quad(lambda x: 1 - gammainc(games, games * x) ** players, 0, 1 + 40 * width, points=[1], limit=200)
    return float(beyond)


FEWEST_VISITS = 10


@dataclass(frozen=True)
class Extrapolation:
    """The length of a game, estimated from how rarely the pile was high."""

    first: int
    last: int  # the range of heights to which the line was fitted
    slope: float  # change of the log frequency per row
    pieces: float
    lines: float
    low: float
    high: float  # a rough 95 % interval of the lines, as if the line held up to the top

    def __str__(self) -> str:
        return (
            f"about {readable(self.lines)} lines, often far too few (rough: {readable(self.low)} to "
            f"{readable(self.high)}), "
            f"from heights {self.first} to {self.last}, each {exp(self.slope):.3g} times as frequent as the one below"
        )

    def __repr__(self) -> str:
        return f"Extrapolation({self})"


def extrapolate(
    heights: Sequence[int] | Ints, height: int, width: int = 10, cells: int = 4, first: int | None = None
) -> Extrapolation:
    """Fahey's second conjecture: high piles are exponentially rare, so that few moves tell how long games last.

    A line through the log frequencies, from just above the most frequent height (or from `first`) up to the
    highest that was seen often enough, is extended to height + 1, where the game is over: if 1 move in n gets
    there, a game lasts n pieces. This is imprecise, as Thiery and Scherrer found: visits come in bursts, and an
    error in the slope grows with every row up to the top. And it is often far too low: the true line bends down,
    and a player that refuses losing moves mostly finds another move where the line sees the end.
    """
    visited = whole_numbers("heights", heights)
    for name, value in (("height", height), ("first", 0 if first is None else first)):
        whole_number(name, value, 0)
    start = first if first is not None else int(visited.argmax()) + 1 if visited.size else 0
    rare = np.flatnonzero(visited[start : height + 1] < FEWEST_VISITS)
    last = start + int(rare[0]) - 1 if rare.size else min(visited.size - 1, height)
    if last - start < 2:
        raise InputError(
            f"heights has {max(0, last - start + 1)} values of at least {FEWEST_VISITS} from height {start} up; "
            "a line needs at least 3: play more pieces"
        )
    x, seen = np.arange(start, last + 1), visited[start : last + 1].astype(np.float64)
    y = np.log(seen / visited.sum())
    # All heights weigh the same, although high ones are seen less: the bend matters more than the counts.
    centre, spread = float(x.mean()), float(((x - x.mean()) ** 2).sum())
    slope = float(((x - centre) * y).sum()) / spread
    if slope >= 0:
        raise InputError(f"heights rise from {start} to {last}; high piles must get rarer")
    scatter = float(((y - y.mean() - slope * (x - centre)) ** 2).sum()) / (x.size - 2)
    ahead = height + 1 - centre
    # A count of n is precise to 1/sqrt(n) at best, however well the points happen to lie on a line.
    error = sqrt(max(scatter, float((1 / seen).mean())) * (1 / x.size + ahead**2 / spread))
    log_pieces, half = -(float(y.mean()) + slope * ahead), error * student_quantile(0.95, x.size - 2)
    pieces, low, high = (exp(min(log_pieces + shift, 700.0)) for shift in (0.0, -half, half))
    share = cells / width
    return Extrapolation(start, last, slope, pieces, pieces * share, low * share, high * share)
