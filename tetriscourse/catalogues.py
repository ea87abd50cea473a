"""Catalogues: things by name, with an answer for a name that nobody has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import shorten
from typing import Any, NoReturn, TypeVar

from tetriscourse.errors import LONGEST, InputError, no_such_name, one_of

Thing = TypeVar("Thing")


class UnknownName(InputError, KeyError):
    """A name that a catalogue does not have."""

    __str__ = Exception.__str__  # a KeyError would quote its text


class Catalogue(dict[str, Thing]):
    """A dict of things by name; an unknown name raises an error that lists the names and the closest match."""

    def __init__(self, noun: str, things: Mapping[str, Thing] | Iterable[tuple[str, Thing]] = ()):
        super().__init__(things)
        self.noun = noun  # the word for one of them in errors

    def named(self, name: object, argument: str = "") -> Thing:
        """The thing of this name; an error calls it by the name of the argument that was given."""
        return self[one_of(argument or self.noun, name, self)]

    def __missing__(self, name: object) -> NoReturn:
        raise UnknownName(no_such_name(self.noun, name, self))

    def __repr__(self) -> str:
        return f"Catalogue({self.noun}: {shorten(', '.join(self), LONGEST, placeholder=' ...')})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In a notebook, one line for each thing."""
        wide = max(map(len, self), default=0)
        printer.text("\n".join(f"{name:{wide}}  {thing!r}" for name, thing in self.items()))
