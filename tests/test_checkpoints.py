"""Checkpoints: a run that is stopped, killed or pulled out of the wall goes on as if nothing had happened."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from functions import assert_equal_bits, sphere
from waiting import wait_until

import tetriscourse as tc
from tetriscourse import checkpoints, cli
from tetriscourse.optimizers.racing import RacingSettings
from tetriscourse.simulator import run

SMALL = tc.Rules(6, 8)
RACE = RacingSettings(bound="tetris", low=0, high=100)
posix = pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")


def cma_es(**changes):
    return tc.CMAES(8, **({"iterations": 6, "normalise": True, "seed": 4} | changes))


def cross_entropy(**changes):
    return tc.CrossEntropy(8, **({"population": 10, "iterations": 6, "noise": "linear"} | changes))


def genetic(**changes):
    return tc.GeneticAlgorithm(8, **({"population_size": 10, "iterations": 6} | changes))


def goal(games=2, **changes):
    return tc.Objective("dn", **({"rules": SMALL, "games": games} | changes))


def train(path, optimizer=None, objective=None, curve=3, **options):
    return tc.train(optimizer or cma_es(), objective or goal(), path, curve=curve, **options)


def same(one, two):
    """Two runs agree in every bit."""
    assert_equal_bits(one.optimizer.state(), two.optimizer.state())
    assert_equal_bits(one.log, two.log)


@pytest.fixture
def played(monkeypatch):
    """The kind of every list of games that is played."""
    found = []

    def remember(pool, work, kind=""):
        found.append(kind)
        return original(pool, work, kind)

    original = run.Pool.play
    monkeypatch.setattr(run.Pool, "play", remember)
    return found


# --- the file -------------------------------------------------------------------------------------


def test_equal_runs_have_equal_files_and_others_have_others(tmp_path):
    for name, seed in (("one", 4), ("two", 4), ("three", 5)):
        train(tmp_path / name, cma_es(seed=seed))
    one, two, three = ((tmp_path / name).read_bytes() for name in ("one", "two", "three"))
    assert one == two
    assert one != three
    assert sorted(os.listdir(tmp_path)) == ["one", "three", "two"]  # nothing else is left behind


def test_the_file_is_data_that_numpy_reads_without_pickle(tmp_path):
    trained = train(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        np.testing.assert_array_equal(file["optimizer/m"], trained.favourite)
        np.testing.assert_array_equal(file["log/curve"], trained.log["curve"])
        header = json.loads(file["description"].tobytes())
    assert header["run"]["seed"] == 4
    assert header["run"]["objective"]["features"][0] == "landing_height"


def test_it_holds_the_run_after_every_iteration_if_time_permits(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "SECONDS_BETWEEN_WRITES", -1.0)
    found = []

    def remember(path, description, arrays):
        found.append(int(arrays["optimizer/iteration"]))
        original(path, description, arrays)

    original = checkpoints.write
    monkeypatch.setattr(checkpoints, "write", remember)
    train(tmp_path / "run.npz")
    assert found == [0, 1, 2, 3, 4, 5, 6, 6]  # one before any game, one at the end in any case


@pytest.mark.parametrize("fails", ["replace", "fsync"])
def test_a_crash_while_it_is_written_leaves_the_old_file(fails, tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    train(path, cma_es(iterations=2))
    before = path.read_bytes()

    def crash(*_):
        raise PowerCut

    with monkeypatch.context() as broken:
        broken.setattr(os, fails, crash)
        with pytest.raises(PowerCut):
            train(path, resume=True)
    assert path.read_bytes() == before
    same(train(path, resume=True), train(None))


class PowerCut(BaseException):
    """Nobody catches it."""


def test_a_full_disk_is_an_error_of_one_line_and_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "run.npz"
    train(path, cma_es(iterations=2))
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(tc.InputError, match=r"run.npz'; it cannot be written: No space left on device$"):
        train(path, resume=True)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.npz"]


# --- going on -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "racing"),
    [(genetic, None), (cross_entropy, None), (cma_es, None), (cross_entropy, RACE), (cma_es, RACE)],
)
def test_a_run_with_more_iterations_goes_on_and_equals_one_that_had_them_from_the_start(make, racing, tmp_path):
    objective = goal(signs="usual" if make().positive else ())
    whole = train(tmp_path / "whole.npz", make(), objective, racing=racing)
    for iterations in (1, 3, 4, 6):
        path = tmp_path / "parts.npz"
        parts = train(path, make(iterations=iterations), objective, racing=racing, resume=True)
    same(whole, parts)
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert (whole.stopped, whole.games, whole.moves) == (parts.stopped, parts.games, parts.moves)


def test_a_run_on_a_function_goes_on_too(tmp_path):
    for iterations in (2, 6):
        trained = tc.train(cma_es(iterations=iterations), sphere, tmp_path / "run.npz", resume=True)
    same(trained, tc.train(cma_es(), sphere))


def test_without_a_file_resume_starts_from_the_beginning(tmp_path):
    same(train(tmp_path / "new.npz", resume=True), train(None))


def test_what_is_shown_does_not_matter(tmp_path):
    train(tmp_path / "run.npz", cma_es(iterations=2), label="run 1/3")
    same(train(tmp_path / "run.npz", resume=True, label="run 1/5", target=1e9), train(None))


# --- files that are refused -----------------------------------------------------------------------


def refused(path, played, message, **options):
    """Not resumed, in one line, before any game, and the file as it was."""
    os.utime(path, (1e9, 1e9))
    before, played[:] = path.read_bytes(), []
    with pytest.raises(tc.InputError) as caught:
        train(path, **({"resume": True} | options))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not played
    assert path.read_bytes() == before
    assert path.stat().st_mtime == 1e9
    assert os.listdir(path.parent) == [path.name]


@pytest.fixture
def stored(tmp_path):
    """The file of a run that is not finished."""
    (tmp_path / "alone").mkdir()
    train(tmp_path / "alone" / "run.npz", cma_es(iterations=2), racing=RACE)
    return tmp_path / "alone" / "run.npz"


def test_a_file_that_is_there_is_only_touched_to_resume_it(stored, played):
    refused(stored, played, "the file exists: resume it, or choose another name", resume=False, racing=RACE)


def test_a_file_cut_anywhere_is_refused(stored, played):
    whole = stored.read_bytes()
    lengths = {0, 1, 21, 22, 63, 64, 65, len(whole) - 65, len(whole) - 64, len(whole) - 1}
    for length in sorted(lengths | set(random.Random(1).sample(range(len(whole)), 40))):
        stored.write_bytes(whole[:length])
        refused(stored, played, "the file is damaged, or not a checkpoint", racing=RACE)


def test_a_file_with_a_wrong_byte_anywhere_is_refused(stored, played):
    whole, chance = stored.read_bytes(), random.Random(2)
    places = [*chance.sample(range(len(whole)), 60), 0, 8, len(whole) - 66, len(whole) - 1]
    for place in places:
        wrong = bytes([whole[place] ^ 1 << chance.randrange(8)])
        stored.write_bytes(whole[:place] + wrong + whole[place + 1 :])
        refused(stored, played, "the file is damaged, or not a checkpoint", racing=RACE)


def test_a_file_with_something_after_it_is_refused(stored, played):
    stored.write_bytes(stored.read_bytes() + b"\n")
    refused(stored, played, "the file is damaged, or not a checkpoint", racing=RACE)


def foreign_npz():
    buffer = io.BytesIO()
    np.savez(buffer, weights=np.ones(8))
    return buffer.getvalue()


def foreign_zip():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "text")
    return buffer.getvalue()


@pytest.mark.parametrize("content", [b"", b"weights: 1, 2, 3\n", b"x" * 10_000, foreign_npz(), foreign_zip()])
def test_a_file_that_is_something_else_is_refused(content, stored, played):
    stored.write_bytes(content)
    refused(stored, played, "the file is damaged, or not a checkpoint")


DN = [one.name for one in tc.FEATURE_SETS["dn"].features]
OTHERS = {
    "seed is 4 there and 5 here": {"optimizer": lambda: cma_es(seed=5)},
    "settings.sigma is 0.5 there and 0.25 here": {"optimizer": lambda: cma_es(sigma=0.25)},
    "settings.normalise is True there and False here": {"optimizer": lambda: cma_es(normalise=False)},
    "optimizer is 'cma-es' there and 'cross-entropy' here": {"optimizer": cross_entropy},
    "objective.features.5 is 'wells' there and 'wells_one_pass' here": {
        "objective": lambda: tc.Objective([*DN[:5], "wells_one_pass", *DN[6:]], SMALL, 2)
    },
    "objective.rules.height is 8 there and 9 here": {"objective": lambda: goal(rules=tc.Rules(6, 9))},
    "objective.rules.max_pieces is 0 there and 99 here": {
        "objective": lambda: goal(rules=tc.Rules(6, 8, max_pieces=99))
    },
    "objective.games is 2 there and 3 here": {"objective": lambda: goal(games=3)},
    "objective.score is 'lines' there and 'points' here": {"objective": lambda: goal(score="points")},
    "objective.pieces is 'common' there and 'own' here": {"objective": lambda: goal(pieces="own")},
    "objective.signs.0 is None there and 1.0 here": {"objective": lambda: goal(signs=[1] * 8)},
    "racing is {'bound': 'tetris'": {"racing": None},
    "racing.bound is 'tetris' there and 'hoeffding' here": {"racing": "hoeffding"},
    "racing.high is 100.0 there and 50.0 here": {"racing": RacingSettings(bound="tetris", low=0, high=50)},
    "curve.games is 3 there and 4 here": {"curve": 4},
    "curve.rules is None there": {"curve": tc.Curve(3, tc.Rules(6, 10))},
}  # fmt: skip


@pytest.mark.parametrize("difference", OTHERS)
def test_the_file_of_another_run_is_refused_and_the_difference_named(difference, stored, played):
    options = {name: value() if callable(value) else value for name, value in OTHERS[difference].items()}
    refused(stored, played, f"it belongs to another run: {difference}", **({"racing": RACE} | options))


def test_the_file_of_a_function_is_not_that_of_games_or_of_another_function(tmp_path, played):
    (tmp_path / "alone").mkdir()
    path = tmp_path / "alone" / "run.npz"
    tc.train(cma_es(iterations=2), sphere, path)
    refused(path, played, "objective.function is 'functions.sphere' there and None here")
    refused(path, played, "objective.function is 'functions.sphere' there", objective=np.sum, curve=0)


def test_the_file_of_another_version_is_refused(stored, played, monkeypatch):
    description, arrays = checkpoints.read(stored)
    with monkeypatch.context() as older:
        older.setattr(checkpoints, "version", lambda _: "0.0.9")
        checkpoints.write(stored, description, arrays)
    refused(stored, played, "it was written by version 0.0.9, and only that version can go on with it", racing=RACE)


def test_a_file_that_holds_no_data_but_a_program_is_refused(stored, played):
    buffer = io.BytesIO()
    np.savez(buffer, description=np.array([print], dtype=object))
    content = buffer.getvalue()[:-2] + (checkpoints.DIGEST_SIZE).to_bytes(2, "little")  # the length of a zip's comment
    stored.write_bytes(content + checkpoints.digest(content))
    refused(stored, played, "the file is damaged, or not a checkpoint")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere/run.npz", "it cannot be written: No such file or directory"),
        ("file/run.npz", "it cannot be written: Not a directory"),
        ("folder", "it must be a file, and this is a folder"),
        ("/proc/run.npz", "it cannot be written"),
    ],
)
@pytest.mark.parametrize("resume", [False, True])
@posix
def test_a_place_that_cannot_be_written_is_refused_before_any_game(name, reason, resume, tmp_path, played):
    (tmp_path / "file").write_text("text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(tc.InputError) as caught:
        train(tmp_path / name, resume=resume)
    assert reason in str(caught.value)
    assert not played
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


# --- Ctrl-C ---------------------------------------------------------------------------------------


@pytest.fixture
def ctrl_c(monkeypatch):
    """Presses Ctrl-C while the games of a kind, counted from 1, are being played."""

    def press(kind, number):
        now, pressed = [], []

        def play(pool, work, this=""):
            now.append(this)
            return original_play(pool, work, this)

        def wait(*arguments, **options):
            if now[-1] == kind and now.count(kind) == number and not pressed:
                pressed.append(1)
                signal.raise_signal(signal.SIGINT)
            return original_wait(*arguments, **options)

        monkeypatch.setattr(run.Pool, "play", play)
        monkeypatch.setattr(run, "wait", wait)

    original_play, original_wait = run.Pool.play, run.wait
    return press


@pytest.mark.parametrize(
    ("kind", "number", "iterations"), [("candidates", 1, 0), ("candidates", 4, 3), ("curve", 1, 1), ("curve", 4, 4)]
)
def test_ctrl_c_returns_what_there_is_and_the_run_goes_on_later(kind, number, iterations, tmp_path, ctrl_c):
    whole, path = train(tmp_path / "whole.npz"), tmp_path / "run.npz"
    ctrl_c(kind, number)
    cut = train(path)
    assert (cut.interrupted, cut.stopped, cut.optimizer.iteration) == (True, "", iterations)
    assert repr(cut).endswith("interrupted)")
    assert cut.player().weights  # usable
    assert cut.games == iterations * 10 * 2
    _, arrays = checkpoints.read(path)
    assert int(arrays["optimizer/iteration"]) == iterations
    resumed = train(path, resume=True)
    assert (resumed.interrupted, resumed.stopped) == (False, whole.stopped)
    same(resumed, whole)
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_ctrl_c_in_a_race_returns_what_there_is_and_the_run_goes_on_later(tmp_path, ctrl_c):
    whole, path = train(None, racing=RACE), tmp_path / "run.npz"
    ctrl_c("race", 6)
    cut = train(path, racing=RACE)
    assert cut.interrupted
    assert 0 < cut.optimizer.iteration < 6
    same(train(path, racing=RACE, resume=True), whole)


def test_without_a_file_the_same_optimizer_goes_on_after_ctrl_c(ctrl_c):
    optimizer = cma_es()
    ctrl_c("candidates", 4)
    assert train(None, optimizer).interrupted
    rest = train(None, optimizer)
    np.testing.assert_array_equal(rest.favourite, train(None).favourite)
    assert len(rest.log["curve"]) == 3


def pressing(times, after=0):
    """The sphere, at which Ctrl-C is pressed so many times."""
    calls = []

    def function(x):
        calls.append(1)
        if len(calls) > after:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
        return sphere(x)

    return function


def test_a_second_ctrl_c_is_an_exception_and_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "SECONDS_BETWEEN_WRITES", -1.0)
    path, before = tmp_path / "run.npz", signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        tc.train(cma_es(), pressing(2, after=25), path)
    assert signal.getsignal(signal.SIGINT) is before
    assert int(checkpoints.read(path)[1]["optimizer/iteration"]) == 2


@pytest.mark.parametrize("pressed", [0, 1])
def test_afterwards_ctrl_c_does_what_it_did_before(pressed):
    def mine(number, frame):
        raise AssertionError("nobody else may hear it")

    before = signal.signal(signal.SIGINT, mine)
    try:
        assert tc.train(cma_es(), pressing(pressed)).interrupted == bool(pressed)
        assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)


def test_where_ctrl_c_is_ignored_as_in_the_background_it_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert not tc.train(cma_es(), pressing(1)).interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_after_the_last_game_is_heard_too():
    class Late(tc.CMAES):
        def tell(self, candidates, scores):
            super().tell(candidates, scores)
            if self.iteration == 6:
                signal.raise_signal(signal.SIGINT)

    late = tc.train(Late(8, iterations=6), sphere)
    assert late.interrupted
    assert late.stopped == "all 6 iterations are done"


def test_training_works_in_a_thread_that_is_not_the_main_one():
    found = []
    thread = threading.Thread(target=lambda: found.append(train(None)))
    thread.start()
    thread.join()
    same(found[0], train(None))


# --- the command ----------------------------------------------------------------------------------


def start(line):
    """The command as a process of its own."""
    called = [sys.executable, "-m", "tetriscourse.cli", *line.split()]
    return subprocess.Popen(called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def iteration(path):
    """How far the run in a file is; -1 before there is one."""
    return int(checkpoints.read(path)[1]["optimizer/iteration"]) if path.exists() else -1


@pytest.mark.slow
@posix
def test_ctrl_c_in_the_command_keeps_the_run_and_says_how_to_go_on(tmp_path, capsys):
    path = tmp_path / "run.npz"
    line = f"train cma-es --rules 5x5 --games 500 --iterations 100 --curve 5 --quiet --checkpoint {path}"
    process = start(line)
    wait_until(lambda: iteration(path) >= 1 or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert errors == f"tetriscourse: interrupted; {path} holds the run: repeat the command with --resume to continue\n"
    assert "stopped      interrupted" in output
    done = iteration(path)
    assert f"moves; {done} iterations\n" in output
    assert 1 <= done < 100

    assert cli.main([*line.split(), "--resume"]) == 0
    resumed = capsys.readouterr().out
    assert cli.main(line.replace("run.npz", "whole.npz").split()) == 0
    assert resumed == capsys.readouterr().out
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()


def test_a_run_with_a_full_covariance_goes_on_and_independent_weights_are_stored_as_ever(tmp_path):
    make, whole, path = partial(cross_entropy, covariance="full"), tmp_path / "whole.npz", tmp_path / "parts.npz"
    expected = train(whole, make())
    for iterations in (2, 6):
        parts = train(path, make(iterations=iterations), resume=True)
    same(parts, expected)
    with pytest.raises(tc.InputError, match="covariance is 'full' there and None here"):
        train(path, cross_entropy(), resume=True)
    train(tmp_path / "usual.npz", cross_entropy(iterations=1))
    assert "covariance" not in checkpoints.read(tmp_path / "usual.npz")[0]["settings"]


# A process that has loaded everything forks one for each attempt, which kills start-up times and nothing else.
KILLER = """
import json, os, signal, sys, time
from pathlib import Path
import scipy.special
import tetriscourse as tc
from tetriscourse import cli
from tetriscourse import checkpoints
from tetriscourse.cli import train as command

tc.Objective("dn", "5x5").prepare()

def start(line, report):
    pid = os.fork()
    if pid == 0:
        checkpoints.SECONDS_BETWEEN_WRITES = -1.0
        os.dup2(os.open(report, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        code = cli.main(line.split())
        sys.stdout.flush()
        os._exit(code)
    return pid

def iteration(path):
    return int(checkpoints.read(path)[1]["optimizer/iteration"]) if path.exists() else 0

folder, line, shares = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
began = time.monotonic()
code = os.waitpid(start(f"{line} --checkpoint {folder}/whole.npz", folder / "whole.txt"), 0)[1]
took, states, signals = time.monotonic() - began, [], []
resume = f"{line} --checkpoint {folder}/killed.npz --resume"
path = folder / "killed.npz"
for attempt, share in enumerate(shares):
    before, pid = iteration(path), start(resume, folder / "killed.txt")
    while attempt % 2 and iteration(path) == before:  # every other time not before it has got on
        time.sleep(0.002)
    time.sleep(share * took)
    os.kill(pid, signal.SIGKILL)
    signals.append(os.WTERMSIG(os.waitpid(pid, 0)[1]))
    states.append(iteration(path))
code += os.waitpid(start(resume, folder / "killed.txt"), 0)[1]
print(json.dumps({"code": code, "states": states, "signals": signals}))
"""


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "line",
    [
        "train cma-es --rules 5x5 --games 30 --iterations 150",
        "train cma-es --rules 5x5 --racing tetris --iterations 100",
        "train genetic --rules 5x5 --games 10 --iterations 150",
    ],
)
def test_killed_ten_times_at_random_moments_a_run_ends_like_one_that_was_not(line, tmp_path):
    chance = random.Random(line)
    shares = [chance.uniform(0, 0.08) for _ in range(10)]
    killer = [sys.executable, "-c", KILLER, tmp_path, f"{line} --quiet", json.dumps(shares)]
    done = subprocess.run(killer, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["code"] == 0, done.stderr
    assert report["signals"] == [int(signal.SIGKILL)] * 10
    assert report["states"] == sorted(report["states"])
    assert len(set(report["states"])) >= 5
    for kind in ("npz", "txt"):
        whole, killed = (Path(tmp_path / f"{name}.{kind}").read_bytes() for name in ("whole", "killed"))
        assert killed == whole
        assert whole
