"""How fast panels answer in a real JupyterLab, alone and beside twenty others: python tests/benchmarks/panel_speed.py

Prints a table in Markdown. Times are from the event in the page to the moment the page shows the answer, with the
kernel's own work in between; the figures depend on the machine, so look at one beside the other.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "browser"))

from jupyter import CHROMIUM_OPTIONS, Book, Jupyter, Server  # noqa: E402

SETUP = (
    f"import sys\nsys.path.insert(0, {str(TESTS)!r})\nfrom counting import Counting\nfrom tetriscourse.widgets import *"
)
OTHERS = [f"p{n} = Counting(speed='10 a second')\np{n}" for n in range(20)]
TRIES = 20

# Does something, and waits until an element of the panel says something else; milliseconds.
TIMED = """async ([kind, number, target, watched, value]) => {
  const panel = document.querySelectorAll('.tetriscourse-panel')[number];
  const seen = panel.querySelector(watched);
  const before = seen.innerHTML;
  const start = performance.now();
  const element = panel.querySelector(target);
  if (kind === 'click') element.click();
  else { element.value = value; element.dispatchEvent(new Event('input', {bubbles: true})); }
  while (panel.querySelector(watched).innerHTML === before) {
    if (performance.now() - start > 5000) throw new Error(`${watched} does not change`);
    await new Promise(done => setTimeout(done, 1));
  }
  return performance.now() - start;
}"""

# Frames in which the game of the first panel is alive, in a second, over three seconds.
FRAMES = """async () => {
  let frames = 0;
  const start = performance.now();
  while (performance.now() - start < 3000) { await new Promise(requestAnimationFrame); frames += 1; }
  return frames / 3;
}"""

# From a key to the next frame after the board was drawn; milliseconds.
KEY = """async (key) => {
  const board = document.querySelector('canvas[role=application]');
  const start = performance.now();
  board.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def line(what: str, times: list[float]) -> None:
    """One row of the table."""
    print(f"| {what} | {statistics.median(times):.0f} ms | {max(times):.0f} ms |", flush=True)


def play(book: Book, where: str) -> None:
    """The game by hand: frames and keys."""
    book.panel(0).get_by_role("application").press("ArrowLeft")
    print(f"| frames a second of a game by hand, {where} | {book.page.evaluate(FRAMES):.0f} | |", flush=True)
    line(f"key to picture in a game by hand, {where}", [book.page.evaluate(KEY, key) for key in "xz" * (TRIES // 2)])


def step(book: Book, number: int, where: str) -> None:
    """A button: page, Python, page."""
    arguments = ["click", number, "[data-name=step]", ".tc-large", ""]
    line(f"click to answer, {where}", [book.page.evaluate(TIMED, arguments) for _ in range(TRIES)])


def tune(book: Book, number: int, where: str) -> None:
    """A slider: the chosen move and the distribution of scores."""
    book.wait_python("tune.scores is not None", timeout=120)
    for what, watched in (("candidate table", ".tc-table"), ("score distribution", ".tc-svg")):
        times = []
        for k in range(TRIES):
            value = f"{-1.3 - 0.17 * k:.2f}"
            times.append(book.page.evaluate(TIMED, ["slide", number, "input[type=range]", watched, value]))
            book.page.wait_for_timeout(700)
        line(f"slider to {what}, {where}", times)


def measure(jupyter: Jupyter) -> None:
    """Everything, alone and in company."""
    cells = ["game = PlayPanel(seed=3)\ngame", "count = Counting()\ncount", "tune = TunePanel('dellacherie')\ntune"]
    for others, where in (([], "alone"), (OTHERS, "beside 20 panels that all work")):
        book = jupyter.open([SETUP, *cells, *others])
        book.run_python(
            "for name in list(globals()):\n    if name[0] == 'p' and name[1:].isdigit(): globals()[name].start()"
        )
        play(book, where)
        step(book, 1, where)
        tune(book, 2, where)
        book.close()


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    print("| what | median | worst |\n|---|---|---|")
    server = Server("jupyterlab", Path(tempfile.mkdtemp()))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_OPTIONS)
            measure(Jupyter(server, browser))
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
