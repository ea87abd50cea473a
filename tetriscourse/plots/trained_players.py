"""Figures of the results of training: weights, scores, the cloud of candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse

from tetriscourse.errors import InputError, one_of, readable, shown, whole_number
from tetriscourse.plots.run_views import checked_labels, numbered, views
from tetriscourse.plots.spread import quartiles
from tetriscourse.plots.style import COLOURS, look, panels, plain_numbers
from tetriscourse.random_numbers import Floats
from tetriscourse.statistics import COUNTS, Scores


def learned_weights(runs: Any, labels: Sequence[str] | None = None, others: Mapping[str, Any] | None = None) -> Figure:
    """Box plots of the weights of many runs, a line through their means, and other players (Boumaza 2013, figure 13).

    runs: runs, or vectors of weights; others: players or vectors by name. All vectors are scaled to length 1.
    """
    vectors, known = learned_vectors(runs)
    names = checked_labels(known if labels is None else labels, vectors.shape[1], "weights")
    rows = {f"mean of {len(vectors)} runs": vectors.mean(axis=0)} | {
        name: unit_rows(f"others[{name!r}]", [getattr(one, "weights", one)], len(names))[0]
        for name, one in (others or {}).items()
    }
    places = np.arange(1, len(names) + 1)
    with panels() as (figure, (axes,)):
        axes.boxplot(
            vectors, positions=places, widths=0.5, medianprops={"color": "0.3"}, boxprops={"color": "0.3"},
            whiskerprops={"color": "0.3"}, capprops={"color": "0.3"}, flierprops={"markersize": 3},
        )  # fmt: skip
        for k, (name, row) in enumerate(rows.items()):
            axes.plot(places, row, **look(k), marker="os^Dv"[k % 5], markersize=5, label=name, zorder=3)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.set_xticks(places, names, rotation=35, ha="right", rotation_mode="anchor")
        axes.set_ylabel("weight (vectors of length 1)")
        axes.grid(visible=False, axis="x")
        axes.legend()
    boxes = ", ".join(box_in_words(name, weights) for name, weights in zip(names, vectors.T, strict=True))
    texts = (f"{name}: " + ", ".join(f"{w:.3g}" for w in row) for name, row in rows.items())
    figure.set_label(f"Learned weights of {len(vectors)} runs, medians and quartiles: {boxes}. {'; '.join(texts)}.")
    return figure


def box_in_words(name: str, weights: Floats) -> str:
    """The median of one feature's weights, and its quartiles."""
    _, low, middle, high, _ = quartiles(weights)
    return f"{name} {middle:.3g} ({low:.3g} to {high:.3g})"


def learned_vectors(runs: Any) -> tuple[Floats, list[str]]:
    """The final weights of each run, scaled to length 1, and their names."""
    try:
        rows = np.array(runs, np.float64)
    except (TypeError, ValueError):
        found = views(runs)
        last = [view.weights[-1] for view in found]
        return unit_rows("runs", last, len(last[0])), found[0].labels
    return unit_rows("runs", rows, rows.shape[-1] if rows.ndim else 0), numbered(rows.shape[-1])


def unit_rows(argument: str, rows: Any, count: int) -> Floats:
    """Each row scaled to length 1, as in Boumaza: only the direction of a linear player's weights matters."""
    try:
        found = np.array(rows, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    fits = found.ndim == 2 and found.size > 0 and found.shape[1] == count
    lengths = np.linalg.norm(found, axis=-1, keepdims=True) if fits else np.zeros(1)
    if not (lengths.all() and np.isfinite(lengths).all()):
        raise InputError(f"{argument} is {shown(rows)}; it must be {count} finite weights each, not all 0")
    return np.asarray(found / lengths)


def score_histogram(scores: Scores, of: str = "lines") -> Figure:
    """A histogram of scores with the exponential law, and a box plot (Muller and Ponton 2019, chapter 10).

    The law has the mean of the scores; it is drawn if every game was played to the end.
    """
    if not isinstance(scores, Scores) or not len(scores):
        raise InputError(f"scores is {shown(scores)}; it must be Scores of at least one game")
    values = getattr(scores, one_of("of", of, COUNTS))
    mean, sd, stopped = scores.mean_of(of), scores.sd_of(of), int((~scores.finished).sum())
    said = f"{len(values)} games, mean {readable(mean)} {of}, sd {readable(sd)}"
    with panels(rows=2, sharex=True, height_ratios=(4, 1)) as (figure, (upper, lower)):
        top = max(float(values.max()), 1.0)
        _, edges, _ = upper.hist(values, bins="auto", range=(0, top), color=COLOURS[5], label="games")
        if not stopped and mean > 0:
            x = np.linspace(0, edges[-1], 200)
            expected = len(values) * (edges[1] - edges[0]) * np.exp(-x / mean) / mean
            upper.plot(x, expected, color=COLOURS[1], label="exponential law of the same mean")
        lower.boxplot(values, orientation="horizontal", widths=0.5, medianprops={"color": COLOURS[1]})
        upper.set(ylabel="games", title=f"{scores.player}: {said}" + (f", {stopped} stopped" if stopped else ""))
        lower.set(xlabel=f"{of} a game", yticks=[])
        plain_numbers(lower.xaxis)
        upper.legend()
    low, first, median, third, high = map(readable, quartiles(values))
    figure.set_label(
        f"Histogram of {of} of {scores.player}: {said}; minimum {low}, quartiles {first}, {median}, {third}, "
        f"maximum {high}; {stopped} stopped."
    )
    return figure


RADIUS = float(np.sqrt(-2 * np.log(0.05)))  # standard deviations that hold 95 % of a normal distribution in the plane


def cloud(
    candidates: Any, scores: Any, i: int = 0, j: int = 1, mean: Any = None, spread: Any = None, elite: int = 10,
    labels: Sequence[str] | None = None,
) -> Figure:  # fmt: skip
    """Two weights of an iteration's candidates, the elite, the distribution (Thiery and Scherrer 2009, figure 3).

    mean, spread: of a distribution, whose ellipse holds 95 % of its samples; spread is the sd of each weight or the
    covariance matrix. elite: how many of the best to mark.
    """
    x, f = np.array(candidates, np.float64), np.array(scores, np.float64)
    if x.ndim != 2 or f.shape != (len(x),):
        raise InputError(f"scores has shape {f.shape}, candidates {x.shape}; each row must have a score")
    i, j = (whole_number(name, k, 0, x.shape[1] - 1) for name, k in (("i", i), ("j", j)))
    names = checked_labels(numbered(x.shape[1]) if labels is None else labels, x.shape[1], "weights")
    best = np.zeros(len(x), np.bool_)
    best[np.argsort(-f, kind="stable")[: whole_number("elite", elite, 1, len(x))]] = True
    said = f"{len(x)} candidates, {names[i]} and {names[j]}; the best {elite} score at least {readable(f[best].min())}"
    with panels(figsize=(6.5, 5.0)) as (figure, (axes,)):
        axes.scatter(x[~best, i], x[~best, j], s=18, color="0.65", label="candidates")
        axes.scatter(x[best, i], x[best, j], s=30, color=COLOURS[1], marker="^", label=f"the best {elite}")
        if mean is not None and spread is not None:
            m, C = plane(mean, spread, i, j, x.shape[1])
            axes.add_patch(gaussian(m, C))
            axes.plot(*m, "o", color="black", label="mean, and 95 % of what it gives")
            sd = np.sqrt(np.diag(C))
            said += f"; distribution with mean {m[0]:.3g}, {m[1]:.3g} and sd {sd[0]:.3g}, {sd[1]:.3g}"
        axes.set(xlabel=names[i], ylabel=names[j])
        axes.autoscale_view()
        figure.legend(loc="outside upper center", ncols=3)
    figure.set_label(f"Cloud of {said}.")
    return figure


def plane(mean: Any, spread: Any, i: int, j: int, dimension: int) -> tuple[Floats, Floats]:
    """Mean and covariance of the weights i and j."""
    m, s = np.array(mean, np.float64), np.array(spread, np.float64)
    if m.shape != (dimension,) or s.shape not in ((dimension,), (dimension, dimension)):
        raise InputError(
            f"mean has shape {m.shape}, spread {s.shape}; they must be {dimension} numbers each, "
            f"or spread a {dimension} x {dimension} covariance"
        )
    C = np.diag(s**2) if s.ndim == 1 else s
    return m[[i, j]], C[np.ix_([i, j], [i, j])]


def gaussian(m: Floats, C: Floats) -> Ellipse:
    """The ellipse around m that holds 95 % of the normal distribution with covariance C."""
    variances, directions = np.linalg.eigh(C)
    length = 2 * RADIUS * np.sqrt(np.maximum(variances, 0))
    angle = float(np.degrees(np.arctan2(directions[1, 1], directions[0, 1])))
    return Ellipse((m[0], m[1]), length[1], length[0], angle=angle, fill=False, color="black")
