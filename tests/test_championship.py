"""Chapter 15: what it says of stored tables, the scripts that make them, and the worlds of 15.8."""

import re
from dataclasses import replace
from importlib import import_module
from math import exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from course_books import everything

import tetriscourse as tc
from tetriscourse.course.checks import trials
from tetriscourse.course.checks.trials import BUDGET, IDEAS, NOTHING, TRAINING, Trials
from tetriscourse.course.results import stored_table

BENCHMARKS = Path(__file__).parent / "benchmarks"
TRIED = [row for row in stored_table("record-tries").rows if row["rules"] == "10x10"]


def number(text):
    return float(str(text).replace(",", ""))


# --- the record ---------------------------------------------------------------------------------


def test_the_goals_were_not_reached_and_the_published_records_are_passed():
    ten = tc.stored_result("record-10x10")["judged"][0]
    twenty = next(one for one in tc.stored_result("record-10x20")["judged"] if one["rules"] == "research")
    assert 5_379 < ten["low"] < ten["high"] < 10_000
    assert 51e6 < twenty["low"] < twenty["high"] < 100e6
    for quoted in (f"{ten['mean']:,.0f} lines", f"{twenty['mean'] / 1e6:.1f} million lines"):
        assert quoted in everything("15")


def test_the_games_looked_at_twice_are_not_those_of_the_judgement():
    (judgement,) = tc.EXPERIMENTS["record-10x10"].judgements
    looks = [(row["iterations"], row["runs"]) for row in TRIED if row["seed"] == 2026]
    assert looks == [(40, "1"), (100, "1")]
    assert judgement.seed != 2026


def test_more_iterations_help_each_run_and_the_mean_of_three_helps_none():
    lines = {(row["runs"], row["iterations"]): number(row["mean"]) for row in TRIED if row["seed"] == 2027}
    low = {(row["runs"], row["iterations"]): number(row["low"]) for row in TRIED if row["seed"] == 2027}
    high = {(row["runs"], row["iterations"]): number(row["high"]) for row in TRIED if row["seed"] == 2027}
    assert all(lines[run, 40] < lines[run, 100] for run in "123")
    assert high["1", 40] < low["1", 100]
    assert min(lines[run, 100] for run in "123") < lines["mean of 3", 100] < max(lines[run, 100] for run in "123")


def test_looking_ahead_doubles_the_champion_and_the_next_piece_multiplies_it():
    rows = {(row["rules"], row["sees"], row["weights"]): number(row["mean"]) for row in stored_table("look-ahead").rows}
    own, learned = "the champion's", "learned for it"
    assert round(rows["10x10", "unknown", own] / rows["10x10", "one piece", own], 1) == 2.1
    assert round(rows["10x8", "known", own] / rows["10x8", "one piece", own]) == 41
    assert round(rows["10x8", "known", learned] / rows["10x8", "one piece", own]) == 78


def test_a_hundred_long_games_would_take_minutes_and_half_an_hour():
    rows = [row for row in stored_table("look-ahead").rows if row["rules"] == "10x10"]
    took = {
        sees: [100 * 2.5 * number(row["mean"]) / row["speed"] / 60 for row in rows if row["sees"] == sees]
        for sees in ("unknown", "known")
    }
    assert all(1.5 < minutes < 2.5 for minutes in took["unknown"])
    assert all(10 < minutes < 30 for minutes in took["known"])


def test_the_ablation_has_the_surprise_that_is_told():
    rows = {row["name"]: row["high"] for row in stored_table("ablation").rows}
    assert {"squared_height", "holes_by_height", "eroded_cells"} == {name for name in rows if rows[name]["low"] > 1}
    fewer = {name: rows[name]["ratio"] for name in rows if rows[name]["high"] < 1}
    assert set(fewer) == {"row_transitions", "wells", "landing_height", "column_transitions"}
    assert 0.5 < min(fewer.values()) < max(fewer.values()) < 0.8


# --- the scripts --------------------------------------------------------------------------------


@pytest.fixture
def scaling(monkeypatch):
    """The script, as it is."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("scaling_figures")


def test_units_change_what_a_step_is_and_nothing_else(scaling):
    plain, scaled = (scaling.experiment(units, "") for units in ("1", "spreads"))
    assert replace(scaled, name=plain.name, objective=plain.objective) == plain
    candidate = np.linspace(-1, 1, len(scaling.FEATURES))
    weights = np.array([scaled.objective.player(candidate).weights])
    assert weights * [scaling.SPREADS[name] for name in scaling.FEATURES] == pytest.approx(candidate[None])
    assert plain.objective.player(candidate).weights == pytest.approx(tuple(candidate))


def test_the_shuffled_units_are_the_spreads_of_other_features(scaling):
    shuffled = scaling.UNITS["shuffled"]
    assert sorted(shuffled.values()) == sorted(scaling.SPREADS.values())
    assert shuffled != scaling.SPREADS
    assert set(scaling.UNITS["spreads-of-two"]) == set(scaling.SUSPECTS)


def test_the_first_row_of_the_scaling_is_the_ablation_s(scaling):
    whole = stored_table("ablation").rows[0]
    row = stored_table("scaling").rows[0]
    assert row["without"] == "nothing"
    for board in ("high", "low"):
        assert {name: row[board][name] for name in ("median", "least", "most")} == {
            name: whole[board][name] for name in ("median", "least", "most")
        }


def test_in_units_of_spreads_the_surprise_is_gone_and_two_of_them_are_enough():
    rows = {(row["units"], row["without"]): row for row in stored_table("scaling").rows}
    raw, all_, two, wrong = ("1, as in the ablation", "each its own spread", "these two their spreads",
                             "spreads of other features")  # fmt: skip
    for suspect in ("squared_height", "holes_by_height"):
        assert rows[raw, suspect]["within"]["low"] > 1
        assert rows[all_, suspect]["within"]["low"] < 1 < rows[all_, suspect]["within"]["high"]
    assert rows[two, "nothing"]["high"]["low"] > rows[all_, "nothing"]["high"]["ratio"] > 1
    assert rows[wrong, "nothing"]["high"]["high"] < 1
    assert rows[two, "nothing"]["high"]["least"] > 5_379
    assert 35 < 5.14e9 / rows[two, "nothing"]["moves"] < 40


def test_the_lecture_s_lines_of_code_are_the_experiment_of_the_table(scaling):
    (source,) = re.findall(r"```python\n(from tetriscourse[^`]*units = .*?)```", everything("15"), re.DOTALL)
    names = {"tc": tc, "np": np, "champion": tc.PLAYERS["champion-10x10"]}
    short = source.replace("iterations=100", "iterations=2").replace("games=40", "games=1")
    exec(short, names)
    one = scaling.experiment("spreads-of-two", "").changed(iterations=2, games=1, runs=1)
    expected = one.run(progress=False).player.weights
    assert names["mine"].weights == pytest.approx(expected)


# --- the worlds of 15.8 -------------------------------------------------------------------------


def test_a_world_is_the_same_however_it_is_asked():
    one, other = Trials(7, 3), Trials(7, 3)
    first = [one.play("idea 2", 0, 5), one.play(NOTHING, 1, 4), one.play("idea 2", 0, 3)]
    last = [other.play(NOTHING, 1, 4), other.play("idea 2", 0, 8)]
    assert [*first[0], *first[2]] == last[1]
    assert first[1] == last[0]


def test_training_costs_games_once_and_nobody_gets_more_than_there_are():
    world = Trials(7)
    world.play("idea 1", 0, 10)
    world.play("idea 1", 0, 10)
    assert world.left == BUDGET - TRAINING - 20
    with pytest.raises(tc.InputError, match="games is 9000, which costs 9030"):
        world.play("idea 1", 1, 9000)
    assert world.left == BUDGET - TRAINING - 20


@pytest.mark.parametrize("bad", [("idea 99", 0, 1), ("idea 1", -1, 1), ("idea 1", 0, 0), ("idea 1", 0.5, 1)])
def test_nonsense_is_refused(bad):
    with pytest.raises(tc.InputError):
        Trials(7).play(*bad)


def test_worlds_are_as_the_exercise_says(monkeypatch):
    """Lines of ideas, luck of runs, the law of games, and how often nothing helps, from what worlds answer."""
    monkeypatch.setattr(trials, "BUDGET", 10**9)
    helped = [world for world in (Trials(11, k) for k in range(400)) if not world.is_right(NOTHING)]
    assert abs(len(helped) / 400 - trials.SHARE) < 3 * sqrt(0.75 * 0.25 / 400)
    world = helped[0]
    (helpful,) = [name for name in IDEAS if world.is_right(name)]
    logs = {
        name: np.array([log(np.mean(world.play(name, run, 2000))) for run in range(100)]) for name in (NOTHING, helpful)
    }
    for spread in (one.std(ddof=1) for one in logs.values()):
        assert spread == pytest.approx(trials.LUCK, rel=0.25)
    assert exp(logs[helpful].mean() - logs[NOTHING].mean()) == pytest.approx(trials.HELPS, rel=0.1)
    means = {name: np.mean([np.mean(world.play(name, run, 50)) for run in range(30)]) for name in IDEAS}
    others = [log(mean) for name, mean in means.items() if name != helpful]
    assert max(others) < logs[NOTHING].mean() + 0.15
    assert min(others) > logs[NOTHING].mean() + log(trials.HARMS) - 0.15
    games = np.array(world.play(NOTHING, 0, 4000))
    assert games.std() == pytest.approx(games.mean(), rel=0.06)
