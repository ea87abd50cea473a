"""CMA-ES and racing in a real notebook: buttons and fields drive the optimizers that Python has."""

import pytest

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import CMAESPanel, RacePanel"
CMA = "cma = CMAESPanel(seed=1)\ncma"
RACE = "race = RacePanel(seed=1)\nrace"


@pytest.fixture(scope="module")
def book(module_lab):
    """A panel of each."""
    return module_lab.open([IMPORT, CMA, RACE])


def click(book, number, name):
    """Press a button of a panel."""
    book.panel(number).get_by_role("button", name=name, exact=True).click()


def fill(book, number, label, text):
    """Type into a field, and press Enter."""
    field = book.panel(number).get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def test_each_step_of_the_page_is_an_iteration_of_the_optimizer(book):
    panel = book.panel(0)
    click(book, 0, "Step")
    click(book, 0, "Step")
    book.wait_python("cma.optimizer.iteration == 2")
    panel.get_by_text("2 iterations; candidates").wait_for()
    plane = panel.locator(".tc-svg").first
    assert plane.locator(".tc-ellipse").count() == 2
    assert plane.locator(".tc-contour").count() == 7
    selected = plane.locator(".tc-points").last.locator("path")
    assert selected.count() == book.python("cma.optimizer.constants.mu")


def test_start_runs_until_pause(book):
    book.panel(0).get_by_label("speed").select_option("as fast as possible")
    click(book, 0, "Start")
    book.wait_python("cma.optimizer.iteration > 8")
    click(book, 0, "Pause")
    book.wait_python("not cma.running")
    done = book.python("cma.optimizer.iteration")
    book.panel(0).get_by_text(f"{done} iterations; candidates").wait_for()
    plain = f"(lambda o: [o.tell(x, [cma.objective(v) for v in x]) for _ in range({done}) for x in [o.ask()]] and o.C)"
    settings = "tc.CMAES(2, cma.settings, 1, start=cma.objective.start)"
    assert book.python(f"{plain}({settings})") == book.python("cma.optimizer.C")


def test_three_phases_sample_select_and_move(book):
    panel = book.panel(0)
    click(book, 0, "Reset")
    book.wait_python("cma.optimizer.iteration == 0")
    panel.get_by_label("in three phases").check()
    for word in ("Sample:", "Select:", "Move:"):
        click(book, 0, "Step")
        panel.get_by_text(word).first.wait_for()
    assert book.python("cma.optimizer.iteration") == 1
    panel.get_by_label("in three phases").uncheck()


def test_a_bad_number_is_a_message_and_changes_nothing(book):
    before = book.python("cma.settings.sigma")
    fill(book, 0, "first sigma", "-1")
    book.panel(0).get_by_text("first sigma is -1; it must be a number above 0").wait_for()
    assert book.python("cma.settings.sigma") == before
    fill(book, 0, "candidates", "16")
    book.wait_python("cma.optimizer.constants.lambda_ == 16")


def test_the_length_of_candidates_can_be_bound_while_it_runs(book):
    panel = book.panel(0)
    panel.get_by_label("maximise").select_option("direction only")
    book.wait_python("cma.goal == 'direction only'")
    click(book, 0, "Start")
    book.wait_python("abs(cma.optimizer.m).max() > 2")
    panel.get_by_label("length 1").check()
    book.wait_python("abs(cma.optimizer.m).max() < 1 and cma.optimizer.settings.normalise")
    click(book, 0, "Pause")
    book.wait_python("not cma.running")


def test_tetris_is_compiled_with_a_note_and_learned(book):
    panel = book.panel(0)
    panel.get_by_label("maximise").select_option("Tetris 6x12")
    book.wait_python("cma.optimizer.dimension == 6")
    click(book, 0, "Step")
    book.wait_python("cma.optimizer.iteration == 1", timeout=120)
    panel.get_by_text("1 iteration, ").wait_for()
    panel.get_by_label("across").select_option("holes")
    book.wait_python("cma.labels[cma.axes[0]] == 'holes'")
    assert book.cell_outputs() == book.callback_outputs() == []


def test_a_round_adds_a_score_to_every_candidate_in_doubt(book):
    click(book, 1, "Step")
    book.wait_python("race.race.rounds == 1")
    assert book.python("race.race.counts") == [1] * 10
    assert book.panel(1).locator(".tc-interval").count() == 10


def test_a_race_runs_to_its_end_and_the_next_has_another_limit(book):
    panel = book.panel(1)
    panel.get_by_label("speed").select_option("as fast as possible")
    assert panel.get_by_role("button", name="Next race").is_disabled()
    click(book, 1, "Start")
    book.wait_python("not race.race.undecided and not race.running", timeout=60)
    panel.locator(".tc-text", has_text="The next limit is").wait_for()
    for state in ("selected", "discarded"):
        assert panel.get_by_role("cell", name=state, exact=True).count() == 5
    limit = book.python("race.race.limit")
    click(book, 1, "Next race")
    book.wait_python("len(race.settled) == 1")
    assert book.python("race.settled[0].limit") == limit
    assert book.python("race.race.limit") == book.python("int(race.racing.r_limit)")
    panel.get_by_text("Race 2: 0 of at most").wait_for()


def test_a_drag_of_delta_moves_the_bars(book):
    panel = book.panel(1)
    panel.get_by_role("combobox", name="bound").select_option("hoeffding")
    book.wait_python("race.race.settings.bound == 'hoeffding'")
    click(book, 1, "Step")
    book.wait_python("race.race.rounds == 1")
    upper = book.python("race.race.upper[0]")
    panel.get_by_role("slider", name="delta").focus()
    book.page.keyboard.press("End")
    book.wait_python("race.settings.delta == 0.5")
    assert book.python("race.race.upper[0]") < upper
    fill(book, 1, "delta, exact", "2")
    panel.get_by_text("delta is 2; it must be a number above 0 and below 1").wait_for()
    assert book.python("race.settings.delta") == 0.5


def test_players_race_in_real_games(book):
    panel = book.panel(1)
    panel.get_by_role("combobox", name="scores of").select_option("Tetris 6x12")
    book.wait_python("race.field == 'Tetris 6x12'")
    click(book, 1, "Step")
    book.wait_python("race.race.rounds == 1", timeout=120)
    book.wait_python("not race.running")
    assert panel.get_by_label("the true means").is_disabled()
    assert book.cell_outputs() == book.callback_outputs() == []
