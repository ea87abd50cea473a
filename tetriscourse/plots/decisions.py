"""Figures of learning to decide: what a table knows, how Q-learning and deep Q-learning went."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tetriscourse.distributions import readable
from tetriscourse.errors import InputError, shown
from tetriscourse.game.engine import INVISIBLE_ROWS
from tetriscourse.plots.style import COLOURS, HEIGHT, WIDTH, log_scale, panels, span


def known_cells(q: Any) -> Figure:
    """In how many known states each cell is full: dark cells are well known (Muller and Ponton 2019, chapter 8)."""
    if not hasattr(q, "known_cells"):
        raise InputError(f"q is {shown(q)}; it must be a QLearning")
    cells = q.known_cells()
    rows, columns = cells.shape
    with panels(figsize=(1 + 0.5 * columns, 1 + 0.45 * rows)) as (figure, (axes,)):
        axes.imshow(cells, origin="lower", cmap="Greys", vmin=0)
        if rows == q.rules.height + INVISIBLE_ROWS:
            axes.axhline(q.rules.height - 0.5, color=COLOURS[1], linestyle="--", linewidth=1.2)
        axes.set(xlabel="column", ylabel="row", title=f"{len(q.table):,} states")
        axes.grid(False)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
    by_row = ", ".join(f"{row} {readable(float(count))}" for row, count in enumerate(cells.sum(axis=1)))
    figure.set_label(
        f"Cells that a table of {len(q.table):,} states knows, darker the more states they are full in. "
        f"By row from the bottom: {by_row}."
    )
    return figure


COLUMNS = {
    "QLearning": (("pieces", "pieces a game"), ("reward", "reward a game"), ("states", "states in the table")),
    "DeepQ": (
        ("loss", "loss"), ("q", "mean of the best Q"), ("pieces", "pieces a game"), ("judged", "score when judged"),
    ),
}  # fmt: skip
"""What is drawn of each learner, by the names in its history."""


def learner_history(learner: Any) -> Figure:
    """How a learner went: what it earned, what it knew, how much it explored."""
    kind = type(learner).__name__
    if kind not in COLUMNS:
        raise InputError(f"learner is {shown(learner)}; it must be a QLearning or a DeepQ")
    history, texts = learner.history, []
    found = [(name, text) for name, text in COLUMNS[kind] if history.count(name)]
    with panels(len(found), figsize=(WIDTH, 0.8 * HEIGHT)) as (figure, axes):
        for k, ((name, text), part) in enumerate(zip(found, axes, strict=True)):
            values = history[name]
            steps = history[times_of(name, history)]
            seen = np.isfinite(values)
            part.plot(steps[seen], values[seen], color=COLOURS[k])
            part.set(xlabel=learner.unit, title=text)
            part.xaxis.set_major_locator(MaxNLocator(4))
            if seen.any() and values[seen].min() > 0 and values[seen].max() > 100 * values[seen].min():
                log_scale(part, values[seen])
            if seen.any():
                texts.append(f"{text} {span(values[seen])}")
    figure.set_label(f"{learner.name} over {readable(float(learner.done))} {learner.unit}s: {'; '.join(texts)}.")
    return figure


def times_of(name: str, history: Any) -> str:
    """The column that says when another one was written."""
    if name == "judged":
        return "judged_at"
    return "steps" if "steps" in history else "episode"
