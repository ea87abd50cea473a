"""The best candidates play other games, and these decide among them."""

from __future__ import annotations

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.optimizers.evaluation import Evaluated
from tetriscourse.optimizers.validation import ValidationSettings, validated
from tetriscourse.random_numbers import derived_seed
from tetriscourse.simulator.games import play
from tetriscourse.simulator.run import Pool

OBJECTIVE = tc.Objective("dn", "5x6", games=4)
CANDIDATES = np.random.default_rng(3).normal(size=(10, 8))


def judged(scores, **settings) -> Evaluated:
    """The candidates validated after these first scores."""
    with Pool() as pool:
        return validated(pool, OBJECTIVE, CANDIDATES, Evaluated(scores, 40, 1000), 5, ValidationSettings(**settings))


def test_the_games_played_again_decide_among_the_best_and_all_others_rank_below():
    first = np.arange(10.0)
    found = judged(first, games=20, share=0.3)
    games = play(OBJECTIVE.work(CANDIDATES[[9, 8, 7]], 5, games=20)).lines.reshape(3, 20)
    np.testing.assert_array_equal(found.scores[[9, 8, 7]], games.mean(axis=1))
    assert found.scores[:7].max() < found.scores[7:].min()
    assert found.games == 40 + 60
    assert found.moves > 1000


def test_those_who_do_not_play_again_keep_their_scores_if_these_are_lower():
    first = np.array([-1.0, 999.0, *range(1000, 1008)])
    found = judged(first, games=10, share=0.8)
    assert found.scores[0] == -1.0
    assert found.scores[1] < found.scores[2:].min()


def test_kappa_takes_standard_deviations_off():
    first = np.arange(10.0)
    plain, careful = judged(first, games=20, share=0.1), judged(first, games=20, share=0.1, kappa=0.5)
    sd = play(OBJECTIVE.work(CANDIDATES[[9]], 5, games=20)).lines.std(ddof=1)
    assert careful.scores[9] == pytest.approx(plain.scores[9] - 0.5 * sd)


def test_every_candidate_has_its_own_pieces_in_validation_too_if_the_objective_says_so():
    own = tc.Objective("dn", "5x6", games=4, pieces="own")
    with Pool() as pool:
        settings = ValidationSettings(games=6, share=0.2)
        found = validated(pool, own, CANDIDATES, Evaluated(np.arange(10.0)), 5, settings)
    expected = play(own.work(CANDIDATES[[8]], 5, games=6, who=[8])).lines.mean()
    assert found.scores[8] == expected


def test_a_run_with_validation_learns_from_games_that_chose_nobody(monkeypatch):
    seeds = []
    work = tc.Objective.work

    def noted(self, candidates, seed, *rest, **options):
        seeds.append(seed)
        return work(self, candidates, seed, *rest, **options)

    monkeypatch.setattr(tc.Objective, "work", noted)
    tc.train(
        tc.CrossEntropy(8, population=10, rho=0.3, iterations=2, seed=4),
        OBJECTIVE,
        validation=5,
        curve=0,
        progress=False,
    )
    assert seeds == [derived_seed(4, t, label) for t in (0, 1) for label in (1, 3)]


def test_a_validated_run_is_resumed_to_the_same_bits_and_only_with_the_same_validation(tmp_path):
    def run(iterations, **options):
        optimizer = tc.CrossEntropy(8, population=10, rho=0.3, iterations=iterations, seed=4)
        return tc.train(optimizer, OBJECTIVE, validation=5, curve=0, progress=False, **options)

    whole, file = run(6), tmp_path / "run.npz"
    run(3, checkpoint=file)
    assert whole.optimizer.iteration == 6
    np.testing.assert_array_equal(run(6, checkpoint=file, resume=True).favourite, whole.favourite)
    optimizer = tc.CrossEntropy(8, population=10, rho=0.3, iterations=6, seed=4)
    with pytest.raises(InputError, match="belongs to another run: validation"):
        tc.train(optimizer, OBJECTIVE, file, resume=True, curve=0, progress=False)


@pytest.mark.parametrize(
    ("optimizer", "objective", "options", "said"),
    [
        (tc.CrossEntropy(8), OBJECTIVE, {"validation": 1}, "games is 1; it must be"),
        (tc.CrossEntropy(8), OBJECTIVE, {"validation": "some"}, "games is 'some'"),
        (tc.CrossEntropy(8), sum, {"validation": 5}, "validation is given; it needs an Objective"),
        (tc.CrossEntropy(8), OBJECTIVE, {"validation": 5, "racing": "tetris"}, "validation and racing are given"),
        (
            tc.GeneticAlgorithm(8), tc.Objective("dn", "5x6", signs="usual"), {"validation": 5},
            "validation is given; it needs an elite, and genetic",
        ),
    ],
)  # fmt: skip
def test_validation_that_cannot_work_is_refused_before_any_game(optimizer, objective, options, said):
    with pytest.raises(InputError, match=said):
        tc.train(optimizer, objective, progress=False, **options)
