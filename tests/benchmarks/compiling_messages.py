"""How often a student reads 'Compiling': python tests/benchmarks/compiling_messages.py [CHAPTER ...]

Runs the lectures one after the other with an empty cache, as somebody would who has just installed the course, and
counts the messages in all cells.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def messages(path: Path) -> list[str]:
    """The messages about compiling in the cells of a notebook, when it is run."""
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=600, resources={"metadata": {"path": str(path.parent)}}).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    texts = [output.text for output in outputs if output.output_type == "stream"]
    return [line for text in texts for line in text.splitlines() if line.startswith("Compiling")]


def main() -> None:
    """Print the messages of each chapter, and their number."""
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
            if len(sys.argv) > 1 and path.name[:2] not in sys.argv[1:]:
                continue
            start = time.monotonic()
            found = messages(path)
            total += len(found)
            print(f"{path.stem}: {len(found)} in {time.monotonic() - start:.0f} s", *found, sep="\n  ", flush=True)
    print(f"{total} in all")


if __name__ == "__main__":
    main()
