"""The cells of a notebook, watched: an answer whose cell stopped before its end has only an older value, or half a one.

IPython tells before and after each cell; where there is none, nothing is known and nothing is said.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from symtable import symtable
from typing import Any

SETS = re.compile(r"^(?:async +)?(?:def|class) +(\w+)|^(\w[\w ,]*)=(?!=)", re.MULTILINE)
"""What seems to set names in a cell that is no Python: the beginning of a definition, the left side of `=`."""


def names_set(source: str) -> set[str]:
    """The names that a cell sets, not those inside its functions."""
    source = re.sub(r"\A\s*%%.*", "", source)
    try:
        table = symtable(source, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = SETS.findall(source)
        return {name for defined, left in found for name in (defined, *re.findall(r"\w+", left)) if name}
    return {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}


class CellWatch:
    """What became of the cells that set names in an IPython shell."""

    def __init__(self, shell: Any):
        self.shell = shell
        self.begun: tuple[set[str], str | None] | None = None  # what the cell that runs sets, and the cell's own name
        self.cell_of: dict[str, str | None] = {}  # by name, the cell that set it last
        self.stale: dict[str, tuple[str, Any]] = {}  # by name, why its value is not to be judged, and that value
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)

    def before(self, info: Any) -> None:
        """A cell begins: what it sets is open again."""
        if self.begun is not None:
            self.stopped("was broken off")
        names = names_set(str(getattr(info, "raw_cell", "")))
        self.begun = names, getattr(info, "cell_id", None)
        for name in names:
            self.stale.pop(name, None)

    def after(self, result: Any) -> None:
        """A cell has ended, well or not."""
        if self.begun is None:  # it began before it was watched
            return
        error = result.error_before_exec or result.error_in_exec
        if isinstance(error, KeyboardInterrupt):
            self.stopped("was interrupted")
        elif error is not None:
            self.stopped(f"stopped with {type(error).__name__}")
        else:
            self.ended(*self.begun)
        self.begun = None

    def stopped(self, how: str) -> None:
        """The cell did not run to its end."""
        for name in self.begun[0] if self.begun else ():
            said = f"The cell that sets `{name}` {how} when it last ran, so nothing is judged yet"
            self.keep(name, f"{said}: let it run to its end, then check again.")

    def ended(self, names: set[str], cell: str | None) -> None:
        """The cell ran to its end; what it set when it ran before and does not set now is old."""
        for name in [name for name, one in self.cell_of.items() if cell and one == cell and name not in names]:
            said = f"The cell that set `{name}` has run again and does not set it any more, so nothing is judged yet"
            self.keep(name, f"{said}: set `{name}` there, run the cell, then check again.")
        self.cell_of |= dict.fromkeys(names, cell)

    def keep(self, name: str, said: str) -> None:
        """Remember why a name is not to be judged as long as it has its present value."""
        self.stale[name] = said, self.shell.user_global_ns.get(name)

    def trouble(self, names: Sequence[str], namespace: Mapping[str, Any]) -> str:
        """Why the value of one of these names is not to be judged, in a sentence; nothing if all may be."""
        if namespace is not self.shell.user_global_ns:
            return ""
        found = ((*self.stale[name], namespace.get(name)) for name in names if name in self.stale)
        return next((said for said, value, now in found if now is value), "")


_watches: list[CellWatch] = []  # the one of this process's shell, if there is one


def watch_cells() -> None:
    """Begin to watch the cells of the shell that runs this, once."""
    with suppress(Exception):  # a shell of another kind is no reason not to learn
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if shell is not None and not any(one.shell is shell for one in _watches):
            _watches.append(CellWatch(shell))


def trouble_with(names: Sequence[str], namespace: Mapping[str, Any]) -> str:
    """Why answers of these names are not to be judged, in a sentence; nothing if they may be."""
    return next((said for one in _watches if (said := one.trouble(names, namespace))), "")
