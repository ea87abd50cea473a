"""The parts of every chapter: goals, needs, time, panels, figures, its paper, a summary, exercises; and short cells."""

import re
from statistics import median

import pytest
from course_books import ROOT, cells, code

from tetriscourse.course.chapters import CHAPTERS
from tetriscourse.course.exercises import exercises

FOLDERS = ("notebooks", "solutions")
HEADER, FOOTER = ("**You will learn**", "**You need**", "**Time**"), ("## What you have learned", "## Where to go next")
PARTS = (*HEADER, "> **In the paper", *FOOTER)
BOOKS = [(folder, chapter) for folder in FOLDERS for chapter in CHAPTERS]


def prose(folder, chapter):
    """The text of a notebook, without its code."""
    return "\n".join(cell["source"] for cell in cells(folder, chapter) if cell["cell_type"] == "markdown")


def lines(source):
    """The lines of a cell that hold something."""
    return [line for line in source.splitlines() if line.strip()]


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("part", PARTS)
def test_a_lecture_has_all_its_parts(chapter, part):
    assert part in prose("notebooks", chapter)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_lecture_begins_with_its_number_and_title(chapter):
    heading = cells("notebooks", chapter)[0]["source"].splitlines()[0]
    assert heading == f"# {chapter} {CHAPTERS[chapter].title}"


@pytest.mark.parametrize(("folder", "chapter"), BOOKS)
def test_times_are_reckoned(folder, chapter):
    assert re.search(r"\*\*Time\*\*[^\n]*\b\d+ minutes", prose(folder, chapter))
    assert "{{" not in prose(folder, chapter)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_lecture_has_a_panel_that_is_alive(chapter):
    views = [output for cell in cells("notebooks", chapter) for output in cell.get("outputs", [])]
    assert any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for output in views)
    assert any("Panel(" in source for source in code("notebooks", chapter))


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number != "00"])
def test_a_lecture_has_figures(chapter):
    outputs = [output for cell in cells("notebooks", chapter) for output in cell.get("outputs", [])]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert kinds.count("image/png") + kinds.count("image/svg+xml") >= 3


@pytest.mark.parametrize(("folder", "chapter"), BOOKS)
def test_cells_are_short(folder, chapter):
    sizes = [len(lines(source)) for source in code(folder, chapter)]
    assert max(sizes) <= 25
    if folder == "notebooks":
        assert median(sizes) <= 4


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_there_are_many_more_words_than_lines_of_code(chapter):
    written = sum(len(lines(source)) for source in code("notebooks", chapter))
    assert len(prose("notebooks", chapter).split()) >= 8 * written


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_there_are_three_to_eight_exercises_numbered_from_one(chapter):
    numbers = [int(id.split(".")[1]) for id in exercises(chapter)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert 3 <= len(numbers) <= 8
    headings = re.findall(r"^## (.*) \(.*\)$", prose("solutions", chapter), re.MULTILINE)
    assert headings == [f"{one.id} {one.title}" for one in exercises(chapter).values()]


@pytest.mark.parametrize(("folder", "chapter"), BOOKS)
def test_links_lead_somewhere(folder, chapter):
    targets = re.findall(r"\]\((?!http)([^)#]+)", prose(folder, chapter))
    missing = [target for target in targets if not (ROOT / folder / target).exists()]
    assert missing == []


@pytest.mark.parametrize(("folder", "chapter"), BOOKS)
def test_sources_are_named_by_their_authors(folder, chapter):
    text = prose(folder, chapter) + "\n".join(code(folder, chapter))
    assert not re.search(r"(?<![\d,._])00[0-4](?![\d_])", text)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_open_exercises_say_so(chapter):
    open_ones = [id for id, one in exercises(chapter).items() if one.kind == "open"]
    headings = re.findall(r"^## (\S+) .*\(open\b", prose("solutions", chapter), re.MULTILINE)
    assert headings == open_ones != []


@pytest.mark.parametrize("chapter", [number for number in CHAPTERS if number >= "05"])
def test_from_chapter_05_on_there_is_a_proof_and_an_experiment_to_design(chapter):
    kinds = {one.kind: one for one in exercises(chapter).values()}
    assert {"proof", "design"} <= kinds.keys()
    assert kinds["proof"].is_prose
    assert not kinds["design"].is_prose


@pytest.mark.parametrize("one", [one for one in exercises().values() if one.is_prose], ids=lambda one: one.id)
def test_answers_in_words_have_a_marking_scheme_that_gives_all_their_points(one):
    assert sum(worth for worth, _ in one.marking) == one.points
