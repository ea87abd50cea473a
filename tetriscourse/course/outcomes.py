"""Outcomes of a check: right, partly, wrong or not attempted; those that many judges need, and results in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FEWEST_WORDS = 10  # in an answer that is prose


@dataclass(frozen=True)
class Right:
    """The answer is right; `text` may add what was measured."""

    text: str = ""


@dataclass(frozen=True)
class Partly:
    """Some rungs of a ladder are reached, each worth a point, and some are not: which, in words, and what to draw."""

    text: str
    points: int
    shown: Sequence[Any] = field(default=())


@dataclass(frozen=True)
class Wrong:
    """The answer fails: where, in words, and what to draw beside them (boards, moves, arrays, lines of text)."""

    text: str
    shown: Sequence[Any] = field(default=())


@dataclass(frozen=True)
class NotAttempted:
    """There is no answer yet."""

    text: str = ""


class NotRun(NotAttempted):
    """There may be an answer, but it is not judged: something did not run to its end."""


Outcome = Right | Partly | Wrong | NotAttempted


def climbed(measured: str, reached: Sequence[str], missing: Sequence[str], shown: Sequence[Any] = ()) -> Outcome:
    """The outcome on a ladder with a point for each rung: right at its top; else the rungs reached, and the next."""
    if not missing:
        return Right(f"{measured}: the top of the ladder.")
    if not reached:
        return Wrong(f"{measured}. The first rung of the ladder: {missing[0]}.", shown)
    rungs = "Rungs" if len(reached) > 1 else "Rung"
    said = f"{measured}. {rungs} reached: {'; '.join(reached)}. The next: {missing[0]}."
    return Partly(said, len(reached), shown)


def is_missing(value: Any) -> bool:
    """Whether a value comes from an untouched exercise: None, or three dots."""
    return value is None or value is Ellipsis


def expected(what: str, got: Any) -> Wrong:
    """The outcome for an answer of the wrong kind."""
    return Wrong(f"Expected {what}, but got {clipped(got)}.")


def nothing_yet(name: str) -> NotAttempted:
    """The outcome for a function that returns nothing."""
    return NotAttempted(f"`{name}` returns nothing yet.")


def too_short(name: str, text: Any, question: str) -> Wrong | None:
    """The outcome for a prose answer that is not a few sentences long."""
    if isinstance(text, str) and len(text.split()) >= FEWEST_WORDS:
        return None
    return Wrong(f"`{name}` should be a text of a few sentences: {question}")


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
    if isinstance(value, set | frozenset) and value:
        return "{" + ", ".join(sorted(map(written, value))) + "}"
    if isinstance(value, float):
        return f"{value:.10g}"
    return repr(value)


def clipped(value: Any, longest: int = 160, before: str = "") -> str:
    """A result in code marks, cut when it is long."""
    text = " ".join(written(value).split())
    return f"`{before}{text if len(text) <= longest else text[:longest] + ' ...'}`"
