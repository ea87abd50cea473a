"""Exercises: their answers, their hints, and the functions that judge them.

A judge gets the student's answers and a seed, and returns an outcome. Judges live in `checks/`, one module per
chapter, and look like this:

    @exercise("01.1", "Column heights", answers="heights", points=1, teaches="...", hints=["...", "..."])
    def column_heights(heights, *, seed):
        boards = small_boards(seed)
        return first_difference(heights, truth=lambda board: board.heights, cases=[(board,) for board in boards])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.outcomes import Outcome
from tetriscourse.errors import one_of

Judge = Callable[..., Outcome]


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
    id: str, title: str, *, answers: str, points: int, teaches: str, hints: Sequence[str]
) -> Callable[[Judge], Judge]:
    """Register the decorated function as the judge of an exercise; `answers` are names, separated by spaces."""

    def register(judge: Judge) -> Judge:
        _EXERCISES[id] = Exercise(id, title, points, tuple(answers.split()), teaches, tuple(hints), judge)
        return judge

    return register


def prose(id: str, title: str, *, points: int, hints: Sequence[str] = ()) -> None:
    """Register an exercise whose answer is in words."""
    _EXERCISES[id] = Exercise(id, title, points, hints=tuple(hints))


def exercises(chapter: str | None = None) -> dict[str, Exercise]:
    """The exercises of a chapter, or of all chapters, by number."""
    for number in CHAPTERS if chapter is None else [chapter]:
        import_module(f"tetriscourse.course.checks.chapter_{number}")  # which registers them
    return {id: one for id, one in sorted(_EXERCISES.items()) if chapter is None or one.chapter == chapter}


def exercise_with(id: Any) -> Exercise:
    """The exercise with this number; an error lists those of its chapter."""
    chapter = str(id).split(".")[0]
    known = exercises(chapter if chapter in CHAPTERS else None)
    return known[one_of("exercise", id, known)]
