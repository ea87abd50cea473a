"""The policy panel without a page: its probabilities, gradients and steps are those of `PolicyGradient`."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from panel_parts import part
from strategies import THOROUGH, any_rules

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.mdp.policies.policy_gradient import advantages, gradients, uphill
from tetriscourse.mdp.policies.samples import CUT, GOES_ON, LOST, Policy
from tetriscourse.mdp.policies.tetris_source import TetrisSource
from tetriscourse.random_numbers import Draws
from tetriscourse.widgets import PolicyPanel
from tetriscourse.widgets.policy.episodes import Episode, samples_of

THETA = (1.0, -0.3, -0.8, -0.1, -0.2)


def tell(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def well(panel, *events):
    """Events that must not be refused."""
    for event in events:
        tell(panel, *event) if isinstance(event, tuple) else tell(panel, event)
        assert panel.message["text"] == panel.failure == "", event


def by_hand(panel):
    """The probabilities of the moves, from the weights and the readable features."""
    scores = [
        sum(w * x for w, x in zip(panel.theta * panel.now.units, panel.features.values(move), strict=True))
        for move in panel.moves
    ]
    odds = np.exp(np.array(scores) / panel.now.temperature)
    return odds / odds.sum()


def test_at_first_every_move_is_equally_likely_and_nothing_is_learned():
    panel = PolicyPanel()
    assert panel.p == pytest.approx(np.full(17, 1 / 17))
    assert panel.data["status"]["text"] == "10x6, no round yet: entropy 2.83 of at most 2.83"
    assert "before the step" not in panel.data["bars"]["svg"]
    assert panel.data["pushing"]["undo"]["disabled"]


@THOROUGH
@given(any_rules(), st.integers(0, 10**6), st.floats(0.1, 10))
def test_probabilities_and_gradients_are_those_of_the_formula_on_any_board(rules, seed, temperature):
    panel = PolicyPanel(
        ["holes", "landing_height"], replace(rules, height=max(rules.height, 8)), [-1.0, 0.5], seed=seed
    )
    well(panel, ("temperature", temperature))
    assert panel.p == pytest.approx(by_hand(panel))
    phi = np.array([panel.features.values(move) for move in panel.moves])
    assert panel.psi == pytest.approx((phi - by_hand(panel) @ phi) / temperature)
    assert panel.p @ panel.psi == pytest.approx([0, 0], abs=1e-9)


def test_the_table_says_what_the_bars_show():
    panel = PolicyPanel(weights=THETA, piece="T")
    well(panel, ("moves", 4), "natural")
    rows = panel.data["moves"]["rows"]
    assert [float(row[1]) for row in rows] == pytest.approx(panel.p, abs=1e-4)
    assert [float(row[2]) for row in rows] == pytest.approx(PolicyPanel(weights=THETA, piece="T").p, abs=1e-4)
    assert panel.data["moves"]["marked"] == 4
    for row, move in zip(rows, panel.moves, strict=True):
        assert [float(x) for x in row[3:]] == pytest.approx(panel.features.values(move))
    picks = [one.get("data-pick") for one in ElementTree.fromstring(panel.data["bars"]["svg"]).iter()]
    assert [int(one) for one in picks if one is not None] == list(range(len(rows)))


@pytest.mark.parametrize("reward", ["up", "down"])
@pytest.mark.parametrize("direction", ["gradient", "natural"])
def test_a_step_by_hand_moves_the_chosen_move_as_rewarded_and_by_its_length(reward, direction):
    panel = PolicyPanel(weights=THETA)
    for move in range(len(panel.moves)):
        well(panel, "reset", ("moves", move), ("reward", reward), ("length", 0.01))
        p, psi = panel.p, panel.psi
        well(panel, direction)
        changed = np.log(panel.p) - np.log(p)
        assert np.sign(changed[move]) == (1 if reward == "up" else -1)
        assert np.sqrt(p @ np.square(changed)) == pytest.approx(0.01, rel=0.05)
        assert changed == pytest.approx(psi @ (panel.theta - THETA), abs=5e-4)  # to first order


def test_moves_that_look_alike_move_together():
    panel = PolicyPanel(weights=THETA)
    phi, groups = panel.now.features, {}
    for number, row in enumerate(phi.tolist()):
        groups.setdefault(tuple(row), []).append(number)
    twins = max(groups.values(), key=len)
    assert len(twins) > 1
    well(panel, ("moves", twins[0]), "gradient", ("moves", 0), "natural")
    assert panel.p[twins] == pytest.approx(panel.p[twins[0]])


def test_another_unit_changes_the_gradient_step_but_neither_the_policy_nor_the_natural_step():
    panel = PolicyPanel(weights=THETA)
    p, changes = panel.p, {kind: panel.psi @ panel.change(kind) for kind in ("gradient", "natural")}
    well(panel, ("scaled", "holes"))
    assert panel.p == pytest.approx(p)
    assert panel.theta == pytest.approx([1.0, -0.3, -0.08, -0.1, -0.2])
    assert panel.psi @ panel.change("natural") == pytest.approx(changes["natural"], abs=1e-8)
    assert abs(panel.psi @ panel.change("gradient") - changes["gradient"]).max() > 0.1
    assert panel.player().weights == pytest.approx(THETA)
    well(panel, ("scaled", "as they are"))
    assert panel.theta == pytest.approx(THETA)


def test_the_picture_says_that_crosses_move_and_dots_do_not():
    panel = PolicyPanel(weights=THETA)

    def marks():
        groups = [one for one in ElementTree.fromstring(panel.data["changes"]["svg"]).iter() if one.tag.endswith("}g")]
        crosses, dots = (one for one in groups if one.get("class") == "tc-points")
        return [[path.get("d") for path in one] for one in (crosses, dots)]

    well(panel, ("length", 1), ("moves", 3))
    before, told = marks(), panel.data["about"]["text"]
    well(panel, ("scaled", "holes"))
    assert marks()[0] != before[0]
    assert panel.data["about"]["text"][3] == told[3] != ""  # a natural step by ...


def test_a_temperature_divides_the_scores_and_steps_change_the_policy_by_the_same():
    cold, warm = PolicyPanel(weights=THETA), PolicyPanel(weights=2 * np.array(THETA), temperature=2)
    assert warm.p == pytest.approx(cold.p)
    assert warm.psi == pytest.approx(cold.psi / 2)
    for panel in (cold, warm):
        well(panel, ("moves", 2), "gradient", "natural")
    assert warm.p == pytest.approx(cold.p)


# --- episodes -------------------------------------------------------------------------------------


def test_moves_are_drawn_as_often_as_the_policy_says():
    panel = PolicyPanel(weights=THETA)
    draws = [replace(panel.home, seed=seed).draw(panel.p) for seed in range(4000)]
    assert np.bincount(draws, minlength=17) / 4000 == pytest.approx(panel.p, abs=0.02)


def test_an_episode_is_a_game_of_the_rules_and_its_samples_are_those_of_compiled_code():
    rules, features = tc.Rules(6, 8), ["column_heights", "holes"]
    source, theta = TetrisSource(rules, features), np.array([-0.3] * 6 + [-0.8])
    episode = Episode(rules, tc.as_feature_set(features), 5, rules.empty_board()).played(theta)
    mine = samples_of([episode], np.ones(7))
    # The same pieces; the draws are others, so each state is compared with what compiled code says of its moves.
    pieces = tc.PieceSequence(rules, 5, 0)
    for k, turn in enumerate(episode.turns):
        assert turn.move.piece == pieces[k]
        assert list(turn.moves) == tc.moves(turn.move.before, turn.move.piece, rules)
        assert mine.phi[k + 1].tolist() == episode.features.values(turn.move)
    assert mine.ends.tolist() == [GOES_ON] * len(episode.turns) + [LOST]
    assert mine.rewards.tolist() == [turn.move.rows for turn in episode.turns] + [0]
    theirs = source.sample(Policy(theta, softmax=True), 5, 1, 1)
    first = slice(0, theirs.offsets[1])
    assert mine.all_phi[first].tolist() == theirs.all_phi[first].tolist()
    assert mine.pieces.shape == mine.rewards.shape


def test_a_learning_step_is_that_of_policy_gradient_on_the_same_samples():
    panel = PolicyPanel(weights=THETA)
    well(panel, *["finish"] * 6)
    now, gain = panel.now, {}
    assert len(now.played) == 6
    D = samples_of(now.played, np.ones(5))
    made = D.chosen >= 0
    psi = gradients(D, np.array(THETA))[made]
    gain[True] = advantages(D, 0.95, 1e-4)
    gain[False] = np.concatenate(
        [[sum(0.95**j * turn.move.rows for j, turn in enumerate(one.turns[k:])) for k in range(len(one.turns) + 1)]
         for one in now.played]
    )  # fmt: skip
    for baseline in (True, False):
        well(panel, ("baseline", baseline))
        for direction in ("gradient", "natural"):
            w = uphill(psi, gain[baseline][made], direction, 1e-4)
            expected = 0.5 * w / np.sqrt(np.square(psi @ w).mean())
            assert panel.change(direction) == pytest.approx(expected)


def test_an_episode_that_is_over_is_kept_and_another_begins_where_it_began():
    panel = PolicyPanel(weights=THETA)
    start = panel.moves[0].before
    well(panel, "take")
    assert panel.now.episode.board != start
    assert "This episode: 1 move" in panel.data["episode"]["text"]
    well(panel, "finish")
    assert panel.moves[0].before == start
    (episode,) = panel.now.played
    assert not episode.moves
    assert f"{len(episode.turns)} ({episode.lines})" in panel.data["episode"]["text"]
    assert panel.reward == "played"


def test_after_a_step_older_episodes_are_no_samples_any_more():
    panel = PolicyPanel(weights=THETA)
    well(panel, "finish", "finish", "finish", "natural")
    assert panel.now.played == ()
    assert panel.data["pushing"]["natural"]["disabled"]
    assert not np.array_equal(panel.theta, THETA)
    well(panel, "take", "take", ("temperature", 2))
    assert panel.now.episode.turns == ()


def test_a_step_that_leads_nowhere_is_refused():
    panel = PolicyPanel(["holes"], board=tc.Rules(6, 8).empty_board(), piece="O")
    panel.reward = "played"
    before = panel.now
    tell(panel, "gradient")
    assert panel.message == {"text": "reward leads nowhere: no move has gained more than another", "kind": "error"}
    assert panel.now is before


def test_undo_brings_everything_back_step_by_step():
    panel, shown = PolicyPanel(weights=THETA), []
    events = [("moves", 3), "gradient", "take", ("piece", "T"), "finish", "finish", "natural", "take"]
    for event in events[1:]:
        shown.append((panel.theta.tolist(), panel.moves, panel.now.played))
        well(panel, event)
    for theta, moves, played in reversed(shown):
        well(panel, "undo")
        assert (panel.theta.tolist(), panel.moves, panel.now.played) == (theta, moves, played)
    tell(panel, "undo")
    assert panel.message["text"] == "nothing is left to undo"


def test_the_same_clicks_give_the_same_panel():
    events = ["take", "finish", "natural", ("scaled", "wells"), ("reward", "down"), "gradient", "take", "take", "undo"]
    panels = [PolicyPanel(seed=seed, weights=THETA) for seed in (3, 3, 4)]
    for panel in panels:
        well(panel, *events)
    assert panels[0].data == panels[1].data != panels[2].data


# --- rounds ---------------------------------------------------------------------------------------


def test_a_round_plays_its_episodes_from_the_empty_board_and_takes_a_step():
    panel = PolicyPanel(weights=THETA, episodes=5)
    played = panel.compute()
    assert [one.start for one in played] == [tc.as_rules("10x6").empty_board()] * 5
    assert len({tuple(str(turn.move.piece) for turn in one.turns) for one in played}) == 5
    panel.step(2)
    assert panel.now.lines[0] == np.mean([one.lines for one in played])
    assert panel.now.returns[0] == pytest.approx(
        np.mean([sum(0.95**t * turn.move.rows for t, turn in enumerate(one.turns)) for one in played])
    )
    assert panel.data["status"]["text"].startswith("round 2: ")
    well(panel, "undo", "undo")
    assert panel.theta.tolist() == list(THETA)
    assert panel.now.lines == ()


def test_rounds_of_the_natural_gradient_learn_to_clear_rows():
    panel = PolicyPanel(steps=7)
    assert panel.now.lines[0] < 0.5
    assert panel.now.lines[-1] > 4 * panel.now.lines[0] + 1
    assert dict(zip(panel.labels, panel.theta, strict=True))["holes"] < 0


def test_a_round_that_was_begun_with_other_weights_is_dropped():
    panel = PolicyPanel(weights=THETA, episodes=2)
    compute = panel.compute

    def overtaken():
        found = compute()
        well(panel, ("moves", 1), "gradient")
        return found

    panel.compute = overtaken
    panel.step(1)
    assert panel.now.lines == ()
    assert len(panel.past) == 1


def test_a_policy_that_plays_on_and_on_is_cut_off():
    rules = tc.Rules(10, 20)
    weights = np.array(tc.PLAYERS["dellacherie"].weights) * 5
    episode = Episode(rules, tc.FEATURE_SETS["dellacherie"], 1, rules.empty_board()).played(weights)
    assert len(episode.turns) == 200
    assert samples_of([episode], np.ones(6)).ends[-1] == CUT
    limited = replace(episode, rules=replace(rules, max_pieces=7), turns=()).played(weights)
    assert len(limited.turns) == 7


# --- what it can be given -------------------------------------------------------------------------


def test_features_can_be_of_ones_own_or_have_a_value_for_each_column():
    def my_steps(move):
        return abs(move.column - 3)

    panel = PolicyPanel([my_steps, "holes"], "6x8")
    assert "my_steps" in part(panel, name="scaled")["options"]
    well(panel, "gradient", "finish", ("scaled", "my_steps"))
    wide = PolicyPanel("bertsekas", "6x8")
    well(wide, ("scaled", "column_heights"), "natural")
    assert wide.now.units.tolist() == [10.0] * 6 + [1.0] * 7
    assert len(wide.data["moves"]["columns"]) == 2 + 1 + 2  # move, π, before, max height, holes


def test_hard_policies_have_finite_numbers_and_words():
    panel = PolicyPanel(weights=1e4 * np.array(THETA))
    for event in ("likeliest", ("moves", 0), ("moves", 16), ("moves", int(panel.p.argmin()))):
        well(panel, event)
        json.dumps(panel.data, allow_nan=False)
        assert "inf" not in str(panel.data["about"])
        ElementTree.fromstring(panel.data["gradients"]["svg"])
    assert panel.now.entropy == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"weights": [1, 2]}, "weights has 2 numbers; it must have 5"),
        ({"weights": [1, 2, 3, 4, "x"]}, r"weights\[4\] is 'x'"),
        ({"episodes": 0}, "episodes is 0; it must be a whole number from 1 to 100"),
        ({"temperature": 0}, "temperature is 0; it must be a number at least 0.1 and at most 10"),
        ({"board": tc.Board.from_text("XXX.XX\n" * 6, height=6), "piece": "O"}, "O has no move there"),
    ],
)
def test_what_it_is_given_is_checked(options, said):
    with pytest.raises(InputError, match=said):
        PolicyPanel(**options)


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ("length", "far", "step size is 'far'"),
        ("temperature", 0, "temperature is 0; it must be a number at least 0.1"),
        ("scaled", "hole", "feature times 10 is 'hole'"),
        ("reward", "none", "reward is 'none'"),
        ("moves", 17, "move is 17; it must be a whole number from 0 to 16"),
        ("piece", "X", "piece is 'X'"),
        ("episodes", 0, "episodes a round is 0"),
    ],
)
def test_bad_input_becomes_a_message_and_changes_nothing(event, value, said):
    panel = PolicyPanel()
    now = panel.now
    tell(panel, event, value)
    assert said in panel.message["text"]
    assert panel.message["kind"] == "error"
    assert panel.now is now


def test_buttons_step_through_the_moves_and_find_the_likeliest():
    panel = PolicyPanel(weights=THETA)
    assert panel.now.chosen == panel.p.argmax()
    well(panel, ("bars", 16), "next")
    assert panel.now.chosen == 0
    well(panel, "previous")
    assert panel.now.chosen == 16
    well(panel, ("changes", 5), "likeliest")
    assert panel.now.chosen == panel.p.argmax()


def test_draws_of_uniform_numbers_reach_every_move():
    episode = PolicyPanel().home
    u = float(Draws(0, 0).uniform())
    assert 0 < u < 1
    assert episode.draw(np.array([0.0, 0.0, 1.0])) == 2
    assert episode.draw(np.array([1.0, 0.0, 0.0])) == 0
