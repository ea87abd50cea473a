"""Errors about bad input: each names the argument, the value and what is allowed, on one line. And numbers as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from math import isfinite, nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LONGEST = 100  # characters of a value that a message shows at most


class InputError(ValueError):
    """A value from outside that cannot be used."""


def shown(value: object) -> str:
    """The value as Python writes it, on one line and cut when it is long."""
    try:
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(repr(value).split()))  # addresses differ from run to run
    except ValueError:  # Python does not write out whole numbers of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def counted(number: int, noun: str) -> str:
    """'1 row', '2 rows'."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def readable(value: float) -> str:
    """A number with about four digits and thousands separators."""
    return f"{value:,.{0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2}f}"


def one_of(argument: str, value: object, allowed: Iterable[str]) -> str:
    """The value if it is one of the allowed names."""
    names = list(allowed)
    if isinstance(value, str) and value in names:
        return str(value)
    raise InputError(no_such_name(argument, value, names))


def no_such_name(argument: str, value: object, allowed: Iterable[str]) -> str:
    """The message for a value that is none of the allowed names, with the closest match."""
    names = {name.lower(): name for name in allowed}
    close = get_close_matches(value.lower()[:LONGEST], names, n=1, cutoff=0.4) if isinstance(value, str) else []
    guess = f"; did you mean '{names[close[0]]}'?" if close else ""
    return f"{argument} is {shown(value)}{guess} (allowed: {', '.join(names.values()) or 'none yet'})"


def whole_number(argument: str, value: object, low: int, high: int | None = None) -> int:
    """The value as an int if it is a whole number from low to high."""
    allowed = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    try:
        number: int = int(value)  # type: ignore[call-overload]
        exact = number == value and not isinstance(value, bool)
    except (TypeError, ValueError, OverflowError):
        exact = False
    if not exact or number < low or (high is not None and number > high):
        raise InputError(f"{argument} is {shown(value)}; it must be {allowed}")
    return number


def whole_numbers(argument: str, values: object) -> npt.NDArray[np.int64]:
    """The values as an array if they are whole numbers of at least 0."""
    import numpy as np  # here, so that the help of the command need not wait for it

    array = np.asarray(values)
    whole = array.ndim == 1 and array.dtype.kind in "iuf" and bool(np.all(array == np.floor(array)))
    if array.size and not (whole and array.min() >= 0 and array.max() < 2**63):
        raise InputError(f"{argument} is {str(values)[:60]!r}; it must be a list of whole numbers of at least 0")
    return array.astype(np.int64)


def finite_numbers(argument: str, values: object) -> tuple[float, ...]:
    """The values as floats if they form a sequence of finite numbers."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(f"{argument} is {shown(values)}; it must be a sequence of numbers")
    numbers = []
    for position, value in enumerate(values):
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = nan
        if not isfinite(number):
            raise InputError(f"{argument}[{position}] is {shown(value)}; every one must be a finite number")
        numbers.append(number)
    return tuple(numbers)


def real_number(
    argument: str,
    value: object,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
) -> float:
    """The value as a float if it is a finite number within the given bounds."""
    try:
        number = nan if isinstance(value, bool | str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = nan
    fits = (
        isfinite(number)
        and (at_least is None or number >= at_least)
        and (above is None or number > above)
        and (at_most is None or number <= at_most)
        and (below is None or number < below)
    )
    if not fits:
        bounds = (("at least", at_least), ("above", above), ("at most", at_most), ("below", below))
        allowed = " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)
        raise InputError(f"{argument} is {shown(value)}; it must be a number" + (f" {allowed}" if allowed else ""))
    return number
