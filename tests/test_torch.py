"""Deep Q-learning with PyTorch does what ours does; boards are seen cell by cell; PPO scores moves one by one.

Tests that need PyTorch are skipped where it is missing: pip install "tetriscourse[torch]".
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import THOROUGH, any_rules, random_board

import tetriscourse as tc
from tetriscourse.course.results import stored_table
from tetriscourse.errors import InputError
from tetriscourse.game.moves import moves
from tetriscourse.game.rules import PieceSequence
from tetriscourse.mdp.deep_q import in_torch
from tetriscourse.mdp.deep_q.afterstate_cells import AfterstateCells
from tetriscourse.mdp.deep_q.afterstates import AfterstateValues
from tetriscourse.mdp.deep_q.learner import DeepQSettings
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.deep_q.steady import SteadyDeepQ
from tetriscourse.simulator.encode import encode_board
from tetriscourse.simulator.layout import STATE_SIZE

SHORT = DeepQSettings(
    gamma=0.99, tau=0.01, refresh=20, steps=60, hidden=(8, 8), memory=200, max_pieces=50, judge_every=30, judge_games=3,
    judge_pieces=50, record_every=30,
)  # fmt: skip


@pytest.fixture
def torch():
    """PyTorch, or the test is skipped."""
    found = pytest.importorskip("torch")
    found.set_num_threads(1)
    return found


# --- boards seen cell by cell ---------------------------------------------------------------------


@THOROUGH
@given(rules=any_rules(), seed=st.integers(0, 10**6))
def test_cells_are_those_of_the_board_after_each_move(rules, seed):
    problem, board = AfterstateCells(rules), random_board(rules, np.random.default_rng(seed))
    problem.game.template[:STATE_SIZE] = encode_board(board)
    state = problem.start(seed, 3)
    candidates = moves(board, PieceSequence(rules, seed, 3)[0], rules)
    assert len(state.rows) == len(candidates)
    for row, paid, move in zip(state.rows, state.rewards, candidates, strict=True):
        np.testing.assert_array_equal(row.reshape(rules.height, rules.width), move.after.full[: rules.height])
        assert paid == rules.points(move.rows)


def lowest(boards):
    """Values of boards from their cells: the lower the better."""
    rows = boards.reshape(len(boards), -1, 6)
    return -(rows.sum(axis=2) @ np.arange(1, rows.shape[1] + 1)).reshape(-1, 1) / 7


def test_games_side_by_side_are_those_of_a_player_of_the_readable_layer():
    rules = tc.Rules(6, 8, max_pieces=40)

    def lines(game):
        board, cleared = rules.empty_board(), 0
        for number in range(40):
            candidates = moves(board, PieceSequence(rules, 5, game)[number], rules)
            if not candidates:
                break
            values = [one.rows + lowest(one.after.full[None, :8].astype(float))[0, 0] for one in candidates]
            move = candidates[int(np.argmax(np.rint(np.array(values) * 2.0**32)))]
            board, cleared = move.after, cleared + move.rows
        return cleared

    expected = [lines(game) for game in range(6)]
    problem = AfterstateCells(replace(rules, max_pieces=0))
    assert sorted(found for found, _ in problem.games(lowest, 6, 40, 5)) == sorted(expected)
    assert problem.judge(lowest, 6, 40, 5) == pytest.approx(np.mean(expected))
    assert sum(expected) > 0


def test_our_own_network_learns_from_cells_too():
    learner = SteadyDeepQ(AfterstateCells("5x5"), SHORT, seed=1).learn(progress=False)
    assert learner.network.sizes == (25, 8, 8, 1)
    assert len(learner.history["judged"]) == 2


# --- PyTorch's network, gradient and descent ------------------------------------------------------


def test_without_pytorch_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(in_torch, "torch", None)
    with pytest.raises(ImportError, match="pip install 'tetriscourse\\[torch\\]'"):
        in_torch.TorchDeepQ(AfterstateValues("5x5"))


def test_importing_the_course_does_not_import_pytorch():
    source = "import sys, tetriscourse as tc; tc.AfterstateValues, tc.DeepQ; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", source], check=True)


def test_outputs_and_gradient_are_ours(torch):
    ours, rng = Network((4, 9, 7, 2), seed=3), np.random.default_rng(0)
    x, y = rng.normal(size=(30, 4)), rng.normal(size=(30, 2))
    theirs = in_torch.same_network(ours)
    torch.nn.functional.mse_loss(theirs(torch.from_numpy(x)), torch.from_numpy(y)).backward()
    np.testing.assert_allclose(in_torch.TorchNetwork(theirs)(x), ours(x), rtol=0, atol=1e-12)
    slopes = [one.grad.numpy().T.ravel() for one in theirs.parameters()]
    np.testing.assert_allclose(np.concatenate(slopes), ours.backward(2 * (ours.forward(x) - y) / y.size), atol=1e-12)
    np.testing.assert_array_equal(in_torch.as_network(theirs).theta, ours.theta)


@pytest.mark.parametrize("changes", [{}, {"double": True}, {"target_network": False}, {"hidden": ()}])
def test_with_our_weights_and_our_rounding_it_is_the_same_run(torch, changes):
    chosen = replace(SHORT, **changes)
    ours = SteadyDeepQ(AfterstateValues("5x5"), chosen, seed=2).learn(progress=False)
    theirs = in_torch.TorchDeepQ(AfterstateValues("5x5"), chosen, seed=2, steady=True).learn(progress=False)
    np.testing.assert_array_equal(theirs.last().theta, ours.last().theta)
    assert theirs.history["judged"].tolist() == ours.history["judged"].tolist()


def test_all_parameters_are_one_array_and_a_copy_has_its_own(torch):
    network = in_torch.TorchNetwork(in_torch.convolutional(5, 6))
    other, boards = network.copy(), np.random.default_rng(0).random((4, 30))
    assert network(boards).shape == (4, 1)
    network.theta[:] = 0
    assert not network(boards).any()
    assert other(boards).any()
    other.theta[:] = network.theta
    assert not other(boards).any()
    assert network.is_finite
    network.theta[3] = np.nan
    assert not network.is_finite


def test_a_convolution_sees_the_same_thing_anywhere_until_the_last_layers(torch):
    windows = in_torch.convolutional(9, 9)[:5]
    board = np.zeros((2, 9, 9))
    board[0, 3, 3] = board[1, 5, 4] = 1
    with torch.no_grad():
        seen = windows(torch.from_numpy(board.reshape(2, 81).astype(np.float32))).numpy()
    np.testing.assert_allclose(seen[0, :, 1:6, 1:6], seen[1, :, 3:8, 2:7], atol=1e-6)


def test_it_learns_with_any_network_and_cannot_be_resumed(torch, tmp_path):
    learner = in_torch.TorchDeepQ(AfterstateCells("5x5"), SHORT, network=lambda: in_torch.convolutional(5, 5), seed=1)
    before = learner.network.theta.copy()
    learner.learn(tmp_path / "run.npz", progress=False)
    assert (learner.network.theta != before).any()
    assert learner.last() is learner.network
    with pytest.raises(InputError, match="resume is True"):
        learner.learn(tmp_path / "run.npz", progress=False, resume=True)


# --- PPO ------------------------------------------------------------------------------------------


@pytest.fixture
def ppo(torch, monkeypatch):
    """The script, with runs that are short."""
    pytest.importorskip("sb3_contrib")
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "benchmarks"))
    script = import_module("gym_ppo")
    monkeypatch.setitem(script.TASKS, "5x5", replace(script.TASKS["5x5"], steps=4096, games=20))
    return script


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [(32, 32), ()])
def test_the_most_probable_action_is_the_move_of_the_network_player(ppo, hidden):
    kind = ppo.of_moves("dellacherie", hidden)
    learner = ppo.learned("5x5", kind, 0)

    def choose(seen, masks):
        return learner.predict(seen, action_masks=masks, deterministic=True)[0]

    played = ppo.lines("5x5", kind, choose)
    assert abs(played - ppo.simulated("5x5", ppo.player_of(learner, kind))).sum() <= 2  # ties, in 32 bits and in 64


@pytest.mark.slow
def test_what_a_move_is_worth_does_not_depend_on_its_number(ppo, torch):
    kind = ppo.TASKS["5x5"].kinds["features move by move"]
    scores = ppo.learned("5x5", kind, 0).policy.mlp_extractor
    seen = ppo.made("5x5", kind, 8).reset(seed=1)[0]
    order = np.random.default_rng(0).permutation(seen.shape[1])
    with torch.no_grad():
        actor, critic = scores(torch.from_numpy(seen.reshape(8, -1)))
        other, again = scores(torch.from_numpy(seen[:, order].reshape(8, -1)))
    np.testing.assert_allclose(actor.numpy()[:, order], other.numpy(), atol=1e-5)
    np.testing.assert_allclose(critic.numpy(), again.numpy(), atol=1e-4)


# --- what the appendix says of the stored tables ----------------------------------------------------


def runs(learner, board="10x10"):
    """A row of the table: the lines of each run."""
    rows = stored_table("deep-q-torch").rows
    return next(row for row in rows if (row["learner"], row["board"]) == (learner, board))


def ppo_means(name, kind):
    """The means of all runs of a kind."""
    return [row["mean"] for row in stored_table(name).rows if re.fullmatch(rf".*, {kind}, seed \d", row["player"])]


def test_every_run_is_stored(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "benchmarks"))
    kinds = import_module("torch_figures").KINDS
    for name, kind in kinds.items():
        for board, seeds in kind.seeds.items():
            assert runs(name, board)["seeds"] == list(range(seeds))


def test_with_our_weights_the_stored_runs_are_ours_which_are_those_of_chapter_12():
    ours, same = runs("ours"), runs("PyTorch, our weights, rounded")
    chapter = next(row for row in stored_table("deep-q-features").rows if row["name"] == "boards: DN's six, heights")
    assert ours["lines"] == chapter["last_lines"]
    for column in ("lines", "curves"):
        assert same[column] == ours[column][: len(same[column])]
    assert not set(runs("PyTorch as usual")["lines"]) & set(ours["lines"])


def test_a_convolution_is_ahead_of_dense_layers_and_of_our_features_in_each_of_its_runs():
    window, dense, ours = (runs(name, "5x5") for name in ("convolution", "dense layers", "ours"))
    assert max(dense["lines"]) < min(ours["lines"]) < max(ours["lines"]) < min(window["lines"])
    assert 1 < window["mean"] - dense["mean"] < 1.6
    assert window["mean"] / 13.7 == pytest.approx(5 / 6, abs=0.02)
    assert 2 < window["milliseconds"] / dense["milliseconds"] < 2.6
    assert 7 < window["milliseconds"] / ours["milliseconds"] < 9
    assert 2 < runs("PyTorch as usual")["milliseconds"] / runs("ours")["milliseconds"] < 3


def test_ppo_that_scores_moves_one_by_one_is_ahead_of_ppo_that_sees_them_side_by_side():
    rows = {row["player"]: row for row in stored_table("gym-ppo").rows}
    single = [row for name, row in rows.items() if "move by move" in name]
    beside = [row for name, row in rows.items() if ", features, seed" in name]
    assert len(single) == len(beside) == 3
    assert max(row["high"] for row in beside) < min(row["low"] for row in single)
    for name in ("dellacherie", "dn"):
        assert all(row["low"] < rows[name]["high"] and rows[name]["mean"] < row["mean"] for row in single)
    assert all(0.8 < row["share"] < 0.83 for row in single)


def test_what_ppo_makes_of_10x10():
    network, small, large, longer = (
        ppo_means("gym-ppo-10x10", f"features {kind}")
        for kind in ("move by move", "in a sum", r"in a sum, steps of 0\.01", r"in a sum, steps of 0\.01, longer")
    )
    rows = {row["player"]: row for row in stored_table("gym-ppo-10x10").rows}
    assert {len(some) for some in (network, small, large, longer)} == {3}
    assert 3 < max(network) / min(network) < 4
    assert np.mean(large) / np.mean(small) == pytest.approx(7, abs=0.5)
    assert rows["dellacherie"]["mean"] < min(longer) < max(longer) < 3829 < rows["dn"]["mean"]
    assert np.mean(longer) / rows["dn"]["mean"] == pytest.approx(2 / 3, abs=0.05)
    searches = {row["name"]: row["lines"] for row in stored_table("deep-q-rivals").rows if is_rich(row)}
    assert max(longer) < min(searches["cross-entropy"])
    assert 0.05 < rows["random legal placements"]["mean"] < 0.15


def is_rich(row):
    """Whether a search had DN's eight features and a million moves."""
    return (row["features"], row["moves"]) == ("DN's eight", 10**6)
