"""Scores as a picture: how many games ended with how many lines, and where the mean lies."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite

import numpy as np

from tetriscourse.distributions import readable
from tetriscourse.errors import counted
from tetriscourse.statistics import Scores
from tetriscourse.widgets.charts import Chart

BINS = 24
"""Bars at most."""
EMPTY_TOP = 100
"""Where the axis ends before any game has ended."""


def bin_width(largest: int) -> int:
    """A round number of lines, so that about BINS bars hold the largest score."""
    width, digits = 1, (1, 2, 5)
    while width * BINS <= largest:
        width = next(k for k in (digit * 10**power for power in range(19) for digit in digits) if k > width)
    return width


def score_svg(results: Sequence[tuple[str, Scores]], log: bool = False, width: float = 330, height: float = 200) -> str:
    """The shares of games by lines, one series for each result, with means and 95 % intervals on top."""
    ended = [scores.lines[scores.finished] for _, scores in results]
    largest = max((int(lines.max()) for lines in ended if lines.size), default=EMPTY_TOP - 1)
    step = bin_width(largest)
    bins = ceil((largest + 1) / step)
    shares = [100 * np.bincount(lines // step, minlength=bins) / max(lines.size, 1) for lines in ended]
    highest = max((float(share.max()) for share in shares), default=0) or 10.0
    fewest = max((lines.size for lines in ended), default=0) or 10
    y = (50 / fewest, 2.5 * highest) if log else (0, 1.25 * highest)
    chart = Chart(
        (0, 1.05 * bins * step), y, "lines a game", "% of the games",
        width=width, height=height, log_y=log, legend="upper right", whole_x=True,
    )  # fmt: skip
    middles = [(k + 0.5) * step for k in range(bins)]
    for series, ((name, scores), share) in enumerate(zip(results, shares, strict=True)):
        if share.any():
            kept = [k for k in range(bins) if share[k] > 0]
            chart.bars([middles[k] for k in kept], share[kept], step, series, name, dashed=series > 0)
            mark_mean(chart, scores, series, highest * (1.6**series * 1.25 if log else 1.08 + 0.09 * series))
    return chart.svg(". ".join(f"{name}: {summary(scores)}" for name, scores in results) or "No game has ended yet")


def mark_mean(chart: Chart, scores: Scores, series: int, height: float) -> None:
    """A dot at the mean, and a bar from one end of its interval to the other."""
    low, high = scores.interval()
    mean = scores.exponential_mean
    if isfinite(mean):
        end = min(high, chart.x[1]) if high < inf else chart.x[1]
        chart.line([low, end], [height, height], series, width=3)
        chart.points([mean], [height], series, "diamond", size=3)


def summary(scores: Scores) -> str:
    """Mean and interval in words; stopped games are told apart."""
    if not len(scores):
        return "no game has ended yet"
    low, high = scores.interval()
    stopped = int((~scores.finished).sum())
    text = f"{counted(len(scores), 'game')}, mean {readable(scores.exponential_mean)} lines"
    text += f" (95 %: {readable(low)} to {readable(high)})"
    if stopped:
        text += f"; {stopped} reached the limit of pieces and are not in the picture, but count in the mean"
    return text
