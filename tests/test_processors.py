"""Threads by default are those that the process may use, unless somebody says otherwise."""

import os
import subprocess
import sys

import pytest

import tetriscourse as tc
from tetriscourse.processors import quotas
from tetriscourse.simulator.run import default_threads

COUNT = "from tetriscourse.simulator.run import default_threads; print(default_threads())"


@pytest.fixture(autouse=True)
def as_at_the_start(monkeypatch):
    monkeypatch.delenv("TETRISCOURSE_THREADS", raising=False)
    yield
    tc.set_threads(None)


def limits(folder, files, membership):
    """The quotas of a made-up tree of control groups."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "membership").write_text(membership)
    return sorted(quotas(folder, folder / "membership"))


def test_a_group_of_version_2_is_limited_by_every_group_above_it(tmp_path):
    files = {"hub/cpu.max": "150000 100000\n", "hub/user/cpu.max": "max 100000\n", "cpu.max": "400000 100000\n"}
    assert limits(tmp_path, files, "0::/hub/user\n") == [1.5, 4.0]


def test_a_group_of_version_1_has_quota_and_period_in_two_files(tmp_path):
    group = "cpu,cpuacct/hub/cpu.cfs_"
    files = {f"{group}quota_us": "200000\n", f"{group}period_us": "100000\n"}
    assert limits(tmp_path, files, "3:memory:/hub\n2:cpu,cpuacct:/hub\n") == [2.0]


@pytest.mark.parametrize("text", ["-1", "0", "max", "", "nonsense"])
def test_no_limit_or_an_unreadable_one_does_not_count(tmp_path, text):
    files = {"cpu/cpu.cfs_quota_us": text, "cpu/cpu.cfs_period_us": "100000", "cpu.max": text}
    assert limits(tmp_path, files, "1:cpu:/\n0::/\n") == []


def test_without_control_groups_there_is_no_limit(tmp_path):
    assert list(quotas(tmp_path, tmp_path / "missing")) == []


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="affinity as on Linux")
def test_a_process_that_may_use_one_processor_uses_one_thread():
    one = min(os.sched_getaffinity(0))
    script = f"import os; os.sched_setaffinity(0, [{one}]); {COUNT}"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "1\n"


def test_the_environment_sets_the_number_of_threads(monkeypatch):
    monkeypatch.setenv("TETRISCOURSE_THREADS", "3")
    assert default_threads() == 3
    assert tc.simulate("dn", "5x5", games=5).threads == 3


def test_set_threads_counts_more_than_the_environment_and_none_undoes_it(monkeypatch):
    before = default_threads()
    monkeypatch.setenv("TETRISCOURSE_THREADS", "3")
    tc.set_threads(5)
    assert tc.simulate("dn", "5x5", games=5).threads == 5
    assert tc.simulate("dn", "5x5", games=5, threads=1).threads == 1
    tc.set_threads(None)
    assert default_threads() == 3
    monkeypatch.delenv("TETRISCOURSE_THREADS")
    assert default_threads() == before


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5"])
def test_a_wrong_number_in_the_environment_is_named(monkeypatch, text):
    monkeypatch.setenv("TETRISCOURSE_THREADS", text)
    with pytest.raises(tc.InputError, match="TETRISCOURSE_THREADS"):
        tc.simulate("dn", "5x5", games=1)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_a_wrong_number_is_refused(threads):
    with pytest.raises(tc.InputError, match="threads"):
        tc.set_threads(threads)
