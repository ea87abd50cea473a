"""The history of a run: a number or a vector for each iteration, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tetriscourse.errors import one_of
from tetriscourse.random_numbers import Floats


class History:
    """Columns of numbers or vectors, one entry per iteration."""

    def __init__(self, columns: Mapping[str, Sequence[Any]] | None = None):
        self._columns: dict[str, list[Any]] = {name: list(values) for name, values in (columns or {}).items()}

    @classmethod
    def of(cls, arrays: Mapping[str, Any], prefix: str) -> History:
        """The columns among some arrays, without the prefix of their names."""
        return cls({name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)})

    def arrays(self, prefix: str) -> dict[str, Floats]:
        """The columns by name, with a prefix."""
        return {f"{prefix}{name}": self[name] for name in self.names}

    def add(self, **values: float | Floats) -> None:
        """Append an entry to each of the named columns."""
        for name, value in values.items():
            self._columns.setdefault(name, []).append(value)

    def __getitem__(self, name: str) -> Floats:
        """A column, one row per iteration."""
        return np.array(self._columns[one_of("history", name, self._columns)], np.float64)

    def last(self, name: str) -> Any:
        """The last entry of a column; 0 if it is empty."""
        return self._columns[name][-1] if self._columns.get(name) else 0.0

    def count(self, name: str) -> int:
        """The number of entries in a column."""
        return len(self._columns.get(name, ()))

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __repr__(self) -> str:
        return f"History({len(self)} iterations of {', '.join(self.names) or 'nothing yet'})"
