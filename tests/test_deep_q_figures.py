"""The stored tables of deep Q-learning: a run comes out again, and the rows say what chapter 12 says of them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tetriscourse.course.results import stored_table
from tetriscourse.optimizers.cma_es import CMAES
from tetriscourse.optimizers.objectives import Objective

BENCHMARKS = Path(__file__).parent / "benchmarks"


@pytest.fixture
def script(monkeypatch) -> ModuleType:
    """The script, as it is."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("deep_q_features")


def last(name: str, change: str = "") -> list[float]:
    """The lines of the last networks of a row."""
    rows = stored_table("deep-q-features").rows
    return next(row["last_lines"] for row in rows if (row["name"], row["change"]) == (name, change))


def test_the_tables_have_every_row_and_every_seed(script):
    rows = stored_table("deep-q-features").rows
    assert [(row["name"], row["change"]) for row in rows] == list(script.ROWS)
    for row in rows:
        seeds = len(script.seeds_of(row["name"], row["change"]))
        assert len(row["last_lines"]) == len(row["kept_lines"]) == seeds >= 3
    rivals = stored_table("deep-q-rivals").rows
    assert [(row["name"], row["features"], row["moves"]) for row in rivals] == [
        (name, seen, moves) for name in script.OPTIMIZERS for seen in script.WEIGHED for moves in script.BUDGETS
    ]
    assert {len(row["lines"]) for row in rivals} == {len(script.MORE_SEEDS)}


def test_means_are_those_of_the_runs():
    for row in stored_table("deep-q-features").rows:
        assert row["last_mean"] == pytest.approx(np.mean(row["last_lines"]), abs=0.06)
    for row in stored_table("deep-q-rivals").rows:
        assert row["mean"] == pytest.approx(np.mean(row["lines"]), abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moves: TetrisBot's four", "boards: DN's six"])
def test_a_run_that_is_repeated_is_the_stored_one(script, name):
    row = next(row for row in stored_table("deep-q-features").rows if (row["name"], row["change"]) == (name, ""))
    lines, kept, judging = script.learned(name, 0, {})
    assert (lines, kept) == (row["last_lines"][0], row["kept_lines"][0])
    assert judging <= row["judging"]


@pytest.mark.slow
def test_a_search_that_is_repeated_is_the_stored_one(script):
    name, seen = "CMA-ES", "DN's eight"
    kind, changes = script.OPTIMIZERS[name]
    objective = Objective(script.WEIGHED[seen], script.RULES)
    found = script.favourites(kind(objective.dimension, seed=0, **changes), objective)
    rows = [row for row in stored_table("deep-q-rivals").rows if (row["name"], row["features"]) == (name, seen)]
    assert [script.judged(objective.player(one)) for one in found] == [row["lines"][0] for row in rows]


def test_a_search_plays_no_more_moves_than_its_budget(script, monkeypatch):
    objective = Objective("tetrisbot", script.RULES)
    monkeypatch.setattr(script, "BUDGETS", (3_000, 12_000))
    found = script.favourites(CMAES(4, "boumaza", seed=1, iterations=10**6), objective)
    moves, seen, optimizer = 0.0, [], CMAES(4, "boumaza", seed=1, iterations=10**6)
    run = script.Run(optimizer, objective, None, script.Curve(0))
    run.prepare()
    with script.Pool(workers=1) as pool:
        while moves <= 12_000:
            seen.append((moves, optimizer.favourite.copy()))
            run.step(pool)
            moves = run.result.moves
    for budget, one in zip((3_000, 12_000), found, strict=True):
        np.testing.assert_array_equal(one, [x for used, x in seen if used <= budget][-1])


def test_a_row_takes_the_place_of_the_older_one_in_the_order_of_the_script(script, tmp_path, monkeypatch):
    from tetriscourse.course import results

    monkeypatch.setattr(results, "TABLES", tmp_path)
    table, order = results.ResultTable("python x", {"a": "{a}", "b": "{b}"}), [("one",), ("two",)]
    for a, b in (("two", 2), ("one", 1), ("two", 3)):
        script.keep(table, "some", ("a",), {"a": a, "b": b}, order)
    assert results.stored_table("some").rows == [{"a": "one", "b": 1}, {"a": "two", "b": 3}]
