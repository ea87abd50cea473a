"""Settings and history: what is fixed before a run, and what is recorded during it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from typing import Any

import numpy as np

from tetriscourse.errors import one_of
from tetriscourse.random_numbers import Floats


def setting(default: Any, text: str) -> Any:
    """A field of settings with its default and a line that explains it."""
    return field(default=default, metadata={"text": text})


def explained(settings: Any) -> list[str]:
    """A line for each of some settings, for help(): its name, its default, what it means."""
    return [f"    {one.name}={one.default}: {one.metadata['text']}" for one in fields(settings)]


def described(settings: Any) -> dict[str, Any]:
    """Settings as plain data: numbers, texts, and the names of functions."""
    return {one.name: _plain(getattr(settings, one.name)) for one in fields(settings)}


def _plain(value: Any) -> Any:
    """The value as it comes back from JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return described(value)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if callable(value):
        return f"{getattr(value, '__module__', '?')}.{getattr(value, '__qualname__', repr(type(value)))}"
    return value if value is None or isinstance(value, bool | int | float) else str(value)


class History:
    """What happened, by name: one number or vector an iteration."""

    def __init__(self, columns: Mapping[str, Sequence[Any]] | None = None):
        self._columns: dict[str, list[Any]] = {name: list(values) for name, values in (columns or {}).items()}

    def add(self, **values: float | Floats) -> None:
        """One more iteration."""
        for name, value in values.items():
            self._columns.setdefault(name, []).append(value)

    def __getitem__(self, name: str) -> Floats:
        """All iterations of one name: a row each."""
        return np.array(self._columns[one_of("history", name, self._columns)], np.float64)

    def last(self, name: str) -> Any:
        """The last entry of one name; 0 before the first."""
        return self._columns[name][-1] if self._columns.get(name) else 0.0

    def count(self, name: str) -> int:
        """How many entries one name has."""
        return len(self._columns.get(name, ()))

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    @property
    def names(self) -> list[str]:
        """What is recorded."""
        return list(self._columns)

    def __repr__(self) -> str:
        return f"History({len(self)} iterations of {', '.join(self.names) or 'nothing yet'})"
