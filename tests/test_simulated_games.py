"""The simulator plays the same games as the readable layer, move for move, on any number of threads."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import THOROUGH, any_player, any_rules
from waiting import wait_until

from tetriscourse.agents import EvaluatingAgent, FilteringAgent
from tetriscourse.features import FEATURE_SETS, FEATURES
from tetriscourse.game.engine import Engine
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.games import play_game
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.simulator import (
    GameList,
    Ongoing,
    Played,
    SlowWarning,
    background,
    is_fast,
    programs,
    record,
    simulate,
)
from tetriscourse.simulator.driver import Numbered, play_games
from tetriscourse.simulator.encode import choice_of, encode_player
from tetriscourse.simulator.games import compiled_table

# --- every choice and every game ----------------------------------------------------------------


def assert_same_game(player: Player | Filter, rules: Rules, seed: int, pieces: int) -> None:
    """The simulator makes the same moves, and counts the same, as a game in plain Python."""
    rules = replace(rules, max_pieces=pieces)
    slow = play_game(player, rules, seed, 3)
    fast = record(player, rules, seed, 3, pieces)
    names = [piece.name for piece in rules.pieces]
    assert [(names[p], turn, column) for p, turn, column in fast] == [
        (move.piece.name, move.orientation, move.column) for move in slow.moves
    ]
    scores = simulate(player, rules, games=4, seed=seed, threads=1)
    assert (scores.lines[3], scores.pieces[3], scores.points[3]) == (slow.lines, slow.pieces, slow.points)
    assert scores.finished[3] == slow.lost


@pytest.mark.slow
@settings(THOROUGH, max_examples=40)
@given(data=st.data(), rules=any_rules(), name=st.sampled_from([*FEATURE_SETS]), seed=st.integers(0, 2**62))
def test_whole_games_are_the_same_move_for_move(data, rules, name, seed):
    player = data.draw(any_player(FEATURE_SETS[name], rules.width))
    assert_same_game(player, rules, seed, pieces=60)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dellacherie", "dn", "dt-10", "rv-ce", "tetrisbot", "filter-bumpiness"])
@pytest.mark.parametrize("rules", ["research", "harder", "tetrisbot", "losing-allowed", "after-clearing", "top-row"])
def test_games_of_published_players_are_the_same(name, rules):
    assert_same_game(PLAYERS[name], replace(RULES[rules], height=9), seed=5, pieces=120)


SINGLE = [sign + name for name, one in FEATURES.items() if one.per_column is None for sign in "+-"]
CRITERIA = st.lists(st.sampled_from(SINGLE), min_size=1, max_size=16)


@pytest.mark.slow
@settings(THOROUGH, max_examples=40)
@given(rules=any_rules(), seed=st.integers(0, 2**62), criteria=CRITERIA)
def test_filters_of_any_criteria_are_compiled_and_the_same_with_chance_deciding_ties(rules, seed, criteria):
    assert is_fast(Filter(criteria), rules)
    assert_same_game(Filter(criteria), rules, seed, pieces=40)


def test_each_word_of_a_filter_has_a_program_of_its_own_that_chooses_the_same_moves():
    player = Filter(["holes", "bumpiness", "sum_heights", "landing_height", "wells", "lines"])
    record = encode_player(player, RULES["tetrisbot"])
    background.compiler.finish()
    count = int(record["word_count"][0])
    everything = programs.programs(background.for_all(choice_of(player, RULES["tetrisbot"])))
    assert count > 1
    assert len({*record["word_programs"][0, :count].tolist(), everything.drop}) == count + 1
    assert_same_game(player, RULES["tetrisbot"], seed=3, pieces=300)


def test_games_that_change_over_to_other_programs_while_they_are_played_stay_the_same():
    player, rules, switching = PLAYERS["dt-20"], Rules(10, 20, max_pieces=200_000), threading.Event()
    expected = simulate(player, rules, games=4, seed=9, threads=1)
    games, (own, everything) = GameList.of(player, rules, 9, 4), both_programs(player, rules)
    table = compiled_table(player, rules)

    def change_over() -> None:
        while not switching.is_set():
            for found in (own, everything):
                for records in (table.players, table.present):
                    background.enter(records, found)

    thread = threading.Thread(target=change_over)
    thread.start()
    played = Played.nothing(4)
    play_games(table, Numbered(9, games.numbers, games.rows), played.results, played.heights, Ongoing().signal)
    switching.set()
    thread.join()
    assert (played.lines == expected.lines).all()
    assert (played.heights == expected.heights).all()


def both_programs(player: Player, rules: Rules) -> tuple[programs.Programs, programs.Programs]:
    """The player's own programs, and those for all features."""
    choice = choice_of(player, rules)
    return programs.programs(choice), programs.programs(background.for_all(choice))


@pytest.mark.parametrize("name", ["filter-heights", "filter-bumpiness"])
def test_filters_ignore_the_next_piece_in_both_layers(name):
    assert_same_game(PLAYERS[name], replace(RULES["5x5"], pieces_known=2), seed=0, pieces=40)


@pytest.mark.slow
@settings(THOROUGH, max_examples=12)
@given(rules=any_rules(pieces_known=2, width=5, height=7), name=st.sampled_from(["dellacherie", "dn", "dt-20"]))
def test_players_that_know_the_next_piece_are_the_same(rules, name):
    assert_same_game(PLAYERS[name], rules, seed=1, pieces=12)


@pytest.mark.parametrize("name", ["tetrisbot", "filter-heights"])
def test_an_agent_in_the_engine_plays_the_game_that_is_simulated(name):
    rules = replace(RULES["tetrisbot"], height=8, max_pieces=300)
    player = PLAYERS[name]
    for game in range(4):
        agent = EvaluatingAgent(player) if isinstance(player, Player) else FilteringAgent(player)
        engine = Engine(agent, rules=rules, seed=7, game=game)
        engine.run()
        scores = simulate(player, rules, games=game + 1, seed=7)
        assert (engine.total_lines, engine.score) == (scores.lines[game], scores.points[game])


# --- the results of simulate --------------------------------------------------------------------


def test_results_do_not_depend_on_the_number_of_threads():
    one, three = (simulate(PLAYERS["dn"], RULES["10x10"], games=150, seed=4, threads=n) for n in (1, 3))
    for column in ("lines", "pieces", "points", "finished", "heights"):
        np.testing.assert_array_equal(getattr(one, column), getattr(three, column))


def test_more_games_begin_with_the_same_ones():
    few, many = (simulate(PLAYERS["dellacherie"], RULES["10x10"], games=n, seed=9) for n in (20, 60))
    np.testing.assert_array_equal(many.lines[:20], few.lines)
    assert not np.array_equal(simulate(PLAYERS["dellacherie"], RULES["10x10"], games=20, seed=10).lines, few.lines)


def test_every_move_is_counted_in_the_heights():
    scores = simulate(PLAYERS["dn"], RULES["10x10"], games=50, seed=1)
    assert scores.heights.sum() == scores.pieces.sum()
    assert scores.heights[11:].sum() == 0


def test_a_limit_on_pieces_stops_games_unfinished():
    scores = simulate(PLAYERS["dn"], Rules(max_pieces=500), games=10)
    assert set(scores.pieces) == {500}
    assert not scores.finished.any()


def test_a_players_own_feature_plays_in_plain_python_with_a_warning():
    def highest(move):
        return move.after.heights.max()

    with pytest.warns(SlowWarning, match="plain Python"):
        scores = simulate(Player([highest, "holes"], [-1, -2]), Rules(6, 8, max_pieces=30), games=3)
    fast = simulate(Player(["max_height", "holes"], [-1, -2]), Rules(6, 8, max_pieces=30), games=3)
    np.testing.assert_array_equal(scores.lines, fast.lines)
    np.testing.assert_array_equal(scores.heights, fast.heights)


@pytest.mark.slow
def test_ctrl_c_returns_what_has_been_played():
    resource = pytest.importorskip("resource", reason="times of child processes as on Unix")
    command = [sys.executable, "-m", "tetriscourse.cli", "simulate", "--player=dn", "--games=1000", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*command, "--max-pieces=1"], check=True, capture_output=True)
    to_start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: psutil.Process(process.pid).cpu_times().user > to_start + 1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    report = json.loads(output)
    assert report["interrupted"]
    assert sum(report["pieces"]) > 100_000


@pytest.mark.slow
@pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="names a processor of this family")
def test_a_processor_without_wide_vectors_plays_the_same_games(tmp_path):
    environment = os.environ | {
        "NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path),
    }  # fmt: skip
    command = [sys.executable, "-m", "tetriscourse.cli", "simulate", "--player=dn", "--rules=10x10", "--games=20"]
    command.append("--json")
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    expected = simulate(PLAYERS["dn"], RULES["10x10"], games=20)
    assert json.loads(output)["lines"] == expected.lines.tolist()


def test_ctrl_c_stops_a_game_in_plain_python_too(tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(
        "import tetriscourse as tc\n"
        "calls = []\n"
        "def low(move):\n"
        "    calls.append(move)\n"
        "    if len(calls) == 1000: print('playing', flush=True)\n"
        "    return -move.after.heights.sum()\n"
        "scores = tc.simulate(tc.Player([low, 'holes'], [1, -4]), tc.Rules(10, 28), games=500)\n"
        "print(len(scores), scores.interrupted, scores.finished[-1])\n"
    )
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "playing\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    games, interrupted, finished = output.split()
    assert (int(games) < 500, interrupted, finished) == (True, "True", "False"), errors
