"""Q-learning with a table: the equation, two layers that agree, runs that resume, tables that play, proofs."""

import os
import pydoc
import signal
import subprocess
import sys
from dataclasses import fields, replace
from importlib import import_module
from math import exp
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import THOROUGH
from waiting import wait_until

import tetriscourse as tc
from tetriscourse import checkpoints
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import moves
from tetriscourse.game.random import AGENT_STREAM, Chance
from tetriscourse.game.rules import Draw, Entry, GameOver, LosingMoves, Scoring
from tetriscourse.mdp.environment import COMMAND_ACTIONS, TetrisEnv, placement_action
from tetriscourse.mdp.proofs import Proof, prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.mdp.q_learning.settings import METHODS, Q_SETTINGS, QSettings
from tetriscourse.mdp.states import STATES
from tetriscourse.simulator import SlowWarning

DOMINO = replace(tc.RULES["domino"], width=4, height=4)


def learned(rules=DOMINO, **changes):
    """A learner after all its episodes."""
    return QLearning(rules, **({"episodes": 1500} | changes)).learn(progress=False)


def in_python(rules, **changes):
    """The plain-Python version."""
    q = QLearning(rules, compiled=False, **changes)
    while q.done < q.goal:
        q.advance()
    return q


def assert_same(one, two):
    """Two learners agree in every bit."""
    assert list(one.table) == list(two.table)
    assert one.values().tobytes() == two.values().tobytes()
    assert (one.done, one.steps) == (two.done, two.steps)
    assert one.history.names == two.history.names
    for name in one.history.names:
        assert one.history[name].tobytes() == two.history[name].tobytes()


@pytest.fixture(scope="module")
def domino():
    """A table that plays the domino on 4x4 without end."""
    return learned(episodes=3000)


@pytest.fixture(scope="module")
def placing():
    """The version with placements."""
    return learned(actions="placements", episodes=3000)


# --- the method -----------------------------------------------------------------------------------


def test_an_update_goes_alpha_of_the_way_to_reward_and_discounted_best():
    q = QLearning(DOMINO, compiled=False, alpha=0.25, gamma=0.5)
    q.table.update({7: np.array([0, 0, 8.0, 0, 0, 0]), 9: np.array([1, 6, 2, 20.0, 0, 0])})
    q.update(7, 2, 3.0, 9, [0, 1, 2])
    assert q.table[7][2] == 0.75 * 8 + 0.25 * (3 + 0.5 * 6)  # the 20 is not allowed
    q.update(7, 0, 4.0, 9, ())
    assert q.table[7][0] == 0.25 * 4  # a game that is over is worth nothing more


def test_sarsa_learns_from_the_action_that_comes_and_expected_sarsa_from_the_mean():
    values, rest = np.array([0, 0, 8.0, 0, 0, 0]), np.array([1, 6, 2, 20.0, 0, 0])
    for method, after, ahead in (("sarsa", 2, 2), ("expected-sarsa", None, 0.6 * 6 + 0.4 * 3)):
        q = QLearning(DOMINO, compiled=False, alpha=0.25, gamma=0.5, method=method, epsilon_min=0.4, epsilon_max=0.4)
        q.table.update({7: values.copy(), 9: rest.copy()})
        q.update(7, 2, 3.0, 9, [0, 1, 2], after)
        assert q.table[7][2] == pytest.approx(0.75 * 8 + 0.25 * (3 + 0.5 * ahead))


def test_a_trace_hands_each_error_to_the_last_actions_and_fades():
    q = QLearning(DOMINO, compiled=False, alpha=0.5, gamma=0.8, trace=0.5, reach=3)
    q.table.update({s: np.zeros(6) for s in range(6)})
    for s in range(4):
        q.update(s, 1, 0.0, s + 1, range(6))
    q.update(4, 1, 1.0, 5, ())
    assert [q.table[s][1] for s in range(5)] == pytest.approx([0, 0, 0.5 * 0.4**2, 0.5 * 0.4, 0.5])
    q.update(3, 1, 1.0, 5, ())  # comes again: its trace is new, and the oldest one gone
    assert list(q.trace) == [(2, 1), (4, 1), (3, 1)]
    assert q.trace[3, 1] == 0.5 * 0.4


def test_a_trace_over_one_action_is_no_trace():
    one, none = (learned(episodes=400, trace=trace, reach=1) for trace in (0.7, 0.0))
    assert list(one.table) == list(none.table)
    assert np.allclose(one.values(), none.values(), atol=1e-12)


def test_q_learning_cuts_the_trace_at_an_action_that_is_not_the_best_and_sarsa_does_not():
    def traces(method):
        q = in_python(DOMINO, method=method, trace=1.0, reach=1000, tau=0.0, episodes=40, actions="placements")
        lengths = []
        q.update_trace = lambda s, a, alpha, error: (
            QLearning.update_trace(q, s, a, alpha, error),
            lengths.append(len(q.trace)),
        )
        for _ in range(40):
            q.episode()
        return np.mean(lengths)

    assert traces("q") < traces("sarsa")


def test_fading_steps_of_one_are_the_mean_of_all_targets():
    q = QLearning(DOMINO, compiled=False, alpha=1.0, fading=1.0)
    q.table.update({7: np.full(6, 5.0)})
    for reward in (3.0, 1.0, 8.0):
        q.update(7, 2, reward, 9, ())
    assert q.table[7][2] == pytest.approx(4)
    assert q.table[7][1] == 5


def test_without_curiosity_all_methods_are_one():
    tables = [learned(episodes=300, method=method, epsilon_max=0.0, epsilon_min=0.0).values() for method in METHODS]
    assert tables[0].any()
    assert all(np.allclose(tables[0], table) for table in tables[2:])


def test_epsilon_falls_from_its_highest_to_its_lowest_value():
    q = QLearning(DOMINO, epsilon_min=0.1, epsilon_max=0.9, tau=0.01)
    assert q.epsilon(0) == 0.9
    assert q.epsilon(100) == pytest.approx(0.1 + 0.8 / np.e)
    assert q.epsilon(10**6) == 0.1


def test_the_best_action_is_the_first_of_the_largest_and_chance_decides_where_all_are_zero():
    q = QLearning(DOMINO, compiled=False)
    q.table.update({1: np.array([0, 2.0, 3, 1, 3, 0]), 2: np.zeros(6)})
    assert q.best(1, range(6)) == 2
    assert q.best(1, [0, 1, 4]) == 4
    assert q.best(2, range(6)) is None
    assert q.best(3, range(6)) is None
    assert QLearning(DOMINO, compiled=False, zeros="first").best(3, range(6)) is None
    first = QLearning(DOMINO, compiled=False, zeros="first")
    first.table.update(q.table)
    assert first.best(2, [3, 5]) == 3


def test_every_state_of_an_episode_is_in_the_table_the_last_one_too():
    q = QLearning(DOMINO, compiled=False, episodes=1)
    q.episode()
    env, seen = TetrisEnv(DOMINO), set()
    s, _ = env.reset(0)
    seen.add(s)
    chance = Chance(0, 0)
    while env.is_running:
        chance.below(2)
        s, *_ = env.step(chance.below(6))  # with epsilon 1 every action is random
        seen.add(s)
    assert set(q.table) == seen


def test_the_printed_settings_are_those_of_the_algorithm_in_the_text():
    q = in_python(DOMINO, settings=Q_SETTINGS["printed"], episodes=60, tau=0.02, alpha=0.5)
    Q, time_passed, env, scores = {}, 0, TetrisEnv(DOMINO, max_pieces=500), []
    for number in range(60):
        chance, (k, _) = Chance(0, number, AGENT_STREAM), env.reset(0, {"episode": number})
        while env.is_running:
            epsilon = 0.01 + 0.99 * exp(-0.02 * time_passed)
            row = Q.setdefault(k, [0.0] * 6)
            x, action = chance.below(1 << 32) / 2**32, chance.below(6)
            if x >= epsilon:
                action = row.index(max(row))
            k, reward, lost, *_ = env.step(action)
            e_max = 0.0 if lost else max(Q.setdefault(k, [0.0] * 6))  # the row of the final state stays 0
            row[action] = 0.5 * row[action] + 0.5 * (reward + 0.9 * e_max)
            time_passed += 1
            scores.append(reward)
        Q.setdefault(k, [0.0] * 6)
    assert {s: values.tolist() for s, values in q.table.items()} == Q
    assert q.steps == time_passed
    assert any(scores)


def optimal_values(rules, gamma):
    """Q* of a game with a single piece by value iteration over all boards, as {(board, action): value}."""
    piece, transitions, todo = rules.pieces[0], {}, [rules.empty_board()]
    while todo:
        board = todo.pop()
        if board.bits in transitions:
            continue
        found = {placement_action(move, rules): move for move in moves(board, piece, rules)}
        transitions[board.bits] = {a: (rules.points(move.rows), move.after.bits) for a, move in found.items()}
        todo += [move.after for move in found.values()]
    v = dict.fromkeys(transitions, 0.0)
    for _ in range(150):
        v = {s: max((r + gamma * v[s2] for r, s2 in found.values()), default=0.0) for s, found in transitions.items()}
    return {(s, a): r + gamma * v[s2] for s, found in transitions.items() for a, (r, s2) in found.items()}


@pytest.mark.slow
def test_the_table_becomes_the_optimal_values_of_value_iteration():
    rules = replace(DOMINO, losing_moves="refused", entry="above", game_over="overflow")
    exact = optimal_values(rules, 0.8)
    q = learned(rules, actions="placements", gamma=0.8, alpha=1.0, tau=0.0, episodes=60_000)
    found = np.array([[q.table[s][a], value] for (s, a), value in exact.items() if s in q.table])
    assert (found[:, 0] <= found[:, 1] + 1e-9).all()  # from 0 the values only rise, and never above the truth
    assert np.isclose(found[:, 0], found[:, 1], atol=1e-6).mean() > 0.9
    start = [(q.table[s][a], value) for (s, a), value in exact.items() if s == 0]
    assert len(start) == 7
    assert all(learnt == pytest.approx(value, abs=1e-9) for learnt, value in start)


# --- two layers that agree ------------------------------------------------------------------------


@st.composite
def any_small_rules(draw):
    """Rules of any kind on a small board."""
    return tc.Rules(
        width=draw(st.integers(4, 7)),
        height=draw(st.integers(4, 8)),
        bag=draw(st.sampled_from(["domino", "research", "rapid", "classic"])),
        draw=draw(st.sampled_from(Draw)),
        game_over=draw(st.sampled_from(GameOver)),
        losing_moves=draw(st.sampled_from(LosingMoves)),
        entry=draw(st.sampled_from(Entry)),
        scoring=draw(st.sampled_from(Scoring)),
    )


SETTINGS = st.fixed_dictionaries({
    "actions": st.sampled_from(["commands", "placements"]),
    "state": st.sampled_from(STATES),
    "clock": st.sampled_from(["episode", "step"]),
    "start": st.sampled_from(["explore", "follow"]),
    "zeros": st.sampled_from(["random", "first"]),
    "lost": st.sampled_from(["terminal", "state"]),
    "alpha": st.sampled_from([0.1, 0.7, 1.0]),
    "gamma": st.sampled_from([0.0, 0.9, 1.0]),
    "tau": st.sampled_from([0.0, 0.01, 0.5]),
    "epsilon_min": st.sampled_from([0.0, 0.2]),
    "max_pieces": st.sampled_from([3, 40]),
    "method": st.sampled_from(METHODS),
    "trace": st.sampled_from([0.0, 0.5, 1.0]),
    "reach": st.sampled_from([1, 5, 1000]),
    "fading": st.sampled_from([0.0, 0.6, 1.0]),
    "seed": st.integers(0, 2**63 - 1),
})  # fmt: skip


@pytest.mark.slow
@settings(THOROUGH, max_examples=35)
@given(rules=any_small_rules(), chosen=SETTINGS)
def test_both_layers_learn_the_same_table_bit_for_bit_under_any_rules(rules, chosen):
    assert_same(in_python(rules, episodes=4, **chosen), learned(rules, episodes=4, compiled=True, **chosen))


@pytest.mark.parametrize("actions", ["commands", "placements"])
@pytest.mark.parametrize("state", STATES)
def test_both_layers_learn_the_same_table_when_it_is_used(actions, state):
    settings = {"actions": actions, "state": state, "episodes": 120, "tau": 0.05, "alpha": 0.5, "max_pieces": 30}
    plain, fast = in_python(DOMINO, **settings), learned(DOMINO, compiled=True, **settings)
    assert_same(plain, fast)
    assert plain.history["reward"][-20:].mean() > plain.history["reward"][:20].mean()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("trace", "fading"), [(0.0, 0.6), (0.8, 0.0), (0.8, 0.6)])
def test_both_layers_learn_the_same_table_by_every_method_with_traces_and_fading_steps(method, trace, fading):
    changes = {"method": method, "trace": trace, "fading": fading, "reach": 7, "tau": 0.05, "max_pieces": 30}
    for actions in ("commands", "placements"):
        settings = {"episodes": 80, "alpha": 0.5, "actions": actions} | changes
        plain, fast = in_python(DOMINO, **settings), learned(DOMINO, compiled=True, **settings)
        assert_same(plain, fast)
        if fading:
            assert plain.table.visit_counts().tolist() == fast.table.visit_counts().tolist()
            assert fast.table.visit_counts().sum() == fast.steps


@pytest.mark.parametrize("actions", ["commands", "placements"])
def test_both_layers_round_alike_on_8x8(actions):
    rules = replace(DOMINO, width=8, height=8)
    settings = {"actions": actions, "state": "rounded", "episodes": 40, "tau": 0.05, "max_pieces": 60}
    plain = in_python(rules, **settings)
    assert_same(plain, learned(rules, compiled=True, **settings))
    assert len(plain.table) < len(in_python(rules, **settings | {"state": "grid"}).table)


BENCHMARKS = Path(__file__).parent / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize(("state", "seen"), [("grid", "cells"), ("rounded", "rounded")])
def test_a_second_statement_of_the_game_and_the_learner_fills_the_same_table(state, seen, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    again = import_module("merged_states").Restated(8, "library", seen, seed=3)
    again.advance(3000)
    q = learned(replace(DOMINO, width=8, height=8), state=state, episodes=3000, seed=3)
    assert again.table.matrix().tobytes() == q.values().tobytes()
    assert again.is_endless() == bool(prove_endless(q))


def test_up_to_63_cells_a_rounded_state_is_the_grid_under_another_number():
    rules = replace(DOMINO, width=7, height=7)
    exact, rounded = (learned(rules, state=state, episodes=2000) for state in ("grid", "rounded"))
    assert exact.values().tobytes() == rounded.values().tobytes()
    assert np.array_equal(exact.known_cells(), rounded.known_cells())
    assert exact.history["reward"].tobytes() == rounded.history["reward"].tobytes()


def test_states_of_128_bits_are_compiled_and_longer_ones_are_learned_in_python_with_a_warning():
    widest, wider = replace(DOMINO, width=8, height=14), replace(DOMINO, width=8, height=15)
    assert_same(in_python(widest, episodes=3), learned(widest, episodes=3, compiled=True))
    with pytest.warns(SlowWarning, match="plain Python"):
        slow = learned(wider, episodes=2)
    assert not slow.compiled
    assert isinstance(slow.table, dict)
    with pytest.raises(InputError, match="states of 136 bits"):
        QLearning(wider, compiled=True)


def test_the_length_of_stretches_changes_nothing(monkeypatch):
    from tetriscourse.mdp.q_learning import table as q_table

    whole = learned(episodes=700)
    pieces = QLearning(DOMINO, episodes=700)
    while pieces.done < 700:
        pieces.advance(1 + pieces.done % 3)
    assert_same(whole, pieces)
    monkeypatch.setattr(q_table, "STEPS_OF_A_STRETCH", 50)
    monkeypatch.setattr(q_table, "EPISODES_OF_A_STRETCH", 7)
    assert_same(whole, learned(episodes=700))
    assert_same(learned(episodes=90, clock="step"), in_python(DOMINO, episodes=90, clock="step"))


def test_the_layers_can_take_turns():
    both = QLearning(DOMINO, episodes=90)
    while both.done < 90:
        both.episode()
        both.advance(min(2, 90 - both.done))
    assert_same(both, learned(episodes=90))


def test_the_table_is_a_mapping_from_states_to_values(domino):
    plain = dict(domino.table)
    assert len(plain) == len(domino.table)
    assert all(np.array_equal(domino.table[s], values) for s, values in plain.items())
    for unknown in (-1, 1 << 127, 1 << 200, "x"):
        assert unknown not in domino.table
        assert domino.table.get(unknown) is None


def test_the_table_grows_without_forgetting():
    q = QLearning(replace(DOMINO, width=6, height=6), episodes=4000, tau=0.0)
    room = len(q.table.arrays.states)
    q.learn(progress=False)
    assert len(q.table) > room
    assert len(set(q.table)) == len(q.table)
    assert_same(q, QLearning(replace(DOMINO, width=6, height=6), episodes=4000, tau=0.0).learn(progress=False))


# --- the history ----------------------------------------------------------------------------------


def test_the_history_has_about_200_points_that_are_means_of_all_episodes():
    q, every = QLearning(DOMINO, episodes=450), []
    while q.done < 450:
        before = q.steps, len(q.history)
        q.advance(1)
        every.append(q.steps - before[0])
    history = q.history
    assert history["episode"].tolist() == list(range(2, 451, 2))
    assert history["states"][-1] == len(q.table)
    assert history["epsilon"][0] == q.epsilon(2)
    counted = in_python(DOMINO, episodes=2)
    assert history["pieces"][0] == counted.history["pieces"].mean()


# --- runs that are stopped ------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [True, False])
def test_a_run_that_is_stopped_and_resumed_ends_like_one_that_was_not(tmp_path, compiled):
    changes, path = {"episodes": 60, "compiled": compiled, "tau": 0.05}, tmp_path / "run.npz"
    q = QLearning(DOMINO, **changes)

    def stop_soon():
        QLearning.advance(q, 7)
        if q.done >= 30:
            q.stop()

    q.advance = stop_soon
    assert q.learn(path, progress=False).done < 60
    resumed = QLearning(DOMINO, **changes).learn(path, progress=False, resume=True)
    assert_same(resumed, QLearning(DOMINO, **changes).learn(progress=False))
    longer = QLearning(DOMINO, **changes | {"episodes": 80}).learn(path, progress=False, resume=True)
    assert longer.done == 80
    assert_same_table(longer, QLearning(DOMINO, **changes | {"episodes": 80}).learn(progress=False))


def test_a_run_with_fading_steps_goes_on_with_its_visits(tmp_path):
    changes, path = {"fading": 0.6, "alpha": 1.0, "trace": 0.5}, tmp_path / "run.npz"
    for compiled in (True, False):
        QLearning(DOMINO, episodes=30, compiled=compiled, **changes).learn(path, progress=False)
        q = QLearning(DOMINO, episodes=60, compiled=compiled, **changes).learn(path, progress=False, resume=True)
        assert_same_table(q, QLearning(DOMINO, episodes=60, **changes).learn(progress=False))
        path.unlink()


def test_a_checkpoint_of_the_time_before_traces_belongs_to_a_run_without_them():
    assert not {"method", "trace", "reach", "fading"} & QLearning(DOMINO).description()["settings"].keys()
    assert QLearning(DOMINO, trace=0.5).description()["settings"]["trace"] == 0.5


def assert_same_table(one, two):
    assert list(one.table) == list(two.table)
    assert one.values().tobytes() == two.values().tobytes()


def test_a_checkpoint_belongs_to_its_rules_and_settings(tmp_path):
    path = tmp_path / "run.npz"
    QLearning(DOMINO, episodes=5).learn(path, progress=False)
    with pytest.raises(InputError, match=r"rules\.height is 4 there and 5 here"):
        QLearning(replace(DOMINO, height=5), episodes=5).learn(path, resume=True)
    with pytest.raises(InputError, match=r"settings\.alpha is 0\.1 there and 0\.2 here"):
        QLearning(DOMINO, episodes=5, alpha=0.2).learn(path, resume=True)


KILLED = """
import sys
from dataclasses import replace
import tetriscourse as tc
from tetriscourse import checkpoints
from tetriscourse.mdp.q_learning.learner import QLearning

checkpoints.SECONDS_BETWEEN_WRITES = 0.0
q = QLearning(replace(tc.RULES["domino"], width=4, height=4), episodes=100_000)
whole = q.advance
q.advance = lambda: whole(20)
q.learn(sys.argv[1], progress=False)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
def test_a_run_that_is_killed_goes_on_from_its_file(tmp_path):
    path = tmp_path / "run.npz"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)])
    wait_until(lambda: path.exists() and done_in(path) > 40)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = done_in(path)
    assert 40 < done < 100_000
    resumed = QLearning(DOMINO, episodes=100_000)
    resumed.restore(checkpoints.read(path)[1])
    whole = QLearning(DOMINO, episodes=100_000)
    while whole.done < done:
        whole.advance(min(done - whole.done, 13))
    assert_same(resumed, whole)
    resumed.advance(300)
    whole.advance(300)
    assert_same(resumed, whole)


def done_in(path):
    """Episodes in a checkpoint."""
    return int(checkpoints.read(path)[1]["counted"][0])


# --- playing --------------------------------------------------------------------------------------


def test_a_learned_table_plays_the_domino_and_an_empty_one_asks_chance(domino):
    game = domino.play(max_pieces=300)
    assert (game.pieces, game.unknown, game.lost) == (300, 0, False)
    assert game.points >= game.lines == 150
    empty = QLearning(DOMINO).play(seed=3)
    assert empty.lost
    assert empty.unknown == len(empty.commands)
    assert empty == QLearning(DOMINO).play(seed=3)
    assert empty != QLearning(DOMINO).play(seed=4)


def test_the_agent_plays_the_same_game_in_the_engine(domino, placing):
    for q in (domino, placing):
        game, commands, agent = q.play(max_pieces=40), [], q.agent()

        def recorded(engine, agent=agent, commands=commands):
            commands.append(agent(engine))
            return commands[-1]

        engine = Engine(recorded, DOMINO, max_blocks=40)
        engine.run()
        assert tuple(commands) == game.commands
        assert (engine.total_lines, engine.score) == (game.lines, game.points)
        assert agent.name == "q-learning"
        assert str(len(q.table)) in agent.describe


def test_placements_make_it_a_player_like_any_other(placing):
    rules = replace(DOMINO, max_pieces=50)
    game = tc.play_game(placing, rules)
    assert tuple(f"P:{move.column}:{move.orientation}" for move in game.moves) == placing.play(max_pieces=50).commands
    with pytest.warns(SlowWarning):
        scores = tc.simulate(placing, rules, games=2, progress=False)
    assert scores.pieces.tolist() == [50, 50]
    strict = QLearning(replace(DOMINO, losing_moves="refused", game_over="overflow"), actions="placements")
    assert strict.choose(Board.from_text("X.XX\n.XXX\n.XXX\n.XXX"), DOMINO.pieces[0]) is None


def test_who_asks_for_the_wrong_thing_is_told(domino, placing):
    with pytest.raises(InputError, match="only a table of 'placements'"):
        domino.choose(DOMINO.empty_board(), DOMINO.pieces[0])
    with pytest.raises(InputError, match="learned with width 4"):
        Engine(domino.agent(), tc.RULES["domino"]).step()
    with pytest.raises(InputError, match="learned with bag domino"):
        placing.choose(Board.empty(4, 4), tc.PIECES["O"], rules=tc.Rules(4, 4))
    with pytest.raises(InputError, match="state='grid'"):
        QLearning(DOMINO, state="differences").known_cells()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"alpha": 0}, "alpha is 0"),
        ({"gamma": 1.5}, "gamma is 1.5"),
        ({"epsilon_min": 0.5, "epsilon_max": 0.2}, "epsilon_max is 0.2; it must be a number at least 0.5"),
        ({"clock": "time"}, "allowed: episode, step"),
        ({"max_pieces": 0}, "max_pieces is 0"),
        ({"episode": 3}, "did you mean 'episodes'"),
        ({"settings": "fast"}, "it must be a QSettings"),
        ({"settings": 3}, "settings is 3; it must be a QSettings"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**63}, "seed is 9223372036854775808"),
        ({"rules": "dominos"}, "rules is 'dominos'; did you mean 'domino'"),
        ({"rules": replace(DOMINO, max_pieces=9)}, "max_pieces 9; it must be 0: set max_pieces in the settings"),
    ],
)
def test_bad_settings_are_named(wrong, message):
    with pytest.raises(InputError, match=message):
        QLearning(**({"rules": DOMINO} | wrong))


def test_help_explains_every_setting():
    said = pydoc.render_doc(QLearning)
    for one in fields(QSettings):
        assert f"{one.name}={one.default}: {one.metadata['text']}" in said


def test_no_repr_has_an_address(domino):
    assert repr(domino.agent()) == f"QAgent({domino!r})"
    assert "0x" not in repr(domino.agent())


def test_settings_can_be_given_whole_or_one_by_one():
    assert QLearning(DOMINO, QSettings(alpha=0.3), gamma=0.5).settings == QSettings(alpha=0.3, gamma=0.5)


@pytest.mark.parametrize("actions", ["commands", "placements"])
def test_known_cells_count_how_often_each_cell_is_full_in_states_with_a_value(actions):
    q = learned(actions=actions, episodes=400)
    rows = 6 if actions == "commands" else 4
    counted = np.zeros((6, 4), int)
    for s, values in q.table.items():
        for bit in range(rows * 4):
            counted[bit // 4, bit % 4] += bool(values.any()) and s >> bit & 1
    assert counted.any()
    assert np.array_equal(q.known_cells(), counted)


def test_the_known_cells_of_rounded_states_lack_the_left_columns():
    q = learned(replace(DOMINO, width=8, height=8), state="rounded", episodes=3000)
    known, counted = q.known_cells(), np.zeros((10, 8), int)
    for s, values in q.table.items():
        for k in range(80):
            counted[k % 10, k // 10] += bool(values.any()) and s >> k & 1
    assert np.array_equal(known, counted)
    assert known[0].argmin() == 0
    assert known[0, 0] < known[0, 7] / 2


def test_known_cells_are_drawn_in_greys_with_the_top_row_first(domino):
    lines = domino.known_cells_text().splitlines()
    assert len(lines) == 2 + 1 + 4 + 1
    assert "█" in lines[-2]
    assert {len(line) for line in lines} == {10}
    assert set(QLearning(DOMINO).known_cells_text()) == set(" |+-\n")


# --- proofs ---------------------------------------------------------------------------------------


def always(action, rules=DOMINO, **changes):
    """A learner that knows every state, and likes one action best in each."""

    class Everything(dict):
        def __contains__(self, s):
            return True

        def __missing__(self, s):
            return np.eye(q.env.action_count)[action]

    q = QLearning(rules, compiled=False, **changes)
    q.table = Everything()
    return q


def test_a_proof_is_a_cycle_that_the_real_engine_repeats(domino, placing):
    for q in (domino, placing):
        proof = prove_endless(q)
        assert proof
        engine = proof.replay()
        state = engine.board.bits, engine.position, engine.orientation
        rows, pieces = engine.total_lines, engine.blocks_played
        for _ in range(3):
            for command in proof.cycle:
                engine.play_command(command)
            assert (engine.board.bits, engine.position, engine.orientation) == state
        assert engine.total_lines - rows == 3 * proof.rows > 0
        assert engine.blocks_played - pieces == 3 * proof.pieces > 0
        assert proof.pieces * 2 == proof.rows * 4  # as many cells come as go
        assert q.play(max_pieces=2000).unknown == 0


def test_a_proof_says_in_a_line_what_it_found(domino):
    proof = prove_endless(domino)
    assert str(proof) == (
        f"plays without end: after {len(proof.before)} commands a cycle of {len(proof.cycle)} commands, "
        f"{proof.pieces} pieces, {proof.rows} row{'s' if proof.rows > 1 else ''}"
    )


def test_a_proof_speaks_of_placements_where_it_is_made_of_them(placing):
    said = str(prove_endless(placing))
    assert " placements, " in said
    assert "command" not in said


def test_a_table_that_only_drops_loses_and_has_no_proof():
    proof = prove_endless(always(COMMAND_ACTIONS.index("D")))
    assert not proof
    assert proof.pieces == 5
    assert str(proof) == "no proof: lost after 5 pieces"
    assert set(proof.before) == {"D"}
    with pytest.raises(InputError, match="nothing to replay"):
        proof.replay()


def test_an_empty_table_has_no_proof():
    commanding = prove_endless(QLearning(DOMINO))
    assert str(commanding) == "no proof: a state of which it knows nothing after 0 commands, 0 pieces"
    placing = prove_endless(QLearning(DOMINO, actions="placements"))
    assert placing.reason == "a state of which it knows nothing after 0 placements, 0 pieces"


def test_a_table_that_has_forgotten_one_state_of_its_cycle_has_no_proof(domino):
    q, proof = learned(episodes=3000), prove_endless(domino)
    env = TetrisEnv(DOMINO)
    env.reset()
    for command in (*proof.before, *proof.cycle[:-1]):
        env.step(COMMAND_ACTIONS.index(command))
    q.table[env.observation()][:] = 0
    broken = prove_endless(q)
    assert not broken
    assert broken.before == (*proof.before, *proof.cycle[:-1])
    assert broken.reason.startswith(f"a state of which it knows nothing after {len(broken.before)} command")


def test_with_two_pieces_nothing_is_proved_but_with_one_of_seven_it_is():
    several = QLearning(tc.Rules(4, 4), actions="placements")
    assert "not determined: it has 7 pieces" in str(prove_endless(several))
    squares = tc.Rules(4, 4, probabilities={"O": 1})
    q = learned(squares, actions="placements", episodes=500)
    proof = prove_endless(q)
    assert proof
    assert (proof.pieces, proof.rows) == (2, 2)
    assert proof.replay().board == squares.empty_board()


def test_a_state_that_only_looks_the_same_is_no_cycle():
    upright_in_column_0 = 4
    rules = replace(DOMINO, height=9)
    q = always(upright_in_column_0, rules, actions="placements", state="differences")
    env = TetrisEnv(rules, "placements", "differences")
    env.reset()
    seen = [env.step(upright_in_column_0)[0] for _ in range(3)]
    assert seen[0] == seen[1] == seen[2]
    assert prove_endless(q).reason == "lost after 5 pieces"


def test_a_rounded_state_that_comes_again_is_no_cycle_while_the_pile_grows():
    upright_in_column_0, rules = 8, replace(DOMINO, width=8, height=9)
    start = Board.from_text(".......X", height=9)
    q = always(upright_in_column_0, rules, actions="placements", state="rounded")
    env = TetrisEnv(rules, "placements", "rounded")
    seen = [env.reset(options={"board": start})[0], *(env.step(upright_in_column_0)[0] for _ in range(3))]
    assert seen == [2**77] * 4  # the cell on the right is number 77
    assert prove_endless(q, start).reason == "lost after 5 pieces"


def test_a_proof_with_rounded_states_is_a_cycle_of_the_true_game():
    q = learned(replace(DOMINO, width=8, height=8), state="rounded", episodes=5000, actions="placements")
    proof = prove_endless(q)
    game = proof.replay()  # which sees pile, piece and place, and no table
    before = game.board.bits
    for command in proof.cycle:
        game.play_command(command)
    assert game.board.bits == before
    assert proof.rows


def test_a_proof_with_wrong_commands_does_not_survive_its_replay(domino):
    good = prove_endless(domino)
    wrong = (
        replace(good, cycle=good.cycle[:-1]),
        replace(good, cycle=(*good.cycle, "N")),
        Proof(True, "", DOMINO, (), ("D",) * 50),
        replace(good, rules=replace(DOMINO, width=5)),
    )
    good.replay()
    for proof in wrong:
        with pytest.raises(InputError, match="the proof is wrong"):
            proof.replay()
    with pytest.raises(InputError, match="the cycle has no command"):
        replace(good, cycle=()).replay()


def test_a_proof_can_begin_from_any_board(domino):
    start = Board.from_text("X..X", height=4)
    proof = prove_endless(learned(episodes=3000, tau=0.0), start)
    assert not proof or proof.replay().is_running
    with pytest.raises(InputError, match="the rules are for 4x4"):
        prove_endless(domino, Board.empty(5, 4))
