"""Figures about learning to decide: what a table knows, and the history of a learner."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tetriscourse.errors import InputError, readable, shown
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.plots.style import COLOURS, HEIGHT, WIDTH, log_scale, panels, span
from tetriscourse.random_numbers import Floats


def known_cells(q: Any) -> Figure:
    """The number of known states in which each cell is full (Muller and Ponton 2019, chapter 8)."""
    if not hasattr(q, "known_cells"):
        raise InputError(f"q is {shown(q)}; it must be a QLearning")
    cells, known = q.known_cells(), np.count_nonzero(q.values().any(axis=1))
    rows, columns = cells.shape
    with panels(figsize=(2 + 0.5 * columns, 1 + 0.45 * rows)) as (figure, (axes,)):
        image = axes.imshow(cells, origin="lower", cmap="Greys", vmin=0, vmax=max(1, int(cells.max())))
        words = "known states in which the cell is full"
        figure.colorbar(image, ax=axes, label=words, ticks=MaxNLocator(5, integer=True))
        if rows == q.rules.height + INVISIBLE_ROWS:
            axes.axhline(q.rules.height - 0.5, color=COLOURS[1], linestyle="--", linewidth=1.2)
        axes.set(xlabel="column", ylabel="row", title=f"{known:,} known of {len(q.table):,} states")
        axes.grid(False)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
    by_row = ", ".join(f"{row} {readable(float(count))}" for row, count in enumerate(cells.sum(axis=1)))
    figure.set_label(
        f"Cells that a table knows, {known:,} of {len(q.table):,} states, darker the more of these they are full in. "
        f"By row from the bottom: {by_row}."
    )
    return figure


COLUMNS = {
    "QLearning": (("pieces", "pieces a game"), ("reward", "reward a game"), ("states", "states in the table")),
    "DeepQ": (
        ("loss", "loss"), ("q", "mean of the best Q"), ("pieces", "pieces a game"), ("judged", "score when judged"),
    ),
}  # fmt: skip
"""Columns of each learner's history to draw, with their titles."""


def learner_history(learner: Any) -> Figure:
    """The history of a learner: its results, its knowledge, its exploration."""
    kind = next((one.__name__ for one in type(learner).__mro__ if one.__name__ in COLUMNS), "")
    if not kind:
        raise InputError(f"learner is {shown(learner)}; it must be a QLearning or a DeepQ")
    history, texts = learner.history, []
    found = [(name, text) for name, text in COLUMNS[kind] if history.count(name) and np.isfinite(history[name]).any()]
    if not found:
        raise InputError(f"learner is {shown(learner)}; nothing is recorded yet: it must have learned some steps")
    proved = when_proved(history)
    with panels(len(found), figsize=(WIDTH, 0.8 * HEIGHT)) as (figure, axes):
        for k, ((name, text), part) in enumerate(zip(found, axes, strict=True)):
            values = draw_column(part, name, history, COLOURS[k])
            also = "\n" + proved.replace(" at ", "\nat ") if proved and name == "judged" else ""  # a panel is narrow
            part.set(xlabel=learner.unit, title=text + also)
            texts.append(f"{text} {span(values)}")
        if proved and "judged" not in dict(found):  # no panel can say so
            figure.suptitle(proved, fontsize=10)
    texts += [proved] if proved else []
    figure.set_label(f"{learner.name} over {readable(float(learner.done))} {learner.unit}s: {'; '.join(texts)}.")
    return figure


def draw_column(axes: Axes, name: str, history: Any, colour: str) -> Floats:
    """Draw the finite values of a column of a history over time; return them."""
    seen = np.isfinite(history[name])
    time = "judged_at" if name == "judged" else "steps" if "steps" in history else "episode"
    values, times = history[name][seen], history[time][seen]
    axes.plot(times, values, color=colour, marker="." if len(values) == 1 else "")
    axes.xaxis.set_major_locator(MaxNLocator(4))
    if values.min() > 0 and values.max() > 100 * values.min():
        log_scale(axes, values)
    return np.asarray(values)


def when_proved(history: Any) -> str:
    """The step at which a network was first proved endless, in words; empty if never."""
    endless = np.isinf(history["judged"]) if history.count("judged") else np.zeros(0, np.bool_)
    return f"proved endless at step {int(history['judged_at'][endless][0]):,}" if endless.any() else ""
