"""What chapter 07 and the results say about the genetic examples is what the stored runs say."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from course_books import ROOT

from tetriscourse.course.results import stored_table
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.experiments import judged_runs, stored_result
from tetriscourse.optimizers.outcomes import JUDGING_SEED
from tetriscourse.optimizers.training import train
from tetriscourse.players import PLAYERS
from tetriscourse.statistics import agree

PRINTED = {1: 186_510, 2: 125_049, 3: 518_412, 4: 86_686, 5: 90_408, 6: 155_412, 7: 500_870}
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NAMES = [*(f"genetic-{k}" for k in range(1, 8)), *(f"genetic-{k}-lines" for k in range(3, 8))]


def prose(name):
    """The text of a lecture, on one line."""
    source = (ROOT / "notebooks" / f"{name}.py").read_text("utf-8")
    return " ".join(line.removeprefix("#").strip() for line in source.splitlines() if line.startswith("#"))


def near(example, name):
    """How many of the twelve runs agree with the printed mean of an example, each a mean of 100 games."""
    return sum(agree(PRINTED[example], 0.2, mean, 0.2) for mean in judged_runs(stored_result(name)))


@pytest.mark.parametrize("name", NAMES)
def test_each_example_has_twelve_runs_each_with_its_seed_and_player(name):
    result = stored_result(name)
    assert result["complete"]
    assert [run["seed"] for run in result["runs"]] == list(range(1, 13))
    assert result["score"] == ("lines" if name == "genetic-1" or name.endswith("lines") else "points")
    assert len(judged_runs(result)) == 12
    assert {(one["score"], one["games"], one["rules"]) for one in result["judged"]} == {("points", 100, "tetrisbot")}
    assert len({tuple(run["favourite"]) for run in result["runs"]}) == 12


@pytest.mark.parametrize("example", PRINTED)
def test_the_published_figure_of_an_example_is_the_printed_one(example):
    for name in {f"genetic-{example}", f"genetic-{example}-lines"} & set(NAMES):
        assert EXPERIMENTS[name].published.startswith(f"{PRINTED[example]:,} ± 20 % points")
        assert EXPERIMENTS[name].judgements[0].published == f"{PRINTED[example]:,} ± 20 %"
        assert stored_result(name)["published"] == EXPERIMENTS[name].published


@pytest.mark.parametrize("example", PRINTED)
def test_the_printed_weights_make_the_printed_points(example):
    row = next(one for one in stored_table("published").rows if one["player"] == f"tetrisbot-{example}")
    assert agree(row["mean"], 0.05, PRINTED[example], 0.2)
    assert row["published"].startswith(f"{PRINTED[example]:,} ± 20 %")


def test_the_table_of_points_in_500_pieces_has_the_medians_ranges_and_counts_of_the_stored_runs(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    script, rows = import_module("capped_points"), stored_table("capped-points").rows
    assert [(row["example"], row["score"]) for row in rows] == script.SETTINGS
    for row in rows:
        name = script.experiment(row["example"], row["score"])
        means, capped = judged_runs(stored_result(name)), row["all_capped"]
        assert (row["least"], row["most"]) == (round(min(means)), round(max(means)))
        assert (row["whole"], row["near"]) == (round(np.median(means)), near(row["example"], name))
        assert (row["runs"], row["printed"]) == (12, PRINTED[row["example"]])
        assert (row["capped_least"], row["capped_most"]) == (min(capped), max(capped))
        assert row["capped"] == pytest.approx(np.median(capped), abs=1)


def test_the_five_best_of_all_runs_play_again_and_the_best_of_these_once_more():
    claims = sorted(((mean, name, k) for name in NAMES for k, mean in enumerate(judged_runs(stored_result(name)), 1)))
    *again, final = stored_table("bred").rows
    assert [(row["claimed"], row["name"], row["run"]) for row in again] == claims[:-6:-1]
    best = max(again, key=lambda row: row["mean"])
    assert (final["name"], final["run"], final["claimed"]) == (best["name"], best["run"], best["mean"])
    assert {row["seed"] for row in again} | {final["seed"]} == {JUDGING_SEED + 1, JUDGING_SEED + 2}
    assert f"of {len(claims)} runs" in again[0]["chosen"]
    a, b, c, d = final["vector"]
    assert PLAYERS["tetrisbot-bred"].weights == (a, -b, -c, -d)


@pytest.mark.slow
def test_the_player_that_was_bred_comes_out_of_its_command():
    command = PLAYERS["tetrisbot-bred"].source.removeprefix("ours: ")
    assert command == "tetriscourse train genetic-4-lines --runs 1 --seed 8"
    one = EXPERIMENTS["genetic-4-lines"].changed(runs=1, seed=8)
    weights = train(one.optimizer(), one.objective, progress=False, curve=0).player().weights
    assert weights == pytest.approx(PLAYERS["tetrisbot-bred"].weights, rel=1e-5)


# --- what the lecture says -------------------------------------------------------------------------


def test_the_lecture_counts_the_runs_that_agree_as_they_are_stored():
    text = prose("07_genetic")
    points, lines = ({k: WORDS[near(k, f"genetic-{k}{suffix}")] for k in range(3, 8)} for suffix in ("", "-lines"))
    assert f"{points[4]}, {points[5]} and {points[6]} runs of twelve agree; " in text
    assert f"on lines {lines[4]}, {lines[5]} and {lines[6]}." in text
    assert points[3] == points[7] == "none"
    assert "Of their 24 runs on points none agrees." in text
    assert f"On lines {lines[3]} runs of the third example do, and {lines[7]} of the seventh." in text
    second = WORDS[near(2, "genetic-2")], WORDS[near(2, "genetic-1")]
    assert f"({second[0]} of twelve agree on points, and {second[1]} of the twelve of example 1" in text
    rows = {(row["example"], row["score"]): row for row in stored_table("capped-points").rows}
    capped = {key: f"{row['capped']:,}" for key, row in rows.items()}
    theirs = f"{rows[3, 'points']['capped_theirs']:,} and {rows[7, 'points']['capped_theirs']:,} points"
    assert f"In 500 pieces their printed players make {theirs}; the median of our twelve is " in text
    assert f"is {capped[3, 'points']} and {capped[7, 'points']} on points, and" in text
    assert f"and {capped[3, 'lines']} and {capped[7, 'lines']} on lines." in text
    assert min(judged_runs(stored_result("genetic-7-lines"))) > PRINTED[7]
    assert np.median(judged_runs(stored_result("genetic-7-lines"))) / PRINTED[7] == pytest.approx(3, abs=0.1)


def test_the_lecture_warns_of_single_runs_with_figures_that_are_stored():
    text, first = prose("07_genetic"), judged_runs(stored_result("genetic-1"))
    assert 7 < max(first) / min(first) < 8
    assert f"makes {first[0]:,.0f} points, beautifully close" in text
    assert f"one of the {WORDS[near(1, 'genetic-1')]} of twelve that agree" in text
    best = max(mean for k in (3, 7) for mean in judged_runs(stored_result(f"genetic-{k}")))
    assert f"The best of our 24 players makes {best:,.0f} points" in text


ENCODING = {row["kind"]: row for row in stored_table("encoding").rows}


@pytest.mark.parametrize("kind", ENCODING)
def test_the_table_of_encodings_has_the_quartiles_and_counts_of_its_runs(kind):
    row = ENCODING[kind]
    assert len(row["ends"]) == row["runs"] == 24
    quartiles = np.quantile(row["ends"], [0.25, 0.5, 0.75])
    assert [row["low"], row["median"], row["high"]] == [round(one) for one in quartiles]
    assert (row["least"], row["most"]) == (min(row["ends"]), max(row["ends"]))
    assert row["above"] == sum(end > row["three_weeks"] for end in row["ends"])


def test_the_shares_of_mutants_are_those_of_64_bits_four_genes_and_one_vector():
    shares = {kind: row["mutated"] for kind, row in ENCODING.items()}
    assert shares["bits, p for a bit"] == pytest.approx(1 - 0.95**64, abs=1e-4)
    assert shares["floats, p for a gene, as often as bits"] == pytest.approx(shares["bits, p for a bit"], abs=1e-3)
    assert shares["floats, p for a vector"] == 0.05
    assert shares["bits, as seldom as vectors"] == pytest.approx(0.05, abs=0.002)
    assert shares["floats, p for a gene"] == pytest.approx(1 - 0.95**4, abs=1e-4)
    assert shares["floats, no mutation"] == shares["bits, no mutation"] == 0


def test_the_lecture_concludes_from_the_runs_that_are_stored():
    text = prose("07_genetic")
    above = {kind: row["above"] for kind, row in ENCODING.items()}
    bits, floats = above["bits, p for a bit"], above["floats, p for a vector"]
    assert f"{bits} runs of 24 end above the player of three weeks, against {WORDS[floats]}" in text
    assert f"Three weeks stand for {ENCODING['bits, p for a bit']['three_weeks']:,} lines" in text
    ratio = ENCODING["bits, p for a bit"]["median"] / ENCODING["floats, p for a vector"]["median"]
    assert f"ahead by a factor of {ratio:.1f}" in text
    ends = [ENCODING["bits, p for a bit"]["ends"][k] for k in range(3)]
    assert min(ends) > ENCODING["bits, p for a bit"]["three_weeks"]
    seldom, often = above["bits, as seldom as vectors"], above["floats, p for a gene, as often as bits"]
    assert f"bits end above three weeks in {WORDS[seldom]} runs of 24, where they had {bits}" in text
    assert f"floats with as much as bits do so in {WORDS[often]}, where they had {WORDS[floats]}" in text
    assert f"bits have {WORDS[above['bits, no mutation']]} such runs" in text
    corner = {one: [row for kind, row in ENCODING.items() if kind.startswith(one)] for one in ("bits", "floats")}
    found = {one: (sum(row["corner"] for row in rows), 24 * len(rows)) for one, rows in corner.items()}
    assert f"{found['bits'][0]} of {found['bits'][1]} runs of bits end there" in text
    assert f"{WORDS[found['floats'][0]]} of {found['floats'][1]} runs of floats" in text
    nine, one = (WORDS[ENCODING[kind]["corner"]] for kind in ("bits, p for a bit", "floats, p for a vector"))
    assert f"{nine} of bits end with a player that pays less for a row than for a hole, and {one} of floats" in text


def test_the_lecture_quotes_the_player_that_was_bred_by_its_last_games_only():
    text, (*again, final) = prose("07_genetic"), stored_table("bred").rows
    mean, low, high = (f"{final[part] / 1e6:.1f}" for part in ("mean", "low", "high"))
    assert f"{mean} million points, between {low} and {high} million" in text
    assert f"{final['mean'] / max(PRINTED.values()):.0f} times the best figure that the report prints" in text
    assert all(row["mean"] / row["claimed"] < 7 / 8 for row in again[:2])
    assert sum(row["mean"] > row["claimed"] for row in again[2:]) == 2
    assert f"of {12 * len(NAMES)} runs" in text


def test_the_player_that_was_bred_makes_fewer_points_in_500_pieces_than_the_printed_players_of_examples_4_to_6():
    rows = {(row["example"], row["score"]): row for row in stored_table("capped-points").rows}
    run = stored_table("bred").rows[-1]["run"]
    bred = rows[4, "lines"]["all_capped"][run - 1]
    assert all(bred < rows[example, "points"]["capped_theirs"] for example in (4, 5, 6))
