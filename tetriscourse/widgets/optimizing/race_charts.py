"""Pictures of a race: confidence bounds, candidates still playing, and the cost of races."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tetriscourse.errors import counted
from tetriscourse.optimizers.racing import Race
from tetriscourse.random_numbers import Floats
from tetriscourse.widgets.blocks import Spec, table_data
from tetriscourse.widgets.charts import Chart

ORDERS = ("best mean first", "by number")
VIEWS = ("the bars", "the whole range")
STATES = {"undecided": (0, "ring"), "selected": (2, "triangle"), "discarded": (1, "cross")}  # colour and marker
TRUTH = 3  # colour of the true means, known only for made-up scores
RACES_SHOWN = 20


@dataclass(frozen=True)
class Settled:
    """A race that is over."""

    limit: int
    evaluations: int
    allowed: int
    decided: bool
    wrong: int | None  # number of places that went to the wrong candidates; None if unknown


def state_of(race: Race, i: int) -> str:
    """Whether a candidate is undecided, selected or discarded."""
    return next(name for name in STATES if i in getattr(race, name))


def standing(race: Race, order: str) -> list[int]:
    """The candidates in the chosen order."""
    if order == ORDERS[1]:
        return list(range(race.candidates))
    return [int(i) for i in np.argsort(-race.means, kind="stable")]


def score_limits(race: Race, view: str) -> tuple[float, float]:
    """Limits of the score axis: those of the bars, or of all possible scores."""
    low, high = race.settings.low, race.settings.high
    if view == VIEWS[1] or not race.rounds:
        return low, high
    lowest = np.minimum(race.lower, race.means).min()
    highest = np.maximum(race.upper, race.means).max()
    return max(low, float(lowest)), min(high, 1.05 * float(highest))


def crossed(race: Race, i: int) -> bool:
    """Whether a candidate's lower bound is above its upper one."""
    return bool(race.lower[i] > race.upper[i])


def bounds_text(race: Race) -> str:
    """An explanation as soon as bounds look odd: those of Heidrich-Meisner and Igel can only tighten."""
    said = "Bounds only ever close: after a lucky or an unlucky start they can"
    if any(crossed(race, i) for i in range(race.candidates)):
        return f"{said} even cross (dashed in the chart, × in the table)."
    beside = (race.means < race.lower) | (race.means > race.upper)
    return f"{said} lie beside the mean." if beside.any() else ""


def bars_svg(race: Race, order: str, view: str, truth: Floats | None, said: str) -> str:
    """For each candidate, a bar from its lower to its upper bound and a mark at the mean that shows its state."""
    limits = (0.3, race.candidates + 0.7), score_limits(race, view)
    chart = Chart(*limits, f"candidates, {order}", "score", width=380, height=345, legend="upper right")
    where = {i: k + 1.0 for k, i in enumerate(standing(race, order))}
    chart.x_ticks = [(where[i], f"{i + 1}") for i in range(race.candidates)]
    for name, (series, marker) in STATES.items():
        chart.points([], [], series, marker, label=name)
    if truth is not None:
        draw_truth(chart, race, where, truth)
    if race.rounds:
        for i in range(race.candidates):  # in a fixed order, so that bars can glide to their new places
            series, marker = STATES[state_of(race, i)]
            low, mean, high = race.lower[i], race.means[i], race.upper[i]
            chart.interval(where[i], low, mean, high, series, marker, dashed=crossed(race, i))
    chart.legend = chart.free_corner()
    return chart.svg(f"Bounds of the scores of {counted(race.candidates, 'candidate')}. {said}")


def draw_truth(chart: Chart, race: Race, where: dict[int, float], truth: Floats) -> None:
    """The true means, and the line that separates the best from the rest."""
    xs = [where[i] for i in range(race.candidates)]
    chart.points(xs, truth.tolist(), TRUTH, "diamond", 6, opacity=0.55, label="true mean")
    ranked = np.sort(truth)[::-1]
    chart.mark_y(float(ranked[race.mu - 1 : race.mu + 1].mean()), f"the best {race.mu} are above", TRUTH)


def playing_svg(race: Race) -> str:
    """Candidates still playing, by round: the area is the cost of the race."""
    limits = (0, 1.04 * race.limit), (0, 1.3 * race.candidates)
    chart = Chart(*limits, "round", "still play", width=255, height=168, whole_x=True)
    chart.mark_y(race.candidates, "", 1)
    chart.text(0.02 * race.limit, 1.06 * race.candidates, "without racing")  # on the left: the limit is on the right
    chart.mark_x(race.limit, "", 1)
    across = [float(edge) for r in range(race.rounds) for edge in (r, r + 1)] or [0.0]
    heights = [float((race.counts > r).sum()) for r in range(race.rounds) for _ in "ab"] or [0.0]
    chart.band(across, [0.0] * len(across), heights, 0)
    chart.line(across, heights, 0)
    return chart.svg(f"Candidates that still play by round: {race.evaluations} of {race.allowed} evaluations")


def races_svg(settled: Sequence[Settled], race: Race) -> str:
    """Evaluations in each race, with racing and without."""
    costs = [(one.evaluations, one.allowed) for one in settled] + [(race.evaluations, race.allowed)]
    first = max(0, len(costs) - RACES_SHOWN)
    used, allowed = np.array(costs[first:], float).T.tolist()
    across = range(first + 1, first + 1 + len(used))
    limits = (first + 0.3, first + 0.7 + max(6, len(used))), (0.0, 1.45 * max(allowed))
    chart = Chart(*limits, "race", "evaluations", width=255, height=168, legend="upper right", whole_x=True)
    chart.bars(across, allowed, 0.8, 1, "without racing", dashed=True)
    chart.bars(across, used, 0.55, 0, "with racing")
    chart.legend = chart.free_corner()
    return chart.svg(f"Evaluations by race, now {used[-1]:.0f} of {allowed[-1]:.0f} without racing")


def candidates_table(race: Race, order: str, truth: Floats | None) -> Spec:
    """State, games, mean and bounds of each candidate."""
    rows = []
    for i in standing(race, order):
        cross = " ×" if crossed(race, i) else ""
        bounds = f"{race.lower[i]:.0f} … {race.upper[i]:.0f}{cross}"
        numbers = [f"{race.means[i]:.1f}", bounds] if race.rounds else ["", ""]
        true = [] if truth is None else [f"{truth[i]:.1f}"]
        rows.append([f"{i + 1}", state_of(race, i), f"{race.counts[i]}", *numbers, *true])
    columns = ["", "state", "games", "mean", "bounds"] + ([] if truth is None else ["true"])
    return table_data(columns, rows)
