"""The figures of the course: learning curves, populations, weights, step sizes, races, scores, learners.

Most functions take runs, live (a Training, an Outcome) or stored (`stored_result(name)`, or one of its "runs"), and
return a matplotlib Figure; as the last line of a cell it is shown once. `alternative(figure)` describes it in words.
Read `RunView` first, then any figure: they are independent.
"""

from tetriscourse.plots.budgets import budget
from tetriscourse.plots.comparing import pile_heights, staircase
from tetriscourse.plots.decisions import known_cells, learner_history
from tetriscourse.plots.run_views import RunView
from tetriscourse.plots.speed import speed_ratios, time_shares
from tetriscourse.plots.spread import score_spread
from tetriscourse.plots.style import alternative
from tetriscourse.plots.trained_players import cloud, learned_weights, score_histogram
from tetriscourse.plots.training_curves import (
    learning_curves,
    population,
    race_evaluations,
    step_sizes,
    weights_over_time,
)

__all__ = [
    "RunView", "alternative", "budget", "cloud", "known_cells", "learned_weights", "learner_history", "learning_curves",
    "pile_heights", "population", "race_evaluations", "score_histogram", "score_spread", "speed_ratios", "staircase",
    "step_sizes", "time_shares", "weights_over_time",
]  # fmt: skip
