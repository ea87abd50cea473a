"""Uncertainty handling: ranks counted by hand, measurements without noise and with nothing else, games that adapt."""

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.optimizers.uncertainty import Uncertainty, allowed, measured
from tetriscourse.random_numbers import Draws
from tetriscourse.simulator import play


def by_hand(before, after, again, theta):
    """The measurement, candidate by candidate, in the words of its docstring."""
    everything, total = sorted([*before, *after]), 0.0
    for i in again:
        between = sum(min(before[i], after[i]) < one < max(before[i], after[i]) for one in everything)
        total += 2 * between
        for score, above in ((before[i], before[i] > after[i]), (after[i], after[i] > before[i])):
            R = everything.index(score) + 1 - above
            total -= np.percentile([abs(r - R) for r in range(1, 2 * len(before))], 50 * theta)
    return total / len(again)


@pytest.mark.parametrize("theta", [0.2, 0.5, 1])
@pytest.mark.parametrize("seed", range(5))
def test_a_measurement_is_the_changes_of_rank_less_those_that_are_fine(seed, theta):
    draws = Draws(seed, 1)
    before = draws.normal(7)
    after, again = before.copy(), np.array([0, 1, 2])
    after[again] = draws.normal(3)
    expected = by_hand(before.tolist(), after.tolist(), again, theta)
    assert measured(before, after, again, theta) == pytest.approx(expected)


def test_of_nine_ranks_the_fine_change_is_small_in_the_middle_and_larger_at_the_ends():
    assert allowed(5, 9, 0.5) == np.percentile([0, 1, 1, 2, 2, 3, 3, 4, 4], 25) == 1
    assert allowed(1, 9, 0.5) == np.percentile(range(9), 25) == 2


def test_without_noise_it_is_below_zero_and_with_nothing_else_it_is_above():
    draws = Draws(3, 3)
    quiet = [measured(f, f.copy(), np.arange(3), 0.2) for f in draws.normal((50, 10))]
    assert max(quiet) < 0
    noisy = [measured(*draws.normal((2, 10)), np.arange(10), 0.2) for _ in range(50)]
    assert np.mean(np.array(noisy) > 0) > 0.9


def test_games_grow_while_the_ranking_is_luck_and_fall_while_it_is_not():
    x, handling = Draws(1, 1).normal((10, 2)), Uncertainty(most=60)
    played = []

    def score(some, first, games):
        played.append((len(some), first, games))
        return Draws(len(played), 2).normal(len(some))

    for _ in range(40):
        handling.evaluate(x, score)
    assert handling.games > 20
    assert handling.evaluations == sum(count * games for count, _, games in played)
    assert played[0:2] == [(10, 0, 1), (3, 1, 1)]  # who plays again plays other games
    for _ in range(40):
        handling.evaluate(x, lambda some, first, games: some[:, 0])
    assert handling.games == 1


def test_who_has_played_twice_has_the_mean_of_both():
    found = Uncertainty(again=2).evaluate(np.zeros((4, 1)), lambda x, first, games: np.arange(len(x)) + 10.0 * first)
    assert found.tolist() == [5, 6, 2, 3]


def test_the_games_are_multiplied_or_divided_and_stay_between_fewest_and_most():
    handling = Uncertainty(fewest=4, most=8, alpha=1.5)
    seen = []
    for s in (1.0, 1.0, -1.0, -1.0, -1.0):
        handling.adapt(s)
        seen.append(handling.limit)
    assert seen == pytest.approx([6, 8, 16 / 3, 4, 4])
    assert handling.widening(8) == 1
    for s, factor in ((1.0, 1), (1.0, 1), (1.0, 10 / 9), (-1.0, 1)):
        handling.adapt(s)
        assert handling.widening(8) == pytest.approx(factor)
    slow = Uncertainty(c_s=0.5)
    slow.adapt(4.0)
    slow.adapt(-1.0)
    assert slow.s == 0.5


def test_it_is_stored_and_resumed():
    one, same = Uncertainty(), Uncertainty()
    noise = Draws(5, 5).normal((30, 10))
    for row in noise[:20]:
        one.evaluate(row[:, None], lambda x, first, games: x[:, 0] * (1 - 2 * (first > 0)))
    same.restore(one.state())
    for row in noise[20:]:
        for handling in (one, same):
            handling.evaluate(row[:, None], lambda x, first, games: x[:, 0] * (1 - 2 * (first > 0)))
    assert one.state() == same.state()
    assert repr(one) == repr(same)


def test_tetris_plays_through_it():
    goal, optimizer, handling = tc.Objective("dn", tc.Rules(6, 8)), tc.CMAES(8, "boumaza", iterations=8), Uncertainty()

    def score(x, first, games):
        played = play(goal.work(x, optimizer.iteration, first, games))
        return goal.scores(played).reshape(len(x), games).mean(axis=1)

    while not optimizer.stop():
        x = optimizer.ask()
        optimizer.tell(x, handling.evaluate(x, score))
    assert handling.evaluations >= 8 * 13


@pytest.mark.parametrize("changes", [{"theta": 0}, {"c_s": 2}, {"alpha": 1}, {"fewest": 0}, {"most": 0}, {"again": -1}])
def test_bad_settings_are_refused(changes):
    ((name, value),) = changes.items()
    with pytest.raises(InputError, match=rf"^{name} is {value!r}"):
        Uncertainty(**changes)


def test_more_cannot_play_again_than_there_are():
    with pytest.raises(InputError, match="again is 5; it must be at most 4"):
        Uncertainty(again=5).evaluate(np.zeros((4, 1)), lambda x, first, games: np.zeros(len(x)))
