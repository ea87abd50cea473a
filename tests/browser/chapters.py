"""Pictures of the chapters in full: python tests/browser/chapters.py FOLDER [NN or appendix ...] [--dark]

Each lecture is run in JupyterLab; each exercise is left untouched, done wrongly and done rightly, as a student would.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import jupyter as browsing
from jupyter import SETTINGS, Jupyter, running_lab

sys.path.append(str(Path(__file__).parents[1]))
from course_books import ROOT, tried

from tetriscourse.course.chapters import APPENDICES, chosen_chapters

WIDE, HIGH, HIGHEST = 1280, 1600, 48_000
browsing.PATIENCE = 600  # a whole chapter, three times its exercises
SETTINGS["@jupyterlab/notebook-extension:tracker"] = {"windowingMode": "none"}  # or cells out of sight are not drawn
LENGTH = "Math.max(...[...document.querySelectorAll('.jp-WindowedPanel-outer')].map(one => one.scrollHeight))"


def lecture(file: str) -> dict[str, Any]:
    """A notebook of the course."""
    book: dict[str, Any] = json.loads((ROOT / "notebooks" / file).read_text("utf-8"))
    return book


def take(jupyter: Jupyter, notebook: dict[str, Any], name: str, folder: Path, theme: str) -> None:
    """The pictures of one notebook, page by page."""
    book = jupyter.open(notebook)
    book.theme(theme)
    length = min(HIGHEST, 120 + int(book.page.evaluate(LENGTH)))
    book.page.set_viewport_size({"width": WIDE, "height": length})
    book.page.evaluate("document.querySelectorAll('.jp-WindowedPanel-outer').forEach(one => one.scrollTop = 0)")
    book.page.wait_for_timeout(3000)  # panels that come into sight start to work
    for number, top in enumerate(range(0, length, HIGH)):
        place = {"x": 0, "y": top, "width": WIDE, "height": min(HIGH, length - top)}
        book.page.screenshot(path=folder / f"{name}-{number + 1:02d}.png", clip=place)
    print(f"{name}: {number + 1} pictures, {len(book.errors)} errors in the console", *book.errors, sep="\n  ")
    book.close()


def main() -> None:
    """Take all pictures, or those of the chapters and appendices that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("chapters", nargs="*")
    parser.add_argument("--dark", action="store_true")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    theme = "dark" if chosen.dark else "light"
    appendices = [name for name in APPENDICES if name in chosen.chapters or not chosen.chapters]
    numbers = [name for name in chosen.chapters if name not in APPENDICES]
    chapters = [] if chosen.chapters and not numbers else chosen_chapters(numbers)
    with running_lab() as jupyter:
        for chapter in chapters:
            take(jupyter, lecture(chapter.file), f"{chapter.number}-lecture", chosen.folder, theme)
            take(jupyter, tried(chapter.number), f"{chapter.number}-exercises", chosen.folder, theme)
        for name in appendices:
            take(jupyter, lecture(f"{name}.ipynb"), name, chosen.folder, theme)


if __name__ == "__main__":
    main()
