"""The outcomes of judging an answer, and ready-made ways to reach them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Right:
    """The answer is right; `text` may add what was measured."""

    text: str = ""


@dataclass(frozen=True)
class Wrong:
    """The answer fails; `text` and `shown`, things to draw (boards, moves, arrays, lines of text), say where."""

    text: str
    shown: Sequence[Any] = field(default=())


@dataclass(frozen=True)
class NotAttempted:
    """There is no answer yet."""

    text: str = ""


Outcome = Right | Wrong | NotAttempted


def is_missing(value: Any) -> bool:
    """Whether a value comes from an untouched exercise: None, or three dots."""
    return value is None or value is Ellipsis


def same_value(got: Any, expected: Any) -> bool:
    """Whether two results are equal: numbers within 1e-9, lists and arrays cell by cell, all else by its `==`.

    The answer's own `==` is never called: it might say yes to everything.
    """
    if isinstance(expected, np.ndarray | list | tuple):
        if not isinstance(got, np.ndarray | list | tuple):
            return False
        if is_numeric(got) and is_numeric(expected):
            mine, true = np.asarray(got, float), np.asarray(expected, float)
            return mine.shape == true.shape and bool(np.allclose(mine, true, rtol=1e-9, atol=1e-9))
        return len(got) == len(expected) and all(map(same_value, got, expected))
    if isinstance(expected, float | int | np.number | np.bool_):
        number = isinstance(got, float | int | np.number | np.bool_ | np.ndarray) and np.ndim(got) == 0
        return number and bool(np.isclose(float(got), float(expected), rtol=1e-9, atol=1e-9))
    is_equal: Any = type(expected).__eq__
    answer = is_equal(expected, got)
    return answer is not NotImplemented and bool(answer)


def is_numeric(values: Any) -> bool:
    """Whether values are an array of numbers, or can become one."""
    try:
        return np.asarray(values).dtype.kind in "biuf"
    except ValueError:  # rows of different lengths
        return False


def written(value: Any) -> str:
    """A result as a student would write it: plain numbers, without array types."""
    if isinstance(value, np.ndarray):
        return written(value.tolist())
    if isinstance(value, np.generic):
        return written(value.item())
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        inner = ", ".join(written(one) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, float):
        return f"{value:.10g}"
    return repr(value)


def first_difference(
    answer: Callable[..., Any],
    truth: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]],
    *,
    same: Callable[[Any, Any], bool] = same_value,
    show: Callable[..., Sequence[Any]] | None = None,
) -> Outcome:
    """Right if the answer agrees with the truth on all cases; else the first that differs, so put small ones first.

    `show` returns what to draw for the arguments; by default the arguments themselves. The answer gets copies, which
    it may change.
    """
    if not callable(answer):
        return Wrong(f"A function was expected here, and {written(answer)[:60]} is none.")
    name, unanswered, answered = getattr(answer, "__name__", "your function"), None, False
    for case in cases:
        drawn = list(show(*case)) if show else list(case)
        try:
            got = answer(*copy.deepcopy(case))
        except NotImplementedError:
            return NotAttempted()
        except Exception as error:
            return Wrong(f"For this case `{name}` stops with {type(error).__name__}: {error}", drawn)
        if is_missing(got):
            unanswered = unanswered or drawn
        else:
            answered, expected = True, truth(*copy.deepcopy(case))
            if not safely(same, got, expected):
                said = f"For this case `{name}` gives {clipped(got)}; it should give {clipped(expected)}."
                return Wrong(said, drawn)
        if answered and unanswered:
            return Wrong(f"For this case `{name}` returns nothing: is there a path without `return`?", unanswered)
    return Right() if answered else NotAttempted(f"`{name}` returns nothing yet.")


def safely(same: Callable[[Any, Any], bool], got: Any, expected: Any) -> bool:
    """The comparison; a result that cannot even be compared counts as different."""
    try:
        return same(got, expected)
    except Exception:
        return False


def clipped(value: Any, longest: int = 160) -> str:
    """A result between back-quotes, cut if it is long."""
    text = " ".join(written(value).split())
    return f"`{text if len(text) <= longest else text[:longest] + ' ...'}`"


def close_to(value: Any, expected: float, tolerance: float, otherwise: str) -> Outcome:
    """Right if a number is near the expected one; the text otherwise must not give it away."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return Wrong(f"A number was expected, and {clipped(value)} is none.")
    return Right() if abs(number - expected) <= tolerance else Wrong(otherwise)
