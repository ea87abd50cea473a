"""A program that finds its features: words and their definitions, races on equal terms, runs that stop and resume."""

from __future__ import annotations

import pickle
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import random_board

import tetriscourse as tc
from tetriscourse import cli
from tetriscourse.errors import InputError
from tetriscourse.grammar import Word
from tetriscourse.mdp.saved_players import load_player
from tetriscourse.optimizers.contenders import NOTHING, after, carried, changes
from tetriscourse.optimizers.search_rounds import SearchRound
from tetriscourse.optimizers.spreads import POSITIONS, positions, spreads
from tetriscourse.simulator.own_features import CompiledFeature, compiled
from tetriscourse.simulator.playable import is_fast
from tetriscourse.simulator.run import Pool

MADE = [one for one in tc.WORDS.values() if isinstance(one, Word)]
TINY = tc.Rules(5, 5)
FEW = ("holes", "landing_height", "has_step(0)", "row_transitions", "columns_with_holes()")
QUICK: dict[str, Any] = {"iterations": 1, "population": 4, "games": 4, "ranking": 10, "final": 200, "rounds": 2}


def search(**changes: Any) -> tc.FeatureSearch:
    """A short search on a small board."""
    given = {"rules": TINY, "words": FEW, "seed": 1} | QUICK | changes
    return tc.FeatureSearch(given.pop("rules"), given.pop("words"), seed=given.pop("seed"), **given)


def told(one: tc.FeatureSearch) -> tuple[Any, ...]:
    """Everything that a search has found."""
    return one.features, one.weights.tolist(), one.history


# --- the grammar ----------------------------------------------------------------------------------


class Defined:
    """Each kind of word by its definition, cell by cell, on a board of '.' and 'X'."""

    def __init__(self, board: tc.Board):
        full = board.full
        self.columns = [full[:, j].tolist() for j in range(board.width)]
        self.rows = full.tolist()
        self.heights = [max((r + 1 for r, cell in enumerate(column) if cell), default=0) for column in self.columns]
        self.steps = [b - a for a, b in pairwise(self.heights)]
        cells = [(r, j) for j in range(board.width) for r in range(len(full))]
        self.holes = [(r, j) for r, j in cells if not full[r, j] and full[r:, j].any()]
        walls = [10**6, *self.heights, 10**6]
        self.wells = [min(a, c) - b for a, b, c in zip(walls, walls[1:], walls[2:], strict=False)]

    def has_step(self, s: int) -> int:
        return int(s in self.steps)

    def count_step(self, s: int) -> int:
        return self.steps.count(s)

    def has_pair(self, a: int, b: int) -> int:
        return int((a, b) in list(pairwise(self.steps)))

    def steep_steps(self, k: int) -> int:
        return sum(abs(step) >= k for step in self.steps)

    def squared_steps(self) -> int:
        return sum(step * step for step in self.steps)

    def min_height(self) -> int:
        return min(self.heights)

    def height_range(self) -> int:
        return max(self.heights) - min(self.heights)

    def squared_heights(self) -> int:
        return sum(height * height for height in self.heights)

    def deep_wells(self, k: int) -> int:
        return sum(depth >= k for depth in self.wells)

    def well_depths(self, k: int) -> int:
        return sum(depth for depth in self.wells if depth >= k)

    def covered_holes(self, k: int) -> int:
        return sum(sum(self.columns[j][r:]) >= k for r, j in self.holes)

    def columns_with_holes(self) -> int:
        return len({j for _, j in self.holes})

    def cells_over_holes(self) -> int:
        return sum(
            cell and any((low, j) in self.holes for low in range(r))
            for j, column in enumerate(self.columns) for r, cell in enumerate(column)
        )  # fmt: skip

    def highest_hole(self) -> int:
        return max((r + 1 for r, _ in self.holes), default=0)

    def rows_lacking(self, k: int) -> int:
        return sum(0 <= row.count(False) <= k for row in self.rows)


@pytest.mark.parametrize("word", MADE, ids=lambda word: word.name)
def test_a_word_is_what_its_name_says_in_plain_python_and_compiled(word: Word) -> None:
    kind, _, numbers = word.name.removesuffix(")").partition("(")
    rng, fast = np.random.default_rng(7), compiled(word)
    assert isinstance(fast, CompiledFeature)
    for _ in range(60):
        board = random_board(tc.Rules(int(rng.integers(4, 12)), int(rng.integers(4, 16))), rng)
        expected = getattr(Defined(board), kind)(*(int(one) for one in numbers.split(",") if one))
        assert (word.on_board(board, 0), fast.on_board(board, 0)) == (expected, expected)


def test_there_are_some_fifty_words_each_with_a_line_about_it() -> None:
    assert 30 <= len(tc.WORDS) <= 60
    assert len({one.describe for one in tc.WORDS.values()}) == len(tc.WORDS)
    assert all(one.describe.endswith(".") and "{" not in one.describe for one in MADE)


def test_the_name_of_a_word_is_good_wherever_a_feature_is_named() -> None:
    player = tc.Player(["holes", "has_pair(0, 1)"], [-1.0, 0.5])
    assert player.features.features[1] is tc.WORDS["has_pair(0, 1)"]
    assert is_fast(player, TINY)
    assert pickle.loads(pickle.dumps(player.features.features[1])) is tc.WORDS["has_pair(0, 1)"]
    assert tc.Objective(["deep_wells(2)"], TINY).dimension == 1


# --- changes --------------------------------------------------------------------------------------


def test_the_changes_are_every_word_more_every_feature_less_and_the_control() -> None:
    assert changes(("a", "b"), ("a", "b", "c", "d"), 9) == ["", "+c", "+d", "-a", "-b"]
    assert changes(("a", "b"), ("a", "b", "c", "d"), 2) == ["", "-a", "-b"]
    assert [after(("a", "b"), one) for one in ("", "+c", "-a")] == [("a", "b"), ("a", "b", "c"), ("b",)]


@given(st.lists(st.floats(-9, 9, allow_subnormal=False), min_size=1, max_size=5))
def test_a_contender_starts_from_the_present_weights_and_0_for_a_new_one(weights: list[float]) -> None:
    names = tuple("abcde"[: len(weights)])
    *old, new = carried(names, np.array(weights), (*names, "z")).tolist()
    assert new == 0
    length = float(np.linalg.norm(weights))
    np.testing.assert_allclose(old, np.array(weights) / (length or 1), atol=1e-12)
    assert carried((), np.zeros(1), ("z",)).tolist() == [0.0] == carried((), np.zeros(1), ()).tolist()


# --- the race -------------------------------------------------------------------------------------


def test_contenders_learn_with_one_budget_on_common_pieces_and_the_control_is_in_every_rung(monkeypatch: Any) -> None:
    played: list[tuple[int, str, int, int]] = []
    one, lines = search(rounds=1), tc.FeatureSearch.lines

    def watched(self: Any, who: Any, candidates: Any, seed: int, games: int, pool: Pool) -> Any:
        played.append((self.rung, who.change, seed, len(candidates) * games))
        return lines(self, who, candidates, seed, games, pool)

    monkeypatch.setattr(tc.FeatureSearch, "lines", watched)
    one.run(progress=False, threads=1)
    *races, before, control, addition = played
    for rung, left in enumerate((6, 4, 3)):  # five additions: 5, 3, 2, and 1 for the final
        here = dict[str, list[Any]]()
        for at, change, seed, games in races:
            if at == rung:
                here.setdefault(change, []).append((seed, games))
        assert len(here) == left
        assert "" in here
        assert len({tuple(one) for one in here.values()}) == 1
        assert [games for _, games in here[""]] == [4 * 4 << rung, 2 * 10 << rung]
    assert before == control == (*addition[:1], "", *addition[2:])
    assert (control[3], addition[1][0]) == (200, "+")
    assert control[2] not in {seed for _, _, seed, _ in races}


@pytest.mark.slow
def test_a_search_from_nothing_finds_features_that_help() -> None:
    found = search(rounds=3, iterations=3, games=10, ranking=100, final=1000).run(progress=False)
    first = found.history[0]
    assert first.lines > 3 * first.control
    assert first.change.startswith("+")
    assert first.addition[2] > 1
    assert found.history[-1].features == found.features
    scores = tc.simulate(found.player(), TINY, games=1000, seed=9)
    assert scores.mean > 4
    assert abs(scores.mean / found.history[-1].lines - 1) < 0.2


@pytest.mark.slow
def test_a_feature_that_does_nothing_is_dropped_and_one_that_helps_is_not() -> None:
    start = ("constant", "holes", "landing_height")
    one = search(words=start, start=start, rounds=1, iterations=6, games=10, final=3000, margin=0.1)
    assert one.run(progress=False).history[0].change == "-constant"
    assert one.features == ("holes", "landing_height")


def test_it_stops_when_no_change_is_accepted() -> None:
    one = search(words=["constant"], rounds=9).run(progress=False)
    assert (one.stopped, one.features, len(one.history)) == ("no change was accepted", (), 1)
    assert one.history[0].addition[1:] == (1.0, 1.0, 1.0)
    assert one.player().features.features[0].name == NOTHING[0]


def test_no_more_features_than_allowed() -> None:
    one = search(most=1, rounds=3, final=50).run(progress=False)
    assert len(one.features) <= 1
    assert all(len(found.features) <= 1 for found in one.history)


# --- stop and resume ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole() -> tuple[Any, ...]:
    """A search that nothing stopped."""
    return told(search().run(progress=False))


@pytest.mark.parametrize("steps", [1, 4, 7, 14, 17])
def test_a_search_that_was_killed_goes_on_to_the_same_bits(
    steps: int, whole: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    file, advance, left = tmp_path / "search.npz", tc.FeatureSearch.advance, [steps]

    def killed(self: Any, pool: Pool) -> None:
        if not left[0]:
            raise MemoryError
        left[0] -= 1
        advance(self, pool)

    monkeypatch.setattr("tetriscourse.checkpoints.SECONDS_BETWEEN_WRITES", 0.0)
    monkeypatch.setattr(tc.FeatureSearch, "advance", killed)
    with pytest.raises(MemoryError):
        search().run(file, progress=False)
    monkeypatch.setattr(tc.FeatureSearch, "advance", advance)
    resumed = search()
    resumed.run(file, progress=False, resume=True)
    assert told(resumed) == whole


def test_ctrl_c_returns_what_there_is_and_run_goes_on(whole: Any, monkeypatch: Any) -> None:
    one, train, calls = search(), tc.FeatureSearch.train, []

    def stopped(self: Any, who: Any, pool: Pool) -> None:
        calls.append(who.change)
        if len(calls) == 3:
            pool.stop()
        train(self, who, pool)

    monkeypatch.setattr(tc.FeatureSearch, "train", stopped)
    one.run(progress=False)
    assert (one.interrupted, one.place) == (True, 2)
    assert "interrupted: `run` goes on" in repr(one)
    one.run(progress=False)
    assert calls[2] == calls[3]
    assert (told(one), one.interrupted) == (whole, False)


def test_a_search_may_be_made_longer_but_not_another(tmp_path: Path) -> None:
    file = tmp_path / "search.npz"
    search(rounds=1).run(file, progress=False)
    assert len(search(rounds=2).run(file, progress=False, resume=True).history) == 2
    with pytest.raises(InputError, match=r"it belongs to another run: settings\.games is 4 there and 5 here"):
        search(games=5).run(file, progress=False, resume=True)
    with pytest.raises(InputError, match="the file exists"):
        search().run(file, progress=False)


def test_the_number_of_threads_changes_nothing(whole: Any) -> None:
    assert told(search().run(progress=False, threads=3)) == whole


# --- bad input, and the command -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rules": "10"}, "rules is '10'"),
        ({"words": "holes"}, "words is 'holes'; it must be a list"),
        ({"words": ["hles"]}, r"words\[0\] is 'hles'; did you mean 'holes'\?"),
        ({"words": ["has_pair(0,1)"]}, r"did you mean 'has_pair\(0, 1\)'\?"),
        ({"words": []}, "words is empty"),
        ({"words": ["holes", "holes"]}, r"words\[1\] is 'holes', which is there twice"),
        ({"start": ["column_heights"]}, "which has a value for each column"),
        ({"start": ["holes", "lines"], "most": 1}, "start has 2 features; most allows 1"),
        ({"seed": -1}, "seed is -1"),
        ({"population": 1}, "population is 1"),
        ({"final": 1}, "final is 1; it must be a whole number of at least 2"),
        ({"margin": 1}, "margin is 1"),
        ({"sigma": 0}, "sigma is 0"),
        ({"round": 3}, "did you mean 'rounds'"),
    ],
    ids=str,
)
def test_bad_input_is_refused_before_any_game(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        search(**given)


COMMAND = ["find-features", "--rules", "5x5", "--quiet", "--games", "50", "--seed", "1"]
TINIEST = ("rounds=1", "iterations=1", "games=2", "ranking=5", "final=50", "population=2")
FAST = [*COMMAND, *(word for one in TINIEST for word in ("--set", one))]


@pytest.mark.slow
def test_the_command_says_what_it_chose_and_keeps_the_player(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "found.npz"
    assert cli.main([*FAST, "--save", str(file)]) == 0
    shown, player = capsys.readouterr().out, load_player(str(file))
    (name,) = (one.name for one in player.features.features)
    assert f"    1  +{name} " in shown
    assert "stopped      all 1 rounds are done" in shown
    assert cli.main(["simulate", "--player", str(file), "--rules", "5x5", "--games", "50", "--seed", "2026"]) == 0
    mean = capsys.readouterr().out.split("mean lines")[1].split(",")[0].strip()
    assert f"mean {mean} lines" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--start", "hols"], "start[0] is 'hols'; did you mean 'holes'?"),
        (["--set", "rounds=0"], "rounds is 0; it must be a whole number of at least 1"),
        (["--set", "speed=9"], "--set is 'speed'"),
        (["--rules", "3x4"], "--rules is '3x4'"),
        (["--save", "found"], "--save is 'found'; it must be NAME.npz"),
        (["--resume"], "--resume is given; it needs --checkpoint FILE"),
    ],
    ids=str,
)
def test_the_command_refuses_on_one_line(words: list[str], message: str, capsys: Any) -> None:
    assert cli.main(["find-features", *words]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert len(shown.err.splitlines()) == 1
    assert not shown.out


def test_the_list_has_all_words_and_settings(capsys: Any) -> None:
    assert cli.main(["find-features", "--list"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in tc.WORDS)
    assert all(f"  {name} " in shown for name in vars(tc.FeatureSearch().settings))


def test_the_spread_of_a_feature_is_how_far_the_moves_are_apart_in_it() -> None:
    found = spreads(["constant", "holes", "squared_heights()", "sum_heights", "has_step(0)"], TINY)
    assert found["constant"] == 1.0
    assert found["has_step(0)"] < found["sum_heights"] < found["squared_heights()"]
    variances = [np.var([one.after.heights.sum() for one in found]) for found in islice(positions(TINY), POSITIONS)]
    assert found["sum_heights"] / np.sqrt(np.mean(variances)) == pytest.approx(1, rel=0.5)


def test_a_round_comes_back_from_its_data() -> None:
    one = SearchRound("+holes", ("holes",), 2.0, 1.0, ("holes", 2.0, 1.5, 2.5), None, 5, 10, 20)
    assert SearchRound.of({**vars(one), "features": ["holes"], "addition": ["holes", 2.0, 1.5, 2.5]}) == one
