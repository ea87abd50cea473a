"""`check_installation` really tries each part, says what to do about what fails, and never raises."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from tetriscourse.course import installation
from tetriscourse.course.installation import PARTS, check_installation

pytestmark = pytest.mark.slow


def broken_part(monkeypatch: pytest.MonkeyPatch, name: str) -> installation.Installation:
    """The report when one part raises."""

    def fail() -> bool:
        raise ModuleNotFoundError("No module named 'gone'")

    parts = tuple(replace(part, attempt=fail) if part.name == name else part for part in PARTS)
    monkeypatch.setattr(installation, "PARTS", parts)
    return check_installation()


def test_where_the_tests_run_every_part_works_and_is_named_once() -> None:
    report = check_installation()
    assert report.works
    assert [row[0] for row in report.rows()] == ["Python", "the library", "panels", "the compiled simulator", "plots"]
    assert all(row[2] == "✓ works" for row in report.rows())


def test_the_report_of_a_sound_installation_is_always_the_same_text_without_digits_of_versions() -> None:
    first, second = check_installation(), check_installation()
    assert repr(first) == repr(second)
    assert first._repr_html_() == second._repr_html_()
    assert "." not in repr(first).replace("Everything works. Read on.", "")


@pytest.mark.parametrize("name", [part.name for part in PARTS])
def test_a_part_that_fails_is_reported_with_what_to_do_and_the_others_still_work(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    report = broken_part(monkeypatch, name)
    remedy = next(part.remedy for part in PARTS if part.name == name)
    results = {row[0]: row[2] for row in report.rows()}
    assert not report.works
    assert report.summary == f"Not ready yet: {name}."
    assert "No module named 'gone'" in results[name]
    assert results[name].endswith(remedy)
    assert [part for part, result in results.items() if result != "✓ works"] == [name]


def test_what_is_reported_cannot_break_the_page() -> None:
    part = replace(PARTS[0], attempt=lambda: bool(int("<b>")))
    page = installation.Installation({part: part.trouble()})._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_an_old_python_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "sys", SimpleNamespace(version_info=(3, 9, 1), version="3.9.1 (old)"))
    assert "3.9.1" in PARTS[0].trouble()
    assert "3.11 or later" in PARTS[0].trouble()


def test_a_simulator_that_plays_another_game_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = installation.simulator_agrees
    assert real()
    from tetriscourse import simulator

    played = simulator.record

    def other(*given: object, **named: object) -> list[tuple[int, int, int]]:
        return [*played(*given, **named)[:-1], (0, 0, 0)]  # type: ignore[arg-type]

    monkeypatch.setattr(simulator, "record", other)
    assert not real()


def test_a_library_that_lacks_a_piece_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {name: one for name, one in installation.tc.PIECES.items() if name != "T"}
    monkeypatch.setattr("tetriscourse.PIECES", fewer)
    assert not installation.library_counts_placements()


def test_a_panel_without_the_code_of_its_page_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from tetriscourse.widgets import BoardView

    monkeypatch.setattr(BoardView, "describe", lambda self: "nothing")
    assert not installation.panel_shows_board()
