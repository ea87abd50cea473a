"""The panels of the genetic algorithm and of cross-entropy in JupyterLab: what is clicked and typed reaches both."""

import re

import pytest
from waiting import stays

CELLS = [
    "from tetriscourse.widgets import CrossEntropyPanel, GeneticPanel",
    "entropy = CrossEntropyPanel()\nentropy",
    "genetic = GeneticPanel()\ngenetic",
]


@pytest.fixture(scope="module")
def book(module_lab):
    """Both panels in one notebook."""
    return module_lab.open(CELLS)


def press(panel, name):
    """Click a button of a panel."""
    panel.get_by_role("button", name=name, exact=True).click()


def says(panel, text):
    """Wait until a panel shows a text; the descriptions of its pictures do not count."""
    panel.locator(".tc-text, .tc-message").get_by_text(text).first.wait_for()


def begin_anew(book, panel, name):
    """Reset, and wait until page and Python stand at the beginning."""
    press(panel, "Reset")
    book.wait_python(f"{name}.optimizer.iteration == 0 and not {name}.running")
    says(panel, re.compile("^0 (iterations|generations);"))


def test_a_step_by_click_changes_the_page_and_the_optimizer(book):
    panel = book.panel(0)
    dots = panel.locator(".tc-points path")
    before = dots.count()
    press(panel, "Step")
    book.wait_python("entropy.optimizer.iteration == 1 and not entropy.running", timeout=60)  # it may have to compile
    says(panel, "1 iteration, 300 games")
    assert dots.count() >= before + 100
    press(panel, "Step")
    book.wait_python("entropy.optimizer.iteration == 2")
    says(panel, "2 iterations, 600 games")


def test_three_phases_are_seen_one_by_one(book):
    panel = book.panel(0)
    begin_anew(book, panel, "entropy")
    box = panel.get_by_label("in three phases")
    box.check()
    for text in ("Sample: 100 candidates", "Elite: all have played; the best 10 of 100", "Fit: the distribution"):
        press(panel, "Step")
        says(panel, text)
    assert book.python("entropy.optimizer.iteration") == 1
    box.uncheck()
    book.wait_python("not entropy.three_phases")


def test_the_noise_is_set_by_menu_slider_and_keyboard(book):
    panel = book.panel(0)
    panel.get_by_role("combobox", name="noise").select_option("none")
    book.wait_python("entropy.optimizer.settings.noise.at(1) == 0")
    slider = panel.get_by_role("slider", name="its size")
    slider.focus()
    slider.press("End")
    book.wait_python("entropy.optimizer.settings.noise.at(1) == 10")
    slider.press("ArrowLeft")
    book.wait_python("entropy.optimizer.settings.noise.at(1) == 9.95")
    assert panel.get_by_role("combobox", name="noise").input_value() == "constant"


def test_bad_input_is_told_in_the_panel(book):
    panel = book.panel(0)
    book.run_python("entropy.receive({'event': 'size', 'value': 4})")
    field = panel.get_by_label("its size, exact")
    field.fill("a lot")
    field.press("Enter")
    says(panel, "size of the noise is 'a lot'")
    assert book.python("entropy.size") == 4
    field.fill("2")
    field.press("Enter")
    book.wait_python("entropy.size == 2")
    panel.get_by_text("size of the noise is").wait_for(state="hidden")


def test_members_mutation_and_a_family_of_the_genetic_algorithm(book):
    panel = book.panel(1)
    members = panel.get_by_role("textbox", name="members")
    members.fill("20")
    members.press("Enter")
    book.wait_python("genetic.optimizer.settings.population_size == 20")
    press(panel, "Step")
    book.wait_python("genetic.optimizer.iteration == 1 and not genetic.running", timeout=60)
    says(panel, "A random population of 20")
    press(panel, "Step")
    says(panel, "members had 6 children")
    child = panel.get_by_role("slider", name="child")
    child.focus()
    child.press("End")
    book.wait_python("genetic.child == 6")
    book.page.wait_for_function("() => document.querySelectorAll('.tc-arrow').length >= 2")
    mutation = panel.get_by_role("slider", name="mutation")
    mutation.focus()
    mutation.press("End")
    book.wait_python("genetic.optimizer.settings.proba_mutation == 1")
    assert book.python("genetic.optimizer.iteration") == 2


def test_both_run_at_once_and_pause_stops_each(book):
    panels = {"entropy": book.panel(0), "genetic": book.panel(1)}
    for name, panel in panels.items():
        begin_anew(book, panel, name)
        panel.get_by_label("speed").select_option("as fast as possible")
        press(panel, "Start")
    book.wait_python("entropy.optimizer.iteration >= 4 and genetic.optimizer.iteration >= 4", timeout=60)
    for name, panel in panels.items():
        press(panel, "Pause")
        book.wait_python(f"not {name}.running")
    stood = book.python("[entropy.optimizer.iteration, genetic.optimizer.iteration]")
    assert stays(lambda: book.python("[entropy.optimizer.iteration, genetic.optimizer.iteration]") == stood)
    book.run_python(
        "again = CrossEntropyPanel()\nagain.receive({'event': 'size', 'value': entropy.size})\n"
        "again.step(entropy.optimizer.iteration)"
    )
    assert book.python("(again.optimizer.mu == entropy.optimizer.mu).all().item()")
    assert book.cell_outputs() == []
    assert book.callback_outputs() == []
