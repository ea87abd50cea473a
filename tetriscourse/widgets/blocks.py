"""What a panel is made of: blocks and controls, as plain data that the page turns into elements.

A block with an `id` shows what the panel's `content()` has under that id. A control tells the panel what the person
did: the control `speed` calls the panel's `when_speed(value)`, the control `weight:3` its `when_weight(value, "3")`.
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


def drawing(id: str) -> Spec:
    """A chart; its data: {"svg": ...}, as text."""
    return {"kind": "svg", "id": id}


def table(id: str, pick: bool = False) -> Spec:
    """A table; its data: `table_data(...)`. If rows can be picked, `when_<id>(number of the row)` is called."""
    return {"kind": "table", "id": id, "pick": pick}


def text(id: str, style: str = "", live: bool = False) -> Spec:
    """Lines of text; style: large, soft, mono, narrow. Screen readers read live text out; data: {"text": lines}."""
    return {"kind": "text", "id": id, "style": style, "live": live}


def code(id: str, label: str = "Copy") -> Spec:
    """Code with a button that copies it; its data: {"text": ...}; `when_<id>` is called after that."""
    return {"kind": "code", "id": id, "label": label}


def boards(id: str) -> Spec:
    """A gallery of small boards: js/order.js; its data: {"board": small_board(...), "groups": [group(...), ...]}."""
    return {"kind": "boards", "id": id}


def controls(id: str, *items: Spec, vertical: bool = False, style: str = "") -> Spec:
    """A row of controls, or a column; its data: for each control by name, what changes: {"speed": {"value": 3}}.

    style: weights, for narrower sliders; compact, for many very narrow ones.
    """
    return {"kind": "controls", "id": id, "items": list(items), "vertical": vertical, "style": style}


# --- controls -------------------------------------------------------------------------------------


def button(name: str, label: str, help: str = "") -> Spec:
    """A button; what can change: label, disabled, pressed."""
    return {"type": "button", "name": name, "label": label, "help": help}


def slider(name: str, label: str, low: float, high: float, step: float = 0, help: str = "") -> Spec:
    """A slider with a field for an exact number (which comes as text); step 0: any number."""
    return {"type": "slider", "name": name, "label": label, "low": low, "high": high, "step": step, "help": help}


def number(name: str, label: str, help: str = "") -> Spec:
    """A field for a number; it comes as the text that was typed: see `typed_number` and `typed_whole`."""
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
    """A list to be put in order, by dragging, buttons or keys, of items with 'fewest' or 'most': js/order.js.

    What can change: items, each {"name", "label", "sign", "help"}; others, pairs of a name and a text: what can be
    added; answered: how often Python has been asked. The whole list comes as [{"name": ..., "sign": ...}, ...]; the
    sign of an item that was just added is None.
    """
    return {"type": "order", "name": name, "label": label, "help": help}


# --- data -----------------------------------------------------------------------------------------


def table_data(
    columns: Sequence[str], rows: Sequence[Sequence[object]], marked: int | None = None, caption: str = ""
) -> Spec:
    """The data of a table: the first column is aligned left, the others right; one row may be marked."""
    cells = [[str(cell) for cell in line] for line in rows]
    return {"columns": list(columns), "rows": cells, "marked": marked, "caption": caption}
