"""The sampling panel without a page: its samples are of the player's games, and its intervals keep their promise."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

import tetriscourse as tc
from tetriscourse.errors import InputError
from tetriscourse.widgets import SamplingPanel

RULES = tc.Rules(6, 8)


def tell(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


@pytest.fixture(scope="module")
def pool():
    """The games that a panel with these rules draws from."""
    return tc.simulate(tc.PLAYERS["dellacherie"], RULES, games=1000, seed=3)


@pytest.fixture
def panel():
    """A panel before the first sample."""
    return SamplingPanel(rules=RULES, pool=1000, seed=3, samples=0)


def test_the_truth_is_the_mean_of_the_pool_which_simulate_plays(panel, pool):
    assert panel.pool.lines.tolist() == pool.lines.tolist()
    assert panel.truth == pool.mean


def test_a_sample_is_n_games_of_the_pool_and_the_interval_of_their_mean(panel, pool):
    tell(panel, "games", "7")
    tell(panel, "once")
    (sample,) = panel.samples
    assert len(sample.lines) == 7
    assert set(sample.lines) <= set(pool.lines)
    assert sample.mean == pytest.approx(sum(sample.lines) / 7)
    low, high = 2 * sum(sample.lines) / stats.chi2.ppf([0.975, 0.025], 14)
    assert (sample.low, sample.high) == pytest.approx((low, high))


def test_the_exact_interval_holds_the_truth_in_95_of_100_samples_and_the_normal_one_in_fewer(panel):
    held = {}
    for method in ("exact", "normal"):
        tell(panel, "method", method)
        for _ in range(10):
            tell(panel, "many")
        held[method] = panel.share_held
        assert panel.share_held == np.mean([s.low <= panel.truth <= s.high for s in panel.samples])
    assert abs(held["exact"] - 0.95) < 0.03
    assert held["normal"] < 0.92


@pytest.mark.parametrize("games", [4, 64])
def test_means_of_n_games_vary_by_one_over_the_root_of_n(games):
    panel = SamplingPanel(rules=RULES, pool=1000, games=games, samples=600)
    spread = np.std([sample.mean for sample in panel.samples]) / panel.truth
    assert spread == pytest.approx(panel.pool.sd / panel.truth / games**0.5, rel=0.1)
    assert f"1/√N is {100 / games**0.5:.0f} %" in panel.data["said"]["text"][1]


def test_samples_differ_and_the_same_seed_gives_the_same_ones():
    one, same, other = (SamplingPanel(rules=RULES, pool=200, seed=seed, samples=5) for seed in (1, 1, 2))
    means = [[sample.mean for sample in panel.samples] for panel in (one, same, other)]
    assert means[0] == means[1] != means[2]
    assert len(set(means[0])) == 5
    assert repr(one) == repr(same) != repr(other)


def test_what_is_said_counts_the_intervals_that_hold(panel):
    assert panel.data["said"]["text"] == ["No sample yet: press 'N games'."]
    assert np.isnan(panel.share_held)
    tell(panel, "many")
    held = sum(sample.low <= panel.truth <= sample.high for sample in panel.samples)
    assert f"{held} of 100 intervals so far ({held} %) hold it." in panel.data["said"]["text"][1]
    tell(panel, "clear")
    assert panel.data["buttons"]["clear"]["disabled"]


@pytest.mark.parametrize(("event", "value"), [("games", 3), ("method", "relative"), ("player", "tetrisbot")])
def test_another_setting_starts_over(panel, event, value):
    tell(panel, "many")
    tell(panel, event, value)
    assert panel.samples == []
    assert panel.data["choices"][event]["value"] == value


def test_another_player_has_a_pool_of_its_own(panel):
    tell(panel, "player", "tetrisbot")
    assert panel.truth == tc.simulate(tc.PLAYERS["tetrisbot"], RULES, games=1000, seed=3).mean


def test_a_player_of_ones_own_is_in_the_menu():
    own = tc.Player("dellacherie", weights=[-1, 1, -1, -1, -5, -1], name="mine")
    panel = SamplingPanel(own, RULES, pool=100)
    assert panel.data["choices"]["player"]["value"] == "mine"
    tell(panel, "player", "dellacherie")
    tell(panel, "player", "mine")
    assert panel.truth == tc.simulate(own, RULES, games=100, seed=1).mean


def test_charts_mark_the_intervals_that_miss(panel):
    tell(panel, "many")
    svg = panel.data["intervals"]["svg"]
    missed = sum(not sample.holds(panel.truth) for sample in panel.samples[-40:])
    assert missed > 0
    assert f"{missed} of them without the long-run mean" in svg
    dashed = [path for path in ElementTree.fromstring(svg).iter() if path.get("class") == "tc-interval"]
    assert sum("stroke-dasharray" in path.attrib for path in dashed) == missed
    assert len(dashed) == 40


def test_one_game_and_its_standard_deviation_say_nothing():
    panel = SamplingPanel(rules=RULES, pool=100, games=1, method="normal")
    assert "95 %: 0.00 to ∞: holds" in panel.data["said"]["text"][0]
    json.dumps(panel.data, allow_nan=False)


@pytest.mark.parametrize(
    ("event", "value", "said"),
    [
        ("games", "many", "games is 'many'; it must be a whole number from 1 to 400"),
        ("games", 401, "games is 401; it must be a whole number from 1 to 400"),
        ("method", "guess", "method is 'guess'"),
        ("player", "nobody", "player is 'nobody'"),
    ],
)
def test_bad_input_becomes_a_message(panel, event, value, said):
    tell(panel, event, value)
    assert said in panel.message["text"]
    assert panel.message["kind"] == "error"
    assert panel.games == 10


def test_games_that_do_not_end_or_never_clear_a_line_cannot_be_used():
    with pytest.raises(InputError, match="its games must end"):
        SamplingPanel(rules=tc.Rules(6, 8, max_pieces=10), pool=50)
