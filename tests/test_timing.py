"""Speeds are compared as ratios, by turns, on a clock of the test's own; text never depends on the machine."""

import cProfile
import gc
import re
import time
from types import SimpleNamespace

import matplotlib as mpl
import pytest

from tetriscourse.course.timing import Ratios, ratios, working_clock
from tetriscourse.errors import InputError
from tetriscourse.plots import alternative, speed_ratios, time_shares
from tetriscourse.plots.speed import shares_of, two_digits

mpl.use("agg")


class Watch:
    """A clock that only moves when work is done, and a diary of that work."""

    def __init__(self):
        self.now, self.diary = 0.0, []

    def __call__(self):
        return self.now

    def job(self, name, *seconds):
        """A job that takes so long the first time, the second time, ...; the last figure holds from then on."""
        left = list(seconds)

        def work():
            self.now += left.pop(0) if len(left) > 1 else left[0]
            self.diary.append((name, gc.isenabled()))

        return work


@pytest.fixture
def watch():
    return Watch()


# --- measuring ------------------------------------------------------------------------------------


def test_a_way_that_takes_a_fifth_of_the_time_is_five_times_as_fast(watch):
    found = ratios({"slow": watch.job("slow", 0.5), "fast": watch.job("fast", 0.1)}, clock=watch)
    assert found.seconds == pytest.approx({"slow": 0.5, "fast": 0.1})
    assert found.faster("fast", than="slow") == pytest.approx(5)
    assert found.faster("slow", than="fast") == pytest.approx(0.2)


def test_the_first_call_which_may_compile_does_not_count(watch):
    found = ratios({"compiled": watch.job("compiled", 60.0, 0.01)}, clock=watch)
    assert found.seconds["compiled"] == pytest.approx(0.01)


def test_the_best_round_counts_because_a_disturbed_one_says_nothing(watch):
    #                            warm-up, try, then five rounds
    job = watch.job("job", 1, 1, 0.9, 0.3, 0.7, 5.0, 0.8)
    assert ratios({"job": job}, rounds=5, clock=watch).seconds["job"] == pytest.approx(0.3)


def test_ways_are_measured_by_turns_and_without_tidying_in_between(watch):
    ratios({"a": watch.job("a", 1), "b": watch.job("b", 1)}, rounds=3, clock=watch)
    assert [name for name, _ in watch.diary[-6:]] == list("ababab")
    assert not any(tidying for _, tidying in watch.diary[-6:])
    assert gc.isenabled()


def test_short_jobs_are_repeated_until_the_clock_can_see_them(watch):
    found = ratios({"short": watch.job("short", 1e-6)}, rounds=2, clock=watch)
    assert found.seconds["short"] == pytest.approx(1e-6)
    assert len(watch.diary) > 2 * 2000


def test_a_way_that_does_more_in_one_call_is_given_credit_for_it(watch):
    ways = {"one game": watch.job("one", 1), "many games": watch.job("many", 2)}
    found = ratios(ways, amounts={"one game": 1, "many games": 100}, clock=watch)
    assert found.faster("many games", than="one game") == pytest.approx(50)


@pytest.mark.parametrize("ways", [{}, {"a": 3}, [len], None])
def test_ways_must_be_functions_by_name(ways):
    with pytest.raises(InputError, match="ways is"):
        ratios(ways)


@pytest.mark.parametrize("amounts", [{"a": 1}, {"a": 1, "b": 0}, {"a": 1, "b": 1, "c": 1}])
def test_amounts_must_be_positive_and_for_the_same_names(amounts, watch):
    with pytest.raises(InputError, match=r"amounts is .*a, b"):
        ratios({"a": watch.job("a", 1), "b": watch.job("b", 1)}, amounts=amounts, clock=watch)


def test_rounds_must_be_at_least_one(watch):
    with pytest.raises(InputError, match="rounds is 0"):
        ratios({"a": watch.job("a", 1)}, rounds=0, clock=watch)


def test_what_was_not_measured_cannot_be_compared():
    with pytest.raises(InputError, match="'c' was not measured; these were: a, b"):
        Ratios({"a": 1.0, "b": 2.0}).faster("a", than="c")


# --- showing --------------------------------------------------------------------------------------


def test_plain_text_names_the_ways_and_has_no_number():
    said = repr(Ratios({"lists": 1.25, "lanes": 0.001}, "holes"))
    assert "lists, lanes" in said
    assert not re.search(r"\d", said)
    assert said == repr(Ratios({"lists": 99.0, "lanes": 98.0}, "holes"))


def test_a_notebook_gets_a_picture_whose_words_have_the_numbers():
    picture, about = Ratios({"lists": 1.2, "lanes": 0.1})._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert about["alt"] == "Times as fast as lists: lists 1.0, lanes 12."


def test_bars_are_as_long_as_the_ratios():
    figure = speed_ratios({"one": 3.0, "two": 1.5, "three": 1.0}, "a job")
    (axes,) = figure.axes
    assert [bar.get_x() + bar.get_width() for bar in axes.patches] == pytest.approx([1, 2, 3])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", "two", "three"]
    assert axes.get_xscale() == "linear"
    assert (axes.get_xlabel(), axes.get_title()) == ("times as fast as one", "a job")


def test_ratios_over_more_than_a_decade_are_drawn_on_a_logarithmic_axis_that_says_so():
    (axes,) = speed_ratios({"slow": 1.0, "slower": 2.0, "fast": 0.001}).axes
    assert axes.get_xscale() == "log"
    assert "logarithmic" in axes.get_xlabel()
    assert [bar.get_x() + bar.get_width() for bar in axes.patches] == pytest.approx([1, 0.5, 1000])
    low, high = axes.get_xlim()
    assert 0 < low < 0.5
    assert high > 1000


@pytest.mark.parametrize("seconds", [{}, {"a": 0.0}, {"a": -1.0}, {"a": "1"}])
def test_seconds_must_be_positive(seconds):
    with pytest.raises(InputError, match="seconds is"):
        speed_ratios(seconds)


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1.0"), (1.549, "1.5"), (9.96, "10"), (22.4, "22"), (954, "950"), (12345, "12,000"), (0.051, "0.051")],
)
def test_measurements_have_two_digits(number, text):
    assert two_digits(number) == text


# --- profiles -------------------------------------------------------------------------------------


def outer():
    return [inner() for _ in range(300)]


def inner():
    return sum(range(200))


@pytest.fixture(scope="module")
def profile():
    watching = cProfile.Profile()
    watching.runcall(outer)
    return watching


def test_the_function_that_calls_all_others_has_all_of_the_time(profile):
    shares = shares_of(profile)
    assert shares["test_timing.outer"] == pytest.approx(1, abs=0.05)
    assert 0 < shares["test_timing.inner"] < shares["test_timing.outer"]


def test_shares_are_drawn_in_per_cent_up_to_a_hundred(profile):
    figure = time_shares(profile, ["test_timing.outer", "test_timing.inner"])
    (axes,) = figure.axes
    expected = [100 * shares_of(profile)[name] for name in ("test_timing.outer", "test_timing.inner")]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx(expected)
    assert axes.get_xlim() == (0, 100)
    assert "test_timing.outer 100 %" in alternative(figure)
    assert repr(figure) == "Figure: shares of time of test_timing.outer, test_timing.inner, measured on this machine"


def test_what_the_profile_has_not_seen_cannot_be_drawn(profile):
    with pytest.raises(InputError, match=r"functions contains .*nobody"):
        time_shares(profile, ["test_timing.nobody"])
    with pytest.raises(InputError, match="profile is 3"):
        time_shares(3, ["test_timing.outer"])


# --- clocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "expected"), [(1e-9, time.thread_time), (0.0156, time.perf_counter)])
def test_the_clock_of_this_thread_is_used_where_it_is_fine_enough(step, expected, monkeypatch):
    monkeypatch.setattr(time, "get_clock_info", lambda name: SimpleNamespace(resolution=step))
    assert working_clock() is expected


def test_without_a_clock_of_its_own_a_measurement_takes_some_time():
    assert ratios({"sum": lambda: sum(range(1000))}, rounds=1).seconds["sum"] > 0
