"""Pictures of every panel, in light and dark: python tests/browser/screenshots.py FOLDER [NAME ...]

Each scene opens a notebook in JupyterLab, does what a person would do, and keeps a picture of the panel.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jupyter import Book, Jupyter, running_lab

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import *"


def nothing(book: Book) -> None:
    """As it is at first."""


@dataclass(frozen=True)
class Scene:
    """A panel, and what is done with it before the picture is taken."""

    code: str
    act: Callable[[Book], None] = nothing


def press(*keys: str) -> Callable[[Book], None]:
    """Keys on the board."""

    def act(book: Book) -> None:
        for key in keys:
            book.panel().get_by_role("application").press(key)

    return act


def play_and_ask(book: Book) -> None:
    """A few pieces, then a hint."""
    press(*["ArrowLeft"] * 4, "Space", *["ArrowRight"] * 4, "ArrowUp", "Space", "Space", "ArrowRight", "Space", "i")(
        book
    )
    book.panel().get_by_text("would play").wait_for()


def prove(book: Book) -> None:
    """Look for a proof that the game is played without end."""
    book.panel().get_by_role("button", name="proof").click()
    book.panel().get_by_text("without end").first.wait_for()


def tune_a_weight(book: Book) -> None:
    """Freeze a rival, change a weight, let both play."""
    panel = book.panel()
    panel.get_by_role("button", name="Freeze").click()
    field = panel.get_by_label("holes, exact")
    field.fill("-2")
    field.press("Enter")
    book.wait_python("panel.rival is not None and -2 in panel.weights")
    book.run_python("panel.step(45)")
    book.wait_python("len(panel.scores.lines) == len(panel.rival_scores.lines) == panel.games", timeout=60)


def open_branches(book: Book) -> None:
    """A first move, one of the pieces that may follow, and its second best answer."""
    tree, first = book.panel().get_by_role("tree"), book.python("panel.selected")
    for name in (first, f"{first}/2", f"{first}/2/1"):
        tree.locator(f'[data-id="{name}"]').click()
    book.wait_python("panel.selected.endswith('/2/1')")


def push_a_move(book: Book) -> None:
    """Choose a move by its bar, reward it, and take a step."""
    panel = book.panel()
    panel.locator("[data-pick='11']").first.click()
    panel.get_by_text("Move 12 of 17").wait_for()
    panel.get_by_role("button", name="Natural step").click()
    panel.get_by_text("before the step").wait_for()


SCENES: dict[str, Scene] = {
    "board": Scene(
        "board = tc.Board.from_text('..T.......\\nITTT...O..\\nI.SS..OO.Z', height=12)\n"
        "BoardView(tc.moves(board, tc.PIECES['T'])[5], 'row_transitions')"
    ),
    "play": Scene("panel = PlayPanel(seed=8)\npanel", play_and_ask),
    "watch": Scene("WatchPanel('dellacherie', seed=1, at=240)"),
    "genetic": Scene("GeneticPanel(steps=8)"),
    "cross-entropy": Scene("CrossEntropyPanel(steps=12)"),
    "cma-es": Scene("CMAESPanel(steps=9)"),
    "race": Scene("RacePanel(steps=40)"),
    "bellman": Scene("BellmanPanel('rooms', steps=12)"),
    "q-learning": Scene("QLearningPanel(steps=22)", prove),
    "deep-q": Scene("DeepQPanel(steps=70)"),
    "policy": Scene("panel = PolicyPanel()\npanel", push_a_move),
    "tune": Scene("panel = TunePanel('dellacherie')\npanel", tune_a_weight),
    "filter": Scene("FilterPanel('filter-bumpiness', seed=2)"),
    "sampling": Scene("SamplingPanel(samples=37)"),
    "search": Scene("panel = SearchPanel()\npanel.look(2)\npanel", open_branches),
    "feature": Scene("FeaturePanel('wells', seed=3)"),
}


def take(jupyter: Jupyter, name: str, folder: Path) -> None:
    """The pictures of one scene."""
    scene = SCENES[name]
    book = jupyter.open([IMPORT, scene.code])
    book.page.set_viewport_size({"width": 1240, "height": 1500})
    scene.act(book)
    for theme in ("light", "dark"):
        book.theme(theme)
        book.page.wait_for_timeout(600)  # charts take a moment to come to rest
        book.screenshot(folder / f"{name}-{theme}.png", book.panel())
    print(f"{name}: {len(book.errors)} errors in the console", *book.errors, sep="\n  ")
    book.close()


def main() -> None:
    """Take all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", choices=[[], *SCENES], default=[])
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with running_lab() as jupyter:
        for name in chosen.names or SCENES:
            take(jupyter, name, chosen.folder)


if __name__ == "__main__":
    main()
