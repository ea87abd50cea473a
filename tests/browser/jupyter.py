"""A real JupyterLab or Notebook 7, a real browser, and notebooks open in it: what the browser tests are made of."""

import ast
import atexit
import contextlib
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psutil

if TYPE_CHECKING:  # so that the tests are skipped, not broken, where no playwright is installed
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page

PATIENCE = 90  # seconds that anything may take on a small and busy machine
COLOUR_CODES = re.compile(r"\x1b\[[0-9;]*m")
THIS_MACHINE = ("127.0.0.1", "")  # no host at all: data: and blob: addresses

CHROMIUM_OPTIONS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    # Nothing outside this machine can be reached, neither by name, by address nor through a proxy.
    *("--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"),
]

SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}

# What a plain notebook without any widget logs as an error: (where it comes from, what it says). JupyterLab logs none.
# Notebook 7.6 reads the shortcuts of a part that it has just not loaded, once while it opens.
KNOWN_NOISE = [("/static/notebook/notebook_core.", "Cannot read properties of undefined (reading 'schema')")]

# What the kernel of a plain notebook prints when JupyterLab asks it for widgets before ipywidgets is imported.
KNOWN_STRAY = "No such comm"

# Waits until the notebook is open and its kernel answers; keeps it as window.book. Text that reaches the notebook from
# a widget's callback belongs to no cell, JupyterLab hides it in its log: window.stray collects it.
OPENED = """async ({name, seconds}) => {
  const deadline = Date.now() + 1000 * seconds;
  const current = () => window.jupyterapp?.shell?.currentWidget;
  while (current()?.context?.path !== name || !current()?.sessionContext) {
    if (Date.now() > deadline) throw new Error(`${name} did not open within ${seconds} s`);
    await new Promise(done => setTimeout(done, 50));
  }
  const book = window.book = current();
  const late = new Promise((_, reject) =>
    setTimeout(() => reject(new Error(`no answer from the kernel of ${name}`)), deadline - Date.now()));
  const ready = async () => {
    await book.context.ready;
    await book.sessionContext.ready;
    await book.sessionContext.session.kernel.info;
  };
  await Promise.race([ready(), late]);
  window.stray = [];
  book.sessionContext.iopubMessage.connect((_, message) => {
    const {text, traceback} = message.content;
    const isText = ['stream', 'error'].includes(message.header.msg_type);
    if (isText && message.parent_header.msg_type !== 'execute_request') stray.push(text ?? traceback.join('\\n'));
  });
  if (jupyterapp.commands.hasCommand('application:toggle-left-area') && !jupyterapp.shell.leftCollapsed)
    await jupyterapp.commands.execute('application:toggle-left-area');
}"""

# JupyterLab's logo, which covers the page and takes all clicks while it opens and while the theme changes.
LOGO = "#jupyterlab-splash"

RUN_ALL = """async seconds => {
  const late = new Promise((_, reject) =>
    setTimeout(() => reject(new Error(`the cells were not done within ${seconds} s`)), 1000 * seconds));
  await Promise.race([jupyterapp.commands.execute('notebook:run-all-cells'), late]);
}"""

CELLS = "() => book.content.model.toJSON().cells.filter(cell => cell.cell_type === 'code')"

# The reply to code that runs silently: no cell, no output, no history.
EXECUTE = """async ({code, expressions, seconds}) => {
  const request = {code, silent: true, store_history: false, user_expressions: expressions, stop_on_error: false};
  const late = new Promise((_, reject) =>
    setTimeout(() => reject(new Error(`the kernel was busy for ${seconds} s`)), 1000 * seconds));
  const future = book.sessionContext.session.kernel.requestExecute(request, true);
  return (await Promise.race([future.done, late])).content;
}"""

# Events of the page may be dealt with in a thread of their own, which tells the page at the end, when it lets go of the
# panel's lock. So after this all is on its way, and before the reply.
TOLD = """
def told():
    from contextlib import nullcontext
    from ipywidgets.widgets.widget import _instances
    for panel in [*_instances.values()]:
        with getattr(panel, "lock", nullcontext()):
            pass
told()
"""

SET_THEME = """async ({name, light}) => {
  await jupyterapp.commands.execute('apputils:change-theme', {theme: name});
  while (document.body.dataset.jpThemeLight !== light) await new Promise(done => setTimeout(done, 50));
}"""


class PythonError(Exception):
    """Python code that a test ran in a notebook's kernel failed; the message ends with its traceback."""


def failure(what: str, traceback: Sequence[str]) -> PythonError:
    """The exception that shows a traceback of the kernel in plain text."""
    return PythonError(what + "\n" + COLOUR_CODES.sub("", "\n".join(traceback)))


def free_port() -> int:
    """A port of this machine that nobody listens to now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, with the folders on the way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def notebook_of(cells: Sequence[str]) -> dict[str, Any]:
    """A notebook of code cells that asks for the kernel python3."""
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": [code | {"id": f"cell-{number}", "source": source} for number, source in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


class Server:
    """One server process, of the module jupyterlab or notebook, with nothing of the user's own settings."""

    def __init__(self, module: str, folder: Path) -> None:
        """Start the server in an empty folder and wait until it answers."""
        self.module, self.folder, self.books = module, folder, folder / "books"
        self.token, self.log = secrets.token_hex(16), folder / "server.log"
        self.books.mkdir(parents=True)
        self._write_settings()
        for _ in range(3):  # another process may take the free port first
            self.port = free_port()
            self.process = self._start()
            atexit.register(self.stop)  # in case that the tests are stopped before they tidy up
            if self._answers():
                return
            self.stop()
        raise RuntimeError(f"the server of {module} did not start:\n{self.log.read_text()[-3000:]}")

    def _write_settings(self) -> None:
        """Write a kernel that is this very Python, and settings that need no network."""
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        kernel = {"argv": command, "display_name": "Python 3", "language": "python"}
        write_json(self.folder / "path/kernels/python3/kernel.json", kernel)
        announcements = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
        write_json(self.folder / "config/labconfig/page_config.json", announcements)
        write_json(self.folder / "config/labconfig/default_setting_overrides.json", SETTINGS)

    def _environment(self) -> dict[str, str]:
        """The environment with fresh folders for everything that Jupyter reads or writes."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON"))}
        folders = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
            "TETRISCOURSE_PROGRESS": "progress.json",
            "JUPYTER_PATH": "path",  # looked at first: its kernel python3 wins over any other that is installed
        }
        return own | {name: str(self.folder / folder) for name, folder in folders.items()}

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process."""
        options = [
            *("--no-browser", "--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0"),
            *(f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={self.books}"),
            *("--expose-app-in-browser", "--LabApp.extension_manager=readonly", "--LabApp.news_url="),
            "--ServerApp.shutdown_no_activity_timeout=3600",  # not for ever, should the tests be killed
        ]
        if os.geteuid() == 0:
            options.append("--allow-root")
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", self.module, *options],
                env=self._environment(),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _answers(self) -> bool:
        """Whether the server answers in good time."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                self.ask("GET", "api/status")
                return True
            time.sleep(0.1)
        return False

    def address(self, path: str) -> str:
        """The address of a path on the server."""
        return f"http://127.0.0.1:{self.port}/{path}"

    def ask(self, method: str, path: str) -> Any:
        """The server's answer to a request of its API."""
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.address(path), method=method, headers=headers)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=PATIENCE) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def shut_down_kernel(self, name: str) -> None:
        """End the kernel of a notebook."""
        for session in self.ask("GET", "api/sessions"):
            if session["path"] == name:
                with contextlib.suppress(urllib.error.HTTPError):  # the test may have ended it already
                    self.ask("DELETE", f"api/sessions/{session['id']}")

    def stop(self) -> None:
        """End the server and whatever kernels it has left: politely, then not."""
        atexit.unregister(self.stop)
        if self.process.poll() is not None:
            return
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(20)
        self.process.kill()
        self.process.wait()
        for kernel in psutil.wait_procs(family, timeout=2)[1]:
            with contextlib.suppress(psutil.NoSuchProcess):
                kernel.kill()


class Book:
    """A notebook that is open in a page of its own, with its kernel running."""

    def __init__(self, server: Server, browser: "Browser", name: str) -> None:
        """Open a notebook of the server's folder and wait for its kernel."""
        self.server, self.name = server, name
        self.outside: list[str] = []  # addresses outside this machine that the page tried to reach
        self._errors: list[str] = []
        self._context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self._note_error(error.stack or "", f"{error.name}: {error.message}"))
        self._context.on("request", lambda request: self._note_address(request.url))
        self.page.on("websocket", lambda channel: self._note_address(channel.url))
        # A workspace of its own, so that JupyterLab does not open the notebooks of earlier tests again.
        page = f"lab/workspaces/{Path(name).stem}/tree" if server.module == "jupyterlab" else "notebooks"
        try:
            self.page.goto(server.address(f"{page}/{name}?token={server.token}"), wait_until="commit")
            self.page.wait_for_load_state("domcontentloaded")
            self.page.evaluate(OPENED, {"name": name, "seconds": PATIENCE})
            self.page.wait_for_selector(LOGO, state="detached")
        except BaseException:
            self.close()
            raise

    def _hear(self, message: "ConsoleMessage") -> None:
        """Listen to the browser's console."""
        if message.type == "error":
            self._note_error(message.location.get("url", ""), message.text)

    def _note_error(self, where: str, what: str) -> None:
        """Note an error, unless JupyterLab itself is known to report it."""
        if not any(place in where and text in what for place, text in KNOWN_NOISE):
            self._errors.append(f"{what}\n  at {where}" if where else what)

    def _note_address(self, url: str) -> None:
        """Note an address that is not on this machine."""
        if (urlsplit(url).hostname or "") not in THIS_MACHINE:
            self.outside.append(url)

    @property
    def errors(self) -> list[str]:
        """The errors of the page and of its console since the notebook was opened, or since they were cleared."""
        if not self.page.is_closed():
            self.page.evaluate("0")  # messages are delivered only while the page is asked something
        return self._errors

    def run_all(self) -> None:
        """Run all cells, wait until they are done, and raise if one failed."""
        self.page.evaluate(RUN_ALL, PATIENCE)
        for cell in self.page.evaluate(CELLS):
            for output in cell["outputs"]:
                if output["output_type"] == "error":
                    raise failure(f"this cell failed:\n{''.join(cell['source'])}\n", output["traceback"])
            if cell["execution_count"] is None and "".join(cell["source"]).strip():
                raise RuntimeError(f"this cell did not run:\n{''.join(cell['source'])}")

    def panel(self, number: int = 0) -> "Locator":
        """The n-th panel of this course in the page, once it is visible."""
        return self.visible(".tetriscourse-panel", number)

    def visible(self, selector: str, number: int = 0) -> "Locator":
        """The n-th element of the page that a CSS selector finds, once it is visible."""
        element = self.page.locator(selector).nth(number)
        element.wait_for(state="visible")
        element.scroll_into_view_if_needed()
        return element

    def _execute(self, code: str, expressions: dict[str, str]) -> dict[str, Any]:
        """The kernel's reply to code that leaves no trace in the notebook."""
        request = {"code": code, "expressions": expressions, "seconds": PATIENCE}
        reply: dict[str, Any] = self.page.evaluate(EXECUTE, request)
        if reply["status"] != "ok":
            raise failure(f"this failed in the notebook's kernel: {code}\n", reply.get("traceback", [reply["status"]]))
        values: dict[str, Any] = reply["user_expressions"]
        return values

    def python(self, expression: str) -> Any:
        """The value of an expression in the notebook's kernel, by way of JSON (arrays and tuples become lists)."""
        as_json = f"__import__('json').dumps(({expression}), default=lambda value: value.tolist())"
        value = self._execute("", {"value": as_json})["value"]
        if value["status"] != "ok":
            raise failure(f"this failed in the notebook's kernel: {expression}\n", value["traceback"])
        return json.loads(ast.literal_eval(value["data"]["text/plain"]))

    def run_python(self, statements: str) -> None:
        """Execute statements in the notebook's kernel."""
        self._execute(statements, {})

    def wait_python(self, expression: str, timeout: float = 20) -> Any:
        """The value of an expression in the notebook's kernel, once it is true and the page knows of it."""
        deadline = time.monotonic() + timeout
        while not (value := self.python(expression)):
            assert time.monotonic() < deadline, f"{expression} is still {value!r} after {timeout} s"
            self.page.wait_for_timeout(100)
        self.run_python(TOLD)
        self.page.evaluate("new Promise(done => setTimeout(done))")
        return value

    def cell_outputs(self) -> list[str]:
        """The text printed and the tracebacks shown below the cells."""
        outputs = [output for cell in self.page.evaluate(CELLS) for output in cell["outputs"]]
        printed = [output["text"] for output in outputs if output["output_type"] == "stream"]
        failed = ["\n".join(output["traceback"]) for output in outputs if output["output_type"] == "error"]
        return [COLOUR_CODES.sub("", "".join(text)) for text in printed + failed]

    def callback_outputs(self) -> list[str]:
        """The text and the tracebacks of widgets' callbacks, which JupyterLab shows in its log and under no cell."""
        return [COLOUR_CODES.sub("", text) for text in self.page.evaluate("stray") if not text.startswith(KNOWN_STRAY)]

    def theme(self, name: str) -> None:
        """Switch the page to the theme light or dark."""
        full = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[name]
        self.page.evaluate(SET_THEME, {"name": full, "light": str(name == "light").lower()})
        self.page.wait_for_selector(LOGO, state="detached")

    def screenshot(self, path: str | Path, locator: "Locator | None" = None) -> None:
        """Save a picture of an element, or of the page."""
        (locator or self.page).screenshot(path=path)

    def close(self) -> None:
        """Close the page and end the kernel; nothing happens the second time."""
        if not self.page.is_closed():
            self._context.close()
            self.server.shut_down_kernel(self.name)


class Jupyter:
    """A server and a browser: opens notebooks, and closes them all in the end."""

    def __init__(self, server: Server, browser: "Browser") -> None:
        """Nothing is open yet."""
        self.server, self.browser = server, browser
        self.books: list[Book] = []

    def open(self, cells: Sequence[str] | dict[str, Any], run: bool = True) -> Book:
        """A new notebook of these code cells, or this whole notebook, open in a new page; its cells are run or not."""
        shutil.rmtree(self.server.folder / "settings", ignore_errors=True)  # the theme of an earlier test
        name = f"book-{secrets.token_hex(4)}.ipynb"
        write_json(self.server.books / name, cells if isinstance(cells, dict) else notebook_of(cells))
        book = Book(self.server, self.browser, name)
        self.books.append(book)
        if run:
            book.run_all()
        return book

    def complaints(self) -> list[str]:
        """The errors that the open pages have reported and nobody has cleared; they are reported once."""
        errors = [error for book in self.books for error in book.errors]
        for book in self.books:
            book.errors.clear()
        return errors

    def close(self) -> None:
        """Close all notebooks."""
        while self.books:
            self.books.pop().close()


@contextlib.contextmanager
def running_lab() -> Iterator[Jupyter]:
    """JupyterLab in chromium, for scripts that take pictures."""
    from playwright.sync_api import sync_playwright

    server = Server("jupyterlab", Path(tempfile.mkdtemp()))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_OPTIONS)
            yield Jupyter(server, browser)
            browser.close()
    finally:
        server.stop()
