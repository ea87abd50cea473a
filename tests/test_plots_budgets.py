"""The figure of budgets draws the medians, and the range of the runs."""

import matplotlib as mpl
import numpy as np
import pytest

from tetriscourse import plots
from tetriscourse.course.results import stored_table
from tetriscourse.plots import alternative

mpl.use("agg")
ROWS = [
    {"name": "bred", "chapter": "07", "runs": [[[10_000, 1.0], [30_000, 9.0]], [[10_000, 3.0]], [[10_000, 0.0]]]},
    {"name": "learned", "chapter": "14", "runs": [[[30_000, 7.0]]]},
]


def drawn(rows):
    return {line.get_label(): line.get_xydata().tolist() for axes in plots.budget(rows).axes for line in axes.lines}


def test_each_method_has_a_line_of_medians_on_its_side():
    left, right = plots.budget(ROWS).axes
    assert [axes.get_title() for axes in (left, right)] == ["searching for weights", "learning from experience"]
    assert [line.get_label() for line in left.lines] == ["07 bred"]
    assert drawn(ROWS) == {"07 bred": [[10_000, 1.0], [30_000, 9.0]], "14 learned": [[30_000, 7.0]]}


def test_the_band_reaches_from_the_least_to_the_greatest_and_no_lines_are_drawn_at_the_floor():
    (band,) = plots.budget(ROWS).axes[0].collections
    at = {x: [y for place, y in band.get_paths()[0].vertices if place == x] for x in (10_000, 30_000)}
    assert (min(at[10_000]), max(at[10_000])) == (0.05, 3.0)
    assert set(at[30_000]) == {9.0}


def test_the_picture_says_in_words_where_each_method_ends():
    assert "bred 9.00 after 30,000 moves; learned 7.00 after 30,000 moves" in alternative(plots.budget(ROWS))


def test_every_stored_method_is_drawn_and_no_run_uses_more_than_its_budget():
    rows = stored_table("budget").rows
    assert len(drawn(rows)) == len(rows) >= 20
    for row in rows:
        for points in row["runs"]:
            moves = [budget for budget, _ in points]
            assert moves == sorted(set(moves))
            assert np.isfinite([lines for _, lines in points]).all()


@pytest.mark.parametrize("row", stored_table("budget").rows, ids=lambda row: row["name"])
def test_a_method_has_five_runs_unless_it_was_made_once(row):
    assert row["count"] == len(row["runs"]) == (1 if "record" in row["name"] else 5)
