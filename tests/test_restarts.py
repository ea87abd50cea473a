"""Restarts of CMA-ES: how one run follows another, when a run is over, and that nothing is lost between two."""

import numpy as np
import pytest
from functions import assert_equal_bits, rastrigin, run, sphere

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.restarts import ENDS, KINDS, Restarts, rises
from tetriscourse.random_numbers import Draws


def restarts(kind="ipop", n=4, **changes):
    return Restarts(n, kind, **({"box": 5, "sigma": 2, "evaluations": 8_000, "seed": 1} | changes))


# --- how one run follows another ----------------------------------------------------------------


def test_ipop_doubles_the_population_with_each_run_and_its_control_does_not():
    sizes = {kind: [size for size, _, _ in run(restarts(kind), rastrigin).runs] for kind in ("ipop", "same")}
    assert sizes["ipop"] == [8 * 2**k for k in range(len(sizes["ipop"]))]
    assert len(sizes["ipop"]) >= 3
    assert set(sizes["same"]) == {8}


@pytest.mark.parametrize("seed", range(3))
def test_bipop_gives_small_and_large_runs_as_many_evaluations_by_turns(seed):
    optimizer = run(restarts("bipop", seed=seed, evaluations=30_000), rastrigin)
    first, *later = optimizer.runs
    largest, small, large, last = first[0], 0, first[1], first[1]
    assert largest == 8
    for k, (size, used, _) in enumerate(later):
        if k and small < large:
            assert 8 <= size <= largest / 2
            assert used <= last / 2 + size
            small += used
        else:
            largest *= 2
            assert size == largest
            large, last = large + used, used
    assert small > 0
    assert optimizer.spent.tolist() == [small, large]


def test_a_first_run_is_a_run_of_cma_es():
    optimizer = restarts(n=5, seed=3)
    alone = CMAES(5, seed=optimizer.run.seed, start=tuple(optimizer.run.m), sigma=2.0)
    for _ in range(30):
        x = optimizer.ask()
        assert np.array_equal(x, alone.ask())
        for one in (optimizer, alone):
            one.tell(x, [rastrigin(row) for row in x])
    assert np.array_equal(optimizer.run.C, alone.C)
    assert optimizer.run.sigma == alone.sigma


def test_runs_begin_anywhere_in_the_box_or_where_start_says():
    optimizer = run(restarts("same", evaluations=20_000), rastrigin)
    starts = [run(restarts(seed=seed), sphere, 0).run.m for seed in range(100)]
    assert np.abs(starts).max() <= 5
    assert np.abs(np.mean(starts)) < 4 * 5 / np.sqrt(3 * 400)
    assert optimizer.number > 3
    fixed = restarts("same", box=0, start=(1, 2, 3, 4))
    assert fixed.run.m.tolist() == [1, 2, 3, 4]
    random = restarts("same", box=0, start="random")
    assert np.linalg.norm(random.run.m) == pytest.approx(1)


# --- when a run is over -------------------------------------------------------------------------


def test_a_run_is_over_when_its_scores_are_alike_and_the_best_run_is_remembered():
    optimizer = run(restarts("same", evaluations=12_000), rastrigin)
    assert {end for _, _, end in optimizer.runs[:-1]} == {"alike"}
    assert sum(used for _, used, _ in optimizer.runs) == optimizer.spent.sum() >= 12_000
    assert optimizer.stop() == "all 12,000 evaluations are used up"
    assert rastrigin(optimizer.favourite) == pytest.approx(optimizer.best.score, abs=1e-6)
    finished = np.flatnonzero(optimizer.history["ended"])
    assert len(finished) == len(optimizer.runs) - 1


def test_a_run_that_does_not_rise_any_more_is_stagnant():
    optimizer, luck = Restarts(3, "same", evaluations=4_000, patience=40, tolerance=0), Draws(1, 1)
    run(optimizer, lambda x: float(luck.uniform()))
    assert optimizer.runs[0][2] == "stagnant"
    climbing = run(Restarts(3, "same", evaluations=4_000, patience=40), lambda x: float(x[0]), 80)
    assert len(climbing.runs) == 1


def test_a_run_is_over_when_its_cloud_has_become_too_small():
    optimizer = run(Restarts(3, "same", evaluations=4_000, tolerance=0.01, start=(1, 1, 1)), sphere)
    assert {end for _, _, end in optimizer.runs[:-1]} == {"shrunk"}
    assert optimizer.number > 3


def test_every_reason_of_cma_es_to_stop_has_a_name_here():
    small, large, flat = CMAES(2), CMAES(2), CMAES(2)
    small.sigma, large.sigma = 1e-13, 1e21
    flat.C = np.diag([1.0, 1e-15])
    assert [next(end for end in ENDS[1:4] if end in one.stop()) for one in (small, large, flat)] == [*ENDS[1:4]]


def test_scores_rise_if_the_last_third_is_higher_than_the_first():
    assert rises(np.arange(10.0))
    assert not rises(np.array([3.0, 3, 3, 9, 9, 9, 9, 3, 3, 3]))


# --- nothing is lost ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_that_is_resumed_ends_bit_for_bit_the_same(kind):
    whole = run(restarts(kind), rastrigin)
    for iterations in (50, 260):
        half = run(restarts(kind), rastrigin, iterations)
        resumed = restarts(kind)
        resumed.restore(half.state())
        assert_equal_bits(whole.state(), run(resumed, rastrigin).state())


def test_train_takes_it_and_a_checkpoint_goes_on_with_more_evaluations(tmp_path):
    goal = tc.Objective("dn", tc.Rules(6, 8), games=2)

    def search(evaluations):
        return Restarts(8, "bipop", normalise=True, tolerance=0.2, evaluations=evaluations, start="random")

    whole = tc.train(search(600), goal, curve=0)
    tc.train(search(300), goal, tmp_path / "run.npz", curve=0)
    resumed = tc.train(search(600), goal, tmp_path / "run.npz", resume=True, curve=0)
    assert_equal_bits(whole.optimizer.state(), resumed.optimizer.state())
    assert whole.optimizer.number > 1
    assert whole.stopped == "all 600 evaluations are used up"
    assert tc.train(search(200), goal, racing="tetris", curve=0).games > 0


@pytest.mark.parametrize("changes", [{"kind": "ipob"}, {"evaluations": 0}, {"box": -1}, {"patience": -1}])
def test_bad_settings_are_refused(changes):
    ((name, value),) = changes.items()
    with pytest.raises(InputError, match=rf"^{name} is {value!r}"):
        Restarts(3, **changes)


# --- does it help? ------------------------------------------------------------------------------


@pytest.mark.slow
def test_on_rastrigin_larger_populations_find_the_top_where_as_many_runs_of_ten_do_not():
    found = {
        kind: sum(run(restarts(kind, n=6, evaluations=30_000, seed=k), rastrigin).best.score > -1e-6 for k in range(6))
        for kind in ("ipop", "same")
    }
    assert found["ipop"] >= 4 > 1 >= found["same"]
