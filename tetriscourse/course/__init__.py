"""The course as students meet it: chapters, checks and hints, progress, leaderboard, working copies."""

from tetriscourse.course.checking import check, hint
from tetriscourse.course.progress import progress

__all__ = ["check", "hint", "progress"]
