"""The figures of the course: learning curves, populations, weights, step sizes, races, scores.

Each function takes runs, live (a Training, an Outcome) or stored (`stored_result(name)`, or one of its "runs"), and
returns a matplotlib Figure; as the last line of a cell it is shown once. `alternative(figure)` says in words what is
to be seen. Read `RunView` first, then any figure: they are independent.
"""

from tetriscourse.plots.learned import cloud, learned_weights, score_histogram
from tetriscourse.plots.learning import (
    learning_curves,
    population,
    race_evaluations,
    step_sizes,
    weights_over_time,
)
from tetriscourse.plots.runs import RunView
from tetriscourse.plots.style import alternative

__all__ = [
    "RunView", "alternative", "cloud", "learned_weights", "learning_curves", "population", "race_evaluations",
    "score_histogram", "step_sizes", "weights_over_time",
]  # fmt: skip
