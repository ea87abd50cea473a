"""The panels of Bellman, Q-learning and deep Q-learning in JupyterLab: what is pressed there happens in Python."""

import pytest

SETUP = "from tetriscourse.widgets import BellmanPanel, DeepQPanel, QLearningPanel"
CELLS = [
    SETUP,
    "bellman = BellmanPanel()\nbellman",
    "q = QLearningPanel()\nq",
    "deep = DeepQPanel(memory=256, hidden=(16,))\ndeep",
]


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook with the three panels."""
    return module_lab.open(CELLS)


def press(panel, name):
    """Press a button."""
    panel.get_by_role("button", name=name, exact=True).click()


def silent(book):
    """Nothing is printed, below cells or from callbacks."""
    return (book.cell_outputs(), book.callback_outputs()) == ([], [])


def test_values_flow_a_sweep_a_step_and_a_slider_changes_the_world(book):
    panel = book.panel(0)
    for _ in range(3):
        press(panel, "Step")
    book.wait_python("bellman.count == 3")
    panel.get_by_text("sweep 3 changed values by").wait_for()
    assert panel.locator(".tc-frames").get_attribute("d")
    gamma = panel.get_by_label("gamma", exact=True)
    gamma.focus()
    for _ in range(10):
        gamma.press("ArrowLeft")
    book.wait_python("bellman.gamma == 0.89 and bellman.count == 3")
    panel.get_by_label("method").select_option("policy iteration")
    press(panel, "Start")
    panel.get_by_text("the values are exact to 6 decimals").wait_for()
    book.wait_python("not bellman.running")
    assert panel.get_by_role("button", name="Step", exact=True).is_disabled()
    assert silent(book)


def test_a_world_can_be_drawn_and_a_bad_one_is_explained(book):
    panel = book.panel(0)
    field = panel.get_by_label("drawing")
    field.fill("..G .?P")
    field.press("Enter")
    panel.get_by_text("drawing contains '?'").wait_for()
    assert book.python("bellman.world") == "corner"
    field.fill("..G ..P")
    field.press("Enter")
    book.wait_python("bellman.world == 'yours' and list(bellman.grid.rows) == ['..G', '..P']")
    panel.locator(".tc-message").wait_for(state="hidden")
    press(panel, "Step")
    panel.get_by_text("improvement 1").wait_for()
    assert panel.locator(".tc-heat text").count() >= 6
    assert silent(book)


def test_q_learning_runs_until_it_is_proved_to_play_without_end_and_the_cycle_is_replayed(book):
    panel = book.panel(1)
    panel.get_by_label("stop when proved").check()
    press(panel, "Start")
    panel.get_by_text("plays without end: after").wait_for(timeout=60_000)
    book.wait_python("not q.running and bool(q.proof)")
    done = book.python("q.learner.done")
    panel.get_by_text(f"episode {done:,}: epsilon").wait_for()
    film = panel.locator(".tc-film").nth(1)
    where = film.get_by_label("Position in the proof")
    seen = int(where.input_value())
    book.page.wait_for_function(
        "([element, seen]) => Number(element.value) !== seen", arg=[where.element_handle(), seen]
    )
    film.get_by_label("Play or pause the proof").click()
    where.focus()
    where.press("Home")
    cycle = book.python("len(q.proof.before) + len(q.proof.cycle)")
    film.get_by_text(f"1 of {cycle}: ").wait_for()
    where.press("End")
    film.get_by_text("the cycle is closed").wait_for()
    press(panel, "Reset")
    book.wait_python("q.learner.done == 0 and q.proof is None")
    panel.get_by_text("nothing learned yet").wait_for()
    assert silent(book)


def test_a_step_of_q_learning_is_the_number_of_episodes_that_the_menu_says(book):
    panel = book.panel(1)
    panel.get_by_label("stop when proved").uncheck()
    panel.get_by_label("episodes at a time").select_option("1000")
    press(panel, "Step")
    book.wait_python("q.learner.done == 1000 and not q.running")
    panel.get_by_text("episode 1,000: epsilon").wait_for()
    alpha = panel.get_by_label("alpha, exact")
    alpha.fill("7")
    alpha.press("Enter")
    panel.get_by_text("alpha is 7").wait_for()
    alpha.fill("0.2")
    alpha.press("Enter")
    panel.get_by_text("Press Reset to start over").wait_for()
    assert book.python("(q.settings.alpha, q.learner.settings.alpha)") == [0.2, 0.1]
    assert silent(book)


def test_deep_q_learning_fills_its_memory_then_learns_and_pauses(book):
    panel = book.panel(2)
    panel.get_by_label("speed").select_option("as fast as possible")
    press(panel, "Step")
    panel.get_by_text("random play, 64 experiences").wait_for()
    press(panel, "Start")
    panel.get_by_text("loss 0.").first.wait_for(timeout=60_000)
    press(panel, "Pause")
    book.wait_python("not deep.running and deep.learner.t == deep.snapshot.t and deep.learner.t > 0")
    panel.get_by_text(f"step {book.python('deep.snapshot.t'):,}: ").wait_for()
    assert book.python("deep.data['strip']['svg'].count('v11')") == 32
    batch = panel.get_by_role("textbox", name="batch")
    batch.fill("none")
    batch.press("Enter")
    panel.get_by_text("batch is 'none'").wait_for()
    assert silent(book)
