"""All panels in a real notebook: keys, focus, messages, themes, many at once, closing."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

TESTS = Path(__file__).parents[1]
SETUP = f"import sys\nsys.path.insert(0, {str(TESTS)!r})\nimport tetriscourse as tc\nfrom counting import Counting"
VIEW = """
board = tc.Board.from_text("..T.......\\nITTT...O..\\nI.SS..OO.Z", height=12)
move = tc.moves(board, tc.PIECES["T"])[5]
view = tc.widgets.BoardView(move, "holes")
view"""


@pytest.fixture(scope="module")
def book(module_lab):
    """A panel that counts and a board."""
    return module_lab.open([SETUP, "panel = Counting(speed='10 a second')\npanel", VIEW])


@pytest.fixture(scope="module")
def spare(module_lab):
    """Another notebook with a panel, for tests that leave it in disorder."""
    return module_lab.open([SETUP, "panel = Counting(speed='as fast as possible')\npanel"])


def button(book, name, number=0):
    """A button of a panel."""
    return book.panel(number).get_by_role("button", name=name)


def cells_of(book):
    """How many cells the notebook has."""
    return book.page.evaluate("book.content.model.cells.length")


def pixels(book, number=1):
    """The colours of a board's canvas, as a set of numbers."""
    return book.page.evaluate(
        """n => { const canvas = document.querySelectorAll('.tetriscourse-panel')[n].querySelector('canvas');
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        const found = {}; for (let i = 0; i < data.length; i += 4) {
          const key = [data[i], data[i + 1], data[i + 2]].join(); found[key] = (found[key] || 0) + 1; }
        return {found, width: canvas.width, css: parseFloat(canvas.style.width)}; }""",
        number,
    )


def test_start_pause_step_and_reset_change_the_page_and_python(book):
    button(book, "Start").click()
    book.wait_python("panel.running and panel.count >= 5")
    button(book, "Pause").click()
    book.wait_python("not panel.running")
    count = book.python("panel.count")
    assert book.panel().locator(".tc-large").inner_text() == str(count)
    button(book, "Step").click()
    book.wait_python(f"panel.count == {count + 1}")
    book.panel().locator(".tc-large", has_text=str(count + 1)).wait_for()
    button(book, "Reset").click()
    book.wait_python("panel.count == 0")
    book.panel().locator(".tc-large", has_text="0").wait_for()


def test_a_slider_is_dragged_and_python_has_its_value(book):
    slider = book.panel().locator("input[type=range]")
    slider.hover()
    box = slider.bounding_box()
    book.page.mouse.down()
    book.page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=8)
    book.page.mouse.up()
    page = float(slider.input_value())
    assert page > 4
    value = book.wait_python(f"panel.weight == {page} and panel.weight")
    assert float(book.panel().get_by_label("weight, exact").input_value()) == pytest.approx(value)
    slider.press("ArrowLeft")
    book.wait_python(f"panel.weight < {value}")


def test_a_button_counts_after_the_slider_that_was_moved_before_it(book):
    book.run_python("heard, receive = [], panel.receive\npanel.receive = lambda it: (heard.append(it), receive(it))")
    book.panel().evaluate("""panel => {
      const slider = panel.querySelector("input[type=range]");
      for (const value of [1, 2, 3]) {
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
      }
      [...panel.querySelectorAll("button")].find(one => one.textContent === "Step").click();
    }""")
    book.wait_python("any(it['event'] == 'step' for it in heard)")
    told = book.python("[[it['event'], it['value']] for it in heard if it['event'] != 'shown']")
    assert told == [["weight", 1], ["weight", 3], ["step", None]]
    book.run_python("del panel.receive")


def test_text_that_is_selected_stays_so_when_the_value_changes(book):
    field = book.panel().get_by_label("limit")
    field.select_text()
    book.run_python("panel.receive({'event': 'limit', 'value': 77})")
    book.wait_python("panel.limit == 77")
    assert field.input_value() == "77"
    book.page.keyboard.type("25")
    field.press("Enter")
    book.wait_python("panel.limit == 25")
    book.run_python("panel.receive({'event': 'limit', 'value': 1_000_000})")


def test_text_in_a_number_field_gives_a_message_in_the_panel_and_no_output(book):
    field = book.panel().get_by_label("limit")
    field.fill("many")
    field.press("Enter")
    book.panel().get_by_text("limit is 'many'; it must be a whole number of at least 1").wait_for()
    assert book.python("panel.limit") == 1_000_000
    book.panel().get_by_label("choice").select_option("b")
    book.wait_python("panel.choice == 'b'")
    assert book.panel().locator(".tc-message").is_hidden()
    assert book.cell_outputs() == book.callback_outputs() == []


def test_what_python_refuses_is_taken_back_in_the_page(book):
    book.run_python("panel.refused = {'b'}")
    book.panel().get_by_label("choice").select_option("a")
    book.wait_python("panel.choice == 'a'")
    book.panel().get_by_label("choice").select_option("b")
    book.panel().get_by_text("choice is 'b'; it is refused").wait_for()
    assert book.panel().get_by_label("choice").input_value() == "a"
    book.run_python("panel.refused = set()")


def test_a_row_of_a_table_is_picked_by_mouse_and_by_keyboard(book):
    book.panel().locator("tr[data-row='1']").click()
    book.wait_python("panel.picked == 1")
    book.panel().locator("tr[data-row='2']").press("Enter")
    book.wait_python("panel.picked == 2")
    book.panel().locator("tr.tc-marked", has_text="4").wait_for()


def test_the_keyboard_focus_is_visible(book):
    button(book, "Step").focus()
    book.page.keyboard.press("Tab")
    width, style = book.page.evaluate(
        "() => { const it = getComputedStyle(document.activeElement); return [it.outlineWidth, it.outlineStyle]; }"
    )
    assert (width, style) == ("3px", "solid")


def keys_stay_where_they_belong(book, save):
    """Letters that cut, add and delete cells do nothing in a panel; saving and running still work from there."""
    cells = cells_of(book)
    start = button(book, "Step")
    for key in ("x", "a", "b", "d", "d", "m", "ArrowDown", "ArrowUp", "0", "0"):
        start.press(key)
    assert cells_of(book) == cells
    count = book.python("panel.count")
    start.press("Space")
    book.wait_python(f"panel.count == {count + 1}")
    book.page.evaluate("book.content.model.dirty = true")
    start.press(save)
    book.page.wait_for_function("!book.content.model.dirty")
    runs = book.page.evaluate("book.content.model.cells.get(1).executionCount")
    book.panel(0).click(position={"x": 5, "y": 5})  # makes its cell the active one
    start.press("Shift+Enter")
    book.page.wait_for_function(f"book.content.model.cells.get(1).executionCount > {runs}")


def test_letters_belong_to_the_panel_and_shortcuts_to_jupyterlab(spare):
    keys_stay_where_they_belong(spare, "Control+s")


def test_letters_belong_to_the_panel_and_shortcuts_to_notebook_7(notebook7):
    keys_stay_where_they_belong(notebook7.open([SETUP, "panel = Counting()\npanel"]), "Control+s")


def test_the_board_is_drawn_with_the_screens_own_pixels_in_light_and_dark(book):
    book.panel(1)
    light = pixels(book)
    assert light["css"] == 10 * 18 + 1
    assert light["width"] == light["css"] * book.page.evaluate("devicePixelRatio")
    assert light["found"]["244,244,244"] > 1000
    assert light["found"]["204,121,167"] > 100  # a T
    book.theme("dark")
    book.page.wait_for_function("document.querySelectorAll('.tetriscourse-panel')[1].classList.contains('tc-dark')")
    dark = pixels(book)
    assert "244,244,244" not in dark["found"]
    assert dark["found"]["30,30,30"] > 1000
    assert dark["found"]["204,121,167"] > 100
    book.theme("light")


def test_python_shows_another_feature_on_the_board(book):
    before = pixels(book)["found"]
    book.run_python("view.show(move, 'row_transitions')")
    book.panel(1).get_by_text("changes along rows").wait_for()
    assert pixels(book)["found"] != before


def test_a_panel_whose_cell_runs_again_stops_working(spare):
    spare.run_all()
    button(spare, "Start").click()
    spare.wait_python("panel.count > 3")
    spare.run_python("old, worker = panel, panel.worker._thread")
    spare.run_all()
    spare.wait_python("panel is not old and not worker.is_alive()")


def test_a_closed_panel_leaves_the_page_and_its_work_ends(spare):
    spare.run_all()
    button(spare, "Start").click()
    spare.wait_python("panel.count > 3")
    spare.run_python("worker = panel.worker._thread\npanel.close()")
    spare.wait_python("not worker.is_alive()")
    spare.page.wait_for_function("!document.querySelector('.tetriscourse-panel')")


def test_after_a_restart_of_the_kernel_a_panel_says_what_to_do(spare):
    spare.run_all()
    spare.page.evaluate("book.sessionContext.session.kernel.restart()")
    spare.page.wait_for_function("book.sessionContext.session.kernel.status === 'idle'")
    button(spare, "Step").click()
    spare.panel().locator(".tc-message", has_text="run this cell again").wait_for()
    spare.errors.clear()  # JupyterLab itself reports the comms that the restart has closed


def test_twenty_panels_that_all_work_leave_the_page_and_the_kernel_free(lab):
    book = lab.open([SETUP, *(f"p{n} = Counting(speed='10 a second')\np{n}" for n in range(20))])
    book.run_python("for n in range(20): globals()[f'p{n}'].start()")
    book.wait_python("min(globals()[f'p{n}'].count for n in range(20)) > 3", timeout=60)
    button(book, "Pause", 7).click()
    book.wait_python("not p7.running")
    count = book.python("p7.count")
    button(book, "Step", 7).click()
    book.wait_python(f"p7.count == {count + 1}")
    book.panel(7).locator(".tc-large", has_text=str(count + 1)).wait_for()
    assert book.python("sum(globals()[f'p{n}'].running for n in range(20))") == 19


def test_a_fresh_notebook_that_nobody_trusts_shows_the_still_picture(lab):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (SETUP, VIEW)])
    NotebookClient(notebook, kernel_name="python3").execute()
    book = lab.open(dict(notebook), run=False)
    picture = book.visible(".jp-OutputArea-output img, .jp-OutputArea-output svg")
    assert picture.bounding_box()["height"] > 200
    assert book.page.locator(".tetriscourse-panel").count() == 0


def test_nothing_outside_this_machine_is_asked_for(book):
    assert book.outside == []
