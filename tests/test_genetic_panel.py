"""The genetic panel drives the real algorithm, and says rightly who had whom and who stayed."""

import json
import threading
from dataclasses import replace

import numpy as np
import pytest
from functions import assert_equal_bits

from tetriscourse.errors import InputError
from tetriscourse.game.rules import RULES
from tetriscourse.optimizers.genetic import GeneticAlgorithm, GeneticSettings, to_bits
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.training import train
from tetriscourse.widgets.optimizing.genetic import GeneticPanel
from tetriscourse.widgets.optimizing.landscapes import top_of

GAMES = Objective("tetrisbot", replace(RULES["tetrisbot"], max_pieces=50), games=2, signs="usual")
SETTINGS = GeneticSettings(population_size=12, iterations=20, normalisation="L2")
KINDS = {
    "float": SETTINGS,
    "binary": replace(SETTINGS, encoding="binary", normalisation="none", nb_bits=6),
    "by gene": replace(SETTINGS, mutation="gene"),
    "elitism": replace(SETTINGS, replacement="elitism", elitism_percentage=0.3, selection="wheel"),
    "renewal": replace(SETTINGS, replacement="renewal"),
    "scored again": replace(SETTINGS, reevaluate=True),
    "elite scored again": replace(SETTINGS, replacement="elitism", elitism_percentage=0.3, reevaluate=True),
}


def made(objective=GAMES, settings=SETTINGS, **options):
    return GeneticPanel(objective, settings, **options)


def tell(panel, event, value=None):
    panel.receive({"event": event, "value": value})
    return panel.message


# --- the real algorithm ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_after_n_steps_the_optimizer_and_the_log_are_those_of_train(kind):
    panel = made(settings=KINDS[kind], seed=5, curve=2)
    panel.step(4)
    optimizer = GeneticAlgorithm(4, replace(KINDS[kind], iterations=3), seed=5)
    trained = train(optimizer, GAMES, curve=2, progress=False)
    assert_equal_bits(panel.optimizer.state(), trained.optimizer.state())
    assert_equal_bits(panel.training.log, trained.log)
    assert panel.player.weights == trained.player().weights


def test_reset_gives_the_same_run_again():
    panel = made()
    panel.step(3)
    first = panel.optimizer.state()
    tell(panel, "reset")
    assert panel.generation is None
    panel.step(3)
    assert_equal_bits(panel.optimizer.state(), first)


def test_on_a_landscape_vectors_are_not_normalised_and_the_top_is_found():
    panel = made("sphere", settings=replace(SETTINGS, population_size=60, proba_mutation=0.5, iterations=60))
    assert panel.optimizer.settings.normalisation == "none"
    panel.step(40)
    np.testing.assert_allclose(panel.optimizer.favourite, top_of(2), atol=0.05)


# --- who had whom, who stayed ---------------------------------------------------------------------


def rows(members):
    """Vectors in an order that does not depend on theirs."""
    return sorted(map(tuple, np.asarray(members).tolist()))


@pytest.mark.parametrize("kind", KINDS)
def test_the_new_population_is_those_who_stayed_and_those_who_came_in(kind):
    panel = made(settings=KINDS[kind])
    for _ in range(5):
        panel.step()
        one = panel.generation
        there = np.concatenate([one.old[one.stayed], one.children[one.entered]])
        assert rows(there) == rows(panel.optimizer.population)
        assert len(set(one.stayed)) + len(set(one.entered)) == 12


def test_the_first_generation_has_no_parents():
    panel = made()
    panel.step()
    assert len(panel.generation.old) == 0
    assert len(panel.generation.couples) == 0
    assert panel.generation.entered.tolist() == np.argsort(-panel.last.scores, kind="stable").tolist()
    assert "random population of 12" in panel.data["happened"]["text"]


def test_without_mutation_every_child_lies_between_the_parents_that_are_shown():
    panel = made("two hills", settings=replace(SETTINGS, proba_mutation=0))
    panel.step(2)
    one = panel.generation
    assert len(one.couples) == len(one.children) == 3
    for child, (p, q) in zip(one.children, one.old[one.couples], strict=True):
        assert np.linalg.norm(child - p) + np.linalg.norm(child - q) == pytest.approx(np.linalg.norm(p - q))


def test_without_mutation_every_bit_of_a_child_is_one_of_its_parents():
    panel = made(settings=replace(KINDS["binary"], proba_mutation=0, replacement="renewal"))
    panel.step(3)
    one = panel.generation
    assert len(one.couples) == len(one.children) == 24
    children, parents = to_bits(one.children, 6), to_bits(one.old[one.couples], 6)
    assert ((children == parents[:, 0]) | (children == parents[:, 1])).all()
    assert (children != parents[:, 0]).any()


def test_the_winner_of_a_tournament_of_all_is_always_a_parent():
    panel = made("two hills", settings=replace(SETTINGS, percentage_for_tournament=1.0))
    panel.step(2)
    assert panel.generation.times_parent.tolist() == [3, 3] + [0] * 10


def test_a_child_is_counted_for_both_parents():
    panel = made()
    panel.step(3)
    assert panel.generation.times_parent.sum() == 2 * len(panel.generation.children)


# --- what it shows --------------------------------------------------------------------------------


def test_two_fresh_panels_show_the_same():
    one, two = GeneticPanel(), GeneticPanel()
    assert one.data == two.data
    assert repr(one) == repr(two)
    assert "0 generations" in repr(one)


def test_the_board_is_that_of_the_game_which_the_favourite_plays():
    from tetriscourse.games import play_game

    panel = made()
    assert panel.favourite_board() is None
    panel.step(2)
    game = play_game(panel.player, replace(GAMES.rules, max_pieces=60), 0, 0)
    end = game.moves[-1]
    assert panel.favourite_board() == (end.before if end.loses else end.after)
    tell(panel, "goal", "sphere")
    panel.step()
    assert panel.favourite_board() is None


def test_a_family_is_drawn_on_demand():
    panel = made()
    panel.step()
    assert tell(panel, "child", 1)["kind"] == "error"  # the random population has no parents
    panel.step()
    assert "tc-arrow" not in panel.data["scatter"]["svg"]
    tell(panel, "child", 2)
    assert panel.data["scatter"]["svg"].count("tc-arrow") == 2
    assert "child 2" in panel.data["scatter"]["svg"]
    tell(panel, "child", 0)
    assert "tc-arrow" not in panel.data["scatter"]["svg"]


def test_a_large_population_is_shown_in_part_and_the_page_gets_little():
    panel = made("sphere", settings=replace(SETTINGS, population_size=2000), dimension=20)
    panel.step(2)
    assert "the first 30 of 2000" in panel.data["population"]["svg"]
    assert len(json.dumps(panel.data)) < 60_000


# --- controls -------------------------------------------------------------------------------------


def test_mutation_and_selection_take_effect_from_the_next_generation_on():
    panel = made()
    panel.step(2)
    tell(panel, "mutation", "0.75")
    tell(panel, "selection", "wheel")
    assert panel.optimizer.iteration == 2
    assert panel.optimizer.settings.proba_mutation == 0.75
    assert panel.optimizer.settings.selection == "wheel"
    tell(panel, "reset")
    assert panel.optimizer.settings.proba_mutation == 0.75
    assert panel.optimizer.settings.selection == "wheel"


def test_encoding_members_and_scoring_again_begin_anew():
    panel = made()
    for event, value in (("encoding", "binary"), ("size", "30"), ("again", True), ("encoding", "float")):
        panel.step(2)
        assert tell(panel, event, value)["text"] == ""
        assert panel.optimizer.iteration == 0
    settings = panel.optimizer.settings
    assert (settings.encoding, settings.population_size, settings.reevaluate) == ("float", 30, True)
    assert settings.normalisation == "L2"


def test_floats_that_mutate_by_gene_do_so_again_after_a_look_at_bits():
    panel = made("sphere", settings=replace(SETTINGS, mutation="gene"))
    assert tell(panel, "encoding", "binary")["text"] == ""
    assert (panel.settings.encoding, panel.settings.mutation) == ("binary", "vector")
    tell(panel, "encoding", "float")
    assert (panel.settings.mutation, panel.settings.normalisation) == ("gene", SETTINGS.normalisation)


def test_what_changes_while_children_play_does_not_change_them():
    begun, go = threading.Event(), threading.Event()

    def slow(x):
        begun.set()
        assert go.wait(20)
        return float(x[0])

    panel = made(slow)
    go.set()
    panel.step(2)
    go.clear()
    begun.clear()
    tell(panel, "start")
    thread = panel.worker._thread
    assert begun.wait(20)
    tell(panel, "selection", "wheel")
    assert panel.optimizer.iteration == 2
    go.set()
    while panel.optimizer.iteration == 2:
        assert thread.is_alive()
    tell(panel, "pause")
    same = made(slow)
    same.step(3)
    assert_equal_bits(panel.optimizer.state(), same.optimizer.state())


@pytest.mark.parametrize(
    ("event", "value", "words"),
    [
        ("mutation", "often", "mutation is 'often'"),
        ("mutation", "2", "mutation is 2"),
        ("selection", "lottery", "selection is 'lottery'"),
        ("encoding", "morse", "encoding is 'morse'"),
        ("size", "1", "members is 1"),
        ("size", "2.5", "members is 2.5"),
        ("size", "100000", "members is 100000"),
        ("child", 99, "child is 99"),
        ("view", "far", "axes is 'far'"),
        ("up", "colour", "up is 'colour'"),
    ],
)
def test_bad_input_is_told_in_the_panel_and_changes_nothing(event, value, words):
    panel = made()
    panel.step(2)
    settings, data = panel.optimizer.settings, panel.data
    message = tell(panel, event, value)
    assert message["kind"] == "error"
    assert words in message["text"]
    assert panel.optimizer.settings == settings
    assert panel.data == data


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"objective": Objective("tetrisbot", GAMES.rules)}, "signs is empty"),
        ({"objective": None, "settings": 3}, "settings is 3"),
        ({"weights": ("holes",)}, "weights is "),
        ({"seed": "x"}, "seed is 'x'"),
    ],
)
def test_a_panel_that_cannot_be_says_why(options, words):
    with pytest.raises(InputError, match=words):
        GeneticPanel(**{"objective": GAMES, **options})


# --- what to try ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_on_the_sphere_a_little_mutation_comes_closer_than_none_and_than_much():
    below, diversity = {}, {}
    for mutation in (0, 0.05, 1):
        panel = GeneticPanel("sphere")
        tell(panel, "mutation", mutation)
        panel.step(40)
        below[mutation] = -panel.optimizer.history.last("population_best")
        diversity[mutation] = panel.optimizer.history.last("diversity")
    assert below[0.05] < below[0] / 100
    assert below[0.05] < below[1] / 100
    assert diversity[1] > 1000 * max(diversity[0], diversity[0.05])
