"""A chart of scores: the share of games by lines, and the mean with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, isfinite, sqrt

import numpy as np

from tetriscourse.errors import counted, readable
from tetriscourse.statistics import Scores
from tetriscourse.widgets.charts import Chart

BINS = 24  # bars at most
EMPTY_TOP = 100  # where the axis ends before any game has ended
FRAME, LEGEND_ROW, MARK_ROW = 48, 16, 9  # pixels around the plot, of a line of the legend, of a mean


def bin_width(largest: int) -> int:
    """A round number of lines, so that about BINS bars hold the largest score."""
    width, digits = 1, (1, 2, 5)
    while width * BINS <= largest:
        width = next(k for k in (digit * 10**power for power in range(19) for digit in digits) if k > width)
    return width


def score_svg(results: Sequence[tuple[str, Scores]], log: bool = False, width: float = 330, height: float = 220) -> str:
    """The shares of games by lines, one series for each result, with means and 95 % intervals on top."""
    ended = [scores.lines[scores.finished] for _, scores in results]
    largest = max((int(lines.max()) for lines in ended if lines.size), default=EMPTY_TOP - 1)
    step = bin_width(largest)
    bins = ceil((largest + 1) / step)
    shares = [100 * np.bincount(lines // step, minlength=bins) / max(lines.size, 1) for lines in ended]
    highest = max((float(share.max()) for share in shares), default=0) or 10.0
    most = max((lines.size for lines in ended), default=0) or 10
    # Above the bars there is room for the means, and above those for the legend: none covers another.
    free = (LEGEND_ROW + MARK_ROW) * len(results) + 2 * MARK_ROW
    stretch = (height - FRAME) / (height - FRAME - free)
    low = 50 / most if log else 0.0
    chart = Chart(
        (0, 1.05 * bins * step), (low, low * (highest / low) ** stretch if log else highest * stretch),
        "lines a game; ◆ mean and its 95 % interval", "% of the games",
        width=width, height=height, log_y=log, legend="upper right", whole_x=True,
    )  # fmt: skip
    middles = [(k + 0.5) * step for k in range(bins)]
    for series, ((name, scores), share) in enumerate(zip(results, shares, strict=True)):
        if share.any():
            kept = [k for k in range(bins) if share[k] > 0]
            chart.bars([middles[k] for k in kept], share[kept], step, series, name, dashed=series > 0)
            above = MARK_ROW * (len(results) - series) / (height - FRAME - free)  # in units of the highest bar
            mark_mean(chart, scores, series, highest * (highest / low) ** above if log else highest * (1 + above))
    return chart.svg(". ".join(f"{name}: {summary(scores)}" for name, scores in results) or "No game has ended yet")


def mark_mean(chart: Chart, scores: Scores, series: int, height: float) -> None:
    """A diamond at the mean, and a bar from one end of its interval to the other."""
    mean, (low, high) = scores.exponential_mean, interval(scores)
    if isfinite(mean):
        end = min(high, chart.x[1]) if high < inf else chart.x[1]
        chart.line([low, end], [height, height], series, width=3)
        chart.points([mean], [height], series, "diamond", size=3)


def is_exponential(scores: Scores) -> bool:
    """Whether the spread is compatible with an exponential law: then sd / mean is within 1 ∓ 2/sqrt(N).

    Good players' scores have such a law; those of players who hardly clear a line do not, and the law's interval
    would then be far too short. Where games were stopped, little is known of the spread, and the law is taken for
    granted.
    """
    games, mean = len(scores), scores.mean
    if games < 2 or not mean or not scores.finished.all():
        return True
    return abs(scores.sd / mean - 1) <= 2 / sqrt(games)


def interval(scores: Scores) -> tuple[float, float]:
    """The 95 % interval of the mean: that of the exponential law if the scores may have it, else from their sd."""
    return scores.interval(method="exact" if is_exponential(scores) else "normal")


def summary(scores: Scores) -> str:
    """Mean and interval in words; stopped games are told apart."""
    games = counted(len(scores), "game")
    if not len(scores):
        return "no game has ended yet"
    stopped = int((~scores.finished).sum())
    if len(scores) > 1 and not stopped and not np.ptp(scores.lines):  # no spread, so nothing tells how sure this is
        return f"{games}, each with {counted(int(scores.lines[0]), 'line')}"
    low, high = interval(scores)
    law = "exponential law" if is_exponential(scores) else "from the sd"
    text = f"{games}, mean {readable(scores.exponential_mean)} lines (95 %: {readable(low)} to {readable(high)}, {law})"
    if stopped:
        text += f"; {stopped} reached the limit of pieces and are not in the picture, but count in the mean"
    return text
