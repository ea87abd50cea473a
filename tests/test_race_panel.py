"""The panel of races shows the Race itself: stepped to its end, it is the race that training runs."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest

from tetriscourse.errors import InputError
from tetriscourse.game.rules import Rules
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.evaluation import run_race
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.racing import BOUNDS, Race, Racing, RacingSettings
from tetriscourse.optimizers.training import GAMES, Curve, Run
from tetriscourse.random_numbers import derived_seed
from tetriscourse.simulator.run import Pool
from tetriscourse.widgets import RacePanel
from tetriscourse.widgets.optimizing.lineups import TOYS, small_tetris
from tetriscourse.widgets.optimizing.race_charts import STATES

RULES = Rules(6, 8, max_pieces=30)
CANDIDATES = np.random.default_rng(1).normal(size=(7, 6))  # any will do
SHORT = RacingSettings("tetris", low=0, high=20, r_min=3, r_max=40)


def tell(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def finish(panel):
    """Step until the race is over."""
    panel.step(panel.race.limit + 1)
    assert not panel.race.undecided


def facts(race):
    """Everything that a race knows."""
    arrays = [one.tolist() for one in (race.counts, race.means, race.lower, race.upper)]
    return (*arrays, race.selected, race.discarded, race.undecided, race.decided, race.rounds)


# --- the real race --------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", ["common", "own"])
def test_stepped_to_its_end_it_is_the_race_that_run_race_runs(pieces):
    objective = Objective("dellacherie", RULES, pieces=pieces)
    panel = RacePanel(objective, SHORT, candidates=CANDIDATES, mu=3, seed=6)
    pool = Pool()
    racing = Racing(SHORT)
    for number in range(4):
        finish(panel)
        race = racing.next_race(7, 3)
        done = run_race(pool, objective, CANDIDATES, derived_seed(6, number, GAMES), race)
        racing.settle(race)
        assert facts(panel.race) == facts(race)
        assert panel.race.scores().tolist() == done.scores.tolist()
        tell(panel, "next")
        assert panel.settled[-1].evaluations == done.games
    pool.executor.shutdown()
    assert panel.racing.state() == racing.state()


def test_its_games_are_those_of_the_first_iteration_of_a_training_with_the_same_seed():
    objective = Objective("dellacherie", RULES)
    optimizer = CMAES(6, population=8, seed=11)
    panel = RacePanel(objective, SHORT, candidates=optimizer.ask(), mu=4, seed=11)
    finish(panel)
    run = Run(optimizer, objective, Racing(SHORT), Curve(0))
    with Pool() as pool:
        run.step(pool)
    assert run.result.log.last("race_evaluations") == panel.race.evaluations
    assert optimizer.history.last("mean") == panel.race.scores().mean()


@pytest.mark.parametrize("field", TOYS)
def test_made_up_scores_have_the_true_mean_that_the_panel_knows(field):
    lineup = TOYS[field].lineup(seed=3, number=2, candidates=8)
    scores = np.array([lineup.scores(r, range(8)) for r in range(3000)])
    error = scores.std(axis=0) / np.sqrt(len(scores))
    assert np.abs((scores.mean(axis=0) - lineup.truth) / error).max() < 4
    assert (scores >= TOYS[field].low).mean() > 0.99
    assert (scores <= TOYS[field].high).mean() > 0.99
    assert lineup.scores(5, [6, 2]).tolist() == scores[5][[6, 2]].tolist()


def test_exponential_scores_vary_as_much_as_they_are_high():
    lineup = TOYS["exponential scores"].lineup(seed=1, number=0, candidates=5)
    scores = np.array([lineup.scores(r, range(5)) for r in range(3000)])
    assert scores.std(axis=0) / scores.mean(axis=0) == pytest.approx(1, abs=0.15)


def test_no_score_of_the_small_board_is_beyond_its_range():
    field = small_tetris()
    lineup = field.lineup(seed=0, number=0, candidates=6)
    scores = np.array([lineup.scores(r, range(6)) for r in range(10)])
    assert field.low == 0
    assert field.high == 200
    assert scores.max() <= field.high
    assert scores.std() > 0


# --- the same scores, judged by another bound -----------------------------------------------------


def race_of_scores(settings, limit, scores, mu):
    """A race without any panel."""
    race = Race(settings, candidates=len(scores[0]), mu=mu, limit=limit)
    while race.wanted and race.rounds < len(scores):
        race.add(race.wanted, scores[race.rounds][race.wanted])
    return race


@pytest.mark.parametrize("bound", BOUNDS)
def test_another_bound_judges_the_same_scores(bound):
    panel = RacePanel("normal scores", seed=2, steps=40)
    scores = [panel.lineup.scores(r, range(10)) for r in range(panel.race.rounds)]
    tell(panel, "bound", bound)
    settings = RacingSettings(bound, low=0, high=100, r_min=50, r_max=1000)
    assert facts(panel.race) == facts(race_of_scores(settings, 50, scores, 5))


def test_a_smaller_delta_widens_the_bars_and_back_again():
    panel = RacePanel("normal scores", "hoeffding", seed=2, steps=20)
    before, upper = facts(panel.race), panel.race.upper.copy()
    tell(panel, "delta", 0.001)
    assert (panel.race.upper > upper).all()
    tell(panel, "delta", "0.05")
    assert facts(panel.race) == before


def test_games_that_were_never_played_are_wanted_after_a_change_of_the_bound():
    objective = Objective("dellacherie", RULES)
    settings = RacingSettings("tetris", low=0, high=20, r_min=20, r_max=40)
    near = small_tetris().lineup(seed=0, number=0, candidates=7).vectors
    panel = RacePanel(objective, settings, candidates=near, mu=3, seed=6)
    finish(panel)
    early = panel.race.counts.min()
    assert early < panel.race.rounds
    tell(panel, "bound", "hoeffding")
    assert panel.race.rounds == early
    assert len(panel.race.wanted) == 7
    finish(panel)
    tell(panel, "bound", "tetris")
    assert not panel.race.undecided


def test_a_higher_limit_lets_a_race_go_on():
    panel = RacePanel("normal scores", "hoeffding", seed=2)
    finish(panel)
    assert panel.race.rounds == 50
    tell(panel, "limit", "60")
    assert panel.race.undecided
    finish(panel)
    assert panel.race.rounds == 60


# --- right or wrong -------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_panel_says_whether_the_race_was_right():
    panel = RacePanel("exponential scores", seed=0)
    said = set()
    for _ in range(12):
        finish(panel)
        best = set(np.argsort(-panel.lineup.truth)[:5].tolist())
        wrong = 5 - len(best & set(panel.race.selected))
        text = "All places are right." if not wrong else f"{wrong} place{'s' * (wrong > 1)} wrong."
        assert text in panel.data["verdict"]["text"][0]
        said.add(bool(wrong))
        tell(panel, "next")
        assert panel.settled[-1].wrong == wrong
    assert said == {True, False}


def test_the_bound_that_holds_for_any_distribution_is_right_when_it_decides():
    panel = RacePanel("normal scores", RacingSettings("hoeffding", low=0, high=100, r_min=800, r_max=1000))
    for _ in range(3):
        while panel.race.wanted:
            panel.apply(panel.compute())
        panel.go_on()
    assert [one.wrong for one in panel.settled if one.decided] == [0] * 3


def test_undecided_races_raise_the_limit_and_decided_ones_lower_it():
    panel = RacePanel("exponential scores", seed=1)
    tell(panel, "onward", True)
    while len(panel.settled) < 8:
        panel.apply(panel.compute())
    settled = panel.settled
    assert {one.decided for one in settled} == {True, False}
    for one, following in pairwise(settled):
        assert following.limit <= max(one.limit, 50) if one.decided else following.limit > one.limit
    used = f"{panel.racing.evaluations / panel.racing.allowed:.0%} played"
    assert used in panel.status()


def test_new_candidates_come_with_every_race_and_the_old_ones_after_a_reset():
    panel = RacePanel(seed=5)
    first = panel.lineup.truth
    finish(panel)
    tell(panel, "next")
    assert not set(first) & set(panel.lineup.truth)
    tell(panel, "reset")
    assert panel.lineup.truth.tolist() == first.tolist()
    assert panel.settled == []


# --- what is drawn --------------------------------------------------------------------------------


def test_every_state_has_a_shape_of_its_own():
    assert len({marker for _, marker in STATES.values()}) == len(STATES)


def test_a_bar_for_each_candidate_reaches_from_its_lower_to_its_upper_bound():
    panel = RacePanel("normal scores", "hoeffding", seed=1, steps=30)
    tell(panel, "order", "by number")
    tell(panel, "view", "the whole range")
    bars = re.findall(r'class="tc-interval".*?d="M\S+ (\S+)H\S+M\S+ \S+V([\d.-]+)M', panel.data["bars"]["svg"])
    tops, bottoms = np.array(bars, float).T
    assert len(tops) == 10
    pixels = np.concatenate([tops, bottoms])
    bounds = np.concatenate([panel.race.upper, panel.race.lower])
    slope, offset = np.polyfit(bounds, pixels, 1)
    assert slope < 0
    assert pixels == pytest.approx(slope * bounds + offset, abs=0.02)


def test_crossed_bounds_are_dashed_and_marked_and_explained():
    panel = RacePanel()
    said = []
    for _ in range(50):
        panel.step()
        crossed = panel.race.lower > panel.race.upper
        beside = crossed | (panel.race.means < panel.race.lower) | (panel.race.means > panel.race.upper)
        bars = re.findall(r'<path class="tc-interval"[^>]*>', panel.data["bars"]["svg"])
        assert ["stroke-dasharray" in bar for bar in bars] == crossed.tolist()
        marked = {row[0] for row in panel.data["candidates"]["rows"] if row[4].endswith("×")}
        assert marked == {str(k + 1) for k in np.flatnonzero(crossed)}
        words = panel.data["verdict"]["text"][1]
        assert ("they can even cross" in words) == crossed.any()
        assert ("beside the mean" in words) == (beside.any() and not crossed.any())
        said.append((beside.any(), crossed.any()))
    assert set(said) >= {(False, False), (True, True)}


def test_the_area_of_those_who_still_play_is_what_the_race_costs():
    panel = RacePanel(seed=3)
    finish(panel)
    line = re.search(r'class="tc-line"[^>]*d="M([^"]*)"', panel.data["playing"]["svg"])[1]
    x, y = np.array([point.split() for point in line.split("L")], float).T
    band = re.search(r'class="tc-band"[^>]*d="M([^"]*)Z"', panel.data["playing"]["svg"])[1]
    ground = max(float(point.split()[1]) for point in band.split("L"))
    round_wide, candidate_high = (x[-1] - x[0]) / panel.race.rounds, (ground - y[0]) / 10
    area = np.trapezoid(ground - y, x) / round_wide / candidate_high
    assert area == pytest.approx(panel.race.evaluations, rel=0.01)


def test_the_truth_is_shown_only_if_somebody_asks():
    panel = RacePanel(seed=3, steps=5)
    assert "true mean" not in panel.data["bars"]["svg"]
    tell(panel, "truth", True)
    assert "true mean" in panel.data["bars"]["svg"]
    assert panel.data["candidates"]["columns"][-1] == "true"
    tell(panel, "field", "Tetris 6x12")
    assert panel.data["who"]["truth"] == {"value": False, "disabled": True}


def test_the_table_and_the_order_follow_the_means():
    panel = RacePanel(seed=3, steps=25)
    means = [float(row[3]) for row in panel.data["candidates"]["rows"]]
    assert means == sorted(means, reverse=True)
    tell(panel, "order", "by number")
    assert [row[0] for row in panel.data["candidates"]["rows"]] == [str(k) for k in range(1, 11)]


def test_the_data_stay_small_however_many_race():
    panel = RacePanel(candidates=40, steps=20)
    tell(panel, "truth", True)
    assert len(json.dumps(panel.data)) < 60_000
    assert panel.failure == ""


def test_before_the_first_click_two_panels_are_alike():
    one, other = RacePanel("Tetris 6x12", seed=4), RacePanel("Tetris 6x12", seed=4)
    assert one.data == other.data
    assert repr(one) == repr(other) == "RacePanel(Racing)\nRace 1: 0 of at most 50 rounds, 0 of 500 evaluations"


# --- controls and input ---------------------------------------------------------------------------


def test_other_numbers_of_candidates_and_places_begin_anew():
    panel = RacePanel(steps=4)
    tell(panel, "candidates", "6")
    assert (panel.race.candidates, panel.race.mu, panel.race.rounds) == (6, 3, 0)
    tell(panel, "places", "1")
    assert (panel.race.candidates, panel.race.mu) == (6, 1)


def test_a_race_that_is_over_waits_for_the_next_unless_told_to_go_on():
    panel = RacePanel(seed=1)
    finish(panel)
    assert panel.compute() is None
    assert panel.data["run"]["step"]["disabled"]
    assert not panel.data["who"]["next"]["disabled"]
    tell(panel, "onward", True)
    tell(panel, "step")
    assert len(panel.settled) == 1
    assert panel.race.rounds == 0


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ("next", None, "10 candidates undecided; the race must be over first"),
        ("delta", "2", "delta is 2; it must be a number above 0 and below 1"),
        ("limit", "3", "limit is 3; it must be a number at least 50 and at most 1000"),
        ("candidates", "1", "candidates is 1; it must be a whole number from 2 to 40"),
        ("places", "10", "places is 10; it must be a whole number from 1 to 9"),
        ("bound", "hoefding", "bound is 'hoefding'; did you mean 'hoeffding'?"),
        ("field", "golf", "scores of is 'golf'"),
    ],
)
def test_bad_input_is_a_message_and_changes_nothing(event, value, said):
    panel = RacePanel(steps=2)
    before = facts(panel.race)
    tell(panel, event, value)
    assert panel.message["text"].startswith(said)
    assert facts(panel.race) == before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"field": "golf"}, "field is 'golf'"),
        ({"field": 3}, "field is 3; it must be an Objective or one of"),
        ({"field": Objective("dellacherie")}, "a race needs bounded scores"),
        ({"settings": "wide"}, "settings is 'wide'"),
        ({"candidates": 1}, "candidates is 1"),
        ({"candidates": [[1, 2]], "field": Objective("dellacherie", RULES)}, "each must have 6 weights"),
        ({"mu": 10}, "mu is 10"),
        ({"seed": 0.5}, "seed is 0.5"),
    ],
)
def test_arguments_are_checked(given, said):
    with pytest.raises(InputError, match=re.escape(said)):
        RacePanel(**given)
