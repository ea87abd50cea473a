"""Learning policies: samples against the readable game, methods against exact values, runs that stop and resume."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, eye_array
from strategies import THOROUGH

import tetriscourse as tc
from tetriscourse.game.rules import GameOver, LosingMoves, PieceSequence
from tetriscourse.mdp.finite.process import decisions
from tetriscourse.mdp.finite.solving import evaluate_exactly, value_iteration
from tetriscourse.mdp.policies.classification import CBMPI, DPI, classifier, losses, regrets
from tetriscourse.mdp.policies.finite_source import FiniteSource
from tetriscourse.mdp.policies.fitted_value_iteration import FittedValueIteration
from tetriscourse.mdp.policies.lambda_policy_iteration import LambdaPolicyIteration, corrections
from tetriscourse.mdp.policies.least_squares import LeastSquares, fit
from tetriscourse.mdp.policies.linear_programming import LinearProgramming, solve_program
from tetriscourse.mdp.policies.lspi import LSPI
from tetriscourse.mdp.policies.metered import BudgetSpent, MeteredSource
from tetriscourse.mdp.policies.policy_gradient import (
    PolicyGradient,
    advantages,
    expected_uphill,
    fisher,
    gradients,
    log_gradients,
    probabilities,
    softmax,
    stepped,
    uphill,
)
from tetriscourse.mdp.policies.samples import (
    CUT,
    GOES_ON,
    LOST,
    Policy,
    RolloutPlan,
    Samples,
    Valued,
    best_rows,
    choices,
    discounted_sums,
)
from tetriscourse.mdp.policies.tetris_source import TetrisSource

SMALL = tc.Rules(6, 8)
METHODS: dict[str, Any] = {
    "lambda-pi": (LambdaPolicyIteration, {"games": 5}),
    "lspi": (LSPI, {"moves": 300}),
    "dpi": (DPI, {"states": 40, "search": 5}),
    "cbmpi": (CBMPI, {"states": 40, "search": 5}),
    "natural-gradient": (PolicyGradient, {"moves": 200}),
    "reinforce": (PolicyGradient, {"moves": 200, "direction": "gradient"}),
    "linear-programming": (LinearProgramming, {"states": 60}),
    "value-iteration": (FittedValueIteration, {"moves": 200}),
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


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
def test_looking_only_at_chosen_moves_gives_the_same_games(epsilon: float) -> None:
    source = TetrisSource("10x10", "dn")
    policy = Policy(np.array(tc.PLAYERS["dn"].weights), epsilon=epsilon)
    quick, full = (source.sample(policy, 1, 2, 1500, all_moves=every) for every in (False, True))
    for name in ("phi", "rewards", "ends", "cells", "pieces"):
        assert np.array_equal(getattr(quick, name), getattr(full, name))
    assert quick.moves == (1500 if epsilon == 0 else full.moves)


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


def test_choices_are_the_best_rows_of_the_scores() -> None:
    draw = np.random.default_rng(3)
    phi, theta, offsets = draw.normal(size=(50, 3)), draw.normal(size=3), np.array([0, 7, 7, 20, 50])
    assert choices(phi, theta, offsets).tolist() == best_rows(phi @ theta, offsets).tolist()
    assert choices(csr_array(phi), theta, offsets).tolist() == best_rows(phi @ theta, offsets).tolist()


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


# --- budgets --------------------------------------------------------------------------------------


def test_a_meter_counts_the_moves_that_a_learner_counts_and_changes_nothing() -> None:
    metered = MeteredSource(SMALL, "dt", 10**6)
    found = [
        DPI(source, states=40, search=5, iterations=3, judge_games=0, seed=4).learn(progress=False)
        for source in (metered, TetrisSource(SMALL, "dt"))
    ]
    assert found[0].weights.tolist() == found[1].weights.tolist()
    assert metered.moves == found[0].moves > 0


def test_beyond_a_budget_nothing_is_played() -> None:
    source = MeteredSource(SMALL, "dt", 1000)
    policy = Policy(source.start())
    assert source.sample(policy, 1, 10**6, 10**6, all_moves=False).moves == 1000
    with pytest.raises(BudgetSpent, match="all are played"):
        source.sample(policy, 1, 1, 10)
    source = MeteredSource(SMALL, "dt", 1000)
    states = source.sample(policy, 1, 100, 100, all_moves=False)
    before = source.moves
    with pytest.raises(BudgetSpent):
        source.roll_out(states, RolloutPlan(policy, 10, 1, 1.0, 1, np.zeros(source.critic_dimension)))
    assert before == 100
    assert source.left == 0


def test_judgements_count_the_pieces_of_their_games() -> None:
    source = MeteredSource(SMALL, "dt", 10**6)
    policy = Policy(source.start())
    mean = source.judge(policy, 5, 200, 3)
    played = tc.simulate(source.player(policy, "it"), replace(SMALL, max_pieces=200), games=5, seed=3)
    assert (mean, source.moves) == (played.mean, played.pieces.sum())


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


@pytest.fixture(scope="module")
def squares() -> tc.FiniteMDP:
    """The game of the piece O alone on 4x4, which has so few boards that a policy can be a weight for each."""
    return tc.tetris_mdp(tc.Rules(4, 4, probabilities={"O": 1}), gamma=0.8)


@pytest.mark.parametrize(("method", "horizon"), [(DPI, 40), (CBMPI, 0), (CBMPI, 2)])
def test_with_a_weight_for_each_board_classification_finds_the_optimum(squares: Any, method: Any, horizon: int) -> None:
    source = FiniteSource(squares, anywhere=True)
    found = method(
        source, states=200, spacing=3, epsilon=0.5, horizon=horizon, gamma=0.8, iterations=30, search=40, sigma=1.0,
        ridge=1e-9, judge_games=0,
    ).learn(progress=False)  # fmt: skip
    best, own = value_iteration(squares.mdp, 1e-10), evaluate_exactly(squares.mdp, found.player())
    assert abs(own.V - best.V).max() < 1e-6


def test_rollouts_are_those_of_the_simulator() -> None:
    source, board = TetrisSource(SMALL, "dellacherie"), tc.Board.from_text("X.....\nXX..XX\nXX.XXX", height=8)
    theta = np.array(tc.PLAYERS["dellacherie"].weights)
    cells = np.array([[sum(1 << r for r in range(8) if board.full[r, c]) for c in range(6)]])
    state = replace(source.sample(Policy(theta), 1, 1, 1, all_moves=False), cells=cells, pieces=np.array([2]))
    one = replace(state, phi=state.phi[:1], rewards=state.rewards[:1], ends=state.ends[:1])
    found = source.roll_out(one, RolloutPlan(Policy(theta), 7, 5, 1.0, 9, np.zeros(source.critic_dimension)))
    same = tc.rollouts("dellacherie", board, SMALL.pieces[2], SMALL, games=5, moves=7, seed=9)
    assert found.all_rewards + found.after == pytest.approx(same.means)
    moves = tc.moves(board, SMALL.pieces[2], SMALL)
    assert found.all_phi.tolist() == [source.features.values(move) for move in moves]
    assert found.critic.shape == (1, source.critic_dimension)


def test_a_critic_values_the_board_on_which_a_rollout_stops() -> None:
    source = TetrisSource("10x10", "bertsekas", critic=["column_heights", "holes", "constant"])
    states = source.sample(Policy(source.start()), 1, 1, 12, all_moves=False)
    start = Policy(source.start())
    v = np.append(np.arange(10.0), [-2, 3])
    at_once = source.roll_out(states, RolloutPlan(start, 0, 3, 0.9, 1, v))
    row = 0
    for k in range(12):
        board, piece = board_of(states.cells[k], source.rules), source.rules.pieces[states.pieces[k]]
        for move in tc.moves(board, piece, source.rules):
            assert at_once.after[row] == pytest.approx(np.dot(source.critic.values(move), v))
            row += 1
        assert at_once.critic[k].tolist() == [*board.heights, *at_once.critic[k, 10:11], 1]
    constant, rows = (
        source.roll_out(states, RolloutPlan(start, 4, 3, 0.5, 1, np.append(np.zeros(11), last))).after
        for last in (3, 0)
    )
    assert constant - rows == pytest.approx(np.full(len(rows), 3 * 0.5**4))  # none of these games is lost


def test_the_loss_is_what_wrong_choices_cost_and_the_classifier_makes_it_small() -> None:
    draw = np.random.default_rng(2)
    phi, offsets = draw.normal(size=(3000, 4)), np.arange(0, 3001, 10)
    theta = np.array([1.0, -2, 0.5, 0])
    Q = phi @ theta
    valued = Valued(offsets, phi, np.zeros(3000), Q, phi)
    blind = np.array([0.0, 0, 0, 1])
    by_hand = np.mean([Q[k : k + 10].max() - Q[k + phi[k : k + 10, 3].argmax()] for k in range(0, 3000, 10)])
    assert losses(regrets(Q, offsets), valued, np.array([blind, theta])) == pytest.approx([by_hand, 0])
    found = classifier(Q, valued, blind, tc.CMAES(4, normalise=True, iterations=40, seed=1), lambda: False)
    assert losses(regrets(Q, offsets), valued, found[None])[0] < 0.01 * by_hand


def test_a_critic_sees_boards_and_no_moves() -> None:
    with pytest.raises(tc.InputError, match="critic contains landing_height"):
        TetrisSource(SMALL, "dt", critic="dellacherie")


def test_corrections_are_sums_of_temporal_differences() -> None:
    V, g = np.array([3.0, 1, 4, 1, 5]), np.array([2.0, 7, 1, 8, 2])
    ends, gamma, lambda_ = np.array([GOES_ON, GOES_ON, LOST, GOES_ON, CUT]), 0.9, 0.5
    d = [2 + 0.9 * 1 - 3, 7 + 0.9 * 4 - 1, 1 - 4, 8 + 0.9 * 5 - 1, 0]
    expected = [d[0] + 0.45 * d[1] + 0.45**2 * d[2], d[1] + 0.45 * d[2], d[2], d[3], 0]
    assert corrections(V, g, ends, gamma, lambda_) == pytest.approx(expected)


def test_with_a_value_for_each_board_value_iteration_finds_the_optimum(alone: Any) -> None:
    source = FiniteSource(alone, anywhere=True)
    found = FittedValueIteration(source, gamma=0.8, epsilon=1.0, moves=20_000, ridge=0.0, iterations=40, judge_games=0)
    found.learn(progress=False)
    best, own = value_iteration(alone.mdp, 1e-10), evaluate_exactly(alone.mdp, found.player())
    assert abs(own.V - best.V).max() < 1e-6
    assert found.weights == pytest.approx(board_values(source, best.V), abs=1e-2)


# --- policy gradients -----------------------------------------------------------------------------


def test_psi_is_the_slope_of_the_logarithm_of_the_probability() -> None:
    source = TetrisSource(SMALL, "dellacherie")
    theta = np.array([-0.3, 0.1, -0.2, -0.3, -0.5, 0.2])
    D = source.sample(Policy(theta, softmax=True), 3, 5, 60)
    psi, made, h = gradients(D, theta), D.chosen >= 0, 1e-5
    for i in range(6):
        step = h * np.eye(6)[i]
        up, down = (np.log(probabilities(D, theta + one)[D.chosen[made]]) for one in (step, -step))
        assert psi[made, i] == pytest.approx((up - down) / (2 * h), abs=1e-7)
    assert not psi[~made].any()


@pytest.fixture(scope="module")
def uphills(three: Any) -> Any:
    """A softmax policy of three features, the exact slope of its value, and games that it played."""
    source = FiniteSource(three, two_features(FiniteSource(three)) / 4)
    theta, h = np.array([-0.8, -1.0, 0.0]), 1e-4

    def value(at: Any) -> float:
        return float(three.value(evaluate_exactly(three.mdp, source.table(Policy(at, softmax=True))).V))

    slope = np.array([(value(theta + h * one) - value(theta - h * one)) / (2 * h) for one in np.eye(3)])
    return theta, slope, source.sample(Policy(theta, softmax=True), 7, 40_000, 10**9)


def test_the_gradient_is_the_slope_of_the_exact_value(uphills: Any) -> None:
    theta, slope, D = uphills
    psi, made = gradients(D, theta), D.chosen >= 0
    found = uphill(psi[made], advantages(D, 1.0, 1e-6)[made], "gradient", 0.0)
    assert found * made.sum() / D.games == pytest.approx(slope, rel=0.05, abs=0.01)


@st.composite
def one_state(draw: Any, most: int = 6) -> tuple[Any, Any]:
    """Features of the moves of a state, and weights."""
    n, d = draw(st.integers(1, most)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.normal(size=(n, d)), rng.normal(size=d)


def slopes(f: Any, theta: Any, h: float = 1e-5) -> Any:
    """The derivatives of f by each weight, from differences."""
    return np.array([(f(theta + h * e) - f(theta - h * e)) / (2 * h) for e in np.eye(len(theta))])


@THOROUGH
@given(one_state())
def test_log_gradients_are_slopes_of_log_pi_and_their_mean_is_0(state: Any) -> None:
    phi, theta = state
    psi, p = log_gradients(phi, theta), softmax(phi, theta)
    measured = slopes(lambda at: np.log(softmax(phi, at)), theta)
    assert p.sum() == pytest.approx(1)
    assert psi == pytest.approx(measured.T, abs=1e-6)
    assert p @ psi == pytest.approx(np.zeros(len(theta)), abs=1e-12)


@THOROUGH
@given(one_state())
def test_fishers_matrix_is_minus_the_mean_curvature_of_log_pi_and_the_covariance_of_features(state: Any) -> None:
    phi, theta = state
    found, p = fisher(phi, theta), softmax(phi, theta)
    # The curvature of log pi(a) is minus F for every move, since log pi is linear but for the sum below the fraction.
    for a in range(len(phi)):
        assert -slopes(lambda at, a=a: log_gradients(phi, at)[a], theta) == pytest.approx(found, abs=1e-5)
    covariance = np.cov(phi.T, aweights=p, ddof=0) if len(phi) > 1 else 0 * found
    assert found == pytest.approx(np.reshape(covariance, found.shape), abs=1e-9)


@THOROUGH
@given(one_state(), st.integers(0, 2**32 - 1))
def test_uphill_in_a_state_is_the_slope_of_the_expected_gain_and_what_samples_tend_to(state: Any, seed: int) -> None:
    (phi, theta), gain = state, np.random.default_rng(seed).normal(size=len(state[0]))
    p, psi = softmax(phi, theta), log_gradients(phi, theta)
    expected = slopes(lambda at: softmax(phi, at) @ gain, theta)
    assert expected_uphill(phi, theta, gain, "gradient") == pytest.approx(expected, abs=1e-6)
    # Each move as often as the policy makes it in 10,000 draws, but for rounding.
    times = np.rint(10_000 * p).astype(int)
    for direction in ("gradient", "natural"):
        sampled = uphill(psi.repeat(times, 0), gain.repeat(times), direction, 0.0)
        found = expected_uphill(phi, theta, gain, direction)
        assert psi[times > 20] @ sampled == pytest.approx(psi[times > 20] @ found, abs=0.05 * np.abs(gain).max())


@THOROUGH
@given(one_state())
def test_the_functions_of_a_state_are_those_of_samples(state: Any) -> None:
    phi, theta = state
    for chosen in range(len(phi)):
        zeros = np.zeros((1, 1))
        D = Samples(
            phi[:1], np.zeros(1), np.zeros(1, np.int64), zeros, zeros, np.array([0, len(phi)]), np.array([chosen]),
            phi, np.zeros(len(phi)),
        )  # fmt: skip
        assert probabilities(D, theta) == pytest.approx(softmax(phi, theta))
        assert gradients(D, theta)[0] == pytest.approx(log_gradients(phi, theta)[chosen], abs=1e-12)


@THOROUGH
@given(one_state(), st.floats(0.05, 2), st.integers(0, 2**32 - 1))
def test_a_step_changes_log_pi_by_its_length_and_a_natural_one_whatever_the_units(
    state: Any, step: float, seed: int
) -> None:
    (phi, theta), rng = state, np.random.default_rng(seed)
    gain, units = rng.normal(size=len(phi)), 10.0 ** rng.uniform(-1, 1, len(theta))
    changes = {}
    for direction in ("gradient", "natural"):
        for scale in (np.ones(len(theta)), units):
            state = phi * scale, theta / scale
            psi, w = log_gradients(*state), expected_uphill(*state, gain, direction)
            size = np.sqrt(w @ fisher(*state) @ w)
            changes[direction, scale is units] = psi @ (stepped(theta, w, size, step) - theta)
            if size > 1e-6:
                made = softmax(phi, theta) @ np.square(changes[direction, scale is units])
                assert np.sqrt(made) == pytest.approx(step, rel=1e-6)
    if len(phi) > 1:
        assert changes["natural", True] == pytest.approx(changes["natural", False], rel=1e-5, abs=1e-5)


def test_the_natural_gradient_does_not_depend_on_the_units_of_features(uphills: Any) -> None:
    theta, _, D = uphills
    made = D.chosen >= 0
    psi, advantage = gradients(D, theta)[made, :2], advantages(D, 1.0, 1e-6)[made]
    units = np.array([10.0, 0.2])
    natural, scaled = (uphill(x, advantage, "natural", 0.0) for x in (psi, psi * units))
    assert scaled * units == pytest.approx(natural)  # the same scores
    plain, scaled = (uphill(x, advantage, "gradient", 0.0) for x in (psi, psi * units))
    assert scaled * units != pytest.approx(plain)
    # By definition: F times it is the gradient.
    assert psi.T @ psi / len(psi) @ natural == pytest.approx(plain)


# --- linear programming ---------------------------------------------------------------------------


def all_constraints(game: Any) -> Any:
    """Every state, and for each of its moves where it leads, its reward and its state."""
    mdp = game.mdp
    s, a = np.nonzero(mdp.allowed & ~mdp.terminal[:, None])
    return mdp.T[s * mdp.R.shape[1] + a], mdp.R[s, a], s


def test_the_program_of_all_constraints_and_a_weight_for_each_state_gives_the_optimum(alone: Any) -> None:
    following, rewards, owner = all_constraints(alone)
    best = value_iteration(alone.mdp, 1e-10).V
    phi = csr_array(eye_array(len(best)))
    assert solve_program(phi, following, rewards, owner, 0.8) == pytest.approx(best, abs=1e-6)


def test_with_few_features_the_program_bounds_the_optimum_from_above(alone: Any) -> None:
    following, rewards, owner = all_constraints(alone)
    best = value_iteration(alone.mdp, 1e-10).V
    source = FiniteSource(alone)
    phi = two_features(source)[source.board_of]
    phi[alone.mdp.terminal] = 0
    r = solve_program(phi, following @ phi, rewards, owner, 0.8)
    assert (phi @ r >= best - 1e-7).all()
    # With the optimum among the features, nothing is closer.
    known = np.column_stack([phi, best])
    assert solve_program(known, following @ known, rewards, owner, 0.8) == pytest.approx([0, 0, 0, 1], abs=1e-6)


def test_the_constraints_are_those_of_the_moves(alone: Any) -> None:
    run = LinearProgramming(TetrisSource(SMALL, "bertsekas", constant=True), states=10, spacing=2)
    D = run.source.sample(run.policy(), 1, 100, 20)
    phi, following, rewards, owner = run.constraints(D, np.array([0, 3]))
    rows = [*range(D.offsets[1]), *range(D.offsets[3], D.offsets[4])]
    assert np.array_equal(following[:, :-7], D.all_phi[rows])
    assert np.array_equal(rewards, D.all_rewards[rows])
    assert np.array_equal(owner, np.repeat([0, 1], [D.offsets[1], D.offsets[4] - D.offsets[3]]))
    assert phi[1, -7:].argmax() == D.pieces[3]
    assert following[:, -7:] == pytest.approx(np.full((len(rows), 7), 1 / 7))


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
