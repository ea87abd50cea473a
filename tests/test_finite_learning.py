"""Learning small worlds from experience: SARSA, Q-learning, traces and fading steps, held against exact values."""

import numpy as np
import pytest

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.mdp.finite.learning import METHODS, curious, td_learning
from tetriscourse.mdp.finite.process import FiniteMDP, greedy, uniform
from tetriscourse.mdp.finite.solving import evaluate_exactly
from tetriscourse.mdp.finite.worlds import CLIFF, GRIDS, pile

START = "3,0"


def test_a_single_action_is_learned_as_the_mean_of_its_targets():
    mdp = FiniteMDP.from_table({"s": {"go": [(0.3, 1, "won"), (0.7, 0, "lost")]}, "won": {}, "lost": {}}, gamma=0.9)
    q = td_learning(mdp, "s", alpha=1, fading=1, steps=4000)
    assert q[0, 0] == pytest.approx(0.3)  # rewards are means already, so there is no noise in them


@pytest.mark.parametrize("method", METHODS)
def test_all_methods_come_to_the_exact_values_of_their_question(method):
    epsilon = 0.3
    exact = tc.value_iteration(pile(0.5) if method == "q" else curious(pile(0.5), epsilon)).Q
    if method == "q":
        wanted = exact[:2]
    else:  # an action chosen, not replaced by chance, and curious play afterwards
        V = tc.value_iteration(curious(pile(0.5), epsilon)).V
        wanted = (pile(0.5).R + 0.5 * (pile(0.5).T @ V).reshape(3, 2))[:2]
    q = td_learning(pile(0.5), "low", method, alpha=1, fading=0.7, epsilon=epsilon, steps=40_000)
    assert np.allclose(q[:2], wanted, atol=0.05)


def test_curious_play_is_the_play_of_a_policy_with_dice():
    mdp = GRIDS["corner"].mdp
    policy = greedy(mdp, tc.value_iteration(mdp).Q)
    mixed = 0.8 * np.eye(mdp.R.shape[1])[policy] + 0.2 * uniform(mdp)
    assert np.allclose(evaluate_exactly(mdp, mixed).V, evaluate_exactly(curious(mdp, 0.2), policy).V)
    assert np.allclose(curious(mdp, 0).T.toarray(), mdp.T.toarray())


def test_who_knows_of_the_dice_keeps_away_from_the_edge():
    best, careful = tc.value_iteration(CLIFF.mdp), tc.value_iteration(curious(CLIFF.mdp, 0.1))
    start = CLIFF.mdp.state(START)
    assert evaluate_exactly(CLIFF.mdp, best.policy).V[start] > evaluate_exactly(CLIFF.mdp, careful.policy).V[start]
    assert CLIFF.arrows(best.policy).splitlines()[2] == "→→→→→↓"
    assert CLIFF.arrows(careful.policy).splitlines()[2].startswith("↑")


@pytest.mark.parametrize("trace", [0.0, 0.5, 1.0])
def test_a_trace_tells_the_whole_corridor_at_once(trace):
    corridor = FiniteMDP.from_table(
        {str(s): {"on": [(1, int(s == 7), str(s + 1))]} for s in range(8)} | {"8": {}}, gamma=0.9
    )  # fmt: skip
    q = td_learning(corridor, "0", alpha=0.5, epsilon=0, trace=trace, steps=8)
    assert np.allclose(q[:8, 0], [0.5 * (0.9 * trace) ** (7 - s) for s in range(8)])


def test_bad_arguments_are_named():
    wrong = {"method": "monte-carlo", "alpha": 0, "trace": 2, "epsilon": -1, "fading": 3, "steps": -1}
    for name, value in wrong.items():
        with pytest.raises(InputError, match=name):
            td_learning(pile(), "low", **{name: value})
    with pytest.raises(InputError, match="start is 'lost'"):
        td_learning(pile(), "lost")
