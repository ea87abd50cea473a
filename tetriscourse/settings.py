"""Settings of a run: every field declares its default, its meaning and its check in one line.

    @dataclass(frozen=True)
    class RacingSettings(Settings):
        bound: str = setting("hoeffding", "the half-width of an interval", one_of=BOUNDS)
        low: float = setting(150.0, "scores are almost surely above it")
        high: float = setting(2000.0, "scores are almost surely below it", above="low")
        r_min: int = setting(3, "the lowest limit of evaluations of a candidate", at_least=1)

help() and the command line show the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from tetriscourse import errors
from tetriscourse.errors import InputError, one_of, shown


def setting(
    default: Any,
    text: str,
    *,
    one_of: Iterable[str] | None = None,
    read: Callable[[Any], Any] | None = None,
    **bounds: float | str,
) -> Any:
    """A field of settings: its default, a line that explains it, and its check.

    one_of: the names that are allowed. bounds: `at_least`, `above`, `at_most`, `below` of a number, each a number or
    the name of an earlier field; if the default is a whole number, the value must be one. read: for anything else, a
    function from what a user may write to the value.
    """
    return field(default=default, metadata={"text": text, "one_of": one_of, "read": read, "bounds": bounds})


@dataclass(frozen=True)
class Settings:
    """Base class that checks and converts every field as declared."""

    def __post_init__(self) -> None:
        for one in fields(self):
            object.__setattr__(self, one.name, self._checked(one.name, one.default, **one.metadata))

    def _checked(self, name: str, default: Any, *, text: str, one_of: Any, read: Any, bounds: dict[str, Any]) -> Any:
        value = getattr(self, name)
        if read:
            return read(value)
        if one_of:
            return errors.one_of(name, value, one_of)
        if isinstance(default, bool):
            if not isinstance(value, bool):
                raise InputError(f"{name} is {shown(value)}; it must be True or False")
            return value
        limits = {word: getattr(self, bound) if isinstance(bound, str) else bound for word, bound in bounds.items()}
        if isinstance(default, int):
            return errors.whole_number(name, value, limits["at_least"], limits.get("at_most"))
        return errors.real_number(name, value, **limits)


def chosen_settings(settings: object, default: Any, changes: dict[str, Any], named: Mapping[str, Any] = {}) -> Any:
    """The settings given, those of a name, or the default ones, with changes by name."""
    if isinstance(settings, str) and named:
        settings = named[one_of("settings", settings, named)]
    elif settings is None:
        settings = default
    if not isinstance(settings, type(default)):
        also = "a name" if named else "None"
        raise InputError(f"settings is {shown(settings)}; it must be a {type(default).__name__} or {also}")
    for name in changes:
        one_of("setting", name, [one.name for one in fields(settings)])
    return replace(settings, **changes)


def explained(settings: Any) -> list[str]:
    """A line of help() for each field: its name, its default, its meaning."""
    return [f"    {one.name}={one.default}: {one.metadata['text']}" for one in fields(settings)]


def described(settings: Any) -> dict[str, Any]:
    """A dataclass as plain data: numbers, texts, and the names of functions."""
    return {one.name: plain(getattr(settings, one.name)) for one in fields(settings)}


def plain(value: Any) -> Any:
    """A value as it comes back from JSON; a function by its name."""
    if is_dataclass(value) and not isinstance(value, type):
        return described(value)
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if callable(value):
        return f"{getattr(value, '__module__', '?')}.{getattr(value, '__qualname__', repr(type(value)))}"
    return value if value is None or isinstance(value, bool | int | float) else str(value)
