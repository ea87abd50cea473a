"""Racing, against its formulas written out, arms whose means are known, and evaluations that were counted."""

from math import log, sqrt
from statistics import fmean, pstdev

import numpy as np
import pytest
from functions import sphere
from hypothesis import given
from hypothesis import strategies as st

from tetriscourse.errors import InputError
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.racing import BOUNDS, Race, Racing, RacingSettings

UNIT = {"low": 0.0, "high": 1.0}
"""Scores between 0 and 1."""


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


def finished(race, score):
    """The race, run to its end; score(i) evaluates a candidate once."""
    while race.wanted:
        wanted = race.wanted
        race.add(wanted, [score(i) for i in wanted])
    return race


def finished_on(race, scores):
    """The race, run to its end on a row of scores a round."""
    return finished(race, lambda i: scores[race.rounds][i])


def a_race(candidates=4, mu=2, limit=100, **settings):
    return Race(RacingSettings(**settings), candidates=candidates, mu=mu, limit=limit)


# --- bounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_half_widths_are_those_of_the_formulas(bound, rounds):
    scores = generator(rounds).exponential(500, size=(rounds, 4))
    race = a_race(limit=20, bound=bound, delta=0.1, low=100, high=1600)
    lower, upper = [-np.inf] * 4, [np.inf] * 4
    for r in range(1, rounds + 1):
        assert race.wanted == [0, 1, 2, 3]
        race.add(race.wanted, scores[r - 1])
        for i in range(4):
            so_far = scores[:r, i].tolist()
            mean, sd = fmean(so_far), pstdev(so_far)
            bernstein_logs = log(3 * 4 * 20) - log(0.1)
            c = {
                "hoeffding": 1500 * sqrt((log(2 * 4 * 20) - log(0.1)) / (2 * r)),
                "bernstein": sd * sqrt(2 * bernstein_logs / r) + 3 * 1500 * bernstein_logs / r,
                "tetris": 2 * mean / sqrt(r),
            }[bound]
            lower[i], upper[i] = max(lower[i], mean - c), min(upper[i], mean + c)
        assert race.means == pytest.approx(scores[:r].mean(axis=0))
        assert race.sds == pytest.approx(scores[:r].std(axis=0))
        assert race.lower == pytest.approx(lower)
        assert race.upper == pytest.approx(upper)


@given(st.sampled_from(sorted(BOUNDS)), st.integers(0, 10**6))
def test_bounds_only_tighten(bound, seed):
    rng, race = generator(seed), a_race(5, 2, 30, bound=bound, **UNIT)
    while race.wanted:
        lower, upper, wanted = race.lower.copy(), race.upper.copy(), race.wanted
        race.add(wanted, rng.random(len(wanted)) * np.array(wanted))
        assert (race.lower >= lower).all()
        assert (race.upper <= upper).all()


def test_bernstein_is_wider_than_hoeffding_when_scores_vary_as_much_as_their_mean():
    """Why Boumaza 2013 gained nothing by it: at no number of games in his range is it the narrower one."""
    scores = generator(1).exponential(700, size=(100, 4))
    races = {bound: a_race(bound=bound) for bound in ("hoeffding", "bernstein")}
    for row in scores:
        for race in races.values():
            assert len(race.wanted) == 4
            race.add(race.wanted, row)
        widths = {bound: race.upper - race.lower for bound, race in races.items()}
        assert (widths["bernstein"] > widths["hoeffding"]).all()


def test_bernstein_is_narrower_when_scores_hardly_vary():
    races = {bound: a_race(limit=1000, bound=bound) for bound in ("hoeffding", "bernstein")}
    for race in races.values():
        for _ in range(999):
            race.add(race.wanted, [500, 501, 502, 503])
    widths = {bound: race.upper - race.lower for bound, race in races.items()}
    assert (widths["bernstein"] < widths["hoeffding"]).all()


# --- one race -----------------------------------------------------------------------------------


def test_the_true_best_are_selected_as_often_as_promised():
    """Bernoulli arms; 90 % of the races at least are decided, and of these 5 % at most wrongly."""
    means, rng, wrong, decided = [0.9, 0.3, 0.8, 0.1, 0.35], generator(7), 0, 0
    for _ in range(150):
        race = finished(a_race(5, 2, 150, **UNIT), lambda i: float(rng.random() < means[i]))
        decided += race.decided
        wrong += race.decided and set(race.selected) != {0, 2}
    assert decided > 135
    assert wrong <= 0.05 * decided


def test_intervals_hold_all_true_means_as_often_as_promised():
    """Uniform arms, looked at after every round: a mean is outside its bounds in 5 % of the races at most."""
    means, rng = np.array([0.5, 0.4, 0.45, 0.55]), generator(3)
    for bound in ("hoeffding", "bernstein"):
        missed = 0
        for _ in range(100):
            race = finished(a_race(4, 2, 40, bound=bound, **UNIT), lambda i: means[i] + 0.4 * (rng.random() - 0.5) * 2)
            missed += bool(((race.lower > means) | (race.upper < means)).any())
        assert missed <= 5


def test_clear_gaps_end_early_and_spare_those_who_are_decided():
    means, rng = [0.95, 0.9, 0.5, 0.05, 0.0], generator(2)
    race = finished(a_race(5, 2, 1000, **UNIT), lambda i: means[i] + 0.04 * rng.random())
    assert race.decided
    assert sorted(race.selected) == [0, 1]
    assert sorted(race.discarded) == [2, 3, 4]
    assert race.rounds == max(race.counts) < 300
    assert race.counts[4] < race.counts[2]
    assert race.evaluations == sum(race.counts) < race.allowed == 5000


def test_equal_arms_run_to_the_limit():
    rng = generator(4)
    race = finished(a_race(6, 3, 25, **UNIT), lambda i: rng.random())
    assert not race.decided
    assert race.counts.tolist() == [25] * 6
    assert sorted(race.selected) == sorted(np.argsort(-race.means)[:3])


def test_without_any_noise_a_race_ends_as_soon_as_the_intervals_are_apart():
    """Two candidates, 0 and 1: intervals of half-width c are apart when 2 c < 1."""
    race = finished(a_race(2, 1, 100, **UNIT), float)
    enough = next(r for r in range(1, 101) if 2 * sqrt((log(2 * 2 * 100) - log(0.05)) / (2 * r)) < 1)
    assert race.rounds == enough
    assert (race.selected, race.discarded, race.decided) == ([1], [0], True)


@given(st.integers(2, 8), st.data())
def test_nobody_who_satisfies_a_rule_is_left_undecided(candidates, data):
    mu, rng = data.draw(st.integers(1, candidates - 1)), generator(data.draw(st.integers(0, 10**6)))
    means = rng.random(candidates)
    race = a_race(candidates, mu, 60, low=-0.05, high=0.05)  # too narrow on purpose, so that decisions come early
    while race.wanted:
        wanted = race.wanted
        race.add(wanted, [means[i] + 0.2 * rng.random() for i in wanted])
        for i in race.undecided:
            others = [j for j in race.undecided if j != i]
            assert sum(race.lower[i] > race.upper[j] for j in others) < candidates - mu - len(race.discarded)
            assert sum(race.upper[i] < race.lower[j] for j in others) < mu - len(race.selected)
    assert len(race.selected) == mu
    assert sorted(race.selected + race.discarded) == list(range(candidates))


@given(st.integers(0, 10**6))
def test_told_scores_rank_every_selected_candidate_above_the_others(seed):
    rng = generator(seed)
    race = finished(a_race(6, 3, 20, low=0.0, high=0.05), lambda i: rng.random() + 0.05 * i)
    scores = race.scores()
    assert min(scores[race.selected]) > max(scores[race.discarded])
    assert (scores[race.selected] == race.means[race.selected]).all()
    assert (scores <= race.means).all()


def test_a_candidate_that_was_discarded_does_not_come_back_by_its_mean():
    """0 is discarded with a mean of 1; then the others, with scores out of range, fall below it."""
    race = a_race(3, 1, 2, low=0.0, high=0.1)
    race.add([0, 1, 2], [1.0, 2.0, 2.01])
    assert race.discarded == [0]
    race.add([1, 2], [-2.0, -2.0])
    assert race.means.tolist() == pytest.approx([1, 0, 0.005])
    assert race.selected == [2]
    assert race.scores()[0] < race.scores()[2]


def test_the_order_of_the_candidates_does_not_matter():
    scores = generator(9).normal(0, 1, size=(20, 6)) + np.arange(6) / 2  # far outside the range, so bounds contradict
    forward = finished_on(a_race(6, 2, 20, low=0.0, high=0.2), scores)
    backward = finished_on(a_race(6, 2, 20, low=0.0, high=0.2), scores[:, ::-1])
    assert sorted(forward.selected) == sorted(5 - i for i in backward.selected)
    assert forward.counts.tolist() == backward.counts.tolist()[::-1]
    assert (forward.scores() == backward.scores()[::-1]).all()


def test_nobody_counts_as_better_than_itself():
    """The bounds of 0 have crossed; it is surely better than 3 alone, and two must be beaten for a place."""
    race = a_race(4, 2, 100, **UNIT)
    race.lower[0], race.upper[:] = 0.8, [0.5, 1.0, 1.0, 0.7]
    race.add(race.wanted, [0.5, 0.5, 0.5, 0.5])
    assert race.wanted == [0, 1, 2, 3]


# --- the limit ----------------------------------------------------------------------------------


def test_the_limit_grows_while_races_are_hard_and_shrinks_when_they_are_easy():
    racing, limits, rounds = Racing(alpha=1.5, r_min=3, r_max=20, low=0.0, high=0.1), [], []
    for hard in [True] * 6 + [False] * 7:
        limits.append(racing.r_limit)
        race = finished(racing.next_race(4, 2), lambda i, hard=hard: 0.0 if hard else float(i))
        rounds.append(race.limit)
        assert race.decided == (not hard)
        racing.settle(race)
    up = [3, 4.5, 6.75, 10.125, 15.1875, 20]
    down = [20, 20 / 1.5, 20 / 1.5**2, 20 / 1.5**3, 20 / 1.5**4, 3, 3]
    assert limits == pytest.approx(up + down)
    assert rounds == [int(limit) for limit in limits]


def test_it_tells_how_evaluations_were_used():
    racing = Racing(bound="hoeffding", low=0.0, high=0.1)
    for hard in (True, False):
        racing.settle(finished(racing.next_race(4, 2), lambda i, hard=hard: 0.0 if hard else float(i)))
    assert (racing.races, racing.decided) == (2, 1)
    assert (racing.evaluations, racing.allowed) == (4 * 3 + 4 * 1, 4 * 3 + 4 * 4)
    assert repr(racing) == "Racing(hoeffding; 1 of 2 races decided, 16 of 28 evaluations, next limit 3)"
    assert repr(a_race()) == "Race(4 for 2 places, hoeffding; 4 undecided after 0 of 100 rounds, 0 of 400 evaluations)"


def test_races_go_on_from_a_stored_state():
    racing, other = Racing(), Racing()
    racing.settle(finished(racing.next_race(4, 2), lambda i: 500.0))
    other.restore({name: np.array(value) for name, value in racing.state().items()})
    assert other.r_limit == 4.5
    assert other.state() == racing.state()
    assert repr(other) == repr(racing)


# --- with an optimizer --------------------------------------------------------------------------


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_noisy_sphere_is_climbed_with_races(bound):
    """Scores are exponential around 1000 / (1 + |x|²), as those of a game with its maximum at 0."""
    rng, start = generator(5), (1.5,) * 5
    optimizer = CMAES(5, start=start, iterations=60, seed=1)
    racing = Racing(bound=bound, low=0.0, high=1000.0, r_max=30)
    while not optimizer.stop():
        x = optimizer.ask()
        race = racing.next_race(len(x), optimizer.constants.mu)
        means = [1000 / (1 - sphere(one)) for one in x]
        finished(race, lambda i, means=means: means[i] * rng.exponential())
        racing.settle(race)
        optimizer.tell(x, race.scores())
    assert sphere(optimizer.favourite) > 0.1 * sphere(start)
    assert racing.races == 60
    assert racing.evaluations <= racing.allowed <= 60 * len(x) * 30


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"bound": "hoefding"}, "bound"),
        ({"delta": 0}, "delta"),
        ({"delta": 1}, "delta"),
        ({"low": float("-inf")}, "low"),
        ({"low": 5, "high": 5}, "high"),
        ({"low": 5, "high": 4}, "high"),
        ({"alpha": 1}, "alpha"),
        ({"alpha": 0.5}, "alpha"),
        ({"r_min": 0}, "r_min"),
        ({"r_min": 5, "r_max": 4}, "r_max"),
        ({"rmax": 4}, "setting"),
        ({"settings": 3}, "settings"),
    ],
)
def test_bad_settings_are_refused_with_their_name_value_and_what_is_allowed(changes, name):
    with pytest.raises(InputError, match=rf"^{name} is .*(must be|allowed)"):
        Racing(**changes)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [({"mu": 0}, "mu"), ({"mu": 4}, "mu"), ({"candidates": 1}, "candidates"), ({"limit": 0.5}, "limit")],
)
def test_races_that_make_no_sense_are_refused(arguments, name):
    with pytest.raises(InputError, match=rf"^{name} is .* must be"):
        a_race(**arguments)


def test_a_round_is_one_finite_score_for_each_one_wanted():
    race = a_race()
    for indices, values in (([0, 1], [1, 2]), ([0, 1, 2, 2], [1] * 4), ([0, 1, 2, 3], [1, 2, 3])):
        with pytest.raises(InputError, match=r"must be those wanted|must have 4"):
            race.add(indices, values)
    with pytest.raises(InputError, match=r"values\[1\] is nan"):
        race.add(race.wanted, [1, float("nan"), 3, 4])
    assert race.evaluations == 0
    with pytest.raises(InputError, match="nobody left"):
        race.scores()
    with pytest.raises(InputError, match="must be over"):
        Racing().settle(race)
    race = finished(race, lambda i: 1000.0 * i)
    with pytest.raises(InputError, match="must be those wanted"):
        race.add([], [])
