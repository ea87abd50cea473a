"""Glossary, results and plans say what is true of the chapters."""

import re
from importlib import import_module

import pytest
from course_books import ROOT, cells, everything, results

from tetriscourse.course.chapters import APPENDICES, CHAPTERS
from tetriscourse.course.exercises import exercises
from tetriscourse.course.glossary import TERMS
from tetriscourse.course.results import ResultTable, learned_table, stored_table, table_names
from tetriscourse.errors import InputError
from tetriscourse.game.rules import Rules
from tetriscourse.mdp.proofs import prove_endless
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.optimizers.catalogue import EXPERIMENTS
from tetriscourse.optimizers.experiments import stored_names
from tetriscourse.teaching.planning import OVERRUN, PLANS, sight, term_text


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


# --- the results --------------------------------------------------------------------------------

BENCHMARKS = ROOT / "tests" / "benchmarks"
WRITTEN = {
    "published": "published_figures.TABLE", "harder-or-smaller": "learned_figures.STANDARD",
    "best-possible": "exact_figures.BEST", "exact-players": "exact_figures.PLAYERS_TABLE",
    "q-learning-domino": "q_learning_figures.DOMINO", "q-learning-seven-pieces": "q_learning_figures.SEVEN",
    "q-learning-merged-states": "merged_states.TABLE", "td-cliff": "td_figures.CLIFF",
    "td-domino": "td_figures.DOMINO", "td-steps": "td_figures.STEPS",
    "random-commands": "q_learning_figures.CHANCE", "deep-q-domino": "deep_q_figures.DOMINO",
    "deep-q-features": "deep_q_features.LEARNED", "deep-q-rivals": "deep_q_features.RIVALS",
    "deep-q-tetris": "deep_q_figures.TETRIS", "gym-ppo": "gym_ppo.TABLE", "gym-ppo-10x10": "gym_ppo.FULL",
    "deep-q-torch": "torch_figures.TABLE", "speed-gym": "gym_speed.TABLE",
    "contest-hills": "contest_figures.HILLS", "contest-tetris": "contest_figures.TETRIS",
    "restarts-hills": "restarts_figures.ON_HILLS", "restarts-tetris": "restarts_figures.TETRIS",
    "uncertainty-hill": "uncertainty_figures.HILL", "uncertainty-tetris": "uncertainty_figures.TETRIS",
    "pycma-hills": "pycma_figures.HILLS", "pycma-tetris": "pycma_figures.TETRIS",
    "racing-range": "racing_figures.RANGE", "racing-narrower": "racing_figures.NARROWER",
    "public-simulators": "public_simulators.TABLE", "policies": "policies_figures.TABLE",
    "policy-horizons": "policy_rounds_figures.HORIZON_TABLE", "policy-rounds": "policy_rounds_figures.ROUND_TABLE",
    "budget": "budget_figures.TABLE",
    "ablation": "ablation_figures.TABLE", "champion-weights": "ablation_figures.WEIGHTS",
    "record-tries": "record_tries.TABLE", "look-ahead": "look_ahead_figures.TABLE",
    "look-ahead-cost": "looking_ahead_figures.COST", "look-ahead-learning": "looking_ahead_figures.LEARNING",
    "rollouts-exact": "looking_ahead_figures.EXACT", "rollouts-played": "looking_ahead_figures.PLAYED",
    "leaderboard": "leaderboard_figures.TABLE", "scaling": "scaling_figures.TABLE",
    "bred": "bred_figures.TABLE", "capped-points": "capped_points.TABLE", "encoding": "encoding_figures.TABLE",
    "feature-search": "feature_search_figures.ROUNDS", "feature-search-compared": "feature_search_figures.COMPARED",
    "memoryless": "memoryless_figures.SEARCH", "memoryless-bound": "memoryless_figures.BOUND",
    "winners-curse": "winners_curse_figures.TABLE",
}  # fmt: skip
"""By the name of a stored table: the table of the script that writes it."""


@pytest.mark.slow
def test_the_notebook_shows_every_outcome_and_every_table_that_is_stored():
    shown = results()
    learned = learned_table()
    assert [row["name"] for row in learned.rows] == [name for name in EXPERIMENTS if name in stored_names()]
    assert [row for row in map(learned.row, learned.rows) if row not in shown] == []
    assert [name for name in table_names() if str(stored_table(name)) not in shown] == []


@pytest.mark.parametrize("name", table_names())
def test_a_table_names_the_command_that_makes_it(name):
    command = stored_table(name).command
    assert command.startswith(("python tests/benchmarks/", "tetriscourse bench"))
    assert all((ROOT / path).is_file() for path in re.findall(r"tests/benchmarks/\S+", command))
    assert f"`{command}`" in str(stored_table(name))


@pytest.mark.parametrize(("name", "place"), WRITTEN.items())
def test_a_stored_table_is_one_that_its_script_would_write(name, place, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module, variable = place.split(".")
    table, stored = getattr(import_module(module), variable), stored_table(name)
    assert (table.command, table.columns, table.seed) == (stored.command, stored.columns, stored.seed)
    assert f'"{name}"' in (BENCHMARKS / f"{module}.py").read_text("utf-8")


@pytest.mark.slow
def test_a_row_that_is_computed_again_is_the_stored_one(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    row = import_module("exact_figures").player_row("dn", Rules(4, 4), stored_table("best-possible").rows[0]["value"])
    assert row in stored_table("exact-players").rows


def test_a_part_of_the_published_players_that_is_played_again_leaves_the_other_rows_alone(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    merged, stored = import_module("published_figures").merged, stored_table("published").rows
    assert merged([], stored) == stored
    last, other = stored[-1] | {"mean": 1}, stored[0] | {"player": "nobody"}
    assert merged([last], [other, *stored]) == [*stored[:-1], last]


def test_chapter_11_quotes_the_table_of_merged_states():
    rows = {(row["size"], row["game"], row["states"]): row for row in stored_table("q-learning-merged-states").rows}

    def share(size, game, states, what="ends"):
        row = rows[size, game, states]
        return f"{row[what]} of {row['seeds']}"

    said = " ".join("".join(cell["source"] for cell in cells("notebooks", "11")).replace("\n", " ").split())
    ours, theirs = ((8, "library"), (8, "program"))
    shortened, ten = "rounded as with numbers of 48 bits", share(7, "library", "cells")
    reached, kept = (rows[*ours, "rounded"][what] for what in ("reached", "ends"))
    assert reached - kept == 6
    assert share(7, "library", "rounded") == ten
    for sentence in (
        f"In our game, {share(*ours, 'rounded')} seeds have a proof with rounded states, {share(*ours, 'cells')} with",
        f"In their game, {share(*theirs, 'rounded')} and {share(*theirs, 'cells')}.",
        f"{kept} and {share(*theirs, 'rounded')} are too close to be told apart; so are the "
        f"{rows[8, f'{ours[1]}, rows cleared in flight', 'rounded']['ends']} and "
        f"{share(8, f'{ours[1]}, only the first piece falls on entry', 'rounded')} with one difference each",
        f"By lot, {share(*ours, 'cells, merged by lot into 500,000')}, and fewer points than with all cells",
        f"with both kinds of states {ten} seeds have a proof",
        f"then {share(7, 'library', shortened, 'reached')} have one at some point, with thirty times the points.",
        f"But only {share(7, 'library', shortened)} still have it",
        f"{reached} seeds had a proof at some point, and six of them had lost it again",
    ):
        assert sentence in said, sentence
    assert 29 < rows[7, "library", shortened]["points"] / rows[7, "library", "cells"]["points"] < 31.5
    merged = [row for key, row in rows.items() if key[:2] == ours and key[2] not in ("cells", "rounded")]
    assert [row["states"] for row in merged if not row["ends"]] == ["cells, merged by lot into 500,000"]
    assert rows[*ours, "cells, merged by lot into 500,000"]["points"] < rows[*ours, "cells"]["points"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_run_with_rounded_states_is_the_one_that_is_stored(seed):
    stored = stored_table("q-learning-merged-states").rows
    [row] = [row for row in stored if (row["size"], row["game"], row["states"]) == (8, "library", "rounded")]
    q = QLearning("domino", seed=seed, state="rounded").learn(progress=False)
    assert bool(prove_endless(q)) == (seed in row["proved"])


def test_a_table_comes_back_as_it_was_stored(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tetriscourse.course.results.TABLES", tmp_path)
    table = ResultTable("python x.py", {"player": "{name}", "mean ± 5 %": "{mean:,.1f} lines"}, seed="1")
    for record in ({"name": "dn", "mean": 3939.0}, {"name": "rv-ce", "mean": 5428.25}):
        table.add(record)
    rows = "| dn | 3,939.0 lines |\n| rv-ce | 5,428.2 lines |\n"
    assert capsys.readouterr().out == "| player | mean ± 5 % |\n|---|---|\n" + rows
    table.save("two")
    assert (stored_table("two"), table_names()) == (table, ["two"])
    with pytest.raises(InputError, match="table is 'three'"):
        stored_table("three")


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
    for hours in (10, 24, 36):
        taught = [part.number for part in PLANS[hours].parts]
        assert all(set(sight(number).needs) <= set(taught[:place]) for place, number in enumerate(taught))
    assert all([part.number for part in PLANS[hours].parts] == list(CHAPTERS) for hours in (24, 36))


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
