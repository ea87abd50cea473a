"""The values of controls: typed, chosen or ticked by a person; read, checked, stored and shown.

A control that merely sets something does not need a method. In a panel's class,

    when_sigma = sets("settings.sigma", real("first sigma", above=0), then="reset")

reads the number, replaces that field of the panel's settings, and calls `reset()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from tetriscourse.errors import one_of
from tetriscourse.widgets.panel import typed_number, typed_whole

When = Callable[[Any, Any], None]  # a method of a panel for the events of a control: takes the new value


def values(**controls: Any) -> dict[str, Any]:
    """The data of controls by name, where only their values change."""
    return {name: {"value": value} for name, value in controls.items()}


def sets(target: str, read: Callable[[Any], Any], then: str = "") -> When:
    """Store the value in an attribute of the panel, or in a field of its settings; then call a method by name."""

    def when(panel: Any, value: Any) -> None:
        holder, _, name = target.rpartition(".")
        new = read(value)
        setattr(panel, holder or name, replace(getattr(panel, holder), **{name: new}) if holder else new)
        if then:
            getattr(panel, then)()

    return when


def tunes(field: str, read: Callable[[Any], Any]) -> When:
    """Change a field of the settings, both those of the running optimizer and those of the next run."""

    def when(panel: Any, value: Any) -> None:
        changes = {field: read(value)}
        panel.settings = replace(panel.settings, **changes)
        panel.replace_settings(**changes)

    return when


def option(label: str, options: Iterable[str]) -> Callable[[Any], str]:
    """Reads one of the options of a menu."""
    return lambda value: one_of(label, value, options)


def real(label: str, **bounds: float) -> Callable[[Any], float]:
    """Reads a number within the bounds of `real_number`."""
    return partial(typed_number, label, **bounds)


def whole(label: str, low: int, high: int | None = None) -> Callable[[Any], int]:
    """Reads a whole number."""
    return lambda value: typed_whole(label, value, low, high)
