"""Learning policies: samples against the readable game, methods against exact values, runs that stop and resume."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.game.rules import GameOver, LosingMoves, PieceSequence
from tetriscourse.mdp.finite.process import decisions
from tetriscourse.mdp.finite.solving import evaluate_exactly, value_iteration
from tetriscourse.mdp.policies.finite_source import FiniteSource
from tetriscourse.mdp.policies.lambda_policy_iteration import LambdaPolicyIteration, corrections
from tetriscourse.mdp.policies.least_squares import LeastSquares, fit
from tetriscourse.mdp.policies.lspi import LSPI
from tetriscourse.mdp.policies.samples import CUT, GOES_ON, LOST, Policy, best_rows, discounted_sums
from tetriscourse.mdp.policies.tetris_source import TetrisSource

SMALL = tc.Rules(6, 8)
METHODS: dict[str, Any] = {
    "lambda-pi": (LambdaPolicyIteration, {"games": 5}),
    "lspi": (LSPI, {"moves": 300}),
}
QUICK = {"iterations": 4, "judge_games": 3, "judge_pieces": 200}


def learner(name: str, rules: Any = SMALL, seed: int = 3, **changes: Any) -> Any:
    """A short run of a method."""
    method, settings = METHODS[name]
    return method(rules, seed=seed, **(QUICK | settings | changes))


def board_of(cells: Any, rules: tc.Rules) -> tc.Board:
    """The board whose columns are these numbers."""
    rows = ["".join("X" if one >> r & 1 else "." for one in cells) for r in reversed(range(rules.height))]
    return tc.Board.from_text("\n".join(rows), height=rules.height)


# --- samples --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [SMALL, tc.RULES["tetrisbot"], replace(SMALL, game_over=GameOver.TOP_ROW, losing_moves=LosingMoves.ALLOWED)],
    ids=str,
)
@pytest.mark.parametrize("features", ["dt", "bertsekas"])
def test_samples_are_the_moves_of_the_readable_game(rules: tc.Rules, features: str) -> None:
    source = TetrisSource(rules, features)
    theta = np.sin(np.arange(source.dimension) + 1)
    D = source.sample(Policy(theta, 2.0, epsilon=0.2), seed=5, games=3, moves=150)
    game, position, following = 0, 0, None
    for k in range(len(D)):
        if D.ends[k] == CUT:
            continue
        pieces, board = PieceSequence(rules, 5, game), board_of(D.cells[k], rules)
        assert following is None or board == following
        assert D.pieces[k] == pieces.number(position)
        found, rows = tc.moves(board, pieces[position], rules), slice(D.offsets[k], D.offsets[k + 1])
        assert [move.rows for move in found] == D.all_rewards[rows].tolist()
        assert [source.features.values(move) for move in found] == D.all_phi[rows].tolist()
        game, position, following = (game + 1, 0, None) if D.ends[k] else (game, position + 1, None)
        if D.ends[k] == GOES_ON:
            chosen = found[D.chosen[k] - D.offsets[k]]
            assert D.rewards[k] == chosen.rows
            assert D.phi[k + 1].tolist() == source.features.values(chosen)
            following = chosen.after


def test_looking_only_at_chosen_moves_gives_the_same_games() -> None:
    source = TetrisSource("10x10", "dn")
    policy = Policy(np.array(tc.PLAYERS["dn"].weights))
    quick, full = (source.sample(policy, 1, 2, 1500, all_moves=every) for every in (False, True))
    for name in ("phi", "rewards", "ends", "cells", "pieces"):
        assert np.array_equal(getattr(quick, name), getattr(full, name))
    assert quick.moves == 1500


def test_the_games_of_a_greedy_policy_are_those_of_its_player() -> None:
    source = TetrisSource(SMALL, "bertsekas", constant=True)
    policy = Policy(source.start(), 1.0)
    D = source.sample(policy, 4, 10, 10**6, all_moves=False)
    played = tc.simulate(source.player(policy, "it"), SMALL, games=10, seed=4)
    assert D.games == 10
    assert D.rewards.sum() == played.lines.sum()
    assert D.moves == played.pieces.sum()


def test_a_softmax_policy_makes_each_move_as_often_as_it_should() -> None:
    source = TetrisSource(tc.Rules(4, 4, max_pieces=1), ["holes", "max_height"])
    D = source.sample(Policy(np.array([-0.5, -0.3]), softmax=True), 2, 20_000, 20_000)
    first = D.pieces == D.pieces[0]
    first &= D.ends == GOES_ON
    scores = D.all_phi[D.offsets[0] : D.offsets[1]] @ [-0.5, -0.3]
    expected = np.exp(scores) / np.exp(scores).sum()
    counted = np.bincount(D.chosen[first] - D.offsets[:-1][first], minlength=len(expected))
    n = counted.sum()
    assert abs(counted - n * expected).max() < 4 * np.sqrt(n / 4)
    assert ((counted - n * expected) ** 2 / (n * expected)).sum() < 2 * len(expected) + 20  # chi-square


def test_the_best_rows_are_found_in_each_stretch() -> None:
    scores, offsets = np.array([1.0, 3, 3, -2, 0, 7]), np.array([0, 3, 3, 4, 6, 6])
    assert best_rows(scores, offsets).tolist() == [1, -1, 3, 5, -1]
    assert best_rows(scores[:0], np.zeros(3, np.int64)).tolist() == [-1, -1]


def test_sums_are_discounted_to_the_end_of_each_game() -> None:
    x, ends = np.array([1.0, 2, 4, 8, 16]), np.array([GOES_ON, LOST, GOES_ON, GOES_ON, CUT])
    assert discounted_sums(x, ends, 0.5).tolist() == [2, 2, 4 + 4 + 4, 8 + 8, 16]


# --- least squares --------------------------------------------------------------------------------


def test_least_squares_in_parts_are_those_of_numpy() -> None:
    draw = np.random.default_rng(1)
    phi, y = draw.normal(size=(60, 5)), draw.normal(size=60)
    w = LeastSquares(5).add(phi[:20], y[:20]).add(phi[20:], y[20:]).solve()
    assert w == pytest.approx(np.linalg.lstsq(phi, y, rcond=None)[0])
    ridge = np.linalg.solve(phi.T @ phi + 60 * 0.3 * np.eye(5), phi.T @ y)
    assert fit(phi, y, ridge=0.3) == pytest.approx(ridge)


def test_of_many_solutions_the_shortest_is_taken() -> None:
    assert fit(np.array([[1.0, 1.0]]), np.array([4.0])) == pytest.approx([2, 2])


# --- on known truth -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone() -> tc.FiniteMDP:
    """The game of the piece L alone on 4x4: no chance, and it never has to end."""
    return tc.tetris_mdp(tc.Rules(4, 4, probabilities={"L": 1}), gamma=0.8)


@pytest.fixture(scope="module")
def three() -> Any:
    """The game of three pieces on 4x4."""
    return tc.tetris_mdp(tc.Rules(4, 4, probabilities={"T": 1, "S": 1, "L": 1}))


def board_values(source: FiniteSource, v: Any) -> Any:
    """The value of each board before its piece comes, from those of states."""
    p = np.diff(np.concatenate([[0.0], source.until]))
    return (np.append(v, 0)[source.state_of] @ p).ravel()


@pytest.mark.parametrize("lambda_", [0.0, 0.5, 1.0])
def test_with_a_value_for_each_board_lambda_policy_iteration_finds_the_optimum(alone: Any, lambda_: float) -> None:
    source = FiniteSource(alone, anywhere=True)
    found = LambdaPolicyIteration(
        source, lambda_=lambda_, gamma=0.8, games=6_000, moves=40_000, ridge=0.0, iterations=40, judge_games=0
    ).learn(progress=False)
    best, own = value_iteration(alone.mdp, 1e-10), evaluate_exactly(alone.mdp, found.player())
    assert abs(own.V - best.V).max() < 1e-6
    assert found.weights == pytest.approx(board_values(source, best.V), abs=1e-2)


def test_with_a_value_for_each_board_lspi_finds_the_optimum(alone: Any) -> None:
    source = FiniteSource(alone, anywhere=True)
    found = LSPI(
        source, basis="afterstates", gamma=0.8, epsilon=1.0, games=9_000, moves=150_000, ridge=1e-9, iterations=12,
        judge_games=0,
    ).learn(progress=False)  # fmt: skip
    best, own = value_iteration(alone.mdp, 1e-10), evaluate_exactly(alone.mdp, found.player())
    assert abs(own.V - best.V).max() < 1e-6


@pytest.mark.slow
def test_on_4x4_tables_learned_from_samples_play_nearly_as_well_as_can_be() -> None:
    game, best = tc.tetris_mdp("4x4"), tc.solve("4x4").start  # 7.0669 lines
    source = FiniteSource(game, anywhere=True)
    common = {"games": 10**6, "judge_games": 0, "ridge": 1e-9, "moves": 300_000}
    lspi = LSPI(source, basis="afterstates", gamma=1.0, epsilon=1.0, iterations=8, **common).learn(progress=False)
    steps = LambdaPolicyIteration(source, lambda_=0.5, iterations=15, **common).learn(progress=False)
    for found in (lspi, steps):
        value = game.value(evaluate_exactly(game.mdp, found.player()).V)  # 7.041 and 7.061
        assert 0.98 * best < value <= best + 1e-9


def visits(game: Any, pi: Any) -> Any:
    """How often a game comes to each state."""
    P = decisions(game.mdp, pi) @ game.mdp.T
    P = P.toarray()[1:, 1:]
    return np.append(0.0, np.linalg.solve((np.eye(len(P)) - P).T, game.start[1:]))


def two_features(source: FiniteSource) -> Any:
    """Holes-like numbers of each board that are no basis of its value: cells, height, 1."""
    cells = [int(board.full.sum()) for board in source.boards]
    return np.array([cells, [int(board.heights.max()) for board in source.boards], [1] * len(cells)], float).T


def test_with_few_features_a_whole_return_is_projected_onto_them(three: Any) -> None:
    phi = two_features(FiniteSource(three))
    source = FiniteSource(three, phi)
    found = LambdaPolicyIteration(source, lambda_=1.0, games=30_000, iterations=1, ridge=0.0, judge_games=0)
    pi = source.table(found.policy())
    found.learn(progress=False)
    states, V = visits(three, pi), evaluate_exactly(three.mdp, pi).V
    # The projection in the norm of the visits to each state, whose board has the features.
    root = np.sqrt(states)[:, None]
    r = np.linalg.lstsq(root * phi[source.board_of], root[:, 0] * V, rcond=None)[0]
    assert phi[source.board_of][states > 0.01] @ found.weights == pytest.approx(
        phi[source.board_of][states > 0.01] @ r, rel=0.03, abs=0.03
    )


def test_with_few_features_lstd_solves_the_projected_equation(three: Any) -> None:
    phi = two_features(FiniteSource(three))
    source = FiniteSource(three, phi)
    found = LSPI(source, basis="afterstates", gamma=0.8, moves=400_000, games=10**6, iterations=1, ridge=1e-9)
    pi = source.table(found.policy())
    found.learn(progress=False)
    # The same equation from the exact process: sum over states of visits phi(s, a) (phi(s, a) - gamma phi(s', a')).
    states, take = visits(three, pi), pi.argmax(axis=1)
    some = np.diff(source.offsets) > 0
    rows = source.offsets[:-1] + take
    x = np.zeros((len(states), 5))
    x[some] = np.column_stack([phi[source.after[rows[some]]], source.gain[rows[some]], np.ones(some.sum())])
    P = decisions(three.mdp, pi) @ three.mdp.T
    A = x.T @ (states[:, None] * (x - 0.8 * (P @ x)))
    w = np.linalg.lstsq(A, x.T @ (states * three.mdp.R[np.arange(len(take)), take] * some), rcond=None)[0]
    often = states > 0.01
    assert x[often] @ found.weights == pytest.approx(x[often] @ w, rel=0.03, abs=0.03)


def test_corrections_are_sums_of_temporal_differences() -> None:
    V, g = np.array([3.0, 1, 4, 1, 5]), np.array([2.0, 7, 1, 8, 2])
    ends, gamma, lambda_ = np.array([GOES_ON, GOES_ON, LOST, GOES_ON, CUT]), 0.9, 0.5
    d = [2 + 0.9 * 1 - 3, 7 + 0.9 * 4 - 1, 1 - 4, 8 + 0.9 * 5 - 1, 0]
    expected = [d[0] + 0.45 * d[1] + 0.45**2 * d[2], d[1] + 0.45 * d[2], d[2], d[3], 0]
    assert corrections(V, g, ends, gamma, lambda_) == pytest.approx(expected)


# --- runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_a_run_that_is_stopped_and_resumed_ends_with_the_same_bits(name: str, tmp_path: Any) -> None:
    whole = learner(name).learn(progress=False)
    part = learner(name, iterations=2).learn(tmp_path / "run.npz", progress=False)
    assert part.done == 2
    resumed = learner(name).learn(tmp_path / "run.npz", progress=False, resume=True)
    for one, two in zip(whole.state().values(), resumed.state().values(), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(two).tobytes()


@pytest.mark.parametrize("name", METHODS)
def test_an_iteration_that_is_interrupted_changes_nothing(name: str) -> None:
    run = learner(name)
    run.advance()
    before = run.state()
    run.stop()
    run.advance()
    assert all(np.array_equal(before[key], value) for key, value in run.state().items())
    assert run.learn(progress=False).done == 4


@pytest.mark.parametrize("name", METHODS)
def test_what_was_learned_is_a_player_that_plays_everywhere(name: str) -> None:
    run = learner(name).learn(progress=False)
    player = run.player()
    assert len(tc.simulate(player, SMALL, games=3)) == 3
    assert player.choose(tc.Board.empty(6, 8), "T") is not None
    best = tc.simulate(player, replace(SMALL, max_pieces=200), games=3, seed=run.judging_seed).mean
    assert best == run.history["judged"].max()


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"iterations": 0}, "iterations is 0; it must be a whole number of at least 1"),
        ({"rules": "two-piece"}, "rules has pieces_known 2"),
        ({"features": "nonsense"}, "features is 'nonsense'"),
        ({"nonsense": 1}, "setting is 'nonsense'"),
        ({"seed": -1}, "seed is -1"),
        ({"judge_games": 1.5}, "judge_games is 1.5"),
    ],
)
def test_bad_settings_are_refused_before_any_game(name: str, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(tc.InputError, match=words):
        METHODS[name][0](**({"rules": SMALL} | changes))
