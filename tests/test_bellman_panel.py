"""The Bellman panel shows what the library computes, sweep by sweep, and lets the world be changed."""

import re
from itertools import islice

import numpy as np
import pytest

from tetriscourse.errors import InputError
from tetriscourse.game.rules import RULES
from tetriscourse.mdp.finite.process import FiniteMDP
from tetriscourse.mdp.finite.solving import improvements, policy_iteration, sweeps, value_iteration
from tetriscourse.mdp.finite.worlds import GRIDS, WORLDS, grid_world, pile
from tetriscourse.widgets.deciding.bellman import METHODS, BellmanPanel


def tell(panel, event, value=None):
    """An event as the page would report it."""
    panel.receive({"event": event, "value": value})


def finished(panel, most=2000):
    """The panel, stepped until there is nothing left to do."""
    for _ in range(most):
        if panel.is_over():
            return panel
        tell(panel, "step")
    raise AssertionError(panel.status())


def arrows(panel):
    """The large marks in the map, row by row."""
    return re.findall(r">([↑→↓←·GP])<", panel.data["map"]["svg"])


# --- it is the library's own method --------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("world", [*WORLDS, "tetris"])
def test_n_steps_are_n_sweeps_of_the_library_bit_for_bit(world):
    panel = BellmanPanel(world)
    expected = list(islice(sweeps(panel.mdp), 5))
    for v in expected:
        tell(panel, "step")
        assert np.array_equal(panel.v, v)
    assert panel.count == 5
    assert not panel.message["text"]


@pytest.mark.parametrize("world", WORLDS)
def test_policy_iteration_shows_the_librarys_improvements_and_ends_with_them(world):
    panel = finished(BellmanPanel(world, "policy iteration"))
    expected = list(improvements(WORLDS[world]))
    assert panel.count == len(expected)
    assert np.array_equal(panel.v, expected[-1])
    assert np.array_equal(panel.policy, policy_iteration(WORLDS[world]).policy)


@pytest.mark.parametrize("world", WORLDS)
def test_when_it_says_that_it_is_done_the_values_are_as_good_as_exact(world):
    panel = finished(BellmanPanel(world))
    assert abs(panel.v - value_iteration(WORLDS[world], 1e-12).V).max() < 1e-6


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("world", ["corner", "pile", "dice"])
def test_the_bound_is_never_below_the_error(world, method):
    best = value_iteration(WORLDS[world], 1e-12).V
    panel = BellmanPanel(world, method)
    while not panel.is_over():
        panel.step()
        assert abs(panel.v - best).max() <= panel.bound + 1e-11
    assert len(panel.bounds) == len(panel.changes) == panel.count


def test_the_first_sweep_changes_only_the_cells_from_which_a_reward_can_be_reached():
    panel = BellmanPanel("corner", steps=1)
    cells = dict(zip(GRIDS["corner"].cells, panel.v, strict=True))
    assert cells[0, 2] > 0.7  # beside the goal
    assert cells[2, 0] == pytest.approx(-0.04)  # far away: only the living cost
    assert panel.found.strongest[GRIDS["corner"].cells.index((0, 2))]


# --- what is shown -------------------------------------------------------------------------------


def test_an_arrow_is_drawn_only_where_actions_differ_and_then_it_is_the_policys():
    panel = BellmanPanel("corner")
    near = {(0, 2), (1, 2), (2, 3)}  # beside the goal or the pit: all else is as good as anything
    cells = [(r, c) for r, c in GRIDS["corner"].cells if GRIDS["corner"].rows[r][c] == "."]
    marks = [mark for mark in arrows(panel) if mark not in "GP"]
    assert {cell for cell, mark in zip(cells, marks, strict=True) if mark != "·"} == near
    finished(panel)
    drawn = "".join(arrows(panel))
    assert drawn == GRIDS["corner"].arrows(panel.policy).replace("\n", "").replace("#", "")


def test_the_numbers_in_the_cells_are_the_values():
    panel = finished(BellmanPanel("corner"))
    numbers = re.findall(r">(−?\d\.\d\d)<", panel.data["map"]["svg"])
    floor = [v for v, (r, c) in zip(panel.v, panel.grid.cells, strict=True) if panel.grid.rows[r][c] == "."]
    assert numbers == [f"{v:.2f}".replace("-", "−") for v in floor]


def test_a_decision_is_marked_when_it_changes_and_only_then():
    panel = BellmanPanel("rooms", steps=10)
    for _ in range(20):
        before, decided = panel.policy, panel.found.decided
        panel.step()
        changed = panel.found.turned
        assert not (changed & decided & (panel.policy == before)).any()
    finished(panel)
    assert not panel.found.turned.any()


@pytest.mark.parametrize("world", [*WORLDS, "tetris"])
def test_what_is_sent_is_small_and_the_same_every_time(world):
    first, second = BellmanPanel(world, steps=5), BellmanPanel(world, steps=5)
    assert first.data == second.data
    assert len(str(first.data)) < 60_000
    assert repr(first) == repr(second)
    assert "sweep 5" in repr(first)


def test_of_tetris_the_boards_after_one_and_two_pieces_are_shown_by_value():
    panel = BellmanPanel("tetris", steps=30)
    assert panel.tetris.rules.bag == RULES["domino"].bag
    shown_values = [float(text) for text in re.findall(r">(?:● )?(\d+\.\d\d)<", panel.data["map"]["svg"])]
    assert len(shown_values) == 13
    assert shown_values[0] == pytest.approx(panel.v[panel.tetris.start.argmax()], abs=0.005)
    assert shown_values[1:7] == sorted(shown_values[1:7], reverse=True)


# --- the controls --------------------------------------------------------------------------------


def test_reset_gives_the_same_run_again():
    panel = BellmanPanel("bridge", steps=9)
    first = panel.v
    tell(panel, "reset")
    assert panel.count == 0
    assert not panel.v.any()
    panel.step(9)
    assert np.array_equal(panel.v, first)


def test_a_slider_makes_the_world_anew_and_takes_as_many_sweeps_in_it():
    panel = BellmanPanel("corner", steps=8)
    for event, value in (("gamma", 0.5), ("slip", "0.1"), ("cost", "0.1")):
        tell(panel, event, value)
        assert not panel.message["text"]
    world = grid_world("...G .#.P ....", 0.5, 0.1, 0.1)
    assert panel.count == 8
    assert np.array_equal(panel.v, next(islice(sweeps(world.mdp), 7, None)))
    assert panel.data["sliders"]["slip"]["value"] == 0.1


def test_a_world_that_was_solved_is_solved_again_after_a_change():
    panel = finished(BellmanPanel("corner"))
    tell(panel, "slip", 0)
    assert panel.is_over()
    tell(panel, "slip", 0.3)
    assert panel.is_over()
    assert abs(panel.v - value_iteration(grid_world("...G .#.P ....", 0.99, 0.3).mdp).V).max() < 1e-6


def test_a_process_without_a_grid_has_only_gamma():
    panel = BellmanPanel("pile", steps=3)
    assert panel.data["sliders"]["slip"]["disabled"]
    tell(panel, "gamma", 0.5)
    assert np.array_equal(panel.v, next(islice(sweeps(pile(0.5)), 2, None)))


def test_a_gamma_with_which_values_could_be_infinite_is_refused_in_words():
    panel = BellmanPanel("corner", steps=4)
    before = panel.v
    tell(panel, "gamma", 1)
    assert "can go on for ever" in panel.message["text"]
    assert panel.message["kind"] == "error"
    assert panel.gamma == 0.99
    assert np.array_equal(panel.v, before)
    for wrong in ("x", 2, -0.1, None):
        tell(panel, "gamma", wrong)
        assert panel.message["text"].startswith("gamma is")


def test_when_nothing_is_left_to_change_the_status_says_so_and_no_bound():
    panel = BellmanPanel("bridge")
    tell(panel, "slip", 0)
    panel.step(1000)
    assert panel.bound == 0
    assert "off by more than" not in panel.status()
    assert panel.status().endswith("nothing is left to change")


def test_a_world_can_be_drawn_and_a_bad_drawing_changes_nothing():
    panel = BellmanPanel("corner", steps=4)
    tell(panel, "drawing", "..G ..P")
    assert panel.world == "yours"
    assert panel.count == 0
    assert panel.grid.rows == ("..G", "..P")
    assert "yours" in panel.data["choice"]["world"]["options"]
    for wrong in ("..G .P", "..X", "", "GGG"):
        tell(panel, "drawing", wrong)
        assert panel.message["kind"] == "error"
        assert panel.message["text"].startswith("drawing ")
        assert panel.grid.rows == ("..G", "..P")
    tell(panel, "world", "corner")
    tell(panel, "world", "yours")
    assert panel.grid.rows == ("..G", "..P")


def test_menus_take_the_names_they_have_and_no_others():
    panel = BellmanPanel("corner", steps=3)
    tell(panel, "method", "policy iteration")
    assert (panel.method, panel.count) == ("policy iteration", 0)
    tell(panel, "world", "dice")
    assert (panel.world, panel.gamma) == ("dice", 1.0)
    for event in ("world", "method"):
        tell(panel, event, "nothing")
        assert panel.message["text"].startswith(f"{event} is 'nothing'")
    assert (panel.world, panel.method) == ("dice", "policy iteration")


def test_a_process_of_ones_own_is_solved_too_even_a_large_one():
    small = FiniteMDP.from_table({"a": {"go": [(1, 1, "b")]}, "b": {}}, 0.9)
    assert finished(BellmanPanel(small)).v.tolist() == [1, 0]
    table = {str(k): {"on": [(0.5, 0, str(k + 1)), (0.5, 0, str(k))]} for k in range(40)}
    large = FiniteMDP.from_table(table | {"40": {"win": [(1, 1, "over")]}, "over": {}}, 0.9)
    panel = BellmanPanel(large, steps=50)
    assert np.array_equal(panel.v, next(islice(sweeps(large), 49, None)))


def test_what_is_no_world_is_refused_at_once():
    for wrong in ("corne", 3, None, [[1]]):
        with pytest.raises(InputError, match=r"^world is"):
            BellmanPanel(wrong)
    with pytest.raises(InputError, match=r"^method is"):
        BellmanPanel("corner", "guessing")
    with pytest.raises(InputError, match=r"^steps is"):
        BellmanPanel("corner", steps=-1)
