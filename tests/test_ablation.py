"""Champions without a feature: their runs differ in nothing else, and the intervals of the ratios are Student's."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

import tetriscourse as tc
from tetriscourse.course.results import stored_table

BENCHMARKS = Path(__file__).parent / "benchmarks"


@pytest.fixture
def ablation(monkeypatch) -> ModuleType:
    """The script, as it is."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("ablation_figures")


@pytest.fixture
def small(ablation, monkeypatch) -> ModuleType:
    """The script with three features and games of some lines."""
    low = tc.Rules(10, 5)
    for name, value in {
        "FEATURES": ("landing_height", "holes", "wells"), "LOW": low, "GAMES": 1, "AVERAGED": 2, "RUNS": 2,
        "WHOLE_RUNS": 3, "SETTINGS": replace(ablation.SETTINGS, iterations=2, population=4),
        "JUDGING": {"high": (tc.Rules(10, 6), 5), "low": (low, 5)},
    }.items():  # fmt: skip
        monkeypatch.setattr(ablation, name, value)
    return ablation


def test_every_set_lacks_one_feature_and_is_trained_like_the_whole(ablation):
    whole = ablation.experiment(ablation.WHOLE)
    assert [one.name for one in whole.objective.features.features] == list(ablation.FEATURES)
    for name in ablation.FEATURES:
        one = ablation.experiment(name)
        seen = [feature.name for feature in one.objective.features.features]
        assert sorted([*seen, name]) == sorted(ablation.FEATURES)
        assert replace(one, name=whole.name, runs=whole.runs, objective=whole.objective) == whole
        assert str(one.objective).split(", ")[1:] == str(whole.objective).split(", ")[1:]


def test_a_ratio_of_two_groups_has_the_interval_of_student_s_test(ablation):
    a, b = np.log([4000.0, 3500, 5000, 4400]), np.log([3000.0, 2500, 3900])
    ratio, low, high = ablation.ratio_to(a, b, *ablation.pooled_sd([a, b]))
    found = stats.ttest_ind(b, a)
    assert np.log([low, high]) == pytest.approx(list(found.confidence_interval(0.95)))
    assert ratio == pytest.approx(stats.gmean(np.exp(b)) / stats.gmean(np.exp(a)))


def test_more_groups_tell_the_spread_more_closely(ablation):
    groups = [np.array([1.0, 1.2]), np.array([3.0, 3.4]), np.array([2.0, 2.0, 2.6])]
    sd, freedom = ablation.pooled_sd(groups)
    assert (sd, freedom) == (pytest.approx(np.sqrt((0.02 + 0.08 + 0.24) / 4)), 4)


def test_runs_are_kept_and_read_again(small, tmp_path, monkeypatch):
    first = small.learned("holes", tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["without-holes-01.npz", "without-holes-02.npz"]
    monkeypatch.setattr("tetriscourse.optimizers.training.Run.step", lambda *_: pytest.fail("a run was trained again"))
    again = small.learned("holes", tmp_path)
    assert (again.lines, again.moves) == (first.lines, first.moves)
    np.testing.assert_array_equal(again.vectors, first.vectors)


def test_rows_tell_the_median_and_range_of_the_runs_and_their_ratio_to_the_whole_set(small):
    found = [small.Learned(name, np.eye(3)[:2], {"high": lines, "low": lines}, [7, 9])
             for name, lines in ((small.WHOLE, [180.0, 220.0]), ("holes", [99.0, 101.0]))]  # fmt: skip
    whole, holes = (small.record(one, found) for one in found)
    assert whole["high"] == {"median": 200, "least": 180, "most": 220, "ratio": 1, "low": 1, "high": 1}
    assert (holes["name"], holes["runs"], holes["moves"]) == ("holes", 2, 8)
    assert {name: holes["low"][name] for name in ("median", "least", "most")} == {
        "median": 100, "least": 99, "most": 101,
    }  # fmt: skip
    found = stats.ttest_ind(np.log([99, 101]), np.log([180, 220])).confidence_interval(0.95)
    expected = f"0.50 ({np.exp(found.low):.2f} to {np.exp(found.high):.2f})"
    assert f"| 100 (99 to 101) | {expected} | 100 (99 to 101) | {expected} | 8 |" in small.TABLE.row(holes)


def test_weights_are_stored_with_length_1_a_row_for_each_feature(small):
    whole = small.Learned(small.WHOLE, np.array([[3.0, 4.0, 0.0], [0.0, 0.0, -2.0]]), {}, [])
    assert small.weight_rows(whole) == [
        {"feature": "landing_height", "weights": [0.6, 0.0]}, {"feature": "holes", "weights": [0.8, 0.0]},
        {"feature": "wells", "weights": [0.0, -1.0]},
    ]  # fmt: skip


def test_the_stored_tables_have_a_row_for_each_set_and_for_each_weight(ablation):
    rows, weights = stored_table("ablation").rows, stored_table("champion-weights").rows
    assert [row["name"] for row in rows] == [ablation.WHOLE, *ablation.FEATURES]
    assert [row["runs"] for row in rows] == [ablation.WHOLE_RUNS] + [ablation.RUNS] * len(ablation.FEATURES)
    assert [row["feature"] for row in weights] == list(ablation.FEATURES)
    lengths = np.linalg.norm([row["weights"] for row in weights], axis=0)
    assert lengths == pytest.approx([1] * ablation.WHOLE_RUNS, abs=1e-3)


def test_stored_weights_play_as_the_table_says(ablation):
    whole = stored_table("ablation").rows[0]["low"]
    for weights in list(zip(*(row["weights"] for row in stored_table("champion-weights").rows), strict=True))[:2]:
        scores = tc.simulate(tc.Player("champion", weights), ablation.LOW, games=200, seed=5, progress=False)
        low, high = scores.interval(0.999)
        assert low < whole["most"]
        assert high > whole["least"]


def test_a_feature_that_is_none_of_them_is_refused(ablation, monkeypatch):
    monkeypatch.setattr("sys.argv", ["ablation_figures.py", "hole"])
    with pytest.raises(tc.InputError, match="FEATURE is 'hole'; did you mean 'holes'"):
        ablation.main()
