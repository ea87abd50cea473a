"""Agents: what they choose, that chance can be repeated, and what a person at the keyboard can do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import stays

from tetriscourse.agents import (
    AGENTS,
    EvaluatingAgent,
    FilteringAgent,
    RandomCommands,
    RandomPlacements,
    TwoPieceAgent,
    as_agent,
)
from tetriscourse.cli.terminal_game import play
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURES
from tetriscourse.game.engine import Ending, Engine
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.random import TIE_STREAM, Chance
from tetriscourse.game.rules import RULES, Entry, PieceSequence, Rules
from tetriscourse.players import PLAYERS, Filter, Player
from tetriscourse.terminal import coloured

TETRISBOT = RULES["tetrisbot"]
SMALL = replace(TETRISBOT, width=6, height=8)
LINEAR = [name for name, player in PLAYERS.items() if isinstance(player, Player)]


def played(name: str, rules: Rules, seed: int = 0, game: int = 0, max_blocks: int = 25) -> Engine:
    """A game of an agent, over."""
    engine = Engine(as_agent(name), rules, seed, game, max_blocks)
    engine.run()
    return engine


def game_by_moves(player: Player | Filter, rules: Rules, seed: int, pieces: int) -> tuple[int, int]:
    """Points and pieces of the game that moves() describes: no engine, no commands."""
    board, points, count = rules.empty_board(), 0, 0
    for position in range(pieces):
        chance = Chance(seed, 0, TIE_STREAM, position=position)
        move = player.choose(board, PieceSequence(rules, seed, 0)[position], rules=rules, chance=chance)
        if move is None:
            break
        board, points, count = move.after, points + rules.points(move.rows), count + 1
        if move.loses:
            break
    return points, count


class TestCatalogue:
    def test_it_holds_everyone_who_can_play(self) -> None:
        expected = {"human", "random-commands", "random-placements", *PLAYERS, *(f"two-piece:{n}" for n in LINEAR)}
        assert set(AGENTS) == expected

    def test_each_agent_knows_its_name_and_describes_itself(self) -> None:
        for name in AGENTS:
            agent = as_agent(name)
            assert agent.name == name
            assert len(agent.describe) > 10

    def test_a_wrong_name_gives_the_closest_one(self) -> None:
        with pytest.raises(InputError, match="did you mean 'dellacherie'"):
            as_agent("delacherie")
        with pytest.raises(InputError, match="two-piece:dn"):
            as_agent("two-piece:d")

    @pytest.mark.parametrize("name", sorted(set(AGENTS) - {"human"}))
    def test_everyone_plays_any_rules_until_a_limit_or_the_end(self, name: str) -> None:
        for rules in (SMALL, RULES["5x5"], RULES["domino"], replace(RULES["top-row"], width=7, bag="classic")):
            engine = played(name, rules, max_blocks=2)
            assert (engine.ending, engine.blocks_played) == (Ending.LIMIT, 2)


class TestChance:
    @pytest.mark.parametrize("name", ["random-commands", "random-placements", "filter-heights"])
    def test_a_game_can_be_repeated_even_with_an_agent_that_has_played_before(self, name: str) -> None:
        agent = as_agent(name)
        games = [Engine(agent, SMALL, seed, game) for seed, game in [(1, 1), (1, 1), (1, 2), (2, 1)]]
        for engine in games:
            engine.run()
        assert games[0].text() == games[1].text()
        assert len({engine.text() for engine in games}) == 3

    def test_random_commands_are_all_the_keys_about_equally_often(self) -> None:
        given: list[str] = []
        for game in range(30):
            engine = Engine(lambda e: given.append(RandomCommands()(e)) or given[-1], SMALL, game=game)
            engine.run()
        shares = {command: given.count(command) / len(given) for command in set(given)}
        assert set(shares) == set("LRHTDN")
        assert min(shares.values()) > 0.12
        assert max(shares.values()) < 0.22

    def test_random_placements_always_fit_and_reach_every_column(self) -> None:
        columns = set()
        for game in range(20):
            engine = Engine(RandomPlacements(), SMALL, game=game)
            while engine.is_running:
                engine.step()
                assert engine.turns == engine.blocks_played  # none was cancelled
                columns |= {column for _, column in engine.last_move.cells} if engine.last_move else set()
        assert columns == set(range(6))


class TestFiltering:
    def test_each_criterion_keeps_the_best_of_what_the_last_one_left(self) -> None:
        names = ["holes", "sum_heights", "bumpiness"]
        for order in permutations(names):
            agent = FilteringAgent(order)
            engine = Engine(agent, SMALL, seed=3)
            while engine.is_running and engine.blocks_played < 15:
                # Minimising one after the other is minimising the tuple.
                best = min(tuple(FEATURES[name](move) for name in order) for move in engine.moves())
                engine.step()
                assert tuple(FEATURES[name](engine.last_move) for name in order) == best or not engine.is_running

    def test_the_order_of_the_criteria_matters(self) -> None:
        # The same moves pass both for the first 60 pieces or so.
        boards = {played(name, TETRISBOT, max_blocks=70).board for name in ("filter-heights", "filter-bumpiness")}
        assert len(boards) == 2

    def test_the_description_names_the_criteria_in_order(self) -> None:
        described = FilteringAgent(["holes", "+lines"]).describe
        assert described.index("fewest holes") < described.index("most lines")

    def test_an_unknown_criterion_is_refused(self) -> None:
        with pytest.raises(InputError, match="did you mean 'holes'"):
            FilteringAgent(["hole"])


class TestEvaluating:
    @settings(max_examples=40, deadline=None)
    @given(
        st.sampled_from(["dellacherie", "tetrisbot", "dt-20", "filter-heights", "filter-bumpiness"]),
        st.sampled_from(["research", "rapid", "classic", "domino"]),
        st.integers(0, 1000),
        st.integers(4, 9),
        st.integers(4, 10),
    )
    @pytest.mark.slow
    def test_with_entry_spawn_the_engine_plays_the_game_that_moves_describes(
        self, name: str, bag: str, seed: int, width: int, height: int
    ) -> None:
        rules = replace(TETRISBOT, bag=bag, width=width, height=height)
        engine = played(name, rules, seed, max_blocks=25)
        assert (engine.score, engine.blocks_played) == game_by_moves(PLAYERS[name], rules, seed, 25)

    def test_it_takes_the_move_with_the_largest_weighted_sum(self) -> None:
        weights = {"lines": 0.5, "sum_heights": -0.25, "holes": -1.0, "bumpiness": -0.125}

        def value(move: Move) -> float:
            return sum(weight * FEATURES[name](move) for name, weight in weights.items())

        engine = Engine(EvaluatingAgent(Player("tetrisbot", list(weights.values()))), SMALL, seed=2)
        while engine.is_running and engine.blocks_played < 15:
            best = max(map(value, engine.moves()))
            engine.step()
            assert not engine.is_running or value(engine.last_move) == best

    def test_with_entry_above_it_still_chooses_what_the_falling_piece_can_reach(self) -> None:
        rules = Rules(width=6, height=6)
        assert rules.entry is Entry.ABOVE
        for seed in range(10):
            engine = played("dellacherie", rules, seed, max_blocks=40)
            assert engine.turns == engine.blocks_played

    def test_a_good_player_clears_rows_and_a_random_one_does_not(self) -> None:
        good = played("tetrisbot", TETRISBOT, max_blocks=60)
        poor = played("random-placements", TETRISBOT, max_blocks=60)
        assert good.total_lines >= 18
        assert poor.total_lines <= 4

    def test_weights_for_another_width_are_refused(self) -> None:
        agent = EvaluatingAgent(Player("bertsekas", [-1] * 21))
        with pytest.raises(InputError, match="13 on width 6"):
            Engine(agent, SMALL).step()


class TestTwoPieces:
    @settings(max_examples=10, deadline=None)
    @given(st.integers(0, 1000))
    def test_it_chooses_as_the_player_who_knows_the_next_piece(self, seed: int) -> None:
        player = PLAYERS["tetrisbot"]
        engine = Engine(TwoPieceAgent(player), replace(SMALL, width=5), seed)
        for _ in range(6):
            if engine.is_running:
                move = player.choose(engine.board, engine.piece, engine.next_piece, rules=engine.rules)
                assert engine.agent(engine) == f"P:{move.column}:{move.orientation}"
                engine.step()

    def test_it_prefers_a_move_after_which_the_next_piece_has_one(self) -> None:
        # To put the pieces up in the middle looks best to this player, but then the next one cannot enter.
        tower = Player(["max_height"], [1.0])
        rules = Rules(4, 4, probabilities={"O": 1}, entry=Entry.SPAWN)
        blind, seeing = Engine(EvaluatingAgent(tower), rules), Engine(TwoPieceAgent(tower), rules)
        for engine in (blind, seeing):
            for _ in range(2):
                engine.step()
        assert not moves(blind.board, blind.next_piece, rules)
        assert seeing.is_running


# --- a person -------------------------------------------------------------------------------------

PROGRAM = """
import sys
from tetriscourse.game.rules import RULES
from tetriscourse.cli.terminal_game import play
if sys.stdin.isatty():
    import fcntl, termios
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
play({arguments})
"""


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS", "NO_COLOR")}
    return kept | {"TERM": "xterm-256color", "PYTHONUNBUFFERED": "1"}


def piped(lines: str, arguments: str = "seed=1") -> subprocess.CompletedProcess[str]:
    """A game with commands from a pipe."""
    program = PROGRAM.format(arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", program], input=lines, capture_output=True, text=True, timeout=50, env=environment()
    )


class TestCommandsFromAPipe:
    def test_each_line_is_a_command_and_the_end_of_input_stops_the_game(self) -> None:
        result = piped("L\nL\nd\n\nP:0:0\n")
        engine = Engine(seed=1)
        for command in ("L", "L", "D", "N", "P:0:0"):
            engine.play_command(command)
        assert result.returncode == 0
        assert result.stdout.startswith(engine.text())
        assert result.stdout.splitlines()[-1] == "Stopped: 0 points, 0 rows, 2 pieces; agent human, seed 1"
        assert "\x1b" not in result.stdout

    def test_a_mistake_is_reported_and_the_game_goes_on(self) -> None:
        result = piped("W\nD\n")
        assert "'W'" in result.stderr
        assert "Traceback" not in result.stderr
        assert "1 piece;" in result.stdout

    def test_each_turn_is_printed_if_asked_for(self) -> None:
        assert piped("D\nD\n").stdout.count("Next") == 1
        assert piped("D\nD\n", "seed=1, frames=True").stdout.count("Next") == 4

    def test_an_agent_needs_no_keyboard(self) -> None:
        result = piped("", "'tetrisbot', max_blocks=30, pause=0")
        expected = Engine(as_agent("tetrisbot"), max_blocks=30)
        assert f"Piece limit reached: {expected.run()} points" in result.stdout


class Terminal:
    """A pseudo-terminal with a game running in it."""

    def __init__(self, arguments: str, program: str = PROGRAM):
        import fcntl
        import struct
        import termios

        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.output = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", program.format(arguments=arguments)],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True, env=environment(),
        )  # fmt: skip

    def mode(self) -> list[object]:
        import termios

        return termios.tcgetattr(self.slave)

    def read(self, seconds: float = 0.05) -> bool:
        """Take in what was written; whether there was anything."""
        import select

        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.output += os.read(self.master, 65536).decode()
        return True

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def picture(self) -> list[str]:
        """The last complete picture, without colours, as lines."""
        pictures = [part.split("\x1b[J")[0] for part in self.output.split("\x1b[H")[1:] if "\x1b[J" in part]
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", pictures[-1] if pictures else "").splitlines()

    def shows(self, engine: Engine, seconds: float = 20) -> bool:
        """Whether the picture becomes that of this game before time is up."""
        wanted, end = [line.rstrip() for line in engine.picture_rows()], time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            if [line[: 2 * engine.rules.width + 3].rstrip() for line in self.picture()[: len(wanted)]] == wanted:
                return True
        return False

    def says(self, words: str) -> bool:
        """Whether these words come up in the picture."""
        while words not in "\n".join(self.picture()):
            if not self.read(10):
                return False
        return True

    def finish(self, seconds: float = 20) -> int:
        """Wait for the end; the exit status."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        while self.read():
            pass
        return self.process.wait(1)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    pytest.importorskip("termios")
    opened = Terminal(*request.param) if isinstance(request.param, tuple) else Terminal(request.param)
    yield opened
    opened.close()


TURN_BY_TURN = "seed=1, pause=0"
RAISES = """
import sys
from tetriscourse.game.engine import Engine
from tetriscourse.terminal import HumanAgent
def show(engine):
    if engine.turns == 2:
        raise RuntimeError("something went wrong")
agent = HumanAgent()
with agent.keyboard, agent.screen:
    Engine(agent, seed=1, show=show{arguments}).run()
"""


class TestKeyboard:
    @pytest.mark.parametrize("terminal", [TURN_BY_TURN], indirect=True)
    def test_keys_act_without_enter_and_the_terminal_is_as_before_afterwards(self, terminal: Terminal) -> None:
        import termios

        engine = Engine(seed=1)
        assert terminal.shows(engine)
        assert not terminal.mode()[3] & (termios.ICANON | termios.ECHO)
        for key, command in (
            ("\x1b[D", "L"), ("\x1b[D", "L"), ("\x1b[C", "R"), ("\x1b[A", "H"), ("\x1b[B", "N"), ("z", "T"), ("x", "H"),
            ("t", "T"), ("h", "H"), ("\x1bOD", "L"), (" ", "D"),
        ):  # fmt: skip
            engine.play_command(command)
            terminal.press(key)
            assert terminal.shows(engine), key
        terminal.press("q")
        assert terminal.finish() == 0
        assert terminal.mode() == terminal.before
        assert "Stopped: 0 points, 0 rows, 1 piece; agent human, seed 1" in terminal.output

    @pytest.mark.parametrize("terminal", [TURN_BY_TURN], indirect=True)
    def test_keys_typed_fast_are_all_played(self, terminal: Terminal) -> None:
        engine = Engine(seed=1)
        assert terminal.shows(engine)
        terminal.press("\x1b[D\x1b[D\x1b[D \x1b[C?\x1b[15~\x1b[1;5CD")
        for command in ("L", "L", "L", "D", "R", "D"):
            engine.play_command(command)
        assert terminal.shows(engine)

    @pytest.mark.slow
    @pytest.mark.parametrize("terminal", ["seed=1, pause=0.05"], indirect=True)
    def test_with_time_the_piece_falls_by_itself_once_started_unless_paused(self, terminal: Terminal) -> None:
        engine = Engine(seed=1)
        assert terminal.shows(engine)
        assert stays(lambda: terminal.read() or terminal.shows(engine, 1)), "it waits for the first key"
        terminal.press("n")
        assert terminal.says("Pieces      1"), "it has come to rest without another key"
        terminal.press("p")
        assert terminal.says("PAUSED")
        paused = terminal.picture()
        assert stays(lambda: terminal.read() or terminal.picture() == paused)
        terminal.press("pq")
        assert terminal.finish() == 0

    @pytest.mark.parametrize("terminal", [TURN_BY_TURN], indirect=True)
    def test_the_first_picture_says_which_keys_do_what(self, terminal: Terminal) -> None:
        assert terminal.shows(Engine(seed=1))
        shown = "\n".join(terminal.picture())
        for words in ("left right", "up", "turn clockwise", "down", "space", "drop", "p pause", "q quit"):
            assert words in shown

    @pytest.mark.parametrize("terminal", [TURN_BY_TURN, "'tetrisbot', seed=1, pause=0.1"], indirect=True)
    def test_ctrl_c_ends_the_game_cleanly_with_the_score(self, terminal: Terminal) -> None:
        assert terminal.shows(Engine(seed=1))
        terminal.press("\x03")
        assert terminal.finish() == 0
        assert re.search(r"Stopped: \d+ points", terminal.output)
        assert "Traceback" not in terminal.output
        assert terminal.mode() == terminal.before
        assert terminal.output.rindex("\x1b[?25h") > terminal.output.rindex("\x1b[?25l"), "the cursor is back"

    @pytest.mark.parametrize("terminal", [("", RAISES)], indirect=True)
    def test_the_terminal_is_restored_after_an_exception(self, terminal: Terminal) -> None:
        engine = Engine(seed=1)
        assert terminal.shows(engine)
        assert terminal.mode() != terminal.before
        terminal.press("nn")
        assert terminal.finish() == 1
        assert "something went wrong" in terminal.output
        assert terminal.mode() == terminal.before
        assert terminal.output.rindex("\x1b[?1049l") > terminal.output.rindex("\x1b[?1049h")

    @pytest.mark.parametrize("terminal", ["'tetrisbot', seed=1, pause=0.01, max_blocks=20"], indirect=True)
    def test_an_agent_can_be_watched(self, terminal: Terminal) -> None:
        assert terminal.finish() == 0
        expected = Engine(as_agent("tetrisbot"), seed=1, max_blocks=20)
        assert f"Piece limit reached: {expected.run()} points" in terminal.output
        assert terminal.output.count("\x1b[H") == 20

    @pytest.mark.parametrize("terminal", ["'dellacherie', seed=1, pause=30"], indirect=True)
    def test_q_ends_watching_at_once(self, terminal: Terminal) -> None:
        assert terminal.shows(Engine(seed=1))
        terminal.press("q")
        assert terminal.finish() == 0
        assert "Stopped: 0 points, 0 rows, 0 pieces; agent dellacherie" in terminal.output


class TestPicture:
    def test_the_board_of_22_rows_fits_a_terminal_of_24_lines(self) -> None:
        plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured(Engine(seed=1), 24)]
        assert len(plain) == 24
        assert "L" in plain[0], "the row in which the piece enters is there"
        assert plain[-1].startswith("+-")

    def test_a_terminal_that_is_too_low_is_told_so_and_never_overfilled(self) -> None:
        for lines in range(3, 24):
            drawn = coloured(Engine(seed=1), lines)
            assert len(drawn) <= lines
            assert "24 lines needed" in drawn[0]
        assert "needed" not in "".join(coloured(Engine(seed=1), 24))

    def test_pieces_are_told_apart_by_letter_and_by_colour(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        from tetriscourse.terminal import painted

        styles = {re.sub(r" [A-Z]", "", painted(mark)) for mark in "IOTZSJL"}
        assert len(styles) == 7
        assert all(mark in re.sub(r"\x1b\[[0-9;]*m", "", painted(mark)) for mark in "IOTZSJL")
        monkeypatch.setenv("NO_COLOR", "1")
        assert painted("T") == " T"

    def test_play_refuses_an_unknown_agent_before_anything_is_drawn(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(InputError, match="did you mean 'human'"):
            play("humann")
        assert capsys.readouterr().out == ""
