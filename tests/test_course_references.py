"""The references have every part of the five documents, and what they name exists."""

import re
from collections import Counter
from dataclasses import fields

import pytest
from course_books import ROOT, everything, results

import tetriscourse as tc
from tetriscourse.cli.learn import methods
from tetriscourse.course import reproductions
from tetriscourse.course.chapters import CHAPTERS, STEMS
from tetriscourse.course.reproductions import (
    MARKS,
    NOT_YET,
    REPRODUCTIONS,
    SOURCES,
    Reproduction,
    cell,
    members,
    reproductions_text,
    stored,
    summary_text,
)
from tetriscourse.course.results import stored_table, table_names
from tetriscourse.optimizers.catalogue import EXPERIMENTS

INVENTORY = {
    "TS": (
        "abstract", "sections 1 to 7", "sections 3.1 to 3.2", "sections 4.1 to 4.2", "figures 1 to 6", "tables 1 to 4",
        "algorithm 1",
    ),
    "MP": (
        "introduction", "parts 1 to 4", "chapters 1 to 11", "bibliography",
        "sections 1.1 to 1.5", "sections 3.1 to 3.4", "sections 3.2.1 to 3.2.5", "sections 3.2.2.1 to 3.2.2.2",
        "sections 3.3.1 to 3.3.5", "sections 3.4.1 to 3.4.5", "sections 4.1 to 4.5",
        "sections 5.1 to 5.7", "sections 5.2.1 to 5.2.2", "sections 5.4.1 to 5.4.2", "sections 5.4.1.1 to 5.4.1.2",
        "sections 5.4.2.1 to 5.4.2.2", "sections 5.5.1 to 5.5.2", "sections 6.1 to 6.8", "sections 6.5.1 to 6.5.2",
        "sections 7.1 to 7.2", "sections 7.1.1 to 7.1.2", "sections 7.2.1 to 7.2.4", "sections 8.1 to 8.4",
        "sections 8.4.1 to 8.4.2", "sections 8.4.2.1 to 8.4.2.4", "sections 9.1 to 9.4", "sections 10.1 to 10.3",
        "sections 10.2.1 to 10.2.7", "equations 7.1 to 7.9", "equation 9.1",
    ),
    "D": (
        "introduction", "parts 1 to 3", "chapters 1 to 3", "sections 1.1 to 1.5", "sections 2.1 to 2.4",
        "sections 2.3.1 to 2.3.5", "section 2.4.1", "sections 3.1 to 3.5",
    ),
    "B": (
        "sections 1 to 7", "sections 2.1 to 2.3", "sections 3.1 to 3.4", "sections 4.1 to 4.4",
        "sections 4.2.1 to 4.2.2", "sections 5.1 to 5.4", "section 5.2.1", "bibliography", "figures 1 to 13",
        "tables 1 to 2", "algorithm 1", "equations 1 to 7",
    ),
    "SL": (
        "abstract", "sections 1 to 3", "sections 2.1 to 2.4", "sections 3.1 to 3.2", "bibliography", "figure 1",
        "table 1", "equations 1 to 5",
    ),
}  # fmt: skip
"""What each document numbers, and what of it has a title only: typed from its headings and captions."""

UNNUMBERED = {
    "MP": Counter({
        "pictures in 1": 2, "pictures in 3": 3, "pictures in 5": 2, "picture in 9": 1, "pictures in 10": 10,
        "programs in 3": 4, "program in 8": 1, "program in 9": 1, "program after": 1,
    }),
    "D": Counter({"pictures in 1": 1, "programs in 2": 2}),
}  # fmt: skip
"""Pictures and programs without a number, by chapter: how many rows they have."""

RIVALS = {
    "TS": "Tsitsiklis Bertsekas Kakade Farias Lagoudakis Ramon Llima Böhm Szita Dellacherie",
    "MP": "Bdolah Scherrer Stevens",
    "D": "",
    "B": "Dellacherie Tsitsiklis Bertsekas Kakade Farias Lagoudakis Thiery Szita Thiery Siegel Llima Böhm Langenhoven "
    "Carr",
    "SL": "Dellacherie Böhm Ramon Bertsekas Lagoudakis Farias Kakade",
}
"""Those whose players or scores a document names, by the first author: 'Thiery' twice, for 2009 and 2010."""

QUOTED = reproductions.REFERENCE
each_source = pytest.mark.parametrize("source", SOURCES)


def rows(source):
    """The rows of one document."""
    return [one for one in REPRODUCTIONS if one.source == source]


def quoted():
    """All stored outcomes that the references quote."""
    return sorted({reference for one in REPRODUCTIONS for reference in one.references})


def made(**fields):
    """A row with some fields filled."""
    texts = dict.fromkeys(Reproduction.__dataclass_fields__, "") | {"item": "table 1", "came": "yes"}
    return Reproduction(**texts | fields)


# --- everything is there ------------------------------------------------------------------------


@each_source
def test_every_numbered_part_of_a_document_has_a_row_and_no_row_has_another(source):
    numbered = {member for item in INVENTORY[source] for member in members(item)}
    kinds = {one.split()[0] for part in INVENTORY.values() for item in part for one in members(item)}
    listed = {member for one in rows(source) for member in members(one.item) if member.split()[0] in kinds}
    assert sorted(numbered - listed) == []
    assert sorted(listed - numbered) == []


@pytest.mark.parametrize("source", UNNUMBERED)
def test_pictures_and_programs_without_a_number_have_rows(source):
    found = Counter()
    for one in rows(source):
        if match := re.match(r"(picture|program)s? (in \d+|after)", one.item):
            found[match[1], match[2]] += 1
    expected = Counter()
    for item, count in UNNUMBERED[source].items():
        word, place = item.split(" ", 1)
        expected[word.removesuffix("s"), place] += count
    assert found == expected


@each_source
def test_every_rival_has_a_row(source):
    named = [re.match(r"rival: (\w+)", one.item)[1] for one in rows(source) if one.item.startswith("rival")]
    assert sorted(named) == sorted(RIVALS[source].split())


def test_scores_of_the_report_are_in_its_pictures_and_the_references_say_so():
    scores = [one.published for one in rows("MP") if "points" in one.published]
    assert len(scores) == 10
    assert [one for one in scores if "points (picture)" not in one] == []


@each_source
def test_rows_are_short_and_say_why_nothing_was_done(source):
    for one in rows(source):
        assert one.came in MARKS
        assert max(len(one.what), len(one.published), len(QUOTED.sub("", one.ours))) <= 150, one.item
        assert one.ours if one.came == "no" else one.chapter, one.item


# --- what a row names exists --------------------------------------------------------------------


@each_source
def test_a_part_of_a_paper_is_where_the_references_say(source):
    lost = []
    for one in rows(source):
        assert one.chapter in ("", *STEMS), one.item
        if one.section:
            text = (ROOT / "notebooks" / f"{STEMS[one.chapter]}.py").read_text("utf-8")
            if not re.search(rf"^# ##+ {re.escape(one.section)}$", text, re.MULTILINE):
                lost.append((one.item, one.chapter, one.section))
    assert lost == []


@each_source
def test_a_figure_that_is_typed_stands_in_the_chapter_or_among_the_results(source):
    lost = []
    for one in rows(source):
        place = everything(one.chapter) if one.chapter in CHAPTERS else results()
        typed = re.sub(r"(chapter|DT)[ -]\d+|\d+x\d+", "", QUOTED.sub("", one.ours))
        lost += [(one.item, number) for number in re.findall(r"\d[\d,]*\.?\d+", typed) if number not in place]
    assert lost == []


@each_source
def test_commands_of_the_references_exist(source):
    for one in rows(source):
        also = one.command.partition(" (")[2]
        for name in re.findall(r"train ([\w.-]+)", one.command) + re.findall(r"\b\w+-[\w.-]*\w", also):
            assert name in {*EXPERIMENTS, "genetic", "cma-es"}, one.item
        for name in re.findall(r"learn ([\w-]+)", one.command):
            assert name in methods(), one.item
        for name in re.findall(r"--features (\w+)", one.command):
            assert name in tc.FEATURE_SETS, one.item
        for path in re.findall(r"python (\S+)", one.command):
            assert (ROOT / path).is_file(), one.item
        for name in re.findall(r"tetriscourse ([\w-]+)", one.command):
            assert (ROOT / "tetriscourse" / "cli" / f"{name.replace('-', '_')}.py").is_file(), one.item


@each_source
def test_players_rules_features_and_commands_within_the_text_exist(source):
    names = {*tc.PLAYERS, *tc.RULES, *tc.FEATURE_SETS, *(field.name for field in fields(tc.Rules))}
    for one in rows(source):
        for typed in re.findall(r"`([^`]+)`", f"{one.what} {one.ours}"):
            assert typed.partition("=")[0] in names or typed == "tetriscourse find-features", one.item


@pytest.mark.parametrize("reference", quoted())
def test_what_a_row_quotes_is_an_experiment_or_a_cell_of_a_stored_table(reference):
    name, *where = reference.split(": ")
    if where in ([], ["games"]):
        assert name in EXPERIMENTS
        return
    values, column = where
    assert name in table_names()
    table = stored_table(name)
    assert column in table.columns
    known = {template.format(**row) for row in table.rows for template in table.columns.values()}
    assert set(values.split(" & ")) <= known | set(tc.PLAYERS) | set(tc.RULES)


# --- how a row is shown -------------------------------------------------------------------------


def test_what_is_stored_is_filled_in():
    row = made(ours="exactly {best-possible: 5x5: best possible} lines")
    assert (row.outcome(), row.done) == ("exactly 13.7016 lines", "yes")
    assert stored("published: tetrisbot & tetrisbot: mean").endswith(" points")
    assert stored("boumaza-5x5-d").startswith("11.06 lines on 5x5")
    assert stored("boumaza-race-off-harder: games") == "25,000 games"


def test_nothing_counts_as_done_before_it_is_stored(monkeypatch):
    monkeypatch.setattr(reproductions, "stored", {"here": "7 lines"}.get)
    texts = {"{here}": "yes", "{here}, {there}": "partly", "{there}": "no", "told": "yes"}
    assert {text: made(ours=text).done for text in texts} == texts
    assert made(ours="{here}", came="no").done == "no"
    assert made(ours="{here}; {there}").outcome() == f"7 lines; {NOT_YET}"


def test_a_cell_is_of_one_row():
    assert cell("best-possible", ["4x4"], "boards") == "2,582"
    assert cell("best-possible", ["40x40"], "boards") == ""
    with pytest.raises(LookupError, match="6 rows of exact-players"):
        cell("exact-players", ["4x4"], "exact")


@pytest.mark.parametrize(("item", "single"), [
    ("figure 3, algorithm 1", ["figure 3", "algorithm 1"]),
    ("sections 9.1 and 9.2.1 to 9.2.2, table 1", ["section 9.1", "section 9.2.1", "section 9.2.2", "table 1"]),
    ("claim in 4.2", ["claim in 4.2"]),
    ("abstract", ["abstract"]),
])  # fmt: skip
def test_an_item_may_be_several(item, single):
    assert members(item) == single


def test_the_summary_counts_every_row():
    *parts, whole = [[int(number) for number in re.findall(r"\d+", line)] for line in summary_text().splitlines()[2:]]
    assert whole == [sum(column) for column in zip(*parts, strict=True)]
    assert all(count == sum(states) for count, *states in (*parts, whole))
    assert whole[0] == len(REPRODUCTIONS)


@each_source
def test_a_document_is_shown_row_by_row_in_tables_without_empty_columns(source):
    text = reproductions_text(source)
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    assert len(lines) == len(rows(source)) + text.count("### ")
    assert "{" not in text
    for table in text.split("### ")[1:]:
        cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
        assert all(any(column) for column in zip(*(row[1:] for row in cells[1:]), strict=False))
