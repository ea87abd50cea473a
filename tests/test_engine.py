"""The engine: pieces that appear, move, turn, fall, settle and lose, one command a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetriscourse.errors import InputError
from tetriscourse.game.board import Board
from tetriscourse.game.commands import COMMANDS
from tetriscourse.game.engine import Ending, Engine
from tetriscourse.game.moves import all_moves, moves
from tetriscourse.game.rules import RULES, Draw, Entry, GameOver, LosingMoves, PieceSequence, Rules, Scoring

TETRISBOT = RULES["tetrisbot"]


def only(piece: str, **changes: object) -> Rules:
    """TetrisBot's rules with a single kind of piece."""
    given = {"width": 10, "height": 22, "bag": "research", "draw": Draw.INDEPENDENT, "probabilities": {piece: 1}}
    return replace(TETRISBOT, **(given | changes))


def seen(engine: Engine, rows: int = 4) -> str:
    """The topmost rows, the two invisible ones first, with / between them."""
    lines = [line.replace(" ", "").strip("|") for line in engine.text().splitlines()]
    width = engine.rules.width
    picture = [line[:width] for line in lines if line and set(line[:width]) <= set(".IOTSZJLX")]
    return "/".join(picture[:rows])


def after(rules: Rules, *commands: str, board: Board | None = None) -> Engine:
    """The game after these commands."""
    engine = Engine(rules=rules, board=board)
    for command in commands:
        engine.play_command(command)
    return engine


def board_of(text: str, rules: Rules) -> Board:
    """The drawn rows at the bottom of a board of the right size."""
    return Board.from_text(text, height=rules.height)


# --- a second engine, written after the report: square matrices in a grid, the top row first ------

RESEARCH = {  # each a quarter turn to the left of the one before
    "I": "X/X/X/X XXXX",
    "O": "XX/XX",
    "T": "X./XX/X. .X./XXX .X/XX/.X XXX/.X.",
    "Z": ".X/XX/X. XX./.XX",
    "S": "X./XX/.X .XX/XX.",
    "J": "X../XXX .X/.X/XX XXX/..X XX/X./X.",
    "L": "XXX/X.. X./X./XX ..X/XXX XX/.X/.X",
}
HORIZONTAL = {"I": 1, "O": 0, "T": 1, "Z": 1, "S": 1, "J": 0, "L": 2}
RAPID = {  # the horizontal one first, each a quarter turn to the right of the one before
    "I": "XXXX X/X/X/X",
    "O": "XX/XX",
    "T": ".X./XXX X./XX/X. XXX/.X. .X/XX/.X",
    "Z": "XX./.XX .X/XX/X.",
    "S": ".XX/XX. X./XX/.X",
    "J": "X../XXX XX/X./X. XXX/..X .X/.X/XX",
    "L": "..X/XXX X./X./XX XXX/X.. XX/.X/.X",
    "domino": "XX X/X",
}
CLASSIC = {
    "I": "..../XXXX/..../....",
    "T": ".X./XXX/...",
    "Z": "XX./.XX/...",
    "S": ".XX/XX./...",
    "J": "X../XXX/...",
    "L": "..X/XXX/...",
}
POINTS = {
    Scoring.LINES: [0, 1, 2, 3, 4],
    Scoring.TETRISBOT: [0, 40, 100, 300, 1200],
    Scoring.SQUARES: [0, 1, 4, 9, 16],
}


def matrix(picture: str) -> np.ndarray:
    return np.array([[mark == "X" for mark in row] for row in picture.split("/")])


def turns_of(name: str, bag: str) -> tuple[list[np.ndarray], int]:
    """The matrices of a piece, in the order of its bag, and the first to appear."""
    if bag == "classic" and name in CLASSIC:
        return [np.rot90(matrix(CLASSIC[name]), -k) for k in range(4)], 0
    if bag == "research":
        return [matrix(picture) for picture in RESEARCH[name].split()], HORIZONTAL[name]
    return [matrix(picture) for picture in RAPID[name].split()], 0


class MatrixGame:
    """TetrisBot's game on a grid with two rows more than the board, row 0 on top."""

    def __init__(self, rules: Rules, seed: int):
        self.rules, self.names = rules, iter(PieceSequence(rules, seed, 0))
        self.grid = np.zeros((rules.height + 2, rules.width), bool)
        self.score = self.lines = self.played = 0
        self.over = False
        self.enter()

    def cells(self, turn: int, top: int, left: int) -> np.ndarray:
        return np.argwhere(self.turns[turn]) + np.array([top, left])

    def fits(self, turn: int, top: int, left: int) -> bool:
        cells = self.cells(turn, top, left)
        inside = (cells >= 0).all() and (cells < self.grid.shape).all()
        return bool(inside and not self.grid[tuple(cells.T)].any())

    def enter(self) -> None:
        self.turns, self.turn = turns_of(next(self.names).name, self.rules.bag)
        rows, columns = np.nonzero(self.turns[self.turn])
        wide = columns.max() - columns.min() + 1
        self.top, self.left = -rows.min(), (self.rules.width - wide) // 2 - columns.min()
        if not self.move(0, 1, 0):
            self.settle()

    def move(self, turn: int, down: int, right: int) -> bool:
        new = ((self.turn + turn) % len(self.turns), self.top + down, self.left + right)
        if self.fits(*new):
            self.turn, self.top, self.left = new
            return True
        return False

    def place(self, column: int, rotation: int) -> None:
        top_row = self.cells(self.turn, self.top, self.left)[:, 0].min()
        rows, columns = np.nonzero(self.turns[rotation])
        new = (rotation, top_row - rows.min(), column - columns.min())
        if self.fits(*new):
            self.turn, self.top, self.left = new
            self.play("fall")

    def play(self, command: str) -> None:
        if command[0] == "P":
            self.place(*map(int, command.split(":")[1:]))
        elif command in ("D", "fall"):
            while self.move(0, 1, 0):
                pass
        elif command != "N":
            self.shift(command)
        if command != "fall":
            self.fall()

    def press(self, key: str) -> None:
        if key in ("N", "D"):
            self.play(key)
        elif key[0] == "P":
            before = (self.turn, self.top, self.left)
            self.place(*map(int, key.split(":")[1:]))
            # A piece that is placed where it lies already, at rest, settles too, although it has not moved.
            if before != (self.turn, self.top, self.left) or self.lies_at(key):
                self.fall()
        else:
            self.shift(key)

    def lies_at(self, key: str) -> bool:
        left = self.cells(self.turn, self.top, self.left)[:, 1].min()
        return key == f"P:{left}:{self.turn}"

    def shift(self, key: str) -> None:
        left = 1 if self.rules.bag == "research" else -1
        self.move(*{"L": (0, 0, -1), "R": (0, 0, 1), "T": (left, 0, 0), "H": (-left, 0, 0)}[key])

    def fall(self) -> None:
        if not self.move(0, 1, 0):
            self.played += 1
            self.settle()
            if not self.over:
                self.enter()

    def settle(self) -> None:
        cells = self.cells(self.turn, self.top, self.left)
        self.grid[tuple(cells.T)] = True
        highest = cells[:, 0].min()
        self.over = self.rules.game_over == "overflow" and highest < 2
        self.over |= self.rules.game_over == "top-row" and highest < 3
        if not self.over:
            kept = self.grid[~self.grid.all(axis=1)]
            cleared = len(self.grid) - len(kept)
            self.grid = np.vstack([np.zeros((cleared, self.rules.width), bool), kept])
            self.score += POINTS[self.rules.scoring][cleared]
            self.lines += cleared
        self.over |= bool(self.grid[:2].any())


@st.composite
def any_rules(draw: st.DrawFn, **fixed: object) -> Rules:
    """Rules of any kind, small boards more often than large ones."""
    fields = {
        "width": draw(st.integers(4, 7) | st.integers(4, 16)),
        "height": draw(st.integers(4, 8) | st.integers(4, 28)),
        "bag": draw(st.sampled_from(["research", "rapid", "classic", "domino"])),
        "draw": draw(st.sampled_from(Draw)),
        "game_over": draw(st.sampled_from(GameOver)),
        "losing_moves": draw(st.sampled_from(LosingMoves)),
        "entry": draw(st.sampled_from(Entry)),
        "scoring": draw(st.sampled_from(Scoring)),
    }
    return Rules(**(fields | fixed))


@st.composite
def boards(draw: st.DrawFn, rules: Rules) -> Board:
    """A pile with holes, often up to the top, without a full row."""
    rows = draw(st.integers(0, rules.height))
    bits = draw(st.lists(st.integers(0, 2**rules.width - 2), min_size=rows, max_size=rows))
    return Board([[row >> j & 1 for j in range(rules.width)] for row in bits] or [[0] * rules.width], rules.height)


def some_command(engine: Engine, number: int) -> str:
    """A command chosen by a number: mostly keys, sometimes a placement, which need not fit."""
    if number % 9 < len(COMMANDS):
        return COMMANDS[number % 9]
    rotation = number // 9 % len(engine.piece.orientations)
    columns = engine.rules.width - engine.piece.orientations[rotation].width + 1
    return f"P:{number // 36 % columns}:{rotation}"


class TestAgainstTheSecondEngine:
    @settings(max_examples=150, deadline=None)
    @given(
        any_rules(),
        st.integers(0, 99),
        st.lists(st.integers(0, 36 * 16), min_size=1, max_size=120),
        st.sampled_from([(Engine.play_command, MatrixGame.play), (Engine.press, MatrixGame.press)]),
    )
    def test_both_engines_play_the_same_game(
        self, rules: Rules, seed: int, numbers: list[int], ways: tuple[Callable[..., None], Callable[..., None]]
    ) -> None:
        engine, other = Engine(rules=rules, seed=seed), MatrixGame(rules, seed)
        play, play_other = ways
        for number in numbers:
            if not engine.is_running:
                break
            command = some_command(engine, number)
            play(engine, command)
            play_other(other, command)
            counters = (engine.score, engine.total_lines, engine.blocks_played, not engine.is_running)
            assert counters == (other.score, other.lines, other.played, other.over)
            settled = np.zeros_like(other.grid)
            settled[: len(engine.board.cells)] = engine.board.full
            assert (settled[::-1] == other.grid).all()
            if engine.is_running:
                falling = {(rules.height + 1 - r, c) for r, c in engine.cells}
                assert falling == set(map(tuple, other.cells(other.turn, other.top, other.left).tolist()))


class TestAPieceEnters:
    @pytest.mark.parametrize(
        ("piece", "picture"),
        [
            ("I", "........../...IIII.../.........."),
            ("O", "........../....OO..../....OO...."),
            ("T", "........../....T...../...TTT...."),
            ("J", "........../...J....../...JJJ...."),
            ("L", "........../.....L..../...LLL...."),
            ("S", "........../....SS..../...SS....."),
            ("Z", "........../...ZZ...../....ZZ...."),
        ],
    )
    def test_it_is_horizontal_and_centred_and_has_fallen_one_row(self, piece: str, picture: str) -> None:
        assert seen(Engine(rules=only(piece)), 3) == picture

    def test_in_the_classic_bag_pieces_appear_in_the_same_cells(self) -> None:
        for piece in "IOTSZJL":
            assert seen(Engine(rules=only(piece, bag="classic"))) == seen(Engine(rules=only(piece)))

    def test_a_domino_is_centred_on_an_odd_width_left_of_the_middle(self) -> None:
        assert seen(Engine(rules=Rules(width=5, height=5, bag="domino")), 2) == "...../.XX.."

    def test_a_piece_that_cannot_fall_one_row_settles_where_it_appeared_and_the_game_is_over(self) -> None:
        rules = only("O", width=4, height=4)
        engine = Engine(rules=rules, board=board_of(".X..\n.X..\n.X..\n.X..", rules))
        assert seen(engine) == ".OO./.OO./.X../.X.."
        assert engine.ending is Ending.LOST
        assert engine.blocks_played == 0
        assert engine.placements() == engine.moves() == []

    def test_a_flat_piece_can_still_enter_above_a_pile_of_full_height(self) -> None:
        rules = only("I", width=5, height=4)
        engine = Engine(rules=rules, board=board_of(".X...\n.X...\n.X...\n.X...", rules))
        assert engine.is_running

    @settings(max_examples=60, deadline=None)
    @given(st.data(), any_rules())
    def test_a_piece_that_cannot_enter_always_loses_without_points(self, data: st.DataObject, rules: Rules) -> None:
        engine = Engine(rules=rules, board=data.draw(boards(rules)), seed=data.draw(st.integers(0, 20)))
        blocked = any(row > rules.height for row, _ in (engine.last_move.cells if engine.last_move else []))
        assert engine.is_running is not blocked
        assert (engine.score, engine.blocks_played) == (0, 0)

    def test_the_next_piece_is_the_one_that_comes_next(self) -> None:
        engine, announced = Engine(seed=5), []
        for number in range(20):
            announced.append(engine.next_piece)
            column, rotation = engine.placements()[number % 9]
            engine.play_command(f"P:{column}:{rotation}")
            assert engine.piece == announced[-1]
        assert announced == [PieceSequence(TETRISBOT, 5, 0)[k] for k in range(1, 21)]


class TestCommands:
    def test_left_and_right_move_by_one_column_and_the_piece_falls_one_row(self) -> None:
        assert seen(after(only("O"), "L")) == "........../........../...OO...../...OO....."
        assert seen(after(only("O"), "R", "L")) == "........../........../........../....OO...."

    def test_at_the_wall_a_move_is_cancelled_but_the_piece_falls(self) -> None:
        assert [after(only("O"), *"L" * n).position[1] for n in range(7)] == [4, 3, 2, 1, 0, 0, 0]
        assert after(only("O"), *"L" * 6).position[0] == after(only("O"), *"N" * 6).position[0]

    def test_n_does_nothing_but_let_the_piece_fall(self) -> None:
        assert seen(after(only("I"), "N", "N")) == "........../........../........../...IIII..."

    def test_h_turns_clockwise_and_t_turns_back(self) -> None:
        assert seen(after(only("J"), "H"), 5).split("/")[2:] == ["...JJ.....", "...J......", "...J......"]
        assert seen(after(only("J"), "T"), 5).split("/")[2:] == ["....J.....", "....J.....", "...JJ....."]

    @pytest.mark.parametrize("bag", ["research", "rapid"])
    def test_h_is_clockwise_whatever_the_order_of_the_orientations(self, bag: str) -> None:
        assert seen(after(only("T", bag=bag), "H"), 5).split("/")[2:] == ["...T......", "...TT.....", "...T......"]

    def test_four_turns_either_way_or_one_each_way_only_let_the_piece_fall(self) -> None:
        for turns in ("HHHH", "TTTT", "HT", "TH"):
            for bag in ("research", "rapid", "classic"):
                rules = only("L", bag=bag)
                assert after(rules, *turns).cells == after(rules, *"N" * len(turns)).cells

    def test_in_the_classic_bag_a_piece_turns_in_its_square(self) -> None:
        # The I lies in the second row of its square and, after a turn to the left, in its second column.
        assert seen(after(only("I", bag="classic"), "T"), 5).split("/")[1:] == ["....I....."] * 4
        assert seen(after(only("I", bag="classic"), "H"), 5).split("/")[1:] == [".....I...."] * 4

    def test_a_turn_that_would_leave_the_two_invisible_rows_is_cancelled(self) -> None:
        # Upside down the classic I lies in the third row of its square, of which two would then be above.
        engine = Engine(rules=only("I", bag="classic", height=4))
        engine.orientation, engine.position = 2, (4, 3)
        engine.play_command("H")
        assert seen(engine, 3) == "........../........../...IIII..."

    def test_there_are_no_kicks_a_turn_that_does_not_fit_is_cancelled(self) -> None:
        standing = after(only("I"), "T", *"R" * 7)
        assert (standing.orientation, standing.position[1]) == (0, 9)
        standing.play_command("T")
        assert (standing.orientation, standing.position[1]) == (0, 9)

    def test_d_drops_the_piece_and_the_next_one_enters_in_the_same_turn(self) -> None:
        engine = after(only("O"), "D")
        assert engine.board == board_of("....OO....\n....OO....", engine.rules)
        assert seen(engine, 2) == "........../....OO...."
        assert (engine.turns, engine.blocks_played) == (1, 1)

    def test_a_resting_piece_can_still_be_moved_once_before_it_settles(self) -> None:
        rules = only("O", width=6, height=4)
        slid = after(rules, "N", "N", "N", "L")
        assert slid.board == board_of(".OO...\n.OO...", rules)
        assert after(rules, "N", "N", "N").blocks_played == 0

    def test_a_piece_can_slide_under_an_overhang(self) -> None:
        rules = only("I", width=8, height=6)
        engine = after(rules, *"NNNNNN", "L", board=board_of("XX......\n........", rules))
        assert engine.board == board_of("XX......\n.XXXX...", rules)

    def test_p_places_by_leftmost_column_and_rotation(self) -> None:
        assert after(only("T"), "P:7:2").board == board_of("........X.\n.......XX.\n........X.", TETRISBOT)
        assert after(only("I"), "P:9:0").board == board_of(".........X\n" * 4, TETRISBOT)

    def test_p_that_does_not_fit_at_the_present_row_is_cancelled_and_the_piece_falls(self) -> None:
        rules = only("I", width=5, height=4)
        engine = after(rules, "P:4:0", board=board_of("....X\n" * 4, rules))
        assert engine.blocks_played == 0
        assert seen(engine, 3) == "...../...../IIIIX"

    @pytest.mark.parametrize(
        ("command", "words"),
        [
            ("W", "'W'.*L R H T D N Q.*P:column:rotation"),
            ("", "''"),
            ("LL", "'LL'"),
            ("P:x", "'P:x'"),
            ("P:3", "'P:3'"),
            ("P:-1:0", "'P:-1:0'"),
            ("P:7:0", "'P:7:0'.*column.*from 0 to 6"),
            ("P:0:2", "'P:0:2'.*rotation.*from 0 to 1"),
            (None, "None"),
        ],
    )
    def test_an_impossible_command_says_what_is_allowed_and_changes_nothing(self, command: str, words: str) -> None:
        engine = Engine(rules=only("I", width=7))
        before = engine.cells
        with pytest.raises(InputError, match=words):
            engine.play_command(command)
        assert (engine.cells, engine.turns) == (before, 0)

    def test_q_stops_the_game_and_no_command_is_allowed_afterwards(self) -> None:
        engine = after(TETRISBOT, "Q")
        assert (engine.ending, engine.blocks_played) == (Ending.QUIT, 0)
        with pytest.raises(InputError, match="stopped"):
            engine.play_command("N")


def pressed(rules: Rules, *keys: str, board: Board | None = None, seed: int = 0) -> Engine:
    """The game with gravity after these keys."""
    engine = Engine(rules=rules, seed=seed, board=board)
    for key in keys:
        engine.press(key)
    return engine


def everything(engine: Engine) -> tuple[object, ...]:
    """All that can be seen of a game."""
    return engine.text(), engine.turns, engine.score_on_move, engine.ending, engine.lines_by_count, engine.last_move


class TestKeysOfAGameWithGravity:
    def test_moves_and_turns_leave_the_piece_at_its_height(self) -> None:
        assert seen(pressed(only("O"), *"LLL")) == "........../.OO......./.OO......./.........."
        assert seen(pressed(only("J"), "N", "H"), 5).split("/")[2:] == ["...JJ.....", "...J......", "...J......"]

    def test_at_the_wall_a_key_changes_nothing_but_is_counted(self) -> None:
        at_the_wall, once_more = pressed(only("O"), *"LLLL"), pressed(only("O"), *"LLLLL")
        assert at_the_wall.cells == once_more.cells
        assert (at_the_wall.turns, once_more.turns) == (4, 5)

    def test_a_piece_on_the_ground_can_still_move_until_n_settles_it(self) -> None:
        engine = pressed(only("O", width=6, height=4), *"NNNLL")
        assert (engine.position, engine.blocks_played) == ((0, 0), 0)
        engine.press("N")
        assert engine.blocks_played == 1
        assert engine.board == board_of("XX....\nXX....", engine.rules)

    def test_d_and_p_settle_at_once(self) -> None:
        assert pressed(only("I"), "D").board == after(only("I"), "D").board
        assert pressed(only("I"), "P:9:0").board == board_of(".........X\n" * 4, TETRISBOT)

    def test_p_that_does_not_fit_at_the_present_row_changes_nothing(self) -> None:
        rules = only("I", width=5, height=4)
        board = board_of("....X\n" * 4, rules)
        engine, untouched = pressed(rules, "P:4:0", board=board), Engine(rules=rules, board=board)
        assert (engine.cells, engine.blocks_played) == (untouched.cells, 0)

    def test_q_stops_the_game_and_an_unknown_key_is_refused(self) -> None:
        engine = pressed(only("O"), "L")
        with pytest.raises(InputError, match="'W'"):
            engine.press("W")
        assert engine.turns == 1
        engine.press("Q")
        with pytest.raises(InputError, match="stopped"):
            engine.press("N")

    @settings(max_examples=60, deadline=None)
    @given(any_rules(), st.integers(0, 99), st.text("ND", max_size=150))
    def test_a_game_of_n_and_d_alone_is_the_same_with_keys_as_with_commands(
        self, rules: Rules, seed: int, keys: str
    ) -> None:
        by_keys, by_commands = Engine(rules=rules, seed=seed), Engine(rules=rules, seed=seed)
        for key in keys:
            if by_keys.is_running:
                by_keys.press(key)
                by_commands.play_command(key)
            assert everything(by_keys) == everything(by_commands)

    @settings(max_examples=60, deadline=None)
    @given(st.data(), any_rules(), st.integers(0, 99), st.lists(st.sampled_from("LRHTN"), max_size=100))
    def test_a_command_is_its_key_and_then_n(
        self, data: st.DataObject, rules: Rules, seed: int, commands: list[str]
    ) -> None:
        board = data.draw(boards(rules))
        by_keys, by_commands = (Engine(rules=rules, seed=seed, board=board) for _ in range(2))
        for command in commands:
            if by_commands.is_running:
                by_commands.play_command(command)
                for key in command.strip("N") + "N":
                    by_keys.press(key)
            assert everything(by_keys)[2:] == everything(by_commands)[2:]
            assert by_keys.text() == by_commands.text()

    @settings(max_examples=100, deadline=None)
    @given(st.data(), any_rules(), st.integers(0, 20), st.lists(st.integers(0, 36 * 16), max_size=100))
    def test_any_keys_give_a_legal_game(self, data: st.DataObject, rules: Rules, seed: int, numbers: list[int]) -> None:
        engine = Engine(rules=rules, seed=seed, board=data.draw(boards(rules)))
        for turn, number in enumerate(numbers):
            if not engine.is_running:
                break
            board, pieces, mass = engine.board, engine.blocks_played, engine.board.full.sum()
            engine.press(some_command(engine, number))
            assert engine.turns == turn + 1
            if engine.blocks_played == pieces:
                assert engine.board is board
            elif engine.is_running:
                assert engine.last_move is not None
                cleared = engine.last_move.rows * rules.width
                assert engine.board.full.sum() == mass + engine.last_move.piece.size - cleared
                assert not engine.board.overflows
            if engine.is_running:
                assert engine.board.is_free(engine.cells)
                assert max(row for row, _ in engine.cells) < rules.height + 2


class TestScore:
    @pytest.mark.parametrize(("rows", "points"), [(1, 40), (2, 100), (3, 300), (4, 1200)])
    def test_points_grow_with_the_rows_cleared_at_once(self, rows: int, points: int) -> None:
        rules = only("I", width=5)
        board = board_of("\n".join(["XXX.."] * (4 - rows) + ["XXXX."] * rows), rules)
        engine = after(rules, "P:4:0", board=board)
        assert (engine.score, engine.score_on_move, engine.total_lines) == (points, points, rows)
        assert engine.lines_by_count == {1: 0, 2: 0, 3: 0, 4: 0} | {rows: 1}

    def test_score_on_move_is_the_last_turns_only(self) -> None:
        rules = only("I", width=5)
        engine = after(rules, "P:4:0", "N", board=board_of("XXXX.", rules))
        assert (engine.score, engine.score_on_move) == (40, 0)

    @settings(max_examples=30, deadline=None)
    @given(any_rules(), st.integers(0, 99))
    def test_rows_by_count_add_up_to_all_rows_and_to_the_score(self, rules: Rules, seed: int) -> None:
        engine = Engine(lambda e: "P:{}:{}".format(*e.placements()[e.turns * 7 % len(e.placements())]), rules, seed)
        engine.max_blocks = 60
        engine.run()
        assert engine.total_lines == sum(rows * times for rows, times in engine.lines_by_count.items())
        assert engine.score == sum(POINTS[rules.scoring][rows] * times for rows, times in engine.lines_by_count.items())


class TestGameOver:
    board = "XXX.\nXXX.\nXX..\nXX.X"

    def test_tetrisbot_clears_first_and_looks_at_the_pile_afterwards(self) -> None:
        # An I upright in the last column reaches one row above the board and fills the two rows below it.
        rules = only("I", width=4, height=4)
        engine = after(rules, "P:3:0", board=board_of(self.board, rules))
        assert (engine.total_lines, engine.score, engine.is_running) == (2, 100, True)

    def test_with_overflow_the_same_piece_loses_clears_nothing_and_scores_nothing(self) -> None:
        rules = only("I", width=4, height=4, game_over=GameOver.OVERFLOW)
        engine = after(rules, "P:3:0", board=board_of(self.board, rules))
        assert (engine.total_lines, engine.score, engine.ending) == (0, 0, Ending.LOST)
        assert engine.blocks_played == 1
        assert engine.board.full.sum() == board_of(self.board, rules).full.sum() + 4

    def test_with_top_row_touching_the_highest_row_loses(self) -> None:
        for game_over, lost in ((GameOver.TOP_ROW, True), (GameOver.OVERFLOW, False)):
            engine = after(only("O", width=6, height=4, game_over=game_over), "P:4:0", "P:4:0")
            assert (engine.ending is Ending.LOST) is lost

    def test_a_losing_piece_scores_when_the_pile_is_looked_at_after_clearing(self) -> None:
        # Turned as it enters, a classic I reaches up to the upper invisible row: one cleared row does not save it.
        board = "....\nX.XX\nXX..\nXX.."
        for game_over, points in ((GameOver.OVERFLOW_AFTER_CLEARING, 40), (GameOver.OVERFLOW, 0)):
            rules = only("I", width=4, height=4, bag="classic", game_over=game_over)
            engine = after(rules, "T", board=board_of(board, rules))
            assert (engine.score, engine.ending) == (points, Ending.LOST)

    def test_the_game_stops_after_max_blocks_pieces(self) -> None:
        engine = Engine(lambda e: "D", only("O"), max_blocks=3)
        engine.run()
        assert (engine.blocks_played, engine.ending) == (3, Ending.LIMIT)
        assert not engine.cells

    def test_max_blocks_is_by_default_the_limit_of_the_rules(self) -> None:
        engine = Engine(lambda e: "D", only("O", max_pieces=4))
        engine.run()
        assert engine.blocks_played == 4
        assert Engine(rules=only("O", max_pieces=4), max_blocks=2).max_blocks == 2

    @pytest.mark.parametrize(
        ("board", "words"),
        [(Board.empty(9, 22), "9x22"), (Board.from_text("XXXXXXXXXX", 22), "full rows")],
    )
    def test_a_board_that_no_game_can_reach_is_refused(self, board: Board, words: str) -> None:
        with pytest.raises(InputError, match=words):
            Engine(board=board)


class TestPlacements:
    @settings(max_examples=150, deadline=None)
    @given(st.data(), any_rules(entry=Entry.SPAWN), st.integers(0, 20))
    @pytest.mark.slow
    def test_on_any_board_they_are_the_moves_of_the_rules(self, data: st.DataObject, rules: Rules, seed: int) -> None:
        board = data.draw(boards(rules))
        engine = Engine(rules=rules, seed=seed, board=board)
        described = all_moves(board, engine.piece, rules)
        assert engine.placements() == [(move.column, move.orientation) for move in described]
        assert [(m.row, m.after, m.loses) for m in engine.moves()] == [
            (m.row, m.after, m.loses) for m in moves(board, engine.piece, rules) or described
        ]

    @settings(max_examples=60, deadline=None)
    @given(any_rules(entry=Entry.SPAWN), st.integers(0, 20), st.lists(st.integers(0, 999), min_size=30, max_size=30))
    def test_in_whole_games_too(self, rules: Rules, seed: int, choices: list[int]) -> None:
        engine = Engine(rules=rules, seed=seed)
        for choice in choices:
            described = all_moves(engine.board, engine.piece, rules) if engine.is_running else []
            assert engine.placements() == [(move.column, move.orientation) for move in described]
            if not described:
                break
            move = described[choice % len(described)]
            points, settled = engine.score, engine.blocks_played
            engine.play_command(f"P:{move.column}:{move.orientation}")
            assert (engine.blocks_played, engine.score) == (settled + 1, points + rules.points(move.rows))
            assert engine.ending is Ending.LOST if move.loses else not engine.is_running or engine.board == move.after

    @settings(max_examples=150, deadline=None)
    @given(st.data(), any_rules(), st.lists(st.sampled_from("LRHTN"), max_size=8), st.integers(0, 20))
    def test_they_are_what_fits_with_its_top_in_the_present_row(
        self, data: st.DataObject, rules: Rules, keys: list[str], seed: int
    ) -> None:
        engine = Engine(rules=rules, seed=seed, board=data.draw(boards(rules)))
        for key in keys:
            if engine.is_running:
                engine.play_command(key)
        if engine.is_running:
            top, full = max(row for row, _ in engine.cells), set(map(tuple, np.argwhere(engine.board.full).tolist()))
            turns, _ = turns_of(engine.piece.name, rules.bag)
            fitting = []
            for rotation, turn in enumerate(turns):
                below, right = np.nonzero(turn)
                for column in range(rules.width):
                    cells = [
                        (top - (b - below.min()), column + c - right.min()) for b, c in zip(below, right, strict=True)
                    ]
                    if all(r >= 0 and c < rules.width and (r, c) not in full for r, c in cells):
                        fitting.append((column, rotation))
            assert engine.placements() == fitting

    def test_under_an_overhang_only_what_fits_at_the_present_row_can_be_reached(self) -> None:
        rules = only("O", width=6, height=4)
        engine = Engine(rules=rules, board=board_of("XX....\n......\n......\n......", rules))
        assert engine.placements() == [(2, 0), (3, 0), (4, 0)]
        for _ in range(2):
            engine.play_command("N")
        assert engine.placements() == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]

    def test_losing_moves_are_left_out_only_if_refused_and_another_exists(self) -> None:
        text = "XXX...\nXXX...\nXXX...\nXXX..."
        for losing, kept in ((LosingMoves.REFUSED, {False}), (LosingMoves.ALLOWED, {False, True})):
            rules = Rules(6, 4, losing_moves=losing, probabilities={"I": 1})
            engine = Engine(rules=rules, board=board_of(text, rules))
            assert {move.loses for move in engine.moves()} == kept
        rules = Rules(6, 4, probabilities={"I": 1})
        hopeless = Engine(rules=rules, board=board_of("X.X.XX\nXX.X.X\nX.....\nX.....", rules))
        assert {move.loses for move in hopeless.moves()} == {True}


class TestAsking:
    def test_the_callback_gets_the_engine_and_its_text_is_played(self) -> None:
        asked = []

        def agent(engine: Engine) -> str:
            asked.append(engine)
            return "L" if len(asked) < 3 else "Q"

        engine = Engine(agent, only("O"))
        assert engine.run() == 0
        assert asked == [engine] * 3
        assert engine.position[1] == 2

    def test_the_same_seed_and_game_give_the_same_game_others_do_not(self) -> None:
        def pieces(seed: int, game: int) -> list[str]:
            engine, names = Engine(seed=seed, game=game), []
            for _ in range(7):
                names.append(engine.piece.name)
                engine.play_command("D")
            return names

        assert pieces(1, 2) == pieces(1, 2) == [PieceSequence(TETRISBOT, 1, 2)[k].name for k in range(7)]
        assert pieces(1, 2) != pieces(1, 3)
        assert pieces(1, 2) != pieces(2, 2)
        assert sorted(pieces(1, 2)) == sorted("IOTSZJL")

    def test_decisions_are_timed(self) -> None:
        from time import sleep

        def agent(engine: Engine) -> str:
            sleep(0.01)
            return "N"

        engine = Engine(agent)
        engine.step()
        engine.step()
        assert engine.timings.decisions == 2
        assert engine.timings.last >= 0.01
        assert engine.timings.total == pytest.approx(2 * engine.timings.mean)

    def test_a_step_without_an_agent_is_refused(self) -> None:
        with pytest.raises(InputError, match="agent is None"):
            Engine().step()


class TestPicture:
    def test_text_shows_invisible_rows_board_next_piece_and_counters(self) -> None:
        engine = after(Rules(width=5, height=4), "P:0:0")
        assert engine.text().splitlines() == [
            "  . . . . .     Next",
            "  I I I I .        S S",
            " -----------     S S",
            "| I . . . . |",
            "| I . . . . |   Score       0",
            "| I . . . . |   Rows        0",
            "| I . . . . |   Pieces      1",
            "+-----------+",
            "  0 1 2 3 4",
        ]

    def test_view_is_the_board_and_the_falling_piece(self) -> None:
        engine = after(only("O"), "D")
        assert engine.view().full.sum() == 8
        assert engine.board.full.sum() == 4

    def test_silent_prints_nothing_otherwise_each_turn_is_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        Engine(lambda e: "D", only("O"), max_blocks=2).run()
        assert capsys.readouterr().out == ""
        engine = Engine(lambda e: "D", only("O"), max_blocks=2, silent=False)
        engine.run()
        printed = capsys.readouterr().out
        assert printed.count("Next") == 3
        assert printed.rstrip().endswith(engine.text().rstrip())

    def test_show_is_called_instead_of_printing(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown: list[int] = []
        Engine(lambda e: "D", only("O"), max_blocks=2, show=lambda e: shown.append(e.blocks_played)).run()
        assert shown == [0, 1, 2]
        assert capsys.readouterr().out == ""

    def test_nothing_that_is_measured_is_printed(self) -> None:
        games = [Engine(lambda e: "D", max_blocks=9) for _ in range(2)]
        for game in games:
            game.run()
        assert games[0].text() == games[1].text()
        assert repr(games[0]) == repr(games[1])
