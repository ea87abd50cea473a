"""JupyterLab and Notebook 7 in a real browser, as fixtures: see test_jupyter.py for all that they can do.

    def test_x(lab):                    # or notebook7
        book = lab.open(["import tetriscourse as tc", "panel = ...\npanel"])
        book.panel(0).press("ArrowLeft")
        book.wait_python("panel.moves == 1")

A notebook takes several seconds to open. Tests that can live with each other's traces share one, opened once a file:

    @pytest.fixture(scope="module")
    def book(module_lab):               # or module_notebook7
        return module_lab.open(["import tetriscourse as tc", "panel = ...\npanel"])

After each test, an error in the console of any open page fails it; a test that expects one looks at book.errors and
clears it. The server runs for the whole session, once in each worker process. The browser runs for one file only:
as long as it does, playwright keeps an event loop running in this thread, in which asyncio.run would refuse to work.
"""

import shutil
from collections.abc import Iterator

import pytest
from jupyter import CHROMIUM_OPTIONS, Jupyter, Server

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")


def no_complaints(jupyter: Jupyter) -> None:
    """Fail if an open page has reported an error."""
    complaints = jupyter.complaints()
    if complaints:
        pytest.fail("the browser reported errors:\n" + "\n".join(complaints), pytrace=False)


def close_after_check(jupyter: Jupyter) -> None:
    """Close all notebooks, and fail if one of their pages has reported an error."""
    try:
        no_complaints(jupyter)
    finally:
        jupyter.close()


@pytest.fixture(scope="module")
def browser():
    """Debian's chromium (or another one), without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the Python package playwright")
    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if path is None:
        pytest.skip("browser tests need chromium (on Debian: apt-get install chromium)")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=path, headless=True, args=CHROMIUM_OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    """A function that gives the server of a module, started when first asked for (or when it has died since)."""
    running: dict[str, Server] = {}

    def server(module: str) -> Server:
        if module not in running or running[module].process.poll() is not None:
            running[module] = Server(module, tmp_path_factory.mktemp(module))
        return running[module]

    yield server
    for each in running.values():
        each.stop()


@pytest.fixture(scope="module")
def module_lab(browser, servers) -> Iterator[Jupyter]:
    """JupyterLab, whose notebooks stay open until the last test of the file."""
    jupyter = Jupyter(servers("jupyterlab"), browser)
    yield jupyter
    close_after_check(jupyter)


@pytest.fixture(scope="module")
def module_notebook7(browser, servers) -> Iterator[Jupyter]:
    """Notebook 7, whose notebooks stay open until the last test of the file."""
    jupyter = Jupyter(servers("notebook"), browser)
    yield jupyter
    close_after_check(jupyter)


@pytest.fixture
def lab(browser, servers) -> Iterator[Jupyter]:
    """JupyterLab, whose notebooks are closed after the test."""
    jupyter = Jupyter(servers("jupyterlab"), browser)
    yield jupyter
    close_after_check(jupyter)


@pytest.fixture
def notebook7(browser, servers) -> Iterator[Jupyter]:
    """Notebook 7, whose notebooks are closed after the test."""
    jupyter = Jupyter(servers("notebook"), browser)
    yield jupyter
    close_after_check(jupyter)


@pytest.fixture(autouse=True)
def no_browser_errors(request) -> Iterator[None]:
    """Each test is answerable for the errors in the notebooks that it shares."""
    yield
    for name in {"module_lab", "module_notebook7"} & set(request.fixturenames):
        no_complaints(request.getfixturevalue(name))
