"""`tetriscourse learn`: what it prints, what it refuses, and runs that are stopped, killed and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from waiting import wait_until

import tetriscourse as tc
from tetriscourse import checkpoints
from tetriscourse.cli import main
from tetriscourse.cli.learn import rows_of_proof
from tetriscourse.course.results import stored_table
from tetriscourse.inference import readable
from tetriscourse.mdp.proofs import Proof

pytestmark = pytest.mark.slow

SHORT = ["--set", "steps=300", "--set", "memory=400", "--set", "judge_every=100", "--set", "judge_games=2"]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The output of the command, if all is well."""
    assert main(["learn", *words]) == 0
    return capsys.readouterr().out


def test_a_table_learns_the_domino_and_the_proof_can_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["q-learning", "--width", "4", "--height", "4", "--set", "episodes=3000"]
    text = printed(capsys, *words)
    assert "rules        domino on 4x4" in text
    assert "plays without end: after " in text
    assert "seed         0" in text
    data = json.loads(printed(capsys, *words, "--json"))
    assert data["endless"]
    assert data["episodes"] == 3000
    rules = tc.Rules(**data["rules"])
    proof = Proof(True, "", rules, tuple(data["before"]), tuple(data["cycle"]))
    assert proof.replay().total_lines > 0  # type: ignore[union-attr]
    with pytest.raises(tc.InputError, match="the proof is wrong"):
        Proof(True, "", rules, tuple(data["before"]), (*data["cycle"], "N")).replay()


def test_rounded_states_can_be_learned_and_their_proof_too(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["q-learning", "--width", "8", "--height", "8", "--set", "actions=placements", "--set", "episodes=5000"]
    data = json.loads(printed(capsys, *words, "--set", "state=rounded", "--json"))
    assert data["endless"]
    assert data["proof"].startswith("plays without end")
    assert "rounded" in printed(capsys, "q-learning", "--list")


def test_a_cycle_that_begins_at_once_has_nothing_before_it() -> None:
    data = {"proof": "plays without end", "endless": True, "actions": "placements", "before": (), "cycle": ("P:0:0",)}
    assert rows_of_proof(data)[1] == ("placements", "forever P:0:0")
    assert rows_of_proof(data | {"before": ("P:1:0",)})[1] == ("placements", "P:1:0 then forever P:0:0")


def test_a_run_that_is_too_short_has_no_proof_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no proof: " in printed(capsys, "q-learning", "--set", "episodes=10")


def test_seven_pieces_are_judged_by_games(capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--rules", "research", "--width", "4", "--height", "4", "--games", "20"]
    text = printed(capsys, "q-learning", *small, "--set", "actions=placements", "--set", "episodes=500")
    assert "mean lines" in text
    assert "games        20, seed 2026" in text
    for row in ("method       q-learning", "episodes     500", "states       ", "seed         0"):
        assert f"\n{row}" in f"\n{text}"


def test_a_network_learns_and_its_player_is_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "player.npz"
    words = ["deep-q", "--rules", "10x10", "--games", "5", *SHORT]
    data = json.loads(printed(capsys, *words, "--json", "--save", str(file)))
    player = tc.NetworkPlayer.load(file)
    scores = tc.simulate(player, tc.RULES["10x10"], games=5, seed=2026)
    assert (data["steps"], data["games"], data["mean"]) == (300, 5, scores.mean)
    assert (data["shortest"], data["longest"]) == (scores.lines.min(), scores.lines.max())
    assert data["mean_pieces"] == scores.pieces.mean()
    assert "table" not in data
    text = printed(capsys, *words)
    assert "mean lines" in text
    assert text.startswith("method       deep-q\nsteps        300\nseed         0\n")


def test_a_network_that_values_boards_learns_and_its_player_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "player.npz"
    words = ["deep-q-afterstates", "--rules", "10x10", "--games", "5", *SHORT]
    data = json.loads(printed(capsys, *words, "--json", "--save", str(file)))
    player = tc.NetworkPlayer.load(file)
    assert player.paid == (0, 1, 2, 3, 4)
    assert data["mean"] == tc.simulate(player, tc.RULES["10x10"], games=5, seed=2026).mean


def test_a_network_learns_the_domino_from_the_cells(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "deep-q-domino", "--width", "4", "--height", "4")
    assert "domino on 4x4" in text
    assert "plays without end" in text
    short = ["--set", "memory=100", "--set", "steps=10", "--json"]
    assert json.loads(printed(capsys, "deep-q-domino", *short))["method"] == "deep-q-domino"


def test_a_run_that_diverges_has_no_player_to_save(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, words = tmp_path / "player.npz", ["deep-q", "--rules", "10x10", *SHORT, "--set", "optimizer=gradient-descent"]
    assert main(["learn", *words, "--set", "learning_rate=1e200", "--save", str(file)]) == 2
    assert "network has diverged" in capsys.readouterr().err
    assert not file.exists()


def test_an_endless_game_that_nobody_can_stop_is_watched_for_a_hundred_pieces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["q-learning", "--width", "4", "--height", "4", "--set", "episodes=3000", "--watch"]
    text = printed(capsys, *words)
    assert "plays without end" in text
    assert ", 100 pieces; agent q-learning" in text


def test_what_was_learned_can_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--width", "4", "--height", "4", "--set", "episodes=20"]
    assert "agent q-learning, seed 0" in printed(capsys, "q-learning", *short, "--watch", "--set", "max_pieces=5")
    assert "agent deep-q, seed 0" in printed(capsys, "deep-q", "--rules", "10x10", "--games", "1", *SHORT, "--watch")


def test_the_methods_and_their_settings_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(name in printed(capsys, "--list") for name in ("q-learning", "deep-q-domino", "deep-q"))
    text = printed(capsys, "deep-q", "--list")
    assert "double" in text
    assert "(default: 0.99)" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "METHOD is missing; give one of q-learning, deep-q-domino, deep-q, deep-q-afterstates"),
        (["q-lerning"], "did you mean 'q-learning'?"),
        (["q-learning", "--set", "alpha=2"], "alpha is 2"),
        (["q-learning", "--set", "alfa=1"], "did you mean 'alpha'?"),
        (["q-learning", "--set", "actions=jumps"], "actions is 'jumps'"),
        (["q-learning", "--features", "dn"], "only deep-q sees features"),
        (["q-learning", "--rules", "research", "--width", "4", "--height", "4"], "--set actions=placements"),
        (["q-learning", "--save", "x.npz"], "only deep-q has a player to save"),
        (["q-learning", "--resume"], "--resume is given; it needs --checkpoint"),
        (["deep-q", "--features", "dnn"], "did you mean 'dn'?"),
        (["deep-q-afterstates", "--features", "dn"], "features contains landing_height, which only a move has"),
        (["deep-q", "--set", "hidden=0"], "hidden is 0"),
        (["deep-q", "--set", "double=perhaps"], "double is 'perhaps'"),
        (["deep-q", "--set", "memory=0"], "memory is 0"),
        (["deep-q", "--set", "memory=1000000000"], "memory is 1000000000; it would take "),
        (["deep-q-domino", "--rules", "research"], "with commands only a game of one piece"),
    ],
)
def test_bad_input_is_named_before_anything_is_learned(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", *words]) == 2
    assert message in capsys.readouterr().err


# --- stopped, killed, resumed ---------------------------------------------------------------------


def started(words: list[str], file: Path) -> subprocess.Popen[bytes]:
    """The command in a process of its own, as soon as its checkpoint holds something that was learned."""
    line = [sys.executable, "-m", "tetriscourse.cli", "learn", *words, "--checkpoint", str(file)]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: process.poll() is not None or (file.exists() and learned(file)))
    assert process.poll() is None, "it ended before it could be stopped"
    return process


def learned(file: Path) -> int:
    """How far the run in a checkpoint is."""
    _, arrays = checkpoints.read(file)
    return int(arrays["counters" if "counters" in arrays else "counted"][0])


RUNS = {
    "q-learning": ["q-learning", "--width", "6", "--height", "6", "--set", "episodes=30000"],
    "deep-q": ["deep-q", "--rules", "10x10", "--games", "3", "--set", "steps=4000", "--set", "memory=500"],
    "lambda-pi": ["lambda-pi", "--rules", "10x10", "--games", "3", "--set", "iterations=60", "--set", "games=50"],
    "cbmpi": ["cbmpi", "--games", "3", "--set", "iterations=20", "--set", "states=300", "--set", "search=20"],
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[str, dict[str, Any]]]:
    """The output and the result of a run that nobody stops, each made once."""

    @cache
    def whole(name: str) -> tuple[str, dict[str, Any]]:
        file, said = tmp_path_factory.mktemp(name) / "whole.npz", StringIO()
        with redirect_stdout(said):
            assert main(["learn", *RUNS[name], "--checkpoint", str(file), "--quiet"]) == 0
        return said.getvalue(), checkpoints.read(file)[1]

    return whole


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_a_run_that_is_stopped_or_killed_goes_on_to_the_same_end(
    name: str,
    how: signal.Signals,
    undisturbed: Callable[[str], tuple[str, dict[str, Any]]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words, broken = RUNS[name], tmp_path / "broken.npz"
    process = started(words, broken)
    process.send_signal(how)
    _, error = process.communicate(timeout=60)
    assert process.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
    if how == signal.SIGINT:
        assert b"holds the run: repeat the command with --resume to continue" in error
    assert main(["learn", *words, "--checkpoint", str(broken), "--resume", "--quiet"]) == 0
    resumed, one = capsys.readouterr().out, checkpoints.read(broken)[1]
    said, other = undisturbed(name)
    assert resumed == said
    assert one.keys() == other.keys()
    for name in one:
        assert np.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f"), name


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "run.npz")
    words = ["learn", "q-learning", "--width", "4", "--height", "4", "--set", "episodes=10", "--checkpoint", file]
    assert main(words) == 0
    assert main(words) == 2
    assert "the file exists" in capsys.readouterr().err
    assert main([*words, "--resume", "--seed", "5"]) == 2
    assert "seed is 0 there and 5 here" in capsys.readouterr().err
    os.truncate(file, 300)
    assert main([*words, "--resume"]) == 2
    assert "damaged" in capsys.readouterr().err


SMALL = ["--rules", "6x8", "--set", "iterations=2", "--set", "judge_pieces=200", "--games", "5"]


@pytest.mark.parametrize("name", tc.POLICIES)
def test_every_method_for_policies_is_listed_with_what_was_published_and_what_came_out_here(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, "--list").splitlines()
    place, text = next((k, line) for k, line in enumerate(lines) if line.split()[0] == name)
    assert tc.POLICIES[name].source in text
    assert tc.POLICIES[name].published in text
    stored = next(row for row in stored_table("policies").rows if row["name"] == name)
    here = f"here: {stored['small']} lines on 10x10, {stored['large']} on 10x20; {stored['moves']:,} moves"
    assert lines[place + 1].strip() == f"{here}, {stored['seconds']} s"
    assert "judge_games" in printed(capsys, name, "--list")


def test_a_policy_that_was_learned_is_told_by_its_weights(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lambda-pi", *SMALL, "--set", "games=5"]
    data = json.loads(printed(capsys, *words, "--json"))
    player = tc.Player(data["features"], data["weights"])
    assert tc.simulate(player, "6x8", games=5, seed=2026).mean == data["mean"]
    assert (data["method"], data["iterations"], data["published"]) == ("lambda-pi", 2, "3,183 or 3,200 lines")
    text = printed(capsys, *words)
    assert "published    3,183 or 3,200 lines" in text
    assert "the player   Player(['column_heights', " in text


def test_several_runs_have_a_median_and_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lspi", *SMALL, "--set", "moves=100", "--seed", "3", "--seeds", "3"]
    runs = json.loads(printed(capsys, *words, "--json"))["runs"]
    assert [run["seed"] for run in runs] == [3, 4, 5]
    alone = json.loads(printed(capsys, *words[:-4], "--seed", "4", "--json"))
    assert [alone[key] for key in ("mean", "weights")] == [runs[1][key] for key in ("mean", "weights")]
    means = sorted(run["mean"] for run in runs)
    low, middle, high = map(readable, means)
    assert f"median       {middle} lines, {low} to {high}" in printed(capsys, *words)


def test_the_features_of_a_policy_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dpi", *SMALL, "--features", "dellacherie", "--set", "states=20", "--set", "search=2", "--json"]
    assert json.loads(printed(capsys, *words))["features"][:2] == ["landing_height", "eroded_cells"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("q-learning --seeds 2", "METHOD is 'q-learning'"),
        ("dpi --seeds 2 --checkpoint run.npz", "--checkpoint is 'run.npz'; it is allowed only without --seeds"),
        ("dpi --save player.npz", "only deep-q has a player to save"),
        ("dpi --set states_of=nobody", "states_of is 'nobody'"),
        ("lambda-pi --set lambda_=2", "lambda_ is 2"),
        ("lspi --features nothing", "--features is 'nothing'"),
        ("linear-programming --set gamma=1", "gamma is 1; it must be a number above 0 and below 1"),
    ],
)
def test_what_a_policy_cannot_be_learned_with_is_refused(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", *words.split()]) != 0
    assert message in capsys.readouterr().err
