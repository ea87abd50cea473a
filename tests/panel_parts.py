"""Parts of a panel, found by what they are rather than by where they stand."""

from collections.abc import Iterator
from typing import Any


def parts(blocks: Any) -> Iterator[dict[str, Any]]:
    """Every block and control of a panel, at any depth."""
    if isinstance(blocks, dict):
        yield blocks
        for inner in (blocks.get("blocks", ()), blocks.get("items", ())):
            yield from parts(inner)
    else:
        for one in blocks:
            yield from parts(one)


def part(panel: Any, **wanted: Any) -> dict[str, Any]:
    """The one part of a panel that has these entries."""
    (found,) = (one for one in parts(panel.blocks) if wanted.items() <= one.items())
    return found
