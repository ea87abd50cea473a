"""Exercises: their answers, their hints, and the functions that judge them.

A judge gets the student's answers and a seed, and returns an outcome. Judges live in `checks/`, one module per
chapter, with the hints and what an exercise teaches in a file of words beside it. They look like this:

    @exercise("01.1", "Column heights", answers="heights", points=1)
    def column_heights(heights, *, seed):
        boards = small_boards(seed)
        return first_difference(heights, truth=lambda board: board.heights, cases=[(board,) for board in boards])
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.outcomes import Outcome
from tetriscourse.errors import InputError, no_such_name, one_of

Judge = Callable[..., Outcome]
CHECKS = Path(__file__).with_name("checks")
KINDS = ("", "open", "proof", "design")
"""Kinds of exercises: ordinary, without an upper end, a proof in words, an experiment to design on a fixed budget."""


@dataclass(frozen=True)
class Exercise:
    """One exercise of the course; without a judge, its answer is prose that a teacher reads."""

    id: str
    title: str
    points: int
    answers: tuple[str, ...] = ()
    teaches: str = ""
    hints: tuple[str, ...] = ()
    judge: Judge | None = None
    kind: str = ""
    marking: tuple[tuple[int, str], ...] = ()  # for an answer in words: points, and what they are given for

    @property
    def is_prose(self) -> bool:
        """Whether its answer is in words."""
        return self.judge is None

    @property
    def chapter(self) -> str:
        """The number of its chapter."""
        return self.id.split(".")[0]

    @property
    def slug(self) -> str:
        """Its number, for names that allow no dots."""
        return self.id.replace(".", "-")


_EXERCISES: dict[str, Exercise] = {}


def exercise(
    id: str,
    title: str,
    *,
    answers: str,
    points: int,
    kind: str = "",
    teaches: str | None = None,
    hints: Sequence[str] | None = None,
) -> Callable[[Judge], Judge]:
    """Register the decorated function as the judge of an exercise; `answers` are names, separated by spaces.

    `teaches` and `hints` are those in the chapter's file of words, unless given.
    """

    def register(judge: Judge) -> Judge:
        taught = words(id).get("teaches", "") if teaches is None else teaches
        hinted = words(id).get("hints", ()) if hints is None else hints
        _EXERCISES[id] = Exercise(
            id, title, points, tuple(answers.split()), taught, tuple(hinted), judge, one_of("kind", kind, KINDS)
        )
        return judge

    return register


def prose(id: str, title: str, *, points: int, kind: str = "") -> None:
    """Register an exercise whose answer is in words; its marking scheme is in the chapter's file of words."""
    scheme = tuple((worth, what) for worth, what in words(id).get("marking", ()))
    hints = tuple(words(id).get("hints", ()))
    _EXERCISES[id] = Exercise(id, title, points, hints=hints, kind=one_of("kind", kind, KINDS), marking=scheme)


def words(id: str) -> dict[str, Any]:
    """`teaches`, `hints` and `marking` of an exercise in its chapter's file of words."""
    found: dict[str, Any] = chapter_words(id.split(".")[0]).get(id, {})
    return found


@cache
def chapter_words(chapter: str) -> dict[str, Any]:
    return tomllib.loads((CHECKS / f"chapter_{chapter}.toml").read_text("utf-8"))


def exercises(chapter: str | None = None) -> dict[str, Exercise]:
    """The exercises of a chapter, or of all chapters, by number."""
    for number in CHAPTERS if chapter is None else [chapter]:
        import_module(f"tetriscourse.course.checks.chapter_{number}")  # which registers them
    return {id: one for id, one in sorted(_EXERCISES.items()) if chapter is None or one.chapter == chapter}


def exercise_with(id: Any) -> Exercise:
    """The exercise with this number, 1.2 being 01.2; an error lists those of its chapter."""
    number = full_number(id)
    chapter = number.split(".")[0]
    known = exercises(chapter if chapter in CHAPTERS else None)
    if number not in known:
        raise InputError(no_such_name("exercise", id, known))
    return known[number]


def full_number(id: Any) -> str:
    """01.2 for '01.2', '1.2', '1.02' and the number 1.2; 01 for '1'; for anything else the text as it is."""
    parts = re.fullmatch(r"\s*([0-9]{1,2})(?:\.([0-9]{1,2}))?\s*", str(id))
    if not parts or not isinstance(id, str | int | float):
        return str(id)
    return f"{int(parts[1]):02}" + (f".{int(parts[2])}" if parts[2] else "")
