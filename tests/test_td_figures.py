"""The figures of SARSA, traces and fading steps, and what chapter 11 says of them."""

from importlib import import_module
from pathlib import Path

import pytest

from tetriscourse.course.results import stored_table

ROOT = Path(__file__).parents[1]


@pytest.fixture
def figures(monkeypatch):
    """The script."""
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    return import_module("td_figures")


def rows(name, key):
    """The rows of a table by name."""
    return {row[key]: row for row in stored_table(name).rows}


def test_the_tables_have_all_rows_in_order(figures):
    assert list(rows("td-cliff", "who")) == list(figures.WHO)
    assert list(rows("td-steps", "learner")) == list(figures.SCHEDULES)
    found = [(row["size"], row["tau"], row["learner"]) for row in stored_table("td-domino").rows]
    assert found == [(row.size, row.tau, row.learner) for row in figures.ROWS]


def test_the_best_policies_on_the_cliff_are_worth_what_is_stored(figures):
    for who in figures.WHO[:2]:
        assert figures.cliff_row(who) in stored_table("td-cliff").rows


@pytest.mark.slow
def test_one_seed_on_8x8_has_its_first_proof_where_the_table_says(figures):
    for row in figures.ROWS:
        if row.learner in ("q, lambda 0.9, 8 actions", f"repeats {figures.EXTRA} updates of the game, by lot"):
            stored = next(one for one in stored_table("td-domino").rows if one["learner"] == row.learner)
            assert row.proof_after(0) == stored["found"][0]


def test_chapter_11_quotes_the_tables():
    said = " ".join((ROOT / "notebooks" / "11_q_learning.py").read_text("utf-8").replace("\n#", "").split())
    domino = {row["learner"]: row for row in stored_table("td-domino").rows if row["size"] == 8}

    def half(reach):
        return domino[f"q, lambda 0.9, {reach} actions"]["half"].removesuffix(" games")

    reached = {name: f"{row['reached']} of {row['seeds']}" for name, row in domino.items()}
    assert domino["q"]["reached"] == 0
    last, lot = "repeats the last 7 updates, backwards", "repeats 7 updates of the game, by lot"
    for sentence in (
        f"half of the seeds have a proof {half(2)}, after {half(4)}, after {half(8)} and after {half(16)} games",
        f"the news still goes one action back: {reached['q, alpha 1']}",
        f"the last seven, backwards, {reached[last]}; or seven by lot, {reached[lot]}",
        f"traces of eight ({reached['q, lambda 0.9, 8 actions']})",
    ):
        assert sentence in said
    steps = rows("td-steps", "learner")
    assert steps["1/n^0.6"]["low"] > steps["1/n"]["high"]
    shares = [round(100 * steps[name]["share"]) for name in ("alpha 0.1", "1/n^0.6", "1/n^0.6, lambda 0.5")]
    assert f"From {shares[0]} to {shares[1]} per cent of the best" in said
    assert shares[2] - shares[1] == 2
    assert "Traces add two points on top" in said


def test_chapter_11_says_who_walks_along_the_edge():
    edges = {row["who"]: row["edge"] for row in stored_table("td-cliff").rows}
    slow, long, bold = "20,000 steps, alpha 0.1", "100,000 steps, alpha 0.1", "20,000 steps, alpha 0.5"
    assert edges[f"q, {slow}"] == 10
    assert edges[f"sarsa, {slow}"] == edges[f"expected-sarsa, {bold}"] == 1
    assert edges[f"expected-sarsa, {slow}"] == edges[f"expected-sarsa, {long}"] == 6
    assert "-0.200" in next(row["greedy"] for row in stored_table("td-cliff").rows if row["who"] == f"sarsa, {bold}")
