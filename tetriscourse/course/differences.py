"""Comparing an answer with the truth, case by case."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tetriscourse.course.outcomes import NotAttempted, Outcome, Right, Wrong, clipped, expected, is_missing, nothing_yet

Function = Callable[..., Any]


def same_value(got: Any, expected: Any, rtol: float = 1e-9, atol: float = 1e-9) -> bool:
    """Whether two results agree: numbers nearly, lists, arrays and dicts item by item, all else as the truth sees it.

    The answer is never asked whether it is equal: it might say yes to everything.
    """
    same = within(rtol, atol)
    if isinstance(expected, np.ndarray | list | tuple):
        if not isinstance(got, np.ndarray | list | tuple):
            return False
        if is_numeric(got) and is_numeric(expected):
            mine, true = np.asarray(got, float), np.asarray(expected, float)
            return mine.shape == true.shape and bool(np.allclose(mine, true, rtol=rtol, atol=atol))
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, dict):
        return isinstance(got, dict) and set(got) == set(expected) and all(same(got[k], expected[k]) for k in expected)
    if isinstance(expected, float | int | np.number | np.bool_):
        number = isinstance(got, float | int | np.number | np.bool_ | np.ndarray) and np.ndim(got) == 0
        return number and bool(np.isclose(float(got), float(expected), rtol=rtol, atol=atol))
    is_equal: Any = type(expected).__eq__
    answer = is_equal(expected, got)
    return answer is not NotImplemented and bool(answer)


def within(rtol: float, atol: float) -> Callable[[Any, Any], bool]:
    """`same_value` with these tolerances."""
    return partial(same_value, rtol=rtol, atol=atol)


def is_number(value: Any) -> bool:
    """Whether a value is a number, which True and False are not."""
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def is_numeric(values: Any) -> bool:
    """Whether values are an array of numbers, or lists that can be one."""
    try:
        return np.asarray(values).dtype.kind in "biuf"
    except ValueError:  # rows of different lengths
        return False


def first_difference(
    answer: Function,
    truth: Function,
    cases: Iterable[tuple[Any, ...]],
    *,
    ask: Function | None = None,
    same: Callable[[Any, Any], bool] = same_value,
    show: str | Callable[..., Sequence[Any]] | None = None,
) -> Outcome:
    """Right when the answer agrees with the truth on all cases; else the first that differs, so give small ones first.

    `ask(answer, *case)` is how the answer is asked, if not by `answer(*case)`. `show` is what to draw of a case:
    a function of the arguments, or their names; without it, the arguments themselves are drawn. The answer gets
    copies, so that it spoils nothing by changing them.
    """
    if not callable(answer):
        return expected("a function", answer)
    name, unanswered, answered = getattr(answer, "__name__", "your function"), None, False
    for case in cases:
        drawn = drawn_case(case, show)
        try:
            copied = copy.deepcopy(case)
            got = ask(answer, *copied) if ask else answer(*copied)
        except NotImplementedError:
            return NotAttempted()
        except Exception as error:
            return Wrong(f"For this case `{name}` stops with {type(error).__name__}: {error}", drawn)
        if is_missing(got):
            unanswered = unanswered or drawn
        else:
            answered, true = True, truth(*copy.deepcopy(case))
            if not safely(same, got, true):
                return Wrong(f"For this case `{name}` gives {clipped(got)}; it should give {clipped(true)}.", drawn)
        if answered and unanswered:
            return Wrong(f"For this case `{name}` returns nothing: is there a path without `return`?", unanswered)
    return Right() if answered else nothing_yet(name)


def first_fault(outcomes: Iterable[Outcome | None]) -> Outcome:
    """The first outcome that is not right, or Right."""
    return next((one for one in outcomes if isinstance(one, Wrong | NotAttempted)), Right())


def drawn_case(case: tuple[Any, ...], show: str | Callable[..., Sequence[Any]] | None) -> list[Any]:
    """The arguments of a case as `show` wants them."""
    if isinstance(show, str):
        return named(**dict(zip(show.split(), case, strict=True)))
    return list(show(*case) if show else case)


def named(**values: Any) -> list[str]:
    """`k = 3`, `x = [1, 2]`: on one line when they fit, else a line each."""
    lines = [clipped(value, 300, f"{name} = ") for name, value in values.items()]
    return [", ".join(lines)] if sum(map(len, lines)) < 100 else lines


def safely(same: Callable[[Any, Any], bool], got: Any, expected: Any) -> bool:
    """The comparison, where a result that cannot even be compared counts as different."""
    try:
        return same(got, expected)
    except Exception:
        return False


def close_to(value: Any, expected: float, tolerance: float, otherwise: str) -> Outcome:
    """Right when a number is near the expected one; `otherwise` must not give it away."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return Wrong(f"Expected a number, but got {clipped(value)}.")
    return Right() if abs(number - expected) <= tolerance else Wrong(otherwise)
