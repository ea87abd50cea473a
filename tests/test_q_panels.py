"""The panels of Q-learning and deep Q-learning drive the library's own learners, and show what these did."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from waiting import wait_until

from tetriscourse.errors import InputError
from tetriscourse.game.engine import Engine
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.learner import DeepQ
from tetriscourse.mdp.deep_q.move_values import MoveValues
from tetriscourse.mdp.deep_q.replay import ReplayMemory, State
from tetriscourse.mdp.proofs import prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.mdp.q_learning.settings import QSettings
from tetriscourse.random_numbers import Draws
from tetriscourse.widgets.deciding import deep_q as deep_q_panel
from tetriscourse.widgets.deciding import q_learning as q_panel
from tetriscourse.widgets.deciding.deep_q import DeepQPanel
from tetriscourse.widgets.deciding.deep_scene import WatchedMemory, board_of, landing, scene_of
from tetriscourse.widgets.deciding.learner import film_data, proof_film, small_chart
from tetriscourse.widgets.deciding.q_learning import QLearningPanel

FOUR = replace(RULES["domino"], width=4, height=4)
SIX = replace(RULES["domino"], width=6, height=6)
QUICK = {"memory": 128, "hidden": (8,), "judge_every": 0, "record_every": 20}


def tell(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def same_state(one, other):
    """Whether two learners hold the same arrays, bit for bit."""
    a, b = one.state(), other.state()
    assert a.keys() == b.keys()
    for name in a:
        assert np.array_equal(a[name], b[name], equal_nan=True), name


def learned(rules, episodes, **changes):
    """The plain library after so many episodes."""
    learner = QLearning(rules, QSettings(episodes=10_000, **changes))
    while learner.done < episodes:
        learner.advance(episodes - learner.done)
    return learner


# --- Q-learning ----------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", ["commands", "placements"])
def test_n_steps_of_the_panel_are_the_same_episodes_of_the_library(actions):
    panel = QLearningPanel(SIX, episodes=300, actions=actions)
    panel.step(4)
    same_state(panel.learner, learned(SIX, 1200, actions=actions))
    assert panel.snapshot.done == 1200
    assert panel.snapshot.states == len(panel.learner.table)


def test_the_number_of_episodes_in_a_step_makes_no_difference():
    one, other = QLearningPanel(FOUR, episodes=10), QLearningPanel(FOUR, episodes=100)
    one.step(20)
    other.step(2)
    same_state(one.learner, other.learner)
    assert one.data["known"] == other.data["known"]
    tell(one, "episodes", "100")
    one.step()
    assert one.learner.done == 300


def test_reset_gives_the_same_run_again():
    panel = QLearningPanel(FOUR)
    panel.step(3)
    data = panel.data
    tell(panel, "reset")
    assert panel.learner.done == 0
    panel.step(3)
    assert panel.data == data
    assert panel.data == QLearningPanel(FOUR, steps=3).data


def test_sliders_take_effect_with_reset_and_the_panel_says_so():
    panel = QLearningPanel(FOUR, steps=1)
    for event, value in (("alpha", 0.5), ("gamma", "0.8"), ("tau", 0.002), ("epsilon_min", "0.1")):
        tell(panel, event, value)
        assert "Press Reset" in panel.data["hint"]["text"]
    panel.step()
    same_state(panel.learner, learned(FOUR, 200))
    tell(panel, "reset")
    assert "Press Reset" not in panel.data["hint"]["text"]
    panel.step()
    same_state(panel.learner, learned(FOUR, 100, alpha=0.5, gamma=0.8, tau=0.002, epsilon_min=0.1))


@pytest.mark.parametrize(
    ("event", "value", "message"),
    [
        ("alpha", 0, "alpha is 0"),
        ("alpha", "much", "alpha is 'much'"),
        ("gamma", 1.5, "gamma is 1.5"),
        ("tau", -1, "tau is -1"),
        ("epsilon_min", 2, "epsilon min is 2"),
        ("size", "20", "board is 20"),
        ("actions", "dance", "actions is 'dance'"),
        ("episodes", "0", "episodes at a time is 0"),
        ("prove", None, "the table is empty"),
    ],
)
def test_what_cannot_be_used_is_said_in_the_panel_and_changes_nothing(event, value, message):
    panel = QLearningPanel(FOUR)
    before = panel.settings, panel.rules, panel.episodes, panel.data
    tell(panel, event, value)
    assert panel.message["kind"] == "error"
    assert panel.message["text"].startswith(message)
    assert (panel.settings, panel.rules, panel.episodes, panel.data) == before


def test_menus_begin_anew_with_another_board_or_other_actions():
    panel = QLearningPanel(FOUR, steps=1)
    tell(panel, "size", "5")
    assert (panel.learner.done, panel.learner.rules.width, panel.learner.rules.height) == (0, 5, 5)
    tell(panel, "actions", "placements")
    assert panel.learner.settings.actions == "placements"
    panel.step()
    assert panel.snapshot.game.commands[0].startswith("P:")


def test_it_ends_with_the_last_episode():
    panel = QLearningPanel(FOUR, episodes=1000, settings=QSettings(episodes=1500))
    panel.step(5)
    assert panel.learner.done == 1500
    assert panel.is_over() == "all 1,500 episodes are played"
    assert panel.data["run"]["step"]["disabled"]


def test_the_map_and_the_curves_are_the_learners():
    panel = QLearningPanel(SIX, steps=3)
    by_row = ", ".join(f"{row:,}" for row in panel.learner.known_cells().sum(axis=1))
    assert by_row in panel.data["known"]["svg"]
    history = panel.snapshot.history
    assert history["episode"].tolist() == [50, 100, 150, 200, 250, 300]
    assert history["states"].tolist() == panel.learner.history["states"].tolist()
    tell(panel, "episodes", "10")
    panel.step()
    assert panel.snapshot.history["episode"].tolist()[-2:] == [300, 310]  # and what came since the last point


def test_what_cannot_be_mapped_is_left_out():
    panel = QLearningPanel(FOUR, steps=1, state="differences")
    assert panel.data["known"]["svg"] == ""
    assert not panel.message["text"]


# --- proofs and films ----------------------------------------------------------------------------


def test_a_proof_is_the_librarys_and_says_in_which_episode_it_was_found():
    panel = QLearningPanel(SIX)
    tell(panel, "stop", True)
    while not panel.proof and panel.learner.done < 5000:
        panel.step()
    assert panel.proof == prove_endless(panel.learner)
    assert panel.data["verdict"]["text"] == f"After {panel.learner.done:,} episodes: {panel.proof}."
    found, proof = panel.learner.done, panel.proof
    tell(panel, "stop", False)
    panel.step()
    assert panel.proof is proof
    assert f"After {found:,}" in panel.data["verdict"]["text"]
    tell(panel, "reset")
    assert panel.proof is None


def test_where_there_is_no_proof_the_reason_is_said():
    panel = QLearningPanel(SIX, steps=1)
    tell(panel, "prove")
    assert not panel.proof
    assert panel.data["verdict"]["text"] == f"After 100 episodes: {prove_endless(panel.learner)}."
    many = QLearningPanel(replace(RULES["tetrisbot"], width=4, height=4), steps=1)
    tell(many, "prove")
    assert "not determined" in many.data["verdict"]["text"]


def completed(frames):
    """The frames with the rows that are left out because they are as before."""
    rows = None
    for frame in frames:
        rows = frame.get("rows", rows)
        yield {**frame, "rows": rows}


def drawn(engine):
    """The rows and the piece of an engine, as a frame has them."""
    return engine.board.text(letters=True).splitlines()[::-1], [list(cell) for cell in engine.cells]


def test_the_film_of_a_proof_shows_each_state_of_the_engine_and_ends_where_the_cycle_began():
    proof = prove_endless(learned(SIX, 2200))
    assert proof
    film = proof_film(proof, SIX, "commands")
    frames, engine = list(completed(film["frames"])), Engine(None, SIX)
    for frame, command in zip(frames, (*proof.before, *proof.cycle), strict=False):
        assert (frame["rows"], frame["piece"]) == drawn(engine)
        engine.play_command(command)
    assert len(frames) == 1 + len(proof.before) + len(proof.cycle)
    first, last = frames[film["loop"]], frames[-1]
    assert (last["rows"], last["piece"]) == drawn(engine) == (first["rows"], first["piece"])


@pytest.mark.parametrize("actions", ["commands", "placements"])
def test_the_film_of_a_game_is_the_game_that_the_table_plays(actions):
    panel = QLearningPanel(SIX, steps=5, actions=actions)
    game = panel.learner.play(0, max_pieces=20)
    assert panel.snapshot.game == game
    frames = panel.data["game"]["frames"]
    assert len(frames) == 1 + len(game.commands)
    assert f"{game.pieces} pieces" in panel.data["game"]["caption"]


def test_a_film_of_placements_shows_each_piece_where_it_lands():
    frames = list(completed(film_data(FOUR, "placements", ["P:0:0", "P:2:0"])["frames"]))
    assert [sorted(map(tuple, frame["piece"])) for frame in frames] == [[(0, 0), (0, 1)], [(0, 2), (0, 3)], []]
    assert set("".join(frames[-1]["rows"])) == {"."}  # the row is full, and gone


# --- deep Q-learning -----------------------------------------------------------------------------


def test_n_steps_of_the_deep_panel_are_n_stretches_of_the_library():
    panel = DeepQPanel("domino", seed=3, **QUICK)
    plain = DeepQ(DominoGrid(6, 6), panel.settings, seed=3)
    panel.step(9)
    for _ in range(9):
        plain.advance()
    same_state(panel.learner, plain)
    assert panel.snapshot.t == plain.t == 7 * 64
    assert panel.snapshot.history["loss"].tolist() == plain.history["loss"].tolist()


def test_for_tetris_too_though_the_learner_is_made_in_the_first_step():
    changes = QUICK | {"hidden": (4,)}
    panel = DeepQPanel("tetris", **changes)
    assert panel.learner is None
    assert panel.data["board"]["height"] == 20
    plain = DeepQ(MoveValues(), panel.settings)
    panel.step(4)
    for _ in range(4):
        plain.advance()
    same_state(panel.learner, plain)
    tell(panel, "reset")
    assert panel.learner.t == 0


def test_a_longer_stretch_is_the_same_run():
    one, other = DeepQPanel(stretch=256, **QUICK), DeepQPanel(**QUICK)
    one.step(2)
    other.step(8)
    same_state(one.learner, other.learner)
    assert one.data["strip"] == other.data["strip"]


def test_reset_gives_the_same_deep_run_again():
    panel = DeepQPanel(**QUICK)
    panel.step(5)
    data = panel.data
    tell(panel, "reset")
    assert panel.learner.memory.count == 0
    panel.step(5)
    assert panel.data == data


def test_settings_of_the_deep_panel_take_effect_with_reset():
    panel = DeepQPanel(**QUICK)
    for event, value in (("rate", "0.005"), ("memory", "256"), ("batch", 16), ("target", False)):
        tell(panel, event, value)
        assert "Press Reset" in panel.data["hint"]["text"]
    assert panel.learner.settings.batch == 32
    tell(panel, "reset")
    settings = panel.learner.settings
    assert (settings.learning_rate, settings.memory, settings.batch, settings.target_network) == (0.005, 256, 16, False)
    panel.step(8)
    assert panel.learner.target is panel.learner.network
    assert "tc-mark" not in panel.data["loss"]["svg"]  # no refreshes without a second network


@pytest.mark.slow
def test_refreshes_are_drawn_as_long_as_they_can_be_told_apart():
    panel = DeepQPanel(**QUICK)
    every, drawn = panel.learner.settings.refresh, []
    while panel.learner.t <= 26 * every:
        panel.step()
        drawn.append((panel.snapshot.t, panel.data["loss"]["svg"].count("tc-mark")))
    for t, lines in drawn:
        refreshed = max(0, (t - 1) // every)
        assert lines == (refreshed if refreshed <= 24 else 0)
    assert max(lines for _, lines in drawn) > 15


@pytest.mark.parametrize(
    ("event", "value", "message"),
    [
        ("rate", 0, "learning rate is 0"),
        ("memory", "many", "memory is 'many'"),
        ("batch", "-3", "batch is -3"),
        ("problem", "chess", "problem is 'chess'"),
        ("stretch", "1", "steps at a time is 1"),
    ],
)
def test_bad_numbers_for_the_deep_panel_are_refused(event, value, message):
    panel = DeepQPanel(**QUICK)
    settings = panel.settings
    tell(panel, event, value)
    assert panel.message["text"].startswith(message)
    assert panel.settings == settings


@pytest.mark.slow
def test_a_run_that_ends_with_a_proof_shows_it(monkeypatch):
    panel = DeepQPanel(DominoGrid(4, 4), seed=0, memory=500, judge_every=500, max_pieces=200)
    for _ in range(200):
        if panel.is_over():
            break
        panel.step()
    assert panel.proof == prove_endless(panel.learner)
    assert panel.is_over() == str(panel.proof)
    assert panel.data["proof"]["loop"] == len(panel.proof.before)
    assert panel.data["run"]["start"]["disabled"]


def test_the_memory_is_shown_from_the_oldest_experience_on():
    panel = DeepQPanel(**QUICK)
    panel.step()
    memory = panel.learner.memory
    assert np.isnan(panel.snapshot.rewards).sum() == 64
    panel.step(4)
    oldest = memory.count % 128
    assert panel.snapshot.rewards.tolist() == [*memory.r[oldest:], *memory.r[:oldest]]
    assert np.array_equal(panel.snapshot.rewards[panel.snapshot.batch], memory.r[memory.drawn])
    assert len(panel.snapshot.batch) == panel.settings.batch


def test_a_watched_memory_gives_what_the_librarys_does_and_notes_what_it_drew():
    plain, watched = ReplayMemory(20, 1, 3, 2), WatchedMemory(20, 1, 3, 2)
    for k in range(30):
        state = State(np.full((1, 3), float(k)), np.ones(2, bool))
        for memory in (plain, watched):
            memory.add(state, k % 2, float(k), state, False)
    one, other = plain.sample(8, Draws(1, 2)), watched.sample(8, Draws(1, 2))
    assert one.r.tolist() == other.r.tolist() == watched.r[watched.drawn].tolist()
    assert len(set(one.r)) > 4


def test_the_bars_are_the_values_of_the_network_in_the_present_state():
    panel = DeepQPanel(**QUICK)
    panel.step(6)
    learner = panel.learner
    values = learner.values(learner.network, learner.s)
    assert panel.snapshot.scene.values.tolist() == values.tolist()
    engine = learner.problem.env.game.engine
    assert (panel.data["board"]["rows"], panel.data["board"]["piece"]) == drawn(engine)


def test_the_board_of_a_compiled_game_is_that_of_a_game_played_by_hand():
    learner = DeepQ(MoveValues(), memory=10)
    problem, chance = learner.problem, np.random.default_rng(5)
    board = problem.rules.empty_board()
    state = problem.start(7, 0)
    for _ in range(60):
        assert np.array_equal(board_of(problem.game).full, board.full)
        learner.s = state
        scene = scene_of(learner)
        assert len(scene.hint) == 4
        move = int(chance.integers(len(state.allowed)))
        cells = landing(problem.game, scene.piece, move)
        assert board.is_free(cells)
        board = board.with_cells(cells)
        board = board.without_rows(board.full_rows())
        state, _, _, lost = problem.act(move)
        if lost:
            break
    assert board.full.any()


# --- in the background ---------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: QLearningPanel(FOUR), lambda: DeepQPanel(**QUICK)])
def test_one_press_of_step_is_one_step_in_the_background(make):
    panel, plain = make(), make()
    plain.step()
    tell(panel, "step")
    wait_until(lambda: not panel.running and panel.data["status"] == plain.data["status"])
    same_state(panel.learner, plain.learner)
    assert not panel.data["run"]["start"]["disabled"]


def test_it_runs_as_long_as_the_page_shows_it_and_stops_when_told():
    panel, others = QLearningPanel(FOUR, episodes=10), set(threading.enumerate())
    tell(panel, "speed", "as fast as possible")
    tell(panel, "start")
    wait_until(lambda: panel.snapshot.done == 10)
    wait_until(lambda: panel.worker.waits_for_page)
    assert panel.snapshot.done == 10  # the page has not shown it yet
    wait_until(lambda: tell(panel, "shown", panel.version) or panel.snapshot.done >= 50)
    tell(panel, "pause")
    wait_until(lambda: set(threading.enumerate()) <= others)
    assert not panel.running
    same_state(panel.learner, learned(FOUR, panel.snapshot.done))


def test_a_step_that_a_reset_overtakes_leaves_no_trace(monkeypatch):
    others = set(threading.enumerate())
    panel, go_on, begun = QLearningPanel(FOUR), threading.Event(), threading.Event()
    stretch = QLearningPanel.stretch

    def slowly(self, learner):
        begun.set()
        go_on.wait(20)
        stretch(self, learner)

    monkeypatch.setattr(QLearningPanel, "stretch", slowly)
    tell(panel, "start")
    assert begun.wait(20)
    tell(panel, "prove")  # which must not wait for the step
    tell(panel, "reset")
    go_on.set()
    wait_until(lambda: set(threading.enumerate()) <= others)
    assert (panel.snapshot.done, panel.learner.done, panel.running) == (0, 0, False)
    monkeypatch.undo()
    panel.step()
    same_state(panel.learner, learned(FOUR, 100))


def test_a_proof_that_is_asked_for_while_it_learns_comes_with_the_next_step(monkeypatch):
    panel, go_on, begun = QLearningPanel(FOUR, steps=1), threading.Event(), threading.Event()
    stretch = QLearningPanel.stretch

    def slowly(self, learner):
        begun.set()
        go_on.wait(20)
        stretch(self, learner)

    monkeypatch.setattr(QLearningPanel, "stretch", slowly)
    tell(panel, "step")
    assert begun.wait(20)
    tell(panel, "prove")
    assert panel.proof is None
    go_on.set()
    wait_until(lambda: panel.proof is not None)
    assert panel.snapshot.proved_at == 200


@pytest.mark.parametrize(
    ("module", "make"),
    [(q_panel, lambda: QLearningPanel(FOUR)), (deep_q_panel, lambda: DeepQPanel("tetris", **QUICK))],
)
def test_that_it_compiles_is_said_in_the_panel_and_nothing_is_printed(module, make, monkeypatch, capfd):
    said = []

    @contextmanager
    def announced(name, tell):
        tell("Compiling ...")
        yield

    panel = make()
    panel.observe(lambda change: said.append(change["new"]["text"]), "message")
    monkeypatch.setattr(module, "announced", announced)
    panel.step()
    assert any(text.startswith("Compiling") for text in said)
    assert panel.message["text"] == ""
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_states_that_only_python_can_learn_give_a_hint_and_no_warning(recwarn):
    panel = QLearningPanel(replace(RULES["research"], width=10, height=20), actions="placements", episodes=1)
    panel.step()
    assert "plain Python" in panel.data["hint"]["text"]
    assert not recwarn.list
    assert panel.learner.done == 1


# --- what comes in and goes out ------------------------------------------------------------------


def test_what_is_sent_is_small_and_what_is_seen_first_is_always_the_same():
    panels = [QLearningPanel(RULES["domino"], episodes=1000, steps=3), DeepQPanel(memory=10_000, steps=3)]
    for panel in panels:
        assert len(str(panel.data)) < 60_000
    for make in (QLearningPanel, DeepQPanel, lambda: DeepQPanel("tetris")):
        one, other = make(), make()
        assert one.data == other.data
        assert repr(one) == repr(other)
        assert one._repr_mimebundle_()[0]["image/svg+xml"] == other._repr_mimebundle_()[0]["image/svg+xml"]


def test_bad_input_is_refused_when_the_panels_are_made():
    for wrong in ("tetriss", 5, None):
        with pytest.raises(InputError, match=r"^rules is"):
            QLearningPanel(wrong)
        with pytest.raises(InputError, match=r"^problem is"):
            DeepQPanel(wrong)
    with pytest.raises(InputError, match=r"^settings is"):
        QLearningPanel(settings=3)
    with pytest.raises(InputError, match=r"^setting is 'alfa'"):
        QLearningPanel(alfa=0.2)
    with pytest.raises(InputError, match=r"^stretch is 10"):
        DeepQPanel(stretch=10)


def test_a_small_chart_leaves_out_what_has_no_value():
    empty = small_chart("loss", "step", [], [], log=True)
    assert "nothing yet" in empty
    drawn_chart = small_chart("loss", "step", [1, 2, 3], [np.nan, 0.0, 5.0], log=True)
    assert "now 5." in drawn_chart
    assert "nan" not in drawn_chart
