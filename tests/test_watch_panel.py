"""Watching: the game is the one that is played elsewhere, move by move, and goes on as far as the page needs it."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace
from typing import Any

import pytest
from waiting import wait_until

from tetriscourse.agents import AGENTS
from tetriscourse.errors import InputError
from tetriscourse.features import FEATURE_SETS
from tetriscourse.game.board import Board
from tetriscourse.game.engine import Engine
from tetriscourse.game.moves import Move, moves
from tetriscourse.game.rules import RULES, Rules
from tetriscourse.games import Game, play_game
from tetriscourse.mdp.deep_q.domino_grid import DominoGrid, GridAgent
from tetriscourse.mdp.deep_q.move_values import NetworkPlayer
from tetriscourse.mdp.deep_q.network import Network
from tetriscourse.mdp.exact.solution import solve
from tetriscourse.mdp.q_learning.learner import QLearning
from tetriscourse.players import PLAYERS, Player
from tetriscourse.terminal import HumanAgent
from tetriscourse.widgets import Record, WatchPanel
from tetriscourse.widgets.watching import games as watched
from tetriscourse.widgets.watching import panel as watch
from tetriscourse.widgets.watching.games import close_calls
from tetriscourse.widgets.worker import Worker

SHORT = Rules(6, 10, max_pieces=60)
WORST = Player("dellacherie", (1, -1, 1, 1, 4, 1), "worst")


def look(panel: WatchPanel, position: int, have: int, want: int = 0, **more: Any) -> None:
    """An event as the page sends it."""
    place = {"position": position, "have": have, "want": want, "judge": True, "speed": 4, "searching": False}
    panel.receive({"event": "look", "value": place | more})


def acknowledged(panel: WatchPanel) -> None:
    """Be a page that shows everything at once, until the panel has nothing left to do."""
    wait_until(lambda: panel.receive({"event": "shown", "value": panel.version}) or not panel.running)


def trace(game: Game) -> list[tuple[str, int, int, int]]:
    return [(move.piece.name, move.orientation, move.column, move.row) for move in game.moves]


# --- the game -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("dellacherie", SHORT),
        ("dt-10", RULES["5x5"]),
        ("filter-heights", replace(RULES["tetrisbot"], max_pieces=40)),
        ("tetrisbot", Rules(5, 8, pieces_known=2, max_pieces=15)),
        ("tetrisbot-4", Rules(4, 6, losing_moves="allowed")),
    ],
)
def test_the_game_of_a_player_is_the_one_that_play_game_plays(name, rules):
    panel, expected = WatchPanel(name, rules, seed=3, number=2), play_game(PLAYERS[name], rules, 3, 2)
    look(panel, 0, 0, 100)
    acknowledged(panel)
    game = panel.game
    assert trace(game) == trace(expected)
    assert (game.lines, game.points, game.lost) == (expected.lines, expected.points, expected.lost)
    assert panel.watched.over


@pytest.mark.parametrize("name", ["random-commands", "random-placements", "two-piece:tetrisbot"])
def test_the_game_of_an_agent_is_the_one_that_the_engine_plays(name):
    rules = replace(RULES["tetrisbot"], width=6, height=8)
    panel = WatchPanel(name, rules, seed=1, pieces=12)
    engine = Engine(AGENTS[name](), rules, seed=1, max_blocks=12)
    engine.run()
    look(panel, 0, 0, 100)
    acknowledged(panel)
    assert (panel.game.pieces, panel.game.lines, panel.game.points) == (
        engine.blocks_played,
        engine.total_lines,
        engine.score,
    )
    assert panel.game.lost == (engine.ending == "game over")


def test_agents_play_by_tetrisbots_rules_and_players_by_those_of_research_unless_told():
    assert WatchPanel("dn").game.rules == RULES["research"]
    assert WatchPanel(AGENTS["dn"]()).game.rules == RULES["tetrisbot"]
    assert WatchPanel(lambda engine: "D").game.rules == RULES["tetrisbot"]
    learner = QLearning(replace(RULES["domino"], width=4), compiled=False)
    assert WatchPanel(learner).game.rules == learner.rules


def test_a_game_can_start_from_a_board_and_stops_at_the_limit():
    board = Board.from_text("XX.XXX\nXX.XX.", height=10)
    panel = WatchPanel("dellacherie", SHORT, board=board, pieces=3)
    assert panel.game.moves[0].before is board
    panel.go(3)
    assert panel.game.pieces == 3
    assert not panel.game.lost
    with pytest.raises(InputError, match="move is 4; it must be a whole number from 0 to 3"):
        panel.go(4)


def test_a_piece_that_finds_no_room_ends_an_agents_game_without_being_a_move():
    panel = WatchPanel(lambda engine: "D", replace(RULES["tetrisbot"], width=6, height=7))
    look(panel, 0, 0, 100)
    acknowledged(panel)
    engine = Engine(lambda engine: "D", panel.game.rules)
    engine.run()
    assert panel.game.lost
    assert not any(move.loses for move in panel.game.moves)
    assert panel.game.pieces == engine.blocks_played
    assert panel.game.board != engine.board


def test_finished_games_and_records_of_games_by_hand_are_replayed():
    played = play_game(PLAYERS["dellacherie"], SHORT, 5)
    panel = WatchPanel(played, at=10)
    assert panel.game is played
    assert panel.watched.board(10) == played.moves[9].after
    record = Record(RULES["tetrisbot"], keys=("L", "D", "R", "D", "H", "D"))
    panel = WatchPanel(record, judge="tetrisbot")
    assert trace(panel.game) == trace(record.game())
    assert panel.data["table"]["columns"][-1] == "value"
    empty = WatchPanel(Game(SHORT, 0, 0))
    assert empty.data["table"]["caption"] == "No move is left."


# --- what the page gets ---------------------------------------------------------------------------


def rebuilt(panel: WatchPanel, numbers: list[int]) -> list[Board]:
    """The boards of a game by the rules of the game alone, from the numbers that are sent."""
    board, boards = panel.watched.start, []
    for i in range(0, len(numbers), 6):
        piece, orientation, column, row, cleared, height = numbers[i : i + 6]
        shape = panel.game.rules.pieces[piece].orientations[orientation]
        filled = board.with_cells([(row + r, column + c) for r, c in shape.cells], "X")
        board = filled.without_rows(filled.full_rows()) if cleared else filled
        assert height == max(board.heights)
        boards.append(board)
    return boards


def test_the_moves_are_sent_in_chunks_from_where_the_page_is(monkeypatch):
    monkeypatch.setattr(watch, "CHUNK", 25)
    played = play_game(PLAYERS["dellacherie"], SHORT, 5)
    panel, numbers = WatchPanel(played), []
    while len(numbers) < 6 * played.pieces:
        look(panel, 0, len(numbers) // 6)
        assert panel.record["first"] == len(numbers) // 6
        assert len(panel.record["moves"]) <= 6 * 25
        numbers += panel.record["moves"]
    assert rebuilt(panel, numbers) == [move.after for move in played.moves]


def test_a_page_that_begins_anew_gets_the_game_from_its_beginning():
    panel = WatchPanel("dellacherie", at=20)
    look(panel, 20, 21, 30)
    acknowledged(panel)
    assert panel.record["first"] == 21
    look(panel, 20, 0, 30)
    assert (panel.record["first"], len(panel.record["moves"])) == (0, 6 * 30)


def test_nothing_is_played_before_the_page_asks_and_no_more_than_it_wants():
    panel = WatchPanel("dellacherie", at=4)
    assert panel.game.pieces == 5
    assert not panel.running
    look(panel, 4, 5, 70)
    acknowledged(panel)
    assert panel.game.pieces == 70
    look(panel, 4, 70, 70)
    assert not panel.running


def test_a_closed_panel_and_one_that_nobody_sees_stop_playing():
    for stop in (lambda panel: panel.close(), lambda panel: panel.receive({"event": "hidden", "value": None})):
        panel = WatchPanel("dellacherie")
        look(panel, 0, 1, 10**6)
        assert panel.running
        stop(panel)
        assert not panel.running
        for thread in threading.enumerate():
            if thread.name == "tetriscourse panel":
                thread.join(10)  # the step that was under way


def test_work_goes_on_although_the_page_asks_for_something_all_the_time():
    versions, steps = itertools.count(1), []
    worker = Worker(lambda: steps.append("a step") or len(steps) < 3, lambda: next(versions), lambda: None)
    worker.start()
    for version in (1, 2):
        worker.acknowledge(version)
    wait_until(lambda: not worker.running)
    worker.pause()
    assert len(steps) == 3


def test_a_player_that_fails_is_a_message_in_the_panel():
    class Forgetful:
        def choose(self, board, piece, next_piece=None, rules=None, chance=None) -> Move:
            if board.heights.any():
                raise KeyError("forgotten")
            return moves(board, piece, rules)[0]

    panel = WatchPanel(Forgetful())
    look(panel, 0, 1, 10)
    acknowledged(panel)
    assert panel.message == {"text": "Forgetful failed: KeyError: 'forgotten'", "kind": "error"}


# --- the playhead ---------------------------------------------------------------------------------


def test_the_playhead_is_moved_by_the_page_and_by_python():
    panel = WatchPanel("dellacherie", at=3)
    assert panel.position == 3
    look(panel, 2, 4, 4, speed=9)
    assert (panel.position, panel.speed) == (2, 9)
    before = panel.data["counters"]["go"][0]
    panel.go(30)
    assert panel.position == 30
    assert panel.data["counters"]["go"] == [before + 1, 30]
    assert panel.record["first"] + len(panel.record["moves"]) // 6 == 31
    with pytest.raises(InputError, match="move is -1"):
        panel.go(-1)


def test_the_table_stays_behind_while_moves_go_by_fast():
    panel = WatchPanel("dellacherie", at=5)
    look(panel, 3, 6, 6, judge=False)
    assert panel.data["counters"]["judged"] == 5
    look(panel, 3, 6, 6)
    assert panel.data["counters"]["judged"] == 3
    assert panel.data["table"]["caption"].startswith("Move 3:")


def test_counters_are_those_of_the_moves_that_lie_behind():
    played = play_game(PLAYERS["dellacherie"], replace(SHORT, scoring="squares"), 5)
    behind = played.moves[:30]
    rows, points = sum(move.rows for move in behind), sum(move.rows**2 for move in behind)
    (line,) = WatchPanel(played, at=30).counters()
    assert line == f"30 moves made: {rows} rows, {points} points, height {max(behind[-1].after.heights)}"


# --- close calls ----------------------------------------------------------------------------------


def is_high(board: Board) -> bool:
    """Whether a cell is full in the upper quarter, or right below it."""
    free = board.height // 4  # so many free rows at the top are too few
    return bool(board.full[board.height - free - 1 :].any())


@pytest.mark.parametrize("height", [5, 6, 7, 8, 12])
def test_a_close_call_is_a_move_after_which_a_quarter_of_the_board_or_less_is_free(height):
    rules = Rules(5, height)
    for seed in range(6):
        panel = WatchPanel(play_game(PLAYERS["tetrisbot"], rules, seed))
        expected = [
            number + 1
            for number, move in enumerate(panel.game.moves)
            if is_high(move.after) and not is_high(move.before)
        ]
        assert close_calls(panel.watched.heights, height) == expected
        assert expected


def test_the_search_for_a_close_call_plays_on_until_there_is_one():
    panel = WatchPanel("tetrisbot", "6x12")
    panel.receive({"event": "close_call", "value": [0, 1]})
    acknowledged(panel)
    (first, *_) = close_calls(panel.watched.heights, 12)
    assert panel.watched.heights[first] >= 9
    assert panel.data["counters"]["search"] == [1, False]
    assert panel.note == ""


def test_a_search_in_vain_gives_up_and_says_so(monkeypatch):
    monkeypatch.setattr(watch, "SEARCH", 100)
    panel = WatchPanel("dellacherie")
    panel.receive({"event": "close_call", "value": [0, 1]})
    assert panel.note == "Playing on: no close call up to move 1 ..."
    acknowledged(panel)
    assert panel.data["counters"]["note"] == "No close call up to move 101. Press again to play on."
    look(panel, 0, 101)
    assert panel.note != ""
    look(panel, 1, 101)
    assert panel.note == ""


def test_a_search_ends_with_the_game_and_when_somebody_does_something_else():
    panel = WatchPanel("dellacherie", pieces=20)
    panel.receive({"event": "close_call", "value": [0, 1]})
    acknowledged(panel)
    assert panel.note == "No close call in the rest of the game, which ends at move 20."
    panel = WatchPanel("dellacherie")
    panel.receive({"event": "close_call", "value": [0, 1]})
    look(panel, 0, 1, 10, searching=True)
    assert panel.search is not None
    look(panel, 0, 1, 10)
    assert panel.search is None
    panel.close()


# --- why ------------------------------------------------------------------------------------------


def test_the_table_has_the_weights_and_all_candidates_and_marks_the_chosen_one():
    panel = WatchPanel("dellacherie", at=25)
    player, move, shown = PLAYERS["dellacherie"], panel.game.moves[25], panel.data["table"]
    found = moves(move.before, move.piece, panel.game.rules)
    assert shown["columns"] == ["move", *(name.replace("_", " ") for name in player.features.labels(10)), "value"]
    assert shown["rows"][0] == ["weight", *(f"{weight:g}" for weight in player.weights), ""]
    values = sorted((player.value(one) for one in found), reverse=True)
    assert [row[-1] for row in shown["rows"][1:]] == [f"{value:.4g}" for value in values]
    marked = shown["rows"][shown["marked"]]
    assert marked[0] == f"{move.piece} {move.shape} at {move.column}"
    assert marked[-1] == f"{values[0]:.4g}"


def test_a_row_that_is_picked_is_outlined_and_compared_until_it_is_picked_again():
    panel = WatchPanel("dellacherie", at=25)
    panel.receive({"event": "table", "value": 4})
    cells = [list(cell) for cell in panel.picked.move.cells]
    assert panel.data["counters"]["hint"] == panel.data["board"]["hint"] == cells
    assert panel.data["table"]["rows"][4][0] in panel.data["words"]["text"]
    assert panel.data["words"]["text"].endswith("less.")
    panel.receive({"event": "table", "value": 4})
    assert panel.picked is None
    panel.receive({"event": "table", "value": 0})  # the weights
    assert panel.picked is None
    panel.receive({"event": "table", "value": 5})
    look(panel, 24, 26, 26)
    assert panel.data["counters"]["hint"] == []


def test_the_move_of_random_commands_is_among_its_candidates_even_under_an_overhang():
    for seed in range(6):
        panel = WatchPanel("random-commands", seed=seed)
        look(panel, 0, 0, 100)
        acknowledged(panel)
        for position in range(panel.game.pieces):
            panel.go(position)
            assert panel.data["table"]["marked"] is not None
            assert not panel.failure


def test_a_table_of_q_shows_its_values_where_it_has_any():
    learner = QLearning(replace(RULES["domino"], width=4, height=4), compiled=False, actions="placements", episodes=30)
    learner.learn()
    panel = WatchPanel(learner)
    values = [float(row[-1]) for row in panel.data["table"]["rows"]]
    assert values == sorted(values, reverse=True)
    assert len(values) == len(moves(panel.watched.start, learner.rules.pieces[0], learner.rules))


@pytest.mark.slow
def test_the_best_possible_player_takes_the_first_of_its_table_as_it_knows_all_that_is_known():
    solution = solve(Rules(4, 4, draw="bag", pieces_known=2))
    panel = WatchPanel(solution.player())
    assert panel.game.rules == solution.rules
    for position in range(12):
        panel.go(position)
        worth = [float(row[-1]) for row in panel.data["table"]["rows"]]
        assert panel.data["table"]["marked"] == 0
        assert worth == sorted(worth, reverse=True)
        assert "alone" not in panel.data["table"]["caption"]


def test_networks_are_watched_as_players_with_values_and_as_agents_with_their_own_rules():
    player = NetworkPlayer(FEATURE_SETS["tetrisbot"], Network((4, 8, 1), 2))
    panel = WatchPanel(player, Rules(6, 10), at=2)
    marked = panel.data["table"]["rows"][panel.data["table"]["marked"]]
    assert marked == panel.data["table"]["rows"][0]
    assert float(marked[-1]) == pytest.approx(player.value(panel.game.moves[2]), rel=1e-3)
    grid = DominoGrid(4, 4)
    agent = GridAgent(grid, Network((grid.inputs, 6), 1))
    panel = WatchPanel(agent)
    assert panel.game.rules == grid.rules
    assert panel.data["table"]["columns"] == ["move"]


def test_who_knows_the_next_piece_is_said_to_count_it():
    panel = WatchPanel("two-piece:tetrisbot", at=1)
    assert "the next piece" in panel.data["table"]["caption"]
    assert "the next piece" not in WatchPanel("tetrisbot").data["table"]["caption"]


# --- other forms and bad input --------------------------------------------------------------------


def test_the_still_picture_and_the_text_are_the_same_each_time():
    one, other = (WatchPanel("dellacherie", seed=2, at=12) for _ in range(2))
    assert repr(one) == repr(other)
    assert repr(one).splitlines()[1:3] == ["dellacherie, rules research, seed 2, game 0", *one.counters()]
    pictures = [panel._repr_mimebundle_()[0]["image/svg+xml"] for panel in (one, other)]
    assert pictures[0] == pictures[1]
    assert "12 moves made" in pictures[0]
    assert "column transitions" in pictures[0]


def test_what_is_sent_at_each_change_is_small():
    assert len(str(WatchPanel("dn", at=200).data)) < 12_000


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"who": "delacherie"}, "who is 'delacherie'; did you mean 'dellacherie'"),
        ({"who": 7}, "who is 7; it must be a name in PLAYERS or AGENTS, a player, an agent, a Game or a Record"),
        ({"who": Player}, "it must be a name in PLAYERS or AGENTS"),
        ({"who": "human"}, "play in a PlayPanel"),
        ({"who": HumanAgent()}, "play in a PlayPanel"),
        ({"rules": "resarch"}, "rules is 'resarch'; did you mean 'research'"),
        ({"rules": 3}, "rules is 3"),
        ({"seed": -1}, "seed is -1"),
        ({"number": 0.5}, "number is 0.5"),
        ({"at": "x"}, "at is 'x'"),
        ({"at": 4, "pieces": 3}, "at is 4; it must be a whole number from 0 to 3"),
        ({"pieces": 0}, "pieces is 0; it must be a whole number of at least 1"),
        ({"speed": 61}, "speed is 61; it must be a whole number from 1 to 60"),
        ({"judge": "nobody"}, "judge is 'nobody'"),
        ({"board": Board.empty(6, 6)}, "board is 6x6; the rules are for 10x20"),
        ({"who": Game(SHORT, 0, 0), "rules": "5x5"}, "rules is Rules.*; a game that was played has its own"),
        ({"who": Game(SHORT, 0, 0), "pieces": 5}, "pieces is 5; a game that was played has its own"),
    ],
)
def test_bad_input_is_an_error_that_names_the_argument(given, complaint):
    with pytest.raises(InputError, match=complaint):
        WatchPanel(**given)


def test_a_player_for_another_width_is_refused_at_once():
    bertsekas = FEATURE_SETS["bertsekas"]
    player = Player(bertsekas, [1.0] * bertsekas.size(10))
    with pytest.raises(InputError, match="weights has 21 values"):
        WatchPanel(player, "6x12")
    with pytest.raises(InputError, match="weights has 21 values"):
        WatchPanel("dellacherie", "6x12", judge=player)


def test_nonsense_from_the_page_is_a_message():
    panel = WatchPanel("dellacherie")
    look(panel, -3, 0)
    assert panel.message["text"] == "position is -3; it must be a whole number of at least 0"
    look(panel, 10**9, 0)
    assert panel.position == 1
    panel.receive({"event": "table", "value": "x"})
    assert panel.message["kind"] == "error"


def test_the_longest_game_has_an_end(monkeypatch):
    monkeypatch.setattr(watched, "LONGEST", 30)
    panel = WatchPanel("dellacherie")
    look(panel, 0, 0, 100)
    acknowledged(panel)
    assert panel.game.pieces == 30
    assert panel.watched.over
    assert not panel.game.lost


def test_a_worse_player_is_watched_as_it_loses():
    panel = WatchPanel(WORST, Rules(6, 8))
    look(panel, 0, 0, 200)
    acknowledged(panel)
    assert panel.game.lost
    # Losing moves are refused: the game is lost because none is left.
    last = panel.game.pieces
    assert moves(panel.game.board, panel.watched.sequence()[last], panel.game.rules) == []


# --- what can be tried ----------------------------------------------------------------------------


def tips(panel: WatchPanel) -> str:
    return " ".join(panel.heading["tries"])


def test_a_panel_suggests_only_what_can_be_tried_with_its_game() -> None:
    live, past = WatchPanel("dellacherie", SHORT), WatchPanel(play_game(PLAYERS["dn"], SHORT))
    best = WatchPanel(solve(Rules(4, 4)).player(), Rules(4, 4))
    assert "which feature" in tips(live)
    assert "the same seed" in tips(live)
    assert "best move" not in tips(past)
    assert "the same seed" not in tips(past)
    assert "by how much did the best move win?" in tips(best)
    assert "which feature" not in tips(best)


def test_a_game_with_pieces_of_ones_own_is_not_said_to_be_that_of_a_seed() -> None:
    game = Game(SHORT, seed=0, number=0)
    for name in "SZSZ":
        game.take(PLAYERS["dn"].choose(game.board, SHORT.pieces["IOTZSJL".index(name)], rules=SHORT))
    assert WatchPanel(game).headline().endswith("pieces dealt by hand")
    assert WatchPanel(play_game(PLAYERS["dn"], SHORT, 3, 2)).headline().endswith("seed 3, game 2")
