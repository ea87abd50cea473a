"""The chapters of the course, and where their files are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tetriscourse.errors import one_of


@dataclass(frozen=True)
class Chapter:
    """One chapter: a lecture in notebooks/, its solutions, and the exercises made from them."""

    number: str
    name: str
    title: str
    question: str

    @property
    def stem(self) -> str:
        """The name of its files, without their ending."""
        return f"{self.number}_{self.name}"

    @property
    def file(self) -> str:
        """The file name of its notebooks."""
        return f"{self.stem}.ipynb"


_TABLE = """
00_welcome            Welcome                          What is here, does it work, and can you beat a champion?
01_data_structures    Data structures                  How does a program hold a board, and what does that make easy?
02_engine_and_agents  The engine and the first agents  What are the rules, and how badly does chance play?
03_filtering          Filtering                        How far do a few criteria go, and why does their order matter?
04_evaluation         Evaluation functions             How does a player weigh what it sees?
05_comparing_players  Comparing players honestly       Who is better, and how sure is that?
06_speed              Speed                            How does a game become a thousand times faster?
07_genetic            Genetic algorithms               Can weights be bred?
08_cross_entropy      Cross-entropy                    What if one learns a distribution instead of a point?
09_cma_es             CMA-ES and racing                How does a search learn which way to go, and how far?
10_bellman            Bellman equations and Tetris solved exactly  What is the best play worth, exactly?
11_q_learning         Domino Q-learning                Can a player learn without knowing the rules?
12_deep_q             Deep Q-learning                  Can a network replace the table, and is it worth it?
13_looking_ahead      Looking ahead                    What is it worth to think before one moves?
14_policies           Learning a policy                Can learning from experience overtake weights found by search?
15_championship       The championship                 Can you beat the published players?
"""

CHAPTERS = {
    stem[:2]: Chapter(stem[:2], stem[3:], title, question)
    for stem, title, question in (re.split("  +", row) for row in _TABLE.strip().splitlines())
}
"""By number, in reading order."""

APPENDICES = ("panels", "environments", "pytorch", "glossary", "references", "results", "teaching")
"""Lectures beside the chapters, without exercises."""

STEMS = {number: chapter.stem for number, chapter in CHAPTERS.items()} | {name: name for name in APPENDICES}
"""The file names of chapters and appendices, without their ending."""

PACKED = Path(__file__).parent / "files"
CLONE = Path(__file__).parent.parent.parent


def course_files() -> Path:
    """The folder with notebooks/, exercises/ and solutions/: in the installed package, or the clone around it."""
    return PACKED if PACKED.is_dir() else CLONE


def chosen_chapters(numbers: list[str], argument: str = "NN") -> list[Chapter]:
    """The chapters with these numbers, where '1' means '01'; all if none is given."""
    padded = [number.zfill(2) for number in numbers]
    return [CHAPTERS[one_of(argument, number, CHAPTERS)] for number in padded] or list(CHAPTERS.values())


def chosen_stems(numbers: list[str]) -> list[str]:
    """The file names of these chapters and appendices; all if none is given."""
    return [STEMS[one_of("NN", number.zfill(2), STEMS)] for number in numbers] or list(STEMS.values())
