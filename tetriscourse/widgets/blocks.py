"""The parts of a panel: blocks and controls, as plain data that the page turns into elements.

A block with an `id` shows what the panel's `content()` has under that id. A control calls the panel when it is used:
`speed` calls `when_speed(value)`, `weight:3` calls `when_weight(value, "3")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Spec = dict[str, Any]


def row(*blocks: Spec) -> Spec:
    """Blocks side by side."""
    return {"kind": "row", "blocks": list(blocks)}


def column(*blocks: Spec) -> Spec:
    """Blocks one above the other."""
    return {"kind": "column", "blocks": list(blocks)}


def board(id: str) -> Spec:
    """A board; its data: `board_data(...)`."""
    return {"kind": "board", "id": id}


def drawing(id: str, pick: bool = False) -> Spec:
    """A chart; its data: {"svg": text}. With pick, a click on a part with a `data-pick` calls `when_<id>(its number)`.

    Whoever has no mouse needs another way to pick, such as a table or buttons.
    """
    return {"kind": "svg", "id": id, "pick": pick}


def table(id: str, pick: bool = False) -> Spec:
    """A table; its data: `table_data(...)`. With pick, a click on a row calls `when_<id>(number of the row)`."""
    return {"kind": "table", "id": id, "pick": pick}


def text(id: str, style: str = "", live: bool = False) -> Spec:
    """Lines of text; style: large, soft, mono, narrow. Screen readers announce live text. Data: {"text": lines}."""
    return {"kind": "text", "id": id, "style": style, "live": live}


def code(id: str, label: str = "Copy") -> Spec:
    """Code with a button that copies it, then calls `when_<id>`; its data: {"text": ...}."""
    return {"kind": "code", "id": id, "label": label}


def boards(id: str) -> Spec:
    """A gallery of small boards: js/order.js; its data: {"board": small_board(...), "groups": [group(...), ...]}."""
    return {"kind": "boards", "id": id}


def tree(id: str) -> Spec:
    """A tree of rows that can be opened: js/tree.js; its data: `Rows` in searching/rows.py.

    It calls `when_<id>(name of the row, "select")` or `when_<id>(name of the row, "toggle")`.
    """
    return {"kind": "tree", "id": id}


def controls(id: str, *items: Spec, vertical: bool = False, style: str = "") -> Spec:
    """A row of controls, or a column; its data: what can change, by name: {"speed": {"value": 3}} (`inputs.values`).

    style: weights, for narrower sliders; compact, for many very narrow ones.
    """
    return {"kind": "controls", "id": id, "items": list(items), "vertical": vertical, "style": style}


def button(name: str, label: str, help: str = "") -> Spec:
    """A button; its data: label, disabled, pressed."""
    return {"type": "button", "name": name, "label": label, "help": help}


def slider(name: str, label: str, low: float, high: float, step: float = 0, help: str = "") -> Spec:
    """A slider with a field for an exact number, sent as text; step 0: any number."""
    return {"type": "slider", "name": name, "label": label, "low": low, "high": high, "step": step, "help": help}


def number(name: str, label: str, help: str = "") -> Spec:
    """A field for a number, sent as the text that was typed: see inputs.py."""
    return {"type": "number", "name": name, "label": label, "help": help}


def entry(name: str, label: str, help: str = "") -> Spec:
    """A field for text."""
    return {"type": "text", "name": name, "label": label, "help": help}


def select(name: str, label: str, options: Sequence[str] | Sequence[tuple[str, str]], help: str = "") -> Spec:
    """A menu; options are names, or pairs of a value and the text to show."""
    return {"type": "select", "name": name, "label": label, "options": list(options), "help": help}


def check(name: str, label: str, help: str = "") -> Spec:
    """A check box."""
    return {"type": "check", "name": name, "label": label, "help": help}


def order(name: str, label: str, help: str = "") -> Spec:
    """A list to put in order by dragging, buttons or keys, each item with 'fewest' or 'most': js/order.js.

    Its data: items, each {"name", "label", "sign", "help"}; others, pairs of a name and a text, which can be added;
    answered, how often Python has been asked. The list is sent as [{"name": ..., "sign": ...}, ...]; the sign of an
    item just added is None.
    """
    return {"type": "order", "name": name, "label": label, "help": help}


def table_data(
    columns: Sequence[str], rows: Sequence[Sequence[object]], marked: int | None = None, caption: str = ""
) -> Spec:
    """The data of a table: first column aligned left, the others right; one row may be marked."""
    cells = [[str(cell) for cell in line] for line in rows]
    return {"columns": list(columns), "rows": cells, "marked": marked, "caption": caption}
