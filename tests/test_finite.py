"""Finite MDPs, against sums written out, brute force over all policies, linear programming and published values."""

# ruff: noqa: SIM300 (V and Q are capital letters, but no constants)

import pickle
from dataclasses import FrozenInstanceError, replace
from itertools import islice, pairwise, product
from math import sqrt

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_array, csr_matrix

from tetriscourse.errors import InputError
from tetriscourse.mdp.finite import solving
from tetriscourse.mdp.finite.process import (
    FiniteMDP,
    as_probabilities,
    best_q_from_q,
    best_v_from_q,
    chain,
    following,
    greedy,
    q_from_q,
    q_from_v,
    total_reward,
    uniform,
    v_from_q,
)
from tetriscourse.mdp.finite.solving import (
    evaluate,
    evaluate_exactly,
    improvements,
    longest_game,
    policy_iteration,
    simulate,
    sweeps,
    value_iteration,
)
from tetriscourse.mdp.finite.worlds import GRIDS, WORLDS, dice, grid_world, pile
from tetriscourse.random_numbers import Draws

GAMMAS = (0.0, 0.5, 0.9, 0.97, 0.995)


def random_arrays(seed, S, A, ends=False):
    """T[s, a, s'], R and a mask; with `ends`, the last state is terminal and every step may lead closer to it."""
    draws = Draws(seed, 0)
    T = draws.uniform((S, A, S)) * (draws.uniform((S, A, S)) < 0.5)
    T[:, :, 0] += 0.01
    if ends:
        for s in range(S - 1):
            T[s, :, s + 1] += 1
        T[-1] = np.arange(S) == S - 1
    T /= T.sum(axis=2, keepdims=True)
    R = 10 * draws.normal((S, A))
    R[-1] *= not ends
    allowed = draws.uniform((S, A)) < 0.7
    allowed[np.arange(S), draws.below(A, S)] = True
    return T, R, allowed


def random_policy(mdp, seed):
    pi = Draws(seed, 1).uniform(mdp.R.shape) ** 3 * mdp.allowed
    return pi / pi.sum(axis=1, keepdims=True)


def random_mdps(count, sizes=((3, 2), (7, 1), (12, 5), (30, 4))):
    for seed in range(count):
        S, A = sizes[seed % len(sizes)]
        T, R, allowed = random_arrays(seed, S, A)
        yield FiniteMDP(T, R, GAMMAS[seed % len(GAMMAS)], allowed)


def random_games(count, sizes=((3, 2), (7, 1), (12, 5), (30, 4))):
    """Games that always end, so that gamma is 1."""
    for seed in range(count):
        T, R, allowed = random_arrays(seed, *sizes[seed % len(sizes)], ends=True)
        yield FiniteMDP(T, R, 1, allowed)


def dense(mdp):
    """T[s, a, s']."""
    return mdp.T.toarray().reshape(*mdp.R.shape, -1)


def solved_by_numpy(mdp, policy):
    """V of a deterministic policy; terminal states are worth 0 by definition."""
    S = np.arange(len(policy))
    P, r = dense(mdp)[S, policy], mdp.R[S, policy]
    on = ~((P[S, S] == 1) & (r == 0))
    v = np.zeros(len(S))
    v[on] = np.linalg.solve(np.eye(on.sum()) - mdp.gamma * P[on][:, on], r[on])
    return v


def all_policies(mdp):
    return (np.array(p) for p in product(*(np.flatnonzero(row) for row in mdp.allowed)))


# --- the process --------------------------------------------------------------------------------


def test_dense_and_sparse_transitions_make_the_same_process():
    T, R, allowed = random_arrays(5, 6, 3)
    forms = [
        T,
        T.tolist(),
        [csr_matrix(T[:, a]) for a in range(3)],
        [csr_array(T[:, a]) for a in range(3)],
        tuple(coo_matrix(T[:, a]) for a in range(3)),
        csr_array(T.reshape(18, 6)),
    ]
    for form in forms:
        mdp = FiniteMDP(form, R, 0.9, allowed)
        assert dense(mdp) == pytest.approx(T * allowed[:, :, None])
        assert (mdp.T != FiniteMDP(T, R, 0.9, allowed).T).nnz == 0


def test_what_is_said_of_an_action_that_is_not_possible_does_not_matter():
    T, R, allowed = random_arrays(5, 6, 3)
    T[~allowed], R[~allowed] = np.nan, np.inf
    mdp = FiniteMDP(T, R, 0.9, allowed)
    assert np.isfinite(mdp.R).all()
    assert np.isfinite(value_iteration(mdp).V).all()
    assert (dense(mdp)[~allowed] == 0).all()


def test_probabilities_that_sum_to_1_but_for_rounding_are_made_to():
    third = round(1 / 3, 10)
    mdp = FiniteMDP.from_table({"a": {"go": [(third, "a"), (third, "b"), (third, "c")]}, "b": {}, "c": {}}, 1)
    assert mdp.T.toarray()[0] == pytest.approx([1 / 3] * 3, rel=1e-15)


def test_a_process_cannot_be_changed():
    T, R, allowed = random_arrays(1, 4, 2)
    mdp = FiniteMDP(T, R, 0.9, allowed)
    before = dense(mdp).copy(), mdp.R.copy(), mdp.allowed.copy()
    T[:], R[:], allowed[:] = 0, 0, False  # what it was made from is not what it keeps
    assert (dense(mdp) == before[0]).all()
    assert (mdp.R == before[1]).all()
    assert (mdp.allowed == before[2]).all()
    with pytest.raises(FrozenInstanceError):
        mdp.gamma = 0.5
    for array in (mdp.R, mdp.allowed, mdp.terminal, mdp.T.data, mdp.T.indices, mdp.T.indptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    solution = value_iteration(mdp)
    for array in (solution.V, solution.Q, solution.policy, next(sweeps(mdp)), next(improvements(mdp))):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_process_survives_being_stored():
    mdp = pickle.loads(pickle.dumps(pile()))
    assert mdp.states == ("low", "high", "lost")
    assert (value_iteration(mdp).V == value_iteration(pile()).V).all()


def test_terminal_states_are_those_that_lead_nowhere_and_pay_nothing():
    T = np.zeros((4, 2, 4))
    T[0, :, 1] = T[1, :, 1] = T[2, :, 2] = T[3, 0, 3] = T[3, 1, 0] = 1
    mdp = FiniteMDP(T, [[1, 1], [0, 0], [0, 5], [0, 0]], 0.5)
    assert mdp.terminal.tolist() == [False, True, False, False]
    only_stay = FiniteMDP(T, mdp.R, 0.5, [[1, 1], [1, 1], [1, 0], [1, 0]])
    assert only_stay.terminal.tolist() == [False, True, True, True]


def test_a_table_is_read_as_it_is_written():
    mdp = FiniteMDP.from_table(
        {
            "a": {"go": [(0.25, 8, "b"), (0.5, -2, "a"), (0.25, 4, "b")], "rest": [(1, "a")]},
            "b": {"jump": [(1, 3, "end")]},
            "end": {},
        },
        0.5,
    )
    assert (mdp.states, mdp.actions) == (("a", "b", "end"), ("go", "rest", "jump"))
    assert mdp.R.tolist() == [[2, 0, 0], [0, 0, 3], [0, 0, 0]]
    assert mdp.allowed.tolist() == [[True, True, False], [False, False, True], [True, True, True]]
    assert dense(mdp)[0].tolist() == [[0.5, 0.5, 0], [1, 0, 0], [0, 0, 0]]
    assert mdp.terminal.tolist() == [False, False, True]
    assert (mdp.state("b"), mdp.state(2)) == (1, 2)
    # By hand: V(b) = 3; going on, V(a) = 2 + (V(a) + V(b)) / 4, so that 3 V(a) = 11.
    assert value_iteration(mdp).V == pytest.approx([11 / 3, 3, 0])


def test_a_process_says_what_it_is():
    assert repr(pile()) == "FiniteMDP(3 states, 1 of them terminal, 2 actions, 9 transitions, gamma 0.9)"
    assert repr(value_iteration(dice())).startswith("Solved(12 states, 7 sweeps, bound ")
    assert repr(evaluate_exactly(dice(), uniform(dice()))).startswith("Evaluation(12 states, 0 sweeps, bound ")


# --- policies -----------------------------------------------------------------------------------


def test_a_deterministic_policy_is_a_probabilistic_one():
    mdp = pile()
    assert as_probabilities(mdp, [1, 0, 1]).tolist() == [[0, 1], [1, 0], [0, 1]]
    for seed, one in enumerate(random_mdps(8)):
        policy = greedy(one, random_policy(one, seed))
        pi = as_probabilities(one, policy)
        assert evaluate_exactly(one, policy).V.tolist() == evaluate_exactly(one, pi).V.tolist()
        assert as_probabilities(one, pi).tolist() == pi.tolist()


def test_the_uniform_policy_takes_every_possible_action_equally_often():
    for mdp in random_mdps(8):
        pi = as_probabilities(mdp, uniform(mdp))
        for s, row in enumerate(mdp.allowed):
            assert pi[s].tolist() == [1 / row.sum() if possible else 0 for possible in row]


def test_a_policy_makes_a_markov_chain_7_1():
    for seed, mdp in enumerate(random_mdps(8)):
        pi, T = random_policy(mdp, seed), dense(mdp)
        P = np.array([[sum(T[s, :, t] * pi[s]) for t in range(len(T))] for s in range(len(T))])
        assert chain(mdp, pi).toarray() == pytest.approx(P)
        assert dense(following(mdp, pi))[:, 0] == pytest.approx(P)


def test_the_greedy_policy_takes_the_first_of_the_best_possible_actions():
    mdp = FiniteMDP(np.ones((3, 3, 3)) / 3, np.zeros((3, 3)), 0.5, [[1, 1, 1], [0, 1, 1], [1, 0, 0]])
    assert greedy(mdp, [[0, 7, 7], [9, 1, 2], [-5, 0, 0]]).tolist() == [1, 2, 0]
    assert greedy(mdp, [[0, 7, 7.5], [9, 1, 1.5], [8.5, 0, 9]], slack=0.5).tolist() == [1, 1, 0]


@pytest.mark.parametrize("name", GRIDS)
def test_policies_improve_in_the_same_steps_however_a_processor_rounds(name, monkeypatch):
    mdp, exact = GRIDS[name].mdp, solving._linear_solve
    steps = len(list(improvements(mdp)))
    for seed in range(10):
        noise = Draws(seed, 0)

        def rounded_otherwise(decided, noise=noise):
            v = exact(decided)
            return v * (1 + 4e-16 * noise.normal(len(v)))

        monkeypatch.setattr(solving, "_linear_solve", rounded_otherwise)
        assert len(list(improvements(mdp))) == steps


# --- the equations of Bellman -------------------------------------------------------------------


def test_the_total_reward_is_a_discounted_sum_7_2():
    rewards = [3.0, -1.0, 4.0, 1.0, -5.0]
    for gamma in (0, 0.3, 0.9, 1):
        assert total_reward(rewards, gamma) == pytest.approx(sum(gamma**k * r for k, r in enumerate(rewards)))
    assert total_reward([], 0.5) == 0


def test_the_equations_are_the_sums_of_the_text():
    for seed, mdp in enumerate(random_mdps(8)):
        T, R, gamma, S = dense(mdp), mdp.R, mdp.gamma, range(len(mdp.states))
        pairs = [(s, a) for s, a in product(S, range(R.shape[1])) if mdp.allowed[s, a]]
        draws, pi = Draws(seed, 9), random_policy(mdp, seed)
        v, q = draws.normal(len(S)), draws.normal(R.shape)
        possible = [[q[s, a] for a in np.flatnonzero(mdp.allowed[s])] for s in S]

        def listed(found, pairs=pairs):
            return [found[pair] for pair in pairs]

        assert v_from_q(mdp, q, pi) == pytest.approx([sum(p * x for p, x in zip(pi[s], q[s], strict=True)) for s in S])
        assert listed(q_from_v(mdp, v)) == pytest.approx(
            [R[s, a] + gamma * sum(T[s, a, t] * v[t] for t in S) for s, a in pairs]
        )
        assert listed(q_from_q(mdp, q, pi)) == pytest.approx(
            [R[s, a] + gamma * sum(T[s, a, t] * sum(pi[t] * q[t]) for t in S) for s, a in pairs]
        )
        assert best_v_from_q(mdp, q).tolist() == [max(row) for row in possible]
        assert listed(best_q_from_q(mdp, q)) == pytest.approx(
            [sum(T[s, a, t] * (R[s, a] + gamma * max(possible[t])) for t in S) for s, a in pairs]
        )
        assert (q_from_v(mdp, v)[~mdp.allowed] == -np.inf).all()


def test_the_values_of_a_policy_satisfy_7_4_to_7_6():
    for seed, mdp in enumerate([*random_mdps(10), *random_games(8)]):
        pi = random_policy(mdp, seed)
        found = evaluate_exactly(mdp, pi)
        close = {"rel": 1e-9, "abs": 1e-9}
        assert v_from_q(mdp, found.Q, pi) == pytest.approx(found.V, **close)
        assert q_from_v(mdp, found.V) == pytest.approx(found.Q, **close)
        assert q_from_q(mdp, found.Q, pi) == pytest.approx(found.Q, **close)


def test_the_optimal_values_satisfy_7_7_to_7_9():
    for mdp in [*random_mdps(10), *random_games(8)]:
        for found in (value_iteration(mdp, 1e-6), policy_iteration(mdp)):
            close = {"rel": 1e-9, "abs": 1e-6}
            assert best_v_from_q(mdp, found.Q).tolist() == found.V.tolist()
            assert q_from_v(mdp, found.V) == pytest.approx(found.Q, **close)
            assert best_q_from_q(mdp, found.Q) == pytest.approx(found.Q, **close)


# --- evaluation ---------------------------------------------------------------------------------


def test_the_linear_equations_are_solved():
    for seed, mdp in enumerate([*random_mdps(10), *random_games(8)]):
        policy = greedy(mdp, random_policy(mdp, seed))
        found, exact = evaluate_exactly(mdp, policy), solved_by_numpy(mdp, policy)
        assert found.V == pytest.approx(exact, rel=1e-10, abs=1e-10)
        assert abs(found.V - exact).max() <= 2 * found.bound + 1e-12 * abs(exact).max()
        assert found.bound <= 1e-6


def test_sweeps_come_as_close_to_the_exact_values_as_they_say():
    for seed, mdp in enumerate([*random_mdps(10), *random_games(8)]):
        pi = random_policy(mdp, seed)
        exact = evaluate_exactly(mdp, pi)
        for tolerance in (10.0, 1e-3):
            found = evaluate(mdp, pi, tolerance)
            assert found.bound <= tolerance
            assert abs(found.V - exact.V).max() <= found.bound + exact.bound
            assert abs(found.Q[mdp.allowed] - exact.Q[mdp.allowed]).max() <= found.bound + exact.bound


# --- optimal values -----------------------------------------------------------------------------


def test_both_iterations_find_the_best_of_all_policies():
    for mdp in [*random_mdps(5, ((3, 3), (5, 3), (6, 2))), *random_games(3, ((3, 3), (5, 3), (6, 2)))]:
        best = np.max([solved_by_numpy(mdp, policy) for policy in all_policies(mdp)], axis=0)
        for found in (value_iteration(mdp), policy_iteration(mdp)):
            assert found.V == pytest.approx(best, rel=1e-9, abs=1e-8)
            assert solved_by_numpy(mdp, found.policy) == pytest.approx(best, rel=1e-9, abs=1e-8)


def test_linear_programming_finds_the_same_values():
    for mdp in random_mdps(5, ((20, 4),)):
        S, A = mdp.R.shape
        rows = mdp.allowed.ravel()
        T, one = dense(mdp).reshape(S * A, S)[rows], np.repeat(np.eye(S), A, axis=0)[rows]
        least = linprog(np.ones(S), A_ub=mdp.gamma * T - one, b_ub=-mdp.R.ravel()[rows], bounds=(None, None))
        assert least.status == 0
        assert policy_iteration(mdp).V == pytest.approx(least.x, rel=1e-6, abs=1e-6)


def test_even_the_far_sighted_are_served_by_linear_equations():
    for gamma in (0.9999, 0.999999, 1 - 1e-9):
        for mdp in random_mdps(3, ((5, 3), (6, 2))):
            mdp = replace(mdp, gamma=gamma)
            best = np.max([solved_by_numpy(mdp, policy) for policy in all_policies(mdp)], axis=0)
            found = policy_iteration(mdp)
            assert found.V == pytest.approx(best, rel=1e-6)
            assert found.V == pytest.approx(best, abs=2 * found.bound)


def test_no_policy_beats_the_optimal_one_in_any_state():
    for mdp in [*random_mdps(5), *random_games(4)]:
        best = policy_iteration(mdp)
        for seed in range(10):
            other = evaluate_exactly(mdp, random_policy(mdp, seed))
            assert (other.V <= best.V + best.bound + other.bound).all()


def test_value_iteration_comes_as_close_as_it_says_and_its_policy_loses_no_more_than_it_says():
    for mdp in [*random_mdps(10), *random_games(8)]:
        exact = policy_iteration(mdp)
        for tolerance in (100.0, 0.1):
            found = value_iteration(mdp, tolerance)
            assert found.bound <= tolerance
            assert abs(found.V - exact.V).max() <= found.bound + exact.bound
            assert abs(found.Q[mdp.allowed] - exact.Q[mdp.allowed]).max() <= found.bound + exact.bound
            played = evaluate_exactly(mdp, found.policy)
            assert (exact.V - played.V).max() <= found.loss + exact.bound + played.bound


def test_the_bound_holds_after_any_number_of_sweeps_from_anywhere():
    for seed, mdp in enumerate([*random_mdps(10), *random_games(8)]):
        exact = policy_iteration(mdp)
        start = 50 * Draws(seed, 2).normal(len(mdp.states))
        for count in (1, 2, 10):
            found = value_iteration(mdp, 1e-12, start, most_sweeps=count)
            assert found.sweeps <= count
            assert abs(found.V - exact.V).max() <= found.bound + exact.bound


def test_with_a_discount_the_bound_is_the_well_known_one():
    mdp = pile(0.9)
    found = value_iteration(mdp, 0.1)
    assert found.bound == pytest.approx(0.9 / (1 - 0.9) * found.changes[-1], rel=1e-6)
    assert found.loss == 2 * found.bound
    assert value_iteration(mdp, 0.1, most_sweeps=1).changes == (2.0,)


def test_the_bound_is_reached_where_every_step_pays_the_same():
    mdp = FiniteMDP([[[1.0]]], [[1.0]], 0.9)  # V* = 10, and after n sweeps 10 (1 - 0.9^n)
    found = value_iteration(mdp, 1e-3)
    assert 10 - found.V[0] == pytest.approx(found.bound, rel=1e-6)


def test_a_tolerance_below_what_computers_can_do_ends_with_the_bound_that_was_reached():
    found = value_iteration(pile(0.99), 1e-300)
    assert 0 < found.bound < 1e-8


def test_the_sweeps_are_those_of_value_iteration():
    mdp = pile()
    found = value_iteration(mdp, 1e-3)
    values = list(islice(sweeps(mdp), found.sweeps))
    assert values[0].tolist() == [0.8, 2, 0]  # the best that one step can bring
    assert values[-1].tolist() == found.V.tolist()
    steps = np.diff([np.zeros(3), *values], axis=0)
    assert found.changes == tuple(abs(steps).max(axis=1))


def test_after_n_sweeps_the_values_are_the_best_of_n_steps():
    mdp = next(random_mdps(1, ((3, 2),)))
    mdp = replace(mdp, gamma=0.7)
    S, policies = np.arange(3), list(all_policies(mdp))
    plans = {0: [np.zeros(3)]}
    for n in (1, 2, 3):  # every plan of n steps: a policy for the first, then any plan of n - 1 steps
        plans[n] = [mdp.R[S, p] + 0.7 * dense(mdp)[S, p] @ v for p in policies for v in plans[n - 1]]
    for n, v in enumerate(islice(sweeps(mdp), 3), 1):
        assert v == pytest.approx(np.max(plans[n], axis=0))


def test_policies_improve_everywhere_until_they_are_optimal():
    for seed, mdp in enumerate([*random_mdps(5), *random_games(4)]):
        values = list(improvements(mdp, random_policy(mdp, seed)))
        for before, after in pairwise(values):
            assert (after >= before - 1e-9 * abs(before).max()).all()
        assert values[-1] == pytest.approx(value_iteration(mdp, 1e-6).V, abs=2e-6)
        assert policy_iteration(mdp, random_policy(mdp, seed)).V == pytest.approx(values[-1])


def test_policy_iteration_ends_where_all_actions_are_equally_good():
    T, _, _ = random_arrays(3, 40, 5)
    T[:] = T[:, :1]
    r = Draws(3, 3).normal(40) * 1e6
    mdp = FiniteMDP(T, np.repeat(r[:, None], 5, axis=1), 0.9999)
    assert policy_iteration(mdp).V == pytest.approx(solved_by_numpy(mdp, np.zeros(40, int)))


def test_twenty_thousand_states_are_solved():
    S, A, K, draws = 20_000, 3, 4, Draws(1, 0)
    p = draws.uniform((S * A, K))
    T = csr_array((p.ravel(), (np.repeat(np.arange(S * A), K), draws.below(S, S * A * K))), shape=(S * A, S))
    T.data /= np.repeat(T.sum(axis=1), np.diff(T.indptr))
    mdp = FiniteMDP(T, draws.uniform((S, A)), 0.9)
    found = value_iteration(mdp, 1e-6)
    assert abs((mdp.R + 0.9 * (T @ found.V).reshape(S, A)).max(axis=1) - found.V).max() < 1e-6
    assert evaluate(mdp, found.policy, 1e-6).V == pytest.approx(found.V, abs=4e-6)


# --- games that end -----------------------------------------------------------------------------


def random_walk(n):
    """n places in a row, a step left or right with equal probability, the game over at both ends; each step pays 1."""
    T = np.zeros((n, 1, n))
    for s in range(1, n - 1):
        T[s, 0, s - 1] = T[s, 0, s + 1] = 0.5
    T[0, 0, 0] = T[-1, 0, -1] = 1
    return FiniteMDP(T, [[float(0 < s < n - 1)] for s in range(n)], 1)


def test_a_random_walk_lasts_as_long_as_is_known():
    n = 41
    exact = [s * (n - 1 - s) for s in range(n)]
    walk = random_walk(n)
    assert evaluate_exactly(walk, np.zeros(n)).V == pytest.approx(exact)
    found = evaluate(walk, np.zeros(n), 1e-3)
    assert abs(found.V - exact).max() <= found.bound <= 1e-3
    for climb in (sweeps, improvements):
        assert max(exact) <= longest_game(walk, climb) <= 1.02 * max(exact)


def test_no_policy_makes_a_game_longer_than_the_longest():
    for mdp in random_games(6, ((3, 3), (5, 3), (6, 2))):
        clock = replace(mdp, R=np.where(mdp.terminal[:, None], 0.0, 1.0) * mdp.allowed)
        longest = max(solved_by_numpy(clock, policy).max() for policy in all_policies(clock))
        for climb in (sweeps, improvements):
            assert longest <= longest_game(mdp, climb) <= 1.02 * longest


def can_go_on(mdp, policy):
    """Whether a deterministic policy never reaches the end from some state: by following every path."""
    steps = dense(mdp)[np.arange(len(policy)), policy] > 0
    reached = np.array([steps[s, s] and steps[s].sum() == 1 and mdp.R[s, a] == 0 for s, a in enumerate(policy)])
    for _ in policy:
        reached |= (steps & reached).any(axis=1)
    return not reached.all()


def test_without_discount_a_game_that_can_go_on_for_ever_is_refused():
    refused = 0
    for seed in range(30):
        draws = Draws(seed, 5)
        T = np.zeros((5, 2, 5))
        for s, a, k in product(range(5), range(2), range(2)):
            T[s, a, min(4, s + 1 + int(draws.below(5)) - 3 * (k + int(draws.below(2))) // 2) if s < 4 else 4] += 0.5
        R = 1.0 + draws.uniform((5, 2))
        R[4] = 0
        mdp = FiniteMDP(T, R, 1)
        endless = [policy for policy in all_policies(mdp) if can_go_on(mdp, policy)]
        refused += bool(endless)
        for solve in (value_iteration, policy_iteration):
            if endless:
                with pytest.raises(InputError, match=r"gamma is 1, but from state '\d' the game can go on for ever"):
                    solve(mdp)
            else:
                assert np.isfinite(solve(mdp).V).all()
        for policy in all_policies(mdp):
            for evaluation in (evaluate, evaluate_exactly) if any((policy == p).all() for p in endless) else ():
                with pytest.raises(InputError, match="the game can go on for ever"):
                    evaluation(mdp, policy)
    assert 5 < refused < 25


def test_a_policy_that_ends_can_be_evaluated_where_others_do_not():
    mdp = pile(gamma=1)
    with pytest.raises(InputError, match="gamma is 1, but from state 'low' the game can go on for ever"):
        value_iteration(mdp)
    with pytest.raises(InputError, match="from state 'low'"):
        evaluate(mdp, [0, 0, 0])
    # By hand: V(low) = V(high), and V(high) = 2 + V(low) / 2.
    assert evaluate(mdp, [1, 1, 0]).V == pytest.approx([4, 4, 0])
    assert evaluate_exactly(mdp, [1, 1, 0]).V == pytest.approx([4, 4, 0])


# --- play ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_games_that_are_played_bring_what_was_computed():
    worlds = [pile(0.8), dice(), GRIDS["corner"].mdp, *random_mdps(3, ((6, 3),)), *random_games(3, ((6, 3),))]
    for seed, mdp in enumerate(worlds):
        for policy in (random_policy(mdp, seed), value_iteration(mdp).policy):
            exact = evaluate_exactly(mdp, policy).V
            for start in (0, len(mdp.states) // 2):
                G = simulate(mdp, policy, start, seed, episodes=1500, steps=300)
                assert len(G) == 1500
                assert G.mean() == pytest.approx(exact[start], abs=4 * G.std() / sqrt(1500) + 1e-6)


def test_play_depends_on_the_seed_and_on_nothing_else():
    mdp, pi = dice(), uniform(dice())
    G = simulate(mdp, pi, "0", 7, episodes=50)
    assert simulate(mdp, pi, 0, 7, episodes=50).tolist() == G.tolist()
    assert simulate(mdp, pi, 0, 7, episodes=80)[:50].tolist() == G.tolist()
    assert simulate(mdp, pi, 0, 8, episodes=50).tolist() != G.tolist()


def test_play_is_cut_after_so_many_steps():
    mdp = FiniteMDP([[[1.0]]], [[1.0]], 0.5)
    assert simulate(mdp, [0], 0, episodes=2, steps=3).tolist() == [1.75, 1.75]


# --- worlds -------------------------------------------------------------------------------------


def test_every_world_is_solved():
    for mdp in WORLDS.values():
        assert value_iteration(mdp).V == pytest.approx(policy_iteration(mdp).V, abs=1e-8)


def test_on_the_pile_the_patient_do_not_gamble():
    def choice(gamma):
        return pile(gamma).actions[value_iteration(pile(gamma)).policy[1]]

    assert (choice(0.5), choice(0.9)) == ("wait", "clear")


def test_the_die_is_thrown_while_the_pot_is_below_five():
    mdp = dice(10)
    found = value_iteration(mdp)
    throws = [mdp.actions[found.policy[pot]] == "throw" for pot in range(10)]
    assert throws[:5] == [True] * 5  # with 5 in the pot it does not matter: 5/6 of 6 is 5
    assert throws[6:] == [False] * 4
    assert found.V[:6] == pytest.approx([5 * (5 / 6) ** (5 - pot) for pot in range(6)])


def test_the_corner_has_the_values_that_russell_and_norvig_print():
    policy = value_iteration(grid_world("...G .#.P ....", gamma=0.9999).mdp).policy
    corner = grid_world("...G .#.P ....", gamma=1)
    assert corner.arrows(policy) == "→→→G\n↑#↑P\n↑←←←"
    values = corner.values(evaluate_exactly(corner.mdp, policy).V)
    printed = [[0.812, 0.868, 0.918, 0], [0.762, np.nan, 0.660, 0], [0.705, 0.655, 0.611, 0.388]]
    assert values == pytest.approx(np.array(printed), abs=0.0006, nan_ok=True)
    assert corner.values_text(evaluate_exactly(corner.mdp, policy).V, 1) == (
        "0.8  0.9  0.9    G\n0.8    #  0.7    P\n0.7  0.7  0.6  0.4"
    )


def test_on_a_floor_that_is_not_slippery_the_values_count_the_steps():
    line = grid_world("....G", gamma=0.5, slip=0, living_cost=0)
    assert line.values(value_iteration(line.mdp).V).tolist() == [[0.125, 0.25, 0.5, 1, 0]]
    assert str(line) == "....G"
    assert line.arrows(uniform(line.mdp)) == "↑↑↑↑G"
    assert repr(line).startswith("Grid(1 x 5, FiniteMDP(5 states, 1 of them terminal, 4 actions")


def test_slipping_goes_to_both_sides():
    grid = grid_world("... ... ..G", slip=0.3, living_cost=0.5)
    T, middle = dense(grid.mdp), grid.mdp.state("1,1")
    assert grid.values(T[middle, 0]).tolist() == [
        [0, pytest.approx(0.7), 0],
        [pytest.approx(0.15), 0, pytest.approx(0.15)],
        [0, 0, 0],
    ]
    assert grid.mdp.R[grid.mdp.state("1,2"), grid.mdp.actions.index("down")] == pytest.approx(0.7 - 0.5)


# --- bad input ----------------------------------------------------------------------------------

T2 = np.array([[[0.5, 0.5], [1, 0]], [[0, 1], [0, 1.0]]])
R2 = np.array([[1, 2], [0, 0.0]])


def changed(array, position, value):
    array = np.array(array, float)
    array[position] = value
    return array


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((T2, [1, 2], 0.9), r"R has shape \(2,\); it must be \(states, actions\)"),
        ((T2, np.zeros((0, 2)), 0.9), r"R has shape \(0, 2\)"),
        ((T2, "many", 0.9), "R is 'many'; it must be an array of numbers"),
        ((T2, [[1, 2], [3]], 0.9), "R is .*; it must be an array of numbers"),
        ((T2, changed(R2, (0, 1), np.inf), 0.9), "R is inf for state '0', action '1'; it must be a finite number"),
        ((T2, changed(R2, (1, 0), np.nan), 0.9), "R is nan for state '1', action '0'"),
        ((T2, R2, 1.5), "gamma is 1.5; it must be a number at least 0 and at most 1"),
        ((T2, R2, -0.1), "gamma is -0.1"),
        ((T2, R2, None), "gamma is None"),
        ((T2[:, :1], R2, 0.9), r"T has shape \(2, 1, 2\); it must be \(2, 2, 2\)"),
        (([csr_array(T2[:, 0])], R2, 0.9), r"T has matrices of shapes \[\(2, 2\)\]; .* must have 2 of shape \(2, 2\)"),
        ((csr_array(T2[:, 0]), R2, 0.9), r"T has shape \(2, 2\); with this R it must be \(4, 2\)"),
        ((None, R2, 0.9), r"T has shape \(\); it must be \(2, 2, 2\)"),
        (
            (changed(T2, (0, 1), [1.5, -0.5]), R2, 0.9),
            "T is -0.5 for state '0', action '1'; a probability is at least 0",
        ),
        ((changed(T2, (1, 0), [0.5, np.nan]), R2, 0.9), "T is nan for state '1', action '0'"),
        ((changed(T2, (1, 0), [0.5, np.inf]), R2, 0.9), "T sums to inf for state '1', action '0'"),
        ((changed(T2, (0, 0), [0.5, 0.4]), R2, 0.9), "T sums to 0.9 for state '0', action '0'; it must be 1"),
        (
            (changed(T2, (1, 1), 0), R2, 0.9),
            "T sums to 0 for state '1', action '1'; .*a terminal state leads to itself",
        ),
        ((T2, R2, 0.9, [[1, 1], [0, 0]]), "allowed has no action for state '1'; it must have at least one"),
        ((T2, R2, 0.9, [1, 1]), r"allowed has shape \(2,\); it must be \(2, 2\)"),
        ((T2, R2, 0.9, None, ["a"]), "states is .*; it must be 2 different names"),
        ((T2, R2, 0.9, None, ["a", "a"]), "states is .*; it must be 2 different names"),
        ((T2, R2, 0.9, None, None, [1, 2]), r"actions is \(1, 2\); it must be 2 different names"),
        ((changed(T2, (1, 1), 0), R2, 0.9, None, ["in", "out"], ["go", "stay"]), "for state 'out', action 'stay'"),
    ],
)
def test_a_process_that_is_none_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        FiniteMDP(*arguments)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([], r"table is \[\]; it must be \{state: \{action: "),
        ({"a": [1]}, "table is .*; it must be "),
        ({}, "table has no action"),
        ({"a": {}}, "table has no action"),
        ({1: {"go": [(1, 1)]}}, "table names 1; states and actions must be texts"),
        ({"a": {"go": [(1, "b")]}}, r"table\['a'\]\['go'\]: next state is 'b'"),
        ({"start": {"go": [(1, "strat")]}}, "did you mean 'start'"),
        ({"a": {"go": [(1, 2, 3, "a")]}}, r"table\['a'\]\['go'\] has \(1, 2, 3, 'a'\)"),
        ({"a": {"go": ["a"]}}, r"table\['a'\]\['go'\] has 'a'"),
        ({"a": {"go": "a"}}, r"table\['a'\]\['go'\] is 'a'; it must be a list"),
        ({"a": {"go": [(1.5, "a"), (-0.5, "a")]}}, r"table\['a'\]\['go'\]: probability is 1.5"),
        ({"a": {"go": [(1, "much", "a")]}}, r"table\['a'\]\['go'\]: reward is 'much'"),
        ({"a": {"go": [(0.5, "a")]}}, "T sums to 0.5 for state 'a', action 'go'"),
        ({"a": {"go": []}}, r"table\['a'\]\['go'\] is \[\]; it must be a list"),
        ({"a": {"go": 5}}, r"table\['a'\]\['go'\] is 5; it must be a list"),
    ],
)
def test_a_table_that_is_none_is_refused(table, message):
    with pytest.raises(InputError, match=message):
        FiniteMDP.from_table(table, 0.9)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ([0, 2, 0], r"policy\[1\] is 2; it must be a whole number from 0 to 1"),
        ([0, 0.5, 0], r"policy\[1\] is 0.5"),
        ([-1, 0, 0], r"policy\[0\] is -1"),
        ([0, np.nan, 0], r"policy\[1\] is nan"),
        ([0, 0], r"policy has shape \(2,\); it must be \(3,\) or \(3, 2\)"),
        ("left", "policy is 'left'; it must be an array of numbers"),
        ([0, 1, 0], "policy is 1 for state 'low', action 'wait', which cannot be taken there"),
        ([[1, 0], [0.5, 0.5], [1, 0]], "policy is 0.5 for state 'low', action 'wait', which cannot be taken there"),
        ([[1, 0], [1, 0], [2, -1]], "policy is -1 for state 'lost', action 'wait', which must have a probability"),
        (
            [[1, 0], [1, 0], [np.nan, 1]],
            "policy is nan for state 'lost', action 'clear', which must have a probability",
        ),
        ([[0.5, 0.4], [1, 0], [1, 0]], "policy sums to 0.9 for state 'high'; it must sum to 1"),
    ],
)
def test_a_policy_that_is_none_is_refused(policy, message):
    table = {
        "high": {"clear": [(1, 1, "low")], "wait": [(1, 0, "lost")]},
        "low": {"clear": [(1, 1, "low")]},
        "lost": {},
    }
    with pytest.raises(InputError, match=message):
        as_probabilities(FiniteMDP.from_table(table, 0.9), policy)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda mdp: q_from_v(mdp, [1, 2]), r"v has shape \(2,\); it must be \(3,\)"),
        (lambda mdp: best_v_from_q(mdp, [1, 2, 3]), r"q has shape \(3,\); it must be \(3, 2\)"),
        (lambda mdp: greedy(mdp, "best"), "q is 'best'; it must be an array of numbers"),
        (lambda mdp: next(sweeps(mdp, [0])), r"v has shape \(1,\)"),
        (lambda mdp: value_iteration(mdp, 0), "tolerance is 0; it must be a number above 0"),
        (lambda mdp: value_iteration(mdp, most_sweeps=0), "most_sweeps is 0"),
        (lambda mdp: evaluate(mdp, [0, 0, 0], -1), "tolerance is -1"),
        (lambda mdp: simulate(mdp, [0, 0, 0], "lo"), "state is 'lo'; did you mean 'low'"),
        (lambda mdp: simulate(mdp, [0, 0, 0], 3), "state is 3; it must be a whole number from 0 to 2"),
        (lambda mdp: simulate(mdp, [0, 0, 0], 0, episodes=0), "episodes is 0"),
        (lambda mdp: simulate(mdp, [0, 0, 0], 0, steps=0), "steps is 0"),
        (lambda mdp: dice(0), "most is 0"),
        (lambda mdp: grid_world(".. ."), "text is '.. .'; it must be a drawing with equally long lines"),
        (lambda mdp: grid_world(5), "text is 5; it must be a drawing"),
        (lambda mdp: grid_world("..X"), r"text contains 'X' \(allowed: . floor, # wall, G goal, P pit\)"),
        (lambda mdp: grid_world("G#P"), "text is 'G#P'; it must have at least one cell of floor"),
        (lambda mdp: grid_world("..G", slip=2), "slip is 2; it must be a number at least 0 and at most 1"),
        (lambda mdp: grid_world("..G", living_cost="1"), "living_cost is '1'"),
        (lambda mdp: grid_world("..G").values([1, 2]), r"v has shape \(2,\); it must be \(3,\)"),
    ],
)
def test_what_cannot_be_computed_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call(pile())
