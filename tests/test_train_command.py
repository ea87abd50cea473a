"""tetriscourse train, as a person in a terminal and as a script meet it."""

import json
import re

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse import cli
from tetriscourse.cli.arguments import one_setting
from tetriscourse.cli.output import duration
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.experiments import METHODS, RESULTS

QUICK = "--features dn --rules 5x5 --games 4 --curve 3 --iterations 3"


def run(line):
    """The exit code of the command for this line."""
    return cli.main(line.split())


def rows(text):
    """The report as a dict; what comes several times, as a list."""
    found = {}
    for line in text.splitlines():
        found.setdefault(line[:12].strip(), []).append(line[13:])
    return found


# --- what it prints -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "games"),
    [("genetic", (100 + 3 * 30) * 4), ("cross-entropy", 3 * 100 * 4), ("cma-es", 3 * (4 + 6) * 4)],
)
def test_every_method_learns_weights_and_says_what_they_are_worth(method, games, capsys):
    assert run(f"train {method} {QUICK}") == 0
    out, err = capsys.readouterr()
    report = rows(out)
    assert report["learned in"][0].startswith(f"{games:,} games, ")
    assert "mean of the learning curve over the last 3 iterations" in report["curve"][0]
    weights = [float(one) for one in report["the player"][0].partition("--weights=")[2].split(",")]
    judged = tc.simulate(tc.Player("dn", weights), tc.RULES["5x5"], games=100, seed=2026)
    assert f"{judged.mean:.2f} lines" in report["judged"][0]
    assert "on this machine" in err


def test_the_player_that_is_printed_can_be_pasted_into_simulate(capsys):
    run(f"train cma-es {QUICK} --quiet")
    player = rows(capsys.readouterr().out)["the player"][0]
    assert run(f"simulate {player} --rules 5x5 --games 5 --quiet") == 0


def test_the_same_line_prints_the_same_text_and_another_seed_another(capsys):
    texts = []
    for seed in (1, 1, 2):
        run(f"train cross-entropy {QUICK} --seed {seed} --quiet")
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != texts[2]


def test_json_is_one_object_with_the_whole_run(capsys):
    assert run(f"train cma-es {QUICK} --runs 2 --json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == f"tetriscourse train cma-es {QUICK} --runs 2"
    assert found["version"] == tc.__version__
    assert [one["seed"] for one in found["runs"]] == [1, 2]
    assert np.shape(found["runs"][0]["log"]["curve"]) == (3, 3)
    directions = [np.array(one["favourite"]) / np.linalg.norm(one["favourite"]) for one in found["runs"]]
    np.testing.assert_allclose(found["weights"], np.mean(directions, axis=0), rtol=1e-4)


def test_save_writes_what_json_prints_and_the_time(tmp_path, capsys):
    file = tmp_path / "outcome.json"
    assert run(f"train genetic {QUICK} --json --save {file}") == 0
    printed, stored = json.loads(capsys.readouterr().out), json.loads(file.read_text())
    assert stored.pop("seconds") >= 0
    assert stored == printed


def test_the_time_of_a_run_that_was_resumed_is_not_known(tmp_path):
    file, checkpoint = tmp_path / "outcome.json", tmp_path / "run.npz"
    assert run(f"train genetic {QUICK} --quiet --checkpoint {checkpoint}") == 0
    assert run(f"train genetic {QUICK} --quiet --checkpoint {checkpoint} --resume --save {file}") == 0
    assert json.loads(file.read_text())["seconds"] is None


@pytest.mark.slow
def test_a_stored_run_goes_on_in_a_checkpoint_of_its_own(tmp_path, capsys):
    stored = json.loads((RESULTS / "thiery-bd.json").read_text())
    made = stored["runs"][0]["iterations"]
    line = f"train thiery-bd --iterations {made} --from-stored --checkpoint {tmp_path / 'run.npz'} --json --quiet"
    assert run(line) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["weights"], found["runs"]) == (stored["weights"], stored["runs"])
    assert found["command"] == f"tetriscourse train thiery-bd --iterations {made}"
    assert run(line) == 2  # the file is there
    for words, said in (
        ("thiery-bd", "--from-stored is given; it needs --checkpoint FILE"),
        (f"genetic-3 --checkpoint {tmp_path / 'other.npz'}", "--from-stored is for thiery-bd, thiery-bdn, thiery-d"),
    ):
        assert run(f"train {words} --from-stored") == 2
        assert said in capsys.readouterr().err


@pytest.mark.slow
def test_an_experiment_prints_its_result_beside_the_published_one(capsys):
    assert run("train genetic-3 --iterations 1 --games 1 --quiet") == 0
    report = rows(capsys.readouterr().out)
    assert "Muller and Ponton 2019, chapter 10, example 3" in report["source"][0]
    *runs, rival = report["judged"]
    assert len(runs) == 12
    assert all(row.endswith("published: 518,412 ± 20 %") for row in runs)
    assert rival.startswith("tetrisbot-3 on tetrisbot: ")
    assert report["the runs"][0].startswith("median ")


# --- what it can be told ----------------------------------------------------------------------------


@pytest.mark.slow
def test_list_shows_every_experiment_with_source_published_result_and_duration(capsys):
    assert run("train --list") == 0
    text = capsys.readouterr().out
    plain = " ".join(text.split())
    for name, one in EXPERIMENTS.items():
        assert re.search(rf"^{re.escape(name)}$", text, re.MULTILINE), name
        assert one.source in plain
        assert f"Published: {one.published}" in plain
    assert len(re.findall(r"takes [\d.]+ (s|minutes|hours)|not measured", plain)) == len(EXPERIMENTS)


@pytest.mark.parametrize("method", METHODS)
def test_list_of_a_method_explains_every_setting(method, capsys):
    run(f"train {method} --list")
    text = capsys.readouterr().out
    for name, field in METHODS[method].Settings.__dataclass_fields__.items():
        assert f"  {name} " in text
        assert field.metadata["text"] in text


def test_settings_are_read_as_what_they_are():
    ce, cma, genetic = (METHODS[name].Settings() for name in ("cross-entropy", "cma-es", "genetic"))
    assert one_setting("rho=0.25", ce) == ("rho", 0.25)
    assert one_setting("noise=linear", ce) == ("noise", "linear")
    assert one_setting("population=30", cma) == ("population", 30)
    assert one_setting("normalise=no", cma) == ("normalise", False)
    assert one_setting("start=1,2.5", cma) == ("start", ("1", "2.5"))
    assert one_setting("encoding=binary", genetic) == ("encoding", "binary")


def test_settings_reach_the_optimizer(capsys):
    run(f"train cross-entropy {QUICK} --set population=7 --set rho=0.5 --json")
    assert json.loads(capsys.readouterr().out)["runs"][0]["history"]["evaluated"] == [7, 7, 7]


def test_racing_by_name(capsys):
    run(f"train cma-es {QUICK} --racing tetris --json")
    assert len(json.loads(capsys.readouterr().out)["runs"][0]["log"]["race_share"]) == 3


def test_genomes_get_the_signs_of_the_published_players():
    for name in ("tetrisbot", "dellacherie", "dn", "rv-ce"):
        assert tc.Objective(name, signs="usual").signs == tuple(np.sign(tc.PLAYERS[name].weights))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("train", "METHOD is missing"),
        ("train cma", "METHOD is 'cma'; did you mean 'cma-es'?"),
        ("train cma-es --set sigma", "--set is 'sigma'; it must be NAME=VALUE"),
        ("train cma-es --set sogma=1", "did you mean 'sigma'?"),
        ("train cma-es --set sigma=0", "sigma is 0; it must be a number above 0"),
        ("train cma-es --set sigma=wide", "sigma is 'wide'"),
        ("train cma-es --set normalise=maybe", "normalise is 'maybe'"),
        ("train cross-entropy --set rho=0", "rho is 0; it must be a number above 0 and at most 1"),
        ("train cross-entropy --set population=0", "population is 0"),
        ("train cross-entropy --set noise=loud", "noise is 'loud'"),
        ("train genetic --set population_size=0", "population_size is 0"),
        ("train genetic --racing hoeffding", "racing is given"),
        ("train cma-es --racing slow", "racing is 'slow'"),
        ("train cma-es --target nan", "--target is 'nan'; it must be a number"),
        ("train cma-es --save README.md", "--save is 'README.md'; it must be a new file"),
        ("train cma-es --features nothing", "--features is 'nothing'"),
        ("train cma-es --rules nothing", "--rules is 'nothing'"),
        ("train cma-es --score luck", "score is 'luck'"),
        ("train cma-es --pieces some", "pieces is 'some'"),
        ("train cma-es --games 0", "--games is '0'"),
        ("train cma-es --runs 0", "--runs is '0'"),
        ("train cma-es --resume", "--resume is given; it needs --checkpoint"),
        ("train cma-es --save /nowhere/at/all.json", "--save is '/nowhere/at/all.json'"),
        ("train cma-es --checkpoint /nowhere/at/all.npz", "checkpoint is '/nowhere/at/all.npz'"),
        ("train cma-es --curve 0 --target 5", "target and patience judge by the learning curve"),
        ("train genetic-3 --features dn", "the experiment genetic-3 fixes it"),
        ("train szita-none --rules 10x10", "the experiment szita-none fixes it"),
        ("train genetic --set encoding=binary --set normalisation=L2", "normalisation is 'L2'"),
    ],
)
def test_bad_input_is_one_line_before_any_game(line, words, capsys, monkeypatch):
    def no_game(*_, **__):
        raise AssertionError("a game was played")

    monkeypatch.setattr("tetriscourse.simulator.run.Pool.play", no_game)
    assert run(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_durations_are_said_as_people_do():
    assert [duration(one) for one in (3.2, 91, 5000, 7200)] == ["3 s", "2 minutes", "83 minutes", "2.0 hours"]
