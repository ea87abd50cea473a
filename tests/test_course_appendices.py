"""Glossary, references and plans say what is true of the chapters."""

import re

import pytest
from course_books import ROOT, cells

from tetriscourse.course.chapters import APPENDICES, CHAPTERS
from tetriscourse.course.exercises import exercises
from tetriscourse.course.glossary import TERMS
from tetriscourse.course.reproductions import REPRODUCTIONS, SOURCES
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.teaching.planning import OVERRUN, PLANS, sight, term_text

README = (ROOT / "README.md").read_text("utf-8")


def everything(chapter):
    """All that a lecture says and prints."""
    found = []
    for cell in cells("notebooks", chapter):
        outputs = [part for output in cell.get("outputs", []) for part in (output, output.get("data", {}))]
        found += [cell["source"], *("".join(one.get(key, "")) for one in outputs for key in ("text", "text/plain"))]
    return "\n".join(found)


def is_word_of(term, text):
    """Whether a text has one of the names of a term, in any of its forms."""
    names = re.split(", ", term.name)
    return any(re.search(re.escape(name).replace("\\ ", r"[\s-]+"), text, re.IGNORECASE) for name in names)


# --- the glossary -------------------------------------------------------------------------------


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_word_is_met_in_the_chapter_that_it_names(term):
    assert is_word_of(term, everything(term.chapter))


def test_words_are_sorted_and_stand_once():
    names = [term.name for term in TERMS]
    assert names == sorted(set(names), key=str.casefold)
    assert {term.chapter for term in TERMS} >= set(CHAPTERS) - {"00", "06"}


# --- the references -----------------------------------------------------------------------------


@pytest.mark.parametrize("one", REPRODUCTIONS, ids=lambda one: f"{one.source} {one.item}")
def test_a_figure_of_a_paper_is_where_the_references_say(one):
    assert one.source in SOURCES
    if one.chapter and one.section:
        assert f"## {one.section}\n" in everything(one.chapter)


@pytest.mark.parametrize("one", REPRODUCTIONS, ids=lambda one: f"{one.source} {one.item}")
def test_our_figures_stand_in_the_chapter_or_in_the_readme(one):
    place = README if "README" in one.ours or not one.chapter else everything(one.chapter)
    numbers = re.findall(r"\d[\d,]*\.?\d+", one.ours)
    assert [number for number in numbers if number not in place] == []


def test_commands_of_the_references_exist():
    for one in REPRODUCTIONS:
        for name in re.findall(r"train ([\w.-]+)", one.command):
            assert name in EXPERIMENTS
        for path in re.findall(r"python (\S+)", one.command):
            assert (ROOT / path).is_file()


# --- the plans ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", PLANS)
def test_a_plan_fills_its_hours_and_no_more(hours):
    assert 0.85 * 60 * hours <= PLANS[hours].minutes <= 60 * hours


@pytest.mark.parametrize("hours", PLANS)
def test_a_plan_names_exercises_that_exist_in_the_order_of_the_course(hours):
    parts = PLANS[hours].parts
    assert [part.number for part in parts] == sorted({part.number for part in parts})
    assert all(set(part.exercises) <= set(exercises(part.number)) for part in parts)


def test_a_long_plan_teaches_what_a_chapter_needs_before_it():
    for hours in (10, 24):
        taught = [part.number for part in PLANS[hours].parts]
        assert all(set(sight(number).needs) <= set(taught[:place]) for place, number in enumerate(taught))
    assert [part.number for part in PLANS[24].parts] == list(CHAPTERS)


def test_sessions_add_up_to_the_plan():
    text = term_text(PLANS[24], hours=2)
    assert sum(int(minutes) for minutes in re.findall(r"(\d+) min", text)) == PLANS[24].minutes
    for session in text.split("session")[1:]:
        parts = [int(minutes) for minutes in re.findall(r"(\d+) min", session)]
        assert sum(parts) <= 120 + OVERRUN < 120 + min(parts)


@pytest.mark.parametrize("name", APPENDICES)
def test_links_of_the_appendices_lead_somewhere(name):
    text = (ROOT / "notebooks" / f"{name}.py").read_text("utf-8")
    assert [link for link in re.findall(r"\]\(([\w./]+)\)", text) if not (ROOT / "notebooks" / link).exists()] == []
