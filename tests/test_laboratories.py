"""Laboratories answer the same question alike, keep to their laws, and to their budgets."""

import numpy as np
import pytest

from tetriscourse.course.laboratories import MOVES, ROLLOUTS, RUNS, SCORES, breeding, rare_event, rolling
from tetriscourse.errors import InputError
from tetriscourse.random_numbers import Draws


def test_a_run_asked_for_again_is_the_same_and_a_budget_ends():
    breed = breeding(0.5, 0.2, number=3)
    runs = [breed("bits", 0.5, seed) for seed in (4, 4, 5)]
    assert runs[0] == runs[1] != runs[2]
    for seed in range(RUNS - 3):
        breed("floats", 0, seed)
    with pytest.raises(InputError, match="runs is 61; this world allows 60"):
        breed("floats", 0, 0)


@pytest.mark.parametrize(("bits", "mutation"), [(0.5, 0), (0, -0.4), (0.3, 0.6)])
def test_the_effects_are_those_of_the_world(bits, mutation):
    breed = breeding(bits, mutation, number=8, runs=10_000)
    plain, with_bits, mutated = (
        np.log([breed(genome, share, seed) for seed in range(2000)])
        for genome, share in (("floats", 0), ("bits", 0), ("floats", 1))
    )
    assert (with_bits - plain).mean() == pytest.approx(bits, abs=0.02)
    assert (mutated - plain).mean() == pytest.approx(mutation, abs=0.02)
    assert plain.std() == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("arguments", [("trees", 0.5, 1), ("bits", 1.5, 1), ("bits", 0.5, -1)])
def test_a_question_without_sense_is_an_input_error(arguments):
    with pytest.raises(InputError):
        breeding(0, 0)(*arguments)


@pytest.mark.parametrize("sides", [1, 2])
def test_an_event_is_as_probable_as_it_is_said_to_be(sides):
    score, limit = rare_event(0.2, 4, sides, number=5)
    share = np.mean(score(Draws(1, 0).normal((SCORES, 4))) >= limit)
    assert share == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / SCORES))
    with pytest.raises(InputError, match="points are 6,001 so far; this world scores 6,000"):
        score(np.zeros((1, 4)))


def test_points_of_the_wrong_size_are_refused():
    with pytest.raises(InputError, match="rows of 4 numbers"):
        rare_event(0.2, 4)[0](np.zeros((3, 5)))


def test_rollouts_are_right_on_average_and_alike_on_the_same_pieces():
    roll, truth = rolling(3, rollouts=MOVES * 1000)
    lines = np.array([[roll(k, seed) for seed in range(1000)] for k in range(MOVES)])
    assert lines.mean(axis=1) == pytest.approx(truth, abs=5 * 4.2 / np.sqrt(1000))
    apart = (lines - lines[0])[1:]
    assert apart.mean(axis=1) == pytest.approx((truth - truth[0])[1:], abs=5 * 1.7 / np.sqrt(1000))
    assert apart.std(axis=1) == pytest.approx(1.2 * np.sqrt(2), rel=0.15)


def test_no_rollout_is_played_beyond_the_budget():
    roll, _ = rolling(3)
    assert roll(5, 7) == roll(5, 7)
    for _ in range(ROLLOUTS - 2):
        roll(0, 0)
    with pytest.raises(InputError, match="rollouts is 961; this position allows 960"):
        roll(0, 0)
