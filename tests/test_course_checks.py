"""Every check says 'not attempted' of the stub, 'right' of the model solution, 'not right' of plausible mistakes.

A ladder gives a point for each rung.
"""

import re
from functools import cache

import pytest
from course_books import code, partly_right, run, wrong_answers

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.checking import check_seed, judged
from tetriscourse.course.exercises import exercises
from tetriscourse.course.verdicts import Verdict
from tetriscourse.teaching.sources import CHECK

pytestmark = pytest.mark.slow

CHECKED = [one.id for one in exercises().values() if not one.is_prose]
MISTAKES = [(id, number) for id in CHECKED for number in range(len(wrong_answers(id[:2]).get(id, [])))]

RUNGS = [(id, *one) for chapter in CHAPTERS for id, some in partly_right(chapter).items() for one in some]


def verdict(id, namespace, seed=None):
    """The verdict of an exercise on a namespace."""
    exercise = exercises(id[:2])[id]
    return Verdict(exercise, judged(exercise, namespace, check_seed() if seed is None else seed))


@cache
def stages(chapter):
    """For each check of the solutions, the names as they stand there; under "end", those after the last cell."""
    namespace, found = {"__name__": "__main__"}, {}
    for source in code("solutions", chapter):
        checks = CHECK.findall(source)
        found |= {id: dict(namespace) for id in checks}
        if not checks:  # the checks are what is tried
            run(source, namespace)
    return found | {"end": namespace}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_untouched_exercise_is_not_attempted(chapter):
    namespace = {"__name__": "__main__"}
    for source in code("exercises", chapter):
        run(source, namespace)
    mine = [id for id in CHECKED if id.startswith(chapter)]
    assert mine
    assert {id: verdict(id, namespace).state for id in mine} == dict.fromkeys(mine, "open")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_model_solution_is_right_whatever_the_seed(chapter):
    namespace = stages(chapter)["end"]
    for id in (id for id in CHECKED if id.startswith(chapter)):
        for seed in (1, 2**40 + 3):
            said = verdict(id, namespace, seed)
            assert said.state == "right", str(said)
        assert said.points == said.exercise.points > 0


@pytest.mark.parametrize(("id", "number"), MISTAKES)
def test_a_plausible_mistake_is_not_right_and_something_is_shown(id, number):
    namespace = dict(stages(id[:2])[id])
    run(wrong_answers(id[:2])[id][number], namespace)
    said = verdict(id, namespace)
    assert said.state == "wrong", str(said)
    assert said.points == 0
    assert len(said.words[0]) > 20
    assert said._repr_html_().startswith("<div")


@pytest.mark.parametrize(("id", "points", "source"), RUNGS)
def test_a_ladder_gives_a_point_for_each_rung_and_names_the_next(id, points, source):
    namespace = dict(stages(id[:2])[id])
    run(source, namespace)
    said = verdict(id, namespace)
    assert (said.state, said.points) == ("partly", points), str(said)
    assert repr(said) == str(points)
    assert f"{id} {said.exercise.title}: {points} of {said.exercise.points} points so far" in str(said)
    assert re.search(r"Rungs? reached: .*\. The next: ", said.words[0])
    assert said.words[0].split("Rung")[1].count(";") == points - 1


def test_every_ladder_has_a_rung_for_each_of_its_points():
    from tetriscourse.course.checks import chapter_01, chapter_02

    assert len(chapter_01.RUNGS) == exercises("01")["01.6"].points
    assert len(chapter_02.LONG) == len(chapter_02.SHORT) == exercises("02")["02.6"].points
    for id in {id for id, *_ in RUNGS} | {"01.6", "02.6"}:
        assert {points for one, points, _ in RUNGS if one == id} == set(range(1, exercises(id[:2])[id].points))


def test_there_is_a_plausible_mistake_for_every_check():
    assert [id for id in CHECKED if not wrong_answers(id[:2]).get(id)] == []


@pytest.mark.parametrize("id", CHECKED)
def test_a_check_survives_any_nonsense(id):
    names = exercises(id[:2])[id].answers

    def stops(*arguments, **named):
        raise SystemExit("enough")

    class Odd:
        """An answer that fails, whatever is done with it."""

        def __getattr__(self, name):
            raise RuntimeError(name)

        def __eq__(self, other):
            raise RuntimeError("==")

        __hash__ = None

    nonsense = ["text", -1, 3.5, [], {}, object(), Odd(), stops, lambda *_: Odd(), lambda *_: "x", print, float("nan")]
    states = {verdict(id, dict.fromkeys(names, value)).state for value in nonsense}
    assert not states & {"right", "partly"}


@pytest.mark.parametrize("id", CHECKED)
def test_hints_teach_and_do_not_solve(id):
    exercise = exercises(id[:2])[id]
    assert 2 <= len(exercise.hints) <= 4
    assert exercise.teaches.endswith((".", "!", "?"))
    solution = re.sub(r"\s", "", "\n".join(solution_lines(id)))
    for hint in exercise.hints:
        quoted = re.findall(r"`([^`]+)`", hint)
        assert all(re.sub(r"\s", "", part) != solution for part in quoted)


def solution_lines(id):
    """The lines between the markers of a solution."""
    sources, inside, lines = code("solutions", id[:2]), False, []
    place = next(place for place, source in enumerate(sources) if source.startswith(f'check("{id}")'))
    for line in "\n".join(sources[max(0, place - 3) : place]).splitlines():
        inside = (inside or "BEGIN SOLUTION" in line) and "END SOLUTION" not in line
        lines += [line.strip()] if inside and "SOLUTION" not in line else []
    return lines
