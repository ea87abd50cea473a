"""The browser tests' own tools, tried on a plain ipywidgets notebook: what they report is what happened."""

import sys

import psutil
import pytest
from jupyter import PythonError, Server
from waiting import wait_until

IMPORT = "import sys\nimport ipywidgets as widgets\nimport numpy as np"
WIDGETS = """
slider = widgets.IntSlider(value=5, min=0, max=10, continuous_update=True)
button = widgets.Button(description="Press")
presses = []
button.on_click(lambda _: presses.append(len(presses)))
box = widgets.VBox([slider, button])
box.add_class("tetriscourse-panel")
box"""


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook in JupyterLab that the tests of this file share where they can."""
    return module_lab.open([IMPORT, WIDGETS])


def drag(book, handle, pixels):
    """Drag an element to the right."""
    handle.hover()  # without it, the first press is lost
    box = handle.bounding_box()
    book.page.mouse.down()
    book.page.mouse.move(box["x"] + box["width"] / 2 + pixels, box["y"] + box["height"] / 2, steps=5)
    book.page.mouse.up()


def test_a_slider_that_is_dragged_or_keyed_and_a_button_that_is_pressed_reach_python(book):
    handle = book.panel().locator(".noUi-handle")
    book.run_python("slider.value = 5")
    drag(book, handle, 400)
    book.wait_python("slider.value == 10")
    handle.press("ArrowLeft")
    book.wait_python("slider.value == 9")
    assert book.panel().locator(".widget-readout").inner_text() == "9"
    for _ in range(3):
        book.panel().get_by_role("button", name="Press").click()
    assert book.wait_python("len(presses) == 3 and presses") == [0, 1, 2]


def test_what_python_sets_is_seen_in_the_page(book):
    book.run_python("slider.value = 2\nbutton.description = 'Push'")
    book.panel().get_by_role("button", name="Push").wait_for()
    assert book.panel().locator(".widget-readout").inner_text() == "2"
    book.run_python("button.description = 'Press'")


def test_values_come_back_from_python_by_way_of_json(book):
    assert book.python("{'a': (1, 2.5), 'b': None, 'c': 'it\\'s\\nλ', 'd': np.arange(3), 'e': np.float64(1.5)}") == {
        "a": [1, 2.5],
        "b": None,
        "c": "it's\nλ",
        "d": [0, 1, 2],
        "e": 1.5,
    }
    assert book.python("'x' * 100_000") == "x" * 100_000


def test_the_kernel_is_this_very_python(book):
    assert book.python("sys.executable") == sys.executable


def test_asking_python_leaves_no_trace_in_the_notebook(book):
    cells = book.page.evaluate("() => JSON.stringify(book.content.model.toJSON().cells)")
    book.run_python("print('hidden')\nvariable = 1")
    assert book.python("variable") == 1
    assert book.page.evaluate("() => JSON.stringify(book.content.model.toJSON().cells)") == cells
    assert book.cell_outputs() == []


def test_an_error_in_python_is_raised_with_its_traceback(book):
    with pytest.raises(PythonError, match="ZeroDivisionError: division by zero"):
        book.python("1 / 0")
    with pytest.raises(PythonError, match="NameError: name 'nowhere' is not defined"):
        book.run_python("x = 1\nnowhere")
    with pytest.raises(AssertionError, match=r"slider\.max > 10 is still False after 0\.3 s"):
        book.wait_python("slider.max > 10", timeout=0.3)
    assert book.cell_outputs() == []


def test_errors_in_the_page_and_its_console_are_reported(book):
    assert book.errors == []
    book.page.evaluate("() => console.error('a complaint')")
    book.page.evaluate("() => console.warn('a warning')")
    book.page.evaluate("() => { setTimeout(() => { throw new TypeError('thrown') }) }")
    complaint, thrown = wait_until(lambda: len(book.errors) == 2 and book.errors)
    assert "a complaint" in complaint
    assert "TypeError: thrown" in thrown
    book.errors.clear()


def test_an_error_that_nobody_clears_is_complained_about_once(module_lab, book):
    book.page.evaluate("() => console.error('overlooked')")
    (complaint,) = module_lab.complaints()
    assert "overlooked" in complaint
    assert module_lab.complaints() == []


def test_a_page_cannot_reach_other_hosts_and_each_attempt_is_noted(book):
    assert book.outside == []
    url = "https://cdn.example.org/library.js"
    reached = book.page.evaluate("url => fetch(url, {mode: 'no-cors'}).then(() => true, () => false)", url)
    assert not reached
    numeric = book.page.evaluate("() => fetch('http://192.0.2.1/', {mode: 'no-cors'}).then(() => true, () => false)")
    assert not numeric
    book.page.evaluate("() => { new WebSocket('wss://example.org/live') }")
    wait_until(lambda: len(book.errors) == 3)  # the browser itself logs each failure
    assert book.outside == [url, "http://192.0.2.1/", "wss://example.org/live"]
    book.outside.clear()
    book.errors.clear()


def test_what_a_callback_prints_or_raises_is_reported_and_is_below_no_cell(book):
    assert book.callback_outputs() == []
    book.run_python("def bad(_):\n    print('from afar')\n    presses['x']\nbutton.on_click(bad)")
    book.panel().get_by_role("button", name="Press").click()
    book.page.wait_for_function("stray.some(text => text.includes('TypeError'))")
    assert "from afar" in "".join(book.callback_outputs())
    assert book.cell_outputs() == []
    book.run_python("button.on_click(bad, remove=True)")
    book.page.evaluate("() => { stray.length = 0 }")


def test_the_theme_can_be_dark_and_light(book, tmp_path):
    background = "() => getComputedStyle(document.body).getPropertyValue('--jp-layout-color0')"
    colours = {}
    for theme in ("dark", "light"):
        book.theme(theme)
        colours[theme] = book.page.evaluate(background)
        book.screenshot(tmp_path / f"{theme}.png", book.panel())
    book.screenshot(tmp_path / "page.png")
    assert colours["dark"] != colours["light"]
    assert (tmp_path / "dark.png").read_bytes() != (tmp_path / "light.png").read_bytes()
    assert (tmp_path / "page.png").stat().st_size > (tmp_path / "light.png").stat().st_size


def test_a_cell_that_fails_raises_with_its_traceback_and_a_closed_notebook_leaves_neither_theme_nor_kernel(lab):
    with pytest.raises(PythonError, match=r"(?s)this cell failed:\nwrong.*NameError: name 'wrong' is not defined"):
        lab.open(["x = 1\nprint('printed')", "wrong"])
    (first,) = lab.books
    assert first.python("x") == 1
    printed, failed = first.cell_outputs()
    assert printed == "printed\n"
    assert "NameError" in failed
    first.theme("dark")
    kernel = first.python("__import__('os').getpid()")
    first.close()
    second = lab.open(["y = 1"])
    assert second.page.evaluate("document.body.dataset.jpThemeLight") == "true"
    assert not psutil.pid_exists(kernel)
    assert [session["path"] for session in lab.server.ask("GET", "api/sessions") if session["path"] == first.name] == []


def test_notebook_7_has_the_same_tools(notebook7, tmp_path):
    book = notebook7.open([IMPORT, WIDGETS])
    drag(book, book.panel().locator(".noUi-handle"), 400)  # not keyed: Notebook 7 takes the arrow keys for itself
    book.wait_python("slider.value == 10")
    book.panel().get_by_role("button", name="Press").click()
    book.wait_python("presses == [0]")
    book.theme("dark")
    assert book.page.evaluate("document.body.dataset.jpThemeLight") == "false"
    book.screenshot(tmp_path / "panel.png", book.panel())
    assert "/notebooks/" in book.page.url
    assert (book.outside, book.cell_outputs(), book.callback_outputs(), book.errors) == ([], [], [], [])
    book.page.evaluate("() => console.error('a complaint')")
    assert len(book.errors) == 1
    book.errors.clear()


def test_a_server_that_is_stopped_takes_its_kernels_along(tmp_path):
    server = Server("jupyterlab", tmp_path / "server")
    server.ask("POST", "api/kernels")
    family = psutil.Process(server.process.pid).children(recursive=True)
    assert family
    server.stop()
    assert server.process.poll() is not None
    assert psutil.wait_procs(family, timeout=5)[1] == []
