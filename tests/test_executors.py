"""Wherever the games are played, on threads, processes or a Dask cluster, the result is the same."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from functions import sphere
from waiting import wait_until

import tetriscourse as tc
from tetriscourse import cli
from tetriscourse.checkpoints import read
from tetriscourse.optimizers import evaluation
from tetriscourse.optimizers.evaluation import dask_executor
from tetriscourse.optimizers.racing import RacingSettings
from tetriscourse.simulator import run
from tetriscourse.simulator.games import GameList
from tetriscourse.simulator.run import AWAY, Pool, Shares

pytestmark = pytest.mark.slow

psutil = pytest.importorskip("psutil")
posix = pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
RACE = RacingSettings(bound="tetris", low=0, high=100)


def experiments():
    """A run of each kind, by name."""
    goal, signed = tc.Objective("dn", tc.Rules(6, 10), 6), tc.Objective("dn", tc.Rules(6, 10), 6, signs="usual")
    return {
        "genetic": (tc.GeneticAlgorithm(8, population_size=10, iterations=3), signed, None),
        "cross-entropy": (tc.CrossEntropy(8, population=20, iterations=3), goal, None),
        "cma-es": (tc.CMAES(8, iterations=4), goal, None),
        "race": (tc.CMAES(8, iterations=4), goal, RACE),
        "function": (tc.CMAES(8, iterations=4), sphere, None),
    }


def results(executor=None, threads=None, only=None):
    """All that is known after each of them."""
    found = {}
    for name, (optimizer, goal, racing) in experiments().items():
        if only not in (None, name):
            continue
        trained = tc.train(optimizer, goal, None, executor, racing=racing, threads=threads)
        state = trained.optimizer.state() | {f"log/{key}": trained.log[key] for key in trained.log.names}
        found |= {f"{name}/{key}": value for key, value in state.items()}
    return found


@pytest.fixture(scope="module")
def expected():
    """On one thread."""
    return results(threads=1)


def check(found, expected):
    """Every bit agrees."""
    assert list(found) == list(expected)
    for name in found:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)


@pytest.fixture(scope="module")
def dask():
    """A local cluster."""
    with dask_executor("local") as (executor, _):
        yield executor


# --- the same result ------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [2, 5, None])
def test_on_any_number_of_threads(threads, expected):
    check(results(threads=threads), expected)


def test_on_threads_of_ones_own(expected):
    with ThreadPoolExecutor(3) as executor:
        check(results(executor), expected)
        assert executor.submit(int).result() == 0  # it is left as it was


def test_on_processes(expected):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        check(results(executor), expected)


def test_on_dask(expected, dask):
    check(results(dask), expected)


class Backwards(Executor):
    """Does nothing until it is asked for a result, and then the last thing first."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, /, *arguments):
        self.waiting.append((Future(), function, arguments))
        return self.waiting[-1][0]

    def work(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))


def test_in_any_order(expected, monkeypatch):
    executor = Backwards()

    def wait(*arguments, **options):
        executor.work()
        return original(*arguments, **options)

    original = run.wait
    monkeypatch.setattr(run, "wait", wait)
    check(results(executor), expected)


@pytest.mark.parametrize("seconds", [0.0, 1e-6, 1e-3, 0.3, 100.0])
@pytest.mark.parametrize("games", [1, 7, 1000])
def test_a_list_is_cut_into_parts_that_are_neither_empty_nor_too_long(games, seconds):
    edges = Pool(Backwards(), 2).edges(games, seconds)
    sizes = np.diff(edges)
    assert (edges[0], edges[-1]) == (0, games)
    assert sizes.min() >= 1
    assert sizes.max() == 1 or (sizes.max() - 1) * seconds <= 1.5 * AWAY[1]


@pytest.mark.parametrize("wanted", [1, 3, 1000])
@pytest.mark.parametrize("games", [1, 7, 1000])
def test_threads_share_a_list_without_gap_or_overlap_and_leave_some_to_the_others(games, wanted):
    shares, seen = Shares(GameList.of(tc.PLAYERS["dn"], tc.RULES["5x5"], 0, games), threads=2), []
    while len(part := shares.take(wanted)[1]):
        assert len(part) <= max(1, (games - len(seen)) // 4)
        seen += part.numbers.tolist()
    assert seen == list(range(games))


# --- Dask -----------------------------------------------------------------------------------------

LINE = "train cma-es --rules 5x5 --games 40 --iterations 6 --quiet"


def leftovers():
    """Processes that we have started, except those that Python keeps for itself."""
    children = psutil.Process().children(recursive=True)
    found = []
    for one in children:
        with contextlib.suppress(psutil.NoSuchProcess):
            found += [one.pid] if "resource_tracker" not in " ".join(one.cmdline()) else []
    return set(found)


def test_the_command_says_the_same_with_dask_and_leaves_no_process(capsys):
    before = leftovers()
    assert cli.main([*LINE.split(), "--dask", "local"]) == 0
    with_dask = capsys.readouterr().out
    assert leftovers() <= before
    assert cli.main(LINE.split()) == 0
    assert capsys.readouterr().out == with_dask


def test_no_dashboard_is_opened_and_nobody_else_may_connect(dask):
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    listening = [one.laddr for each in processes for one in each.net_connections() if one.status == psutil.CONN_LISTEN]
    assert listening
    assert 8787 not in {one.port for one in listening}
    assert {one.ip for one in listening} == {"127.0.0.1"}


@posix
def test_a_worker_that_is_killed_changes_nothing(expected, monkeypatch):
    expected = {name: value for name, value in expected.items() if name.startswith("cma-es/")}
    with dask_executor("local") as (executor, _):
        victims = []

        def wait(futures, **options):
            if len(victims) < 2 and len(futures) > 1:  # while games are being played
                victims.append(executor.submit(os.getpid).result())
                os.kill(victims[-1], signal.SIGKILL)
            return original(futures, **options)

        original = run.wait
        monkeypatch.setattr(run, "wait", wait)
        check(results(executor, only="cma-es"), expected)
    assert len(victims) == 2


def test_an_address_where_nobody_answers_is_an_error_of_one_line_before_any_game(capsys, monkeypatch):
    monkeypatch.setattr(evaluation, "SECONDS_TO_ANSWER", 1)
    monkeypatch.setattr(Pool, "play", lambda *_: pytest.fail("a game was played"))
    for address in ("tcp://127.0.0.1:1", "nowhere", "tcp://127.0.0.1:port"):
        assert cli.main([*LINE.split(), "--dask", address]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"tetriscourse: error: dask is '{address}'; no cluster answers there")
        assert err.count("\n") == 1


def test_without_the_extra_the_command_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main([*LINE.split(), "--dask", "local"]) == 2
    assert "dask is 'local'; this needs the dask extra: pip install 'tetriscourse[dask]'" in capsys.readouterr().err


@posix
def test_ctrl_c_with_dask_ends_the_cluster_and_the_run_goes_on_without(tmp_path, capsys):
    path = tmp_path / "run.npz"
    line = f"train cma-es --rules 5x5 --games 500 --iterations 60 --quiet --checkpoint {path}"
    called = [sys.executable, "-m", "tetriscourse.cli", *line.split(), "--dask", "local"]
    # A terminal sends Ctrl-C to all processes of the group, workers included.
    process = subprocess.Popen(
        called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until(lambda: process.poll() is not None or (path.exists() and read(path)[1]["optimizer/iteration"] > 0))
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors == f"tetriscourse: interrupted; {path} holds the run: repeat the command with --resume to continue\n"
    assert not [one for one in psutil.wait_procs(children, timeout=10)[1] if one.is_running()]
    assert cli.main([*line.split(), "--resume"]) == 0
    resumed = capsys.readouterr().out
    assert cli.main(line.replace("run.npz", "whole.npz").split()) == 0
    assert capsys.readouterr().out == resumed
