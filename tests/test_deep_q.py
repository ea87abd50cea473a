"""Deep Q-learning: the algorithm against Bellman's equation, the compiled games against plain ones, runs resumed."""

from __future__ import annotations

import pydoc
from dataclasses import fields, replace
from math import exp, inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules, random_board

from tetriscourse import checkpoints
from tetriscourse.agents import EvaluatingAgent
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURE_SETS, as_feature_set
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import moves
from tetriscourse.game.rules import RESEARCH, RULES, PieceSequence, Rules
from tetriscourse.games import play_game
from tetriscourse.mdp.deep_q.afterstates import OF_A_BOARD, AfterstateValues
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid
from tetriscourse.mdp.deep_q.kernels import CompiledGame
from tetriscourse.mdp.deep_q.learner import DeepQ, DeepQSettings
from tetriscourse.mdp.deep_q.move_values import MoveValues, NetworkPlayer
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.replay import FIELDS, MAX_BYTES, ReplayMemory, State, check_size
from tetriscourse.mdp.environment import TetrisEnv
from tetriscourse.mdp.learning_loop import learn
from tetriscourse.mdp.proofs import prove_endless
from tetriscourse.random_numbers import Draws, derived_seed
from tetriscourse.simulator import simulate
from tetriscourse.simulator.encode import encode_board
from tetriscourse.simulator.layout import STATE_SIZE

FEW = settings(THOROUGH, max_examples=30)
OTHERS = as_feature_set(["constant", "hole_depth_sum", "sum_heights"])
SMALL = Rules(width=6, height=8)


class Corridor:
    """Five rooms in a row, with a way out at both ends; the one on the right gives 1."""

    name, standardised, rows, inputs, outputs, rules = "corridor", False, 1, 5, 2, Rules()

    def start(self, seed, episode):
        self.room = episode % 5
        return self.look()

    def look(self):
        return State(np.eye(5)[None, min(max(self.room, 0), 4)], np.full(2, 0 <= self.room < 5))

    def act(self, a):
        self.room += 2 * a - 1
        return self.look(), int(self.room == 5), True, not 0 <= self.room < 5

    def description(self):
        return {"name": self.name}

    def state(self):
        return {"room": np.array(self.room)}


class KnownCorridor(Corridor):
    """The same rooms, whose rewards are known: the network has an input for each place that a step leads to."""

    rows, inputs, outputs = 2, 7, 1

    def look(self):
        inside = 0 <= self.room < 5
        places = np.clip([self.room, self.room + 2], 0, 6)
        return State(np.eye(7)[places], np.full(2, inside), np.array([0.0, float(self.room == 4)]))


def corridor_values(gamma: float) -> np.ndarray:
    """Q* by Bellman's equation, again and again."""
    q = np.zeros((5, 2))
    for _ in range(200):
        v = q.max(axis=1)
        for room in range(5):
            q[room, 0] = gamma * v[room - 1] if room else 0.0
            q[room, 1] = gamma * v[room + 1] if room < 4 else 1.0
    return q


# --- the algorithm --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"double": True}, {"target_network": False}, {"train_every": 3}])
def test_with_one_input_for_each_state_it_finds_the_solution_of_bellmans_equation(changes):
    chosen = DeepQSettings(memory=300, steps=3000, refresh=50, hidden=(), learning_rate=0.02, max_pieces=30)
    learner = learn(DeepQ(Corridor(), chosen, seed=1, **changes))
    np.testing.assert_allclose(learner.network(np.eye(5)), corridor_values(0.9), atol=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, {"double": True}, {"loss": "huber"}])
def test_with_known_rewards_an_output_is_what_comes_after_the_reward(changes):
    chosen = DeepQSettings(memory=300, steps=3000, refresh=50, hidden=(), learning_rate=0.02, max_pieces=30)
    learner = learn(DeepQ(KnownCorridor(), chosen, seed=1, **changes))
    worth = 0.9 * corridor_values(0.9).max(axis=1)  # gamma V of each room; outside nothing comes any more
    np.testing.assert_allclose(learner.network(np.eye(7))[:, 0], [0, *worth, 0], atol=0.03)
    assert not learner.memory.r.any()  # nothing of the reward was left to learn


@pytest.mark.slow
def test_with_a_hidden_layer_it_finds_the_best_actions():
    chosen = DeepQSettings(memory=300, steps=2000, refresh=50, hidden=(16,), learning_rate=0.01, max_pieces=30)
    learner = learn(DeepQ(Corridor(), chosen, seed=2))
    np.testing.assert_array_equal(learner.network(np.eye(5)).argmax(axis=1), corridor_values(0.9).argmax(axis=1))


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize(
    "problem", [MoveValues(SMALL), AfterstateValues(SMALL), DominoGrid(4, 4)], ids=["moves", "boards", "domino"]
)
def test_a_step_follows_the_slope_of_the_squared_error_to_the_printed_target(problem, double):
    chosen = DeepQSettings(
        memory=60, batch=5, hidden=(6,), optimizer="gradient-descent", learning_rate=1e-3, double=double,
        reward_lost=-2.0, max_pieces=20,
    )  # fmt: skip
    learner = DeepQ(problem, chosen, seed=4)
    while not learner.memory.is_full:
        learner.fill()
    learner.target.theta += 0.1  # another network than the first
    E, outputs = learner.memory.sample(40, Draws(0, 0)), problem.outputs
    assert E.final.any()
    assert not E.final.all()
    if isinstance(problem, AfterstateValues):
        np.testing.assert_array_equal(E.r, np.where(E.final, -2.0, 0.0))  # rows are paid before the board is valued

    def outputs_of(network, x):
        return network(((x - learner.mean) / learner.sd)[None])[0]

    targets = []
    for j in range(40):
        choices = []
        for a in np.flatnonzero(E.allowed[j]):
            x = E.following[j, a // outputs]
            known = E.rewards[j, a]
            by_second, by_first = (known + outputs_of(n, x)[a % outputs] for n in (learner.target, learner.network))
            choices.append((by_first, by_second) if double else (by_second, by_second))
        targets.append(E.r[j] + (0.0 if E.final[j] else 0.9 * max(choices)[1]))

    def mean_error(theta):
        network = Network.from_theta(learner.network.sizes, theta)
        return np.mean([(outputs_of(network, E.x[j])[E.output[j]] - targets[j]) ** 2 for j in range(40)])

    before, h = learner.network.theta.copy(), 1e-6
    learner.descend(E)
    for i in np.random.default_rng(0).choice(len(before), 25, replace=False):
        step = np.zeros_like(before)
        step[i] = h
        slope = (mean_error(before + step) - mean_error(before - step)) / (2 * h)
        assert before[i] - learner.network.theta[i] == pytest.approx(1e-3 * slope, rel=1e-4, abs=1e-9)


def test_the_first_loop_fills_the_memory_with_random_play_and_learns_nothing():
    learner = DeepQ(Corridor(), DeepQSettings(memory=500, max_pieces=30), seed=3)
    start, counts = learner.network.theta.copy(), []
    while not learner.memory.is_full:
        learner.fill()
    np.testing.assert_array_equal(learner.network.theta, start)
    assert learner.t == 0
    counts = np.bincount(learner.memory.output)
    assert abs(counts - 250).max() < 45  # four standard deviations


def test_the_second_network_is_at_first_identical_and_then_follows_at_every_refreshing_only():
    learner = DeepQ(Corridor(), DeepQSettings(memory=50, refresh=10, max_pieces=30), seed=3)
    np.testing.assert_array_equal(learner.target.theta, learner.network.theta)
    while not learner.memory.is_full:
        learner.fill()
    for t in range(31):
        before = learner.network.theta.copy()
        was = learner.target.theta.copy()
        learner.step()
        np.testing.assert_array_equal(learner.target.theta, before if t % 10 == 0 else was)


def test_epsilon_falls_as_printed():
    learner = DeepQ(Corridor(), DeepQSettings(epsilon_min=0.1, epsilon_max=0.8, tau=0.01), seed=0)
    for t in (0, 1, 100):
        learner.t = t
        assert learner.epsilon == pytest.approx(0.1 + 0.7 * exp(-0.01 * t))


# --- the memory -----------------------------------------------------------------------------------


def experience(number: int) -> tuple[State, int, float, State, bool]:
    """An experience that can be told from others."""
    rows = np.arange(6.0).reshape(3, 2) + number
    return State(rows, np.ones(3, bool)), number % 3, float(number), State(-rows[:2], np.ones(2, bool)), number % 4 == 0


def test_the_memory_holds_the_last_experiences():
    memory = ReplayMemory(10, rows=3, inputs=2, outputs=1)
    for number in range(23):
        memory.add(*experience(number))
    assert sorted(memory.r.tolist()) == list(range(13, 23))
    for place, number in enumerate(memory.r.astype(int)):
        s, a, _, following, final = experience(number)
        np.testing.assert_array_equal(memory.x[place], s.rows[a])
        np.testing.assert_array_equal(memory.following[place, :2], following.rows)
        assert memory.allowed[place].tolist() == [True, True, False]
        assert memory.final[place] == final


def test_every_experience_is_drawn_equally_often():
    memory = ReplayMemory(8, rows=3, inputs=2, outputs=1)
    for number in range(8):
        memory.add(*experience(number))
    drawn = np.bincount(memory.sample(8000, Draws(1, 1)).r.astype(int))
    assert abs(drawn - 1000).max() < 4 * np.sqrt(1000)


def test_a_memory_that_is_too_large_is_refused_before_it_is_made():
    memory = ReplayMemory(10, rows=3, inputs=2, outputs=4)
    each = sum(getattr(memory, name).nbytes for name in FIELDS) // 10
    most = MAX_BYTES // each
    check_size(most, 3, 2, 4)
    with pytest.raises(InputError, match=f"memory is {most + 1}; .* 4.0 GB, .* at most {most} experiences"):
        check_size(most + 1, 3, 2, 4)
    with pytest.raises(InputError, match="memory is 10000000000; it would take "):
        DeepQ(Corridor(), memory=10**10)


def test_a_memory_that_is_not_full_gives_only_what_it_has():
    memory = ReplayMemory(1000, rows=3, inputs=2, outputs=1)
    for number in (5, 6):
        memory.add(*experience(number))
    assert set(memory.sample(100, Draws(1, 2)).r) == {5.0, 6.0}


# --- compiled games -------------------------------------------------------------------------------


@pytest.mark.slow
@FEW
@given(rules=any_rules(), seed=st.integers(0, 10**6), features=st.sampled_from([*FEATURE_SETS.values(), OTHERS]))
def test_the_listed_moves_have_the_features_of_the_definitions(rules, seed, features):
    game, rng = CompiledGame(rules, features), np.random.default_rng(seed)
    for number in range(2):
        board = random_board(rules, rng)
        game.template[:STATE_SIZE] = encode_board(board)
        game.start(seed, number)
        expected = moves(board, PieceSequence(rules, seed, number)[0], rules)
        assert game.count == len(expected)
        assert [(m.orientation, m.column, m.row, m.rows, m.loses) for m in expected] == [
            tuple(about[:5]) for about in game.about[: game.count].tolist()
        ]
        for row, move in zip(game.values, expected, strict=True):
            assert row.tolist() == features.values(move)


@pytest.mark.slow
@FEW
@given(
    rules=any_rules(max_pieces=15), seed=st.integers(0, 10**6), features=st.sampled_from(["tetrisbot", "dellacherie"]),
    paid=st.sampled_from([(0.0,) * 5, (0.0, 1.0, 4.0, 9.0, 16.0)]),
)
def test_a_network_plays_the_same_games_in_the_simulator_and_in_plain_python(rules, seed, features, paid):
    chosen = FEATURE_SETS[features]
    network = Network((chosen.size(rules.width), 7, 5, 1), seed)
    scaled = network.unscaled(np.full(network.sizes[0], 3.0), np.full(network.sizes[0], 9.0))
    player = NetworkPlayer(chosen, scaled, paid=paid)
    scores = simulate(player, rules, games=2, seed=seed, threads=1, progress=False)
    games = [play_game(player, rules, seed, number) for number in range(2)]
    found = zip(scores.lines, scores.pieces, scores.points, scores.finished, strict=True)
    assert list(found) == [(game.lines, game.pieces, game.points, game.lost) for game in games]
    piles = [int(move.after.heights.max()) for game in games for move in game.moves if not move.loses]
    np.testing.assert_array_equal(scores.heights, np.bincount(piles, minlength=len(scores.heights)))


def test_threads_share_the_games_and_change_nothing():
    player = NetworkPlayer(FEATURE_SETS["tetrisbot"], Network((4, 8, 1), 2))
    one, three = (simulate(player, SMALL, games=30, seed=5, threads=n, progress=False) for n in (1, 3))
    for name in ("lines", "pieces", "points", "finished", "heights"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))


def test_moves_that_are_taken_one_by_one_make_the_same_game():
    problem, rules = MoveValues(RESEARCH), RESEARCH
    state, board, pieces = problem.start(3, 1), rules.empty_board(), PieceSequence(rules, 3, 1)
    for position in range(60):
        listed = moves(board, pieces[position], rules)
        np.testing.assert_array_equal(
            state.rows, np.reshape([problem.features.values(move) for move in listed], (-1, 4))
        )
        if not listed:
            break
        a = position * 7 % len(listed)
        state, rows, _, lost = problem.act(a)
        assert rows == listed[a].rows
        board = listed[a].after
    assert lost


@pytest.mark.parametrize("scoring", ["lines", "squares"])
def test_a_state_knows_what_each_move_is_paid_and_shows_the_board_after_it(scoring):
    rules = Rules(width=4, height=8, scoring=scoring)
    problem, board, pieces, paid = AfterstateValues(rules), rules.empty_board(), PieceSequence(rules, 5, 0), set()
    state = problem.start(5, 0)
    for position in range(40):
        listed = moves(board, pieces[position], rules)
        assert state.rewards.tolist() == [rules.points(move.rows) for move in listed]
        np.testing.assert_array_equal(state.rows, [problem.features.values(move) for move in listed])
        paid |= set(state.rewards.tolist())
        a = max(range(len(listed)), key=lambda k: (listed[k].rows, -listed[k].row))
        board, (state, rows, _, lost) = listed[a].after, problem.act(a)
        assert rows == listed[a].rows
        if lost:
            break
    assert len(paid) > 1


def test_a_player_of_boards_adds_what_a_move_is_paid():
    indifferent = Network((6, 1), seed=None)  # every board is worth nothing
    problem = AfterstateValues(SMALL)
    board = SMALL.empty_board().with_cells([(0, column) for column in range(4)])
    candidates = moves(board, "O", SMALL)
    assert problem.player(indifferent).values(candidates) == [float(move.rows) for move in candidates]
    assert problem.player(indifferent).choose(board, "O", rules=SMALL).rows == 1
    assert MoveValues(SMALL, OF_A_BOARD).player(indifferent).choose(board, "O", rules=SMALL).rows == 0


# --- what is learned ------------------------------------------------------------------------------


def quick(problem: str, seed: int = 0, **changes) -> DeepQ:
    """A short run."""
    if problem in ("tetris", "boards"):
        small = {"memory": 1000, "steps": 400, "judge_every": 100, "judge_games": 3, "judge_pieces": 50}
        kind = MoveValues if problem == "tetris" else AfterstateValues
        return DeepQ(kind(SMALL), seed=seed, **(small | {"record_every": 50} | changes))
    small = {"memory": 300, "steps": 300, "judge_every": 100, "judge_pieces": 50, "batch": 8}
    return DeepQ(DominoGrid(5, 5), seed=seed, **(small | {"record_every": 50} | changes))


@pytest.mark.slow
def test_tetris_is_learned_in_a_few_thousand_steps():
    rules = Rules(width=6, height=12)
    learner = learn(DeepQ(MoveValues(rules), seed=1, steps=3_000, memory=2_000, tau=0.002, judge_every=1_000))
    untrained = learner.problem.judge(Network(learner.network.sizes, 9), 50, 5_000, seed=77)
    assert untrained < 3
    assert learner.problem.judge(learner.learned(), 50, 5_000, seed=77) > 15


@pytest.mark.slow
def test_the_domino_is_played_without_end_and_the_cycle_can_be_replayed():
    learner = learn(DeepQ(DominoGrid(4, 4), seed=1, memory=2_000, judge_every=500, steps=20_000))
    assert learner.best[0] == inf
    assert repr(learner).endswith(f"{learner.t:,} of 20,000 steps, {learner.episode:,} games, proved endless)")
    proof = learner.player().proof()
    assert proof
    assert proof.rows > 0
    proof.replay()  # raises if the commands do not lead back
    engine = Engine(learner.player(), learner.problem.rules, max_blocks=500)
    engine.run()
    assert engine.blocks_played == 500


def test_a_network_that_loses_gets_no_proof():
    grid = DominoGrid(4, 4)
    always_drop = Network((grid.inputs, grid.outputs))
    always_drop.theta[:] = 0.0
    always_drop.layers[0][1][2] = 1.0
    assert not grid.player(always_drop).proof()
    assert grid.judge(always_drop, 1, 100, 0) == 5  # four rows are full of dominoes that lie on each other
    assert grid.judge(always_drop, 1, 3, 0) == 3


def test_a_determined_game_is_followed_once_to_be_judged(monkeypatch):
    grid, steps, step = DominoGrid(4, 4), [], TetrisEnv.step
    monkeypatch.setattr(TetrisEnv, "step", lambda env, a: steps.append(a) or step(env, a))
    network = Network((grid.inputs, grid.outputs), 3)
    proof = grid.player(network).proof(max_pieces=50)
    once = len(steps)
    assert grid.judge(network, 1, 50, 0) == (inf if proof else proof.pieces)
    assert len(steps) == 2 * once


def test_a_game_of_several_pieces_is_judged_by_playing_it():
    grid = DominoGrid(4, 4, rules=RULES["tetrisbot"])
    network = Network((grid.inputs, grid.outputs), 3)
    engine = Engine(grid.player(network), grid.rules, seed=8, max_blocks=30)
    engine.run()
    assert grid.judge(network, 1, 30, 8) == engine.blocks_played > 0


def test_two_planes_tell_the_piece_from_the_pile_and_one_does_not():
    for planes in (1, 2):
        grid = DominoGrid(4, 4, planes=planes)
        state = grid.start(0, 0)
        for a in (2, 2):
            state = grid.act(a)[0]
        cells = state.rows.reshape(planes, 6, 4)
        assert cells.sum() == 6
        if planes == 2:
            np.testing.assert_array_equal(cells[0, :4], grid.env.board.full)
            assert cells[1].sum() == 2


def test_what_is_kept_is_the_best_judged_network():
    learner = learn(quick("tetris"))
    games, pieces = learner.settings.judge_games, learner.settings.judge_pieces
    again = learner.problem.judge(learner.learned(), games, pieces, derived_seed(learner.seed, 4))
    assert again == learner.history["judged"].max()
    unjudged = learn(quick("tetris", judge_every=0))
    np.testing.assert_array_equal(unjudged.learned().theta, unjudged.last().theta)


@pytest.mark.filterwarnings("error")
def test_a_run_that_diverges_goes_on_to_its_end():
    learner = learn(quick("tetris", target_network=False, optimizer="gradient-descent", learning_rate=10.0))
    assert learner.t == 400
    assert not np.isfinite(learner.network.theta).all()
    learner.learned()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("problem", ["tetris", "domino"])
@pytest.mark.parametrize("judge_every", [0, 100])
def test_a_network_that_has_diverged_is_no_player(problem, judge_every):
    learner = quick(problem, optimizer="gradient-descent", learning_rate=1e200, judge_every=judge_every)
    learn(learner)
    with pytest.raises(InputError, match=r"network has diverged.*try a smaller learning_rate"):
        learner.player()
    if judge_every:
        assert np.isnan(learner.history["judged"]).all()


def test_a_network_that_diverged_later_does_not_take_the_place_of_one_that_was_judged():
    learner = learn(quick("tetris", steps=100))
    kept = learner.learned().theta
    learner.network.theta[0] = np.nan
    learner.judge()
    np.testing.assert_array_equal(learner.player().network.theta, kept)


def test_a_player_whose_network_diverges_is_not_stored(tmp_path):
    player = NetworkPlayer(FEATURE_SETS["dellacherie"], Network((6, 8, 1), 2))
    player.network.theta[0] = np.nan
    with pytest.raises(InputError, match="network has diverged"):
        player.save(tmp_path / "player.npz")
    assert not any(tmp_path.iterdir())


def test_inputs_may_be_scaled_before_the_network_or_in_its_first_layer():
    rng = np.random.default_rng(0)
    network, mean, sd = Network((4, 8, 1), 3), rng.normal(size=4), rng.uniform(1, 3, 4)
    x, before = rng.normal(size=(20, 4)) * 5, network.theta.copy()
    np.testing.assert_allclose(network.unscaled(mean, sd)(x), network((x - mean) / sd), rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(network.theta, before)


def test_the_learned_player_plays_the_same_game_in_the_engine():
    rules = replace(RULES["tetrisbot"], width=6, height=10, max_pieces=40)
    learner = learn(quick("tetris"))
    player = learner.player("mine")
    engine = Engine(EvaluatingAgent(player), rules, seed=3)
    engine.run()
    game = play_game(player, rules, seed=3)
    assert player.name == "mine"
    assert (engine.blocks_played, engine.total_lines, engine.score) == (game.pieces, game.lines, game.points)


def test_a_stored_player_is_the_same_player(tmp_path):
    player = NetworkPlayer(FEATURE_SETS["dellacherie"], Network((6, 8, 1), 2), "stored", (0.0, 1.0, 4.0, 9.0, 16.0))
    player.save(tmp_path / "player.npz")
    again = NetworkPlayer.load(tmp_path / "player.npz")
    assert (again.name, again.features, again.network.sizes) == ("stored", player.features, (6, 8, 1))
    assert again.paid == player.paid
    np.testing.assert_array_equal(again.network.theta, player.network.theta)


# --- runs -----------------------------------------------------------------------------------------


def assert_same_state(one: DeepQ, other: DeepQ) -> None:
    here, there = one.state(), other.state()
    assert here.keys() == there.keys()
    for name in here:
        np.testing.assert_array_equal(here[name], there[name], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["tetris", "boards", "domino"])
def test_a_run_that_is_killed_at_any_time_and_resumed_ends_like_one_that_was_not(problem):
    whole = learn(quick(problem))
    for stretches in (1, 6, 14, 19):
        killed = quick(problem)
        for _ in range(stretches):
            killed.advance()
        stored = checkpoints.unpacked(checkpoints.packed(killed.state()))
        resumed = quick(problem)
        resumed.restore(stored)
        assert_same_state(resumed, killed)
        assert_same_state(learn(resumed), whole)


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["adam", "gradient-descent"])
def test_a_checkpoint_goes_on_and_a_raised_number_of_steps_too(tmp_path, optimizer):
    path = tmp_path / "run.npz"
    learn(quick("tetris", steps=200, optimizer=optimizer), path)
    longer = learn(quick("tetris", steps=400, optimizer=optimizer), path, resume=True)
    assert_same_state(longer, learn(quick("tetris", steps=400, optimizer=optimizer)))
    with pytest.raises(InputError, match="batch"):
        learn(quick("tetris", batch=9, optimizer=optimizer), path, resume=True)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_run_and_another_one_another():
    assert_same_state(learn(quick("domino")), learn(quick("domino")))
    assert (learn(quick("domino", seed=1)).network.theta != learn(quick("domino")).network.theta).any()


def test_the_history_has_an_entry_for_each_period():
    learner = learn(quick("tetris"))
    assert learner.history["steps"].tolist() == list(range(50, 401, 50))
    assert learner.history["judged_at"].tolist() == [100, 200, 300, 400]
    assert set(learner.history.names) == {
        "steps", "episodes", "epsilon", "loss", "q", "pieces", "lines", "judged_at", "judged",
    }  # fmt: skip
    assert np.isfinite(learner.history["loss"]).all()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gamma": 1.1}, "gamma is 1.1"),
        ({"learning_rate": 0}, "learning_rate is 0"),
        ({"epsilon_min": -1}, "epsilon_min is -1"),
        ({"batch": 0}, "batch is 0"),
        ({"hidden": (3, 0)}, "hidden is 0"),
        ({"hidden": 32}, "hidden is 32"),
        ({"double": "yes"}, "double is 'yes'; it must be True or False"),
        ({"optimizer": "adamm"}, "did you mean 'adam'"),
        ({"loss": "cubed"}, "loss is 'cubed'"),
        ({"judge_every": -1}, "judge_every is -1"),
        ({"epsilon_min": 0.5, "epsilon_max": 0.2}, "epsilon_max is 0.2; it must be a number at least 0.5"),
        ({"double": True, "target_network": False}, "double is True; it must be False with target_network=False"),
    ],
)
def test_a_setting_that_cannot_be_is_named(changes, said):
    with pytest.raises(InputError) as error:
        DeepQSettings(**changes)
    assert said in str(error.value)


def test_what_cannot_be_compiled_or_does_not_fit_is_named():
    with pytest.raises(InputError, match="allowed are those of the catalogue"):
        MoveValues(features=["holes", lambda move: 1.0])
    with pytest.raises(InputError, match="6 inputs"):
        NetworkPlayer(FEATURE_SETS["tetrisbot"], Network((6, 1))).compiled_table(RESEARCH)
    with pytest.raises(InputError, match="2 outputs"):
        NetworkPlayer(FEATURE_SETS["tetrisbot"], Network((4, 2)))
    with pytest.raises(InputError, match=r"features contains landing_height, which only a move has; allowed .* holes"):
        AfterstateValues(features="dellacherie")
    with pytest.raises(InputError, match=r"paid is \(0.0, 1.0\); it must have 5 numbers, for 0 to 4 rows"):
        NetworkPlayer(FEATURE_SETS["tetrisbot"], Network((4, 1)), paid=(0.0, 1.0))
    with pytest.raises(InputError, match="planes is 3"):
        DominoGrid(planes=3)
    with pytest.raises(InputError, match="did you mean 'batch'"):
        DeepQ(Corridor(), bacth=3)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: DeepQ("domino"), "problem is 'domino'; it must be a DominoGrid"),
        (lambda: DeepQ(Rules(4, 4)), "problem is Rules(width=4, height=4)"),
        (lambda: DeepQ(MoveValues), "problem is <class"),
        (lambda: DeepQ(Corridor(), settings=3), "settings is 3; it must be a DeepQSettings"),
        (lambda: DeepQ(Corridor(), seed=2**63), "seed is 9223372036854775808"),
        (lambda: MoveValues(rules=3), "rules is 3; it must be a Rules"),
        (lambda: DominoGrid(rules="x"), "rules is 'x'"),
        (lambda: prove_endless(DeepQ(MoveValues())), "it must be a QLearning, or a DeepQ on a DominoGrid"),
        (lambda: prove_endless(DeepQ), "learner is <class"),
        (lambda: prove_endless(3), "learner is 3; it must be a QLearning"),
    ],
)
def test_what_is_no_problem_and_no_rules_is_named(wrong, said):
    with pytest.raises(InputError) as error:
        wrong()
    assert said in str(error.value)


def test_help_explains_every_setting():
    said = pydoc.render_doc(DeepQ)
    for one in fields(DeepQSettings):
        assert f"{one.name}={one.default}: {one.metadata['text']}" in said


def test_no_repr_has_an_address():
    grid = DominoGrid(4, 4)
    agent = grid.player(Network((grid.inputs, grid.outputs), 1), "mine")
    assert repr(agent) == "GridAgent(DominoGrid(domino on 4x4), Network(48 - 6: 294 parameters), name='mine')"
