"""Planning a term: time, prerequisites, panels and exercises of each chapter, and ready-made plans."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tetriscourse.course.chapters import CHAPTERS, Chapter, course_files
from tetriscourse.course.exercises import Exercise, exercises
from tetriscourse.errors import counted
from tetriscourse.teaching.sources import MINUTES_A_POINT

TIME = re.compile(r"\*\*Time\*\*[^\n]*?(\d+) minutes")
NEEDS = re.compile(r"\*\*You need\*\*(.*?)\n\n", re.DOTALL)
PANEL = re.compile(r"\b([A-Z]\w*Panel)\(")

OVERRUN = 5  # minutes by which a session may run over to finish a part


@dataclass(frozen=True)
class ChapterFacts:
    """One chapter as a teacher sees it."""

    chapter: Chapter
    minutes: int
    exercise_minutes: int
    needs: tuple[str, ...]
    panels: tuple[str, ...]
    exercises: tuple[Exercise, ...]

    @property
    def points(self) -> int:
        """The points of all its exercises."""
        return sum(one.points for one in self.exercises)


def text_of(folder: str, chapter: Chapter, kind: str) -> str:
    """All Markdown, or all code, of a chapter's notebook."""
    book = json.loads((course_files() / folder / chapter.file).read_text("utf-8"))
    return "\n\n".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == kind) + "\n\n"


def named(text: str) -> set[str]:
    """The chapters that a text names, one by one or as '07 to 09'."""
    between = {f"{n:02}" for low, high in re.findall(r"(\d\d) to (\d\d)", text) for n in range(int(low), int(high))}
    return (between | set(re.findall(r"\b\d\d\b", text))) & set(CHAPTERS)


@cache
def sight(number: str) -> ChapterFacts:
    """A chapter as its own notebooks describe it."""
    chapter = CHAPTERS[number]
    lecture, sheet = (text_of(folder, chapter, "markdown") for folder in ("notebooks", "exercises"))
    needs = named(NEEDS.findall(lecture)[0])
    panels = dict.fromkeys(PANEL.findall(text_of("notebooks", chapter, "code")))
    reading, solving = (int(TIME.findall(text)[0]) for text in (lecture, sheet))
    known = tuple(exercises(number).values())
    return ChapterFacts(chapter, reading, solving, tuple(sorted(needs)), tuple(panels), known)


def overview_text(numbers: Sequence[str] = tuple(CHAPTERS)) -> str:
    """The chapters as a Markdown table."""
    rows = [
        f"| [{one.chapter.number} {one.chapter.title}]({one.chapter.file}) | {one.minutes} | {one.exercise_minutes} "
        f"| {', '.join(one.needs)} | {', '.join(f'`{name}`' for name in one.panels)} |"
        for one in map(sight, numbers)
    ]
    head = "| chapter | lecture, minutes | exercises, minutes | needs | panels |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def exercises_text(number: str) -> str:
    """The exercises of a chapter, one per line."""
    judged = ((one, "in words" if one.is_prose else "checked") for one in sight(number).exercises)
    return "\n".join(
        f"  {one.id}  {counted(one.points, 'point'):8}  {how:8}  {one.kind:6}  {one.title}" for one, how in judged
    )


@dataclass(frozen=True)
class PlannedChapter:
    """A chapter in a plan: its lecture, and the exercises that fit."""

    number: str
    exercises: tuple[str, ...] = ()

    @property
    def minutes(self) -> int:
        """Its time: the lecture as announced, the exercises by their points."""
        known = exercises(self.number)
        return sight(self.number).minutes + MINUTES_A_POINT * sum(known[id].points for id in self.exercises)


@dataclass(frozen=True)
class Plan:
    """A course of some hours, chapter by chapter."""

    hours: int
    title: str
    parts: tuple[PlannedChapter, ...]

    @property
    def minutes(self) -> int:
        """The time of all parts together."""
        return sum(part.minutes for part in self.parts)

    def __str__(self) -> str:
        rows = [
            f"  {part.minutes:3} min  {part.number} {CHAPTERS[part.number].title}"
            + (f"; exercises {', '.join(part.exercises)}" if part.exercises else "")
            for part in self.parts
        ]
        return "\n".join([f"{self.hours} hours: {self.title} ({self.minutes} minutes)", *rows])


def plan(hours: int, title: str, *parts: str) -> Plan:
    """A plan from texts such as '05 1 3 open proof': chapter 05, its exercises 1 and 3, its open one and its proof."""
    made = []
    for number, *chosen in (text.split() for text in parts):
        named = {one.kind: id for id, one in exercises(number).items() if one.kind}
        made.append(PlannedChapter(number, tuple(named.get(one, f"{number}.{one}") for one in chosen)))
    return Plan(hours, title, tuple(made))


def term_text(plan: Plan, hours: int) -> str:
    """A plan cut into sessions of equal length; a part that does not fit continues in the next one."""
    rows, left, number = ["session 1"], 60 * hours, 1
    for part in plan.parts:
        rest = part.minutes
        while rest:
            spent = rest if rest - left <= OVERRUN else left
            goes_on = " (goes on)" if rest < part.minutes else ""
            rows.append(f"  {spent:3} min  {part.number} {CHAPTERS[part.number].title}{goes_on}")
            rest, left = rest - spent, left - spent
            if left <= 0:
                left, number = 60 * hours, number + 1
                rows.append(f"session {number}")
    return "\n".join(rows if left < 60 * hours else rows[:-1])


PLANS = {
    one.hours: one
    for one in (
        plan(3, "an afternoon", "00", "04 1 2", "07"),
        plan(
            10, "from a board to a player that learns", "00", "01 2 4", "02 1 open", "03 1 2 5", "04 1 2 open",
            "05 1 2", "07 1 5", "08 1 open",
        ),
        plan(
            24, "the whole course", "00 2", "01 2 4", "02 1 2", "03 1 2 5", "04 1 2 open", "05 1 2 design", "06 1 2",
            "07 1 5 design", "08 1 2 open", "09 1 2", "10 2 3", "11 1 2 4", "12 design", "13 1 2 4", "14 1 3",
            "15 1 open",
        ),
        plan(
            36, "the whole course, with proofs and experiments", "00 1 2 3", "01 2 4 open", "02 1 2 open", "03 1 2 5 6",
            "04 1 2 3 open", "05 1 2 3 proof design", "06 1 2 4 proof design", "07 1 3 5 proof design",
            "08 1 2 open proof design", "09 1 2 4 open proof design", "10 1 2 4 open proof design",
            "11 1 2 3 open proof design", "12 1 3 5 proof design", "13 1 2 4 proof design open",
            "14 1 2 4 proof design open", "15 1 2 5 open proof design",
        ),
    )
}  # fmt: skip
"""Ready-made plans, by hours."""
