"""Figures for comparing players: the Kolmogorov-Smirnov gap, and how rare high piles are."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tetriscourse.errors import InputError, readable, shown
from tetriscourse.inference import Extrapolation, extrapolate
from tetriscourse.plots.style import PlainLog, look, panels, plain_numbers
from tetriscourse.random_numbers import Floats
from tetriscourse.statistics import Scores


def staircase(scores: Scores, other: Scores | None = None) -> Figure:
    """The share of games with at most x lines, next to another player's or the exponential law, and the widest gap.

    That gap is the Kolmogorov-Smirnov statistic. Without another player, the law has the mean of the scores.
    """
    both = [scores] if other is None else [scores, other]
    for name, given in zip(("scores", "other"), both, strict=False):
        if not isinstance(given, Scores) or not len(given) or not given.lines.any():
            raise InputError(f"{name} is {shown(given)}; it must be Scores with at least one line")
    gap, place, low, high = widest_gap(scores, other)
    reach = float(np.quantile(np.concatenate([one.lines for one in both]), 0.99)) or 1.0
    against = "the exponential law" if other is None else other.player
    with panels() as (figure, (axes,)):
        for k, one in enumerate(both):
            draw_steps(axes, one, k)
        if other is None:
            x, law = np.linspace(0, reach, 300), f"exponential law with mean {readable(scores.mean)}"
            axes.plot(x, -np.expm1(-x / scores.mean), label=law, **look(1))
        axes.plot([place, place], [low, high], color="black", linewidth=3, label=f"widest gap: {gap:.3f}")
        axes.set(xlim=(0, reach), ylim=(0, 1), xlabel="lines a game", ylabel="share of games with no more lines")
        plain_numbers(axes.xaxis)
        axes.legend(loc="lower right")
    figure.set_label(
        f"{scores.player}, {len(scores)} games, against {against}: the curves are at most {gap:.3f} apart, "
        f"at {readable(place)} lines"
    )
    return figure


def draw_steps(axes: Axes, scores: Scores, k: int) -> None:
    """One player's games in order, each a step up."""
    ordered = np.concatenate([[0], np.sort(scores.lines)])
    steps = np.arange(len(ordered)) / len(scores)
    axes.step(ordered, steps, where="post", label=f"{scores.player}, {len(scores):,} games", **look(k))


def widest_gap(scores: Scores, other: Scores | None) -> tuple[float, float, float, float]:
    """The widest gap between a staircase and another curve: size, position, lower and upper end."""
    if other is None:
        x = np.sort(scores.lines).astype(np.float64)
        law = -np.expm1(-x / scores.mean)
        ends = np.concatenate([np.arange(1, x.size + 1), np.arange(x.size)]) / x.size  # after and before each step
        x, first, second = np.tile(x, 2), ends, np.tile(law, 2)
    else:
        x = np.unique(np.concatenate([scores.lines, other.lines])).astype(np.float64)
        first, second = share_up_to(scores, x), share_up_to(other, x)
    k = int(np.abs(first - second).argmax())
    low, high = sorted((float(first[k]), float(second[k])))
    return high - low, float(x[k]), low, high


def share_up_to(scores: Scores, x: Floats) -> Floats:
    """The share of games with at most x lines."""
    share: Floats = np.searchsorted(np.sort(scores.lines), x, side="right") / len(scores)
    return share


def pile_heights(scores: Scores, taller: Scores | None = None) -> Figure:
    """The frequency of high piles, the line that `extrapolate` fits to them, and the truth on a taller board.

    The line extends to one row above the board, where the game ends (Thiery and Scherrer 2009, section 6).
    """
    for name, given in (("scores", scores), ("taller", scores if taller is None else taller)):
        if not isinstance(given, Scores) or not given.heights.any():
            raise InputError(f"{name} is {shown(given)}; it must be Scores of simulated games")
    top = scores.rules.height
    line = extrapolate(scores.heights, top, scores.rules.width)
    with panels() as (figure, (axes,)):
        for k, one in enumerate([scores] if taller is None else [scores, taller]):
            draw_shares(axes, one, k)
        draw_line(axes, line, top)
        size = f"{scores.rules.width}x{top}"
        axes.axvline(top + 0.5, color="0.4", linewidth=1, label=f"top of the {size} board")
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(PlainLog())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set(xlabel="height of the pile, rows", ylabel="% of the moves")
        axes.legend(loc="lower left")
    figure.set_label(
        f"{scores.player} on {scores.rules}: from height {line.first} to {line.last} each height is "
        f"{np.exp(line.slope):.2f} times as frequent as the one below; the line reaches height {top + 1} at one "
        f"move of {line.pieces:,.0f}"
    )
    return figure


def draw_line(axes: Axes, line: Extrapolation, top: int) -> None:
    """The fitted line, and a star where it predicts the end of the game."""
    at = np.array([line.first, top + 1])
    axes.plot(at, 100 * np.exp(line.slope * (at - top - 1)) / line.pieces, label="the line of extrapolate", **look(2))
    axes.plot(top + 1, 100 / line.pieces, "*", color="black", markersize=13, label=f"1 move of {line.pieces:,.0f}")


def draw_shares(axes: Axes, scores: Scores, k: int) -> None:
    """The percentage of moves after which the pile has each height."""
    seen = np.flatnonzero(scores.heights)
    share = 100 * scores.heights[seen] / scores.heights.sum()
    name = f"{scores.rules.width}x{scores.rules.height}, {int(scores.heights.sum()):,} moves"
    axes.plot(seen, share, marker="os"[k], label=name, **look(k))
