"""The game in JavaScript is the game in Python, and a record of it replays in Python key for key."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from strategies import random_board

import tetriscourse
from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Ending
from tetriscourse.game.moves import Move
from tetriscourse.game.rules import RULES, Draw, GameOver, PieceSequence, Rules, Scoring
from tetriscourse.games import play_game
from tetriscourse.players import PLAYERS
from tetriscourse.widgets.record import Follower, Mode, Record, Replay, game_spec, state_of

GAME_JS = Path(tetriscourse.__file__).parent / "widgets" / "js" / "game.js"
LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
GAMES, MOST_KEYS = 200, 350

# One text there and one back: playwright takes long over many small objects.
PLAY_AND_TRACE = """games => JSON.stringify(JSON.parse(games).map(({ spec, keys }) => {
  const game = new Game(spec), trace = [game.state()];
  for (const key of keys) {
    const pieces = game.blocksPlayed;
    game.command(key);
    if (game.blocksPlayed > pieces) trace.push(game.state());
  }
  return { trace, end: game.state(), keys: game.keys, view: game.view() };
}))"""


# --- games by random keys -----------------------------------------------------------------------------


@dataclass
class Played:
    """A game as Python has played it: how it starts, its keys, and its state after every settled piece."""

    rules: Rules
    seed: int
    number: int
    board: Board | None
    mode: Mode
    keys: list[str]
    trace: list[dict[str, Any]]
    engine: Replay

    @property
    def spec(self) -> dict[str, Any]:
        return game_spec(self.rules, self.seed, self.number, self.board, self.mode)

    @property
    def record(self) -> Record:
        return Record(self.rules, self.seed, self.number, self.mode, tuple(self.keys), self.board)


def some_rules(index: int, rng: np.random.Generator) -> Rules:
    """All named rules first, then rules of every kind, on small boards more often than on large ones."""
    if index < len(RULES):
        return list(RULES.values())[index]
    bag = str(rng.choice(["research", "rapid", "classic", "domino"]))
    draw = Draw(str(rng.choice([str(one) for one in Draw])))
    frequencies = None
    if draw is Draw.INDEPENDENT and bag != "domino" and rng.random() < 0.6:
        frequencies = (*(rng.random(6) * (rng.random(6) < 0.5)).tolist(), 0.5)
    return Rules(
        width=int(rng.integers(4, 17)) if rng.random() < 0.5 else int(rng.integers(4, 8)),
        height=int(rng.integers(4, 29)) if rng.random() < 0.4 else int(rng.integers(4, 15)),
        bag=bag,
        draw=draw,
        probabilities=frequencies,
        game_over=GameOver(str(rng.choice([str(one) for one in GameOver]))),
        scoring=Scoring(str(rng.choice([str(one) for one in Scoring]))),
        max_pieces=int(rng.integers(1, 30)) if rng.random() < 0.3 else 0,
    )


def some_board(rules: Rules, rng: np.random.Generator) -> Board | None:
    """Where a game starts: mostly empty, sometimes a random pile, sometimes rows that lack one and the same cell."""
    kind = rng.random()
    if kind < 0.2:
        return random_board(rules, rng)
    if kind < 0.4:
        cells = np.full((int(rng.integers(1, rules.height - 1)), rules.width), 8)
        cells[:, rng.integers(rules.width)] = 0
        return Board(cells, rules.height)
    return None


def untidiness(move: Move) -> tuple[bool, int]:
    """How far a move is from a low, flat board without holes; the worst of all is to lose."""
    heights, cells = move.after.heights, move.after.full.sum()
    return move.loses, 8 * int(heights.sum() - cells) + int((heights**2).sum()) // move.after.height


def some_key(engine: Replay, rng: np.random.Generator, care: float) -> str:
    """A key at random; with care, the piece is rather placed where the board stays low and without holes."""
    if rng.random() < 0.5:
        return str(rng.choice(list("LRHTN")))
    if rng.random() < 0.001:
        return "Q"
    if rng.random() < care:
        best = min(engine.moves(), key=untidiness)
        return f"P:{best.column}:{best.orientation}"
    if rng.random() < 0.5:
        return "D"
    rotation = int(rng.integers(len(engine.piece.orientations)))
    columns = engine.rules.width - engine.piece.orientations[rotation].width + 1
    return f"P:{rng.integers(columns)}:{rotation}"  # need not fit where the piece is now


def play(index: int) -> Played:
    """One game by random keys, until it ends or there are enough of them."""
    rng = np.random.default_rng([5, index])
    rules, seed, number = some_rules(index, rng), int(rng.integers(2**63)), int(rng.integers(1000))
    board, care, mode = some_board(rules, rng), rng.choice([0, 0.8, 0.95]), (Mode.FALLING, Mode.TURNS)[index % 2]
    engine, keys = Replay(rules, seed, number, board, mode), []
    trace = [state_of(engine)]
    while engine.is_running and len(keys) < MOST_KEYS:
        pieces = engine.blocks_played
        keys.append(some_key(engine, rng, care))
        engine.command(keys[-1])
        if engine.blocks_played > pieces:
            trace.append(state_of(engine))
    return Played(rules, seed, number, board, mode, keys, trace, engine)


@pytest.fixture(scope="module")
def games() -> list[Played]:
    return [play(index) for index in range(GAMES)]


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """An empty page of a browser that knows game.js."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    browsers = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, browsers)), None)
    if found is None:
        pytest.skip(f"no browser is installed ({', '.join(browsers)})")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, headless=True, args=LAUNCH)
        page = browser.new_page()
        page.set_content("<!doctype html><title>game</title>")
        page.add_script_tag(content=GAME_JS.read_text(encoding="utf-8"))
        yield page
        browser.close()


# --- the same game ------------------------------------------------------------------------------------


class TestTheSameGameInBothLanguages:
    @pytest.mark.slow
    def test_the_random_games_are_of_every_kind(self, games: list[Played]) -> None:
        endings = [game.engine.ending for game in games]
        assert endings.count(Ending.LOST) > 120
        assert endings.count(Ending.LIMIT) > 10
        assert endings.count(Ending.QUIT) > 0
        assert endings.count(None) < 30
        assert sum(game.engine.blocks_played for game in games) > 4000
        assert sum(game.engine.total_lines > 0 for game in games) > 100
        for rows in (1, 2, 3, 4):
            assert sum(game.engine.lines_by_count[rows] for game in games) > 2
        assert sum(game.board is not None for game in games) > 50
        assert {(game.rules.bag, game.rules.draw) for game in games} == {
            (bag, draw) for bag in ("research", "rapid", "classic", "domino") for draw in Draw
        }
        assert {game.rules.game_over for game in games} == set(GameOver)
        assert {game.rules.scoring for game in games} == set(Scoring)
        assert {game.rules.width for game in games} == set(range(4, 17))
        assert {4, 28} <= {game.rules.height for game in games}
        assert set(RULES.values()) <= {game.rules for game in games}
        for kind in GameOver:
            lost = [game for game in games if game.engine.ending is Ending.LOST and game.rules.game_over is kind]
            assert {game.mode for game in lost} == set(Mode)
            # Some lose by the piece that was played, some by the next one, which cannot enter; it always can if nobody
            # may touch the top row.
            blocked = [game for game in lost if game.engine.last_move not in game.engine.played[-1:]]
            assert len(lost) - len(blocked) > 10
            assert len(blocked) > 10 or kind is GameOver.TOP_ROW

    @pytest.mark.slow
    def test_all_random_games_agree_after_every_piece_and_at_the_end(self, page: Any, games: list[Played]) -> None:
        compared = 0
        for first in range(0, GAMES, 20):
            some = games[first : first + 20]
            given = json.dumps([{"spec": game.spec, "keys": game.keys} for game in some])
            found = json.loads(page.evaluate(PLAY_AND_TRACE, given))
            for game, other in zip(some, found, strict=True):
                assert len(other["trace"]) == len(game.trace)
                for ours, theirs in zip(game.trace, other["trace"], strict=True):
                    assert ours == theirs, game.record.to_json()
                    compared += 1
                assert other["end"] == state_of(game.engine)
                assert other["keys"] == game.keys
                assert other["view"] == game.engine.view().cells.tolist()
        assert compared == GAMES + sum(game.engine.blocks_played for game in games)

    def test_the_pieces_come_in_the_same_order(self, page: Any) -> None:
        sequences = "spec => { const s = new PieceSequence(spec); return [...Array(300).keys()].map(k => s.number(k)) }"
        rules = [
            *(Rules(bag=bag, draw=draw) for bag in ("research", "rapid", "classic", "domino") for draw in Draw),
            *(Rules(probabilities=p) for p in ((0, 0, 0, 1, 1, 0, 0), (1e-9, 0, 0, 0, 0, 1, 1e300), (1,) * 6 + (0,))),
        ]
        for one in rules:
            for seed, number in ((0, 0), (1, 2), (2**64 - 1, 5), (2**70 + 3, 2**40)):
                expected = PieceSequence(one, seed, number)
                found = page.evaluate(sequences, game_spec(one, seed, number))
                assert found == [expected.number(position) for position in range(300)]

    def test_a_piece_is_drawn_from_its_edge_below_the_next_one(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn = """([spec, all]) => all.map(bits => {
          const sequence = new PieceSequence(spec);
          sequence.bits32 = () => bits;
          return sequence.number(0);
        })"""
        for rules in (Rules(), RULES["harder"], Rules(probabilities=(0, 1, 0, 0, 2, 0, 0))):
            sequence = PieceSequence(rules, 1, 0)
            numbers = sorted({0, 2**31, 2**32 - 1, *(edge + d for edge in sequence.edges for d in (-1, 0))})
            bits = [number for number in numbers if 0 <= number < 2**32]
            expected = []
            for number in bits:
                monkeypatch.setattr("tetriscourse.game.random.bits32", lambda key, position, number=number: number)
                expected.append(sequence.number(0))
            assert page.evaluate(drawn, [game_spec(rules, 1), bits]) == expected
            assert set(expected) == {i for i, p in enumerate(rules.probabilities or [1] * 7) if p}

    def test_what_is_no_command_is_refused_by_both_and_changes_nothing(self, page: Any) -> None:
        rules = replace(RULES["tetrisbot"], width=7)
        attempt = """([spec, key]) => {
          const game = new Game(spec), before = JSON.stringify(game.state());
          try { game.command(key) } catch (error) {
            return [error.message, before === JSON.stringify(game.state()) && !game.keys.length];
          }
          return [null, game.keys[0]];
        }"""
        refused = [
            "W",
            "",
            "LL",
            "P",
            "P:3",
            "P:x:0",
            "P:-1:0",
            "P:7:0",
            "P:0:9",
            "P:0:4",
            "P:1000:0",
            "P:1:0\nL",
            "P:1:",
        ]
        accepted = ["l", " d ", "p:1:0", "P:001:0", "\tH\n", "q"]
        for key in refused + accepted:
            message, rest = page.evaluate(attempt, [game_spec(rules, 1), key])
            if key in refused:
                assert repr(key).replace("\\n", "\n") in message
                assert rest is True
                with pytest.raises(InputError):
                    Record(rules, 1, keys=(key,))
            else:
                assert message is None
                assert Record(rules, 1, keys=(key,)).keys == (rest,)

    def test_after_the_end_no_key_is_taken(self, page: Any) -> None:
        keys = """spec => {
          const game = new Game(spec);
          game.command("Q");
          try { game.command("N") } catch (error) { return [error.message, game.turns, game.keys] }
        }"""
        message, turns, taken = page.evaluate(keys, game_spec(RULES["research"], 1))
        assert "none is allowed any more: stopped" in message
        assert (turns, taken) == (1, ["Q"])


class TestPlace:
    def test_moves_of_a_game_can_be_shown_one_by_one(self, page: Any) -> None:
        game = play_game(PLAYERS["dellacherie"], replace(RULES["6x12"], max_pieces=60), seed=3)
        steps = [{"cells": move.cells, "mark": move.piece.name} for move in game.moves]
        boards = """([board, steps, width]) => steps.map(({ cells, mark }) => {
          const before = JSON.stringify(board), placed = place(board, cells, mark, width);
          const untouched = before === JSON.stringify(board);
          board = placed.board;
          return { ...placed, untouched };
        })"""
        found = page.evaluate(boards, [game.rules.empty_board().cells.tolist(), steps, 6])
        assert game.lines > 10
        assert [step["board"] for step in found] == [move.after.cells.tolist() for move in game.moves]
        assert [step["cleared"] for step in found] == [move.rows for move in game.moves]
        assert all(step["untouched"] for step in found)

    def test_any_cells_on_any_board_give_the_board_of_python(self, page: Any) -> None:
        rng, given, expected = np.random.default_rng(7), [], []
        for _ in range(300):
            rules = Rules(int(rng.integers(4, 8)), int(rng.integers(4, 8)))
            board, rows = random_board(rules, rng), sorted(rng.choice(rules.height + 3, 2, replace=False).tolist())
            cells = [(row, column) for row in rows for column in range(rules.width) if rng.random() < 0.9]
            filled = board.with_cells(cells, "T")
            given.append([board.cells.tolist(), cells, "T", rules.width])
            after = filled.without_rows(filled.full_rows())
            expected.append({"board": after.cells.tolist(), "cleared": len(filled.full_rows())})
        found = json.loads(
            page.evaluate("all => JSON.stringify(JSON.parse(all).map(one => place(...one)))", json.dumps(given))
        )
        assert found == expected
        grown = [len(after["board"]) > len(before[0]) for before, after in zip(given, expected, strict=True)]
        assert 20 < sum(grown) < 280
        assert {step["cleared"] for step in expected} == {0, 1, 2}


# --- records ------------------------------------------------------------------------------------------


class TestRecords:
    def test_a_record_replays_the_game(self, games: list[Played]) -> None:
        for game in games[::4]:
            assert state_of(game.record.replay()) == state_of(game.engine)

    def test_its_moves_lead_from_board_to_board(self, games: list[Played]) -> None:
        for game in games[::4]:
            moves, end = game.record.moves(), game.engine
            assert len(moves) == end.blocks_played
            assert [move.piece for move in moves] == [
                PieceSequence(game.rules, game.seed, game.number)[position] for position in range(len(moves))
            ]
            boards = [game.board or game.rules.empty_board(), *(move.after for move in moves)]
            assert [move.before for move in moves] == boards[:-1]
            assert [state["rows"] for state in game.trace[1:-1]] == [
                move.after.text(letters=True).splitlines() for move in moves[:-1]
            ]

    def test_its_game_has_the_moves_rows_and_points(self, games: list[Played]) -> None:
        for played in games[::4]:
            game, end = played.record.game(), played.engine
            assert game.pieces == end.blocks_played
            assert game.lines == end.total_lines == sum(move.rows for move in game.moves)
            assert game.points == end.score == sum(game.rules.points(move.rows) for move in game.moves)
            assert game.lost is (end.ending is Ending.LOST)
            assert (game.rules, game.seed, game.number) == (played.rules, played.seed, played.number)

    def test_placing_a_players_moves_by_keys_gives_the_players_game(self) -> None:
        rules = replace(RULES["tetrisbot"], max_pieces=80)
        game = play_game(PLAYERS["dellacherie"], rules, seed=2)
        keys = tuple(f"P:{move.column}:{move.orientation}" for move in game.moves)
        assert game.lines > 10
        for mode in Mode:
            assert Record(rules, 2, mode=mode, keys=keys).game() == game

    def test_it_survives_json(self, games: list[Played]) -> None:
        for record in (game.record for game in games[::4]):
            again = Record.from_json(record.to_json())
            assert again == record
            assert state_of(again.replay()) == state_of(record.replay())
            assert again.to_json() == record.to_json()
        assert any(game.board is not None for game in games[::4])
        numbers = Record(RULES["tetrisbot"], np.int64(3), np.int64(4))  # type: ignore[arg-type]
        assert Record.from_json(numbers.to_json()) == numbers == Record(RULES["tetrisbot"], 3, 4)

    def test_it_says_what_was_played(self) -> None:
        keys = ("P:0:0", "P:2:0", "P:6:0", "P:0:1") * 3
        rules = RULES["tetrisbot"]
        record = Record(rules, seed=1, keys=keys)
        end = record.replay()
        assert repr(record) == f"Record(tetrisbot, seed 1: 12 pieces, {end.total_lines} rows, {end.score} points)"
        assert repr(Record(rules, 1, 4, keys=("D",))) == "Record(tetrisbot, seed 1, game 4: 1 piece, 0 rows, 0 points)"

    def test_playing_on_with_a_replay_does_not_change_the_record(self) -> None:
        record = Record(RULES["tetrisbot"], keys=("D",))
        record.replay().press("D")
        record.moves().clear()
        assert record.replay().blocks_played == len(record.moves()) == record.game().pieces == 1

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"keys": ("L", "W")}, r"^keys\[1\] is 'W'; it must be one of L R"),
            ({"keys": ("L", "P:10:0")}, r"^keys\[1\] is 'P:10:0'; the column"),
            ({"keys": ("D", "Q", "N")}, r"^keys\[2\] is 'N'; none is allowed any more: stopped"),
            ({"keys": "LLD"}, "^keys is 'LLD'; it must be a sequence of keys"),
            ({"keys": 3}, "^keys is 3;"),
            ({"mode": "fast"}, "^mode is 'fast'.*falling, turns"),
            ({"seed": -1}, "^seed is -1;"),
            ({"number": 1.5}, "^game is 1.5;"),
            ({"rules": "tetrisbt"}, "^rules is 'tetrisbt';"),
            ({"board": "X..."}, "^board is 'X...';"),
            ({"board": Board.empty(4, 4)}, "^board is 4x4;"),
        ],
    )
    def test_what_cannot_be_replayed_is_no_record(self, changes: dict[str, Any], words: str) -> None:
        with pytest.raises(InputError, match=words):
            Record(**({"rules": RULES["tetrisbot"]} | changes))

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"format": "a shopping list"}, "what Record.to_json wrote"),
            ({"rules": {"width": 10}}, "rules has no 'height'"),
            ({"rules": None}, "rules is None"),
            ({"keys": ["L"]}, r"keys is \['L'\]; it must be a text"),
            ({"keys": "L X"}, r"keys\[1\] is 'X'"),
            ({"colour": "red"}, "text is 'colour'"),
            ({"board": "X..."}, "board is 'X...'; it must be a list"),
        ],
    )
    def test_json_that_is_no_record_is_refused(self, changes: dict[str, Any], words: str) -> None:
        data = json.loads(Record(RULES["tetrisbot"], keys=("L",)).to_json())
        with pytest.raises(InputError, match=words):
            Record.from_json(json.dumps(data | changes))
        with pytest.raises(InputError, match="has no 'keys'"):
            Record.from_json(json.dumps({name: value for name, value in data.items() if name != "keys"}))
        for text in ("", "[]", "{", None):
            with pytest.raises(InputError, match=r"what Record\.to_json wrote"):
                Record.from_json(text)  # type: ignore[arg-type]


class TestFollower:
    def test_it_is_at_every_moment_where_a_fresh_replay_is(self, games: list[Played]) -> None:
        for game in games[:40:4]:
            start = (game.rules, game.seed, game.number, game.board, game.mode)
            follower, keys = Follower(*start), game.keys[:60]
            for count in range(0, len(keys), 7):
                fresh = Replay(*start)
                for key in keys[:count]:
                    fresh.command(key)
                assert state_of(follower.advance(keys[:count])) == state_of(fresh)

    def test_keys_that_were_played_are_not_played_again(self) -> None:
        follower = Follower(RULES["tetrisbot"], 1)
        engine = follower.advance(["L", "D"])
        assert follower.advance(["L", "D", "R"]) is engine
        assert engine.turns == 3
        assert follower.advance(["L", "D", "R"]).turns == 3

    def test_another_list_starts_a_new_game(self) -> None:
        follower = Follower(RULES["tetrisbot"], 1)
        first = follower.advance(["L", "D"])
        again = follower.advance(["R", "D"])
        assert again is not first
        assert (first.turns, again.turns) == (2, 2)
        assert follower.advance(["R"]).turns == 1
        assert follower.advance([]).turns == 0

    def test_a_wrong_key_is_named_and_the_good_ones_before_it_stay(self) -> None:
        follower = Follower(RULES["tetrisbot"], 1)
        with pytest.raises(InputError, match=r"keys\[2\] is 'W'"):
            follower.advance(["L", "D", "W"])
        assert follower.keys == ["L", "D"]
        assert follower.advance(["L", "D", "R"]).turns == 3
