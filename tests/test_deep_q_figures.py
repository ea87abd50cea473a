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


# --- what chapter 12 says of the rows ---------------------------------------------------------------

BARE, TEN = "moves: lines, DN's six of a board", "moves: lines, DN's six of a board, heights"
PLAIN = "no hidden layer"


def mean(name: str, change: str = "") -> float:
    return float(np.mean(last(name, change)))


def searches(features: str, moves: int = 30_000) -> list[list[float]]:
    """The runs of the three searches."""
    rows = stored_table("deep-q-rivals").rows
    return [row["lines"] for row in rows if (row["features"], row["moves"]) == (features, moves)]


def test_what_a_network_sees_decides_and_the_features_of_a_move_are_not_to_blame():
    four, six = last("moves: TetrisBot's four"), last("moves: Dellacherie's six")
    assert max(six) < min(four) / 2
    for name in (BARE, "moves: lines, DN's eight"):
        assert 1.8 < mean(name) / np.mean(four) < 2
    assert mean("moves: lines, Dellacherie's four of a board") < np.mean(four) / 2  # without the two, and no better


def test_without_hidden_layers_it_is_worse_with_tetrisbots_features_and_better_with_the_others():
    assert max(last("moves: TetrisBot's four", PLAIN)) < min(last("moves: TetrisBot's four")) / 2
    others = [
        "moves: Dellacherie's six", "moves: lines, Dellacherie's four of a board", "moves: lines, DN's eight", BARE,
    ]  # fmt: skip
    ratios = [mean(name, PLAIN) / mean(name) for name in others]
    assert 3 < min(ratios) < 4
    assert 20 < max(ratios) < 30
    sums = {name: mean(name, PLAIN) for name in [*others, TEN, "moves: TetrisBot's four"]}
    assert max(sums, key=sums.__getitem__) == "moves: Dellacherie's six"
    assert sums["moves: Dellacherie's six"] - sums["moves: lines, Dellacherie's four of a board"] > 1000


def test_boards_are_behind_without_heights_and_ahead_with_them_and_sums_do_not_care():
    assert max(last("boards: TetrisBot's three")) < min(last("moves: TetrisBot's four"))
    assert mean("boards: DN's six") < mean(BARE) < mean(TEN) < mean("boards: DN's six, heights")
    with_heights = last("boards: DN's six, heights")
    assert (round(min(with_heights)), round(max(with_heights))) == (240, 1252)
    for moves, boards in ((BARE, "boards: DN's six"), (TEN, "boards: DN's six, heights")):
        assert 0.9 < mean(moves, PLAIN) / mean(boards, PLAIN) < 1.1
        assert mean(moves) < mean(moves, PLAIN)
        assert mean(boards) < mean(boards, PLAIN)
    assert mean(TEN, PLAIN) < mean(BARE, PLAIN)


def test_the_repairs_repair_nothing():
    assert max(last(BARE, "double")) < min(last(BARE))
    for name, change in ((BARE, "Huber's loss"), ("boards: DN's six", "double"), ("boards: DN's six", "Huber's loss")):
        assert min(last(name, change)) < max(last(name))
        assert min(last(name)) < max(last(name, change))


def test_the_network_beats_all_searches_with_four_features_and_the_sum_that_learns_with_the_others():
    four = "moves: TetrisBot's four"
    assert max(map(max, searches("TetrisBot's four"))) < min(last(four))
    assert mean(four, PLAIN) < min(map(np.mean, searches("TetrisBot's four")))
    for features in ("Dellacherie's six", "lines, DN's six of a board", "lines, DN's six of a board, heights"):
        assert max(map(np.mean, searches(features))) < mean(f"moves: {features}", PLAIN)
    assert mean("moves: Dellacherie's six") < min(map(np.mean, searches("Dellacherie's six")))
    assert sum(np.mean(runs) < mean(TEN) for runs in searches("lines, DN's six of a board, heights")) == 3
    assert 0.9 < np.mean(searches("lines, DN's six of a board")[0]) / mean(BARE) < 1.1
    lost = [1 - np.mean(b) / np.mean(a) for a, b in zip(searches(BARE[7:]), searches(TEN[7:]), strict=True)]
    assert (round(min(lost), 1), round(max(lost), 2)) == (0.3, 0.65)


def test_with_a_million_moves_searches_go_further():
    learned = [row["last_mean"] for row in stored_table("deep-q-features").rows]
    assert max(map(np.mean, searches("DN's eight", 10**6))) > max(learned)
    assert min(map(np.mean, searches("Dellacherie's six", 10**6))) > mean("moves: Dellacherie's six", PLAIN)
    reached = sorted(map(np.mean, searches("lines, DN's six of a board", 10**6)))
    assert reached[-2] < mean(BARE, PLAIN) < reached[-1]


def test_judging_costs_up_to_half_a_million_moves_and_does_not_always_pay():
    rows = stored_table("deep-q-features").rows
    assert 450_000 < max(row["judging"] for row in rows) < 500_000
    better = [kept > end for row in rows for kept, end in zip(row["kept_lines"], row["last_lines"], strict=True)]
    worse = [kept < end for row in rows for kept, end in zip(row["kept_lines"], row["last_lines"], strict=True)]
    assert min(sum(better), sum(worse)) > 10


def test_all_domino_runs_end_with_a_proof_and_their_kinds_cannot_be_told_apart():
    rows = stored_table("deep-q-domino").rows
    assert len(rows) == 20
    assert all(row["result"].startswith("plays without end") for row in rows)
    assert (min(row["steps"] for row in rows), max(row["steps"] for row in rows)) == (1000, 10000)


def test_on_the_full_board_the_networks_double_tetrisbots_lines():
    rows = {row["player"]: row for row in stored_table("deep-q-tetris").rows}
    learned = [row["mean"] for name, row in rows.items() if name.startswith("deep-q")]
    assert len(learned) == 3
    assert np.mean(learned) > 2 * rows["tetrisbot"]["mean"]


# --- the script ---------------------------------------------------------------------------------


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
