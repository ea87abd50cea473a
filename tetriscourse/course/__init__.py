"""The course itself: its chapters, the checks of its exercises, and what students and teachers run."""

from tetriscourse.course.checking import check, hint
from tetriscourse.course.progress import progress

__all__ = ["check", "hint", "progress"]
