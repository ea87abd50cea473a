"""The leaderboard keeps every attempt, among published players that play the same games."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tetriscourse as tc
from tetriscourse.course import leaderboard
from tetriscourse.course.leaderboard import Leaderboard, published
from tetriscourse.course.leaderboard_entries import GAMES, KINDS, SEED
from tetriscourse.features import OWN_FEATURES

pytestmark = pytest.mark.slow

WEAK = tc.Player(["holes", "bumpiness"], [-5, -1], name="weak")
AHEAD, TWO_PIECES = (tc.LookAhead(WEAK, seen) for seen in ("unknown", "known"))


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A progress file of the test's own; the leaderboard lies beside it."""
    monkeypatch.setenv("TETRISCOURSE_PROGRESS", str(tmp_path / "home" / "progress.json"))
    return tmp_path / "home" / "leaderboard.json"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """No published players: for tests that are not about them."""
    monkeypatch.setattr(leaderboard, "published", lambda kind="one-piece": ())


def names() -> list[str]:
    return [entry.name for entry in Leaderboard().entries]


class TestWhatIsKept:
    def test_an_entry_has_the_name_features_weights_and_the_score_of_the_fixed_games(self) -> None:
        Leaderboard().enter(WEAK, name="first try")
        scores = tc.simulate(WEAK, tc.RULES["10x10"], games=GAMES, seed=SEED)
        (entry,) = Leaderboard().entries
        assert (entry.name, entry.features, entry.weights) == ("first try", "holes+bumpiness", (-5, -1))
        assert (entry.mean, (entry.low, entry.high)) == (scores.mean, scores.interval())

    def test_the_player_comes_back_from_the_file(self) -> None:
        Leaderboard().enter(tc.Player("dellacherie", [-1, 1, -1, -4, 0, -1])).enter(WEAK)
        first, second = (entry.player for entry in Leaderboard().entries)
        assert first.features is tc.FEATURE_SETS["dellacherie"]
        assert first.weights == (-1, 1, -1, -4, 0, -1)
        board = tc.Board.from_text("X...\nXX.X", height=8)
        assert second.choose(board, tc.PIECES["T"]) == WEAK.choose(board, tc.PIECES["T"])

    def test_the_players_own_name_is_the_default(self) -> None:
        Leaderboard().enter(WEAK)
        assert names() == ["weak"]

    def test_a_feature_set_of_ones_own_is_written_out(self) -> None:
        own = tc.FeatureSet("mine", (tc.FEATURES["holes"], tc.FEATURES["bumpiness"]))
        Leaderboard().enter(tc.Player(own, [-5, -1], name="own"))
        assert Leaderboard().entries[0].player.weights == (-5, -1)

    def test_the_same_attempt_twice_counts_once_and_other_weights_count_again(self) -> None:
        for weight in (-5, -5, -6):
            Leaderboard().enter(tc.Player(["holes", "bumpiness"], [weight, -1]), name="again")
        assert [entry.weights for entry in Leaderboard().entries] == [(-5, -1), (-6, -1)]

    def test_removing_takes_back_one_name_and_leaves_the_others(self) -> None:
        Leaderboard().enter(WEAK, "a").enter(WEAK, "b").enter(WEAK, "c").remove("b")
        assert names() == ["a", "c"]

    def test_nothing_is_kept_where_progress_is_not_kept(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TETRISCOURSE_PROGRESS", "")
        table = Leaderboard().enter(WEAK)
        assert [entry.name for entry in table.entries] == ["weak"]
        assert names() == []
        assert not file.parent.exists()


class TestNothingIsLost:
    def test_attempts_that_arrive_at_the_same_time_are_all_kept(self) -> None:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda k: Leaderboard().enter(WEAK, f"try {k}"), range(16)))
        assert sorted(names()) == sorted(f"try {k}" for k in range(16))

    def test_a_damaged_file_is_named_and_not_overwritten(self, file: Path) -> None:
        Leaderboard().enter(WEAK)
        file.write_text(file.read_text()[:-10])
        before = file.read_text()
        with pytest.raises(tc.InputError, match=r"leaderboard\.json.*damaged"):
            Leaderboard().enter(WEAK, "second")
        assert file.read_text() == before

    def test_entries_that_are_not_understood_stay_in_the_file(self, file: Path) -> None:
        file.parent.mkdir()
        strange = [{"name": "from the future", "speed": 9}, 7, {"name": "x", "features": "no such", "weights": [1]}]
        file.write_text(json.dumps(strange))
        assert names() == []
        Leaderboard().enter(WEAK)
        assert json.loads(file.read_text())[:3] == strange
        assert names() == ["weak"]

    def test_a_write_that_fails_leaves_the_old_file_and_no_litter(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Leaderboard().enter(WEAK)
        before = file.read_text()

        def fails(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.replace", fails)
        with pytest.raises(tc.InputError, match="No space left"):
            Leaderboard().enter(WEAK, "second")
        assert file.read_text() == before
        assert sorted(path.name for path in file.parent.iterdir()) == ["leaderboard.json", "leaderboard.json.lock"]


class TestBadInput:
    @pytest.mark.parametrize("player", [None, ..., "dn", [-5, -1], tc.PLAYERS["filter-heights"]])
    def test_what_is_not_a_linear_player_is_refused(self, player: object) -> None:
        with pytest.raises(tc.InputError, match="player is"):
            Leaderboard().enter(player)  # type: ignore[arg-type]

    def test_a_feature_in_plain_python_is_refused_as_too_slow(self) -> None:
        with pytest.raises(tc.InputError, match=r"own_feature is a plain function; put @tc\.feature"):
            Leaderboard().enter(tc.Player([own_feature], [1]))

    def test_only_kinds_that_there_are_have_a_table(self) -> None:
        for ask in (lambda: Leaderboard("three-piece"), lambda: Leaderboard().rows("all"), lambda: published("best")):
            with pytest.raises(tc.InputError, match=r"kind is .*one-piece, look-ahead, two-piece"):
                ask()

    def test_weights_for_another_width_are_refused(self) -> None:
        with pytest.raises(tc.InputError, match="width 10"):
            Leaderboard().enter(tc.Player("bertsekas", [-1] * 11))

    @pytest.mark.parametrize("name", ["", "  ", 7, "two\nlines", "x" * 41])
    def test_a_name_must_fit_into_a_line(self, name: object) -> None:
        with pytest.raises(tc.InputError, match="name is"):
            Leaderboard().enter(WEAK, name)  # type: ignore[arg-type]

    def test_only_own_attempts_can_be_removed(self) -> None:
        with pytest.raises(tc.InputError, match="dellacherie"):
            Leaderboard().remove("dellacherie")

    def test_nothing_is_entered_after_bad_input(self, file: Path) -> None:
        with pytest.raises(tc.InputError):
            Leaderboard().enter(WEAK, "")
        assert not file.exists()


def own_feature(move: tc.Move) -> float:
    """Rows cleared, once more."""
    return move.rows


class TestTheTable:
    def test_own_players_stand_among_the_published_ones_best_first(self) -> None:
        rows = Leaderboard().enter(WEAK).rows()
        assert [int(row[0]) for row in rows] == list(range(1, len(tc.PLAYERS) + 2))
        assert {row[1] for row in rows} == {"★ weak", *tc.PLAYERS}
        means = [float(row[3].replace(",", "")) for row in rows]
        assert means == sorted(means, reverse=True)

    def test_published_players_play_the_same_games(self) -> None:
        (one,) = (entry for entry in published() if entry.name == "tetrisbot")
        scores = tc.simulate(tc.PLAYERS["tetrisbot"], tc.RULES["10x10"], games=GAMES, seed=SEED)
        assert (one.mean, (one.low, one.high)) == (scores.mean, scores.interval())

    @pytest.mark.usefixtures("few")
    def test_names_cannot_bring_html_into_the_page(self) -> None:
        page = Leaderboard().enter(WEAK, "<b>me</b>")._repr_html_()
        assert "<b>" not in page
        assert "&lt;b&gt;me" in page

    @pytest.mark.usefixtures("few")
    def test_as_text_the_columns_are_aligned_and_a_player_without_lines_has_a_row(self) -> None:
        inside_out = tc.Player("dellacherie", [1, -1, 1, 1, 4, 1])
        lines = str(Leaderboard().enter(WEAK, "short").enter(inside_out, "a much longer name")).splitlines()
        assert len({len(line) for line in lines[:3]}) == 1
        assert lines[-1].startswith("★ yours")

    @pytest.mark.usefixtures("few")
    def test_an_empty_leaderboard_says_how_it_is_played(self) -> None:
        assert str(Leaderboard()).splitlines()[-1] == "100 games each on 10x10, the same pieces for everybody"


class TestLookingAhead:
    @pytest.mark.usefixtures("few")
    @pytest.mark.parametrize(("player", "kind"), [(AHEAD, "look-ahead"), (TWO_PIECES, "two-piece")])
    def test_each_kind_has_a_table_of_its_own_with_games_on_a_lower_board(
        self, player: tc.LookAhead, kind: str
    ) -> None:
        table = Leaderboard().enter(player, "far").enter(WEAK, "near")
        scores = tc.simulate(player, tc.Rules(height=7), games=GAMES, seed=SEED)
        far, _ = table.entries
        assert (far.kind, far.mean, (far.low, far.high)) == (kind, scores.mean, scores.interval())
        assert [row[1] for row in table.rows()] == ["★ near"]
        assert [row[1] for row in table.rows(kind)] == [row[1] for row in Leaderboard(kind).rows()] == ["★ far"]
        assert table.kinds == ["one-piece", kind]
        assert f"{GAMES} games each on 10x7" in str(table).split("\n\n")[1]
        assert table._repr_html_().count("<table>") == 2

    def test_without_entries_of_that_kind_only_the_first_table_is_shown(self) -> None:
        assert Leaderboard().kinds == ["one-piece"]
        assert Leaderboard("two-piece").kinds == ["two-piece"]

    @pytest.mark.usefixtures("few")
    def test_the_player_comes_back_with_the_way_it_looks(self) -> None:
        given = tc.LookAhead(WEAK, "unknown", width=3, lost=-50)
        Leaderboard().enter(given, "narrow")
        (entry,) = Leaderboard().entries
        assert isinstance(entry.player, tc.LookAhead)
        assert (entry.player.search, entry.player.weights) == (given.search, given.weights)
        assert "best 3, lost -50" in str(Leaderboard("look-ahead"))
        board = tc.Board.from_text("X...\nXX.X", height=8)
        assert entry.player.choose(board, tc.PIECES["T"]) == given.choose(board, tc.PIECES["T"])

    @pytest.mark.parametrize("kind", ["look-ahead", "two-piece"])
    def test_the_stored_rivals_have_played_the_games_of_the_table(self, kind: str) -> None:
        (one,) = (entry for entry in published(kind) if entry.name == "tetrisbot")
        assert isinstance(one.player, tc.LookAhead)
        scores = tc.simulate(one.player, KINDS[kind].rules, games=GAMES, seed=SEED)
        assert (one.mean, (one.low, one.high)) == (scores.mean, scores.interval())

    def test_the_stored_rivals_have_the_weights_they_are_named_after(self) -> None:
        for kind in ("look-ahead", "two-piece"):
            found = {entry.name: entry.weights for entry in published(kind)}
            for name, weights in found.items():
                known = tc.PLAYERS[name].weights if name in tc.PLAYERS else tc.stored_result(name)["weights"]  # type: ignore[union-attr]
                assert weights == tuple(known)
            assert {"champion-10x10", "dn", "dt-10", "rv-ce", f"record-10x10-{kind}"} <= set(found)

    def test_a_file_from_before_there_were_kinds_is_read_and_kept(self, file: Path) -> None:
        old = [
            {
                "name": "first try", "features": "holes+bumpiness", "weights": [-5.0, -1.0],
                "mean": 30.25, "low": 25.5, "high": 36.5,
            }
        ]  # fmt: skip
        file.parent.mkdir()
        file.write_text(json.dumps(old))
        (entry,) = Leaderboard().entries
        assert (entry.kind, entry.search, entry.own, entry.player.weights) == ("one-piece", None, (), (-5, -1))
        Leaderboard().enter(AHEAD, "newer")
        assert json.loads(file.read_text())[:1] == old
        assert names() == ["first try", "newer"]

    def test_an_attempt_that_an_old_file_has_counts_once(self, file: Path) -> None:
        Leaderboard().enter(WEAK, "same")
        assert set(json.loads(file.read_text())[0]) == {"name", "features", "weights", "mean", "low", "high"}
        Leaderboard().enter(WEAK, "same")
        assert names() == ["same"]


class TestOwnFeatures:
    @pytest.fixture
    def flats(self) -> tc.Player:
        """A player with a feature that the simulator compiles."""

        def level_pairs(heights):
            return (heights[1:] == heights[:-1]).sum()

        tc.feature(better=+1)(level_pairs)
        return tc.Player(["holes", "level_pairs"], [-5, 1], name="flats")

    def test_a_compiled_one_is_entered_with_its_text(self, flats: tc.Player) -> None:
        Leaderboard().enter(flats)
        (entry,) = Leaderboard().entries
        ((name, text),) = entry.own
        assert name == "level_pairs"
        assert "heights[1:] == heights[:-1]" in text
        assert entry.player.weights == (-5, 1)

    def test_it_stays_on_the_table_where_the_feature_is_not_known_and_says_what_is_missing(
        self, flats: tc.Player
    ) -> None:
        Leaderboard().enter(flats)
        del OWN_FEATURES["level_pairs"]
        assert "★ flats" in {row[1] for row in Leaderboard().rows()}
        with pytest.raises(tc.InputError, match="define level_pairs again"):
            _ = Leaderboard().entries[0].player
