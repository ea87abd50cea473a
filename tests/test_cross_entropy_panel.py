"""The cross-entropy panel drives the real optimizer, and what it draws is what the optimizer did."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from functions import assert_equal_bits
from waiting import wait_until

from tetriscourse.errors import InputError
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.cross_entropy import CROSS_ENTROPY, CrossEntropy, CrossEntropySettings, constant, linear
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.training import train
from tetriscourse.simulator import announcing, games
from tetriscourse.widgets.charts.chart import Chart
from tetriscourse.widgets.optimizing.cross_entropy import CrossEntropyPanel
from tetriscourse.widgets.optimizing.landscapes import LANDSCAPES, top_of
from tetriscourse.widgets.optimizing.noises import OWN, noise_of, schedule_of

GAMES = Objective("dellacherie", replace(RULES["6x12"], max_pieces=100), games=2)
SETTINGS = CrossEntropySettings(population=20, rho=0.2, iterations=30, noise=constant(1))


def made(objective=GAMES, settings=SETTINGS, **options):
    return CrossEntropyPanel(objective, settings, **options)


def tell(panel, event, value=None):
    panel.receive({"event": event, "value": value})
    return panel.message


def run_until(panels, condition):
    """Answer as a page would, until something has happened."""

    def happened():
        for panel in panels:
            panel.receive({"event": "shown", "value": panel.version})
        return condition()

    wait_until(happened)


# --- the real optimizer ---------------------------------------------------------------------------


def test_after_n_steps_the_optimizer_and_the_log_are_those_of_train():
    panel = made(seed=7, curve=3)
    panel.step(4)
    trained = train(CrossEntropy(6, replace(SETTINGS, iterations=4), seed=7), GAMES, curve=3, progress=False)
    assert_equal_bits(panel.optimizer.state(), trained.optimizer.state())
    assert_equal_bits(panel.training.log, trained.log)
    assert panel.player.weights == trained.player().weights


def test_three_phases_are_one_iteration():
    whole, phases = made(), made()
    whole.step(2)
    tell(phases, "phases", True)
    seen = []
    for _ in range(6):
        phases.step()
        seen.append((phases.phase, phases.optimizer.iteration))
    assert seen == [("sample", 0), ("elite", 0), ("fit", 1), ("sample", 1), ("elite", 1), ("fit", 2)]
    assert_equal_bits(phases.optimizer.state(), whole.optimizer.state())
    assert_equal_bits(phases.training.log, whole.training.log)


def test_what_is_changed_between_choosing_and_fitting_counts():
    panel = made()
    tell(panel, "phases", True)
    panel.step(2)
    tell(panel, "noise", "none")
    panel.step()
    assert panel.phase == "fit"
    assert panel.optimizer.history.last("noise") == 0


def test_a_step_on_a_landscape_comes_nearer_to_its_top():
    panel = made("sphere", settings="thiery-none", dimension=3)
    panel.step(12)
    np.testing.assert_allclose(panel.optimizer.favourite, top_of(3), atol=1e-3)
    assert LANDSCAPES["sphere"](top_of(3)) == 0


def test_any_function_of_a_vector_can_be_maximised():
    panel = made(lambda x: -abs(x[0] - 3) - abs(x[1] + 2), settings="thiery-none", curve=0)
    panel.step(30)
    np.testing.assert_allclose(panel.optimizer.favourite, [3, -2], atol=1e-3)


def test_reset_gives_the_same_run_again():
    panel = made()
    panel.step(3)
    first = panel.optimizer.state()
    tell(panel, "reset")
    assert panel.optimizer.iteration == 0
    panel.step(3)
    assert_equal_bits(panel.optimizer.state(), first)


# --- what it shows --------------------------------------------------------------------------------


def test_the_elite_that_is_marked_has_the_mean_that_the_distribution_gets():
    panel = made()
    panel.step(2)
    elite = panel.elite(panel.last)
    assert len(elite) == 4
    np.testing.assert_allclose(elite.mean(axis=0), panel.optimizer.mu)
    np.testing.assert_allclose(elite.var(axis=0) + 1, panel.optimizer.sigma2)


def test_a_full_covariance_is_drawn_as_a_slanted_ellipse_of_the_elite(monkeypatch):
    panel, drawn = made(settings=replace(SETTINGS, covariance="full")), []
    panel.step(2)
    monkeypatch.setattr(Chart, "ellipse", lambda chart, mean, covariance, *rest, **how: drawn.append(covariance))
    panel.cloud()
    elite = panel.elite(panel.last)[:, panel.axes]
    _, fitted, now = drawn
    np.testing.assert_allclose(fitted, np.cov(elite.T, bias=True), atol=1e-9)
    np.testing.assert_allclose(now, fitted + np.eye(2))
    assert abs(now[0, 1]) > 0.01


def test_an_elite_of_another_rho_is_no_longer_marked():
    panel = made()
    panel.step()
    assert "candidates, elite" in panel.data["key"]["svg"]
    tell(panel, "rho", 0.5)
    assert "candidates, elite" not in panel.data["key"]["svg"]
    panel.step()
    assert "candidates, elite" in panel.data["key"]["svg"]


def test_two_fresh_panels_show_the_same():
    one, two = CrossEntropyPanel(), CrossEntropyPanel()
    assert one.data == two.data
    assert repr(one) == repr(two)
    assert "0 iterations" in repr(one)


def test_every_chart_says_what_it_shows():
    panel = made()
    panel.step(2)
    said = {"cloud": "Fit: the distribution", "key": "Key: path", "sigma": "Standard dev", "curve": "Learning curve"}
    for name, words in said.items():
        assert f'aria-label="{words}' in panel.data[name]["svg"].replace("Candidates by two weights. ", "")


def test_the_weights_that_are_drawn_can_be_chosen():
    panel = made(weights=("holes", "wells"))
    assert [panel.labels[axis] for axis in panel.axes] == ["holes", "wells"]
    tell(panel, "across", "eroded_cells")
    assert [panel.labels[axis] for axis in panel.axes] == ["eroded_cells", "wells"]
    tell(panel, "goal", "sphere")
    assert panel.labels == ("x1", "x2")
    assert panel.axes == [0, 1]
    assert panel.data["axes"]["across"]["options"] == ["x1", "x2"]


# --- controls -------------------------------------------------------------------------------------


def test_the_noise_of_the_controls_is_that_of_the_optimizer_at_once():
    panel = made()
    panel.step()
    tell(panel, "size", "2.5")
    assert panel.optimizer.settings.noise == constant(2.5)
    panel.step()
    assert panel.optimizer.history["noise"].tolist() == [1, 2.5]
    tell(panel, "noise", "linear")
    assert panel.optimizer.settings.noise == linear(2.5, 20)
    tell(panel, "noise", "none")
    assert panel.optimizer.settings.noise.at(1) == 0
    tell(panel, "size", 3)
    assert panel.optimizer.settings.noise == constant(3)
    tell(panel, "reset")
    assert panel.optimizer.settings.noise == constant(3)


def test_rho_changes_the_elite_at_once_and_stays_after_a_reset():
    panel = made()
    tell(panel, "rho", 0.5)
    assert panel.optimizer.parents(20) == 10
    tell(panel, "reset")
    assert panel.optimizer.parents(20) == 10


@pytest.mark.parametrize("name", CROSS_ENTROPY)
def test_the_controls_show_the_noise_of_the_papers(name):
    settings = CROSS_ENTROPY[name]
    schedule, size = schedule_of(settings.noise)
    assert [noise_of(schedule, size).at(t) for t in (1, 7, 60)] == [settings.noise.at(t) for t in (1, 7, 60)]


def test_a_noise_of_ones_own_is_kept_until_another_is_chosen():
    panel = made(settings=replace(SETTINGS, noise=lambda t: 8 / t))
    assert panel.schedule == OWN
    panel.step(2)
    assert panel.optimizer.history["noise"].tolist() == [8, 4]
    tell(panel, "noise", "constant")
    panel.step()
    assert panel.optimizer.history.last("noise") == 4


@pytest.mark.parametrize(
    ("event", "value", "words"),
    [
        ("size", "much", "size of the noise is 'much'"),
        ("size", "-1", "size of the noise is -1"),
        ("rho", "0", "elite (rho) is 0"),
        ("rho", "nan", "elite (rho) is nan"),
        ("noise", "loud", "noise is 'loud'"),
        ("across", "colour", "across is 'colour'"),
        ("view", "far", "show is 'far'"),
        ("goal", "the moon", "goal is 'the moon'"),
        ("dance", None, "no such control"),
    ],
)
def test_bad_input_is_told_in_the_panel_and_changes_nothing(event, value, words):
    panel = made()
    panel.step()
    before, data = panel.optimizer.settings, panel.data
    message = tell(panel, event, value)
    assert message["kind"] == "error"
    assert words in message["text"]
    assert panel.optimizer.settings == before
    assert panel.data == data


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"objective": 5}, "objective is 5"),
        ({"objective": "rocks"}, "objective is 'rocks'"),
        ({"settings": "best"}, "settings is 'best'"),
        ({"seed": -1}, "seed is -1"),
        ({"dimension": 1}, "dimension is 1"),
        ({"weights": ("holes", "doors")}, "weights is 'doors'"),
        ({"weights": "holes"}, "weights is 'holes'"),
        ({"curve": -1}, "curve is -1"),
        ({"steps": 0.5}, "steps is 0.5"),
    ],
)
def test_a_panel_that_cannot_be_says_why(options, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        CrossEntropyPanel(**{"objective": GAMES, **options})


# --- in the background ----------------------------------------------------------------------------


class Gate:
    """A function of a vector that waits until it is opened."""

    def __init__(self):
        self.begun, self.open = threading.Event(), threading.Event()

    def __call__(self, x):
        self.begun.set()
        assert self.open.wait(20)
        return -float(np.square(x).sum())


def test_pause_drops_the_iteration_that_is_being_played():
    gate = Gate()
    panel = made(gate)
    tell(panel, "start")
    thread = panel.worker._thread
    assert gate.begun.wait(20)
    tell(panel, "pause")
    assert not panel.running
    gate.open.set()
    thread.join(20)
    assert panel.optimizer.iteration == 0
    assert panel.message["text"] == ""
    panel.step(2)
    other = made(gate)
    other.step(2)
    assert_equal_bits(panel.optimizer.state(), other.optimizer.state())


def test_reset_while_it_plays_begins_anew():
    gate = Gate()
    panel = made(gate)
    tell(panel, "start")
    thread = panel.worker._thread
    assert gate.begun.wait(20)
    tell(panel, "goal", "sphere")
    gate.open.set()
    thread.join(20)
    assert panel.optimizer.iteration == 0
    assert panel.goal == "sphere"


def test_the_first_step_says_that_it_compiles_and_leaves_the_page_alone(monkeypatch):
    monkeypatch.setattr(games, "prepared", set())
    monkeypatch.setattr(announcing, "_compiled", set())
    monkeypatch.setattr(announcing, "first_start", lambda: None)
    panel, said = made(), []
    panel.observe(lambda _: said.append(panel.message["text"]), "version")
    tell(panel, "step")
    wait_until(lambda: panel.optimizer.iteration == 1 and not panel.running)
    assert any(text.startswith("Compiling the simulator") for text in said)
    assert panel.message["text"] == ""
    tell(panel, "step")  # from now on at once
    assert panel.optimizer.iteration == 2


def test_the_menu_names_the_games_rightly():
    weights = {name: goal.dimension for name, goal in CrossEntropyPanel().goals.items() if isinstance(goal, Objective)}
    assert weights == {"10x10, 21 weights": 21, "6x12, 6 weights": 6}


def test_two_panels_at_once_do_not_disturb_each_other(capfd):
    panels = made(seed=1), made(seed=2)
    for panel in panels:
        tell(panel, "speed", "as fast as possible")
        tell(panel, "start")
    run_until(panels, lambda: all(panel.optimizer.iteration >= 5 for panel in panels))
    for panel in panels:
        tell(panel, "pause")
        alone = made(seed=panel.seed)
        alone.step(panel.optimizer.iteration)
        assert_equal_bits(panel.optimizer.state(), alone.optimizer.state())
    assert capfd.readouterr() == ("", "")


def test_it_stops_by_itself_when_the_optimizer_does():
    panel = made("sphere", settings=replace(SETTINGS, iterations=3))
    tell(panel, "speed", "as fast as possible")
    tell(panel, "start")
    run_until([panel], lambda: not panel.running)
    assert panel.optimizer.iteration == 3
    assert "all 3 iterations are done" in panel.data["status"]["text"]
    assert panel.data["run"]["start"]["disabled"]


def test_an_objective_that_fails_is_told_in_the_panel():
    def broken(x):
        raise ZeroDivisionError("it divides by zero")

    panel = made(broken)
    panel.step()
    assert panel.message == {"text": "ZeroDivisionError: it divides by zero", "kind": "error"}
    assert panel.optimizer.iteration == 0


def test_a_closed_panel_leaves_no_thread():
    panel = made("sphere")
    tell(panel, "start")
    thread = panel.worker._thread
    panel.close()
    thread.join(20)
    assert not thread.is_alive()


# --- what to try ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("elite", "where"), [(0.1, [0.2, 0.2]), (0.02, [0.7, 0.4])])
def test_on_two_hills_with_linear_noise_a_small_elite_finds_the_higher_one(elite, where):
    panel = CrossEntropyPanel("two hills")
    for event, value in (("noise", "linear"), ("rho", elite), ("reset", None)):
        tell(panel, event, value)
    panel.step(60)
    np.testing.assert_allclose(panel.optimizer.favourite, where, atol=0.05)


def test_a_landscape_of_two_numbers_has_contour_lines():
    assert CrossEntropyPanel("two hills").data["cloud"]["svg"].count("tc-contour") == 7
    assert "tc-contour" not in CrossEntropyPanel("two hills", dimension=3).data["cloud"]["svg"]
