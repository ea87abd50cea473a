"""check and hint: three outcomes, never an exception."""

import contextlib
import os
import signal
import threading
import time
from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest

from tetriscourse.course import check, checking, hint, progress
from tetriscourse.course import exercises as catalogue
from tetriscourse.course.differences import close_to, first_difference, same_value
from tetriscourse.course.exercises import Exercise
from tetriscourse.course.outcomes import NotAttempted, NotRun, Partly, Right, Wrong, climbed, written
from tetriscourse.course.verdicts import Verdict
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.objectives import Objective
from tetriscourse.optimizers.training import train
from tetriscourse.simulator import simulate


def doubled(answer, *, seed):
    """A judge: the answer doubles numbers."""
    return first_difference(answer, lambda x: 2 * x, [(x,) for x in range(seed, seed + 5)])


DOUBLE = Exercise("01.9", "Double", 2, ("double",), "Twice is double.", ("Add it to itself.", "Use +."), doubled)
WORDS = Exercise("01.8", "Say it", 1)


@pytest.fixture(autouse=True)
def two_exercises(monkeypatch, tmp_path):
    """Two exercises of our own beside those of the course, and a progress file of our own."""
    catalogue.exercises("01")
    monkeypatch.setitem(catalogue._EXERCISES, "01.9", DOUBLE)
    monkeypatch.setitem(catalogue._EXERCISES, "01.8", WORDS)
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", str(tmp_path / "deep" / "progress.json"))


def outcome(double):
    """The verdict on an answer."""
    return checking.judged(DOUBLE, {"double": double}, seed=1, seconds=0.5)


def test_a_missing_name_the_dots_and_a_function_without_return_are_not_attempted():
    assert isinstance(checking.judged(DOUBLE, {}, seed=1), NotAttempted)
    assert isinstance(outcome(...), NotAttempted)
    assert isinstance(outcome(lambda x: None), NotAttempted)

    def untouched(x):
        raise NotImplementedError

    assert isinstance(outcome(untouched), NotAttempted)


def test_the_first_case_that_differs_is_shown_with_what_came_and_what_should_come():
    said = outcome(lambda x: 2 * x if x < 3 else 7)
    assert isinstance(said, Wrong)
    assert said.shown == [3]
    assert "`7`" in said.text
    assert "`6`" in said.text


def test_a_path_without_return_is_named():
    said = outcome(lambda x: 2 * x if x != 2 else None)
    assert isinstance(said, Wrong)
    assert "returns nothing" in said.text
    assert said.shown == [2]


def test_an_exception_of_the_answer_becomes_a_verdict():
    assert "ZeroDivisionError" in outcome(lambda x: 1 / 0).text
    assert isinstance(outcome(exit), Wrong)
    assert isinstance(outcome(3), Wrong)


def test_an_endless_loop_ends():
    def endless(x):
        while True:
            with contextlib.suppress(Exception):
                pass

    assert "0.5 seconds" in outcome(endless).text


def test_the_time_of_an_answer_begins_again_while_the_simulator_is_compiled(monkeypatch):
    from tetriscourse.simulator import compiling
    from tetriscourse.simulator.announcing import announced

    monkeypatch.setattr(compiling, "cache_folder", lambda: None)  # nothing of this test is kept

    def compiles_first(x):
        if x == 1:
            with announced("a feature of this test", tell=lambda text: None):
                time.sleep(0.7)
        return 2 * x

    assert isinstance(outcome(compiles_first), Right)


def test_a_check_looks_the_answer_up_where_it_is_called():
    said = eval("check('01.9')", {"check": check, "double": lambda x: x + x})
    assert said.state == "right"
    assert repr(said) == "2"
    assert "Twice is double." in str(said)


def test_what_an_answer_prints_stays_out_of_the_notebook(capsys):
    def chatty(x):
        print("called")
        return 2 * x

    assert isinstance(outcome(chatty), Right)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["01.9", "1.9", "1.09", " 01.9 ", 1.9])
def test_an_exercise_is_known_by_its_number_with_and_without_zeros(name):
    said = eval("check(name)", {"check": check, "name": name, "double": lambda x: x + x})
    assert said.exercise.id == "01.9"
    assert repr(hint(1, name)).startswith("Hint 1 for 01.9")
    assert isinstance(name, float) or repr(hint(name)).startswith("Hint 1 for 01.9")
    assert list(progress().entries) == ["01.9"]


@pytest.mark.parametrize("name", ["1.77", "1", 1, "01.x", "001.2", "1.2.3", "1,2", "-1.2", True, 1.0, float("nan"), []])
def test_what_is_no_number_of_an_exercise_is_an_input_error_that_names_those_allowed(name):
    with pytest.raises(InputError, match=r"^exercise is .*\(allowed: .*01\.1, 01\.2, "):
        catalogue.exercise_with(name)


def test_only_the_exercises_of_a_chapter_are_allowed_where_the_chapter_is_known():
    for name in ("01.77", "1.77", "1", 1):
        assert "00.1" not in repr(check(name))
    assert "00.1" in repr(check("x"))


@pytest.mark.parametrize("name", ["99.1", "01.77", "", None, 3, "x"])
def test_an_unknown_exercise_is_told_not_raised(name):
    assert "exercise is" in repr(check(name))
    assert "exercise is" in repr(hint(1, name)) or name in (None, "")


def test_hints_come_by_number_for_the_exercise_that_was_checked_last():
    eval("check('01.9')", {"check": check})
    assert repr(hint(1)) == "Hint 1 for 01.9: Add it to itself. (hint(2) says more)"
    assert repr(hint(2)) == "Hint 2 for 01.9: Use +. (this is the last hint)"
    assert repr(hint(3)) == repr(hint(1.5)) == "Exercise 01.9 has hints 1 to 2."
    assert "no hints" in repr(hint(1, "01.8"))


def test_an_exercise_that_is_named_is_the_one_that_further_hints_are_about():
    first = hint(1, "15.5")
    assert repr(hint("15.5")) == repr(hint(1)) == repr(first)
    assert repr(first).startswith("Hint 1 for 15.5: ")
    assert repr(hint(2)).startswith("Hint 2 for 15.5: ")
    assert "exercise is 'x'" in repr(hint("x"))


LADDER = Exercise("01.9", "Climb", 3, ("height",), "The view is good.", ("Up.", "Hold on."))


def test_a_ladder_names_the_rungs_that_are_reached_and_the_next():
    none = Verdict(LADDER, climbed("You are at 0 m", [], ["1 m", "2 m", "3 m"]))
    one = Verdict(LADDER, climbed("You are at 1 m", ["1 m"], ["2 m", "3 m"]))
    two = Verdict(LADDER, climbed("You are at 2.9 m", ["1 m", "2 m"], ["3 m"], ["a picture"]))
    top = Verdict(LADDER, climbed("You are at 3 m", ["1 m", "2 m", "3 m"], []))
    assert [one.state for one in (none, one, two, top)] == ["wrong", "partly", "partly", "right"]
    assert [repr(one) for one in (none, one, two, top)] == ["0", "1", "2", "3"]
    assert none.words[0] == "You are at 0 m. The first rung of the ladder: 1 m."
    assert one.heading == "01.9 Climb: 1 of 3 points so far"
    assert one.words[0] == "You are at 1 m. Rung reached: 1 m. The next: 2 m."
    assert two.words == [
        "You are at 2.9 m. Rungs reached: 1 m; 2 m. The next: 3 m.", 'Stuck? Type hint(1, "01.9") in a new cell.',
    ]  # fmt: skip
    assert two.drawings == ["a picture"]
    assert top.words == ["You are at 3 m: the top of the ladder.", "The view is good."]
    assert "◐" in one._repr_html_()


def test_nbgrader_reads_the_points_of_some_rungs():
    utils = pytest.importorskip("nbgrader.utils")
    new = pytest.importorskip("nbformat.v4")
    said = Verdict(LADDER, climbed("You are at 2 m", ["1 m", "2 m"], ["3 m"]))
    shown = new.new_output("execute_result", {"text/plain": repr(said), "text/html": said._repr_html_()})
    marks = {"grade": True, "grade_id": "check-01-9", "locked": True, "points": 3, "schema_version": 3}
    marks |= {"solution": False, "task": False, "cell_type": "code"}
    cell = new.new_code_cell("check('01.9')", outputs=[shown], metadata={"nbgrader": marks})
    assert utils.determine_grade(cell)[:2] == (2, 3)


def test_some_points_are_never_all():
    assert Verdict(LADDER, Partly("Much.", 7)).points == 2


def test_progress_counts_the_points_of_a_ladder_and_keeps_the_most(monkeypatch):
    outcomes = [Partly("One.", 1), Partly("Two.", 2), Partly("One.", 1), Wrong("None."), Right()]
    seen = []
    before = progress().as_data()["points"]
    for outcome in outcomes:
        monkeypatch.setitem(catalogue._EXERCISES, "01.9", replace(LADDER, judge=lambda height, seed, o=outcome: o))
        eval("check('01.9')", {"check": check, "height": 1})
        seen.append((progress().as_data()["points"] - before, progress().as_data()["exercises"]["01.9"]))
    assert seen == [(1, "partly"), (2, "partly"), (2, "partly"), (2, "partly"), (3, "right")]
    assert progress().entries["01.9"] == {"state": "right", "checks": 5}
    assert "◐ partly" in str(progress())


def test_points_in_the_file_that_make_no_sense_count_nothing(tmp_path):
    for points in ('"2"', "-1", "null", "99"):
        (tmp_path / "deep").mkdir(exist_ok=True)
        (tmp_path / "deep" / "progress.json").write_text(f'{{"01.9": {{"state": "partly", "points": {points}}}}}')
        assert progress().points(DOUBLE) == (DOUBLE.points if points == "99" else 0)


@pytest.mark.parametrize(
    "run",
    [
        lambda: simulate("dn", games=10_000, progress=False),
        lambda: train(CMAES(6, iterations=10_000), Objective("dellacherie", "10x20"), progress=False),
        lambda: time.sleep(60),
    ],
)
def test_an_interrupted_check_judges_nothing_although_runs_return_what_they_have(run):
    def judge(answer, *, seed):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        run()
        return Right("as if all had been played")

    said = checking.judged(Exercise("01.9", "Long", 2, ("x",), judge=judge), {"x": 1}, seed=1)
    assert isinstance(said, NotRun)
    assert "interrupted" in said.text
    assert Verdict(DOUBLE, said).heading == "01.9 Double: not judged"
    assert isinstance(outcome(lambda x: 2 * x), Right)


def test_words_are_left_to_a_teacher():
    assert "teacher" in str(Verdict(WORDS, checking.judged(WORDS, {}, seed=1)))


def test_progress_keeps_the_best_state_and_survives_a_broken_file(tmp_path):
    file = tmp_path / "deep" / "progress.json"
    eval("check('01.9')", {"check": check, "double": lambda x: x + x})
    eval("check('01.9')", {"check": check, "double": lambda x: x})
    assert progress().entries["01.9"] == {"state": "right", "checks": 2}
    assert "✓" in str(progress())
    file.write_text("{broken")
    assert progress().entries == {}
    file.write_text('{"01.9": {"state": "right", "checks": "many"}, "01.8": 3, "01.7": {"state": []}}')
    eval("check('01.9')", {"check": check, "double": lambda x: x})
    assert progress().entries["01.9"]["state"] == "right"


def test_progress_that_cannot_be_written_is_no_error(monkeypatch):
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", "/dev/null/progress.json")
    assert eval("check('01.9')", {"check": check, "double": lambda x: x + x}).state == "right"
    assert progress().entries == {}


def test_a_counterexample_is_drawn():
    board = Board.from_text("X..X", height=4)
    said = Verdict(DOUBLE, Wrong("Look:", [board, board.full, [1, 2], "words `code`"]))
    assert said._repr_html_().count("<svg") == 2
    assert "<code>code</code>" in said._repr_html_()
    assert str(said).count("X..X") == 2


def test_what_a_student_wrote_cannot_become_html():
    said = Verdict(DOUBLE, Wrong("<script>alert(1)</script>", ["<b>", {"<i>": 1}]))
    assert "<script>" not in said._repr_html_()
    assert "<b>" not in said._repr_html_()
    assert "<i>" not in said._repr_html_()


def test_lists_arrays_and_tuples_of_the_same_numbers_are_the_same():
    assert same_value([1, 2], np.array([1, 2]))
    assert same_value(np.array([True, False]), (1, 0))
    assert same_value(0.1 + 0.2, 0.3)
    assert same_value(np.int8(3), 3)
    assert not same_value([1, 2, 3], [1, 2])
    assert not same_value([[1], [1, 2]], [1, 2])
    assert not same_value("12", 12)
    assert same_value([(0, 1), "x"], [(0, 1), "x"])


def test_an_answer_that_equals_everything_is_not_the_same():
    for expected in (3, 2.5, True, "x", [1, 2], [[1], [2, 3]], (1, "x"), None, {1}, Board.empty(4, 4), np.eye(2)):
        assert not same_value(ANY, expected)
        assert not same_value([ANY], [expected])


def test_results_are_written_as_a_student_would():
    assert written(np.array([1, 2])) == "[1, 2]"
    assert written((np.int64(3), 0.1)) == "(3, 0.1)"
    assert written([np.float64(0.5)]) == "[0.5]"


def test_a_number_is_judged_within_its_tolerance_and_not_given_away():
    assert isinstance(close_to(3.01, 3, 0.1, "Too far."), Right)
    assert close_to(4, 3, 0.1, "Too far.") == Wrong("Too far.")
    assert "number" in close_to("x", 3, 0.1, "Too far.").text
