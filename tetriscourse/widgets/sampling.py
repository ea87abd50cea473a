"""Sampling panel: play N games again and again; the mean jumps about, and its interval holds the truth or misses it.

The games come from a pool played once; each sample takes some of them at random, with repetition. So the true mean is
known exactly: it is that of the pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from tetriscourse.errors import InputError, counted, one_of, readable, whole_number
from tetriscourse.game.rules import Rules, as_rules, short_name
from tetriscourse.players import PLAYERS, as_player
from tetriscourse.random_numbers import Draws, Floats, Ints
from tetriscourse.simulator import simulate
from tetriscourse.statistics import INTERVALS, Scores
from tetriscourse.widgets.blocks import button, column, controls, drawing, row, select, slider, text
from tetriscourse.widgets.charts import Chart
from tetriscourse.widgets.inputs import option, sets, values, whole
from tetriscourse.widgets.panel import Panel

MOST_GAMES, MANY, SHOWN, BINS = 400, 100, 40, 20
WIDE, HIGH = 400, 250  # pixels of each chart
SMALL_BOARD = Rules(height=8)
WAYS = [("exact", "exponential law, exact"), ("relative", "mean ± 2/√N"), ("normal", "from the standard deviation")]


@dataclass(frozen=True)
class Sample:
    """N games, their mean and its interval."""

    lines: Ints
    mean: float
    low: float
    high: float

    def holds(self, truth: float) -> bool:
        """Whether the interval holds the long-run mean."""
        return self.low <= truth <= self.high


class SamplingPanel(Panel):
    """How far can a mean of N games be trusted? Draw samples and see.

    player, rules: a name or the thing itself; games: N, the size of a sample; method: how the interval is computed
    ('exact', 'relative', 'normal', as in `Scores.interval`); pool: how many games to play once, from which all samples
    are taken; seed: of the pool's pieces and of the samples; samples: how many to draw at once.
    `panel.samples` has the samples, `panel.share_held` the share of the intervals that hold `panel.truth`.
    """

    title = "The same player, N games, again and again"
    tries = (
        "Before each click on 'N games', say aloud where the mean will be. How far off are you with N = 1, 10, 100?",
        "Draw 100 samples: how many intervals miss the dashed line? Is it the number that 95 % promises?",
        "N = 10, and the interval from the standard deviation: do more than 5 % miss? On which side, and why?",
    )

    def __init__(
        self, player: Any = "dellacherie", rules: Rules | str = SMALL_BOARD, games: int = 10, method: str = "exact",
        pool: int = 4000, seed: int = 1, samples: int = 1,
    ) -> None:  # fmt: skip
        """See the class for the arguments."""
        self.games, self.method = whole_number("games", games, 1, MOST_GAMES), one_of("method", method, INTERVALS)
        self.seed, self.drawn = whole_number("seed", seed, 0), 0
        self.rules, self.size = as_rules(rules), whole_number("pool", pool, 2)
        self.samples: list[Sample] = []
        given = as_player(player)
        self.play(given)
        self.choices = {**PLAYERS, self.pool.player: given}
        for _ in range(whole_number("samples", samples, 0)):
            self.draw()
        super().__init__(self.layout())

    def layout(self) -> Any:
        first = controls(
            "choices", select("player", "player", list(self.choices)), select("method", "interval", WAYS),
            slider("games", "N, games in a sample", 1, MOST_GAMES, 1),
        )  # fmt: skip
        buttons = controls(
            "buttons", button("once", "N games"), button("many", f"{MANY} times N games"), button("clear", "Start over")
        )
        said = text("said", live=True)
        return column(first, buttons, said, row(drawing("sample"), drawing("intervals")), text("pool", "soft"))

    @property
    def truth(self) -> float:
        """The long-run mean, which is that of the whole pool."""
        return self.pool.mean

    @property
    def share_held(self) -> float:
        """Share of the intervals so far that hold the long-run mean; nan before the first."""
        return float(np.mean([one.holds(self.truth) for one in self.samples])) if self.samples else float("nan")

    def play(self, player: Any) -> None:
        """Play the pool of a player; if it cannot be used, nothing changes."""
        pool = simulate(player, self.rules, games=self.size, seed=self.seed, progress=False)
        if not pool.lines.any() or not pool.finished.all():
            raise InputError(f"player is {pool.player!r}; its games must end, and at least one must clear a line")
        self.pool, self.samples = pool, []

    def draw(self) -> None:
        """Draw N games from the pool, and compute the interval of their mean."""
        draws = Draws(self.seed, self.drawn)
        self.drawn += 1
        lines = self.pool.lines[draws.below(len(self.pool), self.games)]
        found = Scores.of(lines, rules=self.rules)
        low, high = found.interval(method=self.method)
        self.samples.append(Sample(lines, found.mean, low, high))

    def content(self) -> dict[str, Any]:
        return {
            "choices": values(player=self.pool.player, method=self.method, games=self.games),
            "buttons": {"clear": {"disabled": not self.samples}},
            "said": {"text": self.words()},
            "sample": {"svg": sample_chart(self.samples[-1] if self.samples else None, self.pool.lines)},
            "intervals": {"svg": interval_chart(self.samples, self.truth)},
            "pool": {
                "text": f"The dashed line is the mean of all {len(self.pool):,} games of {self.pool.player} on "
                f"{short_name(self.rules)}: {readable(self.truth)} lines. A sample takes N of them at random."
            },
        }

    def words(self) -> list[str]:
        """The last sample and all samples so far, in words."""
        if not self.samples:
            return ["No sample yet: press 'N games'."]
        last, count = self.samples[-1], len(self.samples)
        verdict = "holds the long-run mean" if last.holds(self.truth) else "misses the long-run mean"
        first = (
            f"Sample {count}: {counted(len(last.lines), 'game')}, mean {readable(last.mean)} lines, "
            f"95 %: {bounds(last)}: {verdict}."
        )
        held = sum(one.holds(self.truth) for one in self.samples)
        second = f"{held} of {counted(count, 'interval')} so far ({100 * self.share_held:.0f} %) hold it."
        if count > 1:
            spread = float(np.std([one.mean for one in self.samples], ddof=1)) / self.truth
            second += f" The means vary by ± {100 * spread:.0f} % (1/√N is {100 / sqrt(self.games):.0f} %)."
        return [first, second]

    def describe(self) -> str:
        who = f"{self.pool.player} on {short_name(self.rules)}, N = {self.games}, long-run mean {readable(self.truth)}"
        return "\n".join([who, *self.words()])

    # Old samples cannot be compared with those of another size or method.
    when_games = sets("games", whole("games", 1, MOST_GAMES), then="when_clear")
    when_method = sets("method", option("method", INTERVALS), then="when_clear")

    def when_clear(self, value: Any = None) -> None:
        self.samples = []

    def when_once(self, value: Any) -> None:
        self.draw()

    def when_many(self, value: Any) -> None:
        for _ in range(MANY):
            self.draw()

    def when_player(self, value: Any) -> None:
        self.play(self.choices[one_of("player", value, self.choices)])


def bounds(sample: Sample) -> str:
    """The interval in words; from one game, the standard deviation gives no upper bound."""
    high = readable(sample.high) if np.isfinite(sample.high) else "∞"
    return f"{readable(sample.low)} to {high}"


def sample_chart(sample: Sample | None, pool: Ints) -> str:
    """A histogram of the last sample, with that of the pool in outline."""
    top = float(np.quantile(pool, 0.99)) or 1.0
    edges = np.linspace(0, top, BINS + 1)
    shares = [binned(lines, edges) for lines in (pool, sample.lines if sample else pool[:0])]
    chart = Chart(
        (0, 1.02 * top), (0, 1.3 * max(float(share.max()) for share in shares)),
        "lines a game (last bar: and more)", "% of the games", "the games of the last sample", WIDE, HIGH,
        legend="upper right",
    )  # fmt: skip
    middles = (edges[1:] + edges[:-1]) / 2
    chart.bars(middles, shares[1], float(edges[1]), 0, "this sample")
    chart.line(np.repeat(edges, 2)[1:-1], np.repeat(shares[0], 2), 6, label="all games of the pool")
    if sample:
        chart.mark_x(sample.mean, "mean", 0)
    said = f"{counted(len(sample.lines), 'game')}, mean {readable(sample.mean)} lines" if sample else "No games yet"
    return chart.svg(f"{said}: a histogram over that of the whole pool")


def binned(lines: Ints, edges: Floats) -> Floats:
    """Percentage of the games in each bin; the last one includes those beyond its edge."""
    counts = np.histogram(np.minimum(lines, edges[-1]), edges)[0]
    return 100.0 * counts / max(len(lines), 1)


def interval_chart(samples: list[Sample], truth: float) -> str:
    """Intervals of the last samples; those that miss the truth look different."""
    last, first = samples[-SHOWN:], max(0, len(samples) - SHOWN)
    finite = [one.high for one in last if np.isfinite(one.high)]
    top = min(1.08 * max([2 * truth, *finite]), 5 * truth)
    chart = Chart(
        (first, first + SHOWN + 1), (0, top), "sample", "lines: mean and 95 % interval",
        f"the last {SHOWN} samples", WIDE, HIGH, legend="upper right", whole_x=True,
    )  # fmt: skip
    for place, one in enumerate(last, first + 1):
        kept = one.holds(truth)
        high = one.high if np.isfinite(one.high) else 10 * top
        chart.interval(place, one.low, one.mean, high, 0 if kept else 1, "dot" if kept else "cross", dashed=not kept)
    chart.mark_y(truth, "long-run mean", 6)
    missed = sum(not one.holds(truth) for one in last)
    return chart.svg(
        f"Intervals of the last {counted(len(last), 'sample')}, {missed} of them without the long-run mean of "
        f"{readable(truth)} lines"
    )
