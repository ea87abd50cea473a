"""The tetriscourse command, as a person in a terminal and as a script meet it."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import psutil
import pytest
from waiting import wait_until

from tetriscourse.cli import command as cli
from tetriscourse.game.rules import RULES, Draw, GameOver, LosingMoves, Rules, Scoring
from tetriscourse.players import PLAYERS, Player
from tetriscourse.statistics import Scores

PACKAGE = Path(cli.__file__).parents[1]
posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes as on Unix")


def run(line):
    """The exit code of the command for this line."""
    return cli.main(line.split())


def in_a_process(line, **streams):
    """The command as a process of its own."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    called = [sys.executable, "-m", "tetriscourse.cli", *line.split()]
    return subprocess.run(called, text=True, timeout=60, env=buffered, check=False, **streams)


@pytest.fixture
def simulated(monkeypatch):
    """A simulator that plays nothing and remembers what it was asked for."""
    asked = SimpleNamespace(scores=None)

    def simulate(player, rules, **options):
        asked.player, asked.rules, asked.options = player, rules, options
        lines = np.arange(1, options["games"] + 1)
        found = Scores.of(lines, points=40 * lines, player=player.name, rules=rules, seed=options["seed"])
        return asked.scores or replace(found, moves_per_second=1234.0, threads=options["threads"] or 2)

    monkeypatch.setattr("tetriscourse.simulate", simulate)
    return asked


# --- help ---------------------------------------------------------------------------------------


def test_the_command_alone_gives_a_tour(capsys):
    assert cli.main([]) == 0
    shown = capsys.readouterr().out
    assert "a short tour" in shown
    assert all(name in shown for name in cli.SUBCOMMANDS)


@pytest.mark.parametrize("name", cli.SUBCOMMANDS)
def test_help_teaches_by_examples_that_can_be_run(name, capsys):
    assert cli.main([name, "--help"]) == 0
    examples = re.findall(rf"^  tetriscourse ({name}.*?)(?:  .*)?$", capsys.readouterr().out, re.MULTILINE)
    assert 3 <= len(examples) <= 7
    parser, _ = cli.build_parser()
    for example in examples:
        parsed, strange = parser.parse_known_args(shlex.split(example.partition(" -- ")[0]))
        assert parsed.command == name
        assert not strange


def test_the_examples_of_the_tour_can_be_run(capsys):
    cli.main([])
    examples = re.findall(r"^  tetriscourse ([^C].*?)  ", capsys.readouterr().out, re.MULTILINE)
    assert len(examples) == 8
    for example in examples:
        assert not cli.build_parser()[0].parse_known_args(shlex.split(example))[1]


def test_the_version_is_that_of_the_package(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"tetriscourse {version('tetriscourse')}\n"


def test_help_comes_without_loading_numpy_or_numba():
    code = (
        "import sys; from tetriscourse.cli import main; main(['--help'])\n"
        "print({'numpy', 'numba', 'scipy', 'matplotlib', 'IPython'} & set(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "set()"


# --- simulate -----------------------------------------------------------------------------------


def test_simulate_shows_a_short_table(simulated, capsys):
    assert run("simulate --player dn --rules 10x16 --games 100 --seed 3") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "player       dn",
        "rules        10x16",
        "games        100, seed 3",
        "mean lines   50.50, 95 %: 41.90 to 62.07 (exact), +/- 20 % (2/sqrt(N))",
        "mean pieces  126.5",
        "shortest     1 lines",
        "longest      100 lines",
    ]
    assert shown.err == "1,234 moves a second per core, 2 threads\n"


def test_points_are_shown_when_they_are_not_lines(simulated, capsys):
    run("simulate --player tetrisbot --rules tetrisbot --games 100")
    assert "mean points  2,020, 95 %: 1,676 to 2,483 (exact)" in capsys.readouterr().out


def test_quiet_says_nothing_about_speed(simulated, capsys):
    run("simulate --player dn --quiet")
    assert capsys.readouterr().err == ""


def test_stopped_games_have_another_interval_and_an_estimate_of_whole_ones(simulated, capsys):
    simulated.scores = Scores.of([200, 199, 150, 200], finished=[False, False, True, False])
    run("simulate --player dn --json")
    found = json.loads(capsys.readouterr().out)
    assert (found["low"], found["high"]) == pytest.approx(simulated.scores.interval(method="normal"))
    assert found["low"] < found["mean"] < found["high"]
    run("simulate --player dn")
    assert "to the end   about 749.0 lines" in capsys.readouterr().out


def test_a_mean_is_not_estimated_if_no_game_ended(simulated, capsys):
    simulated.scores = Scores.of([200, 199], finished=[False, False])
    run("simulate --player dn")
    shown = capsys.readouterr().out
    assert "to the end   no game ended, so there is no estimate" in shown
    assert "interval starts at 108.2)" in shown
    assert "inf" not in shown


def test_json_is_one_object_and_nothing_else(simulated, capsys):
    assert run("simulate --player dellacherie --rules 10x16 --games 5 --seed 9 --threads 3 --json") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.count("\n") == 1
    found = json.loads(shown.out)
    assert found["lines"] == [1, 2, 3, 4, 5]
    assert found["points"] == [40, 80, 120, 160, 200]
    assert found["pieces"] == [3, 5, 8, 10, 13]
    assert found["finished"] == [True] * 5
    assert (found["mean"], found["low"], found["high"]) == pytest.approx((3, *Scores.of([1, 2, 3, 4, 5]).interval()))
    assert (found["player"], found["seed"], found["games"]) == ("dellacherie", 9, 5)
    assert (found["threads"], found["moves_per_second"], found["interrupted"]) == (3, 1234.0, False)
    assert Rules(**found["rules"]) == RULES["10x16"]


def test_json_has_null_where_a_bound_is_not_finite(simulated, capsys):
    simulated.scores = Scores.of([200], finished=[False])
    run("simulate --player dn --json")
    assert json.loads(capsys.readouterr().out)["high"] is None


def test_every_rule_that_can_be_given_reaches_the_simulator(simulated):
    run(
        "simulate --player dn --rules top-row --width 8 --height 12 --max-pieces 50 --two-piece --draw bag "
        "--game-over overflow-after-clearing --losing-moves allowed"
    )
    assert simulated.rules == Rules(
        8, 12, draw=Draw.BAG, game_over=GameOver.OVERFLOW_AFTER_CLEARING, losing_moves=LosingMoves.ALLOWED,
        max_pieces=50, pieces_known=2,
    )  # fmt: skip


def test_rules_that_are_not_given_stay_as_they_are_named(simulated):
    run("simulate --player tetrisbot --rules tetrisbot --height 10")
    assert simulated.rules == replace(RULES["tetrisbot"], height=10)
    assert simulated.rules.scoring is Scoring.TETRISBOT


def test_the_defaults_are_100_games_of_the_research_game_with_seed_0_on_all_cores(simulated):
    run("simulate --player filter-heights")
    assert simulated.player is PLAYERS["filter-heights"]
    assert simulated.rules == Rules()
    defaults = {"games": 100, "seed": 0, "threads": None, "progress": False, "checkpoint": None, "resume": False}
    assert simulated.options == defaults


@pytest.mark.parametrize(
    "given", ["--weights=-1,1,-1,-1,-4,-1", "--weights -1,1,-1,-1,-4,-1", "--weights=-1e0,1,-1,-1,-4,-1"]
)
def test_weights_may_begin_with_a_minus(simulated, given):
    assert run(f"simulate --features dellacherie {given} --games 2") == 0
    assert simulated.player.weights == PLAYERS["dellacherie"].weights
    assert simulated.player.features == PLAYERS["dellacherie"].features


def test_weights_are_counted_for_the_width_of_the_board(simulated, capsys):
    weights = "--features bertsekas --weights=" + ",".join(["-1"] * 13)
    assert run(f"simulate {weights} --width 6 --height 12") == 0
    assert isinstance(simulated.player, Player)
    assert run(f"simulate {weights}") == 2
    assert "weights has 13 values; feature set bertsekas takes 21 on width 10" in capsys.readouterr().err


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_seeds_go_up_to_the_largest_of_64_bits(simulated, seed):
    assert cli.main(["simulate", "--player", "dn", "--seed", str(seed)]) == 0
    assert simulated.options["seed"] == seed


def test_an_interrupted_simulation_prints_what_it_has(simulated, capsys):
    simulated.scores = replace(Scores.of([5, 7, 9], player="dn"), interrupted=True)
    assert run("simulate --player dn --games 50") == 130
    shown = capsys.readouterr()
    assert "games        3, seed 0" in shown.out
    assert shown.err == "tetriscourse: interrupted after 3 of 50 games\n"
    assert run("simulate --player dn --json") == 130
    assert json.loads(capsys.readouterr().out)["interrupted"] is True


def test_ctrl_c_before_there_is_anything_to_show_is_quiet(monkeypatch, capsys):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("tetriscourse.simulate", stop)
    assert run("simulate --player dn") == 130
    assert capsys.readouterr() == ("", "tetriscourse: interrupted\n")


@pytest.mark.slow
def test_a_real_simulation_is_the_same_for_one_thread_and_two():
    runs = [
        in_a_process(f"simulate --player dellacherie --rules 5x5 --games 40 --seed 2 --threads {n} --json")
        for n in (1, 2)
    ]
    one, two = (json.loads(run.stdout) for run in runs)
    assert one["lines"] == two["lines"]
    assert len(one["lines"]) == 40
    assert all(4 * pieces >= 5 * lines for pieces, lines in zip(one["pieces"], one["lines"], strict=True))
    # 10.93 lines a game, measured over 200,000 games of MDPTetris; 40 games are good for some 32 %.
    assert 0.5 < one["mean"] / 10.93 < 1.5


# --- play, bench, lab ---------------------------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch):
    """A terminal that remembers which game it was asked for."""
    asked = []
    module = ModuleType("tetriscourse.cli.terminal_game")
    module.play = lambda *game, **options: asked.append((game, options))
    agents = {
        name: lambda name=name: SimpleNamespace(name=name, describe=f"what {name} does")
        for name in ("human", "random-commands", *PLAYERS)
    }
    monkeypatch.setitem(sys.modules, "tetriscourse.cli.terminal_game", module)
    monkeypatch.setattr("tetriscourse.AGENTS", agents)
    return asked


def test_an_agent_plays_the_same_game_unless_told_otherwise(terminal):
    assert run("play --agent dn") == 0
    assert run("play --agent dn --rules domino --width 6 --seed 5 --pause 0.1 --max-pieces 9") == 0
    assert terminal == [
        (("dn", RULES["tetrisbot"]), {"seed": 0, "pause": None, "max_blocks": 0}),
        (("dn", replace(RULES["domino"], width=6)), {"seed": 5, "pause": 0.1, "max_blocks": 9}),
    ]


def test_a_person_meets_new_pieces_and_is_told_how_to_meet_them_again(terminal, capsys):
    for _ in range(2):
        assert run("play") == 0
    seeds = [options["seed"] for _, options in terminal]
    assert seeds[0] != seeds[1]
    assert capsys.readouterr().err == "".join(f"to get these pieces again, use --seed {seed}\n" for seed in seeds)
    run("play --seed 4")
    assert terminal[-1][1]["seed"] == 4
    assert capsys.readouterr().err == ""


def test_the_list_of_agents_names_their_sources(terminal, capsys):
    assert run("play --list") == 0
    shown = capsys.readouterr().out
    assert "what human does" in shown
    assert re.search(r"^dellacherie +what dellacherie does \(Dellacherie in Fahey 2003", shown, re.MULTILINE)
    assert terminal == []


def test_a_real_game_is_played_to_its_limit():
    ran = in_a_process("play --agent dellacherie --max-pieces 5 --pause 0", stdin=subprocess.DEVNULL)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert "5 pieces" in ran.stdout


REPORT = {
    "moves_per_second": {"dn": 5_000_000}, "threads": 2, "speed_up": 1.9,
    "placements_per_second": {"known": 150_000_000, "unknown": 200_000_000}, "first_start_seconds": 30.0,
    "start_seconds": 0.7,
}  # fmt: skip


def test_bench_is_asked_for_what_was_given(monkeypatch, tmp_path, capsys):
    asked = []
    module = ModuleType("tetriscourse.simulator.bench")
    module.measured = lambda **options: asked.append(options) or REPORT
    monkeypatch.setitem(sys.modules, "tetriscourse.simulator", ModuleType("tetriscourse.simulator"))
    monkeypatch.setitem(sys.modules, "tetriscourse.simulator.bench", module)
    program = tmp_path / "game.c"
    program.write_text("int main(void) { return 0; }")
    assert run("bench") == 0
    assert cli.main(["bench", "--json", "--seconds", "0.2", "--yardstick", str(program)]) == 0
    assert asked == [
        {"yardstick": None, "seconds": 1.0},
        {"yardstick": str(program), "seconds": 0.2},
    ]
    *table, last = capsys.readouterr().out.splitlines()
    assert table[1].split() == ["dn", "5,000,000"]
    assert json.loads(last) == REPORT


@pytest.fixture
def jupyter(monkeypatch):
    """A server that remembers how it was started."""
    started = []

    def start(command, **options):
        started.append((command, options))
        return SimpleNamespace(wait=lambda: 0)

    monkeypatch.setattr(subprocess, "Popen", start)
    return started


def test_lab_starts_the_jupyterlab_of_this_environment(jupyter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert run("lab work/here --port 9999 --no-browser -- --ip=0.0.0.0 --debug") == 0
    [(arguments, options)] = jupyter
    folder = tmp_path.resolve() / "work" / "here"
    assert folder.is_dir()
    assert options["cwd"] == folder
    assert arguments[:3] == [sys.executable, "-m", "jupyterlab"]
    assert arguments[3:] == [
        f"--ServerApp.root_dir={folder}", "--LabApp.default_url=/lab/tree/notebooks/00_welcome.ipynb",
        "--ServerApp.port=9999", "--no-browser", "--ip=0.0.0.0", "--debug",
    ]  # fmt: skip


def test_lab_tells_jupyter_when_it_runs_for_root(jupyter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert run("lab") == 0
    assert jupyter[0][0][-1] == "--allow-root"


def test_lab_finds_the_clone_that_it_is_run_from(jupyter, tmp_path, monkeypatch):
    for part in ("notebooks/data", "tetriscourse/course"):
        (tmp_path / part).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "notebooks" / "data")
    run("lab")
    assert jupyter[0][1]["cwd"] == tmp_path.resolve()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notebooks", "tetriscourse"]


def test_lab_without_a_clone_makes_a_working_copy_in_the_current_folder(jupyter, tmp_path, monkeypatch):
    monkeypatch.setattr("tetriscourse.course.chapters.PACKED", PACKAGE.parent)
    monkeypatch.setattr("tetriscourse.course.chapters.CLONE", tmp_path / "site-packages")
    monkeypatch.chdir(tmp_path)
    run("lab")
    assert jupyter[0][1]["cwd"] == Path.cwd() / "tetriscourse-course"
    assert (Path.cwd() / "tetriscourse-course" / "notebooks" / "panels.ipynb").is_file()


# --- words behind options -----------------------------------------------------------------------


def test_chapters_may_stand_before_and_behind_an_option(monkeypatch):
    asked = []
    monkeypatch.setattr("tetriscourse.cli.release.run", lambda options: asked.append(options) or 0)
    for line in ("release out 01 02 --as zip", "release out --as zip 01 02", "release --as zip out 01 02"):
        assert run(line) == 0
    assert {(one.folder, *one.chapters, one.form) for one in asked} == {("out", "01", "02", "zip")}


def test_a_strange_option_beside_chapters_is_still_refused(capsys):
    assert run("check 01 --jsn") == 2
    assert "option is '--jsn'" in capsys.readouterr().err


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_or_an_end_of_the_process_stops_the_server_without_a_traceback(tmp_path, number):
    package = tmp_path / "jupyterlab"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "tetriscourse.cli", "lab", str(tmp_path / "course")],
        env=os.environ | {"PYTHONPATH": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    server = int(running.stdout.readline())
    wait_until(lambda: psutil.Process(running.pid).status() == psutil.STATUS_SLEEPING)
    running.send_signal(number)
    _, errors = running.communicate(timeout=20)
    assert running.returncode == 0
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
    assert "Traceback" not in errors


# --- pipes --------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("arguments", ["--help", "play --list"])
def test_a_reader_that_has_seen_enough_is_no_error(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    ran = in_a_process(arguments, stdout=writer)
    os.close(writer)
    assert ran.stderr == ""
    assert ran.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_is_told_on_one_line():
    with open("/dev/full", "w") as full:
        ran = in_a_process("--help", stdout=full)
    assert ran.stderr.startswith("tetriscourse: error: ")
    assert ran.stderr.count("\n") == 1
    assert ran.returncode == 1
